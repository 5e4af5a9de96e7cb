"""Sources and remarks of offers: what was asked for, when offers start, and what a remark changes."""

from dataclasses import replace
from typing import Any

import pytest

from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.price_book import (
    LONGEST_TEXT,
    answered_row,
    noted_source,
    quote_source,
    quoted_start,
    remark_on,
)
from gpuplanner.domain.model.book.remark import is_on_line_of, taken_as_quoted, undecided, waits
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.domain.model.window import DAY_S
from tests.domain.model.book.stated_offers import YEAR


def quote(source: str | None, **changes: Any) -> Offer:
    return replace(YEAR, source=source, **changes)


def test_a_source_says_what_was_asked_for() -> None:
    source = quote_source("RFQ-20260930-7C1E", "R2", "two sites", "2026-12-01", 99.95, is_option=True)
    row = answered_row(quote(source))
    assert row is not None
    assert (row.reference, row.row, row.asked_for, row.issued) == (
        "RFQ-20260930-7C1E",
        "R2",
        "2026-12-01",
        "2026-09-30",
    )
    assert (row.sla_percent, row.remark, row.is_taken, row.is_option) == (99.95, "two sites", False, True)
    plain = answered_row(quote(quote_source("RFQ-1", "R1")))
    assert plain is not None
    assert (plain.asked_for, plain.issued, plain.sla_percent, plain.remark, plain.is_option) == (
        None,
        None,
        99.9,
        "",
        False,
    )
    assert answered_row(quote(None)) is answered_row(quote("a.csv")) is None
    start = answered_row(quote("Quote RFQ-1 R1 for 2026-02-30"))
    assert start is not None and start.asked_for is None


@pytest.mark.parametrize("longer", [0, 1])
def test_a_remark_longer_than_is_kept_is_cut(longer: int) -> None:
    named = quote_source("RFQ-1", "R1")
    remark = "x" * (LONGEST_TEXT - len(named) - 2 + longer)
    for text in (quote_source("RFQ-1", "R1", remark), noted_source(named, remark)):
        assert len(text) == LONGEST_TEXT and text.endswith("\u2026" if longer else "x")


def test_a_start_is_that_asked_for_or_the_vendors_later_one() -> None:
    source = "Quote RFQ-20260930-7C1E R2 for 2026-12-01"
    asked = quoted_start(quote(source))
    assert asked is not None and (asked.offered_s, asked.is_at_once) == (asked.asked_s, False)
    later = quoted_start(quote(source, starts="2026-12-05T12:00:00Z"))
    assert later is not None and later.offered_s - later.asked_s == 4 * DAY_S
    sooner = quoted_start(quote(source, starts="2026-11-05"))
    assert sooner is not None and sooner.offered_s == sooner.asked_s
    at_once = quoted_start(quote("Quote RFQ-20260930-7C1E R2 for 2026-09-30"))
    assert at_once is not None and at_once.is_at_once
    assert quoted_start(quote("Quote RFQ-1 R2")) is quoted_start(YEAR) is None
    own = quoted_start(quote("Quote RFQ-1 R2", starts="2026-12-05"))
    assert own is not None and own.asked_s == own.offered_s


@pytest.mark.parametrize(
    ("remark", "waiting"),
    [
        ("", False),
        ("two sites", False),
        ("RTX 4090", True),
        ("H100", False),
        ("H100 SXM 80 GB", False),
        ("H100 40GB", True),  # less memory than the offer states
        ("plus VAT", True),
        ("excl. VAT", False),
        ("valid until 3 May", True),
        ("if needed", False),
        ("thank you in advance", False),
        ("x\u2026", True),
    ],
)
def test_a_remark_waits_where_it_changes_the_offer(remark: str, *, waiting: bool) -> None:
    offer = quote(quote_source("RFQ-1", "R1", remark), gpu_memory_gb=80.0)
    assert (undecided(offer) is not None) is waiting and (waits(offer) is not None) is waiting
    taken = taken_as_quoted(offer)
    assert (taken is not offer) is waiting and undecided(taken) is None
    assert remark_on(taken) == (remark, waiting)
    by_use = replace(offer, pricing_category=PricingCategory.STANDARD, term_months=0)
    assert waits(by_use) is None
    listed = quote(noted_source("a.csv", remark))
    assert remark_on(listed) == (remark, False)


def test_a_remark_is_quoted_as_written_or_where_a_letter_becomes_two_in_small_letters() -> None:
    for remark, words in (("Two sites, PLUS VAT", "PLUS VAT"), ("\u0130zmir, PLUS VAT", "plus vat")):
        message = undecided(quote(quote_source("RFQ-1", "R1", remark)))
        assert message is not None and message.values["words"] in words


def test_quotes_a_term_apart_renew_one_line() -> None:
    """A year from 1 December 2026 and the next from 1 December 2027: 8,760 h apart."""
    first = quote("Quote RFQ-1 R1 for 2026-12-01", starts="2026-12-01")
    second = replace(first, offer_id="z", source="Quote RFQ-1 R2 for 2027-12-01", starts="2027-12-01")
    assert is_on_line_of(first, second) and is_on_line_of(second, first) and is_on_line_of(first, first)
    half = replace(second, source="Quote RFQ-1 R2 for 2027-06-01", starts="2027-06-01")
    same_day = replace(second, source="Quote RFQ-1 R2 for 2026-12-01", starts="2026-12-01")
    for other in (
        half, same_day, replace(second, max_gpus=5), replace(second, source="Quote RFQ-2 R2 for 2027-12-01"),
        replace(second, source="Quote RFQ-1 R2 for 2027-12-01; x"), replace(second, source=None),
    ):  # fmt: skip
        assert not is_on_line_of(first, other)
    day_off = replace(second, source="Quote RFQ-1 R2 for 2027-12-02", starts="2027-12-02")
    two_off = replace(second, source="Quote RFQ-1 R2 for 2027-12-03", starts="2027-12-03")
    assert is_on_line_of(first, day_off) and not is_on_line_of(first, two_off)


def test_an_offer_is_open_through_its_last_day_or_instant() -> None:
    """10 January 1970 is the ninth day after the first."""
    by_day, by_time = (
        replace(YEAR, valid_until="1970-01-10"),
        replace(YEAR, valid_until="1970-01-10T12:00:00Z"),
    )
    assert (by_day.last_order_s, by_time.last_order_s) == (10 * DAY_S - 1, 9 * DAY_S + DAY_S // 2)
    assert by_day.is_open_on(10 * DAY_S - 1) and not by_day.is_open_on(10 * DAY_S)
    assert by_time.is_open_on(10 * DAY_S - 1) and not by_time.is_open_on(10 * DAY_S)
    assert YEAR.last_order_s is None and YEAR.is_open_on(10**10)
