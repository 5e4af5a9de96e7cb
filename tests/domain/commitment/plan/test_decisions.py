"""Whole decisions by hand: the model's known answers 17 (renewals), 25, 32 to 34 and 43 to 45, and their limits."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.plan.decisions import DecisionSearch, decide, decide_beside
from gpuplanner.domain.commitment.plan.ground import find_days_of_minima, ground_of, ordered_dollars
from gpuplanner.domain.commitment.plan.row_plans import plan_of
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.commitment.uncertainty.flips import price_paths
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.cube import empty_cube
from gpuplanner.domain.model.plan.changes import PriceChange
from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.plan.scenario import Scenario, WholeDecisions, WholeDollars, WholeMinimum
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import DAY_S, HOUR_S, Window
from gpuplanner.lazy_dataclass import replace
from tests.domain.commitment.conftest import START_S, Load, audit, case, contract, decided, offer

HOURS = 2160
BEGIN_S = START_S + HOURS * HOUR_S
DEFAULTS: dict[str, Any] = {
    "recency_half_life_days": 7.0, "demand_fall_closes": True, "slices_lived": True, "delta": 0.004,
}  # fmt: skip
OD = offer("od", 0, 6.88)
RATES = {1: 3.50, 3: 3.15, 6: 2.95, 12: 2.75, 24: 2.30, 36: 2.00}
LADDER = [OD, *(offer(f"c{term:02d}", term, rate) for term, rate in RATES.items())]
LATE = [OD, *(offer(f"c{term:02d}", term, rate, lead_time_hours=48.0) for term, rate in RATES.items())]
MONTHLY = offer("m01", 1, 3.50, lead_time_hours=48.0)
LEAST_32 = offer("m12", 12, 2.00, lead_time_hours=48.0, min_gpus=32)


def plan(
    gpus: float,
    contracts: Sequence[Contract] = (),
    offers: Sequence[Offer] = LATE,
    pool: Pool = Pool.INFERENCE,
    planned: tuple[PlannedWork, ...] = (),
    **assumptions: Any,
) -> Advice:
    """The plan of one workload that is flat, with what it decides as a whole."""
    scenario = Scenario(name="Plan A", planned=planned)
    loads = [Load(pool=pool, gpus=[amount] * HOURS) for amount in (gpus, *(work.gpus for work in planned))]
    made = case(loads, contracts, offers, scenario, **(DEFAULTS | assumptions))
    return advise(made.project, decided(made), made.pools, audit())


def usd(advice: Advice) -> list[float]:
    return [round(month.plan_usd or 0.0, 2) for month in advice.comparison]


def year(advice: Advice) -> float:
    return sum(month.plan_usd or 0.0 for month in advice.comparison)


def doing_nothing(advice: Advice) -> float:
    return sum(month.do_nothing_usd or 0.0 for month in advice.comparison)


def verdicts(advice: Advice) -> dict[str, str]:
    return {verdict.contract_id: verdict.verdict for verdict in advice.verdicts}


def ends(advice: Advice) -> dict[str, float]:
    """Hours after the plan begins at which contracts end in it."""
    held = {contract.contract_id: contract.end_s for contract in advice.contracts}
    return {name: (end_s - BEGIN_S) / HOUR_S for name, end_s in held.items() if end_s is not None}


# --- Contracts that may renew


def test_17_what_is_hardly_used_ends_by_its_notice() -> None:
    advice = plan(4, [contract("k", 32, 2.60, None, HOURS, notice_days=30)], [OD])
    assert ends(advice) == {"k": 720.0} and verdicts(advice) == {"k": "end"}
    assert year(advice) == pytest.approx(275_931, abs=1)


def test_25_a_passed_notice_has_bound_the_renewal() -> None:
    held = contract("k", 32, 2.60, 1440 / 730, HOURS, notice_days=90, term_months=12, renews_months=12)
    advice = plan(32, [held], LADDER)
    assert usd(advice) == [60_736.0] * 12
    assert not [order for order in advice.orders if order.start_s < BEGIN_S + 8760 * HOUR_S]
    (check,) = [check for check in advice.checks if check.code == "order_by_passed"]
    assert check.usd_per_month == pytest.approx(728_832)


def test_25_a_notice_alone_is_no_renewal() -> None:
    held = contract("k", 32, 2.60, 1440 / 730, HOURS, notice_days=90, term_months=12)
    advice = plan(32, [held], LADDER)
    first = {order.start_s for order in advice.orders if not order.follows}
    assert ends(advice) == {"k": 1440.0} and first == {BEGIN_S + 1440 * HOUR_S}
    assert usd(advice)[0] == 60_736.0
    begun = sum(order.gpus * 20 * (order.rate or 0.0) for order in advice.orders if order.start_s in first)
    assert usd(advice)[1] == pytest.approx(32 * 2.60 * 710 + begun, abs=0.01)
    (check,) = [check for check in advice.checks if check.code == "renewal_unknown"]
    assert check.usd_per_month == pytest.approx(728_832)


def test_43_what_is_cheap_and_used_runs_on() -> None:
    held = contract("k", 32, 1.60, 2400 / 730, HOURS, notice_days=30, renews_months=12)
    advice = plan(32, [held])
    assert year(advice) == pytest.approx(448_512, abs=0.01)
    assert doing_nothing(advice) == pytest.approx(448_512, abs=0.01)
    assert not advice.orders and verdicts(advice) == {"k": "renew"}
    (verdict,) = advice.verdicts
    assert verdict.order_by_s is None and not verdict.is_to_decide


def test_43_what_is_too_large_ends() -> None:
    held = contract("k", 32, 1.60, 2400 / 730, HOURS, notice_days=30, renews_months=12)
    advice = plan(20, [held])
    assert ends(advice) == {"k": 2400.0} and verdicts(advice) == {"k": "end"}
    assert year(advice) == pytest.approx(397_325.52, abs=0.01)
    (verdict,) = advice.verdicts
    assert verdict.order_by_s == BEGIN_S + 2400 * HOUR_S - 30 * DAY_S


def month_to_month(rate: float) -> Contract:
    """32 GPUs since a 1st of January: each month of it ends on a 1st, the first that notice reaches at hour 720."""
    return contract("k", 32, rate, None, HOURS, notice_days=30, renews_months=1, start_s=START_S)


def test_44_a_month_to_month_contract_ends_where_orders_cost_less() -> None:
    advice = plan(32, [month_to_month(3.50)])
    assert ends(advice) == {"k": 720.0}
    assert {order.start_s for order in advice.orders if not order.follows} == {BEGIN_S + 720 * HOUR_S}
    assert advice.totals.liability_now == pytest.approx(1_450_948, abs=0.01)
    assert year(advice) == pytest.approx(643_919.34, abs=0.01)
    assert doing_nothing(advice) == pytest.approx(981_120, abs=0.01)


@pytest.mark.parametrize(
    ("rate", "used", "twelve", "verdict"), [(2.60, 8, 197_379.58, "end"), (1.90, 32, 532_608.00, "renew")]
)
def test_44_at_other_rates(rate: float, used: float, twelve: float, verdict: str) -> None:
    advice = plan(used, [month_to_month(rate)])
    assert year(advice) == pytest.approx(twelve, abs=0.01)
    assert verdicts(advice) == {"k": verdict}


@pytest.mark.parametrize(("begun_day", "ends_h"), [(1, 720), (15, 1056), (30, 1416)])
def test_44_a_month_that_it_renews_for_ends_on_the_day_on_which_it_began(begun_day: int, ends_h: int) -> None:
    """The model's 720 h are those of a contract begun on a 1st: 30 days from 1 April are 1 May."""
    held = replace(month_to_month(3.50), start_s=START_S + (begun_day - 1) * DAY_S)
    advice = plan(32, [held])
    assert ends(advice) == {"k": ends_h} and verdicts(advice) == {"k": "end"}
    assert {order.start_s for order in advice.orders if not order.follows} == {BEGIN_S + ends_h * HOUR_S}


def test_45_of_two_the_cheaper_runs_on() -> None:
    held = [
        contract(name, 16, rate, 2400 / 730, HOURS, notice_days=30, renews_months=12)
        for name, rate in (("cheap", 1.60), ("dear", 2.40))
    ]
    advice = plan(24, held)
    assert verdicts(advice) == {"cheap": "renew", "dear": "end"}
    assert ends(advice) == {"dear": 2400.0}


# --- Decisions beside another that is taken otherwise


@pytest.mark.parametrize("gpus", [16, 24])
@pytest.mark.parametrize(("undone", "name"), [("kept", "dear"), ("ended", "cheap")])
def test_beside_another_the_rest_is_decided_as_if_from_the_start(gpus: int, undone: str, name: str) -> None:
    held = [
        contract(each, 16, rate, 2400 / 730, HOURS, notice_days=30, renews_months=12)
        for each, rate in (("cheap", 1.60), ("dear", 2.40))
    ]
    made = case(
        [Load(pool=Pool.INFERENCE, gpus=[gpus] * HOURS)], held, LATE, Scenario(name="Plan A"), **DEFAULTS
    )
    before = decided(made).whole_decisions
    assert before is not None and before.ends == (("dear", BEGIN_S + 2400 * HOUR_S),)
    other = Scenario(name="Plan A", **{undone: (name,)})  # type: ignore[arg-type]
    asked = (made.project, other, made.pools, (), AdviceCache())
    assert decide_beside(*asked, before, "H100") == decide(*asked)


@pytest.mark.parametrize(("gpus", "is_bought", "is_bought_beside"), [(31, True, False), (47, False, True)])
def test_beside_a_contract_that_is_kept_a_minimum_is_bought_where_it_is_worth_it(
    gpus: int, is_bought: bool, is_bought_beside: bool
) -> None:
    held = contract("K", 31, 3.00, None, HOURS, notice_days=10, renews_months=1)
    made = case(
        [Load(pool=Pool.INFERENCE, gpus=[gpus] * HOURS)],
        [held],
        [OD, LEAST_32],
        Scenario(name="Plan A"),
        **DEFAULTS,
    )
    before = decided(made).whole_decisions
    assert before is not None and bool(before.minima) is is_bought
    kept = (made.project, Scenario(name="Plan A", kept=("K",)), made.pools, (), AdviceCache())
    beside = decide_beside(*kept, before, "H100")
    assert beside == decide(*kept) and bool(beside.minima) is is_bought_beside
    assert decide_beside(*kept, before, "A100").minima == before.minima  # another model's stay


def test_a_contract_that_serves_all_ends_where_a_minimum_costs_less() -> None:
    held = contract("K", 31, 3.00, None, HOURS, notice_days=10, renews_months=1)
    advice = plan(31, [held], [OD, LEAST_32])
    (order,) = advice.orders
    assert (verdicts(advice), order.reason, order.bought_gpus) == ({"K": "end"}, "minimum", 32)
    (end_h,) = ends(advice).values()
    assert year(advice) == pytest.approx(31 * 3.00 * end_h + 32 * 2.00 * (8760 - end_h), abs=0.01)


def test_a_minimum_of_a_term_that_is_left_is_not_bought() -> None:
    made = case(
        [Load(pool=Pool.INFERENCE, gpus=[31] * HOURS)],
        (),
        [OD, LEAST_32],
        Scenario(name="Plan A"),
        **DEFAULTS,
    )
    before = decided(made).whole_decisions
    assert before is not None and before.minima
    left = Scenario(name="Plan A", left_terms=frozenset({(Pool.INFERENCE, "H100", 12)}))
    assert (
        decide_beside(made.project, left, made.pools, (), AdviceCache(), before, "H100") == WholeDecisions()
    )


def test_a_minimum_that_pools_share_is_left_whole() -> None:
    loads = [Load(pool=Pool.INFERENCE, gpus=[16] * HOURS), Load(pool=Pool.TRAINING, gpus=[15] * HOURS)]
    made = case(loads, (), [OD, LEAST_32], Scenario(name="Plan A"), **DEFAULTS)
    before = decided(made).whole_decisions
    assert before is not None and sorted(own.gpus for own in before.minima) == [15, 17]
    left = Scenario(name="Plan A", left_terms=frozenset({(Pool.TRAINING, "H100", 12)}))
    asked = (made.project, left, made.pools, (), AdviceCache())
    beside = decide_beside(*asked, before, "H100")
    assert beside == decide(*asked) and sum(own.gpus for own in beside.minima) in (0, 32)


# --- Minima that are bought whole


def test_32_a_minimum_is_bought_whole_with_an_idle_gpu() -> None:
    advice = plan(31, offers=[OD, LEAST_32])
    (order,) = advice.orders
    assert (order.reason, order.bought_gpus) == ("minimum", 32) and order.liability == pytest.approx(560_640)
    assert usd(advice) == [53_885.44, *[46_720.0] * 11]
    assert year(advice) == pytest.approx(567_805.44, abs=0.01)


@pytest.mark.parametrize("gpus", [31, 32, 33, 34])
def test_33_slices_join_a_minimum_that_is_bought(gpus: int) -> None:
    advice = plan(gpus, offers=[OD, MONTHLY, LEAST_32])
    assert year(advice) == pytest.approx(gpus * 6.88 * 48 + max(gpus, 32) * 2.00 * 8_712, abs=0.01)
    assert sum(order.bought_gpus for order in advice.orders) == max(gpus, 32)


@pytest.mark.parametrize(("first", "then", "offers"), [
    (16, 16, [OD, MONTHLY, LEAST_32]),
    (16, 15, [OD, LEAST_32]),
    (1, 31, [OD, MONTHLY, LEAST_32]),
])  # fmt: skip
def test_a_minimum_is_bought_whole_for_pools_together(first: int, then: int, offers: list[Offer]) -> None:
    """Inference and training, each with its GPUs, and what is idle: the 48 h until it begins are used by the hour."""
    loads = [Load(pool=Pool.INFERENCE, gpus=[first] * HOURS), Load(pool=Pool.TRAINING, gpus=[then] * HOURS)]
    made = case(loads, (), offers, Scenario(name="Plan A"), **DEFAULTS)
    advice = advise(made.project, decided(made), made.pools, audit())
    assert year(advice) == pytest.approx((first + then) * 6.88 * 48 + 32 * 2.00 * 8_712, abs=0.01)
    assert sum(order.bought_gpus for order in advice.orders) == 32


@pytest.mark.parametrize(("least", "steady"), [(18, 8), (26, 16)])
def test_a_minimum_is_shared_by_what_its_gpus_cost_without_it_and_not_by_largest_hours(
    least: int, steady: int
) -> None:
    """Inference uses GPUs day and night and more for an hour a day: what is rare takes only the two left over."""
    chat = [float(steady + 40 * (hour % 24 == 0)) for hour in range(HOURS)]
    loads = [Load(pool=Pool.INFERENCE, gpus=chat), Load(pool=Pool.TRAINING, gpus=[8.0] * HOURS)]
    made = case(loads, (), [OD, offer("m12", 12, 2.00, lead_time_hours=48.0, min_gpus=least)], **DEFAULTS)
    found = decided(made).whole_decisions
    assert found is not None
    assert {part.pool: part.gpus for part in found.minima} == {Pool.INFERENCE: steady + 2, Pool.TRAINING: 8}


def test_a_minimum_goes_to_what_it_saves_in_its_own_term_whichever_work_lasts_longer() -> None:
    """Six months for inference by day and a sweep by night: that the sweep (9% a month ends for good) costs less
    in five years keeps no GPU from it. By those five years inference had all 14, and the minimum did not pay.
    """
    is_day = [8 <= hour % 24 < 20 for hour in range(HOURS)]
    loads = [
        Load(pool=Pool.INFERENCE, gpus=[14.0 if day else 3.0 for day in is_day]),
        Load(pool=Pool.BURST, gpus=[2.0 if day else 10.0 for day in is_day]),
    ]
    made = case(loads, (), [OD, offer("m06", 6, 2.62, lead_time_hours=48.0, min_gpus=16)], **DEFAULTS)
    found = decided(made).whole_decisions
    assert found is not None
    assert {part.pool: part.gpus for part in found.minima} == {Pool.INFERENCE: 8, Pool.BURST: 8}


def test_shares_of_a_minimum_are_whole_nodes() -> None:
    """Nodes of 8: of 48 GPUs an eighth would be 6."""
    loads = [
        Load(pool=Pool.INFERENCE, gpus=[20.0 if 8 <= hour % 24 < 20 else 9.0 for hour in range(HOURS)]),
        Load(pool=Pool.TRAINING, gpus=[26.0 if hour % 24 < 8 else 12.0 for hour in range(HOURS)]),
    ]
    sold = offer("m12", 12, 1.80, lead_time_hours=48.0, min_gpus=48, unit_gpus=8)
    made = case(loads, (), [OD, sold], Scenario(name="Plan A"), **(DEFAULTS | {"block": None}))
    found = decided(made).whole_decisions
    assert found is not None and sum(part.gpus for part in found.minima) == 48
    assert {part.gpus % 8 for part in found.minima} == {0}


def test_price_paths_have_what_is_bought_whole() -> None:
    """48 h by use, then 32 GPUs at $2 to the horizon of 60 months, on a flat path; without churn and discount."""
    calm = DEFAULTS | {"wacc": 0.0, "lambda_": 0.0, "delta": 0.0}
    made = case(
        [Load(pool=Pool.INFERENCE, gpus=[31] * HOURS)], (), [OD, LEAST_32], Scenario(name="Plan A"), **calm
    )
    ground = ground_of(made.project, decided(made), made.pools, AdviceCache())
    paths = {path.path: path for path in price_paths(ground, plan_of(ground, AdviceCache()), AdviceCache())}
    expected = 31 * 6.88 * 48 + 32 * 2.00 * (60 * 730 - 48)
    assert paths["flat"].advice_usd == paths["flat"].best_usd == pytest.approx(expected)


def test_33_too_few_sign_by_the_month() -> None:
    advice = plan(20, offers=[OD, MONTHLY, LEAST_32])
    assert {order.offer_id for order in advice.orders} == {"m01"}
    assert year(advice) == pytest.approx(603_277.58, abs=0.01)


def test_34_a_minimum_is_bought_ahead_of_planned_work() -> None:
    begins_s = BEGIN_S + 2190 * HOUR_S
    work = PlannedWork(
        name="load-001",
        pool=Pool.INFERENCE,
        gpu_model="H100",
        gpus=8.0,
        cluster="c1",
        team="team",
        begins_s=begins_s,
    )
    advice = plan(24, offers=[OD, MONTHLY, LEAST_32], planned=(work,))
    assert [order.start_s for order in advice.orders] == [BEGIN_S + 48 * HOUR_S]
    assert [order.bought_gpus for order in advice.orders] == [32]
    assert year(advice) == pytest.approx(565_493.76, abs=0.01)


# --- By hand, without a walk, churn, falls of prices or discounts: $ are those of twelve months

CALM = {"sigma": 0.0, "lambda_": 0.0, "delta": 0.0, "wacc": 0.0, "horizon_months": 12}
SHORT_HOURS = 200
SHORT_S = START_S + SHORT_HOURS * HOUR_S


def calm(
    contracts: Sequence[Contract], offers: Sequence[Offer], gpus: float = 4.0, **assumptions: Any
) -> Advice:
    """The plan of GPUs that train all the time."""
    load = Load(pool=Pool.TRAINING, gpus=[gpus] * SHORT_HOURS)
    made = case([load], contracts, offers, **(CALM | assumptions))
    return advise(made.project, decided(made), made.pools, audit())


def held(name: str, gpus: float, rate: float | None, end_month: float | None, **terms: Any) -> Contract:
    return contract(name, gpus, rate, end_month, SHORT_HOURS, **terms)


def end_hours(advice: Advice) -> dict[str, float]:
    return {name: hours + HOURS - SHORT_HOURS for name, hours in ends(advice).items()}


@pytest.mark.parametrize(
    ("rate", "renews", "runs_on"), [(6.0, 1, True), (2.0, 1, False), (6.0, None, False), (6.0, 0, False)]
)
def test_contracts_run_on_where_that_costs_less_and_they_say_that_they_renew(
    rate: float, renews: int | None, runs_on: bool
) -> None:
    """Two and two GPUs at $3 that renew by the month, or use at $6 or $2 once they end with the second month."""
    both = [held(name, 2, 3.0, 2, renews_months=renews, term_months=1) for name in ("k", "l")]
    advice = calm(both, [offer("od", 0, rate)])
    assert end_hours(advice) == ({} if runs_on else {"k": 1460.0, "l": 1460.0})
    after = 3.0 if runs_on else rate
    assert year(advice) == pytest.approx(4 * 730 * (2 * 3.0 + 10 * after))


TO_2_FEBRUARY = 24 * 24
"""Hours from 9 January, 08:00, when the plan begins: a contract that renews by the month began on a 2nd, 08:00."""


@pytest.mark.parametrize(
    ("rate", "terms", "hours"),
    [
        (2.0, {"notice_days": 30}, 720),
        (2.0, {"notice_days": 0}, 24),
        (2.0, {"renews_months": 1}, TO_2_FEBRUARY),
        (2.0, {}, None),
        (6.0, {"notice_days": 30}, None),
    ],
)
def test_a_contract_without_an_end_ends_by_its_notice_where_that_costs_less(
    rate: float, terms: dict[str, int], hours: int | None
) -> None:
    """Four GPUs at $3, or by use at $2 or $6."""
    advice = calm([held("k", 4, 3.0, None, **terms)], [offer("od", 0, rate)])
    assert end_hours(advice) == ({} if hours is None else {"k": hours})
    held_hours = 12 * 730 if hours is None else hours
    assert year(advice) == pytest.approx(4 * (3.0 * held_hours + rate * (12 * 730 - held_hours)))


@pytest.mark.parametrize(("renews", "days"), [(None, 1), (3, 91)])
def test_a_contract_that_begins_later_ends_once_it_ran_and_as_it_renews(
    renews: int | None, days: int
) -> None:
    """From the fourth month on, with 30 days of notice: a plan was refused, as it ended before it began."""
    begins_s = SHORT_S + 3 * 730 * HOUR_S
    late = held("k", 4, 3.0, None, start_s=begins_s, notice_days=30, renews_months=renews)
    advice = calm([late], [offer("od", 0, 2.0)])
    assert end_hours(advice) == {"k": 3 * 730 + 24 * days}
    assert year(advice) == pytest.approx(4 * (2.0 * 8760 + 24 * days))


@pytest.mark.parametrize(("over", "is_ended"), [(0.9, False), (1.5, True)])
def test_for_less_than_a_dollar_nothing_is_decided(over: float, is_ended: bool) -> None:
    """What 4 GPUs cost beyond use in the 8,736 h after a day of notice."""
    advice = calm([held("k", 4, 6.0 + over / (4 * 8736), None, notice_days=0)], [offer("od", 0, 6.0)])
    assert bool(end_hours(advice)) is is_ended


def test_of_many_contracts_those_are_tried_that_cost_most() -> None:
    """Nine that would better end, of 1 GPU each at $9 to $17: the cheapest is not tried."""
    many = [held(f"k{at}", 1, 9.0 + at, None, notice_days=0) for at in range(9)]
    advice = calm(many, [offer("od", 0, 6.0)], gpus=9.0)
    assert set(end_hours(advice)) == {f"k{at}" for at in range(1, 9)}


@pytest.mark.parametrize(("most", "is_ended"), [(4, True), (3, False)])
def test_no_contract_ends_whose_work_nobody_would_serve(most: int, is_ended: bool) -> None:
    """4 GPUs at $9 that could end; of 4 on demand at $6 there are enough, of 3 not."""
    advice = calm([held("k", 4, 9.0, None, notice_days=0)], [offer("od", 0, 6.0, max_gpus=most)])
    assert bool(end_hours(advice)) is is_ended
    assert not any(month.unserved_gpu_hours for month in advice.comparison)


def test_a_contract_without_a_rate_runs_on_and_another_is_decided() -> None:
    both = [held("k", 4, 9.0, None, notice_days=0), held("u", 2, None, None)]
    assert end_hours(calm(both, [offer("od", 0, 6.0)], gpus=6.0)) == {"k": 24.0}


def test_from_scratch_there_is_no_contract_to_decide_on() -> None:
    made = case(
        [Load(pool=Pool.TRAINING, gpus=[4.0] * SHORT_HOURS)], [held("k", 4, 9.0, None, notice_days=0)],
        [offer("od", 0, 6.0)], Scenario(name="Plan A", greenfield=True), **CALM,
    )  # fmt: skip
    assert decided(made).whole_decisions == WholeDecisions()


def test_a_minimum_that_slices_by_themselves_would_never_reach_is_bought() -> None:
    """Two GPUs in use all the time would sign at once, thirty in use seven hours of ten wait for a cut in the fourth
    month: two are too few for an offer of 16 or more, so that nothing was signed in any month.
    """
    loads = [
        Load(pool=Pool.TRAINING, gpus=[2.0] * 192),
        Load(pool=Pool.TRAINING, gpus=[30.0 * (at % 10 < 7) for at in range(192)]),
    ]
    offers = [offer("od", 0, 3.5), offer("y", 12, 2.0, min_gpus=16)]
    cut = PriceChange("H100", 0.8, START_S + 192 * HOUR_S + 3 * 730 * HOUR_S)
    scenario = Scenario(name="Plan A", price_changes=(cut,))
    made = case(loads, (), offers, scenario, **(CALM | {"horizon_months": 60}))
    alone = advise(made.project, scenario, made.pools, audit())
    bought = advise(made.project, decided(made), made.pools, audit())
    assert not alone.orders
    assert {order.reason for order in bought.orders if order.start_s == made.end_s} == {"minimum"}
    assert sum(order.bought_gpus for order in bought.orders if order.start_s == made.end_s) >= 16
    assert year(bought) < year(alone)


def test_a_model_whose_use_nobody_prices_keeps_no_other_from_being_decided() -> None:
    """Known answer 44 beside four A100 that no offer serves by use: of them nothing is known, and none is bought."""
    loads = [
        Load(pool=Pool.INFERENCE, gpus=[32.0] * HOURS),
        Load(pool=Pool.INFERENCE, gpus=[4.0] * HOURS, model="A100"),
    ]
    held = contract(
        "held", 32, 3.50, None, HOURS, notice_days=30, renews_months=1, start_s=BEGIN_S - 720 * HOUR_S
    )
    whole = offer("a12", 12, 1.15, gpu_model="A100", min_gpus=32)
    made = decided(case(loads, [held], [*LATE, whole], **DEFAULTS)).whole_decisions
    assert made is not None
    assert [name for name, _ in made.ends] == ["held"] and not made.minima


# --- Commitments in dollars per hour: known answer 57, hour by hour over GPU models and clusters, and their amount


def dollars(usd: float, off: str, end_month: float | None = 60, **more: Any) -> Contract:
    terms = {"cluster": "", "gpu_model": "$/h any", "commitment_usd_per_hour": Decimal(str(usd))}
    return contract("sp", 1, usd, end_month, HOURS, **(terms | {"discount_percent": off} | more))


def test_57_a_commitment_in_dollars_covers_and_the_rest_is_idle() -> None:
    advice = plan(20, [dollars(100, "H100=40")], [OD])
    assert usd(advice) == [73_000.0] * 12 and doing_nothing(advice) == pytest.approx(876_000)
    (idle,) = advice.idle_existing
    assert idle.gpus == pytest.approx(100 / (6.88 * 0.6) - 20) and idle.cost_per_month == pytest.approx(
        17.44 * 730
    )
    (layer, *_) = advice.pools[0].layers
    assert (layer.gpus, layer.cost_per_month) == pytest.approx((20, 82.56 * 730))
    over = plan(30, [dollars(100, "H100=40")], [OD], delta=0.0)
    assert usd(over)[0] == pytest.approx(73_000 + (30 - 100 / 4.128) * 6.88 * 730, abs=0.01)


def of_worlds(seed: int, amount: float, off: dict[str, float]) -> tuple[Any, dict[str, float]]:
    """A random world of two GPU models on two clusters, and its $ a month as an own loop over hours has them."""
    draw, hours = np.random.default_rng(seed), 336
    rates = {"H100": 6.88, "H200": 9.5}
    wanted = {(c, m): draw.integers(0, 12, hours).astype(float) for c in ("c1", "c2") for m in rates}
    held = contract("k", 4, 2.5, 60, hours)
    spent = 4 * 2.5 + amount
    for hour in range(hours):
        left = amount
        for model in sorted(off, key=lambda name: -off[name]):
            open_ = sum(
                max(wanted[c, model][hour] - 4 * ((c, model) == ("c1", "H100")), 0) for c in ("c1", "c2")
            )
            price = rates[model] * (1 - off[model] / 100)
            taken = min(open_, left / price)
            left -= taken * price
            spent += (open_ - taken) * rates[model] / hours
    own = contract("sp", 1, amount, 60, hours, cluster="", gpu_model="$/h any",
                   commitment_usd_per_hour=Decimal(str(amount)),
                   discount_percent=";".join(f"{m}={o}" for m, o in off.items()))  # fmt: skip
    offers = [offer(f"od-{m}", 0, rate, gpu_model=m) for m, rate in rates.items()]
    loads = [
        Load(pool=Pool.BURST, gpus=list(gpus), model=model, cluster=cluster)
        for (cluster, model), gpus in wanted.items()
    ]
    return case(loads, [held, own], offers, delta=0.0), {"usd": spent * 730}


@pytest.mark.parametrize("seed", range(3))
def test_dollars_cover_hour_by_hour_the_largest_discount_first(seed: int) -> None:
    made, expected = of_worlds(
        seed, 40.0 + 20 * seed, {"H100": 30.0, "H200": 45.0} if seed else {"H100": 40.0, "H200": 35.0}
    )
    advice = advise(made.project, made.project.scenarios[0], made.pools, audit())
    assert [month.do_nothing_usd for month in advice.comparison] == pytest.approx(
        [expected["usd"]] * 12, abs=0.01
    )
    assert usd(advice) == pytest.approx([expected["usd"]] * 12, abs=0.01)
    parts = [layer.cost_per_month or 0.0 for pool in advice.pools for layer in pool.layers]
    parts += [row.cost_per_month or 0.0 for row in advice.idle_existing]
    assert sum(parts) == pytest.approx(expected["usd"], abs=0.01)
    assert sum(map(float, advice.workload_usd.values())) == pytest.approx(
        expected["usd"] - sum(row.cost_per_month or 0.0 for row in advice.idle_existing), abs=0.01
    )


def test_the_plan_buys_the_best_of_ten_amounts() -> None:
    hours, draw = 336, np.random.default_rng(5)
    gpus = np.concatenate([draw.integers(4, 20, hours // 2), draw.integers(10, 30, hours // 2)]).astype(float)
    sold = offer("sp12", 12, None, gpu_model="$/h H100", discount_percent="H100=40")
    made = case(
        [Load(pool=Pool.INFERENCE, gpus=list(gpus))],
        [],
        [OD, sold, offer("m12", 12, 5.0)],
        horizon_months=12,
        wacc=0.0,
    )
    search = DecisionSearch((made.project, made.project.scenarios[0], made.pools, (), AdviceCache()))
    search.run()
    deciles = {
        round(value * 688 * 0.6) for value in np.quantile(gpus, np.arange(1, 11) / 10, method="inverted_cdf")
    }

    def cost(cents: int) -> float:
        own = (
            WholeDecisions(dollars=(WholeDollars(made.end_s, "sp12", cents),)) if cents else WholeDecisions()
        )
        return sum(usd or 0.0 for usd in search.try_plan(own).expected.values())

    costs = {cents: cost(cents) for cents in (0, *deciles)}
    (bought,) = search.best.dollars
    assert costs[bought.cents] == min(costs.values()) < costs[0] - 1
    every = [cost(cents) for cents in range(0, max(deciles) + 1, max(deciles) // 20)]
    assert costs[bought.cents] <= min(every) * 1.01
    advice = advise(
        made.project, replace(made.project.scenarios[0], whole_decisions=search.best), made.pools, audit()
    )
    (order,) = [order for order in advice.orders if order.is_dollars]
    assert (
        order.liability == pytest.approx(bought.cents / 100 * 8760)
        and order.usd_per_hour == bought.cents / 100
    )
    now = advice.comparison[0]
    assert now.contracts_usd == 0 and now.plan_usd == pytest.approx(
        (now.orders_usd or 0) + (now.use_usd or 0)
    )
    assert (now.orders_usd or 0) >= bought.cents / 100 * 730
    assert not [row for row in advice.totals.gpus_to_sign if row.gpu_model == "$/h H100"]


def test_an_amount_between_deciles_is_bought_where_it_costs_far_less() -> None:
    sold = offer("sp12", 12, None, gpu_model="$/h any", discount_percent="H100=50;H200=5")
    others = [offer("od2", 0, 9.5, gpu_model="H200"), offer("m12", 12, 5.0, gpu_model="H200"), sold]
    loads = [
        Load(pool=Pool.INFERENCE, gpus=[4.0] * 168),
        Load(pool=Pool.INFERENCE, gpus=[20.0] * 168, model="H200"),
    ]
    made = case(loads, [], [OD, *others], horizon_months=12)
    search = DecisionSearch((made.project, made.project.scenarios[0], made.pools, (), AdviceCache()))
    search.run()

    def cost(cents: int) -> float:
        own = (WholeDollars(made.end_s, "sp12", cents),) if cents else ()
        return sum(usd or 0.0 for usd in search.try_plan(WholeDecisions(dollars=own)).expected.values())

    (bought,) = search.best.dollars
    whole = round((4 * 6.88 * 0.5 + 20 * 9.5 * 0.95) * 100)  # every decile of a flat log
    assert cost(bought.cents) < min(cost(0), cost(whole)) * 0.98
    assert cost(bought.cents) <= min(map(cost, range(0, whole + 1, whole // 200))) * 1.01


def test_dollars_that_run_on_are_paid_beyond_their_end() -> None:
    held = [dollars(100, "H100=40;H200=30", 3, term_months=12)]
    held.append(
        contract("k", 1, 2.0, 5, HOURS, gpu_model="H200")
    )  # behind it more use is covered, from month 5 on
    offers, scenario = (
        [OD, offer("od2", 0, 9.5, gpu_model="H200"), LEAST_32],
        Scenario(name="Plan A", kept=("sp",)),
    )
    loads = [
        Load(pool=Pool.INFERENCE, gpus=[20.0] * HOURS),
        Load(pool=Pool.INFERENCE, gpus=[2.0] * HOURS, model="H200"),
    ]
    made = case(loads, held, offers, scenario)
    advice = advise(made.project, decided(made), made.pools, audit())
    assert [month.contracts_usd for month in advice.comparison[5:]] == pytest.approx([73_000] * 7)


def test_dollars_that_do_not_pay_are_not_bought() -> None:
    sold = offer(
        "sp12", 12, None, gpu_model="$/h H100", discount_percent="H100=1", commitment_usd_per_hour=Decimal(5)
    )
    assert (
        decided(case([Load(pool=Pool.BURST, gpus=[8.0, 0.0] * 84)], [], [OD, sold])).whole_decisions
        == WholeDecisions()
    )
    cheap = replace(sold, discount_percent="H100=60")  # at most what is on offer
    (bought,) = decided(
        case([Load(pool=Pool.INFERENCE, gpus=[8.0] * 168)], [], [OD, cheap])
    ).whole_decisions.dollars
    assert bought.cents == 500


def test_decisions_on_offers_of_others_are_none_of_one_provider_alone() -> None:
    minima, dollars = (
        (WholeMinimum(START_S, "theirs", Pool.TRAINING, 8),),
        (WholeDollars(START_S, "theirs", 1),),
    )
    scenario = Scenario(name="Plan A", whole_decisions=WholeDecisions((), minima, dollars))
    ours = Project(window=Window(START_S, 24), cube=empty_cube(24), offers=(offer("ours", 12, 2.0),))
    assert not [*ordered_dollars(ours, scenario), *find_days_of_minima(ours, scenario)]
