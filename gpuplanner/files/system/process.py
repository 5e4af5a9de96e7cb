"""The process: its room in memory, its end from outside, its terminal, and its user's own folder."""

import csv
import ctypes
import errno
import os
import signal
import sys
import unicodedata
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Final, TextIO

from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.system.output_file import unreadable

# --- How much memory this process may have where it is limited, what is too little, and what want of it looks like

ENGINE_MB: Final = 800
"""What the embedded engine may take before it goes on beside the disk."""

_NEEDED_MB: Final = 900  # addresses, not all of them memory: programs and libraries alone take 600
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
    """Millions of bytes of addresses that this process may have; None where nobody limited it."""
    if sys.platform == "win32":
        return None
    import resource

    soft = [resource.getrlimit(kind)[0] for kind in (resource.RLIMIT_AS, resource.RLIMIT_DATA)]
    limits = [one for one in soft if one != resource.RLIM_INFINITY and one >= 0]
    return min(limits) // _MB if limits else None


def give_memory_back() -> None:
    """What a C library keeps of memory that was freed goes back to the system; milliseconds. Nothing where it cannot.

    Of many threads glibc keeps much: a window in use for a quarter of an hour grew by 350 MB, and held 100 MB more.
    """
    with suppress(OSError, AttributeError):
        ctypes.CDLL("libc.so.6").malloc_trim(0)


def check_room() -> None:
    """Before any library is loaded: with too little some end the process. Errors: PlannerError file_unreadable."""
    limit = limit_mb()
    if limit is None:
        return
    if limit < _NEEDED_MB:
        raise PlannerError(
            "gpuplanner",
            "file_unreadable",
            worded("the memory limit of {limit} MB is too low", limit=whole(limit)),
            worded("allow {needed} MB or more, such as ulimit -v {kib}", needed=whole(2 * _NEEDED_MB),
                   kib=str(2 * _NEEDED_MB * 1000)),
        )  # fmt: skip
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):  # each takes addresses of its own, used or not
        os.environ.setdefault(name, "1")


def engine_mb() -> int:
    """Of `limit_mb`, what the engine may take."""
    limit = limit_mb()
    return ENGINE_MB if limit is None else min(ENGINE_MB, max(_ENGINE_MB_AT_LEAST, limit - _NEEDED_MB))


def is_want_of_disk(error: BaseException) -> bool:
    """Whether an error of the engine, or of the system, says that a disk is full."""
    text = str(error).lower()
    full = isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)
    return full or any(sign in text for sign in _SIGNS_OF_DISK)


def is_want_of_memory(error: BaseException) -> bool:
    """Whether an error, or what it came from, says that there is no memory, however a library says it."""
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
    """What is wrong, and what to do."""
    return unreadable(
        where,
        worded("not enough memory"),
        worded("close other programs, allow more memory, or shorten the lookback period (--days)"),
    )


# --- Being ended from outside, as by Ctrl-C: raised where it comes, and remembered: a library may swallow it there

_asked: list[int] = []
_held: list[bool] = []


def take_signals() -> None:
    """From now on whoever ends us does what Ctrl-C does: else what is under way would leave its files behind.

    SIGTERM, SIGHUP and SIGINT, those that exist here; a handler that somebody else set stays.
    """
    for name in ("SIGTERM", "SIGHUP", "SIGINT"):  # Windows has no others; a terminal that is closed
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
            signal.signal(number, _stop)


def only_remember() -> None:
    """From now on nothing is raised: Qt, while it is loaded or makes a window, loses it or ends the process over it."""
    _held.append(True)


def is_end_asked() -> bool:
    """Whether a signal came that ends us, also where its KeyboardInterrupt went nowhere."""
    return bool(_asked)


def _stop(number: int, frame: FrameType | None) -> None:
    """The signal's handler: remembers it, and raises KeyboardInterrupt unless that is held back."""
    _asked.append(number)
    if not _held:
        raise KeyboardInterrupt


# --- All that is said on a terminal: names of files and entries of logs can neither break a line nor steer the screen
# Nothing else prints: `say` cleans whatever it is given, and whoever joins names to a line makes it `one_line` first.

_UNSEEN: Final = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))
_JOINERS: Final = frozenset("\u200c\u200d")  # part of words and of emoji
LINE_AT_MOST: Final = 600
_HEAD: Final = 360


def one_line(message: Text) -> str:
    """The text with line ends as blanks and what cannot be seen spelled out.

    >>> one_line("a\\nb\\x1b[2J")
    'a b\\\\x1b[2J'
    """
    text = str(message)
    if text.isascii() and text.isprintable():
        return text
    return "".join(_seen(letter) for letter in " ".join(text.splitlines()))


def error_line(text: Text) -> str:
    """One line; where it is endless, its middle is left out, so that place and remedy stay."""
    line = one_line(text)
    return line if len(line) <= LINE_AT_MOST else f"{line[:_HEAD]} … {line[_HEAD - LINE_AT_MOST :]}"


def cut(text: Text, width: int) -> str:
    """One line of at most so many letters."""
    line = one_line(text)
    return line if len(line) <= width else line[: width - 1] + "…"


def say(text: str, stream: TextIO | None) -> None:
    """Print lines and flush; what steers a terminal, and what the stream's encoding lacks, is spelled out.

    No stream: nobody reads it.
    """
    if stream is None:
        return
    text = "\n".join(map(one_line, text.split("\n")))
    encoding = stream.encoding or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:  # a terminal without typographic signs must not lose the sign of a number
        text = text.replace("\u2212", "-").encode(encoding, "backslashreplace").decode(encoding)
    stream.write(text + "\n")
    stream.flush()


def say_again(text: str, stream: TextIO) -> None:
    """Take the place of the line that was said last; an empty text leaves a line with nothing in it."""
    stream.write(f"\r\x1b[2K{one_line(text)}")
    stream.flush()


def _seen(letter: str) -> str:
    """A letter, or what is written for one that would not be seen as itself."""
    if unicodedata.category(letter) not in _UNSEEN or letter in _JOINERS:
        return letter
    return " " if letter == "\t" else letter.encode("unicode_escape", "surrogatepass").decode("ascii")


# --- Where this user's own files are: kept job rows, the key of pseudonyms, the demo -------------

ROWS: Final = "rows"
"""The folder in it that keeps job rows."""


def data_folder() -> Path:
    """The user's data folder; it need not be there yet."""
    import platformdirs

    return Path(platformdirs.user_data_dir("gpuplanner", appauthor=False))


def private_folder(folder: Path) -> Path:
    """A folder made where it is not there, which only this user may look into, as into the data folder round it.

    Errors: OSError where it cannot be made.
    """
    data = data_folder()
    for one in (data, folder) if data in folder.parents else (folder,):
        one.mkdir(mode=0o700, parents=True, exist_ok=True)
        with suppress(OSError):  # of somebody else, or a file system without permissions
            one.chmod(0o700)
    return folder


def resource_path(name: str) -> Path:
    """Where a shipped file is: inside the package once installed, beside it in the source tree."""
    package = Path(__file__).parents[2]
    installed = package / "resources" / name
    return installed if installed.exists() else package.parent / "resources" / name


def rows_of(name: str) -> list[dict[str, str]]:
    """The rows of a table that ships; none if it does not."""
    path = resource_path(name)
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))
