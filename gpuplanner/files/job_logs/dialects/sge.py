"""Grid Engine: its accounting as lines, blocks of qacct or objects, each job read alike."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.files.job_logs.judging.dialect import (
    IGNORED,
    NOTED,
    RAW,
    Dialect,
    JobTable,
    JobTexts,
    Note,
    table_of_texts,
)
from gpuplanner.files.sources.json_values import json_paths, json_records, text_of
from gpuplanner.files.sources.source import Source
from gpuplanner.files.system.engine import Engine
from gpuplanner.files.values.numbers import phrases, read_decimal

# --- The forms of Grid Engine's accounting: lines with colons, blocks of qacct, objects; each as text by field

Said = Mapping[str, str]
"""Text by the names of accounting(5); RAW, and IGNORED, where a record is none of a job."""

COLUMNS: Final = phrases(
    "qname|hostname|group|owner|job_name|job_number|account|priority|submission_time|start_time|end_time"
    "|failed|exit_status|ru_wallclock|ru_utime|ru_stime|ru_maxrss|ru_ixrss|ru_ismrss|ru_idrss|ru_isrss"
    "|ru_minflt|ru_majflt|ru_nswap|ru_inblock|ru_oublock|ru_msgsnd|ru_msgrcv|ru_nsignals|ru_nvcsw"
    "|ru_nivcsw|project|department|granted_pe|slots|task_number|cpu|mem|io|category|iow|pe_taskid|maxvmem"
    "|arid|ar_submission_time|job_class|qdel_info"
)
"""What a line has, in this order; later versions have more behind it."""

BEYOND: Final = "beyond"
"""The name of what stands behind the columns that are known."""

_TIMES: Final = ("submission_time", "start_time", "end_time")
_NEEDED: Final = COLUMNS.index("category") + 1
_LEAST_IN_A_LINE: Final = 16
_BLOCK_KEYS: Final = {
    "jobname": "job_name",
    "jobnumber": "job_number",
    "taskid": "task_number",
    "qsub_time": "submission_time",
}
_RULE: Final = re.compile(r"^={10,}\s*$")
_PAIR: Final = re.compile(r"^(?P<key>[a-z][\w.]*)\s+(?P<value>\S.*?)?\s*$")
_CLOCKS: Final = ("%a %b %d %H:%M:%S %Y", "%m/%d/%Y %H:%M:%S", "%Y-%m-%d %H:%M:%S")
_LINES_OF_A_JOB_AT_MOST: Final = 500
_MILLIS_FROM, _MICROS_FROM = 12, 15  # digits


def is_accounting(head: str) -> bool:
    """Whether lines are records with colons: numbers where a job, its times and its exit stand.

    More than half of the first twenty lines must be.
    """
    lines = [line for line in head.splitlines() if line.strip() and not line.startswith("#")][:20]
    return bool(lines) and 2 * sum(map(_is_record, lines)) > len(lines)


def _is_record(line: str) -> bool:
    """Whether a line is of the accounting file: cells enough, with numbers for the job and all its times."""
    cells = line.split(":")
    if len(cells) < _LEAST_IN_A_LINE:
        return False
    said = dict(zip(COLUMNS, cells, strict=False))
    names = ("job_number", *_TIMES)
    return all(said[name].strip().isdecimal() for name in names)


def is_qacct(head: str) -> bool:
    """Whether a text begins what qacct prints of jobs."""
    lines = head.splitlines()[:80]
    keys = {found["key"] for line in lines if (found := _PAIR.match(line))}
    return {"qname", "hostname", "owner", "jobnumber", "start_time"} <= keys


def accounting_entries(lines: Iterable[str]) -> Iterator[tuple[int, Said]]:
    """Every line of an accounting file; comments above its records are its header, others are ignored.

    Numbered as in the file. A line with too few cells keeps its text, to be rejected.
    """
    is_header = True
    for number, line in enumerate(lines, 1):
        text = line.strip("\r\n\ufeff ")
        if text.startswith("#") and not is_header:
            yield number, {RAW: text, IGNORED: "1"}
        if not text or text.startswith("#"):
            continue
        is_header = False
        cells = text.split(":")
        if len(cells) < _NEEDED:
            yield number, {RAW: text}
            continue
        said = dict(zip(COLUMNS, cells, strict=False))
        said[BEYOND] = ":".join(cells[len(COLUMNS) :])
        yield number, _with_seconds(said)


def json_entries(value: object) -> Said:
    """An object of accounting.jsonl.

    What is no object keeps its text; fields beyond the accounting file's are kept together.
    """
    if not isinstance(value, dict):
        return {RAW: text_of(value)}
    said = {str(key): text_of(one) for key, one in value.items()}
    said[BEYOND] = " ".join(text for key, text in said.items() if key not in COLUMNS)
    return _with_seconds(said)


def _with_seconds(said: dict[str, str]) -> Said:
    """Newer versions write milliseconds, or microseconds, since 1970; what is no time stays as it is."""
    for name in _TIMES:
        text = said.get(name, "").strip()
        if text.isdecimal() and len(text) >= _MILLIS_FROM:
            said[name] = text[: -6 if len(text) >= _MICROS_FROM else -3]
    return said


def qacct_entries(lines: Iterable[str]) -> Iterator[tuple[int, Said]]:
    """Every block between lines of `=`, at the line where it begins; the totals at the end are ignored."""
    block: dict[str, str] = {}
    begun, first = 0, ""

    def done() -> Iterator[tuple[int, Said]]:
        """The block that ends here with the line it began on; a block that is no job keeps its first line."""
        if begun:
            yield (
                begun,
                block if "job_number" in block else {RAW: first, IGNORED: "" if "qname" in block else "1"},
            )

    for number, line in enumerate(lines, 1):
        text = line.strip("\r\n\ufeff")
        found = _PAIR.match(text)
        is_next = found is not None and found["key"] == "qname" and "qname" in block
        if _RULE.match(text) or is_next:
            yield from done()
            block, begun = {}, 0
        if _RULE.match(text) or not text.strip():
            continue
        if not begun:
            begun, first = number, text
        if found is not None and number - begun < _LINES_OF_A_JOB_AT_MOST:
            key = _BLOCK_KEYS.get(found["key"], found["key"])
            value = found["value"] or ""
            block.setdefault(key, _iso(value) if key in _TIMES else value)
            if key not in COLUMNS:
                block[BEYOND] = f"{block.get(BEYOND, '')} {value}"
    yield from done()


def _iso(text: str) -> str:
    """`Mon Mar 21 14:53:46 2011`, `03/21/2011 14:53:46.123` as ISO 8601 on the cluster's own clock."""
    words = re.sub(r"\.\d+$", "", " ".join(text.split()))
    for form in _CLOCKS:
        try:
            return datetime.strptime(words, form).replace(tzinfo=UTC).strftime("%Y-%m-%dT%H:%M:%S")
        except ValueError:
            continue
    return text


# --- Grid Engine: the accounting file, its form in JSON, and what qacct prints of single jobs ----

# GPUs of a Grid Engine job: those it was given by number, else what its hard requests ask for.
_GIVEN: Final = re.compile(r"\bn?gpus?(?:_\w+)?=[^=(\s,]+=\(([^)]*)\)", re.I)
_HARD: Final = re.compile(r"(?:^|\s)-l\s+(?P<asked>\S+)")
_SOFT: Final = re.compile(r"(?:^|\s)-soft\b.*?(?=\s-hard\b|$)")
_BOARD: Final = r"[abhlptv]\d{1,3}[a-z]?|gh200|gb200|rtx\w+|mi\d{3}x?|k\d0m?"
_COUNT: Final = re.compile(
    rf"^(?:(?:num_|n)?gpus?(?:_?(?:cards?|devices?|count|num|dev))?|(?:nvidia|cuda)_?(?:gpus?|cards?|devices?)?"
    rf"|(?:(?:gpus?|coproc|cuda|nvidia)[_.-]?)?(?P<board>{_BOARD}))$",
    re.I,
)
_MODEL: Final = re.compile(r"^(?:gpu|cuda)_?(?:type|model|name|arch)$", re.I)


@dataclass(frozen=True, slots=True)
class SgeGpus:
    """gpus over all slots, as text; empty without any. is_assumed: one asked for may be one of each slot."""

    gpus: str = ""
    gpu_model: str = ""
    is_assumed: bool = False


def sge_gpus(said: Mapping[str, str]) -> SgeGpus:
    """What a record says of GPUs. A part of one is what each slot asks for, since nobody asks for half of a job's.

    >>> sge_gpus({"category": "-U gpu -l gpu=2,h_rt=3600 -pe smp 8", "slots": "8"})
    SgeGpus(gpus='2', gpu_model='', is_assumed=True)
    >>> sge_gpus({"category": "-l gpus=0.25,gpu_type=V100 -pe omp 8", "slots": "8"})
    SgeGpus(gpus='2.00', gpu_model='V100', is_assumed=False)
    """
    slots = read_decimal(said.get("slots", "")) or Decimal(1)
    count, model = "", ""
    for name, value in _asked(said):
        if _MODEL.match(name):
            model = value.strip("*")
        elif (found := _COUNT.match(name)) and value not in ("0", "") and not count:
            count = value
            model = model or (found["board"] or "")
    if given := _GIVEN.findall(f"{said.get('resource_map', '')} {said.get(BEYOND, '')}"):
        return SgeGpus(str(sum(len(ids.split()) for ids in given)), model)
    number = read_decimal(count) if count else None
    if number is not None and 0 < number < 1 and slots > 1:
        return SgeGpus(f"{number * slots:f}", model)
    return SgeGpus(count, model if count else "", bool(count) and slots > 1)


def _asked(said: Mapping[str, str]) -> list[tuple[str, str]]:
    """Every `name=value` that was asked for and had to be given."""
    category = _SOFT.sub("", said.get("category", ""))
    texts = [found["asked"] for found in _HARD.finditer(category)] or [said.get("hard_resources", "")]
    pairs = (pair.partition("=") for text in texts for pair in text.split(","))
    return [(name.strip(), value.strip()) for name, sign, value in pairs if sign]


FIELDS: Final = (
    *("job_id", "name", "account", "user", "queue", "gpu_model", "gpus", "nodes", "start", "end", "state"),
    *("hosts", "submit"),
)

_MARKS_OF_JSON: Final = {"job_number", "owner", "start_time", "granted_pe"}
_NOTHING: Final = frozenset({"", "NONE", "none", "undefined", "-/-", "0"})
_STATE_OF_FAILED: Final = {"24": "REQUEUED", "25": "REQUEUED", "37": "TIMEOUT"}
"""Why a job left its host: migrated, put back into the queue, over its limit of time. Other numbers say a fault."""

_ASSUMED: Final = "assumed"
_NOTES: Final = {
    _ASSUMED: Note(
        "undecided",
        worded(
            "jobs of several slots ask for GPUs, and the log does not say whether for the job or for each slot: they "
            "were taken as those of the job; where qconf -sc says YES and not JOB for the resource, give a table with "
            "the GPUs of each job"
        ),
    )
}


def sniff(head: str) -> float:
    """How sure it is that a text is one of Grid Engine's, 0..1."""
    if paths := json_paths(head):
        names = {path.rpartition("item.")[2] for path in paths}
        return 0.95 if names >= _MARKS_OF_JSON else 0.0
    return 0.96 if is_accounting(head) or is_qacct(head) else 0.0


def rows(source: Source, engine: Engine, table: str) -> JobTable:
    """Every record of a job; those of the parts of a parallel job are ignored, since the job's own tells them.

    Errors: PlannerError truncated_file, file_unreadable.
    """
    jobs = ((row, said if RAW in said else job_texts(said)) for row, said in _records(source))
    clock = None if is_qacct(source.head) else "epoch_s"
    return table_of_texts(engine, source, table, FIELDS, jobs, clock=clock, notes=_NOTES)


def _records(source: Source) -> Iterator[tuple[int, Mapping[str, str]]]:
    """Every record as text by its name in accounting(5), or RAW where it is none."""
    if json_paths(source.head):
        for row, value in json_records(source):
            yield row, json_entries(value)
        return
    read = qacct_entries if is_qacct(source.head) else accounting_entries
    with source.text_lines() as lines:
        yield from read(lines)


def job_texts(said: Mapping[str, str]) -> JobTexts:
    """A job as texts; it is noted where GPUs asked for were taken as the job's and may be meant for each slot.

    Tasks of a parallel environment (pe_taskid) are parts of a job and ignored; an array's task is a job of
    its own.
    """
    if _told(said, "pe_taskid"):
        return {RAW: said.get("job_number", ""), IGNORED: "1"}
    start, end = (_told(said, name) for name in ("start_time", "end_time"))
    gpus = sge_gpus(said)
    task = _told(said, "task_number")
    account, host = _told(said, "account"), said.get("hostname", "")
    return {
        "job_id": said.get("job_number", "") + (f".{task}" if task else ""),
        "name": said.get("job_name", ""),
        "account": _told(said, "project") or ("" if account == "sge" else account),
        "user": said.get("owner", ""),
        "queue": said.get("qname", ""),
        "gpu_model": gpus.gpu_model,
        "gpus": gpus.gpus,
        "nodes": "1" if not _told(said, "granted_pe") else "",
        "start": start,
        "end": end,
        "state": _state(said) if start else "CANCELLED",
        "hosts": host,
        "submit": _told(said, "submission_time"),
        NOTED: _ASSUMED if gpus.is_assumed and start else "",
    }


def _state(said: Mapping[str, str]) -> str:
    """The state by Grid Engine's `failed` and `exit_status`; what was deleted by qdel is cancelled."""
    failed, status = (said.get(name, "").split(":")[0].strip() for name in ("failed", "exit_status"))
    if _told(said, "qdel_info"):
        return "CANCELLED"
    if failed in _STATE_OF_FAILED:
        return _STATE_OF_FAILED[failed]
    return "COMPLETED" if failed in ("", "0") and status in ("", "0") else "FAILED"


def _told(said: Mapping[str, str], name: str) -> str:
    """A field that says something; Grid Engine's words for nothing are empty."""
    text = said.get(name, "").strip()
    return "" if text in _NOTHING else text


DIALECT: Final = Dialect("sge", worded("Grid Engine accounting log"), sniff, rows)
