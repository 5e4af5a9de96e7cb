"""The price book: fields of an offer, answers to RFQs, and all-in rates."""

from collections.abc import Callable, Iterable, Mapping
from datetime import date, timedelta
from decimal import Decimal
from functools import lru_cache
from typing import Final

from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.order import OFFER_PAIR, OWNED, PUE_LIMITS
from gpuplanner.domain.figures.typed import exact, significant, whole
from gpuplanner.domain.figures.writing import QUOTE_NEEDED
from gpuplanner.domain.message import Message, Text, capital, joined, lowered, worded
from gpuplanner.domain.model.book.exchange import SIGNS, before_amount
from gpuplanner.domain.model.book.extras import EXTRA_TITLES, Extras
from gpuplanner.domain.model.book.offer import Offer, is_owned, months_of_days
from gpuplanner.domain.model.errors import PlannerError, refusal
from gpuplanner.domain.model.intake import issued_on
from gpuplanner.domain.model.project import INTERCONNECTS
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.domain.model.window import DAY_S, Window, instant_s, is_day, iso_day
from gpuplanner.lazy_dataclass import dataclass, replace
from gpuplanner.lazy_re import lazy_re

# --- The price book: fields that a user may edit, offers that are out of date, and all-in rates ---

OfferValue = Decimal | float | int | bool | str | None

STALE_DAYS: Final = 90
"""An offer dated more than this many days before the window's end is stale."""
LONGEST_TEXT: Final = 300

CATEGORY_WORDS: Final[Mapping[PricingCategory, Text]] = {
    PricingCategory.STANDARD: worded("on demand"),
    PricingCategory.COMMITTED: worded("committed"),
    PricingCategory.DYNAMIC: worded("spot"),
    PricingCategory.OWNED: worded("owned"),
}
"""Words for the categories of offers."""

_EPOCH: Final = date(1970, 1, 1)
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


# ---------------------------------------------------------------- age of a price


def oldest_fresh_date(window: Window) -> str:
    """Return the first ISO date that is not stale: STALE_DAYS UTC days before the end of the window."""
    return (_EPOCH + timedelta(days=window.end_s // DAY_S - STALE_DAYS)).isoformat()


def is_stale(offer: Offer, window: Window) -> bool:
    """Return whether a priced offer's date is stale; False without a date or a rate."""
    return bool(offer.rate and offer.as_of and offer.as_of < oldest_fresh_date(window))


# ---------------------------------------------------------------- all-in rate of an offer


@dataclass(frozen=True, slots=True)
class AllIn:
    """All-in rate of an offer, $ per GPU-hour. upfront: spread over the term. extras: by name (None: unknown price).

    total: their sum (None: a part is unknown).
    """

    rate: float | None
    upfront: float
    extras: Extras
    total: float | None


HIDDEN_SHARES: Final = (0.20, 0.40)
"""Additional cost of idle time and egress on GPU-hour bills, by an article on the cost of inference (2026)."""


def all_in(offer: Offer) -> AllIn:
    """Return the all-in rate of an offer with all stated extras. Source: docs/formulas/prices.md, Price book."""
    rate, total, extras = offer.bare_rate, offer.spread_rate, offer.extras
    upfront = 0.0 if total is None or offer.rate is None else total - offer.rate
    return AllIn(rate, upfront, extras, None if None in extras.values() else total)


# ---------------------------------------------------------------- pairs of offers


@dataclass(frozen=True, slots=True)
class PricePair:
    """Two priced offers. below: how far the all-in rate of `lower` is below that of `higher`, 0..1."""

    lower: Offer
    higher: Offer
    below: float


def share_below(offer: Offer, chosen: Offer) -> float | None:
    """Return how far one offer's all-in rate is below another's, 0..1, negative if above; None if one is unknown.

    Source: figures/order.py.
    """
    given = {"rate": all_in(offer).total, "chosen_rate": all_in(chosen).total}
    return OFFER_PAIR.row(given, ["below"])["below"]


def widest_pair(offers: Iterable[Offer]) -> PricePair | None:
    """Return the pair of offers with the largest difference (ties: lowest offer_ids); None without two rates."""
    priced = [(total, offer.offer_id, offer) for offer in offers if (total := all_in(offer).total)]
    if not priced:
        return None
    lower, higher = min(priced)[-1], min(priced, key=lambda entry: (-entry[0], entry[1]))[-1]
    below = share_below(lower, higher)
    return PricePair(lower, higher, below) if below else None


def widest_alike(offers: Iterable[Offer]) -> PricePair | None:
    """Return the widest pair of offers with the same category and term.

    Ties: lowest offer_ids. None if no category and term has two rates.
    """
    groups: dict[tuple[PricingCategory, int], list[Offer]] = {}
    for offer in offers:
        groups.setdefault((offer.pricing_category, offer.term_months), []).append(offer)
    pairs = [pair for group in groups.values() if (pair := widest_pair(group)) is not None]
    return min(pairs, key=lambda pair: (-pair.below, pair.lower.offer_id, pair.higher.offer_id), default=None)


# --- An offer's source, which states the RFQ row that it answers, and the requested start ---------

SLA_ASKED_PERCENT: Final = 99.9
"""SLA that an RFQ requests per month by default, in percent."""

OF_OPTION: Final = " option"
TAKEN: Final = " as quoted"
"""Marks the source of an offer that the buyer accepts despite its remark."""
_SOURCE: Final = lazy_re(
    rf"(?s)(Quote (\S+) (R[1-9]\d*)({OF_OPTION})?(?: for (\d{{4}}-\d\d-\d\d))?(?: at (\d{{1,3}}(?:\.\d+)?)%)?)"
    rf"({TAKEN})?(?:$|; (.*))"
)
_NOTED: Final = lazy_re(rf"(?s)(Noted in [^;]+?)({TAKEN})?; (.+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """The RFQ row of an offer. asked_for, issued: requested start and date of the RFQ, ISO; None: not stated.

    sla_percent: requested per month; 0: none. remark: by the vendor. is_taken: accepted as quoted by the buyer.
    is_option: the row is wanted only if recent demand continues.
    """

    reference: str
    row: str
    asked_for: str | None
    issued: str | None
    sla_percent: float = SLA_ASKED_PERCENT
    remark: str = ""
    is_taken: bool = False
    is_option: bool = False


def quote_source(
    reference: str,
    row: str,
    remark: str = "",
    asked_for: str | None = None,
    sla_percent: float = SLA_ASKED_PERCENT,
    *,
    is_option: bool = False,
) -> str:
    """Return the source of an offer that answers an RFQ row; a remark that is too long is cut and ends in ….

    asked_for: requested start, an ISO date. sla_percent: 0 if not requested.

    >>> quote_source("RFQ-20260930-7C1E", "R2", "two sites", "2026-12-01", 99.95)
    'Quote RFQ-20260930-7C1E R2 for 2026-12-01 at 99.95%; two sites'
    """
    named = f"Quote {reference} {row}{OF_OPTION if is_option else ''}" + (
        f" for {asked_for}" if asked_for else ""
    )
    named += "" if sla_percent == SLA_ASKED_PERCENT else f" at {sla_percent:.10g}%"
    text = "; ".join(filter(None, (named, remark)))
    return text if len(text) <= LONGEST_TEXT else f"{text[: LONGEST_TEXT - 1]}…"


def named_in(source: str) -> str:
    """Return the part of a source that names the RFQ row or the list, without the remark; "" without one."""
    match = _SOURCE.match(source) or _NOTED.match(source)
    return "" if match is None else match[1]


def noted_source(source: str, note: str) -> str:
    """Return the source of an offer in a vendor's own list (file or list name) with the row's remark.

    >>> noted_source("vela.xlsx", "plus VAT"), noted_source("vela.xlsx", "")
    ('Noted in vela.xlsx; plus VAT', 'vela.xlsx')
    """
    named = source if named_in(source) else f"Noted in {source.replace(';', ',')}"
    text = f"{named}; {note}" if note else source
    return text if len(text) <= LONGEST_TEXT else f"{text[: LONGEST_TEXT - 1]}…"


def remark_on(offer: Offer) -> tuple[str, bool]:
    """Return a vendor's remark on an offer, and whether the buyer accepted it as quoted; "" without a remark.

    >>> from gpuplanner.domain.model.tables import PricingCategory
    >>> quote = Offer(
    ...     offer_id="a",
    ...     gpu_model="H100",
    ...     pricing_category=PricingCategory.COMMITTED,
    ...     term_months=12,
    ...     rate_usd_per_gpu_hour=None,
    ...     source=noted_source("a.csv", "plus VAT"),
    ... )
    >>> remark_on(quote)
    ('plus VAT', False)
    """
    if (answered := answered_row(offer)) is not None:
        return answered.remark, answered.is_taken
    match = _NOTED.match(offer.source or "")
    return ("", False) if match is None else (match[3], match[2] is not None)


def quote_id(vendor: str, reference: str, row: str) -> str:
    """Return the offer_id of a vendor's answer to an RFQ row.

    >>> quote_id("Vela", "RFQ-20260930-7C1E", "R2")
    'quote Vela RFQ-20260930-7C1E R2'
    """
    return f"quote {vendor} {reference} {row}"


def answered_row(offer: Offer) -> Answered | None:
    """Return the RFQ row that an offer answers; None without one.

    >>> from gpuplanner.domain.model.tables import PricingCategory
    >>> source = "Quote RFQ-20260930-7C1E R2; two sites"
    >>> quote = Offer(
    ...     offer_id="a",
    ...     gpu_model="H100",
    ...     pricing_category=PricingCategory.COMMITTED,
    ...     term_months=12,
    ...     rate_usd_per_gpu_hour=None,
    ...     source=source,
    ... )
    >>> said = answered_row(quote)
    >>> (said.reference, said.row, said.issued, said.remark)
    ('RFQ-20260930-7C1E', 'R2', '2026-09-30', 'two sites')
    """
    return None if offer.source is None else _answered(offer.source)


@lru_cache(maxsize=4096)
def _answered(source: str) -> Answered | None:
    """Parse a source; None if it names no RFQ row."""
    match = _SOURCE.match(source)
    if match is None:
        return None
    return Answered(
        reference=match[2],
        row=match[3],
        asked_for=_day(match[5]),
        issued=issued_on(match[2]),
        sla_percent=SLA_ASKED_PERCENT if match[6] is None else float(match[6]),
        remark=match[8] or "",
        is_taken=match[7] is not None,
        is_option=match[4] is not None,
    )


def _day(text: str | None) -> str | None:
    """Return the text if it is an ISO date, otherwise None."""
    return text if text and is_day(text) else None


@dataclass(frozen=True, slots=True)
class QuotedStart:
    """The start of a quote, days in epoch seconds. asked_s: requested. offered_s: the vendor's, if later, otherwise
    the same. is_at_once: requested from the day of the RFQ on.
    """

    asked_s: int
    offered_s: int
    is_at_once: bool


def quoted_start(offer: Offer) -> QuotedStart | None:
    """Return the start of a quote; None if an offer answers no RFQ, or no date is stated."""
    answered = answered_row(offer)
    if answered is None:
        return None
    own_s = None if offer.starts_s is None else offer.starts_s - offer.starts_s % DAY_S
    asked_s = own_s if answered.asked_for is None else instant_s(answered.asked_for)
    if asked_s is None:
        return None
    issued_s = None if answered.issued is None else instant_s(answered.issued)
    return QuotedStart(asked_s, max(asked_s, own_s or asked_s), asked_s == issued_s)


# --- Pairs of providers: difference of rates for the same GPU model


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderPair:
    """Rates of a GPU model, $ per GPU-hour. percent_below: 0..100. like_for_like: same category and term."""

    gpu_model: str
    provider: str
    against: str
    usd_per_gpu_hour: float
    against_usd_per_gpu_hour: float
    percent_below: float
    like_for_like: bool


def price_pairs(offers: Iterable[Offer]) -> tuple[ProviderPair, ...]:
    """Return for every two providers of a GPU model the cheaper rate against the other's: for each category and term
    that
    both sell, and the cheapest rate of one, whatever its terms, against the other's on-demand rate.

    Sorted by model, other provider, and largest difference first. Source: docs/formulas/savings.md, One provider alone.
    """
    rates: dict[tuple[str, str], dict[tuple[str, float], float]] = {}
    for offer in offers:
        rate, terms = offer.spread_rate, (offer.pricing_category.value, offer.term_hours)
        if offer.provider and rate and offer.pricing_category is not PricingCategory.OWNED:
            of = rates.setdefault((offer.gpu_model, offer.provider), {})
            of[terms] = min(rate, of.get(terms, rate))
    by_use, below = (PricingCategory.STANDARD.value, 0.0), list[ProviderPair]()
    for (model, name), own in rates.items():
        for other, theirs in (
            (who, ways) for (of, who), ways in rates.items() if of == model and who != name
        ):
            pairs = [(own[terms], theirs[terms], True) for terms in own if terms in theirs]
            cheapest = min(own, key=lambda terms: own[terms])
            if cheapest != by_use and by_use in theirs:
                pairs.append((own[cheapest], theirs[by_use], False))
            below += [
                ProviderPair(
                    gpu_model=model,
                    provider=name,
                    against=other,
                    usd_per_gpu_hour=rate,
                    against_usd_per_gpu_hour=against,
                    percent_below=100 * (1 - rate / against),
                    like_for_like=alike,
                )
                for rate, against, alike in pairs
                if rate < against
            ]
    return tuple(
        sorted(below, key=lambda pair: (pair.gpu_model, pair.against, -pair.percent_below, pair.provider))
    )
