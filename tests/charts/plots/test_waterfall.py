"""Laws of the waterfall: bars join, stand on zero, and what is unknown has no bar."""

from itertools import pairwise

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from gpuplanner.charts.plots.waterfall import UNKNOWN, Span, Step, WaterfallPlot, on_ground, spans_of
from gpuplanner.ui.kit.palettes import DARK, LIGHT
from gpuplanner.ui.tables.chart_palette import chart_colours

BRIDGE = (
    Step(name="Paid", note="$ per month", amount=600.0, kind="start", label="600", figure_id="paid"),
    Step(name="Allocated", note="to jobs", amount=-400.0, kind="step", label="\u2212400", figure_id="served"),
    Step(name="Metered", note="", amount=200.0, kind="result", label="200"),
    Step(name="Scaled to", note="all hours", amount=150.0, kind="scaled", label="+150"),
    Step(name="Audit", note="", amount=350.0, kind="result", label="350", figure_id="audit"),
)


@pytest.fixture
def plot(qtbot: QtBot) -> WaterfallPlot:
    made = WaterfallPlot("Bridge", chart_colours(LIGHT))
    qtbot.addWidget(made)
    made.resize(500, 260)
    made.show_steps(BRIDGE)
    made.show()
    return made


def test_each_bar_begins_where_the_one_before_ended_and_totals_stand_on_zero() -> None:
    assert spans_of(BRIDGE) == (
        Span(0.0, 600.0),
        Span(600.0, 200.0),
        Span(0.0, 200.0),
        Span(200.0, 350.0),
        Span(0.0, 350.0),
    )


def test_an_unknown_amount_has_no_bar_nor_has_what_would_stand_on_it() -> None:
    steps = (
        Step(name="Paid", note="", amount=None, kind="start"),
        Step(name="Allocated", note="", amount=-5.0, kind="step"),
        Step(name="Metered", note="", amount=7.0, kind="result"),
        Step(name="Scaled", note="", amount=None, kind="scaled"),
    )
    assert spans_of(steps) == (None, None, Span(0.0, 7.0), None)


def test_bars_share_one_zero_line_and_do_not_overlap(plot: WaterfallPlot) -> None:
    rects = [plot.bar_rect(at) for at in range(len(BRIDGE))]
    known = [rect for rect in rects if rect is not None]
    assert len(known) == len(BRIDGE)
    for left, right in pairwise(known):
        assert left.right() < right.left()
    assert {round(known[at].bottom(), 6) for at in (0, 2, 4)} == {round(known[0].bottom(), 6)}
    assert known[0].height() == pytest.approx(known[1].height() + known[2].height())


def test_a_level_below_zero_is_drawn_below_the_zero_line(plot: WaterfallPlot) -> None:
    plot.show_steps(
        (
            Step(name="A", note="", amount=10.0, kind="start", label="10"),
            Step(name="B", note="", amount=-15.0, kind="step", label="\u221215"),
        )
    )
    begin, down = plot.bar_rect(0), plot.bar_rect(1)
    assert begin is not None and down is not None
    assert down.top() == pytest.approx(begin.top())
    assert down.bottom() > begin.bottom()
    assert down.bottom() < plot.height()


def test_keys_choose_a_bar_and_open_it(plot: WaterfallPlot, qtbot: QtBot) -> None:
    opened: list[str] = []
    plot.step_opened.connect(opened.append)
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Right, Qt.Key.Key_F1, Qt.Key.Key_Right, Qt.Key.Key_Return):
        qtbot.keyClick(plot, key)
    assert opened == ["paid", "served"], "a step that answers nothing opens nothing"
    for _ in range(9):
        qtbot.keyClick(plot, Qt.Key.Key_Right)
    qtbot.keyClick(plot, Qt.Key.Key_Enter)
    assert opened[-1] == "audit"


def test_a_click_opens_the_bar_under_it(plot: WaterfallPlot, qtbot: QtBot) -> None:
    with qtbot.waitSignal(plot.step_opened) as asked:
        rect = plot.bar_rect(1)
        assert rect is not None
        qtbot.mouseClick(plot, Qt.MouseButton.LeftButton, pos=rect.center().toPoint())
    assert asked.args == ["served"]


def test_it_says_every_amount_in_words_and_as_a_table(plot: WaterfallPlot) -> None:
    plot.show_steps((*BRIDGE[:1], Step(name="Audit", note="", amount=None, kind="result")))
    assert plot.accessibleDescription() == "Paid $ per month: 600. Audit: unknown"
    assert plot.table() == (("Paid $ per month", "600"), ("Audit", UNKNOWN))
    assert plot.tip_at(10) == "Paid $ per month: 600"


@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_bars_are_the_text_colour_on_the_ground(plot: WaterfallPlot, palette) -> None:  # type: ignore[no-untyped-def]
    colours = chart_colours(palette)
    plot.show_colours(colours)
    shown = plot.grab().toImage()
    rect = plot.bar_rect(0)
    assert rect is not None
    ratio = shown.devicePixelRatio()
    at = rect.center() * ratio
    assert shown.pixelColor(at.toPoint()).name() == on_ground(colours, 0.5).name()


def test_what_is_left_of_a_sum_is_no_bar(plot: WaterfallPlot) -> None:
    """\u00b10 beside \u00b10: the rest of a float filled the chart."""
    plot.show_steps(
        (
            Step(name="Ending", note="", amount=4e-11, kind="step", label="\u00b10"),
            Step(name="Savings", note="", amount=4e-11, kind="result", label="\u00b10"),
        )
    )
    heights = [rect.height() for rect in map(plot.bar_rect, range(2)) if rect is not None]
    assert heights == [1.0, 1.0]
