"""Contents of tables of figures: columns with cell functions, and rows of cells."""

import re
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from typing import Any, Generic, TypeVar

from gpuplanner.charts.kit.translation import speak
from gpuplanner.charts.kit.user_locale import day_in
from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.message import Text
from gpuplanner.files.tables.delimited import tab_text
from gpuplanner.lazy_dataclass import dataclass, field
from gpuplanner.ui.words import numbers

_Of = TypeVar("_Of")


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A heading (unit after a line break), the alignment of its values, and a width in pixels (0: the rest)."""

    title: Text
    is_figure: bool = True
    width: int = 0
    # for long text: sentences are cut at the end, names in the middle
    is_cut_at_end: bool = False
    scale: tuple[tuple[float, str], ...] = ()  # labels above the bars, at shares of the column's width


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """A bar in a cell: a share 0..1 in a palette role (or "lane:" and a pool), with a solid and a dashed mark."""

    share: float
    role: str = "neutral"
    solid_mark: float | None = None
    dashed_mark: float | None = None
    has_track: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """The contents of a cell. role: palette role of the text. icon: before the text. swatch: a color.

    figure_id: the figure explained by "Why this number?"; "" without an explanation. value: sort key in the column's
    unit; None: the bar, otherwise the text.
    """

    text: Text = ""
    role: str = "text"
    is_strong: bool = False
    icon: str = ""
    icon_role: str = "muted"
    swatch: str = ""
    is_hatched: bool = False
    bar: Bar | None = None
    tip: Text = ""
    figure_id: str = ""
    value: Any = None

    def __post_init__(self) -> None:
        speak(self, "text", "tip")


@dataclass(frozen=True, slots=True)
class Row:
    """Cells from left to right. is_total: below a rule. key: id of the row's object.

    note: a line below the cells, across all columns; the row is higher by it.
    """

    cells: tuple[Cell, ...]
    is_total: bool = False
    key: str = ""
    note: Text = ""

    def __post_init__(self) -> None:
        speak(self, "note")


@dataclass(frozen=True, slots=True, kw_only=True)
class Filled(Column, Generic[_Of]):
    """A column with the function that returns a row's cell, or its text."""

    cell: Callable[[_Of], Cell | Text] = field(kw_only=True, compare=False)


def asked(value: object, kind: str, subject: str = "", scope: str = "") -> str:
    """Return the figure id of a value; "" for an unknown value, which has no explanation."""
    return "" if value is None else figure(kind, subject, scope)


def filled_row(columns: Iterable[Filled[_Of]], of: _Of, key: str = "", *, is_total: bool = False) -> Row:
    """Return the row of one object. key: its id."""
    cells = (column.cell(of) for column in columns)
    return Row(tuple(cell if isinstance(cell, Cell) else Cell(text=cell) for cell in cells), is_total, key)


def filled_rows(
    columns: Sequence[Filled[_Of]], things: Iterable[_Of], key: Callable[[_Of], str] = lambda _: ""
) -> list[Row]:
    """Return one row per object. key: returns the id of an object."""
    return [filled_row(columns, of, key(of)) for of in things]


def written(write: Callable[[Any], str], value: Any, role: str = "text", **others: Any) -> Cell:
    """Return the cell of a value, sorted by the value. write: formats it. others: fields of the cell."""
    return Cell(text=write(value), role=role, value=value, **others)


def sort_value(cell: Cell, *, is_figure: bool) -> float | tuple[str | int, ...] | None:
    """Return the sort key of a cell: a number, a day, or words with numbers in numeric order (node 9 before node 10).

    None: unknown. is_figure: the column contains numbers, so that words have no value.

    >>> sort_value(Cell(text="Node 10"), is_figure=False), sort_value(Cell(text="quote needed"), is_figure=True)
    (('node ', 10, ''), None)
    """
    if isinstance(cell.value, int | float | Decimal):
        return None if cell.value != cell.value else float(cell.value)
    if cell.bar is not None:
        return cell.bar.share
    if (text := str(cell.value or cell.text)) in ("", numbers.UNKNOWN):
        return None
    if is_figure and cell.value is None:
        return numbers.number_in(text)
    if (day := day_in(text)) is not None:
        return float(day)
    return tuple(int(part) if part.isdecimal() else part for part in re.split(r"(\d+)", text.casefold()))


def sorted_places(rows: Sequence[Row], at: int, *, is_figure: bool, is_descending: bool) -> list[int]:
    """Return the indexes of rows sorted by a column; unknown values are last in both directions, then totals."""
    none = Cell()
    values = {
        place: sort_value(row.cells[at] if at < len(row.cells) else none, is_figure=is_figure)
        for place, row in enumerate(rows)
        if not row.is_total
    }
    known = {place: value for place, value in values.items() if value is not None}
    ordered = sorted(known, key=lambda place: _among_all(known[place]), reverse=is_descending)
    unknown = [place for place in values if place not in known]
    return [*ordered, *unknown, *(place for place, row in enumerate(rows) if row.is_total)]


def _among_all(value: float | tuple[str | int, ...]) -> tuple[float, tuple[str | int, ...]]:
    """Return a sort key that puts numbers before words."""
    return (float("inf"), value) if isinstance(value, tuple) else (value, ())


def rows_as_text(columns: Iterable[Column], rows: Iterable[Row]) -> str:
    """Return headings and rows as tab-separated text for the clipboard."""
    head = [str(column.title).replace("\n", " ").strip() for column in columns]
    return tab_text((head, *([str(cell.text) for cell in row.cells] for row in rows)))
