"""Who pays for which hour: a workload pays for the GPU model that it ran on, by hand."""

import numpy as np
import pytest

from gpuplanner.domain.audit.audit import audit
from gpuplanner.domain.audit.costs.chargeback import charged
from gpuplanner.domain.audit.costs.unit_costs import past_of
from gpuplanner.domain.audit.costs.variance import Period, used_gpu_hours
from gpuplanner.domain.model.pool import Pool

HOURS_IN_MONTH = 730
GPU_HOUR = 3_600_000
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


def test_a_workload_pays_for_the_model_it_ran_on(past):
    """H100: (2 x $2 + 1 x $5) / 3 a GPU-hour; A100: $1; unknown: half an A100 is left, half is rented as the H100."""
    assert [usd / HOURS_IN_MONTH for usd in past.workload_usd_per_month] == pytest.approx(
        [6.0, 3.0, 0.5, 3.0]
    )


def test_what_served_and_what_overflowed_are_of_the_model_too(past):
    rows = charged(past, audit(past.project, past.classifications)).workloads
    assert [row.direct for row in rows] == pytest.approx([8 / 3, 4 / 3, 0.5, 0.5])
    assert [row.overflow for row in rows] == pytest.approx([10 / 3, 5 / 3, 0.0, 2.5])


def test_hours_served_are_counted_where_they_were_served(past):
    used = used_gpu_hours(past, [Period(0, 1)])
    assert np.allclose(used, [[4 / 3, 2 / 3, 0.5, 0.5]])
