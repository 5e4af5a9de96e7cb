"""How the rows of a file end, and what is said of them: one count for every reader that judges rows one by one."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Generic, TypeVar

from gpuplanner.domain.message import NO_WORDS, Message, joined, worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.log.intake import Facts, FileIntake, Issue, RejectedRow
from gpuplanner.files.sources.decoding import NOT_UTF_8
from gpuplanner.files.sources.issue_texts import ISSUE_TEXTS
from gpuplanner.files.sources.row_widths import LONG
from gpuplanner.files.sources.source import Source
from gpuplanner.files.tables.small_table import Row, RowError, RowLeftOutError
from gpuplanner.files.tables.table_mapping import TableMapping

Value = TypeVar("Value")

REJECTED_ROWS_KEPT: Final = 1000
"""Of each file and code, to be shown row by row."""

WORDS_KEPT: Final = 3
"""Of what is said about single rows, in the message of its issue."""

_OF_NO_CODE: Final = (worded("a required field is empty"), worded("fill it in"))


@dataclass(frozen=True, slots=True)
class TableRead(Generic[Value]):
    """What one file held: the values of its accepted rows in file order, and how every row ended.

    rows: the line of the row that each value is from; a row of a price list may hold several offers.
    """

    values: tuple[Value, ...]
    intake: FileIntake
    rows: tuple[int, ...] = ()

    def of_mapping(self, mapping: TableMapping) -> "TableRead[Value]":
        """The same, with what is to be said of how its columns were read."""
        read = self.with_issues(mapping.issues(self.intake.rows_read))
        return replace(read, intake=replace(read.intake, facts=mapping.facts))

    def with_issues(self, more: Sequence[Issue]) -> "TableRead[Value]":
        """The same with more to be said of it, by code."""
        issues = sorted((*self.intake.issues, *more), key=lambda issue: issue.code)
        return replace(self, intake=replace(self.intake, issues=tuple(issues)))


@dataclass(slots=True)
class RowEnds:
    """How many rows were read and how each ended, how often each issue was found, and what was said of its first rows.

    Law: read == accepted + rejected + duplicates + ignored. Whoever reads a row counts it in `read`.
    words_kept: of what is said of single rows, by code.
    """

    read: int = 0
    rejected: int = 0
    duplicates: int = 0
    ignored: int = 0
    words_kept: int = WORDS_KEPT
    _kept: list[RejectedRow] = field(default_factory=list)
    _rows: dict[str, tuple[int, int]] = field(default_factory=dict)
    _words: dict[str, list[Message]] = field(default_factory=dict)
    _remedies: dict[str, list[Message]] = field(default_factory=dict)

    @property
    def accepted(self) -> int:
        """Rows that ended in no other way.

        Law: accepted + rejected + duplicates + ignored == read.
        """
        return self.read - self.rejected - self.duplicates - self.ignored

    def note(
        self, code: str, line: int, words: Message = NO_WORDS, remedy: Message = NO_WORDS, count: int = 1
    ) -> None:
        """More rows with this issue, the first at a line.

        With a remedy of its own, words say all of what is so.

        count: how many rows. Of words only the first few that differ are kept.
        """
        known, first = self._rows.get(code, (0, line))
        self._rows[code] = (known + count, first)
        kept = self._words.setdefault(code, [])
        if words and len(kept) < self.words_kept and words not in kept:
            kept.append(words)
            remedies = self._remedies.setdefault(code, [])
            if remedy and remedy not in remedies:
                remedies.append(remedy)

    def reject(self, line: int, fault: RowError | PlannerError, text: str, count: int = 1) -> None:
        """A row that cannot be taken, with its raw text, and count - 1 like it behind it; the first are kept.

        text: the row as it stands, for the table of rejected rows; counts go on where texts are no longer
        kept.
        """
        self.rejected += count
        own_remedy = fault.remedy if isinstance(fault, RowError) else NO_WORDS
        self.note(fault.code, line, fault.what if own_remedy else NO_WORDS, own_remedy, count)
        if self._rows[fault.code][0] - count < REJECTED_ROWS_KEPT:
            remedy = own_remedy or ISSUE_TEXTS.get(fault.code, _OF_NO_CODE)[1]
            self._kept.append(RejectedRow(line, fault.code, joined((fault.what, remedy), "; "), text))

    def ignore(self, line: int, why: RowLeftOutError) -> None:
        """A row that is nothing to take, and no fault of the file."""
        self.ignored += 1
        self.note(why.code, line, why.what)

    def intake(self, source: Source, kind: str, format_name: str, facts: Facts = ()) -> FileIntake:
        """The file as it was read.

        Issues are in the order of their codes; one of them says if the file is not UTF-8.
        """
        if source.encoding == NOT_UTF_8:
            self.note("encoding", 1)
        issues = tuple(
            Issue(code, count, first, worded_message(code, self._words[code], self._remedies.get(code, ())))
            for code, (count, first) in sorted(self._rows.items())
        )
        return FileIntake(
            source.path,
            kind,
            format_name,
            self.read,
            self.accepted,
            self.rejected,
            self.duplicates,
            self.ignored,
            issues,
            tuple(self._kept),
            source.sha256,
            facts,
        )


def collect_rows(
    source: Source,
    kind: str,
    format_name: str,
    rows: Iterable[tuple[int, Row, str]],
    read_row: Callable[[Row], Sequence[Value]],
    id_of: Callable[[Value], str],
) -> TableRead[Value]:
    """Every row (line, fields, raw text) as values, or as a rejected, duplicate or ignored row.

    Of two values of one id the first is kept; a row without any new value is a duplicate.
    """
    found: dict[str, tuple[Value, int]] = {}
    ends = RowEnds()
    for line, row, text in rows:
        ends.read += 1
        try:
            if row.left_out is not None:
                raise row.left_out
            if row.ragged is not None and row.ragged.code == LONG:
                raise row.ragged
            values = read_row(row)
        except RowLeftOutError as why:
            ends.ignore(line, why)
            continue
        except (RowError, PlannerError) as fault:
            ends.reject(line, fault, text)
            continue
        entries = [(value, line) for value in values]
        new = sum(found.setdefault(id_of(entry[0]), entry) is entry for entry in entries)
        if not new:
            ends.duplicates += 1
            continue
        if row.ragged is not None:
            ends.note(row.ragged.code, line)
        for code in dict.fromkeys(row.notes):
            ends.note(code, line, row.said.get(code, NO_WORDS))
    return TableRead(
        tuple(value for value, _ in found.values()),
        ends.intake(source, kind, format_name),
        tuple(line for _, line in found.values()),
    )


def worded_message(code: str, words: Sequence[Message] = (), remedies: Sequence[Message] = ()) -> Message:
    """What is so, what is special about these rows, and what to do; with remedies of their own these rows alone."""
    if remedies:
        return joined((joined(words, ", "), joined(remedies, ", ")), "; ")
    what, remedy = ISSUE_TEXTS.get(code, _OF_NO_CODE)
    so = joined((what, joined(words, ", ")), ": ") if words else what
    return joined((so, remedy), "; ")
