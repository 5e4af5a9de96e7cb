"""Answers about costs: nothing paid is a cost of nothing, what is unknown stays unknown, parts add up."""

from dataclasses import replace
from functools import cache

import pytest

from gpuplanner.domain.audit.audit import audit
from gpuplanner.domain.audit.chargeback import charged, charges
from gpuplanner.domain.audit.cost_result import ChargeBy
from gpuplanner.domain.audit.unit_costs.audited_past import past_of
from gpuplanner.domain.audit.unit_costs.unit_costs import unit_costs
from gpuplanner.domain.audit.variance import halves, variance
from gpuplanner.domain.evidence.costs.cost_answers import WHY as OF_COSTS
from gpuplanner.domain.evidence.costs.cost_evidence import CostEvidence
from gpuplanner.domain.model.assumptions import IdleRule
from gpuplanner.domain.model.places import Traffic
from gpuplanner.domain.model.tables import Pool
from tests.arrived import arrived
from tests.domain.audit.conftest import (
    GPU_HOUR,
    START_S,
    classified,
    make_contract,
    make_offer,
    make_project,
    make_workload,
)
from tests.oracle.projects import random_case

answer = OF_COSTS.answer
HOURS = 1460
PARTS = ("before", "volume", "efficiency", "price", "after")


def evidence_of(project, classifications) -> CostEvidence:
    answered = audit(project, classifications)
    past = past_of(project, answered)
    changes = variance(past, *halves(project.window))
    return CostEvidence(unit=unit_costs(past), variance=changes, past=past, charged=charged(past, answered))


@cache
def made() -> CostEvidence:
    """A run on two models, a sweep, an endpoint with traffic; on another cluster one that nobody has a price for."""
    work = [
        make_workload("sft", model_time=(("aurora", 90 * GPU_HOUR),)),
        make_workload("chat", activity=0.25),
        make_workload("lr-sweep"),
        make_workload("rank", cluster="b"),
    ]
    entries = [
        *((0, 0, hour, 2 * GPU_HOUR) for hour in range(60)),
        *((1, 0, hour, GPU_HOUR) for hour in range(20, HOURS)),
        *((2, 0, hour, 3 * GPU_HOUR) for hour in range(900, 910)),
        *((3, 1, hour, GPU_HOUR) for hour in range(5)),
    ]
    contracts = [make_contract("c", 2, "2.50"), make_contract("d", 1, "3", start_s=START_S + 800 * 3600)]
    project = make_project(HOURS, work, entries, contracts, [make_offer("od", "6")])
    traffic = Traffic(
        start_s=START_S + 360_000, end_s=START_S + 367_200, hours=((START_S + 360_000, 1_500_000, 500_000),)
    )
    project = replace(project, traffic={work[1].key: traffic})
    pools = (Pool.TRAINING, Pool.INFERENCE, Pool.BURST, Pool.INFERENCE)
    return evidence_of(project, classified(*pools))


def ids_of(evidence: CostEvidence) -> list[str]:
    """Every figure of costs that can be asked about, also where it is unknown."""
    unit, found = evidence.unit, []
    for run in unit.runs:
        found += [f"{kind}::{run.subject}" for kind in ("run_gpus", "run_hours", "run_usd")]
    for model in unit.models:
        found += [f"{kind}::{model.subject}" for kind in ("model_workloads", "model_hours", "model_usd")]
        found += [
            f"{kind}::{model.subject}\t{part.key}"
            for part in model.parts
            for kind in ("part_hours", "part_usd")
        ]
    kinds = ("usd", "idle", "tokens", "premium", "paid", "at_offer")
    found += [f"endpoint_{kind}::{row.key}" for row in unit.endpoints for kind in kinds]
    kinds = ("experiment_jobs", "experiment_job_usd", "experiment_usd")
    found += [f"{kind}::{row.key}" for row in unit.experiments for kind in kinds]
    found += [f"changed:{part}:{of.cluster}" for of in evidence.variance.clusters for part in PARTS]
    for row in evidence.variance.clusters:
        found += [f"volume_usd:{row.cluster}:{part.key}" for part in row.workloads]
        found += [f"volume_hours:{row.cluster}:{part.key}" for part in row.workloads]
        found += [
            f"contract_change:{what}:{part.contract_id}"
            for part in row.contracts
            for what in ("idle", "efficiency", "price")
        ]
    return found + [f"changed:{part}:" for part in PARTS]


def charge_ids_of(evidence: CostEvidence) -> list[str]:
    """Every figure of who pays."""
    kinds = ("hours", "direct", "idle", "overflow", "total", "budget", "left")
    return [
        f"charge_{kind}:{by}:{row.subject}"
        for by in ChargeBy
        for who_pays in (charges(evidence.past.project, evidence.charged, by),)
        for row in (*who_pays.rows, who_pays.whole)
        for kind in kinds
    ]


def holds(evidence: CostEvidence, figure_id: str) -> None:
    trace = answer(evidence, figure_id)
    assert trace.figure_id == figure_id
    made_of = arrived(trace)
    if trace.value is None:
        assert made_of is None, figure_id
    else:
        assert made_of == pytest.approx(trace.value, abs=0.004), figure_id


@pytest.mark.parametrize("figure_id", ids_of(made()))
def test_the_rows_arrive_at_the_figure(figure_id: str) -> None:
    holds(made(), figure_id)
    assert answer(made(), figure_id).value is not None or "b/team/rank" in figure_id or "unknown" in figure_id


@pytest.mark.parametrize("seed", range(6))
def test_the_rows_arrive_at_every_figure_of_any_project(seed: int) -> None:
    case = random_case(seed)
    evidence = evidence_of(case.project, case.classifications)
    for figure_id in ids_of(evidence):
        holds(evidence, figure_id)


@pytest.mark.parametrize("rule", IdleRule)
@pytest.mark.parametrize("seed", range(2))
def test_the_rows_arrive_at_what_everybody_is_charged(seed: int, rule: IdleRule) -> None:
    case = random_case(seed)
    project = replace(
        case.project,
        assumptions=replace(case.project.assumptions, idle_shared_by=rule),
        workloads=tuple(replace(one, owner=one.name) for one in case.project.workloads),
        contracts=tuple(
            replace(one, owner=owner)
            for one, owner in zip(case.project.contracts, ("w0", "hr", None, ""), strict=False)
        ),
        budgets={"W1": 900.0, "hr": 10.0},
    )
    evidence = evidence_of(project, case.classifications)
    for figure_id in charge_ids_of(evidence):
        holds(evidence, figure_id)
    kept = charges(project, evidence.charged, ChargeBy.TEAM)
    for row in kept.rows:
        assert answer(evidence, f"charge_left:team:{row.subject}").value == row.left_in_window
        assert answer(evidence, f"charge_total:team:{row.subject}").value == row.total_in_window


def test_what_is_explained_is_what_was_kept_to_the_bit() -> None:
    evidence = made()
    kept = {f"run_gpus::{run.subject}": run.mean_gpus for run in evidence.unit.runs}
    for model in evidence.unit.models:
        kept |= {f"part_usd::{model.subject}\t{part.key}": part.cost_per_month for part in model.parts}
    for row in evidence.unit.endpoints:
        kept[f"endpoint_idle::{row.key}"] = row.inactive_per_month
        kept[f"endpoint_tokens::{row.key}"] = row.cost_per_million_tokens
        kept[f"endpoint_premium::{row.key}"] = row.premium_per_month
    kept |= {f"experiment_job_usd::{row.key}": row.cost_per_job for row in evidence.unit.experiments}
    assert {figure_id: answer(evidence, figure_id).value for figure_id in kept} == kept


@pytest.mark.parametrize("kind", ["usd", "idle", "tokens", "premium"])
def test_what_is_unknown_is_not_worked_out(kind: str) -> None:
    trace = answer(made(), f"endpoint_{kind}::b/team/rank")
    assert trace.value is None and arrived(trace) is None


def test_a_token_costs_what_all_of_them_cost() -> None:
    # two hours of one GPU at 2.50 $, for 1.5 and 0.5 million tokens
    assert answer(made(), "endpoint_tokens::atlas/team/chat").value == pytest.approx(2.5)


def test_a_run_names_who_served_it() -> None:
    trace = answer(made(), f"run_usd::{made().unit.runs[0].subject}")
    # two GPUs for 60 h; from hour 20 on a third is asked for, and the missing one is shared by GPU time
    assert {str(row.name) for row in trace.rows} == {"c", "H100 on demand"}
    assert trace.value == pytest.approx(20 * 2 * 2.5 + 40 * (2 * 2.5 + 6) * 2 / 3)
