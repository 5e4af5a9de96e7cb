"""A mapping: which column of a table is which field of a job, and in what unit. The words of --map, as a value."""

import csv
import io
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.worded import Worded, joined, worded
from gpuplanner.files.job_logs.dialects.own_csv import COLUMN_OF
from gpuplanner.files.values.durations import SECONDS_PER
from gpuplanner.files.values.gpu_counts import MILLI_PER
from gpuplanner.files.values.number_forms import STYLES

DURATION: Final = "duration"
MAPPED_FIELDS: Final = {heading: field for field, heading in COLUMN_OF.items()} | {DURATION: "elapsed"}
"""Field names that --map takes, and what they are called inside."""

ACTIVITY: Final = COLUMN_OF["activity"]
TIME_LIMIT: Final = COLUMN_OF["time_limit"]

_TIME_UNITS: Final = ("iso", "epoch_s", "epoch_ms", "epoch_us", "epoch_ns", "ymd", "dmy", "mdy", "serial")
_DURATION_UNITS: Final = ("s", "min", "h", "d", "ms", "hm")
UNITS_OF: Final[Mapping[str, tuple[str, ...]]] = {
    "submit": _TIME_UNITS,
    "eligible": _TIME_UNITS,
    "start": _TIME_UNITS,
    "end": _TIME_UNITS,
    DURATION: _DURATION_UNITS,
    TIME_LIMIT: _DURATION_UNITS,
    "gpus": (*MILLI_PER, "slurm", "list", "per_node"),
    ACTIVITY: ("percent", "share"),
}
"""The units a field is offered in, the first where none is stated. A field that is not here is text or a count."""

UNIT_TITLES: Final = {
    "iso": joined(("ISO 8601",)),
    "epoch_s": worded("seconds since 1970"),
    "epoch_ms": worded("milliseconds since 1970"),
    "epoch_us": worded("microseconds since 1970"),
    "epoch_ns": worded("nanoseconds since 1970"),
    "ymd": worded("year/month/day"),
    "dmy": worded("day/month/year"),
    "mdy": worded("month/day/year"),
    "serial": worded("days as a spreadsheet counts them"),
    "s": worded("seconds"),
    "min": worded("minutes"),
    "h": worded("hours"),
    "d": worded("days"),
    "ms": worded("milliseconds"),
    "hm": worded("hours:minutes"),
    "gpu": worded("GPUs"),
    "milli": worded("thousandths of a GPU"),
    "slurm": worded("Slurm's list of resources"),
    "list": worded("a list of GPUs, counted"),
    "per_node": worded("GPUs of each node"),
    "percent": worded("percent"),
    "share": worded("share from 0 to 1"),
}
"""What each unit is called for a reader."""

NUMBERS: Final = ("gpus", DURATION, ACTIVITY, "nodes")
"""Fields whose unit may end in how its numbers are written: `h:comma`, or `comma` alone."""

_ALSO_TAKEN: Final = {
    name: tuple(SECONDS_PER) for name in ("submit", "eligible", "start", "end", DURATION, TIME_LIMIT)
}
_UNIT: Final = re.compile(r"\w{1,12}")
_NUMBERED: Final = re.compile(r"(?:#|column\s*)(\d{1,4})", re.I)


@dataclass(frozen=True, slots=True)
class ColumnMapping:
    """Which column of a table is which field of a job. columns: heading by field; units: by field, where stated.

    A column may also be named by its place from 1, as `#3` or `column 3`. A unit of NUMBERS may end in the style in
    which they are written: `h:comma`.
    """

    columns: Mapping[str, str]
    units: Mapping[str, str] = field(default_factory=dict)

    def unit(self, name: str) -> str:
        """The unit of a field; empty where none applies."""
        stated = [part for part in self.units.get(name, "").split(":") if part and part not in STYLES]
        return stated[0] if stated else next(iter(UNITS_OF.get(name, ("",))))

    def style(self, name: str) -> str:
        """How the numbers of a field are written, point or comma; empty where the column decides."""
        return next((part for part in self.units.get(name, "").split(":") if part in STYLES), "")

    @property
    def lacking(self) -> tuple[str, ...]:
        """What it needs before a table can be read: fields of `gpus`, `start`, `end or duration`."""
        lacking: list[str] = [name for name in ("gpus", "start") if name not in self.columns]
        if "end" not in self.columns and DURATION not in self.columns:
            lacking.append(worded("end or duration"))
        return tuple(lacking)


def parse_mapping(text: str) -> ColumnMapping:
    """`gpus=num_gpu,start=submitted:epoch_s`: quote an item that has a comma in its column name.

    Errors: PlannerError usage.
    """
    columns: dict[str, str] = {}
    units: dict[str, str] = {}
    for item in next(csv.reader([text], skipinitialspace=True), []):
        name, equals, column = (part.strip() for part in item.partition("="))
        if name not in MAPPED_FIELDS or not equals or not column:
            raise _usage(
                item or text,
                worded("this is no FIELD=COLUMN"),
                worded("fields are ") + ", ".join(MAPPED_FIELDS),
            )
        if name in columns:
            raise _usage(item, worded("{name} is mapped twice", name=name), worded("name one column"))
        allowed = (*UNITS_OF.get(name, ()), *_ALSO_TAKEN.get(name, ()))
        column, style = _without_style(name, column)
        heading, colon, unit = column.rpartition(":")
        if colon and unit in allowed and heading.strip():
            column, units[name] = heading.strip(), unit + style
        elif colon and unit in (*MILLI_PER, *SECONDS_PER):
            raise _usage(
                item,
                worded("{unit} is no unit of {name}", unit=unit, name=name),
                worded("units are ") + (", ".join(dict.fromkeys(allowed)) or worded("for numbers only")),
            )
        elif style:
            units[name] = style.removeprefix(":")
        columns[name] = column
    if not columns:
        raise _usage(text, worded("no column is mapped"), worded("write FIELD=COLUMN, such as gpus=num_gpu"))
    return ColumnMapping(columns, units)


def _without_style(name: str, column: str) -> tuple[str, str]:
    """A column and the style after it with its colon; none where the field is no number."""
    heading, colon, style = column.rpartition(":")
    is_styled = name in NUMBERS and colon and style in STYLES and heading.strip()
    return (heading.strip(), colon + style) if is_styled else (column, "")


def with_own_names(mapping: ColumnMapping, headings: Sequence[str]) -> ColumnMapping:
    """A mapping that does not say all that is needed says only what differs: other fields have our own headings.

    headings: of the table that is read. A mapping that is whole stays as it is: what it leaves out is not read.

    >>> with_own_names(ColumnMapping({"gpus": "n", "start": "from"}), ("job_id", "n", "from", "end")).columns
    {'gpus': 'n', 'start': 'from', 'end': 'end', 'job_id': 'job_id'}
    """
    if not mapping.lacking:
        return mapping
    own = [name for name in MAPPED_FIELDS if column_place(headings, name) is not None]
    has_end = "end" in mapping.columns or (DURATION not in mapping.columns and "end" in own)
    ends_by = "end" if has_end or DURATION not in (*mapping.columns, *own) else DURATION
    others = [name for name in own if name not in ("end", DURATION)]
    return ColumnMapping(
        {name: name for name in ("gpus", "start", ends_by, *others)} | dict(mapping.columns), mapping.units
    )


def check_units(mapping: ColumnMapping, missing: Collection[str]) -> None:
    """missing: columns that a table does not have. Errors: PlannerError usage where one of them ends in no unit."""
    for name, column in mapping.columns.items():
        heading, colon, unit = column.rpartition(":")
        if column in missing and name in UNITS_OF and heading and colon and _UNIT.fullmatch(unit):
            known = dict.fromkeys((*UNITS_OF[name], *_ALSO_TAKEN.get(name, ())))
            raise _usage(
                f"{name}={column}",
                worded("unknown unit {unit}", unit=unit),
                worded("units are ") + ", ".join(known),
            )


def mapping_text(mapping: ColumnMapping) -> str:
    """The words that --map reads back as this mapping.

    >>> mapping_text(ColumnMapping({"start": "begun", "gpus": "n, all"}, {"start": "epoch_s"}))
    '"gpus=n, all",start=begun:epoch_s'
    """
    out = io.StringIO()
    csv.writer(out, lineterminator="").writerow(
        f"{name}={mapping.columns[name]}" + (f":{mapping.units[name]}" if mapping.units.get(name) else "")
        for name in MAPPED_FIELDS
        if name in mapping.columns
    )
    return out.getvalue()


def is_writable(heading: str) -> bool:
    """Whether a heading can stand in the words of --map as it is; one that cannot is named by its place."""
    is_like_a_unit = heading.rpartition(":")[2] in (*UNIT_TITLES, *STYLES) and ":" in heading
    return bool(heading) and heading.isprintable() and heading == heading.strip() and not is_like_a_unit


def unique_headings(headings: Sequence[str]) -> tuple[str, ...]:
    """Headings by which every column can be told from the others: a second of a name, or none, is `column 3`."""
    seen: set[str] = set()
    answer = []
    for place, heading in enumerate(headings, 1):
        name = heading.strip()
        if not is_writable(name) or _NUMBERED.fullmatch(name) or name.casefold() in seen:
            name = f"column {place}"
        seen.add(name.casefold())
        answer.append(name)
    return tuple(answer)


def column_place(headings: Sequence[str], name: str) -> int | None:
    """Which column is meant, from 0: by its heading, ignoring case, else by its place. None where there is none.

    >>> column_place(("id", "GPUs"), "gpus"), column_place(("id", "GPUs"), "#1"), column_place(("id",), "#2")
    (1, 0, None)
    """
    wanted = name.strip().casefold()
    for place, heading in enumerate(headings):
        if heading.strip().casefold() == wanted:
            return place
    found = _NUMBERED.fullmatch(wanted)
    return int(found[1]) - 1 if found and 0 < int(found[1]) <= len(headings) else None


def _usage(where: str, what: Worded, remedy: Worded) -> PlannerError:
    return PlannerError(f"--map {where}", "usage", what, remedy)
