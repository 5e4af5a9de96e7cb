"""The line at the foot of the window: what it says of the price book's days."""

from types import SimpleNamespace
from typing import Any

import pytest

from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.ui.frame.status_line import prices_as_of


def project_of(*days: str | None) -> Any:
    offers = [
        Offer(f"o{at}", "H100", PricingCategory.STANDARD, 0, None, as_of=day) for at, day in enumerate(days)
    ]
    return SimpleNamespace(offers=offers)


@pytest.mark.parametrize(
    ("days", "words"),
    [
        ((), "No prices yet"),
        ((None,), "Prices without a date"),
        (("2026-10-01", None, "2026-10-01"), "Prices as of 1 Oct 2026"),
        (("2026-10-01", "2025-03-02", "2026-07-30"), "Prices of 2 Mar 2025 to 1 Oct 2026"),
        (("spring",), "Prices as of spring"),
    ],
)
def test_prices_say_their_oldest_and_newest_day(days: tuple[str | None, ...], words: str) -> None:
    assert prices_as_of(project_of(*days)) == words
