"""Crosshair, names that toggle, events: what the tool tip says is what is drawn."""

import re

import pytest
from PySide6.QtCore import QEvent, Qt
from pytestqt.qtbot import QtBot

from gpuplanner.charts.kit.zoom import spoken, tip_table
from gpuplanner.charts.plots.over_time import means
from tests.charts.chart_world import EVENTS, HIGH, LOW, demand, mouse

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
    *rows, total = figures(demand(qtbot)._tip(hour + 0.5, 0))
    assert rows == [HIGH[hour], LOW[hour]]
    assert sum(rows) == total


def test_a_name_that_is_clicked_leaves_the_stack_and_comes_back(qtbot: QtBot) -> None:
    chart = demand(qtbot)
    assert chart.toggles.names == ("High", "Low")
    before = chart.grab().toImage()
    axis = chart.names_axis
    bounds = axis.mapRectFromParent(axis.geometry())
    name, _, _, place = axis._places(bounds)[0]
    at = chart.mapFromScene(axis.mapToScene(bounds.left() + 20, place))
    mouse(chart.viewport(), QEvent.Type.MouseButtonPress, at)
    assert chart.toggles.hidden == {name.name}
    assert figures(chart._tip(0.5, 0)) == [1.0, 1.0]  # High alone, and the pools shown
    assert chart.grab().toImage() != before
    qtbot.keyClick(chart, Qt.Key.Key_2)  # the second from the top
    assert chart.toggles.hidden == frozenset()
    assert figures(chart._tip(0.5, 0)) == [1.0, 2.0, 3.0]


def test_events_are_said_where_they_happen_and_nowhere_else(qtbot: QtBot) -> None:
    chart = demand(qtbot, EVENTS)
    assert "atlas ends" in chart._tip(12.0, 0) and "atlas ends" not in chart._tip(16.0, 0)
    assert "Gap of the log" in chart._tip(22.0, 0) and "Gap of the log" not in chart._tip(25.0, 0)
    after = chart._tip(54.0, 0)
    assert "The plan starts" in after and "no demand known" in after and not figures(after)
    assert chart._tip(61.0, 0) == ""


@pytest.mark.parametrize("step_h", [1, 2, 5, 24, 168])
def test_means_of_steps_keep_the_gpu_hours(step_h: int) -> None:
    made = means(HIGH, step_h)
    lengths = [min(step_h, len(HIGH) - start) for start in range(0, len(HIGH), step_h)]
    assert sum(mean * length for mean, length in zip(made, lengths, strict=True)) == pytest.approx(HIGH.sum())


def test_a_tip_is_spoken_in_one_line(qapp: object) -> None:
    tip = tip_table("3 Jul", [("#112233", "Training", "4.0 GPUs")], ("All", "4.0 GPUs"))
    assert spoken(tip) == "3 Jul, Training, 4.0 GPUs, All, 4.0 GPUs"
