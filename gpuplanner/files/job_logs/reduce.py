"""Reduction: job rows to the demand cube. Each job is two edges, whatever its length; all sums are whole numbers."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from gpuplanner.domain.model.cube import Cube, Ints, empty_cube
from gpuplanner.domain.model.intake import JobFacts
from gpuplanner.domain.model.window import HOUR_S, Window
from gpuplanner.domain.model.workload import Workload
from gpuplanner.files.engine import Engine, uncountable
from gpuplanner.files.job_logs.job_rows import JOB_TIMES
from gpuplanner.files.job_logs.workload_facts import CLIPPED, clip_to_window, job_facts, workload_facts
from gpuplanner.files.window_request import LogSpan

if TYPE_CHECKING:
    import ibis

MILLI_GPU_SECONDS_AT_MOST: Final = 9e18
"""Of a whole log: a million GPUs for two centuries and more; what is added up is whole numbers of 64 bits."""


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
    """What the jobs say about time."""
    return LogSpan(
        *engine.one(
            f"select min(start_s), max(start_s), max(end_s), max(end_s) filter (where not is_running) from {JOB_TIMES}"
        )
    )


def hourly_edges(jobs: "ibis.Table") -> "ibis.Table":
    """The one expression: GPU time by workload, model and hour, as steps.

    jobs: workload and gpu_model (numbers), milli_gpus, from_s, to_s (seconds from the start of the window, from < to).
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
    """The cube, the workloads with demand (sorted by key) and the sums of JOB_ROWS in a window.

    Errors: PlannerError bad_number where the sums are more than 64 bits hold.
    """
    gpu_models = clip_to_window(engine, window)
    facts = workload_facts(engine, window)
    cube = _cube(window.hours, gpu_models, facts.numbers, _steps(engine))
    if cube.milli_gpu_seconds.sum(dtype=np.float64) > MILLI_GPU_SECONDS_AT_MOST:
        raise uncountable()
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
    """hourly_edges in the order of the cube, as small as the numbers allow."""
    import ibis

    backend = ibis.duckdb.from_connection(engine.connection)
    jobs = backend.table(CLIPPED)
    edges = ibis.to_sql(hourly_edges(jobs.filter(jobs.has_demand)), dialect="duckdb")
    return engine.columns(
        f"""select cast(workload as int) as workload, cast(gpu_model as int) as gpu_model, cast(hour as int) as hour,
            cast(coalesce(next_hour, hour + 1) as int) as next_hour, amount, "full"
        from ({edges}) order by workload, gpu_model, hour"""
    )


def _cube(hours: int, gpu_models: tuple[str, ...], numbers: tuple[int, ...], steps: dict[str, Any]) -> Cube:
    """Steps to hours. numbers: the engine's number of each workload, ascending, in the order of the cube."""
    if not len(steps["hour"]):
        return empty_cube(hours)
    lasts = np.where(steps["full"] > 0, steps["next_hour"] - steps["hour"], 1)  # hours that a step stands for
    step = np.repeat(np.arange(len(lasts)), lasts)
    within = np.arange(len(step)) - np.repeat(np.cumsum(lasts) - lasts, lasts)
    amount = np.where(within == 0, steps["amount"][step], steps["full"][step])
    keep = amount != 0  # the step at which a level falls to nothing
    step, within, amount = step[keep], within[keep], amount[keep]
    workload, model = steps["workload"][step], steps["gpu_model"][step]
    is_new = np.ones(len(step), dtype=bool)
    is_new[1:] = (workload[1:] != workload[:-1]) | (model[1:] != model[:-1])
    rows = np.flatnonzero(is_new)
    return Cube(
        hours,
        gpu_models,
        np.searchsorted(np.asarray(numbers), workload[rows]).astype(np.int64),
        model[rows].astype(np.int64),
        np.append(rows, len(step)).astype(np.int64),
        (steps["hour"][step] + within).astype(np.int64),
        amount.astype(np.int64),
    )
