"""Answers about waits: what each figure of a replay, of the log itself and of a size was worked out from."""

from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
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


ON: Final[Mapping[str, tuple[Text, Callable[[Waiting], Sequence[QueueRow]]]]] = {
    "plan": (worded("on the plan's GPUs"), attrgetter("by_model")),
    "today": (worded("on today's GPUs"), lambda one: one.today if one.is_planned else one.by_model),
}
"""By the scope of their figures where rows of pools are from."""
WHY: Final = Answers[Told]()
COUNTED: Final = {
    "jobs": worded("the jobs eligible in the window that started there"),
    "gpus": worded("today, the plan, the target, and sizes from the mean in use to the most at once"),
    "never": worded("the jobs that hold more GPUs than there are, or find none until the log has run out"),
    "window_usd_per_month": worded("its mean month, held for it alone in the cheapest way at today's rates"),
    "waited_gpu_hours": worded("GPUs \u00d7 wait inside the window, job by job"),
    "waited_gpus_most": worded("the GPUs of all who waited at once, where they are most"),
    "contended_hours": worded("the hours in which more GPUs ran on a cluster of these jobs than its contracts have"),
}  # fmt: skip
"""What is counted and not worked out."""


def _row(told: Told, scope: str, subject: str) -> tuple[Any, Text]:
    """A row of a table, and what it is called. Errors: StopIteration where there is none."""
    if scope == LOG_WAITS.scope:
        of_log = next(one for one in told.of_log if LOG_WAITS.key(one) == subject)
        return of_log, name_of(of_log)
    if (waiting := told.waiting) is None:
        raise StopIteration(subject)
    if scope == WINDOWS.scope:
        again = next(one for one in waiting.windows if WINDOWS.key(one) == subject)
        return again, again.work.name
    report, rows = (SIZES, waiting.frontier) if scope == SIZES.scope else (POOL_WAITS, ON[scope][1](waiting))
    row: Any = next(one for one in rows if report.key(one) == subject)
    where = ON[scope][0] if report is POOL_WAITS else worded("on {gpus} GPUs", gpus=whole(row.gpus))
    return row, joined((one for one in (POOL_TITLES[row.pool], row.gpu_model, where) if one), " ")


@WHY.explains(WAITING, "share_over_1h", "mean_h", "utilization", "waited_with_room", "usd_per_month")
def worked_out(told: Told, scope: str, subject: str) -> Inputs:
    """What a share, a mean or $ were worked out from."""
    row, name = _row(told, scope, subject)
    values = {key: getattr(row.waits, key) for key in ("jobs", "over_1h", "waited_h")} | {
        key: getattr(row, key)
        for key in ("room_h", "used_gpu_time", "held_gpu_time", "gpus", "rate", "sent_out_usd", "hours")
        if hasattr(row, key)
    }
    opens = dict.fromkeys(values, "") | {"jobs": trace.figure(WAITING["jobs"].why, subject, scope)}
    return Inputs(values | {"month_hours": HOURS_PER_MONTH}, subject, name, opens=opens)


@WHY.gives_each({WAITING[f"p{percent}_h"].why: percent for percent in SHARES})
def quantile(percent: int, told: Told, scope: str, subject: str) -> trace.Trace:
    """Whose wait it is in the order of all, with the other quantiles; of a size what the log makes of it."""
    row, name = _row(told, scope, subject)
    one, jobs = WAITING[f"p{percent}_h"], row.waits.jobs
    places = {each: max(1, -(-jobs * each // 100)) for each in SHARES}
    rows = [
        trace.TraceRow(worded("P{each}: job {place}", each=str(each), place=whole(place)), (wait,))
        for (each, place), wait in zip(places.items(), row.waits.quantiles, strict=True)
    ]
    place, value = whole(places[percent]), getattr(row.waits, one.key)
    span = getattr(row, "likely", None) if percent == 90 else None
    ends = () if span is None else (
        (worded("By the log at least"), span.low_h), (worded("By the log at most"), span.high_h)
    )  # fmt: skip
    return trace.listed(
        trace.titled(one, name),
        value,
        one.unit,
        worded(
            "The smallest wait that at least {percent}% of the jobs are at or below: by length of their waits, that "
            "of job {place} of {jobs}", percent=str(percent), place=place, jobs=whole(jobs),
        ),
        rows,
        (trace.column_of(one),),
        trace.Reached(),
        symbols=(worded("wait of job {place} = ", place=place), trace.Amount(value, one.unit.key)),
        readings=tuple((words, trace.Amount(wait, one.unit.key)) for words, wait in ends),
    )  # fmt: skip


@WHY.gives_each({WAITING[key].why: key for key in ("sent_out_jobs", "sent_out_gpu_hours", "sent_out_usd")})
def sent_out(key: str, told: Told, scope: str, subject: str) -> trace.Trace:
    """What went out, offer by offer."""
    row, name = _row(told, scope, subject)
    one, rows = WAITING[key], [trace.TraceRow(each.offer_id, (getattr(each, key),)) for each in row.out]
    words = worded("\u03a3 over the offers that jobs went to once their patience was over")
    return trace.summed(
        trace.titled(one, name), getattr(row, key), one.unit, words, rows, (trace.column_of(one),)
    )


@WHY.gives_each({WAITING[key].why: key for key in COUNTED})
def counted(key: str, told: Told, scope: str, subject: str) -> trace.Trace:
    """What is counted."""
    row, name = _row(told, scope, subject)
    value = row.waits.jobs if key == "jobs" else getattr(row, key.removeprefix("window_"))
    return trace.read(trace.titled(WAITING[key], name), value, WAITING[key].unit, COUNTED[key])
