"""Billed use as rows that serve a cluster beside its contracts, at what the bill charges for them."""

from collections.abc import Iterable, Iterator
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Ints
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.model.billed import BilledUse
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.dollars import DollarPart
from gpuplanner.domain.model.book.exchange import USD, ExchangeRate, exchange_between
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.domain.model.window import HOUR_S, Window
from gpuplanner.lazy_dataclass import dataclass, fields

OF_A_BILL: Final = "bill"
"""In place of the contract that a part belongs to."""

_WAYS: Final = {
    PricingCategory.STANDARD: "on demand",
    PricingCategory.DYNAMIC: "spot",
    PricingCategory.COMMITTED: "under a commitment",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class BilledPart(DollarPart):
    """GPUs of one model that a bill charges at one rate, served by use: none of them is ever idle.

    billed_rate: $ per GPU-hour, 0 where the bill says so; None: an exchange rate is missing. mean_gpus: over the
    window. is_daily: its hours are not known. is_beyond: it serves what contracts leave over.
    """

    billed_rate: float | None
    mean_gpus: float
    is_daily: bool = False
    is_beyond: bool = False

    @property
    def rate(self) -> float | None:
        """What the bill charges, $ per GPU-hour."""
        return self.billed_rate

    @property
    def binding_hours(self) -> float:
        """Nothing: a bill does not say for how long."""
        return 0.0

    @property
    def is_by_use(self) -> bool:
        """Whether no commitment covers it."""
        return self.pricing_category is not PricingCategory.COMMITTED

    @property
    def gpus(self) -> float:
        """GPUs on average over the window."""
        return self.mean_gpus


def hours_of(use: BilledUse, window: Window) -> Ints:
    """Milli-GPU-seconds of billed use in each hour of a window, shape (hours,)."""
    hourly = np.zeros(window.hours, dtype=np.int64)
    for start_s, hours, amount in use.spans:
        first = (start_s - window.start_s) // HOUR_S
        hourly[max(first, 0) : max(first + hours, 0)] += amount
    return hourly


def billed_parts(
    billed: Iterable[BilledUse], window: Window, currency: str, exchange: Iterable[ExchangeRate]
) -> Iterator[tuple[BilledPart, Ints]]:
    """Yield use that bills state as rows, each with its milli-GPU-seconds by hour, (hours,).

    currency: ISO code of the project; exchange: rates that the user states. Left out are use outside the window, and
    use under commitments whose fee the bill does not have.
    """
    for number, use in enumerate(billed, 1):
        is_by_use = use.pricing_category is not PricingCategory.COMMITTED
        hourly = hours_of(use, window)
        spent = int(hourly.sum())
        if not spent or not (is_by_use or use.amount > 0):
            continue
        into = exchange_between(use.currency or USD, currency, exchange)
        gpu_hours = use.milli_gpu_seconds / MILLI_GPU_SECONDS_PER_GPU_HOUR
        part = BilledPart(
            contract_id=f"bill {number}: {_WAYS[use.pricing_category]}",
            cluster=use.cluster,
            gpu_model=use.gpu_model,
            milli_gpus=max(1, spent // (window.hours * HOUR_S)),
            rate_usd_per_gpu_hour=None,
            start_s=window.start_s,
            end_s=window.end_s,
            pricing_category=use.pricing_category,
            discount_percent="",
            ramp_of=OF_A_BILL,
            billed_rate=None if into is None else use.amount * float(into) / gpu_hours,
            mean_gpus=spent / (window.hours * HOUR_S * 1000),
            is_daily=use.is_daily,
        )
        yield part, hourly


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractAtFee(Contract):
    """A contract at what bills charge for it. billed_rate: $ per GPU-hour, its own on days without a bill; None:
    unknown.
    """

    billed_rate: float | None

    @property
    def rate(self) -> float | None:
        """What its GPU-hours cost, used or not."""
        return self.billed_rate


def at_fee(contract: Contract, fee: float | None, share: float) -> ContractAtFee:
    """Return a contract at a billed fee. fee: $ per GPU-hour; share: of its GPU-hours that the bill covers, 0..1."""
    own = contract.rate if share < 1 else 0.0
    rate = None if fee is None or own is None else fee * share + own * (1 - share)
    stated = {each.name: getattr(contract, each.name) for each in fields(Contract)}
    return ContractAtFee(**stated | {"paid_share": 1.0, "take_or_pay_percent": None}, billed_rate=rate)
