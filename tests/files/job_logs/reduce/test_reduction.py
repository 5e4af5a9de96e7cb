"""Laws of the reduction: exact, nothing lost, the same as a plain loop over seconds."""

import tempfile
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuplanner.domain.model.window import DAY_S, iso_utc
from gpuplanner.files.export.cube_file import cube_sha256
from gpuplanner.files.importing.import_jobs import import_jobs
from gpuplanner.files.importing.intake import ReadResult, read_inputs
from gpuplanner.files.importing.windowed_jobs import JobsRead, rewindow
from gpuplanner.files.job_logs.reduce.reduction import cube_of_steps
from gpuplanner.files.values.lookback_period import WindowRequest
from tests.some_of import examples

BASE_S = 1_767_225_600  # 2026-01-01T00:00:00Z

JOB = st.tuples(
    st.sampled_from(["a", "b"]),  # cluster
    st.sampled_from(["train-7", "train-8", "serve", ""]),  # name
    st.sampled_from(["", "ml"]),  # account
    st.sampled_from(["H100", "h100", "A100", ""]),
    st.integers(0, 9_000),  # thousandths of a GPU
    st.integers(0, 2 * DAY_S),  # start
    st.one_of(st.integers(0, 3 * DAY_S), st.sampled_from([0, 1, 3599, 3600, 3601])),  # duration
)
JOBS = st.lists(JOB, min_size=1, max_size=25)


def _csv(jobs: list[tuple]) -> str:
    lines = ["job_id,cluster,name,account,gpu_model,gpus,start,end"]
    for number, (cluster, name, account, model, milli, start, lasts) in enumerate(jobs):
        begin, end = iso_utc(BASE_S + start), iso_utc(BASE_S + start + lasts)
        lines.append(f"{number},{cluster},{name},{account},{model},{milli / 1000},{begin},{end}")
    return "\n".join(lines)


def _read(jobs: list[tuple], window: WindowRequest) -> ReadResult:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "jobs.csv")
        path.write_text(_csv(jobs))
        return read_inputs([str(path)], window_request=window)


def _plain(jobs: list[tuple], start_s: int, end_s: int) -> tuple[Counter, int]:
    """Milli-GPU-seconds by (key, model, hour) and the concurrent maximum, the slow way."""
    sums: Counter = Counter()
    changes: Counter = Counter()
    folded = {"train-7": "train", "train-8": "train", "serve": "serve", "": "unnamed"}
    for cluster, name, account, model, milli, start, lasts in jobs:
        low, high = max(BASE_S + start, start_s), min(BASE_S + start + lasts, end_s)
        if high <= low or not milli:
            continue
        changes[low] += milli
        changes[high] -= milli
        for hour in range((low - start_s) // 3600, (high - 1 - start_s) // 3600 + 1):
            begin = start_s + hour * 3600
            overlap = min(high, begin + 3600) - max(low, begin)
            sums[f"{cluster}/{account}/{folded[name]}", model.upper(), hour] += milli * overlap
    peak = level = 0
    for at in sorted(changes):
        level += changes[at]
        peak = max(peak, level)
    return sums, peak


def test_a_job_is_in_the_window_from_its_start_up_to_its_end() -> None:
    """Of three jobs of an hour each the first ends, and the last begins, at the window's bounds: one is counted."""
    hours = [("a", "serve", "", "H100", 1000, hour * 3600, 3600) for hour in range(3)]
    read = _read(hours, WindowRequest(start_s=BASE_S + 3600, end_s=BASE_S + 7200))
    assert (read.jobs.count, read.jobs.gpu_jobs, read.jobs.clipped) == (1, 1, 0)
    assert (read.jobs.first_start_s, read.jobs.last_end_s) == (BASE_S + 3600, BASE_S + 7200)


def test_steps_of_any_engine_become_the_hours_of_their_workload_and_model() -> None:
    """Workload 9 runs 1 GPU of the second model from 0:00 to 1:30, workload 4 half a GPU of none from 1:00 to 2:00."""
    steps = {"at_s": [3600, 7200, 0, 3600], "workload": [4, 4, 9, 9], "gpu_model": [-1, -1, 1, 1],
             "rate": [500, -500, 1000, -1000], "amount": [0, 0, 0, 1_800_000]}  # fmt: skip
    cube = cube_of_steps(3, ("A100", "H100"), [4, 7, 9], steps)
    assert (cube.workload_index.tolist(), cube.model_index.tolist()) == ([0, 2], [-1, 1])
    assert (cube.hour.tolist(), cube.milli_gpu_seconds.tolist()) == (
        [1, 0, 1],
        [1_800_000, 3_600_000, 1_800_000],
    )


def test_of_several_files_the_first_start_and_the_last_end_count(tmp_path: Path) -> None:
    for number, start in enumerate((7200, 0, 3600)):
        text = _csv([("a", "serve", "", "H100", 1000, start, 3600)])
        (tmp_path / f"{number}.csv").write_text(text.replace("\n0,", f"\n{number},"))
    read = read_inputs([str(path) for path in sorted(tmp_path.glob("*.csv"))])
    assert (read.jobs.first_start_s, read.jobs.last_end_s) == (BASE_S, BASE_S + 3 * 3600)


@pytest.mark.long
@settings(max_examples=examples(3))
@given(JOBS, st.integers(-10, 60), st.integers(1, 80))
def test_the_cube_is_the_plain_sum_of_overlaps(jobs: list[tuple], first_hour: int, hours: int) -> None:
    start_s = BASE_S + first_hour * 3600
    end_s = start_s + hours * 3600
    read = _read(jobs, WindowRequest(start_s, end_s))
    expected, peak = _plain(jobs, start_s, end_s)
    cube = read.cube
    row = cube.entry_row
    names = [*(model.upper() for model in cube.gpu_models), ""]
    found = {
        (read.workloads[cube.workload_index[r]].key, names[cube.model_index[r]], int(h)): int(a)
        for r, h, a in zip(row, cube.hour, cube.milli_gpu_seconds, strict=True)
    }
    assert found == dict(expected)
    assert read.jobs.peak_milli_gpus == peak
    assert read.jobs.milli_gpu_seconds == cube.total == sum(expected.values())
    assert sum(workload.milli_gpu_seconds for workload in read.workloads) == cube.total
    assert [workload.key for workload in read.workloads] == sorted({key for key, _, _ in expected})
    most: dict[tuple[str, str], tuple[int, str]] = {}
    for number, job in enumerate(jobs):
        spent = _plain([job], start_s, end_s)[0]
        for key, model, _ in spent:
            one = (-sum(spent.values()), str(number))
            most[key, model] = min(most.get((key, model), one), one)
    largest = {
        (job.key, (job.gpu_model or "").upper()): (-job.milli_gpu_seconds, job.job_id)
        for job in read.jobs.largest
    }
    assert largest == most
    assert [job.milli_gpu_seconds for job in read.jobs.largest] == sorted(
        (-spent for spent, _ in most.values()), reverse=True
    )
    assert (cube.milli_gpu_seconds > 0).all()
    assert (np.diff(cube.hour)[np.diff(row) == 0] > 0).all()


@pytest.mark.long
@settings(max_examples=examples(3))
@given(JOBS)
def test_over_the_whole_log_every_gpu_second_is_there(jobs: list[tuple]) -> None:
    read = _read(jobs, WindowRequest(whole_log=True))
    assert read.cube.total == sum(job[4] * job[6] for job in jobs)
    assert read.jobs.clipped == 0
    assert read.jobs.gpu_jobs == sum(1 for job in jobs if job[4] and job[6])


@pytest.mark.long
@settings(max_examples=examples(2))
@given(JOBS, st.integers(-5, 40), st.integers(1, 60))
def test_another_window_from_the_kept_rows_is_as_if_read_anew(
    jobs: list[tuple], first: int, hours: int
) -> None:
    start_s = BASE_S + first * 3600
    request = WindowRequest(start_s, start_s + hours * 3600)
    anew = _read(jobs, request)
    with tempfile.TemporaryDirectory() as folder:
        rows = Path(folder, "rows")
        log = Path(folder, "jobs.csv")
        log.write_text(_csv(jobs))
        before = import_jobs([str(log)], rows_dir=rows)
        again = import_jobs([str(log)], rows_dir=rows)
        assert len(list(rows.iterdir())) == 1
        assert again.jobs.rows_sha256 == before.jobs.rows_sha256
        found = rewindow(rows, before.jobs, before.intake, request)
    assert found.workloads == anew.workloads
    assert found.jobs.count == anew.jobs.count
    assert found.window == anew.window
    assert _sha256(found) == _sha256(anew)


def _sha256(read: ReadResult | JobsRead) -> str:
    return cube_sha256(read.cube, read.workloads, read.window)
