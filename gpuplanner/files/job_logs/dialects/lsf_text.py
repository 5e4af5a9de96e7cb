"""What LSF's commands print: blocks of `bacct -l` and `bjobs -l`, records of `bjobs -json`."""

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Final

from gpuplanner.files.job_logs.dialects.lsf_gpus import lsf_gpus
from gpuplanner.files.job_logs.judging.job_texts import RAW, JobTexts
from gpuplanner.files.sources.json_objects import text_of

BEGIN: Final = re.compile(r"^Job <(?P<id>[^>]*)>")
"""The first line of a job."""

_RULE: Final = re.compile(r"^-{20,}\s*$")
STATEMENT: Final = re.compile(
    r"^(?P<time>(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} +\d{1,2} \d\d:\d\d:\d\d(?: \d{4})?):? *(?P<said>.*)$"
)
"""A line that says what happened at a time."""

_TIME_FORMS: Final = ("%a %b %d %H:%M:%S %Y", "%b %d %H:%M:%S %Y", "%b %d %H:%M %Y")
_YEAR: Final = re.compile(r"\b(?:19|20)\d\d\b")
_PERIOD: Final = re.compile(r"\b(?:between|from|after|before|since|until)\b", re.I)
_YEARS_AT_MOST: Final = 4  # of more, with the one before, a date may twice be on one day of the week
_HOST: Final = re.compile(r"<(?:\d+\*)?([^<>]+)>")
_INDENT: Final = re.compile(r"^ {4,}")
_LINES_OF_A_JOB_AT_MOST: Final = 2000
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


def bacct_jobs(lines: Iterable[str], years: Sequence[int] = ()) -> Iterator[tuple[int, JobTexts]]:
    """Every block that begins with `Job <id>`, at the line of its beginning. Long lines are wrapped and indented.

    years: those that times without a year may be of.
    """
    block: list[str] = []
    begun = 0
    for number, line in enumerate(lines, 1):
        text = line.rstrip("\r\n")
        is_job = BEGIN.match(text) is not None
        if block and (is_job or _RULE.match(text) or text.startswith("SUMMARY")):
            yield begun, block_texts(block, years)
            block = []
        if is_job:
            block, begun = [text], number
        elif block and number - begun < _LINES_OF_A_JOB_AT_MOST:
            if _INDENT.match(text) and not text.lstrip().startswith(("CPU_T", "TOTAL")):
                block[-1] += text.lstrip()
            else:
                block.append(text)
    if block:
        yield begun, block_texts(block, years)


def block_texts(block: list[str], years: Sequence[int] = ()) -> JobTexts:
    """One job of `bacct -l` as texts. block: its lines, each with what was wrapped; years: as bacct_jobs."""
    head = block[0]
    submitted = start = end = said_at_end = placed = ""
    requests: list[str] = []
    for line in block:
        found = STATEMENT.match(line)
        if found is None:
            requests.append(line)
            continue
        said = found["said"]
        requests.insert(0, said)
        if re.match(r"\[?\d*\]?\s*(?:Dispatched|dispatched|Started|started)", said):
            start, placed = _iso(found["time"], years), said
        elif said.startswith("Submitted"):
            submitted = _iso(found["time"], years)
        elif re.match(r"(?:Completed|Exited|Done|Termination)", said) and not end:
            end, said_at_end = _iso(found["time"], years), said
    hosts = _hosts(placed)
    tasks = re.search(r"(\d+) Task\(s\)", placed)
    gpus = lsf_gpus(requests, len(hosts), int(tasks[1]) if tasks else 1)
    status = _bracketed(head, "Status")
    state = next((word for term, word in _TERMINATIONS.items() if term in said_at_end), "") or _STATES.get(
        status, status
    )
    project = _bracketed(head, "Project")
    return {
        "job_id": _bracketed(head, "Job"),
        "name": _bracketed(head, "Job Name"),
        "account": "" if project == "default" else project,
        "user": _bracketed(head, "User"),
        "queue": _bracketed(head, "Queue"),
        "gpu_model": gpus.gpu_model,
        "gpus": gpus.gpus,
        "nodes": str(len(hosts)) if hosts else "",
        "start": start,
        "end": end,
        "state": state if start or state in ("PENDING", "RUNNING") else "CANCELLED",
        "hosts": ",".join(hosts),
        "submit": submitted,
    }


def _bracketed(head: str, key: str) -> str:
    """What stands in angle brackets after a key, as in `User <ada>`; empty without it."""
    found = re.search(rf"(?:^|, ?){re.escape(key)} <([^>]*)>", head)
    return found[1].strip() if found else ""


def _hosts(placed: str) -> list[str]:
    """Names of hosts of a dispatch; slots are named again after `Allocated`."""
    first = re.split(r"Allocated|, Effective", placed, maxsplit=1)[0]
    return sorted(set(_HOST.findall(first)))


def named_years(head: str) -> tuple[int, ...]:
    """The years that a listing names above its first job, as in `completed between ... and ...`.

    Ascending; none where it names none, or too many for the day of the week to tell them apart.
    """
    above = itertools.takewhile(lambda line: not BEGIN.match(line), head.splitlines())
    named = {int(year) for line in above if _PERIOD.search(line) for year in _YEAR.findall(line)}
    return (
        tuple(range(min(named), max(named) + 1)) if named and max(named) - min(named) < _YEARS_AT_MOST else ()
    )


def with_year(text: str, years: Sequence[int]) -> str:
    """A time without a year with the one of these, or the one before them, in which its day is that day of the week;
    as it is where that is none or several.

    >>> with_year("Wed Dec 31 23:00:00", (2026,)), with_year("Fri Jan 2 23:00:00", (2026,))
    ('Wed Dec 31 23:00:00 2025', 'Fri Jan 2 23:00:00 2026')
    """
    fits = []
    for year in sorted({*years, *(year - 1 for year in years)}):
        with suppress(ValueError):
            if (
                datetime.strptime(f"{text} {year}", _TIME_FORMS[0]).replace(tzinfo=UTC).strftime("%a")
                == text[:3]
            ):
                fits.append(f"{text} {year}")
    return fits[0] if len(fits) == 1 else text


def _iso(text: str, years: Sequence[int] = ()) -> str:
    """LSF's `Wed Sep 20 16:17:25 2017` as ISO 8601 on its own clock; as it is where its year cannot be told."""
    words = with_year(" ".join(text.split()), years)
    for form in _TIME_FORMS:
        try:
            return datetime.strptime(words, form).replace(tzinfo=UTC).strftime("%Y-%m-%dT%H:%M:%S")
        except ValueError:
            continue
    return text


def bjobs_texts(value: object) -> JobTexts:
    """A record of `bjobs -json -o '...'` as the texts of a job.

    GPUs are those of EFFECTIVE_RESREQ, GPU_REQ or RES_REQ; hosts those of EXEC_HOST.
    """
    if not isinstance(value, dict):
        return {RAW: text_of(value)}

    def text_at(*keys: str) -> str:
        """The first of these fields that says something; LSF writes `-` for nothing."""
        texts = (text_of(value.get(key)).strip() for key in keys)
        return next((text for text in texts if text not in ("", "-")), "")

    hosts = sorted({host.rpartition("*")[2] for host in text_at("EXEC_HOST").split(":") if host})
    asked = lsf_gpus([text_at("EFFECTIVE_RESREQ"), text_at("GPU_REQ"), text_at("RES_REQ")], len(hosts), 1)
    state = text_at("STAT")
    project = text_at("PROJ_NAME", "PROJECT")
    index = text_at("JOBINDEX")
    return {
        "job_id": text_at("JOBID") + (f"[{index}]" if index not in ("", "0") else ""),
        "name": text_at("JOB_NAME", "NAME"),
        "account": "" if project == "default" else project,
        "user": text_at("USER"),
        "queue": text_at("QUEUE"),
        "gpu_model": asked.gpu_model,
        "gpus": text_at("GPU_NUM", "NGPUS") or asked.gpus,
        "nodes": str(len(hosts)) if hosts else text_at("NEXEC_HOST"),
        "start": _iso(text_at("START_TIME")),
        "end": _iso(re.sub(r"\s+[LXE]$", "", text_at("FINISH_TIME"))) if state in ("DONE", "EXIT") else "",
        "state": _STATES.get(state, state),
        "hosts": ",".join(hosts),
        "submit": _iso(text_at("SUBMIT_TIME")),
    }
