"""The log's own waits: by pool, team, GPU model, size and hour of the week, with how much of the waiting had room.

Source: docs/formulas.md, Waiting.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

import numpy as np

from gpuplanner.domain.arrays import Bools, Ints
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.model.tables import SERVING_ORDER
from gpuplanner.domain.model.window import HOUR_S, HOURS_OF_WEEK
from gpuplanner.domain.queue import waits
from gpuplanner.domain.queue.ground import MILLI, Queueing
from gpuplanner.domain.queue.logged import QueueLog, room_s, spans, steps_of

SIZES: Final = ((1, "1"), (4, "2-4"), (8, "5-8"), (16, "9-16"), (64, "17-64"), (None, "over 64"))
"""GPUs of a job up to which it is of a size."""
QUARTER_S: Final = 900
"""Offsets of zones are whole quarters of an hour."""


@dataclass(frozen=True, slots=True)
class WaitsBy:
    """Waits of the jobs of one name as they were. by: pool, team, gpu_model, size or hour_of_week (0: Monday 0:00).

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


def log_waits(evaluation: Evaluation, log: QueueLog) -> tuple[WaitsBy, ...] | None:
    """Of the jobs that were eligible in the window; None where the log does not say when any was."""
    if not log.submit_known:
        return None
    queueing = Queueing(evaluation, log)
    counted = log.counted(evaluation.project.window)
    room = room_s(log, queueing.clusters, evaluation.project.contracts)
    window = evaluation.project.window
    hours = hour_of_week(log.eligible_s, window.timezone)
    of_window = hour_of_week(
        window.start_s + HOUR_S * np.arange(window.hours, dtype=np.int64), window.timezone
    )
    return tuple(
        _row(queueing, by, name, mine & counted, room, of_window)
        for by, name, mine in _groups(queueing, hours)
        if (mine & counted).any()
    )


def _groups(queueing: Queueing, hours: Ints) -> Iterator[tuple[str, str, Bools]]:
    """Every name with its jobs."""
    log, of_kind = queueing.log, queueing.clusters.of_kind
    pools = [pool.value for pool in queueing.pools]
    teams = [kind.team for kind in log.kinds]
    models = [model or "" for _, model in of_kind]
    for by, names, order in (
        ("pool", pools, [pool.value for pool in SERVING_ORDER]),
        ("team", teams, sorted({*teams})),
        ("gpu_model", models, sorted({*models})),
    ):
        for name in order:
            kinds = [place for place, one in enumerate(names) if one == name]
            yield by, name, np.asarray(np.isin(log.kind, kinds))
    above = 0
    for most, name in SIZES:
        upto = log.milli_gpus.max(initial=0) if most is None else most * MILLI
        yield "size", name, np.asarray((log.milli_gpus > above) & (log.milli_gpus <= upto))
        above = upto
    for hour in range(HOURS_OF_WEEK):
        yield "hour_of_week", str(hour), np.asarray(hours == hour)


def hour_of_week(at_s: Ints, timezone: str) -> Ints:
    """0..167 of each instant in a zone, Monday 0:00 first."""
    quarters, place = np.unique(at_s // QUARTER_S, return_inverse=True)
    zone = ZoneInfo(timezone)
    local = [datetime.fromtimestamp(one * QUARTER_S, zone) for one in quarters.tolist()]
    return np.array([one.weekday() * 24 + one.hour for one in local], dtype=np.int64)[place]


def _row(queueing: Queueing, by: str, name: str, mine: Bools, room: Ints, of_window: Ints) -> WaitsBy:
    """The waits of some jobs. of_window: the hour of the week of each of its hours."""
    log, window = queueing.log, queueing.evaluation.project.window
    waited = int(log.wait_s[mine].sum())
    until_s = np.minimum(log.start_s[mine], window.end_s)
    held = log.milli_gpus[mine]
    clusters = {log.kinds[kind].cluster for kind in np.unique(log.kind[mine]).tolist()}
    contention = queueing.evaluation.audit.contention
    met = np.zeros(window.hours, dtype=np.bool_)
    for cluster in clusters & contention.keys():
        met |= contention[cluster].hours
    if by == "hour_of_week":
        met &= of_window == int(name)
    return WaitsBy(
        by,
        name,
        waits.waits_of(log.wait_s[mine]),
        int((held * (until_s - log.eligible_s[mine])).sum()) / MILLI_GPU_SECONDS_PER_GPU_HOUR,
        steps_of(*spans(log.eligible_s[mine], until_s, held)).most() / MILLI,
        int(np.count_nonzero(met)),
        int(room[mine].sum()) / waited if waited else None,
    )
