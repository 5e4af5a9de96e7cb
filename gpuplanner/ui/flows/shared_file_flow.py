"""A project file that others may write too: says what is so of it, and asks before anything of theirs is replaced."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from gpuplanner.app.background import Background
from gpuplanner.app.file_watch import FileWatch
from gpuplanner.app.saving import Saver
from gpuplanner.app.what_differs import differences
from gpuplanner.files.project.project_backups import free_name, replaced_name
from gpuplanner.files.project.project_file import open_project
from gpuplanner.files.project.project_stamp import ChangedElsewhereError
from gpuplanner.ui.frame.changed_dialog import KEEP_BOTH, REPLACE, ChangedDialog
from gpuplanner.ui.frame.file_notice_bar import FileNoticeBar
from gpuplanner.ui.session.session import Session
from gpuplanner.ui.words.file_words import FileNotice, notice_of
from gpuplanner.ui.words.translation import tr


class SharedFileFlow(QObject):
    """Told the session, who saves, the bar that it speaks in, and who opens a file."""

    not_saved = Signal()  # the planner was asked, and thought better of saving

    def __init__(
        self, session: Session, saver: Saver, bar: FileNoticeBar, open_path: Callable[[Path], None]
    ) -> None:
        super().__init__(session.window)
        self._session, self._document, self._bar = session, session.document, bar
        self._saver, self._open = saver, open_path
        self._said: FileNotice | None = None
        self.watch = FileWatch(session.document, saver, session.time_s, self)
        self._reading = Background(self._fail_to_look, parent=self)
        self._dialog: ChangedDialog | None = None
        bar.open_asked.connect(self._open_theirs)
        bar.save_asked.connect(session.asks.save_asked)
        self.watch.told.connect(lambda _: self._show())
        session.document.changed.connect(lambda _: self._show())
        saver.changed_elsewhere.connect(self._ask_soon)
        saver.saved_anew.connect(self._say_anew)

    def close(self) -> None:
        """The window is about to go."""
        self._reading.close()
        self.watch.close()

    def _show(self) -> None:
        """Shows what is so of the file now, else what was said of it last."""
        news = self.watch.news
        if self._said is not None and (news is None or news.path != self._document.path):
            self._said = None
        notice = notice_of(news, is_modified=self._document.is_modified)
        self._bar.show_notice(notice or self._said)

    def _open_theirs(self) -> None:
        """Opens the file as the others saved it."""
        if self._document.path is not None:
            self._open(self._document.path)

    def _say_anew(self, path: Path) -> None:
        """Says that a file that was gone has been written again."""
        self._said = FileNotice(
            tr("{name} was gone and is there again", name=path.name),
            tr("It had been moved, renamed or deleted. What is shown here was saved anew."),
        )
        self._show()

    def _ask_soon(self, error: ChangedElsewhereError) -> None:
        """Asks after the event at hand: a dialog must not stand inside a signal of the saver."""
        QTimer.singleShot(0, self, lambda: self._ask(error))  # not inside what the thread has just told

    def _ask(self, error: ChangedElsewhereError) -> None:
        """Asks whether to keep both, replace theirs or save nothing.

        Looking at the differences reads theirs in a thread.
        """
        path, there = error.path, error.there
        copy = free_name(path)
        dialog = ChangedDialog(
            path, there.look[2] // 10**9, copy.name, replaced_name(path, there), self._session.window
        )
        self._dialog = dialog
        ours = self._document.project
        dialog.look_asked.connect(
            lambda: self._reading.run(lambda: differences(ours, open_project(path)), self._show_differences)
        )
        dialog.exec()
        self._dialog = None
        self._reading.cancel()
        answer = dialog.answer
        dialog.deleteLater()
        if answer == KEEP_BOTH:
            self._saver.save(copy)
        elif answer == REPLACE:
            self._saver.save(path, replaced=there)
        else:
            self.watch.look_soon()
            self.not_saved.emit()

    def _show_differences(self, found: Any) -> None:
        """Shows what differs, if the question is still open."""
        if self._dialog is not None:
            self._dialog.show_differences(found)

    def _fail_to_look(self, error: Exception) -> None:
        """Says why theirs cannot be read, if the question is still open."""
        if self._dialog is not None:
            self._dialog.show_problem(error)
