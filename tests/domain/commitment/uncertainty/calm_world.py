"""A world without volatility: one workload, a few offers, and the plan for them."""

from typing import Any

from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.plan.ground import ground_of
from gpuplanner.domain.commitment.plan.row_plans import plan_of
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.tables import Pool
from tests.domain.commitment.conftest import Load, case, offer

A = Scenario(name="A")
WEEK = 168
CALM = {"sigma": 0.0, "lambda_": 0.0, "delta": 0.0, "wacc": 0.0, "horizon_months": 12}
ROW = (Pool.INFERENCE, "H100")
OFFERS = [offer("od", 0, 4.0), offer("y1", 12, 3.0)]


def world(gpus: list[float], offers: Any, contracts: Any = (), scenario: Scenario = A, **values: Any) -> Any:
    """The ground of a plan, and the plan."""
    made = case([Load(pool=Pool.INFERENCE, gpus=gpus)], contracts, offers, scenario, **(CALM | values))
    ground = ground_of(made.project, scenario, made.pools, AdviceCache())
    return ground, plan_of(ground, AdviceCache())
