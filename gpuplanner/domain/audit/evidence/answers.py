"""The table of answers: which trace answers "Why this number?" for which kind of figure of the audit."""

from collections.abc import Callable
from typing import Final

from gpuplanner.domain.audit.evidence import (
    trace_classes,
    trace_contracts,
    trace_energy,
    trace_fit,
    trace_leak_parts,
    trace_leaks,
    trace_lock_in,
    trace_money,
    trace_network,
    trace_places,
    trace_transit,
    trace_use,
)
from gpuplanner.domain.audit.evidence.audit_evidence import Evidence
from gpuplanner.domain.audit.evidence.trace import Trace, parts_of
from gpuplanner.domain.figures.leak import TOTALS

Answer = Callable[[Evidence, str, str], Trace]

ANSWERS: Final[dict[str, Answer]] = {
    "spend": trace_money.spend,
    "cost": trace_money.cost,
    "served": trace_money.served,
    "idle": trace_money.idle,
    "overflow": trace_money.overflow,
    "stranded_audit": trace_money.stranded_audit,
    "scaled": trace_money.scaled,
    "workload_cost": trace_money.workload_cost,
    "used": trace_use.used,
    "paid_hours": trace_use.paid,
    "utilization": trace_use.utilization,
    "activity": trace_use.activity,
    "idle_hours": trace_use.idle_hours,
    "training_workloads": trace_use.training_workloads,
    "gpus": trace_use.gpus,
    "below_40": trace_contracts.below_40,
    "contract_gpus": trace_contracts.gpus,
    "contract_used": trace_contracts.used,
    "contract_paid_hours": trace_contracts.of_contract("paid_gpu_hours"),
    "contract_idle_hours": trace_contracts.of_contract("idle_gpu_hours"),
    "contract_utilization": trace_contracts.of_contract("utilization"),
    "contract_unused": trace_contracts.of_contract("unused_per_month"),
    "contracts_unused": trace_contracts.unused_of_all,
    "break_even": trace_contracts.of_contract("break_even_utilization"),
    "cluster_break_even": trace_contracts.cluster_break_even,
    "lock_in_now": trace_lock_in.lock_in_now,
    "longest_now": trace_lock_in.longest_now,
    "classes": trace_classes.classes,
    "class_workloads": trace_classes.of_class("workloads"),
    "class_jobs": trace_classes.of_class("jobs"),
    "class_gpu_hours": trace_classes.of_class("gpu_hours"),
    "class_share": trace_classes.share,
    "class_cost": trace_classes.of_class("cost_per_month"),
    "workloads_of_all": trace_classes.of_all("workloads"),
    "jobs_of_all": trace_classes.of_all("jobs"),
    "workloads_cost": trace_classes.of_all("cost_per_month"),
    "fit": trace_fit.workloads,
    "fit_cost": trace_fit.cost,
    "leak": trace_leaks.of_leak("leaked_per_month"),
    "leak_hours": trace_leaks.of_leak("gpu_hours_per_month"),
    "leak_sum": trace_leak_parts.leak_sum,
    "leak_part": trace_leak_parts.leak_part,
    **{kind: trace_leaks.of_leaks(kind, "counted_per_month") for kind in TOTALS},
    **{f"{kind}_hours": trace_leaks.of_leaks(kind, "counted_gpu_hours_per_month") for kind in TOTALS},
    "energy_kwh": trace_energy.of_energy(trace_energy.KWH),
    "energy_peak": trace_energy.peak,
    "energy_co2": trace_energy.of_energy(trace_energy.CO2),
    "transit": trace_transit.transit,
    "review": trace_classes.review,
    "on_network": trace_network.on_network,
    "set_way": trace_places.set_way,
    "set_both": trace_places.set_both,
    "set_usd": trace_places.set_usd,
    "city_users": trace_places.city_users,
    "city_way": trace_places.city_way,
    "city_both": trace_places.city_both,
}
"""Kind of figure -> what answers for it; a figure id is kind:scope:subject (see trace.figure)."""


def answer(evidence: Evidence, figure_id: str) -> Trace:
    """Why a figure is what it is. Errors: KeyError for a kind, cluster, contract or workload that there is not."""
    kind, scope, subject = parts_of(figure_id)
    return ANSWERS[kind](evidence, scope, subject)
