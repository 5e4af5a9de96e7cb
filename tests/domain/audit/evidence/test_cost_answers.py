"""Answers about costs: nothing paid is a cost of nothing, what is unknown stays unknown, parts add up."""

import pytest

from gpuplanner.domain.audit.cost_result import (
    ClusterVariance,
    ContractPart,
    EndpointCost,
    ExperimentCost,
    ModelCost,
    ModelPart,
    Period,
    PeriodCost,
    PremiumCost,
    RunCost,
    TokenCost,
    UnitCosts,
    Variance,
    VolumePart,
)
from gpuplanner.domain.audit.evidence.cost_answers import answer
from gpuplanner.domain.audit.evidence.trace import arrived
from gpuplanner.domain.audit.evidence.trace_costs import CostEvidence

WEEK = tuple(tuple(10.0 for _ in range(24)) for _ in range(7))
NOTHING = PeriodCost(0.0, 0.0, None, None, 0.0, 0.0, None)
PAID = PeriodCost(500.0, 730.0, 1.46, 2.0, 1460.0, 1460.0, None)
UNIT = UnitCosts(
    24,
    (RunCost("a//train", "train", "a", "", 0, 36_000, 40.0, 4.0, 100.0),),
    (
        ModelCost(
            "aurora", "log", 40.0, 120.0, (ModelPart("a//train", 30.0, 90.0), ModelPart("a//x", 10.0, 30.0))
        ),
        ModelCost(None, "unknown", 5.0, None, (ModelPart("a//y", 5.0, None),)),
    ),
    (
        EndpointCost(
            "a//chat", "chat", "a", "", 100.0, 1680.0, 680.0, 1000.0, (70.0,) * 24, WEEK,
            TokenCost(0, 3600, 1_500_000, 500_000, 8.0), PremiumCost(3.0, "o", 2.0, 200.0, True, 0.5, 1.0),
        ),
        EndpointCost(
            "a//idle", "idle", "a", "", 0.0, None, None, None, (None,) * 24, ((None,) * 24,) * 7, None,
            PremiumCost(None, None, None, None, False, None, None),
        ),
    ),
    (ExperimentCost("a//sweep", "sweep", "a", "", 0, 9, 4, 8.0, 10.0, 20.0, 5.0),),
    200.0,
)  # fmt: skip
CLUSTERS = (
    ClusterVariance(
        "a", PAID, PAID, 0.0, 30.0, -10.0, -20.0, (VolumePart("a//train", 12.0, 30.0),),
        (ContractPart("c", 730.0, 5.0, -20.0, -10.0),),
    ),
    ClusterVariance("b", NOTHING, NOTHING, 0.0, 0.0, 0.0, 0.0, (), ()),
)  # fmt: skip
EVIDENCE = CostEvidence(
    UNIT,
    Variance(Period(0, 730), Period(730, 1460), CLUSTERS, 1460.0, 1460.0, 0.0, 30.0, -10.0, -20.0, None),
    2.0,
)
KNOWN = (
    "run_gpus::a//train\t0", "run_hours::a//train\t0", "run_usd::a//train\t0",
    "model_workloads::log\taurora", "model_hours::log\taurora", "model_usd::log\taurora",
    "part_hours::log\taurora\ta//train", "part_usd::log\taurora\ta//train",
    "endpoint_usd::a//chat", "endpoint_idle::a//chat", "endpoint_tokens::a//chat", "endpoint_premium::a//chat",
    "experiment_jobs::a//sweep", "experiment_job_usd::a//sweep", "experiment_usd::a//sweep",
    "volume_hours:a:a//train", "volume_usd:a:a//train",
    *(f"contract_change:{part}:c" for part in ("idle", "efficiency", "price")),
    *(f"changed:{part}:{of}" for part in ("before", "volume", "efficiency", "price", "after") for of in ("", "a", "b")),
)  # fmt: skip


@pytest.mark.parametrize("figure_id", KNOWN)
def test_the_rows_arrive_at_the_figure(figure_id: str) -> None:
    trace = answer(EVIDENCE, figure_id)
    assert trace.figure_id == figure_id
    assert trace.value is not None
    assert arrived(trace) == pytest.approx(trace.value)


@pytest.mark.parametrize(
    "figure_id",
    [
        "model_usd::unknown\t",
        "endpoint_usd::a//idle",
        "endpoint_tokens::a//idle",
        "endpoint_premium::a//idle",
    ],
)
def test_what_is_unknown_is_not_worked_out(figure_id: str) -> None:
    trace = answer(EVIDENCE, figure_id)
    assert trace.value is None and arrived(trace) is None


def test_a_token_costs_what_all_of_them_cost() -> None:
    assert answer(EVIDENCE, "endpoint_tokens::a//chat").value == 4.0
