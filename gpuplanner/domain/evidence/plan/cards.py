"""Answers about the board: its columns and demand, cards in the plan and today, merged cards, and what is selected."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from operator import attrgetter
from typing import Final

from gpuplanner.domain.audit.result import WorkloadToday
from gpuplanner.domain.commitment.plan.row_list import COMPARED_MONTHS
from gpuplanner.domain.commitment.recursion.rates import lost_figure, spot_inputs, with_checkpoint_of
from gpuplanner.domain.commitment.result import PlannedRunFigures
from gpuplanner.domain.evidence import trace
from gpuplanner.domain.evidence.answering import Answers, Inputs, Listed, explained, quantity_of
from gpuplanner.domain.evidence.plan.layers import ALL, PlacedCard, PlanEvidence, row_subject
from gpuplanner.domain.evidence.plan.orders import order_row
from gpuplanner.domain.figures import writing
from gpuplanner.domain.figures.card import CARD, CARD_PART, SPOT
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR, Number
from gpuplanner.domain.figures.typed import significant, whole, worded_whole
from gpuplanner.domain.message import Message, Text, capital, joined, worded, worded_count
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.cube import Workload
from gpuplanner.domain.model.plan.merged_cards import merge_of
from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.plan.splits import whole_key
from gpuplanner.domain.model.tables import POOL_TITLES, Pool
from gpuplanner.domain.model.window import HOUR_S, HOURS_PER_MONTH, MONTH_S
from gpuplanner.domain.reports.plan_layers import pool_words
from gpuplanner.lazy_dataclass import replace

WHY: Final = Answers[PlanEvidence]()
REVIEW = "review"
PARTS_OF_CARD = ("gpu_time", "all_gpu_time", "all_cost_per_month")
CARDS = (trace.TraceColumn(worded("GPU-h\nper month"), "gpu_hours"), trace.MONEY)
LIKELY = worded("Cards in review count in their likely pool.")
HOURS_AT, USD_AT = 0, 1
"""Which column of cards a figure is the sum of."""


def _card(evidence: PlanEvidence, key: str) -> PlacedCard:
    return next(card for card in evidence.cards if card.key == key)


def _of_cards(
    title: Text, words: Text, cards: Sequence[PlacedCard], opens: str, at: int, note: Text = ""
) -> trace.Trace:
    """GPU-hours or $ a month of cards, most expensive first, then those without a price by their GPU-hours.

    opens: kind of what answers for one ("": nothing).
    """
    usd = known_sum(card.usd_per_month for card in cards)
    hours = sum(card.gpu_hours_per_month for card in cards)
    value, unit = (usd, writing.MONEY) if at == USD_AT else (hours, writing.GPU_HOURS_IN_ALL)
    rows = []
    for card in sorted(cards, key=lambda card: (-(card.usd_per_month or 0.0), -card.gpu_hours_per_month)):
        own = trace.figure(opens, card.key) if opens else ""
        rows.append(trace.TraceRow(card.name, (card.gpu_hours_per_month, card.usd_per_month), own))
    return trace.summed(title, value, unit, words, rows, CARDS, at, said_as=writing.A_MONTH, note=note)


# Columns


def _in_column(evidence: PlanEvidence, lane: str) -> list[PlacedCard]:
    """The cards of a column; a pool counts those in review that are likely to belong to it."""
    if lane == REVIEW:
        return [card for card in evidence.cards if card.in_review]
    return [card for card in evidence.cards if card.pool == lane]


@WHY.gives_each({"column_usd": USD_AT, "column_hours": HOURS_AT})
def of_column(at: int, evidence: PlanEvidence, scope: str, lane: str) -> trace.Trace:
    """GPU-hours or $ a month of a column of the board. scope "review": of what in it is still to be decided."""
    cards = [card for card in _in_column(evidence, lane) if not scope or card.in_review]
    words = worded("Column = Σ over its cards")
    name = worded(lane.capitalize())
    title = worded("{lane} column, in review", lane=name) if scope else worded("{lane} column", lane=name)
    note = _counted(evidence, cards, of_review=lane == REVIEW or bool(scope))
    return _of_cards(title, words, cards, "workload_cost" if evidence.is_today else "card_usd", at, note)


def _counted(evidence: PlanEvidence, cards: list[PlacedCard], *, of_review: bool) -> Message:
    """How many cards the board shows of these workloads, and how many of them are still in review."""
    merges = {} if evidence.is_today else evidence.project.scenario(evidence.scenario).merges
    placed = [card for card in cards if of_review or not card.in_review]
    shown = {(name, card.pool) if (name := merge_of(card.key, merges)) else card.key for card in placed}
    words = worded_whole(len(placed), "{count} workload", "{count} workloads")
    counted = (
        worded("{words} on {shown} cards", words=words, shown=whole(len(shown)))
        if len(shown) < len(placed)
        else worded("{words} in the column", words=words)
    )
    if of_review:
        return worded("{text}. {likely}", text=counted, likely=LIKELY)
    left = len(cards) - len(placed)
    return (
        worded("{text}, {left} in review. {likely}", text=counted, left=whole(left), likely=LIKELY)
        if left
        else worded("{text}.", text=counted)
    )


@WHY.sums(worded("Cards of {name}"), writing.COUNT, worded("Cards = workloads in the column"))
def column_cards(evidence: PlanEvidence, scope: str, lane: str) -> Listed:
    """How many cards a column counts. scope "review": of a pool, those still to be decided."""
    cards = [card for card in _in_column(evidence, lane) if lane == REVIEW or card.in_review == bool(scope)]
    return Listed(value=len(cards), rows=[trace.TraceRow(card.name, (1,)) for card in cards], name=lane)


@WHY.gives("demand_mean")
def demand_mean(evidence: PlanEvidence, scope: str, pool: str) -> trace.Trace:
    """Mean GPUs of a pool over the window, of what the log has."""
    hours, logged = evidence.project.window.hours, {workload.key for workload in evidence.project.workloads}
    splits = {} if evidence.is_today else evidence.project.scenario(evidence.scenario).splits
    rows = [
        trace.TraceRow(card.name, (quantity_of(CARD, "mean_gpus", card_inputs(evidence, card)).number,))
        for card in (replace(placed, times=1.0) for placed in evidence.cards)  # the past is as it was
        if card.pool == pool and whole_key(card.key, splits) in logged
    ]
    title = worded("Mean GPUs, {pool}", pool=pool)
    words = worded("Mean = Σ over workloads (lookback GPU-hours) ÷ {hours} h", hours=whole(hours))
    return trace.summed(title, evidence.mean_gpus[Pool(pool)], "gpus", words, rows)


# A card in the plan


OF_CARD: Final = {
    HOURS_AT: (worded("GPU-hours of {name} in {scenario}"), writing.GPU_HOURS_PER_MONTH),
    USD_AT: (worded("Cost of {name} in {scenario}"), writing.MONEY_PER_MONTH),
}


@WHY.gives_each({"card_usd": USD_AT, "card_hours": HOURS_AT})
def of_card(at: int, evidence: PlanEvidence, scope: str, key: str) -> trace.Trace:
    """$ or GPU-hours a month of one card: of contracts that serve it, and of orders and use; today its log's."""
    card, run = _card(evidence, key), run_of(evidence, key)
    costs = None if evidence.is_today or evidence.advice is None else evidence.advice.cards
    if at == HOURS_AT and (costs is None or key not in costs.gpu_hours):
        inputs = replace(card_inputs(evidence, card), more=_its_jobs(evidence, key))
        return explained(CARD, "gpu_hours_per_month", inputs)
    whole_of = (card.gpu_hours_per_month, card.usd_per_month)
    kept = (costs.contracts_gpu_hours, costs.contracts_usd) if costs else ({}, {})
    served = tuple(of.get(key) for of in kept)
    rows = [
        trace.TraceRow(worded("Its cluster's contracts while they serve it"), served),
        trace.TraceRow(
            worded("Orders and on demand in the other hours"), tuple(map(_less, whole_of, served))
        ),
    ]
    of_pool = [plan for plan in evidence.pools if plan.pool is card.pool]
    more = (
        *(((worded("The whole run"), trace.figure("planned_run_usd", key)),) if run is not None else ()),
        (worded("All of {pool}", pool=card.pool), trace.figure("column_usd", card.pool.value)),
        *((pool_words(plan), trace.figure("layer_usd", row_subject(plan, ALL))) for plan in of_pool),
        *_its_jobs(evidence, key),
    )
    shared = worded("Shared hourly by GPU time; recent hours count more.")
    note = joined((MEAN_OF_MONTHS, shared if run is None else _apart_words(evidence, run)), " ")
    title, unit = OF_CARD[at]
    title = Message(title.template, {"name": card.name, "scenario": evidence.scenario})
    words = worded("Card = Σ over hours (its share of contracts and orders)")
    return trace.summed(title, whole_of[at], unit, words, rows, CARDS, at, note=note, more=more)


def _less(whole: float | None, part: float | None) -> float | None:
    """What is left of a whole; None where one is unknown."""
    return None if whole is None or part is None else whole - part


MEAN_OF_MONTHS: Final = worded("Mean of the plan's twelve months, or the month shown.")


@WHY.sums(
    worded("Idle contracts"), writing.MONEY_PER_MONTH, worded("Idle = contract cost − the workloads' share")
)
def column_idle(evidence: PlanEvidence, scope: str, subject: str) -> Listed:
    """$ a month of contracts that serve nobody, by GPU model: with it the columns of the board are the spend."""
    rows = [
        trace.TraceRow(model or worded("GPUs of unknown model"), (usd,))
        for model, usd in evidence.idle_usd.items()
    ]
    note = "" if evidence.is_today else MEAN_OF_MONTHS
    return Listed(value=known_sum(evidence.idle_usd.values()), rows=rows, note=note)


BOUGHT_APART: Final = worded("Planned work has its own orders, which serve nothing else. No others serve it.")


def run_of(evidence: PlanEvidence, key: str) -> PlannedRunFigures | None:
    """The run that a card is of; None where it is none, or the plan is still worked out."""
    runs = () if evidence.advice is None or evidence.is_today else evidence.advice.planned_runs
    return next((run for run in runs if run.key == key), None)


def _apart_words(evidence: PlanEvidence, run: PlannedRunFigures) -> Message:
    """How a run is bought."""
    work = planned_work(evidence, run.key)
    if work is not None and not work.cluster:
        return joined((worded("No cluster: no existing contract serves it."), BOUGHT_APART), " ")
    return worded(
        "Uses {gpus} contract GPUs of its cluster, above the log's largest hour. {apart}",
        gpus=significant(run.idle_contract_gpus),
        apart=BOUGHT_APART,
    )


@WHY.gives("planned_run_usd")
def run_usd(evidence: PlanEvidence, scope: str, key: str) -> trace.Trace:
    """What all of a run costs: its orders whole, and what it pays by use."""
    run, advice = run_of(evidence, key), evidence.worked_out
    if run is None:
        raise KeyError(key)
    orders = [advice.orders[at] for at in run.orders]
    rows = [order_row(order, order.liability) for order in orders]
    work, begins_s = planned_work(evidence, key), evidence.project.plan_window.end_s
    ends_s = None if work is None else work.spell(begins_s).ends_s
    is_longer = ends_s is None or ends_s > begins_s + COMPARED_MONTHS * MONTH_S
    rest = worded("On demand and orders after 12 months") if is_longer else worded("Paid on demand")
    rows.append(trace.TraceRow(rest, (_less(run.usd, trace.sum_of(rows)),)))
    title = worded("All of {name}, {hours} h", name=_card(evidence, key).name, hours=whole(run.hours))
    words = worded("Cost = Σ over its orders (GPUs × (rate × hours + upfront)) + on-demand cost")
    columns = (trace.TraceColumn(worded("$ in all"), "usd"),)
    return trace.summed(title, run.usd, writing.MONEY, words, rows, columns, note=_apart_words(evidence, run))


def planned_work(evidence: PlanEvidence, key: str) -> PlannedWork | None:
    """The work that no log has, that a card is of; None for a card of the log."""
    if evidence.is_today or any(workload.key == key for workload in evidence.project.workloads):
        return None
    planned = evidence.project.scenario(evidence.scenario).planned
    return next((work for work in planned if work.key == key), None)


def _its_jobs(evidence: PlanEvidence, key: str) -> trace.More:
    """Planned work has none yet."""
    is_planned = planned_work(evidence, key) is not None
    return () if is_planned else ((capital(worded("its jobs")), trace.figure(trace.JOBS, key)),)


def card_inputs(evidence: PlanEvidence, card: PlacedCard) -> Inputs:
    """What went into the GPU-hours of a card."""
    values: dict[str, Number | None] = {
        "gpu_hours": Fraction(card.milli_gpu_seconds, MILLI_GPU_SECONDS_PER_GPU_HOUR),
        "times": card.times,
        "months": evidence.project.window.months,
        "month_hours": HOURS_PER_MONTH,
    }
    return Inputs(values=values, name=card.key, title=card.name)


def merged_subject(name: str, pool: Pool) -> str:
    """A merged card where it stands."""
    return f"{pool.value}\t{name}"


@WHY.gives_each({"merged_usd": USD_AT, "merged_hours": HOURS_AT})
def of_merged(at: int, evidence: PlanEvidence, scope: str, subject: str) -> trace.Trace:
    """GPU-hours or $ a month of cards that stand as one in a pool: the sum of theirs."""
    pool, name = subject.split("\t", 1)
    keys = evidence.project.scenario(evidence.scenario).merges[name]
    cards = [card for card in evidence.cards if card.key in keys and card.pool == pool]
    title = worded("Cost of {name}", name=name) if at == USD_AT else worded("GPU-hours of {name}", name=name)
    words = worded("Card = Σ over its merged cards")
    return _of_cards(title, words, cards, "card_usd", at)


# A card today, and its workload

DECIDED_BY = {
    "override": worded("you said so"),
    "label": worded("from the log"),
    "own_rule": worded("your rule's confidence"),
    "rule": worded("strongest name match, less if its use disagrees"),
    "score": worded("the class's shape points ÷ all, capped"),
}


def _whole(evidence: PlanEvidence, key: str) -> tuple[Workload, WorkloadToday]:
    """The workload of a card, of a part the one that was divided, and what the audit says of it."""
    splits = {} if evidence.is_today else evidence.project.scenario(evidence.scenario).splits
    whole = whole_key(key, splits)
    at = next(at for at, workload in enumerate(evidence.project.workloads) if workload.key == whole)
    return evidence.project.workloads[at], evidence.audit.workloads[at]


@WHY.explains(CARD_PART, part_today="cost_per_month")
def part_today(evidence: PlanEvidence, scope: str, key: str) -> Inputs:
    """What a part of a divided workload costs today: its share of the workload's cost, by GPU time."""
    card, (workload, today) = _card(evidence, key), _whole(evidence, key)
    values = (card.milli_gpu_seconds, workload.milli_gpu_seconds, today.usd_per_month)
    labels = {
        "all_gpu_time": worded("total GPU-hours of {name}", name=workload.name),
        "all_cost_per_month": worded("today's cost of {name}", name=workload.name),
    }
    given = dict(zip(PARTS_OF_CARD, values, strict=True))
    opens = {"all_cost_per_month": trace.figure("workload_cost", workload.key)}
    return Inputs(
        values=given, name=key, title=worded("{name} today", name=card.name), labels=labels, opens=opens
    )


def today_usd(evidence: PlanEvidence, key: str) -> float | None:
    """What a card costs today; of a part its share of the workload's, by GPU time."""
    workload, today = _whole(evidence, key)
    if workload.key == key:
        return today.usd_per_month
    return quantity_of(CARD_PART, "cost_per_month", part_today(evidence, "", key)).number


@WHY.explains(CARD, "change_per_month")
def card_change(evidence: PlanEvidence, scope: str, key: str) -> Inputs:
    """What one card costs more or less in the plan than today, in whole dollars as both are written."""
    card, (workload, _) = _card(evidence, key), _whole(evidence, key)
    today, usd = today_usd(evidence, key), card.usd_per_month
    values: dict[str, Number | None] = {
        "today": None if today is None else round(today),
        "in_plan": None if usd is None else round(usd),
    }
    opens = {"today": trace.figure("workload_cost" if workload.key == key else "part_today", key)}
    return Inputs(values=values, name=key, title=card.name, opens=opens)


@WHY.gives("card_class")
def card_class(evidence: PlanEvidence, scope: str, key: str) -> trace.Trace:
    """How sure the class of a card is."""
    workload, today = _whole(evidence, key)
    judged = today.classification
    reasons = joined(judged.reasons, "; ") if judged.reasons else ""
    because = reasons or worded("no reason given")
    why = worded("{pool}: {reasons}", pool=POOL_TITLES[judged.pool], reasons=because)
    return trace.listed(
        worded("{name} is {pool}", name=workload.name, pool=judged.pool),
        judged.confidence,
        writing.SHARE,
        worded("Confidence = {source}", source=DECIDED_BY.get(judged.source, judged.source)),
        (trace.TraceRow(why, (judged.confidence,)),),
        (trace.TraceColumn(worded("Confidence"), "share"),),
        trace.Adds(0),
        said_as="sure",
        symbols=(trace.Amount(judged.confidence, "share"), joined((": ", reasons)) if reasons else ""),
        note=worded("Else {runner_up}.", runner_up=judged.runner_up) if judged.runner_up else "",
        more=((capital(worded("its jobs")), trace.figure(trace.JOBS, workload.key)),),
    )


OfLog = tuple[Text, writing.Unit, Text, Callable[[Workload], float]]
OF_LOG: Final[dict[str, OfLog]] = {
    "card_jobs": (worded("Jobs"), writing.COUNT, worded("lookback rows counted"), attrgetter("jobs")),
    "card_peak": (
        worded("Peak GPUs"),
        writing.GPUS,
        worded("when most of its GPUs ran"),
        lambda workload: workload.peak_milli_gpus / 1000,
    ),
    "card_nodes": (
        worded("Nodes per job"),
        writing.COUNT,
        worded("its widest job"),
        lambda workload: workload.max_nodes or 0,
    ),
}
"""Facts of the log about a card's workload: what they are called, their unit, where in the log they are from."""


@WHY.gives_each(OF_LOG)
def of_log(of: OfLog, evidence: PlanEvidence, scope: str, key: str) -> trace.Trace:
    """How many jobs a workload has, how many GPUs ran at once at most, or how many nodes its widest job had."""
    (fact, unit, where, number), (workload, _) = of, _whole(evidence, key)
    title = worded("{what} of {name}", what=fact, name=workload.name)
    source = worded("the job log, {source}", source=where)
    return trace.read(title, number(workload), unit, source, opens=trace.figure(trace.JOBS, workload.key))


@WHY.gives("card_longest")
def card_longest(evidence: PlanEvidence, scope: str, key: str) -> trace.Trace:
    """How long the longest job ran."""
    workload, _ = _whole(evidence, key)
    return trace.over(
        worded("Longest job of {name}", name=workload.name),
        workload.longest_job_s / HOUR_S,
        "hours",
        worded("Hours = seconds from start to end ÷ {hour_s}", hour_s=whole(HOUR_S)),
        (worded("Seconds, from the job log"), workload.longest_job_s, "count"),
        (worded("Seconds in an hour"), HOUR_S, "count"),
    )


@WHY.gives("card_lost")
def card_lost(evidence: PlanEvidence, scope: str, key: str) -> trace.Trace:
    """What share of its work a workload would lose on spot."""
    workload, today = _whole(evidence, key)
    own = with_checkpoint_of(evidence.assumptions, workload, today.classification, evidence.project.needs)
    inputs = spot_inputs(own, workload.max_nodes or 1, workload.longest_job_s)
    advised = next((advice for advice in evidence.outlook.spot if advice.key == key), None)
    if advised is not None and advised.node_hours is not None:
        inputs |= {"node_hours": advised.node_hours}
    return explained(SPOT, lost_figure(inputs), Inputs(values=inputs, name=key, title=workload.name))


# What is selected


@WHY.gives_each({"selected_usd": USD_AT, "selected_hours": HOURS_AT})
def of_selected(at: int, evidence: PlanEvidence, scope: str, subject: str) -> trace.Trace:
    """GPU-hours or $ a month of the cards that are selected."""
    keys = frozenset(evidence.selected)
    cards = [card for card in evidence.cards if card.key in keys]
    measured = worded("$ per month") if at == USD_AT else worded("GPU-hours per month")
    count = len(cards)
    title = worded_count(count, "{cards} workload selected", "{cards} workloads selected", cards=whole(count))
    words = worded("{name} = Σ over the selected cards", name=measured)
    return _of_cards(title, words, cards, "workload_cost" if evidence.is_today else "card_usd", at)


def _class_of(evidence: PlanEvidence, key: str) -> Pool:
    """Of planned work the pool that it is planned for."""
    work = planned_work(evidence, key)
    return _whole(evidence, key)[1].classification.pool if work is None else work.pool


@WHY.sums(worded("Selected, {name}"), writing.COUNT, worded("Selected workloads of this class, any pool"))
def selected_class(evidence: PlanEvidence, scope: str, pool: str) -> Listed:
    """How many of the selected cards are of a class."""
    keys = [key for key in evidence.selected if _class_of(evidence, key) == pool]
    names = {card.key: card.name for card in evidence.cards}
    return Listed(value=len(keys), rows=[trace.TraceRow(names[key], (1,)) for key in keys], name=pool)
