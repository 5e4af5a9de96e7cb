"""The GPU jobs of a project's log as they stood in the queue, from the rows that its import kept."""

from collections.abc import Callable
from pathlib import Path

import numpy as np

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.spelling import name_of_jobs
from gpuplanner.domain.queue.logged import JobKind, QueueLog
from gpuplanner.files.importing.windowed_jobs import kept_rows
from gpuplanner.files.job_logs.reduce.job_rows import JOB_ROWS, open_rows, rename_rows
from gpuplanner.files.system.engine import Progress, open_engine
from gpuplanner.files.system.resources import gpu_families

_KIND = ("workload_key", "cluster", "owner", "gpu_model")
_KINDS = ", ".join(f"coalesce({column}::varchar, '') as {column}" for column in _KIND)


def read_queue(
    rows_dir: Path,
    project: Project,
    on_progress: Progress | None = None,
    is_cancelled: Callable[[], bool] | None = None,
) -> QueueLog:
    """All GPU jobs of the log, also those outside the window. Errors: PlannerError file_missing where rows are gone.

    A later run of the same job is eligible no earlier than the end of the run before; nothing is after its start.
    """
    path = kept_rows(rows_dir, project.jobs)
    with open_engine(
        size_bytes=path.stat().st_size, on_progress=on_progress, is_cancelled=is_cancelled
    ) as engine:
        engine.progress(worded("Reading the queue"), 0.0)
        open_rows(engine, path)
        rename_rows(engine, project.same)
        end = f"coalesce(end_s, greatest({project.window.end_s}, start_s))"
        engine.run(
            f"""create or replace table queue_jobs as
            select {_KINDS}, milli_gpus, coalesce(nodes, 0) as nodes, start_s, {end} as stop_s, time_limit_s,
                coalesce(submit_s, eligible_s) is not null as is_known, coalesce(job_id, '') as id, file, line,
                least(start_s, greatest(coalesce(eligible_s, submit_s, start_s),
                    coalesce(case when job_id is not null then
                        lag({end}) over (partition by cluster, job_id order by start_s, file, line) end, 0))) as at_s
            from {JOB_ROWS} where milli_gpus > 0"""
        )
        columns = ", ".join(_KIND)
        engine.run(
            f"""create or replace table queue_kinds as
            select row_number() over (order by {columns}) - 1 as kind, * from (
                select distinct {columns} from queue_jobs)"""
        )
        rows = engine.columns(
            f"""select kind, milli_gpus::bigint as milli_gpus, nodes::bigint as nodes, at_s::bigint as at_s,
                start_s::bigint as start_s, stop_s::bigint as stop_s, is_known, id,
                greatest(coalesce(time_limit_s, 0), stop_s - start_s)::bigint as planned_s,
                time_limit_s is not null as has_limit
            from queue_jobs join queue_kinds using ({columns}) where stop_s > start_s order by id, file, line"""
        )
        kinds = engine.all(f"select {columns} from queue_kinds order by kind")
    name_of, place_of = (
        name_of_jobs(project, gpu_families()),
        {w.key: n for n, w in enumerate(project.workloads)},
    )

    def kind_of(key: str, cluster: str, owner: str, model: str) -> JobKind:
        return JobKind(place_of.get(key), cluster, owner, name_of(cluster, model) if model else None)

    def whole(name: str) -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
        return np.asarray(rows[name], dtype=np.int64)

    count = max(1, len(rows["kind"]))
    return QueueLog(
        tuple(kind_of(*map(str, one)) for one in kinds),
        whole("kind"),
        whole("milli_gpus"),
        whole("nodes"),
        whole("at_s"),
        whole("start_s"),
        whole("stop_s"),
        whole("planned_s"),
        [str(one) for one in rows["id"]],
        float(np.count_nonzero(rows["is_known"])) / count,
        float(np.count_nonzero(rows["has_limit"])) / count,
    )
