"""Asked in words in the window: one sentence in a dialog; what is kept is one step of Undo, what is not is none."""

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from gpuplanner.app.past import waits
from gpuplanner.app.past.waits import KeptQueue
from gpuplanner.domain.ask import answers
from gpuplanner.domain.figures.cash import OWED
from gpuplanner.domain.model.tables import Pool
from gpuplanner.ui.plans.ask_dialog import AskDialog
from gpuplanner.ui.window.command_palette import CommandPalette, asking
from gpuplanner.ui.window.main_window import MainWindow
from tests.ui.plans_world import opened_again, plans_project, settle, shared_window

PROJECT = plans_project()


@pytest.fixture(scope="module")
def shared(qapp: QApplication) -> Iterator[MainWindow]:
    yield from shared_window(PROJECT)


@pytest.fixture
def window(shared: MainWindow, qtbot: QtBot) -> MainWindow:
    opened_again(shared, PROJECT)
    settle(shared)
    return shared


def dialog_of(qtbot: QtBot, window: MainWindow, typed: str) -> AskDialog:
    """What opens, once it has its answer."""
    window.ask_flow.ask(typed)
    dialog = next(one for one in window.findChildren(AskDialog) if one.isVisible())
    qtbot.waitUntil(lambda: not dialog.sentence.text().startswith("Calculating"))
    return dialog


@pytest.mark.long
def test_a_change_is_kept_as_one_step_or_not_at_all(qtbot: QtBot, window: MainWindow) -> None:
    document, before = window.session.document, window.session.document.project
    dialog = dialog_of(qtbot, window, "no spot")
    assert dialog.sentence.text().startswith("The plan costs $")
    dialog.discard.click()
    assert document.project is before
    dialog = dialog_of(qtbot, window, "no spot")
    dialog.keep.click()
    assert document.project.scenario(window.session.scenario).assumptions["spot"] is False
    document.undo_stack.undo()
    assert not document.project.scenario(window.session.scenario).assumptions


def test_a_question_shows_where_its_figures_stand(qtbot: QtBot, window: MainWindow) -> None:
    dialog = dialog_of(qtbot, window, "what do we owe if everything stops?")
    assert dialog.sentence.text().startswith(f"{OWED['owed'].title} ")
    assert not dialog.keep.isVisible()
    dialog.page.click()
    assert window.docks.cost.isVisible()


def test_who_waits_is_read_from_the_kept_rows(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.ask_flow.hear_queue(KeptQueue(tmp_path))
    dialog = dialog_of(qtbot, window, "who waits")
    assert dialog.sentence.text().startswith("Unknown: no submit times")
    dialog.reject()
    queueing = SimpleNamespace()
    monkeypatch.setattr(waits, "has_rows", lambda *of: True)
    monkeypatch.setattr(KeptQueue, "read", lambda *of: queueing)
    monkeypatch.setitem(
        answers.READERS,
        "waits",
        lambda asked, stop, of, values: [
            answers.Number(title="P90", value=2.0 * (asked is queueing), unit="hours", path="")
        ],
    )
    dialog = dialog_of(qtbot, window, "how long will jobs wait")
    assert dialog.sentence.text() == "P90 2.0 h."
    dialog.reject()
    started, stopped = list[bool](), list[bool]()

    def until_stopped(asked, stop, of, values):
        started.append(True)
        for _ in range(20_000):
            if stop():
                break
            time.sleep(0.001)
        stopped.append(stop())
        return []

    monkeypatch.setitem(answers.READERS, "waits", until_stopped)
    window.ask_flow.ask("who waits")
    qtbot.waitUntil(lambda: bool(started))  # a question that is rejected before it starts never runs
    next(one for one in window.findChildren(AskDialog) if one.isVisible()).reject()
    qtbot.waitUntil(lambda: bool(stopped))
    assert stopped == [True], "what nobody waits for holds up no other question"


def test_what_is_not_understood_offers_what_can_be_asked(qtbot: QtBot, window: MainWindow) -> None:
    dialog = dialog_of(qtbot, window, "enter a rate")
    assert dialog.sentence.text().endswith(".")
    nearest = [one for one in dialog.findChildren(QPushButton) if one.toolTip().startswith("Ask this")]
    assert len(nearest) == 3
    dialog.reject()


@pytest.mark.long
def test_what_is_missing_is_typed_over_and_asked_again(qtbot: QtBot, window: MainWindow) -> None:
    offers = (*PROJECT.offers, replace(PROJECT.offers[0], offer_id="other", gpu_model="H200"))
    opened_again(window, replace(PROJECT, offers=offers))
    settle(window)
    typed = f"H200 instead of H100 for {Pool.TRAINING}"
    dialog = dialog_of(qtbot, window, typed)
    assert dialog.again.isVisible() and dialog.again.text() == f"{typed} at 1.5"
    assert dialog.again.selectedText() == "1.5"
    QTest.keyClicks(dialog.again, "2")
    QTest.keyClick(dialog.again, Qt.Key.Key_Return)
    again = next(one for one in window.findChildren(AskDialog) if one.isVisible())
    qtbot.waitUntil(lambda: again.keep.isEnabled())
    again.keep.click()
    (mapping,) = window.session.document.project.mappings
    assert (mapping.ratio, mapping.pool) == (2.0, "training")
    window.session.document.undo_stack.undo()


@pytest.mark.long
def test_what_is_understood_stands_first_in_the_palette(qtbot: QtBot, window: MainWindow) -> None:
    palette = CommandPalette(window.commands(), window, asking(window.ask_flow))
    qtbot.addWidget(palette)
    palette.show()
    for typed, place in (
        ("nothing over 12 months", 0),
        ("H200 instead of H100 for inference", 0),
        ("enter a rate", -1),
    ):
        palette.search.clear()
        QTest.keyClicks(palette.search, typed)
        assert palette.found[place].title == typed
    QApplication.processEvents()


def test_a_failure_after_the_dialog_is_gone_reaches_nobody(qtbot: QtBot, window: MainWindow) -> None:
    trying = window.ask_flow.trying
    dialog = dialog_of(qtbot, window, "no spot")
    dialog.reject()
    QApplication.sendPostedEvents(dialog, QEvent.Type.DeferredDelete)
    assert trying.receivers("2failed(PyObject)") == trying.receivers("2answered(PyObject)") == 0


def test_what_has_to_wait_is_not_called_not_understood(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    evaluator, session = type(window.session.evaluator), type(window.session)
    early = replace(window.session.evaluator.evaluation, outlook=None)

    def says(typed: str, begins: str) -> bool:
        dialog = dialog_of(qtbot, window, typed)
        dialog.reject()
        return dialog.sentence.text().startswith(begins)

    monkeypatch.setattr(evaluator, "evaluation", property(lambda self: early))
    for of_outlook in ("how sure is this", "what is on spot", "what do our limits cost"):
        assert says(of_outlook, "Still calculating")
    assert says("worst month", "The month")
    monkeypatch.setattr(evaluator, "evaluation", property(lambda self: None))
    assert says("no spot", "Still calculating")
    monkeypatch.setattr(session, "plan", property(lambda self: None))
    assert says("no spot", "Today is read only")


def test_while_it_is_worked_out_the_seconds_are_counted(qtbot: QtBot) -> None:
    """Twelve seconds of the same words looked as if nothing went on; an answer stays as it is."""
    dialog = AskDialog("who waits")
    qtbot.addWidget(dialog)
    first = dialog.sentence.text()
    assert first and dialog.clock.isActive()
    for _ in range(12):
        dialog.clock.timeout.emit()
    assert dialog.sentence.text().startswith(f"{first}: 12 s")
    dialog.show_answer("Nobody.")
    assert not dialog.clock.isActive() and dialog.sentence.text() == "Nobody."
