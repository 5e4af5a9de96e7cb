"""Periods: which two stretches of the window are compared."""

from gpuplanner.domain.audit.cost_result import Period
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.window import HOUR_S, Window, iso_utc


def halves(window: Window) -> tuple[Period, Period]:
    """The two halves, equally long; an odd hour in the middle is in neither. One hour is compared with itself."""
    half = max(window.hours // 2, 1)
    return Period(0, half), Period(window.hours - half, window.hours)


def period_between(window: Window, start_s: int, end_s: int) -> Period:
    """The whole hours of the window between two times. Errors: PlannerError where there are none."""
    first = max(-(-(start_s - window.start_s) // HOUR_S), 0)
    last = min((end_s - window.start_s) // HOUR_S, window.hours)
    if last <= first:
        raise PlannerError(
            f"{iso_utc(start_s)} to {iso_utc(end_s)}",
            "usage",
            f"no whole hour of it lies in the window, {iso_utc(window.start_s)} to {iso_utc(window.end_s)}",
            "choose a period inside the window, or a longer window",
        )
    return Period(first, last)
