"""The jobs behind a card: paged as they are scrolled, adding up to the card, and said where they are gone."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from shiboken6 import delete, isValid

from gpuplanner.app.importing.import_request import ImportRequest, read_request
from gpuplanner.app.importing.into_project import imported_project
from gpuplanner.app.past.job_pages import PAGE_ROWS, JobDrill
from gpuplanner.app.settings import Settings
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import Window
from gpuplanner.files.job_logs.reduce.job_rows import JobRow, JobsPage
from gpuplanner.files.values.lookback_period import WindowRequest
from gpuplanner.ui.board.job_answers import LASTED, JobsAnswers, job_figure
from gpuplanner.ui.board.job_sheet import JobsSheet
from gpuplanner.ui.board.jobs_table import COLUMNS
from gpuplanner.ui.flows.project_flow import ProjectFlow
from gpuplanner.ui.kit.palettes import LIGHT
from gpuplanner.ui.kit.style_sheet import apply_palette, begin_palette
from gpuplanner.ui.plans.window_dialog import WindowDialog
from gpuplanner.ui.window import application
from gpuplanner.ui.window.application import build, settle
from gpuplanner.ui.window.main_window import MainWindow
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.lanes import Lane
from tests.arrived import arrived
from tests.some_of import one_in
from tests.ui.conftest import activate
from tests.ui.flows.test_why_everywhere import agrees

WINDOW = Window(1_782_864_000, 730)
NOW_S = 1_790_812_800


def row(number: int) -> JobRow:
    return JobRow(
        job_id=f"{number}",
        name="train",
        user="ann",
        queue="q",
        gpu_model="H100",
        milli_gpus=1000,
        nodes=1,
        start_s=WINDOW.start_s,
        end_s=None,
        is_running=True,
        state=None,
        activity_milli_percent=71_300,
        milli_gpu_seconds=3_600_000,
    )


def page_reader(total: int):  # type: ignore[no-untyped-def]
    """Pages of so many alike jobs."""

    def read(path: Path, keys: tuple[str, ...], window: Window, order: str, offset: int) -> JobsPage:
        count = max(0, min(PAGE_ROWS, total - offset))
        return JobsPage(tuple(row(offset + at) for at in range(count)), total, total * 3_600_000)

    return read


def open_sheet(qtbot: QtBot, window: MainWindow, drill: JobDrill | None) -> JobsSheet:
    card = window.board.columns[Lane.TRAINING].model.cards[0]
    sheet = JobsSheet(card, WINDOW, drill)
    qtbot.addWidget(sheet)
    sheet.resize(900, 400)
    sheet.show()
    if drill is not None:
        qtbot.waitUntil(lambda: not drill.is_busy)
    return sheet


def test_further_jobs_come_as_the_list_is_scrolled(qtbot: QtBot, window: MainWindow) -> None:
    drill = JobDrill(Path(), ("k",), WINDOW, page_reader(450))
    sheet = open_sheet(qtbot, window, drill)
    assert sheet.model.rowCount() == PAGE_ROWS and sheet.said.accessibleName().startswith("450 jobs")
    for expected in (400, 450, 450):
        sheet.table.scrollToBottom()
        qtbot.waitUntil(lambda: not drill.is_busy)
        qtbot.waitUntil(lambda expected=expected: sheet.model.rowCount() == expected)
    assert [sheet.model.jobs[at].job_id for at in (0, 449)] == ["0", "449"]


@pytest.mark.long
def test_another_order_begins_again(qtbot: QtBot, window: MainWindow) -> None:
    asked: list[tuple[str, int]] = []
    read = page_reader(300)

    def noting(path: Path, keys: tuple[str, ...], window: Window, order: str, offset: int) -> JobsPage:
        asked.append((order, offset))
        return read(path, keys, window, order, offset)

    drill = JobDrill(Path(), ("k",), WINDOW, noting)
    sheet = open_sheet(qtbot, window, drill)
    start = [column.sort for column in sheet.model.job_columns].index("start")
    for wanted in ("start desc", "start asc", "gpu_hours"):
        sheet.table.habits.turn_sort(start)
        qtbot.waitUntil(lambda: sheet.model.rowCount() == PAGE_ROWS and not drill.is_busy)
        assert asked[-1] == (wanted, 0)
    assert asked[0] == ("gpu_hours", 0) and len(asked) == 4


def test_every_cell_says_what_is_known(qtbot: QtBot, window: MainWindow) -> None:
    sheet = open_sheet(qtbot, window, JobDrill(Path(), ("k",), WINDOW, page_reader(1)))
    shown = {str(title): sheet.model.index(0, at).data() for at, (title, *_) in enumerate(COLUMNS)}
    assert shown["GPU-h in the lookback period"] == "1.00" and shown["Lasted"] == "runs on"
    assert shown["End, UTC"] == "still running" and shown["State"] == numbers.UNKNOWN
    assert shown["Activity"] == "71.3%"


def test_rows_that_are_gone_are_said_and_the_import_is_offered(qtbot: QtBot, window: MainWindow) -> None:
    def gone(*_: object) -> JobsPage:
        raise PlannerError("rows", "file_missing", "the job rows are not stored here", "import the log again")

    for drill in (None, JobDrill(Path(), ("k",), WINDOW, gone)):
        sheet = open_sheet(qtbot, window, drill)
        assert sheet.said.accessibleName() and not sheet.again.isHidden()
        with qtbot.waitSignal(sheet.import_asked):
            sheet.again.click()
        assert not sheet.isVisible()


@pytest.mark.parametrize("scope", one_in(2, ["", "in hours without training"]))
@pytest.mark.parametrize("is_part", [False, True])
def test_every_figure_of_the_sheet_answers(
    qtbot: QtBot, window: MainWindow, scope: str, is_part: bool
) -> None:
    card = window.board.columns[Lane.TRAINING].model.cards[0]
    drill = JobDrill(Path(), ("k",), WINDOW, page_reader(450))
    sheet = JobsSheet(card, WINDOW, drill, scope=scope, is_part=is_part)
    qtbot.addWidget(sheet)
    sheet.show()
    qtbot.waitUntil(lambda: sheet.model.rowCount() > 0 and not drill.is_busy)
    facts = [(words, words.removeprefix("the card shows "), of) for of, words in sheet.said.facts]
    assert len(facts) == (2 if scope or is_part else 3)
    model = sheet.model
    cells = [model.index(row, at) for row in (0, 1) for at in range(model.columnCount())]
    figures = [
        cell
        for cell in cells
        if (one := model.columns[cell.column()]).is_figure and "UTC" not in str(one.title)
    ]
    facts += [
        (cell.data(), cell.data(), model.rows[cell.row()].cells[cell.column()].figure_id)
        for cell in figures
        if cell.data() != "runs on"
    ]
    assert len(facts) > 6
    for name, text, of in facts:
        assert of, name
        trace = sheet.trace(of)
        assert trace.words and trace.symbols, of
        assert agrees(trace, text.split(" ")[0]), (name, trace.value)
        assert arrived(trace) == pytest.approx(trace.value, abs=0.01), name
    with pytest.raises(KeyError):
        sheet.trace("plan_usd::")


def test_a_job_that_ended_says_how_long_it_lasted() -> None:
    ended = replace(row(1), end_s=WINDOW.start_s + 5400, milli_gpu_seconds=5_400_000)
    answers = JobsAnswers(None, WINDOW)
    answers.rows = [ended]
    trace = answers.trace(job_figure(0, LASTED))
    assert trace.value == 1.5 and arrived(trace) == pytest.approx(1.5)


def test_the_keyboard_asks_and_the_popover_stands_over_the_sheet(qtbot: QtBot, window: MainWindow) -> None:
    card = window.board.columns[Lane.TRAINING].model.cards[0]
    drill = JobDrill(Path(), ("k",), WINDOW, page_reader(3))
    sheet = JobsSheet(card, WINDOW, drill, window)
    window.questions.answer_for(sheet)
    sheet.show()
    qtbot.waitUntil(lambda: sheet.model.rowCount() == 3)
    activate(sheet)
    sheet.table.setFocus()
    QTest.keyClick(sheet.table, Qt.Key.Key_F1)
    assert window.why.isVisible() and "GPU-hours of job 0" in window.why.why.title
    window.why.hide()
    sheet.said.linkActivated.emit("jobs_hours::")
    assert window.why.isVisible() and len(window.why.why.rows) == 4
    window.why.hide()
    sheet.close()


def test_the_jobs_of_a_merged_card_are_those_of_all_its_workloads(window: MainWindow, qtbot: QtBot) -> None:
    window.choose_scenario(window.session.document.project.scenarios[0].name)
    keys = tuple(card.key for card in window.board.columns[Lane.BURST].model.cards)[:3]
    window.session.gestures.merge_cards(keys, "Chat", Pool.BURST)
    window.show_project(window.session.document.project)
    leader = next(card.key for card in window.board.columns[Lane.BURST].model.cards if card.name == "Chat")
    window.board.selection.select((leader,), leader)
    with qtbot.waitSignal(window.session.asks.merged_jobs_asked) as seen:
        window.actions_by_id["jobs"].trigger()
    card, names = seen.args
    assert card.name == "Chat" and set(names) == set(keys)
    asked: list[tuple[str, ...]] = []

    def read(path: Path, keys: tuple[str, ...], *_: object) -> JobsPage:
        asked.append(keys)
        rows = tuple(replace(row(at), workload_key=key) for at, key in enumerate(keys))
        return JobsPage(rows, 3, 3 * 3_600_000)

    sheet = JobsSheet(card, WINDOW, JobDrill(Path(), tuple(names), WINDOW, read), names=names)
    qtbot.addWidget(sheet)
    sheet.show()
    qtbot.waitUntil(lambda: sheet.model.rowCount() == 3)
    assert set(asked[0]) == set(keys)
    assert sheet.model.headerData(0, Qt.Orientation.Horizontal) == "Workload"
    assert {sheet.model.index(at, 0).data() for at in range(3)} == set(names.values())
    sheet.table.selectAll()
    QTest.keyClick(sheet.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.clipboard().text().startswith("Workload\tJob id")


def test_the_jobs_of_the_card_with_the_keyboard_are_asked_for(window: MainWindow, qtbot: QtBot) -> None:
    cards = window.board.columns[Lane.TRAINING].cards
    cards.setFocus()
    cards.setCurrentIndex(cards.model().index(0))
    with qtbot.waitSignal(window.session.asks.jobs_asked) as seen:
        window.actions_by_id["jobs"].trigger()
    assert seen.args[0].key == cards.model().cards[0].key


# With everything real behind it

LOG = """job_id,cluster,name,user,gpu_model,gpus,start,end
1,c,train-a,ann,H100,8,2026-01-01T00:00:00Z,2026-01-02T00:00:00Z
2,c,train-a,ann,H100,1,2026-03-01T00:00:00Z,2026-03-03T00:00:00Z
3,c,train-a,ann,H100,2,2026-03-02T00:00:00Z,2026-03-03T00:00:00Z
"""


@pytest.fixture
def flow(qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ProjectFlow]:
    """A window on a small log whose rows are kept."""
    monkeypatch.setattr(application, "data_folder", lambda: tmp_path / "data")
    begin_palette(qapp, LIGHT)
    settings = Settings(QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat))
    window, made, document = build(settings, NOW_S)
    apply_palette(qapp, LIGHT)
    window.show()
    log = tmp_path / "log.csv"
    log.write_text(LOG)
    request = ImportRequest(
        job_paths=(str(log),), rows_dir=tmp_path / "data" / "rows", window=WindowRequest(days=90)
    )
    read = read_request(request, lambda *_: None, lambda: False)
    document.load(imported_project(document.project, request, read))
    settle(window, qapp, [])
    yield made
    if isValid(window):
        made.leave_quietly()
        delete(window)


@pytest.mark.long
def test_the_jobs_shown_add_up_to_the_card(flow: ProjectFlow, qtbot: QtBot) -> None:
    window = flow.session.window
    window.jobs.ask(flow.document.project.workloads[0].key)
    (sheet,) = window.findChildren(JobsSheet)
    qtbot.waitUntil(lambda: sheet.model.rowCount() == 3)
    spent = [job.milli_gpu_seconds for job in sheet.model.jobs]
    assert sum(spent) == flow.document.project.workloads[0].milli_gpu_seconds == 288 * 3_600_000
    sheet.close()


@pytest.mark.long
def test_another_window_is_one_step_that_undo_takes_back(
    flow: ProjectFlow, qtbot: QtBot, qapp: QApplication
) -> None:
    document, before = flow.document, flow.document.project
    dialog = WindowDialog(before.window, True, flow.session.window)
    qtbot.addWidget(dialog)
    dialog.choice.box.setCurrentIndex(dialog.choice.box.findText("Last 30 days"))
    dialog.window_chosen.connect(flow.change_window)
    dialog.change.click()
    qtbot.waitUntil(lambda: document.project is not before)
    assert document.project.window.hours == 720 and document.project.jobs.count == 2
    assert document.undo_stack.undoText().endswith("last 30 days")
    document.undo_stack.undo()
    assert document.project is before
    settle(flow.session.window, qapp, [])


def test_a_window_that_ends_before_it_starts_is_refused_in_words(qtbot: QtBot) -> None:
    dialog = WindowDialog(WINDOW, True)
    qtbot.addWidget(dialog)
    choice = dialog.choice
    choice.box.setCurrentIndex(choice.box.findText("From \u2013 to"))
    assert choice.request == WindowRequest(WINDOW.start_s, choice.request.end_s) and dialog.change.isEnabled()
    choice.last.setDate(choice.first.date().addDays(-1))
    assert not dialog.change.isEnabled() and dialog.said.text()


def test_without_rows_the_window_dialog_offers_the_import(qtbot: QtBot) -> None:
    dialog = WindowDialog(WINDOW, False)
    qtbot.addWidget(dialog)
    with qtbot.waitSignal(dialog.import_asked):
        dialog.change.click()
