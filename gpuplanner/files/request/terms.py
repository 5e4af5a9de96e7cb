"""What a buyer says above a request: who asks, by when to reply, on what terms; with what stands there unsaid."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.window import DAY_S, instant_s, is_day, iso_utc
from gpuplanner.files.request.quoted_amounts import LEAST_PERCENT, read_percent
from gpuplanner.files.request.quoted_words import UnclearError

REPLY_DAYS: Final = 14


@dataclass(frozen=True, slots=True)
class Terms:
    """Texts as the vendor reads them. reply_by: an ISO day; empty is what `reply_by_s` makes of it."""

    buyer: str = "The sender of this request"
    questions: str = "The sender of this request"
    reply_by: str = ""
    payment: str = "Monthly in arrears, 30 days after the invoice; what is due upfront with the order"
    validity: str = "30 days from the reply-by day"
    sla: str = "99.9% a month for each node, with service credits"
    delivery: str = "As each row says; any of your regions where it says any"


UNSAID: Final = Terms()
_PERCENT: Final = re.compile(
    r"(?<![\d.,])(\d{1,3}(?:[.,]\d{1,6})?)\s*(?:%|percent\b)(?!\s*(?:service[\s-]*)?(?:credit|refund))", re.I
)
"""A percentage that is not what is paid back."""
_AS_PERCENT: Final = worded("name one percentage of a month, such as 99.9%, or none and no figures")
NAMES: Final = tuple(field.name for field in fields(Terms))


def sla_percent_of(text: str) -> float:
    """The percentage of a month that a text asks for, the highest where it names several; 0 where it has no figures.

    A number alone is a percentage, or a share of one (0.999). Errors: UnclearError for figures that are neither.

    >>> sla_percent_of(UNSAID.sla), sla_percent_of("99,95 % per node"), sla_percent_of("as usual")
    (99.9, 99.95, 0.0)
    >>> sla_percent_of("10% service credit below 99.9% a month"), sla_percent_of("0.999")
    (99.9, 99.9)
    """
    named = [float(number.replace(",", ".")) for number in _PERCENT.findall(text)]
    if possible := [percent for percent in named if LEAST_PERCENT <= percent <= 100]:
        return max(possible)
    if not any(map(str.isdigit, text)):
        return 0.0
    try:
        return read_percent(text)
    except UnclearError as fault:
        raise UnclearError(fault.code, fault.why, _AS_PERCENT) from fault


def sla_asked(terms: Terms) -> float:
    """The percentage of a month that is asked for; 0 for none. Errors: PlannerError for figures that are none."""
    try:
        return sla_percent_of(terms.sla)
    except UnclearError as fault:
        raise PlannerError("sla", "usage", fault.why, fault.remedy) from fault


def reply_by_s(terms: Terms, today_s: int, order_day_s: int | None = None) -> int:
    """The last day for a reply, epoch seconds, 00:00 UTC.

    Unsaid it is REPLY_DAYS from today on, or the day before order_day_s (the first on which something is to be ordered)
    where that comes earlier and is not today. Errors: PlannerError where it is no day, or is over.
    """
    if not terms.reply_by:
        begin_s = today_s - today_s % DAY_S
        usual_s, before_s = begin_s + REPLY_DAYS * DAY_S, (order_day_s or 0) - DAY_S
        return min(usual_s, before_s) if before_s > begin_s else usual_s
    if not is_day(terms.reply_by):
        what = worded("{day} is no day", day=repr(terms.reply_by))
        raise PlannerError("reply_by", "usage", what, worded("write it as 2026-01-31"))
    at_s = instant_s(terms.reply_by)
    if at_s + DAY_S <= today_s:
        what = worded("{day} is before the day of the request", day=iso_utc(at_s)[:10])
        raise PlannerError("reply_by", "usage", what, worded("name a later day"))
    return at_s


def terms_of(said: Mapping[str, str]) -> Terms:
    """Terms with what was said; an empty text leaves what stands there unsaid. Errors: KeyError for another name."""
    if unknown := sorted(set(said) - set(NAMES)):
        raise KeyError(unknown[0])
    return replace(UNSAID, **{name: text.strip() for name, text in said.items() if text.strip()})


def parse_terms(texts: Iterable[str]) -> Terms:
    """Terms of words such as `buyer=ACME Ltd`. Errors: PlannerError for another name, or a word without a value.

    >>> parse_terms(["buyer=ACME = Co"]).buyer
    'ACME = Co'
    """
    said = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not value.strip() or name not in NAMES:
            remedy = worded("write NAME=TEXT with one of the names ") + ", ".join(NAMES)
            raise PlannerError(text, "usage", worded("it is nothing that a request says"), remedy)
        said[name] = value
    return terms_of(said)
