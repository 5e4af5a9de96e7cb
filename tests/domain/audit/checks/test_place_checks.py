"""Checks of placement: over 80 ms and not at it, and countries that are served from nowhere."""

import pytest

from gpuplanner.domain.audit.checks.place_checks import place_checks
from gpuplanner.domain.figures.serving import WAY_MS
from gpuplanner.domain.figures.typed import way_ms
from gpuplanner.domain.figures.writing import ENGLISH
from gpuplanner.domain.model.places import NO_PLACES
from tests.domain.serving.places_by_hand import city, site, world


@pytest.mark.parametrize(("ms", "codes"), [("80.0", []), ("80.0001", ["transit_over_80_ms"])])
def test_over_80_ms_is_amber_and_exactly_80_is_not(ms, codes):
    checks = place_checks(world([city("A", 1)], [site("s", is_current=True)], [("A", "s", ms)]))
    assert [check.code for check in checks] == codes
    assert all(check.severity == "amber" and "80.0001 ms one way" in str(check.message) for check in checks)


def test_a_country_that_no_current_site_may_serve_is_red_also_beyond_the_top_cities():
    places = world(
        [city("A", 90, "US"), city("B", 10, "DE")],
        [site("s", "US", is_current=True), site("d", "DE")],
        residency=[("DE", ["DE"])],
    )
    (check,) = place_checks(places)
    assert (check.code, check.severity, check.subject) == ("residency_unserved", "red", "DE")


def test_nothing_is_said_without_users_or_sites():
    assert place_checks(NO_PLACES) == place_checks(world([city("A", 1)], [])) == ()


def test_no_number_over_80_is_written_as_80():
    ways = (80.0, 80.04, 80.04567, 79.99, 86.42, 80.0000000001)
    written = [str(way_ms(ms)) for ms in ways]
    assert written == ["80.0", "80.04", "80.05", "80.0", "86.4", "80.000000000100002"]
    assert written == [ENGLISH.of_unit(ms, WAY_MS.key) for ms in ways]
    assert str(way_ms(None)) == "\u2014"
