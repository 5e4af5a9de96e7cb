"""Accepted jobs, each run once, to GPU time by workload, GPU model and hour: SQL that DuckDB and Spark both run."""

from collections.abc import Collection
from typing import Final

import numpy as np

from gpuplanner.domain.model.window import HOUR_S, Window
from gpuplanner.files.job_logs.judging.job_store import (
    CODES,
    FLAGS,
    JOBS,
    KINDS,
    STATES,
    WIDE,
    drop_jobs,
    run_key,
    set_column,
)
from gpuplanner.files.system.engine import Engine

# --- SQL over typed job rows, in words that both engines know, so that both count alike
# A typed row has
#   file, line        numbers that tell rows apart and put them in order
#   cluster, job_id   texts; a job_id that is null is never a repeat
#   start_s, end_s    whole seconds since 1970 UTC; end_s is null where a job runs on without a known end
#   is_running        boolean; finality (how final the stated end is, a number)
#   milli_gpus        thousandths of a GPU
#   workload, gpu_model  numbers
# All numbers are 64-bit integers, so every sum is exact and both engines give the same cube.


def later_rows(rows: str, columns: str, order: str) -> str:
    """SQL: of rows that are equal in some columns, all but the first in an order. rows: a table, or SQL in brackets."""
    ranked = (
        f"select *, row_number() over (partition by {columns} order by {order}) as place_among from {rows}"
    )
    return f"select * from ({ranked}) where place_among > 1"


def repeated_rows(rows: str) -> str:
    """SQL: the rows of one cluster, job_id and start that are not the one that counts.

    A run that ended wins over one still running, then the later end, then the more final state, then the first
    row. rows may be fewer than all: those that share their key with another are enough.
    """
    with_id = f"(select * from {rows} where job_id is not null)"
    better = "is_running, end_s desc nulls last, finality desc, file, line"
    return later_rows(with_id, "cluster, job_id, start_s", better)


def clipped_jobs(jobs: str, window: Window) -> str:
    """SQL: the jobs that overlap the window, with from_s and to_s from its start, stop_s and has_demand beside them.

    A job that runs on ends with the window; one of no length counts by its instant. has_demand: there is GPU time.
    """
    start, end = f"({window.start_s})", f"({window.end_s})"
    stopped = f"select *, coalesce(end_s, greatest({end}, start_s)) as stop_s from {jobs}"
    return f"""select *, greatest(start_s, {start}) - {start} as from_s, least(stop_s, {end}) - {start} as to_s,
            milli_gpus > 0 and stop_s > start_s as has_demand
        from ({stopped})
        where start_s < {end} and (stop_s > {start} or stop_s = start_s and start_s >= {start})"""


def hourly_steps(jobs: str) -> str:
    """SQL: GPU time by workload, gpu_model and at_s (a whole hour, in seconds), as steps in no order: rate and amount.

    jobs: of `clipped_jobs`; those that hold no GPUs, or none for any time, are left out.
    A job of g thousandths over [s, e) is +g at s's hour, owing g (s mod 3600) there, and -g at e's hour, keeping
    g (e mod 3600) there. The running sum of the rates over the hours, times 3600, plus the amount of an hour, is
    the exact amount in it; `reduction.cube_of_steps` takes it from there. rate is in thousandths of a GPU, amount in
    milli-GPU-seconds.
    """

    def edge(at: str, sign: str) -> str:
        """One end of every job: what it adds to the rate, and what the rest of its hour owes or keeps for that."""
        return f"""select workload, gpu_model, {at} - {at} % {HOUR_S} as at_s, {sign}milli_gpus as rate,
            -({sign}milli_gpus) * ({at} % {HOUR_S}) as amount from {jobs} where has_demand"""

    return f"""select workload, gpu_model, at_s, cast(sum(rate) as bigint) as rate,
            cast(sum(amount) as bigint) as amount
        from ({edge("from_s", "")} union all {edge("to_s", "-")}) group by workload, gpu_model, at_s"""


# --- Duplicates: one run of one job counts once, over all files of a call ------------------------

LOST: Final = "lost"
"""The engine's table of file, line and place of the rows that told again of a run; they are in JOBS no longer."""

ACCEPTED: Final = "accepted"
"""The engine's view of the rows of JOBS that count."""


def find_duplicates(
    engine: Engine,
    without_alike: Collection[int] = (),
    once: str = "view",
    parts_of: tuple[str, str] = ("", ""),
) -> None:
    """LOST and ACCEPTED: among good rows of the same cluster, job_id and start only one counts.

    Which one: `repeated_rows`. Rows without an id are told apart by nothing: those that repeat an earlier
    one in every field are dropped in the files where the planner said so (without_alike), else only counted, by
    `possible_duplicates`. parts_of: files of pods, and files of the workloads that some of them are the parts of;
    these pods count in their workload. once: as Engine.once, but a view where what rows say changes later.
    """
    engine.run(f"create or replace table {LOST} (file bigint, line bigint, place bigint)")
    if has_repeated := _keep_suspects(engine, "run", "run is not null"):
        _lose_repeated(engine)
    if has_alike := bool(without_alike) and _suspect_alike(engine):
        of_files = ", ".join(str(int(file)) for file in without_alike)
        engine.run(f"insert into {LOST} select file, line, place from ({_ALIKE}) where file in ({of_files})")
    if has_parts := all(parts_of):
        jobs, (parts, wholes) = f"(select * from {JOBS} join {KINDS} using (kind) where code = 0)", parts_of
        engine.run(
            f"""insert into {LOST} select file, line, place from {jobs} p where file in ({parts}) and exists (
                select 1 from {jobs} w where w.file in ({wholes}) and w.cluster is not distinct from p.cluster
                and w.account = p.account and w.name_id = p.name_id and w.milli_gpus > 0
                and w.start_s < coalesce(p.end_s, w.start_s + 1) and p.start_s < coalesce(w.end_s, p.start_s + 1))"""
        )
    if has_repeated or has_alike or has_parts:
        drop_jobs(engine, f"select place from {LOST}")
    engine.run(f"create or replace {once} {ACCEPTED} as select * replace ({WIDE}) from {JOBS} where code = 0")


def _lose_repeated(engine: Engine) -> None:
    """Into LOST the rows of suspect_keys that tell again of a run."""
    suspects = f"""(
        with told as materialized (
            select file::bigint as file, place, {WIDE}, kind, job_id, is_running, state_id from {JOBS}
            where run in (select key from suspect_keys)
        )
        select j.file, j.line, j.place, k.cluster, j.job_id, j.start_s, j.end_s, j.is_running, s.finality
        from told j join {KINDS} k using (kind) join {STATES} s on s.id = j.state_id)"""
    engine.run(f"insert into {LOST} select file, line, place from ({repeated_rows(suspects)})")


def _keep_suspects(engine: Engine, key: str, where: str) -> bool:
    """The table suspect_keys: the keys that several rows share; whether there are any, without which there is no table.

    Numbers sort much faster than an engine groups rows.
    """
    keys = engine.columns(f"select {key} as key from {JOBS} where {where}")["key"]
    keys = np.asarray(keys, dtype=np.uint32)
    keys.sort()
    shared = np.unique(keys[1:][keys[1:] == keys[:-1]])
    if not len(shared):
        return False
    engine.keep_numbers("suspect_keys", {"key": shared})
    return True


def possible_duplicates(engine: Engine, rows_at_most: int) -> dict[int, tuple[int, list[int]]]:
    """By file: how many accepted rows without an id repeat an earlier one in every field, and the first of them.

    rows_at_most: how many lines are listed of each file. They are accepted all the same: jobs may be alike.
    """
    if not _suspect_alike(engine):
        return {}
    found = engine.all(f"select file, count(*), min(line, {rows_at_most}) from ({_ALIKE}) group by file")
    return {file: (count, lines) for file, count, lines in found}


_ALIKE_KEY: Final = run_key("name_id, start_s, end_s, milli_gpus")
_ALIKE: Final = later_rows(
    f"""(select j.*, k.* exclude (kind) from {JOBS} j join {KINDS} k using (kind)
        where code = 0 and job_id is null and {_ALIKE_KEY} in (select key from suspect_keys))""",
    """cluster, name_id, account, "user", queue, model_id, milli_gpus, nodes, start_s, end_s, is_running, state_id,
        activity_milli_percent, label, model""",
    "file, line",
)
"""SQL: the good rows without an id that repeat an earlier one in every field, of suspect_keys."""


def _suspect_alike(engine: Engine) -> bool:
    """Whether any good rows without an id may be alike; their keys are suspect_keys."""
    return _keep_suspects(engine, _ALIKE_KEY, "code = 0 and job_id is null")


# --- Accepted jobs as one table for those who look at all of them: the only place that knows how the engine keeps them

ACCEPTED_JOBS: Final = f"""(
    select j.file, j.line, j.job_id, k.cluster, j.name_id, j.hosts, j.milli_gpus, j.nodes, j.start_s, j.end_s,
        j.is_running, j.activity_milli_percent, j.name_id <> 0 as has_name,
        k."user" is not null or k.account is not null as has_user, j.model_id is not null as has_model,
        j.flags & {FLAGS["naive"]} > 0 as is_naive
    from {ACCEPTED} j join {KINDS} k using (kind))"""
"""SQL of the jobs that count, before they are named: accepted, and no repeats.

Columns: file, line, job_id (null: none), cluster, name_id, hosts (null: none), milli_gpus, nodes, start_s, end_s (null:
runs on), is_running, activity_milli_percent (null: unknown), has_name, has_user, has_model, is_naive.
"""


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


def clock_skew(within_s: int) -> str:
    """SQL of the number of rows rejected because they end before they start, by less than so many seconds.

    Over all files of the call: clocks of nodes that differ a little, no bad log.
    """
    return f"""(select count(*) from {JOBS} where code = {CODES.index("end_before_start") + 1}
        and end_s < start_s and start_s::bigint - end_s < {within_s})"""
