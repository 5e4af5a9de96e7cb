"""Documents against the schemas that the product ships, with no field beyond those of the schema."""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from jsonschema import Draft202012Validator

SCHEMAS: Final = Path(__file__).parents[1] / "resources" / "json_schemas.json"
REFERENCE: Final = "= "
"""How a golden document names another that has the same value."""


@cache
def schemas() -> dict[str, Any]:
    """Return the shipped schemas by command."""
    return json.loads(SCHEMAS.read_text("utf-8"))


def closed(schema: Any) -> Any:
    """Return a schema that refuses fields it does not describe."""
    if isinstance(schema, list):
        return [closed(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    made = {name: closed(below) for name, below in schema.items()}
    if isinstance(made.get("properties"), dict) and "type" in made:
        made.setdefault("additionalProperties", False)
    return made


@cache
def validator(command: str) -> Draft202012Validator:
    """Return the strict validator of a command's documents."""
    return Draft202012Validator(closed(schemas()[command]))


def faults(document: Mapping[str, Any], command: str) -> Iterator[str]:
    """Yield path and message of everything in a document that its schema does not allow."""
    stated = {
        name: value
        for name, value in document.items()
        if not (isinstance(value, str) and value.startswith(REFERENCE))
    }
    written = json.loads(json.dumps(stated, default=str))  # as a command prints it
    for error in validator(command).iter_errors(written):
        yield f"{error.json_path}: {error.message[:200]}"


def faults_of_part(document: Mapping[str, Any], command: str) -> list[str]:
    """Return the faults of a document without its head."""
    head = {"schema": "gpuplanner/1", "command": command, "version": "0"}
    return list(faults(head | dict(document), command))
