"""A plan of a few GPUs that is calm, and the day that it begins."""

from typing import Any

from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.window import HOUR_S
from tests.domain.commitment.conftest import START_S, Load, audit, case, contract, offer

A = Scenario(name="A")
HOURS = 200
BEGIN_S = START_S + HOURS * HOUR_S
COMMITTED, STANDARD = PricingCategory.COMMITTED, PricingCategory.STANDARD
CALM = {"sigma": 0.0, "lambda_": 0.0, "delta": 0.0, "horizon_months": 12}


def small(**values: Any) -> Any:
    made = case(
        [Load(pool=Pool.TRAINING, gpus=[4.0] * HOURS)],
        [contract("k", 1, 1.0, 2, HOURS)],
        [offer("od", 0, 6.0), offer("y1", 12, 2.0)],
        **(CALM | values),
    )
    return made, advise(made.project, A, made.pools, audit())
