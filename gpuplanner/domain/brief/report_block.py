"""A report as a block of the brief: its first rows, headings with their units, whole money that adds up."""

from collections.abc import Mapping
from typing import Any, Final

from gpuplanner.domain.brief.figure_words import change, counted, whole
from gpuplanner.domain.brief.pages import Column as BlockColumn
from gpuplanner.domain.brief.pages import TableBlock
from gpuplanner.domain.figures.writing import ENGLISH, day
from gpuplanner.domain.model.part_sum import PartSum
from gpuplanner.domain.reports.report import Column, Medium, Report, rounded_values, whole_amounts

NO_CLUSTER: Final = "no cluster"


def report_block(
    report: Report,
    about: Any,
    title: str,
    shares: Mapping[str, float],
    most: int | None = None,
    rest: str = "",
) -> TableBlock:
    """The first rows of a report, a row for the rest and the total, where it has them.

    shares: of the width, by column; most: rows that are listed, where the report does not say it; rest: what the note
    says of the others.
    """
    rows = report.rows_in(Medium.BRIEF, about)
    columns = report.columns_of(Medium.BRIEF, rows)
    cells = [_cells(report, column, rows) for column in columns]
    left = 0 if most is None else len(rows) - most
    others = report.rest_in(Medium.BRIEF, about)
    total = report.total_of(Medium.BRIEF, about)
    note = report.note + (
        f" {counted(left, f'more {report.one}', f'more {report.many}')} {rest}" if left > 0 else ""
    )
    return TableBlock(
        title,
        tuple(
            BlockColumn(
                "Flag" if column.form == "flag" else column.heading(", "),
                column.figure is not None and column.form in ("value", "change"),
                shares.get(column.name or str(column.title), 1.0) if column.form != "flag" else 1.0,
            )
            for column in columns
        ),
        (
            *list(zip(*cells, strict=True))[:most],
            *(() if others is None else (_of_several(columns, others),)),
        ),
        () if total is None else _of_several(columns, total),
        note,
    )


def _cells(report: Report, column: Column, rows: list[Any]) -> list[str]:
    """A column as it is written: money in whole dollars that add up, a flag as its title where it holds."""
    figure = column.figure
    if figure is None:
        return [_text(column, row) for row in rows]
    if column.form == "flag":
        return [str(figure.title).lower() if column.of(row) else "" for row in rows]
    if figure.unit.key == "usd":
        written = change if column.form == "change" else whole
        return [
            str(column.unknown_of(row).text) if amount is None else written(amount)
            for row, amount in zip(rows, whole_amounts(report, column, rows), strict=True)
        ]
    return [
        str(column.unknown_of(row).text) if value is None else _written(column, value)
        for row, value in zip(rows, rounded_values(column, rows), strict=True)
    ]


def _of_several(columns: tuple[Column, ...], row: Any) -> tuple[str, ...]:
    """A row that stands for several, as the total does: blank where it has nothing."""
    return tuple(
        ""
        if not hasattr(row, column.name)
        else str(getattr(row, column.name))
        if column.figure is None
        else _written(column, getattr(row, column.name))
        for column in columns
    )


def _written(column: Column, value: Any) -> str:
    """One value by its unit; of a sum the whole of it, a dash where that is unknown."""
    if isinstance(value, PartSum):
        return whole(value.total)
    assert column.figure is not None
    return ENGLISH.of_unit(value, column.figure.unit.key)


def _text(column: Column, row: Any) -> str:
    """A text with its remark; a date as a day; words where a cluster has no name."""
    value, remark = column.of(row), "" if column.remark is None else column.remark(row)
    if column.form == "date" and isinstance(value, int):
        value = day(value)
    if not value:
        return NO_CLUSTER if column.key == "cluster" else ""
    return " ".join(str(words) for words in (value, remark) if words)
