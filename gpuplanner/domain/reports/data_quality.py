"""How much of a log is there, as documents have it: counts, gaps, shares, and what looks wrong."""

from typing import Final

from gpuplanner.domain.figures.window import QUALITY, SHARES
from gpuplanner.domain.model.intake import DataQuality
from gpuplanner.domain.reports.report import Column, Entry, each, entry, fields, named

HOURS_WITH_JOBS, *OF_JOBS = SHARES


def _share(key: str) -> Column:
    """One of its shares, 0..1; None where there is nothing to take a share of."""
    return named(QUALITY[key], lambda quality: quality.shares[key])


DATA_QUALITY: Final = fields(
    QUALITY["jobs"],
    QUALITY["hours"],
    QUALITY["busy_hours"],
    _share(HOURS_WITH_JOBS),
    each("gaps", fields(named("start", "start_s", "date"), named("end", "end_s", "date"), "hours")),
    "gap_hours",
    *map(_share, OF_JOBS),
    "long_running",
    "clock_skew",
    each("suspicious", fields("field", "value", "count")),
)


def quality_entry(quality: DataQuality | None) -> Entry | None:
    """The card for a JSON document: numbers, and times as ISO 8601; None where it is not known."""
    return None if quality is None else entry(DATA_QUALITY, quality)
