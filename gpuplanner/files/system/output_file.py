"""The one place that writes files for people: whole or not at all, and in place of nothing but a plain file.

Whatever is written goes into a file of a folder of our own beside the target (own_folder.py), which only this user can
read. Once it is whole and on the disk it takes its place in one step, with owner, group, permissions and attributes of
what was there. Whatever fails, Ctrl-C too, what was there before is there afterwards, byte for byte.

A file of several names (hard links) is replaced under the one that was given: the others keep what they hold, which is
how copies of a folder by links and our own backups are made. A file that cannot be replaced without losing its owner
or group, or in a folder that takes no new file, is written over: what was there is put back where that fails, and
only the end of the computer itself in that moment could leave half of it.
"""

import errno
import io
import os
import stat
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final, TextIO

from gpuplanner.domain.message import worded
from gpuplanner.files.system.own_folder import own_folder, sweep
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.lazy_re import lazy_re

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

import unicodedata

from gpuplanner.domain.message import Message
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


def unreadable(where: Path | str, message: Message, remedy: Message) -> PlannerError:
    """The refusal of a file that is there and cannot be read, or of one that cannot be written."""
    return PlannerError(str(where), "file_unreadable", message, remedy)


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
        problem = worded("the folder does not exist")
        remedy = worded("create the folder, or choose another folder or name")
    elif isinstance(error, NotADirectoryError):
        problem = worded("part of the path is not a folder")
    elif isinstance(error, PermissionError):
        problem = worded("no write permission, or another program has it open")
        remedy = worded("close it there, or choose another folder or name")
    elif error.errno == errno.ELOOP:
        problem = worded("the link points to itself")
    elif error.errno in (errno.ENOSPC, errno.EDQUOT):
        problem = worded("the disk is full")
        remedy = worded("free some space, or choose another folder or name")
    else:
        problem = worded("writing failed ({error})", error=error.strerror or str(error))
    return unreadable(path, problem, remedy)


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
    return worded("it is a disk: its data would be lost")  # or a door of another system


def _check_file(path: Path, target: Path, found: os.stat_result, given: Iterable[str | Path]) -> None:
    """Errors: PlannerError; OSError."""
    where = str(path)
    if any(is_same_file(one, target) for one in given):
        raise unreadable(where, worded("it is an input file and is not overwritten"), OTHER_NAME)
    if not found.st_mode & stat.S_IWUSR or not may(target, os.W_OK):
        remedy = worded("choose another name, or allow writing")
        raise unreadable(where, worded("it is read-only"), remedy)
    if not is_same_file(path, target):  # an open file whose name is gone, by its number
        raise unreadable(where, worded("it has no path"), OTHER_NAME)
    program = program_that_has(target)
    if program:
        problem = worded("another program has it open ({name} exists next to it)", name=program)
        raise unreadable(where, problem, worded("close it there, or choose another folder or name"))


# --- What a file is called before anyone says otherwise: titles and names of data, made a name that every system takes

BYTES_AT_MOST: Final = 200
"""Of a whole name: systems take 255, and what is written beside it (backups, temporary files) adds to it."""
NAMELESS: Final = "gpuplanner"
_PARTS_PATHS: Final = str.maketrans(dict.fromkeys('<>:"/\\|?*', "-"))
"""Signs that a name may not have on one of the systems that files are handed around on."""
_RESERVED: Final = lazy_re(
    r"(?i)(con|prn|aux|nul|clock\$|conin\$|conout\$|(com|lpt)[0-9\u00b9\u00b2\u00b3]) *"
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


_BINARY: Final = getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOINHERIT", 0)
_NO_TERMINAL: Final = getattr(os, "O_NOCTTY", 0)
_CHUNK_BYTES: Final = 2**20
_READER_S: Final = 10.0
"""How long a pipe is waited for that nobody reads yet: its bytes are ready, and a window must not stand for ever."""
_KEPT_ATTRIBUTES: Final = ("user.", "system.posix_acl_access")


@dataclass(frozen=True, slots=True)
class Output:
    """part: an empty file to fill; replaces: the file that is there now, if one is.

    is_written_over: that file's own bytes change, those under its other names too; else it is replaced.
    is_private: its owner alone can read it, whoever could read what was there.
    """

    part: Path
    place: Place
    is_written_over: bool = False
    is_private: bool = False

    @property
    def replaces(self) -> Path | None:
        """The file whose place is taken; None where there is none, or where it is a pipe or a device."""
        return None if self.place.before is None or self.place.is_stream else self.place.target


# ---------------------------------------------------------------- for writers


@contextmanager
def output_part(path: Path, given: Iterable[str | Path] = ()) -> Iterator[Output]:
    """A file for an engine that writes by path; at the end its bytes are at `path`, else all is as it was.

    given: files that a person gave, which are never written to. Errors: PlannerError file_unreadable, also for an
    OSError of the work inside.
    """
    with ExitStack() as held:
        try:
            out = held.enter_context(_staged(place_of(path, given)))
            yield out
            _put(out, path, given)
        except OSError as error:
            raise unwritable(path, error) from error


@contextmanager
def output_file(path: Path, given: Iterable[str | Path] = ()) -> Iterator[BinaryIO]:
    """A binary file to write, to seek in and to ask for its place; as `output_part`."""
    with output_part(path, given) as out, _PartFile(out.part) as raw:
        file = io.BufferedWriter(raw, _CHUNK_BYTES)
        try:
            yield file
            file.close()
        except BaseException:
            raw.is_let_go = True  # what waits in the buffer must not fail a second time
            raise
        finally:
            file.close()


@contextmanager
def output_text(path: Path) -> Iterator[TextIO]:
    """A text file in UTF-8 whose line ends are written as they are given; as `output_part`."""
    with output_file(path) as file:
        text = io.TextIOWrapper(file, "utf-8", newline="")
        yield text
        text.flush()
        text.detach()


def write_output(
    path: Path,
    content: bytes,
    given: Iterable[str | Path] = (),
    keep: Callable[[Output], None] = lambda out: None,
) -> None:
    """These bytes as a file; as `output_part`. keep: what is done before what is there is replaced."""
    with output_part(path, given) as out:
        with _opened(out.part) as handle:
            _pour(content, handle)
        keep(out)


def write_table(path: Path, text: str, given: Iterable[str | Path] = ()) -> None:
    """A table of ours as a CSV file that spreadsheet programs take for UTF-8; as `output_part`."""
    write_output(path, text.encode("utf-8-sig"), given)


def write_secret(path: Path, content: bytes) -> None:
    """A file that its owner alone can read, unless there is one: of two that begin at once one wins.

    Errors: PlannerError file_unreadable.
    """
    try:
        with _staged(place_of(path)) as out, suppress(FileExistsError):
            with _opened(out.part) as handle:
                _pour(content, handle)
                os.fsync(handle)
            _link_or_move(out.part, path)
            _sync_folder(path.parent)
    except OSError as error:
        raise unwritable(path, error) from error


def output_folder(path: Path) -> Path:
    """A folder to put outputs in, made where missing; links are followed. Errors: PlannerError file_unreadable."""
    try:
        if os.path.exists(path) and not path.is_dir():
            raise unreadable(path, worded("not a folder"), OTHER_NAME)
        os.makedirs(os.path.realpath(path), exist_ok=True)
    except OSError as error:
        raise unwritable(path, error) from error
    return path


def put(part: Path, path: Path) -> None:
    """A file of ours that is whole, on the same disk, takes its place at `path`, where its owner alone can read it.

    Errors: PlannerError file_unreadable.
    """
    try:
        _put(Output(part, place_of(path), is_private=True), path, ())
    except OSError as error:
        raise unwritable(path, error) from error


# ---------------------------------------------------------------- the part


@contextmanager
def _staged(place: Place) -> Iterator[Output]:
    """An empty file beside the target, or with temporary files where its folder takes none. Errors: OSError."""
    folder: Path | None = place.target.parent
    is_file = place.before is not None and not place.is_stream
    is_closed = is_file and not may(place.target.parent, os.W_OK | os.X_OK)
    if place.is_stream or is_closed:
        folder = None
    if folder is not None:
        sweep(folder)
    with own_folder(folder) as room:
        part = room / "part"
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_RDWR | _BINARY, 0o600))
        is_kept = place.before is None or not is_file or _is_given_to(part, place.before)
        yield Output(part, place, is_closed or not is_kept)


def _is_given_to(part: Path, before: os.stat_result) -> bool:
    """Whether the part now has the owner and the group of what it is to replace."""
    mine = os.stat(part)
    if (mine.st_uid, mine.st_gid) == (before.st_uid, before.st_gid):
        return True
    try:
        os.chown(part, before.st_uid, before.st_gid)
    except (OSError, AttributeError):
        return False
    return True


class _PartFile(io.RawIOBase):
    """The part as a file; is_let_go: what is still written goes nowhere."""

    def __init__(self, part: Path) -> None:
        self.is_let_go = False
        self._handle = os.open(part, os.O_WRONLY | _BINARY)

    def writable(self) -> bool:
        """It is for writing."""
        return True

    def seekable(self) -> bool:
        """A zip goes back to write its sizes."""
        return True

    def write(self, data: "ReadableBuffer", /) -> int:
        """Writes what fits and says how much; once let go, nothing, though the writer still closes its zip."""
        return memoryview(data).nbytes if self.is_let_go else os.write(self._handle, data)

    def seek(self, offset: int, whence: int = 0, /) -> int:
        """Moves to a place and says where that is."""
        return os.lseek(self._handle, offset, whence)

    def close(self) -> None:
        """Closes the handle, once."""
        if not self.closed:
            super().close()
            os.close(self._handle)


# ---------------------------------------------------------------- into its place


def _put(out: Output, path: Path, given: Iterable[str | Path]) -> None:
    """The part, which is whole, to where it belongs. Errors: OSError; PlannerError."""
    now = place_of(path, given)  # the work took its time
    if (now.target, now.is_stream) != (out.place.target, out.place.is_stream):
        raise unreadable(path, worded("it was replaced while being written"), OTHER_NAME)
    if now.is_stream:
        assert now.before is not None
        _stream(out.part, path, is_pipe=stat.S_ISFIFO(now.before.st_mode))
    elif out.is_written_over:
        _write_over(out.part, now.target)
    else:
        _replace(out, now, path)


def _replace(out: Output, place: Place, path: Path) -> None:
    """The part in place of the target, in one step, once the disk has confirmed it. Errors: OSError; PlannerError."""
    part, target = out.part, place.target
    if place.before is not None and not out.is_private:
        _copy_attributes(target, part)
    mode = _mode_of_new_files(part.parent) if place.before is None else place.before.st_mode
    mode = 0o600 if out.is_private else mode
    with _opened(part) as handle:
        with suppress(OSError):  # some file systems have no permissions to keep
            os.chmod(part, stat.S_IMODE(mode))
        os.fsync(handle)
    kept = None if place.before is None else _other_name(target, part.with_name("before"))
    os.replace(part, target)
    try:
        _sync_folder(target.parent)
    except OSError as error:
        if kept is not None:
            os.replace(kept, target)
        elif place.before is None:
            target.unlink()
        else:
            problem = worded(
                "written, but not confirmed by the disk ({error})", error=error.strerror or str(error)
            )
            raise unreadable(path, problem, worded("save it to another disk too")) from error
        raise
    if kept is not None:
        with suppress(OSError):
            kept.unlink()


def _write_over(part: Path, target: Path) -> None:
    """The bytes of the part in place of those of the target, which come back where that fails. Errors: OSError."""
    before = part.with_name("before")
    handle = os.open(target, os.O_RDWR | _BINARY)
    try:
        with _opened(before, os.O_CREAT | os.O_EXCL) as copy:
            _copy(handle, copy)
        try:
            _fill(handle, part)
        except BaseException:
            with suppress(OSError):
                _fill(handle, before)
            raise
    finally:
        os.close(handle)


def _fill(handle: int, source: Path) -> None:
    """Puts a file's content in place of what a handle has, and waits until it is on the disk."""
    with _opened(source) as content:
        os.lseek(handle, 0, os.SEEK_SET)
        os.ftruncate(handle, _copy(content, handle))
        os.fsync(handle)


def _stream(part: Path, path: Path, *, is_pipe: bool) -> None:
    """All bytes of the part into a pipe or a device. Errors: OSError; PlannerError where nobody reads the pipe."""
    handle = _pipe_with_reader(path) if is_pipe else os.open(path, os.O_WRONLY | _NO_TERMINAL | _BINARY)
    try:
        with _opened(part) as content:
            _copy(content, handle)
    except BrokenPipeError as error:
        problem = worded("the reader of this pipe stopped early")
        raise unreadable(path, problem, worded("start the reader again")) from error
    finally:
        os.close(handle)


def _pipe_with_reader(path: Path) -> int:
    """Opens a named pipe once somebody reads it; PlannerError if nobody does for a while."""
    until = time.monotonic() + _READER_S
    while True:
        try:
            handle = os.open(path, os.O_WRONLY | os.O_NONBLOCK | _BINARY)
        except OSError as error:
            if error.errno != errno.ENXIO:
                raise
            if time.monotonic() > until:
                problem = worded("the pipe has no reader")
                raise unreadable(path, problem, worded("start the reader, or choose a file")) from error
            time.sleep(0.02)
        else:
            os.set_blocking(handle, True)
            return handle


# ---------------------------------------------------------------- of the system


@contextmanager
def _opened(path: Path, flags: int = 0) -> Iterator[int]:
    """A file's handle for a while; a new file is for its owner alone."""
    handle = os.open(path, os.O_RDWR | flags | _BINARY, 0o600)
    try:
        yield handle
    finally:
        os.close(handle)


def _copy(source: int, target: int) -> int:
    """What is left of a file into another; bytes written."""
    size = 0
    while chunk := os.read(source, _CHUNK_BYTES):
        size += _pour(chunk, target)
    return size


def _pour(content: bytes, handle: int) -> int:
    """Writes all of the bytes, in as many steps as the system needs."""
    left = memoryview(content)
    while left:
        left = left[os.write(handle, left) :]
    return len(content)


def _mode_of_new_files(room: Path) -> int:
    """Permissions that a new file gets here: asked of the system, for the mask of a process cannot be read safely."""
    probe = os.open(room / "new", os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666)
    try:
        return os.fstat(probe).st_mode
    finally:
        os.close(probe)
        (room / "new").unlink()


def _copy_attributes(source: Path, target: Path) -> None:
    """Who else may do what, and what users note on files, where the system has such."""
    with suppress(OSError, AttributeError):
        for name in os.listxattr(source):
            if name.startswith(_KEPT_ATTRIBUTES):
                with suppress(OSError):
                    os.setxattr(target, name, os.getxattr(source, name))


def _other_name(path: Path, other: Path) -> Path | None:
    """A second name for a file; None where the file system has no such thing."""
    try:
        os.link(path, other)
    except (OSError, NotImplementedError, AttributeError):
        return None
    return other


def _link_or_move(part: Path, path: Path) -> None:
    """Errors: FileExistsError where something is at `path`."""
    try:
        os.link(part, path)
    except FileExistsError:
        raise
    except (OSError, NotImplementedError, AttributeError):  # a file system without links
        if os.path.lexists(path):
            raise FileExistsError(path) from None
        os.replace(part, path)


def _sync_folder(folder: Path) -> None:
    """What a folder holds reaches the disk; Windows cannot be asked to, and some file systems refuse."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
    finally:
        os.close(handle)
