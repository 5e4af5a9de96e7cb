"""Changes of a plan's cost in words: the amount and its period."""

from collections.abc import Mapping

from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.commitment.plan.comparison import Horizon, HorizonRow, period_beside
from gpuplanner.ui.words import numbers

Changes = Mapping[Horizon, HorizonRow]
"""Changes of a plan by period, as `changes_of` returns them."""
PENDING = "\u2026"
"""Shown until a change is worked out."""


def change_words(row: HorizonRow) -> str:
    """Return +$82,848 in 12 months; empty if the change is unknown."""
    return "" if row.whole_changed is None else in_period(row.horizon, row.whole_changed)


def in_period(horizon: Horizon, whole_usd: int) -> str:
    """Return a change with its sign and its period. whole_usd: $ as written."""
    usd = numbers.dollar_change(whole_usd)
    if horizon is Horizon.NEXT_MONTH:
        return tr("{usd} next month", usd=usd)
    return (
        tr("{usd} in month 12", usd=usd) if horizon is Horizon.MONTH_12 else tr("{usd} in 12 months", usd=usd)
    )


def beside_words(horizon: Horizon, changes: Changes) -> str:
    """Return the change of next month if its sign differs from that of the period; else empty. See `period_beside`."""
    beside = period_beside(horizon, changes)
    return "" if beside is None else change_words(changes[beside])
