"""How GPU prices have moved: dated rates of offers, their mean change, and what the market asks."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from decimal import Decimal
from math import exp, log
from statistics import median
from typing import Final, NamedTuple

from gpuplanner.domain.figures.typed import percent
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.quote_source import answered_row
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.domain.model.window import HOURS_PER_MONTH, is_day
from gpuplanner.lazy_dataclass import dataclass, replace

# --- The dated rates of offers: which of two counts, which is kept as an earlier one, and the history of one offer


def is_dated(offer: Offer) -> bool:
    """Whether it says a rate and the day that it was of: only such a rate is worth keeping.

    A rate of 0 is none, and a day is an ISO date.
    """
    return offer.bare_rate is not None and offer.as_of is not None and is_day(offer.as_of)


def newest(offers: Iterable[Offer]) -> tuple[tuple[Offer, ...], tuple[Offer, ...]]:
    """Offers by id, and the dated rates that do not count. Law: no dated rate is lost.

    Of two of one id the newer counts where both say their day, else the one that comes later.
    """
    latest: dict[str, Offer] = {}
    earlier: list[Offer] = []
    for offer in offers:
        held = latest.get(offer.offer_id)
        latest[offer.offer_id] = offer if held is None else choose_current_offer(held, offer)
        earlier += [] if held is None else offers_to_keep(held, offer)
    return tuple(latest[offer_id] for offer_id in sorted(latest)), tuple(earlier)


def joined(book: Sequence[Offer], coming: Iterable[Offer]) -> tuple[tuple[Offer, ...], tuple[Offer, ...]]:
    """A price book with a list that joins it: of one offer, whatever its ids, the newer dated rate counts.

    Returns the offers, and the dated rates that do not count.
    """
    fresh, earlier = newest(coming)
    gone = set()
    for held, offer in _same_product(book, fresh):
        if is_dated(held) and is_dated(offer) and held.as_of != offer.as_of:
            older = held if choose_current_offer(held, offer) is offer else offer
            gone.add(older.offer_id)
            earlier = (*earlier, older)
    left = (offer for offer in (*book, *fresh) if offer.offer_id not in gone)
    offers, more = newest(left)
    return offers, (*earlier, *more)


def replaced(book: Sequence[Offer], coming: Iterable[Offer]) -> tuple[tuple[Offer, ...], tuple[Offer, ...]]:
    """A list in place of a price book: its offers, and the dated rates of these very offers that the book had.

    Returns the offers, and the dated rates that do not count.
    """
    fresh, earlier = newest(coming)
    by_id = {offer.offer_id: offer for offer in fresh}
    pairs = [(held, by_id[held.offer_id]) for held in book if held.offer_id in by_id]
    for held, offer in (*pairs, *_same_product(book, fresh)):
        earlier = (*earlier, *(before for before in offers_to_keep(held, offer) if before is held))
    return fresh, earlier


def with_earlier(known: Iterable[Offer], more: Iterable[Offer], offers: Iterable[Offer]) -> tuple[Offer, ...]:
    """Earlier dated rates, one an offer and day, by id and day; one that an offer has itself is none of them.

    Of two of one offer and day the later in the list counts.
    """
    own = {(offer.offer_id, offer.as_of) for offer in offers if is_dated(offer)}
    by_date = {(offer.offer_id, offer.as_of or ""): offer for offer in (*known, *more)}
    return tuple(by_date[key] for key in sorted(by_date) if key not in own)


def histories(offers: Sequence[Offer], earlier: Iterable[Offer]) -> dict[str, tuple[Offer, ...]]:
    """By offer_id the dated rates of an offer, oldest first, its own where its day puts it.

    Earlier ones are of its id, or of its product where no other offer is of that; of its model, category and term.
    """
    counts = Counter(map(_product, offers))
    ids = {offer.offer_id for offer in offers}
    by_id: dict[object, list[Offer]] = {}
    by_product: dict[object, list[Offer]] = {}
    for past in filter(is_dated, earlier):
        by_id.setdefault((past.offer_id, _kind(past)), []).append(past)
        if past.offer_id not in ids and _product(past) is not None:
            by_product.setdefault(_product(past), []).append(past)
    by_offer = {}
    for offer in offers:
        product = _product(offer)
        before = by_id.get((offer.offer_id, _kind(offer)), [])
        if product is not None and counts[product] == 1:
            before = [*by_product.get(product, ()), *before]
        by_day = {dated.as_of or "": dated for dated in (*before, *([offer] if is_dated(offer) else []))}
        by_offer[offer.offer_id] = tuple(by_day[day] for day in sorted(by_day))
    return by_offer


def choose_current_offer(held: Offer, coming: Offer) -> Offer:
    """Of two of one offer the one that counts: the newer where both say their day, else the one that comes."""
    days = [offer.as_of or "" for offer in (held, coming)]
    return held if all(map(is_day, days)) and days[0] > days[1] else coming


def offers_to_keep(held: Offer, coming: Offer) -> list[Offer]:
    """What is kept of the one that does not count: a rate of the same day was a mistake, one without a day nothing."""
    counts = choose_current_offer(held, coming)
    other = held if counts is coming else coming
    is_mistake = is_dated(counts) and counts.as_of == other.as_of
    return [other] if is_dated(other) and not is_mistake else []


def _kind(offer: Offer) -> tuple[object, ...]:
    """Model, category and term: what two offers of one product have in common whatever their provider."""
    return offer.gpu_model.casefold(), offer.pricing_category, offer.term_months, offer.term_days


def _product(offer: Offer) -> tuple[object, ...] | None:
    """What an offer is of, whatever its id; None where its provider is not known, and of a quote: it takes no list's
    place, for it is for one row of a request."""
    region = (offer.region or "").casefold()
    if offer.provider is None or answered_row(offer) is not None:
        return None
    return (offer.provider.casefold(), region, *_kind(offer))


def _same_product(book: Sequence[Offer], fresh: Sequence[Offer]) -> Iterator[tuple[Offer, Offer]]:
    """An offer of each under two ids, where each has one alone of that product."""
    of_fresh = {_product(offer): offer for offer in fresh}
    counts = [Counter(map(_product, offers)) for offers in (book, fresh)]
    ids = {offer.offer_id for offer in book} & {offer.offer_id for offer in fresh}
    for held in book:
        offer = of_fresh.get(_product(held))
        if _product(held) is None or offer is None or {held.offer_id, offer.offer_id} & ids:
            continue
        if all(count[_product(held)] == 1 for count in counts):
            yield held, offer


# --- How GPU prices have moved: dated rates, the mean change of like with like, and the fall that they propose

BOOK: Final = "price book"
"""In place of a kind of provider: the planner's own dated rates."""
A_YEAR: Final = 12
"""Months that a history has to span, and its series to have been followed, before it proposes anything."""
HALF_A_YEAR: Final = 6
"""Months that series have to have been followed in a calendar year, for the year to count in the range."""
DAYS_PER_MONTH: Final = 365 / 12

KINDS_OF_PROVIDERS: Final = (
    ("hyperscaler", ("aws", "amazon", "azure", "microsoft", "google", "gcp", "oracle", "oci", "alibaba")),
    ("marketplace", ("vast", "prime intellect", "marketplace")),
)
"""Kind of provider -> words of the names of those that are; all others are neoclouds."""

KIND_WORDS: Final = {
    BOOK: worded("your own dated rates"),
    "hyperscaler": worded("hyperscalers"),
    "neocloud": worded("neoclouds"),
    "marketplace": worded("marketplaces"),
}
"""Whose rates a history is of, in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceMonth:
    """One month of one GPU model, kind of provider and term: a row of resources/price_history.csv.

    month: ISO year and month; rates in $ per GPU-hour: the median, lowest and highest of `series` series; log_change:
    summed log change of those series since each was last seen, over series_months months of theirs in all; source:
    the repositories and pages that the rates were read from. Of the planner's own rates a row is one dated rate.
    """

    gpu_model: str
    provider_kind: str
    pricing_category: str
    term_months: int
    month: str
    rate_usd_per_gpu_hour: float
    rate_low: float
    rate_high: float
    series: int
    log_change: float
    series_months: float
    source: str


def fall_per_month(months: Iterable[PriceMonth]) -> float | None:
    """Mean monthly fall of prices over some rows, a ratio (negative: a rise); None where no series was seen twice.

    Each series counts by the months that it was followed, so that series that come and go move nothing.
    Source: matched-model price index (ILO et al., Consumer Price Index Manual 2020, ch. 7).
    """
    rows = list(months)
    followed = sum(row.series_months for row in rows)
    return 1 - exp(sum(row.log_change for row in rows) / followed) if followed else None


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceFall:
    """What the history of one GPU model proposes as price fall, a ratio a month (below 0: a rise).

    provider_kind: of the public rates, or BOOK; low, high: of its calendar years; first, last: ISO months.
    """

    gpu_model: str
    provider_kind: str
    per_month: float
    low: float
    high: float
    first: str
    last: str

    @property
    def proposed(self) -> float:
        """The value that `delta` would take: to a tenth of a percent, more the history does not know.

        >>> PriceFall(
        ...     gpu_model="H100",
        ...     provider_kind="hyperscaler",
        ...     per_month=0.00449,
        ...     low=0.0,
        ...     high=0.01,
        ...     first="2024-01",
        ...     last="2026-01",
        ... ).proposed
        0.004
        """
        return round(self.per_month, 3)


def fall_words(fall: PriceFall) -> Message:
    """H100, hyperscaler: prices fell 0.3% a month from 2023-08 to 2026-10, by year from a fall of 1.4% to no change."""
    return worded(
        "{model}, {provider_kind}: {moved} from {first} to {last}, by year from {low} to {high}",
        model=fall.gpu_model,
        provider_kind=KIND_WORDS[fall.provider_kind],
        moved=moved_words(fall.per_month),
        first=fall.first,
        last=fall.last,
        low=rate_change_words(fall.low),
        high=rate_change_words(fall.high),
    )


def moved_words(fall: float) -> Message:
    """Prices fell 0.3% a month. fall: a ratio a month; below 0 they rose.

    Under a tenth of a percent they stayed as they were.
    """
    return worded(_MOVED[_sign(fall)].template, percent=percent(abs(fall), 1))


def rate_change_words(fall: float) -> Message:
    """A rise of 0.2%. fall: as above."""
    return worded(_CHANGES[_sign(fall)].template, percent=percent(abs(fall), 1))


def _sign(fall: float) -> int:
    """1 for a fall, -1 for a rise, 0 where a tenth of a percent shows none."""
    tenths = round(1000 * fall)
    return (tenths > 0) - (tenths < 0)


_MOVED: Final = {
    1: worded("prices fell {percent} per month"),
    0: worded("prices stayed the same"),
    -1: worded("prices rose {percent} per month"),
}
_CHANGES: Final = {
    1: worded("a fall of {percent}"),
    0: worded("no change"),
    -1: worded("a rise of {percent}"),
}


def provider_kind(provider: str | None) -> str:
    """hyperscaler, marketplace or neocloud, by the name.

    Case does not matter; an unknown provider counts as a neocloud.

    >>> provider_kind("Amazon Web Services"), provider_kind(None)
    ('hyperscaler', 'neocloud')
    """
    words = (provider or "").casefold()
    return next(
        (kind for kind, names in KINDS_OF_PROVIDERS if any(name in words for name in names)), "neocloud"
    )


def own_rates(history: Sequence[Offer]) -> tuple[PriceMonth, ...]:
    """The dated rates of an offer, oldest first, as rows of a history.

    history: of one offer, as `histories` gives it, every one dated. The first row has no change.
    """
    rows = []
    before: Offer | None = None
    for dated in history:
        rate, day = dated.bare_rate or 0.0, dated.as_of or ""
        change = months = 0.0
        if before is not None:
            change = log(rate / (before.bare_rate or rate))
            months = (date.fromisoformat(day) - date.fromisoformat(before.as_of or day)).days / DAYS_PER_MONTH
        rows.append(
            PriceMonth(
                gpu_model=dated.gpu_model,
                provider_kind=BOOK,
                pricing_category=dated.pricing_category.value,
                term_months=dated.term_months,
                month=day[:7],
                rate_usd_per_gpu_hour=rate,
                rate_low=rate,
                rate_high=rate,
                series=1,
                log_change=change,
                series_months=months,
                source=dated.source or "",
            )
        )
        before = dated
    return tuple(rows)


def public_rates(months: Iterable[PriceMonth], offer: Offer) -> tuple[PriceMonth, ...]:
    """The rows of an offer's GPU model and kind of provider, spot left out unless it is spot itself.

    A model whose memory the offer states is looked for under that size too. Spot is compared with spot alone.
    """
    kind, is_spot = provider_kind(offer.provider), offer.pricing_category == PricingCategory.DYNAMIC
    names = {offer.gpu_model.casefold()}
    if offer.gpu_memory_gb:
        names.add(f"{offer.gpu_model} {offer.gpu_memory_gb:g}GB".casefold())
    return tuple(
        row
        for row in months
        if row.provider_kind == kind
        and row.gpu_model.casefold() in names
        and (row.pricing_category == PricingCategory.DYNAMIC) is is_spot
    )


def proposed_fall(rows: Iterable[PriceMonth]) -> PriceFall | None:
    """The fall over the rows of one GPU model, with that of its years; None where they are not a year of it.

    A year of it: 12 months from the first row to the last, and 12 months of series followed. The range is
    that of its calendar years with half a year of series, and takes in the fall itself.
    Source: docs/formulas/prices.md, Price book.
    """
    months = sorted(rows, key=lambda row: row.month)
    followed = [row for row in months if row.series_months]
    fall = fall_per_month(months)
    if fall is None or sum(row.series_months for row in followed) < A_YEAR:
        return None
    if _number(months[-1].month) - _number(months[0].month) < A_YEAR:
        return None
    years = []
    for year in sorted({row.month[:4] for row in followed}):
        of_year = [row for row in followed if row.month[:4] == year]
        in_year = fall_per_month(of_year)
        if in_year is not None and sum(row.series_months for row in of_year) >= HALF_A_YEAR:
            years.append(in_year)
    first = months[0]
    return PriceFall(
        gpu_model=first.gpu_model,
        provider_kind=first.provider_kind,
        per_month=fall,
        low=min((fall, *years)),
        high=max((fall, *years)),
        first=first.month,
        last=months[-1].month,
    )


def proposed_falls(
    offers: Sequence[Offer], earlier: Sequence[Offer], months: Sequence[PriceMonth]
) -> tuple[PriceFall, ...]:
    """What is proposed for the GPU models of a price book, by model: of its own rates, else of the public ones by kind.

    Spot is left out: its rates say little of what prices of contracts and on demand do.
    """
    falls: dict[tuple[str, str], PriceFall] = {}
    own = histories(offers, earlier)
    lasting: dict[str, list[Offer]] = {}
    for offer in offers:
        if offer.pricing_category != PricingCategory.DYNAMIC:
            lasting.setdefault(offer.gpu_model, []).append(offer)
    for model, of_model in lasting.items():
        fall = proposed_fall(row for offer in of_model for row in own_rates(own[offer.offer_id]))
        if fall is not None:
            falls[model, BOOK] = fall
            continue
        kinds = {(provider_kind(offer.provider), offer.gpu_memory_gb): offer for offer in of_model}
        for sample in kinds.values():  # price lists have thousands of offers, and few kinds of them
            fall = proposed_fall(public_rates(months, sample))
            if fall is not None:
                falls[model, fall.provider_kind] = replace(fall, gpu_model=model)
    return tuple(falls[key] for key in sorted(falls))


def months_of(first: str, last: str) -> list[str]:
    """Every ISO month from one to another, both in.

    >>> months_of("2025-11", "2026-02")
    ['2025-11', '2025-12', '2026-01', '2026-02']
    """
    return [f"{(at - 1) // 12}-{(at - 1) % 12 + 1:02d}" for at in range(_number(first), _number(last) + 1)]


def _number(month: str) -> int:
    """Months since year 0, so that months can be counted and compared."""
    return 12 * int(month[:4]) + int(month[5:7])


# --- What the market asks for a GPU family and a way to pay, and whether a rate is far from it ---

FAR_FACTOR: Final = 4
"""A rate over so many times the market, or under it divided by so many, is asked about."""

NEAR_FACTOR: Final = 3
"""A reading that brings a rate within it of the market is a likely one."""


@dataclass(frozen=True, slots=True)
class ListedRate:
    """One rate of the list that ships with the product. Units: $ per GPU-hour."""

    gpu_model: str
    provider: str
    pricing_category: str
    rate_usd_per_gpu_hour: float


MarketRates = dict[tuple[str, str], float]
"""By GPU family and pricing category: $ per GPU-hour."""


def market_rates(months: Iterable[PriceMonth], listed: Iterable[ListedRate]) -> MarketRates:
    """The latest rates of each family and category: the median of what its kinds of providers ask.

    Of a history the newest month of each series counts. Each kind of provider (hyperscaler, neocloud, marketplace)
    counts by the median of its own, so that a long list of one kind does not become the market.
    """
    newest: dict[tuple[str, str, str, int], PriceMonth] = {}
    for row in months:
        key = (row.gpu_model, row.pricing_category, row.provider_kind, row.term_months)
        if key not in newest or newest[key].month < row.month:
            newest[key] = row
    by_kind: dict[tuple[str, str], dict[str, list[float]]] = {}
    rates = [
        *(
            (row.gpu_model, row.pricing_category, row.provider_kind, row.rate_usd_per_gpu_hour)
            for row in newest.values()
        ),
        *(
            (row.gpu_model, row.pricing_category, provider_kind(row.provider), row.rate_usd_per_gpu_hour)
            for row in listed
        ),
    ]
    for family, category, kind, rate in rates:
        by_kind.setdefault((family, category), {}).setdefault(kind, []).append(rate)
    return {key: median(map(median, kinds.values())) for key, kinds in by_kind.items()}


class MarketRange(NamedTuple):
    """The lowest and the highest market rate, $ per GPU-hour; 0 where it is unknown."""

    low: float
    high: float


UNKNOWN_MARKET: Final = MarketRange(low=0.0, high=0.0)


def market_rate(rates: MarketRates, families: Sequence[str], category: PricingCategory | None) -> MarketRange:
    """The market of some families; UNKNOWN_MARKET where it is unknown.

    families: several where a name does not tell which (A100 without its size). A commitment of a family of which no
    committed rate is known is held against its on-demand rate; None is a commitment, as in contracts.
    """
    asked = category or PricingCategory.COMMITTED
    steps = (asked, PricingCategory.STANDARD) if asked is PricingCategory.COMMITTED else (asked,)
    for step in steps:
        known = [rate for family in families if (rate := rates.get((family, str(step)))) is not None]
        if known:
            return MarketRange(low=min(known), high=max(known))
    return UNKNOWN_MARKET


def is_far(rate: float, market: MarketRange) -> bool:
    """Whether a rate is over FAR_FACTOR times the market, or under it divided by that; no market: no answer.

    >>> market = MarketRange(low=3.9, high=3.9)
    >>> is_far(1980, market), is_far(2.5, market), is_far(0.9, market), is_far(9, UNKNOWN_MARKET)
    (True, False, True, False)
    """
    return market.high > 0 and (rate > FAR_FACTOR * market.high or rate < market.low / FAR_FACTOR)


READINGS: Final[tuple[tuple[Message, Decimal], ...]] = (
    (worded("cents an hour"), Decimal(100)),
    (worded("a node of 8 GPUs per hour"), Decimal(8)),
    (worded("a node of 4 GPUs per hour"), Decimal(4)),
    (worded("a GPU per month"), Decimal(HOURS_PER_MONTH)),
    (worded("a node of 8 GPUs per month"), Decimal(HOURS_PER_MONTH * 8)),
    (worded("a GPU per day"), Decimal(24)),
    (worded("a GPU per year"), Decimal(8760)),
    (worded("a GPU per second"), Decimal(1) / 3600),
    (worded("a GPU per minute"), Decimal(1) / 60),
)
"""What a number far from the market may be instead, and by what it is divided then."""


def likely_readings(rate: float, market: tuple[float, float], gpus: float = 1) -> list[tuple[Message, float]]:
    """The readings of a far rate that bring it near the market, the nearest first. gpus: of a contract.

    rate: $ per GPU-hour as it is written; market: lowest and highest rate, above 0. At most two, each with
    the rate that it comes to.
    """
    low, high = market
    readings = [(words, rate / float(divisor)) for words, divisor in READINGS]
    if gpus > 1:
        readings += [
            (worded("all its GPUs per hour"), rate / gpus),
            (worded("all its GPUs per month"), rate / gpus / HOURS_PER_MONTH),
        ]
    near = [(words, each) for words, each in readings if low / NEAR_FACTOR <= each <= high * NEAR_FACTOR]
    middle = (low * high) ** 0.5
    return sorted(near, key=lambda reading: max(reading[1] / middle, middle / reading[1]))[:2]
