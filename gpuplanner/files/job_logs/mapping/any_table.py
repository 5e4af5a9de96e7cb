"""Any table that may be a log of jobs: how it is laid out where no heading need be known, and all its records."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import Final

from gpuplanner.files.job_logs.judging.column_names import name_readings
from gpuplanner.files.job_logs.judging.json_records import Record, json_form, json_records, keys_of
from gpuplanner.files.sources.raw_table import RawTable, fitted_rows, load_raw, load_records
from gpuplanner.files.sources.records import records
from gpuplanner.files.sources.row_widths import RaggedLines
from gpuplanner.files.sources.source import OTHER, PARQUET, TEXT, Source
from gpuplanner.files.system.engine import Engine
from gpuplanner.files.tables.column_mapping import column_place, unique_headings
from gpuplanner.files.tables.headers import DELIMITERS
from gpuplanner.files.tables.table_layout import Layout, NumberedRow, first_rows, rows_below
from gpuplanner.files.values.numbers import read_decimal
from gpuplanner.files.values.times import MISSING_TEXTS, read_time

ROWS_LOOKED_AT: Final = 200
_TITLE_ROWS_AT_MOST: Final = 10
_LONGEST_HEADING: Final = 120


def log_layout(
    source: Source, names: Collection[str] = (), check: Callable[[], None] = lambda: None
) -> Layout | None:
    """How a file is a table; None where it is none. names: headings it should have, where they are known.

    A column without a heading is called by its place, `column 3`; rows are as wide as the headings.
    check: called often while a whole file is looked through; may raise to stop. Errors: PlannerError truncated_file,
    file_unreadable for broken JSON.
    """
    if source.kind == OTHER or not source.head.strip():
        return None
    form = json_form(source)
    if form is not None:
        return _json_layout(source, form, names, check)
    wanted = {name.strip().casefold() for name in names}
    best: tuple[tuple[int, bool, int], str, list[NumberedRow]] | None = None
    for delimiter in DELIMITERS if source.kind == TEXT else ",":
        rows = _first_rows(source, delimiter)
        widths = Counter(len(cells) for _, cells in rows)
        width, count = max(widths.items(), key=lambda item: (item[1], item[0]))
        known = max(len(wanted & _folded(cells)) for _, cells in rows[:_TITLE_ROWS_AT_MOST])
        rank = (known, width > 1 and count >= 0.6 * len(rows), width)
        if best is None or rank > best[0]:
            best = rank, delimiter, rows
    if best is None:
        return None
    return _laid_out(best[1], best[2], wanted, is_typed=source.kind == PARQUET)


def _first_rows(source: Source, delimiter: str) -> list[NumberedRow]:
    """The first rows; of a text those of its head, as a line of a file that is no table may be as long as the file."""
    if source.kind == TEXT:
        return list(islice(records(source.head.splitlines(keepends=True), delimiter), ROWS_LOOKED_AT))
    return list(first_rows(source, delimiter)[:ROWS_LOOKED_AT])


@lru_cache(maxsize=8)
def plain_layout(source: Source) -> Layout | None:
    """How a file is a table of which no heading is known, kept: several ask it of one file. Errors: as log_layout."""
    return log_layout(source)


def _folded(cells: Sequence[str]) -> set[str]:
    """Cells as they are compared with names: without blanks about them, in small letters."""
    return {cell.strip().casefold() for cell in cells}


def _laid_out(delimiter: str, numbered: list[NumberedRow], wanted: set[str], *, is_typed: bool) -> Layout:
    """The layout for one delimiter: where the header is, headings made unique, rows of equal width."""
    rows = [cells for _, cells in numbered]
    header_at = 0 if is_typed else _header_at(rows, wanted)
    data = rows if header_at is None else rows[header_at + 1 :]
    named: Sequence[str] = [] if header_at is None else rows[header_at]
    width = len(named) or max((len(cells) for cells in data), default=0)
    headings = unique_headings([*named, *[""] * (width - len(named))])
    texts = tuple(tuple([*cells, *[""] * (width - len(cells))][:width]) for cells in data)
    if header_at is None:
        return Layout(delimiter, headings, texts, header_rows=0)
    return Layout(delimiter, headings, texts, numbered[header_at][0])


def _header_at(rows: Sequence[Sequence[str]], wanted: set[str]) -> int | None:
    """The row with most of the names; without names the first that holds nothing but words, after titles only."""
    first = rows[:_TITLE_ROWS_AT_MOST]
    if wanted:
        matches = [len(wanted & _folded(cells)) for cells in first]
        if max(matches):
            return matches.index(max(matches))
    for place, cells in enumerate(first):
        filled = [cell for cell in cells if cell.strip()]
        below = [sum(bool(cell.strip()) for cell in row) for row in rows[place + 1 : place + 20]]
        is_wide = len(filled) >= max(1, 0.6 * max(below, default=0))
        if is_wide:
            is_header = all(map(_is_word, filled)) and len(_folded(filled)) >= len(filled) / 2
            return _lower_header(first, place) if is_header else None
    return None


def _lower_header(rows: Sequence[Sequence[str]], place: int) -> int:
    """The header, or the row below it where that one says it finer: what stands over merged cells is no name."""
    below = [cell for cell in rows[place + 1] if cell.strip()] if place + 1 < len(rows) else []
    above = [cell for cell in rows[place] if cell.strip()]
    is_finer = len(below) > len(above) and all(map(_is_word, below))
    names = [sum(bool(name_readings(cell)) for cell in cells) for cells in (above, below)]
    return place + 1 if is_finer and names[1] > names[0] and 2 * names[1] >= len(below) else place


def _is_word(text: str) -> bool:
    """Whether a text may head a column: no number, no time, no "unknown"."""
    plain = text.strip()
    is_figure = plain[:1].isdigit() and sum(map(str.isalpha, plain)) < len(plain) / 2
    return (
        len(plain) <= _LONGEST_HEADING
        and plain.casefold() not in MISSING_TEXTS
        and read_decimal(plain) is None
        and read_time(plain) is None
        and not is_figure
    )


def _json_layout(source: Source, form: str, names: Collection[str], check: Callable[[], None]) -> Layout:
    """The keys of the first records; of all, where a name is not among them."""

    def objects() -> Iterator[Record]:
        """The records that are objects; asks now and then whether to go on."""
        for count, (_, record) in enumerate(json_records(source, form)):
            if count % 1000 == 0:
                check()
            if not isinstance(record, str):
                yield record

    first = list(islice(objects(), ROWS_LOOKED_AT))
    keys = keys_of(first)
    if any(column_place(keys, name) is None for name in names):
        keys = keys_of(_with_new_keys(objects()))
    rows = tuple(tuple(record.get(key, "") for key in keys) for record in first)
    return Layout(",", unique_headings(keys), rows, header_rows=0, json=form, keys=keys)


def _with_new_keys(records: Iterator[Record]) -> Iterator[Record]:
    """Only the records that have a key none before them had: enough to know all columns."""
    seen: set[str] = set()
    for record in records:
        if not seen.issuperset(record):
            seen.update(record)
            yield record


def load_table(engine: Engine, source: Source, layout: Layout, name: str) -> RawTable:
    """Every record below the header into the engine, under the headings of the layout."""
    if layout.json is not None:
        return load_records(
            engine, source, name, layout.headings, _json_rows(source, layout.json, layout.keys)
        )
    if layout.header_row > 1:
        ragged = RaggedLines()
        with source.rows(layout.delimiter) as rows:
            data = rows_below(rows, layout.header_row, layout.header_rows)
            below = fitted_rows(source, layout.headings, data, ragged)
            return load_records(
                engine, source, name, layout.headings, below, delimiter=layout.delimiter, ragged=ragged
            )
    return load_raw(
        engine,
        source,
        name,
        layout.headings,
        delimiter=layout.delimiter,
        has_header=layout.header_rows > 0,
    )


def _json_rows(source: Source, form: str, keys: Sequence[str]) -> Iterator[tuple[int, Sequence[str]]]:
    """A line that is no object is a row with nothing but its text: it has no start, so it is rejected in sight."""
    for number, record in json_records(source, form):
        if isinstance(record, str):
            yield number, [record, *[""] * (len(keys) - 1)]
        else:
            yield number, [record.get(key, "") for key in keys]
