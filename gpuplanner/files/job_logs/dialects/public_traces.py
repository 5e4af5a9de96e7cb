"""Public traces: Philly and tables like it, Alibaba's PAI and openb, the Standard Workload Format."""

import csv
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import islice
from typing import Final

from gpuplanner.domain.message import worded, worded_both
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import Facts
from gpuplanner.files.job_logs.judging import dialect
from gpuplanner.files.sources.json_values import json_paths, json_records, objects_in, text_of
from gpuplanner.files.sources.raw_table import load_raw
from gpuplanner.files.sources.source import PARQUET, Source
from gpuplanner.files.system.engine import Engine
from gpuplanner.files.tables import delimited
from gpuplanner.files.values.gpu_names import MILLI_PER, GpuReading, from_number
from gpuplanner.files.values.numbers import UNIT_OF_WORD, phrases, read_decimal
from gpuplanner.lazy_re import lazy_re

_MAP_THEM: Final = worded_both("name the columns with --map", "map its columns")

# --- Traces of deep-learning clusters: Philly's job log in JSON, and tables of start and duration like it

PHILLY_FIELDS: Final = phrases("job_id|account|user|queue|gpus|nodes|start|end|state|hosts|submit")

HEADINGS: Final = dialect.headings_of("philly")
"""Column names of such tables, the best first; a duration may end in its unit."""

_UNITS: Final = {"": "s"} | {word: unit for word, unit in UNIT_OF_WORD.items() if unit in ("s", "min", "h")}
_NUMBER: Final = lazy_re(r"^\d{1,16}(?:\.\d+)?$")
_MILLISECONDS_FROM: Final = 10**11
_SAMPLE: Final = 50

_PHILLY_STATES: Final = {"PASS": "COMPLETED", "KILLED": "CANCELLED"}

_OWN_HEADINGS: Final = (frozenset({"vc"}), frozenset({"virtual_cluster"}), frozenset({"gpu_num", "node_num"}))
_OWN_STATES: Final = frozenset({"pass", "killed", "failed"})
"""What only such traces say; any other table of start and duration is mapped."""


def sniff_philly(head: str) -> float:
    """How sure it is that a text begins such a trace, 0..1.

    1 for jobs in JSON with vc and attempts; a table is surely one only if its columns are named so.
    """
    paths = json_paths(head)
    if paths:
        for prefix in ("item.", ""):
            if f"{prefix}attempts" in paths and f"{prefix}vc" in paths:
                return 1.0
        return 0.0
    delimiter, columns = delimited.header_columns(head)
    if not {"gpus", "start", "elapsed"} <= _located(columns).keys():
        return 0.0
    return 0.9 if _is_own(head, delimiter, columns) else 0.3


def philly_rows(source: Source, engine: Engine, table: str) -> dialect.JobTable:
    """Each attempt of a job is a run of its own. Errors: PlannerError truncated_file, file_unreadable.

    A table needs GPUs, start and duration: PlannerError missing_column otherwise.
    """
    if json_paths(source.head):
        return dialect.table_of_texts(engine, source, table, PHILLY_FIELDS, _json_runs(source))
    delimiter, columns = delimited.header_columns(source.head)
    located = _located(columns)
    missing = [field for field in ("gpus", "start", "elapsed") if field not in located]
    if missing:
        names = [name.replace("elapsed", "duration") for name in missing]
        raise delimited.no_column(source.path, names, _MAP_THEM)
    raw = load_raw(engine, source, table, columns, delimiter=delimiter)
    fields = {field: f"c{index}" for field, (index, _) in located.items()}
    state = fields.get("state", "''")
    fields["state"] = (
        f"case upper(trim({state})) when 'PASS' then 'COMPLETED' when 'KILLED' then 'CANCELLED' else {state} end"
    )
    samples = _samples(source.head, delimiter)
    return dialect.JobTable(
        raw=raw,
        fields=fields,
        start_unit=_clock_unit(samples, located, "start"),
        end_unit=_clock_unit(samples, located, "end"),
        elapsed_unit=located["elapsed"][1],
        queue_units={"submit": unit} if (unit := _clock_unit(samples, located, "submit")) else {},
        end_is_elapsed="end" not in located,
    )


def _json_runs(source: Source) -> Iterator[tuple[int, dialect.JobTexts]]:
    """Each attempt of each job as a row of its own, numbered through from 1."""
    row = 0
    for _, value in json_records(source):
        for texts in run_texts(value):
            row += 1
            yield row, texts


def run_texts(value: object) -> list[dialect.JobTexts]:
    """The runs of a job. What was tried again ended as requeued; a job that was never placed, as cancelled.

    Attempts in the order of the file; the virtual cluster (vc) is both account and queue.
    """
    if not isinstance(value, dict):
        return [{dialect.RAW: text_of(value)}]
    status = text_of(value.get("status")).upper()
    state = _PHILLY_STATES.get(status, status)
    of_job = {
        "job_id": text_of(value.get("jobid")),
        "account": text_of(value.get("vc")),
        "user": text_of(value.get("user")),
        "queue": text_of(value.get("vc")),
        "submit": _time(value.get("submitted_time")),
    }
    attempts = objects_in(value, "attempts")
    if not attempts:
        return [{**of_job, "state": state if state in ("PENDING", "RUNNING") else "CANCELLED"}]
    last = len(attempts) - 1
    return [
        {**of_job, **_attempt(attempt), "state": _state_of(attempt, state, is_last=number == last)}
        for number, attempt in enumerate(attempts)
    ]


def _state_of(attempt: Mapping[str, object], state: str, *, is_last: bool) -> str:
    """How an attempt ended: the job's state belongs to the last one, those before it were requeued."""
    if _time(attempt.get("start_time")) == "":
        return "CANCELLED"  # it was placed and never began
    return state if is_last else "REQUEUED"


def _attempt(attempt: Mapping[str, object]) -> dialect.JobTexts:
    """One attempt as texts: GPUs counted over the devices of all its places, with their addresses as hosts."""
    places = objects_in(attempt, "detail")
    devices = [place.get("gpus") for place in places]
    count = sum(len(each) for each in devices if isinstance(each, list))
    return {
        "gpus": str(count) if count else "",
        "nodes": str(len(places)) if places else "",
        "start": _time(attempt.get("start_time")),
        "end": _time(attempt.get("end_time")),
        "hosts": ",".join(text_of(place.get("ip")) for place in places),
    }


def _time(value: object) -> str:
    """A time as text; `None` and `null`, as Python and JSON write them, are empty."""
    text = text_of(value)
    return "" if text.lower() in ("none", "null") else text


# --- Tables ------------------------------------------------------------------------------------


def _is_own(head: str, delimiter: str, columns: tuple[str, ...]) -> bool:
    """Whether a table has the headings of such traces, or the states of Philly."""
    plain = _plain(columns)
    if any(own <= set(plain) for own in _OWN_HEADINGS):
        return True
    if "status" not in plain:
        return False
    index = plain.index("status")
    states = {row[index].strip().casefold() for row in _samples(head, delimiter) if index < len(row)}
    return "pass" in states and states <= _OWN_STATES


def _plain(columns: tuple[str, ...]) -> list[str]:
    """Headings in small letters with `_` for all else, so that spellings of one name are equal."""
    return [lazy_re(r"[^a-z]+").sub("_", name.casefold()).strip("_") for name in columns]


def _located(columns: tuple[str, ...]) -> dict[str, tuple[int, str]]:
    """Index and unit of the column of each field."""
    plain = _plain(columns)
    found: dict[str, tuple[int, str]] = {}
    for field, names in HEADINGS.items():
        for name in names:
            if name in plain:
                found[field] = (plain.index(name), "s")
                break
            if field == "elapsed":
                ended = [
                    each for each in plain if each.startswith(f"{name}_") and each[len(name) + 1 :] in _UNITS
                ]
                if ended:
                    found[field] = (plain.index(ended[0]), _UNITS[ended[0][len(name) + 1 :]])
                    break
    return found


def _samples(head: str, delimiter: str) -> list[list[str]]:
    """The first rows below the heading, split at the delimiter."""
    lines = [line for line in head.splitlines() if line.strip()][1 : 1 + _SAMPLE]
    return list(csv.reader(lines, delimiter=delimiter))


def _clock_unit(samples: list[list[str]], located: Mapping[str, tuple[int, str]], field: str) -> str | None:
    """Plain numbers are seconds since 1970 or since the beginning of the trace; long ones are milliseconds."""
    if field not in located:
        return None
    index = located[field][0]
    texts = [row[index].strip() for row in samples if index < len(row) and row[index].strip()]
    if not texts or not all(_NUMBER.match(text) for text in texts):
        return None
    return "epoch_ms" if max(float(text) for text in texts) >= _MILLISECONDS_FROM else "epoch_s"


PHILLY: Final = dialect.Dialect(
    format="philly", title=worded("deep-learning cluster trace"), sniff=sniff_philly, rows=philly_rows
)


# --- The task table of Alibaba's PAI trace: tasks of so many instances, each of so many hundredths of a GPU

COLUMNS: Final = (
    *("job_name", "task_name", "inst_num", "status", "start_time", "end_time"),
    *("plan_cpu", "plan_mem", "plan_gpu", "gpu_type"),
)
"""Of its table, which is published without them."""

_PAI_NEEDED: Final = ("job_name", "inst_num", "plan_gpu", "start_time", "end_time")
_PAI_STATES: Final = {
    "terminated": "COMPLETED",
    "waiting": "PENDING",
    "running": "RUNNING",
    "failed": "FAILED",
}
_NUMBERS: Final = ("inst_num", "start_time", "end_time", "plan_cpu", "plan_mem", "plan_gpu")
_ROWS_LOOKED_AT: Final = 50


def sniff_pai(head: str) -> float:
    """How sure it is that a text begins such a table, 0..1.

    By the columns plan_gpu and inst_num; without a header by what its cells hold.
    """
    if delimited.has_columns(head, "plan_gpu", "inst_num"):
        return 1.0
    return 0.96 if _has_no_header(head) else 0.0


def _has_no_header(head: str) -> bool:
    """Whether every first row has the numbers and the states of the table at their places."""
    rows = list(islice(csv.reader(line for line in head.splitlines() if line.strip()), _ROWS_LOOKED_AT))
    return bool(rows) and all(map(_is_record, rows))


def _is_record(cells: Sequence[str]) -> bool:
    """Whether a row without heading is a task.

    As many cells as columns, numbers where they belong, a known state.
    """
    if len(cells) != len(COLUMNS):
        return False
    texts = dict(zip(COLUMNS, cells, strict=True))
    are_numbers = all(read_decimal(texts[name]) is not None for name in _NUMBERS if texts[name].strip())
    return are_numbers and texts["status"].strip().casefold() in _PAI_STATES


def pai_rows(source: Source, engine: Engine, table: str) -> dialect.JobTable:
    """Each task of a job is a run; second 0 of the trace is read as the beginning of 1970, for it tells no date.

    A task that ended without having begun was never started. Errors: PlannerError missing_column.
    """
    delimiter, columns = delimited.header_columns(source.head)
    has_header = not _has_no_header(source.head)
    if not has_header:
        delimiter, columns = ",", COLUMNS
    delimited.check_columns(source.path, columns, _PAI_NEEDED, _MAP_THEM)
    raw = load_raw(engine, source, table, columns, delimiter=delimiter, has_header=has_header)
    column = raw.text
    task, model, state, start = map(column, ("task_name", "gpu_type", "status", "start_time"))
    words = " ".join(f"when '{said}' then '{meant}'" for said, meant in _PAI_STATES.items())
    fields = {
        "job_id": f"concat_ws('/', {column('job_name')}, nullif({task}, ''))",
        "name": f"coalesce(nullif({task}, ''), {column('job_name')})",  # jobs are called by hashes
        "user": column("user"),
        "queue": column("group"),
        "gpu_model": f"case when upper({model}) = 'MISC' then '' else {model} end",  # of several kinds
        "gpus": f"{column('inst_num')} || '|' || {column('plan_gpu')}",
        "start": start,
        "end": column("end_time"),
        "state": f"case when trim({start}) = '' and lower(trim({state})) <> 'waiting' then 'CANCELLED' "
        f"else case lower(trim({state})) {words} else {state} end end",
    }
    return dialect.JobTable(raw=raw, fields=fields, start_unit="s", end_unit="s", read_gpus=read_planned_gpus)


def read_planned_gpus(text: str) -> GpuReading:
    """`inst_num|plan_gpu`: how many instances, and hundredths of a GPU of each.

    >>> read_planned_gpus("4.0|50.0").milli_gpus, read_planned_gpus("3|").milli_gpus
    (2000, 0)
    """
    instances_text, _, planned_text = (part.strip() for part in text.partition("|"))
    if not planned_text:
        return GpuReading()
    instances, planned = read_decimal(instances_text or "1"), read_decimal(planned_text)
    if instances is None or planned is None:
        return GpuReading(fault="bad_number")
    if Decimal(0) > min(instances, planned):
        return GpuReading(fault="negative_gpus")
    return from_number(instances * planned * MILLI_PER["percent"]) if planned else GpuReading()


PAI: Final = dialect.Dialect(
    format="pai", title=worded("PAI trace task table"), sniff=sniff_pai, rows=pai_rows
)


# --- The pod list of the openb trace: GPUs in thousandths, seconds from the beginning of the trace

_OPENB_NEEDED: Final = ("name", "num_gpu", "gpu_milli", "scheduled_time", "deletion_time")
_HEADINGS: Final = (*_OPENB_NEEDED, "cpu_milli", "memory_mib", "gpu_spec", "qos", "pod_phase")


def sniff_openb(head: str) -> float:
    """How sure it is that a text begins a list of openb's pods, 0..1."""
    _, columns = delimited.best_header(head, _HEADINGS)
    return 1.0 if {name.casefold() for name in columns} >= set(_OPENB_NEEDED) else 0.0


def openb_rows(source: Source, engine: Engine, table: str) -> dialect.JobTable:
    """Every pod; second 0 of the trace is read as the beginning of 1970, since the trace tells no date.

    Errors: PlannerError missing_column.
    """
    delimiter, columns = delimited.best_header(source.head, _HEADINGS)
    delimited.check_columns(source.path, columns, _OPENB_NEEDED, _MAP_THEM)
    raw = load_raw(engine, source, table, columns, delimiter=delimiter)
    column = raw.text
    start, phase, spec = column("scheduled_time"), column("pod_phase"), column("gpu_spec")
    is_cancelled = f"trim({start}) = '' and lower(trim({phase})) <> 'pending'"
    fields = {
        "job_id": column("name"),
        "name": column("name"),
        "queue": column("qos"),
        "gpu_model": f"case when {spec} like '%|%' then '' else {spec} end",  # several would do: none is known
        "gpus": f"{column('num_gpu')} || '|' || {column('gpu_milli')}",
        "start": start,
        "end": column("deletion_time"),
        **({"submit": column("creation_time")} if raw.column("creation_time") else {}),
        "state": f"case when {is_cancelled} then 'CANCELLED' else {phase} end",
    }
    return dialect.JobTable(
        raw=raw,
        fields=fields,
        start_unit="s",
        end_unit="s",
        queue_units={"submit": "s"},
        read_gpus=read_openb_gpus,
    )


def read_openb_gpus(text: str) -> GpuReading:
    """`num_gpu|gpu_milli`: how many GPUs, and how many thousandths of each.

    >>> read_openb_gpus("1|460").milli_gpus
    460
    """
    count_text, _, milli_text = (part.strip() for part in text.partition("|"))
    if not count_text:
        return GpuReading()
    count, milli = read_decimal(count_text), read_decimal(milli_text or "1000")
    if count is None or milli is None:
        return GpuReading(fault="bad_number")
    if count == 0:
        return GpuReading()
    return GpuReading(fault="negative_gpus") if Decimal(0) > min(count, milli) else from_number(count * milli)


def facts(source: Source) -> Facts:
    """What the list holds, whether its pods ran or not, and from when its times count.

    Empty for a Parquet file.
    """
    if source.kind == PARQUET:
        return ()
    delimiter, columns = delimited.best_header(source.head, _HEADINGS)
    at = {name.casefold(): index for index, name in enumerate(columns)}
    gpus: list[Decimal] = []
    phases: dict[str, int] = {}
    never = 0
    with source.rows(delimiter) as records:
        next(records, None)
        for _, cells in records:
            row = {name: cells[index].strip() for name, index in at.items() if index < len(cells)}
            gpus.append(read_decimal(row.get("num_gpu", "")) or Decimal(0))
            never += not row.get("scheduled_time")
            phase = row.get("pod_phase", "") or "unknown"
            phases[phase] = phases.get(phase, 0) + 1
    return (
        ("pods", len(gpus)),
        ("gpu_pods", sum(count > 0 for count in gpus)),
        ("gpus_asked", float(sum(gpus))),
        ("never_scheduled", never),
        ("phases", dict(sorted(phases.items()))),
        ("time_origin", "seconds from the beginning of the trace, read as seconds from 1970-01-01T00:00:00Z"),
    )


OPENB: Final = dialect.Dialect(
    format="openb", title=worded("openb pods"), sniff=sniff_openb, rows=openb_rows, facts=facts
)


# --- The Standard Workload Format: 18 numbers a job, in seconds from the beginning of the log. It counts processors

SWF_FIELDS: Final = phrases("job_id|name|account|user|queue|gpus|start|end|state|submit|time_limit")
PROCESSORS: Final = "processors"
"""What `--map gpus=` names to say that each processor is a GPU."""

_WIDTH: Final = 18
_NOTE: Final = lazy_re(
    r"(?m)^;\s*(?:Version|Computer|MaxNodes|MaxProcs|MaxJobs|UnixStartTime|Installation)\s*:"
)
_BEGIN: Final = lazy_re(r"(?m)^;\s*UnixStartTime:\s*(\d{1,12})")
_SWF_STATES: Final = {"0": "FAILED", "1": "COMPLETED", "5": "CANCELLED"}
_PARTS: Final = ("2", "3", "4")
"""What is said of the parts of a job with checkpoints, beside which stands a line of the whole."""

_UNKNOWN: Final = "-1"


def sniff_swf(head: str) -> float:
    """How sure it is that a text is such a log, 0..1.

    Its header's notes make it surer; lines of another width make it none.
    """
    lines = [line.split() for line in head.splitlines() if line.strip() and not line.startswith(";")][:20]
    fit = sum(
        len(cells) == _WIDTH and all(read_decimal(cell) is not None for cell in cells) for cells in lines
    )
    if lines and 2 * fit <= len(lines):
        return 0.0
    return 0.97 if _NOTE.search(head) else 0.9 if lines else 0.0


def swf_rows(source: Source, engine: Engine, table: str, *, is_gpu: bool = False) -> dialect.JobTable:
    """Every job, from its submission and wait on; comments above the first are its header, others are ignored.

    is_gpu: each processor is a GPU. Errors: PlannerError missing_column unless it is.
    """
    if not is_gpu:
        raise PlannerError(
            source.path,
            "missing_column",
            worded("Standard Workload Format counts processors, not GPUs"),
            worded(
                "if processors are GPUs, use --map gpus={processors}; otherwise a table with job_id, gpus, "
                "start, end",
                processors=PROCESSORS,
            ),
        )
    match = _BEGIN.search(source.head)
    jobs = _jobs(source, int(match[1]) if match else 0)
    return dialect.table_of_texts(engine, source, table, SWF_FIELDS, jobs, clock="epoch_s")


def _jobs(source: Source, begin_s: int) -> Iterator[tuple[int, dialect.JobTexts]]:
    """Each line as a job, numbered from 1.

    Comments of the header are none of the rows, later ones are ignored rows.
    """
    with source.text_lines() as lines:
        is_header = True
        for number, line in enumerate(lines, 1):
            text = line.strip()
            if text.startswith(";") and not is_header:
                yield number, {dialect.RAW: text, dialect.IGNORED: "1"}
            elif text and not text.startswith(";"):
                is_header = False
                yield number, job_texts(text, begin_s)


def job_texts(text: str, begin_s: int) -> dialect.JobTexts:
    """A line as the texts of a job. begin_s: second 0 of the log, in seconds since 1970.

    Fields are the format's own, by place; -1 is its word for unknown. Lines of parts of a job are ignored.
    """
    cells = text.split()
    if len(cells) != _WIDTH:
        return {dialect.RAW: text}
    job_id, submit, wait, run, allotted, _, _, asked = cells[:8]
    status, user, group, application, queue = cells[10:15]
    if status in _PARTS:
        return {dialect.RAW: text, dialect.IGNORED: "1"}
    is_begun = _UNKNOWN not in (wait, run)
    return {
        "job_id": job_id,
        "name": "" if application == _UNKNOWN else f"application {application}",
        "account": "" if group == _UNKNOWN else group,
        "user": "" if user == _UNKNOWN else user,
        "queue": "" if queue == _UNKNOWN else queue,
        "gpus": allotted if allotted != _UNKNOWN else "" if asked == _UNKNOWN else asked,
        "start": _sum(str(begin_s), submit, wait) if is_begun else "",
        "end": _sum(str(begin_s), submit, wait, run) if is_begun else "",
        "state": _SWF_STATES.get(status, "") if is_begun else "CANCELLED",
        "submit": _sum(str(begin_s), submit),
        "time_limit": "" if cells[8] == _UNKNOWN else cells[8],
    }


def _sum(*texts: str) -> str:
    """Seconds added up; the text that is no number, where there is one, so that the row says it."""
    numbers = [read_decimal(text) for text in texts]
    odd = [text for text, number in zip(texts, numbers, strict=True) if number is None]
    return odd[0] if odd else str(int(sum(number for number in numbers if number is not None)))


SWF: Final = dialect.Dialect(
    format="swf", title=worded("Standard Workload Format log"), sniff=sniff_swf, rows=swf_rows
)
