"""The Standard Workload Format: 18 numbers a job, in seconds from the beginning of the log."""

from collections.abc import Iterator
from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.job_logs.judging import dialect
from gpuplanner.files.sources.source import Source
from gpuplanner.files.system.engine import Engine
from gpuplanner.files.values.numbers import read_decimal
from gpuplanner.files.values.word_lists import phrases
from gpuplanner.lazy_re import lazy_re

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
    if _NOTE.search(head):
        return 0.97
    return 0.9 if lines else 0.0


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
    is_dated = submit != _UNKNOWN
    gpus = allotted
    if allotted == _UNKNOWN:
        gpus = "" if asked == _UNKNOWN else asked
    return {
        "job_id": job_id,
        "name": "" if application == _UNKNOWN else f"application {application}",
        "account": "" if group == _UNKNOWN else group,
        "user": "" if user == _UNKNOWN else user,
        "queue": "" if queue == _UNKNOWN else queue,
        "gpus": gpus,
        "start": _sum(str(begin_s), submit, wait) if is_begun and is_dated else "",
        "end": _sum(str(begin_s), submit, wait, run) if is_begun and is_dated else "",
        "state": _SWF_STATES.get(status, "") if is_begun else "CANCELLED",
        "submit": _sum(str(begin_s), submit) if is_dated else "",
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
