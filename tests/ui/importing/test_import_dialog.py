"""The import: what files are, how their rows ended, where to look closer, and that nothing is taken in unasked."""

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest
from PySide6.QtCore import QByteArray, QEvent, QObject, Qt, QTimer, QTimeZone
from PySide6.QtGui import QCloseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from docs.list_texts import words_in_code
from gpuplanner.app.background import IsCancelled, OnProgress
from gpuplanner.app.importing.file_previews import FoundFile, Previewer, Recogniser
from gpuplanner.app.importing.import_request import ImportRequest, ReadRequest, read_request
from gpuplanner.app.importing.importer import Importer
from gpuplanner.app.importing.into_project import imported_project
from gpuplanner.app.settings import Settings
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.project import Project
from gpuplanner.files.importing.intake import ReadResult, read_inputs
from gpuplanner.files.sources.issue_texts import ISSUE_TEXTS, issue_message
from gpuplanner.files.tables.known_shapes import header_key
from gpuplanner.ui.importing.import_dialog import LEAST_REPORT_PX, ImportDialog
from gpuplanner.ui.importing.import_state import zone_of, zones_by_words
from gpuplanner.ui.importing.open_questions import SERVED, ZONE
from gpuplanner.ui.importing.report import rejected_csv
from gpuplanner.ui.importing.steps import COLUMNS, FILES, FORMAT, ISSUES, LAST
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.window_words import in_window_words
from tests.ui.fake_preview import HEADINGS, FakePreview
from tests.ui.importing.hands import EMPTY, map_columns, open_columns, settings_of, settle

JOBS = (
    "job_id,gpus,start,end,name\n"
    "1,8,2026-07-01T00:00:00Z,2026-07-01T10:00:00Z,train-a\n"
    "2,-1,2026-07-01T00:00:00Z,2026-07-01T10:00:00Z,train-b\n"
    "3,4,2026-07-01T00:00:00Z,None,=cmd()\n"
)


KINDS = ("job log", "contracts", "prices")
"""What the sentence names that says why files of no kind cannot be read."""


class OfFrame(QCloseEvent):
    """The title bar was asked to close the window."""

    def spontaneous(self) -> bool:
        return True


Open = Callable[..., ImportDialog]
Files = dict[str, str]
NAIVE = "job_id,gpus,start,end,name\n1,8,2026-07-01T00:00:00,2026-07-01T10:00:00,train-a\n"
TABLE = "task,cards,begun,took\na,8,2026-07-01T00:00:00,3600\nb,x,2026-07-01T02:00:00,60\n"


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """A log with faults, one without zones, a table nobody knows, and a photo that says it is a CSV; for all tests."""
    folder = tmp_path_factory.mktemp("files")
    contents = {
        "jobs.csv": JOBS.encode(),
        "naive.csv": NAIVE.encode(),
        "table.csv": TABLE.encode(),
        "photo.csv": b"\xff\xd8\xff\xe0" + bytes(range(256)),
    }
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    return {name: str(folder / name) for name in contents}


@pytest.fixture(scope="module")
def read_once() -> ReadRequest:
    """Reads the same request of the same bytes once for all tests."""
    kept: dict[object, ReadResult] = {}

    def read(request: ImportRequest, on_progress: OnProgress, is_cancelled: IsCancelled) -> ReadResult:
        files = [Path(path) for path in request.paths]
        if request.pseudonyms or not all(map(Path.is_file, files)):
            return read_request(request, on_progress, is_cancelled)
        key = (str(request), *(path.read_bytes() for path in files))
        if key not in kept:
            kept[key] = read_request(request, on_progress, is_cancelled)
        return kept[key]

    return read


@pytest.fixture
def importer(qapp: object, read_once: ReadRequest) -> Iterator[Importer]:
    made = Importer(read_once)
    yield made
    made.close()


@pytest.fixture
def preview(qapp: object) -> FakePreview:
    return FakePreview()


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return settings_of(tmp_path)


@pytest.fixture
def opened(qtbot: QtBot, importer: Importer, preview: FakePreview, settings: Settings) -> Iterator[Open]:
    previewer = Previewer(preview)

    def open_dialog(*paths: str, project: Project = EMPTY) -> ImportDialog:
        remembered = {"settings": settings, "previewer": previewer}
        dialog = ImportDialog(list(paths), project, importer, None, **remembered)
        qtbot.addWidget(dialog)
        dialog.show()
        settle(qtbot, dialog)
        return dialog

    yield open_dialog
    previewer.close()


# One page where all is clear


@pytest.mark.long
def test_a_log_is_read_at_once_and_handed_over_only_on_the_button(
    qtbot: QtBot, opened: Open, files: Files
) -> None:
    dialog = opened(files["jobs.csv"])
    assert dialog.page == FILES and dialog.foot.next.isEnabled() and dialog.foot.next.text() == "Import"
    assert not dialog.foot.sentence and not dialog.report.alike.isVisible()
    shown = [dialog.report.validation.row_at(at).cells[1].text for at in range(5)]
    assert shown == ["1", "2", "0", "0", "3"]
    with qtbot.waitSignal(dialog.taken) as seen:
        dialog.foot.next.click()
    request, read, adding = seen.args
    assert request.job_paths == (files["jobs.csv"],) and read.accepted_jobs == 1 and adding is False


@pytest.mark.long
def test_enter_takes_the_files_in_and_escape_asks_first(
    qtbot: QtBot, opened: Open, files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Meant for a list that was closed already, it threw away what had taken twenty seconds to read."""
    dialog, asked = opened(files["jobs.csv"]), list[str]()

    def answer(at: int) -> Callable[..., object]:
        return lambda _, title, words, answers: (asked.append(title), answers[at])[1]

    with qtbot.assertNotEmitted(dialog.taken):
        for at, is_open in ((1, True), (0, False)):
            monkeypatch.setattr("gpuplanner.ui.importing.import_dialog.ask", answer(at))
            QTest.keyClick(dialog, Qt.Key.Key_Escape)
            assert dialog.isVisible() is is_open
    assert asked == ["Close without importing?"] * 2
    dialog = opened(files["jobs.csv"])
    with qtbot.waitSignal(dialog.taken):
        QTest.keyClick(dialog, Qt.Key.Key_Return)


def test_escape_and_the_title_bar_ask_before_a_file_is_lost_that_is_being_read(
    qtbot: QtBot, files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was thrown away unasked as long as the first answer was not there, and by the title bar always."""
    go, asked = Event(), list[str]()

    def slow(request: ImportRequest, on_progress: OnProgress, is_cancelled: IsCancelled) -> ReadResult:
        go.wait(30)
        return read_request(request, on_progress, is_cancelled)

    def answer(at: int) -> Callable[..., object]:
        return lambda _, title, words, answers: (asked.append(title), answers[at])[1]

    importer = Importer(slow)
    dialog = ImportDialog([files["jobs.csv"]], EMPTY, importer, None)
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.waitUntil(lambda: dialog.reading.is_busy)
    frame = OfFrame()
    ways = (lambda: QTest.keyClick(dialog, Qt.Key.Key_Escape), lambda: dialog.closeEvent(frame))
    for at, way in ((1, ways[0]), (1, ways[1]), (0, ways[1])):
        assert dialog.isVisible() and dialog.reading.answer is None
        monkeypatch.setattr("gpuplanner.ui.importing.import_dialog.ask", answer(at))
        way()
    assert asked == ["Close without importing?"] * 3 and not dialog.isVisible() and not frame.isAccepted()
    go.set()
    importer.close()


def test_a_photo_is_not_taken_for_a_log_and_the_closed_button_says_why(opened: Open, files: Files) -> None:
    dialog = opened(files["photo.csv"])
    assert dialog.chosen.all[0].kind == ""
    assert not dialog.foot.next.isEnabled()
    assert all(kind in dialog.foot.sentence for kind in KINDS)
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()  # nothing is lost: nothing is asked


@pytest.mark.long
def test_each_step_says_that_a_file_is_left_out(opened: Open, files: Files) -> None:
    """None of them waits for what never comes."""
    dialog = opened(files["table.csv"], files["jobs.csv"])
    dialog.file_box.setCurrentIndex(0)
    dialog.file_box.activated.emit(0)
    for step, page in ((COLUMNS, dialog.columns_page), (ISSUES, dialog.issues_page)):
        dialog.open_step(step)
        said = " ".join(label.text() for label in page.findChildren(QLabel))
        assert "skipped" in said.lower()
        assert "reading" not in said.lower()


def test_a_missing_file_is_said_and_does_not_crash(opened: Open, tmp_path: Path) -> None:
    dialog = opened(str(tmp_path / "gone.csv"))
    assert not dialog.foot.next.isEnabled()
    assert dialog.chosen.all[0].is_closed and "gone.csv" in dialog.foot.sentence
    assert dialog.files_page.table.row_at(0).cells[4].icon_role == "red"


@pytest.mark.long
def test_a_missing_file_beside_a_log_does_not_keep_it_out(opened: Open, files: Files, tmp_path: Path) -> None:
    dialog = opened(files["jobs.csv"], str(tmp_path / "gone.csv"))
    assert dialog.foot.next.isEnabled()
    assert [file.is_closed for file in dialog.chosen.all] == [False, True]
    assert "gone.csv" in dialog.files_page.said.text()


def test_looking_at_a_file_that_takes_long_does_not_block_the_window(
    qtbot: QtBot, importer: Importer, files: Files
) -> None:
    go = Event()

    def slow(path: str, is_cancelled: Callable[[], bool]) -> FoundFile:
        go.wait(30)
        return FoundFile(path=path, kind="jobs", format="own_csv", why="looks like one")

    recogniser = Recogniser(slow)
    dialog = ImportDialog([files["jobs.csv"]], EMPTY, importer, None, recogniser=recogniser)
    qtbot.addWidget(dialog)
    dialog.show()
    assert dialog.files_page.table.row_at(0).cells[4].text == "reading…"
    assert "Reading" in dialog.foot.sentence and not dialog.foot.next.isEnabled()
    began = time.monotonic()
    dialog.foot.cancel.click()
    assert not dialog.isVisible() and time.monotonic() - began < 5
    go.set()
    recogniser.close()


def test_files_are_looked_at_once_the_dialog_is_painted(
    qtbot: QtBot, importer: Importer, files: Files
) -> None:
    told: list[str] = []

    def found(path: str, is_cancelled: Callable[[], bool]) -> FoundFile:
        told.append("looked at")
        return FoundFile(path=path, kind="jobs", format="own_csv", why="looks like one")

    class Painted(QObject):
        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            told.extend(["painted"] if event.type() == QEvent.Type.Paint else [])
            return False

    recogniser, painted = Recogniser(found), Painted()
    dialog = ImportDialog([files["jobs.csv"]], EMPTY, importer, None, recogniser=recogniser)
    qtbot.addWidget(dialog)
    dialog.installEventFilter(painted)
    dialog.show()
    time.sleep(0.1)  # however long a busy machine takes to get to painting
    assert dialog.chosen.is_being_recognised
    assert "Reading" in dialog.foot.sentence
    qtbot.waitUntil(lambda: "looked at" in told)
    assert told[0] == "painted"
    recogniser.close()


# What a log leaves open


@pytest.mark.long
def test_a_log_without_zones_asks_for_one_and_is_read_again(qtbot: QtBot, opened: Open, files: Files) -> None:
    dialog = opened(files["naive.csv"])
    answer_zone(dialog, "Oslo")
    assert not dialog.foot.next.isEnabled()  # what was read is not what would be read now
    settle(qtbot, dialog)
    assert dialog.foot.next.isEnabled()
    assert dialog.reading.answer[1].jobs.first_start_s == 1_782_856_800  # two hours before midnight UTC
    answer_zone(dialog, "Europe/Osl")
    settle(qtbot, dialog)
    assert not dialog.foot.next.isEnabled()
    assert "Europe/Osl" in dialog.foot.sentence.split()


def answer_zone(dialog: ImportDialog, words: str) -> None:
    line = dialog.files_page.units.boxes["", ZONE].lineEdit()
    line.setText(words)
    line.editingFinished.emit()


def test_zones_are_found_by_city_and_that_of_this_computer_comes_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(QTimeZone, "systemTimeZoneId", lambda: QByteArray(b"Europe/Oslo"))
    zones_by_words.cache_clear()
    assert [*zones_by_words()][:2] == ["Oslo (Europe/Oslo)", "UTC"]
    zones_by_words.cache_clear()
    assert [zone_of(city) for city in ("new york", "San Francisco", "Mumbai")] == [
        "America/New_York",
        "America/Los_Angeles",
        "Asia/Kolkata",
    ]


@pytest.mark.long
def test_a_log_that_names_no_cluster_asks_for_it(qtbot: QtBot, opened: Open, tmp_path: Path) -> None:
    log = log_of_no_cluster(tmp_path)
    dialog = opened(log, contracts_of(tmp_path / "contracts.csv", "atlas"))
    assert [*dialog.files_page.units.boxes] == [(log, SERVED)]  # and not for a zone
    assert clusters_read(dialog) == ["atlas"]  # the only one that contracts are for
    answer_cluster(qtbot, dialog, log, "")  # what the planner says is not proposed away
    assert clusters_read(dialog) == [""]


@pytest.mark.long
def test_each_log_has_its_own_cluster_and_one_that_is_added_keeps_that_of_the_others(
    qtbot: QtBot, opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = (tmp_path / name for name in ("sacct_granite.csv", "pods.csv"))
    for path in (first, second):
        path.write_text(LOG_OF_NO_CLUSTER)
    contracts = contracts_of(tmp_path / "contracts.csv", "granite", "eks")
    dialog = opened(str(first), contracts)
    assert clusters_read(dialog) == ["granite"]  # the file is called so
    monkeypatch.setattr("gpuplanner.ui.importing.import_dialog.open_files", lambda *_: [str(second)])
    dialog.files_page.add.click()
    settle(qtbot, dialog)
    assert sorted(clusters_read(dialog)) == ["", "granite"]
    answer_cluster(qtbot, dialog, str(second), "eks")
    assert sorted(clusters_read(dialog)) == ["eks", "granite"]
    project = imported_project(EMPTY, *dialog.reading.answer)
    dialog.reject()
    third = tmp_path / "more.csv"
    third.write_text(LOG_OF_NO_CLUSTER.replace("\n1,", "\n2,"))
    dialog = opened(str(third), project=project)
    answer_cluster(qtbot, dialog, str(third), "fram")
    after = imported_project(project, *dialog.reading.answer, adding=True)
    assert sorted(work.cluster for work in after.workloads) == ["eks", "fram", "granite"]
    dialog.open_step(LAST)
    told = [dialog.files_page.said.text(), dialog.last_page.figures.row_at(0).cells[1].text]
    assert all(text.startswith("1") and " 3 " in text for text in told)


LOG_OF_NO_CLUSTER = "job_id,gpus,start,end\n1,1,2026-01-01T00:00:00Z,2026-01-02T00:00:00Z\n"


def log_of_no_cluster(folder: Path) -> str:
    (folder / "jobs.csv").write_text(LOG_OF_NO_CLUSTER)
    return str(folder / "jobs.csv")


def contracts_of(path: Path, *clusters: str) -> str:
    rows = [f"k{at},{cluster},H100,8,2.75,2025-01-01\n" for at, cluster in enumerate(clusters)]
    path.write_text(f"contract_id,cluster,gpu_model,gpus,rate_usd_per_gpu_hour,start\n{''.join(rows)}")
    return str(path)


def answer_cluster(qtbot: QtBot, dialog: ImportDialog, path: str, name: str) -> None:
    line = dialog.files_page.units.boxes[path, SERVED].lineEdit()
    line.setText(name)
    line.editingFinished.emit()
    settle(qtbot, dialog)


def clusters_read(dialog: ImportDialog) -> list[str]:
    return [workload.cluster for workload in dialog.reading.answer[1].workloads]


@pytest.mark.long
def test_a_log_of_one_cluster_is_not_asked_about(opened: Open, tmp_path: Path) -> None:
    jobs = tmp_path / "jobs.csv"
    jobs.write_text("job_id,cluster,gpus,start,end\n1,main,1,2026-01-01T00:00:00Z,2026-01-02T00:00:00Z\n")
    dialog = opened(str(jobs), contracts_of(tmp_path / "contracts.csv", "main"))
    assert not dialog.files_page.units.boxes


@pytest.mark.long
def test_contracts_that_come_later_ask_of_the_loaded_log(qtbot: QtBot, opened: Open, tmp_path: Path) -> None:
    log = log_of_no_cluster(tmp_path)
    project = read_inputs([log], [], []).project()
    dialog = opened(contracts_of(tmp_path / "contracts.csv", "main"), project=project)
    assert clusters_read(dialog) == ["main"]
    request, read = dialog.reading.answer
    after = imported_project(project, request, read, adding=True, scenario="")
    assert [workload.cluster for workload in after.workloads] == ["main"]
    assert [contract.cluster for contract in after.contracts] == ["main"]
    answer_cluster(qtbot, dialog, log, "")
    request, read = dialog.reading.answer
    assert not request.job_paths
    after = imported_project(project, request, read, adding=True, scenario="")
    assert [workload.cluster for workload in after.workloads] == [""]


@pytest.mark.long
def test_clusters_that_differ_in_capitals_only_are_said(opened: Open, tmp_path: Path) -> None:
    jobs, contracts = tmp_path / "jobs.csv", tmp_path / "contracts.csv"
    jobs.write_text("job_id,gpus,start,end,cluster\n1,1,2026-01-01T00:00:00Z,2026-01-02T00:00:00Z,hq\n")
    assert "HQ and hq" in opened(str(jobs), contracts_of(contracts, "HQ")).files_page.said.text()
    assert "taken as" not in opened(str(jobs), contracts_of(contracts, "hq")).files_page.said.text()


@pytest.mark.long
def test_saying_that_a_file_is_something_else_reads_again(qtbot: QtBot, opened: Open, files: Files) -> None:
    dialog = opened(files["jobs.csv"])
    dialog.files_page.kind_chosen.emit(files["jobs.csv"], "")
    settle(qtbot, dialog)
    assert not dialog.foot.next.isEnabled() and all(kind in dialog.foot.sentence for kind in KINDS)


@pytest.mark.long
def test_pseudonyms_are_asked_of_the_readers(opened: Open, files: Files) -> None:
    dialog = opened(files["jobs.csv"])
    assert not dialog.request().pseudonyms
    dialog.foot.private.setChecked(True)
    assert dialog.request().pseudonyms


# A table nobody knows


@pytest.mark.long
def test_an_unknown_table_is_mapped_column_by_column_until_it_can_be_read(
    qtbot: QtBot, opened: Open, files: Files
) -> None:
    dialog = opened(files["table.csv"])
    assert dialog.files_page.columns.text() == "Map its columns"
    open_columns(qtbot, dialog)
    assert dialog.page == COLUMNS
    assert not dialog.foot.next.isEnabled()
    assert "gpus" in dialog.foot.sentence and "table.csv" in dialog.foot.sentence
    map_columns(qtbot, dialog, gpus="cards")
    assert "end or duration" in dialog.foot.sentence and "gpus" not in dialog.foot.sentence
    map_columns(qtbot, dialog, duration="took")
    assert dialog.foot.next.isEnabled() and not dialog.foot.sentence
    assert dialog.reading.answer[1].accepted_jobs == 1  # the whole file has been read meanwhile
    assert dialog.report.caption.text().startswith("All rows")
    for page in (ISSUES, LAST):
        dialog.foot.next.click()
        assert dialog.page == page
    with qtbot.waitSignal(dialog.taken):
        dialog.foot.next.click()


@pytest.mark.long
def test_counts_of_a_sample_are_said_to_be_of_a_sample(qtbot: QtBot, opened: Open, files: Files) -> None:
    dialog = opened(files["table.csv"])
    open_columns(qtbot, dialog)
    map_columns(qtbot, dialog, gpus="cards", duration="took")
    box = dialog.columns_page.units["gpus"]
    box.setCurrentIndex(box.findData("milli"))
    box.activated.emit(box.currentIndex())
    qtbot.waitUntil(lambda: not dialog.chosen.previews.is_busy)
    assert "2 rows" in dialog.report.caption.text()
    settle(qtbot, dialog)
    assert dialog.reading.answer[1].jobs.milli_gpu_seconds == 8 * 3600
    assert "2 rows" not in dialog.report.caption.text()  # all of them are read


@pytest.mark.long
def test_of_many_changes_in_a_row_the_last_one_is_previewed(
    qtbot: QtBot, opened: Open, files: Files, preview: FakePreview
) -> None:
    dialog = opened(files["table.csv"])
    dialog.files_page.columns.click()
    for heading in (*HEADINGS, "cards"):
        dialog.chosen.set_column("gpus", heading)
    settle(qtbot, dialog)
    assert preview.asked[-1][1].mapping.columns["gpus"] == "cards"
    assert dialog.columns_page.boxes["cards"].currentData() == "gpus"


def test_a_zone_chosen_for_the_file_is_shown_with_what_it_means(
    qtbot: QtBot, opened: Open, files: Files
) -> None:
    dialog = opened(files["table.csv"])
    open_columns(qtbot, dialog)
    told = dialog.columns_page.note.text()
    assert "UTC" in told and "1 Jul 2026 00:00:00" in told
    dialog.columns_page.zone_chosen.emit("Europe/Oslo")
    settle(qtbot, dialog)
    told = dialog.columns_page.note.text()
    assert "Europe/Oslo" in told and "30 Jun 2026 22:00:00" in told
    assert dialog.request().timezone == "Europe/Oslo"  # one log: it answers the question of the first page


@pytest.mark.long
def test_of_two_logs_each_may_have_a_zone_of_its_own(qtbot: QtBot, opened: Open, files: Files) -> None:
    dialog = opened(files["naive.csv"], files["table.csv"])
    dialog.choose_file(0)
    dialog.open_step(COLUMNS)
    dialog.chosen.say_kind(files["table.csv"], "jobs")
    dialog.choose_file(1)
    map_columns(qtbot, dialog)
    dialog.choose_file(0)
    dialog.columns_page.zone_chosen.emit("Europe/Oslo")
    settle(qtbot, dialog)
    assert [file.choice.timezone for file in dialog.chosen.all] == ["Europe/Oslo", None]


@pytest.mark.long
def test_a_mapping_is_remembered_by_its_header_and_can_be_forgotten(
    qtbot: QtBot, opened: Open, files: Files, settings: Settings, tmp_path: Path
) -> None:
    dialog = opened(files["table.csv"])
    open_columns(qtbot, dialog)
    map_columns(qtbot, dialog, gpus="cards", duration="took")
    dialog.open_step(FILES)
    dialog.foot.next.click()
    assert settings.mapping("jobs" + header_key(HEADINGS))
    other = tmp_path / "other.csv"
    other.write_text(TABLE)
    again = opened(str(other))
    assert again.chosen.all[0].is_remembered and again.foot.next.isEnabled()
    assert again.reading.answer[1].accepted_jobs == 1
    again.open_step(COLUMNS)
    assert not again.foot.forget.isHidden()
    again.foot.forget.click()
    assert settings.mapping("jobs" + header_key(HEADINGS)) is None
    again.open_step(FILES)
    again.foot.next.click()
    assert settings.mapping("jobs" + header_key(HEADINGS)) is None


def test_a_mapping_that_cannot_be_read_any_more_is_as_if_never_made(
    opened: Open, files: Files, settings: Settings
) -> None:
    settings.remember_mapping("jobs" + header_key(HEADINGS), "nonsense=1")
    dialog = opened(files["table.csv"])
    assert dialog.chosen.all[0].kind == "" and not dialog.chosen.all[0].is_remembered


def test_another_format_may_be_chosen_and_its_fault_is_said(qtbot: QtBot, opened: Open, files: Files) -> None:
    dialog = opened(files["table.csv"])
    dialog.open_step(FORMAT)
    settle(qtbot, dialog)
    page = dialog.format_page
    assert page.rows.row_at(0).cells[1].text == "a"
    box = page.box
    at = next(at for at in range(box.count()) if "sacct" in box.itemText(at).lower())
    box.setCurrentIndex(at)
    box.activated.emit(at)
    settle(qtbot, dialog)
    assert "no column JobID" in page.reason.text() and box.currentIndex() == at


# Issues


@pytest.mark.long
def test_the_rows_of_an_issue_are_listed_with_their_text(qtbot: QtBot, opened: Open, files: Files) -> None:
    dialog = opened(files["jobs.csv"])
    dialog.report.issue_chosen.emit("bad_time")
    assert dialog.page == ISSUES
    row = dialog.issues_page.rows.row_at(0)
    assert row.cells[0].text == "4" and "=cmd()" in row.cells[2].text
    dialog.issues_page.show_issue("")
    assert dialog.issues_page.rows.model().rowCount() == 2


@pytest.mark.long
def test_rejected_rows_are_saved_with_their_reasons(
    opened: Open, files: Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialog = opened(files["jobs.csv"])
    target = tmp_path / "rejected.csv"
    chooser = "gpuplanner.ui.kit.file_dialogs.QFileDialog.getSaveFileName"
    monkeypatch.setattr(chooser, lambda *_: (str(target), ""))
    dialog.report.save.click()
    lines = target.read_text(encoding="utf-8-sig").splitlines()
    assert lines[0].split(",") == [
        *("file", "row", "code", "message"),
        *("job_id", "gpus", "start", "end", "name"),
    ]
    assert {line.split(",")[1] for line in lines[1:]} == {"3", "4"}
    assert lines == rejected_csv((dialog.reading.intake[files["jobs.csv"]],)).splitlines()


@pytest.mark.long
def test_a_log_without_a_column_is_refused_in_red_and_is_no_source(
    qtbot: QtBot, opened: Open, files: Files, tmp_path: Path
) -> None:
    broken = tmp_path / "broken.csv"
    broken.write_text('job_id,gpus,start\n1,"8,2026-0\n2,  ')
    dialog = opened(files["jobs.csv"], str(broken))
    status = dialog.files_page.table.row_at(1).cells[4]
    assert (status.text, status.icon_role) == ("refused", "red")
    assert dialog.files_page.table.row_at(1).cells[3].text == numbers.UNKNOWN  # no row of it was counted
    assert dialog.report.issues.row_at(0).cells[2].text == "refused"
    assert "broken.csv" in dialog.files_page.said.text()
    with qtbot.waitSignal(dialog.taken) as seen:
        dialog.foot.next.click()
    request, read, _ = seen.args
    assert request.job_paths == (files["jobs.csv"],)
    assert [file.path for file in read.intake] == [files["jobs.csv"]]


@pytest.mark.long
def test_what_the_readers_say_names_no_option_that_the_window_has_a_control_for() -> None:
    for code in ISSUE_TEXTS:
        assert "--" not in str(in_window_words(issue_message(code))), code
    assert not [text for text in words_in_code().of_window if "--" in text]


# Keyboard and room


@pytest.mark.long
def test_every_widget_that_takes_the_keyboard_has_a_name(qtbot: QtBot, opened: Open, files: Files) -> None:
    dialog = opened(files["table.csv"], files["jobs.csv"])
    open_columns(qtbot, dialog)
    for page in (FILES, FORMAT, COLUMNS, ISSUES, LAST):
        dialog.open_step(page)
        nameless = [
            f"{type(widget).__name__} in {page}"
            for widget in dialog.findChildren(QWidget)
            if widget.isVisible()
            and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
            and not widget.accessibleName()
            and type(widget).__name__ != "QLineEdit"  # inside a box that has a name
        ]
        assert nameless == []


@pytest.mark.long
def test_the_steps_are_gone_through_with_the_keyboard(qtbot: QtBot, opened: Open, files: Files) -> None:
    dialog = opened(files["jobs.csv"])
    pages = []
    for _ in range(5):
        QTest.keyClick(dialog, Qt.Key.Key_PageDown, Qt.KeyboardModifier.ControlModifier)
        pages.append(dialog.page)
    assert pages == [FORMAT, COLUMNS, ISSUES, LAST, LAST]


@pytest.mark.long
def test_no_page_needs_more_than_a_small_screen(qtbot: QtBot, opened: Open, files: Files) -> None:
    dialog = opened(files["table.csv"], files["naive.csv"])
    open_columns(qtbot, dialog)
    dialog.resize(960, 504)
    for page in (FILES, FORMAT, COLUMNS, ISSUES, LAST):
        dialog.open_step(page)
        QApplication.processEvents()
        smallest = dialog.minimumSizeHint()
        assert (smallest.width() <= 960, smallest.height() <= 504) == (True, True), (page, smallest)


# Rows that are alike


@pytest.mark.long
def test_rows_that_are_alike_are_dropped_by_a_tick_and_the_counts_follow(
    qtbot: QtBot, opened: Open, tmp_path: Path
) -> None:
    log = tmp_path / "alike.csv"
    row = ",2,2026-01-01T00:00:00Z,2026-01-01T06:00:00Z\n"
    log.write_text("job_id,gpus,start,end\n" + 3 * row, encoding="utf-8")
    dialog = opened(str(log))
    tick = dialog.report.alike
    assert tick.isVisible() and not tick.isChecked()
    for is_dropped, accepted, duplicate in ((True, 1, 2), (False, 3, 0)):
        tick.click()
        settle(qtbot, dialog)
        read = dialog.reading.answer[1].intake[0]
        assert (read.rows_accepted, read.rows_duplicate) == (accepted, duplicate)
        assert tick.isVisible() and tick.isChecked() is is_dropped
        assert dialog.report.validation.row_at(0).cells[1].text == str(accepted)


@pytest.mark.long
def test_contracts_that_join_others_are_counted_with_them(opened: Open, tmp_path: Path) -> None:
    loaded = tuple(
        Contract(
            contract_id=name,
            cluster="c",
            gpu_model="H100",
            milli_gpus=8000,
            rate_usd_per_gpu_hour=None,
            start_s=0,
        )
        for name in ("k1", "k2", "k3")
    )
    more = tmp_path / "contracts.csv"
    more.write_text("contract_id,gpus,start\nk3,8,2026-01-01\nk4,8,2026-01-01\n", encoding="utf-8")
    dialog = opened(str(more), project=replace(EMPTY, contracts=loaded))
    assert dialog.standing.summary[0].startswith("2 contracts, 4 ")
    dialog.foot.adding.setChecked(False)
    assert dialog.standing.joined is None


@pytest.mark.long
def test_rows_behind_an_issue_of_accepted_rows_are_listed(opened: Open, files: Files) -> None:
    dialog = opened(files["naive.csv"])
    dialog.report.issue_chosen.emit("naive_time_assumed_utc")
    row = dialog.issues_page.rows.row_at(0)
    assert row.cells[0].text == "2" and "name=train-a" in row.cells[2].text


@pytest.mark.long
def test_a_dialog_that_is_built_in_parts_is_the_same_and_the_window_goes_on_between_them(
    files: Files, importer: Importer, qtbot: QtBot
) -> None:
    dialog = ImportDialog([files["jobs.csv"]], EMPTY, importer, None, in_parts=True)
    qtbot.addWidget(dialog)
    parts: list[int] = []
    between = QTimer(dialog, interval=0)
    between.timeout.connect(lambda: parts.append(dialog.pages.count() if "pages" in vars(dialog) else 0))
    between.start()
    dialog.show()
    assert "pages" not in vars(dialog)
    settle(qtbot, dialog)
    assert {1, 2, 3, 4, 5} <= set(parts)
    assert dialog.foot.next.isEnabled() and dialog.report.minimumWidth() >= LEAST_REPORT_PX
