"""History: every step by name, a jump to any of them, a reason whenever the planner has one, and the logs as files."""

import re
from collections.abc import Iterator
from decimal import Decimal

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from shiboken6 import delete

from gpuplanner.app.document import Document
from gpuplanner.charts.kit.translation import use_currency
from gpuplanner.domain import edits
from gpuplanner.domain.model.book.exchange import ExchangeRate
from gpuplanner.domain.model.plan.scenario import TODAY
from gpuplanner.domain.model.tables import POOLS, Pool
from gpuplanner.ui.flows.history_flow import REASON_STEPS
from gpuplanner.ui.kit.palettes import LIGHT
from gpuplanner.ui.kit.style_sheet import apply_palette
from gpuplanner.ui.panels.actions.history import HistoryPanel
from gpuplanner.ui.window.main_window import MainWindow
from tests.ui.conftest import activate
from tests.ui.fake_app import FakeEvaluator
from tests.ui.sample_world import evaluation_of, key_of, sample_project

NOW_S = 1_790_000_000


PROJECT = sample_project()
MOVED = str(edits.labels.move_label(PROJECT, (key_of("agent-rollouts"),), Pool.BURST))


@pytest.fixture(scope="module")
def shared(qapp: QApplication) -> Iterator[MainWindow]:
    """The sample in a window with a real document; one for all: making it takes longer than what is asked of it."""
    apply_palette(qapp, LIGHT)
    made = MainWindow(Document(PROJECT), FakeEvaluator(evaluation_of), now_s=NOW_S)
    made.resize(1440, 900)
    made.show_project(PROJECT)
    made.show()
    yield made
    made.close()
    delete(made)
    use_currency("USD")


@pytest.fixture
def planner(shared: MainWindow, qapp: QApplication) -> MainWindow:
    """The window as it was opened, with the panel in front."""
    shared.session.document.load(PROJECT)
    shared.choose_scenario(PROJECT.scenarios[0].name)
    shared.docks.raise_panel("history")
    shared.docks.history.reason.setModified(False)
    shared.docks.history.seen.emit()
    activate(shared)
    qapp.processEvents()
    return shared


def move(planner: MainWindow, name: str, pool: Pool) -> None:
    planner.session.gestures.move((key_of(name),), pool)


def steps(panel: HistoryPanel) -> list[tuple[str, str]]:
    rows = [panel.steps.row_at(at) for at in range(panel.steps.model().rowCount())]
    return [(row.cells[0].text, row.cells[0].role) for row in rows]


def now_at(panel: HistoryPanel) -> list[int]:
    rows = [panel.steps.row_at(at) for at in range(panel.steps.model().rowCount())]
    return [at for at, row in enumerate(rows) if row.cells[0].is_strong]


def test_steps_are_listed_and_a_click_goes_to_any_of_them(planner: MainWindow) -> None:
    panel, document = planner.docks.history, planner.session.document
    states = [document.project]
    move(planner, "agent-rollouts", Pool.BURST)
    states.append(document.project)
    planner.session.gestures.turn_greenfield()
    states.append(document.project)
    document.edit("Import jobs.csv", edits.inputs.set_title(document.project, "another"))
    states.append(document.project)
    named = [MOVED, str(edits.labels.greenfield_label(True)), "Import jobs.csv"]
    assert [name for name, _ in steps(panel)][1:] == named
    assert steps(panel)[0][0] not in ("", *named)
    assert now_at(panel) == [3]
    panel.steps.row_opened.emit("1")
    assert document.project is states[1]
    assert now_at(panel) == [1]
    assert [role for _, role in steps(panel)] == ["text", "text", "muted", "muted"]
    panel.steps.row_opened.emit("3")
    assert document.project is states[3]
    move(planner, "batch-scoring", Pool.BURST)
    panel.steps.row_opened.emit("0")
    assert document.project is states[0]
    assert len(steps(panel)) == 5


def test_random_jumps_through_the_panel_are_exact(planner: MainWindow) -> None:
    document, rng = planner.session.document, np.random.default_rng(2)
    names = ("agent-rollouts", "vllm-chat-eu", "nightly-eval")
    states = [document.project]
    for number in range(8):
        move(planner, names[number % 3], POOLS[int(rng.integers(0, 3))])
        if document.project is not states[-1]:
            states.append(document.project)
    for index in rng.integers(0, len(states), 6).tolist():
        planner.docks.history.step_chosen.emit(index)
        assert document.project is states[index]


def test_keys_choose_a_step_too(planner: MainWindow) -> None:
    panel = planner.docks.history
    move(planner, "agent-rollouts", Pool.BURST)
    move(planner, "batch-scoring", Pool.BURST)
    panel.steps.setFocus()
    panel.steps.setCurrentIndex(panel.steps.model().index(1, 0))
    QTest.keyClick(panel.steps, Qt.Key.Key_Return)
    assert planner.session.document.undo_stack.index() == 1


def test_a_reason_is_kept_with_its_decision_and_undone_like_anything_else(planner: MainWindow) -> None:
    panel, document = planner.docks.history, planner.session.document
    move(planner, "agent-rollouts", Pool.BURST)
    assert panel.asked_of.text() == MOVED
    panel.reason.setFocus()
    QTest.keyClicks(panel.reason, "stops at night")
    QTest.keyClick(panel.reason, Qt.Key.Key_Return)
    (decision,) = document.project.scenario(planner.session.scenario).decisions
    assert (str(decision.text), decision.reason) == (MOVED, "stops at night")
    assert NOW_S <= decision.at_s < NOW_S + 3600
    assert document.undo_stack.undoText() == f"{REASON_STEPS[0]}{MOVED[:1].lower()}{MOVED[1:]}"
    assert panel.decisions.rows[0].note == "stops at night"
    assert panel.asked_of.text() == MOVED  # not the step that gave the reason
    document.undo_stack.undo()
    assert document.project.scenario(planner.session.scenario).decisions[0].reason == ""
    document.undo_stack.undo()
    assert document.project.scenario(planner.session.scenario).decisions == ()


def test_an_earlier_step_and_an_earlier_decision_can_be_given_a_reason(planner: MainWindow) -> None:
    panel = planner.docks.history
    move(planner, "agent-rollouts", Pool.BURST)
    move(planner, "batch-scoring", Pool.BURST)
    panel.reason_asked.emit(1)
    assert panel.asked_of.text() == MOVED
    panel.reason.setText("first")
    panel.reason_given.emit("first")
    panel.decisions.row_opened.emit("decision", "1")
    assert panel.asked_of.text() == "Move batch-scoring to burst"
    panel.reason_given.emit("second")
    decisions = planner.session.document.project.scenario(planner.session.scenario).decisions
    assert [one.reason for one in decisions] == ["first", "second"]


def test_a_step_that_is_in_no_log_and_the_plan_itself_can_be_given_a_reason(planner: MainWindow) -> None:
    panel, document = planner.docks.history, planner.session.document
    panel.reason_given.emit("asked by finance")
    document.edit("Import jobs.csv", edits.inputs.set_title(document.project, "another"))
    panel.reason_given.emit("September was missing")
    decisions = document.project.scenario(planner.session.scenario).decisions
    assert [(one.text, one.reason) for one in decisions] == [
        (planner.session.scenario, "asked by finance"),
        ("Import jobs.csv", "September was missing"),
    ]


def test_what_is_being_typed_stays_while_the_window_goes_on(planner: MainWindow) -> None:
    panel = planner.docks.history
    move(planner, "agent-rollouts", Pool.BURST)
    panel.reason.setFocus()
    QTest.keyClicks(panel.reason, "half a sen")
    planner.session.gestures.turn_greenfield()
    assert panel.reason.text() == "half a sen"
    QTest.keyClick(panel.reason, Qt.Key.Key_Escape)
    assert panel.reason.text() == ""


def test_on_today_there_is_nothing_to_give_a_reason_for(planner: MainWindow) -> None:
    panel = planner.docks.history
    move(planner, "agent-rollouts", Pool.BURST)
    planner.choose_scenario(TODAY)
    planner.docks.raise_panel("history")
    assert not panel.reason.isEnabled()
    assert panel.decisions.rows == ()
    assert "Open a plan" in str(panel.decisions.empty_text)


def test_a_card_that_is_dragged_away_and_back_was_not_decided_of(planner: MainWindow) -> None:
    board, session = planner.board, planner.session
    plan = session.document.project.scenario(session.scenario)
    shown = session.view_state
    assert shown is not None
    card = next(one for one in shown.cards if not one.in_review and one.key not in plan.pools)
    other = next(pool for pool in POOLS if pool is not card.pool)
    board.workloads_moved.emit((card.key,), other)
    assert len(session.document.project.scenario(plan.name).decisions) == 1
    board.workloads_moved.emit((card.key,), card.pool)
    assert session.document.project.scenario(plan.name) == plan
    review = next(one for one in shown.cards if one.in_review)
    board.workloads_moved.emit((review.key,), review.classification.pool)  # out of review: that is one
    assert session.document.project.scenario(plan.name).pools[review.key] is review.classification.pool


def test_decisions_about_leaks_stand_in_the_same_log(planner: MainWindow) -> None:
    document = planner.session.document
    plan = document.project.scenario(planner.session.scenario)
    said = edits.plans.add_decision(
        document.project, plan.name, NOW_S, "Dismiss idle_after_training, atlas", "known"
    )
    document.edit("Dismiss", said)
    row = planner.docks.history.decisions.rows[0]
    assert (row.title, row.note) == ("Dismiss idle_after_training, atlas", "known")


def test_logs_are_copied_and_exported(planner: MainWindow, tmp_path) -> None:  # type: ignore[no-untyped-def]
    move(planner, "agent-rollouts", Pool.BURST)
    planner.docks.history.reason_given.emit("cheaper")
    planner.docks.history.copy_asked.emit()
    assert "Why: cheaper" in QApplication.clipboard().text()
    planner.plans.history.export_to(tmp_path / "log.csv")
    assert f"{MOVED},cheaper" in (tmp_path / "log.csv").read_text("utf-8-sig")


def test_the_action_brings_the_prompt_without_stopping_anything(planner: MainWindow) -> None:
    move(planner, "agent-rollouts", Pool.BURST)
    planner.docks.docks["history"].hide()
    planner.actions_by_id["note"].trigger()
    assert planner.docks.history.isVisible()
    assert planner.docks.history.reason.hasFocus()
    assert QApplication.activeModalWidget() is None


def test_a_drag_of_a_level_is_one_decision_and_keeps_its_last_name(planner: MainWindow) -> None:
    from gpuplanner.domain.model.plan.scenario import HandLayer

    for gpus in (3, 4, 5):
        layer = HandLayer(12, gpus)
        planner.session.gestures.set_levels(Pool.INFERENCE, "H100", (layer,), layer, False)
    planner.session.gestures.end_gesture()
    layer = HandLayer(12, 9)
    planner.session.gestures.set_levels(Pool.INFERENCE, "H100", (layer,), layer, False)
    decisions = planner.session.document.project.scenario(planner.session.scenario).decisions
    assert [str(one.text) for one in decisions] == [
        "Set 12-month level to 5 GPUs",
        "Set 12-month level to 9 GPUs",
    ]
    assert planner.session.document.undo_stack.count() == 2


def budget_in(code: str) -> str:
    return f"1,234,567 {code}"


def money(text: object) -> str:
    """The amount in the words of a step, with its sign; "" where there is none."""
    return "".join(re.findall(r"[\d,]{4,} \S+", str(text)))


def report_in(planner: MainWindow, code: str) -> None:
    document = planner.session.document
    document.edit(edits.labels.currency_label(code), edits.money.report_in(document.project, code))
    planner.docks.show_waiting()


def state_a_budget_and_go_to_euros(planner: MainWindow) -> None:
    document = planner.session.document
    rates = [ExchangeRate("EUR", Decimal("1.08"), "2026-10-01")]
    document.edit("State a rate", edits.money.with_exchange(document.project, rates))
    planner.session.gestures.set_assumption("budget_usd_per_month", 1_234_567.0)
    planner.docks.history.reason_given.emit("finance")
    report_in(planner, "EUR")


def test_steps_and_decisions_stay_in_the_money_that_they_were_made_in(planner: MainWindow) -> None:
    panel, document = planner.docks.history, planner.session.document
    state_a_budget_and_go_to_euros(planner)
    planner.session.gestures.set_assumption("budget_usd_per_month", 7_000.0)
    planner.session.gestures.set_assumption("budget_usd_per_month", 1_234_567.0)

    assert [money(row.title) for row in panel.decisions.rows] == [
        budget_in("\u20ac"),
        "7,000 \u20ac",
        budget_in("USD"),
    ]
    assert steps(panel)[3][0].startswith(REASON_STEPS[0])
    assert steps(panel)[4][0] == str(edits.labels.currency_label("EUR"))
    assert [money(name) for name, _ in steps(panel)[2:]] == [
        budget_in("USD"),
        budget_in("USD"),
        "",
        "7,000 \u20ac",
        budget_in("\u20ac"),
    ]
    assert (
        "finance" in panel.steps.row_at(2).cells[2].tip
    )  # its reason is found, and not given to the later one
    assert panel.steps.row_at(6).cells[2].icon == "why"
    panel.reason_asked.emit(2)
    assert (money(panel.asked_of.text()), panel.reason.text()) == (budget_in("USD"), "finance")
    panel.reason_given.emit("the board")
    decisions = document.project.scenario(planner.session.scenario).decisions
    assert [one.reason for one in decisions] == ["the board", "", ""]


@pytest.mark.long
def test_steps_read_alike_with_decisions_after_going_to_another_money_and_back(planner: MainWindow) -> None:
    panel = planner.docks.history
    state_a_budget_and_go_to_euros(planner)
    assert steps(panel)[2][0] == panel.decisions.rows[0].title and money(steps(panel)[2][0]) == budget_in(
        "USD"
    )
    report_in(planner, "USD")
    assert steps(panel)[2][0] == panel.decisions.rows[0].title and money(steps(panel)[2][0]) == budget_in(
        "USD"
    )
    assert "finance" in panel.steps.row_at(2).cells[2].tip
    for done in (4, 3):  # in euros, and in the dollars of before
        panel.step_chosen.emit(done)
        planner.docks.show_waiting()
        said = budget_in("USD" if done == 4 else "$")
        assert steps(panel)[2][0] == panel.decisions.rows[0].title and money(steps(panel)[2][0]) == said
        assert "finance" in panel.steps.row_at(2).cells[2].tip
    panel.step_chosen.emit(0)
    planner.docks.show_waiting()
    assert money(steps(panel)[2][0]) == budget_in("$")
