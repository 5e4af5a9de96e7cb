"""Used hours: parts of a plan by hand, and that they are what its utilization is of."""

import numpy as np
import pytest

from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.plan.used_hours import used_hours
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.scenario.plan_inputs import Scenario
from tests.domain.commitment.conftest import Load, audit, case, contract, offer

HOURS = 192
PLAN = Scenario("Plan A")
STILL = {"lambda_": 0.0, "delta": 0.0, "sigma": 0.0, "wacc": 0.0, "horizon_months": 12}
OFFERS = [offer("od", 0, 5.0), offer("m1", 1, 2.0)]


def test_contracts_by_model_then_new_layers_are_what_utilization_is_of() -> None:
    # 6 and 2 GPUs in turn: two are the contract's, and four are used half of the time
    demand = np.resize([6.0, 2.0], HOURS).tolist()
    held = [contract("k", 2, 2.0, None, HOURS)]
    made = case([Load(Pool.TRAINING, demand)], held, OFFERS, PLAN, **STILL, recency_half_life_days=None)
    advice = advise(made.project, PLAN, made.pools, audit())
    existing, new = used_hours(advice)
    assert (existing.gpu_model, existing.used, existing.paid, existing.share) == ("H100", 1460, 1460, 1.0)
    assert new.layer is not None and new.layer[1].offer_id == "m1"
    assert (new.used, new.paid, new.share) == (1460, 2920, 0.5)
    assert sum(one.used for one in (existing, new)) / sum(one.paid for one in (existing, new)) == (
        pytest.approx(advice.totals.effective_utilization_plan)
    )


def test_what_recent_weeks_count_more_is_a_part_of_its_own() -> None:
    demand = [8.0] * (HOURS // 2) + [2.0] * (HOURS // 2)
    made = case([Load(Pool.TRAINING, demand)], [], OFFERS, PLAN, **STILL, recency_half_life_days=2.0)
    advice = advise(made.project, PLAN, made.pools, audit())
    *_, rest = parts = used_hours(advice)
    assert rest.is_weighting and rest.used > 0 and rest.share is None
    assert sum(one.used for one in parts) == pytest.approx(730 * 5.0)
