"""Sizes: the jobs of one pool and GPU model alone on so many GPUs, what that costs, and the least that keeps a target.

Source: docs/formulas.md, Waiting.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil
from typing import Final

import numpy as np

from gpuplanner.domain.commitment.result import Layer, PoolPlan
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import gpu_model_of
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import HOURS_PER_MONTH
from gpuplanner.domain.queue import waits
from gpuplanner.domain.queue.ground import MILLI, NamedSets, Queueing, mean_rate
from gpuplanner.domain.queue.logged import spans, steps_of
from gpuplanner.domain.queue.replay import Part, parts_of, replay
from gpuplanner.domain.queue.rows import IsCancelled, capacity, jobs_of, usd_rates
from gpuplanner.domain.queue.sets import GpuSet, QueuedJob
from gpuplanner.domain.queue.waits import Range, Waits

MARKS: Final = ("today", "plan", "knee", "target")
"""What a size may be, in the order in which they are told."""
Likely = Callable[[float], Range]
"""From a replayed P90 in hours to the range in which it would really lie."""


@dataclass(frozen=True, slots=True)
class FrontierPoint:
    """One pool and model alone on so many GPUs. usd_per_month: None where no rate is known; never: jobs that never
    start; likely: the calibrated range of P90; marks: today, plan, knee, target."""

    pool: Pool
    gpu_model: str | None
    gpus: int
    usd_per_month: float | None
    waits: Waits
    never: int
    likely: Range | None = None
    marks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TargetFound:
    """The smallest size that keeps a target, beside the plan's. None: no size in reach does, or nothing is planned."""

    pool: Pool
    gpu_model: str | None
    p90_h_max: float
    gpus: int | None
    p90_h: float | None
    usd_per_month: float | None
    plan_gpus: int | None
    difference_usd_per_month: float | None


class Alone:
    """The jobs of one pool and model, and their replays on constant sizes, each worked out once."""

    def __init__(
        self, queueing: Queueing, pool: Pool, model: str | None, is_cancelled: IsCancelled = lambda: False
    ) -> None:
        self.pool, self.model = pool, model
        self._queueing, self._is_cancelled = queueing, is_cancelled
        self._window = queueing.evaluation.project.window
        self._mine = jobs_of(queueing, pool, model, is_of_model=True)
        self._at = queueing.order[self._mine[queueing.order]]
        log = queueing.log
        self._eligible_s, self._milli = log.eligible_s[self._at], log.milli_gpus[self._at]
        self._length_s = (log.end_s - log.start_s)[self._at]
        self._counted = log.counted(self._window)[self._at]
        self._node = queueing.node_milli_gpus(self._at)
        self._known: dict[int, FrontierPoint] = {}

    @cached_property
    def _jobs(self) -> list[QueuedJob]:
        return self._queueing.jobs(NamedSets((), (GpuSet(()),), (None,)), self._at)

    @cached_property
    def _parts(self) -> list[Part]:
        return parts_of(self._jobs, self._queueing.rooms)

    @cached_property
    def largest(self) -> float:
        """GPUs of the largest job."""
        return int(self._milli.max()) / MILLI

    @cached_property
    def most_at_once(self) -> float:
        """GPUs in use at most when nobody waits."""
        return (
            steps_of(*spans(self._eligible_s, self._eligible_s + self._length_s, self._milli)).most() / MILLI
        )

    @cached_property
    def mean_gpus(self) -> float:
        """GPUs in use in the window on average, as it was."""
        spent = int(self._queueing.log.spent(self._window)[self._at].sum())
        return spent / MILLI_GPU_SECONDS_PER_GPU_HOUR / self._window.hours

    @property
    def _layers(self) -> list[Layer]:
        """What the plan has of it all the time: contracts and commitments."""
        return [
            layer
            for row in self._rows
            for layer in row.layers
            if layer.existing or layer.term_months or layer.term_days
        ]

    @property
    def _rows(self) -> list[PoolPlan]:
        advice = self._queueing.evaluation.advice
        return [
            row
            for row in (advice.pools if advice is not None else ())
            if row.pool is self.pool and gpu_model_of(row.gpu_model) == self.model
        ]

    @property
    def _cheapest(self) -> Offer | None:
        """The commitment with the lowest rate that is open to it."""
        return next((offer for row in self._rows for offer in row.supply.offers), None)

    @cached_property
    def unit(self) -> int:
        """GPUs that its cheapest commitment is sold in; 1 without one."""
        return 1 if self._cheapest is None else self._cheapest.unit_gpus or 1

    @cached_property
    def rate(self) -> float | None:
        """$ per GPU-hour: the mean of its contracts and commitments, else its cheapest commitment; None: unknown."""
        held = [(layer.gpus, layer.rate) for layer in self._layers]
        if sum(gpus for gpus, _ in held):
            return mean_rate(held)
        return None if self._cheapest is None else self._cheapest.spread_rate

    @cached_property
    def today_gpus(self) -> int:
        """Whole GPUs of the sets that it may use today, in the window on average."""
        held = capacity(self._queueing, self._queueing.today, self._mine)
        return round(held / MILLI_GPU_SECONDS_PER_GPU_HOUR / self._window.hours)

    @cached_property
    def plan_gpus(self) -> int | None:
        """Whole GPUs of its contracts and commitments in the plan; None where nothing is planned."""
        return None if self._queueing.plan is None else round(sum(layer.gpus for layer in self._layers))

    def at(self, gpus: int) -> FrontierPoint:
        """Its waits on so many GPUs, all through the log."""
        if gpus not in self._known:
            self._known[gpus] = self._replayed(gpus)
        return self._known[gpus]

    def _replayed(self, gpus: int) -> FrontierPoint:
        queueing, first = self._queueing, int(self._eligible_s.min())
        answer = replay(
            self._jobs,
            [GpuSet(((first, gpus * MILLI),), self._node)],
            queueing.rooms,
            self._is_cancelled,
            self._parts,
        )
        start_s = np.array([-1 if at is None else at for at in answer.start_s], dtype=np.int64)
        outlet = np.array([-1 if at is None else at for at in answer.outlet], dtype=np.int64)
        gone = np.flatnonzero(self._counted & (outlet >= 0))
        usd = None
        if self.rate is not None:
            hours = (self._milli * self._length_s)[gone] / MILLI_GPU_SECONDS_PER_GPU_HOUR
            out = float((hours * usd_rates(queueing, self._at[gone], outlet[gone])).sum())
            usd = HOURS_PER_MONTH * (gpus * self.rate + out / self._window.hours)
        started = self._counted & (start_s >= 0)
        return FrontierPoint(
            self.pool,
            self.model,
            gpus,
            usd,
            waits.waits_of((start_s - self._eligible_s)[started]),
            int(np.count_nonzero(self._counted & (start_s < 0))),
        )

    def target(self, most_h: float) -> TargetFound:
        """The smallest size at which P90 is no longer and everybody starts."""

        def holds(gpus: int) -> bool:
            point = self.at(gpus)
            return not point.never and (point.waits.p90_h or 0.0) <= most_h

        found = waits.smallest_that_holds(
            ceil(self.largest), ceil(max(self.largest, self.most_at_once)), self.unit, holds
        )
        point = None if found is None else self.at(found)
        plan = None if self.plan_gpus is None else self.at(self.plan_gpus)
        usd, beside = (None if one is None else one.usd_per_month for one in (point, plan))
        return TargetFound(
            self.pool,
            self.model,
            most_h,
            found,
            None if point is None else point.waits.p90_h,
            usd,
            self.plan_gpus,
            None if usd is None or beside is None else usd - beside,
        )

    def frontier(self, sizes: int, found: TargetFound | None, likely: Likely | None) -> list[FrontierPoint]:
        """Its points by GPUs, the marked sizes among them; none where none were asked for."""
        if not sizes:
            return []
        marked = {"today": self.today_gpus, "plan": self.plan_gpus, "target": found and found.gpus}
        gpus = waits.frontier_sizes(self.mean_gpus, self.largest, self.most_at_once, self.unit, sizes)
        points = [self.at(many) for many in sorted({*gpus, *(many for many in marked.values() if many)})]
        drawn = {
            point.gpus: (
                point.gpus if point.usd_per_month is None else point.usd_per_month,
                point.waits.p90_h,
            )
            for point in points
            if point.gpus in gpus and not point.never and point.waits.p90_h is not None
        }
        knee = waits.knee_of(list(drawn.values()))
        marked["knee"] = None if knee is None else list(drawn)[knee]
        return [
            replace(
                point,
                likely=None if likely is None or point.waits.p90_h is None else likely(point.waits.p90_h),
                marks=tuple(mark for mark in MARKS if marked[mark] == point.gpus),
            )
            for point in points
        ]
