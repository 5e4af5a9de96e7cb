"""For those who do not see or do not point: names of all that takes the keyboard, a key or a menu for every action."""

import re
from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QAbstractSlider,
    QAbstractSpinBox,
    QComboBox,
    QDialog,
    QLineEdit,
    QMenu,
    QScrollBar,
    QTabBar,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from gpuplanner.ui.kit.icons import icon_path
from gpuplanner.ui.kit.small_dialogs import Question
from gpuplanner.ui.plans.assumptions_dialog import AssumptionsDialog
from gpuplanner.ui.plans.rule_dialog import RuleDialog
from gpuplanner.ui.plans.rules_dialog import RulesDialog
from gpuplanner.ui.plans.window_dialog import WindowDialog
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.tables.row_list import RowList
from gpuplanner.ui.window.help_dialogs import AboutDialog, KeysDialog
from gpuplanner.ui.window.main_window import MainWindow
from tests.some_of import one_in
from tests.ui.sample_world import sample_project
from tests.ui.wheel import wheeled

Make = Callable[[], QDialog]


def unnamed(root: QWidget) -> list[str]:
    """What can have the keyboard and has no name to be spoken of; parts of Qt's own controls speak through them."""
    return [
        f"{type(widget).__name__} in {type(widget.parent()).__name__}"
        for widget in (root, *root.findChildren(QWidget))
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and not (widget.accessibleName() or (widget.isWindow() and widget.windowTitle()))
        and not (isinstance(widget, QAbstractButton) and widget.text())
        and widget.focusProxy() is None
        and not widget.objectName().startswith("qt_")
        and not isinstance(widget.parent(), QComboBox | QLineEdit)
        and not _is_inside_of_qt(widget)
    ]


def _is_inside_of_qt(widget: QWidget) -> bool:
    """A scroll area that only scrolls, the list of a combo box, a line inside a spin box, a gone dock's tabs."""
    if (
        type(widget).__name__ in ("QScrollArea", "QComboBoxListView")
        or "Private" in type(widget.parent()).__name__
    ):
        return True
    if isinstance(widget.parent().parent(), QComboBox):
        return True
    if isinstance(widget, QTabBar):
        return not widget.isVisible()
    return isinstance(widget, QLineEdit) and "SpinBox" in type(widget.parent()).__name__


@pytest.mark.long
def test_every_part_of_every_panel_has_a_name(window: MainWindow) -> None:
    panels = {panel.about.name: panel for panel in window.docks.all_panels()}
    assert len(panels) >= 12
    for name, panel in panels.items():
        window.docks.raise_panel(name)
        assert unnamed(panel) == [], name
        stops = [one for one in panel.findChildren(QWidget) if one.focusPolicy() & Qt.FocusPolicy.TabFocus]
        assert stops, name


@pytest.mark.long
def test_every_part_of_prices_and_contracts_has_a_name_in_each_view(window: MainWindow) -> None:
    window.docks.raise_panel("prices")
    for view in window.docks.prices.tabs:
        window.docks.prices.show_view(view)
        assert unnamed(window.docks.prices) == [], view


@pytest.mark.long
def test_every_part_of_the_page_of_today_has_a_name(window: MainWindow) -> None:
    window.choose_scenario("Today")
    assert unnamed(window.audit) == []


@pytest.mark.long
def test_every_button_has_words_or_a_drawing(window: MainWindow) -> None:
    for panel in window.docks.all_panels():
        window.docks.raise_panel(panel.about.name)
    buttons = [one for one in window.findChildren(QToolButton) if not isinstance(one.parent(), QTabBar)]
    assert len(buttons) > 40
    assert [one.accessibleName() for one in buttons if not one.text() and one.icon().isNull()] == []


def fields_of(root: QWidget) -> list[QWidget]:
    """Every list that drops down, spin box and slider in a widget."""
    return [
        one
        for kind in (QComboBox, QAbstractSpinBox, QAbstractSlider)
        for one in root.findChildren(kind)
        if not isinstance(one, QScrollBar)
    ]


def test_no_field_of_the_window_is_turned_by_scrolling_a_page(window: MainWindow) -> None:
    for panel in window.docks.all_panels():
        window.docks.raise_panel(panel.about.name)
    fields = fields_of(window)
    assert len(fields) > 20
    for field in fields:
        field.clearFocus()
        before = field.property("currentIndex"), field.property("value")
        for by in (120, -120):
            wheeled(field, by)
        assert (field.property("currentIndex"), field.property("value")) == before, field.accessibleName()
        assert field.focusPolicy() is not Qt.FocusPolicy.WheelFocus, field.accessibleName()


DIALOGS: dict[str, Make] = {
    "assumptions": lambda: AssumptionsDialog(sample_project(), None),
    "window": lambda: WindowDialog(sample_project().window, True),
    "rule": lambda: RuleDialog((), ()),
    "rules": lambda: RulesDialog(sample_project(), ()),
    "keys": lambda: KeysDialog(),
    "about": lambda: AboutDialog(),
    "question": lambda: Question(None, "Title", "A sentence.", ("Keep", "Leave")),
}


@pytest.mark.parametrize("name", one_in(6, DIALOGS))
def test_every_part_of_a_dialog_has_a_name(qtbot: QtBot, name: str) -> None:
    dialog = DIALOGS[name]()
    qtbot.addWidget(dialog)
    dialog.show()
    assert dialog.windowTitle()
    assert unnamed(dialog) == []
    policies = {one.focusPolicy() for one in fields_of(dialog)}
    assert Qt.FocusPolicy.WheelFocus not in policies, "the wheel would turn it"
    dialog.close()


def test_every_action_of_the_window_has_a_key_or_a_place_in_a_menu(window: MainWindow) -> None:
    window.board.search.setText("a")  # what empties it stands in it
    listed = {action for menu in window.menuBar().findChildren(QMenu) for action in menu.actions()}
    lost = [
        f"{action.text()} of {type(action.parent()).__name__}"
        for action in window.findChildren(QAction)
        if action.text() and action not in listed and action.shortcut().isEmpty() and not _is_of_qt(action)
    ]
    assert len(listed) > 60
    assert lost == []


def _is_of_qt(action: QAction) -> bool:
    """The menus of scroll bars and text fields, the toggles of tool bars that cannot be hidden, what opens a menu."""
    if any(isinstance(place, QLineEdit) for place in action.associatedObjects()):
        return True
    parent = action.parent()
    is_of_chart = type(parent).__name__ == "GraphicsScene"  # its own menu is turned off
    return (
        isinstance(parent, QLineEdit | QAbstractScrollArea | QMenu) or is_of_chart or not action.isVisible()
    )


def test_every_action_of_a_menu_can_be_reached_by_its_shortcut_alone_or_no_other_has_it(
    window: MainWindow,
) -> None:
    keys = [
        action.shortcut().toString()
        for menu in window.menuBar().findChildren(QMenu)
        for action in menu.actions()
        if not action.shortcut().isEmpty()
    ]
    assert len(keys) > 40
    assert sorted(keys) == sorted(set(keys))


STATUSES = {"red", "amber", "green"}


def test_a_status_is_never_a_colour_alone(window: MainWindow) -> None:
    coloured = 0
    for panel in window.docks.all_panels():
        name = panel.about.name
        window.docks.raise_panel(name)
        for table in panel.findChildren(FigureTable):
            for at in range(min(40, table.model().rowCount())):
                for cell in table.row_at(at).cells:
                    if cell.role in STATUSES or (cell.icon and cell.icon_role in STATUSES):
                        coloured += 1
                        assert cell.text or cell.tip, (name, table.accessibleName(), at)
        for listed in panel.findChildren(RowList):
            for row in listed.rows:
                if row.icon_role in STATUSES:
                    coloured += 1
                    assert row.icon and row.title, (name, row)
    assert coloured > 5


def test_the_icons_of_the_statuses_have_three_shapes() -> None:
    shapes = {
        re.sub(r'(stroke|fill)="[^"]*"', "", icon_path(name).read_text())
        for name in ("octagon", "triangle", "tick")
    }
    assert len(shapes) == 3
