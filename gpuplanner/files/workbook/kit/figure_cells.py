"""Figures and reports on sheets: a live formula is the formula of its figure, a report a table of values.

A cell is surely a number, or maybe; arithmetic over cells that are maybe there is wrapped once, in what `live` makes.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, Final

from gpuplanner.domain.figures.figure import (
    MONTHS_PER_YEAR,
    Figure,
    Subject,
    discounted,
    if_any,
    if_enough,
    is_below,
    least,
    priced,
    repaid,
    share,
)
from gpuplanner.domain.figures.layer import LAYER
from gpuplanner.domain.figures.writing import day
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.amounts import grouped
from gpuplanner.domain.model.window import HOURS_OF_WEEK
from gpuplanner.domain.reports.report import Column, Medium, Report
from gpuplanner.files.system.resources import plain_table, rows_of
from gpuplanner.files.workbook.kit.book import Book, Table
from gpuplanner.files.workbook.kit.expressions import DASH, Expr, call, known, lift, lowest, when
from gpuplanner.files.workbook.kit.looks import Field
from gpuplanner.lazy_dataclass import dataclass

NOTHING_GPU_HOURS = 1e-7
"""GPU-hours below this are none: what is left of a difference of floats."""

Number = float | int


@dataclass(slots=True)
class Cell:
    """An operand of a formula: an expression, and the cells in it that may hold no number.

    Nobody changes one, as with expressions. may_dash: it can come to the dash by itself, so that a formula around it
    has to look.
    """

    expression: Expr
    maybe: tuple[Expr, ...] = ()
    may_dash: bool = False

    @property
    def live(self) -> Expr:
        """The formula of a cell: the dash where a cell that it needs holds no number."""
        return known(self.maybe, self.expression) if self.maybe else self.expression

    def __add__(self, other: "Cell | Number") -> "Cell":
        that = _cell(other)
        return Cell(self.expression + that.expression, _both(self, that))

    def __sub__(self, other: "Cell | Number") -> "Cell":
        that = _cell(other)
        return Cell(self.expression - that.expression, _both(self, that))

    def __mul__(self, other: "Cell | Number") -> "Cell":
        that = _cell(other)
        return Cell(self.expression * that.expression, _both(self, that))

    def __truediv__(self, other: "Cell | Number") -> "Cell":
        that = _cell(other)
        return Cell(self.expression / that.expression, _both(self, that))

    def __radd__(self, other: Number) -> "Cell":
        return _cell(other) + self

    def __rsub__(self, other: Number) -> "Cell":
        return _cell(other) - self

    def __rmul__(self, other: Number) -> "Cell":
        return _cell(other) * self

    def __rtruediv__(self, other: Number) -> "Cell":
        return _cell(other) / self


Cells = dict[str, Cell | Expr]
"""Inputs of figures by key; one that is no `Cell` surely holds a number."""


def maybe(expression: Expr) -> Cell:
    """A cell that may show the dash."""
    return Cell(expression, (expression,))


def _cell(operand: Cell | Expr | Number) -> Cell:
    """What surely is a number, as a cell, so that formulas of figures take either."""
    return operand if isinstance(operand, Cell) else Cell(lift(operand))


def _both(*operands: Cell) -> tuple[Expr, ...]:
    """What a formula around them has to look at."""
    needs: dict[Expr, None] = {}
    for operand in operands:
        needs |= dict.fromkeys((*operand.maybe, operand.expression) if operand.may_dash else operand.maybe)
    return tuple(needs)


@share.register
def _(part: Cell, whole: Cell) -> Cell:
    return Cell(
        when(whole.expression > 0, part.expression / whole.expression, DASH), _both(part, whole), True
    )


@priced.register
def _(gpu_hours: Cell, rate: Cell) -> Cell:
    """The rate is wrapped inside: nothing costs nothing, also at a rate that nobody states."""
    amount = (
        known(rate.maybe, gpu_hours.expression * rate.expression)
        if rate.maybe
        else (gpu_hours * rate).expression
    )
    nothing = gpu_hours.expression < NOTHING_GPU_HOURS
    return Cell(when(nothing, 0, amount), gpu_hours.maybe, bool(rate.maybe))


@is_below.register
def _(cell: Cell, other: Cell) -> Cell:
    """Cells are floats: what is within half a millionth is not below."""
    return Cell(when(call("ROUND", cell.expression - other.expression, 6) < 0, 1, 0), _both(cell, other))


@least.register
def _(cell: Cell, other: Cell) -> Cell:
    return Cell(lowest(cell.expression, other.expression), _both(cell, other))


@if_any.register
def _(gpu_hours: Cell, cost: Cell) -> Cell:
    return Cell(when(gpu_hours.expression > 0, cost.live, 0), gpu_hours.maybe, bool(cost.maybe))


@if_enough.register
def _(hours: Cell, other_hours: Cell, value: Cell) -> Cell:
    few, others = hours.expression, other_hours.expression
    is_short = call("AND", few < HOURS_OF_WEEK, few < others)
    is_few = call("OR", lift(19) * few < others, is_short)
    return Cell(when(is_few, DASH, value.expression), value.maybe, True)


@discounted.register
def _(a_year: Cell, months: Cell) -> Cell:
    rate, term = a_year.expression, months.expression
    return Cell(call("POWER", lift(1) + rate, lift(0) - term / MONTHS_PER_YEAR), _both(a_year, months))


@repaid.register
def _(a_year: Cell, months: Cell) -> Cell:
    """An annuity of no cost of capital divides by nothing: then it is what each month pays back."""
    rate, term = a_year.expression, months.expression
    monthly = call("POWER", lift(1) + rate, lift(1) / MONTHS_PER_YEAR) - 1
    left = call("POWER", lift(1) + monthly, lift(0) - term)
    paid = when(rate > 0, monthly / (lift(1) - left), lift(1) / term)
    return Cell(when(term > 0, paid, DASH), _both(a_year, months), True)


STYLES: Final = plain_table("unit_style")
"""How a unit is written in cells (looks.py)."""


def figure_field(figure: Figure, width: float = 12, note: str = "", style: str = "") -> Field:
    """The column of a figure: its key, title and unit. style: of looks.py, where it is not its unit's."""
    return Field(
        key=figure.key, heading=figure.heading(", "), style=style or STYLES[figure.unit.key], width=width
    ).noted(note)


@cache
def _written_fields() -> Mapping[str, list[dict[str, str]]]:
    return grouped((row["table"], row) for row in rows_of("workbook_fields.csv"))


def fields_of(table: str, *given: Field, of: Subject | None = None) -> tuple[Field, ...]:
    """Return the columns of a table, by its rows of resources/workbook_fields.csv.

    A row without a heading is the column among `given` that has its key, else the figure of the subject that has it.
    Errors: KeyError for a table or a figure that is not there.
    """
    by_key = {field.key: field for field in given}
    return tuple(_field_of(row, by_key, of) for row in _written_fields()[table])


def _field_of(row: Mapping[str, str], given: Mapping[str, Field], of: Subject | None) -> Field:
    key, style, note = row["key"], row["style"], row["note"]
    if key in given:
        return given[key]
    if row["heading"]:
        return Field(key=key, heading=row["heading"], style=style, width=float(row["width"]), note=note)
    assert of is not None
    return figure_field(of[key], float(row["width"]), note, style)


@dataclass(frozen=True, slots=True)
class Look:
    """How a column looks: its width in characters, what a comment on its heading says, its style (looks.py) where that
    is not its unit's."""

    width: float = 12
    note: str = ""
    style: str = ""


_LOOKS: Final = rows_of("workbook_looks.csv")


def looks_of(table: str) -> dict[str, Look]:
    """How some columns of a report look on its sheet, by name, as resources/workbook_looks.csv has them."""
    return {
        row["key"]: Look(float(row["width"]), row["note"], row["style"])
        for row in _LOOKS
        if row["table"] == table
    }


def report_fields(
    report: Report, width: float = 12, looks: Mapping[str, Look] = MappingProxyType({})
) -> tuple[Field, ...]:
    """The columns of a report on its sheet, in its order. looks: of some, by name."""
    return tuple(
        _column_field(column, looks.get(column.name, Look(width)))
        for column in report.columns_in(Medium.WORKBOOK)
    )


def figure_fields(
    report: Report, width: float = 12, looks: Mapping[str, Look] = MappingProxyType({})
) -> tuple[Field, ...]:
    """Those of a report's figures alone, where a sheet has columns of its own between them and its texts."""
    figures = {column.name for column in report.columns_in(Medium.WORKBOOK) if column.figure is not None}
    return tuple(field for field in report_fields(report, width, looks) if field.key in figures)


def _column_field(column: Column, look: Look) -> Field:
    if column.figure is not None:
        return figure_field(column.figure, look.width, look.note, look.style)
    return Field(key=column.name, heading=column.title, style=look.style or "text", width=look.width).noted(
        look.note
    )


def text_field(report: Report, name: str, width: float = 12) -> Field:
    """The column of a report's text, under its title there."""
    return Field(key=name, heading=report.column(name).title, style="text", width=width)


def flag_field(figure: Figure) -> Field:
    """The column of a flag, which says in words whether it holds."""
    return Field(key=figure.key, heading=figure.title, width=12)


def put_rows(table: Table, report: Report, rows: Iterable[Any]) -> None:
    """Write rows of a report as it has them, under `report_fields`, as values."""
    columns = [(c.name, c.of, c.form == "date") for c in report.columns_in(Medium.WORKBOOK)]
    for place, row in enumerate(rows):
        cells = {name: day(of(row)) if is_date else of(row) for name, of, is_date in columns}
        table.fill(place, **cells)


def write_report(
    book: Book,
    sheet: str,
    row: int,
    report: Report,
    about: Any,
    width: float = 12,
    looks: Mapping[str, Look] = MappingProxyType({}),
    *,
    heading: Text = "",
    is_long: bool = False,
) -> Table:
    """Write a report as a table of values from a row of a sheet on, in its columns and order.

    about: what is reported on; looks: as of `report_fields`; heading: over the table; is_long: its rows pass through.
    """
    rows, fields = report.rows_in(Medium.WORKBOOK, about), report_fields(report, width, looks)
    table = Table(
        book=book,
        sheet=sheet,
        row=row,
        size=len(rows),
        fields=fields,
        kept=() if is_long else None,
        section=heading,
    )
    put_rows(table, report, rows)
    table.finish()
    return table


def live(subject: Subject, key: str, operands: Mapping[str, Cell | Expr]) -> Expr:
    """The formula of a figure over cells."""
    cell: Cell = subject.value(key, {of: _cell(operand) for of, operand in operands.items()})
    return cell.live


def put_flag(table: Table, place: int, figure: Figure, operands: Mapping[str, Cell | Expr]) -> None:
    """Write a flag in words."""
    assert figure.formula is not None
    holds = figure.formula(**{key: _cell(operands[key]) for key in figure.parameters}).live
    table.put(figure.key, place, when(holds.equals(1), str(figure.title).lower(), "no"))


def write_figures(
    table: Table, place: int, subject: Subject, operands: Mapping[str, Cell | Expr], keys: Iterable[str]
) -> set[str]:
    """Write the columns of a row that are figures: each as the formula of its figure over the cells of the row.

    operands: the inputs by key. A figure whose column was written is referred to by those after it; others are
    nested. Columns are named by the keys of their figures. Returns the keys that the inputs do not suffice for.
    """
    found, wanted = {key: _cell(operand) for key, operand in operands.items()}, frozenset(keys)
    for figure in _in_order(subject, frozenset(found), wanted):
        assert figure.formula is not None
        cell = figure.formula(**{key: found[key] for key in figure.parameters})
        if figure.key in wanted:
            written = table.put(figure.key, place, cell.live)
            cell = maybe(written) if cell.maybe or cell.may_dash else Cell(written)
        found[figure.key] = cell
    return set(wanted - set(found))


@cache
def _in_order(subject: Subject, given: frozenset[str], wanted: frozenset[str]) -> tuple[Figure, ...]:
    """The wanted figures that follow from what is given, and those they stand on; the same for each row of a table."""
    there, found = set(given), list[Figure]()
    for figure in subject.figures:
        if figure.formula is not None and figure.key not in there and there.issuperset(figure.parameters):
            there.add(figure.key)
            found.append(figure)
    needed = set(wanted)
    for figure in reversed(found):
        needed.update(figure.parameters if figure.key in needed else ())
    return tuple(figure for figure in found if figure.key in needed)


def cost_per_month(mean_gpus: Expr, rate: Expr, paid_hours: Expr) -> Expr:
    """$ a month of GPUs at a rate; the dash where the rate is unknown.

    Units: GPUs, $ per GPU-hour, hours a month.
    """
    given: Cells = {"mean_gpus": mean_gpus, "rate": maybe(rate), "paid_hours": paid_hours}
    return live(LAYER, "cost_per_month", given)


def mean_rate(usd: Expr, mean_gpus: Expr, paid_hours: Expr) -> Expr:
    """$ per GPU-hour of what costs so many $ a month; the dash where that is unknown, or there are no GPUs."""
    given: Cells = {"cost_per_month": maybe(usd), "mean_gpus": mean_gpus, "paid_hours": paid_hours}
    return live(LAYER, "mean_rate", given)
