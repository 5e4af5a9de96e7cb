"""JSON in the shapes that tools export: an array, a list inside an object, objects one after the other or by line."""

import io
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, Protocol

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.source import TEXT, Source

_EVENTS_AT_MOST: Final = 4000
_CHUNK_CHARACTERS: Final = 2**16
_BOM: Final = b"\xef\xbb\xbf"
_DIGITS_ALIKE: Final = bytes(ord("0") if chr(byte).isdecimal() else byte for byte in range(256))
_TOO_LONG: Final = b"0" * 4000  # Python refuses to read an integer of over 4,300 digits
_WHERE: Final = re.compile(r"\(.*|\n.*", re.S)


@lru_cache(maxsize=8)
def json_paths(head: str) -> Mapping[str, str | None]:
    """What a beginning holds, if it is JSON: each path such as `items.item.kind` with its first text or number.

    Nothing where it is no JSON. A beginning may end anywhere.
    """
    import ijson

    text = head.lstrip("\ufeff \t\r\n")
    if text[:1] not in ("{", "["):
        return {}
    found: dict[str, str | None] = {}
    try:
        begin = _Guarded(io.BytesIO(text.encode("utf-8", "replace")))
        parsed = ijson.parse(begin, multiple_values=True, buf_size=512)
        for count, (path, event, value) in enumerate(parsed):
            if count > _EVENTS_AT_MOST:
                break
            if event in ("string", "number", "boolean", "null"):
                found.setdefault(path, None if value is None else str(value))
            elif event in ("start_map", "start_array"):
                found.setdefault(path, None)
    except (ijson.JSONError, ValueError, ArithmeticError, RecursionError):
        pass
    return found


def is_json(head: str) -> bool:
    """Whether a text begins as JSON."""
    return bool(json_paths(head))


def record_path(head: str, container: str = "") -> str:
    """Where the records are: `item` of an array, `container.item`, or empty for objects by themselves."""
    paths = json_paths(head)
    if "item" in paths:
        return "item"
    if container and container in paths:
        return f"{container}.item"
    return ""


def json_records(source: Source, container: str = "") -> Iterator[tuple[int, Any]]:
    """Every record as (row, value): the line where each stands on one line, else its number.

    container: the key of an object that holds a list of them. A line that is no JSON is its text. Numbers stay
    exact. Errors: PlannerError truncated_file, file_unreadable.
    """
    path = record_path(source.head, container)
    if not path and _is_by_line(source.head):
        yield from _by_line(source)
    else:
        yield from enumerate(json_values(source, path), 1)


def json_values(source: Source, path: str) -> Iterator[Any]:
    """Every value at a path, as it comes. Errors: as json_records."""
    import ijson

    with _utf8(source) as file, _spoken(source):
        yield from ijson.items(file, path, multiple_values=True)


def json_members(source: Source, path: str) -> Iterator[tuple[str, Any]]:
    """Every (key, value) of the objects at a path, as they come. Errors: as json_records."""
    import ijson

    with _utf8(source) as file, _spoken(source):
        yield from ijson.kvitems(file, path, multiple_values=True)


def text_of(value: object) -> str:
    """A scalar as text; empty for null, and for what is no scalar."""
    if value is None or isinstance(value, dict | list):
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def object_at(value: object, *path: str) -> dict[str, Any]:
    """The object at a path of keys; an empty one where there is none."""
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def objects_in(value: object, *path: str) -> list[dict[str, Any]]:
    """The objects of the list at a path of keys; none where there is no list."""
    found = object_at(value, *path[:-1]).get(path[-1]) if path else value
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def _is_by_line(head: str) -> bool:
    first = next((line for line in head.lstrip("\ufeff").splitlines() if line.strip()), "")
    return isinstance(_parsed(first), dict)


def _by_line(source: Source) -> Iterator[tuple[int, Any]]:
    with source.text_lines() as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                value = _parsed(line.lstrip("\ufeff"))
                yield number, line.strip() if value is None else value


def _parsed(line: str) -> Any:
    try:
        return json.loads(line, parse_float=str)
    except (ValueError, RecursionError):
        return None


class _Bytes(Protocol):
    def read(self, size: int = -1, /) -> bytes: ...


@contextmanager
def _utf8(source: Source) -> Iterator[_Bytes]:
    if source.kind != TEXT:
        raise PlannerError(source.path, "file_unreadable", "it is no JSON", "export it as JSON")
    if source.encoding in ("utf-8", "utf-8-sig"):
        with Path(source.at).open("rb") as file:
            if file.read(len(_BOM)) != _BOM:
                file.seek(0)
            yield _Guarded(file)
    else:
        with source.text_lines() as lines:
            yield _Guarded(_Encoded(lines))


class _Guarded:
    """Bytes without numbers so long that Python refuses them: at those the parser below would end the process."""

    def __init__(self, file: _Bytes) -> None:
        self._file, self._before = file, b""

    def read(self, size: int = -1, /) -> bytes:
        """Errors: ValueError at such a number."""
        data = self._file.read(size)
        seen = self._before + data.translate(_DIGITS_ALIKE)
        if _TOO_LONG in seen:
            raise ValueError(f"a number has over {len(_TOO_LONG):,} digits")
        self._before = seen[1 - len(_TOO_LONG) :]
        return data


class _Encoded:
    """Text lines as a file of UTF-8 bytes."""

    def __init__(self, lines: Iterator[str]) -> None:
        self._lines = lines

    def read(self, size: int = -1, /) -> bytes:
        """At least one line, until none is left; nothing for a read of nothing."""
        if size == 0:
            return b""
        taken: list[str] = []
        length = 0
        for line in self._lines:
            taken.append(line)
            length += len(line)
            if length >= _CHUNK_CHARACTERS:
                break
        return "".join(taken).lstrip("\ufeff").encode("utf-8", "replace")


@contextmanager
def _spoken(source: Source) -> Iterator[None]:
    """What a JSON parser says, in words."""
    import ijson

    try:
        yield
    except ijson.IncompleteJSONError as fault:
        if "premature EOF" in str(fault) or "ncomplete" in str(fault):
            what, remedy = "its JSON ends in the middle", "copy or download it again"
            raise PlannerError(source.path, "truncated_file", what, remedy) from None
        raise _no_json(source, fault) from None
    except (ijson.JSONError, ValueError, ArithmeticError, RecursionError) as fault:
        raise _no_json(source, fault) from None


def _no_json(source: Source, fault: Exception) -> PlannerError:
    reason = _WHERE.sub("", str(fault)).strip() or "it cannot be read"
    return PlannerError(source.path, "file_unreadable", f"it is no sound JSON: {reason}", "export it again")
