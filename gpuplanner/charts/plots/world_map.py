"""A map of the world: cities sized by their users, sites, lines between them, and its legend."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from gpuplanner.charts.kit.plain_text import set_tip, show_tip_at, spoken, tr
from gpuplanner.charts.plots.map_drawing import (
    EAST,
    FARTHEST_IN,
    NORTH,
    SITE_PX,
    SOUTH,
    WEST,
    Coasts,
    MapCity,
    MapColours,
    MapDrawing,
    MapSite,
    MapView,
    path_of,
    radius_px,
)
from gpuplanner.domain.message import Message, worded

# --- A map of the world: land, graticule, cities sized by their users, sites, and lines from each city to its site

ZOOM_STEP: Final = 1.5
NEAR_PX: Final = 10.0
HELP: Final = worded(
    "Point at a city or a site for its figures. Click or arrows choose a city; + and -, Ctrl and the wheel or a "
    "double click zoom; drag to move; 0 shows the world."
)


class WorldMap(QWidget):
    """Told what to draw; a click or the arrow keys choose a city, the wheel zooms, dragging moves."""

    city_chosen = Signal(str)  # key

    def __init__(self, name: str, colours: MapColours, coasts: Coasts, parent: QWidget | None = None) -> None:
        """coasts: land and water, drawn once into paths."""
        self._colours = colours
        self._cities: tuple[MapCity, ...] = ()
        self._sites: tuple[MapSite, ...] = ()
        self.chosen = ""  # the key of the ringed city; empty without one
        self.zoom = 1.0  # 1 shows the world, 8 is nearest
        self._centre = QPointF((WEST + EAST) / 2, (SOUTH + NORTH) / 2)  # degrees
        self._pressed: QPointF | None = None
        self._has_dragged = False
        super().__init__(parent)
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
        after = self._view.degrees_at(at)
        self._move_to(self._centre + before - after)

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

    def _site_at(self, at: QPointF) -> MapSite | None:
        """The first whose mark the point lies on."""
        near = (
            site
            for site in self._sites
            if _distance(at, self.point_of(site.longitude, site.latitude)) <= SITE_PX + 3
        )
        return next(near, None)

    def _say_chosen(self) -> None:
        """What is said of the ringed city, to a screen reader."""
        tip = next((city.tip for city in self._cities if city.key == self.chosen), "")
        self.setAccessibleDescription(tip.replace("\n", ", "))

    # Drawing

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colours = self._colours
        painter.fillRect(self.rect(), QColor(colours.sea))
        MapDrawing(self._view, colours, self._land, self._water, self._cities, self._sites, self.chosen).draw(
            painter
        )
        if self.hasFocus():
            painter.setPen(QPen(QColor(colours.focus), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 4, 4)

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
        """Dragging moves the map from a few pixels on; else what is under the cursor is said."""
        at = event.position()
        if self._pressed is not None and event.buttons() & Qt.MouseButton.LeftButton:
            moved = at - self._pressed
            if self._has_dragged or moved.manhattanLength() > 4:
                self._has_dragged = True
                self._move_to(self._centre + QPointF(-moved.x(), moved.y()) / self._view.scale)
                self._pressed = at
            return
        place = self._site_at(at) or self._city_at(at)
        shape = (
            Qt.CursorShape.PointingHandCursor if isinstance(place, MapCity) else Qt.CursorShape.ArrowCursor
        )
        self.setCursor(shape)
        set_tip(self, spoken(HELP) if place is None else "")
        if place is not None:
            show_tip_at(event.globalPosition().toPoint(), place.tip, self)

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

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._move_to(self._centre)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._pressed = None


def _distance(one: QPointF, other: QPointF) -> float:
    """In pixels."""
    across = one - other
    return float((across.x() ** 2 + across.y() ** 2) ** 0.5)


# --- The legend of the map: samples of its lines and marks with their words, in as many lines as they need

SAMPLES: Final[tuple[tuple[str, Message], ...]] = (
    ("near", worded("up to 40 ms one way")),
    ("far", worded("40 to 80 ms")),
    ("over", worded("over 80 ms")),
    ("site", worded("serving")),
    ("other_site", worded("other site")),
    ("top", worded("top 80% city")),
    ("other", worded("other city")),
    ("none", worded("served from nowhere")),
)
SAMPLE_PX: Final = 20.0
GAP_PX: Final = 14.0


class MapLegend(QWidget):
    """Told its colours; whether some city is served from nowhere decides if that is explained."""

    def __init__(self, colours: MapColours, parent: QWidget | None = None) -> None:
        """Until it is told otherwise nobody is served from nowhere."""
        self._colours = colours
        self._samples = SAMPLES[:-1]
        super().__init__(parent)
        self.setAccessibleName(
            tr("Legend of the map: {words}", words=", ".join(spoken(words) for _, words in SAMPLES))
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
        return QFontMetricsF(self._colours.small).height() + 3

    def _spots(self, width: float) -> list[tuple[float, int]]:
        """Left edge and line of each sample."""
        metrics, left, row, spots = QFontMetricsF(self._colours.small), 0.0, 0, []
        for _, words in self._samples:
            wide = SAMPLE_PX + 4 + metrics.horizontalAdvance(spoken(words))
            if left and left + wide > width:
                left, row = 0.0, row + 1
            spots.append((left, row))
            left += wide + GAP_PX
        return spots

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        height = self._line_height()
        for (kind, words), (left, row) in zip(self._samples, self._spots(self.width()), strict=True):
            middle = row * height + height / 2
            self._draw_sample(painter, kind, left, middle)
            painter.setPen(QColor(self._colours.muted))
            painter.setFont(self._colours.small)
            place = QRectF(left + SAMPLE_PX + 4, row * height, self.width(), height)
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, spoken(words))

    def _draw_sample(self, painter: QPainter, kind: str, left: float, middle: float) -> None:
        """As the map draws the same."""
        colours, centre = self._colours, QPointF(left + SAMPLE_PX / 2, middle)
        if kind in ("near", "far", "over"):
            pen = QPen(QColor(getattr(colours, kind)), 1.7 if kind == "over" else 1.2)
            if kind == "over":
                pen.setDashPattern([4, 2.5])
            painter.setPen(pen)
            painter.drawLine(QPointF(left, middle), QPointF(left + SAMPLE_PX, middle))
        elif kind in ("site", "other_site"):
            half = 4.5 if kind == "site" else 3.5
            painter.setPen(QPen(QColor(colours.edge), 1.2))
            painter.setBrush(QColor(colours.text if kind == "site" else colours.sea))
            painter.drawPolygon(
                QPolygonF([centre + QPointF(*way) for way in ((0, -half), (half, 0), (0, half), (-half, 0))])
            )
        elif kind == "none":
            painter.setPen(QPen(QColor(colours.over), 1.6))
            painter.drawLine(centre + QPointF(-4, -4), centre + QPointF(4, 4))
            painter.drawLine(centre + QPointF(-4, 4), centre + QPointF(4, -4))
        else:
            painter.setPen(QPen(QColor(colours.muted), 1.2))
            painter.setBrush(QColor(colours.muted) if kind == "top" else QColor(colours.sea))
            painter.drawEllipse(centre, 4, 4)
