"""Recipes: the steps by which a table is made ready and mapped, as values, and the table that they give."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Final, NamedTuple

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.tables.column_mapping import DIFFERS, column_place, without_not_needed
from gpuplanner.files.values.amounts import POINT, read_amount
from gpuplanner.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class HeaderRow:
    """The headings are in this row of the file, from 1."""

    row: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SkipRows:
    """Rows with one of these values in a column are skipped, whatever their case."""

    column: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FillDown:
    """An empty cell of a column has the value above."""

    column: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reword:
    """Cells with this value in a column have another value, whatever their case: open is no end."""

    column: str
    value: str
    becomes: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PercentOnTop:
    """The amounts of a column grow by a percentage: a number, or that of another column ("" without one)."""

    column: str
    percent: str = ""
    percent_column: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnsToRows:
    """Each row becomes one row for each of several columns with a value: its heading as `name`, its cell as `value`."""

    columns: tuple[str, ...]
    name: str
    value: str


TableStep = HeaderRow | SkipRows | FillDown | Reword | PercentOnTop | ColumnsToRows
Step = TableStep | str
"""A step; a text is an item in the words of --map: FIELD=COLUMN:UNIT, FIELD==VALUE, -=COLUMN."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """The steps for one kind of table, in order. kind: contracts, prices, users or sites."""

    kind: str
    steps: tuple[Step, ...] = ()

    @property
    def table_steps(self) -> tuple[TableStep, ...]:
        """The steps that change the table."""
        return tuple(step for step in self.steps if not isinstance(step, str))

    @property
    def words(self) -> str:
        """The steps in the words of --map, as differences from what is proposed; "" without any."""
        items = [step for step in self.steps if isinstance(step, str)]
        items += [
            f"-={step.percent_column}"
            for step in self.table_steps
            if isinstance(step, PercentOnTop) and step.percent_column
        ]
        return DIFFERS + ",".join(map(_quoted, items)) if items else ""

    def with_words(self, text: str | None) -> "Recipe":
        """Return the recipe with a further mapping in words."""
        items = (text or "").removeprefix(DIFFERS)
        return Recipe(kind=self.kind, steps=(*self.steps, *((items,) if items else ())))


def _quoted(item: str) -> str:
    """Return an item in quotes if its column has a comma and it is one item."""
    is_one = item.count("=") == 1 + item.count("==") and '"' not in item
    return f'"{item}"' if is_one and "," in item else item


NumberedRow = tuple[int, Sequence[str]]


class RecipeTable(NamedTuple):
    """A table: headings with their line, rows with theirs, and the lines that were skipped."""

    header_row: int
    headings: tuple[str, ...]
    rows: tuple[NumberedRow, ...]
    skipped: tuple[int, ...] = ()

    def place(self, column: str) -> int:
        """Return the place of a column. Errors: PlannerError missing_column."""
        place = column_place(self.headings, column)
        if place is None:
            problem = worded("no column {names}", names=column)
            remedy = worded("name one of {names}", names=", ".join(filter(None, self.headings)))
            raise PlannerError("--recipe", "missing_column", problem, remedy)
        return place


def table_of(rows: Iterable[NumberedRow], recipe: Recipe) -> RecipeTable:
    """Return the rows of a file as a table: headings in the row that the recipe names, else in the first with text.

    Errors: PlannerError missing_column without such a row.
    """
    named = next((step.row for step in recipe.table_steps if isinstance(step, HeaderRow)), 0)
    filled = [(line, cells) for line, cells in rows if any(map(str.strip, cells))]
    for place, (line, cells) in enumerate(filled):
        if line >= named:
            return RecipeTable(line, tuple(map(str.strip, cells)), tuple(filled[place + 1 :]))
    raise PlannerError(
        "--recipe",
        "missing_column",
        worded("row {row} has no headings", row=str(named)),
        worded("name the row of the headings"),
    )


def apply_recipe(table: RecipeTable, recipe: Recipe) -> RecipeTable:
    """Return a table after the steps of a recipe that change it. Errors: PlannerError missing_column, usage."""
    for step in recipe.table_steps:
        table = _applied(table, step)
    return table


def _applied(table: RecipeTable, step: TableStep) -> RecipeTable:
    """Return a table after one step. Errors: as apply_recipe."""
    match step:
        case SkipRows():
            return _without_rows(table, step)
        case FillDown():
            return table._replace(rows=_filled(table.rows, table.place(step.column)))
        case Reword():
            return _with_cells(table, step.column, lambda cell, _: _reworded(cell, step))
        case PercentOnTop():
            return _with_percent(table, step)
        case ColumnsToRows():
            return _in_rows(table, step)
    return table


def _cell(cells: Sequence[str], place: int) -> str:
    """Return a cell; "" where the row ends before it."""
    return cells[place].strip() if place < len(cells) else ""


def _without_rows(table: RecipeTable, step: SkipRows) -> RecipeTable:
    """Return a table without rows with certain values."""
    place, values = table.place(step.column), {value.casefold() for value in step.values}
    skipped = tuple(line for line, cells in table.rows if _cell(cells, place).casefold() in values)
    gone = set(skipped)
    kept = tuple(row for row in table.rows if row[0] not in gone)
    return table._replace(rows=kept, skipped=(*table.skipped, *skipped))


def _filled(rows: Sequence[NumberedRow], place: int) -> tuple[NumberedRow, ...]:
    """Return rows with the value above in empty cells of a column."""
    above, answer = "", []
    for line, cells in rows:
        above = _cell(cells, place) or above
        answer.append((line, _with_cell(cells, place, above)))
    return tuple(answer)


def _with_cell(cells: Sequence[str], place: int, text: str) -> list[str]:
    """Return the cells of a row with another one at a place."""
    wide = [*cells, *[""] * (place + 1 - len(cells))]
    wide[place] = text
    return wide


def _with_cells(table: RecipeTable, column: str, changed: Callable[[str, Sequence[str]], str]) -> RecipeTable:
    """Return a table with changed cells of a column. changed: takes a cell and its row."""
    place = table.place(column)
    rows = tuple(
        (line, _with_cell(cells, place, changed(_cell(cells, place), cells))) for line, cells in table.rows
    )
    return table._replace(rows=rows)


def _reworded(cell: str, step: Reword) -> str:
    """Return a cell in other words."""
    return step.becomes if cell.casefold() == step.value.casefold() else cell


def _with_percent(table: RecipeTable, step: PercentOnTop) -> RecipeTable:
    """Return a table whose amounts grow by a percentage; an amount without a number stays as it is."""
    place = table.place(step.percent_column) if step.percent_column else None

    def grown(cell: str, cells: Sequence[str]) -> str:
        """Return an amount with its percentage on top."""
        percent = read_amount(step.percent if place is None else _cell(cells, place)).number
        amount = read_amount(cell, POINT)
        if percent is None or amount.number is None:
            return cell
        number = (amount.number * (1 + percent / Decimal(100))).normalize()
        return " ".join(filter(None, (f"{number:f}", amount.currency, amount.per)))

    return _with_cells(table, step.column, grown)


def _in_rows(table: RecipeTable, step: ColumnsToRows) -> RecipeTable:
    """Return a table with a row for each of several columns."""
    places = {table.place(column): column for column in step.columns}
    kept = [place for place in range(len(table.headings)) if place not in places]
    rows = tuple(
        (line, [*(_cell(cells, other) for other in kept), heading, text])
        for line, cells in table.rows
        for place, heading in places.items()
        if (text := _cell(cells, place))
    )
    headings = (*(table.headings[place] for place in kept), step.name, step.value)
    return table._replace(headings=headings, rows=rows)


class RecipeResult(NamedTuple):
    """What a recipe gives: rows, skipped rows, columns, and the columns that are mapped or not needed."""

    rows: int
    skipped: int
    columns: int
    mapped: int


def result_of(table: RecipeTable, recipe: Recipe) -> RecipeResult:
    """Return what a recipe gives of a table, in numbers. table: after its steps."""
    parted = without_not_needed(recipe.words)
    items = (parted.of_fields or "").removeprefix(DIFFERS)
    mapped = len([item for item in items.split(",") if "=" in item]) + len(parted.not_needed)
    return RecipeResult(len(table.rows), len(table.skipped), len(table.headings), mapped)


NO_RECIPES: Final[Mapping[str, Recipe]] = {}
"""By kind of table."""
