"""Our own CSV of jobs: the header says everything."""

import csv
from typing import Final

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.worded import worded
from gpuplanner.files.job_logs.judging.job_table import JobTable
from gpuplanner.files.job_logs.judging.stray_rows import is_stray_row
from gpuplanner.files.sources.raw_table import load_raw
from gpuplanner.files.sources.source import Source
from gpuplanner.files.system.engine import Engine

FORMAT: Final = "own_csv"
REQUIRED: Final = ("job_id", "gpus", "start", "end")
COLUMN_OF: Final = {
    "job_id": "job_id",
    "cluster": "cluster",
    "name": "name",
    "account": "account",
    "user": "user",
    "queue": "queue",
    "gpu_model": "gpu_model",
    "gpus": "gpus",
    "nodes": "nodes",
    "submit": "submit",
    "eligible": "eligible",
    "start": "start",
    "end": "end",
    "time_limit": "time_limit",
    "priority": "priority",
    "state": "state",
    "activity": "gpu_activity_percent",
    "label": "class",
    "model": "model",
}
"""Our heading of each field of a job."""

_DELIMITERS: Final = (",", ";", "\t", "|")


def header_of(head: str, headings: frozenset[str]) -> tuple[str, tuple[str, ...]]:
    """The delimiter under which the first line holds most of the headings, and that line's columns."""
    lines = [line for line in head.splitlines() if line.strip()]
    best: tuple[str, tuple[str, ...]] = (",", ())
    found = -1
    for delimiter in _DELIMITERS if lines else ():
        columns = tuple(name.strip() for name in next(csv.reader([lines[0]], delimiter=delimiter)))
        matches = len(headings & {name.casefold() for name in columns})
        if matches > found:
            best, found = (delimiter, columns), matches
    return best


def sniff(head: str) -> float:
    """How sure it is that a text begins a log of ours, 0..1."""
    _, columns = header_of(head, frozenset(COLUMN_OF.values()))
    names = {name.casefold() for name in columns}
    if "job_id" not in names or "contract_id" in names or "offer_id" in names:
        return 0.0
    required = sum(name in names for name in REQUIRED)
    others = sum(name in names for name in COLUMN_OF.values()) - required
    if required == len(REQUIRED):
        return 1.0
    is_like_ours = required == len(REQUIRED) - 1 or (required >= 2 and ("gpus" in names or others >= 3))
    return 0.6 if is_like_ours else 0.0


def rows(source: Source, engine: Engine, table: str) -> JobTable:
    """The records of a log and where each field stands.

    Errors: PlannerError missing_column where a required one is not there.
    """
    delimiter, columns = header_of(source.head, frozenset(COLUMN_OF.values()))
    names = {name.casefold() for name in columns}
    missing = [name for name in REQUIRED if name not in names]
    if missing:
        raise PlannerError(
            f"{source.path}:1",
            "missing_column",
            worded("there is no column {names}", names=", ".join(missing)),
            worded("add it, or name the columns with --map"),
        )
    raw = load_raw(engine, source, table, columns, delimiter=delimiter)
    located = {field: raw.column(heading) for field, heading in COLUMN_OF.items()}
    fields = {field: column for field, column in located.items() if column}
    return JobTable(raw, fields, is_stray_row(("c0", fields["job_id"]), fields["start"]))
