"""Held levels: the rest is planned around them best; a level held where the advice has it changes no bit."""

from dataclasses import replace
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.plan.ground import ground_of
from gpuplanner.domain.commitment.plan.row_plans import plan_of
from gpuplanner.domain.commitment.recursion.held import cheapest_places, held_costs
from gpuplanner.domain.commitment.recursion.rates import term_rates, without_terms
from gpuplanner.domain.commitment.recursion.slice_policy import Policy, cheapest_policy
from gpuplanner.domain.commitment.result import Advice, PoolPlan
from gpuplanner.domain.commitment.uncertainty.levels import set_levels
from gpuplanner.domain.commitment.uncertainty.outlook import npv_usd
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.scenario.plan_inputs import HandLayer, Scenario
from tests.domain.commitment.conftest import Case, Load, audit, case, offer
from tests.some_of import one_in, some_of

KEY = (Pool.INFERENCE, "H100")
OFFERS = [
    offer("od", 0, 7.0),
    offer("m1", 1, 5.4),
    offer("q1", 3, 4.6),
    offer("y1", 12, 3.9, max_gpus=6),
    offer("y1b", 12, 4.1),
    offer("y3", 36, 2.9),
]
RANDOM = np.random.default_rng(5)
UNLIMITED = [replace(one, max_gpus=None) for one in OFFERS]
GPUS = [*(6.0 + hour % 12 + 5 * (RANDOM.random() < 0.5) for hour in range(700))]


def made(scenario: Scenario | None = None) -> Case:
    return case([Load(Pool.INFERENCE, GPUS), Load(Pool.TRAINING, GPUS)], (), OFFERS, scenario, growth=0.01)


def advised(scenario: Scenario) -> Advice:
    of = made(scenario)
    return advise(of.project, scenario, of.pools, audit())


def held(*levels: HandLayer) -> Scenario:
    return Scenario("Plan A", hand_layers={KEY: levels}, advised_around=frozenset([KEY]))


def row_of(advice: Advice) -> PoolPlan:
    return next(plan for plan in advice.pools if (plan.pool, plan.gpu_model) == KEY)


ADVICE = advised(Scenario("Plan A"))
LEVELS = set_levels(row_of(ADVICE))


def test_the_advice_of_these_tests_has_several_terms() -> None:
    assert len(LEVELS) >= 3


@pytest.mark.parametrize("count", one_in(4, [1, 2, 3]))
def test_levels_held_where_the_advice_has_them_change_no_bit(count: int) -> None:
    for levels in combinations(LEVELS, count):
        around = advised(held(*levels))
        mine, theirs = row_of(around), row_of(ADVICE)
        assert mine.set_by_hand
        assert mine.held_terms == tuple(level.term_months for level in levels)
        assert mine.layers == theirs.layers
        assert mine.runs == theirs.runs
        assert around.orders == ADVICE.orders
        assert around.totals == ADVICE.totals
        assert around.comparison == ADVICE.comparison


def npv(scenario: Scenario) -> float:
    """Without limited offers: who gets those is a rule of order, and other sizes can be worth more."""
    of, cache = case([Load(Pool.INFERENCE, GPUS)], (), UNLIMITED, scenario, growth=0.01), AdviceCache()
    found = npv_usd(plan_of(ground_of(of.project, scenario, of.pools, cache), cache))
    assert found is not None
    return found


def test_no_held_level_is_worth_more_than_the_advice() -> None:
    best = npv(Scenario("Plan A"))
    worth = {gpus: npv(held(HandLayer(36, gpus))) for gpus in range(0, 16, 3)}
    assert min(worth.values()) < best
    for level in (HandLayer(36, 3), HandLayer(36, 0), HandLayer(36, 9), HandLayer(3, 0), HandLayer(3, 12)):
        assert npv(held(level)) <= best + 1e-6


def test_a_cache_changes_no_bit() -> None:
    cache = AdviceCache()
    for levels in [LEVELS[:1], (HandLayer(12, 3),), LEVELS[:1], (HandLayer(12, 0), HandLayer(36, 4))]:
        of = made(held(*levels))
        kept = advise(of.project, held(*levels), of.pools, audit(), cache)
        assert row_of(kept).layers == row_of(advised(held(*levels))).layers


def test_held_nothing_is_the_advice() -> None:
    assert row_of(advised(held())).layers == row_of(ADVICE).layers


@pytest.mark.parametrize("level", [HandLayer(12, 0), HandLayer(12, 9), HandLayer(36, 3), HandLayer(3, 7)])
def test_a_held_level_has_its_size_and_its_term_is_nobody_elses(level: HandLayer) -> None:
    around = row_of(advised(held(level)))
    sizes = {one.term_months: one.gpus for one in set_levels(around)}
    assert sizes.get(level.term_months, 0) == level.gpus
    assert sum(layer.gpus * (layer.utilization or 0) for layer in around.layers) == pytest.approx(
        around.mean_gpus
    )


@pytest.mark.parametrize("gpus", [0, 2, 6, 8])
def test_no_offer_is_given_out_beyond_its_maximum(gpus: int) -> None:
    around = advised(held(HandLayer(12, gpus), HandLayer(36, 1)))
    taken = [layer.gpus for plan in around.pools for layer in plan.layers if layer.offer_id == "y1"]
    assert sum(taken) <= 6


def test_a_term_that_nobody_offers_takes_the_busiest_slices_and_has_no_price() -> None:
    around = row_of(advised(held(HandLayer(24, 4))))
    layer = next(one for one in around.layers if one.term_months == 24)
    assert (layer.gpus, layer.rate, layer.utilization) == (4.0, None, 1.0)
    assert around.cost_per_month is None


@pytest.mark.parametrize("seed", some_of(range(12), quick=3))
def test_the_slices_of_held_levels_cost_least_of_all_choices(seed: int) -> None:
    """Against every way to give six slices to two held terms; the policies are of this test's own offers."""
    random = np.random.default_rng(seed)
    shares = np.sort(random.random((1, 1, 6)))[:, :, ::-1]
    horizon = 12
    of = made()
    cache = AdviceCache()
    market = replace(
        plan_of(ground_of(of.project, of.project.scenarios[0], of.pools, cache), cache).rows[0].row.market,
        horizon_months=horizon, sigma=0.0,
    )  # fmt: skip
    offers = tuple(
        offer(f"t{term}", term, float(rate))
        for term, rate in zip((1, 3, 6), random.uniform(2.0, 6.0, 3), strict=True)
    )
    rates = term_rates(tuple(sorted(offers, key=lambda one: one.rate or 0)), horizon)
    months = np.zeros(horizon, dtype=np.int64)

    def policy(closed: frozenset[int] = frozenset()) -> Policy:
        return cheapest_policy(shares, months, without_terms(rates, closed), 7.0, market, 1.0)

    sizes = {3: int(random.integers(0, 4)), 6: int(random.integers(0, 3))}
    full, without = policy(), policy(frozenset(sizes))
    known = held_costs(full, without, rates, market, sizes)
    found = cheapest_places(known, sizes)
    assert {term: int((found == term).sum()) for term in sizes} == sizes

    def costs(slice_: int, term: int) -> Any:
        if not term:
            column = full.choice[0, slice_]
            is_held = column >= 0 and rates.terms[column] in sizes
            return (without if is_held else full).value[0, slice_]
        stays = market.beta * (1 - market.churn)
        rate = rates.rate[0, rates.terms.index(term)]
        paid = 730 * rate * sum(market.beta**month for month in range(term))
        return paid + stays**term * full.by_month[term, 0, slice_]

    best = min(
        sum(costs(slice_, term) for slice_, term in enumerate(ways))
        for ways in product((0, 3, 6), repeat=6)
        if all(ways.count(term) == size for term, size in sizes.items())
    )
    mine = sum(costs(slice_, term) for slice_, term in enumerate(found.tolist()))
    assert mine == pytest.approx(best, rel=1e-9)
