"""Traces of placement: the way and the price of a set of sites, and how each city is served from it."""

from gpuplanner.domain.audit.evidence.audit_evidence import Evidence
from gpuplanner.domain.audit.evidence.explained import Inputs, explained
from gpuplanner.domain.audit.evidence.trace import Trace, TraceRow, figure
from gpuplanner.domain.audit.evidence.trace_forms import read, summed
from gpuplanner.domain.audit.evidence.trace_transit import transit_of
from gpuplanner.domain.figures.serving import SITE_SET, WAY
from gpuplanner.domain.figures.typed import decimals, significant
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.serving.distance import DETOUR, FIXED_MS, KM_PER_MS_IN_FIBRE
from gpuplanner.domain.serving.placement import SiteSet, current_placement, placement_of
from gpuplanner.domain.serving.transit import Leg

SITES_FILE, USERS_FILE, WAYS_FILE = (
    worded("the file of sites"),
    worded("the file of users"),
    worded("the file of measured ways"),
)


def city_subject(set_key: str, leg: Leg) -> str:
    """A city as one set of sites serves it."""
    city = leg.city
    return "\t".join((set_key, city.city, city.country or "", str(city.latitude), str(city.longitude)))


def _set(evidence: Evidence, key: str) -> SiteSet:
    """Today's sites, or the best set of a number of them: today, best:2."""
    places = evidence.project.places
    if key == "today":
        return current_placement(places).current
    size = int(key.removeprefix("best:"))
    return next(one for one in placement_of(places).proposed if len(one.sites) == size)


def _name(key: str) -> Message:
    return (
        worded("today's sites")
        if key == "today"
        else worded("the best {removeprefix} sites", removeprefix=key.removeprefix("best:"))
    )


def set_way(evidence: Evidence, scope: str, key: str) -> Trace:
    """The mean one way of a set of sites over the top 80% of users."""
    one = _set(evidence, key)
    total = sum(float(leg.city.users) for leg in one.service.legs)
    top = sum(float(leg.city.users) for leg in one.service.legs if leg.is_top)
    share = top / total if total else None
    return transit_of(one, share, figure("set_way", key), worded("Transit from {key}", key=_name(key)))


def set_both(evidence: Evidence, scope: str, key: str) -> Trace:
    """The mean round trip of a set of sites."""
    way = _set(evidence, key).mean_one_way_ms
    return explained(SITE_SET, "round_trip_ms", Inputs({"mean_one_way_ms": way}, key, _name(key)))


def set_usd(evidence: Evidence, scope: str, key: str) -> Trace:
    """What a set of sites costs a month."""
    one = _set(evidence, key)
    prices = {site.site_id: site.usd_per_month for site in evidence.project.places.sites}
    rows = [
        TraceRow(
            worded("{site}, from {sites_file}", site=site, sites_file=SITES_FILE),
            (None if (usd := prices.get(site)) is None else float(usd),),
        )
        for site in one.sites
    ]
    words = worded("Cost = \u03a3 over its sites of $ per month")
    return summed(
        figure("set_usd", key),
        worded("Cost of {key}", key=_name(key)),
        one.usd_per_month,
        "usd",
        words,
        rows,
        said_as=worded("per month"),
    )


def _leg(evidence: Evidence, subject: str) -> Leg:
    """How one city is served. Errors: StopIteration where no leg has that subject."""
    key, _, _ = subject.partition("\t")
    return next(leg for leg in _set(evidence, key).service.legs if city_subject(key, leg) == subject)


def city_users(evidence: Evidence, scope: str, subject: str) -> Trace:
    """How many users a city has."""
    leg = _leg(evidence, subject)
    users = float(leg.city.users)
    note = "" if leg.is_top else worded("Beyond the top 80% of users: it does not count in the mean.")
    return read(
        figure("city_users", subject),
        worded("Users of {city}", city=leg.city.city),
        users,
        "exact",
        USERS_FILE,
        note=note,
    )


def city_way(evidence: Evidence, scope: str, subject: str) -> Trace:
    """How long the way from a city to its site is: measured, or by distance."""
    leg = _leg(evidence, subject)
    figure_id, title = (
        figure("city_way", subject),
        worded("{city} to {site_id}, one way", city=leg.city.city, site_id=leg.site_id or ""),
    )
    if leg.is_measured or leg.km is None:
        return read(figure_id, title, leg.one_way_ms, "ms", WAYS_FILE, said_as="ms")
    in_fibre = leg.km / KM_PER_MS_IN_FIBRE * DETOUR
    rows = (
        TraceRow(
            worded(
                "{km} km over the great circle \u00f7 {km_per_ms_in_fibre} \u00d7 {detour}",
                km=decimals(leg.km),
                km_per_ms_in_fibre=significant(KM_PER_MS_IN_FIBRE),
                detour=significant(DETOUR),
            ),
            (in_fibre,),
        ),
        TraceRow(worded("Routers and the last mile"), (FIXED_MS,)),
    )
    words = worded(
        "One way = km \u00f7 {km_per_ms_in_fibre} \u00d7 {detour} + {fixed_ms} ms",
        km_per_ms_in_fibre=significant(KM_PER_MS_IN_FIBRE),
        detour=significant(DETOUR),
        fixed_ms=significant(FIXED_MS),
    )
    return summed(figure_id, title, leg.one_way_ms, "ms", words, rows, said_as="ms")


def city_both(evidence: Evidence, scope: str, subject: str) -> Trace:
    """Twice the way of a city."""
    leg = _leg(evidence, subject)
    title = worded("{city} to {site_id}", city=leg.city.city, site_id=leg.site_id or "")
    return explained(WAY, "round_trip_ms", Inputs({"one_way_ms": leg.one_way_ms}, subject, title))
