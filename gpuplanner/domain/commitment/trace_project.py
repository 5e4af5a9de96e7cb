"""Traces of what the window counts: columns of the board, demand, what is loaded, offers side by side."""

from gpuplanner.domain.audit.trace import JOBS, Trace, TraceColumn, TraceRow, figure
from gpuplanner.domain.audit.trace_forms import over, product, read, summed
from gpuplanner.domain.commitment.plan_trail import PlacedCard, PlanTrail
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.merging import merge_of
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.price_book import all_in
from gpuplanner.domain.model.window import HOURS_PER_MONTH

REVIEW = "review"
CARDS = (TraceColumn("GPU-h\nper month", "gpu_hours"), TraceColumn("$ per\nmonth", "usd"))
LIKELY = "Cards in review are counted in their likely pool."


def _in_column(trail: PlanTrail, lane: str) -> list[PlacedCard]:
    """The cards of a column; a pool counts those in review that are likely to belong to it."""
    if lane == REVIEW:
        return [card for card in trail.cards if card.in_review]
    return [card for card in trail.cards if card.pool == lane]


def column_usd(trail: PlanTrail, scope: str, lane: str) -> Trace:
    """$ a month of a column of the board. scope "review": of what in it is still to be decided."""
    return _column(trail, scope, lane, "column_usd", 1)


def column_hours(trail: PlanTrail, scope: str, lane: str) -> Trace:
    """GPU-hours a month of a column."""
    return _column(trail, scope, lane, "column_hours", 0)


def _column(trail: PlanTrail, scope: str, lane: str, kind: str, at: int) -> Trace:
    cards = [card for card in _in_column(trail, lane) if not scope or card.in_review]
    rows = [
        TraceRow(
            card.name,
            (card.gpu_hours_per_month, card.usd_per_month),
            figure("workload_cost", card.key) if trail.is_today else "",
        )
        for card in sorted(cards, key=lambda card: -(card.usd_per_month or card.gpu_hours_per_month))
    ]
    usd = known_sum(card.usd_per_month for card in cards)
    value = usd if at else sum(card.gpu_hours_per_month for card in cards)
    words = (
        "Column = \u03a3 over its cards of GPU-hours \u00d7 the mean rate of what serves them in "
        + ("the past" if trail.is_today else "the plan")
        if at
        else "Column = \u03a3 over its cards of GPU-hours in the window \u00f7 its months of 730 h"
    )
    return summed(
        figure(kind, lane, scope),
        f"{lane.capitalize()} column{', in review' if scope else ''}",
        value,
        "usd" if at else "gpu_hours",
        words,
        rows,
        columns=CARDS,
        column=at,
        said_as="per month",
        note=_counted(trail, cards, of_review=lane == REVIEW or bool(scope)),
    )


def _counted(trail: PlanTrail, cards: list[PlacedCard], *, of_review: bool) -> str:
    """How many cards the board shows of these workloads, and how many of them are still in review."""
    merges = {} if trail.is_today else trail.project.scenario(trail.scenario).merges
    placed = [card for card in cards if of_review or not card.in_review]
    shown = {(name, card.pool) if (name := merge_of(card.key, merges)) else card.key for card in placed}
    words = f"{len(placed):,} {'workload' if len(placed) == 1 else 'workloads'}"
    said = f"{words} on {len(shown):,} cards" if len(shown) < len(placed) else f"{words} in the column"
    if of_review:
        return f"{said}. {LIKELY}"
    left = len(cards) - len(placed)
    return f"{said}, and {left:,} in review. {LIKELY}" if left else f"{said}."


def _card(trail: PlanTrail, key: str) -> PlacedCard:
    return next(card for card in trail.cards if card.key == key)


def card_usd(trail: PlanTrail, scope: str, key: str) -> Trace:
    """$ a month of one card in the plan: its GPU-hours at the mean rate of what serves them."""
    card = _card(trail, key)
    usd, hours = card.usd_per_month, card.gpu_hours_per_month
    rate = None if usd is None or not hours else usd / hours
    return product(
        figure("card_usd", key),
        f"Cost of {card.name} in {trail.scenario}",
        usd,
        "usd",
        "Cost = GPU-hours \u00d7 mean rate of the layers that serve its pool and GPU model",
        (
            ("GPU-hours a month", hours, "gpu_hours"),
            (f"$ per GPU-hour, mean of the layers of {card.pool}", rate, "exact"),
        ),
        said_as="per month",
        note="A pool's $ a month is shared by its workloads in proportion to their GPU-hours of each GPU model.",
        more=(
            ("Its GPU-hours", figure("card_hours", key)),
            (f"All of {card.pool}", figure("column_usd", card.pool.value)),
            ("Its jobs", figure(JOBS, card.key)),
        ),
    )


def card_hours(trail: PlanTrail, scope: str, key: str) -> Trace:
    """GPU-hours a month of one card."""
    card = _card(trail, key)
    months = trail.project.window.months
    return over(
        figure("card_hours", key),
        f"GPU-hours of {card.name}",
        card.gpu_hours_per_month,
        "gpu_hours",
        "GPU-hours a month = GPU-hours of its jobs in the window \u00f7 months of 730 h",
        ("GPU-hours in the window, as the plan counts them", card.gpu_hours_per_month * months),
        ("Months of 730 h", months),
        ("gpu_hours", "exact"),
        said_as="per month",
        more=(("Its jobs", figure(JOBS, card.key)),),
    )


def merged_subject(name: str, pool: Pool) -> str:
    """A merged card where it stands."""
    return f"{pool.value}\t{name}"


def merged_usd(trail: PlanTrail, scope: str, subject: str) -> Trace:
    """$ a month of cards that stand as one: the sum of theirs."""
    return _merged(trail, "merged_usd", subject)


def merged_hours(trail: PlanTrail, scope: str, subject: str) -> Trace:
    """GPU-hours a month of cards that stand as one."""
    return _merged(trail, "merged_hours", subject)


def _merged(trail: PlanTrail, kind: str, subject: str) -> Trace:
    pool, name = subject.split("\t", 1)
    keys = trail.project.scenario(trail.scenario).merges[name]
    cards = [card for card in trail.cards if card.key in keys and card.pool == pool]
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
        f"{'Cost' if is_money else 'GPU-hours'} of {name}",
        usd if is_money else hours,
        "usd" if is_money else "gpu_hours",
        f"{'Cost' if is_money else 'GPU-hours'} = \u03a3 over the cards that are merged in it",
        rows,
        columns=CARDS,
        column=1 if is_money else 0,
        said_as="per month",
    )


def column_cards(trail: PlanTrail, scope: str, lane: str) -> Trace:
    """How many cards a column counts. scope "review": of a pool, those still to be decided."""
    cards = [card for card in _in_column(trail, lane) if lane == REVIEW or card.in_review == bool(scope)]
    rows = [TraceRow(card.name, (1,)) for card in cards]
    return summed(
        figure("column_cards", lane, scope),
        f"Cards of {lane}",
        len(cards),
        "count",
        "Cards = workloads in the column",
        rows,
    )


def demand_mean(trail: PlanTrail, scope: str, pool: str) -> Trace:
    """Mean GPUs of a pool over the window."""
    hours = trail.project.window.hours
    cards = [card for card in trail.cards if card.pool == pool]
    rows = [TraceRow(card.name, (card.gpu_hours_per_month / HOURS_PER_MONTH,)) for card in cards]
    value = trail.mean_gpus[Pool(pool)]
    return summed(
        figure("demand_mean", pool),
        f"Mean GPUs, {pool}",
        value,
        "gpus",
        f"Mean = \u03a3 over workloads of GPU-hours in the window \u00f7 {hours:,} h",
        rows,
    )


# What is loaded


def loaded_jobs(trail: PlanTrail, scope: str, subject: str) -> Trace:
    """Jobs that count, of how many rows."""
    project = trail.project
    files = [file for file in project.intake if file.kind == "jobs"]
    columns = (
        TraceColumn("Read", "count"),
        TraceColumn("Rejected", "count"),
        TraceColumn("Repeated", "count"),
        TraceColumn("Ignored", "count"),
        TraceColumn("Accepted", "count"),
    )
    rows = [
        TraceRow(
            file.path.replace("\\", "/").rsplit("/", 1)[-1],
            (file.rows_read, file.rows_rejected, file.rows_duplicate, file.rows_ignored, file.rows_accepted),
        )
        for file in files
    ]
    accepted = sum(file.rows_accepted for file in files)
    if accepted != project.jobs.count:
        rows.append(
            TraceRow("Outside of the window", (None, None, None, None, project.jobs.count - accepted))
        )
    return summed(
        figure("loaded_jobs"),
        "Jobs",
        project.jobs.count,
        "count",
        "Jobs = rows read \u2212 rejected \u2212 repeated \u2212 ignored, in the window",
        rows,
        columns=columns,
        column=4,
    )


def loaded_workloads(trail: PlanTrail, scope: str, subject: str) -> Trace:
    """Workloads, by cluster."""
    counts: dict[str, int] = {}
    for workload in trail.project.workloads:
        counts[workload.cluster] = counts.get(workload.cluster, 0) + 1
    rows = [TraceRow(cluster, (count,)) for cluster, count in sorted(counts.items())]
    words = "A workload is what runs under one name of one owner on one cluster"
    return summed(figure("loaded_workloads"), "Workloads", len(trail.project.workloads), "count", words, rows)


def loaded_clusters(trail: PlanTrail, scope: str, subject: str) -> Trace:
    """Clusters of the log and of contracts."""
    names = {row.cluster for row in trail.project.workloads} | {
        row.cluster for row in trail.project.contracts
    }
    rows = [TraceRow(name, (1,)) for name in sorted(names)]
    words = "Clusters that the log or a contract names"
    return summed(figure("loaded_clusters"), "Clusters", len(names), "count", words, rows)


def loaded_gpus(trail: PlanTrail, scope: str, subject: str) -> Trace:
    """GPUs under all contracts."""
    contracts = trail.project.contracts
    rows = [
        TraceRow(row.contract_id, (row.gpus,), figure("contract_usd", row.contract_id)) for row in contracts
    ]
    total = sum(row.gpus for row in contracts)
    return summed(figure("loaded_gpus"), "GPUs", total, "gpus", "GPUs = \u03a3 over contracts", rows)


def loaded_hours(trail: PlanTrail, scope: str, subject: str) -> Trace:
    """Hours of the window."""
    hours = trail.project.window.hours
    return read(
        figure("loaded_hours"),
        "Window",
        hours,
        "hours",
        "the log, from its first to its last whole hour, or the window you set",
    )


# Offers


def offer_rate(trail: PlanTrail, scope: str, offer_id: str) -> Trace:
    """A rate of the price book. scope: low, high, or "": the one that counts."""
    offer = trail.offer(offer_id)
    value = {"low": offer.rate_low, "high": offer.rate_high, "": offer.rate}[scope]
    parts = (offer.provider, offer.region, offer.source, f"of {offer.as_of}" if offer.as_of else "")
    said = {"low": ", low", "high": ", high", "": ""}[scope]
    return read(
        figure("offer_rate", offer_id, scope),
        f"Rate of {offer_id}{said}",
        None if value is None else float(value),
        "rate",
        "the price list",
        note=". ".join(part for part in parts if part),
    )


def offer_all_in(trail: PlanTrail, scope: str, offer_id: str) -> Trace:
    """A rate with egress."""
    found = all_in(trail.offer(offer_id), trail.egress_gb_per_gpu_hour)
    egress = found.total - found.rate if found.total is not None and found.rate is not None else None
    rows = [
        TraceRow("Rate", (found.rate,), figure("offer_rate", offer_id)),
        TraceRow(f"Egress of {trail.egress_gb_per_gpu_hour or 0:g} GB an hour", (egress,)),
    ]
    words = "All in = rate + GB that a GPU sends out in an hour \u00d7 $ per GB"
    return summed(figure("offer_all_in", offer_id), f"All in: {offer_id}", found.total, "rate", words, rows)


def offer_below(trail: PlanTrail, scope: str, subject: str) -> Trace:
    """How far an offer is below another. scope: the other one."""
    offer, chosen = trail.offer(subject), trail.offer(scope)
    share = offer.rate / chosen.rate if offer.rate and chosen.rate else None
    rows = [
        TraceRow(f"{scope}, the chosen one", (chosen.rate, None if share is None else 1.0)),
        TraceRow(f"Less: {subject} as a share of it", (offer.rate, None if share is None else -share)),
    ]
    columns = (TraceColumn("$ per\nGPU-h", "rate"), TraceColumn("Share", "share"))
    return summed(
        figure("offer_below", subject, scope),
        f"{subject} below {scope}",
        None if share is None else 1 - share,
        "share",
        "Below = 1 \u2212 its rate \u00f7 the rate of the chosen one",
        rows,
        columns=columns,
        column=1,
    )
