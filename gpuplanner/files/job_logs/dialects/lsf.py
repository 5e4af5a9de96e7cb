"""IBM Spectrum LSF: the accounting file lsb.acct, a record a line, and what bacct and bjobs print."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.log.intake import Issue
from gpuplanner.files.job_logs.dialects.lsf_gpus import lsf_gpus
from gpuplanner.files.job_logs.dialects.lsf_text import BEGIN, STATEMENT, bacct_jobs, bjobs_texts, named_years
from gpuplanner.files.job_logs.judging.dialect import Dialect, JobTable
from gpuplanner.files.job_logs.judging.job_texts import IGNORED, RAW, JobTexts, table_of_texts
from gpuplanner.files.sources.json_objects import json_records
from gpuplanner.files.sources.json_values import json_paths
from gpuplanner.files.sources.source import Source
from gpuplanner.files.system.engine import Engine

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


FIELDS: Final = (
    *("job_id", "name", "account", "user", "queue", "gpu_model", "gpus", "nodes", "start", "end", "state"),
    *("hosts", "submit", "eligible"),
)

_YEAR: Final = re.compile(r"\b(?:19|20)\d\d\b")
_WITH_YEARS = worded(
    "set LSB_DISPLAY_YEAR=Y and export again, say with --start and --end when they were, or give lsb.acct"
)


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


def rows(source: Source, engine: Engine, table: str) -> JobTable:
    """Every finished job. Errors: PlannerError missing_column where times have no year.

    Years come from the listing's own head, else from the window given by hand; that they were taken is an
    issue.
    """
    if json_paths(source.head):
        return table_of_texts(engine, source, table, FIELDS, _json_jobs(source))
    is_text = not any(RECORD.match(line) for line in source.head.splitlines())
    if is_text:
        stated = [found["time"] for line in source.head.splitlines() if (found := STATEMENT.match(line))]
        years: Sequence[int] = ()
        issues: tuple[Issue, ...] = ()
        if stated and not any(_YEAR.search(time) for time in stated):
            years = named_years(source.head) or engine.years
            if not years:
                what = worded("its times have no year, such as {stated}", stated=stated[0])
                raise PlannerError(source.path, "missing_column", what, _WITH_YEARS)
            issues = (_years_taken(years),)

        def with_issues(jobs: JobTable) -> JobTable:
            """The finished table with what was found out while its rows were read."""
            return replace(jobs, issues=issues)

        with source.text_lines() as lines:
            return table_of_texts(engine, source, table, FIELDS, bacct_jobs(lines, years), finish=with_issues)

    with source.text_lines() as lines:
        jobs = ((row, record_texts(line)) for row, line in enumerate(lines, 1) if line.strip())
        return table_of_texts(engine, source, table, FIELDS, jobs, clock="epoch_s")


def _years_taken(years: Sequence[int]) -> Issue:
    """The issue that years were taken from the day of the week, as LSF prints times without a year."""
    taken = f"{years[0]}" if len(years) == 1 else f"{years[0]} to {years[-1]}"
    what = f"its times have no year: those of {taken}, or of the year before, with the same day of the week were taken"
    return Issue(
        "undecided",
        1,
        None,
        worded("{what}; set LSB_DISPLAY_YEAR=Y and export again where they are others", what=what),
    )


def _json_jobs(source: Source) -> Iterator[tuple[int, JobTexts]]:
    """The records of `bjobs -json`, numbered from 1."""
    for row, value in json_records(source, "RECORDS"):
        yield row, bjobs_texts(value)


DIALECT: Final = Dialect("lsf", worded("LSF accounting log"), sniff, rows)
