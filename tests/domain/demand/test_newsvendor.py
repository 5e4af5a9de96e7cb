"""The newsvendor level is the best of all whole levels."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.demand.newsvendor import newsvendor_units

held = st.lists(st.floats(0, 9), min_size=1, max_size=40)


def cost(level: int, demand: np.ndarray, ratio: float) -> float:
    """Per hour, in rates paid by use: what is committed, used or not, and what is over it."""
    return ratio * level + float(np.maximum(demand - level, 0.0).mean())


@given(held, st.floats(0.01, 1.2))
def test_no_whole_level_costs_less(demand: list[float], ratio: float) -> None:
    hourly = np.array(demand)
    level = newsvendor_units(hourly, ratio)
    assert cost(level, hourly, ratio) == pytest.approx(min(cost(one, hourly, ratio) for one in range(12)))


@given(held, st.integers(0, 30), st.floats(0.01, 1.2))
def test_hours_without_demand_may_be_left_out(demand: list[float], empty: int, ratio: float) -> None:
    hours = len(demand) + empty
    padded = np.concatenate([np.array(demand), np.zeros(empty)])
    assert newsvendor_units(np.array(demand), ratio, hours) == newsvendor_units(padded, ratio)


def test_nothing_is_worth_committing_to_without_demand() -> None:
    assert newsvendor_units(np.zeros(0), 0.5, 10) == 0
    assert newsvendor_units(np.zeros(5), 0.0) == 0
