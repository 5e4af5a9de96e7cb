"""Which windows have a project open: each lays a mark beside it, and holds it locked for as long as it lives.

Beside `plan.gpuplan` that is `.plan.gpuplan.<random>.open`, a little JSON: host, process, user. A session only ever
writes and removes its own. A mark that nobody holds any more was left by a crash: on this computer the lock tells,
whatever process has its number by now; of another computer nothing can be asked, and its mark counts while it is fresh.
"""

import getpass
import json
import os
import re
import secrets
import socket
import stat
import time
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.lazy_re import lazy_re

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

SUFFIX: Final = ".open"
FRESH_S: Final = 24 * 3600
"""A session touches its mark far more often."""
LARGEST: Final = 4096
LOCK_AT: Final = 1 << 20
"""Windows locks bytes, and nobody reads a locked one: this one is far behind the last."""


@dataclass(frozen=True, slots=True)
class Session:
    """Somebody who has a project open. since_s: epoch seconds; is_here: on this computer."""

    host: str
    user: str
    since_s: int
    is_here: bool


class Mark:
    """The mark of this session beside one project; where none can be laid, as in a read-only folder, there is none."""

    def __init__(self, project: Path) -> None:
        target = Path(os.path.realpath(project))
        self.path = target.with_name(f".{target.name}.{secrets.token_hex(8)}{SUFFIX}")
        self.handle: int | None = None
        with suppress(OSError):
            handle = os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o644)
            self.handle = handle
            _hold(handle)
            since_s = int(os.fstat(handle).st_mtime)
            said = {"host": _host(), "pid": os.getpid(), "user": _user(), "since_s": since_s}
            os.write(handle, json.dumps(said).encode())

    def touch(self) -> None:
        """Say to other computers that the session lives."""
        with suppress(OSError):
            os.utime(self.path)

    def lift(self) -> None:
        """The project is closed, or another one is open."""
        handle, self.handle = self.handle, None
        if handle is None:
            return
        with suppress(OSError):
            if os.name != "nt":  # removed while it is locked, so that nobody takes it for one of a crash
                self.path.unlink(missing_ok=True)
        with suppress(OSError):
            os.close(handle)
        with suppress(OSError):
            self.path.unlink(missing_ok=True)


def sessions_at(project: Path, now_s: int, own: Collection[Path] = ()) -> tuple[Session, ...]:
    """Who else has a project open, longest first. own: marks of this session. What a crash left here is swept.

    Errors: none; a folder that cannot be read says of nobody.
    """
    target = Path(os.path.realpath(project))
    is_mark = lazy_re(rf"\.{re.escape(target.name)}\.[0-9a-f]+{re.escape(SUFFIX)}")
    sessions: list[Session | None] = []
    with suppress(OSError):
        paths = [path for path in target.parent.iterdir() if is_mark.fullmatch(path.name)]
        sessions = [_session(path, now_s) for path in paths if path not in own]
    return tuple(sorted(filter(None, sessions), key=lambda session: session.since_s))


def _session(path: Path, now_s: int) -> Session | None:
    """Who holds a mark; None where nobody does any more, or it is no mark of ours."""
    try:
        if not stat.S_ISREG(path.lstat().st_mode):
            return None
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0))
    except OSError:
        return None
    try:
        touched_s = os.fstat(handle).st_mtime
        said = _read_mark(os.read(handle, LARGEST))
        if said is None:
            return None
        host, pid, user, since_s = said
        if host != _host():
            return Session(host, user, since_s, is_here=False) if now_s - touched_s < FRESH_S else None
        if _is_held(handle, pid):
            return Session(host, user, since_s, is_here=True)
        if _is_no_process(pid):
            with suppress(OSError):
                path.unlink()
        return None
    except OSError:
        return None
    finally:
        os.close(handle)


def _read_mark(content: bytes) -> tuple[str, int, str, int] | None:
    """Host, process, user and begin of a window from its mark; None where it is not whole."""
    try:
        said: Any = json.loads(content)
        host, pid, user, since_s = (said[name] for name in ("host", "pid", "user", "since_s"))
    except (ValueError, TypeError, LookupError, RecursionError):
        return None
    are_texts = isinstance(host, str) and isinstance(user, str)
    return (host, pid, user, since_s) if are_texts and type(pid) is type(since_s) is int else None


def _hold(handle: int) -> None:
    """Lock our own mark; the system lets go of it when we end, in whatever way. Errors: OSError."""
    for _ in range(3):  # who looks at it has it for a moment
        if not _is_locked(handle, "LOCK_EX"):
            return
        time.sleep(0.01)


def _is_held(handle: int, pid: int) -> bool:
    """Whether the session of a mark lives; where the file system knows no locks, whether its process does."""
    try:
        return _is_locked(handle, "LOCK_SH")
    except OSError:
        return not _is_no_process(pid)


def _is_locked(handle: int, how: str) -> bool:
    """Whether somebody else has an open file locked; if not, we have now. Errors: OSError where nothing can be said."""
    if fcntl is not None:
        locks: Any = fcntl
        try:
            locks.flock(handle, getattr(locks, how) | locks.LOCK_NB)
        except BlockingIOError:
            return True
        return False
    import msvcrt

    windows: Any = msvcrt
    os.lseek(handle, LOCK_AT, os.SEEK_SET)
    try:
        windows.locking(handle, windows.LK_NBLCK, 1)
    except PermissionError:
        return True
    return False


def _is_no_process(pid: int) -> bool:
    """Whether no process of this machine has the number; false where that cannot be told."""
    if os.name == "nt":  # a signal of 0 would end it; the lock has said enough
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):
        return False
    return False


def _host() -> str:
    """This machine's name: a process number means nothing on another."""
    return socket.gethostname()


def _user() -> str:
    """The user's name, empty where the system knows none."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return ""
