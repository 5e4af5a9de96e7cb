"""Traces of what the side sheet says of a card: a part's share of today, its class, its jobs, spot, and of several."""

from dataclasses import replace

from gpuplanner.domain.audit.evidence.explained import Inputs, explained, quantity_of
from gpuplanner.domain.audit.evidence.trace import JOBS, Adds, Amount, Trace, TraceColumn, TraceRow, figure
from gpuplanner.domain.audit.evidence.trace_forms import over, read, summed
from gpuplanner.domain.audit.result import WorkloadToday
from gpuplanner.domain.commitment.evidence.plan_evidence import PlacedCard, PlanEvidence
from gpuplanner.domain.commitment.evidence.trace_project import planned_work
from gpuplanner.domain.commitment.recursion.spot import lost_figure, spot_inputs
from gpuplanner.domain.figures.card import CARD, CARD_PART
from gpuplanner.domain.figures.quantity import Number
from gpuplanner.domain.figures.spot import SPOT
from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.figures.units import WrittenAs
from gpuplanner.domain.message import Message, joined, worded, worded_count
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.log.workload import Workload
from gpuplanner.domain.model.pool import POOL_TITLES, Pool
from gpuplanner.domain.model.scenario.assumptions import Assumptions
from gpuplanner.domain.model.scenario.parting import whole_key
from gpuplanner.domain.model.window import HOUR_S

CARDS = (TraceColumn(worded("GPU-h\nper month"), "gpu_hours"), TraceColumn(worded("$ per\nmonth"), "usd"))
DECIDED_BY = {
    "override": worded("you said so"),
    "label": worded("the log says so"),
    "own_rule": worded("the confidence of your rule"),
    "rule": worded(
        "the surest word that speaks for the class, less where the shape of its use does not support it"
    ),
    "score": worded(
        "the points of its shape for the class, as a share of the points of all three classes, capped"
    ),
}


def _whole(evidence: PlanEvidence, key: str) -> tuple[Workload, WorkloadToday]:
    """The workload of a card, of a part the one that was divided, and what the audit says of it."""
    splits = {} if evidence.is_today else evidence.project.scenario(evidence.scenario).splits
    whole = whole_key(key, splits)
    at = next(at for at, workload in enumerate(evidence.project.workloads) if workload.key == whole)
    return evidence.project.workloads[at], evidence.audit.workloads[at]


def _card(evidence: PlanEvidence, key: str) -> PlacedCard:
    return next(card for card in evidence.cards if card.key == key)


def part_today_row(evidence: PlanEvidence, key: str) -> Inputs:
    """What went into the cost of a part today: its share of the workload's, by GPU time."""
    card, (workload, today) = _card(evidence, key), _whole(evidence, key)
    values: dict[str, Number | None] = {
        "gpu_time": card.milli_gpu_seconds,
        "all_gpu_time": workload.milli_gpu_seconds,
        "all_cost_per_month": today.usd_per_month,
    }
    labels = {
        "all_gpu_time": worded("GPU-hours of all of {name}", name=workload.name),
        "all_cost_per_month": worded("cost of all of {name} today", name=workload.name),
    }
    opens = {"all_cost_per_month": figure("workload_cost", workload.key)}
    return Inputs(values, key, worded("{name} today", name=card.name), labels=labels, opens=opens)


def today_usd(evidence: PlanEvidence, key: str) -> float | None:
    """What a card costs today; of a part its share of the workload's, by GPU time."""
    workload, today = _whole(evidence, key)
    if workload.key == key:
        return today.usd_per_month
    return quantity_of(CARD_PART, "cost_per_month", part_today_row(evidence, key)).number


def part_today(evidence: PlanEvidence, scope: str, key: str) -> Trace:
    """What a part of a divided workload costs today."""
    found = explained(CARD_PART, "cost_per_month", part_today_row(evidence, key))
    return replace(found, figure_id=figure("part_today", key))


def card_change(evidence: PlanEvidence, scope: str, key: str) -> Trace:
    """What one card costs more or less in the plan than today, in whole dollars as both are written."""
    card, (workload, _) = _card(evidence, key), _whole(evidence, key)
    today, usd = today_usd(evidence, key), card.usd_per_month
    values: dict[str, Number | None] = {
        "today": None if today is None else round(today),
        "in_plan": None if usd is None else round(usd),
    }
    opens = {"today": figure("workload_cost" if workload.key == key else "part_today", key)}
    return explained(CARD, "change_per_month", Inputs(values, key, card.name, opens=opens))


def card_class(evidence: PlanEvidence, scope: str, key: str) -> Trace:
    """How sure the class of a card is."""
    workload, today = _whole(evidence, key)
    found = today.classification
    reasons = joined(found.reasons, "; ") if found.reasons else ""
    why = worded(
        "{pool}: {reasons}",
        pool=POOL_TITLES[found.pool],
        reasons=reasons or worded("no reason was given"),
    )
    return Trace(
        figure("card_class", key),
        worded("{name} is {pool}", name=workload.name, pool=found.pool),
        found.confidence,
        "share",
        "sure",
        worded("Confidence = {source}", source=DECIDED_BY.get(found.source, found.source)),
        (Amount(found.confidence, "share"), joined((": ", reasons)) if reasons else ""),
        (TraceColumn(worded("Confidence"), "share"),),
        (TraceRow(why, (found.confidence,)),),
        Adds(0),
        worded("Else {runner_up}.", runner_up=found.runner_up) if found.runner_up else "",
        more=((worded("Its jobs"), figure(JOBS, workload.key)),),
    )


def _of_workload(
    evidence: PlanEvidence, key: str, kind: str, what: Message, value: float, unit: WrittenAs, source: Message
) -> Trace:
    """A fact of the log about a card's workload. source: where in the log it is from."""
    workload, _ = _whole(evidence, key)
    return read(
        figure(kind, key),
        worded("{what} of {name}", what=what, name=workload.name),
        value,
        unit,
        worded("the job log, {source}", source=source),
        opens=figure(JOBS, workload.key),
    )


def card_jobs(evidence: PlanEvidence, scope: str, key: str) -> Trace:
    """How many jobs a workload has."""
    jobs = _whole(evidence, key)[0].jobs
    return _of_workload(
        evidence, key, "card_jobs", worded("Jobs"), jobs, "count", worded("rows that count in the window")
    )


def card_peak(evidence: PlanEvidence, scope: str, key: str) -> Trace:
    """How many GPUs ran at once at most."""
    gpus = _whole(evidence, key)[0].peak_milli_gpus / 1000
    source = worded("the second in which most GPUs of its jobs ran at once")
    return _of_workload(evidence, key, "card_peak", worded("Peak GPUs"), gpus, "gpus", source)


def card_nodes(evidence: PlanEvidence, scope: str, key: str) -> Trace:
    """How many nodes the widest job had."""
    nodes = _whole(evidence, key)[0].max_nodes or 0
    return _of_workload(
        evidence, key, "card_nodes", worded("Nodes of a job"), nodes, "count", worded("its widest job")
    )


def card_longest(evidence: PlanEvidence, scope: str, key: str) -> Trace:
    """How long the longest job ran."""
    workload, _ = _whole(evidence, key)
    return over(
        figure("card_longest", key),
        worded("Longest job of {name}", name=workload.name),
        workload.longest_job_s / HOUR_S,
        "hours",
        worded("Hours = seconds from its start to its end \u00f7 {hour_s}", hour_s=whole(HOUR_S)),
        (worded("Seconds, from the job log"), workload.longest_job_s),
        (worded("Seconds in an hour"), HOUR_S),
        ("count", "count"),
    )


def card_lost(evidence: PlanEvidence, scope: str, key: str) -> Trace:
    """What share of its work a workload would lose on spot."""
    workload, _ = _whole(evidence, key)
    inputs = spot_inputs(_assumptions(evidence), workload.max_nodes or 1, workload.longest_job_s)
    return explained(SPOT, lost_figure(inputs), Inputs(inputs, key, title=workload.name))


def _assumptions(evidence: PlanEvidence) -> Assumptions:
    """Those in force: on Today the project's own."""
    project = evidence.project
    return (
        project.assumptions
        if evidence.is_today
        else project.assumptions_in(project.scenario(evidence.scenario))
    )


def selected_usd(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
    """$ a month of the cards that are selected."""
    return _selected(evidence, "selected_usd", 1)


def selected_hours(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
    """GPU-hours a month of the cards that are selected."""
    return _selected(evidence, "selected_hours", 0)


def _selected(evidence: PlanEvidence, kind: str, column: int) -> Trace:
    """A sum over the cards that are selected. column: 0 for GPU-hours, 1 for $."""
    keys = frozenset(evidence.selected)
    cards = [card for card in evidence.cards if card.key in keys]
    of_card = "workload_cost" if evidence.is_today else "card_usd"
    rows = [
        TraceRow(card.name, (card.gpu_hours_per_month, card.usd_per_month), figure(of_card, card.key))
        for card in sorted(cards, key=lambda card: -(card.usd_per_month or 0.0))
    ]
    usd, hours = (
        known_sum(card.usd_per_month for card in cards),
        sum(card.gpu_hours_per_month for card in cards),
    )
    what = worded("$ per month") if column else worded("GPU-hours per month")
    return summed(
        figure(kind),
        worded_count(
            len(cards), "{cards} workload selected", "{cards} workloads selected", cards=whole(len(cards))
        ),
        usd if column else hours,
        "usd" if column else "gpu_hours",
        worded("{what} = \u03a3 over the selected cards", what=what),
        rows,
        columns=CARDS,
        column=column,
        said_as=worded("per month"),
    )


def _class_of(evidence: PlanEvidence, key: str) -> Pool:
    """Of planned work the pool that it is planned for."""
    work = planned_work(evidence, key)
    return _whole(evidence, key)[1].classification.pool if work is None else work.pool


def selected_class(evidence: PlanEvidence, scope: str, pool: str) -> Trace:
    """How many of the selected cards are of a class."""
    found = [key for key in evidence.selected if _class_of(evidence, key) == pool]
    names = {card.key: card.name for card in evidence.cards}
    rows = [TraceRow(names[key], (1,)) for key in found]
    words = worded("Workloads = those selected whose class this is, wherever they stand")
    return summed(
        figure("selected_class", pool),
        worded("Selected, {pool}", pool=pool),
        len(found),
        "count",
        words,
        rows,
    )
