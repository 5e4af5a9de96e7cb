"""IBM Spectrum LSF: lsb.acct, what bacct and bjobs print, and the GPUs of a job."""

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import Issue
from gpuplanner.files.job_logs.judging import dialect
from gpuplanner.files.sources.json_values import json_paths, json_records, text_of
from gpuplanner.files.sources.source import Source
from gpuplanner.files.system.engine import Engine
from gpuplanner.files.system.resources import plain_table
from gpuplanner.files.values.gpu_names import name_begun_with
from gpuplanner.files.values.written_dates import iso_of
from gpuplanner.lazy_dataclass import dataclass, replace
from gpuplanner.lazy_re import lazy_re

# --- GPUs of an LSF job: what `-gpu`, resource requirements and allocations say, each in its own words

_REQUEST: Final = lazy_re(r"(?i)(?:^|[:<\"\s])num=(?P<count>\d{1,6})(?P<per>/task|/host)?(?=[:>\"\s;]|$)")
_USAGE: Final = lazy_re(
    r"(?i)\bngpus(?:_physical|_excl_p|_excl_t|_shared)?=(?P<count>\d{1,6}(?:\.\d{1,3})?)(?P<per>/task|/host|/job)?"
)
_MODEL: Final = lazy_re(r"(?i)\bgmodel=(?P<model>[^:,\s\]>\"]+)")
_MIG: Final = lazy_re(r"(?i)\bmig=(?P<sevenths>\d)(?:/\d)?")


@dataclass(frozen=True, slots=True)
class LsfGpus:
    """gpus over all hosts and tasks, as text; empty without any."""

    gpus: str = ""
    gpu_model: str = ""


def lsf_gpus(requests: Iterable[str], hosts: int, tasks: int) -> LsfGpus:
    """What the first of several texts that speaks of GPUs says: effective requirements before what was asked for.

    A count is of each host the job ran on, unless it says `/task` or `/job`.

    >>> lsf_gpus(["rusage[ngpus_physical=2.00:gmem=4]"], hosts=2, tasks=8)
    LsfGpus(gpus='4', gpu_model='')
    >>> lsf_gpus(["num=1/task:mode=shared:gmodel=TeslaV100_SXM2_32GB"], hosts=1, tasks=3)
    LsfGpus(gpus='3', gpu_model='V100 SXM 32GB')
    """
    count, model = "", ""
    for text in requests:
        if not model and (named := _MODEL.search(text)):
            model = _short_model(named["model"])
        if count:
            continue
        found = _USAGE.search(text) or _REQUEST.search(text)
        if found is not None:
            places = {"/task": max(1, tasks), "/job": 1}.get((found["per"] or "").lower(), max(1, hosts))
            gpus = float(found["count"]) * places
            if part := _MIG.search(text):
                gpus *= int(part["sevenths"]) / 7
            count = f"{gpus:.9f}".rstrip("0").rstrip(".")
    return LsfGpus("" if count == "0" else count, model if count else "")


def _short_model(name: str) -> str:
    """LSF writes `TeslaV100_SXM2_32GB`, `NVIDIAA100_SXM4_40GB`, and more behind a dash."""
    return (
        name_begun_with(name)
        or re.sub(r"^(?:NVIDIA|Tesla|GeForce|AMD)+", "", name.split("-", maxsplit=1)[0])
        or name
    )


# --- What LSF's commands print: blocks of `bacct -l` and `bjobs -l`, records of `bjobs -json` ----

BEGIN: Final = lazy_re(r"^Job <(?P<id>[^>]*)>")
"""The first line of a job."""

_RULE: Final = lazy_re(r"^-{20,}\s*$")
STATEMENT: Final = lazy_re(
    r"^(?P<time>(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} +\d{1,2} \d\d:\d\d:\d\d(?: \d{4})?):? *(?P<said>.*)$"
)
"""A line that says what happened at a time."""

_TIME_FORMS: Final = ("%a %b %d %H:%M:%S %Y", "%b %d %H:%M:%S %Y", "%b %d %H:%M %Y")
_YEAR: Final = lazy_re(r"\b(?:19|20)\d\d\b")
_PERIOD: Final = lazy_re(r"(?i)\b(?:between|from|after|before|since|until)\b")
_YEARS_AT_MOST: Final = 4  # of more, with the one before, a date may twice be on one day of the week
_HOST: Final = lazy_re(r"<(?:\d+\*)?([^<>]+)>")
_INDENT: Final = lazy_re(r"^ {4,}")
_LINES_OF_A_JOB_AT_MOST: Final = 2000
_STATES: Final = plain_table("lsf_state")
_TERMINATIONS: Final = {
    **dict.fromkeys(("TERM_RUNLIMIT", "TERM_DEADLINE"), "TIMEOUT"),
    "TERM_MEMLIMIT": "OUT_OF_MEMORY",
    **dict.fromkeys(("TERM_OWNER", "TERM_FORCE_OWNER", "TERM_ADMIN", "TERM_FORCE_ADMIN"), "CANCELLED"),
    "TERM_PREEMPT": "PREEMPTED",
    "TERM_REQUEUE": "REQUEUED",
    "TERM_EXTERNAL_SIGNAL": "CANCELLED",
}


def bacct_jobs(lines: Iterable[str], years: Sequence[int] = ()) -> Iterator[tuple[int, dialect.JobTexts]]:
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


def block_texts(block: list[str], years: Sequence[int] = ()) -> dialect.JobTexts:
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
    return iso_of(with_year(" ".join(text.split()), years), _TIME_FORMS) or text


def bjobs_texts(value: object) -> dialect.JobTexts:
    """A record of `bjobs -json -o '...'` as the texts of a job.

    GPUs are those of EFFECTIVE_RESREQ, GPU_REQ or RES_REQ, unknown in a listing without any of these; hosts EXEC_HOST.
    """
    if not isinstance(value, dict):
        return {dialect.RAW: text_of(value)}

    def text_at(*keys: str) -> str:
        """The first of these fields that says something; LSF writes `-` for nothing."""
        texts = (text_of(value.get(key)).strip() for key in keys)
        return next((text for text in texts if text not in ("", "-")), "")

    hosts = sorted({host.rpartition("*")[2] for host in text_at("EXEC_HOST").split(":") if host})
    places = ("GPU_NUM", "NGPUS", "EFFECTIVE_RESREQ", "GPU_REQ", "RES_REQ")
    asked = lsf_gpus(map(text_at, places[2:]), len(hosts), 1)
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
        "gpus": text_at(*places[:2]) or asked.gpus or ("" if value.keys() & {*places} else "gpus=N/A"),
        "nodes": str(len(hosts)) if hosts else text_at("NEXEC_HOST"),
        "start": _iso(text_at("START_TIME")),
        "end": _iso(re.sub(r"\s+[LXE]$", "", text_at("FINISH_TIME"))) if state in ("DONE", "EXIT") else "",
        "state": _STATES.get(state, state),
        "hosts": ",".join(hosts),
        "submit": _iso(text_at("SUBMIT_TIME")),
        "elapsed": re.sub(r"\D*second.*", "", text_at("RUN_TIME")),
    }


# --- IBM Spectrum LSF: the accounting file lsb.acct, a record a line, and what bacct and bjobs print

RECORD: Final = lazy_re(r'^\s*"(?P<event>[A-Z][A-Z0-9_]+)"\s+"(?P<version>\d+\.[\d.]+)"\s+\d+')
"""How a line of LSF's own logs begins: its event, the version of its form, and when it was written."""

_TOKEN: Final = lazy_re(r'"((?:[^"]|"")*)"|(\S+)')
_STATUS_DONE: Final = 64
_KILLED: Final = ("33280", "36608")
"""Exit statuses of a job that was sent an interrupt or a request to end."""


def record_texts(line: str) -> dialect.JobTexts:
    """A line of lsb.acct as the texts of a job; other events and notes are no jobs.

    A JOB_FINISH record whose fields do not come out keeps its line, to be rejected with its text.
    """
    found = RECORD.match(line)
    if found is None:
        return {dialect.RAW: line.strip(), dialect.IGNORED: "1" if line.startswith("#") else ""}
    if found["event"] != "JOB_FINISH":
        return {dialect.RAW: line.strip(), dialect.IGNORED: "1"}
    fields = [
        quoted.replace('""', '"') if quoted or not plain else plain for quoted, plain in _TOKEN.findall(line)
    ]
    try:
        return _finished(fields)
    except (IndexError, ValueError):
        return {dialect.RAW: line.strip()}


def _finished(fields: list[str]) -> dialect.JobTexts:
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
    if status & _STATUS_DONE:
        state = "COMPLETED"
    elif is_begun:
        state = "FAILED"
    else:
        state = "CANCELLED"
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


FIELDS: Final = (
    *("job_id", "name", "account", "user", "queue", "gpu_model", "gpus", "nodes", "start", "end", "state"),
    *("hosts", "submit", "eligible", "elapsed"),
)

_WITH_YEARS = worded("export with LSB_DISPLAY_YEAR=Y, specify --start and --end, or use lsb.acct")


def sniff(head: str) -> float:
    """How sure it is that a text is one of LSF's, 0..1.

    0.98 with a JOB_FINISH record, 0.95 for the RECORDS of `bjobs -json`, 0.9 for blocks of text, 0.6 for
    other records.
    """
    if paths := json_paths(head):
        return 0.95 if paths.get("COMMAND") == "bjobs" and "RECORDS" in paths else 0.0
    lines = [line for line in head.splitlines() if line.strip() and not line.startswith("#")][:200]
    if any((found := RECORD.match(line)) and found["event"] == "JOB_FINISH" for line in lines):
        return 0.98
    if lines and all(RECORD.match(line) for line in lines):
        return 0.6
    has_job = any(BEGIN.match(line) for line in lines)
    return 0.9 if has_job and any(STATEMENT.match(line) for line in lines) else 0.0


def rows(source: Source, engine: Engine, table: str) -> dialect.JobTable:
    """Every finished job. Errors: PlannerError missing_column where times have no year.

    Years come from the listing's own head, else from the window given by hand; that they were taken is an
    issue.
    """
    if json_paths(source.head):
        return dialect.table_of_texts(engine, source, table, FIELDS, _json_jobs(source))
    if not any(RECORD.match(line) for line in source.head.splitlines()):
        stated = [found["time"] for line in source.head.splitlines() if (found := STATEMENT.match(line))]
        years: Sequence[int] = ()
        issues: tuple[Issue, ...] = ()
        if stated and not any(_YEAR.search(time) for time in stated):
            years = named_years(source.head) or engine.years
            if not years:
                fault = worded("times have no year, such as {stated}", stated=stated[0])
                raise PlannerError(source.path, "missing_column", fault, _WITH_YEARS)
            issues = (_years_taken(years),)

        def with_issues(jobs: dialect.JobTable) -> dialect.JobTable:
            """The finished table with what was found out while its rows were read."""
            return replace(jobs, issues=issues)

        with source.text_lines() as lines:
            return dialect.table_of_texts(
                engine, source, table, FIELDS, bacct_jobs(lines, years), finish=with_issues
            )

    with source.text_lines() as lines:
        jobs = ((row, record_texts(line)) for row, line in enumerate(lines, 1) if line.strip())
        return dialect.table_of_texts(engine, source, table, FIELDS, jobs, clock="epoch_s")


def _years_taken(years: Sequence[int]) -> Issue:
    """The issue that years were taken from the day of the week, as LSF prints times without a year."""
    taken = f"{years[0]}" if len(years) == 1 else f"{years[0]} to {years[-1]}"
    what = f"its times have no year: those of {taken}, or of the year before, with the same day of the week were taken"
    return Issue("undecided", 1, None, worded("{what}; if wrong, export with LSB_DISPLAY_YEAR=Y", what=what))


def _json_jobs(source: Source) -> Iterator[tuple[int, dialect.JobTexts]]:
    """The records of `bjobs -json`, numbered from 1."""
    for row, value in json_records(source, "RECORDS"):
        yield row, bjobs_texts(value)


DIALECT: Final = dialect.Dialect(format="lsf", title=worded("LSF accounting log"), sniff=sniff, rows=rows)
