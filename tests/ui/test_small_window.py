"""A small window: figures of a row equally large, plan names whole, no total under a scroll bar."""

import itertools
from unittest.mock import patch

import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QApplication, QDockWidget, QTabBar
from pytestqt.qtbot import QtBot

from gpuplanner.domain import edits
from gpuplanner.domain.model.plan.scenario import TODAY
from gpuplanner.ui.kit.drawing import draw_text
from gpuplanner.ui.kit.text_sizes import show_text_size
from gpuplanner.ui.kit.type_scale import base_font, font, text_px, text_scale, text_width
from gpuplanner.ui.tables.cells import Cell, Column, Row
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.window.main_window import MainWindow


@pytest.mark.long
def test_all_figures_of_the_headline_have_one_size(window: MainWindow) -> None:
    sizes = set()
    window.headline.more.click()  # the figures behind More too
    for width in (960, 1080, 1280, 1440, 1900):
        window.resize(width, 600)
        QApplication.processEvents()
        tight = {button.is_tight for button in window.headline.buttons}
        assert len(tight) == 1
        sizes |= tight
        assert tight == {any(button.needs_tight for button in window.headline.buttons)}
    assert sizes == {True, False}


@pytest.mark.long
@pytest.mark.parametrize("is_tight", [False, True])
def test_the_figure_of_the_plan_is_larger_than_that_of_today(window: MainWindow, is_tight: bool) -> None:
    spend, sizes = window.headline.buttons[0], dict[str, float]()
    spend.is_tight = is_tight

    def noted(painter: QPainter, place: QRect, text: str, of: QFont, colour: QColor | str) -> int:
        sizes[text] = of.pointSizeF()
        return draw_text(painter, place, text, of, colour)

    with patch("gpuplanner.ui.kit.drawing.draw_text", noted):
        spend.grab()
    assert spend.figure is not None and spend.figure.now
    assert sizes[spend.figure.now] < sizes[spend.figure.plan]


@pytest.mark.long
def test_fewer_figures_are_as_large_as_they_have_room_for(window: MainWindow) -> None:
    headline, figures = window.headline, [button.figure for button in window.headline.buttons]
    headline.more.click()
    for width in range(960, 1900, 20):  # to the least that five have room in
        window.resize(width, 600)
        QApplication.processEvents()
        if not any(button.is_tight for button in headline.buttons):
            break
    headline.show_figures((*figures, figures[0]))
    assert all(button.is_tight for button in headline.buttons)
    headline.show_figures(tuple(figures))
    assert not any(button.is_tight for button in headline.buttons)


@pytest.mark.long
def test_a_long_plan_name_ends_in_an_ellipsis_and_begins_whole(window: MainWindow) -> None:
    project = window.session.document.project
    project = edits.plans.rename_plan(
        project, project.scenarios[0].name, "Q4 2026 after the great reorganisation " * 4
    )
    window.session.document.edit("Rename", project)
    window.choose_scenario(project.scenarios[0].name)
    QApplication.processEvents()
    tab = window.scenario_bar.tabs[project.scenarios[0].name]
    assert tab.text().startswith("Q4 2026") and tab.text().endswith("\u2026")
    assert tab.width() >= QFontMetrics(font("total")).horizontalAdvance(tab.text()) + 18


def test_no_dock_lies_over_the_tabs_of_another_in_a_low_window(qtbot: QtBot, window: MainWindow) -> None:
    window.resize(1280, 720)
    for name in ("cost", "hardware_fit", "prices"):
        window.docks.raise_panel(name)
        qtbot.wait(200)  # its rows are worked out beside the window
        bars = [bar for bar in window.findChildren(QTabBar) if bar.isVisible()]
        shown = [dock for dock in window.findChildren(QDockWidget) if not dock.visibleRegion().isEmpty()]
        assert len(bars) == len(shown) == 2
        assert not any(dock.geometry().intersects(bar.geometry()) for dock in shown for bar in bars), name
    assert (window.width(), window.height()) == (1280, 720)


def bottom_of_last_row(table: FigureTable) -> int:
    return table.rowViewportPosition(1) + table.rowHeight(1)


def test_the_last_row_of_a_fitted_table_is_not_under_its_scroll_bar(qtbot: QtBot) -> None:
    table = FigureTable("Figures")
    qtbot.addWidget(table)
    row = Row((Cell(text="a cluster"), Cell(text="1,234,567,890"), Cell(text="1,234,567,890")))
    table.show_rows(
        (Column(title="Name", is_figure=False, width=90), Column(title="Spend"), Column(title="Unused")),
        [row, row],
    )
    table.fit_height()
    table.show()
    for width in (600, 150, 600):
        table.resize(width, table.height())
        qtbot.waitUntil(lambda width=width: (table.horizontalScrollBar().maximum() > 0) == (width < 200))
        qtbot.waitUntil(lambda: bottom_of_last_row(table) <= table.viewport().height())


@pytest.mark.long
def test_in_large_text_no_dock_lies_over_the_tabs_of_another(qtbot: QtBot, window: MainWindow) -> None:
    """At 150% on a small screen the lower tabs and the status line were under the panels."""
    window.resize(1280, 680)
    try:
        while text_scale() < 1.5:
            window.change_text_size(1)
        qtbot.wait(500)
        bars = [bar for bar in window.findChildren(QTabBar) if bar.isVisible()]
        shown = [dock for dock in window.findChildren(QDockWidget) if not dock.visibleRegion().isEmpty()]
        assert len(bars) == len(shown) == 2
        assert not any(dock.geometry().intersects(bar.geometry()) for dock in shown for bar in bars)
        assert not any(dock.geometry().intersects(window.statusBar().geometry()) for dock in shown)
    finally:
        window.change_text_size(0)


@pytest.mark.long
def test_larger_text_leaves_the_window_as_small_as_it_may_be(window: MainWindow) -> None:
    least = window.minimumSize()
    show_text_size(QApplication.instance(), 150)  # type: ignore[arg-type]
    try:
        assert window.minimumSize() == least
    finally:
        show_text_size(QApplication.instance(), 100)  # type: ignore[arg-type]


@pytest.mark.long
def test_in_large_text_no_value_is_cut_and_no_two_plans_lie_over_each_other(window: MainWindow) -> None:
    try:
        for _ in range(8):
            window.change_text_size(1)
            QApplication.processEvents()
            for name in (TODAY, window.session.document.project.scenarios[0].name):
                window.choose_scenario(name)
                QApplication.processEvents()
                for button in window.headline.buttons:
                    if button.figure is not None and not button.figure.shares:
                        step = "title" if button.is_tight else "figure"
                        drawn = text_px(text_width(button.figure.plan, base_font(step)))
                        assert drawn <= button.width() - text_px(18), (name, button.figure.plan, text_scale())
                tabs = [tab for tab in window.scenario_bar.tabs.values() if tab.isVisible()]
                for tab, after in itertools.pairwise([*tabs, window.scenario_bar.new_plan]):
                    assert tab.geometry().right() < after.geometry().left(), (tab.text(), text_scale())
                    assert tab.width() >= tab.minimumWidth()
    finally:
        window.change_text_size(0)
