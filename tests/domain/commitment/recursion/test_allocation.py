from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest

from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.plan.ground import ground_of
from gpuplanner.domain.commitment.plan.orders import asked_for
from gpuplanner.domain.commitment.plan.row_plans import plan_of
from gpuplanner.domain.commitment.recursion.allocation import policy_of
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import DAY_S, iso_utc

PLAN = Scenario(name="Plan A")


@pytest.fixture
def advised(make_case, make_load, make_offer, make_audit) -> Callable[..., dict]:  # type: ignore[no-untyped-def, type-arg]
    def layers(
        limit: int | None, next_best: float | None, **values: object
    ) -> dict[Pool, list[tuple[str | None, float]]]:
        loads = [
            make_load(pool, [gpus] * 400) for pool, gpus in ((Pool.TRAINING, 6.0), (Pool.INFERENCE, 4.0))
        ]
        offers = [make_offer("od", 0, 6.0), make_offer("few", 12, 2.0, max_gpus=limit)]
        if next_best:
            offers.append(make_offer("many", 12, next_best))
        made = make_case(loads, offers=offers, sigma=0.0, **values)
        advice = advise(made.project, PLAN, made.pools, make_audit())
        codes = {check.code for check in advice.checks}
        assert ("max_gpus_reached" in codes) == (limit is not None and limit < 10)
        return {plan.pool: [(layer.offer_id, layer.gpus) for layer in plan.layers] for plan in advice.pools}

    return layers


def test_a_maximum_goes_to_inference_first_then_slice_by_slice(advised: Callable[..., dict]) -> None:  # type: ignore[type-arg]
    assert advised(None, 3.0) == {Pool.INFERENCE: [("few", 4.0)], Pool.TRAINING: [("few", 6.0)]}
    assert advised(7, 3.0) == {Pool.INFERENCE: [("few", 4.0)], Pool.TRAINING: [("few", 3.0), ("many", 3.0)]}
    assert advised(4, 3.0) == {Pool.INFERENCE: [("few", 4.0)], Pool.TRAINING: [("many", 6.0)]}
    assert advised(3, None) == {Pool.INFERENCE: [("few", 3.0), ("od", 1.0)], Pool.TRAINING: [("od", 6.0)]}


def test_less_than_a_block_is_nothing(advised: Callable[..., dict]) -> None:  # type: ignore[type-arg]
    assert advised(3, 3.0, block=2) == {
        Pool.INFERENCE: [("few", 2.0), ("many", 2.0)],
        Pool.TRAINING: [("many", 6.0)],
    }


def test_a_slice_keeps_its_block_from_its_first_commitment_on(
    make_case, make_load, make_offer, make_audit
) -> None:  # type: ignore[no-untyped-def]
    """Growth brings slices that commit later: they take from the same maximum, by k, not by time."""
    demand = np.full(400, 2.0)
    offers = [make_offer("od", 0, 6.0), make_offer("few", 6, 2.0, max_gpus=3)]
    made = make_case([make_load(Pool.TRAINING, demand)], offers=offers, growth=0.1, sigma=0.0)
    advice = advise(made.project, PLAN, made.pools, make_audit())
    assert sum(order.gpus for order in asked_for(advice.orders)) == 3
    assert {order.reason for order in advice.orders} == {"now", "growth", "follows"}


@pytest.mark.parametrize("upfront", [0, 900])
def test_what_holds_once_quotes_are_closed_is_kept_whatever_they_cost(
    make_case, make_load, make_offer, upfront: int
) -> None:  # type: ignore[no-untyped-def]
    """Law: with the months behind the last quote from the cache the policy is the same, to the bit."""
    cache, demand = AdviceCache(), np.tile([2.0, 9.0, 5.0, 1.0], 100)
    offers = [make_offer("od", 0, 6.0), make_offer("list", 12, 2.5), make_offer("month", 1, 3.0)]
    made = make_case([make_load(Pool.TRAINING, demand)], offers=offers, growth=0.05)
    closes = iso_utc(made.project.plan_window.end_s + 60 * DAY_S)[:10]
    quote = make_offer("quote", 24, 1.5, valid_until=closes, upfront_usd=upfront)
    project = replace(made.project, offers=(*made.project.offers, quote))
    row = plan_of(ground_of(project, PLAN, made.pools, AdviceCache(), ()), AdviceCache()).rows[0].row
    for rate in ("1.5", "2.4", "3.1", "9.0"):
        moved = replace(quote, rate_usd_per_gpu_hour=Decimal(rate))
        other = replace(row, offers=tuple(moved if one.offer_id == "quote" else one for one in row.offers))
        ways = other.ways()
        assert 0 < ways.settled_month <= row.market.horizon_months // 2
        whole, kept = policy_of(other, 0, ways), policy_of(other, 0, ways, cache=cache)
        for name in ("value", "choice", "by_month", "signed_usd"):
            assert np.array_equal(getattr(whole, name), getattr(kept, name), equal_nan=True), (rate, name)
    assert cache.count_results("tail") == 1
