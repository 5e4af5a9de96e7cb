"""What the window says, in the planner's language and money: a text, or a sentence with named places for figures."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from PySide6.QtCore import QCoreApplication

from gpuplanner.domain.message import BEGIN, LOWERED, Message, Text
from gpuplanner.domain.model.book.exchange import USD
from gpuplanner.domain.model.money_signs import in_money

CONTEXT: Final = "gpuplanner"
"""The one context of all texts in a .ts file: the same English words mean the same everywhere in the window."""


_MONEY: Final = [USD]
"""What `$` of our words stands for now: the code of one currency."""


def use_currency(code: str) -> bool:
    """Write money in this currency from now on; whether that is another one. Widgets are told by LanguageChange."""
    is_other = code != _MONEY[0]
    _MONEY[0] = code
    return is_other


def currency() -> str:
    """The code of the currency that money is written in."""
    return _MONEY[0]


def tr(text: Text, /, **values: object) -> str:
    """`text` in the language that is loaded, with its places filled; in English where there are no words for it.

    `tr("{gpus} GPUs until {date}", gpus=numbers.gpus(64), date=numbers.date(end_s))`: a translator sees the whole
    sentence and puts the places where another language has them. Values are written as the locale writes them; one
    that is `Message` is translated itself, and so is such a text.
    """
    if not isinstance(text, Message):
        return _filled(text, values)
    if text.number is None:
        return _filled(text.template, text.values)
    found = QCoreApplication.translate(CONTEXT, text.template, None, text.number)
    if found == text.template:
        return in_money(
            str(text), _MONEY[0]
        )  # its places are filled; a name in it may hold braces of its own
    return _with_places(in_money(found, _MONEY[0]), text.template, text.values)


def by_count(count: float, one: str, many: str, /, **values: object) -> str:
    """`one` or `many` in English, and in another language the form that it has for so many, found by `many`.

    `by_count(jobs, "{count} job waits", "{count} jobs wait", count=numbers.whole(jobs))`.
    """
    return _by_count(count, one if count == 1 else many, many, values)


def spoken(text: Text) -> str:
    """`text` in the planner's language where it is ours (`Message`, a word of the model); a name from data as it is."""
    if isinstance(text, Message):
        return tr(text)
    return tr(text.value) if isinstance(text, StrEnum) else text


def speak(of: object, *names: str) -> None:
    """Put these fields of a frozen value that a view is told into the planner's language: its `__post_init__`.

    A text that is no `Message` stays; so does one that was put into words before.
    """
    for name in names:
        text = getattr(of, name)
        if type(text) is Message:
            object.__setattr__(of, name, tr(text))


def _filled(template: str, values: Mapping[str, object]) -> str:
    """The template in the language that is loaded, its places filled."""
    if not template:
        return template  # asked for nothing, Qt answers with the head of its file
    if template == LOWERED:
        lowered = values["lowered"]
        assert isinstance(lowered, Message | str)
        return _lowered(str(lowered), spoken(lowered))
    found = template if template.startswith(BEGIN) else QCoreApplication.translate(CONTEXT, template)
    found = in_money(found, _MONEY[0])
    return _with_places(found, template, values) if values else found


def _lowered(in_english: str, found: str) -> str:
    """Only English is known to write it small."""
    return found[:1].lower() + found[1:] if found == in_english else found


def _by_count(count: float, in_english: str, many: str, values: Mapping[str, object]) -> str:
    """Found by the words of many; English by the words that this number has."""
    found = QCoreApplication.translate(CONTEXT, many, None, int(count) if count == int(count) else 2)
    return _with_places(in_money(in_english if found == many else found, _MONEY[0]), in_english, values)


def _with_places(found: str, template: str, values: Mapping[str, object]) -> str:
    """found: in another language; template: the English that is shown where a translator's places do not fit."""
    words = {name: spoken(one) if isinstance(one, Message | str) else one for name, one in values.items()}
    try:
        return found.format(**words)
    except (KeyError, IndexError, ValueError):  # a slip of a translator is no reason to show nothing
        return template.format(**words)
