"""Values by workload, without those of some keys."""

from collections.abc import Collection, Mapping
from typing import TypeVar

Value = TypeVar("Value")


def without_keys(values: Mapping[str, Value], keys: Collection[str | None]) -> dict[str, Value]:
    """The values without those of some keys."""
    return {key: value for key, value in values.items() if key not in keys}
