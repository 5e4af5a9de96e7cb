"""The model column of a log: GPU time by model and workload, through the import, exactly."""

import random

import pytest

from gpuplanner.files.importing.intake import read_inputs
from gpuplanner.files.importing.log_choices import ReadOptions
from gpuplanner.files.project.project_file import open_project, save_project
from gpuplanner.files.values.lookback_period import WindowRequest
from tests.some_of import some_of

HEAD = "job_id,name,gpus,start,end,model\n"
GPU_HOUR = 3_600_000


def project_of(tmp_path, text, window_request=None, **asked):
    path = tmp_path / "jobs.csv"
    path.write_text(text, encoding="utf-8")
    return read_inputs([str(path)], options=ReadOptions(**asked), window_request=window_request).project()


def test_gpu_time_is_shared_out_by_model_and_the_rest_names_none(tmp_path):
    project = project_of(
        tmp_path,
        HEAD
        + "1,sft,2,2026-01-01T00:00:00Z,2026-01-01T03:00:00Z,Aurora\n"
        + "2,sft,1,2026-01-01T00:00:00Z,2026-01-01T01:00:00Z,aurora\n"
        + "3,sft,1,2026-01-01T00:00:00Z,2026-01-01T02:00:00Z,\n"
        + "4,sft,0,2026-01-01T00:00:00Z,2026-01-01T02:00:00Z,cpu-only\n"
        + "5,sft,1,2026-01-01T00:00:00Z,2026-01-01T02:30:00Z,Borealis\n"
        + "6,chat,1,2026-01-01T00:00:00Z,2026-01-01T02:00:00Z,\n",
    )
    by_name = {workload.name: workload for workload in project.workloads}
    assert by_name["sft"].model_time == (("Aurora", 7 * GPU_HOUR), ("Borealis", 5 * GPU_HOUR // 2))
    assert by_name["sft"].milli_gpu_seconds == 11.5 * GPU_HOUR
    assert by_name["chat"].model_time == ()


def test_jobs_are_cut_at_the_window(tmp_path):
    text = HEAD + "1,sft,2,2026-01-01T00:00:00Z,2026-01-01T10:00:00Z,a\n"
    bounds = WindowRequest(start_s=1_767_225_600 + 3600, end_s=1_767_225_600 + 4 * 3600)
    (workload,) = project_of(tmp_path, text, window_request=bounds).workloads
    assert workload.model_time == (("a", 6 * GPU_HOUR),)
    assert workload.milli_gpu_seconds == 6 * GPU_HOUR


@pytest.mark.parametrize("seed", some_of(range(3), quick=1))
def test_models_never_add_up_to_more_than_the_workload_and_survive_a_save(tmp_path, seed):
    r = random.Random(seed)
    rows = []
    for job in range(60):
        first = r.randrange(48 * 3600)
        last = first + r.randrange(1, 9 * 3600)
        stamps = [
            f"2026-01-{1 + at // 86400:02}T{at // 3600 % 24:02}:{at // 60 % 60:02}:{at % 60:02}Z"
            for at in (first, last)
        ]
        rows.append(
            f"{job},{r.choice('ab')},{r.choice([0.429, 1, 8])},{stamps[0]},{stamps[1]},{r.choice('mMn')}"
        )
    project = project_of(tmp_path, HEAD + "\n".join(rows) + "\n")
    for workload in project.workloads:
        assert sum(spent for _, spent in workload.model_time) == workload.milli_gpu_seconds
        assert len({model.lower() for model, _ in workload.model_time}) == len(workload.model_time)
    save_project(project, tmp_path / "p.gpuplan")
    assert open_project(tmp_path / "p.gpuplan").workloads == project.workloads


@pytest.mark.long
def test_a_log_without_models_has_none(tmp_path):
    (workload,) = project_of(
        tmp_path, "job_id,name,gpus,start,end\n1,sft,1,2026-01-01T00:00:00Z,2026-01-01T10:00:00Z\n"
    ).workloads
    assert workload.model_time == ()
