"""Answers about money: what is paid, served, idle, stranded and bound, the spend of today, and leaks."""

from collections.abc import Callable, Iterable
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Floats, Ints
from gpuplanner.domain.audit import quarter
from gpuplanner.domain.audit.leak_list import LEAK_RULES, dismissed_leaks, leak_called, total_of
from gpuplanner.domain.audit.result import Leak, LeakPart
from gpuplanner.domain.audit.spend.contract_inputs import contract_amounts
from gpuplanner.domain.audit.spend.stranded import why_readings_differ
from gpuplanner.domain.audit.spend.workload_spend import usd_per_unit, workload_usd_of
from gpuplanner.domain.audit.utilization.cluster_hours import ClusterHours
from gpuplanner.domain.audit.utilization.paid_contracts import held_contracts
from gpuplanner.domain.evidence import trace
from gpuplanner.domain.evidence.answering import Answers, Inputs, Listed, explained, in_words, quantity_of
from gpuplanner.domain.evidence.audit_evidence import Evidence
from gpuplanner.domain.evidence.trace import Amount, Trace, TraceColumn, TraceRow, figure, listed, sum_of
from gpuplanner.domain.evidence.use import DOLLARS, GPU_HOURS, PAID, USED, cluster_row, gpu_hours, number_of
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.clusters import CLUSTER
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR, Figure, optional
from gpuplanner.domain.figures.leak import COUNTED_ONCE, LEAK, TOTALS
from gpuplanner.domain.figures.mix import FLAT
from gpuplanner.domain.figures.typed import significant, whole
from gpuplanner.domain.figures.unit_costs import RUN
from gpuplanner.domain.figures.writing import GPU_HOURS_PER_MONTH, MONEY_PER_MONTH
from gpuplanner.domain.message import Text, capital, joined, worded
from gpuplanner.domain.model.amounts import known_sum, lacking_sentences, largest_remainder
from gpuplanner.domain.model.book.billed_part import BilledPart
from gpuplanner.domain.model.book.contract import in_month, usd_in_month
from gpuplanner.domain.model.book.renewal import bound_usd, remaining_months
from gpuplanner.domain.model.tables import POOL_TITLES, POOLS, Pool
from gpuplanner.domain.model.window import DAY_S, HOUR_S
from gpuplanner.domain.reports import mix
from gpuplanner.lazy_dataclass import dataclass, replace

WHY: Final = Answers[Evidence]()
OF_STRANDED: Final = (
    "non_training_hours",
    "non_training_used_gpu_hours",
    "non_training_paid_gpu_hours",
    "non_training_utilization",
    "cost_per_month",
    "stranded_audit",
)
"""What is listed of the clusters behind what is stranded."""
RATE = TraceColumn(worded("Rate\n$ per GPU-h"), "rate")
BOUND = (
    trace.MONEY,
    TraceColumn(worded("Months left"), "decimal"),
    TraceColumn(worded("$ \u00d7 months"), "usd"),
)
MONTHS_LEFT: Final = worded("Months run to the contract's end or, without one, its notice.")


@dataclass(frozen=True, kw_only=True)
class _ByContract:
    """A sum over contracts.

    sums: the figure of the cluster that it comes to in the hours of its scope; of_contract, rate: the figure and the
    rate of each contract; opens: id of what answers for the GPU-hours of one; words: what is added up; amounts: whose
    time that is, milli-GPU-seconds by contract and hour; key: the figure that it is called ("": sums).
    """

    sums: str
    of_contract: str
    rate: str
    opens: str
    words: Text
    amounts: Callable[[ClusterHours], Ints]
    key: str = ""


_COST: Final = _ByContract(
    sums="cost_per_month",
    of_contract="paid_per_month",
    rate="rate",
    opens="contract_paid_hours",
    words=worded("paid GPU-hours \u00d7 rate"),
    amounts=lambda hours: hours.capacity,
)
_SERVED: Final = _ByContract(
    sums="allocated_per_month",
    of_contract="allocated_per_month",
    rate="full_rate",
    opens="contract_used",
    words=worded("GPU-hours that served jobs \u00d7 rate"),
    amounts=lambda hours: hours.served,
)
_ALL_IDLE: Final = _ByContract(
    sums="unallocated_per_month",
    of_contract="unused_per_month",
    rate="idle_rate",
    opens="contract_idle_hours",
    words=worded("idle GPU-hours \u00d7 rate"),
    amounts=lambda hours: np.asarray(hours.capacity - hours.served),
)
_WITHOUT: Final = worded("idle GPU-hours without training × rate")
_WITH: Final = worded("idle GPU-hours with training × rate")
_IDLE: Final = {
    "idle": replace(_ALL_IDLE, key="stranded_metered", words=_WITHOUT),
    "busy": replace(_ALL_IDLE, key="idle_while_training", words=_WITH),
    "": _ALL_IDLE,
}
"""By scope: metered, while training ran, or in all hours."""


@WHY.gives_each({"cost": _COST, "served": _SERVED, "idle": None})
def by_contract(of: _ByContract | None, evidence: Evidence, scope: str, cluster: str) -> Trace:
    """What contracts cost a month, or what of it is served or idle in some hours: of a cluster, or by cluster."""
    of = _IDLE[scope] if of is None else of
    scope = "" if of is _COST else scope
    asked, rows = CLUSTER[of.key or of.sums], []
    if cluster:
        hours, inside = evidence.hours(cluster), evidence.inside(scope, cluster)
        each = of.amounts(hours)[:, inside].sum(axis=1).tolist()
        usd = contract_amounts(hours, inside, evidence.months)[of.of_contract]
        for contract, amount, amount_usd in zip(hours.contracts, each, usd, strict=True):
            values = (gpu_hours(amount), contract.rates[of.rate], amount_usd)
            opens = "" if isinstance(contract, BilledPart) else figure(of.opens, contract.contract_id, scope)
            rows.append(TraceRow(contract.contract_id, values, opens))
        value = number_of(of.sums, cluster_row(evidence, scope, cluster))
        words = worded("{figure} = Σ over contracts ({name})", figure=asked.title, name=of.words)
        title: Text = worded("{figure} of {name}", figure=asked.title, name=cluster)
        return _added(title, value, words, rows, (GPU_HOURS, RATE, DOLLARS), asked.note)
    for hours in evidence.past.clusters:
        spent = int(of.amounts(hours)[:, evidence.inside(scope, hours.cluster)].sum())
        of_cluster = number_of(of.sums, cluster_row(evidence, scope, hours.cluster))
        opens = figure(asked.why, hours.cluster, scope)
        rows.append(TraceRow(hours.cluster, (gpu_hours(spent), of_cluster), opens))
    title = titles.SPEND if of is _COST else asked.title
    words = worded("{figure} = Σ over clusters and contracts ({name})", figure=title, name=of.words)
    return _added(title, sum_of(rows, 1), words, rows, (GPU_HOURS, DOLLARS), asked.note)


def _added(
    title: Text,
    value: trace.Number,
    words: Text,
    rows: list[TraceRow],
    columns: tuple[TraceColumn, ...],
    note: Text,
) -> Trace:
    """$ a month that are the sum of the last column."""
    at = len(columns) - 1
    symbols = _plus(rows, at, value)
    return listed(
        title, value, MONEY_PER_MONTH, words, rows, columns, trace.Adds(at), symbols=symbols, note=note
    )


def _plus(rows: Iterable[TraceRow], at: int, value: trace.Number) -> tuple[Text | Amount, ...]:
    """The $ of a column and what they come to."""
    return trace.plus([row.values[at] for row in rows], Amount(value, "usd"))


@WHY.gives("stranded_audit")
def stranded_audit(evidence: Evidence, scope: str, cluster: str) -> Trace:
    """(1 - U) x cost of a cluster, or the sum over clusters."""
    asked, clusters = CLUSTER["stranded_audit"], evidence.audit.clusters
    if cluster:
        row = evidence.cluster(cluster)
        above = why_readings_differ(row.stranded_metered, row.stranded_audit, row.unallocated_per_month)
        return explained(CLUSTER, asked.key, replace(cluster_row(evidence, "", cluster), note=above))
    rows = [
        TraceRow(row.cluster, tuple(getattr(row, key) for key in OF_STRANDED), figure(asked.why, row.cluster))
        for row in clusters
    ]
    total = sum_of(rows, 5)
    literal = known_sum(
        number_of("literal_reading", cluster_row(evidence, "", row.cluster)) for row in clusters
    )
    metered = known_sum(row.stranded_metered for row in clusters)
    return listed(
        asked.title,
        total,
        asked.unit,
        worded("{figure} = Σ over clusters ((1 − U) × cost per month)", figure=asked.title),
        rows,
        (
            TraceColumn(worded("Hours without\ntraining"), "hours"),
            USED,
            PAID,
            TraceColumn("U", "share"),
            trace.column_of(CLUSTER["cost_per_month"], is_short=False),
            trace.column_of(asked, is_short=False),
        ),
        trace.Adds(5),
        symbols=_plus(rows, 5, total),
        note=worded("U = used ÷ paid GPU-hours in hours without training."),
        readings=(
            (worded("Metered: idle in those hours only"), Amount(metered, "usd")),
            (CLUSTER["literal_reading"].title, Amount(literal, "usd")),
        ),
        more=(
            (worded("Metered, by contract"), figure("idle", "", "idle")),
            (worded("Bill to stranded"), figure("scaled")),
        ),
    )


@WHY.gives("scaled")
def scaled(evidence: Evidence, scope: str, cluster: str) -> Trace:
    """What the audit's reading adds to metered, of a cluster or of all."""
    asked = CLUSTER["scaled_to_all_hours"]
    if cluster:
        return explained(CLUSTER, asked.key, cluster_row(evidence, "", cluster))
    rows = [
        TraceRow(row.cluster, (row.scaled_to_all_hours,), figure("scaled", row.cluster))
        for row in evidence.audit.clusters
    ]
    words = worded(
        "{figure} = Σ over clusters ({audit} − {metered})",
        figure=asked.title,
        audit=CLUSTER["stranded_audit"].name,
        metered=CLUSTER["stranded_metered"].name,
    )
    return _added(asked.title, sum_of(rows, 0), words, rows, (DOLLARS,), asked.note)


@WHY.lists(
    worded("Overflow of {name}"),
    MONEY_PER_MONTH,
    worded("Overflow = GPU-hours over contract capacity × lowest fitting on-demand rate"),
    (GPU_HOURS, RATE, DOLLARS),
    trace.Adds(2),
    note=CLUSTER["overflow_per_month"].note,
)
def overflow(evidence: Evidence, scope: str, cluster: str) -> Listed:
    """What a cluster's overflow costs a month at the on-demand rates that its classes may use."""
    hours, rows = evidence.hours(cluster), []
    stand_in = hours.stand_in
    for model, lost, by_class in zip(hours.models, hours.overflow, hours.demand, strict=True):
        demand = by_class.sum(axis=0)
        for pool, of_class in zip(POOLS, by_class, strict=True):
            amount = float((of_class[demand > 0] * (lost[demand > 0] / demand[demand > 0])).sum())
            amount /= MILLI_GPU_SECONDS_PER_GPU_HOUR
            if amount > 0:
                rate = evidence.past.rates.on_demand(pool, stand_in if model is None else model)
                called = model or worded("unknown model")
                name = worded("{pool} on {model}", pool=POOL_TITLES[Pool(pool)], model=called)
                usd = priced_per_month(amount, rate, evidence.months)
                rows.append(TraceRow(name, (amount, rate, usd)))
    value = number_of("overflow_per_month", cluster_row(evidence, "", cluster))
    more = ((worded("GPU-hours by workload"), figure("used", cluster)),)
    return Listed(value=value, rows=rows, name=cluster, symbols=_plus(rows, 2, value), more=more)


def priced_per_month(hours: float, rate: float | None, months: float) -> float | None:
    """$ a month of GPU-hours of the window; None where GPU time has no rate."""
    if rate is None:
        return None if hours else 0.0
    return hours * rate / months


@WHY.lists(
    titles.SPEND,
    MONEY_PER_MONTH,
    worded("Spend = 730 ÷ lookback hours × (contract cost + overflow on demand)"),
    (GPU_HOURS, DOLLARS),
    trace.Adds(1),
    note=worded(
        "Overflow: at the cheapest allowed on-demand rate. Ended contracts count for hours they ran."
    ),
)
def spend(evidence: Evidence, scope: str, subject: str) -> Listed:
    """Today's spend: what is paid, and overflow."""
    rows = []
    for cluster in (hours.cluster for hours in evidence.past.clusters):
        row, name = evidence.cluster(cluster), worded("{cluster}: contracts", cluster=cluster)
        if any(use.cluster == cluster for use in evidence.project.jobs.billed):
            name = worded("{cluster}: contracts and billed use", cluster=cluster)
        if (
            evidence.project.has_spend
        ):  # without contracts or bills what is paid is unknown and no part of the spend
            rows.append(TraceRow(name, (row.paid_gpu_hours, row.cost_per_month), figure("cost", cluster)))
        if row.overflow_gpu_hours:
            usd = number_of("overflow_per_month", cluster_row(evidence, "", cluster))
            name = worded("{cluster}: overflow", cluster=cluster)
            rows.append(TraceRow(name, (row.overflow_gpu_hours, usd), figure("overflow", cluster)))
    value, parts = evidence.audit.spend, evidence.audit.spend_parts
    least = parts.written if parts.is_at_least else None
    return Listed(
        value=value, rows=rows, note=lacking_sentences(parts), symbols=_plus(rows, 1, value), at_least=least
    )


@WHY.lists(
    worded("Cost of {name}"),
    MONEY_PER_MONTH,
    worded("Cost = Σ over hours (its GPU-time share of its GPU model's cost on the cluster)"),
    (GPU_HOURS, TraceColumn(worded("On average\n$ per GPU-h"), "rate"), DOLLARS),
    trace.Adds(2),
    note=worded("Hourly cost = contract use + overflow, shared by GPU time, without idle GPUs."),
)
def workload_cost(evidence: Evidence, scope: str, key: str) -> Listed:
    """What a workload cost a month, week by week: its share, by GPU time in each hour, of what its GPU model cost."""
    place, window = evidence.place_of[key], evidence.project.window
    value = evidence.audit.workloads[place].usd_per_month
    at, amount = evidence.project.cube.hours_of(place)
    week = ((window.start_s + at * HOUR_S) // DAY_S - window.start_s // DAY_S) // 7
    in_window = np.bincount(week, weights=_usd_by_hour(evidence, place, at)).astype(float)
    if value is None:  # also where nobody has said which jobs the contracts serve
        in_window = np.full(len(in_window), np.nan)
    per_month = workload_usd_of(in_window, window)
    rows = []
    for number in sorted(set(week.tolist())):
        hours, usd = gpu_hours(int(amount[week == number].sum())), optional(in_window[number : number + 1])[0]
        mean = RUN.row({"cost": usd, "gpu_hours": hours}, ["mean_rate"])["mean_rate"]
        rows.append(TraceRow(worded("Week {number}", number=number + 1), (hours, mean, per_month[number])))
    more = ((capital(worded("its jobs")), figure(trace.JOBS, key)),)
    return Listed(value=value, rows=rows, name=evidence.names[key], symbols=_plus(rows, 2, value), more=more)


def _usd_by_hour(evidence: Evidence, place: int, at: Ints) -> Floats:
    """$ of a workload in each of its hours, all GPU models together; shapes (n,). at: the hours, ascending."""
    hours = evidence.hours(evidence.project.workloads[place].cluster)
    unit = usd_per_unit(evidence.project, (hours,))
    usd = np.zeros(len(at))
    for model, when, amount in evidence.project.cube.by_model_of(place):
        usd[np.searchsorted(at, when)] += amount * unit[hours.models.index(model), when]
    return usd


# How long money is bound


@WHY.lists(
    worded("Average term left today"),
    "decimal",
    worded("Average term left = Σ over contracts ($ × months left) ÷ $ per month"),
    BOUND,
    trace.Divides(2, 0),
    said_as=worded("$-weighted months"),
    note=MONTHS_LEFT,
)
def lock_in_now(evidence: Evidence, scope: str, subject: str) -> Listed:
    """Months that are still to be paid, weighted by $, over the commitments that run in next month."""
    window, rows = evidence.project.plan_window, []
    for row in in_month(held_contracts(evidence.project), window, 0):
        if row.is_committed:
            values = (usd_in_month((row,), window, 0), remaining_months(row, window), bound_usd(row, window))
            rows.append(TraceRow(row.contract_id, values))
    bound, paid = (Amount(sum_of(rows, at), "usd") for at in (2, 0))
    value = evidence.audit.lock_in_now_months
    symbols = (bound, " \u00f7 ", paid, " = ", Amount(value, "decimal"), worded(" months"))
    return Listed(value=value, rows=rows, symbols=symbols)


@WHY.gives("longest_now")
def longest_now(evidence: Evidence, scope: str, subject: str) -> Trace:
    """Whole months that the longest commitment of today still runs."""
    window = evidence.project.plan_window
    left = [
        (float(round(remaining_months(row, window))), row.contract_id)
        for row in held_contracts(evidence.project)
        if row.is_committed
    ]
    months, name = max(left, default=(0.0, ""), key=lambda pair: pair[0])
    runs = worded("contract {name}: from plan start to its end", name=name)
    source = runs if name else worded("the contracts: none")
    words = worded("Whole months left of today's longest commitment")
    title = worded("Longest commitment today")
    return trace.read(title, months, "exact", source, said_as="months", note=MONTHS_LEFT, words=words)


# --- Leaks: GPU-hours and $ of one by its parts, of a part as its sheet writes it, and of all, once

PART_KEYS: Final = ("gpu_hours", "gpu_hours_per_month", "rate", "leaked_per_month")
TOTAL_KEYS: Final = (
    "gpu_hours_per_month",
    "leaked_per_month",
    "counted_gpu_hours_per_month",
    "counted_per_month",
)
PART_COLUMNS: Final = ("gpu_hours", "leaked_per_month", "counted_gpu_hours", "counted_per_month")
"""The figures that the sheet of a leak shows of each part, by key."""


def leak_of(evidence: Evidence, leak_id: str) -> Leak:
    """The leak of an id. Errors: StopIteration."""
    return next(leak for leak in evidence.audit.leaks if leak.leak_id == leak_id)


def _leak_column(key: str, title: Text = "") -> TraceColumn:
    """A column of a figure of leaks. title: what it is called here."""
    asked = LEAK[key]
    return TraceColumn(
        joined((title, asked.unit.label), "\n") if title else asked.heading("\n"), asked.unit.key
    )


@WHY.gives_each({LEAK[key].why: LEAK[key] for key in ("leaked_per_month", "gpu_hours_per_month")})
def of_leak(asked: Figure, evidence: Evidence, scope: str, leak_id: str) -> Trace:
    """One figure of a leak, from the parts that it is the sum of."""
    leak = leak_of(evidence, leak_id)
    rule, value = LEAK_RULES[leak.code], getattr(leak, asked.key)
    is_money = asked.unit.key == "usd"
    parts = sorted(leak.parts, key=lambda part: -(part.leaked_per_month or 0.0))
    return listed(
        leak_called(leak),
        value,
        asked.unit,
        worded("$ per month = {formula} ÷ lookback months", formula=rule.formula)
        if is_money
        else worded("GPU-h per month = leaked GPU-hours ÷ lookback months"),
        tuple(_part_row(evidence, part) for part in parts),
        (
            TraceColumn(worded("All of it, GPU-h\nin the lookback period"), "gpu_hours"),
            *(_leak_column(name, rule.rate if name == "rate" else "") for name in PART_KEYS),
        ),
        trace.Adds(1 + PART_KEYS.index(asked.key)),
        symbols=(
            Amount(leak.gpu_hours, "gpu_hours"),
            worded(" GPU-h in the lookback period"),
            *((" \u00d7 ", Amount(leak.average_rate, "rate"), worded(" per GPU-h")) if is_money else ()),
            worded(" \u00f7 {months} months = ", months=significant(evidence.months, 4)),
            Amount(value, asked.unit.key),
        ),
        note=joined((rule.words, leak.action), " "),
    )


def _part_row(evidence: Evidence, part: LeakPart) -> TraceRow:
    """A part beside all that its workload ran, or its contract idled."""
    if part.kind == "workload":
        workload = evidence.project.workloads[evidence.place_of[part.id]]
        name, every, opens = (
            evidence.names[workload.key],
            workload.gpu_hours,
            figure(trace.JOBS, workload.key),
        )
    else:
        name, every = worded("{id}, idle", id=part.id), evidence.past.idle_gpu_hours[part.id]
        opens = figure("contract_idle_hours", part.id)
    return TraceRow(name, (every, *(getattr(part, key) for key in PART_KEYS)), opens)


@WHY.gives_each(
    {kind: (kind, "counted_per_month") for kind in TOTALS}
    | {f"{kind}_hours": (kind, "counted_gpu_hours_per_month") for kind in TOTALS}
)
def of_leaks(of: tuple[str, str], evidence: Evidence, scope: str, subject: str) -> Trace:
    """What all leaks count, or those of a kind in TOTALS, hours or $ a month; of dismissed ones as taken off."""
    (kind, key), gone = of, dismissed_leaks(evidence.project)
    asked, is_less = LEAK[key], kind == "leaks_dismissed"
    leaks = [leak for leak in evidence.audit.leaks if kind == "leaks" or (leak.leak_id in gone) is is_less]
    value = getattr(total_of(leaks, evidence.months), key)
    amount = Amount(trace.less(value) if is_less else value, asked.unit.key)
    opened = LEAK["leaked_per_month" if asked.unit.key == "usd" else "gpu_hours_per_month"]
    rows = []
    for leak in leaks:
        values = (
            trace.less(getattr(leak, name)) if is_less and name.startswith("counted") else getattr(leak, name)
            for name in TOTAL_KEYS
        )
        rows.append(TraceRow(leak_called(leak), tuple(values), figure(opened.why, leak.leak_id)))
    return listed(
        TOTALS[kind],
        amount.value,
        asked.unit,
        worded("Total = Σ over leaks (GPU-hours not counted before)"),
        rows,
        tuple(_leak_column(name) for name in TOTAL_KEYS),
        trace.Adds(TOTAL_KEYS.index(key)),
        symbols=(worded("{rows} leaks: ", rows=whole(len(leaks))), amount),
        note=COUNTED_ONCE,
    )


# The sheet of a leak, in the whole figures that it writes


def parts_most_expensive_first(leak: Leak) -> list[LeakPart]:
    """The parts in the order in which the sheet lists them."""
    return sorted(
        leak.parts, key=lambda part: (part.leaked_per_month is None, -(part.leaked_per_month or 0.0))
    )


def whole_parts(leak: Leak, key: str) -> list[int | None]:
    """One column of the sheet in whole figures that add up to the rounded total, in the order of the sheet."""
    return largest_remainder(
        [getattr(part, key) for part in parts_most_expensive_first(leak)], getattr(leak, key)
    )


def part_subject(leak: Leak, part: LeakPart) -> str:
    """What tells one part of one leak."""
    return f"{leak.leak_id}\t{part.id}"


@WHY.gives("leak_sum")
def leak_sum(evidence: Evidence, key: str, leak_id: str) -> Trace:
    """A column of one leak, all its parts together."""
    leak, asked = leak_of(evidence, leak_id), LEAK[key]
    title, rule = asked.heading(", "), LEAK_RULES[leak.code]
    rows = []
    for part in parts_most_expensive_first(leak):
        opens = figure("leak_part", part_subject(leak, part), key)
        rows.append(TraceRow(_part_name(evidence, part), (getattr(part, key),), opens))
    if rule.claims == "workload":
        words = worded("{column} = Σ over the leak's workloads", column=title)
    else:
        words = worded("{column} = Σ over the leak's contracts", column=title)
    called = worded("{leak}: {column}", leak=leak_called(leak), column=title)
    return trace.summed(
        called, getattr(leak, key), asked.unit.key, words, rows, note=asked.note or rule.words
    )


@WHY.gives("leak_part")
def leak_part(evidence: Evidence, key: str, subject: str) -> Trace:
    """A column of one part of a leak, as its sheet writes it."""
    leak_id, part_id = subject.split("\t", 1)
    leak = leak_of(evidence, leak_id)
    parts = parts_most_expensive_first(leak)
    at = next(at for at, part in enumerate(parts) if part.id == part_id)
    written, row = whole_parts(leak, key)[at], _part_inputs(evidence, leak, parts[at])
    is_read = LEAK[key].formula is None
    reason = _part_read(evidence, leak, parts[at], key) if is_read else explained(LEAK, key, row)
    if not is_read and not LEAK[key].note:
        reason = replace(reason, note=LEAK_RULES[leak.code].words)
    if written is None or reason.value is None or written == round(reason.value):
        return reason
    reached = reason.title if is_read else in_words(quantity_of(LEAK, key, row))
    rows = (
        TraceRow(reached, (reason.value,), next((line.opens for line in reason.rows if line.opens), "")),
        TraceRow(worded("Rounded so that parts add up to the leak"), (written - reason.value,)),
    )
    said_as, note = reason.said_as, reason.note
    return trace.summed(reason.title, written, reason.unit, reason.words, rows, said_as=said_as, note=note)


def _part_name(evidence: Evidence, part: LeakPart) -> Text:
    return evidence.names[part.id] if part.kind == "workload" else part.id


def _part_inputs(evidence: Evidence, leak: Leak, part: LeakPart) -> Inputs:
    """What the figures of a part were worked out from; what has a column of its own leads there."""
    subject, rate = part_subject(leak, part), LEAK_RULES[leak.code].rate
    return Inputs(
        values={
            "gpu_hours": part.gpu_hours,
            "rate": part.rate,
            "left_gpu_hours": part.left_gpu_hours,
            "months": evidence.months,
            "counted_gpu_hours": part.counted_gpu_hours,
        },
        name=subject,
        title=_part_name(evidence, part),
        labels={"rate": rate} if rate else {},
        opens={key: figure("leak_part", subject, key) for key in ("gpu_hours", "counted_gpu_hours")},
    )


def _part_read(evidence: Evidence, leak: Leak, part: LeakPart, key: str) -> Trace:
    """Leaked GPU-hours of a part: of all its GPU-hours, those that the rule of the leak is about."""
    asked, is_workload = LEAK[key], part.kind == "workload"
    return trace.read(
        worded("{column} of {name}", column=asked.heading(", "), name=_part_name(evidence, part)),
        getattr(part, key),
        asked.unit.key,
        worded("job log: GPU-hours under this rule") if is_workload else worded("paid and idle"),
        opens=figure(trace.JOBS if is_workload else "contract_idle_hours", part.id),
        note=LEAK_RULES[leak.code].words,
        words=worded("GPU-hours of its jobs under this rule")
        if is_workload
        else worded("GPU-hours of the rule"),
    )


# The steps of the quarter, and what providers cost at flat rates

_HOURS: Final = GPU_HOURS_PER_MONTH.label
_FLAT: Final = (
    TraceColumn(_HOURS, "gpu_hours"),
    TraceColumn(joined((FLAT["served"].title, "\n", _HOURS)), "gpu_hours"),
    TraceColumn(trace.TITLES["rate"], "rate"),
    trace.MONEY,
)


_SAME_WORK: Final = (*_FLAT[:2], trace.MONEY)
"""The same for today's cost of that work, which has no rate of its own."""


@WHY.gives_each({asked.why: asked for asked in FLAT.values() if asked.why})
def of_flat(asked: Figure, evidence: Evidence, scope: str, provider: str) -> Trace:
    """What a provider can serve of today's work, and what that costs at its flat rates, by class and GPU model."""
    row = next(each for each in quarter.flat_rates(evidence.past) if each.provider == provider)
    is_today = asked.key == "same_work_now"
    rows = []
    for part in row.parts:
        name = joined((POOL_TITLES[part.pool], part.gpu_model or worded("unknown model")), ", ")
        served = 0.0 if part.rate is None else part.gpu_hours
        usd = part.today if is_today else served * (part.rate or 0.0)
        if is_today and part.rate is None:
            usd = 0.0
        amounts = (part.gpu_hours, served, usd) if is_today else (part.gpu_hours, served, part.rate, usd)
        rows.append(TraceRow(name, amounts))
    title = joined((provider or titles.NOT_STATED, asked.title), ": ")
    columns = _SAME_WORK if is_today else _FLAT
    arrival = trace.Divides(1, 0) if asked.key == "served" else trace.Adds(len(columns) - 1)
    words = asked.glossary if is_today else mix.FLAT_RATES.note
    return listed(title, getattr(row, asked.key), asked.unit, words, rows, columns, arrival)


_STEPS: Final = {
    1: CLUSTER["stranded_audit"].glossary,
    3: worded("Σ over contracts under 40% (idle cost) and burst on long contracts"),
    4: mix.FLAT_RATES.note,
}


@WHY.gives(mix.STEP_COST.why)
def of_step(evidence: Evidence, scope: str, number: str) -> Trace:
    """$ of a step of the quarter: by cluster, by contract, or of the provider that serves most."""
    step = next(
        each for each in quarter.quarter(evidence.project, evidence.audit) if str(each.step) == number
    )
    rows = [
        TraceRow(name or titles.NOT_STATED, (usd,), kind and figure(kind, str(name)))
        for name, usd, kind in step.parts
    ]
    title, unit = mix.STEPS[step.step - 1], mix.STEP_COST.unit
    return trace.summed(title, step.usd_per_month, unit, _STEPS[step.step], rows, note=step.result)
