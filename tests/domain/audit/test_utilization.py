"""Sums of the cube's rows in blocks: every entry once, the same answer whatever the size of a block."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gpuplanner.domain.audit import utilization
from gpuplanner.domain.audit.audit import audit
from gpuplanner.domain.audit.utilization import dispatch_window, row_blocks, weighted_row_sums
from gpuplanner.domain.model.cube import cube_from_entries, empty_cube
from gpuplanner.domain.model.tables import POOLS

# --- Sums of the cube's rows in blocks: every entry once, the same answer whatever the size of a block

HOURS = 30
entries = st.lists(
    st.tuples(st.integers(0, 6), st.integers(-1, 1), st.integers(0, HOURS - 1), st.integers(1, 10**9)),
    max_size=60,
)


def built(rows):
    return cube_from_entries(HOURS, ("H100", "A100"), *np.array(rows, dtype=np.int64).reshape(-1, 4).T)


@given(rows=entries, size=st.integers(1, 40))
def test_blocks_cover_every_row_and_entry_once(rows, size):
    cube = built(rows)
    before, utilization.ENTRIES_IN_A_BLOCK = utilization.ENTRIES_IN_A_BLOCK, size
    try:
        blocks = list(row_blocks(cube))
        weights = np.random.default_rng(3).random((2, 2, HOURS))
        groups = np.arange(len(cube.workload_index)) % 2
        one_by_one = weighted_row_sums(cube, groups, weights)
        long_rows, utilization.LONG_ROWS_IN_A_BLOCK = utilization.LONG_ROWS_IN_A_BLOCK, 0
        summed = weighted_row_sums(cube, groups, weights)
    finally:
        utilization.ENTRIES_IN_A_BLOCK, utilization.LONG_ROWS_IN_A_BLOCK = before, long_rows
    assert np.allclose(one_by_one, summed)
    assert [row for block in blocks for row in range(block.rows.start, block.rows.stop)] == list(
        range(len(groups))
    )
    assert [at for block in blocks for at in range(block.entries.start, block.entries.stop)] == list(
        range(len(cube.hour))
    )
    for block in blocks:
        held = block.entries.stop - block.entries.start
        assert held <= size or block.rows.stop - block.rows.start == 1
    for row, group in enumerate(groups):
        span = slice(cube.offsets[row], cube.offsets[row + 1])
        for kind in range(2):
            expected = (weights[kind, group][cube.hour[span]] * cube.milli_gpu_seconds[span]).sum()
            assert np.isclose(summed[kind, row], expected)


def test_an_empty_cube_has_no_blocks():
    assert list(row_blocks(empty_cube(5))) == []
    assert weighted_row_sums(empty_cube(5), np.zeros(0, dtype=np.int64), np.ones((1, 1, 5))).shape == (1, 0)


def test_an_unknown_weight_makes_only_its_own_row_unknown():
    cube = built([(0, 0, 0, 5), (1, 0, 0, 5), (1, 0, 1, 5)])
    weights = np.ones((1, 1, HOURS))
    weights[0, 0, 1] = np.nan
    (sums,) = weighted_row_sums(cube, np.zeros(2, dtype=np.int64), weights)
    assert sums[0] == 5 and np.isnan(sums[1])


# --- Contended hours: counted where a model's own GPUs were too few, and the training that inference met
# there

GPU_HOUR = 3_600_000
CONTENTION_HOURS = 12
TRAINING, INFERENCE, BURST = POOLS
same_world = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60
)


@pytest.mark.long
@same_world
@given(
    rows=st.lists(
        st.tuples(
            st.integers(0, 3), st.just(0), st.integers(0, CONTENTION_HOURS - 1), st.integers(1, 4 * GPU_HOUR)
        ),
        max_size=30,
    ),
    milli_gpus=st.integers(1, 6000),
    pools=st.tuples(*[st.sampled_from(POOLS)] * 4),
)
def test_with_one_model_an_hour_is_contended_where_demand_is_above_capacity(world, rows, milli_gpus, pools):
    project = world.project(
        CONTENTION_HOURS,
        [world.workload(f"w{n}") for n in range(4)],
        rows,
        [world.contract("k", milli_gpus / 1000, "1")],
    )
    (hours,) = dispatch_window(project, pools)
    found = audit(project, world.classified(*pools)).contention["atlas"]
    demand, capacity = hours.demand.sum(axis=(0, 1)), hours.capacity.sum(axis=0)
    assert (found.hours == (demand > capacity)).all()
    assert found.overflow_gpu_hours == pytest.approx(np.maximum(demand - capacity, 0).sum() / GPU_HOUR)
    assert not (found.beside_inference & ~found.hours).any()
    training_there = {
        f"atlas/team/w{place}"
        for place, _, hour, _ in rows
        if pools[place] is TRAINING and found.beside_inference[hour]
    }
    assert set(found.shared_training) == training_there
    assert len(found.shared_training) == len(training_there)


def test_the_training_that_met_inference_is_named_once(world):
    workloads = [world.workload(name) for name in ("llm", "other", "chat")]
    rows = [
        (0, 0, 0, 3 * GPU_HOUR),
        (0, 1, 0, 1 * GPU_HOUR),
        (2, 0, 0, 2 * GPU_HOUR),
        (1, 0, 1, 9 * GPU_HOUR),  # too many, but alone
    ]
    held = [world.contract("k", 4, "1"), world.contract("a", 1, "1", gpu_model="A100")]
    answer = audit(world.project(3, workloads, rows, held), world.classified(TRAINING, TRAINING, INFERENCE))
    found = answer.contention["atlas"]
    assert found.hours.tolist() == [True, True, False]
    assert (found.contention_hours, found.beside_inference_hours) == (2, 1)
    assert found.overflow_gpu_hours == pytest.approx(1 + 5)
    assert found.shared_training == ("atlas/team/llm",)


def test_a_model_without_any_gpus_overflows_and_is_not_contended_for(world):
    rows = [(0, 1, 0, 3 * GPU_HOUR)]
    answer = audit(
        world.project(1, [world.workload("a")], rows, [world.contract("k", 4, "1")]), world.classified(BURST)
    )
    assert answer.contention["atlas"].contention_hours == 0
    assert answer.contention["atlas"].overflow_gpu_hours == 0
    assert answer.clusters[0].overflow_gpu_hours == 3


def test_the_leak_counts_the_same_gpu_hours(world):
    rows = [(0, 0, 0, 6 * GPU_HOUR), (1, 0, 0, 3 * GPU_HOUR), (1, -1, 1, 5 * GPU_HOUR)]
    project = world.project(
        2, [world.workload("a"), world.workload("b")], rows, [world.contract("k", 4, "1")]
    )
    answer = audit(project, world.classified(TRAINING, INFERENCE))
    (leak,) = [leak for leak in answer.leaks if leak.code == "contention"]
    assert answer.contention["atlas"].overflow_gpu_hours == pytest.approx(leak.gpu_hours)
