"""Limits on providers, regions and countries that may serve a workload, names of sellers, and mapped GPU models."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from difflib import get_close_matches
from functools import cache
from math import ceil
from typing import Final, NamedTuple

from gpuplanner.domain.figures.typed import significant
from gpuplanner.domain.message import Message, Text, joined, worded
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.extras import at_share
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.errors import refusal
from gpuplanner.domain.model.gpu_family import is_part
from gpuplanner.domain.model.places import country_name, country_of_region
from gpuplanner.domain.model.tables import POOLS, Pool
from gpuplanner.lazy_dataclass import dataclass, replace

# --- Only: the providers or regions that may serve a workload, and the name of such limited demand -

_AT: Final = " @ "
_UNKNOWN: Final = "?"
_NOT: Final = "not "


@dataclass(frozen=True, slots=True, order=True)
class Only:
    """A limit to one provider, one region, or a provider's region; empty: no limit.

    country: allowed countries by name or code, sorted, separated by `;`. not_provider: the excluded provider; all
    others may serve. Names match regardless of case. An offer or contract without a provider or region does not match
    one.
    """

    provider: str = ""
    region: str = ""
    not_provider: str = ""
    country: str = ""

    def allows(self, row: Offer | Contract) -> bool:
        """Return whether an offer or a contract may serve.

        A row without the required provider, region or country is refused. Law: ANYBODY allows every row.
        """
        provider, region = ((has or "").strip().casefold() for has in (row.provider, row.region))
        pairs = ((self.provider, provider), (self.region, region))
        is_barred = bool(self.not_provider) and self.not_provider.casefold() == provider
        if is_barred or any(wanted and wanted.casefold() != has for wanted, has in pairs):
            return False
        return not self.country or (bool(named := countries_of(row)) and named <= _countries(self.country))

    def __str__(self) -> str:
        """Return the limit as CoreWeave [eu-north], not CoreWeave, or {DE;FR}; empty without one."""
        provider = f"{_NOT}{self.not_provider}" if self.not_provider else self.provider
        region = f"[{self.region}]" if self.region else ""
        country = f"{{{self.country}}}" if self.country else ""
        return " ".join(filter(None, (provider, region, country)))


ANYBODY: Final = Only()

WHO: Final[Mapping[str, str]] = {
    "provider:": "provider",
    "region:": "region",
    "site:": "region",
    "country:": "country",
    "not:provider:": "not_provider",
}
"""Prefixes of a limit in calls, and the field of each name; offers and contracts have a site as their region,
so that site: and region: mean the same field."""


def who_meant(text: str) -> Only | None:
    """Parse provider:NAME, region:NAME, site:NAME, country:DE;FR or not:provider:NAME; None for other text.

    >>> str(who_meant("site:eu-north")), str(who_meant("country:FR; DE")), who_meant("eu-north") is None
    ('[eu-north]', '{DE;FR}', True)
    """
    for mark, field in WHO.items():
        name = text.removeprefix(mark).strip()
        if text.startswith(mark) and name:
            return Only(**{field: _in_order(name) if field == "country" else name})
    return None


def both_of(before: Only, after: Only) -> Only:
    """Combine two limits; where both name a provider, region or country, the later one counts.

    >>> str(both_of(Only(region="eu"), Only(not_provider="vela"))), str(both_of(Only("vela"), Only("nebula")))
    ('not vela [eu]', 'nebula')
    """
    seller = after if after.provider or after.not_provider else before
    return Only(
        seller.provider, after.region or before.region, seller.not_provider, after.country or before.country
    )


def named_words(who: Only) -> Text:
    """Return the names in a limit: CoreWeave; region eu-north; CoreWeave in eu-north."""
    provider, where = who.provider or who.not_provider, where_words(who)
    if not where:
        return provider
    if not provider:
        return worded("region {region}", region=where) if who.region else where
    return worded("{provider} in {region}", provider=provider, region=where)


def where_words(who: Only) -> str:
    """Return the places in a limit, as eu-north or DE, FR; empty without any."""
    return ", ".join(filter(None, (who.region, who.country.replace(";", ", "))))


def who_words(only: Only) -> Message:
    """Return a limit in words: Only CoreWeave; Only CoreWeave in eu-north; Anybody but CoreWeave."""
    if only == ANYBODY:
        return worded("Anybody")
    if not only.not_provider:
        return worded("Only {who}", who=named_words(only))
    if not where_words(only):
        return worded("Anybody but {provider}", provider=only.not_provider)
    named: dict[str, Text] = {"region": where_words(only), "provider": only.not_provider}
    if not only.region:
        return worded("Any provider in {region} except {provider}", **named)
    return worded("Any provider in region {region} except {provider}", **named)


def check_only(key: str, only: Only) -> Only:
    """Return the limit if it is valid. key: of the workload, for the message.

    Errors: PlannerError for a name with brackets or other marks of a demand's name, or for both kinds of provider
    limit.
    """
    for name in (only.provider, only.region, only.not_provider, only.country):
        if name != name.strip() or set("[]{}") & set(name) or _AT in name or name.startswith(_NOT):
            problem = worded("{name} is not a provider or region", name=repr(name))
            raise refusal(key, problem, worded("write it without brackets"))
    if only.provider and only.not_provider:
        problem = worded("allowed and excluded providers are both set")
        raise refusal(key, problem, worded("set one only"))
    return only


def limited_name(gpu_model: str | None, only: Only) -> str | None:
    """Return the name of demand for a model under a limit: `H100 @ CoreWeave`, `H100 @ [eu-north]`.

    Law: `gpu_model_of` and `only_of` recover both.

    >>> limited_name("H100", Only("CoreWeave", "eu-north")), limited_name("H100", ANYBODY)
    ('H100 @ CoreWeave [eu-north]', 'H100')
    """
    return gpu_model if only == ANYBODY else f"{gpu_model or _UNKNOWN}{_AT}{only}"


def gpu_model_of(name: str | None) -> str | None:
    """Return the GPU model in the name of demand; None if unknown.

    >>> gpu_model_of("H100 @ CoreWeave"), gpu_model_of("? @ [eu-north]") is None
    ('H100', True)
    """
    if name is None or _AT not in name:
        return name
    model = name.rpartition(_AT)[0]
    return None if model == _UNKNOWN else model


def only_of(name: str | None) -> Only:
    """Return the limit in the name of demand; ANYBODY without one, and for None.

    >>> only_of("H100 @ [eu-north] {DE}")
    Only(provider='', region='eu-north', not_provider='', country='DE')
    """
    if name is None or _AT not in name:
        return ANYBODY
    seller, _, country = name.rpartition(_AT)[2].partition("{")
    seller, _, region = seller.strip().partition("[")
    provider, region, country = seller.strip(), region.rstrip("]"), country.rstrip("}")
    if provider.startswith(_NOT):
        return Only(region=region, not_provider=provider.removeprefix(_NOT), country=country)
    return Only(provider, region, country=country)


class Row(NamedTuple):
    """One row of the plan. name: GPU model, or that of demand which only some may serve; None: the model is unknown."""

    pool: Pool
    name: str | None


# --- Countries of an offer or a contract: as stated, otherwise from its region --------------------


def _in_order(countries: str) -> str:
    """Return countries sorted, each once, separated by `;`.

    >>> _in_order("FR; DE;FR")
    'DE;FR'
    """
    return ";".join(sorted({country.strip() for country in countries.split(";") if country.strip()}))


@cache
def _countries(text: str) -> frozenset[str]:
    return frozenset(map(country_name, _in_order(text).split(";"))) if text.strip() else frozenset()


def countries_of(row: Offer | Contract) -> frozenset[str]:
    """Return the countries where an offer or a contract may run, as `country_name` spells them: stated, or from its
    region.

    Empty: unknown. With several countries it may run in any.
    """
    stated = _countries(row.country or "")
    if stated or not row.region:
        return stated
    countries = {country_of_region(region) for region in row.region.split(";")}
    return frozenset(country for country in countries if country) if None not in countries else frozenset()


# --- Sellers: names of providers and regions in offers and contracts, and the nearest to an unknown name -----------

NAMED_AT_MOST: Final = 3
"""Most names to suggest."""


@dataclass(frozen=True, slots=True)
class Sellers:
    """Providers, regions and countries of offers and contracts, each once, sorted, as written but trimmed; countries
    as `country_name` spells them.
    """

    providers: tuple[str, ...]
    regions: tuple[str, ...]
    countries: tuple[str, ...] = ()

    def spelled(self, only: Only) -> Only:
        """Return a limit in the spelling of offers and contracts; unknown names are unchanged."""
        return Only(
            _spelled(only.provider, self.providers),
            _spelled(only.region, self.regions),
            _spelled(only.not_provider, self.providers),
            _in_order(only.country),
        )

    def unknown(self, only: Only) -> Iterator[Message]:
        """Yield an error for each name without an offer or contract, with the nearest known names."""
        of_provider = worded("no offer or contract has this provider")
        of_region = worded("no offer or contract has this region")
        for name, known, problem in (
            (only.provider or only.not_provider, self.providers, of_provider),
            (only.region, self.regions, of_region),
        ):
            if not name or _spelled(name, known) in known:
                continue
            near = joined(_near(name, known), worded(" or "))
            yield (
                worded("{name}; did you mean {near}?", name=problem, near=near)
                if near
                else worded("{name}; add an offer, with or without a rate", name=problem)
            )


def seller_of(offer_id: str, demand: str | None, offers: Mapping[str, Offer]) -> Offer | Only:
    """Return the offer of a purchase, or the limit in the name of its demand if the offer is gone.

    offers: by offer_id. demand: its GPU model with its limit.
    """
    return offers.get(offer_id) or only_of(demand)


def sellers_of(offers: Iterable[Offer], contracts: Iterable[Contract]) -> Sellers:
    """Return the names in offers and contracts; empty ones are left out."""
    both: tuple[Offer | Contract, ...] = (*offers, *contracts)
    return Sellers(
        tuple(sorted({name for row in both if (name := (row.provider or "").strip())})),
        tuple(sorted({name for row in both if (name := (row.region or "").strip())})),
        tuple(sorted({name.title() for row in both for name in countries_of(row)})),
    )


def _spelled(name: str, known: Sequence[str]) -> str:
    """Return the known name that differs only in case, otherwise the name itself."""
    wanted = name.strip().casefold()
    return next((spelling for spelling in known if spelling.casefold() == wanted), name.strip())


def _near(name: str, known: Sequence[str]) -> list[str]:
    """Return known names that contain a name or resemble it, nearest first.

    >>> _near("vela", ["AWS", "Vela Metal"]), _near("orin", ["AWS", "Orrin"]), _near("x", ["AWS"])
    (['Vela Metal'], ['Orrin'], [])
    """
    of = {spelling.casefold(): spelling for spelling in known}
    wanted = name.strip().casefold()
    near = [folded for folded in of if wanted in folded]
    near += get_close_matches(wanted, list(of), NAMED_AT_MOST)
    return [of[folded] for folded in dict.fromkeys(near)][:NAMED_AT_MOST]


# --- Mapped GPU models: models that may do the work of others, and their ratios -------------------

LEAST_RATIO: Final = 0.01
MOST_RATIO: Final = 100.0
ROUNDING: Final = 1e-9
"""GPUs: a larger need by rounding does not require a further whole GPU."""


@dataclass(frozen=True, slots=True)
class ModelMapping:
    """A permission to serve demand for `gpu_model` by offers of `offer_model`; one GPU replaces `ratio` GPUs.

    pool: the only pool; None: all pools without a mapping of their own for the two models.
    Source: docs/formulas/hardware-fit.md, Mapped GPU models.
    """

    gpu_model: str
    offer_model: str
    ratio: float
    pool: Pool | None = None

    @property
    def key(self) -> tuple[str, str, str]:
        """Models and pool: unique, and the sort order."""
        return self.gpu_model, self.offer_model, self.pool or ""


def check_mapping(mapping: ModelMapping) -> ModelMapping:
    """Return the mapping if it is valid.

    Errors: PlannerError if a model is missing or mapped to itself, or the ratio is not LEAST_RATIO to MOST_RATIO.
    """
    name = f"{mapping.gpu_model}={mapping.offer_model}"
    if not mapping.gpu_model or not mapping.offer_model:
        raise refusal(name, worded("a GPU model has no name"), worded("name the two models"))
    if mapping.gpu_model.casefold() == mapping.offer_model.casefold():
        raise refusal(name, worded("a GPU model is mapped onto itself"), worded("name another model"))
    is_number = isinstance(mapping.ratio, int | float) and not isinstance(mapping.ratio, bool)
    if not is_number or not LEAST_RATIO <= mapping.ratio <= MOST_RATIO:
        raise refusal(
            name,
            worded("a ratio of {ratio} is out of range", ratio=significant(mapping.ratio)),
            worded(
                "enter {least_ratio} to {most_ratio}",
                least_ratio=significant(LEAST_RATIO),
                most_ratio=significant(MOST_RATIO),
            ),
        )
    return mapping


def ratio_for(
    mappings: Iterable[ModelMapping], gpu_model: str | None, offer_model: str, pool: Pool | None = None
) -> float | None:
    """Return how many GPUs of a demand's model one GPU of an offer's model replaces; None if it may not serve.

    1 for the same model, and for demand of unknown model, which any offer of whole GPUs may serve.
    gpu_model: of the demand, or the name of limited demand. pool: of the demand; None: only mappings for all pools
    count.
    """
    gpu_model = gpu_model_of(gpu_model)
    if gpu_model is None:
        return None if is_part(offer_model) else 1.0
    if gpu_model == offer_model:
        return 1.0
    of_both = {
        mapping.pool: mapping.ratio
        for mapping in mappings
        if mapping.gpu_model == gpu_model and mapping.offer_model == offer_model
    }
    return of_both.get(pool, of_both.get(None))


def may_serve(mappings: Iterable[ModelMapping], gpu_model: str | None, offer_model: str) -> bool:
    """Return whether offers of a model may serve demand for another in any pool. gpu_model: as for `ratio_for`."""
    return any(ratio_for(mappings, gpu_model, offer_model, pool) is not None for pool in POOLS)


def ratio_between(mappings: Sequence[ModelMapping], model: str, other: str) -> float | None:
    """Return how many GPUs of `model` one GPU of `other` replaces, from a mapping in either direction.

    From the mapping for all pools, otherwise from those for single pools; None if these differ.
    """
    for gpu_model, offer_model, power in ((model, other, 1), (other, model, -1)):
        of_pools = {ratio_for(mappings, gpu_model, offer_model, pool) for pool in POOLS} - {None}
        ratio = ratio_for(mappings, gpu_model, offer_model) or (
            of_pools.pop() if len(of_pools) == 1 else None
        )
        if ratio:
            return ratio**power
    return None


def ratios_of(
    offers: Iterable[Offer], gpu_model: str | None, mappings: Sequence[ModelMapping], pool: Pool
) -> dict[str, float]:
    """Return `ratio_for` by offer_id for offers whose model is not the demand's.

    Empty for demand of unknown model and without mappings. gpu_model, pool: as for `ratio_for`.
    """
    gpu_model = gpu_model_of(gpu_model)
    if gpu_model is None or not mappings:
        return {}
    ratios = {
        offer.offer_id: ratio_for(mappings, gpu_model, offer.gpu_model, pool)
        for offer in offers
        if offer.gpu_model != gpu_model
    }
    return {offer_id: ratio for offer_id, ratio in ratios.items() if ratio is not None}


def at_ratio(offer: Offer, ratio: float) -> Offer:
    """Return the offer with its rates per GPU of the demand's model; the offer itself at ratio 1.

    max_gpus, min_gpus and unit_gpus remain in GPUs of the offer's model.
    """
    if ratio == 1 or offer.rate_usd_per_gpu_hour is None:
        return offer
    share = Decimal(repr(ratio))
    upfront = None if offer.upfront_usd is None else offer.upfront_usd / share
    at_rate = replace(offer, rate_usd_per_gpu_hour=offer.rate_usd_per_gpu_hour / share, upfront_usd=upfront)
    return replace(at_rate, **at_share(offer, share))


def whole_gpus(gpus: float, ratio: float, unit: int = 1) -> float:
    """Return the GPUs of the offer's model, in whole units, that replace `gpus` of the demand's model.

    ratio: GPUs of the demand's model that one GPU of the offer's replaces. unit: GPUs sold together.

    >>> whole_gpus(10, 1.6), whole_gpus(10, 1.6, 4), whole_gpus(8, 1.6)
    (7.0, 8.0, 5.0)
    """
    return float(unit * ceil(gpus / ratio / unit - ROUNDING))


def paid_gpus(gpus: float, ratio: float | None, unit: int | None = None) -> float:
    """Return the paid GPUs, in GPUs of the demand's model, if `gpus` are needed; `gpus` without ratio and unit.

    Law: at least `gpus`, and less than `gpus + ratio x unit`.
    """
    if ratio is None and unit is None:
        return gpus
    return whole_gpus(gpus, ratio or 1.0, unit or 1) * (ratio or 1.0)
