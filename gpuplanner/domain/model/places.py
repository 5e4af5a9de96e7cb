"""Places: where users are, where a service could run, measured transit, and where data may stay."""

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Final

EVERYWHERE: Final = None
"""Allowed site countries of a country without a rule."""


@dataclass(frozen=True, slots=True)
class UserCity:
    """Users in one city. Units: degrees, north and east positive; users of any kind that adds up (people, requests)."""

    city: str
    country: str
    latitude: float
    longitude: float
    users: Decimal


@dataclass(frozen=True, slots=True)
class Site:
    """A site where the service runs (is_current) or could run. usd_per_month: its price; None is unknown.

    grid_kg_co2_per_kwh: kg of CO2 of a kWh there.
    """

    site_id: str
    city: str
    country: str
    latitude: float
    longitude: float
    usd_per_month: Decimal | None = None
    is_current: bool = False
    grid_kg_co2_per_kwh: float | None = None


@dataclass(frozen=True, slots=True)
class MeasuredTransit:
    """A measured one-way time between a city and a site; it wins over the distance.

    country: narrows the city where several of that name have users; empty takes them all. Where city and country are
    one, and where site_id is a site's city or country, the way is one between countries: it counts for every city and
    site there that has no measurement nearer to it.
    """

    city: str
    site_id: str
    one_way_ms: Decimal
    country: str = ""


@dataclass(frozen=True, slots=True)
class ResidencyRule:
    """Users of a country may be served from sites in these countries only; none: from nowhere."""

    country: str
    allowed_site_countries: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """All of them; by identity, so that what was worked out from one is known again.

    Laws: cities as they are taken, most users first, then by city, country and coordinates; sites by site_id;
    measured by city, country and site; residency by country, each country once.
    """

    cities: tuple[UserCity, ...] = ()
    sites: tuple[Site, ...] = ()
    measured: tuple[MeasuredTransit, ...] = ()
    residency: tuple[ResidencyRule, ...] = ()
    _allowed: dict[str, frozenset[str]] = field(init=False, default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        self._allowed.update(
            (folded(rule.country), frozenset(map(folded, rule.allowed_site_countries)))
            for rule in self.residency
        )

    @property
    def can_be_placed(self) -> bool:
        """Whether there are users and sites."""
        return bool(self.cities) and bool(self.sites)

    def has_the_same(self, other: "Places") -> bool:
        """Whether both hold the same rows.

        Places compare by identity; this compares what is in them.
        """
        return (self.cities, self.sites, self.measured, self.residency) == (
            other.cities,
            other.sites,
            other.measured,
            other.residency,
        )

    def allowed_for(self, country: str) -> frozenset[str] | None:
        """Folded countries from which users of a country may be served; EVERYWHERE without a rule."""
        return self._allowed.get(folded(country), EVERYWHERE)

    def may_serve(self, site: Site, city: UserCity) -> bool:
        """Whether data residency allows it.

        Without a rule for the city's country every site may; a rule of no country leaves none. Case does not
        matter.
        """
        allowed = self.allowed_for(city.country)
        return allowed is EVERYWHERE or folded(site.country) in allowed


NO_PLACES: Final = Places()


def places_of(
    cities: tuple[UserCity, ...] = (),
    sites: tuple[Site, ...] = (),
    measured: tuple[MeasuredTransit, ...] = (),
    residency: tuple[ResidencyRule, ...] = (),
) -> Places:
    """Places in their order; of two of one identity the first counts, rules of one country are joined.

    Order and laws are those of `Places`. A joined rule allows what any of its rows allows.
    """
    first_city = {city_key(one): one for one in reversed(cities)}
    first_site = {one.site_id: one for one in reversed(sites)}
    first_measured = {measured_key(one): one for one in reversed(measured)}
    rules: dict[str, tuple[str, tuple[str, ...]]] = {}
    for rule in residency:
        name, allowed = rules.get(folded(rule.country), (rule.country, ()))
        more = tuple(dict.fromkeys((*allowed, *rule.allowed_site_countries)))
        rules[folded(rule.country)] = (name, more)
    return Places(
        tuple(sorted(first_city.values(), key=_taken_before)),
        tuple(first_site[site_id] for site_id in sorted(first_site)),
        tuple(first_measured[key] for key in sorted(first_measured)),
        tuple(ResidencyRule(*rules[key]) for key in sorted(rules)),
    )


def folded(text: str) -> str:
    """A name as it is compared: without case and blanks around it.

    >>> folded("  Zürich ")
    'zürich'
    """
    return text.strip().casefold()


def is_between_countries(row: MeasuredTransit) -> bool:
    """Whether a measurement is of a whole country."""
    return folded(row.city) == folded(row.country)


def measured_key(row: MeasuredTransit) -> tuple[str, str, str]:
    """What makes a measurement one: between which city and which site."""
    return folded(row.city), folded(row.country), folded(row.site_id)


def city_key(city: UserCity) -> tuple[str, str, float, float]:
    """What makes a city one: name, country and where it is."""
    return folded(city.city), folded(city.country), city.latitude, city.longitude


def _taken_before(city: UserCity) -> tuple[Decimal, str, str, float, float]:
    """Order of cities: most users first, then by city, country and coordinates."""
    return (-city.users, city.city, city.country, city.latitude, city.longitude)
