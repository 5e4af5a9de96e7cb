"""Stand-ins for the document and the evaluator, with the sample world behind them."""

from collections.abc import Callable, Collection
from types import SimpleNamespace
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

from gpuplanner.domain.edits import move_workloads
from gpuplanner.domain.model.pool import Pool
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

    def jump_to(self, index: int) -> None:
        self.undo_stack.setIndex(index)

    def end_gesture(self) -> None:
        """Every edit is a step of its own here."""

    def edit(self, label: str, after: Project, *, gesture: str = "") -> None:
        if after is not self.project:
            self.undo_stack.push(_Replace(label, self.project, after, self._put))

    def _put(self, project: Project) -> None:
        self.project = project
        self.changed.emit(project)


class FakeEvaluator(QObject):
    """Answers at once, in three steps, from a function; `steps` limits how far it gets."""

    evaluated = Signal(object)
    failed = Signal(object)
    previewed = Signal(object, object)

    def __init__(self, answer: Callable[..., Any]) -> None:
        super().__init__()
        self._answer = answer
        self.steps = 3
        self.evaluation: Any = None
        self.previews: list[tuple[frozenset[str], Pool]] = []
        self.answers_previews = True
        self.stopped = 0
        self._asked: tuple[Project, str] | None = None

    def evaluate_soon(self, project: Project, scenario: str) -> None:
        self._asked = (project, scenario)
        for step in range(1, self.steps + 1):
            self.evaluation = self._answer(project, scenario, step)
            self.evaluated.emit(self.evaluation)

    def preview(self, keys: Collection[str], pool: Pool) -> None:
        self.previews.append((frozenset(keys), pool))
        if self._asked is not None and self.answers_previews:
            project, scenario = self._asked
            after = move_workloads(project, scenario, keys, pool)
            request = SimpleNamespace(keys=frozenset(keys), pool=pool)
            self.previewed.emit(request, self._answer(after, scenario, 2).advice)

    def hold_outlook(self, *, is_held: bool) -> None:
        """The outlook is there at once here."""

    def stop_previewing(self) -> None:
        self.stopped += 1
