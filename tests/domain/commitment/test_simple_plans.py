"""No simple plan that a person would try costs less than the plan: renewals turned round, minima bought or not."""

from collections.abc import Iterator
from itertools import combinations

import pytest

from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.plan import decisions
from gpuplanner.domain.commitment.plan.decisions import decide, expected_usd
from gpuplanner.domain.commitment.plan.ground import first_end_of, ground_of, renewing_contracts
from gpuplanner.domain.commitment.plan.row_plans import plan_of
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.plan_inputs import Scenario, WholeDecisions, WholeMinimum
from gpuplanner.domain.model.tables import Pool
from gpuplanner.lazy_dataclass import replace
from tests.oracle.comparison import decided
from tests.oracle.expected import expected_usd as expected_by_oracle
from tests.oracle.new_worlds import RULES, new_world
from tests.oracle.projects import Case
from tests.oracle.simulator import Simulator
from tests.some_of import some_of

ALWAYS = frozenset({"renews", "least"})


def usd_of(case: Case, plan: Scenario) -> float | None:
    project, pools, found = case.on_board
    ground = ground_of(project, plan, pools, AdviceCache(), found.classifications)
    return known_sum(expected_usd(ground, plan_of(ground, AdviceCache(), is_counted=True)).values())


def simple_plans(case: Case, made: WholeDecisions) -> Iterator[WholeDecisions]:
    """All run on, all end, one to three of them turned round, each minimum whole from the day it can begin."""
    project, pools, _ = case.on_board
    found = (
        (held.contract_id, first_end_of(project, case.plan, held))
        for held in renewing_contracts(project, case.plan)
    )
    first = {name: end_s for name, end_s in found if end_s is not None}
    yield WholeDecisions()
    yield WholeDecisions(tuple(sorted(first.items())))
    for count in (1, 2, 3):
        for names in combinations(sorted(first), count):
            ends = {**dict(made.ends)}
            for name in names:
                ends = {key: at for key, at in ends.items() if key != name} | (
                    {} if name in ends else {name: first[name]}
                )
            yield replace(made, ends=tuple(sorted(ends.items())))
    yield replace(made, minima=())
    for offer in project.offers:
        if offer.min_gpus and offer.rate and offer.term_months and (offer.max_gpus or 8) >= offer.min_gpus:
            start_s = project.plan_window.end_s + round(offer.lead_time_hours * 3600)
            for pool in {Pool(pool) for pool in pools}:
                yield replace(made, minima=(WholeMinimum(start_s, offer.offer_id, pool, offer.min_gpus),))


@pytest.mark.parametrize("seed", some_of(range(40), quick=6))
def test_no_simple_plan_costs_less(seed: int) -> None:
    case = new_world(seed, set(RULES), ALWAYS)
    project, pools, found = case.on_board
    asked = (project, case.plan, pools, found.classifications, AdviceCache())
    made, search = decide(*asked), decisions._Search(asked)
    plan = search._plan(made)
    plan_usd = known_sum(plan.expected.values())
    for other in simple_plans(case, made) if plan_usd is not None and not case.plan.greenfield else ():
        simple = search._plan(other)
        if not decisions._is_over_share(simple, plan):
            usd = known_sum(simple.expected.values())
            assert usd is None or usd > plan_usd * 0.995 - 1, other


@pytest.mark.parametrize("seed", some_of(range(60), quick=8))
def test_what_plans_are_expected_to_cost(seed: int) -> None:
    """The recursion part by part is the oracle's loop where rates are known, without runs and dated prices."""
    case = new_world(seed, set(RULES) - {"prices", "runs"}, ALWAYS)
    plan = decided(case)
    sim = Simulator(case.project, plan, case.pools, case.classes, beyond=case.beyond)
    expected = expected_by_oracle(sim, *sim.solved())
    assert expected is None or usd_of(case, plan) == pytest.approx(expected, abs=0.01)
