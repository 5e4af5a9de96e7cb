"""Tests of asked_rows."""

import re
from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.commitment.asked_rows import (
    Asking,
    as_numbered,
    asked_now_words,
    asked_rows,
    calendar_words,
    is_of_term,
    is_over,
    row_quoted_for,
    rows_quoted_for,
    starts_from,
)
from gpuplanner.domain.commitment.order_days import seen_on
from gpuplanner.domain.commitment.recursion.calendar import Calendar
from gpuplanner.domain.commitment.result import IF_IT_LASTS, Order
from gpuplanner.domain.fit.needs import AskedNeeds, holds_as_quoted
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import Only, Row
from gpuplanner.domain.model.book.quote_source import quote_source
from gpuplanner.domain.model.intake import NO_BID, UNANSWERED, SentRow
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.window import DAY_S, MONTH_S, instant_s, iso_day, iso_utc
from tests.domain.award.conftest import quote, row

# --- test asked rows -----------------------------------------------------------------------------

BEGIN_S = instant_s("2026-10-01")
REASONS = ("now", "contract_end", "lead_time", "growth", "bridge", "follows", IF_IT_LASTS)


def order(gpus: float = 4.0, **values: object) -> Order:
    """12 months from the plan's first day; its end is that of its term, and no sooner than a month after its start."""
    base = Order(
        pool=Pool.TRAINING,
        gpu_model="H100",
        offer_id="o",
        term_months=12,
        gpus=gpus,
        start_s=BEGIN_S,
        end_s=BEGIN_S,
        order_by_s=BEGIN_S,
        reason="now",
        offer_gpu_model="H100",
        offer_gpus=gpus,
    )
    one = replace(base, **values)  # type: ignore[arg-type]
    length_s = max(one.term_days * DAY_S, MONTH_S) if one.term_days else one.term_months * MONTH_S
    return replace(one, end_s=one.start_s + length_s)


ORDERS = st.lists(
    st.builds(
        lambda gpus, pool, model, term, days, month, hours, reason: order(
            gpus,
            pool=pool,
            gpu_model=model,
            offer_gpu_model=model,
            term_months=term,
            term_days=days,
            start_s=BEGIN_S + month * MONTH_S + hours * 3600,
            reason=reason,
        ),
        st.floats(0.001, 500).map(lambda gpus: round(gpus, 3)),
        st.sampled_from(list(Pool)),
        st.sampled_from(["H100", "A100", "H100 @ Vela"]),
        st.sampled_from([1, 3, 12]),
        st.sampled_from([None, None, 10]),
        st.integers(0, 11),
        st.sampled_from([0, 0, 100, 729]),
        st.sampled_from(REASONS),
    ),
    max_size=12,
)


@given(ORDERS, st.sampled_from([{}, {"H100": 8, "A100": 4}]), st.integers(-40, 400))
def test_laws_of_rows(orders: list[Order], nodes: dict[str, int], days: int) -> None:
    today_s = BEGIN_S + days * DAY_S + 5 * 3600
    rows = asked_rows(orders, {Row(Pool.TRAINING, "H100"): AskedNeeds("infiniband", True)}, nodes, today_s)
    listed = [id(one) for row in rows for one in row.orders]
    first_s = today_s - today_s % DAY_S
    wanted = [one for one in orders if one.end_s > first_s]
    assert sorted(listed) == sorted(map(id, wanted))  # each in exactly one, but those whose term is over
    assert [line.name for line in rows] == [f"R{number}" for number in range(1, len(rows) + 1)]
    assert [line.is_option for line in rows] == sorted(line.is_option for line in rows)
    for line in rows:
        assert line.gpus % line.node_gpus == 0
        assert round(line.ordered_gpus, 6) <= line.gpus < line.ordered_gpus + line.node_gpus + 1e-6
        assert line.is_option == any(not one.is_certain for one in line.orders)
        assert line.start_s % DAY_S == 0 and line.start_s >= today_s - today_s % DAY_S
        assert all(line.start_s > one.start_s - DAY_S for one in line.orders)
    asked = [(r.is_option, r.start_s, r.gpu_model, r.term_months, r.term_days, r.needs, r.only) for r in rows]
    assert len(set(asked)) == len(asked)  # nothing alike stands twice


def test_alike_rows_are_one_over_pools_and_different_needs_are_two() -> None:
    both = [order(10.0), order(8.0, pool=Pool.INFERENCE)]
    (row,) = asked_rows(both, {}, {"H100": 8}, BEGIN_S)
    assert (row.gpus, row.ordered_gpus, row.term_months, row.orders) == (24, 18.0, 12, tuple(both))
    rows = asked_rows(both, {Row(Pool.TRAINING, "H100"): AskedNeeds("infiniband")}, {"H100": 8}, BEGIN_S)
    assert {(row.gpus, row.needs.interconnect) for row in rows} == {(16, "infiniband"), (8, None)}


def test_what_needs_less_joins_what_needs_more_where_that_saves_a_node() -> None:
    spread = {Row(Pool.TRAINING, "H100"): AskedNeeds("infiniband", True, 80.0)}
    few = [order(2.0), order(1.0, pool=Pool.INFERENCE), order(1.0, pool=Pool.INFERENCE, term_months=3)]
    rows = asked_rows(few, spread, {"H100": 8}, BEGIN_S)
    assert [(row.gpus, row.term_months, row.needs.interconnect) for row in rows] == [
        (8, 3, None),
        (8, 12, "infiniband"),
    ]
    saved = asked_rows([order(19.0), order(8.0, pool=Pool.INFERENCE)], spread, {"H100": 8}, BEGIN_S)
    assert sorted(row.gpus for row in saved) == [8, 24]  # 32 together as well: nobody needs more than before
    other = {**spread, Row(Pool.INFERENCE, "H100"): AskedNeeds(None, False, 141.0)}
    assert len(asked_rows(few[:2], other, {"H100": 8}, BEGIN_S)) == 2  # neither holds the other


def test_who_alone_may_serve_is_kept_apart() -> None:
    rows = asked_rows([order(), order(gpu_model="H100 @ Vela [eu]")], {}, {}, BEGIN_S)
    assert [(row.gpu_model, row.only) for row in rows] == [("H100", Only()), ("H100", Only("Vela", "eu"))]


def day_of(start_s: int) -> str:
    return iso_utc(start_s)[:10]


def test_every_order_starts_on_the_day_that_the_plan_has_none_before_today() -> None:
    """One rule for plan and request: what follows begins where the order before it ends, whatever month that is in."""
    first = order(start_s=instant_s("2026-10-23"), term_months=1)
    second = order(start_s=first.end_s, term_months=1, reason="follows")
    third = order(start_s=second.end_s, term_months=1, reason="follows")
    starts = {id(one): day_of(at_s) for one, at_s in starts_from([third, first, second], BEGIN_S)}
    assert [starts[id(one)] for one in (first, second, third)] == ["2026-10-23", "2026-11-22", "2026-12-22"]
    today_s = instant_s("2026-11-22T17:00:00Z")  # the first ended at 10:00 on that day, the second began then
    found = [(one, day_of(at_s)) for one, at_s in starts_from([first, second], today_s)]
    assert found == [(first, "2026-11-22"), (second, "2026-11-22")]
    found = [(one, day_of(at_s)) for one, at_s in starts_from([first, second], today_s + DAY_S)]
    assert found == [(second, "2026-11-23")]


@given(ORDERS, st.integers(0, 60))
def test_what_is_quoted_as_asked_is_for_a_month_of_its_row(orders: list[Order], days: int) -> None:
    """Also where it comes after a term that began late in its month, or only today."""
    today_s, calendar = BEGIN_S + days * DAY_S, Calendar(begin_s=BEGIN_S)
    for line in asked_rows(orders, {}, {}, today_s):
        source = quote_source(f"RFQ-{day_of(today_s).replace('-', '')}-AAAA", line.name)
        offer = Offer(
            offer_id="q",
            gpu_model=line.gpu_model,
            pricing_category=PricingCategory.COMMITTED,
            term_months=line.term_months or 1,
            rate_usd_per_gpu_hour=Decimal(2),
            provider="Vela",
            term_days=line.term_days or None,
            starts=day_of(line.start_s),
            source=source,
        )
        months = calendar.months_quoted_for(offer)
        starts = {(order.start_s - BEGIN_S) // MONTH_S for order in line.orders}
        assert months is not None and starts & set(months), (line, months)


@given(ORDERS, st.integers(-40, 400))
def test_a_term_that_is_over_is_asked_for_and_written_of_no_more(orders: list[Order], days: int) -> None:
    at_s = BEGIN_S + days * DAY_S + 12 * 3600
    seen = seen_on(at_s, BEGIN_S, ())
    asked = {id(one) for one, _ in starts_from(orders, at_s)}
    assert asked == {id(one) for one in orders if not seen.is_over(one)}


def test_a_term_is_over_the_day_after_its_hours_are() -> None:
    one = order(term_months=1)
    days = {day: is_over(one, instant_s(day)) for day in ("2026-10-31T12:00:00Z", "2026-11-01T00:00:00Z")}
    assert list(days.values()) == [False, True]  # 730 hours end on 31 October at 10


def test_terms_of_months_that_follow_each_other_are_not_those_of_the_calendar() -> None:
    def said(*orders: Order) -> bool:
        return bool(calendar_words(asked_rows(orders, {}, {}, BEGIN_S)))

    later = order(start_s=BEGIN_S + MONTH_S, term_months=1)
    after = replace(later, reason="follows", follows=True)
    assert said(order(term_months=1), after)
    assert not said(order(term_months=1), later), "nothing follows"
    assert not said(order(), replace(after, term_days=30)), "days are days"


# --- A quote is for the row that it names, else for the first of its like that it is there for ---

ROWS = [row(), row("R2", days=60), row("R3", days=90, term_months=24)]


@pytest.mark.parametrize(
    ("source", "starts", "place"),
    [
        ("Quote RFQ-1 R1", None, 0),
        ("Quote RFQ-1 R2; by rail", None, 1),
        ("Quote RFQ-1 R3", None, 0),  # of another term: the first of its own
        ("Quote RFQ-1 R9", iso_day(ROWS[1].start_s), 1),
        ("Quote RFQ-1 R9", iso_day(ROWS[2].start_s), 1),  # too late for all: the last of its like
        ("a price list", None, None),
    ],
)
def test_which_row(source: str, starts: str | None, place: int | None) -> None:
    assert row_quoted_for(quote("a", 2.0, source=source, starts=starts), ROWS) == place


def test_no_row_of_its_like() -> None:
    assert row_quoted_for(quote("a", 2.0, 36, source="Quote RFQ-1 R1"), ROWS) is None


def test_a_term_in_days_is_none_in_months() -> None:
    days = row(term_months=0, term_days=365)
    assert is_of_term(quote("a", 2.0, term_days=365), days) and not is_of_term(quote("a", 2.0), days)
    assert is_of_term(quote("a", 2.0), row()) and not is_of_term(quote("a", 2.0, term_days=365), row())


def test_rows_keep_the_numbers_that_vendors_know_them_by() -> None:
    """The plan is made again with the answers: R2 is ordered no more, R3 has moved up, and one is new."""
    now = [row("R1"), row("R2", days=90, term_months=24), row("R3", days=90)]
    source = "Quote RFQ-20261001-AAAA {}"
    answers = [
        quote("a", 2.0, source=source.format("R1"), starts=iso_day(now[0].start_s)),
        quote("b", 2.0, 24, source=source.format("R3"), starts=iso_day(now[1].start_s)),
        quote(
            "c", 2.0, 24, source="Quote RFQ-20260901-BBBB R9", starts=iso_day(now[1].start_s)
        ),  # an older request
    ]
    named = as_numbered(now, answers)
    assert [one.name for one in named] == ["R1", "R3", "R10"]  # not R3 twice, nor a number that was ever used
    assert [replace(one, name="") for one in named] == [replace(one, name="") for one in now]
    assert as_numbered(now, ()) == tuple(now)


@pytest.mark.parametrize(
    ("days", "name"),
    [
        (("2026-10-05", "2026-10-02"), "R7"),
        (("2026-10-02", "2026-10-05"), "R9"),
        ((None, "2026-10-02"), "R9"),
        ((None, None), "R9"),  # by reference
    ],
)
def test_of_requests_of_one_day_the_one_quoted_on_last_is_the_newest(
    days: tuple[str | None, str | None], name: str
) -> None:
    answers = [
        quote(f"a{number}", 2.0, source=source, as_of=day, starts=iso_day(row().start_s))
        for number, (day, source) in enumerate(
            zip(days, ("Quote RFQ-20261001-AAAA R7", "Quote RFQ-20261001-BBBB R9"), strict=True)
        )
    ]
    assert [one.name for one in as_numbered([row()], answers)] == [name]
    assert [one.name for one in as_numbered([row()], answers[::-1])] == [name]


def test_a_quote_is_not_counted_on_for_what_it_was_not_asked_for() -> None:
    fast = row(needs=AskedNeeds("infiniband", True, 80.0))
    source = "Quote RFQ-20261001-AAAA R1"
    plain = quote("a", 2.0, source=source, interconnect=None, bare_metal=None, gpu_memory_gb=None)
    assert row_quoted_for(plain, [fast]) is None and row_quoted_for(plain, [row()]) == 0
    asked = quote("a", 2.0, source=source, interconnect="infiniband", bare_metal=True, gpu_memory_gb=80.0)
    assert row_quoted_for(asked, [fast]) == 0 and row_quoted_for(asked, [row()]) == 0


def sent(number: int, days: int, term: int = 12, **values: object) -> SentRow:
    """A row of a request that starts in so many days."""
    start = iso_day(row(days=days).start_s)
    base = SentRow(
        reference="RFQ-20261001-AAAA",
        name=f"R{number}",
        gpu_model="H100",
        term_months=term,
        term_days=0,
        start=start,
        is_option=False,
        region="",
        interconnect=None,
        vendor="Vela",
        quoted_on=None,
        answer=UNANSWERED,
        line=number,
    )
    return replace(base, **values)  # type: ignore[arg-type]


def test_rows_that_nobody_answered_keep_their_numbers_too() -> None:
    """R1 and R2 are ordered no more; one row is new, between others."""
    request = [sent(1, 0), sent(2, 30, 24), sent(3, 60), sent(4, 90, 24), sent(5, 90), sent(6, 200)]
    now = [
        row("R1", days=62),
        row("R2", days=70, term_months=36),
        row("R3", days=90, term_months=24),
        row("R4", days=90),
        row("R5", days=120),
    ]
    assert [one.name for one in as_numbered(now, (), sent=request)] == ["R3", "R7", "R4", "R5", "R8"]
    answer = quote("a", 2.0, 24, source="Quote RFQ-20261001-AAAA R4", starts=iso_day(now[2].start_s))
    assert [one.name for one in as_numbered(now, [answer], sent=request)] == ["R3", "R7", "R4", "R5", "R8"]
    newer = [replace(one, reference="RFQ-20261101-BBBB", name=f"R{one.number + 10}") for one in request]
    assert as_numbered(now, [answer], sent=(*request, *newer))[0].name == "R13"


def test_rows_of_one_day_are_told_apart_by_what_they_need() -> None:
    fast = AskedNeeds("infiniband", True, 80.0)
    request = [sent(1, 30), sent(2, 30, interconnect="infiniband", answer=NO_BID), sent(3, 30, region="eu")]
    assert [one.name for one in as_numbered([row(needs=fast)], (), sent=request)] == ["R2"]
    assert [one.name for one in as_numbered([row()], (), sent=request)] == ["R1"]


EQUAL = sent(2, 30, gpus=16)


@pytest.mark.parametrize(
    "other",
    [
        {"gpus": 24},
        {"term_months": 24},
        {"is_option": True},
        {"needs": AskedNeeds("infiniband", False, None)},
        {"needs": AskedNeeds(None, False, 80.0)},
        {"needs": AskedNeeds(None, True, None)},
        {"start_s": row(days=36).start_s},
        {"only": Only(region="eu")},
    ],
)
def test_a_row_that_was_not_asked_so_has_a_number_that_no_request_has_used(other: dict[str, object]) -> None:
    (same,) = as_numbered([row()], (), sent=[EQUAL])
    assert (same.name, same.asked_as) == ("R2", ((EQUAL.reference, "R2"),))
    older = replace(EQUAL, reference="RFQ-20260901-CCCC", name="R8", gpus=8)
    (one,) = as_numbered([row(**other)], (), sent=[EQUAL, older])
    assert (one.name, one.asked_as) == ("R9", ())


def test_a_row_that_several_requests_asked_for_names_them_all_the_newest_first() -> None:
    older = replace(EQUAL, reference="RFQ-20260901-CCCC", name="R5")
    other = replace(EQUAL, name="R5", gpus=64)  # the newest request means another row by R5
    (one,) = as_numbered([row()], (), sent=[older, EQUAL, other])
    assert (one.name, [name for _, name in one.asked_as]) == ("R2", ["R2", "R5"])
    (one,) = as_numbered([row()], (), sent=[older, other])
    assert (one.name, one.asked_as) == ("R6", ((older.reference, "R5"),))


def test_what_was_asked_for_at_once_is_the_same_row_while_it_is_still_wanted_at_once() -> None:
    asked = sent(1, 0, gpus=16, is_soonest=True)  # ordered for the plan's first day, which has gone by
    assert [one.name for one in as_numbered([row(days=9)], (), sent=[asked])] == ["R1"]
    assert [one.name for one in as_numbered([row(days=40)], (), sent=[asked])] == ["R2"]


def test_a_quote_is_for_the_row_that_it_was_asked_for_before_any_that_is_alike() -> None:
    rows = as_numbered([row(gpus=64), row("R2")], (), sent=[sent(1, 30, gpus=16), sent(2, 30, gpus=64)])
    assert [one.name for one in rows] == ["R2", "R1"]
    offer = quote("a", 2.0, source="Quote RFQ-20261001-AAAA R1", starts=iso_day(rows[0].start_s))
    assert rows_quoted_for(offer, rows) == (1,)
    given = replace(rows[0], orders=(replace(rows[0].orders[0], offer_id="a"),))
    assert rows_quoted_for(offer, [given, rows[1]]) == (0, 1), "the plan gave it that too"
    theirs = replace(rows[0].orders[0], offer_id="quote Vela RFQ-20261001-AAAA R1")
    assert rows_quoted_for(offer, [replace(rows[0], orders=(theirs,)), rows[1]]) == (0, 1), "as Vela's for R1"
    unknown = replace(offer, source="Quote RFQ-20261001-AAAA R7")
    assert rows_quoted_for(unknown, rows) == (0,), "the first of its like"
    assert rows_quoted_for(replace(offer, min_gpus=16), rows) == (1,), "its own row asks for as many"
    assert rows_quoted_for(replace(offer, min_gpus=17), rows) == (0, 1), "its least is of both"


def test_no_firm_row_is_filled_with_the_price_of_an_option() -> None:
    asked_for = iso_day(row().start_s)
    offer = quote("a", 2.0, source=f"Quote RFQ-20261001-AAAA R1 option for {asked_for}", starts=asked_for)
    assert row_quoted_for(offer, [row()]) is None
    assert row_quoted_for(offer, [row(), row("R2", is_option=True)]) == 1
    firm = replace(offer, source=f"Quote RFQ-20261001-AAAA R1 for {asked_for}")
    assert row_quoted_for(firm, [row("R2", is_option=True)]) == 0
    assert holds_as_quoted(firm) and not holds_as_quoted(offer), "nor is the plan"


ASKING = st.builds(
    lambda reply, decide: Asking(
        today_s=BEGIN_S, reply_by_s=BEGIN_S + reply * DAY_S, decide_s=decide * DAY_S, leads_s={}
    ),
    st.integers(4, 40),
    st.integers(0, 20),
)


@given(ORDERS, ASKING)
def test_no_row_starts_before_its_replies_are_decided_on_and_its_lead_has_passed(
    orders: list[Order], asking: Asking
) -> None:
    for one, start_s in starts_from(orders, BEGIN_S, asking):
        reply_s, placed_s = asking.reply_s(one), asking.order_day_s(one)
        assert BEGIN_S + 3 * DAY_S <= reply_s <= asking.reply_by_s
        assert placed_s >= max(reply_s + asking.decide_s, one.order_by_s - DAY_S)
        assert start_s >= max(one.start_s - DAY_S, placed_s + one.start_s - one.order_by_s - DAY_S * 2)
        assert not asking.needs_no_quote(one)
    left = [one for one in orders if not is_over(one, BEGIN_S)]
    kept = len(starts_from(orders, BEGIN_S, asking))
    assert kept == len(left) - sum(map(asking.needs_no_quote, left)), "each once, but for what needs no quote"


def test_a_month_at_a_list_price_bridges_the_time_and_what_follows_a_late_order_starts_after_it() -> None:
    asking = Asking(today_s=BEGIN_S, reply_by_s=BEGIN_S + 14 * DAY_S, decide_s=5 * DAY_S, leads_s={})
    month = order(term_months=1, rate=2.0)
    assert asking.needs_no_quote(month) and not starts_from([month], BEGIN_S, asking)
    assert not asking.needs_no_quote(replace(month, rate=None)), "a quote is needed"
    first = order(term_months=3)
    then = order(term_months=3, start_s=first.end_s, order_by_s=first.end_s, reason="follows", follows=True)
    starts = [start_s for _, start_s in starts_from([first, then], BEGIN_S, asking)]
    assert starts == [BEGIN_S + 19 * DAY_S, (BEGIN_S + 19 * DAY_S + 3 * MONTH_S) // DAY_S * DAY_S]
    said = str(asked_now_words(asked_rows([month, first], {}, {"H100": 8}, BEGIN_S, asking), [month, first]))
    assert re.findall(r"\d+", said) == ["8", "4", "8", "4"]
    assert not str(asked_now_words((), [month, first])), "nobody is asked"


@pytest.mark.parametrize(
    ("reason", "order_day", "reply_day"),
    [("follows", 30, 14), ("follows", 10, 5), ("follows", 6, 3), ("now", 6, 14)],
)
def test_replies_are_needed_before_an_order_that_cannot_wait(
    reason: str, order_day: int, reply_day: int
) -> None:
    """Replies are due in 14 days and decided on in 5, so that day 10 needs them on day 5; vendors have 3 at least."""
    asking = Asking(today_s=BEGIN_S, reply_by_s=BEGIN_S + 14 * DAY_S, decide_s=5 * DAY_S, leads_s={})
    wanted = order(reason=reason, order_by_s=BEGIN_S + order_day * DAY_S)
    assert asking.reply_s(wanted) == BEGIN_S + reply_day * DAY_S
