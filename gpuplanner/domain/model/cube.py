"""The demand cube: GPU time by workload, GPU model and hour; and what a log of its length supports."""

from collections.abc import Callable, Iterator
from enum import StrEnum
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from gpuplanner.domain.arrays import Ints
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.figures.typed import significant, whole
from gpuplanner.domain.figures.writing import half_up
from gpuplanner.domain.message import Message, Text, joined, worded, worded_count
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import HOURS_PER_MONTH
from gpuplanner.lazy_dataclass import dataclass, replace

CALLED_NOBODY: Final = "nobody"
"""What documents call the team of jobs that name neither account nor user; an account of that name is the same."""

# --- A workload: jobs that move together, with the facts about them that the log gives -----------


@dataclass(frozen=True, slots=True)
class Workload:
    """Facts of one workload in the window; its hourly demand is in the cube, its class is worked out.

    Units: *_s seconds; milli_gpus thousandths of a GPU; activity 0..1, weighted by GPU time, None unless every
    GPU job has it. jobs counts accepted jobs that overlap the window, gpu_jobs those with demand.
    longest_job_s, median_job_s and max_nodes are of whole jobs, not clipped to the window; of medians the lower one.
    median_milli_gpus: None in a project file that was written before it was kept. first_start_s and last_end_s are
    clipped. label is the class stated in the import. model_time: milli-GPU-seconds of each AI model that jobs name,
    most first; the rest of the GPU time names none. measured_share: of its GPU time, that of jobs with an activity,
    0..1 (None in a project file that was written before it was kept); measured_activity: theirs, 0..1.
    timed_out_milli_gpu_seconds: of the failed ones, those of jobs in state TIMEOUT.
    """

    key: str
    name: str
    cluster: str
    owner: str
    label: Pool | None = None
    jobs: int = 0
    gpu_jobs: int = 0
    milli_gpu_seconds: int = 0
    peak_milli_gpus: int = 0
    max_nodes: int | None = None
    max_milli_gpus: int = 0
    median_milli_gpus: int | None = None
    longest_job_s: int = 0
    median_job_s: int = 0
    failed_milli_gpu_seconds: int = 0
    timed_out_milli_gpu_seconds: int = 0
    first_start_s: int | None = None
    last_end_s: int | None = None
    queue: str = ""
    sample_name: str = ""
    activity: float | None = None
    measured_share: float | None = None
    measured_activity: float | None = None
    model_time: tuple[tuple[str, int], ...] = ()

    @property
    def gpu_hours(self) -> float:
        """GPU-hours in the window.

        Jobs are clipped to the window.
        """
        return self.milli_gpu_seconds / MILLI_GPU_SECONDS_PER_GPU_HOUR


# --- The demand cube: GPU time by workload, GPU model and hour, sparse and in whole milli-GPU-seconds


@dataclass(frozen=True, slots=True, eq=False)
class Cube:
    """Rows are (workload, GPU model) pairs; row r holds hours[offsets[r]:offsets[r+1]] and the amounts beside them.

    Shapes: workload_index, model_index (rows,); offsets (rows + 1,); hour, milli_gpu_seconds (entries,).
    Units: hour counts from the start of the window; amounts in thousandths of a GPU-second, int64, > 0.
    model_index points into gpu_models; -1 is an unknown model. workload_index points into Project.workloads.
    Laws: rows sorted by (workload_index, model_index), no pair twice; hours ascending within a row.
    """

    hours: int
    gpu_models: tuple[str, ...]
    workload_index: Ints
    model_index: Ints
    offsets: Ints
    hour: Ints
    milli_gpu_seconds: Ints

    @property
    def row_totals(self) -> Ints:
        """Milli-GPU-seconds of each row; shape (rows,).

        Law: they add up to `total`, exactly.
        """
        sums = np.concatenate(([0], np.cumsum(self.milli_gpu_seconds)))
        return np.asarray(sums[self.offsets[1:]] - sums[self.offsets[:-1]], dtype=np.int64)

    def of_workloads(self, chosen: npt.NDArray[np.bool_]) -> "Cube":
        """The rows of some workloads alone, at their places; itself where it has no others. chosen: (workloads,).

        Places of workloads stay, so that the cube still goes with the same list of them.
        """
        return self.of_entries(np.repeat(chosen[self.workload_index], np.diff(self.offsets)))

    def of_entries(self, chosen: npt.NDArray[np.bool_]) -> "Cube":
        """Some entries alone, in the rows that have any; itself where it has no others. chosen: (entries,)."""
        if chosen.all():
            return self
        so_far = np.concatenate(([0], np.cumsum(chosen)))
        lengths = np.diff(so_far[self.offsets])
        rows = lengths > 0
        return replace(
            self,
            workload_index=self.workload_index[rows],
            model_index=self.model_index[rows],
            offsets=np.concatenate(([0], np.cumsum(lengths[rows]))).astype(np.int64),
            hour=self.hour[chosen],
            milli_gpu_seconds=self.milli_gpu_seconds[chosen],
        )

    def hourly_of(self, workload: int) -> Ints:
        """Milli-GPU-seconds of one workload in each hour, over its GPU models; shape (hours,).

        0 in an hour without it, and throughout for a workload without GPU time.
        """
        first, last = np.searchsorted(self.workload_index, (workload, workload + 1)).tolist()
        span = slice(int(self.offsets[first]), int(self.offsets[last]))
        hourly = np.zeros(self.hours, dtype=np.int64)
        np.add.at(hourly, self.hour[span], self.milli_gpu_seconds[span])
        return hourly

    def hours_of(self, workload: int) -> tuple[Ints, Ints]:
        """Hours (ascending) in which a workload ran, and its milli-GPU-seconds in them, all GPU models together.

        Shapes: both (n,), hours counted from the window's start; empty for a workload without GPU time.
        """
        first, last = np.searchsorted(self.workload_index, (workload, workload + 1)).tolist()
        span = slice(int(self.offsets[first]), int(self.offsets[last]))
        if last - first == 1:
            return self.hour[span], self.milli_gpu_seconds[span]
        hours, at = np.unique(self.hour[span], return_inverse=True)
        amount = np.zeros(len(hours), dtype=np.int64)
        np.add.at(amount, at, self.milli_gpu_seconds[span])
        return hours, amount

    def by_model_of(self, workload: int) -> Iterator[tuple[str | None, Ints, Ints]]:
        """A workload's GPU models (None: unknown), each with its hours (ascending) and milli-GPU-seconds in them.

        In the order of the rows, unknown first. Arrays are views: not to be written to.
        """
        first, last = np.searchsorted(self.workload_index, (workload, workload + 1)).tolist()
        for row in range(first, last):
            model = int(self.model_index[row])
            span = slice(int(self.offsets[row]), int(self.offsets[row + 1]))
            yield None if model < 0 else self.gpu_models[model], self.hour[span], self.milli_gpu_seconds[span]

    @property
    def pairs(self) -> list[tuple[int, str | None]]:
        """Of each row, in their order, the place of its workload and its GPU model; None: it is unknown."""
        named = (*self.gpu_models, None)  # index -1 is the unknown model
        models = (named[model] for model in self.model_index.tolist())
        return list(zip(self.workload_index.tolist(), models, strict=True))

    @property
    def total(self) -> int:
        """Milli-GPU-seconds of the whole cube."""
        return int(self.milli_gpu_seconds.sum())

    @property
    def entry_row(self) -> Ints:
        """The row that each entry belongs to; shape (entries,)."""
        return np.repeat(np.arange(len(self.workload_index)), np.diff(self.offsets))


def empty_cube(hours: int) -> Cube:
    """A cube with no demand in it.

    hours: of its window.

    >>> empty_cube(24).total
    0
    """
    none = np.zeros(0, dtype=np.int64)
    return Cube(hours, (), none, none, np.zeros(1, dtype=np.int64), none, none)


def cube_from_entries(
    hours: int,
    gpu_models: tuple[str, ...],
    workload_index: Ints,
    model_index: Ints,
    hour: Ints,
    milli_gpu_seconds: Ints,
) -> Cube:
    """A cube from one entry per (workload, model, hour), in any order; entries that share all three are added.

    Shapes: all (entries,). Errors: ValueError where an hour is outside the window or an amount is negative.
    """
    keep = milli_gpu_seconds != 0
    workload_index, model_index = workload_index[keep], model_index[keep]
    hour, amount = hour[keep], milli_gpu_seconds[keep]
    if len(hour) and (hour.min() < 0 or hour.max() >= hours or amount.min() < 0):
        raise ValueError("cube: an entry outside the window, or a negative amount; clip the jobs first")
    order = np.lexsort((hour, model_index, workload_index))
    keys = np.stack((workload_index, model_index, hour))[:, order]
    first = np.ones(len(order), dtype=bool)
    first[1:] = (keys[:, 1:] != keys[:, :-1]).any(axis=0)
    starts = np.flatnonzero(first)
    summed = np.add.reduceat(amount[order], starts) if len(starts) else amount
    keys = keys[:, starts]
    new_row = np.ones(len(starts), dtype=bool)
    new_row[1:] = (keys[:2, 1:] != keys[:2, :-1]).any(axis=0)
    rows = np.flatnonzero(new_row)
    offsets = np.append(rows, len(starts)).astype(np.int64)
    return Cube(hours, gpu_models, keys[0][rows], keys[1][rows], offsets, keys[2], summed.astype(np.int64))


def with_models(cube: Cube, gpu_models: tuple[str, ...], model_index: Ints) -> Cube:
    """The cube with other GPU models; rows of a workload that become of one model are added hour by hour.

    model_index: of each row, into gpu_models; -1 is an unknown model. Law: `cube_from_entries` of the same entries,
    at the cost of the rows that are added.
    """
    if not len(model_index):
        return replace(cube, gpu_models=gpu_models)
    order = np.lexsort((model_index, cube.workload_index))
    keys = np.stack((cube.workload_index, model_index))[:, order]
    first = np.flatnonzero(np.append(True, (keys[:, 1:] != keys[:, :-1]).any(axis=0)))
    hours, amounts = [], []
    for begin, end in pairwise((*first.tolist(), len(order))):
        spans = [slice(*cube.offsets[row : row + 2].tolist()) for row in order[begin:end].tolist()]
        hour, amount = cube.hour[spans[0]], cube.milli_gpu_seconds[spans[0]]
        if len(spans) > 1:
            total = np.zeros(cube.hours, dtype=np.int64)
            for span in spans:
                total[cube.hour[span]] += cube.milli_gpu_seconds[span]  # an hour is once in a row
            hour = np.flatnonzero(total)
            amount = total[hour]
        hours.append(hour)
        amounts.append(amount)
    offsets = np.concatenate(([0], np.cumsum([len(hour) for hour in hours]))).astype(np.int64)
    return Cube(
        cube.hours,
        gpu_models,
        keys[0][first],
        keys[1][first],
        offsets,
        np.concatenate(hours).astype(np.int64),
        np.concatenate(amounts).astype(np.int64),
    )


# --- Idle gap: a stretch in which no job of a cluster began, with what ran in it to the second; the cube knows hours


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


# --- What a log of some length supports: which figures it gives, which it gives weakly, and which it cannot give

DAY_HOURS: Final = 24
WEEK_HOURS: Final = 7 * DAY_HOURS
DAYS_PER_TERM_MONTH: Final = 10
ENOUGH_DAYS: Final = 45
"""A slice may take a term on which it ran so many days for each month, and no more than these."""
SHORT_WINDOW_HOURS: Final = WEEK_HOURS
"""With so much or less, only terms up to one month are considered."""
TREND_HOURS: Final = 30 * DAY_HOURS
"""No growth under it; a shorter log is a short one."""
RANGE_WEEKS: Final = 2
"""Whole weeks that P10-P90 and the cost of being wrong need."""
FIRM_RANGE_WEEKS: Final = 8
BACKTEST_MONTHS: Final = 2
"""Months of 730 h: one to advise on, one to pay for."""
FIRM_BACKTEST_MONTHS: Final = 4
"""Three months that are paid for."""


class Support(StrEnum):
    """Whether a log supports a figure."""

    YES = "yes"
    WEAK = "weak"
    NO = "no"


@dataclass(frozen=True, slots=True)
class LogNeed:
    """What one figure asks of a log. least_hours: under it there is none; firm_hours: from it on it is firm.

    wants: how the least is said; weakness: why it is weak below firm_hours, a sentence of how often the log has
    per_hours.
    """

    figure: str
    title: Message
    least_hours: int
    firm_hours: int
    wants: Message
    weakness: Callable[[int], Message] | None = None
    per_hours: int = DAY_HOURS


LOG_NEEDS: Final = (
    LogNeed(
        "long_terms",
        worded("terms over one month"),
        WEEK_HOURS + 1,
        WEEK_HOURS + 1,
        worded("more than a week"),
    ),
    LogNeed(
        "range",
        worded("P10\u2013P90 and cost of being wrong"),
        RANGE_WEEKS * WEEK_HOURS,
        FIRM_RANGE_WEEKS * WEEK_HOURS,
        worded("two whole weeks"),
        lambda count: worded(("P10–P90 and the cost of being wrong use {count} weeks."), count=whole(count)),
        WEEK_HOURS,
    ),
    LogNeed("trend", worded("growth of the log's own"), TREND_HOURS, TREND_HOURS, worded("30 days")),
    LogNeed(
        "backtest",
        worded("backtest"),
        BACKTEST_MONTHS * HOURS_PER_MONTH,
        FIRM_BACKTEST_MONTHS * HOURS_PER_MONTH,
        worded("two months of 730 h"),
        lambda count: worded_count(
            count - 1,  # the first is learnt from
            "A backtest pays for {paid} month: too few to tell.",
            "The backtest covers {paid} months: too few for a conclusion.",
            paid=whole(count - 1),
        ),
        HOURS_PER_MONTH,
    ),
)
"""In the order in which a longer log comes to give them."""


@dataclass(frozen=True, slots=True)
class FigureSupport:
    """One figure and a log. message: a sentence; empty where the log supports it."""

    figure: str
    support: Support
    least_hours: int
    firm_hours: int
    message: Text


def log_support(hours: int) -> tuple[FigureSupport, ...]:
    """What a log of so many hours supports, one for each row of LOG_NEEDS.

    hours: of the window. Law: a longer log never supports less.
    """
    answer = []
    for need in LOG_NEEDS:
        support = Support.YES
        message: Text = ""
        if hours < need.least_hours:
            support = Support.NO
            missing = worded(
                "No {figure}: {need} {wants}",
                figure=need.title,
                need=worded("it needs") if need.figure in ("trend", "backtest") else worded("they need"),
                wants=need.wants,
            )
            message = worded("{missing}, the log has {hours}.", missing=missing, hours=days_words(hours))
        elif hours < need.firm_hours and need.weakness is not None:
            support, message = Support.WEAK, need.weakness(hours // need.per_hours)
        answer.append(FigureSupport(need.figure, support, need.least_hours, need.firm_hours, message))
    return tuple(answer)


def cannot_support(hours: int) -> Message:
    """What a short log cannot support, in one line; empty for one that supports all.

    `no trend ...` in the order of the table: what the least log comes to give first stands first.
    """
    missing = [need for need in LOG_NEEDS if hours < need.least_hours]
    return joined(
        (worded("no {figure} ({wants})", figure=need.title, wants=need.wants) for need in missing), ", "
    )


def short_advice(hours: int) -> Text:
    """What is said at advice that stands on a short log, without its full stop; empty where the log is long enough.

    hours: of the window.
    """
    if hours >= TREND_HOURS:
        return ""
    return worded(
        "This advice is based on {hours} of log. Import {trend_hours} days or more before you order",
        hours=days_words(hours),
        trend_hours=whole(TREND_HOURS // DAY_HOURS),
    )


def short_advice_words(hours: int) -> Text:
    """The same as whole sentences."""
    problem = short_advice(hours)
    return worded("{said}.", said=problem) if problem else ""


def days_words(hours: int) -> Message:
    """6 hours, 1 day, 7 days, 20.8 days.

    >>> [str(days_words(hours)) for hours in (1, 24, 500)]
    ['1 hour', '1 day', '20.8 days']
    """
    if hours < DAY_HOURS:
        return worded_count(hours, "{hours} hour", "{hours} hours", hours=whole(hours))
    days = half_up(hours / DAY_HOURS, 1)
    return worded_count(days, "{days} day", "{days} days", days=significant(days))
