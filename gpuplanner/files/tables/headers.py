"""The first line of a table: which sign parts its columns, and what they are called."""

import csv
import re
from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from typing import Final

from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.errors import PlannerError

DELIMITERS: Final = (",", ";", "\t", "|")
"""Of two that part a line equally well, the first."""

_NOT_LETTERS: Final = re.compile(r"[^a-z0-9]")


@lru_cache(maxsize=4096)
def bare(heading: str) -> str:
    """A heading or dotted key without case, blanks and punctuation.

    >>> bare("GPU Count"), bare("lineItem/UsageType"), bare("workloadRequestedResources.gpu.request")
    ('gpucount', 'lineitemusagetype', 'workloadrequestedresourcesgpurequest')
    """
    return _NOT_LETTERS.sub("", heading.casefold())


def header_columns(head: str) -> tuple[str, tuple[str, ...]]:
    """The delimiter and the column names (lower case, trimmed) of the first line that is not blank.

    >>> header_columns("Job ID;GPUs")
    (';', ('job id', 'gpus'))
    """
    line = _first_line(head)
    delimiter = max(DELIMITERS, key=line.count)
    return delimiter, tuple(name.lower() for name in _parted(line, delimiter))


def best_header(
    head: str,
    wanted: Collection[str],
    folded: Callable[[str], str] = str.casefold,
    meant: Callable[[Sequence[str]], tuple[str, ...]] = tuple,
) -> tuple[str, tuple[str, ...]]:
    """The delimiter under which the first line holds most of the wanted headings, and its columns (trimmed).

    folded: what of a heading counts; meant: the columns as they are meant.
    """
    line, sought = _first_line(head), set(map(folded, wanted))
    best: tuple[str, tuple[str, ...]] = (",", ())
    found = -1
    for delimiter in DELIMITERS:
        try:
            columns = meant(_parted(line, delimiter))
        except csv.Error:
            continue
        matches = len(sought & set(map(folded, columns)))
        if matches > found:
            best, found = (delimiter, columns), matches
    return best


def has_columns(head: str, *names: str) -> bool:
    """Whether the first line names all of these columns.

    names: in small letters.
    """
    return set(names) <= set(header_columns(head)[1])


def check_columns(path: str, columns: Collection[str], needed: Sequence[str], remedy: Message) -> None:
    """Errors: PlannerError missing_column where one of the needed columns, in small letters, is not there."""
    there = {name.casefold() for name in columns}
    missing = [name for name in needed if name not in there]
    if missing:
        raise no_column(path, missing, remedy)


def no_column(path: str, missing: Sequence[str], remedy: Message, row: int = 1) -> PlannerError:
    """That a table has no such columns. row: where its header is.

    >>> str(no_column("jobs.csv", ["gpus"], worded("name it with --map")))
    'jobs.csv:1: missing_column: there is no column gpus; name it with --map'
    """
    what = worded("there is no column {names}", names=", ".join(missing))
    return PlannerError(f"{path}:{row}", "missing_column", what, remedy)


def _first_line(head: str) -> str:
    """The first line that is not blank; empty if there is none."""
    return next((text for text in head.splitlines() if text.strip()), "")


def _parted(line: str, delimiter: str) -> tuple[str, ...]:
    """The names in a header line, quotes undone."""
    return tuple(name.strip() for name in next(csv.reader([line], delimiter=delimiter), []))
