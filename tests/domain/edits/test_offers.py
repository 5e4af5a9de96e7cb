"""Offers: quotes that vendors take back."""

from dataclasses import replace

import pytest

from gpuplanner.domain import edits
from gpuplanner.domain.edits.offers import without_taken_back
from gpuplanner.domain.model.book.quote_source import quote_source
from gpuplanner.domain.model.intake import FileIntake, row_key
from tests.domain.commitment.conftest import offer


def test_quotes_are_taken_back_by_the_row_that_they_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    quoted = replace(offer("a", 12, 2.0, provider="Ada"), source=quote_source("RFQ-1", "R1"))
    nameless, plain = replace(quoted, offer_id="b", provider=None), offer("c", 0, 2.0, provider="Ada")
    other = replace(quoted, offer_id="d", source=quote_source("RFQ-1", "R2"))
    offers, files = (
        (quoted, nameless, plain, other),
        (
            FileIntake(
                path="a",
                kind="prices",
                format="own",
                rows_read=0,
                rows_accepted=0,
                rows_rejected=0,
                rows_duplicate=0,
                rows_ignored=0,
            ),
        ),
    )
    assert without_taken_back(offers, files) == (offers, ())
    monkeypatch.setattr(edits.offers, "taken_back", lambda _: {row_key("ada", "RFQ-1", "R1")})
    assert without_taken_back(offers, files) == ((nameless, plain, other), (quoted,))
    monkeypatch.setattr(edits.offers, "taken_back", lambda _: {row_key("", "RFQ-1", "R1")})
    assert without_taken_back(offers, files) == ((quoted, plain, other), (nameless,))
