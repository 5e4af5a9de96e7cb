"""Training runs end at long gaps, and add up to their workload."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.audit.audit import audit
from gpuplanner.domain.audit.unit_costs.audited_past import past_of
from gpuplanner.domain.audit.unit_costs.unit_costs import unit_costs as costs_of_past
from gpuplanner.domain.model.tables import Pool
from tests.domain.audit.conftest import GPU_HOUR, make_project, make_workload

# by hand

START_S = 1_782_864_000  # 2026-07-01T00:00:00Z, a Wednesday


def costs_of(project, classifications):
    answer = audit(project, classifications)
    return answer, costs_of_past(past_of(project, answer))


def entries(workload, spans, gpus=1, model=0):
    return [
        (workload, model, hour, int(gpus * GPU_HOUR)) for first, last in spans for hour in range(first, last)
    ]


def test_a_run_ends_where_the_gap_is_longer_than_the_assumption_and_not_where_it_is_as_long(world):
    project = world.project(
        200,
        [world.workload("sft")],
        entries(0, [(0, 4), (28, 30), (55, 60)], gpus=2),  # gaps of 24 h and of 25 h
        [world.contract("k", 4, "2.50")],
    )
    _, costs = costs_of(project, world.classified(Pool.TRAINING))
    found = [
        ((run.start_s - START_S) // 3600, (run.end_s - START_S) // 3600, run.cost, run.mean_gpus)
        for run in costs.runs
    ]
    assert found == [
        (0, 30, pytest.approx(6 * 2 * 2.5), pytest.approx(12 / 30)),
        (55, 60, pytest.approx(5 * 2 * 2.5), pytest.approx(2)),
    ]
    longer = replace(project, assumptions=replace(project.assumptions, run_gap_hours=25))
    assert len(costs_of(longer, world.classified(Pool.TRAINING))[1].runs) == 1


def test_a_run_on_two_gpu_models_is_one_run(world):
    project = world.project(
        10,
        [world.workload("sft")],
        entries(0, [(0, 6)], model=0) + entries(0, [(3, 9)], model=1),
        [world.contract("k", 4, "2"), world.contract("a", 4, "1", gpu_model="A100")],
    )
    _, costs = costs_of(project, world.classified(Pool.TRAINING))
    (run,) = costs.runs
    assert (run.gpu_hours, run.cost) == (pytest.approx(12), pytest.approx(6 * 2 + 6 * 1))
    assert (run.end_s - run.start_s) // 3600 == 9


def test_one_run_without_a_rate_leaves_the_others_known(world):
    """Overflow has no on-demand rate: only the run that overflowed is unknown, and the workload with it."""
    project = world.project(
        100,
        [world.workload("sft")],
        entries(0, [(0, 4)], gpus=1) + entries(0, [(50, 52)], gpus=3),
        [world.contract("k", 2, "2")],
    )
    answer, costs = costs_of(project, world.classified(Pool.TRAINING))
    assert answer.workloads[0].usd_per_month is None
    assert [run.cost for run in costs.runs] == [pytest.approx(8), None]


@given(st.lists(st.integers(0, 299), min_size=1, max_size=60, unique=True), st.integers(0, 40))
def test_runs_cover_every_hour_once_and_lie_apart(hours, gap):
    from tests.domain.audit.conftest import classified, make_contract

    project = make_project(
        300, [make_workload("sft")], [(0, 0, hour, GPU_HOUR) for hour in hours], [make_contract("k", 1, "2")]
    )
    project = replace(project, assumptions=replace(project.assumptions, run_gap_hours=gap))
    _, costs = costs_of(project, classified(Pool.TRAINING))
    runs = sorted(
        ((run.start_s - START_S) // 3600, (run.end_s - START_S) // 3600, run.gpu_hours) for run in costs.runs
    )
    for first, last, gpu_hours in runs:
        assert gpu_hours == pytest.approx(sum(first <= hour < last for hour in hours))
    assert sum(run[2] for run in runs) == pytest.approx(len(hours))
    assert all(later[0] - run[1] > gap for run, later in pairwise(runs))
