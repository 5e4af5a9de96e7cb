"""Ends of a heat scale: round, wide enough for nearly all, honest about what lies beyond."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from gpuplanner.charts.kit.heat_scale import heat_scale

shares = arrays(np.float64, (7, 24), elements=st.floats(0, 1) | st.just(float("nan")))
amounts = arrays(np.float64, (7, 24), elements=st.floats(0, 1e5))


@given(shares)
def test_a_scale_of_shares_stays_within_them(values):
    scale = heat_scale(values, 7, most=1.0)
    assert 0 <= scale.low < scale.high <= 1


@given(st.one_of(shares, amounts))
def test_nearly_all_values_lie_inside_and_the_ends_say_when_some_do_not(values):
    scale = heat_scale(values, 7, most=1.0 if np.nanmax(np.append(values, 0)) <= 1 else None)
    known = values[~np.isnan(values)]
    if len(known):
        low, high = np.percentile(known, (5, 95))
        assert scale.low <= low + 1e-6
        assert scale.high >= high - 1e-6
        assert scale.is_cut_low == bool((known < scale.low - 1e-9).any())
        assert scale.is_cut_high == bool((known > scale.high + 1e-9).any())


@given(amounts)
def test_a_larger_value_is_never_in_a_lower_class(values):
    scale = heat_scale(values, 7)
    classes = [scale.class_of(value) for value in sorted(values.ravel().tolist())]
    assert classes == sorted(classes)
    assert set(classes) <= set(range(7))


@pytest.mark.parametrize(
    ("low", "high", "expected"), [(0.42, 0.73, (0.4, 0.75)), (0.0, 1.0, (0.0, 1.0)), (0.5, 0.5, (0.5, 0.57))]
)
def test_ends_are_round(low, high, expected):
    values = np.linspace(low, high, 168).reshape(7, 24)
    scale = heat_scale(values, 7, most=1.0)
    assert (scale.low, scale.high) == pytest.approx(expected)


def test_nothing_known_has_a_scale_all_the_same():
    assert heat_scale(np.full((7, 24), np.nan), 7, most=1.0).high == 1.0
