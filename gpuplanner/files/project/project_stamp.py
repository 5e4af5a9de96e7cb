"""What a project file is known by: whether the one at a path is still the one that was opened or saved there."""

import errno
import hashlib
import os
import stat
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError

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
    there = stamp_of(path)
    if there is None:
        return Seen.GONE
    return Seen.SAME if there.sha256 == known.sha256 else Seen.CHANGED


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

    def is_ours(self, there: Stamp) -> bool:
        """Whether the file has the bytes that this session left."""
        return self.ours is not None and there.sha256 == self.ours.sha256

    def may_go(self, there: Stamp) -> bool:
        """Whether the planner said that this version may be replaced."""
        return self.is_any_replaced or (self.replaced is not None and there.sha256 == self.replaced.sha256)


class ChangedElsewhereError(PlannerError):
    """Somebody else saved at this path since it was opened or saved here; nothing was written.

    path: the project; there: what lies at the path now.
    """

    def __init__(self, path: Path, there: Stamp) -> None:
        super().__init__(
            str(path),
            "file_unreadable",
            worded("it was saved elsewhere since it was opened here"),
            worded("save under another name, or say that the other version may be replaced"),
        )
        self.path, self.there = path, there
