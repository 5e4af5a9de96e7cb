"""Amounts over time, and how much of a wait had room: beside a second by second count."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.queue.logged import spans, steps_of
from gpuplanner.domain.queue.rows import TIMES, local

SPANS = st.lists(
    st.tuples(st.integers(0, 30), st.integers(1, 12), st.integers(1, 5)).map(
        lambda one: (one[0], one[0] + one[1], one[2])
    ),
    min_size=1,
    max_size=8,
)


@given(SPANS, st.integers(1, 8), st.integers(-5, 50), st.integers(0, 20))
def test_seconds_with_so_many_are_those_of_a_count_by_second(
    of: list[tuple[int, int, int]], least: int, from_s: int, lasts: int
) -> None:
    columns = np.array(of, dtype=np.int64)
    steps = steps_of(*spans(columns[:, 0], columns[:, 1], columns[:, 2]))
    by_second = {at: sum(amount for begin, end, amount in of if begin <= at < end) for at in range(-10, 100)}
    found = steps.seconds_at_least(least, np.array([from_s]), np.array([from_s + lasts]))
    assert found.tolist() == [sum(by_second[at] >= least for at in range(from_s, from_s + lasts))]
    assert steps.most() == max(by_second.values())


@given(SPANS)
def test_what_is_exceeded_a_hundredth_of_the_time_is_so_by_a_count(of: list[tuple[int, int, int]]) -> None:
    columns = np.array(of, dtype=np.int64)
    steps = steps_of(*spans(columns[:, 0], columns[:, 1], columns[:, 2]))
    first, last = int(columns[:, 0].min()), int(columns[:, 1].max())
    by_second = [sum(amount for begin, end, amount in of if begin <= at < end) for at in range(first, last)]
    found = steps.exceeded(0.01)
    assert sum(one > found for one in by_second) <= 0.01 * len(by_second)
    assert found == 0 or sum(one >= found for one in by_second) > 0.01 * len(by_second)


def test_hours_of_the_week_are_those_of_the_zone() -> None:
    monday_s = 1_767_571_200  # 5 January 2026, 0:00 UTC
    at_s = np.array([monday_s, monday_s + 3599, monday_s - 1])
    of = TIMES["hour_of_week"]
    assert local(at_s, "UTC", of).tolist() == [0, 0, 167]
    assert local(at_s, "Asia/Kolkata", of).tolist() == [5, 6, 5]


@pytest.mark.parametrize(("share", "least"), [(0.0, 3), (0.5, 1)])
def test_a_share_of_the_time_may_be_above(share: float, least: int) -> None:
    steps = steps_of((np.array([0, 10, 20]), np.array([1, 2, -3])))
    assert steps.exceeded(share) == least
