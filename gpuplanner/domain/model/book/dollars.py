"""Commitments in dollars per hour over many GPU models: their discounts, and what they cover hour by hour."""

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.lazy_dataclass import dataclass, fields

# --- Discounts by GPU model, and the on-demand rates that they are taken off ---------------------

ANY_MODEL: Final = "*"
"""In place of a GPU model: all of them."""


@lru_cache(maxsize=256)
def discounts_of(text: str | None) -> Mapping[str, float]:
    """Percent off the on-demand rate by GPU model, the largest first. text: as `Contract.discount_percent`.

    >>> dict(discounts_of("H200=35;H100=40"))
    {'H100': 40.0, 'H200': 35.0}
    """
    pairs = (part.rpartition("=") for part in (text or "").split(";") if part)
    listed = sorted((-float(percent), model) for model, _, percent in pairs)
    return {model: -less for less, model in listed}


Wanted = Mapping[Any, Sequence[Floats]]


class CoveredPrice(NamedTuple):
    """$ per GPU-hour that a commitment pays for a GPU model, and on demand."""

    paid: float
    on_demand: float


Prices = Mapping[str, CoveredPrice]
"""Of each GPU model that a commitment covers; largest discount first."""


def prices_of(row: Contract | Offer, offers: Iterable[Offer], gpu_models: Iterable[str | None]) -> Prices:
    """What a commitment covers of the models that run, off the cheapest on-demand rate of its provider.

    Where the provider has none, off the cheapest of all. Models that nobody sells on demand are left out.
    Source: docs/formulas/contracts.md, Commitments in dollars per hour.
    """
    own, off, names = (row.provider or "").casefold(), discounts_of(row.discount_percent), {*gpu_models}
    sold = [offer for offer in offers if offer.pricing_category is PricingCategory.STANDARD and offer.rate]
    sold.sort(key=lambda at: ((at.provider or "").casefold() != own, at.rate or 0.0, at.offer_id))
    rates = {offer.gpu_model: offer.rate or 0.0 for offer in reversed(sold) if offer.gpu_model in names}
    percents = {model: off.get(model, off.get(ANY_MODEL)) for model in sorted(rates)}
    known = sorted((-percent, model) for model, percent in percents.items() if percent is not None)
    return {model: CoveredPrice(rates[model] * (1 + less / 100), rates[model]) for less, model in known}


# --- What a commitment covers, as GPUs of each model: a part of it, which serves on every cluster


@dataclass(frozen=True, slots=True, kw_only=True)
class DollarPart(Contract):
    """GPUs of one model that a commitment in dollars pays for, at the discounted rate.

    paid_usd: $ of an hour that it has of the commitment. room: GPUs that it may serve in each hour of the window, as
    bytes of float64. serves: not of what stays unused.
    """

    paid_usd: float = 0.0
    room: bytes = b""
    serves: bool = True

    @property
    def gpus(self) -> float:
        """GPUs that it pays for on average; they need not be whole thousandths."""
        return self.paid_usd / float(self.rate_usd_per_gpu_hour or 1)


def part_of_dollars(contract: Contract, name: str, gpu_model: str, rate: float, **more: Any) -> DollarPart:
    """A part of a commitment in dollars. rate: $ per GPU-hour, discounted; more: further fields."""
    ids = {"contract_id": f"{contract.contract_id}: {name}", "ramp_of": contract.whole_id}
    more |= {**ids, "rate_usd_per_gpu_hour": Decimal(repr(rate)), "exchange": Decimal(1)}
    whole = {each.name: getattr(contract, each.name) for each in fields(Contract)}
    return DollarPart(**whole | more | {"gpu_model": gpu_model})


def in_turn(contracts: Iterable[Contract]) -> list[Contract]:
    """The commitments in dollars among some contracts in the order in which they cover: the largest discount first."""
    most = ((max(discounts_of(row.discount_percent).values(), default=0.0), row) for row in contracts)
    return [row for _, row in sorted(most, key=lambda at: (-at[0], at[1].contract_id)) if row.is_dollars]


def cover(usd: Floats, prices: Prices, wanted: Wanted) -> tuple[dict[str, Floats], Floats]:
    """GPUs of each model that dollars pay for in each hour, and the dollars that stay unused, (hours,).

    wanted: GPUs by model, of which what is covered is taken off in place, in turn. Known answer: $100 at 6.88 less 40%
    are 24.22 GPUs; 20 wanted leave $17.44.
    """
    rooms, left = dict[str, Floats](), usd.copy()
    for model, (price, _) in prices.items():
        rooms[model] = left / price
        for gpus in wanted.get(model) or ():
            taken = np.minimum(left / price, gpus)
            np.subtract(gpus, taken, out=gpus)
            left = np.maximum(left - taken * price, 0.0)
    return rooms, left


def room_in(contract: Contract, hours: int) -> Floats:
    """GPUs that a contract may serve in each hour, (hours,); of another log, as of a saved plan, the mean."""
    room = np.frombuffer(contract.room) if isinstance(contract, DollarPart) else np.full(1, contract.gpus)
    return room if len(room) == hours else np.full(hours, room.mean())


IN_DOLLARS: Final = "$/h "
"""Prefix of the GPU models of a commitment in dollars, which has no GPUs."""


def models_words(gpu_model: str) -> Text:
    """Return the GPU models of a commitment in dollars in words.

    >>> str(models_words("$/h H100;H200")), str(models_words("$/h *"))
    ('H100, H200', 'all GPU models')
    """
    names = gpu_model.removeprefix(IN_DOLLARS)
    return worded("all GPU models") if names == "*" else names.replace(";", ", ")
