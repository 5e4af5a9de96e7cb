"""Figures of each site: replicas, GPUs, dollars, the wait of users, egress by path, and requests by hour."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.places import Places, UserCity
from gpuplanner.domain.serving import regions
from gpuplanner.domain.serving.load import Load, LoadHour
from gpuplanner.domain.serving.regions import Regional, city_shares, egress_growth, regional
from gpuplanner.domain.serving.replicas import ServingTerms, Wait
from gpuplanner.domain.serving.sizing import SizedRow
from gpuplanner.domain.serving.transit import Leg
from tests.domain.serving.small_places import city, site, world

HOURS = (LoadHour(3, 10.0), LoadHour(7, 20.0), LoadHour(33, 20.0))
LOAD = Load(
    hours=HOURS,
    requests_per_month=1e9,
    context_tokens=1000.0,
    generated_tokens=250.0,
    longest_tokens=1250.0,
    are_tokens_known=True,
)
ROW = SizedRow(
    gpu_model="H100", precision="BF16", tensor_parallel=2, fits=True, requests_per_s=2.0, prefill_ms=100.0
)
ASSUMED = Assumptions(
    egress_usd_per_gb=0.12,
    egress_far_usd_per_gb=0.2,
    serving_users_times=3,
    serving_far_share=0.5,
    serving_local_hours=False,
)


def places(*, with_b: bool = True) -> Places:
    """East serves A and B, West C; nobody may serve D. 50, 30, 10 and 10 users."""
    cities = [city("A", 50, "US"), city("B", 30, "CA"), city("C", 10, "US"), city("D", 10, "IN")]
    made = world(
        cities if with_b else [cities[0], *cities[2:]],
        [site("east", "US", is_current=True), site("west", "United States", is_current=True)],
        [
            ("A", "east", 5),
            ("A", "west", 90),
            ("B", "east", 40),
            ("B", "west", 90),
            ("C", "east", 90),
            ("C", "west", 7),
        ],
        [("IN", ["IN"])],
    )
    east, west = made.sites
    return replace(made, sites=(replace(east, egress_usd_per_gb=Decimal("0.08")), west))


def served(of: Places | None = None, load: Load = LOAD, row: SizedRow = ROW, **facts: Any) -> Regional:
    assumptions = facts.pop("assumptions", ASSUMED)
    rate = facts.pop("rate", 0.5)
    terms = ServingTerms(**({"headroom": 0.8} | facts))
    result = regional(of or places(), load, row, terms, rate=rate, assumptions=assumptions)
    assert result is not None
    return result


def test_each_site_holds_replicas_for_its_share_of_the_peak() -> None:
    """20 requests/s by 100 users: 16 in the East, ten replicas of 2 at 80%; 2 in the West, two; a spare each."""
    of = served()
    east, west = of.regions
    assert [(at.site_id, at.users, at.peak_requests_per_s, at.peak_hour) for at in of.regions] == [
        ("east", 80.0, pytest.approx(16.0), 7), ("west", 10.0, pytest.approx(2.0), 7),
    ]  # fmt: skip
    assert [(at.replicas, at.spare, at.gpus) for at in of.regions] == [(10, 1, 22), (2, 1, 6)]
    assert (east.usd_per_month, west.usd_per_month) == (22 * 365.0, 6 * 365.0)
    assert of.gpus == {"none": 24, "each": 28, "over_sites": 26} and of.unserved_users == 10.0
    assert of.usd_per_month == {"none": 8760.0, "each": 10_220.0, "over_sites": 9490.0}
    free = served(rate=None)
    assert free.regions[0].usd_per_month is None and set(free.usd_per_month.values()) == {None}
    idle = served(load=replace(LOAD, hours=(LoadHour(4, 0.0),)))
    assert idle.gpus == {"none": 0, "each": 0, "over_sites": 0}
    assert [(at.replicas, at.spare, at.peak_hour) for at in idle.regions] == [(0, 0, 4)] * 2
    assert idle.regions[0].ms_p50 == 110.0  # 10 of way, and the prefill alone


def test_users_wait_for_the_way_the_queue_and_the_prefill() -> None:
    """16 of 22 requests/s: 72.7% busy. Of 80 users 50 are 10 ms away there and back, and 30 are 80."""
    east, west = served().regions
    queue = 100.0 + Wait(16 / 22, 100.0).mean_ms
    assert queue == pytest.approx(100 + (16 / 22) * 100 / (2 * 6 / 22))
    assert (east.ms_p50, east.ms_p80) == pytest.approx((10 + queue, 80 + queue))
    assert west.ms_p50 == pytest.approx(14 + 100 + Wait(2 / 6, 100.0).mean_ms) == west.ms_p80
    full = served(headroom=1.0, spare=0).regions[0]  # 8 replicas of 2 take all of 16
    assert (full.replicas, full.ms_p50, full.ms_p80) == (8, None, None)
    assert served(row=replace(ROW, prefill_ms=None)).regions[0].ms_p50 is None


def leg(users: float, ms: float | None) -> Leg:
    where = UserCity(city="c", country="US", latitude=0.0, longitude=0.0, users=Decimal(str(users)))
    return Leg(
        city=where,
        site_id="s",
        one_way_ms=None if ms is None else ms / 2,
        round_trip_ms=ms,
        km=1.0,
        is_measured=False,
        is_top=True,
    )


def test_the_way_of_a_share_is_that_of_the_last_user_in_it() -> None:
    legs = [leg(1, 30.0), leg(1, 10.0), leg(1, 40.0), leg(1, 20.0)]
    for share, ms in ((0.25, 10), (0.26, 20), (0.5, 20), (0.75, 30), (0.8, 40), (1.0, 40)):
        assert regions.latency_of_share_ms(legs, share, 1.0) == ms + 1.0
    assert regions.latency_of_share_ms(legs, 0.5, None) is regions.latency_of_share_ms([], 0.5, 1.0) is None
    assert regions.latency_of_share_ms([leg(1, None), leg(1, 5.0)], 0.5, 1.0) is None
    tenths = [leg(0.1, float(at)) for at in range(1, 11)]  # ten tenths are a little less than one
    assert regions.latency_of_share_ms(tenths, 1.0, 0.0) == 10.0


def test_text_leaves_to_the_users_of_the_sites_country_and_to_others() -> None:
    """1,250 GB a month: A 625 at 0.08, B 375 abroad at 0.2, C 125 at the assumed 0.12."""
    of = served()
    east, west = of.regions
    assert (east.near_gb, east.far_gb, east.egress_usd_per_month) == pytest.approx((625, 375, 50 + 75))
    assert (west.near_gb, west.far_gb, west.egress_usd_per_month) == pytest.approx((125, 0, 15))
    paths = of.egress
    assert paths is not None and (paths.near_gb, paths.far_gb) == pytest.approx((750, 375))
    assert (paths.near_usd_per_gb, paths.far_usd_per_gb) == pytest.approx((65 / 750, 0.2))
    assert (paths.usd_per_month, paths.far_share) == pytest.approx((140, 1 / 3))
    # three times as many users, half of them abroad: 3,375 GB at (65 / 750 + 0.2) / 2
    assert paths.later_usd_per_month == pytest.approx(3375 * (65 / 750 + 0.2) / 2)
    assert (paths.later_users_times, paths.later_far_share) == (3, 0.5)
    assert paths.times == pytest.approx(paths.later_usd_per_month / 140)
    same = served(assumptions=replace(ASSUMED, serving_far_share=None)).egress
    assert same is not None and (same.later_far_share, same.times) == pytest.approx((1 / 3, 3))


def test_a_path_that_nothing_takes_has_the_mean_price_of_what_leaves() -> None:
    """70 users: A 50 / 70 of 1,250 GB and C 10 / 70, all at home; abroad as near where nothing else is assumed."""
    near = replace(ASSUMED, egress_far_usd_per_gb=None)
    paths = served(places(with_b=False), assumptions=near).egress
    assert paths is not None and paths.far_gb == 0
    assert (
        paths.near_usd_per_gb == pytest.approx((5 * 0.08 + 0.12) / 6) == pytest.approx(paths.far_usd_per_gb)
    )
    assert paths.times == pytest.approx(3)
    free = served(
        places(with_b=False), load=replace(LOAD, generated_tokens=0.0, context_tokens=1.0), assumptions=near
    )
    assert free.egress is None and free.regions[0].egress_usd_per_month == 0.0


def test_growth_of_egress_is_by_users_and_by_where_they_are() -> None:
    """0.8 x 1 + 0.2 x 2 = 1.2 today, 0.5 x 1 + 0.5 x 2 = 1.5 then."""
    assert egress_growth(4, 0.2, 0.5, 1.0, 2.0) == pytest.approx(4 * 1.5 / 1.2)


def legs_at(*longitudes: tuple[float, float]) -> list[Leg]:
    return [
        Leg(
            city=UserCity(
                city="c", country="US", latitude=0.0, longitude=longitude, users=Decimal(str(users))
            ),
            site_id="s",
            one_way_ms=1.0,
            round_trip_ms=2.0,
            km=1.0,
            is_measured=False,
            is_top=True,
        )
        for users, longitude in longitudes
    ]


def week(day: dict[int, float], days: int = 7) -> Load:
    hours = tuple(LoadHour(at, day.get(at % 24, 0.0)) for at in range(24 * days))
    return replace(LOAD, hours=hours)


def test_who_lives_in_the_east_asks_earlier() -> None:
    """Noon is at 12 UTC for three users, at 6 UTC for one 90 degrees east of them: 30 requests at noon, 10 at six."""
    legs = legs_at((3, 0.0), (1, 90.0))
    here, there = city_shares(week({12: 30.0, 6: 10.0}), legs, by_local_hours=True)
    assert (here[12], there[6]) == pytest.approx((1.0, 1.0), abs=0.01)
    assert (here[0], there[0]) == (0.75, 0.25)  # nobody asks: by users
    west = city_shares(week({12: 30.0, 18: 10.0}), legs_at((3, 7.0), (1, -97.0)), by_local_hours=True)
    assert (west[0, 12], west[1, 18]) == pytest.approx((1.0, 1.0), abs=0.01)
    flat = city_shares(week({12: 30.0, 6: 10.0}), legs, by_local_hours=False)
    assert flat.shape == (2, 24) and np.allclose(flat[0], 0.75) and np.allclose(flat[1], 0.25)


def test_a_day_with_an_unknown_hour_or_without_requests_goes_by_users() -> None:
    legs = legs_at((3, 0.0), (1, 90.0))
    missing = replace(LOAD, hours=week({12: 30.0, 6: 10.0}).hours[:23])
    for load in (missing, week({})):
        assert np.allclose(city_shares(load, legs, by_local_hours=True)[0], 0.75)
    one_day = replace(LOAD, hours=week({12: 30.0, 6: 10.0}).hours[:24])
    assert city_shares(one_day, legs, by_local_hours=True)[0, 12] == pytest.approx(1.0, abs=0.01)
    # an hour that is known of two days counts by their mean, whatever is known of the others
    busy = dict.fromkeys(range(24), 5.0) | {12: 30.0, 6: 10.0}
    single = replace(LOAD, hours=week(busy).hours[:24])
    twice = replace(LOAD, hours=(*single.hours, LoadHour(24 + 6, 10.0)))
    shares = [city_shares(load, legs, by_local_hours=True) for load in (single, twice)]
    assert np.allclose(*shares, rtol=1e-9)
