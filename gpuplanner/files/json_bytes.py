"""JSON as bytes in UTF-8, kept from what the parser dies of: its memory grows with the square of the nesting."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Final

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.source import Source

DEPTH_AT_MOST: Final = 200
"""Logs go ten or twenty deep."""

_CHUNK: Final = 2**16
_DIGITS: Final = b"0123456789"
_DIGITS_AT_MOST: Final = 4000
_MARKS: Final = b'"[]{}'
_OTHERS: Final = bytes(byte for byte in range(256) if byte not in _MARKS)
_STRING: Final = re.compile(rb'"[^"]*"')
_LONG_NUMBER: Final = re.compile(rb"[0-9]{%d}" % _DIGITS_AT_MOST)


class TooDeepError(ValueError):
    """JSON nested deeper than any log."""


class Watch:
    """How deep JSON is nested and how long its numbers are, followed chunk by chunk at the speed of bytes."""

    def __init__(self) -> None:
        self._depth, self._is_in_string, self._tail, self._digits = 0, False, b"", b""

    def add(self, chunk: bytes) -> None:
        """Errors: TooDeepError above DEPTH_AT_MOST; ValueError for a number of thousands of digits."""
        numbers = self._digits + chunk
        if _LONG_NUMBER.search(numbers):
            raise ValueError
        self._digits = numbers[len(numbers.rstrip(_DIGITS)) :]
        self._nest(self._tail + chunk)

    def _nest(self, chunk: bytes) -> None:
        plain = chunk.rstrip(b"\\")
        self._tail = b"\\" if (len(chunk) - len(plain)) % 2 else b""
        chunk = chunk[: len(chunk) - len(self._tail)]
        marks = chunk.replace(b"\\\\", b"").replace(b'\\"', b"").translate(None, _OTHERS)
        if self._is_in_string:
            _, quote, marks = marks.partition(b'"')
            self._is_in_string = not quote
        before, quote, _ = _STRING.sub(b"", marks).partition(b'"')
        self._is_in_string = self._is_in_string or bool(quote)
        self._follow(before)

    def _follow(self, brackets: bytes) -> None:
        layers = 0
        while len(shorter := brackets.replace(b"{}", b"").replace(b"[]", b"")) < len(brackets):
            brackets, layers = shorter, layers + 1
            if layers > DEPTH_AT_MOST:
                raise TooDeepError
        opened = brackets.count(b"{") + brackets.count(b"[")
        self._depth = max(0, self._depth - (len(brackets) - opened)) + opened
        if self._depth > DEPTH_AT_MOST:
            raise TooDeepError


class _Watched:
    """A text file as a file of UTF-8 bytes, for as long as it is not nested too deep."""

    def __init__(self, text: IO[str]) -> None:
        self._text, self._watch = text, Watch()

    def read(self, size: int = -1) -> bytes:
        """The next bytes; none for a read of nothing. Errors: as Watch.add."""
        chunk = self._text.read(min(size, _CHUNK) if size >= 0 else _CHUNK).encode("utf-8", "replace")
        self._watch.add(chunk)
        return chunk


@contextmanager
def json_bytes(source: Source) -> Iterator[IO[bytes]]:
    """A text file of any encoding for a JSON parser. Its `read` raises what Watch.add does."""
    with Path(source.at).open(encoding=source.encoding, errors="replace", newline="") as text:
        yield _Watched(text)  # type: ignore[misc]


def whole_values(source: Source, path: str, on_fault: Callable[[str], None]) -> Iterator[Any]:
    """Every value at a path (as ijson names it), one at a time, until the end or until the JSON is cut off or broken.

    on_fault is then told what is wrong, in words. Floats come as Decimal. Errors: PlannerError file_unreadable where
    it is nested too deep.
    """
    import ijson

    try:
        with json_bytes(source) as file:
            yield from ijson.items(file, path, multiple_values=True)
    except TooDeepError as fault:
        what = f"its JSON is nested more than {DEPTH_AT_MOST} deep"
        raise PlannerError(source.path, "file_unreadable", what, "it is no log; export it again") from fault
    except (ijson.JSONError, ValueError, ArithmeticError, RecursionError) as fault:
        is_cut = isinstance(fault, ijson.IncompleteJSONError) and (
            "premature EOF" in str(fault) or "ncomplete" in str(fault)
        )
        on_fault("its JSON is cut off" if is_cut else "its JSON is broken")
