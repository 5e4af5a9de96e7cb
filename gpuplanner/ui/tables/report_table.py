"""A report as a table of the window: bars, flags as triangles, whole money, and figures to ask about."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from gpuplanner.domain.audit.evidence.trace import figure as figure_id
from gpuplanner.domain.figures.figure import Figure
from gpuplanner.domain.figures.use import FLAG_PERCENT
from gpuplanner.domain.model.worded import Worded, worded
from gpuplanner.domain.reports.report import Column, Medium, Report, whole_amounts
from gpuplanner.ui.tables.cells import Bar, Cell, Row
from gpuplanner.ui.tables.cells import Column as TableColumn
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.localized import localized

BAR_PX: Final = 120
SHORT_BAR_PX: Final = 62
FLAG: Final = FLAG_PERCENT / 100
SCALE: Final = ((0.0, "0"), (FLAG, f"{FLAG_PERCENT}"), (1.0, "100%"))
WRITE: Final[Mapping[str, Callable[[float | None], str]]] = {
    "share": numbers.percent,
    "gpus": numbers.gpus,
    "decimal": numbers.gpus,
    "gpu_hours": numbers.whole,
    "count": numbers.whole,
    "rate": numbers.rate,
}
"""How values of a unit are written under a heading; money is whole."""
MARKS: Final = worded("Solid mark: the 40% flag. Dashed mark: break-even.")


def table_columns(report: Report, *, are_bars_short: bool = False) -> tuple[TableColumn, ...]:
    """The columns of a report with their units on a line of their own. are_bars_short: bars without title and flag."""

    def bar(column: Column) -> TableColumn:
        if are_bars_short:
            return TableColumn("", False, SHORT_BAR_PX, scale=(SCALE[0], SCALE[-1]))
        return TableColumn(f"{column.heading('', is_short=True)}\n ", False, BAR_PX, scale=SCALE)

    return tuple(
        bar(column)
        if column.form == "bar"
        else TableColumn(column.heading("\n", is_short=True), column.figure is not None)
        for column in report.columns_in(Medium.WINDOW)
    )


def table_rows(report: Report, about: Any, *, are_opened: bool = False) -> tuple[Row, ...]:
    """The rows of a report in the window's order. Every value that is known can be asked about.

    are_opened: a row has the report's key of it, and can be chosen.
    """
    rows, columns = report.rows_in(Medium.WINDOW, about), report.columns_in(Medium.WINDOW)
    cells = [_cells(report, column, rows) for column in columns]
    keys = [report.key(row) if are_opened else "" for row in rows]
    found = [Row(tuple(of_row), key=key) for key, *of_row in zip(keys, *cells, strict=True)]
    total = report.total_of(Medium.WINDOW, about)
    if total is not None:
        of_total = tuple(_cells(report, column, (total,))[0] for column in columns)
        found.append(Row(of_total, is_total=True, key=report.key(total) if are_opened else ""))
    return tuple(found)


def _cells(report: Report, column: Column, rows: Sequence[Any]) -> list[Cell]:
    figure = column.figure
    if figure is None:
        return [_text_cell(column, row) for row in rows]
    if column.form == "bar":
        return [_bar_cell(column, row) for row in rows]
    if figure.unit.key == "usd":
        return [
            _money_cell(report, column, figure, row, whole)
            for row, whole in zip(rows, whole_amounts(report, column, rows), strict=True)
        ]
    return [_value_cell(report, column, figure, row) for row in rows]


def _money_cell(report: Report, column: Column, figure: Figure, row: Any, whole: int | None) -> Cell:
    if whole is None:
        return _unknown_cell(column, row)
    return Cell(
        numbers.whole(float(whole)),
        is_strong=column is report.columns_in(Medium.WINDOW)[-1],
        tip=numbers.cents(column.of(row)),
        figure_id=_asks(report, figure, row),
    )


def _unknown_cell(column: Column, row: Any) -> Cell:
    unknown = column.unknown_of(row)
    return Cell(unknown.text, "text" if unknown.text == numbers.UNKNOWN else "muted", tip=unknown.why)


def _text_cell(column: Column, row: Any) -> Cell:
    if column.form == "date":
        return Cell(numbers.short_date(column.of(row)), "muted")
    tip = "" if column.tip is None else column.tip(row)
    if type(tip) is Worded:  # a sentence of the domain; names stay as they are
        tip = localized(tip)
    return Cell(column.of(row), is_strong=column.form == "name", tip=tip)


def _bar_cell(column: Column, row: Any) -> Cell:
    share = column.of(row)
    if share is None:
        return Cell(tip=MARKS if column.unknown is None else column.unknown(row).why)
    role = "amber" if _is_flagged(column, row) else "neutral"
    mark = None if column.mark is None else getattr(row, column.mark.key)
    return Cell(bar=Bar(share, role, FLAG, mark), tip=MARKS)


def _value_cell(report: Report, column: Column, figure: Figure, row: Any) -> Cell:
    value = column.of(row)
    if value is None:
        return _unknown_cell(column, row)
    flag = column.flag if _is_flagged(column, row) else None
    return Cell(
        WRITE[figure.unit.key](value),
        icon="" if flag is None else "triangle",
        icon_role="amber" if column.flag is not None else "muted",
        tip="" if flag is None else flag.glossary,
        figure_id=_asks(report, figure, row),
    )


def _is_flagged(column: Column, row: Any) -> bool:
    return column.flag is not None and bool(getattr(row, column.flag.key))


def _asks(report: Report, figure: Figure, row: Any) -> str:
    return figure_id(figure.why, report.key(row), report.scope) if figure.why else ""
