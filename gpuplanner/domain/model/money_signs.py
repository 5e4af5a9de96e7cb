"""How money is written: in our templates `$` stands for the money of the project, and its sign takes that place.

US dollars that are meant whatever a project reports in are written USD, or come as a value of a template.
"""

import re
from dataclasses import replace
from functools import lru_cache, partial
from typing import Final

from gpuplanner.domain.figures.typed import Written, decimals
from gpuplanner.domain.figures.writing import ENGLISH, MINUS, Writer, half_up
from gpuplanner.domain.message import Message, Text, joined
from gpuplanner.domain.model.book.exchange import USD

SIGNS: Final = {
    "USD": "$",
    "EUR": "\u20ac",
    "GBP": "\u00a3",
    "JPY": "\u00a5",
    "INR": "\u20b9",
    "KRW": "\u20a9",
}
"""Of currencies that have one; the others are written by their codes."""

_OF_AMOUNT: Final = re.compile(r"\$(?=[\d{])")
_ALONE: Final = re.compile(r"\$(?![A-Za-z_(])")  # in a name such as job-$x it is a letter
_IS_CODE: Final = re.compile(r"[A-Z]{3}")


def sign_of(code: str) -> str:
    """The sign of a currency as headings have it.

    >>> sign_of("EUR"), sign_of("CHF")
    ('€', 'CHF')
    """
    return SIGNS.get(code, code)


def before_amount(code: str) -> str:
    """What stands before an amount: a sign close to it, or a code with a space that does not break.

    >>> before_amount("EUR"), before_amount("CHF") == "CHF" + chr(160)
    ('€', True)
    """
    sign = sign_of(code)
    return f"{sign}\u00a0" if _IS_CODE.fullmatch(sign) else sign


def with_code(text: Text, code: str) -> Text:
    """A text that stays in a currency whatever the project is reported in later: its code in place of `$`.

    Amounts among its values, and texts within it, too. What is no text of ours, as a plan named Plan $5, stays.

    >>> from gpuplanner.domain.figures.typed import amount
    >>> with_code("Plan $5", "USD"), str(with_code(joined(("saves ", amount(5))), "USD"))
    ('Plan $5', 'saves USD\xa05')
    """

    def coded(part: str) -> str:
        return _ALONE.sub(code, _OF_AMOUNT.sub(f"{code}\u00a0", part))

    if not isinstance(text, Message):
        return text
    values = {name: _value_with_code(value, code) for name, value in text.values.items()}
    return Message(coded(text.template), values, text.number, coded(text.one))


def _value_with_code(value: object, code: str) -> object:
    """A value of a message: names from the data, and numbers that are no money, stay."""
    if isinstance(value, Message):
        return with_code(value, code)
    if isinstance(value, Written) and value.way == "amount" and value.value is not None:
        sign = MINUS if half_up(value.value, value.places) < 0 else ""
        return joined((sign, f"{code}\u00a0", decimals(abs(value.value), value.places)))
    return value


def english_in(text: Text, code: str) -> str:
    """A text in English, in the money of a project: its sign in our words, amounts by the writer of that money.

    A name stays as it is, also within a text.

    >>> from gpuplanner.domain.figures.typed import amount
    >>> from gpuplanner.domain.message import worded
    >>> english_in(worded("{plan} saves {usd}, in $", plan="Plan $5", usd=amount(-5)), "EUR")
    'Plan $5 saves −€5, in €'
    """
    return _english(text, code, replace(ENGLISH, money=partial(before_amount, code)))


def _english(text: Text, code: str, writer: Writer) -> str:
    """The same with its writer made."""
    if not isinstance(text, Message):
        return text
    values = {name: _value_in(value, code, writer) for name, value in text.values.items()}
    return str(Message(in_money(text.template, code), values, text.number, in_money(text.one, code)))


def _value_in(value: object, code: str, writer: Writer) -> object:
    """What stands in a text, as it is written in a money."""
    if isinstance(value, Message):
        return _english(value, code, writer)
    return value.by(writer) if isinstance(value, Written) else value


@lru_cache(maxsize=5_000)  # the same templates are shown again and again
def in_money(text: str, code: str) -> str:
    """A text of ours with the sign of a currency; the very same in US dollars.

    >>> in_money("$ per GPU-h", "EUR"), in_money("${usd} a month", "CHF"), in_money("$/month", "USD")
    ('€ per GPU-h', 'CHF\\xa0{usd} a month', '$/month')
    """
    if code == USD or "$" not in text:
        return text
    return _ALONE.sub(sign_of(code), _OF_AMOUNT.sub(before_amount(code), text))
