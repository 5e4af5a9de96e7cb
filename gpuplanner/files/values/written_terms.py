"""Terms as people and clouds write them: 3 yrs, 36 mo, 12 Monate, P1Y, THIRTY_SIX_MONTH, in months."""

import re
from typing import Final

from gpuplanner.files.values.unit_words import pattern_of, term_words

MONTHS: Final = "months"
YEARS: Final = "years"
LONGEST_TERM_MONTHS: Final = 1200

_WORDS: Final = {
    **{
        word: number
        for number, word in enumerate(
            [
                "zero",
                "one",
                "two",
                "three",
                "four",
                "five",
                "six",
                "seven",
                "eight",
                "nine",
                "ten",
                "eleven",
                "twelve",
            ]
        )
    },
    "eighteen": 18,
    "twenty_four": 24,
    "twenty-four": 24,
    "thirty_six": 36,
    "thirty-six": 36,
    "forty_eight": 48,
    "sixty": 60,
    "ein": 1,
    "zwei": 2,
    "drei": 3,
    "fünf": 5,
}
_LONGEST_FIRST: Final = tuple(sorted(_WORDS.items(), key=lambda item: -len(item[0])))
_UNITS: Final = tuple(
    (re.compile(rf"^{pattern_of(term_words(unit))}\b", re.I), months)
    for unit, months in (("year", 12), ("month", 1))
)
_ISO: Final = re.compile(r"^P(?:(\d{1,3})Y)?(?:(\d{1,4})M)?$", re.I)
_WORD_BEGINS: Final = re.compile(r"(?<![^\W_])(?<![.,])[^\W_]")
_RANGE_BEFORE: Final = re.compile(r"\d\s*(?:[-–/]|to|or|bis|oder|à|ou)\s*$", re.I)
"""What stands before the second of two numbers with one unit."""
_NUMBER: Final = re.compile(r"^(\d{1,4}(?:[.,]\d{1,2})?)[\s_-]*(.*)$", re.S)


def read_term(text: str, unit: str = MONTHS) -> int | None:
    """Whole months; unit: what a number without one counts. None where it is no term.

    >>> read_term("3 yrs"), read_term("36 mo"), read_term("P1Y"), read_term("THIRTY_SIX_MONTH"), read_term("1", YEARS)
    (36, 36, 12, 36, 12)
    """
    cleaned = text.strip().strip("()[]").replace("_MONTH", " month").replace("_YEAR", " year")
    if found := _ISO.match(cleaned):
        months = int(found[1] or 0) * 12 + int(found[2] or 0)
        return months if 0 < months <= LONGEST_TERM_MONTHS else None
    for word, number in _LONGEST_FIRST if cleaned[:1].isalpha() else ():
        if cleaned.lower().startswith(word + " ") or cleaned.lower() == word:
            cleaned = f"{number}{cleaned[len(word) :]}"
            break
    found = _NUMBER.match(cleaned)
    if found is None:
        return None
    rest = found[2].strip()
    per = 12 if unit == YEARS else 1
    if rest:
        per = next((months for pattern, months in _UNITS if pattern.match(rest)), 0)
    months_exact = float(found[1].replace(",", ".")) * per
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

    >>> names_its_unit("36"), names_its_unit("3 yrs")
    (False, True)
    """
    return not re.fullmatch(r"\s*\d+(?:[.,]\d+)?\s*", text)
