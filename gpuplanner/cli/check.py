"""The command check: it reads files and reports the result of each."""

import argparse
from difflib import get_close_matches
from typing import Final

from gpuplanner.cli.arguments import UsageError
from gpuplanner.cli.documents.head import head
from gpuplanner.cli.documents.intake import FILE_WITH_FACTS
from gpuplanner.cli.file_results import (
    NOTHING_TO_DO_EXIT,
    UNREADABLE_EXIT,
    asked_lines,
    columns_text,
    files_text,
    issues_text,
    rejected_lines,
    unsaid_lines,
)
from gpuplanner.cli.progress import progress_on_terminal
from gpuplanner.cli.reading import read_options
from gpuplanner.cli.terminal import ISSUES, Answer, Aside
from gpuplanner.domain.reports.report import entry
from gpuplanner.files.importing.check import check_files
from gpuplanner.files.importing.read_facts import clusters_apart
from gpuplanner.files.importing.reconciliation import TOTALS_DISAGREE
from gpuplanner.files.sources.issue_texts import is_unreadable
from gpuplanner.files.system.resources import rows_of
from gpuplanner.files.tables.unread_columns import QUESTION

SAID_BY_FACTS: Final = ("billing", "contracts")
"""Kinds of files that `check` has something to say of where none of their rows is of use: sums, commitments."""


def check(words: argparse.Namespace, now_s: int) -> Answer:
    """Read files and say what each is; writes nothing. A file of no known kind is an answer, not an error.

    A bill has said what it holds, whether any of it was usage of GPUs or not. A file that disagrees with its own totals
    changes the status, as does a column that is a question.
    """
    if words.explain is not None:
        return _explained(words.explain)
    if not words.files:
        raise UsageError("check needs a FILE; or write --explain CODE")
    with progress_on_terminal() as on_progress:
        files = check_files(words.files, read_options(words), on_progress=on_progress)
    document = head("check") | {"files": [entry(FILE_WITH_FACTS, file) for file in files]}
    unreadable = [
        f"{file.path}: {issue.code}: {issue.message}"
        for file in files
        if is_unreadable(file)
        for issue in file.issues
    ]
    apart, of_all = clusters_apart(files), f" of {len(files):,}" if unreadable else ""
    described = (
        file
        for file in files
        if file.kind == "project" or (file.kind in SAID_BY_FACTS and file.rows_read > file.rows_rejected)
    )
    nothing = not any(file.rows_accepted for file in files) and next(described, None) is None
    nothing |= any(issue.code in (TOTALS_DISAGREE, QUESTION) for file in files for issue in file.issues)
    lines = (*unreadable, *rejected_lines(files), *asked_lines(files))
    if unreadable:
        exit_status = UNREADABLE_EXIT
    elif nothing:
        exit_status = NOTHING_TO_DO_EXIT
    else:
        exit_status = 0
    return Answer(
        document=document,
        text=lambda: f"{len(files) - len(unreadable):,}{of_all} file{'s' * (len(files) != 1)} read\n",
        error_lines=(
            *lines,
            *unsaid_lines(
                [file for file in files if file.kind != "project" and not file.rows_accepted], lines
            ),
            *((Aside(f"gpuplanner: check: {apart}", str(apart)),) if apart else ()),
        ),
        exit_status=exit_status,
        tables=(
            ("files", lambda: files_text(files)),
            (ISSUES, lambda: issues_text(files)),
            ("columns", lambda: columns_text(files)),
        ),
    )


def _explained(code: str) -> Answer:
    """The meaning of an issue or check code, and its remedy. Errors: UsageError for an unknown code."""
    texts = {row["code"]: row for table in ("code_texts", "check_texts") for row in rows_of(f"{table}.csv")}
    if code not in texts:
        nearest = get_close_matches(code, texts, n=1, cutoff=0.0)[0]
        raise UsageError(f"--explain {code}: no such code. Did you mean {nearest}?")
    meaning, remedy = texts[code]["meaning"], texts[code]["remedy"]
    document = head("check") | {"code": code, "what": meaning, "remedy": remedy}
    return Answer(document=document, text=lambda: f"{code}: {meaning}\nWhat to do: {remedy}")
