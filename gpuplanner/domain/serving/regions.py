"""Serving by site: users, their requests, replicas, GPUs, $, ms and what leaves, with and without spare replicas."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.cube import DAY_HOURS
from gpuplanner.domain.model.places import Places, Site, country_name
from gpuplanner.domain.model.window import HOURS_PER_MONTH
from gpuplanner.domain.serving.load import Load, by_hour_of_week
from gpuplanner.domain.serving.placement import current_placement
from gpuplanner.domain.serving.replicas import ServingTerms, Wait, replicas_held
from gpuplanner.domain.serving.sizing import SizedRow
from gpuplanner.domain.serving.transit import Leg, text_gb
from gpuplanner.lazy_dataclass import dataclass

SPARE_WAYS: Final = ("none", "each", "over_sites")
"""Spare replicas: none, one at each site, one over all sites."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServingRegion:
    """What one site serves. users: of the cities nearest to it that data residency lets it serve.

    peak_requests_per_s: the highest of what they ask for in an hour, peak_hour: of the week (0 is Monday 0:00 UTC).
    replicas: what that asks for, spare: beside them. gpus and usd_per_month are of both; None: no rate is known.
    ms_p50, ms_p80: until the first token of its user in the middle, and of the 80th of a hundred. near_gb, far_gb: of
    the text that leaves in a month, to users of the site's country and to others; egress_usd_per_month: of both, at the
    site's own price, else as assumed; None: what is served has no tokens. Source: docs/formulas/sizing.md.
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
    egress_usd_per_month: float | None
    near_gb: float | None
    far_gb: float | None
    peak_hour: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EgressPaths:
    """What leaves all sites, by path, today and later. Units: GB and $ a month, $ per GB in the mean.

    far: to users of another country than the site's. far_share: of what leaves; later_*: with as many times the users
    and as large a far share as is assumed; times: $ then over $ now, None where that is nothing.
    """

    near_gb: float
    far_gb: float
    near_usd_per_gb: float
    far_usd_per_gb: float
    usd_per_month: float
    far_share: float
    later_users_times: float
    later_far_share: float
    later_usd_per_month: float
    times: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Regional:
    """All sites of today. unserved_users: whom no site may serve. gpus, usd: in all, by the way spare ones are held."""

    regions: tuple[ServingRegion, ...]
    unserved_users: float
    gpus: dict[str, int]
    usd_per_month: dict[str, float | None]
    egress: EgressPaths | None


def regional(
    places: Places,
    load: Load,
    row: SizedRow,
    terms: ServingTerms,
    *,
    rate: float | None,
    assumptions: Assumptions,
) -> Regional | None:
    """Users by city -> the sites of today -> replicas of a sized row by site, each with a queue of its own.

    Each city makes its share of every hour's requests, as `city_shares` has it; rate: $ per GPU-hour. None where the
    size of the row is not known, or nobody is served.
    """
    mu = row.requests_per_s
    legs = current_placement(places).current.service.legs
    users = sum(float(leg.city.users) for leg in legs)
    if mu is None or not users or all(leg.site_id is None for leg in legs):
        return None
    sites = {site.site_id: site for site in places.sites}
    shares = city_shares(load, legs, by_local_hours=assumptions.serving_local_hours)
    hours = [hour.week_hour for hour in load.hours]
    rates = np.array([hour.requests_per_s for hour in load.hours])
    prefill_ms = row.prefill_ms or 0.0
    month_gb = text_gb(load.requests_per_month * load.generated_tokens)
    by_site: dict[str, list[int]] = {}
    for at, leg in enumerate(legs):
        if leg.site_id is not None:
            by_site.setdefault(leg.site_id, []).append(at)
    regions = []
    for site_id, places_of_site in sorted(by_site.items()):
        served = [legs[at] for at in places_of_site]
        here = sum(float(leg.city.users) for leg in served)
        by_hour = rates * shares[places_of_site].sum(axis=0)[[hour % DAY_HOURS for hour in hours]]
        busiest = int(by_hour.argmax())
        peak = float(by_hour[busiest])
        count, beside = replicas_held(peak, mu, prefill_ms, terms)
        gpus, rho = count * row.tensor_parallel, peak / (max(1, count) * mu)
        is_known = rho < 1 and row.prefill_ms is not None  # how long a request takes may be stated nowhere
        waits_ms = prefill_ms + Wait(rho, prefill_ms).mean_ms if is_known else None
        gb = np.array([month_gb * float(leg.city.users) / users for leg in served])
        home = country_name(sites[site_id].country)
        is_far = np.array([country_name(leg.city.country) != home for leg in served])
        near_far = np.array([gb[~is_far].sum(), gb[is_far].sum()])
        egress = (near_far @ _prices(sites[site_id], assumptions), *near_far)
        usd, near_gb, far_gb = (float(amount) if load.tokens_per_request else None for amount in egress)
        regions.append(
            ServingRegion(
                site_id=site_id,
                users=here,
                peak_requests_per_s=peak,
                replicas=count - beside,
                spare=beside,
                gpus=gpus,
                usd_per_month=_usd(gpus, rate),
                ms_p50=latency_of_share_ms(served, 0.5, waits_ms),
                ms_p80=latency_of_share_ms(served, 0.8, waits_ms),
                egress_usd_per_month=usd,
                near_gb=near_gb,
                far_gb=far_gb,
                peak_hour=hours[busiest],
            )
        )
    bare = sum(region.replicas for region in regions)
    busy = sum(region.replicas > 0 for region in regions)
    held = dict(zip(SPARE_WAYS, (bare, bare + busy, bare + min(1, busy)), strict=True))
    gpus_held = {kind: count * row.tensor_parallel for kind, count in held.items()}
    return Regional(
        regions=tuple(regions),
        unserved_users=sum(float(leg.city.users) for leg in legs if leg.site_id is None),
        gpus=gpus_held,
        usd_per_month={kind: _usd(count, rate) for kind, count in gpus_held.items()},
        egress=_paths(regions, sites, assumptions),
    )


_STEPS: Final = 20
_NOBODY: Final = 1e-9
"""Of the busiest hour's requests: fewer are none."""


def city_shares(load: Load, legs: Sequence[Leg], *, by_local_hours: bool) -> Floats:
    """Share of all requests that each city makes, by hour of the day UTC. Shapes: cities x 24; columns add up to 1.

    A user asks as often as any other. by_local_hours: and at the same local hours (15 degrees of longitude are one):
    the day's curve over them that comes nearest to the mean day of the traffic is found by multiplying, from an even
    one (Richardson, Lucy), and is then fitted to both sums. Else, and where the traffic does not know every hour of the
    day, each city has its share of users. Source: docs/formulas/sizing.md.
    """
    users = np.array([float(leg.city.users) for leg in legs])
    users /= users.sum()
    week = np.array(by_hour_of_week(load, [hour.requests_per_s for hour in load.hours]), dtype=np.float64)
    known = np.isfinite(week).reshape(-1, DAY_HOURS)
    days = np.nan_to_num(week).reshape(-1, DAY_HOURS).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    if not by_local_hours or not known.any(axis=0).all() or not days.any():
        return np.repeat(users[:, None], DAY_HOURS, axis=1)
    rates = np.where(days < _NOBODY * days.max(), 0.0, days / days.max())
    shifts = [round(leg.city.longitude / 15) for leg in legs]
    local = np.full(DAY_HOURS, rates.mean())

    def asked() -> Floats:
        return np.stack([part * np.roll(local, -shift) for part, shift in zip(users, shifts, strict=True)])

    for _ in range(_STEPS):
        misses = rates / np.maximum(asked().sum(axis=0), 1e-300)
        local = local * sum(part * np.roll(misses, shift) for part, shift in zip(users, shifts, strict=True))
    by_city = asked()
    for _ in range(_STEPS):  # all cities make all requests of the hour, each its users' part of the day's
        by_city *= (users * rates.sum() / np.maximum(by_city.sum(axis=1), 1e-300))[:, None]
        total = by_city.sum(axis=0)
        by_city *= np.where(total > 0, rates / np.maximum(total, 1e-300), 0.0)
    return np.where(rates > 0, by_city / np.maximum(rates, 1e-300), users[:, None])


def _prices(site: Site, assumptions: Assumptions) -> tuple[float, float]:
    """$ per GB within the country and abroad."""
    own, far = site.egress_usd_per_gb, assumptions.egress_far_usd_per_gb
    near = assumptions.egress_usd_per_gb if own is None else float(own)
    return near, near if far is None else far


def _paths(
    regions: Sequence[ServingRegion], sites: dict[str, Site], assumptions: Assumptions
) -> EgressPaths | None:
    """None where nothing leaves."""
    gb = np.array([(region.near_gb or 0.0, region.far_gb or 0.0) for region in regions])
    near_gb, far_gb = gb.sum(axis=0).tolist()
    all_gb = near_gb + far_gb
    if not all_gb:
        return None
    prices = np.array([_prices(sites[region.site_id], assumptions) for region in regions])
    near, far = (
        float(np.average(at, weights=by if by.any() else gb.sum(axis=1)))
        for at, by in zip(prices.T, gb.T, strict=True)
    )
    share, usd = far_gb / all_gb, float((prices * gb).sum())
    users = assumptions.serving_users_times
    then = share if assumptions.serving_far_share is None else assumptions.serving_far_share
    times = egress_growth(users, share, then, near, far) if usd else None
    later = users * all_gb * ((1 - then) * near + then * far) if times is None else usd * times
    return EgressPaths(
        near_gb=near_gb,
        far_gb=far_gb,
        near_usd_per_gb=near,
        far_usd_per_gb=far,
        usd_per_month=usd,
        far_share=share,
        later_users_times=users,
        later_far_share=then,
        later_usd_per_month=later,
        times=times,
    )


def _usd(gpus: int, rate: float | None) -> float | None:
    return None if rate is None else gpus * rate * HOURS_PER_MONTH


def latency_of_share_ms(legs: Sequence[Leg], share: float, waits_ms: float | None) -> float | None:
    """ms until the first token that so many of the users do not exceed; None where the queue never settles."""
    total, held = sum(float(leg.city.users) for leg in legs), 0.0
    for leg in sorted(legs, key=lambda leg: leg.round_trip_ms or 0.0):
        held += float(leg.city.users)
        if held >= share * total * (1 - 1e-12):
            return None if leg.round_trip_ms is None or waits_ms is None else leg.round_trip_ms + waits_ms
    return None


def egress_growth(
    users_growth: float,
    far_share: float,
    far_share_then: float,
    near_usd_per_gb: float,
    far_usd_per_gb: float,
) -> float:
    """By how much egress grows where users do and more of them are far: times of today.

    Source: docs/formulas/sizing.md.

    >>> round(egress_growth(2, 0.30, 0.45, 0.09, 0.12), 2)
    2.09
    """
    now = (1 - far_share) * near_usd_per_gb + far_share * far_usd_per_gb
    then = (1 - far_share_then) * near_usd_per_gb + far_share_then * far_usd_per_gb
    return users_growth * then / now
