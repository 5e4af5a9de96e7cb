"""HTCondor's jobs as `condor_history` lists them with -json or -long, whole or some of their attributes."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.job_logs.judging.dialect import Dialect, JobTable
from gpuplanner.files.job_logs.judging.job_texts import RAW, JobTexts, table_of_texts
from gpuplanner.files.sources.json_objects import json_records, text_of
from gpuplanner.files.sources.json_values import json_paths
from gpuplanner.files.sources.source import Source
from gpuplanner.files.system.engine import Engine

FIELDS: Final = (
    *("job_id", "name", "account", "user", "gpu_model", "gpus", "nodes", "start", "end", "state"),
    *("hosts", "submit", "time_limit", "priority"),
)

_LINE: Final = re.compile(r"^(?P<name>[A-Za-z_]\w*) = (?P<value>.*)$")
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


def sniff(head: str) -> float:
    """How sure it is that a text is one of these, 0..1.

    Its attributes are ClusterId, ProcId and JobStatus, whatever the case of their letters.
    """
    paths = {path.casefold() for path in json_paths(head)}
    for prefix in ("item.", ""):
        if {f"{prefix}clusterid", f"{prefix}procid"} <= paths and f"{prefix}jobstatus" in paths:
            return _SURELY
    names = {found["name"].casefold() for line in head.splitlines() if (found := _LINE.match(line))}
    return _SURELY if names >= {"clusterid", "procid", "jobstatus"} else 0.0


def rows(source: Source, engine: Engine, table: str) -> JobTable:
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

    found = table_of_texts(engine, source, table, FIELDS, jobs(), clock="epoch_s")
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
            if found := _LINE.match(text):
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


DIALECT: Final = Dialect("condor", worded("list of HTCondor's jobs"), sniff, rows)
