"""Whose demand it is: GPU time of each workload by pool and model, with demand of unknown model split."""

from collections.abc import Mapping

import numpy as np

from gpuplanner.domain.arrays import Floats, Ints
from gpuplanner.domain.commitment.demand.streams import Cell, Streams
from gpuplanner.domain.model.book.only import gpu_model_of, limited_name, only_of
from gpuplanner.domain.model.pool import POOLS, Pool

Row = tuple[Pool, str | None]
"""(pool, GPU model): one row of the plan; demand that only some may serve has a name beside its model's (`only`)."""


def _entries(streams: Streams, rows: Ints) -> tuple[Ints, Ints]:
    """Places of all entries of some rows of the cube, and where each row begins among them."""
    offsets = streams.cube.offsets
    lengths = offsets[rows + 1] - offsets[rows]
    begins = np.concatenate(([0], np.cumsum(lengths)))
    places = np.arange(begins[-1]) + np.repeat(offsets[rows] - begins[:-1], lengths)
    return places, begins[:-1]


def gpu_time_by_row(streams: Streams, parts: Mapping[Cell, Ints], row_totals: Ints) -> dict[Row, Floats]:
    """Milli-GPU-seconds of each workload in each (pool, model) of the plan; shape (workloads,).

    parts: unknown demand by the model it counts with; it is shared in each hour in proportion to GPU time.
    Law: over the workloads of a row, the demand of its streams.
    """
    cube = streams.cube
    pool_number = {pool: number for number, pool in enumerate(POOLS)}
    pool_of_row = np.array([pool_number[pool] for pool in streams.pools], dtype=np.int64)[cube.workload_index]
    cluster_number = {
        name: number for number, name in enumerate({w.cluster: None for w in streams.workloads})
    }
    cluster_of = np.array([cluster_number[w.cluster] for w in streams.workloads], dtype=np.int64)
    cluster_of_row = cluster_of[cube.workload_index]
    answer: dict[Row, Floats] = {}

    def add(row: Row, workloads: Ints, amounts: Floats | Ints) -> None:
        answer.setdefault(row, np.zeros(len(streams.workloads)))[workloads] += amounts

    for number, pool in enumerate(POOLS):
        in_pool = pool_of_row == number
        for model_number, model in enumerate(cube.gpu_models):
            if gpu_model_of(model) is None:
                continue
            rows = np.flatnonzero(in_pool & (cube.model_index == model_number))
            if len(rows):
                add((pool, model), cube.workload_index[rows], row_totals[rows])
    by_place: dict[Cell, list[tuple[str | None, Ints]]] = {}
    for (pool, cluster, counted_with), part in parts.items():
        unknown = limited_name(None, only_of(counted_with))
        by_place.setdefault((pool, cluster, unknown), []).append((counted_with, part))
    number_of = {name: number for number, name in enumerate(cube.gpu_models)}
    for (pool, cluster, unknown), split in by_place.items():
        here = (pool_of_row == pool_number[pool]) & (cluster_of_row == cluster_number[cluster])
        rows = np.flatnonzero(here & (cube.model_index == (-1 if unknown is None else number_of[unknown])))
        if len(split) == 1:
            add((pool, split[0][0]), cube.workload_index[rows], row_totals[rows])
            continue
        places, begins = _entries(streams, rows)
        whole = streams.cells[pool, cluster, unknown]
        for counted_with, part in split:
            share = np.divide(part, whole, out=np.zeros(len(whole)), where=whole > 0)
            amounts = np.add.reduceat(cube.milli_gpu_seconds[places] * share[cube.hour[places]], begins)
            add((pool, counted_with), cube.workload_index[rows], amounts)
    return {row: amounts for row, amounts in answer.items() if amounts.any()}
