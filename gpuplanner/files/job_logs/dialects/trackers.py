"""Trackers of experiments and jobs: ClearML, Weights & Biases, and Ray."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.job_logs.judging import dialect
from gpuplanner.files.sources.json_values import json_paths, json_records, object_at, record_path, text_of
from gpuplanner.files.sources.source import Source
from gpuplanner.files.system.engine import Engine
from gpuplanner.files.system.resources import plain_table
from gpuplanner.files.values.word_lists import phrases
from gpuplanner.lazy_re import lazy_re

# --- Tasks of ClearML: what its API says of them, or a table of experiments ----------------------

_CLEARML_HEADINGS: Final = dialect.headings_of("clearml")
_CLEARML_STATES: Final = plain_table("clearml_state")
_GPUS_OF_WORKER: Final = lazy_re(r"(?i):d?gpu(?P<ids>\d+(?:[,_](?:gpu)?\d+)*)$")
_SEVERAL: Final = lazy_re(r"\s*,\s*")


def gpus_of_worker(worker: str) -> int:
    """How many GPUs an agent was given, by its name; 0 where that does not tell them.

    >>> gpus_of_worker("dgx1:gpu0,1"), gpus_of_worker("dgx1:gpu0,gpu1,gpu2"), gpus_of_worker("dgx1:gpuall")
    (2, 3, 0)
    """
    found = _GPUS_OF_WORKER.search(worker.strip())
    return len(lazy_re(r"\d+").findall(found["ids"])) if found else 0


def _task_texts(told: dialect.Told) -> dialect.JobTexts:
    """A task as texts of a job: without an end it lasted until it last changed, unless it still runs.

    One that is over and never began counts as cancelled.
    """
    state = _CLEARML_STATES.get(told.get("state", "").casefold(), told.get("state", ""))
    is_over = state not in ("RUNNING", "PENDING")
    worker = told.get("worker", "")
    start, end = told.get("start", ""), told.get("end", "")
    has_length = bool(told.get("elapsed"))
    return {
        **told,
        "gpu_model": _SEVERAL.split(told.get("gpu_model", ""))[0],
        "gpus": str(gpus_of_worker(worker) or told.get("gpus", "")),
        "end": (end or ("" if has_length else told.get("changed", ""))) if is_over else "",
        "state": state if start or not is_over else "CANCELLED",
        "hosts": told.get("hosts") or worker.partition(":")[0],
    }


_TASKS: Final = dialect.NamedLog(
    fields=(
        *("job_id", "name", "account", "user", "queue", "gpu_model", "gpus", "start", "end", "elapsed"),
        *("state", "hosts", "submit"),
    ),
    headings=_CLEARML_HEADINGS,
    texts=_task_texts,
    containers=("data.tasks", "tasks"),
    needed=((("gpus", "worker"), "runtime.gpu_count or last_worker"), (("start",), "started")),
    remedy=worded(
        "request {names} from tasks.get_all",
        names="id, name, project.name, user.name, status, started, completed, last_worker, runtime",
    ),
    note=worded("runtime.gpu_count is per machine: check tasks on partial or several machines"),
    is_noted=lambda told: (
        told.get("gpus", "0") not in ("", "0") and not gpus_of_worker(told.get("worker", ""))
    ),
)


def sniff_clearml(head: str) -> float:
    """How sure it is that a text begins a list of tasks, 0..1.

    Its keys are state, start and an end, and a worker or a count of GPUs in its runtime.
    """
    keys = _TASKS.keys(head)
    is_task = {"state", "start"} <= keys and bool(keys & {"end", "changed"})
    has_mark = "worker" in keys or ("gpus" in keys and '"runtime"' in head)
    return 0.96 if is_task and has_mark else 0.0


CLEARML: Final = dialect.Dialect(
    format="clearml", title=worded("ClearML tasks"), sniff=sniff_clearml, rows=_TASKS.rows
)


# --- Runs of Weights & Biases: the CSV of a runs table, or what its API says of runs -------------

_WANDB_HEADINGS: Final = dialect.headings_of("wandb")
_WANDB_STATES: Final = plain_table("wandb_state")
_MADE_UP: Final = lazy_re(r"^[a-z]+-[a-z]+-\d+$")
"""How runs that nobody named are called: crisp-sun-12."""


def _run_texts(told: dialect.Told) -> dialect.JobTexts:
    """A run as texts of a job: named by its group, else by a name that somebody gave it, else by its project."""
    name, state = told.get("name", ""), told.get("state", "")
    named = "" if _MADE_UP.match(name) else name
    read_as = _WANDB_STATES.get(state.casefold(), state)
    # One without a runtime lasted until it was last heard of, unless it runs on.
    end = "" if told.get("elapsed") or read_as.casefold() == "running" else told.get("seen", "")
    return {
        **told,
        "name": told.get("group") or named or told.get("account") or name,
        "end": end,
        "state": read_as,
    }


_RUNS: Final = dialect.NamedLog(
    fields=(
        *("job_id", "name", "account", "user", "gpu_model", "gpus", "start", "elapsed", "end", "state"),
        "hosts",
    ),
    headings=_WANDB_HEADINGS,
    texts=_run_texts,
    containers=("runs", "data.runs", "edges"),
    needed=(
        (("gpus",), "GPU Count"),
        (("start",), "Created"),
        (("elapsed", "seen"), "Runtime or heartbeatAt"),
    ),
    remedy=worded("show {names}, then export again", names="Created, Runtime, State, GPU Count, GPU Type"),
    end_is_elapsed=True,
    note=worded("GPU Count is per machine: check runs on partial or several machines"),
    is_noted=lambda told: told.get("gpus", "0") not in ("", "0"),
)


_EITHER: Final = (frozenset(("elapsed", "seen")), frozenset(("name", "job_id")))


def sniff_wandb(head: str) -> float:
    """How sure it is that a text begins a table or list of runs, 0..1.

    0.6 where GPUs lack: it is a table of runs then, and refused by what it lacks.
    """
    keys = _RUNS.keys(head)
    is_run = {"start", "state", "marks"} <= keys and all(keys & either for either in _EITHER)
    is_of_the_api = {"start", "state"} <= keys and '"runInfo"' in head  # may lack what is asked for then
    if is_run and "gpus" in keys:
        return 0.96
    return 0.6 if is_run or is_of_the_api else 0.0


WANDB: Final = dialect.Dialect(
    format="wandb", title=worded("Weights & Biases runs"), sniff=sniff_wandb, rows=_RUNS.rows
)


# --- Ray's jobs, as its jobs API lists them; what their entry points or their notes say of GPUs

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
