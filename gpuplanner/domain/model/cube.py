"""The demand cube: GPU time by workload, GPU model and hour; and the figures that a log's length supports."""

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
"""Name in documents for the team of jobs without account and user; an account of this name is the same team."""

# --- A workload: jobs grouped together, with their facts from the log -----------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Workload:
    """Facts of a workload in the window; its hourly demand is in the cube, its class is inferred.

    Units: *_s seconds; milli_gpus thousandths of a GPU; activity 0..1, weighted by GPU time. None: unknown; median and
    measured fields are also None in older project files.
    label: class stated in the import.
    jobs, gpu_jobs: accepted jobs that overlap the window, and those with GPUs.
    max_nodes, longest_job_s, median_job_s: of whole jobs, not cut to the window; the lower median.
    first_start_s, last_end_s: cut to the window.
    activity: None unless every GPU job has one. measured_share, measured_activity: share of GPU time in jobs with an
    activity, and their activity, 0..1.
    failed_milli_gpu_seconds, timed_out_milli_gpu_seconds: of failed jobs, and of those in state TIMEOUT.
    restarted_milli_gpu_seconds: of those in TIMEOUT that started again; 0 in older project files.
    is_completed: whether the job that ended last completed; False if unknown.
    model_time: milli-GPU-seconds by AI model in job names, most first; the remaining GPU time has no name.
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
    restarted_milli_gpu_seconds: int = 0
    is_completed: bool = False
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
        """GPU-hours of jobs within the window."""
        return self.milli_gpu_seconds / MILLI_GPU_SECONDS_PER_GPU_HOUR


# --- The demand cube: GPU time by workload, GPU model and hour, sparse and in whole milli-GPU-seconds


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Cube:
    """Sparse GPU time. Rows are (workload, GPU model) pairs; row r has the entries offsets[r]:offsets[r+1].

    Shapes: workload_index, model_index (rows,); offsets (rows + 1,); hour, milli_gpu_seconds (entries,).
    hour: from the start of the window. milli_gpu_seconds: thousandths of a GPU-second, int64, > 0.
    workload_index: into Project.workloads. model_index: into gpu_models; -1 is an unknown model.
    Laws: rows sorted by (workload_index, model_index), each pair once; hours ascending within a row.
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
        """Milli-GPU-seconds of each row, shape (rows,); they add up exactly to `total`."""
        sums, is_filled = np.zeros(len(self.workload_index), dtype=np.int64), np.diff(self.offsets) > 0
        if is_filled.any():
            sums[is_filled] = np.add.reduceat(self.milli_gpu_seconds, self.offsets[:-1][is_filled])
        return sums

    def of_workloads(self, chosen: npt.NDArray[np.bool_]) -> "Cube":
        """Return the cube with the rows of some workloads only; itself if all rows are chosen. chosen: (workloads,).

        Indexes of workloads stay valid.
        """
        return self.of_entries(np.repeat(chosen[self.workload_index], np.diff(self.offsets)))

    def of_entries(self, chosen: npt.NDArray[np.bool_]) -> "Cube":
        """Return the cube with some entries only, without empty rows; itself if all are chosen. chosen: (entries,)."""
        if chosen.all():
            return self
        kept = np.flatnonzero(chosen)
        lengths = np.diff(np.searchsorted(kept, self.offsets))
        rows = lengths > 0
        return replace(
            self,
            workload_index=self.workload_index[rows],
            model_index=self.model_index[rows],
            offsets=np.concatenate(([0], np.cumsum(lengths[rows]))).astype(np.int64),
            hour=self.hour[kept],
            milli_gpu_seconds=self.milli_gpu_seconds[kept],
        )

    def hourly_of(self, workload: int) -> Ints:
        """Return the milli-GPU-seconds of a workload in each hour over all GPU models, shape (hours,); 0 if not
        running.

        workload: its index.
        """
        first, last = np.searchsorted(self.workload_index, (workload, workload + 1)).tolist()
        span = slice(int(self.offsets[first]), int(self.offsets[last]))
        hourly = np.zeros(self.hours, dtype=np.int64)
        np.add.at(hourly, self.hour[span], self.milli_gpu_seconds[span])
        return hourly

    def hours_of(self, workload: int) -> tuple[Ints, Ints]:
        """Return the hours in which a workload ran, ascending, and its milli-GPU-seconds in them over all GPU models.

        Shapes: both (n,); hours count from the window's start. workload: its index.
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
        """Yield a workload's GPU models (None: unknown), with hours (ascending) and milli-GPU-seconds of each.

        In the order of the rows, unknown first. Arrays are views: do not write to them.
        """
        first, last = np.searchsorted(self.workload_index, (workload, workload + 1)).tolist()
        for row in range(first, last):
            model = int(self.model_index[row])
            span = slice(int(self.offsets[row]), int(self.offsets[row + 1]))
            yield None if model < 0 else self.gpu_models[model], self.hour[span], self.milli_gpu_seconds[span]

    @property
    def pairs(self) -> list[tuple[int, str | None]]:
        """Workload index and GPU model (None: unknown) of each row."""
        named = (*self.gpu_models, None)  # index -1 is the unknown model
        models = (named[model] for model in self.model_index.tolist())
        return list(zip(self.workload_index.tolist(), models, strict=True))

    @property
    def total(self) -> int:
        """Milli-GPU-seconds of the whole cube."""
        return int(self.milli_gpu_seconds.sum())

    @property
    def entry_row(self) -> Ints:
        """Row of each entry, shape (entries,)."""
        return np.repeat(np.arange(len(self.workload_index)), np.diff(self.offsets))


def empty_cube(hours: int) -> Cube:
    """Return a cube without demand. hours: of its window.

    >>> empty_cube(24).total
    0
    """
    none = np.zeros(0, dtype=np.int64)
    return Cube(
        hours=hours,
        gpu_models=(),
        workload_index=none,
        model_index=none,
        offsets=np.zeros(1, dtype=np.int64),
        hour=none,
        milli_gpu_seconds=none,
    )


def cube_from_entries(
    hours: int,
    gpu_models: tuple[str, ...],
    workload_index: Ints,
    model_index: Ints,
    hour: Ints,
    milli_gpu_seconds: Ints,
) -> Cube:
    """Return a cube from entries (workload, model, hour, amount) in any order; equal keys are added.

    Shapes: all (entries,). Errors: ValueError for an hour outside the window or a negative amount.
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
    return Cube(
        hours=hours,
        gpu_models=gpu_models,
        workload_index=keys[0][rows],
        model_index=keys[1][rows],
        offsets=offsets,
        hour=keys[2],
        milli_gpu_seconds=summed.astype(np.int64),
    )


def with_models(cube: Cube, gpu_models: tuple[str, ...], model_index: Ints) -> Cube:
    """Return the cube with other GPU models; rows of a workload that get the same model are added by hour.

    model_index: for each row, into gpu_models; -1 is an unknown model. Law: equals `cube_from_entries` of the same
    entries, but only sums the merged rows.
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
                total[cube.hour[span]] += cube.milli_gpu_seconds[span]  # each hour is in a row once
            hour = np.flatnonzero(total)
            amount = total[hour]
        hours.append(hour)
        amounts.append(amount)
    offsets = np.concatenate(([0], np.cumsum([len(hour) for hour in hours]))).astype(np.int64)
    return Cube(
        hours=cube.hours,
        gpu_models=gpu_models,
        workload_index=keys[0][first],
        model_index=keys[1][first],
        offsets=offsets,
        hour=np.concatenate(hours).astype(np.int64),
        milli_gpu_seconds=np.concatenate(amounts).astype(np.int64),
    )


# --- Idle gaps: periods without job starts on a cluster, with the jobs still running, to the second ---------------


class RunningJobs(NamedTuple):
    """Jobs of a workload and GPU model that ran at the start of an idle gap and ended in one second, or outlasted it.

    workload: index in Project.workloads. gpu_model: in the project's spelling, None if unknown. milli_gpus: thousandths
    of a GPU. until_s: seconds from the window's start, at most the end of the gap.
    """

    workload: int
    gpu_model: str | None
    milli_gpus: int
    until_s: int


@dataclass(frozen=True, slots=True)
class IdleGap:
    """A period without job starts. end_s: next job start or the window's end; seconds from the window's start.

    Law: from the first end in `running` to end_s, the cluster's demand is the sum over the jobs still running.
    """

    cluster: str
    end_s: int
    running: tuple[RunningJobs, ...]


@dataclass(frozen=True, slots=True)
class IdleGaps:
    """Idle gaps that last over longer_than_s seconds after the first job end in them, by cluster, then end."""

    longer_than_s: int
    each: tuple[IdleGap, ...]


# --- Support: figures that a log of a given length gives firmly, weakly, or not at all ------------

DAY_HOURS: Final = 24
WEEK_HOURS: Final = 7 * DAY_HOURS
DAYS_PER_TERM_MONTH: Final = 10
ENOUGH_DAYS: Final = 45
"""A slice may take a term with this many days of use for each month, up to ENOUGH_DAYS."""
SHORT_WINDOW_HOURS: Final = WEEK_HOURS
"""Shorter logs, and logs of this length, allow terms up to one month only."""
TREND_HOURS: Final = 30 * DAY_HOURS
"""Shorter logs give no growth."""
RANGE_WEEKS: Final = 2
"""Whole weeks that P10–P90 and the cost of being wrong need."""
FIRM_RANGE_WEEKS: Final = 8
BACKTEST_MONTHS: Final = 2
"""Months of 730 h: one to advise on, one to pay for."""
FIRM_BACKTEST_MONTHS: Final = 4
"""Three paid months."""


class Support(StrEnum):
    """Whether a log supports a figure."""

    YES = "yes"
    WEAK = "weak"
    NO = "no"


@dataclass(frozen=True, slots=True, kw_only=True)
class LogNeed:
    """The log that a figure needs. least_hours: shortest log; firm_hours: shortest log for a firm figure.

    wants: least_hours in words. weakness: reason below firm_hours, by the number of whole per_hours in the log.
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
        figure="long_terms",
        title=worded("terms over one month"),
        least_hours=WEEK_HOURS + 1,
        firm_hours=WEEK_HOURS + 1,
        wants=worded("more than a week"),
    ),
    LogNeed(
        figure="range",
        title=worded("P10\u2013P90 and cost of being wrong"),
        least_hours=RANGE_WEEKS * WEEK_HOURS,
        firm_hours=FIRM_RANGE_WEEKS * WEEK_HOURS,
        wants=worded("two whole weeks"),
        weakness=lambda count: worded(
            ("P10–P90 and the cost of being wrong use {count} weeks."), count=whole(count)
        ),
        per_hours=WEEK_HOURS,
    ),
    LogNeed(
        figure="trend",
        title=worded("growth measured in the log"),
        least_hours=TREND_HOURS,
        firm_hours=TREND_HOURS,
        wants=worded("30 days"),
    ),
    LogNeed(
        figure="backtest",
        title=worded("backtest"),
        least_hours=BACKTEST_MONTHS * HOURS_PER_MONTH,
        firm_hours=FIRM_BACKTEST_MONTHS * HOURS_PER_MONTH,
        wants=worded("two months of 730 h"),
        weakness=lambda count: worded_count(
            count - 1,  # the first month only trains
            "The backtest covers {paid} month: too few to conclude.",
            "The backtest covers {paid} months: too few to conclude.",
            paid=whole(count - 1),
        ),
        per_hours=HOURS_PER_MONTH,
    ),
)
"""In the order in which a longer log supports them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureSupport:
    """Support of a figure by a log. message: a sentence; empty for YES."""

    figure: str
    support: Support
    least_hours: int
    firm_hours: int
    message: Text


def log_support(hours: int) -> tuple[FigureSupport, ...]:
    """Return the support of each figure in LOG_NEEDS. hours: of the window.

    Law: a longer log never supports less.
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
        answer.append(
            FigureSupport(
                figure=need.figure,
                support=support,
                least_hours=need.least_hours,
                firm_hours=need.firm_hours,
                message=message,
            )
        )
    return tuple(answer)


def cannot_support(hours: int) -> Message:
    """Return the unsupported figures of a log in one line, in the order of LOG_NEEDS; empty if all are supported."""
    missing = [need for need in LOG_NEEDS if hours < need.least_hours]
    return joined(
        (worded("no {figure} ({wants})", figure=need.title, wants=need.wants) for need in missing), ", "
    )


def short_advice(hours: int) -> Text:
    """Return the warning for advice from a short log, without a full stop; empty for a long log.

    hours: of the window.
    """
    if hours >= TREND_HOURS:
        return ""
    return worded(
        "The advice uses only {hours} of log. Before ordering, import at least {trend_hours} days",
        hours=days_words(hours),
        trend_hours=whole(TREND_HOURS // DAY_HOURS),
    )


def short_advice_words(hours: int) -> Text:
    """Return the warning as whole sentences."""
    problem = short_advice(hours)
    return worded("{text}.", text=problem) if problem else ""


def days_words(hours: int) -> Message:
    """Format a length: 6 hours, 1 day, 7 days, 20.8 days.

    >>> [str(days_words(hours)) for hours in (1, 24, 500)]
    ['1 hour', '1 day', '20.8 days']
    """
    if hours < DAY_HOURS:
        return worded_count(hours, "{hours} hour", "{hours} hours", hours=whole(hours))
    days = half_up(hours / DAY_HOURS, 1)
    return worded_count(days, "{days} day", "{days} days", days=significant(days))
