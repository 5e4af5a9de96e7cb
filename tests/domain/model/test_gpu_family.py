"""GPU families: every way to write a GPU is one family, what the table does not know stays as it is written."""

import random
from fractions import Fraction

import pytest

from gpuplanner.domain.edits.same_names import say_same, take_back_same
from gpuplanner.domain.model.cube import empty_cube
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.gpu_family import (
    Families,
    GpuName,
    Same,
    SameKind,
    StatedSame,
    name_of_nobody,
    names_of,
    nearest_models,
    with_kind,
    with_same,
)
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import GpuModel
from gpuplanner.domain.model.window import Window
from gpuplanner.files.system.resources import gpu_families, read_gpu_instances, read_tables

# --- GPU families: every way to write a GPU is one family, what the table does not know stays as it is
# written

FAMILIES = gpu_families()
WRITTEN = {
    ("H100", "SXM"): (
        "NVIDIA H100 80GB HBM3",
        "H100 SXM",
        "h100-sxm5-80gb",
        "H100 HGX (80GB)",
        "H100 HBM3",
        "8xH100 SXM",
        "H100 SXM5 80GB HBM3 InfiniBand",
    ),
    ("H100", ""): (
        "nvidia.com/gpu-h100",
        "gres h100_80g",
        "h100",
        "8x H100",
        "gres/gpu:h100",
        "nvidia-h100-80gb",
        "H100 80 GB",
        "H100 (80 GB)",
        "H100-80-GB",
        "H100x8",
        "8 x H100",
        "nvidia-h100-mega-80gb",
    ),
    ("H100", "PCIe"): ("NVIDIA H100 PCIe", "h100_pcie", "H100 80GB HBM2e"),
    ("H100", "NVL"): ("NVIDIA H100 NVL", "H100 94GB"),
    ("A100 80GB", "PCIe"): ("A100-80GB-PCIe", "NVIDIA A100 80GB PCIe"),
    ("A100 80GB", "PCIe MIG 1g.10gb"): ("nvidia_a100_80gb_pcie_1g.10gb",),
    ("A100 80GB", "SXM"): ("A100-SXM4-80GB",),
    ("A100 80GB", "SXM MIG 1g.10gb"): ("NVIDIA-A100-SXM4-80GB-MIG-1g.10gb",),
    ("A100 40GB", ""): ("A100 40GB", "a100-40", "A100_40gb", "A100 (40 GB)", "A100 40 GiB"),
    ("A100 40GB", "PCIe"): ("NVIDIAA100-PCIE-40GB",),
    ("A100", ""): ("A100", "nvidia a100", "GRID A100", "A100-PG509-200"),
    ("A100", "MIG 1g.5gb"): ("a100-mig-1g-5gb",),
    ("A100 80GB", ""): ("a100l", "a100_80", "A100-80GBx8"),
    ("A100X", ""): ("NVIDIA A100X",),
    ("B300", ""): ("B300 SXM6 AC",),
    ("A100", "MIG 3g.20gb"): ("a100_3g.20gb",),
    ("H100", "MIG 1g.10gb+me"): ("H100 MIG 1g.10gb+me",),
    ("H100", "MIG"): ("H100 MIG",),
    ("H100", "shared"): ("NVIDIA-H100-SHARED",),
    ("V100", "SXM 16GB"): ("Tesla V100-SXM2-16GB",),
    ("V100", "32GB"): ("V100 32GB", "v100-32g", "V100 (32 GB)", "V100M32"),
    ("RTX 3090", ""): ("NVIDIA-GeForce-RTX-3090", "rtx3090", "RTX_3090"),
    ("RTX A6000", ""): ("NVIDIA RTX A6000", "a6000"),
    ("RTX 6000 Ada", ""): ("NVIDIA RTX 6000 Ada Generation",),
    ("MI250X", ""): ("AMD Instinct MI250X / MI250",),
    ("MI300X", ""): ("AMD_Instinct_MI300X_OAM", "MI300X 192GB HBM3"),
    ("GB200", ""): ("GB200 NVL72",),
    ("GH200", ""): ("NVIDIA GH200 480GB",),
    ("L40S", ""): ("L40Sx4", "NVIDIA L40S", "nvidia-l40s"),
    ("A10", ""): ("NVIDIA A10", "A10 (24 GB)"),
    ("A10G", ""): ("NVIDIA A10G",),
}


@pytest.mark.parametrize(
    ("expected", "written"), [(of, name) for of, names in WRITTEN.items() for name in names]
)
def test_a_written_name_has_its_family_and_variant(expected: tuple[str, str], written: str) -> None:
    read = FAMILIES.read(written)
    assert read is not None
    assert (read.family, read.variant) == expected
    assert read.is_unsized == (expected[0] == "A100")


@pytest.mark.parametrize(
    "written",
    [
        "",
        "foo",
        "H100X",
        "h100 pool of lab 3",
        "A100-200",
        "GRID A100-10C",
        "nvidia.com/mig-1g.10gb",
        "gpu",
        "80GB",
    ],
)
def test_what_the_table_does_not_know_stays_as_it_is_written(written: str) -> None:
    assert FAMILIES.read(written) is None


def test_a_family_and_a_variant_are_read_as_themselves() -> None:
    for model in read_tables().gpu_models:
        read = FAMILIES.read(model.name)
        assert read is not None
        assert read.full == model.name
        again = FAMILIES.read(read.full)
        assert again is not None
        assert (again.family, again.variant) == (read.family, read.variant)


def test_case_signs_between_words_and_a_maker_make_no_other_gpu() -> None:
    chance = random.Random(1)
    for model in read_tables().gpu_models:
        for _ in range(5):
            words = [chance.choice((str.upper, str.lower, str.title))(word) for word in model.name.split()]
            name = chance.choice(("", "NVIDIA ", "nvidia-")) + chance.choice(" -_").join(words)
            assert FAMILIES.read(name) == FAMILIES.read(model.name), name


def test_a_slice_says_its_share_of_a_whole_gpu() -> None:
    for written, share in (("A100 MIG 3g.20gb", Fraction(3, 7)), ("H100", 1), ("H100 MIG", None)):
        read = FAMILIES.read(written)
        assert read is not None
        assert read.share == share
        assert read.whole == FAMILIES.read(read.family)


def test_gpus_of_instance_types_are_of_known_families() -> None:
    for row in read_gpu_instances():
        if row["gpu_model"]:
            read = FAMILIES.read(row["gpu_model"])
            assert read is not None, row
            assert (read.family, read.is_unsized) == (row["gpu_model"], False)


def test_facts_are_those_of_the_variant_else_of_the_family() -> None:
    for written, memory_gb in (
        ("H100", 80),
        ("h100 sxm", 80),
        ("NVIDIA H100 NVL", 94),
        ("A100 40GB PCIe", 40),
    ):
        facts = FAMILIES.facts(written)
        assert facts is not None
        assert facts.memory_gb == memory_gb
    assert FAMILIES.facts("H100X") is None


SMALL = Families(
    (
        GpuModel(
            name="X1",
            memory_gb=100.0,
            bandwidth_tb_per_s=1.0,
            tflops=1.0,
            aliases=("big one",),
            variants="SXM=sxm;PCIe=pcie|flat",
        ),
        GpuModel(name="X1 Max", memory_gb=50.0, bandwidth_tb_per_s=1.0, tflops=1.0),
        GpuModel(name="Y2", memory_gb=40.0, bandwidth_tb_per_s=1.0, tflops=1.0, sizes_apart=("40GB", "80GB")),
        GpuModel(name="X1 PCIe", memory_gb=90.0, bandwidth_tb_per_s=1.0, tflops=1.0, aliases=("-",)),
    )
)
"""X1 with two forms, of which PCIe has facts of its own; X1 Max; and Y2, told apart by its memory."""


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("x1 max", GpuName(family="X1 Max")),  # the longest alias, wherever it begins
        ("nvidia x1 max", GpuName(family="X1 Max")),
        ("gpu x1", GpuName(family="X1")),
        ("big one", GpuName(family="X1")),
        ("bigone", GpuName(family="X1")),
        ("big", None),
        ("x1 y2", None),
        ("x1 flat", GpuName(family="X1", form="PCIe")),
        ("x1 pcie4", GpuName(family="X1", form="PCIe")),
        ("x1 sxm pcie", GpuName(family="X1", form="SXM")),
        ("x1 100gb", GpuName(family="X1")),
        ("x1 110gb", GpuName(family="X1")),  # a tenth more or less is the same memory
        ("x1 90gb", GpuName(family="X1")),
        ("x1 111gb", GpuName(family="X1", size="111GB")),
        ("x1 89gb sxm", GpuName(family="X1", form="SXM", size="89GB")),
        ("x1 100", GpuName(family="X1")),
        ("x1 111", None),
        ("y2", GpuName(family="Y2", is_unsized=True)),
        ("y2 80gb", GpuName(family="Y2 80GB")),
        ("y2-80", GpuName(family="Y2 80GB")),
        ("y2-60", None),
        ("y2 60gb", GpuName(family="Y2 60GB")),
        ("y2 40gb", GpuName(family="Y2 40GB")),
        ("y2 1g.10gb", GpuName(family="Y2", part="MIG 1g.10gb", is_unsized=True)),
        ("x1 mig", GpuName(family="X1", part="MIG")),
        ("x1 shared", GpuName(family="X1", part="shared")),
        ("x1 of ours", None),
    ],
)
def test_words_beside_a_model_are_its_form_its_size_its_part_or_of_another(
    written: str, name: GpuName | None
) -> None:
    assert SMALL.read(written) == name


def test_facts_of_a_variant_are_its_row() -> None:
    memory = {
        written: None if (facts := SMALL.facts(written)) is None else facts.memory_gb
        for written in ("x1", "x1 flat", "X1 PCIe", "x1 sxm", "x1 pcie mig", "x1 max", "z9")
    }
    assert memory == {
        "x1": 100, "x1 flat": 90, "X1 PCIe": 90, "x1 sxm": 100, "x1 pcie mig": 90, "x1 max": 50, "z9": None,
    }  # fmt: skip
    assert Families(()).read("x1") is Families(()).facts("x1") is None


@pytest.mark.parametrize(
    ("changes", "may_be"),
    [
        ({}, True),
        ({"form": ""}, True),
        ({"form": "PCIe"}, False),
        ({"size": ""}, True),
        ({"size": "16GB"}, False),
        ({"part": "MIG"}, False),
        ({"form": "", "size": "16GB"}, False),
    ],
)
def test_a_name_may_be_another_where_nothing_tells_them_apart(
    changes: dict[str, str], *, may_be: bool
) -> None:
    own = GpuName(family="V100", form="SXM", size="32GB")
    other = GpuName(**({"family": "V100", "form": "SXM", "size": "32GB"} | changes))
    assert own.may_be(other) is other.may_be(own) is may_be


def test_the_nearest_models_begin_alike() -> None:
    names = ["H100", "h200", "H10", "A100", "H100 SXM", "H100"]
    assert nearest_models("H100", names) == ["H100 SXM", "H10", "h200"]
    assert nearest_models("H100", [*names, "H100 NVL"]) == ["H100 NVL", "H100 SXM", "H10"]
    assert nearest_models("B300", names) == []


# --- What is one though it has two names: of two decisions of one name the later counts, and the names
# tell the kind

SXM = Same(SameKind.MODEL, "H100 SXM", "H100")
EN = Same(SameKind.CLUSTER, "en", "main")


def test_the_later_of_two_decisions_of_a_name_counts_and_all_are_sorted() -> None:
    other = Same(SameKind.MODEL, "h100 sxm", "H200")
    assert with_same((SXM,), (other, EN)) == (EN, other)
    assert with_same((EN, SXM), ()) == with_same((), (SXM, EN)) == (EN, SXM)


def test_models_are_found_without_regard_to_case_and_clusters_as_written() -> None:
    assert names_of([SXM, EN], SameKind.MODEL) == {"h100 sxm": "H100"}
    assert names_of((SXM, Same(SameKind.CLUSTER, "EN", "main")), SameKind.CLUSTER) == {"EN": "main"}


def test_the_names_tell_the_kind() -> None:
    said = [StatedSame(None, "H100 SXM", "H100"), StatedSame(None, "en", "main"), StatedSame(None, "a", "b")]
    found = [with_kind(one, lambda name: name == "H100", lambda name: name == "main") for one in said]
    assert [one.kind for one in found] == [*SameKind]
    model = with_kind(StatedSame(SameKind.MODEL, "en", "main"), lambda _: False, lambda _: True)
    assert model.kind is SameKind.MODEL


@pytest.mark.parametrize(
    ("there", "known", "nobody"),
    [("en main", "", None), ("en", "main", None), ("main", "en", "en"), ("en", "", "main"), ("", "", "en")],
)
def test_both_names_have_to_be_somebodys(there, known, nobody) -> None:
    assert name_of_nobody(EN, there.split().__contains__, is_known=bool(known)) == nobody
    own = Same(SameKind.CLUSTER, "en", "en")
    assert name_of_nobody(own, there.split().__contains__) == (None if "en" in there.split() else "en")


def test_only_a_cluster_may_have_no_name() -> None:
    assert with_same((), [Same(SameKind.CLUSTER, "", "main")])
    for same in (Same(SameKind.MODEL, "", "H100"), Same(SameKind.CLUSTER, "en", "")):
        with pytest.raises(PlannerError, match="empty"):
            with_same((), [same])


def test_a_decision_said_and_taken_back_leaves_the_project_as_it_was() -> None:
    project = Project(window=Window(0, 24), cube=empty_cube(24))
    said = say_same(project, (EN, SXM))
    assert said.same == (EN, SXM)
    assert say_same(said, (SXM,)) is said
    assert take_back_same(said, (EN, SXM)).same == project.same
    assert take_back_same(project, (EN,)) is project
