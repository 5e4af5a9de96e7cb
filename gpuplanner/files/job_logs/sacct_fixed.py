"""sacct's fixed width: a header, a line of dashes as wide as each column, and texts cut with a plus where too long."""

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from gpuplanner.files.engine import Engine
from gpuplanner.files.job_logs.job_table import JobTable
from gpuplanner.files.job_logs.raw_table import load_records
from gpuplanner.files.job_logs.sacct_layout import guess_layout
from gpuplanner.files.job_logs.sacct_lines import KNOWN
from gpuplanner.files.job_logs.slurm_fields import (
    CUT,
    GPU_HEADINGS,
    check_columns,
    slurm_table,
)
from gpuplanner.files.source import Source

_DASHES: Final = re.compile(r"^ {0,3}-+(?: +-+)+\s*$")
_LINES_BEFORE_HEADER: Final = 100
_LINES_LOOKED_AT: Final = 500
_COLUMNS_AT_LEAST: Final = 4
_OF_JOBS_ONLY: Final = ("user", "partition", "qos", "timelimit", "timelimitraw", "uid", "reqmem")
"""Columns that Slurm leaves empty on steps."""

_STEP_NAMES: Final = ("batch", "extern", "interactive")


@dataclass(frozen=True, slots=True)
class Column:
    """A heading and where its texts stand, in bytes of a line."""

    name: str
    begin: int
    end: int


def columns_of(head: str) -> tuple[Column, ...]:
    """The columns of the first header with dashes below it; none where it is no such export."""
    lines = head.splitlines()[:_LINES_BEFORE_HEADER]
    for names, dashes in itertools.pairwise(lines):
        if _DASHES.match(dashes):
            spans = [found.span() for found in re.finditer("-+", dashes)]
            found = tuple(Column(names[begin:end].strip(), begin, end) for begin, end in spans)
            there = {column.name.casefold() for column in found}
            if there & {"jobid", "jobidraw"} and len(there & KNOWN) >= 3:
                return found
    return ()


def columns_by_place(head: str) -> tuple[Column, ...]:
    """The columns of an export without header and dashes, told by what stands below each other; none where they are
    none of sacct's.
    """
    lines = [line.rstrip().encode() for line in head.splitlines() if line.strip()][:_LINES_LOOKED_AT]
    if not lines or b"|" in lines[0] or not lines[0][:1].isdigit():
        return ()
    filled = bytearray(max(map(len, lines)))
    for line in lines:
        for found in re.finditer(rb"[^ ]+", line):
            filled[found.start() : found.end()] = b"x" * len(found[0])
    spans = [found.span() for found in re.finditer(b"x+", filled)]
    records = [[line[begin:end].decode("utf-8", "replace").strip() for begin, end in spans] for line in lines]
    names = guess_layout(records) if len(spans) >= _COLUMNS_AT_LEAST else None
    if names is None or not {"JobID", "State", "Start"} <= set(names):
        return ()
    starts = [
        0,
        *(before + 1 for _, before in spans[:-1]),
    ]  # texts that stand right may be longer further down
    return tuple(Column(name, begin, end) for name, begin, (_, end) in zip(names, starts, spans, strict=True))


def rows(source: Source, engine: Engine, table: str) -> JobTable:
    """The records of an export and where each field stands. Errors: PlannerError missing_column."""
    columns = columns_of(source.head)
    has_header = bool(columns)
    columns = columns or columns_by_place(source.head)
    names = [column.name for column in columns]
    check_columns(f"{source.path}:1" if has_header else source.path, names)
    with source.text_lines() as lines:
        told = records(lines, columns, has_header=has_header)
        raw = load_records(engine, source, table, names, told, delimiter="|")
    return slurm_table(engine, raw, has_strays=True, may_be_cut=True)


def records(
    lines: Iterable[str], columns: Sequence[Column], *, has_header: bool = True
) -> Iterator[tuple[int, list[str]]]:
    """Every line below the first dashes that is not blank, no header and no dashes, as (its number, texts); where
    there is no header, of all lines.
    """
    names = [column.name.casefold() for column in columns]
    has_begun = not has_header
    for number, line in enumerate(lines, 1):
        text = line.rstrip("\r\n\f ")
        if _DASHES.match(text):
            has_begun = True
        elif has_begun and text.strip():
            cells = split(text, columns)
            if cells is None:
                yield number, _out_of_line(text, columns)
            elif [cell.casefold() for cell in cells] != names:
                yield number, _told(cells, columns)


def split(text: str, columns: Sequence[Column]) -> list[str] | None:
    """The texts of a line by column; None where they do not stand under their dashes.

    Slurm counts bytes; where that does not come out even, letters are counted. The last column takes what stands to
    its right.
    """
    text = text.replace("\t", " ")
    spans = [(c.begin, c.end if c is not columns[-1] else None) for c in columns]
    gaps = [(before.end, after.begin) for before, after in pairwise(columns)]
    line = text.encode("utf-8", "replace")
    if not any(line[end:begin].strip() for end, begin in gaps):
        return [line[begin:end].decode("utf-8", "replace").strip() for begin, end in spans]
    if not any(text[end:begin].strip() for end, begin in gaps):
        return [text[begin:end].strip() for begin, end in spans]
    return None


def _out_of_line(text: str, columns: Sequence[Column]) -> list[str]:
    """A record that cannot be taken apart: it says so where its start would be, and is rejected."""
    cells = [""] * len(columns)
    start = next(i for i, c in enumerate(columns) if c.name.casefold() == "start")
    cells[start] = f"not under its dashes: {text.strip()}"
    return cells


def _told(cells: list[str], columns: Sequence[Column]) -> list[str]:
    """The same cells, with what a cut job id would hide said: no two tasks of an array may look like one job."""
    at = {column.name.casefold(): place for place, column in enumerate(columns)}
    job_id = at["jobid"] if "jobid" in at else at["jobidraw"]
    if not _is_cut(cells[job_id], columns[job_id]) or "." in cells[job_id]:
        return cells
    raw = at.get("jobidraw", job_id)
    if not _is_cut(cells[raw], columns[raw]) and cells[raw]:
        cells[job_id] = cells[raw]
        return cells
    is_step = _is_step({name: cells[place] for name, place in at.items()})
    if is_step:
        cells[job_id] += ".step"
    elif is_step is False:
        cells[job_id] = ""
    else:
        gpus = next(at[name.casefold()] for name in GPU_HEADINGS if name.casefold() in at)
        cells[gpus] = f"JobID is cut off: {cells[job_id]}"
        cells[job_id] = ""
    return cells


def _is_cut(text: str, column: Column) -> bool:
    return text.endswith(CUT) and len(text.encode()) >= column.end - column.begin


def _is_step(cells: Mapping[str, str]) -> bool | None:
    """Whether a line is a step, by what steps do not have; None where that cannot be told."""
    of_jobs = [cells[name] for name in _OF_JOBS_ONLY if name in cells]
    if of_jobs:
        return not any(of_jobs)
    return True if cells.get("jobname") in _STEP_NAMES else None
