from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.model.window import iso_utc, months_after

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
