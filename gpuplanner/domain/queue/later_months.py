"""Waits in the later months of a plan: the log replayed on the GPUs of each month, with and without its decisions.

Source: docs/formulas/waits.md, Later months.
"""

from collections.abc import Collection, Mapping, Sequence
from functools import partial

import numpy as np

from gpuplanner.domain.arrays import Ints
from gpuplanner.domain.commitment.decision_waits import ChangedWait, DecisionWaits, PoolWait
from gpuplanner.domain.commitment.next_decision import NextDecision
from gpuplanner.domain.commitment.plan.comparison import Horizon, months_in
from gpuplanner.domain.commitment.result import Order
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.model.book.contract import month_start_s
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import DAY_S, MONTH_S
from gpuplanner.domain.queue import waits
from gpuplanner.domain.queue.ground import IsCancelled, NamedSets, Queueing
from gpuplanner.domain.queue.parts import Part, parts_of
from gpuplanner.domain.queue.replay import replay
from gpuplanner.domain.queue.rows import jobs_of, pools_of, replayed
from gpuplanner.lazy_dataclass import dataclass, field, replace

SOON_S = 14 * DAY_S
"""From the plan's first day: decisions due by then show their wait where not every replay is asked for."""
MANY_JOBS = 100_000
"""A log of more jobs is replayed for every month only where that is asked for: each replay takes seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MonthWait:
    """The wait of a pool in a month of the plan.

    month: from 0. begins_s: start of that month, epoch seconds. decision: the last one up to that month that lengthens
    the wait of the pool; None without one.
    """

    wait: PoolWait
    month: int
    begins_s: int
    decision: NextDecision | None = None

    @property
    def from_s(self) -> int:
        """The instant from which the wait applies, epoch seconds: that of the decision, otherwise the month's start."""
        waits_of_decision = None if self.decision is None else self.decision.waits
        return self.begins_s if waits_of_decision is None else waits_of_decision.begins_s


@dataclass(frozen=True, slots=True, kw_only=True)
class LaterWaits:
    """Waits of the decisions that end GPUs, by id, and of every pool by month.

    today: of each pool on the GPUs of today. months, today: empty where not every month was asked for.
    """

    decisions: Mapping[str, DecisionWaits] = field(default_factory=dict)
    months: tuple[MonthWait, ...] = ()
    today: Mapping[Pool, PoolWait] = field(default_factory=dict)

    def worst_in(self, horizon: Horizon) -> MonthWait | None:
        """Return the worst wait of a period, the first of equal ones; None where the months are not known.

        More jobs that never start, but do today, are worse; then a longer P90.
        """
        asked = months_in(horizon, sorted({row.month for row in self.months}))
        rows = [row for row in self.months if row.month in asked]
        return max(rows, key=lambda row: (self.never_more(row.wait), row.wait.p90_h or 0.0), default=None)

    def never_more(self, wait: PoolWait) -> int:
        """Return how many more jobs of a pool never start than on the GPUs of today; 0 if not more."""
        today = self.today.get(wait.pool)
        return max(0, wait.never_jobs - (0 if today is None else today.never_jobs))


def with_waits(
    decisions: Sequence[NextDecision], later: Mapping[str, DecisionWaits]
) -> tuple[NextDecision, ...]:
    """Return decisions with their waits. later: by id of the decision; others have none."""
    return tuple(replace(decision, waits=later.get(decision.decision_id)) for decision in decisions)


def later_waits(
    queueing: Queueing,
    decisions: Sequence[NextDecision],
    ranges: "Ranges",
    is_cancelled: IsCancelled = lambda: False,
    *,
    is_whole: bool = True,
) -> LaterWaits:
    """Replay the log on the GPUs that the plan holds in its later months.

    Each different set of GPUs is replayed once. decisions: of the plan. ranges: calibrates P90 of a pool.
    is_whole: replay every month; otherwise only what decisions due within 14 days need.
    """
    if queueing.plan is None:
        return LaterWaits()
    later = _Months(queueing, ranges, is_cancelled)
    asked = [row for row in decisions if row.ends_gpus and (is_whole or later.is_due_soon(row))]
    replays = ((row.decision_id, later.of_decision(row)) for row in asked)
    known = {name: waits_of_decision for name, waits_of_decision in replays if waits_of_decision is not None}
    if not is_whole:
        return LaterWaits(decisions=known)
    was = queueing.of_today
    start_s = replayed(was, was.today, is_cancelled).start_s
    today = {pool: wait_of(was, start_s, pool, ranges) for pool in pools_of(was)}
    return LaterWaits(decisions=known, months=later.all_waits(with_waits(decisions, known)), today=today)


class Ranges:
    """Calibrate P90 of a pool by the log's own waits. measured_h, today_h: P90 of each pool, in hours."""

    def __init__(self, measured_h: Mapping[Pool, float | None], today_h: Mapping[Pool, float | None]) -> None:
        self._measured_h, self._today_h = measured_h, today_h

    def of(self, pool: Pool, p90_h: float | None) -> waits.Range | None:
        """Return the calibrated range of a replayed P90; None where the log does not tell."""
        measured_h, today_h = self._measured_h.get(pool), self._today_h.get(pool)
        if p90_h is None or measured_h is None or today_h is None:
            return None
        return waits.calibrated(p90_h, measured_h, today_h)


class _Months:
    """The months of a plan, each with the GPUs that it holds after its last change."""

    def __init__(self, queueing: Queueing, ranges: Ranges, is_cancelled: IsCancelled) -> None:
        self._queueing, self._ranges, self._is_cancelled = queueing, ranges, is_cancelled
        advice, project = queueing.evaluation.advice, queueing.evaluation.project
        assert advice is not None
        self._begin_s, self._count = project.plan_window.end_s, len(advice.comparison)
        self._starts_s = [month_start_s(project.plan_window, month) for month in range(self._count)]
        self._queues: dict[object, Ints] = {}

    def is_due_soon(self, decision: NextDecision) -> bool:
        """Return whether a decision is due within 14 days of the plan's first day."""
        return decision.by_s is not None and decision.by_s < self._begin_s + SOON_S

    def of_decision(self, decision: NextDecision) -> DecisionWaits | None:
        """Return the waits with a decision and without it; None if it takes effect after the compared months."""
        begins_s = max(self._begin_s, decision.ends_s or self._begin_s)
        month = (begins_s - self._begin_s) // MONTH_S
        if month >= self._count:
            return None
        after = self._waits_on(self._held_in(month))
        without = self._waits_on(self._held_in(month, {decision.contract_id}, frozenset(decision.orders)))
        pairs = zip(without, after, strict=True)
        pools = tuple(ChangedWait(without=before, after=then) for before, then in pairs)
        return DecisionWaits(begins_s=begins_s, month=month, pools=pools) if pools else None

    def all_waits(self, decisions: Sequence[NextDecision]) -> tuple[MonthWait, ...]:
        """Return the wait of each pool in each month, month by month. decisions: with their waits."""
        return tuple(
            MonthWait(
                wait=wait, month=month, begins_s=begins_s, decision=_last_before(decisions, wait.pool, month)
            )
            for month, begins_s in enumerate(self._starts_s)
            for wait in self._waits_on(self._held_in(month))
        )

    def _held_in(
        self, month: int, kept: Collection[str] = (), dropped: Collection[Order] = frozenset()
    ) -> NamedSets:
        """Return the GPUs of a month after its last change."""
        return self._queueing.held_at(self._begin_s + (month + 1) * MONTH_S - 1, kept, dropped)

    def _waits_on(self, named: NamedSets) -> tuple[PoolWait, ...]:
        """Return the waits of each pool on some GPUs, replayed once."""
        work = partial(self._replayed_waits, named)
        return self._queueing.once(("later", named.names, named.sets), work, self._is_cancelled)

    def _replayed_waits(self, named: NamedSets, is_cancelled: IsCancelled) -> tuple[PoolWait, ...]:
        """Replay the log on some GPUs, queue by queue: one whose GPUs were replayed before is known."""
        queueing = self._queueing
        jobs, rooms, rules = queueing.jobs(named), queueing.rooms, queueing.schedule.rules
        start_s = np.full(len(queueing.log.kind), -1, dtype=np.int64)
        for part in parts_of(jobs, rooms, rules):
            places = queueing.order[part.places]
            start_s[places] = self._starts_of(part, places, named, is_cancelled)
        return tuple(wait_of(queueing, start_s, pool, self._ranges) for pool in pools_of(queueing))

    def _starts_of(self, part: Part, places: Ints, named: NamedSets, is_cancelled: IsCancelled) -> Ints:
        """Return when the jobs of a queue start, epoch seconds; below 0 if they never do. places: theirs in the log."""
        own = tuple((named.names[place], named.sets[place]) for place in sorted(part.used) if place >= 0)
        key = own, places.tobytes()
        if key not in self._queues:
            answer = replay(part.jobs, named.sets, self._queueing.rooms, is_cancelled, [part])
            self._queues[key] = np.array(answer.start_s, dtype=np.int64)
        return self._queues[key]


def wait_of(queueing: Queueing, start_s: Ints, pool: Pool, ranges: "Ranges") -> PoolWait:
    """Return the wait of a pool in a replay. start_s: of each job of the log, below 0 if it never starts."""
    log, window = queueing.log, queueing.evaluation.project.window
    counted = jobs_of(queueing, pool) & log.counted(window)
    starts = start_s >= 0
    p90_h = waits.p90_h((start_s - log.eligible_s)[counted & starts])
    never = np.flatnonzero(counted & ~starts)
    gpu_time = int((log.milli_gpus * (log.end_s - log.start_s))[never].sum())
    span = ranges.of(pool, p90_h)
    return PoolWait(
        pool=pool,
        p90_h=p90_h,
        low_h=None if span is None else span.low_h,
        high_h=None if span is None else span.high_h,
        never_jobs=len(never),
        never_gpu_hours=gpu_time / MILLI_GPU_SECONDS_PER_GPU_HOUR,
    )


def _last_before(decisions: Sequence[NextDecision], pool: Pool, month: int) -> NextDecision | None:
    """Return the decision that took effect last, up to a month, of those that lengthen the wait of a pool."""
    known = [
        (row.waits.begins_s, row.waits.main.increase, row.decision_id, row)
        for row in decisions
        if row.waits is not None and row.waits.month <= month and row.waits.lengthens(pool)
    ]
    return max(known, key=lambda entry: entry[:3])[3] if known else None
