"""Field types: whether a value that somebody else wrote is what its dataclass says the field holds."""

from collections.abc import Iterable, Mapping
from dataclasses import fields
from decimal import Decimal
from functools import lru_cache
from math import isfinite
from types import UnionType
from typing import Any, Final, Union, get_args, get_origin, get_type_hints

LARGEST_INTEGER: Final = 2**63 - 1
LATEST_S: Final = 10**11
"""A time past this has no date."""


class NewerFieldError(ValueError):
    """A field that this version does not know: a newer one wrote it. Read without it, the project would be another."""


def check_fields(row_type: type, values: Iterable[tuple[str, object]]) -> None:
    """Errors: ValueError for the first value that its field cannot hold; NewerFieldError where there is no such field.

    Of a tuple or mapping only that it is one; numbers are finite and fit 64 bits, times (`_s`) have a date.
    """
    kinds = _kinds_by_field(row_type)
    for name, value in values:
        if name not in kinds:
            raise NewerFieldError(name)
        if not _fits(value, kinds[name], LATEST_S if name.endswith("_s") else LARGEST_INTEGER):
            raise ValueError(f"{row_type.__name__}.{name} cannot be {value!r:.60}")


@lru_cache
def _kinds_by_field(row_type: type) -> Mapping[str, frozenset[type]]:
    """For each field of a dataclass the types that its hint allows; looked up once a class."""
    hints = get_type_hints(row_type)
    return {each.name: frozenset(_kinds(hints[each.name])) for each in fields(row_type)}


def _kinds(hint: Any) -> Iterable[type]:
    """The plain types within a hint; a float may be written as a whole number."""
    if get_origin(hint) in (Union, UnionType):
        for each in get_args(hint):
            yield from _kinds(each)
    else:
        kind = get_origin(hint) or hint
        yield kind
        if kind is float:
            yield int


def _fits(value: object, kinds: frozenset[type], largest: int) -> bool:
    """Whether a value is of one of these types.

    Numbers must be finite and at most `largest`, true is no number.
    """
    kind = type(value)
    if object in kinds:
        return True
    if kind is int or kind is float:
        return kind in kinds and isfinite(value) and abs(value) <= largest  # type: ignore[arg-type]
    if isinstance(value, Decimal):
        return Decimal in kinds and value.is_finite()
    return kind in kinds or (kind is not bool and isinstance(value, tuple(kinds)))
