"""LSF's accounting file lsb.acct: a record a line, its fields by their position."""

import re
from typing import Final

from gpuplanner.files.job_logs.dialects.lsf_gpus import lsf_gpus
from gpuplanner.files.job_logs.judging.job_texts import IGNORED, RAW, JobTexts

RECORD: Final = re.compile(r'^\s*"(?P<event>[A-Z][A-Z0-9_]+)"\s+"(?P<version>\d+\.[\d.]+)"\s+\d+')
"""How a line of LSF's own logs begins: its event, the version of its form, and when it was written."""

_TOKEN: Final = re.compile(r'"((?:[^"]|"")*)"|(\S+)')
_STATUS_DONE: Final = 64
_KILLED: Final = ("33280", "36608")
"""Exit statuses of a job that was sent an interrupt or a request to end."""


def record_texts(line: str) -> JobTexts:
    """A line of lsb.acct as the texts of a job; other events and notes are no jobs.

    A JOB_FINISH record whose fields do not come out keeps its line, to be rejected with its text.
    """
    found = RECORD.match(line)
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
        "state": "CANCELLED" if state == "FAILED" and exit_status in _KILLED else state,
        "hosts": ",".join(names),
        "submit": fields[7],
        "eligible": "" if fields[8] == "0" else fields[8],
    }


def _length(text: str) -> int:
    """How many values of a list follow.

    ValueError where it is no sane count, so that the record is not taken for one.
    """
    count = int(text)
    if not 0 <= count <= 100_000:
        raise ValueError(text)
    return count
