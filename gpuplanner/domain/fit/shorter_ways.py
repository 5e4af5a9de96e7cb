"""Shorter ways to users: sites that answer sooner than those of today, and what that is worth."""

from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.places import Places
from gpuplanner.domain.serving.load import Load
from gpuplanner.domain.serving.placement import Placement, current_placement
from gpuplanner.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class ShorterWay:
    """Sites that bring the answer sooner than those of today. ms_saved: there and back, over the top 80% of users."""

    sites: tuple[str, ...]
    ms_saved: float
    usd_per_month: float


def shorter_ways(placement: Placement, load: Load, assumptions: Assumptions) -> tuple[ShorterWay, ...]:
    """What the best sites of each number are worth by what the planner states of 100 ms; none where nothing is stated.

    Source: docs/formulas/sizing.md.
    """
    usd, share = assumptions.serving_usd_per_request, assumptions.serving_completions_per_100_ms
    now_ms = placement.today.current.round_trip_ms
    if usd is None or share is None or now_ms is None:
        return ()
    per_ms = load.requests_per_month * usd * share / 100
    return tuple(
        ShorterWay(sites.sites, now_ms - sites.round_trip_ms, per_ms * (now_ms - sites.round_trip_ms))
        for sites in placement.proposed
        if sites.round_trip_ms is not None and sites.round_trip_ms < now_ms
    )


def way_of(places: Places) -> float | None:
    """ms there and back between users and the sites of today, over the top 80% of users; None: not known."""
    return current_placement(places).current.round_trip_ms if places.can_be_placed else None
