"""Demand over time, stacked by pool."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtGui import QBrush, QColor

from gpuplanner.charts.figures import grouped, short
from gpuplanner.charts.plot import Area, Chart, ChartColours, EdgeName, Floats, nice_ticks, tip_table


@dataclass(frozen=True, slots=True, eq=False)
class DemandSeries:
    """One pool: mean GPUs in each step of time, shape (steps,)."""

    name: str
    colour: str
    gpus: Floats


class StackedDemandChart(Chart):
    """Told its series from the bottom up."""

    def __init__(self, colours: ChartColours) -> None:
        super().__init__("Demand over time, stacked by pool", colours, 84)
        self._series: tuple[DemandSeries, ...] = ()
        self._when: Callable[[int], str] = str
        self.tip_at = self._tip

    def show_series(
        self, series: Sequence[DemandSeries], x_ticks: Sequence[tuple[float, str]], when: Callable[[int], str]
    ) -> None:
        """Draw the stack; `when` names a step for the tool tip."""
        self._series, self._when = tuple(series), when
        item = self.start()
        steps = len(series[0].gpus) if series else 0
        edges = np.arange(steps + 1, dtype=np.float64)
        tops = np.cumsum([one.gpus for one in series], axis=0) if series else np.zeros((0, 0))
        for one, top in reversed(
            list(zip(series, tops, strict=True))
        ):  # the tallest first: lower pools cover it
            item.addItem(Area(edges, top, 0.0, QBrush(QColor(one.colour))))
        ticks = nice_ticks(float(tops[-1].max(initial=0.0)) if len(tops) else 0.0)
        below = np.zeros(steps)
        names = []
        for one, top in zip(series, tops, strict=True):
            tail = slice(max(0, steps - max(1, steps // 12)), steps)
            names.append(EdgeName(float((below[tail].mean() + top[tail].mean()) / 2), one.name))
            below = top
        self.names_axis.show_names(names)
        self.finish(list(x_ticks), [(tick, short(tick)) for tick in ticks], (0, max(1, steps)), ticks[-1])

    def _tip(self, x: float, y: float) -> str:
        if not self._series or not 0 <= int(x) < len(self._series[0].gpus):
            return ""
        at = int(x)
        rows = [(one.colour, one.name, f"{grouped(one.gpus[at], 1)} GPUs") for one in reversed(self._series)]
        return tip_table(
            self._when(at),
            rows,
            ("All pools", f"{grouped(sum(one.gpus[at] for one in self._series), 1)} GPUs"),
        )
