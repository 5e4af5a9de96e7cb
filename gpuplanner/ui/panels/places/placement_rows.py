"""Placement as rows and words: cities with their routes, and sets of sites with their price."""

from collections.abc import Sequence
from typing import Any, Final

from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.evidence.serving import city_subject
from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.serving import SITE_SET
from gpuplanner.domain.figures.writing import LONGEST_MS
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.places import Places
from gpuplanner.domain.reports.serving import CITIES, SITE_SETS, NamedSet
from gpuplanner.domain.serving.placement import Placement, SiteSet
from gpuplanner.domain.serving.transit import Egress, Leg
from gpuplanner.files.system.resources import long_text
from gpuplanner.ui.kit.type_scale import base_font, text_width
from gpuplanner.ui.tables.cells import Cell, Filled, Row, filled_rows, written
from gpuplanner.ui.tables.report_table import filled_columns
from gpuplanner.ui.words import numbers

SHORT_MS: Final = 40
"""One way; under it the map draws a way as short. No rule hangs on it."""

MOST_DRAWN: Final = 500
"""Cities on the map: more would be a cloud, and slow to move."""

NOTHING_TITLE: Final = worded("No users and sites yet")
NOTHING_TEXT: Final = long_text("placement_how_to")
NO_SITES: Final = long_text("no_sites")
NO_USERS: Final = worded("No users yet. Import city, country, latitude, longitude and users.")


def headline_words(site_set: SiteSet) -> tuple[str, bool]:
    """The sentence about the top 80% of users, and whether it needs the triangle."""
    mean = site_set.mean_one_way_ms
    if not site_set.sites:
        return tr("Latency to the top 80% of users is unknown: no site is marked as current."), True
    if mean is None:
        return tr("Top 80% of users: unknown, data residency leaves some without a site."), True
    side = tr("Over") if site_set.service.is_over_80 else tr("Within")
    flag = f"{side}\u00a0{LONGEST_MS}\u00a0ms."
    text = tr(
        "Top 80% of users: {one_way} ms one way, {round_trip} ms round trip. {flag}",
        one_way=numbers.way_ms(mean),
        round_trip=numbers.way_ms(site_set.round_trip_ms),
        flag=flag,
    )
    return text, site_set.service.is_over_80


def cheapest_words(placement: Placement) -> str:
    """Cheapest within 80 ms: ap-south, $11,600 a month, 49.4 ms one way."""
    if (cheapest := placement.cheapest_within) is None:
        if not placement.proposed:
            return ""
        return tr("No sites with known prices within {longest_ms} ms.", longest_ms=LONGEST_MS)
    return tr(
        "Cheapest within {longest_ms} ms: {sites}, {usd_per_month} per month, {mean_one_way_ms} ms one way.",
        longest_ms=LONGEST_MS,
        sites=", ".join(cheapest.sites),
        usd_per_month=numbers.dollars(cheapest.usd_per_month),
        mean_one_way_ms=numbers.way_ms(cheapest.mean_one_way_ms),
    )


def change_words(site_set: SiteSet, today: SiteSet) -> str:
    """Adds ap-southeast. +$12,900 a month, 57.5 ms less one way."""
    if not (site_set.adds or site_set.drops):
        return tr("These are today's sites.")
    parts = [tr("Adds {adds}.", adds=", ".join(site_set.adds)) if site_set.adds else ""]
    parts.append(tr("Drops {drops}.", drops=", ".join(site_set.drops)) if site_set.drops else "")
    amounts = []
    if site_set.usd_per_month is not None and today.usd_per_month is not None:
        change = numbers.dollar_change(site_set.usd_per_month - today.usd_per_month)
        amounts.append(tr("{value} per month", value=change))
    if site_set.mean_one_way_ms is not None and today.mean_one_way_ms is not None:
        less = today.mean_one_way_ms - site_set.mean_one_way_ms
        ms = numbers.one_decimal(abs(less))
        words = tr("{less} ms less one way", less=ms) if less >= 0 else tr("{less} ms more one way", less=ms)
        amounts.append(words)
    parts.append(f"{', '.join(amounts)}." if amounts else "")
    return " ".join(part for part in parts if part)


def set_table(sets: Sequence[NamedSet]) -> tuple[tuple[Filled[NamedSet], ...], list[Row]]:
    """Each set: which sites, how long the way is, what they cost; names are as wide as the longest."""
    looks: dict[str, dict[str, Any]] = {
        "name": {
            "width": text_width(tr("Best 15"), base_font("strong")) + 14,
            "cell": lambda one: Cell(text=one.name, is_strong=True),
        },
        "sites": {"is_cut_at_end": True, "cell": _sites_cell},
        "mean_one_way_ms": {
            "width": _wide(tr(titles.ONE_WAY)),
            "cell": lambda one: _way_cell(
                one.sites.mean_one_way_ms,
                one.sites.service.is_over_80,
                figure("set_way", one.key),
                one.sites.shortest_ms,
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


def _sites_cell(site_set: NamedSet) -> Cell:
    return Cell(text=", ".join(site_set.sites.sites) or tr("none"), tip=", ".join(site_set.sites.sites))


def _set_usd_cell(site_set: NamedSet) -> Cell:
    usd = site_set.sites.usd_per_month
    tip = tr(SITE_SET["cost_per_month"].unknown) if usd is None else ""
    return written(numbers.whole, usd, tip=tip, figure_id=figure("set_usd", site_set.key))


def _way_cell(ms: float | None, is_over: bool, figure_id: str, at_best: float | None = None) -> Cell:
    if ms is None:
        return Cell(text=numbers.UNKNOWN, tip=tr(SITE_SET["mean_one_way_ms"].unknown))
    tips = [tr("Over {longest_ms} ms one way", longest_ms=LONGEST_MS)] if is_over else []
    if at_best is not None:
        tips.append(tr("No set of this size under {ms} ms", ms=numbers.way_ms(at_best)))
    icon = "triangle" if is_over else ""
    tip = "\n".join(tips)
    return written(numbers.way_ms, ms, icon=icon, icon_role="amber", tip=tip, figure_id=figure_id)


def city_columns(is_wide: bool, set_key: str = "today") -> tuple[Filled[Leg], ...]:
    """The columns of the cities as a set of sites serves them; how a way is known has one where there is room.

    Cities beyond the top 80% of users are muted.
    """

    def asks(kind: str, leg: Leg) -> str:
        return figure(kind, city_subject(set_key, leg))

    looks: dict[str, dict[str, Any]] = {
        "city": {
            "cell": lambda leg: Cell(
                text=leg.city.city, role="text" if leg.is_top else "muted", tip=city_tip(leg)
            )
        },
        "users": {
            "width": _wide("1,234,567", "body"),
            "cell": lambda leg: Cell(
                text=numbers.significant(float(leg.city.users), 12), figure_id=asks("city_users", leg)
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
    return Cell(text=leg.site_id or tr("no site may"), role=role, tip=city_tip(leg))


def _by_cell(leg: Leg) -> Cell:
    if leg.site_id is None:
        known_by = ""
    elif leg.is_measured:
        known_by = tr("measured")
    else:
        known_by = tr("distance")
    return Cell(text=known_by, role="muted")


def city_id(leg: Leg) -> str:
    """One key for the table and the map."""
    city = leg.city
    return f"{city.city}|{city.country}|{city.latitude}|{city.longitude}"


def city_tip(leg: Leg) -> str:
    """All about one city."""
    city = leg.city
    name = tr("{first}, {second}", first=city.city, second=city.country) if city.country else city.city
    users = tr("{users} users", users=numbers.whole(float(city.users)))
    if not leg.is_top:
        users = tr("{first}, {second}", first=users, second=tr("beyond the top 80%"))
    if leg.site_id is None:
        return tr("{name}: {users}\nData residency excludes all these sites", name=name, users=users)
    way = tr("measured") if leg.is_measured else tr("by distance, {km} km", km=numbers.whole(leg.km))
    return tr(
        "{name}: {users}\nfrom {site_id}: {one_way_ms} ms one way, {both} ms round trip, {way}",
        name=name,
        users=users,
        site_id=leg.site_id,
        one_way_ms=numbers.way_ms(leg.one_way_ms),
        both=numbers.way_ms(leg.round_trip_ms),
        way=way,
    )


def way_of(leg: Leg) -> str:
    """How the map draws a way: near, far, over; empty where there is none."""
    if leg.one_way_ms is None:
        return ""
    if leg.one_way_ms > LONGEST_MS:
        return "over"
    if leg.one_way_ms > SHORT_MS:
        return "far"
    return "near"


def covered_words(placement: Placement, places: Places) -> str:
    """11 of 20 cities hold 81.3% of users."""
    if (share := placement.today.covered_share) is None:
        return tr("These cities have no users.")
    top = placement.today.table.covering
    cities = numbers.counted(len(places.cities), "city", "cities")
    text = tr(long_text("users_covered", top=numbers.whole(top), cities=cities, share=numbers.percent(share)))
    more = tr("The map draws the {most_drawn} with most users.", most_drawn=numbers.whole(MOST_DRAWN))
    return f"{text} {more}" if len(places.cities) > MOST_DRAWN else text


def egress_words(egress: Egress) -> str:
    """What leaving data costs, and why text does not count."""
    amount = tr("unknown") if egress.usd is None else tr("{usd} per month", usd=numbers.cents(egress.usd))
    return tr("Egress: {amount}. {sentence}", amount=amount, sentence=spoken(egress.sentence))


def _wide(text: str, step: str = "small") -> int:
    return text_width(text, base_font(step)) + 12
