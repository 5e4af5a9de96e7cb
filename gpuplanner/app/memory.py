"""Garbage collection that no gesture meets: full ones only when nothing is at work, and not of what an import left."""

import gc
from typing import Any, Final

from PySide6.QtCore import QObject, QTimer

NEVER: Final = 2**31 - 1
IDLE_MS: Final = 60_000


class Tidying(QObject):
    """Keeps full collections of a document and its evaluator out of the way; lives as long as the window.

    A full collection looks at every object there is, and stops every thread: 0.1-0.5 s with a large project, or while
    a workbook is written. Young objects are collected as ever. Once a new import is evaluated its objects are set
    aside (they go when nothing needs them, but are not looked through), so that what is left is collected in no time.
    """

    def __init__(self, evaluator: Any, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._evaluator, self._cube = evaluator, None
        young, middle, _ = gc.get_threshold()
        gc.set_threshold(young, middle, NEVER)
        self._timer = QTimer(self)
        self._timer.setInterval(IDLE_MS)
        self._timer.timeout.connect(self._collect)
        self._timer.start()
        evaluator.evaluated.connect(self._set_aside)

    def _set_aside(self, evaluation: Any) -> None:
        if evaluation.outlook is not None and evaluation.project.cube is not self._cube:
            self._cube = evaluation.project.cube
            gc.freeze()

    def _collect(self) -> None:
        if self._evaluator.is_settled:
            gc.collect()
