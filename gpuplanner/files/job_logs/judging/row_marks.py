"""Marks: one pass over the records that keeps a number for every text, so that each different one is read but once."""

import re
from dataclasses import dataclass
from typing import Final

import numpy as np

from gpuplanner.files.job_logs.judging.dialect import QUEUE_FIELDS, QUEUE_TIMES, TEXT_FIELDS, JobTable
from gpuplanner.files.sources.raw_table import RawTable, read_records, records_at
from gpuplanner.files.system.engine import Engine
from gpuplanner.files.values.times import MISSING_TEXTS

MARKS: Final = "marks"
"""The engine's table or view of every record: line, is_ignored, job_id and hosts (as they stand), start_clock_s,
end_clock_s and elapsed_quick_s (null where the form is unusual), of QUEUE_TIMES submit_clock_s and eligible_clock_s,
priority and is_priority_bad, and key0, key1, ...: one number for all that the
fields of a group say."""

PICKED: Final = "picked"
"""The engine's table of some records, among them one for each number of each group."""

WHO: Final = ("cluster", "account", "user", "queue", "gpu_model", "label", "model")
"""The fields of the first group, whatever they say: few of all thinkable mixtures ever run a job."""

_BY_ITSELF: Final = ("job_id", "hosts", "priority")  # kept row by row
_AS_TEXT: Final = ("job_id", "hosts")
_TIMES: Final = ("start", "end", *QUEUE_TIMES)
_SAMPLE_ROWS: Final = 20_000
_ALONE_ABOVE: Final = (
    0.03  # different values by record: a field of so many would make too many kinds of record
)
_KINDS_ABOVE: Final = 0.3
_TEXT_ABOVE: Final = 0.5
_COLUMN: Final = re.compile(r"\bc\d+\b")
_LINE: Final = re.compile(r"\bline\b")


@dataclass(frozen=True, slots=True)
class Group:
    """Fields that are looked up together. has_texts: its key is the text of its only field, which is `name`."""

    fields: tuple[str, ...]
    has_texts: bool = False


@dataclass(frozen=True, slots=True)
class Marked:
    """raw: where the records are from now on; groups: key0 is of the first, and so on; picked: rows of PICKED."""

    raw: RawTable
    groups: tuple[Group, ...]
    picked: int


def mark_rows(engine: Engine, table: JobTable) -> Marked:
    """MARKS, PICKED and for every group a table group0, ...: key, line of a record that has it, clock seconds.

    The clock seconds, of a group with start or end, are those of the usual times of the records with that key: first
    and last.
    """
    is_plain = _is_plain(engine, table)
    groups = _groups(engine, table, is_plain=is_plain)
    columns = [f"{sql} as {column}" for column, sql in _row_by_row(table).items()]
    for number, group in enumerate(groups):
        columns.append(f"{_key(table, group, is_plain=is_plain)} as key{number}")
    raw = read_records(engine, table.raw, MARKS, ", ".join(columns), upto=0.65)
    lines = []
    for number in range(len(groups)):
        clocks = "".join(
            f", {best}({field}_clock_s) as {name}_{field}_s"
            for field in _TIMES
            if field in groups[number].fields
            for best, name in (("min", "first"), ("max", "last"))
        )
        engine.run(
            f"""create or replace table group{number} as select key{number} as key, min(line) as line{clocks}
            from {marks_of(table)} where not is_ignored group by key{number}"""
        )
        if not groups[number].has_texts:
            lines.append(engine.columns(f"select line from group{number}")["line"])
    picked = np.unique(np.concatenate(lines))
    records_at(engine, raw, PICKED, picked)
    return Marked(raw, groups, len(picked))


def _row_by_row(table: JobTable) -> dict[str, str]:
    """SQL by column of MARKS that is no key. What no record has is left to `marks_of`: a null takes room, too."""
    columns = {field: table.fields[field] for field in _AS_TEXT if field in table.fields}
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


_ABSENT: Final = {
    "job_id": "null::varchar",
    "hosts": "null::varchar",
    "is_ignored": "false",
    "start_clock_s": "null::int",
    "end_clock_s": "null::int",
    "elapsed_quick_s": "null::int",
}


def _groups(engine: Engine, table: JobTable, *, is_plain: bool) -> tuple[Group, ...]:
    """Which fields to look up together, by how many different values the first records have."""
    fields = [
        field for field in (*TEXT_FIELDS, *QUEUE_FIELDS) if field in table.fields and field not in _BY_ITSELF
    ]
    hashes = [f'{_hash(table, (field,), is_plain=is_plain)} as "{field}"' for field in fields]
    sample = f'(select * from "{table.raw.name}" limit {_SAMPLE_ROWS})'
    jobs = engine.columns(
        f"select {', '.join(['line', *hashes])} from {sample} where not coalesce({table.is_ignored}, false)"
    )
    records = len(jobs["line"])
    share = {
        field: len(np.unique(jobs[field])) for field in fields
    }  # far quicker than to plan as many counts
    who = tuple(field for field in fields if field in WHO)
    alone = [field for field in fields if field not in WHO and share[field] > _ALONE_ABOVE * records]
    what = tuple(field for field in fields if field not in (*who, *alone))
    if what:
        (kinds,) = engine.one(f"select count(distinct {_hash(table, what, is_plain=is_plain)}) from {sample}")
        if kinds > _KINDS_ABOVE * records:
            alone, what = [*alone, *what], ()
    return (
        Group(who),
        *((Group(what),) if what else ()),
        *(Group((field,), field == "name" and share[field] > _TEXT_ABOVE * records) for field in alone),
    )


def _key(table: JobTable, group: Group, *, is_plain: bool) -> str:
    """SQL of what tells the texts of a group apart.

    The text itself where the group keeps it, else a hash of its fields.
    """
    return (
        f"coalesce({table.fields[group.fields[0]]}, '')"
        if group.has_texts
        else _hash(table, group.fields, is_plain=is_plain)
    )


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
    said: list[str] = []
    times: list[tuple[str, str]] = []
    for field in fields:
        text = table.fields[field]
        if field in _TIMES:
            unit = table.clock_unit(field)
            times.append((_is_plain_utc(text, unit), _unread_of_time(text, unit)))
        elif field == "elapsed":
            quick, end = _quick_elapsed(table), _clock(table.fields.get("end"), table.end_unit)
            said += [f"({quick}) is null", f"case when ({quick}) is null and ({end}) is null then {text} end"]
        else:
            said += _columns_of(text) if is_plain else [text]
    if times:  # most logs say one thing for all of them, and nothing is to be hashed
        are_plain, others = (
            " and ".join(plain for plain, _ in times),
            ", ".join(other for _, other in times),
        )
        said.append(f"case when {are_plain} then 0 else hash({others}) end")
    return f"hash({', '.join(said or ['0'])})"


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
