"""Spans: the time that is compared, cut where a month of the plan, a quarter, a contract or an order begins or ends."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise

from gpuplanner.domain.model.book.contract_months import month_start_s
from gpuplanner.domain.model.window import HOUR_S, MONTH_S, Window


@dataclass(frozen=True, slots=True)
class Span:
    """Time in which nothing begins or ends, epoch seconds, the end exclusive. month: of the plan."""

    start_s: int
    end_s: int
    month: int

    @property
    def hours(self) -> float:
        """How long it is."""
        return (self.end_s - self.start_s) / HOUR_S

    @property
    def quarter_s(self) -> int:
        """When the calendar quarter begins that it lies in, epoch seconds UTC."""
        return quarter_start_s(self.start_s)

    def share_of(self, start_s: int, end_s: int | None) -> float:
        """The share of it in which something runs that is there from one instant to another, 0..1; None: for good."""
        until_s = self.end_s if end_s is None else min(end_s, self.end_s)
        return max(until_s - max(start_s, self.start_s), 0) / (self.end_s - self.start_s)


def quarter_start_s(at_s: int, later: int = 0) -> int:
    """When the calendar quarter begins that an instant lies in, or one so many quarters later; epoch seconds UTC."""
    at = datetime.fromtimestamp(at_s, UTC)
    years, quarter = divmod((at.month - 1) // 3 + later, 4)
    return int(datetime(at.year + years, 3 * quarter + 1, 1, tzinfo=UTC).timestamp())


def quarters_of(window: Window) -> tuple[int, ...]:
    """When each calendar quarter begins that a window touches, the first one before it as a rule."""
    starts = [quarter_start_s(window.start_s)]
    while (following := quarter_start_s(starts[-1], 1)) < window.end_s:
        starts.append(following)
    return tuple(starts)


def spans_of(window: Window, plan_window: Window, moments: Iterable[int]) -> tuple[Span, ...]:
    """The window cut at the plan's months, at calendar quarters and at some moments, to the second.

    plan_window: what months of the plan are counted from; moments: epoch seconds, those outside do nothing.
    Law: the spans follow each other without a gap, and are together the window.
    """
    months = range(_month_at(window.start_s, plan_window), _month_at(window.end_s - 1, plan_window) + 1)
    edges = {window.start_s, window.end_s, *moments, *quarters_of(window)}
    edges |= {month_start_s(plan_window, month) for month in months}
    inside = sorted(at for at in edges if window.start_s <= at <= window.end_s)
    return tuple(Span(start, end, _month_at(start, plan_window)) for start, end in pairwise(inside))


def whole_hours(window: Window, spans: Sequence[Span], plan_window: Window) -> tuple[Span, ...]:
    """The same, cut at whole hours alone: an hour in which something begins or ends is a span of its own.

    Demand of a log is known by the hour, so that capacity counts with its share of such an hour, as in the audit.
    """
    edges = {
        at for span in spans for at in (span.start_s // HOUR_S * HOUR_S, -(-span.end_s // HOUR_S) * HOUR_S)
    }
    edges |= {-(-span.start_s // HOUR_S) * HOUR_S for span in spans}
    return spans_of(window, plan_window, edges)


def _month_at(at_s: int, plan_window: Window) -> int:
    """The month of a plan that an instant lies in."""
    return (at_s - plan_window.end_s) // MONTH_S
