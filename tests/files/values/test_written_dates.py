"""Dates and terms as people write them: read back whatever the order, and open where nothing decides."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.files.values.written_dates import (
    DAY_FIRST,
    MONTH_FIRST,
    SERIAL,
    decide_order,
    is_day_before,
    read_date,
)
from gpuplanner.files.values.written_terms import YEARS, names_its_unit, read_term

DAYS = st.dates(date(2000, 1, 1), date(2099, 12, 31))
FORMS = {
    DAY_FIRST: ["{d}/{m}/{y}", "{d:02}-{m:02}-{y}", "{d}.{m}.{y}", "{d:02}.{m:02}.{y}", "{d} {name} {y}"],
    MONTH_FIRST: ["{m}/{d}/{y}", "{m:02}/{d:02}/{y}", "{name} {d}, {y}"],
    "": ["{y}-{m:02}-{d:02}", "{y}{m:02}{d:02}"],
    SERIAL: ["{serial}"],
}
NAMES = ["Jan", "Feb", "März", "April", "Mai", "Juni", "Jul", "Aug", "Sept", "Okt", "November", "Dez"]


@given(DAYS, st.sampled_from([(order, form) for order, forms in FORMS.items() for form in forms]))
def test_a_date_in_a_known_order_is_read_back(day: date, written: tuple[str, str]) -> None:
    order, form = written
    serial = (day - date(1899, 12, 30)).days
    text = form.format(d=day.day, m=day.month, y=day.year, name=NAMES[day.month - 1], serial=serial)
    found = read_date(text, order)
    assert found is not None
    assert date.fromisoformat(found) == day


@given(st.lists(DAYS, min_size=1, max_size=8), st.sampled_from([DAY_FIRST, MONTH_FIRST]))
def test_a_column_says_its_order_when_one_day_is_past_the_twelfth(days: list[date], order: str) -> None:
    form = FORMS[order][0]
    texts = [form.format(d=day.day, m=day.month, y=day.year) for day in days]
    found, is_open = decide_order(texts)
    if any(day.day > 12 for day in days):
        assert (found, is_open) == (order, False)
    else:
        assert found is None
        assert is_open == any(day.day != day.month for day in days)


def test_serials_alone_are_dates() -> None:
    assert decide_order(["46054", "46419"]) == (SERIAL, False)
    assert read_date("46054", SERIAL) == "2026-02-01"


@pytest.mark.parametrize(
    "text", ["", "soon", "32/1/2026", "2026-13-01", "1/2", "99999", "31 Foo 2026", "9" * 40]
)
def test_no_dates(text: str) -> None:
    assert read_date(text) is None


def test_the_last_day_of_a_term_is_the_day_before_its_end() -> None:
    assert is_day_before("2026-12-31", "2027-01-01") and not is_day_before("2026-12-31", "2026-12-31")


@pytest.mark.parametrize(
    ("text", "months"),
    [
        ("3 yrs", 36),
        ("36 mo", 36),
        ("1 year", 12),
        ("12 Monate", 12),
        ("3 Jahre", 36),
        ("1.5 years", 18),
        ("P1Y", 12),
        ("P1Y6M", 18),
        ("TWELVE_MONTH", 12),
        ("THIRTY_SIX_MONTH", 36),
        ("one year", 12),
        ("3yr", 36),
        ("12", 12),
        ("(24 months)", 24),
        ("12-month", 12),
        ("1.3 months", None),
        ("30 days", None),
        ("0", None),
        ("TBD", None),
        ("", None),
        ("99999 years", None),
    ],
)
def test_terms(text: str, months: int | None) -> None:
    assert read_term(text) == months


def test_a_bare_number_counts_what_its_heading_says() -> None:
    assert (read_term("3", YEARS), read_term("3 mo", YEARS)) == (36, 3)
    assert names_its_unit("3 yrs") and not names_its_unit(" 3 ")


@given(st.text(max_size=40))
def test_any_text_is_a_date_or_a_term_or_neither(text: str) -> None:
    read_date(text)
    months = read_term(text)
    assert months is None or 0 < months <= 1200
