"""Export team statements: from the menu to a PDF with a page a team, or to FOCUS rows."""

from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from gpuplanner.domain.message import Text
from gpuplanner.ui.flows.exports import statement_flow, writing_flow
from gpuplanner.ui.flows.project_flow import ProjectFlow
from tests.some_of import some_of
from tests.ui.sample_world import sample_project


@pytest.mark.parametrize(
    ("kind", "suffix", "begin"),
    some_of(
        [(statement_flow.PDF, ".pdf", b"%PDF"), (statement_flow.CSV, ".csv", b"AllocatedMethodId,")], quick=1
    ),
)
def test_the_menu_writes_what_was_chosen(
    flow: ProjectFlow,
    qtbot: QtBot,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    kind: Text,
    suffix: str,
    begin: bytes,
) -> None:
    flow._document.load(sample_project())
    ends: list[str] = []

    class Said:
        answer = ""

        def __init__(self, parent: object, title: str, text: str, *_: object) -> None:
            ends.append(f"{title}: {Path(text).name}")

        def exec(self) -> None: ...

    monkeypatch.setattr(writing_flow, "Question", Said)
    chosen = (str(tmp_path / "teams"), str(kind))
    monkeypatch.setattr(writing_flow.QFileDialog, "getSaveFileName", lambda *_: chosen)
    statements: Any = flow.statements
    statements._session.window.actions_by_id["export_statements"].trigger()
    assert statements.is_busy
    qtbot.waitUntil(lambda: ends == [f"Team statements exported: teams{suffix}"], timeout=60_000)
    assert (tmp_path / f"teams{suffix}").read_bytes().startswith(begin)
    assert not statements.is_busy
