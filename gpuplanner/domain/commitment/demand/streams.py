"""Demand by pool, cluster and GPU model: whose it is, who serves it in month 0, what contracts leave over."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from gpuplanner.domain.arrays import Floats, Ints
from gpuplanner.domain.audit.utilization.cluster_hours import model_of_cluster, part_of
from gpuplanner.domain.audit.utilization.dispatch import dispatch
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.model.amounts import grouped
from gpuplanner.domain.model.book.contract import Contract, merit
from gpuplanner.domain.model.book.only import (
    ANYBODY,
    Only,
    Row,
    gpu_model_of,
    limited_name,
    may_serve,
    only_of,
)
from gpuplanner.domain.model.cube import Cube, Workload
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.plan.splits import bare_key
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import POOLS, SERVING_ORDER, Pool
from gpuplanner.lazy_dataclass import dataclass, replace

# --- Demand by pool, cluster and GPU model, hour by hour: what the plan serves. Exact integers ---


class Cell(NamedTuple):
    """Whose demand it is. name: GPU model, or the name of what only some may serve; None: the log does not say it."""

    pool: Pool
    cluster: str
    name: str | None


Scale = Callable[[Ints, float], Ints]

ROWS_AT_ONCE: Final = 4096
"""Of a cube that is summed up: its places and amounts as floats would be as large as itself."""


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
    numbers = [
        POOLS.index(pool) * len(clusters) + cluster_number[workload.cluster]
        for workload, pool in zip(workloads, pools, strict=True)
    ]
    group = np.array(numbers, dtype=np.int64)
    row_code = group[cube.workload_index] * models + cube.model_index + 1
    codes, row_place = np.unique(row_code, return_inverse=True)
    sums = np.zeros(len(codes) * cube.hours)
    for low in range(0, len(row_place), ROWS_AT_ONCE):
        offsets = cube.offsets[low : low + ROWS_AT_ONCE + 1]
        span = slice(offsets[0], offsets[-1])
        place = np.repeat(row_place[low : low + ROWS_AT_ONCE], np.diff(offsets)) * cube.hours
        place += cube.hour[span]
        sums += np.bincount(place, weights=cube.milli_gpu_seconds[span], minlength=len(sums))
    hourly = sums.astype(np.int64).reshape(len(codes), cube.hours)  # exact: every sum is far below 2^53
    cells: dict[Cell, Ints] = {}
    for code, amounts in zip(codes.tolist(), hourly, strict=True):
        model = code % models - 1
        pool, cluster = divmod(code // models, len(clusters))
        if amounts.any():
            key = Cell(POOLS[pool], clusters[cluster], None if model < 0 else cube.gpu_models[model])
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
    first = np.searchsorted(cube.workload_index, moved).tolist()
    last = np.searchsorted(cube.workload_index, moved, side="right").tolist()
    for index, low, high in zip(moved, first, last, strict=True):
        for row in range(low, high):
            span = slice(cube.offsets[row], cube.offsets[row + 1])
            model = None if cube.model_index[row] < 0 else cube.gpu_models[cube.model_index[row]]
            for pool, sign in ((before.pools[index], -1), (pools[index], 1)):
                key = Cell(pool, before.workloads[index].cluster, model)
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
    cells = {key: scale(amounts, factors[key.pool]) for key, amounts in streams.cells.items()}
    return replace(streams, cells={key: amounts for key, amounts in cells.items() if amounts.any()})


def scaled(amounts: Ints, factor: float) -> Ints:
    """Amounts at so many times, rounded to whole ones; at 1 the very same object.

    Half-way cases go to the even number, as numpy rounds.

    >>> scaled(np.array([10, 5]), 0.5).tolist()
    [5, 2]
    """
    return amounts if factor == 1 else np.rint(amounts * factor).astype(np.int64)


# --- Whose demand it is: GPU time of each workload by pool and model, with demand of unknown model split


def _entries(cube: Cube, rows: Ints) -> tuple[Ints, Ints]:
    """Places of all entries of some rows of the cube, and where each row begins among them, and the last ends."""
    lengths = cube.offsets[rows + 1] - cube.offsets[rows]
    begins = np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)
    places = np.arange(begins[-1]) + np.repeat(cube.offsets[rows] - begins[:-1], lengths)
    return places, begins


def gpu_time_by_row(streams: Streams, parts: Mapping[Cell, Ints], row_totals: Ints) -> dict[Row, Floats]:
    """Milli-GPU-seconds of each workload in each (pool, model) of the plan; shape (workloads,).

    parts: unknown demand by the model it counts with; it is shared in each hour in proportion to GPU time.
    Law: over the workloads of a row, the demand of its streams.
    """
    cube = streams.cube
    pool_of_row = np.array([POOLS.index(pool) for pool in streams.pools], dtype=np.int64)[cube.workload_index]
    cluster_of_row = np.array([w.cluster for w in streams.workloads], dtype=object)[cube.workload_index]
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
                add(Row(pool, model), cube.workload_index[rows], row_totals[rows])
    by_place = grouped(
        ((pool, cluster, limited_name(None, only_of(counted_with))), (counted_with, part))
        for (pool, cluster, counted_with), part in parts.items()
    )
    number_of = {name: number for number, name in enumerate(cube.gpu_models)}
    for (pool, cluster, unknown), split in by_place.items():
        here = (pool_of_row == POOLS.index(pool)) & (cluster_of_row == cluster)
        rows = np.flatnonzero(here & (cube.model_index == (-1 if unknown is None else number_of[unknown])))
        if len(split) == 1:
            [(counted_with, _)] = split
            add(Row(pool, counted_with), cube.workload_index[rows], row_totals[rows])
            continue
        places, begins = _entries(cube, rows)
        whole = streams.cells[Cell(pool, cluster, unknown)]
        for counted_with, part in split:
            share = part_of(part, whole)
            amounts = np.add.reduceat(cube.milli_gpu_seconds[places] * share[cube.hour[places]], begins[:-1])
            add(Row(pool, counted_with), cube.workload_index[rows], amounts)
    return {row: amounts for row, amounts in answer.items() if amounts.any()}


def several_nodes(workloads: Sequence[Workload], users: Mapping[Row, Floats]) -> dict[Row, bool]:
    """Of each row whether a workload that has GPU time in it runs on several nodes."""
    many = np.array([(workload.max_nodes or 1) > 1 for workload in workloads], dtype=np.bool_)
    return {row: bool((many & (spent > 0)).any()) for row, spent in users.items()}


# --- Demand that only some may serve, under a name of its own: it is then planned as a part of its own


def with_limited_demand(project: Project, scenario: Scenario, cache: AdviceCache) -> Project:
    """The project with the demand of limited workloads under names of their own (domain/model/book/only.py).

    A limit that every offer and every contract that could serve the demand keeps anyway limits nothing: what it is
    of stays with the rest. Law: GPU time by workload and hour is as it was.
    """
    if not scenario.only:
        return project
    key = (tuple(scenario.only.items()), project.mappings)
    made = (project.cube, project.workloads, project.contracts, project.offers)
    cube = cache.recall("limited", key, made, lambda: _limited(project, scenario))
    return project if cube is project.cube else replace(project, cube=cube)


def _limited(project: Project, scenario: Scenario) -> Cube:
    """The cube with limited demand under its own names. Rows are sorted again, for a cube is in order of
    workload and model.
    """
    cube = project.cube
    models, index = list(cube.gpu_models), cube.model_index.copy()
    number = {name: place for place, name in enumerate(models)}
    for at, workload in enumerate(cube.workload_index.tolist()):
        key = project.workloads[workload].key
        only = scenario.only.get(key) or scenario.only.get(bare_key(key))
        if only is None:
            continue
        model = None if cube.model_index[at] < 0 else cube.gpu_models[cube.model_index[at]]
        if not is_limited(project, project.workloads[workload].cluster, model, only):
            continue
        name = limited_name(model, only) or ""
        index[at] = number.setdefault(name, len(models))
        if index[at] == len(models):
            models.append(name)
    if (index == cube.model_index).all():
        return cube
    order = np.lexsort((index, cube.workload_index))
    entries, offsets = _entries(cube, order)
    return Cube(
        hours=cube.hours,
        gpu_models=tuple(models),
        workload_index=cube.workload_index[order],
        model_index=index[order],
        offsets=offsets,
        hour=cube.hour[entries],
        milli_gpu_seconds=cube.milli_gpu_seconds[entries],
    )


def is_limited(project: Project, cluster: str, model: str | None, only: Only) -> bool:
    """Whether something that could serve demand of a model on a cluster may not."""
    offers = (o for o in project.offers if may_serve(project.mappings, model, o.gpu_model))
    contracts = (c for c in project.contracts if c.cluster == cluster and model in (None, c.gpu_model))
    return not (all(map(only.allows, offers)) and all(map(only.allows, contracts)))


# --- Month 0, contract by contract: who serves what, and which model demand of unknown model counts with

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
                    parts[Cell(pool, cluster, limited_name(rows[number].gpu_model, only))] += amounts
        if known_model is None and unserved.any():
            cell = Cell(pool, cluster, limited_name(model_of_the_rest, only))
            parts[cell] += unserved
            nobody[cell] = unserved

    for is_known in (True, False):
        for pool in SERVING_ORDER:
            for key in sorted(cells, key=serving_order):
                if key.pool is pool and (gpu_model_of(key.name) is not None) is is_known:
                    serve(pool, cells[key], key.name)
    return ClusterSplit(dict(parts), served_by, nobody)


def group_parts(
    streams: Streams, parts: Mapping[Cell, Ints], totals: Mapping[Cell, Ints], rest: Mapping[str, str | None]
) -> dict[Cell, Ints]:
    """Return a group's part of the split: in each hour by its share of the unknown demand. parts: empty if the group is
    not
    present in month 0; its demand then counts with the model of its cluster's contracts.
    """
    answer: dict[Cell, Ints] = {}
    for cell, own in streams.cells.items():
        if gpu_model_of(cell.name) is not None:
            continue
        only = only_of(cell.name)
        own_parts = {
            key: part
            for key, part in parts.items()
            if key.pool is cell.pool and key.cluster == cell.cluster and only_of(key.name) == only
        }
        if not own_parts:
            answer[Cell(cell.pool, cell.cluster, limited_name(rest[cell.cluster], only))] = own
        for key, part in own_parts.items():
            whole = totals[cell]
            answer[key] = np.rint(part * part_of(own, whole)).astype(np.int64)
    return answer


def serving_order(cell: Cell) -> tuple[str, bool, str]:
    """Of cells of one pool: by cluster, what only some may serve before the rest, then by model.

    A key for sorting: False, for what only some may serve, comes before True.
    """
    return cell.cluster, only_of(cell.name) == ANYBODY, cell.name or ""


def clusters_of(streams: Streams) -> list[str]:
    """Clusters with demand, sorted.

    Cells without demand are not there, so a cluster that only stands idle is not either.
    """
    return sorted({cluster for _, cluster, _ in streams.cells})
