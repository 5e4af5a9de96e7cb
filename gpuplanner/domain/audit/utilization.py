"""Utilization: the contract that served each hour's demand in the window, exactly; and contracts outside the window."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, TypeVar

import numpy as np
import numpy.typing as npt

from gpuplanner.domain.arrays import Bools, Floats, Ints
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.model.amounts import grouped
from gpuplanner.domain.model.book.contract import Contract, merit, paid_and_used, paid_for
from gpuplanner.domain.model.book.dollars import cover, in_turn, part_of_dollars, prices_of
from gpuplanner.domain.model.book.renewal import with_renewal
from gpuplanner.domain.model.cube import Cube
from gpuplanner.domain.model.project import Project, month_windows
from gpuplanner.domain.model.tables import POOLS, Pool
from gpuplanner.domain.model.window import DAY_S, HOUR_S, HOURS_PER_MONTH, Window
from gpuplanner.lazy_dataclass import dataclass, replace

# --- Dispatch: the tier of capacity that serves each hour's demand. Exact for integers; used by audit and plan ----

Amounts = TypeVar("Amounts", npt.NDArray[np.int64], npt.NDArray[np.float64])


def dispatch(demand: Amounts, capacity: Amounts) -> Amounts:
    """Serve every hour from the first tier with free capacity.

    Shapes: demand (hours,); capacity (tiers, hours), cheapest first; returns served (tiers, hours).
    Units: one unit of GPU time for all, never negative.
    Law: served.sum(axis=0) == minimum(demand, capacity.sum(axis=0)).
    Errors: ValueError if the two cover different hours.
    Source: merit order dispatch, as in Stoft, Power System Economics (2002).
    """
    if demand.shape != capacity.shape[1:]:
        raise ValueError(
            f"dispatch: demand {demand.shape}, capacity {capacity.shape}; build both on one window"
        )
    served: Amounts = np.diff(np.minimum(np.cumsum(capacity, axis=0), demand), axis=0, prepend=0)
    return served


# --- Row sums: the cube's rows weighted by hour, in blocks that fit the processor's cache ---------

ENTRIES_IN_A_BLOCK: Final = 1 << 16
"""Entries for temporary arrays of half a megabyte; one pass over a large cube would wait for memory."""

LONG_ROWS_IN_A_BLOCK: Final = 64
"""Rows of over a thousand hours are faster one by one."""


@dataclass(frozen=True, slots=True)
class RowBlock:
    """Adjacent rows and their entries: slices of the cube's arrays. offsets: of the rows within the block."""

    rows: slice
    entries: slice
    offsets: Ints

    def spread(self, of_row: Amounts) -> Amounts:
        """Repeat a value per row for every entry of the block; shapes (rows,) -> (entries,)."""
        spread: Amounts = np.repeat(of_row[self.rows], np.diff(self.offsets))
        return spread


def row_blocks(cube: Cube) -> Iterator[RowBlock]:
    """Yield all rows of the cube in order, in blocks of about ENTRIES_IN_A_BLOCK entries and at least one row.

    Law: blocks cover every row and every entry once.
    """
    offsets, first, count = cube.offsets, 0, len(cube.workload_index)
    while first < count:
        last = int(np.searchsorted(offsets, offsets[first] + ENTRIES_IN_A_BLOCK, side="right")) - 1
        last = min(max(last, first + 1), count)
        span = offsets[first : last + 1]
        yield RowBlock(slice(first, last), slice(int(span[0]), int(span[-1])), span - span[0])
        first = last


def weighted_row_sums(cube: Cube, group_of_row: Ints, weights: Floats) -> Floats:
    """Return the sum of each row's milli-GPU-seconds times the hourly weight of its group; shape (kinds, rows).

    Shapes: group_of_row (rows,), indexes into the groups of weights (kinds, groups, hours).
    """
    kinds, groups, hours = weights.shape
    sums = np.zeros((kinds, len(cube.workload_index)))
    flat, row_start = weights.reshape(kinds, groups * hours), group_of_row * hours
    for block in row_blocks(cube):
        if block.rows.stop - block.rows.start <= LONG_ROWS_IN_A_BLOCK:
            for row in range(block.rows.start, block.rows.stop):
                sums[:, row] = _long_row(cube, row, weights[:, group_of_row[row]])
            continue
        slots = block.spread(row_start)
        slots += cube.hour[block.entries]
        amounts = cube.milli_gpu_seconds[block.entries].astype(np.float64)
        for kind, of_kind in enumerate(flat):
            sums[kind, block.rows] = np.add.reduceat(of_kind[slots] * amounts, block.offsets[:-1])
    return sums


def weighted_sums(cube: Cube, group_of_row: Ints, weights: Floats, workloads: int) -> Floats:
    """Return `weighted_row_sums` added up by workload; shape (kinds, workloads). workloads: their number.

    Weights of one kind may have the shape (groups, hours); the result is (workloads,) then.
    """
    by_row = weighted_row_sums(cube, group_of_row, weights if weights.ndim == 3 else weights[None])
    sums = np.array([np.bincount(cube.workload_index, of, minlength=workloads) for of in by_row])
    return sums.reshape(*weights.shape[:-2], workloads)


def _long_row(cube: Cube, row: int, weights: Floats) -> Sequence[float]:
    """Return the weighted sum of a row with many hours by kind; weights (kinds, hours) of consecutive hours are read as
    one slice.
    """
    span = slice(int(cube.offsets[row]), int(cube.offsets[row + 1]))
    hours, amounts = cube.hour[span], cube.milli_gpu_seconds[span].astype(np.float64)
    if not len(hours):
        return [0.0] * len(weights)
    first, last = int(hours[0]), int(hours[-1])
    here = slice(first, last + 1) if last - first + 1 == len(hours) else hours
    return [float(of_kind[here] @ amounts) for of_kind in weights]


# --- Utilization: the contract that served each hour's demand in the window. Exact integers throughout


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ClusterHours:
    """A cluster by hour, in milli-GPU-seconds (int64).

    Shapes: capacity, served (contracts, hours), contracts in merit order; demand (models, classes, hours) with
    classes in the order of POOLS; served_demand (models, hours). models: None is unknown and last.
    Laws: served sums to served_demand in every hour; served <= capacity; served_demand <= demand.
    """

    cluster: str
    contracts: tuple[Contract, ...]
    models: tuple[str | None, ...]
    capacity: Ints
    served: Ints
    demand: Ints
    served_demand: Ints

    @property
    def overflow(self) -> Ints:
        """Demand beyond contracts by model; shape (models, hours)."""
        return np.asarray(self.demand.sum(axis=1) - self.served_demand)

    @property
    def counted(self) -> tuple[str | None, ...]:
        """The model of each entry in `models`, where the contracts' model replaces an unknown one."""
        return tuple(self.stand_in if model is None else model for model in self.models)

    @property
    def stand_in(self) -> str | None:
        """The model that replaces an unknown one."""
        return model_of_cluster(self.contracts)

    @property
    def is_use_unknown(self) -> bool:
        """Whether the coverage of a commitment in dollars is unknown."""
        return any(contract.is_dollars and contract.ramp_of is None for contract in self.contracts)

    @property
    def contended(self) -> Ints:
        """Overflow of each model in hours in which it has GPUs; shape (models, hours)."""
        gpus = ([at for at in self.open_to(m) if not self.contracts[at].is_dollars] for m in self.models)
        has = [self.capacity[at].sum(axis=0) > 0 for at in gpus]
        return np.where(np.reshape(has, self.served_demand.shape), self.overflow, 0)

    def open_to(self, model: str | None) -> list[int]:
        """Return the indexes of contracts that may serve a model; all for an unknown one."""
        return places_open_to(self.contracts, model)

    def with_part(self, part: Contract, capacity: Ints, takes: Mapping[int, Ints]) -> "ClusterHours":
        """Return the cluster with a further contract.

        capacity: (hours,). takes: its served demand by index in `models`.
        """
        of_models, rows = self.served_demand.copy(), (*self.contracts, part)
        for place, amount in takes.items():
            of_models[place] += amount
        served = np.vstack((self.served, sum(takes.values(), np.zeros_like(capacity))))
        held = np.vstack((self.capacity, capacity))
        return replace(self, contracts=rows, capacity=held, served=served, served_demand=of_models)

    @property
    def training_hours(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Hours with GPU time of training jobs, as a mask; shape (hours,)."""
        return np.asarray(self.demand[:, POOLS.index(Pool.TRAINING)].sum(axis=0) > 0)


def places_open_to(contracts: Sequence[Contract], model: str | None) -> list[int]:
    """Return the indexes of contracts with a model; all for an unknown one. Unused dollars serve no demand."""
    return [at for at, row in enumerate(contracts) if model in (None, row.gpu_model) and row.serves]


def model_of_cluster(contracts: Iterable[Contract]) -> str | None:
    """Return the model for demand of unknown model on a cluster: of the contract with most GPUs, ties by id.

    None without contracts in GPUs, or if the largest names no model.
    """
    of_gpus = (contract for contract in contracts if not contract.is_dollars)
    largest = min(of_gpus, key=lambda contract: (-contract.milli_gpus, contract.contract_id), default=None)
    return None if largest is None else largest.gpu_model


def run_seconds_by_hour(contract: Contract, window: Window) -> Ints:
    """Return the seconds of each hour in which a contract runs; shape (hours,)."""
    begin = window.start_s + HOUR_S * np.arange(window.hours, dtype=np.int64)
    end_s = window.end_s if contract.end_s is None else contract.end_s
    overlap_s = np.minimum(begin + HOUR_S, end_s) - np.maximum(begin, contract.start_s)
    return np.asarray(np.clip(overlap_s, 0, HOUR_S), dtype=np.int64)


def dispatch_window(project: Project, classes: Sequence[Pool]) -> tuple[ClusterHours, ...]:
    """Serve the window on every cluster with jobs or contracts, sorted by name.

    classes: of each workload, in the order of Project.workloads. Known models are served first, by contracts of
    that model on their cluster; then unknown models; in merit order (docs/formulas/utilization.md, Serving).
    """
    names = [workload.cluster for workload in project.workloads]
    contracts = grouped((row.cluster, row) for row in project.contracts if not row.is_dollars)
    dollars = in_turn(project.contracts)
    clusters = sorted({*names, *contracts} or {row.cluster for row in dollars})
    models, demand_by_cluster = _demand(project, names, classes)
    nothing = np.zeros((0, len(POOLS), project.window.hours), dtype=np.int64)
    served = [
        _serve(
            cluster,
            tuple(sorted(contracts.get(cluster, ()), key=merit)),
            models.get(cluster, ()),
            demand_by_cluster.get(cluster, nothing),
            project.window,
        )
        for cluster in clusters
    ]
    for contract in dollars:
        _cover(project, contract, served)
    return tuple(served)


def _cover(project: Project, contract: Contract, clusters: list[ClusterHours]) -> None:
    """Serve overflow on all clusters with a commitment in dollars, largest discount first; updates `clusters`.

    Each cluster gets a part for each GPU model, as large as the demand it serves. The unused rest becomes a part of the
    cluster with the largest use, or of the first. Without on-demand rates the coverage is unknown and the commitment
    stays whole. Source: docs/formulas/contracts.md, Commitments in dollars per hour.
    """
    run_s, unit = run_seconds_by_hour(contract, project.window), MILLI_GPU_SECONDS_PER_GPU_HOUR
    prices = prices_of(contract, project.offers, (model for of in clusters for model in of.counted))
    if contract.rate is None or not prices:
        clusters[0] = clusters[0].with_part(contract, contract.milli_gpus * run_s, {})
        return
    left = [hours.overflow / unit for hours in clusters]
    pairs = zip(clusters, left, strict=True)
    wanted = grouped(pair for of, rows in pairs for pair in zip(of.counted, rows, strict=True))
    _, unused = cover(contract.rate * run_s / HOUR_S, prices, wanted)
    used_usd = np.zeros(len(clusters))
    for at, hours in enumerate(clusters):
        taken = hours.overflow - np.rint(left[at] * unit).astype(np.int64)
        for model, (price, _) in prices.items():
            takes = {n: taken[n] for n, of in enumerate(hours.counted) if of == model and taken[n].any()}
            if takes:
                part = part_of_dollars(contract, model, model, price)
                clusters[at] = clusters[at].with_part(part, sum(takes.values()), takes)
                used_usd[at] += sum(amount.sum() for amount in takes.values()) * price
    model, (price, _) = next(iter(prices.items()))
    spread = np.diff(np.rint(np.cumsum(unused / price * unit)), prepend=0.0).astype(np.int64)
    home, idle = int(used_usd.argmax()), part_of_dollars(contract, "unused", model, price, serves=False)
    clusters[home] = clusters[home].with_part(idle, spread, {})


def served_of_models(hours: ClusterHours) -> Iterator[tuple[list[int], Ints]]:
    """Yield for each GPU model, in the order of `models`, the indexes of its contracts and their served demand.

    Shapes: served (contracts of the model, hours). Law: over all models they sum to `served`.
    """
    left = hours.capacity.copy()
    for number, model in enumerate(hours.models):
        open_to = hours.open_to(model)
        taken = dispatch(hours.demand[number].sum(axis=0), left[open_to])
        left[open_to] -= taken
        yield open_to, taken


def served_by_model(hours: ClusterHours) -> Ints:
    """Return the served demand by GPU model and contract; shape (models, contracts, hours). Law: sums to `served`."""
    by_model = np.zeros((len(hours.models), *hours.capacity.shape), dtype=np.int64)
    for number, (open_to, taken) in enumerate(served_of_models(hours)):
        by_model[number, open_to] = taken
    return by_model


def shares_of_contracts(hours: ClusterHours) -> dict[str | None, Floats]:
    """Return by model the share of its demand that each contract served in each hour; shape (contracts, hours)."""
    shares = map(part_of, served_by_model(hours), hours.demand.sum(axis=1))
    return dict(zip(hours.models, shares, strict=True))


def part_of(part: npt.NDArray[np.floating | np.integer], demand: Floats | Ints) -> Floats:
    """Return a part of a demand as a share in each hour; 0 without demand. Shapes: (..., hours), as the part's."""
    return np.asarray(np.divide(part, demand, out=np.zeros(part.shape), where=demand > 0))


def _demand(
    project: Project, names: Sequence[str], classes: Sequence[Pool]
) -> tuple[dict[str, tuple[str | None, ...]], dict[str, Ints]]:
    """Return each cluster's models, and their demand by class and hour, summed from the sparse cube in one pass."""
    cube = project.cube
    spellings: tuple[str | None, ...] = (*cube.gpu_models, None)  # index -1 is the unknown model
    unknown = len(cube.gpu_models)
    pairs = [
        (names[workload], unknown if model < 0 else model)
        for workload, model in zip(cube.workload_index.tolist(), cube.model_index.tolist(), strict=True)
    ]
    groups = sorted(set(pairs))
    place = {pair: number for number, pair in enumerate(groups)}
    class_number = {pool: number for number, pool in enumerate(POOLS)}
    row_group = np.array(
        [
            place[pair] * len(POOLS) + class_number[classes[workload]]
            for pair, workload in zip(pairs, cube.workload_index.tolist(), strict=True)
        ],
        dtype=np.int64,
    )
    sums = np.zeros(len(groups) * len(POOLS) * cube.hours, dtype=np.int64)
    row_start = row_group * cube.hours
    for block in row_blocks(cube):
        slots = block.spread(row_start)
        slots += cube.hour[block.entries]
        np.add.at(sums, slots, cube.milli_gpu_seconds[block.entries])
    by_group = sums.reshape(len(groups), len(POOLS), cube.hours)
    models: dict[str, tuple[str | None, ...]] = {}
    demand: dict[str, Ints] = {}
    for cluster in dict.fromkeys(cluster for cluster, _ in groups):
        members = [number for number, (name, _) in enumerate(groups) if name == cluster]
        models[cluster] = tuple(spellings[groups[number][1]] for number in members)
        demand[cluster] = by_group[members[0] : members[-1] + 1]
    return models, demand


def _serve(
    cluster: str,
    contracts: tuple[Contract, ...],
    models: tuple[str | None, ...],
    demand: Ints,
    window: Window,
) -> ClusterHours:
    capacity = np.zeros((len(contracts), window.hours), dtype=np.int64)
    for place, contract in enumerate(contracts):
        capacity[place] = contract.milli_gpus * run_seconds_by_hour(contract, window)
    served = np.zeros_like(capacity)
    served_demand = np.zeros((len(models), window.hours), dtype=np.int64)
    for number, model in enumerate(models):  # the unknown model is last and gets the remaining capacity
        open_to = places_open_to(contracts, model)
        taken = dispatch(demand[number].sum(axis=0), (capacity - served)[open_to])
        served[open_to] += taken
        served_demand[number] = taken.sum(axis=0)
    months = [(month.start_s - window.start_s) // HOUR_S for month in month_windows(window)]
    starts = months or range(0, window.hours, HOURS_PER_MONTH)
    if any(contract.take_or_pay_percent is not None for contract in contracts):
        held, used = (np.add.reduceat(amounts, starts, axis=1) for amounts in (capacity, served))
        in_all = (amounts.sum(axis=1) for amounts in (paid_for(contracts, held, used), used, held))
        shares = map(paid_and_used, contracts, *in_all)
        contracts = tuple(
            replace(contract, paid_share=paid, used_share=of_it)
            for contract, (paid, of_it) in zip(contracts, shares, strict=True)
        )
    return ClusterHours(
        cluster=cluster,
        contracts=contracts,
        models=models,
        capacity=capacity,
        served=served,
        demand=demand,
        served_demand=served_demand,
    )


@lru_cache(maxsize=2)
def paid_contracts(project: Project) -> tuple[Contract, ...]:
    """Return a project's contracts with the shares paid for their logged use; law: its own if all are paid in full.

    Planned work does not count as use.
    """
    if all(contract.take_or_pay_percent is None for contract in project.contracts):
        return project.contracts
    planned = {work.key for scenario in project.scenarios for work in scenario.planned}
    logged = [bool(workload.jobs) or workload.key not in planned for workload in project.workloads]
    project = replace(project, cube=project.cube.of_workloads(np.array(logged, dtype=np.bool_)))
    clusters = dispatch_window(project, [POOLS[0]] * len(project.workloads))
    paid = {contract.contract_id: contract for hours in clusters for contract in hours.contracts}
    return tuple(paid.get(contract.contract_id, contract) for contract in project.contracts)


def held_contracts(project: Project) -> tuple[Contract, ...]:
    """Return `paid_contracts` with their ends at the start of plans, after renewals that can no longer be prevented."""
    begins_s, log_end_s = project.plan_window.end_s, project.window.end_s
    return tuple(with_renewal(contract, begins_s, log_end_s) for contract in paid_contracts(project))


# --- Contracts outside the log: whether any runs during it, and the first day of a plan that covers them ----------


@dataclass(frozen=True, slots=True)
class ContractsApart:
    """Contracts that all lie outside the window of the log.

    begin_s, end_s: first start and last end, epoch seconds UTC; end_s None: a contract has no end.
    """

    begin_s: int
    end_s: int | None
    contracts: tuple[Contract, ...]

    def runs_at(self, at_s: int) -> bool:
        """Return whether a contract runs at an instant, epoch seconds."""
        return any(contract.overlaps(at_s, at_s + 1) for contract in self.contracts)

    def day_to_plan_from_s(self, window: Window, today_s: int) -> int | None:
        """Return the start of a plan that covers the contracts: today if one runs, otherwise the day with most GPUs.

        Epoch seconds of whole days UTC after the window. today_s: epoch seconds. None if all end before the window
        does.
        """
        today_s = today_s // DAY_S * DAY_S
        if today_s > window.end_s and self.runs_at(today_s):
            return today_s
        starts = {max(contract.start_s, window.end_s) for contract in self.contracts}
        days = sorted(-(-start_s // DAY_S) * DAY_S for start_s in starts)
        held = [sum(c.milli_gpus for c in self.contracts if c.overlaps(day, day + 1)) for day in days]
        return days[held.index(max(held))] if any(held) else None


def any_ran(contracts: Iterable[Contract], window: Window) -> bool:
    """Return whether a contract was paid for in the window; without one, today's spend is unknown."""
    return any(contract.overlaps(window.start_s, window.end_s) for contract in contracts)


def contracts_apart(contracts: Iterable[Contract], window: Window) -> ContractsApart | None:
    """Return the contracts if all lie outside the window; None if one runs in it, or without contracts."""
    listed = tuple(contracts)
    if not listed or any_ran(listed, window):
        return None
    ends = [contract.end_s for contract in listed]
    known = [end_s for end_s in ends if end_s is not None]
    return ContractsApart(
        min(contract.start_s for contract in listed), max(known) if len(known) == len(ends) else None, listed
    )


# --- Groups: the GPU models of each cluster, whose workloads share served capacity by hour --------


def group_of_row(project: Project, clusters: Sequence[ClusterHours]) -> Ints:
    """Return the group of each row of the cube: its GPU model on its cluster, in cluster order; shape (rows,)."""
    groups = ((hours.cluster, model) for hours in clusters for model in hours.models)
    number = {group: place for place, group in enumerate(groups)}
    rows = ((project.workloads[at].cluster, model) for at, model in project.cube.pairs)
    return np.array([number[row] for row in rows], dtype=np.int64)


def per_unit_of_demand(
    clusters: Sequence[ClusterHours],
    amount_of: Callable[[ClusterHours], npt.NDArray[np.floating | np.integer]],
) -> Floats:
    """Return an amount of each group and hour divided by its demand in milli-GPU-seconds, 0 without demand; (groups,
    hours).

    amount_of: return the amounts of a cluster, shape (models, hours).
    """
    if not clusters:
        return np.zeros((0, 0))
    amount = np.concatenate([amount_of(hours) for hours in clusters])
    demand = np.concatenate([hours.demand.sum(axis=1) for hours in clusters])
    return part_of(amount, demand)


def served_share(clusters: Sequence[ClusterHours]) -> Floats:
    """Return the share of each group's demand that contracts served in each hour, 0..1; shape (groups, hours)."""
    return per_unit_of_demand(clusters, lambda hours: hours.served_demand)


# --- Contention: hours with more demand than GPUs, and training that shared them with inference ---


@dataclass(frozen=True, slots=True, eq=False)
class Contention:
    """The contended hours of a cluster.

    hours: mask over the window, (hours,). beside_inference: its hours with both training and inference, (hours,).
    overflow_gpu_hours: demand beyond the GPUs in contended hours. shared_training: keys of the training workloads in
    `beside_inference`, in the order of the project.
    """

    hours: Bools
    beside_inference: Bools
    overflow_gpu_hours: float
    shared_training: tuple[str, ...]

    @property
    def contention_hours(self) -> int:
        """Number of hours with more demand than GPUs."""
        return int(self.hours.sum())

    @property
    def beside_inference_hours(self) -> int:
        """Number of contended hours in which training shared the cluster with inference."""
        return int(self.beside_inference.sum())


def contention_by_cluster(
    project: Project, classes: Sequence[Pool], clusters: Sequence[ClusterHours]
) -> dict[str, Contention]:
    """Return the contention of every cluster, by name. classes: of each workload, in the order of Project.workloads.

    An hour counts if demand for a GPU model exceeds its contracts, and they have GPUs in it. Demand for a model without
    GPUs is overflow, not contention (docs/formulas/leaks.md).
    """
    training, inference = POOLS.index(Pool.TRAINING), POOLS.index(Pool.INFERENCE)
    masks = {}
    for hours in clusters:
        overflow = hours.contended.sum(axis=0)
        ran = hours.demand.sum(axis=0) > 0
        beside = (overflow > 0) & ran[training] & ran[inference]
        masks[hours.cluster] = (overflow > 0, beside, int(overflow.sum()))
    shared = _training_within(project, classes, {name: beside for name, (_, beside, _) in masks.items()})
    return {
        name: Contention(mask, beside, lost / MILLI_GPU_SECONDS_PER_GPU_HOUR, shared[name])
        for name, (mask, beside, lost) in masks.items()
    }


def _training_within(
    project: Project, classes: Sequence[Pool], masks: dict[str, Bools]
) -> dict[str, tuple[str, ...]]:
    """Return the keys of training workloads that ran in an hour of their cluster's mask, by cluster."""
    trained: dict[str, list[str]] = {name: [] for name in masks}
    cube, last = project.cube, -1
    with_hours = {name for name, mask in masks.items() if mask.any()}
    for row, place in enumerate(cube.workload_index.tolist()):
        workload = project.workloads[place]
        if place == last or classes[place] is not Pool.TRAINING or workload.cluster not in with_hours:
            continue
        if masks[workload.cluster][cube.hour[cube.offsets[row] : cube.offsets[row + 1]]].any():
            trained[workload.cluster].append(workload.key)
            last = place  # rows of other GPU models add no key
    return {name: tuple(keys) for name, keys in trained.items()}


# Contention of training: GPU-hours next to inference while the cluster had too few GPUs.
def contended_gpu_hours(
    project: Project, classes: Sequence[Pool], contention: Mapping[str, Contention]
) -> tuple[float, ...]:
    """Return the GPU-hours of each training workload in contended hours with inference, 0 for others, in project order.

    classes: of each workload. Skips clusters without such hours, because a year of thousands of workloads is long.
    """
    cube = project.cube
    lost = np.zeros(len(project.workloads), dtype=np.int64)
    met = {cluster: c.beside_inference for cluster, c in contention.items() if c.beside_inference.any()}
    for row, place in enumerate(cube.workload_index.tolist() if met else ()):
        busy = met.get(project.workloads[place].cluster)
        if busy is not None and classes[place] is Pool.TRAINING:
            span = slice(int(cube.offsets[row]), int(cube.offsets[row + 1]))
            lost[place] += cube.milli_gpu_seconds[span][busy[cube.hour[span]]].sum()
    return tuple((lost / MILLI_GPU_SECONDS_PER_GPU_HOUR).tolist())
