"""Models share a workload by GPU time: of the log, of a name, unknown."""

from dataclasses import replace

import pytest

from gpuplanner.domain.audit.audit import audit
from gpuplanner.domain.audit.cost_result import ModelCost
from gpuplanner.domain.audit.unit_costs.audited_past import past_of
from gpuplanner.domain.audit.unit_costs.model_costs import model_costs
from gpuplanner.domain.audit.unit_costs.unit_costs import unit_costs as costs_of_past
from gpuplanner.domain.model.tables import Pool
from tests.domain.audit.conftest import GPU_HOUR, make_project, make_workload


def costs_of(project, classifications):
    answer = audit(project, classifications)
    return answer, costs_of_past(past_of(project, answer))


def entries(workload, spans, gpus=1, model=0):
    return [
        (workload, model, hour, int(gpus * GPU_HOUR)) for first, last in spans for hour in range(first, last)
    ]


def test_models_of_the_log_of_a_name_and_of_nobody_share_out_a_workload(world):
    project = world.project(
        730,
        [
            world.workload("sft", model_time=(("aurora-l", 30 * GPU_HOUR), ("aurora-s", 10 * GPU_HOUR))),
            world.workload("llama-b-chat", sample_name="Llama3_70B-chat run 12"),
            world.workload("thing"),
        ],
        entries(0, [(0, 50)]) + entries(1, [(0, 10)]) + entries(2, [(0, 20)]),
        [world.contract("k", 3, "2")],
    )
    _, costs = costs_of(project, world.classified(Pool.TRAINING, Pool.INFERENCE, Pool.BURST))
    found = {(row.model, row.source): row.cost_per_month for row in costs.models}
    assert found == {
        ("aurora-l", "log"): pytest.approx(60),
        ("aurora-s", "log"): pytest.approx(20),
        (None, "unknown"): pytest.approx(60),  # 10 h of sft and 20 h of thing
        ("llama-70b", "name"): pytest.approx(20),
    }


def test_models_share_a_workload_by_gpu_time_and_are_listed_by_cost() -> None:
    """a: 3 of its 4 GPU-h are llama's, 1 of no model; b: 2 are Llama's. $8 and $5."""
    works = [
        make_workload("a", model_time=(("llama", 3 * GPU_HOUR),), milli_gpu_seconds=4 * GPU_HOUR),
        make_workload("b", model_time=(("Llama", 2 * GPU_HOUR),), milli_gpu_seconds=2 * GPU_HOUR),
        make_workload("c"),
    ]
    project = make_project(1, [], [])
    project = replace(project, workloads=tuple(works))
    rows = model_costs(project, [8.0, 5.0, 1.0])
    assert [(row.model, row.source, row.gpu_hours, row.cost_per_month) for row in rows] == [
        ("llama", "log", 5.0, pytest.approx(11.0)),
        (None, "unknown", 1.0, pytest.approx(2.0)),
    ]
    assert [part.key for part in rows[0].parts] == [works[0].key, works[1].key]
    assert model_costs(project, [None, 5.0, 1.0])[0].cost_per_month is None


@pytest.mark.parametrize(
    ("model", "source", "subject"),
    [("llama", "log", "log\tllama"), ("llama", "name", "name\tllama"), (None, "unknown", "unknown\t")],
)
def test_a_model_is_told_from_others_by_its_name_and_who_says_it(
    model: str | None, source: str, subject: str
) -> None:
    cost = ModelCost(model=model, source=source, gpu_hours=1.0, cost_per_month=None, parts=())
    assert (cost.subject, cost.workloads) == (subject, 0)
