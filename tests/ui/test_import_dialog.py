"""The import dialog: what files are, how their rows ended, and that nothing is taken in unasked."""

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from gpuplanner.app.importing import Importer
from gpuplanner.domain.model.cube import empty_cube
from gpuplanner.domain.model.intake import FileIntake, Issue, RejectedRow
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import Window
from gpuplanner.files.issue_texts import ISSUE_TEXTS, issue_message
from gpuplanner.files.job_logs import own_csv
from gpuplanner.ui import numbers
from gpuplanner.ui.import_dialog import ImportDialog, kind_of
from gpuplanner.ui.import_report import ImportReport, fate_of, rejected_csv
from gpuplanner.ui.theme import LIGHT
from gpuplanner.ui.window_words import WINDOW_WORDS, in_window_words

JOBS = (
    "job_id,gpus,start,end,name\n"
    "1,8,2026-07-01T00:00:00Z,2026-07-01T10:00:00Z,train-a\n"
    "2,-1,2026-07-01T00:00:00Z,2026-07-01T10:00:00Z,train-b\n"
    "3,4,2026-07-01T00:00:00Z,None,=cmd()\n"
)
NAIVE = "job_id,gpus,start,end,name\n1,8,2026-07-01T00:00:00,2026-07-01T10:00:00,train-a\n"
EMPTY = Project(Window(0, 1), empty_cube(1))


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    """A log with faults, one without zones, and a photo that says it is a CSV."""
    contents = {
        "jobs.csv": JOBS.encode(),
        "naive.csv": NAIVE.encode(),
        "photo.csv": b"\xff\xd8\xff\xe0" + bytes(range(256)),
    }
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    return {name: str(tmp_path / name) for name in contents}


def opened(qtbot: QtBot, importer: Importer, *paths: str, project: Project = EMPTY) -> ImportDialog:
    dialog = ImportDialog(list(paths), project, importer, LIGHT, None)
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.waitUntil(lambda: not importer.is_busy, timeout=60_000)
    return dialog


@pytest.fixture
def importer(qapp: object) -> Importer:
    made = Importer()
    yield made  # type: ignore[misc]
    made.close()


def test_a_log_is_read_at_once_and_every_row_is_accounted_for(
    qtbot: QtBot, importer: Importer, files: dict[str, str]
) -> None:
    dialog = opened(qtbot, importer, files["jobs.csv"])
    assert dialog.take.isEnabled()
    read = dialog._files[0]
    assert (read.rows_read, read.rows_accepted, read.rows_rejected) == (3, 1, 2)
    shown = [dialog.report._fates.row_at(at).cells[1].text for at in range(5)]
    assert shown == ["1", "2", "0", "0", "3"]


def test_what_was_read_is_handed_over_only_on_the_button(
    qtbot: QtBot, importer: Importer, files: dict[str, str]
) -> None:
    dialog = opened(qtbot, importer, files["jobs.csv"])
    with qtbot.waitSignal(dialog.taken) as seen:
        dialog.take.click()
    request, read, adding = seen.args
    assert request.job_paths == (files["jobs.csv"],) and read.accepted_jobs == 1 and adding is False


def test_cancel_takes_nothing(qtbot: QtBot, importer: Importer, files: dict[str, str]) -> None:
    dialog = opened(qtbot, importer, files["jobs.csv"])
    with qtbot.assertNotEmitted(dialog.taken):
        dialog.cancel.click()


def test_a_photo_is_not_taken_for_a_log(qtbot: QtBot, importer: Importer, files: dict[str, str]) -> None:
    dialog = opened(qtbot, importer, files["photo.csv"])
    assert kind_of(files["photo.csv"])[0] == ""
    assert not dialog.take.isEnabled() and dialog.take.toolTip()
    assert "None of these files" in dialog._said.text()


def test_a_missing_file_is_said_and_does_not_crash(qtbot: QtBot, importer: Importer, tmp_path: Path) -> None:
    dialog = opened(qtbot, importer, str(tmp_path / "gone.csv"))
    assert not dialog.take.isEnabled()


def test_a_log_without_zones_asks_for_one_and_reads_again(
    qtbot: QtBot, importer: Importer, files: dict[str, str]
) -> None:
    dialog = opened(qtbot, importer, files["naive.csv"])
    assert dialog.zone.isVisible()
    dialog.zone.box.setCurrentText("Europe/Oslo")
    assert not dialog.take.isEnabled()  # what was read is not what would be read now
    dialog.again.click()
    qtbot.waitUntil(lambda: not importer.is_busy, timeout=60_000)
    assert dialog._answer[1].jobs.first_start_s == 1_782_856_800  # two hours before midnight UTC


def test_a_log_that_names_no_cluster_asks_for_it(qtbot: QtBot, importer: Importer, tmp_path: Path) -> None:
    jobs, contracts = tmp_path / "jobs.csv", tmp_path / "contracts.csv"
    jobs.write_text("job_id,gpus,start,end\n1,1,2026-01-01T00:00:00Z,2026-01-02T00:00:00Z\n")
    contracts.write_text(
        "contract_id,cluster,gpu_model,gpus,rate_usd_per_gpu_hour,start\nk,atlas,H100,8,2.75,2025-01-01\n"
    )
    dialog = opened(qtbot, importer, str(jobs), str(contracts))
    assert dialog.cluster.isVisible() and not dialog.zone.isVisible()
    assert "atlas" in [dialog.cluster.box.itemText(at) for at in range(dialog.cluster.box.count())]
    dialog.cluster.box.setCurrentText("atlas")
    assert not dialog.take.isEnabled()
    dialog.again.click()
    qtbot.waitUntil(lambda: not importer.is_busy, timeout=60_000)
    assert [workload.cluster for workload in dialog._answer[1].workloads] == ["atlas"]


def test_saying_that_a_file_is_something_else_asks_to_read_again(
    qtbot: QtBot, importer: Importer, files: dict[str, str]
) -> None:
    dialog = opened(qtbot, importer, files["jobs.csv"])
    dialog._set_kind(files["jobs.csv"], "")
    assert not dialog.take.isEnabled() and dialog.again.isVisible()
    dialog.again.click()
    assert "None of these files" in dialog._said.text()


def test_rejected_rows_are_saved_with_their_reasons_and_as_no_formula(
    qtbot: QtBot, importer: Importer, files: dict[str, str]
) -> None:
    dialog = opened(qtbot, importer, files["jobs.csv"])
    lines = rejected_csv(tuple(dialog._files)).splitlines()
    assert lines[0] == "file,row,code,message,text"
    assert {line.split(",")[1] for line in lines[1:]} == {"3", "4"}
    row = RejectedRow(9, "bad_time", "no time", "=HYPERLINK(1)")
    assert "'=HYPERLINK" in rejected_csv(
        (FileIntake("a", "jobs", "own_csv", 1, 0, 1, 0, 0, rejected=(row,)),)
    )


def test_an_issue_is_shown_in_full_with_the_first_of_its_rows(qtbot: QtBot) -> None:
    report = ImportReport(LIGHT)
    qtbot.addWidget(report)
    issue = Issue("bad_time", 131, 4071, "Start or End is not a time")
    row = RejectedRow(4071, "bad_time", "Start is <None>", "4418955|batch|None")
    file = FileIntake("sacct.txt", "jobs", "sacct", 200, 69, 131, 0, 0, (issue,), (row,))
    report.show_file(file)
    assert "Row 4,071" in report._first.text() and "&lt;None&gt;" in report._first.text()
    assert fate_of(issue, file)[0] == "rejected"
    assert fate_of(Issue("pending", 3, 1, ""), file)[0] == "ignored"
    assert fate_of(Issue("clipped", 3, 1, ""), file)[0] == "accepted"


def test_a_log_without_a_column_is_refused_in_red_and_is_no_source(
    qtbot: QtBot, importer: Importer, files: dict[str, str], tmp_path: Path
) -> None:
    broken = tmp_path / "broken.csv"
    broken.write_text('job_id,gpus,start\n1,"8,2026-0\n2,  ')
    dialog = opened(qtbot, importer, files["jobs.csv"], str(broken))
    status = dialog._table.row_at(1).cells[4]
    assert (status.text, status.icon_role) == ("refused", "red")
    assert dialog._table.row_at(1).cells[3].text == numbers.UNKNOWN  # no row of it was counted
    assert dialog.report._issues.row_at(0).cells[2].text == "refused"
    assert "broken.csv" in dialog._said.text()
    with qtbot.waitSignal(dialog.taken) as seen:
        dialog.take.click()
    request, read, _ = seen.args
    assert request.job_paths == (files["jobs.csv"],)
    assert [file.path for file in read.intake] == [files["jobs.csv"]]


def test_where_every_file_is_refused_nothing_can_be_taken(
    qtbot: QtBot, importer: Importer, tmp_path: Path
) -> None:
    broken = tmp_path / "broken.csv"
    broken.write_text("job_id,gpus,start\n1,8,2026-01-01T00:00:00Z\n")
    dialog = opened(qtbot, importer, str(broken))
    assert not dialog.take.isEnabled()
    assert "end" in dialog._said.text() and "wizard" not in dialog._said.text()


def test_what_the_readers_say_names_no_option_that_the_window_has_a_control_for() -> None:
    for code in ISSUE_TEXTS:
        assert "--" not in in_window_words(issue_message(code)), code
    for said, ours in WINDOW_WORDS:
        assert "--" not in ours or "on the command line" in ours, said
    remedy = (Path(own_csv.__file__)).read_text()
    assert WINDOW_WORDS[0][0] in remedy  # the table follows the words of the reader


def test_the_dialog_with_its_questions_has_room_on_a_small_screen(
    qtbot: QtBot, importer: Importer, files: dict[str, str]
) -> None:
    dialog = opened(qtbot, importer, files["jobs.csv"])
    smallest = dialog.minimumSizeHint()
    assert smallest.width() <= 960 and smallest.height() <= 504  # a screen of 960 x 540 with a title bar


def test_clusters_that_differ_in_capitals_only_are_said(
    qtbot: QtBot, importer: Importer, tmp_path: Path
) -> None:
    jobs, contracts = tmp_path / "jobs.csv", tmp_path / "contracts.csv"
    jobs.write_text("job_id,gpus,start,end,cluster\n1,1,2026-01-01T00:00:00Z,2026-01-02T00:00:00Z,hq\n")
    row = "contract_id,cluster,gpu_model,gpus,rate_usd_per_gpu_hour,start\nk,{},H100,8,2.75,2025-01-01\n"
    contracts.write_text(row.format("HQ"))
    assert "HQ and hq" in opened(qtbot, importer, str(jobs), str(contracts))._said.text()
    contracts.write_text(row.format("hq"))
    assert "taken as" not in opened(qtbot, importer, str(jobs), str(contracts))._said.text()
