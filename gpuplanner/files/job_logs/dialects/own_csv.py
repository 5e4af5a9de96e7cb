"""Our own CSV of jobs: the header says everything."""

from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.files.job_logs.judging.dialect import Dialect, JobTable
from gpuplanner.files.job_logs.judging.stray_rows import is_stray_row
from gpuplanner.files.sources.raw_table import load_raw
from gpuplanner.files.sources.source import Source
from gpuplanner.files.system.engine import Engine
from gpuplanner.files.tables.column_mapping import KEPT_AS
from gpuplanner.files.tables.fields import JOB_FIELDS
from gpuplanner.files.tables.headers import best_header, check_columns

FORMAT: Final = "own_csv"
REQUIRED: Final = tuple(field.name for field in JOB_FIELDS if field.is_needed)
COLUMN_OF: Final = {KEPT_AS.get(field.name, field.name): field.name for field in JOB_FIELDS if field.is_ours}
"""Our heading of each field of a job."""


def sniff(head: str) -> float:
    """How sure it is that a text begins a log of ours, 0..1.

    1 with all required columns (docs/interface.md, Job logs); 0.6 where one lacks, so that it is refused by
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


def rows(source: Source, engine: Engine, table: str) -> JobTable:
    """The records of a log and where each field stands.

    Errors: PlannerError missing_column where a required one is not there.
    """
    delimiter, columns = best_header(source.head, COLUMN_OF.values())
    check_columns(source.path, columns, REQUIRED, worded("add it, or name the columns with --map"))
    raw = load_raw(engine, source, table, columns, delimiter=delimiter)
    located = {field: raw.column(heading) for field, heading in COLUMN_OF.items()}
    fields = {field: column for field, column in located.items() if column}
    return JobTable(raw, fields, is_stray_row(("c0", fields["job_id"]), fields["start"]))


DIALECT: Final = Dialect(FORMAT, worded("job log"), sniff, rows)
