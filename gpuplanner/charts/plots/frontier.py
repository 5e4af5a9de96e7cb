"""A chart of cost against waiting: sizes of one pool and GPU model, today, plan, knee and target marked."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pyqtgraph as pg
from PySide6.QtGui import QColor

from gpuplanner.charts.kit.colours import mixed
from gpuplanner.charts.kit.plain_text import tr
from gpuplanner.charts.kit.plot import Chart, ChartColours, Floats, even_ticks, tip_table
from gpuplanner.domain.figures import titles
from gpuplanner.domain.message import Text

WAITS_H: Final = (0.0, 0.1, 0.5, 2, 10, 50, 200, 1_000, 5_000)
"""Marks of the hours: they stand at about even distances."""
PER_HOUR: Final = 10
"""Waits are drawn over log(1 + 10 h): none stands at the bottom, six minutes are told from an hour."""


@dataclass(frozen=True, slots=True)
class FrontierDot:
    """So many GPUs: their $ per month (None: no rate), P90 wait with its calibrated range (h), and marks in words."""

    gpus: int
    usd: float | None
    wait_h: float
    low_h: float | None
    high_h: float | None
    marks: Text


class FrontierChart(Chart):
    """Told sizes, fewest GPUs first; over $ where all of them have a rate, else over GPUs."""

    def __init__(
        self,
        colours: ChartColours,
        says_hours: Callable[[float], str],
        says_usd: Callable[[float | None], str],
        short_usd: Callable[[float], str],
    ) -> None:
        """says_hours, says_usd, short_usd: hours and $ in words, and $ as an axis has them."""
        super().__init__(tr("P90 wait by cost"), colours, 12)
        self._says_hours, self._says_usd, self._short_usd = says_hours, says_usd, short_usd
        self._dots: tuple[FrontierDot, ...] = ()
        self._colour = ""
        self.tip_at = self._tip
        self.draw_again = lambda: None if not self._dots else self.show_dots(self._dots, self._colour)

    def show_dots(self, dots: tuple[FrontierDot, ...], colour: str) -> None:
        """Draw them in the colour of their pool, two at least."""
        self._dots, self._colour, item = dots, colour, self.start()
        has_usd = all(dot.usd is not None for dot in dots)
        x = np.array([dot.usd if has_usd else dot.gpus for dot in dots], dtype=np.float64)
        y = _heights([dot.wait_h for dot in dots])
        strong, top = QColor(colour), float(y.max())
        if all(dot.low_h is not None and dot.high_h is not None for dot in dots):
            low, high = (_heights([getattr(dot, name) for dot in dots]) for name in ("low_h", "high_h"))
            top = max(top, float(high.max()))
            edges = [pg.PlotCurveItem(x, values) for values in (low, high)]
            brush = mixed(strong, QColor(self.colours.raised), 0.25)
            item.addItem(pg.FillBetweenItem(*edges, brush=brush))
        dots_look = {"symbol": "o", "symbolSize": 6, "symbolBrush": strong, "symbolPen": None}
        item.plot(x, y, pen=pg.mkPen(strong, width=2), antialias=True, **dots_look)
        self._mark(item, x, y, dots)
        self.stops = x.tolist()
        margin = 0.06 * ((x.max() - x.min()) or 1.0)
        limits = (float(x.min() - margin), float(x.max() + margin))
        heights = [(float(_heights([mark])[0]), self._says_hours(mark)) for mark in WAITS_H]
        above = next((at for at, (height, _) in enumerate(heights) if height >= top), len(heights) - 1)
        heights = heights[: max(above, 1) + 1]

        def ticks(low: float, high: float) -> list[tuple[float, str]]:
            return [(at, self._short_usd(at) if has_usd else f"{at:,.0f}") for at in even_ticks(low, high)]

        self.finish(ticks, heights, limits, heights[-1][0] * 1.12)

    def _mark(self, item: Any, x: Floats, y: Floats, dots: tuple[FrontierDot, ...]) -> None:
        """A ring and words at each size that is something."""
        marked = [at for at, dot in enumerate(dots) if dot.marks]
        ring = pg.mkPen(QColor(self.colours.text), width=2)
        item.plot(x[marked], y[marked], pen=None, symbol="o", symbolSize=12, symbolBrush=None, symbolPen=ring)
        for at in marked:
            is_left = at > len(dots) / 2  # words stay inside the plot
            text = pg.TextItem(
                tr(dots[at].marks), QColor(self.colours.text), anchor=(1.1 if is_left else -0.1, 1.1)
            )
            text.setFont(self.colours.small)
            text.setPos(float(x[at]), float(y[at]))
            item.addItem(text, ignoreBounds=True)

    def _tip(self, x: float, y: float) -> str:
        """x: place of a size. Its wait with the range that the log gives it, and $."""
        if not self._dots:
            return ""
        dot = self._dots[int(np.abs(np.array(self.stops) - x).argmin())]
        rows = [(self._colour, tr("P90 wait"), tr("{hours} h", hours=self._says_hours(dot.wait_h)))]
        if dot.low_h is not None and dot.high_h is not None:
            likely = f"{self._says_hours(dot.low_h)} \u2013 {self._says_hours(dot.high_h)}"
            rows.append(("", tr("By the log"), tr("{hours} h", hours=likely)))
        rows.append(("", tr(titles.COST), self._says_usd(dot.usd)))
        if dot.marks:
            rows.append(("", tr("Is"), tr(dot.marks)))
        return tip_table(tr("{gpus} GPUs", gpus=f"{dot.gpus:,}"), rows, None)


def _heights(waits_h: list[float]) -> Floats:
    """Where waits stand: 0 at the bottom."""
    found: Floats = np.log10(1 + PER_HOUR * np.array(waits_h, dtype=np.float64))
    return found
