"""A mapping: which column of a table is which field of a job. The words of --map, as a value."""

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.job_logs.durations import SECONDS_PER
from gpuplanner.files.job_logs.gpu_counts import MILLI_PER
from gpuplanner.files.job_logs.own_csv import COLUMN_OF

DURATION: Final = "duration"
MAPPED_FIELDS: Final = {heading: field for field, heading in COLUMN_OF.items()} | {DURATION: "elapsed"}
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
        if field not in MAPPED_FIELDS or not equals or not column:
            raise _usage(item or text, "this is no FIELD=COLUMN", "fields are " + ", ".join(MAPPED_FIELDS))
        if field in columns:
            raise _usage(item, f"{field} is mapped twice", "name one column")
        allowed = tuple(MILLI_PER) if field == "gpus" else tuple(SECONDS_PER) if field in _TIMED else ()
        name, colon, unit = column.rpartition(":")
        if colon and unit in (*MILLI_PER, *SECONDS_PER):
            if unit not in allowed:
                raise _usage(
                    item,
                    f"{unit} is no unit of {field}",
                    "units are " + (", ".join(allowed) or "for numbers only"),
                )
            column, units[field] = name, unit
        columns[field] = column
    missing = [field for field in ("gpus", "start") if field not in columns]
    if "end" not in columns and DURATION not in columns:
        missing.append("end or duration")
    if missing:
        raise _usage(
            text,
            f"{' and '.join(missing)} must be mapped",
            "add " + ", ".join(f"{f}=COLUMN" for f in missing),
        )
    return ColumnMapping(columns, units)


def _usage(where: str, what: str, remedy: str) -> PlannerError:
    return PlannerError(f"--map {where}", "usage", what, remedy)
