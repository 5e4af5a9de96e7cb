"""Whose GPU time a row's demand is in each hour: it adds up to what the row's workloads have, split demand too."""

import pytest

from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.plan.cards import by_workload, pot_of
from gpuplanner.domain.commitment.plan.ground import ground_of
from gpuplanner.domain.commitment.plan.twelve_months import OFFERS_ARE_TAKEN, OVER_BUDGET, unserved_checks
from gpuplanner.domain.commitment.result import Unserved
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.model.tables import Pool
from tests.oracle.new_worlds import new_world, rules_the_engine_has


@pytest.mark.parametrize("seed", range(20))
def test_over_the_hours_it_is_the_gpu_time_of_the_rows_workloads(seed: int) -> None:
    project, pools, found = (case := new_world(seed, rules_the_engine_has())).on_board
    ground = ground_of(project, case.plan, pools, AdviceCache(), found.classifications)
    of_runs = {run.row for run in ground.runs} - {row for model in ground.plan.models for row in model.rows}
    for row, users in ground.plan.users.items():
        if row in of_runs:  # bought apart: they are in no demand of slices
            continue
        model = next(model for model in ground.plan.models if row in model.rows)
        shared = [
            (pot_of(row, site.cluster, stream), stream, stream.demand[None])
            for site in model.sites
            for stream in site.streams
            if model.rows[stream.row] == row
        ]
        (spent,) = by_workload(ground, shared) / MILLI_GPU_SECONDS_PER_GPU_HOUR
        assert spent == pytest.approx(users / MILLI_GPU_SECONDS_PER_GPU_HOUR, abs=1e-3), row


def test_what_a_budget_gives_up_is_one_check_that_names_its_rows() -> None:
    rows = [
        Unserved(
            pool=Pool.TRAINING,
            gpu_model="H100",
            key="a",
            gpu_hours=100.0,
            usd_per_month=5.0,
            reason=OVER_BUDGET,
        ),
        Unserved(
            pool=Pool.TRAINING,
            gpu_model="H100",
            key="b",
            gpu_hours=50.0,
            usd_per_month=5.0,
            reason=OVER_BUDGET,
        ),
        Unserved(
            pool=Pool.BURST, gpu_model="A100", key="c", gpu_hours=7.0, usd_per_month=1.0, reason=OVER_BUDGET
        ),
        Unserved(
            pool=Pool.INFERENCE,
            gpu_model="B200",
            key="d",
            gpu_hours=9.0,
            usd_per_month=None,
            reason=OFFERS_ARE_TAKEN,
        ),
    ]
    one, other = unserved_checks(rows)
    assert str(one.message).startswith("157 GPU-hours") and str(OVER_BUDGET) in str(one.message)
    assert "(burst A100 7, training H100 150)" in str(one.message)
    assert (str(one.subject), str(other.subject)) == ("the plan", "inference B200")
    (alone,) = unserved_checks(rows[:2])
    assert str(alone.subject) == "training H100"
