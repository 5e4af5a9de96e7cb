"""A form of bill: under which headings an export says what was charged, when, how much and at what cost."""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from gpuplanner.domain.message import Message
from gpuplanner.files.job_logs.dialects.bill_times import DateOrder
from gpuplanner.files.sources.raw_table import RawTable
from gpuplanner.files.tables.delimited import bare, best_header
from gpuplanner.files.tables.headings import TOTAL_ROWS
from gpuplanner.lazy_dataclass import dataclass, field
from gpuplanner.lazy_re import lazy_re

_COST: Final = lazy_re(
    r"cost(?:overage)?$|cost(?:in|inbilling|inpricing)?(?:usd|currency)$|^reservationunused\w*fee\w*$"
)
_NO_COST: Final = lazy_re(r"^(?:resource)?tags?|^label|^costcategory|unitcost$")

Names = tuple[str, ...]
"""Headings that may hold a field, the best first; case, blanks and punctuation do not matter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BillForm:
    """Where a form of bill keeps each field, and how it is told; a field may be missing from a file.

    needed: headings of which one of each must be there; usual: those that make it surer; never: those of no bill.
    quantities: headings of how much was used and of its unit, the best first.
    products: what was used, in words; details: the same as JSON or key=value. only: by field, the words (lower case)
    that usage of a machine has there; without: words it does not have. stranded: words of commitments nobody used.
    is_daily: a row is of a whole day, named by its date. unit: of quantities that state none.
    machine_unit: a word of units that count machines, where all others count GPUs, but for other_unit.
    label: a class stated in a tag. unused_commitment: what was committed in money, and what of it was used, in rows
    that hold both. cost: of a row; the first that is not 0 counts. priced: a quantity, its rate, and their product.
    """

    format: str
    title: Message
    start: Names
    end: Names
    quantities: tuple[tuple[Names, Names], ...]
    products: Names
    currency: Names
    service: Names
    region: Names
    account: Names
    resource: Names
    key: Names
    needed: tuple[Names, ...]
    usual: Names
    never: Names = ()
    provider: Names = ()
    interval: Names = ()
    details: Names = ()
    only: Mapping[Names, frozenset[str]] = field(default_factory=dict)
    without: Mapping[Names, frozenset[str]] = field(default_factory=dict)
    stranded: Mapping[Names, frozenset[str]] = field(default_factory=dict)
    stranded_costs: Names = ()
    pricing_currency: Names = ()
    charge: Names = ()
    pricing: Names = ()
    commitment: Names = ()
    resource_name: Names = ()
    tags: Names = ()
    line_id: Names = ()
    other_dates: Names = ()
    unit: str = ""
    machine_unit: str = ""
    other_unit: str = ""
    provider_name: str = ""
    is_daily: bool = False
    list_price: Names = ()
    label: Names = ()
    unused_commitment: tuple[Names, Names] = ((), ())
    cost: tuple[Names, ...] = ()
    priced: tuple[tuple[Names, Names, Names], ...] = ()

    def sniff(self, head: str) -> float:
        """How sure it is that a text begins such a bill, 0..1.

        The more usual headings are there, the surer; 0 without one of each needed or with one it never has.
        """
        return likeness(head, self.needed, self.usual, never=self.never)


def bill_header(head: str, wanted: Collection[str]) -> tuple[str, tuple[str, ...]]:
    """The delimiter under which the first line holds most of the wanted headings, and that line's columns.

    Spellings of a heading are one: case, blanks and signs do not count.
    """
    return best_header(head, wanted, bare, _untranslated)


def _untranslated(columns: Sequence[str]) -> tuple[str, ...]:
    """The headings, in their first language where most are translated: `Abonnement-GUID (SubscriptionGuid)`."""
    found = [_TRANSLATED.fullmatch(name) for name in columns]
    if 2 * sum(one is not None for one in found) < len(columns) or len(columns) < 4:
        return tuple(columns)
    return tuple(name if one is None else one[1] for name, one in zip(columns, found, strict=True))


_TRANSLATED: Final = lazy_re(r"[^()]+ \(([A-Z][A-Za-z0-9]{2,40})\)")
"""How Azure writes the headings of exports of accounts whose language is not English."""


def likeness(head: str, needed: Sequence[Names], usual: Sequence[str], *, never: Sequence[str] = ()) -> float:
    """How sure it is that a text begins a bill: 0 unless it has one of each needed.

    The more usual ones, the surer.

    Law: 0, or 0.8 to 0.99. never: headings of other forms that hold all of the needed ones too.
    """
    _, columns = bill_header(head, (*(name for names in needed for name in names), *usual))
    there = {bare(name) for name in columns}
    if any(bare(name) in there for name in never):
        return 0.0
    if not all(any(bare(name) in there for name in names) for names in needed):
        return 0.0
    return 0.8 + 0.19 * sum(bare(name) in there for name in usual) / max(1, len(usual))


class BillColumns:
    """The columns of one bill: from a form's headings to SQL over its records."""

    def __init__(self, columns: Sequence[str]) -> None:
        """columns: the headings of the file, in order."""
        self.headings = tuple(columns)
        self._place: dict[str, int] = {}
        for index, heading in enumerate(columns):
            self._place.setdefault(bare(heading), index)

    def texts(self, names: Names) -> tuple[str, ...]:
        """SQL for every one of these columns that is there: its text, null where nothing is stated."""
        places = dict.fromkeys(self._place[bare(name)] for name in names if bare(name) in self._place)
        return tuple(known_text(f"c{place}") for place in places)

    def text(self, names: Names) -> str | None:
        """SQL for the first of these columns that states something in a row; None where none is there.

        Of several that state something the first in the order of the names counts, row by row.
        """
        texts = self.texts(names)
        if not texts:
            return None
        return texts[0] if len(texts) == 1 else f"coalesce({', '.join(texts)})"

    def has_words(self, words: Mapping[Names, frozenset[str]], *, otherwise: bool) -> str:
        """SQL: whether a row has one of the words in each of these fields. otherwise: where a column is missing."""
        tests = []
        for names, allowed in words.items():
            text = self.text(names)
            if text is not None:
                quoted = ", ".join(f"'{word}'" for word in sorted(allowed))
                tests.append(f"lower(coalesce({text}, '')) in ({quoted})")
        joined = (" and " if otherwise else " or ").join(tests)
        return f"({joined})" if joined else str(otherwise).lower()

    @property
    def costs(self) -> dict[str, str]:
        """By heading as it stands: SQL for the text of every column of money charged.

        Empty where the bill has no such column.
        """
        return {
            heading: known_text(f"c{index}")
            for index, heading in enumerate(self.headings)
            if _COST.search(bare(heading)) and not _NO_COST.search(bare(heading))
        }


def known_text(column: str) -> str:
    """SQL: a text without blanks around it; null where it says that there is none (also the word NULL).

    column: SQL of a text, as `c3`.
    """
    return (
        f"case when lower(trim({column})) not in ('', 'null', 'none', 'nan', '\\n') then trim({column}) end"
    )


SUM_WORD: Final = rf"\b({'|'.join(map(re.escape, TOTAL_ROWS))})\b"
SHARE, WORST = 0.005, 3
"""Amounts that differ by no more agree; so many rows that disagree are named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bill:
    """A bill in the engine. records: all of it; raw: those that are charges; sums: by line the cells of those that add
    up others; gpu: a table of GPU usage among the charges; times: of what times read.

    gpu has line, instance_type, gpu_model, gpus, seconds_per_unit, quantity, start_s, end_s and the texts of a run.
    """

    form: BillForm
    records: RawTable
    raw: RawTable
    columns: BillColumns
    gpu: str
    times: str
    start: str
    end: str
    order: DateOrder
    sums: Mapping[int, Sequence[str]] = field(default_factory=dict)
