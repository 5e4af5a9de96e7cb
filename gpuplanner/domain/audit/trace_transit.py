"""Trace of transit: the cities that hold the top 80% of users, each with the way to its site."""

from gpuplanner.domain.audit.trace import Divides, Quantity, Trace, TraceColumn, TraceRow, figure
from gpuplanner.domain.audit.trail import Trail
from gpuplanner.domain.serving.placement import SiteSet, current_placement
from gpuplanner.domain.serving.transit import LONGEST_MS, Leg


def transit(trail: Trail, scope: str, subject: str) -> Trace:
    """The mean one way over the top 80% of users, from the sites of today."""
    today = current_placement(trail.project.places)
    share = 0.0 if today.covered_share is None else today.covered_share
    note = "".join(f" {note}" for note in today.notes)
    return transit_of(
        today.current, share, figure("transit", subject, scope), "Transit, top 80% of users", note
    )


def transit_of(sites: SiteSet, share: float | None, figure_id: str, title: str, note: str = "") -> Trace:
    """The mean one way from a set of sites. share: of users, in the cities that count."""
    mean, service = sites.mean_one_way_ms, sites.service
    rows = tuple(_row(leg) for leg in service.legs if leg.is_top)
    both = None if mean is None else 2 * mean
    flag = f"over {LONGEST_MS} ms" if service.is_over_80 else f"not over {LONGEST_MS} ms"
    return Trace(
        figure_id,
        title,
        mean,
        "ms",
        "ms one way",
        "Sum of users \u00d7 one way / sum of users, over the smallest set of cities that holds 80% of users",
        (
            f"{len(rows)} of {len(service.legs)} cities hold ",
            Quantity(share, "share"),
            " of users; round trip ",
            Quantity(both, "ms"),
            f" ms; {flag if mean is not None else 'unknown'}",
        ),
        (
            TraceColumn("Users", "count"),
            TraceColumn("One way\nms", "ms"),
            TraceColumn("Users \u00d7\none way", "count"),
        ),
        rows,
        Divides(2, 0),
        "Each city is served by the nearest of these sites in ms that data residency allows. One way is measured, else "
        "km / 200 \u00d7 1.6 + 2 over the great circle. The panel Placement shows them on a map, and which sites "
        "would bring it down." + note,
    )


def _row(leg: Leg) -> TraceRow:
    users = float(leg.city.users)
    spent = None if leg.one_way_ms is None else users * leg.one_way_ms
    how = "no site may serve it" if leg.site_id is None else f"from {leg.site_id}"
    measured = ", measured" if leg.is_measured else ""
    return TraceRow(f"{leg.city.city}, {how}{measured}", (users, leg.one_way_ms, spent))
