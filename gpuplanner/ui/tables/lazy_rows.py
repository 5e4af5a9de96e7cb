"""Rows of a table that are made when they are first looked at."""

from collections.abc import Callable, Iterator, Sequence
from typing import overload

from gpuplanner.ui.tables.cells import Row


class LazyRows(Sequence[Row]):
    """Rows that are made when they are first looked at: of thousands a table paints a few."""

    def __init__(self, count: int, make: Callable[[int], Row]) -> None:
        self._count, self._make = count, make
        self._made: dict[int, Row] = {}

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, place: int) -> Row: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Row]: ...
    def __getitem__(self, place: int | slice) -> Row | Sequence[Row]:
        if isinstance(place, slice):
            return [self[each] for each in range(*place.indices(self._count))]
        if not 0 <= place < self._count:
            raise IndexError(place)
        if place not in self._made:
            self._made[place] = self._make(place)
        return self._made[place]

    def __iter__(self) -> Iterator[Row]:
        return (self[place] for place in range(self._count))
