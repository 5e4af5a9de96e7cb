"""Whatever number there is, it is written: the smallest and the largest too, and halves away from zero."""

from decimal import ROUND_HALF_UP, Context, Decimal

from hypothesis import example, given
from hypothesis import strategies as st

from gpuplanner.domain.figures.typed import DIGITS_OF_A_DOUBLE, exact, significant
from gpuplanner.domain.figures.writing import ENGLISH, half_up

ANY_NUMBER = st.floats(allow_nan=False, allow_infinity=False)


@example(1e-310)
@example(5e-324)
@example(-1.7e308)
@given(ANY_NUMBER)
def test_any_number_is_written(value: float) -> None:
    assert ENGLISH.exact(value) and str(significant(value)) and ENGLISH.number(value, 2)


@example(1e-310, 310)
@example(2.5, 0)
@example(-0.125, 2)
@given(ANY_NUMBER, st.integers(0, 330))
def test_halves_are_rounded_away_from_zero(value: float, places: int) -> None:
    expected = Decimal(value).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP, Context(prec=1100))
    assert half_up(value, places) == float(expected)


@given(st.decimals(allow_nan=False, allow_infinity=False, places=4, min_value=-(10**9), max_value=10**9))
def test_what_was_given_is_written_as_it_was_given(value: Decimal) -> None:
    assert str(exact(value)).replace("\u2212", "-").replace(",", "").lstrip("-") == f"{abs(value):f}"


@given(st.decimals(1, 10**6, allow_nan=False), st.integers(1, 10**6))
def test_a_quotient_shows_no_digit_that_a_double_does_not_know(value: Decimal, by: int) -> None:
    written = str(exact(value / by)).replace(",", "").replace(".", "").lstrip("0")
    assert len(written.rstrip("0")) <= DIGITS_OF_A_DOUBLE + 1
