"""Kueue's workloads, as `kubectl get workloads -A -o json` shows them: what was admitted, from when to when."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, Final

from gpuplanner.domain.message import worded
from gpuplanner.files.job_logs.dialects.kubernetes.kubernetes_pods import (
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
from gpuplanner.files.job_logs.dialects.kubernetes.workload_parts import EXPORT_PODS, later_by, pods_of
from gpuplanner.files.job_logs.judging import dialect
from gpuplanner.files.sources.json_values import json_paths, json_records, object_at, objects_in, text_of
from gpuplanner.files.sources.source import Source
from gpuplanner.files.system.engine import Engine
from gpuplanner.files.values.gpu_names import name_begun_with

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
    runs = (texts for _, value in json_records(source, "items") for texts in _kueue_runs(value))
    return dialect.table_of_texts(engine, source, table, FIELDS, enumerate(runs, 1), notes=_KUEUE_NOTES)


_EVICTED: Final = "evicted"
_KUEUE_NOTES: Final = {
    **SHARE_NOTES,
    _EVICTED: dialect.Note(
        "undecided",
        worded(
            "evicted workloads: only the last run counts. Export the pods too: {command}", command=EXPORT_PODS
        ),
    ),
}


def _kueue_runs(value: object) -> Iterator[dialect.JobTexts]:
    """A workload as its last run, after the one that it was evicted from where its length is told; else it is noted."""
    texts, status = workload_texts(value), object_at(value, "status")
    at = {
        text_of(each.get("type")): text_of(each.get("lastTransitionTime"))
        for each in objects_in(status, "conditions")
    }
    ended = max((at[kind] for kind in ("Evicted", "Preempted") if kind in at), default="")
    ran = status.get("accumulatedPastExexcutionTimeSeconds") or status.get(
        "accumulatedPastExecutionTimeSeconds"
    )
    began = later_by(ended, -int(ran)) if isinstance(ran, int) else ""
    is_again = bool(texts.get("gpus") and ended and ended < texts.get("start", ""))
    if is_again and began:
        yield {**texts, "start": began, "end": ended, "state": "PREEMPTED", dialect.NOTED: ""}
    yield {**texts, dialect.NOTED: f"{texts.get(dialect.NOTED, '')} {_EVICTED * (is_again and not began)}"}


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
        **gpu_texts(gpus, pods_of(objects_in(spec, "podSets"), "count")),
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
            count = quantity(text_of(admitted.get("count", pod_set.get("count", 1))))
            yield _each(pod_set, admitted, count or Fraction(0)), count

    return add_up(parts())


def _each(pod_set: Mapping[str, Any], admitted: Mapping[str, Any], count: Fraction) -> PodGpus:
    """GPUs of one pod of a set: what was admitted is of all of them."""
    template = pod_gpus(object_at(pod_set, "template"))
    usage = object_at(admitted, "resourceUsage")
    given = count_resources(usage) if usage else template
    own = quantity(given.gpus) if given.gpus else Fraction(0)
    if own is None or own < 0:
        return given
    model = (
        template.gpu_model or given.gpu_model or _model_of_flavor(object_at(admitted, "flavors"), bool(own))
    )
    each = own / count if usage and count else own
    return PodGpus(decimal_text(each), model, given.is_share_unknown)


def _model_of_flavor(flavors: Mapping[str, Any], has_gpus: bool) -> str:
    """The GPU model that the flavour of the GPUs is named after, where it begins with one."""
    for resource, flavor in flavors.items():
        if has_gpus and count_resources({resource: "1"}).gpus:
            return name_begun_with(text_of(flavor))
    return ""


def _kueue_course(status: Mapping[str, Any]) -> tuple[str, str, str]:
    """(start, end, state): from its admission to its end, or to when it was evicted after that, whatever else is still
    true of it; one that was put back into the queue is pending.
    """
    changed: dict[str, Mapping[str, Any]] = {
        text_of(each.get("type")): each for each in objects_in(status, "conditions")
    }

    def since(kind: str) -> str:
        """Since when a condition has been true; empty if it is not."""
        condition = changed.get(kind, {})
        return text_of(condition.get("lastTransitionTime")) if condition.get("status") == "True" else ""

    start = since("Admitted") or since("QuotaReserved")
    end = since("Finished")
    evicted = sorted(at for at in map(since, ("Evicted", "Preempted")) if at and at >= start)
    if start and evicted and (not end or evicted[0] < end):
        return start, evicted[0], "PREEMPTED"
    if end:
        finished = changed["Finished"]
        said = f"{text_of(finished.get('reason'))} {text_of(finished.get('message'))}".lower()
        is_failed = any(word in said for word in _FAILED_WORDS)
        if not start:
            return start, end, "CANCELLED"
        return start, end, "FAILED" if is_failed else "COMPLETED"
    return start, "", "RUNNING" if start else "PENDING"


KUEUE: Final = dialect.Dialect(
    format="kueue", title=worded("Kueue workloads"), sniff=sniff_kueue, rows=kueue_rows
)
