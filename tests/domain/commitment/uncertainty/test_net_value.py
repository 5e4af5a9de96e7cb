"""Net present value of what is advised: by hand where nothing is uncertain, never below zero where something is."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.plan.ground import ground_of
from gpuplanner.domain.commitment.plan.row_plans import plan_of
from gpuplanner.domain.commitment.uncertainty.net_present_value import npv_usd
from gpuplanner.domain.model.plan_inputs import HandLayer, Scenario
from gpuplanner.domain.model.tables import Pool
from tests.domain.commitment.conftest import Load, case, offer

OFFERS = [offer("od", 0, 7.0), offer("m1", 1, 4.0), offer("y1", 12, 3.0)]


def value(gpus: list[float], scenario: Scenario | None = None, **assumptions: float) -> float | None:
    made = case([Load(pool=Pool.INFERENCE, gpus=gpus)], (), OFFERS, scenario, **assumptions)
    cache = AdviceCache()
    return npv_usd(plan_of(ground_of(made.project, made.project.scenarios[0], made.pools, cache), cache))


def test_a_certain_world_by_hand() -> None:
    calm = {"sigma": 0.0, "lambda_": 0.0, "delta": 0.0, "wacc": 0.0, "horizon_months": 24}
    assert value([5.0] * 400, **calm) == pytest.approx(24 * 730 * 5 * (7.0 - 3.0))


def test_churn_and_discount_make_it_less() -> None:
    base = {"sigma": 0.0, "lambda_": 0.0, "delta": 0.0, "wacc": 0.0, "horizon_months": 24}
    calm, uneasy = value([5.0] * 400, **base), value([5.0] * 400, **{**base, "lambda_": 0.05, "wacc": 0.1})
    assert calm is not None
    assert uneasy is not None
    assert 0 < uneasy < calm


@settings(max_examples=15)
@given(st.lists(st.integers(0, 4), min_size=24, max_size=24), st.floats(0, 0.3), st.floats(0, 0.2))
def test_it_is_never_below_zero(day: list[int], sigma: float, churn: float) -> None:
    if not any(day):
        return
    found = value([float(one) for one in day] * 14, sigma=sigma, lambda_=churn)
    assert found is not None
    assert found >= -1e-6


def test_layers_set_by_hand_have_no_such_value() -> None:
    hand = Scenario(name="Plan A", hand_layers={(Pool.INFERENCE, "H100"): (HandLayer(12, 2),)})
    assert value([5.0] * 400, hand) is None
