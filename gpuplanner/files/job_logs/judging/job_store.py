"""Job store: how the engine keeps the rows of all files of one call, and how rows get in and change."""

from collections.abc import Collection
from collections.abc import Set as AbstractSet
from typing import Final

from gpuplanner.files.sources.issue_texts import ISSUE_TEXTS
from gpuplanner.files.system.engine import Engine, sql_text
from gpuplanner.files.system.resources import plain_table
from gpuplanner.files.values.job_states import finality

JOBS: Final = "jobs"
"""The engine's view of all rows of all files of one call but the lines that are no job.

code: 0 where accepted, else 1 + the place in CODES; kind, name_id, model_id, state_id point into KINDS, NAMES, MODELS
and STATES; flags: the sum of FLAGS; model_id and nodes are null where nothing is known of them. run: a number that
all accepted rows share that tell of one run, and by chance a few others; null without an id. place: of the row in the
table behind it. Numbers have 32 bits until a log needs 64; to reckon with: `WIDE`.
"""

WIDE: Final = ", ".join(
    f"{column}::bigint as {column}" for column in ("line", "milli_gpus", "start_s", "end_s")
)
"""SQL for columns of JOBS as numbers that no sum of two is too large for."""

KINDS: Final = "kinds"
"""The engine's table of who runs jobs where: cluster, account, user, queue, label, model."""

NAMES: Final = "names"
MODELS: Final = "gpu_models"
STATES: Final = "job_states"
"""The engine's tables of job names, GPU models and states: id and text; of a state also its finality."""

STEPS: Final = "ignored_lines"
"""The engine's table of how many lines of each file are no job; has_zoned: whether any of its times states its zone."""

SHORT_LINES: Final = "short_lines"
"""The engine's table of lines with too few cells: file, line; is_ignored: it is no job, and worth a word."""

BEGUN_BEFORE: Final = "begun_before"
"""The engine's table of accepted lines without a start, which were there when their log began: file, line."""

CODES: Final = tuple(ISSUE_TEXTS)
IGNORED_CODES: Final = ("pending", "never_started")

_FLAGS: Final = (
    *("naive", "bad_number", "bad_label", "mixed_models", "mixed_zones", "repeated", "skipped"),
    *("bad_duration", "bad_time", "other_accelerator"),
)
FLAGS: Final = {name: 1 << place for place, name in enumerate(_FLAGS)}
"""What may be said of a row that is accepted all the same, each as a bit."""

OPEN_CODES: Final = ("bad_time", "bad_duration")
"""Of rows that may lack an end or a start alone."""

_TABLE: Final = "job_cells"
"""A record of what is never written again, beside what is: a record is written in half the time that as many columns
take, of each of which the engine estimates how many values differ. It is a temporary table, which no file of the engine
holds, and as narrow as can be: small things share the number `tr`."""

_CELLS: Final = plain_table("job_cell")
_WIDER: Final = {
    **_CELLS,
    "said": "ubigint",
    **dict.fromkeys(("line", "milli_gpus", "start_s", "end_s"), "bigint"),
    **dict.fromkeys(("model_id", "state_id", "nodes"), "int"),
}
_MADE: Final = {
    "said": "code::bigint | (flags::bigint << 7) | (is_running::bigint << 17) | (file::bigint << 18)",
    "run": "case when code = 0 and job_id is not null then {hash} end",
}
_SAID: Final = {
    "code": "cells.said & 127::uinteger",
    "flags": "(cells.said >> 7::uinteger) & 1023::uinteger",
    "is_running": "cells.said & 131072::uinteger > 0",
    "file": "cells.said >> 18::uinteger",
}
SELDOM: Final = plain_table("job_seldom")
"""Columns of JOBS that take no room until a log has them."""

_TIMES: Final = ("submit_s", "eligible_s")


def run_key(columns: str) -> str:
    """SQL for a number that rows share which say the same: of 32 bits, since a suspect too many costs little.

    columns: SQL names with commas between.
    """
    return f"cast(hash({columns}) & {2**32 - 1} as uinteger)"


def create_store(engine: Engine) -> None:
    """JOBS without a row."""
    engine.run(f"create or replace temp table {_TABLE} (cells {_record(_CELLS)}, job_id varchar)")
    _view_jobs(engine, frozenset())


def add_jobs(engine: Engine, rows: str, seldom: Collection[str] = ()) -> int:
    """Rows into JOBS; returns how many. rows: SQL for its columns but run and place, of SELDOM only these.

    A number that is too large for its column widens it, and the rows are tried again.
    """
    import duckdb

    _make_room(engine, set(seldom))
    with engine.in_any_order():
        try:
            return engine.run(_added(rows, _CELLS, seldom), upto=0.98)
        except duckdb.ConversionException:
            engine.run(f"alter table {_TABLE} alter cells type {_record(_WIDER)}")
            kept = seldom_columns(engine)
            for column in kept.intersection(_TIMES):
                engine.run(f"alter table {_TABLE} alter {column} type bigint")
            _view_jobs(engine, kept)
            return engine.run(_added(rows, _WIDER, seldom), upto=0.98)


def drop_jobs(engine: Engine, places: str) -> None:
    """Take rows out of JOBS. places: SQL for their places."""
    engine.run(f"delete from {_TABLE} where rowid in ({places})")


def set_column(
    engine: Engine, column: str, value: str, text: str, parameters: list[str] | None = None
) -> None:
    """Write job_id or a column of SELDOM anew. text: SQL for place and what value is made of.

    value: SQL over the columns of found, called f.
    """
    _make_room(engine, SELDOM.keys() & {column})
    engine.run(
        f"update {_TABLE} set {column} = {value} from ({text}) f where {_TABLE}.rowid = f.place", parameters
    )


def set_model(engine: Engine, model: str, jobs: str) -> None:
    """Give jobs that have no GPU model this one. jobs: SQL of their file and line."""
    text = sql_text(model)
    engine.run(
        f"insert into {MODELS} select count(*) + 1, {text} from {MODELS} having count(*) filter (text = {text}) = 0"
    )
    (number,) = engine.one(f"select id from {MODELS} where text = {text}")
    cells = ", ".join(f"{cell} := {_TABLE}.cells.{cell}" for cell in _CELLS if cell != "model_id")
    set_column(
        engine,
        "cells",
        f"struct_pack({cells}, model_id := {number}::int)",
        f"select place from {JOBS} join ({jobs}) using (file, line) where model_id is null",
    )


def seldom_columns(engine: Engine) -> frozenset[str]:
    """The columns of SELDOM that any log of the call has.

    Others are null in the view of jobs.
    """
    return frozenset(name for _, name, *_ in engine.all(f"pragma table_info('{_TABLE}')")) & SELDOM.keys()


def _make_room(engine: Engine, columns: AbstractSet[str]) -> None:
    """Adds columns that few logs have; they cost nothing in all others."""
    kept = seldom_columns(engine) if columns else frozenset()
    if new := columns - kept:
        engine.run(
            "; ".join(f"alter table {_TABLE} add column {column} {SELDOM[column]}" for column in sorted(new))
        )
        _view_jobs(engine, kept | new)


def _record(kinds: dict[str, str]) -> str:
    """The SQL type of a record of these columns."""
    return "struct(" + ", ".join(f"{column} {kind}" for column, kind in kinds.items()) + ")"


def _added(rows: str, kinds: dict[str, str], seldom: Collection[str]) -> str:
    """SQL that inserts rows, most columns as one record in one cell: the engine keeps those far smaller."""
    made = {**_MADE, "run": _MADE["run"].format(hash=run_key("job_id, start_s"))}
    cells = ", ".join(
        f"{column} := cast({made.get(column, column)} as {kind})" for column, kind in kinds.items()
    )
    apart = ", ".join(["job_id", *seldom])
    return f"insert into {_TABLE} by name select struct_pack({cells}) as cells, {apart} from ({rows})"


def _view_jobs(engine: Engine, kept: AbstractSet[str]) -> None:
    """Makes the view anew that shows records as plain columns, null for seldom ones that are not kept."""
    plain = [f"cells.{column}" for column in _CELLS if column != "said"]
    said = [f"{sql} as {column}" for column, sql in _SAID.items()]
    seldom = [column if column in kept else f"null::{kind} as {column}" for column, kind in SELDOM.items()]
    columns = ", ".join(["rowid as place", *said, *plain, "job_id", *seldom])
    engine.run(f"create or replace temp view {JOBS} as select {columns} from {_TABLE}")


def create_jobs(engine: Engine) -> None:
    """Empty tables of what all files of a call share."""
    create_store(engine)
    tables = (
        f"""table {KINDS} (kind int, cluster varchar, account varchar, "user" varchar, queue varchar,
            label varchar, model varchar)""",
        f"table {NAMES} (id int, text varchar)",
        f"table {MODELS} (id int, text varchar)",
        f"table {STATES} (id int, text varchar, finality bigint)",
        f"table {STEPS} (file int, lines bigint, has_zoned boolean)",
        f"table {SHORT_LINES} (file int, line bigint, is_ignored boolean)",
        f"table {BEGUN_BEFORE} (file int, line bigint)",
    )
    none = (f"insert into {NAMES} values (0, '')", f"insert into {STATES} values (0, '', {finality('')})")
    engine.run("; ".join((*(f"create or replace {ddl}" for ddl in tables), *none)))


def kinds_so_far(engine: Engine) -> int:
    """How many rows KINDS has: those of the files read next follow."""
    (count,) = engine.one(f"select count(*) from {KINDS}")
    return int(count)


def name_cluster(engine: Engine, cluster: str | None, after: int = 0) -> bool:
    """Give jobs without a cluster this one; return whether there are any, whatever they are given.

    Jobs of a log that names clusters itself keep theirs. after: kinds_so_far before the log was read.
    """
    unnamed = f"cluster = '' and kind > {after}"
    (count,) = engine.one(f"select count(*) from {KINDS} where {unnamed}")
    if count and cluster:
        engine.run(f"update {KINDS} set cluster = {sql_text(cluster)} where {unnamed}")
    return bool(count)


def code_number(code: str) -> int:
    """The number by which JOBS keeps a code; 0 is accepted."""
    return CODES.index(code) + 1
