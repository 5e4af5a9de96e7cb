"""What the advice minimizes and assumes, in words."""

from typing import Final

from gpuplanner.domain.figures.typed import percent
from gpuplanner.domain.message import Text, joined, worded
from gpuplanner.domain.model.assumptions import Assumptions

WHAT_THE_ADVICE_MINIMISES: Final = worded(
    "The advice minimizes expected cost over the horizon. With attrition, price decline and volatility, cheap long "
    "terms can cost more later."
)
"""Said wherever levels set by the user are next to the advice."""
AGES: Final = worded("Today counts all hours of the log equally; a plan weighs recent hours more.")


def churn_words(values: Assumptions, *, is_short: bool = False) -> Text:
    """Return the attrition in words: 1% per month, or 1% where short; by pool if not set."""
    churn = values.lambda_
    if churn is None:
        return worded("by pool")
    tenths = round(1000 * churn)
    value = percent(churn, 1 if tenths % 10 else 0)
    return joined((value,)) if is_short else worded("{value} per month", value=value)
