"""Lines over months: what each way of buying cost, month after month, named where the lines end."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor

from gpuplanner.charts.figures import grouped, short
from gpuplanner.charts.plot import Chart, ChartColours, EdgeName, nice_ticks, tip_table


@dataclass(frozen=True, slots=True)
class MonthLine:
    """One line: $ of each month (None: unknown, a gap). is_main: the strong one; dash: of the others."""

    name: str
    usd: tuple[float | None, ...]
    is_main: bool = False
    dash: Qt.PenStyle = Qt.PenStyle.SolidLine


class MonthLinesChart(Chart):
    """Told its lines and the names of its months; every line starts at zero's scale."""

    def __init__(self, colours: ChartColours) -> None:
        super().__init__("What each month cost, by way of buying", colours, 92)
        self._lines: tuple[MonthLine, ...] = ()
        self._months: tuple[str, ...] = ()
        self.tip_at = self._tip

    def show_lines(self, lines: Sequence[MonthLine], months: Sequence[str]) -> None:
        """Draw the lines; months: the name of each month."""
        self._lines, self._months = tuple(lines), tuple(months)
        item = self.start()
        known = [usd for line in lines for usd in line.usd if usd is not None]
        ticks = nice_ticks(max(known, default=0.0))
        names = []
        for line in lines:
            if all(usd is None for usd in line.usd):
                continue  # nothing to draw, and a dot at no place has no bounds
            values = np.array([np.nan if usd is None else usd for usd in line.usd], dtype=np.float64)
            colour = QColor(self.colours.text if line.is_main else self.colours.muted)
            pen = pg.mkPen(colour, width=2 if line.is_main else 1.4, style=line.dash)
            dots = (
                {"symbol": "o", "symbolSize": 5, "symbolBrush": colour, "symbolPen": None}
                if len(values) == 1
                else {}
            )
            item.plot(np.arange(len(values)), values, pen=pen, connect="finite", antialias=True, **dots)
            ends = [value for value in line.usd if value is not None]
            if ends:
                names.append(EdgeName(ends[-1], line.name))
        self.names_axis.show_names(names)
        count = max(1, len(months) - 1)
        every = max(1, -(-len(months) // 5))
        x_ticks = [(float(at), months[at]) for at in range(0, len(months), every)]
        y_ticks = [(tick, text) for tick, text in zip(ticks, written(ticks), strict=True)]
        self.finish(x_ticks, y_ticks, (-0.15 * count, count * 1.05), ticks[-1])

    def _tip(self, x: float, y: float) -> str:
        at = round(x)
        if not 0 <= at < len(self._months):
            return ""
        rows = [
            (self.colours.text if line.is_main else self.colours.muted, line.name, _dollars(line.usd[at]))
            for line in self._lines
        ]
        return tip_table(f"Month from {self._months[at]}", rows, None)


def written(ticks: Sequence[float]) -> list[str]:
    """Ticks of dollars: 0, 200k, 1.5M."""
    top = max(ticks, default=0.0)
    if top >= 1e6:
        return [f"{short(tick / 1e6)}M" if tick else "0" for tick in ticks]
    if top >= 1e4:
        return [f"{short(tick / 1e3)}k" if tick else "0" for tick in ticks]
    return [short(tick) for tick in ticks]


def _dollars(usd: float | None) -> str:
    return "\u2014" if usd is None else f"${grouped(usd)}"
