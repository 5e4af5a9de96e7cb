"""What a project file is known by, and backups of its last states and of versions by others."""

import errno
import hashlib
import os
import shutil
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from enum import Enum
from pathlib import Path
from typing import Any, Final

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.system.output_file import Output
from gpuplanner.lazy_dataclass import dataclass

# --- What a project file is known by: whether the one at a path is still the one that was opened or saved there

CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Stamp:
    """A file as it was. sha256: of its bytes; look: inode, size and time of its last write in ns, for a quick look."""

    sha256: str
    look: tuple[int, int, int]


class Seen(Enum):
    """How a file stands to a stamp: the same bytes (however often they were touched), others, or no file at all."""

    SAME = "same"
    CHANGED = "changed"
    GONE = "gone"


def stamp_of(path: Path) -> Stamp | None:
    """The stamp of a file; None where there is none.

    Errors: OSError, also for a pipe or a device: neither need ever end.
    """
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL), str(path))
        with path.open("rb") as file:
            digest = hashlib.sha256()
            while chunk := file.read(CHUNK):
                digest.update(chunk)
    except FileNotFoundError:
        return None
    look = _look(path)
    return None if look is None else Stamp(digest.hexdigest(), look)


def stamp_if_any(path: Path) -> Stamp | None:
    """The same; None too of what cannot be looked at: whoever opens or replaces it says why."""
    try:
        return stamp_of(path)
    except OSError:
        return None


def seen(path: Path, known: Stamp) -> Seen:
    """Whether the file is still the known one: by a look, and where that differs by its bytes.

    Errors: OSError.

    A look is inode, size and time of change: bytes are hashed only where one of them differs.
    """
    look = _look(path)
    if look is None:
        return Seen.GONE
    if look == known.look:
        return Seen.SAME
    stamp = stamp_of(path)
    if stamp is None:
        return Seen.GONE
    return Seen.SAME if stamp.sha256 == known.sha256 else Seen.CHANGED


def _look(path: Path) -> tuple[int, int, int] | None:
    """Inode, size and time of change; None if there is no such file."""
    try:
        found = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


@dataclass(frozen=True, slots=True)
class Expected:
    """What may be at a path where a project is to be saved. ours: as this session left it there, None: nothing of ours.

    replaced: the stamp of a version of somebody else that the planner said may be replaced.
    is_any_replaced: whatever is there may be replaced, since the planner named the file. It is kept in all cases.
    """

    ours: Stamp | None = None
    replaced: Stamp | None = None
    is_any_replaced: bool = False

    def is_ours(self, stamp: Stamp) -> bool:
        """Whether the file has the bytes that this session left."""
        return self.ours is not None and stamp.sha256 == self.ours.sha256

    def may_go(self, stamp: Stamp) -> bool:
        """Whether the planner said that this version may be replaced."""
        return self.is_any_replaced or (self.replaced is not None and stamp.sha256 == self.replaced.sha256)


class ChangedElsewhereError(PlannerError):
    """Somebody else saved at this path since it was opened or saved here; nothing was written.

    path: the project; there: what lies at the path now.
    """

    def __init__(self, path: Path, there: Stamp) -> None:
        super().__init__(
            str(path),
            "file_unreadable",
            worded("another program saved it after you opened it"),
            worded("save under another name, or replace that version"),
        )
        self.path, self.there = path, there


# --- Backups of a project file: the last states of our own, and for good every version of somebody else that we
# replaced
# Beside `plan.gpuplan`: `plan.backup-1.gpuplan` is what was there before the last save, -2 the one before it and so on.
# `plan.replaced-2026-11-21-0915-1a2b3c4d.gpuplan` is a version that another session, program or person had put there:
# when it was written (UTC), and how its SHA-256 begins. No save moves or removes these.

try:
    import fcntl
except ImportError:  # Windows has no lock of a folder
    fcntl = None  # type: ignore[assignment]

_LONGEST_NAME: Final = 255
"""Bytes of a file's name that every common file system allows."""

WAIT_S: Final = 5.0
"""Another session keeps a folder for as long as it takes to rename some files."""


def keep_present(out: Output, keep: int, expected: Expected | None, new: Stamp | None) -> None:
    """Before its place is taken: what is there becomes backup 1, or is kept for good where it is not ours.

    expected None: whatever is there is an older state of what is saved. new: what takes its place; where it has the
    same bytes there is nothing to keep. Errors: OSError; ChangedElsewhereError where somebody else's version is there
    and nobody said that it may be replaced.
    """
    target, held = out.replaces, out.part.with_name("held")
    if target is None or not _hold(out, target, held):
        return
    stamp = stamp_of(held)
    if stamp is None or (new is not None and stamp.sha256 == new.sha256):
        return
    if expected is None or expected.is_ours(stamp):
        _rotate(target, held, keep)
    elif expected.may_go(stamp):
        os.replace(held, target.with_name(replaced_name(target, stamp)))
    else:
        raise ChangedElsewhereError(target, stamp)


def replaced_name(target: Path, stamp: Stamp) -> str:
    """What somebody else's version is called once it is replaced; the same version has the same name.

    The name holds the minute, UTC, in which it was written, and eight digits of its hash.
    """
    written = time.strftime("%Y-%m-%d-%H%M", time.gmtime(stamp.look[2] // 10**9))
    return _beside(target, f".replaced-{written}-{stamp.sha256[:8]}").name


def free_name(target: Path) -> Path:
    """A name like this one that no file has: plan (2).gpuplan."""
    number = 2
    while (free := _beside(target, f" ({number})")).exists():
        number += 1
    return free


def _hold(out: Output, target: Path, held: Path) -> bool:
    """The same file under another name, so that what is looked at is what is kept; False where there is none."""
    try:
        if out.is_written_over:
            raise NotImplementedError  # a second name of the same bytes would change with them
        os.link(target, held)
    except FileNotFoundError:
        return False
    except (OSError, NotImplementedError):  # a file system without links
        if not target.exists():
            return False
        shutil.copy2(target, held)
    return True


def _rotate(target: Path, held: Path, keep: int) -> None:
    """`held` becomes backup 1, the older ones move up."""
    names = [_beside(target, f".backup-{number}") for number in range(1, keep + 1)]
    if not names or (names[0].exists() and names[0].samefile(held)):  # a save that failed after this step
        return
    for older, newer in zip(reversed(names[1:]), reversed(names[:-1]), strict=True):
        if newer.exists():
            os.replace(newer, older)
    os.replace(held, names[0])


def _beside(target: Path, ending: str) -> Path:
    """The name with an ending before its suffix; of a name too long for that, as much as there is room for."""
    ending, stem = f"{ending}{target.suffix}", target.stem
    if len(os.fsencode(stem + ending)) > _LONGEST_NAME:
        mark = "-" + hashlib.sha256(os.fsencode(stem)).hexdigest()[:8]
        while len(os.fsencode(stem + mark + ending)) > _LONGEST_NAME:
            stem = stem[:-1]
        stem += mark
    return target.with_name(stem + ending)


@contextmanager
def only_one(folder: Path) -> Iterator[None]:
    """No other session replaces a project in this folder meanwhile, as far as the system can tell them apart.

    Where the system or the file system knows no locks, all go on at once; nobody waits for long.
    """
    handle = None
    if fcntl is not None:
        with suppress(OSError):  # some file systems know no locks
            handle = os.open(folder, os.O_RDONLY)
            _wait_for(handle)
    try:
        yield
    finally:
        if handle is not None:
            with suppress(OSError):
                os.close(handle)


def _wait_for(handle: int) -> None:
    """Waits for the lock on the backups, and goes on without it after a while."""
    locks: Any = fcntl
    until = time.monotonic() + WAIT_S
    while True:
        try:
            locks.flock(handle, locks.LOCK_EX | locks.LOCK_NB)
            return
        except BlockingIOError:
            if time.monotonic() > until:  # a session that hangs does not keep others from saving
                return
            time.sleep(0.02)
