"""Every issue has a title, and sentences without options of the command line."""

import csv
import re
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

import gpuplanner
from docs.list_texts import unlisted
from gpuplanner.domain.message import joined, worded
from gpuplanner.domain.model.intake import FileIntake, Issue, RejectedRow
from gpuplanner.files.sources.issue_texts import ISSUE_TEXTS, issue_message
from gpuplanner.ui.importing.issue_words import ISSUE_TITLES, issue_words, title_of
from gpuplanner.ui.importing.report import ImportReport, IssuesPage

ROOT = Path(gpuplanner.__path__[0])
SPOKEN_TO_A_MACHINE = re.compile(r"--\w|\b\w+_\w+\b|:epoch|[A-Z]+:[a-z]")
"""Options, names with underscores, words of a mapping."""
OF_THEIR_FILES = {"usd_per_month", "as_of"}


def codes_of_the_documentation() -> set[str]:
    text = (ROOT.parent / "docs" / "formats" / "issue-codes.md").read_text(encoding="utf-8")
    return set(re.findall(r"^\| `(\w+)` \|", text, flags=re.M))


@pytest.mark.long
def test_every_code_has_words() -> None:
    assert {*ISSUE_TEXTS, *codes_of_the_documentation()} <= set(ISSUE_TITLES)
    assert not any("_" in str(title) for title in ISSUE_TITLES.values())
    assert unlisted({str(title) for title in ISSUE_TITLES.values()}) == set()


@pytest.mark.parametrize("code", sorted(ISSUE_TEXTS))
def test_what_the_window_says_names_no_option_and_no_code(code: str) -> None:
    for message in (issue_message(code), joined(("'x'", issue_message(code)), ": ")):
        told = issue_words(code, message)
        assert not set(SPOKEN_TO_A_MACHINE.findall(str(told))) - OF_THEIR_FILES, told
        assert str(told).startswith("'x': ") is str(message).startswith("'x'")


def test_what_is_said_of_a_row_are_sentences() -> None:
    value = worded("start {start}, end {end}", start="5", end="3")
    told = str(issue_words("bad_time", joined((value, issue_message("bad_time")), ": ")))
    assert told.startswith(f"{str(value).capitalize()}. ")
    assert told[len(str(value)) + 2 :][0].isupper()


def test_a_message_of_its_own_file_is_kept() -> None:
    assert issue_words("computed", "1,234 / 8 GPUs") == "1,234 / 8 GPUs"
    assert issue_words("bad_time", "Start is <None>") == "Start is <None>"


def test_starts_before_1980_are_told_with_the_way_to_their_unit(qtbot: QtBot) -> None:
    report, page = ImportReport(), IssuesPage()
    for widget in (report, page):
        qtbot.addWidget(widget)
    issue = Issue("before_1980", 8152, 2, issue_message("before_1980"))
    file = FileIntake(
        path="pods.csv",
        kind="jobs",
        format="openb",
        rows_read=8152,
        rows_accepted=8152,
        rows_rejected=0,
        rows_duplicate=0,
        rows_ignored=0,
        issues=(issue,),
    )
    report.show_file(file)
    page.show_file(file, "pods.csv")
    page.show_issue("before_1980")
    for told in (report.first_issue.text(), page.words.text()):
        assert "Starts before 1980: plain seconds count" in told.replace("\u200b", "")
        assert "Columns" in told
        assert "before_1980" not in told and "epoch" not in told
    assert "Earlier than 1980" in report.first_issue.text()
    assert str(title_of("before_1980")) == "Earlier than 1980"


def test_saved_rows_keep_the_code(qtbot: QtBot) -> None:
    from gpuplanner.ui.importing.report import rejected_csv

    row = RejectedRow(
        row=3, code="bad_time", message=joined(("'None'", issue_message("bad_time")), ": "), text="a,b"
    )
    file = FileIntake(
        path="a.csv",
        kind="jobs",
        format="own_csv",
        rows_read=1,
        rows_accepted=0,
        rows_rejected=1,
        rows_duplicate=0,
        rows_ignored=0,
        rejected=(row,),
    )
    _, saved = csv.reader(rejected_csv((file,)).splitlines())
    assert saved[2:4] == ["bad_time", f"'None': {issue_message('bad_time')}"]
