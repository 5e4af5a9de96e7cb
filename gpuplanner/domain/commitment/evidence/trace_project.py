"""Traces of what the window counts: columns of the board, demand, what is loaded, offers side by side."""

from gpuplanner.domain.audit.evidence.trace import JOBS, Trace, TraceColumn, TraceRow, figure
from gpuplanner.domain.audit.evidence.trace_forms import over, product, read, summed
from gpuplanner.domain.commitment.demand.flows import pieces_of_months, schedules_for, shares_of_month_0
from gpuplanner.domain.commitment.evidence.plan_evidence import PlacedCard, PlanEvidence
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.units import WrittenAs
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.book.price_book import all_in
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.scenario.dated import PlannedWork
from gpuplanner.domain.model.scenario.merging import merge_of
from gpuplanner.domain.model.window import HOURS_PER_MONTH
from gpuplanner.domain.model.worded import worded, worded_count

REVIEW = "review"
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


def _counted(evidence: PlanEvidence, cards: list[PlacedCard], *, of_review: bool) -> str:
    """How many cards the board shows of these workloads, and how many of them are still in review."""
    merges = {} if evidence.is_today else evidence.project.scenario(evidence.scenario).merges
    placed = [card for card in cards if of_review or not card.in_review]
    shown = {(name, card.pool) if (name := merge_of(card.key, merges)) else card.key for card in placed}
    words = worded_count(len(placed), "{count} workload", "{count} workloads", count=f"{len(placed):,}")
    said = (
        worded("{words} on {shown} cards", words=words, shown=f"{len(shown):,}")
        if len(shown) < len(placed)
        else worded("{words} in the column", words=words)
    )
    if of_review:
        return worded("{said}. {likely}", said=said, likely=LIKELY)
    left = len(cards) - len(placed)
    return (
        worded("{said}, and {left} in review. {likely}", said=said, left=f"{left:,}", likely=LIKELY)
        if left
        else worded("{said}.", said=said)
    )


def _card(evidence: PlanEvidence, key: str) -> PlacedCard:
    return next(card for card in evidence.cards if card.key == key)


def card_usd(evidence: PlanEvidence, scope: str, key: str) -> Trace:
    """$ a month of one card in the plan: its GPU-hours at the mean rate of what serves them."""
    card = _card(evidence, key)
    usd, hours, there = card.usd_per_month, card.gpu_hours_per_month, there_in_month_0(evidence, key)
    rate = None if usd is None or not hours * there else usd / (hours * there)
    factors: list[tuple[str, float | None, WrittenAs]] = [(worded("GPU-hours a month"), hours, "gpu_hours")]
    if there != 1:
        factors.append((worded("How many times that is there in the plan's first month"), there, "exact"))
    if there:
        mean = worded("$ per GPU-hour, mean of the layers of {pool}", pool=card.pool)
        factors.append((mean, rate, "exact"))
    return product(
        figure("card_usd", key),
        worded("Cost of {name} in {scenario}", name=card.name, scenario=evidence.scenario),
        usd,
        "usd",
        worded("Cost = GPU-hours \u00d7 mean rate of the layers that serve its pool and GPU model"),
        factors,
        said_as=worded("per month"),
        note=worded(
            "A pool's $ a month is shared by its workloads in proportion to their GPU-hours of each GPU model."
        ),
        more=(
            (worded("Its GPU-hours"), figure("card_hours", key)),
            (worded("All of {pool}", pool=card.pool), figure("column_usd", card.pool.value)),
            *_its_jobs(evidence, key),
        ),
    )


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


def _its_jobs(evidence: PlanEvidence, key: str) -> tuple[tuple[str, str], ...]:
    """Planned work has none yet."""
    return () if planned_work(evidence, key) is not None else ((worded("Its jobs"), figure(JOBS, key)),)


def card_hours(evidence: PlanEvidence, scope: str, key: str) -> Trace:
    """GPU-hours a month of one card."""
    card = _card(evidence, key)
    months = evidence.project.window.months
    words = worded("GPU-hours a month = GPU-hours of its jobs in the window \u00f7 months of 730 h")
    if planned_work(evidence, key) is not None:
        words = worded(
            "GPU-hours a month = its GPUs in the hours of the week that it runs, laid on the log's window "
            "\u00f7 months of 730 h"
        )
    return over(
        figure("card_hours", key),
        worded("GPU-hours of {name}", name=card.name),
        card.gpu_hours_per_month,
        "gpu_hours",
        words,
        (worded("GPU-hours in the window, as the plan counts them"), card.gpu_hours_per_month * months),
        (worded("Months of 730 h"), months),
        ("gpu_hours", "exact"),
        said_as=worded("per month"),
        more=_its_jobs(evidence, key),
    )


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
    rows = [TraceRow(card.name, (card.gpu_hours_per_month / HOURS_PER_MONTH,)) for card in cards]
    value = evidence.mean_gpus[Pool(pool)]
    return summed(
        figure("demand_mean", pool),
        worded("Mean GPUs, {pool}", pool=pool),
        value,
        "gpus",
        worded(
            "Mean = \u03a3 over workloads of GPU-hours in the window \u00f7 {hours} h", hours=f"{hours:,}"
        ),
        rows,
    )


# What is loaded


def loaded_jobs(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
    """Jobs that count, of how many rows."""
    project = evidence.project
    files = [file for file in project.intake if file.kind == "jobs"]
    columns = (
        TraceColumn(worded("Read"), "count"),
        TraceColumn(worded("Rejected"), "count"),
        TraceColumn(worded("Repeated"), "count"),
        TraceColumn(worded("Ignored"), "count"),
        TraceColumn(worded("Accepted"), "count"),
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
            TraceRow(worded("Outside of the window"), (None, None, None, None, project.jobs.count - accepted))
        )
    return summed(
        figure("loaded_jobs"),
        worded("Jobs"),
        project.jobs.count,
        "count",
        worded("Jobs = rows read \u2212 rejected \u2212 repeated \u2212 ignored, in the window"),
        rows,
        columns=columns,
        column=4,
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
    )
    said = {"low": worded(", low"), "high": worded(", high"), "": ""}[scope]
    return read(
        figure("offer_rate", offer_id, scope),
        worded("Rate of {offer_id}{said}", offer_id=offer_id, said=said),
        value,
        "rate",
        worded("the price list"),
        note=". ".join(part for part in parts if part),
    )


def offer_all_in(evidence: PlanEvidence, scope: str, offer_id: str) -> Trace:
    """A rate with egress."""
    found = all_in(evidence.offer(offer_id), evidence.egress_gb_per_gpu_hour)
    egress = found.total - found.rate if found.total is not None and found.rate is not None else None
    rows = [
        TraceRow(titles.RATE, (found.rate,), figure("offer_rate", offer_id)),
        TraceRow(
            worded(
                "Egress of {egress_gb_per_gpu_hour} GB an hour",
                egress_gb_per_gpu_hour=f"{evidence.egress_gb_per_gpu_hour or 0:g}",
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
    share = offer.rate / chosen.rate if offer.rate and chosen.rate else None
    rows = [
        TraceRow(
            worded("{scope}, the chosen one", scope=scope), (chosen.rate, None if share is None else 1.0)
        ),
        TraceRow(
            worded("Less: {subject} as a share of it", subject=subject),
            (offer.rate, None if share is None else -share),
        ),
    ]
    columns = (TraceColumn(worded("$ per\nGPU-h"), "rate"), TraceColumn(worded("Share"), "share"))
    return summed(
        figure("offer_below", subject, scope),
        worded("{subject} below {scope}", subject=subject, scope=scope),
        None if share is None else 1 - share,
        "share",
        worded("Below = 1 \u2212 its rate \u00f7 the rate of the chosen one"),
        rows,
        columns=columns,
        column=1,
    )
