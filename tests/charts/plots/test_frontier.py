"""Cost against waiting: sizes over $ or GPUs, rings and words at marked ones, and what tips say."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pyqtgraph as pg
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pytestqt.qtbot import QtBot

from gpuplanner.charts.plots.frontier import (
    AROUND_PX,
    FinishChart,
    FinishCurve,
    FinishPoint,
    FrontierChart,
    beside_rings,
    hour_marks,
)
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.queue.frontier import AsToday, FrontierPoint
from gpuplanner.domain.queue.waits import Range, Waits
from tests.charts.chart_world import COLOURS


def size(gpus: int, usd: float, p90_h: float, low_h: float, high_h: float, *marks: str) -> FrontierPoint:
    waits = Waits(jobs=100, share_over_1h=0.2, mean_h=p90_h / 2, p50_h=0.0, p90_h=p90_h, p99_h=p90_h)
    return FrontierPoint(
        pool=Pool.TRAINING,
        gpu_model="H100",
        gpus=gpus,
        usd_per_month=usd,
        waits=waits,
        never=0,
        likely=Range(low_h, high_h),
        marks=marks,
    )


SIZES = (
    size(137, 200_000.0, 206.0, 150.0, 260.0),
    size(200, 290_000.0, 32.0, 20.0, 40.0, "knee"),
    size(229, 332_000.0, 5.4, 3.0, 7.0),
    size(300, 435_000.0, 0.0, 0.0, 0.0, "today", "plan"),
)


@pytest.fixture
def chart(qtbot: QtBot) -> FrontierChart:
    def says_usd(usd: float | None) -> str:
        return "unknown" if usd is None else f"${usd:,.0f}"

    made = FrontierChart(COLOURS, "{:g}".format, says_usd, lambda usd: f"${usd / 1000:.0f}k")
    qtbot.addWidget(made)
    made.resize(500, 200)
    made.show_sizes(SIZES, "#2255aa")
    made.show()
    return made


def test_sizes_stand_at_their_cost_and_without_a_rate_at_their_gpus(chart: FrontierChart) -> None:
    assert list(chart.stops) == [200_000.0, 290_000.0, 332_000.0, 435_000.0]
    low, high = chart.x_limits()
    assert low < 200_000 and high > 435_000
    chart.show_sizes((*SIZES[:3], replace(SIZES[3], usd_per_month=None)), "#2255aa")
    assert list(chart.stops) == [137, 200, 229, 300]
    chart.grab()


def test_a_tip_says_wait_range_cost_and_what_a_size_is(chart: FrontierChart) -> None:
    said = chart.tip_at(291_000.0, 0.0)
    assert all(words in said for words in ("200 GPUs", "32 h", "20 \u2013 40 h", "$290,000", "the knee"))
    assert "By the log" not in _tip_without_range(chart)


def _tip_without_range(chart: FrontierChart) -> str:
    chart.show_sizes(tuple(replace(one, likely=None) for one in SIZES), "#2255aa")
    return chart.tip_at(291_000.0, 0.0)


def test_a_knee_on_which_the_log_waits_longer_than_today_says_its_range_beside_its_name(
    chart: FrontierChart,
) -> None:
    def words(measured_h: float) -> list[str]:
        chart.show_sizes([replace(one, today=AsToday(p90_h=measured_h)) for one in SIZES], "#2255aa")
        items = [item for item in chart.getPlotItem().items if isinstance(item, pg.TextItem)]
        return [item.toPlainText() for item in items]

    knee, today = words(13.5)
    assert "20.0 to 40.0 h" in knee and words(20.0) == [knee.split(",")[0], today]


def test_the_plan_is_no_point_of_the_curve(chart: FrontierChart) -> None:
    plan = replace(size(250, 360_000.0, 8.0, 6.0, 9.0, "plan"), is_shared=True)
    chart.show_sizes((*SIZES[:3], plan, SIZES[3]), "#2255aa")
    assert "the plan" in chart.tip_at(360_000.0, 0.0)
    curves = [item.getData()[0] for item in chart.getPlotItem().listDataItems()]
    assert [200_000.0, 290_000.0, 332_000.0, 435_000.0] in [list(x) for x in curves if x is not None]


NEAR = st.tuples(st.integers(60, 260), st.integers(60, 100))
CLOSE = ((93.0, 78.0), (102.0, 83.0), (102.0, 63.0))
"""Rings of a knee, of today and of the plan that touch each other, in pixels of a narrow dock."""


def _boxes(
    rings: Sequence[tuple[float, float]], wide: Sequence[int]
) -> list[tuple[float, float, float, float]]:
    sizes, line = np.array([(one, 12.0) for one in wide]), np.empty((0, 2))
    found = beside_rings(np.array(rings, dtype=float), sizes, line, np.array((314.0, 160.0)))
    return [(x, y, x + one, y + 12) for (x, y), one in zip(found, wide, strict=True)]


def _gap(ring: tuple[float, float], box: tuple[float, float, float, float]) -> float:
    return float(np.hypot(*(np.clip(ring, box[:2], box[2:]) - ring)))


@given(
    st.lists(NEAR, min_size=1, max_size=2, unique=True),
    st.lists(st.integers(30, 110), min_size=2, max_size=2),
)
@example(list(CLOSE), [190, 110, 40])
def test_words_stand_beside_their_own_ring_and_touch_no_other_and_no_other_words(
    rings: list[tuple[float, float]], wide: list[int]
) -> None:
    boxes = _boxes(rings, wide[: len(rings)])
    for at, (ring, box) in enumerate(zip(rings, boxes, strict=True)):
        assert box[0] >= 0 and box[1] >= 0 and box[2] <= 314 and box[3] <= 160
        assert _gap(ring, box) < 40
        for other, ring_of, box_of in zip(range(len(rings)), rings, boxes, strict=True):
            assert _gap(ring_of, box) > 6
            is_apart = (
                box[2] <= box_of[0] or box_of[2] <= box[0] or box[3] <= box_of[1] or box_of[3] <= box[1]
            )
            assert other == at or is_apart


def test_marks_at_one_place_are_told_in_one(chart: FrontierChart) -> None:
    plan = replace(SIZES[3], marks=("plan",), is_shared=True)
    chart.show_sizes((*SIZES[:3], replace(SIZES[3], marks=("today",)), plan), "#2255aa")
    words = [item.toPlainText() for item in chart.getPlotItem().items if isinstance(item, pg.TextItem)]
    knee, _ = words
    assert "20.0 to 40.0 h" in knee and len(words) == 2


def test_waits_that_are_all_nothing_are_drawn_along_the_bottom(chart: FrontierChart) -> None:
    none = (size(137, 200_000.0, 0.0, 0.0, 0.0), size(200, 290_000.0, 0.0, 0.0, 0.0))
    chart.show_sizes(none, "#2255aa")
    chart.grab()
    assert "0 h" in chart.tip_at(200_000.0, 0.0)


@pytest.mark.parametrize("wide", [220, 320, 700])
def test_words_at_sizes_stand_inside_the_plot_however_wide_it_is(
    chart: FrontierChart, qtbot: QtBot, wide: int
) -> None:
    marks = ("today", "plan"), ("knee",), ("plan", "knee"), ("today",)
    sizes = [replace(one, marks=said) for one, said in zip(SIZES, marks, strict=True)]
    chart.show_sizes(sizes, "#2255aa")
    chart.resize(wide, 200)
    chart.grab()
    words = [item for item in chart.getPlotItem().items if isinstance(item, pg.TextItem)]
    assert len(words) == 4
    plot = chart.plot_rect()
    boxes = [chart.mapFromScene(one.mapRectToScene(one.boundingRect())).boundingRect() for one in words]
    around = AROUND_PX + 1  # what is empty around them may stand out
    assert all(plot.left() - around <= box.left() and box.right() <= plot.right() + around for box in boxes)


POINTS = tuple(
    FinishPoint(gpus=8 * 2**at, hours=hours, low=hours / 1.2, high=hours / 0.8, usd=usd)
    for at, (hours, usd) in enumerate(((800.0, 100.0), (420.0, 110.0), (230.0, None), (190.0, 250.0)))
)
CURVE = FinishCurve(gpu_model="H100", points=POINTS, knee=2, chosen=1, deadline_h=300.0, colour="#2255aa")


@pytest.fixture
def finish(qtbot: QtBot) -> FinishChart:
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


def test_the_axis_names_gpus_and_the_margin_the_model_and_the_deadline(finish: FinishChart) -> None:
    assert list(finish.stops) == [0, 1, 2, 3] and set(finish.names_axis.from_the_top()) == {
        "H100",
        "Deadline",
    }
    finish.show_curve(replace(CURVE, deadline_h=1e6))
    assert finish.names_axis.from_the_top() == ("H100",)  # too far off to be drawn
    finish.show_curve(replace(CURVE, points=POINTS[:1], knee=None, chosen=None))
    finish.grab()


def test_a_tip_says_hours_band_cost_and_the_knee(finish: FinishChart) -> None:
    said = finish.tip_at(2.2, 0.0)
    assert "32 \u00d7 H100" in said and "230" in said and "192 \u2013 288" in said and "unknown" in said
    assert said.count("<tr>") == finish.tip_at(1.0, 0.0).count("<tr>") + 1  # the knee has a line for it
    assert finish.tip_at(-3.0, 0.0) == finish.tip_at(9.0, 0.0) == ""


def test_the_ring_stands_around_what_was_chosen(finish: FinishChart) -> None:
    assert finish.ring.getData()[0].tolist() == [1.0]
    finish.show_chosen(3)
    assert finish.ring.getData()[0].tolist() == [3.0]
    finish.show_chosen(None)
    assert finish.ring.getData()[0] is None or not len(finish.ring.getData()[0])
