"""The load duration curve with the layers of commitment under it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QColor

from gpuplanner.charts.plot import Area, Chart, ChartColours, EdgeName, Floats, nice_ticks, tip_table


@dataclass(frozen=True, slots=True)
class LayerBand:
    """One layer from `low` to `high` GPUs. is_paid_idle: what it does not use is paid for, and drawn pale."""

    low: float
    high: float
    colour: str
    name: str
    note: str = ""
    pattern: str = ""  # hatched, dotted or empty
    pattern_colour: str = ""
    is_paid_idle: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class LoadDuration:
    """GPUs in use in each hour, busiest first, shape (hours,), and the layers from the bottom up."""

    gpus: Floats
    bands: tuple[LayerBand, ...]
    line_colour: str


_PATTERNS = {"hatched": Qt.BrushStyle.BDiagPattern, "dotted": Qt.BrushStyle.Dense6Pattern}


def _pale(colour: str, ground: str) -> QColor:
    over, under = QColor(colour), QColor(ground)
    return QColor(
        *(round(0.18 * a + 0.82 * b) for a, b in zip(over.getRgb()[:3], under.getRgb()[:3], strict=True))
    )  # type: ignore[index]


class LoadDurationChart(Chart):
    """Told a curve and its layers."""

    def __init__(self, colours: ChartColours) -> None:
        super().__init__("Load duration curve with layers of commitment", colours, 92)
        self._shown: LoadDuration | None = None
        self.tip_at = self._tip

    def show_curve(self, curve: LoadDuration, x_ticks: Sequence[tuple[float, str]]) -> None:
        """Draw it. x is the share of hours in percent."""
        self._shown = curve
        item = self.start()
        hours = len(curve.gpus)
        edges = np.linspace(0.0, 100.0, hours + 1)
        top = max(float(curve.gpus.max(initial=0.0)), max((band.high for band in curve.bands), default=0.0))
        ticks = nice_ticks(top)
        for band in curve.bands:
            solid = QColor(band.colour)
            if band.is_paid_idle and band.high > band.low:
                whole = np.array([0.0, 100.0])
                item.addItem(
                    Area(
                        whole,
                        np.array([band.high]),
                        band.low,
                        QBrush(_pale(band.colour, self.colours.raised)),
                    )
                )
            heights = np.clip(curve.gpus, band.low, band.high)
            if band.pattern:
                brush = QBrush(QColor(band.pattern_colour), _PATTERNS[band.pattern])
                item.addItem(Area(edges, heights, band.low, brush, QBrush(solid)))
            else:
                item.addItem(Area(edges, heights, band.low, QBrush(solid)))
        for band in curve.bands:
            if not band.pattern:
                pen = pg.mkPen(QColor(self.colours.text), width=1)
                item.addItem(pg.PlotCurveItem([0, 100], [band.high, band.high], pen=pen))
        line = pg.PlotCurveItem(
            edges, curve.gpus, stepMode="center", pen=pg.mkPen(QColor(curve.line_colour), width=2)
        )
        item.addItem(line)
        peak = float(curve.gpus.max(initial=0.0))
        names = [
            EdgeName(
                (band.low + (min(band.high, peak) if band.pattern else band.high)) / 2, band.name, band.note
            )
            for band in curve.bands
        ]
        self.names_axis.show_names(names)
        self.finish(list(x_ticks), [(tick, f"{tick:g}") for tick in ticks], (0, 100), ticks[-1])

    def _tip(self, x: float, y: float) -> str:
        curve = self._shown
        if curve is None or not len(curve.gpus) or not 0 <= x <= 100:
            return ""
        at = min(len(curve.gpus) - 1, int(x / 100 * len(curve.gpus)))
        gpus = float(curve.gpus[at])
        rows = [
            (
                band.pattern_colour or band.colour,
                band.name,
                f"{min(max(gpus - band.low, 0), band.high - band.low):.1f} GPUs",
            )
            for band in reversed(curve.bands)
        ]
        return tip_table(f"{x:.0f}% of hours need at least", rows, ("In use", f"{gpus:.1f} GPUs"))
