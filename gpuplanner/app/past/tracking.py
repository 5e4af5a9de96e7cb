"""Plan vs. actual in a thread: the later log is read, then compared."""

import os

from PySide6.QtCore import QObject

from gpuplanner.app.background import Answering, IsCancelled, Itself, OnProgress
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.message import joined, worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.tables import Tables
from gpuplanner.domain.track.track import Track
from gpuplanner.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class TrackFiles:
    """Paths of what came: job logs, and contracts and prices as they are now; empty: the plan's own."""

    jobs: tuple[str, ...] = ()
    contracts: tuple[str, ...] = ()
    prices: tuple[str, ...] = ()


class Tracking(Answering):
    """One comparison at a time; answers with a `Track`."""

    def __init__(self, tables: Tables, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tables = tables

    def ask(self, evaluation: Evaluation, files: TrackFiles) -> None:
        """Hold a plan against a log; `answered` tells. Errors: ValueError without advice.

        Told at once where the advice is that of last time, and so are the files, unchanged since.
        """

        def work(on_progress: OnProgress, is_cancelled: IsCancelled) -> Track | None:
            return tracked(evaluation, files, self._tables, on_progress, is_cancelled)

        self._newest.ask((Itself(evaluation.advised), files, _stamps(files)), work)

    def _tell(self, answer: Track | None) -> None:
        if answer is not None:
            self.answered.emit(answer)


def _stamps(files: TrackFiles) -> tuple[tuple[int, int] | None, ...]:
    """What tells whether files were changed: size and time of each, None of one that is not there."""
    stamps: list[tuple[int, int] | None] = []
    for path in (*files.jobs, *files.contracts, *files.prices):
        try:
            status = os.stat(path)
        except OSError:
            stamps.append(None)
        else:
            stamps.append((status.st_size, status.st_mtime_ns))
    return tuple(stamps)


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

    later, track = track_later(
        evaluation.project,
        lambda: evaluation,
        LaterFiles(jobs=files.jobs, contracts=files.contracts, prices=files.prices),
        tables,
        on_progress=on_progress,
        is_cancelled=is_cancelled,
    )
    if later.refused:
        raise later.refused[0]
    if later.project is None:
        fault = joined(later.notes, "; ") if later.notes else worded("no job was imported")
        raise PlannerError(", ".join(files.jobs), "usage", fault, worded("choose a later log"))
    return track
