"""Parts of workloads, planned work, pools of clusters and cuts of demand, on a few hours whose GPU time is by hand."""

from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.arrays import Ints
from gpuplanner.domain.demand.classification import Classification
from gpuplanner.domain.demand.demand_cuts import (
    flat_activities,
    idle_hours,
    is_flat,
    is_idle_dev,
    needed_gpus,
    with_demand_cut,
)
from gpuplanner.domain.demand.pools import (
    FOR_GOOD_S,
    NOT_LOGGED,
    _planned_workload,
    cluster_classes,
    cluster_pools,
    newsvendor_units,
    part_amounts,
    parted,
    planned_amounts,
    planned_class,
    pool_hours,
    pools_today,
    second_part,
    stands_on_board,
)
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.cube import Cube, Workload, cube_from_entries
from gpuplanner.domain.model.plan_inputs import (
    AUTOSCALE,
    IDLE_ENDED,
    RIGHT_SIZE,
    PlannedWork,
    Scenario,
    ShareSplit,
    Split,
    TimeSplit,
    WeekSplit,
)
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import POOLS, Pool
from gpuplanner.domain.model.window import HOUR_S, Window

MONDAY_S = 1_767_571_200
"""5 January 2026."""
GPU_HOUR = 3_600_000
HOURS = 10
FOUR = [
    (0, 0, 0, 10), (0, 0, 1, 11), (0, -1, 1, 7), (1, 0, 2, 100), (1, 1, 2, 1), (1, 1, 5, 30),
    (2, -1, 9, 5), (3, 1, 0, 2), (3, 1, 4, 3),
]  # fmt: skip
"""Of four workloads on two models or an unknown: workload, model, hour, milli-GPU-seconds."""


def works(*names: str, **facts: Any) -> tuple[Workload, ...]:
    return tuple(Workload(key=f"c/o/{name}", name=name, cluster="c", owner="o", **facts) for name in names)


def project(
    rows: list[tuple[int, int, int, int]] = FOUR, names: str = "abcd", start_s: int = MONDAY_S
) -> Project:
    cube = cube_from_entries(HOURS, ("H100", "A100"), *np.array(rows, dtype=np.int64).reshape(-1, 4).T)
    totals = [sum(amount for work, *_, amount in rows if work == at) for at in range(len(names))]
    listed = (
        replace(work, milli_gpu_seconds=total, peak_milli_gpus=1001, jobs=5, gpu_jobs=4)
        for work, total in zip(works(*names), totals, strict=True)
    )
    return Project(window=Window(start_s, HOURS), cube=cube, workloads=tuple(listed))


def entries(cube: Cube) -> list[tuple[int, int, int, int]]:
    """Workload, model, hour and amount of each entry of a cube, in its order."""
    row = cube.entry_row
    columns = (cube.workload_index[row], cube.model_index[row], cube.hour, cube.milli_gpu_seconds)
    return list(zip(*(column.tolist() for column in columns), strict=True))


# --- Parts


@pytest.mark.parametrize(
    ("split", "second"),
    [
        # of the running sum 10, 15, 26, 27: 4, 6, 10 and 10 are in the second part
        (ShareSplit(400), [4, 2, 4, 0]),
        (ShareSplit(999), [9, 5, 11, 1]),
        (ShareSplit(1), [0, 0, 0, 0]),
        (TimeSplit(MONDAY_S + HOUR_S), [10, 5, 11, 1]),
        (TimeSplit(MONDAY_S + 3 * HOUR_S), [0, 5, 11, 1]),
        (TimeSplit(MONDAY_S + 3 * HOUR_S + 1), [0, 0, 11, 1]),
        (TimeSplit(MONDAY_S - 5 * HOUR_S), [10, 5, 11, 1]),
        (TimeSplit(MONDAY_S + 999 * HOUR_S), [0, 0, 0, 0]),
        # hour 0 of the window is hour 1 of the week: hours 2, 4, 5 and 168 of it have something
        (WeekSplit((2,)), [0, 0, 0, 0]),
        (WeekSplit((1, 3)), [10, 5, 0, 0]),
        (WeekSplit((0, 4)), [0, 0, 11, 1]),
    ],
)
def test_the_second_part_has_its_share_its_time_or_its_hours(split: Split, second: list[int]) -> None:
    """Hours 0, 2, 3 and 167 of a window from Monday 1:00 on."""
    window = Window(MONDAY_S + HOUR_S, 200)
    hour, amount = np.array([0, 2, 3, 167]), np.array([10, 5, 11, 1])
    assert second_part(split, window, hour, amount).tolist() == second


@pytest.mark.parametrize("key", ["c/o/a", "c/o/b", "c/o/c", "c/o/d"])
@pytest.mark.parametrize("split", [ShareSplit(300), TimeSplit(MONDAY_S + 2 * HOUR_S), WeekSplit((1, 5))])
def test_parts_have_what_the_whole_had_and_all_others_stay(key: str, split: Split) -> None:
    of = project()
    parts = parted(of, {key: split, "c/o/gone": ShareSplit(1)})
    assert parts is not None
    keys = [work.key for work in parts.workloads]
    assert keys == sorted(keys) and len(keys) == 5
    whole = next(at for at, work in enumerate(of.workloads) if work.key == key)
    assert sorted(parts.whole) == sorted([*range(4), whole])
    for at, place in enumerate(parts.whole):
        if place != whole:
            assert parts.workloads[at] is of.workloads[place]
            models, same = (
                [model for model, *_ in cube.by_model_of(row)]
                for cube, row in ((parts.cube, at), (of.cube, place))
            )
            assert models == same
            assert parts.cube.hourly_of(at).tolist() == of.cube.hourly_of(place).tolist()
    first, second = (at for at, place in enumerate(parts.whole) if place == whole)
    both = parts.cube.hourly_of(first) + parts.cube.hourly_of(second)
    assert both.tolist() == of.cube.hourly_of(whole).tolist()
    for at in (first, second):
        assert parts.workloads[at].milli_gpu_seconds == parts.cube.hourly_of(at).sum()
    amounts = [parts.workloads[at].milli_gpu_seconds for at in (first, second)]
    assert part_amounts(of, {}, key, split) == tuple(amounts)
    assert all(amount > 0 for *_, amount in entries(parts.cube))
    listed = entries(parts.cube)
    assert listed == sorted(listed) and parts.cube.total == of.cube.total


def test_a_part_may_be_divided_again() -> None:
    """b has 101 in hour 2 and 30 in hour 5: the second part of the time is 30, of which 20% are 6."""
    of = project()
    key = "c/o/b"
    splits = {key: TimeSplit(MONDAY_S + 3 * HOUR_S), f"{key}#2": ShareSplit(200)}
    parts = parted(of, splits)
    assert parts is not None
    spent = {work.key: work.milli_gpu_seconds for work in parts.workloads if work.key.startswith(key)}
    assert spent == {f"{key}#1": 101, f"{key}#2#1": 24, f"{key}#2#2": 6}
    assert part_amounts(of, splits, f"{key}#2#1", ShareSplit(500)) == (12, 12)
    assert part_amounts(of, splits, f"{key}#1", TimeSplit(MONDAY_S + 2 * HOUR_S)) == (0, 101)
    for missing in ("c/o/x", "c/o/x#1"):
        with pytest.raises(KeyError):
            part_amounts(of, splits, missing, ShareSplit(500))


def test_shares_have_their_part_of_the_peak_and_others_the_whole() -> None:
    """30% of 1,001 are 300.3 and 70% are 700.7: both are rounded up. The first part has the jobs."""
    for split, peaks in (
        (ShareSplit(300), [701, 301]),
        (TimeSplit(MONDAY_S + 3 * HOUR_S), [1001, 1001]),
        (WeekSplit((1, 2)), [1001, 1001]),
    ):
        parts = parted(project(), {"c/o/b": split})
        assert parts is not None
        pair = [work for work in parts.workloads if work.key.startswith("c/o/b")]
        assert [work.peak_milli_gpus for work in pair] == peaks
        assert [(work.jobs, work.gpu_jobs) for work in pair] == [(5, 4), (0, 0)]
    assert parted(project(), {"c/o/gone": ShareSplit(1)}) is parted(project(), {}) is None


# --- Planned work


@pytest.mark.parametrize(
    ("gpus", "hours", "amounts"),
    [
        (2.0, (1, 3), [2 * GPU_HOUR, 0, 2 * GPU_HOUR, 0, 0]),
        (0.25, tuple(range(168)), [900_000] * 5),
        (1e-7, (1,), [0] * 5),
        (1.5e-7, (1,), [1, 0, 0, 0, 0]),
    ],
)
def test_planned_work_has_its_gpus_in_its_hours(
    gpus: float, hours: tuple[int, ...], amounts: list[int]
) -> None:
    """The window begins on Monday at 1:00."""
    work = PlannedWork(name="n", pool=Pool.TRAINING, gpu_model="H100", gpus=gpus, hours=hours)
    assert planned_amounts(work, Window(MONDAY_S + HOUR_S, 5)).tolist() == amounts


def test_planned_work_is_one_job_as_long_as_it() -> None:
    work = PlannedWork(
        name="n", pool=Pool.BURST, gpu_model="H100", gpus=1.0625, cluster="c1", team="lab", length_hours=7
    )
    amounts: Ints = np.array([3, 4], dtype=np.int64)
    made = _planned_workload(work, amounts)
    assert (made.peak_milli_gpus, made.max_milli_gpus, made.milli_gpu_seconds) == (1062, 1062, 7)
    assert (made.longest_job_s, made.median_job_s) == (7 * 3600, 7 * 3600)
    assert (made.key, made.cluster, made.owner, made.label) == (work.key, "c1", "lab", Pool.BURST)
    endless = _planned_workload(replace(work, length_hours=None), amounts)
    assert endless.longest_job_s == endless.median_job_s == FOR_GOOD_S == 8760 * 3600
    known = planned_class(Pool.BURST)
    assert (known.pool, known.confidence, known.source, known.is_settled) == (
        Pool.BURST,
        1.0,
        "planned",
        True,
    )


@pytest.mark.parametrize("splits", [{}, {"c/o/b": ShareSplit(500)}])
def test_planned_work_stands_beside_the_log_in_the_order_of_keys(splits: dict[str, Split]) -> None:
    """Of a GPU model that the log has in another case, of one that it has not, twice, and of a key that it has."""
    of = project()
    planned = tuple(
        PlannedWork(name=name, pool=Pool.TRAINING, gpu_model=model, gpus=1.0, cluster="c", team="o", hours=hours)
        for name, model, hours in (
            ("bb", "b200", (1, 3)), ("0", "a100", tuple(range(168))), ("z", "B200", (2,)), ("d", "H100", (1,))
        )
    )  # fmt: skip
    board = stands_on_board(of, Scenario(name="P", planned=planned, splits=splits))
    assert board is not None
    names = [work.key.removeprefix("c/o/") for work in board.workloads]
    assert names == (
        ["0", "a", "b", "bb", "c", "d", "z"] if not splits else ["0", "a", "b#1", "b#2", "bb", "c", "d", "z"]
    )
    assert [place for place, name in zip(board.whole, names, strict=True) if name in ("0", "bb", "z")] == [
        NOT_LOGGED
    ] * 3
    assert board.cube.gpu_models == ("H100", "A100", "b200")
    rows = entries(board.cube)
    assert rows == sorted(rows) and board.cube.total == of.cube.total + (HOURS + 2 + 1) * GPU_HOUR
    of_name = {name: [row[1:] for row in rows if row[0] == at] for at, name in enumerate(names)}
    assert of_name["0"] == [(1, hour, GPU_HOUR) for hour in range(HOURS)]
    assert of_name["bb"] == [(2, 1, GPU_HOUR), (2, 3, GPU_HOUR)] and of_name["z"] == [(2, 2, GPU_HOUR)]
    assert of_name["c"] == [(-1, 9, 5)] and of_name["d"] == [(1, 0, 2), (1, 4, 3)]
    assert of_name["a"] == [(-1, 1, 7), (0, 0, 10), (0, 1, 11)]
    logged = replace(Scenario(name="P", splits=splits), planned=planned[-1:])
    alone = stands_on_board(of, logged)
    assert (alone is None) is (not splits)


# --- Pools


def classes(*pools: Pool, source: str = "rule") -> tuple[Classification, ...]:
    return tuple(
        Classification(pool=pool, subtype="", confidence=0.5, reasons=(), runner_up=None, source=source)
        for pool in pools
    )


T, I, B = Pool.TRAINING, Pool.INFERENCE, Pool.BURST  # noqa: E741


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


# --- Cuts of demand


@pytest.mark.parametrize(
    ("facts", "subtype", "pool", "is_idle"),
    [
        ({"activity": 0.09, "longest_job_s": 24 * 3600 + 1}, "notebook", B, True),
        ({"activity": 0.09, "longest_job_s": 24 * 3600}, "notebook", B, False),
        ({"activity": 0.10, "longest_job_s": 99 * 3600}, "notebook", B, False),
        ({"activity": 0.0, "longest_job_s": 99 * 3600}, "development", B, True),
        ({"activity": None, "longest_job_s": 72 * 3600 + 1}, "development", B, True),
        ({"activity": None, "longest_job_s": 72 * 3600}, "development", B, False),
        ({"activity": 0.0, "longest_job_s": 99 * 3600}, "sweep", B, False),
        ({"activity": 0.0, "longest_job_s": 99 * 3600}, "notebook", I, False),
    ],
)
def test_development_is_idle_that_is_held_for_a_day_at_under_a_tenth(
    facts: dict[str, Any], subtype: str, pool: Pool, *, is_idle: bool
) -> None:
    (work,) = works("nb", **facts)
    assert is_idle_dev(work, replace(classes(pool)[0], subtype=subtype)) is is_idle


@pytest.mark.parametrize(
    ("stretches", "window_hours", "idle"),
    [
        ([(5, 29)], 99, [False]),  # 24 hours are not longer than 24
        ([(5, 30)], 99, [True]),
        ([(0, 25), (30, 31)], 99, [True, False]),
        ([(0, 3), (30, 31)], 99, [True, False]),  # none is long: the window cuts the first
        ([(1, 3), (97, 99)], 99, [False, True]),
        ([(1, 3), (96, 98)], 99, [False, False]),
        ([(0, 3), (5, 40), (98, 99)], 99, [False, True, False]),
        ([(0, 99)], 99, [True]),
    ],
)
def test_hours_are_idle_in_long_runs_or_at_the_ends_of_the_window(
    stretches: list[tuple[int, int]], window_hours: int, idle: list[bool]
) -> None:
    (work,) = works("nb", activity=0.0)
    hours = np.concatenate([np.arange(*stretch) for stretch in stretches])
    expected = [
        is_long for (first, last), is_long in zip(stretches, idle, strict=True) for _ in range(first, last)
    ]
    assert idle_hours(work, hours, window_hours).tolist() == expected


@pytest.mark.parametrize(
    ("hours", "held", "flat"),
    [
        ([1, 2, 3, 4], [1.0, 4.0, 4.0, 1.0], True),  # the first and the last hour say nothing
        ([1, 2, 3, 4, 5], [1.0, 4.0, 4.0, 2.0, 1.0], False),
        ([1, 2], [1.0, 4.0], False),  # of two hours both count: 6.25 of 8.5
        ([1, 3, 5], [4.0, 1.0, 4.0], False),
        ([1, 2, 3, 7, 8, 9], [1.0, 4.0, 9.0, 9.0, 4.0, 1.0], True),
        ([0, 1, 2, 3], [9.0, 4.0, 4.0, 9.0], True),
        ([1, 2, 3], [9.0, 4.0, 9.0], True),
        ([0], [3.0], True),
    ],
)
def test_a_service_is_flat_within_the_hours_in_which_it_came_and_went(
    hours: list[int], held: list[float], flat: bool
) -> None:
    assert is_flat(np.array(hours), np.array(held)) is flat


def test_flat_is_95_of_100() -> None:
    """Of 1 and x the squared mean over the mean of squares is 0.95 at x = 1.5954."""
    hours = np.arange(4)
    for other, flat in ((1.59, True), (1.60, False)):
        assert is_flat(hours, np.array([0.0, 1.0, other, 0.0])) is flat


def test_needed_gpus_are_whole_and_no_more_than_are_held() -> None:
    """At 32.5% of a target of 65% half are needed; a rounding over a whole GPU does not need another."""
    held = np.array([4.0, 5.0, 0.5, 1.0])
    assert needed_gpus(held, 0.325, 0.65).tolist() == [2.0, 3.0, 0.5, 1.0]
    assert needed_gpus(held, 0.9, 0.65).tolist() == held.tolist()
    assert needed_gpus(np.array([10.0]), 0.1 + 0.2, 0.3).tolist() == [10.0]
    assert needed_gpus(np.array([3.0]), 0.1, 0.3).tolist() == [1.0]


def cut(
    held: dict[int, list[int]], pool: Pool, steps: tuple[str, ...], source: str = "rule", **facts: Any
) -> list[list[int]]:
    """What is left of a workload's GPUs by hour on each model, beside training that is never cut."""
    rows = [(0, 0, 0, 7 * GPU_HOUR)]
    rows += [
        (1, model, hour, gpus * GPU_HOUR)
        for model, hourly in held.items()
        for hour, gpus in enumerate(hourly)
    ]
    of = project(rows, "ab")
    of = replace(of, workloads=(of.workloads[0], *works("b", **facts)))
    subtype = "notebook" if pool is B else ""
    own = (*classes(T), replace(classes(pool, source=source)[0], subtype=subtype))
    after = with_demand_cut(of, own, steps, 0.5)
    assert after.cube.hourly_of(0).tolist() == of.cube.hourly_of(0).tolist()
    if after.cube.total == of.cube.total:
        assert after is of
    left = np.zeros((len(held), HOURS), dtype=np.int64)
    for model, hours, amounts in after.cube.by_model_of(1):
        left[list(held).index(after.cube.gpu_models.index(model)), hours] = amounts  # type: ignore[arg-type]
    return (left // GPU_HOUR).tolist()


def test_services_are_cut_to_what_they_need_at_most_or_by_the_hour() -> None:
    """Held flat at 8 and 7 GPUs and used for a quarter, where a half is the target: 4 are needed, 3.5 are 4 too."""
    hourly, quarter = [8, 8, 8, 7, 8, 8, 8, 8, 8, 8], {"activity": 0.25}
    assert cut({0: hourly}, I, (RIGHT_SIZE,), **quarter) == [[4] * 10]
    wave = [8, 8, 6, 8, 8, 8, 6, 8, 8, 8]
    assert cut({0: wave}, I, (RIGHT_SIZE,), **quarter) == [[4] * 10]
    assert cut({0: wave}, I, (AUTOSCALE,), **quarter) == [[4, 4, 3, 4, 4, 4, 3, 4, 4, 4]]
    assert cut({0: wave}, I, (AUTOSCALE, RIGHT_SIZE), **quarter) == cut({0: wave}, I, (AUTOSCALE,), **quarter)
    for steps, facts in (((IDLE_ENDED,), quarter), ((AUTOSCALE,), {}), ((AUTOSCALE,), {"activity": 0.5})):
        assert cut({0: wave}, I, steps, **facts) == [wave]
    assert cut({0: wave}, I, (AUTOSCALE,), source="planned", **quarter) == [wave]
    waves = [8, 1] * 5
    assert cut({0: waves}, I, (AUTOSCALE,), **quarter) == [waves]  # not held flat
    # of two models each has its share of what is left
    assert cut({0: [4] * 10, 1: [4] * 10}, I, (AUTOSCALE,), **quarter) == [[2] * 10] * 2


def test_idle_development_is_ended() -> None:
    idle = {"activity": 0.01, "longest_job_s": 99 * 3600}
    assert cut({0: [2, 2, 0, 2, 2, 0, 0, 0, 0, 2]}, B, (IDLE_ENDED,), **idle) == [
        [0, 0, 0, 2, 2, 0, 0, 0, 0, 0]
    ]
    for steps, facts in (
        ((AUTOSCALE, RIGHT_SIZE), idle),
        ((IDLE_ENDED,), idle | {"activity": 0.5}),
        ((IDLE_ENDED,), idle | {"longest_job_s": 3600}),
    ):
        assert cut({0: [2] * 10}, B, steps, **facts) == [[2] * 10]


def test_services_that_are_held_flat_have_their_activity() -> None:
    of = project([(at, 0, hour, GPU_HOUR) for at, hour in product(range(4), range(HOURS))])
    for pools, facts, activities in (
        ((I, I, T, B), {}, [None] * 2),
        ((I, I, T, B), {"activity": 0.5}, [0.5] * 2),
        ((T, T, B, B), {}, []),
        ((I, I, I, I), {}, [None] * 4),
    ):
        listed = works("a", "b", "c", "d", **facts)
        assert flat_activities(replace(of, workloads=listed), classes(*pools)) == activities
    assert flat_activities(of, classes(I, I, I, I, source="planned")) == []
    waves = project([(0, 0, hour, (1 + 8 * (hour % 2)) * GPU_HOUR) for hour in range(HOURS)])
    assert flat_activities(waves, classes(I, I, I, I)) == []  # and three that never ran
