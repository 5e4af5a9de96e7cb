"""A price is stale more than ninety days before the last day of the window."""

from dataclasses import replace

from gpuplanner.domain.model.book.price_age import is_stale, oldest_fresh_date
from gpuplanner.domain.model.window import DAY_S, Window
from tests.domain.model.book.stated_offers import OFFER, YEAR


def test_stale_is_more_than_ninety_days_before_the_windows_last_day() -> None:
    window = Window(20_000 * DAY_S, 24)  # ends on 2024-10-05
    assert oldest_fresh_date(window) == "2024-07-07"
    assert is_stale(replace(OFFER, as_of="2024-07-06"), window)
    assert not is_stale(replace(OFFER, as_of="2024-07-07"), window)
    assert not is_stale(replace(OFFER, as_of=None), window)
    assert not is_stale(replace(OFFER, as_of="2024-07-06", rate_usd_per_gpu_hour=None), window)


def test_a_price_is_stale_after_so_many_days() -> None:
    """Days of UTC; without a date or a rate it is none."""
    window = Window(0, 24 * 1000)
    day = oldest_fresh_date(window)
    assert not is_stale(replace(YEAR, as_of=day), window)
    before = Window(0, 24 * 999)
    assert is_stale(replace(YEAR, as_of=oldest_fresh_date(before)), window)
    assert oldest_fresh_date(Window(0, 24 * 999 + 1)) == oldest_fresh_date(before)
    assert not is_stale(YEAR, window)
    assert not is_stale(replace(YEAR, rate_usd_per_gpu_hour=None, as_of="1970-01-01"), window)
