"""Marks of a log's rows: a number for every text, so that each different one is read once."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from gpuplanner.files.job_logs.judging.dialect import QUEUE_FIELDS, QUEUE_TIMES, TEXT_FIELDS, JobTable
from gpuplanner.files.job_logs.judging.sql_forms import (
    clock_seconds,
    is_plain_utc,
    is_stated,
    quick_elapsed,
    unread_of_time,
    whole_number,
)
from gpuplanner.files.sources.raw_table import RawTable, read_records, records_at
from gpuplanner.files.system.engine import Engine
from gpuplanner.files.system.resources import plain_table
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.lazy_re import lazy_re

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
TIMES: Final = ("start", "end", *QUEUE_TIMES)
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
            for field in TIMES
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
    for field in TIMES:
        if field in table.fields:
            columns[f"{field}_clock_s"] = clock_seconds(table.fields[field], table.clock_unit(field))
    if "priority" in table.fields:
        text = table.fields["priority"]
        columns["priority"] = whole_number(text)
        columns["is_priority_bad"] = (
            f"case when {whole_number(text)} is null then {is_stated(text)} else false end"
        )
    if "elapsed" in table.fields:
        columns["elapsed_quick_s"] = quick_elapsed(table)
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
    text_fields = (*TEXT_FIELDS, *QUEUE_FIELDS)
    fields = [field for field in text_fields if field in table.fields and field not in _BY_ITSELF]
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
    together = sorted({*fields} - {*who, *alone}, key=lambda field: (share[field], fields.index(field)))
    while together and _together(jobs, together) > _KINDS_ABOVE * records:
        alone.append(together.pop())  # what says most differs most
    return (
        Group(who),
        *((Group(tuple(together)),) if together else ()),
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
        if field in TIMES:
            unit = table.clock_unit(field)
            times.append((is_plain_utc(text, unit), unread_of_time(text, unit)))
        elif field == "elapsed":
            quick, end = quick_elapsed(table), clock_seconds(table.fields.get("end"), table.end_unit)
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
