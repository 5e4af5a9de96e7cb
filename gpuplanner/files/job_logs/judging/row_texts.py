"""Texts of a log: a number for each different one, trimmed and read by the groups of their fields."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from gpuplanner.domain.model.tables import POOLS
from gpuplanner.files.job_logs.judging.dialect import QUEUE_FIELDS, QUEUE_TIMES, TEXT_FIELDS, JobTable
from gpuplanner.files.job_logs.judging.job_store import (
    CODES,
    FLAGS,
    KINDS,
    MODELS,
    NAMES,
    STATES,
    code_number,
)
from gpuplanner.files.sources.raw_table import RawTable, read_records, records_at
from gpuplanner.files.system.engine import Engine
from gpuplanner.files.system.resources import plain_table
from gpuplanner.files.values.durations import read_duration, read_seconds, read_time_limit
from gpuplanner.files.values.job_states import CANCELLED, PENDING, RUNNING, finality, read_state
from gpuplanner.files.values.times import LONGEST_MISSING_TEXT, MISSING_TEXTS, ClockSpan, LocalTime, read_time
from gpuplanner.files.values.zones_in_sql import Zones
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.lazy_re import lazy_re

# --- Marks: one pass over the records that keeps a number for every text, so that each different one is read but once

MARKS: Final = "marks"
"""The engine's table or view of every record: line, is_ignored, job_id, hosts and qos (as they stand), start_clock_s,
end_clock_s and elapsed_quick_s (null where the form is unusual), of QUEUE_TIMES submit_clock_s and eligible_clock_s,
priority and is_priority_bad, the quantities of the table's stated columns, and key0, key1, ...: one number for all that
the fields of a group say."""

GROUPS: Final = "row_groups"
"""The engine's table of what the records of each group say: place (of the group), key (or text, of a group that has
texts), line of a record that says so, and of a group with times the usual ones: first_start_s and last_start_s, ...,
by their own clock."""

PICKED: Final = "picked"
"""The engine's table of some records, among them one for each number of each group."""

WHO: Final = ("cluster", "account", "user", "queue", "gpu_model", "label", "model")
"""The fields of the first group, whatever they say: few of all thinkable mixtures ever run a job."""

_BY_ITSELF: Final = ("job_id", "hosts", "priority", "qos")  # kept row by row
_AS_TEXT: Final = ("job_id", "hosts", "qos")
_TIMES: Final = ("start", "end", *QUEUE_TIMES)
_SAMPLE_ROWS: Final = {"view": 20_000, "table": 2_048}  # by Engine.once
_ALONE_ABOVE: Final = (
    0.03  # different values by record: a field of so many would make too many kinds of record
)
_KINDS_ABOVE: Final = 0.3
_TEXT_ABOVE: Final = 0.5
_COLUMN: Final = lazy_re(r"\bc\d+\b")
_LINE: Final = lazy_re(r"\bline\b")


@dataclass(frozen=True, slots=True)
class Group:
    """Fields that are looked up together. has_texts: its key is the text of its only field, which is `name`."""

    fields: tuple[str, ...]
    has_texts: bool = False


def mark_rows(engine: Engine, table: JobTable) -> tuple[RawTable, tuple[Group, ...]]:
    """MARKS, GROUPS and PICKED; where the records are from now on, and the groups: key0 is of the first, and so on."""
    columns = [f"{sql} as {column}" for column, sql in _row_by_row(table).items()]
    is_plain = table.raw.regular is not None or _is_plain(engine, table)
    groups = _groups(engine, table, is_plain=is_plain)
    for number, group in enumerate(groups):
        columns.append(f"{_key(table, group, is_plain=is_plain)} as key{number}")
    raw = read_records(engine, table.raw, MARKS, ", ".join(columns), upto=0.65)
    grouped = []
    for number, group in enumerate(groups):
        clocks = "".join(
            f", {best}({field}_clock_s) as {name}_{field}_s"
            for field in _TIMES
            if field in group.fields
            for best, name in (("min", "first"), ("max", "last"))
        )
        grouped.append(
            f"""select {number} as place, key{number} as {"text" if group.has_texts else "key"},
                min(line) as line{clocks}
            from {marks_of(table)} where not is_ignored group by key{number}"""
        )
    engine.run(f"create or replace table {GROUPS} as {' union all by name '.join(grouped)}")
    records_at(
        engine,
        raw,
        PICKED,
        np.unique(engine.columns(f"select line from {GROUPS} where key is not null")["line"]),
    )
    return raw, groups


def _row_by_row(table: JobTable) -> dict[str, str]:
    """SQL by column of MARKS that is no key. What no record has is left to `marks_of`: a null takes room, too."""
    columns = {field: table.fields[field] for field in _AS_TEXT if field in table.fields}
    columns |= {column.quantity: column.number for column in table.stated}
    if table.is_ignored != "false":
        columns["is_ignored"] = f"coalesce({table.is_ignored}, false)"
    if table.has_no_node != "false":
        columns["has_no_node"] = table.has_no_node
    for field in _TIMES:
        if field in table.fields:
            columns[f"{field}_clock_s"] = _clock(table.fields[field], table.clock_unit(field))
    if "priority" in table.fields:
        text = table.fields["priority"]
        columns["priority"] = _whole_number(text)
        columns["is_priority_bad"] = (
            f"case when {_whole_number(text)} is null then {_is_stated(text)} else false end"
        )
    if "elapsed" in table.fields:
        columns["elapsed_quick_s"] = _quick_elapsed(table)
    return columns or {"nothing": "false"}


def marks_of(table: JobTable) -> str:
    """SQL for MARKS with all of its columns.

    A column that the log has not is null there, or what stands for none.
    """
    kept = _row_by_row(table)
    absent = [f"{sql} as {column}" for column, sql in _ABSENT.items() if column not in kept]
    return f"(select *{''.join(f', {sql}' for sql in absent)} from {MARKS})"


_ABSENT: Final = plain_table("row_absent")


def _groups(engine: Engine, table: JobTable, *, is_plain: bool) -> tuple[Group, ...]:
    """Which fields to look up together, by how many different values the first records have."""
    said = (*TEXT_FIELDS, *QUEUE_FIELDS)
    fields = [field for field in said if field in table.fields and field not in _BY_ITSELF]
    hashes = [f'{_hash(table, (field,), is_plain=is_plain)} as "{field}"' for field in fields]
    sample = f'(select * from "{table.raw.name}" limit {_SAMPLE_ROWS[engine.once]})'
    jobs = engine.columns(
        f"select {', '.join(['line', *hashes])} from {sample} where not coalesce({table.is_ignored}, false)"
    )  # how they go together is worked out of these: to ask for each combination takes as long again
    records = len(jobs["line"])
    share = {
        field: len(np.unique(jobs[field])) for field in fields
    }  # far quicker than to plan as many counts
    who = tuple(field for field in fields if field in WHO)
    alone = [field for field in fields if field not in WHO and share[field] > _ALONE_ABOVE * records]
    what = sorted({*fields} - {*who, *alone}, key=lambda field: (share[field], fields.index(field)))
    while what and _together(jobs, what) > _KINDS_ABOVE * records:
        alone.append(what.pop())  # what says most differs most
    return (
        Group(who),
        *((Group(tuple(what)),) if what else ()),
        *(Group((field,), field == "name" and share[field] > _TEXT_ABOVE * records) for field in alone),
    )


def _together(jobs: Mapping[str, Any], fields: Sequence[str]) -> int:
    """How many different values of these fields there are. jobs: a hash of each field."""
    odd = range(1, 2 * len(fields), 2)
    return len(np.unique(sum(jobs[field] * np.uint64(by) for field, by in zip(fields, odd, strict=True))))


def _key(table: JobTable, group: Group, *, is_plain: bool) -> str:
    """SQL of what tells the texts of a group apart.

    The text itself where the group keeps it, else a hash of its fields.
    """
    if group.has_texts:
        return f"coalesce({table.fields[group.fields[0]]}, '')"
    return _hash(table, group.fields, is_plain=is_plain)


def _is_plain(engine: Engine, table: JobTable) -> bool:
    """Whether the records have no other columns than their line and texts, so that those tell all that a field says."""
    names = [name for name, *_ in engine.all(f'describe "{table.raw.name}"')]
    return all(name == "line" or _COLUMN.fullmatch(name) for name in names)


def _columns_of(text: str) -> list[str]:
    """The columns that SQL over a record looks at, or the SQL itself where it looks at more."""
    columns = list(dict.fromkeys(_COLUMN.findall(text)))
    return [text] if not columns or _LINE.search(text) else columns


def _hash(table: JobTable, fields: tuple[str, ...], *, is_plain: bool) -> str:
    """SQL for one number of all that these fields say; is_plain: see `_is_plain`."""
    notes: list[str] = []
    times: list[tuple[str, str]] = []
    for field in fields:
        text = table.fields[field]
        if field in _TIMES:
            unit = table.clock_unit(field)
            times.append((_is_plain_utc(text, unit), _unread_of_time(text, unit)))
        elif field == "elapsed":
            quick, end = _quick_elapsed(table), _clock(table.fields.get("end"), table.end_unit)
            notes += [
                f"({quick}) is null",
                f"case when ({quick}) is null and ({end}) is null then coalesce({text}, '') end",
            ]
        else:
            notes += _columns_of(text) if is_plain else [text]
    if times:  # most logs say one thing for all of them, and nothing is to be hashed
        are_plain, others = (
            " and ".join(plain for plain, _ in times),
            ", ".join(other for _, other in times),
        )
        notes.append(f"case when {are_plain} then 0 else hash({others}) end")
    return f"hash({', '.join(notes or ['0'])})"


# --- Forms that SQL reads, row by row ---------------------------------------------------------


_NOTHING: Final = "|".join(("", *filter(None, MISSING_TEXTS)))


def _is_stated(text: str) -> str:
    """SQL: whether a text says something. Of an `in` of many words the engine makes a join, which loses the order."""
    return f"not regexp_full_match(lower(trim(coalesce({text}, ''))), '{_NOTHING}')"


def _whole_number(text: str) -> str:
    """SQL for a number, fractions cut off; null where it is none."""
    return f"try_cast(trunc(try_cast({text} as double)) as bigint)"


def _clock(text: str | None, unit: str | None) -> str:
    """SQL for a time's own clock in seconds, null where the form is unusual or 32 bits do not hold it."""
    if text is None:
        return "null::int"
    if unit is not None:
        return f"try_cast({whole_seconds(text, unit)} as int)"
    return (
        f"try_cast(case when {text} like '____-__-__T__:__:__Z' "
        f"then epoch_us(try_cast({text} as timestamp)) // 1000000 "
        f"when {is_usual_time(text)} then epoch_us(try_cast(left({text}, 19) as timestamp)) // 1000000 end as int)"
    )


def _unread_of_time(text: str, unit: str | None) -> str:
    """SQL for one text of what is not in a time's clock: of its zone, or all of a time in an unusual form."""
    zone = "'Z'" if unit is not None else f"'zone ' || {zone_text(text)}"
    return f"case when ({_clock(text, unit)}) is not null then {zone} else 'time ' || {text} end"


def _is_plain_utc(text: str, unit: str | None) -> str:
    """SQL: whether a time's clock tells all of it, since it is one of UTC."""
    is_utc = f" and strlen({text}) = 20 and suffix({text}, 'Z')" if unit is None else ""
    return f"({_clock(text, unit)}) is not null{is_utc}"


def is_usual_time(text: str) -> str:
    """SQL: whether a time has the form that SQL reads."""
    return f"({text} like '____-__-__T__:__:__%' or {text} like '____-__-__ __:__:__%')"


def zone_text(text: str) -> str:
    """SQL for what follows the seconds, and a fraction of one, of a usual time.

    text: SQL of a time for which `is_usual_time` holds.
    """
    rest = f"substr({text}, 20)"
    return (
        f"case when left({rest}, 1) in ('.', ',') then ltrim(substr({rest}, 2), '0123456789') else {rest} end"
    )


def _quick_elapsed(table: JobTable) -> str:
    """SQL for a plain duration, where the end does not tell it already."""
    if "elapsed" not in table.fields:
        return "null::int"
    end = _clock(table.fields.get("end"), table.end_unit)
    seconds = whole_seconds(table.fields["elapsed"], table.elapsed_unit)
    return f"case when ({end}) is null then try_cast({seconds} as int) end"


def whole_seconds(text: str, unit: str) -> str:
    """SQL for a whole number in a unit, in seconds; null for anything else.

    unit: s, epoch_s, min, h or epoch_ms; what is less than a second is cut off.
    """
    factor = {"s": "* 1", "epoch_s": "* 1", "min": "* 60", "h": "* 3600", "epoch_ms": "// 1000"}[unit]
    number = f"try_cast({text} as bigint)"
    is_plain = f"{text} >= '0' and length({text}) <= 14 and cast({number} as varchar) = {text}"
    return f"case when {is_plain} then {number} {factor} end"


# --- Texts: every field of a log trimmed, times in their usual form read; what is unusual is left to Python, once each

_BLANKS: Final = " \t\r\n"


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


def trimmed(text: str) -> str:
    """SQL: without blanks around it, null where nothing is left. Looking for blanks is much cheaper than trimming."""
    ends = " or ".join(f"suffix({text}, '{blank}')" for blank in _BLANKS)
    within = f"nullif(trim({text}, '{_BLANKS}'), '')"
    return f"case when {text} >= '!' and not ({ends}) then {text} else {within} end"


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


def map_texts(
    engine: Engine, table: JobTable, groups: Sequence[Group], timezone: str | None
) -> tuple[Zones, Zones]:
    """Tables of what only Python reads of `texts`, each different one once, and what the zones of times mean.

    times_read has the times in unusual forms, the elapsed times in such, and all time limits; null for what is none.
    gpu_readings and states are there where the log has such a field. Zones: of starts and ends, and of queue times.
    """
    clocks: tuple[dict[str, tuple[int, int]], dict[str, tuple[int, int]]] = ({}, {})

    def note(field: str, rest: str, first_s: int, last_s: int) -> None:
        """Widens the span in which a zone's text occurs: only within it its offsets are looked up."""
        of_field = clocks[field in QUEUE_TIMES]
        known = of_field.get(rest, (first_s, last_s))
        of_field[rest] = (min(first_s, known[0]), max(last_s, known[1]))

    times = [field for field in _TIMES if field in table.fields]
    spans = [
        f"""select '{field}', {field}_rest,
            least(min(coalesce(first_{field}_s, {field}_clock_s)), min({field}_clock_s)),
            greatest(max(coalesce(last_{field}_s, {field}_clock_s)), max({field}_clock_s))
        from {GROUPS} join texts using (line)
        where place = {number} and {field}_clock_s is not null and {field}_rest is not null group by all"""
        for number, group in enumerate(groups)
        for field in times
        if field in group.fields
    ]
    for row in engine.all(" union all ".join(spans)) if spans else ():
        note(*row)
    only_here = {
        **{field: f"{field}_clock_s is null" for field in times},
        "elapsed": 'elapsed_quick_s is null and "end" is null',
        **dict.fromkeys(("time_limit", "gpus", "state"), "true"),
    }
    texts: dict[str, list[str]] = {field: [] for field in only_here if field in table.fields}
    distinct = [
        f"""select distinct '{field}', "{field}" from texts where "{field}" is not null and {only_here[field]}"""
        for field in texts
    ]
    for field, text in engine.all(" union all ".join(distinct)) if distinct else ():
        texts[field].append(text)
    read: list[tuple[str, str, int | None, str | None]] = []
    for field in times:
        for text in texts[field]:
            at = read_odd_time(text, table.clock_unit(field))
            read.append((field, text, at.clock_s if at else None, at.zone_text if at else None))
            if at:
                note(field, at.zone_text, at.clock_s, at.clock_s)
    read += [
        ("elapsed", text, read_duration(text, table.elapsed_unit), None) for text in texts.get("elapsed", ())
    ]
    unit = table.queue_units.get("time_limit", "s")
    read += [("time_limit", text, read_time_limit(text, unit), None) for text in texts.get("time_limit", ())]
    kinds = {"field": "varchar", "text": "varchar", "seconds": "bigint", "rest": "varchar"}
    engine.keep("times_read", {name: [row[at] for row in read] for at, name in enumerate(kinds)}, kinds)
    _map_words(engine, table, texts)
    return Zones(clocks[0], timezone), Zones(clocks[1], timezone)


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


def _map_words(engine: Engine, table: JobTable, texts: Mapping[str, list[str]]) -> None:
    """Keeps what the different texts of GPUs and of states say."""
    if "gpus" in texts:
        kinds = {
            "milli_gpus": "bigint",
            "fault": "varchar",
            "gpu_model": "varchar",
            "nodes": "int",
            "is_mixed": "boolean",
            "is_other": "boolean",
        }
        readings = [table.read_gpus(text) for text in texts["gpus"]]
        columns = {name: [getattr(reading, name) for reading in readings] for name in kinds}
        engine.keep("gpu_readings", {"text": texts["gpus"], **columns}, {"text": "varchar", **kinds})
    if "state" in texts:
        states = [read_state(text) for text in texts["state"]]
        engine.keep(
            "states",
            {"text": texts["state"], "state": states, "finality": [finality(state) for state in states]},
            {"text": "varchar", "state": "varchar", "finality": "int"},
        )


# --- Readings: what every different text of a log says, by the groups of fields whose texts stand together

PENDING_NO, CANCELLED_NO, RUNNING_NO = 1, 2, 3
"""Numbers of the states that decide how a row ends; 0: any other."""
_STATES: Final = {PENDING: PENDING_NO, CANCELLED: CANCELLED_NO, RUNNING: RUNNING_NO}


def read_groups(engine: Engine, table: JobTable, groups: Sequence[Group], zones: Zones) -> None:
    """`readings` of `texts`, for `look_up`, and look0 of the first group; KINDS, NAMES and MODELS grow by them."""
    if "name" in table.fields:
        _note_names(engine, groups)
    if models := [sql for field, sql in _MODELS_OF.items() if field in table.fields]:
        _note_models(engine, models)
    if "state" in table.fields:
        _note_states(engine)
    labels = ", ".join(f"'{pool}'" for pool in POOLS)
    faults = " ".join(f"when '{code}' then {code_number(code)}" for code in CODES)
    states = " ".join(f"when '{state}' then {number}" for state, number in _STATES.items())
    number = "try_cast(t.nodes as double)"
    percent = "try_cast(rtrim(t.activity, '% ') as double)"
    naive = FLAGS["naive"] + FLAGS["mixed_zones"] * zones.has_zoned
    bad = FLAGS["bad_number"]
    by_field = {  # what the log has not is looked up nowhere
        "elapsed": """coalesce(t.elapsed_quick_s, lo.seconds) as elapsed_read_s, t.elapsed is not null as has_elapsed
            | left join times_read lo on lo.field = 'elapsed'
                and lo.text = case when t.elapsed_quick_s is null then t.elapsed end""",
        "gpus": f"""coalesce(g.milli_gpus, 0) as milli_gpus, case g.fault {faults} end as gpus_code,
            case when g.is_mixed then {FLAGS["mixed_models"]} when g.is_other then {FLAGS["other_accelerator"]} else 0
            end as gpus_flags,
            gm.id as gpus_model_id, g.nodes as gpus_nodes
            | left join gpu_readings g on g.text = t.gpus left join {MODELS} gm on gm.text = g.gpu_model""",
        "gpu_model": f"sm.id as stated_model_id | left join {MODELS} sm on sm.text = t.gpu_model",
        "state": f"""st.id as state_id, case st.text {states} else 0 end as state_number
            | left join states s on s.text = t.state left join {STATES} st on st.text = coalesce(s.state, '')""",
        "nodes": f"""case when {number} = floor({number}) and {number} between 1 and 1e6 then cast({number} as int) end
            as nodes_read,
            case when t.nodes is not null and nodes_read is null then {bad} else 0 end as nodes_flags |""",
        "activity": f"""case when {percent} between 0 and 100 then cast(round({percent} * 1000) as int) end
            as activity_read,
            case when t.activity is not null and activity_read is null then {bad} else 0 end as activity_flags |""",
        "label": f"""case when t.label is not null and lower(t.label) not in ({labels}) then {FLAGS["bad_label"]} else 0
            end as label_flags |""",
        "name": f"n.id as name_id | left join {NAMES} n on n.text = coalesce(t.name, '')",
        "time_limit": f"""nullif(lr.seconds, 0)::int as limit_s, case when t.time_limit is not null
            and lr.seconds is null then {FLAGS["bad_duration"]} else 0 end as time_limit_flags
            | left join times_read lr on lr.field = 'time_limit' and lr.text = t.time_limit""",
        **{field: _time_readings(field) for field in _TIMES},
    }
    said = [said.rsplit("|", 1) for field, said in by_field.items() if field in table.fields]
    of_times = "".join(
        f""", {zones.fault(f"{field}_rest")} as {field}_fault, {_fixed(zones, field)} as {field}_offset_s,
            case when {zones.is_naive(f"{field}_rest")} then {naive} else 0 end as {field}_flags"""
        for field in ("start", "end")
        if field in table.fields
    )
    engine.run(
        f"""create or replace {engine.once} readings as select *{of_times} from (
            select t.line, t.cluster, t.account, t."user", t.queue, t.model,
                case when lower(t.label) in ({labels}) then lower(t.label) end as label,
                {", ".join(sql for sql, _ in said)}
            from texts t {" ".join(joins for _, joins in said)}
        )"""
    )
    engine.run(f"create or replace table look0 as {look_up(0, groups[0])}")
    engine.run(
        f"""insert into {KINDS} select kind, coalesce(cluster, ''), account, "user", queue, label,
            model from look0 join readings r using (line)"""
    )


def look_up(place: int, group: Group) -> str:
    """SQL of the keys of a group and what its fields say; of the first group also a new number for each kind."""
    if group.has_texts:
        return f"""select g.text as key, n.id as name_id, 0 as flags from {GROUPS} g
            join {NAMES} n on n.text = coalesce({trimmed("g.text")}, '') where g.place = {place}"""
    columns = [column for field in group.fields for column in SAYS.get(field, ())]
    flags = [f"{field}_flags" for field in group.fields if field in _FLAGGED]
    if place == 0:
        columns.append(f"cast((select count(*) from {KINDS}) + row_number() over () as int) as kind")
    return f"""select g.key, g.line, cast({" | ".join(flags or ["0"])} as usmallint) as flags,
            {", ".join(columns) or "0 as nothing"}
        from {GROUPS} g join readings r on r.line = g.line where g.place = {place}"""


SAYS: Final = {
    **{field: tuple(columns.split("|")) for field, columns in plain_table("row_says").items()},
    **{field: (f"{field}_read_s", f"{field}_rest", f"has_{field}") for field in QUEUE_TIMES},
}
"""By field: the columns of `readings` that tell what it says, row by row."""

SELDOM: Final = plain_table("row_seldom")
"""By field: the column of JOBS that takes no room until a log has it."""

_FLAGGED: Final = ("start", "end", "gpus", "nodes", "activity", "label", "time_limit")

UNSAID: Final = plain_table("row_unsaid")
"""By column of SAYS: what holds where the log has no such field; of the others, nothing is known."""


def _time_readings(field: str) -> str:
    """Of a time: columns of `readings`, and after a bar the table that they come from."""
    odd, clock = f"odd_{field}", f"t.{field}_clock_s"
    return f"""coalesce({clock}, {odd}.seconds) as {field}_read_s,
        case when {clock} is not null then t.{field}_rest else {odd}.rest end as {field}_rest,
        t."{field}" is not null as has_{field}, t."{field}" is null as is_{field}_missing
        | left join times_read {odd} on {odd}.field = '{field}'
            and {odd}.text = case when {clock} is null then t."{field}" end"""


def _fixed(zones: Zones, prefix: str) -> str:
    """SQL for the offset of a time's zone, where all zones keep theirs."""
    return zones.figure(f"{prefix}_rest", "0", earlier) if zones.is_fixed else "null::bigint"


def earlier(span: ClockSpan) -> int:
    """Seconds that the earlier instant of a clock time in a span is off UTC."""
    return span.earlier_offset_s


def _note_names(engine: Engine, groups: Sequence[Group]) -> None:
    """Gives each new name a number; those that earlier files brought keep theirs."""
    texts = "select distinct coalesce(name, '') as text from texts"  # '' is there from the beginning
    for number, group in enumerate(groups):
        if group.has_texts:
            texts += f" union select coalesce({trimmed('text')}, '') from {GROUPS} where place = {number}"
    engine.run(
        f"""insert into {NAMES} select cast((select count(*) from {NAMES}) + row_number() over () as int), text
        from ({texts}) anti join {NAMES} using (text)"""
    )


_MODELS_OF: Final = {
    "gpu_model": "select gpu_model as text from texts",
    "gpus": "select gpu_model as text from gpu_readings",
}


def _note_models(engine: Engine, models: Sequence[str]) -> None:
    """Gives each new text of a GPU model a number; models: SQL of them, of _MODELS_OF."""
    engine.run(
        f"""insert into {MODELS} select cast((select count(*) from {MODELS}) + row_number() over () as int), text
        from (select distinct text from ({" union all ".join(models)}))
        anti join {MODELS} using (text) where text is not null"""
    )


def _note_states(engine: Engine) -> None:
    """Gives each new state a number, with whether it is final."""
    engine.run(
        f"""insert into {STATES} select cast((select count(*) from {STATES}) + row_number() over () as int), state,
            any_value(finality) from states anti join {STATES} s on s.text = states.state group by state"""
    )
