"""Requesting: requests for quote written in a thread."""

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from gpuplanner.app.background import Background
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.files.request.terms import Terms


class Requesting(QObject):
    """One set of requests at a time; ends in exactly one of written, failed, or nothing where it was cancelled."""

    progressed = Signal(
        float, object
    )  # share done 0..1, what is being done (a text that Qt would make plain)
    written = Signal(object)  # tuple[Path, ...]: empty where the plan orders nothing
    failed = Signal(object)  # Exception

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._background = Background(self.failed.emit, self.progressed.emit, self)

    @property
    def is_busy(self) -> bool:
        """Whether files are being written."""
        return self._background.is_busy

    def start(self, evaluation: Evaluation, folder: Path, generated_at_s: int, terms: Terms) -> None:
        """Write the requests of an evaluation with its advice into a folder.

        generated_at_s: epoch seconds UTC, of the day that they bear. One set under way is dropped.
        """
        from gpuplanner.files.request.write import write_requests

        self._background.start(
            lambda _, is_cancelled: write_requests(
                evaluation, folder, generated_at_s, terms, is_cancelled=is_cancelled
            ),
            self.written.emit,
        )

    def cancel(self) -> None:
        """Want them no more; files that are there already stay."""
        self._background.cancel()

    def close(self) -> None:
        """Cancel and wait for the thread."""
        self._background.close()
