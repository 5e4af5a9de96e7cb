"""HTCondor's jobs as `condor_history` lists them with -json or -long: the last run of each, and the runs before."""

from collections.abc import Iterator, Mapping
from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.job_logs.dialects.other_accelerators import first_other
from gpuplanner.files.job_logs.judging import dialect
from gpuplanner.files.sources.json_values import json_paths, json_records, text_of
from gpuplanner.files.sources.source import Source, holds
from gpuplanner.files.system.engine import Engine
from gpuplanner.files.system.resources import plain_table
from gpuplanner.files.values.numbers import read_decimal
from gpuplanner.lazy_re import lazy_re

CONDOR_FIELDS: Final = (
    *("job_id", "name", "account", "user", "gpu_model", "gpus", "nodes", "start", "end", "state"),
    *("hosts", "submit", "time_limit", "priority"),
)

_ATTRIBUTE_LINE: Final = lazy_re(r"^(?P<name>[A-Za-z_]\w*) = (?P<value>.*)$")
_ASK: Final = worded(
    "export again with {command}",
    command="condor_history -json -attributes ClusterId,ProcId,Owner,JobStatus,RequestGPUs,JobStartDate,"
    "JobCurrentStartDate,CompletionDate,EnteredCurrentStatus,RemoteWallClockTime,LastRemoteWallClockTime,Cmd",
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
    """Every run of every job: the last, and those before it as one.

    Errors: PlannerError missing_column where no job tells its GPUs or its start.

    Times are epoch seconds. Attributes are HTCondor's own names.
    """
    told: set[str] = set()
    is_json = bool(json_paths(source.head))
    moved = _moved_jobs(source)

    def jobs() -> Iterator[tuple[int, dialect.JobTexts]]:
        """Each run with its number; all attributes seen are noted to name the lacking ones at the end.

        Of JSON the runs are numbered; of text each has a line of its job.
        """
        more = 0
        for row, value in _attributes(source):
            told.update(value)
            texts = _texts(value)
            if texts.get("job_id") in moved:
                texts = {dialect.IGNORED: "1"}
            elif copy := _known(value, "routedtojobid"):  # whose own row may be in another file
                texts = {**texts, "job_id": copy}
            for place, run in enumerate(_runs(texts, value)):
                yield row + more + place, run
            more += place if is_json else 0

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


def _runs(texts: dialect.JobTexts, job: Mapping[str, str]) -> Iterator[dialect.JobTexts]:
    """The runs of a job, whose lengths add up to its RemoteWallClockTime: those before the last as one, then the last.

    A job was put back into the queue between two runs, or was held after the last: then it had no GPUs. Where nothing
    tells how long the last ran, it is the shorter of all that the job ran and the time since it began.
    """
    start, end = (_number(texts.get(key, "")) for key in ("start", "end"))
    total = _number(_known(job, "remotewallclocktime"))
    is_over = bool(texts.get("end")) and end is not None
    if (
        not total
        or start is None
        or dialect.IGNORED in texts
        or not (is_over or texts.get("state") == "RUNNING")
    ):
        yield texts
        return
    last = None
    if is_over:
        of_last = _number(_known(job, "lastremotewallclocktime"))
        last = min(of_last or end - start, total, max(end - start, 0)) if end is not None else None
    before = total - (last or 0)
    first = _number(_time(job, "jobstartdate"))
    if before >= _SHORTEST_RUN_S and first is not None and first < start:
        began = min(first, start - before)
        yield {**texts, "start": f"{began:.0f}", "end": f"{began + before:.0f}", "state": "PREEMPTED"}
    yield texts if last is None else {**texts, "end": f"{start + last:.0f}"}


_SHORTEST_RUN_S: Final = 1


def _number(text: str) -> float | None:
    """A text as seconds; None where it is no number that a time can be."""
    number = read_decimal(text)
    return None if number is None or not 0 <= number < _SECONDS_AT_MOST else float(number)


_SECONDS_AT_MOST: Final = 10**11


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
