"""One job of Slurm's JSON, of sacct, squeue or scontrol and of any version, as the texts of a record."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any, Final

from gpuplanner.files.job_logs.jobstats import activity_text
from gpuplanner.files.job_logs.states import RUNNING, read_state

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
        return ("", "", str(job)[:200], *[""] * 11)
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
    )


def _inside(job: Mapping[str, Any], *path: str) -> Mapping[str, Any]:
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
    return str(at) if at else ""


def _resources(job: Mapping[str, Any]) -> tuple[str, str]:
    """How many nodes, and the GPUs as a list of resources: what was given, else what was asked for."""
    tres = job.get("tres")
    if isinstance(tres, Mapping):
        given = tres.get("allocated") if "allocated" in tres else tres.get("requested")
        entries = list(_entries(given))
        nodes = next((count for name, count in entries if name == "node"), None)
        if nodes is None:
            nodes = number(job.get("allocation_nodes"))
        listed = ",".join(f"{name}={count}" for name, count in entries if name != "node")
        return "" if nodes is None else str(nodes), listed
    nodes = number(job.get("node_count", job.get("allocation_nodes")))
    listed = text(job.get("tres_alloc_str")) or text(job.get("tres_req_str"))
    return "" if not nodes else str(nodes), listed


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
