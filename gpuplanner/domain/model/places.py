"""Places: where users are, what is served to them, where a service could run and data may stay."""

from collections.abc import Iterable
from decimal import Decimal
from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import refusal
from gpuplanner.domain.model.window import HOURS_OF_WEEK
from gpuplanner.lazy_dataclass import dataclass, field, replace

# --- Countries by the names and letters that tables call them ------------------------------------

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
"""Country by its two letters (ISO 3166-1), in lower case, for those whose side of the earth is known."""

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
"""Regions of clouds by the letters of their country, as AWS, Google Cloud, Azure, Oracle Cloud, Lambda and Nebius name
them. It was written down in 2026 without a look at each of their lists; the column `country` wins over it."""

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
    """One name of a country, in lower case, so that `US`, `USA` and `United States` are one; others as they are.

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
    """The country of a cloud's region, or of a zone of it, as `country_name` has it; None: not known.

    A region may be called as its country is.

    >>> country_of_region("eu-central-1"), country_of_region("us-central1-a"), country_of_region("FR")
    ('germany', 'united states', 'france')
    >>> country_of_region("dc-7") is None
    True
    """
    name = region.strip().casefold()
    code = _COUNTRY_OF_REGION.get(name) or _COUNTRY_OF_REGION.get(name.rstrip("abcdef").rstrip("-"))
    return code or (country if (country := country_name(name)) in _KNOWN_COUNTRIES else None)


# --- Places: where users are, where a service could run, measured transit, and where data may stay

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

    grid_kg_co2_per_kwh: kg of CO2 of a kWh there. egress_usd_per_gb: of data that leaves it (None: as assumed).
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


def residency_only(places: "Places") -> str | None:
    """Countries where one service for all users may run, `;` between, by the rules of those that have users.

    None where no rule is of them, or none of the countries is allowed by all.
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


# --- A model that is served, the requests of a week, and what a planner chose to size for an endpoint


@dataclass(frozen=True, slots=True)
class ServedModel:
    """The architecture of a language model, as far as sizing asks for it.

    parameters: weights, all of them; active_parameters: those that one token passes through (None: all).
    experts, experts_per_token: of each layer, of a mixture of experts (None: there are none).
    kv_values_per_layer: numbers a layer keeps for a token where they are not 2 x kv_heads x head_dim (None: they are).
    source: where the figures are from. hidden: values of a token between two layers; vocabulary: tokens that it can
    write; attention_width: heads x head size, of MLA the mean of its keys and values (None: not stated).
    context_tokens: the longest that it reads; also: other names of the same sizes, `|` between.
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
    context_tokens: int | None = field(default=None, compare=False)
    also: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        """Errors: ValueError for a size below 1."""
        if min(self.parameters, self.layers, self.kv_heads, self.head_dim) < 1:
            raise ValueError(f"{self.name}: parameters, layers, kv_heads and head_dim are 1 or more")

    @property
    def active(self) -> int:
        """Parameters that one token passes through."""
        return self.parameters if self.active_parameters is None else self.active_parameters

    @property
    def is_mixture(self) -> bool:
        """Whether a token goes through some of its experts and not through all."""
        chosen = self.experts_per_token or 0
        return 0 < chosen < (self.experts or 0) and self.active < self.parameters

    @property
    def is_latent(self) -> bool:
        """Whether keys and values are kept compressed (MLA): an eighth of the plain cache or less, of no head alone."""
        kept = self.kv_values_per_layer
        return kept is not None and 8 * kept <= 2 * self.kv_heads * self.head_dim

    @property
    def kv_values_per_token(self) -> int:
        """Numbers that the KV cache keeps for one token: 2 x layers x kv_heads x head_dim, or as the model states."""
        per_layer = self.kv_values_per_layer
        return self.layers * (2 * self.kv_heads * self.head_dim if per_layer is None else per_layer)

    @property
    def width(self) -> float:
        """hidden; where it is not stated, that of a decoder of so many active parameters: 12 layers hidden^2."""
        return self.hidden or (self.active / (12 * self.layers)) ** 0.5


@dataclass(frozen=True, slots=True)
class WeekRates:
    """Requests a second in each hour of the week, Monday 0:00 UTC first; None: the file does not say.

    source: the file's name; empty: typed. context_tokens, generated_tokens: means of a request (None: as assumed).
    """

    rates_per_s: tuple[float | None, ...]
    source: str = ""
    context_tokens: float | None = None
    generated_tokens: float | None = None

    def __post_init__(self) -> None:
        """Errors: ValueError unless there are 168 rates."""
        if len(self.rates_per_s) != HOURS_OF_WEEK:
            raise ValueError(f"a week has {HOURS_OF_WEEK} hours, not {len(self.rates_per_s)}")


@dataclass(frozen=True, slots=True)
class ServingPoint:
    """What was measured, as far as its file says. precision as BF16, FP8, ...; tokens are means of a request."""

    model: str
    gpu_model: str
    tensor_parallel: int
    precision: str
    concurrency: float
    input_tokens: float
    output_tokens: float


@dataclass(frozen=True, slots=True)
class MeasuredPoint(ServingPoint):
    """A point with what was measured. tokens_per_s: generated by the replica; source: the file's name."""

    tokens_per_s: float
    source: str = ""


MOST_REQUESTS_PER_S: Final = 1e12
LEAST_REQUESTS_PER_S: Final = 1e-6


@dataclass(frozen=True, slots=True)
class ServingChoice:
    """What the planner chose for one endpoint: its model, requests by hour of the week, and the row that is drawn.

    week None: the requests that were read for the endpoint (Project.traffic). gpu_model empty: the row of least cost.
    term_months: of the commitment whose rates price it; 0: by the hour. measured: of the planner's own. rates: requests
    a second of one GPU, by its model, of what is no language model; they count before the model.
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
    """Requests a second of one GPU by its model, sorted by it. Errors: PlannerError.

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
                part.strip() or text, worded("it states no requests a second"), worded("write L4=1200")
            )
    return tuple(sorted(rates.items()))


# --- Traffic of an endpoint: the tokens it read and generated, hour by hour ----------------------


@dataclass(frozen=True, slots=True)
class Traffic:
    """Tokens of one endpoint. start_s and end_s: first second and first after the last request, epoch UTC.

    hours: (epoch seconds of a whole hour, context tokens, generated tokens), ascending, hours with requests only.
    requests: for each of them (requests, requests of its busiest minute, most tokens of one request, read and
    generated together); empty where a project from before them was opened.
    """

    start_s: int
    end_s: int
    hours: tuple[tuple[int, int, int], ...]
    source: str = ""  # the file's name
    requests: tuple[tuple[int, int, int], ...] = ()


def sites_in(sites: Iterable[Site], into: Decimal | None) -> tuple[Site, ...]:
    """Sites with their prices in another money, of which `into` is one unit of theirs; None: they are unknown.

    In order; the very same objects at a rate of 1.
    """
    return tuple(
        site
        if site.usd_per_month is None or into == 1
        else replace(site, usd_per_month=None if into is None else site.usd_per_month * into)
        for site in sites
    )
