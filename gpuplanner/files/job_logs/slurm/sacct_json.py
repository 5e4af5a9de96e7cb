"""Slurm's `sacct --json` of any version, and the jobs of squeue's and scontrol's: jobs one at a time, however many."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import Message, joined, worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.log.intake import Issue
from gpuplanner.files.job_logs.judging.dialect import Dialect, JobTable
from gpuplanner.files.job_logs.slurm.slurm_fields import RECORD_COLUMNS, slurm_table
from gpuplanner.files.job_logs.slurm.slurm_json import record
from gpuplanner.files.sources.json_values import begins_json, json_paths, outer_path, whole_values
from gpuplanner.files.sources.raw_table import load_records
from gpuplanner.files.sources.source import TEXT, Source
from gpuplanner.files.system.engine import Engine

_MARKS: Final = (
    "job_id",
    "tres",
    "association",
    "derived_exit_code",
    "allocation_nodes",
    "job_state",
    "tres_alloc_str",
    "tres_per_job",
    "tres_per_node",
    "gres_detail",
    "job_resources",
    "het_job_id",
    "state_reason",
    "submit_line",
    "partition",
    "data_parser",
    "accounting_storage",
)
_MARKS_AT_LEAST: Final = 3
_OF_SLURM: Final = re.compile(r'"[Ss]lurm"\s*:|data_parser/|openapi/(db)?v0|accounting_storage/')
_RESOURCES: Final = re.compile(r'"tres"\s*:\s*\{|"tres_(?:alloc|req)_str"\s*:')
_JOBS: Final = re.compile(r'"jobs"\s*:\s*\[')

_JOBS_PATH: Final = re.compile(r"(?:[^.]+\.){0,2}jobs\.item")


def sniff(head: str) -> float:
    """How sure it is that a text begins jobs of Slurm in JSON, 0..1."""
    if not begins_json(head):
        return 0.0
    marks = sum(f'"{mark}"' in head for mark in _MARKS)
    if '"job_id"' in head and marks >= _MARKS_AT_LEAST and '"slurm_jobs"' not in head:
        return 0.95
    if '"job_id"' in head and _JOBS.search(head) and _RESOURCES.search(head):
        return 0.9
    return 0.9 if _OF_SLURM.search(head) and _JOBS.search(head) else 0.0


def rows(source: Source, engine: Engine, table: str) -> JobTable:
    """The jobs of a document; the steps inside them are no rows. Rows are numbered as the jobs are.

    Of JSON that is cut off, the jobs before that are kept. Errors: PlannerError truncated_file where there are none.
    """
    if source.kind != TEXT or not begins_json(source.head):
        raise PlannerError(
            source.path, "not_a_job_log", worded("it is no JSON"), worded("export it with sacct --json")
        )
    faults: list[Message] = []
    count = 0

    def records() -> Iterator[tuple[int, tuple[str, ...]]]:
        """Each job as the texts of a record, numbered from 1; a break in the JSON is kept as a fault."""
        nonlocal count
        for job in whole_values(source, _path(source.head), faults.append):
            count += 1
            yield count, record(job)

    raw = load_records(engine, source, table, RECORD_COLUMNS, records(), delimiter="|")
    found = slurm_table(engine, raw, time_unit="epoch_s")
    if not faults:
        return found
    return _with_fault(source, found, faults[0], count)


def _with_fault(source: Source, found: JobTable, fault: Message, count: int) -> JobTable:
    """The table with the issue that the file is cut off.

    Errors: PlannerError `truncated_file` if not one job could be read.
    """
    remedy = worded("export or copy it again")
    if count == 0:
        raise PlannerError(source.path, "truncated_file", fault, remedy)
    what = worded(
        "{fault} after job {count}; the jobs before that were read", fault=fault, count=whole(count)
    )
    issue = Issue("truncated_file", 1, count, joined((what, remedy), "; "))
    return replace(found, issues=(issue,))


def _path(head: str) -> str:
    """Where the jobs are: in a list `jobs`, in a list by themselves, or one after the other."""
    if not _JOBS.search(head):
        return outer_path(head)
    return next((path for path in json_paths(head) if _JOBS_PATH.fullmatch(path)), "jobs.item")


DIALECT: Final = Dialect("sacct_json", worded("Slurm export in JSON"), sniff, rows)
