"""When offers can begin, and what a log is too young for, by hand."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.commitment.recursion import calendar as module
from gpuplanner.domain.commitment.recursion.calendar import (
    FOR_EVER_S,
    Calendar,
    Fall,
    Lived,
    fall_left,
    fall_of,
    is_block,
    is_by_calendar,
    lead_s,
    length_s,
    needed_days,
)
from gpuplanner.domain.commitment.recursion.ways import spread_when_signed
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.domain.model.window import DAY_S, HOUR_S, MONTH_S, instant_s, iso_day
from tests.domain.commitment.conftest import offer

BEGIN_S = instant_s("2026-10-01")
YEAR, MONTH, DAYS = offer("y1", 12, 2.0), offer("m1", 1, 3.0), offer("d31", 2, 3.0, term_days=31)
BLOCK = offer("b", 0, 2.0, pricing_category=PricingCategory.COMMITTED, starts="2026-10-11", ends="2026-10-21")
OWN = offer("own", 36, None, pricing_category=PricingCategory.OWNED)
QUOTE = offer("q", 12, 2.0, source="Quote RFQ-20260925-AAAA R1 for 2026-10-20", starts="2026-10-20")


def iso(days: float) -> str:
    return iso_day(BEGIN_S + round(days * DAY_S))


def test_lengths_and_blocks() -> None:
    assert [length_s(item) for item in (YEAR, DAYS, BLOCK)] == [12 * MONTH_S, 31 * DAY_S, 10 * DAY_S]
    assert length_s(offer("od", 0, 6.0)) == 0 and length_s(replace(BLOCK, ends=None)) == 0
    assert is_block(BLOCK) and not is_block(YEAR) and not is_block(replace(BLOCK, ends=BLOCK.starts))
    assert is_block(replace(BLOCK, term_days=10)) and not is_block(replace(BLOCK, term_days=9))
    assert lead_s(offer("a", 1, 1.0, lead_time_hours=0.5)) == 1800


def test_only_what_has_no_offer_by_use_is_reserved_by_calendar() -> None:
    """A year beside a block changes nothing; an offer by use does, even one whose rate is not known."""
    assert is_by_calendar([BLOCK]) and is_by_calendar([DAYS, YEAR])
    assert not is_by_calendar([]) and not is_by_calendar([YEAR, MONTH])
    assert not is_by_calendar([BLOCK, offer("od", 0, 6.0)]) and not is_by_calendar(
        [BLOCK, offer("od", 0, None)]
    )


def test_a_calendar_of_levels_by_hand_waits_for_nothing() -> None:
    waits = Calendar(begin_s=BEGIN_S, wait_months=2, asked_from_s=5, own_from_s=3)
    assert waits.by_hand == Calendar(begin_s=BEGIN_S, free_leads=True, has_exact_long_leads=True)


def test_what_is_asked_for_waits_for_replies() -> None:
    """What bridges a month, is owned or was quoted does not; a day of its own waits less."""
    asks = Calendar(begin_s=BEGIN_S, asked_from_s=19 * DAY_S, own_from_s=8 * DAY_S)
    assert [asks.wait_s(item) for item in (YEAR, MONTH, DAYS, OWN, QUOTE)] == [19 * DAY_S, 0, 0, 0, 0]
    assert asks.wait_s(replace(DAYS, term_days=32)) == 19 * DAY_S and asks.wait_s(YEAR, True) == 8 * DAY_S
    both = replace(asks, wait_months=1)
    assert [both.wait_s(item) for item in (YEAR, MONTH)] == [MONTH_S, MONTH_S]
    slow = replace(YEAR, lead_time_hours=48.0)
    assert asks.soonest_s(slow) == 21 * DAY_S and asks.soonest_s(slow, True) == 10 * DAY_S
    free = Calendar(begin_s=BEGIN_S, free_leads=True)
    assert [free.soonest_s(replace(YEAR, lead_time_hours=hours)) for hours in (730.0, 730.1, 1461.0)] == [
        0,
        2 * MONTH_S,
        3 * MONTH_S,
    ]


def opens(calendar: Calendar, item: Any, months: int = 4) -> list[float | None]:
    """In which days of the plan an offer may begin in each month, None where it may not."""
    begin_s, is_open = calendar.begins(item, months)
    return [
        round(at / DAY_S, 3) if there else None
        for at, there in zip(begin_s.tolist(), is_open.tolist(), strict=True)
    ]


M = MONTH_S / DAY_S


@pytest.mark.parametrize(
    ("item", "days"),
    [
        (YEAR, [0, M, 2 * M, 3 * M]),
        (replace(YEAR, lead_time_hours=240.0), [10, M, 2 * M, 3 * M]),
        (replace(YEAR, lead_time_hours=1000.0), [None, 1000 / 24, 2 * M, 3 * M]),
        (BLOCK, [10, None, None, None]),
        (replace(BLOCK, lead_time_hours=250.0), [None] * 4),
        (replace(YEAR, starts=iso(40)), [None, None, 2 * M, 3 * M]),
        (replace(YEAR, ends=iso(400)), [0, M, None, None]),  # 365 days from day 30.4 end on 395.4
        (replace(MONTH, term_days=7, ends=iso(70)), [0, M, None, None]),  # it renews for a month
        (replace(YEAR, valid_until=iso(31)), [0, M, None, None]),
        (replace(YEAR, valid_until=iso(31), lead_time_hours=744.0), [None, 31, 2 * M, None]),
        (QUOTE, [19, None, None, None]),
        (replace(QUOTE, valid_until=iso(-1)), [None] * 4),
    ],
)
def test_months_in_which_an_offer_may_begin(item: Any, days: list[float | None]) -> None:
    assert opens(Calendar(begin_s=BEGIN_S), item) == [None if at is None else round(at, 3) for at in days]


@pytest.mark.parametrize(
    ("day", "months"),
    [
        ("2026-10-31", range(1)),  # it ends with the month
        ("2026-11-01", range(1, 2)),
        ("2026-10-01", range(1)),  # it begins before the plan
        ("2026-09-01", range(0)),  # gone by for over a month: until 1 October, 10:00
        ("2026-09-02", range(1)),
        ("2026-12-01", range(1, 3)),  # month 2 begins in it, at 10:00
    ],
)
def test_a_quote_is_for_the_months_that_its_day_touches(day: str, months: range) -> None:
    """Months of 30 days and 10 hours, from 1 October, 14:00: the next on 1 November, 0:00, and 1 December, 10:00."""
    quote = replace(QUOTE, source=f"Quote RFQ-20260825-AAAA R1 for {day}", starts=day)
    assert Calendar(begin_s=BEGIN_S + 14 * HOUR_S).months_quoted_for(quote) == months


def test_dates_do_not_matter_where_no_day_is_known() -> None:
    assert opens(Calendar(), replace(YEAR, starts=iso(40), valid_until=iso(0)), 2) == [0, round(M, 3)]
    assert opens(Calendar(), BLOCK, 1) == [None] and Calendar().months_quoted_for(QUOTE) is None
    assert Calendar().is_open_in(YEAR, 0) and not Calendar().is_open_in(BLOCK, 0)


@pytest.mark.parametrize(
    ("item", "day", "is_there"),
    [
        (YEAR, 0, True),
        (replace(YEAR, lead_time_hours=48.0), 1.99, False),
        (replace(YEAR, lead_time_hours=48.0), 2, True),
        (BLOCK, 10, True),
        (BLOCK, 11, False),
        (QUOTE, 19, False),
        (replace(YEAR, starts=iso(5)), 4.99, False),
        (replace(YEAR, starts=iso(5)), 5, True),
        (replace(YEAR, ends=iso(370)), 5, True),
        (replace(YEAR, ends=iso(370)), 5.01, False),
        (replace(YEAR, valid_until=iso(3)), 3.5, True),
        (replace(YEAR, valid_until=iso(3)), 4, False),
        (replace(YEAR, valid_until=iso(3), lead_time_hours=48.0), 5.5, True),
        (replace(YEAR, valid_until=iso(3), lead_time_hours=48.0), 6, False),
    ],
)
def test_capacity_is_there_from_a_moment_on(item: Any, day: float, is_there: bool) -> None:
    assert Calendar(begin_s=BEGIN_S).is_there(item, round(day * DAY_S), length_s(item)) is is_there


def test_capacity_where_no_day_is_known() -> None:
    assert Calendar().is_there(YEAR, 0, 1) and not Calendar().is_there(BLOCK, 0, 1)
    assert not Calendar().is_there(replace(YEAR, lead_time_hours=1.0), HOUR_S - 1, 1)


# --- Falls, and days lived


def hourly(*spans: tuple[int, float]) -> np.ndarray:
    """Days and GPUs in each hour of them, in whole milli-GPU-seconds."""
    return np.concatenate([np.full(24 * days, gpus * 3_600_000) for days, gpus in spans])


@pytest.mark.parametrize(
    ("demand", "fall"),
    [
        (hourly((26, 10.0), (14, 10.0)), None),
        # 26 x 10 + 14 x 5 are 8.25 on average: 60.6%
        (hourly((26, 10.0), (14, 5.0)), None),
        # 26 x 10 + 14 x 4.9 are 8.215: 59.6%
        (hourly((26, 10.0), (14, 4.9)), Fall(pytest.approx(4.9 / 8.215), False)),  # type: ignore[arg-type]
        (hourly((26, 10.0), (7, 10.0), (7, 0.0)), Fall(pytest.approx(5 / 8.25), True)),  # type: ignore[arg-type]
        (hourly((40, 0.0)), None),
        # as low before, and back since
        (hourly((14, 2.0), (20, 10.0), (14, 2.0)), None),
        (hourly((14, 2.0), (14, 10.0), (14, 2.0)), None),
    ],
)
def test_demand_falls_where_the_last_two_weeks_hold_less_than_60_percent(
    demand: Any, fall: Fall | None
) -> None:
    assert fall_of(demand) == fall


def test_a_fall_of_what_has_no_dates_counts_where_the_whole_log_fell() -> None:
    fell, flat = hourly((26, 10.0), (14, 1.0)), hourly((40, 10.0))
    assert fall_left(fell, flat) is None is fall_left(flat, fell)
    assert fall_left(fell, fell) == fall_of(fell)


def test_days_that_a_term_needs() -> None:
    lengths = np.array([MONTH_S, MONTH_S + 1, 2 * MONTH_S, 5 * MONTH_S])
    assert needed_days(lengths).tolist() == pytest.approx([0.0, 10.0, 20.0, 45.0], abs=1e-4)


def test_young_slices_are_closed_to_long_terms() -> None:
    """Of 45, 20 and 9 days; the last did not run in the last 96 hours. A quarter needs 30 days, a year 45."""
    longest_s = FOR_EVER_S * np.array([[1, 1, 0], [1, 0, 0]])
    lived = Lived(np.array([[45, 20, 9], [45, 20, 9]]), longest_s)
    closed = lived.closed(np.array([MONTH_S, 3 * MONTH_S, 12 * MONTH_S]), 0)
    assert closed.tolist() == [
        [[False, False, True], [False, True, True], [False, True, True]],
        [[False, False, False], [False, False, False], [False, False, True]],
    ]
    assert lived.closed(np.array([12 * MONTH_S]), 1).tolist() == [[[True, True]], [[False, True]]]
    assert lived.if_it_lasts(0, 12 * MONTH_S).tolist() == [False] * 3
    assert lived.if_it_lasts(1, 12 * MONTH_S).tolist() == [False, True, True]
    assert lived.if_it_lasts(1, MONTH_S).tolist() == [False, True, True]
    assert lived.if_it_lasts(2, MONTH_S).tolist() == [False, False, False]
    assert lived.if_it_lasts(9, 3 * MONTH_S).tolist() == [False, True, True]


def test_days_are_counted_back_from_the_last_hour() -> None:
    """Two days and three hours: 1 GPU in the first three, then 2, then 3 GPUs for one hour of the last."""
    gpus = np.array([1.0] * 3 + [2.0] * 24 + [0.0] * 23 + [3.0])
    middles = np.array([0.5, 1.5, 2.5, 3.5])
    assert module.count_busy_days(middles, gpus, gpus).tolist() == [3, 2, 1, 0]
    # what the planner states reaches it for ever
    stated = gpus + np.where(np.arange(len(gpus)) == 0, 3.0, 0.0)
    assert module.count_busy_days(middles, stated, gpus).tolist() == [3, 45, 45, 45]
    old = np.concatenate((gpus, np.zeros(96)))
    assert module.find_longest_term_s(middles, gpus, gpus).tolist() == [FOR_EVER_S] * 3 + [0]
    assert module.find_longest_term_s(middles, old, old).tolist() == [0] * 4
    assert module.find_longest_term_s(middles, old + (old == 3.0), old).tolist() == [0, 0, 0, FOR_EVER_S]


@pytest.mark.parametrize(("idle", "silent"), [(47, [False, False]), (48, [False, True]), (60, [False, True])])
def test_silence_is_longer_than_ever_before(idle: int, silent: list[bool]) -> None:
    """A slice below that paused for 60 hours before, and one that never did; what the planner states is not silent."""
    gpus = np.array([2.0] * 100 + [1.0] * 24 + [2.0] * 24 + [0.0] * idle)
    paused = np.array([2.0] * 100 + [0.0] * 60 + [2.0] * 24 + [0.0] * idle)
    longest_s = [int(module.find_longest_term_s(np.array([0.5]), each, each)[0]) for each in (paused, gpus)]
    assert longest_s == [MONTH_S if each else FOR_EVER_S for each in silent]
    assert module.find_longest_term_s(np.array([0.5]), gpus, gpus * 0).tolist() == [FOR_EVER_S]


def test_a_silent_slice_takes_a_month_now_and_longer_terms_if_it_lasts() -> None:
    lived = Lived(np.full((2, 2), 60), np.array([[MONTH_S, FOR_EVER_S]] * 2))
    assert lived.closed(np.array([MONTH_S, 3 * MONTH_S]), 0).tolist() == [
        [[False, False], [True, False]],
        [[False, False], [False, False]],
    ]
    assert lived.if_it_lasts(1, MONTH_S).tolist() == [False, False]
    assert lived.if_it_lasts(1, 3 * MONTH_S).tolist() == [True, False]
    assert not lived.of_any_age.closed(np.array([3 * MONTH_S]), 0).any()


def test_after_a_fall_only_what_is_kept_signs_over_three_months() -> None:
    """In every month; one that goes on makes every order after month 0 wait."""
    days, longest_s = np.full((3, 2), 60), np.full((2, 2), FOR_EVER_S)
    kept = np.array([[True, False]] * 3)
    lived = Lived(days, longest_s, kept)
    assert (
        lived.closed(np.array([3 * MONTH_S, 6 * MONTH_S]), 0).tolist()
        == [[[False, False], [False, True]]] * 3
    )
    assert not lived.if_it_lasts(2, 6 * MONTH_S).any()
    on = Lived(days, longest_s, kept & False, True)
    assert on.closed(np.array([6 * MONTH_S]), 1).all()
    assert on.if_it_lasts(2, MONTH_S).all() and not on.if_it_lasts(0, MONTH_S).any()


@pytest.mark.parametrize(
    ("paid", "level", "usd"),
    [
        (YEAR, 1.0, 2.0 + 8760 / (12 * 730)),
        (YEAR, 0.5, 1.0 + 8760 / (12 * 730)),  # what is paid upfront does not fall with the rate
        (MONTH, 1.0, 3.0 + 8760 / 730),
        (offer("d10", 0, 3.0, term_days=10), 1.0, 3.0 + 8760 / 730),  # it renews until a month is over
        (BLOCK, 1.0, 2.0 + 8760 / 240),  # ten days, bought once
    ],
)
def test_what_is_paid_upfront_is_spread_over_the_hours_that_it_binds(
    paid: Any, level: float, usd: float
) -> None:
    assert spread_when_signed(replace(paid, upfront_usd=Decimal(8760)), level) == pytest.approx(usd)
    assert spread_when_signed(paid, level) == pytest.approx((paid.rate or 0.0) * level)
