"""Garbage collection between gestures: full collections run only while the planner is elsewhere."""

import gc
from typing import Any, Final

from PySide6 import QtCore, QtGui

from gpuplanner.app.background import WORK
from gpuplanner.files.system.memory import give_memory_back

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
        self.freed = QtCore.QTimer(self, singleShot=True, interval=FREED_MS)
        self.freed.timeout.connect(self._give_back)
        WORK.ended.connect(self.freed.start)
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
            self.freed.start()
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
