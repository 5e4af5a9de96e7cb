"""Idle gap: a stretch in which no job of a cluster began, with what ran in it to the second; the cube knows hours."""

from dataclasses import dataclass
from typing import NamedTuple


class RunningJobs(NamedTuple):
    """Jobs of a workload and GPU model that ran when an idle gap began and ended in the same second, or outlasted it.

    workload: place in Project.workloads; gpu_model as the project spells it, None where unknown; milli_gpus thousandths
    of a GPU; until_s seconds from the window's start, at most the idle gap's end.
    """

    workload: int
    gpu_model: str | None
    milli_gpus: int
    until_s: int


@dataclass(frozen=True, slots=True)
class IdleGap:
    """end_s: when the next job began, or the window's end; seconds from the window's start.

    Law: demand of the cluster between the first end in `running` and end_s is the sum over those still running.
    """

    cluster: str
    end_s: int
    running: tuple[RunningJobs, ...]


@dataclass(frozen=True, slots=True)
class IdleGaps:
    """Every idle gap that goes on for more than longer_than_s seconds after a job ended in it, by cluster, then end."""

    longer_than_s: int
    each: tuple[IdleGap, ...]
