"""Lines over months: a line of which no month is known is left out, and drawing the others goes on."""

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gpuplanner.charts.month_lines import MonthLine, MonthLinesChart
from gpuplanner.ui.chart_colours import chart_colours
from gpuplanner.ui.theme import LIGHT


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
