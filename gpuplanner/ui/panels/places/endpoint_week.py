"""The week of an endpoint: its chart, and its table for export."""

from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtWidgets import QWidget

from gpuplanner.charts.kit.chart_colours import mixed
from gpuplanner.charts.kit.translation import by_count, tr
from gpuplanner.domain.fit.endpoint_sizing import EndpointSizing
from gpuplanner.domain.fit.serving_costs import ServingCost
from gpuplanner.domain.serving.load import by_hour_of_week
from gpuplanner.ui.kit.palettes import Palette
from gpuplanner.ui.state.view_state import ViewState, source_words
from gpuplanner.ui.tables.chart_menu import sheet_of
from gpuplanner.ui.tables.chart_palette import chart_colours
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.lanes import Lane

if TYPE_CHECKING:
    from gpuplanner.charts.plots.week_load import WeekLoad, WeekLoadChart


def week_load(sizing: EndpointSizing, cost: ServingCost, palette: Palette) -> "WeekLoad | None":
    """What the chart draws of one row of the table; None where its replicas are not known."""
    from gpuplanner.charts.plots.week_load import WeekLoad

    row, load = cost.row, sizing.load
    replicas, mu = sizing.replicas_by_hour(cost), row.requests_per_s
    if replicas is None or mu is None:
        return None
    gpus = [float(min(count, row.replicas_peak or 0) * row.tensor_parallel) for count in replicas]
    rates = [hour.requests_per_s for hour in load.hours]
    fill = palette.lane(Lane.INFERENCE)
    return WeekLoad(
        requests_per_s=np.array(by_hour_of_week(load, rates), dtype=np.float64),
        autoscaled=np.array(by_hour_of_week(load, gpus), dtype=np.float64),
        flat=float(cost.gpus_peak or 0),
        gpus_per_request=row.tensor_parallel / (sizing.terms.headroom * mu),
        colour=fill.name(),
        pale=mixed(fill, palette.colour("raised"), 0.25).name(),
    )


def new_week_chart(palette: Palette) -> "WeekLoadChart":
    from gpuplanner.charts.plots.week_load import WeekLoadChart

    return WeekLoadChart(
        chart_colours(palette),
        lambda gpus: by_count(gpus, "{gpus} GPU", "{gpus} GPUs", gpus=numbers.significant(gpus, 4)),
    )


def week_sheet(load: Any, shown: ViewState) -> Any:
    """The chart of a WeekLoad: GPUs held flat, autoscaled, and the requests, by hour of the week."""

    def make(palette: Palette) -> QWidget:
        made = new_week_chart(palette)
        made.show_load(load)
        return made

    def rows() -> list[tuple[str, ...]]:
        from gpuplanner.domain.model.window import DAYS

        return [
            (
                f"{tr(DAYS[hour // 24])} {hour % 24:02d}:00",
                numbers.gpus(load.flat),
                numbers.gpus(float(load.autoscaled[hour])),
                numbers.one_decimal(float(load.requests_per_s[hour])),
            )
            for hour in np.flatnonzero(np.isfinite(load.autoscaled)).tolist()
        ]

    columns = (tr("Hour, UTC"), tr("Sized for peak, GPUs"), tr("Autoscaled, GPUs"), tr("Requests per second"))
    title = tr("GPUs by hour of week: fixed, autoscaled, requests")
    return sheet_of(title, tr("GPUs, UTC; dotted: requests"), source_words(shown), make, columns, rows)
