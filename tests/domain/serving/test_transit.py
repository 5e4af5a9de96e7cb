"""Who is served from where, the smallest set of cities with 80% of users, the mean way, and the flag."""

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.message import Message
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.places import MeasuredTransit, Site, Traffic, UserCity, places_of
from gpuplanner.domain.serving import transit
from gpuplanner.domain.serving.placement import current_placement
from gpuplanner.domain.serving.transit import (
    EARTH_RADIUS_KM,
    covering_count,
    egress_of,
    haversine_km,
    one_way_ms,
    serve,
    text_gb,
    transit_table,
)
from tests.domain.serving.small_places import city, site, world

OF_COUNTRIES = world(
    [city("Singapore", 9, "SG"), city("Jurong", 5, "SG")], [replace(site("s", "Norway"), city="Oslo")]
)
NEAREST_FIRST = (
    MeasuredTransit("Singapore", "s", Decimal(1), "SG"),  # a city of a country and a site
    MeasuredTransit("Singapore", "s", Decimal(2)),  # a city and a site
    MeasuredTransit("Singapore", "NO", Decimal(3), "Singapore"),  # a city that is its country, and a country
    MeasuredTransit("SG", "s", Decimal(4), "SG"),  # a country and a site
    MeasuredTransit("SG", "NO", Decimal(5), "SG"),  # two countries
    MeasuredTransit("NO", "SG", Decimal(6), "NO"),  # and back
)

# --- Who is served from where, the smallest set of cities with 80% of users, the mean way, and the flag


@given(st.lists(st.integers(0, 1000), max_size=8))
def test_no_smaller_set_holds_80_percent(users):
    users = sorted(users, reverse=True)
    count, total = covering_count([Decimal(one) for one in users]), sum(users)
    if not total:
        assert count == 0
        return
    sizes = [
        size
        for size in range(len(users) + 1)
        if any(100 * sum(some) >= 80 * total for some in combinations(users, size))
    ]
    assert count == min(sizes)


def test_exactly_80_percent_is_enough():
    assert covering_count([Decimal("0.5"), Decimal("0.3"), Decimal("0.2")]) == 2
    assert covering_count([Decimal("0.5"), Decimal("0.2999999999"), Decimal("0.2000000001")]) == 3


def test_a_country_is_measured_to_a_site_by_its_id_and_to_a_town_by_its_name():
    users, sites = [city("Lyon", 5, "FR")], [site("s1", "NO"), site("s2", "SE")]
    ways = (("s1", 11), ("Town of s2", 22))
    rows = tuple(MeasuredTransit("FR", to, Decimal(ms), "FR") for to, ms in ways)
    table = transit_table(replace(world(users, sites), measured=rows))
    assert table.ms.tolist() == [[11.0, 22.0]] and table.is_measured.all()


def test_cities_of_equal_users_are_taken_by_name():
    table = transit_table(world([city("B", 1), city("A", 1), city("C", 1)], [site("s")]))
    assert [one.city for one in table.top_cities] == ["A", "B", "C"]
    table = transit_table(world([city("B", 40), city("A", 40), city("C", 20)], [site("s")]))
    assert [one.city for one in table.top_cities] == ["A", "B"]


@pytest.mark.parametrize(
    ("ways", "way_80", "is_over"),
    [
        ((10, 20, 80, 200), 80.0, False),
        ((10, 20, "80.0000001", 200), 80.0000001, True),  # the mean is 27 ms
        ((80, 20, 10, 200), 80.0, False),
    ],
)
def test_the_way_of_the_80th_percent_of_users_stands_beside_the_mean(ways, way_80, is_over):
    shares = {"A": 40, "B": 30, "C": 10, "D": 20} if ways[0] == 10 else {"A": 30, "B": 40, "C": 10, "D": 20}
    places = world(
        [city(name, users) for name, users in shares.items()],
        [site("s", is_current=True)],
        [(name, "s", ms) for name, ms in zip("ABCD", ways, strict=True)],
    )
    service = current_placement(places).current.service
    assert service.way_80_ms == pytest.approx(way_80)
    assert service.is_way_80_over is is_over


def test_where_fewer_than_80_percent_are_served_their_way_is_unknown():
    places = world(
        [city("A", 79, "DE"), city("B", 21, "IN")],
        [site("s", "DE", is_current=True)],
        [("A", "s", 90)],
        residency=[("IN", ["IN"])],
    )
    service = current_placement(places).current.service
    assert service.way_80_ms is None and not service.is_way_80_over


@pytest.mark.parametrize(
    ("ways", "mean", "is_over"),
    [
        (("80.0", "80.0"), 80.0, False),
        (("80.01", "80.01"), 80.01, True),
        (("70", "90"), 80.0, False),
        (
            ("79.9", "80.1"),
            80.0,
            False,
        ),  # neither is a whole number of halves: in floats it is 79.99… or 80.00…1
        (("79.9", "80.100001"), 80.0000005, True),
    ],
)
def test_exactly_80_ms_is_not_flagged(ways, mean, is_over):
    places = world(
        [city("A", 50, longitude=10), city("B", 50, longitude=20)],
        [site("s", is_current=True)],
        [("A", "s", ways[0]), ("B", "s", ways[1])],
    )
    current = current_placement(places).current
    assert current.mean_one_way_ms == pytest.approx(mean, abs=1e-12)
    assert current.service.is_over_80 is is_over
    assert current.round_trip_ms == 2 * current.mean_one_way_ms


def test_the_mean_is_weighted_by_the_users_of_the_top_cities_alone():
    places = world(
        [city("A", 60), city("B", 30), city("C", 10)],
        [site("s", is_current=True)],
        [("A", "s", 10), ("B", "s", 40), ("C", "s", 1000)],
    )
    today = current_placement(places)
    assert today.current.mean_one_way_ms == pytest.approx((60 * 10 + 30 * 40) / 90)
    assert today.covered_share == 0.9
    assert [leg.is_top for leg in today.current.service.legs] == [True, True, False]


def test_measured_wins_also_where_it_is_longer_and_moves_a_city_to_another_site():
    cities = [city("A", 1, longitude=0)]
    sites = [site("far", longitude=30), site("near", longitude=1)]
    assert serve(transit_table(world(cities, sites)), (0, 1)).legs[0].site_id == "near"
    table = transit_table(world(cities, sites, [("a ", "NEAR", "120.5")]))
    (leg,) = serve(table, (0, 1)).legs
    assert leg.site_id == "far" and not leg.is_measured
    (leg,) = serve(table, (1,)).legs
    assert (leg.one_way_ms, leg.is_measured) == (120.5, True)


def test_a_measurement_that_names_the_country_wins_over_one_that_does_not():
    places = places_of(
        (city("London", 2, "GB"), city("London", 1, "CA")),
        (site("s"),),
        (MeasuredTransit("London", "s", Decimal(7)), MeasuredTransit("London", "s", Decimal(50), "CA")),
    )
    assert [leg.one_way_ms for leg in serve(transit_table(places), (0,)).legs] == [7, 50]


def test_only_current_sites_serve_today_and_of_two_as_near_the_first_by_id():
    places = world([city("A", 1)], [site("b", is_current=True), site("a", is_current=True), site("0")])
    assert current_placement(places).current.service.legs[0].site_id == "a"


def test_residency_keeps_users_in_allowed_countries():
    cities = [city("Berlin", 1, "DE", longitude=13)]
    sites = [site("de", "DE", longitude=50, is_current=True), site("pl", "pl", longitude=14, is_current=True)]
    assert current_placement(world(cities, sites)).current.service.legs[0].site_id == "pl"
    for allowed, expected in ((("DE",), "de"), (("de", " PL"), "pl"), (("FR",), None), ((), None)):
        today = current_placement(world(cities, sites, residency=[("de", allowed)]))
        assert today.current.service.legs[0].site_id == expected


def test_a_country_without_an_allowed_site_makes_the_mean_unknown_and_is_said():
    places = world(
        [city("Berlin", 70, "DE"), city("Rome", 30, "IT")],
        [site("us", "US", is_current=True)],
        [("Rome", "us", 50), ("Berlin", "us", 10)],
        [("DE", ["DE", "FR"])],
    )
    today = current_placement(places)
    service = today.current.service
    assert service.mean_one_way_ms is None and not service.is_over_80
    assert service.served_mean_ms == 50
    assert [one.city for one in service.unserved] == ["Berlin"]
    assert any("no current site may serve DE" in str(note) for note in today.notes)
    assert any("no site is in a country allowed for DE" in str(note) for note in today.notes)


def test_nobody_and_nowhere_are_unknown():
    for cities, sites in (([], [site("s", is_current=True)]), ([city("A", 0)], [site("s", is_current=True)])):
        assert current_placement(world(cities, sites)).current.mean_one_way_ms is None
    today = current_placement(world([city("A", 5)], [site("s")]))
    assert today.current.mean_one_way_ms is None and today.covered_share == 1
    assert "No current site" in str(today.notes[0]) and "current" in str(today.notes[0])


# --- Great-circle distances and the time over them -----------------------------------------------

LATITUDE = st.floats(-90, 90)
LONGITUDE = st.floats(-180, 180)


@pytest.mark.parametrize(
    ("here", "there", "km"),
    [
        ((0, 0), (0, 90), np.pi / 2 * 6371.0088),
        ((0, 0), (90, 0), np.pi / 2 * 6371.0088),
        ((0, 0), (0, 180), np.pi * 6371.0088),
        ((90, 0), (-90, 77), np.pi * 6371.0088),
        ((10, 20), (10, 20), 0),
        ((0, 179.5), (0, -179.5), np.radians(1) * 6371.0088),  # over the date line
        ((51.5074, -0.1278), (40.7128, -74.0060), 5570),  # London to New York, to the kilometre
        ((35.6762, 139.6503), (1.3521, 103.8198), 5312),  # Tokyo to Singapore
        ((-33.8688, 151.2093), (-36.8509, 174.7645), 2156),  # Sydney to Auckland
    ],
)
def test_known_distances(here, there, km):
    assert float(haversine_km(*here, *there)) == pytest.approx(km, abs=1)


@given(LATITUDE, LONGITUDE, LATITUDE, LONGITUDE)
def test_there_is_as_far_as_back_and_never_over_half_the_globe(north, east, other_north, other_east):
    there = float(haversine_km(north, east, other_north, other_east))
    back = float(haversine_km(other_north, other_east, north, east))
    assert there == pytest.approx(back, abs=1e-6)
    assert 0 <= there <= np.pi * EARTH_RADIUS_KM + 1e-6


@given(LATITUDE, LONGITUDE, LATITUDE, LONGITUDE, LATITUDE, LONGITUDE)
def test_a_way_round_is_never_shorter(a, b, c, d, e, f):
    def km(*places):
        return float(haversine_km(*places))

    assert km(a, b, e, f) <= km(a, b, c, d) + km(c, d, e, f) + 1e-6


def test_time_is_of_a_longer_fibre_and_a_fixed_part():
    assert one_way_ms([0, 200, 9750]).tolist() == [2.0, 3.6, 80.0]


# --- Egress: gigabytes times rate, text said to be negligible, nothing stated unknown ------------


def test_a_billion_tokens_are_sixty_cents():
    found = egress_of(Assumptions(), tokens_read=1e9)
    assert found.text_gb == 5 and found.text_usd == pytest.approx(0.60) and found.usd == pytest.approx(0.60)
    assert "$0.60" in str(found.sentence) and "negligible" in str(found.sentence)


def test_nothing_stated_is_unknown_and_text_is_said_to_be_negligible_all_the_same():
    found = egress_of(Assumptions())
    assert found.usd is None and found.media_usd is None and found.text_usd is None
    assert all(text in str(found.sentence) for text in ("5 GB", "$0.60", "$0.12"))
    assert "Media (" in str(found.sentence)


def test_media_is_gigabytes_times_rate():
    found = egress_of(Assumptions(media_gb_per_month=50_000, egress_usd_per_gb=0.08), tokens_read=2e9)
    assert found.media_usd == pytest.approx(4_000) and found.usd == pytest.approx(4_000.8)


def test_bare_metal_leaves_for_nothing_and_that_is_known():
    assert egress_of(Assumptions(media_gb_per_month=50_000, egress_usd_per_gb=0)).usd == 0


def test_tokens_that_the_planner_set_win_over_those_of_files():
    assert egress_of(Assumptions(tokens_per_month=3e9), tokens_read=1e9).text_gb == 15


@pytest.mark.parametrize(
    ("users", "count"),
    [
        (("50", "30", "20"), 2),
        (("80", "20"), 1),
        (("79.999", "20.001"), 2),
        (("0.8", "0.15", "0.05"), 1),
        (("0.79", "0.2", "0.01"), 2),
        (("1E+2", "20", "5"), 1),
        (("0", "0"), 0),
        ((), 0),
    ],
)
def test_four_fifths_of_all_users_are_counted_exactly(users: tuple[str, ...], count: int) -> None:
    assert covering_count([Decimal(own) for own in users]) == count


def test_what_files_of_traffic_generate_is_brought_to_a_month() -> None:
    """5 + 1 tokens of an hour are 4,380 of 730 h, 4 of two hours 1,460; what is read counts for nothing."""
    hour = Traffic(start_s=0, end_s=3600, hours=((0, 100, 5), (0, 100, 1)))
    longer, none = (
        Traffic(start_s=3600, end_s=10_800, hours=((3600, 7, 4),)),
        Traffic(start_s=9, end_s=9, hours=((0, 1, 1),)),
    )
    assert transit.tokens_per_month([hour]) == 4380 and transit.tokens_per_month([longer, none]) == 1460
    assert transit.tokens_per_month([hour, longer]) == 5840
    assert transit.tokens_per_month([none]) is None is transit.tokens_per_month([])


@pytest.mark.parametrize(
    ("tokens", "media", "rate", "parts", "is_small"),
    [
        (None, None, 0.12, ("$0.60 ", "$0.12 "), True),  # a billion tokens are 5 GB
        (2e11, 10.0, 0.1, ("1,000 GB", "$100.00 ", "$0.10 ", "$1.00."), False),
        (1.99e11, 10.0, 0.1, ("995 GB", "$99.50 "), True),
        (1e9, 0.5, 0.12345, ("$0.1235 ", "$0.62 ", "$0.06."), True),  # 5 x 0.12345, 0.5 x 0.12345
    ],
)
def test_egress_in_words_has_both_amounts_and_their_rate(
    tokens: float | None, media: float | None, rate: float, parts: tuple[str, ...], *, is_small: bool
) -> None:
    text = str(transit.describe_transfer_cost(tokens, media, rate))
    assert [part for part in parts if part not in text] == [] and ("negligible" in text) is is_small


@pytest.mark.parametrize("first", range(6))
def test_the_row_that_names_both_nearest_counts_whatever_its_place(first: int) -> None:
    rows = NEAREST_FIRST[first:]
    for order in [rows, rows[::-1], rows[1:] + rows[:1]]:
        table = transit_table(replace(OF_COUNTRIES, measured=tuple(order)))
        jurong = max(first, 3) + 1  # the first three rows are of Singapore alone
        assert [float(ms) for ms in table.ms[:, 0]] == [first + 1, jurong]
        assert table.is_measured.all()


def test_a_site_is_found_by_its_id_its_town_then_its_country() -> None:
    lyon, sites = (
        city("Lyon", 1, "FR"),
        [replace(site("oslo", "NO"), city="Bergen"), replace(site("x", "NO"), city="Oslo")],
    )
    for name, ms in (
        ("OSLO ", [7.0, None]),
        ("bergen", [7.0, None]),
        ("Norway", [7.0, 7.0]),
        ("SE", [None, None]),
    ):
        table = transit_table(
            replace(world([lyon], sites), measured=(MeasuredTransit("FR", name, Decimal(7), "FR"),))
        )
        assert [float(way) if way == 7 else None for way in table.ms[0]] == ms
        assert table.is_measured[0].tolist() == [way is not None for way in ms]
    for country, counts in (("", True), ("fr ", True), ("DE", False)):
        rows = (MeasuredTransit("lyon", "x", Decimal(7), country),)
        assert bool(transit_table(replace(world([lyon], sites), measured=rows)).is_measured.any()) is counts


def test_the_smallest_set_is_counted_in_whole_numbers_of_any_exponent() -> None:
    for users, count in ((("1E+1", "2"), 1), (("1E+2", "1E+1"), 1), (("4", "1.0"), 1), (("3.999", "1.0"), 2)):
        assert covering_count([Decimal(own) for own in users]) == count
    assert covering_count([Decimal("1E+1"), Decimal("1E+1"), Decimal("1E+1")]) == 3


def test_each_city_is_served_by_the_nearest_that_may() -> None:
    """A and B are the top 80%; B may be served from DE alone, C from nowhere."""
    places = world(
        [city("A", 50), city("B", 40, "DE"), city("C", 10, "IN")],
        [site("de", "DE"), site("us", "US"), site("v", "US")],
        [("A", "de", 30), ("A", "us", 0), ("B", "de", 20), ("B", "us", 1), ("A", "v", 30), ("B", "v", 1)],
        [("DE", ["DE"]), ("IN", ["IN"])],
    )
    table = transit_table(places)
    both = serve(table, (1, 0))
    assert [(leg.site_id, leg.one_way_ms, leg.round_trip_ms) for leg in both.legs] == [
        ("us", 0.0, 0.0), ("de", 20.0, 40.0), (None, None, None),
    ]  # fmt: skip
    assert [(leg.is_top, leg.is_measured, leg.km is None) for leg in both.legs] == [
        (True, True, False), (True, True, False), (False, False, True),
    ]  # fmt: skip
    assert both.mean_one_way_ms == pytest.approx((50 * 0 + 40 * 20) / 90) == both.served_mean_ms
    assert (both.unserved, [each.city for each in both.unserved_others]) == ((), ["C"])
    assert both.way_80_ms == 20.0  # 90 of 100
    alone = serve(table, (1,))
    assert (alone.mean_one_way_ms, alone.served_mean_ms, alone.way_80_ms) == (None, 0.0, None)
    assert [each.city for each in alone.unserved] == ["B"] and not alone.is_over_80
    assert serve(table, (0, 2)).legs[0].site_id == "de"  # as near: the first by id
    nobody = serve(table, ())
    assert nobody.served_mean_ms is nobody.mean_one_way_ms is nobody.way_80_ms is None
    assert len(nobody.unserved) == 2
    with pytest.raises(IndexError):
        serve(table, (3,))
    with pytest.raises(OverflowError):
        table.exact_ms(2, 0)
    assert table.exact_ms(1, 0) == Fraction(20)


@pytest.mark.parametrize("order", [*permutations(range(3))])
def test_the_way_of_80_percent_is_the_longest_of_those_that_hold_so_many(order: tuple[int, ...]) -> None:
    """Of 100 users 30 at 5 ms, 50 at 7 and 20 at 9: 80 are within 7."""
    users, ways = (30, 50, 20), (5, 7, 9)
    places = world(
        [city(f"c{at}", users[at]) for at in order],
        [site("s", is_current=True)],
        [(f"c{at}", "s", ways[at]) for at in order],
    )
    service = serve(transit_table(places), (0,))
    assert service.way_80_ms == 7.0
    assert service.mean_one_way_ms == pytest.approx((30 * 5 + 50 * 7) / 80)


def test_distances_are_of_each_city_to_each_site() -> None:
    """A degree is 111.195 km; 2 ms and 1.6 / 200 of each kilometre."""
    places = world(
        [city("A", 2), city("B", 1, longitude=3.0)], [site("s", longitude=1.0), site("t", latitude=-2.0)]
    )
    km = transit_table(places).km
    degree = np.radians(1) * 6371.0088
    assert km[0].tolist() == pytest.approx([degree, 2 * degree]) and km[1, 0] == pytest.approx(2 * degree)
    assert transit_table(places).ms[0, 0] == pytest.approx(2 + degree * 0.008)
    assert not transit_table(places).is_measured.any()
    assert [
        table.shape
        for table in (transit_table(world([], [site("s")])).ms, transit_table(world([city("A", 1)], [])).ms)
    ] == [(0, 1), (1, 0)]
    high = transit.haversine_km(60.0, 0.0, 60.0, 180.0)
    assert float(high) == pytest.approx(60 * degree)  # over the pole: 30 degrees up and 30 down


def parts(
    tokens: float | None, media: float | None, rate: float
) -> tuple[dict[str, str], dict[str, str], str]:
    """What stands in the words: of the text, beside it, and the rate."""
    message = transit.describe_transfer_cost(tokens, media, rate)
    text = message.values["value"]
    assert isinstance(text, Message)
    per_gb = text.values["per_gb"]
    assert isinstance(per_gb, Message)
    mine = {name: str(value) for name, value in text.values.items() if name != "per_gb"}
    beside = {name: str(value) for name, value in message.values.items() if name != "value"}
    return mine, beside, str(per_gb.values["rate"])


def test_figures_of_egress_are_written_in_four_places_and_cents() -> None:
    """123,456,789,012 tokens are 617.28394506 GB: at 0.1 they are $61.728; 12.5 GB of media are $1.25."""
    text, beside, rate = parts(123_456_789_012, 12.5, 0.1)
    assert text == {"tokens": "123,456,789,012", "gb": "617.3", "gb_2": "61.73"}
    assert (beside, rate) == ({"media": "12.5", "media_2": "1.25"}, "0.10")
    assert parts(1e9, None, 0.12345)[2] == "0.1235" and parts(1e9, None, 0.125)[2] == "0.125"
    assert parts(None, None, 0.25) == ({"usd": "1.25"}, {}, "0.25")
    large, small = (
        transit.describe_transfer_cost(tokens, 1.0, 0.5).values["value"] for tokens in (4e10, 3.9e10)
    )
    assert isinstance(large, Message) and isinstance(small, Message)
    assert large.template != small.template  # 200 GB are $100


def test_egress_of_what_is_stated() -> None:
    """2 billion tokens are 10 GB, at $0.5 $5; 4 GB of media $2."""
    assert text_gb(2e9) == 10.0
    both = egress_of(Assumptions(media_gb_per_month=4.0, egress_usd_per_gb=0.5), 2e9)
    assert (both.text_gb, both.media_gb, both.usd_per_gb) == (10.0, 4.0, 0.5)
    assert (both.text_usd, both.media_usd, both.usd) == (5.0, 2.0, 7.0)
    media = egress_of(Assumptions(media_gb_per_month=4.0, egress_usd_per_gb=0.5))
    assert (media.text_gb, media.text_usd, media.media_usd, media.usd) == (None, None, 2.0, 2.0)
    none = egress_of(Assumptions(tokens_per_month=0.0, egress_usd_per_gb=0.5), 2e9)
    assert (none.text_gb, none.text_usd, none.usd) == (0.0, 0.0, 0.0)


def test_an_empty_name_of_a_place_matches_nothing() -> None:
    """A row of no city and no country is of no country either."""
    nameless = replace(
        OF_COUNTRIES,
        cities=(UserCity(city="", country="", latitude=0.0, longitude=0.0, users=Decimal(1)),),
        sites=(Site(site_id="s", city="", country="", latitude=0.0, longitude=0.0),),
        measured=(MeasuredTransit("", "s", Decimal(3), ""), MeasuredTransit("x", "", Decimal(4), "x")),
    )
    assert not transit_table(nameless).is_measured.any()


def test_a_mean_of_exactly_80_ms_is_not_over_it_where_floats_say_so() -> None:
    """6 x 86.4 + 3 x 84.93 + 3 x 62.27 = 960 = 12 x 80; in floats it is a little more."""
    ways = {"A": (6, "86.4"), "B": (3, "84.93"), "C": (3, "62.27")}
    places = world(
        [city(name, users) for name, (users, _) in ways.items()],
        [site("s")],
        [(name, "s", ms) for name, (_, ms) in ways.items()],
    )
    service = serve(transit_table(places), (0,))
    assert (service.mean_one_way_ms, service.is_over_80) == (80.0, False)
    longer = replace(
        places, measured=(*places.measured[:2], MeasuredTransit("C", "s", Decimal("62.27000001")))
    )
    assert serve(transit_table(longer), (0,)).is_over_80
