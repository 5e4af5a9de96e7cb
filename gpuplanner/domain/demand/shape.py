"""Shape of each workload: what its hours and its jobs look like, as numbers that the score table reads."""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from gpuplanner.domain.arrays import Floats, Ints
from gpuplanner.domain.figures.columns import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.model.log.cube import Cube
from gpuplanner.domain.model.log.workload import Workload

HOURS_PER_DAY = 24
HOURS_PER_WEEK = 168
DAYS_PER_WEEK = 7
ALWAYS_ON = 0.9
"""From this duty cycle on, flatness and daily wave say something about how a workload is held."""
MOSTLY_ON = 0.8
"""From this duty cycle on, how long it runs without a pause says something."""
WEEKS_TO_RECUR = 4
"""Fewer active weeks than this cannot show a weekly pattern."""
DAYS_TO_RECUR = 12
"""Fewer active days than this cannot show a daily one: chance alone would."""
MANY_NODES = 4
"""Services seldom span so many: a job of weeks on them is a run that did not stop."""
LONG_RUN_S = 3 * 3600
"""Jobs of this length or longer are runs; what their size or activity says is not true of short ones."""
WORKDAY_S = (8 * 3600, 16 * 3600)
"""Jobs of such a length that also swing with the day are there while people work."""
SWINGS_DAILY = (0.3, 0.85)
"""Daily peaks between these follow the day; beyond, it is always the same few hours."""
RESTS = 0.1
"""With less than this share of its GPU time in the quietest two days, a workload keeps the working week."""


def shape_signals(workloads: Sequence[Workload], cube: Cube) -> Mapping[str, Floats]:
    """One number per workload and signal; NaN where it is unknown, so that no row of the score table matches.

    Shapes: each (workloads,). Of all jobs: their median length, largest size, number a week, failures, activity. A
    signal that starts with `long_run` is known where the median job lasts LONG_RUN_S or more, `short_jobs` where it
    lasts less; `always_on` from a duty cycle of ALWAYS_ON, `long_runs` below it and on one node; `workday_jobs` last
    about as long as people work, swing with the day, rest at weekends and are no `long_runs`; those of hours are in
    `_hourly_signals`.
    """
    count = len(workloads)
    by_hour = _hourly_signals(count, cube)
    jobs = np.array([workload.gpu_jobs for workload in workloads], dtype=np.float64)
    spent = np.array([workload.milli_gpu_seconds for workload in workloads], dtype=np.float64)
    failed = np.array([workload.failed_milli_gpu_seconds for workload in workloads], dtype=np.float64)
    median_s = _positive(np.array([workload.median_job_s for workload in workloads], dtype=np.float64))
    nodes = _known([workload.max_nodes for workload in workloads])
    gpus = _positive(np.array([workload.max_milli_gpus for workload in workloads]) / 1000)
    activity = _known([workload.activity for workload in workloads])
    has_a_week = cube.hours >= HOURS_PER_WEEK  # less says nothing about a week
    jobs_per_week = _positive(jobs * HOURS_PER_WEEK / cube.hours) if has_a_week else np.full(count, np.nan)
    is_long, is_short = median_s >= LONG_RUN_S, median_s < LONG_RUN_S
    is_always_on = by_hour["duty_cycle"] >= ALWAYS_ON
    peak = by_hour["part_time_daily_peak"]
    follows_days = (peak >= SWINGS_DAILY[0]) & (peak < SWINGS_DAILY[1])
    rests = by_hour["quiet_days"] < RESTS
    is_a_workday = follows_days & rests & (median_s >= WORKDAY_S[0]) & (median_s < WORKDAY_S[1])
    is_a_list = is_long & ~is_always_on & ~is_a_workday & ~(nodes >= 2)  # its pieces fit a machine
    at_once = _ratio(by_hour.pop("mean_gpus_when_active"), gpus)
    return {
        **by_hour,
        "largest_job_nodes": nodes,
        "largest_job_gpus": gpus,
        "long_run_nodes": _where(is_long, nodes),
        "long_run_gpus": _where(is_long, gpus),
        "median_job_hours": median_s / 3600,
        "median_job_minutes": median_s / 60,
        "median_hours_on_few_nodes": _where(~(nodes >= MANY_NODES), median_s / 3600),
        "jobs_per_week": jobs_per_week,
        "short_jobs_per_week": _where(is_short, jobs_per_week),
        "long_runs_per_week": _where(is_a_list, jobs_per_week),
        "workday_jobs_per_week": _where(is_a_workday, jobs_per_week),
        "always_on_jobs_at_once": _where(is_always_on, at_once),
        "activity": activity,
        "always_on_activity": _where(is_always_on, activity),
        "long_run_activity": _where(is_long & ~is_always_on, activity),
        "mostly_on_stretch_hours": _where(is_long, by_hour["mostly_on_stretch_hours"]),
        "short_jobs_activity": _where(is_short & ~is_always_on, activity),
        "failed_share": _ratio(failed, spent),
    }


def _hourly_signals(count: int, cube: Cube) -> dict[str, Floats]:
    """The signals that come from the cube. Amounts of one hour in two GPU models count as two entries there.

    duty_cycle: share of the window's hours with GPU time; a window under a week says nothing of it. always_on_flatness
    and part_time_flatness: mean² / mean of squares of the active hours (1 is flat). always_on_daily_wave: amplitude of
    the 24 h harmonic relative to the mean. part_time_daily_peak: half of that for what runs less (1: always at the same
    hour), from DAYS_TO_RECUR days on. mostly_on_stretch_hours: mean length of unbroken use. weekly_recurrence: share
    of GPU time in the busiest 24 of 168 hours of the week. quiet_days: share in the quietest 48 of them in a row.
    """
    rows = cube.workload_index
    lengths = np.diff(cube.offsets)
    amount = cube.milli_gpu_seconds.astype(np.float64)
    active = np.minimum(_by_workload(rows, lengths, count), cube.hours)
    total = _by_workload(rows, cube.row_totals, count)
    squares = _by_workload(rows, _row_sums(amount * amount, cube), count)
    clock = np.arange(cube.hours)  # looked up: to divide every entry's hour takes several times as long
    slot = np.repeat(rows * HOURS_PER_WEEK, lengths)
    slot += (clock % HOURS_PER_WEEK)[cube.hour]  # workload x 168 + hour of the week
    week = np.bincount(slot, weights=amount, minlength=count * HOURS_PER_WEEK).astype(np.float64)
    week = week.reshape(count, HOURS_PER_WEEK)
    day = week.reshape(count, DAYS_PER_WEEK, HOURS_PER_DAY).sum(axis=1)
    turn = np.exp(2j * np.pi * np.arange(HOURS_PER_DAY) / HOURS_PER_DAY)
    harmonic = np.abs(day @ turn)
    duty_cycle = active / cube.hours if cube.hours >= HOURS_PER_WEEK else np.full(count, np.nan)
    always_on = duty_cycle >= ALWAYS_ON
    busiest = np.partition(week, HOURS_PER_WEEK - HOURS_PER_DAY, axis=1)[
        :, HOURS_PER_WEEK - HOURS_PER_DAY :
    ].sum(axis=1)
    days, weeks = _active_days_and_weeks(count, cube, lengths)
    recurs = weeks >= WEEKS_TO_RECUR
    flatness = _ratio(total * total, active * squares)
    stretch_hours = _ratio(active, _stretches(count, cube))
    return {
        "duty_cycle": _positive(duty_cycle),
        "mean_gpus_when_active": _ratio(total, active * MILLI_GPU_SECONDS_PER_GPU_HOUR),
        "always_on_flatness": _where(always_on, flatness),
        "part_time_flatness": _where(~always_on, flatness),
        "always_on_daily_wave": _where(always_on, _ratio(2 * harmonic, total)),
        "part_time_daily_peak": _where(~always_on & (days >= DAYS_TO_RECUR), _ratio(harmonic, total)),
        "mostly_on_stretch_hours": _where(duty_cycle >= MOSTLY_ON, stretch_hours),
        "weekly_recurrence": _where(recurs, _ratio(busiest, total)),
        "quiet_days": _where(recurs & (days >= DAYS_TO_RECUR), _ratio(_quietest_48_hours(week), total)),
    }


def _stretches(count: int, cube: Cube) -> Floats:
    """How often each workload began to use GPUs after an hour without; shape (workloads,)."""
    begins = np.ones(len(cube.hour), dtype=np.int64)
    begins[1:] = np.diff(cube.hour) != 1
    begins[cube.offsets[:-1]] = 1
    return _by_workload(cube.workload_index, _row_sums(begins, cube), count)


def _quietest_48_hours(week: Floats) -> Floats:
    """GPU time in the 48 hours of the week, in a row, that have least; shapes (workloads, 168) -> (workloads,)."""
    twice = np.concatenate((np.zeros((len(week), 1)), week, week[:, :48]), axis=1).cumsum(axis=1)
    return np.asarray((twice[:, 48:] - twice[:, :-48]).min(axis=1).clip(0))


def _by_workload(rows: Ints, amount: Floats | Ints, count: int) -> Floats:
    """Sum of the rows of each workload; shape (workloads,)."""
    return np.asarray(np.bincount(rows, weights=amount, minlength=count), dtype=np.float64)


def _row_sums(amount: Floats | Ints, cube: Cube) -> Floats:
    """Sum of each row's entries; no row of a cube is empty."""
    return np.add.reduceat(amount, cube.offsets[:-1]).astype(np.float64) if len(amount) else np.zeros(0)


def _active_days_and_weeks(count: int, cube: Cube, lengths: Ints) -> tuple[Ints, Ints]:
    """Days and weeks of the window in which each workload had GPU time; shapes (workloads,)."""
    weeks = cube.hours // HOURS_PER_WEEK + 1
    days = weeks * DAYS_PER_WEEK
    place = np.repeat(cube.workload_index * days, lengths)
    place += (np.arange(cube.hours) // HOURS_PER_DAY)[cube.hour]
    seen = np.zeros(count * days, dtype=bool)
    seen[place] = True
    by_week = seen.reshape(count, weeks, DAYS_PER_WEEK)
    return by_week.sum(axis=(1, 2)), by_week.any(axis=2).sum(axis=1)


def _where(holds: npt.NDArray[np.bool_], values: Floats) -> Floats:
    """The values where something holds, NaN elsewhere."""
    return np.where(holds, values, np.nan)


def _known(values: Sequence[float | None]) -> Floats:
    """Values as an array, None as NaN."""
    return np.array([np.nan if value is None else value for value in values], dtype=np.float64)


def _positive(values: npt.NDArray[np.float64]) -> Floats:
    """Values above 0, NaN elsewhere: a count of 0 is one that nobody knows."""
    return np.where(values > 0, values, np.nan)


def _ratio(part: Floats, whole: Floats) -> Floats:
    """part / whole, NaN where the whole is 0."""
    answer = np.full(len(part), np.nan)
    np.divide(part, whole, out=answer, where=whole > 0)
    return answer
