"""Month 0, contract by contract: who serves what, and which model demand of unknown model counts with."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gpuplanner.domain.arrays import Ints
from gpuplanner.domain.audit.money.rates import model_of_cluster
from gpuplanner.domain.commitment.demand.streams import Cell, Streams
from gpuplanner.domain.dispatch import dispatch
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.contract_months import merit
from gpuplanner.domain.model.book.only import (
    ANYBODY,
    gpu_model_of,
    limited_name,
    only_of,
)
from gpuplanner.domain.model.pool import SERVING_ORDER, Pool

MILLI_GPU_SECONDS_PER_MILLI_GPU = 3600  # in each hour


@dataclass(frozen=True, slots=True, eq=False)
class ClusterSplit:
    """parts: unknown demand by the model it counts with; served: milli-GPU-seconds in the window, by contract_id;
    unserved: what of the parts no contract serves."""

    parts: dict[Cell, Ints]
    served: dict[str, int]
    unserved: dict[Cell, Ints]


def usual_model(cluster: str, contracts: Sequence[Contract]) -> str | None:
    """The model of the cluster's contracts: the row with most GPUs, of any category and time, then lowest id.

    contracts: of any cluster. None where none of the cluster states a model.
    """
    return model_of_cluster(row for row in contracts if row.cluster == cluster)


def split_cluster(
    cluster: str,
    cells: dict[Cell, Ints],
    running: Sequence[Contract],
    model_of_the_rest: str | None,
    hours: int,
) -> ClusterSplit:
    """Serve one cluster's hours at today's level.

    Known models first, by contracts of that model, then unknown ones by what is left, each in the order
    inference, training, burst, in each pool what only some may serve before the rest; each by the contracts pinned to
    its pool in merit order, then by the free ones; contracts of others than may serve it are skipped.
    Law: the parts of a pool add up to its unknown demand in every hour. cells: those of this cluster.
    """
    rows = sorted(running, key=merit)
    left = np.empty((len(rows), hours), dtype=np.int64)
    left[:] = (
        np.array([row.milli_gpus for row in rows], dtype=np.int64)[:, None] * MILLI_GPU_SECONDS_PER_MILLI_GPU
    )
    served_by = dict.fromkeys((row.contract_id for row in rows), 0)
    parts: dict[Cell, Ints] = defaultdict(lambda: np.zeros(hours, dtype=np.int64))
    nobody: dict[Cell, Ints] = {}

    def serve(pool: Pool, demand: Ints, name: str | None) -> None:
        known_model, only = gpu_model_of(name), only_of(name)
        open_rows = [
            number
            for pin in (pool, None)
            for number, row in enumerate(rows)
            if row.pool is pin and known_model in (None, row.gpu_model) and only.allows(row)
        ]
        unserved = demand
        if open_rows:
            served = dispatch(demand, left[open_rows])
            left[open_rows] -= served
            unserved = demand - served.sum(axis=0)
            for number, amounts in zip(open_rows, served, strict=True):
                total = int(amounts.sum())
                served_by[rows[number].contract_id] += total
                if known_model is None and total:
                    parts[pool, cluster, limited_name(rows[number].gpu_model, only)] += amounts
        if known_model is None and unserved.any():
            parts[pool, cluster, limited_name(model_of_the_rest, only)] += unserved
            nobody[pool, cluster, limited_name(model_of_the_rest, only)] = unserved

    for is_known in (True, False):
        for pool in SERVING_ORDER:
            for key in sorted(cells, key=serving_order):
                if key[0] is pool and (gpu_model_of(key[2]) is not None) is is_known:
                    serve(pool, cells[key], key[2])
    return ClusterSplit(dict(parts), served_by, nobody)


def serving_order(cell: Cell) -> tuple[str, bool, str]:
    """Of cells of one pool: by cluster, what only some may serve before the rest, then by model.

    A key for sorting: False, for what only some may serve, comes before True.
    """
    return cell[1], only_of(cell[2]) == ANYBODY, cell[2] or ""


def clusters_of(streams: Streams) -> list[str]:
    """Clusters with demand, sorted.

    Cells without demand are not there, so a cluster that only stands idle is not either.
    """
    return sorted({cluster for _, cluster, _ in streams.cells})
