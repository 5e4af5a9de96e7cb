"""Orders with their numbers by hand: which are one, to which decision each belongs, and what its price stands on."""

from typing import Any

import pytest

from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.listed_order import ListedOrder, in_list, numbers_of, place_of, same_orders
from gpuplanner.domain.commitment.listed_orders import list_orders, replaced_by_words, with_orders
from gpuplanner.domain.commitment.next_decision import NextDecision
from gpuplanner.domain.commitment.next_decisions import next_decisions
from gpuplanner.domain.commitment.outlook_result import Outlook
from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.result import Order, Verdict
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import DAY_S, HOUR_S, MONTH_S
from gpuplanner.lazy_dataclass import replace
from tests.domain.commitment.conftest import Load, audit, case, contract, decided, offer

HOURS = 2160
BY_USE = offer("od", 0, 6.88, provider="Vela")
YEARS = offer("m36", 36, 2.00, lead_time_hours=48.0, provider="Vela")
MONTHLY = contract("PO-1", 32, 3.50, None, HOURS, notice_days=30.0, renews_months=1)


def placed(start_s: int) -> Order:
    """8 H100 for 12 months from a day, epoch seconds."""
    return Order(
        pool=Pool.INFERENCE,
        gpu_model="H100",
        offer_id="m12",
        term_months=12,
        gpus=8.0,
        start_s=start_s,
        end_s=start_s + 12 * MONTH_S,
        order_by_s=start_s,
        reason="contract_end",
    )


def listed(
    *offers: Any, contracts: tuple[Any, ...] = (), plan: Scenario | None = None
) -> tuple[tuple[NextDecision, ...], tuple[ListedOrder, ...]]:
    """The decisions and orders of a plan that serves 16 H100 of inference all the time."""
    made = case(
        [Load(pool=Pool.INFERENCE, gpus=[16.0] * HOURS)],
        contracts,
        offers,
        plan or Scenario(name="Plan A"),
        delta=0.004,
        recency_half_life_days=7.0,
    )
    scenario = decided(made)
    advice = advise(made.project, scenario, made.pools, audit())
    decisions = next_decisions(made.project, scenario, made.pools, advice, Outlook(), AdviceCache())
    orders = list_orders(made.project, scenario, advice, decisions)
    found = [each.order for each in in_list(orders).values()]
    assert sorted(found, key=repr) == sorted(advice.orders, key=repr), "each order is in one"
    return with_orders(decisions, orders), orders


def test_a_term_that_renews_is_one_order() -> None:
    monthly = offer("m01", 1, 3.50, lead_time_hours=48.0, provider="Vela")
    (decision,), (order,) = listed(BY_USE, monthly)
    assert (decision.number, order.number, decision.order_numbers, order.decision) == (1, 1, (1,), 1)
    assert len(order.orders) == len(order.order_ids) == 12
    assert order.order_ids[:2] == ("order:inference:H100:m01:1:1", "order:inference:H100:m01:1:2")
    assert decision.committed_usd == pytest.approx(order.orders[0].liability)
    assert decision.committed_later_usd == pytest.approx(
        sum(one.liability or 0.0 for one in order.orders[1:])
    )


def test_an_order_of_a_contract_that_is_asked_about_says_what_its_delay_costs() -> None:
    asked = contract("PO-1", 8, 3.50, 6.3, HOURS, notice_written="see MSA")
    decisions, orders = listed(BY_USE, YEARS, contracts=(asked,))
    (question,) = (decision for decision in decisions if decision.kind == "question")
    assert len(question.late_usd_per_day) == len(question.orders) > 0
    (order,) = (order for order in orders if order.decision == question.number)
    assert order.waiting_usd_per_day == question.late_usd_per_day[0]


def test_an_order_says_which_contract_it_replaces() -> None:
    decisions, orders = listed(BY_USE, YEARS, contracts=(MONTHLY,))
    (ended,) = (decision for decision in decisions if decision.contract_id == "PO-1")
    assert ended.order_numbers == tuple(order.number for order in orders)
    assert {order.replaces for order in orders} == {("PO-1",)}
    assert ended.notice_by_s is not None and ended.order_by_s is not None
    assert ended.by_s == min(ended.notice_by_s, ended.order_by_s)


def test_a_contract_is_replaced_by_its_gpus_of_each_order() -> None:
    """Renewals of an order are one; GPUs of an order that has no number are not told."""
    first, second, other = (placed(start_s) for start_s in (0, DAY_S, 2 * DAY_S))
    orders = (
        ListedOrder(number=9, orders=(second,), order_ids=("b",)),
        ListedOrder(number=7, orders=(first,), order_ids=("a",)),
    )
    shared = Verdict(
        contract_id="PO-1",
        verdict="replace",
        then_term_months=12,
        gpus=12.0,
        order_by_s=0,
        reason=worded("12 GPUs"),
        takes=((second, 1.0), (first, 8.0), (other, 3.0)),
    )
    assert str(replaced_by_words(shared, orders)) == "8 GPUs of O7 + 1 GPU of O9"
    assert str(replaced_by_words(shared, ())) == ""


@pytest.mark.parametrize(
    ("terms", "is_quote", "status"),
    [
        ({"provider": "Vela"}, False, "quote_first"),
        ({"provider": "Vela", "source": "Quote GE-9"}, True, "ready"),
        ({"provider": "Vela", "valid_until": "2026-06-30"}, True, "ready"),
        ({"provider": "Vela", "valid_until": "2026-06-30", "lead_time_hours": 1500.0}, True, "later"),
        ({"provider": None, "source": "Quote GE-9"}, True, "provider_missing"),
    ],
    ids=["list", "quote", "valid", "later", "nobody"],
)
def test_what_is_to_be_done_next_for_an_order(terms: dict[str, Any], is_quote: bool, status: str) -> None:
    """The plan begins on 1 Apr 2026."""
    contracts = (contract("old", 16, 4.00, 5, HOURS, term_months=12),) if status == "later" else ()
    years = offer("m36", 36, 2.00, **{"lead_time_hours": 48.0, **terms})
    decisions, (order, *_) = listed(BY_USE, years, contracts=contracts)
    assert (order.is_quote, order.status) == (is_quote, status)
    assert order.quote_valid_until == terms.get("valid_until")
    assert {decision.is_quote for decision in decisions if decision.order_numbers} == {is_quote}


def test_gpus_are_in_whole_nodes() -> None:
    _, (order,) = listed(BY_USE, replace(YEARS, unit_gpus=8))
    assert (order.orders[0].bought_gpus, order.nodes) == (16.0, 2)
    _, (order, *_) = listed(BY_USE, YEARS)
    assert order.nodes is None


def test_numbers_that_people_have_read_stay() -> None:
    """O1 and D1 are of others that are gone, so the order is O7 as before and the decision is the next, D5."""
    plan = Scenario(
        name="Plan A",
        decision_numbers={"contract:gone": 1, "saving:gone": 4},
        order_numbers={"order:inference:H100:gone:12:1": 1, "order:inference:H100:m36:36:1": 7},
    )
    (decision,), (order,) = listed(BY_USE, replace(YEARS, unit_gpus=8), plan=plan)
    assert (decision.number, order.number, decision.order_numbers) == (5, 7, (7,))


def bought(gpus: float, start: int, *, row: int = 1, offer_id: str = "m36", hours: int = 730) -> Order:
    """An order of H100 for inference; start and hours in hours."""
    return Order(
        pool=Pool.INFERENCE,
        gpu_model="H100",
        offer_id=offer_id,
        term_months=36,
        gpus=gpus,
        start_s=start * HOUR_S,
        end_s=(start + hours) * HOUR_S,
        order_by_s=start * HOUR_S,
        reason="now",
        row=row,
    )


def numbered_as(number: int, *orders: Order) -> ListedOrder:
    return ListedOrder(number=number, orders=orders, order_ids=tuple(map(repr, orders)))


def test_an_order_of_another_working_out_is_the_one_that_buys_the_same() -> None:
    """The plan that waits for quotes starts later, in other rows; what it orders besides is not in the list."""
    first, second = numbered_as(4, bought(8, 0)), numbered_as(7, bought(8, 1000, row=2))
    waiting = [
        bought(8, 480, row=5),
        bought(8, 1000, row=6),
        bought(16, 0, row=7),
        bought(8, 0, row=8, offer_id="m12"),
    ]
    places = same_orders(waiting, [first, second])
    assert [numbers_of([order], places) for order in waiting] == [(4,), (7,), (), ()]
    assert numbers_of(waiting, places) == (4, 7)


def test_each_renewal_is_the_renewal_that_starts_nearest() -> None:
    listed = numbered_as(1, bought(8, 0), bought(8, 730), bought(8, 1460))
    waiting = [bought(8, 740, row=3), bought(8, 1470, row=3), bought(8, 2200, row=3)]
    places = same_orders(waiting, [listed])
    starts = [places[place_of(order)].order.start_s // HOUR_S for order in waiting]
    assert starts == [730, 1460, 1460]


def test_the_orders_of_the_list_are_themselves() -> None:
    """Two rows may buy the same on one day: their numbers do not change places."""
    listed = [numbered_as(2, bought(8, 0, row=4)), numbered_as(5, bought(8, 0, row=3))]
    own = [order for of in listed for order in of.orders]
    assert same_orders(own, listed) == in_list(listed)
