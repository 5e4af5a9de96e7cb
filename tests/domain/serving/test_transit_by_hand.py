"""Ways by hand: which measurement counts, who serves whom, the mean and the 80th percent, and the words of egress."""

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

from gpuplanner.domain.message import Message
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.places import MeasuredTransit, Site, UserCity
from gpuplanner.domain.serving import transit
from gpuplanner.domain.serving.transit import covering_count, egress_of, serve, text_gb, transit_table
from tests.domain.serving.places_by_hand import city, site, world

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


# --- Egress


def parts(
    tokens: float | None, media: float | None, rate: float
) -> tuple[dict[str, str], dict[str, str], str]:
    """What stands in the words: of the text, beside it, and the rate."""
    message = transit._sentence(tokens, media, rate)
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
    large, small = (transit._sentence(tokens, 1.0, 0.5).values["value"] for tokens in (4e10, 3.9e10))
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
