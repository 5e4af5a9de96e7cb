"""Grid Engine: the accounting file, its form in JSON, and what qacct prints of single jobs."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.files.job_logs.dialects.grid_engine_forms import (
    BEYOND,
    accounting_entries,
    is_accounting,
    is_qacct,
    json_entries,
    qacct_entries,
)
from gpuplanner.files.job_logs.dialects.other_accelerators import first_other
from gpuplanner.files.job_logs.judging import dialect
from gpuplanner.files.sources.json_values import json_paths, json_records
from gpuplanner.files.sources.source import Source
from gpuplanner.files.system.engine import Engine
from gpuplanner.files.values.numbers import read_decimal
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.lazy_re import lazy_re

# GPUs of a Grid Engine job: those it was given by number, else what its hard requests ask for.
_GIVEN: Final = lazy_re(r"(?i)\bn?gpus?(?:_\w+)?=[^=(\s,]+=\(([^)]*)\)")
_HARD: Final = lazy_re(r"(?:^|\s)-l\s+(?P<asked>\S+)")
_SOFT: Final = lazy_re(r"(?:^|\s)-soft\b.*?(?=\s-hard\b|$)")
_BOARD: Final = r"[abhlptv]\d{1,3}[a-z]?|gh200|gb200|rtx\w+|mi\d{3}x?|k\d0m?"
_COUNT: Final = lazy_re(
    rf"(?i)^(?:(?:num_|n)?gpus?(?:_?(?:cards?|devices?|count|num|dev))?|(?:nvidia|cuda)_?(?:gpus?|cards?|devices?)?"
    rf"|(?:(?:gpus?|coproc|cuda|nvidia)[_.-]?)?(?P<board>{_BOARD}))$"
)
_MODEL: Final = lazy_re(r"(?i)^(?:gpu|cuda)_?(?:type|model|name|arch)$")


@dataclass(frozen=True, slots=True)
class SgeGpus:
    """gpus over all slots, as text; empty without any. is_assumed: one asked for may be one of each slot."""

    gpus: str = ""
    gpu_model: str = ""
    is_assumed: bool = False


def sge_gpus(said: Mapping[str, str]) -> SgeGpus:
    """What a record says of GPUs. A part of one is what each slot asks for, since nobody asks for half of a job's.

    >>> sge_gpus({"category": "-U gpu -l gpu=2,h_rt=3600 -pe smp 8", "slots": "8"})
    SgeGpus(gpus='2', gpu_model='', is_assumed=True)
    >>> sge_gpus({"category": "-l gpus=0.25,gpu_type=V100 -pe omp 8", "slots": "8"})
    SgeGpus(gpus='2.00', gpu_model='V100', is_assumed=False)
    """
    slots = read_decimal(said.get("slots", "")) or Decimal(1)
    count, model = "", ""
    for name, value in _asked_of_sge(said):
        if _MODEL.match(name):
            model = value.strip("*")
        elif (found := _COUNT.match(name)) and value not in ("0", "") and not count:
            count = value
            model = model or (found["board"] or "")
    if given := _GIVEN.findall(f"{said.get('resource_map', '')} {said.get(BEYOND, '')}"):
        return SgeGpus(str(sum(len(ids.split()) for ids in given)), model)
    number = read_decimal(count) if count else None
    if number is not None and 0 < number < 1 and slots > 1:
        return SgeGpus(f"{number * slots:f}", model)
    asked = count or first_other(_asked_of_sge(said))
    return SgeGpus(asked, model if count else "", bool(count) and slots > 1)


def _asked_of_sge(said: Mapping[str, str]) -> list[tuple[str, str]]:
    """Every `name=value` that was asked for and had to be given."""
    category = _SOFT.sub("", said.get("category", ""))
    texts = [found["asked"] for found in _HARD.finditer(category)] or [said.get("hard_resources", "")]
    pairs = (pair.partition("=") for text in texts for pair in text.split(","))
    return [(name.strip(), value.strip()) for name, sign, value in pairs if sign]


FIELDS: Final = (
    *("job_id", "name", "account", "user", "queue", "gpu_model", "gpus", "nodes", "start", "end", "state"),
    *("hosts", "submit", "elapsed"),
)

_MARKS_OF_JSON: Final = {"job_number", "owner", "start_time", "granted_pe"}
_NOTHING: Final = frozenset({"", "NONE", "none", "undefined", "-/-", "0"})
_STATE_OF_FAILED: Final = {"24": "REQUEUED", "25": "REQUEUED", "37": "TIMEOUT"}
"""Why a job left its host: migrated, put back into the queue, over its limit of time. Other numbers say a fault."""

_ASSUMED: Final = "assumed"
_NOTES: Final = {
    _ASSUMED: dialect.Note(
        "undecided",
        worded(
            "jobs with several slots: GPUs read per job. If qconf -sc shows YES, import a table with each "
            "job's GPUs"
        ),
    )
}


def sniff(head: str) -> float:
    """How sure it is that a text is one of Grid Engine's, 0..1."""
    if paths := json_paths(head):
        names = {path.rpartition("item.")[2] for path in paths}
        return 0.95 if names >= _MARKS_OF_JSON else 0.0
    return 0.96 if is_accounting(head) or is_qacct(head) else 0.0


def rows(source: Source, engine: Engine, table: str) -> dialect.JobTable:
    """Every record of a job; those of the parts of a parallel job are ignored, since the job's own tells them.

    Errors: PlannerError truncated_file, file_unreadable.
    """
    jobs = ((row, said if dialect.RAW in said else sge_job_texts(said)) for row, said in _records(source))
    clock = None if is_qacct(source.head) else "epoch_s"
    return dialect.table_of_texts(engine, source, table, FIELDS, jobs, clock=clock, notes=_NOTES)


def _records(source: Source) -> Iterator[tuple[int, Mapping[str, str]]]:
    """Every record as text by its name in accounting(5), or RAW where it is none."""
    if json_paths(source.head):
        for row, value in json_records(source):
            yield row, json_entries(value)
        return
    read = qacct_entries if is_qacct(source.head) else accounting_entries
    with source.text_lines() as lines:
        yield from read(lines)


def sge_job_texts(said: Mapping[str, str]) -> dialect.JobTexts:
    """A job as texts; it is noted where GPUs asked for were taken as the job's and may be meant for each slot.

    Tasks of a parallel environment (pe_taskid) are parts of a job and ignored; an array's task is a job of
    its own.
    """
    if _told(said, "pe_taskid"):
        return {dialect.RAW: said.get("job_number", ""), dialect.IGNORED: "1"}
    start, end = (_told(said, name) for name in ("start_time", "end_time"))
    gpus = sge_gpus(said)
    task = _told(said, "task_number")
    account, host = _told(said, "account"), said.get("hostname", "")
    return {
        "job_id": said.get("job_number", "") + (f".{task}" if task else ""),
        "name": said.get("job_name", ""),
        "account": _told(said, "project") or ("" if account == "sge" else account),
        "user": said.get("owner", ""),
        "queue": said.get("qname", ""),
        "gpu_model": gpus.gpu_model,
        "gpus": gpus.gpus,
        "nodes": "1" if not _told(said, "granted_pe") else "",
        "start": start,
        "end": end,
        "state": _state(said) if start else "CANCELLED",
        "hosts": host,
        "submit": _told(said, "submission_time"),
        "elapsed": _told(said, "ru_wallclock").removesuffix("s"),
        dialect.NOTED: _ASSUMED if gpus.is_assumed and start else "",
    }


def _state(said: Mapping[str, str]) -> str:
    """The state by Grid Engine's `failed` and `exit_status`; what was deleted by qdel is cancelled."""
    failed, status = (said.get(name, "").split(":")[0].strip() for name in ("failed", "exit_status"))
    if _told(said, "qdel_info"):
        return "CANCELLED"
    if failed in _STATE_OF_FAILED:
        return _STATE_OF_FAILED[failed]
    return "COMPLETED" if failed in ("", "0") and status in ("", "0") else "FAILED"


def _told(said: Mapping[str, str], name: str) -> str:
    """A field that says something; Grid Engine's words for nothing are empty."""
    text = said.get(name, "").strip()
    return "" if text in _NOTHING else text


SGE: Final = dialect.Dialect(format="sge", title=worded("Grid Engine accounting log"), sniff=sniff, rows=rows)
