"""Texts: every field of a log trimmed, times in their usual form read; what is unusual is left to Python, once each."""

from collections.abc import Sequence
from typing import Final

from gpuplanner.files.job_logs.judging.dialect import QUEUE_FIELDS, TEXT_FIELDS, JobTable
from gpuplanner.files.job_logs.judging.row_marks import Group, is_usual_time, whole_seconds, zone_text
from gpuplanner.files.sources.raw_table import drop
from gpuplanner.files.system.engine import Engine
from gpuplanner.files.values.durations import read_duration, read_seconds, read_time_limit
from gpuplanner.files.values.states import finality, read_state
from gpuplanner.files.values.times import LONGEST_MISSING_TEXT, MISSING_TEXTS, LocalTime, read_time
from gpuplanner.files.values.zone_sql import Zones

_KEPT_ROWS_AT_MOST: Final = 20_000
_BLANKS: Final = " \t\r\n"


def stage_texts(engine: Engine, table: JobTable, records: str, count: int) -> None:
    """`texts` of the table `records`: line, every field trimmed or null, times read in their usual form.

    count: of records, as for `kept_as`.
    """
    columns = ["line"]
    missing = ", ".join(f"'{word}'" for word in MISSING_TEXTS)
    queue = [field for field in QUEUE_FIELDS if field in table.fields]
    for field in (*TEXT_FIELDS, *queue):
        text = trimmed(table.fields[field]) if field in table.fields else "cast(null as varchar)"
        if field in ("start", "end", "elapsed", *table.queue_times):
            is_time = f"length({text}) > {LONGEST_MISSING_TEXT} or lower({text}) not in ({missing})"
            text = f"case when {is_time} then {text} end"
        columns.append(f'{text} as "{field}"')
    parts = [
        "*",
        *(
            part
            for field in ("start", "end", *table.queue_times)
            for part in _time_parts(f'"{field}"', field, table.clock_unit(field))
        ),
        f"({whole_seconds('elapsed', table.elapsed_unit)}) as elapsed_quick_s",
    ]
    drop(engine, "texts")
    engine.run(
        f"create {kept_as(count)} texts as select {', '.join(parts)} "
        f'from (select {", ".join(columns)} from "{records}")'
    )


def kept_as(count: int) -> str:
    """Whether what is asked for several times is kept or made again.

    Of a few rows, to plan it is all that it costs.

    >>> kept_as(10), kept_as(10**9)
    ('table', 'view')
    """
    return "table" if count <= _KEPT_ROWS_AT_MOST else "view"


def trimmed(text: str) -> str:
    """SQL: without blanks around it, null where nothing is left. Looking for blanks is much cheaper than trimming."""
    ends = " or ".join(f"suffix({text}, '{blank}')" for blank in _BLANKS)
    return (
        f"case when {text} >= '!' and not ({ends}) then {text} else nullif(trim({text}, '{_BLANKS}'), '') end"
    )


def _time_parts(text: str, prefix: str, unit: str | None) -> tuple[str, str]:
    """SQL for a time's own clock in seconds (null where the form is unusual) and what it says of its zone."""
    if unit is not None:
        return f"({whole_seconds(text, unit)}) as {prefix}_clock_s", f"'Z' as {prefix}_rest"
    return (
        f"case when {is_usual_time(text)} then epoch_us(try_cast(left({text}, 19) as timestamp)) // 1000000 end "
        f"as {prefix}_clock_s",
        f"case when {is_usual_time(text)} then {zone_text(text)} end as {prefix}_rest",
    )


# --- What only Python reads: distinct values ---------------------------------------------------


def map_times(
    engine: Engine, table: JobTable, groups: Sequence[Group], timezone: str | None, fields: Sequence[str]
) -> Zones:
    """Of these fields tables of the times in unusual forms, and what the zone texts of all their times mean."""
    clocks: dict[str, tuple[int, int]] = {}

    def note(rest: str | None, first_s: int | None, last_s: int | None) -> None:
        """Widens the span in which a zone's text occurs: only within it its offsets are looked up."""
        if rest is not None and first_s is not None and last_s is not None:
            known = clocks.get(rest, (first_s, last_s))
            clocks[rest] = (min(first_s, known[0]), max(last_s, known[1]))

    for prefix in fields:
        for number, group in enumerate(groups):
            if prefix in group.fields:
                for row in engine.all(
                    f"""select {prefix}_rest, min(coalesce(first_{prefix}_s, {prefix}_clock_s)), min({prefix}_clock_s),
                        max(coalesce(last_{prefix}_s, {prefix}_clock_s)), max({prefix}_clock_s)
                    from group{number} join texts using (line) where {prefix}_clock_s is not null group by all"""
                ):
                    note(row[0], min(row[1:3]), max(row[3:5]))
        odd = _distinct(engine, f'"{prefix}"', f"{prefix}_clock_s is null")
        local = [read_odd_time(text, table.clock_unit(prefix)) for text in odd]
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
    return Zones(clocks, timezone)


def map_durations(engine: Engine, table: JobTable) -> None:
    """A table of the elapsed times in unusual forms, and one of all time limits, where the log has any.

    The tables are elapsed_odd and limits_read, with null for a text that is no duration.
    """
    odd = _distinct(engine, "elapsed", 'elapsed_quick_s is null and "end" is null')
    unit = table.elapsed_unit
    read = {"elapsed_odd": (odd, [read_duration(text, unit) for text in odd])}
    if "time_limit" in table.fields:
        said, unit = _distinct(engine, "time_limit"), table.queue_units.get("time_limit", "s")
        read["limits_read"] = (said, [read_time_limit(text, unit) for text in said])
    for name, (texts, seconds) in read.items():
        engine.keep(name, {"text": texts, "seconds": seconds}, {"text": "varchar", "seconds": "bigint"})


def read_odd_time(text: str, unit: str | None) -> LocalTime | None:
    """A time in an unusual form: ISO 8601, or a number in a unit counted from 1970 UTC.

    None where it is none.

    unit: as a mapping states it; None for text. A number has the zone Z.

    >>> read_odd_time("1769835600", "epoch_s"), read_odd_time("soon", None)
    (LocalTime(clock_s=1769835600, zone_text='Z'), None)
    """
    if unit is None:
        return read_time(text)
    seconds = read_seconds(text, unit)
    return None if seconds is None else LocalTime(seconds, "Z")


def map_words(engine: Engine, table: JobTable) -> None:
    """Reads each different text of GPUs and of states once in Python.

    The engine keeps the readings as tables.
    """
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
    """The different texts of a column; null is left out."""
    found = engine.all(f"select distinct {column} from texts where {column} is not null and {where}")
    return [row[0] for row in found]
