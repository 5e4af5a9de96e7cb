"""A map of the world: cities sized by their users, sites, lines between them, its legend; which part of it is shown."""

from collections.abc import Mapping, Sequence
from typing import Final

from PySide6 import QtGui
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtWidgets import QSizePolicy, QWidget

from gpuplanner.charts.kit.plain_text import set_tip, show_tip_at, spoken, tr
from gpuplanner.domain.message import worded
from gpuplanner.files.system.resources import words_table
from gpuplanner.lazy_dataclass import dataclass

# --- What a map of the world shows: cities, sites, and the colours they are drawn in -------------

Coasts = Sequence[tuple[str, Sequence[tuple[float, float]]]]
"""land or water, and the corners of a closed line as (longitude, latitude)."""


@dataclass(frozen=True, slots=True, kw_only=True)
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
    small: QtGui.QFont
    strong: QtGui.QFont


@dataclass(frozen=True, slots=True, kw_only=True)
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


@dataclass(frozen=True, slots=True, kw_only=True)
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
        pen = _way_pen(self.colours, city.way)
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


# --- A map of the world: land, graticule, cities sized by their users, sites, and lines from each city to its site

ZOOM_STEP: Final = 1.5
NEAR_PX: Final = 10.0
HELP: Final = worded("Point at a city or site for figures; click to choose. Zoom: +, -; move: drag; world: 0")


class WorldMap(QWidget):
    """Told what to draw; a click or the arrow keys choose a city, the wheel zooms, dragging moves."""

    city_chosen = Signal(str)  # key

    def __init__(self, name: str, colours: MapColours, coasts: Coasts) -> None:
        """coasts: land and water, drawn once into paths."""
        self._colours = colours
        self._cities: tuple[MapCity, ...] = ()
        self._sites: tuple[MapSite, ...] = ()
        self.chosen = ""  # the key of the ringed city; empty without one
        self.zoom = 1.0  # 1 shows the world, 8 is nearest
        self._centre = QPointF((WEST + EAST) / 2, (SOUTH + NORTH) / 2)  # degrees
        self._pressed: QPointF | None = None
        self._has_dragged = False
        super().__init__()
        self._land = path_of(coasts, "land")
        self._water = path_of(coasts, "water")
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        set_tip(self, spoken(HELP))
        self.setMinimumHeight(120)

    def show_places(self, cities: Sequence[MapCity], sites: Sequence[MapSite]) -> None:
        """Draw these; cities with most users first.

        The ringed city stays where it is still there.
        """
        self._cities, self._sites = tuple(cities), tuple(sites)
        if self.chosen and all(city.key != self.chosen for city in cities):
            self.chosen = ""
        self._say_chosen()
        self.update()

    def show_colours(self, colours: MapColours) -> None:
        """Other colours from now on."""
        self._colours = colours
        self.update()

    def choose(self, key: str) -> None:
        """Ring one city; nothing is emitted.

        key: of a city; empty for none.
        """
        if key != self.chosen:
            self.chosen = key
            self._say_chosen()
            self.update()

    def zoom_by(self, factor: float, at: QPointF | None = None) -> None:
        """Nearer or farther; the place under `at` (pixels, else the middle) stays where it is.

        factor: over 1 comes nearer; within 1 to FARTHEST_IN.
        """
        at = QPointF(self.rect().center()) if at is None else at
        before = self._view.degrees_at(at)
        self.zoom = min(FARTHEST_IN, max(1.0, self.zoom * factor))
        self._move_to(self._centre + before - self._view.degrees_at(at))

    def show_world(self) -> None:
        """As at first."""
        self.zoom = 1.0
        self._move_to(QPointF((WEST + EAST) / 2, (SOUTH + NORTH) / 2))

    def point_of(self, longitude: float, latitude: float) -> QPointF:
        """Where a place stands in the widget.

        Degrees, north and east positive.
        """
        return self._view.point_of(longitude, latitude)

    def sizeHint(self) -> QSize:
        return QSize(404, self.heightForWidth(404))

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return round(width * (NORTH - SOUTH) / (EAST - WEST))

    # Where things are

    @property
    def _view(self) -> MapView:
        return MapView(self.width(), self.height(), self._centre, self.zoom)

    def _move_to(self, centre: QPointF) -> None:
        """Look at another place; never past the edge of the world."""
        self._centre = self._view.centre_within(centre)
        self.update()

    def _city_at(self, at: QPointF) -> MapCity | None:
        """The nearest that the point lies in, or near."""
        view = self._view
        found = [
            (distance, city)
            for city in self._cities
            if (distance := _distance(at, view.point_of(city.longitude, city.latitude)))
            <= max(NEAR_PX, radius_px(city))
        ]
        return min(found, key=lambda pair: pair[0])[1] if found else None

    def _say_chosen(self) -> None:
        """What is said of the ringed city, to a screen reader."""
        tip = next((city.tip for city in self._cities if city.key == self.chosen), "")
        self.setAccessibleDescription(tip.replace("\n", ", "))

    # Drawing

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        painter = QtGui.QPainter(self)
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        colours = self._colours
        painter.fillRect(self.rect(), QtGui.QColor(colours.sea))
        MapDrawing(
            view=self._view,
            colours=colours,
            land=self._land,
            water=self._water,
            cities=self._cities,
            sites=self._sites,
            chosen=self.chosen,
        ).draw(painter)
        if self.hasFocus():
            painter.setPen(QtGui.QPen(QtGui.QColor(colours.focus), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 4, 4)

    # Mouse and keyboard

    def wheelEvent(self, event: QtGui.QWheelEvent) -> None:
        """With Ctrl the wheel zooms; alone it scrolls what the map stands in."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom_by(ZOOM_STEP ** (event.angleDelta().y() / 120), event.position())
            event.accept()
        else:
            event.ignore()

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        self._pressed, self._has_dragged = event.position(), False

    def mouseMoveEvent(self, event: QtGui.QMouseEvent) -> None:
        """Dragging moves the map from a few pixels on; else what is under the cursor is said."""
        at = event.position()
        if self._pressed is not None and event.buttons() & Qt.MouseButton.LeftButton:
            moved = at - self._pressed
            if self._has_dragged or moved.manhattanLength() > 4:
                self._has_dragged = True
                self._move_to(self._centre + QPointF(-moved.x(), moved.y()) / self._view.scale)
                self._pressed = at
            return
        # The first whose mark the point lies on
        near = (
            site
            for site in self._sites
            if _distance(at, self.point_of(site.longitude, site.latitude)) <= SITE_PX + 3
        )
        place = next(near, None) or self._city_at(at)
        shape = (
            Qt.CursorShape.PointingHandCursor if isinstance(place, MapCity) else Qt.CursorShape.ArrowCursor
        )
        self.setCursor(shape)
        set_tip(self, spoken(HELP) if place is None else "")
        if place is not None:
            show_tip_at(event.globalPosition().toPoint(), place.tip, self)

    def mouseReleaseEvent(self, event: QtGui.QMouseEvent) -> None:
        city = None if self._has_dragged else self._city_at(event.position())
        self._pressed = None
        if city is not None:
            self._choose(city)

    def mouseDoubleClickEvent(self, event: QtGui.QMouseEvent) -> None:
        self.zoom_by(ZOOM_STEP**2, event.position())

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        """Arrows go from city to city by users, + and - zoom, 0 shows the world."""
        key, text = event.key(), event.text()
        step = {Qt.Key.Key_Right: 1, Qt.Key.Key_Down: 1, Qt.Key.Key_Left: -1, Qt.Key.Key_Up: -1}.get(
            Qt.Key(key), 0
        )
        if step and self._cities:
            at = next((at for at, city in enumerate(self._cities) if city.key == self.chosen), None)
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
        """Ring a city; `city_chosen` tells."""
        self.choose(city.key)
        self.city_chosen.emit(city.key)

    def focusInEvent(self, event: QtGui.QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        super().resizeEvent(event)
        self._move_to(self._centre)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._pressed = None


_WAYS: Final[Mapping[str, tuple[float, list[float]]]] = {
    "near": (1.2, [1, 2]),
    "far": (1.5, []),
    "over": (1.7, [4, 2.5]),
}
"""How a way is drawn: pixels, and its dashes, which tell it from the others in one colour too."""


def _way_pen(colours: MapColours, passage: str) -> QtGui.QPen:
    """What draws a line of a passage: near, far or over."""
    width, dashes = _WAYS[passage]
    pen = QtGui.QPen(QtGui.QColor(getattr(colours, passage)), width)
    if dashes:
        pen.setDashPattern(dashes)
    return pen


def _distance(point: QPointF, other: QPointF) -> float:
    """In pixels."""
    across = point - other
    return float((across.x() ** 2 + across.y() ** 2) ** 0.5)


# --- The legend of the map: samples of its lines and marks with their words, in as many lines as they need

SAMPLES: Final = tuple(words_table("map_sample").items())
SAMPLE_PX: Final = 20.0
GAP_PX: Final = 14.0


class MapLegend(QWidget):
    """Told its colours; whether some city is served from nowhere decides if that is explained."""

    def __init__(self, colours: MapColours) -> None:
        """Until it is told otherwise nobody is served from nowhere."""
        self._colours = colours
        self._samples = SAMPLES[:-1]
        super().__init__()
        self.setAccessibleName(
            tr("Map legend: {words}", words=", ".join(spoken(words) for _, words in SAMPLES))
        )
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_colours(self, colours: MapColours) -> None:
        """Other colours from now on."""
        self._colours = colours
        self.update()

    def show_unserved(self, has_unserved: bool) -> None:
        """Whether a city is served from nowhere."""
        self._samples = SAMPLES if has_unserved else SAMPLES[:-1]
        self.updateGeometry()
        self.update()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return round(self._line_height() * (1 + max(row for _, row in self._spots(width))))

    def sizeHint(self) -> QSize:
        return QSize(404, self.heightForWidth(404))

    def _line_height(self) -> float:
        return QtGui.QFontMetricsF(self._colours.small).height() + 3

    def _spots(self, width: float) -> list[tuple[float, int]]:
        """Left edge and line of each sample."""
        metrics, left, row, spots = QtGui.QFontMetricsF(self._colours.small), 0.0, 0, []
        for _, words in self._samples:
            wide = SAMPLE_PX + 4 + metrics.horizontalAdvance(spoken(words))
            if left and left + wide > width:
                left, row = 0.0, row + 1
            spots.append((left, row))
            left += wide + GAP_PX
        return spots

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        painter = QtGui.QPainter(self)
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        height = self._line_height()
        for (kind, words), (left, row) in zip(self._samples, self._spots(self.width()), strict=True):
            self._draw_sample(painter, kind, left, row * height + height / 2)
            painter.setPen(QtGui.QColor(self._colours.muted))
            painter.setFont(self._colours.small)
            place = QRectF(left + SAMPLE_PX + 4, row * height, self.width(), height)
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, spoken(words))

    def _draw_sample(self, painter: QtGui.QPainter, kind: str, left: float, middle: float) -> None:
        """As the map draws the same."""
        colours, centre = self._colours, QPointF(left + SAMPLE_PX / 2, middle)
        if kind in ("near", "far", "over"):
            painter.setPen(_way_pen(colours, kind))
            painter.drawLine(QPointF(left, middle), QPointF(left + SAMPLE_PX, middle))
        elif kind in ("site", "other_site"):
            half = 4.5 if kind == "site" else 3.5
            painter.setPen(QtGui.QPen(QtGui.QColor(colours.edge), 1.2))
            painter.setBrush(QtGui.QColor(colours.text if kind == "site" else colours.sea))
            painter.drawPolygon(
                QtGui.QPolygonF(
                    [centre + QPointF(*corner) for corner in ((0, -half), (half, 0), (0, half), (-half, 0))]
                )
            )
        elif kind == "none":
            painter.setPen(QtGui.QPen(QtGui.QColor(colours.over), 1.6))
            painter.drawLine(centre + QPointF(-4, -4), centre + QPointF(4, 4))
            painter.drawLine(centre + QPointF(-4, 4), centre + QPointF(4, -4))
        else:
            painter.setPen(QtGui.QPen(QtGui.QColor(colours.muted), 1.2))
            painter.setBrush(QtGui.QColor(colours.muted) if kind == "top" else QtGui.QColor(colours.sea))
            painter.drawEllipse(centre, 4, 4)
