"""Saving and opening in a thread, and looking after the file of the open project."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication, QFileSystemWatcher, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication

from gpuplanner.app.background import Background
from gpuplanner.app.document import Document
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.project import Project
from gpuplanner.files.project.project_backups import ChangedElsewhereError, Expected, Seen, Stamp, seen
from gpuplanner.files.project.project_file import open_stamped, save_project
from gpuplanner.files.project.project_parts import PartCache
from gpuplanner.files.project.session_marks import Mark, Session, sessions_at

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
        self,
        path: Path | None = None,
        *,
        keep_backups: int = 3,
        replaced: Stamp | None = None,
        is_any_replaced: bool = False,
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
            work = partial(_save, project, target, keep_backups, self._cache, expected)
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
            what = worded("the project in the window was changed while it was read, so it was not opened")
            self._fail(
                PlannerError(
                    str(path), "usage", what, worded("save or discard the changes, then open it again")
                )
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
            self._waiting = deque(one for one in self._waiting if one[0] != error.path)
            self.changed_elsewhere.emit(error)
        else:
            self.failed.emit(error)
        self._next()


def _save(
    project: Project, target: Path, keep_backups: int, cache: PartCache, expected: Expected
) -> tuple[Stamp, bool]:
    """What the file is known by now, and whether it was gone before."""
    try:
        is_gone = expected.ours is not None and seen(target, expected.ours) is Seen.GONE
    except OSError:  # what is in the way is said by the save
        is_gone = False
    stamp = save_project(project, target, keep_backups=keep_backups, cache=cache, expected=expected)
    return stamp, is_gone


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
