"""Sizes: jobs of one GPU model on so many GPUs, of a pool alone or of all together; their $; the least for a target.

Source: docs/formulas/waits.md.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, partial
from math import ceil, inf, isclose, lcm
from operator import attrgetter, le
from typing import Final, NamedTuple

import numpy as np

from gpuplanner.domain.arrays import Floats, Ints
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.figures.waiting import WAITING
from gpuplanner.domain.model.book.only import gpu_model_of
from gpuplanner.domain.model.tables import SERVING_ORDER, Pool
from gpuplanner.domain.model.window import HOUR_S, HOURS_PER_MONTH
from gpuplanner.domain.queue import waits
from gpuplanner.domain.queue.alone import Freely, freely_on
from gpuplanner.domain.queue.ground import MILLI, IsCancelled, NamedSets, mean_rate
from gpuplanner.domain.queue.logged import laid, spans, steps_of
from gpuplanner.domain.queue.parts import Part, parts_of
from gpuplanner.domain.queue.replay import replay
from gpuplanner.domain.queue.rows import QueueRow, Replayed, jobs_of, over_capacity, sets_of, usd_rates
from gpuplanner.domain.queue.sets import GpuSet, QueuedJob
from gpuplanner.domain.queue.waits import Range, Waits
from gpuplanner.lazy_dataclass import dataclass, replace

MARKS: Final = ("today", "plan", "knee", "target")
"""What a size may be, in the order in which they are told."""


class AsToday(NamedTuple):
    """What all sizes of one pool and model stand beside. gpus: of the model, whoever may use them; is_shared: other
    pools may use those of its own; p90_h: in the log; replayed_h: on today's GPUs.
    """

    gpus: int = 0
    is_shared: bool = False
    p90_h: float | None = None
    replayed_h: float | None = None


UNKNOWN_TODAY: Final = AsToday()
Points = tuple["FrontierPoint", ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontierPoint:
    """One pool and model on so many GPUs, alone. usd_per_month: None where no rate is known; never: jobs that never
    start, but for those larger than a limit; likely: the calibrated range of P90; marks: today, plan, knee, target.
    is_shared: the plan's own replay, in which all who may use these GPUs stand. sent_out: jobs; sent_out_usd: in the
    window, of so many hours. is_together: beside the other pools of its model, whose GPUs and $ are in it, too. bend:
    from which size to which the curve bends nearly as much as at its knee. target_h: P90 that its mark "target" is of.
    apart_usd: $ per month that the plan's separate pools cost more than as many shared GPUs; None of other points.
    """

    pool: Pool
    gpu_model: str | None
    gpus: int
    usd_per_month: float | None
    waits: Waits
    never: int
    likely: Range | None = None
    marks: tuple[str, ...] = ()
    is_shared: bool = False
    sent_out: int = 0
    sent_out_usd: float = 0.0
    hours: int = 0
    rate: float | None = None
    today: AsToday = UNKNOWN_TODAY
    is_together: bool = False
    bend: tuple[int, ...] = ()
    target_h: float | None = None
    sent_out_gpu_hours: float = 0.0
    apart_usd: float | None = None

    @property
    def moved_usd_per_month(self) -> float:
        """$ per month of the jobs that the replay moves to on demand."""
        return self.sent_out_usd / self.hours * HOURS_PER_MONTH if self.hours else 0.0

    @property
    def corrected(self) -> Range | None:
        """Its likely range; None where the replay of today is so far from the log that this corrects nothing."""
        today = self.today
        is_off = None not in (today.p90_h, today.replayed_h) and are_apart(today.p90_h, today.replayed_h)
        return None if is_off else self.likely

    @property
    def is_missed(self) -> bool:
        """Whether the log's own correction says that its target is not kept."""
        return self.target_h is not None and self.likely is not None and self.likely.low_h > self.target_h


def are_apart(first_h: float | None, other_h: float | None) -> bool:
    """Whether two waits differ by more than a factor of 2 and by more than an hour; None: of no job."""
    low, high = sorted(inf if wait_h is None else wait_h for wait_h in (first_h, other_h))
    return high > 2 * low and high - low > 1


OUT_SHARE: Final = 0.05
"""Of a pool's GPU-hours: a replay that sends out more is not the log's queue."""


class Gap(NamedTuple):
    """A pool's P90 waits of one GPU model in the log (None: unknown) and replayed on today's GPUs (None: no job
    starts), hours; gpu_hours: of its jobs, and out_share of them is sent out, which the log never did, 0..1.
    """

    pool: Pool
    log_h: float | None
    replayed_h: float | None
    out_share: float
    gpu_hours: float = 0.0

    @property
    def is_long(self) -> bool:
        """Whether the waits differ by more than a factor of 2 and by more than an hour."""
        return self.log_h is not None and are_apart(self.log_h, self.replayed_h)

    @property
    def is_longer(self) -> bool:
        """Whether the replay has fewer GPUs than the log had: its jobs wait longer, or are sent out."""
        is_more = self.replayed_h is None or self.replayed_h > (self.log_h or 0.0)
        return self.out_share > OUT_SHARE or (self.is_long and is_more)


class OfModel(NamedTuple):
    """All pools of a GPU model. gaps: of pools whose replay on today's GPUs is not the log's; agreed: by pool, the
    smallest size on which nobody waits longer than in the log or is sent out, where there are gaps (none: no size in
    reach); today_gpus; over_gpu_hours: that ran in the window beyond what their cluster had; plan, better: points of
    the plan, and of the cheapest size replayed that costs less while no pool waits longer and one waits less; shared:
    of the pools with gaps, on today's GPUs as one set all through the log.
    """

    gpu_model: str | None
    gaps: tuple[Gap, ...]
    agreed: tuple[FrontierPoint, ...]
    today_gpus: int
    over_gpu_hours: float
    plan: tuple[FrontierPoint, ...] = ()
    better: tuple[FrontierPoint, ...] = ()
    shared: tuple[FrontierPoint, ...] = ()

    @property
    def saved_usd_per_month(self) -> float | None:
        """$ per month that the plan costs more than the better size; None without one."""
        size, plan = (points[0].usd_per_month if points else None for points in (self.better, self.plan))
        return None if size is None or plan is None else plan - size


def better_than(plan: Points, sizes: Iterable[Points]) -> Points:
    """The last size that costs less than a plan, with no longer P90 wait of any pool and a shorter one of some.

    plan, sizes: points of the same pools in the same order; sizes are asked for, most GPUs first, until a pool waits
    longer, or a size has no points. Empty: no size does.
    """

    def told(points: Points) -> list[float]:
        waited = [inf if point.waits.p90_h is None else point.waits.p90_h for point in points]
        return [*waited, *(point.never for point in points)]

    most_usd, known, better = plan[0].usd_per_month or 0.0, told(plan), Points()
    sizes = sizes if any(known) else ()  # where nobody waits, nobody waits less
    for points in sizes:
        if not points or not all(map(le, told(points), known)):
            break
        usd = points[0].usd_per_month
        if usd is not None and usd < most_usd and told(points) != known:
            most_usd, better = usd, points
    return better


@dataclass(frozen=True, slots=True)
class TargetFound:
    """The smallest size that keeps a target, beside the plan's own. None: no size in reach does, or nothing is planned.

    asked: with the model that was meant. is_plan_shared: other pools may use the plan's GPUs, too.
    """

    asked: waits.Target
    found: FrontierPoint | None
    plan: FrontierPoint | None
    is_plan_shared: bool = False

    @property
    def difference_usd_per_month(self) -> float | None:
        """Of the size less the plan."""
        usd, beside = (None if point is None else point.usd_per_month for point in (self.found, self.plan))
        return None if usd is None or beside is None else usd - beside


def gpus_in(sets: list[GpuSet]) -> int:
    """Whole GPUs that stand in some sets at the end."""
    return round(sum(gpu_set.changes[-1][1] for gpu_set in sets) / MILLI)


class OnSizes:
    """The jobs of one pool and model, alone or beside all others of that model, and their replays on constant sizes,
    each worked out once.

    today, plan: replays of all jobs, the same one where nothing is planned; row: of these in that of the plan. pools:
    those that stand there; unit: GPUs that their cheapest commitment is sold in, together whole nodes of these; rate: $
    per GPU-hour, the mean of their contracts and commitments (a level by hand that no offer has room for has none),
    else of that commitment; None: unknown.
    """

    def __init__(
        self, today: Replayed, plan: Replayed, row: QueueRow, is_cancelled: IsCancelled, *, is_together: bool
    ) -> None:
        self.pool, self.model = row.pool, row.gpu_model
        self._today, self._plan, self._row = today, plan, row
        queueing = self._queueing = plan.queueing
        self._is_cancelled = is_cancelled
        self._window = queueing.evaluation.project.window
        self._own = jobs_of(queueing, self.pool, self.model, is_of_model=True)
        self._mine = jobs_of(queueing, None, self.model, is_of_model=True) if is_together else self._own
        self._at = queueing.order[self._mine[queueing.order]]
        log = queueing.log
        self._rank = queueing.rank[self._at]
        self.pools = tuple(SERVING_ORDER[at] for at in np.unique(self._rank).tolist())
        self._eligible_s, self._milli = log.eligible_s[self._at], laid(log.milli_gpus[self._at])
        self._length_s = (log.end_s - log.start_s)[self._at]
        self._counted = log.counted(self._window)[self._at]
        self._node = queueing.node_milli_gpus(self._at)
        advice = queueing.evaluation.advice
        rows = advice.pools if advice is not None else ()
        ours = [row for row in rows if row.pool in self.pools and gpu_model_of(row.gpu_model) == self.model]
        offers = (offer for row in ours for offer in row.supply.offers[:1])
        cheapest = min(offers, key=lambda offer: offer.spread_rate or inf, default=None)
        self.unit = 1 if cheapest is None else cheapest.unit_gpus or 1
        if self.is_together and self._node is not None:
            self.unit = lcm(self.unit, ceil(self._node / MILLI))
        own = (each for row in ours for each in row.layers if each.existing or each.is_new)
        held = [(layer.gpus, layer.rate) for layer in own if layer.existing or layer.rate is not None]
        self.rate = None if cheapest is None else cheapest.spread_rate
        if sum(gpus for gpus, _ in held):
            self.rate = mean_rate(held)

    @property
    def is_together(self) -> bool:
        """Whether other pools stand there, too."""
        return len(self.pools) > 1

    @cached_property
    def _jobs(self) -> list[QueuedJob]:
        return self._queueing.jobs(NamedSets((), (GpuSet(()),), (None,)), self._at)

    @cached_property
    def _parts(self) -> list[Part]:
        return parts_of(self._jobs, self._queueing.rooms, self._queueing.schedule.rules)

    def _freely(self, rest: int) -> Freely:
        """How its jobs lie where nobody waits, with one machine of so many thousandths beside whole ones."""

        def found(_: IsCancelled) -> Freely:
            until_s, part = self._eligible_s + self._length_s, self._parts[0]
            held = self._milli if self._node is None else np.maximum(self._queueing.log.nodes[self._at], 1)
            steps = steps_of(*spans(self._eligible_s, until_s, held))
            gpu_set = GpuSet(((part.comes[0], steps.most() * (self._node or 1) + rest),), self._node)
            if self._node is not None:
                return freely_on(part, (), gpu_set)
            in_use = steps.amount[np.searchsorted(steps.at_s, part.comes[:-2])]
            return freely_on(part, in_use.tolist(), gpu_set)

        return self._queueing.once((self.pools, self.model, "freely", rest), found, self._is_cancelled)

    @cached_property
    def largest(self) -> float:
        """GPUs of the largest job."""
        return int(self._milli.max()) / MILLI

    @cached_property
    def most_at_once(self) -> float:
        """GPUs in use at most when nobody waits."""
        used = spans(self._eligible_s, self._eligible_s + self._length_s, self._milli)
        return steps_of(*used).most() / MILLI

    @cached_property
    def mean_gpus(self) -> float:
        """GPUs in use in the window on average, as it was; where slices fill a GPU no more than they lie on."""
        spent = int(self._queueing.log.spent(self._window)[self._at].sum())
        return min(self.most_at_once, spent / MILLI_GPU_SECONDS_PER_GPU_HOUR / self._window.hours)

    @cached_property
    def today_gpus(self) -> int:
        """Whole GPUs of the sets that it may use at the window's end: today is what stands there now, as for the plan.

        A mean would count 15 of 16 GPUs of a contract that began in the window; what has ended is none of today.
        """
        return gpus_in(sets_of(self._queueing, self._today.named, self._mine))

    @cached_property
    def planned(self) -> FrontierPoint | None:
        """On the GPUs of the plan that it may use, with all who share them: its row; None where nothing is planned."""
        return self.plan_of(self.pool)

    def plan_of(self, pool: Pool) -> FrontierPoint | None:
        """The same of any pool that stands there."""
        if self._queueing.plan is None:
            return None
        own = jobs_of(self._queueing, pool, self.model, is_of_model=True)
        row = all_rows = self._row if pool is self.pool else self._plan.row(pool, own)
        gpus = gpus_in(sets_of(self._queueing, self._plan.named, self._mine))
        counted = self._queueing.log.counted(self._window)
        never = int(np.count_nonzero(own & counted & ~self._queueing.larger & (self._plan.start_s < 0)))
        if self.is_together:
            all_rows = self._plan.row(self.pool, self._mine)
        out = (row.sent_out_jobs or 0, all_rows.sent_out_usd or 0.0)
        return replace(self._point(pool, gpus, row.waits, never, *out), is_shared=True)

    def _point(
        self, pool: Pool, gpus: int, found_waits: Waits, never: int, sent_out: int, out_usd: float
    ) -> FrontierPoint:
        """So many GPUs with what they cost; sent_out: jobs of the pool, out_usd: of all, in the window."""
        given = {
            "gpus": gpus,
            "rate": self.rate,
            "sent_out_usd": out_usd,
            "hours": self._window.hours,
            "month_hours": HOURS_PER_MONTH,
        }
        return FrontierPoint(
            pool=pool,
            gpu_model=self.model,
            gpus=gpus,
            usd_per_month=WAITING.row(given, ("usd_per_month",))["usd_per_month"],
            waits=found_waits,
            never=never,
            sent_out=sent_out,
            sent_out_usd=out_usd,
            hours=self._window.hours,
            rate=self.rate,
            is_together=self.is_together,
        )

    def at(self, gpus: int) -> FrontierPoint:
        """Its waits on so many GPUs, all through the log."""
        return self.every(gpus)[self.pools.index(self.pool)]

    def every(self, gpus: int, than: Points = ()) -> Points:
        """The same of each pool that stands there. than: points of these pools; as soon as it is certain that one waits
        longer than there, the answer is empty."""
        queueing, key = self._queueing, (self.pools, self.model, gpus)
        key_cut = key if key in queueing.known else (*key, *than)
        return queueing.once(key_cut, partial(self._replayed, gpus, than), self._is_cancelled)

    def _replayed(self, gpus: int, than: Points, is_cancelled: IsCancelled) -> Points:
        """Of each pool that stands there."""
        queueing, first = self._queueing, int(self._eligible_s.min())
        gpu_set = GpuSet(((first, gpus * MILLI),), self._node)
        is_enough, answer = self._is_longer(than), self._plan.answer
        if not self._is_as_planned(gpu_set):
            freely = None if than else self._freely(gpus * MILLI % (self._node or 1))  # most of them wait
            answer = replay(
                self._jobs, [gpu_set], queueing.rooms, is_cancelled, self._parts, freely, is_enough=is_enough
            )
        if is_enough(answer.start_s):
            return ()
        start_s, outlet = np.array(answer.start_s), np.array(answer.outlet)
        gone = np.flatnonzero(self._counted & (outlet >= 0))
        hours = (queueing.log.milli_gpus[self._at] * self._length_s)[gone] / MILLI_GPU_SECONDS_PER_GPU_HOUR
        out_usd = float((hours * usd_rates(queueing, self._at[gone], outlet[gone])).sum())
        wait_s, points = start_s - self._eligible_s, list[FrontierPoint]()
        lost = (start_s < 0) & ~queueing.larger[self._at]
        for pool in self.pools:
            own = self._counted & (self._rank == SERVING_ORDER.index(pool))
            never, sent_out = (int(np.count_nonzero(own & of)) for of in (lost, outlet >= 0))
            wait = waits.waits_of(wait_s[own & (start_s >= 0)])
            point = self._point(pool, gpus, wait, never, sent_out, out_usd)
            points.append(replace(point, sent_out_gpu_hours=float(hours[own[gone]].sum())))
        return tuple(points)

    def _is_as_planned(self, gpu_set: GpuSet) -> bool:
        """Whether the plan's replay is of these jobs alone, on one set of as many GPUs."""
        queueing, named, (from_s, milli) = self._queueing, self._plan.named, gpu_set.changes[0]
        (since_s, had), *changes = named.sets[0].changes if len(named.sets) == 1 else ((0, 0),)
        is_it = (
            had == milli and since_s <= from_s and not changes and named.sets[0].node_milli_gpus == self._node
        )
        of_kind = zip(queueing.clusters.of_kind, queueing.pools, strict=True)
        return (
            is_it and bool(self._mine.all()) and all(named.open_to(*place, pool) for place, pool in of_kind)
        )

    def _is_longer(self, than: Points) -> Callable[[Sequence[int]], bool]:
        """Whether, by who has started, the P90 wait of a pool is surely longer than these points have it: more than a
        tenth of all its jobs that are counted started later than that."""
        pools = list[tuple[Ints, Floats]]()
        for point in than:
            at = np.flatnonzero(self._counted & (self._rank == SERVING_ORDER.index(point.pool)))
            p90_h = inf if point.waits.p90_h is None else point.waits.p90_h
            pools.append((at, self._eligible_s[at] + np.rint(HOUR_S * p90_h)))

        def is_longer(start_s: Sequence[int]) -> bool:
            started_s = np.array(start_s if pools else ())
            return any(10 * np.count_nonzero(started_s[at] > latest_s) > len(at) for at, latest_s in pools)

        return is_longer

    def _gap(self, pool: Pool) -> Gap:
        log, own = self._queueing.log, jobs_of(self._queueing, pool, self.model, is_of_model=True)
        row, time = self._today.row(pool, own), log.milli_gpus * (log.end_s - log.start_s)
        hours = int(time[own & log.counted(self._window)].sum()) / MILLI_GPU_SECONDS_PER_GPU_HOUR
        known = log.wait_s[own & log.measured(self._window)]
        share = (row.sent_out_gpu_hours or 0.0) / hours if hours else 0.0
        return Gap(
            pool=pool, log_h=waits.p90_h(known), replayed_h=row.waits.p90_h, out_share=share, gpu_hours=hours
        )

    def better(self, sizes: int) -> tuple[Points, Points]:
        """Points of the plan, and of the cheapest size that is better; either may be empty. sizes: see `frontier`; only
        those are replayed whose GPUs alone cost less than the plan."""
        plan = tuple(point for point in map(self.plan_of, self.pools) if point is not None and point.gpus)
        if not plan or plan[0].usd_per_month is None or self.rate is None:
            return plan, ()
        gpus = waits.frontier_sizes(self.mean_gpus, self.largest, self.most_at_once, self.unit, sizes)
        most = plan[0].usd_per_month / HOURS_PER_MONTH / self.rate
        tried = sorted((many for many in {*gpus, self.today_gpus} if 0 < many < most), reverse=True)
        return plan, better_than(plan, map(partial(self.every, than=plan), tried))

    def of_model(self, sizes: int, *, is_short: bool = False) -> OfModel:
        """What its replays say of log and plan. sizes: as of `better`; is_short: without the gaps."""
        every, short_h = [*map(self._gap, self.pools)], waits.SHORT_S / waits.SECONDS_PER_HOUR

        def holds(gpus: int) -> bool:
            """Whether the queue is no longer than the log's."""
            return all(
                not point.never
                and (gap.log_h is None or (point.waits.p90_h or 0.0) <= gap.log_h + short_h)
                and point.sent_out_gpu_hours <= OUT_SHARE * gap.gpu_hours
                for gap, point in zip(every, self.every(gpus), strict=True)
            )

        gaps = tuple(gap for gap in every if not is_short and (gap.is_long or gap.is_longer))
        least, most = ceil(self.largest), ceil(max(self.largest, self.most_at_once))
        size = waits.smallest_that_holds(least, most, self.unit, holds) if gaps else None
        over = over_capacity(self._today.queueing, self._today.named, self.model)
        pairs = zip(every, self.every(size), strict=True) if size else ()
        here = [replace(point, today=AsToday(self.today_gpus, p90_h=gap.log_h)) for gap, point in pairs]
        longer = {gap.pool for gap in gaps if gap.is_long} if self.today_gpus >= self.largest else set()
        shared = (
            tuple(point for point in self.every(self.today_gpus) if point.pool in longer) if longer else ()
        )
        plan, better = self.better(sizes)
        return OfModel(
            gpu_model=self.model,
            gaps=gaps,
            agreed=tuple(here),
            today_gpus=self.today_gpus,
            over_gpu_hours=over,
            plan=plan,
            better=better,
            shared=shared,
        )

    def target(self, asked: waits.Target) -> TargetFound:
        """The smallest size at which P90 is no longer, or nobody waits or is sent out, and everybody starts."""

        def holds(gpus: int) -> bool:
            point = self.at(gpus)
            if asked.is_of_all:
                return not (point.never or point.sent_out or point.waits.mean_h)
            return not point.never and (point.waits.p90_h or 0.0) <= asked.p90_h

        least = waits.smallest_that_holds(
            ceil(self.largest), ceil(max(self.largest, self.most_at_once)), self.unit, holds
        )
        size, plan = None if least is None else self.at(least), self.planned
        return TargetFound(
            replace(asked, gpu_model=self.model), size, plan, plan is not None and self._shares(self._plan)
        )

    def frontier(self, sizes: int, target: TargetFound | None) -> list[FrontierPoint]:
        """Its points by GPUs, the marked sizes among them; none where none were asked for.

        The plan is a point of its own, unless it comes to what these jobs alone do on as many GPUs.
        """
        if not sizes:
            return []
        marked = {"today": self.today_gpus}
        if target is not None and target.found is not None:
            marked["target"] = target.found.gpus
        plan = self.planned if self.planned is not None and self.planned.gpus else None
        if plan is not None and self._is_as(self.at(plan.gpus), plan):
            marked["plan"], plan = plan.gpus, None
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
        sizes_drawn, bend = list(drawn), list[int]()
        if knee is not None:
            marked["knee"], *bend = (sizes_drawn[place] for place in knee)
        asked_h = None if target is None or target.asked.is_of_all else target.asked.p90_h
        shown = [
            replace(
                point,
                marks=tuple(mark for mark in MARKS if marked.get(mark) == point.gpus),
                bend=tuple(bend),
                target_h=asked_h if marked.get("target") == point.gpus else None,
            )
            for point in points
        ]
        if plan is not None:
            usd, shared = plan.usd_per_month, self.at(plan.gpus).usd_per_month
            apart = None if usd is None or shared is None or not self.is_together else usd - shared
            shown.append(replace(plan, marks=("plan",), apart_usd=apart))
        shown.sort(key=attrgetter("gpus"))
        log, named = self._queueing.log, self._today.named
        was = waits.p90_h(log.wait_s[self._own & log.measured(self._window)])
        of_model = [s for s, name in zip(named.sets, named.names, strict=True) if name[1] == self.model]
        replayed = self._today.row(self.pool, self._own).waits.p90_h
        now = AsToday(gpus_in(of_model), self._shares(self._today), was, replayed)
        return [
            replace(point, likely=_likely(point.waits.p90_h, was, replayed), today=now) for point in shown
        ]

    def _is_as(self, point: FrontierPoint, other: FrontierPoint) -> bool:
        """Whether its jobs do the same on both; together, whether what all of them send out costs the same, too."""
        is_alike = (point.waits, point.never) == (other.waits, other.never)
        return is_alike and (not self.is_together or isclose(point.sent_out_usd, other.sent_out_usd))

    def _shares(self, replayed: Replayed) -> bool:
        """Whether others may use some of the GPUs that it may."""
        of_others = ~self._mine & self._queueing.log.counted(self._window)
        own, theirs = (sets_of(self._queueing, replayed.named, of) for of in (self._mine, of_others))
        return any(gpu_set is other for gpu_set in own for other in theirs)


def calibrated_sizes(frontier: Points, models: Sequence[OfModel]) -> Points:
    """The sizes with that at which the replay agrees marked "agreed" among those of all pools together, and every range
    from the replayed P90 to the same with what the log differs from it there, hours, never below 0.

    Sizes of models without such a capacity stay.
    """
    agreed = {(point.pool, of.gpu_model): point for of in models for point in of.agreed}
    subjects = [*dict.fromkeys(map(_subject, frontier))]
    known = {(*_subject(p), p.gpus, p.is_shared) for p in frontier}
    drawn = [*frontier, *(p for p in agreed.values() if (*_subject(p), p.gpus, False) not in known)]
    for at, p in enumerate(drawn):
        if (capacity := agreed.get((p.pool, p.gpu_model))) is not None:
            is_it = (p.gpus, p.is_together, p.is_shared) == (capacity.gpus, capacity.is_together, False)
            now_h, log_h, likely = p.waits.p90_h, capacity.today.p90_h, None
            if now_h is not None and log_h is not None:
                likely = Range(*sorted((now_h, max(0.0, now_h + log_h - (capacity.waits.p90_h or 0.0)))))
            today = p.today._replace(replayed_h=None)
            drawn[at] = replace(p, marks=(*p.marks, *("agreed",) * is_it), likely=likely, today=today)
    kept = (p for p in drawn if _subject(p) in subjects)
    return tuple(sorted(kept, key=lambda p: (subjects.index(_subject(p)), p.gpus)))


def _subject(point: FrontierPoint) -> tuple[Pool, str | None, bool]:
    return point.pool, point.gpu_model, point.is_together


def _likely(p90_h: float | None, was: float | None, replayed: float | None) -> Range | None:
    """The range of a P90 by what the log shows at its real size, as it was and replayed; None where one is unknown.

    These two are of the pool's jobs among all: what sharing costs them is no miss of the replay.
    """
    if was is None or replayed is None or p90_h is None:
        return None
    return waits.calibrated(p90_h, was, replayed)
