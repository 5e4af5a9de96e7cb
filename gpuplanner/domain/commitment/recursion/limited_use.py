"""Use that is limited: which slice of which month may be paid by use, and at what rate, where offers have a maximum."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Floats, Ints
from gpuplanner.domain.commitment.demand.busy import BusyTable
from gpuplanner.domain.commitment.recursion.calendar import Calendar
from gpuplanner.domain.commitment.recursion.rates import Flex
from gpuplanner.domain.commitment.slicing import Slicing
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.pool import PricingCategory
from gpuplanner.domain.model.window import MONTH_S

Blend = Callable[[frozenset[str]], tuple[Flex, Mapping[str, float]]]
"""r_flex of a row without some offers (by offer_id), and the share of its GPU-hours on each of the others."""

_ROUNDING: Final = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class LimitedUse:
    """What each slice pays by use in each month. Shapes: rate (months, slices), $ per GPU-hour at prices of today, NaN
    where nobody serves it; flex (slices,): place in `flexes` of what it pays in month 0."""

    rate: Floats
    flex: Ints
    flexes: tuple[Flex, ...]


@dataclass(frozen=True, slots=True, eq=False)
class UseAsked:
    """One row that asks for GPUs by use. offers: usage-priced and eligible; ratios: of mapped models, by offer_id.

    is_refused: nobody who may serve it sells by use: what is not signed is served by nobody.
    """

    offers: tuple[Offer, ...]
    blend: Blend
    busy: BusyTable
    slicing: Slicing
    ratios: Mapping[str, float] = field(default_factory=dict)
    is_refused: bool = False

    @property
    def is_limited(self) -> bool:
        """Whether what its slices pay is not one rate for all.

        Where it is False, one r_flex holds for all slices and months, and `limited_use` answers None.
        """
        return self.is_refused or is_limited(self.offers)


def usage_offers(eligible: Sequence[Offer]) -> tuple[Offer, ...]:
    """Offers paid by use that have a rate.

    On demand and spot, in given order. A rate of 0 counts as none stated.
    """
    categories = (PricingCategory.STANDARD, PricingCategory.DYNAMIC)
    return tuple(offer for offer in eligible if offer.pricing_category in categories and offer.rate)


def is_limited(offers: Sequence[Offer]) -> bool:
    """Whether one of these offers has a maximum, or days.

    A maximum of GPUs, or a first or last day of capacity. False without offers.
    """
    return any(offer.max_gpus is not None or offer.starts or offer.ends for offer in offers)


def limited_use(
    rows: Sequence[UseAsked | None], months: int, calendar: Calendar
) -> tuple[LimitedUse | None, ...]:
    """What every row may pay by use; None for rows without limits. rows: in the order in which offers are given out.

    Month by month the limits go to slices that are busy, from the highest of a row downward: each takes of an offer its
    GPUs times the share of the row's GPU-hours on it; an offer with too little left is closed to it, and it takes the
    next best. Source: docs/formulas.md, Policy.
    """
    if not any(row is not None and row.is_limited for row in rows):
        return tuple(None for _ in rows)
    tables = [_Table(row, months) if row is not None and row.is_limited else None for row in rows]
    known: dict[object, int] = {}
    for month in range(months):
        alike = tuple(
            (int(row.busy.state_of_month[month]), _closed_in(row.offers, month, calendar))
            for row, table in zip(rows, tables, strict=True)
            if row is not None and table is not None
        )
        first = known.setdefault(alike, month)
        if first < month:
            for table in tables:
                if table is not None:
                    table.copy(first, month)
            continue
        left = {
            offer.offer_id: float(offer.max_gpus)
            for row in rows
            if row is not None
            for offer in row.offers
            if offer.max_gpus is not None
        }
        for row, table in zip(rows, tables, strict=True):
            if row is not None and table is not None:
                table.give_out(month, left, _closed_in(row.offers, month, calendar))
    return tuple(None if table is None else table.answer() for table in tables)


def _closed_in(offers: Sequence[Offer], month: int, calendar: Calendar) -> frozenset[str]:
    """Offers whose capacity is not there through all of a month."""
    if calendar.begin_s is None:
        return frozenset()
    begin_s = calendar.begin_s + month * MONTH_S
    return frozenset(
        offer.offer_id
        for offer in offers
        if (offer.starts_s is not None and offer.starts_s > begin_s)
        or (offer.ends_s is not None and offer.ends_s < begin_s + MONTH_S)
    )


class _Table:
    """One row's answer in the making."""

    def __init__(self, row: UseAsked, months: int) -> None:
        """Nothing is served at first: rates are NaN until a slice finds an offer."""
        self._row = row
        self._blends: dict[frozenset[str], tuple[Flex, Mapping[str, float]]] = {}
        self._rate = np.full((months, row.slicing.count), np.nan)
        self._flexes: dict[Flex, int] = {}
        self._flex = np.zeros(row.slicing.count, dtype=np.int64)

    def copy(self, source: int, month: int) -> None:
        """A month that is like another."""
        self._rate[month] = self._rate[source]

    def give_out(self, month: int, left: dict[str, float], closed: frozenset[str]) -> None:
        """One month, highest slice first; what busy slices take is taken off `left`."""
        widths = self._row.slicing.widths.tolist()
        busy = self._row.busy.today(month) > 0
        for k in range(len(widths) - 1, -1, -1):
            flex, shares = self._open(closed, left, widths[k])
            self._rate[month, k] = np.nan if flex.rate is None else flex.rate
            if month == 0:
                self._flex[k] = self._flexes.setdefault(flex, len(self._flexes))
            if busy[k]:
                for offer_id, share in shares.items():
                    if offer_id in left:
                        left[offer_id] -= share * widths[k] / self._row.ratios.get(offer_id, 1.0)

    def _open(
        self, closed: frozenset[str], left: Mapping[str, float], width: float
    ) -> tuple[Flex, Mapping[str, float]]:
        """The blend that is open to a slice of this width: offers with too little left are closed one by one,
        the first by id, since each closure moves shares to the others.
        """
        while True:
            if closed not in self._blends:
                self._blends[closed] = self._row.blend(closed)
            flex, shares = self._blends[closed]
            short = [
                offer_id
                for offer_id, share in shares.items()
                if offer_id in left
                and share * width / self._row.ratios.get(offer_id, 1.0) > left[offer_id] + _ROUNDING
            ]
            if not short:
                return flex, shares
            closed = closed | {min(short)}

    def answer(self) -> LimitedUse:
        """What was found."""
        return LimitedUse(self._rate, self._flex, tuple(self._flexes))
