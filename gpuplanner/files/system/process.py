"""The process: memory limit, termination from outside, terminal output, and the user's data folder."""

import csv
import ctypes
import errno
import gc
import os
import signal
import sys
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import Final, TextIO

from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.system.output_file import unreadable

# --- Memory limit of the process, the minimum, and detection of errors from missing memory --------

ENGINE_MB: Final = 800
"""Memory of the embedded engine before it uses the disk."""

_NEEDED_MB: Final = 900  # address space, not only memory: programs and libraries take 600
_ENGINE_MB_AT_LEAST: Final = 200
_MB: Final = 10**6
_SIGNS: Final = (
    "cannot allocate memory",
    "failed to map segment",
    "bad_alloc",
    "bad allocation",
    "could not allocate",
    "allocation failure",
    "can't start new thread",
    "out of memory",
)
_SIGNS_OF_DISK: Final = (
    "max_temp_directory_size",
    "no space left",
    "disk quota",
    "not enough space on the disk",
)


def limit_mb() -> int | None:
    """Return the limit on the address space in millions of bytes; None without one."""
    if sys.platform == "win32":
        return None
    import resource

    soft = [resource.getrlimit(kind)[0] for kind in (resource.RLIMIT_AS, resource.RLIMIT_DATA)]
    limits = [one for one in soft if one != resource.RLIM_INFINITY and one >= 0]
    return min(limits) // _MB if limits else None


_POOLS_OF_MEMORY: Final = -8
"""M_ARENA_MAX of glibc's malloc.h."""


def share_memory() -> None:
    """Let all threads take memory from two pools of the C library, where it has so many; before they start.

    By default each thread has its own, and what one frees no other uses: 50 MB once 5,000 workloads are shown.
    """
    with suppress(OSError, AttributeError):
        ctypes.CDLL("libc.so.6").mallopt(_POOLS_OF_MEMORY, 2)


def give_memory_back() -> None:
    """Return freed memory from the C library to the system, if it can; takes milliseconds.

    With many threads glibc keeps much of it: after a quarter of an hour a window had grown by 350 MB, of which 100 MB
    were free.
    """
    with suppress(OSError, AttributeError):
        ctypes.CDLL("libc.so.6").malloc_trim(0)


OBJECTS_BETWEEN_COLLECTIONS: Final = 250_000
"""With the 700 of Python, work that makes many objects spends a fifth of its time on cycles that it has not.
The modules of the window make 210,000, and to look these through while they come takes a tenth of the start."""


@contextmanager
def few_collections() -> Iterator[None]:
    """Collect cycles rarely within this context; also a decorator. The threshold is of the whole process."""
    often, *rarely = gc.get_threshold()
    gc.set_threshold(max(often, OBJECTS_BETWEEN_COLLECTIONS), *rarely)
    try:
        yield
    finally:
        gc.set_threshold(often, *rarely)


def check_room() -> None:
    """Check the memory limit before libraries are loaded, because some end the process.

    Also limits the threads of numeric libraries. Errors: PlannerError file_unreadable for too little memory.
    """
    limit = limit_mb()
    if limit is None:
        return
    if limit < _NEEDED_MB:
        raise PlannerError(
            "gpuplanner",
            "file_unreadable",
            worded("the memory limit of {limit} MB is too low", limit=whole(limit)),
            worded(
                "allow {needed} MB or more, such as ulimit -v {kib}",
                needed=whole(2 * _NEEDED_MB),
                kib=str(2 * _NEEDED_MB * 1000),
            ),
        )
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):  # each thread takes address space, used or not
        os.environ.setdefault(name, "1")


def engine_mb() -> int:
    """Return the engine's share of `limit_mb`, in millions of bytes."""
    limit = limit_mb()
    return ENGINE_MB if limit is None else min(ENGINE_MB, max(_ENGINE_MB_AT_LEAST, limit - _NEEDED_MB))


def is_want_of_disk(error: BaseException) -> bool:
    """Return whether an error of the engine or the system means a full disk."""
    text = str(error).lower()
    full = isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)
    return full or any(sign in text for sign in _SIGNS_OF_DISK)


def is_want_of_memory(error: BaseException) -> bool:
    """Return whether an error, or its cause, means missing memory, in the words of any library."""
    if is_want_of_disk(error):
        return False
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, MemoryError) or (isinstance(seen, OSError) and seen.errno == errno.ENOMEM):
            return True
        if any(sign in str(seen).lower() for sign in _SIGNS) and not isinstance(seen, PlannerError):
            return True
        seen = seen.__cause__ or seen.__context__
    return False


def want_of_memory(where: str = "gpuplanner") -> PlannerError:
    """Return the error for missing memory."""
    return unreadable(
        where,
        worded("not enough memory"),
        worded("close other programs, allow more memory, or choose fewer --days"),
    )


# --- Termination from outside, such as Ctrl-C: raised at once, and remembered in case a library swallows it

_asked: list[int] = []
_held: list[bool] = []


def take_signals() -> None:
    """Handle termination signals as Ctrl-C, so that unfinished work removes its files.

    SIGTERM, SIGHUP and SIGINT, where they exist; handlers set by others stay.
    """
    for name in ("SIGTERM", "SIGHUP", "SIGINT"):  # Windows has no others; SIGHUP: the terminal was closed
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
            signal.signal(number, _stop)


def only_remember() -> None:
    """Remember signals without raising, because Qt may lose an exception, or end the process, while it starts."""
    _held.append(True)


def is_end_asked() -> bool:
    """Return whether a termination signal came, even if its KeyboardInterrupt was lost."""
    return bool(_asked)


def _stop(number: int, frame: FrameType | None) -> None:
    """Remember a signal, and raise KeyboardInterrupt unless that is suppressed."""
    _asked.append(number)
    if not _held:
        raise KeyboardInterrupt


# --- Terminal output: file names and log entries can neither break a line nor control the screen --
# All output goes through `say`, which cleans it; names are passed through `one_line` before they are joined to a line.

_UNSEEN: Final = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))
_JOINERS: Final = frozenset("\u200c\u200d")  # part of words and emoji
LINE_AT_MOST: Final = 600
_HEAD: Final = 360


def one_line(message: Text) -> str:
    """Return a text with line ends as spaces and invisible characters spelled out.

    >>> one_line("a\\nb\\x1b[2J")
    'a b\\\\x1b[2J'
    """
    text = str(message)
    if text.isascii() and text.isprintable():
        return text
    return "".join(_seen(letter) for letter in " ".join(text.splitlines()))


def error_line(text: Text) -> str:
    """Return an error as one line; a long one is cut in the middle, so that place and remedy stay."""
    line = one_line(text)
    return line if len(line) <= LINE_AT_MOST else f"{line[:_HEAD]} … {line[_HEAD - LINE_AT_MOST :]}"


def cut(text: Text, width: int) -> str:
    """Return one line of at most `width` characters."""
    line = one_line(text)
    return line if len(line) <= width else line[: width - 1] + "…"


def say(text: str, stream: TextIO | None) -> None:
    """Print lines and flush; control characters, and characters outside the stream's encoding, are spelled out.

    stream: None: no output.
    """
    if stream is None:
        return
    text = "\n".join(map(one_line, text.split("\n")))
    encoding = stream.encoding or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:  # the sign of a number must survive on plain terminals
        text = text.replace("\u2212", "-").encode(encoding, "backslashreplace").decode(encoding)
    stream.write(text + "\n")
    stream.flush()


def keep_stream_numbers() -> None:
    """Give the numbers of closed standard streams to nothing: what a library says there would go into the next file."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)


def say_again(text: str, stream: TextIO) -> None:
    """Replace the last printed line; an empty text leaves an empty line."""
    stream.write(f"\r\x1b[2K{one_line(text)}")
    stream.flush()


def _seen(letter: str) -> str:
    """Return a visible form of a character."""
    if unicodedata.category(letter) not in _UNSEEN or letter in _JOINERS:
        return letter
    return " " if letter == "\t" else letter.encode("unicode_escape", "surrogatepass").decode("ascii")


# --- The user's files: job rows, the key of pseudonyms, the demo ----------------------------------

ROWS: Final = "rows"
"""Subfolder with job rows."""


def data_folder() -> Path:
    """Return the user's data folder, which may not exist yet."""
    import platformdirs

    return Path(platformdirs.user_data_dir("gpuplanner", appauthor=False))


def private_folder(folder: Path) -> Path:
    """Create a folder, and the data folder around it, that only this user may read. Errors: OSError."""
    data = data_folder()
    for one in (data, folder) if data in folder.parents else (folder,):
        one.mkdir(mode=0o700, parents=True, exist_ok=True)
        with suppress(OSError):  # owned by someone else, or a file system without permissions
            one.chmod(0o700)
    return folder


def resource_path(name: str) -> Path:
    """Return the path of a shipped file: in the package once installed, otherwise in the source tree."""
    package = Path(__file__).parents[2]
    installed = package / "resources" / name
    return installed if installed.exists() else package.parent / "resources" / name


def rows_of(name: str) -> list[dict[str, str]]:
    """Return the rows of a shipped table; empty if it is not shipped."""
    path = resource_path(name)
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))
