"""Leaks of GPU time that ran: without work, failed, contended for, on terms it need not have, dispersed."""

from collections.abc import Sequence
from math import ceil, floor
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.audit.cost_result import Premium, PremiumCost
from gpuplanner.domain.audit.leak_claims import LeakClaim, LeakRule, Past, claim_of, listed
from gpuplanner.domain.audit.spend.overflow import overflow_rate
from gpuplanner.domain.audit.utilization.cluster_hours import part_of
from gpuplanner.domain.audit.utilization.dispatch import shares_of_contracts
from gpuplanner.domain.demand.demand_cuts import idle_hours, is_flat, is_idle_dev, needed_gpus
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR, by_row, floats
from gpuplanner.domain.figures.typed import decimals, whole
from gpuplanner.domain.figures.unit_costs import PREMIUM
from gpuplanner.domain.message import Message, Text, joined, worded
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.book.contract import term_words
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.cube import DAY_HOURS, DAYS_PER_TERM_MONTH, ENOUGH_DAYS
from gpuplanner.domain.model.tables import POOLS, Pool
from gpuplanner.domain.model.window import HOURS_PER_MONTH

# --- Leaks of GPU time that ran: held without work, failed, contended for, or on terms it does not need


def persistent_dev(past: Past) -> list[LeakClaim]:
    """Development held over 24 h with activity under 10% (not measured: over 72 h): the stretches of that length.

    Where the window cuts the long session, what of it lies inside counts.
    """
    claims = []
    for hours in past.clusters:
        parts = {}
        for place in past.members(hours.cluster, Pool.BURST):
            workload = past.project.workloads[place]
            if is_idle_dev(workload, past.classifications[place]):
                when, amount = past.project.cube.hours_of(place)
                held = int(amount[idle_hours(workload, when, past.project.window.hours)].sum())
                parts[place] = past.used_at_its_rate(place, held / MILLI_GPU_SECONDS_PER_GPU_HOUR)
        claims += claim_of(past, hours, parts)
    return claims


PERSISTENT_DEV: Final = LeakRule(
    code="persistent_dev",
    title=worded("Development left running"),
    find=persistent_dev,
    claims="workload",
    words=worded("Notebooks and development ran over 24 h below 10% activity, or over 72 h unmeasured."),
    formula=worded("Allocated GPU-hours × workload's cost per GPU-hour"),
    action=worded("End sessions after 2 h without activity."),
    pool=Pool.BURST,
)


def peak_provisioned(past: Past) -> list[LeakClaim]:
    """Inference held flat while its load is not: held - ceil(held x activity / target), hour by hour.

    Workloads whose activity is not measured are left out: nobody knows their load. Source:
    docs/formulas/leaks.md.
    """
    claims = []
    target = past.project.assumptions.target_activity
    for hours in past.clusters:
        parts = {}
        for place in past.members(hours.cluster, Pool.INFERENCE):
            activity = past.project.workloads[place].activity
            if activity is None or activity >= target:
                continue
            when, amount = past.project.cube.hours_of(place)
            held = amount / MILLI_GPU_SECONDS_PER_GPU_HOUR
            spare = float((held - needed_gpus(held, activity, target)).sum())
            if spare and is_flat(when, held):
                parts[place] = past.used_at_its_rate(place, spare)
        claims += claim_of(past, hours, parts)
    return claims


PEAK_PROVISIONED: Final = LeakRule(
    code="peak_provisioned",
    title=titles.HELD_FOR_THE_PEAK,
    find=peak_provisioned,
    claims="workload",
    words=worded("Inference kept a fixed size, its activity under the target."),
    formula=worded(
        "Σ over hours (allocated − allocated × activity ÷ target, rounded up) × workload's cost per GPU-hour"
    ),
    action=worded("Scale replicas with the load."),
)


def failed_work(past: Past) -> list[LeakClaim]:
    """GPU-hours that ended in FAILED, NODE_FAIL or OUT_OF_MEMORY, or in TIMEOUT without a restart.

    A service that its time limit restarts has lost no work, and a run that started again goes on from its checkpoint;
    the claim says how many GPU-hours such runs had. At what each workload's GPU-hours cost on average. Source:
    docs/formulas/leaks.md.
    """
    claims = []
    for hours in past.clusters:
        services = set(past.members(hours.cluster, Pool.INFERENCE))
        failed, restarted = {}, 0
        for place in past.members(hours.cluster):
            workload = past.project.workloads[place]
            if place in services:
                failed[place] = workload.failed_milli_gpu_seconds - workload.timed_out_milli_gpu_seconds
            else:
                failed[place] = workload.failed_milli_gpu_seconds - workload.restarted_milli_gpu_seconds
                restarted += workload.restarted_milli_gpu_seconds
        parts = {
            place: past.used_at_its_rate(place, failed[place] / MILLI_GPU_SECONDS_PER_GPU_HOUR)
            for place in sorted(filter(failed.get, failed), key=lambda place: -failed[place])
        }
        claims += claim_of(past, hours, parts, _checkpoint_words(restarted))
    return claims


CHECKPOINTS: Final = worded("Write checkpoints more often, first for the jobs that fail most.")


def _checkpoint_words(restarted: int) -> Message:
    """What to do against failed work. restarted: milli-GPU-seconds of runs that started again after their limit."""
    if not restarted:
        return CHECKPOINTS
    return worded(
        "Write checkpoints more often, first for the jobs that fail most. Not counted: {hours} GPU-h that restarted "
        "after TIMEOUT.",
        hours=decimals(restarted / MILLI_GPU_SECONDS_PER_GPU_HOUR),
    )


FAILED_WORK: Final = LeakRule(
    code="failed_work",
    title=worded("Work that failed"),
    find=failed_work,
    claims="workload",
    words=worded(
        "Jobs ended as FAILED, NODE_FAIL, OUT_OF_MEMORY or TIMEOUT. TIMEOUT of inference and of restarted runs "
        "does not count."
    ),
    formula=worded("GPU-hours of those jobs × the workload's cost per GPU-hour"),
    action=CHECKPOINTS,
)


def contention(past: Past) -> list[LeakClaim]:
    """Demand beyond the GPUs of its model, in hours in which there were any; training that shared with inference.

    Each workload's part is its share, by GPU time among those of its model, of the hour's overflow.
    """
    claims = []
    training, inference = POOLS.index(Pool.TRAINING), POOLS.index(Pool.INFERENCE)
    share: dict[tuple[str, str | None], Floats] = {}
    share_usd, beside, busy = dict(share), dict(share), {}
    for hours in past.clusters:
        contended = np.zeros(past.project.window.hours, dtype=bool)
        for number, (model, lost) in enumerate(zip(hours.models, hours.contended, strict=True)):
            rate = overflow_rate(hours, model, past.project)
            of = (hours.cluster, model)
            share[of] = part_of(lost, hours.demand[number].sum(axis=0))
            share_usd[of] = np.where(lost > 0, share[of] * (np.nan if rate is None else rate), 0.0)
            contended |= lost > 0
        busy[hours.cluster] = contended
        together = contended & (hours.demand[:, [training, inference]].sum(axis=0) > 0).all(axis=0)
        beside |= {(hours.cluster, model): together.astype(np.float64) for model in hours.models}
    lost_by, usd_by, beside_by = past.shared(share, share_usd, beside)
    for hours in past.clusters:
        busy_hours = int(busy[hours.cluster].sum())
        if not busy_hours:
            continue
        parts = [
            past.used(
                place, lost_by[place], None if np.isnan(usd_by[place]) else usd_by[place] / lost_by[place]
            )
            for place in past.members(hours.cluster)
            if lost_by[place]
        ]
        trained = [place for place in past.members(hours.cluster, Pool.TRAINING) if beside_by[place]]
        beside_hours = whole(int(beside[hours.cluster, hours.models[0]].sum()))
        also = worded("{hours} h with training and inference together", hours=beside_hours) if trained else ""
        subject = past.named(hours.cluster, trained) if trained else hours.cluster
        served = [place for place in past.members(hours.cluster, Pool.INFERENCE) if lost_by[place]]
        over = worded("{hours} h over capacity", hours=whole(busy_hours))
        hours_words = joined(filter(None, (over, also)), ", ")
        action = worded("Separate inference onto its own GPUs: {hours}.", hours=hours_words)
        if not served or len(served) == len(parts):  # inference was not there, or has them to itself
            action = worded("Add GPUs for peaks, or let work wait: {hours}.", hours=hours_words)
        claims.append(LeakClaim(cluster=hours.cluster, subject=subject, parts=tuple(parts), action=action))
    return claims


CONTENTION: Final = LeakRule(
    code="contention",
    title=worded("Hours over capacity"),
    find=contention,
    claims="workload",
    words=worded("Demand exceeded the contract GPUs of its model."),
    formula=worded("GPU-hours over contract capacity × the model's lowest on-demand rate, by GPU time"),
    pool=Pool.INFERENCE,
)


def permanent_burst(past: Past) -> list[LeakClaim]:
    """Burst work on contracts of over a month, in slices that have not lived long enough for their term: what they
    served of it. The rule is that by which a plan may sign such a term.

    A contract serves the workloads of a model in proportion to their GPU time in each hour; $ are at its rate.
    Source: docs/formulas/leaks.md.
    """
    claims = []
    for hours in past.clusters:
        burst = past.members(hours.cluster, Pool.BURST)
        if not burst:
            continue
        terms = [contract.binding_hours / HOURS_PER_MONTH for contract in hours.contracts]
        rates = floats([contract.full_rate for contract in hours.contracts])
        shares, parts = shares_of_contracts(hours), {}
        used = [(place, *of_model) for place in burst for of_model in past.project.cube.by_model_of(place)]
        gpus = {model: np.zeros(past.project.window.hours) for _, model, _, _ in used}
        for _, model, when, amount in used:
            gpus[model][when] += amount / MILLI_GPU_SECONDS_PER_GPU_HOUR
        young = {
            model: np.array([_young_share(held, term) for term in terms]) for model, held in gpus.items()
        }
        bound_by = {place: np.zeros(len(terms)) for place in burst}
        for place, model, when, amount in used:
            if terms:
                served = shares[model][:, when] * young[model][:, when]
                bound_by[place] += served @ amount / MILLI_GPU_SECONDS_PER_GPU_HOUR
        for place, bound in bound_by.items():
            if bound.any():
                usd = float((bound[bound > 0] * rates[bound > 0]).sum())
                spent = float(bound.sum())
                parts[place] = past.used(place, spent, None if np.isnan(usd) else usd / spent)
        claims += claim_of(past, hours, parts)
    return claims


def _young_share(gpus: Floats, term_months: float) -> Floats:
    """Of some GPUs in each hour the share above what they reached on enough days for a term, (hours,)."""
    if term_months <= 1:
        return np.zeros(len(gpus))
    by_day = np.concatenate((np.zeros(-len(gpus) % DAY_HOURS), gpus)).reshape(-1, DAY_HOURS).max(axis=1)
    days = ceil(min(DAYS_PER_TERM_MONTH * term_months, ENOUGH_DAYS))
    lived = floor(np.sort(by_day)[-days] + 0.5) if len(by_day) >= days else 0
    return np.divide(np.maximum(gpus - lived, 0.0), gpus, out=np.zeros(len(gpus)), where=gpus > 0)


PERMANENT_BURST: Final = LeakRule(
    code="permanent_burst",
    title=worded("Burst on long contracts"),
    find=permanent_burst,
    claims="workload",
    words=worded("Burst ran on contracts longer than a month, beyond the GPUs it uses on enough days."),
    formula=worded("GPU-hours served by those contracts × their rates"),
    action=worded("Rent GPUs only while it runs, on spot or on demand."),
    pool=Pool.BURST,
)


# --- The consolidation premium: what inference pays beside the cheapest offer that fits it, as a leak and by endpoint


def consolidation_premium(past: Past) -> list[LeakClaim]:
    """The leak: inference GPU-hours x (rate paid - rate of the cheapest offer at equal terms), where that is lower.

    On GPU-hours alone: what stands idle is listed as idle. The rate paid is that of each contract that served the
    model, and of its overflow: not the mean of a cluster with several models, in which cheap GPUs would look expensive.
    """
    claims = []
    terms = past.equal_terms
    for hours in past.clusters:
        parts, offers = {}, []
        for place in past.members(hours.cluster, Pool.INFERENCE):
            if more_expensive := [term for term in terms[place] if term.is_dearer]:
                spent = sum(term.gpu_hours for term in more_expensive)
                above = sum(t.gpu_hours * ((t.rate or 0.0) - (t.offer_rate or 0.0)) for t in more_expensive)
                parts[place] = past.used(place, spent, above / spent)
                offers += [describe_offer(term.offer) for term in more_expensive if term.offer]
        action = worded("Serve it on {offers}.", offers=listed(offers))
        claims += claim_of(past, hours, parts, action)
    return claims


CONSOLIDATION_PREMIUM: Final = LeakRule(
    code="consolidation_premium",
    title=titles.RATE_PREMIUM,
    find=consolidation_premium,
    claims="workload",
    words=worded(
        "Inference paid more per GPU-hour than the cheapest fitting offer of equal or shorter term."
    ),
    formula=worded("inference GPU-hours × (paid rate − that offer's)"),
    pool=Pool.INFERENCE,
    rate=worded("Paid above it"),
)


def describe_offer(offer: Offer) -> Message:
    """An offer with its rate, and its term where it binds."""
    term: Text = ""
    if offer.term_months and str(term_words(offer.term_months, offer.term_days)) not in offer.offer_id:
        term = worded(" for {term}", term=term_words(offer.term_months, offer.term_days))
    rate = decimals(offer.spread_rate or 0.0, 2)
    return worded("{offer} at ${rate} per GPU-h{term}", offer=offer.offer_id, rate=rate, term=term)


def premium_of(past: Past) -> Premium:
    """The consolidation premium at equal terms of all inference, $ a month, with its two parts."""
    figures = _figures(past)
    parts = ("premium_per_month", "rate_premium_per_month", "idle_premium_per_month")
    return Premium(*(known_sum(row[part] for row in figures) for part in parts))


def premium_costs(past: Past) -> dict[int, PremiumCost]:
    """The premium of each endpoint, by place of the workload. Law: they add up to `premium_of`.

    Where no offer fits its $ are unknown.
    """
    leaked = {part.origin.id for claim in consolidation_premium(past) for part in claim.parts}
    return {
        place: PremiumCost(
            offer_id=", ".join(dict.fromkeys(part.offer.offer_id for part in parts if part.offer)) or None,
            is_leak=past.project.workloads[place].key in leaked,
            compared_gpu_hours=row["compared_gpu_hours"] or 0.0,
            **{key: value for key, value in row.items() if key not in ("compared_gpu_hours", "months")},
        )
        for (place, parts), row in zip(past.equal_terms.items(), _figures(past), strict=True)
    }


def _figures(past: Past) -> list[dict[str, float | None]]:
    """The figures of PREMIUM of each workload with equal terms, in their order."""
    terms = list(past.equal_terms.values())
    figures = PREMIUM.worked_out(
        {
            "compared_gpu_hours": floats([sum(part.gpu_hours for part in parts) for parts in terms]),
            "paid_rate": floats(
                [mean_rate([(part.rate, part.gpu_hours) for part in parts]) for parts in terms]
            ),
            "offer_rate": floats(
                [mean_rate([(part.offer_rate, part.gpu_hours) for part in parts]) for parts in terms]
            ),
            "paid_in_window": floats([known_sum(part.paid_usd for part in parts) for parts in terms]),
            "offer_in_window": floats([known_sum(part.offer_usd for part in parts) for parts in terms]),
            "months": np.full(len(terms), past.project.window.months),
        }
    )
    return by_row(figures)


def mean_rate(rates: Sequence[tuple[float | None, float]]) -> float | None:
    """$ per GPU-hour by GPU-hours; None where one is unknown."""
    if len({rate for rate, _ in rates}) == 1:
        return rates[0][0]  # not through a mean: no last digit goes astray
    usd = known_sum(None if rate is None else rate * gpu_hours for rate, gpu_hours in rates)
    return None if usd is None else usd / sum(gpu_hours for _, gpu_hours in rates)
