"""Watch of the open project's file: whether it is still ours, and who else has it open."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication, QFileSystemWatcher, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication

from gpuplanner.app.background import Background
from gpuplanner.app.document import Document
from gpuplanner.app.saving import Saver
from gpuplanner.files.project.project_backups import Seen, Stamp, seen
from gpuplanner.files.project.session_marks import Mark, Session, sessions_at
from gpuplanner.lazy_dataclass import dataclass

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
