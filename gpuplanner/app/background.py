"""One piece of work at a time in a thread of its own: the newest is wanted, late answers are dropped."""

from collections.abc import Callable
from contextlib import suppress
from threading import Event
from typing import Any, TypeVar

from PySide6.QtCore import (
    QCoreApplication,
    QEvent,
    QObject,
    QRunnable,
    Qt,
    QThreadPool,
    Signal,
    SignalInstance,
    Slot,
)

from gpuplanner.domain.message import Text


# Work in a thread: a QRunnable around one function, and nothing that decides anything.
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
        """number: told with the answer, so that late ones can be dropped. answered: emitted in the thread,
        received in the window's.
        """
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


Answer = TypeVar("Answer")
OnProgress = Callable[[float, Text], None]
IsCancelled = Callable[[], bool]

LEAST_STEP = 0.005
"""Progress is told in steps of at least this share, so that fine-grained work does not flood the window."""


class Background(QObject):
    """Belongs to one thread (the window's); everything it is given is called back there.

    on_failed: told of the exception of work that is still wanted; on_progress: of its share done (0..1) and a text.
    """

    _answered = Signal(int, object)
    _reported = Signal(int, float, object)  # a text, or a `Message`

    def __init__(
        self,
        on_failed: Callable[[Exception], None],
        on_progress: OnProgress | None = None,
        parent: QObject | None = None,
    ) -> None:
        """parent: whose end is also this object's; `close` comes before it."""
        super().__init__(parent)
        self._on_failed, self._on_progress = on_failed, on_progress
        self._number = 0
        self._token = CancelToken()
        self._then: Callable[[Any], None] | None = None
        self._threads = QThreadPool(self)
        self._threads.setMaxThreadCount(1)
        self._answered.connect(self._take, Qt.ConnectionType.QueuedConnection)
        self._reported.connect(self._report, Qt.ConnectionType.QueuedConnection)

    @property
    def is_busy(self) -> bool:
        """Whether an answer is awaited.

        False once an answer was taken, and after `cancel`.
        """
        return self._then is not None

    def start(
        self, work: Callable[[OnProgress, IsCancelled], Answer], then: Callable[[Answer], None]
    ) -> None:
        """Run `work` in the thread and give `then` its answer; what ran before is cancelled and its answer dropped.

        work: called in the thread, with a function to tell its progress (share done 0..1, text) and one that
        says whether to stop. then: called in the window's thread.
        """
        self.cancel()
        self._then = then
        number, token = self._number, self._token
        told = -1.0

        def on_progress(fraction: float, text: Text) -> None:
            nonlocal told
            if not told <= fraction < min(told + LEAST_STEP, 1.0):
                told = fraction
                self._reported.emit(number, fraction, text)

        self._threads.start(Worker(number, lambda: work(on_progress, token.is_cancelled), self._answered))

    def run(self, work: Callable[[], Answer], then: Callable[[Answer], None]) -> None:
        """As `start`, for work that neither tells its progress nor asks whether to stop."""
        self.start(lambda on_progress, is_cancelled: work(), then)

    def cancel(self) -> None:
        """Want nothing any more: the work is asked to stop, and whatever it answers is dropped.

        Returns at once: work that does not ask goes on, and nobody hears of it.
        """
        self._token.cancel()
        self._threads.clear()
        self._number += 1
        self._token, self._then = CancelToken(), None

    def wait(self) -> None:
        """Wait until the work is done and take its answer now, as at the end of a session.

        Callbacks are called before it returns.
        """
        self._threads.waitForDone()
        QCoreApplication.sendPostedEvents(self, QEvent.Type.MetaCall.value)

    def close(self) -> None:
        """Cancel, and wait until the thread is done."""
        self.cancel()
        self._threads.waitForDone()

    @Slot(int, object)
    def _take(self, number: int, answer: object) -> None:
        """An answer in the window's thread; of work that nobody wants any more it is dropped."""
        then = self._then
        if number != self._number or then is None:
            return
        self._then = None
        if isinstance(answer, Exception):
            self._on_failed(answer)
        else:
            then(answer)

    @Slot(int, float, str)
    def _report(self, number: int, fraction: float, text: str) -> None:
        """Progress in the window's thread; of work that nobody wants any more it is dropped."""
        if number == self._number and self._on_progress is not None:
            self._on_progress(fraction, text)


class Threaded(QObject):
    """Works in one thread of its own, by `_background`; says how far it is and what failed, and can be dropped."""

    progressed = Signal(float, object)  # share done 0..1, what is being done: Qt would make a text plain
    failed = Signal(object)  # Exception: PlannerError where the planner can put it right

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._background = Background(self.failed.emit, self.progressed.emit, self)

    @property
    def is_busy(self) -> bool:
        """Whether an answer is awaited."""
        return self._background.is_busy

    def cancel(self) -> None:
        """Want no answer any more: the work stops soon, and what was at its place stays."""
        self._background.cancel()

    def close(self) -> None:
        """Want no answer any more, and wait for the thread."""
        self._background.close()
