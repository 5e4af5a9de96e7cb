"""Load duration curve with the layers of commitment."""

from collections.abc import Callable, Collection, Iterator
from functools import partial
from typing import Any, Final

import numpy as np
import pyqtgraph as pg
from PySide6 import QtGui
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtWidgets import QWidget

from gpuplanner.charts.kit import axes, plot
from gpuplanner.charts.kit.translation import speak, tr
from gpuplanner.charts.kit.user_locale import grouped, short
from gpuplanner.charts.plots.layer_handle import DRAWN, HIT, LayerHandle
from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.commitment.plan.layers import HeldTerm, busiest_first, held_terms
from gpuplanner.domain.commitment.plan.totals import is_priced_layer
from gpuplanner.domain.commitment.result import PoolPlan
from gpuplanner.domain.commitment.words.terms import term_name
from gpuplanner.domain.figures.typed import gpus as gpus_words
from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.domain.model.window import HOURS_PER_MONTH
from gpuplanner.domain.reports.plan_layers import EXISTING_SHORTLY, by_use_words
from gpuplanner.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerBand:
    """One layer from `low` to `high` GPUs. is_paid_idle: what it does not use is paid for, and drawn pale.

    Units: GPUs, from the bottom of the chart. pattern_colour: of the hatching or dots; the colour lies under
    it. share: of the month, 0..1, in which it is held: the rest of its width is drawn as what is paid by use.
    """

    low: float
    high: float
    colour: str
    name: str
    note: str = ""
    pattern: str = ""  # hatched, dotted, crossed or empty
    pattern_colour: str = ""
    is_paid_idle: bool = False
    share: float = 1.0

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


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LoadDuration:
    """GPUs in use in each hour, busiest first, shape (hours,), and the layers from the bottom up.

    edges: those that a planner may move, in steps of `block` GPUs. by_use: colour and hatching of what is paid by use
    before a layer begins.
    """

    gpus: Floats
    bands: tuple[LayerBand, ...]
    line_colour: str
    edges: tuple[LayerEdge, ...] = ()
    block: int = 1
    by_use: tuple[str, str] = ("", "")

    def served(self, band: LayerBand, x: float) -> float:
        """GPUs that a band serves at a share of the hours, percent: of those that begin later nothing beyond theirs."""
        if not len(self.gpus) or x > 100 * band.share:
            return 0.0
        gpus = float(self.gpus[min(len(self.gpus) - 1, int(x / 100 * len(self.gpus)))])
        return min(max(gpus - band.low, 0.0), band.high - band.low)


@dataclass(frozen=True, slots=True, kw_only=True)
class CurveLook:
    """Colours of the form #rrggbb. term: of months; say: how the few words of the chart are read."""

    existing: str
    term: Callable[[int], str]
    by_use: str
    hatch: str
    unserved: str
    ground: str
    line: str
    say: Callable[[Text], str]


def curve_of(plan: PoolPlan, look: CurveLook, also: Collection[int] = (), *, can_move: bool) -> LoadDuration:
    """A row's load duration curve over its layers of month 0: existing ones at the bottom, then terms, the longest
    first, then what is paid by use, and in red what nobody serves. Planned runs, bought apart, are under the terms in
    their mean: what is drawn used of a term is what the plan uses of it.

    also: terms that have an edge though their level is 0, as while a hand holds them.
    """
    bands, at = list[LayerBand](), 0.0
    for layer in plan.layers:
        if layer.existing and layer.gpus:
            bands.append(
                LayerBand(low=at, high=at + layer.gpus, colour=look.existing, name=look.say(EXISTING_SHORTLY))
            )
            at += layer.gpus
    bands += _apart(plan, look, at)
    at += 0.0 if plan.apart is None else plan.apart.gpus
    base, edges = at, list[LayerEdge]()
    sizes = dict.fromkeys(also, HeldTerm(gpus=0.0, mean_gpus=0.0)) | held_terms(plan)
    for months in sorted(sizes, reverse=True):
        name, (gpus, held) = look.say(term_name(plan, months)), sizes[months]
        if gpus:
            share = min(held / gpus, 1.0)
            note = ""
            if share < LEAST_TOLD:
                note = look.say(worded("{hours} of 730 h", hours=whole(HOURS_PER_MONTH * share)))
            colour = look.term(months)
            bands.append(
                LayerBand(
                    low=at,
                    high=at + gpus,
                    colour=colour,
                    name=name,
                    note=note,
                    is_paid_idle=True,
                    share=share,
                )
            )
        edges.append(LayerEdge(months, name, at, round(gpus)))
        at += gpus
    residual = busiest_first(plan)
    bands += _above(plan, look, residual, base, at)
    by_use = (look.by_use, look.hatch)
    return LoadDuration(
        gpus=base + residual,
        bands=tuple(bands),
        line_colour=look.line,
        edges=tuple(edges) if can_move else (),
        block=plan.block,
        by_use=by_use,
    )


def _apart(plan: PoolPlan, look: CurveLook, low: float) -> Iterator[LayerBand]:
    """Planned runs in the mean of the month, from `low` GPUs on, in the colours of what they are bought by."""
    if (runs := plan.apart) is None:
        return
    name, note, lost = map(look.say, (worded("Planned runs"), worded("in the mean"), worded("Unserved")))
    top = low
    for layer in runs.layers:
        gpus, term = layer.busy_gpus * layer.paid_hours / HOURS_PER_MONTH, layer.term_months or 0
        colour, pattern = (look.term(term), "") if term else (look.by_use, "hatched")
        yield LayerBand(
            low=top,
            high=top + gpus,
            colour=colour,
            name=name,
            note=note,
            pattern=pattern,
            pattern_colour=look.hatch,
        )
        top += gpus
    if runs.lost_gpus >= LEAST_GPUS:
        yield LayerBand(
            low=top,
            high=top + runs.lost_gpus,
            colour=look.unserved,
            name=lost,
            note="",
            pattern="crossed",
            pattern_colour=look.ground,
        )


def _above(plan: PoolPlan, look: CurveLook, residual: Floats, base: float, low: float) -> Iterator[LayerBand]:
    """What lies over the commitments of a row, from `low` GPUs on: paid by use, and in red what nobody serves.

    residual: of month 0, the busiest hour first; base: GPUs under it. Law: the area of the red band is what nobody
    serves.
    """
    high, lost = base + max(float(residual[0]), low - base), plan.unserved_gpu_hours / HOURS_PER_MONTH
    lost -= plan.apart.lost_gpus if plan.apart else 0.0  # of runs it stands with them
    cut = high
    if lost >= LEAST_GPUS:
        over = (np.cumsum(residual) - lost * len(residual)) / np.arange(1, len(residual) + 1)
        at = int(np.argmax(over >= np.append(residual[1:], -np.inf)))
        cut = min(max(base + float(over[at]), low), high)
    for layer in plan.layers:
        is_by_use = not layer.existing and not layer.term_months and layer.busy_gpus > 0
        if is_by_use and cut > low and is_priced_layer(layer):
            pattern = "dotted" if layer.pricing_category is PricingCategory.DYNAMIC else "hatched"
            name = look.say(by_use_words(layer.pricing_category))
            above = look.say(worded("above {at}", at=gpus_words(low)))
            yield LayerBand(
                low=low,
                high=cut,
                colour=look.by_use,
                name=name,
                note=above,
                pattern=pattern,
                pattern_colour=look.hatch,
            )
    if cut < high:
        note = look.say(worded("{gpu_hours} GPU-h", gpu_hours=whole(plan.unserved_gpu_hours)))
        yield LayerBand(
            low=cut,
            high=high,
            colour=look.unserved,
            name=look.say(worded("Unserved")),
            note=note,
            pattern="crossed",
            pattern_colour=look.ground,
        )


LEAST_WHOLE: Final = 0.999
"""A layer that is held for less of the month is drawn for its share of it."""
LEAST_TOLD: Final = 0.85
"""One that is held for less than this says for how many hours: a lead of days is seen, and told by the table."""
LEAST_GPUS: Final = 1e-6
MOST_STEPS: Final = 2000
_PATTERNS = {
    "hatched": Qt.BrushStyle.BDiagPattern,
    "dotted": Qt.BrushStyle.Dense6Pattern,
    "crossed": Qt.BrushStyle.DiagCrossPattern,
}


def _pale(colour: str, ground: str) -> QtGui.QColor:
    """What is paid for and not used: a little of the colour on the ground."""
    over, under = QtGui.QColor(colour), QtGui.QColor(ground)
    pairs = ((over.red(), under.red()), (over.green(), under.green()), (over.blue(), under.blue()))
    return QtGui.QColor(*(round(0.18 * a + 0.82 * b) for a, b in pairs))


class _Layers(pg.GraphicsObject):  # type: ignore[misc]  # pyqtgraph has no types
    """All that moves when an edge does, as one item: it is drawn anew within a frame."""

    def __init__(self, colours: plot.ChartColours) -> None:
        super().__init__()
        self.colours = colours
        self._fills: list[tuple[QtGui.QPainterPath, QtGui.QBrush]] = []
        self._heights: list[float] = []
        self._gpus: Floats = np.zeros(0)
        self._ends = (0.0, 0.0)
        self._line = QtGui.QPolygonF()
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
            solid, heights = QtGui.QBrush(QtGui.QColor(band.colour)), np.clip(gpus, band.low, band.high)
            if band.is_paid_idle and band.high > band.low:
                width = np.array([0.0, 100.0 * band.share])
                held = plot.stepped_path(width, np.array([band.high]), band.low)
                self._fills.append((held, QtGui.QBrush(_pale(band.colour, self.colours.raised))))
            is_whole = band.share >= LEAST_WHOLE
            at = len(gpus) if is_whole else int(np.searchsorted(edges[1:], 100.0 * band.share))
            path = plot.stepped_path(edges[: at + 1], heights[:at], band.low)
            self._fills.append((path, solid))
            if band.pattern:
                self._fills.append(
                    (path, QtGui.QBrush(QtGui.QColor(band.pattern_colour), _PATTERNS[band.pattern]))
                )
            if at < len(gpus):
                before = plot.stepped_path(edges[at:], heights[at:], band.low)
                ground, hatch = curve.by_use
                self._fills.append((before, QtGui.QBrush(QtGui.QColor(ground))))
                self._fills.append((before, QtGui.QBrush(QtGui.QColor(hatch), _PATTERNS["hatched"])))
        self._heights = [band.high for band in curve.bands if not band.pattern and band.name not in hidden]
        ends = (float(edges[0]), float(edges[-1]))
        # it stands still while an edge is dragged
        if ends != self._ends or not np.array_equal(gpus, self._gpus):
            self._gpus, self._ends = gpus, ends
            outlines = plot.stepped_path(edges, gpus, 0.0).toSubpathPolygons()
            # without the ground
            self._line = QtGui.QPolygonF(outlines[0].toList()[1:-2]) if outlines else QtGui.QPolygonF()
        self._line_colour = curve.line_colour
        if self._room.height() != top:
            self.prepareGeometryChange()
            self._room = QRectF(0, 0, 100, top)
        self.update()

    def boundingRect(self) -> QRectF:
        return self._room

    def paint(self, painter: QtGui.QPainter, option: Any, widget: QWidget | None = None) -> None:
        """In pixels of the screen: fills, edges a pixel wide, the curve over all."""
        with plot.in_pixels(painter) as on_screen:
            for path, brush in self._fills:
                painter.fillPath(on_screen.map(path), brush)
            painter.setPen(QtGui.QPen(QtGui.QColor(self.colours.text), 1))
            for height in self._heights:
                painter.drawLine(on_screen.map(QPointF(0, height)), on_screen.map(QPointF(100, height)))
            painter.setPen(QtGui.QPen(QtGui.QColor(self._line_colour), 2))
            painter.drawPolyline(on_screen.map(self._line))


class LoadDurationChart(plot.Chart):
    """Told a curve and its layers; says which level a planner drags an edge to, or steps it by."""

    level_dragged = Signal(int, int)  # term in months, GPUs: while the hand holds it
    level_dropped = Signal(int, int)
    drag_cancelled = Signal(int)
    level_stepped = Signal(int, int)  # term in months, blocks
    level_let_go = Signal()
    edge_focused = Signal(int, bool)

    def __init__(self, colours: plot.ChartColours) -> None:
        """Nothing is drawn before `show_curve`."""
        super().__init__(tr("Load duration curve with commitment layers"), colours, 92)
        self._shown: LoadDuration | None = None
        self._top = 1.0
        self._layers = _Layers(colours)
        self.handles: dict[int, LayerHandle] = {}
        self.tip_at = self._tip
        self.stops = range(101)
        self.least_x = 1.0
        self.draw_again = self._draw_again
        self.getPlotItem().getViewBox().sigResized.connect(lambda _: self._place_handles())

    def show_colours(self, colours: plot.ChartColours) -> None:
        """Other colours from now on, of the layers and their handles too."""
        super().show_colours(colours)
        self._layers.colours, self._top = colours, 0.0  # another top: axes and grid are drawn anew
        for handle in self.handles.values():
            handle.colours = colours

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
        # the scale stands still under a hand
        ticks = plot.nice_ticks(self._top if self.held_term is not None else top)
        names = [
            axes.EdgeName(
                (band.low + (min(band.high, peak) if band.pattern else band.high)) / 2, band.name, band.note
            )
            for band in curve.bands
        ]
        self.names_axis.show_names(names)
        if self._layers.scene() is None or ticks[-1] != self._top:
            self.start().addItem(self._layers)
            self._top = ticks[-1]
            self.finish(plot.percent_ticks, [(tick, short(tick)) for tick in ticks], (0, 100), self._top)
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
        box = self.getPlotItem().getViewBox().sceneBoundingRect()
        last, shift = -100.0, 0
        for edge in sorted(self._shown.edges, key=lambda edge: edge.low + edge.level):
            handle = self.handles[edge.term_months]
            height = box.height() * (1 - (edge.low + edge.level) / self._top)
            place = self.viewport().mapTo(self, self.mapFromScene(QPointF(box.right(), box.top() + height)))
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
        gpus = float(curve.gpus[min(len(curve.gpus) - 1, int(x / 100 * len(curve.gpus)))])
        rows = [
            (
                band.pattern_colour or band.colour,
                band.name,
                tr("{gpus} GPUs", gpus=grouped(curve.served(band, x), 1)),
            )
            for band in reversed(curve.bands)
            if self.toggles.is_visible(band.name)
        ]
        return plot.tip_table(
            tr("{x}% of hours need at least", x=grouped(x)),
            rows,
            (tr("In use"), tr("{gpus} GPUs", gpus=grouped(gpus, 1))),
        )
