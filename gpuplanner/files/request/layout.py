"""What stands where in a request for quote: its columns, the key of each row, the labels of the lines above them.

Whoever writes a request and whoever reads an answer look here. A line above the table is a label in one cell and its
value in the next filled cell of the row; the table begins below the row of headings; a row of the table is known by its
key, wherever it stands and whatever the tab, the format or the order.
"""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from gpuplanner.domain.model.window import is_day

Who = Literal["buyer", "vendor"]
Kind = Literal["text", "rate", "gpus", "days", "percent", "date", "money"]
"""rate, money: of the currency of the head; percent: 99.9 is 99.9%; gpus, days: whole; date: a day."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the table. note: what the cell takes, told where it is typed; choices: the only texts it takes."""

    key: str
    heading: str
    who: Who
    kind: Kind
    note: str = ""
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class HeadLine:
    """A line above the table. who: who fills it; note: what it takes."""

    key: str
    label: str
    who: Who
    kind: Kind
    note: str = ""


TITLE: Final = "Request for quote"
BID: Final = "bid"
NO_BID: Final = "no bid"
ANY: Final = "any"
FIRM: Final = "firm"
OPTION: Final = "option"
NOT_RENEWED: Final = "no"

COLUMNS: Final = (
    Column("request", "Request", "buyer", "text"),
    Column("key", "Key", "buyer", "text"),
    Column("need", "Firm or option", "buyer", "text", choices=(FIRM, OPTION)),
    Column("gpu_model", "GPU model", "buyer", "text"),
    Column("gpus", "GPUs", "buyer", "gpus"),
    Column("term", "Contract term", "buyer", "text"),
    Column("start", "Start", "buyer", "date"),
    Column("until", "Renewing until", "buyer", "date"),
    Column("delivery", "Delivery", "buyer", "text"),
    Column("interconnect", "Interconnect", "buyer", "text"),
    Column("memory", "Memory per GPU", "buyer", "text"),
    Column("bare_metal", "Bare metal", "buyer", "text"),
    Column("bid", "Bid or no bid", "vendor", "text", "Choose bid or no bid.", (BID, NO_BID)),
    Column("rate", "Rate per GPU-hour", "vendor", "rate", "A number above 0, for one GPU and one hour."),
    Column("most", "GPUs at most", "vendor", "gpus", "A whole number. Empty: as many as asked for."),
    Column("least", "GPUs at least", "vendor", "gpus", "A whole number. Empty: no least number."),
    Column("lead", "Lead time, days", "vendor", "days", "Whole days from order to delivery."),
    Column(
        "upfront", "Upfront per GPU", "vendor", "money", "What is paid once for each GPU. Empty: nothing."
    ),
    Column("sla", "SLA offered, %", "vendor", "percent", "Percent of the time in a month, such as 99.9."),
    Column("valid_until", "Quote valid until", "vendor", "date", "A day. Empty: the day above the table."),
    Column("earliest", "Earliest start", "vendor", "date", "A day. Empty: the start asked for."),
    Column("egress", "Egress per GB", "vendor", "money", "0 where it is free."),
    Column("remark", "Remark", "vendor", "text"),
)
"""From left to right. The key is hidden, and between two that are seen: who sorts what is seen sorts it too."""

INTERCONNECTS: Final = {
    "infiniband": "InfiniBand",
    "nvlink": "NVLink",
    "roce_400": "RoCE 400 Gb/s",
    "roce": "RoCE",
    "ethernet": "Ethernet",
}
"""How the column names what we call so; it is ANY where any will do."""

HEAD: Final = (
    HeadLine("buyer", "Buyer", "buyer", "text"),
    HeadLine("reference", "Reference", "buyer", "text"),
    HeadLine("issued", "Issued on", "buyer", "date"),
    HeadLine("reply_by", "Reply by", "buyer", "date"),
    HeadLine("questions", "Questions to", "buyer", "text"),
    HeadLine("delivery", "Delivery", "buyer", "text"),
    HeadLine("payment", "Payment terms", "buyer", "text"),
    HeadLine("validity", "Validity asked", "buyer", "text"),
    HeadLine("sla", "SLA asked", "buyer", "text"),
    HeadLine("vendor", "Vendor", "vendor", "text", "Who quotes."),
    HeadLine("quoted_on", "Quoted on", "vendor", "date", "The day of this quote."),
    HeadLine("valid_until", "Quote valid until", "vendor", "date", "The last day of this quote."),
    HeadLine(
        "currency", "Currency", "vendor", "text", "Change it only where you quote in another, by its code."
    ),
)
"""From above. A currency is the code of what is asked in until a vendor changes it."""

_RENEWAL: Final = re.compile(r"(R[1-9]\d*)@(\d{4}-\d\d-\d\d)", re.IGNORECASE)
_KEY: Final = re.compile(
    rf"gpuplanner-request/1\s+(\S+)\s+(R[1-9]\d*)(?:\s+([0-9A-F]{{4}}))?((?:\s+{_RENEWAL.pattern})*)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Renewal:
    """A row of the request that renews another and shares its line. name: R4; start: an ISO day."""

    name: str
    start: str


def make_key(reference: str, row: str, asked: Sequence[str] = (), renewals: Sequence[Renewal] = ()) -> str:
    """The key of a row: what request it is of, its number there, a mark of what is asked for, and what renews it.

    reference: in capitals, without blanks. row: R1, R2 ...; asked: GPU model, GPUs and term as the cells have them.

    >>> make_key("RFQ-20260930-7C1E", "R2", ("H100", "64", "12 months"))
    'gpuplanner-request/1 RFQ-20260930-7C1E R2 EDDE'
    >>> make_key("RFQ-20260930-7C1E", "R2", ("H100", "64", "1 month"), [Renewal("R5", "2026-10-31")])
    'gpuplanner-request/1 RFQ-20260930-7C1E R2 453C R5@2026-10-31'
    """
    more = (f"{one.name}@{one.start}" for one in renewals)
    return " ".join(("gpuplanner-request/1", reference, row, *((_mark(asked),) if asked else ()), *more))


def renewals_of(key: str) -> tuple[Renewal, ...]:
    """The rows that renew that of a key, in order; none where the text is no key. Law: reads what make_key makes."""
    found = _KEY.fullmatch(key.strip())
    if found is None:
        return ()
    return tuple(Renewal(one[1].upper(), one[2]) for one in _RENEWAL.finditer(found[4]) if is_day(one[2]))


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
    plain = "|".join("".join(text.split()).casefold() for text in asked)
    return hashlib.sha256(plain.encode()).hexdigest()[:4].upper()
