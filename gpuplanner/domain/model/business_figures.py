"""Business figures by month, such as orders or users, for unit costs."""

from math import isfinite
from typing import Final

from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import refusal
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.lazy_re import lazy_re


@dataclass(frozen=True, slots=True, order=True)
class BusinessFigure:
    """A count of the business in a calendar month (UTC), such as orders.

    name: of the count. month: as 2026-08. value: above 0. key: key or name of the workload whose cost is divided by the
    count; "": all spend.
    """

    name: str
    month: str
    value: float
    key: str = ""

    @property
    def identity(self) -> tuple[str, str, str]:
        """Name, key and month: unique in a project, and its sort order."""
        return self.name, self.key, self.month


LARGEST: Final = 10**15
LONGEST_NAME: Final = 80
_MONTH: Final = lazy_re(r"(19|20|21)\d\d-(0[1-9]|1[0-2])")


def check_business(figure: BusinessFigure) -> BusinessFigure:
    """Return the figure with its name and key trimmed. Errors: PlannerError for a bad name or month, or a value not
    above 0.
    """
    name = str(figure.name).strip()
    if not 1 <= len(name) <= LONGEST_NAME:
        problem = worded(
            "business figure names have at most {longest} characters", longest=whole(LONGEST_NAME)
        )
        raise refusal("figure", problem, worded("name it, as in orders"))
    if not isinstance(figure.month, str) or not _MONTH.fullmatch(figure.month):
        raise refusal(
            name,
            worded("{value} is not allowed", value=repr(figure.month)[:40]),
            worded("write it as 2026-08"),
        )
    value = figure.value
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not isfinite(value) or not 0 < value <= LARGEST:
        problem = worded("{value} is not allowed", value=repr(value)[:40])
        raise refusal(name, problem, worded("enter a number above 0"))
    return BusinessFigure(name, figure.month, float(value), str(figure.key).strip())
