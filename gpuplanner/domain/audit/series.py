"""The audit over time: each calendar month of the log as an audit of it has it, and use by hour of the week."""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

import numpy as np

from gpuplanner.domain.audit import leak_claims, leak_list, result
from gpuplanner.domain.audit.unit_costs.experiment_costs import is_experiment
from gpuplanner.domain.audit.use_by import HoursOfWeek, fold_hours, used_by_number
from gpuplanner.domain.figures.figure import optional
from gpuplanner.domain.figures.window import CLASS, SERIES
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.calendar_months import month_bounds, month_of
from gpuplanner.domain.model.plan.scenario import LeakStatus, Scenario
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import POOLS, Pool
from gpuplanner.domain.model.window import HOURS_PER_MONTH
from gpuplanner.lazy_dataclass import dataclass

# --- Calendar months of the log, each as an audit of that month has it ----------------------------


class ClassMonth(NamedTuple):
    """What a class asked for in a month, and what that cost ($ of the month; None: a rate is missing)."""

    gpu_hours: float
    usd: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MonthRow:
    """One calendar month (UTC), cut to the log; figures are those of figures/window.py, SERIES. None is unknown.

    $ are of these hours, but stranded spend, which is per month of 730 h as in the audit. experiments: kinds of them.
    found: what all leaks lost; counted: each GPU-hour once, of which a plan accepted and dismissed some.
    """

    month: str
    is_cut: bool
    hours: int
    gpu_hours: float
    paid_in_window: float | None
    utilization: float | None
    stranded_audit: float | None
    stranded_metered: float | None
    classes: Mapping[Pool, ClassMonth]
    experiments: int
    found: float | None
    counted: float | None
    accepted: float | None
    dismissed: float | None

    @property
    def figures(self) -> Mapping[str, float | None]:
        """What a chart draws of it, by key of SERIES: $ per month of 730 h."""
        inputs = {"paid_in_window": self.paid_in_window, "months": self.hours / HOURS_PER_MONTH}
        paid = SERIES.row(inputs, ["paid_per_month"])
        return {
            "paid_per_month": paid["paid_per_month"],
            "stranded_audit": self.stranded_audit,
            "stranded_metered": self.stranded_metered,
        }

    def usd_share(self, pool: Pool) -> float | None:
        """A class's share of what all classes cost, 0..1; None where that is unknown or nothing."""
        every = known_sum(month.usd for month in self.classes.values())
        inputs = {"class_usd": self.classes[pool].usd, "classes_usd": every}
        return SERIES.row(inputs, ["usd_share"])["usd_share"]

    def gpu_hours_share(self, pool: Pool) -> float | None:
        """A class's share of what all classes asked for, 0..1; None where nothing did."""
        inputs = {"gpu_hours": self.classes[pool].gpu_hours, "all_gpu_hours": self.gpu_hours}
        return CLASS.row(inputs, ["share"])["share"]


def series(months: Iterable[tuple[Project, result.Audit]], plan: Scenario) -> tuple[MonthRow, ...]:
    """A row for each month. months: the project with that month as its window, and its audit; in their order.

    plan: whose decisions on leaks count. Law: a row says what `audit --start --end` of it says.
    """
    return tuple(_month_row(project, audit, plan) for project, audit in months)


def _month_row(project: Project, audit: result.Audit, plan: Scenario) -> MonthRow:
    window, months = project.window, project.window.months
    decided = leak_list.totals_by_status(audit.leaks, plan, months)

    def in_window(usd_per_month: float | None) -> float | None:
        return None if usd_per_month is None else usd_per_month * months

    return MonthRow(
        month=month_of(window.start_s),
        is_cut=(window.start_s, window.end_s) != month_bounds(month_of(window.start_s)),
        hours=window.hours,
        gpu_hours=sum(share.gpu_hours for share in audit.classes.values()),
        paid_in_window=known_sum(row.paid_in_window for row in audit.clusters),
        utilization=audit.effective_utilization,
        stranded_audit=known_sum(row.stranded_audit for row in audit.clusters),
        stranded_metered=known_sum(row.stranded_metered for row in audit.clusters),
        classes={
            pool: ClassMonth(audit.classes[pool].gpu_hours, in_window(audit.classes[pool].cost_per_month))
            for pool in POOLS
        },
        experiments=sum(
            is_experiment(workload.name, row.classification) and workload.milli_gpu_seconds > 0
            for workload, row in zip(project.workloads, audit.workloads, strict=True)
        ),
        found=known_sum(leak.leaked_in_window for leak in audit.leaks),
        counted=in_window(audit.leaks_total.counted_per_month),
        accepted=in_window(decided[LeakStatus.ACCEPTED].counted_per_month),
        dismissed=in_window(decided[LeakStatus.DISMISSED].counted_per_month),
    )


# --- Use by hour of the week: a class, a team or an endpoint, of what is paid where it runs ----------

ENDPOINTS_READ: Final = 8
"""Whose week people read; documents have those of all."""


class Week(NamedTuple):
    """by: class, team or workload; hours: its GPU time, and what its clusters were paid for."""

    by: str
    name: str
    hours: HoursOfWeek

    @property
    def by_hour(self) -> list[list[float | None]]:
        """Seven days, Monday first, of 24 hours, UTC."""
        return [optional(day) for day in self.hours.utilization]


def weeks(past: leak_claims.Past) -> tuple[Week, ...]:
    """Classes, then teams, then endpoints, most GPU time first. Demand counts, served or not."""
    project = past.project
    paid = {c.cluster: fold_hours(c.capacity.sum(axis=0), project.window) for c in past.clusters}
    hours = fold_hours(np.ones(project.window.hours, dtype=np.int64), project.window)
    serves = [row.pool is Pool.INFERENCE for row in past.classifications]
    groups = (
        ("class", [str(row.pool) for row in past.classifications]),
        ("team", [workload.owner for workload in project.workloads]),
        ("workload", [w.key if at else "" for w, at in zip(project.workloads, serves, strict=True)]),
    )
    answer = []
    for by, names in groups:
        on: dict[str, dict[str, None]] = {}  # the clusters of each
        for workload, name in zip(project.workloads, names, strict=True):
            on.setdefault(name, {})[workload.cluster] = None
        listed = list(on)
        number = {name: place for place, name in enumerate(listed)}
        used = used_by_number(project, [number[name] for name in names], len(listed))
        for place in sorted(range(len(listed)), key=lambda at: (-int(used[at].sum()), listed[at])):
            name = listed[place]
            if (name or by == "team") and used[place].any():
                capacity = sum((paid[cluster] for cluster in on[name]), np.zeros((7, 24), dtype=np.int64))
                use = HoursOfWeek(used=used[place], capacity=capacity, hours=hours)
                answer.append(Week(by, name, use))
    return tuple(answer)


class Day(NamedTuple):
    """One day of a week; day: Monday 0; hours: 0..1 each, None: nothing is paid."""

    by: str
    name: str
    day: int
    hours: list[float | None]


def days(past: leak_claims.Past) -> tuple[Day, ...]:
    """The days of classes and of the endpoints with most GPU time."""
    listed = weeks(past)
    endpoints = [week for week in listed if week.by == "workload"][:ENDPOINTS_READ]
    chosen = (*(week for week in listed if week.by == "class"), *endpoints)
    return tuple(Day(w.by, w.name, at, hours) for w in chosen for at, hours in enumerate(w.by_hour))
