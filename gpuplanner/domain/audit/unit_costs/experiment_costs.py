"""Experiments: sweeps and searches by subtype or name, and the cost of each."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from gpuplanner.domain.audit import cost_result
from gpuplanner.domain.audit.unit_costs.cost_lists import most_expensive_first, workload_fields
from gpuplanner.domain.demand.classification import Classification
from gpuplanner.domain.figures.figure import by_row, fields_of, floats
from gpuplanner.domain.figures.unit_costs import EXPERIMENT
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.lazy_re import lazy_re

EXPERIMENT_SUBTYPES: Final = ("sweep", "hyperparameter search")
_EXPERIMENT_WORDS: Final = lazy_re(
    r"(?<![a-z])(?:sweeps?|hpo|optuna|hyper-?opt|hyper-?param\w*|ray-?tune|grid-?search|ablations?|trials?)(?![a-z])"
)


def is_experiment(name: str, classification: Classification) -> bool:
    """A sweep or a search, by its subtype or by a word in its name; never what serves.

    name: of the workload; whole words alone count.
    """
    if classification.pool is Pool.INFERENCE:
        return False
    return str(classification.subtype) in EXPERIMENT_SUBTYPES or _EXPERIMENT_WORDS.search(name) is not None


def experiment_costs(
    project: Project, classifications: Sequence[Classification], costs: Sequence[float | None]
) -> tuple[cost_result.ExperimentCost, ...]:
    """Sweeps and searches that ran on GPUs, most expensive first."""
    experiments = [
        (workload, cost)
        for workload, classification, cost in zip(project.workloads, classifications, costs, strict=True)
        if workload.milli_gpu_seconds and is_experiment(workload.name, classification)
    ]
    figures = EXPERIMENT.worked_out(
        {
            "jobs": floats([workload.gpu_jobs for workload, _ in experiments]),
            "cost_per_month": floats([cost for _, cost in experiments]),
            "months": np.full(len(experiments), project.window.months),
        }
    )
    rows = [
        cost_result.ExperimentCost(
            **workload_fields(workload),
            start_s=workload.first_start_s,
            end_s=workload.last_end_s,
            gpu_hours=workload.gpu_hours,
            **fields_of(cost_result.ExperimentCost, row) | {"jobs": workload.gpu_jobs},
        )
        for (workload, _), row in zip(experiments, by_row(figures), strict=True)
    ]
    return most_expensive_first(rows, lambda cost: (cost.cost_per_month, cost.key))
