"""Texts: every field of a log trimmed, times in their usual form read; what is unusual is left to Python, once each."""

from gpuplanner.files.engine import Engine
from gpuplanner.files.job_logs.durations import read_duration, read_seconds
from gpuplanner.files.job_logs.job_table import TEXT_FIELDS, JobTable
from gpuplanner.files.job_logs.states import finality, read_state
from gpuplanner.files.job_logs.times import LONGEST_MISSING_TEXT, MISSING_TEXTS, LocalTime, read_time
from gpuplanner.files.job_logs.zone_sql import Zones


def stage_texts(engine: Engine, table: JobTable) -> None:
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


def map_times(engine: Engine, table: JobTable, timezone: str | None) -> Zones:
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


def map_words(engine: Engine, table: JobTable) -> None:
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
