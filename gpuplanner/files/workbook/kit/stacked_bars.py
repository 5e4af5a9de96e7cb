"""Bars of a chart in the workbook that stand on each other; one without a colour only lifts what stands on it."""

from typing import Any

from gpuplanner.files.workbook.kit.book import Table


def add_stacked(
    chart: Any, table: Table, categories: str, values: str, name: str, colour: str | None, *, gap: int
) -> None:
    """Add a column of a table as bars. categories, values: keys of its columns; gap: percent of a bar's width."""
    chart.add_series(
        {
            "name": name,
            "categories": f"={table.range(categories).area}",
            "values": f"={table.range(values).area}",
            "fill": {"none": True} if colour is None else {"color": colour},
            "border": {"none": True},
            "gap": gap,
        }
    )
