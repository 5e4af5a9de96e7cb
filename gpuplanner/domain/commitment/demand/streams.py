"""Demand by pool, cluster and GPU model, hour by hour: what the plan serves. Exact integers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from gpuplanner.domain.arrays import Ints
from gpuplanner.domain.model.log.cube import Cube
from gpuplanner.domain.model.log.workload import Workload
from gpuplanner.domain.model.pool import POOLS, Pool

Cell = tuple[Pool, str, str | None]
"""(pool, cluster, GPU model, or the name of what only some may serve); None: the log does not say the model."""

Scale = Callable[[Ints, float], Ints]


@dataclass(frozen=True, slots=True, eq=False)
class Streams:
    """cells: milli-GPU-seconds of each hour, shape (hours,), int64; a cell without demand is left out."""

    cube: Cube
    workloads: tuple[Workload, ...]
    pools: tuple[Pool, ...]
    cells: dict[Cell, Ints]


def streams_of(cube: Cube, workloads: tuple[Workload, ...], pools: tuple[Pool, ...]) -> Streams:
    """Sum the cube over the workloads of each pool, cluster and model; pools[i] is the pool of workloads[i].

    Law: exact; the cells add up to the cube hour by hour.
    Errors: ValueError where there are not as many pools as workloads.
    """
    clusters = sorted({workload.cluster for workload in workloads})
    cluster_number = {cluster: number for number, cluster in enumerate(clusters)}
    models = len(cube.gpu_models) + 1
    pool_number = {pool: number for number, pool in enumerate(POOLS)}
    group = np.fromiter(
        (
            pool_number[pool] * len(clusters) + cluster_number[workload.cluster]
            for workload, pool in zip(workloads, pools, strict=True)
        ),
        dtype=np.int64,
        count=len(workloads),
    )
    row_code = group[cube.workload_index] * models + cube.model_index + 1
    codes, row_place = np.unique(row_code, return_inverse=True)
    place = np.repeat(row_place, np.diff(cube.offsets)) * cube.hours + cube.hour
    sums = np.bincount(place, weights=cube.milli_gpu_seconds, minlength=len(codes) * cube.hours)
    hourly = sums.astype(np.int64).reshape(len(codes), cube.hours)  # exact: every sum is far below 2^53
    cells: dict[Cell, Ints] = {}
    for code, amounts in zip(codes.tolist(), hourly, strict=True):
        model = code % models - 1
        pool, cluster = divmod(code // models, len(clusters))
        if amounts.any():
            key = (POOLS[pool], clusters[cluster], None if model < 0 else cube.gpu_models[model])
            cells[key] = amounts.copy()
    return Streams(cube, workloads, pools, cells)


def moved_streams(before: Streams, pools: tuple[Pool, ...]) -> Streams:
    """The streams with workloads in other pools: subtract and add what moved; untouched cells stay the same objects.

    pools: the new pool of each workload, in the order of `before.workloads`. The very same streams where
    nobody moved. Where most moved all is summed anew, which is quicker.
    Law: equals streams_of with the same pools.
    """
    cube = before.cube
    moved = [
        index for index, (old, new) in enumerate(zip(before.pools, pools, strict=True)) if old is not new
    ]
    if not moved:
        return before
    if len(moved) * 4 > len(pools) and len(moved) > 8:
        return streams_of(cube, before.workloads, pools)
    cells, fresh = dict(before.cells), set[Cell]()
    first, last = (
        np.searchsorted(cube.workload_index, moved),
        np.searchsorted(cube.workload_index, moved, side="right"),
    )
    for index, low, high in zip(moved, first.tolist(), last.tolist(), strict=True):
        for row in range(low, high):
            span = slice(cube.offsets[row], cube.offsets[row + 1])
            model = None if cube.model_index[row] < 0 else cube.gpu_models[cube.model_index[row]]
            for pool, sign in ((before.pools[index], -1), (pools[index], 1)):
                key = (pool, before.workloads[index].cluster, model)
                if key not in fresh:
                    fresh.add(key)
                    old = cells.get(key)
                    cells[key] = np.zeros(cube.hours, dtype=np.int64) if old is None else old.copy()
                cells[key][cube.hour[span]] += sign * cube.milli_gpu_seconds[span]
    kept = {key: amounts for key, amounts in cells.items() if key not in fresh or amounts.any()}
    return Streams(cube, before.workloads, pools, kept)


def scaled_streams(streams: Streams, factors: Mapping[Pool, float], scale: Scale) -> Streams:
    """The streams at so many times each pool's demand, in whole milli-GPU-seconds; at 1 everywhere the very same.

    scale: `scaled`, or what remembers its answers, for what follows tells cells by identity.
    """
    if all(factor == 1 for factor in factors.values()):
        return streams
    cells = {key: scale(amounts, factors[key[0]]) for key, amounts in streams.cells.items()}
    return replace(streams, cells={key: amounts for key, amounts in cells.items() if amounts.any()})


def scaled(amounts: Ints, factor: float) -> Ints:
    """Amounts at so many times, rounded to whole ones; at 1 the very same object.

    Half-way cases go to the even number, as numpy rounds.

    >>> scaled(np.array([10, 5]), 0.5).tolist()
    [5, 2]
    """
    return amounts if factor == 1 else np.rint(amounts * factor).astype(np.int64)
