"""Sets of sites: subsets and their prices, the site that helps next, sets by exchange, and a bound for the best."""

import random
from dataclasses import replace
from decimal import Decimal
from itertools import combinations
from math import inf, isnan
from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.places import MeasuredTransit, Site, UserCity, places_of
from gpuplanner.domain.serving import placement
from gpuplanner.domain.serving.placement import (
    MOST_SITES,
    SiteSet,
    Subsets,
    all_sizes,
    best_subsets,
    cheapest_first,
    current_placement,
    egress_from_sites,
    forbidden_countries,
    helping_most,
    members,
    placement_of,
    shortlist,
    site_set,
    subset_means,
)
from gpuplanner.domain.serving.transit import Service, transit_table
from tests.domain.serving.small_places import city, site, world

NAN = float("nan")
PLACES = world(
    [city("A", 60), city("B", 30), city("C", 10)],
    [site("a", usd=5, is_current=True), site("b", usd=7), site("c", usd=None)],
    [("A", "a", 10), ("A", "b", 90), ("A", "c", 90), ("B", "a", 90), ("B", "b", 20), ("B", "c", 90)],
)


def floats(rows: Any) -> Any:
    return np.array(rows, dtype=float)


def means(ms: Any, users: Any, others: Any = None) -> tuple[list[float | None], int]:
    """The mean of each subset, None where it is not a number, and how many cities nobody may serve."""
    shape = (0, len(ms[0]) if ms else 2)
    found = subset_means(
        floats(ms).reshape(-1, shape[1]),
        floats(users),
        None if others is None else np.array(others, dtype=bool),
    )
    return [None if isnan(mean) else round(float(mean), 9) for mean in found.mean], found.impossible


# --- Subsets


def test_the_mean_of_a_subset_is_by_users_and_of_nobody_left_out() -> None:
    """Sites a and b: 1 user at 10 or 20 ms, 3 at 40 or 8: (10 + 120) / 4, (20 + 24) / 4, (10 + 24) / 4."""
    assert means([[10, 20], [40, 8]], [1, 3]) == ([None, 32.5, 11.0, 8.5], 0)
    assert means([[10, inf], [40, 8]], [1, 3]) == ([None, 32.5, None, 8.5], 0)
    assert means([[inf, inf], [40, 8]], [1, 3]) == ([None, 40.0, 8.0, 8.0], 1)
    assert means([[inf, inf]], [1]) == ([None] * 4, 1) and means([], []) == ([None] * 4, 0)
    # of the others the first may be served from b alone, the second from nowhere, the third from both
    others = [[False, True], [False, False], [True, True]]
    assert means([[10, 20], [40, 8]], [1, 3], others) == ([None, None, 11.0, 8.5], 1)
    assert means([[10, 20], [inf, inf]], [1, 3], [[False, False]])[1] == 2
    # more cities than are worked out at once, each with one user: 1 to 9 ms over a, 5 over b
    many = [[at, 5] for at in range(1, 10)]
    assert means(many, [1] * 9)[0] == [None, 5.0, 5.0, round((1 + 2 + 3 + 4 + 5 * 5) / 9, 9)]


def subsets(*mean: float, impossible: int = 0) -> Subsets:
    return Subsets(floats(mean), impossible)


def test_of_each_size_the_nearest_then_the_cheapest_then_the_first_is_best() -> None:
    """Numbers of subsets: 1 a, 2 b, 3 ab, 4 c, 5 ac, 6 bc, 7 abc."""
    assert best_subsets(subsets(NAN, 9, 8, 7, 9, 6, 5, 4), [1, 1, 1]) == {1: 2, 2: 6, 3: 7}
    assert best_subsets(subsets(NAN, NAN, NAN, 7, NAN, inf, 7, 4), [1, 2, 3]) == {2: 3, 3: 7}
    tied = subsets(NAN, 9, 9 * (1 + 1e-13), 7, 9, 7, 7, 4)
    assert best_subsets(tied, [3, 2, 2]) == {1: 2, 2: 6, 3: 7}  # b and c cost least
    assert best_subsets(tied, [None, 2, 2]) == {1: 2, 2: 6, 3: 7}
    assert best_subsets(tied, [2, 2, 2]) == {1: 1, 2: 3, 3: 7}  # the first sites
    assert best_subsets(tied, [None, None, 9]) == {1: 4, 2: 3, 3: 7}
    assert best_subsets(subsets(NAN), []) == {}


def test_the_cheapest_subsets_within_a_way_come_first() -> None:
    of = subsets(NAN, 9, 8, 7, 9, 7, 6, 5)
    assert cheapest_first(of, [1, 2, 4], 9.0) == [1, 2, 3, 4, 5, 6, 7]
    assert cheapest_first(of, [1, 2, 4], 8.0) == [2, 3, 5, 6, 7]
    assert cheapest_first(of, [1, None, 4], 9.0) == [1, 4, 5]
    assert cheapest_first(of, [0, 0, 0], 9.0) == [7, 6, 3, 5, 2, 1, 4]  # the nearest, then the first sites
    assert cheapest_first(subsets(NAN, 7, 7, 7), [0, 0], 9.0) == [1, 2, 3]  # fewer sites
    assert cheapest_first(subsets(NAN, 0.0), [1], 0.0) == [1]
    assert (
        cheapest_first(subsets(NAN, 1.0), [1], 1.0) == [1]
        and cheapest_first(subsets(NAN, 1.1), [1], 1.0) == []
    )
    assert cheapest_first(subsets(NAN, 1.0, impossible=1), [1], 9.0) == []
    assert [members(mask) for mask in (0, 1, 6, 8)] == [(), (0,), (1, 2), (3,)]
    assert placement.subset_prices([1.0, None, 4.0]).tolist() == [0, 1, inf, inf, 4, 5, inf, inf]


# --- Which site helps next


def test_sites_stand_in_the_order_in_which_they_help() -> None:
    """Alone b is nearest to both; then c brings the second from 6 to 1, and a the first from 5 to 4."""
    ms, users = floats([[4, 5, 9], [9, 6, 1]]), floats([1, 1])
    assert helping_most(ms, users, (), 3) == (2, 0, 1)  # 10 / 2 of c against 11 / 2 of b and 13 / 2 of a
    assert helping_most(ms, users, (), 2) == (2, 0) and helping_most(ms, users, (), 0) == ()
    assert helping_most(ms, users, (1,), 3) == (1, 2, 0)  # 6 / 2 against 10 / 2
    assert helping_most(ms, users, (1, 0), 3) == (1, 0, 2)
    assert helping_most(ms, floats([9, 1]), (), 2) == (0, 2)
    assert helping_most(floats([[1, inf], [inf, 9]]), floats([1, 9]), (), 2) == (0, 1)


def test_no_more_sites_are_tried_than_may_be() -> None:
    ms = floats([[at + 1 for at in range(MOST_SITES + 3)]])
    tried = shortlist(ms, floats([1]), (MOST_SITES + 2, 4))
    assert tried == (*range(MOST_SITES - 1), MOST_SITES + 2)


# --- Sets of sites


def nearest(mean: float | None, bound: float | None) -> float | None:
    service = Service(
        legs=(),
        mean_one_way_ms=mean,
        served_mean_ms=mean,
        is_over_80=False,
        way_80_ms=None,
        is_way_80_over=False,
        unserved=(),
        unserved_others=(),
    )
    return SiteSet(sites=(), service=service, round_trip_ms=None, usd_per_month=None, shortest_ms=bound).gap


def test_a_gap_is_how_much_longer_the_way_is_than_the_bound() -> None:
    assert (nearest(12.0, 10.0), nearest(10.0, 10.0)) == (pytest.approx(0.2), 0.0)
    assert nearest(None, 10.0) is nearest(10.0, None) is nearest(10.0, 0.0) is nearest(10.0, inf) is None


def test_a_set_has_its_price_its_way_and_what_it_changes() -> None:
    """A and B are the top 80%: (60 x 10 + 30 x 90) / 90 = 36.67 of a, (600 + 600) / 90 = 13.3 of both."""
    table = transit_table(PLACES)
    both = site_set(table, (1, 0))
    assert (both.sites, both.adds, both.drops, both.usd_per_month) == (("a", "b"), ("b",), (), 12.0)
    assert both.mean_one_way_ms == pytest.approx(40 / 3) and both.round_trip_ms == pytest.approx(80 / 3)
    other = site_set(table, (1, 2))
    assert (other.sites, other.adds, other.drops, other.usd_per_month) == (
        ("b", "c"),
        ("b", "c"),
        ("a",),
        None,
    )
    none = site_set(table, ())
    assert (none.sites, none.drops, none.usd_per_month, none.round_trip_ms) == ((), ("a",), 0.0, None)
    today = current_placement(PLACES)
    assert today.current.sites == ("a",) and today.covered_share == pytest.approx(0.9)
    assert today.current.mean_one_way_ms == pytest.approx(110 / 3)
    assert forbidden_countries(tuple(city(name, 1, name) for name in "BAB")) == ("A", "B")


def test_proposals_are_one_of_each_size_and_the_cheapest_within_80_ms() -> None:
    of = placement_of(PLACES)
    assert [sites.sites for sites in of.proposed] == [("a",), ("a", "b"), ("a", "b", "c")]
    assert of.cheapest_within is not None and of.cheapest_within.sites == ("a",)
    assert (of.left_out, [sites.shortest_ms for sites in of.proposed]) == ((), [None] * 3)
    far = replace(PLACES, measured=tuple(replace(way, one_way_ms=Decimal(81)) for way in PLACES.measured))
    assert placement_of(far).cheapest_within is None
    edge = replace(PLACES, measured=tuple(replace(way, one_way_ms=Decimal(80)) for way in PLACES.measured))
    within = placement_of(edge).cheapest_within
    assert within is not None and within.sites == ("a",)
    nobody = placement_of(world([city("A", 0)], [site("a")]))
    assert (nobody.proposed, nobody.cheapest_within) == ((), None)


def test_what_leaves_is_priced_by_the_users_that_each_site_serves() -> None:
    """Of 100 users 60 + 10 are nearest to a, at 0.2; 30 to b, which states no price: 0.1 is assumed."""
    served = replace(
        PLACES,
        sites=(
            replace(PLACES.sites[0], egress_usd_per_gb=Decimal("0.2")),
            replace(PLACES.sites[1], is_current=True),
        ),
    )
    assumed = Assumptions(egress_usd_per_gb=0.1, media_gb_per_month=100.0)
    ways = (*PLACES.measured, MeasuredTransit("C", "a", Decimal(1)))
    of = egress_from_sites(assumed, replace(served, measured=ways))
    assert of.usd_per_gb == pytest.approx(0.17) and of.media_usd == pytest.approx(17.0)
    assert egress_from_sites(assumed, world([], [])).usd_per_gb == 0.1


# --- Many sites: sets by exchange, and a bound


def line(*at: int, users: tuple[int, ...] = (), sites: tuple[int, ...] = ()) -> Any:
    """Cities on the equator, each degree of a ms, and sites there."""
    cities = [
        city(f"c{place:02}", users[number] if users else 1, longitude=float(place))
        for number, place in enumerate(at)
    ]
    return transit_table(world(cities, [site(f"s{place:02}", longitude=float(place)) for place in sites]))


def test_sets_of_all_sizes_grow_by_the_site_that_helps_most() -> None:
    """4, 3 and 2 users at 0, 10 and 30 degrees: of one site 90, 80, 110 and 180 user-degrees; of two 30 at the ends."""
    table = line(0, 10, 30, users=(4, 3, 2), sites=(0, 10, 20, 30))
    for first in range(4):
        assert list(all_sizes(table, [[first]])) == [(1,), (0, 3), (0, 1, 3)]  # then nobody comes nearer
    assert list(all_sizes(table, [[0], [1, 2]])) == [(1,), (0, 3), (0, 1, 3)]
    assert list(all_sizes(table, [])) == []  # without a set all sites that are tried are in it


def test_the_bound_of_a_set_is_no_longer_than_its_way_and_that_where_it_is_the_best() -> None:
    """Two towns far from each other with a site in each: a set of both is 2 ms from all, which nothing beats."""
    table = line(0, 1, 90, 91, sites=(0, 1, 90, 91))
    users = floats([1, 1, 1, 1])

    def bound(*columns: int) -> tuple[float, float]:
        sites = site_set(table, columns)
        least = placement.bound_mean_latency_ms(table, users, sites)
        assert least is not None and sites.mean_one_way_ms is not None
        return least, sites.mean_one_way_ms

    best, mean = bound(0, 2)  # half of the users have a degree to go: as near as two sites come
    assert mean == pytest.approx(2 + np.radians(1) * 6371.0088 * 0.008 / 2) and 0.99 * mean <= best <= mean
    all_four, least = bound(0, 1, 2, 3)
    assert all_four == pytest.approx(2.0) == pytest.approx(least)
    poor, far = bound(0, 1)
    assert poor <= mean < far  # the best of two is known to be near the towns
    forbidden = world([city("A", 9, "DE"), city("B", 1)], [site("s"), site("t")], residency=[("DE", ["DE"])])
    unserved = site_set(transit_table(forbidden), (0,))
    assert placement.bound_mean_latency_ms(transit_table(forbidden), floats([9]), unserved) is None


@pytest.mark.parametrize(
    ("seed", "size", "share"), [(2, 2, 0.995), (0, 3, 0.995), (6, 3, 0.95), (9, 4, 0.98)]
)
def test_the_bound_of_many_sites_is_near_the_best_set_and_never_over_it(
    seed: int, size: int, share: float
) -> None:
    """Twelve cities and eighteen sites anywhere, beside every set of as many. A bound within 0.5% is near enough."""
    draw = random.Random(seed)

    def spot() -> dict[str, Any]:
        return {"latitude": draw.uniform(-60, 60), "longitude": draw.uniform(-170, 170)}

    cities = tuple(
        UserCity(city=f"c{number}", country="X", **spot(), users=Decimal(draw.randint(1, 99)))
        for number in range(12)
    )
    table = transit_table(
        places_of(
            cities,
            tuple(Site(site_id=f"s{number:02}", city="", country="X", **spot()) for number in range(18)),
        )
    )
    users, ms = floats([float(each.users) for each in table.top_cities]), table.ms[: table.covering]
    best = min(
        float(ms[:, chosen].min(axis=1) @ users / users.sum()) for chosen in combinations(range(18), size)
    )
    greedy = list(helping_most(ms, users, (), size))
    sites = site_set(table, tuple(sorted(placement.exchange_sites(ms, users, greedy))))
    bound, mean = placement.bound_mean_latency_ms(table, users, sites), sites.mean_one_way_ms
    assert bound is not None and mean is not None
    assert share * mean <= bound <= best * (1 + 1e-9) and best <= mean * (1 + 1e-9)
