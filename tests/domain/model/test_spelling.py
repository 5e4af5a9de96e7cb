"""Spelling: one name of each GPU and cluster in a project, whatever files write and in whatever order they come."""

from dataclasses import replace
from decimal import Decimal
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.edits.same_names import say_same, take_back_same
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import ModelMapping
from gpuplanner.domain.model.cube import Cube, Workload, cube_from_entries, with_models
from gpuplanner.domain.model.gpu_family import Same, SameKind
from gpuplanner.domain.model.intake import JobFacts
from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.spelling import name_apart, name_of_jobs, names_apart, respelled, told_apart
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.window import Window
from gpuplanner.files.system.resources import gpu_families

FAMILIES = gpu_families()


def cube_of(*rows: tuple[int, str | None, int, int]) -> Cube:
    """workload, model, hour, amount."""
    names = tuple(sorted({model for _, model, _, _ in rows if model}))
    models = [-1 if model is None else names.index(model) for _, model, _, _ in rows]
    columns = [
        np.array(column)
        for column in ([row[0] for row in rows], models, *zip(*[row[2:] for row in rows], strict=True))
    ]
    return cube_from_entries(24, names, *columns)


def contract(
    contract_id: str, model: str | None, cluster: str = "main", memory_gb: float | None = None
) -> Contract:
    return Contract(
        contract_id=contract_id,
        cluster=cluster,
        gpu_model=model,
        milli_gpus=8000,
        rate_usd_per_gpu_hour=Decimal(2),
        start_s=0,
        gpu_memory_gb=memory_gb,
    )


def offer(offer_id: str, model: str, memory_gb: float | None = None) -> Offer:
    return Offer(
        offer_id=offer_id,
        gpu_model=model,
        pricing_category=PricingCategory.STANDARD,
        term_months=0,
        rate_usd_per_gpu_hour=Decimal(5),
        gpu_memory_gb=memory_gb,
    )


def project_of(
    cube: Cube,
    contracts: tuple[Contract, ...] = (),
    offers: tuple[Offer, ...] = (),
    clusters: tuple[str, ...] = ("main", "main"),
) -> Project:
    workloads = tuple(
        Workload(key=f"{cluster}//w{place}", name=f"w{place}", cluster=cluster, owner="")
        for place, cluster in enumerate(clusters)
    )
    return Project(
        window=Window(0, 24),
        cube=cube,
        workloads=workloads,
        jobs=JobFacts(),
        contracts=contracts,
        offers=offers,
    )


def same_bits(one: Project, other: Project) -> bool:
    arrays = ("workload_index", "model_index", "offsets", "hour", "milli_gpu_seconds")
    cubes = all((getattr(one.cube, name) == getattr(other.cube, name)).all() for name in arrays)
    rest = (one.contracts, one.offers, one.jobs, one.mappings) == (
        other.contracts,
        other.offers,
        other.jobs,
        other.mappings,
    )
    return cubes and rest and one.cube.gpu_models == other.cube.gpu_models


MIXED = cube_of(
    (0, "H100 SXM", 0, 5),
    (0, "nvidia-h100-80gb", 0, 7),
    (0, "Foo", 1, 3),
    (1, None, 2, 4),
    (1, "H100 SXM", 3, 1),
)


def test_names_of_one_family_become_one_and_no_gpu_time_is_lost() -> None:
    before = project_of(MIXED, (contract("a", "H100 HBM3"),), (offer("o", "h100"),))
    after = respelled(before, FAMILIES)
    assert after.cube.gpu_models == ("Foo", "H100")
    assert after.cube.total == before.cube.total
    assert after.cube.milli_gpu_seconds.tolist() == [3, 12, 4, 1]
    assert [one.gpu_model for one in (*after.contracts, *after.offers)] == ["H100", "H100"]
    assert after.contracts[0].gpu_model_written == "H100 HBM3"
    assert after.jobs.models_written == (
        ("main", "Foo", 3),
        ("main", "H100 SXM", 6),
        ("main", "nvidia-h100-80gb", 7),
    )


def test_doing_it_twice_is_doing_it_once() -> None:
    once = respelled(project_of(MIXED, (contract("a", "H100 HBM3"),), (offer("o", "H100 PCIe"),)), FAMILIES)
    assert respelled(once, FAMILIES) is once


def test_any_order_of_inputs_gives_the_same_names() -> None:
    rows = (contract("a", "A100", memory_gb=80), contract("b", "A100 80GB"), contract("c", "h100x"))
    offers = (offer("o", "H100X"), offer("p", "A100", 40), offer("q", "A100-PCIE-40GB"))
    found = set()
    for some in permutations(rows):
        for others in permutations(offers):
            after = respelled(project_of(MIXED, some, others), FAMILIES)
            names = {one.contract_id: one.gpu_model for one in after.contracts}
            names |= {one.offer_id: one.gpu_model for one in after.offers}
            found.add(tuple((key, (names[key] or "").casefold()) for key in sorted(names)))
    assert found == {
        (
            ("a", "a100 80gb"),
            ("b", "a100 80gb"),
            ("c", "h100x"),
            ("o", "h100x"),
            ("p", "a100 40gb"),
            ("q", "a100 40gb"),
        )
    }


def test_an_a100_without_a_size_takes_the_one_that_its_cluster_has() -> None:
    cube = cube_of((0, "A100", 0, 5), (1, "A100", 0, 7))
    rows = (contract("a", "A100 40GB", "one"), contract("b", "A100 80GB", "two"))
    after = respelled(project_of(cube, rows, clusters=("one", "two")), FAMILIES)
    assert after.cube.gpu_models == ("A100 40GB", "A100 80GB")
    both = respelled(
        project_of(cube, (*rows, contract("c", "A100 80GB", "one")), clusters=("one", "two")), FAMILIES
    )
    assert both.cube.gpu_models == ("A100", "A100 80GB")


def test_where_nobody_says_a_size_all_stay_as_they_are() -> None:
    project = project_of(
        cube_of((0, "A100", 0, 5)), (contract("a", "A100", memory_gb=80),), (offer("o", "A100", 80),)
    )
    after = respelled(project, FAMILIES)
    assert after.cube is project.cube
    assert (after.contracts, after.offers) == (project.contracts, project.offers)


def test_an_offer_of_another_variant_than_the_project_runs_on_keeps_it_in_its_name() -> None:
    offers = (offer("a", "H100 PCIe"), offer("b", "H100 80GB HBM3"), offer("c", "H100"))
    sxm = respelled(project_of(MIXED, offers=offers), FAMILIES)
    assert [one.gpu_model for one in sxm.offers] == ["H100 PCIe", "H100", "H100"]
    plain = respelled(project_of(cube_of((0, "H100", 0, 5)), offers=offers), FAMILIES)
    assert [one.gpu_model for one in plain.offers] == ["H100", "H100", "H100"]
    pcie = respelled(replace(sxm, contracts=(contract("a", "NVIDIA H100 PCIe"),)), FAMILIES)
    assert [one.gpu_model for one in pcie.offers] == ["H100", "H100", "H100"]


def test_what_the_planner_says_comes_before_the_table() -> None:
    same = (Same(SameKind.MODEL, "foo", "H100"), Same(SameKind.MODEL, "H100 HBM3", "H100 HBM3"))
    project = say_same(project_of(MIXED, (contract("a", "H100 HBM3"),)), same)
    after = respelled(project, FAMILIES)
    assert after.cube.gpu_models == ("H100",)
    assert after.contracts[0].gpu_model == "H100 HBM3"


def test_decisions_in_a_row_and_in_a_circle_end_in_one_name() -> None:
    row = (Same(SameKind.MODEL, "Foo", "Bar"), Same(SameKind.MODEL, "bar", "H200 SXM"))
    after = respelled(say_same(project_of(cube_of((0, "Foo", 0, 5))), row), FAMILIES)
    assert after.cube.gpu_models == ("H200",)
    circle = (Same(SameKind.MODEL, "Foo", "Bar"), Same(SameKind.MODEL, "Bar", "Foo"))
    after = respelled(say_same(project_of(cube_of((0, "Foo", 0, 5), (1, "Bar", 0, 2))), circle), FAMILIES)
    assert after.cube.gpu_models == ("Bar",)
    assert respelled(after, FAMILIES) is after


def test_a_decision_taken_back_leaves_the_same_bits() -> None:
    first = project_of(MIXED, (contract("a", "Foo"), contract("b", "H100 SXM", "en")), (offer("o", "Foo"),))
    same = (Same(SameKind.MODEL, "Foo", "H100"), Same(SameKind.CLUSTER, "en", "main"))
    before = respelled(first, FAMILIES)
    said = respelled(say_same(before, same), FAMILIES)
    assert {one.cluster for one in said.contracts} == {"main"}
    assert {one.gpu_model for one in said.contracts} == {"H100"}
    back = take_back_same(said, same)
    back = respelled(
        replace(back, cube=MIXED, jobs=JobFacts()), FAMILIES
    )  # jobs are read from the kept rows again
    assert same_bits(back, before)


def test_a_mapping_follows_the_names() -> None:
    project = replace(
        project_of(MIXED, offers=(offer("o", "NVIDIA H100 PCIe"),)),
        mappings=(ModelMapping("H100 SXM", "NVIDIA H100 PCIe", 0.8),),
    )
    assert respelled(project, FAMILIES).mappings == (ModelMapping("H100", "H100 PCIe", 0.8),)


@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.integers(-1, 3), st.integers(0, 5), st.integers(1, 9)), max_size=30
    ),
    st.lists(st.integers(-1, 2), min_size=5, max_size=5),
)
def test_models_that_become_one_are_added_as_if_the_log_had_said_so(rows, onto) -> None:
    columns = [np.array([row[at] for row in rows], dtype=np.int64) for at in range(4)]
    cube = cube_from_entries(6, ("a", "b", "c", "d"), *columns)
    index = np.array([onto[model] for model in cube.model_index.tolist()], dtype=np.int64)
    again = with_models(cube, ("x", "y", "z"), index)
    wanted = cube_from_entries(
        6, ("x", "y", "z"), columns[0], np.array([onto[row[1]] for row in rows], dtype=np.int64), *columns[2:]
    )
    for name in ("workload_index", "model_index", "offsets", "hour", "milli_gpu_seconds"):
        assert getattr(again, name).tolist() == getattr(wanted, name).tolist()


def test_a_name_that_nobody_shares_needs_nothing_beside_it() -> None:
    of = [
        Workload(key=f"{c}/{o}/{n}", name=n, cluster=c, owner=o)
        for c, o, n in (("a", "x", "sft"), ("b", "x", "sft"), ("a", "y", "own"))
    ]
    assert {key: str(told) for key, told in names_apart(of).items()} == {"a/x/sft": "a", "b/x/sft": "b"}


@pytest.mark.parametrize(
    ("places", "beside"),
    [
        ([("a", "x"), ("b", "x")], ["a", "b"]),
        ([("a", "x"), ("a", "y")], ["x", "y"]),
        ([("a", "x"), ("b", "y")], ["a/x", "b/y"]),
        ([("a", "x"), ("b", "x"), ("a", "y")], ["a/x", "b/x", "a/y"]),
        ([("", "x"), ("b", "x")], ["no cluster", "b"]),
        ([("a", ""), ("a", "y")], ["no owner", "y"]),
        ([("a", "x"), ("a", "x")], ["", ""]),
    ],
)
def test_what_tells_two_of_a_name_apart_stands_beside_it(
    places: list[tuple[str, str]], beside: list[str]
) -> None:
    works = [
        Workload(key=f"k{at}", name="sft", cluster=cluster, owner=owner)
        for at, (cluster, owner) in enumerate(places)
    ]
    own = Workload(key="own", name="own", cluster="a", owner="x")
    every = (*works, own)
    assert [str(text) for text in names_apart(every).values()] == beside
    names = [f"sft \u00b7 {text}" if text else "sft" for text in beside]
    assert [str(text) for text in told_apart(every).values()] == [*names, "own"]
    assert [str(name_apart(work, every)) for work in every] == [*names, "own"]


def test_the_first_spelling_of_an_unknown_name_counts_of_prices_before_contracts_and_the_log() -> None:
    cube = cube_of((0, "foo bar", 0, 5))
    for contracts, offers, name in (
        ((), (), "foo bar"),
        ((contract("a", "Foo bar"),), (), "Foo bar"),
        ((contract("a", "Foo bar"),), (offer("o", " FOO BAR "),), "FOO BAR"),
        ((contract("a", "foo bar"),), (offer("o", "FOO BAR"), offer("p", "foo BAR")), "FOO BAR"),
    ):
        after = respelled(project_of(cube, contracts, offers), FAMILIES)
        assert after.cube.gpu_models == (name,)
        assert {row.gpu_model for row in (*after.contracts, *after.offers)} <= {name}


def test_a_stated_memory_sizes_a_name_where_a_file_has_that_family() -> None:
    """An A100 of 40 GB is one where some file names A100 40GB."""
    for known, memory_gb, name in (
        ("A100 40GB", 40, "A100 40GB"),
        ("A100 80GB", 40, "A100"),
        ("A100 40GB", None, "A100"),
    ):
        rows = (contract("a", "A100", "one", memory_gb), contract("b", known, "two"))
        after = respelled(project_of(cube_of((0, "H100", 0, 5)), rows), FAMILIES)
        assert [row.gpu_model for row in after.contracts] == [name, known]
        offers = (offer("o", "A100", memory_gb), offer("p", known))
        after = respelled(project_of(cube_of((0, "H100", 0, 5)), (), offers), FAMILIES)
        assert [row.gpu_model for row in after.offers] == [name, known]


def test_less_than_a_whole_gpu_keeps_its_part_in_its_name() -> None:
    rows = (contract("a", "H100 MIG 1g.10gb"), contract("b", "NVIDIA H100 PCIe"))
    offers = (offer("o", "H100 MIG 1g.10gb"), offer("p", "h100 shared"))
    after = respelled(project_of(cube_of((0, "H100", 0, 5)), rows, offers), FAMILIES)
    assert [row.gpu_model for row in after.contracts] == ["H100 MIG 1g.10gb", "H100"]
    assert [row.gpu_model for row in after.offers] == ["H100 MIG 1g.10gb", "H100 shared"]


def test_a_job_has_the_size_that_all_contracts_of_its_cluster_have() -> None:
    rows = (
        contract("a", "A100 40GB", "one"),
        contract("b", "H100", "one"),
        contract("c", "A100 80GB", "two"),
    )
    project = project_of(cube_of((0, "H100", 0, 5)), rows, clusters=("one", "two"))
    counts_as = name_of_jobs(project, FAMILIES)
    assert [counts_as(cluster, "A100") for cluster in ("one", "two", "three")] == [
        "A100 40GB", "A100 80GB", "A100",
    ]  # fmt: skip
    assert counts_as("one", "A100 80GB") == "A100 80GB" and counts_as("one", "h100 sxm") == "H100"
    both = replace(project, contracts=(*rows, contract("d", "A100 80GB", "one")))
    assert name_of_jobs(both, FAMILIES)("one", "A100") == "A100"


def test_planned_work_follows_the_names() -> None:
    """A plan of which nothing changes is the very same."""
    plans = tuple(
        Scenario(name=name, planned=(PlannedWork(name="n", pool=Pool.TRAINING, gpu_model=model, gpus=1.0),))
        for name, model in (("A", "H100 SXM"), ("B", "H100"))
    )
    project = replace(project_of(cube_of((0, "H100", 0, 5))), scenarios=plans)
    first, second = respelled(project, FAMILIES).scenarios
    assert first.planned[0].gpu_model == "H100" and second is plans[1]
