"""How a map of the world is drawn: land, ways, cities and sites, in the part of it that is shown."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen, QPolygonF

# --- What a map of the world shows: cities, sites, and the colours they are drawn in -------------

Coasts = Sequence[tuple[str, Sequence[tuple[float, float]]]]
"""land or water, and the corners of a closed line as (longitude, latitude)."""


@dataclass(frozen=True, slots=True)
class MapColours:
    """What the map is drawn with.

    Colours as #rrggbb. small, strong: fonts of cities and of sites.
    """

    sea: str
    land: str
    line: str
    text: str
    muted: str
    edge: str
    near: str  # a short way
    far: str  # a longer one
    over: str  # too long; dashed as well
    focus: str
    small: QFont
    strong: QFont


@dataclass(frozen=True, slots=True)
class MapCity:
    """A city: size is its users' share of the largest city's, 0..1; way: near, far, over, or none where it is unserved.

    site: place of its site in the list of sites, None without; is_top: filled, else a ring; tip: all of it in words.
    """

    key: str
    name: str
    latitude: float
    longitude: float
    size: float
    site: int | None
    way: str
    is_top: bool
    tip: str


@dataclass(frozen=True, slots=True)
class MapSite:
    """A site: one of the shown set is filled and named, another is an empty square.

    Units: degrees, north and east positive; tip: all of it in words.
    """

    name: str
    latitude: float
    longitude: float
    is_used: bool
    tip: str


# --- Which part of the world a map shows, and where in it a place stands -------------------------

WEST, EAST, SOUTH, NORTH = -170.0, 190.0, -57.0, 78.0
"""What is seen at first: all places where people are; the seam lies in the Bering Strait."""

FARTHEST_IN: Final = 8.0


@dataclass(frozen=True, slots=True)
class MapView:
    """A widget of so many pixels with a place in its middle; zoom: 1 shows the world, FARTHEST_IN is nearest."""

    width_px: int
    height_px: int
    centre: QPointF  # degrees
    zoom: float

    @property
    def scale(self) -> float:
        """Pixels a degree: all of the world is seen at zoom 1.

        As many in both directions: a plain cylindrical map.
        """
        fit = min(self.width_px / (EAST - WEST), self.height_px / (NORTH - SOUTH))
        return max(fit, 1e-6) * self.zoom

    @property
    def middle(self) -> QPointF:
        """The middle in pixels."""
        return QPointF(self.width_px / 2, self.height_px / 2)

    def point_of(self, longitude: float, latitude: float) -> QPointF:
        """Where a place stands in the widget.

        Degrees, north and east positive; west of the seam it stands at the right.
        """
        return self.point_east(longitude if longitude >= WEST else longitude + 360, latitude)

    def point_east(self, east: float, latitude: float) -> QPointF:
        """Where a place stands that may be more than a turn round the globe to the east or west.

        east: degrees on from 0, over 180 after the date line.
        """
        middle, scale = self.middle, self.scale
        return QPointF(
            middle.x() + (east - self.centre.x()) * scale, middle.y() - (latitude - self.centre.y()) * scale
        )

    def degrees_at(self, at: QPointF) -> QPointF:
        """Which place stands at a point of the widget.

        x: degrees east, which may be over 180; y: north. Law: `point_east` of it is the point.
        """
        middle, scale = self.middle, self.scale
        return QPointF(
            self.centre.x() + (at.x() - middle.x()) / scale, self.centre.y() - (at.y() - middle.y()) / scale
        )

    def centre_within(self, centre: QPointF) -> QPointF:
        """The place nearest to one that may be in the middle without a look past the edge of the world.

        Degrees; where all of the world is seen, its middle.
        """
        half_width, half_height = self.width_px / 2 / self.scale, self.height_px / 2 / self.scale
        return QPointF(
            _between(centre.x(), WEST + half_width, EAST - half_width),
            _between(centre.y(), SOUTH + half_height, NORTH - half_height),
        )


def _between(value: float, low: float, high: float) -> float:
    """The middle of the bounds where they have crossed: then all of it is seen."""
    return (low + high) / 2 if low > high else min(high, max(low, value))


# --- How a map of the world is drawn: land and graticule, ways, cities, sites, and the names that have room

LARGEST_CITY_PX: Final = 9.0
SMALLEST_CITY_PX: Final = 2.5
SITE_PX: Final = 4.5
MOST_NAMES: Final = 40
GRATICULE_DEGREES: Final = 30


@dataclass(frozen=True, slots=True)
class MapDrawing:
    """What is seen now; cities with most users first; chosen: the key of the ringed city."""

    view: MapView
    colours: MapColours
    land: QPainterPath
    water: QPainterPath
    cities: tuple[MapCity, ...]
    sites: tuple[MapSite, ...]
    chosen: str

    def draw(self, painter: QPainter) -> None:
        """The largest cities over the others, sites of the set over all."""
        painter.save()
        painter.setClipRect(self.world)  # a way over the seam ends at the edge, not in the margin beside it
        self._draw_world(painter)
        for city in reversed(self.cities):
            self._draw_way(painter, city)
        painter.restore()
        for city in reversed(self.cities):
            self._draw_city(painter, city)
        for site in sorted(self.sites, key=lambda site: site.is_used):
            self._draw_site(painter, site)
        self._draw_names(painter)

    @property
    def world(self) -> QRectF:
        """The world from seam to seam, in pixels of the widget: a wide widget has a margin at both sides."""
        west, east = (self.view.point_east(degrees, 0.0).x() for degrees in (WEST, EAST))
        return QRectF(west, 0.0, east - west, float(self.view.height_px))

    def _draw_world(self, painter: QPainter) -> None:
        """Land, water on it, graticule; in degrees, put into pixels by the painter."""
        colours, scale = self.colours, self.view.scale
        middle = self.view.middle
        painter.save()
        painter.translate(
            middle.x() - self.view.centre.x() * scale, middle.y() + self.view.centre.y() * scale
        )
        painter.scale(scale, -scale)
        pen = QPen(QColor(colours.line), 1)
        pen.setCosmetic(True)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours.land))
        painter.drawPath(self.land)
        painter.setBrush(QColor(colours.sea))
        painter.drawPath(self.water)
        painter.setPen(pen)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        for degrees in range(-180, 361, GRATICULE_DEGREES):
            painter.drawLine(QPointF(degrees, -90), QPointF(degrees, 90))
        for degrees in range(-90, 91, GRATICULE_DEGREES):
            painter.drawLine(QPointF(-180, degrees), QPointF(360, degrees))
        painter.restore()

    def _draw_way(self, painter: QPainter, city: MapCity) -> None:
        """A line the short way round the globe; over the seam it leaves at one edge and comes in at the other."""
        if city.site is None:
            return
        site = self.sites[city.site]
        pen = QPen(QColor(getattr(self.colours, city.way)), 1.7 if city.way == "over" else 1.2)
        if city.way == "over":
            pen.setDashPattern([4, 2.5])
        if city.key == self.chosen:
            pen.setWidthF(2.6)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        west, east = (place if place >= WEST else place + 360 for place in (city.longitude, site.longitude))
        round_globe = 360.0 if east - west < -180 else -360.0 if east - west > 180 else 0.0
        for shift in {0.0, round_globe}:
            here = self.view.point_east(west - shift, city.latitude)
            there = self.view.point_east(east + round_globe - shift, site.latitude)
            painter.drawLine(here, there)

    def _draw_city(self, painter: QPainter, city: MapCity) -> None:
        """Filled where it is of the top 80%, a ring else; a cross where it is served from nowhere."""
        at, radius = self.view.point_of(city.longitude, city.latitude), radius_px(city)
        colour = QColor(getattr(self.colours, city.way) if city.way else self.colours.over)
        fill = QColor(colour)
        fill.setAlphaF(0.85 if city.is_top else 0.0)
        painter.setPen(QPen(QColor(self.colours.sea) if city.is_top else colour, 1.2))
        painter.setBrush(fill)
        painter.drawEllipse(at, radius, radius)
        if not city.way:  # served from nowhere: a cross, not only a colour
            arm = radius + 1.5
            painter.setPen(QPen(colour, 1.6))
            painter.drawLine(at + QPointF(-arm, -arm), at + QPointF(arm, arm))
            painter.drawLine(at + QPointF(-arm, arm), at + QPointF(arm, -arm))
        if city.key == self.chosen:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(self.colours.focus), 2))
            painter.drawEllipse(at, radius + 3, radius + 3)

    def _draw_site(self, painter: QPainter, site: MapSite) -> None:
        """A diamond, filled where the shown set has the site."""
        at, colours = self.view.point_of(site.longitude, site.latitude), self.colours
        size = SITE_PX + 0.5 if site.is_used else SITE_PX - 1
        square = QPolygonF(
            [at + QPointF(0, -size), at + QPointF(size, 0), at + QPointF(0, size), at + QPointF(-size, 0)]
        )
        painter.setPen(QPen(QColor(colours.sea if site.is_used else colours.edge), 1.4))
        painter.setBrush(QColor(colours.text if site.is_used else colours.sea))
        painter.drawPolygon(square)

    def _draw_names(self, painter: QPainter) -> None:
        """Sites of the set first, then the largest cities, each where it covers no other name or mark."""
        taken = [_box(self.view.point_of(site.longitude, site.latitude), SITE_PX) for site in self.sites]
        taken += [
            _box(self.view.point_of(city.longitude, city.latitude), radius_px(city) * 0.7)
            for city in self.cities[:MOST_NAMES]
            if city.is_top
        ]
        names: list[tuple[MapSite | MapCity, QFont, float]] = [
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
            ground = QColor(self.colours.land)
            ground.setAlphaF(0.9)
            painter.fillRect(spot.adjusted(0, 1, 0, -1), ground)  # no way strikes a name through
            _draw_haloed(painter, spot, place.name, step, ink, self.colours.sea)

    def _spot_for(
        self, name: str, step: QFont, at: QPointF, clear: float, taken: Sequence[QRectF]
    ) -> QRectF | None:
        """Beside, before, under or over a mark; None where each place is taken or outside. clear: pixels of
        the mark.
        """
        metrics = QFontMetricsF(step)
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


def path_of(coasts: Coasts, kind: str) -> QPainterPath:
    """Closed lines in degrees, once where they are and once a turn to the east: the view begins at 170 west.

    kind: land or water.
    """
    path = QPainterPath()
    for one, corners in coasts:
        if one == kind:
            for turn in (0.0, 360.0):
                path.addPolygon(QPolygonF([QPointF(east + turn, north) for east, north in corners]))
                path.closeSubpath()
    path.setFillRule(Qt.FillRule.WindingFill)
    return path


def _box(at: QPointF, half: float) -> QRectF:
    """A square around a point."""
    return QRectF(at.x() - half, at.y() - half, 2 * half, 2 * half)


HALO: Final = tuple((dx * 1.3, dy * 1.3) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy)


def _draw_haloed(painter: QPainter, spot: QRectF, text: str, step: QFont, ink: str, halo: str) -> None:
    """Text that can be read over lines: a rim in the colour of the sea. (A stroked outline takes ten times as long.)"""
    align = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop
    place = spot.adjusted(1, 0, 4, 0)
    painter.setFont(step)
    painter.setPen(QColor(halo))
    for dx, dy in HALO:
        painter.drawText(place.translated(dx, dy), align, text)
    painter.setPen(QColor(ink))
    painter.drawText(place, align, text)
