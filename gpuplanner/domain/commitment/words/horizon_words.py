"""What horizons are called, and what each is."""

from typing import Final

from gpuplanner.domain.commitment.comparison.horizons import Horizon
from gpuplanner.domain.message import worded

HORIZON_NAMES: Final = {
    Horizon.NEXT_MONTH: worded("Next month"),
    Horizon.MONTH_12: worded("Month 12"),
    Horizon.TWELVE_MONTHS: worded("12 months in all"),
}
HORIZON_MEANINGS: Final = {
    Horizon.NEXT_MONTH: worded("A month with all of the plan's first month running"),
    Horizon.MONTH_12: worded("The last of the twelve months, at its own demand and prices"),
    Horizon.TWELVE_MONTHS: worded("All twelve months added up, each at its own demand and prices"),
}
