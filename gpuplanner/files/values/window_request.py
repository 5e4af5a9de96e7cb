"""Which past is looked at: the whole log, the last days of it, or bounds given by hand."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.window import DAY_S, HOUR_S, Window
from gpuplanner.files.values.times import EARLIEST_S, LATEST_S

DEFAULT_DAYS: Final = 90

LONGEST_HOURS: Final = 50 * 366 * 24
"""More was never logged: such a bound is a slip, and hourly figures over it would fill the memory."""


@dataclass(frozen=True, slots=True)
class WindowRequest:
    """What was asked for; None is the rule of docs/formulas.md, Values and windows.

    Units: start_s, end_s epoch seconds UTC on whole hours; days the length where no start is given.
    whole_log: from the first start to the last end (`reduce`); a bound given by hand still wins.
    """

    start_s: int | None = None
    end_s: int | None = None
    days: int | None = None
    whole_log: bool = False

    @property
    def years(self) -> tuple[int, ...]:
        """The years between two bounds given by hand; none where one is missing.

        Ascending; the last is that of the last second before the end, so a window that ends with a year has
        that alone.
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
    """What accepted jobs of any kind say about time, epoch seconds; None where no job says it.

    last_finished_s: last end of a job that is not running; last_end_s: of any job that has one (a running one
    has where the log gives its elapsed time); last_start_s: of any job.
    """

    first_start_s: int | None
    last_start_s: int | None
    last_end_s: int | None
    last_finished_s: int | None


def choose_window(request: WindowRequest, span: LogSpan, timezone: str = "UTC") -> Window | None:
    """The window; None where there is no job and no bounds were given.

    Errors: PlannerError usage where the bounds leave no time or are no whole hours.
    """
    for bound in (request.start_s, request.end_s):
        if bound is not None and bound % HOUR_S:
            raise PlannerError(
                "window", "usage", worded("a bound is not a whole hour"), worded("give whole hours UTC")
            )
        if bound is not None and not EARLIEST_S <= bound < LATEST_S:
            raise PlannerError(
                "window", "usage", worded("no log reaches that far"), worded("give years from 1900 to 2199")
            )
    if request.days is not None and request.days < 1:
        raise PlannerError(
            "window",
            "usage",
            worded("{days} days is no window", days=whole(request.days)),
            worded("give 1 day or more"),
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
            else worded("it starts after the last job ended"),
            worded("give an earlier start, or an end after it"),
        )
    is_asked = (request.start_s, request.end_s, request.days) != (None, None, None)
    if is_asked and end_s - start_s > LONGEST_HOURS * HOUR_S:
        years = (end_s - start_s) / (365.25 * DAY_S)
        raise PlannerError(
            "window",
            "usage",
            worded("{years} years is no window", years=whole(years)),
            worded("give 50 years or less"),
        )
    return Window(start_s, (end_s - start_s) // HOUR_S, timezone)


def _end_of_log(request: WindowRequest, span: LogSpan) -> int | None:
    """The end of the window, up to a full hour after the last job that finished; None for a log without jobs.

    For the whole log, running jobs count too.
    """
    if span.first_start_s is None or span.last_start_s is None:
        return None
    last = span.last_finished_s
    if last is None or (request.whole_log and span.last_end_s is not None):
        last = max(span.last_end_s or span.last_start_s, span.last_start_s if last is None else last)
    return max(-(-last // HOUR_S) * HOUR_S, span.first_start_s // HOUR_S * HOUR_S + HOUR_S)


def _start_of_log(request: WindowRequest, span: LogSpan, end_s: int) -> int:
    """The first hour of the window: so many days before its end, but not before the first job."""
    first_s = None if span.first_start_s is None else span.first_start_s // HOUR_S * HOUR_S
    if request.whole_log and request.days is None and first_s is not None and first_s < end_s:
        return first_s
    start_s = end_s - (request.days or DEFAULT_DAYS) * DAY_S
    # a window never begins before the first job, but where all jobs come after it there is nothing to begin with
    return max(start_s, first_s) if first_s is not None and first_s < end_s else start_s
