"""A stand-in for the evaluator, with the sample world behind them."""

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from gpuplanner.domain.edits.workloads import move_workloads, separate_automatically
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.ui.kit.palettes import Palette, use


class FakeEvaluator(QObject):
    """Answers at once, in three steps, from a function; `steps` limits how far it gets."""

    evaluated = Signal(object)
    failed = Signal(object)
    previewed = Signal(object, object)

    def __init__(self, answer: Callable[..., Any]) -> None:
        super().__init__()
        self._answer = answer
        self.begin_again()

    def begin_again(self) -> None:
        """As it was when it was made: nothing asked, and every answer given."""
        self.first_step, self.steps = 1, 3
        self.evaluation: Any = None
        self.previews: list[tuple[frozenset[str], Pool | None]] = []
        self.answers_previews = True
        self.stopped = 0
        self._asked: tuple[Project, str] | None = None

    @contextmanager
    def whole_answers(self) -> Iterator[None]:
        """For a while, an answer is given at once: its last step alone."""
        self.first_step = self.steps
        yield
        self.first_step = 1

    def evaluate_soon(self, project: Project, scenario: str) -> None:
        self._asked = (project, scenario)
        for step in range(self.first_step, self.steps + 1):
            self.evaluation = self._answer(project, scenario, step)
            self.evaluated.emit(self.evaluation)

    def preview(self, keys: Collection[str], pool: Pool | None) -> None:
        self.previews.append((frozenset(keys), pool))
        if self._asked is not None and self.answers_previews:
            project, scenario = self._asked
            found = {} if pool else {row.key: row.classification for row in self.evaluation.audit.workloads}
            after = (
                move_workloads(project, scenario, keys, pool)
                if pool
                else separate_automatically(project, scenario, found)
            )
            request = SimpleNamespace(keys=frozenset(keys), pool=pool)
            self.previewed.emit(request, self._answer(after, scenario, 2).advice)

    def hold_outlook(self, *, is_held: bool) -> None:
        """The outlook is there at once here."""

    def stop_previewing(self) -> None:
        self.stopped += 1


def recoloured(view: QWidget, palette: Palette) -> None:
    """Draw a view, and what is in it, in the colours of a palette."""
    use(palette)
    for widget in (view, *view.findChildren(QWidget)):
        widget.update()
        if hasattr(widget, "recolour"):
            widget.recolour()
