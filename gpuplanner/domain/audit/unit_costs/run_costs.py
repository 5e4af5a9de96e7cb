"""Training runs: the stretches of a training workload without a long gap, and the cost of each."""

from collections.abc import Iterator, Sequence

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.audit import cost_result
from gpuplanner.domain.audit.energy import EnergyRow
from gpuplanner.domain.audit.leak_claims import Past
from gpuplanner.domain.audit.spend.workload_spend import usd_per_unit
from gpuplanner.domain.audit.unit_costs.cost_lists import workload_fields
from gpuplanner.domain.audit.unit_costs.costed_hours import CostedHours, costed_hours
from gpuplanner.domain.audit.utilization.demand_groups import group_of_row
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR, by_row, fields_of, floats
from gpuplanner.domain.figures.unit_costs import RUN
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import HOUR_S


def run_costs(
    project: Project, block: CostedHours, energy: Sequence[EnergyRow]
) -> Iterator[cost_result.RunCost]:
    """The runs of a block's workloads, in their order, then by time. block.value: $. energy: of all workloads, empty
    where the audit has none.

    A run ends where the workload has no GPU time for more hours than the assumption says; it begins and ends
    with the whole hours of its GPU time. Source: docs/formulas/unit-costs.md.
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
        yield cost_result.RunCost(
            **workload_fields(project.workloads[place]),
            start_s=project.window.start_s + first_hour * HOUR_S,
            end_s=project.window.start_s + (last_hour + 1) * HOUR_S,
            energy=of_energy,
            **fields_of(cost_result.RunCost, row),
        )


def runs_of(past: Past, worth: Floats | None = None) -> list[cost_result.RunCost]:
    """The runs of all training workloads. worth: as `usd_per_unit` has it, where it is known already."""
    project = past.project
    worth = usd_per_unit(project, past.clusters) if worth is None else worth
    trains = np.array([c.pool is Pool.TRAINING for c in past.classifications], dtype=np.bool_)
    blocks = costed_hours(project.cube, group_of_row(project, past.clusters), worth, trains)
    return [run for block in blocks for run in run_costs(project, block, past.workload_energy)]
