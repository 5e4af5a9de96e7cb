"""What horizons are called."""

from typing import Final

from gpuplanner.domain.commitment.comparison.horizons import Horizon
from gpuplanner.domain.message import worded

HORIZON_NAMES: Final = {
    Horizon.NEXT_MONTH: worded("Next month"),
    Horizon.MONTH_12: worded("Month 12"),
    Horizon.TWELVE_MONTHS: worded("12 months in all"),
}
