"""Pools: sums are exact, moves are reversible to the bit, and every scenario knows where its workloads stand."""

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.demand.classes import Classification
from gpuplanner.domain.demand.pools import (
    is_in_review,
    move_hours,
    moved_keys,
    pool_hours,
    pools_in,
    pools_today,
)
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.log.cube import cube_from_entries
from gpuplanner.domain.model.log.workload import Workload
from gpuplanner.domain.model.pool import POOLS, Pool
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.scenario.plan_inputs import AS_TODAY, TODAY, Scenario
from gpuplanner.domain.model.window import Window

HOURS = 9
entries = st.lists(
    st.tuples(st.integers(0, 5), st.integers(-1, 1), st.integers(0, HOURS - 1), st.integers(0, 10**13)),
    max_size=50,
)
pools_of_six = st.tuples(*[st.sampled_from(POOLS)] * 6)


def cube_of(rows: list[tuple[int, int, int, int]]) -> object:
    return cube_from_entries(HOURS, ("H100", "A100"), *np.array(rows, dtype=np.int64).reshape(-1, 4).T)


@given(rows=entries, pools=pools_of_six)
def test_gpu_time_is_the_same_over_pools_and_hours(
    rows: list[tuple[int, int, int, int]], pools: tuple[Pool, ...]
) -> None:
    hours = pool_hours(cube_of(rows), pools)
    assert sum(int(of_pool.sum()) for of_pool in hours.values()) == sum(amount for *_, amount in rows)
    for pool in POOLS:
        expected = [sum(a for w, _, h, a in rows if pools[w] is pool and h == hour) for hour in range(HOURS)]
        assert hours[pool].dtype == np.int64
        assert hours[pool].tolist() == expected


@given(rows=entries, pools=pools_of_six, index=st.integers(0, 5), target=st.sampled_from(POOLS))
def test_a_move_equals_a_fresh_sum_and_moving_back_gives_the_same_bits(
    rows: list[tuple[int, int, int, int]], pools: tuple[Pool, ...], index: int, target: Pool
) -> None:
    cube = cube_of(rows)
    before = pool_hours(cube, pools)
    after = move_hours(before, cube, index, pools[index], target)
    fresh = pool_hours(cube, (*pools[:index], target, *pools[index + 1 :]))
    back = move_hours(after, cube, index, target, pools[index])
    for pool in POOLS:
        assert after[pool].tobytes() == fresh[pool].tobytes()
        assert back[pool].tobytes() == before[pool].tobytes()


def two_clusters() -> tuple[Project, tuple[Classification, ...]]:
    facts = (("a", "vllm", 5), ("a", "sft", 9), ("b", "sft", 9), ("b", "vllm", 1))
    workloads = tuple(
        Workload(f"{cluster}/o/{name}", name, cluster, "o", milli_gpu_seconds=spent)
        for cluster, name, spent in facts
    )
    classes = tuple(
        Classification(Pool.INFERENCE if name == "vllm" else Pool.TRAINING, "", 0.5, (), None, "rule")
        for _, name, _ in facts
    )
    pinned = Contract("k", "b", "H100", 1000, None, 0, pool=Pool.BURST)
    return Project(Window(0, HOURS), cube_of([]), workloads, contracts=(pinned,)), classes


def test_today_is_the_contracts_pool_or_the_class_with_most_gpu_time() -> None:
    project, classes = two_clusters()
    assert pools_today(project, classes) == (Pool.TRAINING, Pool.TRAINING, Pool.BURST, Pool.BURST)
    assert pools_in(project, Scenario(TODAY, AS_TODAY), classes) == pools_today(project, classes)


def test_a_plan_starts_separated_or_as_today_and_a_drop_wins() -> None:
    project, classes = two_clusters()
    best = tuple(one.pool for one in classes)
    assert pools_in(project, Scenario("Plan"), classes) == best
    dropped = Scenario("Plan", AS_TODAY, {"a/o/vllm": Pool.BURST})
    assert pools_in(project, dropped, classes) == (Pool.BURST, *pools_today(project, classes)[1:])


def test_a_drop_or_a_label_takes_a_card_out_of_review() -> None:
    unsure = Classification(Pool.BURST, "", 0.59, (), None, "score")
    assert is_in_review("k", unsure, Scenario("Plan"), 0.60)
    assert not is_in_review("k", replace(unsure, confidence=0.60), Scenario("Plan"), 0.60)
    assert not is_in_review("k", unsure, Scenario("Plan", pools={"k": Pool.BURST}), 0.60)
    assert not is_in_review("k", replace(unsure, source="label"), Scenario("Plan"), 0.60)


def test_moved_keys_are_those_whose_stated_pool_differs() -> None:
    before = Scenario("Plan", pools={"a": Pool.BURST, "b": Pool.BURST})
    after = Scenario("Plan", pools={"a": Pool.TRAINING, "b": Pool.BURST, "c": Pool.BURST})
    assert moved_keys(before, after) == {"a", "c"}
    assert moved_keys(before, before) == frozenset()
