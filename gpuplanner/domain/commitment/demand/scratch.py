"""Buffers that are used again and again: fresh memory costs more than the arithmetic done in it."""

from math import prod

import numpy as np

from gpuplanner.domain.arrays import Floats, Ints


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
