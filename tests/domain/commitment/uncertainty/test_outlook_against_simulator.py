"""The cost of separation equals the oracle's, with its own joint plan, over two weeks of log too.

Of crafted projects and of a week test_against_simulator.py holds it with all else; bands are drawn, see test_bands.py.
"""

import pytest

from gpuplanner.domain.commitment.uncertainty.outlook import outlook
from tests.oracle.comparison import advice_of
from tests.oracle.projects import random_case
from tests.oracle.simulator import simulate


def agree(case) -> None:  # type: ignore[no-untyped-def]
    advice = advice_of(case)
    found = outlook(case.project, case.scenario, case.pool_of_each, advice)
    expected = simulate(case.project, case.scenario, case.pools, case.classes)
    mine, theirs = found.cost_of_separation_usd_per_month, expected.cost_of_separation
    assert mine == theirs if mine is None or theirs is None else mine == pytest.approx(theirs, abs=0.01)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 104))
def test_random_projects(seed: int) -> None:
    agree(random_case(seed, hours=340, horizon=8))
