"""The document: the project in the window, and its undo steps."""

import weakref
from collections.abc import Callable, Iterator
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack
from shiboken6 import isValid

from gpuplanner.domain.message import Message, Text
from gpuplanner.domain.model.book.exchange import with_code
from gpuplanner.domain.model.project import Project

MERGEABLE = 1


class ReplaceProject(QUndoCommand):
    """The only undo step there is: two projects, a label, and where to put them.

    gesture: what the user has hold of (a slider, a layer's handle); steps in a row with the same one become one
    step, so that Undo takes back the whole drag. Empty: a step of its own.
    """

    def __init__(
        self,
        label: Message,
        before: Project,
        after: Project,
        put: Callable[[Project], None],
        gesture: str = "",
        money_changes: int = 0,
    ) -> None:
        """put: a method of the document, which is held weakly. money_changes: how often the steps before it changed the
        currency.
        """
        super().__init__(str(label))
        self.label = label
        self.money_changes = money_changes
        self._before, self._after, self._gesture = before, after, gesture
        # a document holds its steps: held by them it would be garbage with them
        self._put = weakref.WeakMethod(put)

    @property
    def before(self) -> Project:
        """What Undo goes back to."""
        return self._before

    @property
    def currency(self) -> str:
        """The code of the money that its name is said in: that of the project when it was done."""
        return self._before.currency

    @property
    def money_changes_after(self) -> int:
        """How often the currency has changed once it is done."""
        return self.money_changes + (self._after.currency != self._before.currency)

    def redo(self) -> None:
        """Called by push too, so this is also the do."""
        self._replace_by(self._after)

    def undo(self) -> None:
        """Back to the very object that was there before."""
        self._replace_by(self._before)

    def _replace_by(self, project: Project) -> None:
        if put := self._put():
            put(project)

    def id(self) -> int:
        """Qt asks steps with the same number whether they merge."""
        return MERGEABLE if self._gesture else -1

    def mergeWith(self, other: QUndoCommand) -> bool:
        """Whether this step has taken over the next one.

        Its name is then that of the later step, and undoing it goes back to before the first.
        """
        if not isinstance(other, ReplaceProject) or other._gesture != self._gesture:
            return False
        self._after = other._after
        self.label = other.label
        self.setText(other.text())
        self.setObsolete(self._after is self._before)  # dragged there and back: nothing to undo
        return True


def step_name(stack: QUndoStack, number: int) -> Text:
    """The name of a step as it was given; Qt itself keeps the English text alone, which no one can translate.

    number: from 0. Of a step that is not ours Qt's own text. Where the currency has changed between the step and now
    its amounts are said in that of the step, letter for letter as the log of decisions says them.
    """
    step = stack.command(number)
    if not isinstance(step, ReplaceProject):
        return stack.text(number)
    if step.money_changes == _money_changes_now(stack):
        return step.label
    return with_code(step.label, step.currency)


def _money_changes_now(stack: QUndoStack) -> int:
    """How often the steps that are done changed the currency."""
    step = stack.command(stack.index() - 1) if stack.index() else None
    return step.money_changes_after if isinstance(step, ReplaceProject) else 0


def newest_step(stack: QUndoStack) -> Text:
    """The name of the step that Undo would take back; empty where there is none."""
    return step_name(stack, stack.index() - 1) if stack.canUndo() else ""


def _delete_steps(stack: QUndoStack) -> None:
    """Before a document goes: a garbage collection that meets a stack with its steps deletes the steps twice."""
    if isValid(stack):  # at the end of the process Qt may have been first
        stack.blockSignals(True)
        stack.clear()


class Document(QObject):
    """Holds one project; every change goes through `edit`, so that Undo and Redo are exact.

    `changed` tells of a new project, path or saved state; whoever asks finds the same project object where only
    the other two changed.
    """

    changed = Signal(object)  # Project

    def __init__(self, project: Project, path: Path | None = None) -> None:
        super().__init__()
        self._project = project
        self._saved: Project | None = project
        self._path = path
        self._gestures = self._loads = 0
        self._is_jumping = False
        self._numbering: weakref.WeakMethod[Callable[[Project], Project]] | None = None
        self.undo_stack = QUndoStack()  # no child: it outlives the document by the time its steps take to go
        weakref.finalize(self, _delete_steps, self.undo_stack)

    @property
    def project(self) -> Project:
        """The project as it is now."""
        return self._project

    @property
    def path(self) -> Path | None:
        """The file it was opened from or saved to last; None for an untitled one."""
        return self._path

    @property
    def name(self) -> str:
        """What to call it in a title bar.

        The title of the project, else the name of its file, else Untitled.
        """
        return self._project.title or (self._path.stem if self._path else "Untitled")

    @property
    def is_modified(self) -> bool:
        """Whether it differs from the file: undoing back to what was saved makes it unmodified again.

        By identity of the project, which no edit changes in place.
        """
        return self._project is not self._saved

    @property
    def loads(self) -> int:
        """How often another project was loaded: what was begun for an earlier one can tell that it is gone."""
        return self._loads

    def number_by(self, with_numbers: Callable[[Project], Project]) -> None:
        """Keep the numbers of decisions and orders that people have read: with each step, and in each file.

        with_numbers: a method, held weakly, that returns a project with them; the same one where it has them. A step
        that leads back to an earlier project leads to that very one.
        """
        self._numbering = weakref.WeakMethod(with_numbers)

    def _with_numbers(self, project: Project) -> Project:
        with_numbers = None if self._numbering is None else self._numbering()
        return project if with_numbers is None else with_numbers(project)

    def project_to_save(self) -> Project:
        """Return what a file is to hold: the project with the numbers that people have read."""
        return self._with_numbers(self._project)

    def edit(self, label: Message, after: Project, *, gesture: str = "") -> None:
        """Make `after` the project, as one step with that name; nothing happens where nothing changed.

        Intents come as edits.move_workloads(document.project, ...) and its label. gesture: see ReplaceProject.
        """
        if after is not self._project:
            if all(after is not earlier for earlier in self.earlier()):
                after = self._with_numbers(after)
            grip = f"{self._gestures} {gesture}" if gesture else ""
            money_changes = _money_changes_now(self.undo_stack)
            self.undo_stack.push(
                ReplaceProject(
                    label=label,
                    before=self._project,
                    after=after,
                    put=self._put,
                    gesture=grip,
                    money_changes=money_changes,
                )
            )

    def earlier(self) -> Iterator[Project]:
        """The projects before each step that is done, the newest first."""
        for number in reversed(range(self.undo_stack.index())):
            step = self.undo_stack.command(number)
            if isinstance(step, ReplaceProject):
                yield step.before

    def end_gesture(self) -> None:
        """The handle was let go: the next step is one of its own, also with the same handle."""
        self._gestures += 1

    def jump_to(self, index: int) -> None:
        """Undo or redo until so many steps are done; told once, however many there are between.

        index: how many steps are done then, 0 to all of them.
        """
        before = self._project
        self._is_jumping = True
        try:
            self.undo_stack.setIndex(index)
        finally:
            self._is_jumping = False
        if self._project is not before:
            self.changed.emit(self._project)

    def load(self, project: Project, path: Path | None = None, *, is_saved: bool = True) -> None:
        """Another project, with no steps to undo. is_saved False: a recovered one, which no file holds yet.

        path: the file that holds it, None for an untitled one. `changed` tells.
        """
        self.undo_stack.clear()
        self._loads += 1
        self._saved = project if is_saved else None
        self._path = path
        self._put(project)

    def mark_saved(self, project: Project, path: Path) -> None:
        """`path` now holds `project`, which may not be the newest: saving takes a while.

        Undo steps stay.
        """
        self._saved, self._path = project, path
        if not self.is_modified:
            self.undo_stack.setClean()
        self.changed.emit(self._project)

    def mark_unsaved(self) -> None:
        """No file holds it any more: it is kept for recovery, and asked about, until it is saved again."""
        self._saved = None
        self.changed.emit(self._project)

    def _put(self, project: Project) -> None:
        """A project in place of the one before; while several steps are undone at once, `jump_to` tells."""
        self._project = project
        if not self._is_jumping:
            self.changed.emit(self._project)
