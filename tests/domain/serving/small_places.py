"""Small worlds of a few cities and sites, for tests of placement."""

from decimal import Decimal

from gpuplanner.domain.model.places import MeasuredTransit, ResidencyRule, Site, UserCity, places_of


def city(name, users, country="US", latitude=0.0, longitude=0.0):
    return UserCity(
        city=name, country=country, latitude=latitude, longitude=longitude, users=Decimal(str(users))
    )


def site(site_id, country="US", latitude=0.0, longitude=0.0, usd=1000, is_current=False):
    price = None if usd is None else Decimal(str(usd))
    return Site(
        site_id=site_id,
        city=f"Town of {site_id}",
        country=country,
        latitude=latitude,
        longitude=longitude,
        usd_per_month=price,
        is_current=is_current,
    )


def world(cities, sites, measured=(), residency=()):
    """measured: (city, site, ms); residency: (country, allowed countries)."""
    return places_of(
        tuple(cities),
        tuple(sites),
        tuple(MeasuredTransit(name, site_id, Decimal(str(ms))) for name, site_id, ms in measured),
        tuple(ResidencyRule(country, tuple(allowed)) for country, allowed in residency),
    )
