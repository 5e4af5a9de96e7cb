"""The load of an endpoint: rates of hours, the mean request, and what a month of it comes to."""

from math import isclose

import pytest

from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.places import Traffic, WeekRates
from gpuplanner.domain.model.window import HOURS_OF_WEEK
from gpuplanner.domain.serving.load import (
    Load,
    LoadHour,
    by_hour_of_week,
    idle_hours,
    load_of,
    load_of_traffic,
    load_of_week,
    shape_of_week,
    typed_week,
)

MONDAY_S = 1_767_571_200  # 2026-01-05T00:00:00Z
TRAFFIC = Traffic(
    start_s=MONDAY_S + 1800,
    end_s=MONDAY_S + 2 * 3600 + 900,
    hours=((MONDAY_S, 6000, 1200), (MONDAY_S + 7200, 3000, 600)),
    source="requests.csv",
    requests=((60, 6, 250), (30, 3, 120)),
)


def test_a_list_of_requests_is_held_for_its_busiest_minutes() -> None:
    load = load_of_traffic(TRAFFIC)
    assert load is not None
    assert [(hour.week_hour, hour.requests_per_s, hour.seconds) for hour in load.hours] == [
        (0, 6 / 60, 1800.0), (1, 0.0, 3600.0), (2, 3 / 60, 900.0),
    ]  # fmt: skip
    assert load.peak_requests_per_s == 0.1
    assert (load.context_tokens, load.generated_tokens, load.longest_tokens) == (100, 20, 250)
    assert isclose(load.requests_per_month, 90 / (6300 / 3600) * 730)
    assert isclose(load.tokens_per_month, load.requests_per_month * 120)
    assert load.are_tokens_known


def test_a_traffic_without_its_requests_is_no_load() -> None:
    assert load_of_traffic(Traffic(start_s=0, end_s=3600, hours=((0, 1, 1),), source="old.csv")) is None


def test_rates_of_a_week_take_the_assumed_tokens() -> None:
    load = load_of_week(WeekRates((2.0, None, 4.0, *[None] * 165)), 1000, 250)
    assert load is not None
    assert [hour.week_hour for hour in load.hours] == [0, 2]
    assert isclose(load.requests_per_month, 3 * 730 * 3600)
    assert (load.longest_tokens, load.are_tokens_known) == (1250, False)
    assert load_of_week(WeekRates((None,) * HOURS_OF_WEEK), 1, 1) is None
    assert (
        load_of(WeekRates((1.0,) * HOURS_OF_WEEK), Assumptions(serving_generated_tokens=5)).generated_tokens
        == 5
    )
    assert load_of(TRAFFIC, Assumptions()) == load_of_traffic(TRAFFIC)
    with pytest.raises(ValueError, match="168"):
        WeekRates((1.0,))


def test_typed_traffic_is_the_mean_of_its_hours() -> None:
    """40 requests/s in 12 hours of 5 days: 40 x 3,600 x 60 of 168 hours in a week, 730 hours in a month."""
    open_hours = [24 * day + hour for day in range(5) for hour in range(8, 20)]
    for peak, share, shape in ((40, None, ()), (120, 0.25, ()), (60, None, (1.0, 3.0) * 84)):
        load = load_of(typed_week(40, 1200, 300, open_hours, share, shape), Assumptions())
        assert load is not None and load.are_tokens_known
        assert (load.context_tokens, load.generated_tokens, load.longest_tokens) == (1200, 300, 1500)
        assert isclose(load.requests_per_month, 40 * 3600 * 60 / 168 * 730)
        assert isclose(load.peak_requests_per_s, peak)
        assert load.known_hours == 168 and load.hours[0].requests_per_s == 0
    busiest = typed_week(40, None, None, open_hours, 0.25)
    assert isclose(busiest.rates_per_s[14] or 0, 40 * 12 * 0.25)
    assert isclose(busiest.rates_per_s[8] or 0, 40 * 12 * 0.75 / 11)
    assumed = load_of(busiest, Assumptions(serving_generated_tokens=5))
    assert assumed is not None and (assumed.generated_tokens, assumed.are_tokens_known) == (5, False)


def test_a_share_of_the_busiest_hour_is_that_of_an_even_day_or_more() -> None:
    even = typed_week(40, 1, 1, peak_share=0.0415)  # 1 / 24, rounded
    assert even.rates_per_s[0] == pytest.approx(40) == even.rates_per_s[12]
    assert typed_week(40, 1, 1, [9], 1.0).rates_per_s[9] == pytest.approx(40)
    for share in (0.03, 1.2):
        with pytest.raises(PlannerError, match=r"4\.2% to 100%"):
            typed_week(40, 1, 1, peak_share=share)


def test_the_shape_of_a_week_adds_up_what_falls_on_each_hour() -> None:
    """From Monday 1:00 on, 168 hours of 1 and one more of 5: hour 1 has both."""
    shape = shape_of_week([1.0] * HOURS_OF_WEEK + [5.0], MONDAY_S + 3600)
    assert (shape[0], shape[1], shape[2], sum(shape)) == (1.0, 6.0, 1.0, 173.0)


def test_amounts_by_hour_of_the_week_are_means_of_the_seconds_known() -> None:
    load = load_of_traffic(TRAFFIC)
    assert load is not None
    by_hour = by_hour_of_week(load, [2.0, 0.0, 4.0])
    assert by_hour[:4] == (2.0, 0.0, 4.0, None)


def test_idle_hours_of_a_long_time_are_counted_and_not_listed() -> None:
    """Ten thousand hours with requests in the first and the last: the same load as hour by hour."""
    end_s = MONDAY_S + 10_000 * 3600
    rows = ((MONDAY_S, 10, 10), (end_s - 3600, 10, 10))
    load = load_of_traffic(
        Traffic(start_s=MONDAY_S, end_s=end_s, hours=rows, source="", requests=((1, 1, 20), (1, 1, 20)))
    )
    assert load is not None
    assert len(load.hours) == 2 + HOURS_OF_WEEK
    assert sum(hour.seconds for hour in load.hours) == 10_000 * 3600
    by_week_hour = [sum(h.seconds for h in load.hours if h.week_hour == at) / 3600 for at in range(168)]
    assert by_week_hour == [sum(at % 168 == hour for at in range(10_000)) for hour in range(168)]
    assert isclose(load.requests_per_month, 2 / 10_000 * 730)


@pytest.mark.parametrize(
    ("seconds", "number"),
    [(30, " 30 "), (3599, " 3,599 "), (3600, " 1.0 "), (166 * 3600, " 166.0 "), (167 * 3600, "")],
)
def test_traffic_of_less_than_a_week_is_warned_of(seconds: int, number: str) -> None:
    load = Load(
        hours=(LoadHour(0, 1.0, seconds),),
        requests_per_month=1e6,
        context_tokens=1.0,
        generated_tokens=1.0,
        longest_tokens=2.0,
        are_tokens_known=True,
    )
    assert number in str(load.warning) and bool(load.warning) is bool(number)


# --- The load


def test_idle_hours_of_a_long_time_are_parted_by_hour_of_the_week() -> None:
    """From Monday 1:00 and so in hour 1 of the week: 170 hours have hours 1, 2 and 3 twice, of which two are busy."""
    monday_s = 1_767_571_200 + 3600
    found = {
        hour.week_hour: hour.seconds / 3600
        for hour in idle_hours(monday_s, monday_s + 171 * 3600 - 5, [monday_s, monday_s + 3600])
    }
    assert (found[1], found[2], found[3], found[4], found[0]) == (1, 1, 2, 1, 1)
    assert sum(found.values()) == 169 and len(found) == 168
    idle = idle_hours(monday_s, monday_s + 7200, [monday_s])
    assert [(hour.week_hour, hour.requests_per_s, hour.seconds) for hour in idle] == [(2, 0.0, 3600.0)]
    all_busy = idle_hours(monday_s, monday_s + 3600, [monday_s])
    assert all_busy == ()


def test_a_traffic_without_whole_counts_is_no_load() -> None:
    assert (
        load_of_traffic(
            Traffic(start_s=0, end_s=3600, hours=((0, 1, 1), (3600, 1, 1)), source="", requests=((1, 1, 2),))
        )
        is None
    )
    load = load_of_traffic(
        Traffic(
            start_s=1800,
            end_s=5400,
            hours=((0, 30, 10), (3600, 50, 10)),
            source="t",
            requests=((3, 3, 20), (1, 1, 40)),
        )
    )
    assert load is not None
    assert [(hour.requests_per_s, hour.seconds) for hour in load.hours] == [(0.05, 1800.0), (1 / 60, 1800.0)]
    assert (load.context_tokens, load.generated_tokens, load.longest_tokens, load.source) == (
        20.0,
        5.0,
        40.0,
        "t",
    )
    assert load.requests_per_month == 4 * 730 and load.known_hours == 1.0 and load.tokens_per_request == 25.0
    assert load.tokens_per_month == 4 * 730 * 25 and load.month_per_second == 730 / 3600
