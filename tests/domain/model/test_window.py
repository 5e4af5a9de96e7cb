from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.model.window import (
    Window,
    day_of,
    has_calendar,
    instant_s,
    is_day,
    iso_day,
    iso_utc,
    months_after,
    months_on,
    week_hour_of,
)

DAYS = st.dates(date(2000, 1, 1), date(2099, 12, 31))


def test_a_time_is_written_in_utc_with_z() -> None:
    assert iso_utc(0) == "1970-01-01T00:00:00Z"
    assert iso_utc(1_769_835_600) == "2026-01-31T05:00:00Z"


@given(DAYS, st.integers(0, 600), st.integers(0, 600))
def test_months_add_up_but_for_the_ends_of_months(day: date, one: int, other: int) -> None:
    day = day.replace(day=min(day.day, 28))
    there = months_after(day.isoformat(), one)
    assert there is not None
    assert months_after(there, other) == months_after(day.isoformat(), one + other)


def test_there_are_no_months_after_the_calendar_or_no_date() -> None:
    assert months_after("9999-01-01", 12) is None
    assert months_after("no date", 1) is None


@pytest.mark.parametrize(
    ("day", "months", "later"),
    [
        ("2026-01-31", 1, "2026-02-28"),
        ("2028-01-31", 1, "2028-02-29"),
        ("2026-11-30", 1, "2026-12-30"),
        ("2026-12-31", 1, "2027-01-31"),
        ("2026-03-31", -1, "2026-02-28"),
        ("2026-01-15", 12, "2027-01-15"),
        ("2026-01-15T06:00:00Z", 11, "2026-12-15T06:00:00Z"),
    ],
)
def test_months_later_is_the_same_day_or_the_last_of_the_month(day: str, months: int, later: str) -> None:
    assert months_after(day, months) == later
    assert months_on(instant_s(day), months) == instant_s(later)


def test_time_that_is_counted_from_nought_has_months_of_730_hours() -> None:
    """1 January 1990, 0:00, is the first instant of the calendar."""
    begins = instant_s("1990-01-01")
    assert (has_calendar(begins), has_calendar(begins - 1)) == (True, False)
    assert months_on(3600, 2) == 3600 + 2 * 730 * 3600
    assert months_on(begins, 1) == begins + 31 * 86_400


def test_hours_of_the_week_begin_on_monday() -> None:
    """5 January 2026 was a Monday."""
    monday = instant_s("2026-01-05")
    assert [week_hour_of(monday + at) for at in (-1, 0, 3599, 3600, 7 * 86_400 - 1)] == [167, 0, 0, 1, 167]
    assert day_of(monday + 86_399) == monday and day_of(monday + 86_400) == monday + 86_400
    assert (iso_day(monday), iso_day(monday + 3600)) == ("2026-01-05", "2026-01-05T01:00:00Z")
    assert instant_s("2026-01-05T01:00:00+01:00") == monday


def test_a_window_is_of_whole_hours() -> None:
    window = Window(7200, 1460)
    assert (window.end_s, window.months) == (7200 + 1460 * 3600, 2.0)
    assert window.later(-3600) == Window(3600, 1460)
    for start_s, hours in ((7201, 1), (7200, 0)):
        with pytest.raises(ValueError, match="hours"):
            Window(start_s, hours)
    assert Window(0, 1).end_s == 3600


def test_a_day_is_written_with_hyphens_and_is_there() -> None:
    assert [is_day(text) for text in ("2028-02-29", "2026-02-29", "20260228", "")] == [
        True,
        False,
        False,
        False,
    ]
