"""The policy of each slice: wait, or commit to a term; held levels, and use that is limited."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Bools, Floats, Ints
from gpuplanner.domain.commitment.busy import BusyTable
from gpuplanner.domain.commitment.recursion.calendar import Calendar
from gpuplanner.domain.commitment.recursion.rates import Levels, TermRates, over
from gpuplanner.domain.commitment.result import Flex
from gpuplanner.domain.commitment.slicing import Slicing
from gpuplanner.domain.commitment.volatility import after_months
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.domain.model.window import HOURS_PER_MONTH, MONTH_S

# --- The policy of each slice: wait, or commit to a term, whichever costs least from here to the horizon

TIE: Final = 1e-12
NOT_BUSY: Final = 1e-12
"""A share of hours that is only rounding: a thousandth of a GPU for a second in a year is more."""
IMPOSSIBLE_USD: Final = 1e200
"""Stands for infinity, so that impossible states add up without NaN."""


UNSERVED_USD: Final = 1e7
"""A GPU-hour that nobody serves: more than any dollars, so that less of them is always better."""


@dataclass(frozen=True, slots=True)
class Market:
    """What the recursion assumes: ratios a month (wacc a year), months to the horizon.

    use_prices: what a price by use of today is in each month. last_month: how long the last one is, a share of 730 h; a
    forecast ends with a whole one, what came need not.
    """

    horizon_months: int
    churn: float
    use_prices: Levels
    sigma: float
    wacc: float
    last_month: float = 1.0

    @property
    def beta(self) -> float:
        """Worth today of a dollar next month.

        A ratio a month: (1 + wacc)^(-1/12), with wacc a year. Source: docs/formulas.md, Policy.
        """
        return float((1 + self.wacc) ** (-1 / 12))


@dataclass(frozen=True, slots=True, eq=False)
class Policy:
    """The cheapest policy of every slice.

    Shapes: value (levels, slices), $ from month 0 on; choice (months, slices) along today's level: the column of
    TermRates.terms to commit to, -1 to wait; by_month (months + 1, levels, slices), $ from each month on; signed_usd
    (terms, slices): what signing each term in month 0 at today's level costs until it ends, NaN where it is not open.
    """

    value: Floats
    choice: Ints
    by_month: Floats
    signed_usd: Floats


def cheapest_policy(
    shares: Floats,
    state_of_month: Ints,
    rates: TermRates,
    flex_rate: float | Floats | None,
    market: Market,
    widths: Floats | float,
    closed: Bools | None = None,
) -> Policy:
    """Backward recursion over months and levels, all slices at once (docs/formulas.md, Policy).

    Shapes: shares u_k (states, levels, slices); state_of_month (months,) says which state a month has;
    widths b_k, GPUs: (slices,), or one for all. closed (months, terms, slices): what a slice may not sign in the
    first months.
    A candidate replaces the best so far when it is lower by more than 1e-12 of it: wait first, then terms ascending.
    flex_rate: r_flex, or of each month and slice where use is limited, (months, slices), NaN where nobody serves it.
    None: a busy slice cannot wait, nor sign what leaves a part of a month to be paid by use.
    """
    horizon, beta = market.horizon_months, market.beta
    _, levels, slices = shares.shape
    today = levels // 2
    month_hours = HOURS_PER_MONTH * widths
    stays = beta * (1 - market.churn)
    spans = (1, *rates.terms)
    backwards = [stays**span * after_months(market.sigma, span) for span in spans]  # discounted E_T
    annuities = np.concatenate(([0.0], np.cumsum(beta ** np.arange(horizon))))  # 1 + beta + .. + beta^(n - 1)
    lengths = [1.0] * (horizon - 1) + [market.last_month]
    values = np.empty((horizon + 1, levels, slices))
    values[horizon] = 0.0
    choice = np.full((horizon, slices), -1, dtype=np.int64)
    signed = np.full((len(rates.terms), slices), np.nan)
    lower, scratch = np.empty((levels, slices), dtype=np.bool_), np.empty((levels, slices))
    candidate = np.empty((levels, slices))
    prices = over(market.use_prices, horizon).tolist()
    for month in range(horizon - 1, -1, -1):
        busy, best = shares[state_of_month[month]], values[month]
        np.matmul(backwards[0], values[month + 1], out=best)
        if flex_rate is None:
            best[busy > NOT_BUSY] = IMPOSSIBLE_USD
        else:
            used = lengths[month] * month_hours * _rate_in(flex_rate, month, prices[month])
            best += np.multiply(busy, used, out=scratch)
        for column, term in enumerate(rates.terms):
            if rates.offer[month, column] < 0:
                continue
            ends_inside = month + term <= horizon
            late = rates.late[month, column]
            early = rates.early[month, column] if ends_inside else 0.0
            weight = annuities[min(term, horizon - month)] - late - early * beta ** (term - 1)
            weight -= (1 - lengths[min(month + term, horizon) - 1]) * beta ** (horizon - month - 1)
            paid = HOURS_PER_MONTH * rates.rate[month, column] * weight
            fixed = (paid + rates.upfront[month, column]) * widths
            if month + term < horizon:
                np.matmul(backwards[column + 1], values[month + term], out=candidate)
                candidate += fixed
            else:
                candidate[:] = fixed
            beside: Floats | None = None
            if flex_rate is not None and late + early > 0:
                of_first = late + early if term == 1 else late
                beside = busy * (used * of_first)
                if early > 0 and term > 1:
                    last = shares[state_of_month[month + term - 1]]
                    later = stays ** (term - 1) * after_months(market.sigma, term - 1) @ last
                    at = month + term - 1
                    beside += later * (month_hours * _rate_in(flex_rate, at, prices[at]) * early)
                candidate += beside
            elif late + early > 0:
                _forbid(candidate, busy, late, early, term, shares, state_of_month, month)
            if month == 0:
                signed[column] = fixed if beside is None else fixed + beside[today]
            if closed is not None and month < len(closed):
                candidate[:, closed[month, column]] = np.inf
            np.multiply(best, 1 - TIE, out=scratch)
            np.less(candidate, scratch, out=lower)
            np.copyto(best, candidate, where=lower)
            choice[month, lower[today]] = column
    return Policy(values[0], choice, values, signed)


def _rate_in(flex_rate: float | Floats, month: int, price: float) -> Floats | float:
    """$ per GPU-hour by use in a month; price: share of today's."""
    if isinstance(flex_rate, float | int):
        return flex_rate * price
    here = flex_rate[month]
    return np.where(np.isnan(here), UNSERVED_USD, here * price)


def _forbid(
    candidate: Floats,
    busy: Floats,
    late: float,
    early: float,
    term: int,
    shares: Floats,
    state_of_month: Ints,
    month: int,
) -> None:
    """A term that leaves a busy slice without GPUs for a part of a month is impossible where nobody rents them out."""
    if late > 0 or term == 1:
        candidate[busy > NOT_BUSY] = IMPOSSIBLE_USD
    if early > 0 and term > 1:
        last = shares[state_of_month[month + term - 1]]
        candidate[:, last.max(axis=0) > NOT_BUSY] = IMPOSSIBLE_USD


# --- Held levels: which slices take a level that the planner holds, so that the rest can be planned around it best

ADVICE_FIRST_USD: Final = 1e-6
"""A slice stays with what its policy says where another place for a held level costs no less than this more."""


@dataclass(frozen=True, slots=True, eq=False)
class HeldCosts:
    """What each place for a slice is expected to cost, $. terms: of the held levels, 0 first for none of them.

    Shapes: usd (terms, slices); wants (slices,): the held term that a slice signs now if it may, 0 for none.
    """

    terms: tuple[int, ...]
    usd: Floats
    wants: Ints


def held_costs(
    policy: Policy, without: Policy, rates: TermRates, market: Market, held: Collection[int]
) -> HeldCosts:
    """Costs of all slices of a policy. without: the policy with no held term on offer.

    A slice of a held level signs its term in month 0 and then follows `policy`; another follows `policy` too, or
    `without` where `policy` would sign a held term in month 0. A term that nobody offers now costs nothing here:
    it takes the busiest slices.
    """
    today = policy.value.shape[0] // 2
    terms = (0, *sorted(held, reverse=True))
    signs = np.array((*rates.terms, 0), dtype=np.int64)[policy.choice[0]]  # -1, to wait, is the last
    wants = np.where(np.isin(signs, terms), signs, 0)
    free = np.where(wants > 0, without.value[today], policy.value[today])
    usd = np.stack([free, *(_signing_now(policy, rates, market, term) for term in terms[1:])])
    return HeldCosts(terms, usd, wants)


def cheapest_places(costs: HeldCosts, sizes: Mapping[int, int]) -> Ints:
    """The held term (0: none) of each slice, at the least cost of all slices together, exactly; shape (slices,).

    sizes: slices by held term. Law: levels held at what the policy signs are exactly the slices that sign them.
    Source: minimum-cost flow by successive shortest paths (Ahuja, Magnanti, Orlin 1993, ch. 9); one unit a slice,
    one node a term.
    """
    terms = np.array(costs.terms, dtype=np.int64)
    usd = costs.usd + ADVICE_FIRST_USD * (costs.wants[None, :] != terms[:, None])
    place = np.zeros(usd.shape[1], dtype=np.int64)
    for node, term in enumerate(costs.terms[1:], 1):
        for _ in range(sizes[term]):
            _push_one(usd, place, node)
    return np.asarray(terms[place], dtype=np.int64)


def paid_months(market: Market, term: int) -> float:
    """Months that a term signed in month 0 is paid for inside the horizon, discounted: 1 + beta + .. .

    term: months. A term that outlasts the horizon counts up to it.
    Law: without discount the number of months, min(term, horizon).
    """
    return float((market.beta ** np.arange(min(term, market.horizon_months))).sum())


def policy_after_usd(policy: Policy, market: Market, months: int) -> Floats:
    """$ that the policy is expected to cost each slice from `months` on, as seen today; 0 from the horizon on.

    Shapes: (slices,). Units: $ of today: discounted by market.beta, times the chance that the demand is still there.
    The level of demand is expected over the walk. Source: docs/formulas.md, Policy: (beta (1 - lambda))^T E_T[V(T)].
    """
    levels = policy.value.shape[0]
    if months >= market.horizon_months:
        return np.zeros(policy.value.shape[1])
    later = after_months(market.sigma, months)[levels // 2] @ policy.by_month[months]
    return np.asarray((market.beta * (1 - market.churn)) ** months * later, dtype=np.float64)


def _signing_now(policy: Policy, rates: TermRates, market: Market, term: int) -> Floats:
    """$ of signing a term in month 0 and following the policy after it, (slices,); 0 where nobody offers it."""
    column = rates.column_of(term)
    if column < 0 or rates.offer[0, column] < 0:
        return np.zeros(policy.value.shape[1])
    return np.asarray(policy.signed_usd[column] + policy_after_usd(policy, market, term), dtype=np.float64)


def _push_one(costs: Floats, place: Ints, target: int) -> None:
    """Give `target` one slice more, along the cheapest chain of slices that move on from node to node."""
    nodes = len(costs)
    step = np.full((nodes, nodes), np.inf)
    mover = np.zeros((nodes, nodes), dtype=np.int64)
    for node in range(nodes):
        (here,) = np.nonzero(place == node)
        if len(here):
            extra = costs[:, here] - costs[node, here]
            lowest = extra.argmin(axis=1)
            step[node], mover[node] = extra[np.arange(nodes), lowest], here[lowest]
    reach, came_from = np.full(nodes, np.inf), np.zeros(nodes, dtype=np.int64)
    reach[0] = 0.0
    for _ in range(nodes - 1):
        for node in range(1, nodes):
            through = reach + step[:, node]
            through[node] = np.inf
            best = int(through.argmin())
            if through[best] < reach[node] - 1e-9:
                reach[node], came_from[node] = through[best], best
    node, seen = target, 0
    while node and seen < nodes:
        before = int(came_from[node])
        place[mover[before, node]] = node
        node, seen = before, seen + 1


# --- Use that is limited: which slice of which month may be paid by use, and at what rate, where offers have a maximum

Blend = Callable[[frozenset[str]], tuple[Flex, Mapping[str, float]]]
"""r_flex of a row without some offers (by offer_id), and the share of its GPU-hours on each of the others."""

_ROUNDING: Final = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class LimitedUse:
    """What each slice pays by use in each month. Shapes: rate (months, slices), $ per GPU-hour at prices of today, NaN
    where nobody serves it; flex (slices,): place in `flexes` of what it pays in month 0."""

    rate: Floats
    flex: Ints
    flexes: tuple[Flex, ...]


@dataclass(frozen=True, slots=True, eq=False)
class UseAsked:
    """One row that asks for GPUs by use. offers: usage-priced and eligible; ratios: of mapped models, by offer_id.

    is_refused: nobody who may serve it sells by use: what is not signed is served by nobody.
    """

    offers: tuple[Offer, ...]
    blend: Blend
    busy: BusyTable
    slicing: Slicing
    ratios: Mapping[str, float] = field(default_factory=dict)
    is_refused: bool = False

    @property
    def is_limited(self) -> bool:
        """Whether what its slices pay is not one rate for all.

        Where it is False, one r_flex holds for all slices and months, and `limited_use` answers None.
        """
        return self.is_refused or is_limited(self.offers)


def usage_offers(eligible: Sequence[Offer]) -> tuple[Offer, ...]:
    """Offers paid by use that have a rate.

    On demand and spot, in given order. A rate of 0 counts as none stated.
    """
    categories = (PricingCategory.STANDARD, PricingCategory.DYNAMIC)
    return tuple(offer for offer in eligible if offer.pricing_category in categories and offer.rate)


def is_limited(offers: Sequence[Offer]) -> bool:
    """Whether one of these offers has a maximum, or days.

    A maximum of GPUs, or a first or last day of capacity. False without offers.
    """
    return any(offer.max_gpus is not None or offer.starts or offer.ends for offer in offers)


def limited_use(
    rows: Sequence[UseAsked | None], months: int, calendar: Calendar
) -> tuple[LimitedUse | None, ...]:
    """What every row may pay by use; None for rows without limits. rows: in the order in which offers are given out.

    Month by month the limits go to slices that are busy, from the highest of a row downward: each takes of an offer its
    GPUs times the share of the row's GPU-hours on it; an offer with too little left is closed to it, and it takes the
    next best. Source: docs/formulas.md, Policy.
    """
    if not any(row is not None and row.is_limited for row in rows):
        return tuple(None for _ in rows)
    tables = [_Table(row, months) if row is not None and row.is_limited else None for row in rows]
    known: dict[object, int] = {}
    for month in range(months):
        alike = tuple(
            (int(row.busy.state_of_month[month]), _closed_in(row.offers, month, calendar))
            for row, table in zip(rows, tables, strict=True)
            if row is not None and table is not None
        )
        first = known.setdefault(alike, month)
        if first < month:
            for table in tables:
                if table is not None:
                    table.copy(first, month)
            continue
        left = {
            offer.offer_id: float(offer.max_gpus)
            for row in rows
            if row is not None
            for offer in row.offers
            if offer.max_gpus is not None
        }
        for row, table in zip(rows, tables, strict=True):
            if row is not None and table is not None:
                table.give_out(month, left, _closed_in(row.offers, month, calendar))
    return tuple(None if table is None else table.answer() for table in tables)


def _closed_in(offers: Sequence[Offer], month: int, calendar: Calendar) -> frozenset[str]:
    """Offers whose capacity is not there through all of a month."""
    if calendar.begin_s is None:
        return frozenset()
    begin_s = calendar.begin_s + month * MONTH_S
    return frozenset(
        offer.offer_id
        for offer in offers
        if (offer.starts_s is not None and offer.starts_s > begin_s)
        or (offer.ends_s is not None and offer.ends_s < begin_s + MONTH_S)
    )


class _Table:
    """One row's answer in the making."""

    def __init__(self, row: UseAsked, months: int) -> None:
        """Nothing is served at first: rates are NaN until a slice finds an offer."""
        self._row = row
        self._blends: dict[frozenset[str], tuple[Flex, Mapping[str, float]]] = {}
        self._rate = np.full((months, row.slicing.count), np.nan)
        self._flexes: dict[Flex, int] = {}
        self._flex = np.zeros(row.slicing.count, dtype=np.int64)

    def copy(self, source: int, month: int) -> None:
        """A month that is like another."""
        self._rate[month] = self._rate[source]

    def give_out(self, month: int, left: dict[str, float], closed: frozenset[str]) -> None:
        """One month, highest slice first; what busy slices take is taken off `left`."""
        widths = self._row.slicing.widths.tolist()
        busy = self._row.busy.today(month) > 0
        for k in range(len(widths) - 1, -1, -1):
            flex, shares = self._open(closed, left, widths[k])
            self._rate[month, k] = np.nan if flex.rate is None else flex.rate
            if month == 0:
                self._flex[k] = self._flexes.setdefault(flex, len(self._flexes))
            if busy[k]:
                for offer_id, share in shares.items():
                    if offer_id in left:
                        left[offer_id] -= share * widths[k] / self._row.ratios.get(offer_id, 1.0)

    def _open(
        self, closed: frozenset[str], left: Mapping[str, float], width: float
    ) -> tuple[Flex, Mapping[str, float]]:
        """The blend that is open to a slice of this width: offers with too little left are closed one by one,
        the first by id, since each closure moves shares to the others.
        """
        while True:
            if closed not in self._blends:
                self._blends[closed] = self._row.blend(closed)
            flex, shares = self._blends[closed]
            short = [
                offer_id
                for offer_id, share in shares.items()
                if offer_id in left
                and share * width / self._row.ratios.get(offer_id, 1.0) > left[offer_id] + _ROUNDING
            ]
            if not short:
                return flex, shares
            closed = closed | {min(short)}

    def answer(self) -> LimitedUse:
        """What was found."""
        return LimitedUse(self._rate, self._flex, tuple(self._flexes))
