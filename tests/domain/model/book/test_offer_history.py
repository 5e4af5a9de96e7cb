"""Dated rates of offers: the newer counts, the older is kept, whatever the order in which they come."""

from dataclasses import replace
from decimal import Decimal
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.offer_history import (
    histories,
    is_dated,
    joined,
    newest,
    replaced,
    with_earlier,
)
from gpuplanner.domain.model.pool import PricingCategory

DAYS = ("2025-01-01", "2025-07-01", "2026-01-01", "2026-07-01")


def offer(offer_id: str, rate: str | None, as_of: str | None, **facts: object) -> Offer:
    known: dict[str, object] = {"provider": "Acme", "region": None} | facts
    price = None if rate is None else Decimal(rate)
    return Offer(offer_id, "H100", PricingCategory.COMMITTED, 12, price, as_of=as_of, **known)  # type: ignore[arg-type]


offers = st.lists(
    st.builds(
        offer,
        st.sampled_from("abc"),
        st.sampled_from(("1.00", "2.00", "3.00", None)),
        st.sampled_from((*DAYS, None, "last May")),
        provider=st.sampled_from(("Acme", "Bolt", None)),
    ),
    max_size=8,
)


def dates(found: tuple[Offer, ...]) -> set[tuple[str, str | None]]:
    return {(one.offer_id, one.as_of) for one in found if is_dated(one)}


@given(offers, offers)
def test_every_day_of_which_there_was_a_rate_is_kept(book: list[Offer], coming: list[Offer]) -> None:
    now, gone = joined(newest(book)[0], coming)
    assert dates((*now, *gone)) >= dates((*newest(book)[0], *coming))
    assert [one.offer_id for one in now] == sorted({one.offer_id for one in now})
    assert all(is_dated(one) for one in gone)


@given(offers)
def test_without_a_day_the_later_counts_and_with_days_the_newest(found: list[Offer]) -> None:
    now, _ = newest(found)
    for one in now:
        alike = [other for other in found if other.offer_id == one.offer_id]
        if all(map(is_dated, alike)):
            assert one.as_of == max(other.as_of or "" for other in alike)
        else:
            assert one in alike


def test_the_newest_counts_in_whatever_order_lists_are_given() -> None:
    lists = [[offer("a", rate, day)] for rate, day in (("3", DAYS[0]), ("2", DAYS[2]), ("2.5", DAYS[1]))]
    for order in permutations(lists):
        book: tuple[Offer, ...] = ()
        earlier: tuple[Offer, ...] = ()
        for coming in order:
            book, gone = joined(book, coming)
            earlier = with_earlier(earlier, gone, book)
        (now,) = book
        assert (now.rate, now.as_of) == (2.0, DAYS[2])
        assert [one.as_of for one in histories(book, earlier)[now.offer_id]] == [DAYS[0], DAYS[1], DAYS[2]]


def test_one_product_under_two_ids_is_one_offer() -> None:
    old, new = offer("q1", "3", DAYS[0]), offer("q2", "2", DAYS[1])
    assert joined([old], [new]) == ((new,), (old,))
    assert joined([new], [old]) == ((new,), (old,))
    assert histories([new], [old])[new.offer_id] == (old, new)


@pytest.mark.parametrize(
    "other",
    [
        offer("q2", "2", DAYS[1], region="eu"),
        offer("q2", "2", DAYS[1], provider="Bolt"),
        offer("q2", "2", DAYS[1], provider=None),
        offer("q2", "2", DAYS[0]),
        offer("q2", "2", None),
        replace(offer("q2", "2", DAYS[1]), term_months=6),
    ],
)
def test_what_is_not_surely_the_same_stays_beside_it(other: Offer) -> None:
    old = offer("q1", "3", DAYS[0])
    assert joined([old], [other]) == ((old, other), ())


def test_two_offers_of_one_product_are_not_taken_for_a_third() -> None:
    twins = [offer("q1", "3", DAYS[0]), offer("q2", "3.5", DAYS[0])]
    new = offer("q3", "2", DAYS[1])
    assert joined(twins, [new])[0] == (*twins, new)


def test_a_list_in_place_of_the_book_counts_and_the_rates_of_its_offers_are_kept() -> None:
    book = [offer("a", "3", DAYS[1]), offer("b", "5", DAYS[1]), offer("c", "4", DAYS[1], provider="Bolt")]
    fresh = [offer("a", "2", DAYS[2]), offer("d", "3.5", DAYS[2], provider="Bolt")]
    now, gone = replaced(book, fresh)
    assert now == tuple(fresh)
    assert {one.offer_id for one in gone} == {"a", "c"}


def test_a_history_is_of_one_term() -> None:
    now = offer("a", "2", DAYS[2])
    earlier = (offer("a", "3", DAYS[0]), replace(offer("a", "9", DAYS[1]), term_months=36))
    assert [one.rate for one in histories([now], earlier)[now.offer_id]] == [3.0, 2.0]


def test_a_quote_takes_no_lists_place() -> None:
    """It is of the same vendor, model and term, and newer; yet it is for one row of a request alone."""
    listed = offer("list", "3.00", "2026-01-01")
    quotes = [
        offer(f"quote {row}", "2.00", "2026-07-01", source=f"Quote RFQ-20260701-AAAA {row}")
        for row in ("R1", "R2")
    ]
    for coming in (quotes[:1], quotes):
        assert joined([listed], coming) == ((listed, *coming), ())
    assert joined([listed, quotes[0]], quotes[1:])[0] == (listed, *quotes)
