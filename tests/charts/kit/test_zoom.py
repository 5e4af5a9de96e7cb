"""Zoom and pan: always inside the data, never narrower than what means anything, and one key away from all."""

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, QPoint, QRect, Qt
from PySide6.QtWidgets import QApplication, QScrollArea, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from gpuplanner.charts.kit.chart_colours import ChartColours
from gpuplanner.charts.kit.translation import spoken, use_currency
from gpuplanner.charts.kit.zoom import PartsChart, Zoom
from gpuplanner.charts.plots.timeline import Span, TimelineChart, TimelineRow
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.book.exchange import USD
from tests.charts.chart_world import COLOURS, demand, mouse
from tests.ui.wheel import wheeled


class Ruler:
    """A chart of nothing: 0 to 1000, at least 10 wide."""

    colours: ChartColours = COLOURS

    def __init__(self) -> None:
        self.seen = (0.0, 1000.0)

    def x_limits(self) -> tuple[float, float]:
        return (0.0, 1000.0)

    def least_width(self) -> float:
        return 10.0

    def plot_rect(self) -> QRect:
        return QRect(0, 0, 500, 100)

    def show_seen(self, low: float, high: float) -> None:
        self.seen = (low, high)


numbers = st.floats(-5000, 5000, allow_nan=False)


@given(st.lists(st.tuples(st.sampled_from(["show", "by", "pan", "bring"]), numbers, numbers), max_size=12))
def test_whatever_is_asked_a_part_of_the_data_is_shown_and_reset_shows_all(
    qapp: object, asked: list[tuple[str, float, float]]
) -> None:
    ruler, widget = Ruler(), QWidget()
    zoom = Zoom(ruler, widget)
    for what, one, other in asked:
        if what == "show":
            zoom.show(one, other)
        elif what == "by":
            zoom.by(abs(one) / 1000 + 0.1, other)
        elif what == "pan":
            zoom.pan(one / 1000)
        else:
            zoom.bring(min(max(one, 0.0), 1000.0))
        low, high = zoom.seen
        assert 0 <= low < high <= 1000 + 1e-6
        assert high - low >= 10 - 1e-6
        assert zoom.seen == ruler.seen or not zoom.is_zoomed
    zoom.reset()
    assert ruler.seen == (0.0, 1000.0) and not zoom.is_zoomed


def test_near_and_far_by_the_same_factor_is_where_it_began(qapp: object) -> None:
    zoom = Zoom(Ruler(), QWidget())
    zoom.show(200, 600)
    zoom.by(2, 300)
    assert zoom.seen == (250, 450)
    zoom.by(0.5, 300)
    assert zoom.seen == (200, 600)


def test_keys_zoom_pan_and_reset(qtbot: QtBot) -> None:
    chart = demand(qtbot)
    qtbot.keyClick(chart, Qt.Key.Key_Plus)
    low, high = chart.zoom.seen
    assert chart.zoom.is_zoomed and high - low < 48
    qtbot.keyClick(chart, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    assert chart.zoom.seen[0] > low
    qtbot.keyClick(chart, Qt.Key.Key_Minus)
    qtbot.keyClick(chart, Qt.Key.Key_Minus)
    assert not chart.zoom.is_zoomed
    qtbot.keyClick(chart, Qt.Key.Key_Plus)
    qtbot.keyClick(chart, Qt.Key.Key_Home)
    assert chart.zoom.seen == (0.0, 48.0)


def test_a_box_drawn_by_the_mouse_is_what_is_shown_and_a_double_click_shows_all(qtbot: QtBot) -> None:
    chart = demand(qtbot)
    plot, view = chart.plot_rect(), chart.viewport()
    left, right = plot.left() + plot.width() // 4, plot.left() + plot.width() // 2
    mouse(view, QEvent.Type.MouseButtonPress, QPoint(left, plot.center().y()))
    mouse(view, QEvent.Type.MouseMove, QPoint(right, plot.center().y()))
    mouse(view, QEvent.Type.MouseButtonRelease, QPoint(right, plot.center().y()), held=False)
    low, high = chart.zoom.seen
    assert abs(low - 12) < 0.5 and abs(high - 24) < 0.5
    mouse(view, QEvent.Type.MouseButtonDblClick, plot.center())
    assert not chart.zoom.is_zoomed


def test_a_click_draws_no_box(qtbot: QtBot) -> None:
    chart = demand(qtbot)
    for kind in (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonRelease):
        mouse(chart.viewport(), kind, chart.plot_rect().center())
    assert not chart.zoom.is_zoomed and not chart.zoom.is_dragging


def test_the_timeline_zooms_in_time_and_keeps_its_part_when_it_is_told_again(qtbot: QtBot) -> None:
    day = 86_400
    chart = TimelineChart("Timeline", COLOURS, "#ff0000")
    qtbot.addWidget(chart)
    chart.resize(460, 120)
    rows = (
        TimelineRow(
            key="a", name="a", spans=(Span(start_s=0, end_s=50 * day, colour="#3366cc"),), marks=(), tip="a"
        ),
    )
    chart.show_rows(rows, 0, 100 * day, [(50 * day, "half")], (10 * day, "today"))
    middle = chart.x_of(50 * day)
    chart.zoom.show(40 * day, 60 * day)
    assert abs(chart.x_of(50 * day) - middle) < 1 and chart.x_of(40 * day) == chart.names_width()
    chart.show_rows(rows, 0, 100 * day, [(50 * day, "half")], (10 * day, "today"))
    assert chart.zoom.seen == (40 * day, 60 * day)


def test_the_wheel_scrolls_the_page_over_every_part_of_a_chart(qtbot: QtBot) -> None:
    page, body = QScrollArea(), QWidget()
    column = QVBoxLayout(body)
    chart = demand()
    chart.setFixedHeight(300)
    column.addWidget(chart)
    tall = QWidget()
    tall.setFixedHeight(2000)
    column.addWidget(tall)
    page.setWidget(body)
    page.setWidgetResizable(True)
    page.resize(600, 300)
    qtbot.addWidget(page)
    page.show()
    qtbot.waitExposed(page)
    QApplication.processEvents()
    chart.setFocus()  # a click into a chart is no wish to zoom it
    assert page.verticalScrollBar().maximum() > 0
    for x in (8, chart.width() // 2, chart.width() - 8):  # the figures of the axis, the plot, the names
        at = QPoint(x, 100)
        assert not wheeled(chart.viewport(), at=at), x  # Qt gives a real one to the page then
    assert not chart.zoom.is_zoomed


class OnePart(PartsChart):
    """A chart of one part."""

    def words(self) -> list[str]:
        return ["five"]


def test_the_name_of_a_chart_is_in_the_currency_of_now_before_and_after_a_part_is_chosen(
    qtbot: QtBot,
) -> None:
    chart = OnePart(worded("$ a month"), COLOURS)
    qtbot.addWidget(chart)
    try:
        use_currency("EUR")
        QApplication.sendEvent(chart, QEvent(QEvent.Type.LanguageChange))
        assert chart.accessibleName() == spoken(worded("$ a month")) != "$ a month"
        chart.choose(0)
        assert chart.accessibleName() == f"{spoken(worded('$ a month'))}, five"
    finally:
        use_currency(USD)
