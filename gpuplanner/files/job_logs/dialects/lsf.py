"""IBM Spectrum LSF: the accounting file lsb.acct, and what bacct and bjobs print."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.log.intake import Issue
from gpuplanner.domain.model.worded import worded
from gpuplanner.files.job_logs.dialects.lsf_acct import RECORD, record_texts
from gpuplanner.files.job_logs.dialects.lsf_text import BEGIN, STATEMENT, bacct_jobs, bjobs_texts, named_years
from gpuplanner.files.job_logs.judging.dialect import Dialect
from gpuplanner.files.job_logs.judging.job_table import JobTable
from gpuplanner.files.job_logs.judging.job_texts import JobTexts, table_of_texts
from gpuplanner.files.sources.json_objects import json_records
from gpuplanner.files.sources.json_values import json_paths
from gpuplanner.files.sources.source import Source
from gpuplanner.files.system.engine import Engine

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
