"""What the window says, in the planner's language, money and digits: a text, or a sentence with places for figures."""

from collections.abc import Callable
from enum import StrEnum
from typing import Final

from PySide6.QtCore import QCoreApplication

from gpuplanner.charts.kit.chart_numbers import day, grouped
from gpuplanner.domain.figures.typed import Written
from gpuplanner.domain.figures.writing import Writer
from gpuplanner.domain.message import BEGIN, LOWERED, Message, Part, Text, worded_count
from gpuplanner.domain.model.book.exchange import USD
from gpuplanner.domain.model.money_signs import before_amount, in_money

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
    return _rendered(text if isinstance(text, Message) else Message(text, values), _found)


def by_count(count: float, one: str, many: str, /, **values: Part) -> str:
    """`one` or `many` in English, and in another language the form that it has for so many, found by `many`.

    `by_count(jobs, "{count} job waits", "{count} jobs wait", count=numbers.whole(jobs))`.
    """
    return _rendered(worded_count(count, one, many, **values), _found)


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


WRITE: Final = Writer(grouped, lambda: before_amount(currency()), tr, "\u00b1", day)
"""How charts and window write figures, also those in a message."""


_Find = Callable[[Message], str]
"""The template of a message in some language."""


def _found(text: Message) -> str:
    """In the language that is loaded; in English where it has no words for it."""
    if not text.template or text.template.startswith(BEGIN):
        return text.template  # asked for nothing, Qt answers with the head of its file
    if text.number is None:
        return QCoreApplication.translate(CONTEXT, text.template)
    found = QCoreApplication.translate(CONTEXT, text.template, None, text.number)
    return _english(text) if found == text.template else found


def _english(text: Message) -> str:
    """The words that its number has in English."""
    return text.one or text.template


def _rendered(text: Message, find: _Find) -> str:
    """A message with its places filled, as window and charts write what stands there."""
    if text.template == LOWERED:
        return _lowered(text.values["lowered"], find)
    found = in_money(find(text), _MONEY[0])
    if not text.values:
        return found
    words = {name: _value(one, find) for name, one in text.values.items()}
    try:
        return found.format(**words)
    except (KeyError, IndexError, ValueError):  # a slip of a translator is no reason to show nothing
        return in_money(_english(text), _MONEY[0]).format(**words)


def _value(value: object, find: _Find) -> object:
    """What stands in a message: a message itself, a number, a word of the model; what else it may be stays."""
    if isinstance(value, Message):
        return _rendered(value, find)
    if isinstance(value, Written):
        return value.by(WRITE)
    return find(Message(value.value)) if isinstance(value, StrEnum) else value


def _lowered(text: object, find: _Find) -> str:
    """Only English is known to write it small: what reads as in English in this language."""
    found = str(_value(text, find))
    return found[:1].lower() + found[1:] if found == str(_value(text, _english)) else found
