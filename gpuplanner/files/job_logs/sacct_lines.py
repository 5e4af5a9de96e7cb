"""The lines of a sacct export: where its header is, how its fields are parted, and records that got out of order."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from gpuplanner.files.job_logs.raw_table import to_width
from gpuplanner.files.job_logs.slurm_fields import GPU_HEADINGS, HEADINGS, STRAY

KNOWN: Final = frozenset(
    name.casefold()
    for name in (
        *(name for names in HEADINGS.values() for name in names),
        *GPU_HEADINGS,
        *("AllocCPUS", "ExitCode", "Submit", "Eligible", "Timelimit", "ReqMem", "MaxRSS", "TotalCPU", "QOS"),
    )
)
FREE_TEXTS: Final = ("SubmitLine", "JobName", "Comment")
"""Columns that may hold anything, also a delimiter or a line end, the likeliest first."""

_DELIMITERS: Final = ("^|^", ";|;", "|", "\t", ";", ",")
_ODD_DELIMITER: Final = re.compile(r"[^\w\s.:,/=+@()\[\]\"'-]")
"""A sign that stands in no value of Slurm's but free texts."""
_PARTED: Final = re.compile(r'^"?[A-Za-z]+(?:%-?\d+)?"?(?P<delimiter>[^A-Za-z0-9"%\s]{1,5})"?[A-Za-z]')
_WIDTH: Final = re.compile(r"%-?\d+$")
_JOB_ID: Final = re.compile(r"^\s*\"?\d+([_+.\[;][\w.+\[\],%*-]*)?\s*$")
_STRAY: Final = re.compile(STRAY, re.I)
_LINES_BEFORE_HEADER: Final = 100
_LINES_IN_A_RECORD: Final = 100
_QUOTE: Final = '"'


_LIST_ENTRY: Final = re.compile(r"^([a-z][\w/:.-]*)=-?\d[\d.]*[A-Z]?$")
"""One resource of a list, such as gres/gpu:a100=2 or mem=4G."""


@dataclass(frozen=True, slots=True)
class Header:
    """line: its number in the file, from 1; columns: its names, an empty one at the end where lines end so (-p)."""

    line: int
    delimiter: str
    columns: tuple[str, ...]


def find_header(head: str) -> Header | None:
    """The first line that names Slurm's fields, also below a prompt or comments; None without one."""
    for number, text in enumerate(head.splitlines()[:_LINES_BEFORE_HEADER], 1):
        line = text.lstrip("# ") if text.startswith("#") else text
        parted = _PARTED.match(line.strip())
        for delimiter in dict.fromkeys((*_DELIMITERS, *([parted["delimiter"]] if parted else []))):
            columns = tuple(_WIDTH.sub("", name.strip().strip(_QUOTE)) for name in line.split(delimiter))
            names = {name.casefold() for name in columns}
            is_command = any("=" in name or " -" in name for name in columns)  # that names the same fields
            if names & {"jobid", "jobidraw"} and len(names & KNOWN) >= 3 and not is_command:
                return Header(number, delimiter, columns)
    return None


def delimiter_of(head: str) -> str:
    """Of an export without a header: what parts every line most often, where it is none of the usual."""
    for delimiter in ("^|^", ";|;"):
        if delimiter in head:
            return delimiter
    lines = [line for line in head.splitlines() if re.match(r"\s*\"?\d", line)]
    whole = lines[:-1] or lines or [""]  # the last may be cut off
    signs: list[str] = ["|", *sorted(set(_ODD_DELIMITER.findall(whole[0])))]
    return max(signs, key=lambda sign: min(line.count(sign) for line in whole))


def free_text_column(columns: Sequence[str]) -> int | None:
    """The column that takes what is too much in a record."""
    names = [name.casefold() for name in columns]
    return next((names.index(name.casefold()) for name in FREE_TEXTS if name.casefold() in names), None)


def ordered(
    rows: Iterable[tuple[int, list[str]]],
    columns: Sequence[str],
    delimiter: str,
    *,
    header_line: int = 0,
    ends_with_delimiter: bool = False,
) -> Iterator[tuple[int, list[str]]]:
    """Records of full width from lines that are not all records.

    Lines up to header_line and headers that come again are none. A record that a line end inside a free text broke
    apart is put together. Any other line is a record of its own, filled up.
    """
    width = len(columns)
    header = [name.casefold() for name in columns]
    at = next(i for i, name in enumerate(header) if name in ("jobid", "jobidraw"))
    surplus_into = free_text_column(columns)
    may_go_on = width > 1 and surplus_into == width - 1  # a line end in the last text leaves no field missing
    waiting: tuple[int, list[str]] | None = None

    def whole(fields: list[str]) -> list[str]:
        return _lists_together(fields) if delimiter == "," and len(fields) > width else fields

    joined = 0
    for line, fields in rows:
        if line <= header_line:
            continue
        if ends_with_delimiter and len(fields) > 1 and fields[-1] == "":
            fields.pop()
        if [_WIDTH.sub("", field.strip().strip(_QUOTE)).casefold() for field in fields] == header:
            continue
        is_more = not _begins(fields, at) and not _STRAY.match(fields[0]) and joined < _LINES_IN_A_RECORD
        if waiting is not None and is_more:
            before = waiting[1]
            is_broken = len(before) < width and len(before) + len(fields) - 1 <= width
            if _begins(before, at) and (is_broken or (may_go_on and len(before) >= width > len(fields))):
                before[-1] = f"{before[-1]} {fields[0]}"
                before += fields[1:]
                joined += 1
                continue
        if waiting is not None:
            yield waiting[0], to_width(whole(waiting[1]), width, surplus_into, delimiter)
        waiting, joined = (line, fields), 0
    if waiting is not None:
        yield waiting[0], to_width(whole(waiting[1]), width, surplus_into, delimiter)


def _lists_together(fields: Sequence[str]) -> list[str]:
    """Fields with the lists that sacct writes without quotes in one piece: cpu=4,gres/gpu=2 and n[1,3].

    >>> _lists_together(["1", "cpu=4", "gres/gpu=2", "cpu=1", "n[1", "3]"])
    ['1', 'cpu=4,gres/gpu=2', 'cpu=1', 'n[1,3]']
    """
    found: list[str] = []
    names: set[str] = set()
    for text in fields:
        entry = _LIST_ENTRY.match(text)
        is_open = bool(found) and found[-1].count("[") > found[-1].count("]")
        if is_open or (entry is not None and names and entry[1] not in names):
            found[-1] += f",{text}"
        else:
            found.append(text)
            names = set()
        if entry is not None:
            names.add(entry[1])
    return found


def _begins(fields: Sequence[str], at: int) -> bool:
    return len(fields) > at and bool(_JOB_ID.match(fields[at]))
