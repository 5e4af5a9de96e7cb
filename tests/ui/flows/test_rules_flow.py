"""Rules in the whole window: a decision is offered as a rule, the list orders and shares them, undo takes all back."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from gpuplanner.domain import edits
from gpuplanner.domain.model.tables import ClassRule, Pool
from gpuplanner.ui.flows import rules_flow
from gpuplanner.ui.flows.project_flow import ProjectFlow
from gpuplanner.ui.flows.rules_flow import RulesFlow
from gpuplanner.ui.kit.small_dialogs import Question
from gpuplanner.ui.plans.rule_dialog import RuleDialog
from gpuplanner.ui.plans.rules_dialog import RulesDialog
from tests.ui.pseudo import Pseudo
from tests.ui.sample_world import key_of, sample_project

LOOP = key_of("llm-judge-loop")
ROLLOUTS = ClassRule(
    rule_id="burst-rollout",
    field="name",
    pattern="rollouts?",
    pool=Pool.BURST,
    subtype="",
    confidence=0.97,
    reason="",
)
API = ClassRule(
    rule_id="training-api",
    field="name",
    pattern="api",
    pool=Pool.TRAINING,
    subtype="",
    confidence=0.97,
    reason="",
)


@pytest.fixture
def flow(flow: ProjectFlow, qtbot: QtBot) -> ProjectFlow:
    """A window on the sample, with everything real behind it; its plans are never advised on."""
    flow.document.load(replace(sample_project(), contracts=(), offers=()))
    qtbot.waitUntil(lambda: is_evaluated(flow))
    flow.session.window.choose_plan_view("board")
    return flow


def is_evaluated(flow: ProjectFlow) -> bool:
    """Whether the figures of the project as it is now are there."""
    evaluation = flow.session.evaluator.evaluation
    return evaluation is not None and evaluation.project is flow.document.project


def rules_of(flow: ProjectFlow) -> RulesFlow:
    made = flow.session.window.findChild(RulesFlow)
    assert isinstance(made, RulesFlow)
    return made


def in_dialog(kind: type, do: object, qtbot: QtBot) -> list[str]:
    """Do something in the next modal dialog of a kind; what went wrong there is told afterwards."""
    faults: list[str] = []

    def look(left: int = 200) -> None:
        dialog = QApplication.activeModalWidget()
        if not isinstance(dialog, kind):
            if left:
                QTimer.singleShot(50, lambda: look(left - 1))
            return
        try:
            do(dialog)  # type: ignore[operator]
        except Exception as error:
            faults.append(repr(error))
        finally:
            dialog.close()

    QTimer.singleShot(0, look)
    return faults


@pytest.mark.long
def test_a_decision_is_offered_as_a_rule_and_undo_takes_the_offer_back(
    flow: ProjectFlow, qtbot: QtBot
) -> None:
    board, document = flow.session.window.board, flow.document
    board.workloads_labelled.emit((key_of("sglang-agent-api"),), Pool.BURST)
    qtbot.waitUntil(lambda: board.offer.isVisible())
    assert "sglang-agent-api is burst" in board.offer.text and "“" in board.offer.text
    assert "(1 other)" in board.offer.text
    document.undo_stack.undo()
    assert not board.offer.isVisible()


@pytest.mark.long
def test_a_name_like_no_other_is_not_offered(flow: ProjectFlow, qtbot: QtBot) -> None:
    flow.session.window.board.workloads_labelled.emit((LOOP,), Pool.BURST)
    qtbot.waitUntil(lambda: not rules_of(flow).proposing.is_busy)
    assert not flow.session.window.board.offer.isVisible()


@pytest.mark.long
def test_the_offer_opens_the_dialog_with_a_preview_and_adding_is_one_undo_step(
    flow: ProjectFlow, qtbot: QtBot
) -> None:
    board, document = flow.session.window.board, flow.document
    board.workloads_labelled.emit((key_of("sglang-agent-api"),), Pool.BURST)
    qtbot.waitUntil(lambda: board.offer.isVisible())
    before = document.project
    done: list[str] = []

    def accept(dialog: RuleDialog) -> None:
        qtbot.waitUntil(lambda: dialog.table.model().rowCount() > 0)
        done.append(dialog.said.text())
        dialog.accept_button.click()

    faults = in_dialog(RuleDialog, accept, qtbot)
    board.offer.take.click()
    qtbot.waitUntil(lambda: bool(faults or document.project.rules))
    assert faults == []
    assert done[0].endswith("Amounts are today’s.")
    (rule,) = document.project.rules
    assert rule.pool is Pool.BURST
    assert "“" in document.undo_stack.undoText()
    document.undo_stack.undo()
    assert document.project is before


@pytest.mark.long
def test_a_rule_takes_its_cards_out_of_review(flow: ProjectFlow, qtbot: QtBot) -> None:
    document, evaluator = flow.document, flow.session.evaluator
    document.edit("Add rule", edits.class_rules.add_rule(document.project, ROLLOUTS))
    qtbot.waitUntil(lambda: is_evaluated(flow))
    card = next(card for card in evaluator.evaluation.figures.cards if card.name == "agent-rollouts")
    assert (card.in_review, card.pool, card.classification.source) == (False, Pool.BURST, "own_rule")


@pytest.mark.long
def test_the_list_orders_changes_and_removes_by_keys_and_counts_what_each_decides(
    flow: ProjectFlow, qtbot: QtBot
) -> None:
    document = flow.document
    document.edit("Add rules", edits.class_rules.add_rules(document.project, [ROLLOUTS, API]))
    qtbot.waitUntil(lambda: is_evaluated(flow))
    seen: list[object] = []

    def work(dialog: RulesDialog) -> None:
        model = dialog.table.model()
        qtbot.waitUntil(lambda: model.index(0, 5).data() == "1")
        seen.append([model.index(row, 5).data() for row in range(2)])
        dialog.select("training-api")
        QTest.keyClick(dialog, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
        seen.append([rule.rule_id for rule in document.project.rules])
        seen.append(dialog.selected)
        QTest.keyClick(dialog, Qt.Key.Key_Delete)
        seen.append([rule.rule_id for rule in document.project.rules])
        dialog.all.setChecked(True)
        seen.append(model.rowCount() > 20)
        seen.append(dialog.selected)

    faults = in_dialog(RulesDialog, work, qtbot)
    flow.session.window.actions_by_id["rules"].trigger()
    assert faults == []
    assert seen == [
        ["1", "2"],
        ["training-api", "burst-rollout"],
        "training-api",
        ["burst-rollout"],
        True,
        "burst-rollout",
    ]
    for _ in range(3):
        document.undo_stack.undo()
    assert document.project.rules == ()


def test_the_list_with_no_rules_says_what_to_do(flow: ProjectFlow, qtbot: QtBot) -> None:
    seen: list[object] = []

    def look(dialog: RulesDialog) -> None:
        seen.append(dialog.empty.isVisible())
        seen.append([name for name, button in dialog.buttons.items() if button.isEnabled()])

    faults = in_dialog(RulesDialog, look, qtbot)
    flow.session.window.actions_by_id["rules"].trigger()
    assert faults == []
    assert seen == [True, ["add", "import"]]


class Asked:
    """Stands in for the question of an import: gives one answer, and keeps what was asked."""

    given = ""
    seen: list[tuple[str, str, str]]

    def __init__(
        self, parent: object, title: str, text: str, answers: tuple[str, ...], note: str = ""
    ) -> None:
        Asked.seen.append((title, text, note))
        self.answer = Asked.given if Asked.given in map(str, answers) else ""

    def exec(self) -> None:
        pass

    deleteLater = exec  # noqa: N815


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> type[Asked]:
    Asked.seen, Asked.given = [], ""
    monkeypatch.setattr(rules_flow, "Question", Asked)
    return Asked


def test_rules_are_shared_as_a_file_after_a_preview_and_refused_rows_are_said(
    flow: ProjectFlow, tmp_path: Path, asked: type[Asked], qtbot: QtBot
) -> None:
    document, rules = flow.document, rules_of(flow)
    document.edit("Add rules", edits.class_rules.add_rules(document.project, [ROLLOUTS, API]))
    path = tmp_path / "shared.csv"
    rules.export_to(path)
    document.undo_stack.undo()
    path.write_text(path.read_text("utf-8") + "x,name,.*,burst,,,\n", encoding="utf-8")
    rules.import_files([str(path)])
    qtbot.waitUntil(lambda: bool(asked.seen))
    title, text, note = asked.seen[0]
    assert title == "Import 2 rules?"
    assert "Amounts are today’s." in text
    assert "Training: " in text
    assert note.startswith("shared.csv, row 4 ")
    assert document.project.rules == ()
    asked.given = "Import 2 rules"
    rules.import_files([str(path)])
    qtbot.waitUntil(lambda: len(document.project.rules) == 2)
    assert document.project.rules == (ROLLOUTS, API)
    assert document.undo_stack.undoText() == "Import 2 rules"
    rules.import_files([str(path)])
    qtbot.waitUntil(lambda: len(asked.seen) == 3)
    assert "\n2 " in asked.seen[2][1] or " 2 " in asked.seen[2][1]
    assert asked.seen[2][1] != text


def test_a_file_with_no_rule_in_it_says_why(flow: ProjectFlow, tmp_path: Path, asked: type[Asked]) -> None:
    path = tmp_path / "rules.csv"
    path.write_text("field,pattern,pool\nname,.*,burst\n", encoding="utf-8")
    rules_of(flow).import_files([str(path)])
    (said,) = asked.seen
    assert said[1].startswith("rules.csv, row 2 ")


def test_a_dropped_file_of_rules_is_taken_as_rules(
    flow: ProjectFlow, tmp_path: Path, asked: type[Asked], qtbot: QtBot
) -> None:
    path = tmp_path / "rules.csv"
    path.write_text("field,pattern,pool\nname,judge,burst\n", encoding="utf-8")
    asked.given = "Import 1 rule"
    flow.take_files([str(path)])
    qtbot.waitUntil(lambda: bool(flow.document.project.rules))
    assert [rule.pattern for rule in flow.document.project.rules] == ["judge"]


@pytest.mark.long
def test_in_another_language_too_import_imports(
    flow: ProjectFlow, tmp_path: Path, qtbot: QtBot, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    document, rules = flow.document, rules_of(flow)
    document.edit("Add rules", edits.class_rules.add_rules(document.project, [ROLLOUTS, API]))
    path = tmp_path / "shared.csv"
    rules.export_to(path)
    document.undo_stack.undo()
    monkeypatch.setattr(Question, "exec", lambda question: question.findChildren(QPushButton)[-1].click())
    translator = Pseudo()
    qapp.installTranslator(translator)
    try:
        rules.import_files([str(path)])
        qtbot.waitUntil(lambda: len(document.project.rules) == 2)
    finally:
        qapp.removeTranslator(translator)
