"""What is used again: results kept by the identity of what they stand on, and buffers of arithmetic."""

from collections import OrderedDict
from collections.abc import Callable
from math import prod
from typing import Final, TypeVar, cast

import numpy as np

from gpuplanner.domain.arrays import Floats, Ints
from gpuplanner.domain.model.errors import Cancelled

# --- What one advice can take over from the last: results kept by the identity of the immutable parts they stand on

Answer = TypeVar("Answer")

MOST_KEPT: Final = {"busy": 8, "tail": 16, "policy": 32, "model": 64, "": 512}
"""How many answers of each kind are kept: tables of busy shares are large, most else is small."""
ADVICE_KEPT: Final = 24
"""What none of so many advices asked for goes, however few there are: of hours in use each would add its own."""


class AdviceCache:
    """Remembers the newest results, for one thread at a time.

    Law: an advice with it equals one without, to the bit.
    """

    def __init__(self, is_cancelled: Callable[[], bool] = lambda: False) -> None:
        """is_cancelled: asked before each answer that is not known, and where else it takes long.

        By kind, the one not asked for longest first; with each answer which advice asked last, and what it stands
        on, which keeps those objects alive."""
        self._is_cancelled = is_cancelled
        self._kept: dict[str, OrderedDict[tuple[object, ...], tuple[int, tuple[object, ...], object]]] = {}
        self._advice = 0

    def begin(self) -> None:
        """Another advice begins: what the newest did not ask for goes."""
        self._advice += 1
        for kept in self._kept.values():
            while kept and next(iter(kept.values()))[0] < self._advice - ADVICE_KEPT:
                kept.popitem(last=False)

    def ask(self) -> None:
        """Errors: Cancelled where nobody wants the answer any more."""
        if self._is_cancelled():
            raise Cancelled

    def recall(
        self, kind: str, key: tuple[object, ...], stands_on: tuple[object, ...], make: Callable[[], Answer]
    ) -> Answer:
        """The answer of a kind to `key`, made if it is not known.

        `stands_on` are the objects that the answer was made from: they count by identity, and are kept alive so
        that no other object can take their place.
        """
        kept = self._kept.setdefault(kind, OrderedDict())
        full = (*key, *map(id, stands_on))
        known = kept.get(full)
        if known is None:
            self.ask()
        answer = make() if known is None else known[2]
        kept[full] = (self._advice, stands_on, answer)
        kept.move_to_end(full)
        if len(kept) > MOST_KEPT.get(kind, MOST_KEPT[""]):
            kept.popitem(last=False)
        return cast(Answer, answer)


# --- Buffers that are used again and again: fresh memory costs more than the arithmetic done in it


class Scratch:
    """Named arrays for one calculation; what a name held is lost when it is asked for again."""

    def __init__(self) -> None:
        self._floats: dict[str, Floats] = {}
        self._ints: dict[str, Ints] = {}

    def floats(self, name: str, shape: tuple[int, ...]) -> Floats:
        """An array of float64 with anything in it.

        A view of a buffer that grows when it must: who asks for the same name again gets the same memory,
        with what was written there.
        Errors: ValueError for a shape with a negative length.
        """
        size = prod(shape)
        if name not in self._floats or self._floats[name].size < size:
            self._floats[name] = np.empty(size)
        return self._floats[name][:size].reshape(shape)

    def ints(self, name: str, shape: tuple[int, ...]) -> Ints:
        """An array of int64 with anything in it.

        As `floats`, in buffers of its own.
        """
        size = prod(shape)
        if name not in self._ints or self._ints[name].size < size:
            self._ints[name] = np.empty(size, dtype=np.int64)
        return self._ints[name][:size].reshape(shape)
