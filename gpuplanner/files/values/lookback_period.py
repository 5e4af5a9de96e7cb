"""The lookback period: the whole log, its last days, or given bounds."""

from datetime import UTC, datetime
from typing import Final

from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.window import DAY_S, HOUR_S, Window
from gpuplanner.files.values.times import EARLIEST_S, LATEST_S
from gpuplanner.lazy_dataclass import dataclass

DEFAULT_DAYS: Final = 90

LONGEST_HOURS: Final = 50 * 366 * 24
"""Longer bounds are a mistake, and hourly figures over them would fill the memory."""


@dataclass(frozen=True, slots=True)
class WindowRequest:
    """The requested lookback period; None applies the rule of docs/formulas/basics.md, Units and months.

    start_s, end_s: epoch seconds UTC on whole hours. days: length without a start. whole_log: from the first start to
    the last end (`reduce`); given bounds still apply.
    """

    start_s: int | None = None
    end_s: int | None = None
    days: int | None = None
    whole_log: bool = False

    @property
    def years(self) -> tuple[int, ...]:
        """Years between two given bounds, ascending; empty if one is missing.

        A period that ends with a year does not include the next.
        """
        if (
            self.start_s is None
            or self.end_s is None
            or not EARLIEST_S <= self.start_s < self.end_s < LATEST_S
        ):
            return ()
        first, last = (datetime.fromtimestamp(at_s, UTC).year for at_s in (self.start_s, self.end_s - 1))
        return tuple(range(first, last + 1))


@dataclass(frozen=True, slots=True)
class LogSpan:
    """Times of accepted jobs of any kind, epoch seconds; None if no job states one.

    last_finished_s: last end of a job that is not running. last_end_s: last end of any job (a running one has an end if
    the log states its elapsed time). last_start_s: of any job.
    """

    first_start_s: int | None
    last_start_s: int | None
    last_end_s: int | None
    last_finished_s: int | None


def choose_window(request: WindowRequest, span: LogSpan, timezone: str = "UTC") -> Window | None:
    """Return the lookback period; None without jobs and bounds.

    Errors: PlannerError usage if the bounds are empty, out of range or not whole hours.
    """
    for bound in (request.start_s, request.end_s):
        if bound is not None and bound % HOUR_S:
            raise PlannerError(
                "window",
                "usage",
                worded("start or end is not a whole hour"),
                worded("use whole hours in UTC"),
            )
        if bound is not None and not EARLIEST_S <= bound < LATEST_S:
            raise PlannerError(
                "window", "usage", worded("out of range"), worded("use years from 1900 to 2199")
            )
    if request.days is not None and request.days < 1:
        raise PlannerError(
            "window",
            "usage",
            worded("{days} days is too short", days=whole(request.days)),
            worded("use 1 day or more"),
        )
    end_s = request.end_s if request.end_s is not None else _end_of_log(request, span)
    if end_s is None:
        return None
    start_s = request.start_s if request.start_s is not None else _start_of_log(request, span, end_s)
    if end_s <= start_s:
        raise PlannerError(
            "window",
            "usage",
            worded("it ends before it starts")
            if request.end_s is not None
            else worded("starts after the last job"),
            worded("choose an earlier start, or a later end"),
        )
    is_asked = (request.start_s, request.end_s, request.days) != (None, None, None)
    if is_asked and end_s - start_s > LONGEST_HOURS * HOUR_S:
        raise PlannerError(
            "window",
            "usage",
            worded("{years} years is too long", years=whole((end_s - start_s) / (365.25 * DAY_S))),
            worded("use 50 years or less"),
        )
    return Window(start_s, (end_s - start_s) // HOUR_S, timezone)


def _end_of_log(request: WindowRequest, span: LogSpan) -> int | None:
    """Return the end of the lookback period: the hour after the last finished job; None for a log without jobs.

    For the whole log, running jobs count too.
    """
    if span.first_start_s is None or span.last_start_s is None:
        return None
    last = span.last_finished_s
    if last is None or (request.whole_log and span.last_end_s is not None):
        last = max(span.last_end_s or span.last_start_s, span.last_start_s if last is None else last)
    return max(-(-last // HOUR_S) * HOUR_S, span.first_start_s // HOUR_S * HOUR_S + HOUR_S)


def _start_of_log(request: WindowRequest, span: LogSpan, end_s: int) -> int:
    """Return the start of the lookback period: so many days before its end, but not before the first job."""
    first_s = None if span.first_start_s is None else span.first_start_s // HOUR_S * HOUR_S
    if request.whole_log and request.days is None and first_s is not None and first_s < end_s:
        return first_s
    start_s = end_s - (request.days or DEFAULT_DAYS) * DAY_S
    # never before the first job, unless all jobs come after the end
    return max(start_s, first_s) if first_s is not None and first_s < end_s else start_s
