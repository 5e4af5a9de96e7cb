"""Packed files: what is inside a .gz, .zst or .zip somebody gave us, written out beside the work, within limits."""

import shutil
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final, Protocol

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.worded import Worded, worded

GZIP: Final = b"\x1f\x8b"
ZSTD: Final = b"(\xb5/\xfd"
ZIP: Final = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")

_CHUNK_BYTES: Final = 2**20
_SUSPICIOUS_ABOVE_BYTES: Final = 64 * 2**20
_RATIO_AT_MOST: Final = 200  # logs shrink to a tenth or a thirtieth; more is made to fill a disk
_MEMBERS_AT_MOST: Final = 1000
_ROOM_KEPT_BYTES: Final = 2**30  # of the disk: the work itself needs some too
_ZSTD_BYTES: Final = 2048  # so few may stand for 64 MB
_WINDOW_BYTES_AT_MOST: Final = 2**27  # of zstd; what --long=27 writes

_COPY_AGAIN: Final = worded("copy or download it again")
_UNPACK_YOURSELF: Final = worded(
    "unpack it yourself if you trust where it comes from, and give what is inside"
)


class Readable(Protocol):
    """Bytes that come out of an unpacker."""

    def read(self, size: int, /) -> bytes: ...


@dataclass(frozen=True, slots=True)
class Part:
    """One file to read. path: as the planner would name it; at: where its bytes are; packed_bytes: what it took.

    fault: why it cannot be had, where it is one of several in an archive; then there is nothing to read.
    """

    path: str
    at: Path
    packed_bytes: int
    fault: PlannerError | None = None


def parts_of(path: str, folder: Path, on_bytes: Callable[[int], None] | None = None) -> tuple[Part, ...]:
    """The file itself, or what is packed in it, written into the folder; each part of a zip by itself.

    `logs.zip/july.csv` names one part of a zip. on_bytes: told what of the given file is done. Where some parts of a
    zip cannot be had, they say so themselves. Errors: PlannerError file_missing, file_unreadable, truncated_file.
    """
    given = Path(path)
    if not given.exists() and given.parent.is_file() and _begins(given.parent).startswith(ZIP):
        return _of_zip(given.parent, str(given.parent), folder, on_bytes, wanted=given.name)
    first = _begins(given) if given.is_file() else b""
    size = given.stat().st_size if given.is_file() else 0
    if first.startswith(GZIP):
        import gzip

        with _spoken(path), given.open("rb") as packed, gzip.open(packed) as content:
            return (Part(path, _write_out(content, packed, path, folder, size, on_bytes), size),)
    if first.startswith(ZSTD):
        with _spoken(path), given.open("rb") as packed:
            at = _write_out(_ZstdFrames(packed), packed, path, folder, size, on_bytes)
            return (Part(path, at, size),)
    if first.startswith(ZIP):
        return _of_zip(given, path, folder, on_bytes)
    return (Part(path, given, size),)


def _begins(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(4)
    except OSError:
        return b""  # whoever reads it says what is wrong


class _ZstdFrames:
    """One frame after the other. The library's own reader takes a frame that is cut off for a whole one."""

    def __init__(self, packed: IO[bytes]) -> None:
        import zstandard

        self._packed, self._library = (
            packed,
            zstandard.ZstdDecompressor(max_window_size=_WINDOW_BYTES_AT_MOST),
        )
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


def _of_zip(
    archive_path: Path,
    path: str,
    folder: Path,
    on_bytes: Callable[[int], None] | None,
    wanted: str | None = None,
) -> tuple[Part, ...]:
    size = archive_path.stat().st_size
    with _spoken(path), zipfile.ZipFile(archive_path) as archive:
        names = [part.filename.lower() for part in archive.infolist()]
        if any(name.endswith("workbook.xml") for name in names):
            return (Part(path, archive_path, size),)  # a spreadsheet, which has a reader of its own
        members = [
            part
            for part in archive.infolist()
            if not part.is_dir()
            and not part.filename.startswith("__MACOSX/")
            and not Path(part.filename).name.startswith(".")
        ]
        if len(members) > _MEMBERS_AT_MOST:
            raise _refused(
                path, worded("it holds {members} files", members=f"{len(members):,}"), _UNPACK_YOURSELF
            )
        if not members:
            raise _refused(path, worded("it is an archive with nothing in it"), _COPY_AGAIN)
        found = []
        for member in members:
            name = member.filename.replace("/", "_")
            if wanted not in (None, name):
                continue
            label = path if len(members) == 1 and wanted is None else f"{path}/{name}"
            part = _member(archive, member, label, folder)
            if on_bytes is not None:
                on_bytes(member.compress_size)
            found.append(part)
    if not found:
        raise PlannerError(
            f"{path}/{wanted}",
            "file_missing",
            worded("the archive has no such file"),
            worded("check the path"),
        )
    faults = [part.fault for part in found if part.fault is not None]
    if len(faults) == len(found):
        raise faults[0]
    return tuple(found)


def _member(archive: zipfile.ZipFile, member: zipfile.ZipInfo, label: str, folder: Path) -> Part:
    """One file of a zip, written out, or why it cannot be."""
    before = set(folder.glob("part_*"))
    try:
        if member.flag_bits & 1:
            raise _refused(
                label, worded("it is locked with a password"), worded("unpack it and give the files inside")
            )
        with _spoken(label), archive.open(member) as content:
            at = _write_out(content, None, label, folder, member.compress_size, None)
        if _begins(at).startswith(ZIP) and not _is_workbook(at):
            raise _refused(
                label,
                worded("it is an archive within an archive"),
                worded("unpack it and give the files inside"),
            )
    except PlannerError as fault:
        for at in set(folder.glob("part_*")) - before:
            at.unlink(missing_ok=True)
        return Part(label, folder, member.compress_size, fault)
    return Part(label, at, member.compress_size)


def _is_workbook(path: Path) -> bool:
    """Whether a zip is a spreadsheet, or too broken to say: its own reader says more."""
    try:
        with zipfile.ZipFile(path) as archive:
            return any(name.lower().endswith("workbook.xml") for name in archive.namelist())
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
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
    at = folder / f"part_{sum(1 for _ in folder.glob('part_*'))}"
    written = told = 0
    with at.open("wb") as out:
        while chunk := content.read(_CHUNK_BYTES):
            written += len(chunk)
            if written > _SUSPICIOUS_ABOVE_BYTES and written > _RATIO_AT_MOST * max(1, packed_bytes):
                what = worded(
                    "it unpacks to more than {ratio_at_most} times its size, which no log does",
                    ratio_at_most=_RATIO_AT_MOST,
                )
                raise _refused(path, what, _UNPACK_YOURSELF)
            if shutil.disk_usage(folder).free < _ROOM_KEPT_BYTES:
                raise _refused(
                    path,
                    worded("there is no room on the disk to unpack it"),
                    worded("free some gigabytes and try again"),
                )
            out.write(chunk)
            if on_bytes is not None and packed is not None:
                on_bytes(packed.tell() - told)
                told = packed.tell()
    return at


@contextmanager
def _spoken(path: str) -> Iterator[None]:
    """What unpackers raise, in words."""
    try:
        yield
    except EOFError as fault:
        raise PlannerError(path, "truncated_file", worded("its end is missing"), _COPY_AGAIN) from fault
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, ValueError) as fault:
        raise PlannerError(
            path, "truncated_file", worded("its packing is damaged or cut off"), _COPY_AGAIN
        ) from fault
    except PermissionError as fault:
        raise _refused(
            path, worded("permission denied"), worded("check that it is a file you may read")
        ) from fault
    except OSError as fault:
        raise PlannerError(
            path, "truncated_file", worded("its packing is damaged or cut off"), _COPY_AGAIN
        ) from fault
    except Exception as fault:  # zstandard's own error, which only its import could name
        if type(fault).__name__ != "ZstdError":
            raise
        raise PlannerError(
            path, "truncated_file", worded("its packing is damaged or cut off"), _COPY_AGAIN
        ) from fault


def _refused(path: str, what: Worded, remedy: Worded) -> PlannerError:
    return PlannerError(path, "file_unreadable", what, remedy)
