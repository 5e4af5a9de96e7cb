"""Weekly means of a log: which changes are steps."""

import numpy as np
import pytest

from gpuplanner.domain.commitment.demand.weekly_means import steps_of
from gpuplanner.domain.model.cube import WEEK_HOURS


@pytest.mark.parametrize(
    ("weekly", "noise", "sizes"),
    [
        ((4, 4, 8, 8), 0.0, [np.log(2)]),
        ((8, 8, 4, 4), 0.0, [np.log(2)]),
        ((4, 4, 5, 5), 0.0, []),  # exactly a quarter more is no step
        ((4, 4, 5.01, 5.01), 0.0, [np.log(5.01 / 4)]),
        ((4, 4, 3, 3), 0.0, []),  # exactly a quarter less is no step
        ((4, 4, 2.99, 2.99), 0.0, [np.log(4 / 2.99)]),
        ((4, 6, 7, 9), 0.0, []),  # not from each of two weeks to each of the next two
        ((4, 5, 7, 9), 0.0, [np.log(63 / 20) / 2]),  # 7 is 40% over 5
        ((9, 7, 5, 4), 0.0, [np.log(63 / 20) / 2]),
        ((4, 4, 8), 0.0, []),  # one week after is not enough
        ((4, 8, 8, 8), 0.0, []),  # one week before is not enough
        ((4, 4, 8, 8, 16, 16), 0.0, [np.log(2), np.log(2)]),
        ((4, 4, 8, 8, 8, 16, 16), 0.0, [np.log(2), np.log(2)]),
        # two standard deviations of the difference of two weeks: 2 sqrt(2 x 0.0625) = 0.7071, and ln 2 = 0.6931
        ((4, 4, 8, 8), 0.0625, []),
        ((8, 8, 4, 4), 0.0625, []),
        ((4, 4, 8, 8), 0.06, [np.log(2)]),  # 0.6928
        ((8, 8, 4, 4), 0.06, [np.log(2)]),
    ],
)
def test_a_step_is_over_a_quarter_and_over_the_noise(
    weekly: tuple[float, ...], noise: float, sizes: list[float]
) -> None:
    hourly = np.repeat(np.array(weekly, dtype=float), WEEK_HOURS)
    assert steps_of(hourly, noise) == pytest.approx(sizes)
