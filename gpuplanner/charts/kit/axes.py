"""Axes of a chart: labels without lines, and names in the right margin that never overlap."""

from collections.abc import Callable, Sequence
from math import ceil
from typing import Any, Final

import pyqtgraph as pg
from PySide6 import QtGui
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtWidgets import QWidget

from gpuplanner.charts.kit.chart_colours import ChartColours
from gpuplanner.domain.message import Text
from gpuplanner.lazy_dataclass import dataclass

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


# --- The frame of every plot: axes left and bottom only, horizontal grid, names at the right, crosshair and zoom

Ticks = list[tuple[float, str]]
TicksIn = Callable[[float, float], Ticks]
"""From which place of the axis to which other -> the ticks to show between them."""
