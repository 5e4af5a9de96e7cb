"""Transit: distance and time of the way from every city to every site, and what it costs that data leaves."""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from math import fsum
from typing import Final

import numpy as np
import numpy.typing as npt

from gpuplanner.domain.arrays import Bools, Floats
from gpuplanner.domain.figures.figure import optional
from gpuplanner.domain.figures.serving import WAY
from gpuplanner.domain.figures.typed import decimals, significant
from gpuplanner.domain.figures.writing import LONGEST_MS
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.places import (
    Places,
    Traffic,
    UserCity,
    country_name,
    folded,
    is_between_countries,
)
from gpuplanner.domain.model.window import HOUR_S, HOURS_PER_MONTH
from gpuplanner.lazy_dataclass import dataclass

# --- Distance: kilometres between two places on the globe, and the one-way time that a packet takes for them

EARTH_RADIUS_KM: Final = 6371.0088
"""Mean radius (2a + b) / 3 of the reference ellipsoid."""

KM_PER_MS_IN_FIBRE: Final = 200.0
DETOUR: Final = 1.6
"""How much longer the fibre is than the great circle."""
FIXED_MS: Final = 2.0
"""Of routers and the last mile."""


def haversine_km(
    from_latitude: npt.ArrayLike,
    from_longitude: npt.ArrayLike,
    to_latitude: npt.ArrayLike,
    to_longitude: npt.ArrayLike,
) -> Floats:
    """Great-circle kilometres; degrees in, arrays are broadcast.

    Law: symmetric, 0 for a place and itself, at most half the circumference.
    Source: haversine formula, R. W. Sinnott, Virtues of the Haversine (1984).

    >>> round(float(haversine_km(0, 0, 0, 180)), 1)
    20015.1
    """
    phi, psi = np.radians(from_latitude), np.radians(to_latitude)
    across = np.radians(to_longitude) - np.radians(from_longitude)
    half = np.sin((psi - phi) / 2) ** 2 + np.cos(phi) * np.cos(psi) * np.sin(across / 2) ** 2
    return np.asarray(2 * EARTH_RADIUS_KM * np.arcsin(np.sqrt(np.clip(half, 0.0, 1.0))), dtype=np.float64)


def one_way_ms(km: npt.ArrayLike) -> Floats:
    """Milliseconds one way over so many kilometres: km / 200 x 1.6 + 2.

    >>> float(one_way_ms(9750))
    80.0
    """
    return np.asarray(km, dtype=np.float64) / KM_PER_MS_IN_FIBRE * DETOUR + FIXED_MS


# --- Transit: how long the way is between every city and site, who serves whom, and the mean over the top 80% of users

TOP_SHARE_PERCENT: Final = 80
"""Of users: the mean is over the smallest set of cities that holds so many."""
NEAR_THE_LIMIT_MS: Final = 1e-6


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class TransitTable:
    """Every city (most users first) by every site (by id).

    Shapes: km, ms, is_measured (cities, sites); ms is inf where data residency forbids it. covering: how many of the
    first cities hold at least 80% of users, 0 where nobody is anywhere.
    """

    places: Places
    km: Floats
    ms: Floats
    is_measured: Bools
    exact: dict[tuple[int, int], Decimal]
    covering: int

    @property
    def top_cities(self) -> tuple[UserCity, ...]:
        """The smallest set of cities that holds at least 80% of users.

        Most users first. Empty where nobody is anywhere.
        """
        return self.places.cities[: self.covering]

    @property
    def current(self) -> tuple[int, ...]:
        """Columns of the sites in use today.

        Ascending; empty where no site is marked as current.
        """
        return tuple(at for at, site in enumerate(self.places.sites) if site.is_current)

    def exact_ms(self, city: int, site: int) -> Fraction:
        """The time as it was written down or worked out, without rounding: 80.0 is 80.

        city, site: row and column. Errors: OverflowError for a way that data residency forbids, which has no
        time.
        """
        measured = self.exact.get((city, site))
        return Fraction(measured) if measured is not None else Fraction(float(self.ms[city, site]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Leg:
    """How one city is served. site_id None: no site of the set may serve it, and the way is unknown.

    one_way_ms: measured where is_measured, else worked out from km, the great-circle distance; is_top: among the cities
    that hold 80% of users. Source: docs/formulas/placement.md.
    """

    city: UserCity
    site_id: str | None
    one_way_ms: float | None
    round_trip_ms: float | None
    km: float | None
    is_measured: bool
    is_top: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """What a set of sites gives the users: legs in the order of cities; the mean, and whether it is over 80 ms.

    mean_one_way_ms is unknown where a city of the top 80% is served by no site, or there is none; served_mean_ms
    leaves such cities out. way_80_ms: no longer for 80% of all users, unknown where fewer are served; is_way_80_over:
    whether it is over 80 ms. unserved: cities of the top 80% that none of the sites may serve; unserved_others:
    the rest.
    """

    legs: tuple[Leg, ...]
    mean_one_way_ms: float | None
    served_mean_ms: float | None
    is_over_80: bool
    way_80_ms: float | None
    is_way_80_over: bool
    unserved: tuple[UserCity, ...]
    unserved_others: tuple[UserCity, ...]


def covering_count(users: Sequence[Decimal]) -> int:
    """How many of the first entries hold at least 80% of all; exact. users: most first. 0 where all are 0.

    Law: with entries in descending order no smaller set of any entries holds as much.

    >>> covering_count([Decimal(50), Decimal(30), Decimal(20)]), covering_count([])
    (2, 0)
    """
    finest = min((int(own.as_tuple().exponent) for own in users), default=0)
    whole = [int(own.scaleb(-min(finest, 0))) for own in users]  # integers, so that exactly 80% is 80%
    total, held = sum(whole), 0
    for place, own in enumerate(whole, 1):
        held += own
        if total and 100 * held >= TOP_SHARE_PERCENT * total:
            return place
    return 0


def transit_table(places: Places) -> TransitTable:
    """All distances, and the times over them; a measured time takes the place of one by distance.

    A way is as long as the measured time says, else as great-circle distance over fibre takes; inf where the
    site may not serve the city's country.
    Source: docs/formulas/placement.md.
    """
    cities, sites = places.cities, places.sites
    north = np.array([city.latitude for city in cities], dtype=np.float64)[:, None]
    east = np.array([city.longitude for city in cities], dtype=np.float64)[:, None]
    km = haversine_km(
        north, east, [site.latitude for site in sites], [site.longitude for site in sites]
    ).reshape(len(cities), len(sites))
    ms = one_way_ms(km)
    is_measured = np.zeros(ms.shape, dtype=np.bool_)
    exact = _measured(places)
    for (city, site), value in exact.items():
        ms[city, site], is_measured[city, site] = float(value), True
    if places.residency:
        ms[~_allowed(places)] = np.inf
    return TransitTable(
        places=places,
        km=km,
        ms=ms,
        is_measured=is_measured,
        exact=exact,
        covering=covering_count([city.users for city in cities]),
    )


def _measured(places: Places) -> dict[tuple[int, int], Decimal]:
    """Measured times by city and site; the nearer a row names both, the more it counts.

    One that names a country besides the city wins over one that does not. A way between countries counts back, too,
    where that is not measured.
    """
    column = {folded(site.site_id): [at] for at, site in reversed(tuple(enumerate(places.sites)))}
    cities, countries = _places_by_name((city.city, city.country) for city in places.cities)
    towns, lands = _places_by_name((site.city, site.country) for site in places.sites)
    matches: list[tuple[tuple[int, int, bool], int, int, Decimal]] = []
    for row in places.measured:
        if not is_between_countries(row):
            for at in cities.get(folded(row.city), ()):
                if folded(row.country) in ("", folded(places.cities[at].country)):
                    rank = (0, 0, not row.country)
                    matches += (
                        (rank, at, site, row.one_way_ms) for site in column.get(folded(row.site_id), ())
                    )
            continue
        for begin, end, is_back in ((row.city, row.site_id, False), (row.site_id, row.city, True)):
            of_city = () if is_back else cities.get(folded(begin), ())
            of_site = () if is_back else column.get(folded(end), ()) or towns.get(folded(end), ())
            rank = (2 if is_back else 1 - bool(of_city), 1 - bool(of_site), False)
            for at in of_city or countries.get(country_name(begin), ()):
                for site in of_site or lands.get(country_name(end), ()):
                    matches.append((rank, at, site, row.one_way_ms))
    return {(at, site): ms for _, at, site, ms in sorted(matches, key=lambda match: match[0], reverse=True)}


def _places_by_name(places: Iterable[tuple[str, str]]) -> tuple[dict[str, list[int]], dict[str, list[int]]]:
    """The numbers of places by their (city, country): by city and by country."""
    cities: dict[str, list[int]] = {}
    countries: dict[str, list[int]] = {}
    for at, (city, country) in enumerate(places):
        if city.strip():
            cities.setdefault(folded(city), []).append(at)
        if country.strip():
            countries.setdefault(country_name(country), []).append(at)
    return cities, countries


def _allowed(places: Places) -> Bools:
    """Whether each site may serve each city; shape (cities, sites). The rule is by country, so that one city
    speaks for all.
    """
    one_of = {city.country: city for city in places.cities}
    by_country = {
        country: [places.may_serve(site, city) for site in places.sites] for country, city in one_of.items()
    }
    return np.array([by_country[city.country] for city in places.cities], dtype=np.bool_).reshape(
        len(places.cities), len(places.sites)
    )


def serve(table: TransitTable, sites: Sequence[int]) -> Service:
    """Every city from its nearest site of a set (columns of the table), in ms; of two as near the first by id.

    The mean is weighted by users and over the top 80% of them. Errors: IndexError for a column that is not
    there.
    Law: one more site never makes a city's way longer.
    Source: docs/formulas/placement.md.
    """
    cities, columns = table.places.cities, sorted(sites)
    nearest = np.full(len(cities), -1)
    if columns and cities:
        own = table.ms[:, columns]
        chosen = own.argmin(axis=1)
        served = np.isfinite(own[np.arange(len(cities)), chosen])
        nearest[served] = np.array(columns)[chosen[served]]
    legs = _legs(table, nearest)
    top = legs[: table.covering]
    mean = _mean(table, top, nearest)
    unserved = tuple(leg.city for leg in top if leg.site_id is None)
    others = tuple(leg.city for leg in legs[table.covering :] if leg.site_id is None)
    whole = None if unserved or mean is None else mean
    way_80 = _way_of_80_percent(table, legs, nearest)
    return Service(
        legs=legs,
        mean_one_way_ms=None if whole is None else float(whole),
        served_mean_ms=None if mean is None else float(mean),
        is_over_80=whole is not None and whole > LONGEST_MS,
        way_80_ms=None if way_80 is None else float(way_80),
        is_way_80_over=way_80 is not None and way_80 > LONGEST_MS,
        unserved=unserved,
        unserved_others=others,
    )


def _way_of_80_percent(
    table: TransitTable, legs: Sequence[Leg], nearest: npt.NDArray[np.int64]
) -> Fraction | None:
    """The way that is no longer for at least 80% of all users, exact; None where fewer are served, or nobody is."""
    total = sum((leg.city.users for leg in legs), Decimal(0))
    reached = sorted((leg.one_way_ms, at) for at, leg in enumerate(legs) if leg.one_way_ms is not None)
    held = Decimal(0)
    for _, at in reached:
        held += legs[at].city.users
        if total and 100 * held >= TOP_SHARE_PERCENT * total:
            return table.exact_ms(at, int(nearest[at]))
    return None


def _mean(table: TransitTable, top: Sequence[Leg], nearest: npt.NDArray[np.int64]) -> float | Fraction | None:
    """Over the top cities that are served; in fractions where it is so near 80 ms that rounding could decide."""
    reached = [(at, leg) for at, leg in enumerate(top) if leg.site_id is not None]
    if not reached:
        return None
    spent = fsum(float(leg.city.users) * (leg.one_way_ms or 0.0) for _, leg in reached)
    mean = spent / fsum(float(leg.city.users) for _, leg in reached)
    if abs(mean - LONGEST_MS) > NEAR_THE_LIMIT_MS:
        return mean
    exact = sum(
        (Fraction(leg.city.users) * table.exact_ms(at, int(nearest[at])) for at, leg in reached), Fraction(0)
    )
    return exact / sum((Fraction(leg.city.users) for _, leg in reached), Fraction(0))


def _legs(table: TransitTable, nearest: npt.NDArray[np.int64]) -> tuple[Leg, ...]:
    """Every city on the site of its number; a number below 0 is nobody."""
    ways = np.full(len(nearest), np.nan)
    served = np.flatnonzero(nearest >= 0)
    ways[served] = table.ms[served, nearest[served]]
    both = optional(WAY.value("round_trip_ms", {"one_way_ms": ways}))
    return tuple(
        _leg(table, at, site, round_trip)
        for at, (site, round_trip) in enumerate(zip(nearest.tolist(), both, strict=True))
    )


def _leg(table: TransitTable, city: int, site: int, round_trip_ms: float | None) -> Leg:
    """One city on the site of its number; a number below 0 is nobody."""
    is_top = city < table.covering
    if site < 0:
        return Leg(
            city=table.places.cities[city],
            site_id=None,
            one_way_ms=None,
            round_trip_ms=None,
            km=None,
            is_measured=False,
            is_top=is_top,
        )
    return Leg(
        city=table.places.cities[city],
        site_id=table.places.sites[site].site_id,
        one_way_ms=float(table.ms[city, site]),
        round_trip_ms=round_trip_ms,
        km=float(table.km[city, site]),
        is_measured=bool(table.is_measured[city, site]),
        is_top=is_top,
    )


# --- Egress: what it costs that data leaves, text apart from media -------------------------------

BYTES_PER_TOKEN: Final = 5
BYTES_PER_GB: Final = 10**9


@dataclass(frozen=True, slots=True, kw_only=True)
class Egress:
    """Units: GB and $ a month, $ per GB. An amount that nobody stated is None, and so is a price that needs it.

    text: of the tokens that leave; media: images, audio and video, only where the planner stated them. usd:
    of what is stated; None where neither is.
    Source: docs/formulas/placement.md, Egress.
    """

    text_gb: float | None
    media_gb: float | None
    usd_per_gb: float
    text_usd: float | None
    media_usd: float | None
    usd: float | None
    sentence: Message


def text_gb(tokens: float) -> float:
    """Gigabytes of so many tokens of text, at 5 bytes each.

    Units: GB of 10^9 bytes, of as many tokens as are given.

    >>> text_gb(1_000_000_000)
    5.0
    """
    return tokens * BYTES_PER_TOKEN / BYTES_PER_GB


def tokens_per_month(traffic: Iterable[Traffic]) -> float | None:
    """What endpoints generated, as a month of 730 h: what they read comes in and leaves nothing. None without any.

    Each file of traffic counts as though its mean rate went on all month, and the files are added up; one
    without any length is left out.
    Source: docs/formulas/placement.md, Egress.
    """
    spans = [
        (file.end_s - file.start_s, sum(generated for _, _, generated in file.hours)) for file in traffic
    ]
    known = [(span, tokens) for span, tokens in spans if span > 0]
    return sum(tokens * HOURS_PER_MONTH * HOUR_S / span for span, tokens in known) if known else None


def egress_of(assumptions: Assumptions, tokens_read: float | None = None) -> Egress:
    """GB x rate, a month. tokens_read: tokens a month that files of traffic say, used where no number was set.

    The sum is of what is stated; it is unknown where neither text nor media is.
    """
    tokens = tokens_read if assumptions.tokens_per_month is None else assumptions.tokens_per_month
    media, rate = assumptions.media_gb_per_month, assumptions.egress_usd_per_gb
    text = None if tokens is None else text_gb(tokens)
    text_usd = None if text is None else text * rate
    media_usd = None if media is None else media * rate
    stated = [usd for usd in (text_usd, media_usd) if usd is not None]
    return Egress(
        text_gb=text,
        media_gb=media,
        usd_per_gb=rate,
        text_usd=text_usd,
        media_usd=media_usd,
        usd=sum(stated) if stated else None,
        sentence=describe_transfer_cost(tokens, media, rate),
    )


def describe_transfer_cost(tokens: float | None, media: float | None, rate: float) -> Message:
    """Both amounts in words. Text under $100 a month is called negligible; media that nobody stated is asked
    for.
    """
    if round(rate, 2) == rate:
        per_gb = worded("${rate} per GB", rate=decimals(rate, 2))
    else:
        per_gb = worded("${rate} per GB", rate=significant(rate, 4))
    if tokens is None:
        usd = text_gb(1e9) * rate
        text = worded(
            "Text is negligible: a billion tokens are 5 GB, ${usd} at {per_gb}",
            usd=decimals(usd, 2),
            per_gb=per_gb,
        )
    else:
        gb = text_gb(tokens)
        text = worded(
            "Text: {tokens} tokens per month are {gb} GB, ${gb_2} at {per_gb}"
            if gb * rate >= 100
            else "Text: {tokens} tokens per month are {gb} GB, ${gb_2} at {per_gb}: negligible",
            tokens=significant(tokens, 4),
            gb=significant(gb, 4),
            gb_2=decimals(gb * rate, 2),
            per_gb=per_gb,
        )
    if media is None:
        return worded("{value}. Media (images, audio, video) is not: enter its GB per month.", value=text)
    return worded(
        "{value}. Media: {media} GB per month, ${media_2}.",
        value=text,
        media=significant(media),
        media_2=decimals(media * rate, 2),
    )
