"""A plan against what came, in a thread: the later log is read, then compared; the newest question is answered."""

import os
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from gpuplanner.app.background import IsCancelled, OnProgress, Threaded
from gpuplanner.app.questions.newest_question import Itself, NewestQuestion
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.message import joined, worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.tables import Tables
from gpuplanner.domain.track.track import Track


@dataclass(frozen=True, slots=True)
class TrackFiles:
    """Paths of what came: job logs, and contracts and prices as they are now; empty: the plan's own."""

    jobs: tuple[str, ...] = ()
    contracts: tuple[str, ...] = ()
    prices: tuple[str, ...] = ()


class Tracking(Threaded):
    """One comparison at a time."""

    answered = Signal(object)  # Track

    def __init__(self, tables: Tables, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tables = tables
        self._asked = NewestQuestion[Track | None](self._background, self._take)

    def ask(self, evaluation: Evaluation, files: TrackFiles) -> None:
        """Hold a plan against a log; `answered` tells. Errors: ValueError without advice.

        Told at once where the advice is that of last time, and so are the files, unchanged since.
        """
        if evaluation.advice is None:
            raise ValueError("track: the evaluation has no advice; advise first")

        def work(on_progress: OnProgress, is_cancelled: IsCancelled) -> Track | None:
            return tracked(evaluation, files, self._tables, on_progress, is_cancelled)

        self._asked.ask((Itself(evaluation.advice), files, _stamps(files)), work)

    def _take(self, found: Track | None) -> None:
        if found is not None:
            self.answered.emit(found)


def _stamps(files: TrackFiles) -> tuple[tuple[int, int] | None, ...]:
    """What tells whether files were changed: size and time of each, None of one that is not there."""
    found: list[tuple[int, int] | None] = []
    for path in (*files.jobs, *files.contracts, *files.prices):
        try:
            status = os.stat(path)
        except OSError:
            found.append(None)
        else:
            found.append((status.st_size, status.st_mtime_ns))
    return tuple(found)


def tracked(
    evaluation: Evaluation,
    files: TrackFiles,
    tables: Tables,
    on_progress: OnProgress,
    is_cancelled: IsCancelled,
) -> Track | None:
    """Read what came and compare; None where it was cancelled.

    Errors: PlannerError where a file cannot be read or is refused, or nothing of the log lies after the plan begins.
    """
    from gpuplanner.files.importing.later_log import LaterFiles, track_later

    later, found = track_later(
        evaluation.project,
        lambda: evaluation,
        LaterFiles(files.jobs, files.contracts, files.prices),
        tables,
        on_progress=on_progress,
        is_cancelled=is_cancelled,
    )
    if later.project is None:
        what = joined(later.notes, "; ") if later.notes else worded("no row was accepted as a job")
        raise PlannerError(", ".join(files.jobs), "usage", what, worded("choose the log that came after it"))
    return found
