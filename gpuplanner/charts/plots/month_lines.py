"""Lines over months: the cost of each way to buy, named where the line ends."""

from collections.abc import Callable, Sequence
from math import ceil
from typing import Final

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFontMetrics

from gpuplanner.charts.kit.axes import EdgeName
from gpuplanner.charts.kit.plot import Chart, ChartColours, nice_ticks, tip_table
from gpuplanner.charts.kit.translation import speak, spoken, tr
from gpuplanner.charts.kit.user_locale import grouped, short
from gpuplanner.domain.message import Text, worded
from gpuplanner.lazy_dataclass import dataclass

MOST_NAMES: Final = 5
"""Names of months under the axis, at most."""
GAP: Final = 12
"""Pixels between two of them, at least."""


FIGURES_WIDTH: Final = 44
"""Pixels that the figures of the left axis take, about."""


@dataclass(frozen=True, slots=True)
class MonthLine:
    """One line: $ of each month (None: unknown, a gap). is_main: the strong one; dash: of the others.

    is_main: drawn in the colour of words and twice as wide.
    """

    name: Text
    usd: tuple[float | None, ...]
    is_main: bool = False
    dash: Qt.PenStyle = Qt.PenStyle.SolidLine

    def __post_init__(self) -> None:
        """Its name in the planner's language, once."""
        speak(self, "name")


class MonthLinesChart(Chart):
    """Told its lines and the names of its months; every line starts at zero's scale."""

    def __init__(
        self,
        colours: ChartColours,
        name: Text = worded("Monthly cost by way of buying"),
        amount: Callable[[float | None], str] | None = None,
    ) -> None:
        """amount: how $ of a month are written, whole by default."""
        super().__init__(spoken(name), colours, 92)
        self._amount = amount or (lambda usd: "\u2014" if usd is None else tr("${usd}", usd=grouped(usd)))
        self.lines: tuple[MonthLine, ...] = ()
        self._months: tuple[str, ...] = ()
        self.tip_at = self._tip
        self.least_x = 2.0
        self._chosen: int | None = None
        self.draw_again = lambda: self.show_lines(self.lines, self._months, self._chosen)

    def show_lines(
        self, lines: Sequence[MonthLine], months: Sequence[str], chosen: int | None = None
    ) -> None:
        """Draw the lines; months: the name of each month; chosen: the one that a handle stands at.

        usd of each line as long as months. A line of one month is a dot, with its amount beside its name; one
        of which nothing is known is left out.
        """
        self.lines, self._months, self._chosen = tuple(lines), tuple(months), chosen
        self.stops = range(len(self._months))
        item = self.start()
        drawn = [line for line in lines if self.toggles.is_visible(line.name)]
        known = [usd for line in drawn or lines for usd in line.usd if usd is not None]
        ticks = nice_ticks(max(known, default=0.0))
        names = []
        for line in lines:
            if all(usd is None for usd in line.usd):
                continue  # nothing to draw, and a dot at no place has no bounds
            ends = [value for value in line.usd if value is not None]
            # a line of one month is a mark: say it
            value = self._amount(ends[-1]) if len(line.usd) == 1 else ""
            names.append(EdgeName(min(ends[-1], ticks[-1]), line.name, value))
            if line not in drawn:
                continue
            values = np.array([np.nan if usd is None else usd for usd in line.usd], dtype=np.float64)
            colour = QColor(self.colours.text if line.is_main else self.colours.muted)
            pen = pg.mkPen(colour, width=2 if line.is_main else 1.4, style=line.dash)
            if len(values) == 1:
                dots = {"symbol": "o", "symbolSize": 10, "symbolBrush": colour, "symbolPen": None}
            else:
                dots = {}
            item.plot(np.arange(len(values)), values, pen=pen, connect="finite", antialias=True, **dots)
            if chosen is not None and line.usd[chosen] is not None:
                item.plot([chosen], values[[chosen]], pen=None, symbol="o", symbolSize=11, symbolBrush=colour)
        if chosen is not None:
            item.plot([chosen, chosen], [0, ticks[-1]], pen=pg.mkPen(self.colours.edge, width=1.4))
        self.names_axis.show_names(names)
        count = max(1, len(months) - 1)
        y_ticks = [(tick, text) for tick, text in zip(ticks, written(ticks), strict=True)]
        self.finish(self.find_months, y_ticks, (-0.15 * count, count * 1.05), ticks[-1])

    def find_months(self, low: float, high: float) -> list[tuple[float, str]]:
        """Names of months that are seen, evenly, as many as have room."""
        inside = [at for at in range(len(self._months)) if low <= at <= high]
        every = max(1, -(-len(inside) // MOST_NAMES), self._months_a_name(high - low))
        return [(float(at), self._months[at]) for at in inside[::every]]

    def _months_a_name(self, months: float) -> int:
        """How many months one name takes of so many that share the width: names do not touch."""
        metrics = QFontMetrics(self.colours.small)
        width = self.width() - FIGURES_WIDTH - self.names_axis.width()
        widest = max(map(metrics.horizontalAdvance, self._months), default=0) + GAP
        return ceil(widest * months / width) if width > 0 else 1

    def _tip(self, x: float, y: float) -> str:
        """x: place of a month. The amounts of the lines that are drawn."""
        at = round(x)
        if not 0 <= at < len(self._months):
            return ""
        rows = [
            (self.colours.text if line.is_main else self.colours.muted, line.name, self._amount(line.usd[at]))
            for line in self.lines
            if self.toggles.is_visible(line.name)
        ]
        return tip_table(tr("Month from {months}", months=self._months[at]), rows, None)


def written(ticks: Sequence[float]) -> list[str]:
    """Ticks of dollars: 0, 200k, 1.5M.

    All alike: the largest decides the unit.

    >>> written([0.0, 500_000.0, 1_000_000.0])
    ['0', '0.5M', '1M']
    """
    top = max(ticks, default=0.0)
    if top >= 1e6:
        return [f"{short(tick / 1e6)}M" if tick else "0" for tick in ticks]
    if top >= 1e4:
        return [f"{short(tick / 1e3)}k" if tick else "0" for tick in ticks]
    return [short(tick) for tick in ticks]
