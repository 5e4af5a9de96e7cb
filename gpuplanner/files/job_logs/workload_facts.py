"""Facts: what the jobs of a window add up to, in all and for each workload."""

from dataclasses import dataclass
from typing import Final

from gpuplanner.domain.model.intake import JobFacts
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.window import Window
from gpuplanner.domain.model.workload import Workload
from gpuplanner.files.engine import Engine
from gpuplanner.files.job_logs.expression import clipped_jobs
from gpuplanner.files.job_logs.job_rows import JOB_ROWS, WORKLOAD_NAMES
from gpuplanner.files.job_logs.states import FAILED_STATES

CLIPPED: Final = "clipped_jobs"
"""The engine's view of jobs that overlap the window: from_s and to_s count from its start; has_demand: GPU time."""

_UNNUMBERED: Final = "clipped_jobs_by_name"


@dataclass(frozen=True, slots=True)
class WorkloadFacts:
    """Workloads with demand, sorted by key, and the engine's number of each. milli_gpu_seconds is left to the cube."""

    workloads: tuple[Workload, ...]
    numbers: tuple[int, ...]


def clip_to_window(engine: Engine, window: Window) -> tuple[str, ...]:
    """CLIPPED from JOB_ROWS; returns the GPU models of jobs with demand, sorted, which its numbers point into.

    A job that runs on ends with the window; one of no length counts by its instant. An unknown model is -1.
    """
    import ibis

    backend = ibis.duckdb.from_connection(engine.connection)
    rows = backend.table(JOB_ROWS)
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
    engine.run(
        f"create or replace view {_UNNUMBERED} as {ibis.to_sql(clipped_jobs(jobs, window), dialect='duckdb')}"
    )
    named = engine.all(
        f"select distinct model_name from {_UNNUMBERED} where has_demand and model_name is not null"
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


def job_facts(engine: Engine, window: Window) -> tuple[JobFacts, dict[int, tuple[int, int]]]:
    """The sums over CLIPPED, without GPU time, and the jobs cut at an edge by file (count, first line)."""
    is_cut = f"has_demand and (start_s < {window.start_s} or (stop_s > {window.end_s} and not is_running))"
    count, gpu_jobs, first, last, first_any, last_any, clipped = engine.one(
        f"""select count(*), count(*) filter (where has_demand),
            min(from_s) filter (where has_demand), max(to_s) filter (where has_demand),
            min(from_s), max(to_s), count(*) filter (where {is_cut})
        from {CLIPPED}"""
    )
    (peak,) = engine.one(f"select max(level) from ({_levels('')})")
    if not gpu_jobs:
        first, last = first_any, last_any
    by_file = engine.all(f"select file, count(*), min(line) from {CLIPPED} where {is_cut} group by file")
    facts = JobFacts(
        count=count,
        gpu_jobs=gpu_jobs,
        peak_milli_gpus=int(peak or 0),
        first_start_s=None if first is None else window.start_s + first,
        last_end_s=None if last is None else window.start_s + last,
        clipped=clipped,
    )
    return facts, {file: (number, line) for file, number, line in by_file}


def _levels(group: str) -> str:
    """SQL: thousandths of GPUs in use from each instant on at which that changes; exact, not hourly."""
    columns = f"{group}, " if group else ""
    partition = f"partition by {group} " if group else ""
    return f"""select {columns}sum(change) over ({partition}order by at_s rows unbounded preceding) as level from (
        select {columns}at_s, sum(change) as change from (
            select {columns}from_s as at_s, milli_gpus as change from {CLIPPED} where has_demand
            union all select {columns}to_s, -milli_gpus from {CLIPPED} where has_demand
        ) group by {columns}at_s)"""


def workload_facts(engine: Engine, window: Window) -> WorkloadFacts:
    """Every workload with GPU time in the window."""
    failed = ", ".join(f"'{state}'" for state in FAILED_STATES)
    found = engine.all(
        f"""with one_name as (
            select workload, min(workload_key) as key, min(workload_name) as name, min(cluster) as cluster,
                min(owner) as owner, max(label) as label
            from {WORKLOAD_NAMES} group by workload
        ), queues as (
            select workload, queue, row_number() over (partition by workload
                order by sum(milli_gpus * (to_s - from_s)) desc, queue) as place
            from {CLIPPED} where has_demand group by workload, queue
        ), figures as (
            select workload, count(*) as jobs, count(*) filter (where has_demand) as gpu_jobs,
                max(nodes) filter (where has_demand) as max_nodes,
                max(milli_gpus) filter (where has_demand) as max_milli_gpus,
                max(stop_s - start_s) filter (where has_demand) as longest_job_s,
                quantile_disc(stop_s - start_s, 0.5) filter (where has_demand) as median_job_s,
                coalesce(sum(milli_gpus * (to_s - from_s)) filter (where has_demand and state in ({failed})), 0)
                    as failed,
                min(from_s) filter (where has_demand) as first_s, max(to_s) filter (where has_demand) as last_s,
                min(name) filter (where has_demand) as sample_name,
                count(*) filter (where has_demand and activity_milli_percent is null) as without_activity,
                sum(milli_gpus * (to_s - from_s) * cast(activity_milli_percent as hugeint)) filter (where has_demand)
                    as activity_sum,
                sum(milli_gpus * (to_s - from_s)) filter (where has_demand) as gpu_time
            from {CLIPPED} group by workload
        ), peaks as (select workload, max(level) as peak from ({_levels("workload")}) group by workload)
        select workload, key, name, cluster, owner, label, jobs, gpu_jobs, max_nodes, max_milli_gpus, longest_job_s,
            median_job_s, failed, first_s, last_s, sample_name, without_activity, activity_sum, gpu_time, queue, peak
        from one_name join figures using (workload) join peaks using (workload)
        join queues using (workload) where queues.place = 1 order by key"""
    )
    workloads = []
    for row in found:
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
            longest,
            median,
            lost,
            *rest,
        ) = row
        first, last, sample, without, activity_sum, gpu_time, queue, peak = rest
        workloads.append(
            Workload(
                key=key,
                name=name,
                cluster=cluster,
                owner=owner,
                label=Pool(label) if label else None,
                jobs=jobs,
                gpu_jobs=gpu_jobs,
                peak_milli_gpus=int(peak),
                max_nodes=nodes,
                max_milli_gpus=most,
                longest_job_s=longest,
                median_job_s=int(median),
                failed_milli_gpu_seconds=int(lost),
                first_start_s=window.start_s + first,
                last_end_s=window.start_s + last,
                queue=queue,
                sample_name=sample,
                activity=None if without else int(activity_sum) / (int(gpu_time) * 100_000),
            )
        )
    return WorkloadFacts(tuple(workloads), tuple(row[0] for row in found))
