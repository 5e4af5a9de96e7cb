"""The advice equals the oracle's slow plan to the cent: orders, months, totals, layers, verdicts, what nobody serves, $
of runs, separation, where savings come from."""

import pytest

from tests.oracle.comparison import disagreements, savings_differ, separation_differs
from tests.oracle.crafted import CRAFTED
from tests.oracle.new_worlds import new_world, rules_the_engine_has
from tests.oracle.projects import edge_case, random_case
from tests.some_of import some_of

SLOW = ("sixty_months", "over_512_slices", "over_512_blocks_of_2", "by_hand")
QUICK = [name for name in CRAFTED if name not in SLOW]


@pytest.mark.long
@pytest.mark.parametrize("name", some_of([*QUICK, *SLOW[:-1]], quick=len(QUICK)))
def test_crafted_projects(name):
    assert disagreements(CRAFTED[name]()) == []


@pytest.mark.long
@pytest.mark.parametrize("seed", some_of(range(48), quick=6))
def test_random_projects(seed):
    assert disagreements(random_case(seed, hours=170, horizon=12)) == []


@pytest.mark.parametrize("seed", some_of(range(60), quick=8))
def test_edges(seed):
    assert disagreements(edge_case(seed)) == []


@pytest.mark.long
@pytest.mark.parametrize("seed", some_of(range(200), quick=24))
def test_rules(seed):
    """Worlds with every rule on or off."""
    assert disagreements(new_world(seed, rules_the_engine_has())) == []


@pytest.mark.parametrize(
    "seed",
    [
        pytest.param(121, id="cards_of_work_with_other_dates"),
        pytest.param(1002, id="volatility_beside_a_run"),
        pytest.param(1122, id="untyped_work_that_nobody_serves"),
        pytest.param(1979, id="cycle_of_a_month_beside_a_new_service"),
    ],
)
def test_worlds_that_were_wrong(seed):
    assert disagreements(new_world(seed, rules_the_engine_has() - {"idle"})) == []


@pytest.mark.parametrize("seed", [3017, 3101])
def test_idle_development_of_unknown_model_is_no_evidence(seed):
    """GPUs of development left running have no lived days, by whatever model they count with or under whose limit."""
    assert disagreements(new_world(seed, rules_the_engine_has(), {"idle", "lived"})) == []


@pytest.mark.long
@pytest.mark.parametrize("seed", some_of(range(3000, 3060), quick=4))
def test_idle_development(seed):
    assert disagreements(new_world(seed, rules_the_engine_has(), {"idle", "lived"})) == []


@pytest.mark.long
@pytest.mark.parametrize("seed", some_of(range(60), quick=5))
def test_cost_of_separation(seed):
    assert separation_differs(new_world(seed, rules_the_engine_has())) == []


@pytest.mark.long
@pytest.mark.parametrize("seed", some_of(range(60), quick=5))
def test_where_savings_come_from(seed):
    assert savings_differ(new_world(seed, rules_the_engine_has())) == []


@pytest.mark.long
@pytest.mark.parametrize("hundred", range(10))
def test_rules_on_a_thousand_worlds(hundred):
    known = rules_the_engine_has()
    seeds = range(1000 + 100 * hundred, 1100 + 100 * hundred)
    assert {seed: found for seed in seeds if (found := disagreements(new_world(seed, known)))} == {}
