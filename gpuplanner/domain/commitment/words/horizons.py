"""Horizons in words: names and meanings."""

from typing import Final

from gpuplanner.domain.commitment.plan.comparison import Horizon
from gpuplanner.domain.message import capital, worded

HORIZON_NAMES: Final = {
    Horizon.NEXT_MONTH: capital(worded("next month")),
    Horizon.MONTH_12: worded("Month 12"),
    Horizon.TWELVE_MONTHS: worded("12 months in total"),
}
HORIZON_MEANINGS: Final = {
    Horizon.NEXT_MONTH: worded("First of the twelve months, from plan start"),
    Horizon.MONTH_12: worded("Month 12, at its own demand and prices"),
    Horizon.TWELVE_MONTHS: worded("Sum of 12 months, each at its own demand and prices"),
}
