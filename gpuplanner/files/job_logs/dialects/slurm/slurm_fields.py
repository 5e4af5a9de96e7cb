"""Slurm's columns: which is which field of a job, and what jobstats leaves in AdminComment."""

import base64
import binascii
import json
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import Issue
from gpuplanner.files.job_logs.judging.dialect import QUEUE_TIMES, JobTable, headings_of
from gpuplanner.files.sources.raw_table import RawTable, load_records
from gpuplanner.files.sources.source import Source
from gpuplanner.files.system.engine import Engine
from gpuplanner.files.values.column_values import as_time, known
from gpuplanner.files.values.gpu_counts import GpuReading
from gpuplanner.files.values.slurm_resources import OF_GPUS, named_tres, read_gres, read_tres
from gpuplanner.files.values.times import read_time
from gpuplanner.files.values.written_dates import FORMS_OF, iso_sql
from gpuplanner.lazy_dataclass import replace

# --- What jobstats leaves in a job's AdminComment: `JS1:` and packed JSON with the utilization of each GPU

ACTIVITY: Final = "GPUActivity"
"""Our heading of the column that holds a job's mean GPU utilization, 0 to 100."""

_MARK: Final = "JS1:"
_PACKED_AT_MOST: Final = 2**18
_UNPACKED_AT_MOST: Final = 2**22  # a job on a thousand nodes takes 300 kB
_GZIP_WINDOW: Final = 31
_ROWS_AT_ONCE: Final = 1000


def gpu_percent(text: str) -> float | None:
    """The mean utilization over all GPUs of a job, 0 to 100; None where it is not known, as in `JS1:Short`."""
    if not text.startswith(_MARK) or len(text) > _PACKED_AT_MOST:
        return None
    try:
        packed = base64.b64decode("".join(text.removeprefix(_MARK).split()), validate=True)
        unpacked = zlib.decompressobj(_GZIP_WINDOW).decompress(packed, _UNPACKED_AT_MOST)
        summary = json.loads(unpacked)
    except (ValueError, binascii.Error, zlib.error, RecursionError):
        return None
    nodes = summary.get("nodes") if isinstance(summary, dict) else None
    figures = [
        figure
        for node in (nodes.values() if isinstance(nodes, dict) else ())
        if isinstance(node, dict) and isinstance(node.get("gpu_utilization"), dict)
        for figure in node["gpu_utilization"].values()
        if isinstance(figure, int | float) and 0 <= figure <= 100
    ]
    return round(sum(figures) / len(figures), 3) if figures else None


def activity_text(admin_comment: object) -> str:
    """That mean as text, empty where it is unknown."""
    percent = gpu_percent(admin_comment.strip()) if isinstance(admin_comment, str) else None
    return "" if percent is None else str(percent)


def with_activity(engine: Engine, source: Source, table: JobTable, comment: str) -> JobTable:
    """A log whose jobs have such comments, with what they say as its field `activity`; as it is where none has.

    comment: the engine's name of the column. Each distinct comment is unpacked once.
    """
    raw = table.raw
    wanted = f"starts_with({comment}, '{_MARK}') and not {table.is_ignored}"
    (count,) = engine.one(f'select count(*) from "{raw.name}" where {wanted}')
    if not count:
        return table

    def read() -> Iterator[tuple[int, tuple[str, str]]]:
        """Each different comment with the activity it states, numbered from 1.

        Read in blocks, as there may be millions.
        """
        with engine.connection.cursor() as cursor:
            cursor.execute(f'select distinct {comment} from "{raw.name}" where {wanted}')
            number = 0
            while rows := cursor.fetchmany(_ROWS_AT_ONCE):
                for (text,) in rows:
                    number += 1
                    yield number, (text, activity_text(text))

    name = f"{raw.name}_activity"
    read_texts = load_records(engine, source, f"{name}_texts", ("text", "percent"), read())
    engine.run(
        f'create or replace table "{name}" as select c0 as js1_text, c1 as js1_percent from "{read_texts.name}"'
    )
    percent = f'(select js1_percent from "{name}" where js1_text = {comment})'
    return replace(table, fields={**table.fields, "activity": percent})


def with_batch_activity(engine: Engine, table: JobTable) -> JobTable:
    """A log with the activity that Slurm accounts to the batch step of each job; as it is where it tells none.

    TRESUsageInAve of the one task of a step adds up its GPUs. It is that of the job where the step had all of them, and
    there is one such step: of a job on several nodes it has those of the first.
    """
    raw, job_id = table.raw, table.fields["job_id"]
    usage, given = raw.column("TRESUsageInAve"), raw.column("AllocTRES")
    if usage is None or given is None or "activity" in table.fields:
        return table
    name, gpus = f"{raw.name}_batch", f"regexp_extract({given}, '(?i)gres/gpu=([0-9]+)', 1)"
    used = f"try_cast(regexp_extract({usage}, '(?i)gres/gpuutil=([0-9.]+)', 1) as double)"
    percent = f"any_value(round({used} / try_cast({gpus} as int), 3))"
    engine.run(
        f"""create or replace table "{name}" as select regexp_replace({job_id}, '[.]batch$', '') as batch_of,
            {gpus} as batch_gpus, {percent} as batch_percent from "{raw.name}" where ends_with({job_id}, '.batch')
        group by all having count(*) = 1 and {percent} <= 100"""
    )
    of_job = f"batch_of = {job_id} and batch_gpus = {gpus}"
    text = f'(select batch_percent::varchar from "{name}" where {of_job})'
    (count,) = engine.one(f'select count({text}) from "{raw.name}"')
    if not count:
        return table
    return replace(
        table,
        fields={**table.fields, "activity": text},
        issues=(*table.issues, replace(_OF_BATCH, count=count)),
    )


_OF_BATCH: Final = Issue(
    "computed", 1, None, worded("GPU activity from batch steps: gres/gpuutil of TRESUsageInAve ÷ GPUs")
)


# --- Slurm's columns: which of them is which field of a job, however they came out of Slurm ------

_LIMIT_IN_MINUTES: Final = "TimelimitRaw"

HEADINGS: Final = headings_of("slurm")
"""Slurm's names of each field, the best first."""

GPU_HEADINGS: Final = ("AllocTRES", "AllocGRES", "ReqTRES", "ReqGRES")
"""Where GPUs are told, the best first: what was given before what was asked for."""

RECORD_COLUMNS: Final = tuple(headings_of("slurm_record")["columns"])
"""The columns of records that a dialect takes apart by itself."""

ASK_SLURM: Final = worded(
    "export again with {command}",
    command="sacct -P --format=JobID,Cluster,User,Account,Partition,State,Submit,Eligible,Start,End,"
    "ElapsedRaw,Timelimit,Priority,NNodes,NodeList,AllocTRES,JobName",
)

_TIMES_LOOKED_AT: Final = 1000
_OPEN: Final = 0.5  # how sure as_time is where the day or the month may come first

CUT: Final = "+"
"""How Slurm marks a text that its column is too narrow for."""

_NO_HOSTS: Final = ("none assigned", "none", "(null)", "unknown")
STRAY: Final = r"^\s*(#|[$>%]\s|\[?[\w.-]+@|sacct:|total|sum\b|-{3})"
"""What lines begin with that are no records: comments, prompts, messages, totals."""


def check_columns(where: str, names: Sequence[str]) -> None:
    """Errors: PlannerError missing_column where no time or GPU can be told; it names what is not there."""
    if missing := missing_columns(names):
        text = worded("sacct or squeue list without column {names}", names=", ".join(missing))
        raise PlannerError(where, "missing_column", text, ASK_SLURM)


def missing_columns(names: Sequence[str]) -> list[str]:
    """What an export of these columns lacks of times and GPUs, by Slurm's names."""
    there = {name.casefold() for name in names}
    needed = {
        "JobID": HEADINGS["job_id"],
        "Start": HEADINGS["start"],
        "End": (*HEADINGS["end"], *HEADINGS["elapsed"]),
        "AllocTRES": GPU_HEADINGS,
    }
    return [name for name, known in needed.items() if not there & {heading.casefold() for heading in known}]


def slurm_table(
    engine: Engine,
    raw: RawTable,
    *,
    time_unit: str | None = None,
    has_strays: bool = False,
    has_zero_times: bool | None = None,
    may_be_cut: bool = False,
    tres: Mapping[str, str] | None = None,
) -> JobTable:
    """Where each field of a job stands. Steps are ignored.

    time_unit: of times, where it is known (else it is told from them). has_strays: there are lines that are no
    records. has_zero_times: whether some are the first second of 1970 (None: it is looked up). may_be_cut: texts may
    end in CUT. tres: the GPUs among numbered resources, where the log itself says so.
    """
    if has_zero_times is None:
        has_zero_times = _has_zero_times(engine, raw)
    located = {field: _first_of(raw, headings) for field, headings in HEADINGS.items()}
    fields = {field: column for field, column in located.items() if column is not None}
    gpus, read_gpus = _gpus(raw, fields.get("nodes"))
    if may_be_cut:
        gpus, read_gpus = _whole_gpus(raw, gpus, read_gpus)
    read_gpus = with_tres_names(read_gpus, engine.tres or tres or {})
    units: dict[str, str | None] = {"start": None, "end": None}
    forms: dict[str, str | None] = {"start": None, "end": None}
    for field in units:
        if field in fields:
            unit = time_unit or _epoch_unit(engine, raw, fields[field])
            form = None if unit else _date_form(engine, raw, fields[field])
            units[field], forms[field] = unit, form
            fields[field] = fields[field] if form is None else iso_sql(fields[field], form)
            if has_zero_times:
                fields[field] = f"case when {_is_zero(fields[field])} then '' else {fields[field]} end"
    queue_units = _read_queue_times(raw, fields, units["start"], forms["start"])
    has_no_node = "false"
    if "hosts" in fields:
        none = ", ".join(f"'{word}'" for word in _NO_HOSTS)
        fields["hosts"] = f"case when lower({fields['hosts']}) in ({none}) then '' else {fields['hosts']} end"
        has_no_node = f"coalesce({fields['hosts']}, '') = ''"
    elif (given := raw.column("AllocTRES")) is not None:
        has_no_node = f"coalesce({given}, '') = ''"
    has_float_ids = _has_float_ids(engine, raw, fields["job_id"])
    is_ignored = "false" if has_float_ids else f"coalesce(contains({fields['job_id']}, '.'), false)"
    if "state" in fields:  # an array as a whole, and the twin of a job that ran on another cluster
        state = f"coalesce({fields['state']}, '')"
        begun = f"{fields['start']} ~ '[1-9].*' and not regexp_matches({state}, '(?i)^PD|^PEND')"
        is_array = f"coalesce(contains({fields['job_id']}, '_[') and {begun}, false)"
        is_ignored = f"({is_ignored} or {is_array} or regexp_matches({state}, '(?i)^REVOKED'))"
    if has_strays:
        is_stray = " or ".join(
            f"regexp_matches(coalesce({column}, ''), '{STRAY}', 'i')"
            for column in sorted({"c0", fields["job_id"]})
        )
        is_ignored = f"({is_ignored} or (coalesce({fields['start']}, '') = '' and ({is_stray})))"
    return JobTable(
        raw=raw,
        fields={**fields, "gpus": gpus},
        is_ignored=is_ignored,
        start_unit=units["start"],
        end_unit=units["end"],
        queue_units=queue_units,
        end_is_elapsed="end" not in fields,
        read_gpus=read_gpus,
        issues=(_FLOAT_IDS,) if has_float_ids else (),
        no_jobs=STEPS,
        tells_beginnings=True,
        has_no_node=has_no_node,
    )


STEPS: Final = (
    worded("job steps, totals or remarks"),
    worded("export jobs (sacct -X) of a period with runs"),
)
_FLOAT_IDS: Final = Issue(
    "undecided",
    1,
    None,
    worded("ids like 123.0 were read as job ids changed by a spreadsheet. If steps, export with sacct -X"),
)


def _has_float_ids(engine: Engine, raw: RawTable, job_id: str) -> bool:
    """Whether all ids are whole numbers as a spreadsheet writes them: no job has a second row that is its own."""
    form = (
        f"coalesce(regexp_matches({job_id}, '^\\s*[0-9]+[.]0\\s*$'), {job_id} is null or trim({job_id}) = '')"
    )
    (is_first,) = engine.one(f'select coalesce(bool_and({form}), false) from (from "{raw.name}" limit 100)')
    if not is_first:
        return False
    return bool(engine.one(f'select bool_and({form}) and count({job_id}) > 0 from "{raw.name}"')[0])


def _read_queue_times(
    raw: RawTable, fields: dict[str, str], unit: str | None, form: str | None
) -> dict[str, str]:
    """The units of what is told of the queue, which is written as starts are; `fields` is changed accordingly."""
    units: dict[str, str] = {}
    for name in QUEUE_TIMES:
        if name in fields:
            fields[name] = fields[name] if form is None else iso_sql(fields[name], form)
            fields[name] = f"case when {_is_zero(fields[name])} then '' else {fields[name]} end"
            if unit is not None:
                units[name] = unit
    if fields.get("time_limit") == raw.column(_LIMIT_IN_MINUTES):
        units["time_limit"] = "min"
    return units


def with_tres_names(
    read_gpus: Callable[[str], GpuReading], names: Mapping[str, str]
) -> Callable[[str], GpuReading]:
    """The same of lists in which resources stand by numbers, where somebody said which are GPUs."""
    return (lambda text: read_gpus(named_tres(text, names))) if names else read_gpus


def _first_of(raw: RawTable, headings: Sequence[str]) -> str | None:
    """The column of the first of these headings that is there; None if none is."""
    return next((column for heading in headings if (column := raw.column(heading)) is not None), None)


# --- GPUs ----------------------------------------------------------------------------------------


def _gpu_column(raw: RawTable) -> tuple[str, str]:
    """Slurm's name and the engine's name of the best column that tells GPUs."""
    return next((heading, column) for heading in GPU_HEADINGS if (column := raw.column(heading)) is not None)


def _gpus(raw: RawTable, nodes: str | None) -> tuple[str, Callable[[str], GpuReading]]:
    """SQL for the text that tells a job's GPUs, cut down to that, so that few distinct texts are left to read."""
    heading, column = _gpu_column(raw)
    if heading.endswith("TRES"):
        entries, older = _gpu_entries(column), raw.column("AllocGRES")
        if older is None or heading != "AllocTRES":
            return entries, read_tres
        is_told = (
            f"contains(lower(coalesce({column}, '')), 'gres/gpu')"  # sites that account GPUs the older way
        )
        return (
            f"case when {is_told} then {entries} else coalesce(nullif({older}, ''), {entries}) end",
            read_given,
        )
    if heading == "AllocGRES" or nodes is None:
        return column, read_gres
    return f"{column} || ';' || coalesce(nullif({nodes}, ''), '1')", _read_asked_gres


def _gpu_entries(column: str) -> str:
    """SQL of the entries about GPUs in trackable resources, sorted, so that equal ones are read but once."""
    entries = f"regexp_extract_all({column}, '(?i)(?:^|,) *((?:{OF_GPUS}|node=|4=|[0-9]{{4,}}=)[^,]*)', 1)"
    return f"array_to_string(list_sort({entries}), ',')"


def read_given(text: str) -> GpuReading:
    """AllocTRES `gres/gpu=2,node=1`, or AllocGRES `gpu:2` where that tells no GPUs."""
    return read_tres(text) if "=" in text else read_gres(text)


def _read_asked_gres(text: str) -> GpuReading:
    """ReqGRES counts one node; the number of nodes follows a semicolon."""
    gres, _, nodes = text.rpartition(";")
    return read_gres(gres, nodes=int(nodes) if nodes.isdecimal() and len(nodes) < 7 else 1)


def _whole_gpus(
    raw: RawTable, gpus: str, read_gpus: Callable[[str], GpuReading]
) -> tuple[str, Callable[[str], GpuReading]]:
    """The same where a text may be cut: it is no count, unless the total of all models stands in it whole."""
    heading, column = _gpu_column(raw)
    has_total = "false"
    if heading.endswith("TRES"):
        has_total = f"regexp_matches({column}, '(?i)(^|,) *gres/gpu=[0-9]+ *,')"
        gpus = _gpu_entries(f"regexp_replace({column}, '(^|,)[^,]*[+]$', '')")

    def read(text: str) -> GpuReading:
        """The GPUs of a text; one that was cut off is a bad number, as its count may be short."""
        return GpuReading(fault="bad_number") if text.endswith(CUT) else read_gpus(text)

    return f"case when ends_with({column}, '{CUT}') and not {has_total} then {column} else {gpus} end", read


# --- Times ---------------------------------------------------------------------------------------


def _epoch_unit(engine: Engine, raw: RawTable, column: str) -> str | None:
    """Sites that set SLURM_TIME_FORMAT=%s print seconds; then all of them are."""
    (found,) = engine.one(
        f"select count(*) > 0 and count(*) = count(*) filter (where "
        f"regexp_full_match({column}, '[0-9]{{9,11}}([.]0*)?')) "
        f"from (select {column} from \"{raw.name}\" where {column} not in ('', '0', 'Unknown', 'None') limit 10000)"
    )
    return "epoch_s" if found else None


def _date_form(engine: Engine, raw: RawTable, column: str) -> str | None:
    """Sites that set another SLURM_TIME_FORMAT may write 2026/01/31-05:00:00; None for ISO 8601, and where it is open
    which number is the day.
    """
    texts = engine.all(
        f'select {column} from "{raw.name}" where {column} is not null limit {_TIMES_LOOKED_AT}'
    )
    said = known([text for (text,) in texts])
    if not said or read_time(said[0]) is not None:
        return None
    found = as_time(said)
    return found.unit if found.unit in FORMS_OF and found.sure > _OPEN else None


def zero_times_sql(columns: Sequence[str]) -> str:
    """SQL over records: whether one of these columns holds the first second of 1970, Slurm's word for never."""
    return " or ".join(f"coalesce({_is_zero(column)}, false)" for column in columns) or "false"


def _is_zero(column: str) -> str:
    """SQL: whether a time is the first second of 1970, in any zone."""
    return f"({column} in ('0', '0.0') or {column} like '1970-01-01%' or {column} like '1969-12-31%')"


def time_columns(raw: RawTable) -> tuple[str, ...]:
    """The engine's names of the columns of starts and ends."""
    found = (_first_of(raw, HEADINGS[field]) for field in ("start", "end"))
    return tuple(column for column in found if column is not None)


def _has_zero_times(engine: Engine, raw: RawTable) -> bool:
    """Whether any time is 0: then the database writes 0 for none."""
    (found,) = engine.one(
        f'select count(*) filter (where {zero_times_sql(time_columns(raw))}) from "{raw.name}"'
    )
    return bool(found)
