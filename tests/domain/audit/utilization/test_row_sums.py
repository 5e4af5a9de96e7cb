"""Sums of the cube's rows in blocks: every entry once, the same answer whatever the size of a block."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.audit.utilization import row_sums
from gpuplanner.domain.audit.utilization.row_sums import row_blocks, weighted_row_sums
from gpuplanner.domain.model.cube import cube_from_entries, empty_cube

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
    before, row_sums.ENTRIES_IN_A_BLOCK = row_sums.ENTRIES_IN_A_BLOCK, size
    try:
        blocks = list(row_blocks(cube))
        weights = np.random.default_rng(3).random((2, 2, HOURS))
        groups = np.arange(len(cube.workload_index)) % 2
        one_by_one = weighted_row_sums(cube, groups, weights)
        long_rows, row_sums.LONG_ROWS_IN_A_BLOCK = row_sums.LONG_ROWS_IN_A_BLOCK, 0
        summed = weighted_row_sums(cube, groups, weights)
    finally:
        row_sums.ENTRIES_IN_A_BLOCK, row_sums.LONG_ROWS_IN_A_BLOCK = before, long_rows
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
