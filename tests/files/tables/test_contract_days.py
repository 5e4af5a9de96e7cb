"""Days of contracts: a day without a time, or a moment."""

import pytest

from gpuplanner.files.tables.contract_days import is_day_alone, notice_days


@pytest.mark.parametrize(
    ("text", "in_text", "in_sheet"),
    [
        ("2027-01-01", True, True),
        ("2027-01-01T00:00:00", False, True),  # a sheet keeps a day with midnight
        ("2027-01-01T08:30:00", False, False),
        ("2027-01-01 00:00", False, False),
        ("2026-12-31T23:59:00", True, True),
        ("2026-12-31 23:59:59.999Z", True, True),
        ("2026-12-31T23:58:00", False, False),
        ("2027-01", False, False),  # a period
        ("soon", False, False),
        ("soonT00:00:00", False, False),
        ("", False, False),
    ],
)
def test_a_day_alone_has_no_time_or_the_last_minute(text: str, in_text: bool, in_sheet: bool) -> None:
    assert is_day_alone(text, is_sheet=False) is in_text
    assert is_day_alone(text, is_sheet=True) is in_sheet


@pytest.mark.parametrize(
    ("text", "unit", "end", "days"),
    [
        ("90", "", "", "90"),
        ("0", "days", "", "0"),
        (" 90.5 ", "days", "", "90.5"),  # no whole days: refused as it is written, without the blanks
        ("2", "weeks", "", "14"),
        ("1.3 ", "weeks", "", "1.3 "),
        ("1", "months", "2027-03-01", "28"),  # the February before
        ("1.5", "years", "2027-03-01", "546"),  # from 1 September 2025
        ("2", "years", "", "744"),  # 24 months of 31 days
        ("0 months", "", "2027-03-01", "0"),
        ("-1", "months", "2027-03-01", "-1"),
        ("10000", "weeks", "", "70000"),
        ("10001", "weeks", "", "10001"),
        ("10000", "months", "", "310000"),
        ("10001", "months", "", "10001"),
    ],
)
def test_a_notice_in_days_by_its_unit_and_end(text: str, unit: str, end: str, days: str) -> None:
    assert notice_days(text, unit, end).days == days
