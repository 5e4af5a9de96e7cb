"""JSON in the shapes that tools export: an array, a list inside an object, objects one after the other or by line."""

import re
from collections.abc import Iterator
from typing import Any, Final

from gpuplanner.files.sources.json_values import (
    begins_json,
    json_paths,
    json_values,
    object_of_line,
    outer_path,
)
from gpuplanner.files.sources.source import TEXT, Source

_EMPTY: Final = re.compile(r'"([^"\\]{1,60})"\s*:\s*\[\s*\]')

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
    if container and container in paths:
        return f"{container}.item"
    return ""


def empty_list(source: Source) -> str:
    """The key of the only list of a document without any object in a list; empty where there is none such.

    A tool that found nothing writes such a file, which is no fault of it.
    """
    if source.kind != TEXT or not begins_json(source.head):
        return ""
    paths, found = json_paths(source.head), _EMPTY.findall(source.head)
    return found[0] if len(found) == 1 and not any(path.endswith("item") for path in paths) else ""


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
                found = object_of_line(line)
                yield number, line.strip() if found is None else found


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
    found = object_at(value, *path[:-1]).get(path[-1]) if path else value
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []
