"""The audit as JSON: classes, workloads, rules, clusters, contracts, leaks, hardware fit and checks."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from gpuplanner.cli.documents.energy import ENERGY, energy_parts
from gpuplanner.cli.documents.hardware_fit import hardware_fit_entries, pool_fit_entries
from gpuplanner.cli.documents.head import Document
from gpuplanner.cli.documents.window_use import cluster_use_document, contract_use_document, use_document
from gpuplanner.cli.documents.workloads import workload_entries
from gpuplanner.domain.audit import mix
from gpuplanner.domain.audit.leak_list import totals_by_status
from gpuplanner.domain.audit.result import Check
from gpuplanner.domain.audit.unit_costs.audited_past import past_of
from gpuplanner.domain.demand.rule_preview import RuleAmount, rule_amounts
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.model.plan.scenario import TODAY, LeakStatus
from gpuplanner.domain.model.tables import ClassRule
from gpuplanner.domain.reports import cash, leaks, series
from gpuplanner.domain.reports.clusters import CLASSES, CLUSTERS, CONTRACTS
from gpuplanner.domain.reports.mix import HIDDEN, HIDDEN_SHARE, LISTED, OF_CLUSTER, QUARTER
from gpuplanner.domain.reports.report import Column, Entry, entries, entry, fields, named, of_part

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
STATUSES: Final = ("open", *map(str, LeakStatus))
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
    plan = None if evaluation.scenario == TODAY else project.scenario(evaluation.scenario)
    by_status = totals_by_status(audit.leaks, plan, project.window.months)
    return entry(LEAKS_TOTAL, {ALL: audit.leaks_total} | by_status)
