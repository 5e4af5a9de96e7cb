"""The frame of every plot: axes, names that hide what they name, crosshair, and what all plots share."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from math import ceil
from typing import Any, Final, Protocol

import numpy as np
import pyqtgraph as pg
from PySide6 import QtGui
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtWidgets import QToolTip, QWidget
from shiboken6 import isValid

from gpuplanner.charts.kit.plain_text import ChartColours, short
from gpuplanner.charts.kit.zoom import Zoom, show_tip, spoken, tip_table
from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.message import Text
from gpuplanner.lazy_dataclass import dataclass

__all__ = ["ChartColours", "Floats", "tip_table"]


# --- The axes of a chart: labels without lines, and names in the right margin that never overlap


RING_PX: Final = 4
"""Left of the widest label of the y axis: the ring of the keyboard goes there."""
SMALL_PT: Final = 8.25
"""The usual size of lesser words."""


@dataclass(frozen=True, slots=True)
class EdgeName:
    """A name in the right margin at a height of the y axis, with an optional second line.

    note: what stands under it, empty for none.
    """

    y: float
    name: Text
    note: str = ""


class FigureAxis(pg.AxisItem):  # type: ignore[misc]  # pyqtgraph has no types
    """An axis without a line: small muted labels at the ticks it is given."""

    def __init__(self, side: str, colours: ChartColours) -> None:
        """side: left or bottom, in pyqtgraph's words."""
        super().__init__(side, showValues=True)
        self.setStyle(
            tickLength=0,
            tickTextOffset=6,
            autoExpandTextSpace=True,
            hideOverlappingLabels=False,
            tickAlpha=255,
        )
        self.setPen(pg.mkPen(None))
        self.setTickPen(pg.mkPen(None))
        self.show_colours(colours)

    def show_colours(self, colours: ChartColours) -> None:
        """Other colours, and text of another size, from now on."""
        self.setStyle(tickFont=colours.small)
        self.setTextPen(QtGui.QColor(colours.muted))

    def show_ticks(self, ticks: "Ticks") -> None:
        """These ticks, with room for the widest before the first paint, which leaves out those that have none."""
        self.setTicks([ticks])
        self.textWidth, metrics = 0, QtGui.QFontMetrics(self.style["tickFont"])
        self._updateMaxTextSize(max((metrics.horizontalAdvance(text) for _, text in ticks), default=0))

    def _updateMaxTextSize(self, x: float) -> None:
        """Whole pixels: a label whose room is no whole number is left out by the least error of rounding."""
        super()._updateMaxTextSize(ceil(x) + RING_PX * (self.orientation == "left"))


class NamesAxis(pg.AxisItem):  # type: ignore[misc]  # pyqtgraph has no types
    """Names beside what they belong to, nudged apart so that none overlap, with a leader where one moved."""

    def __init__(self, colours: ChartColours, width: int) -> None:
        """width: pixels of the margin in text of the usual size; longer names are elided."""
        super().__init__("right", showValues=False)
        self._width = width
        self._names: tuple[EdgeName, ...] = ()
        self._hidden: frozenset[str] = frozenset()
        self.room_above = 0.0  # pixels at the top that are taken
        self.setPen(pg.mkPen(None))
        self.show_colours(colours)

    def show_colours(self, colours: ChartColours) -> None:
        """Other colours, and text of another size, from now on."""
        self._colours = colours
        self._show_width()

    def _show_width(self) -> None:
        """The margin grows for a note, which holds a number: only names are elided."""
        points = self._colours.small.pointSizeF()  # below 0 where a font has its size in pixels
        usual = round(self._width * max(points, SMALL_PT) / SMALL_PT)
        notes = QtGui.QFontMetricsF(self._colours.small)
        longest = max((notes.horizontalAdvance(str(name.note)) for name in self._names), default=0.0)
        if (
            wanted := max(usual, ceil(longest) + 12)
        ) != self.maximumWidth():  # else the plot is laid out anew
            self.setWidth(wanted)

    def show_names(self, names: Sequence[EdgeName]) -> None:
        """Show these names.

        In any order: they are placed by height.
        """
        self._names = tuple(names)
        self._show_width()
        self.picture = None
        self.update()

    def show_hidden(self, hidden: frozenset[str]) -> None:
        """Names of what is not drawn: they stand there struck out.

        Names that are not shown may be among them.
        """
        self._hidden = hidden
        self.picture = None
        self.update()

    def from_the_top(self) -> tuple[str, ...]:
        """The names in the order in which they stand, each once."""
        ordered = sorted(self._names, key=lambda name: -name.y)
        return tuple(dict.fromkeys(str(name.name) for name in ordered))

    def name_at(self, scene: QPointF) -> str:
        """The name at a place of the scene; "" where there is none.

        scene: in the plot's scene. What is hidden has its name there too.
        """
        at = self.mapFromScene(scene)
        bounds = self.mapRectFromParent(self.geometry())
        if not bounds.contains(at) or at.x() < bounds.left() + 8:
            return ""
        for name, size, _, place in self.tick_places(bounds):
            if abs(at.y() - place) <= size / 2:
                return str(name.name)
        return ""

    def tick_places(self, bounds: QRectF) -> list[tuple[EdgeName, float, float, float]]:
        """Of every name: its height, where its middle is wanted, and where it stands; pixels."""
        view = self.linkedView()
        if view is None or not self._names:
            return []
        low, high = view.viewRange()[1]
        line = QtGui.QFontMetricsF(self._colours.small).height()
        sizes = [line * (2 if name.note else 1) for name in self._names]
        wanted = [
            float(bounds.top() + bounds.height() * (high - name.y) / (high - low)) for name in self._names
        ]
        places = spread(wanted, sizes, bounds.top() + self.room_above, bounds.bottom())
        return list(zip(self._names, sizes, wanted, places, strict=True))

    def paint(self, painter: QtGui.QPainter, option: Any, widget: QWidget | None = None) -> None:
        """Names by where they stand, a leader where one was nudged, a line through what is hidden."""
        bounds = self.mapRectFromParent(self.geometry())
        line = QtGui.QFontMetricsF(self._colours.small).height()
        flags = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine)
        for name, size, want, place in self.tick_places(bounds):
            top = place - size / 2
            if abs(place - want) > line / 2:
                painter.setPen(QtGui.QPen(QtGui.QColor(self._colours.edge), 1))
                painter.drawLine(QPointF(bounds.left() + 1, want), QPointF(bounds.left() + 8, place))
            is_hidden = str(name.name) in self._hidden
            strong = QtGui.QFont(self._colours.strong)
            strong.setStrikeOut(is_hidden)
            painter.setFont(strong)
            painter.setPen(QtGui.QColor(self._colours.muted if is_hidden else self._colours.text))
            room = QRectF(bounds.left() + 10, top, bounds.width() - 10, line)
            shown = QtGui.QFontMetricsF(strong).elidedText(
                str(name.name), Qt.TextElideMode.ElideRight, room.width()
            )
            painter.drawText(room, flags, shown)
            if name.note and not is_hidden:
                painter.setFont(self._colours.small)
                painter.setPen(QtGui.QColor(self._colours.muted))
                painter.drawText(room.translated(0, line), flags, name.note)


def spread(wanted: Sequence[float], sizes: Sequence[float], top: float, bottom: float) -> list[float]:
    """Centres as near as can be to what is wanted, without overlap and inside top..bottom; in the same order.

    Shapes: wanted, sizes and the answer alike, pixels. Where there is no room for all they reach above top.

    >>> spread([10, 10], [4, 4], 0, 100)
    [10, 14.0]
    """
    order = sorted(range(len(wanted)), key=lambda at: wanted[at])
    places = [0.0] * len(wanted)
    below = top
    for at in order:
        places[at] = max(wanted[at], below + sizes[at] / 2)
        below = places[at] + sizes[at] / 2
    above = bottom
    for at in reversed(order):
        places[at] = min(places[at], above - sizes[at] / 2)
        above = places[at] - sizes[at] / 2
    return places


# --- The names beside a chart as its legend: a click or a digit hides what it names, and shows it again


class SeriesToggle:
    """Belongs to one chart. What is hidden stays hidden under its name, whatever the chart is told next.

    axis: the names; draw_again: draws the chart of `plot` as it was told last, now without what is hidden.
    """

    def __init__(self, plot: pg.PlotWidget, axis: NamesAxis, draw_again: Callable[[], None]) -> None:
        """plot: whose mouse and keys it is offered."""
        self._plot, self._axis, self._draw_again = plot, axis, draw_again
        self.hidden: frozenset[str] = frozenset()

    @property
    def names(self) -> tuple[str, ...]:
        """The names that stand beside the chart, from the top down: the digits count them."""
        return self._axis.from_the_top()

    def is_visible(self, name: Text) -> bool:
        """Whether a series is drawn.

        A name that the chart does not have is visible: nothing hid it.
        """
        return str(name) not in self.hidden

    def turn(self, name: Text) -> None:
        """Hide a series, or show it again."""
        self.show_without(self.hidden ^ {str(name)})

    def show_without(self, hidden: frozenset[str]) -> None:
        """Hide these, and show all others.

        hidden: names; those that the chart does not have yet stay hidden once it has them.
        """
        self.hidden = hidden
        self._axis.show_hidden(hidden)
        self._draw_again()

    def takes_mouse(self, event: QtGui.QMouseEvent) -> bool:
        """Whether what the mouse does was meant for a name.

        Over a name the cursor is a hand.
        """
        view = self._plot.viewport()
        name = self._axis.name_at(self._plot.mapToScene(event.position().toPoint()))
        if event.type() == QEvent.Type.MouseMove:
            shape = Qt.CursorShape.PointingHandCursor if name else Qt.CursorShape.ArrowCursor
            if view.cursor().shape() is not shape:
                view.setCursor(shape)
        elif (
            name
            and event.type() in (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick)
            and event.button() is Qt.MouseButton.LeftButton
        ):
            self.turn(name)
            return True
        return False

    def takes_key(self, event: QtGui.QKeyEvent) -> bool:
        """A digit stands for the name at that place, counted from the top."""
        text, names = event.text(), self.names
        if (
            not (text.isdecimal() and 1 <= int(text) <= len(names))
            or event.modifiers() & Qt.KeyboardModifier.ControlModifier
        ):
            return False
        self.turn(names[int(text) - 1])
        return True


# --- The crosshair of a chart: a line that follows the cursor or the arrow keys, and the tool tip of where it stands

STEPS: Final = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_PageUp: -10, Qt.Key.Key_PageDown: 10}
"""Keys -> how many of the chart's stops they move it."""


class Crossed(Protocol):
    """What a crosshair stands in: a plot that says what is at a place, and where the keyboard stops."""

    colours: ChartColours
    stops: Sequence[float]
    zoom: Zoom

    @property
    def tip_at(self) -> Callable[[float, float], str]:
        """The tool tip at a place, in the units of both axes."""

    def place_of(self, x: float) -> QPoint:
        """Where a place of the x axis stands at the top of the plot, in pixels of the widget."""


class Crosshair:
    """Belongs to one chart. It stands at one of the chart's stops under the keyboard, at the cursor under the mouse."""

    def __init__(self, chart: Crossed, plot: pg.PlotWidget) -> None:
        """plot: whose scene it listens to; the line is no data, so that it moves no range."""
        self._chart, self._plot = chart, plot
        self.stop: int | None = None
        self._line = pg.InfiniteLine(0, angle=90, movable=False)
        self._line.setZValue(50)
        self._line.hide()
        plot.getPlotItem().getViewBox().addItem(self._line, ignoreBounds=True)
        self.show_colours()
        plot.scene().sigMouseMoved.connect(self._follow)

    @property
    def is_seen(self) -> bool:
        """Whether it stands somewhere."""
        return bool(self._line.isVisible())

    @property
    def x(self) -> float:
        """Where it stands, in the units of the x axis."""
        return float(self._line.value())

    def show_colours(self) -> None:
        """The colours of its chart."""
        pen = pg.mkPen(QtGui.QColor(self._chart.colours.text), width=1, style=Qt.PenStyle.DashLine)
        self._line.setPen(pen)

    def stand_at(self, x: float) -> str:
        """Stand at a place of the x axis; returns the tool tip of it.

        x: in the units of the axis. Where there is nothing to say it is not shown, and the tip is empty.
        """
        tip = self._chart.tip_at(x, 0.0)
        self._line.setValue(x)
        self._line.setVisible(bool(tip))
        return tip

    def step(self, by: int) -> None:
        """Move it by so many stops, bring it into sight, and say what is there.

        The first step stands at the near end of what is seen; it stays within the stops.
        """
        stops = self._chart.stops
        if not len(stops):
            return
        low, high = self._chart.zoom.seen
        if self.stop is None or not self.is_seen:
            inside = [at for at, x in enumerate(stops) if low <= x <= high]
            self.stop = (inside or [0])[0] if by > 0 else (inside or [0])[-1]
        else:
            self.stop = min(max(self.stop + by, 0), len(stops) - 1)
        x = float(stops[self.stop])
        self._chart.zoom.bring(x)
        tip = self.stand_at(x)
        place = self._chart.place_of(x)
        show_tip(tip, QPoint(place.x(), place.y() + 8), self._plot)
        self._say(tip)

    def hide(self) -> None:
        """Stand nowhere, and say nothing."""
        if isValid(self._line):  # a chart that is taken apart loses its lines before the keyboard
            self._line.hide()
        QToolTip.hideText()

    def _say(self, tip: str) -> None:
        """The tip for a screen reader, which is told that it changed."""
        self._plot.setAccessibleDescription(spoken(tip))
        QtGui.QAccessible.updateAccessibility(
            QtGui.QAccessibleEvent(self._plot, QtGui.QAccessible.Event.DescriptionChanged)
        )

    def _follow(self, place: QPointF) -> None:
        """Where the cursor is; beside the plot and while something is dragged it hides."""
        chart = self._chart
        box = self._plot.getPlotItem().getViewBox()
        if not box.sceneBoundingRect().contains(place) or chart.zoom.is_dragging:
            self.hide()
            return
        x = float(box.mapSceneToView(place).x())
        stops = chart.stops
        if len(stops):  # the keyboard goes on from where the mouse was
            self.stop = min(range(len(stops)), key=lambda at: abs(stops[at] - x))
        show_tip(self.stand_at(x), place.toPoint(), self._plot)

    def takes_key(self, event: QtGui.QKeyEvent) -> bool:
        """Whether a key of its chart was meant for it.

        Arrows move by a stop, page keys by ten, Escape hides it where it is seen.
        """
        is_plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
        by = STEPS.get(Qt.Key(event.key()))
        if by is not None and is_plain:
            self.step(by)
        elif event.key() == Qt.Key.Key_Escape and self.is_seen:
            self.hide()
        else:
            return False
        return True


# --- The frame of every plot: axes left and bottom only, horizontal grid, names at the right, crosshair and zoom

Ticks = list[tuple[float, str]]
TicksIn = Callable[[float, float], Ticks]
"""From which place of the axis to which other -> the ticks to show between them."""


def nice_ticks(top: float) -> list[float]:
    """Four to six ticks from 0 that reach `top`, at steps of 1, 2, 2.5 or 5 times a power of ten.

    The last is at least `top`; of nothing 0 and 1.

    >>> nice_ticks(37.0), nice_ticks(0.0)
    ([0.0, 10.0, 20.0, 30.0, 40.0], [0.0, 1.0])
    """
    if top <= 0:
        return [0.0, 1.0]
    magnitude = 10.0 ** np.floor(np.log10(top))
    for step in (0.1, 0.2, 0.25, 0.5, 1.0, 2.0):
        if top / (step * magnitude) <= 5:
            count = int(np.ceil(top / (step * magnitude) - 1e-9))
            return [float(number * step * magnitude) for number in range(count + 1)]
    return [0.0, float(top)]


def even_ticks(low: float, high: float) -> list[float]:
    """Four to six round places between two, at steps of 1, 2, 2.5 or 5 times a power of ten.

    >>> even_ticks(10.0, 30.0)
    [10.0, 15.0, 20.0, 25.0, 30.0]
    """
    if high <= low:
        return [low]
    magnitude = 10.0 ** np.floor(np.log10(high - low))
    step = next(
        share * magnitude
        for share in (0.1, 0.2, 0.25, 0.5, 1.0, 2.0)
        if (high - low) / (share * magnitude) <= 5
    )
    return [
        float(tick) for tick in np.arange(np.ceil(low / step - 1e-9), np.floor(high / step + 1e-9) + 1) * step
    ]


def percent_ticks(low: float, high: float) -> Ticks:
    """Quarters of a hundred, and rounder places between them where a part is seen.

    low, high: the part that is seen, in percent. Each tick a place and its words.
    """
    places = [0.0, 25.0, 50.0, 75.0, 100.0] if high - low > 60 else even_ticks(low, high)
    return [(place, short(place)) for place in places if low - 1e-9 <= place <= high + 1e-9]


@contextmanager
def in_pixels(painter: QtGui.QPainter) -> Iterator[QtGui.QTransform]:
    """Paint on the screen's own pixels, hard edged, for as long as it holds; yields what maps the plot to them."""
    on_screen = painter.transform()
    painter.save()
    painter.resetTransform()
    painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing, False)
    yield on_screen
    painter.restore()


class Area(pg.GraphicsObject):  # type: ignore[misc]  # pyqtgraph has no types
    """A filled area between a stepped curve and a level; patterns keep their size on the screen."""

    def __init__(
        self,
        x_edges: Floats,
        heights: Floats,
        level: float,
        brush: QtGui.QBrush,
        under: QtGui.QBrush | None = None,
    ) -> None:
        """x_edges (n + 1,), heights (n,); under: what the pattern is laid on, None for nothing."""
        super().__init__()
        self._path = stepped_path(x_edges, heights, level)
        self._brush, self._under = brush, under

    def boundingRect(self) -> QRectF:
        return self._path.boundingRect()

    def paint(self, painter: QtGui.QPainter, option: Any, widget: QWidget | None = None) -> None:
        """In pixels of the screen, so that a pattern is as wide wherever the plot is looked at."""
        with in_pixels(painter) as on_screen:
            path = on_screen.map(self._path)
            if self._under is not None:
                painter.fillPath(path, self._under)
            painter.fillPath(path, self._brush)


class _Levels(pg.GraphicsObject):  # type: ignore[misc]  # pyqtgraph has no types
    """Level lines across the plot, one pixel wide: one item for all of them is cheap to lay out anew."""

    def __init__(self, heights: Sequence[float], across: tuple[float, float], colour: str) -> None:
        """heights: in the units of the y axis; across: from which x to which."""
        super().__init__()
        self._heights, self._across, self._pen = heights, across, QtGui.QPen(QtGui.QColor(colour), 1)
        self._room = QRectF(across[0], 0.0, across[1] - across[0], max(heights, default=0.0) or 1e-9)

    def boundingRect(self) -> QRectF:
        return self._room

    def paint(self, painter: QtGui.QPainter, option: Any, widget: QWidget | None = None) -> None:
        with in_pixels(painter) as on_screen:
            painter.setPen(self._pen)
            for height in self._heights:
                left, right = (on_screen.map(QPointF(x, height)) for x in self._across)
                painter.drawLine(left, right)


def stepped_path(x_edges: Floats, heights: Floats, level: float) -> QtGui.QPainterPath:
    """The outline between a stepped curve and a level. Shapes: x_edges (n + 1,), heights (n,)."""
    if len(heights):
        starts = np.flatnonzero(np.concatenate(([True], heights[1:] != heights[:-1])))
    else:
        starts = np.zeros(0, dtype=np.int64)
    ends = np.append(starts[1:], len(heights))
    count = 2 * len(starts) + 2
    x, y = np.empty(count), np.full(count, level)
    x[0], x[-1] = x_edges[0], x_edges[-1]
    if len(starts):
        x[1:-1:2], x[2:-1:2] = x_edges[starts], x_edges[ends]
        y[1:-1:2], y[2:-1:2] = heights[starts], heights[starts]
    path: QtGui.QPainterPath = pg.arrayToQPath(
        x, y, connect="all", finiteCheck=False
    )  # a line a point is slow
    path.closeSubpath()
    return path


class Chart(pg.PlotWidget):  # type: ignore[misc]  # pyqtgraph has no types
    """A plot with a crosshair, a zoom along x and names that toggle; whoever draws says the limits of x.

    tip_at: the tool tip at a place; stops: places of x where the keyboard's crosshair stands; draw_again: draws what
    it was told last; least_x: the smallest part of x that means anything.
    """

    def __init__(self, name: str, colours: ChartColours, margin: int) -> None:
        """margin: pixels at the right for the names."""
        self.colours = colours
        self.names_axis = NamesAxis(colours, margin)
        axes = {
            "left": FigureAxis("left", colours),
            "bottom": FigureAxis("bottom", colours),
            "right": self.names_axis,
        }
        super().__init__(axisItems=axes, background=QtGui.QColor(colours.raised), enableMenu=False)
        self.setAccessibleName(name)
        self.setFrameShape(self.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        item = self.getPlotItem()
        item.showAxis("right")
        item.hideButtons()
        item.layout.setContentsMargins(0, 8, 0, 0)
        item.getViewBox().setMouseEnabled(False, False)
        item.getViewBox().setDefaultPadding(0)
        self.tip_at: Callable[[float, float], str] = lambda x, y: ""
        self.stops: Sequence[float] = ()
        self.draw_again: Callable[[], None] = lambda: None
        self.least_x = 0.0
        self._limits = (0.0, 1.0)
        self._ticks_in: TicksIn = lambda low, high: []
        self.zoom = Zoom(self, self)
        self.crosshair = Crosshair(self, self)
        self.toggles = SeriesToggle(self, self.names_axis, self._draw_as_told)

    def show_colours(self, colours: ChartColours) -> None:
        """Other colours from now on: whatever is drawn next is in them."""
        self.colours = colours
        self.setBackground(QtGui.QColor(colours.raised))
        for side in ("left", "bottom", "right"):
            self.getPlotItem().getAxis(side).show_colours(colours)
        self.crosshair.show_colours()

    def start(self) -> Any:
        """Clear the plot; returns the item to draw into.

        What was drawn is gone; the names beside it stay until others are shown.
        """
        item = self.getPlotItem()
        item.clear()
        return item

    def finish(
        self, x_ticks: Ticks | TicksIn, y_ticks: Ticks, x_limits: tuple[float, float], top: float
    ) -> None:
        """Set axes and ranges, and the zero line. x_ticks: those of all, or what makes those of a part.

        Ticks are places with their words. x_limits: all of the x axis; top: where the y axis ends, which
        begins at 0. The part that was seen stays, as far as it is still there.
        """
        self._limits = x_limits
        self._ticks_in = x_ticks if callable(x_ticks) else lambda low, high: _between(x_ticks, low, high)
        item = self.getPlotItem()
        item.getAxis("left").show_ticks(y_ticks)
        self._show_x(*self.zoom.keep())
        item.setYRange(0, top, padding=0)
        grid = _Levels([height for height, _ in y_ticks[1:]], x_limits, self.colours.grid)
        grid.setZValue(-10)  # under what is drawn
        item.addItem(grid)
        item.addItem(_Levels([0.0], x_limits, self.colours.edge))

    # What a zoom asks

    def x_limits(self) -> tuple[float, float]:
        """All of the x axis."""
        return self._limits

    def least_width(self) -> float:
        """The smallest part of x that means anything.

        0: whatever the zoom takes for it.
        """
        return self.least_x

    def plot_rect(self) -> QRect:
        """The plot without its axes, in pixels."""
        box = self.getPlotItem().getViewBox().sceneBoundingRect()
        return QRect(self.mapFromScene(box.topLeft()), self.mapFromScene(box.bottomRight()))

    def show_seen(self, low: float, high: float) -> None:
        """Show a part of the x axis, drawn as finely as it then can be.

        low, high: in the units of the x axis, inside the limits.
        """
        self._show_x(low, high)
        self.draw_again()

    def _draw_as_told(self) -> None:
        self.draw_again()  # who draws is told only after this chart is there

    def place_of(self, x: float) -> QPoint:
        """Where a place of the x axis stands at the top of the plot, in pixels."""
        plot, (low, high) = self.plot_rect(), self.zoom.seen
        return QPoint(round(plot.left() + (x - low) / ((high - low) or 1.0) * plot.width()), plot.top())

    def _show_x(self, low: float, high: float) -> None:
        item = self.getPlotItem()
        item.getAxis("bottom").setTicks([self._ticks_in(low, high)])
        item.setXRange(low, high, padding=0)

    # The ring of the keyboard

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        """The ring of the keyboard over what the plot draws."""
        super().paintEvent(event)
        if self.hasFocus():
            painter = QtGui.QPainter(self.viewport())
            painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
            painter.setPen(QtGui.QPen(QtGui.QColor(self.colours.focus or self.colours.text), 2))
            painter.drawRoundedRect(QRectF(self.viewport().rect()).adjusted(1, 1, -1, -1), 4, 4)
            painter.end()

    # Mouse and keyboard: each of its parts takes what is meant for it

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        """What none of its parts takes goes on to whoever stands above."""
        if not any(
            takes(event) for takes in (self.zoom.takes, self.crosshair.takes_key, self.toggles.takes_key)
        ):
            event.ignore()

    def viewportEvent(self, event: QEvent) -> bool:
        """Names and zoom take what is meant for them; the rest of the wheel scrolls the page."""
        if event.type() == QEvent.Type.Leave:
            self.crosshair.hide()
        if isinstance(event, QtGui.QMouseEvent | QtGui.QWheelEvent):
            is_name = isinstance(event, QtGui.QMouseEvent) and self.toggles.takes_mouse(event)
            if is_name or self.zoom.takes(event):
                return True
        # what is not for the zoom scrolls the page: an axis would swallow it
        if isinstance(event, QtGui.QWheelEvent):
            event.ignore()
            return False
        return bool(super().viewportEvent(event))

    def focusInEvent(self, event: QtGui.QFocusEvent) -> None:
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QtGui.QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.crosshair.hide()
        self.viewport().update()


def _between(ticks: Ticks, low: float, high: float) -> Ticks:
    """Ticks that are seen, ends included."""
    return [tick for tick in ticks if low - 1e-9 <= tick[0] <= high + 1e-9]
