"""The one expression: typed job rows to GPU time by workload, GPU model and hour, the same on every engine.

A typed row has
  file, line        numbers that tell rows apart and put them in order
  cluster, job_id   texts; a job_id that is null is never a repeat
  start_s, end_s    whole seconds since 1970 UTC; end_s is null where a job runs on without a known end
  is_running        boolean; finality (how final the stated end is, a number)
  milli_gpus        thousandths of a GPU
  workload, gpu_model  numbers
All numbers are 64-bit integers, so every sum is exact and all engines give the same cube.
"""

from typing import TYPE_CHECKING, Final

from gpuplanner.domain.model.window import HOUR_S, Window

if TYPE_CHECKING:
    import ibis


def demand_steps(rows: "ibis.Table", window: Window) -> "ibis.Table":
    """Typed rows to hourly_steps: repeats dropped, cut to the window, turned into two edges each.

    rows: a table as `row_validation` makes it, of any engine. Nothing runs before the engine is asked.
    """
    jobs = clipped_jobs(accepted_jobs(rows), window)
    return hourly_steps(jobs.filter(jobs.has_demand))


def accepted_jobs(rows: "ibis.Table", suspects: "ibis.Table | None" = None) -> "ibis.Table":
    """Rows without those that tell again of a run that another row tells of better; see `repeated_rows`.

    suspects: the rows among which repeats are looked for, if fewer than all.
    """
    return rows.anti_join(repeated_rows(rows if suspects is None else suspects), ["file", "line"])


def repeated_rows(rows: "ibis.Table") -> "ibis.Table":
    """file and line of the rows of one cluster, job_id and start that are not the one that counts.

    A run that ended wins over one still running, then the later end, then the more final state, then the first
    row. rows may be fewer than all: those that share their key with another are enough.
    """
    ended = 1 - rows.is_running.cast("int64")
    end_s = rows.end_s.cast("int64").fill_null(_BEFORE_ALL_S)
    told = rows.filter(rows.job_id.notnull()).select(
        "file",
        "line",
        "cluster",
        "job_id",
        "start_s",
        merit=ended * _ENDED + end_s * _FINALITIES + rows.finality.cast("int64"),
        place=rows.file.cast("int64") * _LINES_AT_MOST + rows.line.cast("int64"),
    )
    run = ["cluster", "job_id", "start_s"]
    several = told.group_by(run).aggregate(rows_alike=told.count(), best=told.merit.max())
    told_again = told.join(several.filter(several.rows_alike > 1), run)
    best = told_again.filter(told_again.merit == told_again.best)
    first = best.group_by(run).aggregate(first=best.place.min())
    placed = told_again.join(first, run)
    return placed.filter(placed.place != placed.first).select("file", "line")


# One number that is the greater, the better a row tells how its job ended: times are within 34 bits and a sign.
_FINALITIES: Final = 8
_ENDED: Final = 2**40
_BEFORE_ALL_S: Final = -(2**35)  # an end that is not known
_LINES_AT_MOST: Final = 2**40


def clipped_jobs(jobs: "ibis.Table", window: Window) -> "ibis.Table":
    """The jobs that overlap the window, with from_s and to_s from its start, stop_s and has_demand beside them.

    A job that runs on ends with the window; one of no length counts by its instant. has_demand: there is GPU time.
    """
    import ibis

    start, end = window.start_s, window.end_s
    stopped = jobs.mutate(
        stop_s=jobs.end_s.fill_null(ibis.greatest(ibis.literal(end, "int64"), jobs.start_s))
    )
    is_instant = (stopped.stop_s == stopped.start_s) & (stopped.start_s >= start)
    within = stopped.filter((stopped.start_s < end) & ((stopped.stop_s > start) | is_instant))
    return within.mutate(
        from_s=ibis.greatest(within.start_s, ibis.literal(start, "int64")) - start,
        to_s=ibis.least(within.stop_s, ibis.literal(end, "int64")) - start,
        has_demand=(within.milli_gpus > 0) & (within.stop_s > within.start_s),
    )


def hourly_steps(jobs: "ibis.Table") -> "ibis.Table":
    """GPU time by workload, gpu_model and at_s (a whole hour, in seconds), as steps in no order: rate and offset.

    jobs: workload, gpu_model, milli_gpus, from_s and to_s (seconds from the start of the window, from < to).
    A job of g thousandths over [s, e) is +g at s's hour, owing g (s mod 3600) there, and -g at e's hour, keeping
    g (e mod 3600) there. The running sum of the rates over the hours, times 3600, plus the offset of an hour, is
    the exact amount in it; `reduce.cube_of_steps` takes it from there. rate is in thousandths of a GPU, offset in
    milli-GPU-seconds.
    """
    import ibis

    start = jobs.select(
        "workload",
        "gpu_model",
        at_s=jobs.from_s - jobs.from_s % HOUR_S,
        rate=jobs.milli_gpus,
        offset=-jobs.milli_gpus * (jobs.from_s % HOUR_S),
    )
    end = jobs.select(
        "workload",
        "gpu_model",
        at_s=jobs.to_s - jobs.to_s % HOUR_S,
        rate=-jobs.milli_gpus,
        offset=jobs.milli_gpus * (jobs.to_s % HOUR_S),
    )
    return (
        ibis.union(start, end)
        .group_by("workload", "gpu_model", "at_s")
        .aggregate(rate=lambda t: t.rate.sum().cast("int64"), offset=lambda t: t.offset.sum().cast("int64"))
    )
