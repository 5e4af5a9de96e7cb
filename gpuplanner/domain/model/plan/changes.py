"""Changes over time: steps of demand and of prices."""

from collections.abc import Sequence
from typing import Final

from gpuplanner.domain.figures.typed import significant
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import refusal
from gpuplanner.domain.model.window import MONTH_S
from gpuplanner.lazy_dataclass import dataclass

MOST_TIMES: Final = 1000.0
"""Largest factor of a step."""


@dataclass(frozen=True, slots=True)
class Step:
    """A factor that applies from an instant, epoch seconds. by: the factor grows evenly by month until that instant."""

    factor: float
    from_s: int
    by: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DemandChange:
    """A factor on demand from an instant, epoch seconds.

    target: as the user named it: a workload's key, a class, or `all`. keys: the workloads at that time; empty for
    `all`. by: as for Step.
    """

    target: str
    keys: tuple[str, ...]
    factor: float
    from_s: int
    by: bool = False


@dataclass(frozen=True, slots=True)
class PriceChange:
    """A factor on the rates of a GPU model's offers from an instant, epoch seconds: on demand and for new contracts.

    by: as for Step.
    """

    gpu_model: str
    factor: float
    from_s: int
    by: bool = False


def factor_in(
    changes: Sequence[Step | DemandChange | PriceChange], at_s: int, month: int, begins_s: int
) -> float:
    """Return the product of changes at an instant of a plan month.

    at_s, begins_s: the instant and the plan's start, epoch seconds. month: 0 for the first. A gradual change (`by`) is
    1 + (f - 1) t / n in month t, where n months come before the first month at or after its day, and f from there on.
    """
    factor = 1.0
    for change in changes:
        if change.by:
            months = max(0, -((begins_s - change.from_s) // MONTH_S))
            factor *= change.factor if month >= months else 1 + (change.factor - 1) * month / months
        elif change.from_s <= at_s:
            factor *= change.factor
    return factor


def check_demand_change(change: DemandChange) -> DemandChange:
    """Return the change if it is valid. Errors: PlannerError for a factor below 0 or over MOST_TIMES."""
    if not 0 <= change.factor <= MOST_TIMES:
        problem = worded("{value} is not allowed", value=significant(change.factor))
        remedy = worded("enter 0 to {most}", most=significant(MOST_TIMES))
        raise refusal(change.target, problem, remedy)
    return change


def check_price_change(change: PriceChange) -> PriceChange:
    """Return the change if it is valid. Errors: PlannerError for a factor of 0 or less, or over MOST_TIMES."""
    if not 0 < change.factor <= MOST_TIMES:
        problem = worded("{value} is not allowed", value=significant(change.factor))
        remedy = worded("enter more than 0, up to {most}", most=significant(MOST_TIMES))
        raise refusal(change.gpu_model, problem, remedy)
    return change
