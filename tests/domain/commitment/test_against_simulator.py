"""The advice equals the oracle's slow plan: layers, slices, orders, verdicts, totals and the twelve months."""

import pytest

from tests.oracle.comparison import disagreements
from tests.oracle.crafted import CRAFTED
from tests.oracle.projects import edge_case, random_case


@pytest.mark.parametrize("name", CRAFTED)
def test_crafted_projects(name):
    assert disagreements(CRAFTED[name]()) == []


@pytest.mark.parametrize("seed", range(24))
def test_random_projects(seed):
    assert disagreements(random_case(seed, hours=170, horizon=12)) == []


@pytest.mark.parametrize("seed", range(30))
def test_edges(seed):
    assert disagreements(edge_case(seed)) == []
