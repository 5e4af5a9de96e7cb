"""A plan is a list of dated commitments: the model's known answers 16 to 27 and 31, and its laws."""

from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

import pytest

from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.plan.orders import shown_of
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.plan_inputs import PlannedWork, Scenario, Spell
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import HOUR_S
from tests.domain.commitment.conftest import START_S, Load, audit, case, contract, offer

HOURS = 2160
BEGIN_S = START_S + HOURS * HOUR_S
DEFAULTS: dict[str, Any] = {
    "recency_half_life_days": 7.0, "demand_fall_closes": True, "slices_lived": True, "delta": 0.004,
}  # fmt: skip
OD = offer("od", 0, 6.88)
RATES = {1: 3.50, 3: 3.15, 6: 2.95, 12: 2.75, 24: 2.30, 36: 2.00}
LADDER = [OD, *(offer(f"c{term:02d}", term, rate) for term, rate in RATES.items())]


def flat(gpus: float, pool: Pool = Pool.TRAINING, model: str = "H100") -> Load:
    return Load(pool, [gpus] * HOURS, model)


def plan(
    loads: Sequence[Load],
    contracts: Sequence[Contract] = (),
    offers: Sequence[Offer] = LADDER,
    scenario: Scenario | None = None,
    **assumptions: Any,
) -> Advice:
    scenario = scenario or Scenario("Plan A")
    made = case(loads, contracts, offers, scenario, **(DEFAULTS | assumptions))
    return advise(made.project, scenario, made.pools, audit())


def usd(advice: Advice) -> list[float]:
    assert advice.totals.plan == advice.comparison[0].plan_usd
    assert advice.totals.do_nothing == advice.comparison[0].do_nothing_usd
    return [round(month.plan_usd or 0.0, 2) for month in advice.comparison]


def spans(advice: Advice) -> list[tuple[float, float, float]]:
    """Hours of start and end after the plan begins, and GPUs, of every order."""
    return [
        ((one.start_s - BEGIN_S) / HOUR_S, (one.end_s - BEGIN_S) / HOUR_S, one.gpus) for one in advice.orders
    ]


def iso(hour: float) -> str:
    return datetime.fromtimestamp(BEGIN_S + hour * HOUR_S, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def test_16_a_contract_that_ends_inside_a_month_is_replaced_on_that_day() -> None:
    old = contract("old", 32, 2.60, 696 / 730, HOURS)
    advice = plan([flat(32)], [old], [OD, offer("c12", 12, 2.00)])
    assert spans(advice) == [(696.0, 9456.0, 32.0)]
    assert usd(advice)[:3] == [60_083.20, 46_720.00, 46_720.00]
    assert [one.gpus for one in advice.totals.gpus_to_sign] == [32.0]
    assert [one.reason for one in advice.orders] == ["contract_end"]


def test_17_with_nothing_to_sign_the_plan_is_doing_nothing() -> None:
    advice = plan([flat(32)], [contract("old", 20, 2.60, 2.5, HOURS)], [OD])
    assert [round(one.plan_usd or 0, 6) for one in advice.comparison] == [
        round(one.do_nothing_usd or 0, 6) for one in advice.comparison
    ]


def test_18_a_build_to_order_contract_is_ordered_in_time_and_bridged() -> None:
    offers = [
        offer("od", 0, 7.90, gpu_model="B200"),
        offer("m1", 1, 6.00, gpu_model="B200", lead_time_hours=48.0),
        offer("m36", 36, 3.40, gpu_model="B200", lead_time_hours=8736.0),
    ]
    advice = plan([flat(48, model="B200")], (), offers)
    built = [one for one in advice.orders if one.offer_id == "m36"]
    assert [one.reason for one in built] == ["lead_time"]
    assert built[0].gpus == 41 and built[0].order_by_s - BEGIN_S < 100 * HOUR_S
    assert (advice.totals.liability_now or 0) > 3.4e6
    assert {one.reason for one in advice.orders if one.start_s < built[0].start_s and one.gpus == 41} == {
        "bridge"
    }


def test_20_terms_of_days_renew() -> None:
    advice = plan([flat(64)], (), [OD, offer("d7", 1, 4.00, term_days=7)], delta=0.0)
    assert usd(advice) == [186_880.0] * 12


def test_21_an_offer_is_signed_for_no_fewer_gpus_than_it_is_sold_for() -> None:
    offers = [
        OD,
        offer("m1", 1, 3.50),
        offer("m12", 12, 2.50, min_gpus=16),
        offer("m36", 36, 1.50, min_gpus=64),
    ]
    advice = plan([flat(32)], (), offers)
    first = {one.offer_id: one.gpus for one in advice.orders if one.start_s == BEGIN_S}
    assert first == {"m12": 30.0, "m1": 2.0}
    assert advice.totals.liability_now == pytest.approx(662_110, abs=0.01)


def test_22_what_did_not_run_lately_signs_nothing() -> None:
    gpus = [32.0] * (HOURS - 120) + [0.0] * 119 + [1.0]
    advice = plan([Load(Pool.TRAINING, gpus)])
    assert advice.totals.liability_now == pytest.approx(52_560, abs=0.01)
    assert advice.totals.liability == pytest.approx(52_560, abs=0.01)


def test_24_what_follows_a_long_contract_starts_as_it_ends() -> None:
    long = contract("long", 40, 2.60, 13_000 / 730, HOURS)
    advice = plan([flat(32)], [long])
    (row,) = advice.pools
    assert (row.slicing.even, row.slicing.grown) == (32, 0)
    assert not [one for one in spans(advice) if one[0] < 13_000]


def test_25_a_contract_whose_notice_has_passed_runs_on() -> None:
    held = contract("held", 32, 2.60, 1440 / 730, HOURS, notice_days=90, term_months=12)
    advice = plan([flat(32)], [held])
    assert usd(advice) == [60_736.0] * 12
    assert not [one for one in advice.orders if one.start_s < BEGIN_S + 8760 * HOUR_S]
    (check,) = [one for one in advice.checks if one.code == "order_by_passed"]
    assert check.usd_per_month == pytest.approx(32 * 2.60 * 8760)
    assert [one.verdict for one in advice.verdicts] == ["keep"]


def test_26_a_budget_holds_month_by_month() -> None:
    advice = plan([flat(10, Pool.BURST)], (), [OD], delta=0.0, budget_usd_per_month=7.5 * 730 * 6.88)
    assert usd(advice) == [35_156.80] * 12
    assert sum(one.unserved_gpu_hours for one in advice.comparison) == pytest.approx(26_280)


def test_26_an_order_waits_for_the_month_that_can_pay_it() -> None:
    old = contract("old", 1, 10.0, 1.0, HOURS, gpu_model="A100", cluster="c2")
    advice = plan(
        [flat(8)], [old], [OD, offer("c12", 12, 2.50)], delta=0.0, sigma=0.0, budget_usd_per_month=14_600.0
    )
    assert [(start, gpus) for start, _, gpus in spans(advice)] == [(0.0, 4.0), (730.0, 4.0)]
    assert usd(advice) == [14_600.0] * 12
    assert sum(one.unserved_gpu_hours for one in advice.comparison) == pytest.approx(2_920)


def test_27_what_nobody_serves_makes_no_savings() -> None:
    offers = [offer("od", 0, 6.88, max_gpus=16), offer("m1", 1, 3.50, max_gpus=8)]
    advice = plan([flat(64)], (), offers)
    assert advice.comparison[0].unserved_gpu_hours == pytest.approx(29_200)
    assert advice.totals.effective_utilization_plan == pytest.approx(1.0)
    assert advice.totals.savings is None and advice.totals.effective_savings_rate is None


def lasts(hour: float, offers: Sequence[Offer]) -> Advice:
    scenario = Scenario("Plan A", spells={"c1/team/load-000": Spell(None, BEGIN_S + round(hour * HOUR_S))})
    return plan([flat(1, Pool.INFERENCE)], (), offers, scenario, delta=0.0)


def test_31_an_order_that_costs_more_than_its_use_is_not_placed() -> None:
    late = [OD, offer("m1", 1, 3.50, lead_time_hours=400.0)]
    short = lasts(1400, late)
    assert spans(short) == [(400.0, 1130.0, 1.0)]
    assert sum(usd(short)) == pytest.approx(7_164.60)
    longer = lasts(1560, late)
    assert spans(longer) == [(400.0, 1130.0, 1.0), (1130.0, 1860.0, 1.0)]
    assert sum(usd(longer)) == pytest.approx(7_862.00)


def test_31_of_two_with_one_lead_the_longer_starts_when_it_has_passed() -> None:
    offers = [OD, offer("m1", 1, 3.50, lead_time_hours=700.0), offer("m12", 12, 3.20, lead_time_hours=700.0)]
    advice = plan([flat(1, Pool.INFERENCE)], (), offers, delta=0.0)
    assert (advice.orders[0].offer_id, spans(advice)[0][0]) == ("m12", 700.0)


def run(gpus: float, length: int, offers: Sequence[Offer], **more: Any) -> Advice:
    work = PlannedWork("load-000", Pool.TRAINING, "H100", gpus, "c1", "team", length_hours=length, **more)
    scenario = Scenario("Plan A", planned=(work,))
    return plan([flat(gpus)], (), offers, scenario, delta=0.0)


def test_19_a_run_is_bought_on_its_own_hours() -> None:
    block = {"starts": iso(0), "ends": iso(1008), "term_days": 42}
    fits = run(512, 1008, [OD, offer("m1", 1, 3.50), offer("b", 2, 2.80, **block)])
    assert sum(usd(fits)) == pytest.approx(1_445_068.80)
    half = run(512, 1008, [OD, offer("m1", 1, 3.50), offer("b", 2, 2.80, max_gpus=256, **block)])
    assert sum(usd(half)) == pytest.approx(1_866_250.24)
    month = run(512, 720, [OD, offer("m1", 1, 3.50)], begins_s=BEGIN_S + 333 * HOUR_S)
    assert sum(usd(month)) == pytest.approx(1_308_160) and len(month.orders) == 1
    assert [one.reason for one in month.orders] == ["planned_run"]


def test_a_term_longer_than_its_capacity_is_there_is_never_signed() -> None:
    short = offer("short", 12, 1.00, starts=iso(0), ends=iso(7 * 730))
    assert spans(plan([flat(4)], (), [OD, short])) == []


def test_19_a_run_that_comes_back_is_one_run() -> None:
    days = offer("d2", 1, 4.50, term_days=2)
    advice = run(64, 40, [OD, days], every_hours=168, ends_s=BEGIN_S + 52 * 168 * HOUR_S)
    assert len(advice.orders) == 52 and len(shown_of(advice.orders)) == 52
    assert sum(one.liability or 0 for one in advice.orders) == pytest.approx(718_848)
    (figures,) = advice.planned_runs
    assert figures.usd == pytest.approx(718_848) and len(figures.orders) == 52


def test_orders_join_to_rows() -> None:
    advice = plan([flat(2)], (), [OD, offer("m1", 1, 3.50)])
    rows = shown_of(advice.orders)
    assert [len(row) for row in rows] == [1, len(advice.orders) - 1]
    assert all(one.end_s == other.start_s for row in rows for one, other in pairwise(row))
