"""Trace of transit: the cities that hold the top 80% of users, each with the way to its site."""

from gpuplanner.domain.audit.evidence.audit_evidence import Evidence
from gpuplanner.domain.audit.evidence.trace import Amount, Divides, Trace, TraceColumn, TraceRow, figure
from gpuplanner.domain.figures.serving import WAY
from gpuplanner.domain.figures.typed import significant, whole
from gpuplanner.domain.figures.units import LONGEST_MS
from gpuplanner.domain.message import Message, Text, joined, worded
from gpuplanner.domain.serving.distance import DETOUR, FIXED_MS, KM_PER_MS_IN_FIBRE
from gpuplanner.domain.serving.placement import SiteSet, current_placement
from gpuplanner.domain.serving.transit import Leg


def transit(evidence: Evidence, scope: str, subject: str) -> Trace:
    """The mean one way over the top 80% of users, from the sites of today."""
    today = current_placement(evidence.project.places)
    share = 0.0 if today.covered_share is None else today.covered_share
    note = joined([part for one in today.notes for part in (" ", one)])
    return transit_of(
        today.current, share, figure("transit", subject, scope), worded("Transit, top 80% of users"), note
    )


def transit_of(sites: SiteSet, share: float | None, figure_id: str, title: Message, note: Text = "") -> Trace:
    """The mean one way from a set of sites. share: of users, in the cities that count."""
    mean, service = sites.mean_one_way_ms, sites.service
    rows = tuple(_row(leg) for leg in service.legs if leg.is_top)
    flag = (
        worded("over {longest_ms} ms", longest_ms=whole(LONGEST_MS))
        if service.is_over_80
        else worded("not over {longest_ms} ms", longest_ms=whole(LONGEST_MS))
    )
    return Trace(
        figure_id,
        title,
        mean,
        "ms",
        worded("ms one way"),
        worded(
            "Sum of users \u00d7 one way / sum of users, over the smallest set of cities that holds 80% of users"
        ),
        (
            worded("{rows} of {legs} cities hold ", rows=whole(len(rows)), legs=whole(len(service.legs))),
            Amount(share, "share"),
            worded(" of users; round trip "),
            Amount(sites.round_trip_ms, "ms"),
            worded(" ms; {flag}", flag=flag if mean is not None else worded("unknown")),
        ),
        (
            TraceColumn(WAY["users"].title, "count"),
            TraceColumn(worded("One way\nms"), "ms"),
            TraceColumn(worded("Users \u00d7\none way"), "count"),
        ),
        rows,
        Divides(2, 0),
        worded(
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


def _row(leg: Leg) -> TraceRow:
    """A city: users, its way in ms, and both multiplied, unknown where nobody may serve it."""
    users = float(leg.city.users)
    spent = None if leg.one_way_ms is None else users * leg.one_way_ms
    how = (
        worded("no site may serve it")
        if leg.site_id is None
        else worded("from {site_id}", site_id=leg.site_id)
    )
    measured = worded(", measured") if leg.is_measured else ""
    return TraceRow(
        worded("{city}, {how}{measured}", city=leg.city.city, how=how, measured=measured),
        (users, leg.one_way_ms, spent),
    )
