"""What a planner does with budgets of teams: give, change, take away."""

from collections.abc import Mapping
from math import isfinite
from typing import Final

from gpuplanner.domain.edits.find import with_values
from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.book.exchange import USD, exchange_between
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.project import Project

LARGEST_BUDGET: Final = 10**12
"""A month."""
LONGEST_TEAM: Final = 200
"""Signs of a name."""


def add_budgets(project: Project, budgets: Mapping[str, float]) -> Project:
    """The project with these budgets too, $ a month by team; one of a team that has one already takes its place.

    Errors: PlannerError for a budget that cannot be (`check_budget`).
    """
    stated = {team.strip(): check_budget(team, usd) for team, usd in budgets.items()}
    both = {**project.budgets, **stated}
    return with_values(project, budgets=dict(sorted(both.items())))


def add_dollar_budgets(project: Project, budgets: Mapping[str, float]) -> Project:
    """`add_budgets` of budgets in US dollars, in the money of the project.

    Errors: PlannerError as there, and where the rate of exchange that this needs is not stated.
    """
    into = exchange_between(USD, project.currency, project.exchange)
    if into is None:
        code = project.currency
        what = worded("budgets are US dollars, and no rate of {code} is stated", code=code)
        raise PlannerError(
            code, "usage", what, worded("state what one {code} is in US dollars first", code=code)
        )
    return add_budgets(project, {team: usd * float(into) for team, usd in budgets.items()})


def set_budget(project: Project, team: str, usd_per_month: float | None) -> Project:
    """The project with the budget of a team; None takes it away. Errors: PlannerError as for `add_budgets`."""
    if usd_per_month is not None:
        return add_budgets(project, {team: usd_per_month})
    return with_values(project, budgets={name: usd for name, usd in project.budgets.items() if name != team})


def check_budget(team: str, usd_per_month: object) -> float:
    """The budget as a number. Errors: PlannerError for no name, or no amount from 0 to a thousand billion."""
    if not 1 <= len(team.strip()) <= LONGEST_TEAM:
        what = worded(
            "a budget needs the name of a team, of at most {longest} signs", longest=whole(LONGEST_TEAM)
        )
        raise PlannerError("team", "usage", what, worded("name the team as the log does"))
    is_number = isinstance(usd_per_month, int | float) and not isinstance(usd_per_month, bool)
    if not is_number or not isfinite(float(usd_per_month)) or not 0 <= float(usd_per_month) <= LARGEST_BUDGET:  # type: ignore[arg-type]
        what = worded("{value} is no budget", value=str(usd_per_month)[:40])
        raise PlannerError(team, "usage", what, worded("enter an amount per month, 0 or more"))
    return float(usd_per_month)  # type: ignore[arg-type]
