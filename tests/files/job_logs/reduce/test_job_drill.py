"""Drill-down: the jobs of a workload add up to what its card shows, in every window and order."""

import random
import stat
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.window import HOUR_S, Window, iso_utc
from gpuplanner.files.importing.import_jobs import import_jobs
from gpuplanner.files.importing.windowed_jobs import JobsRead, rewindow
from gpuplanner.files.job_logs.reduce.job_rows import ORDERS, jobs_of_workloads, open_rows, rows_path
from gpuplanner.files.system.engine import open_engine
from gpuplanner.files.values.lookback_period import WindowRequest
from tests.files.flips import flipped
from tests.some_of import examples, some_of

BEGIN_S = 1_782_864_000
WORKLOADS = ("train", "serve", "it's")

Jobs = list[tuple[str, int, int, int | None]]
"""Workload, GPUs, start, and how long; None runs on."""
LENGTHS = st.none() | st.integers(0, 30 * HOUR_S)
JOB = st.tuples(st.sampled_from(WORKLOADS), st.integers(0, 4), st.integers(0, 40 * HOUR_S), LENGTHS)
JOBS = st.lists(JOB, min_size=1, max_size=12)


def log_of(jobs: Jobs) -> str:
    lines = ["job_id,name,gpus,start,end,state"]
    for number, (name, gpus, start, length) in enumerate(jobs, 1):
        end = "" if length is None else iso_utc(BEGIN_S + start + length)
        state = "RUNNING" if length is None else "COMPLETED"
        lines.append(f"{number},{name},{gpus},{iso_utc(BEGIN_S + start)},{end},{state}")
    return "\n".join(lines) + "\n"


def _read(folders: pytest.TempPathFactory, jobs: Jobs, hours: int, offset: int) -> tuple[JobsRead, Path]:
    """Of so many hours after so many, and where the rows are kept."""
    folder = folders.mktemp("drill")
    log = folder / "jobs.csv"
    log.write_text(log_of(jobs))
    window = WindowRequest(BEGIN_S + offset * HOUR_S, BEGIN_S + (offset + hours) * HOUR_S)
    read = import_jobs([str(log)], window_request=window, rows_dir=folder)
    return read, rows_path(folder, read.jobs.rows_sha256)


@settings(max_examples=examples(2), deadline=None)
@given(JOBS, st.integers(1, 60), st.integers(0, 30))
def test_jobs_add_up_to_the_workload_in_any_window(
    tmp_path_factory: pytest.TempPathFactory, jobs: Jobs, hours: int, offset: int
) -> None:
    read, path = _read(tmp_path_factory, jobs, hours, offset)
    for workload in read.workloads:
        page = jobs_of_workloads(path, (workload.key,), window=read.window)
        assert page.milli_gpu_seconds == workload.milli_gpu_seconds
        assert page.total == workload.jobs == len(page.rows)
        assert {row.workload_key for row in page.rows} <= {workload.key}
        assert sum(row.milli_gpu_seconds for row in page.rows) == page.milli_gpu_seconds
    every = jobs_of_workloads(path, [workload.key for workload in read.workloads], window=read.window)
    assert every.milli_gpu_seconds == sum(workload.milli_gpu_seconds for workload in read.workloads)
    assert every.total == sum(workload.jobs for workload in read.workloads)


@pytest.fixture
def kept(tmp_path: Path) -> tuple[Path, str, Window]:
    """Five jobs of one workload in kept rows."""
    log = tmp_path / "jobs.csv"
    log.write_text(log_of([("train", gpus, gpus * HOUR_S, 10 * HOUR_S) for gpus in (2, 4, 1, 3, 4)]))
    read = import_jobs([str(log)], rows_dir=tmp_path)
    return rows_path(tmp_path, read.jobs.rows_sha256), read.workloads[0].key, read.window


@pytest.mark.parametrize("order", some_of(list(ORDERS), quick=1))
def test_pages_hold_every_job_once_in_order(kept: tuple[Path, str, Window], order: str) -> None:
    path, key, window = kept
    whole = jobs_of_workloads(path, (key,), window=window, order=order)
    pages = [
        jobs_of_workloads(path, (key,), window=window, order=order, limit=2, offset=at) for at in (0, 2, 4, 6)
    ]
    assert [len(page.rows) for page in pages] == [2, 2, 1, 0]
    assert tuple(row for page in pages for row in page.rows) == whole.rows
    assert {page.total for page in pages} == {5}


def test_the_largest_come_first_or_the_earliest(kept: tuple[Path, str, Window]) -> None:
    path, key, window = kept
    by_hours = jobs_of_workloads(path, (key,), window=window).rows
    assert [row.milli_gpus for row in by_hours] == [4000, 4000, 3000, 2000, 1000]
    starts = [row.start_s for row in jobs_of_workloads(path, (key,), window=window, order="start").rows]
    assert starts == sorted(starts)


@pytest.mark.long
def test_an_unknown_workload_has_no_jobs(kept: tuple[Path, str, Window]) -> None:
    path, _, window = kept
    page = jobs_of_workloads(path, ("none'; drop table",), window=window)
    assert (page.rows, page.total, page.gpu_hours) == ((), 0, 0)


def test_rows_that_are_gone_or_damaged_are_said(tmp_path: Path, kept: tuple[Path, str, Window]) -> None:
    path, key, window = kept
    with pytest.raises(PlannerError, match="not stored here") as gone:
        jobs_of_workloads(tmp_path / "none.parquet", (key,), window=window)
    assert gone.value.code == "file_missing"
    path.write_bytes(b"PAR1 and no more")
    with pytest.raises(PlannerError) as damaged:
        jobs_of_workloads(path, (key,), window=window)
    assert damaged.value.code == "file_unreadable"


@pytest.mark.long
def test_another_window_of_the_same_rows(kept: tuple[Path, str, Window]) -> None:
    path, key, window = kept
    log = import_jobs([str(path.parent / "jobs.csv")], rows_dir=path.parent)
    narrow = rewindow(
        path.parent, log.jobs, log.intake, WindowRequest(window.start_s, window.start_s + HOUR_S)
    )
    page = jobs_of_workloads(path, (key,), window=narrow.window)
    assert page.milli_gpu_seconds == sum(one.milli_gpu_seconds for one in narrow.workloads)


@pytest.mark.long
@settings(max_examples=examples(2), deadline=None)
@given(JOBS, st.integers(1, 48), st.integers(0, 20), st.randoms(use_true_random=False))
def test_jobs_in_some_hours_add_up_to_the_cube_in_them(
    tmp_path_factory: pytest.TempPathFactory, jobs: Jobs, length: int, offset: int, chance: random.Random
) -> None:
    folder = tmp_path_factory.mktemp("drill")
    log = folder / "jobs.csv"
    log.write_text(log_of(jobs))
    window = WindowRequest(BEGIN_S + offset * HOUR_S, BEGIN_S + (offset + length) * HOUR_S)
    read = import_jobs([str(log)], window_request=window, rows_dir=folder)
    path = rows_path(folder, read.jobs.rows_sha256)
    inside = np.array([chance.random() < 0.5 for _ in range(read.window.hours)])
    cube = read.cube
    for place, workload in enumerate(read.workloads):
        page = jobs_of_workloads(path, (workload.key,), window=read.window, hours=inside)
        mine = (cube.workload_index[cube.entry_row] == place) & inside[cube.hour]
        assert page.milli_gpu_seconds == int(cube.milli_gpu_seconds[mine].sum())
        assert sum(row.milli_gpu_seconds for row in page.rows) == page.milli_gpu_seconds
        everywhere = jobs_of_workloads(path, (workload.key,), window=read.window, hours=np.ones_like(inside))
        assert everywhere.milli_gpu_seconds == workload.milli_gpu_seconds


# --- Rows that a disk or somebody changed are never other demand


@pytest.mark.parametrize("flips", [60, pytest.param(2_000, marks=pytest.mark.long)])
def test_no_flipped_bit_of_kept_rows_is_read(
    kept: tuple[Path, str, Window], flips: int, tally: Counter[str]
) -> None:
    path, key, window = kept
    for content in flipped(path.read_bytes(), flips):
        path.write_bytes(content)
        with pytest.raises(PlannerError, match="damaged"):
            jobs_of_workloads(path, (key,), window=window)
        with open_engine() as engine, pytest.raises(PlannerError, match="damaged"):
            open_rows(engine, path)
        tally["refused"] += 1


def test_kept_rows_are_for_their_user_alone(tmp_path: Path) -> None:
    log, folder = tmp_path / "jobs.csv", tmp_path / "rows"
    log.write_text(log_of([("train", 2, 0, HOUR_S)]))
    for _ in range(2):  # one that was kept with other permissions too
        read = import_jobs([str(log)], rows_dir=folder)
        path = rows_path(folder, read.jobs.rows_sha256)
        assert [stat.S_IMODE(one.stat().st_mode) for one in (folder, path)] == [0o700, 0o600]
        path.chmod(0o644)
