"""Tests of rates."""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.commitment.recursion.calendar import Calendar
from gpuplanner.domain.commitment.recursion.rates import (
    Barrier,
    Prices,
    SpotFacts,
    at_first_day,
    barrier_of,
    best_interval_h,
    blend,
    break_evens,
    committed_offers,
    falling,
    lost_share,
    lost_shares,
    named_paths,
    over,
    spot_facts,
    usage_price,
)
from gpuplanner.domain.commitment.recursion.ways import ways_of
from gpuplanner.domain.demand.classification import Classification
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.cube import Workload
from gpuplanner.domain.model.hardware_needs import NeedsSet
from gpuplanner.domain.model.plan.changes import PriceChange
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.window import DAY_S, MONTH_S, instant_s, iso_day

# --- test rates ----------------------------------------------------------------------------------

SPOT = PricingCategory.DYNAMIC


def facts(*lost: float) -> SpotFacts:
    every, none = np.ones(len(lost), dtype=np.bool_), np.zeros(len(lost), dtype=np.bool_)
    return SpotFacts(np.array(lost), {Pool.BURST: every, Pool.TRAINING: every, Pool.INFERENCE: none})


def test_commitments_have_a_rate_and_no_term_below_their_least_and_the_cheapest_come_first(
    make_offer: Callable[..., Offer],
) -> None:
    offers = committed_offers(
        [
            make_offer("b", 12, 3.0),
            make_offer("a", 12, 3.0, lead_time_hours=731),
            make_offer("c", 12, 2.0, lead_time_hours=730 * 3),
            make_offer("d", 6, 4.0, min_term_months=7),
            make_offer("e", 6, None),
            make_offer("f", 1, 5.0, lead_time_hours=730, min_term_months=1),
            make_offer("g", 0, 6.0),
        ]
    )
    assert [offer.offer_id for offer in offers] == ["c", "a", "b", "f"]


def test_every_offer_is_a_way_of_its_own_unless_another_of_its_length_beats_it(
    make_offer: Callable[..., Offer],
) -> None:
    """By length, then rate; one that is dearer stays where it can begin sooner, or another has limits."""
    offers = committed_offers(
        [
            make_offer("slow", 12, 2.0, lead_time_hours=1000),
            make_offer("mid", 12, 2.5, lead_time_hours=100),
            make_offer("late", 12, 2.7, lead_time_hours=200),
            make_offer("dear", 12, 3.0, lead_time_hours=100),
            make_offer("few", 12, 4.0, max_gpus=3),
            make_offer("short", 1, 5.0),
            make_offer("week", 1, 9.0, term_days=7),
        ]
    )
    ways = ways_of(offers, 3, Calendar(), Prices())
    assert [offers[at].offer_id for at in ways.place] == ["short", "slow", "mid", "few"]
    assert (ways.begin_s[0] / 3600).tolist() == [0.0, 1000.0, 100.0, 0.0]
    assert ways.is_open.tolist() == [[True, False, True, True], [True] * 4, [True] * 4]
    assert ways.late[1].tolist() == pytest.approx([0.0, 270 / 730, 0.0, 0.0])
    assert ways.months.tolist() == [1.0, 12.0, 12.0, 12.0]
    closed = ways_of(offers, 3, Calendar(), Prices(), {"slow"}, {"mid": np.array([True, True, False])}, 13.0)
    assert [offers[at].offer_id for at in closed.place] == ["short", "mid", "few"]
    assert closed.is_open.tolist() == [[True, False, True], [True, False, True], [True, False, False]]


def test_a_way_of_days_renews_for_a_month_and_a_block_does_not(make_offer: Callable[..., Offer]) -> None:
    begin_s = instant_s("2026-10-01")
    block = make_offer("b", 1, 2.0, term_days=7, starts="2026-10-11", ends="2026-10-18")
    offers = committed_offers([block, make_offer("week", 1, 3.0, term_days=7, upfront_usd=Decimal(168))])
    ways = ways_of(offers, 2, Calendar(begin_s=begin_s), Prices())
    assert [offers[at].offer_id for at in ways.place] == ["b", "week"]
    assert ways.months.tolist() == pytest.approx([168 / 730, 1.0])
    assert ways.is_open.tolist() == [[True, True], [False, True]]
    assert (ways.begin_s[0] / 3600).tolist() == [240.0, 0.0]
    assert ways.spread[0].tolist() == pytest.approx(
        [2.0, 3.0 + 168 / 730]
    )  # paid once, for the month it binds


def test_what_is_paid_upfront_counts_in_the_choice_of_an_offer(make_offer: Callable[..., Offer]) -> None:
    offers = committed_offers(
        [make_offer("plain", 12, 3.0), make_offer("deposit", 12, 2.5, upfront_usd=Decimal(5000))]
    )
    assert [offer.offer_id for offer in offers] == ["plain", "deposit"]  # 2.50 + 5,000 / 8,760 h = 3.07
    fair = committed_offers(
        [make_offer("plain", 12, 3.0), make_offer("deposit", 12, 2.5, upfront_usd=Decimal(4000))]
    )
    ways = ways_of(fair, 1, Calendar(), Prices())
    assert (fair[0].offer_id, ways.place.tolist()) == ("deposit", [0])
    assert (ways.rate[0, 0], ways.upfront[0], ways.spread[0, 0]) == (2.5, 4000.0, 2.5 + 4000 / 8760)


@pytest.mark.parametrize(("month", "cheapest"), [(3, "quote"), (8, "list")])
def test_a_quote_beside_a_list_that_falls_goes_by_what_is_signed_then(
    make_offer: Callable[..., Offer], month: int, cheapest: str
) -> None:
    """Prices fall by 7% a month: 2.00 is 1.61 in month 3 and 1.12 in month 8; the quote is 1.50 as it was, two parts of
    three upfront."""
    begin_s = instant_s("2026-10-01")
    quote = make_offer(
        "quote",
        12,
        0.5,
        upfront_usd=Decimal(12 * 730),
        starts=iso_day(begin_s + month * MONTH_S + 10 * DAY_S),
        valid_until="2027-12-01",
        source="Quote RFQ-20261001-7C1E R1",
    )
    offers = committed_offers([make_offer("list", 12, 2.0), quote])
    falls = Prices(falling(0.07, 12))
    ways = ways_of(offers, 12, Calendar(begin_s=begin_s), falls)
    names = [offers[at].offer_id for at in ways.place]
    spread = np.where(ways.is_open, ways.spread, np.inf)
    assert names[int(spread[month].argmin())] == cheapest
    assert np.flatnonzero(ways.is_open[:, names.index("quote")]).tolist() == [month]
    assert spread[month, names.index("quote")] == pytest.approx(1.5)
    assert spread[month, names.index("list")] == pytest.approx(2.0 * 0.93**month)


def test_a_short_window_leaves_terms_of_one_month(make_offer: Callable[..., Offer]) -> None:
    assert [
        o.term_months for o in committed_offers([make_offer("a", 1, 5.0), make_offer("b", 3, 4.0)], 1)
    ] == [1]


def test_spot_where_allowed_feasible_and_cheaper(make_offer: Callable[..., Offer]) -> None:
    offers = [make_offer("od", 0, 6.0), make_offer("spot", 0, 3.0, pricing_category=SPOT)]
    price = usage_price(offers, Pool.BURST, facts(0.0, 0.25, 0.5, 0.6, 1.0))
    assert price.rate.tolist() == [3.0, 4.0, 6.0, 6.0, 6.0]
    assert price.on_spot.tolist() == [True, True, False, False, False]
    assert price.spot_infeasible.tolist() == [False] * 4 + [True]
    assert not usage_price(offers, Pool.INFERENCE, facts(0.0, 2.0)).on_spot.any()
    alone = usage_price(offers[1:], Pool.BURST, facts(0.5, 1.5))
    assert alone.rate[0] == 6.0 and np.isnan(alone.rate[1])


def test_the_blend_is_weighted_by_gpu_time(make_offer: Callable[..., Offer]) -> None:
    offers = [make_offer("od", 0, 6.88), make_offer("spot", 0, 3.0, pricing_category=SPOT)]
    price = usage_price(offers, Pool.BURST, facts(0.0, 0.9))
    mixed = blend([(price, np.array([1.0, 3.0]))])
    assert mixed.rate == pytest.approx((3.0 + 3 * 6.88) / 4)
    assert (mixed.category, mixed.offer_id, mixed.spot_share) == (PricingCategory.MIXED, None, 0.25)
    assert mixed.blended == ("od", "spot")
    alone = blend([(price, np.array([0.0, 7.1]))])
    assert (alone.rate, alone.category, alone.offer_id, alone.spot_share) == (
        6.88,
        PricingCategory.STANDARD,
        "od",
        0.0,
    )
    spot = blend([(price, np.array([7.1, 0.0]))])
    assert (spot.rate, spot.category, spot.offer_id, spot.spot_share) == (
        pytest.approx(3.0),
        SPOT,
        "spot",
        1.0,
    )


def test_a_workload_without_a_price_leaves_the_blend_unknown(make_offer: Callable[..., Offer]) -> None:
    price = usage_price([make_offer("spot", 0, 3.0, pricing_category=SPOT)], Pool.BURST, facts(0.1, 1.5))
    assert blend([(price, np.array([1.0, 1.0]))]).rate is None
    assert blend([(price, np.array([1.0, 0.0]))]).rate == pytest.approx(3 / 0.9)


def test_a_layer_that_is_only_partly_spot_is_mixed_also_where_the_rest_has_no_price(
    make_offer: Callable[..., Offer],
) -> None:
    price = usage_price([make_offer("s", 0, 3.0, pricing_category=SPOT)], Pool.BURST, facts(0.1, 1.5))
    partly = blend([(price, np.array([1.0, 1.0]))])
    assert (partly.category, partly.offer_id, partly.spot_share) == (PricingCategory.MIXED, None, 0.5)
    assert partly.blended == ()  # who serves the rest is unknown
    wholly = blend([(price, np.array([1.0, 0.0]))])
    assert (wholly.category, wholly.offer_id, wholly.spot_share) == (SPOT, "s", 1.0)


def test_break_even_of_a_term(make_offer: Callable[..., Offer]) -> None:
    offers = committed_offers([make_offer("a", 2, 2.75), make_offer("b", 2, 3.0)])
    assert break_evens(offers, 6.88, 0.0, 0.0)[0].break_even == pytest.approx(0.3997, abs=1e-4)
    (answer,) = break_evens(offers, 6.88, 0.01, 0.02)
    assert (answer.term_months, answer.offer_id) == (2, "a")
    assert answer.break_even == pytest.approx(2.75 / (6.88 * (1 + 0.99 * 0.98) / 2))
    assert break_evens(offers, None, 0.01, 0.02)[0].break_even is None


# --- What prices of a month are: one path for all, and steps of one GPU model on a day or by a day

BEGINS_S = 1_800_000_000


def at(months: float) -> int:
    return BEGINS_S + round(months * MONTH_S)


def committed(offer_id: str, model: str, rate: str, upfront: str | None = None) -> Offer:
    paid = None if upfront is None else Decimal(upfront)
    return Offer(
        offer_id=offer_id,
        gpu_model=model,
        pricing_category=PricingCategory.COMMITTED,
        term_months=12,
        rate_usd_per_gpu_hour=Decimal(rate),
        upfront_usd=paid,
    )


def test_every_path_begins_at_todays_prices_and_they_go_where_they_are_named_for() -> None:
    paths = named_paths(60)
    assert [path[0] for path in paths.values()] == [1.0] * 4
    assert paths["fall"][12] == pytest.approx(0.988**12) and set(paths["flat"]) == {1.0}
    assert paths["cut"][11:13] == (1.0, pytest.approx(0.64)) and paths["cut"][59] == paths["cut"][12]
    assert paths["rise"][12] == pytest.approx(1.029**12) and paths["rise"][59] == paths["rise"][12]


def test_a_path_stays_where_it_ends() -> None:
    assert over((1.0, 0.5), 4).tolist() == [1.0, 0.5, 0.5, 0.5]


def test_a_step_is_weighted_by_days_in_use_and_holds_for_what_is_signed_after_it() -> None:
    prices = Prices(falling(0.1, 4), (PriceChange("H100", 0.5, at(1.25)),), BEGINS_S)
    assert prices.dated_use("H100", 4) == pytest.approx([1, 0.625, 0.5, 0.5])
    assert prices.when_signed("H100", 4) == pytest.approx([1, 0.9, 0.81 * 0.5, 0.729 * 0.5])
    for other in ("A100", None):
        assert prices.dated_use(other, 4).tolist() == [1.0] * 4
        assert prices.when_signed(other, 4) == pytest.approx(falling(0.1, 4))


def test_steps_multiply_and_one_by_a_day_gets_there_evenly() -> None:
    changes = (PriceChange("H100", 0.4, at(2.5), by=True), PriceChange("H100", 2.0, at(1)))
    prices = Prices((1.0,), changes, BEGINS_S)
    assert prices.when_signed("H100", 5) == pytest.approx([1.0, 0.8 * 2, 0.6 * 2, 0.4 * 2, 0.4 * 2])


def test_what_changed_up_to_the_first_day_is_in_the_rates() -> None:
    offers = (committed("a", "H100", "4"), committed("b", "A100", "2"))
    past = (PriceChange("H100", 0.5, at(0)), PriceChange("A100", 3.0, at(0.1)))
    assert [offer.rate for offer in at_first_day(offers, past, BEGINS_S)] == [2.0, 2.0]
    assert at_first_day(offers, past[1:], BEGINS_S) is offers


def test_where_a_price_steps_every_offer_stays_a_way_and_another_is_the_cheapest_then() -> None:
    offers = committed_offers((committed("old", "H100", "3"), committed("new", "H200", "4")))
    ways = ways_of(offers, 4, Calendar(), Prices((1.0,), (PriceChange("H200", 0.5, at(2)),), BEGINS_S))
    assert ways.rate.tolist() == [[3.0, 4.0]] * 2 + [[3.0, 2.0]] * 2
    assert ways_of(offers, 4, Calendar(), Prices()).rate.tolist() == [[3.0]] * 4


def test_without_steps_the_cheapest_of_a_length_is_the_same_in_all_months_on_any_path() -> None:
    """An upfront payment does not move with prices: that is no reason to take another offer later."""
    offers = committed_offers((committed("a", "H100", "3"), committed("b", "H100", "1", "17000")))
    ways = ways_of(offers, 6, Calendar(), Prices(falling(0.3, 6)))
    assert [offers[at].offer_id for at in ways.place] == ["b"]


# --- test spot -----------------------------------------------------------------------------------

LONG_S = 100 * 3600
HOUR_S = 3600


@pytest.mark.parametrize(("nodes", "percent"), [(1, 11.5), (4, 39.6)])
def test_the_lost_share_with_the_defaults(nodes: int, percent: float) -> None:
    assert 100 * lost_share(Assumptions(), nodes, LONG_S) == pytest.approx(percent, abs=0.05)


def test_sixteen_nodes_lose_everything() -> None:
    assert lost_share(Assumptions(), 16, LONG_S) > 1


def test_a_job_shorter_than_the_interval_writes_no_checkpoints() -> None:
    assert lost_share(Assumptions(), 2, 2 * HOUR_S) == pytest.approx((1 + 0.25) / 12)
    assert lost_share(Assumptions(), 1, 4 * HOUR_S) == pytest.approx(
        5 / 240 + 2.25 / 24
    )  # as long as tau: it does


def test_many_workloads_at_once_lose_what_each_does() -> None:
    """4 h between checkpoints: a job of under 4 h writes none, one of 4 h does; nodes that nobody states are one."""
    works = [work(longest_job_s=seconds) for seconds in (4 * HOUR_S - 36, 4 * HOUR_S, LONG_S)]
    wide = work(longest_job_s=4 * HOUR_S, max_nodes=2)
    assert lost_shares(Assumptions(), [*works, wide]) == pytest.approx(
        [(3.99 / 2 + 0.25) / 24, 5 / 240 + 2.25 / 24, 5 / 240 + 2.25 / 24, 5 / 240 + 2.25 / 12]
    )


@given(st.floats(0.05, 20), st.integers(1, 8))
def test_no_interval_loses_less_than_the_best_one(interval_h: float, nodes: int) -> None:
    best = Assumptions(spot_interval_hours=best_interval_h(Assumptions(), nodes))
    other = Assumptions(spot_interval_hours=interval_h)
    assert lost_share(best, nodes, 1000 * HOUR_S) <= lost_share(other, nodes, 1000 * HOUR_S) + 1e-12


@pytest.mark.parametrize(
    ("pool", "hours", "checkpoints", "long_training", "allowed"),
    [
        (Pool.INFERENCE, 1, True, True, False),
        (Pool.BURST, 500, False, False, True),
        (Pool.TRAINING, 4, False, False, True),
        (Pool.TRAINING, 4.01, False, False, False),
        (Pool.TRAINING, 24, True, False, True),
        (Pool.TRAINING, 24.01, True, False, False),
        (Pool.TRAINING, 500, False, True, True),
    ],
)
def test_who_may_use_spot(
    pool: Pool, hours: float, checkpoints: bool, long_training: bool, allowed: bool
) -> None:
    assumptions = Assumptions(training_checkpoints=checkpoints, spot_long_training=long_training)
    assert (barrier_of(assumptions, work(longest_job_s=int(hours * HOUR_S)), pool, None) is None) is allowed


def work(**facts: int | None) -> Workload:
    return Workload(
        key="alpha/ada/x", name="x", cluster="alpha", owner="ada", **{"longest_job_s": HOUR_S} | facts
    )  # type: ignore[arg-type]


def taken_for(pool: Pool, subtype: str = "") -> Classification:
    return Classification(
        pool=pool, subtype=subtype, confidence=0.9, reasons=(), runner_up=None, source="rule"
    )


@pytest.mark.parametrize("pool", Pool)
@pytest.mark.parametrize("is_development_allowed", [True, False])
def test_inference_never_uses_spot_wherever_it_stands(pool: Pool, is_development_allowed: bool) -> None:
    generous = Assumptions(
        training_checkpoints=True, spot_long_training=True, spot_for_development=is_development_allowed
    )
    assert barrier_of(generous, work(), pool, taken_for(Pool.INFERENCE)) is Barrier.REQUESTS


@pytest.mark.parametrize("subtype", ["development", "notebook", "interactive", "Notebook"])
@pytest.mark.parametrize("pool", [Pool.BURST, Pool.TRAINING])
def test_what_somebody_works_in_uses_spot_only_when_the_planner_says_so(pool: Pool, subtype: str) -> None:
    found = taken_for(Pool.BURST, subtype)
    assert barrier_of(Assumptions(), work(), pool, found) is Barrier.DEVELOPMENT
    assert barrier_of(Assumptions(spot_for_development=True), work(), pool, found) is None
    assert barrier_of(Assumptions(), work(), pool, taken_for(Pool.BURST, "sweep")) is None


@pytest.mark.parametrize("pool", Pool)
def test_a_plan_without_spot_keeps_everything_off_it(pool: Pool) -> None:
    assert barrier_of(Assumptions(spot=False), work(), pool, None) is Barrier.NOT_WANTED


LONG = {"median_job_s": 24 * HOUR_S + 1, "longest_job_s": 24 * HOUR_S + 1}


@pytest.mark.parametrize(
    ("facts", "is_kept_off"),
    [
        (LONG | {"median_milli_gpus": 8000, "max_milli_gpus": 8000}, True),
        (LONG | {"median_milli_gpus": 7999, "max_milli_gpus": 64_000}, False),
        (LONG | {"median_milli_gpus": None, "max_milli_gpus": 8000}, True),  # from an old project file
        (LONG | {"median_milli_gpus": 8000, "median_job_s": 24 * HOUR_S}, False),
    ],
)
def test_long_jobs_on_8_gpus_use_spot_only_with_checkpoints(facts: dict[str, int], is_kept_off: bool) -> None:
    expected = Barrier.NO_CHECKPOINTS if is_kept_off else None
    assert barrier_of(Assumptions(), work(**facts), Pool.BURST, None) is expected
    assert barrier_of(Assumptions(spot_long_training=True), work(**facts), Pool.TRAINING, None) is expected
    assert barrier_of(Assumptions(training_checkpoints=True), work(**facts), Pool.BURST, None) is None


def test_each_workload_is_asked_for_its_own_class() -> None:
    classes = (taken_for(Pool.BURST, "sweep"), taken_for(Pool.INFERENCE), taken_for(Pool.BURST, "notebook"))
    facts = spot_facts(Assumptions(), (work(), work(), work()), classes)
    assert facts.allowed[Pool.BURST].tolist() == [True, False, False]
    assert spot_facts(Assumptions(), (work(), work())).allowed[Pool.BURST].tolist() == [True, True]


def test_a_checkpoint_of_a_known_model_takes_what_its_size_takes() -> None:
    """70B at 10 GB/s: 98 s, d / tau + (tau / 2 + R) / M = 98 / 14,400 + 2.25 / 24; nobody else's, and not where the
    planner sets minutes or a size of her own."""
    run = replace(work(), name="llama-70b-pretrain", sample_name="", longest_job_s=20 * HOUR_S)
    lora, other = replace(run, name="llama-70b-lora"), replace(run, name="pretrain")
    training, burst = taken_for(Pool.TRAINING), taken_for(Pool.BURST)
    usual, known = 300 / 14_400 + 2.25 / 24, 98 / 14_400 + 2.25 / 24
    facts = spot_facts(Assumptions(), (run, run, lora, other), (training, burst, training, training))
    assert facts.lost.tolist() == pytest.approx([known, usual, usual, usual])
    six = Assumptions(spot_checkpoint_minutes=6)
    assert spot_facts(six, (run,), (training,)).lost.tolist() == pytest.approx([360 / 14_400 + 2.25 / 24])
    needs = {other.key: NeedsSet(parameters_billion=7)}
    found = spot_facts(Assumptions(), (other,), (training,), needs=needs).lost.tolist()
    assert found == pytest.approx([9.8 / 14_400 + 2.25 / 24])
