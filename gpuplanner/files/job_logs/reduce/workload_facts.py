"""Facts: what the jobs of a window add up to, in all and for each workload."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from gpuplanner.domain.arrays import Ints
from gpuplanner.domain.model.log.intake import JobFacts
from gpuplanner.domain.model.log.workload import Workload
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.window import HOUR_S, Window
from gpuplanner.files.job_logs.judging.compiled import compiled
from gpuplanner.files.job_logs.judging.expression import clipped_jobs
from gpuplanner.files.job_logs.reduce.busy_jobs import BusyJobs, read_busy_jobs
from gpuplanner.files.job_logs.reduce.job_rows import JOB_ROWS, WORKLOAD_NAMES
from gpuplanner.files.job_logs.reduce.peaks import middles, peaks
from gpuplanner.files.system.engine import Engine
from gpuplanner.files.values.states import FAILED_STATES

if TYPE_CHECKING:
    import ibis

CLIPPED: Final = "clipped_jobs"
"""The engine's view of jobs that overlap the window: from_s and to_s count from its start; has_demand: GPU time."""

_UNNUMBERED: Final = "clipped_jobs_by_name"
_TALLY: Final = "clipped_jobs_tally"
"""The engine's table of what CLIPPED adds up to by all that tells jobs apart: read once, asked several times."""


@dataclass(frozen=True, slots=True)
class WorkloadFacts:
    """Workloads with demand, sorted by key, and the engine's number of each, ascending as well.

    milli_gpu_seconds is left to the cube, peak_milli_gpus to `job_facts`.
    """

    workloads: tuple[Workload, ...]
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FileJobs:
    """Jobs of one file in a window: all, GPU jobs that an edge cuts, and the first line of one of these."""

    jobs: int
    clipped: int
    first_clipped: int | None


def clip_to_window(engine: Engine, window: Window) -> tuple[str, ...]:
    """CLIPPED from JOB_ROWS; returns the GPU models of jobs with demand, sorted, which its numbers point into.

    A job that runs on ends with the window; one of no length counts by its instant. An unknown model is -1.
    """
    engine.run(
        f"create or replace view {_UNNUMBERED} as {compiled(engine, JOB_ROWS, _clipped_by_name, window)}"
    )
    is_cut = f"start_s < {window.start_s} or (stop_s > {window.end_s} and not is_running)"
    engine.run(
        f"""create or replace table {_TALLY} as
        select file, workload, queue, state, model_name, has_demand, count(*) as jobs, max(nodes) as max_nodes,
            max(milli_gpus) as max_milli_gpus, min(from_s) as first_s, max(to_s) as last_s,
            max(stop_s - start_s) as longest_s, min(name) as sample_name,
            count(activity_milli_percent) as with_activity,
            sum(milli_gpus * (to_s - from_s) * cast(activity_milli_percent as hugeint)) as activity_sum,
            sum(milli_gpus * (to_s - from_s)) as gpu_time,
            sum(milli_gpus * (to_s - from_s)) filter (where activity_milli_percent is not null) as measured_time,
            count(*) filter (where {is_cut}) as cut, min(line) filter (where {is_cut}) as first_cut
        from {_UNNUMBERED} group by all"""
    )
    named = engine.all(
        f"select distinct model_name from {_TALLY} where has_demand and model_name is not null"
    )
    names = sorted(name for (name,) in named)
    engine.keep(
        "model_numbers",
        {"model_name": names, "gpu_model": list(range(len(names)))},
        {"model_name": "varchar", "gpu_model": "int"},
    )
    engine.run(
        f"""create or replace view {CLIPPED} as
        select u.* exclude (model_name), coalesce(n.gpu_model, -1) as gpu_model
        from {_UNNUMBERED} u left join model_numbers n using (model_name)"""
    )
    return tuple(names)


def _clipped_by_name(rows: "ibis.Table", window: Window) -> "ibis.Table":
    """The jobs cut to the window, with the names that facts are counted by."""
    jobs = rows.select(
        "file",
        "line",
        "workload",
        "milli_gpus",
        "nodes",
        "start_s",
        "end_s",
        "is_running",
        "state",
        "activity_milli_percent",
        "name",
        model_name=rows.gpu_model,
        queue=rows.queue.fill_null(""),
    )
    return clipped_jobs(jobs, window)


def busy_jobs(engine: Engine, window: Window) -> BusyJobs:
    """Those of CLIPPED."""
    (count, most_milli_gpus, longest_s) = engine.one(
        f"""select coalesce(sum(jobs), 0)::bigint, coalesce(max(max_milli_gpus), 0), coalesce(max(longest_s), 0)
        from {_TALLY} where has_demand"""
    )
    return read_busy_jobs(
        engine, CLIPPED, window, at_most=count, most_milli_gpus=most_milli_gpus, longest_s=longest_s
    )


def job_facts(
    engine: Engine, window: Window, workloads: Sequence[int], busy: BusyJobs
) -> tuple[JobFacts, dict[int, FileJobs], Ints]:
    """The sums over CLIPPED, without GPU time; the same by file; peaks.

    workloads: numbers of those with GPU time, ascending; their peaks are in that order, in thousandths of a GPU.
    """
    by_file = engine.all(
        f"""select file, sum(jobs)::bigint, coalesce(sum(jobs) filter (where has_demand), 0)::bigint,
            min(first_s) filter (where has_demand), max(last_s) filter (where has_demand), min(first_s), max(last_s),
            coalesce(sum(cut) filter (where has_demand), 0)::bigint, min(first_cut) filter (where has_demand)
        from {_TALLY} group by file"""
    )
    gpu_jobs = sum(row[2] for row in by_file)
    first, last = (3, 4) if gpu_jobs else (5, 6)
    firsts = [row[first] for row in by_file if row[first] is not None]
    lasts = [row[last] for row in by_file if row[last] is not None]
    peak, peak_of = peaks(busy, _UNNUMBERED, window.hours * HOUR_S, np.array(workloads, dtype=np.int64))
    facts = JobFacts(
        count=sum(row[1] for row in by_file),
        gpu_jobs=gpu_jobs,
        peak_milli_gpus=peak,
        first_start_s=window.start_s + min(firsts) if firsts else None,
        last_end_s=window.start_s + max(lasts) if lasts else None,
        clipped=sum(row[7] for row in by_file),
    )
    return facts, {row[0]: FileJobs(row[1], row[7], row[8]) for row in by_file}, peak_of


def workload_facts(engine: Engine, window: Window, busy: BusyJobs) -> WorkloadFacts:
    """Every workload with GPU time in the window, without its peak."""
    failed = ", ".join(f"'{state}'" for state in FAILED_STATES)
    found = engine.all(
        f"""with one_name as (
            select workload, min(workload_key) as key, min(workload_name) as name, min(cluster) as cluster,
                min(owner) as owner, max(label) as label
            from {WORKLOAD_NAMES} group by workload
        ), by_queue as (
            select workload, queue, sum(gpu_time) as gpu_time
            from {_TALLY} where has_demand group by workload, queue
        ), most_used as (
            select workload, queue, row_number() over (partition by workload order by gpu_time desc, queue) as place
            from by_queue
        ), figures as (
            select workload, sum(jobs) as jobs, sum(jobs) filter (where has_demand) as gpu_jobs,
                max(max_nodes) filter (where has_demand) as max_nodes,
                max(max_milli_gpus) filter (where has_demand) as max_milli_gpus,
                coalesce(sum(gpu_time) filter (where has_demand and state in ({failed})), 0) as failed,
                min(first_s) filter (where has_demand) as first_s, max(last_s) filter (where has_demand) as last_s,
                min(sample_name) filter (where has_demand) as sample_name,
                coalesce(sum(jobs - with_activity) filter (where has_demand), 0) as without_activity,
                sum(activity_sum) filter (where has_demand) as activity_sum,
                sum(gpu_time) filter (where has_demand) as gpu_time,
                coalesce(sum(measured_time) filter (where has_demand), 0) as measured_time
            from {_TALLY} group by workload
        )
        select workload, key, name, cluster, owner, label, jobs::bigint, gpu_jobs::bigint, max_nodes, max_milli_gpus,
            failed, first_s, last_s, sample_name, without_activity, activity_sum, gpu_time,
            measured_time, queue
        from one_name join figures using (workload) join most_used using (workload) where place = 1 order by key"""
    )
    numbers = np.array([row[0] for row in found], dtype=np.int64)
    took = middles(busy, numbers)
    workloads = []
    for place, row in enumerate(found):
        (
            _,
            key,
            name,
            cluster,
            owner,
            label,
            jobs,
            gpu_jobs,
            nodes,
            most,
            lost,
            *rest,
        ) = row
        first, last, sample, without, activity_sum, gpu_time, measured, queue = rest
        workloads.append(
            Workload(
                key=key,
                name=name,
                cluster=cluster,
                owner=owner,
                label=Pool(label) if label else None,
                jobs=jobs,
                gpu_jobs=gpu_jobs,
                max_nodes=nodes,
                max_milli_gpus=most,
                median_milli_gpus=int(took.median_milli_gpus[place]),
                longest_job_s=int(took.longest_s[place]),
                median_job_s=int(took.median_s[place]),
                failed_milli_gpu_seconds=int(lost),
                first_start_s=window.start_s + first,
                last_end_s=window.start_s + last,
                queue=queue,
                sample_name=sample,
                activity=None if without else int(activity_sum) / (int(gpu_time) * 100_000),
                measured_share=int(measured) / int(gpu_time),
                measured_activity=int(activity_sum) / (int(measured) * 100_000) if measured else None,
            )
        )
    return WorkloadFacts(tuple(workloads), tuple(row[0] for row in found))
