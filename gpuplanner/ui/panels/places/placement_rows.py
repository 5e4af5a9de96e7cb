"""Placement as rows of tables and words: cities with their ways, sets of sites with their price, the headline."""

from collections.abc import Sequence
from typing import Any, Final

from gpuplanner.charts.kit.plain_text import spoken, tr
from gpuplanner.domain.audit.evidence.places import city_subject
from gpuplanner.domain.audit.evidence.trace import figure
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.serving import SITE_SET
from gpuplanner.domain.figures.writing import LONGEST_MS
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.places import Places
from gpuplanner.domain.reports.serving import CITIES, SITE_SETS, NamedSet
from gpuplanner.domain.serving.placement import Placement, SiteSet
from gpuplanner.domain.serving.transit import Egress, Leg
from gpuplanner.ui.kit.theme import base_font, text_width
from gpuplanner.ui.tables.cells import Cell, Filled, Row, filled_rows, written
from gpuplanner.ui.tables.report_table import filled_columns
from gpuplanner.ui.words import numbers

SHORT_MS: Final = 40
"""One way; under it the map draws a way as short. No rule hangs on it."""

MOST_DRAWN: Final = 500
"""Cities on the map: more would be a cloud, and slow to move."""

NOTHING_TITLE: Final = worded("No users and sites yet")
NOTHING_TEXT: Final = worded(
    "Import the cities of your users (city, country, latitude, longitude, users) and the sites that serve them or "
    "could (site_id, city, country, latitude, longitude, usd_per_month, current). The map shows who is served from "
    "where, how long the way is for the top 80% of users, and which sites would bring it down."
)
WORKING: Final = worded("Working out which sites serve whom.")
NO_SITES: Final = worded(
    "No sites yet. Import a file with site_id, city, country, latitude, longitude, usd_per_month and current."
)
NO_USERS: Final = worded("No users yet. Import a file with city, country, latitude, longitude and users.")


def headline_words(one: SiteSet) -> tuple[str, bool]:
    """The sentence about the top 80% of users, and whether it needs the triangle."""
    mean = one.mean_one_way_ms
    if not one.sites:
        return tr("Top 80% of users: no site is marked as current, so the way is unknown."), True
    if mean is None:
        return tr("Top 80% of users: unknown, for data residency leaves some of them without a site."), True
    side = tr("Over") if one.service.is_over_80 else tr("Within")
    flag = f"{side}\u00a0{LONGEST_MS}\u00a0ms."
    text = tr(
        "Top 80% of users: {one_way} ms one way, {round_trip} ms round trip. {flag}",
        one_way=numbers.way_ms(mean),
        round_trip=numbers.way_ms(one.round_trip_ms),
        flag=flag,
    )
    return text, one.service.is_over_80


def cheapest_words(placement: Placement) -> str:
    """Cheapest within 80 ms: ap-south, $11,600 a month, 49.4 ms one way."""
    one = placement.cheapest_within
    if one is None:
        return (
            tr("No set of sites with known prices is within {longest_ms} ms.", longest_ms=LONGEST_MS)
            if placement.proposed
            else ""
        )
    return tr(
        "Cheapest within {longest_ms} ms: {sites}, {usd_per_month} per month, {mean_one_way_ms} ms one way.",
        longest_ms=LONGEST_MS,
        sites=", ".join(one.sites),
        usd_per_month=numbers.dollars(one.usd_per_month),
        mean_one_way_ms=numbers.way_ms(one.mean_one_way_ms),
    )


def change_words(one: SiteSet, today: SiteSet) -> str:
    """Adds ap-southeast. +$12,900 a month, 57.5 ms less one way."""
    if not (one.adds or one.drops):
        return tr("These are the sites of today.")
    parts = [tr("Adds {adds}.", adds=", ".join(one.adds)) if one.adds else ""]
    parts.append(tr("Drops {drops}.", drops=", ".join(one.drops)) if one.drops else "")
    amounts = []
    if one.usd_per_month is not None and today.usd_per_month is not None:
        amounts.append(
            tr(
                "{usd_per_month} per month",
                usd_per_month=numbers.dollar_change(one.usd_per_month - today.usd_per_month),
            )
        )
    if one.mean_one_way_ms is not None and today.mean_one_way_ms is not None:
        less = today.mean_one_way_ms - one.mean_one_way_ms
        amounts.append(
            tr("{less} ms less one way", less=numbers.one_decimal(abs(less)))
            if less >= 0
            else tr("{less} ms more one way", less=numbers.one_decimal(abs(less)))
        )
    parts.append(f"{', '.join(amounts)}." if amounts else "")
    return " ".join(part for part in parts if part)


def set_table(sets: Sequence[NamedSet]) -> tuple[tuple[Filled[NamedSet], ...], list[Row]]:
    """Each set: which sites, how long the way is, what they cost; names are as wide as the longest."""
    looks: dict[str, dict[str, Any]] = {
        "name": {
            "width": text_width(tr("Best 15"), base_font("strong")) + 14,
            "cell": lambda one: Cell(one.name, is_strong=True),
        },
        "sites": {"is_cut_at_end": True, "cell": _sites_cell},
        "mean_one_way_ms": {
            "width": _wide(tr(titles.ONE_WAY)),
            "cell": lambda one: _way_cell(
                one.sites.mean_one_way_ms, one.sites.service.is_over_80, figure("set_way", one.key)
            ),
        },
        "round_trip_ms": {
            "width": _wide(tr(titles.ROUND_TRIP)),
            "cell": lambda one: written(
                numbers.way_ms, one.sites.round_trip_ms, figure_id=figure("set_both", one.key)
            ),
        },
        "cost_per_month": {"cell": _set_usd_cell},
    }
    columns = filled_columns(SITE_SETS, looks)
    return columns, filled_rows(columns, sets, lambda one: one.key)


def _sites_cell(one: NamedSet) -> Cell:
    return Cell(", ".join(one.sites.sites) or tr("none"), tip=", ".join(one.sites.sites))


def _set_usd_cell(one: NamedSet) -> Cell:
    usd = one.sites.usd_per_month
    tip = tr(SITE_SET["cost_per_month"].unknown) if usd is None else ""
    return written(numbers.whole, usd, tip=tip, figure_id=figure("set_usd", one.key))


def _way_cell(ms: float | None, is_over: bool, figure_id: str) -> Cell:
    if ms is None:
        return Cell(numbers.UNKNOWN, tip=tr(SITE_SET["mean_one_way_ms"].unknown))
    tip = tr("Over {longest_ms} ms one way", longest_ms=LONGEST_MS) if is_over else ""
    icon = "triangle" if is_over else ""
    return written(numbers.way_ms, ms, icon=icon, icon_role="amber", tip=tip, figure_id=figure_id)


def city_columns(is_wide: bool, set_key: str = "today") -> tuple[Filled[Leg], ...]:
    """The columns of the cities as a set of sites serves them; how a way is known has one where there is room.

    Cities beyond the top 80% of users are muted.
    """

    def asks(kind: str, leg: Leg) -> str:
        return figure(kind, city_subject(set_key, leg))

    looks: dict[str, dict[str, Any]] = {
        "city": {
            "cell": lambda leg: Cell(leg.city.city, "text" if leg.is_top else "muted", tip=city_tip(leg))
        },
        "users": {
            "width": _wide("1,234,567", "body"),
            "cell": lambda leg: Cell(
                numbers.significant(float(leg.city.users), 12), figure_id=asks("city_users", leg)
            ),
        },
        "site_id": {
            "width": _wide("ap-southeast-2" if is_wide else "ap-southeast", "body"),
            "cell": _site_cell,
        },
        "one_way_ms": {
            "width": _wide(tr(titles.ONE_WAY)) + 6,
            "cell": lambda leg: _way_cell(leg.one_way_ms, way_of(leg) == "over", asks("city_way", leg)),
        },
        "round_trip_ms": {
            "width": _wide(tr(titles.ROUND_TRIP)),
            "cell": lambda leg: written(numbers.way_ms, leg.round_trip_ms, figure_id=asks("city_both", leg)),
        },
    }
    if is_wide:
        looks["by"] = {"width": _wide(tr("measured"), "body"), "cell": _by_cell}
    return filled_columns(CITIES, looks)


def _site_cell(leg: Leg) -> Cell:
    role = "muted" if leg.site_id is None else "text"
    return Cell(leg.site_id or tr("no site may"), role, tip=city_tip(leg))


def _by_cell(leg: Leg) -> Cell:
    known_by = "" if leg.site_id is None else tr("measured") if leg.is_measured else tr("distance")
    return Cell(known_by, "muted")


def city_id(leg: Leg) -> str:
    """One key for the table and the map."""
    city = leg.city
    return f"{city.city}|{city.country}|{city.latitude}|{city.longitude}"


def city_tip(leg: Leg) -> str:
    """All about one city."""
    city = leg.city
    name = tr("{city}, {country}", city=city.city, country=city.country) if city.country else city.city
    users = tr("{users} users", users=numbers.whole(float(city.users)))
    top = "" if leg.is_top else tr(", beyond the top 80%")
    if leg.site_id is None:
        return tr(
            "{name}: {users}{top}\nData residency lets none of these sites serve it",
            name=name,
            users=users,
            top=top,
        )
    way = tr("measured") if leg.is_measured else tr("by distance, {km} km", km=numbers.whole(leg.km))
    return tr(
        "{name}: {users}{top}\nfrom {site_id}: {one_way_ms} ms one way, {both} ms round trip, {way}",
        name=name,
        users=users,
        top=top,
        site_id=leg.site_id,
        one_way_ms=numbers.way_ms(leg.one_way_ms),
        both=numbers.way_ms(leg.round_trip_ms),
        way=way,
    )


def way_of(leg: Leg) -> str:
    """How the map draws a way: near, far, over; empty where there is none."""
    if leg.one_way_ms is None:
        return ""
    return "over" if leg.one_way_ms > LONGEST_MS else "far" if leg.one_way_ms > SHORT_MS else "near"


def covered_words(placement: Placement, places: Places) -> str:
    """11 of 20 cities hold 81.3% of users."""
    share = placement.today.covered_share
    if share is None:
        return tr("Nobody is in these cities: their users are all 0.")
    top = placement.today.table.covering
    cities = numbers.counted(len(places.cities), "city", "cities")
    text = tr(
        "{top} of {cities} hold {share} of users; the mean is over these.",
        top=numbers.whole(top),
        cities=cities,
        share=numbers.percent(share),
    )
    more = tr(" The map draws the {most_drawn} with most users.", most_drawn=numbers.whole(MOST_DRAWN))
    return text + more * (len(places.cities) > MOST_DRAWN)


def egress_words(egress: Egress) -> str:
    """What leaving data costs, and why text does not count."""
    amount = tr("unknown") if egress.usd is None else tr("{usd} per month", usd=numbers.cents(egress.usd))
    return tr("Egress: {amount}. {sentence}", amount=amount, sentence=spoken(egress.sentence))


def _wide(text: str, step: str = "small") -> int:
    return text_width(text, base_font(step)) + 12
