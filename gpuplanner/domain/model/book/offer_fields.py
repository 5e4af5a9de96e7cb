"""Fields of an offer that a user may edit: their words, ranges, checks and typed values."""

from collections.abc import Callable
from decimal import Decimal
from typing import Final

from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.order import OWNED, PUE_LIMITS
from gpuplanner.domain.figures.typed import exact, significant, whole
from gpuplanner.domain.figures.writing import QUOTE_NEEDED
from gpuplanner.domain.message import Message, Text, capital, joined, lowered, worded
from gpuplanner.domain.model.book.exchange import SIGNS, before_amount
from gpuplanner.domain.model.book.extras import EXTRA_TITLES
from gpuplanner.domain.model.book.offer import Offer, is_owned, months_of_days
from gpuplanner.domain.model.errors import PlannerError, refusal
from gpuplanner.domain.model.hardware_needs import INTERCONNECTS
from gpuplanner.domain.model.tables import CATEGORY_WORDS, PricingCategory
from gpuplanner.domain.model.window import instant_s, is_day, iso_day
from gpuplanner.lazy_dataclass import dataclass, replace
from gpuplanner.lazy_re import lazy_re

OfferValue = Decimal | float | int | bool | str | None
LONGEST_TEXT: Final = 300
_PLAIN_NUMBER: Final = lazy_re(r"(?:\d{1,3}(?:,\d{3})+|\d{1,15})(?:\.\d{1,12})?")
_BAND: Final = ("rate_low", "rate_usd_per_gpu_hour", "rate_high")
_NONE_IF_ZERO: Final = (*_BAND, "upfront_usd", "capex_usd_per_gpu")
_MONEY_WORDS: Final[dict[str, Callable[[Text], Text]]] = {
    "$ per GPU": lambda rate: worded("{rate} per GPU", rate=rate),
    "$ per GPU-hour": lambda rate: worded("{rate} per GPU-hour", rate=rate),
    "$ per GB": lambda rate: worded("{rate} per GB", rate=rate),
    "$ per kWh": lambda rate: worded("{rate} per kWh", rate=rate),
    "$ per kW and month": lambda rate: worded("{rate} per kW and month", rate=rate),
    "$ per GPU and month": lambda rate: worded("{rate} per GPU and month", rate=rate),
}
"""Wording of an amount by unit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferField:
    """An editable field: `name` is the attribute of Offer. low, high: range of numbers. is_required: never empty."""

    name: str
    title: Text
    unit: Text
    kind: str  # text | money | number | integer | flag | category | interconnect | date | instant
    low: int = 0
    high: int = 0
    is_required: bool = False

    def value_words(self, value: OfferValue, currency: str = "USD") -> Text:
        """Return a value in words: $2.75 per GPU-hour, 12 months, yes, on demand; quote needed for a missing rate.

        currency: ISO code of the offer's amounts.
        """
        if value is None:
            return QUOTE_NEEDED if self.name == "rate_usd_per_gpu_hour" else worded("unknown")
        if self.kind == "category":
            return CATEGORY_WORDS[PricingCategory(str(value))]
        if isinstance(value, bool):
            return worded("yes") if value else worded("no")
        if self.kind == "money":
            rate = joined((before_amount(currency), exact(Decimal(str(value)))))
            return _MONEY_WORDS[str(self.unit)](rate)
        return (
            joined((significant(value, 10), self.unit), " ") if isinstance(value, int | float) else str(value)
        )


OFFER_FIELDS: Final = (
    OfferField(name="offer_id", title=worded("Offer"), unit="", kind="text", is_required=True),
    OfferField(name="provider", title=worded("Provider"), unit="", kind="text"),
    OfferField(name="gpu_model", title=worded("GPU model"), unit="", kind="text", is_required=True),
    OfferField(name="pricing_category", title=worded("Category"), unit="", kind="category", is_required=True),
    OfferField(
        name="term_months",
        title=titles.TERM,
        unit=worded("months"),
        kind="integer",
        low=0,
        high=120,
        is_required=True,
    ),
    OfferField(
        name="rate_low",
        title=worded("Low rate"),
        unit=worded("$ per GPU-hour"),
        kind="money",
        low=0,
        high=10_000,
    ),
    OfferField(
        name="rate_usd_per_gpu_hour",
        title=titles.RATE,
        unit=worded("$ per GPU-hour"),
        kind="money",
        low=0,
        high=10_000,
    ),
    OfferField(
        name="rate_high",
        title=worded("High rate"),
        unit=worded("$ per GPU-hour"),
        kind="money",
        low=0,
        high=10_000,
    ),
    OfferField(
        name="max_gpus",
        title=capital(worded("most GPUs")),
        unit=worded("GPUs"),
        kind="integer",
        low=1,
        high=10_000_000,
    ),
    OfferField(
        name="min_gpus",
        title=capital(worded("fewest GPUs")),
        unit=worded("GPUs"),
        kind="integer",
        low=1,
        high=10_000_000,
    ),
    OfferField(
        name="max_gpus_per_order",
        title=capital(worded("most GPUs per order")),
        unit=worded("GPUs"),
        kind="integer",
        low=1,
        high=10_000_000,
    ),
    OfferField(
        name="unit_gpus",
        title=worded("Sold in units of"),
        unit=worded("GPUs"),
        kind="integer",
        low=1,
        high=10_000,
    ),
    OfferField(
        name="upfront_usd",
        title=worded("Upfront"),
        unit=worded("$ per GPU"),
        kind="money",
        low=0,
        high=10_000_000,
    ),
    OfferField(name="sla_percent", title="SLA", unit=worded("% per month"), kind="number", low=0, high=100),
    OfferField(
        name="lead_time_hours",
        title=capital(worded("lead time")),
        unit=worded("hours"),
        kind="number",
        low=0,
        high=100_000,
        is_required=True,
    ),
    OfferField(
        name="lead_time_high_hours",
        title=worded("Longest lead time"),
        unit=worded("hours"),
        kind="number",
        low=0,
        high=100_000,
    ),
    OfferField(
        name="min_term_months",
        title=worded("Minimum term"),
        unit=worded("months"),
        kind="integer",
        low=0,
        high=120,
        is_required=True,
    ),
    OfferField(
        name="term_days", title=worded("Term in days"), unit=worded("days"), kind="integer", low=1, high=3_650
    ),
    OfferField(name="starts", title=capital(worded("available from")), unit="", kind="instant"),
    OfferField(name="ends", title=capital(worded("available until")), unit="", kind="instant"),
    OfferField(name="valid_until", title=worded("Valid until"), unit="", kind="instant"),
    *(
        OfferField(
            name=name,
            title=OWNED[key].title,
            unit=unit or OWNED[key].unit.label,
            kind=kind,
            low=low,
            high=high,
        )
        for name, key, kind, low, high, unit in (
            ("capex_usd_per_gpu", "capex_per_gpu", "money", 0, 10_000_000, ""),
            ("life_months", "life_months", "integer", 1, 120, ""),
            ("residual_share", "residual_share", "number", 0, 1, worded("share of the price")),
            ("kw_per_gpu", "kw_per_gpu", "number", 0, 1_000, ""),
            ("pue", "pue", "number", *PUE_LIMITS, ""),
            ("usd_per_kwh", "price_per_kwh", "money", 0, 1_000, ""),
            ("space_usd_per_kw_month", "space_per_kw_month", "money", 0, 1_000_000, ""),
        )
    ),
    *(
        OfferField(name=name, title=EXTRA_TITLES[key], unit=unit, kind=kind, low=0, high=high)
        for name, key, unit, kind, high in (
            ("staff_usd_per_gpu_month", "staff", worded("$ per GPU and month"), "money", 1_000_000),
            ("storage_usd_per_gpu_month", "storage", worded("$ per GPU and month"), "money", 1_000_000),
            ("network_usd_per_gpu_month", "network", worded("$ per GPU and month"), "money", 1_000_000),
            ("support_percent", "support", worded("% of rate"), "number", 100),
            ("setup_usd", "setup", worded("$ per GPU"), "money", 10_000_000),
        )
    ),
    OfferField(
        name="tokens_per_minute_per_unit",
        title=worded("Tokens per minute"),
        unit="",
        kind="number",
        low=0,
        high=10**12,
    ),
    OfferField(
        name="gpu_memory_gb", title=worded("Memory per GPU"), unit="GB", kind="number", low=0, high=10_000
    ),
    OfferField(name="bare_metal", title=worded("Bare metal"), unit="", kind="flag"),
    OfferField(name="interconnect", title=worded("Interconnect"), unit="", kind="interconnect"),
    OfferField(
        name="nic_gbps", title=worded("Node network"), unit="Gb/s", kind="number", low=0, high=100_000
    ),
    OfferField(name="rdma", title="RDMA", unit="", kind="flag"),
    OfferField(
        name="egress_usd_per_gb",
        title=worded("Egress"),
        unit=worded("$ per GB"),
        kind="money",
        low=0,
        high=1_000,
    ),
    OfferField(name="region", title=worded("Region"), unit="", kind="text"),
    OfferField(name="country", title=worded("Country"), unit="", kind="text"),
    OfferField(name="source", title=worded("Source"), unit="", kind="text"),
    OfferField(name="as_of", title=worded("As of"), unit="", kind="date"),
)
"""Editable fields of an offer, in the order of a price file."""
OFFER_FIELD_BY_NAME: Final = {spec.name: spec for spec in OFFER_FIELDS}


def with_value(offer: Offer, name: str, value: OfferValue) -> Offer:
    """Return the offer with one field changed; a rate of zero becomes None (quote needed).

    On-demand offers have no term, commitments at least a month. A term in days sets the months; another term in months
    clears the days. Errors: PlannerError for an unknown field, or a value that the offer cannot have.
    """
    spec = OFFER_FIELD_BY_NAME.get(name)
    if spec is None:
        raise refusal(
            name, worded("no such field"), worded("use one of {known}", known=", ".join(OFFER_FIELD_BY_NAME))
        )
    where = f"{offer.offer_id}, {lowered(spec.title)}"
    checked = _CHECKS[spec.kind](spec, where, value)
    if checked is None and spec.is_required:
        raise refusal(where, worded("it is empty"), worded("enter {spec}", spec=_asked(spec)))
    if name in _NONE_IF_ZERO and not checked:
        checked = None
    after = replace(offer, **{name: checked})  # type: ignore[arg-type]
    if name == "gpu_model":
        after = replace(after, gpu_model_written=None)
    if name == "pricing_category":
        is_commitment = after.pricing_category is PricingCategory.COMMITTED
        term = max(1, after.min_term_months, after.term_months) if is_commitment else 0
        after = replace(after, term_months=term, term_days=after.term_days if is_commitment else None)
    if is_owned(after):
        after = _as_owned(offer, after, name, where)
    if name == "term_days" and after.term_days:
        after = replace(after, term_months=months_of_days(after.term_days))
    elif name == "term_months" and after.term_months != offer.term_months:
        after = replace(after, term_days=None)
    _check_term(after, where)
    if name in _BAND:
        _check_band(after, where)
    return after


def _as_owned(before: Offer, after: Offer, name: str, where: str) -> Offer:
    """Return owned GPUs after a change: their term is their life; the project calculates their rate.

    Errors: PlannerError if the rate or term itself is changed.
    """
    if is_owned(before) and (name in _OF_VENDORS or name == "term_months") and after != before:
        problem = worded("it follows from ownership cost")
        raise refusal(where, problem, worded("change price, life, power, space or staff"))
    none = {} if is_owned(before) else _OF_VENDORS
    return replace(after, term_months=after.life_months or 0, **none)  # type: ignore[arg-type]


_OF_VENDORS: Final = {**dict.fromkeys((*_BAND, "upfront_usd", "term_days")), "min_term_months": 0}
"""Fields that an owned offer does not have."""


def check_offer(offer: Offer) -> Offer:
    """Return the offer if all fields are valid.

    Errors: PlannerError for the first bad field, in the order of a price file.
    """
    for spec in OFFER_FIELDS:
        with_value(offer, spec.name, getattr(offer, spec.name))
    return offer


def parse_offer_value(name: str, text: str) -> OfferValue:
    """Parse a typed value of a field: 2.75 or $2.75, 2026-10-01, yes; empty is unknown.

    Errors: PlannerError if it cannot be read; `with_value` checks the range.
    """
    spec, cleaned = OFFER_FIELD_BY_NAME[name], " ".join(text.split())
    if spec.kind in ("text", "date", "instant"):
        return cleaned or None
    lower = cleaned.lower()
    if not lower or lower in ("unknown", "none", "quote needed"):
        return None
    if spec.kind == "flag":
        known = {"yes": True, "true": True, "no": False, "false": False}
        return known.get(lower, cleaned)
    if spec.kind == "category":
        return next(
            (kind.value for kind, words in CATEGORY_WORDS.items() if str(words) == lower), cleaned.upper()
        )
    if spec.kind == "interconnect":
        return lower.replace(" ", "_")
    plain = lower.lstrip("".join(SIGNS.values())).strip()
    if not _PLAIN_NUMBER.fullmatch(plain):
        problem = worded("{cleaned} is not a number", cleaned=f"{cleaned!r:.40}")
        raise refusal(spec.title, problem, worded("enter {spec}", spec=_asked(spec)))
    number = Decimal(plain.replace(",", ""))
    if spec.kind == "money":
        return number
    return int(number) if number == number.to_integral_value() else float(number)


def _asked(spec: OfferField) -> Message:
    """Return the allowed values of a field in words."""
    words = {
        "text": worded("a name"),
        "flag": worded("yes or no"),
        "category": worded("on demand, committed, spot or owned"),
        "interconnect": worded("one of ") + ", ".join(INTERCONNECTS),
        "date": worded("a date such as 2026-10-01"),
        "instant": worded("a date such as 2026-10-01 or time such as 2026-10-01T11:30:00Z"),
    }
    return words.get(spec.kind) or worded(
        "{low} to {high} {unit}",
        low=significant(spec.low, 10),
        high=significant(spec.high, 10),
        unit=spec.unit,
    )


def _refused(spec: OfferField, where: str, value: object) -> PlannerError:
    """Return the error for a refused value; a long value is cut to 40 characters."""
    shown = f"{value:f}" if isinstance(value, Decimal) else f"{value!r:.40}"
    return refusal(
        where, worded("{value} is not allowed", value=shown), worded("enter {spec}", spec=_asked(spec))
    )


def _text(spec: OfferField, where: str, value: OfferValue) -> OfferValue:
    """Check a text; "" becomes None. Errors: PlannerError if it is no text, or too long."""
    if value is not None and (not isinstance(value, str) or len(value) > LONGEST_TEXT):
        raise refusal(
            where,
            worded("not a text, or too long"),
            worded("enter up to {most} letters", most=whole(LONGEST_TEXT)),
        )
    return value or None


def _money(spec: OfferField, where: str, value: OfferValue) -> OfferValue:
    """Check a finite Decimal within the field's range. Errors: PlannerError otherwise."""
    if value is None:
        return None
    if not isinstance(value, Decimal) or not value.is_finite() or not spec.low <= value <= spec.high:
        raise _refused(spec, where, value)
    return value


def _number(spec: OfferField, where: str, value: OfferValue) -> OfferValue:
    """Return a number within the field's range as a float. Errors: PlannerError otherwise."""
    if value is None:
        return None
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not spec.low <= value <= spec.high:  # type: ignore[operator]
        raise _refused(spec, where, value)
    return float(value)


def _integer(spec: OfferField, where: str, value: OfferValue) -> OfferValue:
    """Return a whole number within the field's range as an int. Errors: PlannerError otherwise."""
    number = _number(spec, where, value)
    if isinstance(number, float) and not number.is_integer():
        raise _refused(spec, where, value)
    return None if number is None else int(number)


def _flag(spec: OfferField, where: str, value: OfferValue) -> OfferValue:
    """Check a bool. Errors: PlannerError otherwise."""
    if value is not None and not isinstance(value, bool):
        raise _refused(spec, where, value)
    return value


def _category(spec: OfferField, where: str, value: OfferValue) -> OfferValue:
    """Return a category that offers can have; MIXED is not allowed. Errors: PlannerError otherwise."""
    if value is not None and value not in CATEGORY_WORDS:
        raise _refused(spec, where, value)
    return None if value is None else PricingCategory(str(value))


def _interconnect(spec: OfferField, where: str, value: OfferValue) -> OfferValue:
    """Check a name in INTERCONNECTS. Errors: PlannerError otherwise."""
    if value is not None and value not in INTERCONNECTS:
        raise _refused(spec, where, value)
    return value


def _date(spec: OfferField, where: str, value: OfferValue) -> OfferValue:
    """Check an ISO date; "" becomes None. Errors: PlannerError otherwise."""
    if not value:
        return None
    if not isinstance(value, str) or not is_day(value):
        raise _refused(spec, where, value)
    return value


def _instant(spec: OfferField, where: str, value: OfferValue) -> OfferValue:
    """Return a date or time in its stored form: the date, or to the second in UTC. Errors: PlannerError otherwise."""
    if not value:
        return None
    try:
        return iso_day(instant_s(str(value)))
    except (ValueError, OverflowError):
        raise _refused(spec, where, value) from None


_CHECKS: Final[dict[str, Callable[[OfferField, str, OfferValue], OfferValue]]] = {
    "text": _text,
    "money": _money,
    "number": _number,
    "integer": _integer,
    "flag": _flag,
    "category": _category,
    "interconnect": _interconnect,
    "date": _date,
    "instant": _instant,
}


def _check_term(offer: Offer, where: str) -> None:
    """Check that commitments have a term and on-demand offers have none. Errors: PlannerError otherwise.

    The term of owned GPUs is their life, and may be missing.
    """
    if is_owned(offer):
        return
    is_commitment = offer.pricing_category is PricingCategory.COMMITTED
    if is_commitment and offer.term_months < 1:
        raise refusal(where, worded("a commitment has no term"), worded("enter 1 month or more"))
    if not is_commitment and offer.term_months:
        words = CATEGORY_WORDS[offer.pricing_category]
        raise refusal(
            where, worded("{words} has no term", words=words), worded("make it committed first, or enter 0")
        )


def _check_band(offer: Offer, where: str) -> None:
    """Check that the stated low, mid and high rates rise. Errors: PlannerError otherwise."""
    low, mid, high = (getattr(offer, name) for name in _BAND)
    ordered = [rate for rate in (low, mid, high) if rate]
    if ordered != sorted(ordered):
        rates = " / ".join("none" if rate is None else f"{rate:f}" for rate in (low, mid, high))
        problem = worded("low / mid / high would be {text}", text=rates)
        raise refusal(where, problem, worded("enter low ≤ rate ≤ high"))
