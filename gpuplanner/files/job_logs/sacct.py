"""Slurm's `sacct -P` and `-p`: with a header or without, steps and arrays among the jobs."""

from collections.abc import Callable, Sequence
from typing import Final

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.engine import Engine
from gpuplanner.files.job_logs.gpu_counts import GpuReading
from gpuplanner.files.job_logs.job_table import JobTable
from gpuplanner.files.job_logs.raw_table import RawTable, load_raw
from gpuplanner.files.job_logs.sacct_layout import guess_layout
from gpuplanner.files.job_logs.tres import read_gres, read_tres
from gpuplanner.files.source import Source

FORMAT: Final = "sacct"

_HEADINGS: Final = {
    "job_id": ("JobID", "JobIDRaw"),
    "cluster": ("Cluster",),
    "name": ("JobName",),
    "account": ("Account",),
    "user": ("User",),
    "queue": ("Partition",),
    "start": ("Start",),
    "end": ("End",),
    "elapsed": ("ElapsedRaw", "Elapsed"),
    "state": ("State",),
    "hosts": ("NodeList",),
    "nodes": ("NNodes", "AllocNodes", "ReqNodes"),
}
"""Slurm's names of each field, the best first."""

_GPU_HEADINGS: Final = ("AllocTRES", "AllocGRES", "ReqTRES", "ReqGRES")
"""Where GPUs are told, the best first: what was given before what was asked for."""

_KNOWN: Final = frozenset(
    name.casefold()
    for name in (
        *(name for names in _HEADINGS.values() for name in names),
        *_GPU_HEADINGS,
        *(
            "AllocCPUS",
            "ExitCode",
            "Submit",
            "Eligible",
            "Timelimit",
            "NodeList",
            "ReqMem",
            "MaxRSS",
            "TotalCPU",
            "QOS",
        ),
    )
)
_DELIMITERS: Final = ("^|^", "|", "\t", ";", ",")
_ASK_SLURM: Final = (
    "export again with sacct -P --format=JobID,Cluster,User,Account,Partition,State,Start,End,ElapsedRaw,"
    "NNodes,AllocTRES,JobName"
)


def sniff(head: str) -> float:
    """How sure it is that a text begins an export of sacct, 0..1."""
    _, columns = _header(head)
    if columns:
        return 0.95
    layout = _layout(head)
    if layout is None:
        return 0.0
    return 0.9 if {"Start", "End"} <= set(layout) else 0.6


def rows(source: Source, engine: Engine, table: str) -> JobTable:
    """The records of an export and where each field stands. Steps are ignored.

    Errors: PlannerError missing_column where no time or GPU can be told, not_a_job_log where it is no such export.
    """
    delimiter, columns = _header(source.head)
    has_header = bool(columns)
    if not has_header:
        delimiter, columns = _delimiter(source.head), _layout(source.head) or ()
    if not columns:
        raise PlannerError(source.path, "not_a_job_log", "its lines are none of sacct's", _ASK_SLURM)
    ends_with_delimiter = columns[-1] == ""
    columns = columns[:-1] if ends_with_delimiter else columns
    _check_columns(source, columns, has_header)
    is_quoted = delimiter in (",", ";", "\t")
    names = [name.casefold() for name in columns]
    raw = load_raw(
        engine,
        source,
        table,
        columns,
        delimiter=delimiter,
        is_quoted=is_quoted,
        has_header=has_header,
        ends_with_delimiter=ends_with_delimiter,
        surplus_into=names.index("jobname") if "jobname" in names else None,
    )
    located = {field: _first_of(raw, headings) for field, headings in _HEADINGS.items()}
    fields = {field: column for field, column in located.items() if column is not None}
    gpus, read_gpus = _gpus(raw, fields.get("nodes"))
    return JobTable(
        raw,
        {**fields, "gpus": gpus},
        is_ignored=f"contains({fields['job_id']}, '.')",
        start_unit=_epoch_unit(engine, raw, fields["start"]),
        end_unit=_epoch_unit(engine, raw, fields["end"]) if "end" in fields else None,
        end_is_elapsed="end" not in fields,
        read_gpus=read_gpus,
    )


def _check_columns(source: Source, columns: Sequence[str], has_header: bool) -> None:
    names = {name.casefold() for name in columns}
    missing = [
        name
        for name in ("JobID", "Start")
        if name.casefold() not in names and f"{name}raw".casefold() not in names
    ]
    if not names & {"end", "elapsed", "elapsedraw"}:
        missing.append("End")
    if not names & {name.casefold() for name in _GPU_HEADINGS}:
        missing.append("AllocTRES")
    if missing:
        where = f"{source.path}:1" if has_header else source.path
        raise PlannerError(where, "missing_column", f"there is no column {', '.join(missing)}", _ASK_SLURM)


def _gpus(raw: RawTable, nodes: str | None) -> tuple[str, Callable[[str], GpuReading]]:
    """SQL for the text that tells a job's GPUs, cut down to that, so that few distinct texts are left to read."""
    heading = next(name for name in _GPU_HEADINGS if raw.column(name) is not None)
    column = raw.column(heading) or ""
    if heading.endswith("TRES"):
        entries = f"regexp_extract_all({column}, '(?i)(?:^|,)((?:gres/gpu[:=]|node=)[^,]*)', 1)"
        return f"array_to_string(list_sort({entries}), ',')", read_tres
    if heading == "AllocGRES" or nodes is None:
        return column, read_gres
    return f"{column} || ';' || coalesce(nullif({nodes}, ''), '1')", _read_asked_gres


def _read_asked_gres(text: str) -> GpuReading:
    """ReqGRES counts one node; the number of nodes follows a semicolon."""
    gres, _, nodes = text.rpartition(";")
    return read_gres(gres, nodes=int(nodes) if nodes.isdecimal() and len(nodes) < 7 else 1)


def _first_of(raw: RawTable, headings: Sequence[str]) -> str | None:
    return next((column for heading in headings if (column := raw.column(heading)) is not None), None)


def _epoch_unit(engine: Engine, raw: RawTable, column: str) -> str | None:
    """Sites that set SLURM_TIME_FORMAT=%s print seconds; then all of them are."""
    (found,) = engine.one(
        f"select count(*) > 0 and count(*) = count(*) filter (where regexp_full_match({column}, '[0-9]{{9,11}}')) "
        f"from (select {column} from \"{raw.name}\" where {column} not in ('', 'Unknown', 'None') limit 10000)"
    )
    return "epoch_s" if found else None


# --- What the first lines say ------------------------------------------------------------------


def _header(head: str) -> tuple[str, tuple[str, ...]]:
    """The delimiter and the columns of a first line that names Slurm's fields; no columns where it does not."""
    first = next((line for line in head.splitlines() if line.strip()), "")
    for delimiter in _DELIMITERS:
        columns = tuple(name.strip().strip('"') for name in first.split(delimiter))
        names = {name.casefold() for name in columns}
        if names & {"jobid", "jobidraw"} and len(names & _KNOWN) >= 3:
            return delimiter, columns
    return "|", ()


def _delimiter(head: str) -> str:
    return "^|^" if "^|^" in head else "|"


def _layout(head: str) -> tuple[str, ...] | None:
    delimiter = _delimiter(head)
    lines = [line for line in head.splitlines() if line.strip()]
    return guess_layout([line.split(delimiter) for line in lines]) if lines else None
