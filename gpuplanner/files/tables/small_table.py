"""Small tables: kinds declared once, rows parsed field by field, and the outcome of each row."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import partial
from itertools import chain, islice
from typing import Any, Final, Generic, TypeVar

from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import NO_WORDS, Message, joined, worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import Facts, FileIntake, Issue, RejectedRow
from gpuplanner.files.sources import issue_texts
from gpuplanner.files.sources.json_values import begins_json
from gpuplanner.files.sources.source import NOT_UTF_8, TEXT, Source, sources_of
from gpuplanner.files.tables.column_mapping import (
    DIFFERS,
    ColumnMapping,
    MappingWords,
    TableMapping,
    column_place,
    constant_of,
)
from gpuplanner.files.tables.delimited import as_written, header_columns, headings_written, no_column
from gpuplanner.files.tables.unread_columns import QUESTION, ReadTable, Verdict, unread_issues
from gpuplanner.files.values.numbers import read_decimal
from gpuplanner.files.values.times import MISSING_TEXTS, utc_seconds
from gpuplanner.lazy_dataclass import dataclass, field, replace

# --- Small tables (contracts, prices): a row being read field by field, with its issues -----------

Value = TypeVar("Value")
FLAGS: Final = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
LARGEST_NUMBER: Final = 10**12


class RowError(Exception):
    """A row that cannot be imported: code, problem, and a remedy if it is not the code's."""

    def __init__(self, code: str, what: Message, remedy: Message = NO_WORDS) -> None:
        super().__init__(what)
        self.code, self.what, self.remedy = code, what, remedy


def cell_is(column: str, text: str) -> Message:
    """Return the problem of an unreadable cell."""
    return worded("{column} is {text}", column=column, text=text.strip()[:40])


def not_one_of(column: str, text: str, names: Iterable[str]) -> Message:
    """Return the problem of a cell with a word that its column does not allow. names: the allowed words."""
    return worded(
        "{column} is {text}, not one of {names}", column=column, text=repr(text), names=", ".join(names)
    )


class RowLeftOutError(Exception):
    """A row that is skipped without being an error: code of its issue, words and remedy."""

    def __init__(self, code: str, what: Message = NO_WORDS, remedy: Message = NO_WORDS) -> None:
        super().__init__(what)
        self.code, self.what, self.remedy = code, what, remedy


Words = Message | Callable[[], Message]
"""Details about a row; built only when read, since of thousands only the first few are."""


def words_of(words: Words) -> Message:
    """Return the message, built if needed."""
    return words if isinstance(words, Message) else words()


@dataclass(slots=True, kw_only=True)
class Row:
    """A row being read: text by column in lower case; `notes` collects the issues of an accepted row.

    said: details for an issue, by code. left_out: reason to skip it unread. ragged: its error for a wrong number of
    cells (`of_width`), None without one. ways: in a price list, each pricing of its offer: category, term in months,
    rate.
    """

    texts: Mapping[str, str]
    timezone: str | None = None
    notes: list[str] = field(default_factory=list)
    said: dict[str, Words] = field(default_factory=dict)
    left_out: RowLeftOutError | None = None
    ragged: RowError | None = None
    ways: tuple[tuple[str, str, str], ...] = ()

    def of_width(self, cells: Sequence[str], headings: Sequence[str], source: Source) -> "Row":
        """Set `ragged` from the number of cells, and return the row; sheets omit empty cells at the end."""
        least = issue_texts.named_width(headings) if source.kind == TEXT and len(cells) < len(headings) else 0
        code = issue_texts.ragged_code(cells, len(headings), least)
        self.ragged = RowError(code, issue_texts.long_words(cells, len(headings))) if code else None
        return self

    def say(self, code: str, words: Words) -> None:
        """Add an issue of this row with its details."""
        self.notes.append(code)
        if code not in self.said:
            self.said[code] = words
            return
        before, words = words_of(self.said[code]), words_of(words)
        if str(words) not in str(before):
            self.said[code] = joined((before, words), ", ") if before else words

    def take_notes(self, other: "Row") -> None:
        """Add the issues of a row that is a part of this one."""
        for code in other.notes:
            self.say(code, other.said.get(code, NO_WORDS))

    def text(self, column: str) -> str | None:
        """Return the trimmed text; None if it is empty or the column is missing.

        >>> row = Row(texts={"gpus": " 8 ", "end": ""})
        >>> row.text("gpus"), row.text("end"), row.text("start")
        ('8', None, None)
        """
        text = self.texts.get(column)
        return (text.strip() or None) if text else None

    def required(self, column: str) -> str:
        """Return the trimmed text. Errors: RowError missing_column if it is empty."""
        text = self.text(column)
        if text is None:
            raise RowError("missing_column", worded("{column} is empty", column=column))
        return text

    def number(
        self, column: str, low: Decimal | int | None = 0, high: int = LARGEST_NUMBER
    ) -> Decimal | None:
        """Return a number from low to high, or None with an issue for a bad one; None if empty.

        low: None: no lower bound. A dollar sign in front is allowed.

        >>> row = Row(texts={"rate": "$2.50", "fee": "-1"})
        >>> row.number("rate"), row.number("fee"), row.number("other")
        (Decimal('2.50'), None, None)
        """
        if not self.texts.get(column) or (text := self.text(column)) is None:
            return None
        value = read_decimal(text.replace("$", ""))
        if value is None or (low is not None and value < low) or abs(value) > high:
            self.say("bad_number", cell_is(column, text))
            return None
        return value

    def real(self, column: str, low: Decimal | int | None = 0, high: int = LARGEST_NUMBER) -> float | None:
        """Return `number` as a float, for values that are no money.

        >>> Row(texts={"kw": "0.7"}).real("kw"), Row(texts={}).real("kw")
        (0.7, None)
        """
        value = self.number(column, low, high)
        return None if value is None else float(value)

    def integer(self, column: str, high: int = LARGEST_NUMBER) -> int | None:
        """Return a whole number from 0 to high, or None with an issue for a bad one.

        >>> Row(texts={"term": "36"}).integer("term"), Row(texts={"term": "1.5"}).integer("term")
        (36, None)
        """
        value = self.number(column, high=high)
        if value is not None and value != value.to_integral_value():
            self.say("bad_number", cell_is(column, f"{value:f}"))
            return None
        return None if value is None else int(value)

    def rate(self, column: str) -> Decimal | None:
        """Return a rate in $ per GPU-hour; None, noted as quote_needed, for an empty, zero or invalid cell.

        >>> Row(texts={"rate": "2.50"}).rate("rate"), Row(texts={"rate": "0"}).rate("rate")
        (Decimal('2.50'), None)
        """
        value = self.number(column)
        if value is None or value == 0:
            self.notes.append("quote_needed")
            return None
        return value

    def word(self, column: str, meanings: Mapping[str, Value]) -> Value | None:
        """Return the meaning of a word regardless of case, or None with an issue for an unknown one; None if empty."""
        text = (self.text(column) or "").lower()
        if text and text not in meanings:
            self.notes.append("unknown_value")
        return meanings.get(text)

    def flag(self, column: str) -> bool | None:
        """Return true or false (yes, no, 1, 0); None for other text.

        >>> row = Row(texts={"spot": "Yes", "owned": "0", "rdma": "perhaps"})
        >>> row.flag("spot"), row.flag("owned"), row.flag("rdma")
        (True, False, None)
        """
        return self.word(column, FLAGS)

    def time(self, column: str) -> int | None:
        """Return epoch seconds UTC; None if empty. Without a zone, the row's time zone applies, by default UTC.

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
    """Yield every row below the header for `collect_rows`, with these column names.

    timezone: of times without one; None: UTC. The text is the raw row, for the table of rejected rows.
    """
    delimiter = header_columns(source.head).delimiter
    with source.rows(delimiter) as opened:
        next(opened, None)
        for line, cells in opened:
            texts = dict(zip(columns, map(as_written, cells), strict=False))
            yield (
                line,
                Row(texts=texts, timezone=timezone).of_width(cells, columns, source),
                delimiter.join(cells),
            )


class Names:
    """Unique names for unnamed rows: the second of a name is `name (2)`."""

    def __init__(self) -> None:
        self._seen: dict[str, int] = {}

    def next(self, name: str) -> tuple[str, bool]:
        """Return the name to use, and whether it was used before.

        >>> names = Names()
        >>> names.next("H100"), names.next("H100")
        (('H100', False), ('H100 (2)', True))
        """
        again = self._seen[name] = self._seen.get(name, 0) + 1
        return (name if again == 1 else f"{name} ({again})"), again > 1


# --- Outcome of a file's rows and their issues: one count for all readers that check row by row ---

REJECTED_ROWS_KEPT: Final = 1000
"""Rejected rows to keep, by file and code."""

WORDS_KEPT: Final = 3
"""Details of single rows to keep in an issue's message."""
NAMED_AT_MOST: Final = 200
"""The same, where each row is money."""

_OF_CELLS: Final = ("bad_number",)
"""Codes whose details describe a cell, shown after its row."""

_OF_NO_CODE: Final = issue_texts.IssueText(
    problem=worded("a required field is empty"), remedy=worded("fill it in")
)


@dataclass(frozen=True, slots=True)
class TableRead(Generic[Value]):
    """Result of a file: the values of its accepted rows in order, and the intake.

    rows: line of each value; a row of a price list may contain several offers. mapping: of its columns, None for a
    table that is read by names of its own.
    """

    values: tuple[Value, ...]
    intake: FileIntake
    rows: tuple[int, ...] = ()
    mapping: TableMapping | None = None

    def of_mapping(self, mapping: TableMapping) -> "TableRead[Value]":
        """Return the result with its column mapping, and the facts of that."""
        return replace(self, mapping=mapping, intake=replace(self.intake, facts=mapping.facts))

    def with_issues(self, more: Sequence[Issue]) -> "TableRead[Value]":
        """Return the result with further issues, sorted by code."""
        issues = sorted((*self.intake.issues, *more), key=lambda issue: issue.code)
        return replace(self, intake=replace(self.intake, issues=tuple(issues)))


@dataclass(slots=True, kw_only=True)
class RowEnds:
    """Counts of rows by outcome and of issues by code, with details of the first rows.

    Law: read == accepted + rejected + duplicates + ignored. Callers count each row in `read`.
    words_kept: details to keep by code; for codes in `named` more.
    """

    read: int = 0
    rejected: int = 0
    duplicates: int = 0
    ignored: int = 0
    words_kept: int = WORDS_KEPT
    named: Collection[str] = ()
    _kept: list[RejectedRow] = field(default_factory=list)
    _rows: dict[str, tuple[int, int]] = field(default_factory=dict)
    _words: dict[str, list[Message]] = field(default_factory=dict)
    _remedies: dict[str, list[Message]] = field(default_factory=dict)

    @property
    def accepted(self) -> int:
        """Accepted rows. Law: accepted + rejected + duplicates + ignored == read."""
        return self.read - self.rejected - self.duplicates - self.ignored

    def note(
        self, code: str, line: int, words: Words = NO_WORDS, remedy: Message = NO_WORDS, count: int = 1
    ) -> None:
        """Count rows with an issue, the first at `line`.

        words: details; with a remedy of its own, the whole problem. count: number of rows. Only the first different
        details are kept.
        """
        known, first = self._rows.get(code, (0, line))
        self._rows[code] = (known + count, first)
        kept = self._words.setdefault(code, [])
        at_most = NAMED_AT_MOST if code in self.named else self.words_kept
        if len(kept) < at_most and (said := words_of(words)) and said not in kept:
            is_of_cell = code in _OF_CELLS and not remedy
            kept.append(worded("row {row}: {what}", row=whole(line), what=said) if is_of_cell else said)
            remedies = self._remedies.setdefault(code, [])
            if remedy and remedy not in remedies:
                remedies.append(remedy)

    def reject(self, line: int, fault: RowError | PlannerError, text: str, count: int = 1) -> None:
        """Count a rejected row and count - 1 more like it; the first ones are kept.

        text: the raw row, for the table of rejected rows. Counts continue when texts are no longer kept.
        """
        self.rejected += count
        own_remedy = fault.remedy if isinstance(fault, RowError) else NO_WORDS
        self.note(fault.code, line, fault.what if own_remedy else NO_WORDS, own_remedy, count)
        if self._rows[fault.code][0] - count < REJECTED_ROWS_KEPT:
            remedy = own_remedy or issue_texts.ISSUE_TEXTS.get(fault.code, _OF_NO_CODE).remedy
            self._kept.append(
                RejectedRow(row=line, code=fault.code, message=joined((fault.what, remedy), "; "), text=text)
            )

    def ignore(self, line: int, why: RowLeftOutError) -> None:
        """Count a skipped row, which is no error."""
        self.ignored += 1
        self.note(why.code, line, why.what, why.remedy)

    def intake(self, source: Source, kind: str, format_name: str, facts: Facts = ()) -> FileIntake:
        """Return the intake of the file, with issues sorted by code; one states that the file is not UTF-8."""
        if source.encoding == NOT_UTF_8:
            self.note("encoding", 1)
        issues = tuple(
            Issue(code, count, first, worded_message(code, self._words[code], self._remedies.get(code, ())))
            for code, (count, first) in sorted(self._rows.items())
        )
        return FileIntake(
            path=source.path,
            kind=kind,
            format=format_name,
            rows_read=self.read,
            rows_accepted=self.accepted,
            rows_rejected=self.rejected,
            rows_duplicate=self.duplicates,
            rows_ignored=self.ignored,
            issues=issues,
            rejected=tuple(self._kept),
            sha256=source.sha256,
            facts=facts,
        )


def collect_rows(
    source: Source,
    kind: str,
    format_name: str,
    rows: Iterable[tuple[int, Row, str]],
    read_row: Callable[[Row], Sequence[Value]],
    id_of: Callable[[Value], str],
    named: Collection[str] = (),
) -> TableRead[Value]:
    """Return the values of all rows (line, fields, raw text), and the outcome of each row.

    The first value of an id is kept; a row without a new value is a duplicate. named: codes whose details are kept for
    all rows.
    """
    found: dict[str, tuple[Value, int]] = {}
    ends = RowEnds(named=named)
    for line, row, text in rows:
        ends.read += 1
        try:
            if row.left_out is not None:
                raise row.left_out
            if row.ragged is not None and row.ragged.code == issue_texts.LONG:
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
    """Return problem, details and remedy in one message; with remedies of their own, only the details and these."""
    if remedies:
        return joined((joined(words, ", "), joined(remedies, ", ")), "; ")
    problem, remedy = issue_texts.ISSUE_TEXTS.get(code, _OF_NO_CODE)
    so = joined((problem, joined(words, ", ")), ": ") if words else problem
    return joined((so, remedy), "; ")


# --- Files of one kind of table: an unusable file is refused, the others continue; each value once -


@dataclass(frozen=True, slots=True)
class TablesRead(Generic[Value]):
    """Results of several files: new values by file, all intakes, and the errors of refused files."""

    by_file: tuple[tuple[Value, ...], ...] = ()
    intake: tuple[FileIntake, ...] = ()
    refused: tuple[PlannerError, ...] = ()

    @property
    def values(self) -> tuple[Value, ...]:
        """All values in the order of files and rows."""
        return tuple(value for values in self.by_file for value in values)

    def or_refused(self) -> "TablesRead[Value]":
        """Return the results. Errors: PlannerError of the first refused file."""
        if self.refused:
            raise self.refused[0]
        return self


PartsRead = list[tuple[TableRead[Value], PlannerError | None]]
"""What a file holds, or each file packed in it, and why it was refused."""

Kept = Callable[[str, Callable[[], PartsRead[Any]]], PartsRead[Any]]
"""Returns what was read of a path before where nothing changed, else calls the function that reads it."""


def read_anew(path: str, read: Callable[[], PartsRead[Any]]) -> PartsRead[Any]:
    """Read a file, whatever was read of it before."""
    return read()


def read_files(
    paths: Sequence[str],
    read: Callable[[str, Source], TableRead[Value]],
    key: Callable[[Value], object],
    refused_as: Callable[[Source, PlannerError], FileIntake],
    refusing: Collection[str] = ("missing_column", "odd_rate", QUESTION),
    kept: Kept = read_anew,
) -> TablesRead[Value]:
    """Read every file, and every file packed in one. read: takes the given path and a source in it.

    key: identifies a value; the first is kept, also across files. refused_as: returns the intake of a refused file.
    refusing: codes of errors that refuse a file. kept: readings of before.
    Errors: PlannerError file_missing, file_unreadable, truncated_file, and all other codes.
    """

    def parts_of(path: str) -> PartsRead[Value]:
        """Reads one file."""
        parts: PartsRead[Value] = []
        with sources_of(path) as sources:
            for source in sources:
                try:
                    parts.append((read(path, source), None))
                except PlannerError as fault:
                    if fault.code not in refusing:
                        raise
                    parts.append((TableRead((), refused_as(source, fault)), fault))
        return parts

    parts = [part for path in paths for part in kept(path, partial(parts_of, path))]
    first: dict[object, Value] = {}
    new = [_new_of(table, first, key) for table, _ in parts]
    refused = tuple(fault for _, fault in parts if fault is not None)
    return TablesRead(tuple(values for values, _ in new), tuple(intake for _, intake in new), refused)


def _new_of(
    read: TableRead[Value], found: dict[object, Value], key: Callable[[Value], object]
) -> tuple[tuple[Value, ...], FileIntake]:
    """Return a file's values not found before, and its intake; a row without a new value is a duplicate."""
    ends: dict[int, bool] = {}
    new_values = []
    for at, value in enumerate(read.values):
        row = read.rows[at] if read.rows else at
        is_new = found.setdefault(key(value), value) is value
        ends[row] = ends.get(row, False) or is_new
        if is_new:
            new_values.append(value)
    again = sum(not has_new for has_new in ends.values())
    intake = replace(
        read.intake,
        rows_accepted=read.intake.rows_accepted - again,
        rows_duplicate=read.intake.rows_duplicate + again,
    )
    return tuple(new_values), intake


# --- Kinds of small tables, declared once: columns, required columns, row reader, and one way to read them

ROWS_JUDGED: Final = 2000
"""First rows by which a column that was not read is judged."""

ReadRow = Callable[[Row], Sequence[Value]]
"""Returns the values of a row, usually one. Errors: RowError, RowLeftOutError, PlannerError: see `collect_rows`."""

Rows = Iterator[tuple[int, Row, str]]
"""Rows as (line, fields, raw text): see `collect_rows`."""


def one_value(read_row: Callable[[Row], Value]) -> Callable[[], ReadRow[Value]]:
    """Return the reader of a kind whose rows have one value each, independent of each other."""
    return lambda: lambda row: (read_row(row),)


NO_FACTS: Final[Facts] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TableKind(Generic[Value]):
    """A kind of table.

    kind, format: names in the intake. columns: the documented columns. needed: groups of columns; one of each is
    required. reader: returns a new row reader for each file. key: identifies a value; the first is kept. why: reason
    for detection. names_of: our names for a header's columns. rows: opens the rows below a header with these names, in
    a time zone. tells: returns whether the required columns prove the kind; sureness: confidence then. told_by:
    confidence for a text without a header, 0..1; its rows are then opened without one. facts: facts about a file's
    values, for `check`. unread: the most that is made of a column that was not read.
    """

    kind: str
    format: str
    columns: tuple[str, ...]
    needed: tuple[tuple[str, ...], ...]
    reader: Callable[[], ReadRow[Value]]
    key: Callable[[Value], object]
    why: Message = NO_WORDS
    names_of: Callable[[Sequence[str]], Sequence[str]] = lambda columns: columns
    rows: Callable[[Source, Sequence[str], str | None], Rows] = rows_below
    tells: Callable[[frozenset[str]], bool] = lambda names: True
    sureness: float = 0.97
    told_by: Callable[[str], float] | None = None
    facts: Callable[[Sequence[Value]], Facts] = lambda values: NO_FACTS
    unread: Verdict = Verdict.SILENT

    def sniff(self, head: str) -> float:
        """Return the confidence that a text starts such a table, 0..1; 0 for JSON unless `told_by` decides."""
        if self.told_by is not None:
            return self.told_by(head)
        if begins_json(head):
            return 0.0
        names = frozenset(self.names_of(header_columns(head).columns))
        return self.sureness if not self.lacks(names) and self.tells(names) else 0.0

    def lacks(self, names: Sequence[str] | frozenset[str]) -> list[str]:
        """Return the required columns that are missing. names: columns in this kind's names."""
        return [" or ".join(group) for group in self.needed if set(group).isdisjoint(names)]

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of all columns that are read: those of our own tables, and others that stand for them."""
        return tuple(dict.fromkeys((*self.columns, *chain.from_iterable(self.needed))))

    def read(
        self, source: Source, timezone: str | None = None, mapping: str | None = None
    ) -> TableRead[Value]:
        """Return the values of a file, in order. timezone: of times without a zone (None: UTC).

        mapping: what is read otherwise than by the names of columns, in words.

        Errors: PlannerError missing_column, file_unreadable, usage.
        """
        if self.told_by is not None:
            return self.collect(source, self.rows(source, (), timezone), self.reader())
        mapped = ColumnMapping({})
        if words := (mapping or "").removeprefix(DIFFERS):
            mapped = self.words("--map").parse(words)
        names = self.names_in(source, mapped)
        constants = {
            own: text for own, name in mapped.columns.items() if (text := constant_of(name)) is not None
        }
        missing = self.lacks((*names, *constants))
        if missing:
            raise no_column(
                source.path, missing, worded("use the header {names}", names=",".join(self.columns))
            )
        rows = _with_constants(self.rows(source, names, timezone), constants)
        read = self.collect(source, rows, self.reader())
        if self.unread is Verdict.SILENT:
            return read
        return read.with_issues(unread_issues(self._table(source, names, mapped, read), self.unread))

    def words(self, option: str) -> MappingWords:
        """Return the grammar of this kind's mappings. option: to name in errors."""
        return MappingWords(option, self.fields, lambda name: () if name in self.fields else None)

    def names_in(self, source: Source, mapping: ColumnMapping) -> tuple[str, ...]:
        """Return our names of a file's columns, by their headings and a mapping; "" of columns not needed.

        Errors: PlannerError missing_column for a column that is not there.
        """
        written = headings_written(source.head)
        names = list(self.names_of(header_columns(source.head).columns))
        for heading in mapping.not_needed:
            if (place := column_place(written, heading)) is not None:
                names[place] = ""
        for own, heading in mapping.columns.items():
            if constant_of(heading) is not None:
                continue
            if (place := column_place(written, heading)) is None:
                remedy = worded("name one of {names}", names=", ".join(filter(None, written)))
                raise no_column(source.path, [heading], remedy, _header_row(source.head))
            names = ["" if name == own else name for name in names]
            names[place] = own
        return tuple(names)

    def _table(
        self, source: Source, names: Sequence[str], mapping: ColumnMapping, read: TableRead[Value]
    ) -> ReadTable:
        """Return the first accepted rows of a file with what was read of them."""
        accepted, known = {*read.rows}, set(self.fields)
        with source.rows(header_columns(source.head).delimiter) as rows:
            first = [cells for line, cells in islice(rows, ROWS_JUDGED) if line in accepted]
        written = headings_written(source.head)
        return ReadTable(
            headings=written,
            rows=first,
            fields={heading: name for heading, name in zip(written, names, strict=True) if name in known},
            not_needed=mapping.not_needed,
            header_row=_header_row(source.head),
            topics=("money", "time", "place"),
        )

    def collect(self, source: Source, rows: Rows, read_row: ReadRow[Value]) -> TableRead[Value]:
        """Return the values of rows that were opened otherwise, with this kind's rules and facts.

        A value whose key came before is a duplicate.
        """
        read = collect_rows(
            source, self.kind, self.format, rows, read_row, lambda value: repr(self.key(value))
        )
        return replace(read, intake=replace(read.intake, facts=self.facts(read.values)))

    def read_files(
        self, paths: Sequence[str], timezone: str | None = None, mapping: str | None = None
    ) -> TablesRead[Value]:
        """Return the values of several files, one per key. Errors: as for the function `read_files`."""
        return read_files(
            paths, lambda _, source: self.read(source, timezone, mapping), self.key, self.refused
        )

    def describe(self, source: Source) -> FileIntake:
        """Return the intake for `check`; an unreadable file is described as refused, with the reason."""
        try:
            return self.read(source).intake
        except PlannerError as fault:
            return self.refused(source, fault)

    def refused(self, source: Source, fault: PlannerError) -> FileIntake:
        """Return the intake of a file that cannot be read as this kind."""
        return issue_texts.refused_file(source, fault, self.kind, self.format)


def _with_constants(rows: Rows, constants: Mapping[str, str]) -> Rows:
    """Yield rows with constants, by field, in place of their cells."""
    for line, row, text in rows:
        row.texts = {**row.texts, **constants} if constants else row.texts
        yield line, row, text


def _header_row(head: str) -> int:
    """Return the line of the header, from 1: the first that is not blank."""
    return next((line for line, text in enumerate(head.splitlines(), 1) if text.strip()), 1)
