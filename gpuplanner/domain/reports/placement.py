"""Placement: sets of sites with their way and price, and the cities with the site that serves them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from gpuplanner.domain.figures.serving import SITE_SET, WAY
from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.figures.units import LONGEST_MS
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.reports.report import SHEET, TERMINAL, WINDOW, Column, Medium, Report
from gpuplanner.domain.serving.placement import Placement, SiteSet
from gpuplanner.domain.serving.transit import Leg

READ: Final = TERMINAL | WINDOW
LISTED_IN_TERMINAL: Final = 40


@dataclass(frozen=True, slots=True)
class NamedSet:
    """A set of sites as it is listed. key: today, best:2 or cheapest."""

    key: str
    name: Text
    sites: SiteSet


def named_sets(placement: Placement) -> tuple[NamedSet, ...]:
    """Today, and the best set of each size."""
    best = (
        NamedSet(f"best:{len(one.sites)}", worded("Best {sites}", sites=whole(len(one.sites))), one)
        for one in placement.proposed
    )
    return (NamedSet("today", worded("Today"), placement.today.current), *best)


def sets_and_cheapest(placement: Placement) -> tuple[NamedSet, ...]:
    """The same, and the cheapest set whose mean way is short enough, where there is one."""
    cheapest = placement.cheapest_within
    within = worded("Cheapest within {longest_ms} ms", longest_ms=whole(LONGEST_MS))
    found = () if cheapest is None else (NamedSet("cheapest", within, cheapest),)
    return (*named_sets(placement), *found)


def _sets(sets: Sequence[NamedSet]) -> Sequence[NamedSet]:
    return sets


def _legs(legs: Sequence[Leg]) -> Sequence[Leg]:
    return legs


def _set_key(row: NamedSet) -> str:
    return row.key


def _city(leg: Leg) -> str:
    return leg.city.city


def _by(leg: Leg) -> Text | None:
    """How a way is known; None where there is none."""
    if leg.site_id is None:
        return None
    return worded("measured") if leg.is_measured else worded("{km} km", km=whole(leg.km or 0.0))


def _names(row: NamedSet) -> Text:
    return ", ".join(row.sites.sites) or worded("none")


SITE_SETS: Final = Report(
    title=worded("Sites"),
    one="set of sites",
    many="sets of sites",
    rows=_sets,
    key=_set_key,
    columns=(
        Column(key="name", media=READ, form="name"),
        Column(key="sites", title=worded("Sites"), media=READ, value=_names),
        Column(SITE_SET["mean_one_way_ms"], value=lambda row: row.sites.mean_one_way_ms),
        Column(SITE_SET["round_trip_ms"], value=lambda row: row.sites.round_trip_ms),
        Column(SITE_SET["cost_per_month"], value=lambda row: row.sites.usd_per_month),
        Column(key="sites", title=worded("Sites"), media=SHEET, value=_names),
    ),
    adds_up=False,
    media=READ | SHEET,
)
"""About sets of sites, by `named_sets` or `sets_and_cheapest`. On its sheet ways and prices are formulas."""

CITIES: Final = Report(
    title=worded("Cities"),
    one="city",
    many="cities",
    rows=_legs,
    key=_city,
    columns=(
        Column(key="city", title=worded("City"), value=_city, form="name"),
        Column(
            key="country", title=worded("Country"), media=TERMINAL | SHEET, value=lambda leg: leg.city.country
        ),
        Column(WAY["users"], media=WINDOW | SHEET, value=lambda leg: float(leg.city.users)),
        Column(
            key="site_id",
            title=worded("Served from"),
            media=READ,
            value=lambda leg: leg.site_id or worded("no site may serve it"),
        ),
        Column(WAY["users"], media=TERMINAL, value=lambda leg: f"{leg.city.users:,f}"),
        Column(WAY["one_way_ms"], media=READ),
        Column(WAY["round_trip_ms"], media=READ),
        Column(key="by", title=worded("By"), media=READ, value=_by),
    ),
    limits={Medium.TERMINAL: LISTED_IN_TERMINAL},
    adds_up=False,
    media=READ | SHEET,
)
"""About the legs of a set of sites, those with most users first; the terminal is asked about the top 80% of users. On
its sheet a city has its way today and from the set that is tried beside it, as formulas."""
