"""Slurm's jobs as JSON and as key=value: of its own commands, and as sonar keeps them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import Message, joined, worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import Issue
from gpuplanner.files.job_logs.dialects.slurm import slurm_fields
from gpuplanner.files.job_logs.judging.dialect import Dialect, JobTable, headings_of
from gpuplanner.files.sources.json_values import begins_json, json_paths, outer_path, whole_values
from gpuplanner.files.sources.raw_table import load_records
from gpuplanner.files.sources.source import TEXT, Source
from gpuplanner.files.sources.source import records as delimited
from gpuplanner.files.system.engine import Engine
from gpuplanner.files.values import job_states, slurm_resources
from gpuplanner.files.values.word_lists import phrases
from gpuplanner.lazy_dataclass import replace
from gpuplanner.lazy_re import lazy_re

# --- One job of Slurm's JSON, of sacct, squeue or scontrol and of any version, as the texts of a slurm_record

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


def slurm_record(job: object) -> tuple[str, ...]:
    """A job's texts in the order of RECORD_COLUMNS, times in seconds since 1970. What is no job has its text only."""
    if not isinstance(job, Mapping):
        return no_record(name=str(job)[:200])
    is_accounting = "time" in job or "tres" in job
    times = _accounting_times(job) if is_accounting else _queue_times(job)
    nodes, gpus = resources_of(job)
    return (
        _slurm_job_id(job),
        text(job.get("cluster")) or text(_inside_record(job, "association").get("cluster")),
        text(job.get("name")),
        text(job.get("account")) or text(_inside_record(job, "association").get("account")),
        text(job.get("user"))
        or text(job.get("user_name"))
        or text(_inside_record(job, "association").get("user")),
        text(job.get("partition")),
        _state(job),
        *times,
        text(job.get("nodes")),
        nodes,
        gpus,
        slurm_fields.activity_text(
            _inside_record(job, "comment").get("administrator") or job.get("admin_comment")
        ),
        *_queue(job),
    )


def no_record(cluster: str = "", name: str = "", start: str = "") -> tuple[str, ...]:
    """A slurm_record of what is no job."""
    said = {"Cluster": cluster, "JobName": name, "Start": start}
    return tuple(said.get(column, "") for column in slurm_fields.RECORD_COLUMNS)


def _queue(job: Mapping[str, Any]) -> tuple[str, str, str, str, str]:
    """Submit and eligible time, the time limit in seconds, the priority, and the QOS."""
    time = _inside_record(job, "time")
    submitted = number(time.get("submission", job.get("submit_time")))
    eligible = number(time.get("eligible", job.get("eligible_time")))
    limit = number(time.get("limit", job.get("time_limit")))
    priority = number(job.get("priority"))
    return (
        _seconds(submitted),
        _seconds(eligible),
        "" if limit is None else str(60 * limit),
        "" if priority is None else str(priority),
        text(job.get("qos")),
    )


def _inside_record(job: Mapping[str, Any], *path: str) -> Mapping[str, Any]:
    """The object at a path of keys; an empty one where anything on the way is lacking."""
    found: Any = job
    for key in path:
        found = found.get(key) if isinstance(found, Mapping) else None
    return found if isinstance(found, Mapping) else {}


def _slurm_job_id(job: Mapping[str, Any]) -> str:
    """As sacct prints it: 12, 12_3 for a task of an array, 12+1 for a part of a heterogeneous job."""
    own = number(job.get("job_id"))
    array, het = _inside_record(job, "array"), _inside_record(job, "het")
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
    state = _inside_record(job, "state").get("current", job.get("job_state", job.get("state")))
    if isinstance(state, list):
        return " ".join(each for each in state if isinstance(each, str))
    return text(state)


def _accounting_times(job: Mapping[str, Any]) -> tuple[str, str, str]:
    """Start, end and elapsed time. An end later than what was counted as elapsed or suspended is not believed:
    a slurm_record of a job that was put back in the queue ends when the job did.
    """
    time = _inside_record(job, "time")
    start, end = number(time.get("start")), number(time.get("end"))
    elapsed, suspended = number(time.get("elapsed")), number(time.get("suspended")) or 0
    if start and end and elapsed and start + elapsed + suspended < end:
        end = start + elapsed + suspended
    return _seconds(start), _seconds(end), "" if elapsed is None else str(elapsed)


def _queue_times(job: Mapping[str, Any]) -> tuple[str, str, str]:
    """Start and end; of a job that runs the end is only what its time limit allows, so there is none."""
    is_running = job_states.read_state(_state(job)) == job_states.RUNNING
    end = None if is_running else number(job.get("end_time"))
    return _seconds(number(job.get("start_time"))), _seconds(end), ""


def _seconds(at: int | None) -> str:
    """Epoch seconds as text; 0 and None are none."""
    return str(at) if at else ""


def resources_of(job: Mapping[str, Any]) -> tuple[str, str]:
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
    of_all = {text(job.get(name)) for name in ("tres_alloc_str", "tres_req_str")}
    is_known = "gres_detail" in job or not of_all <= {"", "N/A", "(null)"}
    unknown = "" if is_known else slurm_resources.UNKNOWN_GPUS  # asked for in another way, or a CPU job
    return "" if not nodes else str(nodes), best_told(told) or unknown


def best_told(told: Iterable[str]) -> str:
    """Of several lists of GPUs, the best first: the first that has any, with its models or those of a later one.

    >>> best_told(("", "gres/gpu=2", "gres/gpu:a100=2", "gres/gpu:h100=4"))
    'gres/gpu=2,gres/gpu:a100=2'
    """
    read = [(one, slurm_resources.read_tres(one)) for one in told if one]
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
    whole = slurm_resources.with_shares(whole.replace(_NO_MODEL, ":"))
    counts: dict[str, Decimal] = {}
    for part in _INDICES.sub("", whole).split(","):
        found = _GPUS.fullmatch(part.strip())
        if found is None:
            if _LIKE_GPUS.match(part.strip()):
                return part.strip()
            continue
        count = Decimal(found["count"] or 1) * {"": 1, "K": 1000, "M": 10**6}[(found["suffix"] or "").upper()]
        name = "gres/gpu" + (f":{found['model']}" if found["model"] else "")
        is_more = "=" not in part and isinstance(value, list)  # a node more, and not a total told again
        counts[name] = counts.get(name, 0) * is_more + count
    return ",".join(f"{name}={count}" for name, count in counts.items() if count)


_NO_MODEL: Final = ":(null):"
_INDICES: Final = lazy_re(r"\([^()]*\)")
_LIKE_GPUS: Final = lazy_re(r"(?i)(?:gres[/:])?gpu(?:[:=]|$)")
_GPUS: Final = lazy_re(
    r"(?i)(?:gres[/:])?gpu(?::(?P<model>[^:=,]+(?=[:=]\d)|(?!\d+(?:\.\d+)?[KM]?$)[^:=,]*[^:=,\d][^:=,]*))?"
    r"(?:[:=](?P<count>\d{1,9}(?:\.\d+)?)(?P<suffix>[KM])?)?"
)


def _times(gpus: str, count: int | None) -> str:
    """So many times the GPUs of a list; one that cannot be read where the number is not known."""
    if not gpus or count == 1:
        return gpus
    if not count:
        return f"gres/gpu={gpus} of each of an unknown number"
    found = [entry.rpartition("=") for entry in gpus.split(",")]
    return ",".join(
        f"{name}={Decimal(number) * count}" if number[:1].isdigit() else f"{name}={number}"
        for name, _, number in found
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
        entry_name = f"gres/{name}" if kind == "gres" else kind
        if slurm_resources.is_of_gpus(f"{entry_name}="):
            yield entry_name, count


# --- Slurm's `sacct --json` of any version, and the jobs of squeue's and scontrol's: jobs one at a time, however many

_MARKS: Final = phrases(
    "job_id|tres|association|derived_exit_code|allocation_nodes|job_state|tres_alloc_str|tres_per_job"
    "|tres_per_node|gres_detail|job_resources|het_job_id|state_reason|submit_line|partition|data_parser"
    "|accounting_storage"
)
_MARKS_AT_LEAST: Final = 3
_OF_SLURM: Final = lazy_re(r'"[Ss]lurm"\s*:|data_parser/|openapi/(db)?v0|accounting_storage/')
_RESOURCES: Final = lazy_re(r'"tres"\s*:\s*\{|"tres_(?:alloc|req)_str"\s*:')
_JOBS: Final = lazy_re(r'"jobs"\s*:\s*\[')

_JOBS_PATH: Final = lazy_re(r"(?:[^.]+\.){0,2}jobs\.item")


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
            source.path,
            "not_a_job_log",
            worded("not JSON"),
            worded("export again with {command}", command="sacct --json"),
        )
    faults: list[Message] = []
    count = 0

    def records() -> Iterator[tuple[int, tuple[str, ...]]]:
        """Each job as the texts of a slurm_record, numbered from 1; a break in the JSON is kept as a fault."""
        nonlocal count
        for job in whole_values(source, _path(source.head), faults.append):
            count += 1
            yield count, slurm_record(job)

    raw = load_records(engine, source, table, slurm_fields.RECORD_COLUMNS, records(), delimiter="|")
    jobs = slurm_fields.slurm_table(engine, raw, time_unit="epoch_s")
    return jobs if not faults else _with_fault(source, jobs, faults[0], count)


def _with_fault(source: Source, found: JobTable, fault: Message, count: int) -> JobTable:
    """The table with the issue that the file is cut off.

    Errors: PlannerError `truncated_file` if not one job could be read.
    """
    remedy = worded("copy or export it again")
    if count == 0:
        raise PlannerError(source.path, "truncated_file", fault, remedy)
    cause = worded("{fault} after job {count}; earlier jobs were read", fault=fault, count=whole(count))
    return replace(found, issues=(Issue("truncated_file", 1, count, joined((cause, remedy), "; ")),))


def _path(head: str) -> str:
    """Where the jobs are: in a list `jobs`, in a list by themselves, or one after the other."""
    if not _JOBS.search(head):
        return outer_path(head)
    return next((path for path in json_paths(head) if _JOBS_PATH.fullmatch(path)), "jobs.item")


SLURM_JSON: Final = Dialect(format="sacct_json", title=worded("Slurm export in JSON"), sniff=sniff, rows=rows)


# --- Slurm's jobs as key=value: sonar's lines with commas, and those of jobcomp and `scontrol show job` with blanks

_LIMIT_IN_MINUTES: Final = "timelimitraw"

_NAMES: Final = headings_of("slurm_records")
_OF_EACH_NODE: Final = ("trespernode", "gres")
"""Where the controller tells GPUs on sites that do not account them."""

"""What each column is called, in small letters, the best first."""

_KEY: Final = lazy_re(r"^[A-Za-z_][\w%/.:]{0,40}=")
_LIST: Final = lazy_re(r"(?i)^\w*TRES=")
_RESOURCE: Final = lazy_re(r"^(billing|cpu|energy|mem|node|pages|vmem|(bb|fs|gres|ic|license)/[^=]+)=")
_BLANK_KEY: Final = lazy_re(r"(?:^|(?<=\s))([A-Z][A-Za-z/:_]{1,40})=")
_BLANK_START: Final = lazy_re(r"^\s*JobI[dD]=\d")
_UID: Final = lazy_re(r"\(\d+\)$")
_SAMPLE: Final = 200
_ENOUGH: Final = 0.8
_LINES_IN_A_BLOCK: Final = 200


def sniff_kv(head: str) -> float:
    """How sure it is that a text begins jobs of Slurm as key=value, 0..1."""
    if _is_blank_parted(head):
        return 0.95
    sample = _sample(head)
    jobs = sum("jobid" in found for found in sample)
    others = sum("error" in found for found in sample)
    return 0.95 if jobs and jobs + others >= _ENOUGH * len(sample) else 0.0


def kv_rows(source: Source, engine: Engine, table: str) -> JobTable:
    """The records of an export. A line that is an error sonar met is a row too, which is rejected.

    Errors: PlannerError missing_column where no job of the first lines tells a time or GPUs; not_a_job_log.
    """
    if source.kind != TEXT:
        raise PlannerError(source.path, "not_a_job_log", worded("not text"), slurm_fields.ASK_SLURM)
    is_blank_parted = _is_blank_parted(source.head)
    _check_keys(source, is_blank_parted)
    with source.text_lines() as lines:
        found = blocks(lines) if is_blank_parted else comma_lines(lines)
        records = ((line, record(values, from_controller=is_blank_parted)) for line, values in found)
        raw = load_records(engine, source, table, slurm_fields.RECORD_COLUMNS, records, delimiter="|")
    return slurm_fields.slurm_table(engine, raw)


def comma_lines(lines: Iterable[str]) -> Iterator[tuple[int, dict[str, str]]]:
    """Every line that is not blank as (its number, values by key in small letters)."""
    for line, cells in delimited(lines, ","):
        yield line, _values(cells)


def _values(cells: Sequence[str]) -> dict[str, str]:
    """A cell without a key belongs to the value before it: it held a comma. So does a resource after a list of them."""
    whole: list[str] = []
    for cell in cells:
        is_listed = whole and _LIST.match(whole[-1]) and _RESOURCE.match(cell)
        if not whole or (_KEY.match(cell) and not is_listed):
            whole.append(cell)
        else:
            whole[-1] += f",{cell}"
    return {key.strip().lower(): value for key, _, value in (cell.partition("=") for cell in whole)}


def blocks(lines: Iterable[str]) -> Iterator[tuple[int, dict[str, str]]]:
    """Every job of a text with blanks between its values, on one line or several, as (its first line, values)."""
    begun = 0
    held: list[str] = []
    for at, line in enumerate(lines, 1):
        starts = bool(_BLANK_START.match(line))
        if held and (starts or not line.strip() or len(held) >= _LINES_IN_A_BLOCK):
            yield begun, _spaced(" ".join(held))
            held = []
        if line.strip():
            begun = begun if held else at
            held.append(line.strip())
    if held:
        yield begun, _spaced(" ".join(held))


def _spaced(text: str) -> dict[str, str]:
    """Keys and values parted by blanks: a value reaches up to the next key, so it may hold blanks itself."""
    found = list(_BLANK_KEY.finditer(text))
    values: dict[str, str] = {}
    for place, match in enumerate(found):
        end = found[place + 1].start() if place + 1 < len(found) else len(text)
        values.setdefault(match[1].lower(), text[match.end() : end].strip())
    return values


def record(values: Mapping[str, str], *, from_controller: bool = False) -> tuple[str, ...]:
    """A job's texts in the order of RECORD_COLUMNS.

    from_controller: the end of a running job is then only what its time limit allows, so there is none.
    """
    found = {
        column: next((values[name] for name in names if values.get(name)), "")
        for column, names in _NAMES.items()
    }
    if not found["JobID"] and values.get("error"):
        found["Start"] = f"error={values['error']}"
    if from_controller:
        found["User"] = _UID.sub("", found["User"])
        found = {column: "" if text == "(null)" else text for column, text in found.items()}
        if job_states.read_state(found["State"]) == job_states.RUNNING and "runtime" in values:
            found["End"] = ""
        found["AllocTRES"] = _with_gpus_of_nodes(found["AllocTRES"], found["NNodes"], values)
        if values.get("arrayjobid") and values.get("arraytaskid"):
            found["JobID"] = f"{values['arrayjobid']}_{values['arraytaskid']}"
    if not values.get("timelimit") and found["Timelimit"].isdecimal():
        found["Timelimit"] = f"{found['Timelimit']}:00"
    found["GPUActivity"] = slurm_fields.activity_text(values.get("admincomment"))
    return tuple(found[column] for column in slurm_fields.RECORD_COLUMNS)


def _with_gpus_of_nodes(listed: str, nodes: str, values: Mapping[str, str]) -> str:
    """The list of resources with the GPUs that each node gives, where it tells none."""
    if "gres/gpu" in listed.lower():
        return listed
    count = max(1, int(nodes)) if nodes.isdecimal() and len(nodes) < 7 else 1
    of_nodes = (_times(gpus_in_text(values.get(name)), count) for name in _OF_EACH_NODE)
    return ",".join(filter(None, (listed, best_told((gpus_in_text(values.get("tresperjob")), *of_nodes)))))


def _is_blank_parted(head: str) -> bool:
    """Whether the first line is of jobcomp or `scontrol show job`."""
    first = next((line for line in head.splitlines() if line.strip()), "")
    return None not in (
        _BLANK_START.match(first),
        lazy_re(r"\sJobState=|\sUserI[dD]=|\sJobName=").search(head),
    )


def _sample(head: str) -> list[dict[str, str]]:
    """The first lines as values by key, for those parted by commas."""
    lines = [line for line in head.splitlines() if line.strip()][:_SAMPLE]
    return [_values(cells) for _, cells in delimited(lines, ",")]


def _check_keys(source: Source, is_blank_parted: bool) -> None:
    """PlannerError `missing_column` if no job that ran has a start, an end or its allocated resources."""
    sample = (
        [values for _, values in blocks(source.head.splitlines())]
        if is_blank_parted
        else _sample(source.head)
    )
    ran = [
        values
        for values in sample
        if values.get("jobid")
        and job_states.read_state(values.get("state", values.get("jobstate", ""))) != job_states.PENDING
    ]
    there = {key for values in ran for key in values}
    needed = {"Start": ("Start",), "End": ("End", "ElapsedRaw"), "AllocTRES": ("AllocTRES",)}
    missing = [
        name
        for name, columns in needed.items()
        if ran and not any(there & set(_NAMES[column]) for column in columns)
    ]
    if missing:
        raise PlannerError(
            f"{source.path}:1",
            "missing_column",
            worded("key=value list of Slurm jobs without key {names}", names=", ".join(missing)),
            slurm_fields.ASK_SLURM,
        )


SONAR_KV: Final = Dialect(
    format="sonar_kv", title=worded("Slurm export of key=value"), sniff=sniff_kv, rows=kv_rows
)


# --- sonar's jobs in JSON: envelopes one after the other, each with a cluster's Slurm jobs and their steps, or errors

_IS_JOBS: Final = lazy_re(r'"type"\s*:\s*"jobs?"')
_SACCT_ID: Final = lazy_re(r'(?i)"JobID(?:Raw)?"\s*:')
_SACCT_GPUS: Final = lazy_re(r'(?i)"(?:Alloc|Req)TRES"\s*:')
"""Older versions, and others who write sacct's fields as JSON, name jobs by them."""

_BASE: Final = 2
"""What sonar adds to numbers that may be unset (0) or without limit (1)."""


def sniff_json(head: str) -> float:
    """How sure it is that a text begins jobs of sonar in JSON, 0..1."""
    if not begins_json(head):
        return 0.0
    if _SACCT_ID.search(head) and _SACCT_GPUS.search(head):
        return 0.96
    is_jobs = '"slurm_jobs"' in head or ('"attributes"' in head and _IS_JOBS.search(head) is not None)
    return 0.96 if is_jobs else 0.0


def json_rows(source: Source, engine: Engine, table: str) -> JobTable:
    """Jobs and steps, numbered as they come; an error that sonar met is a row too, which is rejected.

    Of JSON that is cut off, the envelopes before that are kept. Errors: PlannerError truncated_file where there are
    none.
    """
    if source.kind != TEXT or not begins_json(source.head):
        raise PlannerError(
            source.path, "not_a_job_log", worded("not JSON"), worded("export it in sonar's own format")
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

    raw = load_records(engine, source, table, slurm_fields.RECORD_COLUMNS, numbered(), delimiter="|")
    jobs = slurm_fields.slurm_table(engine, raw)
    if not faults:
        return jobs
    remedy = worded("copy or export it again")
    if count == 0:
        raise PlannerError(source.path, "truncated_file", faults[0], remedy)
    fault = worded("{fault} after row {count}; earlier rows were read", fault=faults[0], count=whole(count))
    return replace(jobs, issues=(Issue("truncated_file", 1, count, joined((fault, remedy), "; ")),))


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
        return record(values | {"cluster": values.get("cluster") or cluster})
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
        text(job.get("qos")),
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
        ",".join(entry for entry in entries if slurm_resources.is_of_gpus(entry)),
        gpus_in_text(job.get("gres_detail")),
        gpus_in_text(job.get("requested_resources")),
    )
    return ",".join(filter(None, (best_told(told), *nodes)))


SONAR_JSON: Final = Dialect(
    format="sonar_json", title=worded("Slurm jobs by sonar"), sniff=sniff_json, rows=json_rows
)
