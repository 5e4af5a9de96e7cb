"""Lines over months: a line of which no month is known is left out, and drawing the others goes on."""

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gpuplanner.charts.plots.month_lines import MonthLine, MonthLinesChart
from gpuplanner.ui.kit.theme import LIGHT
from gpuplanner.ui.tables.chart_colours import chart_colours


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


def test_a_line_that_is_hidden_leaves_its_name(qtbot: QtBot) -> None:
    chart = MonthLinesChart(chart_colours(LIGHT))
    qtbot.addWidget(chart)
    chart.show_lines((MonthLine("plan", (1.0, 2.0)), MonthLine("nothing", (9.0, 9.0))), ("Jul", "Aug"))
    chart.toggles.turn("nothing")
    assert [list(item.yData) for item in chart.getPlotItem().listDataItems()] == [[1.0, 2.0]]
    assert set(chart.toggles.names) == {"plan", "nothing"}
    assert "plan" in chart._tip(0.0, 0.0) and "nothing" not in chart._tip(0.0, 0.0)
