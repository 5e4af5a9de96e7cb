"""Names of units of time in headings and cells, in the languages of people's tables."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Final

from gpuplanner.files.system.user_files import rows_of
from gpuplanner.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class UnitWords:
    """Words for a unit of time, separated by `|`. anywhere: valid in all contexts.

    with_numbers: after the number of a duration or at the end of a log's heading (`3 mins`, `wall_min`). of_terms:
    after the number of a term (`36 mos`). of_prices: unit of a price (`mensuel`). A letter depends on context: 5 m are
    minutes of a job and months of a contract.
    """

    anywhere: str
    with_numbers: str = ""
    of_terms: str = ""
    of_prices: str = ""


_TIME_UNITS: Final = rows_of("time_units.csv")
TIME_WORDS: Final = {
    row["unit"]: UnitWords(row["anywhere"], row["with_numbers"], row["of_terms"], row["of_prices"])
    for row in _TIME_UNITS
}
"""By unit of time."""

HOURS_OF_PERIOD: Final = {row["unit"]: Fraction(row["hours"]) for row in _TIME_UNITS}
"""Hours of each unit of time, common units of prices first."""

_LOG_UNITS: Final = {
    "ms": "ms|msec|millis|millisecond|milliseconds",
    "us": "us|usec|micros|microsecond|microseconds",
    "ns": "ns|nsec|nanos|nanosecond|nanoseconds",
    "milli": "milli|mgpu|mgpus|millicards|thousandths",
    "percent": "percent|pct|percentage|perc",
    "share": "ratio|share|fraction|frac",
}


def _parted(*texts: str) -> tuple[str, ...]:
    """Return the words of all lists, longest first, so that a longer word is found before its beginning."""
    names = (word for text in texts for word in text.split("|") if word)
    return tuple(sorted(names, key=lambda word: (-len(word), word)))


def number_words(unit: str) -> tuple[str, ...]:
    """Return the words for a unit of time after a number or at the end of a log's heading, longest first.

    >>> number_words("minute")
    ('minutes', 'minute', 'mins', 'min', 'm')
    """
    return _parted(TIME_WORDS[unit].anywhere, TIME_WORDS[unit].with_numbers)


UNIT_OF_WORD: Final = {
    **{
        word: unit
        for unit, name in (("s", "second"), ("min", "minute"), ("h", "hour"), ("d", "day"))
        for word in number_words(name)
    },
    **{word: unit for unit, names in _LOG_UNITS.items() for word in names.split("|")},
    "epochs": "s",
}
"""Unit for --map by the last word of a log's heading."""


def term_words(unit: str) -> tuple[str, ...]:
    """Return the words for a unit of time in contract terms, longest first."""
    return _parted(TIME_WORDS[unit].anywhere, TIME_WORDS[unit].of_terms)


def price_words(unit: str) -> frozenset[str]:
    """Return the words for a unit of time in prices."""
    return frozenset(_parted(TIME_WORDS[unit].anywhere, TIME_WORDS[unit].of_prices))


def pattern_of(names: Iterable[str]) -> str:
    """Return a regular expression for one of several words; longer words must come first.

    >>> pattern_of(["hours", "h"])
    '(?:hours|h)'
    """
    return f"(?:{'|'.join(names)})"
