"""Export board brief: from the menu to the file, cancelled on the way, never over a file without asking."""

from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from gpuplanner.domain.brief import sensitivity
from gpuplanner.domain.brief.sensitivity import Sensitivity
from gpuplanner.domain.message import Text
from gpuplanner.ui.flows.exports import brief_flow, writing_flow
from gpuplanner.ui.flows.project_flow import ProjectFlow
from tests.some_of import some_of
from tests.ui.sample_world import sample_project


@pytest.fixture
def brief(flow: ProjectFlow, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The flow of a window that shows the sample; `ends` are the questions at the end."""
    flow._document.load(sample_project())
    ends: list[str] = []

    class Said:
        answer = ""

        def __init__(self, parent: object, title: str, text: str, *_: object) -> None:
            ends.append(f"{title}: {Path(text).name}")

        def exec(self) -> None: ...

    monkeypatch.setattr(writing_flow, "Question", Said)
    monkeypatch.setattr(sensitivity, "sensitivity_of", lambda *_: Sensitivity((), ()))  # many plans
    flow.brief.ends = ends
    return flow.brief


def choose(monkeypatch: pytest.MonkeyPatch, path: str, kind: Text = brief_flow.PDF) -> None:
    monkeypatch.setattr(writing_flow.QFileDialog, "getSaveFileName", lambda *_: (path, str(kind)))


@pytest.mark.parametrize(
    ("kind", "suffix", "begin"),
    some_of([(brief_flow.PDF, ".pdf", b"%PDF"), (brief_flow.PPTX, ".pptx", b"PK")], quick=1),
)
def test_the_menu_writes_what_was_chosen(
    brief: Any,
    qtbot: QtBot,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
    suffix: str,
    begin: bytes,
) -> None:
    choose(monkeypatch, str(tmp_path / "board"), kind)
    brief._session.window.actions_by_id["export_brief"].trigger()
    assert brief.is_busy
    qtbot.waitUntil(lambda: brief.ends == [f"Board brief exported: board{suffix}"], timeout=60_000)
    assert (tmp_path / f"board{suffix}").read_bytes().startswith(begin)
    assert not brief.is_busy


def test_cancelling_writes_nothing(brief: Any, qtbot: QtBot, tmp_path: Path) -> None:
    brief.export_to(tmp_path / "board.pdf")
    brief._progress.reject()
    assert not brief.is_busy
    qtbot.wait(50)
    assert not list(tmp_path.glob("*board*"))


def test_a_file_that_is_there_is_asked_about(
    brief: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "board.pdf").write_bytes(b"what was there")
    asked: list[str] = []
    monkeypatch.setattr(writing_flow, "ask", lambda parent, title, *_: asked.append(title) or "Keep it")
    choose(monkeypatch, str(tmp_path / "board"))
    brief.export()
    assert (asked, brief.is_busy) == (["Replace board.pdf?"], False)
    assert (tmp_path / "board.pdf").read_bytes() == b"what was there"


def test_what_goes_wrong_is_said(
    brief: Any, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    errors: list[Exception] = []
    monkeypatch.setattr(writing_flow, "show_error", lambda _, error: errors.append(error))
    brief.export_to(tmp_path / "nowhere" / "board.pdf")
    qtbot.waitUntil(lambda: bool(errors), timeout=60_000)
    assert "file_unreadable" in str(errors[0])
    assert not brief.is_busy
