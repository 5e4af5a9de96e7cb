"""Fates: each row of a log becomes accepted, rejected or ignored, and typed on the way (INTERFACE, Job logs)."""

from collections.abc import Callable
from typing import Any, Final

from gpuplanner.domain.model.intake import RejectedRow
from gpuplanner.domain.model.pool import POOLS
from gpuplanner.files.engine import Engine
from gpuplanner.files.issue_texts import issue_message
from gpuplanner.files.job_logs.durations import read_duration, read_seconds
from gpuplanner.files.job_logs.job_table import TEXT_FIELDS, JobTable
from gpuplanner.files.job_logs.states import CANCELLED, PENDING, RUNNING, finality, read_state
from gpuplanner.files.job_logs.times import (
    EARLIEST_S,
    LATEST_S,
    LONGEST_MISSING_TEXT,
    MISSING_TEXTS,
    ClockSpan,
    LocalTime,
    read_time,
)
from gpuplanner.files.job_logs.zone_sql import Zones

JOBS: Final = "jobs"
"""The engine's table of all rows of all files of one call."""

REJECTED_ROWS_KEPT: Final = 1000

_JOBS_DDL: Final = f"""create or replace table {JOBS} (
    file int, line bigint, fate varchar, code varchar, job_id varchar, cluster varchar, name varchar,
    account varchar, "user" varchar, queue varchar, gpu_model varchar, milli_gpus bigint, nodes int,
    start_s bigint, end_s bigint, is_running boolean, state varchar, finality int, activity_milli_percent int,
    label varchar, model varchar, is_naive boolean, is_zone_mixed boolean, is_repeated boolean,
    is_skipped boolean, has_bad_number boolean, has_bad_duration boolean, has_bad_label boolean,
    is_model_mixed boolean)"""


def create_jobs(engine: Engine) -> None:
    """An empty JOBS."""
    engine.run(_JOBS_DDL)


def judge_rows(engine: Engine, table: JobTable, file: int, timezone: str | None) -> tuple[RejectedRow, ...]:
    """Type the rows of one file and add them to JOBS, each with its fate; the first rejected rows are returned.

    file: a number that tells the files of one call apart. timezone: of times that state none (None: UTC).
    """
    _stage_texts(engine, table)
    zones = _map_times(engine, table, timezone)
    _map_words(engine, table)
    engine.run(f"insert into {JOBS} " + _typed_sql(table, file, zones))
    rejected = _rejected_rows(engine, table, file)
    for kind, name in engine.all(
        "select case when table_type = 'VIEW' then 'view' else 'table' end, table_name from information_schema.tables "
        "where table_name = 'texts' or starts_with(table_name, ?) order by 1 desc",
        [table.raw.name],
    ):
        engine.run(f'drop {kind} "{name}"')
    return rejected


# --- Texts, and times in their usual form ------------------------------------------------------


def _stage_texts(engine: Engine, table: JobTable) -> None:
    """The view `texts`: every field trimmed or null, and times read where their form is the usual one."""
    columns = ["line", f"({table.is_ignored}) as is_ignored"]
    missing = ", ".join(f"'{word}'" for word in MISSING_TEXTS)
    for field in TEXT_FIELDS:
        text = _trimmed(table.fields[field]) if field in table.fields else "cast(null as varchar)"
        if field in ("start", "end", "elapsed"):
            is_time = f"length({text}) > {LONGEST_MISSING_TEXT} or lower({text}) not in ({missing})"
            text = f"case when {is_time} then {text} end"
        columns.append(f'{text} as "{field}"')
    parts = [
        "*",
        *_time_parts('"start"', "start", table.start_unit),
        *_time_parts('"end"', "end", table.end_unit),
        f"({_whole_seconds('elapsed', table.elapsed_unit)}) as elapsed_quick_s",
    ]
    engine.run(
        f"create or replace view texts as select {', '.join(parts)} "
        f'from (select {", ".join(columns)} from "{table.raw.name}")'
    )


def _trimmed(text: str) -> str:
    """SQL: without blanks around it, null where nothing is left. Looking for blanks is cheaper than trimming."""
    has_blanks = " or ".join(
        f"{text} like '{form}'" for form in (" %", "% ", "\t%", "%\t", "%\r", "%\n", "\n%")
    )
    return f"case when {text} = '' then null when {has_blanks} then nullif(trim({text}, ' \t\r\n'), '') else {text} end"


def _time_parts(text: str, prefix: str, unit: str | None) -> tuple[str, str]:
    """SQL for a time's own clock in seconds (null where the form is unusual) and what it says of its zone."""
    if unit is not None:
        return f"({_whole_seconds(text, unit)}) as {prefix}_clock_s", f"'Z' as {prefix}_rest"
    is_usual = f"({text} like '____-__-__T__:__:__%' or {text} like '____-__-__ __:__:__%')"
    clock = f"epoch_us(try_cast(left({text}, 19) as timestamp)) // 1000000"
    rest = f"substr({text}, 20)"
    after_fraction = (
        f"case when left({rest}, 1) in ('.', ',') then ltrim(substr({rest}, 2), '0123456789') else {rest} end"
    )
    return (
        f"case when {is_usual} then {clock} end as {prefix}_clock_s",
        f"case when {is_usual} then {after_fraction} end as {prefix}_rest",
    )


def _whole_seconds(text: str, unit: str) -> str:
    factor = {"s": "* 1", "epoch_s": "* 1", "min": "* 60", "h": "* 3600", "epoch_ms": "// 1000"}[unit]
    number = f"try_cast({text} as bigint)"
    is_plain = f"regexp_full_match({text}, '[0-9]{{1,14}}')"
    return f"case when {is_plain} then {number} {factor} end"


# --- What only Python reads: distinct values ---------------------------------------------------


def _map_times(engine: Engine, table: JobTable, timezone: str | None) -> Zones:
    """Tables of the times and durations in unusual forms, and what the zone texts of all times mean."""
    clocks: dict[str, tuple[int, int]] = {}

    def note(rest: str | None, first_s: int | None, last_s: int | None) -> None:
        if rest is not None and first_s is not None and last_s is not None:
            known = clocks.get(rest, (first_s, last_s))
            clocks[rest] = (min(first_s, known[0]), max(last_s, known[1]))

    odd_starts = odd_ends = odd_elapsed = 0
    for row in engine.all(
        """select start_rest, end_rest, min(start_clock_s), max(start_clock_s), min(end_clock_s), max(end_clock_s),
            count(*) filter ("start" is not null and start_clock_s is null),
            count(*) filter ("end" is not null and end_clock_s is null),
            count(*) filter (elapsed is not null and elapsed_quick_s is null and "end" is null)
        from texts where not is_ignored group by all"""
    ):
        note(row[0], row[2], row[3])
        note(row[1], row[4], row[5])
        odd_starts, odd_ends, odd_elapsed = odd_starts + row[6], odd_ends + row[7], odd_elapsed + row[8]
    for prefix, unit, odd_count in (
        ("start", table.start_unit, odd_starts),
        ("end", table.end_unit, odd_ends),
    ):
        odd = _distinct(engine, f'"{prefix}"', f"{prefix}_clock_s is null") if odd_count else []
        local = [_read_odd_time(text, unit) for text in odd]
        for at in filter(None, local):
            note(at.zone_text, at.clock_s, at.clock_s)
        engine.keep(
            f"{prefix}_odd",
            {
                "text": odd,
                "clock_s": [at.clock_s if at else None for at in local],
                "rest": [at.zone_text if at else None for at in local],
            },
            {"text": "varchar", "clock_s": "bigint", "rest": "varchar"},
        )
    odd = _distinct(engine, "elapsed", 'elapsed_quick_s is null and "end" is null') if odd_elapsed else []
    engine.keep(
        "elapsed_odd",
        {"text": odd, "seconds": [read_duration(text, table.elapsed_unit) for text in odd]},
        {"text": "varchar", "seconds": "bigint"},
    )
    return Zones(clocks, timezone)


def _read_odd_time(text: str, unit: str | None) -> LocalTime | None:
    if unit is None:
        return read_time(text)
    seconds = read_seconds(text, unit)
    return None if seconds is None else LocalTime(seconds, "Z")


def _map_words(engine: Engine, table: JobTable) -> None:
    texts = _distinct(engine, "gpus")
    readings = [table.read_gpus(text) for text in texts]
    engine.keep(
        "gpu_readings",
        {
            "text": texts,
            "milli_gpus": [reading.milli_gpus for reading in readings],
            "fault": [reading.fault for reading in readings],
            "gpu_model": [reading.gpu_model for reading in readings],
            "nodes": [reading.nodes for reading in readings],
            "is_mixed": [reading.is_mixed for reading in readings],
        },
        {
            "text": "varchar",
            "milli_gpus": "bigint",
            "fault": "varchar",
            "gpu_model": "varchar",
            "nodes": "int",
            "is_mixed": "boolean",
        },
    )
    texts = _distinct(engine, "state")
    states = [read_state(text) for text in texts]
    engine.keep(
        "states",
        {"text": texts, "state": states, "finality": [finality(state) for state in states]},
        {"text": "varchar", "state": "varchar", "finality": "int"},
    )


def _distinct(engine: Engine, column: str, where: str = "true") -> list[str]:
    found = engine.all(
        f"select distinct {column} from texts where {column} is not null and {where} and not is_ignored"
    )
    return [row[0] for row in found]


# --- The judgement -----------------------------------------------------------------------------


def _typed_sql(table: JobTable, file: int, zones: Zones) -> str:
    """SELECT in the order of JOBS. One fault a row: the first that holds in the order of INTERFACE."""
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
        label is not null and lower(label) not in ({labels}), is_model_mixed
    from judged"""


def _rejected_rows(engine: Engine, table: JobTable, file: int) -> tuple[RejectedRow, ...]:
    found: list[tuple[Any, ...]] = engine.all(
        f"""select j.line, j.code, t."start", t."end", t.elapsed, t.gpus, {table.raw.row_text}
        from {JOBS} j join texts t using (line) join "{table.raw.name}" r using (line)
        where j.file = {file} and j.fate = 'rejected' order by j.line limit {REJECTED_ROWS_KEPT}"""
    )
    rows = []
    unstated = "empty or unknown"
    for line, code, start, end, elapsed, gpus, text in found:
        value = {
            "bad_number": f"gpus is {gpus!r}",
            "negative_gpus": f"gpus is {gpus}",
            "bad_duration": f"the duration is {elapsed or 'empty'}",
        }.get(code, f"start is {start or unstated}, end is {end or unstated}")
        rows.append(RejectedRow(line, code, f"{value}: {issue_message(code)}", text))
    return tuple(rows)
