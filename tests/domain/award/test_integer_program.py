"""Integer programs: the solver is silent, and a sum is divided by its largest factor."""

import pytest

from gpuplanner.domain.award.division import places_by_key
from gpuplanner.domain.award.integer_program import IntegerProgram, largest_factor, weighted_sum


def test_the_solver_says_nothing_on_the_terminal(capfd: pytest.CaptureFixture[str]) -> None:
    program = IntegerProgram()
    two = program.variable(2.0)
    assert program.least({two: -1.0}) == (2,)
    assert capfd.readouterr() == ("", "")


def test_a_sum_is_divided_by_its_largest_factor() -> None:
    assert largest_factor({0: 2.0, 1: -8.0, 2: 1.0}) == 8.0
    assert largest_factor({}) == largest_factor({0: 0.0}) == 1.0
    assert weighted_sum({0: 2.0, 2: -1.0}, (3, 9, 4)) == 2.0
    assert places_by_key("abca") == {"a": [0, 3], "b": [1], "c": [2]}
    program = IntegerProgram()
    first, second = program.variable(5.0), program.variable(3.0)
    program.limit({first: 2.0, second: 4.0}, 10.0, 13.0)
    assert (first, second) == (0, 1)
    assert program.least({first: 3.0, second: 5.0}) == (
        1,
        2,
    )  # 13; 14 and 16 of (3, 1) and (2, 2), 15 of (5, 0)
    assert program.least({first: 1.0}) == (0, 3) and program.least({second: 1.0}) == (5, 0)
    assert IntegerProgram().least({}) == ()
