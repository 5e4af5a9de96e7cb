"""The table of jobs in Slurm's own database, as an SQL client writes it: states and resources as numbers."""

from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.job_logs.dialects.slurm import slurm_fields
from gpuplanner.files.job_logs.judging.dialect import Dialect, JobTable, headings_of
from gpuplanner.files.job_logs.judging.tres_names import HOW_TO_NAME
from gpuplanner.files.sources.raw_table import load_raw
from gpuplanner.files.sources.source import Source
from gpuplanner.files.system.engine import Engine
from gpuplanner.files.tables.delimited import has_columns, header_columns
from gpuplanner.lazy_dataclass import replace

_SLURM_NAMES: Final = {
    name: column for column, names in headings_of("slurm_database").items() for name in names
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
        problem = worded("Slurm job table without column {names}", names=", ".join(missing))
        raise PlannerError(f"{source.path}:1", "missing_column", problem, slurm_fields.ASK_SLURM)
    if not given and not engine.tres and _NAMED_IN_HEAD not in source.head:
        problem = worded("Slurm job table with GPU ids (tres_alloc), without names (gres_used)")
        raise PlannerError(f"{source.path}:1", "missing_column", problem, HOW_TO_NAME)
    raw = load_raw(engine, source, table, _as_sacct_calls(columns), delimiter=delimiter)
    found = slurm_fields.slurm_table(engine, raw, time_unit="epoch_s") if raw.column("AllocTRES") else None
    if found is None:  # of the oldest versions
        raw = replace(raw, columns=tuple("AllocGRES" if name in given else name for name in raw.columns))
        found = slurm_fields.slurm_table(engine, raw, time_unit="epoch_s")
    told = [
        f"case when regexp_matches(lower(trim({column})), '{_NOTHING}') then null else {column} end"
        for column in (f"c{columns.index(name)}" for name in (*given, "tres_alloc") if name in columns)
    ]
    fields = {**found.fields, "gpus": f"coalesce({', '.join(told)}, '')"}
    if (state := fields.get("state")) is not None:
        words = " ".join(f"when {number} then '{word}'" for number, word in enumerate(_STATES))
        fields["state"] = f"case try_cast({state} as bigint) & 255 {words} else {state} end"
    return replace(
        found, fields=fields, read_gpus=slurm_fields.with_tres_names(slurm_fields.read_given, engine.tres)
    )


def _as_sacct_calls(columns: tuple[str, ...]) -> tuple[str, ...]:
    """The database's names of columns as sacct calls them; of two for one the first in our table counts."""
    taken = {_SLURM_NAMES[name]: name for name in reversed(_SLURM_NAMES) if name in columns}
    return tuple(
        slurm if (slurm := _SLURM_NAMES.get(name)) and taken[slurm] == name else name for name in columns
    )


SLURM_DATABASE: Final = Dialect(
    format="slurm_db", title=worded("Slurm database job table"), sniff=sniff_database, rows=database_rows
)
