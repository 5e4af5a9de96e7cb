"""Hardware that a workload has: contracts of today, offers, and the memory of GPU models."""

from types import SimpleNamespace
from typing import Any

import pytest

from gpuplanner.domain.fit.fit_rows import job_memory_gb
from gpuplanner.domain.fit.hardware import (
    Hardware,
    HardwareToday,
    hardware_of_contract,
    hardware_of_offer,
    main_models,
    memory_by_model,
    memory_of_model,
)
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import GpuModel
from tests.domain import worlds
from tests.domain.audit.conftest import (
    GPU_HOUR,
    START_S,
    make_contract,
    make_offer,
    make_project,
    make_workload,
)

MODELS = (
    GpuModel(name="H100", memory_gb=80.0, bandwidth_tb_per_s=None, tflops=None),
    GpuModel(name="H200", memory_gb=141.0, bandwidth_tb_per_s=None, tflops=None),
)
END_S = START_S + 100 * 3600


def held(*contracts: Contract, gpu_model: str | None = "H100") -> list[str]:
    """Ids of what a workload of the cluster atlas runs on in a window of 100 hours."""
    project = make_project(100, [make_workload("w")], [(0, 0, 0, GPU_HOUR)], contracts)
    return [hardware.contract_or_offer for hardware in HardwareToday(project, MODELS).of("atlas", gpu_model)]


def contract(name: str, **facts: Any) -> Contract:
    return make_contract(name, 8, "2", **facts)


def test_contracts_of_the_cluster_and_model_count() -> None:
    own, other = contract("own"), contract("other", gpu_model="A100")
    free = contract("free", gpu_model=None)
    elsewhere = contract("elsewhere", cluster="bora")
    assert held(own, other, free, elsewhere) == ["own", "free"]
    assert held(own, other, free, elsewhere, gpu_model=None) == ["own", "other", "free"]
    assert held(other, elsewhere) == [""]


@pytest.mark.parametrize(
    ("start_s", "end_s", "is_running", "ran"),
    [
        (0, None, True, True),
        (END_S - 1, None, True, True),
        (END_S, None, False, False),
        (0, END_S, True, True),
        (0, END_S - 1, False, True),
        (0, START_S + 1, False, True),
        (0, START_S, False, False),
    ],
)
def test_what_runs_at_the_end_counts_before_what_ran(
    start_s: int, end_s: int | None, *, is_running: bool, ran: bool
) -> None:
    tried, ended = contract("tried", start_s=start_s, end_s=end_s), contract("ended", end_s=END_S - 1)
    assert held(tried) == (["tried"] if ran else [""])
    assert held(tried, ended) == (["tried"] if is_running else ["tried", "ended"] if ran else ["ended"])


def test_hardware_is_looked_up_once_and_has_the_memory_of_its_model_where_nobody_states_more() -> None:
    project = make_project(100, [make_workload("w")], [(0, 0, 0, GPU_HOUR)], [contract("k")])
    today = HardwareToday(project, MODELS)
    assert today.of("atlas", "H100") is today.of("atlas", "H100")
    (known,) = today.of("atlas", "H100")
    assert (known.memory_gb, known.memory_source) == (80.0, memory_of_model("H100", MODELS)[1])
    (unknown,) = today.of("bora", "H200")
    assert (unknown.contract_or_offer, unknown.gpu_model, unknown.memory_gb) == ("", "H200", 141.0)
    stated = contract(
        "k", gpu_memory_gb=96.0, interconnect="roce", bare_metal=True, nic_gbps=400, term_months=2,
        pricing_category="COMMITTED",
    )  # fmt: skip
    assert hardware_of_contract(stated, MODELS) == Hardware(
        contract_or_offer="k",
        gpu_model="H100",
        memory_gb=96.0,
        memory_source="k",
        interconnect="roce",
        bare_metal=True,
        term_hours=1460.0,
        network="roce_400",
        nic_gbps=400,
    )


def test_an_offer_brings_what_it_states() -> None:
    """A term of two months is 1,460 hours."""
    stated = make_offer(
        "o", "2", gpu_memory_gb=96.0, term_months=2, pricing_category="COMMITTED", nic_gbps=100
    )
    assert hardware_of_offer(stated) == Hardware(
        contract_or_offer="o",
        gpu_model="H100",
        memory_gb=96.0,
        memory_source="o",
        interconnect=None,
        bare_metal=None,
        term_hours=1460.0,
        network=stated.network,
        nic_gbps=100,
    )
    bare = hardware_of_offer(make_offer("b", "2"))
    assert (bare.memory_gb, bare.memory_source, bare.term_hours) == (None, "unknown", 0.0)


@pytest.mark.parametrize(
    ("name", "gb"),
    [("A100-40GB", 40.0), ("H100", 80.0), ("X-1000 GB", 1000.0), ("X40gbx", None), ("X-10000GB", None), (None, None)],
)  # fmt: skip
def test_the_memory_of_a_model_is_in_its_name_or_the_table(name: str | None, gb: float | None) -> None:
    assert memory_of_model(name, MODELS)[0] == gb


def test_of_models_with_as_much_gpu_time_the_later_counts() -> None:
    entries = [
        *((0, 0, hour, 2) for hour in range(2)), (0, 1, 5, 4), (1, 1, 0, 1), (1, 0, 1, 2), (2, 0, 3, 0),
    ]  # fmt: skip
    works = [make_workload(name) for name in ("tied", "first", "single", "none")]
    project = make_project(10, works, [*entries, (2, 1, 3, 1)])
    assert main_models(project) == ["A100", "H100", "A100", None]
    one_each = make_project(10, works, [(0, 1, 0, 1), (1, 0, 0, 1), (2, -1, 0, 9)])
    assert main_models(one_each) == ["A100", "H100", None, None]


def past() -> Project:
    return worlds.past().project


def asked(needs: dict[str, Any], **hardware: Any) -> Any:
    """Needs of a workload, each with a value, beside hardware."""
    named = {name: SimpleNamespace(value=value, source="log") for name, value in needs.items()}
    return SimpleNamespace(needs=named, hardware=SimpleNamespace(**hardware))


@pytest.mark.parametrize(
    ("per_node", "nodes", "memory", "gb"),
    [(8.0, 2, 80.0, 1280.0), (8.0, None, 80.0, 640.0), (None, 2, 80.0, None), (8.0, 2, None, None)],
)
def test_a_job_holds_its_model_on_the_gpus_of_all_its_nodes(
    per_node: float | None, nodes: int | None, memory: float | None, gb: float | None
) -> None:
    assert job_memory_gb(asked({"gpus_per_node": per_node, "nodes": nodes}, memory_gb=memory)) == gb


def test_memory_is_known_of_models_of_prices_contracts_and_the_log() -> None:
    of = past()
    models = (
        GpuModel(name="H100", memory_gb=80.0, bandwidth_tb_per_s=3.35, tflops=989.0),
        GpuModel(name="L4", memory_gb=24.0, bandwidth_tb_per_s=0.3, tflops=100.0),
    )
    known = memory_by_model(of, models)
    assert known["H100"] == 80.0 and "L4" not in known
