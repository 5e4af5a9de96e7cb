"""Answers about the cost of training runs."""

from typing import Final

from gpuplanner.domain.audit import cost_result, energy
from gpuplanner.domain.evidence.answering import Answers, Inputs, Listed
from gpuplanner.domain.evidence.costs.cost_evidence import CostEvidence, of_log
from gpuplanner.domain.evidence.costs.payers import OF_PAYERS, overflowed_to, served_by
from gpuplanner.domain.evidence.trace import Trace, figure
from gpuplanner.domain.figures.unit_costs import RUN
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.window import HOUR_S

WHY: Final = Answers[CostEvidence]()


def _run(evidence: CostEvidence, subject: str) -> cost_result.RunCost:
    return next(run for run in evidence.unit.runs if run.subject == subject)


@WHY.explains(RUN, "mean_gpus")
def run_gpus(evidence: CostEvidence, scope: str, subject: str) -> Inputs:
    """Mean GPUs of a run over its hours."""
    run = _run(evidence, subject)
    return Inputs(values={"gpu_hours": run.gpu_hours, "hours": run.hours}, name=subject, title=run.name)


@WHY.gives("run_hours")
def run_hours(evidence: CostEvidence, scope: str, subject: str) -> Trace:
    """GPU-hours of a run."""
    run = _run(evidence, subject)
    return of_log(RUN["gpu_hours"], run.name, run.gpu_hours, run.key)


@WHY.explains(RUN, "run_kwh", "run_kg_co2")
def run_energy(evidence: CostEvidence, scope: str, subject: str) -> Inputs:
    """The kWh and the CO2 of a run."""
    run = _run(evidence, subject)
    workload = f"{energy.WORKLOAD}\t{run.key}"
    opens = {
        "workload_kwh_per_month": figure("energy_kwh", workload),
        "workload_kg_per_month": figure("energy_co2", workload),
    }
    return Inputs(
        values={**run.energy, "gpu_hours": run.gpu_hours}, name=subject, title=run.name, opens=opens
    )


@WHY.sums_of(
    RUN["cost"],
    worded("Cost = Σ over its cluster's contracts (served GPU-hours × rate)"),
    OF_PAYERS,
    2,
    note=worded("Hourly, workloads share contracts by GPU model and time, without idle GPUs."),
)
def run_usd(evidence: CostEvidence, scope: str, subject: str) -> Listed:
    """$ of a whole run, by the contracts that served it."""
    run, start_s = _run(evidence, subject), evidence.past.project.window.start_s
    span = range((run.start_s - start_s) // HOUR_S, (run.end_s - start_s) // HOUR_S)
    rows = [
        row for payers in (served_by, overflowed_to) for row in payers(evidence, run.key, run.cluster, span)
    ]
    return Listed(value=run.cost, rows=rows, name=run.name)
