"""Pods of Kubernetes: their GPUs by the scheduler's rule, their course by their status."""

import copy
import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.job_logs.dialects.kubernetes.device_claims import Claims
from gpuplanner.files.job_logs.dialects.kubernetes.kubernetes_pods import node_gpus, pod_texts
from gpuplanner.files.job_logs.judging.dialect import IGNORED
from gpuplanner.files.sources.json_values import json_records
from tests.files.job_logs.cluster_damage import check_read_or_refused, damaged_text, often, source_of
from tests.files.job_logs.row_ends import HOUR, Read, codes, counts, fates
from tests.some_of import one_in, some_of


def pod(name: str, resources: Any, phase: str = "Succeeded", **more: Any) -> dict[str, Any]:
    """A pod of one container that ran from 10 to 12 o'clock, unless told."""
    end = {"terminated": {"finishedAt": "2026-01-05T12:00:00Z", "reason": more.get("reason", "Completed")}}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": name,
            "uid": f"uid-{name}",
            "namespace": "ml",
            "labels": more.get("labels", {}),
            "annotations": more.get("annotations", {}),
            **more.get("metadata", {}),
        },
        "spec": {
            "containers": [{"name": "main", "resources": resources}],
            "nodeName": more.get("node", "n1"),
            **more.get("spec", {}),
        },
        "status": {
            "phase": phase,
            "startTime": "2026-01-05T10:00:00Z",
            "containerStatuses": [{"name": "main", "state": {"running": {}} if phase == "Running" else end}],
            **more.get("status", {}),
        },
    }


def listing(*items: dict[str, Any]) -> str:
    return json.dumps({"apiVersion": "v1", "items": list(items), "kind": "List"}, indent=1)


def gpus(count: object = 1, name: str = "nvidia.com/gpu") -> dict[str, Any]:
    return {"limits": {name: str(count)}, "requests": {name: str(count), "cpu": "4"}}


def owned(kind: str, name: str) -> dict[str, Any]:
    return {"ownerReferences": [{"kind": kind, "name": name, "controller": True}]}


H100 = {"nodeSelector": {"nvidia.com/gpu.product": "NVIDIA-H100-80GB-HBM3"}}
CHAT = owned("ReplicaSet", "vllm-chat-6d5f7b9c8d")
NEVER = {"startTime": None, "containerStatuses": []}
PODS = [
    pod("train-0", gpus(8), metadata=owned("Job", "train-1")),
    pod("vllm-chat-6d5f7b9c8d-x7k2p", gpus(2), "Running", metadata=CHAT, spec=H100),
    pod("waits", gpus(1), "Pending", node="", status=NEVER),
    pod("oom", gpus(1), "Failed", reason="OOMKilled"),
    pod("web", {"requests": {"cpu": "1"}}),
    pod("never", gpus(1), "Failed", node="", status=NEVER),
]


def test_the_pods_of_a_list(read_log: Read) -> None:
    read = read_log(listing(*PODS))
    assert fates(read) == ("kubernetes_pods", 6, 4, 0, 0, 2)
    assert codes(read) == counts(never_started=1, no_gpus=1, pending=1, running=1, unknown_gpu_model=2)
    assert read.jobs.milli_gpu_seconds == (8 * 2 + 2 * 2 + 1 * 2) * HOUR
    by_key = {workload.key: workload for workload in read.workloads}
    assert set(by_key) == {"/ml/train", "/ml/vllm-chat", "/ml/oom"}
    assert by_key["/ml/oom"].failed_milli_gpu_seconds == 2 * HOUR
    assert "H100" in read.cube.gpu_models


def test_the_type_of_its_machine_says_the_gpu_model_of_a_pod(read_log: Read) -> None:
    machine = {"node.kubernetes.io/instance-type": "p5.48xlarge"}
    named = {**machine, "nvidia.com/gpu.product": "NVIDIA-A100-SXM4-80GB"}
    pods = [
        pod(name, gpus(1), spec={"nodeSelector": labels}) for name, labels in (("a", machine), ("b", named))
    ]
    assert {"H100"} < {*read_log(listing(*pods)).cube.gpu_models}
    assert read_log(listing(pods[0])).cube.gpu_models == ("H100",)


@pytest.mark.parametrize(
    "text",
    some_of(
        [
            "\n".join(json.dumps(each) for each in PODS),
            json.dumps(PODS),
            "\n".join(json.dumps({"type": "MODIFIED", "object": each}) for each in PODS),
            "\n".join(json.dumps(each, indent=2) for each in PODS),
            listing(*PODS[:3]) + listing(*PODS[3:]),
            "\ufeff" + listing(*PODS),
        ],
        quick=1,
    ),
    ids=["lines", "an array", "a watch", "one after the other", "two lists", "a mark of the encoding"],
)
def test_the_same_in_every_form(read_log: Read, text: str) -> None:
    read = read_log(text)
    assert fates(read) == ("kubernetes_pods", 6, 4, 0, 0, 2)
    assert read.jobs.milli_gpu_seconds == (8 * 2 + 2 * 2 + 1 * 2) * HOUR


@pytest.mark.long
def test_a_later_export_takes_the_place_of_an_earlier_one(read_log: Read) -> None:
    early = copy.deepcopy(PODS[0])
    early["status"] = {"phase": "Running", "startTime": "2026-01-05T10:00:00Z"}
    for texts in ((listing(early), listing(PODS[0])), (listing(PODS[0]), listing(early))):
        read = read_log(*texts)
        assert read.jobs.milli_gpu_seconds == 16 * HOUR
        assert sum(file.rows_duplicate for file in read.intake) == 1


GKE = {
    "cloud.google.com/gke-accelerator": "nvidia-tesla-t4",
    "cloud.google.com/gke-max-shared-clients-per-gpu": "4",
}


@pytest.mark.parametrize(
    ("resources", "more", "expected"),
    [
        (gpus(4), {}, "4"),
        ({"limits": {"nvidia.com/gpu": 3}}, {}, "3"),
        (gpus(2, "amd.com/gpu"), {}, "2"),
        (gpus(1, "gpu.intel.com/i915"), {}, "1"),
        (gpus(2, "nvidia.com/mig-1g.10gb"), {}, "0.285714286"),
        (gpus(1, "nvidia.com/mig-3g.40gb.shared"), {"labels": {}}, "0.428571429"),
        ({"limits": {"cpu": "3"}}, {}, ""),
        ({}, {"annotations": {"gpu-fraction": "0.5"}}, "0.5"),
        ({}, {"annotations": {"gpu-fraction": "0.25", "gpu-fraction-num-devices": "2"}}, "0.5"),
        ({"limits": {"nvidia.com/gpu": "2", "nvidia.com/gpucores": "25"}}, {}, "0.5"),
        ({"limits": {"nvidia.com/gpu": "1", "nvidia.com/gpumem-percentage": "50"}}, {}, "0.5"),
        ({"limits": {"volcano.sh/vgpu-number": "2", "volcano.sh/vgpu-cores": "30"}}, {}, "0.6"),
        (gpus(150, "koordinator.sh/gpu"), {}, "1.5"),
        (gpus(1), {"spec": {"nodeSelector": GKE}}, "0.25"),
        (gpus("many"), {}, "many"),
        (gpus(-1), {}, "-1"),
    ],
)
def test_gpus_by_the_names_of_plugins_and_schedulers(
    resources: Any, more: dict[str, Any], expected: str
) -> None:
    assert pod_texts(pod("p", resources, **more))["gpus"] == expected


@pytest.mark.parametrize(
    ("name", "count", "model"),
    [
        ("nvidia.com/a100", "4", "A100"),
        ("nvidia.com/H100_SXM5_80GB", "4", "H100 SXM"),
        ("nvidia.com/GA102GL_A10", "4", "A10"),
        ("nvidia.com/gpu-l40s", "4", "L40S"),
        ("nvidia.com/a100-mig-1g.5gb", "0.571428571", "A100"),
        ("amd.com/MI300X", "4", "MI300X"),
        ("amd.com/cpx_nps4", "0.5", ""),
        ("gpu.intel.com/max1550", "4", "max1550"),
        ("example.com/h100", "4", "H100"),
        *(
            (name, "", None)
            for name in (
                "nvidia.com/hostdev",
                "nvidia.com/mlnxnics",
                "nvidia.com/bf3_p0",
                "nvidia.com/rdma_shared_device_a",
                "nvidia.com/priority",
                "nvidia.com/gpucores",
                "amd.com/nic",
                "amd.com/xilinx_u30",
                "gpu.intel.com/i915_monitoring",
                "gpu.intel.com/millicores",
                "gpu.intel.com/memory.max",
            )
        ),
    ],
)
def test_a_vendor_s_resource_is_a_gpu_named_after_its_model(name: str, count: str, model: str | None) -> None:
    texts = pod_texts(pod("p", gpus(4, name)))
    assert (texts["gpus"], texts.get("gpu_model")) == (count, model)


def test_a_resource_named_after_a_model_counts_whole_ones_and_wins_over_another_model_of_the_node() -> None:
    assert pod_texts(pod("p", gpus("1500m", "nvidia.com/a100")))["gpus"] == ""
    labels = {"nvidia.com/gpu.product": "NVIDIA-H100-80GB-HBM3"}
    for resource, model in (("nvidia.com/a100", "A100"), ("nvidia.com/h100", "NVIDIA-H100-80GB-HBM3")):
        assert pod_texts(pod("p", gpus(1, resource)), {"n1": labels})["gpu_model"] == model


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("nvidia.com/gpumem", "1"),
        ("tencent.com/vcuda-memory", "1"),
        ("koordinator.sh/gpu-memory-ratio", "0.5"),
    ],
)
def test_memory_of_a_gpu_alone_is_a_gpu_or_the_part_that_is_told(name: str, expected: str) -> None:
    assert pod_texts(pod("p", gpus(50, name)))["gpus"] == expected


def test_containers_run_side_by_side_and_init_containers_before_them() -> None:
    one = {"name": "c", "resources": gpus(1)}
    sidecar = {"name": "s", "restartPolicy": "Always", "resources": gpus(1)}
    big = {"name": "i", "resources": gpus(5)}
    for first, count in (([one], "2"), ([big], "5"), ([sidecar, big], "6"), ([sidecar], "3")):
        both = pod("p", {}, spec={"containers": [one, one], "initContainers": first})
        assert pod_texts(both)["gpus"] == count


def node(name: str, **labels: str) -> dict[str, Any]:
    plain = {f"nvidia.com/gpu.{key}": value for key, value in labels.items()}
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name, "labels": plain}}


def test_nodes_in_the_list_tell_models_shares_and_memory(read_log: Read) -> None:
    items = [
        pod("a", gpus(1, "nvidia.com/gpu.shared"), node="shared"),
        pod("b", gpus(1), node="renamed"),
        pod("c", gpus(1), node="sliced"),
        pod("d", {}, node="shared", annotations={"gpu-memory": "20480"}),
        node("shared", product="NVIDIA-A100-SXM4-40GB", replicas="4", memory="40960"),
        node("renamed", product="Tesla-T4-SHARED", replicas="2"),
        node("sliced", product="NVIDIA-A100-SXM4-40GB-MIG-1g.5gb"),
    ]
    read = read_log(listing(*items))
    assert read.intake[0].rows_ignored == 3
    assert "unknown_gpu_share" not in codes(read)
    assert read.jobs.milli_gpu_seconds == 2 * 3600 * (250 + 500 + 143 + 500)
    assert set(read.cube.gpu_models) == {"A100 40GB", "T4"}


def test_a_share_that_nobody_tells_is_a_whole_gpu_and_said(read_log: Read) -> None:
    shares = [gpus(1, "nvidia.com/gpu.shared"), gpus(4, "aliyun.com/gpu-mem"), gpus(1)]
    read = read_log(listing(*(pod(f"p{n}", share) for n, share in enumerate(shares))))
    issues = {issue.code: (issue.count, issue.first_row) for issue in read.intake[0].issues}
    assert issues["unknown_gpu_share"] == (2, 1)
    assert read.jobs.milli_gpu_seconds == 3 * 2 * HOUR


def test_a_resource_claim_that_is_named_after_a_gpu_is_one_and_said(read_log: Read) -> None:
    names = {"device": "single-gpu", "nic": "rdma"}
    claims = [{"name": name, "resourceClaimTemplateName": of} for name, of in names.items()]
    read = read_log(listing(pod("a", {}, spec={"resourceClaims": claims}), pod("b", {})))
    assert codes(read) == codes(read) | counts(unknown_gpu_share=1, no_gpus=1)
    assert read.jobs.milli_gpu_seconds == 2 * HOUR


def _claim(name: str, count: int, *drivers: str, **spec: Any) -> dict[str, Any]:
    """A claim of so many GPUs, with what it was given: a device by each driver."""
    asked = {"name": "r", "exactly": {"deviceClassName": "gpu.nvidia.com", "count": count}}
    given = [{"request": "r", "driver": driver, "device": f"gpu-{at}"} for at, driver in enumerate(drivers)]
    return {
        "kind": "ResourceClaim",
        "metadata": {"name": name, "namespace": "ml"},
        "spec": {"devices": {"requests": [asked]}, **spec},
        "status": {"allocation": {"devices": {"results": given}}} if given else {},
    }


def _claiming(name: str, claim: str, from_hour: int = 10, to_hour: int = 12) -> dict[str, Any]:
    """A pod with one claim."""
    end = {"state": {"terminated": {"finishedAt": f"2026-01-05T{to_hour:02}:00:00Z"}}}
    status = {"startTime": f"2026-01-05T{from_hour:02}:00:00Z", "containerStatuses": [end]}
    return pod(name, {}, spec={"resourceClaims": [{"name": "c", "resourceClaimName": claim}]}, status=status)


@pytest.mark.parametrize(
    ("claim", "gpu_hours"),
    [
        (_claim("c", 8, *["gpu.nvidia.com"] * 8), 16),
        (_claim("c", 4), 8),
        (_claim("c", 1, "gpu.amd.com", "rdma.nvidia.com"), 2),
        (
            _claim(
                "c", 2, devices={"requests": [{"name": "r", "deviceClassName": "gpu.intel.com", "count": 3}]}
            ),
            6,
        ),
        (_claim("c", 1, devices={"requests": [{"name": "r", "deviceClassName": "dra.net"}]}), 0),
    ],
    ids=["given", "asked for", "beside a network", "in an older version", "a network"],
)
def test_a_claim_counts_its_devices(read_log: Read, claim: dict[str, Any], gpu_hours: int) -> None:
    assert read_log(listing(_claiming("a", "c"), claim)).jobs.milli_gpu_seconds == gpu_hours * HOUR


@pytest.mark.parametrize(
    ("hours", "gpu_hours"),
    [([(10, 12), (10, 12)], 16), ([(8, 10), (10, 12)], 32), ([(8, 10), (9, 11)], 24)],
    ids=["together", "one after the other", "overlapping"],
)
def test_a_claim_of_several_pods_counts_once(
    read_log: Read, hours: list[tuple[int, int]], gpu_hours: int
) -> None:
    pods = [_claiming(f"p{at}", "c", *span) for at, span in enumerate(hours)]
    read = read_log(listing(_claim("c", 8), *pods))
    assert read.jobs.milli_gpu_seconds == pytest.approx(gpu_hours * HOUR, rel=1e-3)


def test_a_claim_made_from_a_template_is_found_by_its_pod() -> None:
    claims = Claims()
    claims.take(_claim("a-c-x7k2p", 2) | {"metadata": {"name": "a-c-x7k2p", "namespace": "ml"}})
    claims.take(
        {"kind": "ResourceClaimTemplate", "metadata": {"name": "t", "namespace": "ml"}, "spec": _claim("", 3)}
    )
    asked = {"resourceClaims": [{"name": "c", "resourceClaimTemplateName": "t"}]}
    made = {"resourceClaimStatuses": [{"name": "c", "resourceClaimName": "a-c-x7k2p"}]}
    assert pod_texts(pod("a", {}, spec=asked, status=made), None, claims)["gpus"] == "2"
    assert pod_texts(pod("b", {}, spec=asked), None, claims)["gpus"] == "3"


@pytest.mark.parametrize(
    "more",
    [
        {"metadata": {"namespace": "kai-resource-reservation"}},
        {"metadata": {"namespace": "runai-reservation"}},
        {"labels": {"app": "runai-reservation"}},
        {"annotations": {"run.ai/reserve_for_gpu_index": "0"}},
    ],
)
def test_a_pod_that_holds_a_card_for_fractions_of_it_is_no_job(more: dict[str, Any]) -> None:
    assert pod_texts(pod("gpu-reservation-n1-x7k2p", gpus(1), **more)).get(IGNORED)


def test_an_evicted_pod_ends_when_its_conditions_changed() -> None:
    ready = {"type": "Ready", "status": "False", "lastTransitionTime": "2026-01-05T11:00:00Z"}
    status = {"reason": "Evicted", "containerStatuses": None, "conditions": [ready]}
    evicted = pod("e", gpus(1), "Failed", status=status)
    texts = pod_texts(evicted)
    assert (texts["state"], texts["end"]) == ("EVICTED", "2026-01-05T11:00:00Z")
    evicted["metadata"]["deletionTimestamp"] = "2026-01-05T10:30:00Z"
    assert pod_texts(evicted)["end"] == "2026-01-05T10:30:00Z"
    assert (texts["job_id"], texts["hosts"]) == ("ml/e", "n1")  # as exporters of activity call it


@pytest.mark.parametrize(
    "text",
    [
        "apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: Pod\n",
        "NAMESPACE   NAME   READY   STATUS    RESTARTS   AGE\nml   a-1   1/1   Running   0   3d\n",
    ],
)
def test_yaml_and_tables_are_refused_with_what_to_do(read_log: Read, text: str) -> None:
    read = read_log(text)
    (fault,) = read.refused
    assert "-o json" in str(fault.what)


def test_a_list_that_is_cut_off_is_said_to_be(read_log: Read) -> None:
    with pytest.raises(PlannerError) as fault:
        read_log(listing(*PODS)[:-200])
    assert fault.value.code == "truncated_file"


@pytest.mark.parametrize("number", one_in(4, ["1e99999999999999999999", "9" * 5000, "-0", "1E400"]))
def test_a_number_that_nobody_can_hold_is_read_or_refused(read_log: Read, number: str) -> None:
    text = listing(*PODS).replace('"cpu": "4"', f'"cpu": {number}')
    check_read_or_refused(lambda: read_log(text).intake[0])
    check_read_or_refused(
        lambda: read_log(f'{{"a": {number}, ' + text.lstrip("{ \n"), format="kubernetes_pods").intake[0]
    )


@pytest.mark.long
def test_a_line_that_is_no_json_is_a_rejected_row(read_log: Read) -> None:
    read = read_log("\n".join([json.dumps(PODS[0]), '{"kind": "Pod", "meta', json.dumps(PODS[3])]))
    assert fates(read) == ("kubernetes_pods", 3, 2, 1, 0, 0)
    assert read.intake[0].rejected[0].row == 2


def test_a_field_of_one_line_that_is_called_like_a_list_takes_no_other_line_away(read_log: Read) -> None:
    odd = {**PODS[3], "items": ["a"]}
    read = read_log("\n".join(map(json.dumps, (PODS[0], odd, PODS[4]))))
    assert fates(read) == ("kubernetes_pods", 3, 3, 0, 0, 0)


@often
@given(st.integers(0, 2**32))
def test_damaged_json_is_records_or_a_reason(tmp_path_factory: pytest.TempPathFactory, seed: int) -> None:
    chance = random.Random(seed)
    text = listing(*PODS) if chance.random() < 0.5 else "\n".join(map(json.dumps, PODS))
    source = source_of(damaged_text(text, chance), tmp_path_factory.getbasetemp())
    if source.head.strip() and source.kind == "text":
        code, rows = "", []
        try:
            rows = [row for row, _ in json_records(source, "items")]
        except PlannerError as fault:
            code = fault.code
        assert code in ("", "truncated_file", "file_unreadable")
        assert rows == sorted(set(rows))


def test_other_accelerators_are_named_with_their_hours_and_are_no_gpus(read_log: Read) -> None:
    others = [gpus(8, "habana.ai/gaudi"), gpus(4, "google.com/tpu"), gpus(8, "habana.ai/gaudi")]
    items = [pod(f"p{n}", held) for n, held in enumerate((*others, gpus(1, "amd.com/gpu"), {}))]
    read = read_log(listing(*items))
    assert codes(read) == counts(other_accelerator=3, no_gpus=1, unknown_gpu_model=1)
    assert read.jobs.milli_gpu_seconds == 2 * HOUR
    message = next(str(one.message) for one in read.intake[0].issues if one.code == "other_accelerator")
    assert "habana.ai/gaudi: 32 device-hours (jobs: 2)" in message
    assert "google.com/tpu: 8 device-hours (jobs: 1)" in message


@pytest.mark.parametrize("name", ["rdma/hca", "hugepages-2Mi", "huawei.com/Ascend910-memory"])
def test_what_is_no_accelerator_is_none(read_log: Read, name: str) -> None:
    assert "other_accelerator" not in codes(read_log(listing(pod("a", gpus(2, name)))))


def test_a_pod_that_is_taken_off_its_node_ends_then_whatever_its_phase() -> None:
    taken = {
        "type": "DisruptionTarget",
        "status": "True",
        "reason": "DeletionByTaintManager",
        "lastTransitionTime": "2026-01-05T10:30:00Z",
    }
    texts = pod_texts(pod("e", gpus(1), "Running", status={"containerStatuses": None, "conditions": [taken]}))
    assert (texts["state"], texts["end"]) == ("NODE_FAIL", "2026-01-05T10:30:00Z")


@pytest.mark.parametrize("kind", ["Job", "JobSet"])
def test_what_made_pods_is_no_job_beside_them(read_log: Read, kind: str) -> None:
    owner = {"apiVersion": "batch/v1", "kind": kind, "metadata": {"name": "j"}, "spec": {}, "status": {}}
    for items in ([owner, pod("a", gpus(2))], [pod("a", gpus(2)), owner]):
        read = read_log(listing(*items))
        assert (read.jobs.milli_gpu_seconds, read.intake[0].rows_ignored) == (2 * 2 * HOUR, 1)


@pytest.mark.parametrize(
    ("capacity", "labels", "gpus"),
    [
        ({"nvidia.com/gpu": "8", "cpu": "96"}, {}, "8"),
        ({"nvidia.com/gpu": "0"}, {}, ""),
        ({"nvidia.com/gpu": "-1"}, {}, "-1"),  # as it is written, for the row to be refused
        ({"nvidia.com/gpu": "many"}, {}, "many"),
        ({"cpu": "-1"}, {}, ""),  # no GPU, whatever it says
        ({"nvidia.com/gpu.shared": "32"}, {"nvidia.com/gpu.replicas": "4"}, "8"),
        ({"nvidia.com/gpu.shared": "32"}, {"nvidia.com/gpu.replicas": "4", "nvidia.com/gpu.count": "8"}, "8"),
        ({"nvidia.com/gpu": "6"}, {"nvidia.com/gpu.count": "8"}, "8"),
        ({"nvidia.com/gpu": "0"}, {"nvidia.com/gpu.count": "8"}, ""),
        ({"nvidia.com/mig-3g.40gb": "4"}, {}, "2"),  # two of 3g to a GPU
        ({"nvidia.com/mig-1g.10gb": "7", "nvidia.com/gpu": "3"}, {}, "4"),
    ],
)
def test_a_node_has_as_many_gpus_however_it_hands_them_out(
    capacity: dict[str, str], labels: dict[str, str], gpus: str
) -> None:
    assert node_gpus({"metadata": {"labels": labels}, "status": {"capacity": capacity}}) == gpus
