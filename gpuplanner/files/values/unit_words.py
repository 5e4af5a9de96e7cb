"""What units are called in headings and cells, in the languages of people's tables: one table for all readers."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Final


@dataclass(frozen=True, slots=True)
class UnitWords:
    """One unit. anywhere: words that mean it wherever they stand, apart by `|`.

    with_numbers: those that mean it behind the number of a length or at the end of a log's heading (`3 mins`,
    `wall_min`); of_terms: behind the number of a term (`36 mos`); of_prices: in what a price is for (`mensuel`).
    One letter means another unit elsewhere: 5 m are minutes of a job and months of a contract.
    """

    anywhere: str
    with_numbers: str = ""
    of_terms: str = ""
    of_prices: str = ""


TIME_WORDS: Final = {
    "second": UnitWords("second|seconds|sec|secs", with_numbers="s", of_prices="sekunde"),
    "minute": UnitWords("minute|minutes", with_numbers="m|min|mins", of_prices="minutely"),
    "hour": UnitWords(
        "h|hr|hrs|hour|hours",
        of_prices="hourly|stunde|stunden|std|heure|heures|horaire|gpustunde|gpustunden|hora|stundensatz"
        "|stundenpreis",
    ),
    "day": UnitWords("day", with_numbers="d|days", of_prices="daily"),
    "week": UnitWords("week", of_prices="weekly|woche"),
    "month": UnitWords(
        "month|months|mo|mth|monat|monate|mois|mes",
        of_terms="m|mos|mon|mths|monaten|meses",
        of_prices="monthly|monatlich|mtl|mensuel|mensuelle|monatliche|monatlicher|monatspreis|monatskosten",
    ),
    "year": UnitWords(
        "year|years|yr|jahr|jahre|an|ans",
        of_terms="y|yrs|jahren|año|años|år",
        of_prices="yearly|annual|annually|annum|jährlich|annuel|annuelle|pa",
    ),
}
"""By unit of time."""

HOURS_OF_PERIOD: Final = {
    "hour": Fraction(1),
    "month": Fraction(730),
    "year": Fraction(8760),
    "week": Fraction(168),
    "day": Fraction(24),
    "minute": Fraction(1, 60),
    "second": Fraction(1, 3600),
}
"""How long each is, in hours; those that prices are mostly for first."""

_LOG_UNITS: Final = {
    "ms": "ms|msec|millis|millisecond|milliseconds",
    "us": "us|usec|micros|microsecond|microseconds",
    "ns": "ns|nsec|nanos|nanosecond|nanoseconds",
    "milli": "milli|mgpu|mgpus|millicards|thousandths",
    "percent": "percent|pct|percentage|perc",
    "share": "ratio|share|fraction|frac",
}


def _parted(*texts: str) -> tuple[str, ...]:
    """The words of all lists, longest first, so that a longer one is found before one that it begins with."""
    names = (word for text in texts for word in text.split("|") if word)
    return tuple(sorted(names, key=lambda word: (-len(word), word)))


def number_words(unit: str) -> tuple[str, ...]:
    """Words of a unit of time behind a number or at the end of a log's heading, the longest first.

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
"""By the last word of a log's heading the unit of --map that it states."""


def term_words(unit: str) -> tuple[str, ...]:
    """The same of the term of a contract."""
    return _parted(TIME_WORDS[unit].anywhere, TIME_WORDS[unit].of_terms)


def price_words(unit: str) -> frozenset[str]:
    """Words by which a price is for a unit of time."""
    return frozenset(_parted(TIME_WORDS[unit].anywhere, TIME_WORDS[unit].of_prices))


def pattern_of(names: Iterable[str]) -> str:
    """A regular expression for one of some words.

    Longer words must come first where one begins with another, as in the lists of this module.

    >>> pattern_of(["hours", "h"])
    '(?:hours|h)'
    """
    return f"(?:{'|'.join(names)})"
