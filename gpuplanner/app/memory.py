"""Garbage collection that no gesture meets: full ones only while the planner is elsewhere."""

import gc
from typing import Any, Final

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication

NEVER: Final = 2**31 - 1
MANY: Final = 10_000
"""Objects made and not gone before young ones are looked through unasked: a gesture makes some hundreds."""
AT_REST_MS: Final = 400
"""After the last answer: the next gesture is seldom sooner, and the panels have been told by then."""


class Tidying(QObject):
    """Keeps full collections of a document and its evaluator out of the way; lives as long as the window.

    A full collection looks at every object there is, and stops every thread: 0.1-0.5 s with a large project, or while
    a workbook is written. Young objects are collected when a gesture has been shown and answered: one that is made of
    thousands of cards takes milliseconds to look through, which would be those of a frame. Only work that makes very
    many of them is met by a collection sooner. Once a new import is evaluated its objects are set
    aside: they go when nothing needs them, but are not looked through. What is left is collected when another program
    has the keyboard and no evaluation is under way; the first time after an import with all that was set aside, so
    that circles of an import that was replaced go too.
    """

    def __init__(self, evaluator: Any, parent: QObject | None = None) -> None:
        """evaluator: whose answers say when there is nothing to do. Thresholds of the collector change for
        the whole process.
        """
        super().__init__(parent)
        self._evaluator, self._cube = evaluator, None
        self._is_unseen = False
        _, middle, _ = gc.get_threshold()
        gc.set_threshold(MANY, middle, NEVER)
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(AT_REST_MS)
        self._rest.timeout.connect(self._collect_young)
        evaluator.evaluated.connect(self._set_aside)
        evaluator.evaluated.connect(self._rest.start)
        application = QGuiApplication.instance()
        if isinstance(application, QGuiApplication):
            application.applicationStateChanged.connect(self.collect_when_elsewhere)

    def _collect_young(self) -> None:
        gc.collect(1)

    def _set_aside(self, evaluation: Any) -> None:
        """Once an import is evaluated to the end, all that is there now is left out of later collections."""
        if evaluation.outlook is not None and evaluation.project.cube is not self._cube:
            self._cube = evaluation.project.cube
            gc.freeze()
            self._is_unseen = True

    def collect_when_elsewhere(self, state: Qt.ApplicationState) -> None:
        """The planner turns to another program, or comes back.

        Only while nothing is being evaluated.
        """
        if state is not Qt.ApplicationState.ApplicationInactive or not self._evaluator.is_settled:
            return
        if self._is_unseen:
            gc.unfreeze()
        gc.collect()
        if self._is_unseen:
            gc.freeze()
            self._is_unseen = False
