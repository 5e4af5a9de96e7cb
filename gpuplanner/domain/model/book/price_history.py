"""How GPU prices have moved: dated rates, the mean change of like with like, and the fall that they propose."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from math import exp, log
from typing import Final

from gpuplanner.domain.figures.typed import percent
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.offer_history import histories
from gpuplanner.domain.model.pool import PricingCategory

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


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
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

        >>> PriceFall("H100", "hyperscaler", 0.00449, 0.0, 0.01, "2024-01", "2026-01").proposed
        0.004
        """
        return round(self.per_month, 3)


def fall_words(fall: PriceFall) -> Message:
    """H100, hyperscaler: prices fell 0.3% a month from 2023-08 to 2026-10, by year from a fall of 1.4% to no change."""
    return worded(
        "{gpu_model}, {provider_kind}: {moved} from {first} to {last}, by year from {low} to {high}",
        gpu_model=fall.gpu_model,
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
    0: worded("prices stayed as they were"),
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
    for one in history:
        rate, day = one.rate or 0.0, one.as_of or ""
        change = months = 0.0
        if before is not None:
            change = log(rate / (before.rate or rate))
            months = (date.fromisoformat(day) - date.fromisoformat(before.as_of or day)).days / DAYS_PER_MONTH
        kind = (one.gpu_model, BOOK, one.pricing_category.value, one.term_months)
        rows.append(PriceMonth(*kind, day[:7], rate, rate, rate, 1, change, months, one.source or ""))
        before = one
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
    Source: docs/formulas.md, Price book.
    """
    found = sorted(rows, key=lambda row: row.month)
    followed = [row for row in found if row.series_months]
    fall = fall_per_month(found)
    if fall is None or sum(row.series_months for row in followed) < A_YEAR:
        return None
    if _number(found[-1].month) - _number(found[0].month) < A_YEAR:
        return None
    years = []
    for year in sorted({row.month[:4] for row in followed}):
        of_year = [row for row in followed if row.month[:4] == year]
        in_year = fall_per_month(of_year)
        if in_year is not None and sum(row.series_months for row in of_year) >= HALF_A_YEAR:
            years.append(in_year)
    first = found[0]
    return PriceFall(
        first.gpu_model,
        first.provider_kind,
        fall,
        min((fall, *years)),
        max((fall, *years)),
        first.month,
        found[-1].month,
    )


def proposed_falls(
    offers: Sequence[Offer], earlier: Sequence[Offer], months: Sequence[PriceMonth]
) -> tuple[PriceFall, ...]:
    """What is proposed for the GPU models of a price book, by model: of its own rates, else of the public ones by kind.

    Spot is left out: its rates say little of what prices of contracts and on demand do.
    """
    found: dict[tuple[str, str], PriceFall] = {}
    own = histories(offers, earlier)
    lasting: dict[str, list[Offer]] = {}
    for offer in offers:
        if offer.pricing_category != PricingCategory.DYNAMIC:
            lasting.setdefault(offer.gpu_model, []).append(offer)
    for model, of_model in lasting.items():
        fall = proposed_fall(row for one in of_model for row in own_rates(own[one.offer_id]))
        if fall is not None:
            found[model, BOOK] = fall
            continue
        kinds = {(provider_kind(one.provider), one.gpu_memory_gb): one for one in of_model}
        for one in kinds.values():  # price lists have thousands of offers, and few kinds of them
            fall = proposed_fall(public_rates(months, one))
            if fall is not None:
                found[model, fall.provider_kind] = replace(fall, gpu_model=model)
    return tuple(found[key] for key in sorted(found))


def months_of(first: str, last: str) -> list[str]:
    """Every ISO month from one to another, both in.

    >>> months_of("2025-11", "2026-02")
    ['2025-11', '2025-12', '2026-01', '2026-02']
    """
    return [f"{(at - 1) // 12}-{(at - 1) % 12 + 1:02d}" for at in range(_number(first), _number(last) + 1)]


def _number(month: str) -> int:
    """Months since year 0, so that months can be counted and compared."""
    return 12 * int(month[:4]) + int(month[5:7])
