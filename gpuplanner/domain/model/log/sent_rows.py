"""The rows of requests that were sent, as the files that came back show them: answered ones and all others."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, Final

from gpuplanner.domain.model.log.intake import FileIntake

FACT: Final = "asked"
"""Under what name a file that came back says its rows among its facts."""
QUOTED: Final = "quoted"
NO_BID: Final = "no bid"
UNANSWERED: Final = "none"
UNREAD: Final = "not read"
"""What became of a row in a file."""


@dataclass(frozen=True, slots=True)
class SentRow:
    """One row of a request in one file. name: R1, R2 ... of that request; line: where it stands in the file.

    term_months, term_days: as AskedRow, both 0 where the term cannot be read; start, quoted_on: ISO days, None: not
    told. region, interconnect: asked for, empty and None for any. answer: QUOTED, NO_BID, UNANSWERED or UNREAD;
    vendor: who sent the file, empty where it does not say.
    """

    reference: str
    name: str
    gpu_model: str
    term_months: int
    term_days: int
    start: str | None
    is_option: bool
    region: str
    interconnect: str | None
    vendor: str
    quoted_on: str | None
    answer: str
    line: int

    @property
    def number(self) -> int:
        """That of its name."""
        return int(self.name[1:])

    @property
    def fact(self) -> dict[str, object]:
        """As a file says it among its facts. Law: `sent_in` reads it back."""
        return asdict(self)


def sent_in(file: FileIntake) -> tuple[SentRow, ...]:
    """The rows of requests that a file has, in its order; none of a file that is no answer, or whose fact is none."""
    rows: Any = dict(file.facts).get(FACT, ())
    return tuple(SentRow(**row) for row in rows if isinstance(row, dict) and row.keys() == _NAMES)


_NAMES: Final = {field.name for field in fields(SentRow)}


RowKey = tuple[str, str, str]
"""Vendor, reference and number of a row, in small letters."""


def row_key(vendor: str, reference: str, name: str) -> RowKey:
    """The same for names that differ in case or blanks."""
    return " ".join(vendor.casefold().split()), reference.casefold(), name.casefold()


def taken_back(intake: Sequence[FileIntake]) -> frozenset[RowKey]:
    """The rows for which a vendor's last answer is that it does not bid, whichever file had a quote before.

    intake: in the order in which the files were read. Of several answers the one quoted on last counts; where a day is
    not told, or it is the same, that of the file read last. Source: docs/interface.md, Answered requests.
    """
    answers: dict[RowKey, list[SentRow]] = {}
    for file in intake:
        for row in sent_in(file):
            if row.answer in (QUOTED, NO_BID):
                answers.setdefault(row_key(row.vendor, row.reference, row.name), []).append(row)
    return frozenset(key for key, rows in answers.items() if _last(rows).answer == NO_BID)


def _last(rows: Sequence[SentRow]) -> SentRow:
    """The answer that counts, of those to one row in the order in which they were read."""
    is_told = all(row.quoted_on for row in rows)
    return max(enumerate(rows), key=lambda one: (one[1].quoted_on or "" if is_told else "", one[0]))[1]
