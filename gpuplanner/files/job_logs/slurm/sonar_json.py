"""sonar's jobs in JSON: envelopes one after the other, each with a cluster's Slurm jobs and their steps, or errors."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import Message, joined, worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.log.intake import Issue
from gpuplanner.files.job_logs.judging.dialect import Dialect, JobTable
from gpuplanner.files.job_logs.slurm import sonar_kv
from gpuplanner.files.job_logs.slurm.slurm_fields import RECORD_COLUMNS, slurm_table
from gpuplanner.files.job_logs.slurm.slurm_json import best_told, gpus_in_text, no_record, number, text
from gpuplanner.files.sources.json_values import begins_json, outer_path, whole_values
from gpuplanner.files.sources.raw_table import load_records
from gpuplanner.files.sources.source import TEXT, Source
from gpuplanner.files.system.engine import Engine
from gpuplanner.files.values.tres import is_of_gpus

_IS_JOBS: Final = re.compile(r'"type"\s*:\s*"jobs?"')
_SACCT_ID: Final = re.compile(r'"JobID(?:Raw)?"\s*:', re.I)
_SACCT_GPUS: Final = re.compile(r'"(?:Alloc|Req)TRES"\s*:', re.I)
"""Older versions, and others who write sacct's fields as JSON, name jobs by them."""

_BASE: Final = 2
"""What sonar adds to numbers that may be unset (0) or without limit (1)."""


def sniff(head: str) -> float:
    """How sure it is that a text begins jobs of sonar in JSON, 0..1."""
    if not begins_json(head):
        return 0.0
    if _SACCT_ID.search(head) and _SACCT_GPUS.search(head):
        return 0.96
    is_jobs = '"slurm_jobs"' in head or ('"attributes"' in head and _IS_JOBS.search(head) is not None)
    return 0.96 if is_jobs else 0.0


def rows(source: Source, engine: Engine, table: str) -> JobTable:
    """Jobs and steps, numbered as they come; an error that sonar met is a row too, which is rejected.

    Of JSON that is cut off, the envelopes before that are kept. Errors: PlannerError truncated_file where there are
    none.
    """
    if source.kind != TEXT or not begins_json(source.head):
        raise PlannerError(
            source.path, "not_a_job_log", worded("it is no JSON"), worded("export it as sonar writes it")
        )
    path = outer_path(source.head)
    faults: list[Message] = []
    count = 0

    def numbered() -> Iterator[tuple[int, tuple[str, ...]]]:
        """The records of all envelopes, numbered through from 1."""
        nonlocal count
        for envelope in whole_values(source, path, faults.append):
            for record in records(envelope):
                count += 1
                yield count, record

    raw = load_records(engine, source, table, RECORD_COLUMNS, numbered(), delimiter="|")
    found = slurm_table(engine, raw)
    if not faults:
        return found
    remedy = worded("export or copy it again")
    if count == 0:
        raise PlannerError(source.path, "truncated_file", faults[0], remedy)
    what = worded(
        "{fault} after row {count}; the rows before that were read", fault=faults[0], count=whole(count)
    )
    return replace(
        found,
        issues=(Issue("truncated_file", 1, count, joined((what, remedy), "; ")),),
    )


def records(envelope: object) -> Iterator[tuple[str, ...]]:
    """The rows of one envelope in the order of RECORD_COLUMNS."""
    if not isinstance(envelope, Mapping):
        yield no_record(name=str(envelope)[:200])
        return
    errors = envelope.get("errors")
    for error in errors if isinstance(errors, list) else ():
        detail = text(error.get("detail")) if isinstance(error, Mapping) else text(error)
        cluster = text(error.get("cluster")) if isinstance(error, Mapping) else ""
        yield no_record(cluster, start=f"error={detail or 'unknown'}")
    attributes = _inside(_inside(envelope, "data"), "attributes")
    cluster = text(attributes.get("cluster")) or text(envelope.get("cluster"))
    for job in _jobs(envelope, attributes):
        yield _record(job, cluster) if isinstance(job, Mapping) else no_record(cluster, str(job)[:200])


def _inside(value: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """The object under a key; an empty one where it is lacking."""
    found = value.get(key)
    return found if isinstance(found, Mapping) else {}


def _jobs(envelope: Mapping[str, Any], attributes: Mapping[str, Any]) -> list[Any]:
    """The jobs of an envelope: in its data, in a list of its own, or itself one, by sacct's names."""
    if _has_sacct_names(envelope):
        return [dict(envelope)]
    jobs = attributes.get("slurm_jobs")
    if isinstance(jobs, list):
        return jobs
    lists = [each for each in envelope.values() if isinstance(each, list)]
    return next((each for each in lists if any(map(_has_sacct_names, each))), [])


def _has_sacct_names(job: object) -> bool:
    """Whether a job is told by sacct's own names of columns, as one version of sonar has it."""
    return isinstance(job, Mapping) and any(str(key).lower() in ("jobid", "jobidraw") for key in job)


def _record(job: Mapping[str, Any], cluster: str) -> tuple[str, ...]:
    """One job as the texts of a record; ids, times and resources are taken from where this version puts them."""
    if _has_sacct_names(job):
        values = {str(key).lower(): text(value) for key, value in job.items()}
        return sonar_kv.record(values | {"cluster": values.get("cluster") or cluster})
    accounting = _inside(job, "sacct")
    nodes = job.get("nodes")
    elapsed = number(accounting.get("ElapsedRaw"))
    return (
        _job_id(job),
        cluster,
        text(job.get("job_name")),
        text(job.get("account")),
        text(job.get("user_name")),
        text(job.get("partition")),
        text(job.get("job_state")),
        text(job.get("start_time")),
        text(job.get("end_time")),
        "" if elapsed is None else str(elapsed),
        ",".join(map(text, nodes)) if isinstance(nodes, list) else text(nodes),
        text(job.get("requested_node_count")),
        _gpus(job, accounting),
        "",
        text(job.get("submit_time")),
        text(job.get("eligible_time")),
        _extended(job.get("time_limit")),
        _extended(job.get("priority")),
    )


def _extended(value: object) -> str:
    """A number that sonar writes with its base added; empty where it is unset or without limit."""
    found = number(value)
    return "" if found is None or found < _BASE else str(found - _BASE)


def _job_id(job: Mapping[str, Any]) -> str:
    """The ID as sacct prints it: `array_task`, `job+offset` for heterogeneous jobs, `.step` behind either."""
    own, step = text(job.get("job_id")), text(job.get("job_step"))
    if array := number(job.get("array_job_id")):
        own = f"{array}_{number(job.get('array_task_id')) or 0}"
    elif het := number(job.get("het_job_id")):
        own = f"{het}+{number(job.get('het_job_offset')) or 0}"
    return f"{own}.{step}" if step else own


def _gpus(job: Mapping[str, Any], accounting: Mapping[str, Any]) -> str:
    """What was given; of a job that still runs, what each of its nodes gives; else what was asked for."""
    given = text(accounting.get("AllocTRES")) or text(job.get("allocated_resources"))
    entries = [entry.strip() for entry in given.split(",")]
    nodes = [entry for entry in entries if entry.lower().startswith("node=")]
    told = (
        ",".join(entry for entry in entries if is_of_gpus(entry)),
        gpus_in_text(job.get("gres_detail")),
        gpus_in_text(job.get("requested_resources")),
    )
    return ",".join(filter(None, (best_told(told), *nodes)))


DIALECT: Final = Dialect("sonar_json", worded("list of Slurm jobs by sonar"), sniff, rows)
