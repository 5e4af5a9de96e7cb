"""Tails to the second: against a clock that ticks in minutes, and never longer than the truth where facts are few."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gpuplanner.domain.audit.audit import audit
from gpuplanner.domain.audit.result import Leak
from gpuplanner.domain.model.cube import IdleGap, IdleGaps, RunningJobs
from gpuplanner.domain.model.tables import Pool

START_S = 1_782_864_000
HOURS = 10
MINUTES = HOURS * 60
Job = tuple[Pool, int, int, int]  # class, GPUs, first minute, minute after the last


def project_of(
    world: Any, jobs: list[Job], gpus: int, names: list[int] | None = None, peaks: bool = False
) -> Any:
    """A cluster with these jobs on one contract at $2; names: jobs of one number are one workload.

    peaks: whether the GPUs of jobs are stated; they then run one at a time.
    """
    names = list(range(len(jobs))) if names is None else names
    rows, facts = [], {}
    for (pool, held, begin, end), name in zip(jobs, names, strict=True):
        for hour in range(begin // 60, -(-end // 60)):
            inside = min(end, hour * 60 + 60) - max(begin, hour * 60)
            rows.append((name, 0, hour, held * 1000 * 60 * inside))
        first, last, _ = facts.get(name, (begin, end, pool))
        facts[name] = (min(first, begin), max(last, end), pool)
    largest = {
        name: 1000 * max(job[1] for job, of in zip(jobs, names, strict=True) if of == name) for name in names
    }
    workloads = [
        world.workload(
            f"w{name}",
            first_start_s=START_S + 60 * first,
            last_end_s=START_S + 60 * last,
            max_milli_gpus=largest[name] if peaks else 0,
            peak_milli_gpus=largest[name] if peaks else 0,
        )
        for name, (first, last, _) in sorted(facts.items())
    ]
    pools = [pool for _, (_, _, pool) in sorted(facts.items())]
    return world.project(HOURS, workloads, rows, [world.contract("k", gpus, "2")]), world.classified(*pools)


def tails_by_the_minute(jobs: list[Job], gpus: int, longer_than: int = 30) -> int:
    """GPU-minutes idle in tails, from the rule alone."""
    total = 0
    for minute in range(1, MINUTES):
        running = [job for job in jobs if job[2] <= minute < job[3]]
        ended = any(job[0] is Pool.TRAINING and job[3] == minute for job in jobs)
        if not ended or any(job[0] is Pool.TRAINING for job in running):
            continue
        end = min([job[2] for job in jobs if job[2] >= minute], default=MINUTES)
        if end - minute > longer_than:
            used = (sum(job[1] for job in jobs if job[2] <= at < job[3]) for at in range(minute, end))
            total += sum(gpus - held for held in used)
    return total


def leak_of(project: Any, classified: Any) -> Leak | None:
    found = [leak for leak in audit(project, classified).leaks if leak.code == "idle_tail"]
    return found[0] if found else None


def idle_minutes(leak: Leak | None) -> float:
    return 60 * leak.gpu_hours if leak else 0.0


job_lists = st.lists(
    st.tuples(
        st.sampled_from(list(Pool)), st.integers(1, 4), st.integers(0, MINUTES - 2), st.integers(1, 300)
    ).map(lambda job: (job[0], job[1], job[2], min(job[2] + job[3], MINUTES))),
    min_size=1,
    max_size=7,
)
no_fixture_check = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


@no_fixture_check
@given(jobs=job_lists)
def test_where_every_job_is_its_own_workload_tails_are_exact(world: Any, jobs: list[Job]) -> None:
    gpus = sum(job[1] for job in jobs) + 1
    found = leak_of(*project_of(world, jobs, gpus))
    assert idle_minutes(found) == pytest.approx(tails_by_the_minute(jobs, gpus), abs=1e-6)


@no_fixture_check
@given(jobs=job_lists, names=st.lists(st.integers(0, 2), min_size=7, max_size=7))
def test_of_workloads_with_many_jobs_a_tail_is_never_longer_than_a_day_of_ends_allows(
    world: Any, jobs: list[Job], names: list[int]
) -> None:
    """What is unsure is left out: with jobs of a class as one workload, no more is idle than nobody used."""
    together = [list(Pool).index(job[0]) for job in jobs]
    gpus = sum(job[1] for job in jobs) + 1
    used = sum(job[1] * (job[3] - job[2]) for job in jobs)
    renumbered = [sorted(set(together)).index(name) for name in together]
    found = leak_of(*project_of(world, jobs, gpus, renumbered))
    assert 0 <= idle_minutes(found) <= gpus * MINUTES - used + 1e-6


@no_fixture_check
@given(lengths=st.lists(st.tuples(st.integers(180, 240), st.integers(120, 150)), min_size=1, max_size=2))
def test_runs_of_one_name_one_at_a_time_are_exact_where_an_hour_lies_between(
    world: Any, lengths: list[tuple[int, int]]
) -> None:
    jobs, now = [], 7
    for length, gap in lengths:
        jobs.append((Pool.TRAINING, 4, now, min(now + length, MINUTES)))
        now += length + gap
        if now >= MINUTES - 60:
            break
    jobs.append((Pool.INFERENCE, 2, 0, MINUTES))
    found = leak_of(*project_of(world, jobs, 8, [0] * (len(jobs) - 1) + [1], peaks=True))
    assert idle_minutes(found) == pytest.approx(tails_by_the_minute(jobs, 8), abs=1e-6)


def test_a_pause_that_ends_at_a_second_job_of_its_own_name_is_told_to_the_second(world: Any) -> None:
    jobs = [(Pool.TRAINING, 8, 0, 130), (Pool.TRAINING, 8, 325, 600)]  # 2:10 to 5:25
    found = leak_of(*project_of(world, jobs, 8, [0, 0], peaks=True))
    assert idle_minutes(found) == pytest.approx(195 * 8)
    assert found is not None
    assert found.leaked_per_month == pytest.approx(
        26 * 2.00 * 730 / 10, abs=0.005
    )  # 195 min x 8 GPUs = 26 GPU-h


@pytest.mark.parametrize(("next_start", "idle"), [(120 + 45 + 30, 0), (120 + 45 + 31, 31 * 8)])
def test_half_an_hour_is_not_longer_than_half_an_hour(world: Any, next_start: int, idle: int) -> None:
    jobs = [(Pool.TRAINING, 8, 0, 165), (Pool.BURST, 2, next_start, 400)]
    found = leak_of(*project_of(world, jobs, 8))
    assert idle_minutes(found) == pytest.approx(idle)
    if found is not None:
        assert found.leaked_per_month == pytest.approx(31 * 8 / 60 * 2.00 * 730 / 10, abs=0.005)  # $603.47


def test_a_service_that_goes_on_is_not_idle_and_its_end_adds_to_what_is(world: Any) -> None:
    jobs = [(Pool.TRAINING, 6, 0, 130), (Pool.INFERENCE, 2, 10, 200), (Pool.TRAINING, 6, 245, 300)]
    found = leak_of(*project_of(world, jobs, 8))
    # 2:10 to 4:05: 6 GPUs idle until 3:20, 8 after; and 5:00 to the end at 10:00
    assert idle_minutes(found) == pytest.approx(70 * 6 + 45 * 8 + 300 * 8)


def test_runs_of_one_name_are_read_from_whole_hours(world: Any) -> None:
    jobs = [(Pool.TRAINING, 8, 0, 70), (Pool.TRAINING, 8, 220, 600)]
    project, classified = project_of(world, jobs, 8, [0, 0])
    assert idle_minutes(leak_of(project, classified)) == 60 * 8  # 2:00 to 3:00 of 1:10 to 3:40
    hourly = replace(project, workloads=tuple(replace(one, first_start_s=None) for one in project.workloads))
    assert idle_minutes(leak_of(hourly, classified)) == 60 * 8


def test_a_job_that_ends_on_the_hour_ends_there_though_the_next_begins_within_the_hour_after(
    world: Any,
) -> None:
    """Two names: from 2:00, when the first is over, to 2:45, when the other begins."""
    jobs = [(Pool.TRAINING, 8, 0, 120), (Pool.TRAINING, 8, 165, 600)]
    assert idle_minutes(leak_of(*project_of(world, jobs, 8))) == pytest.approx(45 * 8)


def with_idle_gap(project: Any, end: int, *running: tuple[int, int, int]) -> Any:
    """The project with one idle gap that is known; running: workload, GPUs and the minute until which it ran."""
    jobs = tuple(RunningJobs(place, "h100", 1000 * gpus, 60 * until) for place, gpus, until in running)
    return replace(
        project, jobs=replace(project.jobs, idle_gaps=IdleGaps(600, (IdleGap("atlas", 60 * end, jobs),)))
    )


def test_a_gap_that_is_known_is_told_to_the_second(world: Any) -> None:
    """Three jobs of one name, which hours alone could not tell. 2:10 to 4:05: 6 GPUs idle until 3:20, 8 after."""
    jobs = [(Pool.TRAINING, 6, 0, 130), (Pool.INFERENCE, 2, 10, 200), (Pool.TRAINING, 6, 245, 600)]
    project, classified = project_of(world, jobs, 8, [0, 1, 0])
    known = with_idle_gap(project, 245, (0, 6, 130), (1, 2, 200))
    assert idle_minutes(leak_of(known, classified)) == pytest.approx(70 * 6 + 45 * 8)
    two = with_idle_gap(project, 245, (0, 2, 100), (0, 4, 130), (1, 2, 200))
    assert idle_minutes(leak_of(two, classified)) == pytest.approx(
        70 * 6 + 45 * 8
    )  # from the end of the last


@pytest.mark.parametrize(("next_start", "idle"), [(341, 31 * 6), (340, 0)])
def test_a_gap_inside_an_hour_is_longer_than_half_of_it_or_none(
    world: Any, next_start: int, idle: int
) -> None:
    jobs = [(Pool.TRAINING, 6, 0, 310), (Pool.INFERENCE, 2, 0, 600), (Pool.TRAINING, 6, next_start, 600)]
    project, classified = project_of(world, jobs, 8, [0, 1, 0])
    known = with_idle_gap(project, next_start, (0, 6, 310), (1, 2, next_start))
    assert idle_minutes(leak_of(known, classified)) == pytest.approx(idle)
