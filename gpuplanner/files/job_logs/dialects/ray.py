"""Ray's jobs, as its jobs API lists them; what their entry points or their notes say of GPUs."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.job_logs.judging import dialect
from gpuplanner.files.sources.json_values import json_paths, json_records, object_at, record_path, text_of
from gpuplanner.files.sources.source import Source
from gpuplanner.files.system.engine import Engine
from gpuplanner.files.values.word_lists import phrases

RAY_FIELDS: Final = phrases("job_id|name|account|user|queue|gpu_model|gpus|start|end|state")

_CONTAINERS: Final = ("jobs", "result", "data.result.result")
_NOTED_GPUS: Final = ("num_gpus", "gpus", "gpu_count", "ngpus", "total_gpus")
_NOTED_NAMES: Final = ("name", "job_name", "submission_name")
_RAY_STATES: Final = {"STOPPED": "CANCELLED"}


def sniff_ray(head: str) -> float:
    """How sure it is that a text begins a list of Ray's jobs, 0..1."""
    paths = json_paths(head)
    for prefix in ("item.", "", *(f"{container}.item." for container in _CONTAINERS)):
        if f"{prefix}entrypoint" in paths and f"{prefix}status" in paths:
            is_ours = f"{prefix}submission_id" in paths or f"{prefix}start_time" in paths
            return 0.95 if is_ours else 0.0
    return 0.0


def ray_rows(source: Source, engine: Engine, table: str) -> dialect.JobTable:
    """Every job. Errors: PlannerError missing_column where no job tells its GPUs.

    Truncated_file, file_unreadable.

    Times are as the API has them, in ms since 1970.
    """
    container = next((name for name in _CONTAINERS if record_path(source.head, name).startswith(name)), "")
    has_gpus = False

    def jobs() -> Iterator[tuple[int, dialect.JobTexts]]:
        """Each job with its record number; notes on the way whether any says how many GPUs it has."""
        nonlocal has_gpus
        for row, value in json_records(source, container):
            texts = ray_job_texts(value)
            has_gpus = has_gpus or bool(texts.get("gpus"))
            yield row, texts

    found = dialect.table_of_texts(engine, source, table, RAY_FIELDS, jobs(), clock="epoch_ms")
    if not has_gpus:
        raise PlannerError(
            source.path,
            "missing_column",
            worded("no job has a GPU count (entrypoint_num_gpus)"),
            worded("record it at submission (--metadata-json '{\"num_gpus\": 8}'), or import the pods"),
        )
    return found


def ray_job_texts(value: object) -> dialect.JobTexts:
    """A job of the API as texts; GPUs as its entry point reserves them, else as its metadata note them.

    The script of the entry point is its name where its metadata hold none.
    """
    if not isinstance(value, dict):
        return {dialect.RAW: text_of(value)}
    noted = object_at(value, "metadata")
    status = text_of(value.get("status")).upper()
    start, end = _time(value.get("start_time")), _time(value.get("end_time"))
    state = _RAY_STATES.get(status, status)
    return {
        "job_id": text_of(value.get("submission_id")) or text_of(value.get("job_id")),
        "name": _noted(noted, _NOTED_NAMES) or _script(text_of(value.get("entrypoint"))),
        "account": _noted(noted, ("account", "team", "project", "namespace")),
        "user": _noted(noted, ("user", "username", "owner", "user_name")),
        "queue": _noted(noted, ("queue",)),
        "gpu_model": _model(value, noted),
        "gpus": _gpus(value, noted),
        "start": start if state != "PENDING" else "",
        "end": end,
        "state": state,
    }


def _gpus(job: Mapping[str, Any], noted: Mapping[str, Any]) -> str:
    """The GPUs of the entry point; those of the job's notes where the entry point reserves none."""
    reserved = text_of(job.get("entrypoint_num_gpus"))
    asked = _noted(noted, _NOTED_GPUS)
    return asked if reserved in ("", "0", "0.0") and asked else reserved


def _model(job: Mapping[str, Any], noted: Mapping[str, Any]) -> str:
    """`accelerator_type:A100` among the custom resources, or what the metadata note."""
    resources = object_at(job, "entrypoint_resources")
    kinds = [name.partition(":")[2] for name in resources if name.startswith("accelerator_type:")]
    return _noted(noted, ("gpu_model", "gpu_type", "accelerator_type")) or "".join(kinds[:1])


def _noted(noted: Mapping[str, Any], keys: tuple[str, ...]) -> str:
    """The first of these keys that the job's notes have."""
    return next((found for key in keys if (found := text_of(noted.get(key)))), "")


def _time(value: object) -> str:
    """Milliseconds since 1970; 0 says that there is no such time yet."""
    text = text_of(value)
    return "" if text in ("0", "0.0") else text


def _script(entrypoint: str) -> str:
    """The script an entry point runs: the first word that is a file, else the first word."""
    words = entrypoint.split()
    scripts = [word for word in words if word.endswith((".py", ".sh"))]
    return (scripts or words or [""])[0].rsplit("/", 1)[-1]


RAY: Final = dialect.Dialect(format="ray", title=worded("Ray jobs"), sniff=sniff_ray, rows=ray_rows)
