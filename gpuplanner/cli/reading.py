"""Reading the files of a call: how that was asked for, its progress, what is said of each file; and `check`."""

import argparse
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final, Protocol

from gpuplanner.cli.arguments import PROJECT_SUFFIX, UsageError
from gpuplanner.cli.documents.head import FILE_WITH_FACTS, head
from gpuplanner.cli.option_values import pseudonyms_of
from gpuplanner.cli.terminal import ISSUES, LAYOUT, Answer, Aside, Note, table
from gpuplanner.domain.figures.writing import ENGLISH
from gpuplanner.domain.message import Text, joined, worded
from gpuplanner.domain.model.amounts import grouped
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.domain.reports.report import entry
from gpuplanner.files.activity.activity_intake import KIND as ACTIVITY
from gpuplanner.files.activity.activity_intake import OneNode
from gpuplanner.files.importing.check import OF_CLUSTER, check_files
from gpuplanner.files.importing.import_tables import COUNTED_TWICE, is_node_list
from gpuplanner.files.importing.log_choices import LogChoice, ReadOptions
from gpuplanner.files.importing.other_sheets import OTHER_SHEETS
from gpuplanner.files.importing.read_facts import clusters_apart, line_of
from gpuplanner.files.importing.reconciliation import TOTALS_DISAGREE, agreement_words
from gpuplanner.files.importing.windowed_jobs import BEFORE_WINDOW, LISTED, RUNS_ON
from gpuplanner.files.job_logs.judging.tres_names import parse_tres
from gpuplanner.files.lists.same_names import SAME_KIND as SAME_LIST
from gpuplanner.files.request.answers import FORMAT as ANSWERS
from gpuplanner.files.request.answers import TOLD_ALONE
from gpuplanner.files.sources.issue_texts import UNREADABLE, is_unreadable
from gpuplanner.files.system.resources import rows_of
from gpuplanner.files.system.terminal_output import one_line, say_again
from gpuplanner.files.tables.column_mapping import (
    DIFFERS,
    constant_of,
    map_of_kind,
    parse_table_mapping,
    parted_map,
)
from gpuplanner.files.tables.fields import FIELD_NAMES
from gpuplanner.files.tables.odd_rates import ODD_RATE

# --- Progress of long work, on standard error when that is a terminal ----------------------------

ProgressCallback = Callable[[float, Text], None]


@contextmanager
def progress_on_terminal() -> Iterator[ProgressCallback | None]:
    """A callback (fraction 0..1, what is done now) that rewrites one line; None where nobody looks.

    The line is wiped when the work ends, also by an error.
    """
    if sys.stderr is None or not sys.stderr.isatty():  # None: there is no standard error
        yield None
        return

    def show(fraction: float, text: Text) -> None:
        say_again(f"{fraction:4.0%}  {one_line(text)[:60]}", sys.stderr)

    try:
        yield show
    finally:
        say_again("", sys.stderr)


# --- How the files of a call are to be read


def files_of(words: argparse.Namespace, option: str) -> list[str]:
    """The files of an option, projects left out."""
    return [path for path in getattr(words, option, []) if not path.lower().endswith(PROJECT_SUFFIX)]


def maps_of(words: argparse.Namespace) -> dict[str, str]:
    """What --map says, by kind of table: items that no job log has go to the contracts and prices of the call."""
    tables = {kind: FIELD_NAMES[kind] for kind in FIELD_NAMES if files_of(words, kind)}
    return parted_map(words.map, {**tables, ACTIVITY: OF_NODE})


OF_NODE: Final = ("node", "gpu_model")
"""What --map says of a log of activity whose rows name no node, as constants."""


def node_of(text: str) -> OneNode:
    """The node that such a log is of, and its model, from the items of --map for it. Errors: PlannerError usage."""
    columns = parse_table_mapping(text.removeprefix(DIFFERS), OF_NODE).columns if text else {}
    constants = {name: constant_of(column) for name, column in columns.items()}
    for name, value in constants.items():
        if not value:
            problem = worded("such a log covers one node")
            remedy = worded("write {name}==VALUE", name=name)
            raise PlannerError(f"--map {name}={columns[name]}", "usage", problem, remedy)
    return OneNode(constants.get("node") or "", constants.get("gpu_model") or "")


def clusters_of(words: argparse.Namespace) -> tuple[str | None, dict[str, str]]:
    """The cluster of logs that name none, and those of single files by path. Errors: UsageError.

    `--map cluster==NAME` is of every log, and of contract files whose rows name none.
    """
    kinds = ("jobs", "contracts", "files")
    files = dict.fromkeys(path for kind in kinds for path in files_of(words, kind))
    named: dict[str, str] = {}
    for text in getattr(words, "cluster", []):
        path, equals, name = (part.strip() for part in text.rpartition("="))
        called = [file for file in files if file == path] or [
            file for file in files if Path(file).name == path
        ]
        if not name or (equals and not path):
            fault = "write NAME, or FILE=NAME such as jobs.csv=granite"
        elif equals and len(called) != 1:
            fault = _of_no_file(words, path, called, files)
        elif named.setdefault(called[0] if equals else "", name) == name:
            continue
        else:
            fault = "it has another cluster already; give each file its own, as FILE=NAME"
        raise UsageError(f"--cluster {text!r}: {fault}")
    cluster, stated = named.pop("", None), OF_CLUSTER.search(maps_of(words).get("jobs", ""))
    of_map = dict.fromkeys(files_of(words, "contracts"), stated[1]) if stated else {}
    return cluster, {**of_map, **named}


def _of_no_file(words: argparse.Namespace, path: str, called: Sequence[str], files: Iterable[str]) -> str:
    """Why a path of --cluster is not one file that has a cluster, and what to write."""
    if called:
        return f"{len(called)} files are called {path}; write one as in the call: {' or '.join(called)}"
    if any(path in (file, Path(file).name) for file in files_of(words, "prices")):
        return f"{path} is a price list; only job logs and contracts have a cluster"
    near = get_close_matches(Path(path).name, [Path(file).name for file in files], 1)
    remedy = f"Did you mean {near[0]}?" if near else "Name it with --jobs or --contracts."
    return f"no job log or contract file of this call is {path}. {remedy}"


def read_options(words: argparse.Namespace) -> ReadOptions:
    """How the logs of a call are read. Errors: UsageError; PlannerError usage for numbers of GPUs that are none."""
    maps = maps_of(words)
    is_parted = bool(getattr(words, "jobs", None)) or ACTIVITY in maps
    cluster, of_files = clusters_of(words)
    return ReadOptions(
        format=words.format,
        mapping=maps.get("jobs") if is_parted else words.map,
        timezone=words.timezone,
        drops_alike=words.drop_alike,
        is_open_ended=words.open_ended,
        cluster=cluster,
        choices={path: LogChoice(cluster=name) for path, name in of_files.items()},
        tres=parse_tres(words.tres),
        pseudonyms=pseudonyms_of(words),
        node=node_of(maps.get(ACTIVITY, "")),
    )


# --- What is said of the files of a call: a table of them, and lines for standard error

OWN_FORM: Final = "gpuplanner CSV"
FILES_SHOWN: Final = 30
"""Files that a summary lists; of more, their kinds."""
NOTHING_TO_DO_EXIT: Final = 1
UNREADABLE_EXIT: Final = 3
REJECTED_SHOWN: Final = 10


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
                total = counts[row.code].count if row.code in counts else shown[row.code]
                rows = f"row {row.row}" if total == 1 else f"{total:,} rows from row {row.row} on"
                first = f"{Path(file.path).name}: {rows} rejected ({row.code}): {row.message}"
                line = f"{file.path}:{row.row}: {row.code}: {row.message}"
                lines.append(Note(line, first if shown[row.code] == 1 else ""))
        for code, seen in shown.items():
            total = counts[code].count if code in counts else seen
            if total > (seen if file.format == ANSWERS else REJECTED_SHOWN):
                more = total - (seen if file.format == ANSWERS else REJECTED_SHOWN)
                lines.append(Note(f"{file.path}: {code}: {more:,} more rows; see --json for the counts", ""))
    return tuple(lines)


def asked_lines(files: Sequence[FileIntake]) -> tuple[str, ...]:
    """What is always said, as one line each: rates far from the market or not read, GPU time behind the window, nodes
    and rows of contracts that are left out or can be read in two ways, and decisions on names that nobody has.

    Of what vendors answered also each cell that was not read, and each row that is not as it was asked for. They change
    no status.
    """
    of_issues = (
        Note(
            f"{file.path}{f':{issue.first_row}' if issue.first_row else ''}: {issue.code}: {issue.message}",
            f"{Path(file.path).name}: {issue.message}",
        )
        for file in files
        for issue in file.issues
        if issue.code in (ODD_RATE, RUNS_ON, BEFORE_WINDOW, LISTED, COUNTED_TWICE)
        or (issue.code == OTHER_SHEETS and file.format != ANSWERS)
        or (issue.code == "bad_number" and file.kind == "prices" and file.format != ANSWERS)
        or file.kind == SAME_LIST
        or issue.code == TOTALS_DISAGREE
        or (issue.code == "left_out" and is_node_list(file))
        or (file.kind == "contracts" and issue.code in ("left_out", "undecided", "notice_unknown"))
    )
    of_rows = (
        Note(f"{file.path}:{row.row}: {row.code}: {row.message}")
        for file in files
        for row in file.noted
        if file.format == ANSWERS and row.code not in TOLD_ALONE
    )
    return (*of_issues, *_answers_alone(files), *of_rows)


def unsaid_lines(files: Sequence[FileIntake], lines: Sequence[str]) -> tuple[Note, ...]:
    """Issues that no line says yet."""
    return tuple(
        Note(f"{file.path}: {issue.code}: {issue.message}", f"{Path(file.path).name}: {issue.message}")
        for file in files
        for issue in file.issues
        if not any(line.startswith(file.path) and f": {issue.code}: " in line for line in lines)
    )


def _answers_alone(files: Sequence[FileIntake]) -> tuple[str, ...]:
    """That what vendors answered is all that is on offer: they join the list of a project, or one that is named too."""
    if not are_answers(files):
        return ()
    path = next(file.path for file in files if file.kind == "prices")
    return (
        Aside(
            f"{path}: no list of prices is given beside what vendors answered, so that nothing else is on offer; "
            "name it with --prices too"
        ),
    )


def are_answers(intake: Sequence[FileIntake]) -> bool:
    """Whether all files of prices are requests for quote that came back."""
    lists = [file for file in intake if file.kind == "prices"]
    return bool(lists) and all(file.format == ANSWERS for file in lists)


def files_text(files: Sequence[FileIntake]) -> str:
    """One row for each file, what it holds below; over FILES_SHOWN a row for each kind."""
    is_by_kind = LAYOUT.get().top is not None and len(files) > FILES_SHOWN
    names = {file.path: Path(file.path).name for file in files}
    names = names if len({*names.values()}) == len(names) else {path: path for path in names}
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


def _columns_text(files: Sequence[FileIntake]) -> str:
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
    return tuple(sorted(lines, key=lambda line: f": {TOTALS_DISAGREE}: " not in line))


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


# --- The command that reads and says, and does nothing else

SAID_BY_FACTS: Final = ("billing", "contracts")
"""Kinds of files that `check` has something to say of where none of their rows is of use: sums, commitments."""


def check(words: argparse.Namespace, now_s: int) -> Answer:
    """Read files and say what each is; writes nothing. A file of no known kind is an answer, not an error.

    A bill has said what it holds, whether any of it was usage of GPUs or not. A file that disagrees with its own totals
    changes the status.
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
    nothing |= any(issue.code == TOTALS_DISAGREE for file in files for issue in file.issues)
    lines = (*unreadable, *rejected_lines(files), *asked_lines(files))
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
        exit_status=UNREADABLE_EXIT if unreadable else NOTHING_TO_DO_EXIT if nothing else 0,
        tables=(
            ("files", lambda: files_text(files)),
            (ISSUES, lambda: issues_text(files)),
            ("columns", lambda: _columns_text(files)),
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
