"""Today's cost of the work of each class and GPU model, by hand.

100 h of 8 H100 at $2 ($1,600): inference holds 2 all the time, training 6 for 50 h: 200 and 300 of 500 GPU-h.
"""

from dataclasses import replace

import pytest

from gpuplanner.domain.audit.audit import audit
from gpuplanner.domain.audit.spend.on_demand_rates import eligible_rates
from gpuplanner.domain.audit.spend.work_today import work_today
from gpuplanner.domain.audit.utilization.dispatch import dispatch_window
from gpuplanner.domain.model.tables import Pool
from tests.domain.audit.conftest import GPU_HOUR

CLASSES = (Pool.TRAINING, Pool.INFERENCE)
MONTHS = 100 / 730


def project_of(world, contracts, offers=(), training=6):
    rows = [
        *((0, 0, hour, training * GPU_HOUR) for hour in range(50)),
        *((1, 0, hour, 2 * GPU_HOUR) for hour in range(100)),
    ]
    return world.project(100, [world.workload("sft"), world.workload("chat")], rows, contracts, offers)


def today(project):
    clusters, rates = dispatch_window(project, CLASSES), eligible_rates(project, CLASSES)
    return work_today(clusters, rates, project.window.months)


def test_a_contract_with_its_idle_hours_is_divided_by_what_it_served(world):
    found = today(project_of(world, [world.contract("k", 8, "2")]))
    assert found == {
        (Pool.TRAINING, "H100"): pytest.approx(1600 * 300 / 500 / MONTHS),
        (Pool.INFERENCE, "H100"): pytest.approx(1600 * 200 / 500 / MONTHS),
    }


def test_overflow_is_at_its_on_demand_rate_and_all_of_it_is_the_spend(world):
    """Training asks for 12: 6 of 14 GPUs overflow, which its classes share by their GPU time."""
    project = project_of(world, [world.contract("k", 8, "2")], [world.offer("o", "4")], training=12)
    found = today(project)
    assert sum(found.values()) == pytest.approx(audit(project, world.classified(*CLASSES)).spend)
    overflow = 6 * 50 * 4 / MONTHS
    assert sum(found.values()) == pytest.approx(1600 / MONTHS + overflow)


def test_a_contract_that_served_nothing_is_of_no_work(world):
    idle = replace(world.contract("idle", 8, "2"), gpu_model="A100")
    project = project_of(world, [world.contract("k", 8, "2"), idle])
    assert sum(today(project).values()) == pytest.approx(1600 / MONTHS)


def test_a_missing_rate_leaves_its_work_unknown(world):
    assert set(today(project_of(world, [world.contract("k", 8, None)])).values()) == {None}
    found = today(project_of(world, [world.contract("k", 8, "2")], training=12))
    assert set(found.values()) == {None}
