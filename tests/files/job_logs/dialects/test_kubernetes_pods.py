"""Pods of Kubernetes: their GPUs by the scheduler's rule, their course by their status."""

import copy
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.importing.intake import ReadResult
from gpuplanner.files.job_logs.dialects.kubernetes_pods import pod_texts, sniff
from gpuplanner.files.sources.json_values import json_records
from tests.files.job_logs.cluster_damage import (
    check_read_or_refused,
    check_texts,
    damaged_text,
    damaged_value,
    source_of,
)
from tests.some_of import examples, one_in, some_of

Read = Callable[..., ReadResult]
HOUR = 3_600_000


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


PODS = [
    pod(
        "train-0",
        gpus(8),
        metadata={"ownerReferences": [{"kind": "Job", "name": "train-1", "controller": True}]},
    ),
    pod(
        "vllm-chat-6d5f7b9c8d-x7k2p",
        gpus(2),
        "Running",
        metadata={
            "ownerReferences": [{"kind": "ReplicaSet", "name": "vllm-chat-6d5f7b9c8d", "controller": True}]
        },
        spec={"nodeSelector": {"nvidia.com/gpu.product": "NVIDIA-H100-80GB-HBM3"}},
    ),
    pod("waits", gpus(1), "Pending", node="", status={"startTime": None, "containerStatuses": []}),
    pod("oom", gpus(1), "Failed", reason="OOMKilled"),
    pod("web", {"requests": {"cpu": "1"}}),
    pod("never", gpus(1), "Failed", node="", status={"startTime": None, "containerStatuses": []}),
]


def test_the_pods_of_a_list(read_log: Read) -> None:
    read = read_log(listing(*PODS))
    (file,) = read.intake
    assert file.format == "kubernetes_pods"
    fates = (file.rows_read, file.rows_accepted, file.rows_rejected, file.rows_duplicate, file.rows_ignored)
    assert fates == (6, 4, 0, 0, 2)
    codes = {issue.code: issue.count for issue in file.issues}
    assert codes == {"never_started": 1, "no_gpus": 1, "pending": 1, "running": 1, "unknown_gpu_model": 2}
    assert read.jobs.milli_gpu_seconds == (8 * 2 + 2 * 2 + 1 * 2) * HOUR
    by_key = {workload.key: workload for workload in read.workloads}
    assert set(by_key) == {"/ml/train", "/ml/vllm-chat", "/ml/oom"}
    assert by_key["/ml/oom"].failed_milli_gpu_seconds == 2 * HOUR
    assert read.cube is not None
    assert "H100" in read.cube.gpu_models


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
    read, expected = read_log(text), read_log(listing(*PODS)).jobs.milli_gpu_seconds
    assert (read.intake[0].format, read.jobs.milli_gpu_seconds) == ("kubernetes_pods", expected)
    assert read.intake[0].rows_read == len(PODS)


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
    texts = pod_texts(pod("p", resources, **more))
    assert texts["gpus"] == expected


def test_containers_run_side_by_side_and_init_containers_before_them() -> None:
    one = {"name": "c", "resources": gpus(1)}
    sidecar = {"name": "s", "restartPolicy": "Always", "resources": gpus(1)}
    big = {"name": "i", "resources": gpus(5)}
    both = pod("p", {}, spec={"containers": [one, one], "initContainers": [one]})
    assert pod_texts(both)["gpus"] == "2"
    before = pod("p", {}, spec={"containers": [one, one], "initContainers": [big]})
    assert pod_texts(before)["gpus"] == "5"
    beside = pod("p", {}, spec={"containers": [one, one], "initContainers": [sidecar, big]})
    assert pod_texts(beside)["gpus"] == "6"
    alone = pod("p", {}, spec={"containers": [one, one], "initContainers": [sidecar]})
    assert pod_texts(alone)["gpus"] == "3"


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
    assert "unknown_gpu_share" not in {issue.code for issue in read.intake[0].issues}
    assert read.jobs.milli_gpu_seconds == 2 * 3600 * (250 + 500 + 143 + 500)
    assert read.cube is not None
    assert set(read.cube.gpu_models) == {"A100 40GB", "T4"}


def test_a_share_that_nobody_tells_is_a_whole_gpu_and_said(read_log: Read) -> None:
    read = read_log(
        listing(
            pod("a", gpus(1, "nvidia.com/gpu.shared")),
            pod("b", gpus(4, "aliyun.com/gpu-mem")),
            pod("c", gpus(1)),
        )
    )
    issues = {issue.code: (issue.count, issue.first_row) for issue in read.intake[0].issues}
    assert issues["unknown_gpu_share"] == (2, 1)
    assert read.jobs.milli_gpu_seconds == 3 * 2 * HOUR


def test_a_resource_claim_that_is_named_after_a_gpu_is_one_and_said(read_log: Read) -> None:
    claimed = pod("a", {})
    claimed["spec"]["resourceClaims"] = [
        {"name": "device", "resourceClaimTemplateName": "single-gpu"},
        {"name": "nic", "resourceClaimTemplateName": "rdma"},
    ]
    read = read_log(listing(claimed, pod("b", {})))
    issues = {issue.code: issue.count for issue in read.intake[0].issues}
    assert (issues["unknown_gpu_share"], issues["no_gpus"]) == (1, 1)
    assert read.jobs.milli_gpu_seconds == 2 * HOUR


def test_an_evicted_pod_ends_when_its_conditions_changed() -> None:
    evicted = pod(
        "e",
        gpus(1),
        "Failed",
        status={
            "reason": "Evicted",
            "containerStatuses": None,
            "conditions": [
                {"type": "Ready", "status": "False", "lastTransitionTime": "2026-01-05T11:00:00Z"}
            ],
        },
    )
    texts = pod_texts(evicted)
    assert (texts["state"], texts["end"]) == ("EVICTED", "2026-01-05T11:00:00Z")
    evicted["metadata"]["deletionTimestamp"] = "2026-01-05T10:30:00Z"
    assert pod_texts(evicted)["end"] == "2026-01-05T10:30:00Z"


def test_a_pod_is_known_by_the_name_that_exporters_of_activity_give_it() -> None:
    texts = pod_texts(pod("train-0", gpus(1)))
    assert (texts["job_id"], texts["hosts"]) == ("ml/train-0", "n1")


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
    assert "-o json" in str(fault.remedy)
    assert read.intake[0].format == "kubernetes_pods"


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
    text = "\n".join([json.dumps(PODS[0]), '{"kind": "Pod", "meta', json.dumps(PODS[3])])
    (file,) = read_log(text).intake
    assert (file.rows_read, file.rows_accepted, file.rows_rejected) == (3, 2, 1)
    assert file.rejected[0].row == 2


def test_a_field_of_one_line_that_is_called_like_a_list_takes_no_other_line_away(read_log: Read) -> None:
    odd = {**PODS[3], "items": ["a"]}
    (file,) = read_log("\n".join(json.dumps(each) for each in (PODS[0], odd, PODS[4]))).intake
    assert (file.rows_read, file.rows_accepted) == (3, 3)


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"jobs": []}', "job_id,gpus\n", '[{"kind": "Service"}]', "{{{{"]
)
def test_other_texts_are_not_taken_for_pods(text: str) -> None:
    assert sniff(text) == 0.0


def _a_pod_is_texts(seed: int) -> None:
    chance = random.Random(seed)
    texts = pod_texts(damaged_value(chance.choice(PODS), chance), {"n1": {"nvidia.com/gpu.replicas": "4"}})
    check_texts(texts)


@given(st.integers(0, 2**32))
def test_whatever_a_pod_holds_it_is_texts(seed: int) -> None:
    _a_pod_is_texts(seed)


@pytest.mark.long
@given(st.integers(0, 2**32))
@settings(max_examples=20_000)
def test_whatever_many_pods_hold_they_are_texts(seed: int) -> None:
    _a_pod_is_texts(seed)


def _records_or_a_reason(text: str, folder: Path) -> None:
    source = source_of(text, folder)
    if source.head.strip() and source.kind == "text":
        code, rows = "", []
        try:
            rows = [row for row, _ in json_records(source, "items")]
        except PlannerError as fault:
            code = fault.code
        assert code in ("", "truncated_file", "file_unreadable")
        assert rows == sorted(set(rows))


@given(st.integers(0, 2**32))
@settings(max_examples=examples(12))
def test_damaged_json_is_records_or_a_reason(tmp_path_factory: pytest.TempPathFactory, seed: int) -> None:
    chance = random.Random(seed)
    text = listing(*PODS) if chance.random() < 0.5 else "\n".join(json.dumps(each) for each in PODS)
    _records_or_a_reason(damaged_text(text, chance), tmp_path_factory.getbasetemp())


@pytest.mark.long
@given(st.integers(0, 2**32))
@settings(max_examples=20_000)
def test_much_damaged_json_is_records_or_a_reason(
    tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    chance = random.Random(seed)
    text = listing(*PODS) if chance.random() < 0.5 else "\n".join(json.dumps(each) for each in PODS)
    _records_or_a_reason(damaged_text(text, chance), tmp_path_factory.getbasetemp())


@pytest.mark.parametrize("seed", some_of(range(10), quick=2))
def test_a_damaged_list_is_read_or_refused(read_log: Read, seed: int) -> None:
    check_read_or_refused(
        lambda: read_log(damaged_text(listing(*PODS), random.Random(seed)), format="kubernetes_pods").intake[
            0
        ]
    )
