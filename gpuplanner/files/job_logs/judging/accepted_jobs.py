"""Accepted jobs as one view for those who look at all of them: the only place that knows how the engine keeps them."""

from typing import Final

from gpuplanner.files.job_logs.judging.duplicates import ACCEPTED
from gpuplanner.files.job_logs.judging.job_store import CODES, FLAGS, JOBS, KINDS, NAMES, set_column
from gpuplanner.files.system.engine import Engine

ACCEPTED_JOBS: Final = "accepted_jobs"
"""The engine's view of the jobs that count, before they are named.

Columns: file, line, job_id (null: none), cluster, name_id, hosts (null: none), milli_gpus, nodes, start_s, end_s (null:
runs on), is_running, activity_milli_percent (null: unknown), has_name, has_user, has_model, is_naive.
"""

JOB_NAMES: Final = "job_names"
"""The engine's view of name_id and name: apart, since those who count jobs should not pay for their names."""


def view_accepted_jobs(engine: Engine) -> None:
    """Make ACCEPTED_JOBS and JOB_NAMES. Duplicates are found before.

    A row is a job that is accepted and no repeat; end_s is null while it runs on.
    """
    engine.run(
        f"""create or replace view {ACCEPTED_JOBS} as
        select j.file, j.line, j.job_id, k.cluster, j.name_id, j.hosts,
            j.milli_gpus, j.nodes, j.start_s, j.end_s,
            j.is_running, j.activity_milli_percent, j.name_id <> 0 as has_name,
            k."user" is not null or k.account is not null as has_user, j.model_id is not null as has_model,
            j.flags & {FLAGS["naive"]} > 0 as is_naive
        from {ACCEPTED} j join {KINDS} k using (kind)"""
    )
    engine.run(f"create or replace view {JOB_NAMES} as select id as name_id, text as name from {NAMES}")


def set_activity(engine: Engine, found: str) -> None:
    """Fill the activity of jobs that have none. found: a table with file, line and milli_percent.

    milli_percent: thousandths of a percent. What a log states itself stays.
    """
    set_column(
        engine,
        "activity_milli_percent",
        "f.milli_percent",
        f"""select j.place, f.milli_percent from {JOBS} j join {found} f on j.file = f.file and j.line = f.line
        where f.milli_percent is not null and j.activity_milli_percent is null""",
    )


def count_clock_skew(engine: Engine, within_s: int) -> int:
    """Rows rejected because they end before they start, by less than so many seconds.

    Over all files of the call: clocks of nodes that differ a little, no bad log.
    """
    (count,) = engine.one(
        f"""select count(*) from {JOBS}
        where code = {CODES.index("end_before_start") + 1} and end_s < start_s
            and start_s::bigint - end_s < {within_s}"""
    )
    return int(count)
