"""Days of contracts: a day without a time, or a moment."""

import pytest

from gpuplanner.files.tables.contract_days import is_day_alone


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
