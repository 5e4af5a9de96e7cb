"""Business costs: spend for one order or user, by month of the log and in month 12 of the plan."""

from collections.abc import Mapping
from itertools import groupby, pairwise
from typing import Any, Final, NamedTuple

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.audit.leak_claims import Past
from gpuplanner.domain.audit.spend.total_spend import eligible_usd_by_hour
from gpuplanner.domain.audit.spend.workload_spend import usd_per_unit
from gpuplanner.domain.audit.unit_costs.costed_hours import costed_hours
from gpuplanner.domain.audit.unit_costs.model_costs import model_shares
from gpuplanner.domain.audit.utilization.demand_groups import group_of_row
from gpuplanner.domain.figures.unit_costs import BUSINESS
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.business_figures import BusinessFigure
from gpuplanner.domain.model.calendar_months import month_bounds, month_of
from gpuplanner.domain.model.cube import Workload
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import HOUR_S, HOURS_PER_MONTH, Window
from gpuplanner.lazy_dataclass import dataclass, replace

NO_HOUR: Final = worded("The log has no hour of this month.")
NEEDS_RATE: Final = worded("A contract or the overflow has no rate.")
NO_WORKLOAD: Final = worded("No workload or model of the log has this key or name.")
NO_PLAN_COST: Final = worded("Plan cost in month 12 unknown.")


class PlanMonth(NamedTuple):
    """The twelfth month of a plan: its first second, what the plan costs in it (None: unknown), and GPU-hours of its
    demand that nobody serves."""

    start_s: int
    plan_usd: float | None
    unserved_gpu_hours: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class BusinessCost:
    """One figure of the business in one month. Figures: domain/figures/unit_costs.py.

    month: 2026-08; held_from: of month 12 the month whose count it has, "" for a month of the log. hours: of the
    window that are counted. Money None: unknown, and then `unknown` says why. unserved: GPU-hours that the plan leaves
    to nobody, which business_cost has not; None of a month of the log. key: of the workload or model whose cost it is,
    "": all spend; each_growth: of cost_each since the month before in the list, as a ratio.
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
    key: str = ""
    each_growth: float | None = None

    @property
    def is_planned(self) -> bool:
        """Whether it is of month 12 of the plan."""
        return bool(self.held_from)

    @property
    def subject(self) -> str:
        """What tells it from all others, in ids of figures."""
        return "\t".join((self.name, self.month, self.held_from, *([self.key] if self.key else [])))


Spend = Mapping[str, Floats | None]
"""$ in each hour of the window by name of a workload or model, "" of all; (hours,); None where a rate is missing."""


def spend_by_hour(past: Past) -> Spend:
    """What is paid and overflows, and what each workload or model costs that a business figure is of."""
    project = past.project
    usd_by_hour: dict[str, Any] = {"": eligible_usd_by_hour(past.clusters, past.rates)}
    names = {figure.key for figure in project.business if figure.key}
    shares = [_shares_by_name(workload) for workload in project.workloads]
    chosen = np.array([not names.isdisjoint(share) for share in shares], dtype=np.bool_)
    if chosen.any():
        worth, groups = usd_per_unit(project, past.clusters), group_of_row(project, past.clusters)
        for block in costed_hours(project.cube, groups, worth, chosen):
            stops = [*block.starts[1:].tolist(), len(block.hour)]
            for place, start, stop in zip(block.workload.tolist(), block.starts.tolist(), stops, strict=True):
                usd = np.bincount(block.hour[start:stop], block.value[start:stop], project.window.hours)
                for name in names & shares[place].keys():
                    usd_by_hour[name] = usd * shares[place][name] + usd_by_hour.get(name, 0.0)
    return {name: None if usd is None or np.isnan(usd).any() else usd for name, usd in usd_by_hour.items()}


def _shares_by_name(workload: Workload) -> dict[str, float]:
    """What share of a workload's cost a business figure is of, by its name: its own, or of a model that it serves."""
    models = {
        model: spent / workload.milli_gpu_seconds for model, _, spent in model_shares(workload) if model
    }
    return models | dict.fromkeys((workload.key, workload.name), 1.0)


def business_costs(
    project: Project, usd_by_hour: Spend, month_12: PlanMonth | None = None
) -> tuple[BusinessCost, ...]:
    """Each figure by month, and last what it comes to in month 12 of a plan (None: no plan is looked at).

    Of a month that the window has only hours of, as much of the count is taken as these hours are of it. Month 12 has
    the count of its own month, where one is given, else that of the last month given.
    Source: docs/formulas/unit-costs.md, Cost of the business.
    """
    costs = []
    for (_, key), figures in groupby(project.business, lambda figure: (figure.name, figure.key)):
        by_month = {figure.month: figure for figure in figures}
        spent, why = usd_by_hour.get(key), NEEDS_RATE if key in usd_by_hour else NO_WORKLOAD
        listed = [_of_log(figure, project.window, spent, why) for figure in by_month.values()]
        if month_12 is not None and not key:
            listed.append(_of_plan(by_month, month_12))
        costs += listed[:1]
        costs += (
            replace(after, each_growth=cost_growth(before, after)) for before, after in pairwise(listed)
        )
    return tuple(costs)


def cost_growth(before: BusinessCost, after: BusinessCost) -> float | None:
    """By how much one costs more than a month before, as a ratio; None where either is unknown."""
    return (
        after.cost_each / before.cost_each - 1 if before.cost_each and after.cost_each is not None else None
    )


def _of_log(figure: BusinessFigure, window: Window, usd_by_hour: Floats | None, why: Text) -> BusinessCost:
    """One month beside the hours of it that the window has. why: $ are unknown, where they are."""
    begin_s, end_s = month_bounds(figure.month)
    first = max(0, (begin_s - window.start_s) // HOUR_S)
    last = min(window.hours, (end_s - window.start_s) // HOUR_S)
    hours = max(0, last - first)
    cost = None if usd_by_hour is None or not hours else float(usd_by_hour[first:last].sum())
    unknown: Text = ""
    if not hours:
        unknown = NO_HOUR
    elif usd_by_hour is None:
        unknown = why
    given = _given(figure, hours * HOUR_S / (end_s - begin_s), cost, None)
    return BusinessCost(
        name=figure.name,
        month=figure.month,
        held_from="",
        hours=hours,
        unknown=unknown,
        key=figure.key,
        **given,
    )


def _of_plan(by_month: dict[str, BusinessFigure], month_12: PlanMonth) -> BusinessCost:
    """The plan's twelfth month of 730 h beside the count that is given for it, or the last one given."""
    month = month_of(month_12.start_s)
    figure = by_month.get(month) or by_month[max(by_month)]
    begin_s, end_s = month_bounds(figure.month)
    counted = HOURS_PER_MONTH * HOUR_S / (end_s - begin_s)
    unknown = NO_PLAN_COST if month_12.plan_usd is None else ""
    given = _given(figure, counted, month_12.plan_usd, month_12.unserved_gpu_hours)
    return BusinessCost(
        name=figure.name,
        month=month,
        held_from=figure.month,
        hours=int(HOURS_PER_MONTH),
        unknown=unknown,
        **given,
    )


def _given(
    figure: BusinessFigure, share: float, cost: float | None, unserved: float | None
) -> dict[str, Any]:
    """The figures of a row."""
    inputs = {"value": figure.value, "counted_share": share, "business_cost": cost, "unserved": unserved}
    return dict(BUSINESS.row(inputs))
