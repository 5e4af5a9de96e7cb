"""Two sessions on one project: who saves later is asked, and whatever is answered, nobody's work is lost."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import delete, isValid

from gpuplanner.app.differences import MANY, ONE, Difference, differences
from gpuplanner.app.document import Document
from gpuplanner.app.saving import Saver
from gpuplanner.domain.edits.changed_figures import count_changes
from gpuplanner.files.project import session_marks
from gpuplanner.files.project.project_backups import stamp_of
from gpuplanner.files.project.project_file import open_project, save_project
from gpuplanner.files.project.session_marks import Mark
from gpuplanner.ui.flows import project_flow
from gpuplanner.ui.flows.project_flow import ProjectFlow, SharedFileFlow
from gpuplanner.ui.flows.session import Session
from gpuplanner.ui.frame.changed_dialog import ChangedDialog, words_of
from gpuplanner.ui.frame.file_notice import FileNoticeBar
from gpuplanner.ui.kit import file_dialogs
from gpuplanner.ui.words.file_words import describe_session, figures_notice
from tests.ui.fake_app import FakeEvaluator
from tests.ui.sample_world import evaluation_of, sample_project

NOW_S = 1_790_812_800
LEVELS = Path(__file__).parents[2] / "files/project/golden/2026-11-30/levels.gpuplan"
"""A project whose figures changed since it was saved."""
WAIT_MS = 30_000


class Planner:
    """A session with its saver and what looks after its file, without the views."""

    def __init__(self) -> None:
        self._window = QWidget()
        self.document = Document(sample_project())
        self._saver = Saver(self.document)
        session = Session(self.document, FakeEvaluator(evaluation_of), self._window, NOW_S)
        self.notice = FileNoticeBar(self._window)
        self.shared = SharedFileFlow(session, self._saver, self.notice, self._saver.open)
        self._window.show()
        self.save, self.open = self._saver.save, self._saver.open

    def close(self) -> None:
        self._saver.close()
        self.shared.watch.close()
        delete(self._window)


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """The sample as a file, alone in a folder."""
    (tmp_path / "shared").mkdir()
    save_project(sample_project(), tmp_path / "shared" / "plan.gpuplan")
    return tmp_path / "shared" / "plan.gpuplan"


def opened(flow: Any, path: Path, qtbot: QtBot) -> Any:
    flow.open(path)
    qtbot.waitUntil(lambda: flow.document.path == path, timeout=WAIT_MS)
    return flow


@pytest.fixture
def sessions(qapp: QApplication, saved: Path, qtbot: QtBot) -> Iterator[Callable[[], Planner]]:
    """A maker of sessions that have the sample open."""
    with ExitStack() as stack:
        yield lambda: opened(stack.enter_context(closing(Planner())), saved, qtbot)


@pytest.fixture
def flow(new_flow: ProjectFlow, saved: Path, qtbot: QtBot) -> ProjectFlow:
    """A whole window that has the sample open, with everything real behind it but the figures."""
    new_flow.session.evaluator.evaluate_soon = lambda *_: None
    return opened(new_flow, saved, qtbot)


def retitle(flow: Any, title: str) -> None:
    flow.document.edit("Title", replace(flow.document.project, title=title))


def save(flow: Any, qtbot: QtBot) -> None:
    flow.save()
    qtbot.waitUntil(lambda: not flow.document.is_modified, timeout=WAIT_MS)


def answering(
    monkeypatch: pytest.MonkeyPatch, *answers: Callable[[ChangedDialog], None]
) -> list[ChangedDialog]:
    """Each time that it is asked, do this; which dialogs there were."""
    asked: list[ChangedDialog] = []
    ask = ChangedDialog.exec

    def answered(dialog: ChangedDialog) -> int:
        asked.append(dialog)
        QTimer.singleShot(0, dialog, lambda: answers[len(asked) - 1](dialog))
        return ask(dialog)

    monkeypatch.setattr(ChangedDialog, "exec", answered)
    return asked


def titles(path: Path) -> dict[str, str]:
    """Of the projects that lie there."""
    return {file.name: open_project(file).title for file in path.parent.glob("*.gpuplan")}


def test_who_saves_later_is_asked_and_keeping_both_loses_nothing(
    sessions: Callable[[], Planner], saved: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours, theirs = sessions(), sessions()
    retitle(theirs, "theirs")
    save(theirs, qtbot)
    retitle(ours, "ours")
    asked = answering(monkeypatch, lambda dialog: dialog.keep_both.click())
    save(ours, qtbot)
    assert len(asked) == 1
    assert titles(saved)["plan.gpuplan"] == "theirs"
    assert titles(saved)["plan (2).gpuplan"] == "ours"
    assert ours.document.path == saved.with_name("plan (2).gpuplan")
    for number in range(4):
        retitle(ours, f"ours {number}")
        save(ours, qtbot)
    assert len(asked) == 1
    assert titles(saved)["plan.gpuplan"] == "theirs"


def test_what_is_replaced_is_there_however_often_is_saved_after(
    sessions: Callable[[], Planner], saved: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours, theirs = sessions(), sessions()
    retitle(theirs, "theirs")
    save(theirs, qtbot)
    asked = answering(monkeypatch, lambda dialog: dialog.replace.click())
    for number in range(6):
        retitle(ours, f"ours {number}")
        save(ours, qtbot)
    assert len(asked) == 1
    assert titles(saved)["plan.gpuplan"] == "ours 5"
    assert [title for name, title in titles(saved).items() if ".replaced-" in name] == ["theirs"]


@pytest.mark.long
def test_not_answered_nothing_is_saved_and_nothing_goes_on(
    flow: ProjectFlow, saved: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = flow
    save_project(replace(sample_project(), title="theirs"), saved)
    retitle(ours, "ours")
    asked = answering(monkeypatch, lambda dialog: dialog.reject())
    monkeypatch.setattr(project_flow, "ask", lambda *_: project_flow.SAVE)
    ours.session.window.close()  # asks, saves, is told of the other version
    qtbot.waitUntil(lambda: len(asked) == 1 and ours.after_save is None, timeout=WAIT_MS)
    assert ours.session.window.isVisible() and ours.document.is_modified
    assert titles(saved)["plan.gpuplan"] == "theirs"


@pytest.mark.long
def test_closing_goes_on_once_both_are_kept(
    flow: ProjectFlow, saved: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = flow
    save_project(replace(sample_project(), title="theirs"), saved)
    retitle(ours, "ours")
    answering(monkeypatch, lambda dialog: dialog.keep_both.click())
    monkeypatch.setattr(project_flow, "ask", lambda *_: project_flow.SAVE)
    window = ours.session.window
    window.close()
    qtbot.waitUntil(lambda: not isValid(window) or not window.isVisible(), timeout=WAIT_MS)
    assert {"theirs", "ours"} <= set(titles(saved).values())


def test_a_third_version_after_the_answer_is_asked_about_again(
    sessions: Callable[[], Planner], saved: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = sessions()
    save_project(replace(sample_project(), title="second"), saved)
    retitle(ours, "ours")

    def replace_late(dialog: ChangedDialog) -> None:
        save_project(replace(sample_project(), title="third"), saved)
        dialog.replace.click()

    asked = answering(monkeypatch, replace_late, lambda dialog: dialog.replace.click())
    save(ours, qtbot)
    assert len(asked) == 2
    assert {"second", "third", "ours"} <= set(titles(saved).values())


def test_looking_says_what_differs_and_asks_on(
    sessions: Callable[[], Planner], saved: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours, project = sessions(), sample_project()
    key = project.workloads[0].key
    theirs = replace(project, notes={key: "<b>theirs</b>"})
    save_project(theirs, saved)
    retitle(ours, "ours")
    notes, title = differences(ours.document.project, theirs)
    said: list[str] = []

    def look(dialog: ChangedDialog) -> None:
        dialog.look.click()
        qtbot.waitUntil(lambda: not dialog.look.isEnabled(), timeout=WAIT_MS)
        said.extend(label.text() for label in dialog.findChildren(QLabel))
        assert dialog.keep_both.isDefault()
        dialog.keep_both.click()

    answering(monkeypatch, look)
    save(ours, qtbot)
    assert notes.only_theirs == (key,) and words_of(notes).endswith(f": {key}") and title.is_one
    assert words_of(notes) in said and words_of(title) in said


def test_theirs_that_cannot_be_opened_is_said_and_kept(
    sessions: Callable[[], Planner], saved: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = sessions()
    saved.write_bytes(b"no project")
    retitle(ours, "ours")

    def look(dialog: ChangedDialog) -> None:
        dialog.look.click()
        qtbot.waitUntil(lambda: not dialog.look.isEnabled(), timeout=WAIT_MS)
        assert any("cannot be opened" in label.text() for label in dialog.findChildren(QLabel))
        dialog.replace.click()

    answering(monkeypatch, look)
    save(ours, qtbot)
    (kept,) = saved.parent.glob("*.replaced-*")
    assert kept.read_bytes() == b"no project"


def test_a_file_that_was_only_touched_is_no_alarm(
    sessions: Callable[[], Planner], saved: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = sessions()
    content = saved.read_bytes()
    saved.unlink()
    saved.write_bytes(content)
    os.utime(saved, (1, 1))
    retitle(ours, "ours")
    asked = answering(monkeypatch)
    save(ours, qtbot)
    assert not asked


def test_a_file_that_is_gone_is_said_to_be_and_saved_anew(
    sessions: Callable[[], Planner], saved: Path, qtbot: QtBot
) -> None:
    ours = sessions()
    bar = ours.notice
    qtbot.wait(500)
    saved.unlink()
    qtbot.waitUntil(lambda: bar.notice is not None, timeout=WAIT_MS)
    assert bar.notice.title == "plan.gpuplan is gone"
    assert ours.document.is_modified  # closing asks: no file holds it
    save(ours, qtbot)
    assert stamp_of(saved) is not None
    qtbot.waitUntil(lambda: "is back" in bar.notice.title, timeout=WAIT_MS)


def test_gone_in_the_last_moment_is_said_too(
    sessions: Callable[[], Planner], saved: Path, qtbot: QtBot
) -> None:
    ours = sessions()
    retitle(ours, "ours")
    saved.unlink()
    save(ours, qtbot)
    qtbot.waitUntil(
        lambda: ours.notice.notice is not None and "is back" in ours.notice.notice.title, timeout=WAIT_MS
    )
    assert open_project(saved).title == "ours"


def test_a_change_by_somebody_else_is_seen_while_it_is_open(
    sessions: Callable[[], Planner], saved: Path, qtbot: QtBot
) -> None:
    ours = sessions()
    bar = ours.notice
    qtbot.wait(500)
    beside = saved.with_name("incoming")
    save_project(replace(sample_project(), title="theirs"), beside)
    os.replace(beside, saved)  # as a sync folder does
    qtbot.waitUntil(lambda: bar.notice is not None and bar.notice.is_changed, timeout=WAIT_MS)
    assert "was saved elsewhere" in bar.notice.title
    bar.open_theirs.click()
    qtbot.waitUntil(lambda: ours.document.project.title == "theirs", timeout=WAIT_MS)
    qtbot.waitUntil(lambda: bar.notice is None, timeout=WAIT_MS)


def test_what_is_saved_here_and_then_replaced_counts_as_unsaved(
    sessions: Callable[[], Planner], saved: Path, qtbot: QtBot
) -> None:
    ours = sessions()
    retitle(ours, "ours")
    save(ours, qtbot)
    qtbot.wait(500)
    save_project(replace(sample_project(), title="theirs"), saved)
    qtbot.waitUntil(lambda: ours.document.is_modified, timeout=WAIT_MS)


def test_a_project_open_elsewhere_says_so_until_it_is_closed_there(
    sessions: Callable[[], Planner], saved: Path, qtbot: QtBot
) -> None:
    ours = sessions()
    bar = ours.notice
    mark = Mark(saved)
    qtbot.waitUntil(lambda: bar.isVisible(), timeout=WAIT_MS)
    assert bar.notice.title.startswith(f"{saved.name} ") and not bar.notice.is_changed
    here = describe_session(session_marks.Session("", "", 0, is_here=True)).partition(", ")[0]
    assert bar.notice.sentence.startswith(f"{here}, ")
    bar.hide_it.click()
    assert not bar.isVisible()
    mark.lift()
    qtbot.waitUntil(lambda: bar.notice is None, timeout=WAIT_MS)


def test_figures_that_changed_are_said_at_opening_until_the_project_is_saved(
    sessions: Callable[[], Planner], saved: Path, qtbot: QtBot
) -> None:
    ours, before = sessions(), saved.with_name("before.gpuplan")
    assert ours.notice.notice is None
    shutil.copy(LEVELS, before)
    opened(ours, before, qtbot)
    notice = ours.notice.notice
    assert notice == figures_notice(before.name, count_changes(ours.document.project))
    assert notice is not None and "4" in notice.sentence and ours.notice.isVisible()
    assert ours.notice.log.isVisible() and not ours.notice.open_theirs.isVisible()
    retitle(ours, "ours")
    save(ours, qtbot)
    opened(ours, saved, qtbot)
    assert ours.notice.notice is None
    opened(ours, before, qtbot)  # its log still has the lines
    assert count_changes(ours.document.project) and ours.notice.notice is None


@pytest.mark.long
def test_the_notice_of_changed_figures_leads_to_a_log_that_states_them(
    new_flow: ProjectFlow, tmp_path: Path, qtbot: QtBot
) -> None:
    flow, window, before = new_flow, new_flow.session.window, tmp_path / "before.gpuplan"
    shutil.copy(LEVELS, before)
    opened(flow, before, qtbot)
    window.choose_scenario("Within")
    window.file_notice.log.click()
    plan = flow.session.scenario
    assert plan == next(iter(count_changes(flow.document.project))) != "Within"
    assert window.docks.history.isVisible()
    log = window.docks.history.decisions
    qtbot.waitUntil(lambda: len(log.rows) == 1, timeout=WAIT_MS)


@pytest.mark.long
def test_two_windows_say_it_of_each_other_and_leave_no_mark(
    flow: ProjectFlow, sessions: Callable[[], Planner], saved: Path, qtbot: QtBot
) -> None:
    other = sessions()
    for bar in (flow.session.window.file_notice, other.notice):
        qtbot.waitUntil(lambda bar=bar: bar.notice is not None, timeout=WAIT_MS)
    flow.leave_quietly()
    qtbot.waitUntil(lambda: other.notice.notice is None, timeout=WAIT_MS)
    other.close()
    other.close = lambda: None  # type: ignore[method-assign]
    assert os.listdir(saved.parent) == ["plan.gpuplan"]


@pytest.mark.long
def test_save_as_onto_a_file_that_nobody_asked_about_asks(
    flow: ProjectFlow, saved: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = flow
    other = saved.with_name("other.gpuplan")
    save_project(replace(sample_project(), title="theirs"), other)
    retitle(ours, "ours")
    typed = str(other.with_suffix(""))
    monkeypatch.setattr(file_dialogs.QFileDialog, "getSaveFileName", lambda *_: (typed, ""))
    asked = answering(monkeypatch, lambda dialog: dialog.keep_both.click())
    ours.save_as()
    qtbot.waitUntil(lambda: not ours.document.is_modified, timeout=WAIT_MS)
    assert len(asked) == 1
    assert titles(saved)["other.gpuplan"] == "theirs"
    monkeypatch.setattr(file_dialogs.QFileDialog, "getSaveFileName", lambda *_: (str(other), ""))
    retitle(ours, "ours again")
    ours.save_as()  # the file dialog itself asked about this name
    qtbot.waitUntil(lambda: not ours.document.is_modified, timeout=WAIT_MS)
    assert titles(saved)["other.gpuplan"] == "ours again"
    assert "theirs" in titles(saved).values()


def test_what_differs_has_a_line_for_every_field_of_a_project() -> None:
    from dataclasses import fields

    from gpuplanner.domain.model.project import Project

    assert set(MANY) | set(ONE) == {each.name for each in fields(Project)}
    base = sample_project()
    assert differences(base, sample_project()) == ()
    changed = replace(base, plan_from_s=base.window.end_s + 3600, contracts=base.contracts[1:])
    assert [str(one.what) for one in differences(base, changed)] == [
        str(MANY["contracts"]),
        str(ONE["plan_from_s"]),
    ]


def test_many_names_are_counted() -> None:
    line = words_of(Difference(what="Notes", only_ours=tuple("abcde"), in_two_ways=("x",)))  # type: ignore[arg-type]
    in_two_ways, only_ours = line.split("; ")
    assert in_two_ways.startswith("Notes ") and in_two_ways.endswith(": x")
    assert ": a, b, c " in only_ours and only_ours.endswith(" 2 more")
