"""sacct's fixed width: a header, a line of dashes as wide as each column, and texts cut with a plus."""

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import pairwise
from operator import or_
from typing import Final

from gpuplanner.files.job_logs.dialects.slurm import sacct_layout, slurm_fields
from gpuplanner.files.job_logs.judging.dialect import JobTable
from gpuplanner.files.sources.raw_table import load_records
from gpuplanner.files.sources.source import Source
from gpuplanner.files.system.engine import Engine
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.lazy_re import lazy_re

_DASHES: Final = lazy_re(r"^ {0,3}-+(?: +-+)+\s*$")
_LINES_BEFORE_HEADER: Final = 100
_LINES_LOOKED_AT: Final = 500
_COLUMNS_AT_LEAST: Final = 4
_IS_FILLED: Final = bytes(code not in b" " for code in range(256))
_HAS_TIME: Final = lazy_re(r" \d{4}-\d\d-\d\dT\d\d:\d\d")
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
    for names, dashes in itertools.pairwise(head.splitlines()[:_LINES_BEFORE_HEADER]):
        if _DASHES.match(dashes):
            spans = [found.span() for found in lazy_re("-+").finditer(dashes)]
            found = tuple(Column(names[begin:end].strip(), begin, end) for begin, end in spans)
            there = {column.name.casefold() for column in found}
            if there & {"jobid", "jobidraw"} and len(there & sacct_layout.KNOWN) >= 3:
                return found
    return ()


def columns_by_place(head: str) -> tuple[Column, ...]:
    """The columns of an export without dashes, told by what stands below each other and named by its header, else by
    what they hold; none where they are none of sacct's.
    """
    heading, lines = _looked_at(head)
    return _columns_of_mask(reduce(or_, map(_filled, lines)), lines, heading) if lines else ()


def columns_of_all(source: Source) -> tuple[Column, ...]:
    """The same by all lines of a file: ids grow, and columns that began empty are filled further down.

    A line under which two columns would become one stands out of line, and moves no border.
    """
    known = columns_by_place(source.head)
    if not known:
        return ()
    heading, moved = _looked_at(source.head)
    mask = reduce(or_, map(_filled, moved))
    with source.text_lines() as lines:
        for line in lines:
            text = line.rstrip("\r\n\f ")
            if not text.isascii() or not text[:1].isdigit():
                continue
            wider = mask | _filled(text.encode())
            if wider == mask or _begins(wider) < _begins(mask) or not _HAS_TIME.search(text):
                continue
            if _begins(wider) > _begins(mask) or len(moved) < 2 * _LINES_LOOKED_AT:
                moved.append(text.encode())
            mask = wider
    return _columns_of_mask(mask, moved, heading) or known


def has_heading(head: str) -> bool:
    """Whether a header names the columns of an export without dashes."""
    return bool(_looked_at(head)[0])


def _looked_at(head: str) -> tuple[bytes, list[bytes]]:
    """The header of sacct, empty where there is none, and the first lines with it; no lines where they are none."""
    lines = [line.rstrip().encode() for line in head.splitlines() if line.strip()][:_LINES_LOOKED_AT]
    for at, line in enumerate(lines[:_LINES_BEFORE_HEADER]):
        words = set(line.decode("utf-8", "replace").casefold().split())
        if (
            words & {"jobid", "jobidraw"}
            and words >= {"start", "state"}
            and len(words & sacct_layout.KNOWN) >= 4
            and not set(b'|,;\t"') & set(line)
        ):
            return line, lines[at:]
    return b"", lines if lines and b"|" not in lines[0] and lines[0][:1].isdigit() else []


def _filled(line: bytes) -> int:
    """The places of a line where something stands: the lowest bit of the byte at that place."""
    return int.from_bytes(line.translate(_IS_FILLED), "little")


def _begins(mask: int) -> int:
    """How many columns stand beside each other."""
    return (mask & ~(mask << 8)).bit_count()


def _columns_of_mask(mask: int, lines: Sequence[bytes], heading: bytes) -> tuple[Column, ...]:
    """The columns where these places are filled, named by the header or by some lines; none if not sacct's."""
    places = mask.to_bytes((mask.bit_length() + 7) // 8, "little")
    spans = [found.span() for found in lazy_re(b"\x01+").finditer(places)]
    if heading:  # what has no heading is a part of the column to its right, whose texts have blanks
        spans = [span for span in spans if heading[slice(*span)].strip()]
    records = [[line[begin:end].decode("utf-8", "replace").strip() for begin, end in spans] for line in lines]
    if len(spans) < _COLUMNS_AT_LEAST:
        return ()
    names = tuple(records[0]) if heading else sacct_layout.guess_layout(records)
    if names is None or not (heading or {"JobID", "State", "Start"} <= set(names)):
        return ()
    if heading and any(" " in name for name in names):
        return ()
    starts = [
        0,
        *(before + 1 for _, before in spans[:-1]),
    ]  # texts that stand right may be longer further down
    return tuple(Column(name, begin, end) for name, begin, (_, end) in zip(names, starts, spans, strict=True))


def fixed_rows(source: Source, engine: Engine, table: str, by_place: Sequence[Column] = ()) -> JobTable:
    """The records of an export and where each field stands; by_place: its columns, where it has no dashes.

    Errors: PlannerError missing_column.
    """
    columns = by_place or columns_of(source.head)
    has_header = not by_place or has_heading(source.head)
    names = [column.name for column in columns]
    slurm_fields.check_columns(f"{source.path}:1" if has_header else source.path, names)
    with source.text_lines() as lines:
        told = records(lines, columns, has_header=has_header)
        raw = load_records(engine, source, table, names, told, delimiter="|")
    return slurm_fields.slurm_table(engine, raw, has_strays=True, may_be_cut=True)


def records(
    lines: Iterable[str], columns: Sequence[Column], *, has_header: bool = True
) -> Iterator[tuple[int, list[str]]]:
    """Every line below the first header or dashes that is not blank and none of them, as (its number, texts); where
    there is no header, of all lines.
    """
    names = [column.name.casefold() for column in columns]
    has_begun = not has_header
    for number, line in enumerate(lines, 1):
        text = line.rstrip("\r\n\f ")
        if _DASHES.match(text):
            has_begun = True
        elif text.strip():
            cells = split(text, columns)
            if cells is not None and [cell.casefold() for cell in cells] == names:
                has_begun = True
            elif has_begun:
                yield number, _out_of_line(text, columns) if cells is None else _told(cells, columns)


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
        gpus = next(at[name.casefold()] for name in slurm_fields.GPU_HEADINGS if name.casefold() in at)
        cells[gpus] = f"JobID is cut off: {cells[job_id]}"
        cells[job_id] = ""
    return cells


def _is_cut(text: str, column: Column) -> bool:
    """Whether a text fills its column and ends with sacct's plus: its end is lost."""
    return text.endswith(slurm_fields.CUT) and len(text.encode()) >= column.end - column.begin


def _is_step(cells: Mapping[str, str]) -> bool | None:
    """Whether a line is a step, by what steps do not have; None where that cannot be told."""
    of_jobs = [cells[name] for name in _OF_JOBS_ONLY if name in cells]
    if of_jobs:
        return not any(of_jobs)
    return True if cells.get("jobname") in _STEP_NAMES else None
