"""Periods: which two stretches of the window are compared."""

from datetime import UTC, datetime

from gpuplanner.domain.audit.cost_result import Period
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.window import HOUR_S, Window, iso_utc


def halves(window: Window) -> tuple[Period, Period]:
    """The two halves, equally long; an odd hour in the middle is in neither. One hour is compared with itself.

    >>> halves(Window(0, 5))
    (Period(first=0, last=2), Period(first=3, last=5))
    """
    half = max(window.hours // 2, 1)
    return Period(0, half), Period(window.hours - half, window.hours)


def month_periods(window: Window) -> tuple[tuple[int, Period], ...]:
    """The calendar months of the window, cut to it: epoch seconds of each month's first day, and its hours. UTC.

    Months of the calendar differ in length; amounts of them are compared per month of 730 h.
    """
    day = datetime.fromtimestamp(window.start_s, UTC)
    year, month = day.year, day.month
    found = []
    while (first_s := _month_s(year, month)) < window.end_s:
        year, month = year + month // 12, month % 12 + 1
        found.append((first_s, period_between(window, first_s, _month_s(year, month))))
    return tuple(found)


def _month_s(year: int, month: int) -> int:
    """Epoch seconds of a month's first moment, UTC."""
    return int(datetime(year, month, 1, tzinfo=UTC).timestamp())


def period_between(window: Window, start_s: int, end_s: int) -> Period:
    """The whole hours of the window between two times. Errors: PlannerError where there are none.

    start_s, end_s: epoch seconds; hours that lie in it only in part are left out.

    >>> period_between(Window(0, 48), 1800, 3 * 3600)
    Period(first=1, last=3)
    """
    first = max(-(-(start_s - window.start_s) // HOUR_S), 0)
    last = min((end_s - window.start_s) // HOUR_S, window.hours)
    if last <= first:
        raise PlannerError(
            f"{iso_utc(start_s)} to {iso_utc(end_s)}",
            "usage",
            worded(
                "no whole hour of it lies in the window, {start_s} to {end_s}",
                start_s=iso_utc(window.start_s),
                end_s=iso_utc(window.end_s),
            ),
            worded("choose a period inside the window, or a longer window"),
        )
    return Period(first, last)
