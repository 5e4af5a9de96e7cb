"""Export board brief: from the menu to the file, cancelled on the way, never over a file without asking."""

import re
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import openpyxl
import pytest
from PySide6.QtWidgets import QApplication, QDialog
from pytestqt.qtbot import QtBot

from gpuplanner.domain.brief import sensitivity_pages
from gpuplanner.domain.brief.sensitivity_pages import Sensitivity
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.window import DAY_S
from gpuplanner.files.request.request import UNSAID, VENDORS, Terms, terms_of
from gpuplanner.files.request.request_file import Written
from gpuplanner.files.request.request_form import read_key
from gpuplanner.ui.flows.exports import brief_flow, export_flow, request_flow, statement_flow, writing_flow
from gpuplanner.ui.flows.exports.request_flow import RequestDialog
from gpuplanner.ui.flows.project_flow import ProjectFlow
from gpuplanner.ui.kit import file_dialogs, small_dialogs
from tests.some_of import some_of
from tests.ui.sample_world import sample_project

# --- Every export waits until the plan is settled


def test_no_export_begins_before_the_plan_is_settled(
    flow: ProjectFlow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    evaluator, may_settle = flow.session.evaluator, Event()

    def settle_later(_: Any, __: Any, advice: Any, is_cancelled: Any) -> Any:
        while not may_settle.is_set() and not is_cancelled():
            may_settle.wait(0.001)
        return advice

    held = replace(evaluator.step_functions, settle=settle_later)
    monkeypatch.setattr(evaluator, "step_functions", held)
    flow.document.load(sample_project())
    qtbot.waitUntil(lambda: evaluator.evaluation is not None and evaluator.evaluation.advice is not None)
    begun: dict[str, Any] = {}
    exports = flow.session.window.findChildren(writing_flow.WritingFlow)
    assert len(exports) >= 4
    for export in exports:
        name = type(export).__name__
        monkeypatch.setattr(export, "start_writing", lambda of, _, name=name: begun.update({name: of}))
        more = (UNSAID,) if isinstance(export, request_flow.RequestFlow) else ()
        export.export_to(tmp_path / name, *more)
        assert export.is_busy and export.progress.text_label.text()
    cancelled = exports.pop()
    cancelled.progress.reject()
    QApplication.processEvents()
    assert not begun and not cancelled.is_busy
    may_settle.set()
    qtbot.waitUntil(lambda: len(begun) == len(exports), timeout=60_000)
    assert type(cancelled).__name__ not in begun
    assert all(evaluation.outlook is not None for evaluation in begun.values())
    for export in exports:
        export.close()


# --- Export board brief: from the menu to the file, cancelled on the way, never over a file without
# asking


def ends_of(flow: ProjectFlow, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is said at the end of each export of the sample."""
    flow.document.load(sample_project())
    ends: list[str] = []

    class Said:
        answer = ""

        def __init__(self, parent: object, title: str, text: str, **_: object) -> None:
            ends.append(f"{title}: {Path(text).name}")

        def exec(self) -> None: ...

        deleteLater = exec  # noqa: N815

    monkeypatch.setattr(small_dialogs, "Question", Said)
    return ends


@pytest.fixture
def brief(flow: ProjectFlow, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The flow of a window that shows the sample; `ends` are the questions at the end."""
    ends = ends_of(flow, monkeypatch)
    monkeypatch.setattr(sensitivity_pages, "sensitivity_of", lambda *_: Sensitivity((), ()))  # many plans
    brief: Any = flow.session.window.findChild(brief_flow.BriefFlow)
    brief.ends = ends
    return brief


def choose(monkeypatch: pytest.MonkeyPatch, path: str, kind: Text = brief_flow.BRIEF_PDF) -> None:
    monkeypatch.setattr(file_dialogs.QFileDialog, "getSaveFileName", lambda *_: (path, str(kind)))


def test_who_reads_no_english_is_told_that_files_are_in_it(
    brief: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    titles: list[str] = []
    monkeypatch.setattr(writing_flow, "save_file", lambda _, title, *__: (titles.append(title), ("", ""))[1])
    brief.export()
    monkeypatch.setattr(
        writing_flow, "tr", lambda text, **_: {"in English": "auf Englisch"}.get(str(text), str(text))
    )
    brief.export()
    assert titles[1] == f"{titles[0]} (auf Englisch)"


@pytest.mark.long
@pytest.mark.parametrize(
    ("kind", "suffix", "begin"),
    some_of(
        [
            (brief_flow.BRIEF_PDF, ".pdf", b"%PDF"),
            (brief_flow.PPTX, ".pptx", b"PK"),
            (brief_flow.WORD, ".docx", b"PK"),
        ],
        quick=1,
    ),
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
    brief.session.window.actions_by_id["export_brief"].trigger()
    assert brief.is_busy
    qtbot.waitUntil(lambda: brief.ends == [f"Board brief exported: board{suffix}"], timeout=60_000)
    assert (tmp_path / f"board{suffix}").read_bytes().startswith(begin)
    assert not brief.is_busy


def test_cancelling_writes_nothing(brief: Any, qtbot: QtBot, tmp_path: Path) -> None:
    brief.export_to(tmp_path / "board.pdf")
    brief.progress.reject()
    assert not brief.is_busy
    qtbot.wait(50)
    assert not list(tmp_path.glob("*board*"))


def test_a_file_that_is_there_is_asked_about(
    brief: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "board.pdf").write_bytes(b"what was there")
    asked: list[str] = []
    monkeypatch.setattr(small_dialogs, "ask", lambda parent, title, *_: asked.append(title) or "Keep it")
    choose(monkeypatch, str(tmp_path / "board"))
    brief.export()
    assert (asked, brief.is_busy) == (["Replace board.pdf?"], False)
    assert (tmp_path / "board.pdf").read_bytes() == b"what was there"


def test_what_goes_wrong_is_said(
    brief: Any, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    errors: list[Exception] = []
    monkeypatch.setattr(small_dialogs, "show_error", lambda _, error: errors.append(error))
    brief.export_to(tmp_path / "nowhere" / "board.pdf")
    qtbot.waitUntil(lambda: bool(errors), timeout=60_000)
    assert "file_unreadable" in str(errors[0])
    assert not brief.is_busy


# --- Export team statements: from the menu to a PDF with a page a team, or to FOCUS rows ---------


@pytest.mark.parametrize(
    ("kind", "suffix", "begin"),
    some_of(
        [
            (statement_flow.STATEMENT_PDF, ".pdf", b"%PDF"),
            (statement_flow.CSV, ".csv", b"AllocatedMethodId,"),
        ],
        quick=1,
    ),
)
def test_the_menu_writes_the_statements_that_were_chosen(
    flow: ProjectFlow,
    qtbot: QtBot,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    kind: Text,
    suffix: str,
    begin: bytes,
) -> None:
    ends = ends_of(flow, monkeypatch)
    choose(monkeypatch, str(tmp_path / "teams"), kind)
    statements: Any = flow.session.window.findChild(statement_flow.StatementFlow)
    statements.session.window.actions_by_id["export_statements"].trigger()
    assert statements.is_busy
    qtbot.waitUntil(lambda: ends == [f"Team statements exported: teams{suffix}"], timeout=60_000)
    assert (tmp_path / f"teams{suffix}").read_bytes().startswith(begin)
    assert not statements.is_busy


# --- Export requests for quote: from the menu over what is said above them to a file for each vendor


@pytest.fixture
def requests(flow: ProjectFlow, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The flow of a window that shows the sample; `ends` are the questions at the end."""
    flow.document.load(sample_project())
    ends: list[tuple[str, list[str]]] = []
    notes: list[str] = []

    class Said:
        answer = ""

        def __init__(self, parent: object, title: str, text: str, answers: object, note: str) -> None:
            ends.append((title, text.splitlines()))
            notes.append(note)

        def exec(self) -> None: ...

        deleteLater = exec  # noqa: N815

    monkeypatch.setattr(small_dialogs, "Question", Said)
    requests: Any = flow.session.window.findChild(request_flow.RequestFlow)
    requests.ends, requests.notes = ends, notes
    return requests


def texts_of(path: Path) -> list[str]:
    sheets = openpyxl.load_workbook(path).worksheets
    return [
        str(cell.value)
        for sheet in sheets
        for cells in sheet.iter_rows()
        for cell in cells
        if cell.value is not None
    ]


@pytest.mark.long
def test_the_menu_asks_and_writes_and_remembers_what_was_said(
    requests: Any, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def enter(dialog: QDialog) -> None:
        assert isinstance(dialog, RequestDialog)
        dialog.lines["buyer"].setText(" ACME Ltd ")
        dialog.lines[VENDORS].setText("Vela, Orrin,")
        dialog.choose.click()

    monkeypatch.setattr(RequestDialog, "exec", enter)
    monkeypatch.setattr(file_dialogs.QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path / "rfq"))
    requests.session.window.actions_by_id["export_requests"].trigger()
    assert requests.is_busy
    qtbot.waitUntil(lambda: bool(requests.ends), timeout=60_000)
    assert not requests.is_busy
    ((title, names),) = requests.ends
    assert title.startswith("2 requests") and [name.split(" RFQ")[0] for name in sorted(names)] == [
        "Orrin",
        "Vela",
    ]
    assert re.search(r"\d+ requests?\.", requests.notes[0])
    assert sorted(names) == sorted(path.name for path in (tmp_path / "rfq").iterdir())
    for name in names:
        texts = texts_of(tmp_path / "rfq" / name)
        assert "ACME Ltd" in texts and any(read_key(text) for text in texts)
    said = {name: text for name, text in requests.settings.request_terms.items() if text}
    assert said == {"buyer": "ACME Ltd", VENDORS: "Vela, Orrin,"}


def test_what_is_exported_a_day_after_the_start_bears_that_day(
    brief: Any, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, evaluator = brief.session, brief.session.evaluator
    qtbot.waitUntil(lambda: evaluator.evaluation is not None, timeout=60_000)
    monkeypatch.setattr(type(session), "time_s", lambda _: 2 * DAY_S)
    for kind in (export_flow.ExportFlow, brief_flow.BriefFlow, statement_flow.StatementFlow):
        flow, given = session.window.findChild(kind), list[object]()
        monkeypatch.setattr(flow.writing, "start", lambda *told, given=given: given.append(told[2]))
        flow.start_writing(evaluator.evaluation, tmp_path / "a")
        assert given == [2 * DAY_S]


def test_a_plan_that_orders_nothing_says_so_before_it_asks_for_terms(
    requests: Any, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    evaluator = requests.session.evaluator
    qtbot.waitUntil(lambda: evaluator.evaluation is not None and evaluator.evaluation.outlook is not None)
    monkeypatch.setattr(request_flow, "has_rows", lambda *_: False)
    monkeypatch.setattr(RequestDialog, "exec", lambda _: pytest.fail("nothing is to be asked for"))
    requests.export()
    assert [names for _, names in requests.ends] == [[]]


def test_no_folder_no_files(requests: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_dialogs.QFileDialog, "getExistingDirectory", lambda *_: "")
    requests.choose_folder({}, UNSAID)
    assert not requests.is_busy and not list(tmp_path.rglob("*.xlsx"))


def test_cancelling_writes_no_requests(requests: Any, qtbot: QtBot, tmp_path: Path) -> None:
    requests.export_to(tmp_path / "rfq", UNSAID)
    requests.progress.reject()
    assert not requests.is_busy
    qtbot.wait(50)
    assert not (tmp_path / "rfq").exists()


@pytest.mark.long
def test_what_goes_wrong_with_requests_is_said(
    requests: Any, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    errors: list[Exception] = []
    monkeypatch.setattr(small_dialogs, "show_error", lambda _, error: errors.append(error))
    (tmp_path / "rfq").write_text("a file", encoding="utf-8")
    requests.export_to(tmp_path / "rfq", Terms(buyer="ACME"), ("Vela",))
    qtbot.waitUntil(lambda: bool(errors), timeout=60_000)
    assert str(tmp_path / "rfq") in str(errors[0]) and not requests.is_busy


def test_a_plan_that_orders_nothing_says_so(requests: Any) -> None:
    requests.show_written(Written())
    assert [names for _, names in requests.ends] == [[]]


def test_what_is_left_empty_says_what_it_shows_and_a_day_must_be_one(qtbot: QtBot) -> None:
    found: list[tuple[object, object]] = []
    dialog = RequestDialog({"payment": "On order"}, 1_790_000_000)
    qtbot.addWidget(dialog)
    dialog.terms_chosen.connect(lambda said, terms, vendors: found.append((said, terms, vendors)))
    assert dialog.reply_by.day_s == 1_790_000_000 // DAY_S * DAY_S + 14 * DAY_S
    assert not dialog.choose.isEnabled() and "vendor" in dialog.note.text()
    dialog.lines[VENDORS].setText("Vela,  Orrin Hosting")
    assert not dialog.choose.isEnabled() and "buyer" in dialog.note.text()
    dialog.lines["buyer"].setText("ACME")
    dialog.lines["question"].setText("Water?")
    dialog.lines["decide_days"].setText("a week")
    assert not dialog.choose.isEnabled() and "whole days" in dialog.note.text()
    dialog.lines["decide_days"].setText("7")
    assert dialog.choose.isEnabled()
    dialog.reply_by.setText("soon")
    assert not dialog.choose.isEnabled() and dialog.note.text()
    dialog.reply_by.show_day(1_790_000_000)
    assert dialog.choose.isEnabled()
    dialog.choose.click()
    ((said, terms, vendors),) = found
    assert vendors == ("Vela", "Orrin Hosting")
    own = {"buyer": "ACME", "payment": "On order", "question": "Water?", "decide_days": "7"}
    assert terms == terms_of(own | {"reply_by": "2026-09-21"})
    assert isinstance(said, dict) and {name for name, text in said.items() if text} == {*own, VENDORS}
    known = RequestDialog({"buyer": "ACME"}, 1_790_000_000, vendors=["AWS"])
    qtbot.addWidget(known)
    assert known.choose.isEnabled() and known.lines[VENDORS].placeholderText() == "AWS"
