"""Hardware fit of workloads: every workload on what it runs on today."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Ints
from gpuplanner.domain.fit.fit_rows import FitRow, Sharing, fit_rows, worst_light, worst_rows
from gpuplanner.domain.fit.hardware import (
    Hardware,
    HardwareToday,
    main_models,
    memory_by_model,
    with_own_memory,
)
from gpuplanner.domain.fit.needs import (
    OF_MODEL,
    RULE,
    Needed,
    Needs,
    as_sized,
    needs_of,
    number_of,
    several_nodes,
)
from gpuplanner.domain.fit.other_hardware import (
    SLOW,
    InterconnectPremium,
    NetworkCost,
    OtherHardware,
    OutOfMemory,
    cheapest_rates,
    interconnect_premium,
    network_cost,
    other_hardware,
    out_of_memory,
)
from gpuplanner.domain.fit.rules import Light
from gpuplanner.domain.message import Message, joined, worded
from gpuplanner.domain.model.cube import Cube, Workload
from gpuplanner.domain.model.hardware_needs import NOTHING_SET, NeedsSet
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool, Tables, TrainedNeed, TrainedOf
from gpuplanner.lazy_dataclass import dataclass, field, replace


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkloadFit:
    """One workload on what it runs on today. light: the worst of its rows; None where no row has one.

    pool: its class, whose rows these are. active_hours: of the window, in which it held GPUs. elsewhere: other GPU
    models, worked out when asked for; ran_out: jobs that ran out of memory.
    """

    key: str
    pool: Pool
    gpu_model: str | None
    light: Light | None
    rows: tuple[FitRow, ...]
    needs: Mapping[str, Needed]
    hardware: tuple[Hardware, ...]
    sharing: Sharing
    active_hours: float
    network: NetworkCost | None = None
    premium: InterconnectPremium | None = None
    elsewhere: Callable[[], tuple[OtherHardware, ...]] = field(default=tuple, compare=False, repr=False)
    ran_out: tuple[OutOfMemory, ...] = ()

    @property
    def reasons(self) -> Message:
        """What is not green, the worst first: `Memory per GPU: 40 GB is under 80 GB; ...`.

        Empty where every row is green or has no light.
        """
        bad = sorted((row for row in self.rows if row.reason), key=lambda row: -(row.light or 0))
        return joined((joined((NEED_TITLES[row.need], row.reason), ": ") for row in bad), "; ")


NEED_TITLES: Final = {
    "memory": worded("Memory per GPU"),
    "interconnect": worded("Interconnect"),
    "bare_metal": worded("Bare metal"),
    "own_cluster": worded("Own cluster"),
    "model_memory": worded("Weights and KV cache"),
    "training_grade": worded("Memory-bandwidth class"),
    "term": worded("Commitment length"),
}
"""Row of the table -> its title."""


def active_hours(cube: Cube, workloads: int) -> Ints:
    """Hours of the window in which each workload held GPUs; shape (workloads,). Hours of two GPU models count once.

    workloads: how many. Units: whole hours; one in which a job ran for a second counts.
    """
    lengths = np.diff(cube.offsets)
    rows_of_each = np.bincount(cube.workload_index, minlength=workloads)
    hours = np.bincount(cube.workload_index, weights=lengths, minlength=workloads).astype(np.int64)
    several = np.flatnonzero(rows_of_each > 1)
    if len(several):
        place = np.full(workloads, -1, dtype=np.int64)
        place[several] = np.arange(len(several))
        of_entry = np.repeat(place[cube.workload_index], lengths)
        inside = of_entry >= 0
        was_active = np.zeros((len(several), cube.hours), dtype=np.bool_)
        was_active[of_entry[inside], cube.hour[inside]] = True
        hours[several] = was_active.sum(axis=1)
    return hours


def shared_clusters(project: Project, classes: Sequence[Pool]) -> dict[str, frozenset[Pool]]:
    """The classes that held GPUs on each cluster.

    classes: one for each workload of the project, in its order. A workload without GPU time holds nothing and
    is left out.
    Errors: ValueError where there are not as many classes as workloads.
    """
    by_cluster: dict[str, set[Pool]] = {}
    for workload, pool in zip(project.workloads, classes, strict=True):
        if workload.milli_gpu_seconds:
            by_cluster.setdefault(workload.cluster, set()).add(pool)
    return {cluster: frozenset(pools) for cluster, pools in by_cluster.items()}


def trained_need(
    workload: Workload,
    needs: Needs,
    gpu_model: str | None,
    hardware: Sequence[Hardware],
    trained: TrainedOf | None,
) -> TrainedNeed | None:
    """What its largest job needs where its model's size is known; None where it is not."""
    size, gpus = number_of(needs, "parameters_billion"), workload.max_milli_gpus / 1000
    if trained is None or size is None or not gpus:
        return None
    slow = min((nic.nic_gbps for nic in hardware if nic.nic_gbps and nic.network == SLOW), default=None)
    return trained(size, gpu_model, gpus, slow, workload.sample_name or workload.name)


def fit_workloads(
    project: Project,
    classes: Sequence[Pool],
    contended_gpu_hours: Sequence[float],
    usd_per_month: Sequence[float | None],
    tables: Tables,
) -> tuple[WorkloadFit, ...]:
    """Every workload on what it runs on today, in the order of Project.workloads. What runs of known models need stands
    in place of the rules of their class.

    classes, contended_gpu_hours (in the window, of training beside inference), usd_per_month: one per workload, as
    the audit found them. Source: docs/formulas/hardware-fit.md.
    """
    today, models = HardwareToday(project, tables.gpu_models), main_models(project)
    rates, month = cheapest_rates(project.offers), project.window.months
    active = active_hours(project.cube, len(project.workloads)).tolist()
    on_cluster = shared_clusters(project, classes)
    fits, needed = [], dict[str, float | None]()
    for place, (workload, pool) in enumerate(zip(project.workloads, classes, strict=True)):
        hours, planner = float(active[place]), project.needs.get(workload.key, NOTHING_SET)
        needs = needs_of(workload, pool, hours, planner)
        needs |= as_sized(project, workload.key, needs) if pool is Pool.INFERENCE else {}
        hardware = today.of(workload.cluster, models[place])
        model, is_trained = models[place], pool is Pool.TRAINING
        run = trained_need(workload, needs, model, hardware, tables.trained) if is_trained else None
        if run is not None and needs["memory_gb_per_gpu"].source == RULE:
            note = worded("sharded over all GPUs of its largest job")
            needs["memory_gb_per_gpu"] = Needed(round(run.memory_gib, 1), OF_MODEL, note)
            hardware = tuple(with_own_memory(node, run.card_gib) for node in hardware)
        is_shared = bool(on_cluster.get(workload.cluster, frozenset()) - {pool})
        sharing = Sharing(is_shared, float(contended_gpu_hours[place]))
        rows = worst_rows([fit_rows(pool, needs, node, sharing) for node in hardware])
        cost = premium = None
        if pool is Pool.INFERENCE:
            behind = [
                row
                for row in project.contracts
                if row.contract_id in {each.contract_or_offer for each in hardware}
            ]
            per_month = workload.gpu_hours / month
            premium = interconnect_premium(behind, models[place], project.offers, per_month)
        if pool is Pool.TRAINING and several_nodes(needs):
            networks = tuple(node.network for node in hardware)
            cost = network_cost(workload, networks, usd_per_month[place], month, project.assumptions, run)
        light = worst_light(rows)
        fit = WorkloadFit(
            key=workload.key,
            pool=pool,
            gpu_model=model,
            light=light,
            rows=rows,
            needs=needs,
            hardware=hardware,
            sharing=sharing,
            active_hours=hours,
            network=cost,
            premium=premium,
        )
        if pool is Pool.TRAINING and needs["memory_gb_per_gpu"].source != RULE:
            needed[workload.key] = number_of(needs, "memory_gb_per_gpu")
        if model is not None and workload.milli_gpu_seconds and pool is not Pool.INFERENCE:
            size = number_of(needs, "parameters_billion")
            known = None if run is None or size is None else (size, run)
            month_of = workload.gpu_hours / month, usd_per_month[place]
            elsewhere = partial(other_hardware, workload, model, month_of, known, rates, tables)
            fit = replace(fit, elsewhere=elsewhere)
        fits.append(fit)
    ran_out = out_of_memory(project.jobs.runs, needed, memory_by_model(project, tables.gpu_models))
    return tuple(replace(fit, ran_out=ran_out[fit.key]) if fit.key in ran_out else fit for fit in fits)


def rows_in_pool(fit: WorkloadFit, workload: Workload, pool: Pool, planner: NeedsSet) -> tuple[FitRow, ...]:
    """What another pool than its class would ask of what a workload runs on today; shared clusters left out.

    Row by row the worst of the pieces of hardware that it runs on. planner: needs that the planner set for
    it.
    """
    needs = needs_of(workload, pool, fit.active_hours, planner)
    return worst_rows([fit_rows(pool, needs, node) for node in fit.hardware])
