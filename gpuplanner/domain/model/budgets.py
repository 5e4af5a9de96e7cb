"""Budgets of teams: largest chargeback per month."""

from math import isfinite
from typing import Final

from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import refusal

LARGEST_BUDGET: Final = 10**12
"""Largest budget per month, in the project's currency."""
LONGEST_TEAM: Final = 200
"""Characters in a team name."""


def check_budget(team: str, usd_per_month: object) -> float:
    """Return a checked budget as a float.

    usd_per_month: in the project's currency. Errors: PlannerError for a team without a name, or an amount that is not
    between 0 and 10**12.
    """
    if not 1 <= len(team.strip()) <= LONGEST_TEAM:
        problem = worded("team names have at most {longest} characters", longest=whole(LONGEST_TEAM))
        raise refusal("team", problem, worded("name the team as the log does"))
    is_number = isinstance(usd_per_month, int | float) and not isinstance(usd_per_month, bool)
    if not is_number or not isfinite(float(usd_per_month)) or not 0 <= float(usd_per_month) <= LARGEST_BUDGET:  # type: ignore[arg-type]
        problem = worded("{value} is not allowed", value=str(usd_per_month)[:40])
        raise refusal(team, problem, worded("enter an amount per month, 0 or more"))
    return float(usd_per_month)  # type: ignore[arg-type]
