"""Replicas over the hours of a week: sized for peak, and autoscaled."""

from collections.abc import Callable
from typing import Final

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QColor

from gpuplanner.charts.kit.axes import EdgeName
from gpuplanner.charts.kit.plot import Area, Chart, ChartColours, nice_ticks, tip_table
from gpuplanner.charts.kit.translation import tr
from gpuplanner.charts.kit.user_locale import short
from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.figures import titles
from gpuplanner.domain.model.window import DAYS
from gpuplanner.lazy_dataclass import dataclass

HOURS: Final = 168
FLAT: Final = titles.HELD_FOR_THE_PEAK
SCALED: Final = titles.AUTOSCALED
FEW_HOURS: Final = 48
"""So many hours and fewer are named one by one."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class WeekLoad:
    """GPUs and requests by hour of the week, Monday 0:00 UTC first. Shapes: (168,); NaN where nothing is known.

    flat: GPUs held all the time. gpus_per_request: GPUs that a request a second asks for, at which scale the
    requests are drawn. colour: of what the autoscaler holds; pale: of what stands above it.
    """

    requests_per_s: Floats
    autoscaled: Floats
    flat: float
    gpus_per_request: float
    colour: str
    pale: str


class WeekLoadChart(Chart):
    """Told its hours; `says` puts GPUs into words."""

    def __init__(self, colours: ChartColours, says: Callable[[float], str]) -> None:
        """says: GPUs in words, on the axis and in tips."""
        super().__init__(tr("GPUs by hour of week: fixed, autoscaled, requests"), colours, 92)
        self._says = says
        self.load: WeekLoad | None = None  # what it was told
        self.tip_at = self._tip
        self.least_x = 6.0
        self.draw_again = self._draw_again

    def _draw_again(self) -> None:
        if self.load is not None:
            self.show_load(self.load)

    def show_load(self, load: WeekLoad) -> None:
        """Draw it, as far as hours are known.

        From the first hour that is known to the last; between them what is unknown is a gap.
        """
        self.load = load
        item = self.start()
        known = np.flatnonzero(np.isfinite(load.autoscaled))
        first, end = (int(known[0]), int(known[-1]) + 1) if len(known) else (0, HOURS)
        edges = np.arange(first, end + 1, dtype=np.float64)
        held = np.where(np.isfinite(load.autoscaled[first:end]), load.flat, 0.0)
        self.stops = (edges[:-1] + 0.5).tolist()
        flat, autoscaled = tr(FLAT), tr(SCALED)
        if self.toggles.is_visible(flat):
            item.addItem(Area(edges, held, 0.0, QBrush(QColor(load.pale))))
            pen = pg.mkPen(QColor(self.colours.text), width=1)
            item.addItem(pg.PlotCurveItem([first, end], [load.flat, load.flat], pen=pen))
        if self.toggles.is_visible(autoscaled):
            scaled = np.nan_to_num(load.autoscaled[first:end])
            item.addItem(Area(edges, scaled, 0.0, QBrush(QColor(load.colour))))
        drawn = load.requests_per_s[first:end] * load.gpus_per_request
        dashed = pg.mkPen(QColor(self.colours.text), width=1.4, style=Qt.PenStyle.DotLine)
        finite = {"connect": "finite", "antialias": True}
        item.addItem(pg.PlotCurveItem(edges[:-1] + 0.5, drawn, pen=dashed, **finite))
        ticks = nice_ticks(max(load.flat, float(np.nanmax(drawn, initial=0.0))))
        last = load.autoscaled[known[-1]] if len(known) else 0.0
        self.names_axis.show_names(
            [EdgeName(load.flat, flat, self._says(load.flat)), EdgeName(float(last) / 2, autoscaled)]
        )
        self.finish(_x_ticks(first, end), [(tick, short(tick)) for tick in ticks], (first, end), ticks[-1])

    def _tip(self, x: float, y: float) -> str:
        """x: hour of the week. Held flat, autoscaled and requests, and what is held and not needed."""
        load = self.load
        if load is None or not 0 <= x < HOURS:
            return ""
        hour = int(x)
        scaled, requests = float(load.autoscaled[hour]), float(load.requests_per_s[hour])
        if not np.isfinite(scaled):
            return ""
        rows = [
            (load.pale, tr(FLAT), self._says(load.flat)),
            (load.colour, tr(SCALED), self._says(scaled)),
            (self.colours.text, tr("Requests per second"), short(float(f"{requests:.3g}"))),
        ]
        when = tr(
            "{days} {hour}:00 to {hour_2}:00 UTC", days=DAYS[hour // 24], hour=hour % 24, hour_2=hour % 24 + 1
        )
        return tip_table(when, rows, (tr("Allocated, not needed"), self._says(load.flat - scaled)))


def _x_ticks(first: int, end: int) -> list[tuple[float, str]]:
    """The days at their noon; of few hours each hour by its name."""
    if end - first <= FEW_HOURS:
        return [
            (hour + 0.5, f"{tr(DAYS[hour // 24])} {hour % 24}:00" if hour == first else f"{hour % 24}:00")
            for hour in range(first, end, max(1, (end - first) // 8))
        ]
    return [(24 * day + 12.0, tr(name)) for day, name in enumerate(DAYS) if first <= 24 * day + 12 <= end]
