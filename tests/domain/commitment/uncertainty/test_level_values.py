"""Levels set by hand beside the advice over the whole horizon: by hand in a calm world, never cheaper in any."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.outlook_result import CostOfLevels, LevelValues
from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.plan.ground import ground_of
from gpuplanner.domain.commitment.plan.row_plans import plan_of
from gpuplanner.domain.commitment.result import PoolPlan
from gpuplanner.domain.commitment.uncertainty.level_costs import cost_of_row, level_values
from gpuplanner.domain.commitment.uncertainty.levels import level_ground, plan_at, set_levels
from gpuplanner.domain.model.plan.scenario import HandLayer, Scenario
from gpuplanner.domain.model.tables import Pool
from tests.domain.commitment.conftest import Load, audit, case, offer

LEVEL_VALUES_OFFERS = [
    offer("od", 0, 7.0),
    offer("m1", 1, 4.0),
    offer("y1", 12, 3.0),
    offer("y3", 36, 2.4, max_gpus=3),
]
CALM = {"sigma": 0.0, "lambda_": 0.0, "delta": 0.0, "wacc": 0.0, "horizon_months": 24}
KEY = (Pool.INFERENCE, "H100")


def known(
    gpus: list[float], levels: tuple[HandLayer, ...] | None, count: int = 3, **assumptions: float
) -> tuple[PoolPlan, tuple[LevelValues, ...]]:
    """The row as it is planned with these levels (None: as advised), and its values; of the first offers."""
    hand = {} if levels is None else {KEY: levels}
    made = case(
        [Load(pool=Pool.INFERENCE, gpus=gpus)],
        (),
        LEVEL_VALUES_OFFERS[:count],
        Scenario(name="A", hand_layers=hand),
        **assumptions,
    )
    scenario, cache = made.project.scenarios[0], AdviceCache()
    planned = plan_of(ground_of(made.project, scenario, made.pools, cache), cache)
    row = advise(made.project, scenario, made.pools, audit()).pools[0]
    return row, level_values(planned, len(gpus), cache)


def cost(gpus: list[float], levels: tuple[HandLayer, ...] | None, **assumptions: float) -> CostOfLevels:
    found = cost_of_row(*known(gpus, levels, **assumptions))
    assert found is not None
    return found


def test_a_month_signed_instead_of_a_year_costs_its_dearer_month_and_no_more() -> None:
    found = cost([5.0] * 400, (HandLayer(1, 5),), **CALM)
    assert found.usd == pytest.approx(730 * 5 * (4.0 - 3.0))
    assert found.month_0_usd == pytest.approx(730 * 5 * (4.0 - 3.0))
    assert [(level.term_months, level.gpus) for level in found.levels] == [(1, 5.0)]


def test_levels_add_up_and_what_is_above_them_is_paid_by_use_for_a_month() -> None:
    found = cost([5.0] * 400, (HandLayer(12, 2), HandLayer(1, 1)), **CALM)
    by_term = {level.term_months: level.usd for level in found.levels}
    assert by_term == pytest.approx({12: 0.0, 1: 730 * (4.0 - 3.0), 0: 730 * 2 * (7.0 - 3.0)})
    assert found.usd == pytest.approx(sum(by_term.values()))


def test_a_long_term_can_be_cheaper_in_month_0_and_dearer_in_all() -> None:
    demand = [float(hour % 10 < 4) for hour in range(400)]  # 0.4 of the time: 2.8 on demand, 3.0 for the year
    cheap = {**CALM, "lambda_": 0.1}
    often = [float(hour % 10 < 5) for hour in range(400)]  # half of the time: 3.5 on demand
    assert cost(demand, (HandLayer(12, 1),), **CALM).usd > 0
    found = cost(often, (HandLayer(12, 1),), **cheap)
    assert found.month_0_usd < 0 < found.usd


@settings(max_examples=12)
@given(
    st.lists(st.integers(0, 5), min_size=24, max_size=24),
    st.tuples(st.integers(0, 3), st.integers(0, 3)),
    st.floats(0, 0.3),
    st.floats(0, 0.1),
)
def test_no_levels_are_cheaper_than_the_advice(
    day: list[int], sizes: tuple[int, int], sigma: float, churn: float
) -> None:
    if not any(day):
        return
    gpus, levels = [float(one) for one in day] * 14, tuple(map(HandLayer, (12, 1), sizes))
    found = cost(gpus, tuple(level for level in levels if level.gpus), sigma=sigma, lambda_=churn)
    assert found.usd >= -1e-6


def test_the_levels_of_the_advice_cost_what_it_costs_also_where_an_offer_runs_out() -> None:
    gpus = [float(2 + hour % 7) for hour in range(700)]
    advised, values = known(gpus, None, 4)
    found = cost_of_row(advised, values)
    assert found is not None
    assert len({level.term_months for level in found.levels}) > 1
    assert found.usd == pytest.approx(0.0, abs=1e-6)
    tried = plan_at(level_ground(advised, {}), set_levels(advised))
    assert cost_of_row(tried, values) == found  # under the mouse as in the plan
