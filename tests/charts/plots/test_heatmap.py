"""The heatmap: what stands in a cell, what stands beside it, and how the keyboard and a screen reader get there."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from gpuplanner.charts.plots.heatmap import Heatmap, HeatTable, heat_scale
from gpuplanner.ui.kit.palettes import DARK, LIGHT, PALETTES
from gpuplanner.ui.tables.chart_palette import heat_colours
from tests.ui.colour_distance import contrast

# --- The heatmap: what stands in a cell, what stands beside it, and how the keyboard and a screen reader
# get there


def table(values_of_heatmap: np.ndarray) -> HeatTable:
    return HeatTable(
        title="Utilization by hour and weekday",
        unit="% of GPU-h paid",
        values=values_of_heatmap,
        row_means=np.append(np.full(6, 0.5), np.nan),
        written=lambda share: f"{share:.1%}",
        written_end=lambda share: f"{share:.0%}",
        note="of 208 GPUs, UTC",
        lines=lambda day, hour: (("Hours of the lookback period", "13"),),
        most=1.0,
    )


@pytest.fixture
def values_of_heatmap() -> np.ndarray:
    made = np.linspace(0.3, 0.9, 168).reshape(7, 24)
    made[6] = np.nan
    return made


@pytest.fixture
def heat(qtbot: QtBot, values_of_heatmap: np.ndarray) -> Heatmap:
    made = Heatmap(heat_colours(LIGHT))
    qtbot.addWidget(made)
    made.show_heat(table(values_of_heatmap))
    made.resize(480, 220)
    made.show()
    qtbot.waitExposed(made)
    return made


def test_each_cell_is_painted_in_the_colour_of_its_class_and_unknown_ones_are_crossed(heat: Heatmap) -> None:
    picture = heat.grab().toImage()
    for day, hour in ((0, 0), (2, 13), (5, 23)):
        middle = heat.cell_rect(day, hour).center()
        assert picture.pixelColor(middle) == QColor(heat.colour_at(day, hour))
    unknown = heat.cell_rect(6, 4)
    assert heat.colour_at(6, 4) is None
    assert picture.pixelColor(unknown.topLeft()) == QColor(LIGHT.line)
    seen = {
        picture.pixelColor(x, unknown.center().y()).name().upper()
        for x in range(unknown.left(), unknown.right())
    }
    assert LIGHT.line in seen and not seen & set(LIGHT.heat)


def test_more_is_further_up_the_ramp(heat: Heatmap) -> None:
    places = [LIGHT.heat.index(heat.colour_at(0, hour) or "") for hour in range(24)]
    assert places == sorted(places)
    assert heat.colour_at(0, 0) == LIGHT.heat[0]
    assert LIGHT.heat.index(heat.colour_at(5, 23) or "") >= 5


@pytest.mark.parametrize("palette", PALETTES.values(), ids=PALETTES)
def test_the_ramp_is_ordered_by_lightness_away_from_the_ground(palette) -> None:
    steps = [contrast(colour, palette.raised) for colour in palette.heat]
    assert steps == sorted(steps)


def test_the_colour_bar_says_both_ends_and_that_some_lie_beyond(
    heat: Heatmap, values_of_heatmap: np.ndarray
) -> None:
    low, high = heat.bar_ends()
    assert low.endswith("%") and high.endswith("%")
    values_of_heatmap[0, 0] = 0.0
    heat.show_heat(table(values_of_heatmap))
    assert heat.bar_ends()[0].startswith("\u2264 ")


def test_every_cell_is_under_its_own_place_and_nothing_beside_the_map(heat: Heatmap) -> None:
    for day in range(7):
        for hour in range(24):
            assert heat.cell_under(heat.cell_rect(day, hour).center()) == (day, hour)
    assert heat.cell_under(QPoint(2, 2)) is None
    assert heat.cell_under(QPoint(heat.width() - 2, heat.height() // 2)) is None


def test_arrows_go_from_cell_to_cell_and_stop_at_the_edge(qtbot: QtBot, heat: Heatmap) -> None:
    heat.setFocus()
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Down):
        QTest.keyClick(heat, key)
    assert heat.current == (2, 1)
    assert heat.accessibleDescription().startswith("Wednesday 01:00 to 02:00 UTC: ")
    QTest.keyClick(heat, Qt.Key.Key_End)
    with qtbot.waitSignal(heat.cell_chosen) as said:
        QTest.keyClick(heat, Qt.Key.Key_Right)
    assert said.args == [2, 23]
    QTest.keyClick(heat, Qt.Key.Key_PageDown)
    assert heat.current == (6, 23)
    assert heat.accessibleDescription().startswith("Sunday 23:00 to 00:00 UTC: \u2014")


def test_a_tip_says_when_how_much_and_of_what(heat: Heatmap) -> None:
    tip = heat.tip_at(0, 0)
    for words in (
        "Monday 00:00 to 01:00 UTC",
        "% of GPU-h paid",
        "30.0%",
        "Hours of the lookback period",
        "13",
    ):
        assert words in tip
    assert "\u2014" in heat.tip_at(6, 0)


def test_copying_gives_the_table_that_the_map_stands_for(heat: Heatmap) -> None:
    heat.setFocus()
    QTest.keyClick(heat, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0] and "\t" not in lines[0]
    assert len(lines) == 2 + 24 + 1
    assert lines[2].split("\t")[:2] == ["00", "30.0%"]
    assert lines[2].split("\t")[7] == "\u2014"


def test_other_colours_are_shown_at_once(heat: Heatmap) -> None:
    heat.show_palette(heat_colours(DARK))
    assert heat.colour_at(0, 0) == DARK.heat[0]


def test_a_week_of_another_shape_is_a_mistake(heat: Heatmap) -> None:
    with pytest.raises(ValueError, match=r"\(7, 24\)"):
        heat.show_heat(table(np.zeros((24, 7))))


# --- Ends of a heat scale: round, wide enough for nearly all, honest about what lies beyond ------

shares = arrays(np.float64, (7, 24), elements=st.floats(0, 1) | st.just(float("nan")))
amounts = arrays(np.float64, (7, 24), elements=st.floats(0, 1e5))


@given(shares)
def test_a_scale_of_shares_stays_within_them(values):
    scale = heat_scale(values, 7, most=1.0)
    assert 0 <= scale.low < scale.high <= 1


@given(st.one_of(shares, amounts))
def test_nearly_all_values_lie_inside_and_the_ends_say_when_some_do_not(values):
    scale = heat_scale(values, 7, most=1.0 if np.nanmax(np.append(values, 0)) <= 1 else None)
    known = values[~np.isnan(values)]
    if len(known):
        low, high = np.percentile(known, (5, 95))
        assert scale.low <= low + 1e-6
        assert scale.high >= high - 1e-6
        assert scale.is_cut_low == bool((known < scale.low - 1e-9).any())
        assert scale.is_cut_high == bool((known > scale.high + 1e-9).any())


@given(amounts)
def test_a_larger_value_is_never_in_a_lower_class(values):
    scale = heat_scale(values, 7)
    classes = [scale.class_of(value) for value in sorted(values.ravel().tolist())]
    assert classes == sorted(classes)
    assert set(classes) <= set(range(7))


@pytest.mark.parametrize(
    ("low", "high", "expected"), [(0.42, 0.73, (0.4, 0.75)), (0.0, 1.0, (0.0, 1.0)), (0.5, 0.5, (0.5, 0.57))]
)
def test_ends_are_round(low, high, expected):
    values = np.linspace(low, high, 168).reshape(7, 24)
    scale = heat_scale(values, 7, most=1.0)
    assert (scale.low, scale.high) == pytest.approx(expected)


def test_nothing_known_has_a_scale_all_the_same():
    assert heat_scale(np.full((7, 24), np.nan), 7, most=1.0).high == 1.0
