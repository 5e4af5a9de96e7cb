"""sonar's jobs in JSON: envelopes one after the other, each with a cluster's Slurm jobs and their steps, or errors."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import Issue
from gpuplanner.domain.model.worded import Worded, joined, worded
from gpuplanner.files.engine import Engine
from gpuplanner.files.job_logs.gpu_counts import GpuReading
from gpuplanner.files.job_logs.job_table import JobTable
from gpuplanner.files.job_logs.raw_table import load_records
from gpuplanner.files.job_logs.slurm_fields import RECORD_COLUMNS, slurm_table
from gpuplanner.files.job_logs.slurm_json import number, text
from gpuplanner.files.job_logs.tres import read_gres
from gpuplanner.files.json_values import begins_json, outer_path, whole_values
from gpuplanner.files.source import TEXT, Source

FORMAT: Final = "sonar_json"

_IS_JOBS: Final = re.compile(r'"type"\s*:\s*"jobs?"')
_INDICES: Final = re.compile(r"\([^()]*\)")


def sniff(head: str) -> float:
    """How sure it is that a text begins jobs of sonar in JSON, 0..1."""
    if not begins_json(head):
        return 0.0
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
    faults: list[Worded] = []
    count = 0

    def numbered() -> Iterator[tuple[int, tuple[str, ...]]]:
        nonlocal count
        for envelope in whole_values(source, path, faults.append):
            for record in records(envelope):
                count += 1
                yield count, record

    raw = load_records(engine, source, table, RECORD_COLUMNS, numbered(), delimiter="|")
    found = slurm_table(engine, raw)
    found = replace(
        found,
        fields={**found.fields, "gpus": raw.column("AllocTRES") or ""},
        read_gpus=_either(found),
    )
    if not faults:
        return found
    remedy = worded("export or copy it again")
    if count == 0:
        raise PlannerError(source.path, "truncated_file", faults[0], remedy)
    what = worded("{fault} after row {count}; the rows before that were read", fault=faults[0], count=count)
    return replace(
        found,
        issues=(Issue("truncated_file", 1, count, joined((what, remedy), "; ")),),
    )


def _either(found: JobTable) -> Any:
    def read(gpus: str) -> GpuReading:
        return found.read_gpus(gpus) if "=" in gpus else read_gres(gpus)

    return read


def records(envelope: object) -> Iterator[tuple[str, ...]]:
    """The rows of one envelope in the order of RECORD_COLUMNS."""
    if not isinstance(envelope, Mapping):
        yield ("", "", str(envelope)[:200], *[""] * 11)
        return
    errors = envelope.get("errors")
    for error in errors if isinstance(errors, list) else ():
        detail = text(error.get("detail")) if isinstance(error, Mapping) else text(error)
        cluster = text(error.get("cluster")) if isinstance(error, Mapping) else ""
        yield ("", cluster, "", "", "", "", "", f"error={detail or 'unknown'}", *[""] * 6)
    attributes = _inside(_inside(envelope, "data"), "attributes")
    cluster = text(attributes.get("cluster"))
    jobs = attributes.get("slurm_jobs")
    for job in jobs if isinstance(jobs, list) else ():
        yield _record(job, cluster) if isinstance(job, Mapping) else ("", cluster, str(job)[:200], *[""] * 11)


def _inside(value: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = value.get(key)
    return found if isinstance(found, Mapping) else {}


def _record(job: Mapping[str, Any], cluster: str) -> tuple[str, ...]:
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
        _gpus(text(accounting.get("AllocTRES")), job.get("gres_detail")),
        "",
    )


def _job_id(job: Mapping[str, Any]) -> str:
    own, step = text(job.get("job_id")), text(job.get("job_step"))
    if array := number(job.get("array_job_id")):
        own = f"{array}_{number(job.get('array_task_id')) or 0}"
    elif het := number(job.get("het_job_id")):
        own = f"{het}+{number(job.get('het_job_offset')) or 0}"
    return f"{own}.{step}" if step else own


def _gpus(given: str, detail: object) -> str:
    """What was given; of a job that still runs, what each of its nodes gives."""
    if given:
        entries = [
            each for each in given.split(",") if each.lower().startswith(("gres/gpu:", "gres/gpu=", "node="))
        ]
        return ",".join(entries)
    parts = [_INDICES.sub("", text(each)) for each in detail] if isinstance(detail, list) else []
    return ",".join(filter(None, parts))
