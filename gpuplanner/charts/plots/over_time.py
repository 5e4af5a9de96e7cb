"""Charts over time: demand stacked by pool, costs by month, replicas by hour of the week and day."""

from collections.abc import Callable, Sequence
from math import ceil
from typing import Any, Final, Literal

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QBrush, QColor, QFontMetrics, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from gpuplanner.charts.kit.plain_text import grouped, short, speak, spoken, tr
from gpuplanner.charts.kit.plot import Area, Chart, ChartColours, EdgeName, TicksIn, nice_ticks, tip_table
from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.figures import titles
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.window import DAYS
from gpuplanner.lazy_dataclass import dataclass

# --- Demand over time, stacked by pool, with what happens to contracts and to the log marked above it

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


# --- Lines over months: what each way of buying cost, month after month, named where the lines end

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


# --- Replicas over the hours of a week: held flat for the peak, what a perfect autoscaler holds, and the requests

HOURS: Final = 168
FLAT: Final = titles.HELD_FOR_THE_PEAK
SCALED: Final = titles.AUTOSCALED
FEW_HOURS: Final = 48
"""So many hours and fewer are named one by one."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
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
        super().__init__(tr("GPUs by hour of week: fixed, autoscaled, requests"), colours, 92)
        self._says = says
        self.load: WeekLoad | None = None  # what it was told
        self.tip_at = self._tip
        self.least_x = 6.0
        self.draw_again = self._draw_again

    def _draw_again(self) -> None:
        if self.load is not None:
            self.show_load(self.load)

    def show_load(self, load: WeekLoad) -> None:
        """Draw it, as far as hours are known.

        From the first hour that is known to the last; between them what is unknown is a gap.
        """
        self.load = load
        item = self.start()
        known = np.flatnonzero(np.isfinite(load.autoscaled))
        first, end = (int(known[0]), int(known[-1]) + 1) if len(known) else (0, HOURS)
        edges = np.arange(first, end + 1, dtype=np.float64)
        held = np.where(np.isfinite(load.autoscaled[first:end]), load.flat, 0.0)
        self.stops = (edges[:-1] + 0.5).tolist()
        flat, autoscaled = tr(FLAT), tr(SCALED)
        if self.toggles.is_visible(flat):
            item.addItem(Area(edges, held, 0.0, QBrush(QColor(load.pale))))
            pen = pg.mkPen(QColor(self.colours.text), width=1)
            item.addItem(pg.PlotCurveItem([first, end], [load.flat, load.flat], pen=pen))
        if self.toggles.is_visible(autoscaled):
            scaled = np.nan_to_num(load.autoscaled[first:end])
            item.addItem(Area(edges, scaled, 0.0, QBrush(QColor(load.colour))))
        drawn = load.requests_per_s[first:end] * load.gpus_per_request
        dashed = pg.mkPen(QColor(self.colours.text), width=1.4, style=Qt.PenStyle.DotLine)
        finite = {"connect": "finite", "antialias": True}
        item.addItem(pg.PlotCurveItem(edges[:-1] + 0.5, drawn, pen=dashed, **finite))
        ticks = nice_ticks(max(load.flat, float(np.nanmax(drawn, initial=0.0))))
        last = load.autoscaled[known[-1]] if len(known) else 0.0
        self.names_axis.show_names(
            [EdgeName(load.flat, flat, self._says(load.flat)), EdgeName(float(last) / 2, autoscaled)]
        )
        self.finish(_x_ticks(first, end), [(tick, short(tick)) for tick in ticks], (first, end), ticks[-1])

    def _tip(self, x: float, y: float) -> str:
        """x: hour of the week. Held flat, autoscaled and requests, and what is held and not needed."""
        load = self.load
        if load is None or not 0 <= x < HOURS:
            return ""
        hour = int(x)
        scaled, requests = float(load.autoscaled[hour]), float(load.requests_per_s[hour])
        if not np.isfinite(scaled):
            return ""
        rows = [
            (load.pale, tr(FLAT), self._says(load.flat)),
            (load.colour, tr(SCALED), self._says(scaled)),
            (self.colours.text, tr("Requests per second"), short(float(f"{requests:.3g}"))),
        ]
        when = tr(
            "{days} {hour}:00 to {hour_2}:00 UTC", days=DAYS[hour // 24], hour=hour % 24, hour_2=hour % 24 + 1
        )
        return tip_table(when, rows, (tr("Allocated, not needed"), self._says(load.flat - scaled)))


def _x_ticks(first: int, end: int) -> list[tuple[float, str]]:
    """The days at their noon; of few hours each hour by its name."""
    if end - first <= FEW_HOURS:
        return [
            (hour + 0.5, f"{tr(DAYS[hour // 24])} {hour % 24}:00" if hour == first else f"{hour % 24}:00")
            for hour in range(first, end, max(1, (end - first) // 8))
        ]
    return [(24 * day + 12.0, tr(name)) for day, name in enumerate(DAYS) if first <= 24 * day + 12 <= end]


# --- What an endpoint cost by hour of the day: 24 bars, weekdays below, weekends above -----------


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
