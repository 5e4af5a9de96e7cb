"""Slurm's JSON of sacct, squeue or scontrol, of any version, as the texts of jobs."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any, Final

from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import Message, joined, worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import Issue
from gpuplanner.files.job_logs.dialects.slurm_fields import RECORD_COLUMNS, activity_text, slurm_table
from gpuplanner.files.job_logs.judging.dialect import Dialect, JobTable
from gpuplanner.files.sources.json_values import begins_json, json_paths, outer_path, whole_values
from gpuplanner.files.sources.raw_table import load_records
from gpuplanner.files.sources.source import TEXT, Source
from gpuplanner.files.system.engine import Engine
from gpuplanner.files.values.numbers import phrases
from gpuplanner.files.values.scheduler_words import RUNNING, read_state, read_tres

# --- One job of Slurm's JSON, of sacct, squeue or scontrol and of any version, as the texts of a record

_UNSET: Final = frozenset({2**32 - 2, 2**32 - 1, 2**64 - 2, 2**64 - 1})
"""How Slurm keeps 'no value' and 'without limit', where they come out as numbers; so do numbers below zero."""

_COUNT_AT_MOST: Final = 10**15


def number(value: object) -> int | None:
    """A number that is set: plain, as text, or as {"set", "infinite", "number"}; None for Slurm's 'no value'.

    >>> number({"set": True, "infinite": False, "number": 7})
    7
    """
    if isinstance(value, Mapping):
        is_set = value.get("set", True) and not value.get("infinite", False)
        return number(value.get("number")) if is_set else None
    if isinstance(value, bool):
        return None
    if isinstance(value, str):
        value = int(value) if value.isascii() and value.isdigit() and len(value) < 20 else None
    if isinstance(value, float | Decimal):
        value = int(value) if 0 <= value <= _COUNT_AT_MOST else None
    if not isinstance(value, int) or value < 0 or value in _UNSET or value > _COUNT_AT_MOST:
        return None
    return value


def text(value: object) -> str:
    """A text or a number as text; empty for anything else."""
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""


def record(job: object) -> tuple[str, ...]:
    """A job's texts in the order of RECORD_COLUMNS, times in seconds since 1970. What is no job has its text only."""
    if not isinstance(job, Mapping):
        return no_record(name=str(job)[:200])
    is_accounting = "time" in job or "tres" in job
    times = _accounting_times(job) if is_accounting else _queue_times(job)
    nodes, gpus = _resources(job)
    return (
        _job_id(job),
        text(job.get("cluster")) or text(_inside(job, "association").get("cluster")),
        text(job.get("name")),
        text(job.get("account")) or text(_inside(job, "association").get("account")),
        text(job.get("user")) or text(job.get("user_name")) or text(_inside(job, "association").get("user")),
        text(job.get("partition")),
        _state(job),
        *times,
        text(job.get("nodes")),
        nodes,
        gpus,
        activity_text(_inside(job, "comment").get("administrator") or job.get("admin_comment")),
        *_queue(job),
    )


def no_record(cluster: str = "", name: str = "", start: str = "") -> tuple[str, ...]:
    """A record of what is no job."""
    said = {"Cluster": cluster, "JobName": name, "Start": start}
    return tuple(said.get(column, "") for column in RECORD_COLUMNS)


def _queue(job: Mapping[str, Any]) -> tuple[str, str, str, str]:
    """Submit and eligible time, the time limit in seconds, and the priority."""
    time = _inside(job, "time")
    submitted = number(time.get("submission", job.get("submit_time")))
    eligible = number(time.get("eligible", job.get("eligible_time")))
    limit = number(time.get("limit", job.get("time_limit")))
    priority = number(job.get("priority"))
    return (
        _seconds(submitted),
        _seconds(eligible),
        "" if limit is None else str(60 * limit),
        "" if priority is None else str(priority),
    )


def _inside(job: Mapping[str, Any], *path: str) -> Mapping[str, Any]:
    """The object at a path of keys; an empty one where anything on the way is lacking."""
    found: Any = job
    for key in path:
        found = found.get(key) if isinstance(found, Mapping) else None
    return found if isinstance(found, Mapping) else {}


def _job_id(job: Mapping[str, Any]) -> str:
    """As sacct prints it: 12, 12_3 for a task of an array, 12+1 for a part of a heterogeneous job."""
    own = number(job.get("job_id"))
    array, het = _inside(job, "array"), _inside(job, "het")
    array_id = number(array.get("job_id", job.get("array_job_id")))
    task = number(array.get("task_id", job.get("array_task_id")))
    tasks = text(array.get("task", job.get("array_task_string")))
    het_id = number(het.get("job_id", job.get("het_job_id")))
    offset = number(het.get("job_offset", job.get("het_job_offset")))
    if array_id and task is not None:
        return f"{array_id}_{task}"
    if array_id and tasks:
        return f"{array_id}_[{tasks}]"
    if het_id and offset is not None:
        return f"{het_id}+{offset}"
    return "" if own is None else str(own)


def _state(job: Mapping[str, Any]) -> str:
    """The state, wherever a version has it; of a list of flags all, with blanks between."""
    state = _inside(job, "state").get("current", job.get("job_state", job.get("state")))
    if isinstance(state, list):
        return " ".join(each for each in state if isinstance(each, str))
    return text(state)


def _accounting_times(job: Mapping[str, Any]) -> tuple[str, str, str]:
    """Start, end and elapsed time. An end later than what was counted as elapsed or suspended is not believed:
    a record of a job that was put back in the queue ends when the job did.
    """
    time = _inside(job, "time")
    start, end = number(time.get("start")), number(time.get("end"))
    elapsed, suspended = number(time.get("elapsed")), number(time.get("suspended")) or 0
    if start and end and elapsed and start + elapsed + suspended < end:
        end = start + elapsed + suspended
    return _seconds(start), _seconds(end), "" if elapsed is None else str(elapsed)


def _queue_times(job: Mapping[str, Any]) -> tuple[str, str, str]:
    """Start and end; of a job that runs the end is only what its time limit allows, so there is none."""
    is_running = read_state(_state(job)) == RUNNING
    end = None if is_running else number(job.get("end_time"))
    return _seconds(number(job.get("start_time"))), _seconds(end), ""


def _seconds(at: int | None) -> str:
    """Epoch seconds as text; 0 and None are none."""
    return str(at) if at else ""


def _resources(job: Mapping[str, Any]) -> tuple[str, str]:
    """How many nodes, and the GPUs as a list of resources.

    What was given is believed before what was asked for, and each is told once: a model that only the second of two
    lists names is taken from there, its GPUs are not added.
    """
    tres = job.get("tres")
    given = gpus_in_text(job.get("gres_detail")), gpus_in_text(job.get("used_gres"))
    if isinstance(tres, Mapping):
        nodes, listed = _listed(tres, job)
        return "" if not nodes else str(nodes), best_told((listed, *given))
    nodes = number(job.get("node_count", job.get("allocation_nodes")))
    count = max(1, nodes or 0)
    told = (
        gpus_in_text(job.get("tres_alloc_str")),
        *given,
        *(gpus_in_text(job.get(name)) for name in ("tres_req_str", "tres_per_job")),
        _times(gpus_in_text(job.get("tres_per_node")), count),
        _times(gpus_in_text(job.get("tres_per_task")), number(job.get("tasks"))),
        _times(gpus_in_text(job.get("tres_per_socket")), _sockets(job, count)),
    )
    return "" if not nodes else str(nodes), best_told(told)


def best_told(told: Iterable[str]) -> str:
    """Of several lists of GPUs, the best first: the first that has any, with its models or those of a later one.

    >>> best_told(("", "gres/gpu=2", "gres/gpu:a100=2", "gres/gpu:h100=4"))
    'gres/gpu=2,gres/gpu:a100=2'
    """
    read = [(one, read_tres(one)) for one in told if one]
    found = [(one, reading) for one, reading in read if reading.milli_gpus and reading.fault is None]
    if not found:
        return next((one for one, reading in read if reading.fault is not None), "")
    best, first = found[0]
    for other, reading in found[1:] if first.gpu_model is None else ():
        if reading.gpu_model is not None and reading.milli_gpus == first.milli_gpus:
            return f"{best},{other}"
    return best


def gpus_in_text(value: object) -> str:
    """The GPUs of `gres/gpu:a100=2`, `gres:gpu:2`, `gpu:a100:2(IDX:0,2)` or a list of such, as `gres/gpu:a100=2`.

    One entry a model, those of the nodes of `gres_detail` added up; empty where there are none. GPUs whose number
    cannot be read stay as they are.
    """
    whole = ",".join(map(text, value)) if isinstance(value, list) else text(value)
    counts: dict[str, int] = {}
    for part in _INDICES.sub("", whole).split(","):
        found = _GPUS.fullmatch(part.strip())
        if found is None:
            if _LIKE_GPUS.match(part.strip()):
                return part.strip()
            continue
        count = int(found["count"] or 1) * {"": 1, "K": 1000, "M": 10**6}[(found["suffix"] or "").upper()]
        name = "gres/gpu" + (f":{found['model']}" if found["model"] else "")
        is_more = "=" not in part and isinstance(value, list)  # a node more, and not a total told again
        counts[name] = counts.get(name, 0) * is_more + count
    return ",".join(f"{name}={count}" for name, count in counts.items() if count)


_INDICES: Final = re.compile(r"\([^()]*\)")
_LIKE_GPUS: Final = re.compile(r"(?:gres[/:])?gpu(?:[:=]|$)", re.I)
_GPUS: Final = re.compile(
    r"(?:gres[/:])?gpu(?::(?P<model>[^:=,]+(?=[:=]\d)|(?!\d+[KM]$)[^:=,]*[^:=,\d][^:=,]*))?"
    r"(?:[:=](?P<count>\d{1,9})(?P<suffix>[KM])?)?",
    re.I,
)


def _times(gpus: str, count: int | None) -> str:
    """So many times the GPUs of a list; one that cannot be read where the number is not known."""
    if not gpus or count == 1:
        return gpus
    if not count:
        return f"gres/gpu={gpus} of each of an unknown number"
    found = [entry.rpartition("=") for entry in gpus.split(",")]
    return ",".join(
        f"{name}={int(number) * count}" if number.isdigit() else name for name, _, number in found
    )


def _sockets(job: Mapping[str, Any], nodes: int) -> int | None:
    """Sockets of all nodes of a job; None if the job does not say how many a node has."""
    of_a_node = number(job.get("sockets_per_node"))
    return None if not of_a_node else of_a_node * nodes


def _listed(tres: Mapping[str, Any], job: Mapping[str, Any]) -> tuple[int | None, str]:
    """Nodes and GPUs of the accounting's lists: what was given, or, where that is not told, what was asked for."""
    entries = list(_entries(tres.get("allocated") if "allocated" in tres else tres.get("requested")))
    nodes = next((count for name, count in entries if name == "node"), None)
    if nodes is None:
        nodes = number(job.get("allocation_nodes"))
    return nodes, ",".join(f"{name}={count}" for name, count in entries if name != "node")


def _entries(given: object) -> Iterator[tuple[str, int]]:
    """Nodes and GPUs of a list of resources, by the name they have in text."""
    for entry in given if isinstance(given, list) else ():
        if not isinstance(entry, Mapping):
            continue
        kind, name, count = text(entry.get("type")), text(entry.get("name")), number(entry.get("count"))
        if count is None:
            continue
        if kind == "node":
            yield "node", count
        elif kind == "gres" and (name == "gpu" or name.startswith("gpu:")):
            yield f"gres/{name}", count
        elif kind in ("gres/gpu",) or kind.startswith("gres/gpu:"):
            yield kind, count


# --- Slurm's `sacct --json` of any version, and the jobs of squeue's and scontrol's: jobs one at a time, however many

_MARKS: Final = phrases(
    "job_id|tres|association|derived_exit_code|allocation_nodes|job_state|tres_alloc_str|tres_per_job"
    "|tres_per_node|gres_detail|job_resources|het_job_id|state_reason|submit_line|partition|data_parser"
    "|accounting_storage"
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
