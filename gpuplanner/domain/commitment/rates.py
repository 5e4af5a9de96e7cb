"""Rates of one pool and model: what each term costs when, and what GPUs paid by use cost."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, isnan

import numpy as np

from gpuplanner.domain.commitment.result import BreakEven, Floats
from gpuplanner.domain.commitment.spot import Flags, SpotFacts
from gpuplanner.domain.fit.eligibility import cheapest
from gpuplanner.domain.model.cube import Ints
from gpuplanner.domain.model.offer import Offer
from gpuplanner.domain.model.pool import Pool, PricingCategory
from gpuplanner.domain.model.window import HOURS_PER_MONTH

SHORT_WINDOW_TERM_MONTHS = 1


@dataclass(frozen=True, slots=True, eq=False)
class TermRates:
    """r_T. terms ascending; offer: place in `offers` of the offer to take in month t for a term, -1 for none.

    Shapes: offer, rate (months, terms); rate in $ per GPU-hour, NaN where there is no offer.
    """

    offers: tuple[Offer, ...]
    terms: tuple[int, ...]
    offer: Ints
    rate: Floats


@dataclass(frozen=True, slots=True, eq=False)
class UsagePrice:
    """What each workload pays by use in one pool and model: shapes (workloads,); rate NaN where nothing is open."""

    on_demand: Offer | None
    spot: Offer | None
    rate: Floats
    on_spot: Flags
    spot_infeasible: Flags


@dataclass(frozen=True, slots=True)
class Flex:
    """r_flex: the blend over the workloads of a pool and model. rate None: no usage-priced offer for all of them.

    gpu_model: of the offer that all of them use, where there is one.
    """

    rate: float | None
    category: PricingCategory
    offer_id: str | None
    spot_share: float
    gpu_model: str | None = None


def lead_months(offer: Offer) -> int:
    """The first month in which an offer can start; leads of up to a month count as none."""
    return 0 if offer.lead_time_hours <= HOURS_PER_MONTH else ceil(offer.lead_time_hours / HOURS_PER_MONTH)


def lead_s(offer: Offer) -> int:
    """Lead time in whole seconds."""
    return round(offer.lead_time_hours * 3600)


def committed_offers(eligible: Sequence[Offer], longest_term_months: int | None = None) -> tuple[Offer, ...]:
    """Priced commitments whose term is not below their minimum term, cheapest first (ties: lowest offer_id)."""
    usable = [
        offer
        for offer in eligible
        if offer.pricing_category == PricingCategory.COMMITTED
        and offer.rate
        and offer.term_months >= max(1, offer.min_term_months)
        and (longest_term_months is None or offer.term_months <= longest_term_months)
    ]
    return tuple(sorted(usable, key=lambda offer: (offer.rate or 0.0, offer.offer_id)))


def term_rates(offers: tuple[Offer, ...], months: int, closed: frozenset[str] = frozenset()) -> TermRates:
    """The cheapest offer of each term in months 0..months-1. offers: committed, cheapest first; closed: offer_ids."""
    terms = tuple(sorted({offer.term_months for offer in offers}))
    place = np.full((months, len(terms)), -1, dtype=np.int64)
    rate = np.full((months, len(terms)), np.nan)
    for number in range(len(offers) - 1, -1, -1):  # dearest first: the cheapest is written last
        offer = offers[number]
        if offer.offer_id not in closed:
            column = terms.index(offer.term_months)
            place[lead_months(offer) :, column] = number
            rate[lead_months(offer) :, column] = offer.rate
    return TermRates(offers, terms, place, rate)


def ending_by(rates: TermRates, last_month: int) -> TermRates:
    """The same rates without the terms that would reach beyond a month."""
    months = np.arange(len(rates.offer))[:, None]
    too_long = months + np.array(rates.terms, dtype=np.int64) > last_month
    return TermRates(
        rates.offers,
        rates.terms,
        np.where(too_long, -1, rates.offer),
        np.where(too_long, np.nan, rates.rate),
    )


def without_terms(rates: TermRates, terms: frozenset[int]) -> TermRates:
    """The same rates with some terms offered to nobody."""
    closed = np.isin(np.array(rates.terms, dtype=np.int64), sorted(terms))[None, :]
    return TermRates(
        rates.offers, rates.terms, np.where(closed, -1, rates.offer), np.where(closed, np.nan, rates.rate)
    )


def usage_price(eligible: Sequence[Offer], pool: Pool, facts: SpotFacts) -> UsagePrice:
    """On demand, or spot at its effective rate r_spot / (1 - w) where that is allowed, feasible and cheaper."""
    on_demand = cheapest(eligible, PricingCategory.STANDARD)
    spot = cheapest(eligible, PricingCategory.DYNAMIC)
    rate = np.full(len(facts.lost), np.nan if on_demand is None else on_demand.rate or np.nan)
    on_spot = np.zeros(len(facts.lost), dtype=np.bool_)
    infeasible = np.zeros(len(facts.lost), dtype=np.bool_)
    if spot is not None:
        feasible = facts.lost < 1
        infeasible = facts.allowed[pool] & ~feasible
        effective = (spot.rate or np.nan) / np.where(feasible, 1 - facts.lost, 1.0)
        on_spot = facts.allowed[pool] & feasible & ~(effective >= rate)
        rate = np.where(on_spot, effective, rate)
    return UsagePrice(on_demand, spot, rate, on_spot, infeasible)


def blend(parts: Sequence[tuple[UsagePrice, Floats]]) -> Flex:
    """The mean of what workloads pay by use, weighted by their GPU time: (prices, GPU time (workloads,)) pairs."""
    total = on_spot = 0.0
    bases = {price.on_demand.rate for price, _ in parts if price.on_demand is not None}
    base = min((rate for rate in bases if rate), default=0.0)
    above = 0.0  # over the base rate: where all pay the same, the blend is that rate to the last digit
    categories, offers = set[PricingCategory](), set[tuple[str, str]]()
    is_partly_unpriced = False
    for price, weight in parts:
        used = weight > 0
        total += float(weight.sum())
        on_spot += float(weight[used & price.on_spot].sum())
        above += float(((price.rate[used] - base) * weight[used]).sum())
        for offer, users in ((price.spot, used & price.on_spot), (price.on_demand, used & ~price.on_spot)):
            if offer is not None and users.any():
                categories.add(offer.pricing_category)
                offers.add((offer.offer_id, offer.gpu_model))
            is_partly_unpriced |= offer is None and bool(users.any())
    share = on_spot / total if total else 0.0
    rate = base + above / total if total else float("nan")
    if not categories:
        return Flex(None if isnan(rate) else rate, PricingCategory.STANDARD, None, share)
    is_mixed = is_partly_unpriced or len(categories) > 1
    offer_id, gpu_model = offers.pop() if len(offers) == 1 and not is_mixed else (None, None)
    return Flex(
        None if isnan(rate) else rate,
        PricingCategory.MIXED if is_mixed else categories.pop(),
        offer_id,
        share,
        gpu_model,
    )


def break_evens(
    offers: tuple[Offer, ...], flex_rate: float | None, churn: float, price_fall: float
) -> tuple[BreakEven, ...]:
    """u*_T = r_T / (r_flex x mean of ((1 - lambda)(1 - delta))^t over t < T) of every term; a rule of thumb."""
    best: dict[int, Offer] = {}
    for offer in offers:  # cheapest first
        best.setdefault(offer.term_months, offer)
    answers = []
    for term, offer in sorted(best.items()):
        kept = np.mean(((1 - churn) * (1 - price_fall)) ** np.arange(term))
        utilization = None if not flex_rate or not kept else (offer.rate or 0.0) / (flex_rate * float(kept))
        answers.append(BreakEven(term, offer.offer_id, utilization))
    return tuple(answers)
