"""A document as tables: each list of its JSON as a frame, or as a file of a folder, by the name that it has there."""

import hashlib
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from gpuplanner.domain.message import worded
from gpuplanner.files.system.output_file import output_folder, write_output
from gpuplanner.files.system.output_place import OTHER_PLACE, place_of, unreadable
from gpuplanner.files.tables.delimited import csv_text

if TYPE_CHECKING:
    import pandas as pd

Frame: TypeAlias = "pd.DataFrame"
Row = dict[str, object]
LISTED: Final = "gpuplanner-tables.json"
"""The file of a folder that says which of its tables are ours: {"tables": {file: SHA-256 of its bytes}}."""


def frame_of(name: str, values: Sequence[Any]) -> Frame:
    """A list of a document as a frame: a column a field, `a.b` where objects are nested, lists as they are.

    name: the column's where the list has plain values; lists in it have their places as columns. Null is None or NaN.
    """
    import pandas as pd

    if all(isinstance(one, dict) for one in values):
        return pd.json_normalize(list(values))
    is_grid = any(isinstance(one, list) for one in values)
    return pd.DataFrame(list(values)) if is_grid else pd.DataFrame({name: list(values)})


def tables_of(document: Mapping[str, Any]) -> dict[str, list[Row]]:
    """Every list of a document as rows, by its dotted name; one row of all else is called as the command.

    Objects within a row are columns `a.b`, plain lists JSON text. A list of objects within a row is a table of its own,
    whose first column has the name of the row's table and says the row's place there, from 0.

    >>> found = tables_of({"command": "x", "total": {"usd": 2}, "rows": [{"a": {"b": 1}, "of": [{"c": 3}]}]})
    >>> found["x"], found["rows"], found["rows.of"]
    ([{'command': 'x', 'total.usd': 2}], [{'a.b': 1}], [{'rows': 0, 'c': 3}])
    """
    alone: Row = {}
    found = {str(document["command"]): [alone]}
    _part(document, "", "", alone, found)
    return found


def _part(value: object, column: str, table: str, row: Row, found: dict[str, list[Row]]) -> None:
    """Put a value into a row, or the rows of a list into tables. table: the row's own; empty for what is in no list."""
    if isinstance(value, dict):
        for key, inner in value.items():
            _part(inner, f"{column}.{key}" if column else key, table, row, found)
        return
    name = f"{table}.{column}" if table else column
    if not isinstance(value, list):
        row[column] = value
    elif table and name not in found and not any(isinstance(one, dict) for one in value):
        row[column] = json.dumps(value)
    else:
        if name not in found:
            found[name] = []
            for earlier in found.get(table, ()):
                earlier.pop(column, None)  # it was empty there
        rows = found[name]
        above: Row = {table: len(found[table]) - 1} if table else {}
        for one in value:
            rows.append({**above})
            cells = dict(enumerate(one)) if isinstance(one, list) else one
            _part(cells, "" if isinstance(cells, dict) else column.rpartition(".")[2], name, rows[-1], found)


def write_tables(
    document: Mapping[str, Any], folder: Path, suffix: str, given: Iterable[str | Path] = ()
) -> tuple[Path, ...]:
    """Write a document as a table a file into a folder, made where missing; a list without rows is an empty file.

    suffix: .csv or .parquet. given: files that a person gave, never written to. Errors: PlannerError file_unreadable,
    before anything is written, where a file is in the way that no such call wrote, or that was changed since.
    """
    kept, list_path = tuple(given), output_folder(folder) / LISTED
    ours = _listed(list_path)
    contents = {}
    for name, rows in tables_of(document).items():
        path = folder / f"{name}{suffix}"
        if place_of(path, kept).before is not None and ours.get(path.name) != _sha256(path.read_bytes()):
            what = worded("what is there was not written as a table of this folder, or was changed since")
            raise unreadable(path, what, OTHER_PLACE)
        contents[path] = _csv(rows) if suffix == ".csv" else _parquet(rows)
    listed = ours | {path.name: _sha256(content) for path, content in contents.items()}
    for path, content in contents.items():
        write_output(path, content, kept)
    write_output(list_path, json.dumps({"tables": listed}, indent=1).encode(), kept)
    return tuple(contents)


def _listed(path: Path) -> dict[str, str]:
    """Which tables of a folder are ours. Errors: PlannerError file_unreadable where the list is none of ours."""
    if place_of(path).before is None:
        return {}
    try:
        return dict(json.loads(path.read_bytes())["tables"])
    except (ValueError, KeyError, TypeError) as error:
        raise unreadable(path, worded("it is no list of tables of ours"), OTHER_PLACE) from error


def _sha256(content: bytes) -> str:
    """What tells a content from any other."""
    return hashlib.sha256(content).hexdigest()


def _columns(rows: Sequence[Row]) -> list[str]:
    """All columns of the rows, as they first come."""
    return list(dict.fromkeys(column for row in rows for column in row))


def _csv(rows: Sequence[Row]) -> bytes:
    """Rows as CSV: unknown is empty, yes and no are true and false, no text begins a formula."""
    columns = _columns(rows)
    cells = ([_cell(row.get(column)) for column in columns] for row in rows)
    return csv_text((columns, *cells)).encode("utf-8-sig") if columns else b""


def _cell(value: object) -> object:
    """A value as JSON writes it, where Python would write another."""
    return str(value).lower() if isinstance(value, bool) else value


def _parquet(rows: Sequence[Row]) -> bytes:
    """Rows as Parquet: unknown is null; a column of numbers and texts is of texts."""
    import pandas as pd

    columns = {column: [row.get(column) for row in rows] for column in map(str, _columns(rows))}
    for column, values in columns.items():
        if len({isinstance(one, str) for one in values if one is not None}) > 1:
            columns[column] = [one if isinstance(one, str | None) else json.dumps(one) for one in values]
    out = io.BytesIO()
    pd.DataFrame(columns).to_parquet(out, index=False)
    return out.getvalue()
