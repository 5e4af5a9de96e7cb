"""Experiments are sweeps by name, never what serves."""

import pytest

from gpuplanner.domain.audit.audit import audit
from gpuplanner.domain.audit.unit_costs.audited_past import past_of
from gpuplanner.domain.audit.unit_costs.unit_costs import unit_costs as costs_of_past
from gpuplanner.domain.model.tables import Pool
from tests.domain.audit.conftest import GPU_HOUR


def costs_of(project, classifications):
    answer = audit(project, classifications)
    return answer, costs_of_past(past_of(project, answer))


def entries(workload, spans, gpus=1, model=0):
    return [
        (workload, model, hour, int(gpus * GPU_HOUR)) for first, last in spans for hour in range(first, last)
    ]


def test_a_sweep_is_an_experiment_and_a_service_of_that_name_is_not(world):
    project = world.project(
        730,
        [world.workload("lr-sweep"), world.workload("sweep-serve"), world.workload("ablation-sft")],
        entries(0, [(0, 10)]) + entries(1, [(0, 10)]) + entries(2, [(0, 5)]),
        [world.contract("k", 3, "2")],
    )
    _, costs = costs_of(project, world.classified(Pool.BURST, Pool.INFERENCE, Pool.TRAINING))
    assert [(row.name, row.cost_in_window, row.cost_per_job) for row in costs.experiments] == [
        ("lr-sweep", pytest.approx(20), pytest.approx(20)),
        ("ablation-sft", pytest.approx(10), pytest.approx(10)),
    ]
