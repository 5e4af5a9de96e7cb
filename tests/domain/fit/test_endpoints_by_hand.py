"""What is sized for an endpoint: its requests, the GPUs that the log has for it, and what takes their place."""

from dataclasses import replace
from math import inf
from types import SimpleNamespace
from typing import Any

import pytest

from gpuplanner.domain.fit.endpoint_sizing import _break_even, _cheaper_first, _held_in_log, size_endpoint
from gpuplanner.domain.fit.needs import OF_MODEL, as_sized, load_of_endpoint, needs_of
from gpuplanner.domain.fit.workload_fit import _memory_of_job, _memory_of_models, fit_workloads, main_models
from gpuplanner.domain.model.places import ServingChoice, WeekRates
from gpuplanner.domain.model.project import NeedsSet, Project
from gpuplanner.domain.model.tables import GpuModel, Pool
from gpuplanner.files.lists.served_models import model_named
from gpuplanner.files.system.resources import read_served_models, read_serving_tables, read_tables
from tests.domain import worlds

CHAT = "atlas/team/chat"
WEEK = WeekRates((2.0, 1.0, *[None] * 166))


def past() -> Project:
    return worlds.past().project


def test_requests_are_of_a_week_where_one_was_read_else_of_the_traffic() -> None:
    of = past()
    counted = replace(of.traffic[CHAT], requests=((60, 6, 250), (30, 3, 120)))
    of = replace(of, traffic={CHAT: counted})
    traffic = load_of_endpoint(of, CHAT, of.assumptions)
    assert traffic is not None and traffic.peak_requests_per_s == 6 / 60
    with_week = replace(of, serving={CHAT: ServingChoice(week=WEEK)})
    week = load_of_endpoint(with_week, CHAT, of.assumptions)
    assert week is not None and max(hour.requests_per_s for hour in week.hours) == 2.0
    assert load_of_endpoint(of, "atlas/team/sft", of.assumptions) is None


def test_gpus_of_today_are_those_of_the_log() -> None:
    """chat has 2 H100 in each of 100 hours, dev 3 A100 in every other hour."""
    of = past()
    assert _held_in_log(of, CHAT) == ("H100", 2.0)
    assert _held_in_log(of, "bora/team/dev") == ("A100", 1.5)
    assert _held_in_log(of, "x") is None
    assert main_models(of) == ["H100", "H100", "A100"]


def test_an_endpoint_without_a_model_or_requests_is_not_sized() -> None:
    of, tables = past(), read_serving_tables()
    for serving in ({}, {CHAT: ServingChoice(week=WEEK)}):
        project = replace(of, serving=serving, traffic={})
        assert size_endpoint(project, CHAT, of.assumptions, of.offers, tables) is None
    rated = replace(of, serving={CHAT: ServingChoice(week=WEEK, rates=(("H100", 1.0),))})
    sized = size_endpoint(rated, CHAT, of.assumptions, of.offers, tables)
    assert sized is not None and [cost.row.gpu_model for cost in sized.costs] == ["H100"]
    assert sized.ratios == () and sized.terms.spare == 0


def test_a_served_model_needs_what_it_is_sized_with_where_its_requests_are_known() -> None:
    """Llama 3.1 8B keeps 2 x 32 x 8 x 128 values a token at 2 bytes: 131,072 bytes; 8 requests at once are held."""
    of, model = past(), model_named("Llama 3.1 8B", read_served_models())
    served = replace(of, serving={CHAT: ServingChoice(model=model, week=WEEK)})
    workload = next(work for work in of.workloads if work.key == CHAT)
    load = load_of_endpoint(served, CHAT, of.assumptions)
    assert load is not None and load.longest_tokens <= 8 * load.tokens_per_request
    needs = needs_of(workload, Pool.INFERENCE, 100.0)
    found = as_sized(served, CHAT, needs)
    assert {name: need.source for name, need in found.items()} == dict.fromkeys(
        ("parameters_billion", "kv_cache_gb"), OF_MODEL
    )
    assert found["parameters_billion"].value == pytest.approx(8.030261248)
    assert found["kv_cache_gb"].value == pytest.approx(8 * load.tokens_per_request * 131_072 / 1e9)
    own = needs_of(workload, Pool.INFERENCE, 100.0, NeedsSet(kv_cache_gb=7.0))
    assert list(as_sized(served, CHAT, own)) == ["parameters_billion"]  # what the planner set stays
    unknown = replace(of, serving={CHAT: ServingChoice(model=model)}, traffic={})
    assert as_sized(of, CHAT, needs) == as_sized(unknown, CHAT, needs) == {}
    count = len(of.workloads)
    fits = fit_workloads(served, [Pool.INFERENCE] * count, [0.0] * count, [None] * count, read_tables())
    row = next(row for fit in fits if fit.key == CHAT for row in fit.rows if row.need == "model_memory")
    weights = 2 * 8.030261248
    assert (row.source, row.needs) == (OF_MODEL, pytest.approx(weights + found["kv_cache_gb"].value))


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
    assert _memory_of_job(asked({"gpus_per_node": per_node, "nodes": nodes}, memory_gb=memory)) == gb


def test_memory_is_known_of_models_of_prices_contracts_and_the_log() -> None:
    of = past()
    models = (
        GpuModel(name="H100", memory_gb=80.0, bandwidth_tb_per_s=3.35, tflops=989.0),
        GpuModel(name="L4", memory_gb=24.0, bandwidth_tb_per_s=0.3, tflops=100.0),
    )
    known = _memory_of_models(of, models)
    assert known["H100"] == 80.0 and "L4" not in known


@pytest.mark.parametrize(
    ("replica_requests", "replica_usd", "spare", "result"),
    [
        (3_000_000.0, 1000.0, 0, 1_000_000.0),
        (1_500_000.0, 1000.0, None, 5_000_000.0),
        (1_500_000.0, 1000.0, 0, 2_000_000.0),
        (500_000.0, 1000.0, 0, None),
        (1_000_000.0, 1000.0, 0, None),  # a full replica costs as much as the API
        (4_000_000.0, 1000.0, None, 1_000_000.0),
        (4_000_000.0, 1000.0, 1, 2_000_000.0),
        (3_000_000.0, 1000.0, 2, 4_000_000.0),  # two that are asked for, and two beside them
        (10_000_000.0, 1000.0, 2, 3_000_000.0),
    ],
)
def test_replicas_pay_from_so_many_requests_on(
    replica_requests: float, replica_usd: float, spare: int | None, result: float | None
) -> None:
    """A request costs a tenth of a cent. Of replicas of 1.5 million the second pays once requests cost as much as two
    of them, $2,000; at 3 million a third costs what these do."""
    assert _break_even(0.001, replica_requests, replica_usd, spare) == (
        None if result is None else pytest.approx(result)
    )


def test_rows_stand_by_their_dollars_and_the_unknown_last() -> None:
    rows = [
        SimpleNamespace(cost_per_month=usd, gpus_peak=gpus)
        for usd, gpus in ((None, 1), (5.0, 2), (5.0, None), (4.0, 9))
    ]
    assert [_cheaper_first(row) for row in sorted(rows, key=_cheaper_first)] == [
        (4.0, 9),
        (5.0, 0),
        (5.0, 2),
        (inf, 1),
    ]  # type: ignore[arg-type]
