"""Remarks that change an offer wait for the buyer; quotes that renew one line; the last day of an offer."""

from dataclasses import replace
from typing import Any

import pytest

from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.quote_source import noted_source, quote_source, remark_on
from gpuplanner.domain.model.book.remark import is_on_line_of, taken_as_quoted, undecided, waits
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.domain.model.window import DAY_S
from tests.domain.model.book.stated_offers import YEAR


def quote(source: str | None, **changes: Any) -> Offer:
    return replace(YEAR, source=source, **changes)


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


@pytest.mark.parametrize(
    ("remark", "waiting"),
    [
        ("minimum two nodes", False),
        ("at least 16 GPUs", False),
        ("Minimum order of 2 nodes, up to 64 GPUs", False),
        ("valid until 3 May 2027", False),
        ("valid until 2027-05-03; two sites", False),
        ("minimum three nodes", True),  # 16 GPUs are no three nodes
        ("at least 24 GPUs", True),
        ("up to 32 GPUs", True),
        ("valid until 4 May 2027", True),
        ("minimum two nodes, plus VAT", True),
    ],
)
def test_a_remark_that_repeats_a_filled_cell_is_no_question(remark: str, *, waiting: bool) -> None:
    cells = {"min_gpus": 16, "max_gpus": 64, "valid_until": "2027-05-03"}
    offer = quote(quote_source("RFQ-1", "O1", remark), **cells)
    assert (undecided(offer) is not None) is waiting
    empty = quote(quote_source("RFQ-1", "O1", remark), valid_until="2030-01-01")
    assert undecided(empty) is not None, "the cells do not say it"


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
