"""The recursion against brute force over all policies, and against what it becomes in simple markets."""

import itertools
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from gpuplanner.domain.commitment.demand.walk import after_months
from gpuplanner.domain.commitment.recursion.price_levels import falling
from gpuplanner.domain.commitment.recursion.rates import TermRates
from gpuplanner.domain.commitment.recursion.slice_policy import Market, cheapest_policy
from tests.some_of import one_in, some_of

WAIT = -1


def rates_of(table: np.ndarray, terms: tuple[int, ...]) -> TermRates:
    """Rates by month and term; NaN: no offer."""
    none = np.zeros(table.shape)
    return TermRates((), terms, np.where(np.isnan(table), -1, 0), table, none, none, none)


def policies(states: list[tuple[int, int]], rates: TermRates) -> Iterator[dict[tuple[int, int], int]]:
    """Every way to choose in every state that can be reached."""
    open_to = [
        [WAIT, *(c for c in range(len(rates.terms)) if rates.offer[month, c] >= 0)] for month, _ in states
    ]
    for choice in itertools.product(*open_to):
        yield dict(zip(states, choice, strict=True))


@cache
def chances_over(sigma: float, spans: tuple[int, ...]) -> dict[int, np.ndarray]:
    return {span: after_months(sigma, span) for span in spans}


def cost(
    policy: dict[tuple[int, int], int],
    busy: np.ndarray,
    rates: TermRates,
    flex: float,
    market: Market,
    today: int,
    block: float = 1.0,
) -> float:
    """Expected discounted $ of one policy, followed forward through every path."""
    chances = chances_over(market.sigma, tuple(range(1, 1 + max((1, *rates.terms)))))
    hours, beta, keep = 730 * block, market.beta, 1 - market.churn

    def along(month: int, level: int) -> float:
        if month >= market.horizon_months:
            return 0.0
        price = market.use_prices[month]
        column = policy[month, level]
        if column == WAIT:
            here, step, ahead = hours * busy[month, level] * flex * price, 1, chances[1][level]
        else:
            term = rates.terms[column]
            months = min(term, market.horizon_months - month)
            here = block * rates.upfront[month, column]
            for n in range(months):
                by_use = rates.late[month, column] * (n == 0) + rates.early[month, column] * (n == term - 1)
                here += hours * rates.rate[month, column] * (1 - by_use) * beta**n
                if by_use:
                    used = chances[n][level] @ busy[month + n] if n else busy[month, level]
                    fallen = market.use_prices[month + n]
                    here += (beta * keep) ** n * hours * by_use * used * flex * fallen
            step, ahead = term, chances[term][level]
        if month + step >= market.horizon_months:
            return here
        later = sum(float(ahead[to]) * along(month + step, to) for to in np.flatnonzero(ahead))
        return here + (beta * keep) ** step * later

    return along(0, today)


def reachable(market: Market, today: int) -> list[tuple[int, int]]:
    reach = 1 if market.sigma else 0
    return [
        (month, today + step)
        for month in range(market.horizon_months)
        for step in range(-month * reach, month * reach + 1)
    ]


@pytest.mark.parametrize("seed", one_in(4, range(3)))
def test_with_volatility_it_is_the_best_of_all_policies(seed: int) -> None:
    random = np.random.default_rng(seed)
    market = Market(3, 0.05, falling(0.03, 3), 0.2, 0.1)
    busy = random.random((3, 21))
    table = random.uniform(1, 4, (3, 2))
    table[0, 1] = np.nan  # the lead time of the longer term does not fit yet
    rates = rates_of(table, (1, 2))
    costs = [
        cost(policy, busy, rates, 4.0, market, 10, 2.0) for policy in policies(reachable(market, 10), rates)
    ]
    found = cheapest_policy(busy[:, :, None], np.arange(3), rates, 4.0, market, np.full(1, 2.0))
    assert found.value[10, 0] == pytest.approx(min(costs), rel=1e-12)


@pytest.mark.parametrize("sigma", [0.0, 0.2])
@pytest.mark.parametrize("seed", one_in(12, range(3)))
def test_leads_inside_a_month_terms_in_days_and_upfront_payments_too(seed: int, sigma: float) -> None:
    random = np.random.default_rng(seed)
    months = 3 if sigma else 6
    market = Market(months, 0.05, falling(0.03, months), sigma, 0.1)
    today = 10 if sigma else 0
    busy = random.random((months, 21 if sigma else 1))
    terms = (1, 2) if sigma else (1, 2, 4)
    rates = replace(
        rates_of(random.uniform(1, 3, (months, len(terms))), terms),
        upfront=random.uniform(0, 300, (months, len(terms))),
        late=random.choice([0.0, 0.1, 0.4], (months, len(terms))),
        early=random.choice([0.0, 0.3, 0.5], (months, len(terms))),
    )
    every = policies(reachable(market, today), rates)
    costs = [cost(policy, busy, rates, 4.0, market, today, 2.0) for policy in every]
    found = cheapest_policy(busy[:, :, None], np.arange(months), rates, 4.0, market, np.full(1, 2.0))
    assert found.value[today, 0] == pytest.approx(min(costs), rel=1e-12)


@pytest.mark.parametrize("seed", some_of(range(6), quick=2))
def test_without_volatility_it_is_the_best_of_all_plans_month_by_month(seed: int) -> None:
    random = np.random.default_rng(100 + seed)
    market = Market(6, random.choice([0.0, 0.04]), falling(random.uniform(-0.05, 0.05), 6), 0.0, 0.12)
    busy = random.random((6, 1))
    rates = rates_of(random.uniform(1, 5, (6, 3)), (1, 2, 4))
    every = list(policies(reachable(market, 0), rates))
    costs = [cost(policy, busy, rates, 5.0, market, 0) for policy in every]
    found = cheapest_policy(busy[:, :, None], np.arange(6), rates, 5.0, market, 1.0)
    assert found.value[0, 0] == pytest.approx(min(costs), rel=1e-12)
    month, spent = 0, []
    while month < 6:
        spent.append((month, int(found.choice[month, 0])))
        month += 1 if found.choice[month, 0] == WAIT else rates.terms[found.choice[month, 0]]
    chosen = {state: dict(spent).get(state[0], WAIT) for state in reachable(market, 0)}
    assert cost(chosen, busy, rates, 5.0, market, 0) == pytest.approx(min(costs), rel=1e-12)


def test_slices_are_planned_alike_whether_alone_or_together() -> None:
    random = np.random.default_rng(5)
    shares = random.random((2, 21, 9))
    months = np.arange(24) % 2
    rates = rates_of(random.uniform(1, 4, (24, 3)), (1, 6, 12))
    market = Market(24, 0.01, falling(0.02, 24), 0.1, 0.1)
    widths = random.uniform(0.5, 9.0, 9)
    together = cheapest_policy(shares, months, rates, 4.0, market, widths)
    for place in range(9):
        alone = cheapest_policy(
            shares[:, :, place : place + 1], months, rates, 4.0, market, widths[place : place + 1]
        )
        assert (alone.choice[:, 0] == together.choice[:, place]).all()
        assert alone.value[:, 0] == pytest.approx(together.value[:, place], rel=1e-12)


def test_with_equal_cost_waiting_wins_and_then_the_shorter_term() -> None:
    market = Market(2, 0.0, (1.0,), 0.0, 0.0)
    equal = rates_of(np.full((2, 2), 3.0), (1, 2))
    waits = cheapest_policy(np.ones((1, 1, 1)), np.zeros(2, dtype=np.int64), equal, 3.0, market, 1.0)
    assert waits.choice[:, 0].tolist() == [-1, -1]
    commits = cheapest_policy(np.ones((1, 1, 1)), np.zeros(2, dtype=np.int64), equal, 4.0, market, 1.0)
    assert commits.choice[0, 0] == 0


def test_a_term_past_the_horizon_pays_only_inside_it() -> None:
    market = Market(3, 0.0, (1.0,), 0.0, 0.0)
    policy = cheapest_policy(
        np.ones((1, 1, 1)),
        np.zeros(3, dtype=np.int64),
        rates_of(np.full((3, 1), 1.0), (36,)),
        9.0,
        market,
        1.0,
    )
    assert policy.value[0, 0] == pytest.approx(3 * 730)


def test_a_busy_slice_cannot_wait_when_nobody_sells_by_use() -> None:
    market = Market(4, 0.0, (1.0,), 0.0, 0.0)
    shares = np.array([[[1.0, 0.0, 1e-9]]])
    policy = cheapest_policy(
        shares, np.zeros(4, dtype=np.int64), rates_of(np.full((4, 1), 2.0), (1,)), None, market, 1.0
    )
    assert policy.choice[0].tolist() == [0, -1, 0]
    assert policy.value[0].tolist() == pytest.approx([4 * 730 * 2, 0, 4 * 730 * 2])


def test_the_base_is_committed_for_long_and_the_margin_for_short() -> None:
    shares = np.tile(np.linspace(1, 0, 60), (1, 21, 1))
    prices = falling(0.02, 60)
    rates = rates_of(np.outer(prices, [5.2, 4.6, 3.9, 2.75]), (3, 6, 12, 36))
    market = Market(60, 0.01, prices, 0.1, 0.1)
    policy = cheapest_policy(shares, np.zeros(60, dtype=np.int64), rates, 6.88, market, 1.0)
    terms = np.array([3, 6, 12, 36, 0])[policy.choice[0]]
    assert (np.diff(terms) <= 0).all() and terms[0] == 36 and terms[-1] == 0
