"""The checklist: what is there, what is missing, what adds it; it goes by itself when all is there."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from gpuplanner.domain.model.project import Project
from gpuplanner.ui.flows.project_flow import new_project
from gpuplanner.ui.frame.checklist import (
    ADD_CONTRACTS,
    ADD_LOG,
    BUTTONS,
    LOOK_AT_REVIEW,
    PUBLIC_PRICES,
    checklist_steps,
)
from gpuplanner.ui.window.main_window import MainWindow
from tests.ui.sample_world import sample_project

WHOLE = sample_project()
NO_LOG = replace(new_project(0), contracts=WHOLE.contracts, offers=WHOLE.offers)


@pytest.mark.parametrize(
    ("project", "asked"),
    [
        (replace(WHOLE, contracts=(), offers=()), [ADD_CONTRACTS, PUBLIC_PRICES]),
        (replace(WHOLE, contracts=()), [ADD_CONTRACTS]),
        (replace(WHOLE, offers=()), [PUBLIC_PRICES]),
        (NO_LOG, [ADD_LOG]),
        (replace(NO_LOG, offers=()), [ADD_LOG, PUBLIC_PRICES]),
        (replace(NO_LOG, contracts=()), [ADD_LOG, ADD_CONTRACTS]),
        (WHOLE, []),
        (new_project(0), []),
    ],
)
def test_each_step_that_is_missing_has_what_adds_it(project: Project, asked: list[str]) -> None:
    steps = checklist_steps(project, None)
    assert [step.asks for step in steps if not step.is_done] == asked
    assert len(steps) == (3 if asked else 0)


def test_the_review_queue_is_a_step_of_a_log() -> None:
    log = replace(WHOLE, contracts=(), offers=())
    assert checklist_steps(log, 3)[-1].asks == LOOK_AT_REVIEW
    assert checklist_steps(log, 0)[-1].is_done
    assert all(step.asks != LOOK_AT_REVIEW for step in checklist_steps(replace(NO_LOG, offers=()), 3))


def bar_is_shown(window: MainWindow) -> bool:
    return window.checklist.isVisible()


def test_it_comes_with_what_is_missing_and_goes_with_undo(window: MainWindow) -> None:
    assert not bar_is_shown(window)
    window.session.document.edit("Take prices out", replace(window.session.document.project, offers=()))
    assert bar_is_shown(window)
    window.session.document.undo_stack.undo()
    assert not bar_is_shown(window)


def test_its_buttons_do_what_they_say_with_mouse_and_keyboard(window: MainWindow) -> None:
    asked: list[str] = []
    window.session.asks.contracts_asked.connect(lambda: asked.append("contracts"))
    window.session.asks.public_prices_asked.connect(lambda: asked.append("prices"))
    window.session.document.edit(
        "Only a log", replace(window.session.document.project, contracts=(), offers=())
    )
    buttons = {view.button.text(): view.button for view in window.checklist.views if view.button.isVisible()}
    assert list(buttons) == [
        str(BUTTONS[ADD_CONTRACTS]),
        str(BUTTONS[PUBLIC_PRICES]),
        str(BUTTONS[LOOK_AT_REVIEW]),
    ]
    QTest.mouseClick(buttons["Add contracts"], Qt.MouseButton.LeftButton)
    buttons["Use public prices"].setFocus()
    QTest.keyClick(buttons["Use public prices"], Qt.Key.Key_Return)
    assert asked == ["contracts", "prices"]
    buttons["Review them"].click()
    shown = window.session.view_state
    assert shown is not None
    assert window.board.selection.current_key() in {card.key for card in shown.cards if card.in_review}


def test_it_can_be_hidden_and_brought_back(window: MainWindow) -> None:
    window.session.document.edit(
        "Only a log", replace(window.session.document.project, contracts=(), offers=())
    )
    window.checklist.hide_it.click()
    assert not bar_is_shown(window)
    assert not window.actions_by_id["checklist"].isChecked()
    window.actions_by_id["checklist"].trigger()
    assert bar_is_shown(window) and window.actions_by_id["checklist"].isChecked()


def test_what_is_done_is_said_to_who_listens(window: MainWindow) -> None:
    window.session.document.edit(
        "Only a log", replace(window.session.document.project, contracts=(), offers=())
    )
    names = [view.accessibleName() for view in window.checklist.views]
    assert names[0].startswith("Job log: there")
    assert names[1].startswith("Contracts: missing")
