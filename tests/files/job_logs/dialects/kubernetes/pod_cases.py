"""Pods, nodes and resources of Kubernetes, and what their functions say of them, as lines of a golden table."""

import random
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from typing import Any, Final

from gpuplanner.files.job_logs.dialects.kubernetes import kubernetes_pods as pods
from tests.files.job_logs.job_tables import call_lines, named
from tests.shown import refusal, shown

Object = Mapping[str, Any]


# --- GPUs of pods --------------------------------------------------------------------------------

REPLICAS: Final = {"nvidia.com/gpu.replicas": "4"}
CLIENTS: Final = {"cloud.google.com/gke-max-shared-clients-per-gpu": "5"}
MEMORY: Final = {"nvidia.com/gpu.memory": "40000"}
SHARED_PRODUCT: Final = {"nvidia.com/gpu.product": "NVIDIA-A10-SHARED"}
SLICE_PRODUCT: Final = {"nvidia.com/gpu.product": "NVIDIA-A100-SXM4-40GB-MIG-2g.10gb"}
PARTITION: Final = {"cloud.google.com/gke-gpu-partition-size": "3g.20gb"}
GPU: Final = "nvidia.com/gpu"
SHARED: Final = "nvidia.com/gpu.shared"

RESOURCES: Final[tuple[tuple[Object, Object], ...]] = (
    *(({name: "3"}, {}) for name in (GPU, "nvidia.com/pgpu", "amd.com/gpu", "gpu.intel.com/i915")),
    *(({name: "3"}, {}) for name in ("gpu.intel.com/xe", "volcano.sh/gpu-number", "aliyun.com/gpu")),
    *(({name: "250"}, {}) for name in pods.PER_CENT),
    *(({name: "8"}, {}) for name in ("cpu", "nvidia.com/gpus", "example.com/gpu", "habana.ai/gaudi")),
    *(({GPU: text}, {}) for text in ("0", "-1", "many", "", " 2 ", "500m", "1k", None, 2, 1.5)),
    ({GPU: "many", "amd.com/gpu": "-2"}, {}),
    ({GPU: "1", "amd.com/gpu": "2"}, {}),
    *(({f"nvidia.com/mig-{slices}g.10gb": "2"}, {}) for slices in (1, 3, 7)),
    ({"nvidia.com/mig-1g.5gb.me": "2"}, {}),
    ({"nvidia.com/mig-3g.20gb": "1"}, REPLICAS),
    *(({"nvidia.com/mig-3g.20gb.shared": "2"}, labels) for labels in ({}, REPLICAS, CLIENTS)),
    *(({SHARED: "2"}, labels) for labels in ({}, REPLICAS, CLIENTS, {**CLIENTS, **REPLICAS})),
    *(
        ({SHARED: "2"}, {"nvidia.com/gpu.replicas": text})
        for text in ("0", "-4", "0.5", "1", "2", "x", "1.5")
    ),
    ({SHARED: "2"}, {"nvidia.com/gpu.replicas": "0", **CLIENTS}),
    *(({GPU: "2"}, labels) for labels in (REPLICAS, CLIENTS, SHARED_PRODUCT, SLICE_PRODUCT, PARTITION)),
    ({GPU: "2"}, {**SHARED_PRODUCT, **REPLICAS}),
    ({GPU: "2"}, {**SLICE_PRODUCT, **PARTITION}),
    ({GPU: "2"}, {**SLICE_PRODUCT, **CLIENTS}),
    ({GPU: "2"}, {"cloud.google.com/gke-gpu-partition-size": "x3g."}),
    *(({GPU: "2", "nvidia.com/gpucores": cores}, {}) for cores in ("0", "1", "25", "100", "101", "x", "-5")),
    *(({GPU: "2", "nvidia.com/gpumem-percentage": part}, {}) for part in ("0", "50", "100", "101")),
    ({GPU: "2", "nvidia.com/gpucores": "25", "nvidia.com/gpumem-percentage": "50"}, {}),
    *(
        ({GPU: "2", "nvidia.com/gpumem": mib}, labels)
        for mib in ("10000", "50000", "0")
        for labels in ({}, MEMORY)
    ),
    *(
        ({GPU: "1", "nvidia.com/gpumem": "10000", "nvidia.com/gpucores": "30"}, labels)
        for labels in ({}, MEMORY)
    ),
    ({GPU: "1", "nvidia.com/gpumem": "10000", "nvidia.com/gpucores": "20"}, MEMORY),
    ({"volcano.sh/vgpu-number": "2"}, {}),
    ({"volcano.sh/vgpu-number": "2", "volcano.sh/vgpu-cores": "50"}, {}),
    ({"volcano.sh/vgpu-number": "2", "volcano.sh/vgpu-memory-percentage": "30"}, {}),
    ({"volcano.sh/vgpu-number": "2", "volcano.sh/vgpu-memory": "10000"}, MEMORY),
    *(
        ({name: amount}, labels)
        for name in pods.BY_MEMORY
        for amount in ("10", "x", "-1")
        for labels in ({}, MEMORY)
    ),
)
"""Resources of a container, and the labels of its node."""


def pod(resources: Object, **spec: Any) -> dict[str, Any]:
    """Return a pod of one container. spec: more of its spec."""
    return {"spec": {"containers": [{"resources": {"limits": resources}}], **spec}}


def resources_text(_: str) -> str:
    """Return the GPUs of a pod with each of these resources on a node with these labels."""
    cases = {
        f"{shown(resources)} {shown(labels) if labels else ''}".rstrip(): (pod(resources), labels)
        for resources, labels in RESOURCES
    }
    return call_lines(lambda case: pods.pod_gpus(*case), cases)


LISTS: Final = (
    {},
    {"nvidia.com/gpu": "8", "cpu": "96"},
    {"nvidia.com/gpu": "8", "amd.com/gpu": "1500m"},
    {"nvidia.com/gpu": "x", "amd.com/gpu": "-1"},
    {"nvidia.com/gpu": "0"},
    {"nvidia.com/gpu.shared": "3"},
    {"nvidia.com/mig-3g.20gb": "2"},
    {"alibabacloud.com/gpu-milli": "1500"},
    {"cpu": "many"},
)
"""Plain lists of resources, such as quotas."""


def _init(gpus: str, *, always: bool = False) -> dict[str, Any]:
    return {"resources": {"limits": {GPU: gpus}}, **({"restartPolicy": "Always"} if always else {})}


_TWO: Final = {GPU: "2"}
_AFFINITY: Final = "requiredDuringSchedulingIgnoredDuringExecution"


def _affine(*rules: Object) -> dict[str, Any]:
    terms = [{"matchExpressions": list(rules)}]
    return pod(_TWO, affinity={"nodeAffinity": {_AFFINITY: {"nodeSelectorTerms": terms}}})


_PRODUCT: Final = {"key": "nvidia.com/gpu.product", "operator": "In", "values": ["NVIDIA-L40S"]}


def _annotated(
    labels: Object | None = None, resources: Object | None = None, **annotations: str
) -> dict[str, Any]:
    """Return a pod with annotations, whose names have `_` for `-`."""
    named_so = {name.replace("_", "-"): text for name, text in annotations.items()}
    return {**pod(resources or {}), "metadata": {"annotations": named_so, "labels": labels or {}}}


_CLAIM: Final = {"name": "c", "resourceClaimTemplateName": "one-gpu"}
PODS: Final[Mapping[str, tuple[Object, Object | None]]] = {
    "empty": ({}, None),
    "two containers": ({"spec": {"containers": [_init("2"), _init("3"), {}, 7]}}, None),
    "request and limit": (
        {"spec": {"containers": [{"resources": {"limits": {GPU: "4"}, "requests": {GPU: "2", "cpu": "1"}}}]}},
        None,
    ),
    **{
        f"init containers {inits}": (
            pod(_TWO, initContainers=[_init(each.rstrip("*"), always="*" in each) for each in inits.split()]),
            None,
        )
        for inits in ("1", "3", "3 2", "1*", "1* 2* 3", "5 1*", "1* 1", "4* 1", "1 1* 4")
    },
    "selector": (pod(_TWO, nodeSelector={"nvidia.com/gpu.product": "NVIDIA-T4", **CLIENTS}), None),
    "selector and node": (
        pod(_TWO, nodeSelector=REPLICAS | SHARED_PRODUCT),
        {"nvidia.com/gpu.product": "T4"},
    ),
    "affinity": (_affine(_PRODUCT), None),
    "affinity to one of two": (_affine({**_PRODUCT, "values": ["A", "B"]}), None),
    "affinity to none": (_affine({**_PRODUCT, "values": []}), None),
    "affinity away": (_affine({**_PRODUCT, "operator": "NotIn"}), None),
    "affinity to no list": (_affine({**_PRODUCT, "values": "A"}), None),
    "two affinities": (_affine(_PRODUCT, {**_PRODUCT, "values": ["NVIDIA-T4"]}), None),
    "type of machine": (pod(_TWO), {"node.kubernetes.io/instance-type": "p5.48xlarge"}),
    "unknown machine": (pod(_TWO), {"node.kubernetes.io/instance-type": "m5.large"}),
    "label before machine": (
        pod(_TWO),
        {
            "beta.kubernetes.io/instance-type": "p5.48xlarge",
            "accelerator": "a100",
            "gpu.nvidia.com/class": "",
        },
    ),
    "model asked for": (
        {**pod(_TWO), "metadata": {"annotations": {"nvidia.com/use-gputype": "A30,A10"}}},
        None,
    ),
    "fraction": (_annotated(gpu_fraction="0.25"), None),
    "fraction of two": (_annotated(gpu_fraction="0.25", gpu_fraction_num_devices="2"), None),
    "fraction beside a GPU": (_annotated(resources=_TWO, gpu_fraction="0.25"), None),
    "fraction of none": (_annotated(gpu_fraction="0"), None),
    "fraction as a label": ({**pod({}), "metadata": {"labels": {"runai/gpu-fraction": "0.5"}}}, None),
    "thousandths": (_annotated({"alibabacloud.com/gpu-milli": "250"}), None),
    "thousandths of two": (
        _annotated({"alibabacloud.com/gpu-milli": "250", "alibabacloud.com/gpu-count": "2"}),
        None,
    ),
    "memory": (_annotated(gpu_memory="10000"), None),
    "memory of a node": (_annotated(gpu_memory="10000"), MEMORY),
    "memory of two": (_annotated(gpu_memory="10000", gpu_fraction_num_devices="2"), MEMORY),
    "more memory than a GPU has": (_annotated(gpu_memory="50000"), MEMORY),
    "memory of two, unknown": (_annotated({"runai/gpu-memory": "1"}, gpu_fraction_num_devices="2"), None),
    "memory asked for and stated": (
        _annotated(resources={"aliyun.com/gpu-mem": "8"}, gpu_memory="100"),
        MEMORY,
    ),
    "a claim": (pod({}, resourceClaims=[_CLAIM]), None),
    "two claims": (pod({}, resourceClaims=[_CLAIM, {"name": "GPU-2"}, {"name": "nic"}]), None),
    "a claim by name": (pod({}, resourceClaims=[{"resourceClaimName": "my-gpu"}]), None),
    "a claim of a network": (pod({}, resourceClaims=[{"name": "nic"}]), None),
    "a claim beside a GPU": (pod(_TWO, resourceClaims=[_CLAIM]), None),
    "two bad amounts": (pod({GPU: "x", "amd.com/gpu": "y"}, nodeSelector={"accelerator": "T4"}), None),
}


def pods_text(_: str) -> str:
    """Return the GPUs of each pod."""
    return call_lines(lambda case: pods.pod_gpus(*case), PODS)


def random_pods_text(_: str) -> str:
    """Return the GPUs of random pods on random nodes."""
    lines = []
    labels = (REPLICAS, CLIENTS, MEMORY, SHARED_PRODUCT, SLICE_PRODUCT, PARTITION, {}, {})
    notes = (
        {"gpu-fraction": "0.3"},
        {"gpu-memory": "9000"},
        {"alibabacloud.com/gpu-milli": "100"},
        {},
        {},
        {},
    )
    for seed in range(60):
        chance = random.Random(f"pod {seed}")
        containers, inits = (
            [
                {
                    "resources": {chance.choice(("limits", "requests")): dict(chance.choice(RESOURCES)[0])},
                    **({"restartPolicy": "Always"} if chance.random() < 0.4 else {}),
                }
                for _ in range(chance.choice(counts))
            ]
            for counts in ((1, 1, 2), (0, 0, 1, 2))
        )
        one = {
            "metadata": {"annotations": chance.choice(notes), "labels": chance.choice(notes)},
            "spec": {
                "containers": containers,
                "initContainers": inits,
                "nodeSelector": chance.choice(labels),
            },
        }
        node = {**chance.choice(labels), **chance.choice(labels)}
        lines.append(f"{seed}: {refusal(partial(pods.pod_gpus, one, node))}")
    return "\n".join(lines)


# --- Numbers, sums, nodes ------------------------------------------------------------------------

QUANTITIES: Final = (
    *(
        "",
        "0",
        "1",
        "-1",
        "+2",
        " 3 ",
        "1.5",
        ".5",
        "1.",
        "x",
        "1e3",
        "1,5",
        "1 k",
        "1kk",
        "1ki",
        "1E",
        "1.5Mi",
    ),
    *(f"2{unit}" for unit in ("m", "k", "K", "M", "G", "T", "Ki", "Mi", "Gi", "Ti")),
    *("9" * 18, "9" * 19, "0.123456789", "0.1234567891"),
)
NUMBERS: Final = (
    *(Fraction(0), Fraction(1), Fraction(-1, 2), Fraction(1, 3), Fraction(100), Fraction(10**12, 7)),
    *(Fraction(1, 10**9), Fraction(4, 10**10), Fraction(6, 10**10)),
)
_ONE_A100: Final = pods.PodGpus("1", "A100")
_HALF: Final = pods.PodGpus("0.5", "", True)
PARTS: Final[Mapping[str, Any]] = {
    "none": [],
    "no GPUs": [(pods.PodGpus(), Fraction(3))],
    "two kinds": [(_ONE_A100, Fraction(3)), (_HALF, Fraction(2))],
    "the second has a model": [
        (_HALF, Fraction(1)),
        (_ONE_A100, Fraction(1)),
        (pods.PodGpus("1", "T4"), Fraction(1)),
    ],
    "none of a kind": [(_ONE_A100, Fraction(0))],
    "unknown count": [(_ONE_A100, None), (_ONE_A100, Fraction(1))],
    "negative count": [(_ONE_A100, Fraction(-1)), (pods.PodGpus("x"), Fraction(1))],
    "a bad amount": [
        (pods.PodGpus("x"), Fraction(1)),
        (pods.PodGpus("y", "T4"), Fraction(1)),
        (_ONE_A100, None),
    ],
    "a negative amount": [(pods.PodGpus("-1"), Fraction(1)), (_ONE_A100, Fraction(2))],
    "half a pod": [(_ONE_A100, Fraction(3, 2))],
    "zero GPUs": [(pods.PodGpus("0"), Fraction(4)), (_ONE_A100, Fraction(1))],
}


def _node(capacity: Object, labels: Object | None = None) -> dict[str, Any]:
    return {"metadata": {"labels": labels or {}}, "status": {"capacity": capacity}}


_COUNTED: Final = {"nvidia.com/gpu.count": "8"}
NODES: Final[Mapping[str, Object]] = {
    "empty": {},
    "no GPUs": _node({"cpu": "8"}, _COUNTED),
    "GPUs": _node({GPU: "8", "cpu": "96"}),
    "GPUs of two vendors": _node({GPU: "8", "amd.com/gpu": "2"}),
    "replicas": _node({GPU: "32"}, {**SHARED_PRODUCT, **REPLICAS}),
    "replicas, counted": _node({GPU: "32"}, {**SHARED_PRODUCT, **REPLICAS, **_COUNTED}),
    "replicas, unknown": _node({SHARED: "32"}),
    "replicas by count": _node({GPU: "32"}, {"aliyun.accelerator/nvidia_count": "4"}),
    "slices": _node({"nvidia.com/mig-1g.10gb": "7", "nvidia.com/mig-3g.40gb": "2"}),
    "slices and whole ones": _node({"nvidia.com/mig-1g.10gb": "7", GPU: "3"}),
    "slices, counted more": _node({"nvidia.com/mig-1g.10gb": "7", GPU: "3"}, _COUNTED),
    "slices, counted less": _node({"nvidia.com/mig-1g.10gb": "70"}, _COUNTED),
    "slices in the product": _node({GPU: "6"}, {**SLICE_PRODUCT, **_COUNTED}),
    "slices by partition": _node({GPU: "4"}, PARTITION),
    "no slices": _node({"nvidia.com/mig-1g.10gb": "0", GPU: "0"}),
    "no slices, counted": _node({"nvidia.com/mig-1g.10gb": "0", GPU: "0"}, _COUNTED),
    "hundredths": _node({"koordinator.sh/gpu": "800"}),
    "memory": _node({"aliyun.com/gpu-mem": "80"}, MEMORY),
    "memory, unknown": _node({"aliyun.com/gpu-mem": "80"}),
    "a bad amount": _node({GPU: "many"}),
    "a negative amount": _node({GPU: "-8"}),
    "a bad amount of others": _node({"cpu": "many", GPU: "1"}),
    "memory, unknown and bad": _node({"aliyun.com/gpu-mem": "many"}),
}
LABELS: Final[Mapping[str, Object]] = {
    "none": {},
    "product": {"nvidia.com/gpu.product": "A100"},
    "accelerator and product": {"accelerator": "x", "nvidia.com/gpu.product": "A100"},
    "empty product": {"nvidia.com/gpu.product": "", "accelerator": "T4"},
    "machine": {"node.kubernetes.io/instance-type": "p4d.24xlarge"},
    "older machine": {"beta.kubernetes.io/instance-type": "p4d.24xlarge"},
    "machine without GPUs": {"node.kubernetes.io/instance-type": "m5.large"},
    "number": {"accelerator": 4},
}
HELD: Final[Mapping[str, Any]] = {
    "GPUs": (_ONE_A100, []),
    "GPUs of unknown share": (_HALF, [], "note"),
    "a note": (_ONE_A100, [], "one", "two"),
    "nothing": (pods.PodGpus(), [], "note"),
    "others": (pods.PodGpus(), [(pod({"habana.ai/gaudi": "2", "cpu": "4"}), Fraction(3))]),
    "others in two kinds": (
        pods.PodGpus(),
        [(pod({"habana.ai/gaudi": "2"}), Fraction(3)), (pod({"habana.ai/gaudi": "1"}), Fraction(1))],
    ),
    "others, count unknown": (pods.PodGpus(), [(pod({"habana.ai/gaudi": "2"}), None)]),
    "others, amount unknown": (
        pods.PodGpus(),
        [(pod({"habana.ai/gaudi": "x", "google.com/tpu": "4"}), Fraction(1))],
    ),
    "no others, unknown": (pods.PodGpus("", "", True), [(pod({"cpu": "1"}), Fraction(1))]),
}

# --- Names, heads, pods as jobs ------------------------------------------------------------------

_SET: Final = {"kind": "ReplicaSet", "name": "chat-6d5f7b9c8d"}
NAMES: Final[Mapping[str, Object]] = {
    "nothing": {},
    "name": {"name": "train-x7k2p"},
    "generated": {"name": "train-x7k2p", "generateName": "train-"},
    "owner": {"name": "p", "ownerReferences": [{"kind": "Job", "name": "train-x7k2p"}]},
    "set": {"name": "p", "ownerReferences": [_SET]},
    "pod": {"name": "p", "ownerReferences": [{"kind": "Pod", "name": "chat-6d5f7b9c8d-x7k2p"}]},
    "pod without a set": {"name": "p", "ownerReferences": [{"kind": "Pod", "name": "chat-x7k2p"}]},
    "controller": {"ownerReferences": [{"kind": "Job", "name": "a"}, {**_SET, "controller": True}]},
    "no controller": {"ownerReferences": [{"kind": "Job", "name": "a", "controller": False}, {**_SET}]},
    "owner without name": {"name": "p", "ownerReferences": [{"kind": "Pod"}]},
}
HASHED: Final = (
    "chat-6d5f7b9c8d",
    "chat-x7k2p",
    "chat-x7k2",
    "chat-x7k2pbcdfgh",
    "chat",
    "-x7k2p",
    "chat-aeiou",
    "a-x7k2p-b",
)
_POD_HEAD: Final = '{"kind": "Pod", "spec": {"containers": []}, "status": {"phase": "Running"}}'
_BARE_HEAD: Final = _POD_HEAD.replace('"kind": "Pod", ', "")
HEADS: Final = {
    "nothing": "",
    "a table": "NAME READY STATUS",
    "a pod": _POD_HEAD,
    "pods": f"[{_POD_HEAD}]",
    "a list": f'{{"kind": "List", "items": [{_POD_HEAD}]}}',
    "an event": f'{{"type": "ADDED", "object": {_POD_HEAD}}}',
    "events": f'[{{"type": "ADDED", "object": {_POD_HEAD}}}]',
    "a pod without kind": _BARE_HEAD,
    "a list without kinds": f'{{"items": [{_BARE_HEAD}]}}',
    "containers alone": '{"spec": {"containers": []}}',
    "a phase alone": '{"status": {"phase": "Running"}}',
    "nodes": '{"kind": "NodeList", "items": []}',
    "a list of nodes": '{"kind": "List", "items": [{"kind": "Node"}]}',
    "a list of others": '{"kind": "List", "items": [{"kind": "Service"}]}',
    "an empty list": '{"kind": "List", "items": []}',
    "an empty list of pods": '{"kind": "PodList", "items": []}',
    "an empty list of others": '{"kind": "ServiceList", "items": []}',
    "no list": '{"kind": "List"}',
    "a node": '{"kind": "Node"}',
}


def condition(kind: str, at: str, status: str = "True", **more: str) -> dict[str, str]:
    """Return a condition of an object."""
    return {"type": kind, "status": status, "lastTransitionTime": at, **more}


def _ended(at: str, **more: str) -> dict[str, Any]:
    return {"state": {"terminated": {"finishedAt": at, **more}}}


_META: Final = {
    "name": "a",
    "namespace": "ml",
    "uid": "u",
    "creationTimestamp": "T0",
    "labels": {"queue": "q2", "runai/queue": "q1", "owner": "ann"},
    "annotations": {"username": "bob", "owner": "cid"},
}
_DISRUPTED: Final = condition("DisruptionTarget", "T7", reason="PreemptionByScheduler")


def _pod(
    metadata: Object | None = None, kind: str = "Pod", node: str = "n1", **status: Any
) -> dict[str, Any]:
    spec = {
        **pod(_TWO)["spec"],
        "nodeName": node,
        "activeDeadlineSeconds": 600,
        "priority": 5,
        "priorityClassName": "high",
    }
    meta = _META if metadata is None else metadata
    return {"kind": kind, "metadata": meta, "spec": spec, "status": status}


JOB_PODS: Final[Mapping[str, Any]] = {
    "text": "x",
    "a number": 5,
    "empty": {},
    "another kind": _pod(kind="Service"),
    "no kind": _pod(kind="", phase="Running", startTime="T1"),
    "running": _pod(phase="Running", startTime="T1"),
    "pending": _pod(phase="Pending", node=""),
    "pending on a node": _pod(phase="Pending", startTime="T1"),
    "scheduled": _pod(
        phase="Running",
        conditions=[condition("Ready", "T1"), condition("PodScheduled", "T2"), condition("x", "T3")],
    ),
    "not scheduled": _pod(phase="Pending", conditions=[condition("PodScheduled", "T2", "False")]),
    "succeeded": _pod(
        phase="Succeeded",
        startTime="T1",
        containerStatuses=[_ended("T4"), _ended("T6"), {"state": {"running": {}}}],
        initContainerStatuses=[_ended("T5")],
    ),
    "its first step ended last": _pod(
        phase="Succeeded",
        startTime="T1",
        containerStatuses=[_ended("T4")],
        initContainerStatuses=[_ended("T5")],
    ),
    "failed": _pod(phase="Failed", startTime="T1", conditions=[condition("x", "T8"), condition("y", "T3")]),
    "failed before it had a node": _pod(phase="Failed", node=""),
    "failed without start": _pod(phase="Failed"),
    "failed with start, without node": _pod(phase="Failed", node="", startTime="T1"),
    "evicted before it had a node": _pod(phase="Failed", node="", reason="Evicted"),
    "timed out without node": _pod(phase="Failed", node="", reason="DeadlineExceeded"),
    "deleted": _pod(
        {**_META, "deletionTimestamp": "T9"},
        phase="Failed",
        startTime="T1",
        conditions=[condition("x", "T8")],
    ),
    "out of memory": _pod(
        phase="Failed", startTime="T1", containerStatuses=[_ended("T4", reason="OOMKilled")]
    ),
    "out of memory and evicted": _pod(
        phase="Failed", startTime="T1", reason="Evicted", containerStatuses=[_ended("T4", reason="OOMKilled")]
    ),
    "failed and disrupted": _pod(phase="Failed", startTime="T1", reason="odd", conditions=[_DISRUPTED]),
    "running and disrupted": _pod(
        {**_META, "deletionTimestamp": "T9"},
        phase="Running",
        startTime="T1",
        conditions=[condition("x", "T8"), _DISRUPTED],
    ),
    "disrupted for an odd reason": _pod(
        phase="Unknown", startTime="T1", conditions=[condition("DisruptionTarget", "T7", reason="odd")]
    ),
    "disrupted for no reason": _pod(
        phase="Running", startTime="T1", conditions=[condition("DisruptionTarget", "T7")]
    ),
    "no longer disrupted": _pod(
        phase="Running",
        startTime="T1",
        conditions=[condition("DisruptionTarget", "T7", "False", reason="Evicted")],
    ),
    "unknown phase": _pod(phase="Unknown", startTime="T1"),
    "odd phase": _pod(phase="Odd", startTime="T1"),
    "without labels": _pod({"name": "a", "uid": "u"}, phase="Running", startTime="T1"),
    "without names": _pod({"namespace": "ml"}, phase="Running", startTime="T1"),
    "only a name": _pod({"name": "a"}, phase="Running", startTime="T1"),
    "a watch event": {"type": "ADDED", "object": _pod(phase="Running", startTime="T1")},
    "an event of text": {"type": "ADDED", "object": "x"},
    "an object beside metadata": {**_pod(phase="Running", startTime="T1"), "object": {"kind": "Node"}},
    "on a known node": _pod(phase="Running", startTime="T1", node="n2"),
}
KNOWN_NODES: Final = {"n2": {"nvidia.com/gpu.product": "NVIDIA-T4-SHARED", **REPLICAS}}

FUNCTIONS: Final[Mapping[str, Callable[[str], str]]] = {
    "resources": resources_text,
    "lists of resources": lambda _: call_lines(pods.count_resources, named(LISTS)),
    "pods": pods_text,
    "random pods": random_pods_text,
    "quantities": lambda _: call_lines(pods.quantity, named(QUANTITIES)),
    "numbers as text": lambda _: call_lines(pods.decimal_text, named(NUMBERS)),
    "GPUs added up": lambda _: call_lines(pods.add_up, PARTS),
    "nodes": lambda _: call_lines(pods.node_gpus, NODES),
    "models by labels": lambda _: call_lines(pods.model_of_labels, LABELS),
    "GPUs as texts": lambda _: call_lines(lambda case: pods.gpu_texts(*case), HELD),
    "names": lambda _: call_lines(pods.workload_name, NAMES),
    "names with letters at the end": lambda _: call_lines(pods.strip_hash, named(HASHED)),
    "heads of pods": lambda _: call_lines(pods.sniff, HEADS),
    "pods as jobs": lambda _: call_lines(lambda value: pods.pod_texts(value, KNOWN_NODES), JOB_PODS),
}
