"""Volcano's jobs, as `kubectl get vcjob -A -o json` shows them: GPUs of their tasks, and when they ran."""

from collections.abc import Mapping
from typing import Any, Final

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.window import iso_utc
from gpuplanner.files.job_logs.judging.dialect import Dialect, JobTable
from gpuplanner.files.job_logs.judging.job_texts import JobTexts, Note, table_of_texts
from gpuplanner.files.job_logs.kubernetes.kubernetes_pods import (
    FIELDS,
    PREFIXES,
    SHARE_NOTES,
    gpu_texts,
    job_of_object,
)
from gpuplanner.files.job_logs.kubernetes.pod_gpus import add_up, pod_gpus, quantity
from gpuplanner.files.sources.json_objects import json_records, object_at, objects_in, text_of
from gpuplanner.files.sources.json_values import json_paths
from gpuplanner.files.sources.source import Source
from gpuplanner.files.system.engine import Engine
from gpuplanner.files.values.durations import read_duration
from gpuplanner.files.values.times import utc_seconds

_STATES: Final = {
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
    _FROM_CREATION: Note(
        "undecided",
        worded(
            "nothing says when these jobs began to run: their duration counts from their creation, so that waiting "
            "counts as use; export the pods with kubectl get pods -A -o json where that is long"
        ),
    ),
}


def sniff(head: str) -> float:
    """How sure it is that a text begins a list of Volcano's jobs, 0..1."""
    paths = json_paths(head)
    for prefix in PREFIXES:
        if (paths.get(f"{prefix}apiVersion") or "").startswith("batch.volcano.sh/"):
            return 1.0 if paths.get(f"{prefix}kind") in ("Job", None) else 0.0
    return 0.0


def rows(source: Source, engine: Engine, table: str) -> JobTable:
    """Every job. Errors: PlannerError truncated_file, file_unreadable."""
    jobs = ((row, job_of_object(value, "Job", _texts)) for row, value in json_records(source, "items"))
    return table_of_texts(engine, source, table, FIELDS, jobs, notes=_NOTES)


def _texts(spec: Mapping[str, Any], status: Mapping[str, Any]) -> JobTexts:
    """A job as texts, GPUs and nodes added up over its tasks; noted where its start is that of its creation."""
    gpus, nodes = add_up(
        (pod_gpus(object_at(task, "template")), quantity(text_of(task.get("replicas", 1))))
        for task in objects_in(spec, "tasks")
    )
    start, end, state, is_from_creation = _course(status)
    return {
        "queue": text_of(spec.get("queue")),
        "nodes": nodes,
        "start": start,
        "end": end,
        "state": state,
        **gpu_texts(gpus, *([_FROM_CREATION] if is_from_creation else ())),
    }


def _course(status: Mapping[str, Any]) -> tuple[str, str, str, bool]:
    """(start, end, state, whether the start is its creation): older versions keep only the last change."""
    now = object_at(status, "state")
    phase, changed = text_of(now.get("phase")), text_of(now.get("lastTransitionTime"))
    state = _STATES.get(phase, phase)
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


DIALECT: Final = Dialect("volcano", worded("list of Volcano's jobs"), sniff, rows)
