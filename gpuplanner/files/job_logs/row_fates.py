"""Fates: each row of a log is typed and becomes accepted, rejected or ignored (docs/interface.md, How a row ends)."""

from collections.abc import Callable
from typing import Any, Final

from gpuplanner.domain.model.intake import RejectedRow
from gpuplanner.domain.model.pool import POOLS
from gpuplanner.files.engine import Engine
from gpuplanner.files.issue_texts import issue_message
from gpuplanner.files.job_logs.job_table import JobTable
from gpuplanner.files.job_logs.row_texts import map_times, map_words, stage_texts
from gpuplanner.files.job_logs.states import CANCELLED, PENDING, RUNNING
from gpuplanner.files.job_logs.times import (
    EARLIEST_S,
    LATEST_S,
    ClockSpan,
)
from gpuplanner.files.job_logs.zone_sql import Zones

JOBS: Final = "jobs"
"""The engine's table of all rows of all files of one call."""

REJECTED_ROWS_KEPT: Final = 1000
"""Of each file and code, to be shown row by row."""

_JOBS_DDL: Final = f"""create or replace table {JOBS} (
    file int, line bigint, fate varchar, code varchar, job_id varchar, cluster varchar, name varchar,
    account varchar, "user" varchar, queue varchar, gpu_model varchar, milli_gpus bigint, nodes int,
    start_s bigint, end_s bigint, is_running boolean, state varchar, finality int, activity_milli_percent int,
    label varchar, model varchar, is_naive boolean, is_zone_mixed boolean, is_repeated boolean,
    is_skipped boolean, has_bad_number boolean, has_bad_duration boolean, has_bad_label boolean,
    is_model_mixed boolean, hosts varchar)"""


def create_jobs(engine: Engine) -> None:
    """An empty JOBS."""
    engine.run(_JOBS_DDL)


def name_cluster(engine: Engine, cluster: str) -> None:
    """Give the jobs whose log names no cluster this one."""
    engine.run(f"update {JOBS} set cluster = ? where cluster = ''", [cluster])


def judge_rows(engine: Engine, table: JobTable, file: int, timezone: str | None) -> tuple[RejectedRow, ...]:
    """Type the rows of one file and add them to JOBS, each with its fate; the first rejected rows are returned.

    file: a number that tells the files of one call apart. timezone: of times that state none (None: UTC).
    """
    stage_texts(engine, table)
    zones = map_times(engine, table, timezone)
    map_words(engine, table)
    engine.run(f"insert into {JOBS} " + _typed_sql(table, file, zones))
    rejected = _rejected_rows(engine, table, file)
    for kind, name in engine.all(
        "select case when table_type = 'VIEW' then 'view' else 'table' end, table_name from information_schema.tables "
        "where table_name = 'texts' or starts_with(table_name, ?) order by 1 desc",
        [table.raw.name],
    ):
        engine.run(f'drop {kind} "{name}"')
    return rejected


def _typed_sql(table: JobTable, file: int, zones: Zones) -> str:
    """SELECT in the order of JOBS. One fault a row: the first that holds (docs/interface.md, How a row ends)."""
    start, end = ("start_rest", "start_clock_s"), ("end_rest", "end_clock_s")

    def instant(column: tuple[str, str], of_span: Callable[[ClockSpan], int]) -> str:
        return f"{column[1]} - {zones.figure(*column, of_span)}"

    def is_any(of_span: Callable[[ClockSpan], int]) -> str:
        return (
            f"coalesce({zones.figure(*start, of_span)}, 0) + coalesce({zones.figure(*end, of_span)}, 0) > 0"
        )

    labels = ", ".join(f"'{pool}'" for pool in POOLS)
    missing_end = "is_end_missing and state <> 'RUNNING'"
    if table.end_is_elapsed:
        missing_end = "false"
    bad_elapsed = (
        "when is_end_missing and elapsed_s is null and (has_elapsed or state <> 'RUNNING') then 'bad_duration'"
        if table.end_is_elapsed
        else ""
    )
    in_range = f"between {EARLIEST_S} and {LATEST_S - 1}"
    return f"""
    with read as (
        select t.* exclude (start_clock_s, start_rest, end_clock_s, end_rest, gpus, state, nodes, gpu_model),
            coalesce(t.start_clock_s, so.clock_s) as start_clock_s,
            case when t.start_clock_s is not null then t.start_rest else so.rest end as start_rest,
            coalesce(t.end_clock_s, eo.clock_s) as end_clock_s,
            case when t.end_clock_s is not null then t.end_rest else eo.rest end as end_rest,
            coalesce(t.elapsed_quick_s, lo.seconds) as elapsed_s, t.elapsed is not null as has_elapsed,
            coalesce(g.milli_gpus, 0) as milli_gpus, g.fault as gpu_fault,
            coalesce(g.is_mixed, false) as is_model_mixed,
            coalesce(t.gpu_model, g.gpu_model) as gpu_model,
            coalesce(s.state, '') as state, coalesce(s.finality, 1) as finality,
            case when try_cast(t.nodes as double) = floor(try_cast(t.nodes as double)) and try_cast(t.nodes as double)
                between 1 and 1e6 then cast(try_cast(t.nodes as double) as int) end as nodes_read,
            t.nodes is not null and nodes_read is null as has_bad_nodes, coalesce(g.nodes, nodes_read) as nodes,
            case when try_cast(rtrim(t.activity, '% ') as double) between 0 and 100
                then cast(round(try_cast(rtrim(t.activity, '% ') as double) * 1000) as int) end as activity_read
        from texts t
        left join start_odd so on so.text = case when t.start_clock_s is null then t."start" end
        left join end_odd eo on eo.text = case when t.end_clock_s is null then t."end" end
        left join elapsed_odd lo on lo.text = case when t.elapsed_quick_s is null then t.elapsed end
        left join gpu_readings g on g.text = t.gpus
        left join states s on s.text = t.state
    ),
    early as (
        select *, "end" is null as is_end_missing,
            {instant(start, lambda span: span.earlier_offset_s)} as early_start_s,
            {instant(end, lambda span: span.earlier_offset_s)} as end_early_s,
            {instant(end, lambda span: span.later_offset_s)} as end_late_s
        from read
    ),
    timed as (
        select *, early_start_s as start_s,
            case when is_end_missing then start_s + elapsed_s
                when end_early_s < start_s and end_late_s >= start_s then end_late_s
                else end_early_s end as stated_end_s
        from early
    ),
    judged as (
        select *, case
            when is_ignored then 'step'
            when state = '{PENDING}' then 'pending'
            when state = '{CANCELLED}' and "start" is null then 'never_started'
            when coalesce({zones.fault(start[0])}, {zones.fault(end[0])}) is not null
                then coalesce({zones.fault(start[0])}, {zones.fault(end[0])})
            when start_s is null or start_s not {in_range} then 'bad_time'
            when {missing_end} then 'bad_time'
            when not is_end_missing and stated_end_s is null then 'bad_time'
            when stated_end_s not {in_range} then 'bad_time'
            {bad_elapsed}
            when stated_end_s < start_s then 'end_before_start'
            when gpu_fault is not null then gpu_fault
            end as fault
        from timed
    )
    select {file}, line,
        case when fault in ('step', 'pending', 'never_started') then 'ignored'
            when fault is not null then 'rejected' else 'accepted' end,
        fault, job_id, coalesce(cluster, ''), coalesce(name, ''), account, "user", queue, gpu_model, milli_gpus, nodes,
        start_s,
        case when is_end_missing and state <> '{RUNNING}' and not {str(table.end_is_elapsed).lower()} then null
            else stated_end_s end,
        is_end_missing and state = '{RUNNING}', state, finality, activity_read,
        case when lower(label) in ({labels}) then lower(label) end, model,
        {zones.is_naive(start[0])} or {zones.is_naive(end[0])},
        {str(zones.has_zoned).lower()} and ({zones.is_naive(start[0])} or {zones.is_naive(end[0])}),
        {is_any(lambda span: int(span.is_repeated))}, {is_any(lambda span: int(span.is_skipped))},
        has_bad_nodes or (activity is not null and activity_read is null),
        is_end_missing and has_elapsed and elapsed_s is null,
        label is not null and lower(label) not in ({labels}), is_model_mixed, hosts
    from judged"""


def _rejected_rows(engine: Engine, table: JobTable, file: int) -> tuple[RejectedRow, ...]:
    found: list[tuple[Any, ...]] = engine.all(
        f"""select j.line, j.code, t."start", t."end", t.elapsed, t.gpus, {table.raw.row_text}
        from {JOBS} j join texts t using (line) join "{table.raw.name}" r using (line)
        where j.file = {file} and j.fate = 'rejected'
        qualify row_number() over (partition by j.code order by j.line) <= {REJECTED_ROWS_KEPT} order by j.line"""
    )
    rows = []
    unstated = "empty or unknown"

    def until(end: str | None, elapsed: str | None) -> str:
        return f"the duration is {elapsed}" if elapsed and not end else f"end is {end or unstated}"

    for line, code, start, end, elapsed, gpus, text in found:
        value = {
            "bad_number": f"gpus is {gpus!r}",
            "negative_gpus": f"gpus is {gpus}",
            "bad_duration": f"the duration is {elapsed or 'empty'}",
        }.get(code, f"start is {start or unstated}, {until(end, elapsed)}")
        rows.append(RejectedRow(line, code, f"{value}: {issue_message(code)}", text))
    return tuple(rows)
