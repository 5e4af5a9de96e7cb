"""The consolidation premium: what inference pays beside the cheapest offer that fits it, at equal terms."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from math import isinf
from typing import Final

import numpy as np

from gpuplanner.domain.audit.cost_result import PremiumCost
from gpuplanner.domain.audit.leak_claims import Floats, LeakClaim, Past, listed
from gpuplanner.domain.audit.rates import model_of_cluster
from gpuplanner.domain.audit.use_leaks import claim_of, on_demand_rate, part_of, shares_of_contracts
from gpuplanner.domain.audit.utilization import ClusterHours
from gpuplanner.domain.demand.newsvendor import newsvendor_units
from gpuplanner.domain.fit.eligibility import cheapest
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.contract import Contract
from gpuplanner.domain.model.cube import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.model.offer import Offer
from gpuplanner.domain.model.pool import Pool, PricingCategory
from gpuplanner.domain.model.window import HOUR_S, HOURS_PER_MONTH, Window
from gpuplanner.domain.model.worded import worded

SAME_RATE: Final = 1e-9
"""Rates closer than this, as a share, are the same: what a sum of many hours may be off by."""


@dataclass(frozen=True, slots=True)
class EqualTerms:
    """GPU-hours of a workload and GPU model that one contract served (or nobody: overflow), and what they compare with.

    rate: $ per GPU-hour of the contract, of overflow the on-demand rate; utilization: of the contract in the window,
    of overflow 1; offer_utilization: that of the level of the offer that the workload would hold. None: unknown, no
    offer that fits.
    """

    gpu_model: str | None
    gpu_hours: float
    rate: float | None
    utilization: float
    offer: Offer | None
    offer_utilization: float = 1.0

    @property
    def offer_rate(self) -> float | None:
        """$ per GPU-hour of the offer, what is paid upfront spread over its term."""
        return None if self.offer is None else self.offer.spread_rate

    @property
    def is_dearer(self) -> bool:
        """Whether a GPU-hour that was used cost more than one at the offer."""
        paid, asked = self.rate, self.offer_rate
        return paid is not None and asked is not None and paid > asked * (1 + SAME_RATE)

    @property
    def paid_usd(self) -> float | None:
        """$ in the window at the rate paid, with its share of what the contract was paid for and did not serve."""
        return None if self.rate is None else self.gpu_hours * self.rate / self.utilization

    @property
    def offer_usd(self) -> float | None:
        """$ in the window at the offer, with what the level held of it would leave idle."""
        rate = self.offer_rate
        return None if rate is None else self.gpu_hours * rate / self.offer_utilization


def equal_terms(past: Past) -> dict[int, list[EqualTerms]]:
    """By place of every inference workload that ran: its GPU-hours beside the cheapest offer at equal terms.

    Law: at the contracts' rates and utilizations all that they served costs what they were paid.
    Source: docs/formulas.md, Consolidation premium.
    """
    found: dict[int, list[EqualTerms]] = {}
    fitting = cache(partial(past.rates.steady, Pool.INFERENCE))
    for hours in past.clusters:
        if inference := past.members(hours.cluster, Pool.INFERENCE):
            of_cluster = _of_cluster(past, hours, fitting)
            found |= {place: list(of_cluster.of(place)) for place in inference}
    return found


@dataclass(frozen=True, slots=True, eq=False)
class _OfCluster:
    """What the parts of a cluster's workloads need: who served each model, at what rate and utilization."""

    past: Past
    hours: ClusterHours
    fitting: Callable[[str | None], tuple[Offer, ...]]
    shares: dict[str | None, Floats]
    beyond: dict[str | None, Floats]
    utilization: list[float]

    def of(self, place: int) -> Iterator[EqualTerms]:
        """The parts of a workload: by GPU model, what each contract served in merit order, then overflow."""
        window = self.past.project.window
        stand_in = model_of_cluster(self.hours.contracts)
        for model, when, amount in self.past.rows_of(place):
            held = amount / MILLI_GPU_SECONDS_PER_GPU_HOUR
            fitting = self.fitting(stand_in if model is None else model)
            served = self.shares[model][:, when] @ held
            for contract, gpu_hours, utilization in zip(
                self.hours.contracts, served.tolist(), self.utilization, strict=True
            ):
                if gpu_hours:
                    offer = _at_equal_terms(fitting, contract, held, window)
                    yield EqualTerms(model, gpu_hours, contract.rate, utilization, *offer)
            if gpu_hours := float(self.beyond[model][when] @ held):
                rate = on_demand_rate(self.past, self.hours, model)
                offer = _at_equal_terms(fitting, None, held, window)
                yield EqualTerms(model, gpu_hours, rate, 1.0, *offer)


def _of_cluster(
    past: Past, hours: ClusterHours, fitting: Callable[[str | None], tuple[Offer, ...]]
) -> _OfCluster:
    beyond = {
        model: part_of(lost, demand.sum(axis=0))
        for model, lost, demand in zip(hours.models, hours.overflow, hours.demand, strict=True)
    }
    served, capacity = hours.served.sum(axis=1), hours.capacity.sum(axis=1)
    utilization = np.divide(served, capacity, out=np.ones(len(served)), where=capacity > 0)
    return _OfCluster(past, hours, fitting, shares_of_contracts(hours), beyond, utilization.tolist())


def _at_equal_terms(
    fitting: Sequence[Offer], contract: Contract | None, held: Floats, window: Window
) -> tuple[Offer | None, float]:
    """The cheapest offer that nobody takes back, of the contract's term or a shorter one, and the utilization of it.

    fitting: by rate; contract: None is overflow, which binds for nothing. A lead has passed where an offer that was
    ordered when the contract began (with the window, at the latest) would serve by the window's end. A commitment
    of which it would not pay to hold one GPU is left out.
    """
    usage = cheapest(fitting, PricingCategory.STANDARD)
    binds = _bound_hours(contract)
    ordered_s = window.start_s if contract is None else min(window.start_s, contract.start_s)
    for offer in fitting:
        if offer.term_hours > binds or not _serves_by_now(offer, ordered_s, window):
            continue
        if offer.pricing_category == PricingCategory.STANDARD:
            return offer, 1.0
        rate = offer.spread_rate or 0.0
        ratio = rate / usage.rate if usage is not None and usage.rate else 0.0
        level = newsvendor_units(held, ratio, window.hours)
        if level:
            return offer, float(np.minimum(held, level).sum()) / (level * window.hours)
    return None, 1.0


def _bound_hours(contract: Contract | None) -> float:
    """How long a contract binds; from start to end in whole months, which calendar months come near to."""
    hours = 0.0 if contract is None else contract.binding_hours
    return hours if isinf(hours) else max(hours, float(HOURS_PER_MONTH * round(hours / HOURS_PER_MONTH)))


def _serves_by_now(offer: Offer, ordered_s: int, window: Window) -> bool:
    begins_s = max(ordered_s + offer.lead_time_hours * HOUR_S, offer.starts_s or ordered_s)
    return begins_s < window.end_s and (offer.ends_s is None or offer.ends_s >= window.end_s)


def consolidation_premium(past: Past) -> list[LeakClaim]:
    """The leak: inference GPU-hours x (rate paid - rate of the cheapest offer at equal terms), where dearer.

    On GPU-hours alone: what stands idle is listed as idle. The rate paid is that of each contract that served the
    model, and of its overflow: not the mean of a cluster with several models, in which cheap GPUs would look dear.
    """
    claims = []
    terms = equal_terms(past)
    for hours in past.clusters:
        parts, places, offers = [], [], []
        for place in past.members(hours.cluster, Pool.INFERENCE):
            if dearer := [one for one in terms[place] if one.is_dearer]:
                spent = sum(one.gpu_hours for one in dearer)
                above = sum(one.gpu_hours * ((one.rate or 0.0) - (one.offer_rate or 0.0)) for one in dearer)
                parts.append(past.used(place, spent, above / spent))
                places.append(place)
                offers += [_offer_words(one.offer) for one in dearer if one.offer]
        action = worded("Serve it on {offers}.", offers=listed(offers))
        claims += claim_of("consolidation_premium", past, hours, places, parts, action)
    return claims


def _offer_words(offer: Offer) -> str:
    term = worded(" for {term_months} months", term_months=offer.term_months) if offer.term_months else ""
    rate = f"{offer.spread_rate or 0.0:,.2f}"
    return worded("{offer_id} at ${rate} per GPU-h{term}", offer_id=offer.offer_id, rate=rate, term=term)


def premium_usd_per_month(past: Past) -> float | None:
    """$ a month of the premium at equal terms of all inference; None where a part of it has no rate or no offer."""
    months = past.project.window.months
    return known_sum(_usd_per_month(parts, months) for parts in equal_terms(past).values())


def premium_costs(past: Past) -> dict[int, PremiumCost]:
    """The premium of each endpoint, by place of the workload. Law: they add up to `premium_usd_per_month`."""
    leaked = {part.of[1] for claim in consolidation_premium(past) for part in claim.parts}
    months = past.project.window.months
    return {
        place: _premium_cost(parts, months, past.project.workloads[place].key in leaked)
        for place, parts in equal_terms(past).items()
    }


def _premium_cost(parts: Sequence[EqualTerms], months: float, is_leak: bool) -> PremiumCost:
    rate, asked = _rate(parts), _asked(parts)
    gpu_hours = sum(one.gpu_hours for one in parts)
    return PremiumCost(
        usd_per_gpu_hour=rate,
        offer_id=", ".join(dict.fromkeys(one.offer.offer_id for one in parts if one.offer)) or None,
        offer_usd_per_gpu_hour=asked,
        usd_per_month=_usd_per_month(parts, months),
        is_leak=is_leak,
        utilization=_share(rate, gpu_hours, known_sum(one.paid_usd for one in parts)),
        offer_utilization=_share(asked, gpu_hours, known_sum(one.offer_usd for one in parts)),
    )


def _usd_per_month(parts: Sequence[EqualTerms], months: float) -> float | None:
    paid, asked = known_sum(one.paid_usd for one in parts), known_sum(one.offer_usd for one in parts)
    return None if paid is None or asked is None else (paid - asked) / months


def _share(rate: float | None, gpu_hours: float, usd: float | None) -> float | None:
    """The utilization at which so many GPU-hours at a rate cost so much."""
    return None if rate is None or not usd else rate * gpu_hours / usd


def _rate(parts: Sequence[EqualTerms]) -> float | None:
    return _mean([(one.rate, one.gpu_hours) for one in parts])


def _asked(parts: Sequence[EqualTerms]) -> float | None:
    return _mean([(one.offer_rate, one.gpu_hours) for one in parts])


def _mean(rates: Sequence[tuple[float | None, float]]) -> float | None:
    """$ per GPU-hour by GPU-hours; None where one is unknown."""
    if len({rate for rate, _ in rates}) == 1:
        return rates[0][0]  # not through a mean: no last digit goes astray
    usd = known_sum(None if rate is None else rate * gpu_hours for rate, gpu_hours in rates)
    return None if usd is None else usd / sum(gpu_hours for _, gpu_hours in rates)
