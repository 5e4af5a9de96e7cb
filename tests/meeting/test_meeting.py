"""Each question of the meeting has one answer: the window, the command line and the workbook say the same number."""

import json
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication, QDialog

from gpuplanner.cli.run import run
from gpuplanner.domain.commitment.plan.comparison import Horizon
from gpuplanner.domain.model.plan.scenario import TODAY
from gpuplanner.domain.model.project import Project
from gpuplanner.files.project.project_file import open_project
from gpuplanner.files.workbook.write import write_workbook
from gpuplanner.ui.window.command_palette import best
from gpuplanner.ui.window.main_window import MainWindow
from tests.meeting.books import PlanBook
from tests.meeting.eyes import number_in
from tests.meeting.first_twenty import FIRST_TWENTY
from tests.meeting.next_twenty import NEXT_TWENTY
from tests.meeting.page import PAGE, page_text
from tests.meeting.paths import value_at
from tests.meeting.question import UNITS, Answer, Question
from tests.ui.plans_world import NOW_S, opened_again, settle, wait_until

QUESTIONS = (*FIRST_TWENTY, *NEXT_TWENTY)
SAME = 1e-9
"""How far, of its size, a cell may be from JSON: both are worked out in floating point, one of them twice."""


def begin(window: MainWindow, project: Project) -> None:
    """The window as a meeting finds it: opened, nothing asked."""
    opened_again(window, project)
    window.session.horizons.update({False: Horizon.NEXT_MONTH, True: Horizon.TWELVE_MONTHS})
    if window.actions_by_id["what_if"].isChecked():
        window.actions_by_id["what_if"].trigger()
    QApplication.processEvents()


def close_dialogs(window: MainWindow) -> None:
    """None stays for the next question."""
    for dialog in window.findChildren(QDialog):
        if dialog.isVisible():
            dialog.close()
    QApplication.processEvents()


def seen(window: MainWindow, question: Question) -> list[str]:
    """Ask it with the question's hands; what the window says to each of its answers."""
    for hand in question.hands:
        hand.do(window)
    found = []
    for answer in question.answers:
        for hand in answer.hands:
            hand.do(window)
        settle(window)
        window.docks.show_waiting()
        rest(window)
        found.append(answer.window.read(window))
    return found


def rest(window: MainWindow) -> None:
    """Wait for what panels work out in threads of their own once they are seen."""
    QApplication.processEvents()
    asked = [one for one in window.findChildren(QObject) if hasattr(type(one), "is_busy")]
    wait_until(lambda: not any(one.is_busy for one in asked))


def written(window: MainWindow, path: Path) -> PlanBook:
    """The workbook of the plan that the window shows; of Today that of its first plan, which has it too."""
    if window.session.scenario == TODAY:
        window.choose_scenario(window.session.document.project.scenarios[0].name)
        settle(window)
    evaluation = window.session.evaluator.evaluation
    assert evaluation is not None
    write_workbook(evaluation, path, NOW_S)
    return PlanBook(path)


def _placed(word: str, places: dict[str, str]) -> str:
    """A word of a command with the folders of its files."""
    for name, place in places.items():
        word = word.replace(name, place)
    return word


def document_of(question: Question, project: Path, folder: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    """What the question's command prints with --json."""
    for name, text in question.files.items():
        (folder / name).write_text(text)
    places = {"{folder}": str(folder), "{inputs}": str(project.parent / "inputs")}
    command, *words = (_placed(word, places) for word in question.command)
    capsys.readouterr()
    status = run([command, str(project), *words, "--json"], NOW_S)
    said = capsys.readouterr()
    assert status == 0, said.err
    return json.loads(said.out)


def hold(answer: Answer, shown: str, told: Any, cell: object) -> None:
    """One number in three places, rounded only as it is shown; unknown only with its reason beside it."""
    number, times = number_in(shown), UNITS[answer.unit]
    if told is None or number is None:
        assert answer.reason, f"{answer.what}: unknown, and nothing says why: {shown!r}, {told!r}, {cell!r}"
        assert answer.reason in shown
        assert told is None
        assert not isinstance(cell, int | float), cell
        return
    value, last_digit = number
    slack = last_digit if answer.part else 0.5 * last_digit
    assert abs(value - times * told) <= slack * (1 + 1e-9), f"{answer.what}: window {shown}, JSON {told}"
    assert isinstance(cell, int | float), f"{answer.what}: JSON {told}, workbook {cell!r}"
    assert cell == pytest.approx(told, rel=SAME, abs=1e-6), f"{answer.what}: JSON {told}, workbook {cell}"


def ask(
    question: Question, window: MainWindow, project: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ask one question in the three ways, and hold its answers together."""
    begin(window, open_project(project))
    shown = seen(window, question)
    document = document_of(question, project, folder, capsys)
    book = written(window, folder / "book.xlsx")
    close_dialogs(window)
    for answer, text in zip(question.answers, shown, strict=True):
        told = value_at(document, answer.at)
        assert answer.cell is not None or answer.no_cell, answer.what
        hold(answer, text, told, told if answer.cell is None else book.value(answer.cell))
    book.close()


def test_the_first_question_has_one_answer(
    small_window: MainWindow, small_path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ask(FIRST_TWENTY[0], small_window, small_path, tmp_path, capsys)


@pytest.mark.long
@pytest.mark.parametrize("question", QUESTIONS, ids=lambda one: str(one.number))
def test_every_question_of_the_meeting_has_one_answer(
    question: Question,
    demo_window: MainWindow,
    demo_path: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    ask(question, demo_window, demo_path, tmp_path, capsys)


def test_the_questions_are_numbered_in_order_and_each_has_an_answer() -> None:
    found = [question.number for question in QUESTIONS]
    assert found == sorted(found)
    assert len({question.words for question in QUESTIONS}) == len(QUESTIONS)
    assert all(question.answers for question in QUESTIONS)


def test_the_page_of_questions_is_what_these_say() -> None:
    assert PAGE.read_text("utf-8") == page_text(), "run `python -m tests.meeting.page`"


@pytest.mark.long
def test_the_words_of_a_question_find_what_answers_it(demo_window: MainWindow, demo_path: Path) -> None:
    begin(demo_window, open_project(demo_path))
    said = [pair for question in QUESTIONS for pair in question.found_by]
    found = {
        typed: [one.title for one in best(typed, demo_window.commands(), lambda one: one.texts, 3)]
        for typed, _ in said
    }
    assert {typed: found[typed] for typed, title in said if title not in found[typed]} == {}
