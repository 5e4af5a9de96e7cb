"""Kueue's workloads: their GPUs, and when they ran."""

import json
from typing import Any

import pytest

from tests.files.job_logs.row_ends import HOUR, Read, codes, counts, fates


def condition(kind: str, time: str, status: str = "True", reason: str = "") -> dict[str, str]:
    return {"type": kind, "status": status, "lastTransitionTime": f"2026-01-05T{time}:00Z", "reason": reason}


def workload(
    name: str, *conditions: dict[str, str], count: object = 2, gpus: int = 4, **admission: Any
) -> dict[str, Any]:
    container = {"name": "c", "resources": {"requests": {"nvidia.com/gpu": str(gpus), "cpu": "8"}}}
    return {
        "apiVersion": "kueue.x-k8s.io/v1beta1",
        "kind": "Workload",
        "metadata": {
            "name": f"job-{name}-1a2b3",
            "namespace": "ml",
            "uid": name,
            "ownerReferences": [{"kind": "Job", "name": name, "controller": True}],
        },
        "spec": {
            "queueName": "team",
            "podSets": [{"name": "main", "count": count, "template": {"spec": {"containers": [container]}}}],
        },
        "status": {"conditions": list(conditions), "admission": admission},
    }


KUEUE = [
    workload(
        "done",
        condition("QuotaReserved", "09:59"),
        condition("Admitted", "10:00"),
        condition("Finished", "12:00"),
    ),
    workload(
        "flavor",
        condition("QuotaReserved", "10:00"),
        condition("Admitted", "10:00"),
        condition("Finished", "11:00", reason="JobFailed"),
        podSetAssignments=[
            {
                "name": "main",
                "count": 1,
                "flavors": {"cpu": "default", "nvidia.com/gpu": "h100-80gb"},
                "resourceUsage": {"cpu": "8", "nvidia.com/gpu": "3"},
            }
        ],
    ),
    workload("runs", condition("Admitted", "11:00"), gpus=1, count=1),
    workload("waits", condition("QuotaReserved", "11:00", "False"), condition("Evicted", "11:00")),
    workload("gone", condition("Finished", "11:00")),
]


def test_kueue_s_workloads(read_log: Read) -> None:
    read = read_log(json.dumps({"apiVersion": "v1", "items": KUEUE, "kind": "List"}))
    assert fates(read) == ("kueue", 5, 3, 0, 0, 2)
    assert codes(read) == counts(never_started=1, pending=1, running=1, unknown_gpu_model=2)
    assert read.jobs.milli_gpu_seconds == (8 * 2 + 3 * 1 + 1) * HOUR
    by_key = {each.key: each for each in read.workloads}
    assert set(by_key) == {"/ml/done", "/ml/flavor", "/ml/runs"}
    assert by_key["/ml/flavor"].failed_milli_gpu_seconds == 3 * HOUR
    assert "H100" in read.cube.gpu_models


def test_the_queue_that_it_was_put_in_says_what_it_is_not_the_one_that_admitted(read_log: Read) -> None:
    items = [
        workload("a", condition("Admitted", "10:00"), condition("Finished", "12:00"), clusterQueue="h200")
    ]
    read = read_log(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
    assert {queue for _, queue, _ in read.jobs.queues} == {"team"}


def test_what_was_admitted_counts_where_the_request_is_not_told(read_log: Read) -> None:
    item = {
        **workload("x"),
        "metadata": {"name": "job-x", "namespace": "ml", "uid": "u1"},
        "status": {
            "admission": {"podSetAssignments": [{"name": "m", "resourceUsage": {"nvidia.com/gpu": "8"}}]},
            "conditions": [condition("Admitted", "08:00"), condition("Finished", "10:00")],
        },
    }
    read = read_log(json.dumps({"apiVersion": "v1", "kind": "List", "items": [item]}))
    assert read.intake[0].format == "kueue" and read.jobs.gpu_hours == 16.0


@pytest.mark.parametrize(
    ("conditions", "hours"),
    [
        ({"Admitted": 10, "Evicted": 13}, 3),  # and Admitted is still true
        ({"QuotaReserved": 10, "Admitted": 10, "Preempted": 13, "Finished": 20}, 3),
        ({"Evicted": 9, "Admitted": 10, "Finished": 12}, 2),  # that was before it was admitted again
    ],
)
def test_a_workload_that_was_evicted_no_longer_runs(
    read_log: Read, conditions: dict[str, int], hours: int
) -> None:
    told = [
        {"type": kind, "status": "True", "lastTransitionTime": f"2026-01-05T{at:02}:00:00Z"}
        for kind, at in conditions.items()
    ]
    limits = {"containers": [{"resources": {"limits": {"nvidia.com/gpu": 8}}}]}
    evicted, other = (
        {
            "apiVersion": "kueue.x-k8s.io/v1beta1",
            "kind": "Workload",
            "metadata": {"name": name, "namespace": "ml"},
            "spec": {"podSets": [{"name": "main", "count": 1, "template": {"spec": spec}}]},
            "status": {"conditions": status},
        }
        for name, spec, status in (
            ("a", limits, told),
            (
                "b",
                {},
                [
                    {**told[0], "type": "Admitted"},
                    {**told[0], "type": "Finished", "lastTransitionTime": "2026-01-05T20:00:00Z"},
                ],
            ),
        )
    )
    read = read_log(json.dumps({"kind": "List", "items": [evicted, other]}))
    assert read.jobs.milli_gpu_seconds == 8 * hours * HOUR


AGAIN = [condition("Evicted", "09:00"), condition("Admitted", "10:00"), condition("Finished", "12:00")]


@pytest.mark.parametrize(("ran", "hours", "asks"), [(3 * 3600, 5, False), (None, 2, True)])
def test_the_run_before_an_eviction_counts_where_its_length_is_told(
    read_log: Read, ran: int | None, hours: int, *, asks: bool
) -> None:
    item = workload("again", *AGAIN)
    item["status"]["accumulatedPastExexcutionTimeSeconds"] = ran
    read = read_log(json.dumps({"kind": "List", "items": [item]}))
    assert read.jobs.milli_gpu_seconds == 8 * hours * HOUR
    issues = {issue.code: str(issue.message) for issue in read.intake[0].issues}
    assert ("evicted workloads" in issues.get("undecided", "")) == asks


def test_pods_count_in_their_workload(read_log: Read) -> None:
    """Two pods of a workload, given beside it, and a pod of none."""
    whole = json.dumps({"kind": "List", "items": [workload("train", *KUEUE[0]["status"]["conditions"])]})
    container = {"name": "c", "resources": {"limits": {"nvidia.com/gpu": "4"}}}
    pods = [
        {
            "kind": "Pod",
            "metadata": {
                "name": f"{name}-{at}",
                "namespace": "ml",
                "ownerReferences": [{"kind": "Job", "name": name, "controller": True}],
            },
            "spec": {"nodeName": "n", "containers": [container]},
            "status": {
                "phase": "Succeeded",
                "startTime": "2026-01-05T10:00:05Z",
                "containerStatuses": [{"state": {"terminated": {"finishedAt": "2026-01-05T11:59:00Z"}}}],
            },
        }
        for at, name in enumerate(("train", "train", "other"))
    ]
    alone = read_log(json.dumps({"kind": "List", "items": pods[2:]})).jobs.milli_gpu_seconds
    for texts in ((whole, json.dumps({"kind": "List", "items": pods})),):
        read = read_log(*texts)
        assert read.jobs.milli_gpu_seconds == 8 * 2 * HOUR + alone
        assert [(file.rows_accepted, file.rows_duplicate) for file in read.intake] == [(1, 0), (1, 2)]


def test_a_count_of_pods_that_is_no_number_is_no_cpu_job(read_log: Read) -> None:
    item = workload("a", condition("Admitted", "10:00"), condition("Finished", "12:00"), count="x")
    read = read_log(json.dumps({"apiVersion": "v1", "kind": "List", "items": [item]}))
    assert [row.code for row in read.intake[0].rejected] == ["bad_number"]
