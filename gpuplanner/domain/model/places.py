"""Places: cities of users, traffic and models served, possible sites, and data residency."""

from collections.abc import Iterable
from decimal import Decimal
from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import refusal
from gpuplanner.domain.model.window import HOURS_OF_WEEK
from gpuplanner.lazy_dataclass import dataclass, field, replace

# --- Countries by their names and codes in tables -------------------------------------------------

_CODES: Final = (
    "AT austria|BE belgium|BG bulgaria|CN china|HR croatia|CZ czechia|DK denmark|EG egypt|EE estonia|FI finland|"
    "DE germany|GR greece|HU hungary|IN india|IL israel|IT italy|JP japan|JO jordan|KW kuwait|LV latvia|LT lithuania|"
    "LU luxembourg|MY malaysia|NL netherlands|NG nigeria|NO norway|OM oman|PK pakistan|PH philippines|PL poland|"
    "QA qatar|RO romania|RU russia|SA saudi arabia|RS serbia|SG singapore|SK slovakia|SI slovenia|KR south korea|"
    "SE sweden|CH switzerland|TW taiwan|TH thailand|TR turkey|UA ukraine|AE united arab emirates|VN vietnam|"
    "HK hong kong|CA canada|CO colombia|CR costa rica|CU cuba|IS iceland|IE ireland|MX mexico|MA morocco|PA panama|"
    "PT portugal|US united states|VE venezuela|AU australia|BW botswana|LS lesotho|MG madagascar|MW malawi|"
    "MU mauritius|MZ mozambique|NA namibia|NZ new zealand|RW rwanda|ZA south africa|TZ tanzania|ZM zambia|ZW zimbabwe|"
    "AR argentina|BO bolivia|CL chile|PY paraguay|PE peru|UY uruguay|FR france|ES spain|GB united kingdom|DZ algeria|"
    "GH ghana|BR brazil|EC ecuador"
)
NAME_OF_CODE: Final = {entry[:2].casefold(): entry[3:] for entry in _CODES.split("|")}
"""Countries by two-letter code (ISO 3166-1) in lower case, those with a known side of the earth."""

_REGIONS: Final = (
    "US us-east-1 us-east-2 us-east-3 us-west-1 us-west-2 us-west-3 us-south-1 us-midwest-1 us-gov-east-1 "
    "us-gov-west-1 us-central1 us-east1 us-east4 us-east5 us-south1 us-west1 us-west2 us-west3 us-west4 eastus "
    "eastus2 eastus3 centralus northcentralus southcentralus westcentralus westus westus2 westus3 usgovvirginia "
    "usgovarizona usgovtexas us-ashburn-1 us-phoenix-1 us-chicago-1 us-sanjose-1|CA ca-central-1 ca-west-1 "
    "northamerica-northeast1 northamerica-northeast2 canadacentral canadaeast ca-toronto-1 ca-montreal-1|MX "
    "mx-central-1 northamerica-south1 mexicocentral mx-queretaro-1 mx-monterrey-1|BR sa-east-1 southamerica-east1 "
    "brazilsouth brazilsoutheast sa-saopaulo-1 sa-vinhedo-1|CL southamerica-west1 chilecentral sa-santiago-1 "
    "sa-valparaiso-1|CO sa-bogota-1|IE eu-west-1 northeurope|GB eu-west-2 europe-west2 uksouth ukwest uk-london-1 "
    "uk-cardiff-1|FR eu-west-3 europe-west9 francecentral francesouth eu-paris-1 eu-marseille-1 eu-west1|DE "
    "eu-central-1 europe-west3 europe-west10 germanywestcentral germanynorth eu-frankfurt-1 europe-central-1|CH "
    "eu-central-2 europe-west6 switzerlandnorth switzerlandwest eu-zurich-1|SE eu-north-1 europe-north2 swedencentral "
    "eu-stockholm-1|FI eu-north1 europe-north1|NO norwayeast norwaywest|DK denmarkeast|IT eu-south-1 europe-west8 "
    "europe-west12 italynorth eu-milan-1|ES eu-south-2 europe-southwest1 spaincentral eu-madrid-1|NL europe-west4 "
    "westeurope eu-amsterdam-1|BE europe-west1 belgiumcentral|PL europe-central2 polandcentral|AT austriaeast|RS "
    "eu-jovanovac-1|ZA af-south-1 africa-south1 southafricanorth southafricawest af-johannesburg-1|BH me-south-1|AE "
    "me-central-1 uaenorth uaecentral me-dubai-1 me-abudhabi-1|IL il-central-1 me-west1 me-west-1 israelcentral "
    "il-jerusalem-1|QA me-central1 qatarcentral|SA me-central2 me-jeddah-1 me-riyadh-1|HK ap-east-1 asia-east2 "
    "eastasia|TW ap-east-2 asia-east1|IN ap-south-1 ap-south-2 asia-south1 asia-south2 asia-south-1 centralindia "
    "southindia westindia ap-mumbai-1 ap-hyderabad-1|SG ap-southeast-1 asia-southeast1 southeastasia "
    "ap-singapore-1|AU ap-southeast-2 ap-southeast-4 australia-southeast1 australia-southeast2 australia-east-1 "
    "australiaeast australiasoutheast australiacentral ap-sydney-1 ap-melbourne-1|ID ap-southeast-3 asia-southeast2 "
    "indonesiacentral|MY ap-southeast-5 malaysiawest|NZ ap-southeast-6 newzealandnorth|TH ap-southeast-7|JP "
    "ap-northeast-1 ap-northeast-3 asia-northeast1 asia-northeast2 asia-northeast-1 asia-northeast-2 japaneast "
    "japanwest ap-tokyo-1 ap-osaka-1|KR ap-northeast-2 asia-northeast3 koreacentral koreasouth ap-seoul-1 "
    "ap-chuncheon-1|CN cn-north-1 cn-northwest-1 chinaeast chinaeast2 chinanorth chinanorth2 chinanorth3"
)
"""Cloud regions by country code, as named by AWS, Google Cloud, Azure, Oracle Cloud, Lambda and Nebius. Written in
2026 without checking each of their lists; the column `country` overrides it."""

_CALLED: Final = (
    "bahrain=bh|indonesia=id|united states=usa;united states of america;the united states;"
    "vereinigte staaten;états-unis;etats-unis|united kingdom=uk;great britain;england;"
    "vereinigtes königreich;großbritannien;royaume-uni|south korea=korea;republic of korea;"
    "korea, republic of|netherlands=the netherlands;holland;niederlande;pays-bas|germany=deutschland;"
    "allemagne;alemania|france=frankreich;francia|switzerland=schweiz;suisse;svizzera|austria=österreich;"
    "autriche|finland=finnland;finlande|norway=norwegen;norvège;norge|sweden=schweden;suède;sverige|"
    "czechia=czech republic|russia=russian federation|turkey=türkiye|united arab emirates=uae|"
    "vietnam=viet nam"
)
_ALSO: Final = {
    name: country
    for country, _, names in (entry.partition("=") for entry in _CALLED.split("|"))
    for name in names.split(";")
}


def country_name(text: str) -> str:
    """Return one name of a country in lower case: `US`, `USA` and `United States` are the same; others are unchanged.

    >>> country_name("US"), country_name("United States "), country_name("Deutschland"), country_name("Ruritania")
    ('united states', 'united states', 'germany', 'ruritania')
    """
    name = text.strip().casefold()
    return _ALSO.get(name) or NAME_OF_CODE.get(name, name)


_COUNTRY_OF_REGION: Final = {
    region: country_name(entry[:2]) for entry in _REGIONS.split("|") for region in entry[3:].split()
}
_KNOWN_COUNTRIES: Final = frozenset((*NAME_OF_CODE.values(), *_ALSO.values()))


def country_of_region(region: str) -> str | None:
    """Return the country of a cloud region or zone, as `country_name` spells it; None if unknown.

    A region may also be the name of its country.

    >>> country_of_region("eu-central-1"), country_of_region("us-central1-a"), country_of_region("FR")
    ('germany', 'united states', 'france')
    >>> country_of_region("dc-7") is None
    True
    """
    name = region.strip().casefold()
    code = _COUNTRY_OF_REGION.get(name) or _COUNTRY_OF_REGION.get(name.rstrip("abcdef").rstrip("-"))
    return code or (country if (country := country_name(name)) in _KNOWN_COUNTRIES else None)


# --- Places: cities of users, possible sites, measured latencies, and data residency --------------

EVERYWHERE: Final = None
"""Allowed site countries for a country without a rule."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UserCity:
    """Users in a city. latitude, longitude: degrees, north and east positive. users: any amount that adds up."""

    city: str
    country: str
    latitude: float
    longitude: float
    users: Decimal


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """A site where the service runs (is_current) or could run. usd_per_month: its price; None is unknown.

    grid_kg_co2_per_kwh: kg of CO2 per kWh there. egress_usd_per_gb: for outgoing data (None: as assumed). host: name or
    address that answers ping, or a web address; "": unknown.
    """

    site_id: str
    city: str
    country: str
    latitude: float
    longitude: float
    usd_per_month: Decimal | None = None
    is_current: bool = False
    grid_kg_co2_per_kwh: float | None = None
    egress_usd_per_gb: Decimal | None = None
    host: str = ""


@dataclass(frozen=True, slots=True)
class MeasuredTransit:
    """A measured one-way latency between a city and a site, used instead of the distance.

    country: of the city, where several have its name; "": all of them. If city equals country and site_id is a city or
    a country of sites, the latency is between countries: it counts for cities and sites there without a closer
    measurement.
    """

    city: str
    site_id: str
    one_way_ms: Decimal
    country: str = ""


@dataclass(frozen=True, slots=True)
class ResidencyRule:
    """Countries whose sites may serve users of a country; empty: no site may."""

    country: str
    allowed_site_countries: tuple[str, ...]


def residency_only(places: "Places") -> str | None:
    """Return the countries, separated by `;`, where one service for all users may run, by the rules for their
    countries.

    None without such a rule, or if no country is allowed by all rules.
    """
    countries = {folded(city.country) for city in places.cities}
    rules = [row.allowed_site_countries for row in places.residency if folded(row.country) in countries]
    if not rules:
        return None
    names = [
        name for name in rules[0] if all(country_name(name) in map(country_name, rule) for rule in rules)
    ]
    return ";".join(sorted(names)) or None


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """All places; compared by identity, so that cached results are found again.

    Laws: cities by users, most first, then by city, country and coordinates; sites by site_id; measured by city,
    country and site; residency by country, each once.
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
        """Return whether both have equal rows, instead of the same identity."""
        return (self.cities, self.sites, self.measured, self.residency) == (
            other.cities,
            other.sites,
            other.measured,
            other.residency,
        )

    def allowed_for(self, country: str) -> frozenset[str] | None:
        """Return the folded countries whose sites may serve users of a country; EVERYWHERE without a rule."""
        return self._allowed.get(folded(country), EVERYWHERE)

    def may_serve(self, site: Site, city: UserCity) -> bool:
        """Return whether data residency allows a site to serve a city.

        Without a rule for the city's country every site may; a rule without countries allows none. Case is ignored.
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
    """Return places in their order. Of two rows with one key the first counts; rules of one country are merged.

    Order and laws as for `Places`. A merged rule allows the countries of all its rows.
    """
    first_city = {city_key(city): city for city in reversed(cities)}
    first_site = {site.site_id: site for site in reversed(sites)}
    first_measured = {measured_key(point): point for point in reversed(measured)}
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
    """Return a name for comparison: case-folded and trimmed.

    >>> folded("  Zürich ")
    'zürich'
    """
    return text.strip().casefold()


def is_between_countries(row: MeasuredTransit) -> bool:
    """Return whether a measurement covers a whole country."""
    return folded(row.city) == folded(row.country)


def measured_key(row: MeasuredTransit) -> tuple[str, str, str]:
    """Return the key of a measurement: city, country and site."""
    return folded(row.city), folded(row.country), folded(row.site_id)


def city_key(city: UserCity) -> tuple[str, str, float, float]:
    """Return the key of a city: name, country and coordinates."""
    return folded(city.city), folded(city.country), city.latitude, city.longitude


def _taken_before(city: UserCity) -> tuple[Decimal, str, str, float, float]:
    """Return the sort key of cities: most users first, then by city, country and coordinates."""
    return (-city.users, city.city, city.country, city.latitude, city.longitude)


# --- A served model, the requests of a week, and the user's choices for sizing an endpoint --------


@dataclass(frozen=True, slots=True, kw_only=True)
class ServedModel:
    """The architecture of a language model, for sizing. None: not stated, unless noted.

    parameters: all weights. active_parameters: weights used per token (None: all).
    experts, experts_per_token: per layer, for a mixture of experts (None: no mixture).
    kv_values_per_layer: values cached per token and layer (None: 2 x kv_heads x head_dim).
    hidden: values of a token between two layers. vocabulary: tokens it can generate. attention_width: heads x head
    size, for MLA the mean of keys and values. context_tokens: longest context. also: other names of models with these
    sizes, separated by `|`. weights: precision that they are published in ("": 16 bits). source: of the figures.
    """

    name: str
    parameters: int
    layers: int
    kv_heads: int
    head_dim: int
    active_parameters: int | None = None
    experts: int | None = None
    experts_per_token: int | None = None
    kv_values_per_layer: int | None = None
    source: str = ""
    hidden: int | None = None
    vocabulary: int | None = None
    attention_width: int | None = None
    context_tokens: int | None = None
    also: str = ""
    weights: str = ""

    def __post_init__(self) -> None:
        """Check the sizes. Errors: ValueError for a size below 1."""
        if min(self.parameters, self.layers, self.kv_heads, self.head_dim) < 1:
            raise ValueError(f"{self.name}: parameters, layers, kv_heads and head_dim are 1 or more")

    @property
    def active(self) -> int:
        """Parameters used per token."""
        return self.parameters if self.active_parameters is None else self.active_parameters

    @property
    def is_mixture(self) -> bool:
        """Whether a token uses only some of its experts."""
        chosen = self.experts_per_token or 0
        return 0 < chosen < (self.experts or 0) and self.active < self.parameters

    @property
    def is_latent(self) -> bool:
        """Whether keys and values are compressed (MLA): at most an eighth of the plain cache."""
        kept = self.kv_values_per_layer
        return kept is not None and 8 * kept <= 2 * self.kv_heads * self.head_dim

    @property
    def kv_values_per_token(self) -> int:
        """Values in the KV cache per token: 2 x layers x kv_heads x head_dim, or as the model states."""
        per_layer = self.kv_values_per_layer
        return self.layers * (2 * self.kv_heads * self.head_dim if per_layer is None else per_layer)

    @property
    def width(self) -> float:
        """`hidden`; if not stated, that of a decoder with the same active parameters: 12 layers hidden^2."""
        return self.hidden or (self.active / (12 * self.layers)) ** 0.5


@dataclass(frozen=True, slots=True)
class WeekRates:
    """Requests per second in each hour of the week, Monday 0:00 UTC first; None: not in the file.

    source: name of the file; "": typed. context_tokens, generated_tokens: means per request (None: as assumed).
    """

    rates_per_s: tuple[float | None, ...]
    source: str = ""
    context_tokens: float | None = None
    generated_tokens: float | None = None

    def __post_init__(self) -> None:
        """Check the rates. Errors: ValueError unless there are 168."""
        if len(self.rates_per_s) != HOURS_OF_WEEK:
            raise ValueError(f"a week has {HOURS_OF_WEEK} hours, not {len(self.rates_per_s)}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ServingPoint:
    """The conditions of a measurement. precision: as BF16 or FP8. input_tokens, output_tokens: means per request."""

    model: str
    gpu_model: str
    tensor_parallel: int
    precision: str
    concurrency: float
    input_tokens: float
    output_tokens: float


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredPoint(ServingPoint):
    """A measured speed. tokens_per_s: generated by the replica. source: name of the file."""

    tokens_per_s: float
    source: str = ""


MOST_REQUESTS_PER_S: Final = 1e12
LEAST_REQUESTS_PER_S: Final = 1e-6


@dataclass(frozen=True, slots=True, kw_only=True)
class ServingChoice:
    """The user's choices for an endpoint: model, requests by hour of the week, and the row drawn in the chart.

    week: None: the imported requests of the endpoint (Project.traffic). gpu_model: "": the cheapest row. term_months:
    term of the commitment whose rates are used; 0: on demand. measured: the user's own points. rates: requests per
    second of a GPU, by its model, for models that are no language models; they take precedence over `model`.
    """

    model: ServedModel | None = None
    week: WeekRates | None = None
    gpu_model: str = ""
    precision: str = ""
    tensor_parallel: int = 0
    term_months: int = 0
    measured: tuple[MeasuredPoint, ...] = ()
    rates: tuple[tuple[str, float], ...] = ()


NOTHING_CHOSEN: Final = ServingChoice()


def rates_of(text: str) -> tuple[tuple[str, float], ...]:
    """Parse requests per second of a GPU, sorted by GPU model. Errors: PlannerError.

    >>> rates_of("L4=1200, A100 = 4000")
    (('A100', 4000.0), ('L4', 1200.0))
    """
    rates: dict[str, float] = {}
    for part in text.split(","):
        name, _, number = (word.strip() for word in part.partition("="))
        try:
            rates[name] = float(number)
        except ValueError:
            rates[name] = 0.0
        if not name or not LEAST_REQUESTS_PER_S < rates[name] < MOST_REQUESTS_PER_S:
            raise refusal(
                part.strip() or text, worded("it states no requests per second"), worded("write L4=1200")
            )
    return tuple(sorted(rates.items()))


# --- Traffic of an endpoint: tokens read and generated, by hour -----------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Traffic:
    """Tokens of an endpoint. start_s, end_s: first second, and the second after the last request, epoch seconds UTC.

    hours: (epoch seconds of a whole hour, context tokens, generated tokens), ascending, only hours with requests.
    requests: for each such hour (requests, requests in its busiest minute, largest tokens read and generated by one
    request); empty for older project files.
    """

    start_s: int
    end_s: int
    hours: tuple[tuple[int, int, int], ...]
    source: str = ""  # name of the file
    requests: tuple[tuple[int, int, int], ...] = ()


def sites_in(sites: Iterable[Site], into: Decimal | None) -> tuple[Site, ...]:
    """Return sites with prices in another currency, in order; the same objects at a rate of 1.

    into: units of that currency per unit of theirs; None: unknown, and so are the prices.
    """
    return tuple(
        site
        if site.usd_per_month is None or into == 1
        else replace(site, usd_per_month=None if into is None else site.usd_per_month * into)
        for site in sites
    )
