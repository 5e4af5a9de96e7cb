"""The recursion beside a linear program (no volatility) and beside many walks that follow its policy (volatility)."""

import random

import numpy as np
import pytest

from gpuplanner.domain.commitment.demand.demand_levels import level_factors, transition
from gpuplanner.domain.commitment.recursion.calendar import FOR_EVER_S
from gpuplanner.domain.commitment.recursion.rates import falling
from gpuplanner.domain.commitment.recursion.slice_policy import Market, cheapest_policy
from gpuplanner.domain.commitment.recursion.ways import Ways
from gpuplanner.domain.model.window import MONTH_S
from tests.oracle.slice_program import least_usd

MONTH_H = 730


def rates_of(terms: dict[int, float], horizon: int, fall: float) -> Ways:
    ordered = sorted(terms)
    shape = (horizon, len(ordered))
    return Ways(
        place=np.arange(len(ordered)),
        length_s=np.array(ordered, dtype=np.int64) * MONTH_S,
        is_block=np.zeros(len(ordered), dtype=np.bool_),
        terms=np.array(ordered, dtype=np.int64),
        upfront=np.zeros(len(ordered)),
        is_open=np.ones(shape, dtype=np.bool_),
        begin_s=np.repeat(MONTH_S * np.arange(horizon, dtype=np.int64)[:, None], len(ordered), axis=1),
        rate=np.outer((1 - fall) ** np.arange(horizon), [terms[term] for term in ordered]),
        lead_s=np.zeros(len(ordered), dtype=np.int64),
        last_start_s=np.full(len(ordered), FOR_EVER_S),
    )


def gap(seed: int) -> float:
    """How far the recursion is from the program, as a share of its cost, in one random market."""
    r = random.Random(seed)
    horizon = r.randrange(1, 61)
    terms = {term: r.uniform(0.5, 6.0) for term in r.sample((1, 2, 3, 6, 12, 24, 36), r.randrange(1, 6))}
    churn, fall = r.choice((0.0, r.uniform(0, 0.2))), r.uniform(-0.05, 0.1)
    market = Market(
        horizon_months=horizon,
        churn=churn,
        use_prices=falling(fall, horizon),
        sigma=0.0,
        wacc=r.uniform(0, 0.3),
    )
    flex = r.uniform(1.0, 8.0)
    shares = np.array([[[r.choice((0.0, r.random(), 1.0))]] for _ in range(horizon)])
    found = cheapest_policy(shares, np.arange(horizon), rates_of(terms, horizon, fall), flex, market, 1.0)
    price = [(1 - fall) ** t for t in range(horizon)]
    wait = [MONTH_H * shares[t, 0, 0] * flex * price[t] for t in range(horizon)]
    commit = {
        term: [
            MONTH_H * rate * price[t] * sum(market.beta**n for n in range(min(term, horizon - t)))
            for t in range(horizon)
        ]
        for term, rate in terms.items()
    }
    least = least_usd(wait, commit, market.beta * (1 - market.churn))
    return abs(float(found.value[0, 0]) - least) / max(least, 1.0)


def test_without_volatility_the_gap_to_the_program_is_nothing() -> None:
    assert max(gap(seed) for seed in range(60)) <= 1e-9


@pytest.mark.long
def test_a_thousand_markets() -> None:
    assert max(gap(seed) for seed in range(1000, 2000)) <= 1e-9


WALKS = 40_000


@pytest.mark.parametrize("seed", range(3))
def test_with_volatility_walks_that_follow_the_policy_cost_its_value_on_average(seed: int) -> None:
    """The policy is worked out here for every level and followed along random walks; its mean is the value."""
    r = np.random.default_rng(seed)
    horizon, sigma, churn, fall, wacc = 12, 0.15, 0.02, 0.02, 0.1
    terms, flex = {1: 3.6, 3: 3.1, 6: 2.6}, 6.0
    demand = r.uniform(0.2, 1.3, size=400)
    factors = level_factors(sigma)
    shares = np.clip(np.outer(factors, demand), 0, 1).mean(axis=1)[None, :, None]  # (1, levels, 1)
    market = Market(
        horizon_months=horizon, churn=churn, use_prices=falling(fall, horizon), sigma=sigma, wacc=wacc
    )
    value = cheapest_policy(
        shares, np.zeros(horizon, dtype=np.int64), rates_of(terms, horizon, fall), flex, market, 1.0
    ).value[len(factors) // 2, 0]

    chances, kept = transition(sigma), market.beta * (1 - churn)
    after = {term: np.linalg.matrix_power(chances, term) for term in (1, *terms)}
    best = np.zeros((horizon + 1, len(factors)))
    choice = np.zeros((horizon, len(factors)), dtype=int)
    paid = np.zeros((horizon, len(factors)))
    for t in range(horizon - 1, -1, -1):
        usd = MONTH_H * (1 - fall) ** t
        options = {0: usd * flex * shares[0, :, 0]}
        for term, rate in terms.items():
            options[term] = np.full(
                len(factors), usd * rate * sum(market.beta**n for n in range(min(term, horizon - t)))
            )
        costs = {
            term: now + kept ** max(term, 1) * after[max(term, 1)] @ best[min(t + max(term, 1), horizon)]
            for term, now in options.items()
        }
        ordered = list(costs)
        table = np.stack([costs[term] for term in ordered])
        best[t] = table.min(axis=0)
        choice[t] = np.array(ordered)[table.argmin(axis=0)]
        paid[t] = np.stack([options[term] for term in ordered])[table.argmin(axis=0), np.arange(len(factors))]

    level = np.full(WALKS, len(factors) // 2)
    alive, bound_until, total = np.ones(WALKS, dtype=bool), np.zeros(WALKS, dtype=int), np.zeros(WALKS)
    steps = chances.cumsum(axis=1)
    for t in range(horizon):
        free = bound_until <= t
        deciding = alive & free
        total[deciding] += market.beta**t * paid[t, level[deciding]]
        bound_until[deciding] = t + np.maximum(choice[t, level[deciding]], 1)
        # who is bound pays to the end of the term, but what comes after it counts only while the demand is alive
        alive &= r.random(WALKS) >= churn
        level = (r.random(WALKS)[:, None] > steps[level]).sum(axis=1)
    error = total.std() / np.sqrt(WALKS)
    assert abs(total.mean() - value) < 4 * error
