"""Writes files for people: complete or not at all, and replaces only ordinary files."""

import errno
import io
import os
import stat
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final, TextIO

from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.system.own_folder import own_folder, sweep
from gpuplanner.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


# | there now | result |
# |---|---|
# | nothing | a new file, with the permissions that the system gives new files here |
# | a file | replaced in one step, its owner, group, permissions and attributes kept |
# | a link | its target is meant, even if missing; a link that leads back to itself is
# refused |
# | a pipe, a terminal, the null device | written to once all bytes are there, and never replaced |
# | a folder, a socket, a disk, a file that is read only, open elsewhere or among the files that are read | refused |


# Detects whether another program has the target open, by the lock file next to it.
def program_that_has(path: Path) -> str:
    """Return the name of the lock file of a program that has a file open; "" without one.

    LibreOffice creates `.~lock.NAME#`, Excel `~$NAME`. Some systems would still replace the file, and the edits in the
    other program would be lost or overwrite ours.
    """
    for name in (f".~lock.{path.name}#", f"~${path.name}", f"~${path.name[2:]}"):
        lock = path.with_name(name)
        if lock != path and os.path.exists(lock):  # also False for a name that is too long
            return name
    return ""


def unreadable(where: Path | str, message: Message, remedy: Message) -> PlannerError:
    """Return the error for an existing file that cannot be read, or for one that cannot be written."""
    return PlannerError(str(where), "file_unreadable", message, remedy)


OTHER_NAME: Final = worded("choose another name")
OTHER_PLACE: Final = worded("choose another folder or name")


@dataclass(frozen=True, slots=True)
class Place:
    """A target. target: path without links. before: its status, None if it does not exist."""

    target: Path
    before: os.stat_result | None

    @property
    def is_stream(self) -> bool:
        """Whether it is a pipe or a character device, which is written to and never replaced."""
        mode = 0 if self.before is None else self.before.st_mode
        return stat.S_ISFIFO(mode) or stat.S_ISCHR(mode)


def place_of(path: Path, given: Iterable[str | Path] = ()) -> Place:
    """Return the target of an output at `path`. given: the user's input files, which are never overwritten.

    Errors: PlannerError file_unreadable if it is not writable; read-only permissions count for the superuser too.
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
    """Return whether both paths lead to the same existing file."""
    try:
        return os.path.samefile(path, other)
    except (OSError, ValueError):
        return False


def may(path: Path, mode: int) -> bool:
    """Return whether the system allows this process, with its effective user, to read, write or enter."""
    return os.access(path, mode, effective_ids=os.access in os.supports_effective_ids)


def unwritable(path: Path, error: OSError) -> PlannerError:
    """Return the error for a file that could not be written."""
    remedy = OTHER_PLACE
    if isinstance(error, FileNotFoundError):
        problem = worded("no such folder")
        remedy = worded("create it, or choose another folder or name")
    elif isinstance(error, NotADirectoryError):
        problem = worded("part of the path is not a folder")
    elif isinstance(error, PermissionError):
        problem = worded("no write permission, or open in another program")
        remedy = worded("close it there, or choose another folder or name")
    elif error.errno == errno.ELOOP:
        problem = worded("the link points to itself")
    elif error.errno in (errno.ENOSPC, errno.EDQUOT):
        problem = worded("the disk is full")
        remedy = worded("free space, or choose another folder or name")
    else:
        problem = worded("writing failed ({error})", error=error.strerror or str(error))
    return unreadable(path, problem, remedy)


def _found(path: Path) -> os.stat_result | None:
    """Return the status of the path's target; None if it does not exist. Errors: OSError."""
    try:
        return os.stat(path)
    except FileNotFoundError:
        return None


def _fault(mode: int) -> Message | None:
    """Return why a file of this type is never written to; None for allowed types."""
    if stat.S_ISDIR(mode):
        return worded("a folder")
    if stat.S_ISSOCK(mode):
        return worded("a socket")
    if stat.S_ISREG(mode) or stat.S_ISFIFO(mode) or stat.S_ISCHR(mode):
        return None
    return worded("a disk: its data would be lost")  # or a device of another system


def _check_file(path: Path, target: Path, found: os.stat_result, given: Iterable[str | Path]) -> None:
    """Check that a file may be replaced. Errors: PlannerError; OSError."""
    where = str(path)
    if any(is_same_file(one, target) for one in given):
        raise unreadable(where, worded("an input file is not overwritten"), OTHER_NAME)
    if not found.st_mode & stat.S_IWUSR or not may(target, os.W_OK):
        remedy = worded("choose another name, or allow writing")
        raise unreadable(where, worded("read-only"), remedy)
    if not is_same_file(path, target):  # an open file without a name, by its number
        raise unreadable(where, worded("no path"), OTHER_NAME)
    program = program_that_has(target)
    if program:
        problem = worded("another program has it open ({name} exists)", name=program)
        raise unreadable(where, problem, worded("close it there, or choose another folder or name"))


_BINARY: Final = getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOINHERIT", 0)
_NO_TERMINAL: Final = getattr(os, "O_NOCTTY", 0)
_CHUNK_BYTES: Final = 2**20
_READER_S: Final = 10.0
"""Time to wait for a pipe's reader; the bytes are ready, and a window must not wait forever."""
_KEPT_ATTRIBUTES: Final = ("user.", "system.posix_acl_access")


@dataclass(frozen=True, slots=True)
class Output:
    """An output in progress. part: an empty file to fill. place: its target.

    is_written_over: the target's own bytes change, also under its other names; otherwise it is replaced.
    is_private: only its owner can read it, whatever the old permissions.
    """

    part: Path
    place: Place
    is_written_over: bool = False
    is_private: bool = False

    @property
    def replaces(self) -> Path | None:
        """The file to be replaced; None if there is none, or for a pipe or a device."""
        return None if self.place.before is None or self.place.is_stream else self.place.target


@contextmanager
def output_part(path: Path, given: Iterable[str | Path] = ()) -> Iterator[Output]:
    """Provide a file for an engine that writes by path; at the end its bytes are at `path`. Without changes after a
    failure.

    given: the user's input files, which are never overwritten. Errors: PlannerError file_unreadable, also for an
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
    """Provide a binary file that supports seeking; as `output_part`."""
    with output_part(path, given) as out, _PartFile(out.part) as raw:
        file = io.BufferedWriter(raw, _CHUNK_BYTES)
        try:
            yield file
            file.close()
        except BaseException:
            raw.is_let_go = True  # buffered bytes must not fail a second time
            raise
        finally:
            file.close()


@contextmanager
def output_text(path: Path) -> Iterator[TextIO]:
    """Provide a text file in UTF-8 that keeps line ends as given; as `output_part`."""
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
    """Write bytes as a file; as `output_part`. keep: called before the old file is replaced."""
    with output_part(path, given) as out:
        with _opened(out.part) as handle:
            _pour(content, handle)
        keep(out)


def write_table(path: Path, text: str, given: Iterable[str | Path] = ()) -> None:
    """Write a table as a CSV file that spreadsheets read as UTF-8; as `output_part`."""
    write_output(path, text.encode("utf-8-sig"), given)


def write_secret(path: Path, content: bytes) -> None:
    """Write a file that only its owner can read, unless it exists; of two concurrent writers one wins.

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
    """Create a folder for outputs if missing; links are followed. Errors: PlannerError file_unreadable."""
    try:
        if os.path.exists(path) and not path.is_dir():
            raise unreadable(path, worded("not a folder"), OTHER_NAME)
        os.makedirs(os.path.realpath(path), exist_ok=True)
    except OSError as error:
        raise unwritable(path, error) from error
    return path


def put(part: Path, path: Path) -> None:
    """Move our complete file, on the same disk, to `path`, readable only by its owner.

    Errors: PlannerError file_unreadable.
    """
    try:
        _put(Output(part, place_of(path), is_private=True), path, ())
    except OSError as error:
        raise unwritable(path, error) from error


@contextmanager
def _staged(place: Place) -> Iterator[Output]:
    """Provide an empty file next to the target, or with temporary files if its folder accepts none. Errors: OSError."""
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
    """Give the part the owner and group of the file to be replaced. Returns whether it has them."""
    mine = os.stat(part)
    if (mine.st_uid, mine.st_gid) == (before.st_uid, before.st_gid):
        return True
    try:
        os.chown(part, before.st_uid, before.st_gid)
    except (OSError, AttributeError):
        return False
    return True


class _PartFile(io.RawIOBase):
    """The part as a file; is_let_go: further bytes are discarded."""

    def __init__(self, part: Path) -> None:
        self.is_let_go = False
        self._handle = os.open(part, os.O_WRONLY | _BINARY)

    def writable(self) -> bool:
        """Return True."""
        return True

    def seekable(self) -> bool:
        """Return True; a zip seeks back to write its sizes."""
        return True

    def write(self, data: "ReadableBuffer", /) -> int:
        """Write bytes and return their number; once let go they are discarded, but the writer can still close a zip."""
        return memoryview(data).nbytes if self.is_let_go else os.write(self._handle, data)

    def seek(self, offset: int, whence: int = 0, /) -> int:
        """Move to a position and return it."""
        return os.lseek(self._handle, offset, whence)

    def close(self) -> None:
        """Close the handle, once."""
        if not self.closed:
            super().close()
            os.close(self._handle)


def _put(out: Output, path: Path, given: Iterable[str | Path]) -> None:
    """Move the complete part to its target. Errors: OSError; PlannerError."""
    now = place_of(path, given)  # the target may have changed meanwhile
    if (now.target, now.is_stream) != (out.place.target, out.place.is_stream):
        raise unreadable(path, worded("replaced while being written"), OTHER_NAME)
    if now.is_stream:
        assert now.before is not None
        _stream(out.part, path, is_pipe=stat.S_ISFIFO(now.before.st_mode))
    elif out.is_written_over:
        _write_over(out.part, now.target)
    else:
        _replace(out, now, path)


def _replace(out: Output, place: Place, path: Path) -> None:
    """Replace the target by the part in one step, once the disk has confirmed it. Errors: OSError; PlannerError."""
    part, target = out.part, place.target
    if place.before is not None and not out.is_private:
        _copy_attributes(target, part)
    mode = _mode_of_new_files(part.parent) if place.before is None else place.before.st_mode
    mode = 0o600 if out.is_private else mode
    with _opened(part) as handle:
        with suppress(OSError):  # some file systems have no permissions
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
    """Overwrite the target's bytes with the part's; the old bytes are restored after a failure. Errors: OSError."""
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
    """Replace the content of a handle by that of a file, and wait for the disk."""
    with _opened(source) as content:
        os.lseek(handle, 0, os.SEEK_SET)
        os.ftruncate(handle, _copy(content, handle))
        os.fsync(handle)


def _stream(part: Path, path: Path, *, is_pipe: bool) -> None:
    """Write the part into a pipe or a device. Errors: OSError; PlannerError if the pipe has no reader."""
    handle = _pipe_with_reader(path) if is_pipe else os.open(path, os.O_WRONLY | _NO_TERMINAL | _BINARY)
    try:
        with _opened(part) as content:
            _copy(content, handle)
    except BrokenPipeError as error:
        problem = worded("the pipe's reader stopped early")
        raise unreadable(path, problem, worded("start the reader again")) from error
    finally:
        os.close(handle)


def _pipe_with_reader(path: Path) -> int:
    """Open a named pipe once it has a reader. Errors: PlannerError if there is none after _READER_S seconds."""
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


@contextmanager
def _opened(path: Path, flags: int = 0) -> Iterator[int]:
    """Provide a file's handle; a new file is private to its owner."""
    handle = os.open(path, os.O_RDWR | flags | _BINARY, 0o600)
    try:
        yield handle
    finally:
        os.close(handle)


def _copy(source: int, target: int) -> int:
    """Copy the rest of a file into another. Returns the bytes written."""
    size = 0
    while chunk := os.read(source, _CHUNK_BYTES):
        size += _pour(chunk, target)
    return size


def _pour(content: bytes, handle: int) -> int:
    """Write all bytes, in as many steps as the system needs. Returns their number."""
    left = memoryview(content)
    while left:
        left = left[os.write(handle, left) :]
    return len(content)


def _mode_of_new_files(room: Path) -> int:
    """Return the permissions of new files here, from a test file, because the process's mask cannot be read safely."""
    probe = os.open(room / "new", os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666)
    try:
        return os.fstat(probe).st_mode
    finally:
        os.close(probe)
        (room / "new").unlink()


def _copy_attributes(source: Path, target: Path) -> None:
    """Copy access lists and user attributes, where the system has them."""
    with suppress(OSError, AttributeError):
        for name in os.listxattr(source):
            if name.startswith(_KEPT_ATTRIBUTES):
                with suppress(OSError):
                    os.setxattr(target, name, os.getxattr(source, name))


def _other_name(path: Path, other: Path) -> Path | None:
    """Create a second name for a file; None if the file system does not support it."""
    try:
        os.link(path, other)
    except (OSError, NotImplementedError, AttributeError):
        return None
    return other


def _link_or_move(part: Path, path: Path) -> None:
    """Move a file unless the target exists. Errors: FileExistsError."""
    try:
        os.link(part, path)
    except FileExistsError:
        raise
    except (OSError, NotImplementedError, AttributeError):  # a file system without links
        if os.path.lexists(path):
            raise FileExistsError(path) from None
        os.replace(part, path)


def _sync_folder(folder: Path) -> None:
    """Write a folder's entries to the disk; Windows does not support this, and some file systems refuse."""
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
