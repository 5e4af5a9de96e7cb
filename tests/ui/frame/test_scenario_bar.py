"""The scenario bar: any number of plans, new ones from any other, tabs that make room for each other."""

import pytest
from PySide6.QtWidgets import QApplication

from gpuplanner.domain.model.plan.scenario import AS_TODAY, TODAY
from gpuplanner.ui.kit.tabs import tabs_that_fit
from gpuplanner.ui.window.main_window import MainWindow
from tests.some_of import one_in
from tests.ui.plans_world import many_plans

WIDTHS = {"Today": 50, "A": 100, "B": 100, "C": 100}


@pytest.mark.parametrize(
    ("current", "room", "shown"),
    one_in(
        3,
        [
            ("A", 350, ("Today", "A", "B", "C")),
            ("A", 349, ("Today", "A", "B")),
            ("C", 300, ("Today", "A", "C")),
            ("C", 0, ("Today", "C")),
            ("Today", 130, ("Today",)),
            ("gone", 200, ("Today", "A")),
        ],
    ),
)
def test_the_first_and_the_current_tab_stay(current: str, room: int, shown: tuple[str, ...]) -> None:
    assert tabs_that_fit(WIDTHS, current, room, 40) == shown


@pytest.fixture
def planner(window: MainWindow, qapp: QApplication) -> MainWindow:
    window.resize(1280, 800)
    qapp.processEvents()
    return window


def seen(planner: MainWindow) -> list[str]:
    return [name for name, tab in planner.scenario_bar.tabs.items() if tab.isVisible()]


@pytest.mark.long
def test_twenty_plans_keep_the_bar_whole_and_all_can_be_reached(planner: MainWindow) -> None:
    bar = planner.scenario_bar
    planner.session.document.edit("x", many_plans(planner.session.document.project, 20))
    QApplication.processEvents()
    shown = seen(planner)
    assert shown[0] == TODAY
    assert planner.session.scenario in shown
    listed = [action.text() for action in bar.more.menu().actions()]
    assert bar.more.text() == f"{len(listed)} more"
    assert sorted([*shown, *listed]) == sorted(
        [TODAY, *(p.name for p in planner.session.document.project.scenarios)]
    )
    assert bar.export.geometry().right() < bar.width()
    bar.more.menu().actions()[-1].trigger()
    QApplication.processEvents()
    assert planner.session.scenario == "Plan 19 of many"
    assert "Plan 19 of many" in seen(planner)
    assert planner.width() == 1280
    planner.resize(1900, 800)
    QApplication.processEvents()
    assert len(seen(planner)) > len(shown)


@pytest.mark.long
def test_a_new_plan_starts_from_whatever_is_chosen(planner: MainWindow) -> None:
    menu = planner.scenario_bar.new_from.menu()
    names = [action.text() for action in menu.actions()]
    assert names == [TODAY, *(plan.name for plan in planner.session.document.project.scenarios)]
    planner.session.gestures.turn_greenfield()
    origin = planner.session.scenario
    planner.choose_scenario(names[2])
    menu.actions()[names.index(origin)].trigger()
    plans = planner.session.document.project.scenarios
    assert planner.session.scenario == plans[-1].name
    assert plans[-1].greenfield
    planner.scenario_bar.new_from.menu().actions()[0].trigger()
    assert planner.session.document.project.scenarios[-1].start == AS_TODAY


@pytest.mark.long
def test_duplicate_reorder_and_back(planner: MainWindow) -> None:
    before = planner.session.document.project
    planner.actions_by_id["duplicate_plan"].trigger()
    names = [plan.name for plan in planner.session.document.project.scenarios]
    assert names[1] == planner.session.scenario
    assert len(names) == 3
    planner.actions_by_id["plan_right"].trigger()
    planner.actions_by_id["plan_right"].trigger()
    assert [plan.name for plan in planner.session.document.project.scenarios] == [
        names[0],
        names[2],
        names[1],
    ]
    assert list(planner.scenario_bar.tabs) == [TODAY, names[0], names[2], names[1]]
    assert planner.session.document.undo_stack.undoText() == f"Move {names[1]} right"
    planner.actions_by_id["plan_left"].trigger()
    assert [plan.name for plan in planner.session.document.project.scenarios] == names
    for _ in range(3):
        planner.session.document.undo_stack.undo()
    assert planner.session.document.project is before
