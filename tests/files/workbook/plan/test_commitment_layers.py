"""The rows of layers: what is advised, and room for terms that are not."""

from types import SimpleNamespace

import pytest

from gpuplanner.domain.commitment.result import SliceRun
from gpuplanner.domain.commitment.slicing import Slicing
from gpuplanner.files.workbook.plan.commitment_layers import layer_rows


def plan(*runs, block=1):
    """A pool plan of runs (term, slices) from the bottom up."""
    begins, found = 1, []
    for term, slices in runs:
        found.append(SliceRun(begins, begins + slices - 1, term, f"c{term}" if term else None, 2.0, 0.5))
        begins += slices
    return SimpleNamespace(runs=tuple(found), block=block, slicing=Slicing(block, begins))


def shape(rows):
    return [(row.term_months, row.gpus) for row in rows]


def test_a_ladder_keeps_its_order_and_gets_the_terms_not_taken():
    found = layer_rows(plan((36, 4), (6, 2), (0, 9)), [1, 6, 12, 36])
    assert shape(found) == [(36, 4.0), (12, 0.0), (6, 2.0), (1, 0.0), (0, None)]


def test_another_order_is_kept_as_advised():
    found = layer_rows(plan((6, 4), (0, 2), (12, 3), (0, 1)), [3, 6, 12])
    assert shape(found) == [(6, 4.0), (0, 2.0), (12, 3.0), (3, 0.0), (0, None)]


@pytest.mark.parametrize("runs", [(), ((0, 5),)])
def test_without_commitments_everything_is_paid_by_use(runs):
    assert shape(layer_rows(plan(*runs), [])) == [(0, None)]


def test_sizes_are_in_gpus():
    assert shape(layer_rows(plan((12, 3), (0, 1), block=8), [])) == [(12, 24.0), (0, None)]
