"""Terms as people and clouds write them: 3 yrs, 36 mo, 12 Monate, P1Y, in months."""

import re
from typing import Final

from gpuplanner.files.system.resources import plain_table
from gpuplanner.files.values import unit_words
from gpuplanner.lazy_re import lazy_re

MONTHS: Final = "months"
YEARS: Final = "years"
LONGEST_TERM_MONTHS: Final = 1200

_WORDS: Final = {word: int(number) for word, number in plain_table("number_word").items()}
_LONGEST_FIRST: Final = tuple(sorted(_WORDS.items(), key=lambda item: -len(item[0])))
_UNITS: Final = tuple(
    (lazy_re(rf"(?i)^{unit_words.pattern_of(unit_words.term_words(unit))}\b"), months)
    for unit, months in (("year", 12), ("month", 1))
)
_ISO: Final = lazy_re(r"(?i)^P(?:(\d{1,3})Y)?(?:(\d{1,4})M)?$")
_WORD_BEGINS: Final = lazy_re(r"(?<![^\W_])(?<![.,])[^\W_]")
_RANGE_BEFORE: Final = lazy_re(r"(?i)\d\s*(?:[-–/]|to|or|bis|oder|à|ou)\s*$")
"""What stands before the second of two numbers with one unit."""
_TERM_NUMBER: Final = lazy_re(r"(?s)^(\d{1,4}(?:[.,]\d{1,2})?)[\s_-]*(.*)$")


def read_term(text: str, unit: str = MONTHS) -> int | None:
    """Whole months; unit: what a number without one counts. None where it is no term.

    >>> read_term("3 yrs"), read_term("36 mo"), read_term("P1Y"), read_term("THIRTY_SIX_MONTH"), read_term("1", YEARS)
    (36, 36, 12, 36, 12)
    """
    text = re.sub(r"^[^\W\d_]+\s*\((\d+)\)", r"\1", text.strip())  # one (1) year
    cleaned = text.strip("()[]").replace("_MONTH", " month").replace("_YEAR", " year")
    if match := _ISO.match(cleaned):
        months = int(match[1] or 0) * 12 + int(match[2] or 0)
        return months if 0 < months <= LONGEST_TERM_MONTHS else None
    for word, number in _LONGEST_FIRST if cleaned[:1].isalpha() else ():
        if cleaned.lower().startswith(word + " ") or cleaned.lower() == word:
            cleaned = f"{number}{cleaned[len(word) :]}"
            break
    match = _TERM_NUMBER.match(cleaned)
    if match is None:
        return None
    rest = match[2].strip()
    per = 12 if unit == YEARS else 1
    if rest:
        per = next((months for pattern, months in _UNITS if pattern.match(rest)), 0)
    months_exact = float(match[1].replace(",", ".")) * per
    months = round(months_exact)
    return months if months == months_exact and 0 < months <= LONGEST_TERM_MONTHS else None


def term_within(text: str) -> int | None:
    """The one term that stands among other words, with its unit; None where there is none, or more than one.

    >>> term_within("Reserved 1 year"), term_within("RI-3yr, No Upfront"), term_within("1-3 years")
    (12, 36, None)
    """
    found: set[int] = set()
    after = 0
    for word in _WORD_BEGINS.finditer(text):
        term = text[word.start() :]
        if word.start() < after or (months := read_term(term)) is None or not names_its_unit(term):
            continue
        if _RANGE_BEFORE.search(text[: word.start()]):
            return None
        found.add(months)
        after = word.start() + len(
            term.split(maxsplit=1)[0]
        )  # the six of THIRTY_SIX_MONTH is none of its own
    return found.pop() if len(found) == 1 else None


def names_its_unit(text: str) -> bool:
    """Whether a term says what it counts.

    >>> names_its_unit("36"), names_its_unit("3 yrs"), names_its_unit("2)")
    (False, True, False)
    """
    return re.search(r"[^\W\d]", text) is not None
