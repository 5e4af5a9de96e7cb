"""Answers about the cost of models."""

from typing import Final

from gpuplanner.domain.audit import cost_result
from gpuplanner.domain.evidence.answering import Answers, Inputs
from gpuplanner.domain.evidence.costs.cost_evidence import CostEvidence, of_log
from gpuplanner.domain.evidence.trace import JOBS, Trace, TraceRow, column_of, figure, summed, titled
from gpuplanner.domain.figures.figure import Figure
from gpuplanner.domain.figures.unit_costs import MODEL_COST, MODEL_PART
from gpuplanner.domain.message import worded

WHY: Final = Answers[CostEvidence]()

OF_MODEL: Final = {
    MODEL_COST[key].why: MODEL_COST[key] for key in ("workloads", "gpu_hours", "cost_per_month")
}


def _model(evidence: CostEvidence, subject: str) -> cost_result.ModelCost:
    return next(row for row in evidence.unit.models if row.subject == subject)


@WHY.gives_each(OF_MODEL)
def of_model(asked: Figure, evidence: CostEvidence, scope: str, subject: str) -> Trace:
    """A figure of a model: the sum over its workloads."""
    model, figures = _model(evidence, subject), list(OF_MODEL.values())
    rows = []
    for part in model.parts:
        opens = figure(MODEL_PART["cost_per_month"].why, f"{subject}\t{part.key}")
        rows.append(TraceRow(part.key, (1, part.gpu_hours, part.cost_per_month), opens))
    return summed(
        titled(asked, model.model or worded("unknown model")),
        getattr(model, asked.key),
        asked.unit,
        worded("{name} = Σ over this model's workloads", name=asked.title),
        rows,
        [column_of(other) for other in figures],
        figures.index(asked),
    )


def _part(evidence: CostEvidence, subject: str) -> cost_result.ModelPart:
    """What one workload spent on a model. subject: source, model and key, with tabs between."""
    source, model, key = subject.split("\t", 2)
    return next(part for part in _model(evidence, f"{source}\t{model}").parts if part.key == key)


@WHY.gives("part_hours")
def part_hours(evidence: CostEvidence, scope: str, subject: str) -> Trace:
    """GPU-hours of a workload."""
    part = _part(evidence, subject)
    return of_log(MODEL_PART["gpu_hours"], part.key, part.gpu_hours, part.key)


@WHY.explains(MODEL_PART, "cost_per_month")
def part_usd(evidence: CostEvidence, scope: str, subject: str) -> Inputs:
    """$ a month of a workload on a model: its cost, shared out by GPU time."""
    part = _part(evidence, subject)
    keys = ("gpu_hours", "workload_gpu_hours", "workload_cost_per_month")
    opens = {
        "workload_gpu_hours": figure(JOBS, part.key),
        "workload_cost_per_month": figure("workload_cost", part.key),
    }
    return Inputs(values={key: getattr(part, key) for key in keys}, name=subject, title=part.key, opens=opens)
