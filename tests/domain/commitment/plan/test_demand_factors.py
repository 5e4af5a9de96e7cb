"""A plan for more or less than what was logged: the same as for a log with so much more in it, and the past stays."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from gpuplanner.domain.commitment.demand.streams import scaled
from gpuplanner.domain.commitment.plan.advice import AdviceCache, advise
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.tables import Pool

HOURS = 24 * 14
Make = Callable[..., object]


@pytest.fixture
def world(make_case, make_load, make_contract, make_offer):  # type: ignore[no-untyped-def]
    """Two clusters, a contract on one; demand of two models and of an unknown one, at so many times."""

    def build(times: dict[Pool, float], **values: object):  # type: ignore[no-untyped-def]
        hour = np.arange(HOURS)
        loads = [
            make_load(Pool.TRAINING, times[Pool.TRAINING] * 6.0 * (hour % 24 < 14)),
            make_load(Pool.INFERENCE, times[Pool.INFERENCE] * (5.0 + hour % 7)),
            make_load(Pool.INFERENCE, times[Pool.INFERENCE] * (2.0 + hour % 3), None),
            make_load(Pool.BURST, times[Pool.BURST] * 3.0 * (hour % 5 == 0), "A100", cluster="c2"),
        ]
        rows = [
            make_contract("k1", 7, 3.0, 9, HOURS),
            make_contract("k2", 2, 1.5, 4, HOURS, gpu_model="A100"),
        ]
        offers = [
            make_offer("t12", 12, 3.6, max_gpus=5),
            make_offer("t36", 36, 2.9),
            make_offer("od", 0, 6.88),
            make_offer("od-a", 0, 3.0, gpu_model="A100"),
        ]
        return make_case(loads, rows, offers, **values)

    return build


ONCE = dict.fromkeys(Pool, 1.0)
TIMES = {Pool.TRAINING: 1.5, Pool.INFERENCE: 3.0, Pool.BURST: 0.5}
VALUES = {"demand": 0.5, "demand_training": 3.0, "demand_inference": 6.0}


def test_a_plan_for_more_demand_is_the_plan_of_a_log_with_more_in_it(world, make_audit) -> None:  # type: ignore[no-untyped-def]
    logged, fuller = world(ONCE), world(TIMES)
    plan = Scenario(name="Plan A", assumptions=VALUES)
    of_factors = advise(logged.project, plan, logged.pools, make_audit())
    of_log = advise(fuller.project, Scenario(name="Plan A"), fuller.pools, make_audit())
    assert [(p.pool, p.gpu_model, p.demand.gpu_hours) for p in of_factors.pools] == [
        (p.pool, p.gpu_model, p.demand.gpu_hours) for p in of_log.pools
    ]
    assert [p.layers for p in of_factors.pools] == [p.layers for p in of_log.pools]
    assert (of_factors.totals, of_factors.comparison) == (of_log.totals, of_log.comparison)
    assert (of_factors.orders, of_factors.verdicts) == (of_log.orders, of_log.verdicts)
    assert of_factors.workload_usd == pytest.approx(of_log.workload_usd, abs=0.005)
    assert (
        of_factors.totals.plan
        != advise(logged.project, Scenario(name="Plan A"), logged.pools, make_audit()).totals.plan
    )


def test_a_cache_gives_the_same_answer_and_going_back_the_first_one(world, make_audit) -> None:  # type: ignore[no-untyped-def]
    made, cache = world(ONCE), AdviceCache()
    plans = [
        Scenario(name="Plan A", assumptions=values) for values in ({}, VALUES, {"demand_burst": 2.0}, {})
    ]
    for plan in plans:
        kept = advise(made.project, plan, made.pools, make_audit(), cache)
        afresh = advise(made.project, plan, made.pools, make_audit())
        assert (kept.totals, kept.workload_usd) == (afresh.totals, afresh.workload_usd)


def test_growth_and_the_factors_are_one_demand(world, make_audit) -> None:  # type: ignore[no-untyped-def]
    """Twice the demand now is, in month 1 of a growth of 100% ... so month 0 of one is month 1 of the other."""
    made = world(ONCE, delta=0.0)
    grown = replace(
        made.project, contracts=(), offers=tuple(o for o in made.project.offers if not o.term_months)
    )
    growing = advise(grown, Scenario(name="a", assumptions={"growth": 0.5}), made.pools, make_audit())
    at_once = advise(grown, Scenario(name="b", assumptions={"demand": 1.5}), made.pools, make_audit())
    assert growing.comparison[1].plan_usd == pytest.approx(at_once.comparison[0].plan_usd)


def test_once_is_the_very_same_amounts() -> None:
    amounts = np.array([0, 7, 10**12], dtype=np.int64)
    assert scaled(amounts, 1.0) is amounts
    assert scaled(amounts, 2.5).tolist() == [0, 18, 25 * 10**11]
    assert scaled(scaled(amounts, 4.0), 0.25).tolist() == amounts.tolist()
