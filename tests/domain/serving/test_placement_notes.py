"""Notes of a placement: measurements that are not used, residency, sizes without a proposal, and equal latency."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

from gpuplanner.domain.message import Message
from gpuplanner.domain.model.places import MeasuredTransit
from gpuplanner.domain.serving import placement
from gpuplanner.domain.serving.placement import MOST_SITES, SiteSet, current_placement
from gpuplanner.domain.serving.transit import Service
from tests.domain.serving.small_places import city, site, world


def test_measurements_of_another_country_are_of_nowhere() -> None:
    """A way that names the city's own country, none, or another; and one of a country as a whole."""
    places = world([city("A", 1, "DE")], [site("s")])
    for country, is_unused in (("", False), ("de", False), ("FR", True), ("A", False)):
        ways = (MeasuredTransit("A", "s", Decimal(3), country),)
        notes = list(placement.note_unused_measurements(replace(places, measured=ways)))
        assert bool(notes) is is_unused
    for name, site_id in (("X", "s"), ("A", "x")):
        (note,) = placement.note_unused_measurements(
            replace(places, measured=(MeasuredTransit(name, site_id, Decimal(3)),))
        )
        assert str(note.values["more"]) == ""


def test_notes_of_today_are_of_nobody_residency_and_prices() -> None:
    def values(*args: Any, **facts: Any) -> list[dict[str, str]]:
        notes = current_placement(world(*args, **facts)).notes
        return [{name: str(value) for name, value in note.values.items()} for note in notes]

    served = [city("A", 90, "DE"), city("B", 10, "IN")]
    assert values(served, [site("s", "DE", is_current=True)]) == []
    assert len(values(served, [site("s", "DE")])) == 1  # nobody is served today
    assert values(served, [site("s", "DE", is_current=True), site("t", usd=None), site("u", usd=None)]) == [
        {"unpriced": "t, u"}
    ]
    top = values(served, [site("s", "IN", is_current=True), site("t", "DE")], residency=[("DE", ["DE"])])
    assert [(note["cities"], note["users"]) for note in top] == [("DE", "90")]
    others = values(served, [site("s", "DE", is_current=True), site("t", "IN")], residency=[("IN", ["IN"])])
    assert [(note["cities"], note["users"]) for note in others] == [("IN", "10")]
    assert top[0]["name"] != others[0]["name"]
    nowhere = values(
        served, [site("s", "US", is_current=True)], residency=[("FR", ["FR"]), ("ES", ["US", "ES"])]
    )
    assert nowhere == [{"nowhere": "FR"}]


def test_sizes_without_a_proposal_are_named() -> None:
    def missing(best: dict[int, int], tried: int) -> list[str]:
        return [str(note.values["missing"]) for note in placement.note_untried_sets((), best, tried)]

    assert (
        missing({1: 1, 2: 3}, 2) == []
        and missing({2: 3}, 2) == ["1"]
        and missing({2: 3}, 4) == ["1 or 3 or 4"]
    )
    (note,) = placement.note_untried_sets(("x", "y"), {1: 1}, 1)
    assert str(note.values["left_out"]) == "2" and str(note.values["most_sites"]) == str(MOST_SITES)


def set_of(size: int, mean: float | None, usd: float | None) -> SiteSet:
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
    return SiteSet(sites=tuple("abcdef"[:size]), service=service, round_trip_ms=None, usd_per_month=usd)


def test_sets_that_are_no_nearer_are_named_with_what_both_cost() -> None:
    """Means that are written alike: 9.96 and 10.04 are both 10.0."""
    sets = [
        set_of(1, 10.04, 5.0),
        set_of(2, 9.96, 7.0),
        set_of(3, 9.96, None),
        set_of(4, 9.96, 9.0),
        set_of(5, 9.0, 11.0),
    ]
    (note,) = placement.note_equal_latency(sets)
    assert isinstance(note, Message)
    assert {name: str(value) for name, value in note.values.items()} == {
        "more": "2, 4", "least": "1", "ms": "10.0", "usd": "$7, $9", "less": "$5",
    }  # fmt: skip
    assert (
        list(placement.note_equal_latency(sets[3:]))
        == []
        == list(placement.note_equal_latency([set_of(1, None, 1.0)] * 2))
    )
