"""Numbers of answers: how each is written with its unit, and what is said of those that are unknown."""

import pytest

from gpuplanner.domain.ask.numbers import UNITS, Number, first_day, told
from gpuplanner.domain.model.amounts import PartSum
from gpuplanner.domain.model.window import DAY_S
from tests.domain import worlds
from tests.domain.ask.small_plan import PLAN_S


@pytest.mark.parametrize(
    ("unit", "value", "written"),
    [
        ("usd_per_gpu_hour", 2.345, "$2.35"),
        ("rate_usd_per_gpu_hour", 2.0, "$2.00"),
        ("usd_per_million_tokens", 0.126, "$0.13"),
        ("ratio", 0.1234, "12.3%"),
        ("usd", 1234.4, "$1,234"),
        ("kw", 1.24, "1.2 kW"),
        ("gpus", 1.0, "1 GPU"),
        ("gpus", 2.5, "2.5 GPUs"),
        ("months", 1.0, "1.0"),
        ("date", float(PLAN_S), "2026"),
    ],
)
def test_a_number_stands_with_its_unit(unit: str, value: float, written: str) -> None:
    text = str(UNITS[unit](value))
    assert written in text
    assert str(Number("x", value, unit, "").written) == text


def test_what_is_unknown_is_at_least_what_is_known_of_it() -> None:
    known = PartSum(1500.0, 2, ("A100",))
    assert str(Number("x", None, "usd", "", known=known).written) == "\u2265 $1,500"
    assert str(Number("x", None, "usd", "").written) == "unknown"
    day = Number("x", float(PLAN_S + DAY_S), "date", "", last_s=PLAN_S)
    assert str(day.written) == str(UNITS["date"](PLAN_S))
    counted = str(UNITS["date"](2 * DAY_S))
    assert counted.endswith(" 3") and "1970" not in counted, "a log that counts from 0 has its third day"


def test_of_more_than_three_the_unknown_are_counted() -> None:
    rows = [Number(f"n{at}", value, "count", "") for at, value in enumerate((1.0, 2.0, 3.0, None, None, 4.0))]
    text, short = str(told(rows)), str(told(rows[:3]))
    assert "n2" in text and "n3" not in text and "2 unknown" in text and text.startswith(short[:-1])
    assert "unknown" not in str(told([*rows[:3], rows[5]])) and str(told([*rows[:3], rows[5]])) != short
    assert "n3" in str(told(rows, 4)) and "1 unknown" in str(told(rows, 4))


def test_the_first_day_is_of_the_order_that_is_due_first() -> None:
    orders = worlds.plan().advised.orders
    (number,) = first_day("Sign", list(enumerate(orders)))
    assert (number.value, number.path) == (PLAN_S, "orders[1].order_by")
    assert first_day("Sign", []) == []
