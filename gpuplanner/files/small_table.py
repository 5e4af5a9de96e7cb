"""Small tables (contracts, prices): every row as text by column, then parsed field by field, faults as issues."""

import csv
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Final, Generic, TypeVar

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import FileIntake, Issue, RejectedRow
from gpuplanner.files.issue_texts import ISSUE_TEXTS, issue_message
from gpuplanner.files.job_logs.times import MISSING_TEXTS, utc_seconds
from gpuplanner.files.numbers import read_decimal
from gpuplanner.files.source import TEXT, Source

Value = TypeVar("Value")
FLAGS: Final = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
LARGEST_NUMBER: Final = 10**12
REJECTED_ROWS_KEPT: Final = 1000
"""Of each file and code, to be shown row by row."""

_DELIMITERS: Final = (",", ";", "\t", "|")


@dataclass(frozen=True, slots=True)
class TableRead(Generic[Value]):
    """What one file held: the values of its accepted rows in file order, and how every row ended."""

    values: tuple[Value, ...]
    intake: FileIntake


class RowError(Exception):
    """This row cannot be taken: code, and what is wrong with it."""

    def __init__(self, code: str, what: str) -> None:
        super().__init__(what)
        self.code, self.what = code, what


@dataclass(slots=True)
class Row:
    """One row on its way: text by column in lower case; `notes` collects the issues of an accepted row."""

    texts: Mapping[str, str]
    timezone: str | None = None
    notes: list[str] = field(default_factory=list)

    def text(self, column: str) -> str | None:
        """The trimmed text; None where it is empty or there is no such column."""
        return self.texts.get(column, "").strip() or None

    def required(self, column: str) -> str:
        """Errors: RowError where the field is empty."""
        text = self.text(column)
        if text is None:
            raise RowError("missing_column", f"{column} is empty")
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
            raise RowError("bad_time", f"{column} is {text!r}")
        return seconds


def header_columns(head: str) -> tuple[str, tuple[str, ...]]:
    """The delimiter and the column names (lower case, trimmed) of the first line that is not blank."""
    line = next((text for text in head.splitlines() if text.strip()), "")
    delimiter = max(_DELIMITERS, key=line.count)
    cells = next(csv.reader([line], delimiter=delimiter), [])
    return delimiter, tuple(cell.strip().lower() for cell in cells)


def read_table(
    source: Source,
    kind: str,
    format_name: str,
    required: Sequence[str],
    read_row: Callable[[Row], Value],
    id_of: Callable[[Value], str],
) -> TableRead[Value]:
    """Every row of a file as a value, or as a rejected or duplicate row. Of two rows of one id the first is kept.

    Errors: PlannerError missing_column, file_unreadable.
    """
    if source.kind not in (TEXT, "xlsx"):
        what = source.foreign or "a Parquet file"
        raise PlannerError(source.path, "file_unreadable", f"it is {what}", f"give {kind} as CSV or XLSX")
    if not source.head.strip():
        raise PlannerError(source.path, "missing_column", "it is empty", f"give {kind} with a header")
    delimiter, columns = header_columns(source.head)
    missing = [name for name in required if name not in columns]
    if missing:
        raise PlannerError(
            f"{source.path}:1",
            "missing_column",
            f"there is no column {', '.join(missing)}",
            "add it to the header",
        )
    found: dict[str, Value] = {}
    first_rows: dict[str, tuple[int, int]] = {}
    rejected: list[RejectedRow] = []
    read = rejections = duplicates = 0

    def note(code: str, line: int) -> None:
        count, first = first_rows.get(code, (0, line))
        first_rows[code] = (count + 1, first)

    with source.rows(delimiter) as rows:
        next(rows)
        for line, cells in rows:
            if not any(cell.strip() for cell in cells):
                continue
            read += 1
            row = Row(dict(zip(columns, cells, strict=False)))
            try:
                value = read_row(row)
            except (RowError, PlannerError) as fault:
                rejections += 1
                note(fault.code, line)
                if first_rows[fault.code][0] <= REJECTED_ROWS_KEPT:
                    remedy = ISSUE_TEXTS.get(fault.code, ("", "fill it in"))[1]
                    text = delimiter.join(cells)
                    rejected.append(RejectedRow(line, fault.code, f"{fault.what}; {remedy}", text))
                continue
            if found.setdefault(id_of(value), value) is not value:
                duplicates += 1
                continue
            for code in dict.fromkeys(row.notes):
                note(code, line)
    if source.encoding == "latin-1":
        first_rows["encoding"] = (1, 1)
    issues = tuple(
        Issue(
            code,
            count,
            first,
            issue_message(code) if code in ISSUE_TEXTS else "a required field is empty; fill it in",
        )
        for code, (count, first) in sorted(first_rows.items())
    )
    intake = FileIntake(
        source.path,
        kind,
        format_name,
        read,
        len(found),
        rejections,
        duplicates,
        0,
        issues,
        tuple(rejected),
        source.sha256,
    )
    return TableRead(tuple(found.values()), intake)
