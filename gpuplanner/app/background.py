"""Work in a thread of its own, the newest question answered; memory and ending beside a window."""

import gc
import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from threading import Event
from types import FrameType
from typing import Any, Final, Generic, TypeVar

from PySide6 import QtCore, QtGui

from gpuplanner.domain.message import Text
from gpuplanner.files.system.memory import give_memory_back
from gpuplanner.files.system.termination import is_end_asked
from gpuplanner.lazy_dataclass import dataclass

# --- One piece of work at a time in a thread of its own: the newest is wanted, late answers are dropped


# Work in a thread: a QRunnable around one function, and nothing that decides anything.
class Worker(QtCore.QRunnable):
    """Runs `work` once and emits `answered(number, answer)`; an exception is an answer too."""

    def __init__(self, number: int, work: Callable[[], object], answered: QtCore.SignalInstance) -> None:
        """number: told with the answer, so that late ones can be dropped. answered: emitted in the thread,
        received in the window's.
        """
        super().__init__()
        self._number, self._works, self._answered = number, [work], answered

    def run(self) -> None:
        """Called by the thread pool, once."""
        try:
            # Taken out, for Qt keeps some workers for good, and with them all that their work stands on
            answer = self._works.pop()()
        except Exception as error:  # whatever it is, the window's thread must hear of it
            answer = error
        with suppress(RuntimeError):  # whoever asked has been deleted meanwhile
            self._answered.emit(self._number, answer)
        WORK.ended.emit()


class _Work(QtCore.QObject):
    """Tells of the end of all work in threads, whoever asked for it: it leaves memory that nobody uses."""

    ended = QtCore.Signal()


WORK: Final = _Work()
Answer = TypeVar("Answer")
OnProgress = Callable[[float, Text], None]
IsCancelled = Callable[[], bool]

LEAST_STEP = 0.005
"""Progress is told in steps of at least this share, so that fine-grained work does not flood the window."""


class Background(QtCore.QObject):
    """Belongs to one thread (the window's); everything it is given is called back there.

    on_failed: told of the exception of work that is still wanted; on_progress: of its share done (0..1) and a text.
    """

    _answered = QtCore.Signal(int, object)
    _reported = QtCore.Signal(int, float, object)  # a text, or a `Message`

    def __init__(
        self,
        on_failed: Callable[[Exception], None],
        on_progress: OnProgress | None = None,
        parent: QtCore.QObject | None = None,
    ) -> None:
        """parent: whose end is also this object's; `close` comes before it."""
        super().__init__(parent)
        self._on_failed, self._on_progress = on_failed, on_progress
        self._number = 0
        self._token = Event()  # asked by the work now and then; set by whoever no longer wants it
        self._then: Callable[[Any], None] | None = None
        self._threads = QtCore.QThreadPool(self, maxThreadCount=1)
        self._answered.connect(self._take, QtCore.Qt.ConnectionType.QueuedConnection)
        self._reported.connect(self._report, QtCore.Qt.ConnectionType.QueuedConnection)

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
        shown = -1.0

        def on_progress(fraction: float, text: Text) -> None:
            nonlocal shown
            if not shown <= fraction < min(shown + LEAST_STEP, 1.0):
                shown = fraction
                self._reported.emit(number, fraction, text)

        self._threads.start(Worker(number, lambda: work(on_progress, token.is_set), self._answered))

    def run(self, work: Callable[[], Answer], then: Callable[[Answer], None]) -> None:
        """As `start`, for work that neither tells its progress nor asks whether to stop."""
        self.start(lambda on_progress, is_cancelled: work(), then)

    def cancel(self) -> None:
        """Want nothing any more: the work is asked to stop, and whatever it answers is dropped.

        Returns at once: work that does not ask goes on, and nobody hears of it.
        """
        self._token.set()
        self._threads.clear()
        self._number += 1
        self._token, self._then = Event(), None

    def wait(self) -> None:
        """Wait until the work is done and take its answer now, as at the end of a session.

        Callbacks are called before it returns.
        """
        self._threads.waitForDone()
        QtCore.QCoreApplication.sendPostedEvents(self, QtCore.QEvent.Type.MetaCall.value)

    def close(self) -> None:
        """Cancel, and wait until the thread is done."""
        self.cancel()
        self._threads.waitForDone()

    @QtCore.Slot(int, object)
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

    @QtCore.Slot(int, float, str)
    def _report(self, number: int, fraction: float, text: str) -> None:
        """Progress in the window's thread; of work that nobody wants any more it is dropped."""
        if number == self._number and self._on_progress is not None:
            self._on_progress(fraction, text)


def close_all(around: QtCore.QObject) -> None:
    """Want nothing more of all that works in threads for an object and what belongs to it, and wait for it."""
    for background in around.findChildren(Background):
        background.close()


class Threaded(QtCore.QObject):
    """Works in one thread of its own, by `_background`; says how far it is and what failed, and can be dropped."""

    progressed = QtCore.Signal(
        float, object
    )  # share done 0..1, what is being done: Qt would make a text plain
    failed = QtCore.Signal(object)  # Exception: PlannerError where the planner can put it right

    def __init__(self, parent: QtCore.QObject | None = None) -> None:
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


class AfterPaint(QtCore.QObject):
    """Does its work once what is to be painted now is painted, so that no frame of a gesture waits for it.

    Asked again before that, it does it once.
    """

    _TURN: Final = QtCore.QEvent.Type(QtCore.QEvent.registerEventType())
    _PRIORITY: Final = QtCore.Qt.EventPriority.LowEventPriority.value - 1
    """Repaints are asked for at low priority; what is asked for after them comes when they are done."""

    def __init__(self, work: Callable[[], object], parent: QtCore.QObject) -> None:
        super().__init__(parent)
        self._work = work

    def ask(self) -> None:
        """Do it after the next paint."""
        QtCore.QCoreApplication.removePostedEvents(self, self._TURN)
        QtCore.QCoreApplication.postEvent(self, QtCore.QEvent(self._TURN), self._PRIORITY)

    def event(self, event: QtCore.QEvent) -> bool:
        if event.type() != self._TURN:
            return super().event(event)
        self._work()
        return True


# --- A question that is asked again and again: the newest is answered, one that was answered last is told at once


@dataclass(frozen=True, slots=True, eq=False)
class Itself:
    """A part of a question that only the very same object is the same as: one that is made again where it changes."""

    part: object

    def __eq__(self, other: object) -> bool:
        """Never equal to a part of the same value."""
        return isinstance(other, Itself) and self.part is other.part

    def __hash__(self) -> int:
        return id(self.part)


def are_same(these: tuple[object, ...], other: tuple[object, ...]) -> bool:
    """Part by part; identity first, since the parts of a project are large and most edits leave them as they are.

    >>> are_same((1, "a"), (1, "a")), are_same((Itself([]),), (Itself([]),)), are_same((1,), (1, 2))
    (True, False, False)
    """
    return len(these) == len(other) and all(a is b or a == b for a, b in zip(these, other, strict=True))


Question = tuple[object, ...]


class NewestQuestion(Generic[Answer]):
    """Works in the thread that it is given; tell: told each answer that is still wanted."""

    def __init__(self, background: Background, tell: Callable[[Answer], None]) -> None:
        self._background, self._tell = background, tell
        self._known: tuple[Question, Answer] | None = None
        self._asked: Question = ()

    def ask(self, question: Question, work: Callable[[OnProgress, IsCancelled], Answer]) -> None:
        """Have it answered: by the last answer, by the one under way, or by `work` where it is another question.

        question: all that the answer stands on.
        """
        if self._known is not None and are_same(self._known[0], question):
            self._background.cancel()
            self._tell(self._known[1])
            return
        if self._background.is_busy and are_same(self._asked, question):
            return
        self._asked = question
        self._background.start(work, lambda answer: self._take(question, answer))

    def known(self, question: Question) -> Answer | None:
        """The answer where it is there already."""
        return self._known[1] if self._known is not None and are_same(self._known[0], question) else None

    def _take(self, question: Question, answer: Answer) -> None:
        """Kept for the next time, then told."""
        self._known = (question, answer)
        self._tell(answer)


class Answering(Threaded):
    """The newest question is answered; one asked again is answered at once. A kind of it has `ask`."""

    answered = QtCore.Signal(object)  # of the kind's own type

    def __init__(self, parent: QtCore.QObject | None = None) -> None:
        super().__init__(parent)
        self._newest = NewestQuestion[Any](self._background, self._tell)

    def _tell(self, answer: Any) -> None:
        """What is done with an answer."""
        self.answered.emit(answer)


# --- Garbage collection that no gesture meets: full ones only while the planner is elsewhere -----

MANY: Final = 10_000
"""Objects made and not gone before young ones are looked through unasked: a gesture makes some hundreds."""
AT_REST_MS: Final = 400
"""After the last answer: the next gesture is seldom sooner, and the panels have been told by then."""
FREED_MS: Final = 100
"""After the last work in a thread, whoever asked for it: what it shows is painted by then. To give what was freed
back to the system takes 5 to 20 ms in a thread, in which others may wait."""


class Tidying(QtCore.QObject):
    """Keeps full collections of a document and its evaluator out of the way; lives as long as the window.

    Python collects wherever an object is made: in a thread, where no widget may end, or while Qt holds a lock that the
    end of a widget waits for, which stands still for good. So it collects nothing by itself here, and all that is
    collected is so by the event loop of the window.

    A full collection looks at every object there is, and stops every thread: 0.1-0.5 s with a large project, or while
    a workbook is written. Young objects are collected when a gesture has been shown and answered: one that is made of
    thousands of cards takes milliseconds to look through, which would be those of a frame. Only where very many were
    made are they collected sooner, once no event is left. Once a new import is evaluated its objects are set
    aside: they go when nothing needs them, but are not looked through. What is left is collected when another program
    has the keyboard and no evaluation is under way; the first time after an import with all that was set aside, so
    that circles of an import that was replaced go too.
    """

    def __init__(self, evaluator: Any, parent: QtCore.QObject | None = None) -> None:
        """evaluator: whose answers say when there is nothing to do. Nothing is collected unasked any more in
        the whole process.
        """
        super().__init__(parent)
        self._evaluator, self._cube = evaluator, None
        self._is_unseen = False
        gc.disable()
        QtCore.QAbstractEventDispatcher.instance().aboutToBlock.connect(self._collect_many)
        self._rest = QtCore.QTimer(self, singleShot=True, interval=AT_REST_MS)
        self._rest.timeout.connect(lambda: gc.collect(1))
        evaluator.evaluated.connect(self._set_aside)
        evaluator.evaluated.connect(self._rest.start)
        self._freed = QtCore.QTimer(self, singleShot=True, interval=FREED_MS)
        self._freed.timeout.connect(self._give_back)
        WORK.ended.connect(self._freed.start)
        application = QtGui.QGuiApplication.instance()
        if isinstance(application, QtGui.QGuiApplication):
            application.applicationStateChanged.connect(self.collect_when_elsewhere)

    def _collect_many(self) -> None:
        """Before the event loop waits."""
        if gc.get_count()[0] > MANY:
            gc.collect(1)

    def _give_back(self) -> None:
        """Never while a button of the mouse is held: frames of what is dragged would wait."""
        if QtGui.QGuiApplication.mouseButtons() != QtCore.Qt.MouseButton.NoButton:
            self._freed.start()
        else:
            QtCore.QThreadPool.globalInstance().start(give_memory_back)

    def _set_aside(self, evaluation: Any) -> None:
        """Once an import is evaluated to the end, all that is there now is left out of later collections."""
        if evaluation.outlook is not None and evaluation.project.cube is not self._cube:
            self._cube = evaluation.project.cube
            gc.freeze()
            self._is_unseen = True

    def collect_when_elsewhere(self, state: QtCore.Qt.ApplicationState) -> None:
        """The planner turns to another program, or comes back.

        Only while nothing is being evaluated.
        """
        if state is not QtCore.Qt.ApplicationState.ApplicationInactive or not self._evaluator.is_settled:
            return
        if self._is_unseen:
            gc.unfreeze()
        gc.collect()
        if self._is_unseen:
            gc.freeze()
            self._is_unseen = False


# --- Being told to end, by the system or from a terminal, while a window is open: said as a signal of Qt

ENDS: Final = ("SIGTERM", "SIGINT", "SIGHUP", "SIGBREAK")
"""What ends a program in good order: a system that shuts down, Ctrl-C, a terminal that closes. Few are everywhere."""


class EndAsked(QtCore.QObject):
    """Tells once that the program is to end; from then until `close`, nothing is thrown into the middle of a slot.

    Python sees a signal only when it next runs, which in an idle window is never: the system writes a byte for it into
    a socket that Qt watches.
    """

    asked = QtCore.Signal()

    def __init__(self, parent: QtCore.QObject | None = None) -> None:
        """Handlers of all ends that there are here are taken over, but for those that are ignored."""
        super().__init__(parent)
        self.is_asked = False
        self._read, self._write = socket.socketpair()
        for end in (self._read, self._write):
            end.setblocking(False)
        self._notifier = QtCore.QSocketNotifier(self._read.fileno(), QtCore.QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._take)
        self._fd_before = signal.set_wakeup_fd(self._write.fileno(), warn_on_full_buffer=False)
        self._before = {
            number: signal.signal(number, _ignore)
            for name in ENDS
            if (number := getattr(signal, name, None)) is not None
            and signal.getsignal(number) != signal.SIG_IGN  # as under nohup
        }
        if is_end_asked():  # while the window was made, where it was lost
            QtCore.QTimer.singleShot(0, self._take)

    def close(self) -> None:
        """As it was before.

        Signals are handled as before this object was made.
        """
        for number, handler in self._before.items():
            signal.signal(number, handler)
        self._before = {}
        signal.set_wakeup_fd(self._fd_before)
        self._notifier.setEnabled(False)
        self._read.close()
        self._write.close()

    def _take(self) -> None:
        """Empty the socket, and tell once."""
        with suppress(OSError):
            self._read.recv(64)
        if not self.is_asked:
            self.is_asked = True
            self.asked.emit()


def _ignore(number: int, frame: FrameType | None) -> None:
    """The byte in the socket says it."""
