"""Workloads of Run:ai: what its API says of them, or the table that its window exports."""

from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.files.job_logs.dialects.kubernetes.workload_parts import EXPORT_PODS, later_by
from gpuplanner.files.job_logs.judging import dialect
from gpuplanner.files.system.resources import plain_table
from gpuplanner.files.values.durations import read_duration

_CONDITIONS_AT_MOST: Final = 12

_HEADINGS: Final = {
    **dialect.headings_of("runai"),
    **{f"condition_{n}": (f"conditions{n}type",) for n in range(_CONDITIONS_AT_MOST)},
    **{f"condition_time_{n}": (f"conditions{n}lasttransitiontime",) for n in range(_CONDITIONS_AT_MOST)},
}
_RUNAI_STATES: Final = plain_table("runai_state")
_NOTHING: Final = ("", "-", "0", "0.0", "0.00", "N/A")


def _runai_texts(told: dialect.Told) -> dialect.JobTexts:
    """A workload as texts of a job, by the keys of the API or the headings of the window's table."""
    state = _RUNAI_STATES.get(told.get("state", "").casefold(), told.get("state", ""))
    start, end = _runai_course(told, state)
    return {
        **told,
        "gpus": _gpus(told),
        "start": start,
        "end": end,
        "elapsed": _elapsed(told),
        "state": state,
    }


def _gpus(told: dialect.Told) -> str:
    """What is held where it holds any now, else what was asked for; memory alone is no count of GPUs."""
    for key in ("allocated", "requested"):
        if told.get(key, "") not in _NOTHING:
            return told[key].removesuffix("GPUs").removesuffix("GPU").strip()
    memory = told.get("memory", "")
    return f"of memory alone: {memory}" if memory not in _NOTHING else ""


def _elapsed(told: dialect.Told) -> str:
    """How long it ran; a running time may also be since when."""
    running = told.get("running", "")
    return told.get("elapsed", "") or (running if read_duration(running) is not None else "")


def _started(told: dialect.Told) -> str:
    """When it began to run, as a time of its own or of its conditions; empty where nothing says it."""
    running = told.get("running", "")
    since = running if read_duration(running) is None else ""
    return told.get("start", "") or since or _condition(told, "Running") or _before_end(told)


def _before_end(told: dialect.Told) -> str:
    """When it began if it ran without a break until it ended; empty where the times do not say it."""
    ran_s = read_duration(_elapsed(told))
    return later_by(told.get("end", ""), None if ran_s is None else -ran_s)


def _runai_course(told: dialect.Told, state: str) -> tuple[str, str]:
    """(start, end): it starts when it ran, else when it was created; its end is told, else after its running time."""
    if state == "PENDING":
        return "", ""
    start = _started(told)
    if state == "RUNNING":
        return start or told.get("changed", "") or told.get("submit", ""), told.get("end", "")
    start = start or told.get("submit", "")
    ran_s = read_duration(_elapsed(told))
    return start, told.get("end", "") or later_by(start, ran_s) or told.get("changed", "")


def _condition(told: dialect.Told, kind: str) -> str:
    """When a condition was last reached; empty where it is not told."""
    return next(
        (
            told.get(f"condition_time_{n}", "")
            for n in range(_CONDITIONS_AT_MOST)
            if told.get(f"condition_{n}", "") == kind
        ),
        "",
    )


def _is_created(told: dialect.Told) -> bool:
    """Whether a workload with GPUs is counted from its creation, since nothing says when it ran."""
    state = _RUNAI_STATES.get(told.get("state", "").casefold(), "")
    is_told = _started(told) or (state == "RUNNING" and told.get("changed"))
    return state != "PENDING" and not is_told and _gpus(told) != ""


_RUNAI_WORKLOADS: Final = dialect.NamedLog(
    fields=(
        *("job_id", "cluster", "name", "account", "user", "queue", "gpu_model", "gpus", "start", "end"),
        *("elapsed", "state", "submit"),
    ),
    headings=_HEADINGS,
    texts=_runai_texts,
    containers=("workloads", "data.workloads", "items"),
    needed=(
        (("allocated", "requested", "memory"), "GPU compute request"),
        (("submit", "start"), "creation time"),
    ),
    remedy=worded("export project, status, creation and completion time, GPU compute request and allocation"),
    note=worded(
        "no start times: counted from creation, with waits. Export conditions, or pods: {command}",
        command=EXPORT_PODS,
    ),
    is_noted=_is_created,
)


def sniff_runai(head: str) -> float:
    """How sure it is that a text begins an export of workloads, 0..1."""
    keys = _RUNAI_WORKLOADS.keys(head)
    is_workload = {"name", "state", "account"} <= keys and bool(keys & {"submit", "start"})
    has_gpus = bool(keys & {"allocated", "requested"})
    has_mark = bool(keys & {"department", "queue", "pods", "running"}) or "workloadRequestedResources" in head
    has_mark = has_mark or {"allocated", "requested"} <= keys
    is_of_the_api = '"projectName"' in head and '"phase"' in head  # may lack GPUs, which are asked for then
    if not is_workload or "type" not in keys:
        return 0.0
    if has_gpus and has_mark:
        return 0.96
    return 0.6 if is_of_the_api else 0.0


RUNAI: Final = dialect.Dialect(
    format="runai", title=worded("Run:ai workloads"), sniff=sniff_runai, rows=_RUNAI_WORKLOADS.rows
)
