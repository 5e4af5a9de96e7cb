"""What holds which slices in the twelve months: runs cover all slices, and month 0 is that of the layers."""

from itertools import pairwise

import pytest

from gpuplanner.domain.model.window import HOUR_S, MONTH_S
from tests.files.workbook.evaluations import evaluation_of
from tests.oracle.projects import random_case
from tests.some_of import some_of


@pytest.mark.parametrize("seed", some_of(range(8), quick=3))
def test_runs_cover_the_slices_and_agree_with_the_layers(seed):
    evaluation = evaluation_of(random_case(seed))
    for plan in evaluation.advice.pools:
        assert [run.first_slice for run in plan.hold_runs[1:]] == [
            run.last_slice + 1 for run in plan.hold_runs[:-1]
        ]
        ends = [(runs[0].first_slice, runs[-1].last_slice) for runs in (plan.hold_runs, plan.runs) if runs]
        assert len(set(ends)) <= 1
        assert all(
            left != right for left, right in pairwise((run.holds, run.denied) for run in plan.hold_runs)
        )
        held = {}
        for run in plan.hold_runs:
            assert all(one.end_s <= other.start_s for one, other in pairwise(run.holds))
            for hold in run.holds:
                hours = max(0, min(hold.end_s, MONTH_S) - max(hold.start_s, 0)) / HOUR_S
                if hours:
                    held[hold.offer_id] = held.get(hold.offer_id, 0.0) + hours * plan.slicing.gpus(
                        run.first_slice, run.last_slice
                    )
        layers = {}
        for layer in plan.layers:
            if layer.term_months:
                layers[layer.offer_id] = layers.get(layer.offer_id, 0.0) + layer.gpus * layer.paid_hours
        assert held == pytest.approx(layers)
