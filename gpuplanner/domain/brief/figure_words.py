"""Figures as a brief writes them, from day to day, how many of what, lists, quarters of a year."""

from datetime import UTC, datetime
from typing import Final

from gpuplanner.domain.figures.writing import ENGLISH, day
from gpuplanner.domain.model.window import DAY_S

EN_DASH: Final = "\u2013"
whole, one_decimal, gpus, rate = ENGLISH.whole, ENGLISH.one_decimal, ENGLISH.gpus, ENGLISH.rate
dollars, change, percent, exact = ENGLISH.amount, ENGLISH.change, ENGLISH.percent, ENGLISH.exact


def days(start_s: int, end_s: int) -> str:
    """3 Jul 2026 with a true dash and the last day; the end is exclusive.

    start_s, end_s: epoch seconds.
    """
    return f"{day(start_s)} {EN_DASH} {day(end_s - 1)}"


def day_of_log(start_s: int | None, number: int) -> str:
    """The day of a log by its number, from 0 on: 3 Jul; of a log without a calendar day 12.

    start_s: epoch seconds of its first day; None: its time counts from 0.

    >>> day_of_log(0, 40), day_of_log(None, 40)
    ('10 Feb', 'day 40')
    """
    if start_s is None:
        return f"day {number}"
    at = datetime.fromtimestamp(start_s + number * DAY_S, UTC)
    return f"{at.day} {at:%b}"


def counted(count: int, one: str, many: str = "") -> str:
    """1 job, 2 jobs.

    many: where it is not `one` with an s.

    >>> counted(1, "job"), counted(2_000, "job"), counted(2, "boundary", "boundaries")
    ('1 job', '2,000 jobs', '2 boundaries')
    """
    return f"{whole(count)} {one if count == 1 else many or one + 's'}"


def joined(parts: list[str]) -> str:
    """A, B and C.

    >>> joined(["A", "B", "C"]), joined(["A"]), joined([])
    ('A, B and C', 'A', '')
    """
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}" if parts else ""


def quarters(begin_s: int, end_s: int) -> list[tuple[int, str]]:
    """The first days of quarters, with words; the first of a year says the year.

    begin_s, end_s: epoch seconds; both ends count. Each with its own epoch seconds, UTC.
    """
    first, last = datetime.fromtimestamp(begin_s, UTC).year, datetime.fromtimestamp(end_s, UTC).year
    days = (
        datetime(year, month, 1, tzinfo=UTC) for year in range(first, last + 1) for month in (1, 4, 7, 10)
    )
    return [
        (int(day.timestamp()), str(day.year) if day.month == 1 else f"{day:%b}")
        for day in days
        if begin_s <= day.timestamp() <= end_s
    ]
