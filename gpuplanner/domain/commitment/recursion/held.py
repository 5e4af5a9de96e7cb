"""Held levels: which slices take a level that the planner holds, so that the rest can be planned around it best."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Floats, Ints
from gpuplanner.domain.commitment.demand.walk import after_months
from gpuplanner.domain.commitment.recursion.rates import TermRates
from gpuplanner.domain.commitment.recursion.slice_policy import Market, Policy

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
    policy: Policy,
    without: Policy,
    rates: TermRates,
    market: Market,
    held: Collection[int],
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
