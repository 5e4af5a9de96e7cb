"""A contract is in a window where any of its time lies in it; what starts later or has ended is not."""

import pytest

from gpuplanner.domain.model.book.contract import Contract


@pytest.mark.parametrize(
    ("start_s", "end_s", "is_in"),
    [(0, None, True), (99, None, True), (100, None, False), (0, 50, False), (0, 51, True), (50, 100, True)],
)
def test_only_time_within_counts(start_s: int, end_s: int | None, is_in: bool) -> None:
    contract = Contract("k", "c", "H100", 8000, None, start_s, end_s)
    assert contract.overlaps(50, 100) is is_in
