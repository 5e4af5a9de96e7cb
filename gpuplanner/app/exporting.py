"""Exporting: the workbook, or the FOCUS rows of what is to be bought, written in a thread."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, Signal

from gpuplanner.app.background import Background, IsCancelled, OnProgress
from gpuplanner.domain.evaluation import Evaluation

FOCUS_SUFFIX: Final = ".csv"
"""A path that ends so is for FOCUS rows; any other for the workbook."""

WriteWorkbook = Callable[[Evaluation, Path, int, OnProgress, IsCancelled], None]


def _write(
    evaluation: Evaluation,
    path: Path,
    generated_at_s: int,
    on_progress: OnProgress,
    is_cancelled: IsCancelled,
) -> None:
    """By the end of the path; readers and writers are imported only here."""
    if path.suffix.lower() == FOCUS_SUFFIX:
        from gpuplanner.files.export.focus_rows import write_focus

        write_focus(evaluation, path)
        return
    from gpuplanner.files.workbook.write import write_workbook

    write_workbook(evaluation, path, generated_at_s, on_progress=on_progress, is_cancelled=is_cancelled)


class Exporter(QObject):
    """Writes one file at a time; ends in exactly one of exported, failed, cancelled."""

    progressed = Signal(
        float, object
    )  # share done 0..1, what is being done (a text that Qt would make plain)
    exported = Signal(object)  # Path
    failed = Signal(object)  # Exception
    cancelled = Signal()

    def __init__(self, write: WriteWorkbook = _write, parent: QObject | None = None) -> None:
        """write: another writer in tests."""
        super().__init__(parent)
        self._write = write
        self._background = Background(self.failed.emit, self.progressed.emit, self)

    @property
    def is_busy(self) -> bool:
        """Whether a file is being written."""
        return self._background.is_busy

    def start(self, evaluation: Evaluation, path: Path, generated_at_s: int) -> None:
        """Write the workbook of an evaluation with its advice; FOCUS rows where the path ends in .csv.

        generated_at_s: epoch seconds, for its Provenance.
        """
        self.cancel()
        write = self._write

        self._background.start(
            lambda on_progress, is_cancelled: write(
                evaluation, path, generated_at_s, on_progress, is_cancelled
            ),
            lambda _: self.exported.emit(path),
        )

    def cancel(self) -> None:
        """Want it no more: the writing stops soon, and what was at the path stays.

        Nothing is emitted where nothing is being written.
        """
        if self.is_busy:
            self._background.cancel()
            self.cancelled.emit()

    def close(self) -> None:
        """Cancel and wait for the thread."""
        self._background.close()
