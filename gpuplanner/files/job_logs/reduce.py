"""Reduction: job rows to the demand cube. Each job is two edges, whatever its length; all sums are whole numbers."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from gpuplanner.domain.model.cube import Cube, Ints, cube_from_entries, empty_cube
from gpuplanner.domain.model.intake import JobFacts
from gpuplanner.domain.model.window import HOUR_S, Window
from gpuplanner.domain.model.workload import Workload
from gpuplanner.files.engine import Engine
from gpuplanner.files.job_logs.job_rows import JOB_ROWS
from gpuplanner.files.job_logs.workload_facts import CLIPPED, clip_to_window, job_facts, workload_facts
from gpuplanner.files.window_request import LogSpan

if TYPE_CHECKING:
    import ibis

UNKNOWN_MODEL: Final = -1


@dataclass(frozen=True, slots=True, eq=False)
class Reduction:
    """What the jobs are in one window. gpu_models of the cube are spelled as in the log, sorted.

    clipped_by_file: GPU jobs cut at an edge and the first line of one, by file number.
    """

    window: Window
    cube: Cube
    workloads: tuple[Workload, ...]
    jobs: JobFacts
    clipped_by_file: dict[int, tuple[int, int]]


def log_span(engine: Engine) -> LogSpan:
    """What JOB_ROWS say about time."""
    return LogSpan(
        *engine.one(
            f"select min(start_s), max(start_s), max(end_s), max(end_s) filter (where not is_running) from {JOB_ROWS}"
        )
    )


def hourly_edges(jobs: "ibis.Table") -> "ibis.Table":
    """The one expression: GPU time by workload, model and hour, as steps.

    jobs: workload, gpu_model, milli_gpus, from_s, to_s (seconds from the start of the window, from < to).
    A job of g thousandths over [s, e) is +g at s's hour, owing g (s mod 3600) there, and -g at e's hour, keeping
    g (e mod 3600) there; the running sum of the rates times 3600 plus what is owed or kept is the exact amount.
    Returns workload, gpu_model, hour, next_hour (null for the last), amount (in `hour`) and full (in each hour
    after it up to next_hour), in milli-GPU-seconds.
    """
    import ibis

    start = jobs.select(
        "workload",
        "gpu_model",
        hour=jobs.from_s // HOUR_S,
        rate=jobs.milli_gpus,
        offset=-jobs.milli_gpus * (jobs.from_s % HOUR_S),
    )
    end = jobs.select(
        "workload",
        "gpu_model",
        hour=jobs.to_s // HOUR_S,
        rate=-jobs.milli_gpus,
        offset=jobs.milli_gpus * (jobs.to_s % HOUR_S),
    )
    steps = (
        ibis.union(start, end)
        .group_by("workload", "gpu_model", "hour")
        .aggregate(rate=lambda t: t.rate.sum().cast("int64"), offset=lambda t: t.offset.sum().cast("int64"))
    )
    by_row = ibis.window(group_by=["workload", "gpu_model"], order_by="hour")
    so_far = ibis.window(group_by=["workload", "gpu_model"], order_by="hour", preceding=None, following=0)
    level = steps.rate.sum().over(so_far).cast("int64")
    return steps.select(
        "workload",
        "gpu_model",
        "hour",
        next_hour=steps.hour.lead().over(by_row),
        amount=level * HOUR_S + steps.offset,
        full=level * HOUR_S,
    )


def reduce_jobs(engine: Engine, window: Window) -> Reduction:
    """The cube, the workloads with demand (sorted by key) and the sums of JOB_ROWS in a window."""
    clip_to_window(engine, window)
    steps = _steps(engine)
    facts = workload_facts(engine, window)
    cube = _cube(window.hours, steps, facts.numbers)
    jobs, clipped_by_file = job_facts(engine, window)
    workloads = tuple(
        replace(workload, milli_gpu_seconds=int(total))
        for workload, total in zip(facts.workloads, _totals(cube, len(facts.workloads)), strict=True)
    )
    return Reduction(window, cube, workloads, replace(jobs, milli_gpu_seconds=cube.total), clipped_by_file)


def _totals(cube: Cube, workloads: int) -> Ints:
    totals = np.zeros(workloads, dtype=np.int64)
    np.add.at(totals, cube.workload_index, cube.row_totals)
    return totals


def _steps(engine: Engine) -> dict[str, Any]:
    import ibis

    backend = ibis.duckdb.from_connection(engine.connection)
    jobs = backend.table(CLIPPED)
    jobs = jobs.filter(jobs.has_demand)
    return engine.columns(ibis.to_sql(hourly_edges(jobs), dialect="duckdb"))


def _cube(hours: int, steps: dict[str, Any], numbers: tuple[int, ...]) -> Cube:
    """numbers: the engine's number of each workload, in the order of the cube."""
    if not len(steps["hour"]):
        return empty_cube(hours)
    hour = np.asarray(steps["hour"], dtype=np.int64)
    following = np.asarray(np.ma.filled(steps["next_hour"], -1), dtype=np.int64)
    amount, full = (np.asarray(steps[name], dtype=np.int64) for name in ("amount", "full"))
    order = np.argsort(np.asarray(numbers, dtype=np.int64))
    place = np.searchsorted(
        np.asarray(numbers, dtype=np.int64)[order], np.asarray(steps["workload"], dtype=np.int64)
    )
    workload_index = order[place]
    models = (
        np.ma.filled(steps["gpu_model"], "")
        if np.ma.isMaskedArray(steps["gpu_model"])
        else steps["gpu_model"]
    )
    names, model_index = np.unique(np.asarray(models, dtype=object).astype(str), return_inverse=True)
    if len(names) and names[0] == "":
        names, model_index = names[1:], model_index - 1
    spread = np.where(full > 0, following - hour - 1, 0)  # hours that the level lasts beyond the step's own
    row = np.repeat(np.arange(len(hour)), spread)
    within = np.arange(len(row)) - np.repeat(np.cumsum(spread) - spread, spread)
    both = np.concatenate((np.arange(len(hour)), row))
    return cube_from_entries(
        hours,
        tuple(str(name) for name in names),
        workload_index[both].astype(np.int64),
        model_index[both].astype(np.int64),
        np.concatenate((hour, hour[row] + 1 + within)),
        np.concatenate((amount, full[row])),
    )
