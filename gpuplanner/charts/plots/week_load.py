"""Replicas over the hours of a week: held flat for the peak, what a perfect autoscaler holds, and the requests."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QColor

from gpuplanner.charts.kit.chart_numbers import short
from gpuplanner.charts.kit.plot import Area, Chart, ChartColours, EdgeName, nice_ticks, tip_table
from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.figures import titles
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.weekdays import DAYS

HOURS: Final = 168
FLAT: Final = worded("Held flat")
SCALED: Final = titles.AUTOSCALED
FEW_HOURS: Final = 48
"""So many hours and fewer are named one by one."""


@dataclass(frozen=True, slots=True, eq=False)
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
        super().__init__(tr("GPUs by hour of the week: held flat, autoscaled, and the requests"), colours, 92)
        self._says = says
        self._load: WeekLoad | None = None
        self.tip_at = self._tip
        self.least_x = 6.0
        self.draw_again = self._draw_again

    @property
    def load(self) -> WeekLoad | None:
        """What it was told."""
        return self._load

    def _draw_again(self) -> None:
        if self._load is not None:
            self.show_load(self._load)

    def show_load(self, load: WeekLoad) -> None:
        """Draw it, as far as hours are known.

        From the first hour that is known to the last; between them what is unknown is a gap.
        """
        self._load = load
        item = self.start()
        known = np.flatnonzero(np.isfinite(load.autoscaled))
        first, end = (int(known[0]), int(known[-1]) + 1) if len(known) else (0, HOURS)
        edges = np.arange(first, end + 1, dtype=np.float64)
        held = np.where(np.isfinite(load.autoscaled[first:end]), load.flat, 0.0)
        self.stops = (edges[:-1] + 0.5).tolist()
        if self.toggles.is_visible(FLAT):
            item.addItem(Area(edges, held, 0.0, QBrush(QColor(load.pale))))
            pen = pg.mkPen(QColor(self.colours.text), width=1)
            item.plot([first, end], [load.flat, load.flat], pen=pen)
        if self.toggles.is_visible(SCALED):
            scaled = np.nan_to_num(load.autoscaled[first:end])
            item.addItem(Area(edges, scaled, 0.0, QBrush(QColor(load.colour))))
        drawn = load.requests_per_s[first:end] * load.gpus_per_request
        dashed = pg.mkPen(QColor(self.colours.text), width=1.4, style=Qt.PenStyle.DotLine)
        item.plot(edges[:-1] + 0.5, drawn, pen=dashed, connect="finite", antialias=True)
        top = max(load.flat, float(np.nanmax(drawn, initial=0.0)))
        ticks = nice_ticks(top)
        last = load.autoscaled[known[-1]] if len(known) else 0.0
        self.names_axis.show_names(
            [
                EdgeName(load.flat, FLAT, self._says(load.flat)),
                EdgeName(float(last) / 2, SCALED),
            ]
        )
        y_ticks = [(tick, short(tick)) for tick in ticks]
        self.finish(_x_ticks(first, end), y_ticks, (first, end), ticks[-1])

    def _tip(self, x: float, y: float) -> str:
        """x: hour of the week. Held flat, autoscaled and requests, and what is held and not needed."""
        load = self._load
        if load is None or not 0 <= x < HOURS:
            return ""
        hour = int(x)
        scaled, requests = float(load.autoscaled[hour]), float(load.requests_per_s[hour])
        if not np.isfinite(scaled):
            return ""
        rows = [
            (load.pale, tr("Held flat"), self._says(load.flat)),
            (load.colour, tr(titles.AUTOSCALED), self._says(scaled)),
            (self.colours.text, tr("Requests a second"), short(float(f"{requests:.3g}"))),
        ]
        when = tr(
            "{days} {hour}:00 to {hour_2}:00 UTC", days=DAYS[hour // 24], hour=hour % 24, hour_2=hour % 24 + 1
        )
        return tip_table(when, rows, (tr("Held and not needed"), self._says(load.flat - scaled)))


def _x_ticks(first: int, end: int) -> list[tuple[float, str]]:
    """The days at their noon; of few hours each hour by its name."""
    if end - first <= FEW_HOURS:
        every = max(1, (end - first) // 8)
        return [
            (hour + 0.5, f"{DAYS[hour // 24]} {hour % 24}:00" if hour == first else f"{hour % 24}:00")
            for hour in range(first, end, every)
        ]
    return [(24 * day + 12.0, str(name)) for day, name in enumerate(DAYS) if first <= 24 * day + 12 <= end]
