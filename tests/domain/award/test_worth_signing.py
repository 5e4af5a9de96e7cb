"""The rate found is signed, a rate a little higher is not; and so says the engine itself."""

from dataclasses import replace
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.award.worth_signing import (
    AT_ANY_RATE,
    AT_NO_RATE,
    HALVINGS,
    STEPS,
    Planning,
    worth_signing,
)
from gpuplanner.domain.model.tables import Pool
from tests.domain.commitment.conftest import Load, case, offer


@given(st.floats(0.05, 100.0), st.floats(0.05, 100.0))
def test_it_is_found_from_any_quote(quoted: float, limit: float) -> None:
    tried: list[float] = []

    def signs(rate: float) -> bool:
        tried.append(rate)
        return rate <= limit

    found = worth_signing(quoted, signs)
    assert found.tried == tuple((rate, rate <= limit) for rate in tried)
    assert len(tried) <= len(STEPS) + HALVINGS + 1
    if found.rate is None:
        assert found.why is (AT_ANY_RATE if limit > quoted else AT_NO_RATE)
        assert max(limit / quoted, quoted / limit) >= STEPS[-1]
    else:
        assert found.rate <= limit < found.rate * 1.05
        if 0.8 < limit / quoted < 1.25:
            assert limit - found.rate <= 0.0011 * quoted


@given(st.floats(0.05, 100.0), st.floats(0.05, 100.0), st.lists(st.floats(0.01, 200.0), max_size=6))
def test_guesses_change_no_digit(quoted: float, limit: float, guesses: list[float]) -> None:
    found, guessed = (worth_signing(quoted, limit.__ge__, guesses=of) for of in ((), guesses))
    assert (guessed.rate, guessed.why) == (found.rate, found.why)
    assert len(dict(guessed.tried)) == len(guessed.tried), "no rate is planned with twice"
    if found.rate is not None:
        assert len(worth_signing(quoted, limit.__ge__, guesses=[found.rate]).tried) == 2


def test_who_cancels_waits_no_longer() -> None:
    tried: list[float] = []
    worth_signing(2.0, lambda rate: not tried.append(rate), lambda: len(tried) > 2)
    assert len(tried) == 3


@pytest.mark.parametrize("quoted", [1.9, 2.6, 4.0])
def test_the_engine_signs_at_it_and_not_above(quoted: float) -> None:
    """A quote beside another of the same term: it is worth what the other asks."""
    offers = [
        offer("od", 0, 7.0),
        offer("list", 12, 2.5),
        offer("quote", 12, quoted, valid_until="2000-01-01"),
    ]
    made = case([Load(pool=Pool.INFERENCE, gpus=[8.0] * 800)], (), offers)
    planning = Planning(project=made.project, plan=made.project.scenarios[0], pools=made.pools, classes=())
    found = worth_signing(quoted, partial(planning.signs, offers[2]))
    assert found.rate is not None and found.rate == pytest.approx(2.5, rel=0.02)
    assert planning.signs(offers[2], found.rate)
    assert not planning.signs(offers[2], found.rate * 1.02)


def test_a_term_beside_use_alone_is_worth_less_than_use_and_another_model_nothing() -> None:
    only = offer("quote", 12, 2.5)
    made = case([Load(pool=Pool.INFERENCE, gpus=[8.0] * 800)], (), [offer("od", 0, 7.0), only])
    planning = Planning(project=made.project, plan=made.project.scenarios[0], pools=made.pools, classes=())
    found = worth_signing(2.5, partial(planning.signs, only)).rate
    assert found is not None and 4.0 < found < 7.0  # demand may end, and prices fall
    other = replace(only, gpu_model="A100")
    assert worth_signing(2.5, partial(planning.signs, other)).why is AT_NO_RATE
