"""Any other table of jobs, read through a mapping of its columns: --map FIELD=COLUMN[:UNIT],..."""

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.engine import Engine
from gpuplanner.files.job_logs.dialects import Dialect
from gpuplanner.files.job_logs.durations import SECONDS_PER
from gpuplanner.files.job_logs.gpu_counts import MILLI_PER, read_gpu_count
from gpuplanner.files.job_logs.job_table import JobTable
from gpuplanner.files.job_logs.own_csv import COLUMN_OF, header_of
from gpuplanner.files.job_logs.raw_table import load_raw
from gpuplanner.files.source import Source

FORMAT: Final = "mapped"
DURATION: Final = "duration"
_INTERNAL: Final = {heading: field for field, heading in COLUMN_OF.items()} | {DURATION: "elapsed"}
"""Field names that --map takes, and what they are called inside."""

_TIMED: Final = ("start", "end", DURATION)


@dataclass(frozen=True, slots=True)
class ColumnMapping:
    """Which column of a table is which field of a job. columns: heading by field; units: by field, where stated."""

    columns: Mapping[str, str]
    units: Mapping[str, str]


def parse_mapping(text: str) -> ColumnMapping:
    """`gpus=num_gpu,start=submitted:epoch_s`: quote an item that has a comma in its column name.

    Errors: PlannerError usage.
    """
    columns: dict[str, str] = {}
    units: dict[str, str] = {}
    for item in next(csv.reader([text], skipinitialspace=True), []):
        field, equals, column = (part.strip() for part in item.partition("="))
        if field not in _INTERNAL or not equals or not column:
            raise _usage(item or text, "this is no FIELD=COLUMN", "fields are " + ", ".join(_INTERNAL))
        if field in columns:
            raise _usage(item, f"{field} is mapped twice", "name one column")
        allowed = tuple(MILLI_PER) if field == "gpus" else tuple(SECONDS_PER) if field in _TIMED else ()
        name, colon, unit = column.rpartition(":")
        if colon and unit in (*MILLI_PER, *SECONDS_PER):
            if unit not in allowed:
                raise _usage(item, f"{unit} is no unit of {field}", "units are " + (", ".join(allowed) or "for numbers only"))
            column, units[field] = name, unit
        columns[field] = column
    missing = [field for field in ("gpus", "start") if field not in columns]
    if "end" not in columns and DURATION not in columns:
        missing.append("end or duration")
    if missing:
        raise _usage(text, f"{' and '.join(missing)} must be mapped", "add " + ", ".join(f"{f}=COLUMN" for f in missing))
    return ColumnMapping(columns, units)


def _usage(where: str, what: str, remedy: str) -> PlannerError:
    return PlannerError(f"--map {where}", "usage", what, remedy)


def mapped_dialect(mapping: ColumnMapping) -> Dialect:
    """A dialect that reads every table by this mapping."""
    return Dialect(FORMAT, "table read through a mapping", lambda head: 0.0, partial(_rows, mapping))


def _rows(mapping: ColumnMapping, source: Source, engine: Engine, table: str) -> JobTable:
    """Errors: PlannerError missing_column where a mapped column is not there."""
    delimiter, columns = header_of(source.head, frozenset(name.casefold() for name in mapping.columns.values()))
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
    fields = {_INTERNAL[field]: raw.column(name) or "" for field, name in mapping.columns.items()}
    return JobTable(
        raw,
        fields,
        start_unit=mapping.units.get("start"),
        end_unit=mapping.units.get("end"),
        elapsed_unit=mapping.units.get(DURATION, "s"),
        end_is_elapsed="end" not in fields,
        read_gpus=partial(read_gpu_count, unit=mapping.units.get("gpus", "gpu")),
    )
