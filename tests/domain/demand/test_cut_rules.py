"""Rules of demand cuts: idle development, services that are held flat, and the GPUs that a service needs."""

from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.demand.demand_cuts import (
    flat_activities,
    idle_hours,
    is_flat,
    is_idle_dev,
    needed_gpus,
    with_demand_cut,
)
from gpuplanner.domain.model.plan.scenario import AUTOSCALE, IDLE_ENDED, RIGHT_SIZE
from gpuplanner.domain.model.tables import Pool
from tests.domain.demand.four_hours import GPU_HOUR, HOURS, B, I, T, classes, project, works


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
