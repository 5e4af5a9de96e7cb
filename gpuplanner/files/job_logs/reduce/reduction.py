"""Reduction: job rows to the demand cube, and the facts of the window and of each workload."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from gpuplanner.domain.arrays import Ints
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.message import worded
from gpuplanner.domain.model import intake
from gpuplanner.domain.model.amounts import grouped
from gpuplanner.domain.model.cube import Cube, Workload, empty_cube
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import DAY_S, HOUR_S, Window
from gpuplanner.files.job_logs.judging.expression import clipped_jobs, hourly_steps
from gpuplanner.files.job_logs.reduce.billed_jobs import billed_use
from gpuplanner.files.job_logs.reduce.busy_jobs import (
    MILLI_GPU_SECONDS_AT_MOST,
    BusyJobs,
    cube_of_jobs,
    find_idle_gaps,
    middles,
    peaks,
    read_busy_jobs,
    steps_of,
)
from gpuplanner.files.job_logs.reduce.job_rows import JOB_ROWS, ROWS_AS_READ, WORKLOAD_NAMES
from gpuplanner.files.system.engine import Engine, uncountable
from gpuplanner.files.values.lookback_period import LogSpan
from gpuplanner.files.values.word_lists import phrases
from gpuplanner.lazy_dataclass import dataclass, replace

# --- Facts: what the jobs of a window add up to, in all and for each workload --------------------

_UNNUMBERED: Final = "clipped_jobs_by_name"
_TALLY: Final = "clipped_jobs_tally"
"""The engine's table of what CLIPPED adds up to by all that tells jobs apart: read once, asked several times."""

CLIPPED: Final = f"""(
    select u.* exclude (model_name), coalesce(n.gpu_model, -1) as gpu_model
    from {_UNNUMBERED} u left join (
        select model_name, cast(row_number() over (order by model_name) - 1 as int) as gpu_model
        from (select distinct model_name from {_TALLY} where has_demand and model_name is not null)
    ) n using (model_name))"""
"""SQL of jobs that overlap the window: from_s and to_s count from its start; has_demand: GPU time."""


@dataclass(frozen=True, slots=True)
class FileJobs:
    """Jobs of one file in a window: all, GPU jobs that an edge cuts, and the first line of one of these."""

    jobs: int
    clipped: int
    first_clipped: int | None


def clip_to_window(engine: Engine, window: Window) -> tuple[tuple[str, ...], BusyJobs]:
    """CLIPPED from JOB_ROWS; returns the GPU models of jobs with demand, sorted, which its numbers point into, and
    these jobs.

    A job that runs on ends with the window; one of no length counts by its instant. An unknown model is -1.
    """
    named = f"""(select file, line, workload, milli_gpus, nodes, start_s, end_s, is_running, state,
            activity_milli_percent, name, job_id, gpu_model as model_name, coalesce(queue, '') as queue
        from {JOB_ROWS})"""
    is_cut = f"start_s < {window.start_s} or (stop_s > {window.end_s} and not is_running)"
    engine.run(
        f"""create or replace {engine.once} {_UNNUMBERED} as {clipped_jobs(named, window)};
        create or replace table {_TALLY} as
        select file, workload, queue, state, model_name, has_demand, count(*) as jobs, max(nodes) as max_nodes,
            max(milli_gpus) as max_milli_gpus, min(from_s) as first_s, max(to_s) as last_s,
            max(stop_s - start_s) as longest_s, min(name) as sample_name,
            count(activity_milli_percent) as with_activity,
            sum(milli_gpus * (to_s - from_s) * cast(activity_milli_percent as hugeint)) as activity_sum,
            sum(milli_gpus * (to_s - from_s)) as gpu_time, max(milli_gpus * (to_s - from_s)) as most_time,
            sum(milli_gpus * (to_s - from_s)) filter (where activity_milli_percent is not null) as measured_time,
            count(*) filter (where {is_cut}) as cut, min(line) filter (where {is_cut}) as first_cut
        from {_UNNUMBERED} group by all"""
    )
    models, count, most_milli_gpus, longest_s = engine.one(
        f"""select list_sort(list(distinct model_name)), coalesce(sum(jobs), 0)::bigint,
            coalesce(max(max_milli_gpus), 0), coalesce(max(longest_s), 0)
        from {_TALLY} where has_demand"""
    )
    busy = read_busy_jobs(
        engine, CLIPPED, window, at_most=count, most_milli_gpus=most_milli_gpus, longest_s=longest_s
    )
    return tuple(name for name in models or () if name is not None), busy


def job_facts(
    engine: Engine, window: Window, workloads: Sequence[int], busy: BusyJobs
) -> tuple[intake.JobFacts, dict[int, FileJobs], Ints]:
    """The sums over CLIPPED, without GPU time; the same by file; peaks.

    workloads: numbers of those with GPU time, ascending; their peaks are in that order, in thousandths of a GPU.
    """
    by_file = engine.all(
        f"""select file, sum(jobs)::bigint, coalesce(sum(jobs) filter (where has_demand), 0)::bigint,
            min(first_s) filter (where has_demand), max(last_s) filter (where has_demand), min(first_s), max(last_s),
            coalesce(sum(cut) filter (where has_demand), 0)::bigint, min(first_cut) filter (where has_demand)
        from {_TALLY} group by file"""
    )
    facts, jobs = facts_by_file(by_file, window)
    peak, peak_of = peaks(busy, _UNNUMBERED, window.hours * HOUR_S, np.array(workloads, dtype=np.int64))
    return replace(facts, peak_milli_gpus=peak), jobs, peak_of


def facts_by_file(
    rows: Sequence[tuple[Any, ...]], window: Window
) -> tuple[intake.JobFacts, dict[int, FileJobs]]:
    """The sums over clipped jobs, without GPU time and peak; the same by file.

    rows: file, jobs, GPU jobs, first and last second of these and of all jobs, how many the window cuts, the first of
    those.
    """
    gpu_jobs = sum(row[2] for row in rows)
    first, last = (3, 4) if gpu_jobs else (5, 6)
    firsts = [row[first] for row in rows if row[first] is not None]
    lasts = [row[last] for row in rows if row[last] is not None]
    facts = intake.JobFacts(
        count=sum(row[1] for row in rows),
        gpu_jobs=gpu_jobs,
        first_start_s=window.start_s + min(firsts) if firsts else None,
        last_end_s=window.start_s + max(lasts) if lasts else None,
        clipped=sum(row[7] for row in rows),
    )
    return facts, {row[0]: FileJobs(row[1], row[7], row[8]) for row in rows}


_AS_FOUND: Final = phrases(
    "key|name|cluster|owner|queue|sample_name|jobs|gpu_jobs|max_nodes|max_milli_gpus"
    "|failed_milli_gpu_seconds|timed_out_milli_gpu_seconds|is_completed"
)
"""The fields of a workload that are columns of `workload_facts`."""


def workload_facts(
    engine: Engine, window: Window, busy: BusyJobs
) -> tuple[list[dict[str, Any]], tuple[int, ...]]:
    """What makes every workload with GPU time in the window, once its peak and what is added up are given.

    Thousands of them are made once: to replace a value made takes twice as long as to make it.
    """
    failed = ", ".join(f"'{state}'" for state in intake.FAILED_STATES)
    found = engine.all(
        f"""with one_name as (
            select workload, min(workload_key) as key, min(workload_name) as name, min(cluster) as cluster,
                min(owner) as owner, max(label) as label
            from {WORKLOAD_NAMES} group by workload
        ), by_queue as (
            select workload, queue, sum(gpu_time) as gpu_time
            from {_TALLY} where has_demand group by workload, queue
        ), most_used as (
            select workload, arg_min(queue, (-gpu_time, queue)) as queue from by_queue group by workload
        ), figures as (
            select workload, sum(jobs) as jobs, sum(jobs) filter (where has_demand) as gpu_jobs,
                max(max_nodes) filter (where has_demand) as max_nodes,
                max(max_milli_gpus) filter (where has_demand) as max_milli_gpus,
                coalesce(sum(gpu_time) filter (where has_demand and state in ({failed})), 0) as failed,
                coalesce(sum(gpu_time) filter (where has_demand and state = '{intake.TIMEOUT}'), 0) as timed_out,
                coalesce(
                    arg_max(state, (last_s, state)) filter (where has_demand) = '{intake.COMPLETED}', false
                ) as is_completed,
                min(first_s) filter (where has_demand) as first_s, max(last_s) filter (where has_demand) as last_s,
                min(sample_name) filter (where has_demand) as sample_name,
                coalesce(sum(jobs - with_activity) filter (where has_demand), 0) as without_activity,
                sum(activity_sum) filter (where has_demand) as activity_sum,
                sum(gpu_time) filter (where has_demand) as gpu_time,
                coalesce(sum(measured_time) filter (where has_demand), 0) as measured_time
            from {_TALLY} group by workload
        )
        select workload, label, first_s, last_s, activity_sum, gpu_time::bigint, measured_time::bigint,
            without_activity::bigint, key, name, cluster, owner, queue, sample_name, jobs::bigint, gpu_jobs::bigint,
            max_nodes, max_milli_gpus, failed::bigint, timed_out::bigint, is_completed
        from one_name join figures using (workload) join most_used using (workload) order by key"""
    )
    numbers = tuple(row[0] for row in found)
    restarted = restarted_time(engine)
    longest_s, median_s, median_milli_gpus = middles(busy, np.array(numbers, dtype=np.int64))
    workloads = []
    for place, row in enumerate(found):
        _, label, first, last, activity_sum, gpu_time, measured, without, *as_found = row
        facts = dict(zip(_AS_FOUND, as_found, strict=True))
        facts["restarted_milli_gpu_seconds"] = restarted.get(numbers[place], 0)
        facts["label"] = Pool(label) if label else None
        facts["median_milli_gpus"] = int(median_milli_gpus[place])
        facts["longest_job_s"] = int(longest_s[place])
        facts["median_job_s"] = int(median_s[place])
        facts["first_start_s"], facts["last_end_s"] = window.start_s + first, window.start_s + last
        facts["activity"] = None if without else int(activity_sum) / (gpu_time * 100_000)
        facts["measured_share"] = measured / gpu_time
        facts["measured_activity"] = int(activity_sum) / (measured * 100_000) if measured else None
        workloads.append(facts)
    return workloads, numbers


RESTARTED_WITHIN_S: Final = DAY_S
"""After its time limit a run is taken as started again if the next one begins within so long."""


def restarted_time(engine: Engine) -> dict[int, int]:
    """Milli-GPU-seconds of jobs of CLIPPED that ended in TIMEOUT and started again, by number of the workload.

    A job started again if its id runs once more, or if its workload ran nothing else as it ended and its next job has
    as many GPUs and begins within RESTARTED_WITHIN_S. Source: docs/formulas/leaks.md.
    """
    (has_any,) = engine.one(
        f"select coalesce(bool_or(state = '{intake.TIMEOUT}'), false) from {_TALLY} where has_demand"
    )
    if not has_any:
        return {}
    times = engine.all(
        f"""with late as (
            select distinct workload from {_TALLY} where has_demand and state = '{intake.TIMEOUT}'
        ), runs as (
            select u.workload, u.state, u.stop_s, u.milli_gpus, u.milli_gpus * (u.to_s - u.from_s) as gpu_time,
                lead(u.start_s) over each as next_s, lead(u.milli_gpus) over each as next_milli_gpus,
                max(u.stop_s) over (
                    partition by u.workload order by u.start_s, u.stop_s, u.file, u.line
                    rows between unbounded preceding and 1 preceding
                ) as busy_until_s,
                case when coalesce(u.job_id, '') <> '' then lead(u.start_s) over same_job end as again_s
            from {_UNNUMBERED} u join late using (workload) where u.has_demand
            window each as (partition by u.workload order by u.start_s, u.stop_s, u.file, u.line),
                same_job as (partition by u.workload, u.job_id order by u.start_s, u.stop_s)
        )
        select workload, sum(gpu_time)::bigint from runs
        where state = '{intake.TIMEOUT}' and (again_s >= stop_s or (
            next_s between stop_s and stop_s + {RESTARTED_WITHIN_S} and next_milli_gpus = milli_gpus
            and coalesce(busy_until_s, stop_s) <= stop_s
        )) group by workload"""
    )
    return {number: int(gpu_time) for number, gpu_time in times}


def largest_jobs(engine: Engine, window: Window, keys: Mapping[int, str]) -> tuple[intake.LargestJob, ...]:
    """The largest job of each workload and GPU model, most GPU time first. keys: by the number of the workload.

    Equal ones: the first job_id, then the earlier. Only rows of that size are looked up: the tally knows how large.
    """
    found = engine.all(
        f"""with most as (
            select workload, model_name, max(most_time) as most_time from {_TALLY} where has_demand group by all
        ), alike as (
            select u.workload, u.model_name, coalesce(u.job_id, '') as job_id, u.milli_gpus, u.from_s, u.to_s
            from {_UNNUMBERED} u join most m on u.workload = m.workload
                and u.model_name is not distinct from m.model_name
                and u.milli_gpus * (u.to_s - u.from_s) = m.most_time
            where u.has_demand
        )
        select workload, model_name, unnest(arg_min(row(job_id, milli_gpus, from_s, to_s), row(job_id, from_s)))
        from alike group by workload, model_name"""
    )
    jobs = [
        intake.LargestJob(
            key=keys[number],
            gpu_model=model,
            job_id=name,
            milli_gpus=gpus,
            start_s=window.start_s + from_s,
            end_s=window.start_s + to_s,
        )
        for number, model, name, gpus, from_s, to_s in found
    ]
    return tuple(sorted(jobs, key=lambda job: (-job.milli_gpu_seconds, job.job_id, job.key)))


RESTARTS_AT_MOST: Final = 10_000
"""Restart delays that are kept; of more, as many evenly by rank."""


def restart_delays(engine: Engine) -> tuple[int, ...]:
    """Seconds between two runs of one job in CLIPPED, where the first held GPUs and did not complete; ascending."""
    named = f"from {_UNNUMBERED} where has_demand and job_id <> ''"
    runs, jobs = engine.one(f"select count(*), count(distinct hash(workload, job_id)) {named}")
    if runs == jobs:  # as in most logs: to look for those that ran again takes far longer
        return ()
    found = engine.all(
        f"""with again as (
            select workload, job_id {named}
            group by workload, job_id having count(*) > 1
        ), runs as (
            select u.state, lead(u.from_s) over job - u.to_s as delay_s, u.is_running
            from {_UNNUMBERED} u join again using (workload, job_id) where u.has_demand
            window job as (partition by workload, job_id order by u.from_s, u.to_s)
        )
        select delay_s::bigint from runs
        where delay_s >= 0 and coalesce(state, '') <> 'COMPLETED' and not is_running order by 1"""
    )
    every = len(found) // RESTARTS_AT_MOST + 1
    return tuple(int(delay_s) for (delay_s,) in found[every - 1 :: every])


RUN_S: Final = 600
RUNS_AT_MOST: Final = 10_000
RUNS_OF_ONE: Final = 2_000
"""Runs that are kept, and of one workload: a project is read at every opening."""


def logged_runs(engine: Engine, keys: Mapping[int, str]) -> tuple[intake.LoggedRun, ...]:
    """Ended jobs of CLIPPED from RUN_S on, and those out of memory, by start: all of a workload or none, those with
    most GPU time first. keys: by the number of the workload.
    """
    found = engine.all(
        f"""with runs as (
            select * from {_UNNUMBERED} where has_demand and not is_running
            and (stop_s - start_s >= {RUN_S} or state = '{intake.OUT_OF_MEMORY}')
        ), each as (
            select workload, count(*) as runs, sum(milli_gpus * (to_s - from_s)) as spent from runs group by workload
        ), kept as (
            select workload, sum(runs) over (order by spent desc, workload) as so_far from each
            where runs <= {RUNS_OF_ONE}
        )
        select workload, model_name, coalesce(job_id, ''), milli_gpus, start_s, stop_s, coalesce(state, '')
        from runs join kept using (workload) where so_far <= {RUNS_AT_MOST} order by start_s, workload, job_id"""
    )
    return tuple(
        intake.LoggedRun(
            key=keys[number],
            gpu_model=gpu_model,
            job_id=job_id,
            milli_gpus=milli_gpus,
            start_s=start_s,
            end_s=end_s,
            state=state,
        )
        for number, gpu_model, job_id, milli_gpus, start_s, end_s, state in found
    )


def gaps_of_log(engine: Engine, window: Window, cube: Cube) -> tuple[intake.LogGap, ...]:
    """Stretches of a day or more in which no job of any kind ran on any cluster; jobs without GPUs are only looked at
    where no GPU was in use for as long."""
    is_busy = np.zeros(window.hours, dtype=np.bool_)
    is_busy[cube.hour] = True
    if not intake.quiet_gaps(np.concatenate(([True], is_busy, [True])), window):
        return ()
    others = engine.all(
        f"""select distinct from_s // {HOUR_S}, greatest(to_s - 1, from_s) // {HOUR_S} from {_UNNUMBERED}
        where not has_demand"""
    )
    for first, last in others:
        is_busy[first : last + 1] = True
    return intake.quiet_gaps(is_busy, window)


# --- Reduction: job rows to the demand cube. Each job is two edges, whatever its length; all sums are whole numbers

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
    times = grouped((workload, (model, int(spent))) for workload, model, spent in found)
    return {workload: tuple(models) for workload, models in times.items()}


_ADDING_UP: Final = worded("Adding up demand")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Reduction:
    """What the jobs are in one window. gpu_models of the cube are spelled as in the log, sorted.

    by_file: jobs of each file in the window, by its number; a file without any is not there.
    """

    window: Window
    cube: Cube
    workloads: tuple[Workload, ...]
    jobs: intake.JobFacts
    by_file: dict[int, FileJobs]


class LeftOut(NamedTuple):
    """Jobs of a file of which a part is left out: how many, the line of the first, and GPU-hours of that part."""

    jobs: int
    first_line: int
    gpu_hours: float


def run_on(engine: Engine, end_s: int) -> dict[int, LeftOut]:
    """Of jobs that still ran and are known to have run beyond an instant (epoch seconds), by file, with their
    GPU-hours since."""
    return _left_out(engine, f"is_running and end_s > {end_s}", f"end_s - greatest(start_s, {end_s})")


def ran_before(engine: Engine, start_s: int) -> dict[int, LeftOut]:
    """The same of jobs that began before an instant, with their GPU-hours until then."""
    return _left_out(engine, f"start_s < {start_s}", f"least(end_s, {start_s}) - start_s")


def _left_out(engine: Engine, where: str, seconds: str) -> dict[int, LeftOut]:
    found = engine.all(
        f"""select file, count(*), min(line), sum(milli_gpus * ({seconds}))::double
        from {JOB_ROWS} where milli_gpus > 0 and {where} group by file"""
    )
    hours = MILLI_GPU_SECONDS_PER_GPU_HOUR
    return {file: LeftOut(jobs, first, gpu_time / hours) for file, jobs, first, gpu_time in found}


class ListedSince(NamedTuple):
    """A file that lists what ended from a day on, and that day in UTC seconds."""

    file: int
    day_s: int


def listed_since(engine: Engine) -> ListedSince | None:
    """Return the log that seems to list what ended from a day on, as sacct -S does; else None.

    Of the time before it has the jobs that were still there alone: over a day or more none ended, where ten would have
    at the rate of later, and a quarter as many began.
    """
    file, begun_s, ended_s, last_s, ends, before, after = (
        engine.one(
            f"""select arg_min(file, start_s), min(start_s), first_s, max(end_s), count(end_s),
            count(*) filter (where start_s < first_s), count(*) filter (where start_s >= first_s)
        from {JOB_ROWS}, (select min(end_s) as first_s from {JOB_ROWS} where not is_running) group by first_s"""
        )
        or (None,) * 7
    )
    if ended_s is None or last_s is None or ended_s - begun_s < DAY_S:
        return None
    lead_s, rest_s = ended_s - begun_s, last_s - ended_s
    is_list = ends * lead_s > _ENDS_LACKING * rest_s and 4 * before * rest_s < after * lead_s
    is_list &= ends > _ENDS_LACKING  # of two jobs there is no rate
    return ListedSince(file=file, day_s=ended_s // DAY_S * DAY_S) if is_list else None


_ENDS_LACKING: Final = 10
"""So many jobs at least should have ended in the time of which a log lists none that did."""


SPAN_SQL: Final = (
    "select min(start_s), max(start_s), max(end_s), max(end_s) filter (where not is_running) from {jobs}"
)
"""SQL of the values of a LogSpan. jobs: accepted ones."""


def log_span(engine: Engine, jobs: str = ROWS_AS_READ) -> LogSpan:
    """What the jobs say about time. jobs: a table of the accepted ones, of several the one that is read fastest."""
    return LogSpan(*engine.one(SPAN_SQL.format(jobs=jobs)))


def reduce_jobs(engine: Engine, window: Window, *, finds_idle_gaps: bool = True) -> Reduction:
    """The cube, the workloads with demand (sorted by key) and the sums of JOB_ROWS in a window.

    finds_idle_gaps: they take as long as all else, and only an audit asks for them.
    Errors: PlannerError bad_number where the sums are more than 64 bits hold.
    """
    gpu_models, busy = clip_to_window(engine, window)
    engine.progress(_ADDING_UP, 0.3)
    logged, numbers = workload_facts(engine, window, busy)
    engine.progress(_ADDING_UP, 0.6)
    cube = cube_of_jobs(busy, window.hours, gpu_models, numbers)
    if cube is None:
        cube = cube_of_steps(window.hours, gpu_models, numbers, steps_of(busy) or read_hourly_steps(engine))
    engine.progress(_ADDING_UP, 0.75)
    jobs, by_file, peaks = job_facts(engine, window, numbers, busy)
    totals = totals_of(cube, len(logged))
    models = model_time(engine, window)
    clusters = [facts["cluster"] for facts in logged]
    of_clusters = (busy, window.hours * HOUR_S, numbers, clusters, gpu_models)
    idle_gaps = find_idle_gaps(*of_clusters) if finds_idle_gaps else None
    workloads = tuple(
        Workload(
            **facts,
            milli_gpu_seconds=int(total),
            peak_milli_gpus=int(peak),
            model_time=models.get(number, ()),
        )
        for facts, number, total, peak in zip(logged, numbers, totals, peaks, strict=True)
    )
    keys = {n: w.key for n, w in zip(numbers, workloads, strict=True)}
    jobs = replace(
        jobs,
        milli_gpu_seconds=cube.total,
        idle_gaps=idle_gaps,
        largest=largest_jobs(engine, window, keys),
        runs=logged_runs(engine, keys) if finds_idle_gaps else (),
        queues=_queues(engine),
        gaps=gaps_of_log(engine, window, cube),
        restart_delays_s=restart_delays(engine),
        billed=billed_use(engine, window),
    )
    return Reduction(window=window, cube=cube, workloads=workloads, jobs=jobs, by_file=by_file)


def _queues(engine: Engine) -> tuple[tuple[str, str, int], ...]:
    """The queues of CLIPPED by cluster, each with its thousandths of a GPU-second."""
    rows = engine.all(
        f"""select cluster, queue, sum(gpu_time)::bigint from {_TALLY} join (
            select workload, min(cluster) as cluster from {WORKLOAD_NAMES} group by workload) using (workload)
        where has_demand and queue <> '' group by all order by all"""
    )
    return tuple((str(cluster), str(queue), int(time)) for cluster, queue, time in rows)


def totals_of(cube: Cube, workloads: int) -> Ints:
    """Thousandths of a GPU-second of each workload over all hours, shape (workloads,), int64."""
    totals = np.zeros(workloads, dtype=np.int64)
    np.add.at(totals, cube.workload_index, cube.row_totals)
    return totals


def read_hourly_steps(engine: Engine, jobs: str = CLIPPED) -> dict[str, Any]:
    """Return the hourly steps of jobs, summed by the engine."""
    return engine.columns(
        f"""select workload::int as workload, gpu_model::int as gpu_model, at_s, rate, amount
        from ({hourly_steps(jobs)})"""
    )


def cube_of_steps(
    hours: int, gpu_models: tuple[str, ...], numbers: Sequence[int] | Ints, steps: Mapping[str, Any]
) -> Cube:
    """The columns of `expression.hourly_steps`, added up or not and in any order, to the demand of each hour.

    numbers: the number of each workload in the steps, ascending, in the order of the cube's workloads.
    Errors: PlannerError bad_number where the sums are more than 64 bits hold.
    """
    if not len(steps["at_s"]):
        return empty_cube(hours)
    step_hour = np.asarray(steps["at_s"], dtype=np.int64) // HOUR_S
    row = np.asarray(steps["workload"], dtype=np.int64) * (len(gpu_models) + 1) + steps["gpu_model"] + 1
    instant = row * (hours + 1) + step_hour
    order = np.argsort(instant)
    instant, places = np.unique(instant[order], return_index=True)
    row, step_hour = np.divmod(instant, hours + 1)
    ordered = (np.asarray(steps[name], dtype=np.int64)[order] for name in ("rate", "amount"))
    rate, rest = (np.add.reduceat(changes, places) for changes in ordered)
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
    amount = np.where(within == 0, (full + rest)[step], full[step])
    keep = amount != 0  # the step at which a level falls to nothing
    step, within, amount = step[keep], within[keep], amount[keep]
    cube_row, rows = np.unique(row[step], return_index=True)
    cube = Cube(
        hours=hours,
        gpu_models=gpu_models,
        workload_index=np.searchsorted(np.asarray(numbers), cube_row // (len(gpu_models) + 1)).astype(
            np.int64
        ),
        model_index=(cube_row % (len(gpu_models) + 1) - 1).astype(np.int64),
        offsets=np.append(rows, len(step)).astype(np.int64),
        hour=(step_hour[step] + within).astype(np.int64),
        milli_gpu_seconds=amount.astype(np.int64),
    )
    if cube.milli_gpu_seconds.sum(dtype=np.float64) > MILLI_GPU_SECONDS_AT_MOST:
        raise uncountable()
    return cube
