"""The consolidation premium by endpoint: the rate paid beside that of the cheapest offer that fits inference."""

from collections.abc import Sequence
from functools import cache, partial

from gpuplanner.domain.audit.cost_result import PremiumCost
from gpuplanner.domain.audit.leak_claims import Past
from gpuplanner.domain.audit.rates import stand_in_models
from gpuplanner.domain.audit.use_leaks import consolidation_premium
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.offer import Offer
from gpuplanner.domain.model.pool import Pool


def premium_costs(past: Past, places: Sequence[int]) -> tuple[dict[int, PremiumCost], float]:
    """The premium of each of these workloads, and $ a month of the leak of that name, which is their total.

    What the leak counts is taken from it: the GPU-hours for which more is paid than the offer asks. An endpoint that
    it does not count has its figures all the same; on several GPU models the offers' mean, by GPU time.
    """
    claims = consolidation_premium(past)
    counted = {
        part.of[1]: part.gpu_hours * part.usd_per_gpu_hour
        for claim in claims
        for part in claim.parts
        if part.usd_per_gpu_hour is not None
    }
    cheapest = cache(partial(past.rates.cheapest_steady, Pool.INFERENCE))
    stand_in = stand_in_models(past.project)
    months = past.project.window.months
    found = {}
    for place in places:
        workload = past.project.workloads[place]
        offers = [
            (cheapest(stand_in.get(workload.cluster) if model is None else model), int(amount.sum()))
            for model, _, amount in past.rows_of(place)
        ]
        paid, rate = past.usd_per_gpu_hour(place), _mean_rate(offers)
        usd = None if paid is None or rate is None else workload.gpu_hours * (paid - rate)
        usd = counted.get(workload.key, usd)
        found[place] = PremiumCost(
            usd_per_gpu_hour=paid,
            offer_id=", ".join(dict.fromkeys(offer.offer_id for offer, _ in offers if offer)) or None,
            offer_usd_per_gpu_hour=rate,
            usd_per_month=None if usd is None else usd / months,
            is_leak=workload.key in counted,
        )
    return found, sum(counted.values()) / months


def _mean_rate(offers: Sequence[tuple[Offer | None, int]]) -> float | None:
    """$ per GPU-hour over offers by GPU time; None where one has no rate."""
    rates = [(None if offer is None else offer.rate, spent) for offer, spent in offers]
    if len({rate for rate, _ in rates}) == 1:
        return rates[0][0]  # not through a mean: no last digit goes astray
    usd = known_sum([None if rate is None else rate * spent for rate, spent in rates])
    return None if usd is None else usd / sum(spent for _, spent in rates)
