"""Waiting for quotes by hand: which orders start later, what it costs, what bridges it, and what quotes brought."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.commitment.asked_rows import asking_in, usual_days
from gpuplanner.domain.commitment.listed_order import (
    CANCELED,
    LATER,
    PO,
    PROVIDER_MISSING,
    QUOTE_FIRST,
    READY,
    REQUISITION,
    STATUS_TITLES,
    STATUSES,
    ListedOrder,
    status_of,
    with_choices,
)
from gpuplanner.domain.commitment.quote_wait import (
    WaitForQuotes,
    WaitingOrder,
    quote_discount,
    wait_for_quotes,
)
from gpuplanner.domain.commitment.result import Order, Supply
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import DAY_S, MONTH_S, instant_s
from gpuplanner.lazy_dataclass import replace
from tests.domain.commitment.conftest import offer

TODAY_S = instant_s("2026-12-01")
YEAR = offer("m12", 12, 2.50, lead_time_hours=48.0, provider="Vela")
MONTH = offer("m01", 1, 3.50, lead_time_hours=48.0, provider="Vela")


def listed(number: int, gpus: float = 8, late_usd: float | None = 500.0, **values: Any) -> ListedOrder:
    """H100 for 12 months at $2.50 from 3 Dec 2026 on, ordered two days before."""
    order = Order(
        pool=Pool.INFERENCE,
        gpu_model="H100",
        offer_id="m12",
        term_months=12,
        gpus=gpus,
        start_s=TODAY_S + 2 * DAY_S,
        end_s=TODAY_S + 2 * DAY_S + 12 * MONTH_S,
        order_by_s=TODAY_S,
        reason="now",
        rate=2.50,
        cost_per_month=gpus * 730 * 2.50,
        liability=gpus * 8760 * 2.50,
        provider="Vela",
        row=number,
    )
    of_order = {name: values.pop(name) for name in tuple(values) if hasattr(order, name)}
    given = {"status": QUOTE_FIRST, "waiting_usd_per_day": late_usd, **values}
    return ListedOrder(
        number=number, orders=(replace(order, **of_order),), order_ids=(f"order:{number}",), **given
    )


def waiting(
    *orders: ListedOrder, offers: tuple[Offer, ...] = (YEAR,), discount: float | None = None
) -> WaitForQuotes | None:
    asking = asking_in(usual_days(TODAY_S), offers)
    return wait_for_quotes(
        orders, asking, {(Pool.INFERENCE, "H100"): Supply(tuple(offers))}, discount=discount
    )


def only(wait: WaitForQuotes | None) -> WaitingOrder:
    assert wait is not None
    (order,) = wait.orders
    return order


def test_an_order_waits_for_reply_decision_and_lead() -> None:
    """Replies by 15 Dec, decided on 20 Dec, two days of lead: 19 days after 3 Dec, $500 each."""
    wait = waiting(listed(2))
    order = only(wait)
    assert wait is not None and wait.numbers == "O2"
    assert (order.from_s, order.until_s) == (instant_s("2026-12-03"), instant_s("2026-12-22"))
    assert (wait.from_s, wait.until_s, wait.usd) == (order.from_s, order.until_s, 19 * 500.0)
    assert str(wait.text).endswith("$9,500")


def test_the_cost_of_all_is_the_sum_and_an_unknown_one_leaves_it_unknown() -> None:
    wait = waiting(listed(1), listed(2, late_usd=100.0))
    assert wait is not None and wait.usd == 19 * 600.0
    unknown = waiting(listed(1), listed(2, late_usd=None))
    assert unknown is not None and unknown.usd is None and unknown.bridged == ()


@pytest.mark.parametrize(("status", "is_quote"), [(PROVIDER_MISSING, True), (READY, False), (LATER, False)])
def test_what_needs_no_quote_now_does_not_wait(status: str, is_quote: bool) -> None:
    assert waiting(listed(1, status=status, is_quote=is_quote)) is None


def test_an_order_without_a_provider_waits_too_and_nobody_sells_a_bridge() -> None:
    missing = listed(2, status=PROVIDER_MISSING, provider=None)
    wait = waiting(listed(1), missing, offers=(YEAR, MONTH))
    assert wait is not None and (wait.numbers, wait.usd) == ("O1, O2", 2 * 19 * 500.0)
    assert [order.listed.number for order in wait.bridged] == [1]


def test_an_order_whose_day_comes_after_the_replies_does_not_wait() -> None:
    later = listed(1, order_by_s=TODAY_S + 20 * DAY_S, start_s=TODAY_S + 22 * DAY_S)
    assert waiting(later) is None


def test_a_month_at_list_price_bridges_what_costs_more_on_demand() -> None:
    """730 h of 8 GPUs at $3.50 in place of $2.50 are $5,840: less than 19 days of $500, more than of $300."""
    bridge = only(waiting(listed(1), offers=(YEAR, MONTH))).bridge
    assert bridge is not None and bridge.offer_id == "m01"
    assert (bridge.usd, bridge.saves_usd) == pytest.approx((5840.0, 19 * 500.0 - 5840.0))
    assert only(waiting(listed(1, late_usd=300.0), offers=(YEAR, MONTH))).bridge is None


def test_a_bridge_takes_no_more_gpus_than_its_offer_has() -> None:
    few = replace(MONTH, max_gpus=12)
    wait = waiting(listed(1), listed(2), offers=(YEAR, few))
    assert wait is not None and [order.listed.number for order in wait.bridged] == [1]
    assert wait.saved_by_bridges_usd == pytest.approx(19 * 500.0 - 5840.0)
    assert only(waiting(listed(1), offers=(YEAR, replace(MONTH, min_gpus=16)))).bridge is None


def test_a_term_of_a_month_is_ordered_at_list_price_itself() -> None:
    monthly = only(waiting(listed(1, term_months=1, offer_id="m01"), offers=(YEAR, MONTH)))
    assert monthly.is_short and monthly.bridge is not None
    assert (monthly.bridge.usd, monthly.bridge.saves_usd) == (0.0, monthly.usd)


def test_quotes_bring_the_discount_that_earlier_ones_had() -> None:
    """2.25, 2.00 and 2.40 for a list price of 2.50: the median is 10% below it."""
    quotes = [
        replace(
            YEAR, offer_id=f"q{rate}", source="Quote GE-9", rate_usd_per_gpu_hour=type(YEAR.quoted_rate)(rate)
        )
        for rate in ("2.25", "2.00", "2.40")
    ]
    assert quote_discount([YEAR, *quotes[:2]]) is None
    assert quote_discount([YEAR, *quotes[:2]], quotes[2:]) == pytest.approx(0.1)
    wait = waiting(listed(1), discount=0.1)
    assert wait is not None and wait.may_bring_usd == pytest.approx(0.1 * 8 * 8760 * 2.50)
    unknown = waiting(listed(1))
    assert unknown is not None and unknown.may_bring_usd is None


# --- The status of an order, one rule for window and papers


def test_a_choice_of_the_list_price_makes_an_order_ready() -> None:
    plan = Scenario(name="A", at_list_price=frozenset({"order:1"}))
    first, second = with_choices([listed(1), listed(2)], plan)
    assert (first.status, first.is_at_list_price, first.is_choosable) == (READY, True, True)
    assert (second.status, second.is_at_list_price, second.is_choosable) == (QUOTE_FIRST, False, True)
    assert waiting(first) is None


@given(
    provider=st.sampled_from([None, "Vela"]),
    rate=st.sampled_from([None, 2.5]),
    status=st.sampled_from(STATUSES),
    is_whole=st.booleans(),
    is_chosen=st.booleans(),
    is_soon=st.booleans(),
    has_price=st.booleans(),
)
def test_no_order_is_ready_without_provider_rate_and_whole_nodes(
    provider: str | None,
    rate: float | None,
    status: str,
    is_whole: bool,
    is_chosen: bool,
    is_soon: bool,
    has_price: bool,
) -> None:
    made = listed(1, provider=provider, rate=rate, is_whole=is_whole)
    order = made.orders[0]
    own = status_of(order, is_soon=is_soon, has_price=has_price, is_whole=is_whole)
    plan = Scenario(name="A", at_list_price=frozenset({"order:1"} if is_chosen else ()))
    (chosen,) = with_choices([replace(made, status=own)], plan)
    may_be_ready = provider is not None and rate is not None and is_whole and is_soon
    assert (chosen.status == READY) == (may_be_ready and (has_price or is_chosen))
    assert (chosen.status == PROVIDER_MISSING) == (provider is None)


def test_each_status_has_a_name_and_people_type_what_the_plan_does_not_say() -> None:
    assert {*STATUS_TITLES} - {*STATUSES} == {REQUISITION, PO, CANCELED}
    assert len({str(title) for title in STATUS_TITLES.values()}) == len(STATUS_TITLES)
