"""Schemas: every command has one, and documents agree with it."""

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from gpuplanner.cli.arguments import COMMAND_NAMES
from tests.cli.conftest import Call
from tests.schemas import faults, schemas

GOLDEN = Path(__file__).parents[1] / "golden" / "files"
DOCUMENTS = sorted(path.relative_to(GOLDEN).as_posix() for path in GOLDEN.glob("*/*.json"))


@pytest.mark.parametrize("command", COMMAND_NAMES)
def test_every_command_has_a_schema(call: Call, command: str) -> None:
    schema = call("schema", command).document
    assert schema["properties"]["command"]["const"] == command
    assert all(field["description"] for field in schema["properties"].values())


@pytest.mark.parametrize("name", DOCUMENTS)
def test_golden_documents_agree_with_their_schema(name: str) -> None:
    document = json.loads((GOLDEN / name).read_text(encoding="utf-8"))
    assert list(faults(document, document["command"])) == []


def test_the_schemas_are_json_schema() -> None:
    Draft202012Validator.check_schema(schemas()["reduce"])


def test_a_wrong_type_and_an_unknown_field_are_faults() -> None:
    document = json.loads((GOLDEN / "demo" / "check.json").read_text(encoding="utf-8"))
    assert list(faults(document | {"files": 5}, "check")) == ["$.files: 5 is not of type 'array', 'null'"]
    (fault,) = faults(document | {"fils": []}, "check")
    assert "'fils' was unexpected" in fault
    assert set(schemas()) == set(COMMAND_NAMES)


def test_an_unknown_command_is_told_the_nearest(call: Call) -> None:
    said = call("schema", "plam")
    assert said.status == 2 and "Did you mean plan?" in said.err and not said.out
