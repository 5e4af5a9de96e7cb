"""Texts of bills: times in every order, units of time, usage to GPUs."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.model.window import iso_utc
from gpuplanner.files.job_logs.dialects.bill_forms import bill_header, likeness
from gpuplanner.files.job_logs.dialects.bill_rows import counts_gpus, read_time_unit, read_usage
from gpuplanner.files.job_logs.dialects.bill_times import DateOrder, date_order, read_bill_time
from gpuplanner.files.tables.delimited import bare

MONTH_FIRST, DAY_FIRST = DateOrder(), DateOrder(is_day_first=True)


@given(st.dates(), st.sampled_from(["/", "-"]), st.booleans(), st.booleans())
def test_a_numbered_date_is_its_iso_date_in_the_order_of_its_column(day, mark, is_day_first, is_short):
    if not 1900 <= day.year < 2200:
        return
    is_short = is_short and 2000 <= day.year < 2100
    parts = (day.day, day.month) if is_day_first else (day.month, day.day)
    text = mark.join((*map(str, parts), f"{day.year % 100:02}" if is_short else str(day.year)))
    told = read_bill_time(text, DateOrder(is_day_first=is_day_first))
    assert iso_utc(told.utc_s) == f"{day.isoformat()}T00:00:00Z"
    assert told.is_naive


@given(st.lists(st.tuples(st.integers(1, 12), st.integers(1, 28)), min_size=1), st.booleans())
def test_a_day_beyond_twelve_tells_the_order_and_nothing_else_does(days, is_day_first):
    texts = [f"{day}/{month}/2026" if is_day_first else f"{month}/{day}/2026" for month, day in days]
    order = date_order(texts)
    assert order.is_told == any(day > 12 for _, day in days)
    assert not order.is_told or order.is_day_first == is_day_first


def test_dates_with_dots_begin_with_the_day():
    assert date_order(["04.01.2025"]) == DAY_FIRST
    assert date_order(["2026-01-05"]) == MONTH_FIRST


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("2023-11-13T10:00Z", "2023-11-13T10:00:00Z"),
        ("2024-09-18 22:00:00", "2024-09-18T22:00:00Z"),
        ("2023-11-01T00:00:00.000Z", "2023-11-01T00:00:00Z"),
        ("2026-01-05 10:00:00 UTC", "2026-01-05T10:00:00Z"),
        ("2026-01-05T10:00:00+02:00", "2026-01-05T08:00:00Z"),
        ("20260105", "2026-01-05T00:00:00Z"),
        ("9/2/2023 12:30:00 AM", "2023-09-02T00:30:00Z"),
        ("9/2/2023 12:30 pm", "2023-09-02T12:30:00Z"),
        ("4/1/25", "2025-04-01T00:00:00Z"),
    ],
)
def test_times_of_the_clouds(text, iso):
    told = read_bill_time(text, MONTH_FIRST)
    assert iso_utc(told.utc_s) == iso


@pytest.mark.parametrize(
    "text",
    [
        *("2023-02-01T30:00:00Z", "13/13/2025", "9/31/2025", "2/1/2025 13:00 PM", "null", "", "soon"),
        *("9/2-2023", "9999-12-31"),
    ],
)
def test_what_is_no_time(text):
    assert read_bill_time(text, MONTH_FIRST) is None


@given(st.text(max_size=40), st.booleans())
def test_any_text_is_a_time_or_none(text, is_day_first):
    told = read_bill_time(text, DateOrder(is_day_first=is_day_first))
    assert told is None or isinstance(told.utc_s, int)
    date_order([text])


HOURS = ("Hrs", "1 Hour", "GPU Per Hour", "1 NONE HOURS INSTANCE | Instance per hour", "1/Hour", "Units/Hour")
NO_TIMES = ("GB", "GB-Hours", "OCPU Hours", "vCPU-Hours", "1/Month", "Requests", "", "0 Hours")
UNITS = dict.fromkeys(HOURS, 3600) | {"100 Hours": 360_000, "seconds": 1, "m": 60} | dict.fromkeys(NO_TIMES)


@pytest.mark.parametrize("unit", UNITS)
def test_units_of_time(unit):
    assert read_time_unit(unit) == UNITS[unit]


@given(st.text(max_size=30))
def test_any_text_is_a_unit_or_none(unit):
    seconds = read_time_unit(unit)
    assert seconds is None or seconds > 0
    assert counts_gpus(unit) in (True, False)


@given(
    st.decimals(min_value=0, max_value=10_000, places=6),
    st.sampled_from([1, 60, 3600]),
    st.sampled_from([Fraction(1, 6), Fraction(1, 2), Fraction(1), Fraction(8)]),
    st.integers(1, 31 * 86_400),
)
def test_usage_is_an_average_rounded_half_up_to_thousandths(quantity, seconds, gpus, period_s):
    exact = Fraction(quantity) * seconds * gpus / period_s * 1000
    read = read_usage(f"{quantity} x {seconds} s x {gpus} GPUs / {period_s} s")
    if (exact and exact < Fraction(1, 2)) or exact >= 10_000_000_000.5:
        assert read.fault == "bad_number"
    else:
        assert abs(read.milli_gpus - exact) <= Fraction(1, 2)
        assert read.fault is None


@given(st.text(max_size=60))
def test_any_text_is_usage_or_a_fault(text):
    read = read_usage(text)
    assert read.fault in (None, "bad_number", "negative_gpus")


def test_usage_that_cannot_be():
    assert read_usage("-1 x 3600 s x 8 GPUs / 3600 s").fault == "negative_gpus"
    assert read_usage("unknown x 3600 s x 8 GPUs / 3600 s").fault == "bad_number"
    assert read_usage("1 of p99.48xlarge, whose GPUs are not known").fault == "bad_number"
    assert read_usage(f"{Decimal('2.5E-1')} x 3600 s x 8 GPUs / 3600 s").milli_gpus == 2000


def test_headings_are_found_in_any_spelling():
    assert bare("lineItem/UsageStartDate") == bare("line_item_usage_start_date")
    assert bill_header("A;B c;D\n1;2;3", ("bc",)) == (";", ("A", "B c", "D"))
    assert bill_header("", ("a",)) == (",", ())
    assert likeness("Charge_Period_Start,x", (("ChargePeriodStart",),), ("x", "y")) == pytest.approx(0.895)
    assert likeness("ChargePeriodStart,never", (("ChargePeriodStart",),), ("x",), never=("Never",)) == 0.0
