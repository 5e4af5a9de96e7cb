"""Traces of spend beside figures of the business, and of how often training workloads are run again."""

from collections.abc import Callable

from gpuplanner.domain.audit.costs.business import BusinessCost
from gpuplanner.domain.audit.costs.retraining import Retraining, retraining_of
from gpuplanner.domain.audit.evidence.explained import Inputs, explained
from gpuplanner.domain.audit.evidence.trace import Trace, TraceColumn, TraceRow, figure
from gpuplanner.domain.audit.evidence.trace_costs import CostEvidence
from gpuplanner.domain.audit.evidence.trace_forms import read, summed
from gpuplanner.domain.figures.costs.business import BUSINESS, RETRAINING
from gpuplanner.domain.figures.costs.unit_costs import RUN
from gpuplanner.domain.figures.figure import Figure
from gpuplanner.domain.figures.typed import day, decimals, whole
from gpuplanner.domain.figures.writing import ENGLISH
from gpuplanner.domain.message import Message, Text, joined, worded

MOST_GAPS = 24
"""Gaps that are named one by one."""


def _row(evidence: CostEvidence, subject: str) -> BusinessCost:
    return next(row for row in evidence.business if row.subject == subject)


def _title(row: BusinessCost) -> Message:
    return worded("{name}, {month}", name=row.name, month=row.month)


def _held(row: BusinessCost) -> Text:
    if not row.is_planned:
        return worded("As if the count came evenly over the hours of the month.")
    if row.held_from == row.month:
        return worded("Month 12 of the plan, a month of 730 h, at the count given for its month.")
    return worded(
        "Month 12 of the plan, a month of 730 h, as if the count stayed at that of {month}.",
        month=row.held_from,
    )


def business_usd(evidence: CostEvidence, scope: str, subject: str) -> Trace:
    """What was spent in the hours of a month that the window has; of month 12 what the plan costs in it."""
    row = _row(evidence, subject)
    if row.is_planned:
        source: Text = worded("what the plan costs in its month 12, as the panel Today to plan draws it")
    else:
        source = worded("the audit: {hours} hours of the month, paid and overflowed", hours=whole(row.hours))
    return read(
        figure("business_usd", subject),
        _title(row),
        row.business_cost,
        "usd",
        source,
        words=BUSINESS["business_cost"].title,
    )


def business_unserved(evidence: CostEvidence, scope: str, subject: str) -> Trace:
    """GPU-hours of month 12 that the plan serves nobody with."""
    row = _row(evidence, subject)
    return read(
        figure("business_unserved", subject),
        _title(row),
        row.unserved,
        "gpu_hours",
        worded(
            "the plan's month 12: demand that no offer, limit or budget leaves to anybody, in no $ of the plan"
        ),
        words=BUSINESS["unserved"].title,
        note=worded("Checks says for what reason; what it costs to serve is not in the spend for one."),
    )


def business_each(evidence: CostEvidence, scope: str, subject: str) -> Trace:
    """Spend over the count of the same hours."""
    row = _row(evidence, subject)
    values = {"value": row.value, "counted_share": row.counted_share, "business_cost": row.business_cost}
    return explained(BUSINESS, "cost_each", Inputs(values, subject, _title(row)), _held(row))


def _retraining(evidence: CostEvidence, key: str) -> Retraining:
    rows = retraining_of(evidence.unit.runs, evidence.past.project.window)
    return next(row for row in rows if row.key == key)


def retrain_runs(evidence: CostEvidence, scope: str, key: str) -> Trace:
    """A workload's runs, each with its GPU-hours and what it cost."""
    row, cost = _retraining(evidence, key), RUN["cost"]
    runs = sorted((run for run in evidence.unit.runs if run.key == key), key=lambda run: run.start_s)
    return summed(
        figure("retrain_runs", key),
        worded("Runs of {name}", name=row.name),
        row.runs,
        "count",
        worded(
            "Its runs; one ends after {hours} h without GPU time",
            hours=decimals(evidence.unit.run_gap_hours, 0),
        ),
        [
            TraceRow(joined((day(run.start_s),)), (1, run.gpu_hours, run.cost), figure(cost.why, run.subject))
            for run in runs
        ],
        columns=[_column(RETRAINING["runs"]), _column(RUN["gpu_hours"]), _column(cost)],
    )


def _column(one: Figure) -> TraceColumn:
    return TraceColumn(one.short or one.title, one.unit.key)


def retrain_days(evidence: CostEvidence, scope: str, key: str) -> Trace:
    """The middle of the gaps between the starts of a workload's runs."""
    row = _retraining(evidence, key)
    named = joined([ENGLISH.one_decimal(gap) for gap in sorted(row.gaps_days)[:MOST_GAPS]], ", ")
    count = len(row.gaps_days)
    note = (
        worded("The gaps, shortest first, in days: {gaps}.", gaps=named)
        if count
        else RETRAINING["days_between"].unknown
    )
    more = worded(" And {count} longer ones.", count=whole(count - MOST_GAPS)) if count > MOST_GAPS else ""
    return read(
        figure("retrain_days", key),
        worded("Days between starts of {name}", name=row.name),
        row.days_between,
        "decimal",
        worded(
            "{count} gaps between the starts of its runs; one ends after {hours} h without GPU time",
            count=whole(count),
            hours=decimals(evidence.unit.run_gap_hours, 0),
        ),
        words=worded("The middle of the gaps: half are shorter, half are longer"),
        note=joined((note, more)),
    )


def of_retraining(key: str) -> Callable[[CostEvidence, str, str], Trace]:
    """What explains a figure of a workload's runs."""

    def trace(evidence: CostEvidence, scope: str, workload: str) -> Trace:
        row = _retraining(evidence, workload)
        values = {"runs": row.runs, "runs_cost": row.runs_cost, "days_between": row.days_between}
        return explained(RETRAINING, key, Inputs(values, workload, row.name))

    return trace
