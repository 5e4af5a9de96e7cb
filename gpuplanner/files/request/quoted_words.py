"""What whole cells of a quote say: nothing is offered, as asked, still to come, for a machine; words and signs."""

import re
from typing import Final

from gpuplanner.domain.message import Message
from gpuplanner.files.values.amounts import NO_AMOUNT

BAD_NUMBER: Final = "bad_number"
BAD_TIME: Final = "bad_time"
UNDECIDED: Final = "undecided"
_NO_BID: Final = frozenset(
    {"no bid", "no-bid", "nobid", "no", "n", "none", "nil", "decline", "declined", "no offer"}
    | {"no quote", "pass"}
    | {"not offered", "not available", "unavailable", "not quoted", "sold out", "x", "n/a", "na", "n.a", "nb"}
    | {"-", "--", "–", "—", "/", "kein angebot", "keine", "nein", "entfällt", "non", "pas d'offre"}
)
_TO_COME: Final = NO_AMOUNT - _NO_BID | {"pending", "to follow", "later", "to be defined"}
AS_ASKED: Final = frozenset(
    {"as asked", "as requested", "as per rfq", "as required", "any", "ok", "yes", "confirmed", "same"}
    | {"asap", "now"}
    | {"immediate", "immediately", "at once", "in stock", "available", "-", "–", "—", "n/a", "none"}
)
NO_LIMIT: Final = frozenset({"unlimited", "no limit", "no minimum", "all"} | AS_ASKED)
"""Whole cells in small letters: nothing is offered; an amount is still to come; nothing differs from what was asked."""

_SAYING_ALL: Final = frozenset(
    {"no bid", "no-bid", "declined", "no offer", "no quote", "not offered", "not available", "sold out"}
    | {"tbd", "tba", "tbc", "on request", "to be confirmed", "to be quoted"}
)
"""Of these the texts behind which a reason may stand."""

OF_MACHINES: Final = frozenset(
    {"node", "nodes", "server", "servers", "instance", "machine", "system", "box", "host", "rack"}
    | {"pod", "hgx", "dgx"}
)
LONGEST_CELL: Final = 80
GAPS: Final = "'’\u00a0\u2007\u2009\u202f "
_DIGITS: Final = re.compile(rf"[-+−]?[.,]?\d[\d.,{GAPS}]*")
SIGNS: Final = re.compile(r"(?:(?:US|CA|C|AU|A|S)?\$|[€£¥₹₩])", re.I)
WORDS: Final = re.compile(r"[^\W\d_]+")
THOUSANDS: Final = re.compile(r"(?<=\d)\s?(?:[kK]|[Tt]sd|[Mm]io|M|mn)\.?(?![A-Za-z])")
_HARMLESS: Final = re.compile(r"[\s/.,;:()\[\]·\-–—]*")
_PRICE: Final = r"(?:\b(?:rates?|prices?|priced|pricing|quoted?|costs?|amounts?|preise?|usd|eur)\b|[$€£])"
_MACHINE: Final = rf"(?:{'|'.join(sorted(OF_MACHINES, key=len, reverse=True))})"
_OTHER_UNITS: Final = tuple(
    re.compile(pattern, re.I)
    for pattern in (
        rf"{_PRICE}[^.;,\d]{{0,40}}(?:\bper|\bpro|\bpar|\bje|/)\s*(?:\d+\s*[x×-]?\s*gpus?[\s-]*)?{_MACHINE}\b",
        rf"{_PRICE}[^.;,\d]{{0,40}}(?:\bper|\bpro|\bpar|\bje|/)\s*\d+\s*gpus?\b",
        rf"{_PRICE}[^.;,\d]{{0,40}}(?:\bper|\bpro|\bpar|\bje|/)\s*(?:gpu[\s-]*)?(?:month|year|week|day)\b",
        rf"\b{_MACHINE}[\s-](?:hourly\s)?{_PRICE}(?!\s+(?:lists?|on\srequest|attached)\b)",
    )
)
"""How a remark says that a rate is for a machine, several GPUs or another time."""

_OF_GPU_HOURS: Final = re.compile(
    r"(?<!not )(?:\bper|\bpro|\bpar|\bje|/)\s*gpus?\s*(?:-|/|\bper|\bpro|\band|\bpar)?\s*(?:hours?|hr|h|stunde)\b",
    re.I,
)
"""How it says that a rate is for one GPU and one hour."""


class UnclearError(Exception):
    """A cell that is not read: the code of its issue, why, and what to write instead."""

    def __init__(self, code: str, why: Message, remedy: Message) -> None:
        super().__init__(why)
        self.code, self.why, self.remedy = code, why, remedy


def is_no_bid(text: str) -> bool:
    """Whether a text says that nothing is offered.

    >>> [is_no_bid(text) for text in ("No bid", " n/a ", "no bid: sold out", "2.10", "TBD", "no bid below 64")]
    [True, True, True, False, False, False]
    """
    return plain_cell(text) in _NO_BID or _begins(text, _NO_BID)


def is_to_come(text: str) -> bool:
    """Whether a text says that an amount is still to come.

    >>> [is_to_come(text) for text in ("TBD", "on request", "TBD, after our audit", "2.10")]
    [True, True, True, False]
    """
    return plain_cell(text) in _TO_COME or _begins(text, _TO_COME)


def is_of_another_unit(remark: str) -> bool:
    """Whether a remark says that a price is for something else than one GPU and one hour; what it says first counts.

    >>> [is_of_another_unit(text) for text in ("Rate per node", "prices are per 8-GPU server", "per-node pricing")]
    [True, True, True]
    >>> [is_of_another_unit(text) for text in ("8 GPUs per node", "rate per GPU-hour", "price fixed for a year")]
    [False, False, False]
    """
    others = [found.end() for pattern in _OTHER_UNITS if (found := pattern.search(remark))]
    own = _OF_GPU_HOURS.search(remark)
    return bool(others) and (own is None or own.start() > min(others))


def plain_cell(text: str) -> str:
    """A cell in small letters, with one blank between words and no full stop behind."""
    cleaned = " ".join(text[:LONGEST_CELL].lower().split())
    return cleaned.removesuffix(".") if len(cleaned) > 2 else cleaned


def _begins(text: str, words: frozenset[str]) -> bool:
    """Whether a cell begins with one of some texts that say all, and has no figure behind it."""
    plain = plain_cell(text)
    begun = [word for word in words & _SAYING_ALL if re.match(rf"{re.escape(word)}\b", plain)]
    return bool(begun) and not any(map(str.isdigit, plain))


def words_of(text: str) -> set[str]:
    """The words of a cell in small letters; signs of currencies and what multiplies its number are none."""
    return set(WORDS.findall(SIGNS.sub(" ", THOUSANDS.sub(" ", text)).lower()))


def has_odd_signs(text: str) -> bool:
    """Whether a cell has signs that change what its number means, or may do so: ~2.10, <14, 99+, 2.10*."""
    rest = _DIGITS.sub(" ", SIGNS.sub(" ", text))
    return _HARMLESS.fullmatch(WORDS.sub(" ", rest)) is None
