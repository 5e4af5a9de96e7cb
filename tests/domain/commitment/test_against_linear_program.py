"""Without volatility and churn the whole pool costs what a linear program without slices says."""

import random

import pytest

from tests.oracle import linear_program
from tests.oracle.comparison import advice_of
from tests.oracle.projects import Case
from tests.some_of import one_in


def pool_and_programme(seed, delta, hours=170):
    """A pool of whole GPUs without growth, and the cost of its year: (advised, LP with any starts, with common)."""
    r = random.Random(seed)
    case = Case(
        hours,
        horizon_months=12,
        sigma=0,
        delta=delta,
        recency_half_life_days=None,
        slices_lived=False,
        demand_fall_closes=False,
        **{"lambda": 0},
    )
    hourly = [r.randrange(6) for _ in range(hours)]
    case.workload("alpha", "chat", "inference", hourly)
    rates = {6: r.uniform(2.0, 3.5), 12: r.uniform(1.5, 3.0)}
    case.offers_of("H100", 4, rates)
    beta = (1 + case.assumptions.wacc) ** (-1 / 12)
    spent = sum(beta**month.month * month.plan_usd for month in advice_of(case).comparison)
    programme = ([hourly] * 12, rates, 4.0)
    any_start = linear_program.least_cost(*programme, range(12), 0.0, delta, case.assumptions.wacc)
    common_starts = linear_program.least_cost(*programme, [0, 6], 0.0, delta, case.assumptions.wacc)
    return spent, any_start, common_starts


@pytest.mark.parametrize("seed", one_in(4, range(4)))
def test_steady_demand_and_prices_start_together(seed):
    """Nothing changes from month to month: the program itself starts every commitment at once."""
    spent, any_start, common_starts = pool_and_programme(seed, 0.0)
    assert spent == pytest.approx(common_starts, abs=0.01)
    assert spent == pytest.approx(any_start, abs=0.01)


@pytest.mark.parametrize("seed", one_in(4, range(4)))
def test_falling_prices_lie_between_common_starts_and_any(seed):
    """Slices may start when they like, but each keeps its own commitments."""
    spent, any_start, common_starts = pool_and_programme(seed, 0.04)
    assert any_start - 0.01 <= spent <= common_starts + 0.01
