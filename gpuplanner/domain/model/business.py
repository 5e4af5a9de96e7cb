"""Figures of the business by month, such as orders or users: what spend is set beside."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

MONTHS_OF_YEAR: Final = 12


@dataclass(frozen=True, slots=True, order=True)
class BusinessFigure:
    """What the business counted in a calendar month (UTC). name: of what, as orders; month: 2026-08; value: above 0."""

    name: str
    month: str
    value: float


def month_bounds(month: str) -> tuple[int, int]:
    """First second of a calendar month and of the next one, epoch seconds UTC.

    >>> month_bounds("1970-02")
    (2678400, 5097600)
    """
    year, number = map(int, month.split("-"))
    after = (year + 1, 1) if number == MONTHS_OF_YEAR else (year, number + 1)
    begin, end = (datetime(*first, 1, tzinfo=UTC) for first in ((year, number), after))
    return int(begin.timestamp()), int(end.timestamp())


def month_of(at_s: int) -> str:
    """The calendar month of a moment.

    >>> month_of(2678400)
    '1970-02'
    """
    return f"{datetime.fromtimestamp(at_s, UTC):%Y-%m}"
