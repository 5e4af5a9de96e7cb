"""A map of the world: land, graticule, cities sized by their users, sites, and lines from each city to its site."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFont,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QPolygonF,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QToolTip, QWidget

from gpuplanner.charts.said import spoken
from gpuplanner.domain.model.worded import worded

WEST, EAST, SOUTH, NORTH = -170.0, 190.0, -57.0, 78.0
"""What is seen at first: all places where people are; the seam lies in the Bering Strait."""

FARTHEST_IN: Final = 8.0
ZOOM_STEP: Final = 1.5
LARGEST_CITY_PX: Final = 9.0
SMALLEST_CITY_PX: Final = 2.5
SITE_PX: Final = 4.5
MOST_NAMES: Final = 40
NEAR_PX: Final = 10.0
GRATICULE_DEGREES: Final = 30

HELP: Final = worded(
    "Point at a city or a site for its figures. Click or arrows choose a city; + and -, Ctrl and the wheel or a "
    "double click zoom; drag to move; 0 shows the world."
)

Coasts = Sequence[tuple[str, Sequence[tuple[float, float]]]]
"""land or water, and the corners of a closed line as (longitude, latitude)."""


@dataclass(frozen=True, slots=True)
class MapColours:
    """What the map is drawn with."""

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
    """A site: one of the shown set is filled and named, another is an empty square."""

    name: str
    latitude: float
    longitude: float
    is_used: bool
    tip: str


class WorldMap(QWidget):
    """Told what to draw; a click or the arrow keys choose a city, the wheel zooms, dragging moves."""

    city_chosen = Signal(str)  # key

    def __init__(self, name: str, colours: MapColours, coasts: Coasts, parent: QWidget | None = None) -> None:
        self._colours = colours
        self._cities: tuple[MapCity, ...] = ()
        self._sites: tuple[MapSite, ...] = ()
        self._chosen = ""
        self._zoom = 1.0
        self._centre = QPointF((WEST + EAST) / 2, (SOUTH + NORTH) / 2)  # degrees
        self._pressed: QPointF | None = None
        self._has_dragged = False
        super().__init__(parent)
        self._land = _path(coasts, "land")
        self._water = _path(coasts, "water")
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setToolTip(spoken(HELP))
        self.setMinimumHeight(120)

    def show_places(self, cities: Sequence[MapCity], sites: Sequence[MapSite]) -> None:
        """Draw these; cities with most users first."""
        self._cities, self._sites = tuple(cities), tuple(sites)
        if self._chosen and all(city.key != self._chosen for city in cities):
            self._chosen = ""
        self._say_chosen()
        self.update()

    def show_colours(self, colours: MapColours) -> None:
        """Other colours from now on."""
        self._colours = colours
        self.update()

    def choose(self, key: str) -> None:
        """Ring one city; nothing is emitted."""
        if key != self._chosen:
            self._chosen = key
            self._say_chosen()
            self.update()

    @property
    def chosen(self) -> str:
        """The key of the ringed city; empty without one."""
        return self._chosen

    @property
    def zoom(self) -> float:
        """1 shows the world, 8 is nearest."""
        return self._zoom

    def zoom_by(self, factor: float, at: QPointF | None = None) -> None:
        """Nearer or farther; the place under `at` (pixels, else the middle) stays where it is."""
        at = QPointF(self.rect().center()) if at is None else at
        before = self._degrees_at(at)
        self._zoom = min(FARTHEST_IN, max(1.0, self._zoom * factor))
        after = self._degrees_at(at)
        self._move_to(self._centre + before - after)

    def show_world(self) -> None:
        """As at first."""
        self._zoom = 1.0
        self._move_to(QPointF((WEST + EAST) / 2, (SOUTH + NORTH) / 2))

    def point_of(self, longitude: float, latitude: float) -> QPointF:
        """Where a place stands in the widget."""
        east = longitude if longitude >= WEST else longitude + 360
        scale = self._scale()
        middle = QRectF(self.rect()).center()
        return QPointF(
            middle.x() + (east - self._centre.x()) * scale, middle.y() - (latitude - self._centre.y()) * scale
        )

    def sizeHint(self) -> QSize:
        return QSize(404, self.heightForWidth(404))

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return round(width * (NORTH - SOUTH) / (EAST - WEST))

    # Where things are

    def _scale(self) -> float:
        """Pixels a degree: all of the world is seen at zoom 1."""
        fit = min(self.width() / (EAST - WEST), self.height() / (NORTH - SOUTH))
        return max(fit, 1e-6) * self._zoom

    def _degrees_at(self, at: QPointF) -> QPointF:
        middle, scale = QRectF(self.rect()).center(), self._scale()
        return QPointF(
            self._centre.x() + (at.x() - middle.x()) / scale, self._centre.y() - (at.y() - middle.y()) / scale
        )

    def _move_to(self, centre: QPointF) -> None:
        """Look at another place; never past the edge of the world."""
        half_width, half_height = self.width() / 2 / self._scale(), self.height() / 2 / self._scale()
        self._centre = QPointF(
            _between(centre.x(), WEST + half_width, EAST - half_width),
            _between(centre.y(), SOUTH + half_height, NORTH - half_height),
        )
        self.update()

    def _radius(self, city: MapCity) -> float:
        """The area of a circle is in proportion to the users."""
        return max(SMALLEST_CITY_PX, LARGEST_CITY_PX * float(city.size) ** 0.5)

    def _city_at(self, at: QPointF) -> MapCity | None:
        found = [
            (distance, city)
            for city in self._cities
            if (distance := _distance(at, self.point_of(city.longitude, city.latitude)))
            <= max(NEAR_PX, self._radius(city))
        ]
        return min(found, key=lambda pair: pair[0])[1] if found else None

    def _site_at(self, at: QPointF) -> MapSite | None:
        near = (
            site
            for site in self._sites
            if _distance(at, self.point_of(site.longitude, site.latitude)) <= SITE_PX + 3
        )
        return next(near, None)

    def _say_chosen(self) -> None:
        tip = next((city.tip for city in self._cities if city.key == self._chosen), "")
        self.setAccessibleDescription(tip.replace("\n", ", "))

    # Drawing

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colours = self._colours
        painter.fillRect(self.rect(), QColor(colours.sea))
        self._draw_world(painter)
        for city in reversed(self._cities):
            self._draw_way(painter, city)
        for city in reversed(self._cities):
            self._draw_city(painter, city)
        for site in sorted(self._sites, key=lambda site: site.is_used):
            self._draw_site(painter, site)
        self._draw_names(painter)
        if self.hasFocus():
            painter.setPen(QPen(QColor(colours.focus), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 4, 4)

    def _draw_world(self, painter: QPainter) -> None:
        colours, scale = self._colours, self._scale()
        middle = QRectF(self.rect()).center()
        painter.save()
        painter.translate(middle.x() - self._centre.x() * scale, middle.y() + self._centre.y() * scale)
        painter.scale(scale, -scale)
        pen = QPen(QColor(colours.line), 1)
        pen.setCosmetic(True)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours.land))
        painter.drawPath(self._land)
        painter.setBrush(QColor(colours.sea))
        painter.drawPath(self._water)
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
        site = self._sites[city.site]
        pen = QPen(QColor(getattr(self._colours, city.way)), 1.7 if city.way == "over" else 1.2)
        if city.way == "over":
            pen.setDashPattern([4, 2.5])
        if city.key == self._chosen:
            pen.setWidthF(2.6)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        west, east = (place if place >= WEST else place + 360 for place in (city.longitude, site.longitude))
        round_globe = 360.0 if east - west < -180 else -360.0 if east - west > 180 else 0.0
        for shift in {0.0, round_globe}:
            here = self._point_east(west - shift, city.latitude)
            there = self._point_east(east + round_globe - shift, site.latitude)
            painter.drawLine(here, there)

    def _point_east(self, east: float, latitude: float) -> QPointF:
        at = self.point_of(0.0, latitude)
        return QPointF(at.x() + east * self._scale(), at.y())

    def _draw_city(self, painter: QPainter, city: MapCity) -> None:
        at, radius = self.point_of(city.longitude, city.latitude), self._radius(city)
        colour = QColor(getattr(self._colours, city.way) if city.way else self._colours.over)
        fill = QColor(colour)
        fill.setAlphaF(0.85 if city.is_top else 0.0)
        painter.setPen(QPen(QColor(self._colours.sea) if city.is_top else colour, 1.2))
        painter.setBrush(fill)
        painter.drawEllipse(at, radius, radius)
        if not city.way:  # served from nowhere: a cross, not only a colour
            arm = radius + 1.5
            painter.setPen(QPen(colour, 1.6))
            painter.drawLine(at + QPointF(-arm, -arm), at + QPointF(arm, arm))
            painter.drawLine(at + QPointF(-arm, arm), at + QPointF(arm, -arm))
        if city.key == self._chosen:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(self._colours.focus), 2))
            painter.drawEllipse(at, radius + 3, radius + 3)

    def _draw_site(self, painter: QPainter, site: MapSite) -> None:
        at, colours = self.point_of(site.longitude, site.latitude), self._colours
        size = SITE_PX + 0.5 if site.is_used else SITE_PX - 1
        square = QPolygonF(
            [at + QPointF(0, -size), at + QPointF(size, 0), at + QPointF(0, size), at + QPointF(-size, 0)]
        )
        painter.setPen(QPen(QColor(colours.sea if site.is_used else colours.edge), 1.4))
        painter.setBrush(QColor(colours.text if site.is_used else colours.sea))
        painter.drawPolygon(square)

    def _draw_names(self, painter: QPainter) -> None:
        """Sites of the set first, then the largest cities, each where it covers no other name or mark."""
        taken = [_box(self.point_of(site.longitude, site.latitude), SITE_PX) for site in self._sites]
        taken += [
            _box(self.point_of(city.longitude, city.latitude), self._radius(city) * 0.7)
            for city in self._cities[:MOST_NAMES]
            if city.is_top
        ]
        names = [(site, self._colours.strong, SITE_PX) for site in self._sites if site.is_used]
        names += [  # type: ignore[misc]
            (city, self._colours.small, self._radius(city))
            for city in self._cities[:MOST_NAMES]
            if city.is_top
        ]
        for place, step, clear in names:
            spot = self._spot_for(
                place.name, step, self.point_of(place.longitude, place.latitude), clear, taken
            )
            if spot is None:
                continue
            taken.append(spot)
            ink = self._colours.text if isinstance(place, MapSite) else self._colours.muted
            _draw_haloed(painter, spot, place.name, step, ink, self._colours.sea)

    def _spot_for(
        self, name: str, step: QFont, at: QPointF, clear: float, taken: Sequence[QRectF]
    ) -> QRectF | None:
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
            inside = QRectF(self.rect()).adjusted(2, 1, -2, -1).contains(spot)
            if inside and not any(spot.adjusted(1, 3, -1, -3).intersects(other) for other in taken):
                return spot
        return None

    # Mouse and keyboard

    def wheelEvent(self, event: QWheelEvent) -> None:
        """With Ctrl the wheel zooms; alone it scrolls what the map stands in."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            steps = event.angleDelta().y() / 120
            self.zoom_by(ZOOM_STEP**steps, event.position())
            event.accept()
        else:
            event.ignore()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pressed, self._has_dragged = event.position(), False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = event.position()
        if self._pressed is not None and event.buttons() & Qt.MouseButton.LeftButton:
            moved = at - self._pressed
            if self._has_dragged or moved.manhattanLength() > 4:
                self._has_dragged = True
                self._move_to(self._centre + QPointF(-moved.x(), moved.y()) / self._scale())
                self._pressed = at
            return
        place = self._site_at(at) or self._city_at(at)
        shape = (
            Qt.CursorShape.PointingHandCursor if isinstance(place, MapCity) else Qt.CursorShape.ArrowCursor
        )
        self.setCursor(shape)
        self.setToolTip(spoken(HELP) if place is None else "")
        if place is not None:
            QToolTip.showText(event.globalPosition().toPoint(), place.tip, self)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        city = None if self._has_dragged else self._city_at(event.position())
        self._pressed = None
        if city is not None:
            self._choose(city)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.zoom_by(ZOOM_STEP**2, event.position())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows go from city to city by users, + and - zoom, 0 shows the world."""
        key, text = event.key(), event.text()
        step = {Qt.Key.Key_Right: 1, Qt.Key.Key_Down: 1, Qt.Key.Key_Left: -1, Qt.Key.Key_Up: -1}.get(
            Qt.Key(key), 0
        )
        if step and self._cities:
            at = next((at for at, city in enumerate(self._cities) if city.key == self._chosen), None)
            self._choose(self._cities[0 if at is None else (at + step) % len(self._cities)])
        elif text in ("+", "="):
            self.zoom_by(ZOOM_STEP)
        elif text == "-":
            self.zoom_by(1 / ZOOM_STEP)
        elif text == "0":
            self.show_world()
        else:
            super().keyPressEvent(event)

    def _choose(self, city: MapCity) -> None:
        self.choose(city.key)
        self.city_chosen.emit(city.key)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._move_to(self._centre)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._pressed = None


def _path(coasts: Coasts, kind: str) -> QPainterPath:
    """Closed lines in degrees, once where they are and once a turn to the east: the view begins at 170 west."""
    path = QPainterPath()
    for one, corners in coasts:
        if one == kind:
            for turn in (0.0, 360.0):
                path.addPolygon(QPolygonF([QPointF(east + turn, north) for east, north in corners]))
                path.closeSubpath()
    path.setFillRule(Qt.FillRule.WindingFill)
    return path


def _between(value: float, low: float, high: float) -> float:
    """The middle of the bounds where they have crossed: then all of it is seen."""
    return (low + high) / 2 if low > high else min(high, max(low, value))


def _distance(one: QPointF, other: QPointF) -> float:
    across = one - other
    return float((across.x() ** 2 + across.y() ** 2) ** 0.5)


def _box(at: QPointF, half: float) -> QRectF:
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
