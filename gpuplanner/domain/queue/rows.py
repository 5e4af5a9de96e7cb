"""Rows of waits: of pools on some sets of GPUs, and the log's own by pool, team, GPU model, size, hour of the week.

Source: docs/formulas/waits.md.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from functools import partial
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

import numpy as np

from gpuplanner.domain.arrays import Bools, Floats, Ints
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.figures.waiting import WAITING
from gpuplanner.domain.model.tables import SERVING_ORDER, Pool
from gpuplanner.domain.model.window import HOUR_S, HOURS_OF_WEEK, Window
from gpuplanner.domain.queue import waits
from gpuplanner.domain.queue.ground import MILLI, IsCancelled, NamedSets, Queueing
from gpuplanner.domain.queue.logged import room_s, spans, steps_of
from gpuplanner.domain.queue.replay import replay
from gpuplanner.domain.queue.sets import GpuSet
from gpuplanner.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueRow:
    """Jobs of a pool eligible in the window, of one GPU model where one is named. None is unknown.

    sent_out: to offers by use, $ of the window; utilization: GPU time on sets it may use of what these have, 0..1;
    waited_with_room: share of the waiting during which as many GPUs stood free, measured waits alone. used_gpu_time,
    held_gpu_time (thousandths of a GPU-second), room_h: what they stand on; out: by offer what was sent there.
    """

    pool: Pool
    gpu_model: str | None
    waits: waits.Waits
    sent_out_jobs: int | None
    sent_out_gpu_hours: float | None
    sent_out_usd: float | None
    utilization: float | None
    waited_with_room: float | None = None
    used_gpu_time: int = 0
    held_gpu_time: int = 0
    room_h: float | None = None
    out: tuple["SentOut", ...] = ()


class SentOut(NamedTuple):
    """What went to one offer in the window."""

    offer_id: str
    sent_out_jobs: int
    sent_out_gpu_hours: float
    sent_out_usd: float


class Fragment(NamedTuple):
    """GPU-hours of a set that nobody who waited could use, and their $ (None: no rate)."""

    cluster: str
    gpu_model: str | None
    pool: Pool | None
    gpu_hours: float
    usd: float | None


class Replayed:
    """A log replayed on some sets. start_s: of each job of the log, -1: it never started."""

    def __init__(self, queueing: Queueing, named: NamedSets, is_cancelled: IsCancelled) -> None:
        self.queueing, self.named = queueing, named
        jobs, rules = queueing.jobs(named), queueing.schedule.rules
        self.answer = replay(jobs, named.sets, queueing.rooms, is_cancelled, rules=rules)
        self.start_s = np.full(len(queueing.log.kind), -1, dtype=np.int64)
        self.start_s[queueing.order] = self.answer.start_s
        self._outlet = np.full(len(queueing.log.kind), -1, dtype=np.int64)
        self._outlet[queueing.order] = self.answer.outlet

    @property
    def window(self) -> Window:
        """What is counted."""
        return self.queueing.evaluation.project.window

    def rows(self) -> tuple[QueueRow, ...]:
        """Of each pool with a job that is counted, in the order in which they are asked."""
        return tuple(self.row(pool, None) for pool in pools_of(self.queueing))

    def row(self, pool: Pool, of: Bools | None, model: str | None = None) -> QueueRow:
        """Of a pool's jobs, or of some of them."""
        log, own = self.queueing.log, jobs_of(self.queueing, pool) if of is None else of
        counted = own & log.counted(self.window)
        started = counted & (self.start_s >= 0)
        gone = np.flatnonzero(counted & (self._outlet >= 0))
        gpu_hours = (log.milli_gpus * (log.end_s - log.start_s) / MILLI_GPU_SECONDS_PER_GPU_HOUR)[gone]
        usd = gpu_hours * usd_rates(self.queueing, gone, self._outlet[gone])
        outlets = np.unique(self._outlet[gone]).tolist()
        offers = [(self.queueing.offers[at].offer_id, self._outlet[gone] == at) for at in outlets]
        ran = own & (self.start_s >= 0) & (self._outlet < 0)
        inside = np.minimum(self.start_s + log.end_s - log.start_s, self.window.end_s)
        inside = np.maximum(inside - np.maximum(self.start_s, self.window.start_s), 0)
        held = capacity(self.queueing, self.named, own)
        used = min(held, int((log.milli_gpus * inside)[ran].sum()))  # seven sevenths are 1,001 thousandths
        out = tuple(
            SentOut(name, int(places.sum()), float(gpu_hours[places].sum()), float(usd[places].sum()))
            for name, places in offers
        )
        return QueueRow(
            pool=pool,
            gpu_model=model,
            waits=waits.waits_of((self.start_s - log.eligible_s)[started]),
            sent_out_jobs=len(gone),
            sent_out_gpu_hours=float(gpu_hours.sum()),
            sent_out_usd=float(usd.sum()),
            utilization=_used(used, held),
            used_gpu_time=used,
            held_gpu_time=held,
            out=out,
        )

    def fragments(self) -> tuple[Fragment, ...]:
        """What stood free in the window while the first in the queue fitted by number and not by node, by set."""
        window, lost_time = self.window, [0] * len(self.named.sets)
        for place, from_s, to_s, milli in self.answer.fragments:
            inside = min(to_s, window.end_s) - max(from_s, window.start_s)
            lost_time[place] += max(0, inside) * milli
        hours = (time / MILLI_GPU_SECONDS_PER_GPU_HOUR for time in lost_time)
        lost = zip(hours, self.named.names, self.named.rates, strict=True)
        return tuple(
            Fragment(
                cluster=cluster or "",
                gpu_model=model,
                pool=pool,
                gpu_hours=amount,
                usd=None if rate is None else amount * rate,
            )
            for amount, (cluster, model, pool), rate in lost
            if amount
        )


def replayed(queueing: Queueing, named: NamedSets, is_cancelled: IsCancelled = lambda: False) -> Replayed:
    """The log on some sets, worked out once."""
    return queueing.once(named, partial(Replayed, queueing, named), is_cancelled)


def usd_rates(queueing: Queueing, jobs: Ints, outlets: Ints) -> Floats:
    """$ per GPU-hour that each of some jobs pays where it was sent."""
    offered = (queueing.outlets[kind] for kind in queueing.log.kind[jobs].tolist())
    rates = [of.rates[of.places.index(at)] for of, at in zip(offered, outlets.tolist(), strict=True)]
    return np.array(rates, dtype=np.float64)


def pools_of(queueing: Queueing) -> tuple[Pool, ...]:
    """The pools with a job that is counted, in the order in which they are asked."""
    counted = queueing.log.counted(queueing.evaluation.project.window)
    return tuple(pool for pool in SERVING_ORDER if (jobs_of(queueing, pool) & counted).any())


def jobs_of(
    queueing: Queueing, pool: Pool | None, model: str | None = None, *, is_of_model: bool = False
) -> Bools:
    """The jobs of a pool (None: of any), or those of them that count with one model."""
    models = (named for _, named in queueing.clusters.of_kind)
    of_kind = enumerate(zip(queueing.pools, models, strict=True))
    asked = ((at, pool in (None, of_pool), named) for at, (of_pool, named) in of_kind)
    kinds = [at for at, is_asked, named in asked if is_asked and (not is_of_model or named == model)]
    return np.asarray(np.isin(queueing.log.kind, kinds))


def sets_of(queueing: Queueing, named: NamedSets, own: Bools) -> list[GpuSet]:
    """Those that some jobs may use."""
    used = set[int]()
    for kind in np.unique(queueing.log.kind[own]).tolist():
        cluster, model = queueing.clusters.of_kind[kind]
        used |= {*named.open_to(cluster, model, queueing.pools[kind])}
    return [named.sets[place] for place in sorted(used)]


def capacity(queueing: Queueing, named: NamedSets, own: Bools) -> int:
    """Milli-GPU-seconds inside the window of the sets that some jobs may use."""
    window, total = queueing.evaluation.project.window, 0
    for gpu_set in sets_of(queueing, named, own):
        changes = gpu_set.changes
        ends = [at for at, _ in changes[1:]] + [window.end_s]
        for (from_s, milli), to_s in zip(changes, ends, strict=True):
            total += milli * max(0, min(to_s, window.end_s) - max(from_s, window.start_s))
    return total


def over_capacity(queueing: Queueing, named: NamedSets, model: str | None) -> float:
    """GPU-hours of a GPU model inside the window that ran beyond what their cluster had, as the log has them."""
    window, time = queueing.evaluation.project.window, 0
    for (cluster, own), busy in queueing.clusters.busy.items():
        if own != model:
            continue
        pairs = zip(named.names, named.sets, strict=True)
        had = [np.array(of.changes, dtype=np.int64) for name, of in pairs if name[:2] == (cluster, model)]
        changes = [(steps[:, 0], -np.diff(steps[:, 1], prepend=0)) for steps in had]
        over = steps_of((busy.at_s, np.diff(busy.amount, prepend=0)), *changes)
        lasts = np.diff(np.clip(over.at_s, window.start_s, window.end_s))
        time += int((np.maximum(over.amount[:-1], 0) * lasts).sum())
    return time / MILLI_GPU_SECONDS_PER_GPU_HOUR


def _used(spent: int, had: int) -> float | None:
    """Of what there was, 0..1; None where there was nothing."""
    return WAITING.row({"used_gpu_time": spent, "held_gpu_time": had}, ("utilization",))["utilization"]


def _with_room(room_s: int, waited: waits.Waits) -> tuple[float | None, float]:
    """The share of the waiting that had room, and its hours; None where nobody waited."""
    room_h = room_s / HOUR_S
    given = {"room_h": room_h, "waited_h": waited.waited_h}
    return WAITING.row(given, ("waited_with_room",))["waited_with_room"], room_h


def by_model(replayed: Replayed) -> Iterator[QueueRow]:
    """Rows by pool and the GPU model that jobs count with."""
    queueing = replayed.queueing
    of_kind = [*zip(queueing.pools, queueing.clusters.of_kind, strict=True)]
    for pool in pools_of(queueing):
        here = {model for own_pool, (_, model) in of_kind if own_pool is pool}
        for model in sorted(here, key=lambda name: name or ""):
            own = jobs_of(queueing, pool, model, is_of_model=True)
            if (own & queueing.log.counted(replayed.window)).any():
                yield replayed.row(pool, own, model)


def shared_models(rows: Iterable[QueueRow]) -> set[str | None]:
    """GPU models that rows of more than one pool are of."""
    models = [row.gpu_model for row in rows]
    return {model for model in models if models.count(model) > 1}


def measured_rows(queueing: Queueing) -> tuple[QueueRow, ...]:
    """As the log has it, by pool: waits of the jobs that it says them of, utilization by all."""
    log, project = queueing.log, queueing.evaluation.project
    known, spent = log.measured(project.window), log.spent(project.window)
    room = room_s(log, queueing.clusters, project.contracts)
    rows = []
    for pool in pools_of(queueing):
        own = jobs_of(queueing, pool)
        used, held = int(spent[own].sum()), capacity(queueing, queueing.today, own)
        some = own & known
        waited = waits.waits_of(log.wait_s[some])
        share, room_h = _with_room(int(room[some].sum()), waited)
        row = QueueRow(
            pool=pool,
            gpu_model=None,
            waits=waited,
            sent_out_jobs=None,
            sent_out_gpu_hours=None,
            sent_out_usd=None,
            utilization=_used(used, held),
            waited_with_room=share,
            used_gpu_time=used,
            held_gpu_time=held,
            room_h=room_h,
        )
        rows.append(row)
    return tuple(rows)


# --- The log's own waits, with how much of the waiting had room ----------------------------------

SIZES: Final = ((1, "1"), (4, "2-4"), (8, "5-8"), (16, "9-16"), (64, "17-64"), (None, "over 64"))
"""GPUs of a job up to which it is of a size."""
OfTimes = Mapping[str, Ints]
"""What TIMES tell of instants."""
QUARTER_S: Final = 900
"""Offsets of zones are whole quarters of an hour."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitsBy:
    """Waits of the jobs of one name as they were. by: pool, team, gpu_model, size, hour_of_week (0: Monday 0:00),
    partition, account or month (2026-08).

    waited_gpu_hours: GPUs x wait inside the window; waited_gpus_most: waited for at once; contended_hours: of the
    window, of clusters that these jobs ran on; waited_with_room: None where nobody waited.
    """

    by: str
    name: str
    waits: waits.Waits
    waited_gpu_hours: float
    waited_gpus_most: float
    contended_hours: int
    waited_with_room: float | None
    room_h: float | None = None


def log_waits(queueing: Queueing, *, is_whole: bool = False) -> tuple[WaitsBy, ...] | None:
    """Of the jobs eligible in the window by what the log says; None where it does not say when any was.

    is_whole: by partition, account and month, too.
    """
    log, project = queueing.log, queueing.evaluation.project
    if not log.submit_known:
        return None
    window = project.window
    known, room = log.measured(window), room_s(log, queueing.clusters, project.contracts)
    hours = window.start_s + HOUR_S * np.arange(window.hours, dtype=np.int64)
    of_jobs, of_window = (
        {by: local(at_s, window.timezone, of) for by, of in TIMES.items()} for at_s in (log.eligible_s, hours)
    )
    return tuple(
        _row(queueing, by, name, at, room, of_window)
        for by, name, own in _groups(queueing, of_jobs)
        if (is_whole or by not in WHOLE) and len(at := np.flatnonzero(own & known))
    )


def _groups(queueing: Queueing, of_jobs: OfTimes) -> Iterator[tuple[str, str, Bools]]:
    """Every name with its jobs."""
    log, of_kind = queueing.log, queueing.clusters.of_kind
    pools, models = [pool.value for pool in queueing.pools], [model or "" for _, model in of_kind]
    named = {"pool": pools, "team": [kind.team for kind in log.kinds], "gpu_model": models}
    named |= {by: [getattr(kind, by) for kind in log.kinds] for by in WHOLE[:2]}
    for by, names in named.items():
        unsaid = {""} if by in WHOLE else set[str]()
        for name in [pool.value for pool in SERVING_ORDER] if by == "pool" else sorted({*names} - unsaid):
            kinds = [place for place, other in enumerate(names) if other == name]
            yield by, name, np.asarray(np.isin(log.kind, kinds))
    above = 0
    for most, name in SIZES:
        upto = log.milli_gpus.max(initial=0) if most is None else most * MILLI
        yield "size", name, np.asarray((log.milli_gpus > above) & (log.milli_gpus <= upto))
        above = upto
    for hour in range(HOURS_OF_WEEK):
        yield "hour_of_week", str(hour), np.asarray(of_jobs["hour_of_week"] == hour)
    for month in np.unique(of_jobs["month"]).tolist():
        yield "month", f"{month // 100}-{month % 100:02}", np.asarray(of_jobs["month"] == month)


WHOLE: Final = ("partition", "account", "month")
TIMES: Final[Mapping[str, Callable[[datetime], int]]] = {
    "hour_of_week": lambda time: time.weekday() * 24 + time.hour,
    "month": lambda time: time.year * 100 + time.month,
}
"""What jobs are told apart by of the time when they were eligible, as numbers; of the week Monday 0:00 first."""


def local(at_s: Ints, timezone: str, of: Callable[[datetime], int]) -> Ints:
    """One of TIMES of each instant in a zone."""
    quarters, place = np.unique(at_s // QUARTER_S, return_inverse=True)
    zone = ZoneInfo(timezone)
    times = [datetime.fromtimestamp(quarter * QUARTER_S, zone) for quarter in quarters.tolist()]
    return np.array([*map(of, times)], dtype=np.int64)[place]


def _row(queueing: Queueing, by: str, name: str, at: Ints, room: Ints, of_window: OfTimes) -> WaitsBy:
    """The waits of some jobs. at: their places; of_window: of each of its hours what TIMES tell apart."""
    log, window = queueing.log, queueing.evaluation.project.window
    eligible_s, start_s, held = log.eligible_s[at], log.start_s[at], log.milli_gpus[at]
    waited, until_s = waits.waits_of(start_s - eligible_s), np.minimum(start_s, window.end_s)
    clusters = {log.kinds[kind].cluster for kind in {*log.kind[at].tolist()}}
    contention = queueing.evaluation.audit.contention
    met = np.zeros(window.hours, dtype=np.bool_)
    for cluster in clusters & contention.keys():
        met |= contention[cluster].hours
    if by in of_window:
        met &= of_window[by] == int(name.replace("-", ""))
    waited_time = int((held * (until_s - eligible_s)).sum())
    waits_on = until_s > eligible_s
    most = steps_of(*spans(eligible_s[waits_on], until_s[waits_on], held[waits_on])).most()
    waited_with_room, room_h = _with_room(int(room[at].sum()), waited)
    return WaitsBy(
        by=by,
        name=name,
        waits=waited,
        waited_gpu_hours=waited_time / MILLI_GPU_SECONDS_PER_GPU_HOUR,
        waited_gpus_most=most / MILLI,
        contended_hours=int(np.count_nonzero(met)),
        waited_with_room=waited_with_room,
        room_h=room_h,
    )
