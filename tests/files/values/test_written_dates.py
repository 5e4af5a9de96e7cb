"""Dates and terms as people write them: read back whatever the order, and open where nothing decides."""

from datetime import date, datetime
from pathlib import Path

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.files.importing.import_tables import import_contracts, import_prices
from gpuplanner.files.values.terms import YEARS, names_its_unit, read_term, term_within
from gpuplanner.files.values.written_dates import (
    DAY_FIRST,
    FORMS_OF,
    MONTH_FIRST,
    SERIAL,
    decide_order,
    iso_sql,
    iso_text,
    read_date,
)

# --- Dates and terms as people write them: read back whatever the order, and open where nothing decides

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


# --- Dates in national forms: the engine and Python read them alike ------------------------------

DATE_FORMS_DAYS = st.datetimes(datetime(1000, 1, 1), datetime(2300, 1, 1))
DATE_FORMS_FORMS = sorted({form for forms in FORMS_OF.values() for form in forms})
NUMBERS = st.integers(0, 70).map(str)
TEXTS = st.tuples(NUMBERS, NUMBERS, st.integers(1000, 2300).map(str), st.sampled_from("-/. ")).map(
    lambda parts: parts[3].join(parts[:3])
)


@pytest.fixture(scope="module")
def engine() -> duckdb.DuckDBPyConnection:
    return duckdb.connect()


@given(DATE_FORMS_DAYS, st.sampled_from(DATE_FORMS_FORMS), st.sampled_from("-/."), TEXTS)
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


# --- Terms in the words of how a GPU is paid: read where a column of terms is empty, never guessed

OWN = "offer_id,gpu_model,pricing_category,term_months,rate_usd_per_gpu_hour\n"


@given(
    st.integers(1, 60),
    st.sampled_from(["{} months", "{}mo", "{}-month", "({} Monate)", "{} mois"]),
    st.sampled_from(["", "Reserved ", "RI-", "savings plan / ", "CUD_"]),
    st.sampled_from(["", " reserved", ", No Upfront", "_flat"]),
)
def test_a_term_is_found_among_other_words(months: int, form: str, before: str, after: str) -> None:
    if after == "_flat" and form[-1].isalpha():
        after = " flat"  # one word with its unit is another word
    assert term_within(before + form.format(months) + after) == months
    assert term_within(before + form.format(months) + " or 61 months") is None


@pytest.mark.parametrize(
    ("text", "months"),
    [
        ("Reserved 1 year", 12),
        ("3 Jahre reserviert", 36),
        ("RI 1yr No Upfront", 12),
        ("CUD THIRTY_SIX_MONTH", 36),
        ("twenty-four months", 24),
        ("reserved 1 year (12 months)", 12),
        ("Reserved", None),
        ("Reserved 36", None),
        ("1-3 years", None),
        ("1 or 3 years", None),
        ("1 year 6 months", None),
        ("p5.48xlarge", None),
        ("", None),
    ],
)
def test_odd_cells(text: str, months: int | None) -> None:
    assert term_within(text) == months


def test_ways_to_pay_say_their_terms(tmp_path: Path) -> None:
    said = {"1-year reserved": 12, "12 months": 12, "Savings Plan 3yr": 36, "On-Demand": 0, "Spot": 0}
    path = tmp_path / "prices.csv"
    rows = "".join(f"X{at},H100,{way},{at}\n" for at, way in enumerate(said, 1))
    path.write_text(f"provider,gpu,pricing,price_per_gpu_hour\n{rows}")
    read = import_prices([str(path)])
    assert read.intake[0].rows_accepted == len(said)
    by_rate = {offer.rate: offer.term_months for offer in read.offers}
    assert by_rate == {float(at): months for at, months in enumerate(said.values(), 1)}


def test_a_column_of_terms_counts_before_words(tmp_path: Path) -> None:
    path = tmp_path / "prices.csv"
    path.write_text(f"{OWN}a,H100,Reserved 1 year,36,2\nb,H100,Reserved 1 year,,2\nc,H100,STANDARD,,3\n")
    assert [offer.term_months for offer in import_prices([str(path)]).offers] == [36, 12, 0]


@pytest.mark.parametrize("way", ["Reserved", "COMMITTED", "Reserved 1-3 years"])
def test_a_commitment_without_a_term_is_told_what_to_give(tmp_path: Path, way: str) -> None:
    path = tmp_path / "prices.csv"
    path.write_text(f"{OWN}a,H100,{way},,2\n")
    (row,) = import_prices([str(path)]).intake[0].rejected
    assert row.code == "bad_number" and "term_months" in str(row.message) and "0.5" not in str(row.message)


def test_a_contract_ends_after_the_term_in_its_words(tmp_path: Path) -> None:
    path = tmp_path / "contracts.csv"
    path.write_text("Contract,GPU,GPUs,Type,Start,Price\nC1,H100,8,Reserved 1 year,2026-01-01,2\n")
    read = import_contracts([str(path)])
    (contract,) = read.contracts
    assert contract.term_months == 12 and contract.end_s == contract.start_s + 365 * 86400
    assert "computed" in {issue.code for issue in read.intake[0].issues}


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("15 janv. 2026", "2026-01-15"),
        ("1er mars 2026", "2026-03-01"),
        ("5th of January 2026", "2026-01-05"),
        ("15 déc. 2026", "2026-12-15"),
        ("Jan-26", "2026-01-01"),
        ("Dec '26", "2026-12-01"),
        ("Jan 26", None),  # of which year
        ("Mar-15", None),
    ],
)
def test_days_and_months_as_offices_write_them(text: str, day: str | None) -> None:
    assert read_date(text) == day
