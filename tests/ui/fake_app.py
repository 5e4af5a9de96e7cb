"""Stand-ins for the document and the evaluator, with the sample world behind them."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

from gpuplanner.domain.model.project import Project


class _Replace(QUndoCommand):
    def __init__(self, label: str, before: Project, after: Project, put: Callable[[Project], None]) -> None:
        super().__init__(label)
        self._before, self._after, self._put = before, after, put

    def redo(self) -> None:
        self._put(self._after)

    def undo(self) -> None:
        self._put(self._before)


class FakeDocument(QObject):
    """A project with undo."""

    changed = Signal(object)

    def __init__(self, project: Project) -> None:
        super().__init__()
        self.project = project
        self.undo_stack = QUndoStack(self)

    def edit(self, label: str, after: Project) -> None:
        if after is not self.project:
            self.undo_stack.push(_Replace(label, self.project, after, self._put))

    def _put(self, project: Project) -> None:
        self.project = project
        self.changed.emit(project)


class FakeEvaluator(QObject):
    """Answers at once, in three steps, from a function; `steps` limits how far it gets."""

    evaluated = Signal(object)
    failed = Signal(object)

    def __init__(self, answer: Callable[..., object]) -> None:
        super().__init__()
        self._answer = answer
        self.steps = 3
        self.previews: list[tuple[str, tuple[str, ...], object]] = []

    def evaluate_soon(self, project: Project, scenario: str) -> None:
        for step in range(1, self.steps + 1):
            self.evaluated.emit(self._answer(project, scenario, step))

    def preview(self, project: Project, scenario: str, keys: tuple[str, ...], pool: object) -> None:
        self.previews.append((scenario, keys, pool))
