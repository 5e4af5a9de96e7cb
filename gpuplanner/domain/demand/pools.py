"""Pools: where each workload stands today and in a plan, and the exact hourly sums of every pool."""

from collections.abc import Mapping, Sequence

import numpy as np

from gpuplanner.domain.arrays import Ints
from gpuplanner.domain.demand.classes import Classification
from gpuplanner.domain.model.log.cube import Cube
from gpuplanner.domain.model.pool import POOLS, Pool
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.scenario.plan_inputs import AS_TODAY, TODAY, Scenario


def cluster_classes(project: Project, classifications: Sequence[Classification]) -> dict[str, Pool]:
    """The class with most GPU time of each cluster that has jobs (ties: the order of POOLS).

    Planned work does not count: it does not run yet. Errors: ValueError where there are not as many classes
    as workloads.
    """
    spent: dict[str, dict[Pool, int]] = {}
    for workload, classification in zip(project.workloads, classifications, strict=True):
        if classification.source == "planned":
            continue  # it does not run yet
        of_cluster = spent.setdefault(workload.cluster, dict.fromkeys(POOLS, 0))
        of_cluster[classification.pool] += workload.milli_gpu_seconds
    return {cluster: max(POOLS, key=of_pool.__getitem__) for cluster, of_pool in spent.items()}


def cluster_pools(project: Project, classifications: Sequence[Classification]) -> dict[str, Pool]:
    """The pool that each cluster runs: its contract's `pool` (of several, the one with most GPUs), else its class.

    Contracts count whenever they run, by their GPUs.
    """
    pinned: dict[str, dict[Pool, int]] = {}
    for contract in project.contracts:
        if contract.pool is not None:
            gpus = pinned.setdefault(contract.cluster, dict.fromkeys(POOLS, 0))
            gpus[contract.pool] += contract.milli_gpus
    by_contract = {cluster: max(POOLS, key=gpus.__getitem__) for cluster, gpus in pinned.items()}
    return {**cluster_classes(project, classifications), **by_contract}


def pools_today(project: Project, classifications: Sequence[Classification]) -> tuple[Pool, ...]:
    """The pool in which each workload runs today, its cluster's; in the order of Project.workloads.

    Planned work stands in the pool that it is planned for. Errors: ValueError where there are not as many
    classes as workloads.
    """
    of_cluster = cluster_pools(project, classifications)
    return tuple(
        found.pool if found.source == "planned" else of_cluster[workload.cluster]
        for workload, found in zip(project.workloads, classifications, strict=True)
    )


def pools_in(
    project: Project, scenario: Scenario, classifications: Sequence[Classification]
) -> tuple[Pool, ...]:
    """The pool of each workload in a scenario: where the planner put it, else where the scenario starts.

    A workload in review counts in the pool of its best class. The read-only scenario Today is `pools_today`.
    """
    if scenario.name == TODAY or scenario.start == AS_TODAY:
        begin: Sequence[Pool] = pools_today(project, classifications)
    else:
        begin = [classification.pool for classification in classifications]
    if scenario.name == TODAY or not scenario.pools:
        return tuple(begin)
    placed = scenario.pools
    return tuple(
        placed.get(workload.key, pool) for workload, pool in zip(project.workloads, begin, strict=True)
    )


def is_in_review(key: str, classification: Classification, scenario: Scenario, review_below: float) -> bool:
    """Whether a card waits for the planner: not sure enough, not said by anyone, and not placed in this plan.

    review_below: the assumption, a confidence 0..1; exactly as sure as that is sure enough.
    """
    return (
        classification.confidence < review_below
        and not classification.is_settled
        and key not in scenario.pools
    )


def moved_keys(before: Scenario, after: Scenario) -> frozenset[str]:
    """The workloads whose stated pool differs between two states of one scenario: all that a drop can change.

    Also those that one of the two puts nowhere; empty where both are alike.
    """
    if before.pools is after.pools:
        return frozenset()
    return frozenset(key for key, _ in before.pools.items() ^ after.pools.items())


def pool_hours(cube: Cube, pools: Sequence[Pool]) -> dict[Pool, Ints]:
    """Milli-GPU-seconds of each pool in each hour; int64, shape (hours,) each.

    Law: their sum over pools and hours is the cube's total, exactly.
    """
    number = {pool: place for place, pool in enumerate(POOLS)}
    of_workload = np.fromiter((number[pool] for pool in pools), dtype=np.int64, count=len(pools))
    sums = np.zeros(len(POOLS) * cube.hours, dtype=np.int64)
    row_start = of_workload[cube.workload_index] * cube.hours
    np.add.at(sums, np.repeat(row_start, np.diff(cube.offsets)) + cube.hour, cube.milli_gpu_seconds)
    return dict(zip(POOLS, sums.reshape(len(POOLS), cube.hours), strict=True))


def move_hours(
    hours: Mapping[Pool, Ints], cube: Cube, workload_index: int, source: Pool, target: Pool
) -> dict[Pool, Ints]:
    """The same sums with one workload in another pool: its hours subtracted there and added here.

    Only the two pools' arrays are new. Laws: equal to `pool_hours` afresh, to the bit; moving back undoes it.
    """
    moved = dict(hours)
    if source is target:
        return moved
    first, last = np.searchsorted(cube.workload_index, [workload_index, workload_index + 1])
    span = slice(int(cube.offsets[first]), int(cube.offsets[last]))
    for pool, change in ((source, np.subtract), (target, np.add)):
        after = hours[pool].copy()
        change.at(after, cube.hour[span], cube.milli_gpu_seconds[span])
        moved[pool] = after
    return moved
