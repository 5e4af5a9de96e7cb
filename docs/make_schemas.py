"""Writes resources/json_schemas.json, what `gpuplanner schema COMMAND` prints: `python docs/make_schemas.py`.

Fields are those of the tables of interface.md. Their types are those of the golden documents; a field that
no golden document has is a number where it is a figure, else of any type. Null is allowed wherever a value is.
"""

import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).resolve().parent))

from make_tables import FLAT, flat_rows, objects

from gpuplanner.cli.arguments import COMMAND_NAMES
from gpuplanner.cli.documents.head import SCHEMA
from gpuplanner.domain.reports.report import Fields

ROOT: Final = Path(__file__).resolve().parent.parent
GOLDEN: Final = ROOT / "tests" / "golden" / "files"
OUT: Final = ROOT / "resources" / "json_schemas.json"
PAGE: Final = (ROOT / "docs" / "interface.md").read_text(encoding="utf-8")
FLAT_OF: Final = {"size": "sizing", "train": "training", "place": "placement"}
"""Commands whose table of fields has another name than theirs."""
SCALARS: Final = {str: "string", bool: "boolean", int: "number", float: "number"}
Schema = dict[str, Any]


def documents(command: str) -> list[Mapping[str, Any]]:
    """The golden documents of a command; what stands in another document of the project is put in its place."""
    made: list[Mapping[str, Any]] = []
    for path in sorted(GOLDEN.glob("*/*.json")):
        document = json.loads(path.read_text(encoding="utf-8"))
        if isinstance(document, dict) and document.get("command") == command:
            made.append({name: value for name, value in document.items() if not _is_elsewhere(value)})
    return made


def _is_elsewhere(value: object) -> bool:
    return isinstance(value, str) and value.startswith("= ")


def of_values(values: list[Any], path: str, declared: frozenset[str]) -> Schema:
    """The schema of a field by its values. declared: objects with fields of their own; others hold names of a log."""
    known = [value for value in values if value is not None and not _is_elsewhere(value)]
    kinds = {SCALARS.get(type(value), "array" if isinstance(value, list) else "object") for value in known}
    made: Schema = {"type": [*sorted(kinds), "null"]} if kinds else {}
    if kinds == {"array"}:
        items = of_values([item for value in known for item in value], f"{path}[]", declared)
        made |= {"items": items} if items else {}
    elif kinds == {"object"} and (path in declared or not path):
        names = dict.fromkeys(name for value in known for name in value)
        made["properties"] = {
            name: of_values([value.get(name) for value in known], f"{path}.{name}".lstrip("."), declared)
            for name in names
        }
    return made


def with_declared(made: Schema, path: str, tables: Mapping[str, Fields]) -> Schema:
    """A schema with the fields that a table declares and no golden document has."""
    for column in tables.get(path, ()):
        name = column.json_name
        if column.holds or f"{path}.{name}".lstrip(".") in tables:
            below: Schema = {"type": ["array" if column.is_list else "object", "null"]}
        else:
            below = {"type": ["number", "null"]} if column.figure is not None else {}
        made.setdefault("properties", {}).setdefault(name, below)
    for name, below in made.get("properties", {}).items():
        inner = f"{path}.{name}".lstrip(".")
        if "array" in below.get("type", ()) or f"{inner}[]" in tables:
            below["type"] = ["array", "null"]
            with_declared(below.setdefault("items", {}), f"{inner}[]", tables)
        else:
            with_declared(below, inner, tables)
    return made


def schema_of(command: str) -> Schema:
    """The JSON Schema of a command's document."""
    tables = dict(objects())
    paths = frozenset(tables)
    flat = FLAT.get(FLAT_OF.get(command, command))
    if flat is not None:
        names = [str(row[0]).strip("`") for row in flat_rows(FLAT_OF.get(command, command), flat)]
        paths = frozenset(re.findall(r"^intake.*", "\n".join(paths), re.M)) | {
            name.rpartition(".")[0] for name in names
        }
        tables = {path: table for path, table in tables.items() if path.startswith(("intake", "head"))}
        tables[""] = flat
    paths |= {path.removeprefix("intake.") for path in paths if path.startswith("intake.")}
    made = of_values([*documents(command)], "", paths)
    properties = made.setdefault("properties", {})
    row, *_ = re.findall(rf"^\| `{command}` \| (.*) \|$", PAGE.partition("## JSON documents")[2], re.M)
    listed = re.findall(r"those of (reduce|audit|plan)", row)
    for name in [
        *(name for other in listed for name in schema_of(other)["properties"]),
        *re.findall(r"`(\w+)`", row),
    ]:
        properties.setdefault(name, {})
    for other in listed:
        for name, below in schema_of(other)["properties"].items():
            properties[name] = below or properties[name]
    with_declared(made, "", {} if command == "self-test" else tables)
    first = {"schema": {"const": SCHEMA}, "command": {"const": command}, "version": {"type": "string"}}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"gpuplanner {command} --json",
        "type": "object",
        "required": list(first),
        "properties": first | {name: below for name, below in properties.items() if name not in first},
    }


def main() -> None:
    """Write the schemas of all commands."""
    made = {command: schema_of(command) for command in COMMAND_NAMES}
    lines = (f'"{command}": {json.dumps(schema, separators=(",", ":"))}' for command, schema in made.items())
    OUT.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
