"""Where an output would go and what it is called: links followed, what stands there judged."""

import errno
import os
import re
import stat
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.errors import PlannerError

# --- Where an output would go: links followed, what stands there judged, and refused where it cannot be written to
# | there now | what becomes of it |
# |---|---|
# | nothing | a new file, with the permissions that the system gives new files here |
# | a file | replaced in one step, its owner, group, permissions and attributes kept |
# | a link | what it leads to is meant, also where that is not there yet; a link that leads back to itself is
# refused |
# | a pipe, a terminal, the null device | written to once all bytes are there, and never replaced |
# | a folder, a socket, a disk, a file that is read only, open elsewhere or among the files that are read | refused |


# Whether a file that is to be replaced is open in another program, by the lock that such programs put beside it.
def program_that_has(path: Path) -> str:
    """The name of the lock beside a file that another program has open; empty where none has.

    LibreOffice leaves `.~lock.NAME#` beside an open file, Excel `~$NAME`; on some systems the file could be replaced
    all the same, and what is written in the other program would be lost or written over ours.
    """
    for name in (f".~lock.{path.name}#", f"~${path.name}", f"~${path.name[2:]}"):
        lock = path.with_name(name)
        if lock != path and os.path.exists(lock):  # False, too, for a name that is too long
            return name
    return ""


def unreadable(where: Path | str, what: Message, remedy: Message) -> PlannerError:
    """The refusal of a file that is there and cannot be read, or of one that cannot be written."""
    return PlannerError(str(where), "file_unreadable", what, remedy)


OTHER_NAME: Final = worded("choose another name")
OTHER_PLACE: Final = worded("choose another folder or name")


@dataclass(frozen=True, slots=True)
class Place:
    """target: the path without links; before: what the system says of what is there, None where nothing is."""

    target: Path
    before: os.stat_result | None

    @property
    def is_stream(self) -> bool:
        """Whether it is written to and never replaced: a pipe or a character device."""
        mode = 0 if self.before is None else self.before.st_mode
        return stat.S_ISFIFO(mode) or stat.S_ISCHR(mode)


def place_of(path: Path, given: Iterable[str | Path] = ()) -> Place:
    """Where an output at `path` goes. given: files that a person gave, which are never written to.

    Errors: PlannerError file_unreadable where it cannot be written to, whoever asks: for the superuser too, a file is
    read only by its permissions.
    """
    try:
        found = _found(path)
        target = Path(os.path.realpath(path))
        if found is None:
            if not target.parent.is_dir():
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(target.parent))
            return Place(target, None)
        fault = _fault(found.st_mode)
        if fault is None and stat.S_ISREG(found.st_mode):
            _check_file(path, target, found, given)
    except OSError as error:
        raise unwritable(path, error) from error
    if fault is not None:
        raise unreadable(path, fault, OTHER_NAME)
    return Place(path if not stat.S_ISREG(found.st_mode) else target, found)


def is_same_file(path: str | Path, other: str | Path) -> bool:
    """Whether both lead to one thing that is there, whatever they are called."""
    try:
        return os.path.samefile(path, other)
    except (OSError, ValueError):
        return False


def may(path: Path, mode: int) -> bool:
    """Whether the system lets this process read, write or enter; as whoever it acts for."""
    return os.access(path, mode, effective_ids=os.access in os.supports_effective_ids)


def unwritable(path: Path, error: OSError) -> PlannerError:
    """What to tell the planner where a file could not be written."""
    remedy = OTHER_PLACE
    if isinstance(error, FileNotFoundError):
        what = worded("its folder is not there")
        remedy = worded("make the folder, or choose another folder or name")
    elif isinstance(error, NotADirectoryError):
        what = worded("a part of its path is no folder")
    elif isinstance(error, PermissionError):
        what = worded("the system does not let it be written; another program may have it open")
        remedy = worded("close it there, or choose another folder or name")
    elif error.errno == errno.ELOOP:
        what = worded("it is a link that leads back to itself")
    elif error.errno in (errno.ENOSPC, errno.EDQUOT):
        what = worded("there is no room left on its disk")
        remedy = worded("free some space, or choose another folder or name")
    else:
        what = worded("it cannot be written ({error})", error=error.strerror or str(error))
    return unreadable(path, what, remedy)


def _found(path: Path) -> os.stat_result | None:
    """What the path leads to; None where nothing is there. Errors: OSError."""
    try:
        return os.stat(path)
    except FileNotFoundError:
        return None


def _fault(mode: int) -> Message | None:
    """Why a thing of this kind is never written to."""
    if stat.S_ISDIR(mode):
        return worded("it is a folder")
    if stat.S_ISSOCK(mode):
        return worded("it is a socket")
    if stat.S_ISREG(mode) or stat.S_ISFIFO(mode) or stat.S_ISCHR(mode):
        return None
    return worded("it is a disk, and what is on it would be lost")  # or a door of another system


def _check_file(path: Path, target: Path, found: os.stat_result, given: Iterable[str | Path]) -> None:
    """Errors: PlannerError; OSError."""
    where = str(path)
    if any(is_same_file(one, target) for one in given):
        raise unreadable(where, worded("it is one of the files that are read, and is left alone"), OTHER_NAME)
    if not found.st_mode & stat.S_IWUSR or not may(target, os.W_OK):
        remedy = worded("choose another name, or allow it to be written")
        raise unreadable(where, worded("it is read only"), remedy)
    if not is_same_file(path, target):  # an open file whose name is gone, by its number
        raise unreadable(where, worded("it has no name in any folder"), OTHER_NAME)
    program = program_that_has(target)
    if program:
        what = worded("another program has it open ({name} lies beside it)", name=program)
        raise unreadable(where, what, worded("close it there, or choose another folder or name"))


# --- What a file is called before anyone says otherwise: titles and names of data, made a name that every system takes

BYTES_AT_MOST: Final = 200
"""Of a whole name: systems take 255, and what is written beside it (backups, temporary files) adds to it."""
NAMELESS: Final = "gpuplanner"
_PARTS_PATHS: Final = str.maketrans(dict.fromkeys('<>:"/\\|?*', "-"))
"""Signs that a name may not have on one of the systems that files are handed around on."""
_RESERVED: Final = re.compile(
    r"(con|prn|aux|nul|clock\$|conin\$|conout\$|(com|lpt)[0-9\u00b9\u00b2\u00b3]) *", re.IGNORECASE
)
"""Devices of Windows, with whatever ending."""


def file_name(title: str, suffix: str) -> str:
    """A title as a file's name that ends in `suffix`, which is ours; what no name may have is left out.

    Law: one part of a path, of at most `BYTES_AT_MOST` bytes; no control, bidi or unseen sign; no dot, dash, tilde or
    blank in front and no dot or blank at the end; no device of Windows; never nothing.

    >>> file_name("../../x", ".png"), file_name("CON", ".csv"), file_name("R&D: Q3", " brief.pdf")
    ('x.png', 'CON_.csv', 'R&D- Q3 brief.pdf')
    """
    seen = (" " if _is_unseen(letter) else letter for letter in unicodedata.normalize("NFC", title))
    words = " ".join("".join(seen).translate(_PARTS_PATHS).split())
    room = BYTES_AT_MOST - len(suffix.encode()) - 1
    stem = words.lstrip(".-~ ").encode()[:room].decode(errors="ignore").rstrip(". ") or NAMELESS
    before, dot, after = stem.partition(".")
    is_whole = bool(dot) or suffix.startswith(".")
    return f"{before}_{dot}{after}{suffix}" if is_whole and _RESERVED.fullmatch(before) else stem + suffix


def _is_unseen(letter: str) -> bool:
    """Whether a letter shows nothing: control characters and ends of lines and paragraphs."""
    return unicodedata.category(letter)[0] == "C" or unicodedata.category(letter) in ("Zl", "Zp")
