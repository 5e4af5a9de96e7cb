"""The best sites for each number of them, against a plain search; prices; what cannot be served."""

import random
import re
from dataclasses import replace
from decimal import Decimal
from itertools import combinations, pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.places import Site, UserCity, places_of, residency_only
from gpuplanner.domain.serving import placement
from gpuplanner.domain.serving.placement import MOST_SITES, egress_from_sites, placement_of
from tests.domain.serving.small_places import city, site, world
from tests.some_of import examples


@st.composite
def worlds(draw):
    """Up to five cities and five sites with measured ways, prices and residency: nothing hangs on a distance."""
    countries = ("DE", "IN", "US")
    cities = [
        city(f"C{at}", draw(st.integers(1, 50)), draw(st.sampled_from(countries)))
        for at in range(draw(st.integers(1, 5)))
    ]
    sites = [
        site(
            f"s{at}",
            draw(st.sampled_from(countries)),
            usd=draw(st.one_of(st.none(), st.integers(0, 9))),
            is_current=draw(st.booleans()),
        )
        for at in range(draw(st.integers(1, 5)))
    ]
    ways = [(one.city, other.site_id, draw(st.integers(1, 160))) for one in cities for other in sites]
    rules = draw(st.dictionaries(st.sampled_from(countries), st.sets(st.sampled_from(countries)), max_size=2))
    return cities, sites, ways, [(country, sorted(allowed)) for country, allowed in sorted(rules.items())]


def by_plain_search(cities, sites, ways, rules):
    """(size -> least mean, cheapest price within 80 ms), by nothing but loops over all subsets."""
    way, allowed = {(name, site_id): ms for name, site_id, ms in ways}, dict(rules)
    total, held, top = sum(one.users for one in cities), 0, []
    for one in sorted(cities, key=lambda one: (-one.users, one.city)):
        if 100 * held >= 80 * total:
            break
        held += one.users
        top.append(one)

    def nearest(one, some):
        open_to = [
            way[one.city, other.site_id]
            for other in some
            if one.country not in allowed or other.country in allowed[one.country]
        ]
        return min(open_to, default=None)

    best, cheapest = {}, None
    possible = [one for one in top if nearest(one, sites) is not None]
    others = [one for one in cities if one not in top and nearest(one, sites) is not None]
    everybody = all(nearest(one, sites) is not None for one in cities)
    for size in range(1, len(sites) + 1):
        for some in combinations(sites, size):
            found = [(one.users, nearest(one, some)) for one in possible]
            if not found or any(ms is None for _, ms in found):
                continue
            if any(nearest(one, some) is None for one in others):  # residency holds for all users
                continue
            mean = float(sum(users * ms for users, ms in found) / sum(users for users, _ in found))
            best[size] = min(mean, best.get(size, mean))
            prices = [other.usd_per_month for other in some]
            if mean <= 80 and everybody and None not in prices:
                cheapest = min(sum(prices), sum(prices) if cheapest is None else cheapest)
    return best, cheapest


@settings(max_examples=examples(40), deadline=None)
@given(worlds())
def test_proposals_are_those_of_a_plain_search(given_world):
    cities, sites, ways, rules = given_world
    best, cheapest = by_plain_search(cities, sites, ways, rules)
    placement = placement_of(world(cities, sites, ways, rules))
    means = {len(one.sites): one.service.served_mean_ms for one in placement.proposed}
    assert means == pytest.approx(best)
    within = placement.cheapest_within
    assert (None if within is None else within.usd_per_month) == (
        None if cheapest is None else float(cheapest)
    )
    prices = {one.site_id: one.usd_per_month for one in sites}
    for one in placement.proposed:
        own = [prices[site_id] for site_id in one.sites]
        assert one.usd_per_month == (None if None in own else sum(own))
        assert list(one.sites) == sorted(one.sites)


@settings(max_examples=examples(15), deadline=None)
@given(worlds())
def test_another_site_never_makes_the_mean_worse(given_world):
    placement = placement_of(world(*given_world))
    means = [one.service.served_mean_ms for one in placement.proposed]
    assert all(after <= before + 1e-9 for before, after in pairwise(means))
    assert (
        not any(one.service.unserved for one in placement.proposed)
        or placement.today.current.service.unserved
    )


def test_of_sets_with_the_same_mean_the_cheapest_is_proposed_and_then_the_first_by_id():
    cities = [city("A", 1)]
    ways = [("A", "a", 10), ("A", "b", 10), ("A", "c", 10), ("A", "d", 10)]
    sites = [site("a", usd=None), site("b", usd=5), site("c", usd=3), site("d", usd=3)]
    first, second, *_ = placement_of(world(cities, sites, ways)).proposed
    assert first.sites == ("c",) and second.sites == ("c", "d")


def test_what_a_proposal_changes_is_said_beside_it():
    cities = [city("A", 5, longitude=0), city("B", 5, longitude=90)]
    sites = [site("a", longitude=0), site("b", longitude=90), site("old", longitude=45, is_current=True)]
    two = placement_of(world(cities, sites)).proposed[1]
    assert (two.sites, two.adds, two.drops, two.usd_per_month) == (("a", "b"), ("a", "b"), ("old",), 2000)


def test_a_price_that_is_not_known_makes_the_total_unknown_and_a_nought_is_a_price():
    cities = [city("A", 1)]
    assert placement_of(world(cities, [site("s", usd=None)])).proposed[0].usd_per_month is None
    assert placement_of(world(cities, [site("s", usd=0)])).proposed[0].usd_per_month == 0


def test_sizes_at_which_residency_leaves_somebody_out_are_not_proposed_and_that_is_said():
    places = world(
        [city("Berlin", 1, "DE"), city("Delhi", 1, "IN")],
        [site("de", "DE"), site("in", "IN"), site("us", "US")],
        residency=[("DE", ["DE"]), ("IN", ["IN"])],
    )
    placement = placement_of(places)
    assert [one.sites for one in placement.proposed] == [("de", "in"), ("de", "in", "us")]
    assert any("no set of 1 site can serve all users." in str(note) for note in placement.notes)


def test_residency_of_the_last_twentieth_of_users_binds_the_proposals_too():
    places = world(
        [city("Paris", 95, "FR"), city("Delhi", 5, "IN")],
        [site("fr", "FR"), site("in", "IN")],
        [("Paris", "fr", 5), ("Paris", "in", 90), ("Delhi", "in", 5)],
        residency=[("IN", ["IN"])],
    )
    placement = placement_of(places)
    assert [one.sites for one in placement.proposed] == [("in",), ("fr", "in")]
    assert placement.cheapest_within is not None and placement.cheapest_within.sites == ("fr", "in")
    assert not any(one.service.unserved_others for one in placement.proposed)


def test_of_many_sites_one_that_alone_may_serve_a_few_users_is_tried():
    near = [site(f"fr{number:02}", "FR", longitude=number) for number in range(16)]
    places = world(
        [city("Paris", 95, "FR"), city("Delhi", 5, "IN")],
        [*near, site("in", "IN", longitude=77)],
        residency=[("IN", ["IN"])],
    )
    assert "in" not in placement_of(places).left_out


def test_a_country_that_no_site_may_serve_leaves_the_others_their_proposals():
    places = world(
        [city("Berlin", 1, "DE"), city("Delhi", 1, "IN")],
        [site("de", "DE", usd=7)],
        [("Berlin", "de", 5)],
        residency=[("IN", ["IN"])],
    )
    (only,) = placement_of(places).proposed
    assert only.mean_one_way_ms is None and only.service.served_mean_ms == 5 and only.usd_per_month == 7
    assert placement_of(places).cheapest_within is None


def test_of_many_sites_those_in_use_and_the_most_helpful_are_tried_and_the_rest_is_counted():
    cities = [city(f"C{at:02}", 100 - at, longitude=9 * at) for at in range(20)]
    sites = [site(f"s{at:02}", longitude=9 * at, is_current=at == 19) for at in range(20)]
    placement = placement_of(world(cities, sites))
    assert [len(one.sites) for one in placement.proposed] == [*range(1, 21)]
    assert len(placement.left_out) == len(sites) - MOST_SITES == 5
    assert "s19" not in placement.left_out
    assert any("5 appear only in larger ones." in str(note) for note in placement.notes)


def test_more_sites_that_bring_nobody_nearer_say_so_with_what_they_cost():
    """B serves 90 of 100 users in 5 ms; A is nearer to the other 10, and C, whose price is unknown, to nobody."""
    cities, sites = [city("X", 90), city("Y", 10)], [site("A", usd=2), site("B", usd=3), site("C", usd=None)]
    ways = [("X", "A", 9), ("X", "B", 5), ("X", "C", 9), ("Y", "A", 5), ("Y", "B", 9), ("Y", "C", 9)]
    placement = placement_of(world(cities, sites, ways))
    assert [one.mean_one_way_ms for one in placement.proposed] == [5, 5, 5]
    (said,) = [str(note) for note in placement.notes if "same latency" in str(note)]
    assert said.startswith("Best 2") and "Best 1 (5.0 ms one way)" in said and "80%" in said
    assert re.findall(r"\$\d+", said) == ["$5", "$3"]
    worse = placement_of(world([city("X", 50), city("Y", 50)], sites[:2], ways))
    assert not any("same latency" in str(note) for note in worse.notes), "two sites are nearer than one"


def test_measurements_of_nowhere_are_said():
    placement = placement_of(
        world([city("A", 1)], [site("s")], [("A", "gone", 5), ("Nowhere", "s", 5), ("A", "s", 5)])
    )
    assert placement.proposed[0].mean_one_way_ms == 5
    assert any("A to gone, Nowhere to s" in str(note) for note in placement.notes)


@pytest.mark.parametrize(("cities", "sites"), [(1, 0), (0, 1), (0, 0), (1, 1)])
def test_users_without_a_site_and_sites_without_users_are_not_placed(cities, sites):
    found = world([city("A", 1)] * cities, [site("s")] * sites)
    assert found.can_be_placed is (cities == sites == 1)


def test_two_hundred_sites_of_which_twenty_stand_where_users_are() -> None:
    """Exact would be 2.0 ms with 20 sites: it is found, and the bound says that nothing is better."""
    cities = tuple(
        UserCity(
            city=f"c{at:02}", country="X", latitude=-40 + 4 * at, longitude=7 * at, users=Decimal(100 - at)
        )
        for at in range(20)
    )
    there = tuple(
        Site(site_id=f"a{at:02}", city="", country="X", latitude=city.latitude, longitude=city.longitude)
        for at, city in enumerate(cities)
    )
    far = tuple(
        Site(site_id=f"f{at:03}", city="", country="X", latitude=60.0, longitude=-170 + at / 10)
        for at in range(180)
    )
    placement = placement_of(places_of(cities, (*there, *far)))
    sizes = [len(one.sites) for one in placement.proposed]
    assert sizes == sorted(sizes) and max(sizes) <= 20
    best = placement.proposed[-1]
    assert len(best.sites) == 20 and best.mean_one_way_ms == 2.0 and best.gap == 0
    assert set(best.sites) <= {site.site_id for site in there}
    assert all(one.gap is not None and one.gap >= 0 for one in placement.proposed)
    assert placement_of(places_of(cities, there[:3])).proposed[0].gap is None  # every subset was tried


def test_what_leaves_costs_what_each_site_asks_by_the_users_that_it_serves() -> None:
    def at(usd: str, **where: object) -> Site:
        return replace(site(f"s{usd}", is_current=True, **where), egress_usd_per_gb=Decimal(usd))

    assumed = replace(Assumptions(), media_gb_per_month=25_000.0)
    users = [city("A", 60), city("B", 40, latitude=40.0)]
    for sites, usd in (
        ([at("0.12")], 3_000),
        ([at("0.08"), at("0.12", latitude=40.0)], 2_400),
        ([site("none", is_current=True)], 25_000 * assumed.egress_usd_per_gb),
        ([], 25_000 * assumed.egress_usd_per_gb),
    ):
        assert egress_from_sites(assumed, world(users, sites)).usd == pytest.approx(usd)


def test_countries_that_all_rules_of_the_users_allow_are_proposed() -> None:
    rules = [("DE", ["DE", "FR"]), ("FR", ["France", "BE", "DE"]), ("JP", ["JP"])]
    sites = [site("s", is_current=True)]
    assert residency_only(world([city("A", 1, "DE"), city("B", 1, "FR")], sites, (), rules)) == "DE;FR"
    assert residency_only(world([city("A", 1, "US")], sites, (), rules)) is None
    assert residency_only(world([city("A", 1, "JP"), city("B", 1, "DE")], sites, (), rules)) is None


def test_twenty_cities_with_a_site_each_among_two_hundred() -> None:
    """2.0 ms with a site for each city, as early as that can be; more sites never make the way longer."""
    draw = random.Random(3)
    spots = [(draw.uniform(-50, 60), draw.uniform(-170, 170)) for _ in range(200)]
    cities = tuple(
        UserCity(
            city=f"City{number}",
            country="Kenya",
            latitude=latitude,
            longitude=longitude,
            users=Decimal(1000 + number),
        )
        for number, (latitude, longitude) in enumerate(spots[:20])
    )
    sites = tuple(
        Site(
            site_id=f"site{number:03}",
            city=f"City{number}",
            country="Kenya",
            latitude=latitude,
            longitude=longitude,
            is_current=number == 0,
        )
        for number, (latitude, longitude) in enumerate(spots)
    )
    found = placement_of(places_of(cities, sites)).proposed
    means = [one.mean_one_way_ms or 0.0 for one in found]
    assert means == sorted(means, reverse=True) and len(found) == 20
    assert found[-1].sites == tuple(f"site{at:03}" for at in range(20)) and means[-1] == 2.0
    assert min(len(one.sites) for one in found if one.mean_one_way_ms == 2.0) == 16  # of the top 80% of users
    assert found[-1].gap == 0.0
    assert (
        max(one.gap or 0.0 for one in found) < 0.05
    )  # every set is near the best of as many, and it is shown


@settings(max_examples=examples(10), deadline=None)
@given(st.integers(0, 2**32))
def test_no_set_of_as_many_sites_is_under_what_is_said_of_it(seed: int) -> None:
    """Of 18 sites every set of one to three, beside the bound and what was found."""
    draw = random.Random(seed)
    cities = tuple(
        UserCity(
            city=f"c{at}",
            country="X",
            latitude=draw.uniform(-60, 60),
            longitude=draw.uniform(-170, 170),
            users=Decimal(draw.randint(1, 99)),
        )
        for at in range(7)
    )
    sites = tuple(
        Site(
            site_id=f"s{at:02}",
            city="",
            country="X",
            latitude=draw.uniform(-60, 60),
            longitude=draw.uniform(-170, 170),
        )
        for at in range(18)
    )
    placement = placement_of(places_of(cities, sites))
    table = placement.today.table
    users = np.array([float(one.users) for one in table.top_cities])
    ms = table.ms[: table.covering]
    for one in placement.proposed[:3]:
        sets = combinations(range(18), len(one.sites))
        exact = min(float(ms[:, chosen].min(axis=1) @ users) / float(users.sum()) for chosen in sets)
        bound, mean = one.shortest_ms or 0.0, one.mean_one_way_ms or 0.0
        assert 0 < bound <= exact * (1 + 1e-9) and exact <= mean * (1 + 1e-9) and (one.gap or 0.0) >= 0


def test_users_whom_no_site_of_today_may_serve_are_counted():
    """35 and 25 of 100 users are in two German cities, and the one site is in the US."""
    places = world(
        [city("Berlin", 35, "DE"), city("Bonn", 25, "DE"), city("Delhi", 40, "IN")],
        [site("us", "US", is_current=True)],
        residency=[("DE", ["DE"])],
    )
    (note,) = [note for note in placement_of(places).notes if "cities" in note.values]
    assert (note.values["cities"], str(note.values["users"])) == ("DE", "60")


INF = float("inf")


@pytest.mark.parametrize(
    ("ms", "users", "nearest", "site_at"),
    [
        ([[10, 20], [30, 10]], [3, 1], [INF, INF], 0),  # 60 / 4 = 15 against 70 / 4 = 17.5
        ([[10, 20], [30, 10]], [1, 3], [INF, INF], 1),  # 25 against 12.5
        ([[10, 20], [30, 10]], [3, 1], [5, INF], 1),  # the first city is at 5 already: 45 / 4 against 25 / 4
        ([[10, INF], [INF, 12]], [3, 1], [INF, INF], 0),  # a mean of 10 against 12
        ([[10, INF], [INF, 11]], [1, 9], [INF, INF], 0),  # a mean of 10 against 11
        ([[1, 90], [INF, 90]], [1, 1], [INF, INF], 1),  # the second site serves both
        ([[10, 10], [10, 10]], [1, 1], [INF, INF], 0),  # a tie
        ([[INF, INF]], [1], [INF], 0),
    ],
)
def test_the_next_site_serves_most_cities_and_then_has_the_least_mean(
    ms: Any, users: Any, nearest: Any, site_at: int
) -> None:
    table, before = np.array(ms, dtype=float), np.array(nearest, dtype=float)
    at, ways = placement.choose_next_site(table, np.array(users, dtype=float), before)
    assert at == site_at and ways.tolist() == np.minimum(table[:, at], before).tolist()


@pytest.mark.parametrize(
    ("ms", "users", "chosen", "left"),
    [
        ([[10, 5, 99], [10, 9, 99]], [1, 1], [0], [1]),  # 14 against 20
        ([[10, 5, 99], [10, 16, 99]], [1, 1], [0], [0]),  # 21 against 20
        ([[10, 5, 99], [10, 16, 99]], [2, 1], [0], [1]),  # 26 against 30
        ([[10, INF], [INF, 5]], [1, 9], [0], [0]),  # who is served stays served
        ([[10, 5], [10, 5]], [1, 1], [0, 1], [0, 1]),  # all of them
        ([[1, 9, 9], [9, 8, 2], [9, 8, 2]], [1, 1, 1], [0, 1], [0, 2]),  # the one that helps less goes
    ],
)
def test_a_site_is_exchanged_for_one_that_serves_as_many_and_is_nearer(
    ms: Any, users: Any, chosen: list[int], left: list[int]
) -> None:
    assert placement.exchange_sites(np.array(ms, dtype=float), np.array(users, dtype=float), chosen) == left


def test_of_sets_as_good_that_with_the_earlier_sites_comes_first() -> None:
    """The first of 3 sites counts 4, the last 1: 1 and 3 together 5."""
    assert placement.subset_order(np.array([0, 1, 2, 4, 5, 3]), 3).tolist() == [0, -4, -2, -1, -5, -6]
    assert placement.subset_sizes(3).tolist() == [0, 1, 1, 2, 1, 2, 2, 3]


def test_cities_beside_the_top_ones_are_there_by_their_rules_alone() -> None:
    table: Any = SimpleNamespace(ms=np.array([[1.0, 2], [INF, 3], [INF, 4], [5, 6]]), covering=1)
    ways, users = placement.add_residency_rules(table, np.array([7.0]))
    assert ways.tolist() == [[1, 2], [INF, 0], [0, 0]] and users.tolist() == [7, 0, 0]


@pytest.mark.parametrize(("count", "named", "more"), [(0, 0, 0), (1, 1, 0), (5, 5, 0), (6, 5, 1), (8, 5, 3)])
def test_measurements_that_fit_nothing_are_named_up_to_five(count: int, named: int, more: int) -> None:
    ways = [("A", "s", 3), *((f"x{at}", "s", 3) for at in range(count))]
    texts = [
        str(note) for note in placement.note_unused_measurements(world([city("A", 1)], [site("s")], ways))
    ]
    assert len(texts) == (count > 0)
    for text in texts:
        assert text.count(" to s") == named and (f"and {more} more" in text) is (more > 0)


def test_cities_of_one_name_in_two_countries_are_shared() -> None:
    both = [city("A", 1), city("A", 2, "DE"), city("B", 1)]
    notes = list(placement.note_unused_measurements(world(both, [site("s")], [("A", "s", 3), ("B", "s", 3)])))
    assert [note.values["shared"] for note in notes] == ["A"]
    assert list(placement.note_unused_measurements(world(both, [site("s")], [("B", "s", 3)]))) == []
