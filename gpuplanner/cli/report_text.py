"""A report as a terminal shows it: units in the headings, a star for a flag, whole money."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from gpuplanner.cli.figure_text import (
    UNKNOWN,
    cluster_name,
    date_text,
    dollars,
    dollars_of,
    gpu_hours_column,
    percent,
    table,
)
from gpuplanner.domain.model.part_sum import PartSum
from gpuplanner.domain.reports.report import Column, Medium, Report, whole_amounts

WRITE: Final[Mapping[str, Callable[[float], str]]] = {
    "share": percent,
    "gpus": "{:,.9g}".format,
    "gpu_hours": "{:,.0f}".format,
    "count": "{:,}".format,
    "rate": "{:,.2f}".format,
    "decimal": "{:,.1f}".format,
}
"""How values of a unit are written; money is whole."""


def report_text(report: Report, about: Any) -> str:
    """The table under its headings, its total last, and how many rows more there are.

    about: what is reported on. Rows that the terminal does not list are counted below.
    """
    rows, columns = report.rows_in(Medium.TERMINAL, about), report.columns_in(Medium.TERMINAL)
    total = report.total_of(Medium.TERMINAL, about)
    cells = [_cells(report, column, rows, total) for column in columns]
    left = next((at for at, column in enumerate(columns) if _is_right(column)), len(columns))
    headings = [report.heading(column, ", ", is_short=True).replace("\n", " ") for column in columns]
    more = len(report.rows(about)) - len(rows)
    rest = f"\n  and {more:,} more; see --json" if more else ""
    return table(headings, list(zip(*cells, strict=True)), left=left) + rest


def _is_right(column: Column) -> bool:
    """Figures and dates are aligned at the right."""
    return column.figure is not None or column.form == "date"


def _cells(report: Report, column: Column, rows: Sequence[Any], total: Any | None) -> list[str]:
    """A column, its total last where there is one."""
    if total is None:
        return _of_rows(report, column, rows)
    cells = _of_rows(report, column, rows) if report.adds_up else _alone(report, column, rows)
    return [*cells, _of_total(report, column, rows, total)]


def _alone(report: Report, column: Column, rows: Sequence[Any]) -> list[str]:
    """Cells of rows that overlap: each is rounded for itself."""
    if column.figure is not None and column.figure.unit.key == "gpu_hours":
        return [_value(column, row) for row in rows]
    return _of_rows(report, column, rows)


def _of_rows(report: Report, column: Column, rows: Sequence[Any]) -> list[str]:
    """Cells of rows; money and GPU-hours add up to their rounded totals."""
    if column.figure is None:
        return [_text(column, row) for row in rows]
    if column.figure.unit.key == "usd":
        return [dollars(amount) for amount in whole_amounts(report, column, rows)]
    if column.figure.unit.key == "gpu_hours":
        return _gpu_hours(column, rows)[:-1]
    return [_value(column, row) for row in rows]


def _of_total(report: Report, column: Column, rows: Sequence[Any], total: Any) -> str:
    """The cell under a column; blank where the total has no such field, for itself where rows overlap."""
    if column.figure is None:
        return str(getattr(total, column.name))
    if not hasattr(total, column.name):
        return ""
    value = getattr(total, column.name)
    if value is None:
        return UNKNOWN
    if isinstance(value, PartSum):
        return dollars_of(value)
    if column.figure.unit.key != "gpu_hours":
        return percent(value)
    return _gpu_hours(column, rows)[-1] if report.adds_up else WRITE["gpu_hours"](value)


def _gpu_hours(column: Column, rows: Sequence[Any]) -> list[str]:
    """GPU-hours of rows and, last, of all of them; a dash where one is unknown."""
    amounts = [getattr(row, column.name, column.of(row)) for row in rows]
    texts = gpu_hours_column([amount for amount in amounts if amount is not None])
    known = iter(texts[:-1])
    cells = [UNKNOWN if amount is None else next(known) for amount in amounts]
    shown = [UNKNOWN if column.of(row) is None else cell for row, cell in zip(rows, cells, strict=True)]
    return [*shown, texts[-1]]


def _text(column: Column, row: Any) -> str:
    """A text or a date; a dash where it is unknown."""
    value = column.of(row)
    if column.form == "date":
        return date_text(value)
    if value is None:
        return UNKNOWN
    return cluster_name(value) if column.key == "cluster" else str(value)


def _value(column: Column, row: Any) -> str:
    """A figure as its unit is written, with a star where the row is flagged."""
    value, figure = column.of(row), column.figure
    assert figure is not None
    if value is None:
        return column.unknown_of(row).text
    if isinstance(value, str):
        return value
    return WRITE[figure.unit.key](value) + (
        " *" if column.flag is not None and getattr(row, column.flag.key) else ""
    )
