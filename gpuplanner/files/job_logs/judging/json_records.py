"""Records of JSON: lines of objects, an array of them, or objects one after another, each flattened to texts."""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Final

from gpuplanner.files.job_logs.judging.column_names import name_readings
from gpuplanner.files.sources.json_objects import LINES, numbered_values
from gpuplanner.files.sources.json_values import begins_json, head_events, object_of_line
from gpuplanner.files.sources.source import TEXT, Source

_DEPTH_AT_MOST: Final = 12
_ITEMS_AT_MOST: Final = 16
_KEYS_AT_MOST: Final = 1024
_LINES_LOOKED_AT: Final = 20
_LEVELS_AT_MOST: Final = 3

Record = dict[str, str]


def json_form(source: Source) -> str | None:
    """LINES, or the path of the records in one document (`item`, `jobs.item`, empty for the objects themselves).

    None where it is no JSON with objects in it.
    """
    if source.kind != TEXT or not begins_json(source.head):
        return None
    lines = [line for line in source.head.lstrip("\ufeff").splitlines() if line.strip()][:_LINES_LOOKED_AT]
    whole = [object_of_line(line) is not None for line in lines]
    if len(lines) > 1 and (whole[0] or sum(whole) > len(whole) / 2):
        return LINES
    path = _path_of_jobs(source.head)
    if path is not None:
        return path
    path = _path_of_records(source.head)
    return LINES if whole == [True] and (path or "").count(".") != 1 else path


def _path_of_jobs(head: str) -> str | None:
    """The one list of objects that look like jobs, up to three keys deep; None without one, or with a job outside."""
    keys: dict[str, set[str]] = {"": set()}
    for path, event, _ in head_events(head):
        if event in ("string", "number", "null", "boolean"):
            outer, is_in_list, key = path.partition(".item.")
            if not is_in_list:
                keys[""].add(path)
            elif outer.count(".") < _LEVELS_AT_MOST and ".item" not in f".{key}":
                keys.setdefault(f"{outer}.item", set()).add(key)
    found = [path for path, names in keys.items() if _looks_like_jobs(names)]
    return found[0] if len(found) == 1 and found[0] else None


def _looks_like_jobs(names: Collection[str]) -> bool:
    """Whether the keys say a count of GPUs and a start, and either an end or a duration."""
    fields = {field for name in list(names)[:_KEYS_AT_MOST] for field in name_readings(name)}
    return {"gpus", "start"} <= fields and bool(fields & {"end", "duration"})


def _path_of_records(head: str) -> str | None:
    """The array with most objects; where there is none, the outermost objects."""
    objects: dict[str, int] = {}
    for path, event, _ in head_events(head):
        if event == "start_map" and path.count(".item") + (path == "item") <= 1:
            objects[path] = objects.get(path, 0) + 1
    arrays = {path: count for path, count in objects.items() if path == "item" or path.endswith(".item")}
    if arrays and objects.get("", 0) <= 1:
        return max(arrays, key=lambda path: arrays[path])
    return "" if objects else None


def json_records(source: Source, form: str) -> Iterator[tuple[int, Record | str]]:
    """Every record as (row number, texts by dotted key); a line that is no object as its text.

    Errors: PlannerError truncated_file, file_unreadable where a document is cut off or broken.
    """
    for number, value in numbered_values(source, form):
        yield number, flat(value) if isinstance(value, dict) else str(value)


def write_lines(source: Source, form: str, at: Path, rows_at_most: int) -> bool:
    """The first records as lines of flat objects; whether these are all. Errors: as json_records.

    For a preview: the file at `at` is read by the same steps as the whole.
    """
    found = json_records(source, form)
    with at.open("w", encoding="utf-8") as out:
        for _, record in islice(found, rows_at_most):
            out.write(json.dumps(record) + "\n")
    return next(found, None) is None


def flat(value: Mapping[str, object]) -> Record:
    """An object as texts by dotted key; a list of plain values is one text, of objects numbered keys.

    >>> flat({"spec": {"gpus": 2}, "hosts": ["a", "b"], "state": None})
    {'spec.gpus': '2', 'hosts': 'a,b', 'state': ''}
    """
    found: Record = {}

    def take(prefix: str, inside: object, depth: int) -> None:
        """Takes a value in under its path; lists of plain values become one text with commas."""
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
    """A plain value as text: nothing for null, true and false as JSON writes them."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def keys_of(records: Iterable[Record]) -> tuple[str, ...]:
    """Every key in the order in which they first come.

    At most as many as a table may have columns.

    >>> keys_of([{"a": "1"}, {"b": "2", "a": "3"}])
    ('a', 'b')
    """
    return tuple(dict.fromkeys(key for record in records for key in record))[:_KEYS_AT_MOST]
