"""Exporting: the workbook, or the FOCUS rows of what is to be bought, written in a thread."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject

from gpuplanner.app.background import IsCancelled, OnProgress
from gpuplanner.app.writing import Writing
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


class Exporter(Writing):
    """One file at a time; written tells its path."""

    def __init__(self, write: WriteWorkbook = _write, parent: QObject | None = None) -> None:
        """write: another writer in tests."""
        super().__init__(parent)
        self._write = write

    def start(self, evaluation: Evaluation, path: Path, generated_at_s: int) -> None:
        """Write the workbook of an evaluation with its advice; FOCUS rows where the path ends in .csv.

        generated_at_s: epoch seconds, for its Provenance.
        """

        def work(on_progress: OnProgress, is_cancelled: IsCancelled) -> Path:
            self._write(evaluation, path, generated_at_s, on_progress, is_cancelled)
            return path

        self.write(work)
