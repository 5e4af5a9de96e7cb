"""The week of an endpoint: what is drawn reaches the flat line, tips say each hour, unknown hours say nothing."""

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from gpuplanner.charts.plots.week_load import WeekLoad, WeekLoadChart
from gpuplanner.ui.kit.theme import LIGHT
from gpuplanner.ui.tables.chart_colours import chart_colours


@pytest.fixture
def chart(qtbot: QtBot) -> WeekLoadChart:
    made = WeekLoadChart(chart_colours(LIGHT), lambda gpus: f"{gpus:g} GPUs")
    qtbot.addWidget(made)
    made.resize(420, 160)
    return made


def load(known: slice) -> WeekLoad:
    hours = np.full(168, np.nan)
    hours[known] = 4.0
    return WeekLoad(hours * 2, hours, 12.0, 0.5, "#0F9484", "#C3E5E1")


def test_a_whole_week_and_its_tips(chart: WeekLoadChart) -> None:
    chart.show_load(load(slice(0, 168)))
    low, high = chart.getPlotItem().getViewBox().viewRange()[1]
    assert low == 0 and high >= 12
    tip = chart.tip_at(25.5, 3.0)
    for words in ("Tue 1:00 to 2:00 UTC", "12 GPUs", "4 GPUs", "8 GPUs", "Held and not needed"):
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
