"""The task table of Alibaba's PAI trace: tasks of so many instances, each with hundredths of a GPU."""

import csv
from collections.abc import Sequence
from decimal import Decimal
from itertools import islice
from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.files.job_logs.dialects.traces.map_remedy import MAP_THEM
from gpuplanner.files.job_logs.judging import dialect
from gpuplanner.files.sources.raw_table import load_raw
from gpuplanner.files.sources.source import Source
from gpuplanner.files.system.engine import Engine
from gpuplanner.files.tables import delimited
from gpuplanner.files.values.gpu_counts import MILLI_PER, GpuReading, from_number
from gpuplanner.files.values.numbers import read_decimal

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
    delimited.check_columns(source.path, columns, _PAI_NEEDED, MAP_THEM)
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
