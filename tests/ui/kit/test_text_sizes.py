"""Text size over the whole window: all fonts grow together, nothing is cut, and the usual size is what it was."""

from collections.abc import Iterator

import pytest
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QApplication, QLabel, QSpinBox, QWidget
from pytestqt.qtbot import QtBot

from gpuplanner.charts.kit.axes import EdgeName, NamesAxis
from gpuplanner.charts.kit.plain_text import PlainLabel
from gpuplanner.ui.flows.year_flow import YearBar
from gpuplanner.ui.frame.horizon_switch import HorizonSwitch
from gpuplanner.ui.kit.layout import column, named
from gpuplanner.ui.kit.palettes import DARK, LIGHT
from gpuplanner.ui.kit.style_sheet import apply_palette
from gpuplanner.ui.kit.text_sizes import PERCENTS, next_percent, show_text_size
from gpuplanner.ui.kit.type_scale import base_font, font, text_px, text_scale, width_of
from gpuplanner.ui.tables.cells import Cell, Column, Row
from gpuplanner.ui.tables.chart_palette import chart_colours
from gpuplanner.ui.tables.figure_table import ROW_HEIGHT, FigureTable

pytestmark = pytest.mark.usefixtures("no_worker_window")


@pytest.fixture
def usual(qapp: QApplication) -> Iterator[QApplication]:
    apply_palette(qapp, LIGHT)
    yield qapp
    show_text_size(qapp, 100)


def test_steps_go_from_the_smallest_to_the_largest_and_back_to_the_usual_one() -> None:
    assert [next_percent(percent, 1) for percent in PERCENTS] == [*PERCENTS[1:], PERCENTS[-1]]
    assert [next_percent(percent, -1) for percent in PERCENTS] == [PERCENTS[0], *PERCENTS[:-1]]
    assert {next_percent(percent, 0) for percent in (*PERCENTS, 137)} == {100}
    assert next_percent(137, 1) == 110


@pytest.mark.parametrize("percent", [80, 150, 200])
def test_every_font_follows_and_comes_back(usual: QApplication, qtbot: QtBot, percent: int) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    plain, small, spin = QLabel("plain"), named(QLabel("small"), step="small"), named(QSpinBox(), "GPUs")
    small.setFixedWidth(100)
    table = FigureTable("Rows")
    table.show_rows(
        [Column(title="Name", is_figure=False), Column(title="$", width=80)],
        [Row((Cell(text="a"), Cell(text="1,234")))],
    )
    column(plain, small, spin, table, on=window)
    window.show()
    before = [one.font().pointSizeF() for one in (plain, small, spin)]
    show_text_size(usual, percent)
    assert text_scale() == percent / 100
    after = [one.font().pointSizeF() for one in (plain, small, spin)]
    assert after == pytest.approx([points * percent / 100 for points in before])
    assert small.width() == percent and text_px(10) == percent / 10
    assert spin.height() >= spin.fontMetrics().height()
    table.habits.apply()
    assert (
        table.row_height == round(ROW_HEIGHT * percent / 100) and table.columnWidth(1) == percent * 80 // 100
    )
    assert font("body").pointSizeF() == pytest.approx(base_font("body").pointSizeF() * percent / 100)
    assert base_font("body").pointSizeF() == 9.0
    show_text_size(usual, 100)
    assert [one.font().pointSizeF() for one in (plain, small, spin)] == pytest.approx(before)
    assert small.width() == 100 and width_of("8", font("body")) == width_of("8", base_font("body"))


@pytest.mark.long
def test_another_palette_keeps_the_text_size(usual: QApplication, qtbot: QtBot) -> None:
    show_text_size(usual, 150)
    window, small = QWidget(), named(QLabel("small"), step="small")
    qtbot.addWidget(window)
    column(small, on=window)
    window.show()
    made = small.font().pointSizeF()
    show_text_size(usual, 100)
    apply_palette(usual, DARK)
    assert small.font().pointSizeF() == pytest.approx(made / 1.5)
    show_text_size(usual, 125)
    assert small.font().pointSizeF() == pytest.approx(made / 1.2)


def test_the_rows_of_a_table_follow_without_being_shown_again(usual: QApplication, qtbot: QtBot) -> None:
    table = FigureTable("Rows")
    qtbot.addWidget(table)
    table.show_rows([Column(title="Name", is_figure=False)], [Row((Cell(text="a"),)), Row((Cell(text="b"),))])
    table.show()
    show_text_size(usual, 150)
    qtbot.waitUntil(lambda: table.rowHeight(0) == round(1.5 * ROW_HEIGHT))


def test_the_line_that_is_typed_in_is_called_as_its_field(qtbot: QtBot) -> None:
    spin = named(QSpinBox(), "GPUs held")
    qtbot.addWidget(spin)
    assert spin.lineEdit().accessibleName() == "GPUs held" and spin.lineEdit().textMargins().left() > 0


@pytest.mark.parametrize("percent", [100, 150, 200])
def test_what_is_made_in_large_text_has_room_for_its_words(
    usual: QApplication, qtbot: QtBot, percent: int
) -> None:
    show_text_size(usual, percent)
    switch, bar = HorizonSwitch(), YearBar()
    for widget in (switch, bar):
        qtbot.addWidget(widget)
        widget.show()
    bar.show_month(0, 1_795_564_800, "")
    for words in (*switch.buttons.values(), bar.month):
        assert words.fontMetrics().horizontalAdvance(words.text()) <= words.width()
    axis = NamesAxis(chart_colours(LIGHT), 92)
    assert QFontMetrics(font("small_strong")).horizontalAdvance("36 months") + 10 <= axis.width()
    axis.show_names([EdgeName(1.0, "On demand", "au-dessus de 1 071,0")])
    assert QFontMetrics(font("small")).horizontalAdvance("au-dessus de 1 071,0") + 10 <= axis.width()


def test_wrapped_lines_ask_for_the_room_that_they_take(qtbot: QtBot) -> None:
    window, words = QWidget(), PlainLabel("Words that go over many lines. " * 12)
    qtbot.addWidget(window)
    words.setWordWrap(True)
    column(words, on=window)
    window.resize(160, 40)
    window.show()
    qtbot.waitUntil(lambda: words.minimumSizeHint().height() >= words.heightForWidth(words.width()))
    assert words.minimumSizeHint().height() > 8 * words.fontMetrics().lineSpacing()
