"""Laws of the dated list in small random worlds: contracts that end inside months, offers of all kinds."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.plan.ground import ground_of
from gpuplanner.domain.commitment.plan.row_plans import Planned, plan_of
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.plan.spells import Spell
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import HOUR_S, MONTH_S
from tests.domain.commitment.conftest import START_S, Case, Load, audit, case, contract, offer
from tests.some_of import examples

HOURS = 240
BEGIN_S = START_S + HOURS * HOUR_S
OD = offer("od", 0, 6.0)

CONTRACTS = st.lists(
    st.tuples(
        st.integers(1, 4), st.integers(10, 40), st.integers(100, 6000), st.sampled_from([0, 20, 60]),
        st.sampled_from([None, Pool.TRAINING]),
    ),
    min_size=2,
    max_size=4,
)  # fmt: skip
OFFERS = st.lists(
    st.tuples(
        st.sampled_from([1, 1, 3, 6, 12, 24]),
        st.integers(10, 60),
        st.sampled_from([0.0, 30.0, 200.0, 729.0, 730.0, 1000.0, 4000.0]),
        st.sampled_from([None, None, None, 7, 42]),
        st.sampled_from([None, 2, 5]),
        st.sampled_from([None, 100]),
        st.sampled_from([None, None, 2]),
    ),
    min_size=2,
    max_size=5,
)  # fmt: skip
LOADS = st.lists(
    st.tuples(st.sampled_from([Pool.INFERENCE, Pool.TRAINING]), st.lists(st.integers(0, 6), min_size=24, max_size=24)),
    min_size=1,
    max_size=2,
)  # fmt: skip
SPELLS = st.sampled_from([None, (None, 1000), (400, None), (900, 5000)])
WORLDS = st.tuples(
    LOADS, CONTRACTS, OFFERS, SPELLS, st.sampled_from([0.0, 0.03]), st.sampled_from([0.0, 0.1])
)


def world(drawn: Any) -> tuple[Case, Scenario]:
    loads, contracts, offers, spell, delta, sigma = drawn
    held = [
        contract(f"k{at}", gpus, rate / 10, end_h / 730, HOURS, notice_days=notice, pool=pool, term_months=1)
        for at, (gpus, rate, end_h, notice, pool) in enumerate(contracts)
    ]
    sold = [
        offer(
            f"o{at}", 2 if days == 42 else 1 if days else term, rate / 10, lead_time_hours=lead,
            term_days=days, max_gpus=most, upfront_usd=upfront, unit_gpus=unit,
        )
        for at, (term, rate, lead, days, most, upfront, unit) in enumerate(offers)
    ]  # fmt: skip
    spells = {}
    if spell is not None:
        begins, ends = (None if at is None else BEGIN_S + at * HOUR_S for at in spell)
        spells = {"c1/team/load-000": Spell(begins, ends)}
    scenario = Scenario(name="Plan A", spells=spells)
    made = case(
        [Load(pool=pool, gpus=np.resize(np.array([1.0, *gpus[1:]]), HOURS).tolist()) for pool, gpus in loads],
        held, [OD, *sold], scenario, delta=delta, sigma=sigma, horizon_months=24,
    )  # fmt: skip
    return made, scenario


def planned_of(made: Case, scenario: Scenario) -> Planned:
    return plan_of(ground_of(made.project, scenario, made.pools, AdviceCache()), AdviceCache())


def advised(made: Case, scenario: Scenario, cache: AdviceCache | None = None) -> Advice:
    return advise(made.project, scenario, made.pools, audit(), cache)


def leads_of(offers: tuple[Offer, ...]) -> dict[str, int]:
    return {one.offer_id: round(one.lead_time_hours * HOUR_S) for one in offers}


@pytest.mark.long
@settings(max_examples=examples(25), deadline=None)
@given(WORLDS, st.sampled_from([None, 2_000.0, 8_000.0]))
def test_orders_of_a_slice_never_overlap_and_none_starts_before_its_lead(
    drawn: Any, budget: float | None
) -> None:
    made, scenario = world(drawn)
    scenario = replace(scenario, assumptions={"budget_usd_per_month": budget})
    leads = leads_of(made.project.offers)
    for one in planned_of(made, scenario).rows:
        orders, row = one.signed.orders, one.row
        for k in range(row.slices):
            there = np.flatnonzero(orders.is_there[:, k]).tolist()
            mine = [
                (int(orders.start_s[at, k]), int(orders.end_s[at, k]), int(orders.offer[at, k]))
                for at in there
            ]
            assert all(end <= start for (_, end, _), (start, _, _) in pairwise(mine))
            for number, (start, end, place) in enumerate(mine):
                sold = row.offers[place]
                assert start >= leads[sold.offer_id]
                renews = sold.term_hours < 730
                assert end - start <= MONTH_S if renews else end - start == round(sold.term_hours * HOUR_S)
                follows = number > 0 and mine[number - 1][1] == start
                assert bool(orders.follows[there[number], k]) == follows
                held = [
                    listed for listed in one.listed.orders if k in listed.slices and listed.start_s == start
                ]
                assert [(listed.end_s, listed.place) for listed in held] == [(end, place)]


@pytest.mark.long
@settings(max_examples=examples(25), deadline=None)
@given(WORLDS)
def test_start_less_order_by_is_the_lead_or_the_notice_where_that_is_longer(drawn: Any) -> None:
    made, scenario = world(drawn)
    leads = leads_of(made.project.offers)
    for order in advised(made, scenario).orders:
        ahead = order.start_s - order.order_by_s
        if order.reason != "contract_end":
            assert ahead == leads[order.offer_id]
        else:
            assert ahead >= leads[order.offer_id] or order.order_by_s == BEGIN_S
        assert order.order_by_s >= BEGIN_S and min(order.start_s, order.order_by_s) < BEGIN_S + 12 * MONTH_S


@pytest.mark.long
@settings(max_examples=examples(25), deadline=None)
@given(WORLDS)
def test_months_are_sums_hour_by_hour_and_every_gpu_hour_is_served_or_not(drawn: Any) -> None:
    """Every hour of the twelve months on its own: contracts, orders and use at its part's price."""
    made, scenario = world(drawn)
    advice = advised(made, scenario)
    ground = ground_of(made.project, scenario, made.pools, AdviceCache())
    planned = plan_of(ground, AdviceCache())
    begins = BEGIN_S + np.arange(12 * 730) * HOUR_S
    orders, use = np.zeros(12 * 730), np.zeros(12 * 730)
    for one in planned.rows:
        row, listed = one.row, one.listed
        for k in range(row.slices):
            width = float(row.slicing.widths[k])
            part = np.searchsorted(listed.edges_s, begins - BEGIN_S, side="right") - 1
            held = np.zeros(len(begins))
            there = np.flatnonzero(one.signed.orders.is_there[:, k]).tolist()
            for at in there:
                start, end = (int(getattr(one.signed.orders, name)[at, k]) for name in ("start_s", "end_s"))
                held += np.clip(
                    np.minimum(end, begins - BEGIN_S + HOUR_S) - np.maximum(start, begins - BEGIN_S),
                    0,
                    HOUR_S,
                )
            busy = listed.busy[part, k] * width * (1 - held / HOUR_S)
            rate = listed.rate[part, k]
            use += busy * rate
        for each in listed.orders:
            inside = np.clip(
                np.minimum(each.end_s, begins - BEGIN_S + HOUR_S)
                - np.maximum(each.start_s, begins - BEGIN_S),
                0,
                HOUR_S,
            )
            inside = inside / HOUR_S
            whole = (each.end_s - each.start_s) / HOUR_S
            orders += inside * each.paid_gpus * ((each.rate or 0.0) + each.upfront / whole)
        # every GPU-hour of a row is a contract's, an order's, use, or served by nobody
        lengths = np.diff(listed.edges_s) / HOUR_S
        left = (listed.busy * row.slicing.widths * lengths[:, None]).sum()
        by_orders = (listed.busy * row.slicing.widths * listed.held_h).sum()
        assert left == pytest.approx(by_orders + listed.used.sum() + listed.unserved.sum())
        assert (listed.held_h <= lengths[:, None] + 1e-9).all()
        (month_parts, shares) = one.month_parts, [part.share for part in one.month_parts]
        assert sum(shares) == pytest.approx(1.0)
        residual = sum(part.share * part.residual_gpus.mean() for part in month_parts)
        parts = listed.parts_of(0)
        mean = (listed.busy[parts] * row.slicing.widths * lengths[parts][:, None]).sum() / 730
        assert mean == pytest.approx(residual, abs=1e-6)
    for month in advice.comparison:
        hours = slice(month.month * 730, (month.month + 1) * 730)
        from_s, to_s = (BEGIN_S + at * MONTH_S for at in (month.month, month.month + 1))
        held_usd = 0.0
        for held in ground.plan.contracts:
            seconds = max(0, min(held.end_s or 2**60, to_s) - max(held.start_s, from_s))
            held_usd += held.gpus * float(held.rate or 0.0) * seconds / HOUR_S
        assert month.contracts_usd == pytest.approx(held_usd, abs=1e-6)
        assert month.orders_usd == pytest.approx(orders[hours].sum(), abs=1e-6)
        whole_hours = all(int(at) % HOUR_S == 0 for one in planned.rows for at in one.listed.edges_s)
        if whole_hours:
            assert month.use_usd == pytest.approx(use[hours].sum(), abs=1e-6)
        assert month.plan_usd == pytest.approx(
            (month.contracts_usd or 0) + (month.orders_usd or 0) + (month.use_usd or 0)
        )
    assert advice.totals.plan == advice.comparison[0].plan_usd
    assert advice.totals.do_nothing == advice.comparison[0].do_nothing_usd
    assert (advice.totals.effective_utilization_plan or 0.0) <= 1.0


@settings(max_examples=examples(15), deadline=None)
@given(WORLDS)
def test_with_nothing_to_sign_the_plan_is_doing_nothing(drawn: Any) -> None:
    made, scenario = world(drawn)
    bare = replace(made, project=replace(made.project, offers=(OD,)))
    advice = advised(bare, scenario)
    assert not advice.orders
    for month in advice.comparison:
        assert month.plan_usd == pytest.approx(month.do_nothing_usd, abs=1e-6)


@pytest.mark.long
@settings(max_examples=examples(10), deadline=None)
@given(WORLDS, WORLDS)
def test_another_plan_and_back_is_the_same_to_the_bit(drawn: Any, other: Any) -> None:
    made, scenario = world(drawn)
    cache, moved = AdviceCache(), tuple(reversed((*made.pools,)))
    changed = world((drawn[0], drawn[1], drawn[2], other[3], drawn[4], drawn[5]))[1]
    first = advised(made, scenario, cache)
    advise(made.project, changed, moved, audit(), cache)
    again, fresh = advised(made, scenario, cache), advised(made, scenario)
    for one in (again, fresh):
        assert (one.orders, one.comparison, one.totals) == (first.orders, first.comparison, first.totals)
