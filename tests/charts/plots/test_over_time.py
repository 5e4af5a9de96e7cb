"""Lines over months: a line of which no month is known is left out, and drawing the others goes on."""

import numpy as np
import pytest
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gpuplanner.charts.plots.month_lines import MonthLine, MonthLinesChart
from gpuplanner.charts.plots.week_load import WeekLoad, WeekLoadChart
from gpuplanner.ui.kit.palettes import LIGHT
from gpuplanner.ui.tables.chart_palette import chart_colours

# --- Lines over months: a line of which no month is known is left out, and drawing the others goes on


def test_a_line_with_no_known_month_is_left_out(qtbot: QtBot, qapp: QApplication) -> None:
    chart = MonthLinesChart(chart_colours(LIGHT))
    qtbot.addWidget(chart)
    chart.resize(400, 300)
    chart.show_lines((MonthLine("unknown", (None,)), MonthLine("known", (100.0,))), ("Jul 2026",))
    chart.show()
    qtbot.waitExposed(chart)
    qapp.processEvents()
    drawn = [item for item in chart.getPlotItem().listDataItems() if item.xData is not None]
    assert [list(item.yData) for item in drawn] == [[100.0]]


def test_months_are_named_under_the_lines_and_finer_where_a_part_is_seen(qtbot: QtBot) -> None:
    chart = MonthLinesChart(chart_colours(LIGHT))
    qtbot.addWidget(chart)
    months = [f"month {at}" for at in range(12)]
    chart.show_lines((MonthLine("plan", tuple(float(at) for at in range(12))),), months)
    named = lambda: [text for _, text in chart.getPlotItem().getAxis("bottom")._tickLevels[0]]  # noqa: E731
    assert named() == ["month 0", "month 3", "month 6", "month 9"]
    chart.zoom.show(3, 6)
    assert named() == ["month 3", "month 4", "month 5", "month 6"]
    chart.zoom.reset()
    assert len(named()) == 4


def test_the_left_axis_has_room_for_its_widest_label_before_it_is_painted(qtbot: QtBot) -> None:
    chart = MonthLinesChart(chart_colours(LIGHT))
    qtbot.addWidget(chart)
    widths = []
    for usd in (3.0, 300_000.0):
        chart.show_lines((MonthLine("plan", (usd, usd)),), ("Jul", "Aug"))
        axis = chart.getPlotItem().getAxis("left")
        last = axis._tickLevels[0][-1][1]
        widths.append((last, axis.textWidth >= QFontMetrics(axis.style["tickFont"]).horizontalAdvance(last)))
    assert widths == [("3", True), ("300k", True)]


def test_a_line_that_is_hidden_leaves_its_name(qtbot: QtBot) -> None:
    chart = MonthLinesChart(chart_colours(LIGHT))
    qtbot.addWidget(chart)
    chart.show_lines((MonthLine("plan", (1.0, 2.0)), MonthLine("nothing", (9.0, 9.0))), ("Jul", "Aug"))
    chart.toggles.turn("nothing")
    assert [list(item.yData) for item in chart.getPlotItem().listDataItems()] == [[1.0, 2.0]]
    assert set(chart.toggles.names) == {"plan", "nothing"}
    assert "plan" in chart.tip_at(0.0, 0.0) and "nothing" not in chart.tip_at(0.0, 0.0)


# --- The week of an endpoint: what is drawn reaches the flat line, tips say each hour, unknown hours say
# nothing


@pytest.fixture
def chart(qtbot: QtBot) -> WeekLoadChart:
    made = WeekLoadChart(chart_colours(LIGHT), lambda gpus: f"{gpus:g} GPUs")
    qtbot.addWidget(made)
    made.resize(420, 160)
    return made


def load(known: slice) -> WeekLoad:
    hours = np.full(168, np.nan)
    hours[known] = 4.0
    return WeekLoad(
        requests_per_s=hours * 2,
        autoscaled=hours,
        flat=12.0,
        gpus_per_request=0.5,
        colour="#0F9484",
        pale="#C3E5E1",
    )


def test_a_whole_week_and_its_tips(chart: WeekLoadChart) -> None:
    chart.show_load(load(slice(0, 168)))
    low, high = chart.getPlotItem().getViewBox().viewRange()[1]
    assert low == 0 and high >= 12
    tip = chart.tip_at(25.5, 3.0)
    for words in ("Tue 1:00 to 2:00 UTC", "12 GPUs", "4 GPUs", "8 GPUs", "Allocated, not needed"):
        assert words in tip
    assert chart.tip_at(200.0, 0.0) == ""


def test_few_hours_are_named_and_others_say_nothing(chart: WeekLoadChart) -> None:
    chart.show_load(load(slice(90, 92)))
    assert chart.getPlotItem().getViewBox().viewRange()[0] == [90.0, 92.0]
    assert "Thu 18:00" in chart.tip_at(90.2, 1.0)
    assert chart.tip_at(10.0, 1.0) == ""


def test_nothing_known_draws_nothing_and_breaks_nothing(chart: WeekLoadChart) -> None:
    chart.show_load(load(slice(0, 0)))
    chart.grab()
