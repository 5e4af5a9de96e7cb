"""What a planner does with figures of the business: give them, by month."""

import re
from collections.abc import Iterable
from math import isfinite
from typing import Final

from gpuplanner.domain.edits.find import with_values
from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.business import BusinessFigure
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.project import Project

LARGEST: Final = 10**15
LONGEST_NAME: Final = 80
_MONTH: Final = re.compile(r"(19|20|21)\d\d-(0[1-9]|1[0-2])")


def add_business(project: Project, figures: Iterable[BusinessFigure]) -> Project:
    """The project with these figures too; one of a name and month that is there already takes its place.

    Errors: PlannerError for a figure that cannot be (`check_business`).
    """
    both = {(one.name, one.month): one for one in (*project.business, *map(check_business, figures))}
    return with_values(project, business=tuple(sorted(both.values())))


def check_business(one: BusinessFigure) -> BusinessFigure:
    """The figure with its name trimmed. Errors: PlannerError for no name, no month, or no number above 0."""
    name = str(one.name).strip()
    if not 1 <= len(name) <= LONGEST_NAME:
        what = worded(
            "a business figure needs a name of at most {longest} signs", longest=whole(LONGEST_NAME)
        )
        raise PlannerError("figure", "usage", what, worded("name it, as in orders"))
    if not isinstance(one.month, str) or not _MONTH.fullmatch(one.month):
        raise PlannerError(
            name,
            "usage",
            worded("{month} is no month", month=repr(one.month)[:40]),
            worded("write it as 2026-08"),
        )
    value = one.value
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not isfinite(value) or not 0 < value <= LARGEST:
        what = worded("{value} is no count of {name}", value=repr(value)[:40], name=name)
        raise PlannerError(name, "usage", what, worded("enter a number above 0"))
    return BusinessFigure(name, one.month, float(value))
