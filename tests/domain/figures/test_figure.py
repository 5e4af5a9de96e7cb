"""Quantities: they remember how they were reached, spread what is unknown, and refuse to be compared."""

import operator

import pytest

from gpuplanner.domain.figures.figure import called, is_below, leaf, least, priced
from gpuplanner.domain.figures.writing import GPU_HOURS, GPUS, HOURS, MONEY, MONTHS, RATE, SHARE

GPUS_8 = leaf(8, GPUS, "GPUs")
HOURS_10 = leaf(10, HOURS, "hours")
RATE_2 = leaf(2.0, RATE, "rate")
NO_RATE = leaf(None, RATE, "rate")


def test_a_result_names_what_it_was_reached_from():
    found = GPUS_8 * HOURS_10 * RATE_2
    assert (found.value, [part.label for part in found.leaves]) == (160.0, ["GPUs", "hours", "rate"])
    assert found.dimension == MONEY.dimension


def test_what_is_unknown_spreads_and_is_named():
    found = GPUS_8 * HOURS_10 * NO_RATE / leaf(2.0, MONTHS, "months")
    assert found.value is None and found.missing == ("rate",)


@pytest.mark.parametrize("compare", [operator.lt, operator.le, operator.gt, operator.ge])
def test_a_formula_cannot_branch(compare):
    with pytest.raises(TypeError):
        compare(GPUS_8, GPUS_8)
    with pytest.raises(TypeError):
        bool(GPUS_8)
    with pytest.raises(TypeError):
        max(GPUS_8, HOURS_10)


def test_units_that_do_not_fit_are_refused():
    with pytest.raises(TypeError, match="GPUs"):
        GPUS_8 + HOURS_10
    with pytest.raises(TypeError, match="GPU h is not 1"):
        called(GPUS_8 * HOURS_10, SHARE, "share")


def test_numbers_stand_in_a_formula_as_they_are():
    found = 1 - leaf(0.25, SHARE, "used share")
    assert found.value == 0.75 and [str(part.label) for part in found.parts] == ["1", "used share"]


def test_operations():
    nothing, some = leaf(0, GPU_HOURS, "nothing"), leaf(5, GPU_HOURS, "some")
    assert priced(nothing, NO_RATE).value == 0.0
    assert priced(some, NO_RATE).value is None
    assert priced(some, RATE_2).value == 10.0
    assert is_below(nothing, some).value == 1 and is_below(some, some).value == 0
    assert least(some, nothing).value == 0 and least(some, leaf(None, GPU_HOURS, "unknown")).value is None
