"""Accepted jobs as one view for those who look at all of them: the only place that knows how the engine keeps them."""

from typing import Final

from gpuplanner.files.engine import Engine
from gpuplanner.files.job_logs.row_fates import JOBS

ACCEPTED_JOBS: Final = "accepted_jobs"
"""The engine's view of the jobs that count, before they are named.

Columns: file, line, job_id (null: none), cluster, name, hosts (null: none), milli_gpus, nodes, start_s, end_s (null:
runs on), is_running, activity_milli_percent (null: unknown), has_name, has_user, has_model, is_naive.
"""


def view_accepted_jobs(engine: Engine) -> None:
    """Make ACCEPTED_JOBS. Duplicates are marked before."""
    engine.run(
        f"""create or replace view {ACCEPTED_JOBS} as
        select file, line, job_id, cluster, name, hosts, milli_gpus, nodes, start_s, end_s, is_running,
            activity_milli_percent, name <> '' as has_name, "user" is not null or account is not null as has_user,
            gpu_model is not null as has_model, is_naive
        from {JOBS} where fate = 'accepted'"""
    )


def set_activity(engine: Engine, found: str) -> None:
    """Fill the activity of jobs that have none. found: a table with file, line and milli_percent."""
    engine.run(
        f"""update {JOBS} set activity_milli_percent = f.milli_percent from {found} f
        where {JOBS}.file = f.file and {JOBS}.line = f.line and f.milli_percent is not null
            and {JOBS}.activity_milli_percent is null"""
    )


def count_clock_skew(engine: Engine, within_s: int) -> int:
    """Rows rejected because they end before they start, by less than so many seconds."""
    (count,) = engine.one(
        f"""select count(*) from {JOBS}
        where code = 'end_before_start' and end_s < start_s and start_s - end_s < {within_s}"""
    )
    return int(count)
