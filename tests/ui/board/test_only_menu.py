"""Only from a provider or a region, in the window: a menu of what there is, one step of Undo, said on the card."""

import pytest
from PySide6.QtWidgets import QApplication, QMenu

from gpuplanner.domain.model.book.only import Only
from gpuplanner.ui.board.menu import OnlyChoices, add_only_menu, only_choices
from gpuplanner.ui.window.main_window import MainWindow
from gpuplanner.ui.words.dated_words import only_words
from tests.ui.plans_world import KEYS, plans_project, settle

PROJECT = plans_project()
TRAIN, VLLM = KEYS[2], KEYS[3]


def test_the_menu_has_what_offers_and_contracts_name_and_a_mark_at_what_holds(qapp: QApplication) -> None:
    asked: list[Only] = []
    menu = QMenu()
    add_only_menu(menu, OnlyChoices(("Fern",), ("eu-1",), Only(region="eu-1")), asked.append)
    (only,) = [action.menu() for action in menu.actions()]
    named = [action for action in only.actions() if not action.isSeparator()]
    assert [action.text() for action in named] == ["Anybody", "Fern", "Region eu-1", "Anybody but Fern"]
    assert [action.isChecked() for action in named] == [False, False, True, False]
    for action in named:
        action.trigger()
    assert asked == [Only(), Only("Fern"), Only(region="eu-1"), Only(not_provider="Fern")]


def test_countries_that_may_be_are_named_as_they_are(qapp: QApplication) -> None:
    menu, asked = QMenu(), list[Only]()
    add_only_menu(menu, OnlyChoices(countries=("DE;FR", "Germany")), asked.append)
    only = menu.actions()[0].menu()
    assert isinstance(only, QMenu)
    assert [one.text() for one in only.actions() if not one.isSeparator()] == ["Anybody", "DE, FR", "Germany"]
    only.actions()[2].trigger()
    assert asked == [Only(country="DE;FR")]


def test_where_nothing_is_named_there_is_nothing_to_choose(qapp: QApplication) -> None:
    menu = QMenu()
    add_only_menu(menu, OnlyChoices(), lambda only: None)
    assert not menu.actions()[0].isEnabled()


@pytest.mark.long
def test_a_limit_is_one_step_and_stands_on_the_card(planner: MainWindow) -> None:
    provider = "Fern"
    planner.board.selection.select((TRAIN, VLLM), TRAIN)
    planner.board.ask_limit(Only(provider))
    settle(planner)
    plan = planner.session.document.project.scenarios[0]
    assert plan.only == dict.fromkeys((TRAIN, VLLM), Only(provider))
    assert planner.session.document.undo_stack.undoText() == f"Only {provider} for 2 workloads"
    assert str(plan.decisions[-1].text) == f"Only {provider} for 2 workloads"
    shown = planner.board.shown
    assert shown is not None and only_choices(shown, (TRAIN, VLLM)).now == Only(provider)
    assert only_choices(shown, (TRAIN, KEYS[0])).now is None
    assert only_words(plan, TRAIN) == f"Only {provider} may serve it"
    planner.session.document.undo_stack.undo()
    settle(planner)
    assert planner.session.document.project.scenarios[0].only == {}
