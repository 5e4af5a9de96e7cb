"""A report as a terminal shows it: units in the headings, a star for a flag, whole money that adds up."""

from collections.abc import Sequence
from typing import Any

from gpuplanner.cli.figure_text import (
    UNKNOWN,
    cluster_name,
    dollars,
    dollars_of,
    gpu_hours_column,
    percent,
    table,
)
from gpuplanner.domain.model.part_sum import PartSum
from gpuplanner.domain.reports.report import Column, Medium, Report, whole_amounts


def report_text(report: Report, about: Any) -> str:
    """The table under its headings, its total last."""
    rows, columns = report.rows_in(Medium.TERMINAL, about), report.columns_in(Medium.TERMINAL)
    cells = [_cells(column, rows, report.total_of(about)) for column in columns]
    left = next((at for at, column in enumerate(columns) if column.figure is not None), len(columns))
    headings = [
        column.figure.short or column.figure.title
        if column.figure is not None and column.figure.unit is report.unit_once
        else column.heading(", ", is_short=True)
        for column in columns
    ]
    return table(headings, list(zip(*cells, strict=True)), left=left)


def _cells(column: Column, rows: Sequence[Any], total: Any | None) -> list[str]:
    cells = _of_rows(column, rows)
    return cells if total is None else [*cells, _of_total(column, rows, total)]


def _of_rows(column: Column, rows: Sequence[Any]) -> list[str]:
    if column.figure is None:
        return [_text(column, row) for row in rows]
    if column.figure.unit.key == "usd":
        return [dollars(amount) for amount in whole_amounts(column, rows)]
    if column.figure.unit.key == "gpu_hours":
        return _gpu_hours(column, rows)[:-1]
    return [_value(column, row) for row in rows]


def _of_total(column: Column, rows: Sequence[Any], total: Any) -> str:
    if column.figure is None:
        return str(getattr(total, column.name))
    if not hasattr(total, column.name):
        return ""
    value = getattr(total, column.name)
    if value is None:
        return UNKNOWN
    if isinstance(value, PartSum):
        return dollars_of(value)
    return _gpu_hours(column, rows)[-1] if column.figure.unit.key == "gpu_hours" else percent(value)


def _gpu_hours(column: Column, rows: Sequence[Any]) -> list[str]:
    """GPU-hours of rows and, last, of all of them; a dash where one is unknown."""
    texts = gpu_hours_column([amount for row in rows if (amount := getattr(row, column.name)) is not None])
    known = iter(texts[:-1])
    cells = [UNKNOWN if getattr(row, column.name) is None else next(known) for row in rows]
    shown = [UNKNOWN if column.of(row) is None else cell for row, cell in zip(rows, cells, strict=True)]
    return [*shown, texts[-1]]


def _text(column: Column, row: Any) -> str:
    return cluster_name(column.of(row)) if column.key == "cluster" else str(column.of(row))


def _value(column: Column, row: Any) -> str:
    value, figure = column.of(row), column.figure
    assert figure is not None
    if value is None:
        return UNKNOWN
    text = percent(value) if figure.unit.key == "share" else f"{value:,.9g}"
    return text + (" *" if column.flag is not None and getattr(row, column.flag.key) else "")
