"""What stands where in a request for quote: its columns, the key of each row, the lines above them, its figures."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Final, Literal

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.window import is_day
from gpuplanner.files.request.quoted_cells import LEAST_PERCENT, UnclearError, read_percent
from gpuplanner.files.system.resources import plain_table, rows_as
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.lazy_re import lazy_re

# Whoever writes a request and whoever reads an answer look here. A line beside the table is a label in one cell and its
# value in the next filled cell of the row; the table begins below the row of headings; a row of the table is known by
# its key, wherever it stands and whatever the tab, the format or the order. Files of one sheet, with rows R1, R2, …,
# were written before these: their headings and labels are still read.

Who = Literal["buyer", "vendor"]
Kind = Literal["text", "rate", "gpus", "days", "percent", "date", "money"]
"""rate, money: of the currency of the head; percent: 99.9 is 99.9%; gpus, days: whole; date: a day."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column of the table. heading: empty where only older files have it; before: what they call it, where that
    differs. note: what the cell takes, told where it is typed; choices: the only texts it takes."""

    key: str
    heading: str
    who: Who
    kind: Kind
    note: str = ""
    choices: tuple[str, ...] = ()
    before: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadLine:
    """A line beside the table. who: who fills it; note: what it takes; label, before: as the heading of a column."""

    key: str
    label: str
    who: Who
    kind: Kind
    note: str = ""
    before: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is asked besides the table. weight: Must, Compare or Price."""

    key: str
    weight: str
    text: str


SHEETS: Final = ("1 Request", "2 Your quote", "3 Questions")
TITLE: Final = "Request for quotation"
QUOTE_TITLE: Final = "Your quote"
WHITE_AND_YELLOW: Final = "White: what we ask. Yellow: your answer. Currency: sheet 1. Rates without tax."
ALL: Final = "All"
ALTERNATIVES: Final = "Alternatives: another GPU, term, quantity or start that you recommend"
FOR_REQUEST: Final = "For request"
OURS: Final = (
    "Request for quote",
    "Please fill in the yellow cells and send this file back by",
    "Sooner, please:",
    "Orders are placed from",
    "Renewing until: the term is wanted again",
    "Options: which of them are ordered is decided later",
)
"""How the sentences begin that an older request has beside its lines and its table."""
WORDS_OF_QUOTE: Final = (QUOTE_TITLE, WHITE_AND_YELLOW, ALTERNATIVES, ALL)
"""What stands beside the table on its sheet: any other text is the vendor's."""
BID: Final = "bid"
NO_BID: Final = "no bid"
ANY: Final = "any"
FIRM: Final = "firm"
OPTION: Final = "option"
NOT_RENEWED: Final = "None"
ONCE: Final = frozenset({"none", "no"})
"""What stands under *Renewals until* where a term is wanted once, now and before."""
MUST: Final = "Must"
COMPARE: Final = "Compare"
"""Behind a network: of MUST any other is excluded, of COMPARE the offer of the plan has it."""

COLUMNS: Final = rows_as(Column, "request_columns.csv")
WRITTEN: Final = tuple(column for column in COLUMNS if column.heading)
"""From left to right. The key is hidden, and between two that are seen: who sorts what is seen sorts it too."""

HEAD: Final = rows_as(HeadLine, "request_head.csv")
"""From above. A currency is the code of what is asked in until a vendor changes it."""

QUESTIONS: Final = rows_as(Question, "request_questions.csv")
"""What is asked on the third sheet; what the buyer asks besides comes after."""
QUESTION_HEADINGS: Final = ("No.", "Question", "Weight", "Your answer")
OLD_QUESTION_HEADINGS: Final = ("Question", "Answer")
FEES: Final = plain_table("request_question")["fees"]
"""A question of older files, which had no column for it."""
SLA_QUESTION: Final = next(question.text for question in QUESTIONS if question.key == "sla")


def sla_question(percent: float) -> Question:
    """The question about availability, which is a Must where a percentage of a month is asked for.

    >>> sla_question(99.9).text
    'SLA per node and month in percent (we ask for 99.9%)? Credit if missed?'
    """
    if not percent:
        return next(question for question in QUESTIONS if question.key == "sla")
    asked = SLA_QUESTION.replace("?", f" (we ask for {percent:g}%)?", 1)
    return Question(key="sla", weight=MUST, text=asked)


_RENEWAL: Final = lazy_re(r"(?i:([OR][1-9]\d*)@(\d{4}-\d\d-\d\d))")
_KEY: Final = lazy_re(
    r"(?i)gpuplanner-request/1\s+(\S+)\s+([ORA][1-9]\d*)(?:\s+([0-9A-F]{4}))?(?:\s+\[([^\]]*)\])?"
    rf"((?:\s+{_RENEWAL.pattern})*)"
)
KEPT: Final = (
    "gpu_model",
    "gpus",
    "term",
    "start",
    "need",
    "delivery",
    "interconnect",
    "memory",
    "bare_metal",
)
"""Columns of which a key keeps what was asked for, whatever becomes of their cells."""
SOONEST: Final = "soonest"
"""Stands behind these in a key where the start is the first day that the request allows; then its days."""
_BEHIND: Final = (SOONEST, "reply_by", "orders_from")
_PARTS: Final = str.maketrans("|[]", "   ")


@dataclass(frozen=True, slots=True)
class Renewal:
    """A later term of a line. name: that of the line; of older files the row that it was; start: an ISO day."""

    name: str
    start: str


def make_key(reference: str, row: str, asked: Sequence[str] = (), renewals: Sequence[Renewal] = ()) -> str:
    """The key of a row: what request it is of, its number there, what is asked for with a mark, and what renews it.

    reference: in capitals, without blanks. row: O1, O2 …, or A1 of the first alternative; asked: what the columns of
    KEPT ask for, or the first three;
    behind all of them SOONEST or nothing, the last day for a reply and the first day of orders, ISO.

    >>> make_key("RFQ-20260930-7C1E", "R2", ("H100", "64", "12 months"))
    'gpuplanner-request/1 RFQ-20260930-7C1E R2 EDDE'
    >>> make_key("RFQ-20260930-7C1E", "R2", ("H100", "64", "1 month"), [Renewal("R5", "2026-10-31")])
    'gpuplanner-request/1 RFQ-20260930-7C1E R2 453C R5@2026-10-31'
    """
    more = (f"{one.name}@{one.start}" for one in renewals)
    kept = "|".join(text.translate(_PARTS) for text in asked)
    parts = (*((_mark(asked[:3]),) if asked else ()), *((f"[{kept}]",) if len(asked) >= len(KEPT) else ()))
    return " ".join(("gpuplanner-request/1", reference, row, *parts, *more))


def asked_by(key: str) -> Mapping[str, str]:
    """What a key says was asked for, by the column; what stands behind by its own name. Nothing where it does not tell.

    >>> asked = ("H100", "64", "12 months", "2026-12-01", "firm", "any", "InfiniBand", "80 GB", "yes")
    >>> asked_by(make_key("RFQ-20260930-7C1E", "R2", asked))["start"]
    '2026-12-01'
    """
    found = _KEY.fullmatch(key.strip())
    texts = [] if found is None or found[4] is None else found[4].split("|")
    is_whole = len(texts) >= len(KEPT) and is_as_asked(key, texts[:3])  # nobody changed it by hand
    return dict(zip((*KEPT, *_BEHIND), texts, strict=False)) if is_whole else {}


def renewals_of(key: str) -> tuple[Renewal, ...]:
    """The rows that renew that of a key, in order; none where the text is no key. Law: reads what make_key makes."""
    found = _KEY.fullmatch(key.strip())
    if found is None:
        return ()
    return tuple(Renewal(one[1].upper(), one[2]) for one in _RENEWAL.finditer(found[5]) if is_day(one[2]))


def read_key(text: str) -> tuple[str, str] | None:
    """Reference and row of a key, in capitals; None where the text is none. Law: reads what make_key makes.

    >>> read_key(" gpuplanner-request/1  RFQ-20260930-7C1E R2 ")
    ('RFQ-20260930-7C1E', 'R2')
    >>> read_key("R2") is None
    True
    """
    found = _KEY.fullmatch(text.strip())
    return None if found is None else (found[1].upper(), found[2].upper())


def is_as_asked(key: str, asked: Sequence[str]) -> bool:
    """Whether a row still asks for what its key was made of; true where the key does not tell.

    >>> key = make_key("RFQ-20260930-7C1E", "R2", ("H100", "64", "12 months"))
    >>> is_as_asked(key, ("h100", "64", "12  Months")), is_as_asked(key, ("H100", "32", "12 months"))
    (True, False)
    """
    found = _KEY.fullmatch(key.strip())
    return found is None or found[3] is None or found[3].upper() == _mark(asked)


def _mark(asked: Sequence[str]) -> str:
    """Four letters that are others for other texts; case and blanks are no difference."""
    plain = "|".join("".join(text.translate(_PARTS).split()).casefold() for text in asked)
    return hashlib.sha256(plain.encode()).hexdigest()[:4].upper()


# --- The percentage that a text about availability asks for or offers

_PERCENT: Final = lazy_re(
    r"(?i)(?<![\d.,])(\d{1,3}(?:[.,]\d{1,6})?)\s*(?:%|percent\b)(?!\s*(?:service[\s-]*)?(?:credit|refund))"
)
"""A percentage that is not what is paid back."""
_AS_PERCENT: Final = worded("enter a percentage of a month, such as 99.9%, or text without figures")


def sla_percent_of(text: str) -> float:
    """The percentage of a month that a text asks for, the highest where it names several; 0 where it has no figures.

    A number alone is a percentage, or a share of one (0.999). Errors: UnclearError for figures that are neither.

    >>> sla_percent_of("99.9% a month for each node"), sla_percent_of("99,95 % per node"), sla_percent_of("as usual")
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
