"""Waits as text in a terminal: rows of pools, sizes, a target, and their accuracy."""

from collections.abc import Sequence
from functools import partial
from typing import Final

from gpuplanner.cli.audit_tables import titled
from gpuplanner.cli.tables import report_text
from gpuplanner.cli.terminal import LAYOUT, Tables
from gpuplanner.domain.commitment.outlook_result import Outlook
from gpuplanner.domain.figures.writing import ENGLISH
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.tables import POOL_TITLES
from gpuplanner.domain.queue.frontier import FrontierPoint
from gpuplanner.domain.queue.logged import QueueLog
from gpuplanner.domain.queue.rows import WHOLE, WaitsBy
from gpuplanner.domain.queue.sentences import (
    by_standing,
    longest_wait,
    plan_words,
    size_words,
    target_words,
    trust_words,
    wait_lines,
)
from gpuplanner.domain.queue.waiting import Waiting
from gpuplanner.domain.reports.report import Column
from gpuplanner.domain.reports.waiting import LOG_WAITS, POOL_WAITS, SIZES, WINDOWS
from gpuplanner.files.system.terminal_output import one_line
from gpuplanner.lazy_dataclass import replace


def queue_text(waiting: Waiting) -> str:
    """How long nine of ten jobs wait, the longest first, the target, and how far to trust the replay."""
    rows, gpus = (waiting.replayed, "the plan") if waiting.is_planned else (waiting.today, "today")
    longest = sorted(rows, key=longest_wait, reverse=True)
    pools = [f"{POOL_TITLES[row.pool]} {ENGLISH.one_decimal(row.waits.p90_h)} h" for row in longest]
    models = ", all GPU models" if len({row.gpu_model for row in waiting.by_model}) > 1 else ""
    head = f"P90 wait on the GPUs of {gpus}{models}: {', '.join(pools)}."
    target = [one_line(target_words(waiting.target, waiting.frontier))] if waiting.target else []
    sentences = (*size_words(waiting)[:1], *plan_words(waiting))
    in_short = [f"{_waits_by_pool(waiting, NOT_IN_SHORT)}\n"] if LAYOUT.get().is_summary else []
    return "\n".join((head, *target, *in_short, *(one_line(words) for words in sentences)))


NOT_IN_SHORT: Final = ("gpu_model", "jobs", "mean_h", "sent_out_jobs", "waited_with_room")


def _waits_by_pool(waiting: Waiting, left_out: Sequence[str] = ("gpu_model",)) -> str:
    """Waits of pools as logged and replayed, the pool that waits longest first. left_out: columns, by name."""
    every = {
        "log": waiting.measured,
        "today": waiting.today,
        # copies: a plan that has the GPUs of today has the very rows of today
        "plan": [replace(row) for row in waiting.replayed] if waiting.is_planned else (),
    }
    gpus = {id(row): name for name, rows in every.items() for row in rows}
    longest = {row.pool: -longest_wait(row) for row in waiting.replayed}
    unsorted = (row for rows in every.values() for row in rows)
    rows = sorted(unsorted, key=lambda row: longest.get(row.pool, 0.0))
    column = Column(key="gpus", title="GPUs", form="name", value=lambda row: gpus[id(row)])
    pool, *others = (each for each in POOL_WAITS.columns if each.name not in left_out)
    return report_text(replace(POOL_WAITS, columns=(pool, column, *others)), rows)


def queue_tables(waiting: Waiting, of_log: Sequence[WaitsBy] | None) -> Tables:
    """Waits as they were, on the GPUs of today and of the plan, then sizes. of_log: the log's own waits."""

    def sizes_text(heading: Text, points: Sequence[FrontierPoint]) -> str:
        if LAYOUT.get().is_summary:
            points = sorted((size for size in points if size.marks), key=longest_wait, reverse=True)
        return f"\n{heading}\n{report_text(SIZES, points)}" if points else ""

    return (
        ("pools", lambda: f"\nWaits by pool, in the log and replayed\n{_waits_by_pool(waiting)}"),
        ("models", lambda: f"\nThe last by GPU model\n{report_text(POOL_WAITS, waiting.by_model)}"),
        *(("sizes", partial(sizes_text, *standing)) for standing in by_standing(waiting.frontier)),
        ("hours", lambda: titled(WINDOWS, waiting.windows)),
        ("waits", lambda: titled(LOG_WAITS, [row for row in of_log or () if row.by in WHOLE])),
        ("trust", lambda: "\n".join(one_line(f"  {words}") for words in trust_words(waiting))),
    )


NOT_SUBMITTED: Final = "unknown, as the log does not say when jobs were submitted."
NOT_KEPT: Final = "unknown, as the job rows of the log are not kept here. Give --jobs instead of the project."


def waits_text(waits: Sequence[WaitsBy] | None, log: QueueLog | None) -> str:
    """The log's own waits, without those by hour of the week."""
    if waits is None:
        return f"Waits as they were: {NOT_SUBMITTED if log else NOT_KEPT}\n"
    rows = [row for row in waits if row.by != "hour_of_week"]
    return f"{LOG_WAITS.title}\n{report_text(LOG_WAITS, rows)}\n"


def waiting_text(waiting: Waiting | None, outlook: Outlook | None, log: QueueLog | None) -> str:
    """Waits on the GPUs of the plan: of its first month by pool, its worst month, and the waits of decisions.

    outlook: of the plan, with the waits of its decisions.
    """
    if waiting is None:
        return f"Waits on the GPUs of the plan: {NOT_SUBMITTED if log else NOT_KEPT}\n"
    if not waiting.replayed:
        return ""
    table = report_text(POOL_WAITS, waiting.replayed)
    text = f"Waits on the GPUs of the plan, replayed; see the command queue\n{table}\n"
    if waiting.later is None or not waiting.later.months or outlook is None:
        return text
    lines = [
        *wait_lines(waiting)[:1],
        *(row.wait_words for row in outlook.open_decisions if row.waits is not None),
    ]
    return text + "\n" + "".join(f"{one_line(line)}\n" for line in lines)
