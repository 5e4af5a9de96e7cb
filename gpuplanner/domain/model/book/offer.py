"""An offer: what could be bought, at what rate, for how long; at low, mid or high price, or owned."""

from collections.abc import Iterable
from decimal import Decimal
from enum import StrEnum
from math import ceil
from typing import Final

from gpuplanner.domain.figures.order import ORDER, OWNED
from gpuplanner.domain.model.book.contract import network_of
from gpuplanner.domain.model.book.extras import Extras, StatesExtras, counted_amount, extras_of, extras_sum
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.domain.model.window import DAY_S, HOURS_PER_MONTH, day_of, instant_s
from gpuplanner.lazy_dataclass import dataclass, replace

# --- An offer: what could be bought, at what rate, for how long ----------------------------------


@dataclass(frozen=True, slots=True)
class Offer(StatesExtras):
    """One row of a price list.

    Units: term_months 0 for usage-priced offers (STANDARD on demand, DYNAMIC spot); rates in $ per GPU-hour;
    lead_time_hours is usual, which plans take, lead_time_high_hours the longest;
    max_gpus, min_gpus, unit_gpus (sold in nodes of) whole GPUs of its own model, None without a limit; upfront_usd $ a
    GPU, paid once; term_days of a commitment in days, whose term_months is then `months_of_days`; as_of an ISO date;
    starts, ends, valid_until ISO dates or times; gpu_model_written: as its list wrote it,
    where that is something else; nic_gbps Gb/s of all ports of a node.
    tokens_per_minute_per_unit: of provisioned throughput alone, read and generated; its GPUs are units, and its
    gpu_model is the served model.
    Of an OWNED offer alone, whose rate and term follow from them (`owned_at`):
    capex_usd_per_gpu $ a GPU with its share of node, network and spares; life_months; residual_share of it that is left
    at the end, 0..1; kw_per_gpu rated; pue; usd_per_kwh; space_usd_per_kw_month.
    Extras: `StatesExtras`, beside them setup_usd, $ a GPU, once, and staff_usd_per_gpu_month, which is in the rate of
    what is owned.
    commitment_usd_per_hour, discount_percent: of a commitment in dollars (dollars.py), the largest amount and what is
    off the on-demand rate by GPU model.
    currency: what its amounts are quoted in (ISO code); exchange: units of the money of
    the project of one unit of it, None where its rate is not stated: the amounts are unknown then. A missing rate is
    "quote needed".
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

    @property
    def is_dollars(self) -> bool:
        """Whether it is a commitment in dollars per hour, whose amount is free up to `commitment_usd_per_hour`."""
        return self.discount_percent is not None

    @property
    def network(self) -> str | None:
        """As `network_of` has it."""
        return network_of(self.interconnect, self.nic_gbps, self.rdma)

    @property
    def rate(self) -> float | None:
        """$ per GPU-hour that counts: the bare rate and the extras, without what is paid upfront. None where the bare
        one is.
        """
        bare = self.bare_rate
        return None if bare is None else bare + extras_sum(self.extras)

    @property
    def bare_rate(self) -> float | None:
        """$ per GPU-hour as a float: the quoted rate x exchange. None where either is unknown, or the rate is zero:
        that asks for a quote, it is not a gift.
        """
        return counted_amount(self.quoted_rate, self.exchange)

    @property
    def extras(self) -> Extras:
        """$ per GPU-hour beside the rate; none without one. Staff of what is owned is in its rate."""
        bare, hours = self.bare_rate, self.term_hours
        if bare is None:
            return {}
        amounts = extras_of(self, bare + (self.upfront / hours if hours else 0.0), self.setup_usd, hours)
        return {name: usd for name, usd in amounts.items() if name != "staff"} if is_owned(self) else amounts

    @property
    def quoted_rate(self) -> Decimal | None:
        """$ per GPU-hour in its own currency; None where a quote is needed: of zero, or of nothing stated."""
        return self.rate_usd_per_gpu_hour or None

    @property
    def low(self) -> float | None:
        """The low rate, $ per GPU-hour x exchange; None where none is stated."""
        return counted_amount(self.rate_low, self.exchange)

    @property
    def high(self) -> float | None:
        """The high rate, $ per GPU-hour x exchange; None where none is stated."""
        return counted_amount(self.rate_high, self.exchange)

    @property
    def egress(self) -> float | None:
        """$ per GB that leaves, x exchange; None where it is not known."""
        return counted_amount(self.egress_usd_per_gb, self.exchange)

    @property
    def upfront(self) -> float:
        """$ a GPU that are paid once, when the term begins; none stated counts as none.

        0 where its rate of exchange is not known.
        """
        return counted_amount(self.upfront_usd, self.exchange) or 0.0

    @property
    def capex(self) -> float:
        """$ to buy a GPU of it, due when it is bought, x exchange; 0 of what is not to be owned, and where unknown."""
        if self.pricing_category is not PricingCategory.OWNED:
            return 0.0
        return counted_amount(self.capex_usd_per_gpu, self.exchange) or 0.0

    @property
    def term_hours(self) -> float:
        """Hours that a commitment pays and serves: of its days where it is sold by the day, else of its months.

        0 for an offer by use. A month is 730 h.
        """
        return 24.0 * self.term_days if self.term_days else float(HOURS_PER_MONTH * self.term_months)

    @property
    def spread_rate(self) -> float | None:
        """All in: $ per GPU-hour with the upfront payment spread over the term, if any; None: a quote is needed.

        Source: docs/formulas/orders.md.
        """
        if self.rate is None or not self.upfront_usd or not self.term_hours:
            return self.rate
        inputs = {"rate": self.rate, "upfront_per_gpu": self.upfront, "term_hours": self.term_hours}
        return float(ORDER.value("spread_rate", inputs))

    @property
    def starts_s(self) -> int | None:
        """The first instant at which the capacity is there, epoch seconds; None: it is there."""
        return None if self.starts is None else instant_s(self.starts)

    @property
    def ends_s(self) -> int | None:
        """When the capacity is gone, epoch seconds; None: it stays."""
        return None if self.ends is None else instant_s(self.ends)

    @property
    def last_order_s(self) -> int | None:
        """The last instant of the offer, epoch seconds; a day alone counts to its end. None: it stays open.

        Source: docs/formulas/policy.md.
        """
        if self.valid_until is None:
            return None
        return instant_s(self.valid_until) + (DAY_S - 1 if len(self.valid_until) == len("2026-01-31") else 0)

    def is_open_on(self, at_s: int) -> bool:
        """Whether it can still be ordered on the day of an instant: through that day's end, early for a later start."""
        return self.last_order_s is None or day_of(at_s) <= self.last_order_s


def months_of_days(days: int) -> int:
    """Months of 730 h in which a term of so many days has hours.

    >>> months_of_days(30), months_of_days(31)
    (1, 2)
    """
    return ceil(24 * days / HOURS_PER_MONTH)


# --- Price cases: whether the low, the mid or the high rate of each offer counts in a plan -------


class PriceCase(StrEnum):
    """Which rate of an offer counts; MID is the rate itself, and what a plan begins with."""

    LOW = "low"
    MID = "mid"
    HIGH = "high"


PRICE_CASES: Final = (PriceCase.LOW, PriceCase.MID, PriceCase.HIGH)
"""The order in which cases are shown."""

_OWN_RATE: Final = {PriceCase.LOW: "rate_low", PriceCase.HIGH: "rate_high"}


def own_rate(offer: Offer, case: PriceCase) -> Decimal | None:
    """$ per GPU-hour that the offer itself states for a case; None where it states none (or zero: no gift).

    As it is quoted, before exchange. At mid it is the rate itself.
    """
    stated: Decimal | None = getattr(offer, _OWN_RATE.get(case, "rate_usd_per_gpu_hour"))
    return stated or None


def offer_in_case(offer: Offer, case: PriceCase) -> Offer:
    """The offer at the rate that counts: without one of its own for the case, at its mid rate.

    An offer without a mid rate needs a quote in every case.
    """
    rate = own_rate(offer, case)
    if case is PriceCase.MID or rate is None or not offer.rate or rate == offer.rate_usd_per_gpu_hour:
        return offer
    return replace(offer, rate_usd_per_gpu_hour=rate)


def offers_in_case(offers: tuple[Offer, ...], case: PriceCase) -> tuple[Offer, ...]:
    """Offers at the rates that count; law: the very same tuple at mid.

    Shapes: one for each offer, in order; ids stay.
    """
    return offers if case is PriceCase.MID else tuple(offer_in_case(offer, case) for offer in offers)


def without_own_rate(offers: Iterable[Offer], case: PriceCase) -> tuple[Offer, ...]:
    """The priced offers that count with their mid rate in a case since they state no other.

    In given order; offers without a mid rate are left out. At mid it is empty.
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
"""Fields of an owned offer that count as 0 where nobody states them; `pue` is then the assumption."""
OWNED_FIELDS: Final = ("capex_usd_per_gpu", "life_months", *COUNTED_AS_NONE, "pue")
"""What an owned offer is worked out from; other offers leave it empty."""


def is_owned(offer: Offer) -> bool:
    """Whether it is GPUs of our own."""
    return offer.pricing_category is PricingCategory.OWNED


def owned_inputs(
    offer: Offer, wacc: float, pue: float, exchange: Decimal | None = Decimal(1)
) -> dict[str, float | None]:
    """What its rate is worked out from, by the keys of OWNED.

    wacc: cost of capital, a ratio a year; pue: of the assumptions, where the offer states none; exchange: units of the
    money counted in of one unit of that quoted in, None: unknown. What is not stated counts as 0; without price or life
    the rate is unknown.
    """

    def amount(quoted: Decimal | None) -> float | None:
        """Of money, 0 where it is not stated."""
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
    """Offers with the rate and the term of those that are owned; law: the very same tuple where nothing changes.

    wacc, pue: as in `owned_inputs`. An owned offer whose price or life nobody states has no rate: a quote is needed.
    Its rate is the one that follows, whatever its list states. Source: docs/formulas/prices.md, Owned GPUs.
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
    """An owned offer that costs so many times as much, all of it: its rate is then as many times what it was."""
    rate = offer.rate_usd_per_gpu_hour
    costs = {name: cost * factor for name in MONEY if (cost := getattr(offer, name)) is not None}
    return replace(offer, rate_usd_per_gpu_hour=None if rate is None else rate * factor, **costs)


def unstated(offer: Offer) -> tuple[str, ...]:
    """The fields of an owned offer that count as 0 since nobody states them."""
    return tuple(name for name in COUNTED_AS_NONE if getattr(offer, name) is None)


def has_owned(offers: Iterable[Offer]) -> bool:
    """Whether some of them are owned."""
    return any(map(is_owned, offers))
