"""Rows of a request: who they are for, from when on, under which number, and how many GPUs, by hand."""

import re
from dataclasses import replace
from typing import Any

import pytest

from gpuplanner.domain.commitment.asked_rows import (
    MONTHS_OF_HOURS,
    AskedRow,
    Asking,
    as_numbered,
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
    renewed_rows,
    row_quoted_for,
    rows_quoted_for,
    runs_of,
    starts_from,
    unasked_words,
    usual_asking,
    waiting_words,
    whole_nodes,
)
from gpuplanner.domain.commitment.cache import AdviceCache
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
        (order(30, 12, reason="growth"), 18, 30),  # replies by day 13
        (order(30, 27, reason="growth"), 8, 30),  # replies by day 3 at the soonest, its lead is 2 days
        (order(9, 8, reason="growth"), 8, 10),  # too late by a day
        (order(0, 0, offer_id="q"), 0, 0),  # was quoted already
        (order(0, 0, capex_per_gpu=1.0), 0, 0),  # is bought
        (order(0, 0, offer_id="new"), 19, 19),  # a lead that the request does not know: as in the plan
        (order(3, 3, offer_id="new"), 19, 22),
    ],
)
def test_an_order_waits_for_replies_and_starts_after_its_lead(item: Order, placed: int, starts: int) -> None:
    asking = replace(ASKING, quoted=frozenset({"q"}))
    assert (asking.order_day_s(item) - BEGIN_S) / DAY_S == placed
    assert (asking.start_s(item) - BEGIN_S) / DAY_S == starts


@pytest.mark.parametrize(
    ("item", "is_free"),
    [
        (order(months=1), True),
        (order(months=2), False),
        (order(months=2, term_days=31), True),
        (order(months=2, term_days=32), False),
        (order(months=1, rate=None), False),
        (order(months=1, capex_per_gpu=1.0), False),
        (order(100, 50, 1), False),  # its day is after the replies
    ],
)
def test_what_bridges_a_month_needs_no_quote(item: Order, is_free: bool) -> None:
    assert ASKING.needs_no_quote(item) is is_free
    if is_free:
        assert ASKING.order_day_s(item) == BEGIN_S  # nobody is asked
        assert starts_from([item], BEGIN_S, ASKING) == []


def test_usual_days_are_two_weeks_for_replies_and_five_days_to_decide() -> None:
    offers = [
        offer("a", 12, 2.0, lead_time_hours=48.0),
        offer("q", 12, 2.0, source="Quote RFQ-20260925-AAAA R1 for 2026-10-01"),
    ]
    asking = usual_asking(BEGIN_S + NOON_S, offers)
    assert asking.days == RequestDays(BEGIN_S, BEGIN_S + 14 * DAY_S, 5 * DAY_S)
    assert (asking.leads_s, asking.quoted) == ({"a": 2 * DAY_S, "q": 0}, {"q"})
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
    found = asked_rows(items, needs, {"H100": 8}, BEGIN_S)
    columns = [
        (at.name, at.is_option, at.gpu_model, at.gpus, at.term_months, at.term_days, at.term_words)
        for at in found
    ]
    assert columns == [
        ("R1", False, "H100", 8, 0, 45, "45 days"),
        ("R2", False, "H200", 3, 3, 0, "3 months"),
        ("R3", False, "H100", 8, 3, 0, "3 months"),
        ("R4", True, "H100", 8, 3, 0, "3 months"),
    ]
    assert [at.needs.interconnect for at in found] == ["infiniband", None, "infiniband", "infiniband"]
    assert [at.only for at in found] == [ANYBODY, Only("Vela"), ANYBODY, ANYBODY]
    assert [(at.start_s - BEGIN_S) / DAY_S for at in found] == [3, 3, 20, 5]
    # before its own day, or without one: the soonest
    assert [at.is_soonest for at in found] == [True, True, True, False]
    assert row(3, 3, order(3, reason="growth")).is_soonest is False
    assert row(3, 3, order(2, reason="growth")).is_soonest is True


@pytest.mark.parametrize(("hours", "is_gone"), [(-1, False), (0, False), (10, False), (14, True), (38, True)])
def test_a_term_is_over_on_the_day_after_it(hours: int, is_gone: bool) -> None:
    """A month ends on day 30 at 10; a day that begins then is over with it."""
    item = order(0, months=1)
    assert is_over(item, item.end_s + hours * HOUR_S) is is_gone
    midnight = replace(item, end_s=BEGIN_S + 30 * DAY_S)
    assert is_over(midnight, midnight.end_s) and not is_over(midnight, midnight.end_s - 1)


def test_what_follows_a_late_order_starts_as_that_ends() -> None:
    """The first starts on day 21, so that its month ends on day 51 at 10."""
    first = order(0, months=2)
    then = order(0, months=3, reason="follows", follows=True)
    then = replace(then, start_s=first.end_s, end_s=first.end_s + 3 * MONTH_S, order_by_s=first.end_s)
    late_s = BEGIN_S + 21 * DAY_S + 2 * MONTH_S

    def start_of(item: Order, *before: Order) -> int:
        return {id(of): at_s for of, at_s in starts_from([*before, item], BEGIN_S, ASKING)}[id(item)]

    assert start_of(then, first) == late_s - late_s % DAY_S
    own = then.start_s - then.start_s % DAY_S
    assert start_of(replace(then, follows=False), first) == own
    assert start_of(then, replace(first, gpus=5.0)) == own  # is not of its like
    assert start_of(then, replace(first, gpu_model="A100")) == own
    assert start_of(then, replace(first, pool=Pool.BURST)) == own
    assert start_of(then, replace(first, end_s=first.end_s - 2 * DAY_S)) == own  # ends long before
    assert start_of(then, replace(first, offer_id="q", start_s=BEGIN_S), order(0)) > own
    in_time = replace(ASKING, quoted=frozenset({"o"}))
    assert [at_s for _, at_s in starts_from([first, then], BEGIN_S, in_time)] == [BEGIN_S, own]


# --- Words of rows


def test_firm_rows_say_how_many_gpus_are_asked_for_and_ordered() -> None:
    full = row(gpus=4, node_gpus=4)
    option = row(is_option=True, gpus=80)
    assert figures(asked_words([full, option])) == ["4"]
    spread = [row(), full, row(gpus=12, node_gpus=12)]  # 8 + 4 + 12 where 12 are ordered
    assert figures(asked_words(spread)) == ["24", "12", "8", "12"]
    assert figures(asked_words(spread, 1234.4))[-1] == "$1,234"


def test_what_is_signed_now_says_what_is_asked_for_and_what_bridges() -> None:
    first, month, own = order(), order(months=1), order(capex_per_gpu=1.0)
    rows = [row(0, 3, first), row(9, 3, order(9))]
    assert figures(asked_now_words(rows, [first])) == ["4", "8"]
    assert figures(asked_now_words(rows, [first, month, own])) == ["8", "4", "8", "4"]
    assert not asked_now_words([row(0, 3, first, gpus=4)], [first])
    assert not asked_now_words(rows, []) and not asked_now_words([], [first, month])
    single = order(offer_gpus=1.0)
    words = asked_now_words([row(0, 3, single)], [single])
    assert "GPU to" in str(words) and "GPUs to" in str(asked_now_words(rows, [first]))


def test_rows_that_wait_are_named() -> None:
    rows = [row(name="R1"), row(30, 3, order(30, reason="growth"), name="R2"), row(name="R3")]
    assert "R1, R3" in str(waiting_words(rows, ASKING)) and "20 Oct 2026" in str(waiting_words(rows, ASKING))
    assert "R" not in str(waiting_words(rows[1:2], ASKING))


@pytest.mark.parametrize(
    ("values", "is_said"),
    [
        ({"reason": "follows", "follows": True}, True),
        ({"reason": "bridge", "follows": True}, True),
        ({"reason": "bridge"}, False),
        ({"reason": "growth", "follows": True}, False),
        ({"reason": "follows", "follows": True, "term_days": 30}, False),
    ],
)
def test_months_of_hours_are_told_where_months_follow(values: dict[str, Any], is_said: bool) -> None:
    words = calendar_words([row(0, 3, order(), order(**values))])
    assert (str(MONTHS_OF_HOURS) in str(words)) is is_said is bool(words)


# --- Rows that renew each other


def test_rows_that_renew_each_other_are_one_line() -> None:
    """Months of 730 h begin on days 0, 30 and 60 at 20: the last ends on day 91 at 6."""
    rows = [
        row(
            at,
            1,
            replace(
                order(months=1), start_s=BEGIN_S + number * MONTH_S, end_s=BEGIN_S + (number + 1) * MONTH_S
            ),
        )
        for number, at in enumerate((0, 30, 60))
    ]
    (run,) = runs_of(rows)
    assert (run.rows, run.first, renewed_rows(rows)) == (tuple(rows), rows[0], 2)
    assert run.until_s == BEGIN_S + 91 * DAY_S
    assert runs_of(rows[:1])[0].until_s is None
    gap = [rows[0], replace(rows[1], start_s=BEGIN_S + 32 * DAY_S)]
    assert (len(runs_of(gap)), renewed_rows(gap)) == (2, 0)
    edge = [rows[0], replace(rows[1], start_s=BEGIN_S + MONTH_S + DAY_S)]
    assert len(runs_of(edge)) == 1
    for other in ({"gpus": 16}, {"is_option": True}, {"term_months": 2}, {"needs": AskedNeeds("infiniband")}):
        assert len(runs_of([rows[0], replace(rows[1], **other)])) == 2
    option = [replace(rows[0], is_option=True), rows[1]]
    assert [run.first.is_option for run in runs_of(option)] == [False, True]


@pytest.mark.parametrize(("hours", "until"), [(10 * 24, None), (11 * 24 - 1, None), (11 * 24, 10), (730, 30)])
def test_a_term_of_days_is_renewed_until_its_order_ends(hours: int, until: int | None) -> None:
    item = order(term_days=10)
    item = replace(item, end_s=item.start_s + hours * HOUR_S)
    (run,) = runs_of([row(0, 0, item, term_days=10)])
    assert run.until_s == (None if until is None else BEGIN_S + until * DAY_S)


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
    assert row_quoted_for(quoted(9, 200), rows, calendar) is None
    assert rows_quoted_for(quoted(9, 40), rows) == (1,)  # months are not known: the nearest
    assert rows_quoted_for(offer("list", 3, 2.0), rows, calendar) is None
    limited = [replace(rows[0], only=Only("Vela"))]
    assert rows_quoted_for(quoted(9, 0), limited, calendar) == ()
    assert rows_quoted_for(quoted(9, 0, provider="Vela"), limited, calendar) == (0,)


def test_a_quote_stands_beside_the_row_that_was_given_it_then_the_nearest_then_its_number() -> None:
    rows = [row(3), row(10, name="R2"), row(10, name="R3")]
    assert row_quoted_for(quoted(9, 5), rows) == 0
    assert row_quoted_for(quoted(9, 7), rows) == 1
    assert row_quoted_for(quoted(3, 7), rows) == 2  # of two as near its own number
    rows[2] = replace(rows[2], orders=(order(10, offer_id="q9"),))
    assert row_quoted_for(quoted(9, 3), rows) == 2


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
    (found,) = asked_in(ground, orders, BEGIN_S)
    assert (found.gpus, found.orders, found.name) == (gpus, tuple(orders[:1]), "R1")


def sent(number: int, days: int | None, **values: Any) -> SentRow:
    """A row of the request of 25 September."""
    base = SentRow(
        reference="RFQ-20260925-AAAA",
        name=f"R{number}",
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
        (sent(5, 3), "R5"),  # three days away
        (sent(5, 4), "R6"),
        (sent(5, None), "R6"),
        (sent(5, 30, is_soonest=True), "R5"),  # the first day that it allowed; wanted since before
        (sent(5, 31, is_soonest=True), "R6"),  # over a month away
        (sent(5, -6, is_soonest=True), "R6"),  # the order is of a later day
        (sent(5, 0, gpus=8, bare_metal=True), "R6"),
        (sent(5, 0, gpus=8, bare_metal=False), "R5"),
    ],
)
def test_a_row_is_one_that_was_sent_if_it_starts_near_it(asked: SentRow, name: str) -> None:
    assert [at.name for at in as_numbered([row()], (), sent=[asked])] == [name]


def test_the_nearest_start_has_the_number() -> None:
    rows = [row(), row(2, name="R2")]
    assert [at.name for at in as_numbered(rows, (), sent=[sent(7, 2), sent(8, 1)])] == ["R8", "R7"]


def test_rows_beside_quotes_of_an_unknown_request_keep_numbers_that_no_quote_has() -> None:
    rows = [row(), row(30, name="R2"), row(60, name="R3")]
    answers = [quoted(2, 0)]
    # the quote of R2 stands beside the first; R2 is taken, so the second is numbered after all
    assert [at.name for at in as_numbered(rows, answers, Calendar(begin_s=BEGIN_S))] == ["R2", "R4", "R3"]
