"""The table of answers for the figures of what single things cost, and of what changed between two periods."""

from collections.abc import Callable
from typing import Final

from gpuplanner.domain.audit.evidence import trace_business, trace_changes, trace_chargeback, trace_costs
from gpuplanner.domain.audit.evidence.trace import Trace, parts_of
from gpuplanner.domain.audit.evidence.trace_costs import CostEvidence

Answer = Callable[[CostEvidence, str, str], Trace]

ANSWERS: Final[dict[str, Answer]] = {
    "run_gpus": trace_costs.run_gpus,
    "run_hours": trace_costs.run_hours,
    "run_usd": trace_costs.run_usd,
    "run_kwh": trace_costs.of_run_energy("run_kwh"),
    "run_co2": trace_costs.of_run_energy("run_kg_co2"),
    "model_workloads": trace_costs.of_model("workloads"),
    "model_hours": trace_costs.of_model("gpu_hours"),
    "model_usd": trace_costs.of_model("cost_per_month"),
    "part_hours": trace_costs.part_hours,
    "part_usd": trace_costs.part_usd,
    "endpoint_usd": trace_costs.endpoint_usd,
    "endpoint_idle": trace_costs.endpoint_idle,
    "endpoint_tokens": trace_costs.endpoint_tokens,
    "endpoint_premium": trace_costs.endpoint_premium,
    "endpoint_paid": trace_costs.of_premium("paid_in_window"),
    "endpoint_at_offer": trace_costs.of_premium("offer_in_window"),
    "experiment_jobs": trace_costs.experiment_jobs,
    "experiment_job_usd": trace_costs.experiment_job_usd,
    "experiment_usd": trace_costs.experiment_usd,
    "business_usd": trace_business.business_usd,
    "business_each": trace_business.business_each,
    "business_unserved": trace_business.business_unserved,
    "retrain_runs": trace_business.retrain_runs,
    "retrain_days": trace_business.retrain_days,
    "retrain_usd": trace_business.of_retraining("cost_per_run"),
    "changed": trace_changes.changed,
    "volume_hours": trace_changes.of_workload("gpu_hours_per_month"),
    "volume_usd": trace_changes.of_workload("volume_per_month"),
    "contract_change": trace_changes.contract_change,
    "charge_hours": trace_chargeback.charge_hours,
    "charge_direct": trace_chargeback.of_charge("direct_in_window"),
    "charge_idle": trace_chargeback.of_charge("idle_in_window"),
    "charge_overflow": trace_chargeback.of_charge("overflow_in_window"),
    "charge_total": trace_chargeback.charge_figure("total_in_window"),
    "charge_budget": trace_chargeback.charge_figure("budget_in_window"),
    "charge_left": trace_chargeback.charge_figure("left_in_window"),
}
"""Kind of figure -> what answers for it; as the table of the audit's answers."""


def answer(evidence: CostEvidence, figure_id: str) -> Trace:
    """Why a cost is what it is. Errors: KeyError, StopIteration for a kind or thing that there is not."""
    kind, scope, subject = parts_of(figure_id)
    return ANSWERS[kind](evidence, scope, subject)
