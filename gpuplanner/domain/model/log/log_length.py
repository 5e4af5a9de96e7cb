"""What a log of some length supports: which figures it gives, which it gives weakly, and which it cannot give."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from gpuplanner.domain.figures.typed import significant, whole
from gpuplanner.domain.figures.writing import half_up
from gpuplanner.domain.message import Message, Text, joined, worded, worded_count
from gpuplanner.domain.model.window import HOURS_PER_MONTH

DAY_HOURS: Final = 24
WEEK_HOURS: Final = 7 * DAY_HOURS
SHORT_WINDOW_HOURS: Final = WEEK_HOURS
"""With so much or less, only terms up to one month are considered."""
TREND_HOURS: Final = 30 * DAY_HOURS
"""No growth under it; a shorter log is a short one."""
RANGE_WEEKS: Final = 2
"""Whole weeks that P10-P90 and the cost of being wrong need."""
FIRM_RANGE_WEEKS: Final = 8
BACKTEST_MONTHS: Final = 2
"""Months of 730 h: one to advise on, one to pay for."""
FIRM_BACKTEST_MONTHS: Final = 4
"""Three months that are paid for."""


class Support(StrEnum):
    """Whether a log supports a figure."""

    YES = "yes"
    WEAK = "weak"
    NO = "no"


@dataclass(frozen=True, slots=True)
class LogNeed:
    """What one figure asks of a log. least_hours: under it there is none; firm_hours: from it on it is firm.

    wants: how the least is said; weakness: why it is weak below firm_hours, a sentence of how often the log has
    per_hours.
    """

    figure: str
    title: Message
    least_hours: int
    firm_hours: int
    wants: Message
    weakness: Callable[[int], Message] | None = None
    per_hours: int = DAY_HOURS


LOG_NEEDS: Final = (
    LogNeed(
        "long_terms",
        worded("terms over one month"),
        WEEK_HOURS + 1,
        WEEK_HOURS + 1,
        worded("more than a week"),
    ),
    LogNeed(
        "range",
        worded("P10\u2013P90 and cost of being wrong"),
        RANGE_WEEKS * WEEK_HOURS,
        FIRM_RANGE_WEEKS * WEEK_HOURS,
        worded("two whole weeks"),
        lambda count: worded(
            "P10\u2013P90 and the cost of being wrong are drawn from {count} weeks only: a busier or quieter "
            "week than those is not in them.",
            count=whole(count),
        ),
        WEEK_HOURS,
    ),
    LogNeed("trend", worded("growth of the log's own"), TREND_HOURS, TREND_HOURS, worded("30 days")),
    LogNeed(
        "backtest",
        worded("backtest"),
        BACKTEST_MONTHS * HOURS_PER_MONTH,
        FIRM_BACKTEST_MONTHS * HOURS_PER_MONTH,
        worded("two months of 730 h"),
        lambda count: worded_count(
            count - 1,  # the first is learnt from
            "A backtest pays for {paid} month: too few to tell.",
            "A backtest pays for {paid} months: too few to tell.",
            paid=whole(count - 1),
        ),
        HOURS_PER_MONTH,
    ),
)
"""In the order in which a longer log comes to give them."""


@dataclass(frozen=True, slots=True)
class FigureSupport:
    """One figure and a log. message: a sentence; empty where the log supports it."""

    figure: str
    support: Support
    least_hours: int
    firm_hours: int
    message: Text


def log_support(hours: int) -> tuple[FigureSupport, ...]:
    """What a log of so many hours supports, one for each row of LOG_NEEDS.

    hours: of the window. Law: a longer log never supports less.
    """
    answer = []
    for need in LOG_NEEDS:
        support = Support.YES
        message: Text = ""
        if hours < need.least_hours:
            support = Support.NO
            missing = worded(
                "No {figure}: {need} {wants}",
                figure=need.title,
                need=_needs(need),
                wants=need.wants,
            )
            message = worded("{missing}, the log has {hours}.", missing=missing, hours=days_words(hours))
        elif hours < need.firm_hours and need.weakness is not None:
            support, message = Support.WEAK, need.weakness(hours // need.per_hours)
        answer.append(FigureSupport(need.figure, support, need.least_hours, need.firm_hours, message))
    return tuple(answer)


def cannot_support(hours: int) -> Message:
    """What a short log cannot support, in one line; empty for one that supports all.

    `no trend ...` in the order of the table: what the least log comes to give first stands first.
    """
    missing = [need for need in LOG_NEEDS if hours < need.least_hours]
    return joined(
        (
            worded(
                "no {figure} ({wants})",
                figure=need.title,
                wants=need.wants,
            )
            for need in missing
        ),
        ", ",
    )


def short_advice(hours: int) -> Text:
    """What is said at advice that stands on a short log, without its full stop; empty where the log is long enough.

    hours: of the window.
    """
    if hours >= TREND_HOURS:
        return ""
    return worded(
        "This advice stands on {hours} of log. Import at least {trend_hours} days before anything is signed",
        hours=days_words(hours),
        trend_hours=whole(TREND_HOURS // DAY_HOURS),
    )


def short_advice_words(hours: int) -> Text:
    """The same as whole sentences."""
    said = short_advice(hours)
    return worded("{said}.", said=said) if said else ""


def days_words(hours: int) -> Message:
    """6 hours, 1 day, 7 days, 20.8 days.

    >>> [str(days_words(hours)) for hours in (1, 24, 500)]
    ['1 hour', '1 day', '20.8 days']
    """
    if hours < DAY_HOURS:
        return worded_count(hours, "{hours} hour", "{hours} hours", hours=whole(hours))
    days = half_up(hours / DAY_HOURS, 1)
    return worded_count(days, "{days} day", "{days} days", days=significant(days))


def _needs(need: LogNeed) -> Message:
    """The verb for figures whose titles are one thing, or several."""
    return worded("it needs") if need.figure in ("trend", "backtest") else worded("they need")
