"""Places and served models by hand: countries, residency, rates of requests, and the cache of a token."""

from decimal import Decimal

import pytest

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.places import (
    EVERYWHERE,
    MeasuredTransit,
    ResidencyRule,
    ServedModel,
    Site,
    UserCity,
    WeekRates,
    country_name,
    country_of_region,
    is_between_countries,
    places_of,
    rates_of,
    residency_only,
    sites_in,
)


def city(name: str, users: int, country: str = "DE") -> UserCity:
    return UserCity(city=name, country=country, latitude=0.0, longitude=0.0, users=Decimal(users))


def test_a_country_has_one_name_and_a_region_its_country() -> None:
    assert {country_name(text) for text in ("US", " usa", "Vereinigte Staaten")} == {"united states"}
    assert country_name(" Ruritania ") == "ruritania"
    regions = ("eu-central-1", "us-central1-a", "de", "Germany", "dc-7")
    assert [country_of_region(region) for region in regions] == [
        "germany", "united states", "germany", "germany", None,
    ]  # fmt: skip


def test_places_are_in_order_and_the_first_of_two_counts() -> None:
    """Most users first, then by name; rules of one country allow what any of them does."""
    sites = (
        Site(site_id="b", city="B", country="DE", latitude=0, longitude=0, usd_per_month=Decimal(1)),
        Site(site_id="a", city="A", country="FR", latitude=0, longitude=0),
        Site(site_id="b", city="B", country="DE", latitude=0, longitude=0),
    )
    rules = (ResidencyRule("DE", ("DE",)), ResidencyRule(" de", ("FR", "DE")), ResidencyRule("IN", ()))
    places = places_of((city("Ulm", 5), city("Bonn", 5), city("Köln", 9), city("köln", 1)), sites, (), rules)
    assert [(row.city, row.users) for row in places.cities] == [("Köln", 9), ("Bonn", 5), ("Ulm", 5)]
    assert [(site.site_id, site.usd_per_month) for site in places.sites] == [("a", None), ("b", 1)]
    assert [rule.allowed_site_countries for rule in places.residency] == [("DE", "FR"), ()]
    assert places.allowed_for("de ") == {"de", "fr"}
    assert (places.allowed_for("US"), places.allowed_for("IN")) == (EVERYWHERE, frozenset())
    german, french = places.sites[1], places.sites[0]
    assert places.may_serve(french, city("x", 1, "De")) and places.may_serve(german, city("x", 1, "US"))
    assert not places.may_serve(german, city("x", 1, "IN"))


def test_places_can_be_placed_with_users_and_sites_and_are_the_same_by_their_rows() -> None:
    site = Site(site_id="a", city="A", country="FR", latitude=0, longitude=0)
    assert places_of((city("x", 1),), (site,)).can_be_placed
    assert not places_of((city("x", 1),)).can_be_placed and not places_of((), (site,)).can_be_placed
    assert places_of((), (site,)).has_the_same(places_of((), (site,)))
    assert not places_of((), (site,)).has_the_same(places_of())


def test_a_measurement_is_between_countries_where_its_city_is_its_country() -> None:
    assert is_between_countries(MeasuredTransit("Germany", "fr", Decimal(9), " germany"))
    assert not is_between_countries(MeasuredTransit("Bonn", "fr", Decimal(9), "germany"))


@pytest.mark.parametrize(
    ("experts", "a_token", "active", "is_mixture"),
    [
        (8, 2, 500, True),
        (8, 8, 500, False),
        (8, 2, 1000, False),
        (None, None, None, False),
        (8, None, 500, False),
    ],
)
def test_a_mixture_awakes_some_of_its_experts(
    experts: int | None, a_token: int | None, active: int | None, is_mixture: bool
) -> None:
    model = ServedModel(
        name="m",
        parameters=1000,
        layers=2,
        kv_heads=4,
        head_dim=8,
        active_parameters=active,
        experts=experts,
        experts_per_token=a_token,
    )
    assert (model.active, model.is_mixture) == (active or 1000, is_mixture)


@pytest.mark.parametrize(
    ("kept", "is_latent", "a_token"), [(None, False, 2 * 3 * 16 * 8), (32, True, 3 * 32), (33, False, 3 * 33)]
)
def test_a_latent_cache_is_an_eighth_of_the_plain_one(
    kept: int | None, is_latent: bool, a_token: int
) -> None:
    """Three layers of 2 x 16 heads x 8 numbers a token are 256 a layer: an eighth are 32."""
    model = ServedModel(
        name="m", parameters=1000, layers=3, kv_heads=16, head_dim=8, kv_values_per_layer=kept
    )
    assert (model.is_latent, model.kv_values_per_token) == (is_latent, a_token)


def test_the_width_of_a_model_is_stated_or_follows_from_its_size() -> None:
    """12 x 3 layers x 50^2 are 90,000 parameters."""
    model = ServedModel(name="m", parameters=90_000, layers=3, kv_heads=1, head_dim=1)
    assert model.width == pytest.approx(50)
    assert ServedModel(name="m", parameters=90_000, layers=3, kv_heads=1, head_dim=1, hidden=64).width == 64
    with pytest.raises(ValueError, match="head_dim"):
        ServedModel(name="m", parameters=1, layers=1, kv_heads=1, head_dim=0)
    assert ServedModel(name="m", parameters=1, layers=1, kv_heads=1, head_dim=1).active == 1


def test_rates_are_by_model_over_a_millionth_and_under_a_trillion() -> None:
    assert rates_of("L4=1200, A100 = 0.5") == (("A100", 0.5), ("L4", 1200.0))
    for text in ("L4", "L4=x", "=3", "L4=0.000001", "L4=1e12"):
        with pytest.raises(PlannerError):
            rates_of(text)


def test_prices_of_sites_in_another_money() -> None:
    """$100 at 0.9 are 90; an unknown price stays unknown, and at an unknown rate all are."""
    sites = (
        Site(site_id="a", city="A", country="FR", latitude=0, longitude=0, usd_per_month=Decimal(100)),
        Site(site_id="b", city="B", country="FR", latitude=0, longitude=0),
    )
    assert [site.usd_per_month for site in sites_in(sites, Decimal("0.9"))] == [90, None]
    assert [site.usd_per_month for site in sites_in(sites, None)] == [None, None]
    assert sites_in(sites, Decimal(1))[0] is sites[0]


@pytest.mark.parametrize(
    ("countries", "allowed"),
    [
        (("DE",), "DE;FR"),
        ((" de", "FR"), "FR"),
        (("DE", "FR", "IN"), None),
        (("IN",), None),
        (("US",), None),
        (("US", "FR"), "Austria;FR"),
        ((), None),
    ],
)
def test_a_service_runs_where_the_rules_of_all_its_users_allow(
    countries: tuple[str, ...], allowed: str | None
) -> None:
    """Germany allows France and itself, France itself (written as France) and Austria, India nothing."""
    rules = (
        ResidencyRule("DE", ("FR", "DE")), ResidencyRule("FR", ("FR", "Austria")), ResidencyRule("IN", ())
    )  # fmt: skip
    cities = tuple(city(f"x{at}", 1, country) for at, country in enumerate(countries))
    assert residency_only(places_of(cities, (), (), rules)) == allowed


def test_countries_of_rules_are_the_same_however_they_are_written() -> None:
    rules = (ResidencyRule("DE", ("Germany", "FR")), ResidencyRule("FR", ("de",)))
    assert residency_only(places_of((city("a", 1, "DE"), city("b", 1, "FR")), (), (), rules)) == "Germany"


def test_a_week_has_168_rates() -> None:
    assert WeekRates((1.0, None) * 84).rates_per_s[1] is None
    for many in (0, 167, 169):
        with pytest.raises(ValueError, match=str(many)):
            WeekRates((1.0,) * many)
