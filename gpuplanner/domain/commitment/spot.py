"""Spot: what share of the work interruptions cost, and which workloads may use it (docs/formulas.md, Spot)."""

from dataclasses import dataclass
from math import sqrt

import numpy as np
import numpy.typing as npt

from gpuplanner.domain.commitment.result import Floats
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.workload import Workload

Flags = npt.NDArray[np.bool_]
SHORT_TRAINING_S = 4 * 3600
CHECKPOINTED_TRAINING_S = 24 * 3600


def lost_share(assumptions: Assumptions, nodes: int, longest_job_s: float) -> float:
    """Share of the work that is lost on spot: w = d/tau + (tau/2 + R)/M, M = M_node / nodes; 1 or more: infeasible.

    A workload whose longest job is shorter than tau writes no checkpoints: w = (L/2 + R)/M.
    Source: first-order checkpoint model (Young 1974, Daly 2006).
    """
    interruption_h = assumptions.spot_node_mtbf_hours / nodes
    restart_h = assumptions.spot_restart_minutes / 60
    interval_h = assumptions.spot_interval_hours
    longest_h = longest_job_s / 3600
    if longest_h < interval_h:
        return (longest_h / 2 + restart_h) / interruption_h
    return (
        assumptions.spot_checkpoint_minutes / 60 / interval_h + (interval_h / 2 + restart_h) / interruption_h
    )


def best_interval_h(assumptions: Assumptions, nodes: int) -> float:
    """The interval between checkpoints that loses least: tau* = sqrt(2 d M), in hours."""
    return sqrt(2 * assumptions.spot_checkpoint_minutes / 60 * assumptions.spot_node_mtbf_hours / nodes)


def may_use_spot(assumptions: Assumptions, pool: Pool, longest_job_s: float) -> bool:
    """Inference never; burst always; training when short, or checkpointed, or when the planner allows it."""
    if pool is not Pool.TRAINING:
        return pool is Pool.BURST
    if assumptions.spot_long_training:
        return True
    return longest_job_s <= (
        CHECKPOINTED_TRAINING_S if assumptions.training_checkpoints else SHORT_TRAINING_S
    )


@dataclass(frozen=True, slots=True, eq=False)
class SpotFacts:
    """Of each workload: lost share of work, and whether each pool lets it use spot. Shapes (workloads,)."""

    lost: Floats
    allowed: dict[Pool, Flags]


def spot_facts(assumptions: Assumptions, workloads: tuple[Workload, ...]) -> SpotFacts:
    """The facts of every workload, with its largest number of nodes (missing: 1) and its longest job, unclipped."""
    lost = np.array(
        [lost_share(assumptions, w.max_nodes or 1, w.longest_job_s) for w in workloads], dtype=np.float64
    )
    allowed = {
        pool: np.array([may_use_spot(assumptions, pool, w.longest_job_s) for w in workloads], dtype=np.bool_)
        for pool in Pool
    }
    return SpotFacts(lost, allowed)
