"""The recursion's value at every level and its choices along today's equal the oracle's, slice by slice."""

import random
from decimal import Decimal

import numpy as np
import pytest

from gpuplanner.domain.commitment.recursion.calendar import Calendar
from gpuplanner.domain.commitment.recursion.rates import Prices, committed_offers, falling, term_rates
from gpuplanner.domain.commitment.recursion.slice_policy import Market, cheapest_policy
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.tables import PricingCategory
from tests.oracle import brute_force, linear_program
from tests.oracle.offers import committed_by_term
from tests.oracle.policy import levels, solve_slice
from tests.some_of import one_in, some_of


def committed(offer_id, term, rate, **fields):
    return Offer(offer_id, "H100", PricingCategory.COMMITTED, term, Decimal(str(rate)), **fields)


def engine(shares, offers, flex, market, block=1):
    """Policy of slices of so many GPUs whose shares are (months, levels, slices)."""
    horizon, leads_free = market.horizon_months, Calendar(free_leads=True)
    rates = term_rates(committed_offers(offers), horizon, frozenset(), leads_free, Prices(market.use_prices))
    months = np.arange(horizon)
    return rates, cheapest_policy(np.array(shares), months, rates, flex, market, float(block))


@pytest.mark.parametrize("seed", some_of(range(12), quick=5))
def test_values_and_choices(seed):
    r = random.Random(seed)
    horizon, slices = r.choice([1, 5, 13, 30]), 3
    churn, fall = r.choice([0.0, 0.02, 0.5, 1.0]), r.choice([0.0, 0.03, -0.2, 0.5])
    market = Market(
        horizon, churn, falling(fall, horizon), r.choice([0.0, 0.1, 0.6]), r.choice([0.0, 0.1, 0.9])
    )
    block = r.choice([1, 8])
    grid = levels(market.sigma)
    offers = [
        committed(
            f"{term}-{copy}", term, round(r.uniform(0.5, 4), 2), lead_time_hours=r.choice([0, 720, 731, 4000])
        )
        for term in r.sample([1, 2, 3, 7, 12, 36], r.choice([0, 1, 3]))
        for copy in range(r.choice([1, 2]))
    ]
    shares = [
        [[r.choice([0.0, r.random(), 1.0]) for _ in range(slices)] for _ in grid] for _ in range(horizon)
    ]
    rates, policy = engine(shares, offers, 4.0, market, block)
    for k in range(slices):
        value, choice = solve_slice(
            lambda t, j, k=k: shares[t][grid.index(j)][k],
            lambda t: committed_by_term(offers, t, 10**9),
            4.0,
            block,
            horizon,
            churn,
            fall,
            market.wacc,
            market.sigma,
        )
        for place, j in enumerate(grid):
            assert policy.value[place, k] == pytest.approx(value[0][j], rel=1e-12, abs=1e-9)
        for t in range(horizon):
            offer, column = choice[t, 0], int(policy.choice[t, k])
            assert (0 if column < 0 else rates.terms[column]) == (0 if offer is None else offer.term_months)
            if offer is not None:
                assert rates.offers[rates.offer[t, column]].offer_id == offer.offer_id


@pytest.mark.parametrize(
    ("sigma", "horizon", "terms"),
    one_in(2, [(0, 6, (1, 2, 4)), (0, 5, (3,)), (0, 1, (2,)), (0.2, 3, (1, 2)), (0.5, 3, (2,))]),
)
def test_the_value_is_that_of_the_best_of_all_policies(sigma, horizon, terms):
    r = random.Random(horizon)
    for _ in range(2):
        churn, fall = r.choice([0.0, 0.1]), r.choice([0.0, 0.05, -0.1])
        market = Market(horizon, churn, falling(fall, horizon), sigma, 0.1)
        grid = levels(sigma)
        shares = [[[r.random()] for _ in grid] for _ in range(horizon)]
        rates = {term: round(r.uniform(1, 4), 3) for term in terms}
        _, policy = engine(shares, [committed(str(t), t, rate) for t, rate in rates.items()], 4.0, market, 2)
        best = brute_force.least_cost(
            lambda t, j, s=shares, g=grid: s[t][g.index(j)][0],
            rates,
            4.0,
            2,
            horizon,
            churn,
            fall,
            market.wacc,
            sigma,
        )
        assert policy.value[len(grid) // 2, 0] == pytest.approx(best, rel=1e-12)


@pytest.mark.parametrize(("churn", "price_fall"), [(0.0, 0.0), (0.03, 0.05), (0.1, -0.05)])
def test_terms_that_reach_the_horizon_start_together_as_in_the_linear_program(churn, price_fall):
    """Every commitment ends with the horizon, and those of lower slices start earlier: no slice loses by its place."""
    r = random.Random(17)
    horizon, hours, top = 8, 40, 5
    demand = sorted([sorted(r.randrange(top + 1) for _ in range(hours)) for _ in range(horizon)], key=sum)
    demand = [[max(month[h] for month in demand[: t + 1]) for h in range(hours)] for t in range(horizon)]
    market = Market(horizon, churn, falling(price_fall, horizon), 0.0, 0.1)
    shares = [
        [[sum(min(max(gpus - k, 0), 1) for gpus in month) / hours for k in range(top)]] for month in demand
    ]
    _, policy = engine(shares, [committed("all", horizon, 2.1)], 4.0, market)
    programme = linear_program.least_cost(demand, {horizon: 2.1}, 4.0, range(horizon), churn, price_fall, 0.1)
    assert policy.value[0].sum() == pytest.approx(programme, abs=0.01)
