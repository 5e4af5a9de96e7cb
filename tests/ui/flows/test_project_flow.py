"""Opening, saving and leaving: the real document, evaluator and saver under a window."""

import csv
from pathlib import Path
from unittest.mock import MagicMock

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from gpuplanner.app.evaluating.evaluator import Evaluator
from gpuplanner.domain.edits.workloads import move_workloads
from gpuplanner.domain.model.tables import Pool
from gpuplanner.files.project.project_file import open_project, save_project
from gpuplanner.ui.flows import project_flow
from gpuplanner.ui.flows.exports import export_flow
from gpuplanner.ui.flows.project_flow import ProjectFlow
from gpuplanner.ui.importing.import_dialog import ImportDialog
from gpuplanner.ui.kit import file_dialogs, small_dialogs
from gpuplanner.ui.kit.small_dialogs import Question
from tests.some_of import one_in, some_of
from tests.ui.pseudo import Pseudo
from tests.ui.sample_world import key_of, sample_project

KEY = key_of("agent-rollouts")


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """The sample as a file."""
    save_project(sample_project(), tmp_path / "sample.gpuplan")
    return tmp_path / "sample.gpuplan"


@pytest.fixture
def unevaluated(monkeypatch: pytest.MonkeyPatch) -> None:
    """No figures are worked out, for tests that look at none."""
    monkeypatch.setattr(Evaluator, "evaluate_soon", lambda *_: None)


def opened(flow: ProjectFlow, path: Path, qtbot: QtBot) -> None:
    flow.open(path)
    qtbot.waitUntil(lambda: flow.document.path == path)


def edit(flow: ProjectFlow) -> None:
    document = flow.document
    plan = document.project.scenarios[0].name
    document.edit("Move agent-rollouts to burst", move_workloads(document.project, plan, [KEY], Pool.BURST))


def test_nothing_open_shows_the_welcome_page(flow: ProjectFlow) -> None:
    assert not flow.session.has_workspace


@pytest.mark.long
def test_a_file_is_opened_evaluated_and_remembered(flow: ProjectFlow, saved: Path, qtbot: QtBot) -> None:
    opened(flow, saved, qtbot)
    qtbot.waitUntil(lambda: flow.session.evaluator.evaluation is not None, timeout=60_000)
    assert flow.session.has_workspace
    assert flow.settings.recent_files[0] == saved
    assert flow.session.window.corner_text.text() == "sample.gpuplan \u00b7 saved"


@pytest.mark.long
@pytest.mark.usefixtures("unevaluated")
def test_a_damaged_file_leaves_everything_as_it_was(
    flow: ProjectFlow, saved: Path, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened(flow, saved, qtbot)
    before = flow.document.project
    told: list[Exception] = []
    monkeypatch.setattr(project_flow, "show_error", lambda parent, error: told.append(error))
    monkeypatch.setattr(
        "gpuplanner.ui.kit.small_dialogs.show_error", lambda parent, error: told.append(error)
    )
    bad = tmp_path / "bad.gpuplan"
    bad.write_bytes(saved.read_bytes()[:4096])
    flow.open(bad)
    qtbot.waitUntil(lambda: bool(told))
    assert flow.document.project is before and flow.document.path == saved


@pytest.mark.long
@pytest.mark.usefixtures("unevaluated")
def test_save_writes_what_is_shown(flow: ProjectFlow, saved: Path, qtbot: QtBot) -> None:
    opened(flow, saved, qtbot)
    edit(flow)
    assert flow.session.window.corner_text.text().endswith("not saved")
    flow.save()
    qtbot.waitUntil(lambda: not flow.document.is_modified)
    assert open_project(saved).scenarios[0].pools[KEY] is Pool.BURST


@pytest.mark.usefixtures("unevaluated")
@pytest.mark.parametrize(
    ("answer", "goes_on"), one_in(2, [("Cancel", False), ("", False), (project_flow.DISCARD, True)])
)
def test_changes_are_asked_about_before_they_could_be_lost(
    flow: ProjectFlow, saved: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, answer: str, goes_on: bool
) -> None:
    opened(flow, saved, qtbot)
    edit(flow)
    asked: list[str] = []
    monkeypatch.setattr(
        project_flow, "ask", lambda parent, title, text, answers: asked.append(text) or answer
    )
    flow.new()
    assert len(asked) == 1
    assert (not flow.document.project.workloads) is goes_on


@pytest.mark.usefixtures("unevaluated")
def test_save_as_the_answer_saves_first_and_then_goes_on(
    flow: ProjectFlow, saved: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened(flow, saved, qtbot)
    edit(flow)
    monkeypatch.setattr(project_flow, "ask", lambda *_: project_flow.SAVE)
    flow.new()
    qtbot.waitUntil(lambda: not flow.document.project.workloads)
    assert open_project(saved).scenarios[0].pools[KEY] is Pool.BURST


@pytest.mark.long
@pytest.mark.usefixtures("unevaluated")
def test_closing_with_changes_asks_and_stays_on_cancel(
    new_flow: ProjectFlow, saved: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened(new_flow, saved, qtbot)
    edit(new_flow)
    monkeypatch.setattr(project_flow, "ask", lambda *_: "Cancel")
    event = QCloseEvent()
    new_flow.session.window.closeEvent(event)
    assert not event.isAccepted() and new_flow.session.window.isVisible()


@pytest.mark.long
@pytest.mark.usefixtures("unevaluated")
@pytest.mark.parametrize("answer", some_of([project_flow.SAVE, project_flow.DISCARD], quick=1), ids=str)
def test_closing_with_changes_closes_once_they_are_discarded_or_saved(
    new_flow: ProjectFlow, saved: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    opened(new_flow, saved, qtbot)
    edit(new_flow)
    asked: list[str] = []
    monkeypatch.setattr(project_flow, "ask", lambda parent, title, *_: asked.append(title) or answer)
    window = new_flow.session.window
    window.close()  # the real way: closeEvent runs inside it
    qtbot.waitUntil(lambda: not isValid(window) or not window.isVisible())
    assert len(asked) == 1
    kept = open_project(saved).scenarios[0].pools.get(KEY)
    assert (kept is Pool.BURST) is (answer == project_flow.SAVE)


@pytest.mark.usefixtures("unevaluated")
def test_a_project_among_dropped_files_is_opened(flow: ProjectFlow, saved: Path, qtbot: QtBot) -> None:
    flow.take_files([str(saved)])
    qtbot.waitUntil(lambda: flow.document.path == saved)


@pytest.mark.long
def test_a_move_settles_and_undo_brings_the_old_figures_back(
    flow: ProjectFlow, saved: Path, qtbot: QtBot
) -> None:
    opened(flow, saved, qtbot)
    evaluator = flow.session.evaluator
    qtbot.waitUntil(lambda: evaluator.is_settled and evaluator.evaluation is not None, timeout=120_000)
    before = flow.session.window.headline.buttons[0].figure.plan
    edit(flow)
    qtbot.waitUntil(lambda: evaluator.is_settled and evaluator.evaluation.advice is not None, timeout=120_000)
    flow.document.undo_stack.undo()
    qtbot.waitUntil(lambda: evaluator.is_settled and evaluator.evaluation.advice is not None, timeout=120_000)
    assert flow.session.window.headline.buttons[0].figure.plan == before


@pytest.mark.parametrize(
    ("answer", "is_replaced"), one_in(2, [("Keep it", False), ("", False), ("Replace", True)])
)
def test_focus_rows_are_exported_and_no_file_is_replaced_unasked(
    flow: ProjectFlow,
    saved: Path,
    tmp_path: Path,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
    answer: str,
    is_replaced: bool,
) -> None:
    opened(flow, saved, qtbot)
    target = tmp_path / "rows.csv"
    target.write_text("what was there", encoding="utf-8")
    asked: list[str] = []
    ends: list[Path] = []
    monkeypatch.setattr(
        small_dialogs, "Question", lambda parent, title, text, **_: ends.append(Path(text)) or MagicMock()
    )
    monkeypatch.setattr(
        file_dialogs.QFileDialog, "getSaveFileName", lambda *_: (str(target.with_suffix("")), "")
    )
    monkeypatch.setattr(small_dialogs, "ask", lambda parent, title, *_: asked.append(title) or answer)
    flow.session.window.actions_by_id["export_focus"].trigger()
    assert asked == ["Replace rows.csv?"]
    if is_replaced:
        qtbot.waitUntil(lambda: ends == [target], timeout=60_000)
    text = target.read_text(encoding="utf-8")
    assert text.startswith("BillingCurrency,") is is_replaced
    assert (text == "what was there") is not is_replaced


def test_public_prices_come_with_a_source_through_the_import(
    flow: ProjectFlow, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: list[str] = []
    monkeypatch.setattr(flow, "take_files", taken.extend)
    flow.session.window.actions_by_id["public_prices"].trigger()
    (path,) = taken
    with Path(path).open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert rows and all(row["source"] for row in rows)


def test_in_another_language_too_replace_is_replace(
    flow: ProjectFlow, tmp_path: Path, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "rows.csv"
    target.write_text("what was there", encoding="utf-8")
    ends: list[Path] = []
    exports = flow.session.window.findChild(export_flow.ExportFlow)
    monkeypatch.setattr(exports, "export_to", ends.append)
    monkeypatch.setattr(
        file_dialogs.QFileDialog, "getSaveFileName", lambda *_: (str(target.with_suffix("")), "")
    )
    monkeypatch.setattr(Question, "exec", lambda question: question.findChildren(QPushButton)[-1].click())
    translator = Pseudo()
    qapp.installTranslator(translator)
    try:
        exports.export_focus()
    finally:
        qapp.removeTranslator(translator)
    assert ends == [target]


@pytest.mark.long
@pytest.mark.usefixtures("unevaluated")
def test_a_table_of_planned_work_dropped_on_the_window_comes_into_the_shown_plan(
    flow: ProjectFlow, saved: Path, qtbot: QtBot, tmp_path: Path
) -> None:
    opened(flow, saved, qtbot)
    window, document = flow.session.window, flow.document
    window.choose_scenario(document.project.scenarios[1].name)
    table = tmp_path / "next.csv"
    table.write_text(
        "name,pool,gpu_model,gpus,team\nnext,training,H100,8,lab\nbad,none,H100,8,\n", encoding="utf-8"
    )

    def take_in() -> None:
        dialog = QApplication.activeModalWidget()
        if isinstance(dialog, ImportDialog) and not dialog.is_working and dialog.foot.next.isEnabled():
            dialog.foot.next.click()
        else:
            QTimer.singleShot(50, take_in)

    QTimer.singleShot(50, take_in)
    window.session.asks.files_dropped.emit([str(table)])
    first, second = document.project.scenarios[:2]
    assert not first.planned and [work.key for work in second.planned] == ["/lab/next"]
    assert document.undo_stack.undoText() == "Import next.csv"
    assert str(second.decisions[-1].text) == "Import next.csv"
    file = document.project.intake[-1]
    assert (file.kind, file.rows_read, file.rows_accepted, file.rows_rejected) == ("planned", 2, 1, 1)
