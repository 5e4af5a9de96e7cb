"""Levels of demand: chances add up to one, and the expected level stays that of today."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.commitment.demand.demand_levels import after_months, level_factors, transition

SIGMAS = st.floats(1e-4, 0.6)


@given(SIGMAS, st.integers(1, 36))
def test_chances_add_up_to_one(sigma: float, months: int) -> None:
    chances = after_months(sigma, months)
    assert (chances >= 0).all()
    assert chances.sum(axis=1) == pytest.approx(np.ones(21), abs=1e-12)


@given(SIGMAS)
def test_the_expected_level_stays_one_away_from_the_edges(sigma: float) -> None:
    expected = transition(sigma) @ level_factors(sigma)
    assert expected[1:-1] == pytest.approx(level_factors(sigma)[1:-1], rel=1e-12)
    assert after_months(sigma, 10)[10] @ level_factors(sigma) == pytest.approx(
        1, rel=1e-12
    )  # ten months reach no edge


def test_the_steps_have_the_volatility_that_was_asked_for() -> None:
    logs = np.log(level_factors(0.1))
    chances = transition(0.1)[10]
    assert chances @ logs**2 == pytest.approx(0.1**2)


def test_at_the_edge_the_outward_step_stays() -> None:
    chances = transition(0.2)
    assert chances[0, 0] == pytest.approx(1 - chances[0, 1])
    assert chances[20, 20] == pytest.approx(1 - chances[20, 19])
    assert chances[20, 19] == pytest.approx(chances[10, 9])


def test_without_volatility_there_is_one_level() -> None:
    assert level_factors(0.0).tolist() == [1.0]
    assert after_months(0.0, 12).tolist() == [[1.0]]
