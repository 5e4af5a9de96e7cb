"""Power: what a GPU of a model is rated at, and what the jobs of a workload draw of it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.figures.columns import floats, optional
from gpuplanner.domain.figures.costs.energy import ENERGY
from gpuplanner.domain.model.gpu_family import Families
from gpuplanner.domain.model.log.workload import Workload
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import GpuModel

DRAWN_IDLE: Final = 0.30
"""Of rated power: what a GPU draws that is paid for and not in use."""
OF_THE_GPU: Final = 0.55
"""Of a node's power: what its GPUs take; the rest is the share of processors, memory, network and fans."""


@dataclass(frozen=True, slots=True)
class RatedPower:
    """kW of one GPU with its share of the node at full power. is_of_gpu_alone: worked out from the GPU's own watts."""

    kw: float
    is_of_gpu_alone: bool


def rated_power(
    names: Iterable[str], models: Sequence[GpuModel], families: Families
) -> dict[str, RatedPower]:
    """The rated power of GPU models by the names that a project has; those that the table does not know are left out.

    A variant with a row of its own is that row, else its family is. Source: docs/formulas.md, Energy.
    """
    by_name = {model.name: model for model in models}
    found = {}
    for name in names:
        read = families.read(name)
        asked = (name, *((read.full, read.family) if read is not None else ()))
        known = (_rated(by_name[one]) for one in asked if one in by_name)
        power = next(filter(None, known), None)
        if power is not None:
            found[name] = power
    return found


def _rated(model: GpuModel) -> RatedPower | None:
    if model.node_kw_per_gpu:
        return RatedPower(model.node_kw_per_gpu, False)
    return RatedPower(model.tdp_watts / 1000 / OF_THE_GPU, True) if model.tdp_watts else None


def model_names(project: Project) -> list[str]:
    """Every GPU model of log, contracts and offers, sorted."""
    bought = {*(row.gpu_model for row in project.contracts), *(row.gpu_model for row in project.offers)}
    return sorted({*project.cube.gpu_models, *filter(None, bought)})


def draw_inputs(workload: Workload, power_share: float) -> dict[str, float | None]:
    """What its share of rated power is worked out from, by the keys of ENERGY: activity of the jobs that have one."""
    share, activity = workload.measured_share, workload.measured_activity
    if share is None:  # a project file from before it was kept: all or none
        share, activity = (0.0, None) if workload.activity is None else (1.0, workload.activity)
    return {
        "measured_share": share,
        "activity": activity or 0.0,
        "idle_share": DRAWN_IDLE,
        "power_share": power_share,
    }


def drawn_shares(workloads: Sequence[Workload], power_share: float) -> list[float]:
    """What each workload's jobs draw of rated power, 0..1. power_share: where no activity is known."""
    rows = [draw_inputs(workload, power_share) for workload in workloads]
    columns = {key: floats([row[key] for row in rows]) for key in rows[0]} if rows else {}
    return [share or 0.0 for share in optional(ENERGY.value("drawn_share", columns))] if rows else []


def times_known(amounts: Floats, factor: float | Floats) -> Floats:
    """Amounts times a factor where NaN is unknown: nothing times what nobody knows is nothing. Shape of amounts."""
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(amounts == 0, 0.0, amounts * factor))


Powers = Mapping[str, RatedPower]
"""Rated power by the names of GPU models that have one."""
