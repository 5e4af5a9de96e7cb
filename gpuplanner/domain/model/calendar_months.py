"""Calendar months (UTC): bounds of a month, month of an instant, months of a log."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final

from gpuplanner.domain.model.window import HOUR_S, Window, has_calendar

MONTHS_OF_YEAR: Final = 12


def month_bounds(month: str) -> tuple[int, int]:
    """Return the first second of a calendar month and of the next month, epoch seconds UTC.

    month: as 2026-08.

    >>> month_bounds("1970-02")
    (2678400, 5097600)
    """
    year, number = map(int, month.split("-"))
    after = (year + 1, 1) if number == MONTHS_OF_YEAR else (year, number + 1)
    begin, end = (datetime(*first, 1, tzinfo=UTC) for first in ((year, number), after))
    return int(begin.timestamp()), int(end.timestamp())


def month_of(at_s: int) -> str:
    """Return the calendar month (UTC) of an instant, epoch seconds, as 2026-08.

    >>> month_of(2678400)
    '1970-02'
    """
    return f"{datetime.fromtimestamp(at_s, UTC):%Y-%m}"


def month_windows(log: Window) -> Iterator[Window]:
    """Yield the calendar months (UTC) of a log; the first and last are cut to the log. Empty for a log without dates.

    >>> [(month_of(one.start_s), one.hours) for one in month_windows(Window(1_790_812_800 - 7200, 4))]
    [('2026-09', 2), ('2026-10', 2)]
    """
    start_s = log.start_s
    while has_calendar(start_s) and start_s < log.end_s:
        next_s = min(month_bounds(month_of(start_s))[1], log.end_s)
        yield Window(start_s, (next_s - start_s) // HOUR_S, log.timezone)
        start_s = next_s
