"""Temporary folders of our own: made, given back, swept where their process is gone; only here are they emptied.

Nothing is removed for what it is called: a file goes because it lies in a folder that this very process made, a folder
because this process made it, or because it has our mark and nobody holds its lock any more. The system gives a lock
back when its process ends, however it ends: a process that later has the same number does not have the lock.
"""

import atexit
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePath
from typing import Final

PREFIX: Final = "gpuplanner-work-"
LOCK: Final = ".gpuplanner-lock"

_TRIES: Final = 20
_NO_LINK: Final = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOINHERIT", 0)

_OPEN: Final[dict[Path, "OwnFolder"]] = {}
"""The folders that this process made and has not given back."""


class OwnFolder:
    """A folder that only this user may look into, until `close`. within: where it lies, else with temporary files."""

    def __init__(self, within: Path | None = None) -> None:
        self.path, self._lock = _made(within)
        self._pid = os.getpid()
        _OPEN[self.path] = self

    def close(self) -> None:
        """Remove it with all that is in it; again is nothing, and so it is in a process that was split off.

        What cannot be removed now is swept later.
        """
        if _OPEN.pop(self.path, None) is not None and self._pid == os.getpid():
            if self._lock is not None:
                with suppress(OSError):
                    os.close(self._lock)  # Windows removes no file that is open
            shutil.rmtree(self.path, ignore_errors=True)


@contextmanager
def own_folder(within: Path | None = None) -> Iterator[Path]:
    """A folder of our own that is gone afterwards. Errors: OSError where none can be made."""
    folder = OwnFolder(within)
    try:
        yield folder.path
    finally:
        folder.close()


def discard(at: Path) -> None:
    """Remove a file that lies in a folder of our own; any other is left as it is."""
    if lies_in(at, _OPEN):
        at.unlink(missing_ok=True)


def lies_in(at: PurePath, folders: Collection[PurePath]) -> bool:
    """Whether a file is one of those right in these folders, by its path as it is written.

    >>> from pathlib import PureWindowsPath
    >>> lies_in(PureWindowsPath("C:/tmp/own/part_0"), [PureWindowsPath("C:\\\\tmp\\\\own")])
    True
    """
    return at.name not in ("", "..") and at.parent in folders


def sweep_at_start(*places: Path) -> None:
    """`sweep` with temporary files too: once a process, for other programs may keep thousands there."""
    sweep(*places, Path(tempfile.gettempdir()))


def sweep(*places: Path) -> None:
    """Remove folders of our own that killed processes left there.

    Never those of others, of another user, or of a process that runs.
    """
    for place in places:
        with suppress(OSError), os.scandir(place) as found:
            for one in found:
                if one.name.startswith(PREFIX) and _is_of_this_user(one):
                    with suppress(OSError):  # has no mark, or is held
                        _remove_left_behind(Path(one.path))


def _made(within: Path | None) -> tuple[Path, int | None]:
    """A new folder and its lock, which is None where the file system has no locks: then nobody ever sweeps it."""
    for _ in range(_TRIES):
        path = Path(tempfile.mkdtemp(prefix=PREFIX, dir=within)).absolute()
        try:
            is_marked, lock = _marked(path)
        except BaseException:  # without a lock nobody would ever sweep it
            shutil.rmtree(path, ignore_errors=True)
            raise
        if is_marked:
            return path, lock
    raise OSError(f"no temporary folder can be made in {within or tempfile.gettempdir()}")


def _marked(path: Path) -> tuple[bool, int | None]:
    """Whether a new folder has our mark, and its lock; not where a sweep was quicker than we were."""
    try:
        lock = os.open(path / LOCK, os.O_CREAT | os.O_EXCL | os.O_RDWR | _NO_LINK, 0o600)
    except FileNotFoundError:
        return False, None
    try:
        _take(lock)
    except BlockingIOError:
        os.close(lock)
        return False, None
    except OSError:
        os.close(lock)
        with suppress(OSError):
            (path / LOCK).unlink()
        return True, None
    if (path / LOCK).exists():
        return True, lock
    os.close(lock)
    return False, None


def _is_of_this_user(entry: "os.DirEntry[str]") -> bool:
    """Whether it is a folder, no link to one, that belongs to whoever asks and that nobody else may write to."""
    try:
        found = entry.stat(follow_symlinks=False)
    except OSError:
        return False
    if not stat.S_ISDIR(found.st_mode):
        return False
    return sys.platform == "win32" or (found.st_uid == os.geteuid() and not found.st_mode & 0o077)


def _remove_left_behind(folder: Path) -> None:
    """Remove it where it has our mark and no process holds it; whoever is just making it finds it taken, or gone.

    Held while it is emptied: let go before, its maker could take it in between and would lose it.
    """
    lock = os.open(folder / LOCK, os.O_RDWR | _NO_LINK)
    try:
        _take(lock)
        shutil.rmtree(folder, ignore_errors=True)
    finally:
        os.close(lock)
    if sys.platform == "win32":  # which removes no file that is open: neither ours nor its maker's
        shutil.rmtree(folder, ignore_errors=True)


def _take(lock: int) -> None:
    """Hold a lock until it is closed. Errors: BlockingIOError where another process has it; OSError."""
    if sys.platform == "win32":
        import msvcrt

        try:
            msvcrt.locking(lock, msvcrt.LK_NBLCK, 1)
        except PermissionError as taken:
            raise BlockingIOError(*taken.args) from taken
    else:
        import fcntl

        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)


@atexit.register
def _give_all_back() -> None:
    """Empties all folders still open when the process ends."""
    for folder in tuple(_OPEN.values()):
        folder.close()
