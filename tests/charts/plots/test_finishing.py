"""GPUs against finishing time: hours over powers of ten, the knee, the ring, the deadline and what tips say."""

from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from gpuplanner.charts.plots.finishing import FinishChart, FinishCurve, FinishPoint, hour_marks
from tests.charts.chart_world import COLOURS

POINTS = tuple(
    FinishPoint(8 * 2**at, hours, hours / 1.2, hours / 0.8, usd)
    for at, (hours, usd) in enumerate(((800.0, 100.0), (420.0, 110.0), (230.0, None), (190.0, 250.0)))
)
CURVE = FinishCurve("H100", POINTS, 2, 1, 300.0, "#2255aa")


@pytest.fixture
def chart(qtbot: QtBot) -> FinishChart:
    made = FinishChart(COLOURS, "{:,.0f}".format, lambda usd: "unknown" if usd is None else f"${usd:,.0f}")
    qtbot.addWidget(made)
    made.resize(500, 200)
    made.show_curve(CURVE)
    made.show()
    return made


def test_marks_reach_from_below_the_least_to_above_the_most() -> None:
    for low, high in ((0.4, 0.5), (1.0, 1.0), (31.0, 400.0), (100.0, 300.0), (2.9, 123_456.0)):
        marks = hour_marks(low, high)
        assert marks[0] <= low < high * 1.000001 <= marks[-1] * 1.000001 and marks == sorted(set(marks))
        assert len(marks) >= 2


def test_the_axis_names_gpus_and_the_margin_the_model_and_the_deadline(chart: FinishChart) -> None:
    assert list(chart.stops) == [0, 1, 2, 3] and set(chart.names_axis.from_the_top()) == {"H100", "Deadline"}
    chart.show_curve(replace(CURVE, deadline_h=1e6))
    assert chart.names_axis.from_the_top() == ("H100",)  # too far off to be drawn
    chart.show_curve(replace(CURVE, points=POINTS[:1], knee=None, chosen=None))
    chart.grab()


def test_a_tip_says_hours_band_cost_and_the_knee(chart: FinishChart) -> None:
    said = chart.tip_at(2.2, 0.0)
    assert "32 \u00d7 H100" in said and "230" in said and "192 \u2013 288" in said and "unknown" in said
    assert "more GPUs save less and less" in said and "save less" not in chart.tip_at(1.0, 0.0)
    assert chart.tip_at(-3.0, 0.0) == chart.tip_at(9.0, 0.0) == ""


def test_the_ring_stands_around_what_was_chosen(chart: FinishChart) -> None:
    assert chart._ring.getData()[0].tolist() == [1.0]
    chart.show_chosen(3)
    assert chart._ring.getData()[0].tolist() == [3.0]
    chart.show_chosen(None)
    assert chart._ring.getData()[0] is None or not len(chart._ring.getData()[0])
