"""Jobs written by hand or made by rules, as the workloads and the cube that an import would make of them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gpuplanner.domain.model.cube import Cube, Workload, cube_from_entries
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import HOUR_S

Floats = npt.NDArray[np.float64]

DAYS = 90
HOURS = 24 * DAYS


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """Jobs of one workload and what it truly is. start, length: hours, (jobs,); level: GPUs by hour, or None.

    level, where given, is what is held hour by hour, in place of what the jobs add up to: the replicas of a
    service that follow their load. failed: share of the jobs that fail, spread evenly.
    """

    case: str
    name: str
    queue: str
    owner: str
    truth: Pool
    gpus: float
    nodes: int
    start: Floats
    length: Floats
    level: Floats | None = None
    activity: float | None = None
    failed: float = 0.0
    difficulty: str = "medium"
    subtype: str = ""


def imported(traces: Sequence[Trace]) -> tuple[tuple[Workload, ...], Cube]:
    """One workload per trace, in their order, with facts as an import makes them: jobs clipped to the window."""
    owner, hour, amount = [], [], []
    facts = []
    for place, trace in enumerate(traces):
        start, end = np.clip(trace.start, 0, HOURS), np.clip(trace.start + trace.length, 0, HOURS)
        held = _held(start, end) * trace.gpus if trace.level is None else trace.level
        milli = np.round(held * HOUR_S * 1000).astype(np.int64)
        active = np.flatnonzero(milli)
        owner.append(np.full(len(active), place))
        hour.append(active)
        amount.append(milli[active])
        facts.append(_facts(trace, held, milli))
    cube = cube_from_entries(
        HOURS,
        ("H100",),
        np.concatenate(owner),
        np.zeros(sum(map(len, owner)), dtype=np.int64),
        np.concatenate(hour),
        np.concatenate(amount),
    )
    return tuple(facts), cube


def _held(start: Floats, end: Floats) -> Floats:
    """Jobs at once, averaged over each hour: the slope of the running total of job hours."""
    edges = np.arange(HOURS + 1, dtype=np.float64)
    starts, ends = np.sort(start), np.sort(end)
    begun, done = np.searchsorted(starts, edges), np.searchsorted(ends, edges)
    spent = (begun * edges - np.append(0, np.cumsum(starts))[begun]) - (
        done * edges - np.append(0, np.cumsum(ends))[done]
    )
    held = np.diff(spent)
    return np.where(held > 1e-6, held, 0)


def _facts(trace: Trace, held: Floats, milli: npt.NDArray[np.int64]) -> Workload:
    jobs = len(trace.start)
    spent = int(milli.sum())
    return Workload(
        key=f"{trace.case}/{trace.owner}/{trace.name}",
        name=trace.name,
        sample_name=trace.name,
        cluster=trace.case,
        owner=trace.owner,
        queue=trace.queue,
        jobs=jobs,
        gpu_jobs=jobs,
        milli_gpu_seconds=spent,
        peak_milli_gpus=int(1000 * max(held.max(), trace.gpus)),
        max_nodes=trace.nodes,
        max_milli_gpus=round(1000 * trace.gpus),
        longest_job_s=int(trace.length.max() * HOUR_S),
        median_job_s=int(np.quantile(trace.length, 0.5, method="lower") * HOUR_S),
        failed_milli_gpu_seconds=round(spent * trace.failed),
        activity=trace.activity,
    )
