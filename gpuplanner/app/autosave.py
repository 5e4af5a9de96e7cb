"""The journal: unsaved work is on the disk at most a second later, and is found again after a crash.

Each open document has one file `<id>.recovery` in the user's data folder, a project file that is brought up to date
part by part, and a lock beside it that says whether its window is still open.
"""

import sqlite3
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QLockFile, QObject, QTimer, QUuid, Signal

from gpuplanner.app.background import Background
from gpuplanner.app.document import Document, newest_step
from gpuplanner.domain.message import Message, Text, worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.project import Project
from gpuplanner.files.project.project_file import open_project, read_about, roll_back, write_parts
from gpuplanner.files.project.project_parts import PartCache, parts_of
from gpuplanner.files.project.value_tables import words_from_text, words_text
from gpuplanner.files.system.resources import long_text
from gpuplanner.files.system.user_files import data_folder, private_folder
from gpuplanner.lazy_dataclass import dataclass

DELAY_MS: Final = 500
"""Half of the second that may be lost; the other half is for writing."""

SUFFIX: Final = ".recovery"


def recovery_folder() -> Path:
    """Where the journals of this user are."""
    return data_folder() / "recovery"


class Autosave(QObject):
    """Keeps the journal of one document while it is modified; there is none while it is not."""

    failed = Signal(object)  # Exception: told once, until a later write succeeds

    def __init__(self, document: Document, folder: Path | None = None, parent: QObject | None = None) -> None:
        """folder: where journals are, that of the user by default; each document has a file of its own there."""
        super().__init__(parent)
        self._document = document
        folder = recovery_folder() if folder is None else folder
        name = QUuid.createUuid().toString(QUuid.StringFormat.WithoutBraces)
        self._path = folder / f"{name}{SUFFIX}"
        self.file_lock = QLockFile(str(_lock_of(self._path)))
        self.file_lock.setStaleLockTime(0)  # a window may be open for days; a crash is seen by its process
        self._cache = PartCache()  # touched only by the thread
        self._is_failing = self._is_written = False
        self._background = Background(self._fail, parent=self)
        self._timer = QTimer(self, singleShot=True, interval=DELAY_MS)
        self._timer.timeout.connect(self._write)
        document.changed.connect(self._note)

    @property
    def path(self) -> Path:
        """The journal."""
        return self._path

    def write_now(self) -> bool:
        """Bring the journal up to date and wait for it; whether it now holds what no file holds.

        False where nothing had to be kept, and where it could not be written.
        """
        self._timer.stop()
        if not self._document.is_modified:
            self._background.wait()
            return False
        self._is_written = False
        self._write()
        self._background.wait()
        return self._is_written

    def close(self) -> None:
        """The document is closed in good order: wait for the thread, leave no journal.

        Call it once; later changes are not followed.
        """
        self._timer.stop()
        self._document.changed.disconnect(self._note)
        self._background.close()
        with suppress(OSError):
            _remove(self._path)
        self.file_lock.unlock()

    def keep(self) -> None:
        """The window is ended from outside, where nobody can be asked: what no file holds stays for recovery.

        As `close` where the document is saved.
        """
        self.write_now()
        if not self._document.is_modified:
            self.close()
            return
        self._document.changed.disconnect(self._note)
        self._background.close()
        self.file_lock.unlock()

    def _note(self) -> None:
        """The project changed: a write is due, or where it is saved again there is nothing to keep."""
        if not self._document.is_modified:
            self._timer.stop()
            self._background.run(partial(_remove, self._path), self._succeed)
        elif not self._timer.isActive():  # not started again: a planner who never stops is saved too
            self._timer.start()

    def _write(self) -> None:
        """The project as it is now, with what a recovery says of it, in the thread."""
        path = self._document.path
        said = {
            "recovery_of": "" if path is None else str(path),
            "recovery_name": self._document.name,
            "recovery_step": words_text(newest_step(self._document.undo_stack)),
        }
        work = partial(
            _write_journal, self._document.project_to_save(), self._path, said, self.file_lock, self._cache
        )
        self._background.run(work, self._succeed)

    def _succeed(self, _: None) -> None:
        self._is_failing, self._is_written = False, True

    def _fail(self, error: Exception) -> None:
        """Told once; the planner is not asked again with every change."""
        if not self._is_failing:
            self._is_failing = True
            self.failed.emit(error)


def _write_journal(
    project: Project, path: Path, said: Mapping[str, str], lock: QLockFile, cache: PartCache
) -> None:
    """The lock is tried again each time, for a folder may come to be there later. Errors: PlannerError
    file_unreadable.
    """
    try:
        private_folder(path.parent)
        path.touch(0o600)  # what SQLite puts beside it is as the file
        if not lock.isLocked():
            lock.tryLock(0)
        write_parts(path, parts_of(project, cache), said)
    except (OSError, sqlite3.Error) as error:
        lost = worded("unsaved work cannot be kept ({error})", error=str(error))
        raise PlannerError(str(path), "file_unreadable", lost, worded("free space, then save")) from error


def _remove(path: Path) -> None:
    """The journal, and what SQLite left beside one that was being written."""
    path.unlink(missing_ok=True)
    Path(f"{path}-journal").unlink(missing_ok=True)


def _lock_of(path: Path) -> Path:
    """The lock says whether the window of a journal is still open."""
    return path.with_suffix(".lock")


# ---------------------------------------------------------------- after a crash


@dataclass(frozen=True, slots=True, kw_only=True)
class Recovery:
    """What a window that did not close in good order left. last_step: the words of Undo; modified_s: epoch seconds."""

    path: Path
    original: Path | None
    name: Text
    last_step: Message
    modified_s: float

    @property
    def sentence(self) -> Message:
        """What was recovered, for the planner."""
        name = self.name
        if self.last_step:
            name = worded("{name}, up to “{step}”", name=name, step=self.last_step)
        source = worded("The file {file} is as last saved.", file=str(self.original)) if self.original else ""
        return long_text("recovered", name=name, source=source)


def recoveries(folder: Path | None = None) -> tuple[Recovery, ...]:
    """What can be recovered, newest first: journals whose window is gone, and that can be read.

    folder: that of the user by default. Journals of windows that are open, and damaged ones, are left where
    they are.
    """
    folder = recovery_folder() if folder is None else folder
    found = [_recovery(path) for path in folder.glob(f"*{SUFFIX}") if _is_orphan(path)]
    return tuple(sorted((each for each in found if each is not None), key=lambda each: -each.modified_s))


def recover_into(document: Document, autosave: Autosave, recovery: Recovery) -> Message:
    """Load a recovered project as untitled, and say what it is. Its old journal goes once the new one is written.

    Errors: PlannerError where it cannot be opened; it is then left where it is.
    """
    document.load(open_project(recovery.path), is_saved=False)
    if autosave.write_now():  # a file that is merely there may be what a full disk left of it
        discard(recovery)
    return recovery.sentence


def discard(recovery: Recovery) -> None:
    """Forget what could be recovered.

    One that cannot be removed is offered again next time.
    """
    with suppress(OSError):
        _remove(recovery.path)


def _is_orphan(path: Path) -> bool:
    """Whether no window has the journal's lock. Taking it and letting go of it is the only way to know."""
    lock = QLockFile(str(_lock_of(path)))
    lock.setStaleLockTime(0)
    is_free = lock.tryLock(0)
    lock.unlock()
    return is_free


def _recovery(path: Path) -> Recovery | None:
    """What a journal says of itself, a write that was cut short undone; None where it cannot be read."""
    try:
        roll_back(path)
        said, modified_s = read_about(path), path.stat().st_mtime
    except (OSError, sqlite3.Error, PlannerError):
        return None
    original = said.get("recovery_of")
    return Recovery(
        path=path,
        original=Path(original) if original else None,
        name=said.get("recovery_name") or worded("an untitled project"),
        last_step=words_from_text(said.get("recovery_step", "")),
        modified_s=modified_s,
    )
