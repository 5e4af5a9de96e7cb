"""Answers about workloads: classes and what waits for a decision, hardware fit, two networks, and energy."""

from collections.abc import Mapping
from typing import Final

from gpuplanner.domain.audit.energy import DRAWN_IDLE, EnergyRow, teams_of
from gpuplanner.domain.audit.result import WorkloadToday
from gpuplanner.domain.evidence import trace
from gpuplanner.domain.evidence.answering import Answers, Inputs, Listed, explained
from gpuplanner.domain.evidence.audit_evidence import Evidence
from gpuplanner.domain.evidence.use import DOLLARS
from gpuplanner.domain.figures import writing
from gpuplanner.domain.figures.energy import ENERGY
from gpuplanner.domain.figures.figure import Figure
from gpuplanner.domain.figures.typed import percent, significant, whole
from gpuplanner.domain.figures.window import CLASS
from gpuplanner.domain.fit.other_hardware import FAST, NETWORK_WORDS, SLOW, NetworkCost, OnNetwork
from gpuplanner.domain.fit.rules import Light
from gpuplanner.domain.message import Message, Text, joined, lowered, worded, worded_count
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.cube import Workload
from gpuplanner.domain.model.tables import POOL_TITLES, Pool
from gpuplanner.domain.model.window import iso_utc

WHY: Final = Answers[Evidence]()
NOTE = worded("Your choice comes first, then log label, rules, score.")
CONFIDENCE = trace.TraceColumn(worded("Confidence"), "share")
GPU_HOURS = trace.TraceColumn(worded("GPU-h\nin the lookback period"), "milli_gpu_seconds")
JOBS_AT, GPU_HOURS_AT, DOLLARS_AT = 1, 2, 3


# Classes


def _rows(evidence: Evidence, pool: str, opens: str) -> tuple[trace.TraceRow, ...]:
    """A row for each workload of a class, most GPU time first. opens: kind of the figure that explains it further."""
    both = zip(evidence.project.workloads, evidence.audit.workloads, strict=True)
    of_class = [(work, today) for work, today in both if today.classification.pool == pool]
    return tuple(
        trace.TraceRow(
            evidence.names[work.key],
            (today.classification.confidence, work.jobs, work.milli_gpu_seconds, today.usd_per_month),
            trace.figure(opens, work.key),
        )
        for work, today in sorted(of_class, key=lambda pair: (-pair[0].milli_gpu_seconds, pair[0].key))
    )


OF_CLASS: Final[dict[str, tuple[trace.Arrival, Text]]] = {
    "workloads": (trace.Counts(), worded("Workloads of this class, by your choice, label, rule or score")),
    "jobs": (trace.Adds(JOBS_AT), worded("Jobs = Σ over its workloads, in the lookback period")),
    "gpu_hours": (
        trace.Adds(GPU_HOURS_AT),
        worded("GPU-hours = Σ over its workloads' jobs (GPUs × lookback hours)"),
    ),
    "cost_per_month": (
        trace.Adds(DOLLARS_AT),
        worded("Cost = Σ over its workloads (served hours and overflow)"),
    ),
}
"""How the workloads of a class come to a figure of it, and the figure in words, by key."""


@WHY.gives_each({CLASS[key].why: CLASS[key] for key in OF_CLASS})
def of_class(asked: Figure, evidence: Evidence, scope: str, pool: str) -> trace.Trace:
    """A figure of one class by listing its workloads; GPU time is exact."""
    row, (arrival, words) = evidence.audit.classes[Pool(pool)], OF_CLASS[asked.key]
    is_time, is_money = asked.key == "gpu_hours", asked.unit.key == "usd"
    unit: writing.WrittenAs = "milli_gpu_seconds" if is_time else asked.unit.key
    value = row.milli_gpu_seconds if is_time else getattr(row, asked.key)
    rows = _rows(evidence, pool, "workload_cost" if is_money else trace.JOBS)
    title = worded("{words}: {name}", words=POOL_TITLES[Pool(pool)], name=lowered(asked.title))
    columns = (CONFIDENCE, trace.TraceColumn(worded("Jobs"), "count"), GPU_HOURS, DOLLARS)
    symbols = (worded("{rows} workloads: ", rows=whole(len(rows))), trace.Amount(value, unit))
    per = asked.unit.per
    return trace.listed(
        title, value, unit, words, rows, columns, arrival, said_as=per, symbols=symbols, note=NOTE
    )


@WHY.gives("review")
def review(evidence: Evidence, scope: str, subject: str) -> trace.Trace:
    """What the workloads cost that wait for a decision: classed with too little confidence, and not settled."""
    below, waiting = evidence.project.assumptions.review_below, list[tuple[Workload, WorkloadToday]]()
    for work, today in zip(evidence.project.workloads, evidence.audit.workloads, strict=True):
        judged = today.classification
        if judged.confidence < below and not judged.is_settled and work.gpu_jobs:
            waiting.append((work, today))
    waiting.sort(key=lambda pair: (-(pair[1].usd_per_month or 0.0), pair[0].key))
    rows = []
    for work, today in waiting:
        values = (today.classification.confidence, today.usd_per_month)
        rows.append(trace.TraceRow(evidence.names[work.key], values, trace.figure("workload_cost", work.key)))
    usd, count = known_sum(today.usd_per_month for _, today in waiting), whole(len(rows))
    counted = worded_count(
        len(rows), "\u03a3 of {rows} workload = ", "\u03a3 of {rows} workloads = ", rows=count
    )
    return trace.listed(
        worded("Workloads in review"),
        usd,
        writing.MONEY_PER_MONTH,
        worded("Cost of unconfirmed workloads with confidence under {below}", below=percent(below)),
        rows,
        (CONFIDENCE, DOLLARS),
        trace.Adds(1),
        symbols=(counted, trace.Amount(usd, "usd")),
        note=NOTE,
    )


@WHY.explains(CLASS, "share")
def class_share(evidence: Evidence, scope: str, pool: str) -> Inputs:
    """GPU time of a class over that of all."""
    row, opens = evidence.audit.classes[Pool(pool)], {"all_gpu_hours": trace.figure("classes")}
    return Inputs(values=row.exact, name=pool, title=POOL_TITLES[Pool(pool)], opens=opens)


@WHY.lists(
    worded("GPU-hours by class"),
    "milli_gpu_seconds",
    worded("Share = class GPU-hours ÷ all, in the lookback period"),
    (
        trace.TraceColumn(CLASS["workloads"].title, "count"),
        trace.TraceColumn(CLASS["jobs"].title, "count"),
        GPU_HOURS,
        trace.TraceColumn(CLASS["share"].heading("", is_short=True), "share"),
    ),
    trace.Adds(2),
    said_as=CLASS["gpu_hours"].unit.per,
    note=worded("{share} {note}", share=CLASS["share"].note, note=NOTE),
)
def classes(evidence: Evidence, scope: str, subject: str) -> Listed:
    """All GPU time of the window, class by class."""
    by_class = evidence.audit.classes
    rows = [
        trace.TraceRow(
            POOL_TITLES[Pool(pool)],
            (row.workloads, row.jobs, row.milli_gpu_seconds, row.share),
            trace.figure(CLASS["gpu_hours"].why, pool),
        )
        for pool, row in by_class.items()
    ]
    total = sum(row.milli_gpu_seconds for row in by_class.values())
    return Listed(
        value=total,
        rows=rows,
        symbols=(trace.Amount(total, "milli_gpu_seconds"), worded(" GPU-h of all jobs")),
    )


OF_ALL: Final = {
    "workloads": worded("Workloads = \u03a3 over classes"),
    "jobs": worded("Jobs = \u03a3 over classes"),
    "cost_per_month": worded("Cost = allocated GPU-hours + overflow, without idle GPUs"),
}
"""Figures of all classes together in words, by key."""


@WHY.gives_each({"workloads_of_all": "workloads", "jobs_of_all": "jobs", "workloads_cost": "cost_per_month"})
def of_all(key: str, evidence: Evidence, scope: str, subject: str) -> trace.Trace:
    """A figure of all classes together: class by class."""
    asked, amounts = CLASS[key], {pool: getattr(row, key) for pool, row in evidence.audit.classes.items()}
    is_money = asked.unit.key == "usd"
    value = known_sum(amounts.values()) if is_money else sum(amounts.values())
    title = worded("{figure} of all workloads", figure=asked.title) if is_money else asked.title
    rows = [
        trace.TraceRow(POOL_TITLES[Pool(pool)], (amount,), trace.figure(asked.why, pool))
        for pool, amount in amounts.items()
    ]
    columns, symbols = (trace.column_of(asked, is_short=False),), (trace.Amount(value, asked.unit.key),)
    return trace.listed(title, value, asked.unit, OF_ALL[key], rows, columns, trace.Adds(0), symbols=symbols)


# Hardware fit

LIGHT_WORDS: Final[Mapping[Light | None, Text]] = {
    Light.RED: worded("does not fit"),
    Light.AMBER: worded("over-specified"),
    Light.GREEN: "fits",
    None: "unknown",
}
SCOPES = {"red": Light.RED, "amber": Light.AMBER, "green": Light.GREEN, "unknown": None}
"""Scope of a figure of fit -> its light."""
OF_FIT = (
    trace.TraceColumn(worded("GPU model"), "text"),
    trace.TraceColumn(worded("Why"), "text"),
    GPU_HOURS,
    DOLLARS,
)


@WHY.gives_each({"fit": False, "fit_cost": True})
def of_fit(is_cost: bool, evidence: Evidence, scope: str, pool: str) -> trace.Trace:
    """How many workloads of a class have a light, or what they cost a month: most $ first, unknown last."""
    light, fits = SCOPES[scope], list[tuple[float | None, trace.TraceRow]]()
    for place, fit in enumerate(evidence.fit):
        if fit.light is light and fit.pool == pool:
            work, usd = evidence.project.workloads[place], evidence.audit.workloads[place].usd_per_month
            reasons = fit.reasons or worded("nothing amiss")
            values = (fit.gpu_model or "unknown", reasons, work.milli_gpu_seconds, usd)
            opens = trace.figure("workload_cost" if is_cost else trace.JOBS, work.key)
            fits.append((usd, trace.TraceRow(evidence.names[work.key], values, opens)))
    fits.sort(key=lambda pair: (pair[0] is None, -(pair[0] or 0.0), str(pair[1].name)))
    value: trace.Number = known_sum(usd for usd, _ in fits) if is_cost else len(fits)
    counted = worded("{rows} workloads", rows=whole(len(fits)))
    return trace.listed(
        worded("{words}, {light}", words=POOL_TITLES[Pool(pool)], light=LIGHT_WORDS[light]),
        value,
        writing.MONEY_PER_MONTH if is_cost else writing.COUNT,
        worded("Fit of a workload = fit of its worst-met need"),
        [row for _, row in fits],
        OF_FIT,
        trace.Adds(3) if is_cost else trace.Counts(),
        said_as="" if is_cost else "workloads",
        symbols=(counted, ": ", trace.Amount(value, "usd")) if is_cost else (counted,),
        note=worded("Needs: memory, network, bare metal, sharing, term. Sources: Hardware fit."),
    )


# Two networks

SOURCE = worded("article on training and inference infrastructure, 2026")
Factor = tuple[Message, trace.Number, writing.WrittenAs]


def network_subject(key: str, network: str) -> str:
    """A workload on one of the two networks."""
    return f"{network}\t{key}"


@WHY.gives("on_network")
def on_network(evidence: Evidence, scope: str, subject: str) -> trace.Trace:
    """A line of the two networks. scope: step, hours, gpu_hours, usd (of the longest run), month_hours, month_usd.

    Errors: StopIteration for a workload that there is not, KeyError where nothing can be told of its network.
    """
    network, key = subject.split("\t", 1)
    cost = next(fit for fit in evidence.fit if fit.key == key).network
    if cost is None:
        on = None
    elif network == FAST:
        on = cost.infiniband
    else:
        on = cost.ethernet
    if cost is None or on is None or cost.has is None:
        raise KeyError(subject)
    name = NETWORK_WORDS[network]
    if scope == "step":
        source = (
            worded("from its model, GPUs, network and published measurements")
            if cost.is_of_model
            else worded("an assumption, from {source}", source=SOURCE)
        )
        title = worded("One training step on {name}", name=name)
        return trace.read(title, on.step_s, "exact", source, said_as="seconds")
    title, value, unit, words, factors = _line(cost, on, scope)
    return trace.product(
        worded("{title} on {name}, {of_name}", title=title, name=name, of_name=evidence.names[key]),
        value,
        unit,
        words,
        factors,
        said_as=worded("per month") if scope.startswith("month") else "",
        note=worded("The whole step is scaled: an upper bound for network waits."),
        more=(
            (worded("Seconds per step on {name}", name=name), trace.figure("on_network", subject, "step")),
        ),
    )


def _line(
    cost: NetworkCost, on: OnNetwork, scope: str
) -> tuple[Message, float | None, writing.WrittenAs, Message, tuple[Factor, ...]]:
    """Title, value, unit, words and factors of a line; each line is scaled by the seconds of a step."""
    own = cost.infiniband if cost.has == FAST else cost.ethernet
    assert own is not None and cost.has in (FAST, SLOW)
    scaled: Factor = (worded("Step time here ÷ on its network"), on.step_s / own.step_s, "exact")
    hours: Factor = (worded("Longest run, h"), on.run_hours, "exact")
    gpus: Factor = (worded("GPUs of largest job"), cost.run_gpus, "gpus")
    rate: Factor = (worded("mean paid $ per GPU-hour"), cost.usd_per_gpu_hour, "exact")
    lines: dict[str, tuple[Message, float | None, writing.WrittenAs, Message, tuple[Factor, ...]]] = {
        "hours": (
            worded("Longest run"),
            on.run_hours,
            "decimal",
            worded("Hours = logged hours × step time here ÷ on its network"),
            ((worded("Longest logged run, h"), cost.run_hours, "exact"), scaled),
        ),
        "gpu_hours": (
            worded("Longest run, GPU-h"),
            on.run_gpu_hours,
            "gpu_hours",
            worded("GPU-h = hours \u00d7 GPUs"),
            (hours, gpus),
        ),
        "usd": (
            worded("Longest run, $"),
            on.run_usd,
            "usd",
            worded("$ = hours \u00d7 GPUs \u00d7 rate"),
            (hours, gpus, rate),
        ),
        "month_hours": (
            worded("GPU-h per month"),
            on.gpu_hours_per_month,
            "gpu_hours",
            worded("GPU-h = logged GPU-h × step time here ÷ on its network"),
            ((worded("Logged GPU-h per month"), own.gpu_hours_per_month, "gpu_hours"), scaled),
        ),
        "month_usd": (
            worded("$ per month"),
            on.usd_per_month,
            "usd",
            worded("$ = cost today × step time here ÷ on its network"),
            ((worded("$ per month today"), own.usd_per_month, "usd"), scaled),
        ),
    }
    return lines[scope]


# Energy


@WHY.gives_each({ENERGY[key].why: ENERGY[key] for key in ("kwh_per_month", "kg_co2_per_month")})
def of_energy(asked: Figure, evidence: Evidence, scope: str, subject: str) -> trace.Trace:
    """kWh or CO2 of a row (its kind and name), or of all of it ("")."""
    energy = evidence.audit.energy
    if not subject:
        rows = [_energy_row(asked, row) for row in (*energy.contracts, *energy.overflow)]
        words = worded("{title} = Σ over contracts and overflow", title=asked.title)
        total = getattr(energy, asked.key)
        return trace.summed(asked.title, total, asked.unit.key, words, rows, trace.unit_column(asked))
    kind, _, name = subject.partition("\t")
    every = (*energy.workloads, *energy.contracts, *energy.overflow, *teams_of(energy))
    row = next(of for of in every if (of.kind, of.name) == (kind, name))
    pue = evidence.project.assumptions.pue
    values = {"drawn_kwh": row.drawn_kwh, "drawn_kg_co2": row.drawn_kg_co2, "pue": pue}
    called = row.name or worded("no cluster")
    return explained(
        ENERGY, asked.key, Inputs(values=values, name=subject, title=called, note=_rated(evidence))
    )


def _energy_row(asked: Figure, row: EnergyRow) -> trace.TraceRow:
    opens = trace.figure(asked.why, f"{row.kind}\t{row.name}")
    return trace.TraceRow(row.name or worded("no cluster"), (getattr(row, asked.key),), opens)


@WHY.explains(ENERGY, "peak_kw")
def peak(evidence: Evidence, scope: str, subject: str) -> Inputs:
    """The largest hour of the window: what its GPUs draw, and the building's share."""
    energy = evidence.audit.energy
    values = {"drawn_peak_kw": energy.drawn_peak_kw, "pue": evidence.project.assumptions.pue}
    when = (
        worded("The hour from {hour} UTC.", hour=iso_utc(energy.peak_s).replace("T", " ")[:16])
        if energy.peak_s is not None
        else ""
    )
    return Inputs(
        values=values,
        name="",
        title=worded("the window"),
        note=joined(filter(None, (when, _rated(evidence))), " "),
    )


def _rated(evidence: Evidence) -> Text:
    """What the kWh of the GPUs stand on: rated power, what is drawn idle, and what is assumed of jobs."""
    powers = evidence.audit.energy.powers
    rated = [
        worded("{model} {kw} kW (from rated power)", model=model, kw=significant(power.kw))
        if power.is_of_gpu_alone
        else worded("{model} {kw} kW", model=model, kw=significant(power.kw))
        for model, power in sorted(powers.items())
        if model in evidence.project.cube.gpu_models
        or any(model == contract.gpu_model for contract in evidence.project.contracts)
    ]
    return worded(
        "Hourly: rated power × ({idle} + {rest} × activity), {assumed} without activity data, {idle} if idle. "
        "Rated: {rated}",
        idle=percent(DRAWN_IDLE),
        rest=percent(1 - DRAWN_IDLE),
        assumed=percent(evidence.project.assumptions.power_share),
        rated=joined(rated, ", ") if rated else worded("unknown"),
    )
