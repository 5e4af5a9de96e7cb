"""Traces of the panel Utilization: how much of what is paid was used, by cluster, contract, GPU model and team."""

from gpuplanner.domain.audit.evidence.trace import JOBS, Trace, TraceColumn, TraceRow, figure
from gpuplanner.domain.audit.evidence.trace_forms import over, read, summed
from gpuplanner.domain.audit.use.use_by import Use
from gpuplanner.domain.commitment.evidence.plan_evidence import PlanEvidence
from gpuplanner.domain.figures.columns import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.weekdays import LONG_DAYS
from gpuplanner.domain.model.worded import worded

WHOLE = "\0all"
"""Subject of the sum over all rows of a view."""
CLUSTERS, CONTRACTS, MODELS, TEAMS = "clusters", "contracts", "gpu_models", "teams"
AUDIT_KINDS = {CLUSTERS: "cluster_break_even", CONTRACTS: "break_even"}
"""View -> the figure of the audit that says how its break-even came about."""


def use_subject(row: Use | None) -> str:
    """What tells a row of a view; None: all of them."""
    return WHOLE if row is None else row.name or ""


def _use(evidence: PlanEvidence, view: str, subject: str) -> Use:
    use = evidence.audit.use
    assert use is not None, "without an audit nothing was used"
    rows: tuple[Use, ...] = getattr(use, view)
    return use.everything if subject == WHOLE else next(row for row in rows if (row.name or "") == subject)


def _name(subject: str) -> str:
    return "all" if subject == WHOLE else subject or worded("not stated")


def use_utilization(evidence: PlanEvidence, view: str, subject: str) -> Trace:
    """GPU-hours used over GPU-hours paid."""
    row = _use(evidence, view, subject)
    return over(
        figure("use_utilization", subject, view),
        worded("Utilization of {subject}", subject=_name(subject)),
        row.utilization,
        "share",
        worded("Utilization = GPU-hours allocated to jobs on what is paid \u00f7 GPU-hours paid"),
        (worded("GPU-hours used"), row.used_gpu_hours),
        (worded("GPU-hours paid"), row.capacity_gpu_hours),
        ("gpu_hours", "gpu_hours"),
        note=worded("It is allocation, not activity."),
    )


def use_break_even(evidence: PlanEvidence, view: str, subject: str) -> Trace:
    """Rate paid over the on-demand rate."""
    row = _use(evidence, view, subject)
    kind = AUDIT_KINDS.get(view, "") if subject != WHOLE else ""
    return read(
        figure("use_break_even", subject, view),
        worded("Break-even of {subject}", subject=_name(subject)),
        row.break_even_utilization,
        "share",
        worded("rate paid \u00f7 cheapest on-demand rate that fits, by GPU-hours paid"),
        opens=figure(kind, subject) if kind else "",
    )


def use_activity(evidence: PlanEvidence, view: str, subject: str) -> Trace:
    """Work done in the GPU-hours of its jobs."""
    row = _use(evidence, view, subject)
    opens = figure("activity", subject) if view == CLUSTERS and subject != WHOLE else ""
    return read(
        figure("use_activity", subject, view),
        worded("Activity of {subject}", subject=_name(subject)),
        row.activity,
        "share",
        worded("activity of its jobs in the log, weighted by their GPU-hours"),
        opens=opens,
    )


def use_usd(evidence: PlanEvidence, view: str, subject: str) -> Trace:
    """$ a month: of contracts or, for a team, of its workloads."""
    project, use = evidence.project, evidence.audit.use
    assert use is not None
    of_workload = {row.key: row.usd_per_month for row in evidence.audit.workloads}
    if view == TEAMS:
        mine = [one for one in project.workloads if subject in (WHOLE, one.owner) and one.milli_gpu_seconds]
        rows = [
            TraceRow(one.name, (of_workload.get(one.key),), figure("workload_cost", one.key)) for one in mine
        ]
        words = worded("Cost = \u03a3 over its workloads of GPU-hours \u00d7 rate, used by them")
    else:
        field = {CLUSTERS: "cluster", CONTRACTS: "contract_id", MODELS: "gpu_model"}[view]
        wanted = {
            one.contract_id for one in project.contracts if subject in (WHOLE, getattr(one, field) or "")
        }
        rows = [TraceRow(row.name or "", (row.usd_per_month,)) for row in use.contracts if row.name in wanted]
        words = worded(
            "Paid = \u03a3 over its contracts of GPU-hours paid in the window \u00d7 rate \u00f7 months of 730 h"
        )
    value = known_sum(row.values[0] for row in rows)  # type: ignore[misc]
    title = (
        worded("Cost of {subject}", subject=_name(subject))
        if view == TEAMS
        else worded("Paid of {subject}", subject=_name(subject))
    )
    return summed(
        figure("use_usd", subject, view), title, value, "usd", words, rows, said_as=worded("per month")
    )


def use_hours(evidence: PlanEvidence, view: str, subject: str) -> Trace:
    """GPU-hours that a team asked for, by workload."""
    row = _use(evidence, view, subject)
    mine = [one for one in evidence.project.workloads if subject in (WHOLE, one.owner)]
    rows = [TraceRow(one.name, (one.milli_gpu_seconds,), figure(JOBS, one.key)) for one in mine]
    return summed(
        figure("use_hours", subject, view),
        worded("GPU-hours of {subject}", subject=_name(subject)),
        sum(one.milli_gpu_seconds for one in mine),
        "milli_gpu_seconds",
        worded("GPU-hours = \u03a3 over its workloads, in the window"),
        rows,
        columns=(TraceColumn("GPU-h", "milli_gpu_seconds"),),
        note=worded("{mean_gpus} GPUs on average.", mean_gpus=f"{row.mean_gpus:,.1f}"),
    )


def use_share(evidence: PlanEvidence, view: str, subject: str) -> Trace:
    """A team's part of all GPU-hours."""
    use = evidence.audit.use
    assert use is not None
    row = _use(evidence, view, subject)
    return over(
        figure("use_share", subject, view),
        worded("Share of {subject}", subject=_name(subject)),
        row.share,
        "share",
        worded("Share = its GPU-hours \u00f7 all GPU-hours"),
        (worded("Its GPU-hours"), row.gpu_hours),
        (worded("All GPU-hours"), use.everything.gpu_hours),
        ("gpu_hours", "gpu_hours"),
    )


def use_mean(evidence: PlanEvidence, view: str, subject: str) -> Trace:
    """Mean GPUs of a team over the window."""
    row = _use(evidence, view, subject)
    return over(
        figure("use_mean", subject, view),
        worded("Mean GPUs of {subject}", subject=_name(subject)),
        row.mean_gpus,
        "gpus",
        worded("Mean GPUs = its GPU-hours \u00f7 hours of the window"),
        (worded("Its GPU-hours"), row.gpu_hours),
        (worded("Hours of the window"), evidence.project.window.hours),
        ("gpu_hours", "hours"),
    )


def contended(evidence: PlanEvidence, part: str, cluster: str) -> Trace:
    """Hours in which a cluster was asked for more than it had. scope: hours, beyond or beside."""
    found = evidence.audit.contention[cluster]
    values: dict[str, tuple[float, str]] = {
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


def week_subject(row: Use | None, day: int, hour: int | None) -> str:
    """An hour of the week of a row (0 is Monday); without an hour the whole weekday."""
    return f"{day}-{'' if hour is None else hour}\t{use_subject(row)}"


def use_week(evidence: PlanEvidence, view: str, subject: str) -> Trace:
    """How much of what is paid was used in an hour of the week; of a team, which pays nothing, mean GPUs."""
    when, name = subject.split("\t", 1)
    day, _, hour = when.partition("-")
    cell = (int(day), int(hour)) if hour else (int(day), slice(None))
    week = _use(evidence, view, name).hours_of_week
    used = int(week.used[cell].sum()) / MILLI_GPU_SECONDS_PER_GPU_HOUR
    hours = int(week.hours[cell].sum())
    said = f"{LONG_DAYS[int(day)]}{f' {int(hour):02}:00 UTC' if hour else ''}"
    figure_id = figure("use_week", subject, view)
    if week.capacity is None:
        mean = used / hours if hours else None
        words = worded(
            "Mean GPUs = GPU-hours used in these hours \u00f7 how many hours of the window they are"
        )
        pairs = (worded("GPU-hours used"), used), (worded("Hours of the window"), hours)
        title = worded("Mean GPUs of {name}, {said}", name=_name(name), said=said)
        return over(figure_id, title, mean, "decimal", words, *pairs, ("gpu_hours", "count"))
    paid = int(week.capacity[cell].sum()) / MILLI_GPU_SECONDS_PER_GPU_HOUR
    return over(
        figure_id,
        worded("Utilization of {name}, {said}", name=_name(name), said=said),
        used / paid if paid else None,
        "share",
        worded("Utilization = GPU-hours used in these hours \u00f7 GPU-hours paid for in them"),
        (worded("GPU-hours used"), used),
        (worded("GPU-hours paid"), paid),
        ("gpu_hours", "gpu_hours"),
        note=worded("They are {hours} hours of the window.", hours=f"{hours:,}"),
    )
