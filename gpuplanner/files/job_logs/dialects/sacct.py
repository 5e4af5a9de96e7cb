"""Slurm's jobs as tables: sacct's, those of its database, of slurm2sql and of Open XDMoD."""

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import pairwise, product
from operator import or_
from typing import Final

from gpuplanner.domain.message import worded, worded_both
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import Issue
from gpuplanner.files.job_logs.dialects import sacct_layout, slurm_fields
from gpuplanner.files.job_logs.judging.dialect import Dialect, JobTable, headings_of
from gpuplanner.files.job_logs.judging.tres_names import HOW_TO_NAME, tres_in
from gpuplanner.files.sources.issue_texts import RaggedLines
from gpuplanner.files.sources.raw_table import RawTable, load_raw, load_records
from gpuplanner.files.sources.source import PARQUET, TEXT, Source
from gpuplanner.files.system.engine import Engine
from gpuplanner.files.system.resources import plain_table
from gpuplanner.files.tables.delimited import has_columns, header_columns
from gpuplanner.files.values.gpu_names import read_gpu_count
from gpuplanner.files.values.numbers import phrases
from gpuplanner.files.values.scheduler_words import read_state
from gpuplanner.lazy_dataclass import dataclass, replace
from gpuplanner.lazy_re import lazy_re

# --- The table of jobs in Slurm's own database, as an SQL client writes it: states and resources as numbers

_SLURM_NAMES: Final = {
    name: column for column, names in headings_of("slurm_database").items() for name in names
}
"""What sacct calls each column; of two that are one field, the first that is there."""

_GIVEN: Final = ("gres_used", "gres_alloc")
"""Where older versions spell out the GPUs that a job was given."""

_STATES: Final = (
    *("PENDING", "RUNNING", "SUSPENDED", "COMPLETED", "CANCELLED", "FAILED", "TIMEOUT", "NODE_FAIL"),
    *("PREEMPTED", "BOOT_FAIL", "DEADLINE", "OUT_OF_MEMORY"),
)
"""By their numbers, which stand in the lowest eight bits."""

_NOTHING: Final = r"^(null|\\n|0)?$"
_NEEDED: Final = ("id_job", "time_start", "time_end")
_NAMED_IN_HEAD: Final = "gres/gpu"


def sniff_database(head: str) -> float:
    """How sure it is that a text begins such a table, 0..1."""
    return 0.97 if has_columns(head, *_NEEDED) else 0.0


def database_rows(source: Source, engine: Engine, table: str) -> JobTable:
    """Every job; a task of an array is a job of its own.

    Errors: PlannerError missing_column, also where GPUs are told by numbers alone that only the database can explain.
    """
    delimiter, columns = header_columns(source.head)
    given = [name for name in _GIVEN if name in columns]
    missing = [name for name in _NEEDED if name not in columns]
    if not given and "tres_alloc" not in columns:
        missing.append("gres_used or tres_alloc")
    if missing:
        problem = worded("Slurm job table without column {names}", names=", ".join(missing))
        raise PlannerError(f"{source.path}:1", "missing_column", problem, slurm_fields.ASK_SLURM)
    if not given and not engine.tres and _NAMED_IN_HEAD not in source.head:
        problem = worded("Slurm job table with GPU ids (tres_alloc), without names (gres_used)")
        raise PlannerError(f"{source.path}:1", "missing_column", problem, HOW_TO_NAME)
    raw = load_raw(engine, source, table, _as_sacct_calls(columns), delimiter=delimiter)
    found = slurm_fields.slurm_table(engine, raw, time_unit="epoch_s") if raw.column("AllocTRES") else None
    if found is None:  # of the oldest versions
        raw = replace(raw, columns=tuple("AllocGRES" if name in given else name for name in raw.columns))
        found = slurm_fields.slurm_table(engine, raw, time_unit="epoch_s")
    told = [
        f"case when regexp_matches(lower(trim({column})), '{_NOTHING}') then null else {column} end"
        for column in (f"c{columns.index(name)}" for name in (*given, "tres_alloc") if name in columns)
    ]
    fields = {**found.fields, "gpus": f"coalesce({', '.join(told)}, '')"}
    if (state := fields.get("state")) is not None:
        words = " ".join(f"when {number} then '{word}'" for number, word in enumerate(_STATES))
        fields["state"] = f"case try_cast({state} as bigint) & 255 {words} else {state} end"
    return replace(
        found, fields=fields, read_gpus=slurm_fields.with_tres_names(slurm_fields.read_given, engine.tres)
    )


def _as_sacct_calls(columns: tuple[str, ...]) -> tuple[str, ...]:
    """The database's names of columns as sacct calls them; of two for one the first in our table counts."""
    taken = {_SLURM_NAMES[name]: name for name in reversed(_SLURM_NAMES) if name in columns}
    return tuple(
        slurm if (slurm := _SLURM_NAMES.get(name)) and taken[slurm] == name else name for name in columns
    )


SLURM_DATABASE: Final = Dialect(
    format="slurm_db", title=worded("Slurm database job table"), sniff=sniff_database, rows=database_rows
)


# --- slurm2sql: the sacct export it is fed with, told by its set of columns, and its table `slurm` as text

_ASKED: Final = frozenset(plain_table("word_list")["slurm2sql_asked"].split())
"""What it asks sacct for, in all its versions."""

_MARKS: Final = frozenset(
    ("jobid", "jobidraw", "timelimit", "ntasks", "ncpus", "reqcpus", "alloccpus", "totalcpu", "comment")
)
_ASKED_AT_LEAST: Final = 35

_ADDED: Final = frozenset(plain_table("word_list")["slurm2sql_added"].split())
"""What its table has besides."""

_ADDED_AT_LEAST: Final = 4
_GPU_COLUMNS: Final = ("NGpus", "ReqGPUS", "ReqGPU")
"""Where its table tells GPUs if it keeps no list of resources. NGPU is none of them: it is what a job used."""


def sniff_slurm2sql(head: str) -> float:
    """How sure it is that a text begins an export of slurm2sql, 0..1."""
    header = sacct_layout.find_header(head)
    if header is None:
        return 0.0
    names = {name.casefold() for name in header.columns if name}
    is_its_export = names <= _ASKED and names >= _MARKS and len(names) >= _ASKED_AT_LEAST
    return 0.97 if is_its_export or _is_table(names) else 0.0


def _is_table(names: set[str]) -> bool:
    """Whether the columns are those of slurm2sql's own table: some that it adds, some that it asks sacct for."""
    return len(names & _ADDED) >= _ADDED_AT_LEAST and len(names & _ASKED) >= _ADDED_AT_LEAST


def slurm2sql_rows(source: Source, engine: Engine, table: str) -> JobTable:
    """The records of an export and where each field stands. Each tells its elapsed time, so a job whose end is not
    known ended that long after its start. Errors: as sacct's.
    """
    header = sacct_layout.find_header(source.head)
    if header is None:
        raise PlannerError(
            source.path, "not_a_job_log", worded("not lines of slurm2sql"), slurm_fields.ASK_SLURM
        )
    if _is_table({name.casefold() for name in header.columns}):
        found = _table_rows(source, engine, table, header.columns, header.delimiter)
    else:
        found = delimited_rows(source, engine, table, header.columns, header.delimiter, header.line)
    return replace(found, end_is_elapsed="elapsed" in found.fields)


def _table_rows(
    source: Source, engine: Engine, table: str, columns: tuple[str, ...], delimiter: str
) -> JobTable:
    """Its own table: times in seconds since 1970 and numbers for GPUs, steps in a column of their own."""
    names = {name.casefold() for name in columns}
    has_list = bool(names & {"alloctres", "reqtres", "reqgres"})
    gpus = next((name for name in _GPU_COLUMNS if name.casefold() in names), None)
    missing = [
        *(["Start"] if not names & {"start", "startts"} else []),
        *(["End"] if not names & {"end", "endts", "elapsed"} else []),
        *(["AllocTRES"] if not has_list and gpus is None else []),
    ]
    if missing:
        raise PlannerError(
            f"{source.path}:1",
            "missing_column",
            worded("slurm2sql job table without column {names}", names=", ".join(missing)),
            slurm_fields.ASK_SLURM,
        )
    renamed = _renamed(columns, has_list, gpus)
    together = sacct_layout.free_texts_together(columns, delimiter)
    raw = load_raw(engine, source, table, renamed, delimiter=delimiter, put_together=together)
    found = slurm_fields.slurm_table(engine, raw)
    step = raw.column("JobStep") or raw.column("StepID")
    is_ignored = f"({found.is_ignored} or coalesce({step}, '') <> '')" if step else found.is_ignored
    fields = {**found.fields}
    if (share := raw.column("GpuEff")) is not None and "activity" not in fields:
        fields["activity"] = f"coalesce(cast(try_cast({share} as double) * 100 as varchar), {share})"
    read_gpus = found.read_gpus if has_list else read_gpu_count
    if not has_list:
        fields["gpus"] = raw.column("AllocTRES") or "''"
    return replace(found, fields=fields, is_ignored=is_ignored, read_gpus=read_gpus)


def _renamed(columns: tuple[str, ...], has_list: bool, gpus: str | None) -> tuple[str, ...]:
    """Slurm's names for what the table calls otherwise."""
    names = [name.casefold() for name in columns]
    as_slurm = {"jobidslurm": "JobID", "jobid": "JobIDRaw"} if "jobidslurm" in names else {}
    as_slurm |= {"startts": "Start", "start": "StartText"} if "startts" in names else {}
    as_slurm |= {"submitts": "Submit", "submit": "SubmitText"} if "submitts" in names else {}
    as_slurm |= {"endts": "End", "end": "EndText"} if "endts" in names else {}
    if not has_list and gpus is not None:
        as_slurm[gpus.casefold()] = "AllocTRES"
    return tuple(as_slurm.get(name.casefold(), name) for name in columns)


SLURM2SQL: Final = Dialect(
    format="slurm2sql", title=worded("export of slurm2sql"), sniff=sniff_slurm2sql, rows=slurm2sql_rows
)


# --- Open XDMoD's shredder files: what its sacct command writes, without a header, in one of its documented layouts

_DELIMITER: Final = "|"
_WHOSE: Final = phrases("Account|Group|GID|User|UID|Submit|Eligible|Start|End|Elapsed|ExitCode|State")
_HOW_MUCH: Final = ("NNodes", "NCPUS", "ReqCPUS", "ReqMem")
_RESOURCES: Final = (
    ("ReqTRES", "AllocTRES"),
    ("ReqGRES", "ReqTRES", "AllocTRES"),
    ("ReqGRES", "ReqTRES"),
    ("ReqTRES",),
    ("ReqGRES",),
)
_AT_THE_END: Final = ("Timelimit", "NodeList", "JobName")
LAYOUTS: Final = tuple(
    ("JobID", *raw, "Cluster", "Partition", *qos, *_WHOSE, *_HOW_MUCH, *resources, *_AT_THE_END)
    for resources, raw, qos in product(_RESOURCES, (("JobIDRaw",), ()), (("QOS",), ()))
)
"""The field lists of its versions, the newest first."""

_FORMS: Final = {column: lazy_re(pattern) for column, pattern in plain_table("sacct_form").items()}
_TIMES: Final = ("Submit", "Eligible", "Start", "End")
_ENOUGH: Final = 0.9
_SAMPLE: Final = 200


def layout_of(head: str) -> tuple[str, ...] | None:
    """The layout that most lines fit, with an empty column at its end for -p; None where none does."""
    lines = [line for line in head.splitlines() if line.strip()][:_SAMPLE]
    records = [line.split(_DELIMITER) for line in lines]
    for layout in LAYOUTS:
        if records and sum(_fits(record, layout) for record in records) >= _ENOUGH * len(records):
            ends_so = sum(len(record) > len(layout) and record[-1] == "" for record in records)
            return (*layout, "") if ends_so >= _ENOUGH * len(records) else layout
    return None


def _fits(record: Sequence[str], layout: Sequence[str]) -> bool:
    """Whether a record has the form of a layout: numbers, times and states stand in their places."""
    if len(record) < len(layout):
        return False
    cells = dict(zip(layout, record, strict=False))
    return (
        all(form.fullmatch(cells[name]) for name, form in _FORMS.items() if name in cells)
        and all(sacct_layout.is_time(cells[name]) for name in _TIMES)
        and read_state(cells["State"]) in sacct_layout.SLURM_STATES
    )


def sniff_xdmod(head: str) -> float:
    """How sure it is that a text begins a shredder file, 0..1."""
    return 0.96 if layout_of(head) is not None else 0.0


def xdmod_rows(source: Source, engine: Engine, table: str) -> JobTable:
    """The records of a file and where each field stands. A name takes what delimiters it holds.

    Errors: PlannerError not_a_job_log.
    """
    layout = layout_of(source.head)
    if layout is None:
        problem = worded("lines match no shredder layout")
        raise PlannerError(source.path, "not_a_job_log", problem, slurm_fields.ASK_SLURM)
    return delimited_rows(source, engine, table, layout, _DELIMITER, 0)


XDMOD: Final = Dialect(
    format="xdmod", title=worded("Open XDMoD shredder file"), sniff=sniff_xdmod, rows=xdmod_rows
)


# --- sacct's fixed width: a header, a line of dashes as wide as each column, and texts cut with a plus where too long

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


# --- Slurm's sacct as text: `-P` and `-p` with a header or without, and fixed width; steps and arrays among the jobs

FORMAT: Final = "sacct"

_NO_USE: Final = 0.6
"""How sure it is of a header of Slurm's words in which jobs lack times or GPUs: a trace may use them for its own."""


def sniff(head: str) -> float:
    """How sure it is that a text begins an export of sacct, 0..1."""
    if columns_of(head):
        return 0.95
    if (header := sacct_layout.find_header(head)) is not None:
        return _NO_USE if slurm_fields.missing_columns(header.columns) else 0.95
    layout = _layout(head)
    if layout is None:
        return 0.85 if columns_by_place(head) else 0.0
    return 0.9 if {"Start", "End"} <= set(layout) else 0.6


def rows(source: Source, engine: Engine, table: str) -> JobTable:
    """The records of an export and where each field stands. Steps are ignored.

    Errors: PlannerError missing_column where no time or GPU can be told, not_a_job_log where it is no such export.
    """
    if columns_of(source.head):
        return fixed_rows(source, engine, table)
    header = sacct_layout.find_header(source.head)
    if header is not None:
        return delimited_rows(source, engine, table, header.columns, header.delimiter, header.line)
    columns = _layout(source.head) or ()
    if not columns and (by_place := columns_of_all(source)):
        found = fixed_rows(source, engine, table, by_place)
        if has_heading(source.head):
            return found
        return replace(found, issues=(*found.issues, _guessed([column.name for column in by_place])))
    if not columns:
        raise PlannerError(source.path, "not_a_job_log", worded("not lines of sacct"), slurm_fields.ASK_SLURM)
    found = delimited_rows(source, engine, table, columns, sacct_layout.delimiter_of(source.head), 0)
    if tuple(filter(None, columns)) in sacct_layout.KNOWN_LAYOUTS:
        return found
    return replace(found, issues=(*found.issues, _guessed(columns)))


def _guessed(columns: Sequence[str]) -> Issue:
    """What was told of columns by their values alone is said."""
    taken = ", ".join(
        f"{place} as {name}" for place, name in enumerate(columns, 1) if name and " " not in name
    )
    what = f"it has no header: by their values columns were taken, {taken}"
    return Issue(
        "undecided",
        1,
        None,
        worded_both(
            "{what}; if wrong, export its header, or use --map",
            "{what}; if wrong, export its header, or map its columns",
            what=what,
        ),
    )


def delimited_rows(
    source: Source, engine: Engine, table: str, columns: Sequence[str], delimiter: str, header_line: int
) -> JobTable:
    """Records whose fields are parted by a delimiter. header_line: 0 where there is none. Errors: as rows."""
    ends_with_delimiter = columns[-1] == ""
    columns = tuple(columns[:-1] if ends_with_delimiter else columns)
    slurm_fields.check_columns(f"{source.path}:{header_line}" if header_line else source.path, columns)
    is_quoted = delimiter in (",", ";", "\t")
    look = _Look(has_strays=True, has_zero_times=None)
    if header_line <= 1:
        raw = load_raw(
            engine,
            source,
            table,
            columns,
            delimiter=delimiter,
            is_quoted=is_quoted,
            has_header=bool(header_line),
            ends_with_delimiter=ends_with_delimiter,
            put_together=sacct_layout.free_texts_together(columns, delimiter),
        )
        look = _look(engine, raw, source, header_line)
    is_bare = delimiter == "," and source.kind == TEXT and not source.has_quotes  # so its lists are cut apart
    if look.has_strays or is_bare:
        _drop(engine, table)
        ragged = RaggedLines()
        with source.rows(delimiter, is_quoted=is_quoted) as records:
            in_order = sacct_layout.ordered(
                records,
                columns,
                delimiter,
                ragged=ragged,
                header_line=header_line,
                ends_with_delimiter=ends_with_delimiter,
            )
            raw = load_records(engine, source, table, columns, in_order, delimiter=delimiter, ragged=ragged)
        look = _Look(has_strays=True, has_zero_times=None)
    found = slurm_fields.slurm_table(
        engine, raw, has_strays=look.has_strays, has_zero_times=look.has_zero_times, tres=tres_in(source.head)
    )
    comment = raw.column("AdminComment")
    if comment is None:
        return slurm_fields.with_batch_activity(engine, found)
    return slurm_fields.with_activity(engine, source, found, comment)


@dataclass(frozen=True, slots=True)
class _Look:
    """has_strays: there are lines that are no records, or records on several lines."""

    has_strays: bool
    has_zero_times: bool | None


def _look(engine: Engine, raw: RawTable, source: Source, header_line: int) -> _Look:
    """One look at all records: every id begins with a digit, and every line is one."""
    job_id = raw.column("JobID") or raw.column("JobIDRaw")
    count, strays, zero_times = engine.one(
        f"select count(*), count(*) filter (where {job_id} is null or {job_id} < '0' or {job_id} >= ':'), "
        f'count(*) filter (where {slurm_fields.zero_times_sql(slurm_fields.time_columns(raw))}) from "{raw.name}"'
    )
    is_uneven = source.kind == TEXT and count != source.lines - header_line
    return _Look(source.kind != PARQUET and (bool(strays) or is_uneven), bool(zero_times))


def _drop(engine: Engine, name: str) -> None:
    """Drops the table or view of this name and all whose names begin with it."""
    for kind, found in engine.all(
        "select case when table_type = 'VIEW' then 'view' else 'table' end, table_name from information_schema.tables "
        "where starts_with(table_name, ?) order by 1 desc",
        [name],
    ):
        engine.run(f'drop {kind} "{found}"')


def _layout(head: str) -> tuple[str, ...] | None:
    """The columns of an export without header, by what its first lines hold; None where that does not tell."""
    delimiter = sacct_layout.delimiter_of(head)
    lines = [line for line in head.splitlines() if line.strip()]
    return sacct_layout.guess_layout([line.split(delimiter) for line in lines]) if lines else None


DIALECT: Final = Dialect(format=FORMAT, title=worded("Slurm sacct export"), sniff=sniff, rows=rows)
