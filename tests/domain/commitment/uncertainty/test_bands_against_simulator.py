"""The band of a plan is the simulator's, drawn apart from it: as near as two samples of one thing lie."""

import pytest

from gpuplanner.domain.commitment.uncertainty.outlook import outlook
from tests.oracle.comparison import advice_of
from tests.oracle.new_worlds import new_world, rules_the_engine_has
from tests.oracle.simulator import Simulator
from tests.oracle.uncertainty import band_of_plan
from tests.some_of import some_of

OF_HALF_WIDTH = 0.4  # four standard errors of P10 and P90, of 500 and of 1,500 draws


def bands(seed):  # type: ignore[no-untyped-def]
    case = new_world(seed, rules_the_engine_has())
    project, pools, _ = case.on_board
    mine = outlook(project, case.plan, pools, advice_of(case)).uncertainty
    sim = Simulator(case.project, case.scenario, case.pools, case.classes, beyond=case.beyond)
    theirs = band_of_plan(sim, sim.plan(), draws=1500)
    return (mine.p10_usd_per_month, mine.p50_usd_per_month, mine.p90_usd_per_month), theirs


@pytest.mark.parametrize("seed", some_of([7, *(seed for seed in range(80) if seed != 7)], quick=1))
def test_bands_of_worlds(seed: int) -> None:
    mine, theirs = bands(seed)
    if theirs[0] is None:
        assert mine == theirs
        return
    apart = OF_HALF_WIDTH * (theirs[2] - theirs[0]) / 2 + 0.01 * theirs[1] + 1
    assert mine == pytest.approx(theirs, abs=apart)
