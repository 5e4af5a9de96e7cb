"""What `dcgmi dmon` prints on the screen: columns under a heading that comes again and again."""

import re
from collections.abc import Iterator
from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.files.activity import metric_table
from gpuplanner.files.activity.file_names import host_in_name
from gpuplanner.files.activity.metric_table import RowReader, columns_of
from gpuplanner.files.activity.metrics import METRICS, metric_key
from gpuplanner.files.activity.reading import ActivityDialect, Reading
from gpuplanner.files.sources.source import Source
from gpuplanner.files.tables.small_table import RowError

_HEADING: Final = re.compile(r"^\s*(?:#\s*)?Entity\b(?P<names>.*)$", re.I)
_UNITS: Final = re.compile(r"^\s*(?:#\s*)?I[Dd]\b")
_ROW: Final = re.compile(
    r"^\s*(?:\[?(?P<time>\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d[^\s,;\]]*?)\]?\s+)?"
    r"(?P<entity>GPU(?:-I|-CI)?\s+\d+)\s+(?P<values>.*)$"
)
_TIME_LINE: Final = re.compile(r"^\s*(?:#\s*)?(?P<time>\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d[^\s,;]*)\s*$")


def sniff(head: str) -> float:
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


def readings(source: Source, timezone: str | None) -> Iterator[Reading]:
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


DIALECT: Final = ActivityDialect("dcgm", worded("it reads like what dcgmi dmon prints"), sniff, readings)
