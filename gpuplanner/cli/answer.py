"""What a command gives back: its answer, what it says on standard error, and how the call ends."""

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from gpuplanner.cli import tables
from gpuplanner.cli.documents.demand import demand_document, intake_document
from gpuplanner.cli.documents.head import Document, head
from gpuplanner.cli.inputs import Loaded, are_answers
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.model.book.exchange import DOLLARS, Currency
from gpuplanner.domain.model.log.intake import FileIntake
from gpuplanner.domain.model.project import Project
from gpuplanner.files.export.cube_file import cube_sha256
from gpuplanner.files.lists.same_list import KIND as SAME_LIST
from gpuplanner.files.request.answers import FORMAT as ANSWERS
from gpuplanner.files.request.answers import TOLD_ALONE
from gpuplanner.files.sources.refused_file import UNREADABLE
from gpuplanner.files.tables.odd_rates import ODD_RATE

NOTHING_TO_DO_EXIT: Final = 1
UNREADABLE_EXIT: Final = 3
REJECTED_SHOWN: Final = 10
SAID_AT_ONCE: Final = "nobody_called_so"
"""The check of a plan that what the call says is likely to be wrong: a name that nobody has."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command says: a JSON document, the same as text, lines for standard error, an exit status."""

    document: Document
    text: Callable[[], str]
    error_lines: tuple[str, ...] = ()
    exit_status: int = 0
    currency: Currency = DOLLARS
    """What the text is in."""


def rejected_lines(files: Sequence[FileIntake]) -> tuple[str, ...]:
    """Rejected rows as one line each, ten a file and code, then the count of the rest; all of what vendors answered.

    files: in the order of the call. Only the first rejected rows of a file are kept; counts are of all.
    """
    lines = []
    for file in files:
        counts = {issue.code: issue for issue in file.issues}
        shown: dict[str, int] = {}
        for row in file.rejected:
            shown[row.code] = shown.get(row.code, 0) + 1
            if shown[row.code] <= REJECTED_SHOWN or file.format == ANSWERS:
                lines.append(f"{file.path}:{row.row}: {row.code}: {row.message}")
        for code, seen in shown.items():
            total = counts[code].count if code in counts else seen
            if total > (seen if file.format == ANSWERS else REJECTED_SHOWN):
                more = total - (seen if file.format == ANSWERS else REJECTED_SHOWN)
                lines.append(f"{file.path}: {code}: {more:,} more rows; see --json for the counts")
    return tuple(lines)


def asked_lines(files: Sequence[FileIntake]) -> tuple[str, ...]:
    """What is always said, as one line each: rates far from the market, and decisions on names that nobody has.

    Of what vendors answered also each cell that was not read, and each row that is not as it was asked for. They change
    no status.
    """
    of_issues = (
        f"{file.path}:{issue.first_row}: {issue.code}: {issue.message}"
        for file in files
        for issue in file.issues
        if issue.code == ODD_RATE or file.kind == SAME_LIST
    )
    of_rows = (
        f"{file.path}:{row.row}: {row.code}: {row.message}"
        for file in files
        for row in file.noted
        if file.format == ANSWERS and row.code not in TOLD_ALONE
    )
    return (*of_issues, *_answers_alone(files), *of_rows)


def _answers_alone(files: Sequence[FileIntake]) -> tuple[str, ...]:
    """That what vendors answered is all that is on offer: they join the list of a project, or one that is named too."""
    if not are_answers(files):
        return ()
    path = next(file.path for file in files if file.kind == "prices")
    return (
        f"{path}: no list of prices is given beside what vendors answered, so that nothing else is on offer; name it "
        "with --prices too",
    )


def status_of(loaded: Loaded, otherwise: int = 0) -> int:
    """Where a file of an archive could not be read, the answer lacks it: that is an error, with the answer."""
    return UNREADABLE_EXIT if any(fault.code in UNREADABLE for fault in loaded.refused) else otherwise


def error_lines(loaded: Loaded, advice: Advice | None = None) -> tuple[str, ...]:
    """What is said on standard error: refused files, rejected rows, what is asked about, and names that nobody has."""
    checks = () if advice is None else advice.checks
    unknown = (
        f"gpuplanner: {one.code}: {one.subject}: {one.message}" for one in checks if one.code == SAID_AT_ONCE
    )
    return (*map(str, loaded.refused), *rejected_lines(loaded.intake), *asked_lines(loaded.intake), *unknown)


def nothing_done(words: argparse.Namespace, loaded: Loaded, why: str) -> Answer:
    """Readable input with which nothing could be done: its intake all the same, and status 1."""
    document = head(words.command)
    if loaded.project is None:
        document |= {
            "intake": intake_document(loaded.intake),
            "window": None,
            "jobs": None,
            "cube": None,
            "data_quality": None,
        }
    else:
        document |= demand_document(loaded.project, demand_sha256(loaded.project))
    without = [
        f"{file.path}: {issue.code}: {issue.message}"
        for file in loaded.intake
        for issue in file.issues
        if issue.code == "no_gpus" and issue.first_row is None  # of a whole bill
    ]
    lines = (*error_lines(loaded), *without, f"gpuplanner: {words.command}: {why}")
    return Answer(
        document, lambda: tables.intake_text(loaded.intake), lines, status_of(loaded, NOTHING_TO_DO_EXIT)
    )


NO_JOB: Final = "no job was accepted; the issues of each file say why"
NO_CONTRACT: Final = "no contract was accepted; give --contracts FILE with at least one"


def demand_sha256(project: Project) -> str:
    """What tells the demand from any other, bit for bit."""
    return cube_sha256(project.cube, project.workloads, project.window)
