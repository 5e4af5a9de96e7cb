from collections.abc import Callable, Sequence

import pytest

from gpuplanner.domain.commitment.advice import advise
from gpuplanner.domain.commitment.result import Order
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.scenario import Scenario
from gpuplanner.domain.model.window import DAY_S, MONTH_S

HOURS = 400
PLAN = Scenario("Plan A")


@pytest.fixture
def orders(make_case, make_load, make_audit) -> Callable[..., tuple[int, tuple[Order, ...], list[str]]]:  # type: ignore[no-untyped-def]
    def of(contracts: Sequence[object], offers: Sequence[object], gpus: float = 4.0, **values: object):  # type: ignore[no-untyped-def]
        made = make_case([make_load(Pool.TRAINING, [gpus] * HOURS)], contracts, offers, **values)
        advice = advise(made.project, PLAN, made.pools, make_audit())
        late = [check.subject for check in advice.checks if check.code == "order_by_passed"]
        return made.end_s, advice.orders, late

    return of


def test_now(orders, make_offer) -> None:  # type: ignore[no-untyped-def]
    end_s, found, late = orders([], [make_offer("od", 0, 6.0), make_offer("c", 12, 2.0, lead_time_hours=48)])
    assert found == (
        Order(Pool.TRAINING, "H100", "c", 12, 4.0, end_s + 2 * DAY_S, end_s, "now", "H100", 4.0),
    )
    assert not late


def test_when_a_contract_ends_by_the_longer_of_notice_and_lead(orders, make_offer, make_contract) -> None:  # type: ignore[no-untyped-def]
    offers = [make_offer("od", 0, 6.0), make_offer("c", 12, 2.0, lead_time_hours=240)]
    contracts = [
        make_contract("k", 4, 3.0, 3.5, HOURS, notice_days=30),
        make_contract("l", 1, 9.0, 3.25, HOURS),
    ]
    end_s, found, _ = orders(contracts, offers)  # l, the dearer, serves nothing
    ends = end_s + round(3.5 * MONTH_S)
    assert found == (
        Order(Pool.TRAINING, "H100", "c", 12, 4.0, ends, ends - 30 * DAY_S, "contract_end", "H100", 4.0),
    )


def test_several_ends_in_a_month_start_at_the_first(orders, make_offer, make_contract) -> None:  # type: ignore[no-untyped-def]
    offers = [make_offer("od", 0, 6.0), make_offer("c", 12, 2.0)]
    contracts = [
        make_contract("k", 2, 3.0, 3.5, HOURS, notice_days=60),
        make_contract("l", 2, 9.0, 3.25, HOURS),
    ]
    end_s, (order,), _ = orders(contracts, offers)
    assert order.start_s == end_s + round(3.25 * MONTH_S)
    assert order.order_by_s == end_s + round(3.5 * MONTH_S) - 60 * DAY_S


def test_as_soon_as_the_lead_time_allows_and_growth(orders, make_offer) -> None:  # type: ignore[no-untyped-def]
    offers = [make_offer("od", 0, 6.0), make_offer("c", 12, 2.0, lead_time_hours=1500)]
    end_s, (order,), late = orders([], offers)
    assert (order.reason, order.start_s, order.order_by_s) == (
        "lead_time",
        end_s + 3 * MONTH_S,
        end_s + 3 * MONTH_S - 1500 * 3600,
    )
    assert not late
    _, found, _ = orders([], [make_offer("od", 0, 6.0), make_offer("c", 6, 2.0)], 2.0, growth=0.05, sigma=0.0)
    assert {order.reason for order in found} == {"now", "growth"}
    assert max(order.start_s for order in found) < end_s + 12 * MONTH_S


def test_a_date_already_past_is_reported_with_a_red_check(orders, make_offer, make_contract) -> None:  # type: ignore[no-untyped-def]
    offers = [make_offer("od", 0, 6.0), make_offer("c", 12, 2.0, lead_time_hours=700)]
    end_s, (order,), late = orders([make_contract("k", 4, 3.0, 1.5, HOURS, notice_days=90)], offers)
    assert order.order_by_s == end_s + round(1.5 * MONTH_S) - 90 * DAY_S < end_s
    assert late == ["c", "k"]  # the order, and the verdict on the contract
