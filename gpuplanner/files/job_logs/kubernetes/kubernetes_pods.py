"""Pods as `kubectl get pods -A -o json` shows them: lists, single pods, a pod a line, or events of a watch."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import worded, worded_count
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.log.intake import Issue
from gpuplanner.files.job_logs.judging.dialect import Dialect, JobTable
from gpuplanner.files.job_logs.judging.job_texts import IGNORED, NOTED, RAW, JobTexts, Note, table_of_texts
from gpuplanner.files.job_logs.kubernetes.pod_gpus import PodGpus, pod_gpus
from gpuplanner.files.sources.issue_texts import issue_message
from gpuplanner.files.sources.json_objects import json_records, object_at, objects_in, text_of
from gpuplanner.files.sources.json_values import json_paths
from gpuplanner.files.sources.source import Source
from gpuplanner.files.system.engine import Engine

FIELDS: Final = (
    *("job_id", "name", "account", "user", "queue", "gpu_model", "gpus", "nodes", "start", "end", "state"),
    *("hosts", "submit", "time_limit", "priority"),
)

_YAML: Final = re.compile(r"^(?:---\s*\n)?(?:apiVersion: v1\n|kind: (?:List|PodList|Pod)\n)", re.M)
_TABLE: Final = re.compile(r"^(?:NAMESPACE\s+)?NAME\s+READY\s+STATUS\s+RESTARTS\s+AGE\b")
_AS_JSON: Final = worded("export them with kubectl get pods -A -o json")
_HASH: Final = re.compile(r"-[bcdfghjklmnpqrstvwxz2456789]{5,10}$")
"""Kubernetes makes names unique with letters that form no words."""

_QUEUE_LABELS: Final = (
    "kueue.x-k8s.io/queue-name",
    "kai.scheduler/queue",
    "runai/queue",
    "scheduling.volcano.sh/queue-name",
    "volcano.sh/queue-name",
    "yunikorn.apache.org/queue",
    "queue",
)
_USER_LABELS: Final = ("hub.jupyter.org/username", "username", "user", "owner")
_REASON_STATES: Final = {
    "Evicted": "EVICTED",
    "DeadlineExceeded": "TIMEOUT",
    "Preempting": "PREEMPTED",
    "Preempted": "PREEMPTED",
    "PreemptionByScheduler": "PREEMPTED",
    "NodeLost": "NODE_FAIL",
    "NodeShutdown": "NODE_FAIL",
    "Shutdown": "NODE_FAIL",
    "Terminated": "NODE_FAIL",
    "DeletionByTaintManager": "NODE_FAIL",
    "DeletionByPodGC": "NODE_FAIL",
}
_NODE_MARKS: Final = (b'"kind": "Node"', b'"kind":"Node"')
_CHUNK: Final = 2**20


SHARE_UNKNOWN: Final = "share"
SHARE_NOTES: Final = {SHARE_UNKNOWN: Note("unknown_gpu_share", issue_message("unknown_gpu_share"))}
"""Of jobs whose share of a GPU could not be told."""

PREFIXES: Final = ("items.item.", "item.", "")
"""Where the keys of an object are: in kubectl's list, in an array, or at the top."""


def job_of_object(
    value: object, kind: str, texts_of: Callable[[Mapping[str, Any], Mapping[str, Any]], JobTexts]
) -> JobTexts:
    """An object of a kind as a job, by its spec and status; one of another kind is none, and is ignored.

    texts_of: the rest of its texts, from spec and status.
    """
    if not isinstance(value, dict):
        return {RAW: text_of(value)}
    if (found := text_of(value.get("kind"))) not in ("", kind):
        return {RAW: found, IGNORED: "1"}
    metadata, spec, status = (object_at(value, key) for key in ("metadata", "spec", "status"))
    return {
        "job_id": text_of(metadata.get("uid")),
        "name": workload_name(metadata),
        "account": text_of(metadata.get("namespace")),
        "submit": text_of(metadata.get("creationTimestamp")),
        **texts_of(spec, status),
    }


def gpu_texts(gpus: PodGpus, *notes: str) -> JobTexts:
    """The GPUs of a job as texts, and the notes that are to be made of it."""
    named = (*notes, *([SHARE_UNKNOWN] if gpus.is_share_unknown else ()))
    return {"gpu_model": gpus.gpu_model, "gpus": gpus.gpus, NOTED: " ".join(named)}


def sniff(head: str) -> float:
    """How sure it is that a text begins an export of pods, 0..1. YAML and plain tables are known, to be refused."""
    paths = json_paths(head)
    if not paths:
        return 0.9 if _is_yaml(head) or _TABLE.match(head) else 0.0
    for prefix in (*PREFIXES, "item.object.", "object."):
        if paths.get(f"{prefix}kind") == "Pod":
            return 1.0
        if f"{prefix}spec.containers" in paths and f"{prefix}status.phase" in paths:
            return 0.9
    if paths.get("kind") == "NodeList":
        return 0.9
    if paths.get("kind") in ("PodList", "List") and "items.item" not in paths:
        return 0.8 if "items" in paths else 0.0
    return 0.9 if paths.get("items.item.kind") == "Node" and paths.get("kind") == "List" else 0.0


def rows(source: Source, engine: Engine, table: str) -> JobTable:
    """Every pod is a job; other objects among them are ignored, and nodes tell what GPUs they have.

    Errors: PlannerError not_a_job_log for YAML and tables; truncated_file, file_unreadable.
    """
    if not json_paths(source.head):
        what = (
            worded("it is YAML")
            if _is_yaml(source.head)
            else worded("it is a table of pods, without their GPUs")
        )
        raise PlannerError(source.path, "not_a_job_log", what, _AS_JSON)
    nodes = _labels_of_nodes(source)
    pods = 0

    def jobs() -> Iterator[tuple[int, JobTexts]]:
        """Each pod with its record number.

        Nodes in the same file are noted for their size and ignored as jobs.
        """
        nonlocal pods
        for row, value in json_records(source, "items"):
            texts = pod_texts(value, nodes)
            pods += IGNORED not in texts
            yield row, texts

    def finish(done: JobTable) -> JobTable:
        """The table, with an issue if there were nodes and no pods at all."""
        return done if pods or not nodes else replace(done, issues=(_nodes_alone(len(nodes)),))

    return table_of_texts(engine, source, table, FIELDS, jobs(), notes=SHARE_NOTES, finish=finish)


def _nodes_alone(nodes: int) -> Issue:
    """The issue of a listing of nodes without pods, and which command lists both."""
    what = worded_count(
        nodes,
        "it lists {nodes} node and no pods, so no job",
        "it lists {nodes} nodes and no pods, so no job",
        nodes=whole(nodes),
    )
    return Issue(
        "not_a_job_log", 1, None, worded("{what}; export both: kubectl get pods,nodes -A -o json", what=what)
    )


def pod_texts(value: object, nodes: Mapping[str, Mapping[str, Any]] | None = None) -> JobTexts:
    """A pod as the texts of a job. nodes: labels by name of node."""
    pod = _unwrapped(value)
    metadata = object_at(pod, "metadata")

    def texts(spec: Mapping[str, Any], status: Mapping[str, Any]) -> JobTexts:
        """A pod as texts of a job: names from labels and annotations, times and state from its status."""
        node = text_of(spec.get("nodeName"))
        start, state = _start(status), _state(status)
        if not start and not node and state in ("FAILED", "COMPLETED", "EVICTED", "PREEMPTED"):
            state = "CANCELLED"  # it went before it was given a node
        told = {**object_at(metadata, "annotations"), **object_at(metadata, "labels")}
        return {
            "job_id": _pod_id(metadata),
            "user": _first(told, _USER_LABELS),
            "queue": _first(told, _QUEUE_LABELS) or text_of(spec.get("priorityClassName")),
            "nodes": "1" if node else "",
            "start": start,
            "end": "" if state in ("RUNNING", "PENDING") else _end(metadata, status),
            "state": state,
            "hosts": node,
            "time_limit": text_of(spec.get("activeDeadlineSeconds")),
            "priority": text_of(spec.get("priority")),
            **gpu_texts(pod_gpus(object_at(pod), (nodes or {}).get(node))),
        }

    return job_of_object(pod, "Pod", texts)


def _pod_id(metadata: Mapping[str, Any]) -> str:
    """`namespace/name`, by which exporters of activity know a pod; a later pod of that name has another start."""
    namespace, name = text_of(metadata.get("namespace")), text_of(metadata.get("name"))
    return f"{namespace}/{name}" if namespace and name else text_of(metadata.get("uid")) or name


def workload_name(metadata: Mapping[str, Any]) -> str:
    """What made the object, without what makes its name unique: a Deployment's pods all go by its name.

    Fields of Kubernetes: ownerReferences (the controller first), generateName, name.

    >>> workload_name({"generateName": "train-", "name": "train-x7k2p"})
    'train'
    """
    owners = objects_in(metadata, "ownerReferences")
    owner = next((each for each in owners if each.get("controller") is True), owners[0] if owners else {})
    name = text_of(owner.get("name"))
    if name:
        return strip_hash(name) if owner.get("kind") == "ReplicaSet" else name
    return text_of(metadata.get("generateName")).rstrip("-") or text_of(metadata.get("name"))


def strip_hash(name: str) -> str:
    """A name without the letters that Kubernetes ends it with to make it unique.

    >>> strip_hash("vllm-chat-6d5f7b9c8d")
    'vllm-chat'
    """
    return _HASH.sub("", name)


def _unwrapped(value: object) -> object:
    """The object of a watch event, or the value itself."""
    inner = value.get("object") if isinstance(value, dict) and "metadata" not in value else None
    return inner if isinstance(inner, dict) else value


def _start(status: Mapping[str, Any]) -> str:
    """When the pod began: its startTime, else when it was scheduled; empty if it never was."""
    start = text_of(status.get("startTime"))
    if start:
        return start
    for condition in objects_in(status, "conditions"):
        if condition.get("type") == "PodScheduled" and condition.get("status") == "True":
            return text_of(condition.get("lastTransitionTime"))
    return ""


def _terminations(status: Mapping[str, Any]) -> list[dict[str, Any]]:
    """How each container ended, those of initialisation too; running ones are left out."""
    containers = [
        *objects_in(status, "containerStatuses"),
        *objects_in(status, "initContainerStatuses"),
    ]
    return [done for each in containers if (done := object_at(each, "state", "terminated"))]


def _end(metadata: Mapping[str, Any], status: Mapping[str, Any]) -> str:
    """When its last container ended, else when it was deleted, else when its conditions last changed."""
    ends = [text_of(done.get("finishedAt")) for done in _terminations(status)]
    changes = [text_of(each.get("lastTransitionTime")) for each in objects_in(status, "conditions")]
    return max(ends, default="") or text_of(metadata.get("deletionTimestamp")) or max(changes, default="")


def _state(status: Mapping[str, Any]) -> str:
    """The state by phase and reason.

    A disrupted pod by its disruption, one killed for memory as out of memory.
    """
    phase = text_of(status.get("phase"))
    if phase in ("Running", "Unknown"):  # Unknown: its node is out of reach, and the GPUs are held
        return "RUNNING"
    if phase == "Succeeded":
        return "COMPLETED"
    if phase != "Failed":
        return phase.upper()
    disrupted = [
        text_of(each.get("reason"))
        for each in objects_in(status, "conditions")
        if each.get("type") == "DisruptionTarget" and each.get("status") == "True"
    ]
    for reason in (text_of(status.get("reason")), *disrupted):
        if reason in _REASON_STATES:
            return _REASON_STATES[reason]
    is_out_of_memory = any(done.get("reason") == "OOMKilled" for done in _terminations(status))
    return "OUT_OF_MEMORY" if is_out_of_memory else "FAILED"


def _first(texts: Mapping[str, Any], keys: tuple[str, ...]) -> str:
    """The first of these keys that says something."""
    return next((found for key in keys if (found := text_of(texts.get(key)))), "")


def _is_yaml(head: str) -> bool:
    """Whether the file's beginning looks like YAML: it is refused with a hint to ask for JSON."""
    return _YAML.search(head[:2000]) is not None


def _labels_of_nodes(source: Source) -> dict[str, Mapping[str, Any]]:
    """Labels by node, where the export has nodes among its pods (`kubectl get pods,nodes`)."""
    if not _has_nodes(source):
        return {}
    found: dict[str, Mapping[str, Any]] = {}
    for _, value in json_records(source, "items"):
        item = _unwrapped(value)
        if isinstance(item, dict) and item.get("kind") == "Node":
            found[text_of(object_at(item, "metadata").get("name"))] = object_at(item, "metadata", "labels")
    return found


def _has_nodes(source: Source) -> bool:
    """Whether the bytes speak of nodes at all: it saves a second reading of most exports."""
    overlap = max(map(len, _NODE_MARKS))
    with Path(source.at).open("rb") as file:
        last = b""
        while chunk := file.read(_CHUNK):
            if any(mark in last + chunk for mark in _NODE_MARKS):
                return True
            last = chunk[-overlap:]
    return False


DIALECT: Final = Dialect("kubernetes_pods", worded("list of Kubernetes pods"), sniff, rows)
