"""The lines of a sacct export: where its header is, how its fields are parted, and records that got out of order."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from gpuplanner.files.job_logs.slurm.sacct_layout import is_time
from gpuplanner.files.job_logs.slurm.slurm_fields import GPU_HEADINGS, HEADINGS, STRAY
from gpuplanner.files.sources.raw_table import PutTogether
from gpuplanner.files.sources.row_widths import RaggedLines
from gpuplanner.files.values.states import KNOWN_STATES, read_state

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
        if "jobid" not in text.casefold():
            continue
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


def free_texts_together(columns: Sequence[str], delimiter: str) -> PutTogether:
    """Puts a free text together in which the delimiter stood; where no column would do, the fields stay as they are.

    It is told by the columns that follow it: their times, states, numbers and lists have to stand in them again.
    """
    names = [name.casefold() for name in columns]
    free = [names.index(name.casefold()) for name in FREE_TEXTS if name.casefold() in names]
    checks = [
        (place, check)
        for place, name in enumerate(names)
        if free and place > min(free) and (check := _FORMS.get(name))
    ]

    def put_together(fields: list[str]) -> list[str]:
        """Joins the surplus cells of a record in the one free text for which all others then check.

        Else as it was.
        """
        told = fields
        while (surplus := len(told) - len(columns)) > 0:
            for place in free:
                end = place + surplus + 1
                found = [*told[:place], delimiter.join(told[place:end]), *told[end:]]
                if all(check(found[at].strip().strip(_QUOTE)) for at, check in checks):
                    return found
            if told[-1].strip():
                break
            told = told[:-1]  # an empty cell at the end of a line is none
        return fields

    return put_together


def _fits(pattern: str) -> Callable[[str], bool]:
    """A test of whether a whole text is of this pattern."""
    return lambda text: re.fullmatch(pattern, text) is not None


_FORMS: Final[Mapping[str, Callable[[str], bool]]] = {
    **dict.fromkeys(
        ("start", "end", "submit", "eligible"), lambda text: is_time(text) or text.replace(".", "").isdigit()
    ),
    "state": lambda text: not text or read_state(text) in KNOWN_STATES,
    **dict.fromkeys(("elapsed", "timelimit", "cputime", "totalcpu"), _fits(r"[\d:.-]*|[A-Za-z_]+")),
    **dict.fromkeys(
        ("elapsedraw", "ncpus", "alloccpus", "reqcpus", "nnodes", "allocnodes", "priority", "uid", "gid"),
        _fits(r"[\d.]*[KMG]?"),
    ),
    **dict.fromkeys(("alloctres", "reqtres"), _fits(r"|.*=.*")),
    "exitcode": _fits(r"|\d+:\d+"),
    **dict.fromkeys(("jobid", "jobidraw"), lambda text: not text or bool(_JOB_ID.match(text))),
}
"""What stands in columns that a free text could be taken for."""


def ordered(
    rows: Iterable[tuple[int, list[str]]],
    columns: Sequence[str],
    delimiter: str,
    *,
    ragged: RaggedLines,
    header_line: int = 0,
    ends_with_delimiter: bool = False,
) -> Iterator[tuple[int, list[str]]]:
    """Records of full width from lines that are not all records.

    Lines up to header_line and headers that come again are none. A record that a line end inside a free text broke
    apart is put together. Any other line is a record of its own; `ragged` grows by those of another width.
    """
    width = len(columns)
    header = [name.casefold() for name in columns]
    at = next(i for i, name in enumerate(header) if name in ("jobid", "jobidraw"))
    put_together = free_texts_together(columns, delimiter)
    may_go_on = width > 1 and header[-1] in {name.casefold() for name in FREE_TEXTS}
    waiting: tuple[int, list[str]] | None = None

    def whole(line: int, fields: list[str]) -> tuple[int, list[str]]:
        """A record of the right width: lists with commas and free texts put together again."""
        if delimiter == "," and len(fields) > width:
            fields = _lists_together(fields)
        return line, ragged.fit(line, put_together(fields), width)

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
            # after a line end in its last text a record lacks no field, and what follows is no record by its times
            goes_on = may_go_on and len(before) >= width > len(fields) and sum(map(_is_instant, fields)) < 2
            if _begins(before, at) and (is_broken or goes_on):
                before[-1] = f"{before[-1]} {fields[0]}"
                before += fields[1:]
                joined += 1
                continue
        if waiting is not None:
            yield whole(*waiting)
        waiting, joined = (line, fields), 0
    if waiting is not None:
        yield whole(*waiting)


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


def _is_instant(text: str) -> bool:
    """Whether a text is a time that begins with its year, not one of Slurm's words for none."""
    return text[:1].isdigit() and is_time(text)


def _begins(fields: Sequence[str], at: int) -> bool:
    """Whether a job begins in this line: its ID stands in its place."""
    return len(fields) > at and bool(_JOB_ID.match(fields[at]))
