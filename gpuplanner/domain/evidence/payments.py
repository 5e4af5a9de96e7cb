"""Answers about payments: commitments and cash of a plan, by contract and quarter."""

from typing import Final

from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.evidence import trace
from gpuplanner.domain.evidence.answering import Answers, Inputs, explained
from gpuplanner.domain.evidence.trace import Trace, TraceRow, column_of, figure, read, titled
from gpuplanner.domain.figures.cash import CASH, OWED
from gpuplanner.domain.figures.figure import Figure
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.reports.cash import EXTRAS_OF_PLAN, PAID, RESTARTS, RUN_WAYS
from gpuplanner.domain.reports.report import Column, Report

OF_PAYMENTS: Final = Answers[Evaluation]()
_READ_FROM: Final = {
    "gpus": worded("the contract"),
    "rate": worded("the contract"),
    "hours_left": worded("its end in the plan, or after notice"),
    "at_once": worded("upfront and setup on the order day"),
    "by_hour": worded("contracts, orders and use of its hours"),
}
_SUMS: Final = {
    "owed": worded("Remaining commitment = Σ over contracts in force"),
    "cash": worded("Cash = \u03a3 over the quarters"),
}


@OF_PAYMENTS.gives_each(
    {
        asked.why: (report_name, asked.key)
        for report_name, subject in (("owed", OWED), ("cash", CASH))
        for asked in subject.figures
    }
)
def paid(kind: tuple[str, str], evaluation: Evaluation, scope: str, subject: str) -> Trace:
    """A figure of a contract that is owed or of a quarter; of all of them where none is named."""
    (name, key), figures_of = kind, OWED if kind[0] == "owed" else CASH
    rows, asked = PAID[name].rows(evaluation), figures_of[key]
    if not subject:
        listed = [TraceRow(row.name, (row.figures[key],), figure(asked.why, row.key)) for row in rows]
        total = known_sum(row.figures[key] for row in rows)
        return trace.summed(asked.title, total, asked.unit.key, _SUMS[key], listed, (column_of(asked),))
    row = next(row for row in rows if row.key == subject)
    if asked.formula is None:
        return read(titled(asked, row.name), row.figures[key], asked.unit.key, _READ_FROM[key])
    return explained(figures_of, key, Inputs(values=row.figures, name=row.key, title=row.name))


_LINES: Final = {
    column.figure.why: (report, column, column.figure)
    for report in (EXTRAS_OF_PLAN, RUN_WAYS, RESTARTS)
    for column in report.columns
    if column.figure is not None
}


@OF_PAYMENTS.gives_each(_LINES)
def of_line(asked: tuple[Report, Column, Figure], evaluation: Evaluation, scope: str, subject: str) -> Trace:
    """A line of a report that says from where its figures are."""
    report, column, declared = asked
    rows = [*report.rows(evaluation), *([report.total(evaluation)] if report.total else [])]
    row = next(line for line in rows if str(report.key(line)) == subject)
    title = titled(declared, report.columns[0].of(row))
    return read(title, column.of(row), declared.unit, report.note)
