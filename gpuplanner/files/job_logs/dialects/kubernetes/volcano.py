"""Volcano's jobs, as `kubectl get vcjob -A -o json` shows them: GPUs of their tasks, and when they ran."""

from collections.abc import Mapping
from typing import Any, Final

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.window import iso_utc
from gpuplanner.files.job_logs.dialects.kubernetes.kubernetes_pods import (
    FIELDS,
    PREFIXES,
    SHARE_NOTES,
    add_up,
    gpu_texts,
    job_of_object,
    pod_gpus,
)
from gpuplanner.files.job_logs.dialects.kubernetes.workload_parts import EXPORT_PODS, pods_of
from gpuplanner.files.job_logs.judging import dialect
from gpuplanner.files.sources.json_values import json_paths, json_records, object_at, objects_in, text_of
from gpuplanner.files.sources.source import Source
from gpuplanner.files.system.engine import Engine
from gpuplanner.files.system.resources import plain_table
from gpuplanner.files.values.durations import read_duration
from gpuplanner.files.values.times import utc_seconds

_VOLCANO_STATES: Final = plain_table("volcano_state")

_FROM_CREATION: Final = "creation"
_NOTES: Final = {
    **SHARE_NOTES,
    _FROM_CREATION: dialect.Note(
        "undecided",
        worded(
            "no start times: counted from creation, with waits. Export the pods: {command}",
            command=EXPORT_PODS,
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
    pods = pods_of(objects_in(spec, "tasks"), "replicas")
    gpus, nodes = add_up((pod_gpus(object_at(pod)), count) for pod, count in pods)
    start, end, state, is_from_creation = _volcano_course(status)
    return {
        "queue": text_of(spec.get("queue")),
        "nodes": nodes,
        "start": start,
        "end": end,
        "state": state,
        **gpu_texts(gpus, pods, *([_FROM_CREATION] if is_from_creation else ())),
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
    if state == "PENDING":  # again, where it ran before
        return (began[0], changed, "PREEMPTED", False) if began else ("", "", state, False)
    if state == "RUNNING":
        return began[0] if began else changed, "", state, False
    if began:
        return began[0], changed, state, False
    length_s, end_s = read_duration(text_of(status.get("runningDuration"))), utc_seconds(changed)
    if length_s is None or end_s is None:
        return "", changed, "CANCELLED" if state == "CANCELLED" else state, False
    return iso_utc(end_s - length_s), changed, state, True


VOLCANO: Final = dialect.Dialect(
    format="volcano", title=worded("Volcano jobs"), sniff=sniff_volcano, rows=volcano_rows
)
