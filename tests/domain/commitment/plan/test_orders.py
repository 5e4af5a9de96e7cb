"""Tests of orders."""

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import Decimal

import pytest

from gpuplanner.domain.audit.audit import audit
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.plan.ground import ground_of, with_ends
from gpuplanner.domain.commitment.plan.orders import orders_by_row, verdicts_of
from gpuplanner.domain.commitment.plan.row_plans import plan_of
from gpuplanner.domain.commitment.result import Order, Verdict
from gpuplanner.domain.commitment.uncertainty.net_present_value import npv_usd
from gpuplanner.domain.commitment.words.verdicts import decide_by_s
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.renewal import decided_by_s
from gpuplanner.domain.model.plan.scenario import HandLayer, Scenario
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.window import DAY_S, MONTH_S, Window, instant_s, months_on
from tests.domain.commitment.conftest import Load, case, decided
from tests.domain.commitment.plan.order_months import usd_in
from tests.oracle.crafted import CRAFTED
from tests.oracle.projects import edge_case, random_case
from tests.some_of import one_in

# --- test orders ---------------------------------------------------------------------------------

HOURS = 400
QUIET = {"lambda_": 0.0, "delta": 0.0, "sigma": 0.0, "wacc": 0.0}
PLAN = Scenario(name="Plan A")


@pytest.fixture
def orders(make_case, make_load, make_audit) -> Callable[..., tuple[int, tuple[Order, ...], list[str]]]:  # type: ignore[no-untyped-def]
    def of(contracts: Sequence[object], offers: Sequence[object], gpus: float = 4.0, **values: object):  # type: ignore[no-untyped-def]
        made = make_case([make_load(Pool.TRAINING, [gpus] * HOURS)], contracts, offers, **values)
        advice = advise(made.project, decided(made), made.pools, make_audit())
        late = [check.subject for check in advice.checks if check.code == "order_by_passed"]
        return made.end_s, advice.orders, late

    return of


def test_now(orders, make_offer) -> None:  # type: ignore[no-untyped-def]
    end_s, (order,), late = orders(
        [], [make_offer("od", 0, 6.0), make_offer("c", 12, 2.0, lead_time_hours=48)]
    )
    assert (order.pool, order.gpu_model, order.offer_id, order.gpus) == (Pool.TRAINING, "H100", "c", 4.0)
    assert (order.term_months, order.start_s, order.order_by_s, order.reason) == (
        12,
        end_s + 2 * DAY_S,
        end_s,
        "now",
    )
    assert order.last_day_s == end_s  # nothing can be ordered sooner: its own day
    assert (order.rate, order.cost_per_month) == (2.0, 730 * 4 * 2.0)
    assert order.liability == 12 * 730 * 4 * 2.0
    assert order.end_s - order.start_s == 12 * MONTH_S
    assert not late


def test_a_quote_is_ordered_without_its_days_where_a_log_counts_from_0(
    make_case, make_load, make_offer, make_audit
) -> None:  # type: ignore[no-untyped-def]
    """Nobody knows which of its months a day falls in."""
    quote = make_offer(
        "c", 12, 2.0, source="Quote RFQ-20261001-7C1E R1", starts="2027-01-15", valid_until="2026-12-01"
    )
    made = make_case([make_load(Pool.TRAINING, [4.0] * HOURS)], (), [make_offer("od", 0, 6.0), quote])
    project = replace(made.project, window=Window(0, HOURS))
    ground = ground_of(project, PLAN, made.pools, AdviceCache())
    assert ground.calendar.begin_s is None
    orders = advise(project, PLAN, made.pools, make_audit()).orders
    assert [(one.offer_id, one.start_s) for one in orders] == [("c", HOURS * 3600)]


def test_when_a_contract_ends_by_the_longer_of_notice_and_lead(orders, make_offer, make_contract) -> None:  # type: ignore[no-untyped-def]
    offers = [make_offer("od", 0, 6.0), make_offer("c", 12, 2.0, lead_time_hours=240)]
    contracts = [
        make_contract("k", 4, 3.0, 3.5, HOURS, notice_days=30),
        make_contract("l", 1, 9.0, 3.25, HOURS),
    ]
    end_s, (order,), _ = orders(contracts, offers)  # l, the dearer, serves nothing
    ends = end_s + round(3.5 * MONTH_S)
    assert (order.start_s, order.order_by_s, order.reason) == (ends, ends - 30 * DAY_S, "contract_end")
    assert order.last_day_s == decided_by_s(contracts[0], ends)  # the day of the notice, not the one after
    assert (order.gpus, order.end_s) == (4.0, ends + 12 * MONTH_S)
    assert order.rate == pytest.approx(2.0 * 0.98**3)  # as prices fall until it is signed


def test_several_ends_in_a_month_are_each_followed_on_its_day(orders, make_offer, make_contract) -> None:  # type: ignore[no-untyped-def]
    offers = [make_offer("od", 0, 6.0), make_offer("c", 12, 2.0, lead_time_hours=100)]
    contracts = [
        make_contract("k", 2, 3.0, 3.5, HOURS, notice_days=60),
        make_contract("l", 2, 9.0, 3.25, HOURS),
    ]
    end_s, found, _ = orders(contracts, offers)
    dear, cheap = end_s + round(3.25 * MONTH_S), end_s + round(3.5 * MONTH_S)
    assert [(one.gpus, one.reason, one.start_s, one.order_by_s) for one in found] == [
        (2.0, "contract_end", dear, dear - 100 * 3600),
        (2.0, "contract_end", cheap, cheap - 60 * DAY_S),
    ]


def test_a_plan_that_waits_orders_once_it_has_waited(orders, make_offer) -> None:  # type: ignore[no-untyped-def]
    offers = [make_offer("od", 0, 6.0), make_offer("c", 12, 2.0, lead_time_hours=73)]
    end_s, (order,), _ = orders([], offers, wait_months=3)
    assert (order.order_by_s, order.start_s) == (end_s + 3 * MONTH_S, end_s + 3 * MONTH_S + 73 * 3600)


def test_levels_set_by_hand_wait_for_nothing(make_case, make_load, make_offer, make_audit) -> None:  # type: ignore[no-untyped-def]
    """They are paid from the first month on, so that they are ordered then; one that is held begins after the wait: it
    is said."""
    offers = [make_offer("od", 0, 6.0), make_offer("c", 12, 2.0)]
    row = (Pool.TRAINING, "H100")
    plan = Scenario(name="Plan A", hand_layers={row: (HandLayer(12, 3),)})
    made = make_case([make_load(Pool.TRAINING, [4.0] * HOURS)], [], offers, plan, wait_months=3)
    advice = advise(made.project, plan, made.pools, make_audit())
    (order,) = advice.orders
    assert (order.order_by_s, order.start_s) == (made.end_s, made.end_s)
    assert advice.comparison[0].orders_usd == pytest.approx(730 * 3 * 2.0)
    assert advice.totals.liability_now == pytest.approx(12 * 730 * 3 * 2.0)
    assert not [check for check in advice.checks if check.code == "held_level_waits"]
    held = replace(plan, advised_around=frozenset({row}))
    waiting = advise(made.project, held, made.pools, make_audit())
    (check,) = [check for check in waiting.checks if check.code == "held_level_waits"]
    assert "for 3 months" in str(check.message)
    assert [(order.gpus, order.start_s) for order in waiting.orders] == [(4.0, made.end_s + 3 * MONTH_S)]
    use_usd = [month.use_usd for month in waiting.comparison]
    assert all(use_usd[:3]) and use_usd[3:] == [0.0] * 9


def test_as_soon_as_the_lead_time_allows_and_growth(orders, make_offer) -> None:  # type: ignore[no-untyped-def]
    offers = [make_offer("od", 0, 6.0), make_offer("c", 12, 2.0, lead_time_hours=1500)]
    end_s, (order,), late = orders([], offers)
    assert (order.reason, order.start_s, order.order_by_s) == ("lead_time", end_s + 1500 * 3600, end_s)
    assert not late
    _, found, _ = orders([], [make_offer("od", 0, 6.0), make_offer("c", 6, 2.0)], 2.0, growth=0.05, sigma=0.0)
    assert {order.reason for order in found} == {"now", "growth", "follows"}
    assert max(order.start_s for order in found) < end_s + 12 * MONTH_S


def test_a_notice_that_has_passed_renews_month_by_month_until_one_can_be_given(
    orders, make_offer, make_contract
) -> None:  # type: ignore[no-untyped-def]
    offers = [make_offer("od", 0, 6.0), make_offer("c", 12, 2.0, lead_time_hours=700)]
    held = make_contract("k", 4, 3.0, 1.5, HOURS, notice_days=90, renews_months=1)
    end_s, (order,), late = orders([held], offers)
    ends_s = months_on(
        end_s + round(1.5 * MONTH_S), 2
    )  # at 1.5 and 2.5 months its 90 days of notice had passed
    assert (order.reason, order.order_by_s, order.start_s) == ("contract_end", ends_s - 90 * DAY_S, ends_s)
    assert late == ["k"]


def test_where_the_lead_is_longer_than_the_contract_runs_the_order_starts_after_its_lead(
    orders, make_offer, make_contract
) -> None:  # type: ignore[no-untyped-def]
    offers = [make_offer("od", 0, 6.0), make_offer("c", 12, 2.0, lead_time_hours=1000)]
    end_s, (order,), late = orders([make_contract("k", 4, 3.0, 1.2, HOURS, notice_days=10)], offers)
    assert (order.reason, order.order_by_s, order.start_s) == ("lead_time", end_s, end_s + 1000 * 3600)
    assert not late


def test_a_contract_built_to_order_behind_a_monthly_bridge(
    make_case, make_load, make_offer, make_audit
) -> None:  # type: ignore[no-untyped-def]
    """Known answer 13."""
    bridge = [make_offer("od", 0, 6.0), make_offer("c1", 1, 4.0)]
    built = make_offer("c36", 36, 2.0, lead_time_hours=4380)

    def planned(offers: Sequence[object]):  # type: ignore[no-untyped-def]
        made = make_case([make_load(Pool.TRAINING, [4.0] * HOURS)], (), offers, **QUIET)
        ground = ground_of(made.project, PLAN, made.pools, AdviceCache())
        return made, plan_of(ground, AdviceCache())

    made, with_it = planned([*bridge, built])
    _, without = planned(bridge)
    advice = advise(made.project, PLAN, made.pools, make_audit())
    end_s = made.end_s
    found = [
        (o.offer_id, o.reason, o.start_s - end_s, o.order_by_s - end_s, o.follows) for o in advice.orders
    ]
    assert found == [
        *(("c1", "bridge", month * MONTH_S, month * MONTH_S, month > 0) for month in range(6)),
        ("c36", "lead_time", 6 * MONTH_S, 0, True),
    ]
    assert [len(row) for row in orders_by_row(advice.orders)] == [6, 1]
    values = [one.rows[0].signed.value_usd.sum() for one in (with_it, without)]
    assert values[0] < values[1]
    assert (npv_usd(with_it) or 0) > (npv_usd(without) or 0)
    totals = advice.totals
    assert totals.liability_now == pytest.approx(730 * 4 * (4 + 36 * 2))
    assert totals.liability == pytest.approx(730 * 4 * (6 * 4 + 36 * 2))
    assert [row.orders_usd for row in advice.comparison] == pytest.approx([11680] * 6 + [5840] * 6)


def test_what_is_paid_upfront_is_in_the_liability_and_spread_in_a_month(orders, make_offer) -> None:  # type: ignore[no-untyped-def]
    offers = [make_offer("od", 0, 6.0), make_offer("c", 12, 2.0, upfront_usd=Decimal(876))]
    end_s, (order,), _ = orders([], offers)
    assert order.liability == pytest.approx(4 * (12 * 730 * 2.0 + 876))
    assert order.cost_per_month == pytest.approx(4 * 730 * 2.1)
    assert order.cost_per_month == pytest.approx(usd_in(order, end_s, 0))


def worlds() -> list[tuple[str, object]]:
    return [
        *((name, CRAFTED[name]) for name in ("two_clusters", "lead_times", "max_gpus")),
        *(
            (f"random {seed}", lambda seed=seed: random_case(seed, hours=170, horizon=12))
            for seed in range(8)
        ),
        *((f"edge {seed}", lambda seed=seed: edge_case(seed)) for seed in range(8)),
    ]


@pytest.mark.parametrize("wait_months", [0, 2])
@pytest.mark.parametrize("make", one_in(6, [pytest.param(make, id=name) for name, make in worlds()]))
def test_every_dollar_of_every_month_is_a_contract_an_order_or_use(  # type: ignore[no-untyped-def]
    make, wait_months
) -> None:
    case = make()
    case.assumptions = case.assumptions.with_values({"wait_months": wait_months})
    r = random.Random(len(case.offers))
    case.offers = [
        replace(
            offer,
            upfront_usd=r.choice([None, Decimal(500)]) if offer.term_months else None,
            term_days=r.choice([None, None, 30 * offer.term_months - 3]) if offer.term_months < 3 else None,
        )
        if offer.term_months
        else offer
        for offer in case.offers
    ]
    project = case.project
    advice = advise(project, case.scenario, case.pool_of_each, audit(project, case.classifications))
    begin_s = project.plan_window.end_s
    for row in advice.comparison:
        parts = (row.contracts_usd, row.orders_usd, row.use_usd)
        assert (row.plan_usd is None) == (None in parts)
        if row.plan_usd is not None:
            assert sum(parts) == pytest.approx(row.plan_usd, abs=0.005)
        if row.orders_usd is not None:
            ordered = sum(usd_in(order, begin_s, row.month) or 0.0 for order in advice.orders)
            assert ordered == pytest.approx(row.orders_usd, abs=0.005)
    for order in advice.orders:
        assert begin_s + wait_months * MONTH_S <= order.last_day_s <= order.order_by_s
        assert order.is_soonest == (order.last_day_s == order.order_by_s)
        assert order.start_s >= order.order_by_s and order.end_s > order.start_s
        months = range(80)
        assert order.liability is not None
        assert sum(usd_in(order, begin_s, month) or 0 for month in months) == pytest.approx(order.liability)


# --- test verdicts -------------------------------------------------------------------------------

VERDICTS_HOURS = 720
WINDOW = Window(1_767_225_600, VERDICTS_HOURS)
Sold = tuple[Order, Offer]


@pytest.fixture
def first(make_offer: Callable[..., Offer]) -> Callable[..., Sold]:
    def of(
        pool: Pool,
        term: int,
        month: float,
        gpus: float,
        lead_h: float = 0,
        model: str = "H100",
        **more: object,
    ) -> Sold:
        """An order that follows no other and starts so many months after the plan begins."""
        offer = make_offer(f"t{term}-{lead_h:g}", term, 3.0, lead_time_hours=lead_h, gpu_model=model)
        start_s = WINDOW.end_s + round(month * MONTH_S)
        end_s, order_by_s = start_s + term * MONTH_S, start_s - round(lead_h * 3600)
        return Order(
            pool=pool,
            gpu_model=model,
            offer_id=offer.offer_id,
            term_months=term,
            gpus=gpus,
            start_s=start_s,
            end_s=end_s,
            order_by_s=order_by_s,
            reason="now",
            **more,
        ), offer  # type: ignore[arg-type]

    return of


def judged(
    contracts: list[Contract], firsts: list[Sold], plan: Scenario = PLAN, **served: int
) -> dict[str, Verdict]:
    offers = {offer.offer_id: offer for _, offer in firsts}
    made = case(
        [Load(pool=Pool.TRAINING, gpus=[1.0] * VERDICTS_HOURS)], contracts, list(offers.values()), plan
    )
    ground = ground_of(made.project, plan, made.pools, AdviceCache())
    found = verdicts_of(with_ends(made.project, plan), [order for order, _ in firsts], served, ground)
    return {verdict.contract_id: verdict for verdict in found}


def summary(verdict: Verdict) -> tuple[str, int, float]:
    return verdict.verdict, verdict.then_term_months, verdict.gpus


def test_far_ends_are_kept_and_rows_on_demand_expire(make_contract: Callable[..., Contract]) -> None:
    found = judged(
        [
            make_contract("far", 4, 3.0, 24.5, VERDICTS_HOURS, notice_days=10),
            make_contract("ever", 4, 3.0, None, VERDICTS_HOURS),
            make_contract("open", 4, 3.0, None, VERDICTS_HOURS, notice_days=10),
            make_contract("od", 4, 3.0, 3, VERDICTS_HOURS, pricing_category=PricingCategory.STANDARD),
            make_contract("near", 4, 3.0, 24, VERDICTS_HOURS),
            make_contract("gone", 4, 3.0, -1, VERDICTS_HOURS),
        ],
        [],
    )
    far_end = WINDOW.end_s + round(24.5 * MONTH_S)
    assert (found["far"].verdict, found["far"].order_by_s) == ("keep", far_end - 10 * DAY_S)
    assert (found["ever"].verdict, found["ever"].order_by_s) == ("keep", None)
    assert (found["open"].verdict, found["open"].order_by_s) == ("renew", None)
    assert (found["od"].verdict, found["od"].order_by_s) == ("let_expire", WINDOW.end_s + 3 * MONTH_S)
    assert summary(found["near"]) == ("let_expire", 0, 0.0)
    assert "gone" not in found


def test_one_that_renews_runs_on_until_the_planner_says_that_notice_was_given(make_contract, first) -> None:  # type: ignore[no-untyped-def]
    contract = make_contract("k", 4, 3.0, 1.0, VERDICTS_HOURS, notice_days=31, renews_months=12)
    order = [first(Pool.TRAINING, 12, 1.0, 4.0)]
    assert summary(judged([contract], order)["k"]) == ("renew", 0, 0.0)
    given = replace(PLAN, notice_given=("k",))
    assert summary(judged([contract], order, given)["k"]) == ("replace", 12, 4.0)


@pytest.mark.parametrize("days", [30, 31])
def test_one_of_which_a_notice_alone_is_known_ends_until_the_planner_says_that_it_renews(
    make_contract, first, days: int
) -> None:  # type: ignore[no-untyped-def]
    """Whether its notice has passed (31 days before a month) or not."""
    contract = make_contract("k", 4, 3.0, 1.0, VERDICTS_HOURS, notice_days=days, term_months=12)
    order = [first(Pool.TRAINING, 12, 1.0, 4.0)]
    assert summary(judged([contract], order)["k"]) == ("replace", 12, 4.0)
    assert summary(judged([contract], order, replace(PLAN, runs_on=("k",)))["k"]) == ("renew", 0, 0.0)


def test_what_starts_in_the_730_hours_from_its_end_follows_a_contract(make_contract, first) -> None:  # type: ignore[no-untyped-def]
    contract = make_contract("k", 99, 3.0, 5.2, VERDICTS_HOURS, term_months=12)
    hour = 1 / 730
    starts = (0, 5.2 - hour, 5.2, 5.7, 6.2 - hour, 6.2)
    orders = [first(Pool.TRAINING, 36, month, 2.0**at) for at, month in enumerate(starts)]
    assert summary(judged([contract], orders)["k"]) == ("replace", 36, 4.0 + 8.0 + 16.0)


def test_what_follows_another_order_takes_no_contracts_place(make_contract, first) -> None:  # type: ignore[no-untyped-def]
    contract = make_contract("k", 20, 3.0, 5.2, VERDICTS_HOURS, term_months=12)
    orders = [first(Pool.TRAINING, 36, 5.2, 3.0), first(Pool.TRAINING, 1, 5.2, 4.0, follows=True)]
    assert summary(judged([contract], orders)["k"]) == ("replace", 36, 3.0)


def test_a_quote_that_takes_its_place_is_ordered_while_it_holds(make_contract, first) -> None:  # type: ignore[no-untyped-def]
    contract = make_contract("k", 20, 3.0, 5.2, VERDICTS_HOURS, term_months=12)
    order, listed = first(Pool.TRAINING, 36, 5.2, 20.0)
    quoted = replace(listed, source="Quote RFQ-20260101-AAAA R1", valid_until="2026-02-10")
    usual, early = (judged([contract], [(order, one)])["k"].order_by_s for one in (listed, quoted))
    assert usual == contract.end_s
    assert early == instant_s("2026-02-11") - 1


def test_what_follows_is_to_be_ordered_by_the_first_day_of_its_orders(make_contract, first) -> None:  # type: ignore[no-untyped-def]
    """The contract had a day of its own, after that of the order that takes its place."""
    contract = make_contract("k", 20, 3.0, 5.2, VERDICTS_HOURS, term_months=12)
    late, soon = first(Pool.TRAINING, 36, 5.7, 12.0, 24), first(Pool.TRAINING, 36, 5.9, 8.0, 960)
    verdict = judged([contract], [late, soon])["k"]
    assert verdict.order_by_s == (contract.end_s or 0) - 960 * 3600
    earliest = min(late[0].last_day_s, soon[0].last_day_s)
    assert decide_by_s(verdict, contract) == earliest == soon[0].order_by_s - 1
    assert (verdict.gpus, verdict.due_gpus) == (20.0, 8.0)  # 8 by that day, 12 later
    of_another = (replace(soon[0], reason="contract_end"), soon[1])  # it waits for the notice of a later end
    verdict = judged([contract], [late, of_another])["k"]
    assert verdict.last_day_s == late[0].order_by_s - 1 and verdict.due_gpus == 20.0
    assert (
        decide_by_s(verdict, contract) == (contract.end_s or 0) - 1
    )  # none after the end that it decides on
    noticed = replace(contract, notice_days=90)
    assert decide_by_s(judged([noticed], [late])["k"], noticed) == (contract.end_s or 0) - 90 * DAY_S - 1


def test_earlier_ends_then_most_served_take_first_and_each_commitment_once(make_contract, first) -> None:  # type: ignore[no-untyped-def]
    contracts = [
        make_contract("a", 4, 3.0, 3.9, VERDICTS_HOURS),
        make_contract("b", 4, 3.5, 3.9, VERDICTS_HOURS),
        make_contract("c", 4, 9.0, 3.5, VERDICTS_HOURS),
    ]
    commitments = [first(Pool.TRAINING, 12, 4.0, 9.0)]
    found = judged(contracts, commitments, a=5, b=6)
    assert [found[name].gpus for name in "abc"] == [1.0, 4.0, 4.0]
    tied = judged(contracts, commitments, a=5, b=5)
    assert [tied[name].gpus for name in "abc"] == [4.0, 1.0, 4.0]  # the lower rate first


def test_the_largest_term_first_then_the_next_and_the_shorter_of_equals(make_contract, first) -> None:  # type: ignore[no-untyped-def]
    contract = make_contract("k", 10, 3.0, 3.5, VERDICTS_HOURS, term_months=24, notice_days=5)
    commitments = [
        first(Pool.BURST, 36, 3.5, 4, 100),
        first(Pool.INFERENCE, 12, 3.5, 3, 500),
        first(Pool.TRAINING, 12, 3.5, 3, 200),
    ]
    verdict = judged([contract], commitments)["k"]
    assert summary(verdict) == ("shorten", 12, 10.0)
    assert verdict.order_by_s == (contract.end_s or 0) - 500 * 3600
    few = make_contract("k", 2, 3.0, 3.5, VERDICTS_HOURS, term_months=24, notice_days=5)
    assert (
        judged([few], commitments)["k"].order_by_s == (contract.end_s or 0) - 500 * 3600
    )  # inference before training
    equal = [first(Pool.TRAINING, 36, 3.5, 4), first(Pool.TRAINING, 6, 3.5, 4)]
    assert summary(judged([few], equal)["k"]) == ("shorten", 6, 2.0)
    longer = make_contract("k", 2, 3.0, 3.5, VERDICTS_HOURS, term_months=24, notice_days=30)
    assert judged([longer], commitments)["k"].order_by_s == (contract.end_s or 0) - 30 * DAY_S


def test_a_pinned_contract_and_another_model_keep_to_themselves(make_contract, first) -> None:  # type: ignore[no-untyped-def]
    commitments = [first(Pool.TRAINING, 12, 3.5, 5), first(Pool.BURST, 1, 3.5, 2)]
    pinned = make_contract("p", 9, 3.0, 3.5, VERDICTS_HOURS, pool=Pool.BURST)
    other = make_contract("q", 9, 3.0, 3.5, VERDICTS_HOURS, gpu_model="A100")
    found = judged([pinned, other], commitments)
    assert summary(found["p"]) == ("replace", 1, 2.0)
    assert found["q"].verdict == "let_expire"


def test_one_that_follows_late_for_its_lead_time_is_said(make_contract, first) -> None:  # type: ignore[no-untyped-def]
    verdict = judged(
        [make_contract("k", 9, 3.0, 1.5, VERDICTS_HOURS)], [first(Pool.TRAINING, 12, 3.5, 5, 3.5 * 730)]
    )["k"]
    assert verdict.verdict == "let_expire" and "106 days" in str(verdict.reason)


def test_shares_are_what_the_reason_says_of_each_term(make_contract, first) -> None:  # type: ignore[no-untyped-def]
    commitments = [first(Pool.TRAINING, 12, 5.2, 1_024), first(Pool.TRAINING, 3, 5.2, 16)]
    found = judged([make_contract("k", 1_040, 3.0, 5.2, VERDICTS_HOURS)], commitments)["k"]
    assert found.shares == ((16.0, (3, None)), (1_024.0, (12, None)))
    assert re.findall(r"[\d,]+", str(found.reason)) == ["16", "3", "1,024", "12"]
    (ended,) = judged([make_contract("k", 8, 3.0, 5.2, VERDICTS_HOURS)], []).values()
    assert ended.shares == ()


def test_only_what_follows_young_demand_alone_hangs_on_its_lasting(make_contract, first) -> None:  # type: ignore[no-untyped-def]
    order, offer = first(Pool.TRAINING, 12, 5.2, 4.0)
    young, old = (replace(order, reason="if_it_lasts"), offer), first(Pool.TRAINING, 3, 5.2, 4.0)
    contract = make_contract("k", 8, 3.0, 5.2, VERDICTS_HOURS)
    alone, beside = judged([contract], [young])["k"], judged([contract], [young, old])["k"]
    assert (alone.gpus, alone.if_it_lasts_gpus) == (0.0, 4.0)
    assert (beside.gpus, beside.if_it_lasts_gpus) == (4.0, 4.0)
    assert judged([contract], [])["k"].if_it_lasts_gpus == 0
