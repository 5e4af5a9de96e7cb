"""A document as tables: a CSV or Parquet file for each of its lists."""

import hashlib
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from gpuplanner.domain.message import worded
from gpuplanner.files.system.output_file import (
    OTHER_PLACE,
    output_file,
    output_folder,
    place_of,
    unreadable,
    write_output,
)
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

    if all(isinstance(value, dict) for value in values):
        return pd.json_normalize(list(values))
    is_grid = any(isinstance(value, list) for value in values)
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
    tables = {str(document["command"]): [alone]}
    _part(document, "", "", alone, tables)
    return tables


def _part(value: object, column: str, table: str, row: Row, tables: dict[str, list[Row]]) -> None:
    """Put a value into a row, or the rows of a list into tables. table: the row's own; empty for what is in no list."""
    if isinstance(value, dict):
        for key, inner in value.items():
            _part(inner, f"{column}.{key}" if column else key, table, row, tables)
        return
    name = f"{table}.{column}" if table else column
    if not isinstance(value, list):
        row[column] = value
    elif table and name not in tables and not any(isinstance(entry, dict) for entry in value):
        row[column] = json.dumps(value)
    else:
        if name not in tables:
            tables[name] = []
            for earlier in tables.get(table, ()):
                earlier.pop(column, None)  # it was empty there
        rows = tables[name]
        above: Row = {table: len(tables[table]) - 1} if table else {}
        for one in value:
            rows.append({**above})
            cells = dict(enumerate(one)) if isinstance(one, list) else one
            _part(cells, "" if isinstance(cells, dict) else column.rpartition(".")[2], name, rows[-1], tables)


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
        held = [_sha256(path.read_bytes())] if place_of(path, kept).before is not None else []
        if not set(held) <= set(ours.get(path.name, ())):
            problem = worded("the existing file is not ours or has changed")
            raise unreadable(path, problem, OTHER_PLACE)
        contents[path] = _csv(rows) if suffix == ".csv" else _parquet(rows)
        ours[path.name] = [*held, _sha256(contents[path])]
    with (
        ExitStack() as files
    ):  # all are written before the first takes its place: a full disk leaves the tables before
        for path, content in contents.items():
            file = files.enter_context(output_file(path, kept))
            file.write(content)
            file.flush()
        # the list comes first and names what is there too: whatever stops in between, either is ours
        write_output(list_path, json.dumps({"tables": ours}, indent=1).encode(), kept)
    return tuple(contents)


def _listed(path: Path) -> dict[str, list[str]]:
    """Which contents of a folder's tables are ours, by name. Errors: PlannerError file_unreadable where the list is
    none of ours."""
    if place_of(path).before is None:
        return {}
    try:
        tables = dict(json.loads(path.read_bytes())["tables"])
        return {name: [table] if isinstance(table, str) else list(table) for name, table in tables.items()}
    except (ValueError, KeyError, TypeError) as error:
        raise unreadable(path, worded("not our list of tables"), OTHER_PLACE) from error


def _sha256(content: bytes) -> str:
    """What tells a content from any other."""
    return hashlib.sha256(content).hexdigest()


def _columns(rows: Sequence[Row]) -> list[str]:
    """All columns of the rows, as they first come."""
    return list(dict.fromkeys(column for row in rows for column in row))


def _csv(rows: Sequence[Row]) -> bytes:
    """Rows as CSV: unknown is empty, yes and no are true and false, no text begins a formula."""
    columns = _columns(rows)
    values = ([row.get(column) for column in columns] for row in rows)
    cells = ([str(one).lower() if isinstance(one, bool) else one for one in row] for row in values)
    return csv_text((columns, *cells)).encode("utf-8-sig") if columns else b""


def _parquet(rows: Sequence[Row]) -> bytes:
    """Rows as Parquet: unknown is null; a column of numbers and texts is of texts."""
    import pandas as pd

    columns = {column: [row.get(column) for row in rows] for column in map(str, _columns(rows))}
    for column, values in columns.items():
        if len({isinstance(value, str) for value in values if value is not None}) > 1:
            columns[column] = [
                value if isinstance(value, str | None) else json.dumps(value) for value in values
            ]
    out = io.BytesIO()
    pd.DataFrame(columns).to_parquet(out, index=False)
    return out.getvalue()
