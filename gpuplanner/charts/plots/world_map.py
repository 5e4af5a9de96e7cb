"""Map of the world: cities sized by their users, sites, and lines from each city to its site."""

from collections.abc import Sequence
from typing import Final

from PySide6 import QtGui
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtWidgets import QWidget

from gpuplanner.charts.kit.plain_text import set_tip, show_tip_at
from gpuplanner.charts.kit.translation import spoken
from gpuplanner.charts.plots.map_drawing import SITE_PX, MapDrawing, path_of, radius_px
from gpuplanner.charts.plots.map_places import Coasts, MapCity, MapColours, MapSite
from gpuplanner.charts.plots.map_view import EAST, FARTHEST_IN, NORTH, SOUTH, WEST, MapView
from gpuplanner.domain.message import worded

ZOOM_STEP: Final = 1.5
NEAR_PX: Final = 10.0
HELP: Final = worded("Point at a city or site for figures; click to choose. Zoom: +, -; move: drag; world: 0")


class WorldMap(QWidget):
    """Told what to draw; a click or the arrow keys choose a city, the wheel zooms, dragging moves."""

    city_chosen = Signal(str)  # key

    def __init__(self, name: str, colours: MapColours, coasts: Coasts) -> None:
        """coasts: land and water, drawn once into paths."""
        self.colours = colours
        self.cities: tuple[MapCity, ...] = ()
        self.sites: tuple[MapSite, ...] = ()
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
        self.cities, self.sites = tuple(cities), tuple(sites)
        if self.chosen and all(city.key != self.chosen for city in cities):
            self.chosen = ""
        self._say_chosen()
        self.update()

    def show_colours(self, colours: MapColours) -> None:
        """Other colours from now on."""
        self.colours = colours
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
            for city in self.cities
            if (distance := _distance(at, view.point_of(city.longitude, city.latitude)))
            <= max(NEAR_PX, radius_px(city))
        ]
        return min(found, key=lambda pair: pair[0])[1] if found else None

    def _say_chosen(self) -> None:
        """What is said of the ringed city, to a screen reader."""
        tip = next((city.tip for city in self.cities if city.key == self.chosen), "")
        self.setAccessibleDescription(tip.replace("\n", ", "))

    # Drawing

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        painter = QtGui.QPainter(self)
        painter.setRenderHint(QtGui.QPainter.RenderHint.Antialiasing)
        colours = self.colours
        painter.fillRect(self.rect(), QtGui.QColor(colours.sea))
        MapDrawing(
            view=self._view,
            colours=colours,
            land=self._land,
            water=self._water,
            cities=self.cities,
            sites=self.sites,
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
            for site in self.sites
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
            self.choose_city(city)

    def mouseDoubleClickEvent(self, event: QtGui.QMouseEvent) -> None:
        self.zoom_by(ZOOM_STEP**2, event.position())

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        """Arrows go from city to city by users, + and - zoom, 0 shows the world."""
        key, text = event.key(), event.text()
        step = {Qt.Key.Key_Right: 1, Qt.Key.Key_Down: 1, Qt.Key.Key_Left: -1, Qt.Key.Key_Up: -1}.get(
            Qt.Key(key), 0
        )
        if step and self.cities:
            at = next((at for at, city in enumerate(self.cities) if city.key == self.chosen), None)
            self.choose_city(self.cities[0 if at is None else (at + step) % len(self.cities)])
        elif text in ("+", "="):
            self.zoom_by(ZOOM_STEP)
        elif text == "-":
            self.zoom_by(1 / ZOOM_STEP)
        elif text == "0":
            self.show_world()
        else:
            super().keyPressEvent(event)

    def choose_city(self, city: MapCity) -> None:
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


def _distance(point: QPointF, other: QPointF) -> float:
    """In pixels."""
    across = point - other
    return float((across.x() ** 2 + across.y() ** 2) ** 0.5)
