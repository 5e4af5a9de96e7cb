"""Results of the files of a call: a table, lines for standard error, and the exit status."""

import shlex
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, Protocol

from gpuplanner.cli.arguments import PROJECT_SUFFIX
from gpuplanner.cli.terminal import LAYOUT, Aside, FileNote, table
from gpuplanner.domain.figures.writing import ENGLISH
from gpuplanner.domain.message import Text, joined
from gpuplanner.domain.model.amounts import grouped
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.files.importing.import_tables import COUNTED_TWICE, is_node_list
from gpuplanner.files.importing.other_sheets import OTHER_SHEETS, PLAN_SHEETS
from gpuplanner.files.importing.read_facts import line_of
from gpuplanner.files.importing.reconciliation import TOTALS_DISAGREE, agreement_words
from gpuplanner.files.importing.windowed_jobs import BEFORE_WINDOW, LISTED, RUNS_ON
from gpuplanner.files.lists.same_names import SAME_KIND as SAME_LIST
from gpuplanner.files.request.answers import FORMAT as ANSWERS
from gpuplanner.files.request.answers import TOLD_ALONE
from gpuplanner.files.sources.issue_texts import UNREADABLE, issue_summary
from gpuplanner.files.system.terminal_output import one_line
from gpuplanner.files.tables.column_mapping import map_of_kind
from gpuplanner.files.tables.fields import FIELD_NAMES
from gpuplanner.files.tables.odd_rates import ODD_RATE
from gpuplanner.files.tables.unread_columns import QUESTION

OWN_FORM: Final = "gpuplanner CSV"
FILES_SHOWN: Final = 30
"""Files that a summary lists; of more, their kinds."""
NOTHING_TO_DO_EXIT: Final = 1
UNREADABLE_EXIT: Final = 3
REJECTED_SHOWN: Final = 10


def shown_names(files: Sequence[FileIntake]) -> dict[str, str]:
    """The name of each file by its path; the path itself where another file has the same name."""
    names = {file.path: Path(file.path).name for file in files}
    count = Counter(names.values())
    return {path: name if count[name] == 1 else path for path, name in names.items()}


def rejected_lines(files: Sequence[FileIntake]) -> tuple[str, ...]:
    """Rejected rows as one line each, ten a file and code, then the count of the rest; all of what vendors answered.

    files: in the order of the call. Only the first rejected rows of a file are kept; counts are of all.
    """
    lines, names = [], shown_names(files)
    for file in files:
        counts = {issue.code: issue for issue in file.issues}
        shown: dict[str, int] = {}
        for row in file.rejected:
            shown[row.code] = shown.get(row.code, 0) + 1
            if shown[row.code] <= REJECTED_SHOWN or file.format == ANSWERS:
                total = counts[row.code].count if row.code in counts else shown[row.code]
                rows = f"row {row.row}" if total == 1 else f"{total:,} rows from row {row.row} on"
                first = f"{names[file.path]}: {rows} rejected ({row.code}): {row.message}"
                line = f"{file.path}:{row.row}: {row.code}: {row.message}"
                lines.append(FileNote(line, first if shown[row.code] == 1 else "", file.path, row.code))
        for code, seen in shown.items():
            total = counts[code].count if code in counts else seen
            if total > (seen if file.format == ANSWERS else REJECTED_SHOWN):
                more = total - (seen if file.format == ANSWERS else REJECTED_SHOWN)
                line = f"{file.path}: {code}: {more:,} more rows; see --json for the counts"
                lines.append(FileNote(line, "", file.path, code))
    return tuple(lines)


def asked_lines(files: Sequence[FileIntake]) -> tuple[str, ...]:
    """What is always said, as one line each: rates far from the market or not read, GPU time behind the window, nodes
    and rows of contracts that are left out or can be read in two ways, and decisions on names that nobody has.

    Of what vendors answered also each cell that was not read, and each row that is not as it was asked for. They change
    no status.
    """
    names = shown_names(files)
    of_issues = (
        FileNote(
            f"{file.path}{f':{issue.first_row}' if issue.first_row else ''}: {issue.code}: {issue.message}",
            f"{names[file.path]}: {issue_summary(issue)}",
            file.path,
            issue.code,
            is_first=issue.code == TOTALS_DISAGREE,
        )
        for file in files
        for issue in file.issues
        if issue.code in (ODD_RATE, RUNS_ON, BEFORE_WINDOW, LISTED, COUNTED_TWICE, PLAN_SHEETS)
        or (issue.code == OTHER_SHEETS and file.format != ANSWERS)
        or (issue.code == "bad_number" and file.kind == "prices" and file.format != ANSWERS)
        or file.kind == SAME_LIST
        or issue.code == TOTALS_DISAGREE
        or (issue.code == QUESTION and file.rows_accepted)
        or (issue.code == "left_out" and is_node_list(file))
        or (file.kind == "contracts" and issue.code in ("left_out", "undecided", "notice_unknown"))
    )
    of_rows = (
        FileNote(
            f"{file.path}:{row.row}: {row.code}: {row.message}",
            f"{names[file.path]}:{row.row}: {row.code}: {row.message}",
            file.path,
            row.code,
        )
        for file in files
        for row in file.noted
        if file.format == ANSWERS and row.code not in TOLD_ALONE
    )
    return (*of_issues, *_answers_alone(files), *of_rows)


def unsaid_lines(files: Sequence[FileIntake], lines: Sequence[str]) -> tuple[FileNote, ...]:
    """Issues that no line says yet."""
    names = shown_names(files)
    return tuple(
        FileNote(
            f"{file.path}: {issue.code}: {issue.message}",
            f"{names[file.path]}: {issue_summary(issue)}",
            file.path,
            issue.code,
        )
        for file in files
        for issue in file.issues
        if not any(line.startswith(file.path) and f": {issue.code}: " in line for line in lines)
    )


def _answers_alone(files: Sequence[FileIntake]) -> tuple[str, ...]:
    """That what vendors answered is all that is on offer: they join the list of a project, or one that is named too."""
    if not are_answers(files):
        return ()
    path = next(file.path for file in files if file.kind == "prices")
    warning = (
        "no list of prices is given beside what vendors answered, so that nothing else is on offer; "
        "name it with --prices too"
    )
    return (Aside(f"{path}: {warning}", f"{shown_names(files)[path]}: {warning}"),)


def are_answers(intake: Sequence[FileIntake]) -> bool:
    """Whether all files of prices are requests for quote that came back."""
    lists = [file for file in intake if file.kind == "prices"]
    return bool(lists) and all(file.format == ANSWERS for file in lists)


def files_text(files: Sequence[FileIntake]) -> str:
    """One row for each file, what it holds below; over FILES_SHOWN a row for each kind."""
    is_by_kind = LAYOUT.get().top is not None and len(files) > FILES_SHOWN
    names = shown_names(files)
    groups = grouped((file.kind if is_by_kind else file.path, file) for file in files)
    rows = []
    for name, group in groups.items():
        read, accepted = sum(file.rows_read for file in group), sum(file.rows_accepted for file in group)
        is_project = name.lower().endswith(PROJECT_SUFFIX)
        path = f"{len(group):,} files" if is_by_kind else names[name]
        counts = (None,) * 3 if is_project else (read, accepted, read - accepted)
        form = OWN_FORM if group[0].format.startswith("own_") else group[0].format
        rows.append((path, "project" if is_project else group[0].kind, form, *map(ENGLISH.whole, counts)))
    parts = [table(("File", "Kind", "Format", "Rows", "Imported", "Skipped"), rows, left=3)]
    for file in () if is_by_kind else files:
        words = (line_of(file.kind, file.facts), agreement_words(file.reconciliation))
        if any(words):
            parts.append(one_line(f"  {names[file.path]}: {joined(filter(None, words), ', ')}"))
        sentences: Sequence[Text] = dict[str, Any](file.facts).get("sentences", ())
        top = LAYOUT.get().top or len(sentences)
        parts += [one_line(f"    {sentence}") for sentence in sentences[:top]]
        if sentences[top:]:
            parts.append(f"    {len(sentences) - top:,} more: --show files")
    return "\n".join(parts)


def issues_text(files: Sequence[FileIntake]) -> str:
    """The issues of each file."""
    return "\n".join(
        one_line(f"  {file.path}: {issue.code} ({issue.count:,}): {issue.message}")
        for file in files
        if not file.path.lower().endswith(PROJECT_SUFFIX)
        for issue in file.issues
    )


def columns_text(files: Sequence[FileIntake]) -> str:
    """The mapping that each file was read by."""
    parts = []
    for file in files:
        mapping = dict(file.facts).get("mapping")
        if isinstance(mapping, str) and file.kind != "unknown":  # there the issue has it
            mapping = map_of_kind(mapping, file.kind) if file.kind in FIELD_NAMES else mapping
            parts.append(one_line(f"  {file.path}: --map {shlex.quote(mapping)}"))
    return "\n".join(parts)


def intake_text(files: Sequence[FileIntake]) -> str:
    """How the rows of every file ended, and its issues."""
    return "\n".join(filter(None, (files_text(files), issues_text(files))))


class FilesRead(Protocol):
    """What a command has read: the files that were refused, and how the rows of all ended."""

    @property
    def refused(self) -> tuple[PlannerError, ...]:
        """Why each was."""

    @property
    def intake(self) -> tuple[FileIntake, ...]:
        """Of each file."""


def lines_of(read: FilesRead) -> tuple[str, ...]:
    """Lines for standard error on what was read: refused files, rejected rows, what is asked about."""
    lines = (*map(str, read.refused), *rejected_lines(read.intake), *asked_lines(read.intake))
    return tuple(sorted(lines, key=lambda line: not (isinstance(line, FileNote) and line.is_first)))


def status_of(read: FilesRead, otherwise: int = 0) -> int:
    """How a call ends whose answer lacks a file that was given: 3 where it could not be read, 1 where it is of no use.

    Of no use are a file that was refused, and one of contracts or prices all of whose rows were rejected, or of
    contracts left out.
    """
    if any(fault.code in UNREADABLE for fault in read.refused):
        return UNREADABLE_EXIT
    empty = [
        file
        for file in read.intake
        if file.kind in FIELD_NAMES and not file.rows_accepted + file.rows_duplicate
    ]
    is_lost = any(file.rows_rejected or (file.kind == "contracts" and file.rows_ignored) for file in empty)
    return NOTHING_TO_DO_EXIT if read.refused or is_lost else otherwise
