"""Each rule of the model that a setting switches, on worlds small enough to be worked out on paper."""

import math
from datetime import UTC, datetime

import pytest

from gpuplanner.domain.model.window import iso_utc
from tests.oracle.policy import level_factor
from tests.oracle.projects import MONTH_S, Case
from tests.oracle.simulator import Simulator
from tests.oracle.stated import Change, Planned
from tests.oracle.steps import current_now, savings_steps
from tests.oracle.uncertainty import band, variance_of_level
from tests.oracle.volatility import sigma_of_log, walk_and_noise

CERTAIN = {"sigma": 0.0, "delta": 0.0, "lambda": 0.0, "wacc": 0.0, "growth": 0.0}
OFF = {
    "growth_fade": 1.0,
    "short_leads": "priced",
    "demand_fall_closes": False,
    "slices_lived": False,
    "spot_for_development": False,
    "recency_half_life_days": None,
    "unit": None,
    "block": None,
}
DAY_H = 24


def world(hours=192, horizon=12, **settings):
    """No uncertainty, leads priced, every other rule off."""
    return Case(hours, horizon_months=horizon, **(CERTAIN | OFF | settings))


def plan_of(case):
    return sim_of(case).plan()


def sim_of(case):
    return Simulator(case.project, case.scenario, case.pools, case.classes, beyond=case.beyond)


def signed(answer, pool="inference"):
    """{(term, offer): GPUs} of the new committed layers of a pool."""
    return {
        (layer.term_months, layer.offer_id): layer.gpus
        for group in answer.groups
        if group.pool == pool
        for layer in group.layers
        if not layer.existing and layer.term_months
    }


def orders_of(answer):
    """[(offer, reason, GPUs, months from the plan's beginning to its start, and to its order_by)], by start."""
    begin_s = answer.comparison[0].start_s
    return sorted(
        (
            ((key[4] - begin_s) / MONTH_S, key[2], key[5], row.gpus, (row.order_by - begin_s) / MONTH_S)
            for key, row in answer.orders.items()
        ),
        key=lambda row: row[:3],
    )


def plan_usd(answer):
    return [month.plan.usd for month in answer.comparison]


# -- slices ---------------------------------------------------------------------------------------------------


def test_growth_fades():
    case = world(horizon=4, growth=0.2, growth_fade=0.5)
    case.workload("a", "chat", "inference", 10)
    case.offer("od", 0, 5)
    month = 730 * 10 * 5
    assert plan_usd(plan_of(case)) == pytest.approx(
        [month, month * 1.2, month * 1.2 * 1.1, month * 1.2 * 1.1 * 1.05]
    )


def test_slices_widen_above_what_the_next_year_needs():
    case = world(horizon=30, growth=0.1)
    case.workload("a", "chat", "inference", 4)
    case.offer("od", 0, 5)
    (group,) = plan_of(case).groups
    widths = [piece.gpus for piece in group.slices]
    fine = math.ceil(4 * 1.1**11)
    assert widths[:fine] == [1] * fine
    assert widths[fine : fine + 5] == [1, 2, 2, 2, 3]  # of 1.25, 1.56, 1.95, 2.44, 3.05
    highest = 4 * 1.1**29
    assert sum(widths[:-1]) < highest <= sum(widths)


def test_the_block_is_the_largest_unit_sold_and_doubles_over_512_of_today_alone():
    case = world(growth=3.0)
    case.workload("a", "chat", "inference", 20)
    case.offer("od", 0, 5)
    case.offer("c1", 1, 4, unit_gpus=8)
    assert plan_of(case).groups[0].block == 8
    case.set(unit=1)
    assert plan_of(case).groups[0].block == 1
    case.set(unit=None, block=2)
    assert plan_of(case).groups[0].block == 2

    case = world()
    case.workload("a", "chat", "inference", 513)
    case.offer("od", 0, 5)
    (group,) = plan_of(case).groups
    assert (group.block, len(group.slices)) == (2, 257)


def test_growth_far_ahead_does_not_coarsen_today():
    blocks = set()
    for growth in (0.0, 0.25, 0.3, 0.5):
        case = world(horizon=24, growth=growth, growth_fade=0.9)
        case.workload("a", "chat", "inference", 40)
        case.offer("od", 0, 5)
        case.offer("c1", 1, 4)
        answer = plan_of(case)
        assert 20 <= signed(answer)[1, "c1"] <= 120
        blocks |= {piece.gpus for piece in answer.groups[0].slices if piece.low < 40}
    assert blocks == {1}


def test_recent_hours_weigh_more():
    case = world(14 * DAY_H * 2, recency_half_life_days=14)
    case.workload("a", "chat", "inference", [1] * (14 * DAY_H) + [3] * (14 * DAY_H))
    case.offer("od", 0, 5)
    answer = plan_of(case)
    assert answer.plan == pytest.approx(730 * 5 * (1 * 1 + 3 * 2) / 3)
    assert answer.totals.on_demand_equivalent == pytest.approx(answer.plan)
    assert answer.totals.do_nothing == pytest.approx(answer.plan)
    assert answer.groups[0].mean_gpus == 2


# -- what the planner states ----------------------------------------------------------------------------------


def test_a_workload_counts_by_the_days_it_is_there():
    case = world(horizon=4)
    chat = case.workload("a", "chat", "inference", 10)
    case.workload("a", "rest", "inference", 2)
    case.offer("od", 0, 5)
    case.stated.dates[chat] = (None, case.end_s + round(1.25 * MONTH_S))
    assert plan_usd(plan_of(case)) == pytest.approx([730 * 5 * x for x in (12, 2 + 10 / 4, 2, 2)])


def test_nothing_is_signed_for_what_ends():
    case = world(horizon=12)
    chat = case.workload("a", "chat", "inference", 10)
    case.offer("od", 0, 5)
    case.offer("c1", 1, 4)
    case.offer("c6", 6, 2)
    assert signed(plan_of(case)) == {(6, "c6"): 10}
    case.stated.dates[chat] = (None, case.end_s + 2 * MONTH_S)
    assert signed(plan_of(case)) == {(1, "c1"): 10}  # 2 months at 4 are less than 6 at 2
    case.stated.dates[chat] = (None, case.end_s)
    assert plan_of(case).groups == []


def test_a_planned_workload_runs_at_its_hours_and_does_not_grow():
    case = world(168, horizon=3, growth=0.5)
    case.contract("k", "a", 9, 1)
    case.workload("a", "chat", "inference", 1)
    hours = frozenset(day * 24 + hour for day in range(5) for hour in range(8, 20))
    case.stated.planned.append(
        Planned("/team/new", "inference", "H100", 7, begins_s=case.end_s + MONTH_S, hours=hours)
    )
    case.offer("od", 0, 5)
    answer = plan_of(case)
    served = 730 * 9 * 1
    run = 730 * 7 * 60 / 168 * 5
    assert plan_usd(answer) == pytest.approx([served, served + run, served + run])
    begin = datetime.fromtimestamp(case.window.start_s, UTC)
    sim = sim_of(case)
    for h, amount in enumerate(sim.demand.rows[case.stated.planned[0], "H100"]):
        at = datetime.fromtimestamp(case.window.start_s + 3600 * h, UTC)
        assert (amount > 0) == (at.weekday() < 5 and 8 <= at.hour < 20), (begin, h)


def test_a_planned_run_of_a_length_is_there_for_so_long():
    case = world(horizon=3)
    case.stated.planned.append(Planned("a/team/run", "training", "H100", 8, length_hours=1095, cluster="a"))
    case.offer("od", 0, 5)
    assert plan_usd(plan_of(case)) == pytest.approx([730 * 40, 365 * 40, 0])


def test_dated_changes_of_demand():
    case = world(horizon=5)
    chat = case.workload("a", "chat", "inference", 4)
    case.workload("a", "run", "training", 4)
    case.offer("od", 0, 5)
    case.stated.demand.append(Change(chat, 3, case.end_s + round(1.5 * MONTH_S)))
    assert plan_usd(plan_of(case)) == pytest.approx([730 * 5 * x for x in (8, 12, 16, 16, 16)])
    case.stated.demand[:] = [Change("all", 3, case.end_s + 4 * MONTH_S, by=True)]
    assert plan_usd(plan_of(case)) == pytest.approx([730 * 40 * x for x in (1, 1.5, 2, 2.5, 3)])
    case.stated.demand[:] = [Change("training", 0.5, case.end_s - 1)]
    assert plan_usd(plan_of(case)) == pytest.approx([730 * 30] * 5)


def test_the_policy_knows_dated_prices():
    case = world(horizon=12)
    case.workload("a", "chat", "inference", 1)
    case.offer("od", 0, 5)
    case.offer("c12", 12, 4.5)
    assert signed(plan_of(case)) == {(12, "c12"): 1}
    case.stated.prices.append(Change("h100", 0.5, case.end_s + MONTH_S))
    answer = plan_of(case)
    assert signed(answer) == {}
    assert plan_usd(answer) == pytest.approx([730 * 5] + [730 * 2.25] * 11)


def test_only_one_provider_may_serve():
    case = world()
    chat = case.workload("a", "chat", "inference", 3)
    case.contract("k", "a", 2, 1, provider="one")
    case.offer("od-one", 0, 3, provider="one")
    case.offer("od-two", 0, 7, provider="two")
    case.offer("c1-one", 1, 2, provider="one")
    case.offer("c1-two", 1, 6.5, provider="two")
    assert plan_of(case).plan == pytest.approx(730 * (2 + 2))
    case.stated.only[chat] = ("provider", "two")
    answer = plan_of(case)
    assert answer.plan == pytest.approx(730 * (2 + 3 * 6.5))
    assert answer.totals.do_nothing == pytest.approx(730 * (2 + 3 * 7))
    assert answer.totals.savings_vs_do_nothing == pytest.approx(730 * 3 * 0.5)


def test_what_a_limit_leaves_to_nobody_is_no_saving():
    case = world()
    chat = case.workload("a", "chat", "inference", 2)
    case.offer("od-one", 0, 3, provider="one")
    case.stated.only[chat] = ("provider", "two")
    answer = plan_of(case)
    assert answer.plan == 0 and answer.comparison[0].do_nothing_unserved == pytest.approx(730 * 2)
    assert answer.totals.savings_vs_do_nothing is None and answer.totals.savings is None
    steps = savings_steps(case.project, case.scenario, case.pools, case.classes, case.beyond)
    assert {name for name, usd in steps.items() if usd is not None} == {"demand"}


# -- what the log shows ---------------------------------------------------------------------------------------


def stopped(gpus, stopped_days, hours=2160, **settings):
    case = world(hours, horizon=6, **settings)
    left = stopped_days * DAY_H
    case.workload("a", "run", "inference", [gpus] * (hours - left) + [0] * left)
    case.offer("od", 0, 5)
    case.offer("c1", 1, 0.5)
    case.offer("c3", 3, 0.3)
    case.offer("c6", 6, 0.2)
    return case


def test_a_fall_closes_terms_over_three_months():
    answer = plan_of(stopped(40, 32, demand_fall_closes=True))
    assert answer.fallen == {("inference", "H100")}
    assert signed(answer) == {(3, "c3"): 40}  # for demand of the whole window: this rule alone
    assert signed(plan_of(stopped(40, 32))) == {(6, "c6"): 40}
    assert plan_of(stopped(40, 7, demand_fall_closes=True)).fallen
    assert not plan_of(stopped(40, 5, demand_fall_closes=True)).fallen  # 9 days of 14: 64% against 94%: 68%
    assert plan_of(stopped(40, 7, 30 * DAY_H, demand_fall_closes=True)).fallen  # silent for 7 days


def test_a_future_end_of_what_runs_on_makes_no_fall():
    case = stopped(8, 32, demand_fall_closes=True)
    case.workload("a", "on", "inference", [200] * (90 * DAY_H))
    assert not plan_of(case).fallen
    key = next(key for key in case.pools if "on" in key)
    case.stated.dates[key] = (None, case.end_s + 9 * MONTH_S)
    assert not plan_of(case).fallen


def test_a_fall_counts_until_the_planner_speaks():
    case = stopped(40, 32, demand_fall_closes=True)
    (key,) = case.pools
    case.stated.dates[key] = (case.end_s, None)
    assert not plan_of(case).fallen
    case.stated.dates[key] = (None, case.end_s + 3 * MONTH_S)
    assert not plan_of(case).fallen


def test_the_law_of_what_stopped_32_days_before_the_end():
    """Nothing beyond 3 months; nothing at all where a slice must have run in the last four days."""
    answer = plan_of(stopped(40, 32, demand_fall_closes=True, slices_lived=True, recency_half_life_days=14))
    assert signed(answer) == {}
    assert all(key[3] <= 3 for key in answer.orders)


def test_a_run_of_three_weeks_signs_no_more_than_a_month():
    case = world(2160, horizon=14, slices_lived=True)
    run = 21 * DAY_H
    case.workload("a", "run", "inference", [0] * (2160 - run) + [8] * run)
    case.offer("od", 0, 20)
    case.offer("c1", 1, 1)
    case.offer("c3", 3, 0.9)
    case.offer("c6", 6, 0.4)
    answer = plan_of(case)
    assert signed(answer) == {(1, "c1"): 8}
    # 21 + 30 days are over 45 in month 1: what follows is signed if it lasts, in no total
    assert [(row[:4]) for row in orders_of(answer)] == [
        (0, "c1", "now", 8),
        (1, "c6", "if_it_lasts", 8),
        (7, "c6", "if_it_lasts", 8),
    ]
    assert answer.totals.liability == pytest.approx(8 * 730 * 1)
    case.set(slices_lived=False)
    assert signed(plan_of(case)) == {(6, "c6"): 8}


def test_days_lived_are_counted_by_slice():
    """4 GPUs for 90 days, 4 more for 25, 4 more for 10: six months, two, one."""
    case = world(2160, horizon=6, slices_lived=True)
    hourly = [4] * 2160
    for h in range(2160 - 25 * DAY_H, 2160):
        hourly[h] = 12 if h >= 2160 - 10 * DAY_H else 8
    case.workload("a", "chat", "inference", hourly)
    case.offer("od", 0, 20)
    case.offer("c1", 1, 1.0)
    case.offer("c2", 2, 0.5)
    case.offer("c6", 6, 0.2)
    assert signed(plan_of(case)) == {(6, "c6"): 4, (2, "c2"): 4, (1, "c1"): 4}


def test_what_did_not_run_in_the_last_four_days_signs_nothing_now():
    for silent_h, expected in ((97, {}), (95, {(6, "c6"): 2})):
        case = world(2160, horizon=6, slices_lived=True)
        case.workload("a", "chat", "inference", [2] * (2160 - silent_h) + [0] * silent_h)
        case.offer("od", 0, 20)
        case.offer("c6", 6, 0.2)
        assert signed(plan_of(case)) == expected


def test_what_the_planner_states_counts_as_lived():
    case = world(2160, horizon=6, slices_lived=True)
    run = 21 * DAY_H
    key = case.workload("a", "run", "inference", [0] * (1000) + [8] * run + [0] * (1160 - run))
    case.offer("od", 0, 20)
    case.offer("c1", 1, 1)
    case.offer("c6", 6, 0.4)
    assert signed(plan_of(case)) == {}
    case.stated.dates[key] = (case.end_s, None)
    assert signed(plan_of(case)) == {(6, "c6"): 8}
    case = world(2160, horizon=6, slices_lived=True)
    case.stated.planned.append(Planned("a/team/new", "inference", "H100", 3, cluster="a"))
    case.offer("od", 0, 20)
    case.offer("c6", 6, 0.4)
    assert signed(plan_of(case)) == {(6, "c6"): 3}


def test_contracts_that_end_uncover_slices_that_have_lived():
    case = world(2160, horizon=12, slices_lived=True)
    case.workload("a", "chat", "inference", 4)
    case.contract("k", "a", 4, 1, ends=2)
    case.offer("od", 0, 20)
    case.offer("c6", 6, 0.4)
    answer = plan_of(case)
    assert [row[:4] for row in orders_of(answer)] == [(2, "c6", "contract_end", 4), (8, "c6", "follows", 4)]


# -- leads, payments, dates -----------------------------------------------------------------------------------


def test_a_lead_inside_the_month_is_paid_by_use():
    case = world(horizon=3)
    case.workload("a", "chat", "inference", 1)
    case.offer("od", 0, 5)
    case.offer("c2", 2, 2, lead_time_hours=365)
    answer = plan_of(case)
    assert signed(answer) == {(2, "c2"): 1}
    months = [(m.plan.orders / 730, m.plan.use / 730) for m in answer.comparison]
    # signed again in month 2, when its lead is long over; the horizon ends with that month
    assert months == [pytest.approx((1, 2.5)), pytest.approx((2, 0)), pytest.approx((2, 0))]
    assert orders_of(answer) == [(0.5, "c2", "now", 1, 0), (2, "c2", "follows", 1, 1.5)]
    case.set(short_leads="free")
    assert [m.plan.usd for m in plan_of(case).comparison] == pytest.approx([1460] * 3)


def test_a_build_to_order_contract_behind_a_monthly_bridge():
    """Known answer 13, with 4,380 h: six whole months."""
    without = built_to_order(with_it=False)
    answer = plan_of(built_to_order(with_it=True))
    assert orders_of(answer) == [
        *((t, "c1", "bridge", 1, max(t - 0.0, 0)) for t in range(6)),
        (6, "c36", "lead_time", 1, 0),
    ]
    worth = [group.slices[0].value[0] for case in (answer, plan_of(without)) for group in case.groups]
    assert worth[0][1][0] < worth[1][1][0]
    assert answer.totals.liability_now == pytest.approx(730 * (4 + 4 + 36 * 2))
    assert answer.totals.liability == pytest.approx(730 * (6 * 4 + 36 * 2))


def built_to_order(with_it):
    case = world(horizon=24)
    case.workload("a", "chat", "inference", 1)
    case.offer("od", 0, 6)
    case.offer("c1", 1, 4)
    if with_it:
        case.offer("c36", 36, 2, lead_time_hours=4380)
    return case


def test_every_dollar_of_every_month_is_a_contract_an_order_or_use():
    case = world(horizon=14, delta=0.02, sigma=0.1)
    case.workload("a", "chat", "inference", [3, 5] * 96)
    case.contract("k", "a", 2, 2, ends=4.5)
    case.offer("od", 0, 5.1)
    case.offer("c1", 1, 5, lead_time_hours=48)
    case.offer("c3", 3, 3, lead_time_hours=1000, upfront_usd=100)
    answer = plan_of(case)
    begin_s = answer.comparison[0].start_s
    assert {key[5] for key in answer.orders} >= {"bridge", "lead_time", "follows"}
    for t, month in enumerate(answer.comparison):
        orders = 0.0
        for (*_, offer_id, term, _start, _), row in answer.orders.items():
            offer = next(o for o in case.offers if o.offer_id == offer_id)
            late = min(max(offer.lead_time_hours / 730 - row.month, 0), 1)
            if row.month <= t < row.month + term:
                share = 1 - late if t == row.month else 1.0
                upfront = 100 if offer_id == "c3" else 0
                orders += row.gpus * share * (730 * offer.rate * 0.98**row.month + upfront / (term - late))
        assert month.plan.orders == pytest.approx(orders)
        assert month.plan.usd == pytest.approx(month.plan.contracts + orders + month.plan.use)
        assert month.plan.contracts == pytest.approx(730 * 4 if t < 4 else 0)
    assert all(row.order_by >= begin_s for row in answer.orders.values())


def test_an_upfront_payment_counts_in_the_choice():
    case = world(horizon=6)
    case.workload("a", "chat", "inference", 1)
    case.offer("od", 0, 5)
    case.offer("a3", 3, 2, upfront_usd=730 * 3 * 1.5)
    case.offer("b3", 3, 3)
    assert signed(plan_of(case)) == {(3, "b3"): 1}
    case.change_offer("a3", upfront_usd=730 * 3 * 0.5)
    answer = plan_of(case)
    assert signed(answer) == {(3, "a3"): 1}
    assert answer.plan == pytest.approx(730 * 2.5)
    assert plan_usd(answer) == pytest.approx([730 * 2.5] * 6)
    assert answer.totals.liability == pytest.approx(2 * (730 * 3 * 2 + 730 * 1.5))
    assert answer.groups[0].slices[0].value[0][1][0] == pytest.approx(6 * 730 * 2.5)


def test_a_term_in_days_serves_its_hours_and_the_rest_is_used():
    case = world(horizon=2)
    case.workload("a", "chat", "inference", 1)
    case.offer("od", 0, 5)
    case.offer("block", 1, 2, term_days=7)
    answer = plan_of(case)
    assert plan_usd(answer) == pytest.approx([168 * 2 + 562 * 5] * 2)
    assert answer.groups[0].slices[0].value[0][1][0] == pytest.approx(2 * (168 * 2 + 562 * 5))
    assert answer.plan == pytest.approx(168 * 2 + 562 * 5)
    case.change_offer("block", term_days=31)  # two months, of which 744 h
    assert plan_usd(plan_of(case)) == pytest.approx([730 * 2, 14 * 2 + 716 * 5])


def test_capacity_that_exists_for_some_months():
    case = world(horizon=5)
    case.workload("a", "chat", "inference", 1)
    case.offer("od", 0, 5)
    case.offer("c1", 1, 2, starts_s=case.end_s + 1, ends_s=case.end_s + 3 * MONTH_S)
    assert plan_usd(plan_of(case)) == pytest.approx([730 * x for x in (5, 2, 2, 5, 5)])
    case.change_offer("c1", starts_s=None, ends_s=None, valid_until=iso_utc(case.end_s + MONTH_S))
    assert plan_usd(plan_of(case)) == pytest.approx([730 * x for x in (2, 2, 5, 5, 5)])
    case.change_offer("c1", valid_until="2026-01-08")  # the plan begins on the 9th
    assert plan_usd(plan_of(case)) == pytest.approx([730 * 5] * 5)
    case.change_offer("c1", valid_until="2026-01-09")
    assert plan_usd(plan_of(case)) == pytest.approx([730 * x for x in (2, 5, 5, 5, 5)])
    case.change_offer("c1", valid_until="2026-01-01")
    assert plan_usd(plan_of(case)) == pytest.approx([730 * 5] * 5)


# -- limits ---------------------------------------------------------------------------------------------------


def test_a_minimum_opens_an_offer_only_where_enough_is_signed():
    for least, expected in ((4, {(3, "c3"): 4}), (5, {(1, "c1"): 4})):
        case = world(horizon=3)
        case.workload("a", "chat", "inference", 4)
        case.offer("od", 0, 5)
        case.offer("c1", 1, 4)
        case.offer("c3", 3, 2, min_gpus=least)
        assert signed(plan_of(case)) == expected


def test_use_that_is_limited_leaves_demand_unserved():
    case = world(horizon=2)
    chat = case.workload("a", "chat", "inference", [2, 6] * 96)
    case.offer("od", 0, 5, max_gpus=3)
    answer = plan_of(case)
    month = answer.comparison[0]
    # slices 6, 5 and 4 take the three; 1, 2 and 3 have nobody: busy 1, 1, 1/2
    assert month.plan.use == pytest.approx(730 * 5 * 1.5)
    assert month.plan.unserved == {("inference", "H100"): pytest.approx(730 * 2.5)}
    assert answer.unserved == {("inference", "H100", chat): [pytest.approx(2 * 730 * 2.5), None]}
    # hour by hour at most 3: 2 of 2 and 3 of 6
    assert month.do_nothing == pytest.approx(730 * 5 * 2.5)
    assert month.do_nothing_unserved == pytest.approx(730 * 1.5)
    assert answer.totals.savings_vs_do_nothing is None


def test_slices_below_the_limit_cannot_wait_and_the_next_cheapest_serves():
    case = world(horizon=2)
    case.workload("a", "chat", "inference", [2, 6] * 96)
    case.offer("od", 0, 5, max_gpus=3)
    case.offer("c1", 1, 4.9)
    assert signed(plan_of(case)) == {(1, "c1"): 3}
    case.offer("od2", 0, 6)
    answer = plan_of(case)
    assert signed(answer) == {(1, "c1"): 2}
    assert answer.comparison[0].plan.use == pytest.approx(730 * (5 * 1.5 + 6 * 0.5))
    assert answer.comparison[0].do_nothing == pytest.approx(730 * (5 * 2.5 + 6 * 1.5))


def test_a_share_of_a_provider_is_a_limit():
    case = world(horizon=3)
    case.workload("a", "chat", "inference", 10)
    case.contract("k", "a", 2, 2, provider="one")
    case.offer("od", 0, 5)
    case.offer("c3-one", 3, 2, provider="one")
    case.offer("c3-two", 3, 3, provider="two")
    assert signed(plan_of(case)) == {(3, "c3-one"): 8}
    case.set(max_provider_share=0.5)  # of 20 x 730: 10
    # 4 are the contract's, so that three slices of 2 fit; then three of 3; what is left is used
    assert signed(plan_of(case)) == {(3, "c3-one"): 3, (3, "c3-two"): 3}


def test_terms_over_the_longest_are_closed():
    case = world(horizon=12, max_term_months=3)
    case.workload("a", "chat", "inference", 2)
    case.offer("od", 0, 5)
    case.offer("c3", 3, 2)
    case.offer("c12", 12, 1)
    answer = plan_of(case)
    assert signed(answer) == {(3, "c3"): 2}
    assert set(answer.groups[0].break_even) == {3}


def test_a_budget_drops_the_highest_slices_of_burst_first():
    case = world(horizon=3)
    case.workload("a", "chat", "inference", 2)
    run = case.workload("a", "run", "burst", [2, 4] * 96)
    case.offer("od", 0, 5)
    case.set(budget_usd_per_month=730 * 5 * 4 + 1)
    answer = plan_of(case)
    assert plan_usd(answer) == pytest.approx([730 * 5 * 4] * 3)
    lost = {("burst", "H100", run): [pytest.approx(3 * 730), pytest.approx(3 * 730 * 5 / 12)]}
    assert answer.unserved == lost
    case.set(budget_usd_per_month=730 * 5 * 1.9)
    answer = plan_of(case)
    assert plan_usd(answer) == pytest.approx([730 * 5] * 3)
    assert sum(gpu_hours for gpu_hours, _ in answer.unserved.values()) == pytest.approx(3 * 730 * 4)


# -- spot -----------------------------------------------------------------------------------------------------


def on_spot(pool="burst", class_="burst", settings=None, **facts):
    case = world(200, **(settings or {}))
    case.workload("a", "w", pool, 1, class_=class_, **({"longest_job_s": 3600} | facts))
    case.offer("od", 0, 5)
    case.offer("spot", "spot", 1)
    return plan_of(case).groups[0].usage.category == "DYNAMIC"


def test_what_may_run_on_spot():
    assert on_spot()
    assert not on_spot(class_="inference")
    assert not on_spot(pool="inference")
    for subtype in ("development", "notebook", "interactive"):
        assert not on_spot(subtype=subtype)
        assert on_spot(subtype=subtype, settings={"spot_for_development": True})
    long = {"longest_job_s": 90_000, "median_job_s": 90_000, "max_milli_gpus": 8000}
    assert not on_spot(**long)
    assert on_spot(**long, settings={"training_checkpoints": True})
    assert on_spot(**(long | {"max_milli_gpus": 7000}))
    assert on_spot(**(long | {"median_job_s": 86_400}))


# -- money ----------------------------------------------------------------------------------------------------


def test_steps_of_savings_add_up():
    case = world(336, horizon=3, recency_half_life_days=7)
    case.workload("a", "chat", "inference", [2] * 168 + [4] * 168)
    dev = case.workload("a", "sweep", "burst", 1, longest_job_s=3600)
    old = case.workload("a", "old", "training", [5] * 168 + [0] * 168)
    case.stated.dates[old] = (None, case.end_s)
    case.contract("k", "a", 4, 3, ends=0.5)
    case.offer("od", 0, 6)
    case.offer("c1", 1, 3)
    case.offer("spot", "spot", 1)
    steps = savings_steps(case.project, case.scenario, case.pools, case.classes, case.beyond)
    answer = plan_of(case)
    assert sum(steps.values()) == pytest.approx(answer.plan - answer.totals.current)
    # the log: 4 GPUs of contract, then 8 and 5 wanted; now 3 (a third) and 5 (two thirds) wanted
    current = 730 * (4 * 3 + 6 * (4 + 1) / 2)
    assert answer.totals.current == pytest.approx(current)
    assert steps["demand"] == pytest.approx(730 * (12 + 6 * 2 / 3) - current)
    assert steps["ending"] == pytest.approx(730 * 6 * (3 / 3 + 5 * 2 / 3) - 730 * 16)
    assert steps["spot"] < 0
    assert dev in case.pools


def test_the_current_cost_of_level_weights_is_that_of_the_audit():
    case = world(200)
    case.workload("a", "chat", "inference", [2, 5] * 100)
    case.workload("a", "x", "burst", 2, model=None)
    case.workload("b", "y", "training", 2)
    case.contract("k", "a", 3, 3, starts=-0.2)
    case.offer("od", 0, 6)
    case.contract("k2", "b", 1, 3, ends=-0.1)
    assert current_now(sim_of(case)) == pytest.approx(plan_of(case).totals.current)


# -- volatility and the band ----------------------------------------------------------------------------------


def test_a_walk_and_its_noise_are_told_apart():
    assert walk_and_noise([(L, 2 * 0.03 + 0.02 * L, 10 - L) for L in range(1, 5)]) == pytest.approx(
        (0.02, 0.03)
    )
    q, c = walk_and_noise([(L, 0.08, 10 - L) for L in range(1, 5)])
    assert (q, c) == pytest.approx((0, 0.04))
    q, c = walk_and_noise([(1, 0.01, 5), (2, 0.04, 4), (3, 0.07, 3)])
    assert c == 0
    assert q == pytest.approx((5 * 0.01 + 4 * 0.08 + 3 * 0.21) / (5 + 4 * 4 + 3 * 9))


def test_volatility_is_shrunk_and_kept_within_bounds():
    assert sigma_of_log([5.0] * 168 * 2) == (0.10, 0.0)
    assert sigma_of_log([5.0] * 168 * 12)[0] == pytest.approx(math.sqrt(3 * 0.01 / 14))
    doubling = [2.0**w for w in range(12) for _ in range(168)]
    assert sigma_of_log(doubling)[0] == 0.40
    case = world(168 * 12, sigma=None)
    case.workload("a", "chat", "inference", 3)
    case.offer("od", 0, 5)
    (group,) = plan_of(case).groups
    assert group.sigma == pytest.approx(math.sqrt(3 * 0.01 / 14))
    assert level_factor(1, group.sigma) == pytest.approx(math.exp(math.sqrt(3 * group.sigma**2)))


def test_the_variance_of_next_month():
    level = variance_of_level(0.1, 0.02, 1, [1.0] * 730, [1.0] * 4)
    lag = sum((i / 730) ** 2 for i in range(730)) / 730
    assert level == pytest.approx(0.01 * (lag + 1 / 3) + 0.02 / 4)


def test_a_band_without_uncertainty_is_a_point_and_widens_with_it():
    def cost(hours, level, absent):
        assert len(hours) == 4 * 168 + 58
        return level * (1.0 if not absent else 0.5)

    weeks = [168 * w for w in range(6)]
    assert band(cost, weeks, [1.0] * 6, 0.0) == (1, 1, 1)
    low, middle, high = band(cost, weeks, [1.0] * 6, 0.04, by_hand=True)
    assert math.log(high) - math.log(low) == pytest.approx(2 * 1.2816 * 0.2, rel=0.15)
    assert math.log(middle) == pytest.approx(-0.02, abs=0.03)
    wider = band(cost, weeks, [1.0] * 6, 0.04)
    assert wider[2] - wider[0] > high - low
    assert set(band(cost, weeks, [1.0] * 6, 0.0, workloads=("w",), lambda_=1.0)[::2]) == {0.5, 1.0}
