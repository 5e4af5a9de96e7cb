"""Frame of every plot: axes, horizontal grid, names at the right, crosshair and zoom."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6 import QtGui
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtWidgets import QWidget

from gpuplanner.charts.kit.axes import FigureAxis, NamesAxis, Ticks, TicksIn
from gpuplanner.charts.kit.chart_colours import ChartColours
from gpuplanner.charts.kit.crosshair import Crosshair
from gpuplanner.charts.kit.series_toggle import SeriesToggle
from gpuplanner.charts.kit.user_locale import short
from gpuplanner.charts.kit.zoom import Zoom, tip_table
from gpuplanner.domain.arrays import Floats

__all__ = ["ChartColours", "Floats", "tip_table"]


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
