"""Mapped GPU models: rates for the work of one GPU, whole GPUs of the offer's own model, nothing without a mapping."""

from dataclasses import replace

import numpy as np
import pytest

from gpuplanner.domain.commitment.advice_backtest import backtest
from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.plan.layers import rounding_usd_per_month
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.commitment.uncertainty.levels import level_ground, plan_at, set_levels
from gpuplanner.domain.commitment.uncertainty.outlook import outlook
from gpuplanner.domain.fit.rules import Need, eligible_offers
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import ModelMapping, at_ratio, paid_gpus, ratio_for, whole_gpus
from gpuplanner.domain.model.plan.scenario import HandLayer, Scenario
from gpuplanner.domain.model.tables import POOLS, Pool
from tests.domain.commitment.conftest import Case, Load, audit, case, contract, offer
from tests.oracle.projects import random_case
from tests.some_of import some_of

HOURS = 700
RANDOM = np.random.default_rng(5)
GPUS = [6.5 + hour % 12 + 5 * float(RANDOM.random() < 0.5) for hour in range(HOURS)]
RATES = {0: 7.0, 3: 4.6, 12: 3.9, 36: 3.1}
MEMORY = {"gpu_memory_gb": 141.0}


def of_model(model: str, factor: float = 1.0, **fields: object) -> list[Offer]:
    return [
        replace(offer(f"{model}-{term:02d}", term, round(rate * factor, 6)), gpu_model=model, **fields)  # type: ignore[arg-type]
        for term, rate in RATES.items()
    ]


def mapped(ratio: float, offers: list[Offer], loads: list[Load] | None = None, **of: object) -> Case:
    made = case(loads or [Load(pool=Pool.INFERENCE, gpus=GPUS)], (), offers, **of)  # type: ignore[arg-type]
    return replace(made, project=replace(made.project, mappings=(ModelMapping("H100", "H200", ratio),)))


def advised(of: Case, scenario: Scenario | None = None) -> Advice:
    plan = scenario or of.project.scenarios[0]
    return advise(of.project, plan, of.pools, audit())


def test_whole_gpus_are_the_fewest_that_do_the_work() -> None:
    for gpus in range(1, 60):
        for ratio in (0.3, 0.5, 1.0, 1.6, 2.0, 7.5):
            whole = whole_gpus(gpus, ratio)
            assert whole == int(whole) and whole * ratio >= gpus - 1e-6
            assert (whole - 1) * ratio < gpus
            assert paid_gpus(gpus, ratio) == whole * ratio
    assert paid_gpus(13.0, None) == 13.0


def test_without_a_mapping_offers_of_another_model_are_not_there() -> None:
    offers, need = [*of_model("H100"), *of_model("H200")], Need(Pool.INFERENCE, "H100")
    mappings = (ModelMapping("H100", "H200", 1.6),)
    own = eligible_offers(offers, need)
    assert own == tuple(of_model("H100"))
    assert all(one is two for one, two in zip(own, offers, strict=False))
    both = eligible_offers(offers, need, mappings)
    assert [one.rate for one in both[4:]] == [pytest.approx(rate / 1.6) for rate in RATES.values()]
    assert both[:4] == own
    assert eligible_offers(offers, Need(Pool.INFERENCE, "H200"), mappings) == tuple(of_model("H200"))


def test_red_for_memory_bites_for_a_mapped_model() -> None:
    small = [replace(one, gpu_memory_gb=48.0) for one in (*of_model("H100"), *of_model("H200"))]
    found = eligible_offers(small, Need(Pool.TRAINING, "H100"), (ModelMapping("H100", "H200", 1.6),))
    assert {one.gpu_model for one in found} == {"H100"}


@pytest.mark.parametrize("ratio", [1.0, 2.0])
def test_offers_at_the_ratios_rate_are_as_good_as_offers_of_the_model_itself(ratio: float) -> None:
    """In blocks that are whole GPUs of both models the two plans are one."""
    own = case([Load(pool=Pool.INFERENCE, gpus=GPUS)], (), of_model("H100"), block=2)
    other = mapped(ratio, of_model("H200", ratio), block=2)
    one, two = advised(own), advised(other)
    assert two.totals.plan == pytest.approx(one.totals.plan or 0.0, rel=1e-12)
    for left, right in zip(one.pools[0].layers, two.pools[0].layers, strict=True):
        assert (left.term_months, left.gpus) == (right.term_months, right.gpus)
        assert right.offer_gpus == left.gpus / ratio
        assert right.offer_gpu_model == "H200"
    assert [month.plan_usd for month in two.comparison] == pytest.approx([m.plan_usd for m in one.comparison])


@pytest.mark.parametrize("ratio", [0.7, 1.3, 1.6, 3.0])
def test_the_laws_of_a_row_hold_in_whole_gpus_of_the_other_model(ratio: float) -> None:
    answer = advised(mapped(ratio, [*of_model("H100"), *of_model("H200", 0.9 * ratio)]))
    (row,) = answer.pools
    assert row.supply.ratios
    assert sum(one.gpus * (one.utilization or 0.0) for one in row.layers) == pytest.approx(
        row.demand.mean_gpus
    )
    for layer in row.layers:
        assert layer.offer_gpu_model == "H200" and layer.offer_gpus is not None
        rate, own_rate = layer.rate or 0.0, layer.offer_rate or 0.0
        if layer.term_months:
            assert layer.offer_gpus == whole_gpus(layer.gpus, ratio)
            assert layer.cost_per_month == pytest.approx(730 * layer.gpus * rate)
            assert layer.cost_per_month == pytest.approx(730 * layer.offer_gpus * own_rate)
            listed = next(one for one in of_model("H200", 0.9 * ratio) if one.offer_id == layer.offer_id)
            assert own_rate == pytest.approx(listed.rate)
        else:
            assert own_rate == pytest.approx(rate * ratio)
    assert answer.comparison[0].plan_usd == pytest.approx(answer.totals.plan)
    now = {order.term_months: order for order in answer.orders if order.reason == "now"}
    for layer in row.layers:
        if layer.term_months:
            assert (now[layer.term_months].offer_gpus, now[layer.term_months].offer_gpu_model) == (
                layer.offer_gpus,
                "H200",
            )


def test_a_maximum_counts_gpus_of_the_offers_own_model_over_all_rows() -> None:
    limited = [replace(one, max_gpus=5) for one in of_model("H200", 0.5)]
    loads = [
        Load(pool=Pool.INFERENCE, gpus=[8.0] * HOURS),
        Load(pool=Pool.BURST, gpus=[9.0] * HOURS, model="H200", cluster="c2"),
    ]
    answer = advised(mapped(1.6, limited, loads, block=1))
    taken: dict[str, float] = {}
    for layer in (layer for row in answer.pools for layer in row.layers):
        if layer.term_months and layer.offer_id:
            taken[layer.offer_id] = taken.get(layer.offer_id, 0.0) + (layer.offer_gpus or 0.0)
    assert taken and max(taken.values()) == 5
    assert any("all its 5 GPUs" in str(one.message) for one in answer.checks)


def test_a_level_tried_out_is_what_the_engine_answers() -> None:
    offers = [*of_model("H100"), *of_model("H200", 1.2)]
    offers[6] = replace(offers[6], max_gpus=3)
    of = mapped(1.6, offers)
    advice = advised(of)
    levels = (HandLayer(36, 3), HandLayer(12, 8))
    tried = plan_at(level_ground(advice.pools[0], {}), levels)
    by_hand = Scenario(name="Plan A", hand_layers={(Pool.INFERENCE, "H100"): levels})
    (engine,) = advised(of, by_hand).pools
    assert tried.cost_per_month == pytest.approx(engine.cost_per_month)
    mine, theirs = (
        {one.offer_id: (one.term_months, one.gpus, one.offer_gpus) for one in plan.layers}
        for plan in (tried, engine)
    )
    assert mine == theirs and [one.term_months for one in tried.layers] == [
        one.term_months for one in engine.layers
    ]
    assert set_levels(engine) == levels


def test_an_offer_of_another_model_follows_a_contract() -> None:
    made = case(
        [Load(pool=Pool.INFERENCE, gpus=[8.0] * HOURS)],
        [contract("k", 8, 3.0, 8, HOURS)],
        of_model("H200", 1.0),
    )
    made = replace(made, project=replace(made.project, mappings=(ModelMapping("H100", "H200", 1.6),)))
    answer = advised(made)
    (verdict,) = answer.verdicts
    assert verdict.verdict in ("replace", "shorten") and verdict.gpus == 8
    ordered = [order for order in answer.orders if order.reason == "contract_end"]
    assert sum(order.gpus for order in ordered) == 8
    assert all(order.offer_gpus == whole_gpus(order.gpus, 1.6) for order in answer.orders)
    assert {order.reason for order in answer.orders} == {"contract_end", "follows"}  # 3 GPUs for 3 months


def test_a_walk_forward_pays_for_whole_gpus_of_the_mapped_model() -> None:
    hours = 3 * 730
    month = replace(offer("H200-01", 1, 4.6), gpu_model="H200")
    of = case([Load(pool=Pool.INFERENCE, gpus=[9.0] * hours)], (), [*of_model("H200", 1.0), month])
    of = replace(of, project=replace(of.project, mappings=(ModelMapping("H100", "H200", 2.0),)))
    walked = backtest(of.project, of.project.scenarios[0], of.pools)
    (fold, *_) = walked.folds
    assert {one.offer_gpus for one in fold.bought} == {5.0}
    assert fold.usd["lookback_28"] == pytest.approx(5 * 4.6 * 730)
    assert fold.usd["on_demand"] == pytest.approx(9 * 7.0 / 2 * 730)


@pytest.mark.parametrize("seed", some_of(range(12), quick=3))
def test_what_holds_for_each_pool_holds_for_all_and_what_holds_for_one_leaves_the_others(seed: int) -> None:
    made = random_case(seed)
    project = replace(made.project, offers=(*made.project.offers, *of_model("H200")))

    def with_mappings(*mappings: ModelMapping) -> Advice:
        return advise(replace(project, mappings=mappings), made.scenario, made.pool_of_each, audit())

    of_each = [ModelMapping("H100", "H200", 1.6, pool) for pool in sorted(POOLS)]
    every, each = with_mappings(ModelMapping("H100", "H200", 1.6)), with_mappings(*of_each)
    assert each.totals == every.totals and each.orders == every.orders
    assert [row.cost_per_month for row in each.pools] == [row.cost_per_month for row in every.pools]
    alone = with_mappings(ModelMapping("H100", "H200", 1.6, Pool.INFERENCE))
    other = {
        one.offer_gpu_model for row in alone.pools if row.pool is not Pool.INFERENCE for one in row.layers
    }
    assert "H200" not in other


def test_a_ratio_of_a_pool_wins_there_over_that_of_all() -> None:
    both = (ModelMapping("H100", "H200", 1.6), ModelMapping("H100", "H200", 2.0, Pool.BURST))
    assert [ratio_for(both, "H100 @ CoreWeave", "H200", pool) for pool in (None, *POOLS)] == [
        1.6,
        1.6,
        1.6,
        2.0,
    ]
    assert ratio_for(both[1:], "H100", "H200") is None


def test_a_rate_at_a_ratio_is_exact_and_a_missing_one_stays_missing() -> None:
    assert at_ratio(offer("x", 12, 3.2), 1.6).rate == 2.0
    quote = replace(offer("x", 12, 3.2), rate_usd_per_gpu_hour=None)
    assert at_ratio(quote, 1.6) is quote


@pytest.mark.parametrize("seed", some_of(range(12), quick=3))
def test_another_name_at_a_ratio_of_one_changes_nothing_on_any_case(seed: int) -> None:
    """Contracts, pins, unknown models, maxima, lead times, spot: an offer that is only called otherwise is the same."""
    made = random_case(seed)
    before, pools = made.project, made.pool_of_each
    called = {model: f"{model} by another name" for model in ("H100", "A100")}

    def renamed(one: Offer) -> Offer:
        is_safe = one.gpu_memory_gb is None or one.gpu_memory_gb >= 80  # else red for memory of another model
        return replace(one, gpu_model=called[one.gpu_model]) if is_safe and one.gpu_model in called else one

    mappings = tuple(ModelMapping(model, called[model], 1.0) for model in sorted(called))
    after = replace(before, offers=tuple(map(renamed, before.offers)), mappings=mappings)
    one, two = (advise(project, made.scenario, pools, audit()) for project in (before, after))
    assert {offer.gpu_model for offer in after.offers} & set(called.values())
    rows = [[(row.pool, row.gpu_model) for row in answer.pools] for answer in (one, two)]
    assert rows[0] == rows[1]
    assert [row.cost_per_month for row in two.pools] == pytest.approx(
        [row.cost_per_month for row in one.pools]
    )
    assert [(order.offer_id, order.gpus, order.start_s) for order in two.orders] == [
        (order.offer_id, order.gpus, order.start_s) for order in one.orders
    ]
    for name in ("plan", "do_nothing", "lock_in_months"):
        assert getattr(two.totals, name) == pytest.approx(getattr(one.totals, name))


def test_the_cost_of_separation_is_that_of_offers_of_the_model_itself() -> None:
    """The plan in one pool may use mapped offers too, at the rate of their work."""
    loads = [Load(pool=Pool.INFERENCE, gpus=GPUS), Load(pool=Pool.BURST, gpus=GPUS[::-1])]
    own = case(loads, (), of_model("H100"), block=2)
    other = mapped(2.0, of_model("H200", 2.0), loads, block=2)
    one, two = (
        outlook(of.project, of.project.scenarios[0], of.pools, advised(of)).separation.cost_usd()
        for of in (own, other)
    )
    assert one is not None and one != 0
    assert two == pytest.approx(one)


def test_what_rounding_adds_is_said_and_below_one_gpu_a_layer() -> None:
    loads = [Load(pool=Pool.INFERENCE, gpus=[5.0] * 400)]
    (row,) = advised(mapped(2.0, [*of_model("H100"), *of_model("H200", 1.0)], loads)).pools
    bought = [layer for layer in row.layers if layer.offer_id in row.supply.ratios and layer.term_months]
    assert bought
    usd = rounding_usd_per_month(row.layers, row.supply.ratios)
    most = sum(730 * (layer.offer_rate or 0.0) for layer in bought)
    assert 0 < usd < most
    assert f"whole GPUs add ${usd:,.0f} per month" in str(row.note)


def test_an_offer_of_another_model_is_used_up_where_less_than_its_block_is_left() -> None:
    """One GPU of the offer is half of the demand's: a slice takes two, and one that is left is of no use."""
    offers = [*of_model("H100", 3.0), *(replace(one, max_gpus=3) for one in of_model("H200", 0.2))]
    loads = [
        Load(pool=Pool.INFERENCE, gpus=[9.0] * 400),
        Load(pool=Pool.TRAINING, gpus=[9.0] * 400, model="A100"),
    ]
    codes = {(one.code, one.subject) for one in advised(mapped(0.5, offers, loads)).checks}
    assert any(code == "max_gpus_reached" for code, _ in codes)
