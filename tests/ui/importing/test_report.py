"""The report of an import: issues in full, and rejected rows that no spreadsheet takes for formulas."""

import csv
import io
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytestqt.qtbot import QtBot

from gpuplanner.domain.model.intake import FileIntake, Issue, RejectedRow
from gpuplanner.files.importing.import_jobs import import_jobs
from gpuplanner.files.importing.log_choices import ReadOptions
from gpuplanner.files.project.project_file import is_same
from gpuplanner.files.project.value_tables import from_json, rows_of, table, to_json
from gpuplanner.ui.importing.import_state import all_files, bytes_text, time_left
from gpuplanner.ui.importing.report import (
    ImportReport,
    IssuesPage,
    allow_line_breaks,
    rejected_csv,
    validation_of,
)


def file_of(*rejected: RejectedRow, path: str = "a.csv") -> FileIntake:
    count = len(rejected)
    return FileIntake(
        path=path,
        kind="jobs",
        format="own_csv",
        rows_read=count,
        rows_accepted=0,
        rows_rejected=count,
        rows_duplicate=0,
        rows_ignored=0,
        rejected=rejected,
    )


def test_an_issue_is_shown_in_full_with_the_first_of_its_rows(qtbot: QtBot) -> None:
    report = ImportReport()
    qtbot.addWidget(report)
    issue = Issue("bad_time", 131, 4071, "Start or End is not a time")
    row = RejectedRow(row=4071, code="bad_time", message="Start is <None>", text="4418955|batch|None")
    file = FileIntake(
        path="sacct.txt",
        kind="jobs",
        format="sacct",
        rows_read=200,
        rows_accepted=69,
        rows_rejected=131,
        rows_duplicate=0,
        rows_ignored=0,
        issues=(issue,),
        rejected=(row,),
    )
    report.show_file(file)
    assert "Row 4,071" in report.first_issue.text() and "&lt;None&gt;" in report.first_issue.text()
    assert report.first_issue.text().endswith("&lt;None&gt;.")
    assert str(validation_of(issue, file).word) == "rejected"
    assert str(validation_of(Issue("pending", 3, 1, ""), file).word) == "skipped"
    assert str(validation_of(Issue("no_quote", 3, 1, ""), file).word) == "skipped"
    assert str(validation_of(Issue("clipped", 3, 1, ""), file).word) == "imported"


def test_a_short_issue_takes_less_room_than_the_long_one_before_it(qtbot: QtBot) -> None:
    report = ImportReport()
    qtbot.addWidget(report)
    heights = []
    for message in ("a word", "many words " * 60, "a word"):
        report.show_file(replace(file_of(), issues=(Issue("usage", 1, None, message),)))
        heights.append(report.first_issue.minimumHeight())
    assert heights[0] == heights[2] < heights[1]


@pytest.mark.parametrize(("code", "counted"), [("unknown_column", "3 columns"), ("other_sheets", "3 sheets")])
def test_what_is_no_row_is_not_counted_in_rows(qtbot: QtBot, code: str, counted: str) -> None:
    page = IssuesPage()
    qtbot.addWidget(page)
    page.show_file(replace(file_of(), issues=(Issue(code, 3, None, "x"),)), "a.csv")
    page.show_issue(code)
    assert f"{counted}, not read" in page.words.text()


@pytest.mark.parametrize("begin", ["=", "+", "-", "@", "\t", "\r", " =", "\ufeff=", "\uff1d"])
def test_what_begins_like_a_formula_is_saved_as_text(begin: str) -> None:
    text = f"{begin}HYPERLINK(1)"
    saved = list(
        csv.reader(
            io.StringIO(
                rejected_csv((file_of(RejectedRow(row=9, code="bad_time", message=text, text=text)),))
            )
        )
    )
    assert saved[1][3:] == [f"'{text}", f"'{text}"]


@given(st.lists(st.tuples(st.integers(1, 10**9), st.text(), st.text()), max_size=5), st.text(min_size=1))
def test_saved_rows_read_back_as_what_was_rejected(rows: list[tuple[int, str, str]], path: str) -> None:
    file = file_of(
        *(RejectedRow(row=row, code="bad_time", message=why, text=text) for row, why, text in rows), path=path
    )
    text = rejected_csv((file,))
    saved = list(csv.reader(io.StringIO(text, newline="")))[1:]
    read_back = [(int(row[1]), row[4].removeprefix("'")) for row in saved]
    assert read_back == [(row, text.removeprefix("'")) for row, _, text in rows]
    cells = [cell for row in saved for cell in row if not re.fullmatch(r"[+-][\d.,]+", cell)]
    assert not any(cell.lstrip(" ")[:1] in ("=", "+", "-", "@") for cell in cells if cell)


@given(st.lists(st.tuples(*[st.integers(0, 50)] * 4), min_size=1, max_size=4))
def test_files_together_count_every_row_of_each(counts: list[tuple[int, int, int, int]]) -> None:
    files = [
        FileIntake(
            path=f"{number}",
            kind="jobs",
            format="own_csv",
            rows_read=accepted + rejected + duplicate + ignored,
            rows_accepted=accepted,
            rows_rejected=rejected,
            rows_duplicate=duplicate,
            rows_ignored=ignored,
            issues=(Issue("clipped", 1, 1, "m"),),
        )
        for number, (accepted, rejected, duplicate, ignored) in enumerate(counts)
    ]
    whole = all_files(files)
    ends = (whole.rows_accepted, whole.rows_rejected, whole.rows_duplicate, whole.rows_ignored)
    assert whole.rows_read == sum(file.rows_read for file in files) == sum(ends)
    assert [(issue.code, issue.count) for issue in whole.issues] == [("clipped", len(files))]
    assert all_files(()) is None


def test_time_left_is_said_once_it_can_be_told() -> None:
    assert time_left(0.5, 0.5) == "" and time_left(10, 0.001) == "" and time_left(10, 1) == ""
    assert time_left(10, 0.5) == "about 10 s left"
    assert time_left(60, 0.2) == "about 4 min left"


def test_sizes_in_words() -> None:
    sizes = {1: "1 byte", 2_500: "2.5 kB", 38_400_000: "38.4 MB", 1_100_000_000: "1.1 GB"}
    assert {size: bytes_text(size) for size in sizes} == sizes


def test_saved_rows_keep_the_columns_of_their_files() -> None:
    first = file_of(
        RejectedRow(row=2, code="bad_time", message="why", text="7,x,1", cells=("7", "=x", "1")), path="a.csv"
    )
    second = file_of(
        RejectedRow(row=5, code="bad_number", message="why", text="2|8", cells=("2", "8")), path="b.txt"
    )
    files = (replace(first, columns=("id", "note", "id")), replace(second, columns=("gpus", "id")))
    saved = list(csv.DictReader(io.StringIO(rejected_csv(files), newline="")))
    assert [row["row"] for row in saved] == ["2", "5"]
    assert list(saved[0])[4:] == ["id", "note", "id (2)", "gpus"]  # the text stands in its columns
    cells = [(row["id"], row["note"], row["id (2)"], row["gpus"]) for row in saved]
    assert cells == [("7", "'=x", "1", ""), ("8", "", "", "2")]


@pytest.mark.long
def test_rows_of_a_log_come_with_their_columns(tmp_path: Path) -> None:
    log = tmp_path / "jobs.csv"
    log.write_text("job_id,gpus,start,end,team\n1,two,2026-01-01T00:00:00Z,2026-01-01T06:00:00Z,ml\n")
    (file,) = import_jobs([str(log)]).intake
    (saved,) = csv.DictReader(io.StringIO(rejected_csv((file,)), newline=""))
    assert (saved["job_id"], saved["gpus"], saved["team"], saved["code"]) == ("1", "two", "ml", "bad_number")
    assert is_same(rows_of(FileIntake, from_json(to_json(table(FileIntake, (file,))))), (file,))
    (private,) = import_jobs([str(log)], options=ReadOptions(pseudonyms=True)).intake
    assert private.rejected[0].cells == ()


def test_a_row_may_be_broken_after_each_separator_and_a_number_never() -> None:
    broken = allow_line_breaks("a,b|c=$12,000.00/48,7,1,2,345")
    assert broken.split("\u200b") == ["a,", "b|", "c=", "$12,000.00/", "48,", "7,", "1,", "2,345"]
