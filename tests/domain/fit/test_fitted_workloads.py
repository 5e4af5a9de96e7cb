"""Hardware fit of all workloads: lights, hours, sharing and costs; and the offers of one workload."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from gpuplanner.domain.fit import hardware
from gpuplanner.domain.fit.fit_rows import FitRow
from gpuplanner.domain.fit.needs import OF_MODEL, PLANNER, RULE, UNKNOWN, Needed
from gpuplanner.domain.fit.offer_fit import offers_by_light, offers_for
from gpuplanner.domain.fit.rules import Light
from gpuplanner.domain.fit.workload_fit import WorkloadFit, fit_workloads, rows_in_pool
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.only import ModelMapping
from gpuplanner.domain.model.hardware_needs import NeedsSet
from gpuplanner.domain.model.intake import LoggedRun
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import POOLS, GpuModel, Pool, Tables, TrainedNeed
from tests.domain.audit.conftest import GPU_HOUR, make_contract, make_offer, make_project, make_workload

GREEN, AMBER, RED = Light
TRAINING, INFERENCE, BURST = POOLS
MODELS = (
    GpuModel(name="H100", memory_gb=80.0, bandwidth_tb_per_s=None, tflops=None),
    GpuModel(name="H200", memory_gb=141.0, bandwidth_tb_per_s=None, tflops=None),
)
TABLES = Tables(gpu_models=MODELS)
SHORT = "llama-7b-ft"


def contract(name: str, **facts: Any) -> Contract:
    return make_contract(name, 8, "2", **facts)


def row(need: str, light: Light | None, reason: str = "") -> FitRow:
    return FitRow(
        need=need,
        light=light,
        has=None,
        needs=None,
        source="log",
        source_words="",
        has_source="",
        reason=reason,
    )  # type: ignore[arg-type]


# --- All workloads


def fits(
    project: Project, *pools: Pool, usd: Sequence[float | None] | None = None, tables: Tables = TABLES
) -> tuple[WorkloadFit, ...]:
    count = len(project.workloads)
    return fit_workloads(project, pools, [0.0] * count, usd or [None] * count, tables)


def test_each_workload_has_its_light_hours_sharing_and_hardware() -> None:
    """Two on one cluster, 5 and 2 hours; on a second a workload that shares it with its own class."""
    works = [make_workload("a", max_nodes=1, max_milli_gpus=8000), make_workload("b")]
    works += [make_workload(name, "bora") for name in ("c", "d")]
    entries = [(0, 0, hour, GPU_HOUR) for hour in range(5)] + [(1, 0, hour, GPU_HOUR) for hour in (7, 8)]
    project = make_project(100, works, [*entries, (2, 0, 0, GPU_HOUR), (3, 0, 0, GPU_HOUR)], [contract("k")])
    found = fit_workloads(
        project, (TRAINING, INFERENCE, BURST, BURST), (4.0, 0.0, 0.0, 0.0), [10.0, None, None, None], TABLES
    )
    assert [(of.pool, of.active_hours, of.sharing.is_shared) for of in found] == [
        (TRAINING, 5.0, True),
        (INFERENCE, 2.0, True),
        (BURST, 1.0, False),
        (BURST, 1.0, False),
    ]
    assert found[0].sharing.contended_gpu_hours == 4.0 and found[0].light is RED
    assert [of.hardware[0].contract_or_offer for of in found] == ["k", "k", "", ""]
    assert [of.network for of in found] == [None] * 4
    assert {row.need for row in rows_in_pool(found[1], project.workloads[1], BURST, NeedsSet())} == {"term"}
    asked = rows_in_pool(found[0], project.workloads[0], TRAINING, NeedsSet(memory_gb_per_gpu=81.0))
    assert (asked[0].need, asked[0].light) == ("memory", RED)
    assert "own_cluster" not in {row.need for row in asked}


def spread(name: str = SHORT, **facts: Any) -> Project:
    """Training on two nodes: 73 GPU-hours in a tenth of a month are 730 a month."""
    work = make_workload(name, max_nodes=2, max_milli_gpus=16_000, longest_job_s=7200)
    offers = [make_offer("od", "4"), make_offer("h2", "6", gpu_model="H200")]
    made = make_project(
        73, [work], [(0, 0, hour, GPU_HOUR) for hour in range(73)], [contract("k", **facts)], offers
    )
    return made


def test_training_on_several_nodes_has_the_cost_of_its_network() -> None:
    """2 hours on 16 GPUs; $1,460 a month of 730 GPU-hours are $2 each."""
    (of,) = fits(spread(interconnect="infiniband"), TRAINING, usd=[1460.0])
    assert of.network is not None and of.network.has == "infiniband"
    assert of.network.usd_per_gpu_hour == pytest.approx(2.0) and of.network.infiniband is not None
    assert of.network.infiniband.run_usd == pytest.approx(64.0)
    for pool in (INFERENCE, BURST):
        assert fits(spread(interconnect="infiniband"), pool)[0].network is None


def test_what_a_known_model_needs_stands_in_place_of_the_rule() -> None:
    """78.44 GiB are rounded to a tenth; 7 billion parameters are named."""
    run = TrainedNeed(memory_gib=78.44, step_s=2.0, slow_step_s=20.0, card_gib=79.0)
    tables = replace(TABLES, trained=lambda *_: run)
    (of,) = fits(spread(), TRAINING, usd=[1460.0], tables=tables)
    need = of.needs["memory_gb_per_gpu"]
    assert (need.value, need.source) == (78.4, OF_MODEL)
    assert [node.usable_gb for node in of.hardware] == [79.0]
    elsewhere = {row.gpu_model: row for row in of.elsewhere()}
    # as fast as H100: 730 GPU-hours at $6
    assert elsewhere["H200"].cost_per_month == pytest.approx(4380) and elsewhere["H200"].ratio == 1.0
    (other,) = fits(spread("sft"), TRAINING, tables=tables)  # its name says no size
    assert (other.needs["memory_gb_per_gpu"].source, other.elsewhere()) == (RULE, ())
    own = replace(spread(), needs={"atlas/team/" + SHORT: NeedsSet(memory_gb_per_gpu=40.0)})
    (kept,) = fits(own, TRAINING, tables=tables)
    assert kept.needs["memory_gb_per_gpu"].source == PLANNER and kept.hardware[0].usable_gb is None
    (served,) = fits(spread(), INFERENCE, tables=tables)
    assert served.elsewhere() == ()
    (burst,) = fits(spread(), BURST, tables=tables)
    assert burst.network is None and burst.elsewhere() == ()  # a burst asks for no size


def test_jobs_that_ran_out_of_memory_stand_with_their_workload() -> None:
    project = spread()
    key = project.workloads[0].key
    runs = (
        LoggedRun(
            key=key,
            gpu_model="H100",
            job_id="1",
            milli_gpus=8000,
            start_s=0,
            end_s=3600,
            state="OUT_OF_MEMORY",
        ),
    )
    project = replace(project, jobs=replace(project.jobs, runs=runs))
    (of,) = fits(project, TRAINING)
    ((out,), unknown) = (of.ran_out, out_needs(project, None))
    assert (out.jobs, out.memory_gb, out.needs_gib, out.would_hold) == (1, 80.0, None, ("H200",))
    assert unknown == out.needs_gib
    assert out_needs(project, TrainedNeed(memory_gib=90.0)) == 90.0
    stated = replace(project, needs={key: NeedsSet(memory_gb_per_gpu=85.0)})
    assert out_needs(stated, None) == 85.0
    (serves,) = fits(stated, INFERENCE)  # what a service asks for is no training's
    assert serves.ran_out[0].needs_gib is None


def out_needs(project: Project, run: TrainedNeed | None) -> float | None:
    (of,) = fits(project, TRAINING, tables=replace(TABLES, trained=lambda *_: run))
    return of.ran_out[0].needs_gib


def test_serving_pays_a_premium_on_its_own_contracts() -> None:
    """73 GPU-hours in a tenth of a month; the contract's $2 beside $1.50 of the same term without InfiniBand."""
    project = spread(interconnect="infiniband", term_months=12, pricing_category="COMMITTED")
    cheap = make_offer("e", "1.5", term_months=12, pricing_category="COMMITTED", interconnect="ethernet")
    project = replace(project, offers=(cheap,))
    (of,) = fits(project, INFERENCE)
    assert of.premium is not None and of.premium.usd_per_month == pytest.approx(730 * 0.5)
    (trains,) = fits(project, TRAINING)
    assert trains.premium is None
    far = replace(project, contracts=(replace(project.contracts[0], cluster="bora"),))
    assert fits(far, INFERENCE)[0].premium is None


# --- Offers of one workload


def test_offers_stand_by_their_light_then_their_id() -> None:
    (of,) = fits(spread(gpu_memory_gb=80.0), TRAINING)
    full = {"bare_metal": True, "interconnect": "infiniband"}
    offers = [
        make_offer("c", "1", gpu_memory_gb=141.0, **full),
        make_offer("b", "1", gpu_memory_gb=40.0, **full),  # renewed: at worst amber
        make_offer("a", "1", **full),
        make_offer("r", "1", gpu_memory_gb=141.0, bare_metal=False, interconnect="infiniband"),
        make_offer("z", "1", gpu_model="H200", gpu_memory_gb=40.0, **full),
        make_offer("no", "1", gpu_model="A100"),
    ]
    mapped = [ModelMapping("H100", "H200", 2.0)]
    assert [(found.offer_id, found.light) for found in offers_for(of, offers, mapped)] == [
        ("c", GREEN), ("a", AMBER), ("b", AMBER), ("r", RED), ("z", RED),
    ]  # fmt: skip
    assert [found.offer_id for found in offers_for(of, offers)] == ["c", "a", "b", "r"]
    open_to_all = replace(of, gpu_model=None)
    assert len(offers_for(open_to_all, offers)) == 6
    by_light, same = offers_by_light([of, of], offers)
    assert by_light is same and by_light == {GREEN: ["c"], AMBER: ["a", "b"], RED: ["r"]}
    other = offers_by_light(
        [of, replace(of, pool=BURST, needs={"active_hours": Needed(None, UNKNOWN)})], offers
    )
    assert other[1] == {None: ["a", "b", "c", "r"]}


def test_an_offer_of_the_model_of_today_holds_what_its_card_does() -> None:
    tables = replace(TABLES, trained=lambda *_: TrainedNeed(memory_gib=78.4, card_gib=78.0))
    (of,) = fits(spread(), TRAINING, tables=tables)
    full = {"bare_metal": True, "interconnect": "infiniband"}
    stated = [
        make_offer("a", "1", gpu_memory_gb=86.0, **full),
        make_offer("b", "1", gpu_memory_gb=95.0, **full),
    ]
    found = {offer.offer_id: offer.light for offer in offers_for(of, stated)}
    assert found == {"a": AMBER, "b": GREEN}  # 78.4 of 78, which is within a tenth of 86 and not of 95
    mapped = [ModelMapping("H100", "H200", 1.0)]
    (other,) = offers_for(of, [replace(stated[0], gpu_model="H200", gpu_memory_gb=86.0)], mapped)
    assert other.light is AMBER  # 78.4 x 1.15 = 90.2
    (large,) = offers_for(of, [replace(stated[1], gpu_model="H200")], mapped)
    assert large.light is GREEN


def test_memory_is_known_of_models_by_name_and_table() -> None:
    sold = (make_offer("o", "1", gpu_model="A100-40GB"), make_offer("x", "1", gpu_model="X1"))
    project = replace(spread(), offers=sold)
    assert hardware.memory_by_model(project, MODELS) == {"H100": 80.0, "A100-40GB": 40.0}
