"""Small tables (contracts, prices): rows parsed field by field, each with exactly one fate, faults as issues."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Final, Generic, TypeVar

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.log.intake import FileIntake, Issue, RejectedRow
from gpuplanner.domain.model.worded import NO_WORDS, Worded, joined, worded
from gpuplanner.files.sources.decoding import NOT_UTF_8
from gpuplanner.files.sources.issue_texts import ISSUE_TEXTS
from gpuplanner.files.sources.row_widths import LONG, long_words, named_width, ragged_code
from gpuplanner.files.sources.source import TEXT, Source
from gpuplanner.files.tables.harmless_cells import as_written
from gpuplanner.files.tables.headers import header_columns
from gpuplanner.files.tables.table_mapping import TableMapping
from gpuplanner.files.values.numbers import read_decimal
from gpuplanner.files.values.times import MISSING_TEXTS, utc_seconds

Value = TypeVar("Value")
FLAGS: Final = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
LARGEST_NUMBER: Final = 10**12
REJECTED_ROWS_KEPT: Final = 1000
"""Of each file and code, to be shown row by row."""

_OF_NO_CODE: Final = (worded("a required field is empty"), worded("fill it in"))

WORDS_KEPT: Final = 3
"""Of what is said about single rows, in the message of its issue."""


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


class RowError(Exception):
    """This row cannot be taken: code, what is wrong with it, and a remedy of its own, else that of the code."""

    def __init__(self, code: str, what: Worded, remedy: Worded = NO_WORDS) -> None:
        super().__init__(what)
        self.code, self.what, self.remedy = code, what, remedy


class RowLeftOutError(Exception):
    """This row is nothing to take, and no fault of the file: code of the issue that says so, and words."""

    def __init__(self, code: str, what: Worded = NO_WORDS) -> None:
        super().__init__(what)
        self.code, self.what = code, what


@dataclass(slots=True)
class Row:
    """One row on its way: text by column in lower case; `notes` collects the issues of an accepted row.

    said: by code, what to say of this row in the issue. left_out: why it is not even looked at.
    ragged: why it does not have the cells of its table (`of_width`), empty where it does.
    ways: in a price list, each way to pay for what the row offers: category, term in months, rate.
    """

    texts: Mapping[str, str]
    timezone: str | None = None
    notes: list[str] = field(default_factory=list)
    said: dict[str, Worded] = field(default_factory=dict)
    left_out: RowLeftOutError | None = None
    ragged: RowError | None = None
    ways: tuple[tuple[str, str, str], ...] = ()

    def of_width(self, cells: Sequence[str], headings: Sequence[str], source: Source) -> "Row":
        """The same, which now knows whether it has too few or too many cells; a sheet keeps no empty ones at an end."""
        least = named_width(headings) if source.kind == TEXT else 0
        code = ragged_code(cells, len(headings), least)
        self.ragged = RowError(code, long_words(cells, len(headings))) if code else None
        return self

    def say(self, code: str, words: Worded) -> None:
        """Note an issue of this row with what is special about it."""
        self.notes.append(code)
        self.said[code] = joined((self.said[code], words), ", ") if code in self.said else words

    def text(self, column: str) -> str | None:
        """The trimmed text; None where it is empty or there is no such column."""
        return self.texts.get(column, "").strip() or None

    def required(self, column: str) -> str:
        """Errors: RowError where the field is empty."""
        text = self.text(column)
        if text is None:
            raise RowError("missing_column", worded("{column} is empty", column=column))
        return text

    def number(
        self, column: str, low: Decimal | int | None = 0, high: int = LARGEST_NUMBER
    ) -> Decimal | None:
        """A number from low to high; a bad one leaves the field unknown and an issue."""
        text = self.text(column)
        if text is None:
            return None
        value = read_decimal(text.replace("$", ""))
        if value is None or (low is not None and value < low) or abs(value) > high:
            self.notes.append("bad_number")
            return None
        return value

    def integer(self, column: str, high: int = LARGEST_NUMBER) -> int | None:
        """A whole number from 0 to high; a bad one leaves the field unknown and an issue."""
        value = self.number(column, high=high)
        if value is not None and value != value.to_integral_value():
            self.notes.append("bad_number")
            return None
        return None if value is None else int(value)

    def rate(self, column: str) -> Decimal | None:
        """$ per GPU-hour; none, zero or no number is a quote that is needed, never a gift."""
        value = self.number(column)
        if value is None or value == 0:
            self.notes.append("quote_needed")
            return None
        return value

    def word(self, column: str, meanings: Mapping[str, Value]) -> Value | None:
        """What one of several words means, without case; another leaves the field unknown and an issue."""
        text = (self.text(column) or "").lower()
        if text and text not in meanings:
            self.notes.append("unknown_value")
        return meanings.get(text)

    def flag(self, column: str) -> bool | None:
        """true or false (yes, no, 1, 0); anything else is unknown."""
        return self.word(column, FLAGS)

    def time(self, column: str) -> int | None:
        """UTC seconds; a time or date without a zone is UTC unless one was given. None where empty.

        Errors: RowError bad_time.
        """
        text = self.text(column)
        if text is None or text.lower() in MISSING_TEXTS:
            return None
        seconds = utc_seconds(text, self.timezone)
        if seconds is None:
            raise RowError("bad_time", worded("{column} is {text}", column=column, text=f"{text!r}"))
        return seconds


def rows_below(
    source: Source, columns: Sequence[str], timezone: str | None = None
) -> Iterator[tuple[int, Row, str]]:
    """Every row below the header, by these names of its columns, as `collect_rows` takes them."""
    delimiter = header_columns(source.head)[0]
    with source.rows(delimiter) as opened:
        next(opened, None)
        for line, cells in opened:
            texts = dict(zip(columns, map(as_written, cells), strict=False))
            row = Row(texts, timezone).of_width(cells, columns, source)
            yield line, row, delimiter.join(cells)


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
    issues = IssueCount()
    rejected: list[RejectedRow] = []
    read = rejections = duplicates = ignored = 0
    for line, row, text in rows:
        read += 1
        try:
            if row.left_out is not None:
                raise row.left_out
            if row.ragged is not None and row.ragged.code == LONG:
                raise row.ragged
            values = read_row(row)
        except RowLeftOutError as fate:
            ignored += 1
            issues.note(fate.code, line, fate.what)
            continue
        except (RowError, PlannerError) as fault:
            rejections += 1
            own_remedy = fault.remedy if isinstance(fault, RowError) else NO_WORDS
            issues.note(fault.code, line, fault.what if own_remedy else NO_WORDS, own_remedy)
            if issues.count(fault.code) <= REJECTED_ROWS_KEPT:
                remedy = own_remedy or ISSUE_TEXTS.get(fault.code, _OF_NO_CODE)[1]
                rejected.append(RejectedRow(line, fault.code, joined((fault.what, remedy), "; "), text))
            continue
        entries = [(value, line) for value in values]
        new = sum(found.setdefault(id_of(entry[0]), entry) is entry for entry in entries)
        if not new:
            duplicates += 1
            continue
        if row.ragged is not None:
            issues.note(row.ragged.code, line)
        for code in dict.fromkeys(row.notes):
            issues.note(code, line, row.said.get(code, NO_WORDS))
    if source.encoding == NOT_UTF_8:
        issues.note("encoding", 1)
    intake = FileIntake(
        source.path,
        kind,
        format_name,
        read,
        read - rejections - duplicates - ignored,
        rejections,
        duplicates,
        ignored,
        issues.issues(),
        tuple(rejected),
        source.sha256,
    )
    return TableRead(
        tuple(value for value, _ in found.values()), intake, tuple(line for _, line in found.values())
    )


class Names:
    """Names for rows that have none: the second of a name is `name (2)`."""

    def __init__(self) -> None:
        self._seen: dict[str, int] = {}

    def next(self, name: str) -> tuple[str, bool]:
        """The name to use, and whether there was one alike."""
        again = self._seen[name] = self._seen.get(name, 0) + 1
        return (name if again == 1 else f"{name} ({again})"), again > 1


class IssueCount:
    """How often each issue was found, where first, and what was said of the first rows."""

    def __init__(self) -> None:
        self._rows: dict[str, tuple[int, int]] = {}
        self._words: dict[str, list[Worded]] = {}
        self._remedies: dict[str, list[Worded]] = {}

    def note(self, code: str, line: int, words: Worded = NO_WORDS, remedy: Worded = NO_WORDS) -> None:
        """One more row with this issue; where a remedy of its own is given, words say all of what is so."""
        count, first = self._rows.get(code, (0, line))
        self._rows[code] = (count + 1, first)
        kept = self._words.setdefault(code, [])
        if words and len(kept) < WORDS_KEPT and words not in kept:
            kept.append(words)
            remedies = self._remedies.setdefault(code, [])
            if remedy and remedy not in remedies:
                remedies.append(remedy)

    def count(self, code: str) -> int:
        """Rows with it so far."""
        return self._rows.get(code, (0, 0))[0]

    def issues(self) -> tuple[Issue, ...]:
        """All of them, by code."""
        return tuple(
            Issue(code, count, first, worded_message(code, self._words[code], self._remedies.get(code, ())))
            for code, (count, first) in sorted(self._rows.items())
        )


def worded_message(code: str, words: Sequence[Worded] = (), remedies: Sequence[Worded] = ()) -> Worded:
    """What is so, what is special about these rows, and what to do; with remedies of their own these rows alone."""
    if remedies:
        return joined((joined(words, ", "), joined(remedies, ", ")), "; ")
    what, remedy = ISSUE_TEXTS.get(code, _OF_NO_CODE)
    so = joined((what, joined(words, ", ")), ": ") if words else what
    return joined((so, remedy), "; ")
