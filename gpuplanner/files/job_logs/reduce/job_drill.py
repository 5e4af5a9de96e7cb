"""Drill-down: the jobs of one workload, or of several together, from the rows kept when its log was imported."""

import glob
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from gpuplanner.domain.arrays import Bools
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.gpu_family import Same
from gpuplanner.domain.model.window import HOUR_S, Window
from gpuplanner.files.values.numbers import phrases

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


ORDERS: Final = {
    "latest": "start_s desc",
    "gpu_hours": "milli_gpu_seconds desc, start_s",
    "start": "start_s, milli_gpu_seconds desc",
    "end": "stop_s, start_s",
    "duration": "stop_s - start_s desc, start_s",
    "gpus": "milli_gpus desc, start_s",
    "job_id": "length(job_id), job_id",
}
"""What jobs may be ordered by; whatever is largest comes first, starts from the earliest on, or the latest first."""

_FIELDS: Final = phrases(
    'job_id|name|"user"|queue|gpu_model|milli_gpus|nodes|start_s|end_s|is_running|state'
    "|activity_milli_percent|milli_gpu_seconds|workload_key"
)


@dataclass(frozen=True, slots=True)
class JobRow:
    """One job. Units: milli_gpus thousandths of a GPU; epoch seconds UTC, as in the log; end_s None: runs on.

    milli_gpu_seconds: inside the window, as the demand cube counts it.
    """

    job_id: str | None
    name: str
    user: str | None
    queue: str | None
    gpu_model: str | None
    milli_gpus: int
    nodes: int | None
    start_s: int
    end_s: int | None
    is_running: bool
    state: str | None
    activity_milli_percent: int | None
    milli_gpu_seconds: int
    workload_key: str = ""


@dataclass(frozen=True, slots=True)
class JobsPage:
    """Some of a workload's jobs, in order, and what all of them add up to in the window."""

    rows: tuple[JobRow, ...]
    total: int
    milli_gpu_seconds: int

    @property
    def gpu_hours(self) -> float:
        """Of all jobs of the workload: what its card shows, before it is put per month."""
        return self.milli_gpu_seconds / MILLI_GPU_SECONDS_PER_GPU_HOUR


def jobs_of_workloads(
    path: Path,
    keys: Sequence[str],
    *,
    window: Window,
    order: str = "gpu_hours",
    limit: int = 200,
    offset: int = 0,
    hours: Bools | None = None,
    same: Sequence[Same] = (),
) -> JobsPage:
    """The jobs of these workloads that were in the window; a job that runs on counts to the window's end.

    path: the kept rows (job_rows.rows_path); order: one of ORDERS; hours: only these hours of the window count, and
    jobs that ran in none of them are left out; shape (window.hours,); same: of the project.
    Errors: PlannerError file_missing, file_unreadable; KeyError for another order.
    """
    import duckdb

    if not path.exists():
        raise PlannerError(
            str(path),
            "file_missing",
            worded("the job rows are not kept here"),
            worded("import the job log again"),
        )
    source = (
        f"read_parquet('{glob.escape(str(path)).replace(chr(39), chr(39) * 2)}', hive_partitioning=false)"
    )
    try:
        with duckdb.connect() as connection:
            kept = _kept_keys(connection, source, keys, same)
            found, given = _in_window(source, window), [list(kept)]
            if hours is not None:
                found, given = _in_hours(found, window), [*_counters(hours), list(kept)]
            (total, gpu_time) = connection.execute(
                f"select count(*), coalesce(sum(milli_gpu_seconds), 0) from ({found})", given
            ).fetchall()[0]
            rows = connection.execute(
                f"select {', '.join(_FIELDS)} from ({found}) order by {ORDERS[order]}, line limit ? offset ?",
                [*given, limit, offset],
            ).fetchall()
    except duckdb.Error as fault:
        raise PlannerError(
            str(path),
            "file_unreadable",
            worded("the kept job rows cannot be read"),
            worded("import the job log again"),
        ) from fault
    return JobsPage(tuple(_row(values, kept) for values in rows), int(total), int(gpu_time))


def _kept_keys(
    connection: "DuckDBPyConnection", source: str, keys: Sequence[str], same: Sequence[Same]
) -> dict[str, str]:
    """The workloads by the keys that the kept rows have, and what each is by what is one (job_rows.py)."""
    from gpuplanner.files.job_logs.reduce.job_rows import WorkloadName, renamed
    from gpuplanner.files.job_logs.reduce.names import MERGED_DIGITS

    if not same and not any(MERGED_DIGITS in key for key in keys):
        return {key: key for key in keys}
    names = [
        WorkloadName(*row)
        for row in connection.execute(
            f"select distinct workload_key, workload_name, cluster, owner, coalesce(label, '') from {source}"
        ).fetchall()
    ]
    called = renamed(names, same).names
    found = {was.key: called.get(was, was).key for was in names}
    wanted = frozenset(keys)
    return {key: said for key, said in found.items() if said in wanted}


def _in_window(source: str, window: Window) -> str:
    """SQL: the workloads' rows that the reduction counts in the window (workload_facts.clip_to_window)."""
    start, end = window.start_s, window.end_s
    stop = f"coalesce(end_s, greatest({end}, start_s))"
    return f"""select *, {stop} as stop_s,
            milli_gpus * (least({stop}, {end}) - greatest(start_s, {start})) as milli_gpu_seconds
        from {source}
        where workload_key in (select unnest(?::varchar[])) and start_s < {end}
            and ({stop} > {start} or ({stop} = start_s and start_s >= {start}))"""


def _in_hours(found: str, window: Window) -> str:
    """SQL: the same rows, their GPU time counted in some hours only; whole seconds, so that it is exact.

    before[n]: seconds of those hours before hour n; inside[n]: 1 for one of them (both 1-based lists).
    """

    def until(time: str) -> str:
        """SQL of what was added up from the beginning of the window to a time.

        Whole hours, then a part of one.
        """
        at = f"(least(greatest({time}, {window.start_s}), {window.end_s}) - {window.start_s})"
        hour = f"({at} // {HOUR_S} + 1)"
        return f"(before[{hour}] + inside[{hour}] * ({at} % {HOUR_S}))"

    return f"""select * exclude (milli_gpu_seconds, seconds, before, inside), milli_gpus * seconds as milli_gpu_seconds
        from (select *, {until("stop_s")} - {until("start_s")} as seconds
            from (select ?::bigint[] as before, ?::bigint[] as inside), ({found}))
        where seconds > 0"""


def _counters(hours: Bools) -> list[Any]:
    """The lists of `_in_hours`; one longer than the window, for its end."""
    inside = np.append(hours, False).astype(np.int64)
    before = HOUR_S * (np.cumsum(inside) - inside)
    return [before.tolist(), inside.tolist()]


def _row(values: tuple[Any, ...], keys: Mapping[str, str]) -> JobRow:
    """A row of the query as a job, with the key of the workload it is listed under."""
    return replace(JobRow(*values), workload_key=keys[values[-1]])
