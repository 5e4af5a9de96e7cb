"""Sentences of the model, which are written in en-US, with their numbers as the planner writes them."""

import re
from functools import lru_cache
from typing import Final

from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.message import Message, Text
from gpuplanner.ui.words import numbers

_PARTS: Final = re.compile(
    r"""
      (?P<quoted> “[^”]*” | "[^"]*" | (?<!\w)'[^']*'(?!\w) )     # what a file says is not ours to rewrite
    | (?: (?<=[\s(]-) | (?<=^-) | (?<![\w.,:/-]) )               # nor a part of a name, a version, a date, a time
      (?P<whole> \d{1,3}(?:,\d{3})+ | \d+ ) (?P<part> \.\d+ )?
      (?! \w | [.,:/-]\w )
    """,
    re.VERBOSE,
)

_NUMBER: Final = re.compile(r"([$+-]*)(\d[\d.,\s\u2019']*)(\s*%?)")


def localized(text: Text) -> str:
    """`text` in the planner's language, with 1,234.5 as 1.234,5 or 1 234,5 where the planner's locale says so.

    For what the domain, the files and the services say, once, at the place where it is shown: a text that holds
    figures of `numbers` already is not to be given here. What is quoted, names, dates and times stay as they are.
    """
    found = tr(text) if isinstance(text, Message) else text
    locale = numbers.locale()
    group, point = locale.groupSeparator(), locale.decimalPoint()
    return found if (group, point) == (",", ".") else _rewritten(found, group, point)


@lru_cache(maxsize=5_000)  # checks and fit say the same sentences again after every edit
def _rewritten(text: str, group: str, point: str) -> str:
    """A text with the signs of other numbers for thousands and decimals; what is quoted stays."""

    def of_the_locale(found: re.Match[str]) -> str:
        """One number in the planner's signs."""
        if found["quoted"] is not None:
            return found[0]
        part = found["part"]
        return found["whole"].replace(",", group) + (point + part[1:] if part else "")

    return _PARTS.sub(of_the_locale, text)


def sentence(text: Text) -> str:
    """A note of the model as a sentence in the planner's language, with its numbers as the planner writes them."""
    return numbers.capital(localized(text))


def plain_number(text: str) -> str:
    """1234.5 for a number that the planner wrote in the locale, with or without groups: as the domain reads it.

    A percent or dollar sign stays. What is no number in the locale ("1.5" where that is 1,5; a name) stays as it is.
    """
    found = _NUMBER.fullmatch(text.strip().replace(numbers.MINUS, "-"))
    if found is None:
        return text
    before, written, after = found.groups()
    locale = numbers.locale()
    group = locale.groupSeparator()
    if group.isspace():
        written = re.sub(r"\s", group, written)
    is_number = locale.toDouble(written)[1]
    if not is_number:
        return text
    plain = written.replace(group, "").replace(locale.decimalPoint(), ".")
    return f"{before}{plain}{after}"
