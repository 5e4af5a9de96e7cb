"""The rows of requests that were sent, as the files that came back show them: answered ones and all others."""

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
