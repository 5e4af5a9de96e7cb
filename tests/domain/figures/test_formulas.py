"""Every formula against numbers worked out by hand, as columns and as quantities, and its unit."""

from fractions import Fraction

import pytest

from gpuplanner.domain.figures.figure import floats, gpu_hours, leaf, optional
from gpuplanner.domain.figures.subjects import SUBJECTS, formulas
from gpuplanner.domain.figures.writing import GPU_HOURS
from tests.domain.figures.worked_examples import BY_HAND, EXACT, GPU_H

ALL = [pytest.param(subject, one, id=f"{subject.name}-{one.key}") for subject, one in formulas()]
OF_NOTHING = ("share", "rate", "decimal", "exact")
"""How ratios are written: unknown where there is nothing of the whole."""


def columns(subject):
    """The rows of a subject as columns: its inputs, and GPU time that a formula makes as it is kept."""
    inputs, figures = BY_HAND[subject.name]
    given = {}
    for key, values in (*inputs.items(), *figures.items()):
        is_exact = key in EXACT.get(subject.name, ()) or "gpus" in subject[key].parameters
        if subject[key].unit.key == GPU_HOURS.key and is_exact:
            given[key] = gpu_hours([None if value is None else round(value * GPU_H) for value in values])
        elif key in inputs:
            given[key] = floats(values)
    return given


def quantities(subject, at):
    """One row of a subject as quantities."""
    given = {}
    for key, values in BY_HAND[subject.name][0].items():
        value = values[at]
        exact = Fraction(value) if value is not None and key in EXACT.get(subject.name, ()) else value
        given[key] = leaf(exact, subject[key].unit, key)
    return given


def column_of(subject, one):
    """What a figure's own formula makes of columns."""
    given = {key: column for key, column in columns(subject).items() if key != one.key}
    if "gpus" in one.parameters:  # GPU time is counted hour by hour; the formula says what it comes to
        return one.formula(**{key: floats(BY_HAND[subject.name][0][key]) for key in one.parameters})
    return subject.worked_out(given)[one.key]


@pytest.mark.parametrize(("subject", "one"), ALL)
def test_columns_come_to_what_was_worked_out_by_hand(subject, one):
    assert optional(column_of(subject, one)) == BY_HAND[subject.name][1][one.key]


def divides_by_nothing(found):
    """Whether a quantity is unknown because a divisor in it is 0."""
    return (found.sign == "\u00f7" and found.value is None) or any(map(divides_by_nothing, found.parts))


@pytest.mark.parametrize(("subject", "one"), ALL)
def test_quantities_come_to_the_same_to_the_bit(subject, one):
    for at, expected in enumerate(BY_HAND[subject.name][1][one.key]):
        found = subject.worked_out(quantities(subject, at))[one.key]
        assert found.number == expected
        assert (
            found.number is not None
            or found.missing
            or divides_by_nothing(found)
            or one.unit.key in OF_NOTHING
        )


@pytest.mark.parametrize(("subject", "one"), ALL)
def test_a_formula_comes_to_the_unit_that_is_declared(subject, one):
    given = {other.key: leaf(None, other.unit, other.key) for other in subject.figures}
    assert one.formula(**{key: given[key] for key in one.parameters}).dimension == one.unit.dimension


def test_every_subject_was_worked_out_by_hand():
    assert {subject.name for subject in SUBJECTS} == set(BY_HAND)
    for subject, one in formulas():
        assert one.key in BY_HAND[subject.name][1], f"{subject.name}: {one.key}"
