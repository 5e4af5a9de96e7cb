"""Idle gaps: where no job begins, what runs and until when; the tails told from them, against a clock of seconds."""

import random
from pathlib import Path

import pytest

from gpuplanner.domain.audit.audit import audit
from gpuplanner.domain.demand.classification import Classification
from gpuplanner.domain.model.cube import IdleGap, IdleGaps, RunningJobs
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import iso_utc
from gpuplanner.files.importing.intake import read_inputs
from gpuplanner.files.job_logs.reduce import busy_jobs
from gpuplanner.files.project.project_file import open_project, save_project
from gpuplanner.files.values.lookback_period import WindowRequest
from tests.some_of import one_in, some_of

DAY_S = 1_767_225_600  # 2026-01-01
HOURS = 12
END_S = HOURS * 3600
HEAD = "job_id,cluster,name,gpu_model,gpus,start,end,class\n"
CONTRACTS = (
    "contract_id,cluster,gpu_model,gpus,rate_usd_per_gpu_hour,start,end\nk,a,H100,16,2.00,2025-01-01,\n"
)
Job = tuple[str, str, int, int, int, Pool]  # cluster, name, GPUs, start and end in seconds, class


def project_of(tmp_path: Path, jobs: list[Job]) -> Project:
    rows = [
        f"{number},{cluster},{name},h100,{gpus},{clock(begin)},{clock(end)},{pool.value}"
        for number, (cluster, name, gpus, begin, end, pool) in enumerate(jobs)
    ]
    (tmp_path / "jobs.csv").write_text(HEAD + "\n".join(rows), encoding="utf-8")
    (tmp_path / "contracts.csv").write_text(CONTRACTS, encoding="utf-8")
    bounds = WindowRequest(start_s=DAY_S, end_s=DAY_S + END_S)
    paths = [str(tmp_path / "jobs.csv")], [str(tmp_path / "contracts.csv")]
    return read_inputs(*paths, window_request=bounds).project()


def clock(at_s: int) -> str:
    return iso_utc(DAY_S + at_s)


def idle_tail(project: Project) -> float:
    classified = [
        Classification(
            pool=one.label or Pool.BURST,
            subtype="",
            confidence=1.0,
            reasons=(),
            runner_up=None,
            source="label",
        )
        for one in project.workloads
    ]
    found = [leak for leak in audit(project, classified).leaks if leak.code == "idle_tail"]
    return found[0].gpu_hours if found else 0.0


def test_what_runs_when_nothing_begins_is_known_to_the_second(tmp_path: Path) -> None:
    project = project_of(
        tmp_path,
        [
            ("a", "chat", 2, 0, END_S, Pool.INFERENCE),
            ("a", "train", 4, 60, 7200, Pool.TRAINING),
            ("a", "train", 1, 60, 7200, Pool.TRAINING),
            ("a", "train", 4, 9000, 9060, Pool.TRAINING),
            ("a", "train", 4, 9100, END_S, Pool.TRAINING),  # 40 s later
            ("b", "train", 1, 0, 100, Pool.TRAINING),
        ],
    )
    place = {one.key: number for number, one in enumerate(project.workloads)}
    chat, train, other = place["a//chat/inference"], place["a//train/training"], place["b//train/training"]

    def gap(cluster: str, end_s: int, *running: tuple[int, int, int]) -> IdleGap:
        jobs = (RunningJobs(workload, "H100", milli, until_s) for workload, milli, until_s in running)
        return IdleGap(cluster, end_s, tuple(jobs))

    first = gap("a", 9000, (chat, 2000, 9000), (train, 5000, 7200))
    second = gap("a", 9100, (chat, 2000, 9100), (train, 4000, 9060))
    assert project.jobs.idle_gaps == IdleGaps(0, (first, second, gap("b", END_S, (other, 1000, 100))))


@pytest.mark.parametrize(
    ("pause_s", "gpu_hours"), one_in(4, [(1800, 0.0), (1801, 16 * 1801 / 3600), (1860, 16 * 31 / 60)])
)
def test_a_pause_of_one_name_inside_one_hour_is_a_tail_past_half_an_hour(
    tmp_path: Path, pause_s: int, gpu_hours: float
) -> None:
    times = ((0, 7200), (7200 + pause_s, END_S))
    jobs = [("a", "train", 16, begin, end, Pool.TRAINING) for begin, end in times]
    assert idle_tail(project_of(tmp_path, jobs)) == pytest.approx(gpu_hours)


@pytest.mark.parametrize("seed", some_of(range(12), quick=1))
def test_tails_are_those_of_a_clock_of_seconds(tmp_path: Path, seed: int) -> None:
    """Few names, so that most jobs share one; as many GPUs as could ever run, so that all demand is served."""
    dice = random.Random(seed)
    kinds = [
        ("train", Pool.TRAINING),
        ("sft", Pool.TRAINING),
        ("chat", Pool.INFERENCE),
        ("sweep", Pool.BURST),
    ]
    jobs = []
    for _ in range(dice.randint(2, 6)):
        begin = dice.randrange(END_S - 60)
        name, pool = dice.choice(kinds)
        gpus, end = dice.choice([1, 2]), min(begin + dice.randint(1, 12_000), END_S)
        jobs.append(("a", name, gpus, begin, end, pool))
    expected = 0
    for stop in {job[4] for job in jobs if job[5] is Pool.TRAINING}:
        trains_on = any(job[5] is Pool.TRAINING and job[3] < stop < job[4] for job in jobs)
        next_s = min((job[3] for job in jobs if job[3] >= stop), default=END_S)
        if not trains_on and next_s - stop > 1800:
            used = sum(job[2] * max(0, min(job[4], next_s) - max(job[3], stop)) for job in jobs)
            expected += 16 * (next_s - stop) - used
    assert idle_tail(project_of(tmp_path, jobs)) == pytest.approx(expected / 3600)


def test_idle_gaps_are_saved_with_the_project(tmp_path: Path) -> None:
    jobs = [("a", "train", 8, 0, 7210, Pool.TRAINING), ("a", "train", 8, 14_400, 20_000, Pool.TRAINING)]
    project = project_of(tmp_path, jobs)
    save_project(project, tmp_path / "q.gpuplan")
    assert project.jobs.idle_gaps is not None
    assert open_project(tmp_path / "q.gpuplan").jobs == project.jobs


@pytest.mark.parametrize(
    ("kept", "expected"), one_in(4, [(4, (0, 4)), (3, (300, 3)), (2, (1800, 2)), (1, None)])
)
def test_where_there_are_too_many_the_short_ones_are_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kept: int, expected: tuple[int, int] | None
) -> None:
    """Pauses of 1, 10 and 40 minutes, and one to the window's end."""
    monkeypatch.setattr(busy_jobs, "_RUNNING_AT_MOST", kept)
    jobs = [("a", "train", 8, begin, begin + 3600, Pool.TRAINING) for begin in (0, 3660, 7860, 13_860)]
    found = project_of(tmp_path, jobs).jobs.idle_gaps
    assert (None if found is None else (found.longer_than_s, len(found.each))) == expected
