"""Allocation of OpenCost and Kubecost: GPU-hours stay what the export says they are."""

import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.model.window import iso_utc
from gpuplanner.files.job_logs.dialects.kubernetes.opencost import (
    ALLOCATION_HEADINGS,
    PodKeys,
    allocation_texts,
    read_json_job,
)
from tests.files.job_logs.cluster_damage import check_texts, often
from tests.files.job_logs.row_ends import HOUR, Read, codes, counts, fates


def allocation(name: str, gpu_hours: float, **more: Any) -> dict[str, Any]:
    """An hour and a half of one container."""
    of = {"cluster": "c1", "namespace": "ml", "pod": name, "node": "n1"}
    of |= {"controller": "vllm-chat-6d5f7b9c8d", "controllerKind": "replicaset"}
    window = {"start": "2026-01-05T00:00:00Z", "end": "2026-01-06T00:00:00Z"}
    said = {"name": name, "properties": of, "window": window}
    said |= {"start": "2026-01-05T10:00:00Z", "end": "2026-01-05T11:30:00Z", "minutes": 90}
    return said | {"gpuCount": 1, "gpuHours": gpu_hours, "gpuCost": 3.5, "cpuCost": 1.25} | more


SETS = [
    {
        "c1/n1/ml/a/main": allocation("a", 3.0),
        "c1/n1/ml/b/main": allocation(
            "b", 0.75, gpuAllocation={"gpuModel": "NVIDIA-A100-SXM4-80GB", "gpuUsageAverage": 0.4}
        ),
        "__idle__": allocation("__idle__", 20.0),
    },
    {"c1/n1/ml/c/main": allocation("c", 0.0, start="2026-01-06T10:00:00Z", end="2026-01-06T11:00:00Z")},
]


def test_the_api_s_answer(read_log: Read) -> None:
    read = read_log(json.dumps({"code": 200, "status": "success", "data": SETS}))
    assert fates(read) == ("opencost", 4, 3, 0, 0, 1)
    assert read.jobs.milli_gpu_seconds == 3.75 * HOUR
    (workload,) = read.workloads
    assert workload.key == "c1/ml/vllm-chat"
    assert "A100 80GB" in read.cube.gpu_models


@pytest.mark.long
def test_sets_alone_and_allocations_in_an_array(read_log: Read) -> None:
    for text in (json.dumps(SETS), json.dumps([each for group in SETS for each in group.values()])):
        assert read_log(text).jobs.milli_gpu_seconds == 3.75 * HOUR


@pytest.mark.parametrize(
    ("shape", "rows"),
    [
        (SETS, 4),
        ([each for group in SETS for each in group.values()], 4),
        ({"data": {"sets": [{"allocations": SETS[0]}, {"allocations": SETS[1]}]}}, 4),
        ({"code": 200, "data": SETS[0]}, 0),  # no set is in an array, so no row is made of the whole
    ],
    ids=["sets", "array", "summary", "alone"],
)
def test_each_shape_has_a_row_for_an_allocation(read_log: Read, shape: object, rows: int) -> None:
    assert read_log(json.dumps(shape)).intake[0].rows_read == rows


@pytest.mark.long
def test_the_summary_has_its_allocations_in_sets(read_log: Read) -> None:
    """It tells the GPUs that were asked for on average; what GPUs cost without their number is no CPU job."""
    told = {"name": "a", "start": "2026-01-05T10:00:00Z", "end": "2026-01-05T12:00:00Z", "cpuCost": 1}
    allocations = {
        "a": {**told, "gpuRequestAverage": 1.5, "gpuCost": 9},
        "b": {**told, "name": "b", "gpuCost": 9},
        "c": {**told, "name": "c", "gpuCost": 0},
    }
    read = read_log(json.dumps({"code": 200, "data": {"step": 1, "sets": [{"allocations": allocations}]}}))
    assert fates(read) == ("opencost", 3, 2, 1, 0, 0)
    assert read.jobs.milli_gpu_seconds == 3 * HOUR
    assert [(row.row, row.code) for row in read.intake[0].rejected] == [(2, "bad_number")]


@pytest.mark.long
def test_totals_are_no_rows_of_work(read_log: Read) -> None:
    read = read_log(
        "Name,Namespace,Start,End,GPU Hours,Total Cost\n"
        "ml/a,ml,2026-01-05T00:00:00Z,2026-01-06T00:00:00Z,48,10\nTotals,,,,48,10\n"
    )
    assert fates(read) == ("opencost", 2, 1, 0, 0, 1)


def test_two_exports_of_windows_that_overlap_count_once(read_log: Read) -> None:
    text = json.dumps({"code": 200, "data": SETS})
    read = read_log(text, text)
    assert read.jobs.milli_gpu_seconds == 3.75 * HOUR
    assert sum(file.rows_duplicate for file in read.intake) == 3


CSV = """Date,Namespace,ControllerKind,ControllerName,Pod,Container,GPUs,CPUCost,RAMCost,GPUCost,TotalCost
2026-01-05,ml,deployment,chat,chat-1,main,2,1,1,48,50
2026-01-06,ml,deployment,chat,chat-1,main,0.5,1,1,12,14
2026-01-06,ops,daemonset,agent,agent-1,main,0,1,1,0,2
2026-01-06,,,,__idle__,__idle__,6,1,1,90,92
"""


def test_the_daily_export_counts_whole_days(read_log: Read) -> None:
    read = read_log(CSV)
    assert fates(read) == ("opencost", 4, 3, 0, 0, 1)
    assert set(codes(read)) == {"no_gpus", "unknown_gpu_model"}
    assert read.jobs.milli_gpu_seconds == (48 + 12) * HOUR


@pytest.mark.long
def test_gpu_hours_before_a_count_and_headings_in_any_spelling(read_log: Read) -> None:
    text = (
        "Name;Cluster;Window Start;Window End;Minutes;GPU Count;GPU Hours;GPU Cost;CPU Cost\n"
        "ml/chat;c2;2026-01-05 10:00:00;2026-01-05 12:00:00;120;1;5;9;1\n"
        "ml/chat;c2;2026-01-05 12:00:00;2026-01-05 14:00:00;120;1;;9;1\n"
        "ml/chat;c2;2026-01-05 12:00:00;2026-01-05 14:00:00;120;1;;9;1\n"
        "ml/chat;c2;2026-01-05 12:00:00;2026-01-05 14:00:00;120;;many;9;1\n"
    )
    read = read_log(text)
    assert codes(read) == counts(bad_number=1, possible_duplicate=1, unknown_gpu_model=3)
    assert read.jobs.milli_gpu_seconds == (5 + 2 + 2) * HOUR


@pytest.mark.long
def test_an_end_is_told_by_minutes_where_there_is_none(read_log: Read) -> None:
    text = "cluster,namespace,pod,start,minutes,gpu_hours\nc,ml,a,2026-01-05T10:00:00Z,90,3\nc,ml,b,2026-01-05,0,3\n"
    read = read_log(text)
    assert fates(read) == ("opencost", 2, 2, 0, 0, 0)
    assert read.jobs.milli_gpu_seconds == (3 + 3) * HOUR


def test_an_export_without_gpus_is_refused_by_what_it_lacks(read_log: Read) -> None:
    (fault,) = read_log("Date,Namespace,Pod,CPUCost,RAMCost,TotalCost\n2026-01-05,ml,a,1,1,2\n").refused
    assert "gpuCount or gpuHours" in str(fault)


@given(hours=st.decimals(0, 10_000, places=3), length_s=st.integers(1, 10**6))
def test_gpus_times_length_are_the_gpu_hours_that_are_told(hours: Any, length_s: int) -> None:
    end = iso_utc(1_767_571_200 + length_s)
    texts = allocation_texts(
        {"start": "2026-01-05T00:00:00Z", "end": end, "gpu_hours": str(hours), "minutes": "7"}
    )
    assert float(texts["gpus"]) * length_s / 3600 == pytest.approx(float(hours), rel=1e-6, abs=1e-5)


@often
@given(st.integers(0, 2**32))
def test_whatever_a_row_holds_it_is_texts(seed: int) -> None:
    chance = random.Random(seed)
    words = ["", "x", "-1", "NaN", "2026-01-05", "2026-01-05T10:00:00", "1e30", "0", "__idle__", "9" * 50]
    check_texts(allocation_texts({key: chance.choice(words) for key in (*ALLOCATION_HEADINGS, "key")}))


BY_POD = """Name,Window Start,Window End,Namespace,Pod,Instance Type,GPU Hours,GPU Cost
a,2026-01-05T00:00:00Z,2026-01-06T00:00:00Z,chat,chat-1,g6e.12xlarge,96,200
b,2026-01-05T00:00:00Z,2026-01-06T00:00:00Z,chat,chat-2,Standard_NC24ads_A100_v4,48,100
__idle__,2026-01-05T00:00:00Z,2026-01-06T00:00:00Z,,,g6e.12xlarge,24,50
r,2026-01-05T00:00:00Z,2026-01-06T00:00:00Z,runai-reservation,gpu-1,g6e.12xlarge,24,50
Totals,2026-01-05T00:00:00Z,2026-01-06T00:00:00Z,,,,168,350
"""


def test_the_machine_of_a_pod_tells_its_model_and_sums_are_skipped_by_name(read_log: Read) -> None:
    read = read_log(BY_POD)
    assert fates(read) == ("opencost", 5, 2, 0, 0, 3)
    assert read.jobs.milli_gpu_seconds == (96 + 48) * HOUR
    assert set(read.cube.gpu_models) == {"L40S", "A100 80GB"}


@pytest.mark.parametrize(
    ("labels", "model"),
    [
        ({"node_kubernetes_io_instance_type": "p5.48xlarge"}, "H100"),
        ({"beta_kubernetes_io_instance_type": "a2-highgpu-8g"}, "A100 40GB"),
        (
            {"nvidia_com_gpu_product": "NVIDIA-L4", "node_kubernetes_io_instance_type": "p5.48xlarge"},
            "NVIDIA-L4",
        ),
        ({"node_kubernetes_io_instance_type": "m5.large"}, ""),
    ],
)
def test_labels_of_an_allocation_tell_its_model(labels: dict[str, str], model: str) -> None:
    told = allocation("a", 3.0)
    assert (
        read_json_job("a", {**told, "properties": {**told["properties"], "labels": labels}})["gpu_model"]
        == model
    )


def test_the_pod_is_the_id_and_rows_of_one_pod_and_time_that_differ_are_two() -> None:
    keys = PodKeys()
    row = {"namespace": "ml", "pod": "a", "start": "2026-01-05", "gpu_hours": "3"}
    other = {**row, "gpu_hours": "4"}
    assert [keys.key(each) for each in (row, row, other, {**row, "start": "2026-01-06"})] == [
        "ml/a",
        "ml/a",
        "ml/a#2",
        "ml/a",
    ]
    assert keys.key({**row, "container": "main"}) == "ml/a/main"
    assert keys.key({"namespace": "ml", "pod": "", "container": "main"}) == ""


@pytest.mark.parametrize(
    "window",
    [
        "2026-01-05T00:00:00Z to 2026-01-06T00:00:00Z",
        "[2026-01-05T00:00:00Z, 2026-01-06T00:00:00Z)",
        "2026-01-05/2026-01-06",
        "2026-01-05",
    ],
)
def test_a_window_in_one_cell_has_both_its_ends(window: str) -> None:
    texts = allocation_texts({"start": window, "gpu_hours": "48"})
    assert (texts["start"], texts["end"]) == ("2026-01-05T00:00:00Z", "2026-01-06T00:00:00Z")
    assert float(texts["gpus"]) == 2
