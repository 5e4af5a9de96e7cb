"""The past as JSON: demand, use of the window, classes, contracts, leaks, checks, unit costs and chargeback."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from gpuplanner.cli.documents.head import Document, intake_document
from gpuplanner.cli.documents.workloads import (
    ENERGY,
    energy_parts,
    hardware_fit_entries,
    pool_fit_entries,
    workload_entries,
)
from gpuplanner.domain.audit import chargeback, mix, use_by
from gpuplanner.domain.audit.cost_result import Period, UnitCosts, Variance
from gpuplanner.domain.audit.leak_list import totals_by_status
from gpuplanner.domain.audit.result import Audit, Check
from gpuplanner.domain.audit.unit_costs import BusinessCost, past_of, retraining_of
from gpuplanner.domain.demand.rule_preview import RuleAmount, rule_amounts
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.figures.use import CONTRACT
from gpuplanner.domain.figures.window import USE
from gpuplanner.domain.model import plan_inputs
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import ClassRule
from gpuplanner.domain.model.window import HOUR_S, Window
from gpuplanner.domain.reports import cash, changes, costs, leaks, series, use
from gpuplanner.domain.reports.clusters import BRIDGE, CLASSES, CLUSTERS, CONTRACTS
from gpuplanner.domain.reports.mix import HIDDEN, HIDDEN_SHARE, LISTED, OF_CLUSTER, QUARTER
from gpuplanner.domain.reports.report import Column, Entry, entries, entry, fields, named, of_part
from gpuplanner.files.importing.read_facts import quality_entry

# --- The window, jobs and the cube

WINDOW: Final = fields(named("start", "start_s", "date"), named("end", "end_s", "date"), "hours", "timezone")
"""Times are ISO 8601, the end exclusive; the timezone is that of naive local times."""
JOBS: Final = fields(
    "count",
    "gpu_jobs",
    "gpu_hours",
    named("peak_gpus", lambda jobs: jobs.peak_milli_gpus / 1000),
    named("first_start", "first_start_s", "date"),
    named("last_end", "last_end_s", "date"),
    "clipped",
)
"""GPU-hours are of the window; peak_gpus: the largest number in use at once."""
CUBE: Final = fields(
    named("workloads", lambda project: len(project.workloads)),
    named("hours", "window.hours"),
    named("milli_gpu_seconds", "cube.total"),
)


def demand_document(project: Project, cube_sha256: str) -> Document:
    """intake, window, jobs and cube: what stands inside every document about demand.

    cube_sha256: of the demand, so that two documents can be compared.
    """
    return {
        "intake": intake_document(project.intake),
        "window": entry(WINDOW, project.window),
        "jobs": entry(JOBS, project.jobs),
        "cube": entry(CUBE, project) | {"sha256": cube_sha256},
        "data_quality": quality_entry(project.jobs.quality),
    }


# --- The audit's use of the window as JSON: bridges, contended hours, hours of the week, GPU models and teams


def _by_weekday(name: str, of: str) -> Column:
    """A figure of each hour of the week: seven days, Monday first, of 24 hours each, UTC."""
    return named(name, lambda row: week(getattr(row.hours_of_week, of)))


WHOLE_BRIDGE: Final = fields(*(named(name, key) for key, name in BRIDGE))
CONTENTION: Final = fields(
    "contention_hours",
    named("contention_gpu_hours", "overflow_gpu_hours"),
    named("training_beside_inference_hours", "beside_inference_hours"),
    named("training_beside_inference", lambda contention: list(contention.shared_training)),
)
"""Hours in which a cluster was asked for more GPUs than it had."""
HOURS_OF_WEEK: Final = fields(_by_weekday("hours_of_week", "utilization"))
CLUSTER_USE: Final = fields(USE["break_even_utilization"], *HOURS_OF_WEEK)
CONTRACT_USE: Final = fields(USE["activity"], named(CONTRACT["paid_per_month"], "cost_per_month"))
TEAM_WEEK: Final = fields(_by_weekday("mean_gpus_by_hour_of_week", "mean_gpus"))


def use_document(audit: Audit) -> Document:
    """bridge, hours_of_week, by_gpu_model and by_team of an audit.

    Only the bridge where the use of the window was not worked out.
    """
    answer: Document = {"bridge": entry(WHOLE_BRIDGE, audit.bridge)}
    if audit.use is not None:
        answer |= entry(HOURS_OF_WEEK, audit.use.everything)
        answer["by_gpu_model"] = entries(use.USES[use_by.MODELS], audit.use)
        answer["by_team"] = [
            team | entry(TEAM_WEEK, row)
            for team, row in zip(entries(use.USES[use_by.TEAMS], audit.use), audit.use.teams, strict=True)
        ]
    return answer


def cluster_use_document(audit: Audit, cluster: str) -> Entry:
    """What one cluster's entry has besides its own figures.

    cluster: its name, empty for jobs that name none.
    """
    answer: Entry = {}
    if cluster in audit.contention:
        answer |= entry(CONTENTION, audit.contention[cluster])
    for row in audit.use.clusters if audit.use is not None else ():
        if row.name == cluster:
            answer |= entry(CLUSTER_USE, row)
    return answer


def contract_use_document(audit: Audit, contract_id: str) -> Entry:
    """What one contract's entry has besides its own figures.

    Empty where the use of the window was not worked out.
    """
    for row in audit.use.contracts if audit.use is not None else ():
        if row.name == contract_id:
            return entry(CONTRACT_USE, row)
    return {}


def week(values: npt.NDArray[np.float64]) -> list[list[float | None]]:
    """Values by day and hour; null where nothing is known.

    Shapes: values (7, 24).

    >>> week(np.full((1, 2), np.nan))
    [[None, None]]
    """
    return [[None if np.isnan(value) else value for value in day] for day in values.tolist()]


# --- The past as JSON: classes, workloads, rules, clusters, contracts, leaks, hardware fit and checks

CHECK: Final = fields("code", "severity", "subject", "message", "usd_per_month")
"""Workloads that the window offers to settle are left out: a document names things in words."""


class _RuleRow(NamedTuple):
    """One of the planner's own rules, and what it decides."""

    rule: ClassRule
    amount: RuleAmount


RULE: Final = fields(
    *of_part("rule", "rule_id", "field", "pattern"),
    named("class", "rule.pool.value"),
    *of_part("rule", "subtype", "confidence", "reason"),
    *of_part("amount", "matched", "workloads", "gpu_hours_per_month", "usd_per_month"),
)
RESTART_DELAYS: Final = fields("count", "p50_h", "p90_h", "lost", "lost_p50", "lost_p90")
ALL: Final = ""
STATUSES: Final = ("open", *map(str, plan_inputs.LeakStatus))
"""What a plan can have decided about a leak; ALL stands for any of it."""


def _counted(status: str, name: str, of: str) -> Column:
    """What leaks of a status count, each GPU-hour once, in a mapping of totals by status."""
    return named(f"{status}_{name}" if status else name, lambda totals: getattr(totals[status], of))


LEAKS_TOTAL: Final = fields(
    _counted(ALL, "gpu_hours", "counted_gpu_hours"),
    _counted(ALL, "usd_per_month", "counted_per_month"),
    *(_counted(status, "gpu_hours", "counted_gpu_hours") for status in STATUSES),
    *(_counted(status, "usd_per_month", "counted_per_month") for status in STATUSES),
)


def audit_document(evaluation: Evaluation) -> Document:
    """classes, workloads, clusters, contracts, use of the window, leaks, hardware fit and checks of an evaluation.

    $ are US dollars, null where unknown; shares are ratios 0..1.
    """
    audit = evaluation.audit
    past = past_of(evaluation.project, audit)
    mixes = {row.cluster: entry(OF_CLUSTER, row) for row in mix.cluster_mixes(past)}
    return {
        "classes": {
            CLASSES.key(row): entry_
            for row, entry_ in zip(CLASSES.rows(audit), entries(CLASSES, audit), strict=True)
        },
        "workloads": workload_entries(evaluation),
        "rules": _rules(evaluation),
        "clusters": [
            one | cluster_use_document(audit, one["cluster"]) | mixes[one["cluster"]]
            for one in entries(CLUSTERS, audit)
        ],
        "contracts": [
            one | contract_use_document(audit, one["contract_id"]) for one in entries(CONTRACTS, audit)
        ],
        **use_document(audit),
        "leaks": entries(leaks.LEAKS, leaks.leak_list(evaluation.project, audit, evaluation.scenario)),
        "leaks_total": _leaks_total(evaluation),
        "hardware_fit": hardware_fit_entries(evaluation),
        "hardware_fit_pools": pool_fit_entries(evaluation),
        "energy": entry(ENERGY, audit.energy) | energy_parts(evaluation.project, audit),
        "restart_delays": None
        if (delays := cash.restart_delays(evaluation)) is None
        else entry(RESTART_DELAYS, delays),
        **{name: entries(of, past) for name, of in LISTED.items()},
        HIDDEN_SHARE: next(iter(entries(HIDDEN, past)), None),
        "quarter": entries(QUARTER, evaluation),
        "checks": check_entries(evaluation.checks),
    }


def series_document(evaluation: Evaluation) -> Document:
    """The whole log by calendar month; null where its rows are not kept."""
    return {"series": None if evaluation.months is None else entries(series.MONTHS, evaluation)}


def check_entries(checks: Sequence[Check]) -> list[Entry]:
    """The `checks` array, in the order in which they are told."""
    return [entry(CHECK, check) for check in checks]


def _rules(evaluation: Evaluation) -> list[Entry]:
    """The planner's own rules in the order in which they decide, with what each decides."""
    project, workloads = evaluation.project, evaluation.audit.workloads
    classifications = [row.classification for row in workloads]
    amounts = rule_amounts(project, classifications, {row.key: row.usd_per_month for row in workloads})
    return [entry(RULE, _RuleRow(*both)) for both in zip(project.rules, amounts, strict=True)]


def _leaks_total(evaluation: Evaluation) -> Entry:
    """Counted once each, in all and by what the plan decided."""
    project, audit = evaluation.project, evaluation.audit
    plan = None if evaluation.scenario == plan_inputs.TODAY else project.scenario(evaluation.scenario)
    by_status = totals_by_status(audit.leaks, plan, project.window.months)
    return entry(LEAKS_TOTAL, {ALL: audit.leaks_total} | by_status)


# --- Unit costs, variance and chargeback as JSON -------------------------------------------------


class _PeriodRow(NamedTuple):
    """A period, and the window that its hours are counted in."""

    period: Period
    window: Window


PERIOD: Final = fields(
    named("start", lambda row: row.window.start_s + row.period.first * HOUR_S, "date"),
    named("end", lambda row: row.window.start_s + row.period.last * HOUR_S, "date"),
    named("hours", "period.hours"),
)
"""ISO 8601, the end exclusive."""


def cost_document(unit_costs: UnitCosts, variance: Variance, window: Window) -> Document:
    """unit_costs and variance of an audit.

    $ are of the window for runs, a month for all else; null where a rate is missing.
    """
    return {
        "unit_costs": {
            "run_gap_hours": unit_costs.run_gap_hours,
            "runs": entries(costs.RUNS, unit_costs),
            "models": entries(costs.MODELS, unit_costs),
            "endpoints": entries(costs.ENDPOINTS, unit_costs),
            "experiments": entries(costs.EXPERIMENTS, unit_costs),
            "retraining": entries(costs.RETRAININGS, retraining_of(unit_costs.runs, window)),
            "consolidation_premium_usd_per_month": unit_costs.premium.usd_per_month,
            "rate_premium_usd_per_month": unit_costs.premium.rate_usd_per_month,
            "idle_premium_usd_per_month": unit_costs.premium.idle_usd_per_month,
        },
        "variance": {
            "before": entry(PERIOD, _PeriodRow(variance.before, window)),
            "after": entry(PERIOD, _PeriodRow(variance.after, window)),
            **entry(changes.TOTALS, variance),
            "clusters": entries(changes.CHANGES, variance),
        },
    }


def business_document(rows: Sequence[BusinessCost]) -> Document:
    """Spend for one of the business figures; nothing where none are given."""
    return {"business": entries(costs.BUSINESS_COSTS, rows)} if rows else {}


def charge_document(charges: chargeback.Charges, *, has_names: bool) -> Document:
    """The chargeback of an audit, $ of the window. has_names: whether it was said by what, which rows then name."""
    table = costs.OF_ASKED if has_names else costs.OF_TEAMS
    return {"chargeback": [entry(table, row) for row in charges.rows]}
