"""Drawing of a map of the world: land, graticule, routes, cities, sites and names."""

from collections.abc import Mapping, Sequence
from typing import Final

from PySide6 import QtGui
from PySide6.QtCore import QPointF, QRectF, Qt

from gpuplanner.charts.plots.map_places import Coasts, MapCity, MapColours, MapSite
from gpuplanner.charts.plots.map_view import EAST, WEST, MapView
from gpuplanner.lazy_dataclass import dataclass

LARGEST_CITY_PX: Final = 9.0
SMALLEST_CITY_PX: Final = 2.5
SITE_PX: Final = 4.5
MOST_NAMES: Final = 40
GRATICULE_DEGREES: Final = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class MapDrawing:
    """What is seen now; cities with most users first; chosen: the key of the ringed city."""

    view: MapView
    colours: MapColours
    land: QtGui.QPainterPath
    water: QtGui.QPainterPath
    cities: tuple[MapCity, ...]
    sites: tuple[MapSite, ...]
    chosen: str

    def draw(self, painter: QtGui.QPainter) -> None:
        """The largest cities over the others, sites of the set over all."""
        painter.save()
        painter.setClipRect(self.world)  # a way over the seam ends at the edge, not in the margin beside it
        self._draw_world(painter)
        for city in reversed(self.cities):
            self._draw_way(painter, city)
        painter.restore()
        for city in reversed(self.cities):
            # Filled where it is of the top 80%, a ring else; a cross where it is served from nowhere
            at, radius = self.view.point_of(city.longitude, city.latitude), radius_px(city)
            colour = QtGui.QColor(getattr(self.colours, city.way) if city.way else self.colours.over)
            fill = QtGui.QColor(colour)
            fill.setAlphaF(0.85 if city.is_top else 0.0)
            painter.setPen(QtGui.QPen(QtGui.QColor(self.colours.sea) if city.is_top else colour, 1.2))
            painter.setBrush(fill)
            painter.drawEllipse(at, radius, radius)
            if not city.way:  # served from nowhere: a cross, not only a colour
                arm = radius + 1.5
                painter.setPen(QtGui.QPen(colour, 1.6))
                painter.drawLine(at + QPointF(-arm, -arm), at + QPointF(arm, arm))
                painter.drawLine(at + QPointF(-arm, arm), at + QPointF(arm, -arm))
            if city.key == self.chosen:
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QtGui.QPen(QtGui.QColor(self.colours.focus), 2))
                painter.drawEllipse(at, radius + 3, radius + 3)
        for site in sorted(self.sites, key=lambda site: site.is_used):
            self._draw_site(painter, site)
        self._draw_names(painter)

    @property
    def world(self) -> QRectF:
        """The world from seam to seam, in pixels of the widget: a wide widget has a margin at both sides."""
        west, east = (self.view.point_east(degrees, 0.0).x() for degrees in (WEST, EAST))
        return QRectF(west, 0.0, east - west, float(self.view.height_px))

    def _draw_world(self, painter: QtGui.QPainter) -> None:
        """Land, water on it, graticule; in degrees, put into pixels by the painter."""
        colours, scale = self.colours, self.view.scale
        middle = self.view.middle
        painter.save()
        painter.translate(
            middle.x() - self.view.centre.x() * scale, middle.y() + self.view.centre.y() * scale
        )
        painter.scale(scale, -scale)
        pen = QtGui.QPen(QtGui.QColor(colours.line), 1)
        pen.setCosmetic(True)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QtGui.QColor(colours.land))
        painter.drawPath(self.land)
        painter.setBrush(QtGui.QColor(colours.sea))
        painter.drawPath(self.water)
        painter.setPen(pen)
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing, False)
        for degrees in range(-180, 361, GRATICULE_DEGREES):
            painter.drawLine(QPointF(degrees, -90), QPointF(degrees, 90))
        for degrees in range(-90, 91, GRATICULE_DEGREES):
            painter.drawLine(QPointF(-180, degrees), QPointF(360, degrees))
        painter.restore()

    def _draw_way(self, painter: QtGui.QPainter, city: MapCity) -> None:
        """A line the short way round the globe; over the seam it leaves at one edge and comes in at the other."""
        if city.site is None:
            return
        site = self.sites[city.site]
        pen = way_pen(self.colours, city.way)
        if city.key == self.chosen:
            pen.setWidthF(2.6)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        west, east = (place if place >= WEST else place + 360 for place in (city.longitude, site.longitude))
        if east - west < -180:
            round_globe = 360.0
        elif east - west > 180:
            round_globe = -360.0
        else:
            round_globe = 0.0
        for shift in {0.0, round_globe}:
            here = self.view.point_east(west - shift, city.latitude)
            painter.drawLine(here, self.view.point_east(east + round_globe - shift, site.latitude))

    def _draw_site(self, painter: QtGui.QPainter, site: MapSite) -> None:
        """A diamond, filled where the shown set has the site."""
        at, colours = self.view.point_of(site.longitude, site.latitude), self.colours
        size = SITE_PX + 0.5 if site.is_used else SITE_PX - 1
        square = QtGui.QPolygonF(
            [at + QPointF(0, -size), at + QPointF(size, 0), at + QPointF(0, size), at + QPointF(-size, 0)]
        )
        painter.setPen(QtGui.QPen(QtGui.QColor(colours.sea if site.is_used else colours.edge), 1.4))
        painter.setBrush(QtGui.QColor(colours.text if site.is_used else colours.sea))
        painter.drawPolygon(square)

    def _draw_names(self, painter: QtGui.QPainter) -> None:
        """Sites of the set first, then the largest cities, each where it covers no other name or mark."""
        taken = [_box(self.view.point_of(site.longitude, site.latitude), SITE_PX) for site in self.sites]
        taken += [
            _box(self.view.point_of(city.longitude, city.latitude), radius_px(city) * 0.7)
            for city in self.cities[:MOST_NAMES]
            if city.is_top
        ]
        names: list[tuple[MapSite | MapCity, QtGui.QFont, float]] = [
            (site, self.colours.strong, SITE_PX) for site in self.sites if site.is_used
        ]
        names += [
            (city, self.colours.small, radius_px(city)) for city in self.cities[:MOST_NAMES] if city.is_top
        ]
        for place, step, clear in names:
            spot = self._spot_for(
                place.name, step, self.view.point_of(place.longitude, place.latitude), clear, taken
            )
            if spot is None:
                continue
            taken.append(spot)
            ink = self.colours.text if isinstance(place, MapSite) else self.colours.muted
            ground = QtGui.QColor(self.colours.land)
            ground.setAlphaF(0.9)
            painter.fillRect(spot.adjusted(0, 1, 0, -1), ground)  # no way strikes a name through
            _draw_haloed(painter, spot, place.name, step, ink, self.colours.sea)

    def _spot_for(
        self, name: str, step: QtGui.QFont, at: QPointF, clear: float, taken: Sequence[QRectF]
    ) -> QRectF | None:
        """Beside, before, under or over a mark; None where each place is taken or outside. clear: pixels of
        the mark.
        """
        metrics = QtGui.QFontMetricsF(step)
        width, height = metrics.horizontalAdvance(name) + 2, metrics.height()
        gap = clear + 2
        for left, top in (
            (at.x() + gap, at.y() - height / 2),
            (at.x() - gap - width, at.y() - height / 2),
            (at.x() - width / 2, at.y() + gap - 2),
            (at.x() - width / 2, at.y() - gap - height + 2),
        ):
            spot = QRectF(left, top, width, height)
            inside = (
                QRectF(0, 0, self.view.width_px, self.view.height_px).adjusted(2, 1, -2, -1).contains(spot)
            )
            if inside and not any(spot.adjusted(1, 3, -1, -3).intersects(other) for other in taken):
                return spot
        return None


def radius_px(city: MapCity) -> float:
    """The area of a circle is in proportion to the users.

    Units: pixels; the largest city has LARGEST_CITY_PX, none under SMALLEST_CITY_PX.
    """
    return max(SMALLEST_CITY_PX, LARGEST_CITY_PX * float(city.size**0.5))


def path_of(coasts: Coasts, kind: str) -> QtGui.QPainterPath:
    """Closed lines in degrees, once where they are and once a turn to the east: the view begins at 170 west.

    kind: land or water.
    """
    path = QtGui.QPainterPath()
    for one, corners in coasts:
        if one == kind:
            for turn in (0.0, 360.0):
                path.addPolygon(QtGui.QPolygonF([QPointF(east + turn, north) for east, north in corners]))
                path.closeSubpath()
    path.setFillRule(Qt.FillRule.WindingFill)
    return path


def _box(at: QPointF, half: float) -> QRectF:
    """A square around a point."""
    return QRectF(at.x() - half, at.y() - half, 2 * half, 2 * half)


HALO: Final = tuple((dx * 1.3, dy * 1.3) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy)


def _draw_haloed(
    painter: QtGui.QPainter, spot: QRectF, text: str, step: QtGui.QFont, ink: str, halo: str
) -> None:
    """Text that can be read over lines: a rim in the colour of the sea. (A stroked outline takes ten times as long.)"""
    align = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop
    place = spot.adjusted(1, 0, 4, 0)
    painter.setFont(step)
    painter.setPen(QtGui.QColor(halo))
    for dx, dy in HALO:
        painter.drawText(place.translated(dx, dy), align, text)
    painter.setPen(QtGui.QColor(ink))
    painter.drawText(place, align, text)


_WAYS: Final[Mapping[str, tuple[float, list[float]]]] = {
    "near": (1.2, [1, 2]),
    "far": (1.5, []),
    "over": (1.7, [4, 2.5]),
}
"""How a way is drawn: pixels, and its dashes, which tell it from the others in one colour too."""


def way_pen(colours: MapColours, passage: str) -> QtGui.QPen:
    """What draws a line of a passage: near, far or over."""
    width, dashes = _WAYS[passage]
    pen = QtGui.QPen(QtGui.QColor(getattr(colours, passage)), width)
    if dashes:
        pen.setDashPattern(dashes)
    return pen
