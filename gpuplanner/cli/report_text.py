"""A report as a terminal shows it: units in the headings, a star for a flag, whole money that adds up."""

from collections.abc import Sequence
from typing import Any

from gpuplanner.cli.figure_text import UNKNOWN, cluster_name, dollars, percent, table
from gpuplanner.domain.reports.report import Column, Medium, Report, whole_amounts


def report_text(report: Report, about: Any) -> str:
    """The table under its headings."""
    rows, columns = report.rows_in(Medium.TERMINAL, about), report.columns_in(Medium.TERMINAL)
    cells = [_cells(column, rows) for column in columns]
    left = next((at for at, column in enumerate(columns) if column.figure is not None), len(columns))
    headings = [column.heading(", ", is_short=True) for column in columns]
    return table(headings, list(zip(*cells, strict=True)), left=left)


def _cells(column: Column, rows: Sequence[Any]) -> list[str]:
    if column.figure is None:
        return [_text(column, row) for row in rows]
    if column.figure.unit.key == "usd":
        return [dollars(amount) for amount in whole_amounts(column, rows)]
    return [_value(column, row) for row in rows]


def _text(column: Column, row: Any) -> str:
    return cluster_name(column.of(row)) if column.key == "cluster" else str(column.of(row))


def _value(column: Column, row: Any) -> str:
    value, figure = column.of(row), column.figure
    assert figure is not None
    if value is None:
        return UNKNOWN
    text = percent(value) if figure.unit.key == "share" else f"{value:,.9g}"
    return text + (" *" if column.flag is not None and getattr(row, column.flag.key) else "")
