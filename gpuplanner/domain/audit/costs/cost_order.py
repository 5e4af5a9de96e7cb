"""The order of lists of costs: most expensive first, what nobody knows last, then by name."""

from collections.abc import Callable, Iterable
from typing import TypeVar

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
