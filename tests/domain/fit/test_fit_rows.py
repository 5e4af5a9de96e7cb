"""Rows of the hardware fit: reasons, the worst of several pieces, and what each row has and needs."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.fit.fit_rows import FitRow, Sharing, fit_rows, worst_light, worst_rows
from gpuplanner.domain.fit.hardware import Hardware
from gpuplanner.domain.fit.needs import LOG, OF_MODEL, PLANNER, RULE, UNKNOWN, Needed, needs_of
from gpuplanner.domain.fit.rules import AMBER_MARGIN, Light
from gpuplanner.domain.fit.workload_fit import (
    NEED_TITLES,
    WorkloadFit,
    active_hours,
    shared_clusters,
    trained_need,
)
from gpuplanner.domain.model.cube import cube_from_entries
from gpuplanner.domain.model.tables import POOLS, Pool, TrainedNeed
from tests.domain.audit.conftest import GPU_HOUR, make_project, make_workload

GREEN, AMBER, RED = Light
TRAINING, INFERENCE, BURST = POOLS
NODE = Hardware(
    contract_or_offer="k",
    gpu_model="H100",
    memory_gb=80.0,
    memory_source="said",
    interconnect="infiniband",
    bare_metal=True,
    term_hours=730.0,
    network="infiniband",
    nic_gbps=None,
)


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
    assert worst_rows([first, other]) == (other[0], first[1])
    assert worst_rows([other, first]) == other


def by_need(pool: Pool, needs: dict[str, Needed], hardware: Hardware, **facts: Any) -> dict[str, FitRow]:
    return {found.need: found for found in fit_rows(pool, needs, hardware, **facts)}


def train_needs(**changes: Needed) -> dict[str, Needed]:
    needs = needs_of(make_workload("w", max_nodes=2, max_milli_gpus=16_000), TRAINING, 1.0)
    return needs | changes


def test_rows_of_training_say_what_there_is_and_who_says_so() -> None:
    rows = by_need(TRAINING, train_needs(), NODE, sharing=Sharing())
    assert [(name, of.light, of.has) for name, of in rows.items()][:3] == [
        ("memory", AMBER, 80.0),
        ("interconnect", GREEN, "infiniband"),
        ("bare_metal", GREEN, True),
    ]
    assert (rows["memory"].has_source, rows["interconnect"].has_source) == ("said", "k")
    unnamed = replace(NODE, contract_or_offer="")
    assert str(by_need(TRAINING, train_needs(), unnamed)["bare_metal"].has_source) == "not stated"
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
