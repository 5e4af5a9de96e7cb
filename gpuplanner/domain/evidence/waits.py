"""Answers about waits: inputs of each figure of a replay or of the log."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from gpuplanner.domain.evidence import trace
from gpuplanner.domain.evidence.answering import Answers, Inputs
from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.figures.waiting import WAITING
from gpuplanner.domain.message import Text, joined, worded
from gpuplanner.domain.model.tables import POOL_TITLES
from gpuplanner.domain.model.window import HOURS_PER_MONTH
from gpuplanner.domain.queue.rows import QueueRow, WaitsBy
from gpuplanner.domain.queue.sentences import name_of
from gpuplanner.domain.queue.waiting import Waiting
from gpuplanner.domain.queue.waits import SHARES
from gpuplanner.domain.reports.waiting import LOG_WAITS, POOL_WAITS, SIZES, WINDOWS
from gpuplanner.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Told:
    """What a window tells of waits: a replay (None: not yet), and the log's own, by whatever they are listed by."""

    waiting: Waiting | None
    of_log: Sequence[WaitsBy]


def _replayed(waiting: Waiting) -> Sequence[QueueRow]:
    """Rows of a replay by pool and GPU model, then by pool alone."""
    return (*waiting.by_model, *waiting.replayed)


ON: Final[Mapping[str, tuple[Text, Callable[[Waiting], Sequence[QueueRow]]]]] = {
    "plan": (worded("on the plan's GPUs"), _replayed),
    "today": (
        worded("on today's GPUs"),
        lambda waiting: waiting.today if waiting.is_planned else _replayed(waiting),
    ),
}
"""By the scope of their figures where rows of pools are from."""
OF_WAITS: Final = Answers[Told]()
COUNTED: Final = {
    "jobs": worded("jobs eligible and started in the lookback period"),
    "gpus": worded("today, plan, target, and sizes from mean to peak use"),
    "never": worded("jobs larger than all GPUs or waiting at the log's end"),
    "window_usd_per_month": worded("mean month on dedicated GPUs, at today's cheapest rates"),
    "waited_gpu_hours": worded("Σ over jobs (GPUs × lookback wait)"),
    "waited_gpus_most": worded("most GPUs waited for at a time"),
    "contended_hours": worded("hours when a cluster of these jobs exceeded its contracts"),
}
"""What is counted and not worked out."""


def _wait(known: Told, scope: str, subject: str) -> tuple[Any, Text]:
    """A row of a table, and what it is called. Errors: StopIteration where there is none."""
    if scope == LOG_WAITS.scope:
        of_log = next(row for row in known.of_log if LOG_WAITS.key(row) == subject)
        return of_log, name_of(of_log)
    if (waiting := known.waiting) is None:
        raise StopIteration(subject)
    if scope == WINDOWS.scope:
        again = next(run for run in waiting.windows if WINDOWS.key(run) == subject)
        return again, again.work.name
    report, rows = (SIZES, waiting.frontier) if scope == SIZES.scope else (POOL_WAITS, ON[scope][1](waiting))
    row: Any = next(candidate for candidate in rows if report.key(candidate) == subject)
    where = ON[scope][0] if report is POOL_WAITS else worded("on {gpus} GPUs", gpus=whole(row.gpus))
    return row, joined((part for part in (POOL_TITLES[row.pool], row.gpu_model, where) if part), " ")


@OF_WAITS.explains(WAITING, "share_over_1h", "mean_h", "utilization", "waited_with_room", "usd_per_month")
def worked_out(known: Told, scope: str, subject: str) -> Inputs:
    """What a share, a mean or $ were worked out from."""
    row, name = _wait(known, scope, subject)
    values = {key: getattr(row.waits, key) for key in ("jobs", "over_1h", "waited_h")} | {
        key: getattr(row, key)
        for key in ("room_h", "used_gpu_time", "held_gpu_time", "gpus", "rate", "sent_out_usd", "hours")
        if hasattr(row, key)
    }
    opens = dict.fromkeys(values, "") | {"jobs": trace.figure(WAITING["jobs"].why, subject, scope)}
    return Inputs(values=values | {"month_hours": HOURS_PER_MONTH}, name=subject, title=name, opens=opens)


@OF_WAITS.gives_each({WAITING[f"p{percent}_h"].why: percent for percent in SHARES})
def quantile(percent: int, known: Told, scope: str, subject: str) -> trace.Trace:
    """Whose wait it is in the order of all, with the other quantiles; of a size what the log makes of it."""
    row, name = _wait(known, scope, subject)
    asked, jobs = WAITING[f"p{percent}_h"], row.waits.jobs
    places = {each: max(1, -(-jobs * each // 100)) for each in SHARES}
    rows = [
        trace.TraceRow(worded("P{each}: job {place}", each=str(each), place=whole(place)), (wait,))
        for (each, place), wait in zip(places.items(), row.waits.quantiles, strict=True)
    ]
    place, value = whole(places[percent]), getattr(row.waits, asked.key)
    span = getattr(row, "likely", None) if percent == 90 else None
    ends = (
        ()
        if span is None
        else ((worded("At least, by the log"), span.low_h), (worded("At most, by the log"), span.high_h))
    )
    return trace.listed(
        trace.titled(asked, name),
        value,
        asked.unit,
        worded(
            "At least {percent}% of jobs wait this long or less: job {place} of {jobs} by wait",
            percent=str(percent),
            place=place,
            jobs=whole(jobs),
        ),
        rows,
        (trace.column_of(asked),),
        trace.Reached(),
        symbols=(worded("wait of job {place} = ", place=place), trace.Amount(value, asked.unit.key)),
        readings=tuple((words, trace.Amount(wait, asked.unit.key)) for words, wait in ends),
    )


@OF_WAITS.gives_each(
    {WAITING[key].why: key for key in ("sent_out_jobs", "sent_out_gpu_hours", "sent_out_usd")}
)
def sent_out(key: str, known: Told, scope: str, subject: str) -> trace.Trace:
    """What went out, offer by offer."""
    row, name = _wait(known, scope, subject)
    asked, rows = WAITING[key], [trace.TraceRow(each.offer_id, (getattr(each, key),)) for each in row.out]
    words = worded("Σ over offers of jobs moved to on demand")
    return trace.summed(
        trace.titled(asked, name), getattr(row, key), asked.unit, words, rows, (trace.column_of(asked),)
    )


@OF_WAITS.gives_each({WAITING[key].why: key for key in COUNTED})
def counted(key: str, known: Told, scope: str, subject: str) -> trace.Trace:
    """What is counted."""
    row, name = _wait(known, scope, subject)
    value = row.waits.jobs if key == "jobs" else getattr(row, key.removeprefix("window_"))
    return trace.read(trace.titled(WAITING[key], name), value, WAITING[key].unit, COUNTED[key])
