"""Timeline: bars and marks stand where their times are, inside the frame; the keyboard goes through the rows."""

from itertools import pairwise

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QColor, QFont, QMouseEvent
from pytestqt.qtbot import QtBot

from gpuplanner.charts.kit.plot import ChartColours
from gpuplanner.charts.plots.timeline import ROW_HEIGHT, Mark, Span, TimelineChart, TimelineRow

COLOURS = ChartColours(
    raised="#ffffff",
    text="#111111",
    muted="#666666",
    grid="#eeeeee",
    edge="#999999",
    small=QFont(),
    strong=QFont(),
    focus="#0000ff",
)
RED, BAR = "#ff0000", "#3366cc"
DAY = 86_400
ROWS = (
    TimelineRow(
        key="a",
        name="a",
        spans=(
            Span(start_s=0, end_s=50 * DAY, colour=BAR),
            Span(start_s=50 * DAY, end_s=80 * DAY, colour=BAR, is_pale=True),
        ),
        marks=(),
        tip="a: 8 H100\nrenew",
    ),
    TimelineRow(
        key="b",
        name="b",
        spans=(Span(start_s=-9 * DAY, end_s=None, colour=BAR, is_hatched=True),),
        marks=(Mark(20 * DAY, True, True),),
        tip="b: 4 H100",
    ),
    TimelineRow(
        key="c",
        name="a very long name of a contract " * 3,
        spans=(Span(start_s=90 * DAY, end_s=400 * DAY, colour=BAR),),
        marks=(Mark(500 * DAY),),
        tip="c",
    ),
)


@pytest.fixture
def chart(qtbot: QtBot) -> TimelineChart:
    made = TimelineChart("Contracts over time", COLOURS, RED)
    qtbot.addWidget(made)
    made.resize(460, 160)
    made.show_rows(
        ROWS, 0, 100 * DAY, [(0, "Oct"), (1 * DAY, "Oct too"), (50 * DAY, "2027")], (10 * DAY, "today")
    )
    made.show()
    return made


def at(chart: TimelineChart, day: float, row: int) -> QColor:
    place = QPointF(chart.x_of(round(day * DAY)), chart.row_top(row) + ROW_HEIGHT / 2)
    return chart.grab().toImage().pixelColor(place.toPoint())


def test_time_runs_from_the_names_to_the_right_edge_and_never_out_of_it(chart: TimelineChart) -> None:
    places = [chart.x_of(day * DAY) for day in range(0, 101, 10)]
    assert places == sorted(places)
    steps = [b - a for a, b in pairwise(places)]
    assert max(steps) - min(steps) < 1e-6
    assert places[0] == chart.names_width() <= chart.width() / 3
    assert chart.x_of(-(10**10)) == places[0]
    assert chart.x_of(10**10) == places[-1] < chart.width()


def test_a_bar_is_where_its_contract_runs_and_paler_where_it_is_only_planned(chart: TimelineChart) -> None:
    solid, pale, nothing = at(chart, 30, 0), at(chart, 65, 0), at(chart, 90, 0)
    assert solid == QColor(BAR)
    assert nothing == QColor("#ffffff")
    assert solid.lightness() < pale.lightness() < nothing.lightness()
    assert at(chart, 70, 2) == nothing
    assert at(chart, 95, 2) == solid


def test_a_late_mark_is_red(chart: TimelineChart) -> None:
    image = chart.grab().toImage()
    x, y = round(chart.x_of(20 * DAY)), round(chart.row_top(1) + ROW_HEIGHT / 2)
    near = [image.pixelColor(x + dx, y + dy) for dx in range(-5, 6) for dy in range(-5, 6)]
    assert any(colour.red() > 200 and colour.green() < 60 for colour in near)


def test_a_mark_after_the_end_is_not_drawn_at_the_edge(chart: TimelineChart) -> None:
    before = chart.grab().toImage()
    chart.show_rows(
        (*ROWS[:2], TimelineRow(key="c", name=ROWS[2].name, spans=ROWS[2].spans, marks=(), tip="c")),
        0,
        100 * DAY,
        [(0, "Oct"), (1 * DAY, "Oct too"), (50 * DAY, "2027")],
        (10 * DAY, "today"),
    )
    assert chart.grab().toImage() == before


def test_the_keyboard_goes_through_the_rows_and_opens_one(chart: TimelineChart, qtbot: QtBot) -> None:
    opened: list[str] = []
    chart.row_opened.connect(opened.append)
    chart.setFocus()
    for key, row in ((Qt.Key.Key_Down, 1), (Qt.Key.Key_End, 2), (Qt.Key.Key_Down, 2), (Qt.Key.Key_Home, 0)):
        qtbot.keyClick(chart, key)
        assert chart.current == row
        assert ROWS[row].tip.splitlines()[0] in chart.accessibleName()
    chart.select("b")
    qtbot.keyClick(chart, Qt.Key.Key_Return)
    assert opened == ["b"]
    chart.select("nobody")
    assert chart.current == 1


def test_what_is_chosen_stays_chosen_when_rows_change(chart: TimelineChart) -> None:
    chart.select("b")
    chart.show_rows(ROWS[1:], 0, 100 * DAY, [], (0, ""))
    assert chart.rows[chart.current].key == "b"
    chart.show_rows((), 0, 100 * DAY, [], (0, ""))
    assert chart.current == 0
    chart.grab()


def test_the_mouse_is_told_the_row_under_it_and_chooses_it(chart: TimelineChart) -> None:
    assert chart.tip_at(chart.row_top(1) + 3) == "b: 4 H100"
    assert chart.tip_at(chart.row_top(3) + 1) == chart.tip_at(1) == ""
    place = QPointF(200, chart.row_top(2) + 5)
    button = Qt.MouseButton.LeftButton
    press = QMouseEvent(
        QEvent.Type.MouseButtonPress, place, place, button, button, Qt.KeyboardModifier.NoModifier
    )
    chart.mousePressEvent(press)
    assert chart.current == 2


def test_every_row_is_said_to_who_cannot_see(chart: TimelineChart) -> None:
    assert all(row.tip.splitlines()[0] in chart.accessibleDescription() for row in ROWS)
