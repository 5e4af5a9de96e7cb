"""Crosshair of a chart: a line that follows the cursor or the arrow keys, and its tool tip."""

from collections.abc import Callable, Sequence
from typing import Final, Protocol

import pyqtgraph as pg
from PySide6 import QtGui
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtWidgets import QToolTip
from shiboken6 import isValid

from gpuplanner.charts.kit.chart_colours import ChartColours
from gpuplanner.charts.kit.zoom import Zoom, show_tip, spoken

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
