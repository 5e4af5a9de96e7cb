"""Demand over time, stacked by pool, with events of contracts and of the log."""

from collections.abc import Callable, Sequence
from typing import Any, Final, Literal

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QBrush, QColor, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from gpuplanner.charts.kit.axes import EdgeName, TicksIn
from gpuplanner.charts.kit.plot import Area, Chart, ChartColours, nice_ticks, tip_table
from gpuplanner.charts.kit.translation import speak, tr
from gpuplanner.charts.kit.user_locale import grouped, short
from gpuplanner.domain.arrays import Floats
from gpuplanner.lazy_dataclass import dataclass

STEPS_H: Final = (1, 2, 3, 6, 12, 24, 168)
"""Hours that a step can have."""
MOST_STEPS: Final = 800
EventKind = Literal["end", "start", "gap", "log_end"]
MARK: Final = 4.5
NEAR_PIXELS: Final = 6


@dataclass(frozen=True, slots=True, eq=False)
class DemandSeries:
    """One pool: mean GPUs in each hour, shape (hours,)."""

    name: str
    colour: str
    gpus: Floats

    def __post_init__(self) -> None:
        """Its name in the planner's language, once."""
        speak(self, "name")


@dataclass(frozen=True, slots=True, kw_only=True)
class DemandEvent:
    """Something that happens at an hour of the axis, or until another. what: name and value for the tool tip."""

    kind: EventKind
    hour: float
    what: str
    value: str = ""
    until: float | None = None

    def __post_init__(self) -> None:
        """What happens, in the planner's language, once."""
        speak(self, "what")


def means(gpus: Floats, step_h: int) -> Floats:
    """Mean of each step of `step_h` hours; the last one may be shorter.

    gpus: (hours,); returns (steps,), in the same unit.

    >>> means(np.array([1.0, 3.0, 5.0]), 2).tolist()
    [2.0, 5.0]
    """
    starts = np.arange(0, len(gpus), step_h)
    if not len(starts):
        return np.zeros(0)
    lengths = np.minimum(step_h, len(gpus) - starts)
    return np.asarray(np.add.reduceat(gpus, starts) / lengths, dtype=np.float64)


class _Events(pg.GraphicsObject):  # type: ignore[misc]  # pyqtgraph has no types
    """Marks along the top: a diamond where a contract ends, a triangle where one starts, a hatched band for a gap."""

    def __init__(self, colours: ChartColours, events: Sequence[DemandEvent], last: float, top: float) -> None:
        """last: where the x axis ends; top: where the y axis does."""
        super().__init__()
        self._colours, self._events, self._room = colours, tuple(events), QRectF(0, 0, last, top)

    def boundingRect(self) -> QRectF:
        return self._room

    def paint(self, painter: QPainter, option: Any, widget: QWidget | None = None) -> None:
        """Lines down from the marks, gaps as hatched bands, the end of the log as a line alone."""
        on_screen, top = painter.transform(), self._room.height()
        text = QColor(self._colours.text)
        painter.save()
        painter.resetTransform()
        for event in self._events:
            above, below = (on_screen.map(QPointF(event.hour, height)) for height in (top, 0.0))
            if event.until is not None:
                right = on_screen.map(QPointF(event.until, top))
                band = QRectF(above, QPointF(right.x(), below.y()))
                painter.fillRect(band, QBrush(QColor(self._colours.muted), Qt.BrushStyle.BDiagPattern))
                continue
            pen = QPen(QColor(self._colours.edge if event.kind != "log_end" else self._colours.text), 1)
            if event.kind != "log_end":
                pen.setDashPattern([2, 3])
            painter.setPen(pen)
            painter.drawLine(above, below)
            if event.kind == "log_end":
                continue
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(text, 1.5))
            painter.setBrush(text if event.kind == "start" else QColor(self._colours.raised))
            painter.drawPolygon(_shape(event.kind, above.x(), above.y() + MARK + 2))
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.restore()


def _shape(kind: EventKind, x: float, y: float) -> QPolygonF:
    """A triangle for a start, else a diamond; pixels."""
    if kind == "start":
        return QPolygonF([QPointF(x - MARK, y + MARK), QPointF(x, y - MARK), QPointF(x + MARK, y + MARK)])
    return QPolygonF([QPointF(x, y - MARK), QPointF(x + MARK, y), QPointF(x, y + MARK), QPointF(x - MARK, y)])


class StackedDemandChart(Chart):
    """Told its series from the bottom up; draws as many steps as there is room for, finer where a part is seen."""

    step_shown = Signal(int)  # hours of a step

    def __init__(self, colours: ChartColours) -> None:
        """Nothing is drawn before `show_series`."""
        super().__init__(tr("Demand over time, stacked by pool"), colours, 84)
        self._series: tuple[DemandSeries, ...] = ()
        self._means: list[Floats] = []
        self._events: tuple[DemandEvent, ...] = ()
        self._hours, self.step_h = 0, 1
        self._x_ticks: TicksIn = lambda low, high: []
        self._when: Callable[[int, int], str] = lambda hour, step_h: str(hour)
        self.tip_at = self._tip
        self.least_x = 12.0
        self.draw_again = self._draw

    def show_series(
        self,
        series: Sequence[DemandSeries],
        x_ticks: TicksIn,
        when: Callable[[int, int], str],
        events: Sequence[DemandEvent] = (),
        hours_shown: int = 0,
    ) -> None:
        """Draw the stack. when: (hour, hours) as words; hours_shown: where the axis reaches beyond the series.

        series: from the bottom up, all of the same hours; hour 0 is their first.
        """
        self._series, self._x_ticks, self._when = tuple(series), x_ticks, when
        self._events = tuple(events)
        self._hours = max(hours_shown, len(series[0].gpus) if series else 0, 1)
        self._draw()

    def _draw(self) -> None:
        """As fine as MOST_STEPS allows for the part that is seen; `step_shown` tells."""
        item = self.start()
        drawn = [series for series in self._series if self.toggles.is_visible(series.name)]
        known = len(self._series[0].gpus) if self._series else 0
        low, high = self.zoom.seen if self.zoom.is_zoomed else (0.0, float(self._hours))
        seen_hours = max(1.0, min(high, known) - low)
        self.step_h = next((step for step in STEPS_H if seen_hours / step <= MOST_STEPS), STEPS_H[-1])
        self._means = [means(series.gpus, self.step_h) for series in self._series]
        count = len(self._means[0]) if self._means else 0
        edges = np.minimum(np.arange(count + 1, dtype=np.float64) * self.step_h, known)
        tops, below, names = [], np.zeros(count), []
        for one, gpus in zip(self._series, self._means, strict=True):
            top = below + gpus if one in drawn else below
            tops.append(top)
            tail = slice(max(0, count - max(1, count // 12)), count)
            names.append(
                EdgeName(float((below[tail].mean() + top[tail].mean()) / 2) if count else 0.0, one.name)
            )
            below = top
        for one, top in reversed(list(zip(self._series, tops, strict=True))):  # lower pools cover the taller
            if one in drawn and count:
                item.addItem(Area(edges, top, 0.0, QBrush(QColor(one.colour))))
        ticks = nice_ticks(float(below.max(initial=0.0)))
        self.stops = [(at + 0.5) * self.step_h for at in range(count)]
        self.names_axis.show_names(names)
        y_ticks = [(tick, short(tick)) for tick in ticks]
        self.finish(self._x_ticks, y_ticks, (0.0, float(self._hours)), ticks[-1])
        if self._events:
            item.addItem(_Events(self.colours, self._events, self._hours, ticks[-1]))
        self.step_shown.emit(self.step_h)

    def _tip(self, x: float, y: float) -> str:
        """x: hours from the first. What happens near it, then the pools, the upper first, and their sum."""
        known = len(self._series[0].gpus) if self._series else 0
        near = NEAR_PIXELS * (self.zoom.seen[1] - self.zoom.seen[0]) / max(1, self.plot_rect().width())
        happens = [
            ("", event.what, event.value)
            for event in self._events
            if event.kind != "log_end"
            and (abs(event.hour - x) <= near if event.until is None else event.hour <= x <= event.until)
        ]
        if not self._series or not 0 <= x < self._hours:
            return ""
        if x >= known:
            return tip_table(
                self._when(int(x), 1), [*happens, ("", tr("After the log"), tr("no demand known"))], None
            )
        at = int(x // self.step_h)
        shown = [
            (series, float(gpus[at]))
            for series, gpus in zip(self._series, self._means, strict=True)
            if self.toggles.is_visible(series.name)
        ]
        rows = [
            (series.colour, series.name, tr("{gpus} GPUs", gpus=grouped(gpus, 1)))
            for series, gpus in reversed(shown)
        ]
        total = tr("All pools") if len(shown) == len(self._series) else tr("Pools shown")
        return tip_table(
            self._when(at * self.step_h, self.step_h),
            [*happens, *rows],
            (total, tr("{shown} GPUs", shown=grouped(sum((gpus for _, gpus in shown)), 1))),
        )
