"""What one order or user costs: spend beside business figures, by month of the log and in the plan's month 12."""

from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final, NamedTuple

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.audit.leaks.leak_claims import Past
from gpuplanner.domain.audit.money.spend import eligible_usd_by_hour
from gpuplanner.domain.figures.costs.business import BUSINESS
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.business import BusinessFigure, month_bounds, month_of
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import HOUR_S, HOURS_PER_MONTH, Window

NO_HOUR: Final = worded("The log has no hour of this month.")
NEEDS_RATE: Final = worded("A contract or what overflows in these hours has no rate.")
NO_PLAN_COST: Final = worded("What the plan costs in month 12 is unknown.")


class PlanMonth(NamedTuple):
    """The twelfth month of a plan: its first second, what the plan costs in it (None: unknown), and GPU-hours of its
    demand that nobody serves."""

    start_s: int
    plan_usd: float | None
    unserved_gpu_hours: float = 0.0


@dataclass(frozen=True, slots=True)
class BusinessCost:
    """One figure of the business in one month. Figures: figures/costs/business.py.

    month: 2026-08; held_from: of month 12 the month whose count it has, "" for a month of the log. hours: of the
    window that are counted. Money None: unknown, and then `unknown` says why. unserved: GPU-hours that the plan leaves
    to nobody, which business_cost has not; None of a month of the log.
    """

    name: str
    month: str
    held_from: str
    hours: int
    value: float
    counted_share: float
    business_cost: float | None
    unserved: float | None
    counted_value: float | None
    cost_each: float | None
    unknown: Text = ""

    @property
    def is_planned(self) -> bool:
        """Whether it is of month 12 of the plan."""
        return bool(self.held_from)

    @property
    def subject(self) -> str:
        """What tells it from all others, in ids of figures."""
        return f"{self.name}\t{self.month}\t{self.held_from}"


def spend_by_hour(past: Past) -> Floats | None:
    """What is paid and overflows in each hour of the window, $; None where a rate is missing. Shape (hours,)."""
    return eligible_usd_by_hour(past.clusters, past.rates)


def business_costs(
    project: Project, usd_by_hour: Floats | None, month_12: PlanMonth | None = None
) -> tuple[BusinessCost, ...]:
    """Each figure by month, and last what it comes to in month 12 of a plan (None: no plan is looked at).

    Of a month that the window has only hours of, as much of the count is taken as these hours are of it. Month 12 has
    the count of its own month, where one is given, else that of the last month given.
    Source: docs/formulas.md, Cost of the business.
    """
    found = []
    for _, figures in groupby(project.business, lambda one: one.name):
        by_month = {one.month: one for one in figures}
        found += [_of_log(one, project.window, usd_by_hour) for one in by_month.values()]
        if month_12 is not None:
            found.append(_of_plan(by_month, month_12))
    return tuple(found)


def _of_log(one: BusinessFigure, window: Window, usd_by_hour: Floats | None) -> BusinessCost:
    """One month beside the hours of it that the window has."""
    begin_s, end_s = month_bounds(one.month)
    first = max(0, (begin_s - window.start_s) // HOUR_S)
    last = min(window.hours, (end_s - window.start_s) // HOUR_S)
    hours = max(0, last - first)
    cost = None if usd_by_hour is None or not hours else float(usd_by_hour[first:last].sum())
    unknown = NO_HOUR if not hours else NEEDS_RATE if usd_by_hour is None else ""
    given = _given(one, hours * HOUR_S / (end_s - begin_s), cost, None)
    return BusinessCost(one.name, one.month, "", hours, unknown=unknown, **given)


def _of_plan(by_month: dict[str, BusinessFigure], month_12: PlanMonth) -> BusinessCost:
    """The plan's twelfth month of 730 h beside the count that is given for it, or the last one given."""
    month = month_of(month_12.start_s)
    one = by_month.get(month) or by_month[max(by_month)]
    begin_s, end_s = month_bounds(one.month)
    counted = HOURS_PER_MONTH * HOUR_S / (end_s - begin_s)
    unknown = NO_PLAN_COST if month_12.plan_usd is None else ""
    given = _given(one, counted, month_12.plan_usd, month_12.unserved_gpu_hours)
    return BusinessCost(one.name, month, one.month, int(HOURS_PER_MONTH), unknown=unknown, **given)


def _given(one: BusinessFigure, share: float, cost: float | None, unserved: float | None) -> dict[str, Any]:
    """The figures of a row."""
    inputs = {"value": one.value, "counted_share": share, "business_cost": cost, "unserved": unserved}
    return dict(BUSINESS.row(inputs))
