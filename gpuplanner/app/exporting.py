"""Exporting: workbook, brief, FOCUS rows, requests and statements, written in a thread."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, Signal

from gpuplanner.app.background import Answering, IsCancelled, Itself, OnProgress, Threaded
from gpuplanner.domain.brief.pages import Brief
from gpuplanner.domain.evaluation import Evaluation, waiting_for
from gpuplanner.domain.message import NO_WORDS, Message, worded
from gpuplanner.files.request.request import Terms, days_of
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.version import __version__

if TYPE_CHECKING:
    from gpuplanner.domain.queue.waiting import Waiting

# --- Writing: a file or several, made of an evaluation in a thread: one at a time, with progress and an end

Work = Callable[[OnProgress, IsCancelled], object]


class Writing(Threaded):
    """Ends in exactly one of written, failed, or nothing where it was cancelled."""

    written = Signal(object)  # what the work answers

    def write(self, work: Work) -> None:
        """Do the work in the thread; it is given a way to say its progress and to ask whether to stop.

        What was under way is dropped.
        """
        self._background.start(work, self.written.emit)


# --- Exporting: the workbook, or the FOCUS rows of what is to be bought, written in a thread -----

FOCUS_SUFFIX: Final = ".csv"
CALENDAR_SUFFIX: Final = ".ics"
"""A path that ends so is for FOCUS rows, or for deadlines; any other for the workbook."""

WithMonths = Callable[[Evaluation, OnProgress, IsCancelled], Evaluation]
"""Gets an evaluation with the months of its log, where its rows are kept."""


WhoWaits = Callable[[Evaluation, OnProgress, IsCancelled], "Waiting | None"]
"""Gets how long the jobs of its log wait; None where its rows are not kept, or say nothing of it."""


def nobody_knows(evaluation: Evaluation, on_progress: OnProgress, is_cancelled: IsCancelled) -> None:
    """Of a log without rows behind it."""


WriteWorkbook = Callable[[Evaluation, Path, int, OnProgress, IsCancelled, WhoWaits], Message | None]


def _write(
    evaluation: Evaluation,
    path: Path,
    generated_at_s: int,
    on_progress: OnProgress,
    is_cancelled: IsCancelled,
    who_waits: WhoWaits = nobody_knows,
) -> Message | None:
    """By the end of the path: what FOCUS rows are of. Readers and writers are imported only here."""
    if path.suffix.lower() == FOCUS_SUFFIX:
        from gpuplanner.files.export.focus import write_focus

        return write_focus(evaluation, path, generated_at_s).signed_words
    if path.suffix.lower() == CALENDAR_SUFFIX:
        from gpuplanner.files.calendar import write_calendar

        write_calendar(evaluation, path, generated_at_s)
        return None
    from gpuplanner.files.workbook.write import write_workbook

    write_workbook(
        evaluation,
        path,
        generated_at_s,
        on_progress,
        is_cancelled,
        waiting=who_waits(evaluation, on_progress, is_cancelled),
    )
    return None


class Exporter(Writing):
    """One file at a time; written tells its path. words: of what the FOCUS rows that were written last are."""

    def __init__(
        self,
        write: WriteWorkbook = _write,
        with_months: WithMonths = lambda evaluation, *_: evaluation,  # of a log without rows behind it
        who_waits: WhoWaits = nobody_knows,
    ) -> None:
        """write: another writer in tests."""
        super().__init__()
        self._with_months, self._who_waits, self._write = with_months, who_waits, write
        self.words = NO_WORDS

    def start(self, evaluation: Evaluation, path: Path, generated_at_s: int) -> None:
        """Write the workbook of an evaluation with its advice; FOCUS rows where the path ends in .csv.

        generated_at_s: epoch seconds, for its Provenance.
        """

        def work(on_progress: OnProgress, is_cancelled: IsCancelled) -> Path:
            monthly = self._with_months(evaluation, on_progress, is_cancelled)
            words = self._write(monthly, path, generated_at_s, on_progress, is_cancelled, self._who_waits)
            self.words = words or NO_WORDS
            return path

        self.write(work)


# --- Requesting: requests for quote written in a thread ------------------------------------------


class Requesting(Writing):
    """One set of requests at a time; written tells what came of it (`Written`)."""

    def start(self, evaluation: Evaluation, folder: Path, generated_at_s: int, terms: Terms) -> None:
        """Write the requests of an evaluation with its advice into a folder.

        generated_at_s: epoch seconds UTC, of the day that they bear. Files that are there when it is cancelled stay.
        """

        def work(on_progress: OnProgress, is_cancelled: IsCancelled) -> object:
            from gpuplanner.files.request.request_file import write_requests

            on_progress(0.1, worded("Exporting requests for quote"))
            waits = waiting_for(evaluation, days_of(terms, generated_at_s))
            return write_requests(waits, folder, generated_at_s, terms, is_cancelled=is_cancelled)

        self.write(work)


# --- Briefing: the board brief worked out in a thread, and written there as PPTX; others are painted by the window

PPTX_SUFFIX: Final = ".pptx"


@dataclass(frozen=True, slots=True)
class Briefed:
    """Pages that are still to be drawn, and the file they are for. brief: None where that file is there already."""

    brief: Brief | None
    path: Path


class Briefing(Writing):
    """One brief at a time; written tells a Briefed."""

    def __init__(self, with_months: WithMonths, who_waits: WhoWaits = nobody_knows) -> None:
        super().__init__()
        self._with_months, self._who_waits = with_months, who_waits

    def start(self, evaluation: Evaluation, path: Path, generated_at_s: int) -> None:
        """Work out the brief of an evaluation with its advice. generated_at_s: epoch seconds UTC, the day it bears.

        path: ends in .pptx for slides, which are written here; of any
        other the brief alone is told.
        """

        def work(on_progress: OnProgress, is_cancelled: IsCancelled) -> Briefed:
            monthly = self._with_months(evaluation, on_progress, is_cancelled)
            waiting = self._who_waits(monthly, on_progress, is_cancelled)
            # In the thread: what would change the advice takes most of the time
            from gpuplanner.domain.brief.briefs import brief_of
            from gpuplanner.domain.brief.sensitivity_pages import sensitivity_of
            from gpuplanner.files.brief.sheets import given_beside

            on_progress(0.05, "Working out what would change the advice")
            sensitivity = sensitivity_of(monthly, is_cancelled)
            given = given_beside(monthly, generated_at_s, waiting)
            brief = brief_of(monthly, generated_at_s, __version__, sensitivity, **given)
            if path.suffix.lower() != PPTX_SUFFIX:
                return Briefed(brief, path)
            from gpuplanner.files.brief.pptx import write_brief_pptx

            write_brief_pptx(
                brief, path, lambda share, text: on_progress(0.6 + 0.4 * share, text), is_cancelled
            )
            return Briefed(None, path)

        self.write(work)


class Weighing(Answering):
    """What pages have beside a plan: what would change it, what its endpoints and runs need, how long jobs wait."""

    def __init__(self, who_waits: WhoWaits = nobody_knows, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._who_waits = who_waits

    def ask(self, evaluation: Evaluation, at_s: int) -> None:
        """Work it out of an evaluation with its advice; `answered` tells. at_s: the day of writing, epoch s UTC."""
        from gpuplanner.domain.brief.sensitivity_pages import sensitivity_of
        from gpuplanner.files.brief.sheets import given_beside

        def weigh(on_progress: OnProgress, is_cancelled: IsCancelled) -> dict[str, Any]:
            sensitivity = sensitivity_of(evaluation, is_cancelled)
            waiting = self._who_waits(evaluation, on_progress, is_cancelled)
            return {"sensitivity": sensitivity, **given_beside(evaluation, at_s, waiting)}

        # the audit is of all inputs but what is stated of endpoints and runs
        project = evaluation.project
        stated = (Itself(project.serving), Itself(project.runs))
        self._newest.ask((Itself(evaluation.audit), evaluation.figures.basis.plan, stated), weigh)


# --- Stating: who pays for the window, worked out in a thread, and written there as FOCUS rows; a PDF is drawn by the
# window

CSV_SUFFIX: Final = ".csv"


class Stating(Writing):
    """One set of statements at a time; written tells a Briefed."""

    def start(self, evaluation: Evaluation, path: Path, generated_at_s: int) -> None:
        """Work out the statements of an evaluation. generated_at_s: epoch seconds UTC, the day they bear.

        path: ends in .csv for FOCUS rows, which are written here; of any other the pages are told.
        """

        def work(on_progress: OnProgress, is_cancelled: IsCancelled) -> Briefed:
            from gpuplanner.domain.brief.briefs import statements_of
            from gpuplanner.files.export.statement import write_statement

            on_progress(0.1, "Working out who pays")
            if path.suffix.lower() != CSV_SUFFIX:
                return Briefed(statements_of(evaluation, generated_at_s, __version__), path)
            if not is_cancelled():
                write_statement(evaluation, path)
            return Briefed(None, path)

        self.write(work)
