"""Answers about what went in: what is loaded and how good it is, how much of what is paid was used, and offers."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from gpuplanner.domain.audit.use_by import CLUSTERS, TEAMS, WHOLE, Use, WindowUse
from gpuplanner.domain.evidence import trace
from gpuplanner.domain.evidence.answering import Answers, Inputs, Listed, explained, quantity_of
from gpuplanner.domain.evidence.plan.layers import PlanEvidence
from gpuplanner.domain.evidence.plan.orders import contract_row
from gpuplanner.domain.evidence.use import break_even_of
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR, Subject
from gpuplanner.domain.figures.order import OFFER_PAIR, OWNED
from gpuplanner.domain.figures.typed import decimals, percent, whole
from gpuplanner.domain.figures.window import QUALITY, TEAM, USE
from gpuplanner.domain.figures.writing import COUNT, GPUS, RATE, WrittenAs
from gpuplanner.domain.message import Message, Text, joined, worded
from gpuplanner.domain.model.book.all_in_rate import all_in
from gpuplanner.domain.model.book.contract import in_force
from gpuplanner.domain.model.book.extras import EXTRA_TITLES
from gpuplanner.domain.model.book.offer import Offer, is_owned, owned_inputs, unstated
from gpuplanner.domain.model.intake import GAP_RULE, DataQuality
from gpuplanner.domain.model.window import LONG_DAYS, iso_utc
from gpuplanner.lazy_dataclass import replace

WHY: Final = Answers[PlanEvidence]()

# What is loaded

READ: Final = {
    "rows_read": worded("Read"),
    "rows_rejected": worded("Rejected"),
    "rows_duplicate": worded("Repeated"),
    "rows_ignored": worded("Skipped"),
    "rows_accepted": worded("Imported"),
    "jobs_in_window": worded("In the window"),
}
"""Of a file of jobs: what was counted of it."""


@WHY.gives("loaded_jobs")
def loaded_jobs(evidence: PlanEvidence, scope: str, subject: str) -> trace.Trace:
    """Jobs that count, of how many rows."""
    count = evidence.project.jobs.count
    files = [file for file in evidence.project.intake if file.kind == "jobs"]
    if any(file.jobs_in_window is None for file in files):
        source = worded("lookback logs; no counts per file")
        return trace.read(worded("Jobs"), count, "count", source)
    rows = [
        trace.TraceRow(
            file.path.replace("\\", "/").rsplit("/", 1)[-1], tuple(getattr(file, key) for key in READ)
        )
        for file in files
    ]
    words = worded("Jobs = rows − rejected − duplicate − skipped, in the lookback period")
    columns = [trace.TraceColumn(heading, "count") for heading in READ.values()]
    return trace.summed(worded("Jobs"), count, "count", words, rows, columns, 5)


@WHY.sums(worded("Workloads"), COUNT, worded("Workload: jobs with one name, owner and cluster"))
def loaded_workloads(evidence: PlanEvidence, scope: str, subject: str) -> Listed:
    """Workloads, by cluster."""
    counts: dict[str, int] = {}
    for workload in evidence.project.workloads:
        counts[workload.cluster] = counts.get(workload.cluster, 0) + 1
    rows = [trace.TraceRow(cluster, (count,)) for cluster, count in sorted(counts.items())]
    return Listed(value=len(evidence.project.workloads), rows=rows)


@WHY.sums(worded("Clusters"), COUNT, worded("Clusters in log or contracts"))
def loaded_clusters(evidence: PlanEvidence, scope: str, subject: str) -> Listed:
    """Clusters of the log and of contracts."""
    project = evidence.project
    names = {row.cluster for row in project.workloads} | {row.cluster for row in project.contracts}
    return Listed(value=len(names), rows=[trace.TraceRow(name, (1,)) for name in sorted(names)])


@WHY.sums("GPUs", GPUS, worded("GPUs = Σ over contracts running at plan start"))
def loaded_gpus(evidence: PlanEvidence, scope: str, subject: str) -> Listed:
    """GPUs under the contracts that run when plans begin."""
    project = evidence.project
    rows = [contract_row(row, row.gpus) for row in in_force(project.contracts, project.plan_window.end_s)]
    return Listed(value=trace.sum_of(rows), rows=rows)


@WHY.gives("loaded_hours")
def loaded_hours(evidence: PlanEvidence, scope: str, subject: str) -> trace.Trace:
    """Hours of the window."""
    source = worded("first to last whole hour of the log, or your choice")
    return trace.read(worded("Lookback period"), evidence.project.window.hours, "hours", source)


# How good the log is


def _quality(evidence: PlanEvidence) -> DataQuality:
    """Errors: KeyError where no log is loaded."""
    quality = evidence.project.jobs.quality
    if quality is None:
        raise KeyError("no log is loaded")
    return quality


@WHY.gives("quality_jobs")
def quality_jobs(evidence: PlanEvidence, scope: str, subject: str) -> trace.Trace:
    """Accepted jobs of all logs."""
    source = worded("all imported rows, also without GPUs")
    return trace.read(worded("Jobs of the whole log"), _quality(evidence).jobs, "count", source)


@WHY.sums(
    worded("In gaps"),
    "hours",
    worded("Σ of gap lengths"),
    note=worded("A gap is: {gap_rule}.", gap_rule=GAP_RULE),
)
def quality_gaps(evidence: PlanEvidence, scope: str, subject: str) -> Listed:
    """Hours that lie in gaps of the log."""
    quality = _quality(evidence)
    rows = []
    for gap in quality.gaps:
        begin, end = iso_utc(gap.start_s), iso_utc(gap.end_s)
        rows.append(trace.TraceRow(worded("{start_s} to {end_s}", start_s=begin, end_s=end), (gap.hours,)))
    if quality.shorter_gap_hours:
        rows.append(trace.TraceRow(worded("Shorter gaps"), (quality.shorter_gap_hours,)))
    return Listed(value=quality.gap_hours, rows=rows)


@WHY.gives_each({"quality_hours": "time_coverage", "quality_share": ""})
def quality_share(own: str, evidence: PlanEvidence, scope: str, field: str) -> trace.Trace:
    """A share of the log from what was counted of it: of its hours, or of its jobs or their GPU time by its key."""
    quality, key = _quality(evidence), own or field
    opens, name = {"jobs": trace.figure("quality_jobs")}, "" if own else field
    row = Inputs(values=quality.inputs, name=name, title=worded("the whole log"), opens=opens)
    if key in row.values:  # nobody kept what it was worked out from
        source = worded("the project; counts not stored")
        return trace.read(QUALITY[key].title, quality.shares[key], QUALITY[key].unit, source)
    return explained(QUALITY, key, row)


# How much of what is paid was used, by view


def _use(evidence: PlanEvidence) -> WindowUse:
    """Errors: AssertionError where the use of the window was not worked out."""
    use = evidence.audit.use
    assert use is not None, "without an audit nothing was used"
    return use


def _name(subject: str) -> Text:
    return "all" if subject == WHOLE else subject or worded("not stated")


def _subject(view: str) -> Subject:
    return TEAM if view == TEAMS else USE


@WHY.gives_each({"use_utilization": "utilization", "use_share": "share", "use_mean": "mean_gpus"})
def of_use(key: str, evidence: PlanEvidence, view: str, subject: str) -> trace.Trace:
    """A figure of a row of a view: its formula, called with what went into it."""
    return explained(_subject(view), key, _use_row(_use(evidence).row(view, subject), view))


def _use_row(row: Use, view: str) -> Inputs:
    """What went into the figures of a row, exact. view: which rows it is one of."""
    return Inputs(values=row.inputs.exact, name=row.subject, title=_name(row.subject), scope=view)


@WHY.gives("use_break_even")
def use_break_even(evidence: PlanEvidence, view: str, subject: str) -> trace.Trace:
    """Rate paid over the on-demand rate, and the contracts that both are means of."""
    row = _use(evidence).row(view, subject)
    return break_even_of(evidence.audit, row, _use_row(row, view))


@WHY.gives("use_activity")
def use_activity(evidence: PlanEvidence, view: str, subject: str) -> trace.Trace:
    """Work done in the GPU-hours of its jobs."""
    asked, activity = USE["activity"], _use(evidence).row(view, subject).activity
    opens = trace.figure("activity", subject) if view == CLUSTERS and subject != WHOLE else ""
    source = worded("GPU activity of jobs, weighted by GPU-hours")
    return trace.read(trace.titled(asked, _name(subject)), activity, asked.unit.key, source, opens=opens)


@WHY.gives("use_usd")
def use_cost(evidence: PlanEvidence, view: str, subject: str) -> trace.Trace:
    """$ a month: of contracts or, for a team, of its workloads."""
    row, asked = _use(evidence).row(view, subject), _subject(view)["cost_per_month"]
    if view == TEAMS:
        usd = {of.key: of.usd_per_month for of in evidence.audit.workloads}
        rows = [
            trace.TraceRow(of.name, (usd.get(of.key),), trace.figure("workload_cost", of.key))
            for of in evidence.project.workloads
            if subject in (WHOLE, of.owner) and of.milli_gpu_seconds
        ]
        words = worded("Cost = Σ over its workloads (used GPU-hours × rate)")
    else:
        held = {contract.contract_id for contract in row.inputs.held}
        paid = [of for of in _use(evidence).contracts if of.name in held]
        rows = [trace.TraceRow(of.name or "", (of.cost_per_month,)) for of in paid]
        words = worded("Paid = Σ over its contracts (paid GPU-hours × rate) ÷ lookback months")
    return trace.summed(trace.titled(asked, _name(subject)), trace.sum_of(rows), asked.unit, words, rows)


@WHY.gives("use_hours")
def use_hours(evidence: PlanEvidence, view: str, subject: str) -> trace.Trace:
    """GPU-hours that a team asked for, by workload."""
    row = _use(evidence).row(view, subject)
    workloads = [work for work in evidence.project.workloads if subject in (WHOLE, work.owner)]
    return trace.summed(
        worded("GPU-hours of {name}", name=_name(subject)),
        row.inputs.asked,
        "milli_gpu_seconds",
        worded("Σ over its workloads' lookback hours"),
        [
            trace.TraceRow(work.name, (work.milli_gpu_seconds,), trace.figure(trace.JOBS, work.key))
            for work in workloads
        ],
        (trace.TraceColumn("GPU-h", "milli_gpu_seconds"),),
        note=worded("{mean_gpus} GPUs on average.", mean_gpus=decimals(row.mean_gpus)),
    )


@WHY.gives("contended")
def contended(evidence: PlanEvidence, part: str, cluster: str) -> trace.Trace:
    """Hours in which a cluster was asked for more than it had. scope: hours, beyond or beside."""
    contention = evidence.audit.contention[cluster]
    values: dict[str, tuple[float, WrittenAs, Message]] = {
        "hours": (contention.contention_hours, "count", worded("hours with demand above contract GPUs")),
        "beyond": (
            contention.overflow_gpu_hours,
            "gpu_hours",
            worded("Σ over those hours (demand above paid GPUs)"),
        ),
        "beside": (
            contention.beside_inference_hours,
            "count",
            worded("of these with training and inference"),
        ),
    }
    return trace.read(worded("Contended on {cluster}", cluster=cluster), *values[part])


def week_subject(row: Use, day: int, hour: int | None) -> str:
    """An hour of the week of a row (0 is Monday); without an hour the whole weekday."""
    return f"{day}-{'' if hour is None else hour}\t{row.subject}"


@WHY.gives("use_week")
def use_week(evidence: PlanEvidence, view: str, subject: str) -> trace.Trace:
    """How much of what is paid was used in an hour of the week; of a team, which pays nothing, mean GPUs."""
    when, name = subject.split("\t", 1)
    day, _, hour = when.partition("-")
    cell = (int(day), int(hour)) if hour else (int(day), slice(None))
    week = _use(evidence).row(view, name).hours_of_week
    used, hours = _hours_of(week.used[cell].sum()), int(week.hours[cell].sum())
    inputs = Inputs(
        values={"used_gpu_hours": used, "gpu_hours": used, "hours": float(hours)},
        name=name,
        title=_name(name),
        scope=view,
        scope_words=f", {LONG_DAYS[int(day)]}{f' {int(hour):02}:00 UTC' if hour else ''}",
        note=worded("{hours} lookback hours.", hours=whole(hours)),
    )
    if week.capacity is None:
        return explained(TEAM, "mean_gpus", inputs)
    paid = {"paid_gpu_hours": _hours_of(week.capacity[cell].sum())}
    return explained(USE, "utilization", replace(inputs, values={**inputs.values, **paid}))


def _hours_of(milli_gpu_seconds: int) -> Fraction:
    return Fraction(int(milli_gpu_seconds), MILLI_GPU_SECONDS_PER_GPU_HOUR)


# Offers

OWNED_USED: Final = 0.60
"""The share of the time for which the rate in use stands beside that of an owned GPU."""


@WHY.gives("offer_rate")
def offer_rate(evidence: PlanEvidence, scope: str, offer_id: str) -> trace.Trace:
    """A rate of the price book. scope: low, high, or "": the one that counts."""
    offer = evidence.offer(offer_id)
    rate = {"low": offer.low, "high": offer.high, "": offer.bare_rate}[scope]
    parts = (
        offer.provider,
        offer.region,
        offer.source,
        worded("of {as_of}", as_of=offer.as_of) if offer.as_of else "",
        trace.quoted_words(offer, evidence.project.currency),
    )
    note = joined(filter(None, parts), ". ")
    if is_owned(offer) and not scope:
        return _owned_rate(evidence, offer, note)
    cases: Mapping[str, Text] = {"low": worded("low"), "high": worded("high"), "": ""}
    title = joined(filter(None, (worded("Rate of {name}", name=offer_id), cases[scope])), ", ")
    return trace.read(title, rate, "rate", worded("the price list"), note=note)


def _owned_rate(evidence: PlanEvidence, offer: Offer, note: Text) -> trace.Trace:
    """What an owned GPU costs an hour, owned and in use."""
    values = evidence.assumptions
    inputs = {**owned_inputs(offer, values.wacc, values.pue, offer.exchange), "used_share": OWNED_USED}
    row, lacking = Inputs(values=inputs, name=offer.offer_id), unstated(offer)
    owned = explained(OWNED, "rate", row)
    in_use = trace.TraceRow(
        worded("Rate if used {share} of the time", share=percent(OWNED_USED)),
        (trace.Amount(quantity_of(OWNED, "rate_in_use", row).number, "rate"),),
    )
    counted = worded("Empty fields count as 0: {names}", names=", ".join(lacking)) if lacking else ""
    return replace(owned, rows=(*owned.rows, in_use), note=joined(filter(None, (counted, note)), ". "))


@WHY.sums(worded("All in: {name}"), RATE, worded("Total rate = rate + upfront ÷ term + extras"))
def offer_all_in(evidence: PlanEvidence, scope: str, offer_id: str) -> Listed:
    """A rate with what is paid upfront and the extras."""
    parts = all_in(evidence.offer(offer_id))
    rows = [trace.TraceRow(titles.RATE, (parts.rate,), trace.figure("offer_rate", offer_id))]
    rows += [trace.TraceRow(worded("Upfront, over the term"), (parts.upfront,))] * bool(parts.upfront)
    rows += [trace.TraceRow(EXTRA_TITLES[name], (usd,)) for name, usd in parts.extras.items()]
    return Listed(value=parts.total, rows=rows, name=offer_id)


@WHY.gives("offer_below")
def offer_below(evidence: PlanEvidence, scope: str, subject: str) -> trace.Trace:
    """How far an offer is below another, all in. scope: the other one."""
    offer, chosen = evidence.offer(subject), evidence.offer(scope)
    row = Inputs(
        values={"rate": all_in(offer).total, "chosen_rate": all_in(chosen).total},
        name=subject,
        opens={
            "rate": trace.figure("offer_all_in", subject),
            "chosen_rate": trace.figure("offer_all_in", scope),
        },
    )
    title = worded("{subject} below {scope}", subject=subject, scope=scope)
    return replace(explained(OFFER_PAIR, "below", row), title=title)
