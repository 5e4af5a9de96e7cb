"""Two plans held against each other: lines, steps from today and changes add up to what they explain."""

from dataclasses import replace

import numpy as np
import pytest

from gpuplanner.domain.commitment.comparison.plan_difference import (
    changes_between,
    cost_lines,
    differing_assumptions,
    from_today,
    worths,
)
from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.evaluation import audit_project
from gpuplanner.domain.model.book.only import Only
from gpuplanner.domain.model.book.price_case import PriceCase
from gpuplanner.domain.model.pool import Pool, PricingCategory
from gpuplanner.domain.model.scenario.plan_inputs import HandLayer, Scenario
from gpuplanner.files.system.resources import read_tables
from tests.some_of import one_in

HOURS = 24 * 14
A = Scenario("A")
B = Scenario(
    "B",
    assumptions={"lambda": 0.04, "demand_inference": 1.5},
    hand_layers={(Pool.TRAINING, "H100"): (HandLayer(36, 3),)},
    price_case=PriceCase.MID,
)


@pytest.fixture
def world(make_case, make_load, make_contract, make_offer):  # type: ignore[no-untyped-def]
    hour = np.arange(HOURS)
    loads = [
        make_load(Pool.TRAINING, 6.0 * (hour % 24 < 14)),
        make_load(Pool.INFERENCE, 5.0 + hour % 7),
        make_load(Pool.INFERENCE, 2.0 + hour % 3, None),
        make_load(Pool.BURST, 3.0 * (hour % 5 == 0), "A100", cluster="c2", longest_job_s=3600),
        make_load(Pool.BURST, 2.0 * (hour % 3 == 0), longest_job_s=3600),
    ]
    rows = [
        make_contract("k1", 7, 3.0, 9, HOURS),
        make_contract("k2", 2, 1.5, 4, HOURS, gpu_model="A100", cluster="c2"),
    ]
    offers = [
        make_offer("t12", 12, 3.6, max_gpus=5),
        make_offer("t36", 36, 2.9),
        make_offer("od", 0, 6.88),
        make_offer("od-a", 0, 3.0, gpu_model="A100"),
        make_offer("spot", 0, 2.2, pricing_category=PricingCategory.DYNAMIC),
    ]
    return make_case(loads, rows, offers)


MOVED = (Pool.TRAINING, Pool.BURST, Pool.INFERENCE, Pool.BURST, Pool.INFERENCE)


def test_lines_add_up_to_the_plan_and_their_differences_to_the_difference(world, make_audit) -> None:  # type: ignore[no-untyped-def]
    plans = [
        advise(world.project, plan, pools, make_audit()) for plan, pools in ((A, world.pools), (B, MOVED))
    ]
    lines = [cost_lines(plan) for plan in plans]
    for plan, line in zip(plans, lines, strict=True):
        assert sum(line.values()) == pytest.approx(plan.totals.plan)
    keys = {*lines[0], *lines[1]}
    assert sum(lines[1].get(key, 0.0) - lines[0].get(key, 0.0) for key in keys) == pytest.approx(
        plans[1].totals.plan - plans[0].totals.plan
    )
    assert {kind for line in lines for _, kind in line} >= {"existing", "committed", "on demand", "spot"}


def test_steps_from_today_arrive_at_the_plan(world) -> None:  # type: ignore[no-untyped-def]
    audit = audit_project(world.project, read_tables())
    steps = from_today(audit, advise(world.project, B, MOVED, audit), MOVED)
    assert steps.today - steps.unused_now + sum(steps.pools.values()) + steps.other + steps.unused_plan == (
        pytest.approx(steps.plan)
    )
    assert steps.other == pytest.approx(0.0, abs=0.01)  # every dollar of today is a workload's, or unused


@pytest.mark.parametrize("alone", one_in(4, [0, 1, 6]))
def test_changes_lead_from_one_plan_to_the_other_and_are_worth_the_difference(
    world, make_audit, alone
) -> None:  # type: ignore[no-untyped-def]
    def usd(plan: Scenario, pools: tuple[Pool, ...]) -> float:
        return advise(world.project, plan, pools, make_audit()).totals.plan

    changes = changes_between(world.project, (A, world.pools), (B, MOVED), alone)
    assert (changes[-1].pools, replace(changes[-1].scenario, start=B.start)) == (MOVED, B)
    moved = [key for change in changes for key in change.keys]
    assert sorted(moved) == sorted(
        workload.key
        for workload, one, other in zip(world.project.workloads, world.pools, MOVED, strict=True)
        if one is not other
    )
    assert [change.what for change in changes if not change.keys] == ["assumptions", "levels"]
    begin = usd(A, world.pools)
    found = worths(begin, changes, lambda change: usd(change.scenario, change.pools))
    assert sum(one.worth_per_month for one in found) == pytest.approx(usd(B, MOVED) - begin)
    assert changes_between(world.project, (A, world.pools), (replace(A, name="x"), world.pools)) == ()


def test_what_is_unknown_stays_unknown(world) -> None:  # type: ignore[no-untyped-def]
    changes = changes_between(world.project, (A, world.pools), (B, MOVED))
    found = worths(10.0, changes, lambda change: None if change is changes[1] else 5.0)
    assert [one.worth_per_month for one in found[:4]] == [-5.0, None, None, 0.0]


def test_only_assumptions_that_differ_are_named(world) -> None:  # type: ignore[no-untyped-def]
    assert differing_assumptions(world.project, (A, B)) == (
        ("lambda", (0.01, 0.04)),
        ("demand_inference", (1.0, 1.5)),
    )
    assert differing_assumptions(world.project, (A, A)) == ()


def test_a_limit_that_two_plans_do_not_share_is_a_step_of_its_own(world) -> None:  # type: ignore[no-untyped-def]
    plan = Scenario("Plan B")
    limited = replace(plan, name="Plan C", only={world.project.workloads[0].key: Only("one")})
    (step,) = changes_between(world.project, (plan, world.pools), (limited, world.pools))
    assert str(step.what) == "only" and step.scenario.plans_as(limited)
