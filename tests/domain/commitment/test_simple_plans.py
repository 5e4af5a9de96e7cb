"""No simple plan that a person would try costs less than the plan: renewals turned round, minima bought or not."""

import random
from collections.abc import Callable, Iterator
from itertools import combinations, product

import pytest

from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.plan import decisions
from gpuplanner.domain.commitment.plan.decisions import decide, expected_usd
from gpuplanner.domain.commitment.plan.ground import first_end_of, ground_of, renewing_contracts
from gpuplanner.domain.commitment.plan.row_plans import plan_of
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.plan.scenario import Scenario, WholeDecisions, WholeMinimum
from gpuplanner.domain.model.tables import Pool
from gpuplanner.lazy_dataclass import replace
from tests.domain.commitment import conftest as small
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
    made, search = decide(*asked), decisions.DecisionSearch(asked)
    plan = search.try_plan(made)
    plan_usd = known_sum(plan.expected.values())
    for other in simple_plans(case, made) if plan_usd is not None and not case.plan.greenfield else ():
        simple = search.try_plan(other)
        if not decisions.is_over_share(simple, plan):
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


HOURS = 2160
KINDS: tuple[Callable[[int, int], int], ...] = (
    lambda gpus, hour: gpus,
    lambda gpus, hour: gpus if 8 <= hour % 24 < 20 else gpus // 4,
    lambda gpus, hour: gpus // 4 if 8 <= hour % 24 < 20 else gpus,
    lambda gpus, hour: gpus if hour // 24 % 7 < 5 else gpus // 5,
    lambda gpus, hour: gpus * 2 if hour % 24 < 4 else gpus // 2,
    lambda gpus, hour: gpus if hour > HOURS // 2 else gpus // 2,
)


def over_the_best_shares(seed: int) -> float:
    """How much dearer a plan is than the best of all shares in eighths of one minimum among two or three pools."""
    r = random.Random(seed)
    loads = []
    for pool in r.sample([Pool.INFERENCE, Pool.TRAINING, Pool.BURST], r.choice([2, 2, 3])):
        kind, gpus = r.choice(KINDS), r.randrange(6, 30)
        loads.append(small.Load(pool=pool, gpus=[float(kind(gpus, hour)) for hour in range(HOURS)]))
    least, term, rate = r.choice([16, 24, 32, 48]), r.choice([6, 12, 24]), round(r.uniform(1.8, 3.4), 2)
    offers = [
        small.offer("od", 0, 6.88),
        small.offer("y", term, rate, lead_time_hours=48.0, min_gpus=least),
        *(
            small.offer(f"c{months:02d}", months, usd, lead_time_hours=48.0)
            for months, usd in ((1, 3.5), (3, 3.15), (12, 2.9))
            if r.random() < 0.5
        ),
    ]
    whole = {"recency_half_life_days": 7.0, "demand_fall_closes": True, "slices_lived": True, "delta": 0.004}
    case = small.case(loads, (), offers, Scenario(name="Plan A"), **whole)
    asked = (case.project, case.project.scenarios[0], case.pools, (), AdviceCache())
    search = decisions.DecisionSearch(asked)
    plan_usd = known_sum(search.try_plan(decide(*asked)).expected.values())
    assert plan_usd is not None
    best, pools = plan_usd, sorted(set(case.pools))
    for shares in product(range(0, least + 1, least // 8), repeat=len(pools)):
        if sum(shares) == least:
            parts = (
                WholeMinimum(case.end_s + 48 * 3600, "y", pool, gpus)
                for pool, gpus in zip(pools, shares, strict=True)
                if gpus
            )
            best = min(
                best, known_sum(search.try_plan(WholeDecisions((), tuple(parts))).expected.values()) or best
            )
    return plan_usd / best - 1


@pytest.mark.long
def test_a_minimum_is_shared_nearly_as_well_as_it_can_be() -> None:
    """Most plans are within 0.5% of the best shares, all within 2%."""
    over = sorted(over_the_best_shares(seed) for seed in range(20))
    assert over[-3] <= 0.005 and over[-1] <= 0.02
