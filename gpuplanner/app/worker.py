"""Work in a thread: a QRunnable around one function, and nothing that decides anything."""

from collections.abc import Callable
from contextlib import suppress
from threading import Event

from PySide6.QtCore import QRunnable, SignalInstance


class CancelToken:
    """Asked by the work now and then; set by whoever no longer wants it."""

    def __init__(self) -> None:
        self._event = Event()

    def cancel(self) -> None:
        """Ask the work to stop."""
        self._event.set()

    def is_cancelled(self) -> bool:
        """Whether to stop."""
        return self._event.is_set()


class Worker(QRunnable):
    """Runs `work` once and emits `answered(number, answer)`; an exception is an answer too."""

    def __init__(self, number: int, work: Callable[[], object], answered: SignalInstance) -> None:
        super().__init__()
        self._number, self._work, self._answered = number, work, answered

    def run(self) -> None:
        """Called by the thread pool."""
        try:
            answer = self._work()
        except Exception as error:  # whatever it is, the window's thread must hear of it
            answer = error
        with suppress(RuntimeError):  # whoever asked has been deleted meanwhile
            self._answered.emit(self._number, answer)
