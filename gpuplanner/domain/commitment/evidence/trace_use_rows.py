"""Traces of the panel Utilization: how much of what is paid was used, by cluster, contract, GPU model and team."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from gpuplanner.domain.audit.evidence.explained import Inputs, explained
from gpuplanner.domain.audit.evidence.trace import JOBS, Trace, TraceColumn, TraceRow, figure
from gpuplanner.domain.audit.evidence.trace_contracts import break_even_of
from gpuplanner.domain.audit.evidence.trace_forms import read, summed
from gpuplanner.domain.audit.use.use_by import CLUSTERS, TEAMS, WHOLE, Use, WindowUse
from gpuplanner.domain.commitment.evidence.plan_evidence import PlanEvidence
from gpuplanner.domain.figures.columns import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.figures.figure import Subject
from gpuplanner.domain.figures.typed import decimals, whole
from gpuplanner.domain.figures.use_rows import TEAM, USE
from gpuplanner.domain.message import Message, Text, worded
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.weekdays import LONG_DAYS


def _use(evidence: PlanEvidence) -> WindowUse:
    """Errors: AssertionError where the use of the window was not worked out."""
    use = evidence.audit.use
    assert use is not None, "without an audit nothing was used"
    return use


def _name(subject: str) -> Text:
    return "all" if subject == WHOLE else subject or worded("not stated")


def of_use(key: str) -> Callable[[PlanEvidence, str, str], Trace]:
    """What explains a figure of a row of a view: its formula, called with what went into it."""

    def answer(evidence: PlanEvidence, view: str, subject: str) -> Trace:
        return explained(_subject(view), key, _inputs(_use(evidence).row(view, subject), view))

    return answer


def _inputs(row: Use, view: str) -> Inputs:
    """What went into the figures of a row, exact. view: which rows it is one of."""
    return Inputs(row.inputs.exact, row.subject, _name(row.subject), scope=view)


def use_break_even(evidence: PlanEvidence, view: str, subject: str) -> Trace:
    """Rate paid over the on-demand rate, and the contracts that both are means of."""
    row = _use(evidence).row(view, subject)
    return break_even_of(evidence.audit, row, _inputs(row, view))


def use_activity(evidence: PlanEvidence, view: str, subject: str) -> Trace:
    """Work done in the GPU-hours of its jobs."""
    one = USE["activity"]
    opens = figure("activity", subject) if view == CLUSTERS and subject != WHOLE else ""
    return read(
        figure(one.why, subject, view),
        worded("{figure} of {name}", figure=one.title, name=_name(subject)),
        _use(evidence).row(view, subject).activity,
        one.unit.key,
        worded("activity of its jobs in the log, weighted by their GPU-hours"),
        opens=opens,
    )


def use_cost(evidence: PlanEvidence, view: str, subject: str) -> Trace:
    """$ a month: of contracts or, for a team, of its workloads."""
    project, row, of = evidence.project, _use(evidence).row(view, subject), _subject(view)
    if view == TEAMS:
        of_workload = {one.key: one.usd_per_month for one in evidence.audit.workloads}
        mine = [one for one in project.workloads if subject in (WHOLE, one.owner) and one.milli_gpu_seconds]
        rows = [
            TraceRow(one.name, (of_workload.get(one.key),), figure("workload_cost", one.key)) for one in mine
        ]
        words = worded("Cost = \u03a3 over its workloads of GPU-hours \u00d7 rate, used by them")
    else:
        held = {contract.contract_id for contract in row.inputs.held}
        rows = [
            TraceRow(one.name or "", (one.cost_per_month,))
            for one in _use(evidence).contracts
            if one.name in held
        ]
        words = worded(
            "Paid = \u03a3 over its contracts of GPU-hours paid in the window \u00d7 rate \u00f7 months of 730 h"
        )
    one = of["cost_per_month"]
    return summed(
        figure(one.why, subject, view),
        worded("{figure} of {name}", figure=one.title, name=_name(subject)),
        known_sum(row.values[0] for row in rows),  # type: ignore[misc]
        one.unit.key,
        words,
        rows,
        said_as=one.unit.per,
    )


def use_hours(evidence: PlanEvidence, view: str, subject: str) -> Trace:
    """GPU-hours that a team asked for, by workload."""
    row = _use(evidence).row(view, subject)
    mine = [one for one in evidence.project.workloads if subject in (WHOLE, one.owner)]
    return summed(
        figure(TEAM["gpu_hours"].why, subject, view),
        worded("GPU-hours of {subject}", subject=_name(subject)),
        row.inputs.asked,
        "milli_gpu_seconds",
        worded("GPU-hours = \u03a3 over its workloads, in the window"),
        [TraceRow(one.name, (one.milli_gpu_seconds,), figure(JOBS, one.key)) for one in mine],
        columns=(TraceColumn("GPU-h", "milli_gpu_seconds"),),
        note=worded("{mean_gpus} GPUs on average.", mean_gpus=decimals(row.mean_gpus)),
    )


def _subject(view: str) -> Subject:
    return TEAM if view == TEAMS else USE


def contended(evidence: PlanEvidence, part: str, cluster: str) -> Trace:
    """Hours in which a cluster was asked for more than it had. scope: hours, beyond or beside."""
    found = evidence.audit.contention[cluster]
    values: dict[str, tuple[float, Message]] = {
        "hours": (found.contention_hours, worded("hours whose demand is above the GPUs that are paid for")),
        "beyond": (
            found.overflow_gpu_hours,
            worded("demand above the GPUs that are paid for, summed over those hours"),
        ),
        "beside": (
            found.beside_inference_hours,
            worded("those of them in which training and inference both ran"),
        ),
    }
    value, source = values[part]
    unit = "gpu_hours" if part == "beyond" else "count"
    return read(
        figure("contended", cluster, part),
        worded("Contended on {cluster}", cluster=cluster),
        value,
        unit,  # type: ignore[arg-type]
        source,
    )


def week_subject(row: Use, day: int, hour: int | None) -> str:
    """An hour of the week of a row (0 is Monday); without an hour the whole weekday."""
    return f"{day}-{'' if hour is None else hour}\t{row.subject}"


def use_week(evidence: PlanEvidence, view: str, subject: str) -> Trace:
    """How much of what is paid was used in an hour of the week; of a team, which pays nothing, mean GPUs."""
    when, name = subject.split("\t", 1)
    day, _, hour = when.partition("-")
    cell = (int(day), int(hour)) if hour else (int(day), slice(None))
    week = _use(evidence).row(view, name).hours_of_week
    used, hours = _hours_of(week.used[cell].sum()), int(week.hours[cell].sum())
    inputs = Inputs(
        {"used_gpu_hours": used, "gpu_hours": used, "hours": float(hours)},
        name,
        _name(name),
        scope_words=f", {LONG_DAYS[int(day)]}{f' {int(hour):02}:00 UTC' if hour else ''}",
    )
    note = worded("They are {hours} hours of the window.", hours=whole(hours))
    if week.capacity is None:
        found = explained(TEAM, "mean_gpus", inputs, note)
    else:
        paid = _hours_of(week.capacity[cell].sum())
        found = explained(
            USE, "utilization", replace(inputs, values={**inputs.values, "paid_gpu_hours": paid}), note
        )
    return replace(found, figure_id=figure("use_week", subject, view))


def _hours_of(milli_gpu_seconds: int) -> Fraction:
    return Fraction(int(milli_gpu_seconds), MILLI_GPU_SECONDS_PER_GPU_HOUR)
