"""Volcano's jobs: GPUs of their tasks times replicas; when they ran, by their conditions or by what is left of them."""

import json
from typing import Any

import pytest

from tests.files.job_logs.row_ends import HOUR, Read, codes, counts, fates
from tests.some_of import some_of

DAY = "2026-01-05T"


def task(name: str, replicas: int, gpus: int) -> dict[str, Any]:
    limits = {"nvidia.com/gpu": str(gpus)} if gpus else {"cpu": "4"}
    return {
        "name": name,
        "replicas": replicas,
        "template": {"spec": {"containers": [{"name": name, "resources": {"limits": limits}}]}},
    }


def job(name: str, phase: str, began: str = "", *tasks: dict[str, Any], **status: Any) -> dict[str, Any]:
    conditions = [{"status": "Pending", "lastTransitionTime": f"{DAY}09:00:00Z"}]
    if began:
        conditions.append({"status": "Running", "lastTransitionTime": f"{DAY}{began}:00Z"})
    return {
        "apiVersion": "batch.volcano.sh/v1alpha1",
        "kind": "Job",
        "metadata": {
            "name": name,
            "namespace": "ml",
            "uid": f"uid-{name}",
            "creationTimestamp": f"{DAY}09:00:00Z",
        },
        "spec": {"queue": "gpu", "tasks": list(tasks or (task("master", 1, 0), task("worker", 4, 8)))},
        "status": {
            "state": {"phase": phase, "lastTransitionTime": f"{DAY}12:00:00Z"},
            "conditions": conditions,
            **status,
        },
    }


JOBS = [
    job("done", "Completed", "10:00"),
    job("fails", "Failed", "11:00", task("only", 1, 2)),
    job("old", "Completed", "", task("only", 1, 1), runningDuration="3h0m0s", conditions=[]),
    job("runs", "Running", "11:30", task("only", 2, 1)),
    job("waits", "Pending"),
    job("gone", "Aborted"),
    job("odd", "Completed", "10:00", task("only", -1, 1)),
]


FORMS = (json.dumps({"kind": "List", "items": JOBS}), "\n".join(map(json.dumps, JOBS)))


@pytest.mark.parametrize("text", some_of([*FORMS, json.dumps(JOBS, indent=1)], quick=1))
def test_jobs(read_log: Read, text: str) -> None:
    read = read_log(text)
    assert fates(read) == ("volcano", 7, 4, 1, 0, 2)
    ones = counts(bad_number=1, never_started=1, pending=1, running=1, undecided=1)
    assert codes(read) == ones | counts(unknown_gpu_model=4)
    assert read.jobs.milli_gpu_seconds == (32 * 2 + 2 * 1 + 1 * 3 + 2 * 0.5) * HOUR
    assert {workload.owner for workload in read.workloads} == {"ml"}


def test_a_job_that_was_put_back_into_the_queue_no_longer_runs(read_log: Read) -> None:
    waits_again = job("again", "Pending", "10:00", task("only", 1, 8))  # since 12:00
    read = read_log(
        json.dumps(
            {"kind": "List", "items": [waits_again, job("other", "Completed", "10:00", task("only", 1, 1))]}
        )
    )
    assert read.jobs.milli_gpu_seconds == (8 * 2 + 1 * 2) * HOUR
