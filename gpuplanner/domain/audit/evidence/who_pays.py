"""Answers about who pays and why it changed: teams and budgets, the business, runs again, and two periods."""

from collections.abc import Iterator
from typing import Final

from gpuplanner.domain.audit.chargeback import NOBODYS, Charge, ChargePart, charges
from gpuplanner.domain.audit.cost_result import ChargeBy, ClusterVariance, shared_words
from gpuplanner.domain.audit.evidence.answering import Answers, Inputs, Listed, explained
from gpuplanner.domain.audit.evidence.trace import (
    JOBS,
    Trace,
    TraceColumn,
    TraceRow,
    column_of,
    figure,
    read,
    summed,
    titled,
)
from gpuplanner.domain.audit.evidence.unit_costs import (
    OF_PAYERS,
    WINDOW_DOLLARS,
    CostEvidence,
    overflowed_to,
    served_by,
)
from gpuplanner.domain.audit.unit_costs import BusinessCost, Retraining, retraining_of
from gpuplanner.domain.figures.changes import CHANGE, CONTRACT_CHANGE, PERIOD, WORKLOAD_CHANGE
from gpuplanner.domain.figures.chargeback import CHARGE, IDLE_SHARE
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR, Figure, Subject
from gpuplanner.domain.figures.typed import day, decimals, whole
from gpuplanner.domain.figures.unit_costs import BUSINESS, RETRAINING, RUN
from gpuplanner.domain.figures.writing import ENGLISH
from gpuplanner.domain.message import Message, Text, joined, worded
from gpuplanner.domain.model.window import HOURS_PER_MONTH

WHY: Final = Answers[CostEvidence]()

# Who is charged

IN_THE_WINDOW: Final = worded("in the window")
_PAYERS: Final = {"direct_in_window": served_by, "overflow_in_window": overflowed_to}
_OF_ROW: Final = ("direct_in_window", "idle_in_window", "overflow_in_window", "budget_per_month")


def _row(evidence: CostEvidence, scope: str, subject: str) -> Charge:
    """The row of a figure id. Errors: ValueError, StopIteration where there is none."""
    return charges(evidence.past.project, evidence.charged, ChargeBy(scope)).row(subject)


@WHY.gives_each(
    {CHARGE[key].why: CHARGE[key] for key in ("direct_in_window", "idle_in_window", "overflow_in_window")}
)
def of_charge(one: Figure, evidence: CostEvidence, scope: str, subject: str) -> Trace:
    """A sum over the workloads of a row; of one workload by the contracts that served it, or the GPU models of its
    overflow; of the idle GPUs of a team by cluster.
    """
    row, is_idle = _row(evidence, scope, subject), one.key == "idle_in_window"
    words, columns = worded("{what} = \u03a3 over its workloads", what=one.title), [WINDOW_DOLLARS]
    note: Text = joined((shared_words(evidence.charged.rule), ".")) if is_idle else ""
    if row.by is ChargeBy.TEAM and is_idle and not row.is_all:
        rows = list(_shares(evidence, NOBODYS if row.is_nobodys else row.name or NOBODYS))
        words = worded(
            "Shared idle = \u03a3 of what nobody used \u00d7 what it counts with \u00f7 what all count with"
        )
        keys = ("shared_in_window", "held_gpu_hours", "all_held_gpu_hours")
        columns = [*(column_of(IDLE_SHARE[key]) for key in keys), WINDOW_DOLLARS]
    elif row.by is ChargeBy.WORKLOAD and not is_idle and row.name is not None:
        (part,), span = row.parts, range(evidence.past.project.window.hours)
        rows = list(_PAYERS[one.key](evidence, part.key, part.cluster, span))
        words, columns = worded("{what} = \u03a3 of GPU-hours \u00d7 rate", what=one.title), [*OF_PAYERS]
        note = worded(
            "Hour by hour, the workloads of a GPU model on a cluster share what served it by GPU time."
        )
    else:
        rows = [
            TraceRow(part.key or _unborne(part), (getattr(part, one.key),), _opened(row, part, one.why))
            for part in row.parts
        ]
    title, value, at = titled(one, row.called), getattr(row, one.key), len(columns) - 1
    return summed(title, value, one.unit.key, words, rows, columns, at, said_as=IN_THE_WINDOW, note=note)


def _unborne(part: ChargePart) -> Message:
    return worded("Idle GPUs of {cluster}", cluster=part.cluster or worded("no cluster"))


def _opened(row: Charge, part: ChargePart, why: str) -> str:
    """The same figure of the workload alone; nothing where the row is that workload."""
    if not part.key or (row.by is ChargeBy.WORKLOAD and not row.is_all):
        return ""
    return figure(why, f"={part.key}", ChargeBy.WORKLOAD)


def _shares(evidence: CostEvidence, team: str) -> Iterator[TraceRow]:
    """A row for each cluster that a team bears idle GPUs of, and for its own contracts there."""
    for one in evidence.charged.shares:
        if one.team == team:
            is_whole = one.held == one.all_held == 1  # of an owner, or of a cluster without jobs: all of it
            held = [
                None if is_whole else amount / MILLI_GPU_SECONDS_PER_GPU_HOUR
                for amount in (one.held, one.all_held)
            ]
            name = (
                one.cluster or worded("no cluster")
                if one.owner is None
                else worded("{cluster}, its own contracts", cluster=one.cluster)
            )
            yield TraceRow(name, (one.shared_in_window, *held, one.idle_in_window))


@WHY.sums_of(
    CHARGE["gpu_hours"],
    worded("{what} = \u03a3 over its workloads", what=CHARGE["gpu_hours"].title),
    (column_of(CHARGE["gpu_hours"]),),
    said_as=IN_THE_WINDOW,
)
def charge_hours(evidence: CostEvidence, scope: str, subject: str) -> Listed:
    """GPU-hours of a row: of its workloads, whose jobs a log lists."""
    row = _row(evidence, scope, subject)
    rows = [TraceRow(part.key, (part.gpu_hours,), figure(JOBS, part.key)) for part in row.parts if part.key]
    return Listed(row.gpu_hours, rows, row.called)


@WHY.explains(CHARGE, "total_in_window", "budget_in_window", "left_in_window")
def charge_row(evidence: CostEvidence, scope: str, subject: str) -> Inputs:
    """What figures of a row are worked out from that stand on others of it."""
    row = _row(evidence, scope, subject)
    values = {**{name: getattr(row, name) for name in _OF_ROW}, "months": evidence.months}
    return Inputs(values, subject, row.called, scope)


# Spend beside the business


def _business(evidence: CostEvidence, subject: str) -> BusinessCost:
    return next(row for row in evidence.business if row.subject == subject)


def _month_of(row: BusinessCost) -> Message:
    return worded("{name}, {month}", name=row.name, month=row.month)


@WHY.gives("business_usd")
def business_usd(evidence: CostEvidence, scope: str, subject: str) -> Trace:
    """What was spent in the hours of a month that the window has; of month 12 what the plan costs in it."""
    row = _business(evidence, subject)
    if row.is_planned:
        source: Text = worded("what the plan costs in its month 12, as the panel Today to plan draws it")
    else:
        source = worded("the audit: {hours} hours of the month, paid and overflowed", hours=whole(row.hours))
    return read(_month_of(row), row.business_cost, "usd", source, words=BUSINESS["business_cost"].title)


@WHY.gives("business_unserved")
def business_unserved(evidence: CostEvidence, scope: str, subject: str) -> Trace:
    """GPU-hours of month 12 that the plan serves nobody with."""
    row = _business(evidence, subject)
    source = worded(
        "the plan's month 12: demand that no offer, limit or budget leaves to anybody, in no $ of the plan"
    )
    note = worded("Checks says for what reason; what it costs to serve is not in the spend for one.")
    words = BUSINESS["unserved"].title
    return read(_month_of(row), row.unserved, "gpu_hours", source, words=words, note=note)


@WHY.explains(BUSINESS, "cost_each")
def business_each(evidence: CostEvidence, scope: str, subject: str) -> Inputs:
    """Spend over the count of the same hours."""
    row = _business(evidence, subject)
    values = {"value": row.value, "counted_share": row.counted_share, "business_cost": row.business_cost}
    return Inputs(values, subject, _month_of(row), note=_held(row))


def _held(row: BusinessCost) -> Text:
    if not row.is_planned:
        return worded("As if the count came evenly over the hours of the month.")
    if row.held_from == row.month:
        return worded("Month 12 of the plan, a month of 730 h, at the count given for its month.")
    return worded(
        "Month 12 of the plan, a month of 730 h, as if the count stayed at that of {month}.",
        month=row.held_from,
    )


# Workloads that are run again

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
    words = worded("Its runs; one ends after {hours} h without GPU time", hours=hours)
    shown = (RETRAINING["runs"], RUN["gpu_hours"], cost)
    columns = [TraceColumn(one.short or one.title, one.unit.key) for one in shown]
    return summed(worded("Runs of {name}", name=row.name), row.runs, "count", words, rows, columns)


@WHY.gives("retrain_days")
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


@WHY.explains(RETRAINING, "cost_per_run")
def retrain_row(evidence: CostEvidence, scope: str, workload: str) -> Inputs:
    """What figures of a workload's runs are worked out from."""
    row = _retraining(evidence, workload)
    values = {"runs": row.runs, "runs_cost": row.runs_cost, "days_between": row.days_between}
    return Inputs(values, workload, row.name)


# What changed between two periods

CHANGE_WORDS = {
    "volume": worded(
        "Volume = \u03a3 over workloads of GPU-hours more \u00d7 cost of a used GPU-hour before"
    ),
    "efficiency": worded(
        "Efficiency = used after \u00d7 change of paid per used \u00d7 rate before, by contract"
    ),
    "price": worded("Price = GPU-hours paid after \u00d7 change of the rate, by contract"),
}


def _of(subject: Subject, scope: str) -> Figure:
    """The figure of a subject that a scope asks for. Errors: StopIteration."""
    return next(one for one in subject.figures if one.why and one.why_scope == scope)


@WHY.gives("changed")
def changed(evidence: CostEvidence, scope: str, subject: str) -> Trace:
    """A cell of what changed. scope: before, volume, efficiency, price or after; subject: a cluster ("": all)."""
    found, one = evidence.variance, _of(CHANGE, scope)
    if not subject:
        rows = [
            TraceRow(row.cluster, (getattr(row, one.key),), figure("changed", row.cluster, scope))
            for row in found.clusters
        ]
        title = worded("{scope}, all clusters", scope=one.title)
        words = worded("{scope} = \u03a3 over clusters", scope=one.title)
        return summed(title, getattr(found, one.key), one.unit, words, rows)
    cluster = next(row for row in found.clusters if row.cluster == subject)
    if scope in ("before", "after"):
        return _period(evidence, cluster, scope)
    title, value = worded("{words}, {subject}", words=one.title, subject=subject), getattr(cluster, one.key)
    if scope == "volume":
        rows = []
        for part in cluster.workloads:
            opens = figure("volume_usd", part.key, subject)
            rows.append(TraceRow(part.key, (part.gpu_hours_per_month, part.volume_per_month), opens))
        heading = WORKLOAD_CHANGE["volume_per_month"].heading("\n", is_short=True)
        columns = (column_of(WORKLOAD_CHANGE["gpu_hours_per_month"]), TraceColumn(heading, one.unit.key))
        return summed(title, value, one.unit, CHANGE_WORDS[scope], rows, columns, 1, note=cluster.note)
    rows = [
        TraceRow(of.contract_id, (getattr(of, one.key),), figure("contract_change", of.contract_id, scope))
        for of in cluster.contracts
    ]
    return summed(title, value, one.unit, CHANGE_WORDS[scope], rows, note=cluster.note)


def _period(evidence: CostEvidence, cluster: ClusterVariance, scope: str) -> Trace:
    """What a cluster was paid a month in one of the two periods. scope: before or after."""
    is_before, found = scope == "before", evidence.variance
    cost, period = (cluster.before, found.before) if is_before else (cluster.after, found.after)
    values = {
        "paid_cost": cost.paid_cost,
        "hours": float(period.hours),
        "hours_per_month": float(HOURS_PER_MONTH),
    }
    words = worded(" before") if is_before else worded(" after")
    row = Inputs(values, cluster.cluster, scope=scope, scope_words=words)
    return explained(PERIOD, "cost_per_month", row)


@WHY.explains(WORKLOAD_CHANGE, "gpu_hours_per_month", "volume_per_month")
def volume_part(evidence: CostEvidence, scope: str, subject: str) -> Inputs:
    """A workload's part of the volume. scope: its cluster. Errors: StopIteration where it has none."""
    clusters = [row for row in evidence.variance.clusters if row.cluster == scope]
    part = next(part for row in clusters for part in row.workloads if part.key == subject)
    names = ("used_before", "used_after", "used_rate")
    opens = dict.fromkeys(names[:2], figure(JOBS, part.key))
    return Inputs({name: getattr(part, name) for name in names}, part.key, scope=scope, opens=opens)


@WHY.gives("contract_change")
def contract_change(evidence: CostEvidence, scope: str, subject: str) -> Trace:
    """A contract's part of what changed. scope: idle, efficiency or price."""
    part = next(
        part for row in evidence.variance.clusters for part in row.contracts if part.contract_id == subject
    )
    one = _of(CONTRACT_CHANGE, scope)
    values = {name: getattr(part, name) for name in one.parameters}
    return explained(CONTRACT_CHANGE, one.key, Inputs(values, subject))
