"""Writing: a file or several, made of an evaluation in a thread: one at a time, with progress and an end."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from gpuplanner.app.background import Background, IsCancelled, OnProgress

Work = Callable[[OnProgress, IsCancelled], object]


class Writing(QObject):
    """Ends in exactly one of written, failed, or nothing where it was cancelled."""

    progressed = Signal(
        float, object
    )  # share done 0..1, what is being done (a text that Qt would make plain)
    written = Signal(object)  # what the work answers
    failed = Signal(object)  # Exception

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._background = Background(self.failed.emit, self.progressed.emit, self)

    @property
    def is_busy(self) -> bool:
        """Whether something is being written."""
        return self._background.is_busy

    def write(self, work: Work) -> None:
        """Do the work in the thread; it is given a way to say its progress and to ask whether to stop.

        What was under way is dropped.
        """
        self._background.start(work, self.written.emit)

    def cancel(self) -> None:
        """Want it no more: the work stops soon, and what was at its place stays."""
        self._background.cancel()

    def close(self) -> None:
        """Cancel and wait for the thread."""
        self._background.close()
