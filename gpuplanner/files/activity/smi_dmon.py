"""What `nvidia-smi dmon -o DT` prints: a column for each monitor, date and time, under headings that repeat."""

import csv
from collections.abc import Iterator, Sequence
from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.files.activity.metrics import METRICS, is_unmeasured, milli_percent
from gpuplanner.files.activity.name_of_file import host_in_name
from gpuplanner.files.activity.reading import NO_TIME, ActivityDialect, Reading, Sample, no_share
from gpuplanner.files.activity.sample_times import Clock
from gpuplanner.files.sources.issue_texts import LONG, long_words, ragged_code
from gpuplanner.files.sources.source import Source
from gpuplanner.files.tables.small_table import RowError
from gpuplanner.lazy_re import lazy_re

_METRIC: Final = "sm"
"""Its own word for what a query calls utilization.gpu."""

SMI_HEADING: Final = "utilization.gpu"
_LIKE: Final = METRICS[SMI_HEADING]
_NEEDED: Final = frozenset(("date", "time", "gpu", _METRIC))
_LINES_LOOKED_AT: Final = 40
_DATE: Final = lazy_re(r"^(\d{4})[-/]?(\d\d)[-/]?(\d\d)$")


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
        return Reading(row=row, fault=RowError(LONG, long_words(cells, len(at))), text=text)
    cells = [*cells, *[""] * (len(at) - len(cells))]
    if not set(at) >= _NEEDED or not cells[at["gpu"]].isdecimal():
        fault = RowError("bad_number", worded("does not match its heading"), worded("leave it out"))
        return Reading(row=row, fault=fault, text=text)
    if is_unmeasured(cells[at[_METRIC]]):
        return Reading(row=row, is_short=bool(ragged))
    value = milli_percent(cells[at[_METRIC]], _LIKE)
    if value is None:
        return Reading(row=row, fault=no_share(cells[at[_METRIC]]), text=text)
    date = _DATE.match(cells[at["date"]])
    at_s, is_naive = clock.read(f"{'-'.join(date.groups())} {cells[at['time']]}" if date else "")
    if at_s is None:
        return Reading(row=row, fault=NO_TIME, text=text)
    sample = Sample(
        at_s=at_s, host=host, gpu=cells[at["gpu"]], milli_percent=value, metric=SMI_HEADING, is_naive=is_naive
    )
    return Reading(row=row, samples=(sample,), is_short=bool(ragged))


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
    format="nvidia_smi",
    why=worded("looks like output of {name}", name="nvidia-smi dmon"),
    sniff=sniff_smi_dmon,
    readings=smi_dmon_readings,
)
