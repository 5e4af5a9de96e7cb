"""Writing: a file or several, made of an evaluation in a thread: one at a time, with progress and an end."""

from collections.abc import Callable

from PySide6.QtCore import Signal

from gpuplanner.app.background import IsCancelled, OnProgress, Threaded

Work = Callable[[OnProgress, IsCancelled], object]


class Writing(Threaded):
    """Ends in exactly one of written, failed, or nothing where it was cancelled."""

    written = Signal(object)  # what the work answers

    def write(self, work: Work) -> None:
        """Do the work in the thread; it is given a way to say its progress and to ask whether to stop.

        What was under way is dropped.
        """
        self._background.start(work, self.written.emit)
