"""The table of recognisers: every dialect of job log that is read, our own CSV first."""

from collections.abc import Sequence
from typing import Final

from gpuplanner.domain.message import worded, worded_both
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.job_logs.dialects import clearml, cloud_bills, condor, grid_engine, lsf, pbs, ray, wandb
from gpuplanner.files.job_logs.dialects.kubernetes import kubernetes_pods, kueue, opencost, runai, volcano
from gpuplanner.files.job_logs.dialects.slurm import (
    sacct,
    slurm2sql,
    slurm_database,
    slurm_records,
    squeue,
    xdmod,
)
from gpuplanner.files.job_logs.dialects.traces import openb_pods, pai, philly, standard_workload
from gpuplanner.files.job_logs.judging.dialect import Dialect, JobTable
from gpuplanner.files.sources.raw_table import load_raw
from gpuplanner.files.sources.source import Source
from gpuplanner.files.system.engine import Engine
from gpuplanner.files.tables.column_mapping import KEPT_AS
from gpuplanner.files.tables.delimited import best_header, check_columns
from gpuplanner.files.tables.fields import JOB_FIELDS

# --- Rows of a table that are no jobs and no faults: totals, comments, rulers, and how many rows a client printed

STRAY_ROW: Final = (
    r"(?i)^[\s*]*(#|(((grand|sub|all)[ -]?)?totals?|sum|summe|gesamt|insgesamt|somme)([\s:*(].*)?$"
    r"|:?-{2,}|[+]-{2,}|={3,}|[(]?[0-9]+ rows?\b)"
)
"""What their first cell or their id begins with, for the regular expressions of any engine."""

NO_TIME: Final = r"^[\s:=+*-]*$"
"""What stands in such a row where a job has its start: nothing, or the stroke of a ruler."""


def is_stray_row(cells: Sequence[str], start: str) -> str:
    """SQL: whether a record is such a row. cells: SQL for where it may say so; start: SQL for the start of a job.

    A start that begins with a digit answers at once, as that of almost every record does; but an array as a whole, 4[],
    is none of its tasks, which are rows too.
    """
    begins = " or ".join(
        f"regexp_matches(coalesce({cell}, ''), '{STRAY_ROW}')" for cell in dict.fromkeys(cells)
    )
    arrays = " or ".join(f"({cell} like '%_[]%') is true" for cell in cells[1:]) or "false"
    return (
        f"case when {arrays} then true when coalesce({start} >= '0' and {start} < ':', false) then false "
        f"else regexp_matches(coalesce({start}, ''), '{NO_TIME}') and ({begins}) end"
    )


# --- Our own CSV of jobs: the header says everything ---------------------------------------------

OWN_CSV_FORMAT: Final = "own_csv"
REQUIRED: Final = tuple(field.name for field in JOB_FIELDS if field.is_needed)
COLUMN_OF: Final = {KEPT_AS.get(field.name, field.name): field.name for field in JOB_FIELDS if field.is_ours}
"""Our heading of each field of a job."""


def sniff_own_csv(head: str) -> float:
    """How sure it is that a text begins a log of ours, 0..1.

    1 with all required columns (docs/formats/jobs.md, Job logs); 0.6 where one lacks, so that it is refused by
    name.
    """
    _, columns = best_header(head, COLUMN_OF.values())
    names = {name.casefold() for name in columns}
    if "job_id" not in names or "contract_id" in names or "offer_id" in names:
        return 0.0
    required = sum(name in names for name in REQUIRED)
    others = sum(name in names for name in COLUMN_OF.values()) - required
    if required == len(REQUIRED):
        return 1.0
    is_like_ours = required == len(REQUIRED) - 1 or (required >= 2 and ("gpus" in names or others >= 3))
    return 0.6 if is_like_ours else 0.0


def own_csv_rows(source: Source, engine: Engine, table: str) -> JobTable:
    """The records of a log and where each field stands.

    Errors: PlannerError missing_column where a required one is not there.
    """
    delimiter, columns = best_header(source.head, COLUMN_OF.values())
    check_columns(
        source.path,
        columns,
        REQUIRED,
        worded_both("add it, or name the columns with --map", "add it, or map its columns"),
    )
    raw = load_raw(engine, source, table, columns, delimiter=delimiter)
    located = {field: raw.column(heading) for field, heading in COLUMN_OF.items()}
    fields = {field: column for field, column in located.items() if column}
    return JobTable(
        raw=raw, fields=fields, is_ignored=is_stray_row(("c0", fields["job_id"]), fields["start"])
    )


OWN_CSV: Final = Dialect(
    format=OWN_CSV_FORMAT, title=worded("job log"), sniff=sniff_own_csv, rows=own_csv_rows
)


# --- The table of recognisers: every dialect of job log that is read -----------------------------

DIALECTS: Final[tuple[Dialect, ...]] = (
    OWN_CSV,
    sacct.DIALECT,
    squeue.DIALECT,
    slurm_records.SLURM_JSON,
    slurm_records.SONAR_KV,
    slurm_records.SONAR_JSON,
    slurm2sql.SLURM2SQL,
    slurm_database.SLURM_DATABASE,
    xdmod.XDMOD,
    cloud_bills.FOCUS,
    cloud_bills.AWS_CUR,
    cloud_bills.AZURE,
    cloud_bills.OCI,
    kubernetes_pods.DIALECT,
    opencost.OPENCOST,
    openb_pods.OPENB,
    philly.PHILLY,
    pai.PAI,
    lsf.DIALECT,
    pbs.PBS,
    condor.CONDOR,
    ray.RAY,
    kueue.KUEUE,
    grid_engine.SGE,
    runai.RUNAI,
    volcano.VOLCANO,
    clearml.CLEARML,
    wandb.WANDB,
    standard_workload.SWF,
)
"""Of two that are as sure of a file and accept as many of its first rows, the first."""


def dialect_named(name: str, mapped: str) -> Dialect:
    """The dialect with this id. mapped: what else may be said where there is none. Errors: PlannerError usage."""
    for dialect in DIALECTS:
        if dialect.format == name:
            return dialect
    known = ", ".join(dialect.format for dialect in DIALECTS)
    remedy = worded("use one of {known}, or {mapped}", known=known, mapped=mapped)
    raise PlannerError(repr(name), "usage", worded("unknown job log format"), remedy)
