"""Cost against waiting: sizes over $ or GPUs, rings and words at marked ones, and what tips say."""

from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from gpuplanner.charts.plots.frontier import FrontierChart, FrontierDot
from tests.charts.chart_world import COLOURS

DOTS = (
    FrontierDot(137, 200_000.0, 206.0, 150.0, 260.0, ""),
    FrontierDot(200, 290_000.0, 32.0, 20.0, 40.0, "the knee"),
    FrontierDot(229, 332_000.0, 5.4, 3.0, 7.0, ""),
    FrontierDot(300, 435_000.0, 0.0, 0.0, 0.0, "today, the plan"),
)


@pytest.fixture
def chart(qtbot: QtBot) -> FrontierChart:
    def says_usd(usd: float | None) -> str:
        return "unknown" if usd is None else f"${usd:,.0f}"

    made = FrontierChart(COLOURS, "{:g}".format, says_usd, lambda usd: f"${usd / 1000:.0f}k")
    qtbot.addWidget(made)
    made.resize(500, 200)
    made.show_dots(DOTS, "#2255aa")
    made.show()
    return made


def test_sizes_stand_at_their_cost_and_without_a_rate_at_their_gpus(chart: FrontierChart) -> None:
    assert list(chart.stops) == [200_000.0, 290_000.0, 332_000.0, 435_000.0]
    low, high = chart.x_limits()
    assert low < 200_000 and high > 435_000
    chart.show_dots((*DOTS[:3], replace(DOTS[3], usd=None)), "#2255aa")
    assert list(chart.stops) == [137, 200, 229, 300]
    chart.grab()


def test_a_tip_says_wait_range_cost_and_what_a_size_is(chart: FrontierChart) -> None:
    said = chart.tip_at(291_000.0, 0.0)
    assert all(words in said for words in ("200 GPUs", "32 h", "20 \u2013 40 h", "$290,000", "the knee"))
    assert "By the log" not in _tip_without_range(chart)


def _tip_without_range(chart: FrontierChart) -> str:
    chart.show_dots(tuple(replace(dot, low_h=None, high_h=None) for dot in DOTS), "#2255aa")
    return chart.tip_at(291_000.0, 0.0)


def test_waits_that_are_all_nothing_are_drawn_along_the_bottom(chart: FrontierChart) -> None:
    chart.show_dots(tuple(replace(dot, wait_h=0.0, low_h=0.0, high_h=0.0) for dot in DOTS[:2]), "#2255aa")
    chart.grab()
    assert "0 h" in chart.tip_at(200_000.0, 0.0)
