"""Answers about placement: the way and the price of a set of sites, and how each city is served from it."""

from typing import Final

from gpuplanner.domain.evidence import trace
from gpuplanner.domain.evidence.answering import Answers, Inputs, Listed
from gpuplanner.domain.evidence.audit_evidence import Evidence
from gpuplanner.domain.figures import writing
from gpuplanner.domain.figures.serving import SITE_SET, WAY
from gpuplanner.domain.figures.typed import decimals, significant, whole
from gpuplanner.domain.figures.writing import LONGEST_MS
from gpuplanner.domain.message import Message, Text, joined, worded
from gpuplanner.domain.serving.placement import SiteSet, current_placement, placement_of
from gpuplanner.domain.serving.transit import DETOUR, FIXED_MS, KM_PER_MS_IN_FIBRE, Leg

WHY: Final = Answers[Evidence]()
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
    if key == "today":
        return worded("today's sites")
    return worded("the best {removeprefix} sites", removeprefix=key.removeprefix("best:"))


@WHY.gives("transit")
def transit(evidence: Evidence, scope: str, subject: str) -> trace.Trace:
    """The mean one way over the top 80% of users, from the sites of today."""
    today = current_placement(evidence.project.places)
    share = 0.0 if today.covered_share is None else today.covered_share
    note = joined([part for one in today.notes for part in (" ", one)])
    return _mean_way(today.current, share, worded("Transit, top 80% of users"), note)


@WHY.gives("set_way")
def set_way(evidence: Evidence, scope: str, key: str) -> trace.Trace:
    """The mean one way of a set of sites over the top 80% of users."""
    one = _set(evidence, key)
    total = sum(float(leg.city.users) for leg in one.service.legs)
    top = sum(float(leg.city.users) for leg in one.service.legs if leg.is_top)
    return _mean_way(one, top / total if total else None, worded("Transit from {key}", key=_name(key)))


def _mean_way(sites: SiteSet, share: float | None, title: Message, note: Text = "") -> trace.Trace:
    """The mean one way from a set of sites. share: of users, in the cities that count."""
    mean, service = sites.mean_one_way_ms, sites.service
    rows = [_way_row(leg) for leg in service.legs if leg.is_top]
    flag = (
        worded("over {longest_ms} ms", longest_ms=whole(LONGEST_MS))
        if service.is_over_80
        else worded("not over {longest_ms} ms", longest_ms=whole(LONGEST_MS))
    )
    return trace.listed(
        title,
        mean,
        "ms",
        worded(
            "Sum of users \u00d7 one way / sum of users, over the smallest set of cities that holds 80% of users"
        ),
        rows,
        (
            trace.TraceColumn(WAY["users"].title, "count"),
            trace.TraceColumn(worded("One way\nms"), "ms"),
            trace.TraceColumn(worded("Users \u00d7\none way"), "count"),
        ),
        trace.Divides(2, 0),
        said_as=worded("ms one way"),
        symbols=(
            worded("{rows} of {legs} cities hold ", rows=whole(len(rows)), legs=whole(len(service.legs))),
            trace.Amount(share, "share"),
            worded(" of users; round trip "),
            trace.Amount(sites.round_trip_ms, "ms"),
            worded(" ms; {flag}", flag=flag if mean is not None else worded("unknown")),
        ),
        note=worded(
            "Each city is served by the nearest of these sites in ms that data residency "
            "allows. One way is measured, else "
            "km / {km_per_ms} \u00d7 {detour} + {fixed_ms} over the great circle. The panel Placement shows them on a "
            "map, and which sites would bring it down.",
            km_per_ms=significant(KM_PER_MS_IN_FIBRE),
            detour=significant(DETOUR),
            fixed_ms=significant(FIXED_MS),
        )
        + note,
    )


def _way_row(leg: Leg) -> trace.TraceRow:
    """A city: users, its way in ms, and both multiplied, unknown where nobody may serve it."""
    users = float(leg.city.users)
    spent = None if leg.one_way_ms is None else users * leg.one_way_ms
    how = (
        worded("no site may serve it")
        if leg.site_id is None
        else worded("from {site_id}", site_id=leg.site_id)
    )
    measured = worded(", measured") if leg.is_measured else ""
    name = worded("{city}, {how}{measured}", city=leg.city.city, how=how, measured=measured)
    return trace.TraceRow(name, (users, leg.one_way_ms, spent))


@WHY.explains(SITE_SET, "round_trip_ms")
def set_both(evidence: Evidence, scope: str, key: str) -> Inputs:
    """The mean round trip of a set of sites."""
    return Inputs({"mean_one_way_ms": _set(evidence, key).mean_one_way_ms}, key, _name(key))


@WHY.sums(
    worded("Cost of {name}"), writing.MONEY_PER_MONTH, worded("Cost = \u03a3 over its sites of $ per month")
)
def set_usd(evidence: Evidence, scope: str, key: str) -> Listed:
    """What a set of sites costs a month."""
    one = _set(evidence, key)
    prices = {site.site_id: site.usd_per_month for site in evidence.project.places.sites}
    rows = []
    for site in one.sites:
        usd, name = prices.get(site), worded("{site}, from {sites_file}", site=site, sites_file=SITES_FILE)
        rows.append(trace.TraceRow(name, (None if usd is None else float(usd),)))
    return Listed(one.usd_per_month, rows, _name(key))


def _leg(evidence: Evidence, subject: str) -> Leg:
    """How one city is served. Errors: StopIteration where no leg has that subject."""
    key, _, _ = subject.partition("\t")
    return next(leg for leg in _set(evidence, key).service.legs if city_subject(key, leg) == subject)


@WHY.gives("city_users")
def city_users(evidence: Evidence, scope: str, subject: str) -> trace.Trace:
    """How many users a city has."""
    leg = _leg(evidence, subject)
    note = "" if leg.is_top else worded("Beyond the top 80% of users: it does not count in the mean.")
    title = worded("Users of {city}", city=leg.city.city)
    return trace.read(title, float(leg.city.users), "exact", USERS_FILE, note=note)


@WHY.gives("city_way")
def city_way(evidence: Evidence, scope: str, subject: str) -> trace.Trace:
    """How long the way from a city to its site is: measured, or by distance."""
    leg = _leg(evidence, subject)
    title = worded("{city} to {site_id}, one way", city=leg.city.city, site_id=leg.site_id or "")
    if leg.is_measured or leg.km is None:
        return trace.read(title, leg.one_way_ms, "ms", WAYS_FILE, said_as="ms")
    by_distance = worded(
        "{km} km over the great circle \u00f7 {km_per_ms_in_fibre} \u00d7 {detour}",
        km=decimals(leg.km),
        km_per_ms_in_fibre=significant(KM_PER_MS_IN_FIBRE),
        detour=significant(DETOUR),
    )
    rows = (
        trace.TraceRow(by_distance, (leg.km / KM_PER_MS_IN_FIBRE * DETOUR,)),
        trace.TraceRow(worded("Routers and the last mile"), (FIXED_MS,)),
    )
    words = worded(
        "One way = km \u00f7 {km_per_ms_in_fibre} \u00d7 {detour} + {fixed_ms} ms",
        km_per_ms_in_fibre=significant(KM_PER_MS_IN_FIBRE),
        detour=significant(DETOUR),
        fixed_ms=significant(FIXED_MS),
    )
    return trace.summed(title, leg.one_way_ms, "ms", words, rows, said_as="ms")


@WHY.explains(WAY, "round_trip_ms")
def city_both(evidence: Evidence, scope: str, subject: str) -> Inputs:
    """Twice the way of a city."""
    leg = _leg(evidence, subject)
    title = worded("{city} to {site_id}", city=leg.city.city, site_id=leg.site_id or "")
    return Inputs({"one_way_ms": leg.one_way_ms}, subject, title)
