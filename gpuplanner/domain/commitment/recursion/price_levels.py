"""Price levels: what a price of today is in each month of a plan, on a path of all prices and by dated changes."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import pairwise
from math import prod
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.owned import is_owned, scaled
from gpuplanner.domain.model.book.quote_source import answered_row
from gpuplanner.domain.model.scenario.dated import PriceChange, factor_in
from gpuplanner.domain.model.window import MONTH_S

Levels = tuple[float, ...]
"""Of each month from month 0 on, a share of today's price; from its last month on it stays."""

FALL_PER_MONTH: Final = 0.012
RISE_PER_MONTH: Final = 0.029
MONTHS_OF_RISE: Final = 12
CUT: Final = 0.36
MONTH_OF_CUT: Final = 12
"""Source of the four: dated list prices of 2023 to 2026, resources/price_history.csv."""
PATH_DELTAS: Final[dict[str, float | None]] = {
    "fall": FALL_PER_MONTH,
    "cut": None,
    "flat": 0.0,
    "rise": None,
}
"""The paths in the order in which they are shown; those that are one price fall a month, with it."""


def falling(price_fall: float, months: int) -> Levels:
    """(1 - delta)^t.

    price_fall: delta, a ratio a month; below 0 prices rise. Returns one level for each month, month 0 first,
    which is 1.

    >>> falling(0.5, 3)
    (1.0, 0.5, 0.25)
    """
    return tuple((1 - price_fall) ** month for month in range(months))


def named_paths(months: int) -> dict[str, Levels]:
    """The four paths that prices may take: fall, cut, flat and rise. Source: docs/formulas.md, Price paths.

    months: how many levels each path has, month 0 first.
    """
    month = range(months)
    return {
        "fall": falling(FALL_PER_MONTH, months),
        "cut": tuple(1.0 if at < MONTH_OF_CUT else 1 - CUT for at in month),
        "flat": falling(0.0, months),
        "rise": tuple((1 + RISE_PER_MONTH) ** min(at, MONTHS_OF_RISE) for at in month),
    }


def over(levels: Levels, months: int) -> Floats:
    """Of so many months, (months,).

    levels: at least one; after its last it stays as it is.

    >>> over((1.0, 0.5), 4).tolist()
    [1.0, 0.5, 0.5, 0.5]
    """
    return np.asarray(levels, dtype=np.float64)[np.minimum(np.arange(months), len(levels) - 1)]


def times(path: Levels, dated: Levels, months: int) -> Levels:
    """A path with what dated changes make of it.

    Month by month the product. Without dated changes the very same path, so that it is told by identity.
    """
    if dated == (1.0,):
        return path
    return tuple((over(path, months) * over(dated, months)).tolist())


@dataclass(frozen=True, slots=True)
class Prices:
    """One path of all prices, and what dated changes make of those of one GPU model beside it.

    changes: after the plan begins. begins_s: when it does, epoch seconds.
    """

    path: Levels = (1.0,)
    changes: tuple[PriceChange, ...] = ()
    begins_s: int = 0

    def of_use(self, gpu_model: str | None, months: int) -> Floats:
        """What a price by use of today is in each month, (months,): the mean, by days, of the month.

        As a share of today's price; gpu_model None: no dated change speaks of it. A price change inside a
        month counts from its day on.
        Source: docs/formulas.md, Steps of prices.
        """
        return over(self.path, months) * self.dated_use(gpu_model, months)

    def when_signed(self, gpu_model: str | None, months: int) -> Floats:
        """What the rate of a contract signed for each month is, (months,): the price of the month's first moment.

        As a share of today's price; a contract keeps the price that it was signed at.
        Source: docs/formulas.md, Steps of prices.
        """
        path, mine = over(self.path, months), self._of(gpu_model)
        if not mine:
            return path
        first = [self.begins_s + month * MONTH_S for month in range(months)]
        dated = np.array([factor_in(mine, at_s, t, self.begins_s) for t, at_s in enumerate(first)])
        return np.asarray(path * dated, dtype=np.float64)

    def of_offer(self, offer: Offer, months: int) -> Floats:
        """What the rate of an offer is that is signed for each month, as a share of the rate stated, (months,).

        A quote is firm: it is what it is, whatever prices do until its start.
        Source: docs/formulas.md, Quotes.
        """
        return np.ones(months) if answered_row(offer) else self.when_signed(offer.gpu_model, months)

    def dated_use(self, gpu_model: str | None, months: int) -> Floats:
        """What dated changes alone make of a price by use, (months,).

        Ones where no change speaks of the model. The path is left out: it moves all models alike.
        """
        mine = self._of(gpu_model)
        if not mine:
            return np.ones(months)
        return np.array([self._mean_in(mine, month) for month in range(months)])

    def on(self, path: Levels) -> "Prices":
        """The same dated changes on another path."""
        return replace(self, path=path)

    def _of(self, gpu_model: str | None) -> tuple[PriceChange, ...]:
        """Changes of one GPU model; a project's list is short."""
        return tuple(change for change in self.changes if change.gpu_model == gpu_model)

    def _mean_in(self, changes: tuple[PriceChange, ...], month: int) -> float:
        """The mean over one month, each piece between two changes by its length."""
        start_s = self.begins_s + month * MONTH_S
        inside = (one.from_s for one in changes if start_s < one.from_s < start_s + MONTH_S and not one.by)
        edges = [start_s, *sorted(set(inside)), start_s + MONTH_S]
        parts = [
            (to_s - from_s) / MONTH_S * factor_in(changes, from_s, month, self.begins_s)
            for from_s, to_s in pairwise(edges)
        ]
        return sum(parts)


def at_first_day(
    offers: tuple[Offer, ...], changes: Sequence[PriceChange], begins_s: int
) -> tuple[Offer, ...]:
    """Offers at the prices of the day that a plan begins: what changed up to then has happened. Quotes are firm.

    Law: the very same tuple where nothing did.
    """
    past = tuple(change for change in changes if change.from_s <= begins_s)
    if not past:
        return offers
    return tuple(
        offer
        if answered_row(offer)
        else _times(offer, [one.factor for one in past if one.gpu_model == offer.gpu_model])
        for offer in offers
    )


def _times(offer: Offer, factors: Sequence[float]) -> Offer:
    """The offer at its rate times every factor, exactly; the offer itself where there is nothing to change."""
    rate = offer.rate_usd_per_gpu_hour
    if not factors or rate is None:
        return offer
    whole = prod((Decimal(str(factor)) for factor in factors), start=Decimal(1))
    return scaled(offer, whole) if is_owned(offer) else replace(offer, rate_usd_per_gpu_hour=rate * whole)
