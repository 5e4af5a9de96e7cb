"""Texts of a log: every field trimmed, and times in their usual form read."""

from gpuplanner.files.job_logs.judging.dialect import QUEUE_FIELDS, TEXT_FIELDS, JobTable
from gpuplanner.files.job_logs.judging.sql_forms import is_usual_time, trimmed, whole_seconds, zone_text
from gpuplanner.files.system.engine import Engine
from gpuplanner.files.values.times import LONGEST_MISSING_TEXT, MISSING_TEXTS


def stage_texts(engine: Engine, table: JobTable, records: str) -> None:
    """`texts` of the table `records`: line, every field trimmed or null, times read in their usual form."""
    missing = ", ".join(f"'{word}'" for word in MISSING_TEXTS)
    there = [field for field in (*TEXT_FIELDS, *QUEUE_FIELDS) if field in table.fields]
    plain = [f'{table.fields[field]} as "{field}"' for field in there]
    columns = ["line"]
    for field in dict.fromkeys((*TEXT_FIELDS, *there)):
        text = trimmed(f'"{field}"') if field in there else "null::varchar"
        columns.append(f'{text} as "{field}"')
    times = []
    for field in ("start", "end", "elapsed", *table.queue_times):
        if field in there:
            is_time = f'length("{field}") > {LONGEST_MISSING_TEXT} or lower("{field}") not in ({missing})'
            times.append(f'case when {is_time} then "{field}" end as "{field}"')
    said = f"* replace ({', '.join(times)})" if times else "*"
    rows = f'select {", ".join(columns)} from (select {", ".join(["line", *plain])} from "{records}")'
    parts = [
        "*",
        *(
            part
            for field in ("start", "end", *table.queue_times)
            for part in _time_parts(f'"{field}"', field, table.clock_unit(field))
        ),
        f"({whole_seconds('elapsed', table.elapsed_unit)}) as elapsed_quick_s",
    ]
    engine.run(
        f"create or replace {engine.once} texts as select {', '.join(parts)} from (select {said} from ({rows}))"
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
