"""The advice equals the oracle's slow plan: layers, slices, orders, verdicts, totals and the twelve months."""

import pytest

from tests.domain.commitment.first_rules import of_first_rules
from tests.oracle.comparison import disagreements as all_disagreements
from tests.oracle.crafted import CRAFTED
from tests.oracle.projects import edge_case, random_case

COARSE_AHEAD = ("over_512_slices", "over_512_blocks_of_2")
"""The simulator's first rule let growth ahead coarsen today's slices."""


def disagreements(case):
    """Without slices that sign nothing now and that only one of the two has: above today's they are cut otherwise."""
    return [
        found
        for found in all_disagreements(of_first_rules(case))
        if "slices" not in str(found[0]) or not {found[1], found[2]} <= {None, (0, None)}
    ]


@pytest.mark.parametrize("name", [name for name in CRAFTED if name not in COARSE_AHEAD])
def test_crafted_projects(name):
    assert disagreements(CRAFTED[name]()) == []


@pytest.mark.parametrize("seed", range(24))
def test_random_projects(seed):
    assert disagreements(random_case(seed, hours=170, horizon=12)) == []


@pytest.mark.parametrize("seed", range(30))
def test_edges(seed):
    assert disagreements(edge_case(seed)) == []
