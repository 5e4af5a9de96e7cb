"""Job rows: accepted jobs with the workload each belongs to, kept as Parquet, renamed, and looked up again."""

import glob
import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from gpuplanner.domain.arrays import Bools
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.gpu_family import Same, SameKind, names_of, partition_name
from gpuplanner.domain.model.intake import Issue
from gpuplanner.domain.model.window import HOUR_S, Window
from gpuplanner.files.job_logs.judging.expression import ACCEPTED
from gpuplanner.files.job_logs.judging.job_store import JOBS, KINDS, MODELS, NAMES, STATES, seldom_columns
from gpuplanner.files.job_logs.reduce.merged_names import (
    ALIKE_AT_MOST,
    Merged,
    merged_names,
    names_merged_issue,
)
from gpuplanner.files.job_logs.reduce.names import KEY, MERGED_DIGITS, digits_aside, fold_name, workload_key
from gpuplanner.files.system.engine import Engine, quiet_connection
from gpuplanner.files.system.output_file import put, unreadable
from gpuplanner.files.system.own_folder import own_folder
from gpuplanner.files.system.resources import plain_table
from gpuplanner.files.system.user_files import private_folder
from gpuplanner.files.values.job_states import RUNNING
from gpuplanner.files.values.word_lists import phrases
from gpuplanner.lazy_dataclass import dataclass, field, fields, replace

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

# --- Drill-down: the jobs of one workload, or of several together, from the rows kept when its log was imported

ORDERS: Final = plain_table("job_order")
"""What jobs may be ordered by; whatever is largest comes first, starts from the earliest on, or the latest first."""

SORTS: Final = {
    "workload": ("workload_key",),
    "job_id": ("length(job_id)", "job_id"),
    "name": ("lower(name)",),
    "user": ('lower("user")',),
    "queue": ("lower(queue)",),
    "state": ("lower(state)",),
    "gpu_model": ("lower(gpu_model)",),
    "gpu_hours": ("milli_gpu_seconds",),
    "gpus": ("milli_gpus",),
    "start": ("start_s",),
    "end": ("end_s",),
    "lasted": ("end_s - start_s",),
    "activity": ("activity_milli_percent",),
}
"""What a column of jobs is sorted by, as `name asc` or `name desc`; what is unknown comes last in both."""

_FIELDS: Final = phrases(
    'job_id|name|"user"|queue|gpu_model|milli_gpus|nodes|start_s|end_s|is_running|state'
    "|activity_milli_percent|milli_gpu_seconds|workload_key"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class JobRow:
    """One job. Units: milli_gpus thousandths of a GPU; epoch seconds UTC, as in the log; end_s None: runs on.

    milli_gpu_seconds: inside the window, as the demand cube counts it.
    """

    job_id: str | None
    name: str
    user: str | None
    queue: str | None
    gpu_model: str | None
    milli_gpus: int
    nodes: int | None
    start_s: int
    end_s: int | None
    is_running: bool
    state: str | None
    activity_milli_percent: int | None
    milli_gpu_seconds: int
    workload_key: str = ""


_ATTRIBUTES: Final = tuple(part.name for part in fields(JobRow))
"""Attributes of a job, in the order of the columns of `_FIELDS`."""


@dataclass(frozen=True, slots=True)
class JobsPage:
    """Some of a workload's jobs, in order, and what all of them add up to in the window."""

    rows: tuple[JobRow, ...]
    total: int
    milli_gpu_seconds: int

    @property
    def gpu_hours(self) -> float:
        """Of all jobs of the workload: what its card shows, before it is put per month."""
        return self.milli_gpu_seconds / MILLI_GPU_SECONDS_PER_GPU_HOUR


def jobs_of_workloads(
    path: Path,
    keys: Sequence[str],
    *,
    window: Window,
    order: str = "gpu_hours",
    limit: int = 200,
    offset: int = 0,
    hours: Bools | None = None,
    same: Sequence[Same] = (),
) -> JobsPage:
    """The jobs of these workloads that were in the window; a job that runs on counts to the window's end.

    path: the kept rows (job_rows.rows_path); order: one of ORDERS, or of SORTS with asc or desc. hours: only these
    hours of the window count, and jobs that ran in none of them are left out; shape (window.hours,). same: of the
    project.
    Errors: PlannerError file_missing, file_unreadable; KeyError for another order.
    """
    import duckdb

    source = _sound_rows(path)
    if _has_partitions(same):
        key = f"workload_key || '{_BEFORE_QUEUE}' || coalesce(queue, '')"
        source = f"(select * replace ({key} as workload_key) from {source})"
    try:
        with quiet_connection() as connection:
            kept = _kept_keys(connection, source, keys, same)
            found, given = _in_window(source, window), [list(kept)]
            if hours is not None:
                found, given = _in_hours(found, window), [*_counters(hours), list(kept)]
            (total, gpu_time) = connection.execute(
                f"select count(*), coalesce(sum(milli_gpu_seconds), 0) from ({found})", given
            ).fetchall()[0]
            rows = connection.execute(
                f"select {', '.join(_FIELDS)} from ({found}) order by {_order_by(order)}, line limit ? offset ?",
                [*given, limit, offset],
            ).fetchall()
    except duckdb.Error as fault:
        raise unreadable(
            path, worded("stored job rows are unreadable"), worded("import the job log again")
        ) from fault
    return JobsPage(tuple(_row(values, kept) for values in rows), int(total), int(gpu_time))


def _order_by(order: str) -> str:
    """SQL of an order. Errors: KeyError for one that there is not."""
    column, _, way = order.partition(" ")
    if not way:
        return ORDERS[order]
    return ", ".join(f"{one} {'desc' if way == 'desc' else 'asc'} nulls last" for one in SORTS[column])


def _kept_keys(
    connection: "DuckDBPyConnection", source: str, keys: Sequence[str], same: Sequence[Same]
) -> dict[str, str]:
    """The workloads by the keys that the kept rows have, and what each is by what is one."""
    if not same and not any(MERGED_DIGITS in key for key in keys):
        return {key: key for key in keys}
    rows = connection.execute(
        f"select distinct workload_key, workload_name, cluster, owner, coalesce(label, '') from {source}"
    ).fetchall()
    names = {}
    for key, *texts in rows:
        as_read, _, queue = key.partition(_BEFORE_QUEUE)
        names[key] = _in_partition(WorkloadName(as_read, *texts), queue, names_of(same, SameKind.CLUSTER))
    called = renamed(set(names.values()), same).names
    found = {key: called.get(name, name).key for key, name in names.items()}
    wanted = frozenset(keys)
    return {key: said for key, said in found.items() if said in wanted}


_BEFORE_QUEUE: Final = "\x1f"
"""Between a workload's key and the queue of a row, where a decision on partitions parts its rows."""


def _in_window(source: str, window: Window) -> str:
    """SQL: the workloads' rows that the reduction counts in the window (workload_facts.clip_to_window)."""
    start, end = window.start_s, window.end_s
    stop = f"coalesce(end_s, greatest({end}, start_s))"
    return f"""select *, {stop} as stop_s,
            milli_gpus * (least({stop}, {end}) - greatest(start_s, {start})) as milli_gpu_seconds
        from {source}
        where workload_key in (select unnest(?::varchar[])) and start_s < {end}
            and ({stop} > {start} or ({stop} = start_s and start_s >= {start}))"""


def _in_hours(found: str, window: Window) -> str:
    """SQL: the same rows, their GPU time counted in some hours only; whole seconds, so that it is exact.

    before[n]: seconds of those hours before hour n; inside[n]: 1 for one of them (both 1-based lists).
    """

    def until(time: str) -> str:
        """SQL of what was added up from the beginning of the window to a time.

        Whole hours, then a part of one.
        """
        at = f"(least(greatest({time}, {window.start_s}), {window.end_s}) - {window.start_s})"
        hour = f"({at} // {HOUR_S} + 1)"
        return f"(before[{hour}] + inside[{hour}] * ({at} % {HOUR_S}))"

    return f"""select * exclude (milli_gpu_seconds, seconds, before, inside), milli_gpus * seconds as milli_gpu_seconds
        from (select *, {until("stop_s")} - {until("start_s")} as seconds
            from (select ?::bigint[] as before, ?::bigint[] as inside), ({found}))
        where seconds > 0"""


def _counters(hours: Bools) -> list[Any]:
    """The lists of `_in_hours`; one longer than the window, for its end."""
    inside = np.append(hours, False).astype(np.int64)
    before = HOUR_S * (np.cumsum(inside) - inside)
    return [before.tolist(), inside.tolist()]


def _row(values: tuple[Any, ...], keys: Mapping[str, str]) -> JobRow:
    """A row of the query as a job, with the key of the workload it is listed under."""
    row = JobRow(**dict(zip(_ATTRIBUTES, values, strict=True)))
    return replace(row, workload_key=keys[row.workload_key])


# --- Job rows: the accepted jobs with the workload each belongs to, kept as one Parquet file under its hash

JOB_ROWS: Final = "job_rows"
"""The engine's view of accepted jobs, whether just read or from Parquet.

Columns: file, line, job_id, cluster, name, account, user, queue, gpu_model, milli_gpus, nodes, start_s, end_s,
is_running, state, activity_milli_percent, label, model, hosts, workload (BIGINT), workload_key, workload_name, owner,
and of the time in the queue submit_s, eligible_s, time_limit_s and priority (BIGINT; null: unknown, or no limit)
and qos (VARCHAR); of a bill billed_amount (DOUBLE) and billed_as (VARCHAR, see `bill_amounts.way_to_pay`).
"""

ROWS_AS_READ: Final = "rows_as_read"
"""The engine's view behind JOB_ROWS, which is it unless workloads are called otherwise."""

WORKLOAD_NAMES: Final = "workload_names"
"""The engine's view of every workload's number, key, name, cluster, owner and label (empty: none)."""

WORKLOADS_AS_READ: Final = "workloads_as_read"
"""The same of ROWS_AS_READ."""

KEPT: Final = "kept_rows"
"""The engine's view of the rows of a file, all that is known of them."""

_KEPT_SHARE: Final = 0.78  # of the work of an import

_ORDER: Final = "workload, start_s, file, line"
QUEUE_COLUMNS: Final = ("submit_s", "eligible_s", "time_limit_s", "priority", "qos")
"""The columns of JOB_ROWS that tell of the time in the queue."""
BILLED_PARTS: Final = {"billed_amount": "amount", "billed_as": "billed_as"}
"""The columns of JOB_ROWS that only bills have, with those of `bill_amounts.find_amounts`."""
LATER_COLUMNS: Final = (*QUEUE_COLUMNS, *BILLED_PARTS)
"""Columns that are null in rows kept before they were."""

_KIND_OF: Final = {
    "nodes": "int",
    "activity_milli_percent": "int",
    "label": "varchar",
    "model": "varchar",
    "hosts": "varchar",
    **dict.fromkeys(QUEUE_COLUMNS, "bigint"),
    "qos": "varchar",
    "billed_amount": "double",
    "billed_as": "varchar",
}

_DICTIONARY_AT_MOST: Final = 5_000
"""Different values of a column of the kept rows: a dictionary of more takes longer to make than it saves."""

_ENUM_AT_MOST: Final = 500_000
"""Different texts of a column; of more, numbers in place of texts are no gain."""


def name_workloads(engine: Engine) -> None:
    """ROWS_AS_READ from ACCEPTED: every job with its workload. Names are folded once per distinct name."""
    engine.run(
        f"""create or replace table named_kinds as
        select *, cast(dense_rank() over (order by cluster, owner, coalesce(label, '')) as int) as base
        from (select *, coalesce(account, "user", '') as owner from {KINDS})"""
    )
    _fold_names(engine)
    engine.run(
        f"""create or replace table workloads as
        select *, dense_rank() over (order by workload_key) - 1 as workload from (
            select *, {KEY} as workload_key from (
                select distinct base, fold from {ACCEPTED} j join named_kinds k using (kind)
                join folded_names n on n.id = j.name_id)
            join (select distinct base, cluster, owner, coalesce(label, '') as label from named_kinds) using (base)
            join folds using (fold))"""
    )
    engine.run(
        f"""create or replace view {ROWS_AS_READ} as {_rows_sql(_TEXT_COLUMNS)};
        create or replace view {WORKLOADS_AS_READ} as
        select distinct workload, workload_key, workload_name, cluster, owner, label from workloads"""
    )


def _fold_names(engine: Engine) -> None:
    """folded_names (id, text, fold), and folds: the workload_name that each number of fold stands for."""
    names = engine.all(f"select id, text from {NAMES}")
    folded = [fold_name(text) for _, text in names]
    fold_of = {text: number for number, text in enumerate(sorted(set(folded)))}
    columns = [number for number, _ in names], [fold_of[text] for text in folded]
    engine.keep_numbers("fold_of_names", dict(zip(("id", "fold"), map(np.array, columns), strict=True)))
    engine.keep("folds", {"fold": [*fold_of.values()], "workload_name": [*fold_of]}, _FOLDS)
    engine.run(f"create or replace table folded_names as select * from {NAMES} join fold_of_names using (id)")


_FOLDS: Final = {"fold": "bigint", "workload_name": "varchar"}


def _rows_sql(tables: Iterable[str]) -> str:
    """SQL of accepted jobs with the workload of each and the texts behind all their numbers, which are in `tables`."""
    kinds, names, workloads, models, states = tables
    return f"""select j.file, j.line, j.job_id, k.cluster, n.text as name, k.account, k."user", k.queue,
            m.text as gpu_model, j.milli_gpus, j.nodes, j.start_s, j.end_s, j.is_running, s.text as state,
            j.activity_milli_percent, k.label, k.model, j.hosts, w.workload, w.workload_key, w.workload_name, k.owner,
            {", ".join(f"j.{column}::{_KIND_OF[column]} as {column}" for column in LATER_COLUMNS)}
        from {ACCEPTED} j join {kinds} k using (kind) join {names} n on n.id = j.name_id
        join {workloads} w on w.base = k.base and w.fold = n.fold join {states} s on s.id = j.state_id
        left join {models} m on m.id = j.model_id"""


def keep_rows(engine: Engine, folder: Path) -> str:
    """Write ROWS_AS_READ into the folder once, by workload and start; returns the SHA-256 that names it.

    From then on they are read from there.
    """
    private_folder(folder)
    rows = f"({_rows_sql(_numbered_texts(engine) if engine.once == 'view' else _TEXT_COLUMNS)})"
    with own_folder(folder) as room:
        part = room / "rows.parquet"
        engine.run(
            f"copy ({_sorted_rows(engine, rows)}) to '{str(part).replace(chr(39), chr(39) * 2)}' "
            f"(format parquet, compression snappy, dictionary_size_limit {_DICTIONARY_AT_MOST})",
            upto=_KEPT_SHARE,
        )
        kept = rows_path(folder, _hash_of(part))
        try:
            put(part, kept)
        except PlannerError:  # Windows: another window reads these very rows
            if not kept.exists():
                raise
    _open_jobs(engine, kept, are_of_now=True)
    return kept.stem


def _sorted_rows(engine: Engine, rows: str) -> str:
    """SQL for the rows by workload and start. What no job says is added afterwards: to sort it takes time, too."""
    counts = engine.one(
        f"""select * from (select count(nodes), count(activity_milli_percent) from {JOBS}),
            (select count(label), count(model) from {KINDS})"""
    )
    filled = dict(zip(("nodes", "activity_milli_percent", "label", "model"), counts, strict=True))
    kept = seldom_columns(engine)
    filled |= {column: int(column in kept) for column in ("hosts", *LATER_COLUMNS)}
    unsaid = {column: _KIND_OF[column] for column, count in filled.items() if not count}
    if not unsaid:
        return f"select * from {rows} order by {_ORDER}"
    nulls = ", ".join(f"null::{kind} as {column}" for column, kind in unsaid.items())
    stated = f"select * exclude ({', '.join(unsaid)}) from {rows} order by {_ORDER}"
    return f"select *, {nulls} from ({stated})"


_TEXT_COLUMNS: Final = {
    "named_kinds": ("cluster", "account", '"user"', "queue", "label", "model", "owner"),
    "folded_names": ("text",),
    "workloads": ("workload_key", "workload_name"),
    MODELS: ("text",),
    STATES: ("text",),
}


def _numbered_texts(engine: Engine) -> list[str]:
    """SQL of these tables with every text as a number that stands for it: that sorts and is written much faster."""
    columns = [(table, column) for table, names in _TEXT_COLUMNS.items() for column in names]
    counted = ", ".join(f"(select count(distinct {column}) from {table})" for table, column in columns)
    replaced: dict[str, list[str]] = {table: [] for table in _TEXT_COLUMNS}
    kinds: list[str] = []
    for (table, column), different in zip(columns, engine.one(f"select {counted}"), strict=True):
        if not 0 < different <= _ENUM_AT_MOST:
            continue
        kind = f"{table}_text_{len(replaced[table])}"
        texts = f"select distinct {column} from {table} where {column} is not null order by 1"
        kinds.append(f"create type {kind} as enum ({texts})")
        replaced[table].append(f"cast({column} as {kind}) as {column}")
    if kinds:
        engine.run("; ".join(kinds))
    return [
        f"(select * replace ({', '.join(casts)}) from {table})" if casts else table
        for table, casts in replaced.items()
    ]


def rows_path(folder: Path, sha256: str) -> Path:
    """Where the rows of that hash are kept."""
    return folder / f"{sha256}.parquet"


def _hash_of(path: Path) -> str:
    """SHA-256 of a file's bytes. Errors: OSError."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _source(path: Path) -> str:
    """SQL of the rows of a file."""
    return f"read_parquet('{glob.escape(str(path)).replace(chr(39), chr(39) * 2)}', hive_partitioning=false)"


def _sound_rows(path: Path) -> str:
    """SQL of kept rows, once their bytes are those that their name is the hash of.

    Errors: PlannerError file_missing; file_unreadable where they are not what was kept: they would be other demand.
    """
    again = worded("import the job log again")
    try:
        is_sound = _hash_of(path) == path.stem
    except FileNotFoundError:
        raise PlannerError(
            str(path), "file_missing", worded("the job rows are not stored here"), again
        ) from None
    except OSError as fault:
        raise unreadable(path, worded("stored job rows are unreadable"), again) from fault
    if not is_sound:
        raise unreadable(path, worded("stored job rows are damaged"), again)
    return _source(path)


def open_rows(
    engine: Engine, path: Path, same: Sequence[Same] = (), number: int | None = None
) -> tuple[Merged, ...]:
    """JOB_ROWS from a file that `keep_rows` wrote; returns what `rename_rows` merged.

    number: of the file whose rows alone are opened. Errors: PlannerError where it is not what was kept.
    """
    _open_jobs(engine, path)
    if number is not None:
        engine.run(f"create or replace view {ROWS_AS_READ} as select * from {KEPT} where file = {number}")
    engine.run(
        f"""create or replace view {WORKLOADS_AS_READ} as
        select distinct workload, workload_key, workload_name, cluster, owner, coalesce(label, '') as label
        from {ROWS_AS_READ}"""
    )
    return rename_rows(engine, same)


def know_until(engine: Engine, known_s: int) -> None:
    """ROWS_AS_READ of kept rows as they were known at an instant: of jobs that had begun; those not over yet run on."""
    is_over = f"coalesce(end_s < {known_s}, false)"
    unknown = {"end_s": "null", "state": f"'{RUNNING}'", "activity_milli_percent": "null"}
    replaced = ", ".join(
        f"case when {is_over} then {column} else {nothing} end as {column}"
        for column, nothing in unknown.items()
    )
    engine.run(
        f"""create or replace view {ROWS_AS_READ} as
        select * replace ({replaced}, not {is_over} as is_running) from {KEPT} where start_s < {known_s}"""
    )


def _open_jobs(engine: Engine, path: Path, *, are_of_now: bool = False) -> None:
    """are_of_now: this version wrote them, so that they have all columns."""
    rows = _source(path) if are_of_now else _sound_rows(path)
    there = (
        frozenset(LATER_COLUMNS)
        if are_of_now
        else {name for name, *_ in engine.all(f"describe select * from {rows}")}
    )
    older = "".join(
        f", null::{_KIND_OF[column]} as {column}" for column in LATER_COLUMNS if column not in there
    )
    engine.run(
        f"""create or replace {engine.once} {KEPT} as select *{older} from {rows};
        create or replace view {ROWS_AS_READ} as select * from {KEPT}"""
    )


# --- Rows renamed: which workload a row belongs to, by what the planner says is one and by names that are merged
# The kept rows stay as they were read. Over them lies a view in which the workloads are named and numbered anew: each
# by its cluster as the project calls it, by names that are alike but for digits (names.py), and by what the planner
# said of workloads; workloads that become one are reduced as one, whatever is summed up of them. A decision taken back
# is the same view without it, so nothing is ever lost.


class WorkloadName(NamedTuple):
    """What a workload is called; label: a class of the import, empty for none."""

    key: str
    name: str
    cluster: str
    owner: str
    label: str

    def called(self, cluster: str, name: str) -> "WorkloadName":
        """The same under another name or on another cluster."""
        key = workload_key(cluster, self.owner, name, self.label or None)
        return WorkloadName(key=key, name=name, cluster=cluster, owner=self.owner, label=self.label)


@dataclass(frozen=True, slots=True)
class Renamed:
    """What workloads are called now, those alone that are called otherwise, and which names were merged."""

    names: Mapping[WorkloadName, WorkloadName] = field(default_factory=dict)
    merged: tuple[Merged, ...] = ()


def renamed(names: Collection[WorkloadName], same: Sequence[Same] = ()) -> Renamed:
    """What these workloads are called by their clusters, by what names have in common, and by decisions on workloads.

    A decision on a workload names it by its key or its name. One of itself parts it from those that it is merged with,
    or all that are merged where it names the merged workload. Law: the order of the names does not matter.
    """
    clusters = names_of(same, SameKind.CLUSTER)
    said = names_of(same, SameKind.WORKLOAD)
    now = {
        was: was.called(clusters[was.cluster], was.name) if was.cluster in clusters else was for was in names
    }
    merged = merged_names((one.cluster, one.owner, one.name) for one in now.values())
    together = frozenset((one.cluster, one.owner, one.name) for one in merged)
    now = {was: _merged(one, together, said) for was, one in now.items()} if merged else now
    are_merged = frozenset(
        (one.cluster, one.owner, one.name) for was, one in now.items() if was.name != one.name
    )
    if said:
        by_key = {one.key: one for one in now.values()}
        now = {was: _stated_of(one, said, by_key) for was, one in now.items()}
    return Renamed(
        {was: one for was, one in now.items() if one != was},
        tuple(one for one in merged if (one.cluster, one.owner, one.name) in are_merged),
    )


def _merged(
    one: WorkloadName, together: Collection[tuple[str, str, str]], said: Mapping[str, str]
) -> WorkloadName:
    """The merged workload that one is a part of, unless it was parted from it. together: cluster, owner and name."""
    aside = digits_aside(one.name)
    is_part = aside != one.name and (one.cluster, one.owner, aside) in together
    if not is_part or one.key in said or one.name in said:
        return one
    as_one = one.called(one.cluster, aside)
    return one if said.get(as_one.key) == as_one.key else as_one


def _stated_of(
    one: WorkloadName, said: Mapping[str, str], by_key: Mapping[str, WorkloadName]
) -> WorkloadName:
    """The workload that one is a part of, as far as decisions lead; a circle of them leads nowhere."""
    seen = {one.key}
    while True:
        ours = said.get(one.key) or said.get(one.name)
        if ours is None or ours in (one.key, one.name):
            return one
        there = by_key.get(ours)
        if there is None:
            own = f"{one.cluster}/{one.owner}/"
            there = one.called(one.cluster, ours.removeprefix(own))
            there = there._replace(key=ours) if "/" in ours else there
        if there.key in seen:
            return one
        seen.add(there.key)
        one = there


def rename_rows(engine: Engine, same: Sequence[Same] = ()) -> tuple[Merged, ...]:
    """JOB_ROWS and WORKLOAD_NAMES of rows just named, kept, opened or known until an hour; returns what was merged."""
    engine.run(
        f"""create or replace view {JOB_ROWS} as select * from {ROWS_AS_READ};
        create or replace view {WORKLOAD_NAMES} as select * from {WORKLOADS_AS_READ}"""
    )
    has_said = any(one.kind in (SameKind.CLUSTER, SameKind.WORKLOAD) for one in same)
    clusters = names_of(same, SameKind.CLUSTER)
    as_read = f"select {_COLUMNS}, null::varchar as queue from {WORKLOADS_AS_READ}"
    if _has_partitions(same):
        as_read = f"""select distinct workload, workload_key, workload_name, cluster, owner,
            coalesce(label, '') as label, coalesce(cast(queue as varchar), '') as queue from {ROWS_AS_READ}"""
    rows = engine.all(
        as_read
        if has_said
        else f"""{as_read} where regexp_matches(workload_name, '[0-9]')
            qualify count(*) over (partition by cluster, owner) > {ALIKE_AT_MOST}"""
    )
    names = {row: _in_partition(WorkloadName(*row[1:-1]), row[-1], clusters) for row in rows}
    found = renamed(set(names.values()), same)
    called = [(row, found.names.get(now, now)) for row, now in names.items()]
    changed = [(row, now) for row, now in called if now != row[1:-1]]
    if not changed:
        return ()
    engine.keep(
        "renamed_workloads",
        {
            **{column: [row[place] for row, _ in changed] for column, place in _WAS.items()},
            **{column: [now[place] for _, now in changed] for place, column in enumerate(_TEXTS)},
        },
        dict.fromkeys((*_WAS, *_TEXTS), "varchar") | {"was": "bigint"},
    )
    said = ", ".join(f"coalesce(r.{column}, w.{column}) as {column}" for column in _TEXTS)
    texts = ", ".join(f"min({column}) as {column}" for column in _TEXTS)
    engine.run(
        f"""create or replace table same_workloads as
        select *, cast(dense_rank() over (order by workload_key) - 1 as bigint) as workload from (
            select was, was_label, was_queue, {texts}, bool_or(is_merged) as is_merged from (
                select w.workload as was, w.label as was_label, w.queue as was_queue, {said},
                    coalesce(r.workload_name <> w.workload_name, false) as is_merged
                from ({as_read}) w left join renamed_workloads r
                    on r.was = w.workload and r.was_label = w.label and r.was_queue is not distinct from w.queue)
            group by was, was_label, was_queue)"""
    )
    kept = ("workload", "workload_key", "workload_name", "cluster", "owner")
    replaced = ", ".join(f"s.{name} as {name}" for name in kept)
    engine.run(
        f"""create or replace view {JOB_ROWS} as select r.* replace ({replaced})
        from {ROWS_AS_READ} r join same_workloads s on {_IS_OF}"""
    )
    engine.run(f"create or replace view {WORKLOAD_NAMES} as select distinct {_COLUMNS} from same_workloads")
    return found.merged


_TEXTS: Final = ("workload_key", "workload_name", "cluster", "owner", "label")
_COLUMNS: Final = ", ".join(("workload", *_TEXTS))
_WAS: Final = {"was": 0, "was_label": 5, "was_queue": 6}
"""Where the columns that tell a workload as it was read stand in its row; its queue only where that matters."""

_IS_OF: Final = """s.was = r.workload and s.was_label = coalesce(r.label, '')
    and coalesce(s.was_queue, r.queue, '') = coalesce(r.queue, '')"""


def _has_partitions(same: Sequence[Same]) -> bool:
    """Whether a decision may be on a partition, which then is a cluster of its own."""
    return any(one.kind is SameKind.CLUSTER and "/" in one.theirs for one in same)


def _in_partition(one: WorkloadName, queue: str | None, clusters: Mapping[str, str]) -> WorkloadName:
    """The workload on the cluster that its partition is, where a decision says so; itself else."""
    cluster = clusters.get(partition_name(one.cluster, queue or ""))
    return one if cluster is None else one.called(cluster, one.name)


def workload_names(engine: Engine) -> frozenset[str]:
    """Keys and names by which decisions may call the workloads of the rows: as read, without their clusters, merged."""
    names: set[str] = set()
    for row in engine.all(f"select distinct {_COLUMNS} from {WORKLOADS_AS_READ}"):
        read = WorkloadName(*row[1:])
        for one in (read, read.called(read.cluster, digits_aside(read.name))):
            names |= {one.key, one.name, one.key.removeprefix(f"{one.cluster}/")}
    return frozenset(names)


def merged_issues(engine: Engine, merged: Sequence[Merged]) -> dict[int, Issue]:
    """By file: what `rename_rows` merged, with how many rows, and the first of them."""
    if not merged:
        return {}
    found = engine.all(
        f"""select r.file, count(*), min(r.line) from {ROWS_AS_READ} r
        join same_workloads s on {_IS_OF} where s.is_merged group by r.file"""
    )
    return {file: names_merged_issue(merged, count, line) for file, count, line in found}
