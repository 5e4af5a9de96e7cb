"""How a file is a table: its delimiter, its headings, where they stand, what is below; under titles or in two rows."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Final

from gpuplanner.files.sources.raw_table import check_columns
from gpuplanner.files.sources.source import TEXT, XLSX, Source, records
from gpuplanner.files.sources.spreadsheet import COLUMNS_AT_MOST, ShownNumber, sheet_values
from gpuplanner.files.tables import column_mapping
from gpuplanner.files.tables.delimited import DELIMITERS
from gpuplanner.files.tables.fields import WORDS
from gpuplanner.files.tables.headings import meanings, plain_words
from gpuplanner.files.values.terms import names_its_unit, read_term
from gpuplanner.lazy_dataclass import dataclass

ROWS_LOOKED_AT: Final = 60
SAMPLE_ROWS: Final = 2000
SAMPLE_CELLS: Final = 50_000
"""By which it is decided how a column is written."""

_CELL_LETTERS_AT_MOST: Final = 200
NumberedRow = tuple[int, list[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """How a file is a table.

    headings: of every column, each of its own; header_row: the number of the row they begin on; header_rows: how many
    they take, 0 where a table has none; body: the first rows below, to be looked at. known: how many different fields
    the headings name, where that is counted. json: the form of the JSON, None where it is none; keys: what its
    records, or the headings of a log, call the columns.
    """

    delimiter: str
    headings: tuple[str, ...]
    body: tuple[Sequence[str], ...]
    header_row: int = 1
    header_rows: int = 1
    known: float = 0.0
    json: str | None = None
    keys: tuple[str, ...] = ()

    def place(self, name: str) -> int | None:
        """The column of that name, from 0."""
        return column_mapping.column_place(self.headings, name)

    def texts(self, place: int) -> list[str]:
        """The first cells of a column; of a row that ends before it, none."""
        return [row[place] for row in self.body if place < len(row)]


def layout_of_head(head: str, kind: str) -> Layout | None:
    """Where the table is, in the first lines of a text; row numbers of a spreadsheet are not true here.

    kind: contracts or prices. None where no row has anything.
    """
    lines = head.splitlines(keepends=True)[: ROWS_LOOKED_AT * 2]
    return _best(
        find_layout(list(islice(records(lines, d), ROWS_LOOKED_AT)), d, kind) for d in DELIMITERS if d in head
    )


def layout_of(source: Source, kind: str) -> Layout | None:
    """Where the table is; None where no row has anything.

    Every delimiter that occurs is tried; the layout that knows most headings is taken. Errors: as check_columns.
    """
    delimiters = [d for d in DELIMITERS if d in source.head] or [","]
    found = []
    for delimiter in delimiters if source.kind == TEXT else [","]:
        rows = first_rows(source, delimiter)[:ROWS_LOOKED_AT]
        found.append(find_layout(rows, delimiter, kind))
    if (best := _best(found)) is not None and source.kind == TEXT:
        check_columns(dict(first_rows(source, best.delimiter))[best.header_row], source.path)
    return best


@lru_cache(maxsize=8)
def first_rows(source: Source, delimiter: str) -> tuple[NumberedRow, ...]:
    """The first rows of a file, kept: opening a spreadsheet takes long. Errors: as Source.rows.

    As many as are looked at for samples, fewer where they are very wide.
    """
    found, cells_kept = [], 0
    with source.rows(delimiter) as rows:
        for line, cells in islice(rows, SAMPLE_ROWS):
            found.append((line, cells))
            cells_kept += len(cells)
            if cells_kept > SAMPLE_CELLS:
                break
    return tuple(found)


@lru_cache(maxsize=8)
def displayed_units(source: Source) -> frozenset[str]:
    """The signs and codes in which a sheet shows its first numbers; none of a text. Errors: as Source.rows."""
    if source.kind != XLSX or source.opened is not None:
        return frozenset()
    with sheet_values(Path(source.at), source.path) as sheets:
        rows = next((rows for title, rows in sheets if source.sheet in ("", title)), iter(()))
        cells = [cell for _, row in islice(rows, ROWS_LOOKED_AT) for cell in row]
    return frozenset(cell.unit for cell in cells if isinstance(cell, ShownNumber))


def rows_below(rows: Iterable[NumberedRow], header_row: int, header_rows: int) -> Iterator[NumberedRow]:
    """The rows below the headings; of a heading in several rows the filled ones are counted."""
    left = header_rows
    for line, cells in rows:
        if line < header_row:
            continue
        if left:
            left -= any(cell.strip() for cell in cells)
            continue
        yield line, cells


def _best(layouts: Iterable[Layout | None]) -> Layout | None:
    """The layout that knows most headings, of equal ones the wider; None if there is none."""
    return max(
        (layout for layout in layouts if layout is not None),
        key=lambda layout: (layout.known, len(layout.headings)),
        default=None,
    )


def find_layout(rows: Sequence[NumberedRow], delimiter: str, kind: str) -> Layout | None:
    """The row, or the two rows one below the other, whose headings mean most; the first of equals.

    None without a filled row. A row of units below the headings is part of them.
    """
    best: Layout | None = None
    is_unit = WORDS["units"].fullmatch
    filled = [(number, cells[:COLUMNS_AT_MOST]) for number, cells in rows if any(c.strip() for c in cells)]
    for at, (number, cells) in enumerate(filled):
        body = [below for _, below in filled[at + 1 :]]
        single = Layout(
            delimiter=delimiter,
            headings=unique(cells),
            body=tuple(body),
            header_row=number,
            header_rows=1,
            known=known_fields(cells, kind),
        )
        candidates = [single]
        may_be_pair = bool(body) and may_be_headings(cells) and may_be_headings(body[0])
        if may_be_pair and not (_is_title(cells) or _is_title(body[0])):  # of the table, or of the rows below
            both = joined_headings(cells, body[0], kind)
            pair = Layout(
                delimiter=delimiter,
                headings=unique(both),
                body=tuple(body[1:]),
                header_row=number,
                header_rows=2,
                known=known_fields(both, kind),
            )
            # whether a second row of headings only says units: most of its cells are some
            texts = [cell.strip() for cell in body[0] if cell.strip()]
            are_units = [text[:1] in "([" or "/" in text or is_unit(plain_words(text)) for text in texts]
            is_units = len(texts) >= 2 and sum(map(bool, are_units)) * 2 > len(texts)
            if pair.known > max(single.known, known_fields(body[0], kind)) or (
                is_units and pair.known >= single.known > 1
            ):
                candidates.append(pair)
        for candidate in candidates:
            is_better = best is None or candidate.known > best.known
            if is_better or (candidate.header_rows == 2 and best is not None and best.header_row == number):
                best = candidate
    return best


def known_fields(cells: Sequence[str], kind: str) -> float:
    """How many different fields a row of headings names; a weak word counts for less.

    >>> known_fields(["GPU model", "Qty", "colour"], "contracts")
    1.75
    """
    fields: dict[str, float] = {}
    for cell in cells:
        for meaning in meanings(cell, kind)[:1]:
            fields[meaning.field] = max(fields.get(meaning.field, 0.0), 0.75 if meaning.is_weak else 1.0)
    return sum(fields.values())


def joined_headings(above: Sequence[str], below: Sequence[str], kind: str) -> list[str]:
    """Two rows of headings as one; what stands over several merged cells is written in the first of them only.

    Where the lower one says it all (Start under Dates), the upper one is left out.
    """
    joined, over = [], ""
    for at in range(max(len(above), len(below))):
        top = above[at].strip() if at < len(above) else ""
        bottom = below[at].strip() if at < len(below) else ""
        over = top or (over if bottom else "")
        both = f"{over} {bottom}".strip()
        is_enough = bool(meanings(bottom, kind)) and not meanings(both, kind)
        if is_enough:
            joined.append(bottom)
        else:
            joined.append(both if bottom else top)
    return joined


def unique(cells: Sequence[str]) -> tuple[str, ...]:
    """Headings that differ, as short text; a second `Price` is `Price (2)`, a column without one has none.

    >>> unique(["Price", "price", " ", "GPU"])
    ('Price', 'price (2)', '', 'GPU')
    """
    seen: dict[str, int] = {}
    found = []
    for cell in cells:
        heading = " ".join(cell.split())[:_CELL_LETTERS_AT_MOST]
        if not heading:
            found.append("")
            continue
        seen[heading.lower()] = seen.get(heading.lower(), 0) + 1
        again = seen[heading.lower()]
        found.append(heading if again == 1 else f"{heading} ({again})")
    return tuple(found)


def may_be_headings(cells: Sequence[str]) -> bool:
    """Headings hold words, or terms: a row with a number or a date is one of data.

    >>> may_be_headings(["", "12 months", "3 years"]), may_be_headings(["H100", "2.05"])
    (True, False)
    """
    texts = [cell.strip() for cell in cells if cell.strip()]
    return bool(texts) and not any(_is_data(text) for text in texts)


def _is_title(cells: Sequence[str]) -> bool:
    """Whether a row is a title or a sentence above rows, alone in its first cell, and no group of columns.

    >>> _is_title(["Delivery in 6 weeks. Minimum order 2 nodes.", ""]), _is_title(["", "USD per GPU-hour"])
    (True, False)
    """
    return bool(cells[0].strip()) and not any(cell.strip() for cell in cells[1:])


def _is_data(text: str) -> bool:
    """Whether a cell looks like a value: a number, or an amount with its sign; a term is none."""
    if names_its_unit(text) and read_term(text) is not None:
        return False
    return text[:1].isdigit() or (text[:1] in "$€£-+" and any(letter.isdigit() for letter in text))
