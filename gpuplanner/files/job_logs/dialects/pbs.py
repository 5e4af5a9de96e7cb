"""PBS Pro and Torque accounting logs: one event a line, the jobs among them put together."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from decimal import Decimal
from typing import Final, NamedTuple

from gpuplanner.domain.message import worded
from gpuplanner.files.job_logs.dialects.other_accelerators import first_other
from gpuplanner.files.job_logs.judging import dialect
from gpuplanner.files.sources.source import Source
from gpuplanner.files.system.engine import Engine
from gpuplanner.files.values.durations import read_duration
from gpuplanner.files.values.numbers import read_decimal
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.lazy_re import lazy_re

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


class _OpenJob(NamedTuple):
    """A job that began, and the line of its beginning."""

    line: int
    event: PbsEvent


def pbs_jobs(lines: Iterator[str]) -> Iterator[tuple[int, dialect.JobTexts]]:
    """Every line as a job or as a line that is none; those that began stand at the line of their beginning.

    lines: of the file, in order. Jobs still open at its end come last.
    """
    open_jobs: dict[str, _OpenJob] = {}
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
                yield before.line, {dialect.IGNORED: "1"}
            open_jobs[event.job_id] = _OpenJob(line=number, event=event)
            continue
        begun = open_jobs.pop(event.job_id, None) if event.kind in ("E", "R", "A") else None
        has_end = begun is None or event.said.get("end") or event.said.get("resources_used.walltime")
        if event.kind == "E" or (event.kind in ("R", "A") and has_end and job_texts(event)["start"]):
            if begun is not None:
                yield begun.line, {dialect.IGNORED: "1"}
            yield number, ended_job(event)
            continue
        yield number, {dialect.IGNORED: "1"}
        if begun is not None:  # taken back or given up: it ran until this line was written
            end = _later(begun.event, max(0, event.clock_s - begun.event.clock_s))
            yield begun.line, {**job_texts(begun.event), "end": end, "state": _STATES_OF_EVENTS[event.kind]}
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
