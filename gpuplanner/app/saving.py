"""Saving and opening in a thread: the document is marked saved only when its file is whole on the disk."""

from collections import deque
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from gpuplanner.app.background import Background
from gpuplanner.app.document import Document
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.worded import worded
from gpuplanner.files.project_file import open_project, save_project
from gpuplanner.files.project_parts import PartCache


class Saver(QObject):
    """Saves a document's project and opens others into it, one after the other, in the order they were asked for."""

    saved = Signal(object)  # Path
    opened = Signal(object)  # Path
    failed = Signal(object)  # Exception

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._cache = PartCache()  # touched only by the thread
        self._waiting: deque[Callable[[], None]] = deque()
        self._background = Background(self._fail, parent=self)

    @property
    def is_busy(self) -> bool:
        """Whether something is still to be saved or opened."""
        return self._background.is_busy or bool(self._waiting)

    def save(self, path: Path | None = None, *, keep_backups: int = 3) -> None:
        """Save the project as it is now, to its own file or to another. Errors: ValueError for an untitled one."""
        target = path or self._document.path
        if target is None:
            raise ValueError("save: the document has no file yet; give a path")
        project, loads = self._document.project, self._document.loads
        work = partial(save_project, project, target, keep_backups=keep_backups, cache=self._cache)
        self._soon(lambda: self._background.run(work, lambda _: self._take_saved(project, target, loads)))

    def open(self, path: Path) -> None:
        """Open a file into the document; where that fails, or it was edited meanwhile, it stays as it is."""
        before = self._document.project
        work = partial(open_project, path, cache=self._cache)
        self._soon(lambda: self._background.run(work, partial(self._take_opened, path, before)))

    def close(self) -> None:
        """Wait until everything that was asked for is on the disk; nobody is told any more."""
        while self.is_busy:
            self._background.wait()

    def _soon(self, start: Callable[[], None]) -> None:
        self._waiting.append(start)
        self._next()

    def _next(self) -> None:
        if self._waiting and not self._background.is_busy:
            self._waiting.popleft()()

    def _take_saved(self, project: Project, path: Path, loads: int) -> None:
        if loads == self._document.loads:  # else another project is in the window, and it is not in that file
            self._document.mark_saved(project, path)
        self.saved.emit(path)
        self._next()

    def _take_opened(self, path: Path, before: Project, project: Project) -> None:
        if self._document.is_modified and self._document.project is not before:
            what = worded("the project in the window was changed while it was read, so it was not opened")
            self._fail(
                PlannerError(
                    str(path), "usage", what, worded("save or discard the changes, then open it again")
                )
            )
            return
        self._document.load(project, path)
        self.opened.emit(path)
        self._next()

    def _fail(self, error: Exception) -> None:
        self.failed.emit(error)
        self._next()
