"""What became of each file, as JSON and back, exact: the part `intake` of a project.

A table of FileIntake; issues, rejected and noted are tables inside it, facts are [[name, value], ...].
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from decimal import Decimal
from typing import Any, Final

from gpuplanner.domain.model.log.intake import FileIntake, Issue, RejectedRow
from gpuplanner.files.project.field_types import check_fields
from gpuplanner.files.project.value_tables import rows_of, table


def intake_table(files: Iterable[FileIntake]) -> dict[str, object]:
    """The intake, with the tables that each file carries inside."""
    inside: dict[str, Callable[[FileIntake], object]] = {
        "issues": lambda file: table(Issue, file.issues),
        "rejected": lambda file: table(RejectedRow, file.rejected),
        "noted": lambda file: table(RejectedRow, file.noted),
        "facts": lambda file: [[name, _tagged(value)] for name, value in file.facts],
    }
    names = [each.name for each in fields(FileIntake)]
    rows = [
        [inside[name](file) if name in inside else getattr(file, name) for name in names] for file in files
    ]
    return {"fields": names, "rows": rows}


def intake_of(entry: Mapping[str, Any]) -> tuple[FileIntake, ...]:
    """What `intake_table` wrote.

    Errors: TypeError, ValueError, KeyError or PlannerError where it holds something else.
    """
    inside: dict[str, Callable[[Any], Any]] = {
        "issues": lambda value: rows_of(Issue, value),
        "rejected": lambda value: rows_of(RejectedRow, value),
        "noted": lambda value: rows_of(RejectedRow, value),
        "facts": lambda value: tuple((name, _untagged(fact)) for name, fact in value),
        "columns": lambda value: tuple(map(str, value)),
    }
    names = entry["fields"]
    files = []
    for row in entry["rows"]:
        values = dict(zip(names, row, strict=True))
        made = {name: make(values[name]) for name, make in inside.items() if name in values}
        check_fields(FileIntake, (values | made).items())
        files.append(FileIntake(**(values | made)))
    return tuple(files)


def _tagged(value: object) -> object:
    """A fact of any shape; what JSON cannot tell apart carries its kind: {"decimal": "2.75"}, {"dict": [[k, v]]}."""
    if isinstance(value, Decimal):
        return {"decimal": str(value)}
    if isinstance(value, Mapping):
        return {"dict": [[_tagged(key), _tagged(inner)] for key, inner in value.items()]}
    if isinstance(value, list):
        return {"list": [_tagged(inner) for inner in value]}
    return [_tagged(inner) for inner in value] if isinstance(value, tuple) else value


def _untagged(value: Any) -> object:
    """The inverse of tagging: lists to tuples, objects of one tag to the value they stand for."""
    if isinstance(value, list):
        return tuple(_untagged(inner) for inner in value)
    if not isinstance(value, dict):
        return value
    ((kind, inside),) = value.items()
    return UNTAG[kind](inside)


UNTAG: Final[Mapping[str, Callable[[Any], object]]] = {
    "decimal": Decimal,
    "dict": lambda pairs: {_untagged(key): _untagged(inner) for key, inner in pairs},
    "list": lambda values: [_untagged(inner) for inner in values],
}
