"""Exports that name their columns: Run:ai, ClearML, Weights & Biases; as tables and as JSON, in several versions."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from tests.files.job_logs.row_ends import HOUR, Read, codes, counts, fates
from tests.some_of import one_in, some_of

DAY = "2026-01-05T"


def workload(name: str, phase: str, gpus: float | None = 4, **other: Any) -> dict[str, Any]:
    """A workload as the API of Run:ai says it, created at 9:00 and changed last at 12:00."""
    asked = {} if gpus is None else {"gpuRequestType": "portion", "gpu": {"request": gpus, "limit": gpus}}
    said = {"tenantId": 1, "type": "Training", "name": name, "id": f"id-{name}", "priority": 50}
    said |= {
        "clusterId": "c1",
        "projectName": "vision",
        "departmentName": "default",
        "namespace": "runai-vision",
    }
    said |= {"createdAt": f"{DAY}09:00:00Z", "deletedAt": None, "submittedBy": "ann@example.org"}
    said |= {"phase": phase, "phaseUpdatedAt": f"{DAY}12:00:00Z"}
    return (
        said
        | {
            "workloadRequestedResources": {**asked, "cpu": {"request": 8}},
            "allocatedResources": {"gpu": 0},
            "conditions": [
                {"type": "Pending", "lastTransitionTime": f"{DAY}09:00:00Z"},
                {"type": "Running", "lastTransitionTime": f"{DAY}10:00:00Z"},
            ],
        }
        | other
    )


RUNAI = [
    workload("done", "Completed"),
    workload("fails", "Failed", 0.5),
    workload("part", "Completed", 2, conditions=[]),
    workload("runs", "Running", 8, allocatedResources={"gpu": 6.0}),
    workload("waits", "Pending", 1),
    workload("cpu", "Completed", None),
    workload("memory", "Completed", None, workloadRequestedResources={"gpuMemory": {"request": "10G"}}),
]
RUNAI_TABLE = """Workload,Type,Status,Project,Department,Created by,Creation time,Completion time,GPU compute request,\
GPU compute allocation,Node pool
done,Training,Completed,vision,default,ann,2026-01-05T10:00:00Z,2026-01-05T12:00:00Z,4.00,-,a100
note,Workspace,Failed,vision,default,bob,2026-01-05T10:00:00Z,2026-01-05T11:00:00Z,0.50,0.00,a100
wait,Training,Pending,vision,default,bob,2026-01-05T10:00:00Z,-,1,-,a100
"""


@pytest.mark.parametrize(
    "text",
    one_in(
        4, [json.dumps({"workloads": RUNAI}), json.dumps(RUNAI, indent=1), "\n".join(map(json.dumps, RUNAI))]
    ),
    ids=["document", "array", "lines"],
)
def test_workloads_of_runai(read_log: Read, text: str) -> None:
    read = read_log(text)
    assert fates(read) == ("runai", 7, 5, 1, 0, 1)
    ones = counts(bad_number=1, no_gpus=1, pending=1, running=1, undecided=1)
    assert codes(read) == ones | counts(unknown_gpu_model=4)
    assert read.jobs.milli_gpu_seconds == (4 * 2 + 0.5 * 2 + 2 * 3 + 6 * 2) * HOUR
    assert {workload.cluster for workload in read.workloads} == {"c1"}


def test_table_of_runai_counts_from_the_creation_and_says_so(read_log: Read) -> None:
    read = read_log(RUNAI_TABLE)
    assert fates(read) == ("runai", 3, 2, 0, 0, 1)
    assert read.jobs.milli_gpu_seconds == (4 * 2 + 0.5) * HOUR
    assert codes(read)["undecided"] == 2


SHORT = {"id": "w1", "name": "train-a", "type": "Training", "projectName": "vision", "phase": "Completed"}
SHORT |= {"createdAt": f"{DAY}09:00:00Z", "allocatedGPU": 2, "runningTime": 7200}


@pytest.mark.parametrize(
    ("said", "start", "hours"),
    some_of(
        [
            ({"startedAt": f"{DAY}10:00:00Z", "completedAt": f"{DAY}12:00:00Z"}, "10:00", 2),
            ({"startedAt": f"{DAY}10:00:00Z"}, "10:00", 2),
            ({"completedAt": f"{DAY}12:30:00Z"}, "10:30", 2),
            ({"runningTime": f"{DAY}10:00:00Z", "completedAt": f"{DAY}13:00:00Z"}, "10:00", 3),
            ({}, "09:00", 2),
        ],
        quick=1,
    ),
)
def test_a_running_time_is_how_long_or_since_when(
    read_log: Read, said: dict[str, Any], start: str, hours: int
) -> None:
    read = read_log(json.dumps({"workloads": [SHORT | said]}))
    assert fates(read) == ("runai", 1, 1, 0, 0, 0)
    assert read.jobs.milli_gpu_seconds == 2 * hours * HOUR
    assert datetime.fromtimestamp(read.jobs.first_start_s, UTC).strftime("%H:%M") == start
    assert ("undecided" in codes(read)) == (not said)


@pytest.mark.long
def test_table_of_runai_with_plain_headings(read_log: Read) -> None:
    read = read_log(
        "Workload,Type,Project,Status,Requested GPU,Allocated GPU,Created,Started,Finished,GPU type\n"
        f"w1,Training,p,Completed,2,2,{DAY}09:00:00Z,{DAY}09:10:00Z,{DAY}11:10:00Z,H100\n"
    )
    assert fates(read) == ("runai", 1, 1, 0, 0, 0)
    assert read.jobs.milli_gpu_seconds == 2 * 2 * HOUR


def task(name: str, status: str = "completed", **other: Any) -> dict[str, Any]:
    """A task as ClearML's API says it: two hours on two GPUs of a machine of eight."""
    said = {"id": f"id{name}", "name": name, "type": "training", "status": status}
    said |= {"project": {"id": "p1", "name": "vision"}, "user": {"id": "u1", "name": "ann"}}
    return (
        said
        | {
            "created": f"{DAY}09:00:00.123000+00:00",
            "started": f"{DAY}10:00:00.123000+00:00",
            "completed": f"{DAY}12:00:00.456000+00:00" if status == "completed" else None,
            "last_update": f"{DAY}12:00:00+00:00",
            "last_worker": "dgx1:gpu0,1",
            "execution": {"queue": "q1"},
            "runtime": {"gpu_count": 8, "gpu_type": "NVIDIA A100-SXM4-80GB, NVIDIA A100-SXM4-80GB"},
        }
        | other
    )


CLEARML = [
    task("a"),
    task("b", last_worker="dgx1"),
    task("c", "failed", last_worker="dgx2:gpu3"),
    task("d", "in_progress", active_duration=3600),
    task("e", "created", started=None),
    task("f", "stopped", started=None),
    task("g", last_worker="", runtime={}),
]


@pytest.mark.parametrize(
    "text",
    some_of(
        [json.dumps({"meta": {"id": "x"}, "data": {"tasks": CLEARML}}), json.dumps(CLEARML, indent=1)],
        quick=1,
    ),
)
def test_tasks_of_clearml(read_log: Read, text: str) -> None:
    read = read_log(text)
    assert fates(read) == ("clearml", 7, 5, 0, 0, 2)
    assert codes(read) == counts(never_started=1, no_gpus=1, pending=1, running=1, undecided=1)
    assert read.jobs.milli_gpu_seconds == (2 * 2 + 8 * 2 + 1 * 2 + 2 * 1) * HOUR
    assert read.cube.gpu_models == ("A100 80GB",)


WANDB_TABLE = """"Name","State","Notes","User","Tags","Created","Runtime","Sweep","GPU Count","GPU Type","Hostname"
"crisp-sun-12","finished","","ann","","2026-01-05T10:00:00.000Z","7200","","4","NVIDIA A100-SXM4-80GB","g1"
"finetune","crashed","","bob","x, y","2026-01-05T11:00:00.000Z","1800.6","","8","NVIDIA H100 80GB HBM3","g2"
"live","running","","bob","","2026-01-05T11:00:00.000Z","3600","lr","1","NVIDIA H100 80GB HBM3","g2"
"cpu","finished","","bob","","2026-01-05T11:00:00.000Z","60","","","","g3"
"""
_RUN = {"displayName": "sft", "createdAt": f"{DAY}10:00:00", "heartbeatAt": f"{DAY}12:00:00"}
_RUN |= {"user": {"username": "ann"}, "summaryMetrics": {"_wandb": {"runtime": 7200}, "loss": 0.5}}
WANDB = [
    _RUN | {"id": f"r{n}", "state": state, "runInfo": {"gpu": "NVIDIA A100-SXM4-80GB", "gpuCount": gpus}}
    for n, (state, gpus) in enumerate((("finished", 4), ("killed", 2), ("finished", None)))
]


def test_table_of_runs(read_log: Read) -> None:
    read = read_log(WANDB_TABLE)
    assert fates(read) == ("wandb", 4, 4, 0, 0, 0)
    assert "undecided" in codes(read)
    assert read.jobs.milli_gpu_seconds == 4 * 2 * HOUR + 8 * 1_800_000 + HOUR
    assert {workload.name for workload in read.workloads} == {"crisp-sun", "finetune", "lr"}


@pytest.mark.long
def test_runs_of_the_api(read_log: Read) -> None:
    for text in (json.dumps(WANDB, indent=1), "\n".join(map(json.dumps, WANDB))):
        read = read_log(text)
        assert fates(read) == ("wandb", 3, 3, 0, 0, 0)
        assert read.jobs.milli_gpu_seconds == 6 * 2 * HOUR


def test_runs_without_a_runtime_last_until_they_were_last_heard_of(read_log: Read) -> None:
    runs = [{key: value for key, value in run.items() if key != "summaryMetrics"} for run in WANDB]
    read = read_log(json.dumps([*runs, runs[0] | {"id": "live", "state": "running"}]))
    assert fates(read) == ("wandb", 4, 4, 0, 0, 0)
    assert codes(read)["running"] == 1
    assert read.jobs.milli_gpu_seconds == (6 + 4) * 2 * HOUR


@pytest.mark.parametrize(
    ("text", "name"),
    some_of(
        [
            (WANDB_TABLE.replace("GPU Count", "Count"), "GPU Count"),
            (json.dumps([{**WANDB[0], "runInfo": {}}]), "GPU Count"),
            (json.dumps([WANDB[0] | {"summaryMetrics": {}}]).replace("heartbeatAt", "x"), "Runtime"),
            (json.dumps({"workloads": [SHORT]}).replace("allocatedGPU", "x"), "GPU compute request"),
            (json.dumps([{**task("a"), "last_worker": None, "runtime": None, "worker": {}}]), ""),
        ],
        quick=1,
    ),
)
def test_what_lacks_gpus_is_refused_with_what_to_show(read_log: Read, text: str, name: str) -> None:
    read = read_log(text)
    assert read.refused or not name
    assert all(name in str(fault) and fault.remedy for fault in read.refused)
