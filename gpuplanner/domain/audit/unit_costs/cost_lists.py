"""Lists of costs: whose cost a row is, and their order: most expensive first, unknown last, then by name."""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from gpuplanner.domain.model.cube import Workload

Item = TypeVar("Item")


def most_expensive_first(
    items: Iterable[Item], usd_and_name: Callable[[Item], tuple[float | None, str]]
) -> tuple[Item, ...]:
    """The items by what `usd_and_name` says of each.

    usd_and_name: $ (None: unknown) and a name that tells ties apart.

    >>> most_expensive_first([(None, "a"), (1.0, "b"), (2.0, "c")], lambda one: one)
    ((2.0, 'c'), (1.0, 'b'), (None, 'a'))
    """

    def order(item: Item) -> tuple[bool, float, str]:
        usd, name = usd_and_name(item)
        return usd is None, -(usd or 0.0), name

    return tuple(sorted(items, key=order))


def workload_fields(workload: Workload) -> dict[str, Any]:
    """What tells whose cost it is: fields of runs, endpoints and experiments."""
    return {field: getattr(workload, field) for field in ("key", "name", "cluster", "owner")}
