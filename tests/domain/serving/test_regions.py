"""Serving by site: the known answer, by hand, and what must hold for all."""

from dataclasses import replace
from decimal import Decimal
from math import isclose

from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.places import (
    NO_PLACES,
    MeasuredTransit,
    ResidencyRule,
    Site,
    UserCity,
    places_of,
)
from gpuplanner.domain.serving.load import Load, LoadHour
from gpuplanner.domain.serving.placement import current_placement
from gpuplanner.domain.serving.regions import Regional, city_shares, egress_growth, regional
from gpuplanner.domain.serving.replicas import ServingTargets, ServingTerms, Wait
from gpuplanner.domain.serving.sizing import SizedRow

PREFILL_MS = 58.6 / (1 + (30 / 56.01) / (2 * (1 - 30 / 56.01)))
ROW = SizedRow(
    gpu_model="H100",
    precision="BF16",
    tensor_parallel=4,
    fits=True,
    weights_gb=140.0,
    memory_gb=150.0,
    usable_gb=288.0,
    gpu_memory_gb=80.0,
    requests_per_s=18.67,
    prefill_ms=PREFILL_MS,
)
LOAD = Load(
    hours=(LoadHour(0, 37.0), LoadHour(1, 5.0)),
    requests_per_month=1e9,
    context_tokens=1000.0,
    generated_tokens=250.0,
    longest_tokens=1250.0,
    are_tokens_known=True,
)
EAST = Site(
    site_id="east",
    city="Ashburn",
    country="US",
    latitude=39.0,
    longitude=-77.5,
    is_current=True,
    egress_usd_per_gb=Decimal("0.09"),
)
WEST = Site(site_id="west", city="Dublin", country="Ireland", latitude=53.3, longitude=-6.3, is_current=True)
CITIES = (
    UserCity(city="New York", country="US", latitude=40.7, longitude=-74.0, users=Decimal(20)),
    UserCity(city="Atlanta", country="US", latitude=33.7, longitude=-84.4, users=Decimal(10)),
    UserCity(city="London", country="UK", latitude=51.5, longitude=-0.1, users=Decimal(7)),
)
ASSUMED = Assumptions()
PLACES = places_of(
    CITIES,
    (EAST, WEST),
    (
        MeasuredTransit("New York", "east", Decimal(5)),
        MeasuredTransit("Atlanta", "east", Decimal("87.9")),
        MeasuredTransit("Atlanta", "west", Decimal(99)),
        MeasuredTransit("London", "west", Decimal(4)),
    ),
)


def by_site(places=PLACES, assumptions=ASSUMED, **more) -> Regional:
    terms = ServingTerms(**more)
    found = regional(places, LOAD, ROW, terms, rate=2.25, assumptions=assumptions)
    assert found is not None
    return found


def test_thirty_and_seven_requests_a_second() -> None:
    """Replicas of 4 H100 and 18.67/s at 90%: 12 H100, $19,710 at 2.25; with a spare each 20, $32,850."""
    bare, each = by_site(spare=0), by_site(spare=1)
    assert [
        (one.site_id, round(one.peak_requests_per_s, 9), one.replicas, one.gpus) for one in bare.regions
    ] == [("east", 30.0, 2, 8), ("west", 7.0, 1, 4)]
    assert bare.gpus == {"none": 12, "each": 20, "over_sites": 16} == each.gpus
    assert isclose(bare.usd_per_month["none"] or 0, 19_710) and isclose(
        bare.usd_per_month["each"] or 0, 32_850
    )
    assert sum(one.gpus for one in each.regions) == 20
    assert isclose(sum(one.usd_per_month or 0 for one in each.regions), 32_850)
    assert [one.spare for one in by_site().regions] == [1, 0]  # one where there are two or more


def test_ms_of_the_user_in_the_middle_and_of_the_eightieth() -> None:
    """Each site has a queue of its own: 30 requests/s on three replicas, 7 on one."""
    east, west = by_site().regions
    assert isclose(Wait(30 / 56.01, PREFILL_MS).mean_ms + PREFILL_MS, 58.6)
    assert isclose(east.ms_p50 or 0, 2 * 5 + 58.6)
    assert isclose(east.ms_p80 or 0, 2 * 87.9 + 58.6)  # 175.8 of way and 58.6 of queue and prefill: 234.4
    assert isclose(west.ms_p80 or 0, 8 + Wait(7 / 18.67, PREFILL_MS).mean_ms + PREFILL_MS)
    full, _ = by_site(headroom=1.0, spare=0).regions
    assert isclose(full.ms_p50 or 0, 10 + Wait(30 / 37.34, PREFILL_MS).mean_ms + PREFILL_MS)


def test_a_site_keeps_the_target_of_the_first_token_in_its_own_queue() -> None:
    soon = ServingTargets(ttft_p95_ms=4 + PREFILL_MS + 40)
    loose, tight = by_site(spare=0).regions[0], by_site(spare=0, targets=soon).regions[0]
    assert (loose.replicas, tight.replicas) == (2, 7)
    assert Wait(30 / (7 * 18.67), PREFILL_MS).quantile_ms(0.95) <= 40
    assert Wait(30 / (6 * 18.67), PREFILL_MS).quantile_ms(0.95) > 40


def test_what_has_no_tokens_sends_no_text() -> None:
    load = replace(LOAD, context_tokens=0.0, generated_tokens=0.0)
    found = regional(PLACES, load, ROW, ServingTerms(), rate=2.25, assumptions=ASSUMED)
    assert found is not None and found.egress is None
    assert [(one.egress_usd_per_month, one.near_gb, one.far_gb) for one in found.regions] == [(None,) * 3] * 2


def test_text_that_leaves_at_the_price_of_the_site() -> None:
    gb = 1e9 * 250 * 5 / 1e9
    east, west = by_site().regions
    assert isclose(east.egress_usd_per_month, gb * 30 / 37 * 0.09)
    assert isclose(west.egress_usd_per_month, gb * 7 / 37 * 0.12)


def test_residency_binds_all_users() -> None:
    bound = replace_rules(ResidencyRule("UK", ("Germany",)))
    found = by_site(bound)
    assert found.unserved_users == 7 and [one.site_id for one in found.regions] == ["east"]


def replace_rules(*rules: ResidencyRule):
    return places_of(PLACES.cities, PLACES.sites, PLACES.measured, rules)


def test_what_is_not_known_is_none() -> None:
    assert regional(NO_PLACES, LOAD, ROW, ServingTerms(), rate=1.0, assumptions=ASSUMED) is None
    unsized = replace(ROW, requests_per_s=None)
    assert regional(PLACES, LOAD, unsized, ServingTerms(), rate=1.0, assumptions=ASSUMED) is None
    free = regional(PLACES, LOAD, ROW, ServingTerms(), rate=None, assumptions=ASSUMED)
    assert free is not None and free.regions[0].usd_per_month is None and free.usd_per_month["none"] is None
    stated = regional(
        PLACES, LOAD, replace(ROW, prefill_ms=None), ServingTerms(), rate=1.0, assumptions=ASSUMED
    )
    assert stated is not None and {(one.ms_p50, one.ms_p80) for one in stated.regions} == {(None, None)}


def test_sites_of_no_city_serve_nobody() -> None:
    """No site is one of today: no leg has a site, so that there are no regions and no text leaves."""
    planned = tuple(replace(site, is_current=False) for site in (EAST, WEST))
    places = places_of(CITIES, planned, (), ())
    assert regional(places, LOAD, ROW, ServingTerms(), rate=2.5, assumptions=ASSUMED) is None


def test_egress_grows_faster_than_users() -> None:
    """Users x 2, the far share from 30 to 45%, near .09 and far .12: x 2.09."""
    assert round(egress_growth(2, 0.30, 0.45, 0.09, 0.12), 2) == 2.09
    assert egress_growth(3, 0.2, 0.2, 0.05, 0.5) == 3
    cities = tuple(replace(city, users=Decimal(own)) for city, own in zip(CITIES, (35, 35, 30), strict=True))
    one_site = places_of(cities, (replace(EAST, egress_usd_per_gb=None),))
    assumed = Assumptions(
        egress_usd_per_gb=0.09, egress_far_usd_per_gb=0.12, serving_users_times=2, serving_far_share=0.45
    )
    paths = by_site(one_site, assumed).egress
    assert paths is not None and isclose(paths.far_share, 0.3) and round(paths.times, 2) == 2.09
    assert isclose(paths.usd_per_month, 1250 * (0.7 * 0.09 + 0.3 * 0.12))
    assert isclose(paths.later_usd_per_month, paths.usd_per_month * paths.times)
    home = places_of((CITIES[0],), (replace(EAST, egress_usd_per_gb=Decimal(0)),))
    free = by_site(home, replace(assumed, serving_users_times=1)).egress
    assert free is not None and (free.usd_per_month, free.times) == (0.0, None)
    assert isclose(free.later_usd_per_month, (free.near_gb + free.far_gb) * 0.45 * 0.12)


def of_week(*rates: float) -> Load:
    """A load of every hour of the week: a day's rates, each day."""
    hours = tuple(LoadHour(at, rates[at % len(rates)]) for at in range(168))
    return Load(
        hours=hours,
        requests_per_month=1e9,
        context_tokens=1000.0,
        generated_tokens=250.0,
        longest_tokens=1250.0,
        are_tokens_known=True,
    )


def test_cities_ask_by_their_local_hours() -> None:
    """Noon in each of two cities 12 hours apart, three users in the one for each in the other."""
    legs = current_placement(
        places_of(
            (
                UserCity(city="Here", country="US", latitude=0.0, longitude=0.0, users=Decimal(3)),
                UserCity(city="There", country="JP", latitude=0.0, longitude=180.0, users=Decimal(1)),
            ),
            (EAST,),
        )
    ).current.service.legs
    day = [12.0 if hour == 12 else 4.0 if hour == 0 else 0.1 for hour in range(24)]
    here, there = city_shares(of_week(*day), legs, by_local_hours=True)
    assert here[12] > 0.9 and there[0] > 0.7 and isclose(here[6], 0.75, abs_tol=0.1)
    even = city_shares(of_week(5.0), legs, by_local_hours=True)
    assert isclose(even[0].min(), 0.75) and isclose(even[0].max(), 0.75)
    by_users = city_shares(LOAD, legs, by_local_hours=True)  # two hours of a week are no curve of a day
    assert isclose(by_users[0].min(), 0.75) and isclose(by_users[0].max(), 0.75)


@given(st.lists(st.floats(0, 1e4), min_size=24, max_size=24))
def test_cities_of_all_hours_make_all_requests(rates) -> None:
    legs = current_placement(PLACES).current.service.legs
    shares = city_shares(of_week(*rates), legs, by_local_hours=True)
    assert shares.min() >= 0 and abs(shares.sum(axis=0) - 1).max() < 1e-9
    assert sum(one.peak_requests_per_s for one in by_site().regions) >= 37 * (1 - 1e-9)


@given(st.lists(st.integers(1, 10**6), min_size=3, max_size=3), st.integers(0, 3))
def test_laws_of_sites(users, spare) -> None:
    cities = tuple(replace(city, users=Decimal(own)) for city, own in zip(CITIES, users, strict=True))
    found = by_site(places_of(cities, PLACES.sites, PLACES.measured), spare=spare)
    assert isclose(sum(one.users for one in found.regions), sum(users))
    assert isclose(sum(one.peak_requests_per_s for one in found.regions), 37.0)
    assert found.gpus["none"] <= found.gpus["over_sites"] <= found.gpus["each"]
    for one in found.regions:
        assert one.replicas * 18.67 * 0.9 >= one.peak_requests_per_s * (1 - 1e-9)
        assert one.gpus == 4 * (one.replicas + one.spare) and one.ms_p50 <= one.ms_p80
