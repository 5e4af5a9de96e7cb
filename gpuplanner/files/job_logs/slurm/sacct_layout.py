"""The columns of a sacct export that lost its header: a known layout, or what the columns hold."""

import re
from collections.abc import Callable, Sequence
from typing import Final

from gpuplanner.files.values.durations import read_duration
from gpuplanner.files.values.states import read_state
from gpuplanner.files.values.times import MISSING_TEXTS, utc_seconds

_MONITORING: Final = """
    JobID JobIDRaw User Account State Start End AveCPU AveDiskRead AveDiskWrite AveRSS AveVMSize ElapsedRaw
    ExitCode Layout MaxRSS MaxVMSize MinCPU ReqCPUS ReqMem ReqNodes Reservation Submit Suspended SystemCPU
    TimelimitRaw UserCPU NodeList Partition AllocTRES Priority JobName
"""

KNOWN_LAYOUTS: Final = (tuple(_MONITORING.split()),)
"""Field lists that monitoring tools ask sacct for."""

_ID_HEADINGS: Final = ("jobid", "jobidraw")
_JOB_ID: Final = re.compile(r"^\d+(_(\d+|\[.*\]))?(\+\d+)?(\.\w+(\+\d*)?)?$")
_STEP: Final = re.compile(r"^\d[\d_+\[\],%-]*\.(batch|extern|interactive|\d+)$")
_OWN_STEP: Final = re.compile(r"^\d+(_\d+)?(\+\d+)?\.(batch|extern|interactive)(\+\d+)?$")
_ARRAY: Final = re.compile(r"^\d+_(\d+|\[.*\])$")
_TIME: Final = re.compile(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d")
_TRES: Final = re.compile(r"^\w+(/\w+(:[^=,]+)?)?=[^,=]+(,\w+(/\w+(:[^=,]+)?)?=[^,=]+)*$")
_GRES: Final = re.compile(r"^(gres:)?gpu(:[A-Za-z][\w.-]*)?:\d+(\(.*\))?$", re.I)
_NUMBERED: Final = re.compile(r"^\d+=\d+[KMGT]?(,\d+=\d+[KMGT]?)+$")
_LIMIT: Final = re.compile(r"^((\d+-)?\d\d:\d\d:\d\d|UNLIMITED|Partition_Limit)$")
_WORD: Final = re.compile(r"^[A-Za-z][\w. +/@-]*$")
_STATE_NAMES: Final = """
    BOOT_FAIL CANCELLED COMPLETED COMPLETING DEADLINE FAILED NODE_FAIL OUT_OF_MEMORY PENDING PREEMPTED
    RUNNING REQUEUED RESIZING REVOKED SUSPENDED TIMEOUT
"""
SLURM_STATES: Final = frozenset(_STATE_NAMES.split())
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
    tres = [i for i, texts in enumerate(columns) if _share(texts, _is_resources) >= _ENOUGH]
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


def _is_resources(text: str) -> bool:
    """Whether a text is trackable resources: by name with a count, or by Slurm's numbers for them."""
    return bool(_NUMBERED.match(text)) or (
        any(word in text for word in ("cpu=", "gres/gpu", "node=")) and bool(_TRES.match(text))
    )


def _names_column(
    columns: Sequence[Sequence[str]], names: Sequence[str], is_step: Sequence[bool]
) -> int | None:
    """Of job names: what is `batch` on steps; without steps the words that differ most. None where that is open."""
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
    most = [index for index, count in words.items() if count > 1 and count == max(words.values())]
    return most[0] if len(most) == 1 else None


def is_known_layout(columns: Sequence[str]) -> bool:
    """Whether a layout is one that tools ask for, and not told by its values."""
    return tuple(name for name in columns if name) in KNOWN_LAYOUTS


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
    if len(times) < 2:
        return
    later_than = {
        i: sum(
            a > b
            for j in times
            for a, b in zip(columns[i], columns[j], strict=True)
            if _TIME.match(a) and _TIME.match(b)
        )
        for i in times
    }
    *before, start, end = sorted(times, key=lambda i: (later_than[i], i))
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
