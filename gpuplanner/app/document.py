"""The document: the project in the window, its undo steps, its file, and how two versions differ."""

import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack
from shiboken6 import isValid

from gpuplanner.domain.message import Message, Text, worded
from gpuplanner.domain.model.book.exchange import with_code
from gpuplanner.domain.model.project import Project
from gpuplanner.files.project.project_file import is_same

# --- The document: the project in the window, its undo steps, and the file it belongs to ---------

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

    def __init__(self, project: Project, path: Path | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._project = project
        self._saved: Project | None = project
        self._path = path
        self._gestures = self._loads = 0
        self._is_jumping = False
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

    def edit(self, label: Message, after: Project, *, gesture: str = "") -> None:
        """Make `after` the project, as one step with that name; nothing happens where nothing changed.

        Intents come as edits.move_workloads(document.project, ...) and its label. gesture: see ReplaceProject.
        """
        if after is not self._project:
            grip = f"{self._gestures} {gesture}" if gesture else ""
            money_changes = _money_changes_now(self.undo_stack)
            self.undo_stack.push(ReplaceProject(label, self._project, after, self._put, grip, money_changes))

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


# --- What differs between two versions of a project, thing by thing: for a planner who has to say which of them stays


@dataclass(frozen=True, slots=True)
class Difference:
    """One kind of thing: names of those that only we have, only they have, and that both have in two ways.

    A kind of which there is only one has no names, and is_one.
    """

    what: Message
    only_ours: tuple[str, ...] = ()
    only_theirs: tuple[str, ...] = ()
    in_two_ways: tuple[str, ...] = ()
    is_one: bool = False


def _by(names: str, rows: Iterable[Any]) -> dict[str, Any]:
    """Things by the fields that name each."""
    return {", ".join(str(getattr(row, name)) for name in names.split()): row for row in rows}


def _fields_of(value: Any) -> dict[str, Any]:
    """The fields of a value, each a thing by its name."""
    return {each.name: getattr(value, each.name) for each in fields(value)}


MANY: Final[Mapping[str, tuple[Message, Callable[[Project], Mapping[str, Any]]]]] = {
    "scenarios": (worded("Plans"), lambda project: _by("name", project.scenarios)),
    "notes": (worded("Notes on cards"), lambda project: project.notes),
    "labels": (worded("Classes set by hand"), lambda project: project.labels),
    "assumptions": (worded("Assumptions"), lambda project: _fields_of(project.assumptions)),
    "rules": (worded("Class rules"), lambda project: _by("rule_id", project.rules)),
    "contracts": (worded("Contracts"), lambda project: _by("contract_id", project.contracts)),
    "offers": (worded("Prices"), lambda project: _by("offer_id", project.offers)),
    "earlier_offers": (
        worded("Earlier rates"),
        lambda project: _by("offer_id as_of", project.earlier_offers),
    ),
    "needs": (worded("Needs"), lambda project: project.needs),
    "mappings": (
        worded("Models mapped"),
        lambda project: {" \u2192 ".join(filter(None, one.key)): one for one in project.mappings},
    ),
    "same": (worded("Names matched"), lambda project: _by("text", project.same)),
    "budgets": (worded("Budgets of teams"), lambda project: project.budgets),
    "business": (worded("Business figures"), lambda project: _by("name key month", project.business)),
    "exchange": (worded("Rates of exchange"), lambda project: _by("code", project.exchange)),
    "traffic": (worded("Requests of endpoints"), lambda project: project.traffic),
    "serving": (worded("Endpoints sized"), lambda project: project.serving),
    "runs": (
        worded("Training runs"),
        lambda project: {f"{run.called} {at}": run for at, run in enumerate(project.runs, 1)},
    ),
    "workloads": (worded("Workloads"), lambda project: _by("key", project.workloads)),
    "intake": (worded("Imported files"), lambda project: _by("path", project.intake)),
}
"""Fields of a project that hold many things, by a name of each."""

ONE: Final[Mapping[str, Message]] = {
    "title": worded("Title"),
    "currency": worded("The currency of amounts"),
    "plan_from_s": worded("The day plans begin"),
    "window": worded("The window of the log"),
    "jobs": worded("Sums of the jobs"),
    "cube": worded("GPU time by the hour"),
    "places": worded("Users and sites"),
}
"""Those that hold one."""


def differences(ours: Project, theirs: Project) -> tuple[Difference, ...]:
    """All that differs, in the order of the tables; nothing where both hold the same.

    Things are compared by value.
    """
    found = [_of_many(what, of(ours), of(theirs)) for what, of in MANY.values()]
    ones = [
        Difference(what, is_one=True)
        for name, what in ONE.items()
        if not is_same(getattr(ours, name), getattr(theirs, name))
    ]
    return (*(one for one in found if one is not None), *ones)


def _of_many(what: Message, ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> Difference | None:
    """What differs among things of one kind; None where nothing does."""
    if ours is theirs:
        return None
    only_ours = tuple(name for name in ours if name not in theirs)
    only_theirs = tuple(name for name in theirs if name not in ours)
    both = tuple(name for name in ours if name in theirs and not is_same(ours[name], theirs[name]))
    return Difference(what, only_ours, only_theirs, both) if only_ours or only_theirs or both else None
