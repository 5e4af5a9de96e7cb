"""Times of bills: ISO in every shade, and dates of day and month whose order only the whole column tells."""

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Final

from gpuplanner.files.values.times import EARLIEST_S, LATEST_S, read_time, read_zone
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.lazy_re import lazy_re

_NUMBERED: Final = lazy_re(
    r"(?i)^(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|\d{2})(?:,?[ T]+(\d{1,2}):(\d\d)(?::(\d\d)(?:\.\d+)?)?(?: ?([AP])M)?)?"
    r"\s*(?:Z|UTC)?$"
)


@dataclass(frozen=True, slots=True)
class DateOrder:
    """is_day_first: whether 4/1/25 is the 4th of January; is_told: whether a date of the file tells it."""

    is_day_first: bool = False
    is_told: bool = True


@dataclass(frozen=True, slots=True)
class BillTime:
    """utc_s: epoch seconds; is_naive: no zone was stated, and UTC taken as bills are written in it."""

    utc_s: int
    is_naive: bool


def date_order(texts: Iterable[str]) -> DateOrder:
    """Which number of a numbered date is the day: the one that goes beyond 12. With dots it is the first.

    Untold, the month is taken to be first, as the clouds write it.
    """
    is_any = False
    for text in texts:
        found = _NUMBERED.match(text.strip())
        if found is None:
            continue
        is_any = True
        if int(found[1]) > 12 or found[2] == ".":
            return DateOrder(is_day_first=True)
        if int(found[3]) > 12:
            return DateOrder()
    return DateOrder(is_told=not is_any)


def read_bill_time(text: str, order: DateOrder) -> BillTime | None:
    """One time; None where it is none, such as hour 30.

    >>> read_bill_time("4/1/25", DateOrder()).utc_s == read_bill_time("2025-04-01T00:00Z", DateOrder()).utc_s
    True
    """
    found = _NUMBERED.match(text.strip())
    if found is not None:
        seconds = _numbered_s(found, order)
        is_naive = not text.strip().lower().endswith(("z", "utc"))
    else:
        local = read_time(text)
        zone = read_zone(local.zone_text) if local is not None else None
        if local is None or zone is None or zone.fault is not None or zone.name is not None:
            return None
        seconds, is_naive = local.clock_s - (zone.offset_s or 0), zone.is_naive
    if seconds is None or not EARLIEST_S <= seconds < LATEST_S:
        return None
    return BillTime(seconds, is_naive)


def _numbered_s(found: re.Match[str], order: DateOrder) -> int | None:
    """UTC seconds of a date in figures, day or month first as told; None if there is no such date or hour.

    Years of two digits are of this century; A and P are the halves of the day.
    """
    first, second, year = int(found[1]), int(found[3]), int(found[4])
    day, month = (first, second) if order.is_day_first else (second, first)
    hour, minute, second_s = int(found[5] or 0), int(found[6] or 0), int(found[7] or 0)
    if found[8]:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if found[8].upper() == "P" else 0)
    try:
        at = datetime(year + 2000 if year < 100 else year, month, day, hour, minute, second_s, tzinfo=UTC)
    except ValueError:
        return None
    return int(at.timestamp())
