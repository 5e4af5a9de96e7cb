"""The map: places stand where they are, ways go the short way round, the keyboard and the mouse choose cities."""

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QColor, QFont, QMouseEvent
from pytestqt.qtbot import QtBot

from gpuplanner.charts.plots.map_legend import SAMPLES, MapLegend
from gpuplanner.charts.plots.map_places import MapCity, MapColours, MapSite
from gpuplanner.charts.plots.map_view import FARTHEST_IN, WEST
from gpuplanner.charts.plots.world_map import WorldMap
from gpuplanner.files.system.resources import read_coasts

OVER, LAND = "#aa5500", "#dddddd"
SMALL = QFont("sans-serif", 9)
COLOURS = MapColours(
    sea="#ffffff",
    land=LAND,
    line="#eeeeee",
    text="#111111",
    muted="#666666",
    edge="#999999",
    near="#667788",
    far="#223344",
    over=OVER,
    focus="#0000ff",
    small=SMALL,
    strong=SMALL,
)
COASTS = read_coasts()
CITIES = (
    MapCity(
        key="t",
        name="Tokyo",
        latitude=35.7,
        longitude=139.7,
        size=1.0,
        site=0,
        way="over",
        is_top=True,
        tip="Tokyo: 100 users\nfrom us",
    ),
    MapCity(
        key="n",
        name="New York",
        latitude=40.7,
        longitude=-74.0,
        size=0.5,
        site=0,
        way="near",
        is_top=True,
        tip="New York",
    ),
    MapCity(
        key="b",
        name="Berlin",
        latitude=52.5,
        longitude=13.4,
        size=0.01,
        site=None,
        way="",
        is_top=False,
        tip="Berlin: no site may serve it",
    ),
)
SITES = (
    MapSite(name="us", latitude=37.4, longitude=-122.0, is_used=True, tip="us"),
    MapSite(name="eu", latitude=50.1, longitude=8.7, is_used=False, tip="eu"),
)


@pytest.fixture
def world(qtbot: QtBot) -> WorldMap:
    made = WorldMap("Map", COLOURS, COASTS)
    qtbot.addWidget(made)
    made.resize(720, made.heightForWidth(720))
    made.show_places(CITIES, SITES)
    made.show()
    return made


def colour_at(world: WorldMap, longitude: float, latitude: float) -> QColor:
    return world.grab().toImage().pixelColor(world.point_of(longitude, latitude).toPoint())


def test_north_is_up_east_is_right_and_all_of_the_world_is_seen(world: WorldMap) -> None:
    oslo, rome, tokyo = world.point_of(10.7, 59.9), world.point_of(12.5, 41.9), world.point_of(139.7, 35.7)
    assert oslo.y() < rome.y() and oslo.x() < rome.x() < tokyo.x()
    for city in CITIES:
        assert world.rect().contains(world.point_of(city.longitude, city.latitude).toPoint())


@pytest.mark.parametrize(
    ("longitude", "latitude", "is_land"),
    [
        (-100, 40, True),
        (25, 5, True),
        (100, 62, True),
        (134, -25, True),
        (-55, -10, True),
        (-40, 72, True),
        (-40, 30, False),
        (75, -20, False),
        (-150, 0, False),
        (175, 67.5, True),
        (51, 42, False),
        (33.5, 43, False),
    ],
)
def test_land_lies_where_land_is(world: WorldMap, longitude: float, latitude: float, is_land: bool) -> None:
    world.show_places((), ())
    assert (colour_at(world, longitude, latitude) == QColor(LAND)) is is_land


def test_a_way_over_the_pacific_does_not_cross_asia(world: WorldMap) -> None:
    """Half way between Tokyo and California, over the seam of the map and not over Europe."""
    pixels = world.grab().toImage()

    def is_drawn_near(longitude: float, latitude: float) -> bool:
        at = world.point_of(longitude, latitude)
        return any(
            pixels.pixelColor(QPointF(at.x() + dx, at.y() + dy).toPoint()) == QColor(OVER)
            for dx in range(-6, 7)
            for dy in range(-3, 4)
        )

    assert is_drawn_near(178, 36.4) and is_drawn_near(-150, 36.9)
    assert not is_drawn_near(60, 36)


def test_zooming_keeps_the_place_under_the_cursor_and_ends_at_its_bounds(world: WorldMap) -> None:
    at = world.point_of(100, 10)
    world.zoom_by(2.0, at)
    after = world.point_of(100, 10)
    assert (after - at).manhattanLength() < 1
    world.zoom_by(100)
    assert world.zoom == FARTHEST_IN
    world.zoom_by(1e-6)
    assert world.zoom == 1 and world.rect().contains(world.point_of(-74, 40).toPoint())


def test_the_keyboard_goes_through_cities_by_users_and_zooms(world: WorldMap, qtbot: QtBot) -> None:
    chosen: list[str] = []
    world.city_chosen.connect(chosen.append)
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Left, Qt.Key.Key_Left):
        qtbot.keyClick(world, key)
    assert chosen == ["t", "n", "t", "b"]
    assert world.accessibleDescription().startswith("Berlin: ")
    qtbot.keyClicks(world, "+")
    assert world.zoom > 1
    qtbot.keyClicks(world, "0")
    assert world.zoom == 1


def mouse(kind: QEvent.Type, at: QPointF, held: bool = True) -> QMouseEvent:
    left, none = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
    return QMouseEvent(kind, at, at, left, left if held else none, Qt.KeyboardModifier.NoModifier)


def test_a_click_chooses_and_a_drag_moves_without_choosing(world: WorldMap) -> None:
    chosen: list[str] = []
    world.city_chosen.connect(chosen.append)
    at = world.point_of(139.7, 35.7)
    world.mousePressEvent(mouse(QEvent.Type.MouseButtonPress, at))
    world.mouseReleaseEvent(mouse(QEvent.Type.MouseButtonRelease, at, held=False))
    assert chosen == ["t"]
    world.zoom_by(3, at)
    world.mousePressEvent(mouse(QEvent.Type.MouseButtonPress, at))
    world.mouseMoveEvent(mouse(QEvent.Type.MouseMove, at - QPointF(40, 10)))
    world.mouseReleaseEvent(mouse(QEvent.Type.MouseButtonRelease, at - QPointF(40, 10), held=False))
    assert chosen == ["t"]
    assert (world.point_of(139.7, 35.7) - (at - QPointF(40, 10))).manhattanLength() < 1


def test_the_ring_goes_with_its_city(world: WorldMap) -> None:
    world.choose("n")
    world.show_places(CITIES[1:], SITES)
    assert world.chosen == "n"
    world.show_places(CITIES[:1], SITES)
    assert world.chosen == ""


def test_the_legend_explains_what_is_drawn_in_as_many_lines_as_it_needs(qtbot: QtBot) -> None:
    legend = MapLegend(COLOURS)
    qtbot.addWidget(legend)
    one_line = legend.heightForWidth(2000)
    assert legend.heightForWidth(200) >= 3 * one_line
    legend.show_unserved(True)
    assert (
        legend.heightForWidth(200) >= legend.heightForWidth(2000)
        and str(SAMPLES[-1][1]) in legend.accessibleName()
    )
    legend.resize(200, legend.heightForWidth(200))
    assert not legend.grab().isNull()


def test_no_way_is_drawn_in_the_margin_beside_a_wide_map(world: WorldMap) -> None:
    world.resize(1200, 220)  # far wider than the world in it
    image = world.grab().toImage()
    west = int(world.point_of(WEST, 0.0).x()) - 2
    assert west > 100
    margin = {image.pixelColor(x, y).name() for x in range(6, west, 3) for y in range(6, 214, 2)}
    assert margin == {"#ffffff"}
