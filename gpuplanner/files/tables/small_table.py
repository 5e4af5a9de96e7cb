"""Small tables: kinds of them, declared once, one row on its way, parsed field by field, and how a file's rows end."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Final, Generic, TypeVar

from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import NO_WORDS, Message, joined, worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import Facts, FileIntake, Issue, RejectedRow
from gpuplanner.files.sources import issue_texts
from gpuplanner.files.sources.json_values import begins_json
from gpuplanner.files.sources.source import NOT_UTF_8, TEXT, Source, sources_of
from gpuplanner.files.tables.column_mapping import TableMapping, unknown_columns
from gpuplanner.files.tables.delimited import as_written, header_columns, no_column
from gpuplanner.files.values.numbers import read_decimal
from gpuplanner.files.values.times import MISSING_TEXTS, utc_seconds
from gpuplanner.lazy_dataclass import dataclass, field, replace

# --- Small tables (contracts, prices): one row on its way, parsed field by field, with what is wrong with it

Value = TypeVar("Value")
FLAGS: Final = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
LARGEST_NUMBER: Final = 10**12


class RowError(Exception):
    """This row cannot be taken: code, what is wrong with it, and a remedy of its own, else that of the code."""

    def __init__(self, code: str, what: Message, remedy: Message = NO_WORDS) -> None:
        super().__init__(what)
        self.code, self.what, self.remedy = code, what, remedy


def cell_is(column: str, text: str) -> Message:
    """What a cell holds that cannot be read as what it should be."""
    return worded("{column} is {value}", column=column, value=text.strip()[:40])


class RowLeftOutError(Exception):
    """This row is nothing to take, and no fault of the file: code of the issue that says so, words and remedy."""

    def __init__(self, code: str, what: Message = NO_WORDS, remedy: Message = NO_WORDS) -> None:
        super().__init__(what)
        self.code, self.what, self.remedy = code, what, remedy


Words = Message | Callable[[], Message]
"""What is special about a row; made only where it is read, for of thousands of rows the first few are."""


def words_of(words: Words) -> Message:
    """The message itself."""
    return words if isinstance(words, Message) else words()


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
    said: dict[str, Words] = field(default_factory=dict)
    left_out: RowLeftOutError | None = None
    ragged: RowError | None = None
    ways: tuple[tuple[str, str, str], ...] = ()

    def of_width(self, cells: Sequence[str], headings: Sequence[str], source: Source) -> "Row":
        """The same, which now knows whether it has too few or too many cells; a sheet keeps no empty ones at an end."""
        least = issue_texts.named_width(headings) if source.kind == TEXT and len(cells) < len(headings) else 0
        code = issue_texts.ragged_code(cells, len(headings), least)
        self.ragged = RowError(code, issue_texts.long_words(cells, len(headings))) if code else None
        return self

    def say(self, code: str, words: Words) -> None:
        """Note an issue of this row with what is special about it."""
        self.notes.append(code)
        if code not in self.said:
            self.said[code] = words
            return
        before, words = words_of(self.said[code]), words_of(words)
        if str(words) not in str(before):
            self.said[code] = joined((before, words), ", ") if before else words

    def take_notes(self, other: "Row") -> None:
        """Note what was noted of a row that stands for a part of this one."""
        for code in other.notes:
            self.say(code, other.said.get(code, NO_WORDS))

    def text(self, column: str) -> str | None:
        """The trimmed text; None where it is empty or there is no such column.

        >>> Row({"gpus": " 8 ", "end": ""}).text("gpus"), Row({"end": ""}).text("end"), Row({}).text("start")
        ('8', None, None)
        """
        text = self.texts.get(column)
        return (text.strip() or None) if text else None

    def required(self, column: str) -> str:
        """Errors: RowError where the field is empty."""
        text = self.text(column)
        if text is None:
            raise RowError("missing_column", worded("{column} is empty", column=column))
        return text

    def number(
        self, column: str, low: Decimal | int | None = 0, high: int = LARGEST_NUMBER
    ) -> Decimal | None:
        """A number from low to high; a bad one leaves the field unknown and an issue.

        None where it is empty or bad. A dollar sign before it is no fault; low None: without lower bound.

        >>> Row({"rate": "$2.50"}).number("rate"), Row({"rate": "-1"}).number("rate"), Row({}).number("rate")
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
        """As `number`, where no cent hangs on it.

        >>> Row({"kw": "0.7"}).real("kw"), Row({}).real("kw")
        (0.7, None)
        """
        value = self.number(column, low, high)
        return None if value is None else float(value)

    def integer(self, column: str, high: int = LARGEST_NUMBER) -> int | None:
        """A whole number from 0 to high; a bad one leaves the field unknown and an issue.

        >>> Row({"term": "36"}).integer("term"), Row({"term": "1.5"}).integer("term")
        (36, None)
        """
        value = self.number(column, high=high)
        if value is not None and value != value.to_integral_value():
            self.say("bad_number", cell_is(column, f"{value:f}"))
            return None
        return None if value is None else int(value)

    def rate(self, column: str) -> Decimal | None:
        """$ per GPU-hour; none, zero or no number is a quote that is needed, never a gift.

        None is noted as quote_needed.

        >>> Row({"rate": "2.50"}).rate("rate"), Row({"rate": "0"}).rate("rate")
        (Decimal('2.50'), None)
        """
        value = self.number(column)
        if value is None or value == 0:
            self.notes.append("quote_needed")
            return None
        return value

    def word(self, column: str, meanings: Mapping[str, Value]) -> Value | None:
        """What one of several words means, without case; another leaves the field unknown and an issue.

        None where the field is empty, too.
        """
        text = (self.text(column) or "").lower()
        if text and text not in meanings:
            self.notes.append("unknown_value")
        return meanings.get(text)

    def flag(self, column: str) -> bool | None:
        """true or false (yes, no, 1, 0); anything else is unknown.

        >>> Row({"spot": "Yes"}).flag("spot"), Row({"spot": "0"}).flag("spot"), Row({"spot": "perhaps"}).flag("spot")
        (True, False, None)
        """
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
    """Every row below the header, by these names of its columns, as `collect_rows` takes them.

    timezone: of times that state none, None: UTC. The text is the row as it stands, for the table of
    rejected rows.
    """
    delimiter = header_columns(source.head)[0]
    with source.rows(delimiter) as opened:
        next(opened, None)
        for line, cells in opened:
            texts = dict(zip(columns, map(as_written, cells), strict=False))
            yield line, Row(texts, timezone).of_width(cells, columns, source), delimiter.join(cells)


class Names:
    """Names for rows that have none: the second of a name is `name (2)`."""

    def __init__(self) -> None:
        self._seen: dict[str, int] = {}

    def next(self, name: str) -> tuple[str, bool]:
        """The name to use, and whether there was one alike.

        >>> names = Names()
        >>> names.next("H100"), names.next("H100")
        (('H100', False), ('H100 (2)', True))
        """
        again = self._seen[name] = self._seen.get(name, 0) + 1
        return (name if again == 1 else f"{name} ({again})"), again > 1


# --- How the rows of a file end, and what is said of them: one count for every reader that judges rows one by one

REJECTED_ROWS_KEPT: Final = 1000
"""Of each file and code, to be shown row by row."""

WORDS_KEPT: Final = 3
"""Of what is said about single rows, in the message of its issue."""
NAMED_AT_MOST: Final = 200
"""The same where each of the rows is money."""

_OF_CELLS: Final = ("bad_number",)
"""Codes whose words tell a cell, before which its row stands."""

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
        read = self.with_issues(mapping.issues)
        return replace(read, intake=replace(read.intake, facts=mapping.facts))

    def with_issues(self, more: Sequence[Issue]) -> "TableRead[Value]":
        """The same with more to be said of it, by code."""
        issues = sorted((*self.intake.issues, *more), key=lambda issue: issue.code)
        return replace(self, intake=replace(self.intake, issues=tuple(issues)))


@dataclass(slots=True)
class RowEnds:
    """How many rows were read and how each ended, how often each issue was found, and what was said of its first rows.

    Law: read == accepted + rejected + duplicates + ignored. Whoever reads a row counts it in `read`.
    words_kept: of what is said of single rows, by code; of the codes in named more.
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
        """Rows that ended in no other way.

        Law: accepted + rejected + duplicates + ignored == read.
        """
        return self.read - self.rejected - self.duplicates - self.ignored

    def note(
        self, code: str, line: int, words: Words = NO_WORDS, remedy: Message = NO_WORDS, count: int = 1
    ) -> None:
        """More rows with this issue, the first at a line.

        With a remedy of its own, words say all of what is so.

        count: how many rows. Of words only the first few that differ are kept.
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
        """A row that cannot be taken, with its raw text, and count - 1 like it behind it; the first are kept.

        text: the row as it stands, for the table of rejected rows; counts go on where texts are no longer
        kept.
        """
        self.rejected += count
        own_remedy = fault.remedy if isinstance(fault, RowError) else NO_WORDS
        self.note(fault.code, line, fault.what if own_remedy else NO_WORDS, own_remedy, count)
        if self._rows[fault.code][0] - count < REJECTED_ROWS_KEPT:
            remedy = own_remedy or issue_texts.ISSUE_TEXTS.get(fault.code, _OF_NO_CODE)[1]
            self._kept.append(RejectedRow(line, fault.code, joined((fault.what, remedy), "; "), text))

    def ignore(self, line: int, why: RowLeftOutError) -> None:
        """A row that is nothing to take, and no fault of the file."""
        self.ignored += 1
        self.note(why.code, line, why.what, why.remedy)

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
    named: Collection[str] = (),
) -> TableRead[Value]:
    """Every row (line, fields, raw text) as values, or as a rejected, duplicate or ignored row.

    Of two values of one id the first is kept; a row without any new value is a duplicate. named: codes of which the
    words of all rows are kept.
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
    """What is so, what is special about these rows, and what to do; with remedies of their own these rows alone."""
    if remedies:
        return joined((joined(words, ", "), joined(remedies, ", ")), "; ")
    problem, remedy = issue_texts.ISSUE_TEXTS.get(code, _OF_NO_CODE)
    so = joined((problem, joined(words, ", ")), ": ") if words else problem
    return joined((so, remedy), "; ")


# --- Files of one kind of table, one after the other: a file of no use is refused and the others go on; no value twice


@dataclass(frozen=True, slots=True)
class TablesRead(Generic[Value]):
    """values: by file, those that no file before has; the intake of the files, and why some were refused."""

    by_file: tuple[tuple[Value, ...], ...] = ()
    intake: tuple[FileIntake, ...] = ()
    refused: tuple[PlannerError, ...] = ()

    @property
    def values(self) -> tuple[Value, ...]:
        """All of them in the order of files and rows."""
        return tuple(value for values in self.by_file for value in values)

    def or_refused(self) -> "TablesRead[Value]":
        """Itself. Errors: PlannerError of the first file that was refused."""
        if self.refused:
            raise self.refused[0]
        return self


def read_files(
    paths: Sequence[str],
    read: Callable[[str, Source], TableRead[Value]],
    key: Callable[[Value], object],
    refused_as: Callable[[Source, PlannerError], FileIntake],
    refusing: Collection[str] = ("missing_column",),
) -> TablesRead[Value]:
    """Every file, and each one that is packed in one. read: takes the path as given and a file of it.

    key: what makes a value one; of two, also in two files, the first is kept. refused_as: the intake of a file that
    is refused for a fault, which `refusing` names by code.
    Errors: PlannerError file_missing, file_unreadable, truncated_file, and any other fault.
    """
    reads: list[TableRead[Value]] = []
    refused: list[PlannerError] = []
    for path in paths:
        with sources_of(path) as sources:
            for source in sources:
                try:
                    reads.append(read(path, source))
                except PlannerError as fault:
                    if fault.code not in refusing:
                        raise
                    refused.append(fault)
                    reads.append(TableRead((), refused_as(source, fault)))
    kept: dict[object, Value] = {}
    new = [_new_of(read, kept, key) for read in reads]
    return TablesRead(tuple(values for values, _ in new), tuple(intake for _, intake in new), tuple(refused))


def _new_of(
    read: TableRead[Value], found: dict[object, Value], key: Callable[[Value], object]
) -> tuple[tuple[Value, ...], FileIntake]:
    """The values that were not found before; a row none of whose values is new is a duplicate."""
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


# --- Kinds of small tables, declared once: columns, which it needs, how a row becomes a value; one way to read them

ReadRow = Callable[[Row], Sequence[Value]]
"""The values of a row, mostly one. Errors: RowError, RowLeftOutError, PlannerError: see `collect_rows`."""

Rows = Iterator[tuple[int, Row, str]]
"""Rows as (line, fields, raw text): see `collect_rows`."""


def one_value(read_row: Callable[[Row], Value]) -> Callable[[], ReadRow[Value]]:
    """The reader of a kind whose rows hold one value each and are read without regard to others."""
    return lambda: lambda row: (read_row(row),)


NO_FACTS: Final[Facts] = ()


@dataclass(frozen=True, slots=True)
class TableKind(Generic[Value]):
    """One kind of table.

    kind, format: as the intake names them; columns: those that are documented; needed: groups of names of which one
    each must be there; reader: how a row is read, made anew for each file; key: what makes a row one, of two alike
    the first is kept; why: why a file is taken for one.
    names_of: our names of a header's columns; rows: the rows below a header under these names, of a time zone;
    tells: whether columns with all that is needed are surely of this kind; sureness: how sure it is then.
    told_by: how sure it is of a beginning, 0..1, where no header tells; then its rows are opened without one.
    facts: what the values of a file are, for `check`; tells_unread: whether columns that nobody knows are said.
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
    tells_unread: bool = False

    def sniff(self, head: str) -> float:
        """How sure it is that a text begins such a table, 0..1.

        JSON is none unless the kind says by itself how it is told.
        """
        if self.told_by is not None:
            return self.told_by(head)
        if begins_json(head):
            return 0.0
        names = frozenset(self.names_of(header_columns(head)[1]))
        return self.sureness if not self.lacks(names) and self.tells(names) else 0.0

    def lacks(self, names: Sequence[str] | frozenset[str]) -> list[str]:
        """What is needed and not there.

        names: of columns, as this kind calls them. Each group of needed columns is met by any one of it.
        """
        return [" or ".join(group) for group in self.needed if set(group).isdisjoint(names)]

    def read(self, source: Source, timezone: str | None = None) -> TableRead[Value]:
        """The values of one file, in its order. timezone: of times without a zone (None: UTC).

        Errors: PlannerError missing_column, file_unreadable.
        """
        if self.told_by is not None:
            return self.collect(source, self.rows(source, (), timezone), self.reader())
        columns = header_columns(source.head)[1]
        names = self.names_of(columns)
        missing = self.lacks(names)
        if missing:
            raise no_column(
                source.path, missing, worded("use the header {names}", names=",".join(self.columns))
            )
        read = self.collect(source, self.rows(source, names, timezone), self.reader())
        unread = [name for name in columns if name and name not in self.columns] if self.tells_unread else ()
        return read.with_issues(unknown_columns(unread, _header_row(source.head)))

    def collect(self, source: Source, rows: Rows, read_row: ReadRow[Value]) -> TableRead[Value]:
        """Rows that were opened in another way, judged as of this kind, with its facts.

        A value whose key came before is a duplicate.
        """
        read = collect_rows(
            source, self.kind, self.format, rows, read_row, lambda value: repr(self.key(value))
        )
        return replace(read, intake=replace(read.intake, facts=self.facts(read.values)))

    def read_files(self, paths: Sequence[str], timezone: str | None = None) -> TablesRead[Value]:
        """The values of some files, one of each key. Errors: as `table_files.read_files`."""
        return read_files(paths, lambda _, source: self.read(source, timezone), self.key, self.refused)

    def describe(self, source: Source) -> FileIntake:
        """What `check` says of a file of this kind.

        A file that cannot be read is described too: as refused, with the reason.
        """
        try:
            return self.read(source).intake
        except PlannerError as fault:
            return self.refused(source, fault)

    def refused(self, source: Source, fault: PlannerError) -> FileIntake:
        """The intake of a file that cannot be read as this kind."""
        return issue_texts.refused_file(source, fault, self.kind, self.format)


def _header_row(head: str) -> int:
    """The line of the header, from 1: the first that is not blank."""
    return next((line for line, text in enumerate(head.splitlines(), 1) if text.strip()), 1)
