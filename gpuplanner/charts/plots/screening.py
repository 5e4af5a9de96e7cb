"""Screening curve: monthly cost of one GPU by utilization, on demand and by term."""

from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
from PySide6 import QtGui

from gpuplanner.charts.kit import axes, plot
from gpuplanner.charts.kit.translation import speak, tr
from gpuplanner.charts.kit.user_locale import grouped, short
from gpuplanner.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenLine:
    """One way to have a GPU: $ a month when it is idle and when it is busy all the time, and where it crosses use.

    is_cheapest: whether it is anywhere the lowest.
    """

    name: str
    colour: str
    idle_usd: float
    busy_usd: float
    crossing: float | None = None  # share of the hours 0..1
    is_cheapest: bool = False

    def __post_init__(self) -> None:
        """Its name in the planner's language, once."""
        speak(self, "name")

    def usd(self, share: float) -> float:
        """$ a month at a share of busy hours.

        share: 0..1. Straight between idle and busy.
        """
        return self.idle_usd + (self.busy_usd - self.idle_usd) * share


class ScreeningChart(plot.Chart):
    """Told its lines; the cheapest of them at each utilization is drawn thick."""

    def __init__(self, colours: plot.ChartColours) -> None:
        """Nothing is drawn before `show_lines`."""
        super().__init__(tr("Screening curve: $ per GPU and month by utilization"), colours, 86)
        self.lines: tuple[ScreenLine, ...] = ()
        self.tip_at = self._tip
        self.stops = range(101)
        self.least_x = 5.0
        self.draw_again = lambda: self.show_lines(self.lines)

    def show_lines(self, lines: Sequence[ScreenLine]) -> None:
        """Draw them. x is utilization in percent, y $ a month of one GPU.

        Circles mark where a term crosses paying by use, as far as that lies under 100%.
        """
        self.lines = tuple(lines)
        item = self.start()
        drawn = [line for line in lines if self.toggles.is_visible(line.name)]
        ticks = plot.nice_ticks(max((max(line.idle_usd, line.busy_usd) for line in lines), default=1.0))
        shares = np.linspace(0.0, 1.0, 201)
        item.addItem(
            pg.PlotCurveItem(
                100 * shares,
                np.array([min((line.usd(share) for line in drawn), default=np.nan) for share in shares]),
                pen=pg.mkPen(QtGui.QColor(self.colours.edge), width=6, cosmetic=True),
            )
        )
        for line in drawn:
            pen = pg.mkPen(QtGui.QColor(line.colour), width=2)
            item.addItem(pg.PlotCurveItem([0, 100], [line.idle_usd, line.busy_usd], pen=pen))
        crossings = [line for line in drawn if line.crossing is not None and line.crossing <= 1]
        if crossings:
            item.addItem(
                pg.ScatterPlotItem(
                    [100 * (line.crossing or 0.0) for line in crossings],
                    [line.usd(line.crossing or 0.0) for line in crossings],
                    size=7,
                    pen=pg.mkPen(QtGui.QColor(self.colours.text), width=1),
                    brush=pg.mkBrush(QtGui.QColor(self.colours.raised)),
                )
            )
        self.names_axis.show_names([axes.EdgeName(line.busy_usd, line.name) for line in lines])
        self.finish(plot.percent_ticks, [(tick, _on_axis(tick)) for tick in ticks], (0, 100), ticks[-1])

    def _tip(self, x: float, y: float) -> str:
        """x: percent of the hours. The lines that are drawn, the cheapest first."""
        drawn = [line for line in self.lines if self.toggles.is_visible(line.name)]
        if not drawn or not 0 <= x <= 100:
            return ""
        by_cost = sorted(drawn, key=lambda line: line.usd(x / 100))
        rows = [
            (line.colour, line.name, tr("${usd} per month", usd=grouped(line.usd(x / 100))))
            for line in by_cost
        ]
        return plot.tip_table(
            tr("A GPU busy {x}% of hours", x=grouped(x)), rows, (tr("Cheapest"), by_cost[0].name)
        )


def _on_axis(usd: float) -> str:
    """Thousands from a thousand on."""
    return f"{short(usd / 1000)}k" if usd >= 1000 else short(usd)
