"""Schedulers on Kubernetes: Kueue's workloads, Volcano's jobs, workloads of Run:ai."""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Any, Final

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.window import iso_utc
from gpuplanner.files.job_logs.dialects.kubernetes_pods import (
    FIELDS,
    PREFIXES,
    SHARE_NOTES,
    PodGpus,
    add_up,
    count_resources,
    decimal_text,
    gpu_texts,
    job_of_object,
    pod_gpus,
    quantity,
)
from gpuplanner.files.job_logs.judging import dialect
from gpuplanner.files.sources.json_values import json_paths, json_records, object_at, objects_in, text_of
from gpuplanner.files.sources.source import Source
from gpuplanner.files.system.engine import Engine
from gpuplanner.files.values.gpu_names import name_begun_with
from gpuplanner.files.values.numbers import phrases
from gpuplanner.files.values.times import utc_seconds
from gpuplanner.files.values.written_dates import read_duration

# --- Kueue's workloads, as `kubectl get workloads -A -o json` shows them: what was admitted, from when to when

_FAILED_WORDS: Final = ("fail", "error", "exceeded")


def sniff_kueue(head: str) -> float:
    """How sure it is that a text begins an export of workloads, 0..1.

    By kind Workload with podSets or Kueue's own API group.
    """
    paths = json_paths(head)
    for prefix in PREFIXES:
        if paths.get(f"{prefix}kind") == "Workload" and (
            f"{prefix}spec.podSets" in paths or "kueue" in (paths.get(f"{prefix}apiVersion") or "")
        ):
            return 1.0
    return 0.9 if paths.get("kind") == "WorkloadList" else 0.0


def kueue_rows(source: Source, engine: Engine, table: str) -> dialect.JobTable:
    """Every workload is a job. Errors: PlannerError truncated_file, file_unreadable."""
    jobs = ((row, workload_texts(value)) for row, value in json_records(source, "items"))
    return dialect.table_of_texts(engine, source, table, FIELDS, jobs, notes=SHARE_NOTES)


def workload_texts(value: object) -> dialect.JobTexts:
    """A workload as the texts of a job.

    GPUs are those of its admission where there is one, else those asked for.
    """
    return job_of_object(value, "Workload", _kueue_texts)


def _kueue_texts(spec: Mapping[str, Any], status: Mapping[str, Any]) -> dialect.JobTexts:
    """A workload as texts of a job: its queue, what was admitted and its course."""
    gpus, nodes = _asked(spec, status)
    start, end, state = _kueue_course(status)
    return {
        "queue": text_of(spec.get("queueName")),
        "nodes": nodes,
        "start": start,
        "end": end,
        "state": state,
        "time_limit": text_of(spec.get("maximumExecutionTimeSeconds")),
        "priority": text_of(spec.get("priority")),
        **gpu_texts(gpus),
    }


def _asked(spec: Mapping[str, Any], status: Mapping[str, Any]) -> tuple[PodGpus, str]:
    """GPUs over all pods and how many pods have one: as admitted, else as asked for."""
    assigned = {
        text_of(each.get("name")): each for each in objects_in(status, "admission", "podSetAssignments")
    }

    def parts() -> Iterator[tuple[PodGpus, Fraction | None]]:
        """Each set of pods with what one pod holds and how many were admitted."""
        for pod_set in objects_in(spec, "podSets") or assigned.values():
            admitted = assigned.get(text_of(pod_set.get("name")), {})
            count = quantity(text_of(admitted.get("count", pod_set.get("count", 1)))) or Fraction(0)
            yield _each(pod_set, admitted, count), count

    return add_up(parts())


def _each(pod_set: Mapping[str, Any], admitted: Mapping[str, Any], count: Fraction) -> PodGpus:
    """GPUs of one pod of a set: what was admitted is of all of them."""
    template = pod_gpus(object_at(pod_set, "template"))
    usage = object_at(admitted, "resourceUsage")
    given = count_resources(usage) if usage else template
    own = quantity(given.gpus) if given.gpus else Fraction(0)
    if own is None or own < 0:
        return given
    model = template.gpu_model or _model_of_flavor(object_at(admitted, "flavors"), bool(own))
    each = own / count if usage and count else own
    return PodGpus(decimal_text(each), model, given.is_share_unknown)


def _model_of_flavor(flavors: Mapping[str, Any], has_gpus: bool) -> str:
    """The GPU model that the flavour of the GPUs is named after, where it begins with one."""
    for resource, flavor in flavors.items():
        if has_gpus and count_resources({resource: "1"}).gpus:
            return name_begun_with(text_of(flavor))
    return ""


def _kueue_course(status: Mapping[str, Any]) -> tuple[str, str, str]:
    """(start, end, state): from its admission to its end; one that was put back into the queue is pending."""
    changed: dict[str, Mapping[str, Any]] = {
        text_of(each.get("type")): each for each in objects_in(status, "conditions")
    }

    def since(kind: str) -> str:
        """Since when a condition has been true; empty if it is not."""
        condition = changed.get(kind, {})
        return text_of(condition.get("lastTransitionTime")) if condition.get("status") == "True" else ""

    start = since("Admitted") or since("QuotaReserved")
    end = since("Finished")
    if end:
        finished = changed["Finished"]
        said = f"{text_of(finished.get('reason'))} {text_of(finished.get('message'))}".lower()
        is_failed = any(word in said for word in _FAILED_WORDS)
        return start, end, "CANCELLED" if not start else "FAILED" if is_failed else "COMPLETED"
    return start, "", "RUNNING" if start else "PENDING"


KUEUE: Final = dialect.Dialect("kueue", worded("list of Kueue workloads"), sniff_kueue, kueue_rows)


# --- Volcano's jobs, as `kubectl get vcjob -A -o json` shows them: GPUs of their tasks, and when they ran

_VOLCANO_STATES: Final = {
    **dict.fromkeys(("Running", "Completing", "Restarting", "Aborting", "Terminating"), "RUNNING"),
    "Completed": "COMPLETED",
    "Failed": "FAILED",
    "Aborted": "CANCELLED",
    "Terminated": "CANCELLED",
    **dict.fromkeys(("Pending", "Inqueue", ""), "PENDING"),
}

_FROM_CREATION: Final = "creation"
_NOTES: Final = {
    **SHARE_NOTES,
    _FROM_CREATION: dialect.Note(
        "undecided",
        worded(
            "nothing says when these jobs began to run: their duration counts from their creation, so that waiting "
            "counts as use; export the pods with kubectl get pods -A -o json where that is long"
        ),
    ),
}


def sniff_volcano(head: str) -> float:
    """How sure it is that a text begins a list of Volcano's jobs, 0..1."""
    paths = json_paths(head)
    for prefix in PREFIXES:
        if (paths.get(f"{prefix}apiVersion") or "").startswith("batch.volcano.sh/"):
            return 1.0 if paths.get(f"{prefix}kind") in ("Job", None) else 0.0
    return 0.0


def volcano_rows(source: Source, engine: Engine, table: str) -> dialect.JobTable:
    """Every job. Errors: PlannerError truncated_file, file_unreadable."""
    jobs = (
        (row, job_of_object(value, "Job", _volcano_texts)) for row, value in json_records(source, "items")
    )
    return dialect.table_of_texts(engine, source, table, FIELDS, jobs, notes=_NOTES)


def _volcano_texts(spec: Mapping[str, Any], status: Mapping[str, Any]) -> dialect.JobTexts:
    """A job as texts, GPUs and nodes added up over its tasks; noted where its start is that of its creation."""
    gpus, nodes = add_up(
        (pod_gpus(object_at(task, "template")), quantity(text_of(task.get("replicas", 1))))
        for task in objects_in(spec, "tasks")
    )
    start, end, state, is_from_creation = _volcano_course(status)
    return {
        "queue": text_of(spec.get("queue")),
        "nodes": nodes,
        "start": start,
        "end": end,
        "state": state,
        **gpu_texts(gpus, *([_FROM_CREATION] if is_from_creation else ())),
    }


def _volcano_course(status: Mapping[str, Any]) -> tuple[str, str, str, bool]:
    """(start, end, state, whether the start is its creation): older versions keep only the last change."""
    now = object_at(status, "state")
    phase, changed = text_of(now.get("phase")), text_of(now.get("lastTransitionTime"))
    state = _VOLCANO_STATES.get(phase, phase)
    began = [
        text_of(each.get("lastTransitionTime"))
        for each in objects_in(status, "conditions")
        if each.get("status") == "Running"
    ]
    if state == "PENDING":
        return "", "", state, False
    if state == "RUNNING":
        return began[0] if began else changed, "", state, False
    if began:
        return began[0], changed, state, False
    length_s, end_s = read_duration(text_of(status.get("runningDuration"))), utc_seconds(changed)
    if length_s is None or end_s is None:
        return "", changed, "CANCELLED" if state == "CANCELLED" else state, False
    return iso_utc(end_s - length_s), changed, state, True


VOLCANO: Final = dialect.Dialect("volcano", worded("list of Volcano's jobs"), sniff_volcano, volcano_rows)


# --- Workloads of Run:ai: what its API says of them, or the table that its window exports --------

_CONDITIONS_AT_MOST: Final = 12

_HEADINGS: Final = {
    "job_id": ("id", "workloadid", "uuid"),
    "name": ("name", "workload", "workloadname"),
    "type": ("type", "workloadtype"),
    "account": ("projectname", "project"),
    "department": ("departmentname", "department"),
    "user": ("submittedby", "createdby"),
    "cluster": ("clustername", "cluster", "clusterid"),
    "queue": ("currentnodepool", "currentnodepools", "nodepool", "nodepools", "requestednodepools"),
    "state": ("phase", "status"),
    "submit": ("createdat", "creationtime", "created"),
    "start": ("startedat", "starttime", "startedtime", "started", "runningsince", "firstrunningat"),
    "running": ("runningtime",),
    "end": ("completedat", "completiontime", "endtime", "finishedat", "finished", "deletedat"),
    "changed": ("phaseupdatedat", "k8sphaseupdatedat"),
    "elapsed": ("totalruntime", "runtime", "totalruntimeseconds", "runningduration"),
    "allocated": phrases(
        "allocatedresourcesgpu|gpucomputeallocation|allocatedgpus|allocatedgpu|gpuallocation"
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
_RUNAI_STATES: Final = {
    **dict.fromkeys(("running", "degraded", "terminating", "stopping", "updating", "resuming"), "RUNNING"),
    **dict.fromkeys(("completed", "succeeded"), "COMPLETED"),
    **dict.fromkeys(("stopped", "deleted", "suspended", "deleting"), "CANCELLED"),
    **dict.fromkeys(("creating", "initializing", "pending", "queued"), "PENDING"),
    "failed": "FAILED",
}
_NOTHING: Final = ("", "-", "0", "0.0", "0.00", "N/A")


def _runai_texts(told: dialect.Told) -> dialect.JobTexts:
    """A workload as texts of a job, by the keys of the API or the headings of the window's table."""
    state = _RUNAI_STATES.get(told.get("state", "").casefold(), told.get("state", ""))
    start, end = _runai_course(told, state)
    return {
        **told,
        "gpus": _gpus(told),
        "start": start,
        "end": end,
        "elapsed": _elapsed(told),
        "state": state,
    }


def _gpus(told: dialect.Told) -> str:
    """What is held where it holds any now, else what was asked for; memory alone is no count of GPUs."""
    for key in ("allocated", "requested"):
        if told.get(key, "") not in _NOTHING:
            return told[key].removesuffix("GPUs").removesuffix("GPU").strip()
    memory = told.get("memory", "")
    return f"of memory alone: {memory}" if memory not in _NOTHING else ""


def _elapsed(told: dialect.Told) -> str:
    """How long it ran; a running time may also be since when."""
    running = told.get("running", "")
    return told.get("elapsed", "") or (running if read_duration(running) is not None else "")


def _started(told: dialect.Told) -> str:
    """When it began to run, as a time of its own or of its conditions; empty where nothing says it."""
    running = told.get("running", "")
    since = running if read_duration(running) is None else ""
    return told.get("start", "") or since or _condition(told, "Running") or _before_end(told)


def _before_end(told: dialect.Told) -> str:
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


def _runai_course(told: dialect.Told, state: str) -> tuple[str, str]:
    """(start, end): it starts when it ran, else when it was created; its end is told, else after its running time."""
    if state == "PENDING":
        return "", ""
    start = _started(told)
    if state == "RUNNING":
        return start or told.get("changed", "") or told.get("submit", ""), told.get("end", "")
    start = start or told.get("submit", "")
    ran_s = read_duration(_elapsed(told))
    return start, told.get("end", "") or _later(start, ran_s) or told.get("changed", "")


def _condition(told: dialect.Told, kind: str) -> str:
    """When a condition was last reached; empty where it is not told."""
    return next(
        (
            told.get(f"condition_time_{n}", "")
            for n in range(_CONDITIONS_AT_MOST)
            if told.get(f"condition_{n}", "") == kind
        ),
        "",
    )


def _is_created(told: dialect.Told) -> bool:
    """Whether a workload with GPUs is counted from its creation, since nothing says when it ran."""
    state = _RUNAI_STATES.get(told.get("state", "").casefold(), "")
    is_told = _started(told) or (state == "RUNNING" and told.get("changed"))
    return state != "PENDING" and not is_told and _gpus(told) != ""


_RUNAI_WORKLOADS: Final = dialect.NamedLog(
    (
        *("job_id", "cluster", "name", "account", "user", "queue", "gpu_model", "gpus", "start", "end"),
        *("elapsed", "state", "submit"),
    ),
    _HEADINGS,
    _runai_texts,
    ("workloads", "data.workloads", "items"),
    ((("allocated", "requested", "memory"), "GPU compute request"), (("submit", "start"), "creation time")),
    worded(
        "export the workloads with project, status, creation and completion time, GPU compute request and allocation"
    ),
    note=worded(
        "nothing says when these workloads began to run: they are counted from their creation, so that waiting counts "
        "as use; export them from the API with their conditions, or the pods with kubectl get pods -A -o json"
    ),
    is_noted=_is_created,
)


def sniff_runai(head: str) -> float:
    """How sure it is that a text begins an export of workloads, 0..1."""
    keys = _RUNAI_WORKLOADS.keys(head)
    is_workload = {"name", "state", "account"} <= keys and bool(keys & {"submit", "start"})
    has_gpus = bool(keys & {"allocated", "requested"})
    has_mark = bool(keys & {"department", "queue", "pods", "running"}) or "workloadRequestedResources" in head
    has_mark = has_mark or {"allocated", "requested"} <= keys
    is_of_the_api = '"projectName"' in head and '"phase"' in head  # may lack GPUs, which are asked for then
    if not is_workload or "type" not in keys:
        return 0.0
    return 0.96 if has_gpus and has_mark else 0.6 if is_of_the_api else 0.0


RUNAI: Final = dialect.Dialect(
    "runai", worded("list of Run:ai workloads"), sniff_runai, _RUNAI_WORKLOADS.rows
)
