"""Unit costs: what each training run, model, experiment and endpoint cost, from the audit's own hourly shares."""

import re
from collections.abc import Sequence
from typing import Final

import numpy as np

from gpuplanner.domain.audit.cost_result import EndpointCost, ExperimentCost, RunCost, UnitCosts
from gpuplanner.domain.audit.costed_hours import costed_hours
from gpuplanner.domain.audit.dearest import dearest_first
from gpuplanner.domain.audit.endpoint_costs import endpoint_costs
from gpuplanner.domain.audit.leak_claims import Past
from gpuplanner.domain.audit.model_costs import model_costs
from gpuplanner.domain.audit.money import cluster_of_row, usd_per_unit
from gpuplanner.domain.audit.premium import premium_costs
from gpuplanner.domain.audit.rates import eligible_rates
from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.audit.run_costs import run_costs
from gpuplanner.domain.audit.utilization import dispatch_window
from gpuplanner.domain.demand.classes import Classification
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.project import Project

EXPERIMENT_SUBTYPES: Final = ("sweep", "hyperparameter search")
_EXPERIMENT_WORDS: Final = re.compile(
    r"(?<![a-z])(?:sweeps?|hpo|optuna|hyper-?opt|hyper-?param\w*|ray-?tune|grid-?search|ablations?|trials?)(?![a-z])"
)


def past_of(project: Project, audit: Audit) -> Past:
    """What the audit looked at, from its answer: classes and $ are the audit's, the serving is done again."""
    classes = [row.classification.pool for row in audit.workloads]
    return Past(
        project,
        tuple(row.classification for row in audit.workloads),
        dispatch_window(project, classes),
        tuple(row.usd_per_month for row in audit.workloads),
        eligible_rates(project, classes),
    )


def unit_costs(past: Past) -> UnitCosts:
    """All unit costs. Laws: a workload's runs add up to it, and it to its class; models add up to all workloads.

    Source: docs/formulas.md, Cost of single things.
    """
    project = past.project
    pools = [found.pool for found in past.classifications]
    worth, of_row = usd_per_unit(project, past.clusters), cluster_of_row(project, past.clusters)
    runs: list[RunCost] = []
    endpoints: list[EndpointCost] = []
    trains = np.array([pool is Pool.TRAINING for pool in pools], dtype=np.bool_)
    for block in costed_hours(project.cube, of_row, worth, trains):
        runs += run_costs(project, block)
    serves = np.array([pool is Pool.INFERENCE for pool in pools], dtype=np.bool_)
    premiums = premium_costs(past)
    for block in costed_hours(project.cube, of_row, worth, serves):
        endpoints += endpoint_costs(project, block, premiums)
    return UnitCosts(
        run_gap_hours=project.assumptions.run_gap_hours,
        runs=dearest_first(runs, lambda run: (run.usd, f"{run.key} {run.start_s:012}")),
        models=model_costs(project, past.workload_usd_per_month),
        endpoints=dearest_first(endpoints, lambda one: (one.usd_per_month, one.key)),
        experiments=_experiments(project, past.classifications, past.workload_usd_per_month),
        premium_usd_per_month=known_sum(one.usd_per_month for one in premiums.values()),
    )


def is_experiment(name: str, found: Classification) -> bool:
    """A sweep or a search, by its subtype or by a word in its name; never what serves."""
    if found.pool is Pool.INFERENCE:
        return False
    return found.subtype in EXPERIMENT_SUBTYPES or _EXPERIMENT_WORDS.search(name) is not None


def _experiments(
    project: Project, classifications: Sequence[Classification], usd_per_month: Sequence[float | None]
) -> tuple[ExperimentCost, ...]:
    found = []
    for workload, classification, monthly in zip(
        project.workloads, classifications, usd_per_month, strict=True
    ):
        if workload.milli_gpu_seconds and is_experiment(workload.name, classification):
            usd = None if monthly is None else monthly * project.window.months
            found.append(
                ExperimentCost(
                    key=workload.key,
                    name=workload.name,
                    cluster=workload.cluster,
                    owner=workload.owner,
                    start_s=workload.first_start_s,
                    end_s=workload.last_end_s,
                    jobs=workload.gpu_jobs,
                    gpu_hours=workload.gpu_hours,
                    usd_per_month=monthly,
                    usd=usd,
                    usd_per_job=None if usd is None or not workload.gpu_jobs else usd / workload.gpu_jobs,
                )
            )
    return dearest_first(found, lambda one: (one.usd_per_month, one.key))
