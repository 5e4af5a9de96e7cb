import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.commitment.recursion.spot import (
    Barrier,
    barrier_of,
    best_interval_h,
    lost_share,
    spot_facts,
)
from gpuplanner.domain.demand.classes import Classification
from gpuplanner.domain.model.log.workload import Workload
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.scenario.assumptions import Assumptions

LONG_S = 100 * 3600
HOUR_S = 3600


@pytest.mark.parametrize(("nodes", "percent"), [(1, 11.5), (4, 39.6)])
def test_the_lost_share_with_the_defaults(nodes: int, percent: float) -> None:
    assert 100 * lost_share(Assumptions(), nodes, LONG_S) == pytest.approx(percent, abs=0.05)


def test_sixteen_nodes_lose_everything() -> None:
    assert lost_share(Assumptions(), 16, LONG_S) > 1


def test_a_job_shorter_than_the_interval_writes_no_checkpoints() -> None:
    assert lost_share(Assumptions(), 2, 2 * HOUR_S) == pytest.approx((1 + 0.25) / 12)
    assert lost_share(Assumptions(), 1, 4 * HOUR_S) == pytest.approx(
        5 / 240 + 2.25 / 24
    )  # as long as tau: it does


@given(st.floats(0.05, 20), st.integers(1, 8))
def test_no_interval_loses_less_than_the_best_one(interval_h: float, nodes: int) -> None:
    best = Assumptions(spot_interval_hours=best_interval_h(Assumptions(), nodes))
    other = Assumptions(spot_interval_hours=interval_h)
    assert lost_share(best, nodes, 1000 * HOUR_S) <= lost_share(other, nodes, 1000 * HOUR_S) + 1e-12


@pytest.mark.parametrize(
    ("pool", "hours", "checkpoints", "long_training", "allowed"),
    [
        (Pool.INFERENCE, 1, True, True, False),
        (Pool.BURST, 500, False, False, True),
        (Pool.TRAINING, 4, False, False, True),
        (Pool.TRAINING, 4.01, False, False, False),
        (Pool.TRAINING, 24, True, False, True),
        (Pool.TRAINING, 24.01, True, False, False),
        (Pool.TRAINING, 500, False, True, True),
    ],
)
def test_who_may_use_spot(
    pool: Pool, hours: float, checkpoints: bool, long_training: bool, allowed: bool
) -> None:
    assumptions = Assumptions(training_checkpoints=checkpoints, spot_long_training=long_training)
    assert (barrier_of(assumptions, work(longest_job_s=int(hours * HOUR_S)), pool, None) is None) is allowed


def work(**facts: int | None) -> Workload:
    return Workload("alpha/ada/x", "x", "alpha", "ada", **{"longest_job_s": HOUR_S} | facts)  # type: ignore[arg-type]


def taken_for(pool: Pool, subtype: str = "") -> Classification:
    return Classification(pool, subtype, 0.9, (), None, "rule")


@pytest.mark.parametrize("pool", Pool)
@pytest.mark.parametrize("is_development_allowed", [True, False])
def test_inference_never_uses_spot_wherever_it_stands(pool: Pool, is_development_allowed: bool) -> None:
    generous = Assumptions(
        training_checkpoints=True,
        spot_long_training=True,
        spot_for_development=is_development_allowed,
    )
    assert barrier_of(generous, work(), pool, taken_for(Pool.INFERENCE)) is Barrier.REQUESTS


@pytest.mark.parametrize("subtype", ["development", "notebook", "interactive", "Notebook"])
@pytest.mark.parametrize("pool", [Pool.BURST, Pool.TRAINING])
def test_what_somebody_works_in_uses_spot_only_when_the_planner_says_so(pool: Pool, subtype: str) -> None:
    found = taken_for(Pool.BURST, subtype)
    assert barrier_of(Assumptions(), work(), pool, found) is Barrier.DEVELOPMENT
    assert barrier_of(Assumptions(spot_for_development=True), work(), pool, found) is None
    assert barrier_of(Assumptions(), work(), pool, taken_for(Pool.BURST, "sweep")) is None


@pytest.mark.parametrize("pool", Pool)
def test_a_plan_without_spot_keeps_everything_off_it(pool: Pool) -> None:
    assert barrier_of(Assumptions(spot=False), work(), pool, None) is Barrier.NOT_WANTED


LONG = {"median_job_s": 24 * HOUR_S + 1, "longest_job_s": 24 * HOUR_S + 1}


@pytest.mark.parametrize(
    ("facts", "is_kept_off"),
    [
        (LONG | {"median_milli_gpus": 8000, "max_milli_gpus": 8000}, True),
        (LONG | {"median_milli_gpus": 7999, "max_milli_gpus": 64_000}, False),
        (LONG | {"median_milli_gpus": None, "max_milli_gpus": 8000}, True),  # from an old project file
        (LONG | {"median_milli_gpus": 8000, "median_job_s": 24 * HOUR_S}, False),
    ],
)
def test_long_jobs_on_8_gpus_use_spot_only_with_checkpoints(facts: dict[str, int], is_kept_off: bool) -> None:
    expected = Barrier.NO_CHECKPOINTS if is_kept_off else None
    assert barrier_of(Assumptions(), work(**facts), Pool.BURST, None) is expected
    assert barrier_of(Assumptions(spot_long_training=True), work(**facts), Pool.TRAINING, None) is expected
    assert barrier_of(Assumptions(training_checkpoints=True), work(**facts), Pool.BURST, None) is None


def test_each_workload_is_asked_for_its_own_class() -> None:
    classes = (taken_for(Pool.BURST, "sweep"), taken_for(Pool.INFERENCE), taken_for(Pool.BURST, "notebook"))
    facts = spot_facts(Assumptions(), (work(), work(), work()), classes)
    assert facts.allowed[Pool.BURST].tolist() == [True, False, False]
    assert spot_facts(Assumptions(), (work(), work())).allowed[Pool.BURST].tolist() == [True, True]
