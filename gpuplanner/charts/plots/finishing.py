"""A chart of GPUs against finishing time: hours with their band, the knee, the number chosen, the deadline."""

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, floor, log10
from typing import Any, Final

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor

from gpuplanner.charts.kit.colours import mixed
from gpuplanner.charts.kit.plain_text import tr
from gpuplanner.charts.kit.plot import Chart, ChartColours, EdgeName, tip_table
from gpuplanner.domain.figures import titles

STEPS: Final = (1, 3)
"""Marks of the hours within a power of ten: they stand at about even distances."""


@dataclass(frozen=True, slots=True)
class FinishPoint:
    """So many GPUs, the hours that they take with P10 and P90, and the $ of these; None: no price."""

    gpus: int
    hours: float
    low: float
    high: float
    usd: float | None


@dataclass(frozen=True, slots=True)
class FinishCurve:
    """Points of one GPU model, fewest GPUs first. knee, chosen: places of them, None for none; deadline_h: or none."""

    gpu_model: str
    points: tuple[FinishPoint, ...]
    knee: int | None
    chosen: int | None
    deadline_h: float | None
    colour: str


class FinishChart(Chart):
    """Told its curve; its numbers of GPUs stand at even distances."""

    def __init__(
        self,
        colours: ChartColours,
        says_hours: Callable[[float], str],
        says_usd: Callable[[float | None], str],
    ) -> None:
        """says_hours, says_usd: hours and $ in words."""
        super().__init__(tr("Hours to train, by number of GPUs"), colours, 76)
        self._says_hours, self._says_usd = says_hours, says_usd
        self.curve: FinishCurve | None = None
        self._ring: Any = None
        self._heights: list[float] = []
        self.tip_at = self._tip
        self.least_x = 2.0
        self.draw_again = lambda: None if self.curve is None else self.show_curve(self.curve)

    def show_curve(self, curve: FinishCurve) -> None:
        """Draw it over powers of ten: hours that halve with each doubling are a straight line, which is drawn too."""
        self.curve, item = curve, self.start()
        x = np.arange(len(curve.points), dtype=np.float64)
        low, hours, high = (
            np.log10([getattr(point, name) for point in curve.points]) for name in ("low", "hours", "high")
        )
        ideal = hours[0] - np.log10([point.gpus / curve.points[0].gpus for point in curve.points])
        ends = [low.min(), high.max()]
        is_near = curve.deadline_h is not None and low.min() - 1 < log10(curve.deadline_h) < high.max() + 1
        if is_near:
            ends.append(log10(curve.deadline_h or 1.0))
        marks = hour_marks(10 ** min(ends), 10 ** max(ends))
        base = log10(marks[0])
        self._heights, self.stops = (hours - base).tolist(), x.tolist()
        strong = QColor(curve.colour)
        edges = [pg.PlotCurveItem(x, values - base) for values in (low, high)]
        item.addItem(pg.FillBetweenItem(*edges, brush=mixed(strong, QColor(self.colours.raised), 0.25)))
        item.plot(x, ideal - base, pen=self._dashed(self.colours.muted, Qt.PenStyle.DotLine))
        dots = {"symbol": "o", "symbolSize": 6, "symbolBrush": strong, "symbolPen": None}
        item.plot(x, hours - base, pen=pg.mkPen(strong, width=2), antialias=True, **dots)
        names = [
            EdgeName(
                self._heights[-1],
                curve.gpu_model,
                tr("{hours} h", hours=self._says_hours(curve.points[-1].hours)),
            )
        ]
        if is_near and curve.deadline_h is not None:
            height = log10(curve.deadline_h) - base
            names.append(EdgeName(height, tr("Deadline")))
            pen = self._dashed(self.colours.text, Qt.PenStyle.DashLine)
            item.plot([-0.5, len(x) - 0.5], [height] * 2, pen=pen)
        if curve.knee is not None:
            text = pg.TextItem(tr("knee"), QColor(self.colours.text), anchor=(0.5, 1.3))
            text.setFont(self.colours.small)
            text.setPos(float(curve.knee), self._heights[curve.knee])
            item.addItem(text, ignoreBounds=True)
        ring = pg.mkPen(QColor(self.colours.text), width=2)
        self._ring = item.plot([], [], pen=None, symbol="o", symbolSize=12, symbolBrush=None, symbolPen=ring)
        self.show_chosen(curve.chosen)
        self.names_axis.show_names(names)
        ticks = [(float(at), f"{point.gpus:,}") for at, point in enumerate(curve.points)]
        heights = [(log10(mark) - base, self._says_hours(mark)) for mark in marks]
        self.finish(ticks, heights, (-0.5, len(x) - 0.5), heights[-1][0])

    def show_chosen(self, at: int | None) -> None:
        """A ring around another point; None: around none."""
        self._ring.setData(*(([], []) if at is None else ([float(at)], [self._heights[at]])))

    @staticmethod
    def _dashed(colour: str, style: Qt.PenStyle) -> Any:
        return pg.mkPen(QColor(colour), width=1, style=style)

    def _tip(self, x: float, y: float) -> str:
        """x: place of a point. Hours with their band, and $."""
        curve, at = self.curve, round(x)
        if curve is None or not 0 <= at < len(curve.points):
            return ""
        point = curve.points[at]
        rows = [
            (curve.colour, tr("Hours"), self._says_hours(point.hours)),
            ("", tr("P10 to P90"), f"{self._says_hours(point.low)} \u2013 {self._says_hours(point.high)}"),
            ("", tr(titles.COST), self._says_usd(point.usd)),
        ]
        if at == curve.knee:
            rows.append(("", tr("Knee"), tr("more GPUs save less and less")))
        return tip_table(f"{point.gpus:,} \u00d7 {curve.gpu_model}", rows, None)


def hour_marks(low: float, high: float) -> list[float]:
    """Hours that the axis names, from one at or below the least to one at or above the most.

    >>> hour_marks(31.0, 400.0)
    [30, 100, 300, 1000]
    """
    tens = range(floor(log10(low)), ceil(log10(high)) + 1)
    marks = [step * 10**ten for ten in tens for step in STEPS]
    first = max(at for at, mark in enumerate(marks) if mark <= low)
    last = min(at for at, mark in enumerate(marks) if mark >= high)
    return marks[first : max(last, first + 1) + 1]
