"""IBM Spectrum LSF: the accounting file lsb.acct, the text of `bacct -l`, and `bjobs -json`."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.engine import Engine
from gpuplanner.files.job_logs.job_table import JobTable
from gpuplanner.files.job_logs.job_texts import IGNORED, RAW, JobTexts, table_of_texts
from gpuplanner.files.job_logs.json_objects import json_paths, json_records, text_of
from gpuplanner.files.job_logs.lsf_gpus import lsf_gpus
from gpuplanner.files.source import Source

FORMAT: Final = "lsf"

FIELDS: Final = (
    *("job_id", "name", "account", "user", "queue", "gpu_model", "gpus", "nodes", "start", "end", "state"),
    *("hosts",),
)

_RECORD: Final = re.compile(r'^\s*"(?P<event>[A-Z][A-Z0-9_]+)"\s+"(?P<version>\d+\.[\d.]+)"\s+\d+')
_TOKEN: Final = re.compile(r'"((?:[^"]|"")*)"|(\S+)')
_JOB: Final = re.compile(r"^Job <(?P<id>[^>]*)>")
_RULE: Final = re.compile(r"^-{20,}\s*$")
_STATEMENT: Final = re.compile(
    r"^(?P<time>(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} +\d{1,2} \d\d:\d\d:\d\d(?: \d{4})?):? *(?P<said>.*)$"
)
_TIME_FORMS: Final = ("%a %b %d %H:%M:%S %Y", "%b %d %H:%M:%S %Y", "%b %d %H:%M %Y")
_YEAR: Final = re.compile(r"\b(?:19|20)\d\d\b")
_HOST: Final = re.compile(r"<(?:\d+\*)?([^<>]+)>")
_INDENT: Final = re.compile(r"^ {4,}")
_LINES_OF_A_JOB_AT_MOST: Final = 2000
_STATUS_DONE: Final = 64
_STATES: Final = {
    "DONE": "COMPLETED",
    "EXIT": "FAILED",
    "RUN": "RUNNING",
    "PEND": "PENDING",
    "WAIT": "PENDING",
    "PSUSP": "PENDING",
    "SSUSP": "RUNNING",
    "USUSP": "RUNNING",
}
_TERMINATIONS: Final = {
    "TERM_RUNLIMIT": "TIMEOUT",
    "TERM_DEADLINE": "TIMEOUT",
    "TERM_MEMLIMIT": "OUT_OF_MEMORY",
    "TERM_OWNER": "CANCELLED",
    "TERM_FORCE_OWNER": "CANCELLED",
    "TERM_ADMIN": "CANCELLED",
    "TERM_FORCE_ADMIN": "CANCELLED",
    "TERM_PREEMPT": "PREEMPTED",
    "TERM_REQUEUE": "REQUEUED",
    "TERM_EXTERNAL_SIGNAL": "CANCELLED",
}
_WITH_YEARS = "set LSB_DISPLAY_YEAR=Y and export again, or give lsb.acct itself"


def sniff(head: str) -> float:
    """How sure it is that a text is one of LSF's, 0..1."""
    if paths := json_paths(head):
        return 0.95 if paths.get("COMMAND") == "bjobs" and "RECORDS" in paths else 0.0
    lines = [line for line in head.splitlines() if line.strip() and not line.startswith("#")][:200]
    if any((found := _RECORD.match(line)) and found["event"] == "JOB_FINISH" for line in lines):
        return 0.98
    if lines and all(_RECORD.match(line) for line in lines):
        return 0.6
    has_job = any(_JOB.match(line) for line in lines)
    return 0.9 if has_job and any(_STATEMENT.match(line) for line in lines) else 0.0


def rows(source: Source, engine: Engine, table: str) -> JobTable:
    """Every finished job. Errors: PlannerError missing_column where times have no year, or GPUs are left out."""
    if json_paths(source.head):
        return table_of_texts(engine, source, table, FIELDS, _json_jobs(source))
    is_text = not any(_RECORD.match(line) for line in source.head.splitlines())
    if is_text:
        stated = [found["time"] for line in source.head.splitlines() if (found := _STATEMENT.match(line))]
        if stated and not any(_YEAR.search(time) for time in stated):
            what = f"its times have no year, such as {stated[0]}"
            raise PlannerError(source.path, "missing_column", what, _WITH_YEARS)
        with source.text_lines() as lines:
            return table_of_texts(engine, source, table, FIELDS, bacct_jobs(lines))

    def finish(jobs: JobTable) -> JobTable:
        return replace(jobs, start_unit="epoch_s", end_unit="epoch_s")

    with source.text_lines() as lines:
        jobs = ((row, record_texts(line)) for row, line in enumerate(lines, 1) if line.strip())
        return table_of_texts(engine, source, table, FIELDS, jobs, finish)


# --- lsb.acct: a record a line, fields by position ----------------------------------------------


def record_texts(line: str) -> JobTexts:
    """A line of lsb.acct as the texts of a job; other events and notes are no jobs."""
    found = _RECORD.match(line)
    if found is None:
        return {RAW: line.strip(), IGNORED: "1" if line.startswith("#") else ""}
    if found["event"] != "JOB_FINISH":
        return {RAW: line.strip(), IGNORED: "1"}
    fields = [
        quoted.replace('""', '"') if quoted or not plain else plain for quoted, plain in _TOKEN.findall(line)
    ]
    try:
        return _finished(fields)
    except (IndexError, ValueError):
        return {RAW: line.strip()}


def _finished(fields: list[str]) -> JobTexts:
    """Errors: IndexError, ValueError where the record is cut off or not of the form that is documented.

    Hosts that were asked for and hosts that were given are lists within the record: each after its length.
    """
    end, job_id, tasks = fields[2], fields[3], int(fields[6])
    start, user, queue, asked = fields[10], fields[11], fields[12], fields[13]
    at = 23 + _length(fields[22])
    hosts = fields[at + 1 : at + 1 + _length(fields[at])]
    at += 1 + len(hosts)
    status, name = int(fields[at]), fields[at + 2]
    project, exit_status = fields[at + 24], fields[at + 25]
    index = fields[at + 29]
    names = sorted({host.rpartition("*")[2] for host in hosts})
    later = [text for text in fields[at + 30 :] if "ngpus" in text or "num=" in text or "gmodel=" in text]
    gpus = lsf_gpus([*later, asked], len(names), tasks)
    is_begun = start not in ("", "0")
    state = "COMPLETED" if status & _STATUS_DONE else "FAILED" if is_begun else "CANCELLED"
    return {
        "job_id": f"{job_id}[{index}]" if index not in ("", "0") else job_id,
        "name": name,
        "account": "" if project == "default" else project,
        "user": user,
        "queue": queue,
        "gpu_model": gpus.gpu_model,
        "gpus": gpus.gpus,
        "nodes": str(len(names)) if names else "",
        "start": start if is_begun else "",
        "end": end,
        "state": "CANCELLED" if state == "FAILED" and exit_status in ("33280", "36608") else state,
        "hosts": ",".join(names),
    }


def _length(text: str) -> int:
    count = int(text)
    if not 0 <= count <= 100_000:
        raise ValueError(text)
    return count


# --- bacct -l: a block a job, statements with their time -----------------------------------------


def bacct_jobs(lines: Iterable[str]) -> Iterator[tuple[int, JobTexts]]:
    """Every block that begins with `Job <id>`, at the line of its beginning. Long lines are wrapped and indented."""
    block: list[str] = []
    begun = 0
    for number, line in enumerate(lines, 1):
        text = line.rstrip("\r\n")
        is_job = _JOB.match(text) is not None
        if block and (is_job or _RULE.match(text) or text.startswith("SUMMARY")):
            yield begun, block_texts(block)
            block = []
        if is_job:
            block, begun = [text], number
        elif block and len(block) < _LINES_OF_A_JOB_AT_MOST:
            if _INDENT.match(text) and not text.lstrip().startswith(("CPU_T", "TOTAL")):
                block[-1] += text.lstrip()
            else:
                block.append(text)
    if block:
        yield begun, block_texts(block)


def block_texts(block: list[str]) -> JobTexts:
    """One job of `bacct -l` as texts. block: its lines, each with what was wrapped."""
    head = block[0]
    start = end = said_at_end = placed = ""
    requests: list[str] = []
    for line in block:
        found = _STATEMENT.match(line)
        if found is None:
            requests.append(line)
            continue
        said = found["said"]
        requests.insert(0, said)
        if re.match(r"\[?\d*\]?\s*(?:Dispatched|dispatched|Started|started)", said):
            start, placed = _iso(found["time"]), said
        elif re.match(r"(?:Completed|Exited|Done|Termination)", said) and not end:
            end, said_at_end = _iso(found["time"]), said
    hosts = _hosts(placed)
    tasks = re.search(r"(\d+) Task\(s\)", placed)
    gpus = lsf_gpus(requests, len(hosts), int(tasks[1]) if tasks else 1)
    status = _said(head, "Status")
    state = next((word for term, word in _TERMINATIONS.items() if term in said_at_end), "") or _STATES.get(
        status, status
    )
    project = _said(head, "Project")
    return {
        "job_id": _said(head, "Job"),
        "name": _said(head, "Job Name"),
        "account": "" if project == "default" else project,
        "user": _said(head, "User"),
        "queue": _said(head, "Queue"),
        "gpu_model": gpus.gpu_model,
        "gpus": gpus.gpus,
        "nodes": str(len(hosts)) if hosts else "",
        "start": start,
        "end": end,
        "state": state if start or state in ("PENDING", "RUNNING") else "CANCELLED",
        "hosts": ",".join(hosts),
    }


def _said(head: str, key: str) -> str:
    found = re.search(rf"(?:^|, ?){re.escape(key)} <([^>]*)>", head)
    return found[1].strip() if found else ""


def _hosts(placed: str) -> list[str]:
    """Names of hosts of a dispatch; slots are named again after `Allocated`."""
    first = re.split(r"Allocated|, Effective", placed, maxsplit=1)[0]
    return sorted(set(_HOST.findall(first)))


def _iso(text: str) -> str:
    """LSF's `Wed Sep 20 16:17:25 2017` as ISO 8601 on its own clock; as it is where it has no year."""
    words = " ".join(text.split())
    for form in _TIME_FORMS:
        try:
            return datetime.strptime(words, form).replace(tzinfo=UTC).strftime("%Y-%m-%dT%H:%M:%S")
        except ValueError:
            continue
    return text


# --- bjobs -json --------------------------------------------------------------------------------


def _json_jobs(source: Source) -> Iterator[tuple[int, JobTexts]]:
    for row, value in json_records(source, "RECORDS"):
        yield row, bjobs_texts(value)


def bjobs_texts(value: object) -> JobTexts:
    """A record of `bjobs -json -o '...'` as the texts of a job."""
    if not isinstance(value, dict):
        return {RAW: text_of(value)}

    def said(*keys: str) -> str:
        texts = (text_of(value.get(key)).strip() for key in keys)
        return next((text for text in texts if text not in ("", "-")), "")

    hosts = sorted({host.rpartition("*")[2] for host in said("EXEC_HOST").split(":") if host})
    asked = lsf_gpus([said("EFFECTIVE_RESREQ"), said("GPU_REQ"), said("RES_REQ")], len(hosts), 1)
    state = said("STAT")
    project = said("PROJ_NAME", "PROJECT")
    index = said("JOBINDEX")
    return {
        "job_id": said("JOBID") + (f"[{index}]" if index not in ("", "0") else ""),
        "name": said("JOB_NAME", "NAME"),
        "account": "" if project == "default" else project,
        "user": said("USER"),
        "queue": said("QUEUE"),
        "gpu_model": asked.gpu_model,
        "gpus": said("GPU_NUM", "NGPUS") or asked.gpus,
        "nodes": str(len(hosts)) if hosts else said("NEXEC_HOST"),
        "start": _iso(said("START_TIME")),
        "end": _iso(re.sub(r"\s+[LXE]$", "", said("FINISH_TIME"))) if state in ("DONE", "EXIT") else "",
        "state": _STATES.get(state, state),
        "hosts": ",".join(hosts),
    }
