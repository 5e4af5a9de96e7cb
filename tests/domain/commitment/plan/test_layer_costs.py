"""Layers of one row: busiest hours, terms held, runs in the parts of a month, and whole dollars, by hand."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.commitment.demand.slicing import Slicing
from gpuplanner.domain.commitment.plan import layers
from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.plan.layers import (
    bands_of,
    busiest_first,
    committed_layer,
    held_terms,
    idle_dollars,
    is_in_first_month,
    layer_dollars,
    layer_key,
    layer_of,
    of_offer,
    order_dollars,
    rounding_usd_per_month,
    runs_of,
    term_dollars,
    with_runs,
)
from gpuplanner.domain.commitment.plan.runs import MeanGpus
from gpuplanner.domain.commitment.recursion.slice_policy import NOBODY
from gpuplanner.domain.commitment.result import Flex, Layer, MonthPart, Order, PoolPlan
from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.plan.scenario import HandLayer, Scenario
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.window import HOUR_S, HOURS_PER_MONTH, MONTH_S
from tests.domain.commitment.conftest import START_S, Load, audit, case, contract, offer

COMMITTED, STANDARD, DYNAMIC = (PricingCategory.COMMITTED, PricingCategory.STANDARD, PricingCategory.DYNAMIC)


def layer(gpus: float, term: int | None = 12, rate: float | None = 2.0, **values: Any) -> Layer:
    """A new commitment of one offer."""
    return replace(
        Layer(
            existing=False,
            pricing_category=COMMITTED,
            term_months=term,
            offer_id="y1",
            gpus=gpus,
            busy_gpus=gpus,
            rate=rate,
        ),
        **values,
    )


def pool_plan(layers: tuple[Layer, ...], usd: float | None = None, **values: Any) -> PoolPlan:
    """A row that is known by its layers and its $ a month."""
    empty: Any = None
    plan = PoolPlan(
        pool=Pool.TRAINING,
        gpu_model="H100",
        demand=empty,
        slicing=Slicing(1, 4),
        layers=layers,
        runs=(),
        break_even=(),
        cost_per_month=usd,
        flex=empty,
        supply=SimpleNamespace(ratios={}),
        note="",  # type: ignore[arg-type]
    )
    return replace(plan, **values)


# --- The busiest hours, and the terms that are held


def demand(parts: list[tuple[float, list[float]]], hours: list[float]) -> Any:
    """What a row's demand has of a month in parts."""
    month_parts = tuple(MonthPart(share, np.array(gpus) + 100, np.array(gpus)) for share, gpus in parts)
    return SimpleNamespace(month_parts=month_parts, residual_gpus=np.array(hours))


def test_the_busiest_hours_come_first() -> None:
    whole = demand([(1.0, [1.0, 3.0, 2.0])], [1.0, 3.0, 2.0])
    assert busiest_first(pool_plan((), demand=whole)).tolist() == [3.0, 2.0, 1.0]
    apart = demand([(1.0, [5.0, 6.0])], [5.0, 6.0])
    assert busiest_first(pool_plan((), demand=whole, apart=apart)).tolist() == [6.0, 5.0]


def test_hours_of_a_month_in_parts_count_by_its_shares() -> None:
    """Three quarters of the month at 1 and 3, a quarter at 8 and 9: the middles of four eighths each.

    In order 1 (to 3/8), 3 (to 6/8), 8 (to 7/8), 9: the middles of four hours are 1/8, 3/8, 5/8 and 7/8.
    """
    parts = demand([(0.75, [3.0, 1.0]), (0.25, [9.0, 8.0])], [0.0] * 4)
    assert busiest_first(pool_plan((), demand=parts)).tolist() == [8.0, 3.0, 1.0, 1.0]


def test_terms_that_are_held_are_those_of_the_log_alone() -> None:
    layers = (
        Layer(
            existing=True,
            pricing_category=COMMITTED,
            term_months=None,
            offer_id=None,
            gpus=4,
            busy_gpus=4,
            rate=1.0,
        ),
        layer(3, 36),
        layer(5, 12),
        layer(2, 12, paid_hours=HOURS_PER_MONTH / 2, offer_id="y2"),
        layer(1, 6),
        layer(7, 0),
    )
    assert held_terms(pool_plan(layers)) == {36: (3, 3.0), 12: (7, 6.0), 6: (1, 1.0)}
    apart = SimpleNamespace(layers=(layer(1, 12), layer(1, 6)))
    assert held_terms(pool_plan(layers, apart=apart)) == {
        36: (3, 3.0),
        12: (6, 5.0),
    }  # 6 months for runs alone


# --- One layer: a commitment, use, and what rounding to whole GPUs adds


def test_a_commitment_that_nobody_offers_has_no_price() -> None:
    for sold in (None, offer("ask", 12, None)):
        found = committed_layer(12, 4.0, sold, {}, 3.0, 365.0)
        assert (found.offer_id, found.rate, found.gpus, found.busy_gpus) == (None, None, 4.0, 3.0)
        assert (found.term_months, found.paid_hours, found.is_new) == (12, 365.0, True)


def test_a_commitment_of_a_mapped_model_is_paid_in_whole_gpus() -> None:
    """An H200 at $6.40 does the work of 1.6 H100, which cost $4 each; 4 H100 take 2.5, so 3 H200: $19.20 for 4."""
    sold = offer("big", 12, 4.0, gpu_model="H200")
    found = committed_layer(12, 4.0, sold, {"big": 1.6}, 2.0)
    assert (found.offer_gpus, found.offer_gpu_model) == (3.0, "H200")
    assert (found.rate, found.offer_rate) == (pytest.approx(4.8), pytest.approx(6.4))
    # half a GPU of 6.4 x 730 h
    figured = replace(found, offer_id="big")
    assert rounding_usd_per_month([figured], {"big": 1.6}) == pytest.approx(0.5 * 6.4 * 730)
    assert rounding_usd_per_month([figured], {}) == 0.0
    for missing in ({"offer_gpus": None}, {"offer_rate": None}, {"term_months": 0}):
        assert rounding_usd_per_month([replace(figured, **missing)], {"big": 1.6}) == 0.0


def test_a_commitment_in_units_pays_for_all_of_them() -> None:
    """Four of a node of 8: 8 are paid. $730 upfront over 12 x 730 h are 1/12 of a dollar an hour."""
    sold = offer("node", 12, 2.0, unit_gpus=8, upfront_usd=730)
    found = committed_layer(12, 4.0, sold, {}, 4.0)
    assert (found.offer_gpus, found.rate) == (8.0, pytest.approx((2 + 1 / 12) * 2))
    assert found.offer_rate == pytest.approx(2 + 1 / 12)
    said = committed_layer(12, 4.0, sold, {}, 4.0, paid=6.0, rate=3.0)
    assert (said.offer_gpus, said.rate, said.offer_rate) == (6.0, 3.0, 2.0)


def test_use_of_a_mapped_model_is_told_in_its_own_gpus() -> None:
    by_use = Layer(
        existing=False,
        pricing_category=STANDARD,
        term_months=0,
        offer_id="od",
        gpus=8.0,
        busy_gpus=4.0,
        rate=3.0,
    )
    assert of_offer(replace(by_use, offer_id=None), "H200", {"od": 1.6}).offer_gpus is None
    own = of_offer(by_use, "H100", {})
    assert (own.offer_gpu_model, own.offer_gpus, own.offer_rate) == ("H100", 8.0, 3.0)
    mapped = of_offer(by_use, "H200", {"od": 1.6})
    assert (mapped.offer_gpus, mapped.offer_rate) == (5.0, pytest.approx(4.8))
    assert of_offer(replace(by_use, rate=None), "H200", {"od": 1.6}).offer_rate is None


@pytest.mark.parametrize(("rate", "is_told"), [(0.5 / 730, True), (0.499 / 730, False)])
def test_what_whole_gpus_add_is_told_from_half_a_dollar_on(rate: float, is_told: bool) -> None:
    """One of two H200 that are bought is for 1.6 H100, the other for rounding."""
    item = layer(1.6, offer_id="big", offer_gpus=2.0, offer_rate=rate)
    row: Any = SimpleNamespace(ratios={"big": 1.6})
    assert bool(layers.describe_rounding(row, [item])) is is_told
    assert rounding_usd_per_month([item, item], row.ratios) == pytest.approx(2 * 730 * rate)
    less = replace(item, offer_gpus=1.0)
    assert layers.describe_rounding(row, [less]) == "" and rounding_usd_per_month([less], row.ratios) == 0.0


# --- Runs in the parts of a month


def test_a_run_cuts_the_parts_of_its_month() -> None:
    """Month 1 in a quarter and three quarters; from its middle on a run wants 4 GPUs, of which contracts serve 1."""
    half = MONTH_S + MONTH_S // 2

    def gpus_between(from_s: int, to_s: int) -> MeanGpus:
        return MeanGpus(4.0, 1.0) if from_s >= half else MeanGpus(0.0, 0.0)

    edges_s = np.array([0, MONTH_S, half, 2 * MONTH_S, 3 * MONTH_S])
    run: Any = SimpleNamespace(
        row=SimpleNamespace(busy=SimpleNamespace(parts=SimpleNamespace(edges_s=edges_s))),
        gpus_between=gpus_between,
    )
    parts = [
        MonthPart(0.25, np.array([10.0, 20.0]), np.array([5.0, 6.0])),
        MonthPart(0.75, np.array([2.0, 1.0]), np.array([1.0, 0.0])),
    ]
    assert with_runs(parts, [], MONTH_S) == tuple(parts)
    found = with_runs(parts, [run], MONTH_S)
    assert [part.share for part in found] == [0.25, 0.25, 0.5]
    assert [part.demand_gpus.tolist() for part in found] == [[10.0, 20.0], [2.0, 1.0], [6.0, 5.0]]
    assert [part.residual_gpus.tolist() for part in found] == [[5.0, 6.0], [1.0, 0.0], [4.0, 3.0]]
    twice = with_runs(parts, [run, run], MONTH_S)
    assert (twice[2].demand_gpus.tolist(), twice[2].residual_gpus.tolist()) == ([10.0, 9.0], [7.0, 6.0])


# --- Neighbouring slices


def test_neighbouring_slices_with_one_choice_are_one() -> None:
    row: Any = SimpleNamespace(
        slices=5,
        offers=(offer("y1", 12, 2.0), offer("y3", 36, 1.0)),
        flex=Flex(rate=6.0, category=STANDARD, offer_id="od", spot_share=0.0),
    )
    signed = SimpleNamespace(now=np.array([1, 1, 0, -1, NOBODY]))
    planned: Any = SimpleNamespace(row=row, signed=signed, term_now=np.array([36, 36, 12, 0, 24]))
    found = [
        (run.first_slice, run.last_slice, run.term_months, run.rate_usd_per_gpu_hour)
        for run in runs_of(planned)
    ]
    assert found == [(1, 2, 36, 1.0), (3, 3, 12, 2.0), (4, 4, 0, 6.0), (5, 5, 24, None)]
    # one offer, but a slice whose term differs is told apart
    signed = SimpleNamespace(now=np.zeros(5, dtype=np.int64))
    planned = SimpleNamespace(row=row, signed=signed, term_now=np.array([12, 12, 12, 1, 1]))
    assert [(run.first_slice, run.last_slice) for run in runs_of(planned)] == [(1, 3), (4, 5)]
    assert runs_of(SimpleNamespace(row=SimpleNamespace(slices=0), signed=signed, term_now=None)) == ()  # type: ignore[arg-type]


def test_bands_are_told_by_orders_and_by_what_is_denied() -> None:
    """Of the second month half an hour of the top slice is denied, at its end; the lowest holds what nobody sells."""
    edges_s = np.array([0, MONTH_S, 2 * MONTH_S])
    orders = [
        SimpleNamespace(start_s=0, end_s=MONTH_S, slices=np.array([0]), place=NOBODY),
        SimpleNamespace(start_s=0, end_s=MONTH_S, slices=np.array([1, 2]), place=0),
        SimpleNamespace(start_s=2 * MONTH_S, end_s=3 * MONTH_S, slices=np.array([2]), place=0),
    ]
    held = np.array([[False, False, False, True], [False] * 4])  # by an order that was placed
    row = SimpleNamespace(slices=4, use=None, held=held)
    denied = np.zeros((2, 4))
    denied[1, 3] = 0.5
    planned: Any = SimpleNamespace(
        row=row, listed=SimpleNamespace(edges_s=edges_s, orders=orders), denied_h=denied
    )
    bands = bands_of(planned)
    assert [(band.first_slice, band.last_slice) for band in bands] == [(1, 1), (2, 3), (4, 4)]
    assert [band.unsold for band in bands] == [((0, MONTH_S),), (), ()]
    assert [band.denied for band in bands] == [(), (), ((2 * MONTH_S - HOUR_S // 2, 2 * MONTH_S),)]
    assert [band.placed for band in bands] == [(), (), ((0, MONTH_S),)]
    assert {band.use_rates for band in bands} == {()}
    row.use = SimpleNamespace(rate=np.array([[4.0, 4.0, 5.0, np.nan]] * 2))
    planned.denied_h = None
    assert [band.use_rates for band in bands_of(planned)] == [
        (4.0, 4.0),
        (4.0, 4.0),
        (5.0, 5.0),
        (None, None),
    ]
    row.slices = 0
    assert bands_of(planned) == ()


# --- Whole dollars


def dollars_world() -> Any:
    """$10.40 of training in two layers, $10.40 of inference, $10.20 idle: $31 in all."""
    first = pool_plan((layer(1, 36, cost_per_month=5.2), layer(1, 12, cost_per_month=5.2)), 10.4)
    other = pool_plan(
        (
            layer(1, 12, cost_per_month=4.4),
            layer(1, 12, cost_per_month=3.6, offer_id="y2"),
            layer(1, 0, cost_per_month=2.4, pricing_category=STANDARD, offer_id="od"),
        ),
        10.4,
        pool=Pool.INFERENCE,
    )
    idle = (SimpleNamespace(cost_per_month=10.2),)
    month = SimpleNamespace(start_s=START_S)
    return SimpleNamespace(pools=(first, other), idle_existing=idle, comparison=(month,))


def test_whole_dollars_of_layers_add_up_to_those_of_the_plan() -> None:
    """31 less 10 + 10 + 10 leaves one, for the first of the largest remainders; 11 over 5.2 and 5.2: the first is 6."""
    advice = dollars_world()
    assert idle_dollars(advice) == [10]
    # 4.4, 3.6 and 2.4 of 10: 4, 3 and 2, and the one left to 3.6
    assert list(layer_dollars(advice).values()) == [6, 5, 4, 4, 2]
    first, other = advice.pools
    assert term_dollars(advice, first) == {(False, COMMITTED, 36): 6, (False, COMMITTED, 12): 5}
    assert term_dollars(advice, other) == {(False, COMMITTED, 12): 8, (False, STANDARD, 0): 2}
    assert layer_key(first, first.layers[0]) == (Pool.TRAINING, "H100", False, COMMITTED, 36, "y1")


def test_whole_dollars_of_what_is_unknown_are_unknown() -> None:
    advice = dollars_world()
    first, other = advice.pools
    unknown = replace(
        other, layers=(replace(other.layers[0], cost_per_month=None), *other.layers[1:]), cost_per_month=None
    )
    advice.pools = (first, unknown)
    assert list(layer_dollars(advice).values()) == [6, 5, None, 4, 2]  # 3.6 + 2.4 is 6 by itself
    assert term_dollars(advice, unknown) == {(False, COMMITTED, 12): None, (False, STANDARD, 0): 2}


def order(start_s: int = START_S, **values: Any) -> Order:
    """The first layer of the training row, as an order."""
    base = Order(
        pool=Pool.TRAINING,
        gpu_model="H100",
        offer_id="y1",
        term_months=12,
        gpus=1.0,
        start_s=start_s,
        end_s=start_s + 12 * MONTH_S,
        order_by_s=start_s,
        reason="now",
        cost_per_month=5.2,
    )
    return replace(base, **values)


def test_an_order_of_the_first_month_has_the_dollars_of_its_layer() -> None:
    advice = dollars_world()
    first, other = advice.pools
    assert layer_of(order(), advice) == (first, first.layers[1])
    assert order_dollars(order(), advice) == 5
    assert order_dollars(order(term_months=36), advice) == 6
    assert order_dollars(order(cost_per_month=None), advice) is None
    assert order_dollars(order(cost_per_month=2.6), advice) == 3  # a part of its layer: by itself
    assert layer_of(order(pool=Pool.INFERENCE), advice) == (other, other.layers[0])
    for gone in ({"pool": Pool.BURST}, {"gpu_model": "A100"}, {"offer_id": "y9"}, {"term_months": 6}):
        assert layer_of(order(**gone), advice) is None
        assert order_dollars(order(**gone), advice) == 5
    held = replace(first, layers=tuple(replace(item, existing=True) for item in first.layers))
    advice.pools = (held, other)
    assert layer_of(order(), advice) is None


@pytest.mark.parametrize(("start_s", "is_first"), [(START_S + MONTH_S - 1, True), (START_S + MONTH_S, False)])
def test_layers_are_of_the_first_month(start_s: int, is_first: bool) -> None:
    advice = dollars_world()
    assert is_in_first_month(order(start_s), advice) is is_first
    assert (layer_of(order(start_s), advice) is not None) is is_first
    assert is_in_first_month(order(start_s), SimpleNamespace(comparison=())) is True  # type: ignore[arg-type]


# --- A row with all of it


def planned_row(**values: Any) -> PoolPlan:
    """8 H100 of which a contract has 2, 3 a year, and a run of 4 GPUs for 73 h."""
    work = PlannedWork(
        name="load-001",
        pool=Pool.TRAINING,
        gpu_model="H100",
        gpus=4.0,
        cluster="c1",
        team="team",
        length_hours=73,
    )
    key = (Pool.TRAINING, "H100")
    scenario = Scenario(name="Plan A", hand_layers={key: (HandLayer(12, 3),)}, planned=(work,))
    made = case(
        [Load(pool=Pool.TRAINING, gpus=[8.0] * 730), Load(pool=Pool.TRAINING, gpus=[4.0] * 730)],
        [contract("k", 2, 1.5, 40, 730)],
        [offer("od", 0, 6.0), offer("y1", 12, 2.0)],
        scenario,
        sigma=0.0,
        **values,
    )
    return advise(made.project, scenario, made.pools, audit()).pools[0]


def test_layers_of_a_row_are_what_exists_then_terms_then_use() -> None:
    """The run takes a tenth of the month: 0.4 GPUs on average, beside 8 - 2 - 3 of the log by use."""
    row = planned_row()
    rows = [(item.existing, item.term_months, item.gpus, item.rate) for item in row.layers]
    assert rows == [(True, None, 2.0, 1.5), (False, 12, 3.0, 2.0), (False, 0, 7.0, 6.0)]
    assert [item.busy_gpus for item in row.layers] == pytest.approx([2.0, 3.0, 3.4])
    assert row.cost_per_month == pytest.approx(730 * (2 * 1.5 + 3 * 2 + 3.4 * 6))
    assert (row.demand.mean_gpus, row.demand.peak_gpus, row.demand.p95_gpus) == pytest.approx(
        (8.4, 12.0, 12.0)
    )
    assert row.demand.gpu_hours == pytest.approx(8.4 * 730)
    assert float(row.demand.residual_gpus.mean()) == pytest.approx(6.4)
    assert row.apart is not None and row.apart.gpus == pytest.approx(0.4)
    assert row.apart.lost_gpus == pytest.approx(0.0)
    assert [part.share for part in row.demand.month_parts] == [0.1, 0.9]
    assert row.by_hand.is_set and row.by_hand.held_terms == ()


def test_offers_that_can_begin_this_month_are_open_now() -> None:
    """The second needs 40 days: it can begin in month 1 alone."""
    made = case(
        [Load(pool=Pool.TRAINING, gpus=[8.0] * 730)],
        (),
        [offer("od", 0, 6.0), offer("y1", 12, 2.0), offer("late", 12, 2.5, lead_time_hours=960.0)],
        sigma=0.0,
    )
    (row,) = advise(made.project, made.project.scenarios[0], made.pools, audit()).pools
    assert row.supply.open_now == {"y1"} and len(row.supply.offers) == 2
