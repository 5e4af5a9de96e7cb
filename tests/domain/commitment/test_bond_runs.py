"""What binds which slices in the twelve months: runs cover all slices, and month 0 is that of the layers."""

from itertools import pairwise

import pytest

from tests.files.workbook.evaluations import evaluation_of
from tests.oracle.projects import random_case
from tests.some_of import some_of


@pytest.mark.parametrize("seed", some_of(range(8), quick=3))
def test_runs_cover_the_slices_and_agree_with_the_layers(seed):
    evaluation = evaluation_of(random_case(seed))
    for plan in evaluation.advice.pools:
        assert [run.first_slice for run in plan.bond_runs[1:]] == [
            run.last_slice + 1 for run in plan.bond_runs[:-1]
        ]
        ends = [(runs[0].first_slice, runs[-1].last_slice) for runs in (plan.bond_runs, plan.runs) if runs]
        assert len(set(ends)) <= 1
        assert all(left.bonds != right.bonds for left, right in pairwise(plan.bond_runs))
        signed = {}
        for run in plan.bond_runs:
            assert len(run.bonds) == 12
            if run.bonds[0] is not None:
                assert run.bonds[0].since_month == 0
                offer = run.bonds[0].offer_id
                signed[offer] = signed.get(offer, 0.0) + (run.last_slice - run.first_slice + 1) * plan.block
            for month, bond in enumerate(run.bonds):
                assert bond is None or bond.since_month <= month
        layers = {}
        for layer in plan.layers:
            if layer.term_months:
                layers[layer.offer_id] = layers.get(layer.offer_id, 0.0) + layer.gpus
        assert signed == layers
