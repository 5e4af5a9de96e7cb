"""The policy of each slice: wait, or commit to a term, whichever costs least from here to the horizon."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from gpuplanner.domain.commitment.rates import TermRates
from gpuplanner.domain.commitment.result import Floats
from gpuplanner.domain.commitment.walk import after_months
from gpuplanner.domain.model.cube import Ints
from gpuplanner.domain.model.window import HOURS_PER_MONTH

Flags = npt.NDArray[np.bool_]

TIE: Final = 1e-12
NOT_BUSY: Final = 1e-12
"""A share of hours that is only rounding: a thousandth of a GPU for a second in a year is more."""
IMPOSSIBLE_USD: Final = 1e200
"""Stands for infinity, so that impossible states add up without NaN."""


@dataclass(frozen=True, slots=True)
class Market:
    """What the recursion assumes: ratios a month (wacc a year), months to the horizon."""

    horizon_months: int
    churn: float
    price_fall: float
    sigma: float
    wacc: float

    @property
    def beta(self) -> float:
        """Worth today of a dollar next month."""
        return float((1 + self.wacc) ** (-1 / 12))


@dataclass(frozen=True, slots=True, eq=False)
class Policy:
    """The cheapest policy of every slice.

    Shapes: value (levels, slices), $ from month 0 on; choice (months, slices) along today's level: the column of
    TermRates.terms to commit to, -1 to wait; by_month (months + 1, levels, slices), $ from each month on.
    """

    value: Floats
    choice: Ints
    by_month: Floats


def cheapest_policy(
    shares: Floats,
    state_of_month: Ints,
    rates: TermRates,
    flex_rate: float | None,
    market: Market,
    widths: Floats | float,
    closed: Flags | None = None,
) -> Policy:
    """Backward recursion over months and levels, all slices at once (docs/formulas.md, Policy).

    Shapes: shares u_k (states, levels, slices); state_of_month (months,) says which state a month has;
    widths b_k, GPUs: (slices,), or one for all. closed (months, terms, slices): what a slice may not sign in the
    first months.
    A candidate replaces the best so far when it is lower by more than 1e-12 of it: wait first, then terms ascending.
    flex_rate None: a busy slice cannot wait.
    """
    horizon, beta = market.horizon_months, market.beta
    _, levels, slices = shares.shape
    today = levels // 2
    month_hours = HOURS_PER_MONTH * widths
    stays = beta * (1 - market.churn)
    spans = (1, *rates.terms)
    backwards = [stays**span * after_months(market.sigma, span) for span in spans]  # discounted E_T
    annuities = np.concatenate(([0.0], np.cumsum(beta ** np.arange(horizon))))  # 1 + beta + .. + beta^(n - 1)
    values = np.empty((horizon + 1, levels, slices))
    values[horizon] = 0.0
    choice = np.full((horizon, slices), -1, dtype=np.int64)
    lower, scratch = np.empty((levels, slices), dtype=np.bool_), np.empty((levels, slices))
    candidate = np.empty((levels, slices))
    for month in range(horizon - 1, -1, -1):
        price = (1 - market.price_fall) ** month
        busy, best = shares[state_of_month[month]], values[month]
        np.matmul(backwards[0], values[month + 1], out=best)
        if flex_rate is None:
            best[busy > NOT_BUSY] = IMPOSSIBLE_USD
        else:
            best += np.multiply(busy, month_hours * flex_rate * price, out=scratch)
        for column, term in enumerate(rates.terms):
            if rates.offer[month, column] < 0:
                continue
            paid = month_hours * rates.rate[month, column] * price * annuities[min(term, horizon - month)]
            if month + term < horizon:
                np.matmul(backwards[column + 1], values[month + term], out=candidate)
                candidate += paid
            else:
                candidate[:] = paid
            if closed is not None and month < len(closed):
                candidate[:, closed[month, column]] = np.inf
            np.multiply(best, 1 - TIE, out=scratch)
            np.less(candidate, scratch, out=lower)
            np.copyto(best, candidate, where=lower)
            choice[month, lower[today]] = column
    return Policy(values[0], choice, values)
