"""Offers: GPUs to buy, with rates, terms and limits, at low, mid or high price; and owned GPUs."""

from collections.abc import Iterable
from decimal import Decimal
from enum import StrEnum
from math import ceil, inf
from typing import Final

from gpuplanner.domain.figures.order import ORDER, OWNED
from gpuplanner.domain.model.book.contract import network_of
from gpuplanner.domain.model.book.extras import Extras, StatesExtras, counted_amount, extras_of, extras_sum
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.domain.model.window import DAY_S, HOURS_PER_MONTH, day_of, instant_s
from gpuplanner.lazy_dataclass import dataclass, replace

# --- An offer: rate, term and limits of GPUs to buy -----------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer(StatesExtras):
    """A row of a price list. None: not stated. Extras: `StatesExtras`, setup_usd ($ per GPU, once) and staff.

    rate_usd_per_gpu_hour, rate_low, rate_high: in `currency`; a missing rate means "quote needed".
    term_months: 0 for on-demand offers (STANDARD on demand, DYNAMIC spot). term_days: of a term in days; term_months is
    then `months_of_days`. lead_time_hours: usual lead time, used in plans. lead_time_high_hours: the longest. max_gpus,
    min_gpus, unit_gpus (GPUs of a node, if sold in nodes): whole GPUs of its model; None: no limit. upfront_usd: $ per
    GPU, paid once. staff_usd_per_gpu_month: part of the rate of owned GPUs. starts, ends, valid_until, as_of: ISO
    dates; all but as_of may have a time. nic_gbps: Gb/s of all ports of a node. gpu_model_written: the spelling in the
    list, where it differs. max_gpus_per_order: most GPUs of one order, the upper end of a volume tier that begins with
    min_gpus; max_gpus is the stock. tokens_per_minute_per_unit: for provisioned throughput, read and generated; its
    GPUs are units, and its gpu_model is the served model. OWNED offers only, whose rate and term follow from them
    (`owned_at`): capex_usd_per_gpu ($ per GPU with its share of node, network and spares), life_months, residual_share
    (0..1, at the end), kw_per_gpu (rated), pue, usd_per_kwh, space_usd_per_kw_month. commitment_usd_per_hour,
    discount_percent: a commitment in dollars (dollars.py): its largest amount, and the discount on the on-demand rate.
    currency: ISO code of the amounts. exchange: project currency per unit of it; None: no exchange rate, amounts
    unknown.
    """

    offer_id: str
    gpu_model: str
    pricing_category: PricingCategory
    term_months: int
    rate_usd_per_gpu_hour: Decimal | None
    provider: str | None = None
    rate_low: Decimal | None = None
    rate_high: Decimal | None = None
    max_gpus: int | None = None
    lead_time_hours: float = 0.0
    min_term_months: int = 0
    gpu_memory_gb: float | None = None
    bare_metal: bool | None = None
    interconnect: str | None = None
    egress_usd_per_gb: Decimal | None = None
    region: str | None = None
    source: str | None = None
    as_of: str | None = None
    min_gpus: int | None = None
    unit_gpus: int | None = None
    upfront_usd: Decimal | None = None
    sla_percent: float | None = None
    term_days: int | None = None
    starts: str | None = None
    ends: str | None = None
    valid_until: str | None = None
    capex_usd_per_gpu: Decimal | None = None
    life_months: int | None = None
    residual_share: float | None = None
    kw_per_gpu: float | None = None
    pue: float | None = None
    usd_per_kwh: Decimal | None = None
    space_usd_per_kw_month: Decimal | None = None
    staff_usd_per_gpu_month: Decimal | None = None
    gpu_model_written: str | None = None
    currency: str = "USD"
    exchange: Decimal | None = Decimal(1)
    nic_gbps: float | None = None
    rdma: bool | None = None
    country: str | None = None
    setup_usd: Decimal | None = None
    lead_time_high_hours: float | None = None
    tokens_per_minute_per_unit: float | None = None
    commitment_usd_per_hour: Decimal | None = None
    discount_percent: str | None = None
    max_gpus_per_order: int | None = None

    @property
    def is_dollars(self) -> bool:
        """Whether it is a commitment in dollars per hour, of any amount up to `commitment_usd_per_hour`."""
        return self.discount_percent is not None

    @property
    def network(self) -> str | None:
        """Interconnect class for training, see `network_of`."""
        return network_of(self.interconnect, self.nic_gbps, self.rdma)

    @property
    def rate(self) -> float | None:
        """Bare rate plus extras, $ per GPU-hour, without the upfront payment; None without a bare rate."""
        bare = self.bare_rate
        return None if bare is None else bare + extras_sum(self.extras)

    @property
    def bare_rate(self) -> float | None:
        """The quoted rate in the project's currency, $ per GPU-hour.

        None if rate or exchange rate is unknown, or the rate is zero, which means that a quote is needed.
        """
        return counted_amount(self.quoted_rate, self.exchange)

    @property
    def extras(self) -> Extras:
        """Extras in addition to the rate, $ per GPU-hour by name; the staff of owned GPUs is part of their rate."""
        bare, hours = self.bare_rate, self.term_hours
        if bare is None:
            return {}
        amounts = extras_of(self, bare + (self.upfront / hours if hours else 0.0), self.setup_usd, hours)
        return {name: usd for name, usd in amounts.items() if name != "staff"} if is_owned(self) else amounts

    @property
    def quoted_rate(self) -> Decimal | None:
        """$ per GPU-hour in its own currency; None if not stated or zero: a quote is needed."""
        return self.rate_usd_per_gpu_hour or None

    @property
    def low(self) -> float | None:
        """Low rate in the project's currency, $ per GPU-hour; None if not stated."""
        return counted_amount(self.rate_low, self.exchange)

    @property
    def high(self) -> float | None:
        """High rate in the project's currency, $ per GPU-hour; None if not stated."""
        return counted_amount(self.rate_high, self.exchange)

    @property
    def egress(self) -> float | None:
        """Egress in the project's currency, $ per GB; None if unknown."""
        return counted_amount(self.egress_usd_per_gb, self.exchange)

    @property
    def upfront(self) -> float:
        """Upfront payment in the project's currency, $ per GPU; 0 if not stated, or without an exchange rate."""
        return counted_amount(self.upfront_usd, self.exchange) or 0.0

    @property
    def capex(self) -> float:
        """Purchase price in the project's currency, $ per GPU; 0 for offers that are not owned, and if unknown."""
        if self.pricing_category is not PricingCategory.OWNED:
            return 0.0
        return counted_amount(self.capex_usd_per_gpu, self.exchange) or 0.0

    @property
    def term_hours(self) -> float:
        """Hours of a commitment, from its days or its months of 730 h; 0 for on demand."""
        return 24.0 * self.term_days if self.term_days else float(HOURS_PER_MONTH * self.term_months)

    @property
    def spread_rate(self) -> float | None:
        """All-in rate, $ per GPU-hour: the rate with the upfront payment spread over the term; None: quote needed.

        Source: docs/formulas/orders.md.
        """
        if self.rate is None or not self.upfront_usd or not self.term_hours:
            return self.rate
        inputs = {"rate": self.rate, "upfront_per_gpu": self.upfront, "term_hours": self.term_hours}
        return float(ORDER.value("spread_rate", inputs))

    @property
    def starts_s(self) -> int | None:
        """First instant of the capacity, epoch seconds; None: available now."""
        return None if self.starts is None else instant_s(self.starts)

    @property
    def ends_s(self) -> int | None:
        """End of the capacity, epoch seconds; None: no end."""
        return None if self.ends is None else instant_s(self.ends)

    @property
    def last_order_s(self) -> int | None:
        """Last instant to order, epoch seconds; a date without a time includes the whole day. None: always open.

        Source: docs/formulas/policy.md.
        """
        if self.valid_until is None:
            return None
        return instant_s(self.valid_until) + (DAY_S - 1 if len(self.valid_until) == len("2026-01-31") else 0)

    def sells(self, gpus: float) -> bool:
        """Return whether one order may be of so many GPUs: neither below its minimum nor above its tier."""
        return (self.min_gpus or 0) <= gpus <= (self.max_gpus_per_order or inf)

    def is_open_on(self, at_s: int) -> bool:
        """Return whether it can be ordered on the day of an instant, epoch seconds."""
        return self.last_order_s is None or day_of(at_s) <= self.last_order_s


def months_of_days(days: int) -> int:
    """Return the months of 730 h that a term in days touches.

    >>> months_of_days(30), months_of_days(31)
    (1, 2)
    """
    return ceil(24 * days / HOURS_PER_MONTH)


# --- Price cases: low, mid or high rates in a plan ------------------------------------------------


class PriceCase(StrEnum):
    """The rate of an offer that counts; MID is the rate itself and the default of a plan."""

    LOW = "low"
    MID = "mid"
    HIGH = "high"


PRICE_CASES: Final = (PriceCase.LOW, PriceCase.MID, PriceCase.HIGH)
"""Price cases in display order."""

_OWN_RATE: Final = {PriceCase.LOW: "rate_low", PriceCase.HIGH: "rate_high"}


def own_rate(offer: Offer, case: PriceCase) -> Decimal | None:
    """Return the rate that an offer states for a case, $ per GPU-hour before exchange; None if not stated or zero.

    At mid it is the rate itself.
    """
    stated: Decimal | None = getattr(offer, _OWN_RATE.get(case, "rate_usd_per_gpu_hour"))
    return stated or None


def offer_in_case(offer: Offer, case: PriceCase) -> Offer:
    """Return the offer at the rate of a case, or at its mid rate if it states none for the case.

    An offer without a mid rate needs a quote in every case.
    """
    rate = own_rate(offer, case)
    if case is PriceCase.MID or rate is None or not offer.rate or rate == offer.rate_usd_per_gpu_hour:
        return offer
    return replace(offer, rate_usd_per_gpu_hour=rate)


def offers_in_case(offers: tuple[Offer, ...], case: PriceCase) -> tuple[Offer, ...]:
    """Return offers at the rates of a case, in the same order; law: the same tuple at mid."""
    return offers if case is PriceCase.MID else tuple(offer_in_case(offer, case) for offer in offers)


def without_own_rate(offers: Iterable[Offer], case: PriceCase) -> tuple[Offer, ...]:
    """Return the priced offers that state no rate for a case and so use their mid rate.

    In the given order; empty at mid.
    """
    return tuple(offer for offer in offers if offer.rate and own_rate(offer, case) is None)


# --- Owned GPUs: an offer whose rate follows from price, life, power and cost of capital; in a plan a commitment

COUNTED_AS_NONE: Final = (
    "residual_share",
    "kw_per_gpu",
    "usd_per_kwh",
    "space_usd_per_kw_month",
    "staff_usd_per_gpu_month",
)
"""Fields of an owned offer that count as 0 if not stated; `pue` is then the assumption."""
OWNED_FIELDS: Final = ("capex_usd_per_gpu", "life_months", *COUNTED_AS_NONE, "pue")
"""Inputs of an owned offer's rate; empty in other offers."""


def is_owned(offer: Offer) -> bool:
    """Return whether an offer is for owned GPUs."""
    return offer.pricing_category is PricingCategory.OWNED


def owned_inputs(
    offer: Offer, wacc: float, pue: float, exchange: Decimal | None = Decimal(1)
) -> dict[str, float | None]:
    """Return the inputs of an owned offer's rate, by the keys of OWNED.

    wacc: cost of capital, a ratio per year. pue: the assumption, used if the offer states none. exchange: project
    currency per unit of the offer's currency; None: unknown. Other missing inputs count as 0; without price or life the
    rate is unknown.
    """

    def amount(quoted: Decimal | None) -> float | None:
        """Return an amount in the project's currency, 0 if not stated."""
        return counted_amount(quoted or Decimal(0), exchange)

    return {
        "capex_per_gpu": amount(offer.capex_usd_per_gpu) if offer.capex_usd_per_gpu else None,
        "residual_share": offer.residual_share or 0.0,
        "wacc": wacc,
        "life_months": float(offer.life_months) if offer.life_months else None,
        "kw_per_gpu": offer.kw_per_gpu or 0.0,
        "pue": pue if offer.pue is None else offer.pue,
        "month_hours": float(HOURS_PER_MONTH),
        "price_per_kwh": amount(offer.usd_per_kwh),
        "space_per_kw_month": amount(offer.space_usd_per_kw_month),
        "staff_per_month": amount(offer.staff_usd_per_gpu_month),
    }


def owned_at(offers: tuple[Offer, ...], wacc: float, pue: float) -> tuple[Offer, ...]:
    """Return offers with the calculated rate and term of owned ones; law: the same tuple if no offer changes.

    wacc, pue: as for `owned_inputs`. The calculated rate replaces a stated one; without price or life it is None (quote
    needed). Source: docs/formulas/prices.md, Owned GPUs.
    """
    if not any(map(is_owned, offers)):
        return offers
    owned = tuple(_at(offer, wacc, pue) if is_owned(offer) else offer for offer in offers)
    return offers if all(changed is other for changed, other in zip(owned, offers, strict=True)) else owned


def _at(offer: Offer, wacc: float, pue: float) -> Offer:
    rate = OWNED.row(owned_inputs(offer, wacc, pue), ["rate"])["rate"]
    stated = Decimal(repr(rate)) if rate else None
    term = offer.life_months or 0
    if (offer.rate_usd_per_gpu_hour, offer.term_months) == (stated, term):
        return offer
    return replace(offer, rate_usd_per_gpu_hour=stated, term_months=term)


MONEY: Final = ("capex_usd_per_gpu", "usd_per_kwh", "space_usd_per_kw_month", "staff_usd_per_gpu_month")


def scaled(offer: Offer, factor: Decimal) -> Offer:
    """Return an owned offer with its rate and all its costs multiplied by a factor."""
    rate = offer.rate_usd_per_gpu_hour
    costs = {name: cost * factor for name in MONEY if (cost := getattr(offer, name)) is not None}
    return replace(offer, rate_usd_per_gpu_hour=None if rate is None else rate * factor, **costs)


def unstated(offer: Offer) -> tuple[str, ...]:
    """Return the fields of an owned offer that count as 0 because they are not stated."""
    return tuple(name for name in COUNTED_AS_NONE if getattr(offer, name) is None)


def has_owned(offers: Iterable[Offer]) -> bool:
    """Return whether some offers are for owned GPUs."""
    return any(map(is_owned, offers))
