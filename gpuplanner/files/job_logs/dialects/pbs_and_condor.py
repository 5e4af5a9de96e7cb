"""PBS Pro and Torque accounting logs, and HTCondor's jobs as `condor_history` lists them."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.job_logs.judging.dialect import (
    IGNORED,
    RAW,
    Dialect,
    JobTable,
    JobTexts,
    table_of_texts,
)
from gpuplanner.files.sources.json_values import json_paths, json_records, text_of
from gpuplanner.files.sources.source import Source
from gpuplanner.files.system.engine import Engine
from gpuplanner.files.values.numbers import read_decimal
from gpuplanner.files.values.written_dates import read_duration

# --- PBS Pro and Torque accounting logs: one event a line, the jobs among them put together ------

PBS_FIELDS: Final = (
    *("job_id", "name", "account", "user", "queue", "gpu_model", "gpus", "nodes", "start", "end", "elapsed"),
    *("state", "activity", "hosts", "submit", "eligible", "time_limit"),
)

_EVENT_LINE: Final = re.compile(
    r"^(?P<time>\d\d/\d\d/\d{4} \d\d:\d\d:\d\d)(?:\.\d+)?;(?P<event>[A-Za-z]);(?P<id>[^;]*);(?P<rest>.*)$"
)
_PAIR: Final = re.compile(r"""(?:^|\s)(?P<key>[A-Za-z_][\w.\-]*)=(?:"(?P<quoted>[^"]*)"|(?P<plain>\S*))""")
_CHUNK_GPUS: Final = re.compile(r"(?:^|:)(?:ngpus|gpus|gpu)=(\d{1,9})(?=:|$|\)|\+)", re.I)
_CHUNK_COUNT: Final = re.compile(r"^(\d{1,9})(?::|$)")
_CHUNK_MODEL: Final = re.compile(r"(?:^|:)(?:gpu_type|gpu_model|gputype|accelerator_model)=([^:+,()]+)", re.I)
_MODEL_KEYS: Final = ("gpu_type", "gpu_model", "gputype", "accelerator_model")
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


def pbs_rows(source: Source, engine: Engine, table: str) -> JobTable:
    """A job is its end record; one that began and has none was still running. Other events are ignored.

    Records are PBS's own: S and T begin a job, E ends it. Times are epoch seconds.
    """
    with source.text_lines() as lines:
        return table_of_texts(engine, source, table, PBS_FIELDS, pbs_jobs(lines), clock="epoch_s")


def pbs_jobs(lines: Iterator[str]) -> Iterator[tuple[int, JobTexts]]:
    """Every line as a job or as a line that is none; those that began stand at the line of their beginning.

    lines: of the file, in order. Jobs still open at its end come last.
    """
    open_jobs: dict[str, tuple[int, PbsEvent]] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        event = read_event(line)
        if event is None:
            yield number, {RAW: line.strip(), "state": ""}
            continue
        if event.kind in ("S", "T"):  # T: it runs on from a checkpoint
            if (before := open_jobs.pop(event.job_id, None)) is not None:
                yield before[0], {IGNORED: "1"}
            open_jobs[event.job_id] = (number, event)
            continue
        begun = open_jobs.pop(event.job_id, None) if event.kind in ("E", "R", "A") else None
        if event.kind == "E":
            if begun is not None:
                yield begun[0], {IGNORED: "1"}
            yield number, ended_job(event)
            continue
        yield number, {IGNORED: "1"}
        if begun is not None:  # taken back or given up: it ran until this line was written
            elapsed = max(0, event.clock_s - begun[1].clock_s)
            state = "REQUEUED" if event.kind == "R" else "CANCELLED"
            yield begun[0], {**job_texts(begun[1]), "end": _later(begun[1], elapsed), "state": state}
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


def ended_job(event: PbsEvent) -> JobTexts:
    """The job of an end record; without an end it ended once its walltime was over, or when the line was written.

    The state is that of Exit_status; killed jobs are cancelled.
    """
    texts = dict(job_texts(event))
    status = event.said.get("Exit_status", "")
    texts["state"] = (
        "COMPLETED"
        if status == "0"
        else "CANCELLED"
        if status in _KILLED
        else "FAILED"
        if status
        else "COMPLETED"
    )
    if not texts["start"]:
        texts["state"] = "CANCELLED"  # deleted while it waited
    elif not event.said.get("end"):
        texts["end"] = _later(event, read_duration(event.said.get("resources_used.walltime", "")))
    return texts


def job_texts(event: PbsEvent) -> JobTexts:
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
        "start": said.get("start", ""),
        "end": said.get("end", ""),
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
    return said.get("Resource_List.gpus", "") or said.get("Resource_List.gpu", "")


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


PBS: Final = Dialect("pbs", worded("PBS accounting log"), sniff_pbs, pbs_rows)


# --- HTCondor's jobs as `condor_history` lists them with -json or -long, whole or some of their attributes

CONDOR_FIELDS: Final = (
    *("job_id", "name", "account", "user", "gpu_model", "gpus", "nodes", "start", "end", "state"),
    *("hosts", "submit", "time_limit", "priority"),
)

_ATTRIBUTE_LINE: Final = re.compile(r"^(?P<name>[A-Za-z_]\w*) = (?P<value>.*)$")
_ASK: Final = worded(
    "export with condor_history -json -attributes ClusterId,ProcId,Owner,JobStatus,RequestGPUs,JobCurrentStartDate,"
    "CompletionDate,EnteredCurrentStatus,Cmd"
)
_STATES: Final = {
    "1": "PENDING",
    "2": "RUNNING",
    "3": "CANCELLED",
    "4": "COMPLETED",
    "5": "CANCELLED",  # held: its run is over
    "6": "RUNNING",
    "7": "RUNNING",
}
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


def condor_rows(source: Source, engine: Engine, table: str) -> JobTable:
    """Every job, by its last run.

    Errors: PlannerError missing_column where no job tells its GPUs or its start.

    Times are epoch seconds. Attributes are HTCondor's own names.
    """
    told: set[str] = set()

    def jobs() -> Iterator[tuple[int, JobTexts]]:
        """Each job with its record number; all attributes seen are noted to name the lacking ones at the end."""
        for row, value in _attributes(source):
            told.update(value)
            yield row, _texts(value)

    found = table_of_texts(engine, source, table, CONDOR_FIELDS, jobs(), clock="epoch_s")
    for names in (_GPUS, _START):
        if not told & set(names):
            what = worded("no job says {names}", names=names[-1])
            raise PlannerError(source.path, "missing_column", what, _ASK)
    return found


def _attributes(source: Source) -> Iterator[tuple[int, Mapping[str, str]]]:
    """Every job as text by attribute in small letters; HTCondor takes them in any case."""
    if json_paths(source.head):
        for row, value in json_records(source, ""):
            if isinstance(value, dict):
                yield row, {name.casefold(): text_of(text) for name, text in value.items()}
            else:
                yield row, {RAW: text_of(value)}
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
                yield number, {RAW: text}
    if job:
        yield begun, job


_GPUS: Final = ("gpusprovisioned", "requestgpus")
_START: Final = ("jobstartdate", "jobcurrentstartdate")


def _texts(job: Mapping[str, str]) -> JobTexts:
    """One job. Its run is the last: from where it began to where it completed, was removed or was held."""
    if RAW in job:
        return {RAW: job[RAW]}
    status = job.get("jobstatus", "")
    state = _STATES.get(status, status)
    if state == "COMPLETED" and job.get("exitcode", "0") not in ("0", ""):
        state = "FAILED"
    start = _time(job, "jobcurrentstartdate") or _time(job, "jobstartdate")
    end = _time(job, "completiondate") or _time(job, "enteredcurrentstatus")
    is_over = state not in ("PENDING", "RUNNING")
    host = job.get("lastremotehost", "").rpartition("@")[2]
    job_id = ".".join(filter(None, (job.get("clusterid", ""), job.get("procid", ""))))
    return {
        "job_id": job_id,
        "name": job.get("jobbatchname") or job.get("cmd", "").rpartition("/")[2],
        "account": job.get("acctgroup") or job.get("accountinggroup", ""),
        "user": job.get("owner", ""),
        "gpu_model": job.get("gpus_devicename", ""),
        "gpus": next((job[name] for name in _GPUS if job.get(name, _UNDEFINED) not in ("", _UNDEFINED)), ""),
        "nodes": job.get("machinecount", ""),
        "start": start if state != "PENDING" else "",
        "end": end if is_over else "",
        "state": state,
        "hosts": host,
        "submit": _time(job, "qdate"),
        "time_limit": _known(job, "allowedexecuteduration") or _known(job, "allowedjobduration"),
        "priority": _known(job, "jobprio"),
    }


def _known(job: Mapping[str, str], name: str) -> str:
    """An attribute's text; HTCondor's `undefined` is the empty text."""
    text = job.get(name, "")
    return "" if text == _UNDEFINED else text


def _time(job: Mapping[str, str], name: str) -> str:
    """Seconds since 1970; 0 says that there is no such time."""
    text = job.get(name, "")
    return "" if text in ("0", "0.0", _UNDEFINED) else text


CONDOR: Final = Dialect("condor", worded("list of HTCondor's jobs"), sniff_condor, condor_rows)
