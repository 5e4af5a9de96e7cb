"""Records of JSON: lines of objects, an array of them, or objects one after another, each flattened to texts."""

import io
import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Final

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.json_bytes import DEPTH_AT_MOST, TooDeepError, Watch, json_bytes
from gpuplanner.files.source import TEXT, Source

LINES: Final = "lines"
"""The form of JSON with one object a line; any other form is the path of its records, as ijson names it."""

_DEPTH_AT_MOST: Final = 12
_ITEMS_AT_MOST: Final = 16
_KEYS_AT_MOST: Final = 1024

Record = dict[str, str]


def json_form(source: Source) -> str | None:
    """LINES, or the path of the records in one document (`item`, `jobs.item`, empty for the objects themselves).

    None where it is no JSON with objects in it.
    """
    head = source.head.lstrip("\ufeff \t\r\n")
    if source.kind != TEXT or head[:1] not in ("{", "["):
        return None
    lines = [line for line in head.splitlines() if line.strip()][:20]
    whole = [_object_of_line(line) is not None for line in lines]
    if len(lines) > 1 and (whole[0] or sum(whole) > len(whole) / 2):
        return LINES
    path = _path_of_records(head)
    return LINES if whole == [True] and (path or "").count(".") != 1 else path


def _path_of_records(head: str) -> str | None:
    """The array with most objects; where there is none, the outermost objects."""
    import ijson

    objects: dict[str, int] = {}
    with suppress(Exception):  # the head is cut off somewhere, is no JSON at all, or is nested too deep
        Watch().add(head.encode())
        for prefix, event, _ in ijson.parse(io.BytesIO(head.encode()), multiple_values=True):
            if event == "start_map" and prefix.count(".item") + (prefix == "item") <= 1:
                objects[prefix] = objects.get(prefix, 0) + 1
    arrays = {path: count for path, count in objects.items() if path == "item" or path.endswith(".item")}
    if arrays and objects.get("", 0) <= 1:
        return max(arrays, key=lambda path: arrays[path])
    return "" if objects else None


def json_records(source: Source, form: str) -> Iterator[tuple[int, Record | str]]:
    """Every record as (row number, texts by dotted key); a line that is no object as its text.

    Errors: PlannerError truncated_file, file_unreadable where a document is cut off or broken.
    """
    if form == LINES:
        with source.text_lines() as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    found = _object_of_line(line)
                    yield number, line.strip() if found is None else flat(found)
        return
    import ijson

    try:
        with json_bytes(source) as content:
            for number, value in enumerate(ijson.items(content, form, multiple_values=True), 1):
                yield number, flat(value) if isinstance(value, dict) else str(value)
    except ijson.IncompleteJSONError as fault:
        is_cut = "incomplete" in str(fault).lower() or "premature" in str(fault).lower()
        raise PlannerError(
            source.path,
            "truncated_file" if is_cut else "file_unreadable",
            "its end is missing" if is_cut else f"it is no sound JSON ({str(fault).splitlines()[0][:120]})",
            "copy or download it again",
        ) from fault
    except TooDeepError as fault:
        what = f"its JSON is nested more than {DEPTH_AT_MOST} deep"
        raise PlannerError(source.path, "file_unreadable", what, "it is no log; export it again") from fault
    except (ijson.JSONError, ArithmeticError, ValueError, RecursionError) as fault:
        what = f"it is no sound JSON ({(str(fault).splitlines() or [''])[0][:120]})"
        raise PlannerError(source.path, "file_unreadable", what, "write or download it again") from fault


def write_lines(source: Source, form: str, at: Path, rows_at_most: int) -> bool:
    """The first records as lines of flat objects; whether these are all. Errors: as json_records."""
    found = json_records(source, form)
    with at.open("w", encoding="utf-8") as out:
        for _, record in islice(found, rows_at_most):
            out.write(json.dumps(record) + "\n")
    return next(found, None) is None


def _object_of_line(line: str) -> dict[str, object] | None:
    """Numbers stay texts: as exact as they were written, and none that fills the memory."""
    text = line.strip().lstrip("\ufeff").removesuffix(",")
    if not text.startswith("{"):
        return None
    try:
        found = json.loads(text, parse_int=str, parse_float=str, parse_constant=str)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def flat(value: Mapping[str, object]) -> Record:
    """An object as texts by dotted key; a list of plain values is one text, of objects numbered keys.

    >>> flat({"spec": {"gpus": 2}, "hosts": ["a", "b"], "state": None})
    {'spec.gpus': '2', 'hosts': 'a,b', 'state': ''}
    """
    found: Record = {}

    def take(prefix: str, inside: object, depth: int) -> None:
        if len(found) >= _KEYS_AT_MOST or depth > _DEPTH_AT_MOST:
            return
        if isinstance(inside, Mapping):
            for key, one in inside.items():
                take(f"{prefix}.{key}" if prefix else str(key), one, depth + 1)
        elif isinstance(inside, list):
            if any(isinstance(one, Mapping | list) for one in inside):
                for place, one in enumerate(inside[:_ITEMS_AT_MOST]):
                    take(f"{prefix}.{place}", one, depth + 1)
            else:
                found[prefix] = ",".join(map(_text, inside))
        else:
            found[prefix] = _text(inside)

    take("", value, 0)
    return found


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def keys_of(records: Iterable[Record]) -> tuple[str, ...]:
    """Every key in the order in which they first come."""
    return tuple(dict.fromkeys(key for record in records for key in record))[:_KEYS_AT_MOST]
