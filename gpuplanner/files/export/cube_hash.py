"""The hash of a cube's content, the same for every engine that reduces the same jobs."""

import hashlib
from collections.abc import Sequence

import numpy as np

from gpuplanner.domain.model.log.cube import Cube
from gpuplanner.domain.model.log.workload import Workload
from gpuplanner.domain.model.window import HOUR_S, Window, iso_utc


def cube_sha256(cube: Cube, workloads: Sequence[Workload], window: Window) -> str:
    """SHA-256 of the lines `key TAB hour TAB milli-GPU-seconds LF`, UTF-8, sorted by key then hour, zeros left out.

    Amounts are summed over GPU models. Source: docs/interface.md, JSON documents.
    """
    hours = [iso_utc(window.start_s + hour * HOUR_S) for hour in range(cube.hours)]
    digest = hashlib.sha256()
    first_row = np.searchsorted(cube.workload_index, np.arange(len(workloads) + 1))
    for index in sorted(range(len(workloads)), key=lambda position: workloads[position].key):
        begin, end = cube.offsets[first_row[index]], cube.offsets[first_row[index + 1]]
        hour, place = np.unique(cube.hour[begin:end], return_inverse=True)
        amount = np.zeros(len(hour), dtype=np.int64)
        np.add.at(amount, place, cube.milli_gpu_seconds[begin:end])
        key = workloads[index].key
        digest.update(
            "".join(
                f"{key}\t{hours[h]}\t{a}\n" for h, a in zip(hour.tolist(), amount.tolist(), strict=True)
            ).encode()
        )
    return digest.hexdigest()
