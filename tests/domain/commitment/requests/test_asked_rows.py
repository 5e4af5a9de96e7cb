from dataclasses import replace
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.commitment.recursion.calendar import Calendar
from gpuplanner.domain.commitment.requests.asked_rows import (
    asked_rows,
    calendar_words,
    end_s,
    is_over,
    order_day_s,
    starts_from,
)
from gpuplanner.domain.commitment.result import IF_IT_LASTS, Order
from gpuplanner.domain.fit.asked_needs import AskedNeeds
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import Only
from gpuplanner.domain.model.book.quote_source import quote_source
from gpuplanner.domain.model.pool import Pool, PricingCategory
from gpuplanner.domain.model.window import DAY_S, MONTH_S, instant_s, iso_utc
from gpuplanner.domain.reports.plan.order_days import seen_on

BEGIN_S = instant_s("2026-10-01")
REASONS = ("now", "contract_end", "lead_time", "growth", "bridge", "follows", IF_IT_LASTS)


def order(gpus: float = 4.0, **values: object) -> Order:
    base = Order(Pool.TRAINING, "H100", "o", 12, gpus, BEGIN_S, BEGIN_S, "now", "H100", gpus)
    return replace(base, **values)  # type: ignore[arg-type]


ORDERS = st.lists(
    st.builds(
        lambda gpus, pool, model, term, days, month, reason: order(
            gpus,
            pool=pool,
            gpu_model=model,
            offer_gpu_model=model,
            term_months=term,
            term_days=days,
            month=month,
            start_s=BEGIN_S + month * MONTH_S,
            reason=reason,
        ),
        st.floats(0.001, 500).map(lambda gpus: round(gpus, 3)),
        st.sampled_from(list(Pool)),
        st.sampled_from(["H100", "A100", "H100 @ Vela"]),
        st.sampled_from([1, 3, 12]),
        st.sampled_from([None, None, 10]),
        st.integers(0, 11),
        st.sampled_from(REASONS),
    ),
    max_size=12,
)


@given(ORDERS, st.sampled_from([{}, {"H100": 8, "A100": 4}]), st.integers(-40, 400))
def test_laws_of_rows(orders: list[Order], nodes: dict[str, int], days: int) -> None:
    today_s = BEGIN_S + days * DAY_S + 5 * 3600
    rows = asked_rows(orders, {(Pool.TRAINING, "H100"): AskedNeeds("infiniband", True)}, nodes, today_s)
    listed = [id(one) for row in rows for one in row.orders]
    first_s = today_s - today_s % DAY_S
    wanted = [one for one in orders if end_s(one.start_s, one) > first_s]
    assert sorted(listed) == sorted(map(id, wanted))  # each in exactly one, but those whose term is over
    assert [row.name for row in rows] == [f"R{number}" for number in range(1, len(rows) + 1)]
    assert [row.is_option for row in rows] == sorted(row.is_option for row in rows)
    for row in rows:
        assert row.gpus % row.node_gpus == 0
        assert round(row.ordered_gpus, 6) <= row.gpus < row.ordered_gpus + row.node_gpus + 1e-6
        assert row.is_option == any(not one.is_certain for one in row.orders)
        assert row.start_s % DAY_S == 0 and row.start_s >= today_s - today_s % DAY_S
        assert all(row.start_s > one.start_s - DAY_S for one in row.orders)
    asked = [(r.is_option, r.start_s, r.gpu_model, r.term_months, r.term_days, r.needs, r.only) for r in rows]
    assert len(set(asked)) == len(asked)  # nothing alike stands twice


def test_alike_rows_are_one_over_pools_and_different_needs_are_two() -> None:
    both = [order(10.0), order(8.0, pool=Pool.INFERENCE)]
    (row,) = asked_rows(both, {}, {"H100": 8}, BEGIN_S)
    assert (row.gpus, row.ordered_gpus, row.term_months, row.orders) == (24, 18.0, 12, tuple(both))
    rows = asked_rows(both, {(Pool.TRAINING, "H100"): AskedNeeds("infiniband")}, {"H100": 8}, BEGIN_S)
    assert {(row.gpus, row.needs.interconnect) for row in rows} == {(16, "infiniband"), (8, None)}


def test_what_needs_less_joins_what_needs_more_where_that_saves_a_node() -> None:
    spread = {(Pool.TRAINING, "H100"): AskedNeeds("infiniband", True, 80.0)}
    few = [order(2.0), order(1.0, pool=Pool.INFERENCE), order(1.0, pool=Pool.INFERENCE, term_months=3)]
    rows = asked_rows(few, spread, {"H100": 8}, BEGIN_S)
    assert [(row.gpus, row.term_months, row.needs.interconnect) for row in rows] == [
        (8, 3, None),
        (8, 12, "infiniband"),
    ]
    saved = asked_rows([order(19.0), order(8.0, pool=Pool.INFERENCE)], spread, {"H100": 8}, BEGIN_S)
    assert sorted(row.gpus for row in saved) == [8, 24]  # 32 together as well: nobody needs more than before
    other = {**spread, (Pool.INFERENCE, "H100"): AskedNeeds(None, False, 141.0)}
    assert len(asked_rows(few[:2], other, {"H100": 8}, BEGIN_S)) == 2  # neither holds the other


def test_who_alone_may_serve_is_kept_apart() -> None:
    rows = asked_rows([order(), order(gpu_model="H100 @ Vela [eu]")], {}, {}, BEGIN_S)
    assert [(row.gpu_model, row.only) for row in rows] == [("H100", Only()), ("H100", Only("Vela", "eu"))]


def day_of(start_s: int) -> str:
    return iso_utc(start_s)[:10]


def test_every_order_starts_on_the_day_that_the_plan_has() -> None:
    """One rule for plan and request: months are of 730 h in both, also where calendar months would end later."""
    first = order(term_months=1)
    chain = [
        order(start_s=BEGIN_S + month * MONTH_S, term_months=1, month=month, reason="follows")
        for month in range(1, 12)
    ]
    orders = [*chain, first]
    assert {id(one): day_of(start_s) for one, start_s in starts_from(orders, BEGIN_S)} == {
        id(one): day_of(one.start_s) for one in orders
    }


def test_what_comes_after_what_begins_late_in_its_month_is_wanted_as_much_later() -> None:
    first = order(start_s=instant_s("2026-10-23"), term_months=1)
    second = order(start_s=BEGIN_S + MONTH_S, term_months=1, month=1, reason="follows")
    other = order(start_s=BEGIN_S + MONTH_S, month=1, reason="growth")
    short = order(term_months=1, term_days=45, pool=Pool.INFERENCE)
    after = order(month=1, start_s=BEGIN_S + MONTH_S, reason="follows", pool=Pool.INFERENCE)
    orders = (first, second, other, short, after)
    starts = {id(one): day_of(start_s) for one, start_s in starts_from(orders, BEGIN_S)}
    assert [starts[id(one)] for one in orders] == [
        "2026-10-23", "2026-11-22", "2026-10-31", "2026-10-01", "2026-11-15",
    ]  # fmt: skip


def test_nothing_starts_before_today_and_what_follows_moves_with_it() -> None:
    first = order(term_months=1)
    second = order(term_months=1, month=1, start_s=BEGIN_S + MONTH_S, reason="follows")
    today_s = instant_s("2026-11-22T17:00:00Z")
    found = [(one.month, day_of(start_s)) for one, start_s in starts_from([first, second], today_s)]
    assert found == [(1, "2026-11-22")]  # the first one's month is over: it is neither asked for nor moved

    today_s = BEGIN_S + 20 * DAY_S + 7 * 3600
    starts = {id(one): day_of(start_s) for one, start_s in starts_from([first, second], today_s)}
    assert [starts[id(one)] for one in (first, second)] == ["2026-10-21", "2026-11-20"]


@given(ORDERS, st.integers(0, 60))
def test_what_is_quoted_as_asked_is_for_a_month_of_its_row(orders: list[Order], days: int) -> None:
    """Also where it comes after a term that began late in its month, or only today."""
    today_s, calendar = BEGIN_S + days * DAY_S, Calendar(BEGIN_S)
    for row in asked_rows(orders, {}, {}, today_s):
        source = quote_source(f"RFQ-{day_of(today_s).replace('-', '')}-AAAA", row.name)
        offer = Offer(
            "q", row.gpu_model, PricingCategory.COMMITTED, row.term_months or 1, Decimal(2), "Vela",
            term_days=row.term_days or None, starts=day_of(row.start_s), source=source,
        )  # fmt: skip
        months = calendar.months_quoted_for(offer)
        assert months is not None and any(order.month in months for order in row.orders), (row, months)


def test_a_bridge_follows_bridges_alone() -> None:
    late = order(reason="bridge", term_months=1, pool=Pool.INFERENCE)
    again = replace(late, month=1, start_s=BEGIN_S + MONTH_S)
    own = order(term_months=1, pool=Pool.INFERENCE)
    for first, day in ((own, "2026-10-31"), (late, "2026-11-05")):
        found = starts_from([first, again], BEGIN_S + 5 * DAY_S)
        assert {id(one): day_of(start_s) for one, start_s in found}[id(again)] == day


@given(ORDERS, st.integers(-40, 400))
def test_a_term_that_is_over_is_asked_for_and_written_of_no_more(orders: list[Order], days: int) -> None:
    """One rule: by months of the calendar, of which a plan's 730 hours are a little less."""
    at_s = BEGIN_S + days * DAY_S + 12 * 3600
    seen = seen_on(at_s, BEGIN_S, ())
    asked = {id(one) for one, _ in starts_from(orders, at_s)}
    assert asked == {id(one) for one in orders if not seen.is_over(one)}


def test_a_month_is_over_when_that_of_the_calendar_is() -> None:
    one = order(term_months=1)
    days = {day: is_over(one, instant_s(day)) for day in ("2026-10-31T12:00:00Z", "2026-11-01T12:00:00Z")}
    assert list(days.values()) == [False, True]  # 730 hours end on 31 October at 10


def test_the_first_day_to_order_is_none_before_today_and_of_what_is_certain() -> None:
    later = order(order_by_s=BEGIN_S + 9 * DAY_S + 3600, start_s=BEGIN_S + 20 * DAY_S)
    option = order(reason=IF_IT_LASTS)
    assert order_day_s([later, option], BEGIN_S + 3600) == BEGIN_S + 9 * DAY_S
    assert order_day_s([later, order()], BEGIN_S + 3 * DAY_S + 5) == BEGIN_S + 3 * DAY_S
    assert order_day_s([option], BEGIN_S) is None


def test_terms_of_months_that_follow_each_other_are_not_those_of_the_calendar() -> None:
    def said(*orders: Order) -> bool:
        return bool(calendar_words(asked_rows(orders, {}, {}, BEGIN_S)))

    later = order(month=1, start_s=BEGIN_S + MONTH_S, term_months=1)
    assert said(order(term_months=1), replace(later, reason="follows"))
    assert not said(order(term_months=1), later), "nothing follows"
    assert not said(order(), replace(later, reason="follows", term_days=30)), "days are days"
