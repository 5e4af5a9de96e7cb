"""What goes out with the week of an endpoint: the chart in another palette, and its hours as a table."""

from typing import Any

import numpy as np
from PySide6.QtWidgets import QWidget

from gpuplanner.ui import numbers
from gpuplanner.ui.chart_colours import chart_colours
from gpuplanner.ui.chart_menu import sheet_of
from gpuplanner.ui.chart_source import source_words
from gpuplanner.ui.said import said
from gpuplanner.ui.shown import Shown
from gpuplanner.ui.theme import Palette


def week_sheet(load: Any, shown: Shown) -> Any:
    """The chart of a WeekLoad: GPUs held flat, autoscaled, and the requests, by hour of the week."""

    def make(palette: Palette) -> QWidget:
        from gpuplanner.charts.week_load import WeekLoadChart

        made = WeekLoadChart(
            chart_colours(palette), lambda gpus: said("{gpus} GPUs", gpus=numbers.significant(gpus, 4))
        )
        made.show_load(load)
        return made

    def rows() -> list[tuple[str, ...]]:
        from gpuplanner.charts.week_load import DAYS

        return [
            (
                f"{DAYS[hour // 24]} {hour % 24:02d}:00",
                numbers.gpus(load.flat),
                numbers.gpus(float(load.autoscaled[hour])),
                numbers.one_decimal(float(load.requests_per_s[hour])),
            )
            for hour in np.flatnonzero(np.isfinite(load.autoscaled)).tolist()
        ]

    columns = (
        said("Hour, UTC"),
        said("Held flat, GPUs"),
        said("Autoscaled, GPUs"),
        said("Requests a second"),
    )
    title = said("GPUs by hour of the week: held flat and autoscaled")
    return sheet_of(title, said("GPUs, UTC; dotted: requests"), source_words(shown), make, columns, rows)
