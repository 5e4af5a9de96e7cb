"""Take-or-pay by month: what contracts use of a plan's demand is what the demand leaves them, and months pay for it."""

import numpy as np
import pytest

from gpuplanner.domain.commitment import busy
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.demand.slicing import weighted_mean
from gpuplanner.domain.commitment.plan.ground import ground_of
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.model.book.contract import runs_at
from tests.oracle.crafted import CRAFTED


@pytest.mark.parametrize("name", ["two_clusters", "own_rates", "lead_times"])
def test_what_contracts_use_and_what_they_leave_over_is_the_demand(name) -> None:
    case = CRAFTED[name]()
    project, pools, _ = case.on_board
    ground = ground_of(project, case.plan, pools, AdviceCache())
    assert any(ground.plan.contracts)
    for model in ground.plan.models:
        serving = busy.in_turn(ground.plan.contracts, model)
        months = busy.months_of(model, ground.plan.contracts, ground.window, ground.outlined, 3)
        spans = busy.spans_of_months(ground.outlined.moments, ground.window, 3)
        for (from_s, _), (_, state) in zip(spans[0] + spans[2], months[0] + months[2], strict=True):
            hours, factors = ground.window.hours, dict(state.factors)
            running = {one.contract_id for one, _ in serving if runs_at(one, from_s)}
            served = busy.used_gpus(model, serving, running, state, hours, ground.weights_of)
            used = {name: gpus for name, (gpus, _) in served.items()}
            left = busy.residual_at(model, state, hours).sum(axis=0)
            wanted = model.hourly(hours, lambda _, stream: factors[stream.flow])  # noqa: B023
            both = sum(used.values(), np.zeros(hours)) + left / MILLI_GPU_SECONDS_PER_GPU_HOUR
            assert both == pytest.approx(wanted / MILLI_GPU_SECONDS_PER_GPU_HOUR, abs=1e-6)
            assert all((gpus >= -1e-9).all() for gpus in used.values())
            means = [weighted_mean(gpus, ground.weights) for gpus in used.values()]
            assert [mean for _, mean in served.values()] == pytest.approx(means)
