"""Ray's jobs: their GPUs, and when they ran."""

import json
from typing import Any

import pytest

from tests.files.job_logs.row_ends import HOUR, Read, codes, counts, fates

START_MS = 1_767_607_200_000  # 2026-01-05 10:00 UTC


def ray_job(name: str, status: str, hours: int | None, **more: Any) -> dict[str, Any]:
    end = None if hours is None else START_MS + hours * HOUR
    said = {"type": "SUBMISSION", "submission_id": name, "status": status, "metadata": {}, "runtime_env": {}}
    said |= {"entrypoint": f"python /app/{name}.py --epochs 3", "start_time": START_MS, "end_time": end}
    return said | more


RAY = [
    ray_job(
        "train", "SUCCEEDED", 2, entrypoint_num_gpus=4, entrypoint_resources={"accelerator_type:A100": 0.001}
    ),
    ray_job("tune", "STOPPED", 1, metadata={"num_gpus": "2", "user": "ana", "job_name": "sweep"}),
    ray_job("serve", "RUNNING", None, entrypoint_num_gpus=0.5),
    ray_job("wait", "PENDING", None, end_time=0),
    ray_job("cpu", "FAILED", 1),
]


@pytest.mark.long
def test_ray_s_jobs(read_log: Read) -> None:
    for text in (json.dumps(RAY), "\n".join(map(json.dumps, RAY)), json.dumps({"jobs": RAY}, indent=1)):
        read = read_log(text)
        assert fates(read) == ("ray", 5, 4, 0, 0, 1)
        assert codes(read) == counts(no_gpus=1, pending=1, running=1, unknown_gpu_model=2)
        assert read.jobs.milli_gpu_seconds == (4 * 2 + 2 + 0.5 * 2) * HOUR
        assert {workload.key for workload in read.workloads} == {"//train-py", "/ana/sweep", "//serve-py"}


def test_ray_s_jobs_without_any_gpus_are_refused_with_what_to_note(read_log: Read) -> None:
    (fault,) = read_log(json.dumps([ray_job("a", "SUCCEEDED", 1)])).refused
    assert "entrypoint_num_gpus" in str(fault)
    assert "metadata" in str(fault.remedy)
