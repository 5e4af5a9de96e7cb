"""Plans compare offers by what a GPU-hour costs with its extras, and have them in their totals, line by line."""

from dataclasses import replace
from decimal import Decimal

import pytest

from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.tables import Pool, PricingCategory
from tests.domain.commitment.conftest import Load, audit, case, contract, offer

HOURS = 1440
CENTS = Decimal("0.09")
OD = offer("od", 0, 6.88, egress_usd_per_gb=CENTS)
A = offer("a", 12, 3.0, egress_usd_per_gb=CENTS)
B = offer("b", 12, 3.1, egress_usd_per_gb=Decimal(0))


def plan(
    offers: list[Offer],
    contracts: tuple[Contract, ...] = (),
    gb: float | None = 2.0,
    pool: Pool = Pool.INFERENCE,
) -> Advice:
    """The advice for 48 GPUs around the clock, each GPU-hour of which sends out so many GB."""
    loads = [Load(pool=pool, gpus=[48.0] * HOURS)]
    made = case(loads, contracts, offers, Scenario(name="Plan A"), sigma=0.0, egress_gb_per_gpu_hour=gb)
    return advise(made.project, made.project.scenarios[0], made.pools, audit())


def signed(advice: Advice) -> set[str]:
    return {order.offer_id for order in advice.orders if order.is_certain}


def test_free_egress_wins_where_data_is_sent_out_and_loses_where_none_is() -> None:
    assert signed(plan([OD, A, B])) == {"b"}
    assert signed(plan([OD, A, B], gb=None)) == {"a"}


def test_what_a_contract_sends_out_is_in_the_total_and_named() -> None:
    held = contract("c", 48, 3.0, None, HOURS, egress_usd_per_gb=CENTS)
    without, found = plan([OD], (held,), None).totals, plan([OD], (held,)).totals
    assert dict(found.extras) == pytest.approx({"egress": 6307.20})
    assert (found.plan or 0) - (without.plan or 0) == pytest.approx(6307.20)
    assert (found.do_nothing or 0) - (without.do_nothing or 0) == pytest.approx(6307.20)
    assert without.extras == ()


def test_an_order_costs_its_extras_and_owes_its_rate() -> None:
    offers = [
        OD,
        replace(A, support_percent=10.0, storage_usd_per_gpu_month=Decimal(73), setup_usd=Decimal(876)),
    ]
    (order,) = (one for one in plan(offers).orders if one.is_certain)
    assert (order.rate, order.extras_rate) == pytest.approx((3.0, 0.18 + 0.3 + 0.1 + 0.1))
    assert order.spread_rate == pytest.approx(3.68)
    assert order.due_at_once == pytest.approx(order.bought_gpus * 876)
    assert order.cost_per_month == pytest.approx(order.gpus * 3.68 * 730)
    assert order.liability == pytest.approx(order.gpus * 3.0 * 8760)


def test_extras_of_what_is_paid_by_use_and_of_what_idles_are_in_the_total() -> None:
    held = contract("c", 60, 2.0, None, HOURS, support_percent=10.0)
    assert dict(plan([OD], (held,)).totals.extras) == pytest.approx(
        {"support": 60 * 0.2 * 730, "egress": None}
    )
    assert dict(plan([OD]).totals.extras) == pytest.approx({"egress": 6307.20})


def test_spot_does_its_lost_work_again_and_so_its_extras() -> None:
    spot = offer("spot", 0, 2.0, pricing_category=PricingCategory.DYNAMIC, support_percent=10.0)
    advice = plan([OD, spot], gb=None, pool=Pool.BURST)
    (layer,) = (one for pool in advice.pools for one in pool.layers)
    assert dict(layer.extras)["support"] == pytest.approx((layer.rate or 0) * 0.2 / 2.2)


def test_who_states_no_price_of_egress_counts_without_and_is_told() -> None:
    silent = replace(A, egress_usd_per_gb=None)
    advice = plan([OD, silent, B])
    assert signed(advice) == {"a"}
    assert [check.severity for check in advice.checks if check.code == "egress_unknown"] == ["amber"]
    assert dict(advice.totals.extras)["egress"] is None
