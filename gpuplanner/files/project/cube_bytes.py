"""A demand cube as bytes and back, exact: few bytes a number, and fast to compress."""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from gpuplanner.domain.arrays import Ints
from gpuplanner.domain.model.log.cube import Cube

CUBE_ARRAYS: Final = ("workload_index", "model_index", "offsets", "hour", "milli_gpu_seconds")
GROWING: Final = ("offsets", "hour")
"""Stored as differences, which are mostly ones."""


def cube_to_bytes(cube: Cube) -> tuple[dict[str, object], dict[str, bytes]]:
    """A header for JSON and the bytes of each of the five arrays.

    An array is stored with the fewest bytes a number that hold it (its width; two's complement, so that every int64
    comes back): first all lowest bytes, then all second ones and so on, that is little-endian, transposed.
    """
    packed = {name: _packed(getattr(cube, name), name in GROWING) for name in CUBE_ARRAYS}
    shapes = {name: shape for name, (shape, _) in packed.items()}
    header = {"hours": cube.hours, "gpu_models": cube.gpu_models, "arrays": shapes}
    return header, {name: plain for name, (_, plain) in packed.items()}


def cube_from_bytes(header: Mapping[str, Any], arrays: Mapping[str, bytes]) -> Cube:
    """The cube of a header and its arrays. Errors: ValueError where they do not make a sound cube.

    header["arrays"] tells of each array its length, width in bytes, and whether differences are stored.
    """
    shapes = header["arrays"]
    if not all(isinstance(name, str) for name in header["gpu_models"]):
        raise ValueError("cube: a GPU model has a name that is no text")
    cube = Cube(
        header["hours"],
        tuple(header["gpu_models"]),
        **{name: _unpacked(arrays[name], **shapes[name]) for name in CUBE_ARRAYS},
    )
    if not _is_sound(cube):
        raise ValueError("cube: its arrays do not fit together")
    return cube


def _packed(values: Ints, growing: bool) -> tuple[dict[str, int | bool], bytes]:
    """Whole numbers, shape (n,), as bytes of the least width that holds them.

    All first bytes come first, then all second ones, which compresses best; growing numbers are stored as
    differences. The dict is what `_unpacked` takes.
    """
    numbers = np.diff(values, prepend=np.int64(0)) if growing else values
    low, high = (int(numbers.min()), int(numbers.max())) if len(numbers) else (0, 0)
    width = next(
        width for width in (1, 2, 4, 8) if -(1 << (8 * width - 1)) <= low and high < 1 << (8 * width - 1)
    )
    planes = numbers.astype(f"<i{width}").view(np.uint8).reshape(-1, width).T
    return {"length": len(values), "width": width, "delta": growing}, planes.tobytes()


def _unpacked(plain: bytes, length: int, width: int, delta: bool) -> Ints:
    """The inverse of `_packed`: int64, shape (length,)."""
    planes = np.frombuffer(bytearray(plain), np.uint8).reshape(width, length)
    numbers = np.ascontiguousarray(planes.T).view(f"<i{width}").reshape(length).astype(np.int64)
    return np.cumsum(numbers, dtype=np.int64) if delta else numbers


def _is_sound(cube: Cube) -> bool:
    """The laws of Cube that arithmetic on it relies on."""
    rows, entries = len(cube.workload_index), len(cube.hour)
    if (len(cube.model_index), len(cube.offsets), len(cube.milli_gpu_seconds)) != (rows, rows + 1, entries):
        return False
    if not _is_ordered(cube) or (cube.offsets[0], cube.offsets[-1]) != (0, entries):
        return False
    if rows and (cube.workload_index[0] < 0 or not _within(cube.model_index, -1, len(cube.gpu_models))):
        return False
    return not entries or (_within(cube.hour, 0, cube.hours) and int(cube.milli_gpu_seconds.min()) > 0)


def _is_ordered(cube: Cube) -> bool:
    """No row is empty, the rows are sorted with no pair twice, and so are the hours of each."""
    if (np.diff(cube.offsets) <= 0).any():
        return False
    workload_step, model_step = np.diff(cube.workload_index), np.diff(cube.model_index)
    goes_up = (workload_step > 0) | ((workload_step == 0) & (model_step > 0))
    hour_step = np.diff(cube.hour)
    begins_row = np.zeros(len(cube.hour) + 1, dtype=np.bool_)
    begins_row[cube.offsets[(cube.offsets >= 0) & (cube.offsets <= len(cube.hour))]] = True
    return bool(goes_up.all() and ((hour_step > 0) | begins_row[1 : len(hour_step) + 1]).all())


def _within(values: Ints, low: int, end: int) -> bool:
    """Whether all values are at least `low` and below `end`."""
    return bool(values.min() >= low and values.max() < end)
