"""Reuse between advices: results cached by the identity of their inputs, and buffers for arithmetic."""

from collections import OrderedDict
from collections.abc import Callable
from math import prod
from typing import Final, TypeVar, cast

import numpy as np

from gpuplanner.domain.arrays import Floats, Ints
from gpuplanner.domain.model.errors import Cancelled

# --- Reuse of results of the last advices, cached by the identity of their immutable inputs -------

Answer = TypeVar("Answer")

MOST_KEPT: Final = {"busy": 8, "tail": 16, "policy": 32, "model": 64, "": 512}
"""Most results to keep, by kind: tables of busy shares are large, most others small."""
ADVICE_KEPT: Final = 4
"""Results not used in this many advices are dropped, because each edit of busy hours adds its own: up to 8 MB."""


class AdviceCache:
    """A cache of the newest results, for one thread at a time.

    Law: advice with it equals advice without it, to the bit.
    """

    def __init__(self, is_cancelled: Callable[[], bool] = lambda: False) -> None:
        """Create a cache. is_cancelled: checked before each new result, and in other long steps.

        Results are stored by kind, least recently used first, with the number of the advice that last used them, and
        with their inputs, which keeps those objects alive.
        """
        self._is_cancelled = is_cancelled
        self._kept: dict[str, OrderedDict[tuple[object, ...], tuple[int, tuple[object, ...], object]]] = {}
        self._advice = 0

    def begin(self) -> None:
        """Start another advice; results that were not used recently are dropped."""
        self._advice += 1
        for kept in self._kept.values():
            while kept:
                last_used, _, _ = next(iter(kept.values()))
                if last_used >= self._advice - ADVICE_KEPT:
                    break
                kept.popitem(last=False)

    def ask(self) -> None:
        """Check for cancellation. Errors: Cancelled."""
        if self._is_cancelled():
            raise Cancelled

    def recall(
        self, kind: str, key: tuple[object, ...], stands_on: tuple[object, ...], make: Callable[[], Answer]
    ) -> Answer:
        """Return the result of a kind for `key`, made if unknown.

        stands_on: the inputs of the result, compared by identity and kept alive, so that no other object gets their
        identity.
        """
        kept = self._kept.setdefault(kind, OrderedDict())
        full = (*key, *map(id, stands_on))
        known = kept.get(full)
        if known is None:
            self.ask()
            answer: object = make()
        else:
            _, _, answer = known
        kept[full] = (self._advice, stands_on, answer)
        kept.move_to_end(full)
        if len(kept) > MOST_KEPT.get(kind, MOST_KEPT[""]):
            kept.popitem(last=False)
        return cast(Answer, answer)

    def count_results(self, kind: str) -> int:
        """Return how many results of a kind are kept."""
        return len(self._kept.get(kind, ()))


# --- Reused buffers: new memory costs more than the arithmetic in it ------------------------------


class Scratch:
    """Named arrays for one calculation; requesting a name again overwrites its array."""

    def __init__(self) -> None:
        self._floats: dict[str, Floats] = {}
        self._ints: dict[str, Ints] = {}

    def floats(self, name: str, shape: tuple[int, ...]) -> Floats:
        """Return a float64 array with undefined content.

        A view of a buffer that grows as needed: the same name returns the same memory. Errors: ValueError for a
        negative length.
        """
        size = prod(shape)
        if name not in self._floats or self._floats[name].size < size:
            self._floats[name] = np.empty(size)
        return self._floats[name][:size].reshape(shape)

    def ints(self, name: str, shape: tuple[int, ...]) -> Ints:
        """Return an int64 array with undefined content; as `floats`, with separate buffers."""
        size = prod(shape)
        if name not in self._ints or self._ints[name].size < size:
            self._ints[name] = np.empty(size, dtype=np.int64)
        return self._ints[name][:size].reshape(shape)
