"""Serving by site: users, their requests, replicas, GPUs, $, ms and what leaves, with and without spare replicas."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from gpuplanner.domain.model.places import Places
from gpuplanner.domain.model.window import HOURS_PER_MONTH
from gpuplanner.domain.serving.load import Load
from gpuplanner.domain.serving.placement import current_placement
from gpuplanner.domain.serving.sizing import SizedRow, replicas_for
from gpuplanner.domain.serving.transit import Leg, text_gb

SPARE_WAYS: Final = ("none", "each", "over_sites")
"""Spare replicas: none, one at each site, one over all sites."""


@dataclass(frozen=True, slots=True)
class ServingRegion:
    """What one site serves. users: of the cities nearest to it that data residency lets it serve.

    peak_requests_per_s: their share of the traffic's peak. replicas: what that asks for, spare: beside them. gpus and
    usd_per_month are of both; None: no rate is known. ms_p50, ms_p80: until the first token of its user in the middle,
    and of the 80th of a hundred. egress_usd_per_month: of the text that leaves, at the site's own price, else as
    assumed. Source: docs/formulas.md, Inference sizing.
    """

    site_id: str
    users: float
    peak_requests_per_s: float
    replicas: int
    spare: int
    gpus: int
    usd_per_month: float | None
    ms_p50: float | None
    ms_p80: float | None
    egress_usd_per_month: float


@dataclass(frozen=True, slots=True)
class Regional:
    """All sites of today. unserved_users: whom no site may serve. gpus, usd: in all, by the way spare ones are held."""

    regions: tuple[ServingRegion, ...]
    unserved_users: float
    gpus: dict[str, int]
    usd_per_month: dict[str, float | None]


def regional(
    places: Places,
    load: Load,
    row: SizedRow,
    headroom: float,
    *,
    rate: float | None,
    egress_usd_per_gb: float,
    spare: int | None = None,
) -> Regional | None:
    """Users by city -> the sites of today -> replicas of a sized row by site.

    Each city makes its share of every hour's requests; rate: $ per GPU-hour. spare: replicas beside those that are
    asked for at each site (None: one where there are two or more). None where the size of the row is not known, or
    nobody is served.
    """
    mu = row.requests_per_s
    legs = current_placement(places).current.service.legs
    users = sum(float(leg.city.users) for leg in legs)
    if mu is None or not users:
        return None
    own_price = {site.site_id: site.egress_usd_per_gb for site in places.sites}
    waits_ms = (row.wait_ms or 0.0) + (row.prefill_ms or 0.0)
    month_gb = text_gb(load.requests_per_month * load.generated_tokens)
    by_site: dict[str, list[Leg]] = {}
    for leg in legs:
        if leg.site_id is not None:
            by_site.setdefault(leg.site_id, []).append(leg)
    regions = []
    for site_id, served in sorted(by_site.items()):
        here = sum(float(leg.city.users) for leg in served)
        peak = load.peak_requests_per_s * here / users
        asked = replicas_for(peak, mu, headroom)
        beside = (int(asked > 1) if spare is None else spare) if asked else 0
        gpus = (asked + beside) * row.tensor_parallel
        price = own_price[site_id]
        regions.append(
            ServingRegion(
                site_id,
                here,
                peak,
                asked,
                beside,
                gpus,
                _usd(gpus, rate),
                _way_of_share(served, 0.5, waits_ms),
                _way_of_share(served, 0.8, waits_ms),
                month_gb * here / users * (egress_usd_per_gb if price is None else float(price)),
            )
        )
    bare = sum(region.replicas for region in regions)
    busy = sum(region.replicas > 0 for region in regions)
    held = dict(zip(SPARE_WAYS, (bare, bare + busy, bare + min(1, busy)), strict=True))
    gpus_held = {way: count * row.tensor_parallel for way, count in held.items()}
    return Regional(
        tuple(regions),
        sum(float(leg.city.users) for leg in legs if leg.site_id is None),
        gpus_held,
        {way: _usd(count, rate) for way, count in gpus_held.items()},
    )


def _usd(gpus: int, rate: float | None) -> float | None:
    return None if rate is None else gpus * rate * HOURS_PER_MONTH


def _way_of_share(legs: Sequence[Leg], share: float, waits_ms: float) -> float | None:
    """ms until the first token that so many of the users do not exceed."""
    total, held = sum(float(leg.city.users) for leg in legs), 0.0
    for leg in sorted(legs, key=lambda one: one.round_trip_ms or 0.0):
        held += float(leg.city.users)
        if held >= share * total * (1 - 1e-12):
            return None if leg.round_trip_ms is None else leg.round_trip_ms + waits_ms
    return None


def egress_growth(
    users_growth: float,
    far_share: float,
    far_share_then: float,
    near_usd_per_gb: float,
    far_usd_per_gb: float,
) -> float:
    """By how much egress grows where users do and more of them are far: times of today.

    Source: docs/formulas.md, Inference sizing.

    >>> round(egress_growth(2, 0.30, 0.45, 0.09, 0.12), 2)
    2.09
    """
    now = (1 - far_share) * near_usd_per_gb + far_share * far_usd_per_gb
    then = (1 - far_share_then) * near_usd_per_gb + far_share_then * far_usd_per_gb
    return users_growth * then / now
