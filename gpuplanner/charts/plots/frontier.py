"""Curves over numbers of GPUs, with their band: $ against waiting of a pool, and GPUs against finishing time."""

from collections.abc import Callable, Sequence
from itertools import product
from math import ceil, dist, floor, inf, log10
from typing import Any, Final

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor

from gpuplanner.charts.kit.axes import EdgeName
from gpuplanner.charts.kit.chart_colours import mixed
from gpuplanner.charts.kit.plot import Chart, ChartColours, Floats, even_ticks, tip_table
from gpuplanner.charts.kit.translation import by_count, tr
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.waiting import WAITING
from gpuplanner.domain.message import joined
from gpuplanner.domain.queue.frontier import FrontierPoint
from gpuplanner.domain.queue.sentences import by_log, marks_words
from gpuplanner.lazy_dataclass import dataclass


class BandedCurve(Chart):
    """A line over sizes with what is likely around it, and marks at single sizes."""

    def draw_curve(self, x: Floats, y: Floats, band: Sequence[Floats], colour: str) -> None:
        """band: its low and high edge; empty where nobody knows it."""
        item, strong = self.getPlotItem(), QColor(colour)
        if band:
            brush = mixed(strong, QColor(self.colours.raised), 0.25)
            # with a line of its own: where both edges are one there is nothing to fill
            edges = [
                pg.PlotCurveItem(x, values, pen=pg.mkPen(brush, width=2), antialias=True) for values in band
            ]
            for part in (*edges, pg.FillBetweenItem(*edges, brush=brush)):
                item.addItem(part)
        dots = {"symbol": "o", "symbolSize": 6, "symbolBrush": strong, "symbolPen": None}
        item.plot(x, y, pen=pg.mkPen(strong, width=2), antialias=True, **dots)

    def draw_rings(self, x: Sequence[float] | Floats, y: Sequence[float] | Floats) -> Any:
        """A ring around each of these places."""
        pen = pg.mkPen(QColor(self.colours.text), width=2)
        rings = {"symbol": "o", "symbolSize": 12, "symbolBrush": None, "symbolPen": pen}
        return self.getPlotItem().plot(x, y, pen=None, **rings)

    def write_at(self, x: float, y: float, words: str, anchor: tuple[float, float]) -> Any:
        """Words at a place, which move no axis."""
        text = pg.TextItem(words, QColor(self.colours.text), anchor=anchor)
        text.setFont(self.colours.small)
        text.setPos(x, y)
        self.getPlotItem().addItem(text, ignoreBounds=True)
        return text


# --- What waiting costs: sizes of one pool and GPU model, today, plan, knee and target marked -------

WAITS_H: Final = (0.0, 0.1, 0.5, 2, 10, 50, 200, 1_000, 5_000)
"""Marks of the hours: they stand at about even distances."""
PER_HOUR: Final = 10
"""Waits are drawn over log(1 + 10 h): none stands at the bottom, six minutes are told from an hour."""
RING_PX: Final = 8
"""How far from the middle of a ring words begin; from twice as far on a line leads to them."""
LEAST_AWAY_PX: Final = 6
"""How near the words of a ring may not come to it: its points are too few to see a corner between two of them."""
AROUND_PX: Final = 4
"""Of what is empty around words of a plot, how much others may touch."""
MIDDLE_FIRST: Final = np.array(sorted(np.arange(-3, 3.5, 0.5), key=abs))
"""How many lines of words above or below its ring a line of words is tried."""


class FrontierChart(BandedCurve):
    """Told sizes, fewest GPUs first; over $ where all of them have a rate, else over GPUs."""

    def __init__(
        self,
        colours: ChartColours,
        says_hours: Callable[[float | None], str],
        says_usd: Callable[[float | None], str],
        short_usd: Callable[[float], str],
    ) -> None:
        """says_hours, says_usd, short_usd: hours and $ in words, and $ as an axis has them."""
        super().__init__(tr("P90 wait by cost"), colours, 12)
        self._says_hours, self._says_usd, self._short_usd = says_hours, says_usd, short_usd
        self._sizes: Sequence[FrontierPoint] = ()
        self._colour = ""
        self._words: list[Any] = []
        self._top = 1.0
        self._line: tuple[Floats, Floats] = np.empty(0), np.empty(0)
        self.getPlotItem().getViewBox().sigResized.connect(self._place)
        self.tip_at = self._tip
        self.draw_again = lambda: None if not self._sizes else self.show_sizes(self._sizes, self._colour)

    def show_sizes(self, sizes: Sequence[FrontierPoint], colour: str) -> None:
        """Draw those on which somebody starts in the colour of their pool, two at least."""
        self._sizes, self._colour = sizes, colour
        self.start()
        has_usd = all(size.usd_per_month is not None for size in sizes)
        x = np.array([size.usd_per_month if has_usd else size.gpus for size in sizes], dtype=np.float64)
        y = _heights([size.waits.p90_h for size in sizes])
        on = [at for at, size in enumerate(sizes) if not size.is_shared]
        likely, band = [sizes[at].corrected for at in on], list[Floats]()
        if all(likely):
            band = [_heights([getattr(span, name) for span in likely]) for name in ("low_h", "high_h")]
        top = max(float(heights.max()) for heights in (y, *band[1:]))
        self.draw_curve(x[on], y[on], band, colour)
        lacking = [at for at, size in enumerate(sizes) if size.never]
        brush = QColor(self.colours.text)
        crosses = {"symbol": "x", "symbolSize": 11, "symbolBrush": brush, "symbolPen": None}
        self.getPlotItem().plot(x[lacking], y[lacking], pen=None, **crosses)
        self.stops = x.tolist()
        margin = 0.06 * ((x.max() - x.min()) or 1.0)
        limits = (float(x.min() - margin), float(x.max() + margin))
        heights = [(float(_heights([mark])[0]), self._says_hours(mark)) for mark in WAITS_H]
        above = next((at for at, (height, _) in enumerate(heights) if height >= top), len(heights) - 1)
        heights = heights[: max(above, 1) + 1]

        def ticks(low: float, high: float) -> list[tuple[float, str]]:
            return [(at, self._short_usd(at) if has_usd else f"{at:,.0f}") for at in even_ticks(low, high)]

        self._top = heights[-1][0] * 1.12
        marked = [at for at, size in enumerate(sizes) if size.marks]
        self.draw_rings(x[marked], y[marked])
        self._leads = self.getPlotItem().plot([], [], pen=pg.mkPen(self.colours.muted), connect="pairs")
        said: dict[tuple[float, float], list[Any]] = {}
        for at in marked:
            said.setdefault((x[at], y[at]), []).extend((marks_words(sizes[at]), *by_log(sizes[at])))
        self._words = [self.write_at(*at, tr(joined(words, ", ")), (0, 1)) for at, words in said.items()]
        order = np.argsort(x[on], kind="stable")
        self._line = x[on][order], y[on][order]
        self.finish(ticks, heights, limits, self._top)
        self.getPlotItem().setYRange(-0.05 * self._top, self._top, padding=0)  # a ring at 0 is whole
        self._place()

    def _place(self) -> None:
        """Words stand beside the ring of their size, or a line leads to them; in the plot, however wide it is now."""
        if not self._words:
            return
        (low, high), plot = self.zoom.seen, self.plot_rect()
        room = np.array((max(plot.width(), 1), max(plot.height(), 1)))
        origin, unit = np.array((low, self._top)), np.array((high - low, -1.05 * self._top)) / room
        at = np.array([word.pos().toTuple() for word in self._words])
        sizes = np.array([word.boundingRect().size().toTuple() for word in self._words])
        across = np.linspace(low, high, int(room[0]) // 4 + 2)
        line = np.stack((across, np.interp(across, *self._line)), axis=1)
        rings = (at - origin) / unit
        corners = beside_rings(rings, sizes - 2 * AROUND_PX, (line - origin) / unit, room)
        leads = [np.empty((0, 2))]
        for words, ring, size, corner in zip(self._words, rings, sizes, corners, strict=True):
            words.setAnchor(tuple((ring - corner + AROUND_PX) / size))
            leads.append(_lead(ring, corner, size - 2 * AROUND_PX)[[0, -1]])
        self._leads.setData(*(np.concatenate(leads) * unit + origin).T)

    def _tip(self, x: float, y: float) -> str:
        """x: place of a size. Its wait with the range that the log gives it, and $."""
        if not self._sizes:
            return ""
        size = self._sizes[int(np.abs(np.array(self.stops) - x).argmin())]
        rows = [(self._colour, tr("P90 wait"), tr("{hours} h", hours=self._says_hours(size.waits.p90_h)))]
        if (span := size.corrected) is not None:
            likely = f"{self._says_hours(span.low_h)} \u2013 {self._says_hours(span.high_h)}"
            rows.append(("", tr("By the log"), tr("{hours} h", hours=likely)))
        rows.append(("", tr(titles.COST), self._says_usd(size.usd_per_month)))
        if size.never:
            rows.append(("", tr(WAITING["never"].title), f"{size.never:,}"))
        if size.marks:
            rows.append(("", tr("Is"), tr(marks_words(size))))
        return tip_table(by_count(size.gpus, "{gpus} GPU", "{gpus} GPUs", gpus=f"{size.gpus:,}"), rows, None)


def beside_rings(rings: Floats, sizes: Floats, line: Floats, room: Floats) -> list[Floats]:
    """Left and top of the words of each ring: as near to it as they and what leads to them touch no other ring and no
    other words, and the words, where that can be, not the line; inside the room.

    All in pixels from the left and the top, shapes (n, 2), of the room (2,); line: its points.

    >>> beside_rings(np.array([[50.0, 50]]), np.array([[40.0, 12]]), np.empty((0, 2)), np.array([200, 99]))[0].tolist()
    [58.0, 44.0]
    """
    turns = np.linspace(0, 2 * np.pi, 12, endpoint=False)
    circle, taken = RING_PX * np.stack((np.cos(turns), np.sin(turns)), axis=1), np.empty((0, 2))
    found = [np.empty(2)] * len(rings)
    for at in np.argsort(-sizes[:, 0], kind="stable").tolist():
        ring, size, least = rings[at], sizes[at], inf
        lefts = ring[0] + np.array((RING_PX, -RING_PX - size[0], -0.1 * size[0], -0.9 * size[0]))
        tops = ring[1] + size[1] * (MIDDLE_FIRST - 0.5)
        corners = np.clip([*product(lefts, tops)], 0, room - size)
        away = np.hypot(*(np.clip(ring, corners, corners + size) - ring).T)
        blocked = np.concatenate((taken, *(one + circle for one in rings if (one != ring).any())))
        for one in np.argsort(away, kind="stable").tolist():
            corner = corners[one]
            if away[one] >= least:
                break
            led = np.abs(blocked[:, None] - _lead(ring, corner, size)[:-1]).max(axis=2) < 2
            hits = led.sum() + _inside(np.concatenate((blocked, ring + 0.9 * circle)), corner, size)
            hits += away[one] <= LEAST_AWAY_PX
            cost = 100 * hits + 40 * (_inside(line, corner - 2, size + 4) > 0) + away[one]
            if cost < least:
                found[at], least = corner, cost
        parts = np.array([*product(*(np.linspace(0, one, int(one) // 5 + 2) for one in size))])
        taken = np.concatenate((taken, found[at] + parts, _lead(ring, found[at], size)))
    return found


def _inside(points: Floats, corner: Floats, size: Floats | int) -> int:
    """How many of them lie in a box."""
    return int(((points > corner) & (points < corner + size)).all(axis=1).sum())


def _lead(ring: Floats, corner: Floats, size: Floats) -> Floats:
    """Points from the edge of a ring to the nearest of a box, shape (9, 2); all at the end where they touch."""
    end = np.clip(ring, corner, corner + size)
    away = dist(ring, end)
    start = RING_PX / away if away > 2 * RING_PX else 1.0
    return np.asarray(ring + np.linspace(start, 1.0, 9)[:, None] * (end - ring))


def _heights(waits_h: Sequence[float | None]) -> Floats:
    """Where waits stand: 0 at the bottom."""
    found: Floats = np.log10(1 + PER_HOUR * np.array(waits_h, dtype=np.float64))
    return found


# --- A chart of GPUs against finishing time -------------------------------------------------------

STEPS: Final = (1, 3)
"""Marks of the hours within a power of ten: they stand at about even distances."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishPoint:
    """So many GPUs, the hours that they take with P10 and P90, and the $ of these; None: no price."""

    gpus: int
    hours: float
    low: float
    high: float
    usd: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishCurve:
    """Points of one GPU model, fewest GPUs first. knee, chosen: places of them, None for none; deadline_h: or none."""

    gpu_model: str
    points: tuple[FinishPoint, ...]
    knee: int | None
    chosen: int | None
    deadline_h: float | None
    colour: str


class FinishChart(BandedCurve):
    """Told its curve; its numbers of GPUs stand at even distances."""

    def __init__(
        self,
        colours: ChartColours,
        says_hours: Callable[[float], str],
        says_usd: Callable[[float | None], str],
    ) -> None:
        """says_hours, says_usd: hours and $ in words."""
        super().__init__(tr("Training hours by GPUs"), colours, 76)
        self._says_hours, self._says_usd = says_hours, says_usd
        self.curve: FinishCurve | None = None
        self.ring: Any = None
        self._heights: list[float] = []
        self.tip_at = self._tip
        self.least_x = 2.0
        self.draw_again = lambda: None if self.curve is None else self.show_curve(self.curve)

    def show_curve(self, curve: FinishCurve) -> None:
        """Draw it over powers of ten: hours that halve with each doubling are a straight line, which is drawn too."""
        self.curve, item = curve, self.start()
        x = np.arange(len(curve.points), dtype=np.float64)
        low, hours, high = (
            np.log10([getattr(point, name) for point in curve.points]) for name in ("low", "hours", "high")
        )
        ideal = hours[0] - np.log10([point.gpus / curve.points[0].gpus for point in curve.points])
        ends = [low.min(), high.max()]
        is_near = curve.deadline_h is not None and low.min() - 1 < log10(curve.deadline_h) < high.max() + 1
        if is_near:
            ends.append(log10(curve.deadline_h or 1.0))
        marks = hour_marks(10 ** min(ends), 10 ** max(ends))
        base = log10(marks[0])
        self._heights, self.stops = (hours - base).tolist(), x.tolist()
        item.plot(x, ideal - base, pen=self._dashed(self.colours.muted, Qt.PenStyle.DotLine))
        self.draw_curve(x, hours - base, (low - base, high - base), curve.colour)
        names = [
            EdgeName(
                self._heights[-1],
                curve.gpu_model,
                tr("{hours} h", hours=self._says_hours(curve.points[-1].hours)),
            )
        ]
        if is_near and curve.deadline_h is not None:
            height = log10(curve.deadline_h) - base
            names.append(EdgeName(height, tr("Deadline")))
            pen = self._dashed(self.colours.text, Qt.PenStyle.DashLine)
            item.plot([-0.5, len(x) - 0.5], [height] * 2, pen=pen)
        if curve.knee is not None:
            self.write_at(float(curve.knee), self._heights[curve.knee], tr("knee"), (0.5, 1.3))
        self.ring = self.draw_rings([], [])
        self.show_chosen(curve.chosen)
        self.names_axis.show_names(names)
        ticks = [(float(at), f"{point.gpus:,}") for at, point in enumerate(curve.points)]
        heights = [(log10(mark) - base, self._says_hours(mark)) for mark in marks]
        self.finish(ticks, heights, (-0.5, len(x) - 0.5), heights[-1][0])

    def show_chosen(self, at: int | None) -> None:
        """A ring around another point; None: around none."""
        self.ring.setData(*(([], []) if at is None else ([float(at)], [self._heights[at]])))

    @staticmethod
    def _dashed(colour: str, style: Qt.PenStyle) -> Any:
        return pg.mkPen(QColor(colour), width=1, style=style)

    def _tip(self, x: float, y: float) -> str:
        """x: place of a point. Hours with their band, and $."""
        curve, at = self.curve, round(x)
        if curve is None or not 0 <= at < len(curve.points):
            return ""
        point = curve.points[at]
        rows = [
            (curve.colour, tr("Hours"), self._says_hours(point.hours)),
            ("", tr("P10 to P90"), f"{self._says_hours(point.low)} \u2013 {self._says_hours(point.high)}"),
            ("", tr(titles.COST), self._says_usd(point.usd)),
        ]
        if at == curve.knee:
            rows.append(("", tr("Knee"), tr("more GPUs save less and less")))
        return tip_table(f"{point.gpus:,} \u00d7 {curve.gpu_model}", rows, None)


def hour_marks(low: float, high: float) -> list[float]:
    """Hours that the axis names, from one at or below the least to one at or above the most.

    >>> hour_marks(31.0, 400.0)
    [30, 100, 300, 1000]
    """
    tens = range(floor(log10(low)), ceil(log10(high)) + 1)
    marks = [step * 10**ten for ten in tens for step in STEPS]
    first = max(at for at, mark in enumerate(marks) if mark <= low)
    last = min(at for at, mark in enumerate(marks) if mark >= high)
    return marks[first : max(last, first + 1) + 1]
