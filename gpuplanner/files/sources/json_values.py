"""The one place that parses JSON files of others: values of a file one at a time, of a text, or of a beginning cut off.

Paths are as ijson names them: `item` of an array at the top, `jobs.item` of one in an object, empty for the top itself.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import lru_cache
from itertools import islice
from typing import Any, Final

from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.sources.json_bytes import (
    DEPTH_AT_MOST,
    GuardedBytes,
    TooDeepError,
    Watch,
    bytes_of_head,
    json_bytes,
    with_whole_letters,
)
from gpuplanner.files.sources.source import Source

_EVENTS_AT_MOST: Final = 4000
_PATH_AT_MOST: Final = 2000
_HEAD_BYTES_AT_ONCE: Final = 512  # what stands in one piece with a fault is not told
_BEGIN: Final = "\ufeff \t\r\n"
_BLANKS: Final = re.compile(r"[\s,]*")
_REASON: Final = re.compile(r"error: ([^\n(\\]*[^\n(\\ .])")
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
                what, remedy = worded("its JSON is cut off"), worded("export or copy it again")
                raise PlannerError(source.path, "truncated_file", what, remedy) from None
            raise _broken(source.path, fault) from None


def _too_deep(path: str) -> PlannerError:
    """The error for JSON that is nested deeper than any export is."""
    what = worded("its JSON is nested more than {depth_at_most} deep", depth_at_most=whole(DEPTH_AT_MOST))
    return PlannerError(path, "file_unreadable", what, worded("export it again"))


def _broken(path: str, fault: Exception) -> PlannerError:
    """The error for JSON that is no JSON, with the parser's own reason where that is plain."""
    found = _REASON.search(str(fault))
    reason = found[1] if found else str(fault).partition("\n")[0][:80]
    what = (
        worded("its JSON is broken ({reason})", reason=reason)
        if reason and "[<" not in reason
        else worded("its JSON is broken")
    )
    return PlannerError(path, "file_unreadable", what, worded("export it again"))


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
    found: dict[str, str | None] = {}
    for path, event, value in islice(head_events(head), _EVENTS_AT_MOST) if begins_json(head) else ():
        if event in ("string", "number", "boolean", "null"):
            found.setdefault(path, None if value is None else str(value))
        elif event in ("start_map", "start_array"):
            found.setdefault(path, None)
    return found


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
        what = worded("it is no whole JSON ({value})", value=str(fault)[:80])
        raise PlannerError(where, "file_unreadable", what, worded("export it again")) from None
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
        found = _DECODER.decode(_guarded(text))
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _guarded(text: str) -> str:
    """The text, with whole letters alone. Errors: TooDeepError."""
    if text.count("[") + text.count("{") > DEPTH_AT_MOST:
        Watch().nest(text.encode("utf-8", "replace"))
    if "\\ud" in text or "\\uD" in text:
        return with_whole_letters(text.encode("utf-8", "replace")).decode()
    return text


def _after_blanks(text: str, at: int) -> int:
    """The place of the next sign that is no blank."""
    found = _BLANKS.match(text, at)
    return found.end() if found else at
