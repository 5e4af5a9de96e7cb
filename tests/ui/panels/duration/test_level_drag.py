"""A layer's edge under the mouse and under the keys: the same levels, at once, and one step of Undo each."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from gpuplanner.charts.plots.layer_handle import LayerHandle
from gpuplanner.domain.model.plan.scenario import HandLayer
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.ui.panels.duration.level_words import READ_ONLY
from gpuplanner.ui.window.main_window import MainWindow
from tests.some_of import one_in

KEY = (Pool.INFERENCE, "H100")
LEFT = Qt.MouseButton.LeftButton
CENTRE = QPoint(12, 12)


@pytest.fixture
def planner(window: MainWindow) -> MainWindow:
    """The window at one row of its layers; its document is real, so that steps merge as in the application."""
    window.docks.duration.choose(*KEY)
    QApplication.processEvents()
    return window


def handle(planner: MainWindow, term: int) -> LayerHandle:
    found: LayerHandle = planner.docks.duration.chart.handles[term]
    return found


def planned(project):
    """The plans without what their logs say."""
    return [replace(plan, decisions=()) for plan in project.scenarios]


def levels(project: Project, planner: MainWindow) -> dict[int, int]:
    layers = project.scenario(planner.session.scenario).hand_layers.get(KEY, ())
    return {layer.term_months: layer.gpus for layer in layers}


def drag(of: LayerHandle, gpus: int, *, is_dropped: bool = True) -> None:
    QApplication.processEvents()  # the panel is laid out
    QTest.mousePress(of, LEFT, pos=CENTRE)
    of_top, gpus_per_pixel = of.mapToGlobal(CENTRE), of.gpus_per_pixel
    for step in range(1, 5):
        aim = of_top - QPoint(0, round(gpus * step / 4 / gpus_per_pixel))
        QTest.mouseMove(of, of.mapFromGlobal(aim))
        QApplication.processEvents()
    if is_dropped:
        QTest.mouseRelease(
            of, LEFT, pos=of.mapFromGlobal(of_top - QPoint(0, round(gpus / of.gpus_per_pixel)))
        )


def test_a_dragged_edge_becomes_a_level_and_one_step(planner: MainWindow) -> None:
    before, panel = planner.session.document.project, planner.docks.duration
    grip = handle(planner, 12)
    level = grip.level
    drag(grip, 3)
    assert levels(planner.session.document.project, planner)[12] == level + 3
    assert planner.session.document.undo_stack.count() == 1
    assert planner.session.document.undo_stack.undoText() == f"Set 12-month level to {level + 3} GPUs"
    assert panel.table.spins[12].value() == level + 3 == handle(planner, 12).level
    planner.session.document.undo_stack.undo()
    assert planner.session.document.project is before
    assert panel.table.spins[12].value() == level == handle(planner, 12).level


def test_chart_and_table_follow_the_hand_before_it_lets_go(planner: MainWindow) -> None:
    before, panel = planner.session.document.project, planner.docks.duration
    grip = handle(planner, 36)
    level, total = grip.level, panel.table.row_at(panel.table.model().rowCount() - 1).cells[5].text
    drag(grip, -2, is_dropped=False)
    assert panel.table.spins[36].value() == level - 2
    assert panel.table.row_at(panel.table.model().rowCount() - 1).cells[5].text != total
    said = panel.live.text()
    assert panel.live.isVisible() and "per month" in said and "% used" in said and " wrong $" in said
    assert planner.session.document.project is before
    QTest.keyClick(grip, Qt.Key.Key_Escape)
    assert panel.table.spins[36].value() == level
    QTest.mouseRelease(grip, LEFT, pos=CENTRE)
    assert planner.session.document.project is before
    assert planner.session.document.undo_stack.count() == 0


def test_the_table_adds_up_under_the_hand(planner: MainWindow) -> None:
    table = planner.docks.duration.table
    drag(handle(planner, 12), 4, is_dropped=False)
    amounts = [int(table.row_at(at).cells[5].text.replace(",", "")) for at in range(table.model().rowCount())]
    assert sum(amounts[:-1]) == amounts[-1]


def test_a_layer_can_be_dragged_to_nothing_and_no_further(planner: MainWindow) -> None:
    drag(handle(planner, 3), -100)
    assert levels(planner.session.document.project, planner).get(3, 0) == 0
    assert planner.docks.duration.table.spins[3].value() == 0


def test_a_drag_there_and_back_changes_nothing(planner: MainWindow) -> None:
    before, grip = planner.session.document.project, handle(planner, 12)
    start = grip.mapToGlobal(CENTRE)
    drag(grip, 3, is_dropped=False)
    QTest.mouseMove(grip, grip.mapFromGlobal(start))
    QTest.mouseRelease(grip, LEFT, pos=grip.mapFromGlobal(start))
    assert planner.session.document.project is before


@pytest.mark.parametrize(("steps", "shift"), one_in(2, [(3, False), (-2, False), (1, True)]))
def test_the_keys_do_what_the_mouse_does(planner: MainWindow, steps: int, shift: bool) -> None:
    gpus = 8 * steps if shift else steps
    drag(handle(planner, 12), gpus)
    by_mouse = planner.session.document.project
    planner.session.document.undo_stack.undo()
    key = Qt.Key.Key_Up if steps > 0 else Qt.Key.Key_Down
    modifier = Qt.KeyboardModifier.ShiftModifier if shift else Qt.KeyboardModifier.NoModifier
    for _ in range(abs(steps)):
        QTest.keyClick(handle(planner, 12), key, modifier)
    assert levels(planner.session.document.project, planner) == levels(by_mouse, planner)
    assert planned(planner.session.document.project) == planned(by_mouse)  # the log has a line for each key


@pytest.mark.long
def test_a_key_that_is_held_down_is_one_step(planner: MainWindow) -> None:
    before, grip = planner.session.document.project, handle(planner, 12)
    level = grip.level
    for _ in range(5):
        QTest.keyPress(grip, Qt.Key.Key_Up)
    QTest.keyRelease(grip, Qt.Key.Key_Up)
    assert levels(planner.session.document.project, planner)[12] == level + 5
    assert planner.session.document.undo_stack.count() == 1
    QTest.keyClick(grip, Qt.Key.Key_Up)
    assert planner.session.document.undo_stack.count() == 2
    planner.session.document.undo_stack.undo()
    planner.session.document.undo_stack.undo()
    assert planner.session.document.project is before


def test_an_edge_and_its_box_show_the_same_ring_and_say_the_level(planner: MainWindow) -> None:
    panel, grip = planner.docks.duration, handle(planner, 12)
    assert grip.accessibleName() == f"12 months: {grip.level} GPUs"
    assert "Esc" in grip.accessibleDescription()
    planner.activateWindow()
    grip.setFocus()
    QApplication.processEvents()
    assert panel.table.spins[12].property("ring") is True
    assert not panel.table.spins[36].property("ring")
    panel.table.spins[36].setFocus()
    QApplication.processEvents()
    assert not panel.table.spins[12].property("ring")
    assert panel.live.isVisible()


def test_a_level_of_nothing_has_an_edge_while_its_box_has_the_keyboard(planner: MainWindow) -> None:
    panel = planner.docks.duration
    panel.table.spins[3].setValue(0)
    panel.choose(Pool.TRAINING, "H100")
    panel.choose(*KEY)
    planner.activateWindow()
    panel.table.spins[3].setFocus()
    QApplication.processEvents()
    assert handle(planner, 3).level == 0
    drag(handle(planner, 3), 4)
    assert levels(planner.session.document.project, planner)[3] == 4


@pytest.mark.long
def test_a_held_level_leaves_the_rest_to_the_advice(planner: MainWindow) -> None:
    """The sample has no levels in its plan: the first hold is of one term, the rest is advised around it."""
    before, table = planner.session.document.project, planner.docks.duration.table
    level = table.spins[12].value()
    table.locks[12].click()
    plan = planner.session.document.project.scenario(planner.session.scenario)
    assert plan.hand_layers[KEY] == (HandLayer(12, level),)
    assert plan.advised_around == {KEY}
    assert planner.session.document.undo_stack.undoText() == f"Pin 12-month level at {level} GPUs"
    assert [term for term, lock in table.locks.items() if lock.isChecked()] == [12]
    table.spins[36].setValue(3)
    plan = planner.session.document.project.scenario(planner.session.scenario)
    assert plan.hand_layers[KEY] == (HandLayer(36, 3), HandLayer(12, level))
    assert plan.advised_around == {KEY}
    table.locks[36].click()
    table.locks[12].click()
    plan = planner.session.document.project.scenario(planner.session.scenario)
    assert not plan.hand_layers and not plan.advised_around
    for _ in range(4):
        planner.session.document.undo_stack.undo()
    assert planner.session.document.project is before


def test_the_other_levels_may_be_left_to_the_advice_once_one_is_set(planner: MainWindow) -> None:
    panel = planner.docks.duration
    level = panel.table.spins[12].value() + 2
    drag(handle(planner, 12), 2)
    assert not panel.others.isHidden() and "fixes the others" in panel.others.text()
    panel.others.linkActivated.emit("#")
    plan = planner.session.document.project.scenario(planner.session.scenario)
    assert plan.hand_layers[KEY] == (HandLayer(12, level),)
    assert plan.advised_around == {KEY}


def test_levels_that_are_all_held_leave_the_rest_to_be_paid_by_use(planner: MainWindow) -> None:
    table = planner.docks.duration.table
    for term in list(table.locks):
        table.locks[term].click()
    plan = planner.session.document.project.scenario(planner.session.scenario)
    assert len(plan.hand_layers[KEY]) == len(table.locks) and not plan.advised_around
    table.locks[36].click()
    plan = planner.session.document.project.scenario(planner.session.scenario)
    assert [level.term_months for level in plan.hand_layers[KEY]] == [12, 3] and plan.advised_around == {KEY}


def test_the_curve_has_a_twin_in_figures(planner: MainWindow) -> None:
    panel = planner.docks.duration
    panel.turn_chart()
    assert panel.curve.isVisible() and not panel.chart.isVisible()
    assert panel.curve.model().rowCount() == 21
    panel.turn_chart()
    assert panel.chart.isVisible() and not panel.curve.isVisible()


@pytest.mark.long
def test_on_today_nothing_moves_a_level_and_the_panel_says_why(planner: MainWindow) -> None:
    panel = planner.docks.duration
    handle(planner, 12)
    planner.choose_scenario("Today")
    planner.docks.raise_panel("duration")
    assert panel.chart.handles == {}
    spins, locks = panel.table.spins, panel.table.locks
    assert spins and not any(one.isEnabled() for one in (*spins.values(), *locks.values()))
    assert spins[12].toolTip() == str(READ_ONLY) and panel.note.text().startswith(str(READ_ONLY))
    panel.ask_advice()
    assert planner.session.document.undo_stack.count() == 0
    planner.choose_scenario(planner.session.document.project.scenarios[0].name)
    planner.docks.show_waiting()
    assert handle(planner, 12).isVisible()
    assert all(one.isEnabled() for one in (*spins.values(), *locks.values()))
    assert "Today" not in panel.note.text()
    drag(handle(planner, 12), 3)
    assert planner.session.document.undo_stack.count() == 1
