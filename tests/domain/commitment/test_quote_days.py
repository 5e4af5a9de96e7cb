"""A quote is open through its last day, judged alike by plan, brief and award: on the day that all is ordered."""

from dataclasses import replace

import pytest

from gpuplanner.domain.commitment.order_days import seen_on
from gpuplanner.domain.commitment.recursion.calendar import Calendar
from gpuplanner.domain.model.book.quote_source import QuotedStart, quoted_start
from gpuplanner.domain.model.window import DAY_S, HOUR_S, instant_s, iso_utc
from tests.domain.commitment.conftest import offer

DAY = instant_s("2026-10-01")
LISTED = offer("c", 12, 2.0)
QUOTED = replace(LISTED, source="Quote RFQ-20260925-AAAA R1 for 2026-10-01")


@pytest.mark.parametrize("hour", [0, 14])
@pytest.mark.parametrize(
    ("until", "is_open"),
    [
        ("2026-10-01", True),
        (iso_utc(DAY + 9 * HOUR_S), True),
        ("2026-09-30", False),
        (iso_utc(DAY - 1), False),
    ],
)
def test_a_plan_from_today_has_one_answer_everywhere(until: str, is_open: bool, hour: int) -> None:
    now_s = DAY + hour * HOUR_S  # a log may end in the middle of a day
    for one in (replace(LISTED, valid_until=until), replace(QUOTED, valid_until=until)):
        assert Calendar(begin_s=now_s).is_open_in(one, 0) is is_open
        assert one.is_open_on(now_s) is is_open
        assert ("c" not in seen_on(now_s, now_s, [one]).closed) is is_open


def test_the_later_of_both_days_counts() -> None:
    one = replace(QUOTED, valid_until="2026-10-01")
    for written_s, begins_s in ((DAY - 9 * DAY_S, DAY + DAY_S), (DAY + DAY_S, DAY - 9 * DAY_S)):
        assert seen_on(written_s, begins_s, [one]).closed == {"c"}
    assert not seen_on(DAY - 9 * DAY_S, DAY, [one]).closed


def test_a_quote_begins_on_the_day_that_was_asked_for_or_on_the_vendors_later_one() -> None:
    """The request is of 25 September and asks for 1 October; a start in the middle of a day is that day."""
    assert quoted_start(LISTED) is None
    assert quoted_start(QUOTED) == QuotedStart(DAY, DAY, False)
    for days, hours, offered in ((5, 0, 5), (5, 14, 5), (-3, 14, 0), (0, 14, 0)):
        own = replace(QUOTED, starts=iso_utc(DAY + days * DAY_S + hours * HOUR_S))
        assert quoted_start(own) == QuotedStart(DAY, DAY + offered * DAY_S, False)
    at_once = replace(LISTED, source="Quote RFQ-20260925-AAAA R1", starts=iso_utc(DAY + 14 * HOUR_S))
    assert quoted_start(at_once) == QuotedStart(DAY, DAY, False)
    issued = replace(LISTED, source="Quote RFQ-20261001-AAAA R1 for 2026-10-01")
    assert quoted_start(issued) == QuotedStart(DAY, DAY, True)
    assert quoted_start(replace(at_once, starts=None)) is None
