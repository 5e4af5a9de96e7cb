"""u_k(t, j) of every slice, month and level, to twelve digits."""

import pytest

from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.plan.ground import ground_of
from gpuplanner.domain.commitment.plan.row_plans import plan_of
from tests.oracle.crafted import CRAFTED
from tests.oracle.policy import levels
from tests.oracle.projects import random_case
from tests.oracle.simulator import Simulator

SOME = ("two_clusters", "own_rates", "blocks_of_8", "recent_hours", "spot_mix", "moved")


def compare(case):
    project, cache = case.project, AdviceCache()
    planned = plan_of(ground_of(project, case.scenario, case.pool_of_each, cache), cache)
    oracle = Simulator(project, case.scenario, case.pools, case.classes)
    groups = {(group.pool, group.model): group for group in oracle.groups()}
    assert {(row.row.pool, row.row.gpu_model) for row in planned.rows} == set(groups)
    compared = 0
    for planned_row in planned.rows:
        row = planned_row.row
        group = groups[row.pool, row.gpu_model]
        count, busy = len(group.slices), group.u
        assert (row.slicing.block, row.slices) == (group.block, count)
        grid = levels(group.sigma)
        for t in range(oracle.horizon):
            shares = row.busy.shares[row.busy.state_of_month[t]]
            for place, j in enumerate(grid):
                middle = shares.shape[0] // 2 if len(grid) == 1 else place
                for k in range(1, count + 1):
                    assert shares[middle, k - 1] == pytest.approx(busy(k, t, j), abs=1e-12)
                    compared += 1
    assert compared


@pytest.mark.long
@pytest.mark.parametrize("name", SOME)
def test_crafted_projects(name):
    compare(CRAFTED[name]())


@pytest.mark.parametrize("seed", range(50, 54))
def test_random_projects(seed):
    compare(random_case(seed, hours=100, horizon=6))
