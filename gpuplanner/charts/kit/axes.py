"""The axes of a chart: labels without lines, and names in the right margin that never overlap."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QWidget

from gpuplanner.charts.kit.colours import ChartColours
from gpuplanner.domain.message import Text


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
            tickFont=colours.small,
            tickAlpha=255,
        )
        self.setPen(pg.mkPen(None))
        self.setTextPen(QColor(colours.muted))
        self.setTickPen(pg.mkPen(None))


class NamesAxis(pg.AxisItem):  # type: ignore[misc]  # pyqtgraph has no types
    """Names beside what they belong to, nudged apart so that none overlap, with a leader where one moved."""

    def __init__(self, colours: ChartColours, width: int) -> None:
        """width: pixels of the margin; longer names are elided."""
        super().__init__("right", showValues=False)
        self._colours = colours
        self._names: tuple[EdgeName, ...] = ()
        self._hidden: frozenset[str] = frozenset()
        self.room_above = 0.0  # pixels at the top that are taken
        self.setWidth(width)
        self.setPen(pg.mkPen(None))

    def show_names(self, names: Sequence[EdgeName]) -> None:
        """Show these names.

        In any order: they are placed by height.
        """
        self._names = tuple(names)
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
        for name, size, _, place in self._places(bounds):
            if abs(at.y() - place) <= size / 2:
                return str(name.name)
        return ""

    def _places(self, bounds: QRectF) -> list[tuple[EdgeName, float, float, float]]:
        """Of every name: its height, where its middle is wanted, and where it stands; pixels."""
        view = self.linkedView()
        if view is None or not self._names:
            return []
        low, high = view.viewRange()[1]
        line = QFontMetricsF(self._colours.small).height()
        sizes = [line * (2 if name.note else 1) for name in self._names]
        wanted = [
            float(bounds.top() + bounds.height() * (high - name.y) / (high - low)) for name in self._names
        ]
        places = spread(wanted, sizes, bounds.top() + self.room_above, bounds.bottom())
        return list(zip(self._names, sizes, wanted, places, strict=True))

    def paint(self, painter: QPainter, option: Any, widget: QWidget | None = None) -> None:
        """Names by where they stand, a leader where one was nudged, a line through what is hidden."""
        bounds = self.mapRectFromParent(self.geometry())
        line = QFontMetricsF(self._colours.small).height()
        flags = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine)
        for name, size, want, place in self._places(bounds):
            top = place - size / 2
            if abs(place - want) > line / 2:
                painter.setPen(QPen(QColor(self._colours.edge), 1))
                painter.drawLine(QPointF(bounds.left() + 1, want), QPointF(bounds.left() + 8, place))
            is_hidden = str(name.name) in self._hidden
            strong = QFont(self._colours.strong)
            strong.setStrikeOut(is_hidden)
            painter.setFont(strong)
            painter.setPen(QColor(self._colours.muted if is_hidden else self._colours.text))
            room = QRectF(bounds.left() + 10, top, bounds.width() - 10, line)
            shown = QFontMetricsF(strong).elidedText(
                str(name.name), Qt.TextElideMode.ElideRight, room.width()
            )
            painter.drawText(room, flags, shown)
            if name.note and not is_hidden:
                painter.setFont(self._colours.small)
                painter.setPen(QColor(self._colours.muted))
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
