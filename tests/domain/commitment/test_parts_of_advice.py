"""What layers, orders, verdicts and months say of themselves, by hand."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.commitment.plan.layers import as_one, mean_paid_gpus, mean_rate, used_of
from gpuplanner.domain.commitment.result import (
    IF_IT_LASTS,
    Apart,
    ComparisonMonth,
    Layer,
    Order,
    Verdict,
    cost_per_month,
    with_figures,
)
from gpuplanner.domain.model.amounts import PartSum
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.window import DAY_S, HOUR_S, MONTH_S
from tests.domain.commitment.conftest import START_S

YEAR = Layer(
    existing=False,
    pricing_category=PricingCategory.COMMITTED,
    term_months=12,
    offer_id="y1",
    gpus=4.0,
    busy_gpus=3.0,
    rate=2.0,
)
USE = Layer(
    existing=False,
    pricing_category=PricingCategory.STANDARD,
    term_months=0,
    offer_id="od",
    gpus=6.0,
    busy_gpus=1.5,
    rate=5.0,
)
HELD = Layer(
    existing=True,
    pricing_category=PricingCategory.COMMITTED,
    term_months=None,
    offer_id=None,
    gpus=2.0,
    busy_gpus=2.0,
    rate=1.0,
)
HALF = replace(YEAR, paid_hours=365.0)


def test_layers_are_new_or_not_and_pay_for_what_they_hold() -> None:
    assert [item.is_new for item in (YEAR, USE, HELD, replace(YEAR, existing=True))] == [
        True,
        False,
        False,
        False,
    ]
    assert [item.mean_gpus for item in (YEAR, USE, HELD)] == [4.0, 1.5, 2.0]
    assert mean_paid_gpus([YEAR, USE, HALF]) == 4.0 + 1.5 + 2.0
    # 3 of 4 for a month and half of one, 1.5 of 6 by use
    assert used_of([YEAR, HALF]) == 0.75 and used_of([USE]) == 0.25
    assert used_of([YEAR, USE]) == pytest.approx(4.5 / 10) and used_of([]) is None


def test_figures_of_a_layer() -> None:
    """4 GPUs at $2 for 730 h, of which 3 are used that would cost $5 on demand."""
    (year,) = with_figures([YEAR], 5.0)
    assert (year.utilization, year.cost_per_month, year.paid_gpu_hours_per_month) == (0.75, 5840.0, 2920.0)
    assert (year.unused_per_month, year.on_demand_per_month) == (1460.0, 3 * 5 * 730.0)
    assert year.value_per_month == pytest.approx(10_950.0 - 5840.0) and year.bound == 12 * 5840.0
    (plain,) = with_figures([YEAR], 0.0)
    assert (plain.on_demand_per_month, plain.value_per_month, plain.cost_per_month) == (None, None, 5840.0)
    (unpriced,) = with_figures([replace(YEAR, rate=None)], 5.0)
    assert (unpriced.cost_per_month, unpriced.utilization) == (None, 0.75)
    assert cost_per_month([2.0, 1.0, 3.0], [1.5, None, 0.0]) == [2190.0, None, 0.0]


def test_layers_of_one_kind_are_one() -> None:
    """4 GPUs at $2 all month and 4 at $4 for half of it: $11,680 for 4,380 GPU-hours."""
    both = with_figures([YEAR, replace(HALF, rate=4.0, busy_gpus=1.0)], 5.0)
    one = as_one(both)
    assert (one.gpus, one.busy_gpus, one.cost_per_month) == (8.0, 4.0, 5840.0 + 5840.0)
    assert one.rate == pytest.approx(11_680 / 4380) == mean_rate(both)
    assert one.utilization == pytest.approx((3 * 730 + 365) / 4380) and one.offer_id == "y1"
    unknown = with_figures([YEAR, replace(HALF, rate=None)], 5.0)
    assert (as_one(unknown).rate, as_one(unknown).cost_per_month, mean_rate([])) == (None, None, None)


def test_runs_that_nobody_serves_are_the_rest() -> None:
    apart = Apart((USE, HALF), 5.0, np.zeros(1), ())
    assert apart.lost_gpus == pytest.approx(5.0 - 1.5 - 1.5)


def order(**values: Any) -> Order:
    base = Order(
        pool=Pool.TRAINING,
        gpu_model="H100",
        offer_id="o",
        term_months=12,
        gpus=4.0,
        start_s=START_S,
        end_s=START_S + 12 * MONTH_S,
        order_by_s=START_S + DAY_S,
        reason="now",
        rate=2.0,
    )
    return replace(base, **values)


def test_an_order_pays_its_hours_of_a_month() -> None:
    assert (order().term_hours, order().paid_hours) == (8760.0, 730.0)
    days = order(end_s=START_S + 10 * DAY_S, term_days=10)
    assert (days.term_hours, days.paid_hours, days.renews) == (240.0, 240.0, False)
    assert order(term_days=10).renews and not order().renews
    assert order(end_s=START_S + 10 * DAY_S + HOUR_S, term_days=10).renews


def test_the_last_day_of_an_order_is_the_one_before_its_moment() -> None:
    assert order().last_day_s == START_S + DAY_S - 1 and order(is_soonest=True).last_day_s == START_S + DAY_S
    assert order().last_day_high_s is None
    assert order(order_by_high_s=START_S).last_day_high_s == START_S - 1
    assert order(order_by_high_s=START_S, is_soonest=True).last_day_high_s == START_S


def test_an_order_says_what_is_bought_and_what_its_sla_leaves_open() -> None:
    """99% leaves 7.3 hours: of 3 GPUs at $2."""
    assert order().bought_gpus == 4.0 and order(offer_gpus=3.0).bought_gpus == 3.0
    assert not order().is_bought and order(capex_per_gpu=0.01).is_bought
    assert order().is_certain and not order(reason=IF_IT_LASTS).is_certain
    open_hours = order(sla_percent=99.0, offer_gpus=3.0)
    assert open_hours.sla_hours_per_month == pytest.approx(7.3)
    assert open_hours.sla_usd_per_month == pytest.approx(7.3 * 3 * 2)
    assert (
        order().sla_hours_per_month is None and order(sla_percent=99.0, rate=None).sla_usd_per_month is None
    )


@pytest.mark.parametrize(
    ("values", "is_open"),
    [
        ({}, False),
        ({"verdict": "let_expire"}, True),
        ({"verdict": "let_expire", "continued_by": "k2"}, False),
        ({"verdict": "renew"}, False),
        ({"verdict": "end"}, True),
        ({"verdict": "end", "ends_s": 9, "is_later": True}, True),
        ({"ends_s": 9, "is_later": True}, False),
    ],
)
def test_what_is_to_be_decided_now(values: dict[str, Any], is_open: bool) -> None:
    verdict = Verdict(
        contract_id="k", verdict="keep", then_term_months=0, gpus=0.0, order_by_s=None, reason=""
    )  # type: ignore[arg-type]
    assert replace(verdict, **values).is_to_decide is is_open


def test_what_follows_a_contract_runs_as_long_as_its_longest_main_term() -> None:
    verdict = Verdict(
        contract_id="k",
        verdict="replace",
        then_term_months=3,
        gpus=4.0,
        order_by_s=None,
        reason="",
        shares=((1.0, (3, 90)), (2.0, (3, None)), (1.0, (12, None))),
    )  # type: ignore[arg-type]
    assert verdict.then_terms == ((3, 90), (3, None)) and verdict.then_s == 3 * MONTH_S
    days = replace(verdict, shares=((1.0, (3, 92)), (2.0, (3, None))))
    assert days.then_s == 92 * DAY_S
    none = replace(verdict, shares=())
    assert (none.then_terms, none.then_s) == (((3, None),), 3 * MONTH_S)


def test_a_month_is_the_sum_of_its_parts_or_what_is_known_of_it() -> None:
    known = PartSum(5.0, 2, ("k",))
    month = ComparisonMonth(
        month=0,
        start_s=0,
        do_nothing_usd=9.0,
        contracts_usd=1.0,
        orders_usd=2.0,
        use_usd=3.0,
        plan_parts=known,
        nothing_parts=known,
    )
    assert (month.plan_usd, month.plan_sum, month.nothing_sum) == (6.0, PartSum(6.0), PartSum(9.0))
    for missing in ("contracts_usd", "orders_usd", "use_usd"):
        partly = replace(month, **{missing: None})  # type: ignore[arg-type]
        assert (partly.plan_usd, partly.plan_sum) == (None, known)
    assert replace(month, do_nothing_usd=None).nothing_sum == known
