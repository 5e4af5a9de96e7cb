"""JSON objects one after the other, in one array, or deep inside a document: read one at a time."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.source import Source


def json_objects(source: Source, prefix: str | None = None) -> Iterator[dict[str, Any]]:
    """Every object of a file. prefix: where they stand, as ijson has it; None: at the top, or in one array there.

    Errors: PlannerError truncated_file where it is damaged or cut off, file_unreadable where it is not UTF-8.
    """
    import ijson

    if source.encoding not in ("utf-8", "utf-8-sig"):
        raise PlannerError(
            source.path, "file_unreadable", "its JSON is not UTF-8", "export it again as UTF-8"
        )
    if prefix is None:
        prefix = "item" if source.head.lstrip("\ufeff \t\r\n").startswith("[") else ""
    try:
        with Path(source.at).open("rb") as file:
            file.seek(3 if source.encoding == "utf-8-sig" else 0)
            for item in ijson.items(file, prefix, multiple_values=True, use_float=True):
                if isinstance(item, dict):
                    yield item
    except (ijson.JSONError, ValueError, OverflowError) as fault:
        raise PlannerError(
            source.path, "truncated_file", "its JSON is damaged or cut off", "export or copy it again"
        ) from fault
