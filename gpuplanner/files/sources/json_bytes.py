"""JSON as bytes in UTF-8, kept from what its parser dies of: deep nesting, and whole numbers of thousands of digits.

The parser's memory grows with the square of the nesting, and at a number that Python refuses it ends the process.
"""

import io
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import numpy as np

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.sources.decoding import errors_of
from gpuplanner.files.sources.source import TEXT, Source

DEPTH_AT_MOST: Final = 200
"""Logs go ten or twenty deep."""

DIGITS_AT_MOST: Final = 4000
"""Python reads no whole number of over 4,300."""

_CHUNK: Final = 2**16
_BOM: Final = b"\xef\xbb\xbf"
_DIGITS: Final = b"0123456789"
_DIGITS_ALIKE: Final = bytes(ord("0") if byte in _DIGITS else byte for byte in range(256))
_STRIDE: Final = (
    DIGITS_AT_MOST // 2
)  # a number that is too long has two neighbours among the bytes at this distance
_LONG_NUMBER: Final = re.compile(rb"[0-9]{%d,}" % DIGITS_AT_MOST)
_QUOTE: Final = ord('"')
_NOT_MARKS: Final = bytes(byte for byte in range(256) if byte not in b'"[]{}')
_STEP: Final = np.zeros(256, dtype=np.int8)
_STEP[list(b"[{")], _STEP[list(b"]}")] = 1, -1

_HIGH: Final = rb"\\u[dD][89abAB][0-9a-fA-F]{2}"
_LOW: Final = rb"\\u[dD][c-fC-F][0-9a-fA-F]{2}"
_ESCAPE: Final = re.compile(rb"%s%s|(%s|%s)|\\." % (_HIGH, _LOW, _HIGH, _LOW), re.S)
_OPEN_ESCAPE: Final = re.compile(rb"\\*(?:%s)?(?:\\(?:u[0-9a-fA-F]{0,3})?)?\Z" % _HIGH)
_ESCAPE_BYTES: Final = 12
_NAMED: Final = re.compile(rb'"(?:[^"\\]|\\.)*(?:"|\Z)|(-?\b(?:NaN|Infinity)\b)', re.S)
_OPEN_NAME: Final = re.compile(rb"-?(?:N(?:aN?)?|I(?:n(?:f(?:i(?:n(?:i(?:ty?)?)?)?)?)?)?)\Z|-\Z")
_NAME_BYTES: Final = 9
_NO_LETTER: Final = rb"\ufffd"


class TooDeepError(ValueError):
    """JSON nested deeper than any log."""


class Watch:
    """How deep JSON is nested and how long its numbers are, followed chunk by chunk at the speed of bytes."""

    def __init__(self) -> None:
        self._depth, self._is_in_string, self._escape, self._digits = 0, False, b"", b""

    @property
    def is_in_string(self) -> bool:
        """Whether what was added ends within a text."""
        return bool(self._is_in_string)

    def add(self, chunk: bytes) -> None:
        """Errors: TooDeepError above DEPTH_AT_MOST; ValueError for a number of thousands of digits."""
        self._measure(chunk)
        self.nest(chunk)

    def _measure(self, chunk: bytes) -> None:
        """ValueError if a number outside a string has too many digits; it may run over several chunks."""
        numbers = self._digits + chunk
        if b"00" in numbers[::_STRIDE].translate(_DIGITS_ALIKE):
            for found in _LONG_NUMBER.finditer(numbers):
                before, _ = self._marks(chunk[: max(0, found.start() - len(self._digits))])
                if (before.count(b'"') + self._is_in_string) % 2 == 0:
                    raise ValueError(f"a number has over {DIGITS_AT_MOST:,} digits")
        self._digits = numbers[len(numbers.rstrip(_DIGITS)) :][-DIGITS_AT_MOST:]

    def nest(self, chunk: bytes) -> None:
        """The nesting alone. Errors: TooDeepError above DEPTH_AT_MOST.

        Cheap: a chunk is looked at as an array of bytes, not letter by letter.
        """
        found, self._escape = self._marks(chunk)
        if not found:
            return
        marks = np.frombuffer(found, dtype=np.uint8)
        quotes = np.cumsum(marks == _QUOTE, dtype=np.uint8)  # it is only asked whether they are even
        is_outside = (quotes & 1) == self._is_in_string
        depths = np.cumsum(_STEP[marks[is_outside]], dtype=np.int32)
        if depths.size:
            if self._depth + int(depths.max()) > DEPTH_AT_MOST:
                raise TooDeepError
            self._depth = max(0, self._depth + int(depths[-1]))
        self._is_in_string = not is_outside[-1]

    def _marks(self, chunk: bytes) -> tuple[bytes, bytes]:
        """The quotes and brackets that no backslash stands before, and the backslash that it ends in."""
        chunk = self._escape + chunk
        if b"\\" not in chunk:
            return chunk.translate(None, _NOT_MARKS), b""
        escape = b"\\" * ((len(chunk) - len(chunk.rstrip(b"\\"))) % 2)
        chunk = chunk[: len(chunk) - len(escape)].replace(b"\\\\", b"").replace(b'\\"', b"")
        return chunk.translate(None, _NOT_MARKS), escape


def with_whole_letters(data: bytes) -> bytes:
    """Escaped halves of letters (a name in another encoding has them) as the sign for no letter, U+FFFD.

    Whole pairs of halves stay.
    """
    if b"\\ud" not in data and b"\\uD" not in data:
        return data
    return _ESCAPE.sub(lambda found: _NO_LETTER if found[1] else found[0], data)


def with_named_numbers(data: bytes, *, is_in_string: bool) -> bytes:
    """NaN and Infinity, which JSON does not know and some programs write, as texts; those within texts stay.

    >>> with_named_numbers(b'{"a": NaN, "b": "NaN"}', is_in_string=False)
    b'{"a": "NaN", "b": "NaN"}'
    """
    if b"NaN" not in data and b"Infinity" not in data:
        return data
    named = _NAMED.sub(lambda found: b'"%s"' % found[1] if found[1] else found[0], b'"' * is_in_string + data)
    return named[is_in_string:]


class GuardedBytes:
    """A file of bytes for a JSON parser. is_at_end: whether the parser was told that there are no more."""

    def __init__(self, read: Callable[[int], bytes]) -> None:
        self._read, self._watch, self._held, self.is_at_end = read, Watch(), b"", False

    def read(self, size: int = -1) -> bytes:
        """The next bytes, a few more than asked for at times; none for a read of nothing.

        Errors: as Watch.add.

        size: -1 is a chunk. An escape or a name is never cut in two.
        """
        if size == 0:
            return b""
        chunk = b""
        while not chunk and not self.is_at_end:
            taken = self._read(min(size, _CHUNK) if size > 0 else _CHUNK)
            chunk, self._held = (
                _up_to_name(*_up_to_escape(self._held + taken)) if taken else (self._held, b"")
            )
            self.is_at_end = not taken and not chunk
        chunk = with_whole_letters(chunk)
        chunk = with_named_numbers(chunk, is_in_string=self._watch.is_in_string)
        self._watch.add(chunk)
        return chunk


def _up_to_escape(data: bytes) -> tuple[bytes, bytes]:
    """Bytes up to an escape, or half a letter, that may go on; and the rest."""
    if b"\\" not in data[-_ESCAPE_BYTES:]:
        return data, b""
    found = _OPEN_ESCAPE.search(data, len(data[:-_ESCAPE_BYTES].rstrip(b"\\")))
    at = found.start() if found else len(data)
    return data[:at], data[at:]


def _up_to_name(data: bytes, held: bytes) -> tuple[bytes, bytes]:
    """Bytes up to the letters of a name of a number that may go on; and the rest."""
    found = _OPEN_NAME.search(data, max(0, len(data) - _NAME_BYTES))
    at = found.start() if found and not held else len(data)
    return data[:at], data[at:] + held


def bytes_of_head(head: str) -> GuardedBytes:
    """The beginning of a file for a JSON parser."""
    return GuardedBytes(io.BytesIO(head.lstrip("\ufeff").encode("utf-8", "replace")).read)


@contextmanager
def json_bytes(source: Source) -> Iterator[GuardedBytes]:
    """A text file of any encoding for a JSON parser. Errors: PlannerError file_unreadable where it is no text."""
    if source.kind != TEXT:
        raise PlannerError(
            source.path, "file_unreadable", worded("it is no JSON"), worded("export it as JSON")
        )
    if source.encoding in ("utf-8", "utf-8-sig"):
        with Path(source.at).open("rb") as file:
            if file.read(len(_BOM)) != _BOM:
                file.seek(0)
            yield GuardedBytes(file.read)
    else:
        errors = errors_of(source.encoding)
        with Path(source.at).open(encoding=source.encoding, errors=errors, newline="") as text:
            yield GuardedBytes(lambda size: text.read(size).encode("utf-8", "replace"))
