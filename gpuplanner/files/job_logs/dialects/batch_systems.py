"""Batch systems: accounting of PBS and of Grid Engine, and histories of HTCondor."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from decimal import Decimal
from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.job_logs.judging import dialect
from gpuplanner.files.sources.json_values import json_paths, json_records, text_of
from gpuplanner.files.sources.source import Source, holds
from gpuplanner.files.system.engine import Engine
from gpuplanner.files.system.resources import plain_table
from gpuplanner.files.values.gpu_names import other_devices
from gpuplanner.files.values.numbers import read_decimal
from gpuplanner.files.values.word_lists import phrases
from gpuplanner.files.values.written_dates import iso_of, read_duration
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.lazy_re import lazy_re

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
_RULE: Final = lazy_re(r"^={10,}\s*$")
_SGE_PAIR: Final = lazy_re(r"^(?P<key>[a-z][\w.]*)\s+(?P<value>\S.*?)?\s*$")
_CLOCKS: Final = ("%a %b %d %H:%M:%S %Y", "%m/%d/%Y %H:%M:%S", "%Y-%m-%d %H:%M:%S")
_LINES_OF_AN_SGE_JOB_AT_MOST: Final = 500
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
    return all(said[name].strip().isdecimal() for name in ("job_number", *_TIMES))


def is_qacct(head: str) -> bool:
    """Whether a text begins what qacct prints of jobs."""
    keys = {pair["key"] for line in head.splitlines()[:80] if (pair := _SGE_PAIR.match(line))}
    return {"qname", "hostname", "owner", "jobnumber", "start_time"} <= keys


def accounting_entries(lines: Iterable[str]) -> Iterator[tuple[int, Said]]:
    """Every line of an accounting file; comments above its records are its header, others are ignored.

    Numbered as in the file. A line with too few cells keeps its text, to be rejected.
    """
    is_header = True
    for number, line in enumerate(lines, 1):
        text = line.strip("\r\n\ufeff ")
        if text.startswith("#") and not is_header:
            yield number, {dialect.RAW: text, dialect.IGNORED: "1"}
        if not text or text.startswith("#"):
            continue
        is_header = False
        cells = text.split(":")
        if len(cells) < _NEEDED:
            yield number, {dialect.RAW: text}
            continue
        said = dict(zip(COLUMNS, cells, strict=False))
        said[BEYOND] = ":".join(cells[len(COLUMNS) :])
        yield number, _with_seconds(said)


def json_entries(value: object) -> Said:
    """An object of accounting.jsonl.

    What is no object keeps its text; fields beyond the accounting file's are kept together.
    """
    if not isinstance(value, dict):
        return {dialect.RAW: text_of(value)}
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
                block
                if "job_number" in block
                else {dialect.RAW: first, dialect.IGNORED: "" if "qname" in block else "1"},
            )

    for number, line in enumerate(lines, 1):
        text = line.strip("\r\n\ufeff")
        found = _SGE_PAIR.match(text)
        is_next = found is not None and found["key"] == "qname" and "qname" in block
        if _RULE.match(text) or is_next:
            yield from done()
            block, begun = {}, 0
        if _RULE.match(text) or not text.strip():
            continue
        if not begun:
            begun, first = number, text
        if found is not None and number - begun < _LINES_OF_AN_SGE_JOB_AT_MOST:
            key = _BLOCK_KEYS.get(found["key"], found["key"])
            value = found["value"] or ""
            block.setdefault(key, _iso(value) if key in _TIMES else value)
            if key not in COLUMNS:
                block[BEYOND] = f"{block.get(BEYOND, '')} {value}"
    yield from done()


def _iso(text: str) -> str:
    """`Mon Mar 21 14:53:46 2011`, `03/21/2011 14:53:46.123` as ISO 8601 on the cluster's own clock."""
    return iso_of(lazy_re(r"\.\d+$").sub("", " ".join(text.split())), _CLOCKS) or text


# --- Grid Engine: the accounting file, its form in JSON, and what qacct prints of single jobs ----

# GPUs of a Grid Engine job: those it was given by number, else what its hard requests ask for.
_GIVEN: Final = lazy_re(r"(?i)\bn?gpus?(?:_\w+)?=[^=(\s,]+=\(([^)]*)\)")
_HARD: Final = lazy_re(r"(?:^|\s)-l\s+(?P<asked>\S+)")
_SOFT: Final = lazy_re(r"(?:^|\s)-soft\b.*?(?=\s-hard\b|$)")
_BOARD: Final = r"[abhlptv]\d{1,3}[a-z]?|gh200|gb200|rtx\w+|mi\d{3}x?|k\d0m?"
_COUNT: Final = lazy_re(
    rf"(?i)^(?:(?:num_|n)?gpus?(?:_?(?:cards?|devices?|count|num|dev))?|(?:nvidia|cuda)_?(?:gpus?|cards?|devices?)?"
    rf"|(?:(?:gpus?|coproc|cuda|nvidia)[_.-]?)?(?P<board>{_BOARD}))$"
)
_MODEL: Final = lazy_re(r"(?i)^(?:gpu|cuda)_?(?:type|model|name|arch)$")


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
    for name, value in _asked_of_sge(said):
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
    asked = count or first_other(_asked_of_sge(said))
    return SgeGpus(asked, model if count else "", bool(count) and slots > 1)


def first_other(asked: Iterable[tuple[str, str]]) -> str:
    """The first accelerator that is no GPU among what was asked for, as a text of `gpus`; empty without any."""
    named = ((name.removeprefix("Resource_List."), read_decimal(text)) for name, text in asked)
    return next(filter(None, (other_devices(name, number) for name, number in named)), "")


def _asked_of_sge(said: Mapping[str, str]) -> list[tuple[str, str]]:
    """Every `name=value` that was asked for and had to be given."""
    category = _SOFT.sub("", said.get("category", ""))
    texts = [found["asked"] for found in _HARD.finditer(category)] or [said.get("hard_resources", "")]
    pairs = (pair.partition("=") for text in texts for pair in text.split(","))
    return [(name.strip(), value.strip()) for name, sign, value in pairs if sign]


FIELDS: Final = (
    *("job_id", "name", "account", "user", "queue", "gpu_model", "gpus", "nodes", "start", "end", "state"),
    *("hosts", "submit", "elapsed"),
)

_MARKS_OF_JSON: Final = {"job_number", "owner", "start_time", "granted_pe"}
_NOTHING: Final = frozenset({"", "NONE", "none", "undefined", "-/-", "0"})
_STATE_OF_FAILED: Final = {"24": "REQUEUED", "25": "REQUEUED", "37": "TIMEOUT"}
"""Why a job left its host: migrated, put back into the queue, over its limit of time. Other numbers say a fault."""

_ASSUMED: Final = "assumed"
_NOTES: Final = {
    _ASSUMED: dialect.Note(
        "undecided",
        worded(
            "jobs with several slots: GPUs read per job. If qconf -sc shows YES, import a table with each "
            "job's GPUs"
        ),
    )
}


def sniff(head: str) -> float:
    """How sure it is that a text is one of Grid Engine's, 0..1."""
    if paths := json_paths(head):
        names = {path.rpartition("item.")[2] for path in paths}
        return 0.95 if names >= _MARKS_OF_JSON else 0.0
    return 0.96 if is_accounting(head) or is_qacct(head) else 0.0


def rows(source: Source, engine: Engine, table: str) -> dialect.JobTable:
    """Every record of a job; those of the parts of a parallel job are ignored, since the job's own tells them.

    Errors: PlannerError truncated_file, file_unreadable.
    """
    jobs = ((row, said if dialect.RAW in said else sge_job_texts(said)) for row, said in _records(source))
    clock = None if is_qacct(source.head) else "epoch_s"
    return dialect.table_of_texts(engine, source, table, FIELDS, jobs, clock=clock, notes=_NOTES)


def _records(source: Source) -> Iterator[tuple[int, Mapping[str, str]]]:
    """Every record as text by its name in accounting(5), or RAW where it is none."""
    if json_paths(source.head):
        for row, value in json_records(source):
            yield row, json_entries(value)
        return
    read = qacct_entries if is_qacct(source.head) else accounting_entries
    with source.text_lines() as lines:
        yield from read(lines)


def sge_job_texts(said: Mapping[str, str]) -> dialect.JobTexts:
    """A job as texts; it is noted where GPUs asked for were taken as the job's and may be meant for each slot.

    Tasks of a parallel environment (pe_taskid) are parts of a job and ignored; an array's task is a job of
    its own.
    """
    if _told(said, "pe_taskid"):
        return {dialect.RAW: said.get("job_number", ""), dialect.IGNORED: "1"}
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
        "elapsed": _told(said, "ru_wallclock").removesuffix("s"),
        dialect.NOTED: _ASSUMED if gpus.is_assumed and start else "",
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


SGE: Final = dialect.Dialect(format="sge", title=worded("Grid Engine accounting log"), sniff=sniff, rows=rows)


# --- PBS Pro and Torque accounting logs: one event a line, the jobs among them put together ------

PBS_FIELDS: Final = (
    *("job_id", "name", "account", "user", "queue", "gpu_model", "gpus", "nodes", "start", "end", "elapsed"),
    *("state", "activity", "hosts", "submit", "eligible", "time_limit"),
)

_EVENT_LINE: Final = lazy_re(
    r"^(?P<time>\d\d/\d\d/\d{4} \d\d:\d\d:\d\d)(?:\.\d+)?;(?P<event>[A-Za-z]);(?P<id>[^;]*);(?P<rest>.*)$"
)
_PAIR: Final = lazy_re(r"""(?:^|\s)(?P<key>[A-Za-z_][\w.\-]*)=(?:"(?P<quoted>[^"]*)"|(?P<plain>\S*))""")
_CHUNK_GPUS: Final = lazy_re(r"(?i)(?:^|:)(?:ngpus|gpus|gpu)=(\d{1,9})(?=:|$|\)|\+)")
_CHUNK_COUNT: Final = lazy_re(r"^(\d{1,9})(?::|$)")
_CHUNK_MODEL: Final = lazy_re(r"(?i)(?:^|:)(?:gpu_type|gpu_model|gputype|accelerator_model)=([^:+,()]+)")
_MODEL_KEYS: Final = ("gpu_type", "gpu_model", "gputype", "accelerator_model")
_WHOLE_ARRAY: Final = lazy_re(r"\[(?!\d+\])")
_STATES_OF_EVENTS: Final = {"R": "REQUEUED", "A": "CANCELLED"}
_KILLED: Final = ("271", "143")  # the job was sent SIGTERM: somebody deleted it
_NO_PROJECT: Final = "_pbs_project_default"


@dataclass(frozen=True, slots=True)
class PbsEvent:
    """One line. clock_s: when it was written, on the server's own clock; said: its key=value pairs."""

    clock_s: int
    kind: str
    job_id: str
    said: Mapping[str, str]


def sniff_pbs(head: str) -> float:
    """How sure it is that a text begins an accounting log, 0..1.

    At least half of the first fifty lines must be events.
    """
    lines = [line for line in head.splitlines() if line.strip()][:50]
    events = sum(_EVENT_LINE.match(line) is not None for line in lines)
    return 0.95 if events and 2 * events >= len(lines) else 0.0


def pbs_rows(source: Source, engine: Engine, table: str) -> dialect.JobTable:
    """A run is its end record; one that began and has none was still running. Other events are ignored.

    Records are PBS's own: S and T begin a job, E ends it; R, put back into the queue, and A, given up, end it with
    times of their own, or those of its S. Times are epoch seconds.
    """
    with source.text_lines() as lines:
        return dialect.table_of_texts(engine, source, table, PBS_FIELDS, pbs_jobs(lines), clock="epoch_s")


def pbs_jobs(lines: Iterator[str]) -> Iterator[tuple[int, dialect.JobTexts]]:
    """Every line as a job or as a line that is none; those that began stand at the line of their beginning.

    lines: of the file, in order. Jobs still open at its end come last.
    """
    open_jobs: dict[str, tuple[int, PbsEvent]] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        event = read_event(line)
        if event is None:
            yield number, {dialect.RAW: line.strip(), "state": ""}
            continue
        if _WHOLE_ARRAY.search(event.job_id):  # its subjobs have records of their own
            yield number, {dialect.IGNORED: "1"}
            continue
        if event.kind in ("S", "T"):  # T: it runs on from a checkpoint
            if (before := open_jobs.pop(event.job_id, None)) is not None:
                yield before[0], {dialect.IGNORED: "1"}
            open_jobs[event.job_id] = (number, event)
            continue
        begun = open_jobs.pop(event.job_id, None) if event.kind in ("E", "R", "A") else None
        has_end = begun is None or event.said.get("end") or event.said.get("resources_used.walltime")
        if event.kind == "E" or (event.kind in ("R", "A") and has_end and job_texts(event)["start"]):
            if begun is not None:
                yield begun[0], {dialect.IGNORED: "1"}
            yield number, ended_job(event)
            continue
        yield number, {dialect.IGNORED: "1"}
        if begun is not None:  # taken back or given up: it ran until this line was written
            end = _later(begun[1], max(0, event.clock_s - begun[1].clock_s))
            yield begun[0], {**job_texts(begun[1]), "end": end, "state": _STATES_OF_EVENTS[event.kind]}
    for number, event in open_jobs.values():
        yield number, {**job_texts(event), "state": "RUNNING"}


def read_event(line: str) -> PbsEvent | None:
    """A line of the log; None where it is none.

    >>> read_event("02/11/2026 20:12:21;Q;17.server;queue=gpu").said
    {'queue': 'gpu'}
    """
    found = _EVENT_LINE.match(line.strip())
    if found is None:
        return None
    try:
        clock = datetime.strptime(found["time"], "%m/%d/%Y %H:%M:%S").replace(tzinfo=UTC)
    except ValueError:
        return None
    said: dict[str, str] = {}
    for pair in _PAIR.finditer(found["rest"]):
        said.setdefault(pair["key"], pair["plain"] if pair["quoted"] is None else pair["quoted"])
    return PbsEvent(int(clock.timestamp()), found["event"].upper(), found["id"].strip(), said)


def ended_job(event: PbsEvent) -> dialect.JobTexts:
    """The job of an end record; without an end it ended once its walltime was over, or when the line was written.

    The state is that of Exit_status; killed jobs are cancelled.
    """
    texts = dict(job_texts(event))
    status = event.said.get("Exit_status", "")
    if status in ("0", ""):
        by_status = "COMPLETED"
    elif status in _KILLED:
        by_status = "CANCELLED"
    else:
        by_status = "FAILED"
    texts["state"] = _STATES_OF_EVENTS.get(event.kind, by_status)
    if not texts["start"]:
        texts["state"] = "CANCELLED"  # deleted while it waited
    elif not event.said.get("end"):
        texts["end"] = _later(event, read_duration(event.said.get("resources_used.walltime", "")))
    return texts


def job_texts(event: PbsEvent) -> dialect.JobTexts:
    """What a record says of its job, without how it ended.

    Fields are PBS's own: exec_host, jobname, account, project, queue, and Resource_List for what was asked.
    """
    said = event.said
    gpus = gpus_of(said)
    hosts = sorted({host.split("/")[0] for host in said.get("exec_host", "").split("+") if host})
    project = said.get("project", "")
    return {
        "job_id": event.job_id,
        "name": said.get("jobname", ""),
        "account": said.get("account", "") or ("" if project == _NO_PROJECT else project),
        "user": said.get("user", ""),
        "queue": said.get("queue", ""),
        "gpu_model": model_of(said),
        "gpus": gpus,
        "nodes": str(len(hosts)) if hosts else said.get("Resource_List.nodect", ""),
        "start": "" if said.get("start") == "0" else said.get("start", ""),
        "end": said.get("end", ""),
        "elapsed": said.get("resources_used.walltime", "") if said.get("end") else "",
        "activity": _activity(said.get("resources_used.gpupercent", ""), gpus),
        "hosts": ",".join(hosts),
        "submit": said.get("ctime", "") or said.get("qtime", ""),
        "eligible": said.get("etime", ""),
        "time_limit": said.get("Resource_List.walltime", ""),
    }


def gpus_of(said: Mapping[str, str]) -> str:
    """GPUs over all nodes: what was given before what was asked for; empty where neither tells any.

    >>> gpus_of({"Resource_List.nodes": "2:ppn=8:gpus=3"}), gpus_of({"Resource_List.select": "2:ngpus=4+1:ncpus=1"})
    ('6', '8')
    """
    if said.get("Resource_List.ngpus"):
        return said["Resource_List.ngpus"]
    if given := sum(int(found) for found in _CHUNK_GPUS.findall(said.get("exec_vnode", ""))):
        return str(given)
    if devices := [device for device in said.get("exec_gpus", "").split("+") if device]:
        return str(len(devices))
    for key in ("select", "nodes", "neednodes", "nodect"):
        if asked := _asked(said.get(f"Resource_List.{key}", "")):
            return str(asked)
    return said.get("Resource_List.gpus") or said.get("Resource_List.gpu") or first_other(said.items())


def model_of(said: Mapping[str, str]) -> str:
    """The GPU model that was asked for, where the site has a resource for it.

    From a resource of its own, else from the chunks of Resource_List.select or exec_vnode; empty where none
    says it.
    """
    asked = [said.get(f"Resource_List.{key}", "") for key in _MODEL_KEYS]
    chunks = (said.get("Resource_List.select", ""), said.get("exec_vnode", ""))
    asked += [found[1] for chunk in chunks if (found := _CHUNK_MODEL.search(chunk))]
    return next((model for model in asked if model), "")


def _asked(chunks: str) -> int:
    """GPUs of a `select` statement: each chunk's count of nodes times its GPUs, chunks added up."""
    total = 0
    for chunk in chunks.split("+"):
        count = _CHUNK_COUNT.match(chunk)
        gpus = sum(int(found) for found in _CHUNK_GPUS.findall(chunk))
        total += (int(count[1]) if count else 1) * gpus
    return total


def _later(event: PbsEvent, seconds: int | None) -> str:
    """The start of an event plus so many seconds, as a text; empty if either is unknown."""
    start = read_decimal(event.said.get("start", ""))
    return "" if start is None or seconds is None else str(int(start) + seconds)


def _activity(percent: str, gpus: str) -> str:
    """gpupercent is the sum over the GPUs of the job; activity is of one."""
    total, count = read_decimal(percent), read_decimal(gpus)
    if total is None or not count or count < 0:
        return ""
    return f"{min(total / count, Decimal(100)):.3f}" if total >= 0 else percent


PBS: Final = dialect.Dialect(format="pbs", title=worded("PBS accounting log"), sniff=sniff_pbs, rows=pbs_rows)


# --- HTCondor's jobs as `condor_history` lists them with -json or -long, whole or some of their attributes

CONDOR_FIELDS: Final = (
    *("job_id", "name", "account", "user", "gpu_model", "gpus", "nodes", "start", "end", "state"),
    *("hosts", "submit", "time_limit", "priority"),
)

_ATTRIBUTE_LINE: Final = lazy_re(r"^(?P<name>[A-Za-z_]\w*) = (?P<value>.*)$")
_ASK: Final = worded(
    "export again with {command}",
    command="condor_history -json -attributes ClusterId,ProcId,Owner,JobStatus,RequestGPUs,JobCurrentStartDate,"
    "CompletionDate,EnteredCurrentStatus,Cmd",
)
_STATES: Final = plain_table("htcondor_state")
_UNDEFINED: Final = "undefined"
"""HTCondor's word for an attribute that comes to nothing."""

_LINES_OF_A_JOB_AT_MOST: Final = 5000
_SURELY: Final = 0.95


def sniff_condor(head: str) -> float:
    """How sure it is that a text is one of these, 0..1.

    Its attributes are ClusterId, ProcId and JobStatus, whatever the case of their letters.
    """
    paths = {path.casefold() for path in json_paths(head)}
    for prefix in ("item.", ""):
        if {f"{prefix}clusterid", f"{prefix}procid"} <= paths and f"{prefix}jobstatus" in paths:
            return _SURELY
    names = {found["name"].casefold() for line in head.splitlines() if (found := _ATTRIBUTE_LINE.match(line))}
    return _SURELY if names >= {"clusterid", "procid", "jobstatus"} else 0.0


def condor_rows(source: Source, engine: Engine, table: str) -> dialect.JobTable:
    """Every job, by its last run.

    Errors: PlannerError missing_column where no job tells its GPUs or its start.

    Times are epoch seconds. Attributes are HTCondor's own names.
    """
    told: set[str] = set()
    moved = _moved_jobs(source)

    def jobs() -> Iterator[tuple[int, dialect.JobTexts]]:
        """Each job with its record number; all attributes seen are noted to name the lacking ones at the end."""
        for row, value in _attributes(source):
            told.update(value)
            texts = _texts(value)
            if texts.get("job_id") in moved:
                texts = {dialect.IGNORED: "1"}
            elif copy := _known(value, "routedtojobid"):  # whose own row may be in another file
                texts = {**texts, "job_id": copy}
            yield row, texts

    found = dialect.table_of_texts(engine, source, table, CONDOR_FIELDS, jobs(), clock="epoch_s")
    for names in (_GPUS, _START):
        if not told & set(names):
            fault = worded("no job has {names}", names=names[-1])
            raise PlannerError(source.path, "missing_column", fault, _ASK)
    return found


def _moved_jobs(source: Source) -> set[str]:
    """Ids of jobs that the job router handed on and whose copies, which ran, are in the file too."""
    if not holds(source, (b"outedToJobId", b"outedFromJobId", b"routedtojobid", b"routedfromjobid")):
        return set()
    keys = ("routedfromjobid", "routedtojobid")
    jobs = [
        (_texts(job).get("job_id", ""), *(_known(job, key) for key in keys)) for _, job in _attributes(source)
    ]
    ids = {job_id for job_id, _, _ in jobs}
    return {job_id for job_id, _, copy in jobs if copy in ids} | {origin for _, origin, _ in jobs} & ids


def _attributes(source: Source) -> Iterator[tuple[int, Mapping[str, str]]]:
    """Every job as text by attribute in small letters; HTCondor takes them in any case."""
    if json_paths(source.head):
        for row, value in json_records(source, ""):
            if isinstance(value, dict):
                yield row, {name.casefold(): text_of(text) for name, text in value.items()}
            else:
                yield row, {dialect.RAW: text_of(value)}
        return
    job: dict[str, str] = {}
    begun = 0
    with source.text_lines() as lines:
        for number, line in enumerate(lines, 1):
            text = line.rstrip("\r\n")
            if found := _ATTRIBUTE_LINE.match(text):
                begun = begun or number
                if len(job) < _LINES_OF_A_JOB_AT_MOST:
                    job[found["name"].casefold()] = found["value"].strip().strip('"')
            elif not text.strip() and job:
                yield begun, job
                job, begun = {}, 0
            elif text.strip() and not text.lstrip().startswith("#"):
                yield number, {dialect.RAW: text}
    if job:
        yield begun, job


_GPUS: Final = ("gpusprovisioned", "requestgpus")
_START: Final = ("jobstartdate", "jobcurrentstartdate")


def _texts(job: Mapping[str, str]) -> dialect.JobTexts:
    """One job. Its run is the last: from where it began to where it completed, was removed or was held."""
    if dialect.RAW in job:
        return {dialect.RAW: job[dialect.RAW]}
    if job.get("procid") in ("", "-1", _UNDEFINED):  # a cluster whose jobs are made one by one
        return {dialect.IGNORED: "1"}
    status = job.get("jobstatus", "")
    state = _STATES.get(status, status)
    if state == "COMPLETED" and job.get("exitcode", "0") not in ("0", ""):
        state = "FAILED"
    start = _time(job, "jobcurrentstartdate") or _time(job, "jobstartdate")
    end = _time(job, "completiondate") or _time(job, "enteredcurrentstatus")
    is_over = state not in ("PENDING", "RUNNING")
    return {
        "job_id": ".".join(filter(None, (job.get("clusterid", ""), job.get("procid", "")))),
        "name": job.get("jobbatchname") or job.get("cmd", "").rpartition("/")[2],
        "account": job.get("acctgroup") or job.get("accountinggroup", ""),
        "user": job.get("owner", ""),
        "gpu_model": job.get("gpus_devicename", ""),
        "gpus": _gpus_of_condor(job),
        "nodes": job.get("machinecount", ""),
        "start": start if state != "PENDING" else "",
        "end": end if is_over else "",
        "state": state,
        "hosts": job.get("lastremotehost", "").rpartition("@")[2],
        "submit": _time(job, "qdate"),
        "time_limit": _known(job, "allowedexecuteduration") or _known(job, "allowedjobduration"),
        "priority": _known(job, "jobprio"),
    }


def _gpus_of_condor(job: Mapping[str, str]) -> str:
    """GPUs of a job; of a manager of other jobs, which runs where they are submitted, none."""
    if job.get("jobuniverse") in ("7", "12"):
        return ""
    return next(filter(None, (_known(job, name) for name in _GPUS)), "") or first_other(job.items())


def _known(job: Mapping[str, str], name: str) -> str:
    """An attribute's text; HTCondor's `undefined` is the empty text."""
    text = job.get(name, "")
    return "" if text == _UNDEFINED else text


def _time(job: Mapping[str, str], name: str) -> str:
    """Seconds since 1970; 0 says that there is no such time."""
    text = job.get(name, "")
    return "" if text in ("0", "0.0", _UNDEFINED) else text


CONDOR: Final = dialect.Dialect(
    format="condor", title=worded("HTCondor jobs"), sniff=sniff_condor, rows=condor_rows
)
