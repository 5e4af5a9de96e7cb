"""Hardware fit by hand: which contracts count, what each row has and asks for, active hours, and what stands beside."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.fit import workload_fit
from gpuplanner.domain.fit.needs import LOG, OF_MODEL, PLANNER, RULE, UNKNOWN, Needed, needs_of
from gpuplanner.domain.fit.rules import AMBER_MARGIN, Light
from gpuplanner.domain.fit.workload_fit import (
    NEED_TITLES,
    FitRow,
    Hardware,
    HardwareToday,
    Sharing,
    WorkloadFit,
    active_hours,
    fit_rows,
    fit_workloads,
    hardware_of_contract,
    hardware_of_offer,
    main_models,
    memory_of_model,
    offers_by_light,
    offers_for,
    rows_in_pool,
    shared_clusters,
    trained_need,
    worst_light,
)
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.only import ModelMapping
from gpuplanner.domain.model.cube import cube_from_entries
from gpuplanner.domain.model.intake import LoggedRun
from gpuplanner.domain.model.project import NeedsSet, Project
from gpuplanner.domain.model.tables import POOLS, GpuModel, Pool, Tables, TrainedNeed
from tests.domain.audit.conftest import (
    GPU_HOUR,
    START_S,
    make_contract,
    make_offer,
    make_project,
    make_workload,
)

GREEN, AMBER, RED = Light
TRAINING, INFERENCE, BURST = POOLS
MODELS = (
    GpuModel(name="H100", memory_gb=80.0, bandwidth_tb_per_s=None, tflops=None),
    GpuModel(name="H200", memory_gb=141.0, bandwidth_tb_per_s=None, tflops=None),
)
TABLES = Tables(gpu_models=MODELS)
END_S = START_S + 100 * 3600
SHORT = "llama-7b-ft"


def held(*contracts: Contract, gpu_model: str | None = "H100") -> list[str]:
    """Ids of what a workload of the cluster atlas runs on in a window of 100 hours."""
    project = make_project(100, [make_workload("w")], [(0, 0, 0, GPU_HOUR)], contracts)
    return [hardware.of for hardware in HardwareToday(project, MODELS).of("atlas", gpu_model)]


def contract(name: str, **facts: Any) -> Contract:
    return make_contract(name, 8, "2", **facts)


# --- Hardware of today


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
    assert (unknown.of, unknown.gpu_model, unknown.memory_gb) == ("", "H200", 141.0)
    stated = contract(
        "k", gpu_memory_gb=96.0, interconnect="roce", bare_metal=True, nic_gbps=400, term_months=2,
        pricing_category="COMMITTED",
    )  # fmt: skip
    assert hardware_of_contract(stated, MODELS) == Hardware(
        of="k",
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
        of="o",
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


# --- Rows of the table


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


def test_reasons_name_the_worst_first() -> None:
    rows = (
        row("memory", AMBER, "a"),
        row("interconnect", GREEN),
        row("bare_metal", RED, "r"),
        row("term", None),
    )
    fit = WorkloadFit(
        key="w",
        pool=TRAINING,
        gpu_model=None,
        light=RED,
        rows=rows,
        needs={},
        hardware=(),
        sharing=Sharing(),
        active_hours=1.0,
    )
    titles = [str(NEED_TITLES[name]) for name in ("bare_metal", "memory")]
    assert str(fit.reasons) == f"{titles[0]}: r; {titles[1]}: a"
    assert str(replace(fit, rows=rows[1:2]).reasons) == ""
    assert worst_light(rows) is RED and worst_light(rows[1:2]) is GREEN
    assert worst_light(rows[3:]) is worst_light(()) is None


def test_of_several_pieces_each_row_is_the_worst_and_unknown_is_no_light() -> None:
    first = (row("memory", None), row("term", AMBER, "1"))
    other = (row("memory", GREEN), row("term", AMBER, "2"))
    assert workload_fit._worst_rows([first, other]) == (other[0], first[1])
    assert workload_fit._worst_rows([other, first]) == other


def by_need(pool: Pool, needs: dict[str, Needed], hardware: Hardware, **facts: Any) -> dict[str, FitRow]:
    return {found.need: found for found in fit_rows(pool, needs, hardware, **facts)}


def train_needs(**changes: Needed) -> dict[str, Needed]:
    needs = needs_of(make_workload("w", max_nodes=2, max_milli_gpus=16_000), TRAINING, 1.0)
    return needs | changes


NODE = Hardware(
    of="k",
    gpu_model="H100",
    memory_gb=80.0,
    memory_source="said",
    interconnect="infiniband",
    bare_metal=True,
    term_hours=730.0,
    network="infiniband",
    nic_gbps=None,
)


def test_rows_of_training_say_what_there_is_and_who_says_so() -> None:
    rows = by_need(TRAINING, train_needs(), NODE, sharing=Sharing())
    assert [(name, of.light, of.has) for name, of in rows.items()][:3] == [
        ("memory", AMBER, 80.0),
        ("interconnect", GREEN, "infiniband"),
        ("bare_metal", GREEN, True),
    ]
    assert (rows["memory"].has_source, rows["interconnect"].has_source) == ("said", "k")
    assert (
        str(by_need(TRAINING, train_needs(), replace(NODE, of=""))["bare_metal"].has_source) == "not stated"
    )
    assert "own_cluster" not in by_need(
        TRAINING, train_needs(), NODE
    )  # what is not bought yet is shared by nobody


@pytest.mark.parametrize(
    ("sharing", "light", "has"),
    [
        (Sharing(), GREEN, "own"),
        (Sharing(is_shared=True), AMBER, "shared"),
        (Sharing(is_shared=True, contended_gpu_hours=0.5), RED, "contended"),
    ],
)
def test_a_cluster_is_its_own_shared_or_contended(sharing: Sharing, light: Light, has: str) -> None:
    found = by_need(TRAINING, train_needs(), NODE, sharing=sharing)["own_cluster"]
    assert (found.light, str(found.has)) == (light, has)
    waived = train_needs(own_cluster=Needed(False, PLANNER))
    assert by_need(TRAINING, waived, NODE, sharing=sharing)["own_cluster"].light is GREEN


def test_memory_of_training_is_beside_its_wish_the_planners_or_the_runs() -> None:
    def light(need: Needed, hardware: Hardware = NODE, **facts: Any) -> Light | None:
        return by_need(TRAINING, train_needs(memory_gb_per_gpu=need), hardware, **facts)["memory"].light

    small = replace(NODE, memory_gb=60.0)
    wish = Needed(141.0, RULE)
    assert (light(wish), light(wish, small), light(wish, small, renews=True)) == (AMBER, RED, AMBER)
    assert (light(Needed(80.0, PLANNER)), light(Needed(80.5, PLANNER))) == (GREEN, RED)
    run = Needed(69.0, OF_MODEL)  # 69 x 1.15 = 79.35 of 80
    assert light(run) is GREEN and light(run, replace(NODE, usable_gb=79.0)) is AMBER
    assert light(run, replace(NODE, usable_gb=69.0 / AMBER_MARGIN - 0.1)) is RED


def test_a_network_of_the_class_is_the_rules_and_that_of_the_planner_counts() -> None:
    roce = replace(NODE, interconnect="roce_400", network="roce_400")

    def light(hardware: Hardware = roce, **needs: Needed) -> Light | None:
        return by_need(TRAINING, train_needs(**needs), hardware)["interconnect"].light

    assert light() is AMBER
    assert light(interconnect=Needed("roce_400", PLANNER)) is GREEN
    assert light(interconnect=Needed("infiniband", PLANNER)) is AMBER
    assert light(interconnect=Needed(None, PLANNER)) is AMBER
    assert light(nodes=Needed(1, LOG)) is GREEN and light(nodes=Needed(None, UNKNOWN)) is GREEN
    assert light(replace(NODE, network="ethernet", nic_gbps=100)) is RED
    slow = by_need(TRAINING, train_needs(), replace(NODE, network="ethernet", nic_gbps=100))
    assert str(slow["interconnect"].reason.values["gbps"]) == "100"  # type: ignore[union-attr]


def test_bare_metal_is_asked_for_where_the_planner_does_not_waive_it() -> None:
    virtual = replace(NODE, bare_metal=False)
    for needs, light in (
        (train_needs(), RED),
        (train_needs(nodes=Needed(1, LOG)), AMBER),
        (train_needs(bare_metal=Needed(False, PLANNER)), GREEN),
    ):
        found = by_need(TRAINING, needs, virtual)["bare_metal"]
        assert (found.light, found.has) == (light, False)


def serve_needs(**changes: Needed) -> dict[str, Needed]:
    known = {
        "parameters_billion": Needed(30.0, "name", "30b"),
        "bytes_per_parameter": Needed(2.0, RULE),
        "kv_cache_gb": Needed(None, UNKNOWN),
        "gpus_per_node": Needed(1.0, LOG),
        "nodes": Needed(None, UNKNOWN),
        "interconnect": Needed(None, RULE),
    }
    return known | changes


def test_a_model_is_served_from_the_memory_of_a_job() -> None:
    """30 billion parameters of two bytes are 60 GB of one H100's 80; from 72 it is amber."""

    def model(hardware: Hardware = NODE, **needs: Needed) -> tuple[Any, ...]:
        found = by_need(INFERENCE, serve_needs(**needs), hardware)["model_memory"]
        return found.light, found.has, found.needs, found.source

    def cache(gb: float) -> Needed:
        return Needed(gb, PLANNER)

    assert model() == (None, 80.0, 60.0, "name")  # with its cache it may be over
    assert model(kv_cache_gb=cache(12.0)) == (GREEN, 80.0, 72.0, "name")
    assert model(kv_cache_gb=cache(13.0))[0] is AMBER and model(kv_cache_gb=cache(21.0))[0] is RED
    assert model(parameters_billion=Needed(37.0, "name", "37b"))[0] is AMBER
    assert model(parameters_billion=Needed(41.0, "name"))[:3] == (RED, 80.0, 82.0)
    assert model(parameters_billion=Needed(None, UNKNOWN)) == (None, 80.0, None, UNKNOWN)
    # the GPUs of a job are not known: nobody can tell; the memory of a GPU is not: it is not stated
    nowhere, unstated = Needed(None, UNKNOWN), replace(NODE, memory_gb=None)
    assert model(kv_cache_gb=cache(12.0), gpus_per_node=nowhere) == (None, None, 72.0, "name")
    assert model(unstated, kv_cache_gb=cache(12.0)) == (AMBER, None, 72.0, "name")
    assert model(unstated)[0] is model(gpus_per_node=nowhere)[0] is None
    assert model(nodes=Needed(2, LOG))[1] == 160.0
    noted = by_need(INFERENCE, serve_needs(), NODE)["model_memory"].source_words
    assert "30b" in str(noted)


def test_serving_pays_for_a_network_that_nobody_asks_for() -> None:
    def light(word: str | None, need: str | None = None) -> Light | None:
        hardware = replace(NODE, interconnect=word)
        needs = serve_needs(interconnect=Needed(need, PLANNER))
        return by_need(INFERENCE, needs, hardware)["training_grade"].light

    assert (light("infiniband"), light("ethernet"), light(None)) == (AMBER, GREEN, GREEN)
    assert light("infiniband", "roce") is GREEN


def test_a_term_is_beside_the_hours_of_work() -> None:
    def term(hours: float | None, active: float | None = 100.0) -> tuple[Any, ...]:
        needs = {"active_hours": Needed(active, LOG)}
        found = by_need(BURST, needs, replace(NODE, term_hours=hours))["term"]
        return found.light, found.has

    assert term(100.0) == (GREEN, 100.0) and term(101.0) == (AMBER, 101.0) and term(0.0) == (GREEN, 0.0)
    assert term(float("inf")) == (AMBER, None)
    assert term(None) == term(100.0, None) == (None, None)


# --- Active hours, shared clusters, and what a run of a known model needs


def test_active_hours_count_an_hour_of_two_models_once() -> None:
    """On one model 3 hours; on two 2 and 2 of which one is shared; nothing; on two 1 and the same."""
    entries = np.array(
        [
            *((0, 0, hour, 5) for hour in (1, 4, 9)),
            *((1, 0, hour, 5) for hour in (2, 3)),
            *((1, 1, hour, 5) for hour in (3, 9)),
            (3, 0, 0, 5),
            (3, 1, 0, 5),
        ]
    )
    cube = cube_from_entries(10, ("H100", "A100"), *entries.T)
    assert active_hours(cube, 4).tolist() == [3, 3, 0, 1]
    single = cube_from_entries(10, ("H100",), *entries[:3].T)
    assert active_hours(single, 2).tolist() == [3, 0]


def test_a_cluster_is_shared_by_those_that_held_gpus() -> None:
    works = [make_workload("a"), make_workload("b"), make_workload("c", "bora"), make_workload("d", "bora")]
    project = make_project(10, works, [(place, 0, 0, GPU_HOUR) for place in (0, 1, 2)])
    found = shared_clusters(project, (TRAINING, INFERENCE, BURST, TRAINING))
    assert found == {"atlas": frozenset({TRAINING, INFERENCE}), "bora": frozenset({BURST})}
    with pytest.raises(ValueError, match="argument 2 is shorter"):
        shared_clusters(project, (TRAINING,))


def test_a_run_of_a_known_model_is_asked_for_with_its_slowest_network() -> None:
    asked = []

    def trained(*of: Any) -> TrainedNeed:
        asked.append(of)
        return TrainedNeed(memory_gib=1.0)

    work = make_workload("w", max_milli_gpus=2500, sample_name="named")
    needs = {"parameters_billion": Needed(7.0, "name")}
    slow = [replace(NODE, network="ethernet", nic_gbps=gbps) for gbps in (200, 100, None)]
    assert trained_need(work, needs, "H100", [NODE, *slow], trained) == TrainedNeed(memory_gib=1.0)
    trained_need(replace(work, sample_name=""), needs, None, [replace(NODE, nic_gbps=50)], trained)
    assert asked == [(7.0, "H100", 2.5, 100, "named"), (7.0, None, 2.5, None, "w")]
    for other, known, finder in (
        (replace(work, max_milli_gpus=0), needs, trained),
        (work, {}, trained),
        (work, needs, None),
    ):
        assert trained_need(other, known, "H100", (), finder) is None
    assert len(asked) == 2


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
    assert [of.hardware[0].of for of in found] == ["k", "k", "", ""]
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
    assert out_needs(replace(project, needs={key: NeedsSet(memory_gb_per_gpu=85.0)}), None) == 85.0


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
    assert workload_fit._memory_of_models(project, MODELS) == {"H100": 80.0, "A100-40GB": 40.0}
