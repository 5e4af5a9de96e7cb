"""Spot: what share of the work interruptions cost, and which workloads may use it (docs/formulas.md, Spot)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import sqrt
from typing import Any, Final

import numpy as np

from gpuplanner.domain.arrays import Bools, Floats
from gpuplanner.domain.demand.classes import Classification
from gpuplanner.domain.figures.spot import SPOT
from gpuplanner.domain.model.log.workload import Workload
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.scenario.assumptions import Assumptions

SHORT_TRAINING_S = 4 * 3600
CHECKPOINTED_TRAINING_S = 24 * 3600
LARGE_JOB_MILLI_GPUS = 8000
LONG_JOB_S = 24 * 3600
DEVELOPMENT_SUBTYPES: Final = frozenset({"development", "notebook", "interactive"})


class Barrier(StrEnum):
    """What keeps a workload off spot.

    The values are short codes; what they say to people stands where they are shown.
    """

    NOT_WANTED = "not_wanted"
    REQUESTS = "requests"
    DEVELOPMENT = "development"
    NO_CHECKPOINTS = "no_checkpoints"
    TOO_LONG = "too_long"


def spot_inputs(assumptions: Assumptions, nodes: Any, longest_job_s: Any) -> dict[str, Any]:
    """What a workload loses on spot is worked out from, by the keys of SPOT, in hours.

    nodes: of its widest job; longest_job_s: seconds; columns of both for many workloads.
    """
    return {
        "node_hours": assumptions.spot_node_mtbf_hours,
        "nodes": nodes,
        "checkpoint_hours": assumptions.spot_checkpoint_minutes / 60,
        "interval_hours": assumptions.spot_interval_hours,
        "restart_hours": assumptions.spot_restart_minutes / 60,
        "longest_hours": longest_job_s / 3600,
    }


def lost_figure(inputs: Mapping[str, float]) -> str:
    """The figure of SPOT that holds: one whose longest job is over before its first checkpoint writes none."""
    writes = inputs["longest_hours"] >= inputs["interval_hours"]
    return "lost_with_checkpoints" if writes else "lost_without_checkpoints"


def lost_share(assumptions: Assumptions, nodes: int, longest_job_s: float) -> float:
    """Share of the work that is lost on spot, 1 or more: it cannot finish. Source: docs/formulas.md, Spot.

    nodes: of its widest job; longest_job_s: seconds.
    """
    inputs = spot_inputs(assumptions, nodes, longest_job_s)
    return float(SPOT.value(lost_figure(inputs), inputs))


def lost_shares(assumptions: Assumptions, workloads: Sequence[Workload]) -> Floats:
    """The same of many workloads at once; shape (workloads,). One whose nodes nobody states has one."""
    inputs = spot_inputs(
        assumptions,
        np.array([workload.max_nodes or 1 for workload in workloads], dtype=np.float64),
        np.array([workload.longest_job_s for workload in workloads], dtype=np.float64),
    )
    found = SPOT.worked_out(inputs)
    writes = inputs["longest_hours"] >= inputs["interval_hours"]
    lost: Floats = np.where(writes, found["lost_with_checkpoints"], found["lost_without_checkpoints"])
    return lost


def best_interval_h(assumptions: Assumptions, nodes: int) -> float:
    """The interval between checkpoints that loses least: tau* = sqrt(2 d M), in hours.

    d: minutes that a checkpoint takes; M: mean time between failures of a node, over the number of nodes.
    Source: first-order checkpoint model (Young 1974).
    """
    return sqrt(2 * assumptions.spot_checkpoint_minutes / 60 * assumptions.spot_node_mtbf_hours / nodes)


def barrier_of(
    assumptions: Assumptions, workload: Workload, pool: Pool, found: Classification | None
) -> Barrier | None:
    """What keeps a workload in a pool off spot, the first that does; None where it may use it.

    found: its class and subtype; None where nobody said: then it is what its pool is.
    """
    if not assumptions.spot:
        return Barrier.NOT_WANTED
    if pool is Pool.INFERENCE or (found is not None and found.pool is Pool.INFERENCE):
        return Barrier.REQUESTS
    if (
        found is not None
        and not assumptions.spot_for_development
        and str(found.subtype).casefold() in DEVELOPMENT_SUBTYPES
    ):
        return Barrier.DEVELOPMENT
    if is_large_and_long(workload) and not assumptions.training_checkpoints:
        return Barrier.NO_CHECKPOINTS
    if pool is Pool.BURST or assumptions.spot_long_training:
        return None
    longest_s = CHECKPOINTED_TRAINING_S if assumptions.training_checkpoints else SHORT_TRAINING_S
    return None if workload.longest_job_s <= longest_s else Barrier.TOO_LONG


def is_large_and_long(workload: Workload) -> bool:
    """Whether the median job holds 8 GPUs or more for over 24 h: too much to lose without checkpoints.

    GPUs and length each have their median. A project file from before the GPUs of the median job were kept: those
    of the largest job count.
    """
    milli_gpus = workload.median_milli_gpus
    if milli_gpus is None:
        milli_gpus = workload.max_milli_gpus
    return milli_gpus >= LARGE_JOB_MILLI_GPUS and workload.median_job_s > LONG_JOB_S


def class_at(classes: Sequence[Classification], place: int) -> Classification | None:
    """What a workload was taken for; None where nobody said.

    classes: of all workloads, in their order; empty where nobody said. Errors: IndexError for a place that is
    not there.
    """
    return classes[place] if classes else None


@dataclass(frozen=True, slots=True, eq=False)
class SpotFacts:
    """Of each workload: lost share of work, and whether each pool lets it use spot. Shapes (workloads,).

    lost: ratios; 1 or more cannot finish on spot.
    Source: docs/formulas.md, Spot.
    """

    lost: Floats
    allowed: dict[Pool, Bools]


def spot_facts(
    assumptions: Assumptions, workloads: tuple[Workload, ...], classes: Sequence[Classification] = ()
) -> SpotFacts:
    """The facts of every workload, with its largest number of nodes (missing: 1) and its longest job, unclipped.

    classes: of the workloads in their order; empty where nobody said.
    """
    allowed = {
        pool: np.array(
            [
                barrier_of(assumptions, workload, pool, class_at(classes, place)) is None
                for place, workload in enumerate(workloads)
            ],
            dtype=np.bool_,
        )
        for pool in Pool
    }
    return SpotFacts(lost_shares(assumptions, workloads), allowed)
