"""Formulas and their cached values, made together."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.files.workbook.kit.expressions import (
    DASH,
    Expr,
    Range,
    formula,
    known,
    known_sum_where,
    lift,
    sum_where,
    when,
)

NUMBERS = st.floats(-1e6, 1e6).map(lambda value: round(value, 3))
MAYBE = st.one_of(NUMBERS, st.just(DASH))


def cell(value, text="A1"):
    return Expr(text, value)


@given(NUMBERS, NUMBERS, NUMBERS)
def test_brackets_keep_the_order_of_work(a, b, c):
    found = cell(a) - (cell(b) - cell(c)) * 2
    assert found.text == "A1-(A1-A1)*2"
    assert found.value == a - (b - c) * 2


FORMULAS = st.recursive(
    st.integers(-9, 9).map(lift),
    lambda parts: (
        st.tuples(st.sampled_from(("+", "-", "*", "/", "<", ">=", "=")), parts, parts)
        .filter(lambda one: one[0] != "/" or one[2].value in (0, 1, 2, 4, 8))  # its last digit is exact
        .map(lambda one: formula(f"{{left}}{one[0]}{{right}}", left=one[1], right=one[2]))
    ),
    max_leaves=9,
)


@given(FORMULAS)
def test_a_formula_comes_to_what_its_text_says(found):
    assert formula(found.text).value == found.value


@given(MAYBE, MAYBE)
def test_what_needs_an_unknown_cell_is_unknown(a, b):
    found = known([cell(a), cell(b, "B1")], cell(a) + cell(b, "B1"))
    assert found.text == 'IF(COUNT(A1,B1)=2,A1+B1,"—")'
    assert found.value == (DASH if DASH in (a, b) else a + b)


@given(st.lists(MAYBE, min_size=1, max_size=8))
def test_a_known_sum_is_all_or_nothing(values):
    amounts = Range("S!$A$1:$A$8", values)
    expected = DASH if DASH in values else pytest.approx(sum(values))
    assert amounts.known_sum().value == expected


@given(st.lists(st.tuples(st.integers(1, 3), MAYBE), min_size=1, max_size=8))
def test_sums_by_key_see_only_their_rows(rows):
    keys = Range("S!$B$1:$B$8", [float(key) for key, _ in rows])
    amounts = Range("S!$A$1:$A$8", [value for _, value in rows])
    mine = [value for key, value in rows if key == 2]
    numbers = [value for value in mine if value != DASH]
    assert sum_where(amounts, (keys, 2)).value == pytest.approx(sum(numbers))
    whole = DASH if len(numbers) < len(mine) else pytest.approx(sum(numbers))
    assert known_sum_where(amounts, (keys, 2)).value == whole


def test_only_the_branch_taken_has_a_say_in_the_value():
    assert when(cell(0.0) > 0, cell(1.0) / cell(0.0), DASH).value == DASH
    assert when(cell(2.0) > 0, cell(1.0) / cell(2.0), DASH).value == 0.5


def test_numbers_are_written_without_loss():
    assert lift(0.1 + 0.2).text == lift(np.float64(0.1 + 0.2)).text == repr(0.1 + 0.2)
    assert lift(730).text == "730"
    assert (cell(1.0) * -2).text == "A1*(-2)"
