"""JSON objects one after the other, or in one array: read one at a time."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.source import Source


def json_objects(source: Source) -> Iterator[dict[str, Any]]:
    """Every object of a file. Errors: PlannerError truncated_file where it is damaged or cut off."""
    import ijson

    prefix = "item" if source.head.lstrip("\ufeff \t\r\n").startswith("[") else ""
    try:
        with Path(source.at).open("rb") as file:
            if source.encoding == "utf-8-sig":
                file.seek(3)
            for item in ijson.items(file, prefix, multiple_values=True, use_float=True):
                if isinstance(item, dict):
                    yield item
    except (ijson.JSONError, ValueError, OverflowError) as fault:
        raise PlannerError(
            source.path, "truncated_file", "its JSON is damaged or cut off", "export or copy it again"
        ) from fault
