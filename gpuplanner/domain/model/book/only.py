"""Only: who alone may serve a workload, and the name under which demand that is so limited is planned."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from gpuplanner.domain.message import Message, Text, worded
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.errors import PlannerError

_AT: Final = " @ "
_UNKNOWN: Final = "?"
_NOT: Final = "not "


@dataclass(frozen=True, slots=True, order=True)
class Only:
    """The one provider, the one region, or the one provider's region that may serve; empty: any.

    not_provider: the one that may not, where any other may. What states no provider or region is not assumed to be of
    one. Names match without regard to case.
    """

    provider: str = ""
    region: str = ""
    not_provider: str = ""

    def allows(self, one: Offer | Contract) -> bool:
        """Whether an offer or a contract may serve.

        What states no provider or region is refused where one is asked for. Law: ANYBODY allows everything.
        """
        provider, region = ((has or "").strip().casefold() for has in (one.provider, one.region))
        pairs = ((self.provider, provider), (self.region, region))
        is_barred = bool(self.not_provider) and self.not_provider.casefold() == provider
        return not is_barred and all(not wanted or wanted.casefold() == has for wanted, has in pairs)

    def __str__(self) -> str:
        """CoreWeave [eu-north], not CoreWeave; empty where anybody may."""
        provider = f"{_NOT}{self.not_provider}" if self.not_provider else self.provider
        region = f"[{self.region}]" if self.region else ""
        return " ".join(filter(None, (provider, region)))


ANYBODY: Final = Only()

WHO: Final[Mapping[str, str]] = {
    "provider:": "provider",
    "region:": "region",
    "site:": "region",
    "not:provider:": "not_provider",
}
"""What stands before a name where a call says who may serve, and the field that the name is of: offers and contracts
know a site as their region."""


def who_meant(text: str) -> Only | None:
    """Who is meant by provider:NAME, region:NAME, site:NAME or not:provider:NAME; None for anything else.

    >>> who_meant("site:eu-north"), who_meant("eu-north") is None
    (Only(provider='', region='eu-north', not_provider=''), True)
    """
    for mark, field in WHO.items():
        name = text.removeprefix(mark).strip()
        if text.startswith(mark) and name:
            return Only(**{field: name})
    return None


def both_of(before: Only, after: Only) -> Only:
    """Both limits together: a provider and a region hold both; of two that name a provider the later one holds.

    >>> str(both_of(Only(region="eu"), Only(not_provider="vela"))), str(both_of(Only("vela"), Only("nebula")))
    ('not vela [eu]', 'nebula')
    """
    said = after if after.provider or after.not_provider else before
    return Only(said.provider, after.region or before.region, said.not_provider)


def named_words(who: Only) -> Text:
    """Who is named, and no more: CoreWeave; region eu-north; CoreWeave in eu-north."""
    provider = who.provider or who.not_provider
    if not who.region:
        return provider
    if not provider:
        return worded("region {region}", region=who.region)
    return worded("{provider} in {region}", provider=provider, region=who.region)


def who_words(only: Only) -> Message:
    """Only CoreWeave; Only CoreWeave in eu-north; Anybody but CoreWeave; Anybody in region eu-north but CoreWeave."""
    if only == ANYBODY:
        return worded("Anybody")
    if not only.not_provider:
        return worded("Only {who}", who=named_words(only))
    if not only.region:
        return worded("Anybody but {provider}", provider=only.not_provider)
    return worded("Anybody in region {region} but {provider}", region=only.region, provider=only.not_provider)


def check_only(key: str, only: Only) -> Only:
    """The limit itself. Errors: PlannerError for a name that could not be told from the name of demand.

    key: of the workload, for the message.
    """
    for name in (only.provider, only.region, only.not_provider):
        if name != name.strip() or any(mark in name for mark in ("[", "]", _AT)) or name.startswith(_NOT):
            what = worded("{name} is no name of a provider or region", name=repr(name))
            raise PlannerError(key, "usage", what, worded("write it without brackets"))
    if only.provider and only.not_provider:
        what = worded("who alone may serve and who may not are both named")
        raise PlannerError(key, "usage", what, worded("name one of them"))
    return only


def limited_name(gpu_model: str | None, only: Only) -> str | None:
    """How demand for a model is called that is so limited: `H100 @ CoreWeave`, `H100 @ [eu-north]`.

    Law: `gpu_model_of` and `only_of` read both back.

    >>> limited_name("H100", Only("CoreWeave", "eu-north")), limited_name("H100", ANYBODY)
    ('H100 @ CoreWeave [eu-north]', 'H100')
    """
    return gpu_model if only == ANYBODY else f"{gpu_model or _UNKNOWN}{_AT}{only}"


def gpu_model_of(name: str | None) -> str | None:
    """The GPU model of demand, by the name that it is planned under.

    None for demand of unknown model, limited or not.

    >>> gpu_model_of("H100 @ CoreWeave"), gpu_model_of("? @ [eu-north]") is None
    ('H100', True)
    """
    if name is None or _AT not in name:
        return name
    model = name.rpartition(_AT)[0]
    return None if model == _UNKNOWN else model


def only_of(name: str | None) -> Only:
    """Who alone may serve demand, by the name that it is planned under.

    ANYBODY for a plain model and for None.

    >>> only_of("H100 @ [eu-north]")
    Only(provider='', region='eu-north', not_provider='')
    """
    if name is None or _AT not in name:
        return ANYBODY
    said, _, region = name.rpartition(_AT)[2].partition("[")
    provider, region = said.strip(), region.rstrip("]")
    if provider.startswith(_NOT):
        return Only(region=region, not_provider=provider.removeprefix(_NOT))
    return Only(provider, region)
