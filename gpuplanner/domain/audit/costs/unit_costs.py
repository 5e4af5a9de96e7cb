"""Unit costs: what each training run, model, experiment and endpoint cost, from the audit's own hourly shares."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from gpuplanner.domain.audit.cost_result import (
    EndpointCost,
    ExperimentCost,
    ModelCost,
    ModelPart,
    RunCost,
    UnitCosts,
)
from gpuplanner.domain.audit.costs.cost_order import most_expensive_first
from gpuplanner.domain.audit.costs.costed_hours import CostedHours, costed_hours
from gpuplanner.domain.audit.costs.endpoint_costs import endpoint_costs
from gpuplanner.domain.audit.leaks.leak_claims import Past
from gpuplanner.domain.audit.leaks.premium import premium_costs
from gpuplanner.domain.audit.money.rates import eligible_rates
from gpuplanner.domain.audit.money.spend import usd_per_unit
from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.audit.use.energy_rows import EnergyRow
from gpuplanner.domain.audit.use.model_groups import group_of_row
from gpuplanner.domain.audit.use.utilization import dispatch_window
from gpuplanner.domain.demand.classes import Classification
from gpuplanner.domain.demand.model_names import model_in_name
from gpuplanner.domain.figures.columns import MILLI_GPU_SECONDS_PER_GPU_HOUR, by_row, floats
from gpuplanner.domain.figures.costs.unit_costs import EXPERIMENT, MODEL_PART, RUN
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.log.workload import Workload
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import HOUR_S


# Training runs: the stretches of a training workload without a long gap, and what each of them cost.
def run_costs(project: Project, block: CostedHours, energy: Sequence[EnergyRow]) -> Iterator[RunCost]:
    """The runs of a block's workloads, in their order, then by time. block.value: $. energy: of all workloads, empty
    where the audit has none.

    A run ends where the workload has no GPU time for more hours than the assumption says; it begins and ends
    with the whole hours of its GPU time. Source: docs/formulas.md, Cost of single things.
    """
    if not len(block.hour):
        return
    idle = np.diff(block.hour, prepend=0) - 1
    is_new = idle > project.assumptions.run_gap_hours
    is_new[block.starts] = True
    starts = np.flatnonzero(is_new)
    workload = block.workload[np.searchsorted(block.starts, starts, side="right") - 1]
    last = np.append(starts[1:], len(block.hour)) - 1
    spent = np.add.reduceat(block.milli_gpu_seconds, starts)
    drew = [energy[place] if energy else None for place in workload.tolist()]
    taken = {
        "workload_kwh_per_month": floats([row and row.kwh_per_month for row in drew]),
        "workload_kg_per_month": floats([row and row.kg_co2_per_month for row in drew]),
        "workload_gpu_hours": floats([project.workloads[place].gpu_hours for place in workload.tolist()]),
        "months": np.full(len(starts), project.window.months),
    }
    figures = RUN.worked_out(
        {
            "gpu_hours": spent / MILLI_GPU_SECONDS_PER_GPU_HOUR,
            "hours": (block.hour[last] + 1 - block.hour[starts]).astype(np.float64),
            "cost": np.add.reduceat(block.value, starts),
            **taken,
        }
    )
    for place, of_energy, first_hour, last_hour, row in zip(
        workload.tolist(),
        by_row(taken),
        block.hour[starts].tolist(),
        block.hour[last].tolist(),
        by_row(figures),
        strict=True,
    ):
        of = project.workloads[place]
        yield RunCost(
            key=of.key,
            name=of.name,
            cluster=of.cluster,
            owner=of.owner,
            start_s=project.window.start_s + first_hour * HOUR_S,
            end_s=project.window.start_s + (last_hour + 1) * HOUR_S,
            gpu_hours=row["gpu_hours"] or 0.0,
            cost=row["cost"],
            mean_gpus=row["mean_gpus"] or 0.0,
            mean_rate=row["mean_rate"],
            energy=of_energy,
            run_kwh=row["run_kwh"],
            run_kg_co2=row["run_kg_co2"],
        )


# Models: what each cost, by the model that jobs name, else by a known word in their name, else unknown.
FROM_LOG, FROM_NAME, UNKNOWN = "log", "name", "unknown"


def model_costs(project: Project, costs: Sequence[float | None]) -> tuple[ModelCost, ...]:
    """One row a model; a workload that serves several is shared out by their GPU time. costs: per month, by workload.

    Laws: the rows add up to all workloads' cost and GPU-hours. Models are told apart without regard to case.
    """
    shares = [
        (workload, cost, *share)
        for workload, cost in zip(project.workloads, costs, strict=True)
        for share in model_shares(workload)
    ]
    figures = MODEL_PART.worked_out(
        {
            "gpu_hours": floats([spent / MILLI_GPU_SECONDS_PER_GPU_HOUR for *_, spent in shares]),
            "workload_gpu_hours": floats([workload.gpu_hours for workload, *_ in shares]),
            "workload_cost_per_month": floats([cost for _, cost, *_ in shares]),
        }
    )
    parts: dict[tuple[str, str], list[ModelPart]] = {}
    spelling: dict[tuple[str, str], tuple[int, str]] = {}
    for (workload, cost, model, source, spent), row in zip(shares, by_row(figures), strict=True):
        place = (source, model.casefold())
        part = ModelPart(
            key=workload.key,
            gpu_hours=row["gpu_hours"] or 0.0,
            workload_gpu_hours=workload.gpu_hours,
            workload_cost_per_month=cost,
            cost_per_month=row["cost_per_month"],
        )
        parts.setdefault(place, []).append(part)
        spelling[place] = max(spelling.get(place, (0, model)), (spent, model))
    return most_expensive_first(
        [
            ModelCost(
                model=spelling[place][1] or None,
                source=place[0],
                gpu_hours=sum(part.gpu_hours for part in of_model),
                cost_per_month=known_sum([part.cost_per_month for part in of_model]),
                parts=most_expensive_first(of_model, lambda part: (part.cost_per_month, part.key)),
            )
            for place, of_model in parts.items()
        ],
        lambda row: (row.cost_per_month, row.model or "\U0010ffff"),
    )


def model_shares(workload: Workload) -> Iterator[tuple[str, str, int]]:
    """Model, source and milli-GPU-seconds; they add up to the workload's."""
    if not workload.milli_gpu_seconds:
        return
    rest = workload.milli_gpu_seconds
    for model, spent in workload.model_time:
        rest -= spent
        yield model, FROM_LOG, spent
    if rest > 0:
        named = model_in_name(workload.sample_name or workload.name)
        yield named or "", FROM_NAME if named else UNKNOWN, rest


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
        audit.energy.workloads,
    )


def unit_costs(past: Past) -> UnitCosts:
    """All unit costs. Laws: a workload's runs add up to it, and it to its class; models add up to all workloads.

    Source: docs/formulas.md, Cost of single things.
    """
    project = past.project
    pools = [found.pool for found in past.classifications]
    worth, of_row = usd_per_unit(project, past.clusters), group_of_row(project, past.clusters)
    runs: list[RunCost] = []
    endpoints: list[EndpointCost] = []
    trains = np.array([pool is Pool.TRAINING for pool in pools], dtype=np.bool_)
    for block in costed_hours(project.cube, of_row, worth, trains):
        runs += run_costs(project, block, past.workload_energy)
    serves = np.array([pool is Pool.INFERENCE for pool in pools], dtype=np.bool_)
    premiums = premium_costs(past)
    for block in costed_hours(project.cube, of_row, worth, serves):
        endpoints += endpoint_costs(project, block, premiums)
    return UnitCosts(
        run_gap_hours=project.assumptions.run_gap_hours,
        runs=most_expensive_first(runs, lambda run: (run.cost, f"{run.key} {run.start_s:012}")),
        models=model_costs(project, past.workload_usd_per_month),
        endpoints=most_expensive_first(endpoints, lambda one: (one.cost_per_month, one.key)),
        experiments=_experiments(project, past.classifications, past.workload_usd_per_month),
        premium_per_month=known_sum(one.premium_per_month for one in premiums.values()),
    )


def is_experiment(name: str, found: Classification) -> bool:
    """A sweep or a search, by its subtype or by a word in its name; never what serves.

    name: of the workload; whole words alone count.
    """
    if found.pool is Pool.INFERENCE:
        return False
    return str(found.subtype) in EXPERIMENT_SUBTYPES or _EXPERIMENT_WORDS.search(name) is not None


def _experiments(
    project: Project, classifications: Sequence[Classification], costs: Sequence[float | None]
) -> tuple[ExperimentCost, ...]:
    """Sweeps and searches that ran on GPUs, most expensive first."""
    found = [
        (workload, cost)
        for workload, classification, cost in zip(project.workloads, classifications, costs, strict=True)
        if workload.milli_gpu_seconds and is_experiment(workload.name, classification)
    ]
    figures = EXPERIMENT.worked_out(
        {
            "jobs": floats([workload.gpu_jobs for workload, _ in found]),
            "cost_per_month": floats([cost for _, cost in found]),
            "months": np.full(len(found), project.window.months),
        }
    )
    rows = [
        ExperimentCost(
            key=workload.key,
            name=workload.name,
            cluster=workload.cluster,
            owner=workload.owner,
            start_s=workload.first_start_s,
            end_s=workload.last_end_s,
            jobs=workload.gpu_jobs,
            gpu_hours=workload.gpu_hours,
            cost_per_month=cost,
            cost_in_window=row["cost_in_window"],
            cost_per_job=row["cost_per_job"],
        )
        for (workload, cost), row in zip(found, by_row(figures), strict=True)
    ]
    return most_expensive_first(rows, lambda one: (one.cost_per_month, one.key))
