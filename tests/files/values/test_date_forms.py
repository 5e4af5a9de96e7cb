"""Dates in national forms: the engine and Python read them alike."""

from datetime import datetime

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.files.values.date_forms import FORMS_OF, iso_sql, iso_text

DAYS = st.datetimes(datetime(1000, 1, 1), datetime(2300, 1, 1))
FORMS = sorted({form for forms in FORMS_OF.values() for form in forms})
NUMBERS = st.integers(0, 70).map(str)
TEXTS = st.tuples(NUMBERS, NUMBERS, st.integers(1000, 2300).map(str), st.sampled_from("-/. ")).map(
    lambda parts: parts[3].join(parts[:3])
)


@pytest.fixture(scope="module")
def engine() -> duckdb.DuckDBPyConnection:
    return duckdb.connect()


@given(DAYS, st.sampled_from(FORMS), st.sampled_from("-/."), TEXTS)
def test_the_engine_reads_what_python_reads(
    engine: duckdb.DuckDBPyConnection, day: datetime, form: str, sign: str, text: str
) -> None:
    written = day.strftime(form)
    if "%d/%m/%Y" in form or "%m/%d/%Y" in form:
        written = written.replace("/", sign)
    for unit in FORMS_OF:
        for one in (written, text, f" {written}", written.lower()):
            (found,) = engine.execute(
                f"select {iso_sql('t', unit)} from (select ?::varchar as t)", [one]
            ).fetchall()
            assert found[0] == (iso_text(one, unit) or one)


@pytest.mark.parametrize(
    ("text", "unit", "iso"),
    [
        ("31.1.2026 5:03", "dmy", "2026-01-31T05:03:00"),
        ("1/31/26 5:03 PM", "mdy", "2026-01-31T17:03:00"),
        ("2026/1/31", "ymd", "2026-01-31T00:00:00"),
        ("31-Jan-2026 10:00", "dmy", "2026-01-31T10:00:00"),
        ("Jan 31, 2026 10:00:05", "mdy", "2026-01-31T10:00:05"),
        ("31/1/2026", "mdy", None),
        ("2026-01-31T10:00:00Z", "dmy", None),
        ("", "ymd", None),
    ],
)
def test_dates_as_they_are_written(text: str, unit: str, iso: str | None) -> None:
    assert iso_text(text, unit) == iso
