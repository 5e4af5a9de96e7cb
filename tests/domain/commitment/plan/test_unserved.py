"""Whose GPU time a row's demand is in each hour: it adds up to what the row's workloads have, split demand too."""

import numpy as np
import pytest

from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.plan.ground import ground_of
from gpuplanner.domain.commitment.plan.unserved import row_entries
from gpuplanner.domain.figures.columns import MILLI_GPU_SECONDS_PER_GPU_HOUR
from tests.oracle.new_worlds import new_world, rules_the_engine_has


@pytest.mark.parametrize("seed", range(20))
def test_over_the_hours_it_is_the_gpu_time_of_the_rows_workloads(seed: int) -> None:
    project, pools, found = (case := new_world(seed, rules_the_engine_has())).on_board
    ground = ground_of(project, case.plan, pools, AdviceCache(), found.classifications)
    for row, users in ground.plan.users.items():
        entries = row_entries(ground, row)
        gpu_hours = np.bincount(entries.workload, weights=entries.gpus, minlength=len(users))
        assert gpu_hours == pytest.approx(users / MILLI_GPU_SECONDS_PER_GPU_HOUR, abs=1e-3), row
