"""An offer: what could be bought, at what rate, for how long."""

from dataclasses import dataclass
from decimal import Decimal
from math import ceil

from gpuplanner.domain.figures.order import ORDER
from gpuplanner.domain.model.book.contract import counted_amount
from gpuplanner.domain.model.pool import PricingCategory
from gpuplanner.domain.model.window import DAY_S, HOURS_PER_MONTH, day_of, instant_s


def hours_of_term(months: int, days: int | None) -> float:
    """Hours of a term: of its days where it is sold by the day, else of its months of 730 h."""
    return 24.0 * days if days else float(HOURS_PER_MONTH * months)


@dataclass(frozen=True, slots=True)
class Offer:
    """One row of a price list.

    Units: term_months 0 for usage-priced offers (STANDARD on demand, DYNAMIC spot); rates in $ per GPU-hour;
    max_gpus, min_gpus, unit_gpus (sold in nodes of) whole GPUs of its own model, None without a limit; upfront_usd $ a
    GPU, paid once; term_days of a commitment in days, whose term_months is then `months_of_days`; as_of an ISO date;
    starts, ends, valid_until ISO dates or times; gpu_model_written: as its list wrote it,
    where that is something else. Of an OWNED offer alone, whose rate and term follow from them (`owned.py`):
    capex_usd_per_gpu $ a GPU with its share of node, network and spares; life_months; residual_share of it that is left
    at the end, 0..1; kw_per_gpu rated; pue; usd_per_kwh; space_usd_per_kw_month; staff_usd_per_gpu_month.
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

    @property
    def rate(self) -> float | None:
        """$ per GPU-hour as a float: the quoted rate x exchange. None where either is unknown, or the rate is zero:
        that asks for a quote, it is not a gift.
        """
        return counted_amount(self.rate_usd_per_gpu_hour or None, self.exchange)

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
        return hours_of_term(self.term_months, self.term_days)

    @property
    def spread_rate(self) -> float | None:
        """$ per GPU-hour with the upfront payment spread over the term, where it has one; None: a quote is needed.

        Source: docs/formulas.md, Orders.
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

        Source: docs/formulas.md, Policy.
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
