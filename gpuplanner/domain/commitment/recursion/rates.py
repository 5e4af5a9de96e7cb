"""Rates of one pool and model: what each term costs when, and what GPUs paid by use cost."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isnan
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Bools, Floats, Ints
from gpuplanner.domain.commitment.layer_figures import term_rows
from gpuplanner.domain.commitment.recursion.calendar import ANY_TIME, Calendar
from gpuplanner.domain.commitment.recursion.price_levels import Levels, Prices
from gpuplanner.domain.commitment.recursion.spot import SpotFacts
from gpuplanner.domain.commitment.result import BreakEven
from gpuplanner.domain.fit.eligibility import cheapest
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.quote_source import answered_row
from gpuplanner.domain.model.pool import Pool, PricingCategory

SHORT_WINDOW_TERM_MONTHS = 1
TODAY: Final = Prices()
"""Prices that stay."""


@dataclass(frozen=True, slots=True, eq=False)
class TermRates:
    """r_T. offer: place in `offers` of the offer to take in month t for a term, -1 for none.

    terms: months of each column, ascending; one in days has a column of its own before that of its whole months.
    Shapes: all (months, terms); rate in $ per GPU-hour when it is signed in that month, without what is paid upfront,
    NaN where there is no offer;
    upfront $ a GPU; late, early: shares of the term's first and last month that are paid by use (`calendar.Start`).
    """

    offers: tuple[Offer, ...]
    terms: tuple[int, ...]
    offer: Ints
    rate: Floats
    upfront: Floats
    late: Floats
    early: Floats

    days: tuple[int | None, ...] = ()

    def column_of(self, term: int) -> int:
        """The column of a term of whole months; -1 where there is none.

        Terms in days have columns of their own and are not found by this.
        """
        days = self.days or (None,) * len(self.terms)
        found = [at for at, each in enumerate(zip(self.terms, days, strict=True)) if each == (term, None)]
        return found[0] if found else -1

    @property
    def key(self) -> tuple[object, ...]:
        """What tells these rates from others of the same offers.

        Bytes of the arrays: equal keys mean equal rates, bit for bit.
        """
        arrays = (self.offer, self.rate, self.upfront, self.late, self.early)
        return (self.terms, self.days, *(array.tobytes() for array in arrays))


@dataclass(frozen=True, slots=True, eq=False)
class UsagePrice:
    """What each workload pays by use in one pool and model: shapes (workloads,); rate NaN where nothing is open.

    on_demand, spot: the cheapest eligible offer of each kind, None without one. Rates are $ per GPU-hour of
    work done, so that what interruptions lose is in those of spot.
    on_spot: who uses spot; spot_infeasible: whose work would never end there.
    """

    on_demand: Offer | None
    spot: Offer | None
    rate: Floats
    on_spot: Bools
    spot_infeasible: Bools


@dataclass(frozen=True, slots=True)
class Flex:
    """r_flex: the blend over the workloads of a pool and model. rate None: no usage-priced offer for all of them.

    gpu_model: of the offer that all of them use, where there is one. blended: the ids of the offers, where several are.
    """

    rate: float | None
    category: PricingCategory
    offer_id: str | None
    spot_share: float
    gpu_model: str | None = None
    blended: tuple[str, ...] = ()


def committed_offers(eligible: Sequence[Offer], longest_term_months: int | None = None) -> tuple[Offer, ...]:
    """Priced commitments whose term is not below their minimum term, cheapest first (ties: lowest offer_id).

    Cheapest by rate and upfront payment, spread over the term.
    """
    usable = [
        offer
        for offer in eligible
        if offer.pricing_category.is_commitment
        and offer.rate
        and offer.term_months >= max(1, offer.min_term_months)
        and (longest_term_months is None or offer.term_months <= longest_term_months)
    ]
    return tuple(sorted(usable, key=lambda offer: (offer.spread_rate or 0.0, offer.offer_id)))


def term_rates(
    offers: tuple[Offer, ...],
    months: int,
    closed: frozenset[str] = frozenset(),
    calendar: Calendar = ANY_TIME,
    prices: Prices = TODAY,
) -> TermRates:
    """The cheapest offer of each term in months 0..months-1. offers: committed, cheapest first; closed: offer_ids.

    prices: what those of today are in each month; where they move by GPU model, or a quote is firm, another may be the
    cheapest then: beside a quote by what is signed in that month.
    """
    columns = sorted({_column(offer) for offer in offers})
    terms = tuple(term for term, _, _ in columns)
    shape = (months, len(terms))
    upfront, late, early = (np.zeros(shape) for _ in range(3))
    found = TermRates(
        offers,
        terms,
        np.full(shape, -1, dtype=np.int64),
        np.full(shape, np.nan),
        upfront,
        late,
        early,
        tuple(days for _, _, days in columns),
    )
    has_quotes = any(answered_row(offer) for offer in offers)
    is_moving = bool(prices.changes) or has_quotes
    compared = prices if has_quotes else prices.on(TODAY.path)  # lists among themselves stand on one path
    every, lowest = np.arange(months), np.full(shape, np.inf)
    for number in range(len(offers) - 1, -1, -1):  # most expensive first: the cheapest is written last
        offer = offers[number]
        if offer.offer_id in closed:
            continue
        column, level = columns.index(_column(offer)), prices.of_offer(offer, months)
        spread = np.zeros(0)
        if is_moving:
            spread = (offer.rate or 0.0) * compared.of_offer(offer, months)
            spread += offer.upfront / offer.term_hours
        for span, start in calendar.starts(offer, months):
            here = every[span]
            if is_moving:
                here = here[spread[here] <= lowest[here, column]]
                lowest[here, column] = spread[here]
            found.offer[here, column], found.rate[here, column] = number, (offer.rate or 0.0) * level[here]
            found.upfront[here, column] = offer.upfront
            found.late[here, column], found.early[here, column] = start.late, start.early
    return found


def _column(offer: Offer) -> tuple[int, float, int | None]:
    """What makes a column of its own: whole months, and the days of a term that is sold in days."""
    return offer.term_months, offer.term_hours, offer.term_days


def ending_by(rates: TermRates, last_month: int) -> TermRates:
    """The same rates without the terms that would reach beyond a month.

    last_month: a term may end with it, not after. Closed cells have no offer and a rate of NaN; shapes stay.
    """
    months = np.arange(len(rates.offer))[:, None]
    return _without(rates, months + np.array(rates.terms, dtype=np.int64) > last_month)


def without_terms(rates: TermRates, terms: frozenset[int]) -> TermRates:
    """The same rates with some terms offered to nobody.

    terms: whole months. Closed cells have no offer and a rate of NaN; shapes and columns stay.
    """
    closed = np.isin(np.array(rates.terms, dtype=np.int64), sorted(terms))[None, :]
    return _without(rates, np.broadcast_to(closed, rates.offer.shape))


def _without(rates: TermRates, closed: Bools) -> TermRates:
    """closed: (months, terms). Upfront and shares of the first and last month are left as they are: without
    an offer nobody reads them.
    """
    return replace(rates, offer=np.where(closed, -1, rates.offer), rate=np.where(closed, np.nan, rates.rate))


def usage_price(eligible: Sequence[Offer], pool: Pool, facts: SpotFacts) -> UsagePrice:
    """On demand, or spot at its effective rate r_spot / (1 - w) where that is allowed, feasible and cheaper.

    w: the share of work that each workload loses to interruptions (facts.lost); 1 or more cannot finish. Rates are in $
    per GPU-hour; shapes of the answer (workloads,). Source: docs/formulas.md, Spot.
    """
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
    """r_flex: the mean of what workloads pay by use, in $ per GPU-hour, weighted by their GPU time.

    parts: pairs of prices and GPU time, each of shape (workloads,); GPU time in any unit, alike in all pairs.
    The rate is None where no price is open to a workload that has GPU time, and where none has any; an offer is named
    where all pay the same one. Source: docs/formulas.md, Policy.
    """
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
    blended = () if is_partly_unpriced else tuple(sorted(offer_id for offer_id, _ in offers))
    offer_id, gpu_model = offers.pop() if len(offers) == 1 and not is_mixed else (None, None)
    return Flex(
        None if isnan(rate) else rate,
        PricingCategory.MIXED if is_mixed else categories.pop(),
        offer_id,
        share,
        gpu_model,
        blended if offer_id is None else (),
    )


def dated_use(parts: Sequence[tuple[UsagePrice, Floats]], prices: Prices, months: int) -> Levels:
    """What dated changes of prices make of the blend in each month, as a ratio to today's: (months,), or (1,) for none.

    Weights are today's $ by GPU model: who pays which offer stays as it is. parts: as in `blend`.
    Source: docs/formulas.md, Steps of prices.
    """
    if not prices.changes:
        return (1.0,)
    usd = usd_by_model(parts)
    whole = sum(usd.values())
    if not whole > 0:
        return (1.0,)
    mean = sum(amount / whole * prices.dated_use(model, months) for model, amount in usd.items())
    return tuple(np.asarray(mean).tolist())


def usd_by_model(parts: Sequence[tuple[UsagePrice, Floats]]) -> dict[str, float]:
    """What the GPU time of workloads costs by use, by the GPU model of whose offer they pay.

    parts: as in `blend`; $ per hour in the unit of their GPU time. Models that nobody pays for are left out.
    """
    usd: dict[str, float] = {}
    for price, weight in parts:
        used = weight > 0
        for offer, users in ((price.spot, used & price.on_spot), (price.on_demand, used & ~price.on_spot)):
            if offer is not None and users.any():
                amount = float((price.rate[users] * weight[users]).sum())
                usd[offer.gpu_model] = usd.get(offer.gpu_model, 0.0) + amount
    return usd


def shares_of(parts: Sequence[tuple[UsagePrice, Floats]]) -> dict[str, float]:
    """Share of the GPU-hours of workloads that each usage-priced offer serves, by offer_id; as `blend` has it.

    Units: ratios, 0..1. Law: they add up to 1 where every workload with GPU time has an offer, to less where
    some have none.
    """
    total = sum(float(weight.sum()) for _, weight in parts)
    found: dict[str, float] = {}
    for price, weight in parts:
        used = weight > 0
        for offer, users in ((price.spot, used & price.on_spot), (price.on_demand, used & ~price.on_spot)):
            if offer is not None and total and users.any():
                share = float(weight[users].sum()) / total
                found[offer.offer_id] = found.get(offer.offer_id, 0.0) + share
    return found


def break_evens(
    offers: tuple[Offer, ...], flex_rate: float | None, churn: float, price_fall: float
) -> tuple[BreakEven, ...]:
    """u*_T = r_T / (r_flex x mean of ((1 - lambda)(1 - delta))^t over t < T) of every term; a rule of thumb.

    offers: committed, cheapest first. churn and price_fall are ratios a month (lambda, delta); flex_rate
    None: nothing to compare with, so that no break-even is known.
    Source: docs/formulas.md, Screening curve.
    """
    best: dict[int, Offer] = {}
    for offer in offers:  # cheapest first
        best.setdefault(offer.term_months, offer)
    terms = sorted(best)
    kept = [float(np.mean(((1 - churn) * (1 - price_fall)) ** np.arange(term))) for term in terms]
    return term_rows([best[term] for term in terms], flex_rate, kept)
