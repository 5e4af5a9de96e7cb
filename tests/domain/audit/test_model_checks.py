"""Checks of GPU models: names with another memory size, the ratio of two models, and variants of offers."""

from dataclasses import replace
from typing import Any

import pytest

from gpuplanner.domain.audit.log_checks import (
    VariantAsked,
    calculation_ratio,
    check_unstated_models,
    describe_variant,
    differs_in_stated_size,
    model_checks,
    variants_asked,
    write_ratio,
)
from gpuplanner.domain.audit.result import Check
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.book.only import ModelMapping
from gpuplanner.domain.model.gpu_family import Same, SameKind, families_of
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import GpuModel
from tests.domain.audit.conftest import GPU_HOUR, make_contract, make_offer, make_project, make_workload

MODELS = (
    GpuModel(name="A100 40GB", memory_gb=40.0, bandwidth_tb_per_s=1.5, tflops=300.0, aliases=("a100-40",)),
    GpuModel(name="A100", memory_gb=80.0, bandwidth_tb_per_s=2.0, tflops=300.0, sizes_apart=("40GB", "80GB")),
    GpuModel(name="A100 80GB", memory_gb=80.0, bandwidth_tb_per_s=2.0, tflops=300.0, aliases=("-",)),
    GpuModel(
        name="H100", memory_gb=80.0, bandwidth_tb_per_s=3.35, tflops=990.0, variants="SXM=sxm;PCIe=pcie"
    ),
    GpuModel(name="H100 PCIe", memory_gb=80.0, bandwidth_tb_per_s=2.0, tflops=756.0, aliases=("-",)),
    GpuModel(name="B200", memory_gb=180.0, bandwidth_tb_per_s=8.0, tflops=None),
)
FAMILIES = families_of(MODELS)


@pytest.mark.parametrize(
    ("name", "other", "is_other"),
    [
        ("A100", "A100 80GB", True),
        ("A100 80GB", "A100", True),
        ("A100 80GB", "A100 40GB", False),
        ("A100", "A100", False),
        ("H100", "A100 80GB", False),
        ("Quux", "A100 80GB", False),
        ("H100", "B200", False),
        ("A100", "H100", False),
    ],
)
def test_one_name_has_a_size_that_the_other_leaves_open(name: str, other: str, *, is_other: bool) -> None:
    read = FAMILIES.read(other)
    assert read is not None
    assert differs_in_stated_size(name, read, FAMILIES) is is_other


@pytest.mark.parametrize(
    ("base", "offered", "ratio"),
    [
        ("H100", "H100 PCIe", 0.76),  # 756 of 990
        ("H100 PCIe", "H100", 1.31),
        ("H100", "H100 SXM", 1.0),
        ("H100", "H100 1g.10gb", pytest.approx(1 / 7)),
        ("H100 PCIe", "H100 3g.40gb", pytest.approx(1.31 * 3 / 7)),
        ("H100", "B200", 1.0),  # what it calculates is not known
        ("B200", "H100", 1.0),
        ("Quux", "H100 1g.10gb", pytest.approx(1 / 7)),
        ("H100", "Quux", 1.0),
    ],
)
def test_a_variant_is_worth_what_it_calculates(base: str, offered: str, ratio: float) -> None:
    assert calculation_ratio(base, offered, FAMILIES) == ratio


@pytest.mark.parametrize(
    ("ratio", "text"), [(0.76, "0.76"), (1.0, "1"), (1 / 7, "1/7"), (3 / 7, "3/7"), (2.5, "2.5")]
)
def test_a_ratio_is_exact(ratio: float, text: str) -> None:
    assert write_ratio(ratio) == text
    words = str(describe_variant(VariantAsked("H100", "H100 PCIe", 2, ratio)))
    assert f"'H100=H100 PCIe:{text}'" in words and words.startswith("2 ")


def test_variants_are_asked_about_once_by_name_of_models_that_run() -> None:
    """The log runs A100 and H100; two offers are of PCIe, one is of 80 GB, and of a B200 nothing runs."""
    offers = [
        make_offer(f"o{at}", "2", gpu_model=name)
        for at, name in enumerate(("H100 PCIe", "H100 PCIe", "A100 80GB", "B200", "H100", "Quux"))
    ]
    project = make_project(1, [make_workload("w")], [(0, 0, 0, GPU_HOUR)], offers=offers)
    pcie, size = VariantAsked("H100", "H100 PCIe", 2, 0.76), VariantAsked("A100", "A100 80GB", 1, 1.0)
    assert variants_asked(project, FAMILIES) == (size, pcie)
    settled = replace(project, same=(Same(SameKind.MODEL, "h100 pcie", "h100 pcie"),))
    assert variants_asked(settled, FAMILIES) == (size,)
    others = (Same(SameKind.CLUSTER, "H100 PCIe", "H100 PCIe"), Same(SameKind.MODEL, "H100 PCIe", "X"))
    assert variants_asked(replace(project, same=others), FAMILIES) == (size, pcie)
    mapped = replace(project, mappings=(ModelMapping("H100", "H100 PCIe", 0.8),))
    assert variants_asked(mapped, FAMILIES) == (size,)
    held = replace(project, contracts=(make_contract("k", 1, "2", gpu_model="H100 PCIe"),))
    assert variants_asked(held, FAMILIES) == (size,)


def test_old_shares_of_serving_are_said_until_a_speed_is_set() -> None:
    def codes(**more: Any) -> list[str]:
        project: Project = replace(make_project(1, [], []), assumptions=Assumptions(**more))
        return [check.code for check in model_checks(project)]

    assert codes() == []
    assert codes(serving_shares_replaced=True) == ["assumption_replaced"]
    assert codes(serving_shares_replaced=True, serving_speed=2.0) == []


def test_gpu_time_without_a_model_is_added_up_by_cluster() -> None:
    """bora, which has no contract: 1 GPU-h of one workload; atlas: 2 and 3 GPU-h, of contracts for two models."""
    works = [make_workload("a"), make_workload("b"), make_workload("c", "bora"), make_workload("d", "")]
    entries = [
        (0, -1, 0, 2 * GPU_HOUR),
        (0, 0, 0, 9 * GPU_HOUR),
        (1, -1, 0, 3 * GPU_HOUR),
        (2, -1, 0, GPU_HOUR),
        (3, -1, 0, GPU_HOUR),
    ]
    contracts = [
        make_contract("k", 4, "2"),
        make_contract("l", 4, "2", gpu_model="A100"),
        make_contract("m", 4, "2", gpu_model=None),
    ]
    checks: list[Check] = [*check_unstated_models(make_project(1, works, entries, contracts))]
    assert [str(check.subject) for check in checks] == ["jobs without a cluster", "atlas", "bora"]
    nameless, atlas, bora = (check.message.values for check in checks)  # type: ignore[union-attr]
    assert [str(item["hours"]) for item in (nameless, atlas, bora)] == ["1.0", "5.0", "1.0"]
    assert str(atlas["many"]).startswith("2 ") and str(bora["many"]).startswith("1 ")
    assert "A100, H100" in str(atlas["counts_as"]) and "H100" not in str(bora["counts_as"])
