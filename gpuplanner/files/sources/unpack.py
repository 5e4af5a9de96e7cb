"""Packed files: what is inside a .gz, .bz2, .xz, .zst, .zip or .tar somebody gave us, written out within limits."""

import shutil
import struct
import tarfile
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from typing import IO, Final, Protocol

from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.sources.spreadsheet import is_workbook, sheet_heads
from gpuplanner.files.system.memory import is_want_of_disk, is_want_of_memory, want_of_memory
from gpuplanner.files.system.output_file import unreadable
from gpuplanner.files.system.own_folder import discard
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.lazy_re import lazy_re

GZIP: Final = b"\x1f\x8b"
ZSTD: Final = b"(\xb5/\xfd"
BZIP2: Final = b"BZh"
XZ: Final = b"\xfd7zX"
STREAMS: Final = (GZIP, ZSTD, BZIP2, XZ)
"""What one file alone is packed as."""

ZIP: Final = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")

_TAR_AT: Final = 257
_TAR: Final = b"ustar"
_TAR_HEADER_BYTES: Final = 2**16
_TAR_DIGITS = lazy_re(rb"\d+")
_TAR_STEPS: Final = (
    100_000_000  # of all headers: a search takes the square of each row of digits (CVE-2024-6232)
)
_CHUNK_BYTES: Final = 2**20
_SUSPICIOUS_ABOVE_BYTES: Final = 64 * 2**20
_RATIO_AT_MOST: Final = 200  # logs shrink to a tenth or a thirtieth; more is made to fill a disk
_MEMBERS_AT_MOST: Final = 1000
_ROOM_KEPT_BYTES: Final = 2**30  # of the disk: the work itself needs some too
_ZSTD_BYTES: Final = 2048  # so few may stand for 64 MB
_WINDOW_BYTES_AT_MOST: Final = 2**27  # of zstd; what --long=27 writes

_LONG_HEADERS: Final = frozenset(
    (
        tarfile.XHDTYPE,
        tarfile.XGLTYPE,
        tarfile.SOLARIS_XHDTYPE,
        tarfile.GNUTYPE_LONGNAME,
        tarfile.GNUTYPE_LONGLINK,
    )
)
_OF_DAMAGE: Final = (struct.error, LookupError, ArithmeticError, AssertionError, AttributeError, TypeError)
"""What libraries stumble into where a header is damaged."""

_COPY_AGAIN: Final = worded("copy or export it again")
_UNPACK_YOURSELF: Final = worded("if you trust the source, unpack it and choose the files inside")


class Readable(Protocol):
    """Bytes that come out of an unpacker."""

    def read(self, size: int, /) -> bytes: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One file to read. path: as the planner would name it; at: where its bytes are; packed_bytes: what it took.

    is_temporary: whether these bytes were unpacked by us, into a folder of our own: nothing else may be thrown away.
    fault: why it cannot be had, where it is one of several in an archive; then there is nothing to read. sheet: of a
    workbook, the one that the path names; empty where it names none.
    """

    path: str
    at: Path
    packed_bytes: int
    is_temporary: bool = False
    fault: PlannerError | None = None
    sheet: str = ""


def parts_of(path: str, folder: Path, on_bytes: Callable[[int], None] | None = None) -> tuple[Part, ...]:
    """The file itself, or what is packed in it, written into a folder of our own; each part of an archive by itself.

    `logs.zip/july.csv` names one part of an archive, `book.xlsx/Inventory` one sheet of a workbook.
    on_bytes: told what of the given file is done. Where some parts
    of an archive cannot be had, they say so themselves. Errors: PlannerError file_missing, file_unreadable,
    truncated_file.
    """
    given, wanted = Path(path), None
    if not given.exists() and given.parent.is_file() and _is_packed(given.parent):
        given, wanted = given.parent, given.name
    if given.exists() and not (given.is_file() or given.is_dir()):  # it is read more than once, or has no end
        problem = worded("it is a pipe or a device, not a file")
        raise unreadable(path, problem, worded("write its output to a file, and use that"))
    size = given.stat().st_size if given.is_file() else 0
    at, is_temporary = given, False
    if size and _begins(given).startswith(STREAMS):
        with _spoken(path), given.open("rb") as packed, _opened(packed) as content:
            at, is_temporary = _write_out(content, packed, str(given), folder, size, on_bytes), True
            on_bytes = None  # all of the given file is done
    if size and _is_tar(at):
        with _spoken(str(given)), _Tar.open(at, "r:") as archive:
            found = _of_archive(_members_of_tar(archive), str(given), folder, on_bytes, wanted)
        if is_temporary:
            discard(at)  # what was in it stands beside it now
        return found
    if not is_temporary and _begins(given).startswith(ZIP):
        with _spoken(str(given)), zipfile.ZipFile(given) as archive:
            if is_workbook(archive):
                if wanted and wanted not in dict(sheet_heads(given, path, 0, 0)):
                    raise _no_such_file(path)
                return (
                    Part(path=path, at=given.absolute(), packed_bytes=size, sheet=wanted or ""),
                )  # it has a reader of its own
            return _of_archive(_members_of_zip(archive), str(given), folder, on_bytes, wanted)
    if wanted is not None:
        raise _no_such_file(path)
    return (Part(path=path, at=at.absolute(), packed_bytes=size, is_temporary=is_temporary),)


def _is_packed(path: Path) -> bool:
    """Whether a file is packed, by its first bytes and not by its name."""
    return _begins(path).startswith((*STREAMS, *ZIP)) or _is_tar(path)


def _begins(path: Path, length: int = 4) -> bytes:
    """The first bytes of a file; empty if it cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(length)
    except OSError:
        return b""  # whoever reads it says what is wrong


def _is_tar(path: Path) -> bool:
    """Whether the mark of tar stands where it belongs."""
    return _begins(path, _TAR_AT + len(_TAR))[_TAR_AT:] == _TAR


@contextmanager
def _opened(packed: IO[bytes]) -> Iterator[Readable]:
    """What a packed file unpacks to, by its first bytes."""
    import bz2
    import gzip
    import lzma

    first = packed.read(4)
    packed.seek(0)
    if first.startswith(ZSTD):
        yield _ZstdFrames(packed)
        return
    library: Callable[[IO[bytes]], AbstractContextManager[Readable]]
    if first.startswith(GZIP):
        library = gzip.open
    elif first.startswith(BZIP2):
        library = bz2.open
    else:
        library = lzma.open
    with library(packed) as content:
        yield content


class _ZstdFrames:
    """One frame after the other. The library's own reader takes a frame that is cut off for a whole one."""

    def __init__(self, packed: IO[bytes]) -> None:
        import zstandard

        self._packed = packed
        self._library = zstandard.ZstdDecompressor(max_window_size=_WINDOW_BYTES_AT_MOST)
        self._frame = self._library.decompressobj()
        self._rest = b""

    def read(self, _size: int, /) -> bytes:
        """What the next bytes unpack to, at least one; nothing at the end. Errors: EOFError where it is cut off."""
        while True:
            taken = self._rest or self._packed.read(_ZSTD_BYTES)
            if not taken:
                if not self._frame.eof:
                    raise EOFError
                return b""
            if self._frame.eof:
                self._frame = self._library.decompressobj()
            content = self._frame.decompress(taken)
            self._rest = self._frame.unused_data if self._frame.eof else b""
            if content:
                return content


@dataclass(frozen=True, slots=True)
class _Member:
    """One file in an archive, before it is unpacked."""

    name: str
    packed_bytes: int
    is_locked: bool
    open: Callable[[], IO[bytes]]


def _members_of_zip(archive: zipfile.ZipFile) -> list[_Member]:
    """The files in a zip, folders left out."""
    return [
        _Member(part.filename, part.compress_size, bool(part.flag_bits & 1), partial(archive.open, part))
        for part in archive.infolist()
        if not part.is_dir()
    ]


class _TarHeader(tarfile.TarInfo):
    """A header in a tar, looked at before the library reads it."""

    def _proc_member(self, archive: "_Tar") -> tarfile.TarInfo:
        """The place that the library leaves to others. Errors: ReadError for a header that would stop it."""
        if self.type in _LONG_HEADERS:
            assert archive.fileobj is not None, "it is open"
            at = archive.fileobj.tell()
            header = archive.fileobj.read(self.size) if 0 <= self.size <= _TAR_HEADER_BYTES else None
            archive.steps += sum(len(digits) ** 2 for digits in _TAR_DIGITS.findall(header or b""))
            if header is None or archive.steps > _TAR_STEPS:
                raise tarfile.ReadError("a header that no log needs")
            archive.fileobj.seek(at)
        return super()._proc_member(archive)  # type: ignore[misc,no-any-return]  # not among its types


class _Tar(tarfile.TarFile):
    """A tar whose headers are looked at. steps: what searching those so far takes."""

    tarinfo, steps = _TarHeader, 0


def _members_of_tar(archive: tarfile.TarFile) -> list[_Member]:
    """Errors: TarError where what follows a file is neither another nor the end, which the library takes for it."""
    found = []
    for part in archive:  # links and devices are no files to read
        if part.isfile():
            found.append(_Member(part.name, _bytes_in_tar(part), False, partial(_of_tar, archive, part)))
        if len(found) > _MEMBERS_AT_MOST:
            return found
    assert archive.fileobj is not None, "it is open"
    archive.fileobj.seek(archive.offset)
    if archive.fileobj.read(tarfile.BLOCKSIZE).strip(b"\0"):
        raise tarfile.ReadError("a damaged header")
    return found


def _bytes_in_tar(part: tarfile.TarInfo) -> int:
    """What a file takes in the archive: of a sparse one, its holes are not there."""
    holes: list[tuple[int, int]] | None = getattr(part, "sparse", None)
    return part.size if holes is None else sum(length for _, length in holes)


def _of_tar(archive: tarfile.TarFile, part: tarfile.TarInfo) -> IO[bytes]:
    """The content of a file in a tar."""
    content = archive.extractfile(part)
    assert content is not None, "it is a file"
    return content


def _of_archive(
    members: list[_Member],
    path: str,
    folder: Path,
    on_bytes: Callable[[int], None] | None,
    wanted: str | None,
) -> tuple[Part, ...]:
    """Unpacks the files of an archive, or the wanted one, into a folder; those that systems add are left out.

    Errors: PlannerError for too many files, none at all, or content that grows beyond all logs.
    """
    members = [
        each
        for each in members
        if not each.name.startswith("__MACOSX/") and not Path(each.name).name.startswith(".")
    ]
    if len(members) > _MEMBERS_AT_MOST:
        raise unreadable(
            path, worded("contains {members} files", members=whole(len(members))), _UNPACK_YOURSELF
        )
    if not members:
        raise unreadable(path, worded("the archive is empty"), _COPY_AGAIN)
    found: list[Part] = []
    written = packed_bytes = 0
    for member, name in zip(members, _names_of(members), strict=True):
        if wanted not in (None, name):
            continue
        label = path if len(members) == 1 and wanted is None else f"{path}/{name}"
        found.append(_part(member, label, folder))
        if found[-1].fault is None:
            written, packed_bytes = written + found[-1].at.stat().st_size, packed_bytes + member.packed_bytes
        if _is_too_much(written, packed_bytes):  # files that are small for a bomb each
            for part in found:
                if part.is_temporary:
                    discard(part.at)
            raise _bomb(path)
        if on_bytes is not None:
            on_bytes(member.packed_bytes)
    if not found:
        raise _no_such_file(f"{path}/{wanted}")
    faults = [part.fault for part in found if part.fault is not None]
    if len(faults) == len(found):
        raise faults[0]
    return tuple(found)


def _names_of(members: list[_Member]) -> list[str]:
    """A name of one part for each file, in which no two are alike: `2026/07.csv` beside `2026_07.csv` has a number."""
    names, count = dict[Path, None](), Counter[Path]()
    for member in members:
        name = path = Path(member.name.removeprefix("./").replace("/", "_"))
        while name in names:
            count[path] += 1
            name = path.with_stem(f"{path.stem} ({count[path] + 1})")
        names[name] = None
    return list(map(str, names))


def _is_too_much(written: int, packed_bytes: int) -> bool:
    """Whether so many bytes from so few are suspicious."""
    return written > _SUSPICIOUS_ABOVE_BYTES and written > _RATIO_AT_MOST * max(1, packed_bytes)


def _bomb(path: str) -> PlannerError:
    """The error for an archive that unpacks to many times its size."""
    what = worded(
        "unpacks to over {ratio_at_most} times its size, too much for a log",
        ratio_at_most=whole(_RATIO_AT_MOST),
    )
    return unreadable(path, what, _UNPACK_YOURSELF)


def _part(member: _Member, label: str, folder: Path) -> Part:
    """One file of an archive, written out, or why it cannot be; where it is packed by itself, what is inside."""
    made: list[Path] = []
    try:
        if member.is_locked:
            raise unreadable(
                label, worded("needs a password"), worded("unpack it and choose the files inside")
            )
        with _spoken(label), member.open() as content:
            made.append(_write_out(content, None, label, folder, member.packed_bytes, None))
        if _begins(made[0]).startswith(STREAMS):
            with _spoken(label), made[0].open("rb") as packed, _opened(packed) as content:
                made.append(_write_out(content, None, label, folder, member.packed_bytes, None))
            discard(made[0])
        at = made[-1]
        if _is_tar(at) or (_begins(at).startswith(ZIP) and not _is_workbook(at)):
            raise unreadable(
                label, worded("an archive inside an archive"), worded("unpack it and choose the files inside")
            )
    except PlannerError as fault:
        for each in made:
            discard(each)
        return Part(path=label, at=folder, packed_bytes=member.packed_bytes, fault=fault)
    return Part(path=label, at=at, packed_bytes=member.packed_bytes, is_temporary=True)


def _is_workbook(path: Path) -> bool:
    """Whether a zip is a spreadsheet, or too broken to say: its own reader says more."""
    try:
        with zipfile.ZipFile(path) as archive:
            return any(name.lower().endswith("workbook.xml") for name in archive.namelist())
    except Exception:  # however it is broken
        return True


def _write_out(
    content: Readable,
    packed: IO[bytes] | None,
    path: str,
    folder: Path,
    packed_bytes: int,
    on_bytes: Callable[[int], None] | None,
) -> Path:
    """Errors: PlannerError where it unpacks to more than a log of its size can, or than the disk has room for."""
    at = folder / f"part_{1 + max((int(each.name[5:]) for each in folder.glob('part_*')), default=-1)}"
    written = told = 0
    try:
        with at.open("xb") as out:
            while chunk := content.read(_CHUNK_BYTES):
                written += len(chunk)
                if _is_too_much(written, packed_bytes):
                    raise _bomb(path)
                if shutil.disk_usage(folder).free < _ROOM_KEPT_BYTES:
                    raise _no_room(path)
                out.write(chunk)
                if on_bytes is not None and packed is not None:
                    on_bytes(packed.tell() - told)
                    told = packed.tell()
    except BaseException:
        discard(at)
        raise
    return at


@contextmanager
def _spoken(path: str) -> Iterator[None]:
    """What unpackers raise, in words."""
    try:
        yield
    except EOFError as fault:
        raise PlannerError(path, "truncated_file", worded("the file is cut off"), _COPY_AGAIN) from fault
    except (
        zipfile.BadZipFile,
        tarfile.TarError,
        zlib.error,
        NotImplementedError,
        RuntimeError,
        ValueError,
    ) as fault:
        raise _damaged(path) from fault
    except MemoryError as fault:
        raise want_of_memory(path) from fault
    except PermissionError as fault:
        raise unreadable(path, worded("permission denied"), worded("check your read permission")) from fault
    except OSError as fault:
        if is_want_of_disk(fault):
            raise _no_room(path) from fault
        if is_want_of_memory(fault):
            raise want_of_memory(path) from fault
        raise _damaged(path) from fault
    except Exception as fault:  # errors of their own, which only an import could name
        if type(fault).__name__ not in ("ZstdError", "LZMAError") and not isinstance(fault, _OF_DAMAGE):
            raise
        raise _damaged(path) from fault


def _damaged(path: str) -> PlannerError:
    """The error for what cannot be unpacked to its end."""
    return PlannerError(path, "truncated_file", worded("the archive is damaged or cut off"), _COPY_AGAIN)


def _no_room(path: str) -> PlannerError:
    """The error for a full disk."""
    fault = worded("not enough disk space to unpack it")
    return unreadable(path, fault, worded("free some gigabytes, and retry"))


def _no_such_file(path: str) -> PlannerError:
    """The error for an archive without the wanted file."""
    return PlannerError(path, "file_missing", worded("no such file in the archive"), worded("check the path"))
