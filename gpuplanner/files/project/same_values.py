"""Whether two values hold the same, down to the fields of what is compared by identity elsewhere."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from math import isnan
from typing import Any

import numpy as np

from gpuplanner.domain.message import Message


def is_same(one: Any, other: Any) -> bool:
    """Whether nothing was lost between the two; a list is as good as a tuple, a number as the same number.

    NaN is the same as NaN; arrays are compared element by element, dataclasses field by field,
    texts by their English: of messages about rows a project keeps no more.

    >>> is_same([1, 2.0], (1, 2)), is_same(float("nan"), float("nan")), is_same({"a": 1}, {"b": 1})
    (True, True, False)
    """
    if one is other:
        return True
    if isinstance(one, np.ndarray):
        return isinstance(other, np.ndarray) and np.array_equal(one, other)
    if is_dataclass(one):
        return type(one) is type(other) and (one == other or not differing_fields(one, other))
    if isinstance(one, Message | str):
        return isinstance(other, Message | str) and str(one) == str(other)
    if isinstance(one, Mapping):
        return isinstance(other, Mapping) and _has_the_same(one, other)
    if isinstance(one, list | tuple):
        return isinstance(other, list | tuple) and len(one) == len(other) and all(map(is_same, one, other))
    return bool(one == other) or (_is_no_number(one) and _is_no_number(other))


def differing_fields(one: Any, other: Any) -> list[str]:
    """Names of the fields in which two values of one dataclass differ; what is worked out from others is left out."""
    names = [each.name for each in fields(one) if each.init]
    return [name for name in names if not is_same(getattr(one, name), getattr(other, name))]


def _has_the_same(one: Mapping[Any, Any], other: Mapping[Any, Any]) -> bool:
    """Whether two mappings have the same keys with the same values."""
    return one.keys() == other.keys() and all(is_same(value, other[key]) for key, value in one.items())


def _is_no_number(value: Any) -> bool:
    """Whether a value is NaN, which does not equal itself."""
    return isinstance(value, float) and isnan(value)
