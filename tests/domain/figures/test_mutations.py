"""Every formula is changed in turn: its value test fails, and all that reads it moves with it."""

from collections.abc import Callable

import pytest

from gpuplanner.domain.figures.figure import optional
from gpuplanner.domain.figures.subjects import formulas
from tests.domain.figures.mutants import mutants, with_formula
from tests.domain.figures.test_formulas import column_of, quantities
from tests.domain.figures.worked_examples import BY_HAND

pytestmark = pytest.mark.long


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A case for every change; to make them all takes seconds, which the normal run has no use for."""
    are_wanted = metafunc.config.option.markexpr != "not long"
    cases = [
        pytest.param(subject, one, changed, id=f"{subject.name}-{one.key}-{what}")
        for subject, one in (formulas() if are_wanted else ())
        for what, changed in mutants(one.formula)
    ]
    metafunc.parametrize(("subject", "one", "changed"), cases)


def reading(read: Callable[[], list]) -> list | None:
    """What a reading comes to; None where a unit or a zero does not allow it."""
    try:
        return read()
    except (TypeError, RuntimeWarning):
        return None


def test_a_changed_formula_fails_its_value_test_in_every_reading(subject, one, changed):
    expected = BY_HAND[subject.name][1][one.key]
    with with_formula(one, changed):
        of_columns = reading(lambda: optional(column_of(subject, one)))
        of_quantities = reading(
            lambda: [
                subject.worked_out(quantities(subject, at))[one.key].number for at in range(len(expected))
            ]
        )
    assert of_columns != expected and of_quantities != expected
    if of_columns is not None and of_quantities is not None:
        assert of_columns == pytest.approx(of_quantities)
