"""Crosshair, names that toggle, events: what the tool tip says is what is drawn."""

import re

import numpy as np
import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFont, QFontMetricsF
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from gpuplanner.charts.kit.axes import RING_PX
from gpuplanner.charts.kit.chart_colours import ChartColours
from gpuplanner.charts.kit.zoom import spoken, tip_table
from gpuplanner.charts.plots.demand_over_time import means
from gpuplanner.charts.plots.load_duration import LayerBand, LayerEdge, LoadDuration, LoadDurationChart
from gpuplanner.charts.plots.month_lines import MonthLine, MonthLinesChart
from gpuplanner.charts.plots.screening import ScreeningChart, ScreenLine
from tests.charts.chart_world import COLOURS, EVENTS, HIGH, LOW, demand, mouse

FIGURE = re.compile(r"([\d.]+) GPUs")


def figures(tip: str) -> list[float]:
    return [float(text) for text in FIGURE.findall(tip)]


def test_arrows_go_through_every_step_and_say_what_is_there(qtbot: QtBot) -> None:
    chart = demand(qtbot)
    seen = []
    for _ in range(60):  # more than there are
        qtbot.keyClick(chart, Qt.Key.Key_Right)
        seen.append(chart.crosshair.x)
    assert seen[:48] == [hour + 0.5 for hour in range(48)]
    assert seen[-1] == 47.5
    assert "hour 47" in chart.accessibleDescription() and "5.0 GPUs" in chart.accessibleDescription()
    qtbot.keyClick(chart, Qt.Key.Key_Left)
    assert chart.crosshair.x == 46.5
    qtbot.keyClick(chart, Qt.Key.Key_Escape)
    assert not chart.crosshair.is_seen


def test_the_keyboard_brings_into_sight_where_it_stands(qtbot: QtBot) -> None:
    chart = demand(qtbot)
    chart.zoom.show(0, 12)
    for _ in range(30):
        qtbot.keyClick(chart, Qt.Key.Key_Right)
        low, high = chart.zoom.seen
        assert low <= chart.crosshair.x <= high


@pytest.mark.parametrize("hour", [0, 12, 23, 24, 47])
def test_the_rows_of_a_tip_add_up_to_its_total(qtbot: QtBot, hour: int) -> None:
    *rows, total = figures(demand(qtbot).tip_at(hour + 0.5, 0))
    assert rows == [HIGH[hour], LOW[hour]]
    assert sum(rows) == total


def test_the_ring_of_the_keyboard_leaves_the_labels_of_the_y_axis_alone(qtbot: QtBot) -> None:
    chart = LoadDurationChart(COLOURS)
    qtbot.addWidget(chart)
    chart.resize(400, 120)
    chart.show()
    chart.finish([], [(0.0, "0"), (60.0, "60")], (0.0, 100.0), 60.0)
    chart.grab()
    axis = chart.getPlotItem().getAxis("left")
    assert axis.textWidth >= QFontMetricsF(COLOURS.small).horizontalAdvance("60") + RING_PX - 1


def test_a_name_that_is_clicked_leaves_the_stack_and_comes_back(qtbot: QtBot) -> None:
    chart = demand(qtbot)
    assert chart.toggles.names == ("High", "Low")
    before = chart.grab().toImage()
    axis = chart.names_axis
    bounds = axis.mapRectFromParent(axis.geometry())
    name, _, _, place = axis.tick_places(bounds)[0]
    at = chart.mapFromScene(axis.mapToScene(bounds.left() + 20, place))
    mouse(chart.viewport(), QEvent.Type.MouseButtonPress, at)
    assert chart.toggles.hidden == {name.name}
    assert figures(chart.tip_at(0.5, 0)) == [1.0, 1.0]  # High alone, and the pools shown
    assert chart.grab().toImage() != before
    qtbot.keyClick(chart, Qt.Key.Key_2)  # the second from the top
    assert chart.toggles.hidden == frozenset()
    assert figures(chart.tip_at(0.5, 0)) == [1.0, 2.0, 3.0]


def test_events_are_said_where_they_happen_and_nowhere_else(qtbot: QtBot) -> None:
    chart = demand(qtbot, EVENTS)
    assert "atlas ends" in chart.tip_at(12.0, 0) and "atlas ends" not in chart.tip_at(16.0, 0)
    assert "Gap in the log" in chart.tip_at(22.0, 0) and "Gap in the log" not in chart.tip_at(25.0, 0)
    after = chart.tip_at(54.0, 0)
    assert "The plan starts" in after and "no demand known" in after and not figures(after)
    assert chart.tip_at(61.0, 0) == ""


@pytest.mark.parametrize("step_h", [1, 2, 5, 24, 168])
def test_means_of_steps_keep_the_gpu_hours(step_h: int) -> None:
    made = means(HIGH, step_h)
    lengths = [min(step_h, len(HIGH) - start) for start in range(0, len(HIGH), step_h)]
    assert sum(mean * length for mean, length in zip(made, lengths, strict=True)) == pytest.approx(HIGH.sum())


def test_a_tip_is_spoken_in_one_line(qapp: object) -> None:
    tip = tip_table("3 Jul", [("#112233", "Training", "4.0 GPUs")], ("All", "4.0 GPUs"))
    assert spoken(tip) == "3 Jul, Training, 4.0 GPUs, All, 4.0 GPUs"


# --- Another theme: a chart that is told other colours looks like one that was made in them


def layered(chart):
    """Two layers, one of them with a handle, under a curve of four hours."""
    bands = (
        LayerBand(low=0, high=4, colour="#1F58AE", name="Existing"),
        LayerBand(
            low=4,
            high=8,
            colour="#0F9484",
            name="12 months",
            note="",
            pattern="hatched",
            pattern_colour="#111111",
        ),
    )
    edges = (LayerEdge(12, "12 months", 4.0, 4),)
    chart.show_curve(
        LoadDuration(gpus=np.array([9.0, 6.0, 5.0, 2.0]), bands=bands, line_colour="#cc0000", edges=edges)
    )


RECOLOURED = {
    LoadDurationChart: layered,
    ScreeningChart: lambda chart: chart.show_lines(
        [ScreenLine(name="use", colour="#1F58AE", idle_usd=0.0, busy_usd=900.0, crossing=0.5)]
    ),
    MonthLinesChart: lambda chart: chart.show_lines((MonthLine("plan", (1.0, 2.0)),), ("Jul", "Aug")),
}


@pytest.mark.parametrize("kind", RECOLOURED, ids=lambda kind: kind.__name__)
def test_a_chart_that_is_told_other_colours_looks_like_one_made_in_them(kind, qtbot):
    others = ChartColours(
        raised="#101418",
        text="#eeeeee",
        muted="#aaaaaa",
        grid="#333333",
        edge="#777777",
        small=QFont(),
        strong=QFont(),
        focus="#88aaff",
    )
    pictures = []
    for first in (others, COLOURS):
        chart = kind(first)
        qtbot.addWidget(chart)
        chart.resize(500, 240)
        RECOLOURED[kind](chart)
        chart.show()
        qtbot.waitExposed(chart)
        QApplication.processEvents()
        for widget in (chart, *chart.findChildren(QWidget)):
            widget.clearFocus()  # the ring is around what was shown last
        chart.grab()
        chart.show_colours(others)
        RECOLOURED[kind](chart)
        for _ in range(3):  # an axis takes its room when it is painted
            chart.grab()
            QApplication.processEvents()
        pictures.append(chart.grab().toImage())
    assert pictures[0] == pictures[1]
