"""The one place that parses JSON files of others: made safe as bytes, one value or object at a time."""

import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, Final

import numpy as np

from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.sources.source import TEXT, Source, errors_of
from gpuplanner.files.system.output_file import unreadable
from gpuplanner.lazy_re import lazy_re

# --- JSON as bytes in UTF-8, kept from what its parser dies of: deep nesting, and whole numbers of thousands of digits
# The parser's memory grows with the square of the nesting, and at a number that Python refuses it ends the process.

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
_LONG_NUMBER: Final = lazy_re(rb"[0-9]{%d,}" % DIGITS_AT_MOST)
_QUOTE: Final = ord('"')
_NOT_MARKS: Final = bytes(byte for byte in range(256) if byte not in b'"[]{}')
_STEP: Final = np.zeros(256, dtype=np.int8)
_STEP[list(b"[{")], _STEP[list(b"]}")] = 1, -1

_HIGH: Final = rb"\\u[dD][89abAB][0-9a-fA-F]{2}"
_LOW: Final = rb"\\u[dD][c-fC-F][0-9a-fA-F]{2}"
_ESCAPE: Final = lazy_re(rb"(?s)%s%s|(%s|%s)|\\." % (_HIGH, _LOW, _HIGH, _LOW))
_OPEN_ESCAPE: Final = lazy_re(rb"\\*(?:%s)?(?:\\(?:u[0-9a-fA-F]{0,3})?)?\Z" % _HIGH)
_ESCAPE_BYTES: Final = 12
_NAMED: Final = lazy_re(rb'(?s)"(?:[^"\\]|\\.)*(?:"|\Z)|(-?\b(?:NaN|Infinity)\b)')
_OPEN_NAME: Final = lazy_re(rb"-?(?:N(?:aN?)?|I(?:n(?:f(?:i(?:n(?:i(?:ty?)?)?)?)?)?)?)\Z|-\Z")
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
            for match in _LONG_NUMBER.finditer(numbers):
                before, _ = self._marks(chunk[: max(0, match.start() - len(self._digits))])
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
    return _ESCAPE.sub(lambda match: _NO_LETTER if match[1] else match[0], data)


def with_named_numbers(data: bytes, *, is_in_string: bool) -> bytes:
    """NaN and Infinity, which JSON does not know and some programs write, as texts; those within texts stay.

    >>> with_named_numbers(b'{"a": NaN, "b": "NaN"}', is_in_string=False)
    b'{"a": "NaN", "b": "NaN"}'
    """
    if b"NaN" not in data and b"Infinity" not in data:
        return data
    named = _NAMED.sub(lambda match: b'"%s"' % match[1] if match[1] else match[0], b'"' * is_in_string + data)
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
    match = _OPEN_ESCAPE.search(data, len(data[:-_ESCAPE_BYTES].rstrip(b"\\")))
    at = match.start() if match else len(data)
    return data[:at], data[at:]


def _up_to_name(data: bytes, held: bytes) -> tuple[bytes, bytes]:
    """Bytes up to the letters of a name of a number that may go on; and the rest."""
    match = _OPEN_NAME.search(data, max(0, len(data) - _NAME_BYTES))
    at = match.start() if match and not held else len(data)
    return data[:at], data[at:] + held


def bytes_of_head(head: str) -> GuardedBytes:
    """The beginning of a file for a JSON parser."""
    return GuardedBytes(io.BytesIO(head.lstrip("\ufeff").encode("utf-8", "replace")).read)


@contextmanager
def json_bytes(source: Source) -> Iterator[GuardedBytes]:
    """A text file of any encoding for a JSON parser. Errors: PlannerError file_unreadable where it is no text."""
    if source.kind != TEXT:
        raise unreadable(source.path, worded("not JSON"), worded("export it as JSON"))
    if source.encoding in ("utf-8", "utf-8-sig"):
        with Path(source.at).open("rb") as file:
            if file.read(len(_BOM)) != _BOM:
                file.seek(0)
            yield GuardedBytes(file.read)
    else:
        errors = errors_of(source.encoding)
        with Path(source.at).open(encoding=source.encoding, errors=errors, newline="") as text:
            yield GuardedBytes(lambda size: text.read(size).encode("utf-8", "replace"))


# --- The one place that parses JSON files of others: values of a file one at a time, of a text, or of a beginning cut
# off
# Paths are as ijson names them: `item` of an array at the top, `jobs.item` of one in an object, empty for the top
# itself.

_EVENTS_AT_MOST: Final = 4000
_PATH_AT_MOST: Final = 2000
_HEAD_BYTES_AT_ONCE: Final = 512  # what stands in one piece with a fault is not told
_BEGIN: Final = "\ufeff \t\r\n"
_BLANKS: Final = lazy_re(r"[\s,]*")
_REASON: Final = lazy_re(r"error: ([^\n(\\]*[^\n(\\ .])")
_DECODER: Final = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=str)


def begins_json(head: str) -> bool:
    """Whether a text may be JSON, by its first letter.

    >>> begins_json(" [1]"), begins_json("a,b")
    (True, False)
    """
    return head.lstrip(_BEGIN)[:1] in ("{", "[")


def outer_path(head: str) -> str:
    """The path of the outermost values: `item` in an array, empty for values one after the other.

    >>> outer_path(" [1]"), outer_path("{}")
    ('item', '')
    """
    return "item" if head.lstrip(_BEGIN).startswith("[") else ""


def json_values(source: Source, path: str, *, has_floats: bool = False) -> Iterator[Any]:
    """Every value at a path, as it comes. Numbers stay exact (int, Decimal), unless floats are asked for.

    Errors: PlannerError truncated_file where the JSON is cut off, file_unreadable where it is broken or nested too
    deep.
    """
    import ijson

    with _parsing(source) as file:
        yield from ijson.items(file, path, multiple_values=True, use_float=has_floats)


def json_members(source: Source, path: str) -> Iterator[tuple[str, Any]]:
    """Every (key, value) of the objects at a path, as they come. Errors: as json_values."""
    import ijson

    with _parsing(source) as file:
        yield from ijson.kvitems(file, path, multiple_values=True)


def whole_values(source: Source, path: str, on_fault: Callable[[Message], None]) -> Iterator[Any]:
    """As json_values, until the end or until the JSON is cut off or broken: on_fault is then told what is wrong.

    Errors: PlannerError file_unreadable where it is nested too deep.
    """
    try:
        yield from json_values(source, path)
    except PlannerError as fault:
        if isinstance(fault.__cause__, TooDeepError):
            raise
        on_fault(fault.what)


@contextmanager
def _parsing(source: Source) -> Iterator[GuardedBytes]:
    """What the parser says, in words."""
    import ijson

    with json_bytes(source) as file:
        try:
            yield file
        except TooDeepError as fault:
            raise _too_deep(source.path) from fault
        except (ijson.JSONError, ValueError, ArithmeticError, RecursionError) as fault:
            if file.is_at_end:
                problem, remedy = worded("the file is cut off"), worded("copy or export it again")
                raise PlannerError(source.path, "truncated_file", problem, remedy) from None
            raise _broken(source.path, fault) from None


def _too_deep(path: str) -> PlannerError:
    """The error for JSON that is nested deeper than any export is."""
    problem = worded("JSON nested over {depth_at_most} deep", depth_at_most=whole(DEPTH_AT_MOST))
    return unreadable(path, problem, worded("export it again"))


def _broken(path: str, fault: Exception) -> PlannerError:
    """The error for JSON that is no JSON, with the parser's own reason where that is plain."""
    match = _REASON.search(str(fault))
    reason = match[1] if match else str(fault).partition("\n")[0][:80]
    if reason and "[<" not in reason:
        problem = worded("broken JSON ({reason})", reason=reason)
    else:
        problem = worded("broken JSON")
    return unreadable(path, problem, worded("export it again"))


def head_events(head: str) -> Iterator[tuple[str, str, Any]]:
    """What a beginning holds, as (path, ijson's name of the event, value), until it ends, breaks or goes too deep."""
    import ijson

    with suppress(ijson.JSONError, ValueError, ArithmeticError, RecursionError):
        for path, event, value in ijson.parse(
            bytes_of_head(head), multiple_values=True, buf_size=_HEAD_BYTES_AT_ONCE
        ):
            if len(path) > _PATH_AT_MOST:
                return
            yield path, event, value


@lru_cache(maxsize=8)
def json_paths(head: str) -> Mapping[str, str | None]:
    """What a beginning holds, if it is JSON: each path such as `items.item.kind` with its first text or number.

    Nothing where it is no JSON. A beginning may end anywhere.
    """
    paths: dict[str, str | None] = {}
    for path, event, value in islice(head_events(head), _EVENTS_AT_MOST) if begins_json(head) else ():
        if event in ("string", "number", "boolean", "null"):
            paths.setdefault(path, None if value is None else str(value))
        elif event in ("start_map", "start_array"):
            paths.setdefault(path, None)
    return paths


def values_of_text(text: str, where: str) -> list[Any]:
    """Every value of a text, one after the other, with commas or without. Numbers are texts, as they were written.

    Errors: PlannerError file_unreadable, named after where.
    """
    try:
        text = _guarded(text)
        values, at = list[Any](), _after_blanks(text, 0)
        while at < len(text):
            value, at = _DECODER.raw_decode(text, at)
            values.append(value)
            at = _after_blanks(text, at)
    except TooDeepError as fault:
        raise _too_deep(where) from fault
    except (ValueError, RecursionError) as fault:
        problem = worded("incomplete JSON ({value})", value=str(fault)[:80])
        raise unreadable(where, problem, worded("export it again")) from None
    return values


def object_of_line(line: str) -> dict[str, Any] | None:
    """The object of a line, with or without a comma behind it; None where it is none. Numbers are texts.

    >>> object_of_line('{"gpus": 8},'), object_of_line("[1]"), object_of_line("{")
    ({'gpus': '8'}, None, None)
    """
    text = line.strip(_BEGIN).removesuffix(",")
    if not text.startswith("{"):
        return None
    try:
        value = _DECODER.decode(_guarded(text))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _guarded(text: str) -> str:
    """The text, with whole letters alone. Errors: TooDeepError."""
    if text.count("[") + text.count("{") > DEPTH_AT_MOST:
        Watch().nest(text.encode("utf-8", "replace"))
    if "\\ud" in text or "\\uD" in text:
        return with_whole_letters(text.encode("utf-8", "replace")).decode()
    return text


def _after_blanks(text: str, at: int) -> int:
    """The place of the next sign that is no blank."""
    match = _BLANKS.match(text, at)
    return match.end() if match else at


# --- JSON in the shapes that tools export: an array, a list inside an object, objects one after the other or by line

_EMPTY: Final = lazy_re(r'"([^"\\]{1,60})"\s*:\s*\[\s*\]')

LINES: Final = "lines"
"""The form of JSON with one object a line; any other form is the path of its records."""


def record_path(head: str, container: str = "") -> str:
    """Where the records are: `item` of an array, `container.item`, or empty for objects by themselves.

    >>> record_path('[{"id": 1}]'), record_path('{"jobs": [{"id": 1}]}', "jobs"), record_path('{"id": 1}')
    ('item', 'jobs.item', '')
    """
    paths = json_paths(head)
    if "item" in paths:
        return "item"
    return f"{container}.item" if container and container in paths else ""


def empty_list(source: Source) -> str:
    """The key of the only list of a document without any object in a list; empty where there is none such.

    A tool that found nothing writes such a file, which is no fault of it.
    """
    if source.kind != TEXT or not begins_json(source.head):
        return ""
    paths, matches = json_paths(source.head), _EMPTY.findall(source.head)
    return matches[0] if len(matches) == 1 and not any(path.endswith("item") for path in paths) else ""


def json_records(source: Source, container: str = "") -> Iterator[tuple[int, Any]]:
    """Every record as (row, value): the line where each stands on one line, else its number.

    container: the key of an object that holds a list of them; one that stands in some line only is a field of its
    own. A line that is no object is its text. Errors: as json_values.
    """
    lines = (line for line in source.head.lstrip("\ufeff").splitlines() if line.strip())
    first = object_of_line(next(lines, ""))
    is_by_line = first is not None and not isinstance(first.get(container), list)
    yield from numbered_values(source, LINES if is_by_line else record_path(source.head, container))


def numbered_values(source: Source, form: str) -> Iterator[tuple[int, Any]]:
    """Every value at a path, or of every line that is not blank, as (row, value). Errors: as json_values.

    Rows count from 1: values in their order, or lines as they stand in the file. A line that is no object
    is its text.
    """
    if form != LINES:
        yield from enumerate(json_values(source, form), 1)
        return
    with source.text_lines() as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                value = object_of_line(line)
                yield number, line.strip() if value is None else value


def json_objects(source: Source, path: str | None = None) -> Iterator[dict[str, Any]]:
    """Every object at a path, with floats; None: at the top, or in one array there. Errors: as json_values."""
    for value in json_values(source, outer_path(source.head) if path is None else path, has_floats=True):
        if isinstance(value, dict):
            yield value


def text_of(value: object) -> str:
    """A scalar as text; empty for null, and for what is no scalar.

    >>> text_of(8), text_of(True), text_of(None), text_of([1])
    ('8', 'true', '', '')
    """
    if value is None or isinstance(value, dict | list):
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def object_at(value: object, *path: str) -> dict[str, Any]:
    """The object at a path of keys; an empty one where there is none.

    >>> object_at({"a": {"b": {"c": 1}}}, "a", "b"), object_at({"a": 1}, "a", "b")
    ({'c': 1}, {})
    """
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def objects_in(value: object, *path: str) -> list[dict[str, Any]]:
    """The objects of the list at a path of keys; none where there is no list.

    >>> objects_in({"a": [{"b": 1}, 2]}, "a"), objects_in({"a": 1}, "a")
    ([{'b': 1}], [])
    """
    inner = object_at(value, *path[:-1]).get(path[-1]) if path else value
    return [each for each in inner if isinstance(each, dict)] if isinstance(inner, list) else []


def are_alike(values: Sequence[object]) -> bool:
    """Whether these are records of one kind, which an object holds by their names."""
    keys = [set(each) for each in values if isinstance(each, dict)]
    shared = set.intersection(*keys) if len(keys) == len(values) > 1 else set()
    return len(shared) > 1 and len(shared) * 2 >= max(map(len, keys))
