"""Validation: each row of a log is typed and is accepted, rejected or ignored (docs/interface.md, How a row ends)."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from gpuplanner.domain.message import joined, worded
from gpuplanner.domain.model.intake import Issue, RejectedRow
from gpuplanner.domain.model.window import HOUR_S
from gpuplanner.files.job_logs.judging.dialect import JobTable
from gpuplanner.files.job_logs.judging.job_store import (
    BEGUN_BEFORE,
    CODES,
    FLAGS,
    IGNORED_CODES,
    JOBS,
    OPEN_CODES,
    SHORT_LINES,
    STEPS,
    add_jobs,
    code_number,
    drop_jobs,
)
from gpuplanner.files.job_logs.judging.row_texts import (
    CANCELLED_NO,
    MARKS,
    PENDING_NO,
    PICKED,
    RUNNING_NO,
    SAYS,
    SELDOM,
    UNSAID,
    Group,
    earlier,
    map_durations,
    map_times,
    map_words,
    mark_rows,
    marks_of,
    read_groups,
    stage_texts,
    trimmed,
)
from gpuplanner.files.job_logs.judging.tres_names import HOW_TO_NAME, numbers_words
from gpuplanner.files.sources.issue_texts import KEPT_IF_OPEN, LONG, RaggedLines, issue_message, long_words
from gpuplanner.files.sources.raw_table import RawTable, drop, forget_records, records_at
from gpuplanner.files.system.engine import Engine
from gpuplanner.files.tables.small_table import REJECTED_ROWS_KEPT
from gpuplanner.files.values.scheduler_words import is_numbered
from gpuplanner.files.values.times import EARLIEST_S, LATEST_S, ClockSpan, Zones

_STEP: Final = -1
"""Stands for the lines of STEPS where they are counted with the codes of rows."""


def judge_rows(engine: Engine, table: JobTable, file: int, timezone: str | None) -> tuple[RejectedRow, ...]:
    """Type the rows of one file and add them to JOBS, each with its fate; the first rejected rows are returned.

    file: a number that tells the files of one call apart. timezone: of times that state none (None: UTC).
    """
    marked = mark_rows(engine, table)
    stage_texts(engine, table, PICKED, marked.picked)
    zones = map_times(engine, table, marked.groups, timezone, ("start", "end"))
    queue_zones = map_times(engine, table, marked.groups, timezone, table.queue_times)
    map_durations(engine, table)
    map_words(engine, table)
    read_groups(engine, table, marked, zones)
    is_short, is_long = _note_ragged(engine, table, marked.raw.ragged, file)
    columns, sources = _typed_sql(
        table, file, marked.groups, zones, queue_zones, is_short, is_long, is_open=engine.open_ended
    )
    rows = f"select {columns} {sources}"
    add_jobs(
        engine,
        _begun_with_log(engine, rows, file) if engine.open_ended else rows,
        [column for field, column in SELDOM.items() if field in table.fields],
    )
    engine.run(f"insert into {STEPS} select {file}, count(*) from {marks_of(table)} where is_ignored")
    lines, judged = engine.one(
        f"""select (select count(*) from {MARKS}),
            (select count(*) from {JOBS} where file = {file}) + (select lines from {STEPS} where file = {file})"""
    )
    assert judged == lines, "every row has one fate"
    rejected = _rejected_rows(engine, table, marked.raw, file)
    forget_records(engine, MARKS)
    for name in (table.raw.name, PICKED, "texts", "readings"):
        drop(engine, name)
    return rejected


def none_ran(engine: Engine, table: JobTable, file: int) -> Issue | None:
    """The issue of a log whose rows are all ignored: what they are, and what to export.

    None where some are not.

    Such a log is read, and brings nothing: pending jobs, steps, or jobs that never ran.
    """
    codes = dict(
        engine.all(
            f"""select code, count(*) from {JOBS} where file = {file} group by code
            union all select {_STEP}, coalesce(sum(lines), 0)::bigint from {STEPS} where file = {file}"""
        )
    )
    lines = codes.pop(_STEP)
    ignored = {code: codes.pop(code_number(code), 0) for code in IGNORED_CODES}
    rows = lines + sum(ignored.values())
    if codes or not rows or table.are_ignored_rows:
        return None
    what, remedy = table.no_jobs
    said = [worded("{count} are {what}", count=lines, what=what)] if lines else []
    said += [worded("{count} had not started", count=ignored["pending"])] if ignored["pending"] else []
    if ignored["never_started"]:
        said.append(worded("{count} ended before they started", count=ignored["never_started"]))
    message = worded(
        "none of its {rows} rows is a job that ran: {said}; {remedy}",
        rows=rows,
        said=joined(said, ", "),
        remedy=remedy if lines else worded("export a time in which jobs ran"),
    )
    return Issue("not_a_job_log", rows, None, message)


def forget_rows(engine: Engine, file: int) -> None:
    """Take back what `judge_rows` added of one file.

    Names, models and states that it brought stay known, which harms nothing.
    """
    drop_jobs(engine, f"select place from {JOBS} where file = {file}")
    for table in (STEPS, SHORT_LINES, BEGUN_BEFORE):
        engine.run(f"delete from {table} where file = {file}")


def accepted_and_ignored(engine: Engine, file: int) -> tuple[int, int]:
    """How many of a file's rows were accepted, and how many ignored: steps, pending jobs and those that never ran."""
    accepted, unstarted = engine.one(
        f"select count(*) filter (code = 0), count(*) filter (code in ({_ignored_codes()})) "
        f"from {JOBS} where file = {file}"
    )
    (lines,) = engine.one(f"select coalesce(sum(lines), 0) from {STEPS} where file = {file}")
    return int(accepted), int(unstarted) + int(lines)


def are_mostly_rejected(engine: Engine, file: int) -> bool:
    """Whether fewer than half of a file's rows were accepted, of those that were not ignored.

    The sign of a wrong mapping or format: another reading may be better.
    """
    accepted, jobs = engine.one(
        f"select count(*) filter (code = 0), count(*) filter (code not in ({_ignored_codes()})) "
        f"from {JOBS} where file = {file}"
    )
    return bool(2 * accepted < jobs)


def _ignored_codes() -> str:
    """The numbers of the codes with which a row is ignored, for an SQL list."""
    return ", ".join(str(code_number(code)) for code in IGNORED_CODES)


def _note_ragged(engine: Engine, table: JobTable, ragged: RaggedLines, file: int) -> tuple[str, str]:
    """Short lines into SHORT_LINES; returns SQL that tells short and long ones, empty where there are none."""
    is_short = ""
    if ragged.short:
        engine.keep("ragged", {"line": ragged.short.tolist()}, {"line": "bigint"})
        ignored = f"line in (select line from {marks_of(table)} where is_ignored)"
        engine.run(
            f"""insert into {SHORT_LINES} select {file}, line, is_ignored
            from (select line, {ignored} as is_ignored from ragged) where not is_ignored or {table.are_ignored_rows}"""
        )
        is_short = f"line in (select line from {SHORT_LINES} where file = {file})"
    if not ragged.long:
        return is_short, ""
    engine.keep("ragged", {"line": ragged.long.tolist()}, {"line": "bigint"})
    return is_short, "line in (select line from ragged)"


def _begun_with_log(engine: Engine, rows: str, file: int) -> str:
    """SQL for the same typed rows; those without a start begin in the first hour of the log, and are BEGUN_BEFORE."""
    engine.run(f"create or replace temp table typed_rows as {rows}")
    no_start = "code = 0 and start_s is null"
    (first_s,) = engine.one("select least(min(start_s), min(end_s)) from typed_rows where code = 0")
    engine.run(f"insert into {BEGUN_BEFORE} select {file}, line from typed_rows where {no_start}")
    if first_s is None:
        return "select * from typed_rows"
    begins_s = first_s // HOUR_S * HOUR_S
    begun = f"case when {no_start} then {begins_s} else start_s end as start_s"
    return f"select * replace ({begun}) from typed_rows"


def _typed_sql(
    table: JobTable,
    file: int,
    groups: Sequence[Group],
    zones: Zones,
    queue_zones: Zones,
    is_short: str,
    is_long: str,
    *,
    is_open: bool,
) -> tuple[str, str]:
    """The columns of JOBS and where from. One fault a row: the first that holds (docs/interface.md, How a row ends).

    queue_zones: of the table's queue times, which make no row rejected. is_short, is_long: SQL that tells rows of
    too few or too many cells, empty where there are none. is_open: a row without an end runs on, one without a start is
    accepted with none.
    """
    said_by = {field: f"l{number}" for number, group in enumerate(groups) for field in group.fields}
    said = {
        column: f"{said_by[field]}.{column}" if field in said_by else UNSAID.get(column, "null")
        for field, columns in SAYS.items()
        for column in columns
    }

    def instant(prefix: str, of_span: Callable[[ClockSpan], int]) -> str:
        """SQL of UTC seconds from a local clock.

        Less one offset for all, or less that of its zone at that time.
        """
        clock = f"{prefix}_clock_s"
        if zones.is_fixed:
            return f"{clock} - {prefix}_offset_s"
        return f"{clock} - {zones.figure(f'{prefix}_rest', clock, of_span)}"

    def is_any(of_span: Callable[[ClockSpan], int]) -> str:
        """SQL of whether either of the two times has this mark in its zone."""
        figures = (
            zones.figure(f"{prefix}_rest", f"{prefix}_clock_s", of_span) for prefix in ("start", "end")
        )
        return " + ".join(f"coalesce({figure}, 0)" for figure in figures) + " > 0"

    is_running = f"is_end_missing and state_number = {RUNNING_NO}"
    if is_open:
        is_running = f"is_end_missing and (state_number = {RUNNING_NO} or elapsed_s is null)"
    flags = [f"l{number}.flags" for number in range(len(groups))]
    more_flags = ["flags"]
    if not zones.is_fixed:
        more_flags += [
            f"case when {is_any(lambda span: int(span.is_repeated))} then {FLAGS['repeated']} else 0 end",
            f"case when {is_any(lambda span: int(span.is_skipped))} then {FLAGS['skipped']} else 0 end",
        ]
    if "elapsed" in table.fields:
        more_flags.append(
            f"case when is_end_missing and has_elapsed and elapsed_s is null then {FLAGS['bad_duration']} else 0 end"
        )
    as_they_stand = "t.priority, t.is_priority_bad, " if "priority" in table.fields else ""
    as_they_stand += "t.has_no_node, " if table.has_no_node != "false" else ""
    queue = table.queue_times
    queue_clocks = "".join(
        f"coalesce(t.{field}_clock_s, {said[f'{field}_read_s']}) as {field}_clock_s, " for field in queue
    )
    queue_instants = "".join(
        f", {field}_clock_s - {queue_zones.figure(f'{field}_rest', f'{field}_clock_s', earlier)} as {field}_at_s"
        for field in queue
    )
    in_range = f"between {EARLIEST_S} and {LATEST_S - 1}"
    queue_columns = "".join(
        f", case when {field}_at_s {in_range} then {field}_at_s end as {field}_s" for field in queue
    )
    if queue:
        are_bad = " or ".join(
            f"(has_{field} and coalesce({field}_at_s not {in_range}, true))" for field in queue
        )
        more_flags.append(f"case when {are_bad} then {FLAGS['bad_time']} else 0 end")
    if "time_limit" in table.fields:
        queue_columns += ", limit_s as time_limit_s"
    if "priority" in table.fields:
        queue_columns += ", priority"
        more_flags.append(f"case when is_priority_bad then {FLAGS['bad_number']} else 0 end")
    lacks_end = (
        "false" if table.end_is_elapsed or is_open else f"is_end_missing and state_number <> {RUNNING_NO}"
    )
    no_start = "not has_start and not is_end_missing and stated_end_s is not null" if is_open else "false"
    bad_elapsed = (
        f"when is_end_missing and elapsed_s is null "
        f"and (has_elapsed or state_number <> {RUNNING_NO} and {not is_open}) then {code_number('bad_duration')}"
        if table.end_is_elapsed
        else ""
    )
    bad_time = code_number("bad_time")
    never_began = never_ran = ""
    if table.tells_beginnings:
        is_over = f"state_id > 0 and state_number <> {RUNNING_NO} and not ({is_short or 'false'})"
        never_began = f"when not has_start and {is_over} then {code_number('never_started')}"
    if table.has_no_node != "false":
        never_ran = (
            f"when has_no_node and stated_end_s = start_s and state_number <> {RUNNING_NO} "
            f"then {code_number('never_started')}"
        )
    later_end = (
        "when end_early_s < start_s and end_late_s >= start_s then end_late_s" if not zones.is_fixed else ""
    )
    long_row = f"when {is_long} then {code_number(LONG)}" if is_long else ""
    columns = f"""{file} as file, line, case
            {long_row}
            when state_number = {PENDING_NO} then {code_number("pending")}
            when state_number = {CANCELLED_NO} and not has_start then {code_number("never_started")}
            {never_began}
            when start_fault is not null or end_fault is not null then {code_number("unknown_timezone")}
            when (start_s is null and not ({no_start})) or start_s not {in_range} then {bad_time}
            when {lacks_end} then {bad_time}
            when not is_end_missing and stated_end_s is null then {bad_time}
            when stated_end_s not {in_range} then {bad_time}
            {bad_elapsed}
            when stated_end_s < start_s then {code_number("end_before_start")}
            {never_ran}
            when gpus_code is not null then gpus_code
            else 0 end as code,
        kind, name_id, {trimmed("job_id")} as job_id, coalesce(stated_model_id, gpus_model_id) as model_id, state_id,
        milli_gpus, coalesce(gpus_nodes, nodes_read) as nodes, start_s,
        {"stated_end_s" if table.end_is_elapsed else f"case when {lacks_end} then null else stated_end_s end"} as end_s,
        {is_running} as is_running, activity_read as activity_milli_percent, {trimmed("hosts")} as hosts,
        {" | ".join(more_flags)} as flags{queue_columns}"""
    joins = " ".join(
        f"join look{number} l{number} on l{number}.key = t.key{number}" for number in range(len(groups))
    )
    passed = ", ".join(f"{sql} as {column}" for column, sql in said.items() if not column.endswith("_read_s"))
    return (
        columns,
        f"""from (
        select *, case when is_end_missing then start_s + elapsed_s {later_end} else end_early_s end as stated_end_s
        from (
            select *, {instant("start", earlier)} as start_s, {instant("end", earlier)} as end_early_s,
                {instant("end", lambda span: span.later_offset_s)} as end_late_s{queue_instants}
            from (
                select t.line, t.job_id, t.hosts, l0.kind, {as_they_stand} {" | ".join(flags)} as flags,
                    coalesce(t.start_clock_s, {said["start_read_s"]}) as start_clock_s,
                    coalesce(t.end_clock_s, {said["end_read_s"]}) as end_clock_s,
                    coalesce(t.elapsed_quick_s, {said["elapsed_read_s"]}) as elapsed_s,
                    {queue_clocks}{passed}
                from {marks_of(table)} t {joins} where not t.is_ignored
            )
        )
    )""",
    )


def _rejected_rows(engine: Engine, table: JobTable, raw: RawTable, file: int) -> tuple[RejectedRow, ...]:
    """The first rejected rows of each code with their own text, read again from the file.

    Only these are kept whole.
    """
    ignored = ", ".join(str(code_number(code)) for code in IGNORED_CODES)
    found: list[tuple[Any, ...]] = engine.all(
        f"""select line, code, start_s is not null, end_s is not null from {JOBS}
        where file = {file} and code not in (0, {ignored})
        qualify row_number() over (partition by code order by line) <= {REJECTED_ROWS_KEPT} order by line"""
    )
    if not found:
        return ()
    import numpy as np

    records_at(engine, raw, "rejected", np.array([row[0] for row in found], dtype=np.int64))
    stage_texts(engine, table, "rejected", len(found))
    texts = {
        row[0]: row[1:]
        for row in engine.all(
            f'select line, t."start", t."end", t.elapsed, t.gpus, {raw.row_text}, {raw.row_cells} '
            "from texts t join rejected r using (line)"
        )
    }
    drop(engine, "rejected")
    rows = []
    unstated = worded("empty or unknown")

    for line, number, is_start_read, is_end_read in found:
        code = CODES[number - 1]
        start, end, elapsed, gpus, text, cells = texts[line]
        beyond = raw.ragged.beyond.get(line, ()) if code == LONG else ()
        if code == LONG:
            value = long_words((*cells, *beyond), len(cells))
        elif code == "bad_number" and is_numbered(gpus or ""):
            rows.append(_unnamed(line, gpus, raw, text, cells))
            continue
        elif code == "bad_number":
            value = worded("gpus is {gpus}", gpus=repr(gpus))
        elif code == "negative_gpus":
            value = worded("gpus is {gpus}", gpus=gpus)
        elif code == "bad_duration":
            value = worded("the duration is {elapsed}", elapsed=elapsed or worded("empty"))
        elif elapsed and not end:
            value = worded(
                "start is {start}, the duration is {elapsed}", start=start or unstated, elapsed=elapsed
            )
        else:
            value = worded("start is {start}, end is {end}", start=start or unstated, end=end or unstated)
        lacks_one = (not end and not elapsed and is_start_read) or (not start and is_end_read)
        message = joined((value, issue_message(code)), ": ")
        rows.append(
            RejectedRow(
                line,
                code,
                joined((message, KEPT_IF_OPEN), "; ") if lacks_one and code in OPEN_CODES else message,
                raw.delimiter.join((text, *beyond)),
                (*cells, *beyond),
            )
        )
    return tuple(rows)


def _unnamed(line: int, gpus: str, raw: RawTable, text: str, cells: Sequence[str]) -> RejectedRow:
    """A row whose GPUs stand by a number that only the cluster can explain."""
    what = joined((worded("gpus is {gpus}", gpus=repr(gpus)), numbers_words([gpus])), ": ")
    return RejectedRow(line, "bad_number", joined((what, HOW_TO_NAME), "; "), text, tuple(cells))
