"""Traces of what the window counts: columns of the board, demand, what is loaded, offers side by side."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Final

from gpuplanner.domain.audit.evidence.explained import Inputs, explained, quantity_of
from gpuplanner.domain.audit.evidence.trace import JOBS, Amount, Trace, TraceColumn, TraceRow, figure
from gpuplanner.domain.audit.evidence.trace_forms import quoted_words, read, summed
from gpuplanner.domain.commitment.demand.flows import pieces_of_months, schedules_for, shares_of_month_0
from gpuplanner.domain.commitment.evidence.plan_evidence import ALL, PlacedCard, PlanEvidence, row_subject
from gpuplanner.domain.commitment.result import PoolPlan
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.card import CARD, CARD_PART
from gpuplanner.domain.figures.columns import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.figures.costs.owned import OWNED
from gpuplanner.domain.figures.order import OFFER_PAIR
from gpuplanner.domain.figures.quantity import Number
from gpuplanner.domain.figures.typed import percent, significant, whole
from gpuplanner.domain.message import Message, Text, joined, worded, worded_count
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.owned import is_owned, owned_inputs, unstated
from gpuplanner.domain.model.book.price_book import all_in
from gpuplanner.domain.model.pool import POOL_TITLES, Pool
from gpuplanner.domain.model.scenario.dated import PlannedWork
from gpuplanner.domain.model.scenario.merging import merge_of
from gpuplanner.domain.model.window import HOURS_PER_MONTH

REVIEW = "review"
PARTS_OF_CARD = ("gpu_time", "all_gpu_time", "all_cost_per_month")
PART_COLUMNS = (
    TraceColumn(CARD_PART["gpu_time"].heading("\n"), "milli_gpu_seconds"),
    TraceColumn(CARD_PART["all_gpu_time"].heading("\n"), "milli_gpu_seconds"),
    TraceColumn(CARD_PART["all_cost_per_month"].heading("\n"), "usd"),
    TraceColumn(CARD_PART["cost_per_month"].heading("\n"), "usd"),
)
CARDS = (TraceColumn(worded("GPU-h\nper month"), "gpu_hours"), TraceColumn(worded("$ per\nmonth"), "usd"))
LIKELY = worded("Cards in review are counted in their likely pool.")


def _in_column(evidence: PlanEvidence, lane: str) -> list[PlacedCard]:
    """The cards of a column; a pool counts those in review that are likely to belong to it."""
    if lane == REVIEW:
        return [card for card in evidence.cards if card.in_review]
    return [card for card in evidence.cards if card.pool == lane]


def column_usd(evidence: PlanEvidence, scope: str, lane: str) -> Trace:
    """$ a month of a column of the board. scope "review": of what in it is still to be decided."""
    return _column(evidence, scope, lane, "column_usd", 1)


def column_hours(evidence: PlanEvidence, scope: str, lane: str) -> Trace:
    """GPU-hours a month of a column."""
    return _column(evidence, scope, lane, "column_hours", 0)


def _column(evidence: PlanEvidence, scope: str, lane: str, kind: str, at: int) -> Trace:
    """The sum of a column of the board. scope: only cards in review where it is given; at: 0 for GPU-hours, 1
    for $.
    """
    cards = [card for card in _in_column(evidence, lane) if not scope or card.in_review]
    rows = [
        TraceRow(
            card.name,
            (card.gpu_hours_per_month, card.usd_per_month),
            figure("workload_cost", card.key) if evidence.is_today else "",
        )
        for card in sorted(cards, key=lambda card: -(card.usd_per_month or card.gpu_hours_per_month))
    ]
    usd = known_sum(card.usd_per_month for card in cards)
    value = usd if at else sum(card.gpu_hours_per_month for card in cards)
    words = (
        worded("Column = \u03a3 over its cards of GPU-hours \u00d7 the mean rate of what serves them in ")
        + (worded("the past") if evidence.is_today else worded("the plan"))
        if at
        else worded("Column = \u03a3 over its cards of GPU-hours in the window \u00f7 its months of 730 h")
    )
    return summed(
        figure(kind, lane, scope),
        (
            worded("{lane} column, in review", lane=worded(lane.capitalize()))
            if scope
            else worded("{lane} column", lane=worded(lane.capitalize()))
        ),
        value,
        "usd" if at else "gpu_hours",
        words,
        rows,
        columns=CARDS,
        column=at,
        said_as=worded("per month"),
        note=_counted(evidence, cards, of_review=lane == REVIEW or bool(scope)),
    )


def _counted(evidence: PlanEvidence, cards: list[PlacedCard], *, of_review: bool) -> Message:
    """How many cards the board shows of these workloads, and how many of them are still in review."""
    merges = {} if evidence.is_today else evidence.project.scenario(evidence.scenario).merges
    placed = [card for card in cards if of_review or not card.in_review]
    shown = {(name, card.pool) if (name := merge_of(card.key, merges)) else card.key for card in placed}
    words = worded_count(len(placed), "{count} workload", "{count} workloads", count=whole(len(placed)))
    said = (
        worded("{words} on {shown} cards", words=words, shown=whole(len(shown)))
        if len(shown) < len(placed)
        else worded("{words} in the column", words=words)
    )
    if of_review:
        return worded("{said}. {likely}", said=said, likely=LIKELY)
    left = len(cards) - len(placed)
    return (
        worded("{said}, and {left} in review. {likely}", said=said, left=whole(left), likely=LIKELY)
        if left
        else worded("{said}.", said=said)
    )


def pool_of(plan: PoolPlan) -> Message:
    """A pool and GPU model: Inference H100."""
    return worded(
        "{pool} {gpu_model}",
        pool=POOL_TITLES[plan.pool],
        gpu_model=plan.gpu_model or worded("unknown model"),
    )


def _card(evidence: PlanEvidence, key: str) -> PlacedCard:
    return next(card for card in evidence.cards if card.key == key)


def card_usd(evidence: PlanEvidence, scope: str, key: str) -> Trace:
    """$ a month of one card in the plan: of each GPU model its share, by GPU time, of what the pool's layers cost."""
    card, advice, parts = _card(evidence, key), evidence.advice, []
    keys = list(advice.workload_usd) if advice is not None else []
    for plan in advice.pools if advice is not None and key in keys else ():
        amounts, place = plan.gpu_time, keys.index(key)
        if amounts is not None and amounts[place]:
            values = (float(amounts[place]), float(amounts.sum()), plan.cost_per_month)
            row = Inputs(
                dict(zip(PARTS_OF_CARD, values, strict=True)),
                key,
                worded("{name} in {scenario}", name=card.name, scenario=evidence.scenario),
                labels={
                    "all_gpu_time": worded("GPU-hours of all of {pool}", pool=pool_of(plan)),
                    "all_cost_per_month": worded("cost of all layers of {pool}", pool=pool_of(plan)),
                },
                opens={"all_cost_per_month": figure("layer_usd", row_subject(plan, ALL))},
            )
            parts.append((pool_of(plan), row, plan))
    more = (
        (worded("Its GPU-hours"), figure("card_hours", key)),
        (worded("All of {pool}", pool=card.pool), figure("column_usd", card.pool.value)),
        *_its_jobs(evidence, key),
    )
    note, there = CARD_PART["cost_per_month"].note, there_in_month_0(evidence, key)
    if there != 1:
        note = worded(
            "{note} In the plan's first month it is there {there} times as often as its GPU-hours per month say.",
            note=note,
            there=significant(there, 4),
        )
    if len(parts) == 1:
        found = explained(CARD_PART, "cost_per_month", parts[0][1], note)
        return replace(found, figure_id=figure("card_usd", key), more=more)
    rows = [
        TraceRow(
            name,
            (row.values["gpu_time"], row.values["all_gpu_time"], plan.cost_per_month, _cost_of_part(row)),  # type: ignore[arg-type]
            figure("layer_usd", row_subject(plan, ALL)),
        )
        for name, row, plan in parts
    ]
    found = summed(
        figure("card_usd", key),
        worded("Cost of {name} in {scenario}", name=card.name, scenario=evidence.scenario),
        card.usd_per_month,
        "usd",
        worded(
            "Cost = \u03a3 over GPU models of its GPU-hours \u00f7 all GPU-hours \u00d7 cost of all of it"
        ),
        rows,
        columns=PART_COLUMNS,
        column=3,
        said_as=worded("per month"),
        note=note,
    )
    return replace(found, more=more)


def _cost_of_part(row: Inputs) -> float | None:
    return quantity_of(CARD_PART, "cost_per_month", row).number


def there_in_month_0(evidence: PlanEvidence, key: str) -> float:
    """How many times its own demand a card is there in the first month of the plan: its dates and steps, by days."""
    if evidence.is_today:
        return 1.0
    plan, window = evidence.project.scenario(evidence.scenario), evidence.project.plan_window
    schedules = schedules_for((key,), plan, window.end_s)
    return shares_of_month_0(pieces_of_months(schedules, window, 1)[0])[0]


def planned_work(evidence: PlanEvidence, key: str) -> PlannedWork | None:
    """The work that no log has, that a card is of; None for a card of the log."""
    if evidence.is_today or any(workload.key == key for workload in evidence.project.workloads):
        return None
    return next(
        (work for work in evidence.project.scenario(evidence.scenario).planned if work.key == key), None
    )


def _its_jobs(evidence: PlanEvidence, key: str) -> tuple[tuple[Message, str], ...]:
    """Planned work has none yet."""
    return () if planned_work(evidence, key) is not None else ((worded("Its jobs"), figure(JOBS, key)),)


def card_hours(evidence: PlanEvidence, scope: str, key: str) -> Trace:
    """GPU-hours a month of one card."""
    card = _card(evidence, key)
    note = worded("GPU-hours of its jobs in the window.")
    if planned_work(evidence, key) is not None:
        note = worded(
            "Its GPU-hours are its GPUs in the hours of the week that it runs, laid on the log's window."
        )
    found = explained(CARD, "gpu_hours_per_month", card_inputs(evidence, card), note)
    return replace(found, more=_its_jobs(evidence, key))


def card_inputs(evidence: PlanEvidence, card: PlacedCard) -> Inputs:
    """What went into the GPU-hours of a card."""
    values: dict[str, Number | None] = {
        "gpu_hours": Fraction(card.milli_gpu_seconds, MILLI_GPU_SECONDS_PER_GPU_HOUR),
        "times": card.times,
        "months": evidence.project.window.months,
        "month_hours": HOURS_PER_MONTH,
    }
    return Inputs(values, card.key, card.name)


def merged_subject(name: str, pool: Pool) -> str:
    """A merged card where it stands."""
    return f"{pool.value}\t{name}"


def merged_usd(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
    """$ a month of cards that stand as one: the sum of theirs."""
    return _merged(evidence, "merged_usd", subject)


def merged_hours(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
    """GPU-hours a month of cards that stand as one."""
    return _merged(evidence, "merged_hours", subject)


def _merged(evidence: PlanEvidence, kind: str, subject: str) -> Trace:
    """The sum of the cards that stand as one in a pool."""
    pool, name = subject.split("\t", 1)
    keys = evidence.project.scenario(evidence.scenario).merges[name]
    cards = [card for card in evidence.cards if card.key in keys and card.pool == pool]
    is_money = kind == "merged_usd"
    rows = [
        TraceRow(card.name, (card.gpu_hours_per_month, card.usd_per_month), figure("card_usd", card.key))
        for card in sorted(cards, key=lambda card: -(card.usd_per_month or 0.0))
    ]
    hours, usd = (
        sum(card.gpu_hours_per_month for card in cards),
        known_sum(card.usd_per_month for card in cards),
    )
    return summed(
        figure(kind, subject),
        (worded("Cost of {name}", name=name) if is_money else worded("GPU-hours of {name}", name=name)),
        usd if is_money else hours,
        "usd" if is_money else "gpu_hours",
        (
            worded("Cost = \u03a3 over the cards that are merged in it")
            if is_money
            else worded("GPU-hours = \u03a3 over the cards that are merged in it")
        ),
        rows,
        columns=CARDS,
        column=1 if is_money else 0,
        said_as=worded("per month"),
    )


def column_cards(evidence: PlanEvidence, scope: str, lane: str) -> Trace:
    """How many cards a column counts. scope "review": of a pool, those still to be decided."""
    cards = [card for card in _in_column(evidence, lane) if lane == REVIEW or card.in_review == bool(scope)]
    rows = [TraceRow(card.name, (1,)) for card in cards]
    return summed(
        figure("column_cards", lane, scope),
        worded("Cards of {lane}", lane=lane),
        len(cards),
        "count",
        worded("Cards = workloads in the column"),
        rows,
    )


def demand_mean(evidence: PlanEvidence, scope: str, pool: str) -> Trace:
    """Mean GPUs of a pool over the window."""
    hours = evidence.project.window.hours
    cards = [card for card in evidence.cards if card.pool == pool]
    rows = [
        TraceRow(card.name, (quantity_of(CARD, "mean_gpus", card_inputs(evidence, card)).number,))
        for card in cards
    ]
    value = evidence.mean_gpus[Pool(pool)]
    return summed(
        figure("demand_mean", pool),
        worded("Mean GPUs, {pool}", pool=pool),
        value,
        "gpus",
        worded(
            "Mean = \u03a3 over workloads of GPU-hours in the window \u00f7 {hours} h", hours=whole(hours)
        ),
        rows,
    )


# What is loaded


def loaded_jobs(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
    """Jobs that count, of how many rows."""
    project = evidence.project
    files = [file for file in project.intake if file.kind == "jobs"]
    if any(file.jobs_in_window is None for file in files):
        source = worded("the logs, in the window: how many of each file was not kept when they were read")
        return read(figure("loaded_jobs"), worded("Jobs"), project.jobs.count, "count", source)
    columns = (
        TraceColumn(worded("Read"), "count"),
        TraceColumn(worded("Rejected"), "count"),
        TraceColumn(worded("Repeated"), "count"),
        TraceColumn(worded("Ignored"), "count"),
        TraceColumn(worded("Accepted"), "count"),
        TraceColumn(worded("In the window"), "count"),
    )
    rows = [
        TraceRow(
            file.path.replace("\\", "/").rsplit("/", 1)[-1],
            (
                file.rows_read,
                file.rows_rejected,
                file.rows_duplicate,
                file.rows_ignored,
                file.rows_accepted,
                file.jobs_in_window,
            ),
        )
        for file in files
    ]
    return summed(
        figure("loaded_jobs"),
        worded("Jobs"),
        project.jobs.count,
        "count",
        worded("Jobs = rows read \u2212 rejected \u2212 repeated \u2212 ignored, in the window"),
        rows,
        columns=columns,
        column=5,
    )


def loaded_workloads(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
    """Workloads, by cluster."""
    counts: dict[str, int] = {}
    for workload in evidence.project.workloads:
        counts[workload.cluster] = counts.get(workload.cluster, 0) + 1
    rows = [TraceRow(cluster, (count,)) for cluster, count in sorted(counts.items())]
    words = worded("A workload is what runs under one name of one owner on one cluster")
    return summed(
        figure("loaded_workloads"), worded("Workloads"), len(evidence.project.workloads), "count", words, rows
    )


def loaded_clusters(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
    """Clusters of the log and of contracts."""
    names = {row.cluster for row in evidence.project.workloads} | {
        row.cluster for row in evidence.project.contracts
    }
    rows = [TraceRow(name, (1,)) for name in sorted(names)]
    words = worded("Clusters that the log or a contract names")
    return summed(figure("loaded_clusters"), worded("Clusters"), len(names), "count", words, rows)


def loaded_gpus(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
    """GPUs under all contracts."""
    contracts = evidence.project.contracts
    rows = [
        TraceRow(row.contract_id, (row.gpus,), figure("contract_usd", row.contract_id)) for row in contracts
    ]
    total = sum(row.gpus for row in contracts)
    return summed(figure("loaded_gpus"), "GPUs", total, "gpus", worded("GPUs = \u03a3 over contracts"), rows)


def loaded_hours(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
    """Hours of the window."""
    hours = evidence.project.window.hours
    return read(
        figure("loaded_hours"),
        worded("Window"),
        hours,
        "hours",
        worded("the log, from its first to its last whole hour, or the window you set"),
    )


# Offers


def offer_rate(evidence: PlanEvidence, scope: str, offer_id: str) -> Trace:
    """A rate of the price book. scope: low, high, or "": the one that counts."""
    offer = evidence.offer(offer_id)
    value = {"low": offer.low, "high": offer.high, "": offer.rate}[scope]
    parts = (
        offer.provider,
        offer.region,
        offer.source,
        worded("of {as_of}", as_of=offer.as_of) if offer.as_of else "",
        quoted_words(offer, evidence.project.currency),
    )
    if is_owned(offer) and not scope:
        return _owned_rate(evidence, offer, joined(filter(None, parts), ". "))
    cases: Mapping[str, Text] = {"low": worded(", low"), "high": worded(", high"), "": ""}
    return read(
        figure("offer_rate", offer_id, scope),
        worded("Rate of {offer_id}{said}", offer_id=offer_id, said=cases[scope]),
        value,
        "rate",
        worded("the price list"),
        note=joined(filter(None, parts), ". "),
    )


OWNED_USED: Final = 0.60
"""The share of the time for which the rate in use stands beside that of an owned GPU."""


def _owned_rate(evidence: PlanEvidence, offer: Offer, note: Text) -> Trace:
    """What an owned GPU costs an hour, owned and in use."""
    values = evidence.assumptions
    inputs = {**owned_inputs(offer, values.wacc, values.pue, offer.exchange), "used_share": OWNED_USED}
    row = Inputs(inputs, offer.offer_id)
    found = explained(OWNED, "rate", row)
    in_use = TraceRow(
        worded("Rate while in use {share} of the time", share=percent(OWNED_USED)),
        (Amount(quantity_of(OWNED, "rate_in_use", row).number, "rate"),),
    )
    lacking = unstated(offer)
    counted = worded("What is empty counts as 0: {names}", names=", ".join(lacking)) if lacking else ""
    return replace(
        found,
        rows=(*found.rows, in_use),
        note=joined(filter(None, (counted, note)), ". "),
    )


def offer_all_in(evidence: PlanEvidence, scope: str, offer_id: str) -> Trace:
    """A rate with egress."""
    found = all_in(evidence.offer(offer_id), evidence.egress_gb_per_gpu_hour)
    egress = found.egress if evidence.egress_gb_per_gpu_hour else 0.0
    rows = [
        TraceRow(titles.RATE, (found.rate,), figure("offer_rate", offer_id)),
        TraceRow(
            worded(
                "Egress of {egress_gb_per_gpu_hour} GB an hour",
                egress_gb_per_gpu_hour=significant(evidence.egress_gb_per_gpu_hour or 0),
            ),
            (egress,),
        ),
    ]
    words = worded("All in = rate + GB that a GPU sends out in an hour \u00d7 $ per GB")
    return summed(
        figure("offer_all_in", offer_id),
        worded("All in: {offer_id}", offer_id=offer_id),
        found.total,
        "rate",
        words,
        rows,
    )


def offer_below(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
    """How far an offer is below another. scope: the other one."""
    offer, chosen = evidence.offer(subject), evidence.offer(scope)
    row = Inputs(
        {"rate": offer.rate, "chosen_rate": chosen.rate},
        subject,
        opens={"rate": figure("offer_rate", subject), "chosen_rate": figure("offer_rate", scope)},
    )
    return replace(
        explained(OFFER_PAIR, "below", row),
        figure_id=figure("offer_below", subject, scope),
        title=worded("{subject} below {scope}", subject=subject, scope=scope),
    )
