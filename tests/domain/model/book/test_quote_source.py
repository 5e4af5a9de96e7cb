"""The source of an offer says what was asked for, with the remark and the start."""

from dataclasses import replace
from typing import Any

import pytest

from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.offer_fields import LONGEST_TEXT
from gpuplanner.domain.model.book.quote_source import answered_row, noted_source, quote_source, quoted_start
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
    plain = answered_row(quote(quote_source("RFQ-1", "O1")))
    assert plain is not None
    assert (plain.asked_for, plain.issued, plain.sla_percent, plain.remark, plain.is_option) == (
        None,
        None,
        0.0,
        "",
        False,
    )
    before, now = (answered_row(quote(f"Quote RFQ-1 {name}")) for name in ("R1", "O1"))
    assert before is not None and now is not None
    assert (before.sla_percent, now.sla_percent) == (99.9, 0.0), "files before asked for it unsaid"
    assert answered_row(quote(None)) is answered_row(quote("a.csv")) is None
    start = answered_row(quote("Quote RFQ-1 R1 for 2026-02-30"))
    assert start is not None and start.asked_for is None


@pytest.mark.parametrize("longer", [0, 1])
def test_a_remark_longer_than_is_kept_is_cut(longer: int) -> None:
    named = quote_source("RFQ-1", "O1")
    remark = "x" * (LONGEST_TEXT - len(named) - 2 + longer)
    for text in (quote_source("RFQ-1", "O1", remark), noted_source(named, remark)):
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
