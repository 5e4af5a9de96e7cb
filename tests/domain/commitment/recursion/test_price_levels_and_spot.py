"""Price levels, spot, what use costs and break-evens of one pool and model, by hand."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.commitment.recursion.rates import (
    Barrier,
    Prices,
    SpotFacts,
    UsagePrice,
    at_first_day,
    barrier_of,
    best_interval_h,
    blend,
    break_evens,
    class_at,
    committed_offers,
    dated_use,
    is_large_and_long,
    lost_figure,
    lost_share,
    lost_shares,
    named_paths,
    over,
    restart_delays_of,
    shares_of,
    spot_facts,
    spot_inputs,
    times,
    usage_price,
    usd_by_model,
    with_checkpoint_of,
    with_nodes_of,
)
from gpuplanner.domain.commitment.result import Flex
from gpuplanner.domain.demand.classification import Classification
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.cube import Workload
from gpuplanner.domain.model.hardware_needs import NeedsSet
from gpuplanner.domain.model.plan.changes import PriceChange
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.window import MONTH_S
from tests.domain.commitment.conftest import START_S, offer

SPOT, STANDARD = PricingCategory.DYNAMIC, PricingCategory.STANDARD
PLAIN = Assumptions()


# --- Price levels


def test_the_four_paths_of_prices() -> None:
    paths = named_paths(14)
    assert paths["flat"] == (1.0,) * 14
    assert [paths["cut"][at] for at in (0, 11, 12, 13)] == [1.0, 1.0, 0.64, 0.64]
    assert [paths["rise"][at] for at in (0, 1, 12, 13)] == pytest.approx([1.0, 1.029, 1.029**12, 1.029**12])
    assert [paths["fall"][at] for at in (0, 1, 13)] == pytest.approx([1.0, 0.988, 0.988**13])


def test_a_path_with_dated_changes_is_their_product() -> None:
    path = (1.0, 0.5)
    assert times(path, (1.0,), 3) is path
    assert times(path, (1.0, 2.0, 3.0), 3) == (1.0, 1.0, 1.5)
    assert over((2.0, 3.0, 4.0), 2).tolist() == [2.0, 3.0]


def change(factor: float, months: float, model: str = "H100", **values: Any) -> PriceChange:
    return PriceChange(model, factor, START_S + round(months * MONTH_S), **values)


def test_dated_changes_are_of_one_model_and_count_from_their_moment_on() -> None:
    """H100 at half of it from the middle of month 1 on: that month costs three quarters by use."""
    prices = Prices((1.0, 0.9), (change(0.5, 1.5), change(3.0, 0.5, "A100")), START_S)
    assert prices.dated_use("H100", 4).tolist() == [1.0, 0.75, 0.5, 0.5]
    assert prices.dated_use("A100", 2).tolist() == [2.0, 3.0]
    assert prices.dated_use("B200", 2).tolist() == [1.0, 1.0]
    assert prices.when_signed("H100", 3).tolist() == [1.0, 0.9, 0.45]  # the month's first moment
    assert prices.when_signed("B200", 3).tolist() == [1.0, 0.9, 0.9]
    moments = [START_S + round(at * MONTH_S) for at in (1.0, 1.5, 2.0)]
    assert [prices.dated_at("H100", at_s) for at_s in moments] == [1.0, 0.5, 0.5]
    edges = Prices(changes=(change(0.5, 1.0), change(0.5, 2.0)), begins_s=START_S)
    assert edges.dated_use("H100", 3).tolist() == [1.0, 0.5, 0.25]


def test_a_gradual_change_counts_month_by_month() -> None:
    """Half by month 4: an eighth less in each month."""
    prices = Prices(changes=(change(0.5, 4.0, by=True),), begins_s=START_S)
    assert prices.dated_use("H100", 6).tolist() == [1.0, 0.875, 0.75, 0.625, 0.5, 0.5]
    assert prices.when_signed("H100", 6).tolist() == [1.0, 0.875, 0.75, 0.625, 0.5, 0.5]
    assert prices.dated_at("H100", START_S + 2 * MONTH_S) == 0.75


def test_a_quote_is_firm() -> None:
    prices = Prices((1.0, 0.5))
    quote = offer("q", 12, 2.0, source="Quote RFQ-20260925-AAAA R1 for 2026-10-01")
    assert prices.of_offer(quote, 2).tolist() == [1.0, 1.0]
    assert prices.of_offer(offer("y", 12, 2.0), 2).tolist() == [1.0, 0.5]
    assert prices.on((0.7,)) == Prices((0.7,))


def test_offers_begin_at_the_prices_of_the_first_day() -> None:
    """Two changes are past, one on the very day; a third is to come."""
    quote = offer("q", 12, 2.0, source="Quote RFQ-20260925-AAAA R1 for 2026-10-01")
    own = offer("own", 0, None, pricing_category=PricingCategory.OWNED, capex_usd_per_gpu=Decimal(100))
    offers = (offer("y", 12, 2.0), offer("a", 12, 3.0, gpu_model="A100"), offer("ask", 12, None), quote, own)
    changes = [change(0.5, -1), change(0.5, 0), change(9.0, 1)]
    moved = at_first_day(offers, changes, START_S)
    assert [item.rate for item in moved] == [0.5, 3.0, None, 2.0, own.rate]
    assert moved[1] is offers[1] and moved[2] is offers[2] and moved[3] is quote
    assert at_first_day(offers, changes[2:], START_S) is offers
    rated = replace(own, rate_usd_per_gpu_hour=Decimal(4))
    (cheaper,) = at_first_day((rated,), changes[:1], START_S)
    assert (cheaper.capex, cheaper.rate_usd_per_gpu_hour) == (50.0, Decimal(2))


# --- Spot


def test_what_is_lost_on_spot() -> None:
    """A node is taken each 100 h, two nodes each 50 h. Checkpoints of 6 min every 2 h, 30 min to restart.

    With checkpoints 0.05 + 1.5 / 50 = 0.08; a job of 1 h writes none: (0.5 + 0.5) / 50 = 0.02.
    """
    assumed = replace(
        PLAIN,
        spot_node_mtbf_hours=100.0,
        spot_checkpoint_minutes=6.0,
        spot_interval_hours=2.0,
        spot_restart_minutes=30.0,
    )
    inputs = spot_inputs(assumed, 2, 7200.0)
    assert inputs == {
        "node_hours": 100.0,
        "nodes": 2,
        "checkpoint_hours": 0.1,
        "interval_hours": 2.0,
        "restart_hours": 0.5,
        "longest_hours": 2.0,
    }
    assert lost_figure(inputs) == "lost_with_checkpoints"
    assert lost_figure(inputs | {"longest_hours": 1.99}) == "lost_without_checkpoints"
    assert lost_share(assumed, 2, 7200.0) == pytest.approx(0.08)
    assert lost_share(assumed, 2, 3600.0) == pytest.approx(0.02)
    works = [
        work(max_nodes=2, longest_job_s=7200),
        work(max_nodes=2, longest_job_s=3600),
        work(longest_job_s=3600),
    ]
    assert lost_shares(assumed, works).tolist() == pytest.approx([0.08, 0.02, 0.01])
    # a checkpoint of 12 min adds another 0.05
    assert lost_shares(assumed, works, [12.0, 12.0, 6.0]).tolist() == pytest.approx([0.13, 0.02, 0.01])
    # sqrt(2 x 0.1 x 100 / 5)
    assert best_interval_h(assumed, 5) == pytest.approx(2.0)


def work(**values: Any) -> Workload:
    return replace(
        Workload(
            key="c/t/w",
            name="w",
            cluster="c",
            owner="t",
            jobs=1,
            gpu_jobs=1,
            milli_gpu_seconds=1,
            max_nodes=None,
            longest_job_s=3600,
        ),
        **values,
    )


def kind(pool: Pool, subtype: str = "") -> Classification:
    return Classification(
        pool=pool, subtype=subtype, confidence=0.9, reasons=(), runner_up=None, source="rule"
    )


def test_a_checkpoint_takes_as_long_as_the_model_is_large() -> None:
    """14 bytes a parameter at 10 GB/s: 987.7 GB of 70.55 billion take 98.8 s, as the doctest has it."""
    trained = kind(Pool.TRAINING)
    of_name = work(name="llama-70b", sample_name=None)
    minutes = with_checkpoint_of(PLAIN, of_name, trained).spot_checkpoint_minutes
    assert minutes == pytest.approx(98.8 / 60 * 70 / 70.55, rel=1e-3)
    needs = {of_name.key: NeedsSet(parameters_billion=141.1)}
    assert with_checkpoint_of(PLAIN, of_name, trained, needs).spot_checkpoint_minutes == pytest.approx(
        2 * 98.8 / 60, rel=1e-3
    )
    unsized = {of_name.key: NeedsSet()}
    assert with_checkpoint_of(PLAIN, of_name, trained, unsized).spot_checkpoint_minutes == minutes
    for kept in (
        (PLAIN, of_name, None),
        (PLAIN, of_name, kind(Pool.BURST)),
        (PLAIN, work(name="LoRA-70b"), trained),
        (PLAIN, work(name="plain"), trained),
        (replace(PLAIN, spot_checkpoint_minutes=1.0), of_name, trained),
    ):
        assert with_checkpoint_of(*kept) is kept[0]
    sampled = work(name="plain", sample_name="llama-70b")
    assert with_checkpoint_of(PLAIN, sampled, trained).spot_checkpoint_minutes == minutes


LARGE = {"median_milli_gpus": 8000, "median_job_s": 24 * 3600 + 1}


@pytest.mark.parametrize(
    ("values", "is_large"),
    [
        (LARGE, True),
        (LARGE | {"median_milli_gpus": 7999}, False),
        (LARGE | {"median_job_s": 24 * 3600}, False),
        (LARGE | {"median_milli_gpus": None, "max_milli_gpus": 8000}, True),
        (LARGE | {"median_milli_gpus": None, "max_milli_gpus": 7999}, False),
        (LARGE | {"median_milli_gpus": 0, "max_milli_gpus": 8000}, False),
    ],
)
def test_what_is_large_and_long(values: dict[str, Any], is_large: bool) -> None:
    assert is_large_and_long(work(**values)) is is_large


@pytest.mark.parametrize(
    ("assumed", "values", "pool", "found", "barrier"),
    [
        ({"spot": False}, {}, Pool.BURST, None, Barrier.NOT_WANTED),
        ({}, {}, Pool.INFERENCE, None, Barrier.REQUESTS),
        ({}, {}, Pool.BURST, kind(Pool.INFERENCE), Barrier.REQUESTS),
        ({"spot_for_development": False}, {}, Pool.BURST, kind(Pool.BURST, "Notebook"), Barrier.DEVELOPMENT),
        ({"spot_for_development": True}, {}, Pool.BURST, kind(Pool.BURST, "Notebook"), None),
        ({"spot_for_development": False}, {}, Pool.BURST, kind(Pool.BURST, "sweep"), None),
        ({"training_checkpoints": False}, LARGE, Pool.BURST, None, Barrier.NO_CHECKPOINTS),
        ({"training_checkpoints": True}, LARGE, Pool.BURST, None, None),
        ({"training_checkpoints": True}, {"longest_job_s": 24 * 3600}, Pool.TRAINING, None, None),
        (
            {"training_checkpoints": True},
            {"longest_job_s": 24 * 3600 + 1},
            Pool.TRAINING,
            None,
            Barrier.TOO_LONG,
        ),
        ({"training_checkpoints": False}, {"longest_job_s": 4 * 3600}, Pool.TRAINING, None, None),
        (
            {"training_checkpoints": False},
            {"longest_job_s": 4 * 3600 + 1},
            Pool.TRAINING,
            None,
            Barrier.TOO_LONG,
        ),
        ({"spot_long_training": True}, {"longest_job_s": 10**6}, Pool.TRAINING, None, None),
    ],
)
def test_what_keeps_a_workload_off_spot(
    assumed: dict[str, Any], values: dict[str, Any], pool: Pool, found: Any, barrier: Barrier | None
) -> None:
    assert barrier_of(replace(PLAIN, **assumed), work(**values), pool, found) is barrier


def test_facts_of_workloads_are_those_of_their_class_and_of_observed_nodes() -> None:
    works = (work(max_nodes=1), work(key="b", max_nodes=4, longest_job_s=100 * 3600))
    classes = (kind(Pool.INFERENCE), kind(Pool.TRAINING))
    facts = spot_facts(PLAIN, works, classes, {("ada", "h100"): 7.0})
    assert facts.lost.tolist() == lost_shares(PLAIN, works).tolist()
    assert {pool: allowed.tolist() for pool, allowed in facts.allowed.items()} == {
        Pool.TRAINING: [False, False],
        Pool.INFERENCE: [False, False],
        Pool.BURST: [False, True],
    }
    ada = offer("s", 0, 1.0, provider="Ada")
    often = with_nodes_of(PLAIN, ada, {("ada", "h100"): 7.0})
    assert often.spot_node_mtbf_hours == 7.0
    assert facts.lost_with(ada).tolist() == lost_shares(often, works).tolist()
    assert facts.lost_with(offer("s", 0, 1.0)) is facts.lost
    assert with_nodes_of(PLAIN, offer("s", 0, 1.0), {("ada", "h100"): 7.0}) is PLAIN
    assert (class_at(classes, 1), class_at((), 1)) == (classes[1], None)


# --- What may be committed to, and what use costs


def test_commitments_are_priced_and_no_longer_than_is_wanted() -> None:
    offers = [
        offer("y1", 12, 2.0),
        offer("m1", 1, 2.0, min_term_months=1),
        offer("least", 1, 1.0, min_term_months=2),
        offer("od", 0, 1.0),
        offer("zero", 12, 0.0),
        offer("y3", 36, 1.0),
        offer("d", 12, 1.5, term_days=365),
        offer(
            "block",
            0,
            4.0,
            pricing_category=PricingCategory.COMMITTED,
            starts="2026-02-01",
            ends="2026-02-11",
        ),
        offer("none", 0, 4.0, pricing_category=PricingCategory.COMMITTED),
    ]
    assert [item.offer_id for item in committed_offers(offers)] == ["y3", "d", "m1", "y1", "block"]
    # a year of 365 days is as long as 12 months of 730 h
    assert [item.offer_id for item in committed_offers(offers, 12)] == ["d", "m1", "y1", "block"]
    assert [item.offer_id for item in committed_offers(offers, 1)] == ["m1", "block"]


def facts(*lost: float, **lost_on: list[float]) -> SpotFacts:
    """Of workloads that lose so much; all may use spot in bursts. lost_on: on nodes of a provider."""
    every = np.ones(len(lost), dtype=np.bool_)
    of_nodes = {(name, "h100"): np.array(shares) for name, shares in lost_on.items()}
    return SpotFacts(np.array(lost), {Pool.BURST: every, Pool.TRAINING: ~every}, of_nodes)


def test_use_is_on_spot_where_that_is_cheaper_for_the_work_done() -> None:
    """Spot at $2 where a fifth is lost costs $2.50, where half is lost $4, as on demand; what loses all cannot."""
    offers = [offer("od", 0, 4.0), offer("spot", 0, 2.0, pricing_category=SPOT)]
    price = usage_price(offers, Pool.BURST, facts(0.2, 0.5, 1.0, 0.0))
    assert price.rate.tolist() == pytest.approx([2.5, 4.0, 4.0, 2.0])
    assert price.on_spot.tolist() == [True, False, False, True]
    assert price.spot_infeasible.tolist() == [False, False, True, False]
    held = usage_price(offers, Pool.TRAINING, facts(0.2, 1.0))
    assert (held.rate.tolist(), held.on_spot.tolist()) == ([4.0, 4.0], [False, False])
    assert held.spot_infeasible.tolist() == [False, False]
    alone = usage_price(offers[1:], Pool.BURST, facts(0.2, 1.0))
    assert alone.rate[0] == 2.5 and np.isnan(alone.rate[1])
    nobody = usage_price([], Pool.BURST, facts(0.2))
    assert np.isnan(nobody.rate[0]) and (nobody.on_demand, nobody.spots, nobody.spot_of(0)) == (
        None,
        (),
        None,
    )


def test_of_spot_the_lowest_rate_for_the_work_counts_not_the_lowest_rate() -> None:
    """Ada at $1 is taken so often that the first loses three quarters; Bo at $2 loses nothing of it."""
    ada = offer("ada", 0, 1.0, pricing_category=SPOT, provider="Ada")
    bo, dearer = (offer(name, 0, rate, pricing_category=SPOT) for name, rate in (("bo", 2.0), ("bo2", 3.0)))
    price = usage_price([ada, bo, dearer, offer("od", 0, 9.0)], Pool.BURST, facts(0.0, 0.5, ada=[0.75, 0.5]))
    assert [item.offer_id for item in price.spots] == ["ada", "bo"]
    assert price.rate.tolist() == [2.0, 2.0]
    assert [getattr(price.spot_of(at), "offer_id", None) for at in (0, 1)] == ["bo", "ada"]
    assert price.lost.tolist() == [0.0, 0.5]
    paid = {
        getattr(item, "offer_id", None): who.tolist() for item, who in price.paid(np.array([True, False]))
    }
    assert paid == {"ada": [False, False], "bo": [True, False], "od": [False, False]}


def usage(
    *rates: float, on_spot: tuple[bool, ...] = (), od: Any = None, spots: tuple[Any, ...] = ()
) -> UsagePrice:
    spot = np.array(on_spot or [False] * len(rates))
    zeros = np.zeros(len(rates), dtype=np.int64)
    return UsagePrice(
        on_demand=od,
        spots=spots,
        rate=np.array(rates),
        on_spot=spot,
        spot_infeasible=spot & False,
        spot_place=zeros,
        lost=np.zeros(len(rates)),
    )


def test_a_blend_is_weighted_by_gpu_time() -> None:
    """30 hours at $4 on demand and 10 at $2 on spot: $3.50, a quarter of it on spot."""
    od, spot = offer("od", 0, 4.0), offer("spot", 0, 2.0, pricing_category=SPOT, gpu_model="H200")
    price = usage(4.0, 2.0, on_spot=(False, True), od=od, spots=(spot,))
    weight = np.array([30.0, 10.0])
    assert blend([(price, weight)]) == Flex(
        rate=3.5,
        category=PricingCategory.MIXED,
        offer_id=None,
        spot_share=0.25,
        gpu_model=None,
        blended=("od", "spot"),
    )
    assert shares_of([(price, weight)]) == {"spot": 0.25, "od": 0.75}
    assert usd_by_model([(price, weight)]) == {"H200": 20.0, "H100": 120.0}
    only = np.array([30.0, 0.0])
    assert blend([(price, only)]) == Flex(
        rate=4.0, category=STANDARD, offer_id="od", spot_share=0.0, gpu_model="H100"
    )
    assert blend([(price, weight - only)]) == Flex(
        rate=2.0, category=SPOT, offer_id="spot", spot_share=1.0, gpu_model="H200"
    )
    # 40 and 40 hours of two rows: $3.50 and $5 of a dearer one
    other = usage(5.0, 5.0, od=offer("od2", 0, 5.0))
    both = blend([(price, weight), (other, np.array([40.0, 0.0]))])
    assert (both.rate, both.spot_share, both.blended) == (4.25, 0.125, ("od", "od2", "spot"))
    alike = blend([(price, only), (other, only)])
    assert alike == Flex(
        rate=4.5, category=STANDARD, offer_id=None, spot_share=0.0, gpu_model=None, blended=("od", "od2")
    )
    assert usd_by_model([(price, only), (other, only)]) == {"H100": 270.0}


def test_a_blend_without_hours_or_rates_has_none() -> None:
    od = offer("od", 0, 4.0)
    assert blend([(usage(4.0, od=od), np.zeros(1))]) == Flex(
        rate=None, category=STANDARD, offer_id=None, spot_share=0.0
    )
    assert blend([(usage(np.nan), np.ones(1))]) == Flex(
        rate=None, category=STANDARD, offer_id=None, spot_share=0.0
    )
    # one of two has nobody to pay
    spot = offer("spot", 0, 2.0, pricing_category=SPOT)
    partly = usage(2.0, np.nan, on_spot=(True, False), spots=(spot,))
    assert blend([(partly, np.ones(2))]) == Flex(
        rate=None, category=PricingCategory.MIXED, offer_id=None, spot_share=0.5
    )
    assert shares_of([(partly, np.ones(2))]) == {"spot": 0.5}
    # who pays nothing is no part of it
    assert blend([(partly, np.array([1.0, 0.0]))]).rate == 2.0


def test_a_blend_has_the_extras_of_the_work_that_is_paid() -> None:
    """$73 a month of storage is ten cents an hour: of 10 hours on demand and of 10 on spot, paid twice."""
    od = offer("od", 0, 3.9, storage_usd_per_gpu_month=Decimal(73))
    spot = offer("spot", 0, 0.9, pricing_category=SPOT, storage_usd_per_gpu_month=Decimal(73))
    price = usage(4.0, 2.0, on_spot=(False, True), od=od, spots=(spot,))
    mixed = dict(blend([(price, np.array([10.0, 10.0]))]).extras)
    assert mixed == {"storage": pytest.approx(0.1 * (10 + 20) / 20)}
    assert dict(blend([(price, np.array([10.0, 0.0]))]).extras) == {"storage": pytest.approx(0.1)}


def test_dated_changes_move_a_blend_by_the_dollars_of_each_model() -> None:
    """$120 of H100 and $40 of A100, which cost half from the middle of month 1 on."""
    parts = [
        (usage(4.0, od=offer("od", 0, 4.0)), np.array([30.0])),
        (usage(2.0, od=offer("a", 0, 2.0, gpu_model="A100")), np.array([20.0])),
    ]
    prices = Prices(changes=(change(0.5, 1.5, "A100"),), begins_s=START_S)
    levels, at = dated_use(parts, prices, 3, [START_S, START_S + 2 * MONTH_S])
    assert levels == pytest.approx((1.0, 1 - 0.25 * 0.25, 1 - 0.25 * 0.5))
    assert at.tolist() == [1.0, 0.875]
    for nothing in (([], prices), (parts, Prices())):
        levels, at = dated_use(*nothing, 3, [START_S] * 2)
        assert (levels, at.tolist()) == ((1.0,), [1.0, 1.0])


def test_break_evens_are_those_of_the_cheapest_offer_of_each_term() -> None:
    """Two months at 10% churn and no fall leave 0.95 on average; with a fall of 50% too 1 and 0.45."""
    offers = (offer("m2", 2, 2.0), offer("m2b", 2, 3.0), offer("m1", 1, 4.0, upfront_usd=Decimal(730)))
    first, second = break_evens(offers, 5.0, 0.1, 0.0)
    assert (first.term_months, first.offer_id, first.spread_rate, first.kept) == (1, "m1", 5.0, 1.0)
    assert (second.offer_id, second.kept) == ("m2", pytest.approx(0.95))
    assert (first.break_even, second.break_even) == (pytest.approx(1.0), pytest.approx(2 / (5 * 0.95)))
    assert break_evens(offers, 5.0, 0.1, 0.5)[1].kept == pytest.approx(0.725)
    assert second.one_gpu_per_month == pytest.approx(1460.0) and second.by_use_per_month == pytest.approx(
        3650.0
    )
    for rate in (None, 0.0):
        assert [item.break_even for item in break_evens(offers, rate, 0.1, 0.0)] == [None, None]
    assert break_evens((), 5.0, 0.1, 0.0) == ()


def test_delays_of_restarts_are_told_by_their_quantiles() -> None:
    """Of ten the fifth and the ninth. A job of 10 h, a node each 100 h: 0.06 of checkpoints, half of 2 h done again."""
    assumed = replace(
        PLAIN,
        spot_node_mtbf_hours=100.0,
        spot_checkpoint_minutes=7.2,
        spot_interval_hours=2.0,
        spot_restart_minutes=60.0,
    )
    delays = restart_delays_of([3600 * hours for hours in range(1, 11)], assumed)
    assert delays is not None
    assert (delays.count, delays.p50_h, delays.p90_h) == (10, 5.0, 9.0)
    # 0.06 + (1 + 1 h + delay) / 100
    assert (delays.lost, delays.lost_p50, delays.lost_p90) == pytest.approx((0.08, 0.13, 0.17))
    short = restart_delays_of([3600], replace(assumed, spot_interval_hours=0.5))
    # 0.24 + 1.25 / 100, and an hour more
    assert short is not None and (short.lost, short.lost_p50) == pytest.approx((0.2525, 0.2625))
    assert restart_delays_of([], assumed) is None
