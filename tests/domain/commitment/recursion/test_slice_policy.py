"""The recursion against brute force over all policies, and against what it becomes in simple markets."""

import itertools
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import combinations, product
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.demand.demand_levels import after_months
from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.plan.ground import ground_of
from gpuplanner.domain.commitment.plan.row_plans import plan_of
from gpuplanner.domain.commitment.recursion import slice_policy
from gpuplanner.domain.commitment.recursion.calendar import ANY_TIME, FOR_EVER_S
from gpuplanner.domain.commitment.recursion.rates import TODAY, falling
from gpuplanner.domain.commitment.recursion.slice_policy import (
    Market,
    Policy,
    cheapest_places,
    cheapest_policy,
    held_costs,
)
from gpuplanner.domain.commitment.recursion.ways import Ways, ways_of, without_terms
from gpuplanner.domain.commitment.result import Advice, PoolPlan
from gpuplanner.domain.commitment.uncertainty.levels import set_levels
from gpuplanner.domain.commitment.uncertainty.outlook import npv_usd
from gpuplanner.domain.model.plan.scenario import HandLayer, Scenario
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import MONTH_S
from tests.domain.commitment.conftest import Case, Load, audit, case, offer
from tests.some_of import one_in, some_of

# --- The recursion against brute force over all policies, and against what it becomes in simple markets

WAIT = -1


def rates_of(
    table: np.ndarray,
    terms: tuple[float, ...],
    upfront: np.ndarray | None = None,
    late: np.ndarray | None = None,
) -> Ways:
    """Ways by month and length in months; NaN: not open. upfront (ways,): $ a GPU; late (months, ways): the share of
    its month before one begins."""
    late = np.zeros(table.shape) if late is None else late
    length_s = np.array([round(term * MONTH_S) for term in terms], dtype=np.int64)
    return Ways(
        place=np.arange(len(terms)),
        length_s=length_s,
        is_block=np.zeros(len(terms), dtype=np.bool_),
        terms=np.ceil(np.array(terms)).astype(np.int64),
        upfront=np.zeros(len(terms)) if upfront is None else upfront,
        is_open=~np.isnan(table),
        begin_s=np.rint((np.arange(len(table))[:, None] + late) * MONTH_S).astype(np.int64),
        rate=table,
        lead_s=np.zeros(len(terms), dtype=np.int64),
        last_start_s=np.full(len(terms), FOR_EVER_S),
    )


def policies(states: list[tuple[int, int]], rates: Ways) -> Iterator[dict[tuple[int, int], int]]:
    """Every way to choose in every state that can be reached."""
    open_to = [[WAIT, *(c for c in range(rates.count) if rates.is_open[month, c])] for month, _ in states]
    for choice in itertools.product(*open_to):
        yield dict(zip(states, choice, strict=True))


@cache
def chances_over(sigma: float, spans: tuple[int, ...]) -> dict[int, np.ndarray]:
    return {span: after_months(sigma, span) for span in spans}


Step = tuple[float, list[tuple[int, int, float]]]
"""$ of what is chosen, and what follows it: month, level, and what a $ there is worth now times its chance."""


class Paths:
    """What each choice costs and where it leads: worked out once for all the policies that make it."""

    def __init__(
        self, busy: np.ndarray, rates: Ways, flex: float, market: Market, block: float = 1.0
    ) -> None:
        self.busy, self.rates, self.flex, self.market, self.block = busy, rates, flex, market, block
        self.steps: dict[tuple[int, int, int], Step] = {}

    def cost(self, policy: dict[tuple[int, int], int], today: int) -> float:
        """Expected discounted $ of one policy, followed forward through every path."""
        return self._along(policy, 0, today)

    def _along(self, policy: dict[tuple[int, int], int], month: int, level: int) -> float:
        if month >= self.market.horizon_months:
            return 0.0
        chosen = (month, level, policy[month, level])
        step = self.steps.get(chosen)
        if step is None:
            step = self.steps[chosen] = self._step(*chosen)
        here, ahead = step
        return here + sum(worth * self._along(policy, at, to) for at, to, worth in ahead)

    def _step(self, month: int, level: int, column: int) -> Step:
        market, block = self.market, self.block
        hours, beta, keep = 730 * block, market.beta, 1 - market.churn
        by_use = hours * self.busy[month, level] * self.flex * market.use_prices[month]
        if column == WAIT:
            return by_use, self._after(month, level, 1.0)
        x, length = self.rates.late[month, column], self.rates.length_s[column] / MONTH_S
        bound = min(length, market.horizon_months - month - x)
        whole = int(bound + 1e-9)
        paid = sum(beta**n for n in range(whole)) + (bound - whole) * beta**whole
        here = (beta * keep) ** x * (
            hours * self.rates.rate[month, column] * paid + block * self.rates.upfront[column]
        )
        return here + x * by_use, self._after(month, level, x + length)

    def _after(self, month: int, level: int, later: float) -> list[tuple[int, int, float]]:
        """What comes so many months later, on the line between the two months around it."""
        whole = int(later + 1e-9)
        part = max(later - whole, 0.0)
        worth = self.market.beta * (1 - self.market.churn)
        chances = chances_over(self.market.sigma, tuple(range(self.market.horizon_months + 8)))
        found = []
        for months, share in ((whole, 1 - part), (whole + 1, part)):
            if share > 1e-9 and month + months < self.market.horizon_months:
                for to, chance in _reached(chances[months][level]):
                    found.append((month + months, to, share * worth**months * chance))
        return found


def _reached(chances: np.ndarray) -> list[tuple[int, float]]:
    return [(to, float(chances[to])) for to in np.flatnonzero(chances).tolist()]


def reachable(market: Market, today: int) -> list[tuple[int, int]]:
    reach = 1 if market.sigma else 0
    return [
        (month, today + step)
        for month in range(market.horizon_months)
        for step in range(-month * reach, month * reach + 1)
    ]


@pytest.mark.parametrize("seed", one_in(4, range(3)))
def test_with_volatility_it_is_the_best_of_all_policies(seed: int) -> None:
    random = np.random.default_rng(seed)
    market = Market(horizon_months=3, churn=0.05, use_prices=falling(0.03, 3), sigma=0.2, wacc=0.1)
    busy = random.random((3, 21))
    table = random.uniform(1, 4, (3, 2))
    table[0, 1] = np.nan  # the lead time of the longer term does not fit yet
    rates = rates_of(table, (1, 2))
    paths = Paths(busy=busy, rates=rates, flex=4.0, market=market, block=2.0)
    costs = [paths.cost(policy, 10) for policy in policies(reachable(market, 10), rates)]
    found = cheapest_policy(busy[:, :, None], np.arange(3), rates, 4.0, market, np.full(1, 2.0))
    assert found.value[10, 0] == pytest.approx(min(costs), rel=1e-12)


@pytest.mark.parametrize("sigma", [0.0, 0.2])
@pytest.mark.parametrize("seed", one_in(12, range(3)))
def test_leads_and_ends_inside_a_month_and_upfront_payments_too(seed: int, sigma: float) -> None:
    random = np.random.default_rng(seed)
    months = 3 if sigma else 6
    market = Market(
        horizon_months=months, churn=0.05, use_prices=falling(0.03, months), sigma=sigma, wacc=0.1
    )
    today = 10 if sigma else 0
    busy = random.random((months, 21 if sigma else 1))
    terms = (1, 2) if sigma else (1, 2, 4)
    lengths = tuple(float(term + random.choice([0.0, 0.3, 0.5])) for term in terms)
    rates = rates_of(
        random.uniform(1, 3, (months, len(terms))),
        lengths,
        random.uniform(0, 300, len(terms)),
        random.choice([0.0, 0.1, 0.4], (months, len(terms))),
    )
    every = policies(reachable(market, today), rates)
    paths = Paths(busy=busy, rates=rates, flex=4.0, market=market, block=2.0)
    costs = [paths.cost(policy, today) for policy in every]
    found = cheapest_policy(busy[:, :, None], np.arange(months), rates, 4.0, market, np.full(1, 2.0))
    assert found.value[today, 0] == pytest.approx(min(costs), rel=1e-12)


@pytest.mark.parametrize("seed", some_of(range(6), quick=2))
def test_without_volatility_it_is_the_best_of_all_plans_month_by_month(seed: int) -> None:
    random = np.random.default_rng(100 + seed)
    market = Market(
        horizon_months=6,
        churn=random.choice([0.0, 0.04]),
        use_prices=falling(random.uniform(-0.05, 0.05), 6),
        sigma=0.0,
        wacc=0.12,
    )
    busy = random.random((6, 1))
    rates = rates_of(random.uniform(1, 5, (6, 3)), (1, 2, 4))
    every = list(policies(reachable(market, 0), rates))
    paths = Paths(busy, rates, 5.0, market)
    costs = [paths.cost(policy, 0) for policy in every]
    found = cheapest_policy(busy[:, :, None], np.arange(6), rates, 5.0, market, 1.0)
    assert found.value[0, 0] == pytest.approx(min(costs), rel=1e-12)
    month, spent = 0, []
    while month < 6:
        spent.append((month, int(found.choice[month, 0])))
        month += 1 if found.choice[month, 0] == WAIT else int(rates.terms[found.choice[month, 0]])
    chosen = {state: dict(spent).get(state[0], WAIT) for state in reachable(market, 0)}
    assert paths.cost(chosen, 0) == pytest.approx(min(costs), rel=1e-12)


def test_slices_are_planned_alike_whether_alone_or_together() -> None:
    random = np.random.default_rng(5)
    shares = random.random((2, 21, 9))
    months = np.arange(24) % 2
    rates = rates_of(random.uniform(1, 4, (24, 3)), (1, 6, 12))
    market = Market(horizon_months=24, churn=0.01, use_prices=falling(0.02, 24), sigma=0.1, wacc=0.1)
    widths = random.uniform(0.5, 9.0, 9)
    together = cheapest_policy(shares, months, rates, 4.0, market, widths)
    for place in range(9):
        alone = cheapest_policy(
            shares[:, :, place : place + 1], months, rates, 4.0, market, widths[place : place + 1]
        )
        assert (alone.choice[:, 0] == together.choice[:, place]).all()
        assert alone.value[:, 0] == pytest.approx(together.value[:, place], rel=1e-12)


def test_with_equal_cost_waiting_wins_and_then_the_shorter_term() -> None:
    market = Market(horizon_months=2, churn=0.0, use_prices=(1.0,), sigma=0.0, wacc=0.0)
    equal = rates_of(np.full((2, 2), 3.0), (1, 2))
    waits = cheapest_policy(np.ones((1, 1, 1)), np.zeros(2, dtype=np.int64), equal, 3.0, market, 1.0)
    assert waits.choice[:, 0].tolist() == [-1, -1]
    commits = cheapest_policy(np.ones((1, 1, 1)), np.zeros(2, dtype=np.int64), equal, 4.0, market, 1.0)
    assert commits.choice[0, 0] == 0


def test_a_term_past_the_horizon_pays_only_inside_it() -> None:
    market = Market(horizon_months=3, churn=0.0, use_prices=(1.0,), sigma=0.0, wacc=0.0)
    policy = cheapest_policy(
        np.ones((1, 1, 1)),
        np.zeros(3, dtype=np.int64),
        rates_of(np.full((3, 1), 1.0), (36,)),
        9.0,
        market,
        1.0,
    )
    assert policy.value[0, 0] == pytest.approx(3 * 730)


def test_a_busy_slice_cannot_wait_when_nobody_sells_by_use() -> None:
    market = Market(horizon_months=4, churn=0.0, use_prices=(1.0,), sigma=0.0, wacc=0.0)
    shares = np.array([[[1.0, 0.0, 1e-9]]])
    policy = cheapest_policy(
        shares, np.zeros(4, dtype=np.int64), rates_of(np.full((4, 1), 2.0), (1,)), None, market, 1.0
    )
    assert policy.choice[0].tolist() == [0, -1, 0]
    assert policy.value[0].tolist() == pytest.approx([4 * 730 * 2, 0, 4 * 730 * 2])


def test_the_base_is_committed_for_long_and_the_margin_for_short() -> None:
    shares = np.tile(np.linspace(1, 0, 60), (1, 21, 1))
    prices = falling(0.02, 60)
    rates = rates_of(np.outer(prices, [5.2, 4.6, 3.9, 2.75]), (3, 6, 12, 36))
    market = Market(horizon_months=60, churn=0.01, use_prices=prices, sigma=0.1, wacc=0.1)
    policy = cheapest_policy(shares, np.zeros(60, dtype=np.int64), rates, 6.88, market, 1.0)
    terms = np.array([3, 6, 12, 36, 0])[policy.choice[0]]
    assert (np.diff(terms) <= 0).all() and terms[0] == 36 and terms[-1] == 0


# --- Held levels: the rest is planned around them best; a level held where the advice has it changes no
# bit

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
    return case(
        [Load(pool=Pool.INFERENCE, gpus=GPUS), Load(pool=Pool.TRAINING, gpus=GPUS)],
        (),
        OFFERS,
        scenario,
        growth=0.01,
    )


def advised(scenario: Scenario) -> Advice:
    of = made(scenario)
    return advise(of.project, scenario, of.pools, audit())


def held(*levels: HandLayer) -> Scenario:
    return Scenario(name="Plan A", hand_layers={KEY: levels}, advised_around=frozenset([KEY]))


@cache
def advice_around(*levels: HandLayer) -> Advice:
    """The advice around these levels, worked out afresh once for all tests that look at it."""
    return advised(held(*levels))


def row_of(advice: Advice) -> PoolPlan:
    return next(plan for plan in advice.pools if (plan.pool, plan.gpu_model) == KEY)


ADVICE = advised(Scenario(name="Plan A"))
LEVELS = set_levels(row_of(ADVICE))


def test_the_advice_of_these_tests_has_several_terms() -> None:
    assert len(LEVELS) >= 3


@pytest.mark.parametrize("count", one_in(4, [1, 2, 3]))
def test_levels_held_where_the_advice_has_them_change_no_bit(count: int) -> None:
    for levels in combinations(LEVELS, count):
        around = advice_around(*levels)
        mine, theirs = row_of(around), row_of(ADVICE)
        assert mine.by_hand.is_set
        assert mine.by_hand.held_terms == tuple(level.term_months for level in levels)
        assert mine.layers == theirs.layers
        assert mine.runs == theirs.runs
        assert around.orders == ADVICE.orders
        assert around.totals == ADVICE.totals
        assert around.comparison == ADVICE.comparison


def npv(scenario: Scenario) -> float:
    """Without limited offers: who gets those is a rule of order, and other sizes can be worth more."""
    of, cache = (
        case([Load(pool=Pool.INFERENCE, gpus=GPUS)], (), UNLIMITED, scenario, growth=0.01),
        AdviceCache(),
    )
    found = npv_usd(plan_of(ground_of(of.project, scenario, of.pools, cache), cache))
    assert found is not None
    return found


@pytest.mark.long
def test_no_held_level_is_worth_more_than_the_advice() -> None:
    best = npv(Scenario(name="Plan A"))
    worth = {gpus: npv(held(HandLayer(36, gpus))) for gpus in range(0, 16, 3)}
    assert min(worth.values()) < best
    for level in (HandLayer(36, 3), HandLayer(36, 0), HandLayer(36, 9), HandLayer(3, 0), HandLayer(3, 12)):
        assert npv(held(level)) <= best + 1e-6


@pytest.mark.long
def test_a_cache_changes_no_bit() -> None:
    cache = AdviceCache()
    for levels in [LEVELS[:1], (HandLayer(12, 3),), LEVELS[:1], (HandLayer(12, 0), HandLayer(36, 4))]:
        of = made(held(*levels))
        kept = advise(of.project, held(*levels), of.pools, audit(), cache)
        assert row_of(kept).layers == row_of(advice_around(*levels)).layers


def test_held_nothing_is_the_advice() -> None:
    assert row_of(advised(held())).layers == row_of(ADVICE).layers


@pytest.mark.parametrize("level", [HandLayer(12, 0), HandLayer(12, 9), HandLayer(36, 3), HandLayer(3, 7)])
def test_a_held_level_has_its_size_and_its_term_is_nobody_elses(level: HandLayer) -> None:
    around = row_of(advised(held(level)))
    sizes = {one.term_months: one.gpus for one in set_levels(around)}
    assert sizes.get(level.term_months, 0) == level.gpus
    assert sum(layer.gpus * (layer.utilization or 0) for layer in around.layers) == pytest.approx(
        around.demand.mean_gpus
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
    rates = ways_of(tuple(sorted(offers, key=lambda one: one.rate or 0)), horizon, ANY_TIME, TODAY)
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
        rate = rates.rate[0, rates.of_term(term)]
        paid = 730 * rate * sum(market.beta**month for month in range(term))
        return paid + stays**term * full.by_month[term, 0, slice_]

    best = min(
        sum(costs(slice_, term) for slice_, term in enumerate(ways))
        for ways in product((0, 3, 6), repeat=6)
        if all(ways.count(term) == size for term, size in sizes.items())
    )
    mine = sum(costs(slice_, term) for slice_, term in enumerate(found.tolist()))
    assert mine == pytest.approx(best, rel=1e-9)


@pytest.mark.parametrize(
    ("held_terms", "terms", "wants", "free"),
    [
        ((), (0,), [0, 0, 0], [1.0, 2.0, 3.0]),
        ((12,), (0, 12), [12, 0, 0], [10.0, 2.0, 3.0]),
        ((1, 12), (0, 12, 1), [12, 0, 1], [10.0, 2.0, 30.0]),  # who waits wants none, not a term of one month
        ((6,), (0, 6), [0, 0, 0], [1.0, 2.0, 3.0]),
    ],
)
def test_who_would_sign_a_held_term_is_without_it_elsewhere(
    held_terms: tuple[int, ...],
    terms: tuple[int, ...],
    wants: list[int],
    free: list[float],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Three slices sign twelve months, wait, and sign one; of three levels of demand the middle one is today's."""

    def policy(values: list[float]) -> Any:
        return SimpleNamespace(value=np.array([[0.0] * 3, values, [99.0] * 3]), choice=np.array([[0, -1, 1]]))

    monkeypatch.setattr(slice_policy, "compute_signing_cost", lambda *given: np.full(3, 100.0 + given[-1]))
    ways: Any = SimpleNamespace(terms=np.array([12, 1]))
    market: Any = None
    found = held_costs(policy([1.0, 2.0, 3.0]), policy([10.0, 20.0, 30.0]), ways, market, held_terms)
    assert (found.terms, found.wants.tolist()) == (terms, wants)
    assert found.usd.tolist() == [free, *([100.0 + term] * 3 for term in terms[1:])]


@pytest.mark.parametrize(("term", "usd"), [(12, [22.5, 112.5]), (6, [36.0, 206.0]), (24, [0.0, 0.0])])
def test_signing_now_is_its_own_cost_and_what_follows_it(
    term: int, usd: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What follows is $1 for each month until then; a year begins half a month late. Nobody offers two years."""
    monkeypatch.setattr(slice_policy, "policy_after_usd", lambda _, __, months: np.full(2, months))
    policy: Any = SimpleNamespace(
        signed_usd=np.array([[10.0, 100.0], [30.0, 200.0]]), value=np.zeros((3, 2, 1))
    )
    columns = {12: 0, 6: 1}
    ways: Any = SimpleNamespace(
        of_term=lambda months: columns.get(months, -1),
        late=np.array([[0.5, 0.0]]),
        months=np.array([12.0, 6.0]),
    )
    market: Any = None
    assert slice_policy.compute_signing_cost(policy, ways, market, term).tolist() == usd


@pytest.mark.parametrize(("direct", "places"), [(10.0, [1, 2]), (1.5, [2, 1])])
def test_a_slice_moves_on_where_a_chain_costs_less(direct: float, places: list[int]) -> None:
    """The first slice has the second term, the other none. For the first term the other pays $10 or $1.50; or it takes
    the second for $1, and the first slice moves on for $1.
    """
    place = np.array([2, 0])
    slice_policy.push_slice(np.array([[5.0, 0.0], [1.0, direct], [0.0, 1.0]]), place, 1)
    assert place.tolist() == places
