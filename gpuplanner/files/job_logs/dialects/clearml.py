"""Tasks of ClearML: what its API says of them, or a table of experiments."""

import re
from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.files.job_logs.judging.dialect import Dialect
from gpuplanner.files.job_logs.judging.job_texts import JobTexts
from gpuplanner.files.job_logs.judging.named_rows import NamedLog, Told

_HEADINGS: Final = {
    "id": ("id", "taskid"),
    "name": ("name", "taskname", "experimentname"),
    "project": ("projectname", "projectbasename", "project"),
    "user": ("username", "user", "userid"),
    "queue": ("executionqueuename", "queuename", "queue", "executionqueueid", "executionqueue"),
    "state": ("status",),
    "start": ("started", "starteddate", "startedat"),
    "end": ("completed", "completeddate", "completedat"),
    "changed": ("statuschanged", "statuschangeddate", "lastupdate", "lastupdatedate"),
    "elapsed": ("activeduration",),
    "created": ("created", "createddate", "createdat"),
    "worker": ("lastworker", "worker"),
    "gpus": ("runtimegpucount", "gpucount", "numgpus", "numberofgpus"),
    "gpu_model": ("runtimegputype", "gputype", "runtimegpumodel", "gpumodel"),
    "host": ("runtimehostname", "hostname"),
}
_STATES: Final = {
    **dict.fromkeys(("completed", "published", "publishing"), "COMPLETED"),
    "in_progress": "RUNNING",
    "stopped": "CANCELLED",
    "aborted": "CANCELLED",
    "closed": "COMPLETED",
    **dict.fromkeys(("created", "draft", "queued", "pending", "unknown"), "PENDING"),
}
_GPUS_OF_WORKER: Final = re.compile(r":d?gpu(?P<ids>\d+(?:[,_](?:gpu)?\d+)*)$", re.I)
_SEVERAL: Final = re.compile(r"\s*,\s*")


def gpus_of_worker(worker: str) -> int:
    """How many GPUs an agent was given, by its name; 0 where that does not tell them.

    >>> gpus_of_worker("dgx1:gpu0,1"), gpus_of_worker("dgx1:gpu0,gpu1,gpu2"), gpus_of_worker("dgx1:gpuall")
    (2, 3, 0)
    """
    found = _GPUS_OF_WORKER.search(worker.strip())
    return len(re.findall(r"\d+", found["ids"])) if found else 0


def _texts(told: Told) -> JobTexts:
    """A task as texts of a job: without an end it lasted until it last changed, unless it still runs.

    One that is over and never began counts as cancelled.
    """
    state = _STATES.get(told.get("state", "").casefold(), told.get("state", ""))
    is_over = state not in ("RUNNING", "PENDING")
    worker = told.get("worker", "")
    start, end = told.get("start", ""), told.get("end", "")
    has_length = bool(told.get("elapsed"))
    return {
        "job_id": told.get("id", ""),
        "name": told.get("name", ""),
        "account": told.get("project", ""),
        "user": told.get("user", ""),
        "queue": told.get("queue", ""),
        "gpu_model": _SEVERAL.split(told.get("gpu_model", ""))[0],
        "gpus": str(gpus_of_worker(worker) or told.get("gpus", "")),
        "start": start,
        "end": (end or ("" if has_length else told.get("changed", ""))) if is_over else "",
        "elapsed": told.get("elapsed", ""),
        "state": state if start or not is_over else "CANCELLED",
        "hosts": told.get("host") or worker.partition(":")[0],
        "submit": told.get("created", ""),
    }


_LOG: Final = NamedLog(
    (
        *("job_id", "name", "account", "user", "queue", "gpu_model", "gpus", "start", "end", "elapsed"),
        *("state", "hosts", "submit"),
    ),
    _HEADINGS,
    _texts,
    ("data.tasks", "tasks"),
    ((("gpus", "worker"), "runtime.gpu_count or last_worker"), (("start",), "started")),
    worded(
        "ask tasks.get_all for id, name, project.name, user.name, status, started, completed, last_worker and runtime"
    ),
    note=worded(
        "runtime.gpu_count is what a task saw on its machine: look at tasks that were given a part of it, and at "
        "those of several machines"
    ),
    is_noted=lambda told: (
        told.get("gpus", "0") not in ("", "0") and not gpus_of_worker(told.get("worker", ""))
    ),
)


def sniff(head: str) -> float:
    """How sure it is that a text begins a list of tasks, 0..1.

    Its keys are state, start and an end, and a worker or a count of GPUs in its runtime.
    """
    keys = _LOG.keys(head)
    is_task = {"state", "start"} <= keys and bool(keys & {"end", "changed"})
    has_mark = "worker" in keys or ("gpus" in keys and '"runtime"' in head)
    return 0.96 if is_task and has_mark else 0.0


DIALECT: Final = Dialect("clearml", worded("list of ClearML tasks"), sniff, _LOG.rows)
