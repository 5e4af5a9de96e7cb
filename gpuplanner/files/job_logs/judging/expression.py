"""The one expression: accepted jobs, each run once, to GPU time by workload, GPU model and hour."""

from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from gpuplanner.domain.model.window import HOUR_S, Window
from gpuplanner.files.job_logs.judging.job_store import (
    CODES,
    FLAGS,
    JOBS,
    KINDS,
    NAMES,
    STATES,
    WIDE,
    drop_jobs,
    run_key,
    set_column,
)
from gpuplanner.files.system.engine import Engine
from gpuplanner.files.system.resources import read_job_queries

if TYPE_CHECKING:
    import ibis


# --- The one expression: typed job rows to GPU time by workload, GPU model and hour, the same on every engine
# A typed row has
#   file, line        numbers that tell rows apart and put them in order
#   cluster, job_id   texts; a job_id that is null is never a repeat
#   start_s, end_s    whole seconds since 1970 UTC; end_s is null where a job runs on without a known end
#   is_running        boolean; finality (how final the stated end is, a number)
#   milli_gpus        thousandths of a GPU
#   workload, gpu_model  numbers
# All numbers are 64-bit integers, so every sum is exact and all engines give the same cube.


def steps_of_busy(jobs: "ibis.Table") -> "ibis.Table":
    """The hourly steps of those clipped jobs that hold GPUs for any time. Nothing runs before the engine is asked."""
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


# --- The ibis expression as SQL of the embedded engine, compiled once a process for tables of the same columns

_KEPT: Final = 64


def compiled(engine: Engine, table: str, expression: "Callable[..., ibis.Table]", *arguments: object) -> str:
    """SQL for expression(table, *arguments). table: of the engine; arguments: values that can be hashed.

    To compile takes longer than to run it on a small log: SQL over the columns that logs have ships as a table.
    """
    columns = tuple((name, kind) for name, kind, *_ in engine.all(f'describe "{table}"'))
    window = next((one for one in arguments if isinstance(one, Window)), None)
    is_sampled = window is not None and max(abs(window.start_s), abs(window.end_s)) < _WITHIN_32_BITS
    asked = tuple(SAMPLE if is_sampled and one is window else one for one in arguments)
    sql = None
    if asked in ((), (SAMPLE,)):
        sql = read_job_queries().get(query_key(table, columns, expression.__name__))
    if sql is None:
        sql = with_places(_compiled(table, columns, expression, asked))
    return sql.replace(START, str(window.start_s)).replace(END, str(window.end_s)) if window else sql


START, END = "$start_s", "$end_s"
"""In SQL for the ends of the window: one text serves every window."""
SAMPLE: Final = Window(start_s=3600 * 400_001, hours=100_003)
"""A window whose ends are numbers that stand nowhere else."""


def with_places(sql: str) -> str:
    """The SQL of the sample window with places for its ends."""
    return sql.replace(str(SAMPLE.start_s), START).replace(str(SAMPLE.end_s), END)


_WITHIN_32_BITS: Final = 2**31


def query_key(table: str, columns: Sequence[tuple[str, str]], name: str) -> str:
    """What SQL that ships is known by: the expression, and the columns of its table."""
    return f"{name}({table}: {', '.join(f'{column} {kind}' for column, kind in columns)})"


@lru_cache(_KEPT)
def _compiled(
    table: str,
    columns: tuple[tuple[str, str], ...],
    expression: "Callable[..., ibis.Table]",
    arguments: tuple[Any, ...],
) -> str:
    """The SQL of an expression over a table of these columns; no table has to be there."""
    import ibis
    from ibis.backends.sql.datatypes import DuckDBType

    schema = ibis.schema({name: DuckDBType.from_string(kind) for name, kind in columns})
    return str(ibis.to_sql(expression(ibis.table(schema, name=table), *arguments), dialect="duckdb"))


# --- Duplicates: one run of one job counts once, over all files of a call ------------------------

LOST: Final = "lost"
"""The engine's table of file, line and place of the rows that told again of a run; they are in JOBS no longer."""

ACCEPTED: Final = "accepted"
"""The engine's view of the rows of JOBS that count."""


def find_duplicates(engine: Engine, without_alike: Collection[int] = (), once: str = "view") -> None:
    """LOST and ACCEPTED: among good rows of the same cluster, job_id and start only one counts.

    Which one: `expression.repeated_rows`. Rows without an id are told apart by nothing: those that repeat an earlier
    one in every field are dropped in the files where the planner said so (without_alike), else only counted, by
    `possible_duplicates`. once: as Engine.once, but a view where what rows say changes later.
    """
    engine.run(f"create or replace table {LOST} (file bigint, line bigint, place bigint)")
    if _keep_suspects(engine, "run", "run is not null"):
        _lose_repeated(engine)
    if without_alike and _suspect_alike(engine):
        of_files = ", ".join(str(int(file)) for file in without_alike)
        engine.run(f"insert into {LOST} select file, line, place from ({_ALIKE}) where file in ({of_files})")
    drop_jobs(engine, f"select place from {LOST}")
    engine.run(f"create or replace {once} {ACCEPTED} as select * replace ({WIDE}) from {JOBS} where code = 0")


def _lose_repeated(engine: Engine) -> None:
    """Into LOST the rows of suspect_keys that tell again of a run."""
    engine.run(
        f"""create or replace temp table suspects as
        with told as materialized (
            select file::bigint as file, place, {WIDE}, kind, job_id, is_running, state_id from {JOBS}
            where run in (select key from suspect_keys)
        )
        select j.file, j.line, j.place, k.cluster, j.job_id, j.start_s, j.end_s, j.is_running, s.finality
        from told j join {KINDS} k using (kind) join {STATES} s on s.id = j.state_id"""
    )
    engine.run(
        f"""insert into {LOST} select file, line, place
        from ({compiled(engine, "suspects", repeated_rows)}) join suspects using (file, line)"""
    )
    engine.run("drop table suspects")


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
_ALIKE: Final = f"""select file, line, place from (
        select j.file, j.line, j.place,
            row_number() over (
                partition by cluster, name_id, account, "user", queue, model_id, milli_gpus, nodes, start_s, end_s,
                    is_running, state_id, activity_milli_percent, label, model
                order by j.file, j.line
            ) as telling
        from {JOBS} j join {KINDS} k using (kind)
        where code = 0 and job_id is null and {_ALIKE_KEY} in (select key from suspect_keys)
    ) where telling > 1"""
"""SQL: file, line and place of good rows without an id that repeat an earlier one in every field, of suspect_keys."""


def _suspect_alike(engine: Engine) -> bool:
    """Whether any good rows without an id may be alike; their keys are suspect_keys."""
    return _keep_suspects(engine, _ALIKE_KEY, "code = 0 and job_id is null")


# --- Accepted jobs as one view for those who look at all of them: the only place that knows how the engine keeps them

ACCEPTED_JOBS: Final = "accepted_jobs"
"""The engine's view of the jobs that count, before they are named.

Columns: file, line, job_id (null: none), cluster, name_id, hosts (null: none), milli_gpus, nodes, start_s, end_s (null:
runs on), is_running, activity_milli_percent (null: unknown), has_name, has_user, has_model, is_naive.
"""

JOB_NAMES: Final = "job_names"
"""The engine's view of name_id and name: apart, since those who count jobs should not pay for their names."""


def view_accepted_jobs(engine: Engine, once: str) -> None:
    """Make ACCEPTED_JOBS and JOB_NAMES. Duplicates are found before.

    once: as in `find_duplicates`.
    A row is a job that is accepted and no repeat; end_s is null while it runs on.
    """
    engine.run(
        f"""create or replace {once} {ACCEPTED_JOBS} as
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
