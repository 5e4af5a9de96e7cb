"""What `dcgmi dmon` prints on the screen: columns under a heading that comes again and again."""

from collections.abc import Iterator
from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.files.activity.metric_table import RowReader, columns_of, readings, sniff_dmon
from gpuplanner.files.activity.metrics import METRICS, metric_key
from gpuplanner.files.activity.name_of_file import host_in_name
from gpuplanner.files.activity.reading import ActivityDialect, Reading
from gpuplanner.files.sources.source import Source
from gpuplanner.files.tables.small_table import RowError
from gpuplanner.lazy_re import lazy_re

_HEADING: Final = lazy_re(r"(?i)^\s*(?:#\s*)?Entity\b(?P<names>.*)$")
_UNITS: Final = lazy_re(r"^\s*(?:#\s*)?I[Dd]\b")
_ROW: Final = lazy_re(
    r"^\s*(?:\[?(?P<time>\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d[^\s,;\]]*?)\]?\s+)?"
    r"(?P<entity>GPU(?:-I|-CI)?\s+\d+)\s+(?P<values>.*)$"
)
_TIME_LINE: Final = lazy_re(r"^\s*(?:#\s*)?(?P<time>\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d[^\s,;]*)\s*$")


def sniff_dcgmi_dmon(head: str) -> float:
    """How surely a beginning is that, on the screen or as a table.

    0 to 1; 0.6 where its columns are monitors but none of them says activity.
    """
    if sniff_dmon(head):
        return sniff_dmon(head)
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
    if sniff_dmon(source.head):
        yield from readings(source, timezone)
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
                fault = RowError("bad_number", worded("not a line of dcgmi dmon"), worded("leave it out"))
                yield Reading(row=row, fault=fault, text=line.strip())


DCGMI_DMON: Final = ActivityDialect(
    format="dcgm",
    why=worded("looks like output of {name}", name="dcgmi dmon"),
    sniff=sniff_dcgmi_dmon,
    readings=dcgmi_dmon_readings,
)
