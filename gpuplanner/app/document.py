"""The document: the project in the window, its undo steps, how two versions differ; its file, saved in a thread."""

import weakref
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QCoreApplication, QFileSystemWatcher, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QUndoCommand, QUndoStack
from shiboken6 import isValid

from gpuplanner.app.background import Background
from gpuplanner.domain.message import Message, Text, worded
from gpuplanner.domain.model.book.exchange import with_code
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.project import Project
from gpuplanner.files.project.project_backups import ChangedElsewhereError, Expected, Seen, Stamp, seen
from gpuplanner.files.project.project_file import is_same, open_stamped, save_project
from gpuplanner.files.project.project_parts import PartCache
from gpuplanner.files.project.session_marks import Mark, Session, sessions_at
from gpuplanner.files.system.resources import plain_table, words_table
from gpuplanner.lazy_dataclass import dataclass, fields

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

    def __init__(self, project: Project, path: Path | None = None) -> None:
        super().__init__()
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


# --- What differs between two versions of a project, thing by thing: for a planner who has to say which of them stays


@dataclass(frozen=True, slots=True, kw_only=True)
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


MANY: Final = words_table("project_part")
"""Fields of a project that hold many things."""
_NAMED_BY: Final = plain_table("project_part")
_NAMED: Final[Mapping[str, Callable[[Any], Mapping[str, Any]]]] = {
    "assumptions": _fields_of,
    "mappings": lambda mappings: {" \u2192 ".join(filter(None, each.key)): each for each in mappings},
    "runs": lambda runs: {f"{run.called} {at}": run for at, run in enumerate(runs, 1)},
}
"""What names each of them: the fields that do, or a function of them all; others are by their names already."""

ONE: Final = words_table("only_part")
"""Those that hold one."""


def _things(project: Project, name: str) -> Mapping[str, Any]:
    """The things that a field of MANY holds, by a name of each."""
    held = getattr(project, name)
    if name in _NAMED_BY:
        return _by(_NAMED_BY[name], held)
    return _NAMED[name](held) if name in _NAMED else held


def differences(ours: Project, theirs: Project) -> tuple[Difference, ...]:
    """All that differs, in the order of the tables; nothing where both hold the same.

    Things are compared by value.
    """
    several = [_of_many(kind, _things(ours, name), _things(theirs, name)) for name, kind in MANY.items()]
    ones = [
        Difference(what=kind, is_one=True)
        for name, kind in ONE.items()
        if not is_same(getattr(ours, name), getattr(theirs, name))
    ]
    return (*(each for each in several if each is not None), *ones)


def _of_many(kind: Message, ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> Difference | None:
    """What differs among things of one kind; None where nothing does."""
    if ours is theirs:
        return None
    only_ours = tuple(name for name in ours if name not in theirs)
    only_theirs = tuple(name for name in theirs if name not in ours)
    both = tuple(name for name in ours if name in theirs and not is_same(ours[name], theirs[name]))
    return (
        Difference(what=kind, only_ours=only_ours, only_theirs=only_theirs, in_two_ways=both)
        if only_ours or only_theirs or both
        else None
    )


# --- Saving and opening in a thread: the document is marked saved only when its file is whole on the disk
# Where somebody else saved at its path since, nothing is written until the planner has said what is to become of that.


class Saver(QObject):
    """Saves a document's project and opens others into it, one after the other, in the order they were asked for."""

    saved = Signal(object)  # Path
    opened = Signal(object)  # Path
    failed = Signal(object)  # Exception
    saved_anew = Signal(object)  # Path: its file was gone, and is there again
    changed_elsewhere = Signal(object)  # ChangedElsewhereError: a save that waits for what the planner says

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        """One document, one queue: what is asked for is done in that order."""
        super().__init__(parent)
        self._document = document
        self._cache = PartCache()  # touched only by the thread
        self._known: tuple[Path, Stamp | None] | None = None
        self._waiting: deque[tuple[Path | None, Callable[[], None]]] = deque()  # the file that is saved to
        self._background = Background(self._fail, parent=self)

    @property
    def is_busy(self) -> bool:
        """Whether something is still to be saved or opened."""
        return self._background.is_busy or bool(self._waiting)

    @property
    def known(self) -> Stamp | None:
        """What the document's file was known by when it was opened or saved last; None for an untitled one.

        Compared with the file before it is replaced, so that nobody's work is written over unseen.
        """
        return self._known[1] if self._known is not None and self.has_file else None

    @property
    def has_file(self) -> bool:
        """Whether the document's file was opened or saved here; a picture of it, say, has nothing to do with it."""
        return self._known is not None and self._known[0] == self._document.path

    def save(
        self, path: Path | None = None, *, replaced: Stamp | None = None, is_any_replaced: bool = False
    ) -> None:
        """Save the project as it is now, to its own file or to another. Errors: ValueError for an untitled one.

        replaced: a version of somebody else that the planner said may be replaced; is_any_replaced: whatever is there.
        """
        target = path or self._document.path
        if target is None:
            raise ValueError("save: the document has no file yet; give a path")
        project, loads = self._document.project, self._document.loads

        def start() -> None:
            ours = self._known[1] if self._known is not None and self._known[0] == target else None
            expected = Expected(ours, replaced, is_any_replaced)
            work = partial(_save, project, target, self._cache, expected)
            self._background.run(work, lambda saved: self._take_saved(project, target, loads, *saved))

        self._soon(start, target)

    def open(self, path: Path) -> None:
        """Open a file into the document; where that fails, or it was edited meanwhile, it stays as it is.

        What was asked for before is done first. `opened` or `failed` tells.
        """
        before = self._document.project
        work = partial(open_stamped, path, cache=self._cache)
        self._soon(lambda: self._background.run(work, partial(self._take_opened, path, before)))

    def close(self) -> None:
        """Wait until everything that was asked for is on the disk; nobody is told any more.

        What was asked for is still written; answers are taken.
        """
        while self.is_busy:
            self._background.wait()

    def _soon(self, start: Callable[[], None], target: Path | None = None) -> None:
        """target: the file that is saved to, None for an opening; a save that must wait for the planner takes
        later ones to that file with it.
        """
        self._waiting.append((target, start))
        self._next()

    def _next(self) -> None:
        """One after the other, for each stands on what the one before left."""
        if self._waiting and not self._background.is_busy:
            self._waiting.popleft()[1]()

    def _take_saved(self, project: Project, path: Path, loads: int, stamp: Stamp, is_anew: bool) -> None:
        """loads: how often another project had been loaded when it was asked for."""
        if loads == self._document.loads:  # else another project is in the window, and it is not in that file
            self._known = (path, stamp)
            self._document.mark_saved(project, path)
        self.saved.emit(path)
        if is_anew:
            self.saved_anew.emit(path)
        self._next()

    def _take_opened(self, path: Path, before: Project, opened: tuple[Project, Stamp | None]) -> None:
        """before: the project when it was asked for; one that was edited since stays, and the planner is
        told.
        """
        project, stamp = opened
        if self._document.is_modified and self._document.project is not before:
            fault = worded("not opened: the project changed meanwhile")
            self._fail(
                PlannerError(str(path), "usage", fault, worded("save or discard changes, then reopen"))
            )
            return
        self._known = (path, stamp)
        self._document.load(project, path)
        self.opened.emit(path)
        self._next()

    def _fail(self, error: Exception) -> None:
        """A file that somebody else changed stops all saves to it; anything else is told, and the next is
        done.
        """
        # nothing more is saved there before the planner has said how
        if isinstance(error, ChangedElsewhereError):
            self._waiting = deque(entry for entry in self._waiting if entry[0] != error.path)
            self.changed_elsewhere.emit(error)
        else:
            self.failed.emit(error)
        self._next()


def _save(project: Project, target: Path, cache: PartCache, expected: Expected) -> tuple[Stamp, bool]:
    """What the file is known by now, and whether it was gone before."""
    try:
        is_gone = expected.ours is not None and seen(target, expected.ours) is Seen.GONE
    except OSError:  # what is in the way is said by the save
        is_gone = False
    return save_project(project, target, cache=cache, expected=expected), is_gone


# --- Looks after the file of the open project: whether it is still ours, and who else has it open

SOON_MS: Final = 300
"""A sync folder writes a file in several steps."""

AGAIN_MS: Final = 600_000
"""How often the mark says that this session lives, and the file is looked at where the system tells of nothing."""


@dataclass(frozen=True, slots=True)
class FileNews:
    """How the document's file is. written_s: when it was written last, epoch seconds, None for one that is gone.

    seen: whether it is still what was opened or saved here; others: sessions elsewhere that have it open.
    """

    path: Path
    seen: Seen = Seen.SAME
    written_s: int | None = None
    others: tuple[Session, ...] = ()


class FileWatch(QObject):
    """Looks when the folder changes, when the window comes to the front, after each save, and now and then."""

    told = Signal(object)  # FileNews, where they are other than before; None: there is no file

    def __init__(
        self, document: Document, saver: Saver, time_s: Callable[[], int], parent: QObject | None = None
    ) -> None:
        """time_s: the clock, epoch seconds UTC."""
        super().__init__(parent)
        self._document, self._saver, self._time_s = document, saver, time_s
        self._news: FileNews | None = None
        self._path: Path | None = None
        self._saved_here: Path | None = None
        self._marks = _OwnMark()
        self._background = Background(lambda _: None, parent=self)
        self._system = QFileSystemWatcher(self)
        self._system.directoryChanged.connect(self.look_soon)
        self._system.fileChanged.connect(self.look_soon)
        self._soon, self._again = QTimer(self), QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(SOON_MS)
        self._soon.timeout.connect(self.look)
        self._again.setInterval(AGAIN_MS)
        self._again.timeout.connect(self._look_again)
        self._again.start()
        document.changed.connect(self._follow)
        saver.saved.connect(self._take_saved)
        saver.opened.connect(self._take_opened)
        application = QCoreApplication.instance()
        if isinstance(application, QGuiApplication):
            application.applicationStateChanged.connect(self._come_to_front)

    @property
    def news(self) -> FileNews | None:
        """What was told last."""
        return self._news

    def look_soon(self) -> None:
        """Look once things have settled.

        Asked for several times in a row it looks once.
        """
        if self._path is not None:
            self._soon.start()

    def look(self) -> None:
        """Look now, in a thread.

        Without a file it does nothing; while it is saved it looks later. `told` tells.
        """
        path, known = self._path, self._saver.known
        if path is None:
            return
        if self._saver.is_busy:
            self._soon.start()
            return
        if path.exists() and str(path) not in self._system.files():
            self._system.addPath(str(path))  # it is another file since it was replaced
        now_s = self._time_s()
        self._background.run(lambda: _news_of(path, known, self._marks, now_s), partial(self._take, known))

    def _look_again(self) -> None:
        """Now and then: the mark is touched, so that other sessions see that this one lives."""
        self._marks.is_to_be_touched = True
        self.look()

    def close(self) -> None:
        """Look no more, whatever is told yet; the mark is lifted."""
        self._path = None
        self._soon.stop()
        self._again.stop()
        self._document.changed.disconnect(self._follow)
        self._saver.saved.disconnect(self._take_saved)
        self._saver.opened.disconnect(self._take_opened)
        self._background.close()
        self._marks.lift()

    def _follow(self) -> None:
        """The document has another file, or none: watch that one, and lift the mark at the old."""
        path = self._document.path if self._saver.has_file else None
        if path == self._path:
            return
        self._path = path
        if old := (*self._system.files(), *self._system.directories()):
            self._system.removePaths(list(old))
        self._say(None if path is None else FileNews(path))
        if path is None:
            self._soon.stop()
            self._background.run(self._marks.lift, lambda _: None)
            return
        self._system.addPath(str(path.parent))
        self.look_soon()

    def _take_saved(self, path: Path) -> None:
        self._saved_here = path
        self.look_soon()

    def _take_opened(self, _: Path) -> None:
        self._saved_here = None
        self.look_soon()

    def _come_to_front(self, state: Qt.ApplicationState) -> None:
        if state is Qt.ApplicationState.ApplicationActive:
            self.look_soon()

    def _take(self, known: Stamp | None, news: FileNews) -> None:
        """What was seen; looked at again where the file was saved meanwhile. One that is lost makes the
        document unsaved.
        """
        if news.path != self._path or known is not self._saver.known or self._saver.is_busy:
            self.look_soon()  # it was saved or opened while we looked
            return
        is_lost = news.seen is Seen.GONE or (news.seen is Seen.CHANGED and self._saved_here == news.path)
        if is_lost and not self._document.is_modified:
            self._document.mark_unsaved()
        self._say(news)

    def _say(self, news: FileNews | None) -> None:
        """News that are as before are not told."""
        if news != self._news:
            self._news = news
            self.told.emit(news)


class _OwnMark:
    """The mark of this session; touched by one thread at a time."""

    def __init__(self) -> None:
        self._beside: Path | None = None
        self._mark: Mark | None = None
        self.is_to_be_touched = False

    def keep_at(self, path: Path) -> Mark:
        """The mark beside this project, laid where there is none; one beside another is lifted."""
        mark = self._mark
        if mark is None or self._beside != path or not mark.path.exists():
            self.lift()
            mark = self._mark = Mark(path)
            self._beside = path
        if self.is_to_be_touched:  # now and then alone: the system tells of it as of any change
            self.is_to_be_touched = False
            mark.touch()
        return mark

    def lift(self) -> None:
        """The project is not open any more."""
        if self._mark is not None:
            self._mark.lift()
        self._mark = None


def _news_of(path: Path, known: Stamp | None, marks: _OwnMark, now_s: int) -> FileNews:
    """In the thread. A network that is away says nothing of the file, and that is no news."""
    others = sessions_at(path, now_s, {marks.keep_at(path).path})
    try:
        state = Seen.SAME if known is None else seen(path, known)
        written_s = int(path.stat().st_mtime) if state is Seen.CHANGED else None
    except OSError:  # a network that is away says nothing of the file
        return FileNews(path, others=others)
    return FileNews(path, state, written_s, others)
