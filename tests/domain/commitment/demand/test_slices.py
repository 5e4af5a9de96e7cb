import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from gpuplanner.domain.commitment.demand.slices import busy_shares, hour_weights

Floats = npt.NDArray[np.float64]
DEMAND = arrays(np.float64, (3, 40), elements=st.one_of(st.floats(0, 12), st.integers(0, 12).map(float)))


def plainly(demand: Floats, slices: int, weights: Floats) -> Floats:
    """u_k as it is written: the mean over hours of clip(R - (k - 1), 0, 1)."""
    steps = np.arange(slices)
    return np.array([[weights @ np.clip(row - step, 0, 1) for step in steps] for row in demand])


@given(DEMAND, st.integers(0, 14))
def test_busy_shares_are_the_mean_of_the_clipped_demand(demand: Floats, slices: int) -> None:
    expected = plainly(demand, slices, np.full(40, 1 / 40))
    assert np.abs(busy_shares(demand, slices, None) - expected.reshape(3, slices)).max(initial=0) < 1e-12


@given(DEMAND, st.floats(0.1, 300))
def test_busy_shares_by_recency(demand: Floats, half_life_days: float) -> None:
    weights = hour_weights(40, half_life_days)
    assert weights is not None
    assert np.abs(busy_shares(demand, 12, weights) - plainly(demand, 12, weights)).max() < 1e-12


@given(DEMAND)
def test_busy_shares_add_up_to_the_mean_demand_and_fall_going_up(demand: Floats) -> None:
    shares = busy_shares(demand, 12, None)
    assert shares.sum(axis=1) == pytest.approx(demand.mean(axis=1), abs=1e-12)
    assert (np.diff(shares, axis=1) <= 1e-12).all()


def test_the_newest_hour_weighs_most_and_a_half_life_halves() -> None:
    weights = hour_weights(49, 1.0)
    assert weights is not None
    assert weights.sum() == pytest.approx(1)
    assert weights[24] / weights[48] == pytest.approx(0.5)
    assert hour_weights(49, None) is None
