"""What a heatmap of the week shows of a cluster, contract, GPU model or team: utilization, or mean GPUs of a team."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from PySide6.QtWidgets import QWidget

from gpuplanner.charts.kit.translation import tr
from gpuplanner.charts.plots.heatmap import ROW_AT_MOST, Heatmap, HeatTable
from gpuplanner.domain.audit.use_by import HoursOfWeek, Use
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.message import Text, worded
from gpuplanner.ui.kit.palettes import LIGHT, Palette
from gpuplanner.ui.tables.chart_menu import sheet_of
from gpuplanner.ui.tables.chart_palette import heat_colours
from gpuplanner.ui.words import numbers

UTILIZATION = (worded("Utilization by hour and weekday"), worded("% of GPU-h paid"))
MEAN_GPUS = (worded("Mean GPUs by hour and weekday"), titles.MEAN_GPUS_IN_USE)


def heat_table(use: Use) -> HeatTable:
    """The map of one row: utilization where it has capacity; a team has GPUs in use and no capacity of its own."""
    week = use.hours_of_week
    if week.capacity is None:
        title, unit = MEAN_GPUS
        return HeatTable(
            title=title,
            unit=unit,
            values=week.mean_gpus,
            row_means=week.mean_gpus_by_day,
            written=numbers.one_decimal,
            # GPUs at an end of the scale, with a decimal where they are less than one.
            written_end=lambda value: numbers.significant(value) if value < 1 else numbers.gpus(value),
            note=tr("GPUs, UTC"),
            lines=lambda day, hour: _lines(week, day, hour),
        )
    paid = int(week.capacity.sum()) / MILLI_GPU_SECONDS_PER_GPU_HOUR / int(week.hours.sum())
    title, unit = UTILIZATION
    return HeatTable(
        title=title,
        unit=unit,
        values=week.utilization,
        row_means=week.utilization_by_day,
        written=numbers.percent,
        written_end=lambda share: numbers.percent(share, 0),
        note=tr("of {paid} mean GPUs paid, UTC", paid=numbers.gpus(paid)),
        lines=lambda day, hour: _lines(week, day, hour),
        most=1.0,
    )


def has_heat(use: Use) -> bool:
    """Whether any hour of the week is known."""
    return not bool(np.isnan(heat_table(use).values).all())


def _lines(week: HoursOfWeek, day: int, hour: int) -> Sequence[tuple[str, str]]:
    """What stands behind a cell: GPUs in use and paid for, on average over the hours of the window that fall in it."""
    if not (hours := int(week.hours[day, hour])):
        return ((tr("The log has no such hour"), ""),)
    per_gpu = hours * MILLI_GPU_SECONDS_PER_GPU_HOUR
    lines = []
    if week.capacity is not None:
        lines.append((tr(titles.MEAN_GPUS_IN_USE), numbers.one_decimal(int(week.used[day, hour]) / per_gpu)))
        paid = numbers.one_decimal(int(week.capacity[day, hour]) / per_gpu)
        lines.append((tr("Paid for, mean GPUs"), paid))
    else:
        spent = int(week.used[day, hour]) / MILLI_GPU_SECONDS_PER_GPU_HOUR
        lines.append((tr("GPU-h in the lookback period"), numbers.one_decimal(spent)))
    return (*lines, (tr(titles.HOURS_OF_THE_WINDOW), numbers.whole(hours)))


def heat_sheet(table: HeatTable, title: Text, source: str) -> Any:
    """What goes out with a map of the week."""

    def make(palette: Palette) -> QWidget:
        """The heatmap drawn anew in the large sheet's colours."""
        made = Heatmap(heat_colours(palette))
        made.show_heat(table)
        return made

    first, head, *rows = (tuple(line.split("\t")) for line in table.as_text().splitlines())
    height = Heatmap(heat_colours(LIGHT)).height_with_rows(ROW_AT_MOST)
    unit = tr("{value}, UTC", value=first[0].split(", ", 1)[1])
    return sheet_of(title, unit, source, make, head, lambda: rows, height)
