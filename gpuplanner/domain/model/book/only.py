"""Only: who alone may serve a workload, and the name under which demand that is so limited is planned."""

from dataclasses import dataclass
from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.errors import PlannerError

_AT: Final = " @ "
_UNKNOWN: Final = "?"


@dataclass(frozen=True, slots=True, order=True)
class Only:
    """The one provider, the one region, or the one provider's region that may serve; empty: any.

    What states no provider or region is not assumed to be of one. Names match without regard to case.
    """

    provider: str = ""
    region: str = ""

    def allows(self, one: Offer | Contract) -> bool:
        """Whether an offer or a contract may serve.

        What states no provider or region is refused where one is asked for. Law: ANYBODY allows everything.
        """
        pairs = ((self.provider, one.provider), (self.region, one.region))
        return all(not wanted or wanted.casefold() == (has or "").strip().casefold() for wanted, has in pairs)

    def __str__(self) -> str:
        """CoreWeave [eu-north]; empty where anybody may."""
        region = f"[{self.region}]" if self.region else ""
        return " ".join(filter(None, (self.provider, region)))


ANYBODY: Final = Only()


def check_only(key: str, only: Only) -> Only:
    """The limit itself. Errors: PlannerError for a name that could not be told from the name of demand.

    key: of the workload, for the message.
    """
    for name in (only.provider, only.region):
        if name != name.strip() or any(mark in name for mark in ("[", "]", _AT)):
            what = worded("{name} is no name of a provider or region", name=repr(name))
            raise PlannerError(key, "usage", what, worded("write it without brackets"))
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
    Only(provider='', region='eu-north')
    """
    if name is None or _AT not in name:
        return ANYBODY
    provider, _, region = name.rpartition(_AT)[2].partition("[")
    return Only(provider.strip(), region.rstrip("]"))
