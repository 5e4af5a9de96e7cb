"""What `nvidia-smi dmon -o DT` prints: a column for each monitor, date and time, under headings that come again."""

import csv
import re
from collections.abc import Iterator, Sequence
from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.files.activity.clock import Clock
from gpuplanner.files.activity.file_names import host_in_name
from gpuplanner.files.activity.metrics import METRICS, is_unmeasured, milli_percent
from gpuplanner.files.activity.reading import NO_TIME, ActivityDialect, Reading, Sample, no_share
from gpuplanner.files.sources.row_widths import LONG, long_words, ragged_code
from gpuplanner.files.sources.source import Source
from gpuplanner.files.tables.small_table import RowError

_METRIC: Final = "sm"
"""Its own word for what a query calls utilization.gpu."""

_AS: Final = "utilization.gpu"
_LIKE: Final = METRICS[_AS]
_NEEDED: Final = frozenset(("date", "time", "gpu", _METRIC))
_LINES_LOOKED_AT: Final = 40
_DATE: Final = re.compile(r"^(\d{4})[-/]?(\d\d)[-/]?(\d\d)$")


def sniff(head: str) -> float:
    """How surely a beginning is that, with its dates and the monitor of the multiprocessors."""
    headings = (_headings(line) for line in head.splitlines()[:_LINES_LOOKED_AT])
    return 0.95 if any(set(names) >= _NEEDED and "pid" not in names for names in headings) else 0.0


def readings(source: Source, timezone: str | None) -> Iterator[Reading]:
    """Every line of a GPU; headings and their units are no rows.

    timezone: of the times, which it prints without one; the node is named by the file alone.
    """
    clock, host = Clock(timezone), host_in_name(source.path)
    at: dict[str, int] = {}
    with source.text_lines() as lines:
        for row, line in enumerate(lines, 1):
            if names := _headings(line):
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


def _headings(line: str) -> list[str]:
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


DIALECT: Final = ActivityDialect(
    "nvidia_smi", worded("it reads like what nvidia-smi dmon prints"), sniff, readings
)
