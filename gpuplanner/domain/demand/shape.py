"""Shape of each workload: what its hours and its jobs look like, as numbers that the score table reads."""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from gpuplanner.domain.model.cube import Cube, Ints
from gpuplanner.domain.model.workload import Workload

Floats = npt.NDArray[np.float64]

HOURS_PER_DAY = 24
HOURS_PER_WEEK = 168
ALWAYS_ON = 0.9
"""From this duty cycle on, flatness and daily wave say something about how a workload is held."""
WEEKS_TO_RECUR = 4
"""Fewer active weeks than this cannot show a weekly pattern."""


def shape_signals(workloads: Sequence[Workload], cube: Cube) -> Mapping[str, Floats]:
    """One number per workload and signal; NaN where it is unknown, so that no row of the score table matches.

    Shapes: each (workloads,). duty_cycle: share of the window's hours with GPU time; always_on_flatness:
    mean² / mean of squares of the active hours (1 is flat); always_on_daily_wave: amplitude of the 24 h
    harmonic relative to the mean; weekly_recurrence: share of GPU time in the busiest 24 of 168 hours of the week.
    """
    count = len(workloads)
    by_hour = _hourly_signals(count, cube)
    jobs = np.array([workload.gpu_jobs for workload in workloads], dtype=np.float64)
    spent = np.array([workload.milli_gpu_seconds for workload in workloads], dtype=np.float64)
    failed = np.array([workload.failed_milli_gpu_seconds for workload in workloads], dtype=np.float64)
    median_s = np.array([workload.median_job_s for workload in workloads], dtype=np.float64)
    has_a_week = cube.hours >= HOURS_PER_WEEK  # less says nothing about a week
    jobs_per_week = _positive(jobs * HOURS_PER_WEEK / cube.hours) if has_a_week else np.full(count, np.nan)
    return {
        **by_hour,
        "largest_job_nodes": _known([workload.max_nodes for workload in workloads]),
        "largest_job_gpus": _positive(np.array([workload.max_milli_gpus for workload in workloads]) / 1000),
        "median_job_hours": _positive(median_s / 3600),
        "median_job_minutes": _positive(median_s / 60),
        "jobs_per_week": jobs_per_week,
        "activity": _known([workload.activity for workload in workloads]),
        "failed_share": _ratio(failed, spent),
    }


def _hourly_signals(count: int, cube: Cube) -> dict[str, Floats]:
    """The signals that come from the cube. Amounts of one hour in two GPU models count as two entries there."""
    rows = cube.workload_index
    lengths = np.diff(cube.offsets)
    amount = cube.milli_gpu_seconds.astype(np.float64)
    active = np.minimum(_by_workload(rows, lengths, count), cube.hours)
    total = _by_workload(rows, cube.row_totals, count)
    squares = _by_workload(rows, _row_sums(amount * amount, cube), count)
    week_of = cube.hour // HOURS_PER_WEEK
    entry_workload = np.repeat(rows, lengths)
    slot = (entry_workload - week_of) * HOURS_PER_WEEK + cube.hour  # workload x 168 + hour of the week
    week = np.bincount(slot, weights=amount, minlength=count * HOURS_PER_WEEK).reshape(count, HOURS_PER_WEEK)
    day = week.reshape(count, HOURS_PER_WEEK // HOURS_PER_DAY, HOURS_PER_DAY).sum(axis=1)
    turn = np.exp(2j * np.pi * np.arange(HOURS_PER_DAY) / HOURS_PER_DAY)
    duty_cycle = active / cube.hours
    always_on = duty_cycle >= ALWAYS_ON
    busiest = np.partition(week, HOURS_PER_WEEK - HOURS_PER_DAY, axis=1)[
        :, HOURS_PER_WEEK - HOURS_PER_DAY :
    ].sum(axis=1)
    recurs = _active_weeks(count, cube, entry_workload, week_of) >= WEEKS_TO_RECUR
    return {
        "duty_cycle": _positive(duty_cycle),
        "always_on_flatness": np.where(always_on, _ratio(total * total, active * squares), np.nan),
        "always_on_daily_wave": np.where(always_on, _ratio(2 * np.abs(day @ turn), total), np.nan),
        "weekly_recurrence": np.where(recurs, _ratio(busiest, total), np.nan),
    }


def _by_workload(rows: Ints, amount: Floats | Ints, count: int) -> Floats:
    """Sum of the rows of each workload; shape (workloads,)."""
    return np.asarray(np.bincount(rows, weights=amount, minlength=count), dtype=np.float64)


def _row_sums(amount: Floats, cube: Cube) -> Floats:
    """Sum of each row's entries; no row of a cube is empty."""
    return np.asarray(np.add.reduceat(amount, cube.offsets[:-1])) if len(amount) else np.zeros(0)


def _active_weeks(count: int, cube: Cube, entry_workload: Ints, week_of: Ints) -> Ints:
    """Weeks of the window in which each workload had GPU time; shape (workloads,)."""
    weeks = cube.hours // HOURS_PER_WEEK + 1
    seen = np.zeros(count * weeks, dtype=bool)
    seen[entry_workload * weeks + week_of] = True
    return np.asarray(seen.reshape(count, weeks).sum(axis=1), dtype=np.int64)


def _known(values: Sequence[float | None]) -> Floats:
    return np.array([np.nan if value is None else value for value in values], dtype=np.float64)


def _positive(values: npt.NDArray[np.float64]) -> Floats:
    return np.where(values > 0, values, np.nan)


def _ratio(part: Floats, whole: Floats) -> Floats:
    answer = np.full(len(part), np.nan)
    np.divide(part, whole, out=answer, where=whole > 0)
    return answer
