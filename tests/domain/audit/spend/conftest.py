"""A past hour that overflows, and what it costs."""

import pytest

from gpuplanner.domain.audit.audit import audit
from gpuplanner.domain.audit.unit_costs.audited_past import past_of
from gpuplanner.domain.model.tables import Pool
from tests.domain.audit.conftest import GPU_HOUR

H100, A100, UNKNOWN = 0, 1, -1


@pytest.fixture
def past(world):
    """One hour of four workloads on a cluster of two GPU models: 2 H100 at $2, 1 A100 at $1.

    Two ran on H100s and left one of three GPU-hours over; one half an A100, and one nobody knows on what.
    """
    workloads = [world.workload(name) for name in ("train", "tune", "serve", "guess")]
    entries = [
        (0, H100, 0, 2 * GPU_HOUR),
        (1, H100, 0, 1 * GPU_HOUR),
        (2, A100, 0, GPU_HOUR // 2),
        (3, UNKNOWN, 0, 1 * GPU_HOUR),
    ]
    contracts = [world.contract("new", 2, "2"), world.contract("old", 1, "1", gpu_model="A100")]
    offers = [world.offer("rent", "5"), world.offer("rent-old", "3", gpu_model="A100")]
    project = world.project(1, workloads, entries, contracts, offers)
    return past_of(project, audit(project, world.classified(*[Pool.TRAINING] * 4)))
