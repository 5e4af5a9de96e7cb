"""Utilization: which contract served which demand in every hour of the window. Exact integers throughout."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from gpuplanner.domain.arrays import Floats, Ints
from gpuplanner.domain.audit.use.row_sums import row_blocks
from gpuplanner.domain.dispatch import dispatch
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.contract_months import merit
from gpuplanner.domain.model.pool import POOLS, Pool
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import HOUR_S, Window


@dataclass(frozen=True, slots=True, eq=False)
class ClusterHours:
    """One cluster, hour by hour, in milli-GPU-seconds (int64).

    Shapes: capacity, served (contracts, hours), contracts in merit order; demand (models, classes, hours) with
    classes in the order of POOLS; served_demand (models, hours). models: None is unknown and comes last.
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
        """Demand that nobody served, by model; shape (models, hours)."""
        return np.asarray(self.demand.sum(axis=1) - self.served_demand)

    @property
    def contended(self) -> Ints:
        """Overflow of each model in the hours in which it has GPUs at all; shape (models, hours)."""
        has = [self.capacity[self.open_to(model)].sum(axis=0) > 0 for model in self.models]
        return np.where(np.reshape(has, self.served_demand.shape), self.overflow, 0)

    def open_to(self, model: str | None) -> list[int]:
        """Places of the contracts that may serve a model; all of them where it is unknown."""
        return places_open_to(self.contracts, model)

    @property
    def training_hours(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """The hours with GPU time of jobs classed training; shape (hours,)."""
        return np.asarray(self.demand[:, POOLS.index(Pool.TRAINING)].sum(axis=0) > 0)


def places_open_to(contracts: Sequence[Contract], model: str | None) -> list[int]:
    """Places of the contracts of a model; of all of them for an unknown one."""
    return [place for place, contract in enumerate(contracts) if model in (None, contract.gpu_model)]


def run_seconds_by_hour(contract: Contract, window: Window) -> Ints:
    """Seconds of each hour in which a contract runs; shape (hours,)."""
    begin = window.start_s + HOUR_S * np.arange(window.hours, dtype=np.int64)
    end_s = window.end_s if contract.end_s is None else contract.end_s
    overlap_s = np.minimum(begin + HOUR_S, end_s) - np.maximum(begin, contract.start_s)
    return np.asarray(np.clip(overlap_s, 0, HOUR_S), dtype=np.int64)


def capacity_by_hour(contract: Contract, window: Window) -> Ints:
    """Milli-GPU-seconds that a contract offers in each hour: its GPUs times the exact overlap; shape (hours,)."""
    return contract.milli_gpus * run_seconds_by_hour(contract, window)


def dispatch_window(project: Project, classes: Sequence[Pool]) -> tuple[ClusterHours, ...]:
    """Serve the window of every cluster that has jobs or contracts, in the order of their names.

    classes: of each workload, in the order of Project.workloads. Known models are served first, by contracts of
    that model on their cluster; then unknown models by what is left; always in merit order (docs/formulas.md, Serving).
    """
    names = [workload.cluster for workload in project.workloads]
    clusters = sorted({*names, *(contract.cluster for contract in project.contracts)})
    models, demand_by_cluster = _demand(project, names, classes)
    contracts: dict[str, list[Contract]] = {cluster: [] for cluster in clusters}
    for contract in project.contracts:
        contracts[contract.cluster].append(contract)
    nothing = np.zeros((0, len(POOLS), project.window.hours), dtype=np.int64)
    return tuple(
        _serve(
            cluster,
            tuple(sorted(contracts[cluster], key=merit)),
            models.get(cluster, ()),
            demand_by_cluster.get(cluster, nothing),
            project.window,
        )
        for cluster in clusters
    )


def served_of_models(hours: ClusterHours) -> Iterator[tuple[list[int], Ints]]:
    """By GPU model, in the order of `models`: the places of the contracts open to it, and what each of them served.

    Shapes: served (contracts open to it, hours). Law: over all models they sum to `served`.
    """
    left = hours.capacity.copy()
    for number, model in enumerate(hours.models):
        open_to = hours.open_to(model)
        taken = dispatch(hours.demand[number].sum(axis=0), left[open_to])
        left[open_to] -= taken
        yield open_to, taken


def served_by_model(hours: ClusterHours) -> Ints:
    """What each contract served of each GPU model; shape (models, contracts, hours). Law: sums to `served`."""
    found = np.zeros((len(hours.models), *hours.capacity.shape), dtype=np.int64)
    for number, (open_to, taken) in enumerate(served_of_models(hours)):
        found[number, open_to] = taken
    return found


def shares_of_contracts(hours: ClusterHours) -> dict[str | None, Floats]:
    """By model of the demand: the share of it that each contract served in each hour; shape (contracts, hours)."""
    taken, demand = served_by_model(hours), hours.demand.sum(axis=1)
    return {
        model: np.divide(
            taken[number], demand[number], out=np.zeros(hours.capacity.shape), where=demand[number] > 0
        )
        for number, model in enumerate(hours.models)
    }


def part_of(part: Ints, demand: Ints) -> Floats:
    """A part of a demand as a share of it in each hour; 0 where there is none."""
    return np.asarray(np.divide(part, demand, out=np.zeros(len(demand)), where=demand > 0))


def _demand(
    project: Project, names: Sequence[str], classes: Sequence[Pool]
) -> tuple[dict[str, tuple[str | None, ...]], dict[str, Ints]]:
    """Per cluster its models, and their demand by class and hour, added up from the sparse cube in one pass."""
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
        capacity[place] = capacity_by_hour(contract, window)
    served = np.zeros_like(capacity)
    served_demand = np.zeros((len(models), window.hours), dtype=np.int64)
    for number, model in enumerate(models):  # the unknown one is last: it takes what the others leave
        open_to = places_open_to(contracts, model)
        taken = dispatch(demand[number].sum(axis=0), (capacity - served)[open_to])
        served[open_to] += taken
        served_demand[number] = taken.sum(axis=0)
    return ClusterHours(cluster, contracts, models, capacity, served, demand, served_demand)
