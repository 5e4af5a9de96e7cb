"""Answers about the cost of experiments."""

from typing import Final

from gpuplanner.domain.audit import cost_result
from gpuplanner.domain.evidence.answering import Answers, Inputs, Listed
from gpuplanner.domain.evidence.costs.cost_evidence import CostEvidence, of_log
from gpuplanner.domain.evidence.trace import Trace, TraceRow, figure
from gpuplanner.domain.figures.unit_costs import EXPERIMENT
from gpuplanner.domain.message import worded

WHY: Final = Answers[CostEvidence]()


def _experiment(evidence: CostEvidence, key: str) -> cost_result.ExperimentCost:
    return next(row for row in evidence.unit.experiments if row.key == key)


@WHY.gives("experiment_jobs")
def experiment_jobs(evidence: CostEvidence, scope: str, key: str) -> Trace:
    """How many jobs an experiment had."""
    row = _experiment(evidence, key)
    return of_log(EXPERIMENT["jobs"], row.name, row.jobs, key)


@WHY.explains(EXPERIMENT, "cost_per_job")
def experiment_job_usd(evidence: CostEvidence, scope: str, key: str) -> Inputs:
    """$ for one job of an experiment."""
    row = _experiment(evidence, key)
    values = {"jobs": row.jobs, "cost_per_month": row.cost_per_month, "months": evidence.months}
    return Inputs(values=values, name=key, title=row.name)


@WHY.sums_of(EXPERIMENT["cost_per_month"], worded("Cost = Σ over the workload's trials"))
def experiment_usd(evidence: CostEvidence, scope: str, key: str) -> Listed:
    """$ a month of an experiment: of the workload that its trials are."""
    row = _experiment(evidence, key)
    of_workload = TraceRow(row.name, (row.cost_per_month,), figure("workload_cost", key))
    return Listed(value=row.cost_per_month, rows=(of_workload,), name=row.name)
