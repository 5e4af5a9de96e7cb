"""Pods as `kubectl get pods -A -o json` shows them, and their GPUs: whole, slices and shares."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any, Final, NamedTuple

from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import worded, worded_count
from gpuplanner.domain.model.intake import Issue
from gpuplanner.files.job_logs.dialects.kubernetes import device_claims, gpu_resources
from gpuplanner.files.job_logs.dialects.kubernetes.device_claims import Claims
from gpuplanner.files.job_logs.judging import dialect
from gpuplanner.files.sources.issue_texts import issue_message
from gpuplanner.files.sources.json_values import json_paths, json_records, object_at, objects_in, text_of
from gpuplanner.files.sources.source import Source, holds
from gpuplanner.files.system.engine import Engine
from gpuplanner.files.system.resources import gpu_families, plain_table
from gpuplanner.files.values import gpu_counts, gpu_instances, gpu_names
from gpuplanner.files.values.word_lists import phrases
from gpuplanner.lazy_dataclass import dataclass, field, replace
from gpuplanner.lazy_re import lazy_re

# --- GPUs of a Kubernetes pod: whole ones, slices and shares, as device plugins and schedulers name them

PER_CENT: Final = {
    "koordinator.sh/gpu": 100,
    "koordinator.sh/gpu-core": 100,
    "aliyun.com/gpu-core.percentage": 100,
    "tencent.com/vcuda-core": 100,
    "elasticgpu.io/gpu-percent": 100,
    "alibabacloud.com/gpu-milli": 1000,
}
"""Resources that are parts of a GPU by themselves, and how many of them are one."""

VIRTUAL: Final = {
    "nvidia.com/gpu": ("nvidia.com/gpucores", "nvidia.com/gpumem-percentage", "nvidia.com/gpumem"),
    "volcano.sh/vgpu-number": phrases(
        "volcano.sh/vgpu-cores|volcano.sh/vgpu-memory-percentage|volcano.sh/vgpu-memory"
    ),
}
"""A count of virtual GPUs, and what says how much each is: per cent of cores, per cent of memory, MiB of memory."""

BY_MEMORY: Final = {"aliyun.com/gpu-mem": 1024, "volcano.sh/gpu-memory": 1}
"""Memory of one shared GPU, and how many MiB one of it is."""

_FRACTION_KEYS: Final = ("gpu-fraction", "runai/gpu-fraction")
_FRACTION_COUNT_KEYS: Final = ("gpu-fraction-num-devices", "runai/gpu-fraction-num-devices")
_MEMORY_KEYS: Final = ("gpu-memory", "runai/gpu-memory")

MODEL_LABELS: Final = phrases(
    "nvidia.com/gpu.product|cloud.google.com/gke-accelerator|gpu.nvidia.com/class|gpu.nvidia.com/model"
    "|karpenter.k8s.aws/instance-gpu-name|k8s.amazonaws.com/accelerator|amd.com/gpu.product-name"
    "|beta.amd.com/gpu.product-name|alibabacloud.com/gpu-card-model|aliyun.accelerator/nvidia_name"
    "|accelerator"
)
"""Labels of nodes that name the GPU model, the most exact first."""

_TYPE_LABELS: Final = ("node.kubernetes.io/instance-type", "beta.kubernetes.io/instance-type")
"""Labels of nodes that name the type of machine."""

_GKE_CLIENTS: Final = "cloud.google.com/gke-max-shared-clients-per-gpu"
_GKE_PARTITION: Final = "cloud.google.com/gke-gpu-partition-size"
_REPLICAS: Final = "nvidia.com/gpu.replicas"
_NODE_MEMORY: Final = "nvidia.com/gpu.memory"

_QUANTITY: Final = lazy_re(r"^([+-]?\d{1,18}(?:\.\d{1,9})?)(m|k|K|M|G|T|Ki|Mi|Gi|Ti)?$")
_FACTOR: Final = {
    "": Fraction(1),
    "m": Fraction(1, 1000),
    **{letter: Fraction(1000**power) for power, letter in enumerate("kMGT", 1)},
    "K": Fraction(1000),
    **{f"{letter}i": Fraction(1024**power) for power, letter in enumerate("KMGT", 1)},
}


@dataclass(frozen=True, slots=True)
class PodGpus:
    """gpus: of all containers, as text for the job row; empty without any. is_share_unknown: counted as whole ones."""

    gpus: str = ""
    gpu_model: str = ""
    is_share_unknown: bool = False


def add_up(parts: Iterable[tuple[PodGpus, Fraction | None]]) -> tuple[PodGpus, str]:
    """(GPUs over all pods, how many pods have one): of kinds of pods, each with how many there are of it.

    A count that is unknown or negative makes the whole unreadable, not smaller: its text is what is handed
    on.
    """
    total, pods, is_unknown = Fraction(0), 0, False
    model, bad = "", ""
    for each, count in parts:
        own = quantity(each.gpus) if each.gpus else Fraction(0)
        if count is None or count < 0:
            bad = bad or "a count of pods that cannot be read"
            continue
        if own is None or own < 0:
            bad = bad or each.gpus
            continue
        total += own * count
        pods += int(count) if own else 0
        is_unknown = is_unknown or each.is_share_unknown
        model = model or each.gpu_model
    return PodGpus(bad or decimal_text(total), model, is_unknown), str(pods) if pods else ""


@dataclass(slots=True)
class _Place:
    """Where a pod runs or wants to: the labels of its node, of its selector, and its own annotations.

    models: that names of resources tell; memory_parts: of a card, that resources of memory ask for, 0 where unknown.
    """

    labels: Mapping[str, Any]
    annotations: Mapping[str, Any]
    is_share_unknown: bool = False
    bad: list[str] = field(default_factory=list)
    models: list[str] = field(default_factory=list)
    memory_parts: list[Fraction] = field(default_factory=list)

    def number(self, *keys: str) -> Fraction | None:
        """The first number under one of the keys, in labels or annotations, that is above zero."""
        for key in keys:
            for texts in (self.labels, self.annotations):
                value = quantity(text_of(texts.get(key)))
                if value is not None and value > 0:
                    return value
        return None


def pod_gpus(
    pod: Mapping[str, Any], node_labels: Mapping[str, Any] | None = None, claims: Claims | None = None
) -> PodGpus:
    """GPUs and model of a pod, or of a pod template. node_labels: of the node it runs on, where they are known.

    claims: of devices, as the same export has them.
    Containers run side by side and are added; an init container runs alone before them, so the larger of the two
    counts, as the scheduler counts it. Restartable init containers run beside both.
    """
    spec, metadata = object_at(pod, "spec"), object_at(pod, "metadata")
    wanted = _wanted_labels(spec)
    place = _Place({**wanted, **(node_labels or {})}, object_at(metadata, "annotations"))
    total = _effective(spec, lambda resources: _count(resources, place))
    total = _annotated(total, place, object_at(metadata, "labels"))
    total += _claimed(pod, place, claims or Claims(), is_by_name=not total)
    asked = text_of(place.annotations.get("nvidia.com/use-gputype")).split(",")[0]
    model = _model_told(model_of_labels(place.labels) or asked, place.models)
    if place.bad:
        return PodGpus(place.bad[0], model)
    return PodGpus(decimal_text(total), model, place.is_share_unknown and total > 0)


def _model_told(of_labels: str, of_resources: Sequence[str]) -> str:
    """The model that labels tell, unless resources are named after another: a node may have several models."""
    model = next(iter(of_resources), "")
    read = gpu_families().read
    labeled, named = read(of_labels), read(model)
    are_two = labeled is not None and named is not None and not labeled.family.startswith(named.family)
    return model if are_two or not of_labels else of_labels


def model_of_labels(labels: Mapping[str, Any]) -> str:
    """The GPU model that labels of a node name, or that its type of machine has; empty where neither is known.

    >>> model_of_labels({"node.kubernetes.io/instance-type": "p5.48xlarge"})
    'H100'
    """
    machine = gpu_instances.find_instance(" ".join(text_of(labels.get(key)) for key in _TYPE_LABELS))
    of_machine = "" if machine is None else machine.gpu_model or ""
    return next((text_of(labels[key]) for key in MODEL_LABELS if labels.get(key)), of_machine)


def quantity(text: str) -> Fraction | None:
    """A Kubernetes quantity; None where it is none.

    >>> quantity("500m"), quantity("2"), quantity("2Gi")
    (Fraction(1, 2), Fraction(2, 1), Fraction(2147483648, 1))
    """
    found = _QUANTITY.match(text.strip())
    if found is None:
        return None
    try:
        return Fraction(Decimal(found[1])) * _FACTOR[found[2] or ""]
    except (InvalidOperation, ValueError):
        return None


def decimal_text(number: Fraction) -> str:
    """A number as text of up to nine decimals; empty for zero.

    >>> decimal_text(Fraction(1, 3)), decimal_text(Fraction(2)), decimal_text(Fraction(0))
    ('0.333333333', '2', '')
    """
    if not number:
        return ""
    return f"{Decimal(number.numerator) / Decimal(number.denominator):.9f}".rstrip("0").rstrip(".")


def count_resources(resources: Mapping[str, Any]) -> PodGpus:
    """GPUs of a plain list of resources, such as a quota's.

    >>> count_resources({"nvidia.com/gpu": "8", "cpu": "96"}).gpus
    '8'
    """
    place = _Place({}, {})
    total = _count(resources, place) or _of_memory(place)
    model = next(iter(place.models), "") if total else ""
    return PodGpus(place.bad[0] if place.bad else decimal_text(total), model, place.is_share_unknown)


def node_gpus(node: Mapping[str, Any]) -> str:
    """The GPUs that a node has, as a text, in how many shares or slices it ever hands them out.

    node: with its capacity; labels tell how many there are, into how many parts each goes, or both.
    """
    place = _Place(object_at(node, "metadata", "labels"), object_at(node, "metadata", "annotations"))
    capacity, part = object_at(node, "status", "capacity"), _sevenths(place)
    total, slices = Fraction(0), list[tuple[int, Fraction]]()
    for name, value in capacity.items():
        share, number = _share_of(name, capacity, place), quantity(text_of(value))
        if share is not None and (number is None or number < 0):
            return text_of(value)
        profile = gpu_resources.slice_of(name) if gpu_resources.is_mig(name) else None
        if number and share and (size := int(profile * 7) if profile else part):
            slices.append((size, number * share * 7 / size))
        elif number and share:
            total += number * share
    total += gpu_counts.gpus_of_slices(slices)
    counted = None if part else place.number("nvidia.com/gpu.count", "aliyun.accelerator/nvidia_count")
    if counted and slices:
        return decimal_text(max(total, counted))
    return decimal_text(counted if counted and total else total)


def _sevenths(place: _Place) -> int | None:
    """The sevenths of a GPU that a node hands out as one, by its labels; None where these are whole ones."""
    partition = lazy_re(r"^(\d)g\.").match(text_of(place.labels.get(_GKE_PARTITION)))
    product = text_of(place.labels.get("nvidia.com/gpu.product"))
    return gpu_names.slice_sevenths(product) or (int(partition[1]) if partition else None)


def _effective(spec: Mapping[str, Any], count: Callable[[Mapping[str, Any]], Fraction]) -> Fraction:
    """What a pod holds, by Kubernetes' rule.

    Containers together and sidecars, or one step of initialisation if it needs more.
    """
    beside = alone = Fraction(0)
    for container in objects_in(spec, "initContainers"):
        own = count(_resources(container))
        if container.get("restartPolicy") == "Always":
            beside += own
            alone = max(alone, beside)
        else:
            alone = max(alone, beside + own)
    together = sum((count(_resources(container)) for container in objects_in(spec, "containers")), beside)
    return max(alone, together)


def _claimed(pod: Mapping[str, Any], place: _Place, claims: Claims, *, is_by_name: bool) -> Fraction:
    """Devices by resource claims: as the export tells them, else one each where a name says that it is a GPU.

    is_by_name: what names alone say counts, as the pod has no other GPUs.
    """
    total = Fraction(0)
    for claim in objects_in(pod, "spec", "resourceClaims"):
        if (devices := claims.of_claim(pod, claim)) is not None:
            total += devices.gpus
            place.is_share_unknown = place.is_share_unknown or devices.is_share_unknown
            place.models.extend(filter(None, (devices.gpu_model,)))
            continue
        keys = ("name", "resourceClaimName", "resourceClaimTemplateName")
        if is_by_name and any("gpu" in text_of(claim.get(key)).lower() for key in keys):
            total += 1
            place.is_share_unknown = True
    return total


def _resources(container: Mapping[str, Any]) -> Mapping[str, Any]:
    """Limits and requests of a container, the request where both are stated."""
    resources = object_at(container, "resources")
    return {**object_at(resources, "limits"), **object_at(resources, "requests")}


def _count(resources: Mapping[str, Any], place: _Place) -> Fraction:
    """GPUs of a container over all resource names that stand for any.

    Amounts that cannot be read are kept as bad.
    """
    total = Fraction(0)
    for name, value in resources.items():
        each, number = _share_of(name, resources, place), quantity(text_of(value))
        if each is None:
            if number and number > 0 and gpu_resources.is_memory(name):
                place.memory_parts.append(number / 100 if gpu_resources.is_ratio(name) else Fraction(0))
            continue
        if number is None or number < 0:
            place.bad.append(text_of(value).strip() or "?")
            continue
        if number and (model := gpu_resources.model_of(name)):
            place.models.append(model)
        total += number * each
    return total


def _of_memory(place: _Place) -> Fraction:
    """GPUs of a pod that asks for memory of one alone: the part that is told, else a whole one, which is marked."""
    if not place.memory_parts:
        return Fraction(0)
    part = max(place.memory_parts)
    place.is_share_unknown = place.is_share_unknown or not 0 < part <= 1
    return part if 0 < part <= 1 else Fraction(1)


def _share_of(name: str, resources: Mapping[str, Any], place: _Place) -> Fraction | None:
    """How much of a GPU one of a resource is; None where it is no GPU."""
    if name in PER_CENT:
        return Fraction(1, PER_CENT[name])
    if name in BY_MEMORY:
        return _by_memory(Fraction(BY_MEMORY[name]), place)
    if (part := gpu_resources.slice_of(name)) is not None:
        return part / _replicas(place) if name.endswith(".shared") else part
    if gpu_resources.is_shared(name):
        return 1 / _replicas(place)
    if name in VIRTUAL and (part := _virtual(VIRTUAL[name], resources, place)) is not None:
        return part
    if not gpu_resources.is_whole(name, quantity(text_of(resources[name]))) and name not in VIRTUAL:
        return None
    if gpu_resources.is_virtual(name):
        place.is_share_unknown = True
    return _whole_by_label(place) if gpu_resources.is_plain(name) or name in VIRTUAL else Fraction(1)


def _replicas(place: _Place) -> Fraction:
    """Into how many a shared GPU is handed out, by the labels of its node."""
    replicas = place.number(_REPLICAS, _GKE_CLIENTS)
    if replicas is None or replicas < 1:
        place.is_share_unknown = True
        return Fraction(1)
    return replicas


def _whole_by_label(place: _Place) -> Fraction:
    """What one GPU of a node is where the node hands out slices or shares under the plain name."""
    product = text_of(place.labels.get("nvidia.com/gpu.product"))
    each = Fraction(1)
    if (sevenths := _sevenths(place)) is not None:
        each = Fraction(sevenths, 7)
    if gpu_names.is_shared_name(product) or place.labels.get(_GKE_CLIENTS):
        each /= _replicas(place)
    return each


def _virtual(names: tuple[str, ...], resources: Mapping[str, Any], place: _Place) -> Fraction | None:
    """The larger part of cores or memory that a virtual GPU takes; None where it takes a whole one."""
    cores, memory_share, memory = (quantity(text_of(resources.get(name))) for name in names)
    parts = [share / 100 for share in (cores, memory_share) if share is not None and 0 < share <= 100]
    if memory:
        of_node = place.number(_NODE_MEMORY)
        if of_node is not None:
            parts.append(min(memory / of_node, Fraction(1)))
        elif not parts:
            place.is_share_unknown = True
    return max(parts, default=None)


def _by_memory(mib_each: Fraction, place: _Place) -> Fraction:
    """The share of a card that so many MiB are.

    0 and marked unknown if the node does not say what its cards have.
    """
    of_node = place.number(_NODE_MEMORY)
    if of_node is None:
        place.is_share_unknown = True
        return Fraction(0)  # `_annotated` makes it one GPU
    return mib_each / of_node


def _annotated(total: Fraction, place: _Place, labels: Mapping[str, Any]) -> Fraction:
    """Fractions that schedulers take from annotations or labels of the pod, where no resource tells them."""
    if total:
        return total
    own = _Place({}, {**labels, **place.annotations})
    devices = own.number(*_FRACTION_COUNT_KEYS) or Fraction(1)
    if (fraction := own.number(*_FRACTION_KEYS)) is not None:
        return devices * fraction
    if (milli := own.number("alibabacloud.com/gpu-milli")) is not None:
        return milli / 1000 * (own.number("alibabacloud.com/gpu-count") or Fraction(1))
    if (memory := own.number(*_MEMORY_KEYS)) is not None:
        of_node = place.number(_NODE_MEMORY)
        place.is_share_unknown = of_node is None
        return devices * (min(memory / of_node, Fraction(1)) if of_node is not None else 1)
    return _of_memory(place) or (Fraction(1) if place.is_share_unknown else total)


def _wanted_labels(spec: Mapping[str, Any]) -> dict[str, Any]:
    """Labels that its node must have: of the selector, and of required affinity where one value is left."""
    wanted = dict(object_at(spec, "nodeSelector"))
    required = object_at(spec, "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution")
    for term in objects_in(required, "nodeSelectorTerms"):
        for rule in objects_in(term, "matchExpressions"):
            values = rule.get("values")
            if rule.get("operator") == "In" and isinstance(values, list) and len(values) == 1:
                wanted.setdefault(text_of(rule.get("key")), values[0])
    return wanted


# --- Pods as `kubectl get pods -A -o json` shows them: lists, single pods, a pod a line, or events of a watch

FIELDS: Final = (
    *("job_id", "name", "account", "user", "queue", "gpu_model", "gpus", "nodes", "start", "end", "state"),
    *("hosts", "submit", "time_limit", "priority"),
)

_HASH: Final = lazy_re(r"-[bcdfghjklmnpqrstvwxz2456789]{5,10}$")
_HASHES: Final = lazy_re(r"-[bcdfghjklmnpqrstvwxz2456789]{8,10}-[bcdfghjklmnpqrstvwxz2456789]{5}$")
"""Of a Deployment's pod: its ReplicaSet's, then its own."""
"""Kubernetes makes names unique with letters that form no words."""

_QUEUE_LABELS: Final = phrases(
    "kueue.x-k8s.io/queue-name|kai.scheduler/queue|runai/queue|scheduling.volcano.sh/queue-name"
    "|volcano.sh/queue-name|yunikorn.apache.org/queue|queue"
)
_USER_LABELS: Final = ("hub.jupyter.org/username", "username", "user", "owner")
_REASON_STATES: Final = plain_table("pod_reason")
_BESIDE: Final = ("Node", *device_claims.KINDS)
"""Kinds of objects that tell of the GPUs of pods in the same export."""

_MARKS: Final = tuple(f'"kind":{blank}"{kind}"'.encode() for kind in _BESIDE for blank in ("", " "))
_RESERVATION: Final = lazy_re(r"(?i)^(?:runai|kai)[\w-]*-reservation$")
_RESERVES: Final = ("run.ai/reserve_for_gpu_index", "runai-gpu-index")
"""Annotations of pods that hold a card for pods with fractions of it."""

SHARE_UNKNOWN: Final = "share"
SHARE_NOTES: Final = {SHARE_UNKNOWN: dialect.Note("unknown_gpu_share", issue_message("unknown_gpu_share"))}
"""Of jobs whose share of a GPU could not be told."""

PREFIXES: Final = ("items.item.", "item.", "")
"""Where the keys of an object are: in kubectl's list, in an array, or at the top."""


def job_of_object(
    value: object, kind: str, texts_of: Callable[[Mapping[str, Any], Mapping[str, Any]], dialect.JobTexts]
) -> dialect.JobTexts:
    """An object of a kind as a job, by its spec and status; one of another kind is none, and is ignored.

    texts_of: the rest of its texts, from spec and status.
    """
    if not isinstance(value, dict):
        return {dialect.RAW: text_of(value)}
    if (found := text_of(value.get("kind"))) not in ("", kind):
        return {dialect.RAW: found, dialect.IGNORED: "1"}
    metadata, spec, status = (object_at(value, key) for key in ("metadata", "spec", "status"))
    return {
        "job_id": text_of(metadata.get("uid")),
        "name": workload_name(metadata),
        "account": text_of(metadata.get("namespace")),
        "submit": text_of(metadata.get("creationTimestamp")),
        **texts_of(spec, status),
    }


def gpu_texts(gpus: PodGpus, pods: Iterable[tuple[object, Fraction | None]], *notes: str) -> dialect.JobTexts:
    """The GPUs of a job as texts, or what it has in their place, and the notes that are to be made of it.

    pods: its kinds of pods, each with how many there are of it.
    """
    named = (*notes, *([SHARE_UNKNOWN] if gpus.is_share_unknown else ()))
    if gpus.gpus:
        return {"gpu_model": gpus.gpu_model, "gpus": gpus.gpus, dialect.NOTED: " ".join(named)}
    held = defaultdict[str, Fraction](Fraction)
    for pod, count in pods:
        for container in objects_in(object_at(pod, "spec"), "containers"):
            for name, value in _resources(container).items():
                held[name] += (quantity(text_of(value)) or 0) * (count or 0)
    others = filter(None, (gpu_counts.other_devices(name, number) for name, number in sorted(held.items())))
    return {"gpus": next(others, ""), dialect.NOTED: " ".join(named)}


def sniff(head: str) -> float:
    """How sure it is that a text begins an export of pods, 0..1."""
    paths = json_paths(head)
    for prefix in (*PREFIXES, "item.object.", "object."):
        if paths.get(f"{prefix}kind") == "Pod":
            return 1.0
        if f"{prefix}spec.containers" in paths and f"{prefix}status.phase" in paths:
            return 0.9
    kind = paths.get("kind")
    if kind == "NodeList" or (kind == "List" and paths.get("items.item.kind") in _BESIDE):
        return 0.9
    return 0.8 if kind in ("PodList", "List") and "items.item" not in paths and "items" in paths else 0.0


def rows(source: Source, engine: Engine, table: str) -> dialect.JobTable:
    """Every pod is a job; other objects among them are ignored, and nodes tell what GPUs they have.

    Errors: PlannerError truncated_file, file_unreadable.
    """
    beside = _beside(source)
    pods = 0

    def jobs() -> Iterator[tuple[int, dialect.JobTexts]]:
        """Each pod with its record number.

        Nodes in the same file are noted for their size and ignored as jobs.
        """
        nonlocal pods
        for row, value in json_records(source, "items"):
            texts = pod_texts(value, beside.nodes, beside.claims)
            pods += dialect.IGNORED not in texts
            yield row, texts

    def finish(done: dialect.JobTable) -> dialect.JobTable:
        """The table, with an issue if there were nodes and no pods at all."""
        nodes = len(beside.nodes)
        return done if pods or not nodes else replace(done, issues=(_nodes_alone(nodes),))

    return dialect.table_of_texts(engine, source, table, FIELDS, jobs(), notes=SHARE_NOTES, finish=finish)


def _nodes_alone(nodes: int) -> Issue:
    """The issue of a listing of nodes without pods, and which command lists both."""
    what = worded_count(
        nodes,
        "{nodes} node without pods, so no jobs",
        "{nodes} nodes without pods, so no jobs",
        nodes=whole(nodes),
    )
    return Issue(
        "not_a_job_log", 1, None, worded("{what}; export both: kubectl get pods,nodes -A -o json", what=what)
    )


def pod_texts(
    value: object, nodes: Mapping[str, Mapping[str, Any]] | None = None, claims: Claims | None = None
) -> dialect.JobTexts:
    """A pod as the texts of a job. nodes: labels by name of node; claims: of devices, in the same export."""
    pod = _unwrapped(value)
    metadata = object_at(pod, "metadata")
    if _is_reservation(metadata):
        return {"name": workload_name(metadata), dialect.IGNORED: "1"}

    def texts(spec: Mapping[str, Any], status: Mapping[str, Any]) -> dialect.JobTexts:
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
            **gpu_texts(pod_gpus(object_at(pod), (nodes or {}).get(node), claims), [(pod, Fraction(1))]),
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
    >>> workload_name({"ownerReferences": [{"kind": "Pod", "name": "chat-prod-5d9c7bf6d4-x7k2p"}]})
    'chat-prod'
    """
    owners = objects_in(metadata, "ownerReferences")
    owner = next((each for each in owners if each.get("controller") is True), owners[0] if owners else {})
    name = text_of(owner.get("name"))
    if name and owner.get("kind") == "Pod":  # as Kueue queues a pod by itself
        return _HASHES.sub("", name)
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
    containers = [*objects_in(status, "containerStatuses"), *objects_in(status, "initContainerStatuses")]
    return [done for each in containers if (done := object_at(each, "state", "terminated"))]


def _end(metadata: Mapping[str, Any], status: Mapping[str, Any]) -> str:
    """When its last container ended, else when it was deleted, else when its conditions last changed."""
    ends = [text_of(done.get("finishedAt")) for done in _terminations(status)]
    changes = [text_of(each.get("lastTransitionTime")) for each in objects_in(status, "conditions")]
    evicted = _disruption(status).since if status.get("phase") in ("Running", "Unknown") else ""
    deleted = text_of(metadata.get("deletionTimestamp"))
    return max(ends, default="") or evicted or deleted or max(changes, default="")


class _Disruption(NamedTuple):
    """Why and since when a pod is taken off its node; both empty where it is not."""

    reason: str
    since: str


def _disruption(status: Mapping[str, Any]) -> _Disruption:
    """Why a pod is taken off its node, whatever its phase still is."""
    for each in objects_in(status, "conditions"):
        if each.get("type") == "DisruptionTarget" and each.get("status") == "True":
            reason, since = text_of(each.get("reason")), text_of(each.get("lastTransitionTime"))
            return _Disruption(reason=reason or "Evicted", since=since)
    return _Disruption(reason="", since="")


def _state(status: Mapping[str, Any]) -> str:
    """The state by phase and reason.

    A disrupted pod by its disruption, one killed for memory as out of memory.
    """
    phase = text_of(status.get("phase"))
    if phase in ("Running", "Unknown"):  # Unknown: its node is out of reach, and the GPUs are held
        reason = _disruption(status).reason
        return _REASON_STATES.get(reason, "PREEMPTED" if reason else "RUNNING")
    if phase == "Succeeded":
        return "COMPLETED"
    if phase != "Failed":
        return phase.upper()
    for reason in (text_of(status.get("reason")), _disruption(status).reason):
        if reason in _REASON_STATES:
            return _REASON_STATES[reason]
    is_out_of_memory = any(done.get("reason") == "OOMKilled" for done in _terminations(status))
    return "OUT_OF_MEMORY" if is_out_of_memory else "FAILED"


def _first(texts: Mapping[str, Any], keys: tuple[str, ...]) -> str:
    """The first of these keys that says something."""
    return next((found for key in keys if (found := text_of(texts.get(key)))), "")


def is_reservation_namespace(name: str) -> bool:
    """Whether a namespace has pods that hold cards for pods with fractions of them, as KAI and Run:ai make them.

    >>> is_reservation_namespace("kai-resource-reservation"), is_reservation_namespace("ml")
    (True, False)
    """
    return _RESERVATION.match(name) is not None


def _is_reservation(metadata: Mapping[str, Any]) -> bool:
    """Whether a pod holds a card for others, whose fractions of it count."""
    names = (metadata.get("namespace"), object_at(metadata, "labels").get("app"))
    reserves = object_at(metadata, "annotations")
    return any(is_reservation_namespace(text_of(name)) for name in names) or any(
        key in reserves for key in _RESERVES
    )


class _Beside(NamedTuple):
    """What an export tells besides its pods: labels by node, and claims of devices."""

    nodes: dict[str, Mapping[str, Any]]
    claims: Claims


def _beside(source: Source) -> _Beside:
    """Labels by node and claims, where the export has nodes or claims among its pods (`kubectl get pods,nodes`)."""
    beside = _Beside(nodes={}, claims=Claims())
    if not holds(source, _MARKS):
        return beside
    later = list[Mapping[str, Any]]()
    for item in _objects(source):
        kind = item.get("kind")
        if kind == "Node":
            name = text_of(object_at(item, "metadata").get("name"))
            beside.nodes[name] = object_at(item, "metadata", "labels")
        elif kind == device_claims.CLAIM:
            later.append(item)
        elif kind in device_claims.KINDS:
            beside.claims.take(item)
    for item in later:
        beside.claims.take(item)
    if later:
        beside.claims.share(_spans_of_claims(source, beside.claims))
    return beside


def _spans_of_claims(source: Source, claims: Claims) -> dict[device_claims.Name, list[tuple[str, str]]]:
    """Starts and ends of the pods that ran, by claim that they have."""
    spans = defaultdict[device_claims.Name, list[tuple[str, str]]](list)
    for pod in _objects(source):
        status = object_at(pod, "status")
        if not (start := _start(status)):
            continue
        end = "" if _state(status) == "RUNNING" else _end(object_at(pod, "metadata"), status)
        for claim in objects_in(pod, "spec", "resourceClaims"):
            spans[claims.name_of(pod, claim)].append((start, end))
    return spans


def _objects(source: Source) -> Iterator[Mapping[str, Any]]:
    """Every object of an export, without the envelope of a watch."""
    for _, value in json_records(source, "items"):
        item = _unwrapped(value)
        if isinstance(item, dict):
            yield item


DIALECT: Final = dialect.Dialect(
    format="kubernetes_pods", title=worded("Kubernetes pods"), sniff=sniff, rows=rows
)
