"""Each slice's policy is the cheapest of all policies, tried one by one over a few months."""

import random
from functools import cache

import pytest

from tests.oracle import brute_force
from tests.oracle.comparison import advice_of
from tests.oracle.policy import level_factor
from tests.oracle.projects import Case
from tests.some_of import some_of


def slice_busy(case, hourly, block, k, growth, sigma):
    """u_k(t, j) of a project without contracts."""

    @cache
    def busy(t, j):
        factor = (1 + growth) ** t * level_factor(j, sigma)
        return sum(min(max(gpus * factor - (k - 1) * block, 0) / block, 1) for gpus in hourly) / len(hourly)

    return busy


def one_pool(r, horizon, terms, sigma, block=1, **assumptions):
    """A pool without contracts, and the world that the brute force needs."""
    growth = r.choice([-0.1, 0.0, 0.15])
    case = Case(
        170,
        horizon_months=horizon,
        sigma=sigma,
        growth=growth,
        growth_fade=1.0,
        recency_half_life_days=None,
        slices_lived=False,
        demand_fall_closes=False,
        block=block,
        **assumptions,
    )
    hourly = [r.choice([0, block, 2 * block, 3 * block]) for _ in range(170)]
    hourly[0] = block  # it did not begin inside the window
    case.workload("alpha", "chat", "inference", hourly)
    rates = {term: r.uniform(1.0, 3.8) for term in terms}
    case.offers_of("H100", 4, rates)
    a = case.assumptions
    worlds = {
        k: (
            slice_busy(case, hourly, block, k, growth, sigma),
            rates,
            4.0,
            block,
            horizon,
            a.lambda_,
            a.delta,
            a.wacc,
            sigma,
        )
        for k in (1, 2, 3)
    }
    return case, worlds


@pytest.mark.parametrize("seed", some_of(range(6), quick=3))
def test_without_churn_and_volatility_the_months_add_up_to_the_least_cost(seed):
    r = random.Random(seed)
    case, worlds = one_pool(r, 6, (2, 3), 0.0, delta=r.choice([-0.1, 0.0, 0.06]), **{"lambda": 0})
    months = advice_of(case).comparison[:6]
    beta = (1 + case.assumptions.wacc) ** (-1 / 12)
    spent = sum(beta**month.month * month.plan_usd for month in months)
    more = range(4, 4 + 12)  # growth adds slices over the three that are busy today
    least = sum(brute_force.least_cost(*world) for world in worlds.values())
    hourly = [float(gpus) for gpus in case.demand["alpha/team/chat", "H100"]]
    top = [gpus / 3_600_000 for gpus in hourly]
    for k in more:
        busy = slice_busy(case, top, 1, k, case.assumptions.growth, 0.0)
        if busy(5, 0) > 0:
            least += brute_force.least_cost(busy, *worlds[1][1:])
    assert spent == pytest.approx(least, abs=0.01)


@pytest.mark.parametrize("seed", some_of(range(4), quick=1))
def test_the_first_choice_begins_a_cheapest_policy(seed):
    r = random.Random(seed)
    terms = r.choice([(1, 2), (2,), (2, 3)])
    block = r.choice([1, 4])
    case, worlds = one_pool(r, 3, terms, r.choice([0.1, 0.4]), block, delta=0.05, **{"lambda": 0.1})
    (pool,) = advice_of(case).pools
    chosen = {}
    for run in pool.runs:
        for k in range(run.first_slice, run.last_slice + 1):
            chosen[k] = run.term_months or None
    for k, world in worlds.items():
        costs = brute_force.costs_by_first_choice(*world)
        assert costs[chosen[k]] == pytest.approx(min(costs.values()), rel=1e-11)
