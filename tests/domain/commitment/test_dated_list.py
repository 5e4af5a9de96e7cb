"""A plan is a list of dated commitments: the model's known answers 16 to 27, 31 and others, and its laws."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from itertools import pairwise
from typing import Any

import pytest

from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.order_days import seen_on
from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.plan.ground import ground_of
from gpuplanner.domain.commitment.plan.orders import orders_by_row
from gpuplanner.domain.commitment.plan.row_plans import plan_of
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.commitment.uncertainty.outlook import outlook
from gpuplanner.domain.commitment.words.verdicts import STOP, verdict_words
from gpuplanner.domain.demand.classification import Classification
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import ModelMapping, Only
from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.plan.spells import Spell
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.window import DAY_S, HOUR_S
from tests.domain.commitment.conftest import START_S, Load, audit, case, contract, decided, offer

HOURS = 2160
BEGIN_S = START_S + HOURS * HOUR_S
DEFAULTS: dict[str, Any] = {
    "recency_half_life_days": 7.0, "demand_fall_closes": True, "slices_lived": True, "delta": 0.004,
}  # fmt: skip
OD = offer("od", 0, 6.88)
RATES = {1: 3.50, 3: 3.15, 6: 2.95, 12: 2.75, 24: 2.30, 36: 2.00}
LADDER = [OD, *(offer(f"c{term:02d}", term, rate) for term, rate in RATES.items())]


def flat(gpus: float, pool: Pool = Pool.TRAINING, model: str = "H100") -> Load:
    return Load(pool=pool, gpus=[gpus] * HOURS, model=model)


def plan(
    loads: Sequence[Load],
    contracts: Sequence[Contract] = (),
    offers: Sequence[Offer] = LADDER,
    scenario: Scenario | None = None,
    **assumptions: Any,
) -> Advice:
    scenario = scenario or Scenario(name="Plan A")
    made = case(loads, contracts, offers, scenario, **(DEFAULTS | assumptions))
    return advise(made.project, scenario, made.pools, audit())


def decided_plan(
    loads: Sequence[Load], contracts: Sequence[Contract], offers: Sequence[Offer] = LADDER
) -> Advice:
    """The plan with what it decides as a whole."""
    made = case(loads, contracts, offers, Scenario(name="Plan A"), **DEFAULTS)
    return advise(made.project, decided(made), made.pools, audit())


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
    advice = plan([flat(48, Pool.INFERENCE, "B200")], (), offers)
    built = [one for one in advice.orders if one.offer_id == "m36"]
    assert [one.reason for one in built] == ["lead_time"]
    assert built[0].gpus == 41 and built[0].order_by_s - BEGIN_S < 100 * HOUR_S
    of_bridge = 48 * 730 * 6.00
    assert advice.totals.liability_now == pytest.approx(of_bridge + 41 * 26_280 * 3.40, abs=0.01)
    assert {one.reason for one in advice.orders if one.start_s < built[0].start_s and one.gpus == 41} == {
        "bridge"
    }


@pytest.mark.parametrize(("last_day", "rate"), [(57, 2.75), (58, 2.00)])
def test_49_an_offer_ends_on_the_last_day_of_its_own_order(last_day: int, rate: float) -> None:
    """A contract ends at hour 1,440: what follows it is ordered 48 h before, on day 58; its rate does not fall."""
    old = contract("old", 32, 2.60, 1440 / 730, HOURS)
    ends = offer("ends", 12, 2.00, lead_time_hours=48.0, valid_until=iso(24 * last_day)[:10])
    stays = offer("stays", 12, 2.75, lead_time_hours=48.0, valid_until="2099-01-01")
    advice = plan([flat(32)], [old], [OD, stays, ends])
    assert [(start, gpus) for start, _, gpus in spans(advice)] == [(1440.0, 32.0)]
    assert sum(usd(advice)) == pytest.approx(32 * (2.60 * 1_440 + rate * 7_320), abs=0.05)


LEAD = [OD, *(offer(f"c{term:02d}", term, rate, lead_time_hours=48.0) for term, rate in RATES.items())]


@pytest.mark.parametrize(
    ("loads", "signs", "usd_to_sign"),
    [
        ([flat(32, Pool.INFERENCE)], {36: 27, 6: 1, 3: 2, 1: 2}, 1_450_948.00),
        ([flat(32)], {6: 27, 3: 3, 1: 2}, 374_672.50),
        ([flat(32, Pool.BURST)], {3: 28, 1: 4}, 203_378.00),
        ([flat(8)] * 4, {36: 26, 6: 2, 3: 2, 1: 2}, None),
        ([flat(4, Pool.BURST)] * 8, {6: 26, 3: 4, 1: 2}, 368_650.00),
    ],
    ids=["40 inference", "40 training", "40 burst", "41 four that train", "58 eight that burst"],
)
def test_contracts_are_as_long_as_the_work_lasts(
    loads: list[Load], signs: dict[int, float], usd_to_sign: float | None
) -> None:
    """Known answers 40, 41 and 58: churn by pool and by the share of the largest workload."""
    advice = plan(loads, (), LEAD)
    layers = {layer.term_months: layer.gpus for layer in advice.pools[0].layers if layer.term_months}
    assert layers == signs
    if usd_to_sign is not None:
        assert advice.totals.liability_now == pytest.approx(usd_to_sign, abs=0.01)


def test_20_terms_of_days_renew() -> None:
    advice = plan([flat(64)], (), [OD, offer("d7", 1, 4.00, term_days=7)], delta=0.0)
    assert usd(advice) == [186_880.0] * 12


@pytest.mark.parametrize(("days", "now"), [(0, 1), (1, 1), (20, 1), (25, 2), (31, 1), (40, 1), (55, 2)])
def test_a_month_that_renews_another_is_to_be_signed_from_a_week_before_its_day(days: int, now: int) -> None:
    """A plan that is read a day late asked for two months of 64 GPUs: 128, never more than 64 together."""
    advice = plan([flat(64)], (), [OD, offer("c01", 1, 3.50)])
    seen = seen_on(BEGIN_S + days * DAY_S, BEGIN_S, ())
    assert len(seen.to_approve(advice.orders)) == now


def test_21_an_offer_is_signed_for_no_fewer_gpus_than_it_is_sold_for() -> None:
    offers = [
        OD,
        offer("m1", 1, 3.50),
        offer("m12", 12, 2.50, min_gpus=16),
        offer("m36", 36, 1.50, min_gpus=64),
    ]
    advice = plan([flat(32, Pool.INFERENCE)], (), offers)
    first = {one.offer_id: one.gpus for one in advice.orders if one.start_s == BEGIN_S}
    assert first == {"m12": 30.0, "m1": 2.0}
    assert advice.totals.liability_now == pytest.approx(662_110, abs=0.01)


def test_22_what_did_not_run_lately_signs_nothing() -> None:
    gpus = [32.0] * (HOURS - 120) + [0.0] * 119 + [1.0]
    advice = plan([Load(pool=Pool.INFERENCE, gpus=gpus)])
    assert advice.totals.liability_now == pytest.approx(52_560, abs=0.01)
    assert advice.totals.liability == pytest.approx(52_560, abs=0.01)


def test_23_one_job_is_no_evidence() -> None:
    gpus = [0.0] * (HOURS - 1440) + [512.0] * 1440
    run = Load(pool=Pool.TRAINING, gpus=gpus, job=("4711", 512.0, HOURS - 1440, HOURS))
    advice = plan([run])
    assert advice.totals.liability_now == pytest.approx(1_308_160)
    assert {one.offer_id for one in advice.orders if one.reason != "if_it_lasts"} == {"c01"}
    (check,) = [one for one in advice.checks if one.code == "one_job"]
    assert (
        check.severity == "amber"
        and "4711 of c1/team/load-000 has 100% of GPU time: 512 GPUs for 60 days" in str(check.message)
    )
    assert check.keys == ("c1/team/load-000",)


def test_23_beside_one_job_the_rest_is_evidence() -> None:
    """Eight GPUs always run beside it, signed as if they were alone; so is what the planner says comes back."""
    run = Load(pool=Pool.TRAINING, gpus=[0.0] * 720 + [512.0] * 1440, job=("4711", 512.0, 720, HOURS))
    rest = flat(8)
    alone = plan([rest], sigma=0.0)
    both = plan([run, rest], sigma=0.0)
    long = [one for one in both.orders if one.start_s == BEGIN_S and one.offer_id != "c01"]
    assert [(one.offer_id, one.gpus) for one in long] == [
        (one.offer_id, one.gpus) for one in alone.orders if one.start_s == BEGIN_S
    ]
    scenario = Scenario(name="Plan A", spells={"c1/team/load-000": Spell(BEGIN_S, None)})
    comes_back = plan([run, rest], scenario=scenario, sigma=0.0)
    assert (
        sum(one.gpus for one in comes_back.orders if one.start_s == BEGIN_S and one.offer_id != "c01") > 500
    )
    assert not [one for one in comes_back.checks if one.code == "one_job"]


def test_23_a_service_is_one_job_by_nature() -> None:
    job = ("1", 8.0, 0, HOURS)
    service = plan([Load(pool=Pool.INFERENCE, gpus=[8.0] * HOURS, job=job)])
    burst = plan([Load(pool=Pool.BURST, gpus=[8.0] * HOURS, job=job)])
    assert "c36" in {one.offer_id for one in service.orders if one.start_s == BEGIN_S}
    assert {one.offer_id for one in burst.orders if one.start_s == BEGIN_S} == {"c01"}


def test_24_what_follows_a_long_contract_starts_as_it_ends() -> None:
    long = contract("long", 40, 2.60, 13_000 / 730, HOURS)
    made = case([flat(32)], [long], LADDER, **DEFAULTS)
    cache = AdviceCache()
    (row,) = plan_of(ground_of(made.project, made.project.scenarios[0], made.pools, cache), cache).rows
    first_s = min(one.start_s for one in row.listed.orders)
    assert first_s == 13_000 * HOUR_S
    assert sum(one.gpus for one in row.listed.orders if one.start_s == first_s) == 32.0
    assert not plan([flat(32)], [long]).orders  # none starts, or falls due, within the twelve months


def test_30_separation_shares_a_contract_by_day_and_night() -> None:
    day = [30.0 if 8 <= hour % 24 < 20 else 4.0 for hour in range(HOURS)]
    night = [2.0 if 8 <= hour % 24 < 20 else 28.0 for hour in range(HOURS)]
    held = contract("k", 32, 2.60, 4_800 / 730, HOURS)
    advice = plan([Load(pool=Pool.INFERENCE, gpus=day), Load(pool=Pool.TRAINING, gpus=night)], [held])
    made = case(
        [Load(pool=Pool.INFERENCE, gpus=day), Load(pool=Pool.TRAINING, gpus=night)],
        [held],
        LADDER,
        **DEFAULTS,
    )
    found = outlook(made.project, made.project.scenarios[0], made.pools, advice)
    assert found.separation.cost_usd() == pytest.approx(0.0, abs=0.01)
    assert found.separation.cost_usd(12) == pytest.approx(220_113, rel=0.01)


@pytest.mark.parametrize(("months", "is_later"), [(6, False), (14, True)])
def test_what_ends_after_the_twelve_months_says_so_for_no_order_of_then_is_listed(
    months: int, is_later: bool
) -> None:
    (verdict,) = plan([flat(8)], [contract("k", 8, 2.0, months, HOURS)], [OD]).verdicts
    assert (verdict.verdict, verdict.is_later) == ("let_expire", is_later)
    assert ("nothing follows it" in str(verdict.reason)) is not is_later  # no order of then was looked for


@pytest.mark.parametrize(("renews", "is_later"), [(6, False), (12, True)])
def test_what_the_plan_ends_beyond_the_twelve_months_is_to_be_given_notice(
    renews: int, is_later: bool
) -> None:
    """No order that could follow it is listed: of one that is used whole it was said that its work fits."""
    held = contract("k", 8, 9.0, 1440 / 730, HOURS, notice_days=90, renews_months=renews)
    (verdict,) = decided_plan([flat(8)], [held], [OD]).verdicts
    assert (verdict.verdict, verdict.ends_s) == ("end", held.renewed_s(held.end_s or 0))
    assert verdict.is_later is is_later and verdict.is_to_decide
    assert str(verdict_words(verdict, held)).startswith("end (give notice)")


def test_what_has_renewed_ends_with_that_and_orders_that_start_then_follow_it() -> None:
    """MODEL 5: a notice that has passed binds one renewal; the next notice ends it."""
    held = contract("k", 8, 4.0, 1440 / 730, HOURS, notice_days=90, renews_months=6, term_months=48)
    advice = decided_plan([flat(8)], [held])
    ends_s = held.renewed_s(held.end_s or 0)
    assert sum(one.gpus for one in advice.orders if one.start_s == ends_s) == 8.0
    (verdict,) = advice.verdicts
    assert (verdict.verdict, verdict.gpus, verdict.ends_s) == ("end", 8.0, ends_s)
    assert verdict.order_by_s == ends_s - 90 * DAY_S


@pytest.mark.parametrize(("days", "renews"), [(10, False), (90, True)])
def test_what_its_provider_stops_renews_until_then_at_most(days: int, renews: bool) -> None:
    """Ten days before its end there was a renewal to pay all the same."""
    held = contract("k", 8, 2.60, 1440 / 730, HOURS, notice_days=90, renews_months=6, provider="V")
    stops_s = BEGIN_S + days * DAY_S
    advice = plan([flat(8)], [held], [OD], scenario=Scenario(name="Plan A", provider_ends={"V": stops_s}))
    (verdict,) = advice.verdicts
    costs = [one.usd_per_month for one in advice.checks if one.code == "order_by_passed"]
    assert verdict.ends_s == stops_s
    assert costs == ([pytest.approx(8 * 2.60 * (stops_s - (held.end_s or 0)) / HOUR_S)] if renews else [])


def test_what_has_no_end_and_its_provider_stops_has_not_renewed() -> None:
    """It was told to have renewed until then, its notice passed; its notice is still to be given."""
    held = contract("k", 8, 2.60, None, HOURS, notice_days=30, provider="V")
    stops_s = BEGIN_S + 100 * DAY_S
    (verdict,) = plan([flat(8)], [held], [OD], Scenario(name="Plan A", provider_ends={"V": stops_s})).verdicts
    assert (verdict.verdict, verdict.ends_s, verdict.order_by_s) == (
        "let_expire",
        stops_s,
        stops_s - 30 * DAY_S,
    )
    assert str(verdict_words(verdict, held)).startswith(f"{STOP} (30 days")


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
    assert plan([flat(64)], (), LADDER).totals.effective_utilization_plan == 1.0  # not the last bit over it
    assert advice.totals.savings is None and advice.totals.effective_savings_rate is None


def lasts(hour: float, offers: Sequence[Offer]) -> Advice:
    scenario = Scenario(
        name="Plan A", spells={"c1/team/load-000": Spell(None, BEGIN_S + round(hour * HOUR_S))}
    )
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
    work = PlannedWork(
        name="load-000",
        pool=Pool.TRAINING,
        gpu_model="H100",
        gpus=gpus,
        cluster="c1",
        team="team",
        length_hours=length,
        **more,
    )
    scenario = Scenario(name="Plan A", planned=(work,))
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
    assert len(advice.orders) == 52 and len(orders_by_row(advice.orders)) == 52
    assert [one.gpus for one in advice.totals.gpus_to_sign] == [64.0]  # one after the other
    assert sum(one.liability or 0 for one in advice.orders) == pytest.approx(718_848)
    (figures,) = advice.planned_runs
    assert figures.usd == pytest.approx(718_848) and len(figures.orders) == 52


WEEKLY = {"every_hours": 168, "begins_s": BEGIN_S + 116 * HOUR_S}  # Friday 20:00 to Sunday 12:00


def test_what_guarantees_a_run_that_comes_back() -> None:
    """64 GPUs for 40 h a week: by use its hours, blocks at each start, a month all through; spot guarantees nothing."""
    offers = [OD, offer("d2", 1, 4.50, term_days=2), offer("m1", 1, 3.50), offer("dear", 1, 3.60)]
    advice = run(
        64, 40, [*offers, offer("spot", 0, 1.00, pricing_category=PricingCategory.DYNAMIC)], **WEEKLY
    )
    (figures,) = advice.planned_runs
    assert figures.mean_gpu_hours == pytest.approx(11_123.81)
    found = {way.offer.offer_id: way.cost_per_month for way in figures.ways}
    assert found == pytest.approx({OD.offer_id: 76_531.81, "d2": 60_068.57, "m1": 163_520}, abs=0.01)


def test_a_block_longer_than_the_gap_runs_all_through() -> None:
    """130 h every 168 take two blocks of five days, more than the week has."""
    (figures,) = run(8, 130, [OD, offer("d5", 1, 4.50, term_days=5)], **WEEKLY).planned_runs
    assert figures.ways[-1].cost_per_month == pytest.approx(8 * 730 * 4.50)


def test_a_run_that_does_not_come_back_has_no_mean_month() -> None:
    (figures,) = run(8, 40, [OD]).planned_runs
    assert (figures.mean_gpu_hours, figures.ways) == (None, ())


def test_orders_join_to_rows() -> None:
    advice = plan([flat(2)], (), [OD, offer("m1", 1, 3.50)])
    rows = orders_by_row(advice.orders)
    assert [len(row) for row in rows] == [len(advice.orders)] == [12]
    assert all(one.end_s == other.start_s for row in rows for one, other in pairwise(row))


def test_idle_gpus_beside_orders_for_another_cluster_are_said() -> None:
    """40 GPUs on one cluster where 4 are used, 34 in use on another where nothing is held."""
    held = contract("held", 40, 2.60, 24.0, HOURS)
    used = [flat(4), Load(pool=Pool.TRAINING, gpus=[34.0] * HOURS, cluster="c2")]
    advice = plan(used, [held])
    assert [one.gpus for one in advice.totals.gpus_to_sign] == [34.0]
    (check,) = [one for one in advice.checks if one.code == "idle_beside_orders"]
    assert check.severity == "amber" and str(check.subject) == "H100"
    assert check.usd_per_month == pytest.approx(36 * 2.60 * 730)
    assert "36.0 GPUs" in str(check.message) and " 34 " in str(check.message)
    assert str(check.message).endswith("--same cluster:c1=c2")
    full = plan([flat(39.5), used[1]], [held])  # half a GPU is idle
    assert not [one for one in full.checks if one.code == "idle_beside_orders"]
    alone = plan([flat(4)], [held])
    nowhere = plan([flat(4), replace(used[1], cluster="")], [held])  # planned work that names no cluster
    for found in (alone, nowhere):
        assert not [one for one in found.checks if one.code == "idle_beside_orders"]


def runs(
    *works: tuple[str, float, int],
    offers: Sequence[Offer],
    contracts: Sequence[Contract] = (),
    log: float = 0.0,
    delta: float = 0.0,
    pool: Pool = Pool.TRAINING,
    **assumptions: Any,
) -> Advice:
    """Runs of a pool from the plan's first hour on, by name, GPUs and hours, beside so many GPUs of the log."""
    planned = tuple(
        PlannedWork(
            name=name, pool=pool, gpu_model="H100", gpus=gpus, cluster="c1", team="team", length_hours=hours
        )
        for name, gpus, hours in works
    )
    loads = [*(flat(gpus, pool) for _, gpus, _ in works), *([flat(log)] if log else [])]
    return plan(
        loads, contracts, offers, Scenario(name="Plan A", planned=planned), delta=delta, **assumptions
    )


def test_a_run_takes_what_contracts_hold_above_the_peak_of_the_log_and_the_next_what_is_left() -> None:
    """10 GPUs under contract, of which the log needs 4: the first run buys 4 of its 10, the second all of its 10."""
    held = contract("k", 10, 2.0, None, HOURS)
    advice = runs(("load-000", 10, 100), ("load-001", 10, 100), offers=[OD], contracts=[held], log=4.0)
    assert [one.idle_contract_gpus for one in advice.planned_runs] == [6.0, 0.0]
    assert [one.usd for one in advice.planned_runs] == pytest.approx([4 * 100 * 6.88, 10 * 100 * 6.88])
    assert usd(advice)[0] == pytest.approx(10 * 730 * 2.0 + 14 * 100 * 6.88)
    cards = [
        4 * 100 * 6.88 + 6 * 100 * 2.0,
        10 * 100 * 6.88,
        4 * 730 * 2.0,
    ]  # each its own hours of the contract
    assert [advice.workload_usd[f"c1/team/load-{at:03}"] for at in range(3)] == pytest.approx(cards)


def test_a_run_pays_whole_units_and_what_is_upfront() -> None:
    """3 GPUs for a month in nodes of 4 at 2.00 and $73 a GPU; from 4 GPUs on at the least it is closed."""
    node = {"upfront_usd": Decimal(73), "unit_gpus": 4}
    advice = runs(("load-000", 3, 730), offers=[OD, offer("m1", 1, 2.0, **node)])
    assert advice.planned_runs[0].usd == pytest.approx(4 * (730 * 2.0 + 73))
    assert [(one.gpus, one.bought_gpus) for one in advice.orders] == [(3.0, 4.0)]
    assert advice.orders[0].liability == pytest.approx(4 * (730 * 2.0 + 73))
    dear = runs(
        ("load-000", 3, 730), offers=[OD, offer("m1", 1, 5.1, **node)]
    )  # (5.10 + 0.10) x 4 > 6.88 x 3
    assert not dear.orders and usd(dear)[0] == pytest.approx(3 * 730 * 6.88)
    closed = runs(("load-000", 3, 730), offers=[OD, offer("m1", 1, 2.0, min_gpus=4)])
    assert not closed.orders and usd(closed)[0] == pytest.approx(3 * 730 * 6.88)


def test_runs_share_an_offer_and_one_that_ends_too_soon_is_closed() -> None:
    shared = runs(("load-000", 8, 730), ("load-001", 8, 730), offers=[OD, offer("m1", 1, 3.5, max_gpus=8)])
    assert usd(shared)[0] == pytest.approx(8 * 730 * (3.5 + 6.88))
    ends = runs(("load-000", 8, 720), offers=[OD, offer("m1", 1, 3.5, ends=iso(729))])
    assert not ends.orders and usd(ends)[0] == pytest.approx(8 * 720 * 6.88)
    there = runs(("load-000", 8, 720), offers=[OD, offer("m1", 1, 3.5, ends=iso(730))])
    assert usd(there)[0] == pytest.approx(8 * 730 * 3.5)


def test_a_run_pays_use_at_the_prices_of_its_months() -> None:
    advice = runs(("load-000", 2, 1460), offers=[OD], delta=0.1)
    assert usd(advice)[:3] == pytest.approx([2 * 730 * 6.88, 2 * 730 * 6.88 * 0.9, 0.0], abs=0.01)
    assert advice.planned_runs[0].usd == pytest.approx(2 * 730 * 6.88 * 1.9)


def test_a_run_is_a_chain_of_orders_where_that_is_cheapest() -> None:
    advice = runs(("load-000", 2, 1500), offers=[OD, offer("m1", 1, 3.5)])
    assert spans(advice) == [(0.0, 730.0, 2.0), (730.0, 1460.0, 2.0)]
    assert advice.planned_runs[0].usd == pytest.approx(2 * (1460 * 3.5 + 40 * 6.88))


def test_26_what_a_budget_gives_up_would_have_cost_its_price_without_it() -> None:
    burst = plan([flat(10, Pool.BURST)], (), [OD], delta=0.0, budget_usd_per_month=7.5 * 730 * 6.88)
    assert [one.usd_per_month for one in burst.unserved] == pytest.approx([3 * 730 * 6.88])
    old = contract("old", 1, 10.0, 1.0, HOURS, gpu_model="A100", cluster="c2")
    waits = plan(
        [flat(8)], [old], [OD, offer("c12", 12, 2.50)], delta=0.0, sigma=0.0, budget_usd_per_month=14_600.0
    )
    assert [one.usd_per_month for one in waits.unserved] == pytest.approx([4 * 730 * 2.50 / 12])


def test_a_budget_gives_up_the_dearest_first_of_equals_the_highest() -> None:
    """4 GPUs signed at 4.00 and one used half of the time: the use goes first, since an hour of it costs more; where
    that is too little, whole slices from the top."""
    waves = Load(pool=Pool.TRAINING, gpus=[4.0 + hour % 2 for hour in range(HOURS)])
    more: dict[str, Any] = {"delta": 0.0, "sigma": 0.0, "recency_half_life_days": None}
    offers = [OD, offer("c12", 12, 4.0)]
    whole = 4 * 730 * 4.0 + 365 * 6.88
    assert usd(plan([waves], (), offers, **more)) == pytest.approx([whole] * 12)
    first = plan([waves], (), offers, budget_usd_per_month=whole - 1, **more)
    assert usd(first) == pytest.approx([4 * 730 * 4.0] * 12)
    assert [one.unserved_gpu_hours for one in first.comparison] == pytest.approx([365.0] * 12)
    second = plan([waves], (), offers, budget_usd_per_month=4 * 730 * 4.0 - 1, **more)
    assert usd(second) == pytest.approx([3 * 730 * 4.0] * 12)
    assert [one.unserved_gpu_hours for one in second.comparison] == pytest.approx([365.0 + 730.0] * 12)


def test_an_order_that_waits_for_a_budget_takes_its_chain_with_it() -> None:
    """8 GPUs by quarters, a contract of $7,300 in month 0: four wait a month, and all that follows them."""
    old = contract("old", 1, 10.0, 1.0, HOURS, gpu_model="A100", cluster="c2")
    offers = [OD, offer("c03", 3, 2.50)]
    advice = plan([flat(8)], [old], offers, delta=0.0, sigma=0.0, budget_usd_per_month=14_600.0)
    starts = [(start / 730, gpus) for start, _, gpus in spans(advice)]
    assert starts == [(float(month), 4.0) for month in (0, 1, 3, 4, 6, 7, 9, 10)]
    assert usd(advice) == [14_600.0] * 12
    assert {one.follows for one in advice.orders if one.start_s > BEGIN_S + 730 * HOUR_S} == {True}
    assert not any(one.follows for one in advice.orders if one.start_s <= BEGIN_S + 730 * HOUR_S)


def test_what_mapped_gpus_cost_is_told_in_gpus_of_the_offer() -> None:
    """One H200 does the work of 2 H100: 6 GPUs of work are 3 of 4.00."""
    made = case([flat(6)], (), [OD, offer("h", 12, 4.0, gpu_model="H200")], **(DEFAULTS | {"delta": 0.0}))
    project = replace(made.project, mappings=(ModelMapping("H100", "H200", 2.0),))
    (order,) = [
        one
        for one in advise(project, project.scenarios[0], made.pools, audit()).orders
        if one.offer_id == "h"
    ]
    assert (order.gpus, order.bought_gpus, order.rate) == (6.0, 3.0, pytest.approx(4.0))
    assert order.liability == pytest.approx(3 * 4.0 * 8760)


def test_orders_of_the_second_month_are_not_to_be_signed_now() -> None:
    """Due at hour 729 is liability_now, due at hour 730 is not; listed is what falls due within the year."""
    for end_h, is_now in ((729, True), (730, False)):
        old = contract("old", 2, 2.0, end_h / 730, HOURS)
        advice = plan([flat(2)], [old], [OD, offer("c12", 12, 2.0)], delta=0.0)
        assert advice.totals.liability_now == pytest.approx(2 * 2.0 * 8760 if is_now else 0.0)
        assert [one.gpus for one in advice.totals.gpus_to_sign] == ([2.0] if is_now else [])
    late = contract("late", 2, 2.0, 9000 / 730, HOURS)
    listed = plan([flat(2)], [late], [OD, offer("c12", 12, 2.0, lead_time_hours=300.0)], delta=0.0)
    assert spans(listed) == [(9000.0, 9000.0 + 8760.0, 2.0)]
    assert not plan([flat(2)], [late], [OD, offer("c12", 12, 2.0)], delta=0.0).orders


def test_gpus_to_sign_are_the_most_that_are_held_at_one_time() -> None:
    """Two GPUs for a month each day one after the other are two, and two at once are four."""
    first = contract("a", 2, 2.0, 100 / 730, HOURS)
    advice = plan([flat(4)], [first], [OD, offer("m1", 1, 2.0)], delta=0.0)
    soon = [one for one in advice.orders if one.order_by_s < BEGIN_S + 730 * HOUR_S]
    assert [(one.gpus, (one.start_s - BEGIN_S) / HOUR_S) for one in soon] == [(2.0, 0.0), (2.0, 100.0)]
    assert [one.gpus for one in advice.totals.gpus_to_sign] == [4.0]


def test_reasons_at_the_edge_of_a_month() -> None:
    """A lead of 730 h is one of a build to order, one of 729 h is not."""
    for lead, reason in ((729.0, "now"), (730.0, "lead_time")):
        (order,) = [
            one
            for one in plan(
                [flat(2)], (), [OD, offer("c36", 36, 2.0, lead_time_hours=lead)], delta=0.0
            ).orders
            if (one.start_s - BEGIN_S) / HOUR_S == lead
        ]
        assert (order.reason, order.order_by_s) == (reason, BEGIN_S)


def test_a_budget_compares_what_a_gpu_hour_costs_over_whole_orders_and_of_equals_the_highest_goes() -> None:
    """Four H100 at 3.00 for a year beside A100 by the month at 2.00: the dearer GPU-hour goes; at one rate the H100,
    whose slices lie higher."""
    more: dict[str, Any] = {"delta": 0.0, "sigma": 0.0}
    other = offer("odA", 0, 6.0, gpu_model="A100")

    def given_up(h100: float, a100: float, usd_less: float) -> dict[str | None, float]:
        offers = [OD, offer("c12", 12, h100), other, offer("mA", 1, a100, gpu_model="A100")]
        whole = 730 * (4 * h100 + 2 * a100)
        loads = [flat(4), flat(2, model="A100")]
        advice = plan(loads, (), offers, budget_usd_per_month=whole - usd_less, **more)
        return {one.gpu_model: round(one.gpu_hours, 6) for one in advice.unserved}

    assert given_up(3.0, 2.0, 730 * 3.0) == {"H100": 8760.0}
    assert given_up(2.0, 2.0, 2 * 730 * 2.0) == {"H100": 2 * 8760.0}


def test_an_order_due_after_a_month_is_no_build_to_order_and_one_of_the_second_month_is_growth() -> None:
    old = contract("old", 2, 2.0, 2.0, HOURS)
    (order,) = plan([flat(2)], [old], [OD, offer("c36", 36, 2.0, lead_time_hours=730.0)], delta=0.0).orders
    assert (order.reason, order.order_by_s) == ("contract_end", BEGIN_S + 730 * HOUR_S)
    for hour, reason in ((729, "now"), (730, "growth")):
        later = Scenario(name="Plan A", spells={"c1/team/load-000": Spell(BEGIN_S + hour * HOUR_S)})
        first = plan([flat(2)], (), [OD, offer("c12", 12, 2.0)], later, delta=0.0).orders[0]
        assert (first.reason, first.start_s) == (reason, BEGIN_S + hour * HOUR_S)


@pytest.mark.parametrize("days", [(60, 10), (10, 60)])
def test_of_contracts_that_end_together_the_longest_notice_counts(days: tuple[int, int]) -> None:
    held = [contract(f"k{at}", 2, 2.0, 3.5, HOURS, notice_days=notice) for at, notice in enumerate(days)]
    (order,) = plan([flat(4)], held, [OD, offer("c12", 12, 2.0)], delta=0.0).orders
    assert (order.gpus, order.start_s - order.order_by_s) == (4.0, 60 * 86_400)


def test_days_that_begin_inside_a_month_renew_until_730_hours_after_its_beginning() -> None:
    old = contract("old", 2, 2.0, 300 / 730, HOURS)
    advice = plan([flat(2)], [old], [OD, offer("d7", 1, 4.0, term_days=7)], delta=0.0)
    assert spans(advice)[:3] == [(300.0, 730.0, 2.0), (730.0, 1460.0, 2.0), (1460.0, 2190.0, 2.0)]


def test_with_nothing_signed_a_run_uses_idle_gpus_of_rows_on_demand_too() -> None:
    """10 GPUs on demand at $5, of which the log needs 4: of the run's 10 the other 6 are there, and 4 are rented."""
    held = contract("k", 10, 5.0, None, HOURS, pricing_category=PricingCategory.STANDARD)
    advice = runs(("load-000", 10, 100), offers=[OD], contracts=[held], log=4.0)
    assert advice.comparison[0].do_nothing_usd == pytest.approx(10 * 730 * 5.0 + 4 * 100 * 6.88)


def test_an_order_of_a_run_has_the_price_of_its_own_month() -> None:
    """One order in month 2, when prices have fallen twice by 10%."""
    work = PlannedWork(
        name="load-000",
        pool=Pool.TRAINING,
        gpu_model="H100",
        gpus=8,
        cluster="c1",
        team="team",
        length_hours=730,
        begins_s=BEGIN_S + 1460 * HOUR_S,
    )
    advice = plan(
        [flat(8)], (), [OD, offer("m1", 1, 3.5)], Scenario(name="Plan A", planned=(work,)), delta=0.1
    )
    (order,) = advice.orders
    assert order.rate == pytest.approx(3.5 * 0.81)
    assert advice.comparison[2].plan_usd == pytest.approx(8 * 730 * 3.5 * 0.81)


def test_a_contract_that_has_ended_does_not_renew_with_nothing_signed() -> None:
    over = contract("over", 8, 2.0, -0.5, HOURS, renews_months=12)
    advice = plan([flat(8)], [over], [OD])
    assert advice.comparison[0].do_nothing_usd == pytest.approx(8 * 730 * 6.88)


def test_a_run_is_the_highest_slice_of_its_pool_for_offers_and_shares() -> None:
    """8 of an offer: a run of inference comes before the slices of training, one of burst after them."""
    few = [OD, offer("m1", 1, 3.5, max_gpus=8)]
    for pool, is_first in ((Pool.INFERENCE, True), (Pool.BURST, False)):
        advice = runs(("load-000", 8, 730), offers=few, log=8.0, pool=pool)
        assert {one.reason for one in advice.orders} == ({"planned_run"} if is_first else {"now", "follows"})
    both = [OD, offer("m1", 1, 3.5, provider="one")]
    alone = runs(("load-000", 8, 730), offers=both, log=8.0, pool=Pool.BURST, max_provider_share=0.5)
    # half of the month's 2 x 8 x 730 x 3.50 is what the slices take: the run is served by use
    assert {one.reason for one in alone.orders} == {"now", "follows"}
    assert usd(alone)[0] == pytest.approx(8 * 730 * (3.5 + 6.88))


def test_a_run_is_cut_where_an_offer_by_use_has_fewer_gpus_and_doing_nothing_has_no_more() -> None:
    few = [offer("od", 0, 6.88, max_gpus=3), offer("od2", 0, 8.0, max_gpus=1)]
    advice = runs(("load-000", 5, 730), offers=few)
    first = advice.comparison[0]
    assert (first.plan_usd, first.do_nothing_usd) == pytest.approx((730 * (3 * 6.88 + 8.0),) * 2)
    assert (first.unserved_gpu_hours, first.do_nothing_unserved_gpu_hours) == pytest.approx((730, 730))


def test_a_block_that_a_budget_cannot_pay_is_no_order() -> None:
    """It exists on its days alone, so it cannot wait; what would then serve nobody is not ordered either."""
    block = offer("blk", 1, 2.0, term_days=10, starts=iso(0), ends=iso(240))
    advice = runs(("load-000", 8, 240), offers=[OD, block], budget_usd_per_month=1000.0)
    assert not advice.orders
    assert (usd(advice)[0], advice.comparison[0].unserved_gpu_hours) == (0.0, 8 * 240)
    month = runs(("load-000", 8, 730), offers=[OD, offer("m1", 1, 2.0)], budget_usd_per_month=1000.0)
    assert not month.orders and usd(month) == [0.0] * 12


BLOCKS = [
    offer("b1", 1, 4.0, term_days=14, starts=iso(168), ends=iso(504)),
    offer("b2", 1, 3.5, term_days=28, starts=iso(504), ends=iso(1176)),
]


@pytest.mark.parametrize("ends", [None, BEGIN_S + 1176 * HOUR_S])
def test_blocks_without_a_rate_by_use_give_a_plan(ends: int | None) -> None:
    """16 GPUs, blocks of days 7 to 21 and 21 to 49: both are bought, also for work of the log whose end is known. Month
    0 costs 16 x (336 x 4.00 + 226 x 3.50), month 1 16 x 446 x 3.50; the first 168 h are served by nobody."""
    spells = {} if ends is None else {"c1/team/load-000": Spell(ends_s=ends)}
    advice = plan([flat(16)], offers=BLOCKS, scenario=Scenario(name="Plan A", spells=spells))
    assert usd(advice)[:3] == pytest.approx([34_160.0, 24_976.0, 0.0])
    assert (advice.totals.plan, advice.totals.do_nothing) == pytest.approx((34_160.0, 0.0))
    assert advice.totals.liability_now == pytest.approx(16 * (336 * 4.0 + 672 * 3.5))
    assert advice.comparison[0].unserved_gpu_hours == pytest.approx(16 * 168)
    assert [(one.offer_id, one.gpus) for one in advice.orders] == [("b1", 16.0), ("b2", 16.0)]
    reason = "no order covers these hours, and no on-demand offer may serve them"
    assert {str(one.reason) for one in advice.unserved} == {reason}
    assert sum(one.gpu_hours for one in advice.unserved) == pytest.approx(
        16 * (168 if ends else 12 * 730 - 1008)
    )


def test_a_block_beside_a_rate_by_use_that_is_missing_leaves_totals_unknown() -> None:
    advice = plan([flat(16)], offers=[*BLOCKS, offer("od", 0, None)])
    assert advice.totals.plan is None and advice.totals.do_nothing is None


def test_whole_units_of_one_start_are_shared_out_among_its_reasons() -> None:
    """6 GPUs in nodes of 4: 3 for good, 3 that are young; eight are paid, and each reason has whole ones."""
    young = Load(pool=Pool.INFERENCE, gpus=[3.0] * (HOURS - 240) + [6.0] * 240)
    offers = [OD, offer("c02", 2, 2.0, unit_gpus=4)]
    held = contract("k", 6, 1.0, 1.0, HOURS)
    advice = plan([young], [held], offers, block=1, sigma=0.0, delta=0.0)
    starts = {one.start_s for one in advice.orders}
    for at in starts:
        same = [one for one in advice.orders if one.start_s == at and one.offer_id == "c02"]
        bought, gpus = sum(one.bought_gpus for one in same), sum(one.gpus for one in same)
        assert bought % 4 == 0 and gpus <= bought < gpus + 4
        assert all(one.bought_gpus % 4 == 0 for one in same)
    assert any(len({one.reason for one in advice.orders if one.start_s == at}) == 2 for at in starts)


def test_a_contract_that_ends_in_the_second_year_is_replaced_by_what_starts_then() -> None:
    held = contract("k", 32, 2.0, 14.5, HOURS)
    (verdict,) = plan([flat(32)], [held], [OD, offer("c12", 12, 2.0)]).verdicts
    assert (verdict.verdict, verdict.gpus, verdict.then_term_months) == ("replace", 32.0, 12)


def test_what_comes_after_an_order_that_hangs_on_demand_does_too_a_gap_or_not() -> None:
    """4 GPUs stopped 100 hours ago: a block of month 1 is signed if they last, and so is one of month 4."""
    gone = Load(pool=Pool.INFERENCE, gpus=[4.0] * (HOURS - 100) + [0.0] * 100)
    blocks = [offer(f"b{t}", 1, 2.0, starts=iso(730 * t), ends=iso(730 * (t + 1))) for t in (1, 4)]
    (first, second) = plan([gone], offers=[OD, *blocks], demand_fall_closes=False).orders
    assert [(first.start_s - BEGIN_S) / HOUR_S, (second.start_s - BEGIN_S) / HOUR_S] == [730.0, 2920.0]
    assert [first.reason, second.reason] == ["if_it_lasts", "if_it_lasts"]


def test_rounding_of_growth_takes_no_gpu_of_a_limited_offer() -> None:
    """50 x 1.1 is a last digit over 55: the one cheap GPU is the 55th's, and no 56th is there to take it."""
    use = [offer("od", 0, 5.0, max_gpus=1), offer("od2", 0, 6.0)]
    still = {"growth": 0.1, "growth_fade": 1.0, "sigma": 0.0, "delta": 0.0, "horizon_months": 12}
    advice = plan([flat(50)], offers=use, **still)
    assert usd(advice)[:2] == [730 * (5.0 + 49 * 6.0), 730 * (5.0 + 54 * 6.0)]


def test_gpus_to_sign_are_by_pool_and_model_whoever_may_serve_them() -> None:
    """4 GPUs of anybody and 2 of one provider alone are 6 H100."""
    offers = [offer("m1", 1, 2.0, provider="one"), offer("m2", 1, 3.0, provider="two"), OD]
    limited = Scenario(name="Plan A", only={"c1/team/load-001": Only("two")})
    advice = plan([flat(4), flat(2)], offers=offers, scenario=limited)
    assert [(one.gpu_model, one.gpus) for one in advice.totals.gpus_to_sign] == [("H100", 6.0)]


def test_42_development_that_stands_idle_signs_a_month() -> None:
    made = case([flat(20, Pool.BURST)], (), LEAD, **DEFAULTS)
    box = (
        Classification(
            pool=Pool.BURST, subtype="development", confidence=1.0, reasons=(), runner_up=None, source="score"
        ),
    )
    planned = plan_of(
        ground_of(made.project, Scenario(name="Plan A"), made.pools, AdviceCache(), box), AdviceCache()
    )
    (row,) = planned.rows
    assert {row.row.offers[at].term_months for at in row.signed.now.tolist()} == {1}
    assert not row.signed.lasts[0].any() and row.signed.lasts[1:].any()


def test_52_dollars_of_cards_go_where_the_gpus_go() -> None:
    """Cluster A pays 4.10 for 16 GPUs of which two workloads use 24, cluster B 2.44 for 16 that one uses; the 8 left
    over are signed for 12 months at 2.75. Who has ended costs nothing."""
    held = [contract("a", 16, 4.10, 40, HOURS), contract("b", 16, 2.44, 40, HOURS, cluster="c2")]
    loads = [flat(16), flat(8), replace(flat(16), cluster="c2"), flat(5)]
    over = Scenario(name="Plan A", spells={"c1/team/load-003": Spell(None, BEGIN_S)})
    advice = plan(loads, held, [OD, offer("c12", 12, 2.75)], over)
    cards = dict(zip("abcd", advice.workload_usd.values(), strict=True))
    assert cards == pytest.approx({"a": 42_632.00, "b": 21_316.00, "c": 28_499.20, "d": 0.0}, abs=0.005)
    assert sum(usd or 0.0 for usd in cards.values()) == pytest.approx(47_888 + 16_060 + 28_499.20)


def test_52_idle_contracts_and_cheap_hours_are_nobodys_share_of_others() -> None:
    """6 of 8 GPUs under contract are used by day, by two alike; one is there at night alone, and pays by use then."""
    day = [1.0 if 8 <= hour % 24 < 20 else 0.0 for hour in range(HOURS)]
    night = [1.0 - there for there in day]
    loads = [replace(flat(1), gpus=[3.0 * there for there in day]) for _ in range(2)]
    loads.append(replace(flat(1), gpus=[10.0 * there for there in night]))
    held = contract("a", 8, 2.0, 40, HOURS)
    advice = plan(loads, [held], [OD], recency_half_life_days=None)
    assert list(advice.workload_usd.values()) == pytest.approx(
        [3 * 365 * 2.0, 3 * 365 * 2.0, 8 * 365 * 2.0 + 2 * 365 * 6.88]
    )


def test_54_a_verdict_counts_firm_orders_alone() -> None:
    """One GPU works all the time, 24 more until five days ago: all have a place in a contract that ends in month 1."""
    loads = [flat(1, Pool.INFERENCE), Load(pool=Pool.INFERENCE, gpus=[24.0] * (HOURS - 120) + [0.0] * 120)]
    advice = plan(loads, [contract("k", 25, 2.60, 800 / 730, HOURS, term_months=36)])
    (verdict,) = advice.verdicts
    assert (verdict.gpus, verdict.then_term_months, verdict.if_it_lasts_gpus) == (1.0, 36, 24.0)
    assert "24 more if it lasts" in str(verdict_words(verdict, contract("k", 25, 2.60, 800 / 730, HOURS)))
