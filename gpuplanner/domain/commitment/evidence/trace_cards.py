"""Traces of what the side sheet says of a card: a part's share of today, its class, its jobs, spot, and of several."""

from gpuplanner.domain.audit.evidence.trace import JOBS, Adds, Amount, Trace, TraceColumn, TraceRow, figure
from gpuplanner.domain.audit.evidence.trace_forms import over, product, read, summed
from gpuplanner.domain.audit.result import WorkloadToday
from gpuplanner.domain.commitment.evidence.plan_evidence import PlacedCard, PlanEvidence
from gpuplanner.domain.commitment.evidence.trace_project import planned_work
from gpuplanner.domain.commitment.recursion.spot import lost_share
from gpuplanner.domain.figures.units import WrittenAs
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.log.workload import Workload
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.scenario.assumptions import Assumptions
from gpuplanner.domain.model.scenario.parting import whole_key
from gpuplanner.domain.model.worded import joined, worded, worded_count

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


def _share_of_whole(evidence: PlanEvidence, card: PlacedCard, workload: Workload) -> float | None:
    """What part of the workload's GPU time a card has, for as often as its pool is planned with the log."""
    hours = workload.gpu_hours / evidence.project.window.months * evidence.demand.get(card.pool, 1.0)
    return card.gpu_hours_per_month / hours if hours else None


def today_usd(evidence: PlanEvidence, key: str) -> float | None:
    """What a card costs today; of a part its share of the workload's, by GPU time."""
    card, (workload, today) = _card(evidence, key), _whole(evidence, key)
    if workload.key == key or today.usd_per_month is None:
        return today.usd_per_month
    share = _share_of_whole(evidence, card, workload)
    return None if share is None else today.usd_per_month * share


def part_today(evidence: PlanEvidence, scope: str, key: str) -> Trace:
    """What a part of a divided workload costs today."""
    card, (workload, today) = _card(evidence, key), _whole(evidence, key)
    return product(
        figure("part_today", key),
        worded("Cost of {name} today", name=card.name),
        today_usd(evidence, key),
        "usd",
        worded("Cost = what the whole workload costs today \u00d7 the part's share of its GPU time"),
        (
            (worded("All of {name}, today", name=workload.name), today.usd_per_month, "usd"),
            (worded("Share of its GPU time"), _share_of_whole(evidence, card, workload), "exact"),
        ),
        said_as=worded("per month"),
        more=((worded("All of {name}", name=workload.name), figure("workload_cost", workload.key)),),
    )


def card_change(evidence: PlanEvidence, scope: str, key: str) -> Trace:
    """What one card costs more or less in the plan than today, in whole dollars as both are written."""
    card, (workload, _) = _card(evidence, key), _whole(evidence, key)
    today, usd = today_usd(evidence, key), card.usd_per_month
    of_today = figure("workload_cost" if workload.key == key else "part_today", key)
    rows = (
        TraceRow(
            worded("In {scenario}", scenario=evidence.scenario),
            (None if usd is None else round(usd),),
            figure("card_usd", key),
        ),
        TraceRow(worded("Less: today"), (None if today is None else -round(today),), of_today),
    )
    change = None if usd is None or today is None else round(usd) - round(today)
    words = worded("Change = cost in the plan \u2212 cost today")
    of, title = figure("card_change", key), worded("Change of {name}", name=card.name)
    return summed(of, title, change, "usd", words, rows, said_as=worded("per month"))


def card_class(evidence: PlanEvidence, scope: str, key: str) -> Trace:
    """How sure the class of a card is."""
    workload, today = _whole(evidence, key)
    found = today.classification
    reasons = joined(found.reasons, "; ") if found.reasons else ""
    why = worded(
        "{pool}: {reasons}",
        pool=worded(found.pool.capitalize()),
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
    evidence: PlanEvidence, key: str, kind: str, what: str, value: float, unit: WrittenAs, source: str
) -> Trace:
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
        workload.longest_job_s / 3600,
        "hours",
        worded("Hours = seconds from its start to its end \u00f7 3,600"),
        (worded("Seconds, from the job log"), workload.longest_job_s),
        (worded("Seconds in an hour"), 3600),
        ("count", "count"),
    )


def card_lost(evidence: PlanEvidence, scope: str, key: str) -> Trace:
    """What share of its work a workload would lose on spot."""
    workload, _ = _whole(evidence, key)
    values = _assumptions(evidence)
    nodes, longest_h = workload.max_nodes or 1, workload.longest_job_s / 3600
    lost = lost_share(values, nodes, workload.longest_job_s)
    mean_h, restart_h = values.spot_node_mtbf_hours / nodes, values.spot_restart_minutes / 60
    interval_h = values.spot_interval_hours
    has_checkpoints = longest_h >= interval_h
    again = (interval_h if has_checkpoints else longest_h) / 2 / mean_h
    rows = [
        TraceRow(
            worded("Work done again: half of an interval \u00f7 hours between interruptions")
            if has_checkpoints
            else worded("Work done again: half of the job \u00f7 hours between interruptions"),
            (again,),
        ),
        TraceRow(worded("Restarts: their time \u00f7 hours between interruptions"), (restart_h / mean_h,)),
    ]  # fmt: skip
    if has_checkpoints:
        written = values.spot_checkpoint_minutes / 60 / interval_h
        rows.insert(
            0, TraceRow(worded("Checkpoints: time to write one \u00f7 interval between them"), (written,))
        )
    return summed(
        figure("card_lost", key),
        worded("Lost on spot by {name}", name=workload.name),
        lost,
        "share",
        worded("Lost = checkpoints + work that is done again + restarts, as shares of the time"),
        rows,
        said_as=worded("of its work"),
        note=worded(
            "Interrupted every {mean_h} h: {spot_node_mtbf_hours} h for a node \u00f7 {nodes} nodes of its "
            "widest job. Young 1974, Daly 2006.",
            mean_h=f"{mean_h:.4g}",
            spot_node_mtbf_hours=f"{values.spot_node_mtbf_hours:g}",
            nodes=nodes,
        ),
    )


def _assumptions(evidence: PlanEvidence) -> Assumptions:
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
            len(cards), "{cards} workload selected", "{cards} workloads selected", cards=f"{len(cards):,}"
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
