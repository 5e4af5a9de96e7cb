"""The checklist: what is there, what is missing, what adds it; it goes by itself when all is there."""

from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from gpuplanner.domain.audit.result import Check
from gpuplanner.domain.model.amounts import NOTHING_KNOWN, PartSum
from gpuplanner.domain.model.plan.scenario import TODAY
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import DAY_S
from gpuplanner.ui.flows.project_flow import new_project
from gpuplanner.ui.frame.checklist import (
    ADD_CONTRACTS,
    ADD_LOG,
    BUTTONS,
    LOOK_AT_REVIEW,
    PUBLIC_PRICES,
    checklist_steps,
    lead_words,
)
from gpuplanner.ui.state.view_state import next_view_state
from gpuplanner.ui.window.main_window import MainWindow
from gpuplanner.ui.words import numbers
from tests.ui.sample_world import evaluation_of, sample_project

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


def test_one_sentence_leads_on_after_an_import_until_it_is_hidden(window: MainWindow, qtbot: QtBot) -> None:
    lead, session = window.middle.lead, window.session
    assert lead.isHidden()
    session.is_led_on = True
    window.show_evaluation(session.evaluation)
    words = lead.sentence.text()
    audit = session.evaluation.audit
    assert numbers.dollars(audit.spend) in words and numbers.dollars(audit.unused_per_month) in words
    unused = {one.cluster: 0.0 for one in audit.contracts}
    for one in audit.contracts:
        unused[one.cluster] += one.unused_per_month or 0.0
    most = max(unused, key=lambda name: unused[name])
    assert words.startswith(f"{most}: idle cost {numbers.dollars(unused[most])} per month")
    rows = tuple(replace(one, cluster="") for one in audit.contracts)
    alone = replace(session.evaluation, audit=replace(audit, contracts=rows))
    first = max(rows, key=lambda one: one.unused_per_month or 0.0)  # of one cluster that has no name
    assert lead_words(next_view_state(None, alone), 0).startswith(f"{first.contract_id}: ")
    lead.why.click()
    qtbot.waitUntil(window.why.isVisible)
    window.why.hide()
    window.hide_lead()
    window.show_evaluation(session.evaluation)
    assert lead.isHidden()


def test_the_sentence_names_the_nearest_day_that_asks_for_an_act_on_whichever_cluster() -> None:
    now_s = WHOLE.window.end_s
    audit = evaluation_of(WHOLE, TODAY).audit
    worst = max(audit.contracts, key=lambda one: one.unused_per_month or 0.0)
    days = {one.contract_id: 100 + 10 * at for at, one in enumerate(WHOLE.contracts)}
    days[worst.contract_id] = 300
    near = min(days, key=lambda name: days[name])
    contracts = tuple(
        replace(one, end_s=now_s + days[one.contract_id] * DAY_S, notice_days=30) for one in WHOLE.contracts
    )
    project = replace(WHOLE, contracts=contracts)
    shown = next_view_state(None, replace(evaluation_of(project, TODAY), audit=audit))
    day = numbers.date(now_s + (days[near] - 30) * DAY_S - 1)
    assert near != worst.contract_id
    words = lead_words(shown, now_s)
    assert words.startswith(worst.cluster)
    assert f"Next, by {day}: " in words and words.endswith(f": {near}.")
    assert "Next" not in lead_words(shown, now_s + 300 * DAY_S)


@pytest.mark.parametrize(
    ("others", "words"),
    [
        ({"unused_per_month": 0.0}, ""),
        ({"spend": None, "unused_per_month": None}, "of \u2265 $"),
        ({"spend": None, "known_parts": NOTHING_KNOWN}, ""),
        (
            {
                "unused_per_month": 0.0,
                "checks": (
                    Check(code="gpu_model_unpriced", severity="amber", subject="rtx30", message="so"),
                ),
            },
            "Missing: GPU model without a price: rtx30.",
        ),
    ],
)
def test_where_not_all_is_known_it_says_at_least_or_what_is_missing(
    others: dict[str, Any], words: str
) -> None:
    evaluation = evaluation_of(WHOLE, TODAY)
    first, *rest = evaluation.audit.contracts
    parts = PartSum(9.0, 2, (first.contract_id,))
    contracts = (replace(first, unused_per_month=None), *rest)
    audit = replace(evaluation.audit, checks=(), known_parts=parts, contracts=contracts)
    shown = next_view_state(None, replace(evaluation, audit=replace(audit, **others)))
    found = lead_words(shown, WHOLE.window.end_s)
    assert words in found and bool(words) == bool(found)
