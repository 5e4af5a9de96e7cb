"""Cost of an endpoint by hour of the day: weekdays below, weekends above."""

from collections.abc import Callable, Sequence

import numpy as np
from PySide6.QtGui import QBrush, QColor

from gpuplanner.charts.kit.axes import EdgeName
from gpuplanner.charts.kit.plot import Area, Chart, ChartColours, nice_ticks, tip_table
from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.arrays import Floats


def _ticks_in(low: float, high: float) -> list[tuple[float, str]]:
    """Hours of the day at the middle of their bars, each where few are seen."""
    every = 3 if high - low > 12 else 1
    return [(hour + 0.5, f"{hour}") for hour in range(0, 24, every) if low <= hour + 0.5 <= high]


class HourBars(Chart):
    """Told its amounts; `says` puts one into words."""

    def __init__(self, colours: ChartColours, says: Callable[[float], str]) -> None:
        """says: an amount of $ in words, on the axis and in tips."""
        super().__init__(tr("Cost by hour of the day"), colours, 58)
        self._says = says
        self._parts: tuple[tuple[str, str, Floats], ...] = ()
        self.tip_at = self._tip
        self.stops = [hour + 0.5 for hour in range(24)]
        self.least_x = 3.0
        self.draw_again = lambda: self.show_hours(self._parts)

    def show_hours(self, parts: Sequence[tuple[str, str, Floats]]) -> None:
        """Draw them from the bottom up; each a name, a colour and 24 amounts.

        Shapes: amounts (24,), hour 0 UTC first, in $ a month.
        """
        self._parts = tuple(parts)
        item = self.start()
        edges = np.arange(25, dtype=np.float64)
        below = np.zeros(24)
        names = []
        tops = []
        for name, colour, amounts in parts:
            top = below + amounts if self.toggles.is_visible(name) else below
            tops.append((top, colour))
            names.append(EdgeName(float((below[-1] + top[-1]) / 2), name))
            below = top
        for top, colour in reversed(tops):  # the tallest first: lower parts cover it
            item.addItem(Area(edges, top, 0.0, QBrush(QColor(colour))))
        ticks = nice_ticks(float(below.max(initial=0.0)))
        self.names_axis.show_names(names)
        self.finish(_ticks_in, [(tick, self._says(tick)) for tick in ticks], (0, 24), ticks[-1])

    def _tip(self, x: float, y: float) -> str:
        """The parts that are drawn at an hour, the upper first, and their sum."""
        if not self._parts or not 0 <= x < 24:
            return ""
        hour = int(x)
        shown = [part for part in self._parts if self.toggles.is_visible(part[0])]
        rows = [(colour, name, self._says(float(amounts[hour]))) for name, colour, amounts in shown]
        return tip_table(
            tr("{hour}:00 to {hour_2}:00 UTC", hour=hour, hour_2=hour + 1),
            rows[::-1],
            (tr("Every day, per month"), self._says(float(sum(amounts[hour] for _, _, amounts in shown)))),
        )
