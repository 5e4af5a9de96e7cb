"""Amounts: a text written in a style is read back in it, and a column decides where one cell cannot."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.files.values.amounts import (
    COMMA,
    POINT,
    currency_of,
    decide_style,
    is_two_numbers,
    read_amount,
    styles_of,
)

AMOUNTS = st.decimals(min_value=0, max_value=10**9, places=2)
AROUND = st.sampled_from(["{}", "${}", "USD {}", "{} $", "{}/hr", "{} per GPU-hour", " {} ", "US$ {}/GPU/h"])


def written(number: Decimal, style: str) -> str:
    text = f"{number:,.2f}"
    return text if style == POINT else text.translate(str.maketrans(",.", ".,"))


@given(AMOUNTS, AROUND, st.sampled_from([POINT, COMMA]))
def test_what_is_written_in_a_style_is_read_back(number: Decimal, around: str, style: str) -> None:
    text = around.format(written(number, style))
    assert style in styles_of(text)
    assert read_amount(text, style).number == number
    assert read_amount(text).currency in (None, "USD")


@given(st.lists(AMOUNTS, min_size=1, max_size=5), st.sampled_from([POINT, COMMA]))
def test_a_column_decides_by_cells_that_can_be_read_in_one_way_alone(
    numbers: list[Decimal], style: str
) -> None:
    texts = [written(number, style) for number in numbers]  # two decimals: never ambiguous
    assert decide_style([*texts, "1,234" if style == POINT else "1.234"]) == (style, False)


def test_what_nothing_decides_stays_open() -> None:
    assert decide_style(["1,234", "8", ""]) == (None, True)
    assert decide_style(["8", "12"]) == (None, False)
    assert is_two_numbers("1.234") and not is_two_numbers("1.23")


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1'234.50", "1234.50"),
        ("1 234,56", "1234.56"),
        ("(5.00)", "-5.00"),
        (".5", "0.5"),
        ("1e3", "1000"),
        ("1.234.567", "1234567"),
        ("H100", None),
        ("2.50-3.00", None),
        ("1,2,3", None),
        ("", None),
        ("8 x H100", None),
        ("9" * 90, None),
    ],
)
def test_odd_cells(text: str, number: str | None) -> None:
    assert read_amount(text).number == (None if number is None else Decimal(number))


@pytest.mark.parametrize(
    ("text", "currency"),
    [
        ("2,75 €", "EUR"),
        ("C$ 3", "CAD"),
        ("£1", "GBP"),
        ("Preis (EUR/h)", "EUR"),
        ("USD", "USD"),
        ("EUROPE", None),
    ],
)
def test_currencies(text: str, currency: str | None) -> None:
    assert currency_of(text) == currency


@given(st.text(max_size=60))
def test_any_text_is_an_amount_or_none(text: str) -> None:
    for style in (POINT, COMMA):
        number = read_amount(text, style).number
        assert number is None or number.is_finite()
