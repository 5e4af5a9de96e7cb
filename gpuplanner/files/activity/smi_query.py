"""What `nvidia-smi --query-gpu ... --format=csv` writes without a heading: columns told by what they hold."""

import csv
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.files.activity.metric_table import ROWS_LOOKED_AT, RowReader, columns_of, readings, sniff_smi
from gpuplanner.files.activity.name_of_file import host_in_name
from gpuplanner.files.activity.reading import ActivityDialect, Reading
from gpuplanner.files.sources.source import Source
from gpuplanner.lazy_re import lazy_re

_ENOUGH: Final = 0.6
"""Of the first rows have as many cells as the table has columns."""
_TIME: Final = lazy_re(r"^\d{4}/\d\d/\d\d \d\d:\d\d:\d\d(?:\.\d+)?$")
_MILLISECONDS: Final = lazy_re(r"\.\d{3}$")
_UUID: Final = lazy_re(r"^(?:GPU|MIG)-[0-9a-fA-F-]+$")
_PERCENT: Final = lazy_re(r"^(?:\d{1,3} %|\[(?:N/A|Not Supported)\])$")
_INDEX: Final = lazy_re(r"^\d{1,2}$")
_SHARE: Final = lazy_re(r"^(?:\d{1,2}|100|\[(?:N/A|Not Supported)\])$")
_NAME: Final = lazy_re(r"(?i)^(?:NVIDIA|Tesla|GeForce|Quadro|RTX|A\d|H\d|L\d|V\d|B\d|GRID).*$")


def sniff_query(head: str) -> float:
    """How surely a beginning is such a table."""
    return max(sniff_smi(head), 0.9 if _query_headings(_first_rows(head)) else 0.0)


def query_readings(source: Source, timezone: str | None) -> Iterator[Reading]:
    """Every row, with a heading or without.

    Rows are numbered from 1; timezone: of the times, which nvidia-smi writes without one.
    """
    if sniff_smi(source.head):
        yield from readings(source, timezone)
        return
    columns = columns_of(_query_headings(_first_rows(source.head)))
    reader = RowReader(columns, host_in_name(source.path), timezone)
    with source.rows(",") as rows:
        for row, fields in rows:
            yield reader.reading(row, [field.strip() for field in fields])


def _first_rows(head: str) -> list[list[str]]:
    """The first rows of the file's beginning, cells without the blanks about them; empty lines are left out."""
    lines = [line for line in head.splitlines()[:ROWS_LOOKED_AT] if line.strip()]
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
    format="nvidia_smi",
    why=worded("looks like output of {name}", name="nvidia-smi --query-gpu"),
    sniff=sniff_query,
    readings=query_readings,
)
