"""Schedulers on Kubernetes (Kueue's workloads, Volcano's jobs, workloads of Run:ai), and OpenCost's allocations."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.window import DAY_S, iso_utc
from gpuplanner.files.job_logs.dialects.kubernetes_pods import (
    FIELDS,
    PREFIXES,
    SHARE_NOTES,
    PodGpus,
    add_up,
    count_resources,
    decimal_text,
    gpu_texts,
    job_of_object,
    pod_gpus,
    quantity,
    strip_hash,
)
from gpuplanner.files.job_logs.judging import dialect
from gpuplanner.files.sources.json_values import (
    json_members,
    json_paths,
    json_records,
    object_at,
    objects_in,
    text_of,
)
from gpuplanner.files.sources.raw_table import load_raw
from gpuplanner.files.sources.source import Source
from gpuplanner.files.system.engine import Engine
from gpuplanner.files.system.resources import plain_table
from gpuplanner.files.tables.delimited import bare, header_columns, no_column
from gpuplanner.files.values.gpu_names import name_begun_with
from gpuplanner.files.values.numbers import read_decimal
from gpuplanner.files.values.times import utc_seconds
from gpuplanner.files.values.written_dates import read_duration
from gpuplanner.lazy_re import lazy_re

# --- Kueue's workloads, as `kubectl get workloads -A -o json` shows them: what was admitted, from when to when

_FAILED_WORDS: Final = ("fail", "error", "exceeded")


def sniff_kueue(head: str) -> float:
    """How sure it is that a text begins an export of workloads, 0..1.

    By kind Workload with podSets or Kueue's own API group.
    """
    paths = json_paths(head)
    for prefix in PREFIXES:
        if paths.get(f"{prefix}kind") == "Workload" and (
            f"{prefix}spec.podSets" in paths or "kueue" in (paths.get(f"{prefix}apiVersion") or "")
        ):
            return 1.0
    return 0.9 if paths.get("kind") == "WorkloadList" else 0.0


def kueue_rows(source: Source, engine: Engine, table: str) -> dialect.JobTable:
    """Every workload is a job. Errors: PlannerError truncated_file, file_unreadable."""
    runs = (texts for _, value in json_records(source, "items") for texts in _kueue_runs(value))
    return dialect.table_of_texts(engine, source, table, FIELDS, enumerate(runs, 1), notes=_KUEUE_NOTES)


_EVICTED: Final = "evicted"
_PODS: Final = "kubectl get pods -A -o json"
_KUEUE_NOTES: Final = {
    **SHARE_NOTES,
    _EVICTED: dialect.Note(
        "undecided",
        worded("evicted workloads: only the last run counts. Export the pods too: {command}", command=_PODS),
    ),
}


def _kueue_runs(value: object) -> Iterator[dialect.JobTexts]:
    """A workload as its last run, after the one that it was evicted from where its length is told; else it is noted."""
    texts, status = workload_texts(value), object_at(value, "status")
    at = {
        text_of(each.get("type")): text_of(each.get("lastTransitionTime"))
        for each in objects_in(status, "conditions")
    }
    ended = max((at[kind] for kind in ("Evicted", "Preempted") if kind in at), default="")
    ran = status.get("accumulatedPastExexcutionTimeSeconds") or status.get(
        "accumulatedPastExecutionTimeSeconds"
    )
    began = _later(ended, -int(ran)) if isinstance(ran, int) else ""
    is_again = bool(texts.get("gpus") and ended and ended < texts.get("start", ""))
    if is_again and began:
        yield {**texts, "start": began, "end": ended, "state": "PREEMPTED", dialect.NOTED: ""}
    yield {**texts, dialect.NOTED: f"{texts.get(dialect.NOTED, '')} {_EVICTED * (is_again and not began)}"}


def workload_texts(value: object) -> dialect.JobTexts:
    """A workload as the texts of a job.

    GPUs are those of its admission where there is one, else those asked for.
    """
    return job_of_object(value, "Workload", _kueue_texts)


def _kueue_texts(spec: Mapping[str, Any], status: Mapping[str, Any]) -> dialect.JobTexts:
    """A workload as texts of a job: its queue, what was admitted and its course."""
    gpus, nodes = _asked(spec, status)
    start, end, state = _kueue_course(status)
    return {
        "queue": text_of(spec.get("queueName")),
        "nodes": nodes,
        "start": start,
        "end": end,
        "state": state,
        "time_limit": text_of(spec.get("maximumExecutionTimeSeconds")),
        "priority": text_of(spec.get("priority")),
        **gpu_texts(gpus, _pods(objects_in(spec, "podSets"), "count")),
    }


def _pods(kinds: Iterable[Mapping[str, Any]], counted: str) -> list[tuple[object, Fraction | None]]:
    """The templates of kinds of pods, each with how many there are of it."""
    return [(kind.get("template"), quantity(text_of(kind.get(counted, 1)))) for kind in kinds]


def _asked(spec: Mapping[str, Any], status: Mapping[str, Any]) -> tuple[PodGpus, str]:
    """GPUs over all pods and how many pods have one: as admitted, else as asked for."""
    assigned = {
        text_of(each.get("name")): each for each in objects_in(status, "admission", "podSetAssignments")
    }

    def parts() -> Iterator[tuple[PodGpus, Fraction | None]]:
        """Each set of pods with what one pod holds and how many were admitted."""
        for pod_set in objects_in(spec, "podSets") or assigned.values():
            admitted = assigned.get(text_of(pod_set.get("name")), {})
            count = quantity(text_of(admitted.get("count", pod_set.get("count", 1)))) or Fraction(0)
            yield _each(pod_set, admitted, count), count

    return add_up(parts())


def _each(pod_set: Mapping[str, Any], admitted: Mapping[str, Any], count: Fraction) -> PodGpus:
    """GPUs of one pod of a set: what was admitted is of all of them."""
    template = pod_gpus(object_at(pod_set, "template"))
    usage = object_at(admitted, "resourceUsage")
    given = count_resources(usage) if usage else template
    own = quantity(given.gpus) if given.gpus else Fraction(0)
    if own is None or own < 0:
        return given
    model = template.gpu_model or _model_of_flavor(object_at(admitted, "flavors"), bool(own))
    each = own / count if usage and count else own
    return PodGpus(decimal_text(each), model, given.is_share_unknown)


def _model_of_flavor(flavors: Mapping[str, Any], has_gpus: bool) -> str:
    """The GPU model that the flavour of the GPUs is named after, where it begins with one."""
    for resource, flavor in flavors.items():
        if has_gpus and count_resources({resource: "1"}).gpus:
            return name_begun_with(text_of(flavor))
    return ""


def _kueue_course(status: Mapping[str, Any]) -> tuple[str, str, str]:
    """(start, end, state): from its admission to its end, or to when it was evicted after that, whatever else is still
    true of it; one that was put back into the queue is pending.
    """
    changed: dict[str, Mapping[str, Any]] = {
        text_of(each.get("type")): each for each in objects_in(status, "conditions")
    }

    def since(kind: str) -> str:
        """Since when a condition has been true; empty if it is not."""
        condition = changed.get(kind, {})
        return text_of(condition.get("lastTransitionTime")) if condition.get("status") == "True" else ""

    start = since("Admitted") or since("QuotaReserved")
    end = since("Finished")
    evicted = sorted(at for at in map(since, ("Evicted", "Preempted")) if at and at >= start)
    if start and evicted and (not end or evicted[0] < end):
        return start, evicted[0], "PREEMPTED"
    if end:
        finished = changed["Finished"]
        said = f"{text_of(finished.get('reason'))} {text_of(finished.get('message'))}".lower()
        is_failed = any(word in said for word in _FAILED_WORDS)
        return start, end, "CANCELLED" if not start else "FAILED" if is_failed else "COMPLETED"
    return start, "", "RUNNING" if start else "PENDING"


KUEUE: Final = dialect.Dialect(
    format="kueue", title=worded("Kueue workloads"), sniff=sniff_kueue, rows=kueue_rows
)


# --- Volcano's jobs, as `kubectl get vcjob -A -o json` shows them: GPUs of their tasks, and when they ran

_VOLCANO_STATES: Final = plain_table("volcano_state")

_FROM_CREATION: Final = "creation"
_NOTES: Final = {
    **SHARE_NOTES,
    _FROM_CREATION: dialect.Note(
        "undecided",
        worded(
            "no start times: counted from creation, with waits. Export the pods: {command}", command=_PODS
        ),
    ),
}


def sniff_volcano(head: str) -> float:
    """How sure it is that a text begins a list of Volcano's jobs, 0..1."""
    paths = json_paths(head)
    for prefix in PREFIXES:
        if (paths.get(f"{prefix}apiVersion") or "").startswith("batch.volcano.sh/"):
            return 1.0 if paths.get(f"{prefix}kind") in ("Job", None) else 0.0
    return 0.0


def volcano_rows(source: Source, engine: Engine, table: str) -> dialect.JobTable:
    """Every job. Errors: PlannerError truncated_file, file_unreadable."""
    jobs = (
        (row, job_of_object(value, "Job", _volcano_texts)) for row, value in json_records(source, "items")
    )
    return dialect.table_of_texts(engine, source, table, FIELDS, jobs, notes=_NOTES)


def _volcano_texts(spec: Mapping[str, Any], status: Mapping[str, Any]) -> dialect.JobTexts:
    """A job as texts, GPUs and nodes added up over its tasks; noted where its start is that of its creation."""
    pods = _pods(objects_in(spec, "tasks"), "replicas")
    gpus, nodes = add_up((pod_gpus(object_at(pod)), count) for pod, count in pods)
    start, end, state, is_from_creation = _volcano_course(status)
    return {
        "queue": text_of(spec.get("queue")),
        "nodes": nodes,
        "start": start,
        "end": end,
        "state": state,
        **gpu_texts(gpus, pods, *([_FROM_CREATION] if is_from_creation else ())),
    }


def _volcano_course(status: Mapping[str, Any]) -> tuple[str, str, str, bool]:
    """(start, end, state, whether the start is its creation): older versions keep only the last change."""
    now = object_at(status, "state")
    phase, changed = text_of(now.get("phase")), text_of(now.get("lastTransitionTime"))
    state = _VOLCANO_STATES.get(phase, phase)
    began = [
        text_of(each.get("lastTransitionTime"))
        for each in objects_in(status, "conditions")
        if each.get("status") == "Running"
    ]
    if state == "PENDING":  # again, where it ran before
        return (began[0], changed, "PREEMPTED", False) if began else ("", "", state, False)
    if state == "RUNNING":
        return began[0] if began else changed, "", state, False
    if began:
        return began[0], changed, state, False
    length_s, end_s = read_duration(text_of(status.get("runningDuration"))), utc_seconds(changed)
    if length_s is None or end_s is None:
        return "", changed, "CANCELLED" if state == "CANCELLED" else state, False
    return iso_utc(end_s - length_s), changed, state, True


VOLCANO: Final = dialect.Dialect(
    format="volcano", title=worded("Volcano jobs"), sniff=sniff_volcano, rows=volcano_rows
)


# --- Workloads of Run:ai: what its API says of them, or the table that its window exports --------

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
    return _later(told.get("end", ""), None if ran_s is None else -ran_s)


def _later(at: str, seconds: int | None) -> str:
    """A time so much later; empty where one of them is not told."""
    try:
        return (
            "" if seconds is None else (datetime.fromisoformat(at) + timedelta(seconds=seconds)).isoformat()
        )
    except (ValueError, OverflowError):
        return ""


def _runai_course(told: dialect.Told, state: str) -> tuple[str, str]:
    """(start, end): it starts when it ran, else when it was created; its end is told, else after its running time."""
    if state == "PENDING":
        return "", ""
    start = _started(told)
    if state == "RUNNING":
        return start or told.get("changed", "") or told.get("submit", ""), told.get("end", "")
    start = start or told.get("submit", "")
    ran_s = read_duration(_elapsed(told))
    return start, told.get("end", "") or _later(start, ran_s) or told.get("changed", "")


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
        command=_PODS,
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
    return 0.96 if has_gpus and has_mark else 0.6 if is_of_the_api else 0.0


RUNAI: Final = dialect.Dialect(
    format="runai", title=worded("Run:ai workloads"), sniff=sniff_runai, rows=_RUNAI_WORKLOADS.rows
)


# --- OpenCost and Kubecost allocation: CSV exports and the JSON of the allocation API

ALLOCATION_FIELDS: Final = (
    *("job_id", "cluster", "name", "account", "gpu_model", "gpus", "start", "end", "activity", "hosts"),
)

ALLOCATION_HEADINGS: Final = dialect.headings_of("opencost")
"""Column names without case and signs, the best first."""

_MARKS_OF_JSON: Final = (
    {"gpuHours", "start"},
    {"gpuCost", "cpuCost", "minutes"},
    {"gpuCost", "cpuCost", "allocations"},
)
_SETS: Final = "data.sets.item.allocations"
"""Where the summary of the allocation API has its allocations by name."""

_ALLOCATED: Final = {"gpucost", "cpucost", "ramcost", "totalcost", "gpuhours", "cpucorehours", "rambytehours"}
_OF_JOBS: Final = {"jobid", "contractid", "offerid"}
_NOT_USED: Final = ("__idle__", "__unmounted__")
"""Parts of names of what is no work: GPUs that nobody asked for, disks that nobody mounted."""

_NAIVE: Final = lazy_re(r"^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?$")
_MIDNIGHT: Final = "T00:00:00Z"
_DATE_LENGTH: Final = 10
_MINUTES_AT_MOST: Final = 10**8


def sniff_opencost(head: str) -> float:
    """How sure it is that a text begins an allocation export, 0..1."""
    paths = json_paths(head)
    if paths:
        names = {path.rpartition(".")[2] for path in paths}
        return 0.95 if any(names >= marks for marks in _MARKS_OF_JSON) else 0.0
    columns = header_columns(head)[1]
    keys, names = dialect.located(columns, ALLOCATION_HEADINGS).keys(), {bare(name) for name in columns}
    has_place = keys & {"namespace", "pod"} or {"name", "minutes"} <= keys
    is_allocation = "start" in keys and has_place and names & _ALLOCATED
    return 0.9 if is_allocation and not names & _OF_JOBS else 0.0


def opencost_rows(source: Source, engine: Engine, table: str) -> dialect.JobTable:
    """Every allocation; idle ones are ignored, since nobody used them.

    Errors: PlannerError missing_column without GPUs; truncated_file, file_unreadable.
    """
    if json_paths(source.head):
        return dialect.table_of_texts(engine, source, table, ALLOCATION_FIELDS, _json_jobs(source))
    delimiter, columns = header_columns(source.head)
    places = dialect.located(columns, ALLOCATION_HEADINGS)
    missing = ["gpuCount or gpuHours"] if not places.keys() & {"gpus", "gpu_hours"} else []
    missing += [] if "start" in places else ["start"]
    if missing:
        raise no_column(source.path, missing, worded("export the allocation with its GPUs"))
    raw = load_raw(engine, source, f"{table}_cells", columns, delimiter=delimiter, is_whole=True)
    has_id = {"pod", "container"} <= places.keys()
    jobs = dialect.table_jobs(engine, raw, places, lambda values: _table_job(values, has_id=has_id))
    return dialect.table_of_texts(engine, source, table, ALLOCATION_FIELDS, jobs, ragged=raw.ragged)


def _table_job(texts: Mapping[str, str], *, has_id: bool) -> dialect.JobTexts:
    """One container of one pod in one window is one row; with less, several rows may be alike and yet not one."""
    ids = (texts.get("namespace", ""), texts.get("pod", ""), texts.get("container", ""))
    return allocation_texts({**texts, "key": "/".join(ids) if has_id and texts["pod"] else ""})


def _json_jobs(source: Source) -> Iterator[tuple[int, dialect.JobTexts]]:
    """Of the API's sets of allocations by name, of such sets alone, or of allocations in an array or by line."""
    paths = json_paths(source.head)
    if _SETS in paths:
        for row, (name, value) in enumerate(json_members(source, _SETS), 1):
            yield row, read_json_job(name, value)
    elif "data.item" in paths or "data" in paths:
        for row, (name, value) in enumerate(json_members(source, "data.item"), 1):
            yield row, read_json_job(name, value)
    elif "item" in paths and "item.start" not in paths:
        for row, (name, value) in enumerate(json_members(source, "item"), 1):
            yield row, read_json_job(name, value)
    else:
        for row, value in json_records(source):
            yield row, read_json_job(text_of(object_at(value).get("name")), value)


def read_json_job(name: str, value: object) -> dialect.JobTexts:
    """An allocation of the API as texts of a job; a total that only has costs is no job."""
    if not isinstance(value, dict):
        return {dialect.RAW: name or text_of(value)}
    of, window, device = (object_at(value, key) for key in ("properties", "window", "gpuAllocation"))
    values: dict[str, str] = {
        "name": text_of(value.get("name")) or name,
        "start": text_of(value.get("start")) or text_of(window.get("start")),
        "end": text_of(value.get("end")) or text_of(window.get("end")),
        "minutes": text_of(value.get("minutes")),
        "gpus": text_of(value.get("gpuCount")) or text_of(value.get("gpuRequestAverage")),
        "gpu_hours": text_of(value.get("gpuHours")),
        "gpu_model": text_of(device.get("gpuModel")) or text_of(device.get("gpuDevice")),
        "activity": _percent(device.get("gpuUsageAverage")),
    }
    values |= {
        key: text_of(of.get(key))
        for key in ("cluster", "namespace", "controller", "pod", "node", "container")
    }
    values["controller_kind"] = text_of(of.get("controllerKind"))
    if not values["gpus"] and not values["gpu_hours"] and read_decimal(text_of(value.get("gpuCost"))):
        values["gpus"] = "not told, though GPUs cost something"
    return allocation_texts({**values, "key": values["name"]})


def allocation_texts(texts: Mapping[str, str]) -> dialect.JobTexts:
    """An allocation as the texts of a job.

    texts: texts by key of ALLOCATION_HEADINGS, and `key`, which names it in its window.
    """

    def text_at(key: str) -> str:
        """A field's text, empty without it."""
        return texts.get(key, "")

    everything = " ".join(text_at(key) for key in ("name", "namespace", "pod", "container"))
    start, end = _in_utc(text_at("start")), _in_utc(text_at("end"))
    if not end and start.endswith(_MIDNIGHT) and len(text_at("start")) == _DATE_LENGTH:
        end = _time_after(start, Fraction(DAY_S))
    elif not end:
        end = _time_after(start, _minutes(text_at("minutes")))
    kind, controller = text_at("controller_kind").lower(), text_at("controller")
    name = controller or text_at("pod") or text_at("name").rpartition("/")[2]
    return {
        "job_id": text_at("key"),
        "cluster": text_at("cluster"),
        "name": strip_hash(name) if kind == "replicaset" or not controller else name,
        "account": text_at("namespace"),
        "gpu_model": text_at("gpu_model"),
        "gpus": _allocated_gpus(
            text_at("gpu_hours"), text_at("gpus"), _seconds(text_at("minutes"), start, end)
        ),
        "start": start,
        "end": end,
        "activity": text_at("activity"),
        "hosts": text_at("node"),
        dialect.IGNORED: "1"
        if any(word in everything for word in _NOT_USED) or _is_total(text_at("name"), start)
        else "",
    }


def _is_total(name: str, start: str) -> bool:
    """Whether a row without a start is the sum line of an export."""
    return not start and name.strip().casefold().rstrip("s:") in ("total", "sum", "grand total")


def _allocated_gpus(hours_text: str, count_text: str, seconds: Fraction | None) -> str:
    """GPU-hours over their time; the number that is told where there are none, or where one of them is no number."""
    hours = read_decimal(hours_text)
    if hours is None or not seconds:
        return count_text or hours_text
    gpus = Fraction(hours) * 3600 / seconds
    return f"{Decimal(gpus.numerator) / Decimal(gpus.denominator):.9f}"


def _seconds(minutes_text: str, start: str, end: str) -> Fraction | None:
    """How long the job row lasts, so that its GPUs times its length are the GPU-hours that are told."""
    first, last = utc_seconds(start), utc_seconds(end)
    if first is not None and last is not None and last > first:
        return Fraction(last - first)
    return _minutes(minutes_text)


def _minutes(text: str) -> Fraction | None:
    """Seconds of a text in minutes; None unless it is a positive number of sane size."""
    minutes = read_decimal(text)
    return Fraction(minutes) * 60 if minutes is not None and 0 < minutes < _MINUTES_AT_MOST else None


def _time_after(start: str, seconds: Fraction | None) -> str:
    """A time plus so many seconds in ISO; empty if either is unknown."""
    first = utc_seconds(start)
    return "" if first is None or seconds is None else iso_utc(first + int(seconds))


def _percent(ratio: object) -> str:
    """A ratio from 0 to 1 as a percentage; empty where it is none."""
    value = read_decimal(text_of(ratio))
    return "" if value is None or not 0 <= value <= 1 else f"{100 * value:.3f}"


def _in_utc(text: str) -> str:
    """The tools write UTC, also where they do not say so; a date alone is its midnight."""
    if not _NAIVE.match(text):
        return text
    return text + (_MIDNIGHT if len(text) == _DATE_LENGTH else "Z")


OPENCOST: Final = dialect.Dialect(
    format="opencost",
    title=worded("Kubecost or OpenCost allocation"),
    sniff=sniff_opencost,
    rows=opencost_rows,
)
