"""The schema of each document: it is printed by name, and what commands print is as it says."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gpuplanner.cli.arguments import COMMAND_NAMES
from tests.cli.conftest import Call

GOLDEN = Path(__file__).parents[1] / "golden" / "files" / "demo"
KINDS = {
    "string": str,
    "boolean": bool,
    "number": int | float,
    "array": list,
    "object": dict,
    "null": type(None),
}


def faults(value: Any, schema: Any, path: str) -> Iterator[str]:
    """What of a value is not as its schema says; what stands in another golden document is passed over."""
    if isinstance(value, str) and value.startswith("= "):
        return
    if (kinds := schema.get("type")) and not any(
        isinstance(value, KINDS[kind]) for kind in [kinds] * isinstance(kinds, str) or kinds
    ):
        yield f"{path}: {value!r} is not {kinds}"
    if "const" in schema and value != schema["const"]:
        yield f"{path}: {value!r}"
    for name, inner in value.items() if isinstance(value, dict) else ():
        yield from faults(inner, schema.get("properties", {}).get(name, {}), f"{path}.{name}")
    for inner in value if isinstance(value, list) else ():
        yield from faults(inner, schema.get("items", {}), f"{path}[]")


@pytest.mark.parametrize("command", COMMAND_NAMES)
def test_every_command_has_a_schema(call: Call, command: str) -> None:
    schema = call("schema", command).document
    assert schema["$schema"].startswith("https://json-schema.org/")
    assert schema["properties"]["command"] == {"const": command}


@pytest.mark.parametrize("command", ["audit", "plan", "check"])
def test_a_document_is_as_its_schema_says(call: Call, command: str) -> None:
    document = json.loads((GOLDEN / f"{command}.json").read_text(encoding="utf-8"))
    schema = call("schema", command).document
    assert not list(faults(document, schema, ""))
    assert set(document) <= set(schema["properties"])
    wrong = document | {"files" if command == "check" else "workloads": 5}
    assert list(faults(wrong, schema, ""))


def test_an_unknown_command_is_told_the_nearest(call: Call) -> None:
    said = call("schema", "plam")
    assert said.status == 2 and "Did you mean plan?" in said.err and not said.out
