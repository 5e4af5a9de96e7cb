"""Terms of contracts as they are typed and shown: rates, GPUs, days, texts."""

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import Final, NamedTuple

from PySide6.QtCore import Qt

from gpuplanner.domain.figures.typed import significant
from gpuplanner.domain.message import Message, Text, worded
from gpuplanner.domain.model.book.contract import CONTRACT_TERMS, LARGEST_TERM, TEXT_TERMS, Term, is_money
from gpuplanner.domain.model.book.offer_fields import OFFER_FIELDS
from gpuplanner.domain.model.errors import refusal
from gpuplanner.domain.model.window import DAY_S
from gpuplanner.files.system.resources import words_table
from gpuplanner.ui.kit.day_field import EPOCH
from gpuplanner.ui.kit.typed_days import read_typed_day
from gpuplanner.ui.words import numbers

PER_UNIT: Final = {"milli_gpus": 1000}
_TIPS: Final = words_table("term_tip")
_OFFERED: Final = [field for field in OFFER_FIELDS if isinstance(field.title, Message)]


class TermTitle(NamedTuple):
    """Title and tip of a term of a contract or an offer."""

    title: Text
    tip: Message


TERM_TITLES: Final[Mapping[str, TermTitle]] = {
    **{field.name: TermTitle(field.title, Message(f"{field.unit}")) for field in _OFFERED},
    **{name: TermTitle(title, _TIPS[name]) for name, title in words_table("term_title").items()},
}
"""The currency of a term is its own."""
_OF_OFFERS: Final = {field.name: field.kind for field in _OFFERED if field.name not in CONTRACT_TERMS}


def term_words(name: str, value: Term) -> str:
    """A term as its field shows it; a dash for none. The last day is shown, the stored end is exclusive."""
    if value is None:
        return numbers.UNKNOWN
    if isinstance(value, str):
        return value
    if name.endswith("_s"):
        return numbers.date(int(value) - (name == "end_s"))
    if is_money(name):
        return f"{value:f}" if isinstance(value, Decimal) and value != round(value, 2) else f"{value:.2f}"
    return numbers.significant(float(value) / PER_UNIT.get(name, 1), 10)


def typed_term(name: str, text: str) -> Term:
    """A term as it is typed, in the locale; None for none. Errors: PlannerError for anything else."""
    kind = _OF_OFFERS.get(name, "")
    if name in TEXT_TERMS or kind == "text":
        return text.strip() or (None if name == "ramp" else "")
    if name.endswith("_s") or kind == "instant":
        day = read_typed_day(text, EPOCH, EPOCH) if text.strip() else None
        if text.strip() and day is None:
            fault = worded("“{text}” is not a day", text=f"{text!r:.40}")
            raise refusal(TERM_TITLES[name].title, fault, worded("enter one, such as 31 May 2027"))
        if kind and day is not None:
            return day.toString(Qt.DateFormat.ISODate)
        return None if day is None else (EPOCH.daysTo(day) + (name == "end_s")) * DAY_S
    if (number := typed_number(name, text)) is None or is_money(name):
        return number
    return float(number) if name.endswith(("_percent", "_hours")) else int(number)


def typed_number(name: str, text: str) -> Decimal | None:
    """A number as it is typed, in the locale; None for none. Errors: PlannerError for anything else."""
    plain = numbers.plain_amount(text).strip()
    try:
        number = Decimal(plain) if plain else None
        is_too_large = number is not None and abs(number) > LARGEST_TERM
    except InvalidOperation:
        fault = worded("“{text}” is not a number", text=f"{text!r:.40}")
        raise refusal(TERM_TITLES[name].title, fault, worded("enter one, such as 64")) from None
    if is_too_large:
        fault = worded("{value} is not allowed", value=plain[:40])
        most = significant(LARGEST_TERM)
        raise refusal(TERM_TITLES[name].title, fault, worded("enter 0 to {most}", most=most))
    return None if number is None else number * PER_UNIT.get(name, 1)
