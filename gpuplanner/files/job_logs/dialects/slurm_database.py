"""Slurm's jobs from databases: its own table, slurm2sql, and Open XDMoD's shredder files."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.job_logs.dialects.sacct import delimited_rows
from gpuplanner.files.job_logs.dialects.sacct_layout import (
    SLURM_STATES,
    find_header,
    free_texts_together,
    is_time,
)
from gpuplanner.files.job_logs.dialects.slurm_fields import ASK_SLURM, slurm_table, with_tres_names
from gpuplanner.files.job_logs.judging.dialect import Dialect, JobTable
from gpuplanner.files.job_logs.judging.tres_names import HOW_TO_NAME
from gpuplanner.files.sources.raw_table import load_raw
from gpuplanner.files.sources.source import Source
from gpuplanner.files.system.engine import Engine
from gpuplanner.files.tables.delimited import has_columns, header_columns
from gpuplanner.files.values.gpu_names import GpuReading, read_gpu_count
from gpuplanner.files.values.numbers import phrases
from gpuplanner.files.values.scheduler_words import read_gres, read_state, read_tres

# --- The table of jobs in Slurm's own database, as an SQL client writes it: states and resources as numbers

_SLURM_NAMES: Final = {
    "id_job": "JobID",
    "cluster": "Cluster",
    "job_name": "JobName",
    "name": "JobName",
    "account": "Account",
    "user": "User",
    "id_user": "User",
    "partition": "Partition",
    "state": "State",
    "time_start": "Start",
    "time_end": "End",
    "nodes_alloc": "AllocNodes",
    "nodelist": "NodeList",
    "tres_alloc": "AllocTRES",
    "time_submit": "Submit",
    "time_eligible": "Eligible",
    "timelimit": "TimelimitRaw",
    "priority": "Priority",
}
"""What sacct calls each column; of two that are one field, the first that is there."""

_GIVEN: Final = ("gres_used", "gres_alloc")
"""Where older versions spell out the GPUs that a job was given."""

_STATES: Final = (
    *("PENDING", "RUNNING", "SUSPENDED", "COMPLETED", "CANCELLED", "FAILED", "TIMEOUT", "NODE_FAIL"),
    *("PREEMPTED", "BOOT_FAIL", "DEADLINE", "OUT_OF_MEMORY"),
)
"""By their numbers, which stand in the lowest eight bits."""

_NOTHING: Final = r"^(null|\\n|0)?$"
_NEEDED: Final = ("id_job", "time_start", "time_end")
_NAMED_IN_HEAD: Final = "gres/gpu"


def sniff_database(head: str) -> float:
    """How sure it is that a text begins such a table, 0..1."""
    return 0.97 if has_columns(head, *_NEEDED) else 0.0


def database_rows(source: Source, engine: Engine, table: str) -> JobTable:
    """Every job; a task of an array is a job of its own.

    Errors: PlannerError missing_column, also where GPUs are told by numbers alone that only the database can explain.
    """
    delimiter, columns = header_columns(source.head)
    given = [name for name in _GIVEN if name in columns]
    missing = [name for name in _NEEDED if name not in columns]
    if not given and "tres_alloc" not in columns:
        missing.append("gres_used or tres_alloc")
    if missing:
        what = worded(
            "it is a table of jobs of Slurm's database: there is no column {names}", names=", ".join(missing)
        )
        raise PlannerError(f"{source.path}:1", "missing_column", what, ASK_SLURM)
    if not given and not engine.tres and _NAMED_IN_HEAD not in source.head:
        what = worded(
            "it is a table of jobs of Slurm's database: its tres_alloc counts GPUs by numbers of the database, and "
            "there is no column gres_used that names them"
        )
        raise PlannerError(f"{source.path}:1", "missing_column", what, HOW_TO_NAME)
    raw = load_raw(engine, source, table, _as_sacct_calls(columns), delimiter=delimiter)
    found = slurm_table(engine, raw, time_unit="epoch_s") if raw.column("AllocTRES") else None
    if found is None:  # of the oldest versions
        raw = replace(raw, columns=tuple("AllocGRES" if name in given else name for name in raw.columns))
        found = slurm_table(engine, raw, time_unit="epoch_s")
    told = [
        f"case when regexp_matches(lower(trim({column})), '{_NOTHING}') then null else {column} end"
        for column in (f"c{columns.index(name)}" for name in (*given, "tres_alloc") if name in columns)
    ]
    fields = {**found.fields, "gpus": f"coalesce({', '.join(told)}, '')"}
    if (state := fields.get("state")) is not None:
        words = " ".join(f"when {number} then '{word}'" for number, word in enumerate(_STATES))
        fields["state"] = f"case try_cast({state} as bigint) & 255 {words} else {state} end"
    return replace(found, fields=fields, read_gpus=with_tres_names(_read_gpus, engine.tres))


def _as_sacct_calls(columns: tuple[str, ...]) -> tuple[str, ...]:
    """The database's names of columns as sacct calls them; of two for one the first in our table counts."""
    taken = {_SLURM_NAMES[name]: name for name in reversed(_SLURM_NAMES) if name in columns}
    return tuple(
        slurm if (slurm := _SLURM_NAMES.get(name)) and taken[slurm] == name else name for name in columns
    )


def _read_gpus(text: str) -> GpuReading:
    """`gpu:volta:2`, or a list of resources, in which a number of the site may be a GPU and is no count."""
    return read_tres(text) if "=" in text else read_gres(text)


SLURM_DATABASE: Final = Dialect(
    "slurm_db", worded("table of jobs of Slurm's database"), sniff_database, database_rows
)


# --- slurm2sql: the sacct export it is fed with, told by its set of columns, and its table `slurm` as text

_ASKED_NAMES: Final = """
    jobid jobidraw jobname user group account submitline state timelimit elapsed submit start end partition exitcode
    nodelist priority reqnodes nnodes allocnodes reqtres reqgres ntasks allocgres alloctres tresusageinave
    tresusageintot tresusageouttot tresusageoutave ncpus reqcpus alloccpus cputime totalcpu usercpu systemcpu mincpu
    mincpunode mincputask reqmem averss maxrss maxrssnode maxrsstask maxpages maxvmsize avediskread avediskwrite
    maxdiskread maxdiskreadnode maxdiskreadtask maxdiskwrite maxdiskwritenode maxdiskwritetask comment
    consumedenergyraw admincomment
"""
_ASKED: Final = frozenset(_ASKED_NAMES.split())
"""What it asks sacct for, in all its versions."""

_MARKS: Final = frozenset(
    ("jobid", "jobidraw", "timelimit", "ntasks", "ncpus", "reqcpus", "alloccpus", "totalcpu", "comment")
)
_ASKED_AT_LEAST: Final = 35

_ADDED_NAMES: Final = """
    arrayid arrayjobid arraytaskid stepid jobstep jobidparent jobidnostep jobidonly jobidrawonly jobidslurm
    jobidrawslurm time submitts startts endts queuetime exitcoderaw exitsignal billing consumedenergy cpueff totalmem
    allocmem memeff reqmemtype reqmemraw reqmemnode reqmemcpu totdiskread totdiskwrite reqgpus reqgpu gpumem gpuutil
    gpueff ngpu ngpus gpuutiltot gpumemtot
"""
_ADDED: Final = frozenset(_ADDED_NAMES.split())
"""What its table has besides."""

_ADDED_AT_LEAST: Final = 4
_GPU_COLUMNS: Final = ("NGpus", "ReqGPUS", "ReqGPU")
"""Where its table tells GPUs if it keeps no list of resources. NGPU is none of them: it is what a job used."""


def sniff_slurm2sql(head: str) -> float:
    """How sure it is that a text begins an export of slurm2sql, 0..1."""
    header = find_header(head)
    if header is None:
        return 0.0
    names = {name.casefold() for name in header.columns if name}
    is_its_export = names <= _ASKED and names >= _MARKS and len(names) >= _ASKED_AT_LEAST
    return 0.97 if is_its_export or _is_table(names) else 0.0


def _is_table(names: set[str]) -> bool:
    """Whether the columns are those of slurm2sql's own table: some that it adds, some that it asks sacct for."""
    return len(names & _ADDED) >= _ADDED_AT_LEAST and len(names & _ASKED) >= _ADDED_AT_LEAST


def slurm2sql_rows(source: Source, engine: Engine, table: str) -> JobTable:
    """The records of an export and where each field stands. Each tells its elapsed time, so a job whose end is not
    known ended that long after its start. Errors: as sacct's.
    """
    header = find_header(source.head)
    if header is None:
        raise PlannerError(
            source.path, "not_a_job_log", worded("its lines are none of slurm2sql's"), ASK_SLURM
        )
    if _is_table({name.casefold() for name in header.columns}):
        found = _table_rows(source, engine, table, header.columns, header.delimiter)
    else:
        found = delimited_rows(source, engine, table, header.columns, header.delimiter, header.line)
    return replace(found, end_is_elapsed="elapsed" in found.fields)


def _table_rows(
    source: Source, engine: Engine, table: str, columns: tuple[str, ...], delimiter: str
) -> JobTable:
    """Its own table: times in seconds since 1970 and numbers for GPUs, steps in a column of their own."""
    names = {name.casefold() for name in columns}
    has_list = bool(names & {"alloctres", "reqtres", "reqgres"})
    gpus = next((name for name in _GPU_COLUMNS if name.casefold() in names), None)
    missing = [
        *(["Start"] if not names & {"start", "startts"} else []),
        *(["End"] if not names & {"end", "endts", "elapsed"} else []),
        *(["AllocTRES"] if not has_list and gpus is None else []),
    ]
    if missing:
        raise PlannerError(
            f"{source.path}:1",
            "missing_column",
            worded("it is slurm2sql's table of jobs: there is no column {names}", names=", ".join(missing)),
            ASK_SLURM,
        )
    renamed = _renamed(columns, has_list, gpus)
    together = free_texts_together(columns, delimiter)
    raw = load_raw(engine, source, table, renamed, delimiter=delimiter, put_together=together)
    found = slurm_table(engine, raw)
    step = raw.column("JobStep") or raw.column("StepID")
    is_ignored = f"({found.is_ignored} or coalesce({step}, '') <> '')" if step else found.is_ignored
    fields = {**found.fields}
    if (share := raw.column("GpuEff")) is not None and "activity" not in fields:
        fields["activity"] = f"coalesce(cast(try_cast({share} as double) * 100 as varchar), {share})"
    read_gpus = found.read_gpus if has_list else read_gpu_count
    if not has_list:
        fields["gpus"] = raw.column("AllocTRES") or "''"
    return replace(found, fields=fields, is_ignored=is_ignored, read_gpus=read_gpus)


def _renamed(columns: tuple[str, ...], has_list: bool, gpus: str | None) -> tuple[str, ...]:
    """Slurm's names for what the table calls otherwise."""
    names = [name.casefold() for name in columns]
    as_slurm = {"jobidslurm": "JobID", "jobid": "JobIDRaw"} if "jobidslurm" in names else {}
    as_slurm |= {"startts": "Start", "start": "StartText"} if "startts" in names else {}
    as_slurm |= {"submitts": "Submit", "submit": "SubmitText"} if "submitts" in names else {}
    as_slurm |= {"endts": "End", "end": "EndText"} if "endts" in names else {}
    if not has_list and gpus is not None:
        as_slurm[gpus.casefold()] = "AllocTRES"
    return tuple(as_slurm.get(name.casefold(), name) for name in columns)


SLURM2SQL: Final = Dialect("slurm2sql", worded("export of slurm2sql"), sniff_slurm2sql, slurm2sql_rows)


# --- Open XDMoD's shredder files: what its sacct command writes, without a header, in one of its documented layouts

_DELIMITER: Final = "|"
_WHOSE: Final = phrases("Account|Group|GID|User|UID|Submit|Eligible|Start|End|Elapsed|ExitCode|State")
_HOW_MUCH: Final = ("NNodes", "NCPUS", "ReqCPUS", "ReqMem")
_RESOURCES: Final = (
    ("ReqTRES", "AllocTRES"),
    ("ReqGRES", "ReqTRES", "AllocTRES"),
    ("ReqGRES", "ReqTRES"),
    ("ReqTRES",),
    ("ReqGRES",),
)
LAYOUTS: Final = tuple(
    (
        "JobID",
        *raw,
        "Cluster",
        "Partition",
        *qos,
        *_WHOSE,
        *_HOW_MUCH,
        *resources,
        "Timelimit",
        "NodeList",
        "JobName",
    )
    for resources, raw, qos in product(_RESOURCES, (("JobIDRaw",), ()), (("QOS",), ()))
)
"""The field lists of its versions, the newest first."""

_FORMS: Final = {
    "JobID": re.compile(r"\d+(_(\d+|\[.*\]))?(\+\d+)?(\.\w+)?"),
    "JobIDRaw": re.compile(r"\d+(\.\w+)?"),
    "GID": re.compile(r"\d*"),
    "UID": re.compile(r"\d*"),
    "NNodes": re.compile(r"\d*"),
    "NCPUS": re.compile(r"\d*"),
    "ExitCode": re.compile(r"(\d+:\d+)?"),
    "ReqTRES": re.compile(r"([\w/:.-]+=.*)?"),
    "AllocTRES": re.compile(r"([\w/:.-]+=.*)?"),
    "ReqGRES": re.compile(r"[^=]*"),
}
_TIMES: Final = ("Submit", "Eligible", "Start", "End")
_ENOUGH: Final = 0.9
_SAMPLE: Final = 200


def layout_of(head: str) -> tuple[str, ...] | None:
    """The layout that most lines fit, with an empty column at its end for -p; None where none does."""
    lines = [line for line in head.splitlines() if line.strip()][:_SAMPLE]
    records = [line.split(_DELIMITER) for line in lines]
    for layout in LAYOUTS:
        good = sum(_fits(record, layout) for record in records)
        if records and good >= _ENOUGH * len(records):
            ends_so = sum(len(record) > len(layout) and record[-1] == "" for record in records)
            return (*layout, "") if ends_so >= _ENOUGH * len(records) else layout
    return None


def _fits(record: Sequence[str], layout: Sequence[str]) -> bool:
    """Whether a record has the form of a layout: numbers, times and states stand in their places."""
    if len(record) < len(layout):
        return False
    cells = dict(zip(layout, record, strict=False))
    return (
        all(form.fullmatch(cells[name]) for name, form in _FORMS.items() if name in cells)
        and all(is_time(cells[name]) for name in _TIMES)
        and read_state(cells["State"]) in SLURM_STATES
    )


def sniff_xdmod(head: str) -> float:
    """How sure it is that a text begins a shredder file, 0..1."""
    return 0.96 if layout_of(head) is not None else 0.0


def xdmod_rows(source: Source, engine: Engine, table: str) -> JobTable:
    """The records of a file and where each field stands. A name takes what delimiters it holds.

    Errors: PlannerError not_a_job_log.
    """
    layout = layout_of(source.head)
    if layout is None:
        what = worded("its lines are in none of the shredder's layouts")
        raise PlannerError(source.path, "not_a_job_log", what, ASK_SLURM)
    return delimited_rows(source, engine, table, layout, _DELIMITER, 0)


XDMOD: Final = Dialect("xdmod", worded("shredder file of Open XDMoD"), sniff_xdmod, xdmod_rows)
