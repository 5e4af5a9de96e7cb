"""Spot by provider and GPU model: the model's known answer 28, in rates, in a plan and on its list."""

from dataclasses import replace

import numpy as np
import pytest

from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.recursion.rates import spot_facts, usage_price
from gpuplanner.domain.commitment.uncertainty.outlook import outlook
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.cube import Workload
from gpuplanner.domain.model.intake import FileIntake, node_times
from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.tables import Pool, PricingCategory
from tests.domain.commitment.conftest import Load, audit, case, offer

SPOT = {"pricing_category": PricingCategory.DYNAMIC}
A = offer("a", 0, 2.00, provider="Ash", **SPOT)
B = offer("b", 0, 2.20, provider="Birch", **SPOT)
OFFERS = [offer("od", 0, 6.88), A, B]
OBSERVED = FileIntake(
    path="spot.csv",
    kind="interruptions",
    format="own_interruptions",
    rows_read=2,
    rows_accepted=2,
    rows_rejected=0,
    rows_duplicate=0,
    rows_ignored=0,
    facts=(
        ("node_hours", 250.0),
        ("interruptions", 2),
        (
            "by_model",
            (
                {"provider": "Ash", "gpu_model": "H100", "node_hours": 10.0, "interruptions": 1},
                {"provider": "birch", "gpu_model": "h100", "node_hours": 240.0, "interruptions": 1},
            ),
        ),
    ),
)


def workload(nodes: int) -> Workload:
    return Workload(
        key=f"c1/team/{nodes}",
        name="x",
        cluster="c1",
        owner="team",
        max_nodes=nodes,
        longest_job_s=100 * 3600,
    )


def test_28_the_lowest_effective_rate_is_taken() -> None:
    times = node_times([OBSERVED])
    facts = spot_facts(Assumptions(), (workload(1), workload(5)), (), times)
    alone = [usage_price([one], Pool.BURST, facts) for one in (A, B)]
    assert [price.rate[0] for price in alone] == pytest.approx([2.6519, 2.2685], abs=5e-5)
    assert alone[0].spot_infeasible.tolist() == [False, True]
    both = usage_price(OFFERS, Pool.BURST, facts)
    assert both.rate[0] == alone[1].rate[0] and both.spot_of(0) is B
    assert not both.spot_infeasible.any()
    unknown = usage_price(OFFERS, Pool.BURST, spot_facts(Assumptions(), (workload(1), workload(5))))
    assert unknown.spots == (A,)  # of nodes that are taken alike the cheapest


def test_each_workload_takes_its_own() -> None:
    """Ash at 1.00 is cheaper on one node, 1.3259 to 2.2685, and never ends on five."""
    cheap = replace(A, rate_usd_per_gpu_hour=A.rate_usd_per_gpu_hour / 2)
    facts = spot_facts(Assumptions(), (workload(1), workload(5)), (), node_times([OBSERVED]))
    price = usage_price([offer("od", 0, 6.88), cheap, B], Pool.BURST, facts)
    assert [price.spot_of(place) for place in (0, 1)] == [cheap, B]
    assert price.rate[0] == pytest.approx(2.6519 / 2, abs=5e-5)
    paid = {one.offer_id: who.tolist() for one, who in price.paid(np.ones(2, dtype=np.bool_)) if one}
    assert paid == {"a": [True, False], "b": [False, True], "od": [False, False]}


def test_a_plan_pays_by_it_and_says_what_is_lost() -> None:
    made = case([Load(pool=Pool.BURST, gpus=[4.0] * 700)], (), OFFERS)
    project = replace(made.project, intake=(OBSERVED,))
    scenario = project.scenarios[0]
    advice = advise(project, scenario, made.pools, audit())
    (layer,) = advice.pools[0].layers
    assert layer.offer_id == "b" and layer.rate == pytest.approx(2.2685, abs=5e-5)
    (said,) = outlook(project, scenario, made.pools, advice).spot
    assert said.node_hours == 240.0
    assert said.lost_share == pytest.approx(5 / 60 / 4 + 2.25 / 240)


def unpriced(offers: list[Offer], scenario: Scenario | None = None) -> list[tuple[str, str]]:
    scenario = scenario or Scenario(name="Plan A")
    loads = [Load(pool=Pool.INFERENCE, gpus=[4.0] * 700)]
    pools = (Pool.INFERENCE, *(work.pool for work in scenario.planned))
    loads += [
        Load(pool=work.pool, gpus=[0.0] * 699 + [work.gpus], model=work.gpu_model)
        for work in scenario.planned
    ]
    made = case(loads, (), offers, scenario)
    checks = advise(made.project, scenario, pools, audit()).checks
    return [(str(one.subject), str(one.message)) for one in checks if one.code == "gpu_model_unpriced"]


def test_what_nobody_sells_by_use_says_which_rate_is_missing() -> None:
    """Inference never runs on spot, so that what is not signed of it costs nobody knows what."""
    year = offer("c12", 12, 2.5)
    ((subject, message),) = unpriced([A, year])
    assert subject == "inference H100"
    assert "H100" in message and "inference" in message and "spot" in message
    assert unpriced([*OFFERS, year]) == []
    assert unpriced([year]) == []  # nobody sells the model by use at all: the audit says so
    work = PlannedWork(
        name="load-001", pool=Pool.TRAINING, gpu_model="B200", gpus=8.0, cluster="c1", team="team"
    )
    ((subject, message),) = unpriced([*OFFERS, year], Scenario(name="Plan A", planned=(work,)))
    assert subject == "training B200" and "B200" in message and "spot" not in message
