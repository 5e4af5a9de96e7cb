"""Exporting in a thread: the workbook, the FOCUS rows of orders, or the calendar of deadlines."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Signal

from gpuplanner.app.background import IsCancelled, OnProgress, Threaded
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.message import NO_WORDS, Message

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
