"""Reduction: job rows to the demand cube. Each job is two edges, whatever its length; all sums are whole numbers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from gpuplanner.domain.arrays import Ints
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.log.cube import Cube, empty_cube
from gpuplanner.domain.model.log.intake import JobFacts
from gpuplanner.domain.model.log.workload import Workload
from gpuplanner.domain.model.window import HOUR_S, Window
from gpuplanner.files.job_logs.judging.compiled import compiled
from gpuplanner.files.job_logs.judging.expression import hourly_steps
from gpuplanner.files.job_logs.reduce.busy_jobs import MILLI_GPU_SECONDS_AT_MOST, cube_of_jobs
from gpuplanner.files.job_logs.reduce.idle_gaps import find_idle_gaps
from gpuplanner.files.job_logs.reduce.job_rows import JOB_ROWS, JOB_TIMES
from gpuplanner.files.job_logs.reduce.workload_facts import (
    CLIPPED,
    FileJobs,
    busy_jobs,
    clip_to_window,
    job_facts,
    workload_facts,
)
from gpuplanner.files.system.engine import Engine, uncountable
from gpuplanner.files.values.window_request import LogSpan

# Model facts: the GPU time of each workload by the AI model that its jobs name.
ModelTime = tuple[tuple[str, int], ...]


def model_time(engine: Engine, window: Window) -> dict[int, ModelTime]:
    """Milli-GPU-seconds in the window by model, most first, by the number of the workload; only what jobs name.

    A job counts as in the cube: cut to the window, one that runs on up to its end. Models are told apart without
    regard to case and named in the spelling with most GPU time. A log that names no model costs one look at a column.
    """
    if not engine.all(f"select 1 from {JOB_ROWS} where model is not null limit 1"):
        return {}
    start, end = window.start_s, window.end_s
    stop = f"coalesce(end_s, greatest({end}, start_s))"
    found = engine.all(
        f"""with spelled as (
            select workload, model, sum(milli_gpus * (least({stop}, {end}) - greatest(start_s, {start}))) as spent
            from {JOB_ROWS}
            where model is not null and milli_gpus > 0 and start_s < {end} and {stop} > {start} and {stop} > start_s
            group by all
        )
        select workload, arg_max(trim(model), (spent, model)), sum(spent)::bigint from spelled
        where trim(model) <> '' group by workload, lower(trim(model)) order by workload, 3 desc, 2"""
    )
    times: dict[int, list[tuple[str, int]]] = {}
    for workload, model, spent in found:
        times.setdefault(workload, []).append((model, int(spent)))
    return {workload: tuple(models) for workload, models in times.items()}


if TYPE_CHECKING:
    import ibis

_ADDING_UP: Final = worded("Adding up demand")


@dataclass(frozen=True, slots=True, eq=False)
class Reduction:
    """What the jobs are in one window. gpu_models of the cube are spelled as in the log, sorted.

    by_file: jobs of each file in the window, by its number; a file without any is not there.
    """

    window: Window
    cube: Cube
    workloads: tuple[Workload, ...]
    jobs: JobFacts
    by_file: dict[int, FileJobs]


def log_span(engine: Engine) -> LogSpan:
    """What the jobs say about time."""
    return LogSpan(
        *engine.one(
            f"select min(start_s), max(start_s), max(end_s), max(end_s) filter (where not is_running) from {JOB_TIMES}"
        )
    )


def reduce_jobs(engine: Engine, window: Window, *, finds_idle_gaps: bool = True) -> Reduction:
    """The cube, the workloads with demand (sorted by key) and the sums of JOB_ROWS in a window.

    finds_idle_gaps: they take as long as all else, and only an audit asks for them.
    Errors: PlannerError bad_number where the sums are more than 64 bits hold.
    """
    gpu_models = clip_to_window(engine, window)
    engine.progress(_ADDING_UP, 0.1)
    busy = busy_jobs(engine, window)
    engine.progress(_ADDING_UP, 0.3)
    facts = workload_facts(engine, window, busy)
    engine.progress(_ADDING_UP, 0.6)
    cube = cube_of_jobs(busy, window.hours, gpu_models, facts.numbers)
    if cube is None:
        cube = cube_of_steps(window.hours, gpu_models, facts.numbers, _steps(engine))
    engine.progress(_ADDING_UP, 0.75)
    jobs, by_file, peaks = job_facts(engine, window, facts.numbers, busy)
    totals = _totals(cube, len(facts.workloads))
    models = model_time(engine, window)
    clusters = [workload.cluster for workload in facts.workloads]
    idle_gaps = (
        find_idle_gaps(busy, window.hours * HOUR_S, facts.numbers, clusters, gpu_models)
        if finds_idle_gaps
        else None
    )
    workloads = tuple(
        replace(
            workload,
            milli_gpu_seconds=int(total),
            peak_milli_gpus=int(peak),
            model_time=models.get(number, ()),
        )
        for workload, number, total, peak in zip(facts.workloads, facts.numbers, totals, peaks, strict=True)
    )
    return Reduction(
        window, cube, workloads, replace(jobs, milli_gpu_seconds=cube.total, lulls=idle_gaps), by_file
    )


def _totals(cube: Cube, workloads: int) -> Ints:
    """Thousandths of a GPU-second of each workload over all hours, shape (workloads,), int64."""
    totals = np.zeros(workloads, dtype=np.int64)
    np.add.at(totals, cube.workload_index, cube.row_totals)
    return totals


def _steps(engine: Engine) -> dict[str, Any]:
    """The steps of CLIPPED, added up by the engine."""
    return engine.columns(
        f"""select workload::int as workload, gpu_model::int as gpu_model, at_s, rate::bigint as rate,
            "offset"::bigint as "offset"
        from ({compiled(engine, CLIPPED, _steps_of_busy)})"""
    )


def _steps_of_busy(jobs: "ibis.Table") -> "ibis.Table":
    """The hourly steps of those jobs that hold GPUs for any time."""
    return hourly_steps(jobs.filter(jobs.has_demand))


def cube_of_steps(
    hours: int, gpu_models: tuple[str, ...], numbers: Sequence[int] | Ints, steps: Mapping[str, Any]
) -> Cube:
    """The columns of `expression.hourly_steps`, of any engine and in any order, to the demand of each hour.

    numbers: the number of each workload in the steps, ascending, in the order of the cube's workloads.
    Errors: PlannerError bad_number where the sums are more than 64 bits hold.
    """
    if not len(steps["at_s"]):
        return empty_cube(hours)
    step_hour = np.asarray(steps["at_s"], dtype=np.int64) // HOUR_S
    row = np.asarray(steps["workload"], dtype=np.int64) * (len(gpu_models) + 1) + steps["gpu_model"] + 1
    order = np.argsort(row * (hours + 1) + step_hour)
    row, step_hour = row[order], step_hour[order]
    rate, offset = (np.asarray(steps[name], dtype=np.int64)[order] for name in ("rate", "offset"))
    level = np.cumsum(rate)  # each row of the cube begins and ends at nothing
    if np.cumsum(rate, dtype=np.float64).max() > MILLI_GPU_SECONDS_AT_MOST / HOUR_S:
        raise uncountable()
    is_last = np.ones(len(row), dtype=bool)
    is_last[:-1] = row[1:] != row[:-1]
    lasts = np.ones(len(row), dtype=np.int64)  # hours that a step stands for
    lasts[:-1] = np.where((level[:-1] > 0) & ~is_last[:-1], step_hour[1:] - step_hour[:-1], 1)
    step = np.repeat(np.arange(len(lasts)), lasts)
    within = np.arange(len(step)) - np.repeat(np.cumsum(lasts) - lasts, lasts)
    full = level * HOUR_S
    amount = np.where(within == 0, (full + offset)[step], full[step])
    keep = amount != 0  # the step at which a level falls to nothing
    step, within, amount = step[keep], within[keep], amount[keep]
    cube_row = row[step]
    is_new = np.ones(len(step), dtype=bool)
    is_new[1:] = cube_row[1:] != cube_row[:-1]
    rows = np.flatnonzero(is_new)
    cube = Cube(
        hours,
        gpu_models,
        np.searchsorted(np.asarray(numbers), cube_row[rows] // (len(gpu_models) + 1)).astype(np.int64),
        (cube_row[rows] % (len(gpu_models) + 1) - 1).astype(np.int64),
        np.append(rows, len(step)).astype(np.int64),
        (step_hour[step] + within).astype(np.int64),
        amount.astype(np.int64),
    )
    if cube.milli_gpu_seconds.sum(dtype=np.float64) > MILLI_GPU_SECONDS_AT_MOST:
        raise uncountable()
    return cube
