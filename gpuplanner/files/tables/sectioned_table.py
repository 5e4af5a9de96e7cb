"""Sections of a table: a title over the rows below, alone in its row, becomes a column of these rows."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache, partial
from itertools import islice
from typing import Final

from gpuplanner.files.sources.json_values import begins_json
from gpuplanner.files.sources.source import TEXT, XLSX, Source, as_csv
from gpuplanner.files.system.resources import gpu_families
from gpuplanner.files.tables.fields import WORDS
from gpuplanner.files.tables.headings import is_gpu_name, way_of_cell
from gpuplanner.files.tables.layout import NumberedRow, layout_of
from gpuplanner.files.tables.mapped_cells import starts_as_total
from gpuplanner.files.tables.provider_words import provider_named
from gpuplanner.files.tables.table_columns import known_columns
from gpuplanner.files.values.amounts import read_amount
from gpuplanner.files.values.terms import read_term
from gpuplanner.lazy_dataclass import replace

LARGEST_BYTES: Final = 2**20
"""Nobody writes sections in larger lists."""
_HEAD_ROWS: Final = 200
_LONGEST_TITLE: Final = 60
_LEAST_COLUMNS: Final = 3


def _is_model(text: str) -> bool:
    """Whether a title names a GPU model or a machine with GPUs."""
    return is_gpu_name(text) or gpu_families().read(text) is not None


def _is_way(text: str) -> bool:
    """Whether a title is a way to pay, maybe with its term."""
    return way_of_cell(text) is not None or read_term(text) is not None


_KINDS: Final[tuple[tuple[str, Callable[[str], object], frozenset[str]], ...]] = (
    ("GPU model", _is_model, frozenset(("gpu_model", "instance"))),
    ("Pricing", _is_way, frozenset(("pricing_category", "term_months"))),
    ("Provider", provider_named, frozenset(("provider",))),
    ("Region", lambda text: WORDS["region_key"].fullmatch(text.lower()), frozenset(("region",))),
)
"""What all titles of a table may be: its heading, how it is told, and the fields of which a column says it already."""


@lru_cache(maxsize=8)
def sectioned_table(source: Source, kind: str) -> Source | None:
    """The table with a column for its sections; None where it has none. kind: contracts or prices.

    Errors: PlannerError file_unreadable.
    """
    is_small = source.size <= LARGEST_BYTES and source.opened is None
    if source.kind not in (TEXT, XLSX) or not is_small or begins_json(source.head):
        return None
    layout = layout_of(source, kind)
    if layout is None or len([*filter(None, layout.headings)]) < _LEAST_COLUMNS:
        return None
    if not layout.body or not _title(
        layout.body[0], layout.headings
    ):  # of the first rows nobody knew the section
        return None
    with source.rows(layout.delimiter) as rows:
        lines = list(rows)
    below = [(line, cells) for line, cells in lines if line > layout.header_row][layout.header_rows - 1 :]
    titles = {line: text for line, cells in below if (text := _title(cells, layout.headings))}
    ends = [line for line, _ in below[-1:]]
    titles = {line: text for line, text in titles.items() if line not in ends}
    first = min(titles, default=None)
    columns = known_columns(layout, kind)
    places = {
        place for line, cells in below if line in titles for place, cell in enumerate(cells) if cell.strip()
    }
    place = min(places, default=0)
    rest = [cells for line, cells in below if line not in titles]
    is_blank_below = not any("".join(cells[place : place + 1]).strip() for cells in rest)
    names = [column.column for column in columns if column.field in _FILLED]
    if len(places) == 1 and is_blank_below and {*layout.headings[place : place + 1]} & {*names}:
        return _as_source(source, list(_filled_down(lines, place, titles, layout.header_row)))
    read = {column.field for column in columns}
    for heading, tells, fields in _KINDS:
        named = {line: text for line, text in titles.items() if tells(text)}
        if named and first in named and not read & fields:
            width = len(layout.headings)
            return _as_source(source, list(_with_column(lines, layout.header_row, width, heading, named)))
    return None


def _as_source(source: Source, table: list[NumberedRow]) -> Source:
    """The source with other rows."""
    head = as_csv(cells for _, cells in islice(table, _HEAD_ROWS))
    return replace(source, head=head, opened=partial(_opened, table))


_FILLED: Final = frozenset(("provider", "cluster", "region", "gpu_model", "instance", "pricing_category"))
"""Fields of columns that name what rows are of."""


def _filled_down(
    lines: Sequence[NumberedRow], place: int, titles: dict[int, str], header_row: int
) -> Iterator[NumberedRow]:
    """The rows with the title of their section in its own column, where that is blank."""
    title = ""
    for line, cells in lines:
        if line <= header_row or line in titles or not any(map(str.strip, cells)):
            title = titles.get(line, title)
            yield line, cells
        else:
            before = [*cells[:place], *[""] * (place - len(cells))]
            yield line, [*before, title, *cells[place + 1 :]]


def _title(cells: Sequence[str], headings: Sequence[str]) -> str:
    """The text of a row that has one cell alone, which is no total, no number and no sentence; else empty."""
    texts = [text for cell in cells if (text := cell.strip())]
    if len(texts) != 1 or len(texts[0]) > _LONGEST_TITLE or texts[0].endswith(".") or texts[0] in headings:
        return ""
    is_number = (
        read_amount(texts[0]).number is not None and texts[0][:1].isdigit() and read_term(texts[0]) is None
    )
    return "" if is_number or starts_as_total(texts[0]) else texts[0]


def _with_column(
    lines: Sequence[NumberedRow], header_row: int, width: int, heading: str, titles: dict[int, str]
) -> Iterator[NumberedRow]:
    """The rows with the heading behind the others, and below it the title of each row's section."""
    title = ""
    for line, cells in lines:
        of_row = [*cells[:width], *[""] * (width - len(cells))]
        if line == header_row:
            yield line, [*of_row, heading]
        elif line < header_row or line in titles or not any(map(str.strip, cells)):
            title = titles.get(line, title)
            yield line, cells
        else:
            yield line, [*of_row, title, *cells[width:]]


@contextmanager
def _opened(table: Sequence[NumberedRow]) -> Iterator[Iterator[NumberedRow]]:
    """The rows with the numbers that they have in the file."""
    yield iter(table)
