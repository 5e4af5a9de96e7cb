"""Rows of a request: who they are for, from when on, under which number, and how many GPUs, by hand."""

import re
from dataclasses import replace
from typing import Any

import pytest

from gpuplanner.domain.commitment.asked_rows import (
    MONTHS_OF_HOURS,
    AskedRow,
    Asking,
    as_asked,
    asked_in,
    asked_now_words,
    asked_of_vendors,
    asked_rows,
    asked_words,
    asking_in,
    begins_s,
    calendar_words,
    is_in_time,
    is_over,
    latest_start_s,
    rows_quoted_for,
    unasked_words,
    usual_asking,
    whole_nodes,
)
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.listed_order import ListedOrder
from gpuplanner.domain.commitment.plan.ground import ground_of
from gpuplanner.domain.commitment.recursion.calendar import Calendar
from gpuplanner.domain.commitment.result import IF_IT_LASTS, Order
from gpuplanner.domain.fit.needs import NOTHING_ASKED, AskedNeeds
from gpuplanner.domain.model.book.only import ANYBODY, Only, Row
from gpuplanner.domain.model.intake import UNANSWERED, RequestDays, SentRow
from gpuplanner.domain.model.project import with_nodes
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.window import DAY_S, HOUR_S, MONTH_S, instant_s, iso_day
from tests.domain.commitment.conftest import Load, case, offer

BEGIN_S = instant_s("2026-10-01")
NOON_S = 12 * HOUR_S


def order(start: float = 0, ahead: float = 0, months: int = 3, **values: Any) -> Order:
    """4 H100 from so many days after the plan begins on, ordered so many days ahead."""
    start_s = BEGIN_S + round(start * DAY_S)
    base = Order(
        pool=Pool.TRAINING,
        gpu_model="H100",
        offer_id="o",
        term_months=months,
        gpus=4.0,
        start_s=start_s,
        end_s=start_s + months * MONTH_S,
        order_by_s=start_s - round(ahead * DAY_S),
        reason="now",
        offer_gpu_model="H100",
        offer_gpus=4.0,
        rate=2.0,
    )
    return replace(base, **values)


def row(start: int = 0, months: int = 3, *orders: Order, **values: Any) -> AskedRow:
    """8 H100 in nodes of 8 from a day on."""
    of = orders or (order(start, months=months),)
    base = AskedRow(
        name="R1",
        is_option=False,
        gpu_model="H100",
        gpus=8,
        node_gpus=8,
        term_months=months,
        term_days=0,
        start_s=BEGIN_S + start * DAY_S,
        needs=NOTHING_ASKED,
        only=ANYBODY,
        orders=of,
    )
    return replace(base, **values)


def listed(*chains: Order | tuple[Order, ...]) -> list[ListedOrder]:
    """Orders in a list, each with those that renew it, numbered from 1."""
    of = [chain if isinstance(chain, tuple) else (chain,) for chain in chains]
    return [
        ListedOrder(number=number, orders=chain, order_ids=tuple(map(str, range(len(chain)))))
        for number, chain in enumerate(of, 1)
    ]


def figures(words: object) -> list[str]:
    return re.findall(r"\$?\d(?:[\d,.]*\d)?", str(words))


# --- Days of a request

ASKING = Asking(
    today_s=BEGIN_S, reply_by_s=BEGIN_S + 14 * DAY_S, decide_s=5 * DAY_S, leads_s={"o": 2 * DAY_S}
)


@pytest.mark.parametrize(
    ("item", "placed", "starts"),
    [
        (order(), 19, 21),  # waits for replies, then for its lead
        (order(100, 19), 81, 100),  # in time for its own day
        (order(30, 11, reason="growth"), 19, 30),  # placed on the day by which it is to be ordered
        (order(30, 27, reason="growth"), 19, 30),  # too late for its day, its lead is 2 days
        (order(20, 19, reason="growth"), 19, 21),  # too late by a day
        (order(0, 0, capex_per_gpu=1.0), 0, 0),  # is bought
        (order(0, 0, offer_id="new"), 19, 19),  # a lead that the request does not know: as in the plan
        (order(3, 3, offer_id="new"), 19, 22),
    ],
)
def test_an_order_waits_for_replies_and_starts_after_its_lead(item: Order, placed: int, starts: int) -> None:
    assert (ASKING.order_day_s(item) - BEGIN_S) / DAY_S == placed
    if not item.is_bought:
        assert (ASKING.quoted_start_s(item) - BEGIN_S) / DAY_S == starts
        assert ASKING.is_too_late(item) is (item.order_by_s < BEGIN_S + 19 * DAY_S)


def test_usual_days_are_two_weeks_for_replies_and_five_days_to_decide() -> None:
    offers = [
        offer("a", 12, 2.0, lead_time_hours=48.0),
        offer("q", 12, 2.0, source="Quote RFQ-20260925-AAAA R1 for 2026-10-01"),
    ]
    asking = usual_asking(BEGIN_S + NOON_S, offers)
    assert asking.days == RequestDays(BEGIN_S, BEGIN_S + 14 * DAY_S, 5 * DAY_S)
    assert asking.leads_s == {"a": 2 * DAY_S, "q": 0}
    assert asking_in(asking.days, offers) == asking


# --- Rows, their nodes and starts


@pytest.mark.parametrize(("gpus", "whole"), [(0.0, 8), (8.0000001, 8), (8.00001, 16), (17, 24)])
def test_whole_nodes(gpus: float, whole: int) -> None:
    assert whole_nodes(gpus, 8) == whole


def test_no_vendor_is_asked_for_gpus_of_our_own() -> None:
    own = offer("own", 0, None, pricing_category=PricingCategory.OWNED)
    orders = (order(offer_id="own", gpus=16.0, offer_gpus=16.0), order())
    assert asked_of_vendors(orders, [own, offer("o", 3, 2.0)]) == orders[1:]
    assert figures(unasked_words(orders, [own])) == ["16"]
    assert not unasked_words(orders[1:], [own])
    dollars = replace(orders[1], gpu_model="$/h H100", offer_id="sp", rate=82.56)
    assert figures(unasked_words([*orders, dollars], [own])) == ["16", "$82.56"]


def test_rows_have_the_node_needs_and_term_of_their_orders() -> None:
    items = [
        order(5, reason=IF_IT_LASTS),
        order(20.5),
        order(3, months=2, term_days=45),
        order(3, gpu_model="H100 @ Vela", offer_gpu_model="H200", offer_gpus=3.0),
    ]
    needs = {Row(Pool.TRAINING, "H100"): AskedNeeds("infiniband")}
    found = asked_rows(listed(*items), needs, {"H100": 8}, BEGIN_S)
    columns = [
        (at.name, at.is_option, at.gpu_model, at.gpus, at.term_months, at.term_days, at.term_words)
        for at in found
    ]
    assert columns == [
        ("O1", True, "H100", 8, 3, 0, "3 months"),
        ("O2", False, "H100", 8, 3, 0, "3 months"),
        ("O3", False, "H100", 8, 0, 45, "45 days"),
        ("O4", False, "H200", 3, 3, 0, "3 months"),
    ]
    assert [at.needs.interconnect for at in found] == ["infiniband", "infiniband", "infiniband", None]
    assert [at.only for at in found] == [ANYBODY, ANYBODY, ANYBODY, Only("Vela")]
    assert [(at.start_s - BEGIN_S) / DAY_S for at in found] == [5, 20, 3, 3]
    # before its own day, or without one: the soonest
    assert [at.is_soonest for at in found] == [False, True, True, True]
    at_list_price = [replace(one, is_at_list_price=one.number == 2) for one in listed(*items)]
    assert [at.number for at in asked_rows(at_list_price, needs, {}, BEGIN_S)] == [1, 3, 4]
    assert row(3, 3, order(3, reason="growth")).is_soonest is False
    assert row(3, 3, order(2, reason="growth")).is_soonest is True


@pytest.mark.parametrize(("hours", "is_gone"), [(-1, False), (0, False), (10, False), (14, True), (38, True)])
def test_a_term_is_over_on_the_day_after_it(hours: int, is_gone: bool) -> None:
    """A month ends on day 30 at 10; a day that begins then is over with it."""
    item = order(0, months=1)
    assert is_over(item, item.end_s + hours * HOUR_S) is is_gone
    midnight = replace(item, end_s=BEGIN_S + 30 * DAY_S)
    assert is_over(midnight, midnight.end_s) and not is_over(midnight, midnight.end_s - 1)


# --- Words of rows


def test_firm_rows_that_whole_nodes_round_up_are_named() -> None:
    full = row(gpus=4, node_gpus=4)
    option = row(is_option=True, gpus=80)
    assert not asked_words([full, option])
    spread = [row(), full, row(gpus=12, node_gpus=12, name="O3")]  # 8 and 12 where 4 each are ordered
    assert figures(asked_words(spread)) == ["1", "3", "8", "12"]
    assert figures(asked_words(spread, 1234.4))[-1] == "$1,234"


def test_what_is_signed_now_says_what_is_asked_for() -> None:
    first, month, own = order(), order(months=1), order(capex_per_gpu=1.0)
    rows = [row(0, 3, first), row(9, 3, order(9))]
    assert figures(asked_now_words(rows, [first])) == ["4", "8"]
    assert figures(asked_now_words(rows, [first, month, own])) == ["4", "8"]
    assert not asked_now_words([row(0, 3, first, gpus=4)], [first])
    assert not asked_now_words(rows, []) and not asked_now_words([], [first, month])
    single = order(offer_gpus=1.0)
    words = asked_now_words([row(0, 3, single)], [single])
    assert "GPU to" in str(words) and "GPUs to" in str(asked_now_words(rows, [first]))


@pytest.mark.parametrize(
    ("values", "is_said"), [({"terms": 2}, True), ({}, False), ({"terms": 2, "term_days": 30}, False)]
)
def test_months_of_hours_are_told_where_months_follow(values: dict[str, Any], is_said: bool) -> None:
    words = calendar_words([row(**values)])
    assert (str(MONTHS_OF_HOURS) in str(words)) is is_said is bool(words)


# --- Rows that renew each other


def test_orders_that_renew_each_other_are_one_row_with_whole_terms() -> None:
    """Months of 730 h begin on days 0, 30 and 60 at 20: the last ends on day 91 at 6."""
    months = tuple(
        replace(order(months=1), start_s=BEGIN_S + at * MONTH_S, end_s=BEGIN_S + (at + 1) * MONTH_S)
        for at in range(3)
    )
    (found,) = asked_rows(listed(months), {}, {}, BEGIN_S)
    assert (found.terms, found.until_s, found.ordered_gpus) == (3, BEGIN_S + 91 * DAY_S, 4.0)
    (late,) = asked_rows(listed(months), {}, {}, BEGIN_S, ASKING)  # from day 21 on: 70 days are two months
    assert (late.start_s, late.terms, late.until_s) == (BEGIN_S + 21 * DAY_S, 2, BEGIN_S + 91 * DAY_S)
    (once,) = asked_rows(listed(months[:1]), {}, {}, BEGIN_S)
    assert (once.terms, once.until_s) == (1, None)


@pytest.mark.parametrize(("hours", "until"), [(10 * 24, None), (19 * 24 - 1, None), (19 * 24, 19), (730, 30)])
def test_a_term_of_days_is_renewed_until_its_order_ends(hours: int, until: int | None) -> None:
    item = order(term_days=10)
    item = replace(item, end_s=item.start_s + hours * HOUR_S)
    (found,) = asked_rows(listed(item), {}, {}, BEGIN_S)
    assert found.until_s == (None if until is None else BEGIN_S + until * DAY_S)


# --- Which row a quote is for, and whether it comes in time


def quoted(number: int, days: int = 0, **values: Any) -> Any:
    """What a vendor answered to a row of the request of 25 September for a day."""
    return offer(
        f"q{number}", 3, 2.0, **({"source": f"Quote RFQ-20260925-AAAA R{number} for {iso(days)}"} | values)
    )


def iso(days: int) -> str:
    """A day of the plan."""
    return iso_day(BEGIN_S + days * DAY_S)


def test_a_quote_might_be_given_to_the_rows_of_its_months() -> None:
    rows = [
        row(0),
        row(40, 3, order(40), name="R2"),
        row(0, 12, name="R3"),
        row(0, gpu_model="A100", name="R4"),
    ]
    calendar = Calendar(begin_s=BEGIN_S)
    assert rows_quoted_for(quoted(9, 0), rows, calendar) == (0,)
    assert rows_quoted_for(quoted(9, 40), rows, calendar) == (1,)
    assert rows_quoted_for(quoted(9, 200), rows, calendar) == ()
    assert rows_quoted_for(quoted(9, 40), rows) == (1,)  # months are not known: the nearest
    assert rows_quoted_for(offer("list", 3, 2.0), rows, calendar) is None
    limited = [replace(rows[0], only=Only("Vela"))]
    assert rows_quoted_for(quoted(9, 0), limited, calendar) == ()
    assert rows_quoted_for(quoted(9, 0, provider="Vela"), limited, calendar) == (0,)


def test_a_quote_stands_beside_the_row_that_was_given_it_then_the_nearest_then_its_number() -> None:
    rows = [row(3), row(10, name="R2"), row(10, name="R3")]
    assert rows_quoted_for(quoted(9, 5), rows) == (0,)
    assert rows_quoted_for(quoted(9, 7), rows) == (1,)
    assert rows_quoted_for(quoted(3, 7), rows) == (2,)  # of two as near its own number
    rows[2] = replace(rows[2], orders=(order(10, offer_id="q9"),))
    assert rows_quoted_for(quoted(9, 3), rows) == (2,)


def test_an_offer_begins_after_its_lead_and_once_it_is_there() -> None:
    slow = offer("a", 3, 2.0, lead_time_hours=48.0)
    assert begins_s(slow, BEGIN_S + NOON_S) == BEGIN_S + 2 * DAY_S
    assert begins_s(replace(slow, starts=iso(9)), BEGIN_S) == BEGIN_S + 9 * DAY_S
    assert begins_s(replace(slow, starts=iso(1)), BEGIN_S) == BEGIN_S + 2 * DAY_S
    assert is_in_time(slow, BEGIN_S + 2 * DAY_S + NOON_S, BEGIN_S) and is_in_time(
        slow, BEGIN_S + 2 * DAY_S, BEGIN_S
    )
    assert not is_in_time(slow, BEGIN_S + 2 * DAY_S - 1, BEGIN_S)


def test_the_latest_start_is_what_the_plans_own_offers_can_keep() -> None:
    asked = row(1, 3, order(1), order(1, offer_id="b"))
    leads = {"o": 5 * DAY_S, "b": 3 * DAY_S, "c": 0}
    assert latest_start_s(asked, leads, BEGIN_S + NOON_S) == BEGIN_S + 3 * DAY_S
    assert latest_start_s(row(9), leads, BEGIN_S) == BEGIN_S + 9 * DAY_S
    assert latest_start_s(row(1), {}, BEGIN_S + 2 * DAY_S) == BEGIN_S + 2 * DAY_S


# --- Rows of a plan, under the numbers that vendors know


@pytest.mark.parametrize(
    ("unit", "nodes", "units", "gpus"),
    [
        (None, {}, (), 5),
        (None, {"H100": 4}, (), 8),
        (None, {"H100": 6}, (), 5),
        (None, {"H100": 4}, (2, 16), 16),
        (3, {"H100": 4}, (), 6),
        (1, {"H100": 4}, (), 5),
    ],
)
def test_rows_of_a_plan_are_in_the_nodes_that_are_sold(
    unit: int | None, nodes: dict[str, int], units: tuple[int, ...], gpus: int
) -> None:
    """Those in which its pools are sold them: the largest unit that an offer with a term states, or the usual node of
    bare metal where the peak is one; what is assumed counts before both."""
    offers = [offer("od", 0, 4.0, unit_gpus=64), offer("o", 3, 2.0)]
    offers += [offer(f"u{size}", 12, 2.0, unit_gpus=size) for size in sorted(units, reverse=True)]
    own = offer("own", 0, None, pricing_category=PricingCategory.OWNED)
    made = case([Load(pool=Pool.TRAINING, gpus=[5.0] * 200)], offers=[*offers, own], unit=unit)
    project = with_nodes(made.project, nodes)
    ground = ground_of(project, project.scenarios[0], made.pools, AdviceCache())
    orders = [order(offer_gpus=5.0), order(offer_id="own")]
    (found,) = asked_in(ground, listed(*orders), BEGIN_S)
    assert (found.gpus, found.orders, found.name) == (gpus, tuple(orders[:1]), "O1")


def sent(number: int, days: int | None, **values: Any) -> SentRow:
    """A row of the request of 25 September."""
    base = SentRow(
        reference="RFQ-20260925-AAAA",
        name=f"O{number}",
        gpu_model="h100",
        term_months=3,
        term_days=0,
        start=None if days is None else iso(days),
        is_option=False,
        region="",
        interconnect=None,
        vendor="Vela",
        quoted_on=None,
        answer=UNANSWERED,
        line=number,
    )
    return replace(base, **values)


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        (sent(5, 3), "O5"),  # three days away
        (sent(5, 4), "O6"),
        (sent(5, None), "O6"),
        (sent(5, 30, is_soonest=True), "O5"),  # the first day that it allowed; wanted since before
        (sent(5, 31, is_soonest=True), "O6"),  # over a month away
        (sent(5, -6, is_soonest=True), "O6"),  # the order is of a later day
        (sent(5, 0, gpus=8, bare_metal=True), "O6"),
        (sent(5, 0, gpus=8, bare_metal=False), "O5"),
    ],
)
def test_a_row_is_one_that_was_sent_if_it_starts_near_it(asked: SentRow, name: str) -> None:
    assert [at.name for at in as_asked([row(name="O6")], [asked])] == [name]


def test_the_nearest_start_has_the_number() -> None:
    rows = [row(name="O1"), row(2, name="O2")]
    found = as_asked(rows, [sent(7, 2), sent(8, 1)])
    assert [(at.name, at.start_s) for at in found] == [("O7", rows[1].start_s), ("O8", rows[0].start_s)]
