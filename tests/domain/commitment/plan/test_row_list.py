"""The list of one row: its orders and use part by part, and what a budget leaves of it, by hand."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.commitment.busy import BusyTable, Parts
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.history import knowing_all
from gpuplanner.domain.commitment.plan.row_list import Bought, RowList, row_list, within_budget
from gpuplanner.domain.commitment.recursion.allocation import RowToPlan, Signed, allocate
from gpuplanner.domain.commitment.recursion.calendar import ANY_TIME
from gpuplanner.domain.commitment.recursion.slice_policy import NO_ORDER, NOBODY, LimitedUse, no_orders
from gpuplanner.domain.commitment.result import Flex
from gpuplanner.domain.model.book.only import ModelMapping, Row
from gpuplanner.domain.model.plan.scenario import HandLayer
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.window import HOUR_S, MONTH_S
from tests.domain.commitment.conftest import offer

MONTH = 730.0


def a_row(
    *offers: Any,
    gpus: float = 2.0,
    months: int = 12,
    pool: Pool = Pool.TRAINING,
    rate: float = 6.0,
    **values: Any,
) -> RowToPlan:
    """A row that wants so many H100 in every hour of its months, at $6 by use."""
    mappings = (ModelMapping("H100", "H200", 1.6),)
    row = knowing_all(
        Row(pool, "H100"), [np.array([gpus])] * months, [rate] * months, offers, None, mappings, ANY_TIME
    )
    return replace(row, **values)


def signed_of(row: RowToPlan, *orders: tuple[int, int, int, int]) -> Signed:
    """Slice, place, and the months from and to which it is held; each follows the one before it that joins."""
    held = no_orders(12, row.slices)
    for slice_, place, begin, end in orders:
        held.offer[begin, slice_] = place
        held.start_s[begin, slice_], held.end_s[begin, slice_] = begin * MONTH_S, end * MONTH_S
        held.follows[begin, slice_] = any(at == slice_ and until == begin for at, _, _, until in orders)
    return Signed(orders=held, lasts=np.zeros((12, row.slices), np.bool_), value_usd=np.zeros(row.slices))


# --- What a list holds


def test_a_list_holds_orders_and_use_part_by_part() -> None:
    """The first of two slices for months 0 to 2 at $2 with $730 upfront, the second by use at $6."""
    row = a_row(offer("y1", 2, 2.0, upfront_usd=730))
    listed = row_list(row, signed_of(row, (0, 0, 0, 2)))
    (order,) = listed.orders
    assert (order.month, order.place, order.gpus, order.paid_gpus, order.hours) == (0, 0, 1.0, 1.0, 1460.0)
    assert (order.rate, order.upfront, order.usd_per_hour) == (2.0, 730.0, 2.5)
    assert order.hours_in(np.array([0, MONTH_S]), np.array([HOUR_S, 5 * MONTH_S])).tolist() == [1.0, 730.0]
    assert [listed.parts_of(month) for month in (0, 11)] == [slice(0, 1), slice(11, 12)]
    assert [hours for _, hours in listed.running(1)] == [730.0] and listed.running(2) == []
    assert [listed.orders_usd(month) for month in (0, 1, 2)] == [2.5 * 730, 2.5 * 730, 0.0]
    assert [listed.use_usd(month) for month in (0, 2)] == [6 * 730, 2 * 6 * 730]
    assert listed.usd == pytest.approx(2.5 * 1460 + 6 * 730 * (2 + 2 * 10))
    assert listed.used_in(0, 3 * MONTH_S) == 730 + 730 + 1460
    assert [listed.rate_by_use(month) for month in (0, 2)] == [6.0, 6.0]
    assert not listed.holds_unknown(0) and listed.unserved_in(0) == 0.0


def test_paid_gpus_are_whole_units_of_what_is_sold() -> None:
    """Nodes of 8 for 2; of an H200 that does the work of 1.6 two; what is idle of a quote comes on top."""
    for sold, paid in ((offer("n", 12, 2.0, unit_gpus=8), 8.0), (offer("b", 12, 2.0, gpu_model="H200"), 3.2)):
        row = replace(a_row(), offers=(sold,), ratios={"b": 1.6})
        (order,) = row_list(row, signed_of(row, (0, 0, 0, 12), (1, 0, 0, 12))).orders
        assert (order.gpus, order.paid_gpus) == (2.0, pytest.approx(paid))
        assert order.slices.tolist() == [0, 1]
    row = a_row(offer("q", 12, 2.0))
    signed = replace(signed_of(row, (0, 0, 0, 6), (1, 0, 6, 12)), idle={0: 3.0})
    assert [order.paid_gpus for order in row_list(row, signed).orders] == [
        4.0,
        1.0,
    ]  # the first of them has it


def test_orders_come_by_month_then_offer() -> None:
    row = a_row(offer("a", 12, 1.0), offer("b", 12, 2.0), gpus=3.0)
    listed = row_list(row, signed_of(row, (0, 1, 0, 12), (1, 0, 0, 12), (2, 0, 3, 9)))
    assert [(order.month, order.place, order.slices.tolist()) for order in listed.orders] == [
        (0, 0, [1]),
        (0, 1, [0]),
        (3, 0, [2]),
    ]


def test_what_nobody_sells_has_no_dollars() -> None:
    row = a_row()
    listed = row_list(row, signed_of(row, (0, NOBODY, 0, 3)))
    assert (listed.orders[0].rate, listed.orders[0].usd_per_hour, listed.orders_usd(0), listed.usd) == (
        None,
    ) * 4
    assert listed.holds_unknown(2) and not listed.holds_unknown(3)
    assert listed.orders_usd(3) == 0.0
    unsold = replace(
        row, flex=Flex(rate=None, category=PricingCategory.STANDARD, offer_id=None, spot_share=0.0)
    )
    nothing = row_list(unsold, signed_of(unsold))
    assert (nothing.use_usd(0), nothing.rate_by_use(0), nothing.unserved_in(0)) == (None, None, 0.0)
    held = row_list(unsold, signed_of(unsold, (0, NOBODY, 0, 12), (1, NOBODY, 0, 12)))
    assert held.use_usd(0) == 0.0 and held.rate_by_use(0) is None


def test_use_that_is_limited_is_unserved_where_nobody_has_any() -> None:
    """The first slice at $4 and in month 1 at $8, the second nobody's."""
    rates = np.array([[4.0, np.nan], [8.0, np.nan], *[[4.0, np.nan]] * 10])
    row = a_row(use=LimitedUse(rates, np.zeros(2, np.int64), (a_row().flex,)))
    listed = row_list(row, signed_of(row))
    assert [listed.use_usd(month) for month in (0, 1)] == [4 * 730, 8 * 730]
    assert (listed.unserved_in(0), listed.used_in(0, MONTH_S)) == (730.0, 730.0)
    assert [listed.rate_by_use(month) for month in (0, 1)] == [4.0, 8.0]


def test_a_rate_by_use_is_a_mean_of_what_is_used() -> None:
    """One slice at $4 with 730 hours and one at $8 with a half of them; where none is used that of both."""
    rates = np.array([[4.0, 8.0]] * 12)
    row = a_row(use=LimitedUse(rates, np.zeros(2, np.int64), (a_row().flex,)))
    parts = Parts(row.busy.parts.edges_s, np.array([[1.0, 0.5]] * 12))
    row = replace(
        row, busy=BusyTable(shares=row.busy.shares, state_of_month=row.busy.state_of_month, parts=parts)
    )
    assert row_list(row, signed_of(row)).rate_by_use(0) == pytest.approx((4 * 730 + 8 * 365) / (730 + 365))
    idle = replace(
        row,
        busy=BusyTable(
            shares=row.busy.shares,
            state_of_month=row.busy.state_of_month,
            parts=replace(parts, busy=parts.busy * 0),
        ),
    )
    assert row_list(idle, signed_of(idle)).rate_by_use(0) == 6.0


@pytest.mark.parametrize("hours", [0.0, 0.5, 730.0])
def test_what_nobody_sells_by_use_is_unserved_and_has_no_part_in_the_rate(hours: float) -> None:
    """The first slice pays $4 in all hours; the second is sold by nobody."""
    rates = np.array([[4.0, np.nan]] * 12)
    row = a_row(use=LimitedUse(rates, np.zeros(2, np.int64), (a_row().flex,)))
    parts = Parts(row.busy.parts.edges_s, np.array([[1.0, hours / 730]] * 12))
    row = replace(
        row, busy=BusyTable(shares=row.busy.shares, state_of_month=row.busy.state_of_month, parts=parts)
    )
    listed = row_list(row, signed_of(row))
    assert (listed.rate_by_use(0), listed.unserved_in(0)) == (4.0, pytest.approx(hours))
    assert listed.use_usd(0) == pytest.approx(4 * 730)


def test_hours_that_are_denied_are_served_by_nobody() -> None:
    """200 hours of month 0 of the second slice; of the first, which an order holds, none."""
    row = a_row(offer("y1", 12, 2.0))
    denied = np.zeros((12, 2))
    denied[0] = 200.0
    listed = row_list(row, signed_of(row, (0, 0, 0, 12)), denied)
    assert (listed.unserved_in(0), listed.use_usd(0)) == (200.0, 6 * 530.0)
    denied[0] = 9999.0
    assert row_list(row, signed_of(row, (0, 0, 0, 12)), denied).unserved_in(0) == 730.0


def test_lists_are_of_twelve_months_and_of_runs_of_all() -> None:
    row = a_row(months=24)
    orders = replace(row, market=replace(row.market))
    nothing = Signed(orders=no_orders(24, 2), lasts=np.zeros((24, 2), np.bool_), value_usd=np.zeros(2))
    assert len(row_list(orders, nothing).busy) == 12
    assert len(row_list(replace(row, is_run=True), nothing).busy) == 24


# --- A budget


def bought(row: RowToPlan, *orders: tuple[int, int, int, int]) -> Bought:
    signed = signed_of(row, *orders)
    return Bought(row=row, signed=signed, listed=row_list(row, signed))


def kept_within(
    rows: Sequence[Bought], contracts_usd: Sequence[float | None], budget_usd: float
) -> list[Bought]:
    """Bursts give way first, then what trains, then what serves."""
    order = [frozenset({pool}) for pool in (Pool.BURST, Pool.TRAINING, Pool.INFERENCE)]
    return within_budget(rows, contracts_usd, budget_usd, order)


def usd(listed: RowList, month: int) -> float:
    return (listed.orders_usd(month) or 0.0) + (listed.use_usd(month) or 0.0)


def test_a_budget_takes_the_use_of_the_highest_slice_first() -> None:
    """Three GPUs at $6 are $13,140 a month. Of $9,000 two are left; with a contract of $1,000 one."""
    row = a_row(gpus=3.0)
    (kept,) = kept_within([bought(row)], [0.0] * 12, 9000.0)
    assert [usd(kept.listed, month) for month in (0, 11)] == [2 * 6 * 730] * 2
    assert kept.denied_h is not None and kept.denied_h[0].tolist() == [0.0, 0.0, 730.0]
    assert kept.lost_usd is not None and kept.lost_usd[0].tolist() == pytest.approx([0.0, 0.0, 6 * 730])
    (less,) = kept_within([bought(row)], [1000.0, *[0.0] * 11], 9000.0)
    assert [usd(less.listed, month) for month in (0, 1)] == [6 * 730, 2 * 6 * 730]
    (unknown,) = kept_within([bought(row)], [None, *[0.0] * 11], 9000.0)
    assert [usd(unknown.listed, month) for month in (0, 1)] == [3 * 6 * 730, 2 * 6 * 730]
    (exactly,) = kept_within([bought(row)], [0.0] * 12, 2 * 6 * 730.0)
    assert usd(exactly.listed, 0) == 2 * 6 * 730
    (enough,) = kept_within([bought(row)], [0.0] * 12, 99_999.0)
    assert usd(enough.listed, 0) == 3 * 6 * 730 and not enough.denied_h.any()  # type: ignore[union-attr]


def test_a_budget_takes_bursts_then_training_then_inference() -> None:
    """Each pool $4,380; the dearest rate within a pool first."""
    rows = [bought(a_row(gpus=1.0, pool=pool)) for pool in (Pool.INFERENCE, Pool.TRAINING, Pool.BURST)]
    kept = kept_within(rows, [0.0] * 12, 9000.0)
    assert [usd(each.listed, 0) for each in kept] == [4380.0, 4380.0, 0.0]
    kept = kept_within(rows, [0.0] * 12, 5000.0)
    assert [usd(each.listed, 0) for each in kept] == [4380.0, 0.0, 0.0]
    two = [bought(a_row(gpus=1.0, rate=6.0)), bought(a_row(gpus=1.0, rate=7.0))]
    assert [usd(each.listed, 0) for each in kept_within(two, [0.0] * 12, 5000.0)] == [4380.0, 0.0]


def test_of_rows_that_are_alike_the_first_by_model_gives_way() -> None:
    """Then the higher slice of all goes first, whatever its row."""
    rows = [bought(replace(a_row(gpus=1.0), gpu_model=model)) for model in ("H100", "A100", None)]
    kept = kept_within(rows, [0.0] * 12, 9000.0)
    assert [usd(each.listed, 0) for each in kept] == [4380.0, 4380.0, 0.0]
    kept = kept_within(rows[:2], [0.0] * 12, 5000.0)
    assert [usd(each.listed, 0) for each in kept] == [4380.0, 0.0]
    tall = [bought(a_row(gpus=1.0)), bought(replace(a_row(gpus=2.0), gpu_model="Z"))]
    kept = kept_within(tall, [0.0] * 12, 9000.0)
    assert [usd(each.listed, 0) for each in kept] == [4380.0, 4380.0]


def test_an_order_that_gives_way_starts_as_its_month_ends() -> None:
    """A month for $2, then a year at $2: with nothing in month 0 the chain begins with month 1."""
    row = a_row(offer("y1", 12, 2.0), offer("m1", 1, 2.5), gpus=1.0)
    (kept,) = kept_within([bought(row, (0, 1, 0, 1), (0, 0, 1, 13))], [2000.0, *[0.0] * 11], 2500.0)
    orders = kept.signed.orders
    assert (orders.start_s[0, 0], orders.end_s[0, 0]) == (MONTH_S, 2 * MONTH_S)
    assert (orders.start_s[1, 0], orders.end_s[1, 0], bool(orders.follows[1, 0])) == (
        2 * MONTH_S,
        14 * MONTH_S,
        True,
    )
    assert not orders.follows[0, 0]
    assert kept.denied_h is not None and kept.denied_h[:2, 0].tolist() == [730.0, 0.0]
    assert kept.lost_usd is not None and kept.lost_usd[0, 0] == pytest.approx(2.5 * 730)
    assert [usd(kept.listed, month) for month in (0, 1, 2)] == pytest.approx([0.0, 1825.0, 1460.0])


@pytest.mark.parametrize(
    ("second", "starts", "follows"),
    [
        (1, [1, 2], True),  # it follows, and does so still
        (3, [1, 3], False),  # two months later: it keeps its day
    ],
)
def test_orders_behind_one_that_gives_way_move_where_they_follow_it(
    second: int, starts: list[int], follows: bool
) -> None:
    row = a_row(offer("m1", 1, 2.0), gpus=1.0)
    (kept,) = kept_within([bought(row, (0, 0, 0, 1), (0, 0, second, second + 1))], [0.0, *[None] * 11], 100.0)
    orders = kept.signed.orders
    assert [int(at) // MONTH_S for at in orders.start_s[[0, second], 0]] == starts
    assert [bool(at) for at in orders.follows[[0, second], 0]] == [False, follows]
    assert [int(at) // MONTH_S for at in orders.end_s[[0, second], 0]] == [at + 1 for at in starts]


def test_an_order_that_nobody_needs_any_more_is_not_placed() -> None:
    """Demand is there in month 0 alone: an order that may only begin later serves nobody."""
    row = a_row(offer("m1", 1, 2.0), gpus=1.0)
    busy = np.zeros((12, 1))
    busy[0] = 1.0
    row = replace(
        row,
        busy=BusyTable(
            shares=row.busy.shares,
            state_of_month=row.busy.state_of_month,
            parts=Parts(row.busy.parts.edges_s, busy),
        ),
    )
    (kept,) = kept_within([bought(row, (0, 0, 0, 1))], [0.0] * 12, 100.0)
    assert (kept.signed.orders.offer == NO_ORDER).all()
    assert [usd(kept.listed, month) for month in range(12)] == [0.0] * 12
    assert kept.listed.unserved_in(0) == 730.0


def test_an_order_that_is_dear_for_what_it_serves_goes_before_use() -> None:
    """Of an order at $5 a tenth is used: $50 for an hour that it serves, beside $6."""
    row = a_row(offer("y1", 12, 5.0))
    busy = np.array([[1.0, 0.1]] * 12)
    row = replace(
        row,
        busy=BusyTable(
            shares=row.busy.shares,
            state_of_month=row.busy.state_of_month,
            parts=Parts(row.busy.parts.edges_s, busy),
        ),
    )
    (kept,) = kept_within([bought(row, (1, 0, 0, 12))], [0.0] * 12, 6 * 730.0)
    assert [usd(kept.listed, month) for month in range(12)] == pytest.approx([6 * 730.0] * 12)


def test_use_before_an_order_begins_is_lost_for_its_hours_alone() -> None:
    """An order at $2 from half of month 0 on: of $1,460 the other half by use at $6 is given up."""
    row = a_row(offer("y1", 12, 2.0), gpus=1.0)
    signed = signed_of(row, (0, 0, 0, 12))
    signed.orders.start_s[0, 0] = MONTH_S // 2
    (kept,) = kept_within(
        [Bought(row=row, signed=signed, listed=row_list(row, signed))], [0.0] * 12, 2 * 730.0
    )
    assert usd(kept.listed, 0) == pytest.approx(365 * 2)
    assert kept.lost_usd is not None and kept.lost_usd[0, 0] == pytest.approx(365 * 6)
    assert kept.listed.unserved_in(0) == 365.0


def test_an_order_from_within_a_month_gives_way_for_its_hours_alone() -> None:
    """At $9 from half of month 0 on it is dearer than use at $6 before it: 365 h of each are $5,475."""
    row = a_row(offer("y1", 12, 9.0), gpus=1.0)
    signed = signed_of(row, (0, 0, 0, 12))
    signed.orders.start_s[0, 0], signed.orders.end_s[0, 0] = MONTH_S // 2, 25 * MONTH_S // 2
    (kept,) = kept_within(
        [Bought(row=row, signed=signed, listed=row_list(row, signed))], [0.0, *[None] * 11], 2500.0
    )
    assert kept.denied_h is not None and kept.denied_h[:, 0].tolist() == [365.0, *[0.0] * 11]
    assert (usd(kept.listed, 0), kept.listed.unserved_in(0)) == (365 * 6.0, 365.0)
    assert kept.lost_usd is not None and kept.lost_usd[:, 0].tolist() == [365 * 9.0, *[0.0] * 11]
    assert [usd(kept.listed, month) for month in (1, 11)] == [9 * 730.0] * 2
    assert (kept.signed.orders.start_s[0, 0], kept.signed.orders.end_s[0, 0]) == (MONTH_S, 13 * MONTH_S)
    (later,) = kept_within(
        [Bought(row=row, signed=signed, listed=row_list(row, signed))], [None, 0.0, *[None] * 10], 100.0
    )  # only month 1 is over: the half of month 0 that it had is not served either
    assert later.denied_h is not None and later.denied_h[:3, 0].tolist() == [365.0, 730.0, 0.0]


def test_levels_set_by_hand_are_listed_as_they_are_held() -> None:
    row = a_row(offer("m3", 3, 4.0), hand=(HandLayer(3, 1),))
    (signed,), *_ = allocate([row], 12, AdviceCache())
    listed = row_list(row, signed)
    assert [(order.month, order.hours) for order in listed.orders] == [
        (month, 3 * MONTH) for month in (0, 3, 6, 9)
    ]
    assert listed.orders_usd(5) == 4 * 730
