"""Who sells: the providers and regions that offers and contracts name, and those most like a name that none has."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from gpuplanner.domain.message import Message, joined, worded
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import Only, only_of

NAMED_AT_MOST: Final = 3
"""Names that are proposed."""


@dataclass(frozen=True, slots=True)
class Sellers:
    """What offers and contracts name, each once, sorted, as it is written, without blanks around it."""

    providers: tuple[str, ...]
    regions: tuple[str, ...]

    def spelled(self, only: Only) -> Only:
        """The same in the spelling of offers and contracts; a name that none of them has as it is."""
        return Only(
            _spelled(only.provider, self.providers),
            _spelled(only.region, self.regions),
            _spelled(only.not_provider, self.providers),
        )

    def unknown(self, only: Only) -> Iterator[Message]:
        """What no offer or contract is of, and which names are most like it; nothing where all names are known."""
        of_provider = worded("no offer or contract is of a provider of this name")
        of_region = worded("no offer or contract is of a region of this name")
        for name, known, what in (
            (only.provider or only.not_provider, self.providers, of_provider),
            (only.region, self.regions, of_region),
        ):
            if not name or _spelled(name, known) in known:
                continue
            near = joined(_near(name, known), worded(" or "))
            yield (
                worded("{what}; did you mean {near}?", what=what, near=near)
                if near
                else worded("{what}; add an offer of it, its rate may be empty", what=what)
            )


def seller_of(offer_id: str, demand: str | None, offers: Mapping[str, Offer]) -> Offer | Only:
    """Whom what was bought for some demand is with: its offer's, else who alone may serve it.

    offers: by offer_id; demand: its GPU model, with who alone may serve it.
    """
    return offers.get(offer_id) or only_of(demand)


def sellers_of(offers: Iterable[Offer], contracts: Iterable[Contract]) -> Sellers:
    """The names in offers and contracts; empty ones left out."""
    both: tuple[Offer | Contract, ...] = (*offers, *contracts)
    return Sellers(
        tuple(sorted({name for one in both if (name := (one.provider or "").strip())})),
        tuple(sorted({name for one in both if (name := (one.region or "").strip())})),
    )


def _spelled(name: str, known: Sequence[str]) -> str:
    """The known name that differs in case alone; the name itself where there is none."""
    wanted = name.strip().casefold()
    return next((one for one in known if one.casefold() == wanted), name.strip())


def _near(name: str, known: Sequence[str]) -> list[str]:
    """Names that hold it, or are most like it, the nearest first.

    >>> _near("vela", ["AWS", "Vela Metal"]), _near("orin", ["AWS", "Orrin"]), _near("x", ["AWS"])
    (['Vela Metal'], ['Orrin'], [])
    """
    of = {one.casefold(): one for one in known}
    wanted = name.strip().casefold()
    found = [folded for folded in of if wanted in folded]
    found += get_close_matches(wanted, list(of), NAMED_AT_MOST)
    return [of[folded] for folded in dict.fromkeys(found)][:NAMED_AT_MOST]
