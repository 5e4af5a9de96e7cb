"""Checks of placement: the way to the top 80% of users, and countries whose users no current site may serve."""

from collections.abc import Iterator

from gpuplanner.domain.audit.result import Check
from gpuplanner.domain.figures.typed import way_ms, whole
from gpuplanner.domain.figures.units import LONGEST_MS
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.places import Places
from gpuplanner.domain.serving.placement import current_placement, forbidden_countries

WHERE = worded("top 80% of users")


def place_checks(places: Places) -> tuple[Check, ...]:
    """What there is to say of users and sites; nothing where one of the two is not loaded.

    Source: docs/formulas.md, Placement.
    """
    return tuple(_checks(places)) if places.can_be_placed else ()


def _checks(places: Places) -> Iterator[Check]:
    """The way over 80 ms; then countries that no current site may serve, where there is a current site at
    all.
    """
    current = current_placement(places).current
    mean, service = current.mean_one_way_ms, current.service
    if service.is_over_80 and mean is not None:
        text = worded(
            "{one_way} ms one way, {round_trip} ms round trip: over {longest_ms} ms; see on the map of the panel "
            "Placement which sites bring it down",
            one_way=way_ms(mean),
            round_trip=way_ms(current.round_trip_ms),
            longest_ms=whole(LONGEST_MS),
        )
        yield Check("transit_over_80_ms", "amber", WHERE, text)
    if current.sites:
        for country in forbidden_countries((*service.unserved, *service.unserved_others)):
            text = worded(
                "no current site may serve its users; add a site in an allowed country, or correct the rule"
            )
            yield Check("residency_unserved", "red", country, text)
