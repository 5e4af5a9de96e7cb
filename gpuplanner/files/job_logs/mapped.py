"""Any other table of jobs, read through a mapping of its columns."""

from functools import partial
from typing import Final

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.engine import Engine
from gpuplanner.files.job_logs.dialects import Dialect
from gpuplanner.files.job_logs.gpu_counts import read_gpu_count
from gpuplanner.files.job_logs.job_table import JobTable
from gpuplanner.files.job_logs.mapping import DURATION, MAPPED_FIELDS, ColumnMapping
from gpuplanner.files.job_logs.own_csv import header_of
from gpuplanner.files.job_logs.raw_table import load_raw
from gpuplanner.files.source import Source

__all__ = ["FORMAT", "ColumnMapping", "mapped_dialect"]

FORMAT: Final = "mapped"


def mapped_dialect(mapping: ColumnMapping) -> Dialect:
    """A dialect that reads every table by this mapping."""
    return Dialect(FORMAT, "table read through a mapping", lambda head: 0.0, partial(_rows, mapping))


def _rows(mapping: ColumnMapping, source: Source, engine: Engine, table: str) -> JobTable:
    """Errors: PlannerError missing_column where a mapped column is not there."""
    delimiter, columns = header_of(
        source.head, frozenset(name.casefold() for name in mapping.columns.values())
    )
    there = {name.casefold() for name in columns}
    missing = [name for name in mapping.columns.values() if name.strip().casefold() not in there]
    if missing:
        raise PlannerError(
            f"{source.path}:1",
            "missing_column",
            f"there is no column {', '.join(missing)}",
            "map to one of " + ", ".join(columns),
        )
    raw = load_raw(engine, source, table, columns, delimiter=delimiter)
    fields = {MAPPED_FIELDS[field]: raw.column(name) or "" for field, name in mapping.columns.items()}
    return JobTable(
        raw,
        fields,
        start_unit=mapping.units.get("start"),
        end_unit=mapping.units.get("end"),
        elapsed_unit=mapping.units.get(DURATION, "s"),
        end_is_elapsed="end" not in fields,
        read_gpus=partial(read_gpu_count, unit=mapping.units.get("gpus", "gpu")),
    )
