"""Precisions of weights: how many bytes a parameter takes."""

from typing import Final

BYTES_BY_PRECISION: Final = {"BF16": 2.0, "INT8": 1.0, "INT4": 0.5}
"""Bytes per parameter of the weights. The KV cache keeps its own width: quantising weights does not change it."""

PRECISIONS: Final = tuple(BYTES_BY_PRECISION)
TENSOR_PARALLEL: Final = (1, 2, 4, 8)
"""GPUs that hold one replica."""
