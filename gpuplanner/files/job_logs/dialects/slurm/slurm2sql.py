"""slurm2sql: the sacct export that it reads, and its own table of jobs."""

from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.job_logs.dialects.slurm import sacct_layout, slurm_fields
from gpuplanner.files.job_logs.dialects.slurm.sacct import delimited_rows
from gpuplanner.files.job_logs.judging.dialect import Dialect, JobTable
from gpuplanner.files.sources.raw_table import load_raw
from gpuplanner.files.sources.source import Source
from gpuplanner.files.system.engine import Engine
from gpuplanner.files.system.resources import plain_table
from gpuplanner.files.values.gpu_counts import read_gpu_count
from gpuplanner.lazy_dataclass import replace

_ASKED: Final = frozenset(plain_table("word_list")["slurm2sql_asked"].split())
"""What it asks sacct for, in all its versions."""

_MARKS: Final = frozenset(
    ("jobid", "jobidraw", "timelimit", "ntasks", "ncpus", "reqcpus", "alloccpus", "totalcpu", "comment")
)
_ASKED_AT_LEAST: Final = 35

_ADDED: Final = frozenset(plain_table("word_list")["slurm2sql_added"].split())
"""What its table has besides."""

_ADDED_AT_LEAST: Final = 4
_GPU_COLUMNS: Final = ("NGpus", "ReqGPUS", "ReqGPU")
"""Where its table tells GPUs if it keeps no list of resources. NGPU is none of them: it is what a job used."""


def sniff_slurm2sql(head: str) -> float:
    """How sure it is that a text begins an export of slurm2sql, 0..1."""
    header = sacct_layout.find_header(head)
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
    header = sacct_layout.find_header(source.head)
    if header is None:
        raise PlannerError(
            source.path, "not_a_job_log", worded("not lines of slurm2sql"), slurm_fields.ASK_SLURM
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
            worded("slurm2sql job table without column {names}", names=", ".join(missing)),
            slurm_fields.ASK_SLURM,
        )
    renamed = _renamed(columns, has_list, gpus)
    together = sacct_layout.free_texts_together(columns, delimiter)
    raw = load_raw(engine, source, table, renamed, delimiter=delimiter, put_together=together)
    found = slurm_fields.slurm_table(engine, raw)
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


SLURM2SQL: Final = Dialect(
    format="slurm2sql", title=worded("export of slurm2sql"), sniff=sniff_slurm2sql, rows=slurm2sql_rows
)
