"""Answers about training that runs again: its runs, and the days between their starts."""

from typing import Final

from gpuplanner.domain.audit.unit_costs.retraining import Retraining, retraining_of
from gpuplanner.domain.evidence.answering import Answers, Inputs
from gpuplanner.domain.evidence.costs.cost_evidence import CostEvidence
from gpuplanner.domain.evidence.trace import Trace, TraceColumn, TraceRow, figure, read, summed
from gpuplanner.domain.figures.typed import day, decimals, whole
from gpuplanner.domain.figures.unit_costs import RETRAINING, RUN
from gpuplanner.domain.figures.writing import ENGLISH
from gpuplanner.domain.message import joined, worded

WHY: Final = Answers[CostEvidence]()

MOST_GAPS = 24
"""Gaps that are named one by one."""


def _retraining(evidence: CostEvidence, key: str) -> Retraining:
    rows = retraining_of(evidence.unit.runs, evidence.past.project.window)
    return next(row for row in rows if row.key == key)


@WHY.gives("retrain_runs")
def retrain_runs(evidence: CostEvidence, scope: str, key: str) -> Trace:
    """A workload's runs, each with its GPU-hours and what it cost."""
    row, cost = _retraining(evidence, key), RUN["cost"]
    runs = sorted((run for run in evidence.unit.runs if run.key == key), key=lambda run: run.start_s)
    rows = []
    for run in runs:
        opens = figure(cost.why, run.subject)
        rows.append(TraceRow(joined((day(run.start_s),)), (1, run.gpu_hours, run.cost), opens))
    hours = decimals(evidence.unit.run_gap_hours, 0)
    words = worded("Its runs, each ended by {hours} h without GPU time", hours=hours)
    shown = (RETRAINING["runs"], RUN["gpu_hours"], cost)
    columns = [TraceColumn(asked.short or asked.title, asked.unit.key) for asked in shown]
    return summed(worded("Runs of {name}", name=row.name), row.runs, "count", words, rows, columns)


@WHY.gives("retrain_days")
def retrain_days(evidence: CostEvidence, scope: str, key: str) -> Trace:
    """The middle of the gaps between the starts of a workload's runs."""
    row = _retraining(evidence, key)
    named = joined([ENGLISH.one_decimal(gap) for gap in sorted(row.gaps_days)[:MOST_GAPS]], ", ")
    count = len(row.gaps_days)
    note = (
        worded("Gaps in days, shortest first: {gaps}.", gaps=named)
        if count
        else RETRAINING["days_between"].unknown
    )
    more = worded("And {count} longer ones.", count=whole(count - MOST_GAPS)) if count > MOST_GAPS else ""
    return read(
        worded("Days between starts of {name}", name=row.name),
        row.days_between,
        "decimal",
        worded(
            "{count} gaps between starts; a run ends after {hours} h without GPU time",
            count=whole(count),
            hours=decimals(evidence.unit.run_gap_hours, 0),
        ),
        words=worded("Half the gaps between starts are shorter."),
        note=joined(filter(None, (note, more)), " "),
    )


@WHY.explains(RETRAINING, "cost_per_run")
def retrain_row(evidence: CostEvidence, scope: str, workload: str) -> Inputs:
    """What figures of a workload's runs are worked out from."""
    row = _retraining(evidence, workload)
    values = {"runs": row.runs, "runs_cost": row.runs_cost, "days_between": row.days_between}
    return Inputs(values=values, name=workload, title=row.name)
