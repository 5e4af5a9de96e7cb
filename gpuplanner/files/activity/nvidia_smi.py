"""What NVIDIA's tools print: `nvidia-smi --query-gpu`, `nvidia-smi dmon` and `dcgmi dmon`."""

import csv
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.files.activity import metric_table
from gpuplanner.files.activity.metric_table import RowReader, columns_of
from gpuplanner.files.activity.reading import (
    METRICS,
    NO_TIME,
    ActivityDialect,
    Clock,
    Reading,
    Sample,
    host_in_name,
    is_unmeasured,
    metric_key,
    milli_percent,
    no_share,
)
from gpuplanner.files.sources.issue_texts import LONG, long_words, ragged_code
from gpuplanner.files.sources.source import Source
from gpuplanner.files.tables.small_table import RowError

# --- What `nvidia-smi --query-gpu ... --format=csv` writes without a heading: columns told by what stands in them

_ROWS_LOOKED_AT: Final = 200
_ENOUGH: Final = 0.6
"""Of the first rows have as many cells as the table has columns."""
_TIME: Final = re.compile(r"^\d{4}/\d\d/\d\d \d\d:\d\d:\d\d(?:\.\d+)?$")
_MILLISECONDS: Final = re.compile(r"\.\d{3}$")
_UUID: Final = re.compile(r"^(?:GPU|MIG)-[0-9a-fA-F-]+$")
_PERCENT: Final = re.compile(r"^(?:\d{1,3} %|\[(?:N/A|Not Supported)\])$")
_INDEX: Final = re.compile(r"^\d{1,2}$")
_SHARE: Final = re.compile(r"^(?:\d{1,2}|100|\[(?:N/A|Not Supported)\])$")
_NAME: Final = re.compile(r"^(?:NVIDIA|Tesla|GeForce|Quadro|RTX|A\d|H\d|L\d|V\d|B\d|GRID).*$", re.I)


def sniff_query(head: str) -> float:
    """How surely a beginning is such a table."""
    return max(metric_table.sniff_smi(head), 0.9 if _query_headings(_first_rows(head)) else 0.0)


def query_readings(source: Source, timezone: str | None) -> Iterator[Reading]:
    """Every row, with a heading or without.

    Rows are numbered from 1; timezone: of the times, which nvidia-smi writes without one.
    """
    if metric_table.sniff_smi(source.head):
        yield from metric_table.readings(source, timezone)
        return
    columns = columns_of(_query_headings(_first_rows(source.head)))
    reader = RowReader(columns, host_in_name(source.path), timezone)
    with source.rows(",") as rows:
        for row, fields in rows:
            yield reader.reading(row, [field.strip() for field in fields])


def _first_rows(head: str) -> list[list[str]]:
    """The first rows of the file's beginning, cells without the blanks about them; empty lines are left out."""
    lines = [line for line in head.splitlines()[:_ROWS_LOOKED_AT] if line.strip()]
    return [[cell.strip() for cell in row] for row in csv.reader(lines, skipinitialspace=True)]


def _query_headings(rows: Sequence[Sequence[str]]) -> list[str]:
    """Names for the columns of rows that all begin with nvidia-smi's kind of time; empty where they are none.

    The utilization is the first column in percent, or without units the first after the GPU's name or number
    that holds whole numbers up to 100: nvidia-smi's own order. Without a GPU's name the times have milliseconds.
    """
    width, count = Counter(map(len, rows)).most_common(1)[0] if rows else (0, 0)
    if width < 2 or count < _ENOUGH * len(rows):
        return []
    rows = [row for row in rows if len(row) == width and any(row)]
    columns = [[row[at] for row in rows] for at in range(width)]

    def first(fits: Callable[[str], object], among: Sequence[int]) -> int | None:
        """The first of some columns every cell of which fits; None if there is none."""
        return next((at for at in among if all(fits(cell) for cell in columns[at])), None)

    time = first(_TIME.match, range(width))
    if time is None:
        return []
    others = [at for at in range(width) if at != time]
    uuid, name = first(_UUID.match, others), first(_NAME.match, others)
    percent = first(_PERCENT.match, others)
    index = first(_INDEX.match, [at for at in others if at < (percent if percent is not None else width)])
    if percent is None:
        marks = [at for at in (time, uuid, name, index) if at is not None]
        percent = first(_SHARE.match, [at for at in others if at > max(marks)])
        if percent is None and index is not None and (uuid is not None or name is not None):
            percent, index = index, None
    is_its_own = uuid is not None or name is not None or all(map(_MILLISECONDS.search, columns[time]))
    if percent is None or not is_its_own:
        return []
    found = {time: "timestamp", uuid: "uuid", name: "name", index: "index", percent: "utilization.gpu"}
    return [found.get(at, f"column {at + 1}") for at in range(width)]


QUERY: Final = ActivityDialect(
    "nvidia_smi", worded("it reads like what nvidia-smi --query-gpu writes"), sniff_query, query_readings
)


# --- What `nvidia-smi dmon -o DT` prints: a column for each monitor, date and time, under headings that come again

_METRIC: Final = "sm"
"""Its own word for what a query calls utilization.gpu."""

_AS: Final = "utilization.gpu"
_LIKE: Final = METRICS[_AS]
_NEEDED: Final = frozenset(("date", "time", "gpu", _METRIC))
_LINES_LOOKED_AT: Final = 40
_DATE: Final = re.compile(r"^(\d{4})[-/]?(\d\d)[-/]?(\d\d)$")


def sniff_smi_dmon(head: str) -> float:
    """How surely a beginning is that, with its dates and the monitor of the multiprocessors."""
    headings = (_dmon_headings(line) for line in head.splitlines()[:_LINES_LOOKED_AT])
    return 0.95 if any(set(names) >= _NEEDED and "pid" not in names for names in headings) else 0.0


def smi_dmon_readings(source: Source, timezone: str | None) -> Iterator[Reading]:
    """Every line of a GPU; headings and their units are no rows.

    timezone: of the times, which it prints without one; the node is named by the file alone.
    """
    clock, host = Clock(timezone), host_in_name(source.path)
    at: dict[str, int] = {}
    with source.text_lines() as lines:
        for row, line in enumerate(lines, 1):
            if names := _dmon_headings(line):
                at = {name: place for place, name in enumerate(names)}
            elif line.strip() and not line.lstrip().startswith("#"):
                yield _reading(row, _cells(line), at, clock, host)


def _reading(row: int, cells: Sequence[str], at: dict[str, int], clock: Clock, host: str) -> Reading:
    """One printed line under the heading that stands above it.

    A sample, a fault, or nothing where the card was not measured.
    """
    text = " ".join(cells)
    ragged = ragged_code(cells, len(at))
    if ragged == LONG:
        return Reading(row, fault=RowError(LONG, long_words(cells, len(at))), text=text)
    cells = [*cells, *[""] * (len(at) - len(cells))]
    if not set(at) >= _NEEDED or not cells[at["gpu"]].isdecimal():
        fault = RowError(
            "bad_number", worded("the line does not stand under its heading"), worded("leave it out")
        )
        return Reading(row, fault=fault, text=text)
    if is_unmeasured(cells[at[_METRIC]]):
        return Reading(row, is_short=bool(ragged))
    value = milli_percent(cells[at[_METRIC]], _LIKE)
    if value is None:
        return Reading(row, fault=no_share(cells[at[_METRIC]]), text=text)
    date = _DATE.match(cells[at["date"]])
    at_s, is_naive = clock.read(f"{'-'.join(date.groups())} {cells[at['time']]}" if date else "")
    if at_s is None:
        return Reading(row, fault=NO_TIME, text=text)
    sample = Sample(at_s, host, cells[at["gpu"]], value, _AS, is_naive=is_naive)
    return Reading(row, (sample,), is_short=bool(ragged))


def _dmon_headings(line: str) -> list[str]:
    """The names of the columns, in small letters; none where a line is no heading."""
    text = line.strip()
    if not text.startswith("#"):
        return []
    names = [name.casefold() for name in _cells(text.lstrip("# "))]
    return names if "gpu" in names and len(set(names)) == len(names) else []


def _cells(line: str) -> list[str]:
    """The cells of a line, parted by blanks, or by commas as newer versions do on request."""
    if "," in line:
        return [cell.strip() for cell in next(csv.reader([line.strip()], skipinitialspace=True), [])]
    return line.split()


SMI_DMON: Final = ActivityDialect(
    "nvidia_smi", worded("it reads like what nvidia-smi dmon prints"), sniff_smi_dmon, smi_dmon_readings
)


# --- What `dcgmi dmon` prints on the screen: columns under a heading that comes again and again

_HEADING: Final = re.compile(r"^\s*(?:#\s*)?Entity\b(?P<names>.*)$", re.I)
_UNITS: Final = re.compile(r"^\s*(?:#\s*)?I[Dd]\b")
_ROW: Final = re.compile(
    r"^\s*(?:\[?(?P<time>\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d[^\s,;\]]*?)\]?\s+)?"
    r"(?P<entity>GPU(?:-I|-CI)?\s+\d+)\s+(?P<values>.*)$"
)
_TIME_LINE: Final = re.compile(r"^\s*(?:#\s*)?(?P<time>\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d[^\s,;]*)\s*$")


def sniff_dcgmi_dmon(head: str) -> float:
    """How surely a beginning is that, on the screen or as a table.

    0 to 1; 0.6 where its columns are monitors but none of them says activity.
    """
    if metric_table.sniff_dmon(head):
        return metric_table.sniff_dmon(head)
    for line in head.splitlines()[:20]:
        found = _HEADING.match(line)
        if found and not {",", ";"} & set(line):
            return 0.95 if any(metric_key(name) in METRICS for name in found["names"].split()) else 0.6
    return 0.0


def dcgmi_dmon_readings(source: Source, timezone: str | None) -> Iterator[Reading]:
    """Every line of a GPU. A time stands before it, or on a line of its own before its group.

    timezone: of times that state none; UTC where it is None. Lines before the first time have no time and
    are at fault.
    """
    if metric_table.sniff_dmon(source.head):
        yield from metric_table.readings(source, timezone)
        return
    reader = RowReader(columns_of(()), "", timezone)
    host, time = host_in_name(source.path), ""
    with source.text_lines() as lines:
        for row, line in enumerate(lines, 1):
            if found := _HEADING.match(line):
                reader = RowReader(columns_of(("time", "entity", *found["names"].split())), host, timezone)
            elif found := _TIME_LINE.match(line):
                time = found["time"]
            elif found := _ROW.match(line):
                cells = [found["time"] or time, found["entity"], *found["values"].split()]
                yield reader.reading(row, cells, " ")
            elif line.strip() and not _UNITS.match(line):
                fault = RowError(
                    "bad_number", worded("the line is none of dcgmi dmon"), worded("leave it out")
                )
                yield Reading(row, fault=fault, text=line.strip())


DCGMI_DMON: Final = ActivityDialect(
    "dcgm", worded("it reads like what dcgmi dmon prints"), sniff_dcgmi_dmon, dcgmi_dmon_readings
)
