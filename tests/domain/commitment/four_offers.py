"""Four offers of one GPU model, demand that goes up and down, and the plan for both."""

from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.result import PoolPlan
from gpuplanner.domain.model.tables import Pool
from tests.domain.commitment.conftest import Load, audit, case, contract, offer

OFFERS = [offer("od", 0, 7.0), offer("q1", 3, 4.6), offer("y1", 12, 3.9), offer("y3", 36, 2.6)]
HOURS = 700
GPUS = [6.5 + hour % 12 for hour in range(HOURS)]


def plan_with_four_offers() -> PoolPlan:
    made = case([Load(pool=Pool.INFERENCE, gpus=GPUS)], [contract("k1", 4, 3.0, 40, HOURS)], OFFERS)
    (row,) = advise(made.project, made.project.scenarios[0], made.pools, audit()).pools
    return row
