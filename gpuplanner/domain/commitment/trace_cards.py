"""Traces of what the side sheet says of a card: a part's share of today, its class, its jobs, spot, and of several."""

from gpuplanner.domain.audit.result import WorkloadToday
from gpuplanner.domain.audit.trace import JOBS, Adds, Quantity, Trace, TraceColumn, TraceRow, Unit, figure
from gpuplanner.domain.audit.trace_forms import over, product, read, summed
from gpuplanner.domain.commitment.plan_trail import PlacedCard, PlanTrail
from gpuplanner.domain.commitment.spot import lost_share
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.parting import whole_key
from gpuplanner.domain.model.workload import Workload

CARDS = (TraceColumn("GPU-h\nper month", "gpu_hours"), TraceColumn("$ per\nmonth", "usd"))
DECIDED_BY = {
    "override": "you said so",
    "label": "the log says so",
    "own_rule": "the confidence of your rule",
    "rule": "the surest word that speaks for the class, less where the shape of its use does not support it",
    "score": "the points of its shape for the class, as a share of the points of all three classes, capped",
}


def _whole(trail: PlanTrail, key: str) -> tuple[Workload, WorkloadToday]:
    """The workload of a card, of a part the one that was divided, and what the audit says of it."""
    splits = {} if trail.is_today else trail.project.scenario(trail.scenario).splits
    whole = whole_key(key, splits)
    at = next(at for at, workload in enumerate(trail.project.workloads) if workload.key == whole)
    return trail.project.workloads[at], trail.audit.workloads[at]


def _card(trail: PlanTrail, key: str) -> PlacedCard:
    return next(card for card in trail.cards if card.key == key)


def _share_of_whole(trail: PlanTrail, card: PlacedCard, workload: Workload) -> float | None:
    """What part of the workload's GPU time a card has, for as often as its pool is planned with the log."""
    hours = workload.gpu_hours / trail.project.window.months * trail.demand.get(card.pool, 1.0)
    return card.gpu_hours_per_month / hours if hours else None


def today_usd(trail: PlanTrail, key: str) -> float | None:
    """What a card costs today; of a part its share of the workload's, by GPU time."""
    card, (workload, today) = _card(trail, key), _whole(trail, key)
    if workload.key == key or today.usd_per_month is None:
        return today.usd_per_month
    share = _share_of_whole(trail, card, workload)
    return None if share is None else today.usd_per_month * share


def part_today(trail: PlanTrail, scope: str, key: str) -> Trace:
    """What a part of a divided workload costs today."""
    card, (workload, today) = _card(trail, key), _whole(trail, key)
    return product(
        figure("part_today", key),
        f"Cost of {card.name} today",
        today_usd(trail, key),
        "usd",
        "Cost = what the whole workload costs today \u00d7 the part's share of its GPU time",
        (
            (f"All of {workload.name}, today", today.usd_per_month, "usd"),
            ("Share of its GPU time", _share_of_whole(trail, card, workload), "exact"),
        ),
        said_as="per month",
        more=((f"All of {workload.name}", figure("workload_cost", workload.key)),),
    )


def card_change(trail: PlanTrail, scope: str, key: str) -> Trace:
    """What one card costs more or less in the plan than today, in whole dollars as both are written."""
    card, (workload, _) = _card(trail, key), _whole(trail, key)
    today, usd = today_usd(trail, key), card.usd_per_month
    of_today = figure("workload_cost" if workload.key == key else "part_today", key)
    rows = (
        TraceRow(f"In {trail.scenario}", (None if usd is None else round(usd),), figure("card_usd", key)),
        TraceRow("Less: today", (None if today is None else -round(today),), of_today),
    )
    change = None if usd is None or today is None else round(usd) - round(today)
    words = "Change = cost in the plan \u2212 cost today"
    of, title = figure("card_change", key), f"Change of {card.name}"
    return summed(of, title, change, "usd", words, rows, said_as="per month")


def card_class(trail: PlanTrail, scope: str, key: str) -> Trace:
    """How sure the class of a card is."""
    workload, today = _whole(trail, key)
    found = today.classification
    reasons = "; ".join(found.reasons)
    return Trace(
        figure("card_class", key),
        f"{workload.name} is {found.pool}",
        found.confidence,
        "share",
        "sure",
        f"Confidence = {DECIDED_BY.get(found.source, found.source)}",
        (Quantity(found.confidence, "share"), f": {reasons}" if reasons else ""),
        (TraceColumn("Confidence", "share"),),
        (TraceRow(f"{found.pool.capitalize()}: {reasons or 'no reason was given'}", (found.confidence,)),),
        Adds(0),
        f"Else {found.runner_up}." if found.runner_up else "",
        more=(("Its jobs", figure(JOBS, workload.key)),),
    )


def _of_workload(
    trail: PlanTrail, key: str, kind: str, what: str, value: float, unit: Unit, source: str
) -> Trace:
    workload, _ = _whole(trail, key)
    return read(
        figure(kind, key),
        f"{what} of {workload.name}",
        value,
        unit,
        f"the job log, {source}",
        opens=figure(JOBS, workload.key),
    )


def card_jobs(trail: PlanTrail, scope: str, key: str) -> Trace:
    """How many jobs a workload has."""
    jobs = _whole(trail, key)[0].jobs
    return _of_workload(trail, key, "card_jobs", "Jobs", jobs, "count", "rows that count in the window")


def card_peak(trail: PlanTrail, scope: str, key: str) -> Trace:
    """How many GPUs ran at once at most."""
    gpus = _whole(trail, key)[0].peak_milli_gpus / 1000
    source = "the second in which most GPUs of its jobs ran at once"
    return _of_workload(trail, key, "card_peak", "Peak GPUs", gpus, "gpus", source)


def card_nodes(trail: PlanTrail, scope: str, key: str) -> Trace:
    """How many nodes the widest job had."""
    nodes = _whole(trail, key)[0].max_nodes or 0
    return _of_workload(trail, key, "card_nodes", "Nodes of a job", nodes, "count", "its widest job")


def card_longest(trail: PlanTrail, scope: str, key: str) -> Trace:
    """How long the longest job ran."""
    workload, _ = _whole(trail, key)
    return over(
        figure("card_longest", key),
        f"Longest job of {workload.name}",
        workload.longest_job_s / 3600,
        "hours",
        "Hours = seconds from its start to its end \u00f7 3,600",
        ("Seconds, from the job log", workload.longest_job_s),
        ("Seconds in an hour", 3600),
        ("count", "count"),
    )


def card_lost(trail: PlanTrail, scope: str, key: str) -> Trace:
    """What share of its work a workload would lose on spot."""
    workload, _ = _whole(trail, key)
    values = _assumptions(trail)
    nodes, longest_h = workload.max_nodes or 1, workload.longest_job_s / 3600
    lost = lost_share(values, nodes, workload.longest_job_s)
    mean_h, restart_h = values.spot_node_mtbf_hours / nodes, values.spot_restart_minutes / 60
    interval_h = values.spot_interval_hours
    has_checkpoints = longest_h >= interval_h
    again = (interval_h if has_checkpoints else longest_h) / 2 / mean_h
    rows = [
        TraceRow(f"Work done again: half of {'an interval' if has_checkpoints else 'the job'} \u00f7 hours between "
                 "interruptions", (again,)),
        TraceRow("Restarts: their time \u00f7 hours between interruptions", (restart_h / mean_h,)),
    ]  # fmt: skip
    if has_checkpoints:
        written = values.spot_checkpoint_minutes / 60 / interval_h
        rows.insert(0, TraceRow("Checkpoints: time to write one \u00f7 interval between them", (written,)))
    return summed(
        figure("card_lost", key),
        f"Lost on spot by {workload.name}",
        lost,
        "share",
        "Lost = checkpoints + work that is done again + restarts, as shares of the time",
        rows,
        said_as="of its work",
        note=f"Interrupted every {mean_h:.4g} h: {values.spot_node_mtbf_hours:g} h for a node \u00f7 {nodes} nodes of "
        "its widest job. Young 1974, Daly 2006.",
    )


def _assumptions(trail: PlanTrail) -> Assumptions:
    project = trail.project
    return project.assumptions if trail.is_today else project.assumptions_in(project.scenario(trail.scenario))


def selected_usd(trail: PlanTrail, scope: str, subject: str) -> Trace:
    """$ a month of the cards that are selected."""
    return _selected(trail, "selected_usd", 1)


def selected_hours(trail: PlanTrail, scope: str, subject: str) -> Trace:
    """GPU-hours a month of the cards that are selected."""
    return _selected(trail, "selected_hours", 0)


def _selected(trail: PlanTrail, kind: str, column: int) -> Trace:
    keys = frozenset(trail.selected)
    cards = [card for card in trail.cards if card.key in keys]
    of_card = "workload_cost" if trail.is_today else "card_usd"
    rows = [
        TraceRow(card.name, (card.gpu_hours_per_month, card.usd_per_month), figure(of_card, card.key))
        for card in sorted(cards, key=lambda card: -(card.usd_per_month or 0.0))
    ]
    usd, hours = (
        known_sum(card.usd_per_month for card in cards),
        sum(card.gpu_hours_per_month for card in cards),
    )
    what = "$ per month" if column else "GPU-hours per month"
    return summed(
        figure(kind),
        f"{len(cards):,} {'workload' if len(cards) == 1 else 'workloads'} selected",
        usd if column else hours,
        "usd" if column else "gpu_hours",
        f"{what} = \u03a3 over the selected cards",
        rows,
        columns=CARDS,
        column=column,
        said_as="per month",
    )


def selected_class(trail: PlanTrail, scope: str, pool: str) -> Trace:
    """How many of the selected cards are of a class."""
    found = [key for key in trail.selected if _whole(trail, key)[1].classification.pool == pool]
    names = {card.key: card.name for card in trail.cards}
    rows = [TraceRow(names[key], (1,)) for key in found]
    words = "Workloads = those selected whose class this is, wherever they stand"
    return summed(figure("selected_class", pool), f"Selected, {pool}", len(found), "count", words, rows)
