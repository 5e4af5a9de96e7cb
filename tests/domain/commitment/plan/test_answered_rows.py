"""A quote is for the row that it names, else for the first of its like that it is there for."""

import pytest

from gpuplanner.domain.commitment.plan.answered_rows import is_of_term, row_quoted_for
from gpuplanner.domain.model.window import iso_day
from tests.domain.award.conftest import quote, row

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
