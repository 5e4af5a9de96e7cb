"""A report as a terminal shows it: units in the headings, a star for a flag, whole money."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from gpuplanner.cli.figure_text import UNKNOWN, cluster_name, date_text, dollars, percent, table
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
    """The table under its headings, and how many rows more there are."""
    rows, columns = report.rows_in(Medium.TERMINAL, about), report.columns_in(Medium.TERMINAL)
    cells = [_cells(report, column, rows) for column in columns]
    left = next((at for at, column in enumerate(columns) if _is_right(column)), len(columns))
    headings = [column.heading(", ", is_short=True).replace("\n", " ") for column in columns]
    more = len(report.rows(about)) - len(rows)
    rest = f"\n  and {more:,} more; see --json" if more else ""
    return table(headings, list(zip(*cells, strict=True)), left=left) + rest


def _is_right(column: Column) -> bool:
    return column.figure is not None or column.form == "date"


def _cells(report: Report, column: Column, rows: Sequence[Any]) -> list[str]:
    if column.figure is None:
        return [_text(column, row) for row in rows]
    if column.figure.unit.key == "usd":
        return [dollars(amount) for amount in whole_amounts(report, column, rows)]
    return [_value(column, row) for row in rows]


def _text(column: Column, row: Any) -> str:
    if column.form == "date":
        return date_text(column.of(row))
    return cluster_name(column.of(row)) if column.key == "cluster" else str(column.of(row))


def _value(column: Column, row: Any) -> str:
    value, figure = column.of(row), column.figure
    assert figure is not None
    if value is None:
        return UNKNOWN
    return WRITE[figure.unit.key](value) + (
        " *" if column.flag is not None and getattr(row, column.flag.key) else ""
    )
