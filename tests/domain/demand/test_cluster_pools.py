"""Pools of clusters, and the pools whose GPUs are worth a commitment."""

from dataclasses import replace

import numpy as np
import pytest

from gpuplanner.domain.demand.pools import (
    cluster_classes,
    cluster_pools,
    newsvendor_units,
    pool_hours,
    pools_today,
)
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.tables import POOLS, Pool
from tests.domain.demand.four_hours import B, I, T, classes, project


@pytest.mark.parametrize(
    ("spent", "pools", "runs"),
    [
        ((5, 4, 0, 0), (T, I, B, B), T),
        ((4, 5, 0, 0), (T, I, B, B), I),
        ((5, 5, 0, 0), (I, B, T, T), min((I, B), key=POOLS.index)),
        ((3, 5, 3, 0), (T, I, T, B), T),
        ((0, 0, 0, 0), (B, B, B, B), POOLS[0]),
    ],
)
def test_a_cluster_runs_the_class_with_most_gpu_time(
    spent: tuple[int, ...], pools: tuple[Pool, ...], runs: Pool
) -> None:
    of = project()
    listed = tuple(
        replace(work, milli_gpu_seconds=each) for work, each in zip(of.workloads, spent, strict=True)
    )
    of = replace(of, workloads=listed)
    assert cluster_classes(of, classes(*pools)) == {"c": runs}
    planned = (*classes(*pools[:3]), *classes(B, source="planned"))
    huge = replace(of, workloads=(*listed[:3], replace(listed[3], milli_gpu_seconds=99)))
    assert cluster_classes(huge, planned) == {"c": runs}
    assert pools_today(huge, planned) == (runs, runs, runs, B)
    with pytest.raises(ValueError, match="argument 2"):
        cluster_classes(of, classes(*pools[:3]))


def test_a_pool_of_contracts_comes_before_the_class() -> None:
    """Of two pinned to burst and one to training the more GPUs count; an unpinned contract says nothing."""
    of, own = project(), classes(T, T, T, T)
    held = [
        Contract(
            contract_id=f"k{at}",
            cluster=cluster,
            gpu_model="H100",
            milli_gpus=gpus,
            rate_usd_per_gpu_hour=None,
            start_s=0,
            pool=pool,
        )
        for at, (cluster, gpus, pool) in enumerate(
            (("c", 3000, B), ("c", 3000, B), ("c", 5000, I), ("c", 9000, None), ("d", 1, I))
        )
    ]
    for many, runs in ((0, T), (1, B), (3, B), (4, B)):
        assert cluster_pools(replace(of, contracts=tuple(held[:many])), own)["c"] is runs
    assert cluster_pools(replace(of, contracts=tuple(held[1:])), own) == {"c": I, "d": I}


def test_hours_of_pools_leave_out_what_has_none() -> None:
    hours = pool_hours(project().cube, (T, None, B, T))
    assert hours[T].tolist() == [12, 18, 0, 0, 3, 0, 0, 0, 0, 0]
    assert hours[B].tolist() == [0] * 9 + [5] and not hours[I].any() and len(hours) == len(POOLS)


@pytest.mark.parametrize(
    ("demand", "ratio", "hours", "units"),
    [
        ([3.0, 1.0], 0.5, None, 1),  # the second unit is busy half of the time, and no more
        ([3.0, 1.0], 0.49, None, 3),
        ([3.0, 1.0], 0.5, 3, 1),  # of three hours
        ([3.0, 1.0], 0.7, 3, 0),
        ([2.0 + 1e-10], 0.0, None, 2),
        ([2.1], 0.0, None, 3),
        ([2.125], 0.125, None, 2),
        ([2.1], 1.0, None, 0),
    ],
)
def test_units_are_committed_to_that_are_busy_more_than_the_ratio(
    demand: list[float], ratio: float, hours: int | None, units: int
) -> None:
    assert newsvendor_units(np.array(demand), ratio, hours) == units
