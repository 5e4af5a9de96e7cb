"""Commitments in dollars per hour over many GPU models: their discounts, and what they cover hour by hour."""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from functools import lru_cache
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.lazy_dataclass import dataclass, fields

# --- Discounts by GPU model, and the on-demand rates that they are taken off ---------------------

ANY_MODEL: Final = "*"
"""In place of a GPU model: all of them."""


@lru_cache(maxsize=256)
def discounts_of(text: str) -> Mapping[str, float]:
    """Percent off the on-demand rate by GPU model, the largest first. text: as `Contract.discount_percent`.

    >>> dict(discounts_of("H200=35;H100=40"))
    {'H100': 40.0, 'H200': 35.0}
    """
    pairs = (part.rpartition("=") for part in text.split(";") if part)
    return dict(
        sorted(((model, float(off)) for model, _, off in pairs), key=lambda pair: (-pair[1], pair[0]))
    )


def on_demand_of(offers: Iterable[Offer], provider: str | None, gpu_model: str) -> Offer | None:
    """The cheapest on-demand offer of a provider for a GPU model; where it has none, the cheapest of all.

    None where nobody sells the model on demand. Source: docs/formulas/contracts.md, Commitments in dollars per hour.
    """
    sold = [
        offer
        for offer in offers
        if offer.gpu_model == gpu_model and offer.pricing_category is PricingCategory.STANDARD and offer.rate
    ]
    own = (provider or "").casefold()
    return min(
        sold,
        key=lambda offer: ((offer.provider or "").casefold() != own, offer.rate or 0.0, offer.offer_id),
        default=None,
    )


def on_demand_usd(contract: Contract, offers: Iterable[Offer], gpu_model: str | None) -> float:
    """$ per GPU-hour of that offer; 0 without one, and of no model."""
    offer = on_demand_of(offers, contract.provider, gpu_model or "")
    return (offer.rate or 0.0) if offer else 0.0


def discounted(contract: Contract, offers: Iterable[Offer], gpu_models: Iterable[str]) -> dict[str, float]:
    """$ per GPU-hour that a commitment pays for each GPU model that it covers, the largest discount first.

    gpu_models: all that run; models without an on-demand rate are left out.
    """
    off, names = discounts_of(contract.discount_percent or ""), sorted(set(gpu_models))
    rates = dict[str, float]()
    for listed, percent in off.items():
        for model in names if listed == ANY_MODEL else [listed] if listed in names else []:
            offer = on_demand_of(offers, contract.provider, model)
            if offer is not None and model not in rates and (listed != ANY_MODEL or model not in off):
                rates[model] = (offer.rate or 0.0) * (1 - percent / 100)
    return rates


# --- What a commitment covers, as GPUs of each model: a part of it, which serves on every cluster


@dataclass(frozen=True, slots=True)
class DollarPart(Contract):
    """GPUs of one model that a commitment in dollars pays for, at the discounted rate.

    paid_usd: $ of an hour that it has of the commitment. room: GPUs that it may serve in each hour of the
    window, as bytes of float64; empty: those that it pays for. is_unused: it serves nobody.
    """

    paid_usd: float = 0.0
    room: bytes = b""
    is_unused: bool = False

    @property
    def gpus(self) -> float:
        """GPUs that it pays for on average; they need not be whole thousandths."""
        return self.paid_usd / float(self.rate_usd_per_gpu_hour or 1)

    @property
    def serves(self) -> bool:
        """What stays unused serves nobody."""
        return not self.is_unused


def part_of_dollars(
    contract: Contract, name: str, gpu_model: str | None, rate: float, paid_usd: float, **more: object
) -> DollarPart:
    """A part of a commitment in dollars. rate: $ per GPU-hour, discounted; more: further fields."""
    given = {each.name: getattr(contract, each.name) for each in fields(Contract)}
    own = {
        "contract_id": f"{contract.contract_id}: {name}",
        "ramp_of": contract.whole_id,
        "gpu_model": gpu_model,
        "rate_usd_per_gpu_hour": Decimal(repr(rate)),
        "exchange": Decimal(1),
        "paid_usd": paid_usd,
    }
    return DollarPart(**given | own | more)  # type: ignore[arg-type]


def in_turn(contracts: Iterable[Contract]) -> list[Contract]:
    """The commitments in dollars among some contracts in the order in which they cover: the largest discount first."""
    dollars = (contract for contract in contracts if contract.is_dollars)
    return sorted(
        dollars,
        key=lambda row: (
            -max(discounts_of(row.discount_percent or "").values(), default=0.0),
            row.contract_id,
        ),
    )


def room_of(left_usd: Floats, rate: float, wanted: Floats) -> tuple[Floats, Floats]:
    """GPUs that dollars pay for in each hour, and those of them that are wanted; takes their $ off `left_usd`.

    Shapes: (hours,). Known answer: $100 at 6.88 less 40% are 24.22 GPUs; 20 wanted leave $17.44.
    """
    room = left_usd / rate
    taken = np.minimum(room, wanted)
    left_usd -= taken * rate
    np.maximum(left_usd, 0.0, out=left_usd)
    return room, taken


def room_in(contract: Contract, hours: int) -> Floats:
    """GPUs that a contract may serve in each hour of a window, (hours,)."""
    if isinstance(contract, DollarPart) and len(contract.room) == 8 * hours:
        return np.frombuffer(contract.room)
    return np.full(hours, contract.gpus)
