"""Answers about payments and about months: owed and cash by quarter, and each month of the log."""

from typing import Final

from gpuplanner.domain.audit.series import MonthRow
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.evidence.answering import Answers, Inputs, explained
from gpuplanner.domain.evidence.trace import Trace, TraceRow, column_of, figure, read, summed, titled
from gpuplanner.domain.figures.cash import CASH, OWED
from gpuplanner.domain.figures.figure import Figure
from gpuplanner.domain.figures.window import CLASS, SERIES
from gpuplanner.domain.message import joined, worded
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.tables import POOL_TITLES, Pool
from gpuplanner.domain.reports.cash import PAID
from gpuplanner.domain.reports.series import OF_MONTH

OF_PAYMENTS: Final = Answers[Evaluation]()
_READ_FROM: Final = {
    "gpus": worded("the contract"),
    "rate": worded("the contract"),
    "hours_left": worded("its end as the plan counts it; without one to the end of the notice"),
    "at_once": worded("payments up front and set-up, on the day of their order"),
    "by_hour": worded("contracts, orders and use of the hours in it"),
}
_SUMS: Final = {
    "owed": worded("Owed = \u03a3 over the contracts in force"),
    "cash": worded("Cash = \u03a3 over the quarters"),
}


@OF_PAYMENTS.gives_each(
    {
        one.why: (report_name, one.key)
        for report_name, subject in (("owed", OWED), ("cash", CASH))
        for one in subject.figures
    }
)
def paid(kind: tuple[str, str], of: Evaluation, scope: str, subject: str) -> Trace:
    """A figure of a contract that is owed or of a quarter; of all of them where none is named."""
    (name, key), figures_of = kind, OWED if kind[0] == "owed" else CASH
    rows, one = PAID[name].rows(of), figures_of[key]
    if not subject:
        listed = [TraceRow(row.name, (row.figures[key],), figure(one.why, row.key)) for row in rows]
        total = known_sum(row.figures[key] for row in rows)
        return summed(one.title, total, one.unit.key, _SUMS[key], listed, (column_of(one),))
    row = next(row for row in rows if row.key == subject)
    if one.formula is None:
        return read(titled(one, row.name), row.figures[key], one.unit.key, _READ_FROM[key])
    return explained(figures_of, key, Inputs(row.figures, row.key, row.name))


# Months of the log

OF_MONTHS: Final = Answers[Evaluation]()
ITS_AUDIT: Final = worded(
    "the audit of this month alone; with its dates as the window each figure leads to its jobs"
)


@OF_MONTHS.gives_each({one.why: one for one in OF_MONTH})
def of_month(one: Figure, evaluation: Evaluation, scope: str, month: str) -> Trace:
    """A figure of a month: of its audit."""
    return read(titled(one, month), getattr(_row(evaluation, month), one.key), one.unit, ITS_AUDIT)


def _row(evaluation: Evaluation, month: str) -> MonthRow:
    return next(row for row in evaluation.months or () if row.month == month)


@OF_MONTHS.gives_each({"month_usd_share": True, "month_gpu_hours_share": False})
def share_of_class(is_of_usd: bool, evaluation: Evaluation, pool: str, month: str) -> Trace:
    """What a class is of all in a month."""
    row = _row(evaluation, month)
    one, name = row.classes[Pool(pool)], joined((POOL_TITLES[Pool(pool)], month), ", ")
    if is_of_usd:
        usd = {"class_usd": one.usd, "classes_usd": known_sum(each.usd for each in row.classes.values())}
        return explained(SERIES, "usd_share", Inputs(usd, month, name))
    hours = {"gpu_hours": one.gpu_hours, "all_gpu_hours": row.gpu_hours}
    return explained(CLASS, "share", Inputs(hours, month, name, opens=dict.fromkeys(hours, "")))
