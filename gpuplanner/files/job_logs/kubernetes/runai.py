"""Workloads of Run:ai: what its API says of them, or the table that its window exports."""

from datetime import datetime, timedelta
from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.files.job_logs.judging.dialect import Dialect
from gpuplanner.files.job_logs.judging.job_texts import JobTexts
from gpuplanner.files.job_logs.judging.named_rows import NamedLog, Told
from gpuplanner.files.values.durations import read_duration

_CONDITIONS_AT_MOST: Final = 12

_HEADINGS: Final = {
    "id": ("id", "workloadid", "uuid"),
    "name": ("name", "workload", "workloadname"),
    "type": ("type", "workloadtype"),
    "project": ("projectname", "project"),
    "department": ("departmentname", "department"),
    "user": ("submittedby", "createdby"),
    "cluster": ("clustername", "cluster", "clusterid"),
    "pool": ("currentnodepool", "currentnodepools", "nodepool", "nodepools", "requestednodepools"),
    "state": ("phase", "status"),
    "created": ("createdat", "creationtime", "created"),
    "start": ("startedat", "starttime", "startedtime", "started", "runningsince", "firstrunningat"),
    "running": ("runningtime",),
    "end": ("completedat", "completiontime", "endtime", "finishedat", "finished", "deletedat"),
    "changed": ("phaseupdatedat", "k8sphaseupdatedat"),
    "elapsed": ("totalruntime", "runtime", "totalruntimeseconds", "runningduration"),
    "allocated": (
        "allocatedresourcesgpu",
        "gpucomputeallocation",
        "allocatedgpus",
        "allocatedgpu",
        "gpuallocation",
    ),
    "requested": (
        *("workloadrequestedresourcesgpurequest", "gpucomputerequest", "requestedgpus", "requestedgpu"),
        *("gpurequest", "gpurequests"),
    ),
    "memory": ("workloadrequestedresourcesgpumemoryrequest", "gpumemoryrequest"),
    "pods": ("requestedpodsnumber",),
    "gpu_model": ("gputype", "gpumodel"),
    **{f"condition_{n}": (f"conditions{n}type",) for n in range(_CONDITIONS_AT_MOST)},
    **{f"condition_time_{n}": (f"conditions{n}lasttransitiontime",) for n in range(_CONDITIONS_AT_MOST)},
}
_STATES: Final = {
    **dict.fromkeys(("running", "degraded", "terminating", "stopping", "updating", "resuming"), "RUNNING"),
    **dict.fromkeys(("completed", "succeeded"), "COMPLETED"),
    **dict.fromkeys(("stopped", "deleted", "suspended", "deleting"), "CANCELLED"),
    **dict.fromkeys(("creating", "initializing", "pending", "queued"), "PENDING"),
    "failed": "FAILED",
}
_NOTHING: Final = ("", "-", "0", "0.0", "0.00", "N/A")


def _texts(told: Told) -> JobTexts:
    """A workload as texts of a job, by the keys of the API or the headings of the window's table."""
    state = _STATES.get(told.get("state", "").casefold(), told.get("state", ""))
    start, end = _course(told, state)
    return {
        "job_id": told.get("id", ""),
        "cluster": told.get("cluster", ""),
        "name": told.get("name", ""),
        "account": told.get("project", ""),
        "user": told.get("user", ""),
        "queue": told.get("pool", ""),
        "gpu_model": told.get("gpu_model", ""),
        "gpus": _gpus(told),
        "start": start,
        "end": end,
        "elapsed": _elapsed(told),
        "state": state,
        "submit": told.get("created", ""),
    }


def _gpus(told: Told) -> str:
    """What is held where it holds any now, else what was asked for; memory alone is no count of GPUs."""
    for key in ("allocated", "requested"):
        if told.get(key, "") not in _NOTHING:
            return told[key].removesuffix("GPUs").removesuffix("GPU").strip()
    memory = told.get("memory", "")
    return f"of memory alone: {memory}" if memory not in _NOTHING else ""


def _elapsed(told: Told) -> str:
    """How long it ran; a running time may also be since when."""
    running = told.get("running", "")
    return told.get("elapsed", "") or (running if read_duration(running) is not None else "")


def _started(told: Told) -> str:
    """When it began to run, as a time of its own or of its conditions; empty where nothing says it."""
    running = told.get("running", "")
    since = running if read_duration(running) is None else ""
    return told.get("start", "") or since or _condition(told, "Running") or _before_end(told)


def _before_end(told: Told) -> str:
    """When it began if it ran without a break until it ended; empty where the times do not say it."""
    ran_s = read_duration(_elapsed(told))
    return _later(told.get("end", ""), None if ran_s is None else -ran_s)


def _later(at: str, seconds: int | None) -> str:
    """A time so much later; empty where one of them is not told."""
    try:
        return (
            "" if seconds is None else (datetime.fromisoformat(at) + timedelta(seconds=seconds)).isoformat()
        )
    except (ValueError, OverflowError):
        return ""


def _course(told: Told, state: str) -> tuple[str, str]:
    """(start, end): it starts when it ran, else when it was created; its end is told, else after its running time."""
    if state == "PENDING":
        return "", ""
    start = _started(told)
    if state == "RUNNING":
        return start or told.get("changed", "") or told.get("created", ""), told.get("end", "")
    start = start or told.get("created", "")
    ran_s = read_duration(_elapsed(told))
    return start, told.get("end", "") or _later(start, ran_s) or told.get("changed", "")


def _condition(told: Told, kind: str) -> str:
    """When a condition was last reached; empty where it is not told."""
    return next(
        (
            told.get(f"condition_time_{n}", "")
            for n in range(_CONDITIONS_AT_MOST)
            if told.get(f"condition_{n}", "") == kind
        ),
        "",
    )


def _is_created(told: Told) -> bool:
    """Whether a workload with GPUs is counted from its creation, since nothing says when it ran."""
    state = _STATES.get(told.get("state", "").casefold(), "")
    is_told = _started(told) or (state == "RUNNING" and told.get("changed"))
    return state != "PENDING" and not is_told and _gpus(told) != ""


_LOG: Final = NamedLog(
    (
        *("job_id", "cluster", "name", "account", "user", "queue", "gpu_model", "gpus", "start", "end"),
        *("elapsed", "state", "submit"),
    ),
    _HEADINGS,
    _texts,
    ("workloads", "data.workloads", "items"),
    ((("allocated", "requested", "memory"), "GPU compute request"), (("created", "start"), "creation time")),
    worded(
        "export the workloads with project, status, creation and completion time, GPU compute request and allocation"
    ),
    note=worded(
        "nothing says when these workloads began to run: they are counted from their creation, so that waiting counts "
        "as use; export them from the API with their conditions, or the pods with kubectl get pods -A -o json"
    ),
    is_noted=_is_created,
)


def sniff(head: str) -> float:
    """How sure it is that a text begins an export of workloads, 0..1."""
    keys = _LOG.keys(head)
    is_workload = {"name", "state", "project"} <= keys and bool(keys & {"created", "start"})
    has_gpus = bool(keys & {"allocated", "requested"})
    has_mark = bool(keys & {"department", "pool", "pods", "running"}) or "workloadRequestedResources" in head
    has_mark = has_mark or {"allocated", "requested"} <= keys
    is_of_the_api = '"projectName"' in head and '"phase"' in head  # may lack GPUs, which are asked for then
    if not is_workload or "type" not in keys:
        return 0.0
    return 0.96 if has_gpus and has_mark else 0.6 if is_of_the_api else 0.0


DIALECT: Final = Dialect("runai", worded("list of Run:ai workloads"), sniff, _LOG.rows)
