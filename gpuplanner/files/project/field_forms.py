"""How the fields of a dataclass stand in JSON: one line for each of them, so that none is forgotten."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, fields
from typing import Any

from gpuplanner.files.project.field_types import NewerFieldError


@dataclass(frozen=True, slots=True)
class Form:
    """One field: what JSON says of its value, and the value of what JSON says. Errors of `read`: as for `rows_of`."""

    write: Callable[[Any], object]
    read: Callable[[Any], Any]


def as_it_is(value: Any) -> Any:
    """For a field that stands in JSON as itself."""
    return value


def forms_of(row_type: type, forms: Mapping[str, Form], without: Collection[str] = ()) -> Mapping[str, Form]:
    """`forms` in the order of the fields. Errors: TypeError where a field has none, or one is of no field.

    without: fields that are saved elsewhere.
    """
    names = [each.name for each in fields(row_type) if each.name not in without]
    if set(names) != set(forms):
        odd = ", ".join(sorted(set(names) ^ set(forms)))
        raise TypeError(f"{row_type.__name__}: {odd}: each field needs one line that says how it is saved")
    return {name: forms[name] for name in names}


def entry_of(value: object, forms: Mapping[str, Form]) -> dict[str, object]:
    """What JSON says of a value; a field that is None is not there."""
    said = {name: (form, getattr(value, name)) for name, form in forms.items()}
    return {name: form.write(held) for name, (form, held) in said.items() if held is not None}


def values_of(
    entry: Mapping[str, Any], forms: Mapping[str, Form], required: Collection[str]
) -> dict[str, Any]:
    """The values by field; one that is not there, as in an older file, has its default.

    Errors: KeyError where a required one is not there, NewerFieldError for one that is not ours, else those of the
    forms.
    """
    for name in entry:
        if name not in forms:
            raise NewerFieldError(name)
    for name in required:
        entry[name]
    return {name: form.read(entry[name]) for name, form in forms.items() if entry.get(name) is not None}
