"""Tasks of ClearML: what its API says of them, or a table of experiments."""

from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.files.job_logs.judging import dialect
from gpuplanner.files.system.resources import plain_table
from gpuplanner.lazy_re import lazy_re

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
