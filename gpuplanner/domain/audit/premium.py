"""The consolidation premium by endpoint: the rate paid beside that of the cheapest offer that fits inference."""

from collections.abc import Sequence
from functools import cache, partial

from gpuplanner.domain.audit.cost_result import PremiumCost
from gpuplanner.domain.audit.leak_claims import Past
from gpuplanner.domain.audit.use_leaks import consolidation_premium
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.pool import Pool


def premium_costs(past: Past, places: Sequence[int]) -> tuple[dict[int, PremiumCost], float | None]:
    """The premium of each of these workloads, and $ a month of the leak of that name, which is their total.

    What the leak counts is taken from it; an endpoint it does not count (a cluster that pays no more than the
    offers ask) has its figures all the same.
    """
    claims = consolidation_premium(past)
    counted = {
        part.of[1]: part.gpu_hours * part.usd_per_gpu_hour
        for claim in claims
        for part in claim.parts
        if part.usd_per_gpu_hour is not None
    }
    cheapest = cache(partial(past.rates.cheapest_steady, Pool.INFERENCE))
    months = past.project.window.months
    found = {}
    for place in places:
        workload = past.project.workloads[place]
        paid, offer = past.usd_per_gpu_hour(place), cheapest(past.model_of(place))
        rate = None if offer is None else offer.rate
        usd = None if paid is None or rate is None else workload.gpu_hours * (paid - rate)
        usd = counted.get(workload.key, usd)
        found[place] = PremiumCost(
            usd_per_gpu_hour=paid,
            offer_id=None if offer is None else offer.offer_id,
            offer_usd_per_gpu_hour=rate,
            usd_per_month=None if usd is None else usd / months,
            is_leak=workload.key in counted,
        )
    total = known_sum([claim.usd for claim in claims])
    return found, None if total is None else total / months
