"""How a sacct export is laid out: its lines, its header, and the columns of one that lost it."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from gpuplanner.files.job_logs.dialects.slurm.slurm_fields import GPU_HEADINGS, HEADINGS, STRAY
from gpuplanner.files.sources.issue_texts import RaggedLines
from gpuplanner.files.sources.raw_table import PutTogether
from gpuplanner.files.system.resources import plain_table
from gpuplanner.files.values.durations import read_duration
from gpuplanner.files.values.job_states import KNOWN_STATES, read_state
from gpuplanner.files.values.slurm_resources import is_of_gpus, read_tres
from gpuplanner.files.values.times import MISSING_TEXTS, utc_seconds
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.lazy_re import lazy_re

# --- The columns of a sacct export that lost its header: a known layout, or what the columns hold

KNOWN_LAYOUTS: Final = (tuple(plain_table("word_list")["monitoring"].split()),)
"""Field lists that monitoring tools ask sacct for."""

_ID_HEADINGS: Final = ("jobid", "jobidraw")
_JOB_ID: Final = lazy_re(r"^\d+(_(\d+|\[.*\]))?(\+\d+)?(\.\w+(\+\d*)?)?$")
_STEP: Final = lazy_re(r"^\d[\d_+\[\],%-]*\.(batch|extern|interactive|\d+)$")
_OWN_STEP: Final = lazy_re(r"^\d+(_\d+)?(\+\d+)?\.(batch|extern|interactive)(\+\d+)?$")
_ARRAY: Final = lazy_re(r"^\d+_(\d+|\[.*\])$")
_TIME: Final = lazy_re(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d")
_TRES: Final = lazy_re(r"^\w+(/\w+(:[^=,]+)?)?=[^,=]+(,\w+(/\w+(:[^=,]+)?)?=[^,=]+)*$")
_GRES: Final = lazy_re(r"^(gres:)?gpu(:[A-Za-z][\w.-]*)?:\d+(\(.*\))?$", re.I)
_NUMBERED: Final = lazy_re(r"^\d+=\d+[KMGT]?(,\d+=\d+[KMGT]?)+$")
_LIMIT: Final = lazy_re(r"^((\d+-)?\d\d:\d\d:\d\d|UNLIMITED|Partition_Limit)$")
_WORD: Final = lazy_re(r"^[A-Za-z][\w. +/@-]*$")
SLURM_STATES: Final = frozenset(plain_table("word_list")["slurm_states"].split())
_ENOUGH: Final = 0.9


def guess_layout(records: Sequence[Sequence[str]]) -> tuple[str, ...] | None:
    """Slurm's name for each column, empty for one that cannot be told; None where these are no lines of sacct.

    records: the first records, split; what -p leaves at their end is an empty column too, one that is not empty has a
    name. Times are told by their order, JobName by what it is on steps, or as the words that differ most.
    """
    width = max((len(record) for record in records), key=[len(record) for record in records].count)
    sample = [record for record in records if len(record) == width]
    for layout in KNOWN_LAYOUTS:
        for ending in ((), ("",)):
            if _fits(layout, [r for r in records if len(r) >= len(layout)], len(ending)):
                return (*layout, *ending)
    columns = [[record[index].strip() for record in sample] for index in range(width)]
    names = [""] * width
    tres = _given_columns(columns)
    job_id = _job_id_column(columns, has_resources=bool(tres))
    state = _first(columns, lambda text: read_state(text) in SLURM_STATES)
    if job_id is None or state is None:
        return None
    names[job_id], names[state] = "JobID", "State"
    _name_times(columns, names)
    is_step = [bool(_STEP.match(text)) for text in columns[job_id]]
    gres = [
        i for i, texts in enumerate(columns) if _share(texts, lambda text: bool(_GRES.match(text))) >= _ENOUGH
    ]
    if tres:
        names[tres[-1]] = "AllocTRES"
    elif gres:
        names[gres[-1]] = "AllocGRES"
    for index, texts in enumerate(columns):
        if not names[index] and any(text.lower() == "none assigned" for text in texts):
            names[index] = "NodeList"
            break
    named = _names_column(columns, names, is_step)
    if named is not None:
        names[named] = "JobName"
    if not names[-1] and any(columns[-1]):  # what -p leaves there is empty
        names[-1] = f"column {width}"
    return tuple(names)


def _given_columns(columns: Sequence[Sequence[str]]) -> list[int]:
    """The columns of resources that were given or asked for, the likeliest last; never those of what was used.

    Older versions count energy among what was given, beside the nodes, which no usage has.
    """
    lists = [i for i, texts in enumerate(columns) if _share(texts, _is_resources) >= _ENOUGH]
    given = [i for i in lists if not any(map(_USED.search, columns[i]))]
    if not given:
        with_nodes = [i for i in lists if any("node=" in text for text in columns[i])]
        given = [i for i in with_nodes if not any(map(_USED_BY_GPUS.search, columns[i]))]
    return sorted(given, key=lambda i: (any(map(is_of_gpus_in, columns[i])), *_likeness(columns[i])))


def _likeness(texts: Sequence[str]) -> tuple[bool, bool]:
    """How a column without GPUs is what was given: it counts nodes, and no memory pages."""
    return any("node=" in text for text in texts), not any(
        "vmem=" in text or "pages=" in text for text in texts
    )


def is_of_gpus_in(text: str) -> bool:
    """Whether a list of resources has GPUs."""
    return any(is_of_gpus(part.strip()) for part in text.split(","))


_USED: Final = lazy_re(r"(?i)gpuutil|gpumem|\benergy=|\bfs/disk=")
_USED_BY_GPUS: Final = lazy_re(r"(?i)gpuutil|gpumem|\bfs/disk=")


def other_gpu_columns(records: Sequence[Sequence[str]], names: Sequence[str]) -> dict[int, float]:
    """The GPUs of all jobs of the first records by each column that may list them, where these sums differ.

    records: split; names: the layout that was guessed of them. Empty where only one lists GPUs, or all agree.
    """
    sample = [record for record in records if len(record) == len(names)]
    id_place = names.index("JobID")
    columns = [[record[i].strip() for record in sample] for i in range(len(names))]
    is_job = ["." not in text for text in columns[id_place]]
    sums = {
        i: sum(read_tres(text).milli_gpus for text, job in zip(columns[i], is_job, strict=True) if job) / 1000
        for i in _given_columns(columns)
        if any(map(is_of_gpus_in, columns[i]))
    }
    return sums if len(set(sums.values())) > 1 else {}


def _is_resources(text: str) -> bool:
    """Whether a text is trackable resources: by name with a count, or by Slurm's numbers for them."""
    return bool(_NUMBERED.match(text)) or (
        any(word in text for word in ("cpu=", "gres/gpu", "node=")) and bool(_TRES.match(text))
    )


def _names_column(
    columns: Sequence[Sequence[str]], names: Sequence[str], is_step: Sequence[bool]
) -> int | None:
    """Of job names: `batch` on steps; without steps the words that differ most and are no users; None where open."""
    for index, texts in enumerate(columns):
        on_steps = {text for text, step in zip(texts, is_step, strict=True) if step}
        if not names[index] and "batch" in on_steps and not any(_STEP.match(text) for text in on_steps):
            return index
    if any(is_step):
        return None
    words = {
        index: len(set(texts))
        for index, texts in enumerate(columns)
        if not names[index] and _share(texts, lambda text: bool(_WORD.match(text))) >= _ENOUGH
    }
    words = {index: count for index, count in words.items() if _are_no_users(columns[index])}
    most = [index for index, count in words.items() if count > 1 and count == max(words.values())]
    return most[0] if len(most) == 1 else None


_LIKE_NO_USER: Final = lazy_re(r"[ /+_]|\.\w{1,4}$|-.*-|\w-\d|[A-Z]")


def _are_no_users(texts: Sequence[str]) -> bool:
    """Whether most words of a column are written as no account of a person is: `train_7b`, `run.sh`, `Llama eval`."""
    words = set(filter(None, texts))
    return sum(bool(_LIKE_NO_USER.search(word)) for word in words) * 2 > len(words)


def _fits(layout: Sequence[str], records: Sequence[Sequence[str]], extra: int) -> bool:
    """Whether most records read well under a layout; extra: empty columns that -p leaves at the end."""
    if not records or min(len(record) for record in records) != len(layout) + extra:
        return False
    at = {name: layout.index(name) for name in ("JobID", "State", "Start", "End")}
    good = sum(
        bool(_JOB_ID.match(record[at["JobID"]]))
        and read_state(record[at["State"]]) in SLURM_STATES
        and all(is_time(record[at[name]]) for name in ("Start", "End"))
        for record in records
    )
    return good >= _ENOUGH * len(records)


def has_steps(heading: str, texts: Sequence[str]) -> bool:
    """Whether ids of jobs have Slurm's steps among them, so that `12345.0` is one too.

    That is where one is Slurm's own, `12345.batch`, where the job `12345` stands beside it, or under Slurm's heading
    `12345.1`. Other ids like `12345.0` are those of jobs: a spreadsheet made numbers of them, or they count the jobs of
    a batch, as HTCondor's do.
    """
    ids = frozenset(texts)
    steps = frozenset(text for text in ids if _STEP.match(text))
    jobs = {step.rpartition(".")[0] for step in steps}
    is_repeated = heading.casefold() in _ID_HEADINGS and len(jobs) < len(steps)
    return is_repeated or any(_OWN_STEP.match(text) for text in ids) or not jobs.isdisjoint(ids)


def are_job_ids(texts: Sequence[str]) -> bool:
    """Whether texts are Slurm's ids: 12345, 12345_7, 12345.batch; plain numbers alone may be anything."""
    return _share(texts, lambda text: bool(_JOB_ID.match(text))) >= _ENOUGH and any(
        _OWN_STEP.match(text) or _ARRAY.match(text) for text in texts
    )


def _job_id_column(columns: Sequence[Sequence[str]], *, has_resources: bool) -> int | None:
    """has_resources: there is a list of resources, by which lines are Slurm's even where ids are short or repeat."""
    for index, texts in enumerate(columns):
        if _share(texts, lambda text: bool(_JOB_ID.match(text))) >= _ENOUGH and any(
            _STEP.match(text) for text in texts
        ):
            return index
    for index, texts in enumerate(columns):  # without steps: the first column of ids that do not repeat
        ids = [text for text in texts if _JOB_ID.match(text)]
        if (
            len(ids) >= _ENOUGH * len(texts)
            and len(set(ids)) >= _ENOUGH * len(ids)
            and all(len(i) > 1 for i in ids)
        ):
            return index
    ids = [text for text in columns[0] if _JOB_ID.match(text)]
    is_first = has_resources and len(ids) >= _ENOUGH * len(columns[0]) and 2 * len(set(ids)) > len(ids)
    return 0 if is_first else None


def _name_times(columns: Sequence[Sequence[str]], names: list[str]) -> None:
    """Slurm's times are in the order Submit, Eligible, Start, End; so the last of them is End, the one before Start."""
    times = [
        i
        for i, texts in enumerate(columns)
        if not names[i] and _share(texts, is_time) >= _ENOUGH and any(map(_TIME.match, texts))
    ]
    later_than = {i: sum(_is_later(columns[i], columns[j]) for j in times) for i in times}
    times.sort(key=lambda i: (later_than[i], i))
    times += [  # where all jobs run, no end is known
        i
        for i, texts in enumerate(columns)
        if not names[i] and times and i > max(times) and _share(texts, _is_unknown) >= _ENOUGH
    ][:1]
    if len(times) < 2:
        return
    *before, start, end = times
    names[start], names[end] = "Start", "End"
    for index, name in zip(before, ("Submit", "Eligible"), strict=False):
        names[index] = name
    for index, texts in enumerate(columns):
        lasted = [
            (read_duration(text), (utc_seconds(to) or 0) - (utc_seconds(since) or 0))
            for text, since, to in zip(texts, columns[start], columns[end], strict=True)
            if _TIME.match(since) and _TIME.match(to)
        ]
        if not names[index] and lasted and sum(a == b for a, b in lasted) >= _ENOUGH * len(lasted):
            names[index] = "Elapsed"
            break
    for index, texts in enumerate(columns):
        if not names[index] and _share(texts, lambda text: bool(_LIMIT.match(text))) >= _ENOUGH:
            names[index] = "Timelimit"
            return


def _is_later(first: Sequence[str], second: Sequence[str]) -> bool:
    """Whether one column of times is later than another in most rows that have both and differ."""
    pairs = [
        (a, b) for a, b in zip(first, second, strict=True) if _TIME.match(a) and _TIME.match(b) and a != b
    ]
    return 2 * sum(a > b for a, b in pairs) > len(pairs)


def _is_unknown(text: str) -> bool:
    """Whether it is Slurm's word for a time that is not known yet."""
    return text.casefold() == "unknown"


def is_time(text: str) -> bool:
    """Whether it is a time as Slurm writes it, or its word for none."""
    return bool(_TIME.match(text)) or text.strip().lower() in MISSING_TEXTS


def _share(texts: Sequence[str], is_one: Callable[[str], bool]) -> float:
    """How many of the texts that are not empty are of a kind, 0..1; 0 where all are empty."""
    filled = [text for text in texts if text]
    return sum(is_one(text) for text in filled) / len(filled) if filled else 0.0


def _first(columns: Sequence[Sequence[str]], is_one: Callable[[str], bool]) -> int | None:
    """The first column of which enough texts are such; None if there is none."""
    return next((i for i, texts in enumerate(columns) if _share(texts, is_one) >= _ENOUGH), None)


# --- The lines of a sacct export: where its header is, how its fields are parted, and records that got out of order

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
_ODD_DELIMITER: Final = lazy_re(r"[^\w\s.:,/=+@()\[\]\"'-]")
"""A sign that stands in no value of Slurm's but free texts."""
_PARTED: Final = lazy_re(r'^"?[A-Za-z]+(?:%-?\d+)?"?(?P<delimiter>[^A-Za-z0-9"%\s]{1,5})"?[A-Za-z]')
_WIDTH: Final = lazy_re(r"%-?\d+$")
_BEGINS_A_RECORD: Final = lazy_re(r"^\s*\"?\d+([_+.\[;][\w.+\[\],%*-]*)?\s*$")
_STRAY: Final = lazy_re(STRAY, re.I)
_LINES_BEFORE_HEADER: Final = 100
_LINES_IN_A_RECORD: Final = 100
_QUOTE: Final = '"'


_LIST_ENTRY: Final = lazy_re(r"^([a-z][\w/:.-]*)=-?\d[\d.]*[A-Z]?$")
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


def _wholly(pattern: str) -> Callable[[str], bool]:
    """A test of whether a whole text is of this pattern."""
    return lambda text: re.fullmatch(pattern, text) is not None


_FORMS: Final[Mapping[str, Callable[[str], bool]]] = {
    **dict.fromkeys(
        ("start", "end", "submit", "eligible"), lambda text: is_time(text) or text.replace(".", "").isdigit()
    ),
    "state": lambda text: not text or read_state(text) in KNOWN_STATES,
    **dict.fromkeys(("elapsed", "timelimit", "cputime", "totalcpu"), _wholly(r"[\d:.-]*|[A-Za-z_]+")),
    **dict.fromkeys(
        ("elapsedraw", "ncpus", "alloccpus", "reqcpus", "nnodes", "allocnodes", "priority", "uid", "gid"),
        _wholly(r"[\d.]*[KMG]?"),
    ),
    **dict.fromkeys(("alloctres", "reqtres"), _wholly(r"|.*=.*")),
    "exitcode": _wholly(r"|\d+:\d+"),
    **dict.fromkeys(("jobid", "jobidraw"), lambda text: not text or bool(_BEGINS_A_RECORD.match(text))),
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
    return len(fields) > at and bool(_BEGINS_A_RECORD.match(fields[at]))
