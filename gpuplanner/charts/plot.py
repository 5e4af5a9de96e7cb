"""The frame of every chart: axes left and bottom only, horizontal grid, names in the right margin, one tool tip."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QToolTip, QWidget

from gpuplanner.charts.colours import ChartColours

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class EdgeName:
    """A name in the right margin at a height of the y axis, with an optional second line."""

    y: float
    name: str
    note: str = ""


def nice_ticks(top: float) -> list[float]:
    """Four to six ticks from 0 that reach `top`, at steps of 1, 2, 2.5 or 5 times a power of ten."""
    if top <= 0:
        return [0.0, 1.0]
    magnitude = 10.0 ** np.floor(np.log10(top))
    for step in (0.1, 0.2, 0.25, 0.5, 1.0, 2.0):
        if top / (step * magnitude) <= 5:
            count = int(np.ceil(top / (step * magnitude) - 1e-9))
            return [float(number * step * magnitude) for number in range(count + 1)]
    return [0.0, float(top)]


class FigureAxis(pg.AxisItem):  # type: ignore[misc]
    """An axis without a line: small muted labels at the ticks it is given."""

    def __init__(self, side: str, colours: ChartColours) -> None:
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


class NamesAxis(pg.AxisItem):  # type: ignore[misc]
    """Names beside what they belong to, nudged apart so that none overlap, with a leader where one moved."""

    def __init__(self, colours: ChartColours, width: int) -> None:
        super().__init__("right", showValues=False)
        self._colours = colours
        self._names: tuple[EdgeName, ...] = ()
        self.setWidth(width)
        self.setPen(pg.mkPen(None))

    def show_names(self, names: Sequence[EdgeName]) -> None:
        """Show these names."""
        self._names = tuple(names)
        self.picture = None
        self.update()

    def paint(self, painter: QPainter, option: Any, widget: QWidget | None = None) -> None:
        view = self.linkedView()
        if view is None or not self._names:
            return
        bounds = self.mapRectFromParent(self.geometry())
        low, high = view.viewRange()[1]
        height = bounds.height()

        def pixel(y: float) -> float:
            return float(bounds.top() + height * (high - y) / (high - low))

        line = QFontMetricsF(self._colours.small).height()
        sizes = [line * (2 if name.note else 1) for name in self._names]
        wanted = [pixel(name.y) for name in self._names]
        places = spread(wanted, sizes, bounds.top(), bounds.bottom())
        for name, size, want, place in zip(self._names, sizes, wanted, places, strict=True):
            top = place - size / 2
            if abs(place - want) > line / 2:
                painter.setPen(QPen(QColor(self._colours.edge), 1))
                painter.drawLine(QPointF(bounds.left() + 1, want), QPointF(bounds.left() + 8, place))
            painter.setFont(self._colours.strong)
            painter.setPen(QColor(self._colours.text))
            room = QRectF(bounds.left() + 10, top, bounds.width() - 10, line)
            flags = int(
                Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
            )
            shown = QFontMetricsF(self._colours.strong).elidedText(
                name.name, Qt.TextElideMode.ElideRight, room.width()
            )
            painter.drawText(room, flags, shown)
            if name.note:
                painter.setFont(self._colours.small)
                painter.setPen(QColor(self._colours.muted))
                painter.drawText(room.translated(0, line), flags, name.note)


def spread(wanted: Sequence[float], sizes: Sequence[float], top: float, bottom: float) -> list[float]:
    """Centres as near as can be to what is wanted, without overlap and inside top..bottom; in the same order."""
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


class Area(pg.GraphicsObject):  # type: ignore[misc]
    """A filled area between a stepped curve and a level; patterns keep their size on the screen."""

    def __init__(
        self, x_edges: Floats, heights: Floats, level: float, brush: QBrush, under: QBrush | None = None
    ) -> None:
        super().__init__()
        self._path = stepped_path(x_edges, heights, level)
        self._brush, self._under = brush, under

    def boundingRect(self) -> QRectF:
        return self._path.boundingRect()

    def paint(self, painter: QPainter, option: Any, widget: QWidget | None = None) -> None:
        on_screen = painter.transform().map(self._path)
        painter.save()
        painter.resetTransform()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        if self._under is not None:
            painter.fillPath(on_screen, self._under)
        painter.fillPath(on_screen, self._brush)
        painter.restore()


def stepped_path(x_edges: Floats, heights: Floats, level: float) -> QPainterPath:
    """The outline between a stepped curve and a level. Shapes: x_edges (n + 1,), heights (n,)."""
    starts = (
        np.flatnonzero(np.concatenate(([True], heights[1:] != heights[:-1])))
        if len(heights)
        else np.zeros(0, dtype=np.int64)
    )
    ends = np.append(starts[1:], len(heights))
    count = 2 * len(starts) + 2
    x, y = np.empty(count), np.full(count, level)
    x[0], x[-1] = x_edges[0], x_edges[-1]
    if len(starts):
        x[1:-1:2], x[2:-1:2] = x_edges[starts], x_edges[ends]
        y[1:-1:2], y[2:-1:2] = heights[starts], heights[starts]
    path: QPainterPath = pg.arrayToQPath(x, y, connect="all", finiteCheck=False)  # a line a point is slow
    path.closeSubpath()
    return path


class Chart(pg.PlotWidget):  # type: ignore[misc]
    """A plot that cannot be panned or zoomed by accident, and says in a tool tip what is under the cursor."""

    def __init__(self, name: str, colours: ChartColours, margin: int) -> None:
        self.colours = colours
        self.names_axis = NamesAxis(colours, margin)
        axes = {
            "left": FigureAxis("left", colours),
            "bottom": FigureAxis("bottom", colours),
            "right": self.names_axis,
        }
        super().__init__(axisItems=axes, background=QColor(colours.raised))
        self.setAccessibleName(name)
        self.setFrameShape(self.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        item = self.getPlotItem()
        item.showAxis("right")
        item.hideButtons()
        item.setMenuEnabled(False)
        item.layout.setContentsMargins(0, 8, 0, 0)
        item.getViewBox().setMouseEnabled(False, False)
        item.getViewBox().setDefaultPadding(0)
        self.tip_at: Callable[[float, float], str] = lambda x, y: ""
        self.scene().sigMouseMoved.connect(self._show_tip)

    def _show_tip(self, place: QPointF) -> None:
        box = self.getPlotItem().getViewBox()
        if not box.sceneBoundingRect().contains(place):
            QToolTip.hideText()
            return
        point = box.mapSceneToView(place)
        text = self.tip_at(point.x(), point.y())
        if text:
            QToolTip.showText(self.mapToGlobal(place.toPoint()) + QPointF(12, 12).toPoint(), text, self)

    def start(self) -> Any:
        """Clear the plot; returns the item to draw into."""
        item = self.getPlotItem()
        item.clear()
        return item

    def finish(
        self,
        x_ticks: list[tuple[float, str]],
        y_ticks: list[tuple[float, str]],
        x_range: tuple[float, float],
        top: float,
    ) -> None:
        """Set axes and ranges, and the zero line."""
        item = self.getPlotItem()
        item.getAxis("bottom").setTicks([x_ticks])
        item.getAxis("left").setTicks([y_ticks])
        item.setXRange(*x_range, padding=0)
        item.setYRange(0, top, padding=0)
        for height, _ in y_ticks[1:]:
            line = pg.InfiniteLine(height, angle=0, pen=pg.mkPen(QColor(self.colours.grid), width=1))
            line.setZValue(-10)  # under what is drawn
            item.addItem(line)
        zero = pg.InfiniteLine(0, angle=0, pen=pg.mkPen(QColor(self.colours.edge), width=1))
        item.addItem(zero)


def tip_table(first: str, rows: Sequence[tuple[str, str, str]], total: tuple[str, str] | None) -> str:
    """A chart's tool tip: what and when, one row per series (colour, name, value), then the total."""
    lines = [f"<tr><td colspan=3><b>{first}</b></td></tr>"]
    for colour, name, value in rows:
        lines.append(
            f"<tr><td><span style='color:{colour}'>\u25a0</span></td><td>{name}&nbsp;&nbsp;</td>"
            f"<td align=right>{value}</td></tr>"
        )
    if total is not None:
        lines.append(
            f"<tr><td></td><td>{total[0]}&nbsp;&nbsp;</td><td align=right><b>{total[1]}</b></td></tr>"
        )
    return "<table cellspacing=2>" + "".join(lines) + "</table>"
