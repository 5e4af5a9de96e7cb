"""Month 0, contract by contract: who serves what, and which model demand of unknown model counts with."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gpuplanner.domain.audit.rates import model_of_cluster
from gpuplanner.domain.commitment.streams import Cell, Streams
from gpuplanner.domain.dispatch import dispatch
from gpuplanner.domain.model.contract import Contract
from gpuplanner.domain.model.contract_months import merit
from gpuplanner.domain.model.cube import Ints
from gpuplanner.domain.model.pool import SERVING_ORDER, Pool

MILLI_GPU_SECONDS_PER_MILLI_GPU = 3600  # in each hour


@dataclass(frozen=True, slots=True, eq=False)
class ClusterSplit:
    """parts: unknown demand by the model it counts with; served: milli-GPU-seconds in the window, by contract_id."""

    parts: dict[Cell, Ints]
    served: dict[str, int]


def usual_model(cluster: str, contracts: Sequence[Contract]) -> str | None:
    """The model of the cluster's contracts: the row with most GPUs, of any category and time, then lowest id."""
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
    inference, training, burst; each by the contracts pinned to its pool in merit order, then by the free ones.
    Law: the parts of a pool add up to its unknown demand in every hour. cells: those of this cluster.
    """
    rows = sorted(running, key=merit)
    left = np.empty((len(rows), hours), dtype=np.int64)
    left[:] = (
        np.array([row.milli_gpus for row in rows], dtype=np.int64)[:, None] * MILLI_GPU_SECONDS_PER_MILLI_GPU
    )
    served_by = dict.fromkeys((row.contract_id for row in rows), 0)
    parts: dict[Cell, Ints] = defaultdict(lambda: np.zeros(hours, dtype=np.int64))

    def serve(pool: Pool, demand: Ints, known_model: str | None) -> None:
        open_rows = [
            number
            for pin in (pool, None)
            for number, row in enumerate(rows)
            if row.pool is pin and known_model in (None, row.gpu_model)
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
                    parts[pool, cluster, rows[number].gpu_model] += amounts
        if known_model is None and unserved.any():
            parts[pool, cluster, model_of_the_rest] += unserved

    for pool in SERVING_ORDER:
        for key, demand in sorted(cells.items(), key=lambda item: item[0][2] or ""):
            if key[0] is pool and key[2] is not None:
                serve(pool, demand, key[2])
    for pool in SERVING_ORDER:
        unknown = cells.get((pool, cluster, None))
        if unknown is not None:
            serve(pool, unknown, None)
    return ClusterSplit(dict(parts), served_by)


def clusters_of(streams: Streams) -> list[str]:
    """Clusters with demand, sorted."""
    return sorted({cluster for _, cluster, _ in streams.cells})
