"""Saving and opening in a thread: the document is marked saved only when its file is whole on the disk."""

from collections import deque
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from gpuplanner.app.background import Background
from gpuplanner.app.document import Document
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.project import Project
from gpuplanner.files.project.project_backups import ChangedElsewhereError, Expected, Seen, Stamp, seen
from gpuplanner.files.project.project_file import open_stamped, save_project
from gpuplanner.files.project.project_parts import PartCache


class Saver(QObject):
    """Saves a document's project and opens others into it, one after the other, in the order they were asked for."""

    saved = Signal(object)  # Path
    opened = Signal(object)  # Path
    failed = Signal(object)  # Exception
    saved_anew = Signal(object)  # Path: its file was gone, and is there again
    changed_elsewhere = Signal(object)  # ChangedElsewhereError: a save that waits for what the planner says

    def __init__(
        self, document: Document, parent: QObject | None = None, *, rows_dir: Path | None = None
    ) -> None:
        """One document, one queue: what is asked for is done in that order.

        rows_dir: where imports keep job rows, which go into the file and come out of it.
        """
        super().__init__(parent)
        self._document, self._rows_dir = document, rows_dir
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
        numbered = self._document.project_to_save()

        def start() -> None:
            ours = self._known[1] if self._known is not None and self._known[0] == target else None
            expected = Expected(ours, replaced, is_any_replaced)
            work = partial(_save, numbered, target, self._cache, expected, self._rows_dir)
            self._background.run(work, lambda saved: self._take_saved(project, target, loads, *saved))

        self._soon(start, target)

    def open(self, path: Path) -> None:
        """Open a file into the document; where that fails, or it was edited meanwhile, it stays as it is.

        What was asked for before is done first. `opened` or `failed` tells.
        """
        before = self._document.project
        work = partial(open_stamped, path, cache=self._cache, rows_dir=self._rows_dir)
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


def _save(
    project: Project, target: Path, cache: PartCache, expected: Expected, rows_dir: Path | None
) -> tuple[Stamp, bool]:
    """What the file is known by now, and whether it was gone before."""
    try:
        is_gone = expected.ours is not None and seen(target, expected.ours) is Seen.GONE
    except OSError:  # what is in the way is said by the save
        is_gone = False
    return save_project(project, target, cache=cache, expected=expected, rows_dir=rows_dir), is_gone
