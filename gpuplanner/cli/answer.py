"""What a command gives back: its answer, what it says, how the call ends, and the files that it writes."""

import argparse
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

from gpuplanner.cli.arguments import UsageError
from gpuplanner.cli.documents.demand import demand_document
from gpuplanner.cli.documents.head import Document, head
from gpuplanner.cli.documents.intake import intake_document
from gpuplanner.cli.file_results import (
    NOTHING_TO_DO_EXIT,
    FilesRead,
    files_text,
    lines_of,
    status_of,
    unsaid_lines,
)
from gpuplanner.cli.inputs import Loaded
from gpuplanner.cli.terminal import Answer, Note, Tables
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.book.exchange import Currency
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import iso_utc
from gpuplanner.domain.queue.waiting import Waiting
from gpuplanner.files.export.cube_file import CUBE_NAME, cube_sha256
from gpuplanner.files.export.statement import write_statement
from gpuplanner.files.project.project_backups import Expected, replaced_name, stamp_if_any
from gpuplanner.files.project.project_file import BY_COMMAND, read_about, save_project
from gpuplanner.files.project.session_marks import sessions_at
from gpuplanner.files.request.request import (
    Terms,
    check_buyer,
    days_of,
    parse_terms,
    questions_until_s,
    sla_asked,
)
from gpuplanner.files.system.output_file import is_same_file, place_of
from gpuplanner.files.values.word_lists import phrases
from gpuplanner.lazy_dataclass import replace
from gpuplanner.version import __version__

if TYPE_CHECKING:
    from gpuplanner.files.request.request_file import Written

# --- The files that a call writes, looked at before anything is read: the project that it saves, requests, the brief

_FILES: Final = ("out", "focus", "calendar", "statement", "brief")
"""Options of `export` that name files to write; the project that it saves is one too, and may be the one it reads."""

_GIVEN: Final = phrases("project|jobs|contracts|prices|add|rules|traffic|budgets|business|pseudonym_key")
"""What names files to read; of KEY=FILE the last part."""


def check_outputs(words: argparse.Namespace) -> None:
    """Errors: PlannerError file_unreadable where an output cannot be written; UsageError where two are one file.

    Nothing is written. The project that a call saves may be the one that it reads.
    """
    seen: list[Path] = []
    given = given_files(words)
    outputs = [(path, given) for path in _outputs(words)]
    if saved := getattr(words, "save_to", None):
        outputs.append((Path(saved), tuple(one for one in given if one != words.project)))
    for path, kept in outputs:
        place = place_of(path, kept)
        if any(place.target == other or is_same_file(place.target, other) for other in seen):
            raise UsageError(f"{str(path)!r} is written twice; give each output a name of its own")
        if not place.is_stream:
            seen.append(place.target)


def given_files(words: argparse.Namespace) -> tuple[str, ...]:
    """What the call names to be read, and some words that are no files.

    Every part of a text behind an equals sign counts: what is no file harms nothing.
    """
    named: list[str] = []
    for option in _GIVEN:
        said = getattr(words, option, None) or ()
        for text in [said] if isinstance(said, str) else said:
            named += [text, *(text[at + 1 :] for at, letter in enumerate(text) if letter == "=")]
    return tuple(named)


def _outputs(words: argparse.Namespace) -> Iterator[Path]:
    """Files that the command writes, in the order of its options; a folder that is not there yet cannot be in
    the way.
    """
    if words.command == "reduce":  # a folder, which need not be there yet
        cube = Path(words.out) / CUBE_NAME if words.out else None
        if cube is not None and cube.parent.is_dir():
            yield cube
        return
    for option in _FILES:
        said = getattr(words, option, None) or ()
        yield from map(Path, [said] if isinstance(said, str) else said)


def with_places(project: Project, words: argparse.Namespace) -> Project:
    """The project with the files that the call names where they lie, so that a saved one finds them again."""
    given = {path for path in given_files(words) if Path(path).is_file()}
    placed = (
        replace(file, path=str(Path(file.path).absolute())) if file.path in given else file
        for file in project.intake
    )
    return replace(project, intake=tuple(placed))


def save_named(project: Project, path: Path, now_s: int, rows_dir: Path | None = None) -> tuple[str, ...]:
    """Save a project to a file that the call names; lines for standard error: what was kept, who has it open.

    rows_dir: where its job rows are, which go into the file. What a call had written there becomes a backup like any;
    what a planner saved there is kept under a name of its own that no later save takes. Errors: PlannerError.
    """
    there = stamp_if_any(path)
    is_ours = there is not None and _is_by_command(path)
    expected = Expected(there if is_ours else None, is_any_replaced=True)
    saved = save_project(project, path, expected=expected, saved_by=BY_COMMAND, rows_dir=rows_dir)
    lines = []
    if there is not None and there.sha256 != saved.sha256 and not is_ours:
        lines.append(f"{path}: another project was there; it is kept as {replaced_name(path, there)}")
    for session in sessions_at(path, now_s):
        where = "on this computer" if session.is_here else f"on {session.host}"
        since = iso_utc(session.since_s)
        lines.append(f"{path}: it is open in a window {where} since {since}, which asks before it saves")
    return tuple(lines)


def _is_by_command(path: Path) -> bool:
    """Whether a call wrote the project last; not where it cannot be read."""
    try:
        return read_about(path).get("saved_by") == BY_COMMAND
    except (OSError, PlannerError):
        return False


def check_request(words: argparse.Namespace, now_s: int) -> Terms:
    """What the call says above its requests. now_s: epoch seconds, of the day that they bear.

    Errors: UsageError where it says that of no request, names what no request says, or a day or SLA that is none.
    """
    options = {
        "--rfq-head": words.rfq_head,
        "--rfq-question": words.rfq_question,
        "--rfq-vendor": words.rfq_vendor,
    }
    if words.rfq is None and any(options.values()):
        option = next(option for option, given in options.items() if given)
        raise UsageError(f"{option} stands in the requests of --rfq DIR; name the folder, or leave it out")
    try:
        terms = replace(parse_terms(words.rfq_head), question="\n".join(words.rfq_question))
        days_of(terms, now_s)
        questions_until_s(terms, now_s)
        sla_asked(terms)
    except PlannerError as error:
        raise UsageError(f"--rfq-head {error.where}: {error.what}; {error.remedy}") from error
    if words.rfq is not None:
        _as_usage(check_buyer, terms)
    return terms


Given = TypeVar("Given")


def _as_usage(work: Callable[..., Given], *args: object, **named: object) -> Given:
    """Do something that a call may not say enough for. Errors: UsageError for what is wrong with the call."""
    try:
        return work(*args, **named)
    except PlannerError as error:
        if error.code != "usage":
            raise
        raise UsageError(f"--rfq: {error.what}; {error.remedy}") from error


def write_rfq(
    evaluation: Evaluation, words: argparse.Namespace, now_s: int, terms: Terms
) -> tuple["Written", tuple[str, ...]]:
    """Write the requests for quote of a plan; what came of it, and lines for standard error.

    Errors: UsageError where no vendor is known; PlannerError file_unreadable where a file is in the way.
    """
    from gpuplanner.files.request.request_file import write_requests

    written = _as_usage(
        write_requests,
        evaluation,
        Path(words.rfq),
        now_s,
        terms,
        given_files(words),
        vendors=words.rfq_vendor,
        paper=words.paper,
    )
    lines: tuple[str, ...] = ()
    if not written.paths:
        lines = (f"{words.rfq}: nothing is left to ask vendors for: no request is written",)
    return written, lines


PDF, PPTX, DOCX = ".pdf", ".pptx", ".docx"
PAPERS: Final = ("a4", "letter")


def check_brief(words: argparse.Namespace) -> None:
    """Errors: UsageError where a file is neither PDF, PPTX nor DOCX, or the paper is none that we know.

    words: of the call to export; nothing is read or written yet.
    """
    for name in words.brief:
        if Path(name).suffix.lower() not in (PDF, PPTX, DOCX):
            raise UsageError(f"--brief {name!r}: write a name that ends in {PDF}, {PPTX} or {DOCX}")
    if words.paper not in PAPERS:
        raise UsageError(f"--paper {words.paper!r}: write {' or '.join(PAPERS)}")


def write_briefs(
    evaluation: Evaluation,
    names: Sequence[str],
    paper: str,
    now_s: int,
    on_progress: Callable[[float, Text], None] | None,
    waiting: Waiting | None = None,
) -> None:
    """Write the brief of an evaluation with its advice to every name. Errors: PlannerError file_unreadable.

    names: paths that end in .pdf, .pptx or .docx; paper: of PAPERS; now_s: epoch seconds UTC, its day. waiting:
    how long jobs wait, where that is known.
    """
    from gpuplanner.charts.kit.translation import use_currency
    from gpuplanner.domain.brief.briefs import brief_of
    from gpuplanner.domain.brief.sensitivity_pages import sensitivity_of
    from gpuplanner.files.brief.sheets import given_beside

    if on_progress is not None:
        on_progress(0.0, "Working out what would change the advice")
    use_currency(evaluation.project.currency)  # of what charts say themselves
    given = given_beside(evaluation, now_s, waiting)
    brief = brief_of(evaluation, now_s, __version__, sensitivity_of(evaluation), **given)
    for name in names:
        path = Path(name)
        if path.suffix.lower() == PPTX:
            from gpuplanner.files.brief.pptx import write_brief_pptx

            write_brief_pptx(brief, path, on_progress)
        elif path.suffix.lower() == DOCX:
            from gpuplanner.files.brief.docx import write_brief_docx

            write_brief_docx(brief, path, on_progress, paper=paper)
        else:
            from gpuplanner.charts.page_painter.brief_pdf import Paper, write_pdf_without_window

            write_pdf_without_window(brief, path, Paper(paper), on_progress)


def write_statements(
    evaluation: Evaluation,
    path: Path,
    paper: str,
    now_s: int,
    on_progress: Callable[[float, Text], None] | None,
) -> None:
    """Who pays for the window of an evaluation: a page a team where the name ends in .pdf, else FOCUS rows as CSV.

    paper: of PAPERS; now_s: epoch seconds UTC, the day it bears. Errors: PlannerError file_unreadable.
    """
    if path.suffix.lower() != PDF:
        write_statement(evaluation, path)
        return
    from gpuplanner.charts.page_painter.brief_pdf import Paper, write_pdf_without_window
    from gpuplanner.domain.brief.briefs import statements_of

    write_pdf_without_window(statements_of(evaluation, now_s, __version__), path, Paper(paper), on_progress)


# --- What a command gives back: its answer, what it says on standard error, and how the call ends

SAID_AT_ONCE: Final = "nobody_called_so"
"""The check of a plan that what the call says is likely to be wrong: a name that nobody has."""


def error_lines(loaded: Loaded, advice: Advice | None = None) -> tuple[str, ...]:
    """What is said on standard error: refused files, rejected rows, what is asked about, and names that nobody has."""
    checks = () if advice is None else advice.checks
    unknown = (
        Note(
            f"gpuplanner: {check.code}: {check.subject}: {check.message}", f"{check.subject}: {check.message}"
        )
        for check in checks
        if check.code == SAID_AT_ONCE
    )
    return (*lines_of(loaded), *unknown)


class FilesAnswered(FilesRead, Protocol):
    """What a command has read, and the currency of its answer."""

    @property
    def currency(self) -> Currency:
        """What the text is in."""


def answered(
    read: FilesAnswered,
    document: Document,
    text: Callable[[], str],
    tables: Tables,
    error_lines: tuple[str, ...] | None = None,
) -> Answer:
    """What a command says of what it has read, in its currency, with the status of its files.

    error_lines: None: those of the files alone.
    """
    return Answer(
        document=document,
        text=text,
        error_lines=lines_of(read) if error_lines is None else error_lines,
        exit_status=status_of(read),
        currency=read.currency,
        tables=tables,
    )


def demand_head(command: str, loaded: Loaded, project: Project) -> Document:
    """How the document of a command begins that has the demand of a project."""
    return head(command, loaded.currency) | demand_document(project, demand_sha256(project))


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
    unsaid = unsaid_lines(() if loaded.project else loaded.intake, error_lines(loaded))
    lines = (*error_lines(loaded), *unsaid, f"gpuplanner: {words.command}: {why}")
    return Answer(
        document=document,
        text=lambda: files_text(loaded.intake),
        error_lines=lines,
        exit_status=status_of(loaded, NOTHING_TO_DO_EXIT),
    )


NO_JOB: Final = "no job was imported; see the issues of each file"
NOT_COMPARED: Final = "nothing is compared with a part of the files: mend or leave out the one refused"
NO_ROWS: Final = "the job rows of this log are not kept on this computer; give --jobs instead of the project"


def demand_sha256(project: Project) -> str:
    """What tells the demand from any other, bit for bit."""
    return cube_sha256(project.cube, project.workloads, project.window)
