"""Waits in figures: quantiles over jobs, calibration by the log's own waits, sizes, knee and target."""

from math import isclose

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.queue.waits import (
    calibrated,
    frontier_sizes,
    knee_of,
    miss_of,
    p90_h,
    quantile_s,
    smallest_that_holds,
    waits_of,
)
from tests.domain.commitment.conftest import START_S
from tests.domain.queue.queued_jobs import TRAINS, Row, queued

H = 3600


def test_delays_of_one_three_and_eight_hours() -> None:
    row = waits_of(np.array([8 * H, H, 3 * H]))
    assert (row.p50_h, row.p90_h, row.mean_h) == (3, 8, 4)
    assert row.share_over_1h == pytest.approx(2 / 3)  # exactly an hour is not over it
    assert waits_of(np.array([], dtype=np.int64)).p90_h is None


@given(st.lists(st.integers(0, 10**6), min_size=1, max_size=50), st.sampled_from([50, 90, 99]))
def test_a_quantile_is_the_smallest_wait_that_enough_are_at_or_below(waits: list[int], percent: int) -> None:
    found = quantile_s(sorted(waits), percent)
    assert found in waits
    assert sum(wait <= found for wait in waits) * 100 >= percent * len(waits)
    assert all(
        sum(wait <= less for wait in waits) * 100 < percent * len(waits) for less in waits if less < found
    )


@given(st.floats(0, 100), st.floats(0, 100), st.floats(0, 100))
def test_both_ways_agree_at_the_real_size_and_never_fall_below_none(
    new: float, was: float, today: float
) -> None:
    here = calibrated(today, was, today)
    assert isclose(here.low_h, was, abs_tol=1e-9)
    assert isclose(here.high_h, was, abs_tol=1e-9)
    span = calibrated(new, was, today)
    assert 0 <= span.low_h <= span.high_h


def test_a_calibration_that_holds_misses_by_nothing() -> None:
    assert miss_of(6.0, 2.0, 6.0, 2.0) == 1
    assert miss_of(6.0, 2.0, 12.0, 2.0) < 1


@given(
    st.floats(0.1, 500), st.floats(0.1, 100), st.floats(0.1, 900), st.sampled_from([1, 8]), st.integers(0, 12)
)
def test_sizes_are_whole_units_that_hold_the_largest_job(
    mean: float, largest: float, most: float, unit: int, points: int
) -> None:
    sizes = frontier_sizes(mean, largest, most, unit, points)
    assert list(sizes) == sorted(set(sizes))
    assert len(sizes) <= points
    assert all(size % unit == 0 and size >= largest for size in sizes)


def test_the_knee_lies_furthest_under_the_line() -> None:
    assert knee_of([(100, 206.0), (140, 32.0), (170, 5.4), (300, 0.0)]) == (
        1,
        1,
        2,
    )  # 170 lies nearly as far under
    assert knee_of([(1, 3.0), (2, 2.0), (3, 1.0)]) is None
    assert knee_of([(1, 0.0), (2, 0.0), (3, 0.0)]) is None


@given(st.integers(1, 60), st.integers(1, 200), st.sampled_from([1, 4, 8]))
def test_a_target_is_kept_by_the_size_and_not_by_a_unit_less(least: int, threshold: int, unit: int) -> None:
    found = smallest_that_holds(least, 160, unit, lambda gpus: gpus >= threshold)
    if found is None:
        assert threshold > 160
        return
    assert found >= threshold
    assert found % unit == 0
    assert found - unit < max(threshold, least)


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        ((10.2, 8, 40, 8, 3), (16, 32, 40)),
        ((10.2, 8, 40, 8, 1), (16,)),
        ((1.0, 2.0, 10.0, 1, 2), (2, 10)),
        ((1.0, 2.0, 1.0, 1, 4), (2,)),
        ((0.0, 0.0, 0.0, 4, 1), (4,)),
        ((8.0, 1.0, 24.0, 8, 0), ()),
    ],
)
def test_sizes_go_from_the_mean_or_the_largest_job_to_the_most_at_once(
    sizes: tuple[float, float, float, int, int], expected: tuple[int, ...]
) -> None:
    assert frontier_sizes(*sizes) == expected


def test_p90_is_of_jobs_that_started() -> None:
    log = queued([Row(TRAINS, 1, 0, at, at + 1) for at in range(11)]).log
    assert p90_h(log.wait_s) == 9.0 and p90_h(log.wait_s[:0]) is None
    assert log.eligible_s[0] == START_S and log.planned_s.tolist() == [H] * 11


@pytest.mark.parametrize(
    ("points", "knee"),
    [
        ([(0, 10.0), (1, 1.0), (10, 0.0)], (1, 1, 1)),
        ([(0, 10.0), (1, 2.0), (2, 1.0), (10, 0.0)], (1, 1, 2)),
        ([(0, 20.0), (5, 10.0), (10, 10.0)], (1, 1, 1)),  # half under the line of 5, though nothing is 0
        ([(0, 20.0), (4, 11.0), (8, 6.8), (20, 5.0)], (2, 2, 2)),  # 6 and 7.2 under: 0.83 of the deepest
        ([(0, 20.0), (4, 10.0), (8, 6.8), (20, 5.0)], (2, 1, 2)),  # 7 and 7.2 under: 0.97 of it
        ([(0, 0.5), (0.1, 0.1), (0.9, 0.0)], (1, 1, 1)),  # of less than an hour, and less than a dollar
        ([(0, 10.0), (5, 5.0), (10, 0.0)], None),
        ([(0, 10.0), (5, 6.0), (10, 0.0)], None),
        ([(5, 10.0), (5, 2.0), (5, 0.0)], None),
    ],
)
def test_a_knee_lies_furthest_under_the_line(
    points: list[tuple[float, float]], knee: tuple[int, int, int] | None
) -> None:
    assert knee_of(points) == knee


def test_a_correction_of_the_log_misses_by_what_it_comes_to() -> None:
    """Of 6 h measured where 2 were replayed, 4 are missing: with 3 minutes more, 3 h replayed are 3 + 4 x 3.05 / 2.05 h
    by the ratio, and 7 by the difference.
    """
    result = calibrated(3.0, 6.0, 2.0)
    assert (result.low_h, result.high_h) == pytest.approx((7.0, 3 + 4 * 3.05 / 2.05))
    assert miss_of(6.0, 2.0, 5.0, 3.0) == pytest.approx(((7.0 + 3 + 4 * 3.05 / 2.05) / 2 + 0.05) / 5.05)
    assert calibrated(1.0, 0.0, 3.0).low_h == 0.0


@pytest.mark.parametrize(
    ("least", "most", "unit", "holds_from", "size"),
    [
        (1, 64, 8, 20, 24),
        (1, 64, 8, 8, 8),
        (1, 64, 8, 64, 64),
        (1, 64, 8, 65, 72),
        (1, 64, 8, 128, 128),
        (1, 64, 8, 129, None),
    ],
)
def test_the_smallest_size_that_holds_is_found_up_to_twice_the_most(
    least: int, most: int, unit: int, holds_from: int, size: int | None
) -> None:
    assert smallest_that_holds(least, most, unit, lambda gpus: gpus >= holds_from) == size
