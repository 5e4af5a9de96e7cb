"""Tests of asked_rows."""

from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.commitment.asked_rows import (
    AskedRow,
    Asking,
    as_asked,
    asked_rows,
    calendar_words,
    is_of_term,
    is_over,
    rows_quoted_for,
)
from gpuplanner.domain.commitment.listed_order import ListedOrder
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


def listed(*chains: Order | tuple[Order, ...]) -> list[ListedOrder]:
    """Orders in a list, each with those that renew it, numbered from 1."""
    of = [chain if isinstance(chain, tuple) else (chain,) for chain in chains]
    return [
        ListedOrder(number=number, orders=chain, order_ids=tuple(map(str, range(len(chain)))))
        for number, chain in enumerate(of, 1)
    ]


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
    rows = asked_rows(
        listed(*orders), {Row(Pool.TRAINING, "H100"): AskedNeeds("infiniband", True)}, nodes, today_s
    )
    asked_for = [id(one) for row in rows for one in row.orders]
    first_s = today_s - today_s % DAY_S
    wanted = [one for one in orders if one.end_s > first_s]
    assert sorted(asked_for) == sorted(map(id, wanted))  # each in exactly one, but those whose term is over
    numbers = [number for number, one in enumerate(orders, 1) if one.end_s > first_s]
    assert [line.name for line in rows] == [f"O{number}" for number in numbers]
    for line in rows:
        assert line.gpus % line.node_gpus == 0
        assert round(line.ordered_gpus, 6) <= line.gpus < line.ordered_gpus + line.node_gpus + 1e-6
        assert line.is_option == any(not one.is_certain for one in line.orders)
        assert line.start_s % DAY_S == 0 and line.start_s >= today_s - today_s % DAY_S
        assert all(line.start_s > one.start_s - DAY_S for one in line.orders)


def test_who_alone_may_serve_is_kept_apart() -> None:
    rows = asked_rows(listed(order(), order(gpu_model="H100 @ Vela [eu]")), {}, {}, BEGIN_S)
    assert [(row.gpu_model, row.only) for row in rows] == [("H100", Only()), ("H100", Only("Vela", "eu"))]


def day_of(start_s: int) -> str:
    return iso_utc(start_s)[:10]


@given(ORDERS, st.integers(0, 60))
def test_what_is_quoted_as_asked_is_for_a_month_of_its_row(orders: list[Order], days: int) -> None:
    """Also where it comes after a term that began late in its month, or only today."""
    today_s, calendar = BEGIN_S + days * DAY_S, Calendar(begin_s=BEGIN_S)
    for line in asked_rows(listed(*orders), {}, {}, today_s):
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


def test_a_term_is_over_the_day_after_its_hours_are() -> None:
    one = order(term_months=1)
    days = {day: is_over(one, instant_s(day)) for day in ("2026-10-31T12:00:00Z", "2026-11-01T00:00:00Z")}
    assert list(days.values()) == [False, True]  # 730 hours end on 31 October at 10


def test_terms_of_months_that_follow_each_other_are_not_those_of_the_calendar() -> None:
    def said(*chains: tuple[Order, ...]) -> bool:
        return bool(calendar_words(asked_rows(listed(*chains), {}, {}, BEGIN_S)))

    first, after = order(term_months=1), order(start_s=BEGIN_S + MONTH_S, term_months=1)
    assert said((first, after))
    assert not said((first,), (after,)), "nothing follows"
    days = order(term_days=10)
    assert not said((replace(days, end_s=BEGIN_S + 30 * DAY_S),)), "days are days"


# --- A quote is for the row that it names, else for the first of its like that it is there for ---

ROWS = [row(), row("R2", days=60), row("R3", days=90, term_months=24)]


@pytest.mark.parametrize(
    ("source", "starts", "places"),
    [
        ("Quote RFQ-1 R1", None, (0,)),
        ("Quote RFQ-1 R2; by rail", None, (1,)),
        ("Quote RFQ-1 R3", None, (0,)),  # of another term: the first of its own
        ("Quote RFQ-1 R9", iso_day(ROWS[1].start_s), (1,)),
        ("Quote RFQ-1 R9", iso_day(ROWS[2].start_s), (1,)),  # too late for all: the last of its like
        ("a price list", None, None),
    ],
)
def test_which_row(source: str, starts: str | None, places: tuple[int, ...] | None) -> None:
    assert rows_quoted_for(quote("a", 2.0, source=source, starts=starts), ROWS) == places


def test_no_row_of_its_like() -> None:
    assert rows_quoted_for(quote("a", 2.0, 36, source="Quote RFQ-1 R1"), ROWS) == ()


def test_a_term_in_days_is_none_in_months() -> None:
    days = row(term_months=0, term_days=365)
    assert is_of_term(quote("a", 2.0, term_days=365), days) and not is_of_term(quote("a", 2.0), days)
    assert is_of_term(quote("a", 2.0), row()) and not is_of_term(quote("a", 2.0, term_days=365), row())


def test_a_quote_is_not_counted_on_for_what_it_was_not_asked_for() -> None:
    fast = row(needs=AskedNeeds("infiniband", True, 80.0))
    source = "Quote RFQ-20261001-AAAA R1"
    plain = quote("a", 2.0, source=source, interconnect=None, bare_metal=None, gpu_memory_gb=None)
    assert rows_quoted_for(plain, [fast]) == () and rows_quoted_for(plain, [row()]) == (0,)
    asked = quote("a", 2.0, source=source, interconnect="infiniband", bare_metal=True, gpu_memory_gb=80.0)
    assert rows_quoted_for(asked, [fast]) == (0,) and rows_quoted_for(asked, [row()]) == (0,)


def sent(number: int, days: int, term: int = 12, **values: object) -> SentRow:
    """A row of a request that starts in so many days."""
    start = iso_day(row(days=days).start_s)
    base = SentRow(
        reference="RFQ-20261001-AAAA",
        name=f"O{number}",
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


def asked(row: AskedRow) -> list[str]:
    """The numbers of the rows of requests that a row equals."""
    return [name for _, name in row.asked_as]


def test_rows_keep_the_numbers_that_vendors_know_them_by() -> None:
    """O1 and O2 are ordered no more; two rows are new: one keeps its number, the other has the next that is free."""
    request = [sent(1, 0), sent(2, 30, 24), sent(3, 60), sent(4, 90, 24), sent(5, 90), sent(6, 200)]
    now = [
        row("O1", days=62),
        row("O1", days=70, term_months=36),
        row("O3", days=90, term_months=24),
        row("O4", days=90),
        row("O5", days=120),
    ]
    assert [(one.name, asked(one)) for one in as_asked(now, request)] == [
        ("O1", []),
        ("O3", ["O3"]),
        ("O4", ["O4"]),
        ("O5", ["O5"]),
        ("O6", []),
    ]
    newer = [replace(one, reference="RFQ-20261101-BBBB", name=f"O{one.number + 10}") for one in request]
    assert asked(as_asked(now[:1], (*request, *newer))[0]) == ["O13", "O3"]
    older = [replace(one, name=one.name.replace("O", "R")) for one in request]
    assert [(one.name, asked(one)) for one in as_asked(now[:2], older)] == [("O1", ["R3"]), ("O2", [])]


def test_rows_of_one_day_are_told_apart_by_what_they_need() -> None:
    fast = AskedNeeds("infiniband", True, 80.0)
    request = [sent(1, 30), sent(2, 30, interconnect="infiniband", answer=NO_BID), sent(3, 30, region="eu")]
    assert [one.name for one in as_asked([row(needs=fast)], request)] == ["O2"]
    assert [one.name for one in as_asked([row("O7")], request)] == ["O1"]


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
def test_a_row_that_was_not_asked_so_keeps_its_number(other: dict[str, object]) -> None:
    (same,) = as_asked([row("O7")], [EQUAL])
    assert (same.name, same.asked_as) == ("O2", ((EQUAL.reference, "O2"),))
    older = replace(EQUAL, reference="RFQ-20260901-CCCC", name="R8", gpus=8)
    (one,) = as_asked([row("O7", **other)], [EQUAL, older])
    assert (one.name, one.asked_as) == ("O7", ())


def test_a_row_that_several_requests_asked_for_names_them_all_the_newest_first() -> None:
    older = replace(EQUAL, reference="RFQ-20260901-CCCC", name="O5")
    (one,) = as_asked([row("O7")], [older, EQUAL])
    assert (one.name, asked(one)) == ("O2", ["O2", "O5"])


def test_what_was_asked_for_at_once_is_the_same_row_while_it_is_still_wanted_at_once() -> None:
    asked = sent(1, 0, gpus=16, is_soonest=True)  # ordered for the plan's first day, which has gone by
    assert [one.name for one in as_asked([row("O7", days=9)], [asked])] == ["O1"]
    assert [one.name for one in as_asked([row("O7", days=40)], [asked])] == ["O7"]


def test_a_quote_is_for_the_row_that_it_was_asked_for_before_any_that_is_alike() -> None:
    rows = as_asked([row("O1", gpus=64), row("O2")], [sent(1, 30, gpus=16), sent(2, 30, gpus=64)])
    assert [(one.name, one.gpus) for one in rows] == [("O1", 16), ("O2", 64)]
    offer = quote("a", 2.0, source="Quote RFQ-20261001-AAAA O1", starts=iso_day(rows[0].start_s))
    assert rows_quoted_for(offer, rows) == (0,)
    unknown = replace(offer, source="Quote RFQ-20261001-AAAA O7")
    assert rows_quoted_for(unknown, rows) == (0,), "the first of its like"
    assert rows_quoted_for(replace(offer, min_gpus=16), rows) == (0,), "its own row asks for as many"
    assert rows_quoted_for(replace(offer, min_gpus=17), rows) == (0, 1), "its least is of both"


def test_no_firm_row_is_filled_with_the_price_of_an_option() -> None:
    asked_for = iso_day(row().start_s)
    offer = quote("a", 2.0, source=f"Quote RFQ-20261001-AAAA R1 option for {asked_for}", starts=asked_for)
    assert rows_quoted_for(offer, [row()]) == ()
    assert rows_quoted_for(offer, [row(), row("R2", is_option=True)]) == (1,)
    firm = replace(offer, source=f"Quote RFQ-20261001-AAAA R1 for {asked_for}")
    assert rows_quoted_for(firm, [row("R2", is_option=True)]) == (0,)
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
    for line in asked_rows(listed(*orders), {}, {}, BEGIN_S, asking):
        (one,) = line.orders
        placed_s = asking.order_day_s(one)
        assert placed_s >= max(asking.orders_from_s, one.order_by_s - DAY_S)
        assert line.start_s >= max(one.start_s - DAY_S, placed_s + one.start_s - one.order_by_s - DAY_S * 2)
        assert asking.is_too_late(one) or line.start_s < one.start_s + DAY_S
        assert line.terms >= 1 and (line.until_s is None) == (line.terms == 1)
