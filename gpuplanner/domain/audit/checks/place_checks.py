"""Checks of placement: the way to the top 80% of users, and countries whose users no current site may serve."""

from collections.abc import Iterator

from gpuplanner.domain.audit.result import Check
from gpuplanner.domain.figures.typed import Written, decimals, significant, whole
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.places import Places
from gpuplanner.domain.serving.placement import current_placement, forbidden_countries
from gpuplanner.domain.serving.transit import LONGEST_MS

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
            "{one_way} one way, {round_trip} round trip: over {longest_ms} ms; see on the map of the panel "
            "Placement which sites bring it down",
            one_way=ms_text(mean),
            round_trip=ms_text(2 * mean),
            longest_ms=whole(LONGEST_MS),
        )
        yield Check("transit_over_80_ms", "amber", WHERE, text)
    if current.sites:
        for country in forbidden_countries((*service.unserved, *service.unserved_others)):
            text = worded(
                "no current site may serve its users; add a site in an allowed country, or correct the rule"
            )
            yield Check("residency_unserved", "red", country, text)


def ms_text(ms: float) -> Message:
    """Milliseconds as `ms_number` has them, with their unit."""
    return worded("{ms} ms", ms=ms_number(ms))


def ms_number(ms: float) -> Written:
    """Milliseconds to a tenth; what is over a limit by less than that with as many places as show it.

    >>> [str(ms_number(ms)) for ms in (79.96, 80.0, 80.001)]
    ['80.0', '80.0', '80.001']
    """
    for places in range(1, 10):
        if (ms > LONGEST_MS) == (round(ms, places) > LONGEST_MS):
            return decimals(ms, places)
    return significant(ms, 17)
