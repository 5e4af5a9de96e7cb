"""The advice equals the oracle's slow plan: layers, slices, orders, verdicts, totals and the twelve months."""

import pytest

from tests.oracle.comparison import disagreements
from tests.oracle.crafted import CRAFTED
from tests.oracle.new_worlds import new_world, rules_the_engine_has
from tests.oracle.projects import edge_case, random_case
from tests.some_of import some_of

SLOW = (
    *("sixty_months", "greenfield", "assumptions_of_the_scenario"),
    *("over_512_slices", "over_512_blocks_of_2", "blocks_of_2", "own_rates", "moved", "on_demand_rows"),
)
"""Crafted projects for the long run: each takes longer than most, and is much like another one."""
QUICK = [name for name in CRAFTED if name not in SLOW]

# Worlds of the normal run stand first: together they go through more of the engine than the first of each kind would,
# in half the time.
RANDOM = (3, *(seed for seed in range(24) if seed != 3))
EDGES = (2, 7, *(seed for seed in range(30) if seed not in (2, 7)))
RULED = (2, 104, 105, 113, *(seed for seed in range(24) if seed != 2))


@pytest.mark.parametrize("name", some_of([*QUICK, *SLOW], quick=len(QUICK)))
def test_crafted_projects(name):
    assert disagreements(CRAFTED[name]()) == []


@pytest.mark.parametrize("seed", some_of(RANDOM, quick=1))
def test_random_projects(seed):
    assert disagreements(random_case(seed, hours=170, horizon=12)) == []


@pytest.mark.parametrize("seed", some_of(EDGES, quick=2))
def test_edges(seed):
    assert disagreements(edge_case(seed)) == []


@pytest.mark.parametrize("seed", some_of(RULED, quick=4))
def test_new_rules(seed):
    """Worlds with every rule on or off that the engine's values can state."""
    assert disagreements(new_world(seed, rules_the_engine_has())) == []


def test_a_price_that_changes_within_the_first_month_changes_what_a_provider_may_have():
    """World 1870: H100 falls by 30% on the 24th day of a plan in which no provider may have more than half."""
    assert disagreements(new_world(1870, rules_the_engine_has())) == []


@pytest.mark.long
@pytest.mark.parametrize("hundred", range(10))
def test_new_rules_on_a_thousand_worlds(hundred):
    known = rules_the_engine_has()
    seeds = range(1000 + 100 * hundred, 1100 + 100 * hundred)
    assert {seed: found for seed in seeds if (found := disagreements(new_world(seed, known)))} == {}
