"""The load duration curve with the layers of commitment under it."""

from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QBrush, QColor, QPainter, QPainterPath, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from gpuplanner.charts.kit.chart_numbers import grouped, short
from gpuplanner.charts.kit.layer_handle import DRAWN, HIT, LayerHandle
from gpuplanner.charts.kit.plot import (
    Chart,
    ChartColours,
    EdgeName,
    in_pixels,
    nice_ticks,
    percent_ticks,
    stepped_path,
    tip_table,
)
from gpuplanner.charts.kit.translation import speak, tr
from gpuplanner.domain.arrays import Floats


@dataclass(frozen=True, slots=True)
class LayerBand:
    """One layer from `low` to `high` GPUs. is_paid_idle: what it does not use is paid for, and drawn pale.

    Units: GPUs, from the bottom of the chart. pattern_colour: of the hatching or dots; the colour lies under
    it.
    """

    low: float
    high: float
    colour: str
    name: str
    note: str = ""
    pattern: str = ""  # hatched, dotted or empty
    pattern_colour: str = ""
    is_paid_idle: bool = False

    def __post_init__(self) -> None:
        speak(self, "name")


@dataclass(frozen=True, slots=True)
class LayerEdge:
    """The top edge of a layer that can be moved: of the term that lies from `low` up, `level` GPUs of it.

    low: GPUs under it; level: GPUs of the term itself.
    """

    term_months: int
    name: str
    low: float
    level: int


@dataclass(frozen=True, slots=True, eq=False)
class LoadDuration:
    """GPUs in use in each hour, busiest first, shape (hours,), and the layers from the bottom up.

    edges: those that a planner may move, in steps of `block` GPUs.
    """

    gpus: Floats
    bands: tuple[LayerBand, ...]
    line_colour: str
    edges: tuple[LayerEdge, ...] = ()
    block: int = 1


MOST_STEPS: Final = 2000
_PATTERNS = {"hatched": Qt.BrushStyle.BDiagPattern, "dotted": Qt.BrushStyle.Dense6Pattern}


def _pale(colour: str, ground: str) -> QColor:
    """What is paid for and not used: a little of the colour on the ground."""
    over, under = QColor(colour), QColor(ground)
    pairs = ((over.red(), under.red()), (over.green(), under.green()), (over.blue(), under.blue()))
    return QColor(*(round(0.18 * a + 0.82 * b) for a, b in pairs))


class _Layers(pg.GraphicsObject):  # type: ignore[misc]  # pyqtgraph has no types
    """All that moves when an edge does, as one item: it is drawn anew within a frame."""

    def __init__(self, colours: ChartColours) -> None:
        super().__init__()
        self._colours = colours
        self._fills: list[tuple[QPainterPath, QBrush]] = []
        self._heights: list[float] = []
        self._gpus: Floats = np.zeros(0)
        self._ends = (0.0, 0.0)
        self._line = QPolygonF()
        self._line_colour = colours.text
        self._room = QRectF(0, 0, 100, 1)

    def show_curve(
        self, curve: LoadDuration, top: float, seen: tuple[float, float], hidden: frozenset[str]
    ) -> None:
        """Lay out what is seen: a long log at MOST_STEPS steps, which is more than a screen has columns."""
        hours = len(curve.gpus)
        first, last = max(0, int(seen[0] * hours / 100)), min(hours, int(np.ceil(seen[1] * hours / 100)))
        gpus = curve.gpus[first:last]
        edges = np.linspace(100 * first / max(1, hours), 100 * last / max(1, hours), len(gpus) + 1)
        if len(gpus) > MOST_STEPS:
            gpus = gpus[((np.arange(MOST_STEPS) + 0.5) * len(gpus) / MOST_STEPS).astype(np.int64)]
            edges = np.linspace(edges[0], edges[-1], MOST_STEPS + 1)
        self._fills = []
        for band in curve.bands:
            if band.name in hidden:
                continue
            solid = QBrush(QColor(band.colour))
            if band.is_paid_idle and band.high > band.low:
                whole = stepped_path(np.array([0.0, 100.0]), np.array([band.high]), band.low)
                self._fills.append((whole, QBrush(_pale(band.colour, self._colours.raised))))
            path = stepped_path(edges, np.clip(gpus, band.low, band.high), band.low)
            self._fills.append((path, solid))
            if band.pattern:
                self._fills.append((path, QBrush(QColor(band.pattern_colour), _PATTERNS[band.pattern])))
        self._heights = [band.high for band in curve.bands if not band.pattern and band.name not in hidden]
        ends = (float(edges[0]), float(edges[-1]))
        if ends != self._ends or not np.array_equal(
            gpus, self._gpus
        ):  # it stands still while an edge is dragged
            self._gpus, self._ends = gpus, ends
            outlines = stepped_path(edges, gpus, 0.0).toSubpathPolygons()
            self._line = (
                QPolygonF(outlines[0].toList()[1:-2]) if outlines else QPolygonF()
            )  # without the ground
        self._line_colour = curve.line_colour
        if self._room.height() != top:
            self.prepareGeometryChange()
            self._room = QRectF(0, 0, 100, top)
        self.update()

    def boundingRect(self) -> QRectF:
        return self._room

    def paint(self, painter: QPainter, option: Any, widget: QWidget | None = None) -> None:
        """In pixels of the screen: fills, edges a pixel wide, the curve over all."""
        with in_pixels(painter) as on_screen:
            for path, brush in self._fills:
                painter.fillPath(on_screen.map(path), brush)
            painter.setPen(QPen(QColor(self._colours.text), 1))
            for height in self._heights:
                painter.drawLine(on_screen.map(QPointF(0, height)), on_screen.map(QPointF(100, height)))
            painter.setPen(QPen(QColor(self._line_colour), 2))
            painter.drawPolyline(on_screen.map(self._line))


class LoadDurationChart(Chart):
    """Told a curve and its layers; says which level a planner drags an edge to, or steps it by."""

    level_dragged = Signal(int, int)  # term in months, GPUs: while the hand holds it
    level_dropped = Signal(int, int)
    drag_cancelled = Signal(int)
    level_stepped = Signal(int, int)  # term in months, blocks
    level_let_go = Signal()
    edge_focused = Signal(int, bool)

    def __init__(self, colours: ChartColours) -> None:
        """Nothing is drawn before `show_curve`."""
        super().__init__(tr("Load duration curve with layers of commitment"), colours, 92)
        self._shown: LoadDuration | None = None
        self._top = 1.0
        self._layers = _Layers(colours)
        self.handles: dict[int, LayerHandle] = {}
        self.tip_at = self._tip
        self.stops = range(101)
        self.least_x = 1.0
        self.draw_again = self._draw_again
        self.getPlotItem().getViewBox().sigResized.connect(lambda _: self._place_handles())

    @property
    def held_term(self) -> int | None:
        """The term whose edge the mouse has hold of.

        Months; None where it holds none.
        """
        return next((term for term, handle in self.handles.items() if handle.is_held), None)

    def show_ring(self, term_months: int, has_ring: bool) -> None:
        """Show the ring of an edge's twin.

        term_months: of the edge; one that is not shown changes nothing.
        """
        if term_months in self.handles:
            self.handles[term_months].show_ring(has_ring)

    def _draw_again(self) -> None:
        if self._shown is not None:
            self.show_curve(self._shown)

    def show_curve(self, curve: LoadDuration) -> None:
        """Draw it. x is the share of hours in percent.

        The scale stands still while an edge is held. It says in words what it shows.
        """
        self._shown = curve
        peak = float(curve.gpus.max(initial=0.0))
        top = max(peak, max((band.high for band in curve.bands), default=0.0))
        ticks = nice_ticks(
            self._top if self.held_term is not None else top
        )  # the scale stands still under a hand
        names = [
            EdgeName(
                (band.low + (min(band.high, peak) if band.pattern else band.high)) / 2, band.name, band.note
            )
            for band in curve.bands
        ]
        self.names_axis.show_names(names)
        if self._layers.scene() is None or ticks[-1] != self._top:
            self.start().addItem(self._layers)
            self._top = ticks[-1]
            self.finish(percent_ticks, [(tick, short(tick)) for tick in ticks], (0, 100), self._top)
        self._layers.show_curve(curve, self._top, self.zoom.seen, self.toggles.hidden)
        said = [
            tr("{name} {high} GPUs", name=band.name, high=grouped(band.high - band.low))
            for band in curve.bands
        ]
        self.setAccessibleDescription(
            tr(
                "From the bottom: {said}; {peak} GPUs in the busiest hour.",
                said=", ".join(said),
                peak=grouped(peak),
            )
        )
        self._show_handles(curve)
        self._place_handles()

    def _show_handles(self, curve: LoadDuration) -> None:
        """A handle for each edge; those of edges that stay are kept, so that a drag goes on."""
        wanted = {edge.term_months: edge for edge in curve.edges}
        for term in [term for term in self.handles if term not in wanted]:
            gone = self.handles.pop(term)
            gone.hide()
            gone.deleteLater()
        for term, edge in wanted.items():
            if term not in self.handles:
                handle = LayerHandle(edge.name, self.colours, self)
                handle.dragged.connect(partial(self.level_dragged.emit, term))
                handle.dropped.connect(partial(self.level_dropped.emit, term))
                handle.cancelled.connect(partial(self.drag_cancelled.emit, term))
                handle.stepped.connect(partial(self.level_stepped.emit, term))
                handle.let_go.connect(self.level_let_go)
                handle.focused.connect(partial(self.edge_focused.emit, term))
                self.handles[term] = handle
                handle.show()
            room = (self._top - edge.low) // curve.block * curve.block
            self.handles[term].show_level(edge.level, curve.block, int(max(room, edge.level)))

    def _place_handles(self) -> None:
        """At the right end of each edge; where one would lie on the circle of another, side by side."""
        if self._shown is None:
            return
        view = self.getPlotItem().getViewBox()
        box = view.sceneBoundingRect()
        last, shift = -100.0, 0
        for edge in sorted(self._shown.edges, key=lambda edge: edge.low + edge.level):
            handle = self.handles[edge.term_months]
            height = box.height() * (1 - (edge.low + edge.level) / self._top)
            scene = QPointF(box.right(), box.top() + height)
            place = self.viewport().mapTo(self, self.mapFromScene(scene))
            shift = shift + 1 if abs(place.y() - last) <= (HIT + DRAWN) // 2 else 0
            last = place.y()
            handle.gpus_per_pixel = self._top / max(1.0, box.height())
            handle.move(place.x() - HIT // 2 - shift * HIT, place.y() - HIT // 2)
            handle.raise_()

    def _tip(self, x: float, y: float) -> str:
        """x: percent of the hours. What each layer serves there, the upper first, and GPUs in use."""
        curve = self._shown
        if curve is None or not len(curve.gpus) or not 0 <= x <= 100:
            return ""
        at = min(len(curve.gpus) - 1, int(x / 100 * len(curve.gpus)))
        gpus = float(curve.gpus[at])
        rows = [
            (
                band.pattern_colour or band.colour,
                band.name,
                tr("{gpus} GPUs", gpus=grouped(min(max(gpus - band.low, 0), band.high - band.low), 1)),
            )
            for band in reversed(curve.bands)
            if self.toggles.is_visible(band.name)
        ]
        return tip_table(
            tr("{x}% of hours need at least", x=grouped(x)),
            rows,
            (tr("In use"), tr("{gpus} GPUs", gpus=grouped(gpus, 1))),
        )
